//! The JSON of a glTF 2.0 file as structures, in the words of the specification.
//!
//! ```
//! let text = r#"{ "asset": { "version": "2.0" }, "nodes": [{ "name": "sail", "translation": [0, 2.5, 0] }] }"#;
//! let mut document = maquette_gltf::from_json(text)?;
//! assert_eq!(document.nodes[0].translation, Some([0.0, 2.5, 0.0]));
//!
//! document.nodes[0].name = Some("mast".into());
//! assert!(maquette_gltf::to_json(&document).starts_with(br#"{"asset":{"version":"2.0"},"nodes":[{"name":"mast""#));
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! It knows types alone: whether an index leads anywhere, what the numbers of an accessor mean and what becomes of a file with mistakes is for
//! its user, `maquette-formats`. It is a crate of its own because the code that `serde` makes for it is large: it is compiled once, and whole.

mod extensions;
mod indent;
mod schema;

pub use extensions::*;
pub use schema::*;

/// What a text says.
///
/// # Errors
///
/// Where it is not JSON, or a property has another type than glTF 2.0 gives it.
pub fn from_json(text: &str) -> serde_json::Result<Document> {
    serde_json::from_str(text)
}

/// The text that says so, without spaces.
pub fn to_json(document: &Document) -> Vec<u8> {
    // Strings, numbers, lists and maps with string keys always serialise.
    serde_json::to_vec(document).unwrap_or_default()
}

/// The same for people to read, a value a line.
pub fn to_indented_json(document: &Document) -> Vec<u8> {
    indent::indented(&to_json(document))
}
