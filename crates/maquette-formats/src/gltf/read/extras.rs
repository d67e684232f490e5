//! `extras`: what the writer stored in `extras.maquette` goes back into the scene, the rest is kept.
//!
//! The page of [`write`](super::super::write) lists the members. Anyone can have written them, so each is validated, and one that is
//! invalid is dropped and named. A member that goes back into the scene is not kept among the extras as well: a file that is read
//! and written over and over stays the same. Unknown members stay where they are.

use super::{Called, Reading};
use crate::format::BUILT_IN;
use maquette_scene::clip::{Blend, Clip, Event};
use maquette_scene::extras::Extras;
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::material::Pbr;
use serde_json::{Map, Value};

/// The member of `extras` that is the writer's.
const MEMBER: &str = "maquette";

/// The extras of an object, split by whose they are.
pub(super) struct Split {
    /// Without the writer's member.
    foreign: Option<Value>,
    /// The writer's member.
    ours: Map<String, Value>,
    /// Keys of ours whose values are invalid.
    invalid: Vec<&'static str>,
}

impl Split {
    pub fn of(extras: Option<&Value>) -> Split {
        let mut foreign = extras.cloned();
        let object = foreign.as_mut().and_then(Value::as_object_mut);
        let is_ours = |object: &&mut Map<String, Value>| object.get(MEMBER).is_some_and(Value::is_object);
        let ours = object.filter(is_ours).and_then(|object| object.remove(MEMBER));
        match ours {
            Some(Value::Object(ours)) => {
                let foreign = foreign.filter(|foreign| foreign.as_object().is_none_or(|foreign| !foreign.is_empty()));
                Split { foreign, ours, invalid: Vec::new() }
            }
            _ => Split { foreign, ours: Map::new(), invalid: Vec::new() },
        }
    }

    /// Takes a member of ours out, as what `parse` makes of it.
    fn take<T>(&mut self, key: &'static str, parse: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        let parsed = parse(&self.ours.remove(key)?);
        if parsed.is_none() {
            self.invalid.push(key);
        }
        parsed
    }

    /// Takes a member of ours out and keeps it for the writer, if it is valid.
    fn pass_on(&mut self, key: &'static str, extras: &mut Extras, is_valid: impl FnOnce(&Value) -> bool) {
        if let Some(value) = self.take(key, |value| is_valid(value).then(|| value.clone())) {
            extras.set("gltf", key, value.to_string());
        }
    }

    /// Keeps the rest: what other formats had stored for them, everything else for glTF.
    pub fn keep(mut self, extras: &mut Extras, subject: impl Into<String>, losses: &mut LossReport) {
        if !self.invalid.is_empty() {
            let detail = format!("{} in extras.{MEMBER} are invalid", self.invalid.join(", "));
            losses.dropped(Lost::Extras, subject, detail, self.invalid.len() as u64);
        }
        let mut unknown = Map::new();
        for (key, value) in self.ours {
            match key.split_once('.') {
                Some(("gltf", "extras")) if self.foreign.is_none() => self.foreign = Some(value),
                Some((format, rest)) if format != "gltf" && BUILT_IN.by_id(format).is_some() => {
                    extras.set(format, rest, value.to_string());
                }
                _ => drop(unknown.insert(key, value)),
            }
        }
        if !unknown.is_empty() {
            // Extras that are no object have no members, and none of ours.
            let foreign = self.foreign.get_or_insert_with(|| Value::Object(Map::new()));
            if let Some(foreign) = foreign.as_object_mut() {
                foreign.insert(MEMBER.into(), Value::Object(unknown));
            }
        }
        super::keep(extras, "extras", self.foreign.as_ref());
    }
}

impl Reading<'_> {
    /// What a clip knew besides its keys.
    pub(super) fn clip_extras(&mut self, clip: &mut Clip, extras: Option<&Value>, subject: Called<'_>) {
        let mut split = Split::of(extras);
        if let Some(secs) = split.take("duration_secs", time) {
            clip.duration_secs = secs;
        }
        clip.frame_rate = split.take("frame_rate", |value| number(value).filter(|rate| *rate > 0.0));
        clip.looped = split.take("looped", Value::as_bool);
        clip.composed_from = split.take("blend", |value| (value == "additive").then_some(Blend::Additive));
        split.pass_on("shifted_secs", &mut clip.extras, |value| time(value).is_some());
        let events = split.take("events", |value| value.as_array().cloned()).unwrap_or_default();
        clip.events = events.iter().filter_map(event).collect();
        let invalid = (events.len() - clip.events.len()) as u64;
        self.losses.dropped(Lost::Events, subject, "they have no name, or no time from 0 on", invalid);
        split.keep(&mut clip.extras, subject, self.losses);
    }

    /// What a material knew that changes nothing about its looks.
    pub(super) fn material_extras(
        &mut self,
        own: &mut Extras,
        pbr: &mut Pbr,
        extras: Option<&Value>,
        subject: impl Into<String>,
    ) {
        let mut split = Split::of(extras);
        for (key, texture, factor) in [
            ("normal_scale", pbr.normal_texture.is_some(), &mut pbr.normal_scale),
            ("occlusion_strength", pbr.occlusion_texture.is_some(), &mut pbr.occlusion_strength),
            ("emissive_strength", false, &mut pbr.emissive_strength),
        ] {
            // Where glTF has the property itself, that is newer.
            if let Some(kept) = split.take(key, number).filter(|_| !texture && *factor == 1.0) {
                *factor = kept;
            }
        }
        split.keep(own, subject, self.losses);
    }

    /// Keeps the extras of an object for which the writer stores nothing of its own.
    pub(super) fn keep_extras(&mut self, kept: &mut Extras, extras: Option<&Value>, subject: impl Into<String>) {
        Split::of(extras).keep(kept, subject, self.losses);
    }

    /// The generator of the file, or that of the file it was converted from.
    pub(super) fn generator(&mut self, kept: &mut Extras) {
        let asset = &self.document.asset;
        let mut split = Split::of(asset.extras.as_ref());
        let original = split.take("generator", |value| value.as_str().map(Value::from));
        let generator = original.or_else(|| asset.generator.clone().map(Value::from));
        super::keep(kept, "generator", generator.as_ref());
        let mut extras = Extras::default();
        split.keep(&mut extras, "asset", self.losses);
        if let Some(own) = extras.get("gltf", "extras") {
            kept.set("gltf", "asset_extras", own);
        }
    }
}

fn number(value: &Value) -> Option<f32> {
    value.as_f64().map(|value| value as f32).filter(|value| value.is_finite())
}

/// Seconds from 0 on, within the range of floats.
fn time(value: &Value) -> Option<f64> {
    value.as_f64().filter(|secs| (0.0..=f64::from(f32::MAX)).contains(secs))
}

fn event(value: &Value) -> Option<Event> {
    let time_secs = time(value.get("time_secs")?)? as f32;
    Some(Event { time_secs, name: value.get("name")?.as_str()?.to_owned() })
}
