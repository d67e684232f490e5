//! Rotations as unit quaternions: what counts as one, and how any other becomes one.
//!
//! The specification asks for unit length, of nodes and of keys. A viewer that makes a matrix of another quaternion scales and skews
//! the node and everything below it; others normalise it first, as the reader and the writer do. A quaternion of length 0 becomes the
//! identity, which is also what the usual formula for the matrix makes of it.

use super::accessor::Elements;
use maquette_scene::loss::{LossKind, LossReport, Lost};

const IDENTITY: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// How far from 1 the length of a unit quaternion may be by the rounding of `f32`.
///
/// Normalised in single precision it is off by up to 5e-7, as seen in files of many exporters; six printed decimals, as `printf` gives
/// them, add up to 1e-6. The tolerance is ten times that. What people round by hand lies beyond it: 0.707 twice, for a quarter turn,
/// is off by 1.5e-4, which changes the size of what hangs on the node by 3e-4 [seen in TextureEncodingTest, SimpleSkin].
const TOLERANCE: f32 = 1e-5;

/// Whether a quaternion has unit length, up to the rounding of `f32`. False for what is not finite.
#[inline]
pub fn is_unit([x, y, z, w]: &[f32; 4]) -> bool {
    // To first order, the square is off by twice as much as the length.
    ((x * x + y * y + z * z + w * w) - 1.0).abs() <= 2.0 * TOLERANCE
}

/// Whether every quaternion has unit length, without a branch for each.
pub fn are_unit(quaternions: &[[f32; 4]]) -> bool {
    quaternions.iter().fold(true, |all, quaternion| all & is_unit(quaternion))
}

/// The length, in double precision: no square of an `f32` overflows or vanishes there.
pub fn length(quaternion: &[f32; 4]) -> f64 {
    quaternion.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt()
}

/// How far from 1 the length of a finite quaternion is; 0 where it [is unit](is_unit).
pub fn deviation(quaternion: &[f32; 4]) -> f32 {
    match is_unit(quaternion) {
        true => 0.0,
        false => ((length(quaternion) - 1.0).abs() as f32).min(f32::MAX),
    }
}

/// The deviation that storing a unit quaternion as normalised integers explains; 0 for floats.
///
/// Half a step in each of four components makes a whole step of length, which `(½, ½, ½, ½)` reaches: hence a little more.
pub fn quantisation(elements: &Elements<'_>) -> f32 {
    1.01 * elements.step()
}

/// The quaternion of unit length that rotates like this finite one, and how far from 1 the length was: 0 if nothing is changed.
pub fn unit(quaternion: [f32; 4]) -> ([f32; 4], f32) {
    let mut key = [quaternion];
    let deviation = normalise_key(&mut key);
    let [quaternion] = key;
    (quaternion, deviation)
}

/// Normalises a finite key: a quaternion, or one between its tangents, which are scaled along so that the curve keeps its shape. Returns
/// how far from 1 the length was: 0 if nothing is changed.
pub fn normalise_key(key: &mut [[f32; 4]]) -> f32 {
    let middle = key.len() / 2;
    let Some(value) = key.get(middle) else { return 0.0 };
    let (length, deviation) = (length(value), deviation(value));
    if deviation == 0.0 {
        return deviation;
    }
    if length > 0.0 {
        for value in key.iter_mut() {
            // A large tangent at a tiny quaternion stays finite.
            *value = value.map(|x| ((f64::from(x) / length) as f32).clamp(f32::MIN, f32::MAX));
        }
    } else {
        key.fill([0.0; 4]);
        key.get_mut(middle).into_iter().for_each(|value| *value = IDENTITY);
    }
    deviation
}

/// Quaternions that were normalised: how many, and how far from 1 a length was at most.
#[derive(Default)]
pub struct Normalised {
    pub count: u64,
    most: f32,
}

impl Normalised {
    /// Counts a quaternion by the deviation that [`unit`] or [`normalise_key`] gave.
    pub fn note(&mut self, deviation: f32) {
        self.count += 1;
        self.most = self.most.max(deviation);
    }

