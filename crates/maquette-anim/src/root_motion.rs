//! The way that a clip carries its root: taken out of the pose and given to whoever moves the character.

use crate::clip::{Clip, Cursor};
use crate::events::Stretch;
use crate::transform::{Motion, Transform};
use glam::{Quat, Vec3};

/// What of the root's motion carries the character; what is not named stays in the pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes {
    /// To the sides.
    pub x: bool,
    /// Up and down.
    pub y: bool,
    /// Forwards and backwards.
    pub z: bool,
    /// Turning about the axis that points up.
    pub yaw: bool,
}

impl Axes {
    /// Over the ground, and turning on it.
    pub const GROUND: Axes = Axes { x: true, y: false, z: true, yaw: true };

    /// What of a transform is motion.
    pub fn motion(self, transform: &Transform) -> Motion {
        let keeps = Vec3::new(f32::from(u8::from(self.x)), f32::from(u8::from(self.y)), f32::from(u8::from(self.z)));
        let rotation = if self.yaw { yaw(transform.rotation) } else { Quat::IDENTITY };
        Motion { translation: Vec3::from(transform.translation) * keeps, rotation }
    }
}

/// The part of a rotation that turns about the axis that points up.
fn yaw(rotation: Quat) -> Quat {
    let turn = Quat::from_xyzw(0.0, rotation.y, 0.0, rotation.w);
    // Half a turn about a level axis has no yaw of its own.
    if turn.length_squared() > 1e-12 { turn.normalize() } else { Quat::IDENTITY }
}

/// The motion of one joint of one clip.
#[derive(Clone, Debug)]
pub struct RootMotion {
    root: Clip,
    rest: Transform,
    axes: Axes,
    cursor: Cursor,
    start: Motion,
    end: Motion,
    joint: usize,
}

impl RootMotion {
    /// Of a joint, which rests as said where the clip does not move it.
    pub fn new(clip: &Clip, joint: u32, rest: Transform, axes: Axes) -> RootMotion {
        let root = clip.of_joint(joint);
        let cursor = Cursor::new(&root);
        let none = Motion::NONE;
        let mut motion = RootMotion { root, rest, axes, cursor, start: none, end: none, joint: joint as usize };
        motion.start = motion.at(0.0);
        motion.end = motion.at(clip.duration_secs());
        motion
    }

    /// Where the motion has carried the root at a moment.
    pub fn at(&mut self, secs: f32) -> Motion {
        let mut pose = [self.rest];
        self.root.sample(&mut self.cursor, secs, &mut pose);
        let [root] = pose;
        self.axes.motion(&root)
    }

    /// What carries the character through a stretch that was played, in its own axes: multiply it to the right of where it was.
    pub fn delta(&mut self, stretch: Stretch) -> Motion {
        let (from, to) = (self.at(stretch.from_secs), self.at(stretch.to_secs));
        if stretch.seams == 0 {
            return from.inverse().then(to);
        }
        let (first, last) = if stretch.is_backwards { (self.end, self.start) } else { (self.start, self.end) };
        let round = first.inverse().then(last);
        let mut moved = from.inverse().then(last);
        for _ in 1..stretch.seams.min(crate::events::MAX_ROUNDS) {
            moved = moved.then(round);
        }
        moved.then(first.inverse().then(to))
    }

    /// Takes the motion out of a pose of a moment: the root stays where the clip began.
    pub fn remove(&mut self, secs: f32, pose: &mut [Transform]) {
        let back = self.start.then(self.at(secs).inverse());
        if let Some(root) = pose.get_mut(self.joint) {
            root.translation = (back.translation + back.rotation * Vec3::from(root.translation)).into();
            root.rotation = (back.rotation * root.rotation).normalize();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{Builder, Interpolation};

    /// Goes two along z and one up, and turns a quarter, in two seconds.
    fn walk() -> Clip {
        let mut builder = Builder::new("walk", 2.0);
        builder.translation(1, Interpolation::Linear, &[0.0, 2.0], &[Vec3::ZERO, Vec3::new(0.0, 1.0, 2.0)]);
        let turns = [0.0, std::f32::consts::FRAC_PI_2].map(Quat::from_rotation_y);
        builder.rotation(1, Interpolation::Linear, &[0.0, 2.0], &turns);
        builder.build().unwrap()
    }

    fn stretch(from_secs: f32, to_secs: f32, seams: u32, is_backwards: bool) -> Stretch {
        Stretch { from_secs, to_secs, seams, is_backwards, has_start: false }
    }

    fn near(seen: Motion, place: Vec3, turn: f32) {
        assert!(seen.translation.distance(place) < 1e-5, "{seen:?} for {place}");
        assert!(seen.rotation.angle_between(Quat::from_rotation_y(turn)) < 1e-3, "{seen:?} for {turn}");
    }

    #[test]
    fn steps_add_up_to_the_whole_way_across_the_seam_too() {
        let quarter = std::f32::consts::FRAC_PI_2;
        let mut motion = RootMotion::new(&walk(), 1, Transform::IDENTITY, Axes::GROUND);
        near(motion.delta(stretch(0.0, 2.0, 0, false)), Vec3::new(0.0, 0.0, 2.0), quarter);
        let mut moved = Motion::NONE;
        for (from, to, seams) in [(0.0, 0.75, 0), (0.75, 1.5, 0), (1.5, 0.25, 1), (0.25, 2.0, 0)] {
            moved = moved.then(motion.delta(stretch(from, to, seams, false)));
        }
        let round = motion.delta(stretch(0.0, 2.0, 0, false));
        let twice = round.then(round);
        near(moved, twice.translation, 2.0 * quarter);
        let at_once = motion.delta(stretch(0.0, 0.0, 2, false));
        near(at_once, twice.translation, 2.0 * quarter);
        let back = motion.delta(stretch(0.5, 1.5, 1, true));
        let forth = motion.delta(stretch(1.5, 0.5, 1, false));
        near(forth.then(back), Vec3::ZERO, 0.0);
    }

    #[test]
    fn what_is_taken_out_is_what_carries() {
        let clip = walk();
        let mut motion = RootMotion::new(&clip, 1, Transform::IDENTITY, Axes { yaw: false, ..Axes::GROUND });
        let mut pose = [Transform::IDENTITY; 2];
        clip.sample(&mut Cursor::new(&clip), 1.0, &mut pose);
        motion.remove(1.0, &mut pose);
        assert!(Vec3::from(pose[1].translation).distance(Vec3::new(0.0, 0.5, 0.0)) < 1e-6, "up and down stays");
        near(motion.at(1.0), Vec3::new(0.0, 0.0, 1.0), 0.0);
        let mut elsewhere = Builder::new("", 1.0);
        elsewhere.translation(0, Interpolation::Linear, &[0.0, 1.0], &[Vec3::X, Vec3::X + Vec3::Z]);
        let elsewhere = elsewhere.build().unwrap();
        let mut pose = [Transform::IDENTITY];
        elsewhere.sample(&mut Cursor::new(&elsewhere), 0.5, &mut pose);
        RootMotion::new(&elsewhere, 0, Transform::IDENTITY, Axes::GROUND).remove(0.5, &mut pose);
        assert!(Vec3::from(pose[0].translation).distance(Vec3::X) < 1e-6, "the root stays where the clip began");
        let upside_down = Transform { rotation: Quat::from_rotation_x(std::f32::consts::PI), ..Transform::IDENTITY };
        assert!(Axes::GROUND.motion(&upside_down).rotation.is_normalized());
    }
}
