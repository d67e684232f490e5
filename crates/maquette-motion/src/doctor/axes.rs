//! Clips whose up is not the model's.

use super::{Fault, Matched, angle, median, rotations, translations};
use crate::{Blend, Motion, short};
use maquette_scene::glam::{DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;

/// What is nearer than this to a turned rest pose, in radians and parts of its height, ..
const NEAR: f64 = 0.35;
/// .. and farther than this from the rest pose, is turned.
const FAR: f64 = 1.1;

pub(super) fn told(motion: &Motion, matched: &Matched<'_>) -> Option<Fault> {
    // A clip that is Z-up has turned what is up in Y by a quarter about X.
    [("y", FRAC_PI_2, "Z"), ("z", -FRAC_PI_2, "Y")].into_iter().find_map(|(up, quarter, is_up)| {
        let turn = DQuat::from_rotation_x(quarter);
        let (mut says_so, mut says_not) = (Vec::new(), 0);
        for track in motion.tracks.iter().filter(|track| matched.is_topmost(track)) {
            let (Some(joint), Some(bone)) = (matched.joint(track), motion.bone(track)) else { continue };
            let blend = matched.blend(track);
            if let Some(values) = rotations(track).filter(|_| blend != Blend::Additive) {
                let from = |home: DQuat| median(values.iter().map(|value| angle(*value, home)).collect());
                let (turned, rest) = (from(turn * joint.rest.rotation)?, from(joint.rest.rotation)?);
                match turned < NEAR && rest > FAR {
                    true => says_so.push(format!(
                        "the rotation of {:?} is {} rad from that of the rest pose and {} rad from it turned",
                        bone.name,
                        short(rest),
                        short(turned)
                    )),
                    false => says_not += 1,
                }
            }
            let rest = joint.rest.translation;
            if let Some(values) = translations(track).filter(|_| blend == Blend::Absolute && rest.length() > 1e-9) {
                let from = |home: DVec3| median(values.iter().map(|value| value.distance(home)).collect());
                let (turned, plain) = (from(turn * rest)? / rest.length(), from(rest)? / rest.length());
                match turned < NEAR && plain > FAR {
                    true => says_so.push(format!(
                        "{:?} is {} of its height from where it rests and {} from there turned",
                        bone.name,
                        short(plain),
                        short(turned)
                    )),
                    false => says_not += 1,
                }
            }
        }
        let first = says_so.first().filter(|_| says_not == 0)?;
        let why = format!("{is_up} is up in it and not in the model: {first}");
        Some(Fault::with_fix("up-axis", why, &["fix", "--up", up]))
    })
}
