//! `maquette clip rename`: other names for clips, bones and events.

use super::files::{Files, each_file};
use crate::Verdict;
use clap::{ArgGroup, Args, ValueHint};
use maquette::clips;
use maquette::motion::ops::Renaming;
use maquette::{Error, Result, bone_map};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Args)]
#[command(
    group(ArgGroup::new("names").required(true).multiple(true).args(["clip_name", "bone", "prefix_strip", "prefix_add", "map", "event"])),
    after_help = "A pair is looked for first, in --bone and then in --map; other bones lose one prefix and get the other. In a model the nodes are renamed: any that a pair names, and with prefixes those \
                  that skins and clips hold on to. Names that would become one are refused. A SEAnim clip is called as its file: -o names it.\n\n\
                  Examples:\n  maquette clip rename walk.seanim --bone tag_origin=root --event fs=footstep -o out.seanim\n  \
                  maquette clip rename *.seanim --map bones.txt -o renamed/\n  \
                  maquette clip rename man.glb --prefix-strip mixamorig: -o man2.glb\n  \
                  maquette clip rename fox.glb --clip Run --clip-name Sprint -o fox2.glb"
)]
pub struct RenameArgs {
    #[command(flatten)]
    pub files: Files,
    /// What the clip is called
    #[arg(long, value_name = "NAME")]
    clip_name: Option<String>,
    /// What a bone is called, which must be there. May be given again
    #[arg(long, value_name = "OLD=NEW", value_parser = pair)]
    bone: Vec<(String, String)>,
    /// The beginning that bones lose
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    prefix_strip: Option<String>,
    /// The beginning that bones get
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    prefix_add: Option<String>,
    /// What bones are called, some of which may be there: a file of lines `old = new`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    map: Option<PathBuf>,
    /// What events of a name are called, which must be there. May be given again
    #[arg(long, value_name = "OLD=NEW", value_parser = pair)]
    event: Vec<(String, String)>,
}

/// `old=new`.
fn pair(text: &str) -> std::result::Result<(String, String), String> {
    match text.split_once('=') {
        Some((old, new)) if !old.is_empty() && !new.is_empty() => Ok((old.to_owned(), new.to_owned())),
        _ => Err("write the old name, `=` and the new one".into()),
    }
}

pub fn run(args: &RenameArgs) -> Result<Verdict> {
    let renaming = Renaming {
        clip: args.clip_name.clone(),
        bones: each_once(&args.bone)?,
        map: args.map.as_deref().map(bone_map::read).transpose()?.unwrap_or_default(),
        prefix_stripped: args.prefix_strip.clone().unwrap_or_default(),
        prefix_added: args.prefix_add.clone().unwrap_or_default(),
        events: each_once(&args.event)?,
    };
    each_file(&args.files, &|input, name, options| clips::rename(input, name, options, &renaming))
}

fn each_once(pairs: &[(String, String)]) -> Result<BTreeMap<String, String>> {
    let mut map = BTreeMap::new();
    for (old, new) in pairs {
        if map.insert(old.clone(), new.clone()).is_some_and(|other| other != *new) {
            return Err(Error::Usage(format!("{old:?} cannot be called two things; name it once")));
        }
    }
    Ok(map)
}
