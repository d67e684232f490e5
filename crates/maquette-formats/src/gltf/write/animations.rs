//! Animations: a channel for each track that animates something; events and the like in `extras`.

use super::buffer::{Bounds, Kind, Purpose};
use super::extras::{self, number, seconds};
use super::keys::{self, Changes};
use super::meshes::Meshes;
use super::nodes::Nodes;
use super::{Draft, name};
use crate::gltf::schema::{Animation, AnimationSampler, Channel, ChannelTarget};
use maquette_scene::clip::{Blend, Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::loss::{LossKind, Lost, subject};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Adds all clips that move anything.
pub fn build<'a>(draft: &mut Draft<'a>, nodes: &Nodes<'a>, meshes: &Meshes) {
    let scene = draft.scene;
    if scene.clips.iter().any(|clip| !clip.tracks.is_empty()) {
        draft.buffer.begin(Purpose::Other);
    }
    for (index, clip) in scene.clips.iter().enumerate() {
        let subject = subject("clip", index, &clip.name);
        let mut build = Build { draft: &mut *draft, nodes, meshes, clip, subject };
        let made = build.animation();
        let Build { subject, .. } = build;
        if made.channels.is_empty() {
            let detail = match clip.events.len() {
                0 => "it moves nothing".to_owned(),
                events => format!("it moves nothing; {events} events go with it"),
            };
            draft.losses.dropped(Lost::Clips, subject, detail, 1);
        } else {
            draft.document.animations.push(made);
        }
    }
    drop_empty_view(draft);
}

/// Takes back the view for keys if there were none.
fn drop_empty_view(draft: &mut Draft<'_>) {
    if draft.buffer.views.last().is_some_and(|view| view.byte_length == 0) {
        draft.buffer.views.pop();
    }
}

struct Build<'b, 'a> {
    draft: &'b mut Draft<'a>,
    nodes: &'b Nodes<'a>,
    meshes: &'b Meshes,
    clip: &'a Clip,
    subject: String,
}

