//! `maquette clip trim`: a part of a clip.

use super::files::{Files, each};
use crate::Verdict;
use clap::Args;
use maquette::Result;
use maquette::clips::Moment;
use maquette::motion::ops;

#[derive(Args)]
#[command(after_help = "Examples:\n  maquette clip trim walk.seanim --from 0.5 --to 1.2 -o step.seanim\n  \
                        maquette clip trim *.seanim --to 30f -o shorter/")]
pub struct TrimArgs {
    #[command(flatten)]
    pub files: Files,
    /// The moment it begins at, in seconds, or in frames as 12f
    #[arg(long, value_name = "TIME", default_value = "0", allow_negative_numbers = true)]
    from: Moment,
    /// The moment it ends at, in seconds, or in frames as 30f; the end of the clip by default
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    to: Option<Moment>,
}

pub fn run(args: &TrimArgs) -> Result<Verdict> {
    each(&args.files, &|mut motion, _| {
        let from = args.from.secs(&motion)?;
        let to = args.to.map_or(Ok(motion.duration_secs), |to| to.secs(&motion))?;
        ops::trim(&mut motion, from, to).map(|did| (vec![motion], did))
    })
}
