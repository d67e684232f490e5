//! Clips to animations: every curve sampled at whole ticks, and an account of what is between them.
//!
//! The engine knows the first animation of a file only, and finds clips in it by the ticks that the JSON file names. So its dialects
//! get one animation with all clips one after another, the others an animation for each clip. An animation that moves no node has no ticks:
//! nothing of it can be named.

use super::super::placement::PREFIX;
use super::super::raw::{Animation, Bone, Dialect, Matrix};
use super::super::read::meaning;
use super::super::sidecar;
use super::bind::Bind;
use super::cannot;
use super::tree::Tree;
use crate::format::{AnimationMatrices, Result};
use maquette_scene::clip::{Blend, Clip, Curve, Interpolation, Keys, Target};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::{Scene, deviation, pose};
use std::borrow::Cow;
use std::collections::HashSet;

/// The rate for keys that lie on the ticks of no rate, and the least for what is not straight between its keys.
const USUAL_RATE: u32 = 60;
/// The engine shows whole ticks, so that fewer in a second would be seen.
const ENGINE_RATE: u32 = 30;
const MAX_RATE: u32 = 240;
/// How far a key may be from its tick, in seconds.
const TIME_TOLERANCE: f64 = 1e-4;
/// The most matrices that are written: 1 GiB of them.
const MAX_MATRICES: u64 = 1 << 24;

/// A clip, and its position in the scene.
type Placed<'s> = (usize, &'s Clip);

/// Clips in one animation, one after another.
struct Row<'s> {
    clips: Vec<Placed<'s>>,
    rate: u32,
}

/// The animations of the file, and the clips that the JSON file has to name.
pub(super) struct Animations {
    pub animations: Vec<Animation<'static>>,
    pub clips: Vec<sidecar::Clip>,
}

/// Samples all clips.
pub(super) fn write(
    tree: &Tree<'_>,
    bind: &Bind,
    is_weighted: &[bool],
    dialect: Dialect,
    losses: &mut LossReport,
) -> Result<Animations> {
    let mut written = Animations { animations: Vec::new(), clips: Vec::new() };
    let clips: Vec<Placed<'_>> = tree.scene.clips.iter().enumerate().collect();
    for &clip in &clips {
        judge(clip, losses)?;
    }
    if !dialect.stores_animations() {
        let detail = format!("the dialect {} has no animations", dialect.id());
        losses.dropped(Lost::Clips, "the scene", detail, clips.len() as u64);
        return Ok(written);
    }
    let moves = !clips.is_empty() && !bones(&clips, tree, bind, is_weighted, dialect).is_empty();
    let rows: Vec<Vec<Placed<'_>>> = match dialect.is_engine() && moves {
        true => vec![clips],
        false => clips.into_iter().map(|clip| vec![clip]).collect(),
    };
    let is_one = rows.len() == 1;
    for clips in rows {
        let rate = rate(&clips, dialect, losses);
        let row = Row { clips, rate };
        let animation = row.animation(tree, bind, is_weighted, dialect, losses)?;
        match (is_one, animation.bones.is_empty()) {
            (true, false) => written.clips = row.names(),
            (_, true) => {
                row.report_names("only ticks have names, and an animation that moves nothing has none", losses)
            }
            (false, false) => {
                let detail = "only clips of the first animation have names, and this dialect has one for each clip";
                row.report_names(detail, losses);
            }
        }
        written.animations.push(animation);
    }
    Ok(written)
}

/// Refuses what fitting takes away, and reports what the format has no place for.
fn judge((index, clip): Placed<'_>, losses: &mut LossReport) -> Result<()> {
    let subject = &subject("clip", index, &clip.name);
    let is_absolute = |blend: Option<Blend>| blend.unwrap_or(clip.blend) == Blend::Absolute;
    if !clip.tracks.iter().all(|track| is_absolute(track.blend)) {
        return Err(cannot(format!("{subject} has values that are added to the rest pose")));
    }
    if clip.tracks.iter().any(|track| matches!(track.curve, Curve::MorphWeights(_))) {
        return Err(cannot(format!("{subject} moves morph targets")));
    }
    let nameless = clip.tracks.iter().filter(|track| matches!(track.target, Target::Name(_))).count();
    losses.dropped(Lost::Tracks, subject, "they move nodes of another model", nameless as u64);
    losses.dropped(Lost::Events, subject, "the format has none", clip.events.len() as u64);
    Ok(())
}

