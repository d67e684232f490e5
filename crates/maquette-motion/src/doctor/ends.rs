//! Clips that repeat and do not end as they begin.
//!
//! A loop may leave out the frame that is its first again, so its end may be off by what it moves in that time. That is worked out from how fast it is, not from its keys: the same motion with more
//! of them is judged alike.

use super::{Fault, Matched, angle, exactly};
use crate::curve::Keys;
use crate::value::Value;
use crate::{Blend, Curve, Interpolation, Motion, Rig, short};
use std::collections::HashSet;

/// Two frames of a slow rate: what a loop may leave out, and a little more.
const LEFT_OUT_SECS: f64 = 1.0 / 12.0;
/// Shorter clips go by in hardly more than that.
const SHORTEST_SECS: f64 = 0.25;
/// What nobody sees: in radians, and as a part of how far a bone is from its parent.
const UNSEEN: f64 = 0.05;
/// A clip that the last seconds of can be led to its start without haste.
const SEAM_SECS: f64 = 0.4;

pub(super) fn told(motion: &Motion, rig: Option<&Rig>) -> Option<Fault> {
    if motion.looped != Some(true) || motion.duration_secs < SHORTEST_SECS {
        return None;
    }
    let matched = rig.map(|rig| Matched::of(motion, rig));
    let mut odd = Vec::new();
    // Roots that walk on, which are not led back.
    let mut walking: HashSet<&str> = HashSet::new();
    for (at, track) in motion.tracks.iter().enumerate() {
        let bone = motion.bone(track)?;
        // The root may carry the motion of the whole away.
        let is_root = match &matched {
            Some(matched) => matched.is_topmost(track),
            None => track.bone == 0 || bone.name.eq_ignore_ascii_case("tag_origin"),
        };
        let carries = is_root || motion.blend_of(track) == Blend::Delta && at == 0;
        let off = match &track.curve {
            Curve::Translation(keys) => {
                let far = super::median(keys.iter().map(|(_, value)| value.length()).collect()).unwrap_or(0.0);
                let off = ends(keys, motion.duration_secs, |one, other| one.distance(*other));
                off.filter(|off| *off > UNSEEN * far)
            }
            Curve::Rotation(keys) => {
                ends(keys, motion.duration_secs, |one, other| angle(one.finished(), other.finished()))
                    .filter(|off| *off > UNSEEN)
            }
            Curve::Scale(_) | Curve::MorphWeights(_) => None,
        };
        match &track.curve {
            Curve::Translation(_) if carries => walking.extend(off.map(|_| bone.name.as_str())),
            _ => odd.extend(off.map(|off| (off, bone.name.as_str(), track.curve.property()))),
        }
    }
    let (off, bone, property) = odd.iter().copied().reduce(|one, other| if other.0 > one.0 { other } else { one })?;
    let unit = if property == "rotation" { "rad" } else { "units" };
    let why = format!(
        "it repeats, and {} of its tracks end elsewhere than they begin, the {property} of {bone:?} by {} {unit}",
        odd.len(),
        short(off)
    );
    let mut fault = Fault::with_fix("loop-does-not-close", why, &["fix", "--looped", "no"]);
    // A root that both walks on and turns cannot be led back by half.
    if motion.duration_secs >= SEAM_SECS && !odd.iter().any(|(_, bone, _)| walking.contains(bone)) {
        let mut except: Vec<&str> = walking.into_iter().collect();
        except.sort_unstable();
        let except = except.into_iter().flat_map(|bone| ["--except".to_owned(), exactly(bone)]);
        fault.fixes.push(["loop", "--seam"].map(str::to_owned).into_iter().chain(except).collect());
    }
    Some(fault)
}

/// How far the end of a curve is from its start, where that is more than it moves in a frame or two.
fn ends<T: Value>(keys: &Keys<T>, duration: f64, apart: impl Fn(&T, &T) -> f64) -> Option<f64> {
    if keys.interpolation == Interpolation::Step {
        return None;
    }
    let off = apart(&keys.at(0.0)?, &keys.at(duration)?);
    let values: Vec<(f64, &T)> = keys.iter().collect();
    let speed = |pair: &[(f64, &T)]| match pair {
        [(from, one), (to, other)] => apart(one, other) / (to - from),
        _ => 0.0,
    };
    let fastest = values.windows(2).map(speed).fold(0.0, f64::max);
    (off > LEFT_OUT_SECS * fastest && off > 0.0).then_some(off)
}
