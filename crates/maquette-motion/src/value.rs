//! What a key holds, and how it goes from one to the next.

use maquette_scene::glam::{DQuat, DVec3};

/// The value of a key.
pub trait Value: Clone + PartialEq {
    /// On the way from one to another: straight, or along the shortest arc.
    fn between(&self, other: &Self, part: f64) -> Self;

    /// A sum of values with these factors, for splines.
    fn sum(parts: [(&Self, f64); 4]) -> Self;

    /// What a spline gives, as a value: of unit length where it must be.
    fn finished(self) -> Self;

    /// How far it is from another: a length, the angle of a turn in radians, or the largest difference of a weight.
    fn far_from(&self, other: &Self) -> f64;

    /// Whether it means the same as its negative, and is nearer to this one so.
    fn is_opposite(&self, _other: &Self) -> bool {
        false
    }

    /// So many times as much, for tangents.
    fn times(&self, factor: f64) -> Self {
        Self::sum([(self, factor), (self, 0.0), (self, 0.0), (self, 0.0)])
    }
}

impl Value for DVec3 {
    fn between(&self, other: &DVec3, part: f64) -> DVec3 {
        *self + (*other - *self) * part
    }

    fn sum(parts: [(&DVec3, f64); 4]) -> DVec3 {
        parts.iter().map(|(value, factor)| **value * *factor).sum()
    }

    fn finished(self) -> DVec3 {
        self
    }

    fn far_from(&self, other: &DVec3) -> f64 {
        (*self - *other).length()
    }
}

impl Value for DQuat {
    fn between(&self, other: &DQuat, part: f64) -> DQuat {
        slerp(*self, *other, part)
    }

    fn sum(parts: [(&DQuat, f64); 4]) -> DQuat {
        parts.iter().fold(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, (value, factor)| sum + **value * *factor)
    }

    fn finished(self) -> DQuat {
        unit(self)
    }

    fn is_opposite(&self, other: &DQuat) -> bool {
        self.dot(*other) < 0.0
    }

    fn far_from(&self, other: &DQuat) -> f64 {
        let (from, to) = (unit(*self), unit(*other));
        let (apart, together) = ((from - to).length(), (from + to).length());
        // A rotation and its negative turn alike.
        4.0 * apart.min(together).atan2(apart.max(together))
    }
}

impl Value for Vec<f64> {
    fn between(&self, other: &Vec<f64>, part: f64) -> Vec<f64> {
        self.iter().zip(other).map(|(from, to)| from + (to - from) * part).collect()
    }

    fn sum(parts: [(&Vec<f64>, f64); 4]) -> Vec<f64> {
        let [(first, _), ..] = parts;
        let of = |at: usize| parts.iter().map(|(value, factor)| value.get(at).copied().unwrap_or(0.0) * factor).sum();
        (0..first.len()).map(of).collect()
    }

    fn finished(self) -> Vec<f64> {
        self
    }

    fn far_from(&self, other: &Vec<f64>) -> f64 {
        self.iter().zip(other).map(|(from, to)| (from - to).abs()).fold(0.0, f64::max)
    }
}

/// The same direction with length 1; no turn at all where there is none.
fn unit(rotation: DQuat) -> DQuat {
    let length = rotation.length();
    if length > 0.0 && length.is_finite() { rotation * (1.0 / length) } else { DQuat::IDENTITY }
}

/// From one rotation to another along the shortest arc, at an even pace. At the ends it is what stands there.
pub fn slerp(from: DQuat, to: DQuat, part: f64) -> DQuat {
    if part <= 0.0 {
        return from;
    }
    let near = if from.dot(to) < 0.0 { -to } else { to };
    if part >= 1.0 {
        return to;
    }
    // The arc between them, exact for small and for large ones.
    let arc = 2.0 * (from - near).length().atan2((from + near).length());
    let (a, b) = match arc.sin() {
        sine if sine > 1e-9 => (((1.0 - part) * arc).sin() / sine, (part * arc).sin() / sine),
        _ => (1.0 - part, part),
    };
    unit(from * a + near * b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_as_far_as_its_angle() {
        for angle in [0.0, 1e-9, 0.3, 3.0] {
            let (from, to) = (DQuat::from_rotation_y(0.2), DQuat::from_rotation_y(0.2 + angle));
            for to in [to, -to] {
                assert!((from.far_from(&to) - angle).abs() < 1e-12, "{angle}: {}", from.far_from(&to));
            }
        }
    }

    #[test]
    fn an_arc_is_gone_along_evenly() {
        for angle in [1e-12, 1e-6, 0.1, 1.0, 3.0, std::f64::consts::PI] {
            let (from, to) = (DQuat::from_rotation_y(0.3), DQuat::from_rotation_y(0.3 + angle));
            for part in [0.0, 0.1, 0.5, 0.9, 1.0] {
                for to in [to, -to] {
                    let turned = slerp(from, to, part) * DVec3::X;
                    let wanted = DQuat::from_rotation_y(0.3 + angle * part) * DVec3::X;
                    assert!((turned - wanted).length() < 1e-12, "{angle} {part}: {turned} {wanted}");
                }
            }
        }
    }
}
