//! From seconds to frames: the rate, and how far times are from whole frames.

use crate::format::{Error, Result};
use crate::seanim::usable_framerate;
use maquette_scene::clip::Clip;

/// Rates to try, in this order: broadcast rates are so close to whole ones that a short clip would fit both.
const RATES: [f32; 9] = [24.0, 25.0, 30.0, 50.0, 60.0, 120.0, 240.0, 29.97, 59.94];
/// The rate of clips that fit none of them.
const LAST_RESORT: f32 = 60.0;
/// How far a time may be from a frame to lie on it.
const TOLERANCE_SECS: f64 = 1e-4;

/// The frames of a clip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frames {
    /// Frames a second.
    pub rate: f32,
}

impl Frames {
    /// The clip's own rate, else the one it was read with, else the first at which everything lies on a frame.
    pub fn of(clip: &Clip, kept: Option<f32>) -> Frames {
        let stated = clip.frame_rate.and_then(usable_framerate).or(kept.and_then(usable_framerate));
        let fits = |rate: &f32| {
            let frames = Frames { rate: *rate };
            times(clip).all(|secs| frames.is_on_frame(f64::from(secs)))
        };
        let rate = stated.or_else(|| RATES.into_iter().find(fits)).unwrap_or(LAST_RESORT);
        Frames { rate }
    }

    fn nearest(self, secs: f64) -> f64 {
        (secs * f64::from(self.rate)).round()
    }

    /// The frame nearest to a time.
    pub fn at(self, secs: f64) -> Result<u32> {
        let frame = self.nearest(secs);
        // The frame count is one more and must fit as well. What is no number fails both.
        match frame >= 0.0 && frame < f64::from(u32::MAX) {
            true => Ok(frame as u32),
            false => Err(Error::CannotHold(format!(
                "a time of {secs} s is no frame at {} frames a second: SEAnim counts them from 0 to {}",
                self.rate,
                u32::MAX - 1
            ))),
        }
    }

    /// How far the frame nearest to a time is from it. Seconds of single precision that come from a frame are taken to be it.
    pub fn error_secs(self, secs: f64) -> f64 {
        let frame = self.nearest(secs);
        let as_read = f64::from(frame as f32 / self.rate);
        let exact = frame / f64::from(self.rate);
        (as_read - secs).abs().min((exact - secs).abs())
    }

    /// Whether a time is a whole frame, near enough.
    pub fn is_on_frame(self, secs: f64) -> bool {
        self.error_secs(secs) <= TOLERANCE_SECS
    }

    /// The largest error of all keys and events, and how many lie on no frame.
    pub fn errors(self, clip: &Clip) -> (f64, u64) {
        times(clip)
            .map(|secs| self.error_secs(f64::from(secs)))
            .fold((0.0, 0), |(most, count), error| (error.max(most), count + u64::from(error > TOLERANCE_SECS)))
    }
}

/// When anything happens.
fn times(clip: &Clip) -> impl Iterator<Item = f32> + '_ {
    let keys = clip.tracks.iter().flat_map(|track| track.curve.times_secs().iter().copied());
    keys.chain(clip.events.iter().map(|event| event.time_secs))
}
