//! What a conversion does to a scene between reading and writing, in this order: a selection, clips of other files and scenes, coordinates, axes, size.

mod clips;
mod numbered;

use crate::clips::ClipRow;
use crate::note::Note;
use crate::ops;
use crate::{Error, Result};
use maquette_scene::Scene;
use maquette_scene::attach::AttachOptions;
use maquette_scene::loss::LossReport;
use std::path::PathBuf;

/// Changes that are asked for. By default there are none.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// Patterns of the meshes and clips of the input to keep; all, if there are none.
    pub select: Vec<String>,
    /// Files whose clips are put onto the model, by the names of its bones. A folder stands for the files in it whose endings name a format; one of
    /// them that moves no bone of the model is skipped, as long as another does.
    pub clips: Vec<PathBuf>,
    /// Scenes whose clips are put onto the model likewise, after those of files.
    pub clip_scenes: Vec<ClipScene>,
    /// Patterns of the clips of all these that are meant; all, if there are none.
    pub clip_names: Vec<String>,
    /// What becomes of the clips that the model has.
    pub own_clips: OwnClips,
    /// What the file of the model is called. A clip that has no name is called by its file, and that may be named after the model: `Run` of
    /// `fox.Run.seanim` for `fox.glb`.
    pub model: String,
    /// How the bones of such clips are matched with those of the model.
    pub attach: AttachOptions,
    /// A file that maps bones of such clips to those of the model, in addition.
    pub bone_map: Option<PathBuf>,
    /// Whether V of the texture coordinates runs the other way than the format's usually does.
    pub flip_v: bool,
    /// Which axis points up in the input.
    pub up: Up,
    /// What every length is multiplied by.
    pub scale: Option<f32>,
}

/// A scene that gives clips to another.
#[derive(Clone, Debug, Default)]
pub struct ClipScene {
    /// What its file is called, or would be: a clip that has no name is called by it, without the ending.
    pub name: String,
    /// What holds the clips.
    pub scene: Scene,
    /// What was lost when it was read.
    pub losses: LossReport,
}

/// What becomes of the clips of a model that gets others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OwnClips {
    /// They stay, and of two with one name the one that is added gets a number.
    #[default]
    Kept,
    /// Those give way whose names the others have.
    Replaced,
    /// They are left out.
    LeftOut,
}

/// Which axis points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Up {
    /// As in every scene.
    #[default]
    Y,
    /// To be turned.
    Z,
}

impl Edits {
    /// Whether anything is asked for.
    pub fn change_anything(&self) -> bool {
        !self.select.is_empty() || self.gives_clips() || self.flip_v || self.up != Up::Y || self.scale.is_some()
    }

    fn gives_clips(&self) -> bool {
        !self.clips.is_empty() || !self.clip_scenes.is_empty()
    }
}

/// Does to a scene what was asked for; what is to be known about it.
pub fn apply(scene: &mut Scene, edits: &Edits, losses: &mut LossReport) -> Result<Vec<Note>> {
    apply_telling(scene, edits, losses, &mut Vec::new())
}

/// The same, with what became of each clip of another file.
pub fn apply_telling(
    scene: &mut Scene,
    edits: &Edits,
    losses: &mut LossReport,
    rows: &mut Vec<ClipRow>,
) -> Result<Vec<Note>> {
    let mut notes = Vec::new();
    if !edits.select.is_empty() {
        notes.extend(ops::select(scene, &edits.select)?);
    }
    if edits.gives_clips() {
        notes.extend(clips::add(scene, edits, losses, rows)?);
    }
    if edits.flip_v {
        ops::flip_v(scene);
    }
    if edits.up == Up::Z {
        ops::z_up_to_y_up(scene);
    }
    if let Some(factor) = edits.scale {
        ops::try_rescale(scene, factor).map_err(|size| Error::Size { factor, size })?;
    }
    Ok(notes)
}
