//! Where a body stands: its lowest joint, in one reading of a clip and another.
//!
//! Many clips translate the root alone, which may be anywhere. But what stands on the ground at rest stands there in most clips too, whatever it does: a body that floats or sinks by half its
//! height from the first moment to the last, and stands if its translations are taken in another way, is meant so.

use super::{Matched, median};
use crate::{Blend, Curve, Motion, Trs};
use maquette_scene::glam::DVec3;

/// How many moments are looked at.
const MOMENTS: usize = 16;
/// As a part of the height of the root: what is nearer to the ground at its lowest stands there, ..
const STANDS: f64 = 0.2;
/// .. if it is no farther most of the time, ..
const LEAPS: f64 = 0.3;
/// .. and farther does not.
const DOES_NOT: f64 = 0.5;

/// A body whose root alone is translated.
pub(super) struct Stance<'m> {
    motion: &'m Motion,
    matched: &'m Matched<'m>,
    /// How rotations are taken.
    turns: Turns,
    /// The joint that is translated and those below it.
    body: Vec<bool>,
    /// How high the root and the lowest joint are at rest.
    rest: (f64, f64),
}

/// What rotations are: all there is, or differences from the rest pose.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turns {
    Whole,
    Differences,
}

impl Turns {
    /// As a blend says.
    pub fn of(blend: Blend) -> Turns {
        if blend == Blend::Additive { Turns::Differences } else { Turns::Whole }
    }
}

impl<'m> Stance<'m> {
    /// `None` where other bones are translated too, or the root is no higher than the rest of the body: then it does not tell.
    pub fn of(motion: &'m Motion, matched: &'m Matched<'m>, turns: Turns) -> Option<Stance<'m>> {
        let mut moved = motion.tracks.iter().filter(|track| matches!(track.curve, Curve::Translation(_)));
        let (Some(root), None) = (moved.next(), moved.next()) else { return None };
        let top = *matched.bones.get(&root.bone).filter(|_| matched.is_topmost(root))?;
        let mut body = vec![false; matched.rig.joints.len()];
        for &at in matched.rig.parents_first() {
            let above = matched.rig.joints.get(at).and_then(|joint| joint.parent);
            let is_below = at == top || above.and_then(|above| body.get(above)) == Some(&true);
            body.get_mut(at).into_iter().for_each(|place| *place = is_below);
        }
        let mut stance = Stance { motion, matched, turns, body, rest: (0.0, 0.0) };
        let rests: Vec<Trs> = matched.rig.joints.iter().map(|joint| joint.rest).collect();
        let heights = stance.heights(&rests);
        let (lowest, highest) = heights.iter().fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(*y), high.max(*y)));
        let root = matched.rig.world(&rests).get(top)?.w_axis.y;
        stance.rest = (root, lowest);
        (root - lowest > 0.25 * (highest - lowest) && root > lowest).then_some(stance)
    }

    /// Whether it stands nowhere near the ground as it is taken, and does if translations become something else, with their rest pose at hand: how far off both are, in parts of its
    /// height.
    pub fn stands_instead(
        &self,
        is: &dyn Fn(DVec3, DVec3) -> DVec3,
        instead: &dyn Fn(DVec3, DVec3) -> DVec3,
    ) -> Option<(f64, f64)> {
        let [is, instead] = [is, instead].map(|taken| self.off(taken));
        // At nearly every moment, so that who climbs and falls is left alone.
        let never = is.iter().filter(|off| off.abs() > DOES_NOT).count() as f64 >= 0.9 * is.len() as f64;
        // Who runs is in the air now and then, and never in the ground.
        let lowest = instead.iter().copied().fold(f64::MAX, f64::min).abs();
        let [is, instead] = [is, instead].map(|off| median(off.into_iter().map(f64::abs).collect()));
        (never && lowest < STANDS && instead? < LEAPS).then_some((is?, lowest))
    }

    /// How far the lowest joint is above where it is at rest, moment by moment.
    fn off(&self, taken: &dyn Fn(DVec3, DVec3) -> DVec3) -> Vec<f64> {
        let (root, lowest) = self.rest;
        let moment = |at: usize| {
            let secs = self.motion.duration_secs * at as f64 / MOMENTS as f64;
            let mut locals: Vec<Trs> = self.matched.rig.joints.iter().map(|joint| joint.rest).collect();
            for track in &self.motion.tracks {
                let local = self.matched.bones.get(&track.bone).and_then(|joint| locals.get_mut(*joint));
                let Some(local) = local else { continue };
                match &track.curve {
                    Curve::Translation(keys) => {
                        local.translation = keys.at(secs).map_or(local.translation, |at| taken(at, local.translation));
                    }
                    Curve::Rotation(keys) => {
                        let Some(turn) = keys.at(secs) else { continue };
                        local.rotation = if self.turns == Turns::Whole { turn } else { local.rotation * turn };
                    }
                    Curve::Scale(_) | Curve::MorphWeights(_) => {}
                }
            }
            let now = self.heights(&locals).into_iter().fold(f64::MAX, f64::min);
            (now - lowest) / (root - lowest)
        };
        (0..=MOMENTS).map(moment).collect()
    }

    /// How high each joint of the body is; up is Y in a model.
    fn heights(&self, locals: &[Trs]) -> Vec<f64> {
        let world = self.matched.rig.world(locals);
        world.iter().zip(&self.body).filter(|(_, is_part)| **is_part).map(|(matrix, _)| matrix.w_axis.y).collect()
    }
}
