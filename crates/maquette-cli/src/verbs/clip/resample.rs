//! `maquette clip resample`: a key at every frame.

use super::files::{Files, each};
use crate::Verdict;
use clap::Args;
use maquette::Result;
use maquette::motion::ops;

#[derive(Args)]
#[command(
    after_help = "The pace stays, and every curve gets a key at each frame from its first key to its last; for the same frames at another pace see `clip retime --fps`. \
                        Splines become straight lines, curves that jump go on jumping, and the largest error is told. A SEAnim clip that ends between two of its new frames lasts up to the later one; \
                        elsewhere the first and the last key stay where they are.\n\n\
                        Examples:\n  maquette clip resample walk.seanim --fps 60 -o walk60.seanim\n  \
                        maquette clip resample *.glb --fps 29.97 -o baked/"
)]
pub struct ResampleArgs {
    #[command(flatten)]
    pub files: Files,
    /// Frames a second
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    fps: f64,
}

pub fn run(args: &ResampleArgs) -> Result<Verdict> {
    each(&args.files, &|mut motion, _| ops::resample(&mut motion, args.fps).map(|did| (vec![motion], did)))
}
