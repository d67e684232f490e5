//! Seconds and ticks. A time that was read comes back as the tick it was, and one that was not is written so that reading
//! gives the very same number of seconds.

use maquette_scene::clip::Curve;

/// The rate that holds every time exactly: seconds times a power of two lose nothing.
pub(super) const EXACT_RATE: f32 = 1024.0;
/// Rates up to this one are taken for frames if every key stands on a whole tick.
const LARGEST_FRAME_RATE: f32 = 120.0;

/// Ticks in seconds.
pub(super) fn seconds(ticks: f32, rate: f32) -> f32 {
    (f64::from(ticks) / f64::from(rate)) as f32
}

/// Seconds in ticks: a whole number if that means the same, else the number nearest to meaning it.
pub(super) fn ticks(secs: f32, rate: f32) -> f32 {
    let exact = f64::from(secs) * f64::from(rate);
    let near = exact as f32;
    let candidates = [exact.round() as f32, near, near.next_up(), near.next_down()];
    candidates.into_iter().find(|&ticks| seconds(ticks, rate) == secs).unwrap_or(near)
}

/// Whether all these times come back unchanged at this rate.
pub(super) fn holds<'c>(rate: f32, curves: impl IntoIterator<Item = &'c Curve>) -> bool {
    let mut times = curves.into_iter().flat_map(Curve::times_secs);
    times.all(|&secs| seconds(ticks(secs, rate), rate) == secs)
}

/// The frame rate that ticks of this rate are, if they are frames.
pub(super) fn frame_rate<'c>(rate: f32, curves: impl IntoIterator<Item = &'c Curve>) -> Option<f32> {
    let mut times = curves.into_iter().flat_map(Curve::times_secs);
    let is_rate = rate > 0.0 && rate <= LARGEST_FRAME_RATE && rate.fract() == 0.0;
    (is_rate && times.all(|&secs| ticks(secs, rate).fract() == 0.0)).then_some(rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_come_back_as_they_were() {
        for rate in [1.0, 24.0, 25.0, 29.97, 30.0, 1000.0, 4800.0] {
            for tick in 0..5000u16 {
                let tick = f32::from(tick);
                assert_eq!(ticks(seconds(tick, rate), rate), tick, "{tick} at {rate}");
            }
        }
    }

    #[test]
    fn the_exact_rate_holds_any_time() {
        let mut secs = 1e-6f32;
        while secs < 1e6 {
            assert_eq!(seconds(ticks(secs, EXACT_RATE), EXACT_RATE), secs);
            secs *= 1.000_7;
        }
    }
}
