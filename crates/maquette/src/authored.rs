//! What authors put into extras, told apart from what readers and writers here keep in them.

use maquette_scene::Scene;
use maquette_scene::extras::Extras;
use serde_json::Value;

/// The extras that an author gave to one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Authored<'s> {
    /// Whose they are: `node`, `asset`.
    pub kind: &'static str,
    /// The name of the object; empty where it has none.
    pub name: &'s str,
    /// As JSON.
    pub value: String,
}

/// Every object's, in the order of the scene.
pub(crate) fn authored(scene: &Scene) -> Vec<Authored<'_>> {
    let nodes = scene.nodes.iter().map(|node| ("node", node.name.as_str(), &node.extras));
    let meshes = scene.meshes.iter().map(|mesh| ("mesh", mesh.name.as_str(), &mesh.extras));
    let materials = scene.materials.iter().map(|material| ("material", material.name.as_str(), &material.extras));
    let clips = scene.clips.iter().map(|clip| ("clip", clip.name.as_str(), &clip.extras));
    let objects = [("file", "", &scene.extras)].into_iter().chain(nodes).chain(meshes).chain(materials).chain(clips);
    objects.flat_map(|(kind, name, extras)| of_object(kind, name, extras)).collect()
}

fn of_object<'s>(kind: &'static str, name: &'s str, extras: &'s Extras) -> impl Iterator<Item = Authored<'s>> {
    extras.iter().filter_map(move |(key, json)| {
        let kind = match key.rsplit_once('.')?.1 {
            "extras" => kind,
            "asset_extras" => "asset",
            "scene_extras" => "scene",
            _ => return None,
        };
        Some(Authored { kind, name, value: without_notes(json)? })
    })
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
