//! From JSON text to the [`Document`], with the path and byte offset of whatever is wrong.

use super::check::{
    ASSET_MISSING, ASSET_VERSION, JSON_NOT_UTF8, JSON_SYNTAX, JSON_TYPE, TOO_MANY_ITEMS, UNSUPPORTED_EXPECTED,
};
use super::json;
use super::schema::{self, Document};
use crate::bytes::MAX_SMALL_ITEMS;
use crate::format::{Error, Result};
use crate::locate;
use crate::walk::{Walk, Walker};
use maquette_scene::{Code, Diagnostic, Path, Segment, path};
use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;
use std::fmt;

/// The mark that some editors begin a text with.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Objects that a text may hold: each takes some hundred bytes of memory for as little as three of text.
const MAX_OBJECTS: u64 = MAX_SMALL_ITEMS;
/// Values of any kind that a text may hold.
const MAX_VALUES: u64 = 8 * MAX_SMALL_ITEMS;

/// What an asset may have, and little else has.
const MEMBERS: &[&str] = &[
    "accessors",
    "animations",
    "asset",
    "buffers",
    "bufferViews",
    "cameras",
    "extensionsRequired",
    "extensionsUsed",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "scene",
    "scenes",
    "skins",
    "textures",
];

/// Whether these bytes begin like a JSON object.
pub fn begins_with_brace(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

/// Whether this may be an asset: a JSON object, unless it is sound and has none of an asset's members.
pub fn may_be_gltf(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    begins_with_brace(bytes) && serde_json::from_slice::<ForeignObject>(text).is_err()
}

/// A JSON object of something else. Reading one stops at the first member that an asset has, and keeps nothing.
struct ForeignObject;

impl<'de> Deserialize<'de> for ForeignObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<ForeignObject, D::Error> {
        deserializer.deserialize_map(ForeignObject)
    }
}

impl<'de> Visitor<'de> for ForeignObject {
    type Value = ForeignObject;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object without a member of glTF")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> std::result::Result<ForeignObject, M::Error> {
        while let Some(member) = members.next_key::<String>()? {
            if MEMBERS.contains(&member.as_str()) {
                return Err(M::Error::custom(member));
            }
            members.next_value::<IgnoredAny>()?;
        }
        Ok(ForeignObject)
    }
}

/// Where the object that a text begins with ends, and the blanks after it; `None` if it does not.
pub fn end_of_object(bytes: &[u8]) -> Option<usize> {
    let marked = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let text = bytes.get(marked..)?;
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let after = text.get(values.byte_offset()..)?;
    let blanks = after.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    Some(marked + values.byte_offset() + blanks)
}

/// Parses a text that begins at `offset` of its file.
pub fn parse(bytes: &[u8], offset: u64) -> Result<Document> {
    let text = Text { bytes, offset };
    let marked = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let unmarked = bytes.get(marked..).unwrap_or_default();
    let content = std::str::from_utf8(unmarked).map_err(|error| {
        let at = marked + error.valid_up_to();
        text.fail(&JSON_NOT_UTF8, at, "the bytes here are not UTF-8".into(), "UTF-8, as all JSON")
    })?;
    // Some writers pad the chunk with zeros; everything before them is sound.
    let content = content.trim_end_matches('\0');
    refuse_too_many(&text, content)?;
    if !begins_with_brace(bytes) {
        return Err(text.fail(&JSON_SYNTAX, marked, "the text does not begin with a brace".into(), "a JSON object"));
    }
    let document = schema::from_json(content).map_err(|error| {
        let at = marked + offset_of(content, error.line(), error.column());
        match error.classify() {
            Category::Data => old_version(&text, content)
                .unwrap_or_else(|| text.fail(&JSON_TYPE, at, without_position(&error), "what glTF 2.0 has here")),
            _ => text.fail(&JSON_SYNTAX, at, without_position(&error), "JSON"),
        }
    })?;
    version(&text, &document)?;
    Ok(document)
}

/// A text in a file.
struct Text<'t> {
    bytes: &'t [u8],
    offset: u64,
}

