//! Clips in inches on models in centimetres, and the like.

use super::{Fault, Matched, median, translations};
use crate::{Blend, Motion, short};
use maquette_scene::glam::DVec3;

/// Units that are mistaken for one another, and how many of the second the first is.
const UNITS: [(f64, &str); 8] = [
    (2.54, "inches for centimetres"),
    (0.0254, "inches for metres"),
    (0.3048, "feet for metres"),
    (30.48, "feet for centimetres"),
    (0.01, "centimetres for metres"),
    (0.001, "millimetres for metres"),
    (0.1, "millimetres for centimetres"),
    (12.0, "feet for inches"),
];
/// How far lengths may be off the factor.
const NEAR: f64 = 0.04;
/// The cosine of how far a bone may point elsewhere than at rest.
const SAME_WAY: f64 = 0.8;
/// This part of all bones must agree.
const MOST: f64 = 0.75;

pub(super) fn told(motion: &Motion, matched: &Matched<'_>) -> Option<Fault> {
    let mut ratios = Vec::new();
    for track in &motion.tracks {
        let (Some(values), Some(joint)) = (translations(track), matched.joint(track)) else { continue };
        let length = joint.rest.translation.length();
        let is_told = motion.blend_of(track) == Blend::Absolute && joint.parent.is_some() && !matched.is_topmost(track);
        // An offset may be as long as anything; a bone points where it does at rest.
        let along = |value: &DVec3| value.dot(joint.rest.translation) > SAME_WAY * value.length() * length;
        let points_there = values.iter().filter(|value| along(value)).count() * 2 > values.len();
        let far = median(values.iter().map(|value| value.length()).collect());
        if let (Some(far), true) = (far.filter(|far| *far > 0.0), is_told && points_there && length > 1e-9) {
            ratios.push(length / far);
        }
    }
    let count = ratios.len();
    let factor = median(ratios.clone())?;
    let near = |exact: f64| (factor / exact - 1.0).abs() < NEAR;
    let mistaken = UNITS.iter().flat_map(|(parts, what)| {
        let (one, other) = what.split_once(" for ").unwrap_or((what, ""));
        [(*parts, format!("{one} for {other}")), (1.0 / parts, format!("{other} for {one}"))]
    });
    let (exact, what) = mistaken.into_iter().find(|(exact, _)| near(*exact))?;
    let agree = ratios.iter().filter(|ratio| (*ratio / exact - 1.0).abs() < 2.0 * NEAR).count();
    if (agree as f64) < MOST * count as f64 || count < 2 && (factor / exact - 1.0).abs() > 1e-3 {
        return None;
    }
    // 0.393701 says what is meant to six digits.
    let exact = short(exact).parse().unwrap_or(exact);
    let why = format!(
        "{agree} of {count} bones are {} times as long in the model as in the clip, as if it took {what}",
        short(factor)
    );
    Some(Fault { name: "unit-scale", why, fix: Some(format!("scale --factor {}", short(exact))) })
}
