//! Keys as glTF takes them: absolute values, unit quaternions, times from zero on.

use super::buffer::Kind;
use crate::gltf::rotation::{self, Normalised};
use maquette_scene::clip::{Blend, Curve, Interpolation, Keys};
use maquette_scene::glam::{Quat, Vec3};
use maquette_scene::scene::Trs;

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
    /// Keys whose values were composed with the rest pose.
    pub composed: u64,
    /// Quaternions that were not of unit length.
    pub normalised: Normalised,
    /// Splines of a single key.
    pub lonely: u64,
}

/// The keys of a curve. `rest` is the transform of its node; times become later by `shift_secs`.
pub fn sampled(curve: &Curve, blend: Blend, rest: &Trs, shift_secs: f64, changes: &mut Changes) -> Sampled {
    let times = shifted(curve.times_secs(), shift_secs);
    let interpolation = curve.interpolation();
    let lonely = interpolation == Interpolation::CubicSpline && times.len() == 1;
    changes.lonely += u64::from(lonely);
    let (kind, mut values) = match curve {
        Curve::Translation(keys) => (Kind::Vec3, translations(keys, blend, rest, changes)),
        Curve::Rotation(keys) => (Kind::Vec4, rotations(keys, blend, rest, changes)),
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

/// Whether the value at this position is a key itself, and not a tangent.
fn is_key<T>(keys: &Keys<T>, position: usize) -> bool {
    keys.interpolation != Interpolation::CubicSpline || position % 3 == 1
}

fn translations(keys: &Keys<[f32; 3]>, blend: Blend, rest: &Trs, changes: &mut Changes) -> Vec<f32> {
    if blend == Blend::Absolute {
        return keys.values.as_flattened().to_vec();
    }
    changes.composed += keys.times_secs.len() as u64;
    let composed = keys.values.iter().enumerate().map(|(position, &value)| match is_key(keys, position) {
        true => rest.translation + Vec3::from(value),
        false => Vec3::from(value),
    });
    composed.flat_map(|value| value.to_array()).collect()
}

fn rotations(keys: &Keys<[f32; 4]>, blend: Blend, rest: &Trs, changes: &mut Changes) -> Vec<f32> {
    let rest = Quat::from_array(rotation::unit(rest.rotation.to_array()).0);
    let additive = blend == Blend::Additive;
    if additive {
        changes.composed += keys.times_secs.len() as u64;
    }
    // Products with a quaternion are linear, so tangents are composed just as values are.
    let compose = |value: [f32; 4]| if additive { (rest * Quat::from_array(value)).to_array() } else { value };
    let mut made: Vec<[f32; 4]> = keys.values.iter().copied().map(compose).collect();
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
        let rest = Trs { translation: Vec3::ONE, ..Trs::IDENTITY };
        let mut changes = Changes::default();
        let made = sampled(&Curve::Translation(keys), Blend::Relative, &rest, 0.0, &mut changes);
        let expected = Sampled {
            times: vec![0.5],
            values: vec![2.0, 3.0, 4.0],
            kind: Kind::Vec3,
            interpolation: Interpolation::Linear,
        };
        assert_eq!(made, expected);
        assert_eq!((changes.lonely, changes.composed), (1, 1));
    }
}
