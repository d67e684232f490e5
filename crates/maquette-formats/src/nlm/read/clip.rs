//! The clip: keys in ticks become curves in seconds.
//!
//! Keys replace the whole matrix of their node, so a node that has keys of one kind gets a curve of every kind.

use super::refuse;
use super::skeleton::Skeleton;
use crate::format::{QuaternionOrder, ReadOptions, Result};
use crate::nlm::check::{DURATION_INVALID, KEY_NOT_FINITE, NODE_ID_DUPLICATE, TICKS_INVALID};
use crate::nlm::extras;
use crate::nlm::raw::{Animation, Bone, File, RotationKey};
use crate::rising::rise;
use crate::rules::numbers;
use crate::ticks;
use maquette_scene::clip::{Clip, Curve, Keys, Target, Track};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::{Handle, Scene};
use std::collections::HashMap;
use zerocopy::little_endian::F32;

/// Reads the clip. An animation without any key is a skeleton alone, because the format has no other place for one.
pub fn read(
    file: &File<'_>,
    animation: &Animation<'_>,
    skeleton: &Skeleton,
    options: &ReadOptions<'_>,
    scene: &mut Scene,
    losses: &mut LossReport,
) -> Result<()> {
    let (duration, rate) = (animation.duration.get(), animation.ticks_per_second.get());
    extras::set(&mut scene.extras, extras::RATE, &rate);
    if animation.bones.iter().all(|bone| bone.key_count() == 0) {
        extras::set(&mut scene.extras, extras::DURATION, &duration);
        let unusable = rate <= 0 || !duration.is_finite() || duration <= 0.0;
        losses.dropped(Lost::Durations, "clip 0", "it has no keys and no length that could be played", unusable.into());
        return Ok(());
    }
    if !duration.is_finite() || duration < 0.0 {
        return Err(refuse(file, &DURATION_INVALID));
    }
    if rate <= 0 {
        return Err(refuse(file, &TICKS_INVALID));
    }
    if !animation.bones.iter().all(is_finite) {
        return Err(refuse(file, &KEY_NOT_FINITE));
    }
    let mut reading = Reading {
        rate,
        order: options.quaternion_order.unwrap_or(file.dialect.quaternion_order()),
        noted: Noted::default(),
    };
    let mut tracks = Vec::new();
    for (node, bone) in moved_nodes(file, animation, skeleton, losses)? {
        let target = || Target::Node(Handle::from_index(node));
        let curves = reading.curves(bone);
        tracks.extend(curves.into_iter().map(|curve| Track { target: target(), curve, blend: None }));
    }
    reading.noted.report(losses);
    let duration_secs = f64::from(duration) / f64::from(rate);
    scene.clips.push(Clip { duration_secs, tracks, ..Clip::default() });
    Ok(())
}

fn is_finite(bone: &Bone<'_>) -> bool {
    bone.positions.iter().all(|key| key.time.get().is_finite() & numbers::all_finite(&key.position))
        & bone.rotations.iter().all(|key| key.time.get().is_finite() & numbers::all_finite(&key.rotation))
        & bone.scales.iter().all(|key| key.time.get().is_finite() & numbers::all_finite(&key.scale))
}

/// Keys that nodes of one id may share beyond those in the file, so that a small file does not become a large scene.
const MOST_COPIED_KEYS: u64 = 1 << 20;

