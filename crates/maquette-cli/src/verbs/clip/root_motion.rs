//! `maquette clip root-motion`: the way that a clip carries its root.

use super::files::{Files, each};
use super::skeleton::{Scope, Skeleton};
use crate::Verdict;
use clap::{Args, Subcommand, ValueEnum};
use maquette::Result;
use maquette::clips::{Axes, Refusal, Rig, root_axes};
use maquette::motion::ops::{self, RootAxes, RootBones, Up};
use std::path::Path;

#[derive(Subcommand)]
pub enum RootMotionCommand {
    /// Move the motion of the root into a bone of its own, and leave the root in place
    ///
    /// The motion is nothing at the start of the clip, and in place the root stays as it is then. Axes are those of the whole, through the rest pose of what is above the root. In
    /// a relative SEAnim clip the bone is tag_origin, the first, and the clip becomes a delta clip.
    Extract(ExtractArgs),
    /// Take the motion out of the root, which stays in place
    Remove(RemoveArgs),
    /// Put the motion that a bone has for itself back into the root; the bone goes
    Bake(BakeArgs),
}

#[derive(Args)]
pub struct Root {
    /// The bone that carries the whole. By default that of the skeleton that moves with nothing above it moving and most below it; without a skeleton the hips, or the first bone that is moved
    #[arg(long, value_name = "BONE")]
    pub root: Option<String>,
    #[command(flatten)]
    pub skeleton: Skeleton,
    #[command(flatten)]
    pub scope: Scope,
}

#[derive(Args)]
pub struct Chosen {
    /// What is motion: some of x, y, z along the axes of the whole, and yaw, the turning about the one that points up; by default what goes over the ground, and yaw
    #[arg(long, value_name = "AXES")]
    pub axes: Option<Axes>,
    /// The axis that points up: y by default for a model, as in glTF; a file of animation alone does not say
    #[arg(long, value_name = "AXIS")]
    up: Option<UpAxis>,
}

#[derive(Clone, Copy, ValueEnum)]
enum UpAxis {
    Y,
    Z,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  maquette clip root-motion extract walk.glb -o walk_rm.glb\n  \
                        maquette clip root-motion extract walk.seanim --axes xy,yaw --up z --root j_mainroot -o walk_rm.seanim")]
pub struct ExtractArgs {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    chosen: Chosen,
    /// The bone that gets the motion: tag_origin by default where there is one or the clip is relative, root_motion otherwise
    #[arg(long, value_name = "BONE")]
    into: Option<String>,
    #[command(flatten)]
    root: Root,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  maquette clip root-motion remove *.seanim --axes xy --root j_mainroot -o in_place/"
)]
pub struct RemoveArgs {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    root: Root,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  maquette clip root-motion bake walk_rm.seanim --root j_mainroot -o walk.seanim")]
pub struct BakeArgs {
    #[command(flatten)]
    files: Files,
    /// The bone that has the motion: tag_origin by default, or root_motion
    #[arg(long, value_name = "BONE")]
    from: Option<String>,
    #[command(flatten)]
    root: Root,
}

impl RootMotionCommand {
    pub fn inputs(&self) -> Vec<&Path> {
        let (files, root) = match self {
            RootMotionCommand::Extract(args) => (&args.files, &args.root),
            RootMotionCommand::Remove(args) => (&args.files, &args.root),
            RootMotionCommand::Bake(args) => (&args.files, &args.root),
        };
        files.inputs().into_iter().chain(root.skeleton.input()).collect()
    }
}

pub fn run(command: &RootMotionCommand) -> Result<Verdict> {
    let root = match command {
        RootMotionCommand::Extract(args) => &args.root,
        RootMotionCommand::Remove(args) => &args.root,
        RootMotionCommand::Bake(args) => &args.root,
    };
    let (skeleton, scope) = (root.skeleton.rig()?, root.scope.scope());
    let bones = |motion| RootBones { root: root.root.as_deref(), motion };
    match command {
        RootMotionCommand::Extract(args) => each(&args.files, &|mut motion, own| {
            let rig = skeleton.as_ref().or(own);
            let (axes, bones) = (args.chosen.axes(rig)?, bones(args.into.as_deref()));
            ops::extract_root_motion(&mut motion, axes, bones, rig, scope).map(|did| (vec![motion], did))
        }),
        RootMotionCommand::Remove(args) => each(&args.files, &|mut motion, own| {
            let rig = skeleton.as_ref().or(own);
            let axes = args.chosen.axes(rig)?;
            ops::remove_root_motion(&mut motion, axes, bones(None), rig, scope).map(|did| (vec![motion], did))
        }),
        RootMotionCommand::Bake(args) => each(&args.files, &|mut motion, own| {
            let bones = bones(args.from.as_deref());
            ops::bake_root_motion(&mut motion, bones, skeleton.as_ref().or(own), scope).map(|did| (vec![motion], did))
        }),
    }
}

impl Chosen {
    pub fn axes(&self, rig: Option<&Rig>) -> std::result::Result<RootAxes, Refusal> {
        root_axes(self.axes, self.up(), rig)
    }

    pub fn up(&self) -> Option<Up> {
        self.up.map(|up| match up {
            UpAxis::Y => Up::Y,
            UpAxis::Z => Up::Z,
        })
    }
}
