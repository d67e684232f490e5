//! Sizes of nothing: what they are of is not seen.

use super::Fault;
use crate::{Curve, Motion};
use std::collections::HashSet;

/// One bone of nothing may hide what hangs at it; most of them hide all there is.
pub(super) fn told(motion: &Motion) -> Option<Fault> {
    let moved: HashSet<usize> = motion.tracks.iter().map(|track| track.bone).collect();
    let is_nothing = |curve: &Curve| match curve {
        Curve::Scale(keys) => keys.iter().all(|(_, size)| size.abs().min_element() < 1e-9) && !keys.values.is_empty(),
        _ => false,
    };
    let nothing = motion.tracks.iter().filter(|track| is_nothing(&track.curve)).count();
    let why = format!(
        "{nothing} of its {} bones have a size of 0 in every key, so nothing of them is seen; leave their scales out where it was made",
        moved.len()
    );
    (nothing * 2 > moved.len()).then(|| Fault { name: "scale-zero", why, fixes: Vec::new() })
}
