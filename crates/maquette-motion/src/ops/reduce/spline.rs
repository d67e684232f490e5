//! What splines are off by without some of their keys: those that are left keep their tangents, and the curve between two of them is one cubic.
//!
//! Over each piece of the whole curve the difference of both is a cubic, which stays in the hull of its four points. So a look at these is enough.

use super::fewest::Gaps;
use super::measure::Measure;
use crate::curve::Keys;
use crate::value::Value;

pub(super) struct Spline<'k, M: Measure> {
    pub keys: &'k Keys<M::Value>,
    pub measure: &'k M,
}

/// A cubic from one moment to another.
struct Cubic<T> {
    /// Value and slope at the start, value and slope at the end; slopes over the whole.
    ends: [T; 4],
    start: f64,
    length: f64,
}

impl<T: Value> Cubic<T> {
    fn between(keys: &Keys<T>, from: usize, to: usize) -> Option<Cubic<T>> {
        let [&start, &end] = [keys.times_secs.get(from)?, keys.times_secs.get(to)?];
        let length = end - start;
        let [value, slope, end_slope, end_value] =
            [3 * from + 1, 3 * from + 2, 3 * to, 3 * to + 1].map(|at| keys.values.get(at));
        let [value, slope, end_slope, end_value] = [value?, slope?, end_slope?, end_value?];
        let longer = |slope: &T| T::sum([(slope, length), (slope, 0.0), (slope, 0.0), (slope, 0.0)]);
        Some(Cubic { ends: [value.clone(), longer(slope), end_value.clone(), longer(end_slope)], start, length })
    }

    fn mixed(&self, [a, b, c, d]: [f64; 4]) -> T {
        let [value, slope, end_value, end_slope] = &self.ends;
        T::sum([(value, a), (slope, b), (end_value, c), (end_slope, d)])
    }

    /// The points of the part from one moment to another, whose hull it does not leave.
    fn points(&self, from: f64, to: f64) -> [T; 4] {
        let [from, to] = [from, to].map(|secs| ((secs - self.start) / self.length).clamp(0.0, 1.0));
        let third = (to - from) / 3.0;
        let value = |t: f64| {
            let (t2, t3) = (t * t, t * t * t);
            [2.0 * t3 - 3.0 * t2 + 1.0, t3 - 2.0 * t2 + t, 3.0 * t2 - 2.0 * t3, t3 - t2]
        };
        let slope = |t: f64| {
            let t2 = t * t;
            [6.0 * t2 - 6.0 * t, 3.0 * t2 - 4.0 * t + 1.0, 6.0 * t - 6.0 * t2, 3.0 * t2 - 2.0 * t]
        };
        let beside = |t: f64, by: f64| {
            let (value, slope) = (value(t), slope(t));
            std::array::from_fn(|at| value.get(at).unwrap_or(&0.0) + by * slope.get(at).unwrap_or(&0.0))
        };
        [value(from), beside(from, third), beside(to, -third), value(to)].map(|factors| self.mixed(factors))
    }
}

impl<M: Measure> Spline<'_, M> {
    /// The largest way from the whole curve to other points, piece by piece.
    fn over(&self, from: usize, to: usize, most: f64, points: impl Fn(f64, f64) -> [M::Value; 4]) -> Option<f64> {
        let mut largest = 0.0f64;
        for piece in from..to {
            let whole = Cubic::between(self.keys, piece, piece + 1)?;
            let (start, end) = (whole.start, whole.start + whole.length);
            largest = largest.max(self.measure.splines_apart(&whole.points(start, end), &points(start, end)));
            if largest > most || largest.is_nan() {
                return None;
            }
        }
        Some(largest)
    }
}

impl<M: Measure> Gaps for Spline<'_, M> {
    fn len(&self) -> usize {
        self.keys.times_secs.len()
    }

    fn between(&self, from: usize, to: usize, most: f64) -> Option<f64> {
        if to <= from + 1 {
            return Some(0.0);
        }
        let longer = Cubic::between(self.keys, from, to)?;
        self.over(from, to, most, |start, end| longer.points(start, end))
    }

    fn held(&self, from: usize, to: usize, value: usize, most: f64) -> Option<f64> {
        let held = self.keys.value(value)?;
        self.over(from, to, most, |_, _| std::array::from_fn(|_| held.clone()))
    }
}
