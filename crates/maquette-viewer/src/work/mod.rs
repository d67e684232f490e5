//! Threads: files read, checked, posed and converted. What they have done comes back as [`News`], and the window is woken.

pub mod chart;
pub mod export;
pub mod losses;
pub mod pick;
pub mod poser;
pub mod reader;

use crate::state::camera::Orbit;
use crate::state::player::Clips;
use maquette::check::Checked;
use maquette::clips::ClipRow;
use maquette::info::Info;
use maquette::scene::Handle;
use maquette::scene::attach::{AttachOptions, ModifierScope};
use maquette::scene::glam::{Mat4, Vec3};
use maquette::scene::scene::Node;
use maquette::{Error, Input, Scene};
use maquette_gpu::{Model, Pose};
use maquette_render::Bounds;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Wakes the window: there is news.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// What a thread has done for a document.
pub enum News {
    /// The bytes of the file are there.
    Bytes(Arc<Input>),
    /// They are understood.
    Read(Box<Opened>),
    /// There will be no model: what is wrong.
    Failed(Failure),
    /// Materials and textures are on the graphics processor.
    Staged(Staged),
    /// Everything is where it is at a moment.
    Posed(Box<Placed>),
    /// Every finding.
    Checked(Arc<Checked>),
    /// Clips of another file were put onto the model.
    Clips {
        /// The scene, with them.
        scene: Arc<Scene>,
        /// All clips, ready to be played.
        clips: Clips,
        /// What is to be known about it.
        said: String,
        /// One of them that was not there before.
        new: Option<usize>,
        /// How each of those of other files fits.
        matches: Vec<Match>,
    },
    /// Files whose clips are on the model, or are to be: one of them may not fit yet.
    ClipFiles(Vec<PathBuf>),
    /// They could not be: why.
    NoClips(String),
    /// A file that was dropped onto the model is a model itself.
    IsModel(PathBuf),
    /// What is under the pointer.
    Picked(Option<Picked>),
}

/// Why there is nothing to be seen of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Its bytes cannot be had, or not be understood.
    Unread(String),
    /// They are understood, but no model can be made of what they say.
    Unshown(String),
}

impl Failure {
    /// Of an error that came while a scene was made of a file that is understood.
    pub fn unshown(error: &Error) -> Failure {
        let why = match error {
            Error::Read { source, .. } => source.to_string(),
            other => other.to_string(),
        };
        Failure::Unshown(format!("It is not shown, because of what is found in it: {why}"))
    }

    /// The whole of it.
    pub fn why(&self) -> &str {
        match self {
            Failure::Unread(why) | Failure::Unshown(why) => why,
        }
    }
}

/// How bones of clips are matched with those of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fitting {
    /// A file that maps names.
    pub bone_map: Option<PathBuf>,
    /// Beginnings of names that are passed over, with commas or spaces between them.
    pub prefixes: String,
    /// Whether namespaces are passed over.
    pub ignores_namespaces: bool,
    /// Which bones a blend is for that one bone has of its own.
    pub scope: ModifierScope,
}

impl Fitting {
    /// As the library is told.
    pub fn options(&self) -> AttachOptions {
        let words = self.prefixes.split([',', ' ']).filter(|word| !word.is_empty());
        AttachOptions {
            scope: self.scope,
            prefixes: words.map(str::to_owned).collect(),
            ignore_namespaces: self.ignores_namespaces,
            ..AttachOptions::default()
        }
    }
}

/// How a clip of another file fits the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// What it is called.
    pub clip: String,
    /// How many bones of the model it moves, of how many that it knows.
    pub bones: String,
    /// The same in words, with names of bones that the model has not.
    pub words: String,
}

impl Match {
    /// Of what the library says.
    pub fn of(row: ClipRow) -> Match {
        let figure =
            |what: &str| row.figures.iter().find(|figure| figure.what == what).map_or(0.0, |figure| figure.value);
        let (moved, missing) = (figure("bones moved"), figure("bones without a match"));
        Match { bones: format!("{moved} of {} bones match", moved + missing), clip: row.clip, words: row.did }
    }
}

/// A file that is understood.
pub struct Opened {
    /// What it holds.
    pub scene: Arc<Scene>,
    /// What it is.
    pub info: Info,
    /// Its clips, ready to be played.
    pub clips: Clips,
    /// What of the file the scene does not hold, a line each.
    pub losses: Vec<String>,
}

/// Materials and textures.
pub struct Staged {
    /// On the graphics processor; `None` without one.
    pub model: Option<Arc<Model>>,
    /// Images that could not be decoded, a line each.
    pub missing: Vec<String>,
}

/// Everything where it is at a moment.
pub struct Placed {
    /// Vertices on the graphics processor; `None` without one.
    pub pose: Option<Arc<Pose>>,
    /// The box around all that is drawn.
    pub bounds: Option<Bounds>,
    /// The box around what each node draws, by the place of the node.
    pub bounds_of_node: BTreeMap<usize, Bounds>,
    /// From the space of each node to that of the scene.
    pub world_from_node: Vec<Mat4>,
    /// A camera that sees all of it, if one was asked for and there is something to be seen.
    pub framed: Option<Orbit>,
}

/// What is under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picked {
    /// The node that draws it.
    pub node: Handle<Node>,
    /// The place of the primitive in its mesh.
    pub primitive: usize,
    /// Where, in the scene.
    pub point: Vec3,
}
