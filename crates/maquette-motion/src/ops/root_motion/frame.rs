//! The space that a bone moves in, seen from the whole.

use crate::blending::change;
use crate::ops::follow::is_still;
use crate::{Blend, Curve, Motion, Placed, Refusal, Rig, Trs, listed};
use maquette_scene::glam::{DMat3, DMat4, DQuat, DVec3};
use std::collections::HashMap;

/// From the space of a parent to that of the whole: turned, moved, and of another size, alike along all axes.
pub(super) struct Frame {
    pub linear: DMat3,
    pub inverse: DMat3,
    origin: DVec3,
}

impl Frame {
    /// Of what is above a joint, as it is at the start of the clip; a bone that is passed over is at rest.
    pub fn above(
        motion: &Motion,
        placed: &Placed,
        rig: Option<&Rig>,
        joint: Option<usize>,
        passed_over: Option<usize>,
    ) -> Result<Frame, Refusal> {
        let (Some(rig), Some(joint)) = (rig, joint) else {
            return Ok(Frame { linear: DMat3::IDENTITY, inverse: DMat3::IDENTITY, origin: DVec3::ZERO });
        };
        let mut above: HashMap<usize, Trs> = HashMap::new();
        let mut chain = Vec::new();
        let mut next = rig.joints.get(joint).and_then(|joint| joint.parent);
        while let Some(at) = next {
            let Some(parent) = rig.joints.get(at) else { break };
            chain.push(at);
            above.insert(at, parent.rest);
            next = parent.parent;
        }
        let mut moving = Vec::new();
        for track in motion.tracks.iter().filter(|track| Some(track.bone) != passed_over && !track.curve.is_empty()) {
            let Some(at) = placed.joints.get(track.bone).copied().flatten() else { continue };
            let Some(there) = above.get_mut(&at) else { continue };
            if !is_still(&track.curve) {
                moving.extend(motion.bone(track).map(|bone| bone.name.clone()));
                continue;
            }
            let mut curve = track.curve.clone();
            change(&mut curve, placed.blend(track.bone), Blend::Absolute, &there.clone());
            match curve {
                Curve::Translation(keys) => there.translation = keys.at(0.0).unwrap_or(there.translation),
                Curve::Rotation(keys) => there.rotation = keys.at(0.0).unwrap_or(there.rotation),
                Curve::Scale(keys) => there.scale = keys.at(0.0).unwrap_or(there.scale),
                Curve::MorphWeights(_) => {}
            }
        }
        moving.dedup();
        if !moving.is_empty() {
            return Err(Refusal(format!(
                "{} above the root move as well; name the topmost of them with --root",
                listed(&moving)
            )));
        }
        let world = chain
            .iter()
            .rev()
            .filter_map(|at| above.get(at))
            .fold(DMat4::IDENTITY, |world, local| world * local.matrix());
        let linear = DMat3::from_mat4(world);
        let sizes = [linear.x_axis, linear.y_axis, linear.z_axis].map(DVec3::length);
        let largest = sizes.into_iter().fold(0.0, f64::max);
        let even = |a: DVec3, b: DVec3| a.dot(b).abs() <= 1e-4 * largest * largest;
        let is_even = sizes.iter().all(|size| (size - largest).abs() <= 1e-4 * largest)
            && even(linear.x_axis, linear.y_axis)
            && even(linear.y_axis, linear.z_axis)
            && even(linear.z_axis, linear.x_axis);
        if !(largest > 0.0 && largest.is_finite() && is_even) {
            return Err(Refusal(
                "what is above the root stretches it unevenly, so that no motion can be taken out of it or put into it"
                    .into(),
            ));
        }
        Ok(Frame { linear, inverse: linear.inverse(), origin: world.w_axis.truncate() })
    }

    pub fn to_world(&self, place: DVec3) -> DVec3 {
        self.linear * place + self.origin
    }

    pub fn to_local(&self, place: DVec3) -> DVec3 {
        self.inverse * (place - self.origin)
    }

    /// A rotation of the whole as one of this space.
    pub fn turn_to_local(&self, turn: DQuat) -> DQuat {
        self.turned(self.inverse, turn)
    }

    pub fn turn_to_world(&self, turn: DQuat) -> DQuat {
        self.turned(self.linear, turn)
    }

    /// The axis is turned as directions are, and the other way where space is mirrored.
    fn turned(&self, by: DMat3, turn: DQuat) -> DQuat {
        let axis = by * turn.xyz();
        let length = axis.length();
        let axis = if length > 0.0 { axis * (turn.xyz().length() / length) } else { axis };
        DQuat::from_vec4((axis * self.linear.determinant().signum()).extend(turn.w))
    }
}
