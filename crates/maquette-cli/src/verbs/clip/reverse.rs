//! `maquette clip reverse`: a clip backwards.

use super::files::{Files, each};
use crate::Verdict;
use clap::Args;
use maquette::Result;
use maquette::motion::ops;

#[derive(Args)]
#[command(after_help = "Events are mirrored in time, too. Twice is the clip as it was.\n\n\
                        Examples:\n  maquette clip reverse open.seanim -o close.seanim\n  \
                        maquette clip reverse door.glb --clip Open -o door2.glb")]
pub struct ReverseArgs {
    #[command(flatten)]
    pub files: Files,
}

pub fn run(args: &ReverseArgs) -> Result<Verdict> {
    each(&args.files, &|mut motion, _| ops::reverse(&mut motion).map(|did| (vec![motion], did)))
}
