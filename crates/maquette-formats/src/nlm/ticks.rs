//! Between seconds and ticks, without losing a bit.
//!
//! Both are 32-bit floats, and the rate is a whole number, so a time need not survive the way to ticks and back. A rate is
//! good for a clip if every time of it does; ticks of one second are good for any.

/// The seconds of a time in ticks.
pub fn secs(ticks: f32, rate: i32) -> f32 {
    (f64::from(ticks) / f64::from(rate)) as f32
}

/// The ticks that are read back as these seconds, a whole number of them if one is; the nearest if none is.
pub fn ticks(secs: f32, rate: i32) -> f32 {
    let exact = f64::from(secs) * f64::from(rate);
    let near = exact as f32;
    let candidates = [exact.round() as f32, near, near.next_up(), near.next_down()];
    candidates.into_iter().find(|&candidate| self::secs(candidate, rate) == secs).unwrap_or(near)
}

/// The ticks of a length.
pub fn duration_ticks(secs: f64, rate: i32) -> f32 {
    (secs * f64::from(rate)) as f32
}

/// The rate that the engine's importer gives glTF animations.
pub const USUAL_RATE: i32 = 1000;

/// The rate to write a clip of this length and these times in: the one it was read with, the usual one, or another that
/// holds them exactly.
pub fn rate(kept: Option<i32>, duration_secs: f64, times: impl Iterator<Item = f32> + Clone) -> i32 {
    let holds = |rate: &i32| {
        let duration = secs(duration_ticks(duration_secs, *rate), *rate);
        duration == duration_secs as f32 && times.clone().all(|time| secs(ticks(time, *rate), *rate) == time)
    };
    let kept = kept.filter(|&rate| rate > 0);
    // A power of two only moves the exponent, as long as there is room for it.
    kept.into_iter().chain([USUAL_RATE, 1024]).find(holds).unwrap_or(1)
}
