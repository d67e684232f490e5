//! What is straight for vectors and for rotations, and how far a Hermite spline is from it.
//!
//! A cubic is off the line between its ends by what its second derivative there makes of it, which is exact and takes no looking about.
//! Rotations are splines of quaternions that are normalised, and straight is the shortest arc: what points along a quaternion turns
//! nothing, so only what is across it counts.

use std::f64::consts::PI;

/// How far a cubic is off the line between its ends, at most, for each unit of its second derivative at the end where that is larger, ..
const MORE_BENT: f64 = 0.0642;
/// .. and at the other end. Both are an eighth, as for a parabola.
const LESS_BENT: f64 = 0.0608;
/// How far a line between unit quaternions, normalised, is from the arc between them at the same moment, at most, for each cube of the tangent of half their angle.
const LINE_FROM_ARC: f64 = 0.1285;
/// Quaternions farther apart than this, nearly a quarter of a circle, may have a shorter way.
const WIDEST_ARC: f64 = 1.5;
/// What rounding to singles changes, as a part of the value.
const ROUNDED: f64 = 1.0 / 16_777_216.0;

/// Values of a property: what is straight between two of them, and how far that is from others. Unless said otherwise they are vectors.
pub trait Space<const N: usize> {
    /// How far a difference of this much can take what is carried.
    fn size(difference: [f64; N]) -> f64;

    /// What a stored value stands for.
    fn value(stored: [f64; N]) -> [f64; N] {
        stored
    }

    /// Straight from one value to another, a part of the way.
    fn between(from: [f64; N], to: [f64; N], part: f64) -> [f64; N] {
        plus(times(from, 1.0 - part), times(to, part))
    }

    /// How far two straight ways are apart, at most, from their starts and ends.
    fn ways_apart([a, b]: [[f64; N]; 2], [c, d]: [[f64; N]; 2]) -> f64 {
        Self::size(minus(a, c)).max(Self::size(minus(b, d)))
    }

    /// How far a part of a span is from the straight way between the ends of that part, at most.
    fn bend(span: &Span<N>, from: f64, to: f64) -> f64 {
        sag(span.bends(from, to).map(Self::size))
    }

    /// How far rounding to singles takes a value of a span, at most.
    fn rounding(span: &Span<N>) -> f64 {
        ROUNDED * span.hull().map(Self::size).into_iter().fold(0.0, f64::max)
    }
}

/// A Hermite spline between two keys; its time goes from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span<const N: usize> {
    /// The values at both ends.
    pub ends: [[f64; N]; 2],
    /// The tangents at both ends, over the whole span.
    pub tangents: [[f64; N]; 2],
}

impl<const N: usize> Span<N> {
    /// The value at a moment.
    pub fn at(&self, t: f64) -> [f64; N] {
        let (t2, t3) = (t * t, t * t * t);
        self.mixed([2.0 * t3 - 3.0 * t2 + 1.0, 3.0 * t2 - 2.0 * t3, t3 - 2.0 * t2 + t, t3 - t2])
    }

    /// The second derivative at a moment.
    fn second(&self, t: f64) -> [f64; N] {
        self.mixed([12.0 * t - 6.0, 6.0 - 12.0 * t, 6.0 * t - 4.0, 6.0 * t - 2.0])
    }

    fn mixed(&self, [from, to, leaving, arriving]: [f64; 4]) -> [f64; N] {
        let [start, end] = self.ends;
        let [out, into] = self.tangents;
        let sum = plus(times(start, from), times(end, to));
        plus(sum, plus(times(out, leaving), times(into, arriving)))
    }

    /// Four points whose hull the span does not leave.
    pub fn hull(&self) -> [[f64; N]; 4] {
        let [start, end] = self.ends;
        let [out, into] = self.tangents;
        [start, plus(start, times(out, 1.0 / 3.0)), plus(end, times(into, -1.0 / 3.0)), end]
    }

    /// The second derivatives at the ends of a part, as if it were a whole span.
    fn bends(&self, from: f64, to: f64) -> [[f64; N]; 2] {
        [from, to].map(|t| times(self.second(t), (to - from) * (to - from)))
    }
}

/// How far a cubic is off the line between its ends, at most, from the lengths of its second derivatives there.
fn sag([one, other]: [f64; 2]) -> f64 {
    MORE_BENT * one.max(other) + LESS_BENT * one.min(other)
}

/// Translations, apart by the length between them.
pub struct Translations;

