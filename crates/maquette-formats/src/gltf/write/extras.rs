//! `extras`: what glTF has no property for, so that reading can bring it back.
//!
//! Every object's `extras` is what the scene keeps under `gltf.extras`, as it was, and a member `maquette` with what the
//! writer adds and what other formats keep under their own prefixes.

use maquette_scene::extras::Extras;
use serde_json::{Map, Value};

/// The prefix of what was read from glTF.
const OWN: &str = "gltf.";

/// A float as JSON, in the fewest digits that read back as the same.
pub fn number(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

/// Seconds as JSON, in 15 digits: as many as every reader of JSON understands alike, so that reading and writing over and over
/// changes nothing more.
pub fn seconds(value: f64) -> Value {
    format!("{value:.14e}").parse::<f64>().map_or(Value::Null, Value::from)
}

/// A kept value; what is no JSON is taken as a string.
pub fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|_| Value::from(json))
}

/// The `extras` of an object: what it had in glTF, what is added, and what other formats keep. `restored` are the keys
/// after `gltf.` that go back to properties of their own.
pub fn extras(kept: &Extras, added: Map<String, Value>, restored: &[&str]) -> Option<Value> {
    let mut ours = added;
    let mut own = None;
    for (key, json) in kept.iter() {
        match key.strip_prefix(OWN) {
            Some("extras") => own = Some(parsed(json)),
            Some(key) if restored.contains(&key) => {}
            _ => {
                ours.insert(key.into(), parsed(json));
            }
        }
    }
    with_ours(own, ours)
}

/// `extras` with a member `maquette`, if that holds anything.
pub fn with_ours(own: Option<Value>, mut ours: Map<String, Value>) -> Option<Value> {
    if ours.is_empty() {
        return own;
    }
    let mut object = match own {
        Some(Value::Object(object)) => object,
        Some(other) => {
            ours.insert("gltf.extras".into(), other);
            Map::new()
        }
        None => Map::new(),
    };
    match object.get_mut("maquette") {
        Some(Value::Object(known)) => known.extend(ours),
        _ => drop(object.insert("maquette".into(), Value::Object(ours))),
    }
    Some(Value::Object(object))
}
