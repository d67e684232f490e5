//! A scene to PANI: its first clip.
//!
//! The bones are the joints of the skin, in its order; without a skin, the bones of the file that the clip came from, or what the
//! clip moves, in the order of its tracks. Every run of keys is written from 0 to the end of the clip, and a property that does
//! not move is written at rest at both ends, because the engine needs a key on either side of every moment.

use super::frames;
use super::raw::{Bone, Dialect, File, PositionKey, RotationKey, ScaleKey, VERSION};
use super::read::bone_name;
use crate::companions;
use crate::format::{Bundle, Error, Fitted, Result, WriteOptions};
use crate::ticks::{self, EXACT_RATE};
use maquette_scene::clip::{Clip, Curve, Keys, Target, Track};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::scene::{Node, Transform, Trs};
use maquette_scene::{Handle, Scene};
use std::borrow::Cow;
use std::collections::HashMap;

/// Rates that a frame rate may ask for.
const WHOLE_RATES: std::ops::RangeInclusive<f32> = 1.0..=1000.0;
/// From this on, in seconds, another length of a clip is reported.
const LENGTH_TOLERANCE_SECS: f64 = 1e-6;

fn cannot(why: impl Into<String>) -> Error {
    Error::CannotHold(why.into())
}

/// Writes a fitted scene.
pub fn write(scene: &Fitted<'_>, options: &WriteOptions<'_>, losses: &mut LossReport) -> Result<Bundle> {
    let dialect = Dialect::known(options.dialect)?;
    let Some(clip) = scene.clips.iter().next() else {
        return Err(cannot("a PANI file holds a clip, and the scene has none"));
    };
    for (index, other) in scene.clips.iter().enumerate().skip(1) {
        let whose = subject("clip", index, &other.name);
        losses.dropped(Lost::Clips, whose, "a PANI file holds one, the first", 1);
    }
    let subject = subject("clip", 0, &clip.name);
    let mut bones = bones(scene, clip, losses);
    let mut astray = 0;
    for track in &clip.tracks {
        astray += u64::from(!bones.add(track, &subject)?);
    }
    losses.dropped(Lost::Tracks, &subject, "they move what is no joint of the skeleton", astray);
    bones.report(losses);
    let sized = bones.list.iter().filter(|bone| bone.lacks_scale()).count() as u64;
    let detail = "the engine reads a scale beside every position: those that are not known are 1";
    losses.push(LossKind::Baked, Lost::Tracks, &subject, detail, sized);
    let rate = rate(clip);
    let duration = (clip.duration_secs * f64::from(rate)) as f32;
    // At the end stands a key, which is read in seconds again.
    let ends = duration.is_finite() && duration >= 0.0 && ticks::seconds(duration, rate).is_finite();
    if !ends || !frames::times(clip).all(|secs| ticks::ticks(secs, rate).is_finite()) {
        return Err(cannot(format!("{subject} has times that no float holds, or lasts less than no time")));
    }
    report(clip, rate, duration, &subject, losses);
    let name = companions::own_or_file_name(&clip.name, Lost::ClipNames, &subject, options, losses);
    let times = Times { rate, start: 0.0, end: duration };
    let file = File {
        dialect,
        evidence: "made as such".into(),
        version: clip.extras.get("pani", "version").and_then(|version| version.parse().ok()).unwrap_or(VERSION),
        duration: duration.into(),
        ticks_per_second: rate.into(),
        name: Cow::Borrowed(name.as_bytes()),
        bones: bones.list.iter().map(|bone| bone.encode(times)).collect(),
        trailing: Cow::default(),
    };
    Ok(file.encode().into())
}

/// The rate of the file it came from, or its frame rate, if they hold every time; else the one that holds any.
fn rate(clip: &Clip) -> f32 {
    let kept = clip.extras.get("pani", "ticks_per_second").and_then(|rate| rate.parse::<f32>().ok());
    let kept = kept.filter(|rate| rate.is_finite() && *rate > 0.0);
    let frames = clip.frame_rate.filter(|rate| WHOLE_RATES.contains(rate) && rate.fract() == 0.0);
    let mut rates = kept.into_iter().chain(frames);
    rates.find(|&rate| ticks::holds(rate, frames::times(clip))).unwrap_or(EXACT_RATE.into())
}

