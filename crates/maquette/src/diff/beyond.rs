//! What files hold beyond a scene: cameras and lights, other scenes, extensions that are not known here, and what authors put into extras.
//!
//! Readers count it and let it go, so that of two files with as much of it only that can be said.

use super::Difference;
use crate::Read;
use maquette_scene::Scene;
use maquette_scene::extras::Extras;
use maquette_scene::loss::{LossReport, Lost};
use serde_json::Value;

/// What readers let go that another file may have as well.
const UNREAD: [Lost; 4] = [Lost::Scenes, Lost::CamerasAndLights, Lost::Extensions, Lost::Extras];

/// What two files hold beyond their scenes.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Beyond {
    /// What one of them has and the other has not.
    pub differences: Vec<Difference>,
    /// What both have as much of, and nobody looked into.
    pub not_compared: Vec<String>,
}

/// Compares what two files hold beyond their scenes.
pub fn beyond(a: &Read, b: &Read) -> Beyond {
    let mut beyond = Beyond::default();
    for what in UNREAD {
        let (of_a, of_b) = (told(&a.losses, what), told(&b.losses, what));
        match of_a == of_b {
            true => beyond.not_compared.extend(of_a.into_iter().map(|told| format!("{what}: {told}"))),
            false => beyond.push(what, of_a, of_b),
        }
    }
    beyond.push(Lost::Extras, authored(&a.scene), authored(&b.scene));
    beyond
}

impl Beyond {
    /// What only one of two lists has.
    fn push(&mut self, what: Lost, a: Vec<String>, b: Vec<String>) {
        let only = |these: &[String], those: &[String]| {
            let only: Vec<&str> = these.iter().filter(|it| !those.contains(it)).map(String::as_str).collect();
            if only.is_empty() { "none besides".to_owned() } else { only.join(", ") }
        };
        if a != b {
            let (subject, what) = (String::new(), what.word());
            let (a, b) = (only(&a, &b), only(&b, &a));
            self.differences.push(Difference { what, subject, a, b, size: None, psnr_db: None });
        }
    }
}

/// What a reader said that it let go, in any order.
fn told(losses: &LossReport, what: Lost) -> Vec<String> {
    let of_kind = losses.iter().filter(|loss| loss.what == what);
    let mut told: Vec<String> =
        of_kind.map(|loss| format!("{} ×{} of {}", loss.detail, loss.count, loss.subject)).collect();
    told.sort();
    told
}

/// What authors put into extras, by whose they are.
fn authored(scene: &Scene) -> Vec<String> {
    let nodes = scene.nodes.iter().map(|node| ("node", node.name.as_str(), &node.extras));
    let meshes = scene.meshes.iter().map(|mesh| ("mesh", mesh.name.as_str(), &mesh.extras));
    let materials = scene.materials.iter().map(|material| ("material", material.name.as_str(), &material.extras));
    let clips = scene.clips.iter().map(|clip| ("clip", clip.name.as_str(), &clip.extras));
    let whole = [("the", "scene", &scene.extras)].into_iter();
    let all = whole.chain(nodes).chain(meshes).chain(materials).chain(clips);
    let mut found: Vec<String> = all.flat_map(|(kind, name, extras)| own(extras, kind, name)).collect();
    found.sort();
    found
}

/// The members that are an author's; the others say how a file was made.
fn own(extras: &Extras, kind: &str, name: &str) -> Vec<String> {
    let is_authored = |key: &str| key.rsplit_once('.').is_some_and(|(_, key)| key.ends_with("extras"));
    let members = extras.iter().filter(|(key, _)| is_authored(key)).filter_map(|(_, value)| without_notes(value));
    members.map(|value| format!("{kind} {name:?} {value}")).collect()
}

/// The value without the notes that writers here leave for readers here; `None` if nothing else is there.
fn without_notes(json: &str) -> Option<String> {
    match serde_json::from_str(json) {
        Ok(Value::Object(mut members)) => {
            members.remove("maquette");
            (!members.is_empty()).then(|| Value::Object(members).to_string())
        }
        _ => Some(json.to_owned()),
    }
}