impl Walk for Text<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        json::walk(walker, "json", self.bytes);
    }
}

impl Text<'_> {
    fn finding(&self, code: &'static Code, at: usize, message: String, expected: &str) -> Box<Diagnostic> {
        let found = locate::field_at(self, at as u64);
        let named = |segment: &&Segment| **segment != Segment::from("");
        let path = found.map_or_else(
            || path!("json"),
            |found| Path::from(found.path.segments().iter().filter(named).cloned().collect::<Vec<_>>()),
        );
        Box::new(Diagnostic::new(code, path, message).expected(expected).at_offset(self.offset + at as u64))
    }

    fn fail(&self, code: &'static Code, at: usize, message: String, expected: &str) -> Error {
        Error::Malformed(self.finding(code, at, message, expected))
    }

    fn unsupported(&self, code: &'static Code, at: Path, message: String, expected: &str) -> Error {
        let finding = Diagnostic::new(code, at, message).expected(expected).at_offset(self.offset);
        Error::Unsupported(Box::new(finding))
    }
}

/// The byte before a line and column as the parser counts them: the last that it took.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let start = match line.checked_sub(2) {
        None => 0,
        Some(before) => text.match_indices('\n').nth(before).map_or(0, |(at, _)| at + 1),
    };
    (start + column.saturating_sub(1)).min(text.len())
}

/// What the parser says, without its line and column.
fn without_position(error: &serde_json::Error) -> String {
    let said = error.to_string();
    said.rsplit_once(" at line ").map_or(said.clone(), |(what, _)| what.to_owned())
}

/// Refuses a text of more values than any real file has, before they take memory.
fn refuse_too_many(text: &Text<'_>, content: &str) -> Result<()> {
    // `{},` is the shortest object.
    if content.len() as u64 <= 3 * MAX_OBJECTS {
        return Ok(());
    }
    let (mut objects, mut values, mut in_string, mut escaped) = (0, 0, false, false);
    for byte in content.bytes() {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        in_string = byte == b'"';
        objects += u64::from(byte == b'{');
        values += u64::from(matches!(byte, b'{' | b'[' | b','));
    }
    if objects <= MAX_OBJECTS && values <= MAX_VALUES {
        return Ok(());
    }
    let message = format!("the text holds {objects} objects and about {values} values");
    let expected = format!("at most {MAX_OBJECTS} objects and {MAX_VALUES} values, so that no file can exhaust memory");
    Err(text.unsupported(&TOO_MANY_ITEMS, path!("json"), message, &expected))
}

/// The error for a text that is another version of glTF, and therefore has other types.
fn old_version(text: &Text<'_>, content: &str) -> Option<Error> {
    #[derive(Deserialize)]
    struct Probe {
        asset: Asset,
    }
    #[derive(Deserialize)]
    struct Asset {
        version: String,
    }
    let version = serde_json::from_str::<Probe>(content).ok()?.asset.version;
    (major(&version) != Some(2)).then(|| unsupported_version(text, "version", &version))
}

fn version(text: &Text<'_>, document: &Document) -> Result<()> {
    let asset = &document.asset;
    if asset.version.is_empty() {
        let finding =
            Diagnostic::new(&ASSET_MISSING, path!("json", "asset", "version"), "the JSON has no asset.version")
                .expected("\"asset\": { \"version\": \"2.0\" }, as in every glTF file")
                .at_offset(text.offset);
        return Err(Error::Malformed(Box::new(finding)));
    }
    if major(&asset.version) != Some(2) {
        return Err(unsupported_version(text, "version", &asset.version));
    }
    match &asset.min_version {
        Some(least) if least != "2.0" => Err(unsupported_version(text, "minVersion", least)),
        _ => Ok(()),
    }
}

fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

fn unsupported_version(text: &Text<'_>, field: &'static str, version: &str) -> Error {
    let message = format!("the {field} is {version:?}");
    text.unsupported(&ASSET_VERSION, path!("json", "asset", field), message, UNSUPPORTED_EXPECTED)
}
