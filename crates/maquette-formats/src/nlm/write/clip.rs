//! The clip: curves in seconds become keys in ticks.
//!
//! Keys replace the whole matrix of their node, so a node with a curve of one property gets a key of the others, at rest.

use super::cannot_hold;
use super::skeleton::Numbers;
use crate::format::{QuaternionOrder, Result};
use crate::nlm::extras;
use crate::nlm::raw::{Bone, PositionKey, RotationKey, ScaleKey};
use crate::nlm::ticks;
use maquette_scene::clip::{Blend, Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::scene::{Node, Trs};
use maquette_scene::{Handle, Scene};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// A clip that moves something.
pub struct Motion<'a> {
    clip: &'a Clip,
    moved: BTreeMap<Handle<Node>, Curves<'a>>,
}

/// The curves of one node.
#[derive(Default)]
struct Curves<'a> {
    translation: Option<&'a Keys<[f32; 3]>>,
    rotation: Option<&'a Keys<[f32; 4]>>,
    scale: Option<&'a Keys<[f32; 3]>>,
}

/// The clip as stored.
pub struct Written {
    /// In ticks.
    pub duration: f32,
    /// Ticks in a second.
    pub rate: i32,
    /// By rising node.
    pub bones: Vec<Bone<'static>>,
}

/// The clip, if there is one that moves something and the format can hold it.
pub fn check<'a>(scene: &'a Scene, losses: &mut LossReport) -> Result<Option<Motion<'a>>> {
    let Some(clip) = scene.clips.iter().next() else { return Ok(None) };
    let mut moved: BTreeMap<Handle<Node>, Curves<'a>> = BTreeMap::new();
    let mut empty = 0;
    for track in &clip.tracks {
        let node = sound(clip, track)?;
        if track.curve.times_secs().is_empty() {
            empty += 1;
            continue;
        }
        let curves = moved.entry(node).or_default();
        let replaced = match &track.curve {
            Curve::Translation(keys) => curves.translation.replace(keys).is_some(),
            Curve::Rotation(keys) => curves.rotation.replace(keys).is_some(),
            Curve::Scale(keys) => curves.scale.replace(keys).is_some(),
            Curve::MorphWeights(_) => return cannot_hold("NLM has no morph targets, and the clip moves some"),
        };
        if replaced {
            return cannot_hold(format!("the clip moves the {} of one node twice", track.curve.property()));
        }
    }
    let whose = &subject("clip", 0, &clip.name);
    losses.dropped(Lost::Tracks, whose, "they have no keys", empty);
    losses.dropped(Lost::Events, whose, "the format has none", clip.events.len() as u64);
    losses.dropped(Lost::LoopFlags, whose, "the engine repeats every clip", clip.looped.is_some().into());
    losses.dropped(Lost::FrameRates, whose, "the format has none", clip.frame_rate.is_some().into());
    if moved.is_empty() {
        losses.dropped(Lost::Clips, whose, "it moves nothing", 1);
        return Ok(None);
    }
    Ok(Some(Motion { clip, moved }))
}

fn sound(clip: &Clip, track: &Track) -> Result<Handle<Node>> {
    let Target::Node(node) = track.target else {
        return cannot_hold("NLM moves nodes of its own, and the clip moves those of another model");
    };
    if track.blend.unwrap_or(clip.blend) != Blend::Absolute {
        return cannot_hold("NLM holds absolute values, and the clip has others");
    }
    match (track.curve.interpolation(), track.curve.times_secs().len()) {
        (Interpolation::Linear, _) | (Interpolation::Step, 0 | 1) => Ok(node),
        _ => cannot_hold("NLM holds straight curves, and the clip has others"),
    }
}

