//! `maquette clip merge`: several clips made one.

use super::files::{Files, each_file};
use crate::Verdict;
use clap::Args;
use maquette::clips::{self, EditOptions, Edited, Merge};
use maquette::motion::ops::Prefer;
use maquette::{Error, Input, Result};
use std::path::PathBuf;

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
        let prefer = self.prefer.as_deref().map(|word| if word == "first" { Prefer::First } else { Prefer::Last });
        let how = if self.layers { Merge::Layers(prefer) } else { Merge::Sequence };
        let others = others.iter().map(Input::from_path).collect::<Result<Vec<_>>>()?;
        clips::merge(first, &others, name, options, how)
    }
}
