//! One channel: what it is at first, and how its time goes on.

use crate::layout::Channel;

/// The heaviest a channel counts, so that sums of weights are numbers.
const MOST_WEIGHT: f32 = 1e30;

/// The first channel has all weight; all are still and would loop.
pub fn at_first(index: u32) -> Channel {
    Channel {
        animation_index: 0,
        is_playing: 0,
        is_looping: 1,
        time: 0.0,
        playback_speed: 1.0,
        weight: if index == 0 { 1.0 } else { 0.0 },
    }
}

/// How much a channel counts: what is no number or below 0 is nothing.
pub fn weight(channel: &Channel) -> f32 {
    if channel.weight > 0.0 { channel.weight.min(MOST_WEIGHT) } else { 0.0 }
}

/// Lets the time of a channel go on. Beyond its end a clip begins anew by as many durations as it takes, or stays at its duration. Before its beginning, of which the reference
/// says nothing, one that loops comes back from its end by as many durations, and another that runs backwards stays at its beginning.
pub fn advance(channel: &mut Channel, duration_secs: f32, delta_secs: f32) {
    if channel.is_playing == 0 {
        return;
    }
    let step = channel.playback_speed * delta_secs;
    let time = if channel.time.is_finite() { channel.time } else { 0.0 };
    let reached = if step.is_finite() { (time + step).clamp(f32::MIN, f32::MAX) } else { time };
    let loops = channel.is_looping != 0 && duration_secs > 0.0;
    channel.time = match reached > duration_secs {
        false if reached < 0.0 && loops => reached.rem_euclid(duration_secs),
        false if step < 0.0 => reached.max(time.min(0.0)),
        false => reached,
        true if !loops => duration_secs,
        // The end itself is still the end: durations are taken away until what is left is not beyond one.
        true => match reached % duration_secs {
            0.0 => duration_secs,
            left => left,
        },
    };
}
