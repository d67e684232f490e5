//! glTF 2.0: the bridge to the rest of the world.
//!
//! An asset is JSON that describes scenes, meshes, materials, skins and animations, and buffers with their binary data. It comes
//! as one binary file (GLB: the JSON and the first buffer as chunks) or as JSON text with buffers and images in companion files or in
//! data URIs ([`Dialect`]). The JSON text is kept as it stands, so that every file is written back unchanged.
//!
//! Draco and Basis compression are not decoded; files that require them are refused with the command that removes them.
//! See `docs/formats/gltf.md`.
//!
//! ```
//! use maquette_formats::gltf;
//!
//! let bytes = gltf::sample("binary").main;
//! let mut file = gltf::File::parse(&bytes)?;
//! for node in &file.document.nodes {
//!     println!("{:?} has {} children", node.name, node.children.len());
//! }
//! assert_eq!(file.encode(), bytes);
//!
//! file.document.asset.copyright = Some("nobody".into());
//! file.rewrite_json();
//! let owned = file.encode();
//! assert_eq!(gltf::File::parse(&owned)?.document.asset.copyright.as_deref(), Some("nobody"));
//! # Ok::<(), maquette_formats::format::Error>(())
//! ```

pub mod accessor;
pub mod attributes;
pub mod buffers;
pub mod check;
pub mod faults;
pub mod images;
mod json;
pub mod meshopt;
pub mod raw;
pub mod read;
mod rotation;
pub mod sample;
mod summary;
#[cfg(test)]
mod tests;
mod text;
pub mod uri;
pub mod write;

pub use maquette_gltf as schema;
pub use raw::{Dialect, File};
pub use sample::sample;

use crate::format::{Caps, Confidence, Format, Naming, RawFile, ReadOptions, Result, Source, Space, TextureStorage};
use crate::summary::Summary;
use crate::{open, open_part};
use maquette_scene::loss::LossReport;
use maquette_scene::{Report, Scene};

/// The format's entry in the table.
pub static FORMAT: Format = Format {
    id: "gltf",
    name: "glTF",
    about: "glTF 2.0, as one binary file (GLB) or as JSON with companion files",
    extensions: &["glb", "gltf"],
    probe: |bytes| match bytes.starts_with(raw::MAGIC) {
        true => Some(Confidence::Magic),
        false => text::may_be_gltf(bytes).then_some(Confidence::Likely),
    },
    dialects: Dialect::TABLE,
    caps: |dialect| Caps {
        space: Space::Nodes,
        morph_targets: true,
        curves: true,
        ticks: false,
        frames: false,
        blends: false,
        needs_normals: false,
        needs_tangents: false,
        meshes: true,
        lines: true,
        // There is no bound; this many are more than any file has.
        uv_sets: 255,
        colours: true,
        tangents: true,
        materials: true,
        textures: TextureStorage::EncodedImages,
        blocks: false,
        two_channels: false,
        texture_room: None,
        nodes: true,
        node_names: true,
        joints: true,
        influences: None,
        unit_weights: true,
        clips: None,
        // In `extras`, which other readers ignore.
        events: true,
        extras: true,
        companions: dialect == Dialect::Text.id(),
        name_bytes: None,
    },
    codes: check::CODES,
    companions: &[],
    is_companion: |_| false,
    open: open!(File, Dialect),
    open_part: open_part!(File, Dialect),
    write: write::write,
    sample,
    faults: faults::FAULTS,
};

impl RawFile for File<'_> {
    fn dialect(&self) -> &'static str {
        self.dialect.id()
    }

    fn evidence(&self) -> &str {
        self.evidence
    }

    fn trailing(&self) -> &[u8] {
        &self.trailing
    }

    fn summary(&self) -> Summary {
        summary::of(&self.document)
    }

    fn check(&self, source: &Source<'_>, report: &mut Report) {
        check::check(self, source, report);
    }

    fn read(&self, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
        read::read(self, options, losses)
    }

    fn references(&self, _: &Source<'_>) -> Vec<Naming> {
        let buffers = self.document.buffers.iter().filter_map(|buffer| buffer.uri.as_deref());
        let images = self.document.images.iter().filter_map(|image| image.uri.as_deref());
        let named = buffers.chain(images).filter_map(|uri| match uri::resolve(uri) {
            uri::Location::File(name) => Some(Naming::Named(name)),
            uri::Location::Data(_) | uri::Location::Remote => None,
        });
        named.collect()
    }
}
