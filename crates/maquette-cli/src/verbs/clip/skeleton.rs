//! `--skeleton`: the model that a clip is for, where the file of the clip does not hold it.

use clap::{Args, ValueHint};
use maquette::clips::{self, Rig};
use maquette::motion::ModifierScope;
use maquette::{Input, ReadOptions, Result, Scene};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Skeleton {
    /// The model that the clips are for, of any format: its nodes are the bones, by name, with their hierarchy and rest pose. That of each file itself by default
    #[arg(long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub skeleton: Option<PathBuf>,
}

impl Skeleton {
    /// The file that is read, if one is named.
    pub fn input(&self) -> Option<&Path> {
        self.skeleton.as_deref()
    }

    /// The skeleton of the file, if one is named.
    pub fn rig(&self) -> Result<Option<Rig>> {
        self.input().map(|path| model(path).map(|(_, rig)| rig)).transpose()
    }
}

/// Which bones a blend is for that one bone has of its own.
#[derive(Args)]
pub struct Scope {
    /// Where one bone is blended in a way of its own: which bones that is for, if the skeleton is known
    #[arg(long, value_name = "SCOPE", value_parser = ["self", "children", "both"], default_value = "both")]
    modifier_scope: String,
}

impl Scope {
    pub fn scope(&self) -> ModifierScope {
        match self.modifier_scope.as_str() {
            "self" => ModifierScope::SelfOnly,
            "children" => ModifierScope::Descendants,
            _ => ModifierScope::Both,
        }
    }
}

/// A model and its skeleton.
pub fn model(path: &Path) -> Result<(Scene, Rig)> {
    let scene = Input::from_path(path)?.read(&ReadOptions::default())?.scene;
    let rig = clips::skeleton(&scene, &path.display().to_string())?;
    Ok((scene, rig))
}
