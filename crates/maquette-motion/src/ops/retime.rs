//! A clip that takes more or less time.

use super::rate;
use super::resample::resample;
use crate::{Did, Motion, Refusal, Value, short, with_keys};

/// The least time that is worth a clip: a millionth of a second.
const SHORTEST: f64 = 1e-6;

/// How long a clip is to take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// So many times as fast.
    Speed(f64),
    /// In so many seconds.
    Duration(f64),
    /// The same frames, so many of them a second.
    FrameRate(f64),
}

/// Plays a clip faster or slower. The frames stay the same, and the frame rate changes: nothing is lost. With `keep_rate` the rate stays and the
/// clip gets keys at its frames instead.
pub fn retime(motion: &mut Motion, pace: Pace, keep_rate: bool) -> Result<Did, Refusal> {
    let before = motion.duration_secs;
    let had = motion.frame_rate.filter(|rate| *rate > 0.0);
    let speed = match pace {
        Pace::Speed(speed) => must_be_positive(speed, "a speed", "2 is twice as fast, 0.5 half as fast")?,
        Pace::Duration(secs) if before > 0.0 => before / must_be_positive(secs, "a duration", "write seconds")?,
        Pace::Duration(_) => return Err(Refusal("it lasts no time, and no speed changes that".into())),
        Pace::FrameRate(fps) => match had {
            Some(had) => rate::stored(fps)? / had,
            None => return Err(Refusal("it has no frames; `--speed` and `--duration` do without".into())),
        },
    };
    if keep_rate && had.is_none() {
        return Err(Refusal("it has no frames to keep; leave out `--keep-fps`".into()));
    }
    let rate = had.map(|had| rate::stored(had * speed)).transpose()?;
    // What files hold is in single precision: times follow the rate, so that frames stay frames.
    let speed = rate.zip(had).filter(|_| !keep_rate).map_or(speed, |(rate, had)| rate / had);
    let times = motion.tracks.iter().flat_map(|track| track.curve.times_secs().last()).chain([&before]);
    if !times.map(|secs| secs / speed).all(|secs| secs.is_finite() && secs < 1e9) {
        return Err(Refusal(format!("at a speed of {speed:e} it takes longer than anybody lives; take a larger one")));
    }
    if before > 0.0 && before / speed < SHORTEST {
        return Err(Refusal(format!(
            "at a speed of {speed:e} it takes no time that a file can hold; take a smaller one"
        )));
    }
    motion.change_times(|secs| secs / speed);
    for track in &mut motion.tracks {
        // Tangents are for each second.
        with_keys!(&mut track.curve, keys => keys.change(Clone::clone, |tangent| tangent.times(speed)));
    }
    let mut words = format!("takes {} s instead of {}", short(motion.duration_secs), short(before));
    let mut did = Did::default();
    match (keep_rate, rate, had) {
        (false, Some(rate), Some(had)) => {
            motion.frame_rate = Some(rate);
            words += &format!(", {} instead of {}", rate::shown(rate), short((had * 1e4).round() / 1e4));
        }
        (true, _, Some(had)) => {
            did = resample(motion, had)?;
            words = format!("takes {} s instead of {} and {}", short(motion.duration_secs), short(before), did.words);
        }
        _ => {}
    }
    Ok(Did { words, ..did }.with("speed", speed, ""))
}

fn must_be_positive(number: f64, what: &str, right: &str) -> Result<f64, Refusal> {
    match number.is_finite() && number > 0.0 {
        true => Ok(number),
        false => Err(Refusal(format!("{what} must be above 0 and finite, and {number} is not; {right}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Curve, Event, Interpolation, Keys};
    use maquette_scene::glam::DVec3;

    fn motion() -> Motion {
        let values = [9.0, 1.0, 4.0, 8.0, 3.0, 9.0].map(|x| DVec3::X * x).to_vec();
        let spline = Keys { times_secs: vec![0.0, 2.0], values, interpolation: Interpolation::CubicSpline };
        let mut motion = Motion { duration_secs: 2.0, frame_rate: Some(30.0), ..Motion::default() };
        motion.push("a", Curve::Translation(spline));
        motion.events = vec![Event { time_secs: 0.5, name: "step".into() }];
        motion
    }

    fn x(motion: &Motion, secs: f64) -> f64 {
        let Curve::Translation(keys) = &motion.tracks[0].curve else { panic!() };
        keys.at(secs).unwrap().x
    }

    #[test]
    fn speeds_that_leave_no_time_are_refused() {
        let still_rated = || Motion { frame_rate: None, ..motion() };
        assert!(retime(&mut still_rated(), Pace::Speed(1e46), false).unwrap_err().0.contains("smaller one"));
        assert!(retime(&mut still_rated(), Pace::Speed(1e5), false).is_ok());
    }

    #[test]
    fn every_moment_comes_sooner_splines_included() {
        let before = motion();
        for (pace, speed) in [(Pace::Speed(4.0), 4.0), (Pace::Duration(0.5), 4.0), (Pace::FrameRate(15.0), 0.5)] {
            let mut after = before.clone();
            retime(&mut after, pace, false).unwrap();
            for part in [0.0, 0.1, 0.5, 0.9, 1.0] {
                assert!((x(&before, 2.0 * part) - x(&after, 2.0 * part / speed)).abs() < 1e-12, "{pace:?} {part}");
            }
            assert_eq!((after.duration_secs, after.events[0].time_secs), (2.0 / speed, 0.5 / speed));
            assert_eq!(after.frame_rate, Some(30.0 * speed));
        }
    }

    #[test]
    fn frames_stay_frames_at_rates_that_single_precision_rounds() {
        let mut motion =
            Motion { frame_rate: Some(30.0), on_frames: true, duration_secs: 1e5 / 30.0, ..Motion::default() };
        motion.push("a", Curve::Translation(Keys::straight([(0.0, DVec3::X), (1e5 / 30.0, DVec3::Y)])));
        for pace in [Pace::Speed(1.0 / 3.0), Pace::FrameRate(29.97), Pace::Duration(77.7)] {
            retime(&mut motion, pace, false).unwrap();
            let rate = crate::decimal(motion.frame_rate.unwrap() as f32);
            let frame = motion.tracks[0].curve.times_secs()[1] * rate;
            assert!((frame - 1e5).abs() < 1e-6, "{pace:?}: {frame}");
        }
    }

    #[test]
    fn the_rate_can_stay() {
        let mut motion = motion();
        let did = retime(&mut motion, Pace::Speed(0.5), true).unwrap();
        assert_eq!((motion.frame_rate, motion.duration_secs), (Some(30.0), 4.0));
        assert_eq!(motion.tracks[0].curve.len(), 121);
        assert!(did.words.starts_with("takes 4 s instead of 2 and has a key at each of 30"), "{}", did.words);
    }

    #[test]
    fn what_is_no_pace_is_refused() {
        for pace in [
            Pace::Speed(0.0),
            Pace::Speed(-1.0),
            Pace::Speed(f64::NAN),
            Pace::Speed(1e-300),
            Pace::Duration(0.0),
            Pace::Duration(f64::INFINITY),
            Pace::FrameRate(0.0),
            Pace::FrameRate(f64::NAN),
        ] {
            let mut same = motion();
            assert!(retime(&mut same, pace, false).is_err(), "{pace:?}");
            assert_eq!(same, motion());
        }
        let mut still = Motion::default();
        assert!(retime(&mut still, Pace::Duration(1.0), false).is_err());
        assert!(retime(&mut still, Pace::FrameRate(1.0), false).is_err());
    }
}
