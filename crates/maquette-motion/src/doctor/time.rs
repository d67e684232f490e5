//! Frame rates that nobody meant, and clips that are longer than their keys.

use super::{Fault, Looked};
use crate::{Motion, short};

/// Rates that are meant: slow motion is filmed at a thousand frames a second, and a frame that stays for longer than a second is none.
const RATES: std::ops::RangeInclusive<f64> = 1.0..=1000.0;
/// Rates that clips are made at.
const USUAL: std::ops::RangeInclusive<f64> = 10.0..=240.0;
/// A pause that is longer than this, and than all before it, may be a frame count that is wrong.
const LONG_SECS: f64 = 1.0;

pub(super) fn rate(motion: &Motion) -> Option<Fault> {
    let rate = motion.frame_rate.filter(|rate| !RATES.contains(rate))?;
    // 30000 is that of 30000/1001, and 0.0333 the seconds that a frame takes.
    let likely = [rate / 1000.0, 1.0 / rate].into_iter().find(|rate| USUAL.contains(rate)).unwrap_or(30.0);
    let why = format!(
        "{} frames a second, so that its {} s are likely to be others",
        short(rate),
        short(motion.duration_secs)
    );
    Some(Fault::with_fix("frame-rate", why, &["fix", "--fps", &short(likely.round())]))
}

/// One frame more than the keys take, all of which end on the same frame: whoever wrote it counted the end twice.
pub(super) fn frame_beyond(motion: &Motion) -> Option<Fault> {
    let rate = motion.frame_rate.filter(|_| motion.on_frames)?;
    let frame = |secs: f64| (secs * rate).round();
    let tracks = motion.tracks.iter().filter(|track| track.curve.len() > 1);
    let ends: Vec<f64> = tracks.filter_map(|track| track.curve.times_secs().last().copied()).collect();
    let (last, stated) = (frame(motion.last_secs()), frame(motion.duration_secs));
    let is_one = stated == last + 1.0 && ends.len() > 1 && ends.iter().all(|secs| frame(*secs) == last);
    let why = format!(
        "it has {} frames, and the last key of each of its {} tracks is on frame {last}: one frame too many",
        stated + 1.0,
        ends.len()
    );
    is_one.then(|| Fault::with_fix("frame-count", why, &["fix", "--frame-count", "0"]))
}

/// A pause at the end may well be meant, so it is no fault, however long.
pub(super) fn hold(motion: &Motion, looked: &mut Looked) {
    let last = motion.last_secs();
    let pause = motion.duration_secs - last;
    if last > 0.0 && pause > LONG_SECS && pause > last {
        let why = format!(
            "it holds its last pose from {} s to {} s; `clip fix --frame-count 0` ends it with its last key",
            short(last),
            short(motion.duration_secs)
        );
        looked.doubt("length", why);
    }
}
