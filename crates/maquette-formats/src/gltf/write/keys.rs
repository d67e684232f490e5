//! Keys as glTF takes them: unit quaternions, times from zero on.

use super::buffer::Kind;
use crate::gltf::rotation::{self, Normalised};
use maquette_scene::clip::{Curve, Interpolation, Keys};

/// The keys of one channel.
#[derive(Debug, PartialEq)]
pub struct Sampled {
    /// In seconds.
    pub times: Vec<f32>,
    /// Component by component.
    pub values: Vec<f32>,
    /// The `type` of a value.
    pub kind: Kind,
    /// Between the keys.
    pub interpolation: Interpolation,
}

/// What was changed.
#[derive(Default)]
pub struct Changes {
    /// Quaternions that were not of unit length.
    pub normalised: Normalised,
    /// Splines of a single key.
    pub lonely: u64,
}

/// The keys of a curve; times become later by `shift_secs`.
pub fn sampled(curve: &Curve, shift_secs: f64, changes: &mut Changes) -> Sampled {
    let times = shifted(curve.times_secs(), shift_secs);
    let interpolation = curve.interpolation();
    let lonely = interpolation == Interpolation::CubicSpline && times.len() == 1;
    changes.lonely += u64::from(lonely);
    let (kind, mut values) = match curve {
        Curve::Translation(keys) => (Kind::Vec3, keys.values.as_flattened().to_vec()),
        Curve::Rotation(keys) => (Kind::Vec4, rotations(keys, changes)),
        Curve::Scale(keys) => (Kind::Vec3, keys.values.as_flattened().to_vec()),
        Curve::MorphWeights(keys) => (Kind::Scalar, keys.values.concat()),
    };
    if !lonely {
        return Sampled { times, values, kind, interpolation };
    }
    // glTF asks splines for two keys; one alone is a constant, and its tangents say nothing.
    let each = values.len() / 3;
    values.drain(..each);
    values.truncate(each);
    Sampled { times, values, kind, interpolation: Interpolation::Linear }
}

/// Later times, still rising where rounding would make two of them equal.
fn shifted(times: &[f32], shift_secs: f64) -> Vec<f32> {
    let mut shifted: Vec<f32> = Vec::with_capacity(times.len());
    for &time in times {
        let later = (f64::from(time) + shift_secs) as f32;
        shifted.push(shifted.last().map_or(later, |before| later.max(before.next_up())));
    }
    shifted
}

fn rotations(keys: &Keys<[f32; 4]>, changes: &mut Changes) -> Vec<f32> {
    let mut made = keys.values.clone();
    let each = if keys.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    for key in made.chunks_mut(each) {
        let deviation = rotation::normalise_key(key);
        if deviation > 0.0 {
            changes.normalised.note(deviation);
        }
    }
    made.into_flattened()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifted_times_keep_rising() {
        assert_eq!(shifted(&[-1.0, 0.5], 1.0), [0.0, 1.5]);
        let close = shifted(&[1e-9, 2e-9], 1.0);
        assert!(close[0] < close[1]);
    }

    #[test]
    fn a_spline_of_one_key_is_a_constant() {
        let keys = Keys {
            times_secs: vec![0.5],
            values: vec![[9.0; 3], [1.0, 2.0, 3.0], [8.0; 3]],
            interpolation: Interpolation::CubicSpline,
        };
        let mut changes = Changes::default();
        let made = sampled(&Curve::Translation(keys), 0.0, &mut changes);
        let expected = Sampled {
            times: vec![0.5],
            values: vec![1.0, 2.0, 3.0],
            kind: Kind::Vec3,
            interpolation: Interpolation::Linear,
        };
        assert_eq!(made, expected);
        assert_eq!(changes.lonely, 1);
    }
}
