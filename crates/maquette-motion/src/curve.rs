//! The keys of one property, and its value at any moment.

use crate::value::Value;
use maquette_scene::clip::Interpolation;
use maquette_scene::glam::{DQuat, DVec3};

/// The keys of one property of a bone.
#[derive(Clone, Debug, PartialEq)]
pub enum Curve {
    /// From the origin of the parent, in its axes.
    Translation(Keys<DVec3>),
    /// Unit quaternions.
    Rotation(Keys<DQuat>),
    /// Sizes along each axis.
    Scale(Keys<DVec3>),
    /// How much of each morph target; or the numbers of a blend shape.
    MorphWeights(Keys<Vec<f64>>),
}

/// Keys of one type. With cubic splines each key has three values: the tangent before it, itself, the tangent after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keys<T> {
    /// In seconds from the start of the clip, each later than the one before.
    pub times_secs: Vec<f64>,
    /// One for each time; three with cubic splines.
    pub values: Vec<T>,
    /// How it goes from key to key.
    pub interpolation: Interpolation,
}

/// Does the same with the keys of any curve.
#[macro_export]
macro_rules! with_keys {
    ($curve:expr, $keys:ident => $body:expr) => {
        match $curve {
            $crate::Curve::Translation($keys) | $crate::Curve::Scale($keys) => $body,
            $crate::Curve::Rotation($keys) => $body,
            $crate::Curve::MorphWeights($keys) => $body,
        }
    };
}

impl Curve {
    /// When its keys are.
    pub fn times_secs(&self) -> &[f64] {
        with_keys!(self, keys => &keys.times_secs)
    }

    /// The same, to be changed; they must go on rising.
    pub fn times_secs_mut(&mut self) -> &mut [f64] {
        with_keys!(self, keys => &mut keys.times_secs)
    }

    /// How many keys it has.
    pub fn len(&self) -> usize {
        self.times_secs().len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How it goes from key to key.
    pub fn interpolation(&self) -> Interpolation {
        with_keys!(self, keys => keys.interpolation)
    }

    /// What it moves, in a word.
    pub fn property(&self) -> &'static str {
        match self {
            Curve::Translation(_) => "translation",
            Curve::Rotation(_) => "rotation",
            Curve::Scale(_) => "scale",
            Curve::MorphWeights(_) => "morph weights",
        }
    }

    /// A straight curve through its values at these moments, which must rise. A curve that jumps does so at the next of them.
    pub fn sampled_at(&self, times_secs: &[f64]) -> Curve {
        match self {
            Curve::Translation(keys) => Curve::Translation(keys.sampled_at(times_secs)),
            Curve::Rotation(keys) => Curve::Rotation(keys.sampled_at(times_secs)),
            Curve::Scale(keys) => Curve::Scale(keys.sampled_at(times_secs)),
            Curve::MorphWeights(keys) => Curve::MorphWeights(keys.sampled_at(times_secs)),
        }
    }

    /// Only those keys that this says yes to, by their position.
    pub fn keep(&mut self, keep: impl Fn(usize) -> bool) {
        with_keys!(self, keys => keys.keep(keep));
    }
}

impl<T: Value> Keys<T> {
    /// Keys with straight lines between them.
    pub fn straight(keys: impl IntoIterator<Item = (f64, T)>) -> Keys<T> {
        let (times_secs, values) = keys.into_iter().unzip();
        Keys { times_secs, values, interpolation: Interpolation::Linear }
    }

    /// The value of a key, without tangents.
    pub fn value(&self, index: usize) -> Option<&T> {
        match self.interpolation {
            Interpolation::CubicSpline => self.values.get(3 * index + 1),
            _ => self.values.get(index),
        }
    }

    /// Each time with its value, without tangents.
    pub fn iter(&self) -> impl Iterator<Item = (f64, &T)> {
        self.times_secs.iter().enumerate().filter_map(|(index, secs)| Some((*secs, self.value(index)?)))
    }

    /// The value at a moment; before the first key and after the last it is theirs. `None` without keys.
    pub fn at(&self, secs: f64) -> Option<T> {
        let after = self.times_secs.partition_point(|time| *time <= secs);
        let (Some(before), Some(&end)) = (after.checked_sub(1), self.times_secs.get(after)) else {
            return self.value(after.min(self.times_secs.len().saturating_sub(1))).cloned();
        };
        let start = *self.times_secs.get(before)?;
        let part = (secs - start) / (end - start);
        Some(match self.interpolation {
            Interpolation::Step => self.value(before)?.clone(),
            Interpolation::Linear => self.value(before)?.between(self.value(after)?, part),
            Interpolation::CubicSpline => {
                let (square, cube) = (part * part, part * part * part);
                let of_values = [2.0 * cube - 3.0 * square + 1.0, 3.0 * square - 2.0 * cube];
                let of_tangents = [cube - 2.0 * square + part, cube - square];
                self.hermite(before, of_values, of_tangents.map(|factor| factor * (end - start)))?.finished()
            }
        })
    }