/// The clip as keys.
pub fn write(
    scene: &Scene,
    motion: &Motion<'_>,
    numbers: &Numbers,
    order: QuaternionOrder,
    losses: &mut LossReport,
) -> Result<Written> {
    let clip = motion.clip;
    let whose = &subject("clip", 0, &clip.name);
    let times = clip.tracks.iter().flat_map(|track| track.curve.times_secs()).copied();
    let rate = ticks::rate(extras::get(&scene.extras, extras::RATE), clip.duration_secs, times);
    let mut duration = ticks::duration_ticks(clip.duration_secs, rate);
    if duration <= 0.0 {
        duration = 1.0;
        losses.push(LossKind::Baked, Lost::Durations, whose, "a clip lasts one tick at least", 1);
    }
    if !duration.is_finite() {
        return cannot_hold(format!("NLM has lengths of 32-bit floats, and {} s is beyond them", clip.duration_secs));
    }
    let joints = scene.skins.iter().flat_map(|skin| &skin.joints);
    let bone_indices: HashMap<_, i32> = joints.copied().zip(0..).collect();
    let mut bones = Vec::new();
    let mut at_rest = 0;
    for (&handle, curves) in &motion.moved {
        let (Some(number), Some(node)) = (numbers.get(handle), scene.nodes.get(handle)) else {
            return cannot_hold("NLM moves joints, and the clip moves a mesh");
        };
        let (rest, index) = (node.transform.trs(), bone_indices.get(&handle).copied().unwrap_or(-1));
        at_rest += curves.missing();
        bones.push(curves.bone((number, index), &rest, rate, order));
    }
    bones.sort_by_key(|bone| bone.node_id.get());
    let detail = "keys replace the whole transform of a node, so what has no curve gets a key at rest";
    losses.push(LossKind::Baked, Lost::Keys, whose, detail, at_rest);
    Ok(Written { duration, rate, bones })
}

/// A skeleton alone: an animation without keys, which must last a tick.
pub fn still(scene: &Scene, losses: &mut LossReport) -> Written {
    let stored_duration = extras::get(&scene.extras, extras::DURATION).filter(|duration: &f32| *duration > 0.0);
    let rate = extras::get(&scene.extras, extras::RATE).filter(|&rate| rate > 0).unwrap_or(ticks::USUAL_RATE);
    if stored_duration.is_none() {
        let detail = "without a clip it is an animation of one tick without keys";
        losses.push(LossKind::Baked, Lost::Durations, "the model", detail, 1);
    }
    Written { duration: stored_duration.unwrap_or(1.0), rate, bones: Vec::new() }
}

impl Curves<'_> {
    fn missing(&self) -> u64 {
        [self.translation.is_none(), self.rotation.is_none(), self.scale.is_none()].map(u64::from).iter().sum()
    }

    fn bone(&self, (number, index): (i32, i32), rest: &Trs, rate: i32, order: QuaternionOrder) -> Bone<'static> {
        Bone {
            node_id: number.into(),
            bone_index: index.into(),
            positions: keys(self.translation, rest.translation.to_array(), rate, |time, position| PositionKey {
                time: time.into(),
                position: position.map(Into::into),
            }),
            rotations: keys(self.rotation, rest.rotation.to_array(), rate, |time, [x, y, z, w]| RotationKey {
                time: time.into(),
                rotation: match order {
                    QuaternionOrder::Wxyz => [w, x, y, z],
                    QuaternionOrder::Xyzw => [x, y, z, w],
                }
                .map(Into::into),
            }),
            scales: keys(self.scale, rest.scale.to_array(), rate, |time, scale| ScaleKey {
                time: time.into(),
                scale: scale.map(Into::into),
            }),
        }
    }
}

fn keys<T: Copy, K: Clone>(keys: Option<&Keys<T>>, rest: T, rate: i32, key: impl Fn(f32, T) -> K) -> Cow<'static, [K]> {
    let Some(keys) = keys else { return Cow::Owned(vec![key(0.0, rest)]) };
    keys.times_secs
        .iter()
        .zip(&keys.values)
        .map(|(&time, &value)| key(crate::ticks::ticks(time, rate), value))
        .collect()
}
