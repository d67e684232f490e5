//! The companion JSON file of a model: how the engine places it, what it shows and which clips it plays.
//!
//! `goblin.json`, the companion of `goblin.bmw`, may turn, scale and move the model, replace its textures and cut its first
//! animation into named clips. The engine reads it with defaults for whatever is missing, so everything here is
//! optional. What cannot be understood is left out of the [`Settings`] and listed in
//! [`problems`](Sidecar::problems); the bytes are kept as they are.
//!
//! ```
//! use maquette_formats::bmw::sidecar::{Sidecar, vector};
//!
//! let text = br#"{ "rotation": 90.0, "rotationAngle": "1 0 0", "clips": [{ "name": "idle", "start": 0, "end": 40 }] }"#;
//! let sidecar = Sidecar::parse(text)?;
//! let settings = &sidecar.settings;
//! assert_eq!(settings.rotation, Some(90.0));
//! assert_eq!(settings.rotation_angle.as_deref().and_then(vector), Some([1.0, 0.0, 0.0]));
//! assert_eq!(settings.clips[0].end, Some(40));
//! assert!(sidecar.problems.is_empty());
//! # Ok::<(), maquette_formats::format::Error>(())
//! ```

use super::check::{SIDECAR_KEY, SIDECAR_MISSING, SIDECAR_NOT_JSON, SIDECAR_TYPE, SIDECAR_VECTOR};
use crate::format::{Error, Naming, Result};
use maquette_scene::{Diagnostic, Path, path};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// How the file is named after its model.
pub const NAMING: Naming = Naming::Extension("json");
/// The largest file that is read. Real ones have a few hundred bytes; a parsed document takes many times its size.
pub const MAX_BYTES: usize = 1 << 20;
/// The most problems that are listed.
pub const MAX_PROBLEMS: usize = 1000;
/// The clip that is played where the file names none. [seen in the engine]
pub const DEFAULT_ANIM: &str = "idle";

/// What the engine is told about a model. The words are the file's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// How far the model is turned, in degrees.
    pub rotation: Option<f64>,
    /// The axis it is turned about, as three numbers in text. Despite the name, no angle.
    pub rotation_angle: Option<String>,
    /// How it is scaled, before it is turned, as three numbers in text.
    pub scale: Option<String>,
    /// How it is moved, after it is turned, as three numbers in text.
    pub translation: Option<String>,
    /// Textures that replace those of the model, one after another, or come after them.
    pub texture_overrides: Vec<TextureOverride>,
    /// The clip to play at first.
    pub default_anim: Option<String>,
    /// Parts of the animation by name.
    pub clips: Vec<Clip>,
}

/// A texture to show in place of the model's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextureOverride {
    /// Path of an image file.
    pub texture: Option<String>,
}

/// A part of an animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// What it is asked for by.
    pub name: Option<String>,
    /// Its first tick.
    pub start: Option<u64>,
    /// Its last tick.
    pub end: Option<u64>,
    /// Whether it begins again at its end.
    pub looped: Option<bool>,
    /// Whether its last pose stays at its end.
    pub hold: Option<bool>,
    /// Another model whose first animation it is a part of; its bones are found by name.
    pub file: Option<String>,
}

/// The file and what it says.
#[derive(Clone, Debug)]
pub struct Sidecar<'a> {
    /// The file as it was found.
    pub bytes: Cow<'a, [u8]>,
    /// What it says.
    pub settings: Settings,
    /// What in it could not be understood; the paths begin with `companions.json`.
    pub problems: Vec<Diagnostic>,
}

/// Three numbers with spaces between them.
pub fn vector(text: &str) -> Option<[f64; 3]> {
    let numbers: Option<Vec<f64>> =
        text.split_ascii_whitespace().map(|word| word.parse().ok().filter(|number: &f64| number.is_finite())).collect();
    numbers?.try_into().ok()
}

/// Whether a file says something that the engine is told about a model, and nothing else.
pub fn is_sidecar(bytes: &[u8]) -> bool {
    Sidecar::parse(bytes).is_ok_and(|sidecar| sidecar.settings != Settings::default() && sidecar.problems.is_empty())
}

