//! What is wrong with a clip that can be read and still plays wrongly: each fault with the figures that tell of it and the command that puts it right.
//!
//! A clip does not say what it was made for, so a fault is told only where its figures leave hardly any other reading: most bones agree, and by far.

mod axes;
mod blends;
mod ends;
mod rotations;
mod spikes;
#[cfg(test)]
mod tests;
mod units;

use crate::{Curve, Motion, Rig, Track};
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
    /// What puts it right, as `maquette clip` takes it without files: `scale --factor 2.54`. `None` where that takes a person.
    pub fix: Option<String>,
}

/// Everything that looks wrong with a clip, by itself and against the model it is for.
pub fn look(motion: &Motion, rig: Option<&Rig>) -> Vec<Fault> {
    let mut faults = Vec::new();
    faults.extend(rotations::not_unit(motion));
    faults.extend(rotations::signs(motion));
    faults.extend(spikes::told(motion));
    faults.extend(ends::told(motion, rig));
    match rig.map(|rig| Matched::of(motion, rig)) {
        None => faults.extend(blends::alone(motion)),
        Some(matched) if matched.bones.is_empty() => faults.extend(matched.no_match()),
        Some(matched) => {
            // Lengths that are all off by one factor are no offsets, and offsets tell nothing of axes.
            let unit = units::told(motion, &matched);
            let blend = if unit.is_none() { blends::on_model(motion, &matched) } else { None };
            if blend.is_none() {
                faults.extend(axes::told(motion, &matched));
            }
            faults.extend(unit.into_iter().chain(blend));
        }
    }
    faults
}

/// The bones of a motion as joints of a rig.
pub(crate) struct Matched<'m> {
    motion: &'m Motion,
    pub rig: &'m Rig,
    /// The joint of each bone that has one.
    pub bones: HashMap<usize, usize>,
    moved: HashSet<usize>,
}

impl<'m> Matched<'m> {
    /// By name; in any case where none has it as it is.
    pub fn of(motion: &'m Motion, rig: &'m Rig) -> Matched<'m> {
        let any_case: HashMap<String, usize> = rig
            .parents_first()
            .iter()
            .rev()
            .filter_map(|&at| Some((rig.joints.get(at)?.name.to_lowercase(), at)))
            .collect();
        let joint = |name: &str| rig.find(name).or_else(|| any_case.get(&name.to_lowercase()).copied());
        let bones = motion.bones.iter().enumerate().filter(|(_, bone)| !bone.is_shape);
        let bones = bones.filter_map(|(at, bone)| Some((at, joint(&bone.name)?)));
        let bones: HashMap<usize, usize> = bones.collect();
        Matched { motion, rig, moved: bones.values().copied().collect(), bones }
    }

    /// The joint of a track.
    pub fn joint(&self, track: &Track) -> Option<&'m crate::Joint> {
        self.rig.joints.get(*self.bones.get(&track.bone)?)
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
        let why = match stripped {
            Some(prefix) => format!(
                "none of its {} bones is a joint of the model, and most are without {prefix:?} before their names",
                bones.len()
            ),
            None => format!(
                "none of its {} bones, such as {first:?}, is a joint of the model, which has names such as {:?}",
                bones.len(),
                joint.name
            ),
        };
        Some(Fault {
            name: "no-bone-matches",
            why,
            fix: stripped.map(|prefix| format!("rename --prefix-strip {prefix}")),
        })
    }
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
