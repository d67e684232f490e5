//! `maquette clip loop`: a clip that repeats.

use super::files::{Files, each};
use super::root_motion::{Chosen, Root};
use crate::Verdict;
use clap::{ArgGroup, Args};
use maquette::Result;
use maquette::clips::{Going, Looping, Moment, Seam};
use std::path::Path;

#[derive(Args)]
#[command(
    group(ArgGroup::new("what").required(true).multiple(true).args(["seam", "count", "flag", "no_flag"])),
    after_help = "--seam measures how far the end is from the start and leads it there: the last seconds go on as they did, moved by a growing part of the way, so that the end is \
                  the start. With --dry-run it only measures. A root that walks on is left alone with --except. Several can be given at once: the seam comes first, then \
                  the repetitions, then the flag. --axes, --up, --root, --skeleton and --modifier-scope are for --accumulate and mean what they do in `clip root-motion`; the bone that has the motion of \
                  the whole for itself, as tag_origin of a delta clip, goes on where there is one that moves.\n\n\
                  Examples:\n  maquette clip loop walk.seanim --seam -o walk_loop.seanim\n  \
                  maquette clip loop run.seanim --seam --blend 8f --except tag_origin -o run_loop.seanim\n  \
                  maquette clip loop idle.glb --count 3 -o idle3.glb\n  \
                  maquette clip loop walk.glb --count 4 --accumulate -o walk4.glb\n  \
                  maquette clip loop *.seanim --flag -o looped/"
)]
pub struct LoopArgs {
    #[command(flatten)]
    files: Files,
    /// Make the end meet the start, and mark the clip as looped
    #[arg(long)]
    seam: bool,
    /// How much of the end is blended, in seconds, or in frames as 6f; 0.2 by default, or half of a shorter clip
    #[arg(long, value_name = "TIME", requires = "seam", allow_negative_numbers = true)]
    blend: Option<Moment>,
    /// Leave the bones of this name as they are; `*` and `?` stand for any text and character. May be given again
    #[arg(long, value_name = "GLOB", requires = "seam")]
    except: Vec<String>,
    /// Play it this many times, one after another, events included
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    count: Option<u64>,
    /// Let the root start each time where it ended the time before, instead of jumping back: along --axes, and turned as it is then
    #[arg(long, requires = "count")]
    accumulate: bool,
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    root: Root,
    /// Mark the clip as looped
    #[arg(long, conflicts_with = "no_flag")]
    flag: bool,
    /// Mark the clip as not looped
    #[arg(long)]
    no_flag: bool,
}

pub fn run(args: &LoopArgs) -> Result<Verdict> {
    let skeleton = args.root.skeleton.rig()?;
    let looping = args.looping();
    each(&args.files, &|mut motion, own| {
        looping.apply(&mut motion, skeleton.as_ref().or(own)).map(|did| (vec![motion], did))
    })
}

impl LoopArgs {
    pub fn inputs(&self) -> Vec<&Path> {
        self.files.inputs().into_iter().chain(self.root.skeleton.input()).collect()
    }

    fn looping(&self) -> Looping {
        let onward = Going {
            axes: self.chosen.axes,
            up: self.chosen.up(),
            root: self.root.root.clone(),
            scope: self.root.scope.scope(),
        };
        Looping {
            seam: self.seam.then(|| Seam { blend: self.blend, except: self.except.clone() }),
            count: self.count,
            onward: self.accumulate.then_some(onward),
            flag: (self.flag || self.no_flag).then_some(self.flag),
        }
    }
}
