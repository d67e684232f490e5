//! PMAT, the materials of the Paca Engine: a name, and the image files that make the material up.
//!
//! A file is a header with the material's name and a list of textures, each a type and the path of an image. Meshes in
//! a model (`.pmdl`) name the material; the file name does not matter. Everything is packed and little-endian. There
//! is one layout; the document leaves out two of the texture types. See `docs/formats/pmdl.md`.
//!
//! ```
//! use maquette_formats::pmat;
//!
//! let bytes = pmat::sample("document").main;
//! let mut file = pmat::File::parse(&bytes)?;
//! for texture in &file.textures {
//!     println!("{} is of type {}", String::from_utf8_lossy(&texture.path), texture.texture_type);
//! }
//! assert_eq!(file.encode(), bytes);
//!
//! file.textures[0].path = b"brick.png".as_slice().into();
//! let changed = file.encode();
//! assert_eq!(*pmat::File::parse(&changed)?.textures[0].path, *b"brick.png");
//! # Ok::<(), maquette_formats::format::Error>(())
//! ```

pub mod check;
pub mod faults;
pub mod raw;
pub mod read;
pub mod sample;
#[cfg(test)]
mod tests;
pub mod write;

pub use raw::{Dialect, File};
pub use sample::sample;

use crate::format::{Caps, Confidence, Format, Naming, RawFile, ReadOptions, Result, Source, TextureStorage};
use crate::summary::{Summary, shown};
use crate::{open, open_part, trailing};
use maquette_scene::loss::LossReport;
use maquette_scene::{Report, Scene};

/// The format's entry in the table.
pub static FORMAT: Format = Format {
    id: "pmat",
    name: "PMAT",
    about: "materials of the Paca Engine, for the meshes of a .pmdl",
    extensions: &["pmat"],
    probe: |bytes| bytes.starts_with(raw::MAGIC).then_some(Confidence::Magic),
    dialects: Dialect::TABLE,
    caps: |_| Caps { materials: true, textures: TextureStorage::FileNames, companions: true, ..Caps::NOTHING },
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
        Summary { materials: 1, textures: self.textures.len() as u64, ..Summary::default() }
    }

    fn check(&self, source: &Source<'_>, report: &mut Report) {
        check::check(self, source, report);
    }

    fn read(&self, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
        trailing::lose(&self.trailing, losses);
        read::read(self, options, losses)
    }

    fn references(&self, _: &Source<'_>) -> Vec<Naming> {
        let paths = self.textures.iter().filter(|texture| !texture.path.is_empty());
        paths.map(|texture| Naming::Named(shown(&texture.path).replace('\\', "/"))).collect()
    }
}
