//! From what is seen to one channel, little by little.

use crate::layout::Channel;
use crate::lent::Lent;
use maquette_anim::mixer::Easing;

/// `AEMAnimationBlendMode_Smooth` and `_Smoother`; all else is linear.
pub const SMOOTH: u32 = 1;
const SMOOTHER: u32 = 2;
/// What is left of others is never divided by less.
const LEAST_LEFT: f32 = 1e-6;

pub struct Fade {
    target: usize,
    /// The weight of the target when it began.
    first_weight: f32,
    /// From 0 to 1.
    progress: f32,
}

impl Fade {
    pub fn new(target: usize, first_weight: f32) -> Fade {
        Fade { target, first_weight, progress: 0.0 }
    }

    /// Raises the target from its first weight and lowers the others in proportion; `false` when it is done.
    pub fn advance(&mut self, step: f32, mode: u32, channels: &Lent<Channel>) -> bool {
        let easing = match mode {
            SMOOTH => Easing::Smooth,
            SMOOTHER => Easing::Smoother,
            _ => Easing::Linear,
        };
        let before = easing.ease(self.progress);
        self.progress = (self.progress + step.max(0.0)).min(1.0);
        let now = easing.ease(self.progress);
        if self.progress >= 1.0 {
            give_all_to(self.target, channels);
            return false;
        }
        let left = (1.0 - now) / (1.0 - before).max(LEAST_LEFT);
        for (index, mut channel) in channels.iter().enumerate() {
            channel.weight = match index == self.target {
                true => self.first_weight + (1.0 - self.first_weight) * now,
                false => channel.weight * left,
            };
            channels.set(index, channel);
        }
        true
    }
}

/// One channel has weight 1, all others have none.
pub fn give_all_to(target: usize, channels: &Lent<Channel>) {
    for (index, channel) in channels.iter().enumerate() {
        channels.set(index, Channel { weight: if index == target { 1.0 } else { 0.0 }, ..channel });
    }
}
