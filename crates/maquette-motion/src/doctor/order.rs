//! Quaternions whose numbers stand in another order, or turn the other way, than the model's.

use super::{Fault, Matched, angle, mean, rotations};
use crate::ops::Misread;
use crate::{Blend, Motion, short};
use maquette_scene::glam::DQuat;

/// What is so many times nearer to the rest pose if it is read in another way was written so.
const NEARER: f64 = 1.6;
/// This part of the bones that differ in both ways must agree.
const MOST: f64 = 0.75;
/// Fewer bones may be what they are.
const FEWEST: usize = 3;
/// What differs by less, in radians, tells nothing.
const ALIKE: f64 = 0.1;

pub(super) fn told(motion: &Motion, matched: &Matched<'_>) -> Option<Fault> {
    let tracks: Vec<(Vec<DQuat>, DQuat)> = motion
        .tracks
        .iter()
        .filter_map(|track| {
            let home = match matched.blend(track) {
                Blend::Additive => DQuat::IDENTITY,
                _ => matched.joint(track)?.rest.rotation,
            };
            Some((rotations(track)?, home))
        })
        .collect();
    let ways = [
        (Misread::WFirst, "w-first", "their w stands first"),
        (Misread::Inverse, "inverse", "they turn the other way"),
    ];
    ways.into_iter().find_map(|(misread, word, what)| {
        let far = |(values, home): &(Vec<DQuat>, DQuat)| {
            let apart = |read: &dyn Fn(DQuat) -> DQuat| mean(values.iter().map(|value| angle(read(*value), *home)));
            (apart(&|value| value), apart(&|value| misread.put_right(value)))
        };
        let all: Vec<(f64, f64)> = tracks.iter().map(far).filter(|(is, read)| (is - read).abs() > ALIKE).collect();
        let nearer = all.iter().filter(|(is, read)| read < is).count();
        let [is, read] = [mean(all.iter().map(|both| both.0)), mean(all.iter().map(|both| both.1))];
        let is_so = all.len() >= FEWEST && nearer as f64 >= MOST * all.len() as f64 && read * NEARER < is;
        let why = format!(
            "its rotations are {} rad from the rest pose, on average of {} bones, and {} rad if {what}",
            short(is),
            all.len(),
            short(read)
        );
        is_so.then(|| Fault::with_fix("rotation-order", why, &["fix", "--rotations", word]))
    })
}
