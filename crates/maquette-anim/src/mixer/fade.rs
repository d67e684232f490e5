//! From what plays to another channel, little by little.

use super::{Channel, Layer};

/// How a fade goes from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Easing {
    /// Evenly.
    #[default]
    Linear,
    /// Slow at both ends: 3t² − 2t³.
    Smooth,
    /// Slower still: 6t⁵ − 15t⁴ + 10t³.
    Smoother,
}

impl Easing {
    /// From 0 at 0 to 1 at 1.
    pub fn ease(self, progress: f32) -> f32 {
        let t = progress.clamp(0.0, 1.0);
        match self {
            Easing::Linear => t,
            Easing::Smooth => t * t * (3.0 - 2.0 * t),
            Easing::Smoother => t * t * t * (t * (t * 6.0 - 15.0) + 10.0),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Fade {
    to: usize,
    /// The weight of the target when it began.
    first_weight: f32,
    /// From 0 to 1.
    progress: f32,
    fade_secs: f32,
    easing: Easing,
}

impl Fade {
    pub fn new(to: usize, first_weight: f32, fade_secs: f32, easing: Easing) -> Fade {
        Fade { to, first_weight: first_weight.clamp(0.0, 1.0), progress: 0.0, fade_secs, easing }
    }

    /// Raises the target from the weight it had to 1 and lowers the others in proportion; `false` when it is done.
    pub fn advance(&mut self, delta_secs: f32, channels: &mut [Channel]) -> bool {
        let before = self.easing.ease(self.progress);
        let step = if self.fade_secs > 0.0 { delta_secs / self.fade_secs } else { 1.0 };
        self.progress = (self.progress + step.max(0.0)).min(1.0);
        let now = self.easing.ease(self.progress);
        let left = if before < 1.0 { ((1.0 - now) / (1.0 - before)).max(0.0) } else { 0.0 };
        for (index, channel) in channels.iter_mut().enumerate().filter(|(_, channel)| channel.layer == Layer::Base) {
            channel.weight = match index == self.to {
                true => self.first_weight + (1.0 - self.first_weight) * now,
                false => channel.weight * left,
            };
        }
        self.progress < 1.0
    }
}
