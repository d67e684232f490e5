//! Lengths in another unit.

use crate::{Curve, Did, Motion, Refusal, short};
use maquette_scene::glam::DVec3;

/// The largest number that any format holds with sense.
const LARGEST: f64 = 1e18;
/// The smallest that the largest translation of a clip may become.
const SMALLEST: f64 = 1e-30;

/// Multiplies every translation, tangents included, however it is blended. Rotations, scales and weights have no length.
pub fn scale(motion: &mut Motion, factor: f64) -> Result<Did, Refusal> {
    if !(factor.is_finite() && factor > 0.0) {
        return Err(Refusal(format!(
            "a factor must be above 0 and finite, and {factor} is not; 2.54 makes centimetres of inches"
        )));
    }
    let vectors = |curve: &Curve| match curve {
        Curve::Translation(keys) => keys.values.iter().map(|value| value.abs().max_element()).fold(0.0, f64::max),
        _ => 0.0,
    };
    let largest = motion.tracks.iter().map(|track| vectors(&track.curve)).fold(0.0, f64::max);
    if largest * factor > LARGEST {
        return Err(Refusal(format!(
            "a translation of {largest:e} times {factor:e} is beyond any format; take a smaller factor"
        )));
    }
    if largest > 0.0 && largest * factor < SMALLEST {
        return Err(Refusal(format!(
            "of translations up to {largest:e}, times {factor:e}, files hold nothing; take a larger factor"
        )));
    }
    let mut keys_scaled = 0;
    for track in &mut motion.tracks {
        if let Curve::Translation(keys) = &mut track.curve {
            let by = |value: &DVec3| *value * factor;
            keys.change(by, by);
            keys_scaled += keys.times_secs.len();
        }
    }
    let words = format!("has translations {} times as long", short(factor));
    Ok(Did::new(words).with("keys scaled", keys_scaled as f64, "").with("longest", largest * factor, "units"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpolation, Keys};
    use maquette_scene::glam::DQuat;

    #[test]
    fn factors_that_leave_nothing_are_refused() {
        let mut motion = Motion { duration_secs: 1.0, ..Motion::default() };
        motion.push("a", Curve::Translation(Keys::straight([(0.0, DVec3::X)])));
        assert!(scale(&mut motion.clone(), 1e-46).unwrap_err().0.contains("larger factor"));
        assert!(scale(&mut motion, 1e-20).is_ok());
    }

    #[test]
    fn translations_alone_are_scaled_and_their_tangents() {
        let spline = Keys {
            times_secs: vec![0.0],
            values: vec![DVec3::X, DVec3::Y, DVec3::Z],
            interpolation: Interpolation::CubicSpline,
        };
        let mut motion = Motion::default();
        motion.push("a", Curve::Translation(spline));
        motion.push("a", Curve::Scale(Keys::straight([(0.0, DVec3::ONE)])));
        motion.push("a", Curve::Rotation(Keys::straight([(0.0, DQuat::IDENTITY)])));
        let before = motion.clone();
        let did = scale(&mut motion, 2.54).unwrap();
        assert_eq!(did.words, "has translations 2.54 times as long");
        let Curve::Translation(keys) = &motion.tracks[0].curve else { panic!() };
        assert_eq!(keys.values, [DVec3::X * 2.54, DVec3::Y * 2.54, DVec3::Z * 2.54]);
        assert_eq!(motion.tracks[1..], before.tracks[1..]);
        let now = motion.clone();
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e19] {
            assert!(scale(&mut motion, factor).is_err(), "{factor}");
        }
        assert_eq!(motion, now);
    }
}
