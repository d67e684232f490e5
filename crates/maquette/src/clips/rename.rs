//! Other names for clips, bones and events.

use super::{EditOptions, Edited, edit, motions};
use crate::{Error, Input, Result};
use maquette_motion::ops::{self, Renaming};

/// Renames clips, their bones and events, and the nodes of a model. One name for a clip is for one of them.
pub fn rename(input: &Input, output_name: Option<&str>, options: &EditOptions, renaming: &Renaming) -> Result<Edited> {
    let options = EditOptions { nodes: renaming.clone(), ..options.clone() };
    if renaming.clip.is_some() && motions(input, &options)?.0.len() > 1 {
        return Err(Error::Usage(format!(
            "{} has several clips, and one name is for one of them: say which with --clip",
            input.label
        )));
    }
    edit(input, output_name, &options, &|mut motion, rig| {
        ops::rename(&mut motion, renaming, rig.is_some()).map(|did| (vec![motion], did))
    })
}
