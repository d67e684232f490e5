//! Frame rates, and moments as frames.

use crate::{Motion, Refusal, decimal, short};

/// How far from a frame, in frames, still is on it: the rounding of times in single precision.
const ON_FRAME: f64 = 1e-3;

/// The rate of frames where a clip says none.
pub(super) const USUAL: f64 = 30.0;

/// A frame rate as files hold it, in single precision; of the numbers that are one there, the shortest.
pub(super) fn stored(fps: f64) -> Result<f64, Refusal> {
    let rate = decimal(fps as f32);
    match (1e-6..=1e9).contains(&rate) {
        true => Ok(rate),
        false => Err(Refusal(format!("{fps} frames a second are none; a rate lies between 0.000001 and 1000000000"))),
    }
}

/// The rate of a clip, for what needs one.
pub(super) fn of(motion: &Motion) -> f64 {
    motion.frame_rate.filter(|rate| *rate > 0.0 && rate.is_finite()).unwrap_or(USUAL)
}

/// The frame that a moment lies on or after.
pub(super) fn frame_before(secs: f64, rate: f64) -> f64 {
    (secs * rate + ON_FRAME).floor()
}

/// The frame that a moment lies on or before.
pub(super) fn frame_after(secs: f64, rate: f64) -> f64 {
    (secs * rate - ON_FRAME).ceil()
}

/// The moment of the nearest frame.
pub(super) fn nearest(secs: f64, rate: f64) -> f64 {
    (secs * rate).round() / rate
}

/// Just after a moment, by less than anybody sees: what jumps there has jumped.
pub(super) fn just_after(secs: f64, rate: f64) -> f64 {
    secs + ON_FRAME / rate
}

/// A rate for people.
pub(super) fn shown(rate: f64) -> String {
    format!("{} frames a second", short((rate * 1e4).round() / 1e4))
}