impl<'a> Build<'_, 'a> {
    fn animation(&mut self) -> Animation {
        let tracks = self.tracks();
        let starts = tracks.iter().filter_map(|(track, _)| track.curve.times_secs().first().copied());
        let starts = starts.chain(self.clip.events.iter().map(|event| event.time_secs));
        let start = starts.fold(0.0, f32::min);
        let shift_secs = -f64::from(start);
        if start < 0.0 {
            let detail = format!("times began at {start} s; the clip is shifted to begin at 0");
            self.draft.losses.push(LossKind::Baked, Lost::KeyTimes, &self.subject, detail, 1);
        }
        let mut animation = Animation { name: name(&self.clip.name), ..Animation::default() };
        let mut changes = Changes::default();
        let mut end = 0.0_f32;
        for (track, targets) in tracks {
            let sampled = keys::sampled(&track.curve, shift_secs, &mut changes);
            end = end.max(sampled.times.last().copied().unwrap_or(0.0));
            let sampler = AnimationSampler {
                input: self.draft.buffer.floats(Kind::Scalar, sampled.times, Bounds::Stated),
                output: self.draft.buffer.floats(sampled.kind, sampled.values, Bounds::Unstated),
                interpolation: interpolation(sampled.interpolation),
                ..AnimationSampler::default()
            };
            for node in targets {
                animation.channels.push(self.channel(track, animation.samplers.len(), node));
            }
            animation.samplers.push(sampler);
        }
        self.report(changes);
        animation.extras = self.extras(end, shift_secs);
        animation
    }

    /// The tracks that count, each with the nodes it moves: those with keys, and of several for one property the last.
    fn tracks(&mut self) -> Vec<(&'a Track, Vec<usize>)> {
        let clip = self.clip;
        let with_keys = || clip.tracks.iter().enumerate().filter(|(_, track)| !track.curve.times_secs().is_empty());
        let empty = clip.tracks.len() - with_keys().count();
        self.draft.losses.dropped(Lost::Tracks, &self.subject, "they have no keys", empty as u64);
        let last: HashMap<_, _> =
            with_keys().map(|(index, track)| ((&track.target, track.curve.property()), index)).collect();
        let (mut counting, mut replaced, mut idle) = (Vec::new(), 0, 0);
        for (index, track) in with_keys() {
            if last.get(&(&track.target, track.curve.property())) != Some(&index) {
                replaced += 1;
                continue;
            }
            let targets = self.targets(track);
            if targets.is_empty() {
                idle += 1;
            } else {
                counting.push((track, targets));
            }
        }
        let losses = &mut *self.draft.losses;
        losses.dropped(
            Lost::Tracks,
            &self.subject,
            "others of the clip move the same property and come later",
            replaced,
        );
        losses.dropped(Lost::MorphAnimation, &self.subject, "there are no such morph targets", idle);
        counting
    }

    /// The nodes that a track moves.
    fn targets(&self, track: &Track) -> Vec<usize> {
        match (&track.target, &track.curve) {
            (Target::Node(node), Curve::MorphWeights(keys)) => {
                let mesh = self.draft.scene.nodes.get(*node).and_then(|node| node.mesh);
                let count = mesh.map_or(0, |mesh| self.meshes.targets(mesh));
                let morphed = self.nodes.morphed.get(node.index()).filter(|_| all_of(keys, count));
                morphed.cloned().unwrap_or_default()
            }
            (Target::Name(_), Curve::MorphWeights(_)) => Vec::new(),
            (Target::Node(node), _) => vec![node.index()],
            (Target::Name(name), _) => self.nodes.named.get(name.as_str()).copied().into_iter().collect(),
        }
    }

    fn channel(&self, track: &Track, sampler: usize, node: usize) -> Channel {
        let path = match track.curve {
            Curve::Translation(_) => "translation",
            Curve::Rotation(_) => "rotation",
            Curve::Scale(_) => "scale",
            Curve::MorphWeights(_) => "weights",
        };
        Channel {
            sampler,
            target: ChannelTarget { node: Some(node), path: path.into(), ..ChannelTarget::default() },
            ..Channel::default()
        }
    }

    fn report(&mut self, changes: Changes) {
        let losses = &mut *self.draft.losses;
        changes.normalised.report(losses, &self.subject);
        let detail = "splines of a single key are written as that key";
        losses.push(LossKind::Baked, Lost::CubicSplines, &self.subject, detail, changes.lonely);
    }

    /// What glTF has no property for: duration, frame rate, loop flag, events, blending.
    fn extras(&self, end: f32, shift_secs: f64) -> Option<Value> {
        let clip = self.clip;
        let mut ours = Map::new();
        let duration_secs = clip.duration_secs + shift_secs;
        if duration_secs != f64::from(end) {
            ours.insert("duration_secs".into(), seconds(duration_secs));
        }
        // What the file said that the clip was read from still holds.
        let kept = |key: &str| clip.extras.get("gltf", key).map(extras::parsed);
        let shifted_secs = shift_secs + kept("shifted_secs").as_ref().and_then(Value::as_f64).unwrap_or(0.0);
        if shifted_secs > 0.0 {
            ours.insert("shifted_secs".into(), seconds(shifted_secs));
        }
        if let Some(rate) = clip.frame_rate.filter(|rate| rate.is_finite()) {
            ours.insert("frame_rate".into(), number(rate));
        }
        if clip.composed_from == Some(Blend::Additive) {
            ours.insert("blend".into(), "additive".into());
        }
        if let Some(looped) = clip.looped {
            ours.insert("looped".into(), looped.into());
        }
        if !clip.events.is_empty() {
            let time = |secs: f32| if shift_secs > 0.0 { (f64::from(secs) + shift_secs) as f32 } else { secs };
            let events = clip.events.iter();
            let events = events.map(|event| json!({ "time_secs": number(time(event.time_secs)), "name": event.name }));
            ours.insert("events".into(), events.collect());
        }
        extras::extras(&clip.extras, ours, &["shifted_secs"])
    }
}

/// Whether every key has so many weights, and there are any.
fn all_of(keys: &Keys<Vec<f32>>, count: usize) -> bool {
    count > 0 && keys.values.iter().all(|weights| weights.len() == count)
}

fn interpolation(interpolation: Interpolation) -> Option<String> {
    match interpolation {
        Interpolation::Linear => None,
        Interpolation::Step => Some("STEP".into()),
        Interpolation::CubicSpline => Some("CUBICSPLINE".into()),
    }
}
