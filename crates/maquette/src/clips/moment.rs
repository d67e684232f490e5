//! A moment of a clip as people write it: `1.5` in seconds, `45f` in frames.

use super::{Motion, Refusal};
use std::str::FromStr;

/// A moment of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// In seconds.
    Secs(f64),
    /// In frames.
    Frame(f64),
}

impl Moment {
    /// In seconds of this clip.
    pub fn secs(self, motion: &Motion) -> Result<f64, Refusal> {
        self.at_rate(motion.frame_rate)
    }

    /// In seconds of a clip of so many frames a second.
    pub fn at_rate(self, frame_rate: Option<f64>) -> Result<f64, Refusal> {
        match (self, frame_rate) {
            (Moment::Secs(secs), _) => Ok(secs),
            (Moment::Frame(frame), Some(rate)) => Ok(frame / rate),
            (Moment::Frame(frame), None) => {
                Err(Refusal(format!("it has no frames, so {frame}f is no moment of it; write seconds")))
            }
        }
    }
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Moment, String> {
        let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
        let moment = match text.strip_suffix('f') {
            Some(frame) => number(frame).map(Moment::Frame),
            None => number(text.strip_suffix('s').unwrap_or(text)).map(Moment::Secs),
        };
        moment.ok_or_else(|| "write seconds such as 1.5, or frames such as 45f".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_frames() {
        let of = |text: &str| text.parse::<Moment>();
        assert_eq!(
            [of("1.5"), of("1.5s"), of("-2f")],
            [Ok(Moment::Secs(1.5)), Ok(Moment::Secs(1.5)), Ok(Moment::Frame(-2.0))]
        );
        assert!(["", "f", "x", "1.5m", "inf", "NaNf"].into_iter().all(|text| of(text).is_err()));
        let motion = Motion { frame_rate: Some(30.0), ..Motion::default() };
        assert_eq!(Moment::Frame(45.0).secs(&motion), Ok(1.5));
        assert!(Moment::Frame(45.0).secs(&Motion::default()).is_err());
    }
}
