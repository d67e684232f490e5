//! What the command prints as JSON, as the dicts and lists that Python reads of it: the same fields, the same numbers.

use crate::error::MaquetteError;
use crate::threads::free;
use pyo3::prelude::*;
use serde::Serialize;

/// A value as Python reads it from the command's JSON.
pub fn object<'py>(py: Python<'py>, value: &(impl Serialize + Sync)) -> PyResult<Bound<'py, PyAny>> {
    let text = free(py, || serde_json::to_vec(value));
    parsed(py, &text.map_err(|error| MaquetteError::new_err(error.to_string()))?)
}

/// JSON as Python reads it.
pub fn parsed<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
