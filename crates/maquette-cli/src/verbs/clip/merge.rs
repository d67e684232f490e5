//! `maquette clip merge`: several clips made one.

use super::files::{Files, each_file};
use crate::Verdict;
use crate::verbs::is_standard;
use clap::Args;
use maquette::clips::{self, EditOptions, Edited, Motion};
use maquette::motion::ops::{self, Prefer};
use maquette::{Error, Input, Result};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Args)]
#[command(
    override_usage = "maquette clip merge [OPTIONS] -o <OUT> FILE...",
    after_help = "All clips of all files become one in place of the first, whose file is the one that is edited; of files with several clips --clip chooses some, and of a file with one clip it is taken in any case. One after another, a bone that a clip does not move is at rest \
                  while it plays, as far as the rest pose is known. At the same time, each clip is for bones of its own. Keys stay where they are: where they must lie on frames, the clip gets \
                  the lowest multiple of the first frame rate that has a frame for each of them, and where there is none up to 1000 a second the others are resampled and the largest error is told. Onto a model, bones that it \
                  does not have are left out and told. Bones keep their blend; a bone that is blended in two ways is refused.\n\n\
                  Examples:\n  maquette clip merge start.seanim walk.seanim stop.seanim -o all.seanim\n  \
                  maquette clip merge legs.seanim arms.seanim --layers -o body.seanim\n  \
                  maquette clip merge fox.glb --clip Walk --clip Run -o fox2.glb"
)]
pub struct MergeArgs {
    #[command(flatten)]
    pub files: Files,
    /// One after another; so it is by default
    #[arg(long, conflicts_with = "layers")]
    sequence: bool,
    /// At the same time, each for bones of its own
    #[arg(long)]
    layers: bool,
    /// Where several clips move one property of one bone: which is kept
    #[arg(long, value_name = "WHICH", value_parser = ["first", "last"], requires = "layers")]
    prefer: Option<String>,
}

pub fn run(args: &MergeArgs) -> Result<Verdict> {
    let Some((first, others)) = args.files.files.split_first() else {
        return Err(Error::Usage("there is nothing to merge".into()));
    };
    let files = Files { files: vec![first.clone()], ..args.files.clone() };
    each_file(&files, &|input, name, options| args.merge(input, name, options, others))
}

impl MergeArgs {
    fn merge(&self, first: &Input, name: Option<&str>, options: &EditOptions, others: &[PathBuf]) -> Result<Edited> {
        let (mut motions, own_options) = chosen(first, options)?;
        // The first of them is the one that the others go into.
        motions = motions.split_off(1);
        for other in others {
            motions.extend(chosen(&Input::from_path(other)?, options)?.0);
        }
        if motions.is_empty() {
            let shown = if is_standard(&self.files.output) {
                "the output".into()
            } else {
                self.files.output.display().to_string()
            };
            return Err(Error::Usage(format!("one clip is merged with nothing; name more files to make {shown} of")));
        }
        let prefer = self.prefer.as_deref().map(|word| if word == "first" { Prefer::First } else { Prefer::Last });
        let is_merged = AtomicBool::new(false);
        clips::edit(first, name, &own_options, &|mut motion, rig| {
            if is_merged.swap(true, Ordering::Relaxed) {
                return Ok((Vec::new(), clips::Did::new("is merged into the first")));
            }
            let did = match self.layers {
                true => ops::merge_layers(&mut motion, motions.clone(), rig, prefer)?,
                false => ops::merge_sequence(&mut motion, motions.clone(), rig)?,
            };
            Ok((vec![motion], did))
        })
    }
}

/// The clips of a file that are merged, and the options that choose just these: of several the named ones, and one in any case.
fn chosen(input: &Input, options: &EditOptions) -> Result<(Vec<Motion>, EditOptions)> {
    let all = EditOptions { clips: Vec::new(), ..options.clone() };
    let motions = clips::motions(input, &all)?.0;
    match motions.len() {
        1 => Ok((motions, all)),
        _ => Ok((clips::motions(input, options)?.0, options.clone())),
    }
}
