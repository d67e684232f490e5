//! The pose that skins were made for, which is like in a mirror far more often than the rest pose is: many files rest in a frame of some clip.

use crate::rig::Rig;
use crate::value::Value;
use maquette_scene::Scene;
use maquette_scene::glam::{DMat4, DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_8, PI};

/// How the axes of each joint lie in the space of the whole, and where it is in that of its parent.
pub(crate) struct BindPose {
    pub rotations: Vec<DQuat>,
    pub translations: Vec<DVec3>,
}

/// Joint space to the space of the whole as skins have it, but for size and place; `None` for joints of no skin.
pub(crate) fn of_skins(scene: &Scene, rig: &Rig) -> Vec<Option<DMat4>> {
    let mut bound = vec![None; rig.joints.len()];
    let rest: Vec<_> = rig.joints.iter().map(|joint| joint.rest).collect();
    let rest = if scene.skins.is_empty() { Vec::new() } else { rig.world(&rest) };
    for skin in scene.skins.iter() {
        let from_mesh = skin.joint_from_mesh.iter().map(|matrix| matrix.as_dmat4());
        let joints: Vec<(usize, DMat4)> = skin.joints.iter().map(|joint| joint.index()).zip(from_mesh).collect();
        let is_sound = |matrix: &DMat4| matrix.is_finite() && matrix.determinant().abs() > 1e-30;
        // Where the mesh is at rest, most joints agree on.
        let turned = joints.iter().filter_map(|(joint, from_mesh)| {
            let at_rest = *rest.get(*joint)? * *from_mesh;
            is_sound(&at_rest).then(|| at_rest.to_scale_rotation_translation().1)
        });
        let mesh = DMat4::from_quat(squared(mean(turned)));
        for (joint, from_mesh) in joints.iter().filter(|(_, matrix)| is_sound(matrix)) {
            let place = bound.get_mut(*joint).filter(|place| place.is_none());
            place.into_iter().for_each(|place| *place = Some(mesh * from_mesh.inverse()));
        }
    }
    bound
}

/// The bind pose, and the rest pose of what no skin holds on to.
pub(crate) fn pose(rig: &Rig, bound: &[Option<DMat4>]) -> BindPose {
    let bound = |joint: usize| bound.get(joint).copied().flatten();
    let mut pose = BindPose {
        rotations: vec![DQuat::IDENTITY; rig.joints.len()],
        translations: rig.joints.iter().map(|joint| joint.rest.translation).collect(),
    };
    for &index in rig.parents_first() {
        let Some(joint) = rig.joints.get(index) else { continue };
        let above = joint.parent.and_then(|parent| pose.rotations.get(parent)).copied().unwrap_or(DQuat::IDENTITY);
        let rotation = match bound(index) {
            Some(matrix) => matrix.to_scale_rotation_translation().1,
            None => above * joint.rest.rotation,
        };
        pose.rotations.get_mut(index).into_iter().for_each(|place| *place = rotation.finished());
        if let (Some(matrix), Some(parent)) = (bound(index), joint.parent.and_then(bound)) {
            let local = (parent.inverse() * matrix).w_axis.truncate();
            pose.translations.get_mut(index).into_iter().for_each(|place| *place = local);
        }
    }
    pose
}

/// The rotation in the middle of these.
fn mean(rotations: impl Iterator<Item = DQuat>) -> DQuat {
    let nothing = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let sum = rotations.fold(nothing, |sum, next| if sum.dot(next) < 0.0 { sum - next } else { sum + next });
    sum.finished()
}

/// The nearest rotation by quarter turns, if it is near: axes are changed by these, and the rest is of a pose.
fn squared(rotation: DQuat) -> DQuat {
    let turns = [0.0, FRAC_PI_2, PI, -FRAC_PI_2];
    let faces =
        turns.into_iter().map(DQuat::from_rotation_y).chain([FRAC_PI_2, -FRAC_PI_2].map(DQuat::from_rotation_x));
    let all = faces.flat_map(|face| turns.map(|turn| face * DQuat::from_rotation_z(turn)));
    let nearest = all.min_by(|a, b| rotation.far_from(a).total_cmp(&rotation.far_from(b)));
    nearest.filter(|nearest| rotation.far_from(nearest) < FRAC_PI_8).unwrap_or(rotation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turns_are_found_again() {
        let z_up = DQuat::from_rotation_x(-FRAC_PI_2);
        let slightly_off = z_up * DQuat::from_rotation_y(0.2);
        assert!(squared(slightly_off).far_from(&z_up) < 1e-9);
        let aslant = DQuat::from_rotation_y(0.7);
        assert_eq!(squared(aslant), aslant);
        let poses = [DQuat::from_rotation_y(0.5), -DQuat::from_rotation_y(-0.5)];
        assert!(mean(poses.into_iter()).far_from(&DQuat::IDENTITY) < 1e-9);
        assert_eq!(mean(std::iter::empty()), DQuat::IDENTITY);
    }
}
