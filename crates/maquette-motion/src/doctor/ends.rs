//! Clips that repeat and do not end as they begin.

use super::{Fault, Matched, angle};
use crate::curve::Keys;
use crate::value::Value;
use crate::{Blend, Curve, Motion, Rig, short};

/// A loop may leave out the frame that is its first again, so its end may be off by the largest step between two frames, and a little more.
const STEPS: f64 = 2.0;
/// Fewer keys tell nothing of what a step is.
const FEWEST_KEYS: usize = 8;
/// What nobody sees: in radians, and as a part of how far a bone is from its parent.
const UNSEEN: f64 = 0.05;

pub(super) fn told(motion: &Motion, rig: Option<&Rig>) -> Option<Fault> {
    if motion.looped != Some(true) {
        return None;
    }
    let matched = rig.map(|rig| Matched::of(motion, rig));
    let mut odd = Vec::new();
    for (at, track) in motion.tracks.iter().enumerate() {
        let bone = motion.bone(track)?;
        // The root may carry the motion of the whole away.
        let is_root = match &matched {
            Some(matched) => matched.is_topmost(track),
            None => track.bone == 0 || bone.name.eq_ignore_ascii_case("tag_origin"),
        };
        let carries = is_root || motion.blend_of(track) == Blend::Delta && at == 0;
        let off = match &track.curve {
            Curve::Translation(_) if carries => None,
            Curve::Translation(keys) => {
                let far = super::median(keys.iter().map(|(_, value)| value.length()).collect()).unwrap_or(0.0);
                ends(keys, motion.duration_secs, |one, other| one.distance(*other)).filter(|off| *off > UNSEEN * far)
            }
            Curve::Rotation(keys) => {
                ends(keys, motion.duration_secs, |one, other| angle(one.finished(), other.finished()))
                    .filter(|off| *off > UNSEEN)
            }
            Curve::Scale(_) | Curve::MorphWeights(_) => None,
        };
        odd.extend(off.map(|off| (off, &bone.name, track.curve.property())));
    }
    let (off, bone, property) = odd.iter().copied().reduce(|one, other| if other.0 > one.0 { other } else { one })?;
    let unit = if property == "rotation" { "rad" } else { "units" };
    let why = format!(
        "it repeats, and {} of its tracks end elsewhere than they begin, the {property} of {bone:?} by {} {unit}",
        odd.len(),
        short(off)
    );
    Some(Fault { name: "loop-does-not-close", why, fix: Some("fix --looped no".into()) })
}

/// How far the end of a curve is from its start, where that is more than a few of its steps.
fn ends<T: Value>(keys: &Keys<T>, duration: f64, apart: impl Fn(&T, &T) -> f64) -> Option<f64> {
    if keys.times_secs.len() < FEWEST_KEYS {
        return None;
    }
    let off = apart(&keys.at(0.0)?, &keys.at(duration)?);
    let step = |pair: &[T]| match pair {
        [one, other] => apart(one, other),
        _ => 0.0,
    };
    let steps = keys.values.windows(2).map(step).fold(0.0, f64::max);
    (off > STEPS * steps && off > 0.0).then_some(off)
}
