//! NLM, the NiteLite engine's models: meshes with embedded textures, and at most one skeletal clip.
//!
//! A file is a header, the bounding box of the source model, meshes one after another, each with its image, and, if
//! the header says so, one animation: bones, keys and nodes. All packed, all little-endian. Nothing in it has a
//! name. Four layouts share version 2 ([`Dialect`]); the spelling of the magic tells the order of rotation keys,
//! and its place whether the header holds the hash or a companion file does.
//!
//! Quirks met in real files: models without animation are centred and scaled to a longest side of 1 while the bounding box
//! keeps their size; a mesh is a list of lines if the count of its indices says so; the hash is never computed; the
//! children of a node are positions though the document calls them ids. See `docs/formats/nlm.md`.
//!
//! ```
//! use maquette_formats::nlm;
//!
//! let bytes = nlm::sample("document").main;
//! let mut file = nlm::File::parse(&bytes)?;
//! for mesh in &file.meshes {
//!     println!("{} vertices, a texture of {} bytes", mesh.vertices.len(), mesh.texture.len());
//! }
//! assert_eq!(file.encode(), bytes);
//!
//! if let Some(animation) = &mut file.animation {
//!     animation.ticks_per_second = 500.into();
//! }
//! let slower = file.encode();
//! let clip = nlm::File::parse(&slower)?.animation.unwrap();
//! assert_eq!(clip.ticks_per_second.get(), 500);
//! # Ok::<(), maquette_formats::format::Error>(())
//! ```

pub mod check;
mod dog;
mod extras;
pub mod faults;
pub mod hash;
pub mod hierarchy;
pub mod raw;
pub mod read;
pub mod sample;
#[cfg(test)]
mod tests;
pub mod texture;
mod ticks;
mod unit_size;
pub mod write;

pub use raw::{Dialect, File};
pub use sample::sample;

use crate::format::{Caps, Confidence, Format, RawFile, ReadOptions, Result, Source, Space, TextureStorage};
use crate::summary::{Bounds, ClipSummary, Convention, Summary, shown};
use crate::{open, open_part, trailing};
use check::PositionScale;
use maquette_scene::loss::LossReport;
use maquette_scene::{Report, Scene};
use raw::{Animation, HashPlace, Magic, Topology};
use std::collections::HashSet;

/// The format's entry in the table.
pub static FORMAT: Format = Format {
    id: "nlm",
    name: "NLM",
    about: "models of the NiteLite engine: meshes with embedded images, one skeletal clip",
    extensions: &["nlm"],
    probe,
    dialects: Dialect::TABLE,
    caps: |dialect| Caps {
        space: Space::Model,
        needs_normals: true,
        meshes: true,
        lines: true,
        uv_sets: 1,
        colours: true,
        textures: TextureStorage::EncodedImages,
        nodes: true,
        joints: true,
        influences: Some(4),
        clips: Some(1),
        companions: Dialect::from_id(dialect).is_some_and(|it| it.hash_place() == HashPlace::HashFile),
        name_bytes: Some(0),
        ..Caps::NOTHING
    },
    codes: check::CODES,
    companions: &[hash::HASH_FILE],
    is_companion: |bytes| hash::side_hash(bytes).is_some(),
    open: open!(File, Dialect),
    open_part: open_part!(File, Dialect),
    write: write::write,
    sample,
    faults: faults::FAULTS,
};

fn probe(bytes: &[u8]) -> Option<Confidence> {
    let at = |place: HashPlace| Magic::at(bytes, place.magic_offset() as usize);
    let first = at(HashPlace::HashFile).map(|_| Confidence::Magic);
    first.or_else(|| at(HashPlace::Header).map(|_| Confidence::Likely))
}

impl File<'_> {
    /// The box around all finite positions as stored.
    pub fn bounds(&self) -> Option<Bounds> {
        let of = |mesh: &raw::Mesh<'_>| Bounds::of(mesh.vertices.iter().map(|vertex| &vertex.position));
        self.meshes.iter().filter_map(of).reduce(Bounds::join)
    }

    /// Elements of this many indices, over the meshes of this topology.
    fn elements(&self, topology: Topology, each: usize) -> u64 {
        let drawn = self.meshes.iter().filter(|mesh| mesh.topology() == topology);
        drawn.map(|mesh| (mesh.indices.len() / each) as u64).sum()
    }

    fn conventions(&self, bounds: Option<&Bounds>) -> Vec<Convention> {
        let mut all = Vec::new();
        let mut add = |name, value: &str, why: String| all.push(Convention { name, value: value.into(), why });
        if self.animation.is_some() {
            add("matrix_order", "column-major", "the engine writes its matrices as they lie in memory".into());
            let why = format!("the dialect with the magic {} has it so", shown(&self.dialect.magic().bytes()));
            add("quaternion_order", self.dialect.quaternion_order().word(), why);
        }
        if !self.meshes.is_empty() {
            add(
                "uv_origin",
                "bottom-left",
                "in textured scans the colours on both sides of a seam agree only so".into(),
            );
        }
        match bounds.and_then(|bounds| check::position_scale(self, bounds)) {
            Some(PositionScale::Original) => {
                add("position_scale", "original", "the vertices fill the bounding box".into())
            }
            Some(PositionScale::Normalised) => {
                let why = "the vertices fill the bounding box after centring it and scaling its longest side to 1";
                add("position_scale", "normalised", why.into());
            }
            Some(PositionScale::Unrelated) | None => {}
        }
        all
    }
}

fn nodes_besides_joints(animation: &Animation<'_>) -> u64 {
    let joints: HashSet<i32> = animation.bone_info.iter().map(|joint| joint.node_id.get()).collect();
    animation.nodes.iter().filter(|node| !joints.contains(&node.id.get())).count() as u64
}

fn clip_summary(animation: &Animation<'_>) -> ClipSummary {
    let secs = f64::from(animation.duration.get()) / f64::from(animation.ticks_per_second.get());
    ClipSummary {
        name: String::new(),
        duration_secs: Some(secs).filter(|secs| secs.is_finite()),
        tracks: animation.bones.iter().filter(|bone| bone.key_count() > 0).count() as u64,
        keys: animation.bones.iter().map(raw::Bone::key_count).sum(),
        ..ClipSummary::default()
    }
}

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
        let bounds = self.bounds();
        Summary {
            meshes: self.meshes.len() as u64,
            vertices: self.meshes.iter().map(|mesh| mesh.vertices.len() as u64).sum(),
            indices: self.meshes.iter().map(|mesh| mesh.indices.len() as u64).sum(),
            triangles: self.elements(Topology::Triangles, 3),
            lines: self.elements(Topology::Lines, 2),
            materials: 0,
            textures: self.meshes.iter().filter(|mesh| !mesh.texture.is_empty()).count() as u64,
            nodes: self.animation.as_ref().map_or(0, nodes_besides_joints),
            joints: self.animation.as_ref().map_or(0, |animation| animation.bone_info.len() as u64),
            clips: self.animation.iter().map(clip_summary).collect(),
            bounds,
            conventions: self.conventions(bounds.as_ref()),
        }
    }

    fn check(&self, source: &Source<'_>, report: &mut Report) {
        check::check(self, source, report);
    }

    fn read(&self, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
        trailing::lose(&self.trailing, losses);
        read::read(self, options, losses)
    }
}