    pub fn report(self, losses: &mut LossReport, subject: impl Into<String>) {
        let detail = format!("quaternions off unit length by up to {} are normalised", self.most);
        let kind = LossKind::Approximated { max_error: self.most };
        losses.push(kind, Lost::RotationLengths, subject, detail, self.count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn normalised_in_single_precision(q: [f32; 4]) -> [f32; 4] {
        let length = q.iter().map(|x| x * x).sum::<f32>().sqrt();
        q.map(|x| x / length)
    }

    proptest! {
        #[test]
        fn the_rounding_of_f32_and_of_six_decimals_is_left_alone(q in prop::array::uniform4(-1.0f32..1.0)) {
            prop_assume!(length(&q) > 0.01);
            let stored = normalised_in_single_precision(q);
            prop_assert_eq!(unit(stored), (stored, 0.0));
            let printed = stored.map(|x| format!("{x:.6}").parse::<f32>().unwrap());
            prop_assert_eq!(unit(printed), (printed, 0.0));
        }

        #[test]
        fn whatever_is_normalised_is_unit_and_rotates_the_same_way(
            q in prop::array::uniform4(-1.0f32..1.0),
            scale in prop::sample::select(vec![1e-38f32, 1e-20, 0.999, 0.9999, 1.0001, 7.0, 1e20, 1e38]),
        ) {
            prop_assume!(length(&q) > 0.01);
            let scaled = normalised_in_single_precision(q).map(|x| x * scale);
            let (made, deviation) = unit(scaled);
            prop_assert!(is_unit(&made) && deviation > 0.0 && deviation.is_finite());
            prop_assert_eq!(unit(made), (made, 0.0));
            let along: f64 = made.iter().zip(scaled).map(|(a, b)| f64::from(*a) * f64::from(b)).sum();
            prop_assert!((along / length(&scaled) - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn three_decimals_are_not_the_rounding_of_f32() {
        let half = 0.5f32.sqrt();
        let ([x, y, z, w], deviation) = unit([0.707, 0.0, 0.0, 0.707]);
        assert_eq!([x, y, z, w], [half, 0.0, 0.0, half]);
        assert!((1.4e-4..1.6e-4).contains(&deviation), "{deviation}");
    }

    #[test]
    fn no_length_is_no_rotation() {
        assert_eq!(unit([0.0, -0.0, 0.0, 0.0]), (IDENTITY, 1.0));
        assert_eq!(unit([0.0, 0.0, 0.0, 1e-45]).0, IDENTITY);
        assert_eq!(unit([f32::MAX; 4]), ([0.5; 4], f32::MAX));
    }

    #[test]
    fn what_is_not_finite_is_not_unit() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(!is_unit(&[bad, 0.0, 0.0, 1.0]));
            assert!(!are_unit(&[IDENTITY, [0.0, 0.0, 0.0, bad], IDENTITY]));
        }
    }

    #[test]
    fn tangents_are_scaled_with_their_key() {
        let mut key = [[0.0, 4.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0], [-6.0, 0.0, 0.0, 0.0]];
        assert_eq!(normalise_key(&mut key), 1.0);
        assert_eq!(key, [[0.0, 2.0, 0.0, 0.0], IDENTITY, [-3.0, 0.0, 0.0, 0.0]]);
        let mut kept = [[9.0; 4], IDENTITY, [8.0; 4]];
        assert_eq!(normalise_key(&mut kept), 0.0);
        assert_eq!(kept, [[9.0; 4], IDENTITY, [8.0; 4]]);
        let mut nothing = [[9.0; 4], [0.0; 4], [8.0; 4]];
        assert_eq!(normalise_key(&mut nothing), 1.0);
        assert_eq!(nothing, [[0.0; 4], IDENTITY, [0.0; 4]]);
        let mut tiny = [[1e30, -1e30, 0.0, 0.0], [0.0, 0.0, 0.0, 1e-30], [0.0; 4]];
        normalise_key(&mut tiny);
        assert_eq!(tiny, [[f32::MAX, f32::MIN, 0.0, 0.0], IDENTITY, [0.0; 4]]);
    }
}
