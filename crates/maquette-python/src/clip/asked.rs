//! What is asked of clips, as options of Python.

use crate::error::exception;
use crate::given::Given;
use crate::keywords::Keywords;
use crate::source::path_of;
use crate::threads::free;
use maquette::clips::{self, Axes, Going, Moment, Rig};
use maquette::motion::ModifierScope;
use maquette::motion::ops::Up;
use maquette::{Scene, bone_map};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// Seconds as a number, or text as the command takes it: `1.5`, `45f`.
pub fn moment(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Moment> {
    if let Ok(secs) = object.extract::<f64>() {
        return match secs.is_finite() {
            true => Ok(Moment::Secs(secs)),
            false => Err(PyValueError::new_err(format!("{name} is {secs}, which is no moment"))),
        };
    }
    let wrong = || PyTypeError::new_err(format!("{name} is seconds, or frames as \"45f\""));
    let text: String = object.extract().map_err(|_| wrong())?;
    text.parse().map_err(|why| PyValueError::new_err(format!("{name} is {text:?}; {why}")))
}

/// A model and its skeleton, of a file or a scene.
pub fn model(py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<(Scene, Rig)> {
    let given = Given::of(object)?;
    let read = free(py, || {
        let label = given.label();
        let scene = given.read()?.into_scene();
        let rig = clips::skeleton(&scene, &label)?;
        Ok((scene, rig))
    });
    read.map_err(|error| exception(py, error))
}

/// What is asked of clips, beyond plain options.
pub trait Asked<'py> {
    fn moment(&mut self, name: &'static str) -> PyResult<Option<Moment>>;
    fn number(&mut self, name: &'static str) -> PyResult<Option<f64>>;
    fn map(&mut self, py: Python<'py>, name: &'static str) -> PyResult<Option<BTreeMap<String, String>>>;
    fn model(&mut self, py: Python<'py>, name: &'static str) -> PyResult<Option<(Scene, Rig)>>;
    fn rig(&mut self, py: Python<'py>) -> PyResult<Option<Rig>>;
    fn scope(&mut self) -> PyResult<ModifierScope>;
    fn up(&mut self) -> PyResult<Option<Up>>;
    fn going(&mut self) -> PyResult<Going>;
}

impl<'py> Asked<'py> for Keywords<'py> {
    fn moment(&mut self, name: &'static str) -> PyResult<Option<Moment>> {
        self.object(name).map(|object| moment(name, &object)).transpose()
    }

    fn number(&mut self, name: &'static str) -> PyResult<Option<f64>> {
        self.value(name, "a number")
    }

    /// A dict of names, or a file of lines `one = other`.
    fn map(&mut self, py: Python<'py>, name: &'static str) -> PyResult<Option<BTreeMap<String, String>>> {
        let Some(object) = self.object(name) else { return Ok(None) };
        match path_of(&object)? {
            Some(path) => free(py, || bone_map::read(&path)).map(Some).map_err(|error| exception(py, error)),
            None => {
                let wrong =
                    |_| PyTypeError::new_err(format!("{name} is a dict of names, or the path of a file of them"));
                object.extract().map(Some).map_err(wrong)
            }
        }
    }

    /// A model with a skeleton: a file or a scene.
    fn model(&mut self, py: Python<'py>, name: &'static str) -> PyResult<Option<(Scene, Rig)>> {
        self.object(name).map(|object| model(py, &object)).transpose()
    }

    /// The skeleton of `skeleton`.
    fn rig(&mut self, py: Python<'py>) -> PyResult<Option<Rig>> {
        Ok(self.model(py, "skeleton")?.map(|(_, rig)| rig))
    }

    fn scope(&mut self) -> PyResult<ModifierScope> {
        let scopes = [
            ("self", ModifierScope::SelfOnly),
            ("children", ModifierScope::Descendants),
            ("both", ModifierScope::Both),
        ];
        Ok(self.word("modifier_scope", &scopes)?.unwrap_or_default())
    }

    fn up(&mut self) -> PyResult<Option<Up>> {
        self.word("up", &[("y", Up::Y), ("z", Up::Z)])
    }

    /// Which motion of which root.
    fn going(&mut self) -> PyResult<Going> {
        let axes = match self.text("axes")? {
            Some(text) => {
                Some(text.parse::<Axes>().map_err(|why| PyValueError::new_err(format!("axes is {text:?}; {why}")))?)
            }
            None => None,
        };
        Ok(Going { axes, up: self.up()?, root: self.text("root")?, scope: self.scope()? })
    }
}

/// An option that there must be.
pub fn needed<T>(name: &str, value: Option<T>) -> PyResult<T> {
    value.ok_or_else(|| PyTypeError::new_err(format!("the option {name} is missing")))
}