/// Every node with its keys, by position. All nodes of an id have the same keys; of several sets for one id, the last counts.
fn moved_nodes<'a, 'b>(
    file: &File<'_>,
    animation: &'a Animation<'b>,
    skeleton: &Skeleton,
    losses: &mut LossReport,
) -> Result<Vec<(usize, &'a Bone<'b>)>> {
    let last: HashMap<i32, usize> =
        animation.bones.iter().enumerate().map(|(at, bone)| (bone.node_id.get(), at)).collect();
    let (mut replaced, mut astray, mut keyless, mut copied) = (0, 0, 0, 0);
    let mut moved = Vec::new();
    for (at, bone) in animation.bones.iter().enumerate() {
        let nodes = skeleton.ids.nodes(bone.node_id.get());
        let keys = bone.key_count();
        match () {
            () if keys == 0 => keyless += 1,
            () if last.get(&bone.node_id.get()) != Some(&at) => replaced += keys,
            () if nodes.len() == 0 => astray += keys,
            () => {
                copied += keys * (nodes.len() as u64 - 1);
                if copied > MOST_COPIED_KEYS {
                    return Err(refuse(file, &NODE_ID_DUPLICATE));
                }
                moved.extend(nodes.map(|node| (node, bone)));
            }
        }
    }
    losses.dropped(Lost::Tracks, "clip 0", "they have no keys, so their nodes stay at rest", keyless);
    losses.dropped(Lost::Keys, "clip 0", "a later set of keys moves the same node", replaced);
    losses.dropped(Lost::Keys, "clip 0", "their nodes do not exist", astray);
    moved.sort_by_key(|&(node, _)| node);
    Ok(moved)
}

/// What was changed on the way.
#[derive(Default)]
struct Noted {
    out_of_order: u64,
    same_time: u64,
    missing: u64,
    not_unit: u64,
    furthest_from_unit: f32,
}

impl Noted {
    fn report(&self, losses: &mut LossReport) {
        let sorted = LossKind::Approximated { max_error: 0.0 };
        losses.push(sorted, Lost::Keys, "clip 0", "the keys were sorted by time; none was changed", self.out_of_order);
        losses.dropped(Lost::Keys, "clip 0", "a later key stands at the same time", self.same_time);
        let detail = "a node with keys of another kind has none of this one, which stands for no change";
        losses.push(LossKind::Baked, Lost::Keys, "clip 0", detail, self.missing);
        let normalised = LossKind::Approximated { max_error: self.furthest_from_unit };
        losses.push(
            normalised,
            Lost::RotationLengths,
            "clip 0",
            "the quaternions were brought to length 1",
            self.not_unit,
        );
    }
}

struct Reading {
    rate: i32,
    order: QuaternionOrder,
    noted: Noted,
}

impl Reading {
    fn curves(&mut self, bone: &Bone<'_>) -> [Curve; 3] {
        let positions = bone.positions.iter().map(|key| (key.time, key.position.map(F32::get)));
        let translation = self.keys(positions, [0.0; 3]);
        let rotations: Vec<_> = bone.rotations.iter().map(|key| (key.time, self.unit(key))).collect();
        let rotation = self.keys(rotations.into_iter(), [0.0, 0.0, 0.0, 1.0]);
        let scales = bone.scales.iter().map(|key| (key.time, key.scale.map(F32::get)));
        let scale = self.keys(scales, [1.0; 3]);
        [Curve::Translation(translation), Curve::Rotation(rotation), Curve::Scale(scale)]
    }

    /// Sorted by time, one key for each; `neutral` where there is none.
    fn keys<T: Clone>(&mut self, keys: impl Iterator<Item = (F32, T)>, neutral: T) -> Keys<T> {
        let (mut times_secs, mut values): (Vec<f32>, Vec<T>) =
            keys.map(|(time, value)| (ticks::seconds(time.get(), self.rate), value)).unzip();
        if values.is_empty() {
            self.noted.missing += 1;
            times_secs.push(0.0);
            values.push(neutral);
        }
        let (keys, fallen, repeated) = rise(times_secs, values);
        self.noted.out_of_order += fallen;
        self.noted.same_time += repeated;
        keys
    }

    /// The quaternion, of unit length if it is far from that; of length 0, no rotation.
    fn unit(&mut self, key: &RotationKey) -> [f32; 4] {
        let xyzw = key.xyzw(self.order);
        let length = xyzw.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
        if (length - 1.0).abs() <= UNIT_TOLERANCE {
            return xyzw;
        }
        self.noted.not_unit += 1;
        self.noted.furthest_from_unit = self.noted.furthest_from_unit.max((length - 1.0).abs() as f32);
        match length > 0.0 {
            true => xyzw.map(|x| (f64::from(x) / length) as f32),
            false => [0.0, 0.0, 0.0, 1.0],
        }
    }
}

/// How far the length of a quaternion may be from 1 by rounding alone.
const UNIT_TOLERANCE: f64 = 1e-5;
