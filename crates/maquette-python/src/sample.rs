//! Files made by code, to try things out with.

use crate::error::exception;
use crate::keywords::choose;
use crate::output::PyOutput;
use crate::threads::free;
use maquette::convert::{ConvertOptions, convert};
use maquette::{WriteOptions, sample as samples};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A model that code makes.
#[derive(Clone, Copy, PartialEq)]
enum Model {
    Post,
    Creature,
}

/// Makes a small model by code, in memory: textured, rigged and animated as far as the format can.
///
/// The ending of the name says the format. `model` is "post", which every format holds as it is, or "creature", which is to be
/// looked at. With `fault`, it is a file that breaks the rule of this code instead: `sample("broken.aem", fault="AEM0045")`.
#[pyfunction]
#[pyo3(signature = (name="post.glb", *, format=None, dialect=None, model="post", fault=None))]
pub fn sample(
    py: Python<'_>,
    name: &str,
    format: Option<String>,
    dialect: Option<String>,
    model: &str,
    fault: Option<&str>,
) -> PyResult<PyOutput> {
    let model = choose("model", model, &[("post", Model::Post), ("creature", Model::Creature)])?;
    if fault.is_some() && (model == Model::Creature || dialect.is_some()) {
        return Err(PyValueError::new_err("a fault has its own model and dialect"));
    }
    let write = WriteOptions { format, dialect, ..WriteOptions::default() };
    let made = free(py, || match (fault, model) {
        (Some(code), _) => samples::fault(name, &write, code),
        (None, Model::Post) => samples::post(name, &write),
        (None, Model::Creature) => {
            convert(&samples::creature_file()?, Some(name), &ConvertOptions { write, ..ConvertOptions::default() })
        }
    });
    made.map(PyOutput::in_memory).map_err(|error| exception(py, error))
}
