//! The creature at a moment, and legs that reach for where their feet are to be.

use super::maths::turn;
use super::skeleton::Joint;
use maquette_scene::glam::{DMat3, DQuat, DVec3};

/// The chain of a leg: upper part, lower part, foot.
pub const LEGS: [[Joint; 3]; 4] = [
    [Joint::UpperArmL, Joint::LowerArmL, Joint::HandL],
    [Joint::UpperArmR, Joint::LowerArmR, Joint::HandR],
    [Joint::UpperLegL, Joint::LowerLegL, Joint::FootL],
    [Joint::UpperLegR, Joint::LowerLegR, Joint::FootR],
];

/// How every joint is turned against its parent, and how far the root and the hips are from where they rest.
#[derive(Clone)]
pub struct Pose {
    rotations: [DQuat; Joint::ALL.len()],
    pub root: DVec3,
    pub hips: DVec3,
    pub blink: f64,
    pub breath: f64,
}

impl Default for Pose {
    fn default() -> Pose {
        let rotations = [DQuat::IDENTITY; Joint::ALL.len()];
        Pose { rotations, root: DVec3::ZERO, hips: DVec3::ZERO, blink: 0.0, breath: 0.0 }
    }
}

impl Pose {
    pub fn rotation(&self, joint: Joint) -> DQuat {
        self.rotations.get(joint as usize).copied().unwrap_or_default()
    }

    /// Turns a joint further, in degrees about an axis of its parent.
    pub fn turn(&mut self, joint: Joint, axis: DVec3, degrees: f64) {
        self.set(joint, turn(axis, degrees) * self.rotation(joint));
    }

    fn set(&mut self, joint: Joint, rotation: DQuat) {
        if let Some(there) = self.rotations.get_mut(joint as usize) {
            *there = rotation.normalize();
        }
    }

    /// Where a joint is and how it is turned, in the space of the model.
    pub fn placed(&self, joint: Joint) -> (DVec3, DQuat) {
        if joint == Joint::Root {
            return (self.root, self.rotation(joint));
        }
        let (place, turned) = self.placed(joint.parent());
        let moved = if joint == Joint::Hips { self.hips } else { DVec3::ZERO };
        let offset = joint.place() - joint.parent().place() + moved;
        (place + turned * offset, turned * self.rotation(joint))
    }

    /// Turns a leg so that its foot is here, or as near as it can be, and as flat as at rest but for this turn.
    pub fn reach(&mut self, [upper, lower, foot]: [Joint; 3], target: DVec3, foot_turn: DQuat) {
        let rest = [upper, lower, foot].map(Joint::place);
        let (shoulder, body) = (self.placed(upper).0, self.placed(upper.parent()).1);
        let [thigh, shin] = [rest[0].distance(rest[1]), rest[1].distance(rest[2])];
        let away = target - shoulder;
        let far = away.length().clamp((thigh - shin).abs() + 1e-3, (thigh + shin) * 0.998);
        let ahead = away.normalize_or(DVec3::NEG_Y);
        // The knee stays on the side where it is at rest.
        let side = body * (rest[1] - rest[0]);
        let side = (side - ahead * side.dot(ahead)).normalize_or(DVec3::Y);
        let along = (thigh * thigh - shin * shin + far * far) / (2.0 * far);
        let out = libm::sqrt((thigh * thigh - along * along).max(0.0));
        let knee = shoulder + ahead * along + side * out;
        let foot_at = shoulder + ahead * far;
        let upper_turn = between([rest[1] - rest[0], rest[2] - rest[1]], [knee - shoulder, foot_at - knee]);
        let lower_turn = between([rest[2] - rest[1], rest[1] - rest[0]], [foot_at - knee, knee - shoulder]);
        self.set(upper, body.conjugate() * upper_turn);
        self.set(lower, upper_turn.conjugate() * lower_turn);
        self.set(foot, lower_turn.conjugate() * foot_turn);
    }
}

/// The turn that takes one direction to another, and the plane of both pairs with it.
fn between(from: [DVec3; 2], to: [DVec3; 2]) -> DQuat {
    let frame = |[first, second]: [DVec3; 2]| {
        let (x, z) = (first.normalize_or(DVec3::X), first.cross(second).normalize_or(DVec3::Z));
        DMat3::from_cols(x, z.cross(x), z)
    };
    DQuat::from_mat3(&(frame(to) * frame(from).transpose()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legs_reach_what_they_can_and_stay_at_rest_where_they_rest() {
        for leg in LEGS {
            let foot = leg[2].place();
            let mut pose = Pose::default();
            pose.turn(Joint::Hips, DVec3::Y, 6.0);
            pose.reach(leg, foot + DVec3::new(0.0, 0.02, -0.03), DQuat::IDENTITY);
            let (there, turned) = pose.placed(leg[2]);
            assert!(there.distance(foot + DVec3::new(0.0, 0.02, -0.03)) < 1e-9, "{leg:?}");
            assert!(turned.angle_between(DQuat::IDENTITY) < 1e-6);
            let mut rest = Pose::default();
            rest.reach(leg, foot, DQuat::IDENTITY);
            assert!(leg.iter().all(|joint| rest.rotation(*joint).angle_between(DQuat::IDENTITY) < 1e-6));
        }
    }
}
