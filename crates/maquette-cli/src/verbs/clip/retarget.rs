//! `maquette clip retarget`: clips for another skeleton, and the map of bones that they take.

use super::files::{Files, each};
use super::skeleton::{Scope, model};
use crate::Verdict;
use crate::terminal::{self, notes};
use crate::verbs::{is_standard, printing};
use clap::builder::ArgPredicate;
use clap::error::Error as Complaint;
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum, ValueHint};
use maquette::clips::Rig;
use maquette::motion::ops::{self, Likeness, RetargetOptions, Translations};
use maquette::{Error, Result, bone_map};
use std::io::Write;
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
        return propose(args, &from, &to);
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

fn propose(args: &Arguments, from: &Rig, to: &Rig) -> Result<Verdict> {
    let (text, found) = draft(from, to);
    let path = &args.files.output;
    if is_standard(path) {
        let mut out = terminal::output(false);
        text.lines().try_for_each(|line| writeln!(out, "{line}")).and_then(|()| out.flush()).map_err(printing)?;
    } else if !args.files.dry_run {
        if path.exists() && !args.files.force {
            let path = path.display();
            return Err(Error::Usage(format!("{path} is there already; --force overwrites it")));
        }
        let failed = |source| Error::Io { file: path.display().to_string(), doing: "write", source };
        std::fs::write(path, text).map_err(failed)?;
    }
    let mut told = notes();
    writeln!(told, "{found} of {} bones are mapped", from.joints.len()).map_err(printing)?;
    told.flush().map_err(printing)?;
    Ok(Verdict::Fine)
}

/// A map with a line for each bone, and how many are mapped.
fn draft(from: &Rig, to: &Rig) -> (String, usize) {
    let proposal = ops::propose(from, to);
    let is_plain = |name: &str| !name.is_empty() && name.trim() == name && !name.contains(['#', '=', '\n', '\r']);
    let width =
        from.joints.iter().map(|joint| joint.name.chars().count()).filter(|width| *width < 60).max().unwrap_or(0);
    let (mut text, mut found) = ("# clip bone = model bone  # how sure\n".to_owned(), 0);
    let mut taken = vec![false; to.joints.len()];
    let mut seen = std::collections::HashSet::new();
    for &at in from.parents_first() {
        let Some(name) = from.joints.get(at).map(|joint| joint.name.as_str()) else { continue };
        let pair = proposal.get(at).copied().flatten();
        let other = pair.and_then(|(other, why)| Some((other, to.joints.get(other)?.name.as_str(), why)));
        let line = match other {
            _ if !is_plain(name) => format!("# {name:?} cannot be written in a map\n"),
            _ if !seen.insert(name) => format!("# another bone is called {name:?} as well\n"),
            Some((_, other, _)) if !is_plain(other) => {
                format!("# {name} is {other:?}, which cannot be written in a map\n")
            }
            Some((place, other, why)) => {
                found += 1;
                taken.get_mut(place).into_iter().for_each(|taken| *taken = true);
                let doubt =
                    if is_below(from, to, &proposal, at, place) { "" } else { "doubtful, it hangs on another bone; " };
                format!("{name:width$} = {other}  # {doubt}{why}\n")
            }
            None => format!("{name:width$} =  # nothing is called alike\n"),
        };
        text += &line;
    }
    let left = to.parents_first().iter().filter(|at| taken.get(**at) == Some(&false));
    let left: Vec<&str> = left.filter_map(|at| Some(to.joints.get(*at)?.name.as_str())).collect();
    if !left.is_empty() {
        text += "\n# Bones of the model that no line names:\n";
        left.iter().for_each(|name| text += &format!("#   {name}\n", name = name.escape_debug()));
    }
    (text, found)
}

/// Whether a bone is below the one that the nearest mapped bone above its own is mapped to, as far as a look upwards goes.
fn is_below(from: &Rig, to: &Rig, proposal: &[Option<(usize, Likeness)>], own: usize, other: usize) -> bool {
    const FAR: usize = 512;
    let parent = |rig: &Rig, at: usize| rig.joints.get(at).and_then(|joint| joint.parent);
    let mapped = |at: usize| proposal.get(at).copied().flatten().map(|(other, _)| other);
    let above = std::iter::successors(parent(from, own), |at| parent(from, *at)).take(FAR).find_map(mapped);
    let mut upwards = std::iter::successors(parent(to, other), |at| parent(to, *at)).take(FAR);
    above.is_none_or(|above| upwards.any(|at| at == above))
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette::motion::{Joint, Trs};

    fn rig(names: &[&str]) -> Rig {
        Rig::new(names.iter().map(|name| Joint { name: (*name).into(), parent: None, rest: Trs::IDENTITY }).collect())
    }

    #[test]
    fn bones_that_hang_elsewhere_are_doubtful() {
        let chain = |names: &[&str]| {
            let joints = rig(names).joints.into_iter().enumerate();
            Rig::new(joints.map(|(at, joint)| Joint { parent: at.checked_sub(1), ..joint }).collect())
        };
        let (text, _) = draft(&chain(&["a", "b", "c"]), &chain(&["a", "c", "b"]));
        assert_eq!(text.matches("doubtful").count(), 1, "{text}");
        assert!(text.contains("c = c  # doubtful"), "{text}");
    }

    #[test]
    fn a_draft_is_a_map() {
        let own = rig(&["mixamorig:Hips", "Left Arm", "a=b", "tail", "tail", "#", "", "HEAD"]);
        let (text, found) = draft(&own, &rig(&["pelvis", "upperarm_l", "wing", "a=b", "x\ny", "head"]));
        let map = bone_map::parse("map", &text).unwrap();
        let pairs: Vec<_> = map.iter().map(|(own, other)| (own.as_str(), other.as_str())).collect();
        assert_eq!(pairs, [("HEAD", "head"), ("Left Arm", "upperarm_l"), ("mixamorig:Hips", "pelvis"), ("tail", "")]);
        assert_eq!(found, 3);
        assert!(
            text.contains("# likely: both are words for the left upper arm") && text.contains("#   wing\n"),
            "{text}"
        );
    }
}
