//! What is wrong with a clip that can be read and still plays wrongly: each fault with the figures that tell of it and the command that puts it right.
//!
//! A clip does not say what it was made for, so a fault is told only where its figures leave hardly any other reading: most bones agree, and by far. What no figure tells of is
//! named as not judged, which is no fault.

mod axes;
mod blends;
mod ends;
mod order;
mod rotations;
mod scales;
mod spikes;
mod stance;
#[cfg(test)]
mod tests;
mod time;
mod units;

use crate::{Blend, Curve, ModifierScope, Motion, Placed, Rig, Track, listed};
use maquette_scene::glam::{DQuat, DVec3};
pub use spikes::spikes;
use std::collections::{HashMap, HashSet};

/// Something that is wrong, or looks so.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// In a few words: `unit-scale`, `up-axis`.
    pub name: &'static str,
    /// What is wrong, and the figures that tell of it.
    pub why: String,
    /// What puts it right, as words that `maquette clip` takes without files: `scale`, `--factor`, `2.54`. Of several any does; none where that takes a person.
    pub fixes: Vec<Vec<String>>,
}

impl Fault {
    /// One that these words put right.
    fn with_fix(name: &'static str, why: String, fix: &[&str]) -> Fault {
        Fault { name, why, fixes: vec![fix.iter().map(|word| (*word).to_owned()).collect()] }
    }
}

/// Something that nothing tells of.
#[derive(Clone, Debug, PartialEq)]
pub struct NotJudged {
    /// What it is: `units`, `blend`.
    pub what: &'static str,
    /// Why it cannot be told.
    pub why: String,
}

/// What the doctor sees in a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Looked {
    /// What is wrong.
    pub faults: Vec<Fault>,
    /// What could not be told.
    pub not_judged: Vec<NotJudged>,
}

impl Looked {
    fn doubt(&mut self, what: &'static str, why: impl Into<String>) {
        self.not_judged.push(NotJudged { what, why: why.into() });
    }
}

/// Everything that looks wrong with a clip, by itself and against the model it is for.
pub fn look(motion: &Motion, rig: Option<&Rig>) -> Looked {
    let mut looked = Looked::default();
    looked.faults.extend(rotations::not_unit(motion));
    looked.faults.extend(rotations::signs(motion));
    looked.faults.extend(scales::told(motion));
    looked.faults.extend(spikes::told(motion));
    looked.faults.extend(time::rate(motion));
    looked.faults.extend(time::frame_beyond(motion));
    time::hold(motion, &mut looked);
    looked.faults.extend(ends::told(motion, rig));
    match rig.map(|rig| Matched::of(motion, rig)) {
        None => {
            looked.faults.extend(blends::alone(motion));
            if !motion.tracks.is_empty() {
                looked.doubt("units, up axis, blend and names", "there is no model; --skeleton names it");
            }
        }
        Some(matched) if matched.bones.is_empty() => looked.faults.extend(matched.no_match()),
        Some(matched) => on_model(motion, &matched, &mut looked),
    }
    looked
}

fn on_model(motion: &Motion, matched: &Matched<'_>, looked: &mut Looked) {
    looked.faults.extend(matched.missing());
    // Each of these makes the next ones look wrong too: rotations that are read in another order are nowhere near the rest pose, lengths that are all off by one factor are no
    // differences, and differences tell nothing of axes.
    if let Some(fault) = order::told(motion, matched) {
        return looked.faults.push(fault);
    }
    let axes = axes::told(motion, matched);
    let units = units::told(motion, matched, axes.as_ref());
    if let Ok(Some(unit)) = units {
        looked.faults.extend(axes.into_iter().chain([unit]));
        return;
    }
    match blends::on_model(motion, matched, axes.as_ref()) {
        Ok(Some(blend)) => return looked.faults.push(blend),
        Ok(None) => {}
        Err(why) => looked.doubt("blend", why),
    }
    if let Err(why) = units {
        looked.doubt("units", why);
    }
    looked.faults.extend(axes);
}

/// The bones of a motion as joints of a rig.
pub(crate) struct Matched<'m> {
    motion: &'m Motion,
    pub rig: &'m Rig,
    /// The joint of each bone that has one.
    pub bones: HashMap<usize, usize>,
    blends: Vec<Blend>,
    moved: HashSet<usize>,
}

