//! Keys as glTF takes them: unit quaternions, times from zero on.

use super::Tally;
use super::buffer::Kind;
use super::transforms::unit_quaternion;
use maquette_scene::clip::{Curve, Interpolation, Keys};
use maquette_scene::glam::Quat;

/// The keys of one channel.
#[derive(Debug, PartialEq)]
pub struct Sampled {
    /// When.
    pub times: Vec<f32>,
    /// What, number by number.
    pub values: Vec<f32>,
    /// What a value is.
    pub kind: Kind,
    /// How it goes from key to key.
    pub interpolation: Interpolation,
}

/// What was changed.
#[derive(Default)]
pub struct Changes {
    /// Quaternions that were not of unit length.
    pub turned: Tally,
    /// Splines of one key.
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
    let mut made = Vec::with_capacity(4 * keys.values.len());
    let each = if keys.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    for key in keys.values.chunks(each) {
        let middle = key.get(each / 2).copied().unwrap_or_default();
        let (unit, error) = unit_quaternion(middle);
        if error > 0.0 {
            changes.turned.note(error);
        }
        for (position, &value) in key.iter().enumerate() {
            made.extend(match (position == each / 2, error > 0.0) {
                (true, _) => unit,
                (false, false) => value,
                (false, true) => along(value, middle),
            });
        }
    }
    made
}

/// A tangent at a quaternion that has been brought to unit length: as much shorter as that.
fn along(tangent: [f32; 4], quaternion: [f32; 4]) -> [f32; 4] {
    let length = Quat::from_array(quaternion).length();
    if length > 0.0 { tangent.map(|x| x / length) } else { [0.0; 4] }
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
