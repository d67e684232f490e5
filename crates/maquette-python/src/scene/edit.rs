//! Changes that `convert` can make, to a scene.

use super::store::{Origin, PyScene};
use crate::error::{MaquetteError, exception};
use crate::keywords::Keywords;
use crate::options;
use crate::threads::free;
use maquette::scene::loss::LossReport;
use maquette::scene::valid;
use maquette::{Error, Scene, edit, ops};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::CString;

/// Does what is asked for to a copy of a scene; the copy, and what was lost.
pub fn edited(py: Python<'_>, scene: &PyScene, options: Option<&Bound<'_, PyDict>>) -> PyResult<(PyScene, LossReport)> {
    let mut keywords = Keywords::new("edit", options)?;
    let mut edits = options::edits(&mut keywords)?;
    let unpack = keywords.flag("unpack")?;
    keywords.finish()?;
    edits.model = scene.origin().map_or_else(String::new, |origin| origin.name.clone());
    let mut copy = scene.snapshot();
    let mut losses = LossReport::default();
    let done = free(py, || -> Result<_, Failed> {
        valid::check(&copy)?;
        let notes = edit::apply(&mut copy, &edits, &mut losses)?;
        if unpack {
            ops::unpack(&mut copy, &mut losses).map_err(Error::TooMuch)?;
        }
        Ok(notes)
    });
    let notes = done.map_err(|failed| match failed {
        Failed::Invalid(invalid) => invalid_scene(&invalid),
        Failed::Edit(error) => exception(py, error),
    })?;
    for note in notes.iter().filter(|note| note.kind.is_warning()) {
        let words = format!("{} is {}: {}", note.subject, note.kind.word(), note.detail);
        let words = CString::new(words.replace('\0', " ")).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &words, 1)?;
    }
    let origin = scene.origin().map(|origin| {
        let mut losses_so_far = origin.losses.clone();
        losses_so_far.extend(losses.clone());
        Origin { losses: losses_so_far, ..origin.clone() }
    });
    Ok((PyScene::new(copy, origin), losses))
}

/// What is said about a scene that does not hold together.
pub fn invalid_scene(invalid: &valid::Invalid) -> PyErr {
    MaquetteError::new_err(format!("the scene is not sound: {invalid}"))
}

enum Failed {
    Invalid(valid::Invalid),
    Edit(Error),
}

impl From<valid::Invalid> for Failed {
    fn from(invalid: valid::Invalid) -> Failed {
        Failed::Invalid(invalid)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed::Edit(error)
    }
}

/// Whether a scene holds together.
pub fn check(py: Python<'_>, scene: &Scene) -> PyResult<()> {
    free(py, || valid::check(scene)).map_err(|invalid| invalid_scene(&invalid))
}
