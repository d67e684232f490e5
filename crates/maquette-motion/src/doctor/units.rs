//! Clips in inches on models in centimetres, and the like.

use super::stance::{Stance, Turns};
use super::{Fault, Matched, median, translations};
use crate::{Blend, Curve, Motion, short};
use maquette_scene::glam::DVec3;

/// Units that are mistaken for one another, and how many of the second the first is.
const UNITS: [(f64, &str, &str); 8] = [
    (2.54, "inches", "centimetres"),
    (0.0254, "inches", "metres"),
    (0.3048, "feet", "metres"),
    (30.48, "feet", "centimetres"),
    (0.01, "centimetres", "metres"),
    (0.001, "millimetres", "metres"),
    (0.1, "millimetres", "centimetres"),
    (12.0, "feet", "inches"),
];
/// How far lengths may be off the factor.
const NEAR: f64 = 0.04;
/// The cosine of how far a bone may point elsewhere than at rest.
const SAME_WAY: f64 = 0.8;
/// This part of all bones must agree.
const MOST: f64 = 0.75;

/// The factors between units, either way, and what was taken for what.
fn mistaken() -> impl Iterator<Item = (f64, String)> {
    UNITS.into_iter().flat_map(|(parts, one, other)| {
        [(parts, format!("{one} for {other}")), (1.0 / parts, format!("{other} for {one}"))]
    })
}

/// The fault; `Err` tells why none can be told. What stands another way up does not tell by where it stands.
pub(super) fn told(motion: &Motion, matched: &Matched<'_>, wrong_up: Option<&Fault>) -> Result<Option<Fault>, String> {
    let moved = motion.tracks.iter().filter(|track| matches!(track.curve, Curve::Translation(_)));
    let moved: Vec<_> = moved.filter(|track| matched.joint(track).is_some()).collect();
    if moved.is_empty() {
        return Err("no bone is translated".into());
    }
    if moved.iter().all(|track| matched.blend(track) != Blend::Absolute) {
        return Err("its translations are differences, which may be as long as anything".into());
    }
    let mut ratios = Vec::new();
    for track in moved {
        let (Some(values), Some(joint)) = (translations(track), matched.joint(track)) else { continue };
        let length = joint.rest.translation.length();
        let is_told = matched.blend(track) == Blend::Absolute && joint.parent.is_some() && !matched.is_topmost(track);
        // An offset may be as long as anything; a bone points where it does at rest.
        let along = |value: &DVec3| value.dot(joint.rest.translation) > SAME_WAY * value.length() * length;
        let points_there = values.iter().filter(|value| along(value)).count() * 2 > values.len();
        let far = median(values.iter().map(|value| value.length()).collect());
        if let (Some(far), true) = (far.filter(|far| *far > 0.0), is_told && points_there && length > 1e-9) {
            ratios.push(length / far);
        }
    }
    let count = ratios.len();
    let Some(factor) = median(ratios.clone()) else {
        return if wrong_up.is_some() { Ok(None) } else { of_stance(motion, matched) };
    };
    let near = |exact: f64| (factor / exact - 1.0).abs() < NEAR;
    let Some((exact, what)) = mistaken().find(|(exact, _)| near(*exact)) else { return Ok(None) };
    let agree = ratios.iter().filter(|ratio| (*ratio / exact - 1.0).abs() < 2.0 * NEAR).count();
    if (agree as f64) < MOST * count as f64 || count < 2 && (factor / exact - 1.0).abs() > 1e-3 {
        return Ok(None);
    }
    let why = format!(
        "{agree} of {count} bones are {} times as long in the model as in the clip, as if it took {what}",
        short(factor)
    );
    Ok(Some(fault(why, exact)))
}

/// Where the root alone is translated: by the factor with which the body stands where it does at rest.
fn of_stance(motion: &Motion, matched: &Matched<'_>) -> Result<Option<Fault>, String> {
    let Some(stance) = Stance::of(motion, matched, Turns::of(motion.blend)) else {
        return Err("no bone below the root is translated, and the root does not stand on anything".into());
    };
    let stands = mistaken().filter_map(|(factor, what)| {
        let (is, instead) = stance.stands_instead(&|value, _| value, &|value, _| value * factor)?;
        Some((factor, what, is, instead))
    });
    let Some((factor, what, is, instead)) = stands.min_by(|one, other| one.3.total_cmp(&other.3)) else {
        return Ok(None);
    };
    let why = format!(
        "its lowest joint is {} times the height of its root off the ground it rests on, and comes as near as {} times with translations {} times as long, as if it took {what}",
        short(is),
        short(instead),
        short(factor)
    );
    Ok(Some(fault(why, factor)))
}

fn fault(why: String, factor: f64) -> Fault {
    // 0.393701 says what is meant to six digits.
    Fault::with_fix("unit-scale", why, &["scale", "--factor", &short(factor)])
}