fn report(clip: &Clip, rate: f32, duration: f32, subject: &str, losses: &mut LossReport) {
    losses.dropped(Lost::Events, subject, "the format has none", clip.events.len() as u64);
    losses.dropped(Lost::LoopFlags, subject, "the format has none", u64::from(clip.looped.is_some()));
    let read_back = frames::frame_rate(rate, clip);
    let detail = format!("keys are written in {rate} ticks in a second");
    losses.dropped(
        Lost::FrameRates,
        subject,
        detail,
        u64::from(clip.frame_rate.is_some() && clip.frame_rate != read_back),
    );
    let error = (f64::from(duration) / f64::from(rate) - clip.duration_secs).abs();
    if error > LENGTH_TOLERANCE_SECS {
        let kind = LossKind::Approximated { max_error: error as f32 };
        losses.push(kind, Lost::Durations, subject, format!("{error} seconds, the nearest float in ticks"), 1);
    }
}

/// What moves, in the order of the file.
struct Moved<'s> {
    name: String,
    /// Where it rests; unknown for bones of another scene.
    rest: Option<&'s Transform>,
    translation: Option<&'s Keys<[f32; 3]>>,
    rotation: Option<&'s Keys<[f32; 4]>>,
    scale: Option<&'s Keys<[f32; 3]>>,
}

struct Bones<'s> {
    list: Vec<Moved<'s>>,
    by_node: HashMap<Handle<Node>, usize>,
    by_name: HashMap<String, usize>,
    is_open: bool,
    scene: &'s Scene,
}

fn bones<'s>(scene: &'s Scene, clip: &Clip, losses: &mut LossReport) -> Bones<'s> {
    let mut bones = Bones { list: Vec::new(), by_node: HashMap::new(), by_name: HashMap::new(), is_open: false, scene };
    let others = scene.skins.len().saturating_sub(1);
    losses.dropped(Lost::Skins, "the model", "an animation is for one skeleton, the first", others as u64);
    let first = scene.skins.len() - others;
    losses.dropped(Lost::Skins, "the model", "of a skeleton, its keys alone are held", first as u64);
    match scene.skins.iter().next() {
        None => {
            bones.is_open = true;
            let kept = clip.extras.get("pani", "bones").map(serde_json::from_str::<Vec<String>>);
            for name in kept.and_then(|kept| kept.ok()).unwrap_or_default() {
                bones.push(&Target::Name(name));
            }
        }
        Some(skin) => {
            for &joint in &skin.joints {
                bones.push(&Target::Node(joint));
            }
        }
    }
    bones
}

impl<'s> Bones<'s> {
    fn push(&mut self, target: &Target) -> usize {
        let position = self.list.len();
        let (name, rest) = match target {
            Target::Name(name) => (name.clone(), None),
            Target::Node(handle) => {
                self.by_node.insert(*handle, position);
                let node = self.scene.nodes.get(*handle);
                (node.map(|node| node.name.clone()).unwrap_or_default(), node.map(|node| &node.transform))
            }
        };
        self.by_name.entry(name.clone()).or_insert(position);
        self.list.push(Moved { name, rest, translation: None, rotation: None, scale: None });
        position
    }

    /// The position of what a track moves; `None` if it is no bone.
    fn position(&mut self, target: &Target) -> Option<usize> {
        let known = match target {
            Target::Node(node) => self.by_node.get(node),
            Target::Name(name) => self.by_name.get(name),
        };
        known.copied().or_else(|| self.is_open.then(|| self.push(target)))
    }

    /// Adds the keys of a track; `false` if it moves no bone.
    fn add(&mut self, track: &'s Track, subject: &str) -> Result<bool> {
        let bone = self.position(&track.target).and_then(|position| self.list.get_mut(position));
        let Some(bone) = bone else { return Ok(false) };
        let is_free = match &track.curve {
            Curve::Translation(keys) => bone.translation.replace(keys).is_none(),
            Curve::Rotation(keys) => bone.rotation.replace(keys).is_none(),
            Curve::Scale(keys) => bone.scale.replace(keys).is_none(),
            Curve::MorphWeights(_) => return Err(cannot(format!("{subject} moves morph targets"))),
        };
        match is_free {
            true => Ok(true),
            false => Err(cannot(format!("{subject} has two {} curves for {:?}", track.curve.property(), bone.name))),
        }
    }

