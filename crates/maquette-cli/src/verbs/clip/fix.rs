//! `maquette clip fix`: what a clip says of itself, put right.

use super::files::{Files, each};
use super::skeleton::Skeleton;
use crate::Verdict;
use clap::{Args, ValueEnum};
use maquette::Result;
use maquette::motion::Blend;
use maquette::motion::ops::{self, Fixes, Misread, Up};

#[derive(Args)]
#[command(
    after_help = "Rotations become of unit length with the signs of the key before, keys get into order, and a frame rate that gives no times becomes the 30 that are assumed, or that of --fps; what else is asked for \
                  changes what the clip says, and no other value.\n\n\
                  Examples:\n  maquette clip fix sway.seanim --blend additive -o fixed.seanim\n  \
                  maquette clip fix walk.seanim --up y --skeleton body.glb -o fixed.seanim"
)]
pub struct FixArgs {
    #[command(flatten)]
    pub files: Files,
    /// How its values are to be taken from now on; no value changes, and bones with a blend of their own keep it
    #[arg(long, value_name = "BLEND")]
    blend: Option<BlendWord>,
    /// The axis that is to point up; the other of both did. What has no other bone above it is turned, which takes a model
    #[arg(long, value_name = "AXIS")]
    up: Option<UpWord>,
    /// Whether it repeats
    #[arg(long, value_name = "WHETHER")]
    looped: Option<Whether>,
    /// Frames a second, where it says another rate or none; the frames stay
    #[arg(long, value_name = "RATE", allow_negative_numbers = true)]
    fps: Option<f64>,
    /// How many frames it has; 0 for as many as its keys and events take
    #[arg(long, value_name = "COUNT")]
    frame_count: Option<u32>,
    /// Leave out keys that jump away for a frame and back
    #[arg(long)]
    spikes: bool,
    /// How its rotations were written, where they are read wrongly: with their w first, or turning the other way
    #[arg(long, value_name = "HOW")]
    rotations: Option<Written>,
    #[command(flatten)]
    pub skeleton: Skeleton,
}

#[derive(Clone, Copy, ValueEnum)]
enum BlendWord {
    Absolute,
    Relative,
    Additive,
    Delta,
}

#[derive(Clone, Copy, ValueEnum)]
enum Written {
    WFirst,
    Inverse,
}

#[derive(Clone, Copy, ValueEnum)]
enum UpWord {
    Y,
    Z,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whether {
    Yes,
    No,
}

pub fn run(args: &FixArgs) -> Result<Verdict> {
    let fixes = Fixes {
        blend: args.blend.map(|blend| match blend {
            BlendWord::Absolute => Blend::Absolute,
            BlendWord::Relative => Blend::Relative,
            BlendWord::Additive => Blend::Additive,
            BlendWord::Delta => Blend::Delta,
        }),
        up: args.up.map(|up| match up {
            UpWord::Y => Up::Y,
            UpWord::Z => Up::Z,
        }),
        looped: args.looped.map(|looped| looped == Whether::Yes),
        frame_count: args.frame_count,
        fps: args.fps,
        spikes: args.spikes,
        rotations: args.rotations.map(|written| match written {
            Written::WFirst => Misread::WFirst,
            Written::Inverse => Misread::Inverse,
        }),
    };
    let given = args.skeleton.rig()?;
    each(&args.files, &|mut motion, rig| {
        ops::fix(&mut motion, &fixes, given.as_ref().or(rig)).map(|did| (vec![motion], did))
    })
}
