//! A root that goes on: each time a clip is played, it starts where it ended the last time.

use super::root::{motion_bone, root_bone};
use super::{Body, RootAxes, RootBones};
use crate::blending::change;
use crate::ops::follow::is_still;
use crate::{Blend, Curve, ModifierScope, Motion, Placed, Refusal, Rig};
use maquette_scene::glam::{DQuat, DVec3};

/// Where the root is carried by playing a clip once.
pub(in crate::ops) struct Steps {
    body: Body,
    turn: DQuat,
    way: DVec3,
}

impl Steps {
    /// Of the bone that has the motion of the whole for itself, where it moves; else of the root.
    pub fn of(
        motion: &Motion,
        axes: RootAxes,
        bones: RootBones<'_>,
        rig: Option<&Rig>,
        scope: ModifierScope,
    ) -> Result<Steps, Refusal> {
        let placed = Placed::new(motion, rig, scope);
        let moves = |bone: &usize| motion.tracks.iter().any(|track| track.bone == *bone && !is_still(&track.curve));
        let own = motion_bone(motion, bones.motion).filter(moves).filter(|_| bones.root.is_none());
        let root = own.map_or_else(|| root_bone(motion, &placed, rig, bones.root, None), Ok)?;
        let body = Body::of(motion, &placed, root, rig, None, axes.yaw.is_some())?;
        let along = DVec3::from_array(axes.along.map(|is_meant| f64::from(u8::from(is_meant))));
        let (turn, way) = body.carried(motion.duration_secs, along, axes.yaw);
        Ok(Steps { body, turn, way })
    }

    /// The bone that goes on.
    pub fn bone(&self) -> usize {
        self.body.bone
    }

    /// How far it goes each time.
    pub fn distance(&self) -> f64 {
        let start = self.body.frame.to_world(self.body.place_at(0.0));
        (self.turn * start + self.way - start).length()
    }

    /// A curve of the bone as it is each time, as often as it is played.
    pub fn turns<'s>(&'s self, curve: &'s Curve, count: u64) -> impl Iterator<Item = Curve> + 's {
        let mut carried = (DQuat::IDENTITY, DVec3::ZERO);
        (0..count).map(move |_| {
            let moved = self.moved(curve, carried);
            carried = (self.turn * carried.0, self.turn * carried.1 + self.way);
            moved
        })
    }

    fn moved(&self, curve: &Curve, (turn, way): (DQuat, DVec3)) -> Curve {
        let (mut curve, frame) = (curve.clone(), &self.body.frame);
        change(&mut curve, self.body.blend, Blend::Absolute, &self.body.rest);
        match &mut curve {
            Curve::Translation(keys) => keys.change(
                |value| frame.to_local(turn * frame.to_world(*value) + way),
                |tangent| frame.inverse * (turn * (frame.linear * *tangent)),
            ),
            Curve::Rotation(keys) => {
                let turn = frame.turn_to_local(turn);
                keys.change(|value| turn * *value, |tangent| turn * *tangent);
            }
            Curve::Scale(_) | Curve::MorphWeights(_) => {}
        }
        change(&mut curve, Blend::Absolute, self.body.blend, &self.body.rest);
        curve
    }
}
