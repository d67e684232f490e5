//! `maquette clip apply`: clips of other files, put onto a model.

use super::files::{Files, each_file};
use crate::Verdict;
use clap::{Args, ValueHint};
use maquette::Result;
use maquette::clips;
use maquette::convert::ConvertOptions;
use maquette::edit::{Edits, OwnClips};
use maquette::scene::attach::{AttachOptions, ModifierScope};
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(
    after_help = "Bones are matched by name, as `convert --clip` does. The model keeps the clips it has, and a clip of the same name gets a number: --replace and --only say otherwise. Relative, additive and delta clips become absolute by its rest pose.\n\n\
                        Examples:\n  maquette clip apply soldier.glb walk.seanim run.seanim -o soldier_moves.glb\n  \
                        maquette clip apply soldier.glb clips/ --strip-prefix j_ -o soldier_moves.glb\n  \
                        maquette clip apply soldier.glb clips/ --clip 'Run*' --replace -o soldier_moves.glb"
)]
pub struct ApplyArgs {
    /// The model
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: PathBuf,
    /// Files with clips, or folders of them
    #[arg(required = true, value_name = "CLIP", value_hint = ValueHint::AnyPath)]
    clips: Vec<PathBuf>,
    /// The file to write, its ending naming the format, or the folder to write into; `-` for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::AnyPath)]
    output: PathBuf,
    /// The dialect to write; the model's within one format
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    /// Put on the clips of this name, and no others of the files; `*` and `?` stand for any text and character. May be given again
    #[arg(long, value_name = "GLOB")]
    clip: Vec<String>,
    /// Let clips of the model give way to those of the same name
    #[arg(long, conflicts_with = "only")]
    replace: bool,
    /// Leave out the clips that the model has
    #[arg(long)]
    only: bool,
    /// Which bone of a clip is which of the model: a file of lines `clip bone = model bone`; nothing behind the sign leaves the bone out
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    bone_map: Option<PathBuf>,
    /// Pass over this beginning of bone names, in clips and model alike. May be given again
    #[arg(long, value_name = "TEXT")]
    strip_prefix: Vec<String>,
    /// Pass over namespaces of bone names: `mixamorig:Hips` is `Hips`
    #[arg(long)]
    ignore_namespace: bool,
    /// Where one bone of a clip is blended in a way of its own: which bones that is for
    #[arg(long, value_name = "SCOPE", value_parser = ["self", "children", "both"], default_value = "both")]
    modifier_scope: String,
    /// Tell what would be done and lost, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Overwrite files that may belong to others
    #[arg(long)]
    force: bool,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl ApplyArgs {
    /// Every file that is read.
    pub fn inputs(&self) -> Vec<&Path> {
        [&self.model].into_iter().chain(&self.clips).map(PathBuf::as_path).collect()
    }
}

pub fn run(args: &ApplyArgs) -> Result<Verdict> {
    let files = Files {
        onto: None,
        files: vec![args.model.clone()],
        output: args.output.clone(),
        format: None,
        dialect: args.dialect.clone(),
        clip: Vec::new(),
        dry_run: args.dry_run,
        force: args.force,
        json: args.json,
    };
    let attach = AttachOptions {
        scope: match args.modifier_scope.as_str() {
            "self" => ModifierScope::SelfOnly,
            "children" => ModifierScope::Descendants,
            _ => ModifierScope::Both,
        },
        prefixes: args.strip_prefix.clone(),
        ignore_namespaces: args.ignore_namespace,
        ..AttachOptions::default()
    };
    let edits = Edits {
        clips: args.clips.clone(),
        clip_names: args.clip.clone(),
        own_clips: match (args.replace, args.only) {
            (true, _) => OwnClips::Replaced,
            (_, true) => OwnClips::LeftOut,
            _ => OwnClips::Kept,
        },
        bone_map: args.bone_map.clone(),
        attach,
        ..Edits::default()
    };
    each_file(&files, &|input, name, options| {
        let options = ConvertOptions { read: options.read.clone(), edits: edits.clone(), write: options.write.clone() };
        clips::apply(input, name, &options)
    })
}
