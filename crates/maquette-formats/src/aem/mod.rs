//! AEM, "an excellent model": game-ready models with packed PBR textures and skeletal animation.
//!
//! A file is a header of counts and ten tables in fixed order: vertices, indices, image bytes, textures,
//! meshes, materials, joints, animations, tracks, keyframes. All packed, all little-endian, matrices
//! column-major. Five layouts share version number 1 ([`Dialect`]); they differ in the header and the texture
//! record, and the counts add up to the file's size in the right one only.
//!
//! Quirks met in real files: bytes after the NUL of a name are leaked memory, joints may come before their
//! parents, unused influences repeat a real joint instead of -1. See `docs/formats/aem.md`.
//!
//! ```
//! use maquette_formats::aem;
//!
//! let bytes = aem::sample("document").main;
//! let mut file = aem::File::parse(&bytes)?;
//! for joint in file.joints.iter() {
//!     println!("{} under {}", String::from_utf8_lossy(joint.name.text()), joint.parent.get());
//! }
//! assert_eq!(file.encode(), bytes);
//!
//! if let Some(animation) = file.animations.to_mut().first_mut() {
//!     animation.duration = 3.0.into();
//! }
//! let longer = file.encode();
//! assert_eq!(aem::File::parse(&longer)?.animations[0].duration.get(), 3.0);
//! # Ok::<(), maquette_formats::format::Error>(())
//! ```

pub mod check;
pub mod faults;
mod geometry;
pub mod materials;
pub mod mips;
pub mod raw;
pub mod read;
pub mod recast;
pub mod sample;
#[cfg(test)]
mod tests;
pub mod write;

pub use raw::{Dialect, File};
pub use sample::sample;

use crate::format::{Caps, Confidence, Format, RawFile, ReadOptions, Result, Source, TextureRoom, TextureStorage};
use crate::summary::{Bounds, ClipSummary, Convention, Summary, shown};
use crate::{open, open_part, trailing};
use maquette_scene::loss::LossReport;
use maquette_scene::{Report, Scene};

/// The format's entry in the table.
pub static FORMAT: Format = Format {
    id: "aem",
    name: "AEM",
    about: "models with packed PBR textures (BC7, BC5) and skeletal animation",
    extensions: &["aem"],
    probe: |bytes| bytes.starts_with(raw::MAGIC).then_some(Confidence::Magic),
    dialects: Dialect::TABLE,
    caps: |dialect| Caps {
        meshes: true,
        needs_normals: true,
        needs_tangents: true,
        uv_sets: 1,
        tangents: true,
        materials: true,
        textures: TextureStorage::Pixels,
        blocks: dialect != Dialect::WideEarly.id(),
        two_channels: [Dialect::Channels.id(), Dialect::Wide.id()].contains(&dialect),
        texture_room: [Dialect::Document.id(), Dialect::Channels.id()]
            .contains(&dialect)
            .then_some(TextureRoom { bytes: u32::MAX as u64, instead: Dialect::Wide.id() }),
        joints: true,
        node_names: true,
        influences: Some(4),
        unit_weights: true,
        clips: None,
        name_bytes: Some(127),
        ..Caps::NOTHING
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
        &self.evidence
    }

    fn trailing(&self) -> &[u8] {
        &self.trailing
    }

    fn summary(&self) -> Summary {
        let clip = |(index, animation): (usize, &raw::Animation)| {
            let tracks = self.tracks_of(index);
            ClipSummary {
                name: shown(animation.name.text()),
                duration_secs: Some(f64::from(animation.duration.get())).filter(|secs| secs.is_finite()),
                tracks: tracks.iter().filter(|track| track.key_count() > 0).count() as u64,
                keys: tracks.iter().map(raw::Track::key_count).sum(),
                ..ClipSummary::default()
            }
        };
        Summary {
            meshes: self.meshes.len() as u64,
            vertices: self.vertices.len() as u64,
            indices: self.indices.len() as u64,
            triangles: self.meshes.iter().map(|mesh| u64::from(mesh.index_count.get() / 3)).sum(),
            lines: 0,
            materials: self.materials.len() as u64,
            textures: self.textures.len() as u64,
            nodes: 0,
            joints: self.joints.len() as u64,
            clips: self.animations.iter().enumerate().map(clip).collect(),
            bounds: Bounds::of(self.vertices.iter().map(|vertex| &vertex.position)),
            conventions: vec![
                Convention { name: "matrix_order", value: "column-major".into(), why: "the document says so".into() },
                Convention { name: "quaternion_order", value: "xyzw".into(), why: "the document says so".into() },
            ],
        }
    }

    fn check(&self, _: &Source<'_>, report: &mut Report) {
        check::check(self, report);
    }

    fn read(&self, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
        trailing::lose(&self.trailing, losses);
        read::read(self, options, losses)
    }

    fn in_dialect(&self, dialect: &str) -> Option<Box<dyn RawFile + '_>> {
        Some(Box::new(recast::recast(self, Dialect::from_id(dialect)?)?))
    }
}
