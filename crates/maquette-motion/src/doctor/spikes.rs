//! Keys that jump away for one frame and back.

use super::Fault;
use crate::curve::Keys;
use crate::value::Value;
use crate::{Curve, Interpolation, Motion, short};
use maquette_scene::glam::DVec3;

/// How many times the usual bend of its curve a spike is.
const UNUSUAL: f64 = 25.0;
/// What it comes back to: this part of the way it went.
const COMES_BACK: f64 = 0.2;
/// Fewer keys tell nothing of what is usual.
const FEWEST_KEYS: usize = 6;
/// A turn or a growth within a frame that none is meant to be: a radian, a size.
const LARGE: f64 = 1.0;

pub(super) fn told(motion: &Motion) -> Option<Fault> {
    let found: Vec<(&str, f64, f64)> = motion
        .tracks
        .iter()
        .flat_map(|track| {
            let name = motion.bone(track).map_or("", |bone| bone.name.as_str());
            let times = track.curve.times_secs();
            spikes(&track.curve).into_iter().filter_map(move |(key, size)| Some((name, *times.get(key)?, size)))
        })
        .collect();
    let (bone, secs, size) = *found.first()?;
    let why = format!(
        "{} keys jump away and back within a frame, first {bone:?} at {} s, by {} times as much as it bends elsewhere",
        found.len(),
        short(secs),
        short(size.min(1e6).round())
    );
    Some(Fault::with_fix("spikes", why, &["fix", "--spikes"]))
}

/// The keys of a curve that jump away and back, and how many times the usual bend each is.
pub fn spikes(curve: &Curve) -> Vec<(usize, f64)> {
    match curve {
        Curve::Translation(keys) => {
            let far = keys.iter().map(|(_, value)| value.length()).collect();
            // Half of how far it usually is from its parent.
            let floor = super::median(far).unwrap_or(0.0) / 2.0;
            of_keys(keys, floor, |one, other| one.distance(*other))
        }
        Curve::Rotation(keys) => of_keys(keys, LARGE, |one, other| super::angle(one.finished(), other.finished())),
        Curve::Scale(keys) => of_keys(keys, LARGE, |one: &DVec3, other| (*one - *other).abs().max_element()),
        Curve::MorphWeights(_) => Vec::new(),
    }
}

fn of_keys<T: Value>(keys: &Keys<T>, floor: f64, apart: impl Fn(&T, &T) -> f64) -> Vec<(usize, f64)> {
    if keys.interpolation != Interpolation::Linear || keys.times_secs.len() < FEWEST_KEYS {
        return Vec::new();
    }
    let spans: Vec<f64> =
        keys.times_secs.windows(2).map(|pair| pair.iter().fold(0.0, |before, secs| secs - before)).collect();
    let span = super::median(spans).unwrap_or(0.0);
    // For each key but the first and the last: how far it is from half way between its neighbours, and how far these are apart.
    let bends: Vec<(f64, f64)> = keys
        .values
        .windows(3)
        .map(|three| match three {
            [before, here, after] => (apart(here, &before.between(after, 0.5)), apart(before, after)),
            _ => (0.0, 0.0),
        })
        .collect();
    // What a spike does to the bends of its neighbours makes three of each large.
    let usual = super::median(bends.iter().map(|(bend, _)| *bend).collect()).unwrap_or(0.0);
    let is_spike = |(at, (bend, apart)): &(usize, &(f64, f64))| {
        let ends = [at, &(at + 2)].map(|key| keys.times_secs.get(*key).copied().unwrap_or(f64::INFINITY));
        let [from, to] = ends;
        *bend > floor && *bend > UNUSUAL * usual && *apart < COMES_BACK * bend && *bend > 0.0 && to - from < 2.5 * span
    };
    let found = bends.iter().enumerate().filter(is_spike);
    found.map(|(at, (bend, _))| (at + 1, bend / usual.max(1e-9))).collect()
}
