//! What is known of a clip before a key of it goes: how long its bones are, which of them the skeleton has, and what the type rounds by that its values are stored in.

use super::Tolerance;
use crate::{Blend, Curve, ModifierScope, Motion, Placed, Refusal, Rig, Track, listed, short};
use std::collections::HashSet;

/// The bones with keys that the skeleton does not have. That it has none of them is a mistake.
pub(super) fn strangers(motion: &Motion, rig: Option<&Rig>) -> Result<Vec<String>, Refusal> {
    let Some(rig) = rig else { return Ok(Vec::new()) };
    let moved: HashSet<usize> = motion.tracks.iter().map(|track| track.bone).collect();
    let joints = Placed::new(motion, Some(rig), ModifierScope::Both).joints;
    let bones = motion.bones.iter().zip(joints).enumerate();
    let bones: Vec<_> = bones.filter(|(at, (bone, _))| moved.contains(at) && !bone.is_shape).collect();
    let strangers = bones.iter().filter(|(_, (_, joint))| joint.is_none()).map(|(_, (bone, _))| bone.name.clone());
    let strangers: Vec<String> = strangers.collect();
    match !bones.is_empty() && strangers.len() == bones.len() {
        true => Err(Refusal(format!(
            "no bone of it is in the skeleton: {}; name the model that it is for",
            listed(&strangers)
        ))),
        false => Ok(strangers),
    }
}

/// Where no length is known, turns and sizes are kept within this, in radians and parts of a size, whatever the tolerance.
pub const TURN_TOLERANCE: f64 = 0.001;

/// How far from a joint that moves no vertex its turns and sizes are looked at, and why there.
pub(super) struct Distance {
    pub units: f64,
    pub why: &'static str,
}

impl Distance {
    /// As asked for, or else all lengths of bones together that the clip or the skeleton tells: no chain of them is longer.
    pub fn of(motion: &Motion, rig: Option<&Rig>, tolerance: &Tolerance) -> Distance {
        match (tolerance.at, length(motion, rig)) {
            (Some(units), _) => Distance { units, why: "as asked for" },
            (None, Some(units)) => Distance { units, why: "all lengths of bones that are known, together" },
            (None, None) => {
                let units = (tolerance.distance / TURN_TOLERANCE).max(1.0);
                Distance { units, why: "no length of a bone is known; there 0.001 rad are no less than the tolerance" }
            }
        }
    }

    /// It has to be longer than the tolerance: within that any turn would pass.
    pub fn must_tell(&self, motion: &Motion, tolerance: f64) -> Result<(), Refusal> {
        let turns =
            |track: &Track| track.curve.len() > 1 && matches!(track.curve, Curve::Rotation(_) | Curve::Scale(_));
        match tolerance >= self.units && motion.tracks.iter().any(turns) {
            false => Ok(()),
            true => Err(Refusal(format!(
                "a tolerance of {} units is no less than the {} units from a joint at which its turns are looked at, so that any turn would do; name a smaller one, or the model with --skeleton",
                short(tolerance),
                short(self.units)
            ))),
        }
    }
}

/// `None` where nothing tells a length.
fn length(motion: &Motion, rig: Option<&Rig>) -> Option<f64> {
    let blends = Placed::new(motion, rig, ModifierScope::Both);
    let of_track = |track: &Track| match &track.curve {
        // Differences may be as short as anything.
        Curve::Translation(keys) if blends.blend(track.bone) == Blend::Absolute => {
            let mut lengths: Vec<f64> = keys.iter().map(|(_, value)| value.length()).collect();
            lengths.sort_by(f64::total_cmp);
            lengths.get(lengths.len() / 2).copied().unwrap_or(0.0)
        }
        _ => 0.0,
    };
    let of_clip: f64 = motion.tracks.iter().map(of_track).sum();
    let of_rig: f64 = rig.iter().flat_map(|rig| &rig.joints).map(|joint| joint.rest.translation.length()).sum();
    Some(of_clip.max(of_rig)).filter(|length| *length > 0.0 && length.is_finite())
}

/// What the type of the stored values rounds by, as a part of them: a key and the line between two others are each off by half of the last place along each axis.
pub(super) fn rounding(curve: &Curve) -> f64 {
    let is_single = |number: &f64| f64::from(*number as f32) == *number;
    let all = match curve {
        Curve::Translation(keys) | Curve::Scale(keys) => {
            keys.values.iter().all(|value| value.to_array().iter().all(is_single))
        }
        Curve::Rotation(keys) => keys.values.iter().all(|value| value.to_array().iter().all(is_single)),
        Curve::MorphWeights(keys) => keys.values.iter().flatten().all(is_single),
    };
    // Doubles are off by what their sums round by, too.
    if all { 2f64.powi(-22) } else { 2f64.powi(-48) }
}
