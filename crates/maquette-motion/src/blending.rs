//! The same values meant in another way: absolute, or relative to a rest pose. What each [`Blend`] means is told in [`maquette_scene::compose`].

use crate::curve::Curve;
use crate::rig::Trs;
use maquette_scene::clip::Blend;

/// Whether a curve of this property means the same in both ways.
pub fn is_same(curve: &Curve, from: Blend, to: Blend) -> bool {
    match curve {
        Curve::Translation(_) => (from == Blend::Absolute) == (to == Blend::Absolute),
        Curve::Rotation(_) => (from == Blend::Additive) == (to == Blend::Additive),
        Curve::Scale(_) | Curve::MorphWeights(_) => true,
    }
}

/// Gives a curve that is meant in one way the values it has in another.
pub fn change(curve: &mut Curve, from: Blend, to: Blend, rest: &Trs) {
    if is_same(curve, from, to) {
        return;
    }
    match curve {
        Curve::Translation(keys) => {
            let moved = if to == Blend::Absolute { rest.translation } else { -rest.translation };
            keys.change(|value| *value + moved, |tangent| *tangent);
        }
        Curve::Rotation(keys) => {
            let turn = if from == Blend::Additive { rest.rotation } else { rest.rotation.conjugate() };
            // A product is linear in its factors, so tangents are turned as values are.
            keys.change(|value| turn * *value, |tangent| turn * *tangent);
        }
        Curve::Scale(_) | Curve::MorphWeights(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Keys;
    use maquette_scene::clip::Interpolation;
    use maquette_scene::glam::{DQuat, DVec3};

    #[test]
    fn every_way_and_back() {
        let rest =
            Trs { translation: DVec3::new(1.0, 2.0, 3.0), rotation: DQuat::from_rotation_z(1.0), scale: DVec3::ONE };
        let values = [0.1, 0.2, 0.3].map(DVec3::splat).into();
        let spline = Keys { times_secs: vec![0.0], values, interpolation: Interpolation::CubicSpline };
        let turn = DQuat::from_rotation_x(0.5);
        let all = [Blend::Absolute, Blend::Relative, Blend::Additive, Blend::Delta];
        for (from, to) in all.iter().flat_map(|from| all.map(|to| (*from, to))) {
            let (mut moved, mut turned) =
                (Curve::Translation(spline.clone()), Curve::Rotation(Keys::straight([(0.0, turn)])));
            change(&mut moved, from, to, &rest);
            change(&mut turned, from, to, &rest);
            let (Curve::Translation(there), Curve::Rotation(turns)) = (&moved, &turned) else { panic!() };
            let absolute = |blend: Blend, value: DVec3| match blend {
                Blend::Absolute => value,
                _ => rest.translation + value,
            };
            assert!((absolute(from, DVec3::splat(0.2)) - absolute(to, there.values[1])).length() < 1e-15);
            assert_eq!((there.values[0], there.values[2]), (DVec3::splat(0.1), DVec3::splat(0.3)), "tangents");
            let absolute =
                |blend: Blend, value: DQuat| if blend == Blend::Additive { rest.rotation * value } else { value };
            assert!((absolute(from, turn) - absolute(to, turns.values[0])).length() < 1e-15, "{from:?} {to:?}");
        }
    }
}
