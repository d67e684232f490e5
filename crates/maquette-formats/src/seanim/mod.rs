//! SEAnim: skeletal animation for bones that are known by name, with notes.
//!
//! A file is a header, the names of the bones, the bones whose type of animation differs from the rest, the keys of
//! each bone (locations, rotations, scales), notes, and a block for whatever a tool wants to keep. No hierarchy and
//! no rest pose: both come from the model that it is played on. All packed, all little-endian.
//!
//! How wide frame numbers are depends on how many frames there are, and two rules for it exist under one version
//! number ([`Dialect`]). Quirks met in the wild: the header's size counts itself, keys may be unsorted, bones may be
//! listed without any channel, and Greyhound appends blend shapes that the document does not know. See
//! `docs/formats/seanim.md`.
//!
//! ```
//! use maquette_formats::seanim;
//! use maquette_formats::seanim::raw::keys::Key;
//!
//! let bytes = seanim::sample("1.0.2").main;
//! let mut file = seanim::File::parse(&bytes)?;
//! for bone in &file.bones {
//!     let frames: Vec<u32> = bone.rot.iter().map(|key| key.frame).collect();
//!     println!("{} turns on frames {frames:?}", String::from_utf8_lossy(&bone.name));
//! }
//! assert_eq!(file.encode(), bytes);
//!
//! if let Some(bone) = file.bones.get_mut(1) {
//!     assert!(bone.loc.set(0, Key { frame: 0, value: [0.0, 1.5, 0.0, 0.0] }));
//! }
//! let taller = file.encode();
//! assert_eq!(seanim::File::parse(&taller)?.bones[1].loc.value(0), Some([0.0, 1.5, 0.0, 0.0]));
//! # Ok::<(), maquette_formats::format::Error>(())
//! ```

pub mod check;
mod extras;
pub mod faults;
pub mod motion;
pub mod raw;
pub mod read;
mod rotation;
pub mod sample;
#[cfg(test)]
mod tests;
pub mod write;

pub use raw::{Dialect, File};
pub use sample::sample;

use crate::format::{Caps, Confidence, Format, RawFile, ReadOptions, Result, Source, Space};
use crate::summary::{ClipSummary, Convention, Summary};
use crate::{open, open_part, trailing};
use maquette_motion::Motion;
use maquette_scene::loss::LossReport;
use maquette_scene::{Report, Scene};

/// The format's entry in the table.
pub static FORMAT: Format = Format {
    id: "seanim",
    name: "SEAnim",
    about: "skeletal animation for bones known by name, with notes",
    extensions: &["seanim"],
    probe: |bytes| bytes.starts_with(raw::MAGIC).then_some(Confidence::Magic),
    dialects: Dialect::TABLE,
    caps: |_| Caps {
        space: Space::Model,
        joints: true,
        clips: Some(1),
        frames: true,
        events: true,
        blends: true,
        node_names: true,
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

impl File<'_> {
    /// The frame rate, if times can be computed with it.
    pub fn usable_framerate(&self) -> Option<f32> {
        usable_framerate(self.framerate.get())
    }

    /// The length in seconds, from the first frame to the last; `None` where the frame rate gives none.
    pub fn duration_secs(&self) -> Option<f64> {
        let rate = f64::from(self.framerate.get());
        let steps = f64::from(self.frame_count.saturating_sub(1));
        (rate.is_finite() && rate > 0.0).then(|| steps / rate)
    }
}

/// A frame rate, if every frame number divided by it is a time.
fn usable_framerate(rate: f32) -> Option<f32> {
    let is_usable = rate > 0.0 && (u32::MAX as f32 / rate).is_finite() && (1.0 / rate).is_normal();
    is_usable.then_some(rate)
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
        let anim_type = raw::ANIM_TYPE.of(u32::from(self.anim_type));
        Summary {
            joints: self.bones.len() as u64,
            clips: vec![ClipSummary {
                name: String::new(),
                duration_secs: self.duration_secs(),
                tracks: self.bones.iter().filter(|bone| self.keys_of(bone) > 0).count() as u64,
                keys: self.key_count(),
                events: self.notes.len() as u64,
                frame_rate: self.usable_framerate(),
                frames: Some(u64::from(self.frame_count)),
            }],
            conventions: vec![
                Convention { name: "quaternion_order", value: "xyzw".into(), why: "the document says so".into() },
                Convention {
                    name: "animation_type",
                    value: anim_type.unwrap_or_else(|| format!("unknown ({})", self.anim_type)),
                    why: "the header says so; modifiers may say otherwise for single bones".into(),
                },
            ],
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

    fn motion(&self, losses: &mut LossReport) -> Option<Result<Motion>> {
        Some(motion::read(self, losses))
    }

    fn with_motion(&self, motion: &Motion, losses: &mut LossReport) -> Result<Vec<u8>> {
        motion::write(self, motion, losses)
    }
}
