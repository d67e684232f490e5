//! What differs in meaning between two files or scenes.

use crate::error::exception;
use crate::given::{Given, Known};
use crate::json::object;
use crate::threads::free;
use maquette::diff::{beyond, diff_with};
use maquette::fit::Limits;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Tells what differs in meaning between two files or scenes; an empty list where nothing does.
///
/// `tolerance` is the largest difference that is none: a part of the model's size for lengths, seconds for times, a
/// part of full strength for pixels. Of two files, what no scene holds is compared too, as far as it is counted. The
/// fields are those of `maquette diff --json`.
#[pyfunction]
#[pyo3(signature = (a, b, *, tolerance=1e-4, max_pixels=Limits::DEFAULT.pixels))]
pub fn diff<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    tolerance: f64,
    max_pixels: u64,
) -> PyResult<Bound<'py, PyAny>> {
    if !tolerance.is_finite() || tolerance < 0.0 {
        return Err(PyValueError::new_err(format!("tolerance is {tolerance}; it must be 0 or more, and finite")));
    }
    let (a, b) = (Given::of(a)?, Given::of(b)?);
    let limits = Limits { pixels: max_pixels, ..Limits::DEFAULT };
    let found = free(py, || {
        let (a, b) = (a.read()?, b.read()?);
        let mut found = diff_with(a.scene(), b.scene(), tolerance, &limits)?;
        if let (Known::File(a), Known::File(b)) = (&a, &b) {
            found.extend(beyond(a, b).differences);
        }
        Ok(found)
    });
    object(py, &found.map_err(|error| exception(py, error))?)
}
