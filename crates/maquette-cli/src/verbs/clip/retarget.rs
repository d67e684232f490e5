//! `maquette clip retarget`: clips for another skeleton.

use super::files::{Files, each};
use super::propose;
use super::skeleton::{Scope, model};
use crate::Verdict;
use clap::builder::ArgPredicate;
use clap::error::Error as Complaint;
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum, ValueHint};
use maquette::motion::ops::{self, RetargetOptions, Translations};
use maquette::{Result, bone_map};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  maquette clip retarget walk.seanim --skeleton-from soldier.glb --skeleton robot.glb -o walk_robot.seanim\n  \
                        maquette clip retarget --propose --skeleton-from soldier.glb --skeleton robot.glb -o map.txt\n  \
                        maquette clip retarget *.seanim --skeleton-from soldier.glb --skeleton robot.glb --map map.txt -o robot/"
)]
struct Arguments {
    #[command(flatten)]
    files: Files,
    /// The model that the clips are for: its nodes are their bones
    #[arg(long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    skeleton_from: PathBuf,
    /// The model that they become for
    #[arg(long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    skeleton: PathBuf,
    /// Which bone is which: a file of lines `clip bone = model bone`; nothing behind the sign leaves the bone out, and what is not named goes by its own name. By default what --propose writes
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    map: Option<PathBuf>,
    /// Edit no clip, and write the map that the names of the two skeletons suggest, with how sure each line is; to standard output without -o
    #[arg(long, conflicts_with_all = ["files", "map"])]
    propose: bool,
    /// Whose translations are taken over: those of the root and the hips, in the ratio of the skeletons; of all bones in that ratio (scaled); or of all as long as they are (all)
    #[arg(long, value_name = "WHOSE", default_value = "root")]
    translations: Whose,
    /// Multiply translations by this, instead of the ratio of the legs, or of the whole where there are none
    #[arg(long, value_name = "NUMBER")]
    factor: Option<f64>,
    #[command(flatten)]
    scope: Scope,
}

#[derive(Clone, Copy, ValueEnum)]
enum Whose {
    Root,
    Scaled,
    All,
}

/// The arguments, of which a proposal takes fewer than other commands.
pub struct RetargetArgs(Arguments);

impl Args for RetargetArgs {
    fn augment_args(command: Command) -> Command {
        Arguments::augment_args(command)
            .mut_arg("files", |arg| arg.required(false).required_unless_present("propose"))
            .mut_arg("output", |arg| {
                arg.required(false).required_unless_present("propose").default_value_if(
                    "propose",
                    ArgPredicate::IsPresent,
                    "-",
                )
            })
    }

    fn augment_args_for_update(command: Command) -> Command {
        RetargetArgs::augment_args(command)
    }
}

impl FromArgMatches for RetargetArgs {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<RetargetArgs, Complaint> {
        Arguments::from_arg_matches(matches).map(RetargetArgs)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> std::result::Result<(), Complaint> {
        self.0.update_from_arg_matches(matches)
    }
}

impl RetargetArgs {
    pub fn inputs(&self) -> Vec<&Path> {
        let Arguments { files, skeleton_from, skeleton, map, .. } = &self.0;
        let models = [skeleton_from.as_path(), skeleton.as_path()];
        files.inputs().into_iter().chain(models).chain(map.as_deref()).collect()
    }
}

pub fn run(RetargetArgs(args): &RetargetArgs) -> Result<Verdict> {
    let ((_, from), (scene, to)) = (model(&args.skeleton_from)?, model(&args.skeleton)?);
    if args.propose {
        return propose::run(&args.files, &from, &to);
    }
    let map = args.map.as_deref().map(bone_map::read).transpose()?;
    let options = RetargetOptions {
        map: map.as_ref(),
        translations: match args.translations {
            Whose::Root => Translations::Root,
            Whose::Scaled => Translations::Scaled,
            Whose::All => Translations::All,
        },
        factor: args.factor,
        scope: args.scope.scope(),
    };
    let files = Files { onto: Some(Arc::new(scene)), ..args.files.clone() };
    each(&files, &|mut motion, _| ops::retarget(&mut motion, &from, &to, options).map(|did| (vec![motion], did)))
}
