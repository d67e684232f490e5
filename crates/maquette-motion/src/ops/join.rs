//! Curves one after another.

use super::resample::JUMP;
use super::trim::part;
use crate::value::Value;
use crate::{Curve, Interpolation, Keys};
use maquette_scene::glam::{DQuat, DVec3};
use std::borrow::Cow;

/// How near two values are that are taken for one.
pub(super) const MEETS: f64 = 1e-6;

/// Values whose keys a curve can hold.
pub(super) trait Held: Value {
    fn keys_of(curve: &Curve) -> Option<&Keys<Self>>;
}

impl Held for DVec3 {
    fn keys_of(curve: &Curve) -> Option<&Keys<DVec3>> {
        if let Curve::Translation(keys) | Curve::Scale(keys) = curve { Some(keys) } else { None }
    }
}

impl Held for DQuat {
    fn keys_of(curve: &Curve) -> Option<&Keys<DQuat>> {
        if let Curve::Rotation(keys) = curve { Some(keys) } else { None }
    }
}

impl Held for Vec<f64> {
    fn keys_of(curve: &Curve) -> Option<&Keys<Vec<f64>>> {
        if let Curve::MorphWeights(keys) = curve { Some(keys) } else { None }
    }
}

/// A curve with a key at the start and at the end of its clip, where it stays as it was before its first key and after its last.
pub(super) fn whole<T: Value>(keys: &Keys<T>, length: f64) -> Keys<T> {
    let mut whole = part(keys, 0.0, length);
    let [Some(&first), Some(&last)] = [whole.times_secs.first(), whole.times_secs.last()] else { return whole };
    let is_spline = whole.interpolation == Interpolation::CubicSpline;
    if first > 0.0 {
        if let Some(into) = whole.values.first_mut().filter(|_| is_spline) {
            *into = into.times(0.0);
        }
        let held = whole.key_at(0.0);
        whole.values.splice(0..0, held);
        whole.times_secs.insert(0, 0.0);
    }
    if last < length && whole.interpolation != Interpolation::Step {
        if let Some(out) = whole.values.last_mut().filter(|_| is_spline) {
            *out = out.times(0.0);
        }
        whole.values.extend(whole.key_at(length));
        whole.times_secs.push(length);
    }
    whole
}

/// A curve that stays at a value.
pub(super) fn still<T: Value>(value: &T, length: f64, interpolation: Interpolation) -> Keys<T> {
    let key = match interpolation {
        Interpolation::CubicSpline => vec![value.times(0.0), value.clone(), value.times(0.0)],
        _ => vec![value.clone()],
    };
    whole(&Keys { times_secs: vec![0.0], values: key, interpolation }, length)
}

/// Whole curves of one interpolation, each from a moment on, the earlier first. Where one begins at the moment at which another ends with another value, it jumps. The signs of rotations go on
/// as they are at the end of the one before.
pub(super) fn join<'k, T: Value + 'k>(pieces: impl Iterator<Item = (f64, &'k Keys<T>)>) -> Keys<T> {
    let mut made: Keys<T> = Keys { times_secs: Vec::new(), values: Vec::new(), interpolation: Interpolation::Linear };
    let mut before: Option<(f64, Cow<'k, Keys<T>>)> = None;
    for (from, piece) in pieces {
        made.interpolation = piece.interpolation;
        let each = if piece.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let is_at_end = made.times_secs.last().is_some_and(|last| from - last < JUMP / 2.0);
        let ends = made.value(made.times_secs.len().saturating_sub(1));
        let meets = ends.zip(piece.value(0)).is_some_and(|(end, start)| end.far_from(start) <= MEETS);
        let goes_on = is_at_end && meets && made.interpolation != Interpolation::Step;
        if is_at_end && made.interpolation == Interpolation::Step {
            made.times_secs.pop();
            made.values.pop();
        } else if is_at_end && !goes_on {
            let moment = from - JUMP;
            let count = made.times_secs.partition_point(|secs| *secs < moment);
            made.times_secs.truncate(count);
            made.values.truncate(each * count);
            if let Some((began, piece)) = &before {
                made.values.extend(piece.key_at(moment - began));
                made.times_secs.push(moment);
            }
        }
        let ends = made.value(made.times_secs.len().saturating_sub(1));
        let is_opposite = piece.value(0).zip(ends).is_some_and(|(start, end)| start.is_opposite(end));
        let piece = if is_opposite { Cow::Owned(negative(piece)) } else { Cow::Borrowed(piece) };
        if let (true, 3, Some(out), Some(next)) = (goes_on, each, made.values.last_mut(), piece.values.get(2)) {
            out.clone_from(next);
        }
        let first = usize::from(goes_on);
        made.times_secs.extend(piece.times_secs.iter().skip(first).map(|secs| from + secs));
        made.values.extend(piece.values.iter().skip(each * first).cloned());
        before = Some((from, piece));
    }
    made
}

/// The same rotations with other signs.
fn negative<T: Value>(keys: &Keys<T>) -> Keys<T> {
    let values = keys.values.iter().map(|value| value.times(-1.0)).collect();
    Keys { times_secs: keys.times_secs.clone(), values, interpolation: keys.interpolation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::glam::DVec3;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_piece_goes_as_it_did(
            kind in 0usize..3, count in 1usize..4, at in 0.0f64..1.0, late in 0.0f64..0.5, rest in 0.0f64..0.5,
            steps in prop::collection::vec((0.01f64..1.0, prop::array::uniform3(-5.0f64..5.0)), 1..6), closes: bool,
        ) {
            let interpolation = [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline][kind];
            let mut now = late;
            let times_secs: Vec<f64> = steps.iter().enumerate().map(|(at, (step, _))| { now += if at > 0 { *step } else { 0.0 }; now }).collect();
            let three = if kind == 2 { 3 } else { 1 };
            let mut values: Vec<DVec3> = steps.iter().flat_map(|(_, x)| x[..three].to_vec()).map(|x| DVec3::X * x).collect();
            let value = if kind == 2 { 1 } else { 0 };
            if closes {
                let last = values.len() - three + value;
                values[last] = values[value];
            }
            let keys = Keys { times_secs, values, interpolation };
            let length = now + rest + 0.01;
            let piece = whole(&keys, length);
            let joined = join((0..count).map(|turn| (turn as f64 * length, &piece)));
            prop_assert!(joined.times_secs.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", joined.times_secs);
            for turn in 0..count {
                let secs = at * length;
                // At its ends it may be on the way to the next.
                prop_assume!(secs > 1e-6 && secs < length - 2.0 * JUMP);
                prop_assume!(kind != 0 || keys.times_secs.iter().all(|time| (time - secs).abs() > 1e-9));
                let (before, after) = (keys.at(secs).unwrap().x, joined.at(turn as f64 * length + secs).unwrap().x);
                prop_assert!((before - after).abs() < 1e-6, "{turn} {secs}: {before} {after}");
            }
        }
    }
}
