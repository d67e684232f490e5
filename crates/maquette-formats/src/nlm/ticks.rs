//! The rate that a clip's ticks are written in, and its length in them.

use crate::ticks::{EXACT_RATE, holds, seconds};

/// The rate that the engine's importer gives glTF animations.
pub const USUAL_RATE: i32 = 1000;

/// The ticks of a length.
pub fn duration_ticks(secs: f64, rate: i32) -> f32 {
    (secs * f64::from(rate)) as f32
}

/// The rate to write a clip of this length and these times in: the one it was read with, the usual one, or another that
/// holds them exactly. Ticks of one second hold any.
pub fn rate(kept: Option<i32>, duration_secs: f64, times: impl Iterator<Item = f32> + Clone) -> i32 {
    let is_good = |rate: &i32| {
        seconds(duration_ticks(duration_secs, *rate), *rate) == duration_secs as f32 && holds(*rate, times.clone())
    };
    let kept = kept.filter(|&rate| rate > 0);
    kept.into_iter().chain([USUAL_RATE, EXACT_RATE.into()]).find(is_good).unwrap_or(1)
}
