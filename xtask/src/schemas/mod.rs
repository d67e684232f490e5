//! JSON Schemas of what commands print with `--json`, made from the structures that are printed: `docs/schemas`.
//!
//! Fields, types and descriptions are those of the source. Fields may be added to an output later, so a schema allows others than its own; the tests of
//! the command do not, so that none is added without its schema.

mod records;

use maquette::formats::format::TextureStorage;
use maquette::note::NoteKind;
use maquette::scene::diag::Severity;
use maquette::scene::loss::LossKind;
use records::Records;
use serde_json::{Map, Value, json};

/// Where the structures are that are printed.
const SOURCES: &[&str] = &[
    "crates/maquette/src/info.rs",
    "crates/maquette/src/check.rs",
    "crates/maquette/src/explain.rs",
    "crates/maquette/src/list.rs",
    "crates/maquette/src/convert.rs",
    "crates/maquette/src/note.rs",
    "crates/maquette/src/ops/optimize/mod.rs",
    "crates/maquette/src/textures/mod.rs",
    "crates/maquette/src/diff/mod.rs",
    "crates/maquette-formats/src/summary.rs",
    "crates/maquette-formats/src/format/caps.rs",
    "crates/maquette/src/clips.rs",
    "crates/maquette/src/clips_seen.rs",
    "crates/maquette-cli/src/verbs/failed.rs",
    "crates/maquette-cli/src/verbs/clip/plot.rs",
    "crates/maquette-cli/src/verbs/render/mod.rs",
    "crates/maquette-cli/src/verbs/render/files.rs",
    "crates/maquette/src/clips/propose.rs",
];

/// What a command prints.
struct Output {
    verb: &'static str,
    about: &'static str,
    /// The structures, any one of which it may be.
    any_of: &'static [&'static str],
    /// Whether it is an array of them: never, always, or where there are several.
    array: Array,
}

#[derive(PartialEq)]
enum Array {
    Never,
    Always,
    Sometimes,
}

const OUTPUTS: &[Output] = &[
    Output {
        verb: "info",
        about: "A line for each file: what it is, or why it cannot be read.",
        any_of: &["Info", "Unreadable"],
        array: Array::Never,
    },
    Output {
        verb: "check",
        about: "A line for each file: the verdict on it.",
        any_of: &["Checked"],
        array: Array::Never,
    },
    Output {
        verb: "explain",
        about: "A code, a loss, or a byte of a file, as was asked.",
        any_of: &["CodeMeaning", "LossMeaning", "ByteMeaning"],
        array: Array::Never,
    },
    Output { verb: "formats", about: "Every format.", any_of: &["Listed"], array: Array::Always },
    Output {
        verb: "convert",
        about: "A line for each conversion. `--report` writes the same, as an array where there are several.",
        any_of: &["ConversionReport", "Failed"],
        array: Array::Sometimes,
    },
    Output { verb: "textures", about: "A line for each texture.", any_of: &["TextureRow"], array: Array::Never },
    Output {
        verb: "clip",
        about: "A line for each file whose clips are edited.",
        any_of: &["EditReport", "Failed"],
        array: Array::Never,
    },
    Output {
        verb: "clip info",
        about: "A line for each file: what its clips hold, or why it cannot be read.",
        any_of: &["ClipsInfo", "Unreadable"],
        array: Array::Never,
    },
    Output {
        verb: "clip doctor",
        about: "A line for each file: what is wrong with its clips, or why it cannot be read.",
        any_of: &["Doctored", "Unreadable"],
        array: Array::Never,
    },
    Output {
        verb: "clip plot",
        about: "A line for each picture, or for a file that there is none of.",
        any_of: &["Plot", "Failed"],
        array: Array::Never,
    },
    Output {
        verb: "clip retarget --propose",
        about: "The map from the bones of clips to those of a model.",
        any_of: &["Proposed"],
        array: Array::Never,
    },
    Output {
        verb: "render",
        about: "A line for each picture, for a comparison, or for a file that there is no picture of.",
        any_of: &["PictureRow", "Compared", "Failed"],
        array: Array::Never,
    },
    Output { verb: "diff", about: "A line for each difference.", any_of: &["Difference"], array: Array::Never },
];

/// The schema of what a verb prints, as a page.
pub fn page(verb: &str) -> Result<String, String> {
    let schema = match OUTPUTS.iter().find(|output| output.verb == verb) {
        Some(output) => output.schema(&Records::read(SOURCES)?)?,
        None if verb == "dump" => dump(),
        None => return Err(format!("nothing is known of what `{verb} --json` prints")),
    };
    serde_json::to_string_pretty(&schema).map(|text| text + "\n").map_err(|error| error.to_string())
}

impl Output {
    fn schema(&self, records: &Records) -> Result<Value, String> {
        let mut definitions = Map::new();
        let each = self.any_of.iter().map(|name| records.reference(name, &mut definitions));
        let each = any_of(each.collect::<Result<_, _>>()?);
        let array = json!({ "type": "array", "items": each });
        let root = match self.array {
            Array::Never => each,
            Array::Always => array,
            Array::Sometimes => any_of(vec![each, array]),
        };
        Ok(document(self.verb, self.about, root, definitions))
    }
}

/// What `dump --json` prints follows from the format, and its schema says no more than what all formats share.
fn dump() -> Value {
    let value = json!({ "$ref": "#/$defs/Value" });
    let any = any_of(vec![
        json!({ "type": "object", "additionalProperties": value, "description": "A record by the names of its fields, or a run of bytes by its `offset` and size in `bytes`." }),
        json!({ "type": "array", "items": value, "description": "A table." }),
        json!({ "type": "string", "description": "Text up to its NUL, or a number that JSON cannot hold: `NaN`, `inf`, `-inf`." }),
        json!({ "type": "number" }),
        json!({ "type": "boolean" }),
        json!({ "type": "null" }),
    ]);
    let definitions = Map::from_iter([("Value".to_owned(), any)]);
    let about = "The sections of a file by their names, in file order; with `--section`, that part of it.";
    document("dump", about, value, definitions)
}

fn document(verb: &str, about: &str, root: Value, definitions: Map<String, Value>) -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": "Made by `cargo xtask pages` from the structures that are printed; do not edit.",
        "title": format!("maquette {verb} --json"),
        "description": about,
        "$defs": definitions,
    });
    if let (Value::Object(schema), Value::Object(root)) = (&mut schema, root) {
        schema.extend(root);
    }
    schema
}

fn any_of(mut schemas: Vec<Value>) -> Value {
    match schemas.len() {
        1 => schemas.remove(0),
        _ => json!({ "anyOf": schemas }),
    }
}

/// The words that a field is one of, where there are no others.
fn words(record: &str, field: &str) -> Option<Vec<&'static str>> {
    match (record, field) {
        ("Finding" | "CodeMeaning", "severity") => {
            Some([Severity::Info, Severity::Warning, Severity::Error].map(Severity::word).to_vec())
        }
        ("Note", "kind") => Some(NoteKind::ALL.map(NoteKind::word).to_vec()),
        ("LossRow", "kind") => Some(LossKind::WORDS.to_vec()),
        ("Caps", "textures") => Some(STORAGES.map(TextureStorage::word).to_vec()),
        _ => None,
    }
}

const STORAGES: [TextureStorage; 4] =
    [TextureStorage::None, TextureStorage::EncodedImages, TextureStorage::Pixels, TextureStorage::FileNames];
