//! What may be a file or a scene.

use crate::scene::store::PyScene;
use crate::source;
use maquette::{Input, Read, ReadOptions, Result, Scene};
use pyo3::prelude::*;

/// A file or a scene that was given.
pub enum Given {
    File(Input),
    Scene(Scene),
}

/// The same, read.
pub enum Known {
    File(Read),
    Scene(Scene),
}

impl Given {
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Given> {
        match object.cast::<PyScene>() {
            Ok(scene) => Ok(Given::Scene(scene.get().snapshot())),
            Err(_) => source::input(object, None, None).map(Given::File),
        }
    }

    /// What messages call it.
    pub fn label(&self) -> String {
        match self {
            Given::File(input) => input.label.clone(),
            Given::Scene(_) => "the scene".to_owned(),
        }
    }

    pub fn read(self) -> Result<Known> {
        match self {
            Given::File(input) => input.read(&ReadOptions::default()).map(Known::File),
            Given::Scene(scene) => Ok(Known::Scene(scene)),
        }
    }
}

impl Known {
    pub fn scene(&self) -> &Scene {
        match self {
            Known::File(read) => &read.scene,
            Known::Scene(scene) => scene,
        }
    }

    pub fn into_scene(self) -> Scene {
        match self {
            Known::File(read) => read.scene,
            Known::Scene(scene) => scene,
        }
    }
}
