//! Several clips made one.

use super::{Did, EditOptions, Edited, Motion, edit, motions};
use crate::{Error, Input, Result};
use maquette_motion::ops::{self, Prefer};
use std::sync::atomic::{AtomicBool, Ordering};

/// How clips become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// One after another.
    Sequence,
    /// At the same time, each for bones of its own; where several move one property of one bone, this one is kept.
    Layers(Option<Prefer>),
}

/// Makes one clip of those of all files, in place of the first of the first. Of files with several clips the options choose some, and of a file with one clip it is taken in any case.
pub fn merge(
    first: &Input,
    others: &[Input],
    output_name: Option<&str>,
    options: &EditOptions,
    how: Merge,
) -> Result<Edited> {
    let (mut motions, own_options) = chosen(first, options)?;
    // The first of them is the one that the others go into.
    motions = motions.split_off(1);
    for other in others {
        motions.extend(chosen(other, options)?.0);
    }
    if motions.is_empty() {
        let output = output_name.unwrap_or("the output");
        return Err(Error::Usage(format!("one clip is merged with nothing; name more files to make {output} of")));
    }
    let is_merged = AtomicBool::new(false);
    edit(first, output_name, &own_options, &|mut motion, rig| {
        if is_merged.swap(true, Ordering::Relaxed) {
            return Ok((Vec::new(), Did::new("is merged into the first")));
        }
        let did = match how {
            Merge::Layers(prefer) => ops::merge_layers(&mut motion, motions.clone(), rig, prefer)?,
            Merge::Sequence => ops::merge_sequence(&mut motion, motions.clone(), rig)?,
        };
        Ok((vec![motion], did))
    })
}

/// The clips of a file that are merged, and the options that choose just these: of several the named ones, and one in any case.
fn chosen(input: &Input, options: &EditOptions) -> Result<(Vec<Motion>, EditOptions)> {
    let all = EditOptions { clips: Vec::new(), ..options.clone() };
    let found = motions(input, &all)?.0;
    match found.len() {
        1 => Ok((found, all)),
        _ => Ok((motions(input, options)?.0, options.clone())),
    }
}
