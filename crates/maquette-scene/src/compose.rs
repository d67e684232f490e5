//! Values relative to a rest pose, made absolute. The one place that knows what each [`Blend`] means.
//!
//! Translations of every relative kind are added to the rest pose. Rotations of additive clips turn it further: the key first,
//! then the rest pose. Everything else replaces the rest pose, whatever the kind.

use crate::clip::{Blend, Curve, Interpolation};
use crate::scene::Trs;
use glam::{Quat, Vec3};

impl Blend {
    /// The translation that a value of this kind means.
    pub fn translation(self, rest: Vec3, value: Vec3) -> Vec3 {
        match self {
            Blend::Absolute => value,
            Blend::Relative | Blend::Additive | Blend::Delta => rest + value,
        }
    }

    /// The rotation that a value of this kind means.
    pub fn rotation(self, rest: Quat, value: Quat) -> Quat {
        match self {
            Blend::Additive => rest * value,
            Blend::Absolute | Blend::Relative | Blend::Delta => value,
        }
    }
}

/// Gives a curve of this kind the values that replace the rest pose.
pub fn make_absolute(curve: &mut Curve, blend: Blend, rest: &Trs) {
    match curve {
        Curve::Translation(keys) if blend != Blend::Absolute => {
            // Tangents of splines are differences, which a sum leaves as they are.
            let (first, step) = if keys.interpolation == Interpolation::CubicSpline { (1, 3) } else { (0, 1) };
            for value in keys.values.iter_mut().skip(first).step_by(step) {
                *value = blend.translation(rest.translation, Vec3::from(*value)).to_array();
            }
        }
        Curve::Rotation(keys) if blend == Blend::Additive => {
            // A product is linear in its factors, so it composes tangents as it does values.
            for value in &mut keys.values {
                *value = blend.rotation(rest.rotation, Quat::from_array(*value)).to_array();
            }
        }
        Curve::Translation(_) | Curve::Rotation(_) | Curve::Scale(_) | Curve::MorphWeights(_) => {}
    }
}

/// Gives an absolute curve the values that an additive one would have: [`make_absolute`] the other way round.
pub fn make_additive(curve: &mut Curve, rest: &Trs) {
    match curve {
        Curve::Translation(keys) => {
            let (first, step) = if keys.interpolation == Interpolation::CubicSpline { (1, 3) } else { (0, 1) };
            for value in keys.values.iter_mut().skip(first).step_by(step) {
                *value = (Vec3::from(*value) - rest.translation).to_array();
            }
        }
        Curve::Rotation(keys) => {
            for value in &mut keys.values {
                *value = (rest.rotation.conjugate() * Quat::from_array(*value)).to_array();
            }
        }
        Curve::Scale(_) | Curve::MorphWeights(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::Keys;
    use std::f32::consts::FRAC_PI_2;

    fn rest() -> Trs {
        Trs {
            translation: Vec3::new(1.0, 2.0, 3.0),
            rotation: Quat::from_rotation_z(FRAC_PI_2),
            scale: Vec3::splat(2.0),
        }
    }

    fn keys<T>(values: Vec<T>, interpolation: Interpolation) -> Keys<T> {
        let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        Keys { times_secs: (0..values.len() / each).map(|key| key as f32).collect(), values, interpolation }
    }

    #[test]
    fn translations_of_every_relative_kind_are_added() {
        for (blend, x) in [(Blend::Absolute, 5.0), (Blend::Relative, 6.0), (Blend::Additive, 6.0), (Blend::Delta, 6.0)]
        {
            let mut curve = Curve::Translation(keys(vec![[5.0, 0.0, 0.0]], Interpolation::Linear));
            make_absolute(&mut curve, blend, &rest());
            let Curve::Translation(keys) = curve else { unreachable!() };
            assert_eq!(keys.values[0][0], x, "{blend:?}");
        }
    }

    #[test]
    fn tangents_of_translations_stay_and_those_of_rotations_are_turned() {
        let spline = vec![[9.0; 3], [1.0; 3], [8.0; 3]];
        let mut curve = Curve::Translation(keys(spline, Interpolation::CubicSpline));
        make_absolute(&mut curve, Blend::Delta, &rest());
        let Curve::Translation(made) = curve else { unreachable!() };
        assert_eq!(made.values, [[9.0; 3], [2.0, 3.0, 4.0], [8.0; 3]]);
        let tangent = [0.0, 0.0, 0.5, 0.0];
        let mut curve = Curve::Rotation(keys(vec![tangent, [0.0, 0.0, 0.0, 1.0], tangent], Interpolation::CubicSpline));
        make_absolute(&mut curve, Blend::Additive, &rest());
        let Curve::Rotation(made) = curve else { unreachable!() };
        let turned = (rest().rotation * Quat::from_array(tangent)).to_array();
        assert_eq!(made.values, [turned, rest().rotation.to_array(), turned]);
    }

    #[test]
    fn the_key_of_an_additive_rotation_is_applied_before_the_rest_pose() {
        let key = Quat::from_rotation_x(FRAC_PI_2);
        let composed = Blend::Additive.rotation(rest().rotation, key);
        // X quarter-turn takes Y to Z, which the rest pose's quarter-turn about Z leaves alone.
        assert!((composed * Vec3::Y).abs_diff_eq(Vec3::Z, 1e-6));
        assert_eq!(Blend::Relative.rotation(rest().rotation, key), key);
    }

    #[test]
    fn what_is_composed_can_be_taken_apart() {
        let spline = vec![[9.0; 3], [1.0; 3], [8.0; 3]];
        let turn = Quat::from_rotation_x(0.4).to_array();
        for before in [
            Curve::Translation(keys(spline, Interpolation::CubicSpline)),
            Curve::Rotation(keys(vec![turn, turn], Interpolation::Linear)),
            Curve::Scale(keys(vec![[3.0; 3]], Interpolation::Linear)),
        ] {
            let mut curve = before.clone();
            make_absolute(&mut curve, Blend::Additive, &rest());
            make_additive(&mut curve, &rest());
            let values = |curve: &Curve| match curve {
                Curve::Translation(keys) | Curve::Scale(keys) => keys.values.concat(),
                Curve::Rotation(keys) => keys.values.concat(),
                Curve::MorphWeights(keys) => keys.values.concat(),
            };
            assert!(values(&curve).iter().zip(values(&before)).all(|(is, was)| (is - was).abs() < 1e-6), "{curve:?}");
        }
    }
}
