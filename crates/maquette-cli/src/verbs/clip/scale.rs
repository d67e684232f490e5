//! `maquette clip scale`: translations in another unit.

use super::files::{Files, each};
use crate::Verdict;
use clap::Args;
use maquette::Result;
use maquette::motion::ops;

#[derive(Args)]
#[command(
    after_help = "Translations alone have a length: rotations, scales and weights stay. 2.54 makes centimetres of inches, 0.0254 metres of inches, 0.01 metres of centimetres. \
                        The model in a file stays as it is; `convert --scale` takes both.\n\n\
                        Examples:\n  maquette clip scale walk.seanim --factor 2.54 -o walk_cm.seanim\n  \
                        maquette clip scale *.seanim --factor 0.0254 -o metres/"
)]
pub struct ScaleArgs {
    #[command(flatten)]
    pub files: Files,
    /// What translations are multiplied by
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    factor: f64,
}

pub fn run(args: &ScaleArgs) -> Result<Verdict> {
    each(&args.files, &|mut motion, _| ops::scale(&mut motion, args.factor).map(|did| (vec![motion], did)))
}
