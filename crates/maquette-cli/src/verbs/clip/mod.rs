//! `maquette clip`: one file a command. Each has its arguments and the operation they ask for; reading, writing and telling is the same for all (`files`).

mod additive;
mod apply;
mod doctor;
mod files;
mod fix;
mod info;
mod looping;
mod merge;
mod mirror;
mod plot;
mod propose;
mod reduce;
mod rename;
mod resample;
mod retarget;
mod retime;
mod reverse;
mod root_motion;
mod scale;
mod skeleton;
mod split;
mod trim;

use crate::Verdict;
use clap::{Args, Subcommand};
use maquette::Result;
use std::path::Path;

#[derive(Args)]
pub struct ClipArgs {
    #[command(subcommand)]
    pub command: ClipCommand,
}

#[derive(Subcommand)]
pub enum ClipCommand {
    /// Put clips of other files onto a model, by the names of its bones
    Apply(apply::ApplyArgs),
    /// Make a clip repeat: its end meet its start, several times in a row, or marked so
    Loop(looping::LoopArgs),
    /// Make one clip of several: one after another, or at the same time
    Merge(merge::MergeArgs),
    /// Let left and right change places
    Mirror(mirror::MirrorArgs),
    /// Rename clips, bones and events
    Rename(rename::RenameArgs),
    /// Give every curve a key at each frame of a rate
    Resample(resample::ResampleArgs),
    /// Play faster or slower
    Retime(retime::RetimeArgs),
    /// Play backwards
    Reverse(reverse::ReverseArgs),
    /// Multiply translations: another unit of length
    Scale(scale::ScaleArgs),
    /// Cut a clip into several
    Split(split::SplitArgs),
    /// Show what clips hold: tracks, keys, ranges, events
    Info(info::InfoArgs),
    /// Draw the curves of a clip as a picture
    Plot(plot::PlotArgs),
    /// Find out why clips play wrongly, and what puts them right
    Doctor(doctor::DoctorArgs),
    /// Put right what a clip says of itself: blend, up axis, loop, frame count, signs of rotations
    Fix(fix::FixArgs),
    /// Leave out keys that nothing seen needs, within a tolerance
    Reduce(reduce::ReduceArgs),
    /// Keep a part, from one moment to another
    Trim(trim::TrimArgs),
    /// Make a clip additive, or put one onto a pose or another clip
    ///
    /// There is one convention, that of SEAnim: translations are added to those of the base, rotations are applied before those of the base, scales and morph weights are absolute.
    /// What the values are differences from is asked for, and told.
    #[command(subcommand)]
    Additive(additive::AdditiveCommand),
    /// Take the motion of the root out into a bone of its own, or away, or put it back
    #[command(subcommand)]
    RootMotion(root_motion::RootMotionCommand),
    /// Give clips for one skeleton the bones of another
    ///
    /// Joints turn away from their rest pose as those they are mapped to do, so the rest poses may differ. Joints are mapped by name, by the words that Mixamo, Valve, Call of Duty,
    /// Rigify, Unreal and Unity have for them, or by a map. A model that is written is the target, with these clips and no others.
    Retarget(Box<retarget::RetargetArgs>),
}

impl ClipCommand {
    /// Every file that is read.
    pub fn inputs(&self) -> Vec<&Path> {
        match self {
            ClipCommand::Apply(args) => args.inputs(),
            ClipCommand::Loop(args) => args.inputs(),
            ClipCommand::Merge(args) => args.files.inputs(),
            ClipCommand::Mirror(args) => args.files.inputs(),
            ClipCommand::Rename(args) => args.files.inputs(),
            ClipCommand::Resample(args) => args.files.inputs(),
            ClipCommand::Retime(args) => args.files.inputs(),
            ClipCommand::Reverse(args) => args.files.inputs(),
            ClipCommand::Scale(args) => args.files.inputs(),
            ClipCommand::Split(args) => args.files.inputs(),
            ClipCommand::Info(args) => args.files.iter().map(AsRef::as_ref).collect(),
            ClipCommand::Plot(args) => args.files.iter().map(AsRef::as_ref).collect(),
            ClipCommand::Doctor(args) => args.files.iter().map(AsRef::as_ref).chain(args.skeleton.input()).collect(),
            ClipCommand::Fix(args) => args.files.inputs().into_iter().chain(args.skeleton.input()).collect(),
            ClipCommand::Reduce(args) => args.files.inputs().into_iter().chain(args.skeleton.input()).collect(),
            ClipCommand::Trim(args) => args.files.inputs(),
            ClipCommand::Additive(command) => command.inputs(),
            ClipCommand::RootMotion(command) => command.inputs(),
            ClipCommand::Retarget(args) => args.inputs(),
        }
    }
}

pub fn run(args: &ClipArgs) -> Result<Verdict> {
    match &args.command {
        ClipCommand::Apply(args) => apply::run(args),
        ClipCommand::Loop(args) => looping::run(args),
        ClipCommand::Merge(args) => merge::run(args),
        ClipCommand::Mirror(args) => mirror::run(args),
        ClipCommand::Rename(args) => rename::run(args),
        ClipCommand::Resample(args) => resample::run(args),
        ClipCommand::Retime(args) => retime::run(args),
        ClipCommand::Reverse(args) => reverse::run(args),
        ClipCommand::Scale(args) => scale::run(args),
        ClipCommand::Split(args) => split::run(args),
        ClipCommand::Info(args) => info::run(args),
        ClipCommand::Plot(args) => plot::run(args),
        ClipCommand::Doctor(args) => doctor::run(args),
        ClipCommand::Fix(args) => fix::run(args),
        ClipCommand::Reduce(args) => reduce::run(args),
        ClipCommand::Trim(args) => trim::run(args),
        ClipCommand::Additive(command) => additive::run(command),
        ClipCommand::RootMotion(command) => root_motion::run(command),
        ClipCommand::Retarget(args) => retarget::run(args),
    }
}
