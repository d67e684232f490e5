//! Between seconds and ticks, without losing a bit.
//!
//! Both are 32-bit floats, so a time need not survive the way to ticks and back. A rate is good for a clip if every time of it does.
//! A time that was read comes back as the tick it was.

/// A rate that holds any time exactly: a power of two only moves the exponent, as long as there is room for it.
pub const EXACT_RATE: u16 = 1024;

/// The seconds of a time in ticks.
pub fn seconds(ticks: f32, rate: impl Into<f64>) -> f32 {
    (f64::from(ticks) / rate.into()) as f32
}

/// The ticks that are read back as these seconds, a whole number of them if one is; the nearest if none is.
pub fn ticks(secs: f32, rate: impl Into<f64>) -> f32 {
    let rate = rate.into();
    let exact = f64::from(secs) * rate;
    let near = exact as f32;
    let candidates = [exact.round() as f32, near, near.next_up(), near.next_down()];
    candidates.into_iter().find(|&candidate| seconds(candidate, rate) == secs).unwrap_or(near)
}

/// Whether all these times come back unchanged at this rate.
pub fn holds(rate: impl Into<f64>, times: impl IntoIterator<Item = f32>) -> bool {
    let rate = rate.into();
    times.into_iter().all(|secs| seconds(ticks(secs, rate), rate) == secs)
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
            assert!(holds(EXACT_RATE, [secs]), "{secs}");
            secs *= 1.000_7;
        }
    }

    #[test]
    fn other_rates_do_not() {
        assert!(!holds(30.0, [0.1, 0.2, 1e-9, 0.123_456_7, 3.3e-5, 7.7e-3]));
        assert!(holds(30.0, (0..300u16).map(|frame| f32::from(frame) / 30.0)));
    }

    #[test]
    fn a_whole_number_is_taken_where_one_will_do() {
        assert_eq!(ticks(0.8, 1000), 800.0);
    }
}
