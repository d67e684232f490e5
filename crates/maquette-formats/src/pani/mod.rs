//! PANI, the animations of the Paca Engine: one clip, as keys for each bone of a skeleton kept elsewhere.
//!
//! A file is a header with the clip's length, rate and name, and for each bone three lists of keys: positions,
//! rotations, scales. Bones have neither names nor parents here: they stand in the order of the skeleton in the model
//! (`.pmdl`) that lists the clip by name. Times are ticks, quaternions x, y, z, w, everything packed and
//! little-endian. There is one layout.
//!
//! The engine is strict where the document is silent: it needs two keys of each kind at every bone, and a last key at
//! the very end. See `docs/formats/pmdl.md`.
//!
//! ```
//! use maquette_formats::pani;
//!
//! let bytes = pani::sample("document").main;
//! let mut file = pani::File::parse(&bytes)?;
//! for (index, bone) in file.bones.iter().enumerate() {
//!     println!("bone {index} turns {} times", bone.rotations.len());
//! }
//! assert_eq!(file.encode(), bytes);
//!
//! file.bones[1].rotations.to_mut()[0].time = 0.5.into();
//! let changed = file.encode();
//! assert_eq!(pani::File::parse(&changed)?.bones[1].rotations[0].time.get(), 0.5);
//! # Ok::<(), maquette_formats::format::Error>(())
//! ```

pub mod check;
pub mod faults;
mod frames;
pub mod raw;
pub mod read;
pub mod sample;
#[cfg(test)]
mod tests;
pub mod write;

pub use raw::{Dialect, File};
pub use sample::sample;

use crate::format::{Caps, Confidence, Format, RawFile, ReadOptions, Result, Source, Space};
use crate::summary::{ClipSummary, Convention, Summary, shown};
use crate::{open, open_part, trailing};
use maquette_scene::loss::LossReport;
use maquette_scene::{Report, Scene};

/// The format's entry in the table.
pub static FORMAT: Format = Format {
    id: "pani",
    name: "PANI",
    about: "animations of the Paca Engine, one clip for the skeleton of a .pmdl",
    extensions: &["pani"],
    probe: |bytes| bytes.starts_with(raw::MAGIC).then_some(Confidence::Magic),
    dialects: Dialect::TABLE,
    caps: |_| Caps { space: Space::Model, joints: true, clips: Some(1), ..Caps::NOTHING },
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
        let keys = |bone: &raw::Bone<'_>| (bone.positions.len() + bone.rotations.len() + bone.scales.len()) as u64;
        let duration_secs = f64::from(self.duration.get()) / f64::from(self.ticks_per_second.get());
        Summary {
            joints: self.bones.len() as u64,
            clips: vec![ClipSummary {
                name: shown(&self.name),
                duration_secs: Some(duration_secs).filter(|secs| secs.is_finite()),
                tracks: self.bones.iter().filter(|bone| keys(bone) > 0).count() as u64,
                keys: self.bones.iter().map(keys).sum(),
                ..ClipSummary::default()
            }],
            conventions: vec![Convention {
                name: "quaternion_order",
                value: "xyzw".into(),
                why: "the document names no order; the reference writes quaternions as glm keeps them in memory".into(),
            }],
            ..Summary::default()
        }
    }

    fn check(&self, _: &Source<'_>, report: &mut Report) {
        check::check(self, report);
    }

    fn read(&self, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
        trailing::lose(&self.trailing, losses);
        read::read(self, options, losses)
    }
}