impl<'a> Sidecar<'a> {
    /// Reads the file; an error only if it is no JSON at all.
    pub fn parse(bytes: &'a [u8]) -> Result<Sidecar<'a>> {
        let not_json = |message: String| {
            let finding = Diagnostic::new(&SIDECAR_NOT_JSON, path!("companions", "json"), message);
            Error::Malformed(Box::new(finding.expected("a JSON object")))
        };
        if bytes.len() > MAX_BYTES {
            return Err(not_json(format!("the file has {} bytes; at most {MAX_BYTES} are read", bytes.len())));
        }
        // Editors on Windows begin a file with a byte order mark, which JSON has not and most readers skip.
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let value: Value = serde_json::from_slice(text).map_err(|error| not_json(error.to_string()))?;
        let mut fields = Fields { problems: Vec::new() };
        let settings = fields.settings(&value);
        Ok(Sidecar { bytes: Cow::Borrowed(bytes), settings, problems: fields.problems })
    }
}

impl Settings {
    /// The text of a file that says this.
    pub fn to_json(&self) -> String {
        let texture =
            |replacement: &TextureOverride| object([("texture", replacement.texture.clone().map(Value::from))]);
        let clip = |clip: &Clip| {
            object([
                ("name", clip.name.clone().map(Value::from)),
                ("start", clip.start.map(Value::from)),
                ("end", clip.end.map(Value::from)),
                ("loop", clip.looped.map(Value::from)),
                ("hold", clip.hold.map(Value::from)),
                ("file", clip.file.clone().map(Value::from)),
            ])
        };
        let list = |items: Vec<Value>| (!items.is_empty()).then(|| json!(items));
        let value = object([
            ("rotation", self.rotation.map(Value::from)),
            ("rotationAngle", self.rotation_angle.clone().map(Value::from)),
            ("scale", self.scale.clone().map(Value::from)),
            ("translation", self.translation.clone().map(Value::from)),
            ("textureOverrides", list(self.texture_overrides.iter().map(texture).collect())),
            ("defaultAnim", self.default_anim.clone().map(Value::from)),
            ("clips", list(self.clips.iter().map(clip).collect())),
        ]);
        format!("{value:#}\n")
    }
}

fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let present = fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(present.collect())
}

/// Takes values out of parsed JSON and notes what is not as it should be.
struct Fields {
    problems: Vec<Diagnostic>,
}

impl Fields {
    fn note(&mut self, problem: Diagnostic) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    fn settings(&mut self, value: &Value) -> Settings {
        let at = path!("companions", "json");
        let known = ["rotation", "rotationAngle", "scale", "translation", "textureOverrides", "defaultAnim", "clips"];
        let Some(map) = self.map(value, &at, &known) else { return Settings::default() };
        Settings {
            rotation: self.take(map, &at, "rotation", "a number", Value::as_f64),
            rotation_angle: self.vector(map, &at, "rotationAngle"),
            scale: self.vector(map, &at, "scale"),
            translation: self.vector(map, &at, "translation"),
            texture_overrides: self.list(map, &at, "textureOverrides", |fields, value, at| {
                let map = fields.map(value, at, &["texture"])?;
                Some(TextureOverride { texture: fields.needed(map, at, "texture", "text", text) })
            }),
            default_anim: self.take(map, &at, "defaultAnim", "text", text),
            clips: self.list(map, &at, "clips", Fields::clip),
        }
    }

    fn clip(&mut self, value: &Value, at: &Path) -> Option<Clip> {
        let map = self.map(value, at, &["name", "start", "end", "loop", "hold", "file"])?;
        Some(Clip {
            name: self.needed(map, at, "name", "text", text),
            start: self.needed(map, at, "start", "a whole number of ticks", ticks),
            end: self.needed(map, at, "end", "a whole number of ticks", ticks),
            looped: self.take(map, at, "loop", "true or false", Value::as_bool),
            hold: self.take(map, at, "hold", "true or false", Value::as_bool),
            file: self.take(map, at, "file", "text", text),
        })
    }

