//! Clips: what they are called, how long they are, where everything is in them.

use super::Found;
use super::corners::{Corners, apart, extent};
use super::tracks::{self, JUMP_SECS};
use maquette_scene::clip::{Clip, Event, Track};
use maquette_scene::glam::Vec3;
use maquette_scene::loss::{Lost, subject};
use maquette_scene::{Scene, pose};
use std::collections::BTreeMap;

/// Moments of a clip at which poses are compared, besides those of its keys.
const MOMENTS: u32 = 32;
/// Moments of keys at which poses are compared, at most.
const KEYS: usize = 128;
/// Faces whose corners are compared at each moment, at most.
const FACES: usize = 4096;

/// Compares every clip of the first scene with its partner in the second.
pub fn compare(a: &Scene, b: &Scene, corners: &Option<Corners<'_>>, found: &mut Found) {
    for (index, clip) in a.clips.iter().enumerate() {
        let subject = subject("clip", index, &clip.name);
        let Some(other) = partner(a, clip, index, b) else {
            found.push("clips", &subject, "there", "missing", None);
            continue;
        };
        particulars(clip, other, &subject, found);
        match corners {
            Some(corners) => moving((a, clip), (b, other), corners, &subject, found),
            None => tracks::compare((a, clip), (b, other), &subject, found),
        }
    }
}

/// The clip of the same name, or in the same place where names do not tell. Of several of that name it is the one that comes as late.
fn partner<'b>(a: &Scene, clip: &Clip, index: usize, b: &'b Scene) -> Option<&'b Clip> {
    let is_namesake = |other: &&Clip| !clip.name.is_empty() && other.name == clip.name;
    let namesakes_before = a.clips.iter().take(index).filter(is_namesake).count();
    b.clips.iter().filter(is_namesake).nth(namesakes_before).or_else(|| b.clips.iter().nth(index))
}

fn particulars(a: &Clip, b: &Clip, subject: &str, found: &mut Found) {
    if !a.name.is_empty() {
        found.unequal("clip names", subject, &a.name, &b.name);
    }
    let seconds = |clip: &Clip| format!("{} s", clip.duration_secs);
    let apart = (a.duration_secs - b.duration_secs).abs();
    if apart > found.tolerance.max(1e-9) {
        found.push(Lost::Durations.word(), subject, seconds(a), seconds(b), Some(apart));
    }
    if !a.tracks.is_empty() {
        found.unequal("blending", subject, format!("{:?}", a.blend), format!("{:?}", b.blend));
    }
    let word = |looped: Option<bool>| match looped {
        Some(true) => "repeats",
        Some(false) => "plays once",
        None => "not said",
    };
    if a.looped.is_some() {
        found.unequal(Lost::LoopFlags.word(), subject, word(a.looped), word(b.looped));
    }
    if let Some(rate) = a.frame_rate
        && b.frame_rate.is_none_or(|other| (other - rate).abs() > 1e-3 * rate.abs())
    {
        let other = b.frame_rate.map_or("not said".into(), |rate| format!("{rate} Hz"));
        found.push(Lost::FrameRates.word(), subject, format!("{rate} Hz"), other, None);
    }
    events(&a.events, &b.events, subject, found);
}

fn events(a: &[Event], b: &[Event], subject: &str, found: &mut Found) {
    if a.len() != b.len() {
        found.push("events", subject, a.len(), b.len(), Some((a.len() as f64 - b.len() as f64).abs()));
        return;
    }
    for (a, b) in a.iter().zip(b) {
        let apart = f64::from((a.time_secs - b.time_secs).abs());
        if a.name != b.name || apart > found.tolerance.max(1e-6) {
            let text = |event: &Event| format!("{:?} at {} s", event.name, event.time_secs);
            found.push("events", subject, text(a), text(b), Some(apart));
        }
    }
}

/// Evenly through the clip, at its keys, and before and after each jump of either.
fn moments(a: &Clip, b: &Clip) -> Vec<f32> {
    let some_of = |tracks: &mut dyn Iterator<Item = &Track>| {
        let mut keys: Vec<f32> = tracks.flat_map(|track| track.curve.times_secs()).copied().collect();
        keys.sort_by(f32::total_cmp);
        keys.dedup();
        let every = keys.len().div_ceil(KEYS).max(1);
        keys.into_iter().step_by(every).collect::<Vec<f32>>()
    };
    let keys = some_of(&mut a.tracks.iter());
    let jumps = some_of(&mut a.tracks.iter().chain(&b.tracks).filter(|track| track.curve.jumps()));
    let around = jumps.into_iter().flat_map(|jump| [jump - JUMP_SECS, jump + JUMP_SECS]);
    let even = (0..=MOMENTS).map(|moment| a.duration_secs as f32 * moment as f32 / MOMENTS as f32);
    even.chain(keys).chain(around).collect()
}

fn moving(a: (&Scene, &Clip), b: (&Scene, &Clip), corners: &Corners<'_>, subject: &str, found: &mut Found) {
    let every = corners.faces().div_ceil(FACES).max(1);
    let faces = (0..corners.faces()).step_by(every);
    let pairs: Vec<(&str, (usize, usize))> =
        faces.flat_map(|face| corners.vertices(face).map(move |pair| (corners.mesh(face), pair))).collect();
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let mut worst: BTreeMap<&str, (f32, f32)> = BTreeMap::new();
    for secs in moments(a.1, b.1) {
        let at = |(scene, clip): (&Scene, &Clip)| pose::positions_at(scene, clip, secs);
        let (at_a, at_b) = (at(a), at(b));
        for &(mesh, (vertex_a, vertex_b)) in &pairs {
            let (Some(&point_a), Some(&point_b)) = (at_a.get(vertex_a), at_b.get(vertex_b)) else { continue };
            if point_a.is_finite() {
                (low, high) = (low.min(point_a), high.max(point_a));
            }
            let apart = apart(point_a, point_b);
            if apart > 0.0 {
                let known = worst.entry(mesh).or_default();
                *known = if apart > known.0 { (apart, secs) } else { *known };
            }
        }
    }
    let allowed = found.tolerance as f32 * extent(&[low, high]);
    for (mesh, (largest, when)) in worst.into_iter().filter(|(_, (largest, _))| *largest > allowed) {
        let text = format!("corners are up to {largest} apart, at {when} s");
        found.push("motion", subject, mesh, text, Some(largest.into()));
    }
}