/// The times of all keys of a clip, rising, each once.
fn key_times(clip: &Clip) -> Vec<f32> {
    let mut times: Vec<f32> = clip.tracks.iter().flat_map(|track| track.curve.times_secs()).copied().collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// Ticks in a second: the clips' own rate, or else the smallest at which every key is at a tick.
fn rate(clips: &[Placed<'_>], dialect: Dialect, losses: &mut LossReport) -> u32 {
    let times: Vec<Vec<f32>> = clips.iter().map(|(_, clip)| key_times(clip)).collect();
    let off = |time: f32, rate: u32| {
        let ticks = f64::from(time) * f64::from(rate);
        (ticks - ticks.round()).abs() / f64::from(rate)
    };
    let furthest = |times: &Vec<f32>, rate: u32| times.iter().map(|&time| off(time, rate)).fold(0.0, f64::max);
    let error = |rate: u32| times.iter().map(|times| furthest(times, rate)).fold(0.0, f64::max);
    let last = times.iter().flatten().copied().fold(0.0, f32::max);
    let exact = 1e-6 + f64::from(last) * 1e-6;
    let own = clips.first().and_then(|(_, clip)| clip.frame_rate).filter(|rate| rate.fract() == 0.0 && *rate >= 1.0);
    let own = own.filter(|rate| clips.iter().all(|(_, clip)| clip.frame_rate == Some(*rate))).map(|rate| rate as u32);
    let is_straight = |curve: &Curve| match curve.interpolation() {
        Interpolation::Linear => true,
        Interpolation::Step => !curve.jumps(),
        Interpolation::CubicSpline => false,
    };
    let curves = || clips.iter().flat_map(|(_, clip)| &clip.tracks).map(|track| &track.curve);
    let least = match (curves().all(is_straight), dialect.is_engine()) {
        (false, _) => USUAL_RATE,
        (true, true) => ENGINE_RATE,
        (true, false) => 1,
    };
    let fits = |tolerance: f64| {
        let own = own.filter(|&rate| error(rate) <= tolerance);
        own.or_else(|| (least..=MAX_RATE).find(|&rate| error(rate) <= tolerance))
    };
    let rate = fits(exact).or_else(|| fits(TIME_TOLERANCE)).unwrap_or(USUAL_RATE);
    for (&(index, clip), times) in clips.iter().zip(&times) {
        let largest = furthest(times, rate);
        let count = times.iter().filter(|&&time| off(time, rate) > exact).count() as u64;
        let detail = format!("{rate} ticks a second are the nearest; keys are up to {largest} s from a tick");
        let kind = LossKind::Approximated { max_error: largest as f32 };
        losses.push(kind, Lost::KeyTimes, subject("clip", index, &clip.name), detail, count);
    }
    rate
}

/// The nodes that get matrices, without them: those that clips move, those that stand elsewhere than in the scene, and
/// in the engine's meaning all with weights, since it looks at no other node.
fn bones(
    clips: &[Placed<'_>],
    tree: &Tree<'_>,
    bind: &Bind,
    is_weighted: &[bool],
    dialect: Dialect,
) -> Vec<(usize, Vec<Matrix>)> {
    let flag = |flags: &[bool], id: usize| flags.get(id).copied().unwrap_or(false);
    let tracks = clips.iter().flat_map(|(_, clip)| &clip.tracks);
    let targets: HashSet<&Target> = tracks.map(|track| &track.target).collect();
    let is_bone = |id: &usize| {
        let node = tree.nodes.get(*id).copied().flatten();
        node.is_some_and(|node| targets.contains(&Target::Node(node)))
            || flag(&bind.is_moved, *id)
            || (dialect.is_engine() && flag(is_weighted, *id))
    };
    (0..tree.nodes.len()).filter(is_bone).map(|id| (id, Vec::new())).collect()
}

impl Row<'_> {
    /// The last tick of a clip, counted from its first.
    fn last_tick(&self, clip: &Clip) -> u64 {
        let rate = f64::from(self.rate);
        let last_key = key_times(clip).last().map_or(0.0, |&time| (f64::from(time) * rate).round());
        // A little more than a whole number of ticks is that number.
        let length = (clip.duration_secs * rate - 1e-3).ceil();
        last_key.max(length).clamp(0.0, f64::from(u32::MAX)) as u64
    }

    fn animation(
        &self,
        tree: &Tree<'_>,
        bind: &Bind,
        is_weighted: &[bool],
        dialect: Dialect,
        losses: &mut LossReport,
    ) -> Result<Animation<'static>> {
        let ticks: u64 = self.clips.iter().map(|(_, clip)| self.last_tick(clip) + 1).sum();
        let mut bones = bones(&self.clips, tree, bind, is_weighted, dialect);
        let duration = u32::try_from(ticks - dialect.matrices_for(0).min(ticks)).ok();
        let duration = duration.filter(|_| ticks * bones.len().max(1) as u64 <= MAX_MATRICES);
        let duration = duration.ok_or_else(|| cannot(format!("clips of {ticks} ticks are too long")))?;
        for &(index, clip) in &self.clips {
            let subject = subject("clip", index, &clip.name);
            self.report(clip, &subject, losses);
            // Of what moves nothing, the length alone is written, which may be any.
            if bones.is_empty() {
                continue;
            }
            let moments = self.moments(clip);
            self.report_curves(tree.scene, clip, &moments, &subject, losses);
            for secs in moments {
                sample(tree, bind, is_weighted, dialect, clip, secs, &mut bones)
                    .ok_or_else(|| cannot(format!("{subject} moves bones beyond what singles hold")))?;
            }
        }
        let bone = |(id, matrices)| Bone { node_id: id as u32, matrices: Cow::Owned(matrices) };
        Ok(Animation { duration, rate: self.rate, bones: bones.into_iter().map(bone).collect() })
    }

    fn secs(&self, tick: usize) -> f32 {
        (tick as f64 / f64::from(self.rate)) as f32
    }

    /// The moment of the clip that each tick shows: that of a key which is close by, so that what jumps there has jumped.
    fn moments(&self, clip: &Clip) -> Vec<f32> {
        let keys = key_times(clip);
        let moment = |tick: u64| {
            let secs = self.secs(tick as usize);
            let after = keys.partition_point(|&key| key < secs);
            let near = [after.checked_sub(1), Some(after)].into_iter().flatten().filter_map(|at| keys.get(at).copied());
            let near = near.min_by(|a, b| (a - secs).abs().total_cmp(&(b - secs).abs()));
            near.filter(|key| f64::from((key - secs).abs()) <= TIME_TOLERANCE).unwrap_or(secs)
        };
        (0..=self.last_tick(clip)).map(moment).collect()
    }

    /// How far curves other than straight ones are from those that are read back.
    fn report_curves(&self, scene: &Scene, clip: &Clip, moments: &[f32], subject: &str, losses: &mut LossReport) {
        let tick_secs = self.secs(1);
        let jumps = clip.tracks.iter().filter(|track| track.curve.jumps()).count() as u64;
        let kind = LossKind::Approximated { max_error: tick_secs };
        losses.push(kind, Lost::Steps, subject, format!("a jump takes a tick, {tick_secs} s"), jumps);
        let times_secs: Vec<f32> = (0..moments.len()).map(|tick| self.secs(tick)).collect();
        let mut read_back = clip.clone();
        let mut splines = 0;
        for track in &mut read_back.tracks {
            if track.curve.interpolation() == Interpolation::CubicSpline {
                track.curve = straight(&track.curve, moments, &times_secs);
                splines += 1;
            }
        }
        if splines > 0 {
            let error = deviation::of_clips(scene, clip, &read_back);
            let detail =
                format!("straight from tick to tick, {} a second; no vertex is off by more than {error}", self.rate);
            losses.push(LossKind::Approximated { max_error: error }, Lost::CubicSplines, subject, detail, splines);
        }
    }

    fn report(&self, clip: &Clip, subject: &str, losses: &mut LossReport) {
        let early = key_times(clip).iter().filter(|time| **time < 0.0).count() as u64;
        losses.push(LossKind::Truncated, Lost::Keys, subject, "keys before the beginning", early);
        let error = (self.last_tick(clip) as f64 / f64::from(self.rate) - clip.duration_secs).abs();
        let detail = format!("it ends with its last tick, {error} s from its length");
        let kind = LossKind::Approximated { max_error: error as f32 };
        losses.push(kind, Lost::Durations, subject, detail, u64::from(error > TIME_TOLERANCE));
        let other = clip.frame_rate.is_some_and(|rate| rate != self.rate as f32);
        losses.dropped(Lost::FrameRates, subject, format!("it has {} ticks a second", self.rate), u64::from(other));
    }

    /// The clips as the JSON file names them; none for a single clip without a name.
    fn names(&self) -> Vec<sidecar::Clip> {
        if let [(_, clip)] = self.clips[..]
            && clip.name.is_empty()
            && clip.looped.is_none()
        {
            return Vec::new();
        }
        let mut start = 0;
        let named = |(_, clip): &Placed<'_>| {
            let end = start + self.last_tick(clip);
            let hold = clip.extras.get(PREFIX, "hold") == Some("true");
            let named = sidecar::Clip {
                name: Some(clip.name.clone()),
                start: Some(start),
                end: Some(end),
                looped: clip.looped,
                hold: hold.then_some(true),
                file: None,
            };
            start = end + 1;
            named
        };
        self.clips.iter().map(named).collect()
    }

    /// The JSON file can name parts of the first animation only.
    fn report_names(&self, detail: &str, losses: &mut LossReport) {
        for &(index, clip) in &self.clips {
            let whose = &subject("clip", index, &clip.name);
            losses.dropped(Lost::ClipNames, whose, detail, u64::from(!clip.name.is_empty()));
            losses.dropped(Lost::LoopFlags, whose, detail, u64::from(clip.looped.is_some()));
        }
    }
}

