//! What curves of straight pieces, or of steps, are off by without some of their keys.
//!
//! Between two keys of the whole curve both it and what is left are straight, so vectors are farthest apart at a key. Arcs are a little farther apart between their ends than there, by
//! what [`Measure::swell`] says.

use super::fewest::Gaps;
use super::measure::Measure;

pub(super) struct Straight<'k, M: Measure> {
    pub times_secs: &'k [f64],
    pub values: &'k [M::Value],
    /// How long each piece is, by [`Measure::apart`].
    lengths: Vec<f64>,
    measure: &'k M,
    /// What the type that values are stored in rounds by, as a part of each: what is off by less is not off.
    rounding: f64,
}

impl<'k, M: Measure> Straight<'k, M> {
    pub fn new(times_secs: &'k [f64], values: &'k [M::Value], measure: &'k M, rounding: f64) -> Straight<'k, M> {
        let length = |pair: &[M::Value]| match pair {
            [from, to] => measure.apart(from, to),
            _ => 0.0,
        };
        Straight { times_secs, values, lengths: values.windows(2).map(length).collect(), measure, rounding }
    }

    /// How far a value is from what takes its place, beyond rounding.
    fn off(&self, value: &M::Value, instead: &M::Value) -> f64 {
        (self.measure.apart(value, instead) - self.rounding * self.measure.size(value)).max(0.0)
    }

    /// The largest error over pieces of the whole curve, from the errors at their keys, the first of which is this one.
    fn over(&self, first: usize, mut errors: impl Iterator<Item = f64>, most: f64) -> Option<f64> {
        let mut before = errors.next()?;
        let mut largest = before;
        for (length, error) in self.lengths.get(first..)?.iter().zip(errors) {
            largest = largest.max(self.measure.swell(*length, before, error));
            before = error;
            if largest > most {
                return None;
            }
        }
        (largest <= most).then_some(largest)
    }
}

impl<M: Measure> Gaps for Straight<'_, M> {
    fn len(&self) -> usize {
        self.values.len()
    }

    fn between(&self, from: usize, to: usize, most: f64) -> Option<f64> {
        if to <= from + 1 {
            return Some(0.0);
        }
        let [Some(first), Some(last)] = [from, to].map(|at| self.values.get(at)) else { return None };
        let [Some(&start), Some(&end)] = [from, to].map(|at| self.times_secs.get(at)) else { return None };
        let way = self.measure.way(first, last)?;
        let inside = self.times_secs.get(from + 1..to)?.iter().zip(self.values.get(from + 1..to)?);
        let at = |secs: f64| self.measure.on(&way, (secs - start) / (end - start));
        let errors = inside.map(|(secs, value)| self.off(value, &at(*secs)));
        self.over(from, [0.0].into_iter().chain(errors).chain([0.0]), most)
    }

    fn held(&self, from: usize, to: usize, value: usize, most: f64) -> Option<f64> {
        let held = self.values.get(value)?;
        self.over(from, self.values.get(from..=to)?.iter().map(|value| self.off(value, held)), most)
    }
}

/// Steps: a key that goes leaves the value before it where its own was.
pub(super) struct Steps<'k, M: Measure> {
    pub values: &'k [M::Value],
    pub measure: &'k M,
}

impl<M: Measure> Gaps for Steps<'_, M> {
    fn len(&self) -> usize {
        self.values.len()
    }

    fn between(&self, from: usize, to: usize, most: f64) -> Option<f64> {
        self.held(from, to.saturating_sub(1), from, most)
    }

    fn held(&self, from: usize, to: usize, value: usize, most: f64) -> Option<f64> {
        let held = self.values.get(value)?;
        let mut largest = 0.0f64;
        for value in self.values.get(from..=to.max(from))? {
            largest = largest.max(self.measure.apart(value, held));
            if largest > most {
                return None;
            }
        }
        Some(largest)
    }
}
