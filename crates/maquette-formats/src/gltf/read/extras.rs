//! What the writer put aside in `extras.maquette`, taken back into the scene.
//!
//! The page of [`write`](super::super::write) lists the members. Anyone can have written them, so each is judged, and what makes no sense is
//! dropped and named. What is taken back is not kept among the object's own extras as well: a file that is read and written over
//! and over stays the same. Members that are not known stay where they are.

use super::{Called, Reading};
use crate::format::BUILT_IN;
use maquette_scene::clip::{Clip, Event};
use maquette_scene::extras::Extras;
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::material::Pbr;
use serde_json::{Map, Value};

/// The member of `extras` that is the writer's.
const MEMBER: &str = "maquette";

/// The extras of an object, taken apart.
pub(super) struct Aside {
    /// What is not the writer's.
    own: Option<Value>,
    /// What is.
    ours: Map<String, Value>,
    /// Members that make no sense.
    odd: Vec<&'static str>,
}

impl Aside {
    pub fn of(extras: Option<&Value>) -> Aside {
        let mut own = extras.cloned();
        let object = own.as_mut().and_then(Value::as_object_mut);
        let is_ours = |object: &&mut Map<String, Value>| object.get(MEMBER).is_some_and(Value::is_object);
        let ours = object.filter(is_ours).and_then(|object| object.remove(MEMBER));
        match ours {
            Some(Value::Object(ours)) => {
                let own = own.filter(|own| own.as_object().is_none_or(|own| !own.is_empty()));
                Aside { own, ours, odd: Vec::new() }
            }
            _ => Aside { own, ours: Map::new(), odd: Vec::new() },
        }
    }

    /// Takes a member out, as what `sense` makes of it.
    fn take<T>(&mut self, key: &'static str, sense: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        let sense = sense(&self.ours.remove(key)?);
        if sense.is_none() {
            self.odd.push(key);
        }
        sense
    }

    /// Takes a member out and keeps it for the writer, if it makes sense.
    fn pass_on(&mut self, key: &'static str, extras: &mut Extras, sense: impl FnOnce(&Value) -> bool) {
        if let Some(value) = self.take(key, |value| sense(value).then(|| value.clone())) {
            extras.set("gltf", key, value.to_string());
        }
    }

    /// Keeps the rest: for each format what it had kept, and for glTF what is not known.
    pub fn keep(mut self, extras: &mut Extras, subject: impl Into<String>, losses: &mut LossReport) {
        if !self.odd.is_empty() {
            let detail = format!("{} in extras.{MEMBER} make no sense", self.odd.join(", "));
            losses.dropped(Lost::Extras, subject, detail, self.odd.len() as u64);
        }
        let mut unknown = Map::new();
        for (key, value) in self.ours {
            match key.split_once('.') {
                Some(("gltf", "extras")) if self.own.is_none() => self.own = Some(value),
                Some((format, rest)) if format != "gltf" && BUILT_IN.by_id(format).is_some() => {
                    extras.set(format, rest, value.to_string());
                }
                _ => drop(unknown.insert(key, value)),
            }
        }
        if !unknown.is_empty() {
            // Where the object's own extras are no object, there were no members beside them.
            let own = self.own.get_or_insert_with(|| Value::Object(Map::new()));
            if let Some(own) = own.as_object_mut() {
                own.insert(MEMBER.into(), Value::Object(unknown));
            }
        }
        super::keep(extras, "extras", self.own.as_ref());
    }
}

impl Reading<'_> {
    /// What a clip knew besides its keys.
    pub(super) fn clip_aside(&mut self, clip: &mut Clip, extras: Option<&Value>, subject: Called<'_>) {
        let mut aside = Aside::of(extras);
        if let Some(secs) = aside.take("duration_secs", time) {
            clip.duration_secs = secs;
        }
        clip.frame_rate = aside.take("frame_rate", |value| number(value).filter(|rate| *rate > 0.0));
        clip.looped = aside.take("looped", Value::as_bool);
        aside.pass_on("shifted_secs", &mut clip.extras, |value| time(value).is_some());
        let events = aside.take("events", |value| value.as_array().cloned()).unwrap_or_default();
        clip.events = events.iter().filter_map(event).collect();
        let odd = (events.len() - clip.events.len()) as u64;
        self.losses.dropped(Lost::Events, subject, "they have no name, or no time from 0 on", odd);
        aside.keep(&mut clip.extras, subject, self.losses);
    }

    /// What a material knew that changes nothing about its looks.
    pub(super) fn material_extras(
        &mut self,
        own: &mut Extras,
        pbr: &mut Pbr,
        extras: Option<&Value>,
        subject: impl Into<String>,
    ) {
        let mut aside = Aside::of(extras);
        for (key, texture, factor) in [
            ("normal_scale", pbr.normal_texture.is_some(), &mut pbr.normal_scale),
            ("occlusion_strength", pbr.occlusion_texture.is_some(), &mut pbr.occlusion_strength),
            ("emissive_strength", false, &mut pbr.emissive_strength),
        ] {
            // Beside the property itself it is out of date.
            if let Some(kept) = aside.take(key, number).filter(|_| !texture && *factor == 1.0) {
                *factor = kept;
            }
        }
        aside.keep(own, subject, self.losses);
    }

    /// Keeps the extras of an object of which nothing else is known.
    pub(super) fn keep_extras(&mut self, kept: &mut Extras, extras: Option<&Value>, subject: impl Into<String>) {
        Aside::of(extras).keep(kept, subject, self.losses);
    }

    /// What wrote the file, or what wrote the file that it was made from.
    pub(super) fn generator(&mut self, kept: &mut Extras) {
        let asset = &self.document.asset;
        let mut aside = Aside::of(asset.extras.as_ref());
        let original = aside.take("generator", |value| value.as_str().map(Value::from));
        let generator = original.or_else(|| asset.generator.clone().map(Value::from));
        super::keep(kept, "generator", generator.as_ref());
        let mut extras = Extras::default();
        aside.keep(&mut extras, "asset", self.losses);
        if let Some(own) = extras.get("gltf", "extras") {
            kept.set("gltf", "asset_extras", own);
        }
    }
}

fn number(value: &Value) -> Option<f32> {
    value.as_f64().map(|value| value as f32).filter(|value| value.is_finite())
}

/// Seconds from 0 on, that single precision can tell.
fn time(value: &Value) -> Option<f64> {
    value.as_f64().filter(|secs| (0.0..=f64::from(f32::MAX)).contains(secs))
}

fn event(value: &Value) -> Option<Event> {
    let time_secs = time(value.get("time_secs")?)? as f32;
    Some(Event { time_secs, name: value.get("name")?.as_str()?.to_owned() })
}
