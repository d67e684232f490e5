//! `maquette clip additive`: clips as differences from a pose, and back.

use super::files::{Files, each};
use super::skeleton::{Scope, Skeleton};
use crate::Verdict;
use clap::{Args, Subcommand};
use maquette::clips::{Bases, Pose};
use maquette::motion::Blend;
use maquette::motion::ops::{self, Base, Lasts, Reference};
use maquette::{Error, Input, Result};
use std::path::{Path, PathBuf};

#[derive(Subcommand)]
pub enum AdditiveCommand {
    /// Give clips the differences from a pose as their values
    ///
    /// From the rest pose they are what SEAnim calls additive. From the first frame or from another clip they are meant to be put onto a base (see compose); whoever plays them
    /// as an additive clip adds them to the rest pose. A format without a blend, as glTF, is written as just that: added to the rest pose.
    Make(MakeArgs),
    /// Put additive clips onto the rest pose or another clip
    Compose(ComposeArgs),
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  maquette clip additive make aim.seanim --relative-to rest --skeleton soldier.glb -o aim_add.seanim\n  \
                        maquette clip additive make lean.seanim --relative-to first -o lean_add.seanim\n  \
                        maquette clip additive make limp.seanim --relative-to walk.seanim@0.5 -o limp_add.seanim\n  \
                        maquette clip additive make fox.glb --clip Run --relative-to fox.glb@0 --base-clip Survey -o run_add.glb"
)]
pub struct MakeArgs {
    #[command(flatten)]
    pub files: Files,
    /// What the values become differences from: rest, first (the pose a clip begins with), or a file with a clip: at the same moment, or with @TIME at that one, as walk.seanim@0.5 or
    /// walk.seanim@12f
    #[arg(long, value_name = "WHAT")]
    relative_to: Pose,
    /// Which clip of that file, which may be the one that is edited; by default the only one, or in another file the one of the same name
    #[arg(long, value_name = "NAME")]
    base_clip: Option<String>,
    #[command(flatten)]
    skeleton: Skeleton,
    #[command(flatten)]
    scope: Scope,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  maquette clip additive compose aim_add.seanim --onto rest --skeleton soldier.glb -o aim.seanim\n  \
                        maquette clip additive compose lean_add.seanim --onto walk.seanim -o walk_lean.seanim"
)]
pub struct ComposeArgs {
    #[command(flatten)]
    pub files: Files,
    /// What they are put onto: rest, or a file with a clip: at the same moment, or with @TIME at that one, as idle.seanim@0
    #[arg(long, value_name = "WHAT")]
    onto: Pose,
    /// Which clip of that file, which may be the one that is edited; by default the only one, or in another file the one of the same name
    #[arg(long, value_name = "NAME")]
    base_clip: Option<String>,
    /// How long the result is on another clip: as the base, as the clip that is put onto it, or as the longer of both, which it is by default; what ends sooner holds its last pose
    #[arg(long, value_name = "WHOSE", value_parser = ["base", "clip", "longer"])]
    duration: Option<String>,
    /// How the values are meant, whatever the file says: a glTF file of another program cannot say that they are differences
    #[arg(long = "as", value_name = "BLEND", value_parser = ["additive", "relative"])]
    taken_as: Option<String>,
    #[command(flatten)]
    skeleton: Skeleton,
    #[command(flatten)]
    scope: Scope,
}

impl AdditiveCommand {
    pub fn inputs(&self) -> Vec<&Path> {
        let (files, pose, skeleton) = match self {
            AdditiveCommand::Make(args) => (&args.files, &args.relative_to, &args.skeleton),
            AdditiveCommand::Compose(args) => (&args.files, &args.onto, &args.skeleton),
        };
        let other = match pose {
            Pose::File(path, _) => Some(path.as_path()),
            Pose::Rest | Pose::First => None,
        };
        files.inputs().into_iter().chain(other).chain(skeleton.input()).collect()
    }
}

pub fn run(command: &AdditiveCommand) -> Result<Verdict> {
    match command {
        AdditiveCommand::Make(args) => make(args),
        AdditiveCommand::Compose(args) => compose(args),
    }
}

fn make(args: &MakeArgs) -> Result<Verdict> {
    let (skeleton, other) = (args.skeleton.rig()?, bases(&args.relative_to, args.base_clip.as_deref(), &args.files)?);
    each(&args.files, &|mut motion, own| {
        let rig = skeleton.as_ref().or(own).or(other.rig());
        let reference = match (&args.relative_to, other.pose(&motion.name)?) {
            (_, Some((clip, None))) => Reference::Clip(clip),
            (_, Some((clip, Some(secs)))) => Reference::Pose(clip, secs),
            (Pose::First, None) => Reference::Start,
            (_, None) => Reference::Rest,
        };
        ops::make_additive(&mut motion, reference, rig, args.scope.scope()).map(|did| (vec![motion], did))
    })
}

fn compose(args: &ComposeArgs) -> Result<Verdict> {
    if args.onto == Pose::First {
        return Err(Error::Usage(
            "a clip cannot be put onto its own first frame; --onto is rest, or a file with a clip such as walk.seanim@0".into(),
        ));
    }
    let (skeleton, other) = (args.skeleton.rig()?, bases(&args.onto, args.base_clip.as_deref(), &args.files)?);
    let taken_as =
        args.taken_as.as_deref().map(|blend| if blend == "relative" { Blend::Relative } else { Blend::Additive });
    let lasts = match (args.duration.as_deref(), &args.onto) {
        (None | Some("longer"), _) => Lasts::Longer,
        (Some(_), pose) if !matches!(pose, Pose::File(_, None)) => {
            return Err(Error::Usage(
                "--duration chooses between two clips, and a pose lasts no time; name a file without a moment with --onto".into(),
            ));
        }
        (Some("base"), _) => Lasts::Base,
        (Some(_), _) => Lasts::Clip,
    };
    each(&args.files, &|mut motion, own| {
        let rig = skeleton.as_ref().or(own).or(other.rig());
        let base = match other.pose(&motion.name)? {
            Some((clip, None)) => Base::Clip(clip),
            Some((clip, Some(secs))) => Base::Pose(clip, secs),
            None => Base::Rest,
        };
        let scope = args.scope.scope();
        ops::compose_additive(&mut motion, base, rig, scope, taken_as, lasts).map(|did| (vec![motion], did))
    })
}

/// The clips of the file that a pose is from, with this clip alone, where one is named.
fn bases(pose: &Pose, named: Option<&str>, files: &Files) -> Result<Bases> {
    let Pose::File(path, moment) = pose else {
        return match named {
            Some(name) => Err(Error::Usage(format!(
                "--base-clip {name:?} is of a file, and none is named: write it in place of rest or first"
            ))),
            None => Ok(Bases::default()),
        };
    };
    let same = |file: &PathBuf| {
        file == path || file.canonicalize().ok().is_some_and(|file| Some(file) == path.canonicalize().ok())
    };
    let bases = Bases::read(&Input::from_path(path)?, named, *moment)?;
    Ok(if files.files.iter().any(same) { bases.of_edited() } else { bases })
}
