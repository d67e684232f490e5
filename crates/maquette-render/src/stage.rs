//! A scene made ready to be drawn: what does not change from picture to picture.

use crate::bounds::Bounds;
use crate::mode::Mode;
use crate::posed::Posed;
use maquette_scene::clip::Clip;
use maquette_scene::image::Image;
use maquette_scene::{Handle, Scene};

/// A scene made ready to be drawn: materials resolved, textures decoded.
pub struct Stage<'s> {
    scene: &'s Scene,
    missing: Vec<Missing>,
}

/// What a stage is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageOptions {
    /// The only mode that will be drawn; textures that it does not need are not decoded. `None` for all.
    pub only: Option<Mode>,
}

/// An image that could not be decoded: surfaces are drawn without it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Missing {
    /// Which.
    pub image: Handle<Image>,
    /// Why, in words that follow its name.
    pub why: String,
}

impl<'s> Stage<'s> {
    /// Makes a scene ready, on all cores.
    pub fn new(scene: &'s Scene, _options: &StageOptions) -> Stage<'s> {
        Stage { scene, missing: Vec::new() }
    }

    /// The scene.
    pub fn scene(&self) -> &'s Scene {
        self.scene
    }

    /// Images that could not be decoded.
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// Everything where it is at a moment of a clip, or at rest.
    pub fn pose(&self, _at: Option<(&Clip, f32)>) -> Posed<'_> {
        Posed::new(self)
    }

    /// The box around everything that is drawn, at any moment of a clip: the moments of its keys, or 64 of them where there are more. `None` where nothing is drawn.
    pub fn bounds_of(&self, _clip: &Clip) -> Option<Bounds> {
        None
    }
}
