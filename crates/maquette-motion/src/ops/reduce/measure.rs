//! How far values of a property are apart, in units, radians or parts of a size, and what is straight between two of them.

use crate::value::{Value, slerp};
use maquette_scene::glam::{DQuat, DVec3};

/// Quaternions farther apart than this, nearly a quarter of a circle, may have a shorter way.
const WIDEST_ARC: f64 = 1.5;

pub(super) trait Measure {
    type Value: Value;
    /// The way from a value to another, made ready.
    type Way;

    fn apart(&self, one: &Self::Value, other: &Self::Value) -> f64;

    /// How large a value is, as its type rounds it.
    fn size(&self, value: &Self::Value) -> f64;

    /// `None` where more than one way is as short.
    fn way(&self, from: &Self::Value, to: &Self::Value) -> Option<Self::Way>;

    /// A value a part of the way.
    fn on(&self, way: &Self::Way, part: f64) -> Self::Value;

    /// How far two straight ways are apart anywhere, from how long one is and how far their starts and ends are.
    fn swell(&self, _length: f64, start: f64, end: f64) -> f64 {
        start.max(end)
    }

    /// How far two splines are apart anywhere, from the points whose hulls they do not leave. What is of the first kind is a spline of the whole curve.
    fn splines_apart(&self, one: &[Self::Value; 4], other: &[Self::Value; 4]) -> f64 {
        one.iter().zip(other).map(|(one, other)| self.apart(one, other)).fold(0.0, f64::max)
    }
}

/// The length between them.
pub(super) struct Translations;

/// The axis along which they differ most: no point moves by a larger part of its distance.
pub(super) struct Scales;

macro_rules! straight_vectors {
    ($value:ty) => {
        type Value = $value;
        type Way = ($value, $value);

        fn way(&self, from: &$value, to: &$value) -> Option<($value, $value)> {
            Some((from.clone(), to.clone()))
        }

        fn on(&self, (from, to): &($value, $value), part: f64) -> $value {
            from.between(to, part)
        }
    };
}

impl Measure for Translations {
    straight_vectors!(DVec3);

    fn size(&self, value: &DVec3) -> f64 {
        value.abs().max_element()
    }

    fn apart(&self, one: &DVec3, other: &DVec3) -> f64 {
        one.distance(*other)
    }
}

impl Measure for Scales {
    straight_vectors!(DVec3);

    fn size(&self, value: &DVec3) -> f64 {
        value.abs().max_element()
    }

    fn apart(&self, one: &DVec3, other: &DVec3) -> f64 {
        (*one - *other).abs().max_element()
    }
}

/// What the weights move a vertex by, at most.
pub(super) struct Weights {
    /// How far each of them moves a vertex.
    pub moves: Vec<f64>,
}

impl Measure for Weights {
    straight_vectors!(Vec<f64>);

    fn size(&self, value: &Vec<f64>) -> f64 {
        value.iter().zip(&self.moves).map(|(weight, moves)| weight.abs() * moves).sum()
    }

    fn apart(&self, one: &Vec<f64>, other: &Vec<f64>) -> f64 {
        one.iter().zip(other).zip(&self.moves).map(|((one, other), moves)| (one - other).abs() * moves).sum()
    }
}

/// The angle between unit quaternions as rotations.
pub(super) struct Rotations;

pub(super) struct Arc {
    from: DQuat,
    /// On the same side.
    to: DQuat,
    arc: f64,
    sine: f64,
}

impl Measure for Rotations {
    type Value = DQuat;
    type Way = Arc;

    fn size(&self, _value: &DQuat) -> f64 {
        1.0
    }

    fn apart(&self, one: &DQuat, other: &DQuat) -> f64 {
        4.0 * (half_chord(*one, *other)).asin()
    }

    fn way(&self, from: &DQuat, to: &DQuat) -> Option<Arc> {
        let to = if from.dot(*to) < 0.0 { -*to } else { *to };
        let arc = 2.0 * half_chord(*from, to).asin();
        (arc < WIDEST_ARC).then(|| Arc { from: *from, to, arc, sine: arc.sin() })
    }

    fn on(&self, way: &Arc, part: f64) -> DQuat {
        match way {
            Arc { from, to, .. } if from == to => *from,
            Arc { sine, .. } if *sine <= 1e-9 => slerp(way.from, way.to, part),
            Arc { from, to, arc, sine } => {
                *from * (((1.0 - part) * arc).sin() / sine) + *to * ((part * arc).sin() / sine)
            }
        }
    }

    fn swell(&self, length: f64, start: f64, end: f64) -> f64 {
        let larger = start.max(end);
        if larger == 0.0 {
            return 0.0;
        }
        let half = (length + start + end) / 4.0;
        if half < WIDEST_ARC { (larger / half.cos()).min(std::f64::consts::PI) } else { std::f64::consts::PI }
    }

    /// Splines of quaternions are normalised: what is apart by so much turns by more where they are short.
    fn splines_apart(&self, one: &[DQuat; 4], other: &[DQuat; 4]) -> f64 {
        let apart = one.iter().zip(other).map(|(one, other)| (*one - *other).length()).fold(0.0, f64::max);
        if apart == 0.0 {
            return 0.0;
        }
        let [a, b, c, d] = *one;
        let along = a + b + c + d;
        let along = along * (1.0 / along.length());
        let shortest = one.iter().map(|point| point.dot(along)).fold(f64::INFINITY, f64::min);
        if apart < shortest { 2.0 * (apart / shortest).asin() } else { std::f64::consts::PI }
    }
}

/// Half of the chord between two unit quaternions, or one and the opposite of the other.
fn half_chord(one: DQuat, other: DQuat) -> f64 {
    let near = if one.dot(other) < 0.0 { one + other } else { one - other };
    (near.length() / 2.0).min(1.0)
}