    fn report(&self, losses: &mut LossReport) {
        let others = self.scene.nodes.handles().filter(|node| !self.by_node.contains_key(node)).count();
        losses.dropped(Lost::Nodes, "the model", "they are no joints that could be moved", others as u64);
        let named = self.list.iter().enumerate().filter(|(position, bone)| bone.name != bone_name(*position)).count();
        losses.dropped(Lost::NodeNames, "the skeleton", "bones are known by their position", named as u64);
        for (position, bone) in self.list.iter().enumerate() {
            let lies_still = bone.translation.is_none() && bone.rotation.is_none() && bone.scale.is_none();
            if let (true, Some(Transform::Matrix(matrix))) = (lies_still, bone.rest)
                && !Trs::from_matrix(*matrix).matrix().abs_diff_eq(*matrix, 1e-5)
            {
                losses.dropped(Lost::Shear, subject("joint", position, &bone.name), "of its rest pose", 1);
            }
        }
    }
}

/// From when to when every property has keys, in ticks.
#[derive(Clone, Copy)]
struct Times {
    rate: f32,
    start: f32,
    end: f32,
}

impl Times {
    /// The same for scales, which the engine counts by the keys of positions: they must not run out before those.
    fn beside<T>(self, positions: &[(f32, T)]) -> Times {
        let time = |key: Option<&(f32, T)>, otherwise: f32| key.map_or(otherwise, |(time, _)| *time);
        let (first, last) = (time(positions.first(), self.start), time(positions.last(), self.end));
        Times { start: self.start.min(first), end: self.end.max(last), ..self }
    }

    /// Keys in ticks, from the start to the end. A value at rest stands for a property without keys; one that is unknown leaves it without.
    fn run<const N: usize>(self, keys: Option<&Keys<[f32; N]>>, rest: Option<[f32; N]>) -> Vec<(f32, [f32; N])> {
        let keys = keys.into_iter().flat_map(|keys| keys.times_secs.iter().zip(&keys.values));
        let mut run: Vec<_> = keys.map(|(&secs, &value)| (ticks::ticks(secs, self.rate), value)).collect();
        if run.is_empty() {
            run.extend(rest.map(|value| (self.start, value)));
        }
        if let Some(&(time, value)) = run.first()
            && time > self.start
        {
            run.insert(0, (self.start, value));
        }
        if let Some(&(time, value)) = run.last()
            && time < self.end
        {
            run.push((self.end, value));
        }
        run
    }
}

impl Moved<'_> {
    /// Whether keys of scale must be made up: the engine needs them beside positions, and nobody says how large the bone is at rest.
    fn lacks_scale(&self) -> bool {
        self.rest.is_none() && self.translation.is_some() && self.scale.is_none()
    }

    fn encode(&self, times: Times) -> Bone<'static> {
        let rest = self.rest.map(Transform::trs);
        let positions = times.run(self.translation, rest.map(|rest| rest.translation.to_array()));
        let rotations = times.run(self.rotation, rest.map(|rest| rest.rotation.to_array()));
        let rest = rest.map(|rest| rest.scale.to_array()).or(self.lacks_scale().then_some([1.0; 3]));
        let scales = times.beside(&positions).run(self.scale, rest);
        let position = |(time, value): (f32, [f32; 3])| PositionKey { time: time.into(), value: value.map(Into::into) };
        let rotation = |(time, value): (f32, [f32; 4])| RotationKey { time: time.into(), value: value.map(Into::into) };
        let scale = |(time, value): (f32, [f32; 3])| ScaleKey { time: time.into(), value: value.map(Into::into) };
        Bone {
            positions: positions.into_iter().map(position).collect(),
            rotations: rotations.into_iter().map(rotation).collect(),
            scales: scales.into_iter().map(scale).collect(),
        }
    }
}
