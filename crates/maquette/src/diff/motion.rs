//! Clips: what they are called, how long they are, where everything is in them.

use super::Found;
use super::corners::{Corners, apart, extent};
use super::tracks::{JUMP_SECS, Joints};
use crate::work;
use maquette_scene::Scene;
use maquette_scene::clip::{Clip, Event, Track};
use maquette_scene::glam::Vec3;
use maquette_scene::loss::{Lost, subject};
use maquette_scene::posed::{Moved, Posed};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Moments of a clip at which poses are compared, besides those of its keys.
const MOMENTS: u32 = 32;
/// Moments of keys at which poses are compared, at most.
const KEYS: usize = 128;
/// Faces whose corners are compared at each moment, at most.
const FACES: usize = 4096;

/// Compares every clip of the first scene with its partner in the second.
pub fn compare(a: &Scene, b: &Scene, corners: &Option<Corners<'_>>, found: &mut Found) {
    let mut moving = corners.as_ref().map(|corners| Moving::new(a, b, corners));
    let joints = if moving.is_none() { Some(Joints::of(a, b)) } else { None };
    for (index, (clip, other)) in a.clips.iter().zip(partners(a, b)).enumerate() {
        let subject = subject("clip", index, &clip.name);
        let Some(other) = other else {
            found.push("clips", &subject, "there", "missing", None);
            continue;
        };
        particulars(clip, other, &subject, found);
        if let Some(moving) = &mut moving {
            moving.compare(clip, other, &subject, found);
        }
        if let Some(joints) = &joints {
            joints.compare(clip, other, &subject, found);
        }
    }
}

/// For each clip of the first scene the one of the same name in the second, or in the same place where names do not tell. Of several of one name
/// it is the one that comes as late.
fn partners<'b>(a: &Scene, b: &'b Scene) -> Vec<Option<&'b Clip>> {
    let mut namesakes: HashMap<&str, VecDeque<&Clip>> = HashMap::new();
    for clip in b.clips.iter().filter(|clip| !clip.name.is_empty()) {
        namesakes.entry(&clip.name).or_default().push_back(clip);
    }
    let in_order = b.clips.iter().map(Some).chain(std::iter::repeat(None));
    let clips = a.clips.iter().zip(in_order);
    clips
        .map(|(clip, same_place)| namesakes.get_mut(&*clip.name).and_then(VecDeque::pop_front).or(same_place))
        .collect()
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

/// Corners of both scenes that are watched while clips play.
struct Moving<'s> {
    a: Posed<'s>,
    b: Posed<'s>,
    /// The mesh of each, and its vertex in both scenes.
    pairs: Vec<(&'s str, (usize, usize))>,
    /// The pairs in the order of the vertices of the first scene.
    by_a: Vec<usize>,
    /// In the order of those of the second.
    by_b: Vec<usize>,
    /// The box around those of the first scene at rest.
    box_at_rest: [Vec3; 2],
}

impl<'s> Moving<'s> {
    fn new(a: &'s Scene, b: &'s Scene, corners: &'s Corners<'s>) -> Moving<'s> {
        let every = corners.faces().div_ceil(FACES).max(1);
        let faces = (0..corners.faces()).step_by(every);
        let pairs: Vec<(&str, (usize, usize))> =
            faces.flat_map(|face| corners.vertices(face).map(move |pair| (corners.mesh(face), pair))).collect();
        let mut by_a: Vec<usize> = (0..pairs.len()).collect();
        let mut by_b = by_a.clone();
        let vertices = |pair: usize| pairs.get(pair).map_or((0, 0), |(_, vertices)| *vertices);
        by_a.sort_by_key(|&pair| vertices(pair).0);
        by_b.sort_by_key(|&pair| vertices(pair).1);
        let (a, b) = (Posed::new(a), Posed::new(b));
        let mut box_at_rest = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        pairs
            .iter()
            .filter_map(|(_, (vertex, _))| a.positions().get(*vertex))
            .for_each(|&it| widen(&mut box_at_rest, it));
        Moving { a, b, pairs, by_a, by_b, box_at_rest }
    }

    /// Compares corners that either clip moves; those that none does are compared at rest.
    fn compare(&mut self, clip_a: &Clip, clip_b: &Clip, subject: &str, found: &mut Found) {
        let (moved_a, moved_b) = (self.a.moved(clip_a), self.b.moved(clip_b));
        let pairs = self.moved(&moved_a, &moved_b);
        let mut around = self.box_at_rest;
        let mut worst: BTreeMap<&str, (f32, f32)> = BTreeMap::new();
        for secs in moments(clip_a, clip_b) {
            self.a.place(&moved_a, secs);
            self.b.place(&moved_b, secs);
            work::done(pairs.len());
            for &(mesh, (vertex_a, vertex_b)) in &pairs {
                let points = self.a.positions().get(vertex_a).zip(self.b.positions().get(vertex_b));
                let Some((&point_a, &point_b)) = points else { continue };
                widen(&mut around, point_a);
                let apart = apart(point_a, point_b);
                if apart > 0.0 {
                    let known = worst.entry(mesh).or_default();
                    *known = if apart > known.0 { (apart, secs) } else { *known };
                }
            }
        }
        self.a.rest(&moved_a);
        self.b.rest(&moved_b);
        let allowed = found.tolerance as f32 * extent(&around);
        for (mesh, (largest, when)) in worst.into_iter().filter(|(_, (largest, _))| *largest > allowed) {
            let text = format!("corners are up to {largest} apart, at {when} s");
            found.push("motion", subject, mesh, text, Some(largest.into()));
        }
    }

    /// The pairs of which either is moved, in their order.
    fn moved(&self, moved_a: &Moved<'_>, moved_b: &Moved<'_>) -> Vec<(&'s str, (usize, usize))> {
        let vertices = |pair: usize| self.pairs.get(pair).map_or((0, 0), |(_, vertices)| *vertices);
        let within = |sorted: &'_ [usize], range: std::ops::Range<usize>, of: &dyn Fn(usize) -> usize| {
            let from = sorted.partition_point(|&pair| of(pair) < range.start);
            let to = sorted.partition_point(|&pair| of(pair) < range.end);
            sorted.get(from..to).unwrap_or_default().to_vec()
        };
        let of_a = self.a.vertices(moved_a).flat_map(|range| within(&self.by_a, range, &|pair| vertices(pair).0));
        let of_b = self.b.vertices(moved_b).flat_map(|range| within(&self.by_b, range, &|pair| vertices(pair).1));
        let mut pairs: Vec<usize> = of_a.chain(of_b).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.into_iter().filter_map(|pair| self.pairs.get(pair).copied()).collect()
    }
}

fn widen([low, high]: &mut [Vec3; 2], point: Vec3) {
    if point.is_finite() {
        (*low, *high) = (low.min(point), high.max(point));
    }
}
