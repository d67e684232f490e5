//! The textures of a file as files of their own.

use crate::error::exception;
use crate::source::{self, path_of};
use crate::threads::free;
use maquette::Overwrite;
use maquette::textures::{As, extract};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Takes the textures out of a file: the bytes of each as a file, by name; into a folder too, if one is given.
///
/// Image files come out as they are, pixels and blocks as PNG with their channels as they are stored, or with `dds` as
/// DDS with all mip levels. With `srgb` they are as people see them, and named after materials. A file that is in the way with other
/// contents is not overwritten, unless `force` is true.
#[pyfunction]
#[pyo3(signature = (source, folder=None, *, dds=false, srgb=false, force=false, name=None, companions=None, dialect=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn textures<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    folder: Option<&Bound<'py, PyAny>>,
    dds: bool,
    srgb: bool,
    force: bool,
    name: Option<String>,
    companions: Option<&Bound<'py, PyAny>>,
    dialect: Option<&str>,
) -> PyResult<Bound<'py, PyDict>> {
    let pixels_as = match (dds, srgb) {
        (true, true) => {
            return Err(PyValueError::new_err("choose dds or srgb: DDS files hold pixels as they are stored"));
        }
        (true, false) => As::Dds,
        (false, true) => As::Srgb,
        (false, false) => As::Png,
    };
    let folder = folder.map(|folder| path_of(folder)?.ok_or_else(|| PyTypeError::new_err("folder is a path")));
    let folder = folder.transpose()?;
    let input = source::input(source, name, companions)?;
    let overwrite = if force { Overwrite::All } else { Overwrite::Own };
    let extracted = free(py, || {
        let extracted = extract(&input, dialect, pixels_as)?;
        if let Some(folder) = folder {
            extracted.save(&folder, overwrite)?;
        }
        Ok(extracted)
    });
    let extracted = extracted.map_err(|error| exception(py, error))?;
    let files = PyDict::new(py);
    for (name, bytes) in &extracted.files {
        files.set_item(name, PyBytes::new(py, bytes))?;
    }
    Ok(files)
}
