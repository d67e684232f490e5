//! What files are, what is in them and what words mean: the fields of the command's JSON.

use crate::error::exception;
use crate::json::{object, parsed};
use crate::source;
use crate::threads::free;
use maquette::dump::Form;
use maquette::explain as explaining;
use maquette::info::Info;
use maquette::scene::Path;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Tells what a file is: format, dialect and why, counts, clips, bounds.
///
/// The fields are those of `maquette info --json`.
#[pyfunction]
#[pyo3(signature = (source, *, name=None, companions=None, dialect=None))]
pub fn info<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    name: Option<String>,
    companions: Option<&Bound<'py, PyAny>>,
    dialect: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let input = source::input(source, name, companions)?;
    let info = free(py, || input.open(dialect).map(|opened| Info::of(&input, &opened)));
    object(py, &info.map_err(|error| exception(py, error))?)
}

/// The formats, their dialects and what each can hold.
///
/// The fields are those of `maquette formats --json`.
#[pyfunction]
pub fn formats(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    object(py, &maquette::list::formats(maquette::BUILT_IN))
}

/// Explains the code of a finding or its name, or a loss in the words of a report; or, with `offset`, which field a byte of a file belongs to.
///
/// The fields are those of `maquette explain --json`.
#[pyfunction]
#[pyo3(signature = (subject, offset=None, *, name=None, dialect=None))]
pub fn explain<'py>(
    py: Python<'py>,
    subject: &Bound<'py, PyAny>,
    offset: Option<u64>,
    name: Option<String>,
    dialect: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(offset) = offset {
        let input = source::input(subject, name, None)?;
        let meaning = free(py, || input.open(dialect).and_then(|opened| explaining::byte(&input, &opened, offset)));
        return object(py, &meaning.map_err(|error| exception(py, error))?);
    }
    let Ok(asked) = subject.extract::<String>() else {
        return Err(PyTypeError::new_err("a code, a name or a loss is wanted; of a file, say which byte: offset"));
    };
    if let Some(meaning) = explaining::loss(&asked) {
        return object(py, &meaning);
    }
    object(py, &explaining::code(&asked).map_err(|error| exception(py, error))?)
}

/// The whole structure of a file, every field of it, or of the part that `section` names: `joints[12]`.
///
/// It is what `maquette dump --json` prints.
#[pyfunction]
#[pyo3(signature = (source, *, section=None, name=None, companions=None, dialect=None))]
pub fn dump<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    section: Option<&str>,
    name: Option<String>,
    companions: Option<&Bound<'py, PyAny>>,
    dialect: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let section = section.map(str::parse::<Path>).transpose();
    let section = section.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let input = source::input(source, name, companions)?;
    let dumped = free(py, || {
        let mut text = Vec::new();
        maquette::dump::dump(&input.open(dialect)?, Form::Json, section.as_ref(), &mut text)?;
        Ok(text)
    });
    parsed(py, &dumped.map_err(|error| exception(py, error))?)
}
