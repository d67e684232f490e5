//! From file to file.

use crate::error::exception;
use crate::keywords::Keywords;
use crate::options::{ReadNames, Reading, Writing, edits};
use crate::output::{PyOutput, Sink, refuse_losses};
use crate::progress::Telling;
use crate::threads::free;
use maquette::convert::ConvertOptions;
use maquette::overwrite::neighbours;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Converts a file to another format or dialect.
///
/// It takes the options of `read`, `Scene.edit` and `write` by the same names; the name and the dialect of what is
/// read are `read_name` and `read_dialect`. Within one format and dialect the bytes come out identical, and the format is the input's
/// where neither a name nor `format` says.
#[pyfunction]
#[pyo3(
    signature = (source, target=None, **options),
    text_signature = "(source, target=None, *, read_name=None, companions=None, read_dialect=None, matrix_order=None, quaternion_order=None, animation_matrices=None, size='as-stored', select=(), clips=(), clip_names=(), own_clips='kept', bone_map=None, strip_prefix=(), ignore_namespace=False, modifier_scope='both', flip_v=False, up='y', scale=None, name=None, format=None, dialect=None, textures='default', max_size=None, tolerance=0.0001, optimize=False, strict=False, max_vertices=None, max_pixels=None, max_tracks=None, force=False, progress=None)"
)]
pub fn convert<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyOutput> {
    let mut keywords = Keywords::new("convert", options)?;
    let reading = Reading::take(&mut keywords, &ReadNames::BESIDE_OUTPUT)?;
    let edits = edits(&mut keywords)?;
    let mut writing = Writing::take(&mut keywords)?;
    keywords.finish()?;
    let sink = Sink::of(target)?;
    let name = sink.name(writing.name.as_deref())?;
    let (input, read) = reading.input(source)?;
    let mut asked = ConvertOptions { read, edits, write: writing.options.clone() };
    if let Sink::Path(path) = &sink {
        asked.write.others = neighbours(path, asked.write.formats);
    }
    let telling = Telling::new(writing.progress.take());
    asked.write.progress = telling.progress();
    let made = free(py, || maquette::convert::convert(&input, name.as_deref(), &asked));
    telling.raise()?;
    let made = made.map_err(|error| exception(py, error))?;
    refuse_losses(py, &made, &writing.strict)?;
    let output = sink.put(py, made, writing.overwrite)?;
    telling.raise()?;
    Ok(output)
}
