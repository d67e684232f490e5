//! How much an operation may make of a clip.

use crate::{Curve, Interpolation, Motion, Refusal, short};

/// The most keys that an operation makes of a clip.
pub const MOST_KEYS: f64 = 16_777_216.0;

/// What a key of a curve counts for: with tangents for three, with many weights for as many as take its room.
pub(super) fn cost_of_key(curve: &Curve) -> f64 {
    let tangents = if curve.interpolation() == Interpolation::CubicSpline { 3.0 } else { 1.0 };
    let weights = match curve {
        Curve::MorphWeights(keys) => keys.values.first().map_or(0, Vec::len),
        _ => 0,
    };
    tangents * (weights as f64 / 4.0).max(1.0)
}

/// What all keys and events count for.
pub(super) fn cost(motion: &Motion) -> f64 {
    let keys = motion.tracks.iter().map(|track| track.curve.len() as f64 * cost_of_key(&track.curve));
    keys.sum::<f64>() + motion.events.len() as f64
}

/// Refuses to make more keys than anybody wants; `right` says what would be.
pub(super) fn must_fit(keys: f64, right: &str) -> Result<(), Refusal> {
    match keys <= MOST_KEYS {
        true => Ok(()),
        false => Err(Refusal(format!(
            "that makes {} keys, and a clip may have {}; {right}",
            short(keys.round()),
            short(MOST_KEYS)
        ))),
    }
}
