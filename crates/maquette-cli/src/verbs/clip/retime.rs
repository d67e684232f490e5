//! `maquette clip retime`: faster or slower.

use super::files::{Files, each};
use crate::Verdict;
use clap::{ArgGroup, Args};
use maquette::Result;
use maquette::motion::ops::{self, Pace};

#[derive(Args)]
#[command(
    group(ArgGroup::new("pace").required(true).args(["speed", "duration", "fps"])),
    after_help = "--speed 2 plays twice as fast, --duration 1.5 in 1.5 seconds, --fps 24 the same frames, 24 of them a second. All keep every frame and change the frame rate: nothing is lost. \
                  With --keep-fps the frame rate stays, and the clip gets keys at its frames instead. To keep the pace and change the frame rate, see `clip resample`.\n\n\
                  Examples:\n  maquette clip retime walk.seanim --speed 1.5 -o jog.seanim\n  \
                  maquette clip retime walk.seanim --fps 24 -o walk24.seanim\n  \
                  maquette clip retime *.seanim --duration 1 --keep-fps -o second/"
)]
pub struct RetimeArgs {
    #[command(flatten)]
    pub files: Files,
    /// How many times as fast
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    speed: Option<f64>,
    /// How long it takes, in seconds
    #[arg(long, value_name = "SECS", allow_negative_numbers = true)]
    duration: Option<f64>,
    /// How many of its frames are played a second
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    fps: Option<f64>,
    /// Keep the frame rate, with a key at each frame
    #[arg(long, conflicts_with = "fps")]
    keep_fps: bool,
}

pub fn run(args: &RetimeArgs) -> Result<Verdict> {
    let pace = match (args.speed, args.duration, args.fps) {
        (Some(speed), ..) => Pace::Speed(speed),
        (_, Some(secs), _) => Pace::Duration(secs),
        (.., fps) => Pace::FrameRate(fps.unwrap_or_default()),
    };
    each(&args.files, &|mut motion, _| ops::retime(&mut motion, pace, args.keep_fps).map(|did| (vec![motion], did)))
}
