//! PMDL, the models of the Paca Engine: meshes with a skeleton each, and the names of their materials and animations.
//!
//! A file is a header with the model's name and its meshes one after another. A mesh is a header of counts, the name
//! of its material, the names of its animations, its bones, its vertices and its indices. Materials (`.pmat`) and
//! animations (`.pani`) are files of their own, found by name. Everything is packed and little-endian.
//!
//! Four layouts share version number 0 ([`Dialect`]); [`detect`] tells them apart. The document describes one that
//! no tool writes: real files have vertices it does not mention, matrices in the other order, and parents where it
//! says ids. See `docs/formats/pmdl.md`.
//!
//! ```
//! use maquette_formats::pmdl;
//!
//! let bytes = pmdl::sample("engine").main;
//! let mut file = pmdl::File::parse(&bytes)?;
//! for mesh in &file.meshes {
//!     println!("{} vertices in {}", mesh.vertices.len(), String::from_utf8_lossy(&mesh.material_name));
//!     for bone in &mesh.bones {
//!         println!("{} under {}", String::from_utf8_lossy(&bone.name), bone.id_or_parent);
//!     }
//! }
//! assert_eq!(file.encode(), bytes);
//!
//! file.meshes[0].material_name = b"brick".as_slice().into();
//! let changed = file.encode();
//! assert_eq!(*pmdl::File::parse(&changed)?.meshes[0].material_name, *b"brick");
//! # Ok::<(), maquette_formats::format::Error>(())
//! ```

pub mod check;
pub mod detect;
pub mod faults;
pub mod raw;
pub mod read;
pub mod sample;
#[cfg(test)]
mod tests;
pub mod write;

pub use raw::{Dialect, File};
pub use sample::sample;

use crate::format::{Caps, Confidence, Format, Naming, RawFile, ReadOptions, Result, Source, Space, TextureStorage};
use crate::summary::{Bounds, ClipSummary, Convention, Summary, shown};
use crate::{open, open_part, trailing};
use maquette_scene::loss::LossReport;
use maquette_scene::{Report, Scene};
use raw::{Indices, Mesh, Vertices};
use std::collections::HashSet;

/// The format's entry in the table.
pub static FORMAT: Format = Format {
    id: "pmdl",
    name: "PMDL",
    about: "models of the Paca Engine; materials (.pmat) and animations (.pani) are companion files",
    extensions: &["pmdl"],
    probe: |bytes| bytes.starts_with(raw::MAGIC).then_some(Confidence::Magic),
    dialects: Dialect::TABLE,
    caps: |dialect| {
        let is = |known: Dialect| known.id() == dialect;
        let weighted = is(Dialect::Engine) || is(Dialect::Engine24);
        Caps {
            space: Space::Model,
            needs_normals: true,
            meshes: true,
            uv_sets: 1,
            tangents: !is(Dialect::Document),
            needs_tangents: !is(Dialect::Document),
            materials: true,
            textures: TextureStorage::FileNames,
            companions: true,
            joints: !is(Dialect::Engine20),
            node_names: !is(Dialect::Engine20),
            influences: Some(if weighted { 4 } else { 0 }),
            clips: if is(Dialect::Engine20) || is(Dialect::Engine24) { Some(0) } else { None },
            ..Caps::NOTHING
        }
    },
    codes: check::CODES,
    companions: &[Naming::Extension("pmat"), Naming::Extension("pani")],
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
        &self.evidence
    }

    fn trailing(&self) -> &[u8] {
        &self.trailing
    }

    fn summary(&self) -> Summary {
        let sum = |of: fn(&Mesh<'_>) -> u64| self.meshes.iter().map(of).sum();
        let mut seen = HashSet::new();
        let names = self.meshes.iter().flat_map(|mesh| &mesh.animations).filter(|&name| seen.insert(name));
        Summary {
            meshes: self.meshes.len() as u64,
            vertices: sum(|mesh| mesh.vertices.len() as u64),
            indices: sum(|mesh| mesh.indices.stored().len() as u64),
            triangles: sum(triangles),
            lines: 0,
            materials: self.meshes.iter().map(|mesh| &mesh.material_name).collect::<HashSet<_>>().len() as u64,
            textures: 0,
            nodes: 0,
            joints: self.meshes.iter().map(|mesh| mesh.bones.len() as u64).max().unwrap_or(0),
            clips: names.map(|name| ClipSummary { name: shown(name), ..ClipSummary::default() }).collect(),
            bounds: self.meshes.iter().filter_map(bounds).reduce(Bounds::join),
            conventions: conventions(self),
        }
    }

    fn check(&self, source: &Source<'_>, report: &mut Report) {
        check::check(self, source, report);
    }

    fn read(&self, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
        trailing::lose(&self.trailing, losses);
        read::read(self, options, losses)
    }

    fn references(&self, source: &Source<'_>) -> Vec<Naming> {
        read::references(self, source)
    }
}

fn triangles(mesh: &Mesh<'_>) -> u64 {
    (match &mesh.indices {
        Indices::Absent { .. } => mesh.vertices.len() / 3,
        Indices::U32(indices) => indices.len() / 3,
    }) as u64
}

fn bounds(mesh: &Mesh<'_>) -> Option<Bounds> {
    match &mesh.vertices {
        Vertices::Type1(vertices) => Bounds::of(vertices.iter().map(|vertex| &vertex.position)),
        Vertices::Type2(vertices) => Bounds::of(vertices.iter().map(|vertex| &vertex.position)),
        Vertices::Type3(vertices) => Bounds::of(vertices.iter().map(|vertex| &vertex.position)),
    }
}

fn conventions(file: &File<'_>) -> Vec<Convention> {
    let uv = "the engine turns images upside down when it loads them";
    let mut conventions = vec![Convention { name: "uv_origin", value: "bottom-left".into(), why: uv.into() }];
    if file.meshes.iter().any(|mesh| !mesh.bones.is_empty()) {
        let why = match file.dialect {
            Dialect::Document => "the document says so",
            _ => "the engine keeps the translation in elements 12 to 14, whatever the document says",
        };
        let value = file.dialect.matrix_order().word().into();
        conventions.push(Convention { name: "matrix_order", value, why: why.into() });
    }
    conventions
}
