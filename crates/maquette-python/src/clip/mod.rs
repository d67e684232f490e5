//! `maquette.clip`: what can be done to the clips of files. Reading, writing and telling is the same for all ([`files`]); what people write is taken from the same options ([`asked`]).
//!
//! | | |
//! |---|---|
//! | [`time`] | parts, frames, pace, loops |
//! | [`pose`] | mirrored, additive, root motion, retargeted |
//! | [`names`] | renamed, merged, put onto a model |
//! | [`keys`] | lengths, fewer keys, what clips say of themselves |
//! | [`look`] | what clips hold, their curves, and what is wrong with them |

mod asked;
mod edited;
mod files;
mod keys;
mod look;
mod names;
mod pose;
mod time;

pub use asked::moment;

use pyo3::prelude::*;

/// Clips: the animations of any file, edited in full precision.
///
/// Each function reads `source`, edits its clips, and writes to `target`: a path, a folder, a file object, or None for memory. The ending of
/// the path says the format, or `format` does; otherwise it is the input's. What the edit is not about stays as it was, to the
/// byte in a SEAnim file. Options that all have: `clips`, names of those that are edited, `*` and `?` for any text and
/// character; `name`, `format`, `dialect`, `force` and `progress` as in `maquette.write`; `read_name`, `companions` and
/// `read_dialect` as in `maquette.convert`. Moments are seconds, or frames as "12f".
#[pymodule(submodule, name = "clip")]
pub mod module {
    #[pymodule_export]
    use super::edited::PyEdited;
    #[pymodule_export]
    use super::keys::{fix, reduce, scale};
    #[pymodule_export]
    use super::look::{Plot, doctor, info, plot};
    #[pymodule_export]
    use super::names::{apply, merge, rename};
    #[pymodule_export]
    use super::pose::{
        additive_compose, additive_make, mirror, propose, retarget, root_motion_bake, root_motion_extract,
        root_motion_remove,
    };
    #[pymodule_export]
    use super::time::{r#loop, resample, retime, reverse, split, trim};
}
