//! Any file into a scene.

use crate::error::exception;
use crate::keywords::Keywords;
use crate::options::{ReadNames, Reading};
use crate::scene::store::{Origin, PyScene};
use crate::threads::free;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Reads a file of any format into a scene.
///
/// The source is a path, bytes or a file object. The format and its dialect are found from the bytes, never from the
/// name; companion files of a path lie beside it, those of bytes are given: `companions` is a dict of names and bytes, or a
/// function from name to bytes or None. The other options tell what the bytes do not say, or say wrongly.
#[pyfunction]
#[pyo3(
    signature = (source, **options),
    text_signature = "(source, *, name=None, companions=None, dialect=None, matrix_order=None, quaternion_order=None, animation_matrices=None, size='as-stored')"
)]
pub fn read<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyScene> {
    let mut keywords = Keywords::new("read", options)?;
    let reading = Reading::take(&mut keywords, &ReadNames::ALONE)?;
    keywords.finish()?;
    let (input, options) = reading.input(source)?;
    let read = free(py, || input.read(&options)).map_err(|error| exception(py, error))?;
    let origin =
        Origin { name: input.name().to_owned(), format: read.format.id, dialect: read.dialect, losses: read.losses };
    Ok(PyScene::new(read.scene, Some(origin)))
}