impl Space<3> for Translations {
    fn size(difference: [f64; 3]) -> f64 {
        length(difference)
    }
}

/// Scales, apart by the axis along which they differ most: no point moves by a larger part of its distance.
pub struct Scales;

impl Space<3> for Scales {
    fn size(difference: [f64; 3]) -> f64 {
        difference.into_iter().map(f64::abs).fold(0.0, f64::max)
    }
}

/// Rotations, apart by the angle between them.
pub struct Rotations;

impl Space<4> for Rotations {
    fn size(difference: [f64; 4]) -> f64 {
        length(difference)
    }

    fn value(stored: [f64; 4]) -> [f64; 4] {
        let size = length(stored);
        if size > 0.0 { times(stored, 1.0 / size) } else { [0.0, 0.0, 0.0, 1.0] }
    }

    fn between(from: [f64; 4], to: [f64; 4], part: f64) -> [f64; 4] {
        let to = beside(from, to);
        let arc = arc(from, to);
        let sine = arc.sin();
        match sine > 1e-9 {
            true => plus(times(from, ((1.0 - part) * arc).sin() / sine), times(to, (part * arc).sin() / sine)),
            false => Self::value(plus(times(from, 1.0 - part), times(to, part))),
        }
    }

    /// Arcs on a sphere are farther apart between their ends than there, where they are long.
    fn ways_apart([a, b]: [[f64; 4]; 2], [c, d]: [[f64; 4]; 2]) -> f64 {
        let (b, c) = (beside(a, b), beside(a, c));
        let d = beside(c, d);
        let [start, end] = [arc(a, c), arc(b, d)];
        let half = (arc(a, b) + start + end) / 2.0;
        match half < WIDEST_ARC {
            true => (2.0 * start.max(end) / half.cos()).min(PI),
            false => PI,
        }
    }

    fn bend(span: &Span<4>, from: f64, to: f64) -> f64 {
        let ends = [from, to].map(|t| span.at(t));
        let [start, end] = ends.map(length);
        let [first, last] = ends.map(Self::value);
        let (arc, bends) = (arc(first, last), span.bends(from, to));
        // The line between the ends is no nearer to 0 than this, and the spline no farther from it than that.
        let nearest = start.min(end) * (arc / 2.0).cos() - sag(bends.map(length));
        if arc > WIDEST_ARC || nearest <= 0.0 {
            return PI;
        }
        let off_the_arc = sag(bends.map(|bend| across(bend, first, last))) / nearest;
        if off_the_arc >= 1.0 {
            return PI;
        }
        // Along the arc, the line lags behind where one end is longer, and where the arc is long.
        let lag = (start.sqrt() - end.sqrt()).abs() / (start.sqrt() + end.sqrt());
        let half = (arc / 2.0).tan();
        (2.0 * (off_the_arc.asin() + 2.0 * half * lag + LINE_FROM_ARC * half * half * half)).min(PI)
    }

    fn rounding(_: &Span<4>) -> f64 {
        // Each of four numbers is off by half its last bit, and the angle is twice that of the quaternions; a little more between two such keys.
        2.2 * ROUNDED
    }
}

/// How much of a vector is across all directions of an arc, at most.
fn across(vector: [f64; 4], first: [f64; 4], last: [f64; 4]) -> f64 {
    let [along_first, along_last] = [first, last].map(|direction| dot(vector, direction));
    // What is along rises and falls once; where it does not change its sign, it is least at an end.
    if along_first * along_last <= 0.0 {
        return length(vector);
    }
    let rest = |direction, along| length(minus(vector, times(direction, along)));
    rest(first, along_first).max(rest(last, along_last))
}

/// The angle between unit quaternions as vectors: half of that between the rotations.
fn arc(from: [f64; 4], to: [f64; 4]) -> f64 {
    2.0 * length(minus(from, to)).atan2(length(plus(from, to)))
}

/// The quaternion of the same rotation that is nearer.
fn beside(from: [f64; 4], to: [f64; 4]) -> [f64; 4] {
    if dot(from, to) < 0.0 { times(to, -1.0) } else { to }
}

fn plus<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
    let mut sum = a;
    sum.iter_mut().zip(b).for_each(|(sum, b)| *sum += b);
    sum
}

fn minus<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
    plus(a, times(b, -1.0))
}

fn times<const N: usize>(a: [f64; N], factor: f64) -> [f64; N] {
    a.map(|a| a * factor)
}

fn dot<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length<const N: usize>(a: [f64; N]) -> f64 {
    dot(a, a).sqrt()
}