/// What a curve is at these moments, at other times and straight between them.
fn straight(curve: &Curve, moments: &[f32], times_secs: &[f32]) -> Curve {
    fn keys<T>(times_secs: &[f32], values: impl Iterator<Item = T>) -> Keys<T> {
        Keys { times_secs: times_secs.to_vec(), values: values.collect(), interpolation: Interpolation::Linear }
    }
    let vector = |of: &Keys<[f32; 3]>, secs: &f32| pose::vector_at(of, *secs).unwrap_or_default().to_array();
    match curve {
        Curve::Translation(of) => Curve::Translation(keys(times_secs, moments.iter().map(|secs| vector(of, secs)))),
        Curve::Scale(of) => Curve::Scale(keys(times_secs, moments.iter().map(|secs| vector(of, secs)))),
        Curve::Rotation(of) => {
            let value = |secs: &f32| pose::rotation_at(of, *secs).unwrap_or_default().to_array();
            Curve::Rotation(keys(times_secs, moments.iter().map(value)))
        }
        Curve::MorphWeights(_) => curve.clone(),
    }
}

/// Adds the matrices of a moment to all bones; `None` where one of them is not finite.
fn sample(
    tree: &Tree<'_>,
    bind: &Bind,
    is_weighted: &[bool],
    dialect: Dialect,
    clip: &Clip,
    secs: f32,
    bones: &mut [(usize, Vec<Matrix>)],
) -> Option<()> {
    let locals = tree.locals_at(clip, secs);
    let skinning = meaning(dialect) == AnimationMatrices::Skinning;
    let transforms = if skinning { tree.worlds(locals) } else { locals };
    for (id, matrices) in bones {
        let transform = tree.at(*id, &transforms);
        let bound = bind.globals.get(*id).copied().filter(|_| skinning && is_weighted.get(*id) == Some(&true));
        let matrix = bound.map_or(transform, |bound| {
            let inverse = bound.inverse();
            if inverse.is_finite() { transform * inverse } else { transform }
        });
        matrices.push(Some(matrix).filter(|matrix| matrix.is_finite())?.to_cols_array().map(Into::into));
    }
    Some(())
}
