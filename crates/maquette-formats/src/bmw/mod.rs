//! BMW, "Beo-Model-Wolf": static and skinned models of a small C++ engine, converted from FBX with Assimp.
//!
//! A file is a line of text and a few blocks without names or sizes: texture paths by material, meshes with bone
//! weights, a nested tree of nodes, animations with a matrix for each bone and tick. Six layouts share version
//! number 1 ([`Dialect`]); they differ in the order of the blocks and in what they leave out, and only the right one
//! ends exactly at the end of the file.
//!
//! Quirks met in real files: matrices are row-major or column-major depending on the converter's age, an animation
//! has one matrix more than its duration, meshes do not say which texture they show, animation matrices are final
//! skinning matrices rather than local transforms. A companion JSON file places the model and names its clips
//! ([`sidecar`]). See `docs/formats/bmw.md`.
//!
//! ```
//! use maquette_formats::bmw;
//!
//! let bytes = bmw::sample("engine").main;
//! let mut file = bmw::File::parse(&bytes)?;
//! for (node, depth) in file.nodes.iter().zip(file.depths()) {
//!     println!("{:depth$}node {} draws {} meshes", "", node.id, node.mesh_ids.len());
//! }
//! assert_eq!(file.encode(), bytes);
//!
//! for animation in &mut file.animations {
//!     animation.rate = 60;
//! }
//! let faster = file.encode();
//! assert_eq!(bmw::File::parse(&faster)?.animations[0].rate, 60);
//! # Ok::<(), maquette_formats::format::Error>(())
//! ```

pub mod check;
pub mod faults;
pub mod ids;
mod placement;
pub mod raw;
pub mod read;
pub mod sample;
pub mod sidecar;
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

/// The format's entry in the table.
pub static FORMAT: Format = Format {
    id: "bmw",
    name: "BMW",
    about: "Beo-Model-Wolf: skinned models with baked matrix animation, textures as companion files",
    extensions: &["bmw"],
    probe: |bytes| bytes.starts_with(raw::MAGIC).then_some(Confidence::Magic),
    dialects: Dialect::TABLE,
    caps: |dialect| Caps {
        space: Space::Nodes,
        ticks: true,
        needs_normals: true,
        meshes: true,
        uv_sets: 1,
        colours: true,
        materials: true,
        textures: TextureStorage::FileNames,
        nodes: true,
        node_names: dialect == Dialect::Engine.id(),
        joints: true,
        influences: None,
        clips: None,
        companions: true,
        ..Caps::NOTHING
    },
    codes: check::CODES,
    companions: &[sidecar::NAMING],
    is_companion: sidecar::is_sidecar,
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
        let clip = |animation: &raw::Animation<'_>| ClipSummary {
            name: String::new(),
            duration_secs: (animation.rate > 0).then(|| f64::from(animation.duration) / f64::from(animation.rate)),
            tracks: animation.bones.iter().filter(|bone| !bone.matrices.is_empty()).count() as u64,
            keys: animation.bones.iter().map(|bone| bone.matrices.len() as u64).sum(),
            frame_rate: (animation.rate > 0).then_some(animation.rate as f32),
            frames: Some(self.dialect.matrices_for(animation.duration)),
            ..ClipSummary::default()
        };
        let triangles = |mesh: &raw::Mesh<'_>| match self.dialect.stores_faces() {
            true => mesh.faces.len() as u64,
            false => mesh.vertices.len() as u64 / 3,
        };
        let joints = self.joint_ids();
        let is_only_joint = |node: &raw::Node<'_>| joints.contains(node.id) && node.mesh_ids.is_empty();
        let bounds = |mesh: &raw::Mesh<'_>| Bounds::of(mesh.vertices.iter().map(|vertex| &vertex.position));
        Summary {
            meshes: self.meshes.len() as u64,
            vertices: self.meshes.iter().map(|mesh| mesh.vertices.len() as u64).sum(),
            indices: self.meshes.iter().map(|mesh| 3 * mesh.faces.len() as u64).sum(),
            triangles: self.meshes.iter().map(triangles).sum(),
            lines: 0,
            materials: self.materials.len() as u64,
            textures: self.textures().count() as u64,
            nodes: self.nodes.iter().filter(|node| !is_only_joint(node)).count() as u64,
            joints: joints.len() as u64,
            clips: self.animations.iter().map(clip).collect(),
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
        let settings = read::settings(source, &mut LossReport::default());
        let textures = self.textures().map(shown);
        let overrides = settings.texture_overrides.into_iter().filter_map(|by| by.texture);
        let clips = settings.clips.into_iter().filter_map(|clip| clip.file);
        let paths = textures.chain(overrides).chain(clips).filter(|path| !path.is_empty());
        paths.map(|path| Naming::Named(path.replace('\\', "/"))).collect()
    }
}

fn conventions(file: &File<'_>) -> Vec<Convention> {
    let (order, why) = file.matrix_order();
    let mut conventions = vec![
        Convention { name: "matrix_order", value: order.word().into(), why },
        Convention { name: "uv_origin", value: "bottom-left".into(), why: "the converter keeps that of FBX".into() },
    ];
    let meaning = match file.dialect {
        Dialect::Document => Some(("local", "the document calls them transforms of the node")),
        Dialect::Engine | Dialect::EngineUnnamed => {
            Some(("skinning", "the engine hands them to the GPU as they are, and its converter has them so"))
        }
        Dialect::Day29 => {
            Some(("local", "as in the document; files of that day hold experiments that fit no meaning well"))
        }
        Dialect::Day14 | Dialect::Day09 => None,
    };
    conventions.extend(meaning.filter(|_| !file.animations.is_empty()).map(|(value, why)| Convention {
        name: "animation_matrices",
        value: value.into(),
        why: why.into(),
    }));
    conventions
}