    /// How fast a spline changes at a moment, for each second; before and after its keys, and of other curves, not at all.
    fn slope(&self, secs: f64) -> Option<T> {
        let after = self.times_secs.partition_point(|time| *time <= secs);
        let still = T::sum([(self.values.first()?, 0.0); 4]);
        let (Some(before), Some(&end)) = (after.checked_sub(1), self.times_secs.get(after)) else { return Some(still) };
        let start = *self.times_secs.get(before)?;
        let part = (secs - start) / (end - start);
        let square = part * part;
        let of_values = [6.0 * square - 6.0 * part, 6.0 * part - 6.0 * square].map(|factor| factor / (end - start));
        self.hermite(before, of_values, [3.0 * square - 4.0 * part + 1.0, 3.0 * square - 2.0 * part])
    }

    /// A sum of the two values of a piece of a spline and the two tangents in it.
    fn hermite(&self, piece: usize, of_values: [f64; 2], of_tangents: [f64; 2]) -> Option<T> {
        let [start, out, into, end] = [1, 2, 3, 4].map(|at| self.values.get(3 * piece + at));
        let ([a, b], [c, d]) = (of_values, of_tangents);
        Some(T::sum([(start?, a), (out?, c), (end?, b), (into?, d)]))
    }

    /// What a key at a moment holds so that the curve goes on as it does: its value, between the two tangents of a spline. Splines of rotations stay as they are as nearly as
    /// keys of unit length let them.
    pub fn key_at(&self, secs: f64) -> Vec<T> {
        let (value, slope) = (self.at(secs), self.slope(secs));
        match self.interpolation {
            Interpolation::CubicSpline => [slope.clone(), value, slope].into_iter().flatten().collect(),
            _ => value.into_iter().collect(),
        }
    }

    /// Straight lines through the values at these moments.
    pub fn sampled_at(&self, times_secs: &[f64]) -> Keys<T> {
        let interpolation = match self.interpolation {
            Interpolation::Step => Interpolation::Step,
            _ => Interpolation::Linear,
        };
        let values = times_secs.iter().filter_map(|secs| self.at(*secs)).collect();
        Keys { times_secs: times_secs.to_vec(), values, interpolation }
    }

    /// Only those keys that this says yes to, by their position.
    pub fn keep(&mut self, keep: impl Fn(usize) -> bool) {
        let each = if self.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let mut position = 0..;
        self.values.retain(|_| position.next().is_some_and(|at| keep(at / each)));
        let mut position = 0..;
        self.times_secs.retain(|_| position.next().is_some_and(&keep));
    }

    /// Changes every value; `tangent` is for the tangents of splines.
    pub fn change(&mut self, value: impl Fn(&T) -> T, tangent: impl Fn(&T) -> T) {
        let is_spline = self.interpolation == Interpolation::CubicSpline;
        for (at, stored) in self.values.iter_mut().enumerate() {
            *stored = if is_spline && at % 3 != 1 { tangent(stored) } else { value(stored) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(interpolation: Interpolation, values: &[f64]) -> Keys<DVec3> {
        let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let times_secs = (0..values.len() / each).map(|at| at as f64 * 2.0).collect();
        Keys { times_secs, values: values.iter().map(|x| DVec3::new(*x, 0.0, 0.0)).collect(), interpolation }
    }

    #[test]
    fn values_between_keys_and_beyond() {
        let x = |keys: &Keys<DVec3>, secs| keys.at(secs).unwrap().x;
        let straight = keys(Interpolation::Linear, &[1.0, 3.0, -1.0]);
        assert_eq!([-1.0, 0.0, 0.5, 2.0, 3.0, 9.0].map(|secs| x(&straight, secs)), [1.0, 1.0, 1.5, 3.0, 1.0, -1.0]);
        let step = keys(Interpolation::Step, &[1.0, 3.0]);
        assert_eq!([1.9, 2.0].map(|secs| x(&step, secs)), [1.0, 3.0]);
        // The Hermite basis at the middle: half of each value and an eighth of each tangent times the length of the piece.
        let spline = keys(Interpolation::CubicSpline, &[9.0, 1.0, 4.0, 8.0, 3.0, 9.0]);
        assert_eq!(x(&spline, 1.0), 0.5 * 1.0 + 0.5 * 3.0 + 2.0 * (4.0 - 8.0) / 8.0);
        assert_eq!(Keys::<DVec3>::default().at(1.0), None);
    }

    #[test]
    fn kept_keys_keep_their_tangents() {
        let mut spline = keys(Interpolation::CubicSpline, &[9.0, 1.0, 4.0, 8.0, 3.0, 9.0, 5.0, 6.0, 7.0]);
        spline.keep(|index| index != 1);
        assert_eq!(spline.times_secs, [0.0, 4.0]);
        assert_eq!(spline.values.iter().map(|value| value.x).collect::<Vec<_>>(), [9.0, 1.0, 4.0, 5.0, 6.0, 7.0]);
    }
}