impl<'m> Matched<'m> {
    /// By name; in any case where none has it as it is.
    pub fn of(motion: &'m Motion, rig: &'m Rig) -> Matched<'m> {
        let Placed { joints, blends, .. } = Placed::new(motion, Some(rig), ModifierScope::Both);
        let bones = joints.into_iter().enumerate().filter_map(|(bone, joint)| Some((bone, joint?)));
        let bones: HashMap<usize, usize> = bones.collect();
        Matched { motion, rig, moved: bones.values().copied().collect(), bones, blends }
    }

    /// The joint of a track.
    pub fn joint(&self, track: &Track) -> Option<&'m crate::Joint> {
        self.rig.joints.get(*self.bones.get(&track.bone)?)
    }

    /// How the values of a track are to be taken: as its bone says, one above it or the clip.
    pub fn blend(&self, track: &Track) -> Blend {
        self.blends.get(track.bone).copied().unwrap_or_default()
    }

    /// Whether no joint above that of a track is moved.
    pub fn is_topmost(&self, track: &Track) -> bool {
        let mut joint = self.bones.get(&track.bone).and_then(|joint| self.rig.joints.get(*joint));
        while let Some(parent) = joint.and_then(|joint| joint.parent) {
            if self.moved.contains(&parent) {
                return false;
            }
            joint = self.rig.joints.get(parent);
        }
        true
    }

    fn no_match(&self) -> Option<Fault> {
        let bones: Vec<&str> =
            self.motion.bones.iter().filter(|bone| !bone.is_shape).map(|bone| bone.name.as_str()).collect();
        let (Some(first), Some(joint)) = (bones.first(), self.rig.joints.first()) else { return None };
        // A namespace or a prefix that all of them have.
        let prefix =
            bones.iter().filter_map(|name| name.rfind([':', '|', '.']).map(|at| name.get(..=at))).flatten().next();
        let stripped = prefix.filter(|prefix| {
            let bare = bones.iter().filter_map(|name| name.strip_prefix(prefix));
            bare.filter(|name| self.rig.find(name).is_some()).count() * 2 > bones.len()
        });
        let count = bones.len();
        Some(match stripped {
            Some(prefix) => Fault::with_fix(
                "no-bone-matches",
                format!(
                    "none of its {count} bones is a joint of the model, and most are without {prefix:?} before their names"
                ),
                &["rename", "--prefix-strip", prefix],
            ),
            None => Fault {
                name: "no-bone-matches",
                why: format!(
                    "none of its {count} bones, such as {first:?}, is a joint of the model, which has names such as {:?}",
                    joint.name
                ),
                fixes: Vec::new(),
            },
        })
    }

    /// Bones with keys that the model does not have, but for those that hold the motion of the whole.
    fn missing(&self) -> Option<Fault> {
        let has_keys: HashSet<usize> = self.motion.tracks.iter().map(|track| track.bone).collect();
        let bones = self.motion.bones.iter().enumerate();
        let bones: Vec<_> = bones.filter(|(at, bone)| has_keys.contains(at) && !bone.is_shape).collect();
        let carries = |name: &str| ["tag_origin", "root_motion"].iter().any(|known| name.eq_ignore_ascii_case(known));
        let missing = bones.iter().filter(|(at, bone)| !self.bones.contains_key(at) && !carries(&bone.name));
        let missing: Vec<&str> = missing.map(|(_, bone)| bone.name.as_str()).collect();
        let why = format!(
            "{} of its {} bones are no joints of the model, and nothing moves by their keys: {}",
            missing.len(),
            bones.len(),
            listed(&missing)
        );
        (!missing.is_empty()).then(|| Fault { name: "bones-not-in-model", why, fixes: Vec::new() })
    }
}

/// A name as a pattern that means it and no other: `[*]` for `*`, `[?]` for `?`.
pub fn exactly(name: &str) -> String {
    let letter = |letter: char| match letter {
        '*' | '?' | '[' => format!("[{letter}]"),
        other => other.to_string(),
    };
    name.chars().map(letter).collect()
}

/// The translations of a track.
fn translations(track: &Track) -> Option<Vec<DVec3>> {
    match &track.curve {
        Curve::Translation(keys) => Some(keys.iter().map(|(_, value)| *value).collect()),
        _ => None,
    }
}

/// The rotations of a track, as unit quaternions.
fn rotations(track: &Track) -> Option<Vec<DQuat>> {
    use crate::Value;
    match &track.curve {
        Curve::Rotation(keys) => Some(keys.iter().map(|(_, value)| value.finished()).collect()),
        _ => None,
    }
}

/// The angle between two rotations.
fn angle(one: DQuat, other: DQuat) -> f64 {
    4.0 * ((if one.dot(other) < 0.0 { one + other } else { one - other }).length() / 2.0).min(1.0).asin()
}

/// The one in the middle; `None` of none.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// The average; 0 of none.
fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len().max(1);
    numbers.sum::<f64>() / count as f64
}
