//! Rotations that are none, or that some players take the long way between.

use super::Fault;
use crate::{Curve, Interpolation, Motion, short};
use maquette_scene::glam::DQuat;

/// How far a quaternion may be off unit length.
const OFF_UNIT: f64 = 1e-3;
/// Turns of more than a right angle may well be meant to go the long way.
const SURELY_SHORT: f64 = std::f64::consts::FRAC_1_SQRT_2;

pub(super) fn not_unit(motion: &Motion) -> Option<Fault> {
    let (mut count, mut worst) = (0u64, (0.0f64, ""));
    for track in &motion.tracks {
        let (Curve::Rotation(keys), Some(bone)) = (&track.curve, motion.bone(track)) else { continue };
        for (_, value) in keys.iter() {
            let off = (value.length() - 1.0).abs();
            if off > OFF_UNIT {
                count += 1;
                worst = if off > worst.0 { (off, &bone.name) } else { worst };
            }
        }
    }
    let why = format!(
        "{count} rotations are not of unit length, by up to {} at {:?}; players that do not normalise them stretch the bone",
        short(worst.0),
        worst.1
    );
    (count > 0).then(|| Fault::with_fix("rotation-not-unit", why, &["fix"]))
}

pub(super) fn signs(motion: &Motion) -> Option<Fault> {
    let (mut count, mut first) = (0u64, None);
    for track in &motion.tracks {
        let (Curve::Rotation(keys), Some(bone)) = (&track.curve, motion.bone(track)) else { continue };
        // A sign that changes once comes of a whole turn, and the signs of splines are part of their way.
        if keys.interpolation == Interpolation::CubicSpline {
            continue;
        }
        let values: Vec<_> = keys.iter().collect();
        let is_opposite = |one: &DQuat, other: &DQuat| one.dot(*other) < -SURELY_SHORT * one.length() * other.length();
        for three in values.windows(3) {
            let [(_, before), (secs, here), (_, after)] = three else { continue };
            if is_opposite(before, here) && is_opposite(here, after) {
                count += 1;
                first.get_or_insert((bone.name.as_str(), *secs));
            }
        }
    }
    let (bone, secs) = first?;
    let why = format!(
        "{count} rotations have the opposite signs of the keys before and after though they turn by less than a right angle, first at {} s of {bone:?}; players that do not take the shorter way spin the bone around",
        short(secs)
    );
    Some(Fault::with_fix("rotation-signs", why, &["fix"]))
}
