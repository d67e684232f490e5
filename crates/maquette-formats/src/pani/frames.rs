//! Which ticks are frames.

use crate::ticks::ticks;
use maquette_scene::clip::Clip;

/// Rates up to this one are taken for frames if every key stands on a whole tick.
const LARGEST_FRAME_RATE: f32 = 120.0;

/// The times of every key.
pub(super) fn times(clip: &Clip) -> impl Iterator<Item = f32> {
    clip.tracks.iter().flat_map(|track| track.curve.times_secs()).copied()
}

/// The frame rate that ticks of this rate are, if they are frames.
pub(super) fn frame_rate(rate: f32, clip: &Clip) -> Option<f32> {
    let is_rate = rate > 0.0 && rate <= LARGEST_FRAME_RATE && rate.fract() == 0.0;
    (is_rate && times(clip).all(|secs| ticks(secs, rate).fract() == 0.0)).then_some(rate)
}
