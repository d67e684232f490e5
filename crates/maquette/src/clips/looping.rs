//! A clip that repeats: its end meets its start, it plays several times in a row, or is marked so.

use super::{Axes, Did, Moment, Motion, Refusal, Rig, root_axes};
use crate::ops::matches;
use maquette_motion::ModifierScope;
use maquette_motion::ops::{self, Onward, RootBones, Up};

/// How much of the end is blended where nobody says.
const USUAL_BLEND_SECS: f64 = 0.2;

/// What is done to a clip to make it repeat, in this order.
#[derive(Clone, Debug, Default)]
pub struct Looping {
    /// Lead its end to its start, and mark it as looped.
    pub seam: Option<Seam>,
    /// Play it so many times.
    pub count: Option<u64>,
    /// Let the root start each time where it ended the time before, instead of jumping back.
    pub onward: Option<Going>,
    /// Mark it as looped or not.
    pub flag: Option<bool>,
}

/// How an end is led to its start.
#[derive(Clone, Debug, Default)]
pub struct Seam {
    /// How much of the end is blended; 0.2 s by default, or half of a shorter clip.
    pub blend: Option<Moment>,
    /// Patterns of bones that stay as they are.
    pub except: Vec<String>,
}

/// How a root goes on.
#[derive(Clone, Debug, Default)]
pub struct Going {
    /// Which of its motion goes on.
    pub axes: Option<Axes>,
    /// The axis that points up.
    pub up: Option<Up>,
    /// The bone; found by default.
    pub root: Option<String>,
    /// Which bones a blend is for that one bone has of its own.
    pub scope: ModifierScope,
}

impl Looping {
    /// Does it to a clip of this skeleton.
    pub fn apply(&self, motion: &mut Motion, rig: Option<&Rig>) -> Result<Did, Refusal> {
        let mut done: Vec<Did> = Vec::new();
        if let Some(seam) = &self.seam {
            done.push(seam.close(motion)?);
        }
        if let Some(count) = self.count {
            let onward = self.onward.as_ref().map(|going| going.onward(rig)).transpose()?;
            done.push(ops::repeat(motion, count, onward)?);
        }
        if let Some(flag) = self.flag {
            motion.looped = Some(flag);
            done.push(Did::new(if flag { "is marked as looped" } else { "is marked as not looped" }));
        }
        let words: Vec<String> = done.iter().map(|did| did.words.clone()).collect();
        Ok(Did { words: words.join("; "), figures: done.into_iter().flat_map(|did| did.figures).collect() })
    }
}

impl Seam {
    fn close(&self, motion: &mut Motion) -> Result<Did, Refusal> {
        let usual = USUAL_BLEND_SECS.min(motion.duration_secs / 2.0);
        let blend = self.blend.map_or(Ok(usual), |blend| blend.secs(motion))?;
        let wanted = |bone: &str| !self.except.iter().any(|pattern| matches(pattern, bone));
        let matches_none = |pattern: &&String| !motion.bones.iter().any(|bone| matches(pattern, &bone.name));
        if let Some(pattern) = self.except.iter().find(matches_none) {
            return Err(Refusal(format!("no bone is called {pattern:?}, which is to be left as it is")));
        }
        ops::close_seam(motion, blend, &wanted)
    }
}

impl Going {
    fn onward<'n>(&'n self, rig: Option<&'n Rig>) -> Result<Onward<'n>, Refusal> {
        let bones = RootBones { root: self.root.as_deref(), motion: None };
        Ok(Onward { axes: root_axes(self.axes, self.up, rig)?, bones, rig, scope: self.scope })
    }
}
