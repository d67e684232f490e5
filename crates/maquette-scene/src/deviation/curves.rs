//! How far two curves of one property are apart, at most: both are walked together, from key to key of either.

use super::space::{Rotations, Scales, Space, Span, Translations};
use crate::clip::{Curve, Interpolation, Keys};

/// How far two curves are apart, at most, at any moment: in units, radians or parts of a size. Morph weights are not looked at.
pub fn apart(before: &Curve, after: &Curve) -> f64 {
    apart_where(before, after, &|_, _| true)
}

/// As [`apart`], looking only where this says so of the times of two keys, of either curve, that no other is between.
pub fn apart_where(before: &Curve, after: &Curve, looks: &dyn Fn(f32, f32) -> bool) -> f64 {
    match (before, after) {
        (before, after) if before == after => 0.0,
        (Curve::Translation(before), Curve::Translation(after)) => keys_apart::<Translations, 3>(before, after, looks),
        (Curve::Scale(before), Curve::Scale(after)) => keys_apart::<Scales, 3>(before, after, looks),
        (Curve::Rotation(before), Curve::Rotation(after)) => keys_apart::<Rotations, 4>(before, after, looks),
        _ => 0.0,
    }
}

fn keys_apart<S: Space<N>, const N: usize>(
    before: &Keys<[f32; N]>,
    after: &Keys<[f32; N]>,
    looks: &dyn Fn(f32, f32) -> bool,
) -> f64 {
    let mut walks = [before, after].map(|keys| Walk { keys, at: 0 });
    let mut largest = 0.0f64;
    let mut look = |from: f32, to: f32| {
        if !looks(from, to) {
            return;
        }
        if let [Some(before), Some(after)] = walks.each_mut().map(|walk| walk.piece::<S>(from, to)) {
            largest = largest.max(S::ways_apart(before.ends, after.ends) + before.bend + after.bend);
        }
    };
    let mut last = None;
    for time in Merged([&before.times_secs, &after.times_secs]) {
        look(last.unwrap_or(time), time);
        last = Some(time);
    }
    // Beyond all keys there is one value, which what jumps there has come to.
    last.into_iter().for_each(|last| look(last, last));
    largest
}

/// The times of two curves in order.
struct Merged<'k>([&'k [f32]; 2]);

impl Iterator for Merged<'_> {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        let firsts = self.0.map(|times| times.first().copied());
        let next = firsts.into_iter().flatten().reduce(f32::min)?;
        for (times, first) in self.0.iter_mut().zip(firsts) {
            // What is no number is passed by.
            if first.is_some_and(|first| first <= next || first.is_nan()) {
                *times = times.get(1..).unwrap_or_default();
            }
        }
        Some(next)
    }
}

/// A piece of a curve without keys inside.
struct Piece<const N: usize> {
    /// Where it starts, and where it comes to at its end.
    ends: [[f64; N]; 2],
    /// How far it is from the straight way between them, at most.
    bend: f64,
}

/// A curve, walked from key to key.
struct Walk<'k, const N: usize> {
    keys: &'k Keys<[f32; N]>,
    at: usize,
}

impl<const N: usize> Walk<'_, N> {
    /// The piece between two moments that no key is between.
    fn piece<S: Space<N>>(&mut self, from: f32, to: f32) -> Option<Piece<N>> {
        let times = &self.keys.times_secs;
        while times.get(self.at + 1).is_some_and(|next| *next <= from) {
            self.at += 1;
        }
        let start = *times.get(self.at)?;
        let still = |value| Piece { ends: [S::value(value); 2], bend: 0.0 };
        let here = value(self.keys, self.at)?;
        let (Some(end), true) = (times.get(self.at + 1), from >= start) else { return Some(still(here)) };
        let [from, to] = [from, to].map(|secs| part(start, *end, secs));
        match self.keys.interpolation {
            Interpolation::Step => Some(still(here)),
            Interpolation::Linear => {
                let [here, next] = [here, value(self.keys, self.at + 1)?].map(S::value);
                Some(Piece { ends: [from, to].map(|part| S::between(here, next, part)), bend: 0.0 })
            }
            Interpolation::CubicSpline => {
                let span = span(self.keys, self.at)?;
                let ends = [from, to].map(|part| S::value(span.at(part)));
                Some(Piece { ends, bend: S::bend(&span, from, to) })
            }
        }
    }
}

/// Where a moment is between two others: from 0 to 1.
pub fn part(from: f32, to: f32, secs: f32) -> f64 {
    (f64::from(secs) - f64::from(from)) / (f64::from(to) - f64::from(from))
}

/// The value of a key, without its tangents.
pub fn value<const N: usize>(keys: &Keys<[f32; N]>, key: usize) -> Option<[f64; N]> {
    let place = if keys.interpolation == Interpolation::CubicSpline { 3 * key + 1 } else { key };
    keys.values.get(place).map(|value| value.map(f64::from))
}

/// The spline between a key and the next.
pub fn span<const N: usize>(keys: &Keys<[f32; N]>, key: usize) -> Option<Span<N>> {
    let secs = f64::from(*keys.times_secs.get(key + 1)?) - f64::from(*keys.times_secs.get(key)?);
    let tangent = |place: usize| keys.values.get(place).map(|tangent| tangent.map(|number| f64::from(number) * secs));
    Some(Span {
        ends: [value(keys, key)?, value(keys, key + 1)?],
        tangents: [tangent(3 * key + 2)?, tangent(3 * key + 3)?],
    })
}
