//! `maquette clip split`: one clip cut into several.

use super::files::{Files, each};
use crate::Verdict;
use clap::{ArgGroup, Args};
use maquette::Result;
use maquette::clips::{Moment, Motion, Refusal};
use maquette::motion::ops::{self, Cuts};

#[derive(Args)]
#[command(
    group(ArgGroup::new("cuts").required(true).args(["at", "parts", "every", "events"])),
    after_help = "A file that holds many clips holds the parts, too: walk_1, walk_2 and so on. Of a SEAnim file, each part becomes a file: walk.1.seanim, walk.2.seanim; with --events they are called \
                  after these: walk.footstep.seanim. The pose at a cut ends one part and begins the next. Cuts of SEAnim clips lie on whole frames.\n\n\
                  Examples:\n  maquette clip split all.seanim --at 0.5 --at 45f -o parts/\n  \
                  maquette clip split all.seanim --events -o parts/\n  \
                  maquette clip split fox.glb --clip Run --parts 4 -o fox4.glb"
)]
pub struct SplitArgs {
    #[command(flatten)]
    pub files: Files,
    /// Cut at this moment, in seconds, or in frames as 45f. May be given again
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_delimiter = ',')]
    at: Vec<Moment>,
    /// Cut into this many parts of one length
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    parts: Option<u64>,
    /// Cut whenever this much time is over, in seconds, or in frames as 30f
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    every: Option<Moment>,
    /// Cut at every event, and name each part after the one it begins with
    #[arg(long)]
    events: bool,
}

pub fn run(args: &SplitArgs) -> Result<Verdict> {
    each(&args.files, &|motion, _| ops::split(&motion, &args.cuts(&motion)?))
}

impl SplitArgs {
    fn cuts(&self, motion: &Motion) -> std::result::Result<Cuts, Refusal> {
        Ok(match (self.parts, self.every) {
            (Some(parts), _) => Cuts::Parts(parts),
            (None, Some(every)) => Cuts::Every(every.secs(motion)?),
            (None, None) if self.events => Cuts::Events,
            (None, None) => Cuts::At(self.at.iter().map(|at| at.secs(motion)).collect::<std::result::Result<_, _>>()?),
        })
    }
}
