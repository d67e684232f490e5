//! Animations: packed to be played when they are first, from keys that stay where the file has them.

use crate::storage::Storage;
use glam::{Quat, Vec3};
use maquette_anim::clip::{Builder, Clip, Interpolation};
use maquette_formats::aem::File;
use maquette_formats::aem::raw::{Keyframe, Track};
use std::ops::Range;
use std::sync::OnceLock;
use zerocopy::FromBytes;

pub struct Clips {
    /// One for each animation.
    clips: Vec<Packed>,
    /// Where the tables are in the file.
    tracks: Range<usize>,
    keyframes: Range<usize>,
}

struct Packed {
    duration_secs: f32,
    clip: OnceLock<Clip>,
}

impl Clips {
    pub fn new(file: &File<'_>, tracks: Range<usize>, keyframes: Range<usize>) -> Clips {
        let durations = file.animations.iter().map(|animation| animation.duration.get());
        let clips = durations.map(|duration_secs| Packed { duration_secs, clip: OnceLock::new() }).collect();
        Clips { clips, tracks, keyframes }
    }

    pub fn duration_secs(&self, animation: usize) -> Option<f32> {
        self.clips.get(animation).map(|clip| clip.duration_secs)
    }

    /// The tracks of one animation, one for each joint.
    pub fn tracks<'s>(&self, storage: &'s Storage, animation: usize, joint_count: usize) -> &'s [Track] {
        let all = <[Track]>::ref_from_bytes(storage.own(self.tracks.clone())).unwrap_or_default();
        let first = animation.saturating_mul(joint_count);
        all.get(first..first.saturating_add(joint_count)).unwrap_or_default()
    }

    pub fn get(&self, storage: &Storage, animation: usize, joint_count: usize) -> Option<&Clip> {
        let packed = self.clips.get(animation)?;
        Some(packed.clip.get_or_init(|| {
            let keyframes = <[Keyframe]>::ref_from_bytes(storage.own(self.keyframes.clone())).unwrap_or_default();
            pack(self.tracks(storage, animation, joint_count), keyframes, packed.duration_secs)
        }))
    }
}

/// Packs an animation. A kind of key that a track lacks is left out: the pose has no translation, no rotation or a scale of 1 there.
fn pack(tracks: &[Track], keyframes: &[Keyframe], duration_secs: f32) -> Clip {
    let mut builder = Builder::new("", duration_secs);
    for (joint, track) in (0..).zip(tracks) {
        let mut next = track.first_keyframe.get() as usize;
        let mut run = |count: u32| {
            let first = next;
            next = first.saturating_add(count as usize);
            keyframes.get(first..next).unwrap_or_default()
        };
        let moved = run(track.translation_count.get());
        let turned = run(track.rotation_count.get());
        let scaled = run(track.scale_count.get());
        let times = |keys: &[Keyframe]| keys.iter().map(|key| key.time.get()).collect::<Vec<_>>();
        let vectors = |keys: &[Keyframe]| keys.iter().map(vector).collect::<Vec<_>>();
        if !moved.is_empty() {
            builder.translation(joint, Interpolation::Linear, &times(moved), &vectors(moved));
        }
        if !turned.is_empty() {
            let turns: Vec<Quat> = turned.iter().map(quaternion).collect();
            builder.rotation(joint, Interpolation::Linear, &times(turned), &turns);
        }
        if !scaled.is_empty() {
            builder.scale(joint, Interpolation::Linear, &times(scaled), &vectors(scaled));
        }
    }
    // It was checked when it was loaded. Whoever changed the file since gets a clip that moves nothing.
    builder.build().unwrap_or_default()
}

fn vector(key: &Keyframe) -> Vec3 {
    let [x, y, z, _] = key.value.map(|number| number.get());
    Vec3::new(x, y, z)
}

/// One without length, which is a warning, turns nothing.
fn quaternion(key: &Keyframe) -> Quat {
    let turn = Quat::from_array(key.value.map(|number| number.get()));
    if turn.length_squared().is_normal() { turn } else { Quat::IDENTITY }
}