    /// An object; its unknown keys are noted.
    fn map<'v>(&mut self, value: &'v Value, at: &Path, known: &[&str]) -> Option<&'v Map<String, Value>> {
        let Some(map) = value.as_object() else {
            self.wrong_type(at.clone(), value, "an object");
            return None;
        };
        let unknown: Vec<&str> = map.keys().map(|key| &**key).filter(|key| !known.contains(key)).collect();
        if let [first, others @ ..] = &unknown[..] {
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            let message = format!("nothing reads the key {first:?}{more}");
            let finding = Diagnostic::new(&SIDECAR_KEY, at.clone(), message).times(unknown.len() as u64);
            self.note(finding.expected(known.join(", ")));
        }
        Some(map)
    }

    /// The value of a key that may be missing.
    fn take<T>(
        &mut self,
        map: &Map<String, Value>,
        at: &Path,
        key: &'static str,
        expected: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Option<T> {
        let value = map.get(key)?;
        let taken = read(value);
        if taken.is_none() {
            self.wrong_type(at.join(key), value, expected);
        }
        taken
    }

    /// The value of a key that must be there.
    fn needed<T>(
        &mut self,
        map: &Map<String, Value>,
        at: &Path,
        key: &'static str,
        expected: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Option<T> {
        if !map.contains_key(key) {
            let finding = Diagnostic::new(&SIDECAR_MISSING, at.clone(), format!("the key {key:?} is missing"));
            self.note(finding.expected(expected));
        }
        self.take(map, at, key, expected, read)
    }

    /// Text that must be three numbers; kept as it is even where it is not.
    fn vector(&mut self, map: &Map<String, Value>, at: &Path, key: &'static str) -> Option<String> {
        let found = self.take(map, at, key, "text of three numbers", text)?;
        if vector(&found).is_none() {
            let finding = Diagnostic::new(&SIDECAR_VECTOR, at.join(key), format!("the text is {}", shortened(&found)));
            self.note(finding.expected("three numbers with spaces between them, such as \"1.0 0.0 0.0\""));
        }
        Some(found)
    }

    /// The items of a list. One that cannot be read is empty, so that the others keep their places.
    fn list<T: Default>(
        &mut self,
        map: &Map<String, Value>,
        at: &Path,
        key: &'static str,
        read: impl Fn(&mut Fields, &Value, &Path) -> Option<T>,
    ) -> Vec<T> {
        let Some(value) = map.get(key) else { return Vec::new() };
        let at = at.join(key);
        let Some(values) = value.as_array() else {
            self.wrong_type(at, value, "a list");
            return Vec::new();
        };
        values.iter().enumerate().map(|(index, value)| read(self, value, &at.join(index)).unwrap_or_default()).collect()
    }

    fn wrong_type(&mut self, at: Path, value: &Value, expected: &str) {
        let found = match value {
            Value::Array(items) => format!("a list of {}", items.len()),
            Value::Object(_) => "an object".into(),
            Value::String(text) => format!("the text {}", shortened(text)),
            other => other.to_string(),
        };
        self.note(Diagnostic::new(&SIDECAR_TYPE, at, format!("the value is {found}")).expected(expected));
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(ToOwned::to_owned)
}

/// A whole number, even if written with a decimal point.
fn ticks(value: &Value) -> Option<u64> {
    let whole = |number: &f64| number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number);
    value.as_u64().or_else(|| value.as_f64().filter(whole).map(|number| number as u64))
}

/// Text in quotes, cut where it is long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{:?}..", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let sidecar = Sidecar::parse(text.as_bytes()).unwrap();
        sidecar.problems.iter().map(|problem| format!("{} {}", problem.code.id, problem.path)).collect()
    }

    #[test]
    fn every_key_of_the_engine_is_understood() {
        let text = r#"{
            "rotation": 250, "rotationAngle": "0.978734 0.205133 0", "scale": "5.0 5.0 5.0", "translation": "-35.0 12.0 6.5",
            "textureOverrides": [{ "texture": "Oak_Tree.fbm/tree_diffuse.dds" }], "defaultAnim": "walk",
            "clips": [{ "name": "walk", "start": 3, "end": 20.0, "loop": true, "hold": false, "file": "walk.bmw" }]
        }"#;
        let sidecar = Sidecar::parse(text.as_bytes()).unwrap();
        assert!(sidecar.problems.is_empty(), "{:?}", sidecar.problems);
        assert_eq!(&*sidecar.bytes, text.as_bytes());
        let settings = sidecar.settings;
        assert_eq!(settings.rotation, Some(250.0));
        assert_eq!(vector(&settings.rotation_angle.unwrap()), Some([0.978734, 0.205133, 0.0]));
        assert_eq!(vector(&settings.translation.unwrap()), Some([-35.0, 12.0, 6.5]));
        assert_eq!(settings.texture_overrides[0].texture.as_deref(), Some("Oak_Tree.fbm/tree_diffuse.dds"));
        assert_eq!(settings.default_anim.as_deref(), Some("walk"));
        let clip = Clip {
            name: Some("walk".into()),
            start: Some(3),
            end: Some(20),
            looped: Some(true),
            hold: Some(false),
            file: Some("walk.bmw".into()),
        };
        assert_eq!(settings.clips, [clip]);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let settings = Settings {
            rotation: Some(-90.5),
            rotation_angle: Some("0 1 0".into()),
            texture_overrides: vec![TextureOverride { texture: Some("a \"b\".png".into()) }],
            clips: vec![Clip { name: Some("x".into()), start: Some(0), end: Some(7), ..Clip::default() }],
            ..Settings::default()
        };
        let text = settings.to_json();
        let sidecar = Sidecar::parse(text.as_bytes()).unwrap();
        assert_eq!((sidecar.settings, sidecar.problems.len()), (settings, 0));
    }

    #[test]
    fn wrong_types_are_left_out_and_named() {
        assert_eq!(problems(r#"{ "rotation": "90" }"#), ["BMW0082 companions.json.rotation"]);
        assert_eq!(problems(r#"{ "scale": 2 }"#), ["BMW0082 companions.json.scale"]);
        assert_eq!(problems(r#"{ "clips": {} }"#), ["BMW0082 companions.json.clips"]);
        assert_eq!(problems("[]"), ["BMW0082 companions.json"]);
        let bad_end = r#"{ "clips": [{ "name": "a", "start": 0, "end": 1.5 }, 7] }"#;
        assert_eq!(problems(bad_end), ["BMW0082 companions.json.clips[0].end", "BMW0082 companions.json.clips[1]"]);
    }

    #[test]
    fn a_clip_that_cannot_be_read_keeps_its_place() {
        let text = r#"{ "clips": [7, { "name": "b", "start": 0, "end": 1 }] }"#;
        let clips = Sidecar::parse(text.as_bytes()).unwrap().settings.clips;
        assert_eq!(clips.len(), 2);
        assert_eq!(clips[1].name.as_deref(), Some("b"));
    }

    #[test]
    fn vectors_are_three_numbers() {
        assert_eq!(vector(" 1  -2.5\t3e2 "), Some([1.0, -2.5, 300.0]));
        for text in ["", "1 2", "1 2 3 4", "1,2,3", "1 2 x", "1 2 NaN", "1 2 inf"] {
            assert_eq!(vector(text), None, "{text}");
        }
        assert_eq!(problems(r#"{ "scale": "1 1" }"#), ["BMW0084 companions.json.scale"]);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_and_kept() {
        let bytes = b"\xef\xbb\xbf{}";
        assert_eq!(&*Sidecar::parse(bytes).unwrap().bytes, bytes);
    }

    #[test]
    fn deep_nesting_is_refused_without_overflowing_the_stack() {
        let error = Sidecar::parse("[".repeat(1_000_000).as_bytes()).err().unwrap();
        assert_eq!(error.diagnostic().unwrap().code.id, "BMW0080");
    }

    #[test]
    fn a_typing_error_is_placed_by_line_and_column() {
        let error = Sidecar::parse(b"{\n  \"scale\": ,\n}").err().unwrap().to_string();
        assert!(error.contains("line 2 column 12"), "{error}");
    }
}
