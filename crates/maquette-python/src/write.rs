//! A scene into any format.

use crate::error::exception;
use crate::keywords::Keywords;
use crate::options::Writing;
use crate::output::{PyOutput, Sink, refuse_losses, unnamed};
use crate::progress::Telling;
use crate::scene::{self, store::PyScene};
use crate::threads::free;
use maquette::overwrite::neighbours;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Writes a scene to a path, a file object or memory.
///
/// The ending of the name says the format, or `format` does: its id, or an ending. With `target=None` the result has
/// the bytes: `files`, by name. Companion files of a path are written with it. What the format cannot hold is in the
/// result's `losses`; `strict=True`, or kinds of losses, makes them errors before anything is written.
///
/// `textures` is how well they are compressed where the format holds blocks, `max_size` the longest side of one in
/// pixels, `tolerance` how closely straight lines follow curves, in units of the model; `optimize` puts geometry into the
/// order that hardware likes best. `force` overwrites companion files that may belong to others.
/// `progress(stage, done, total)` is called from whichever thread works; what it raises ends the work
/// before anything is written, or is raised when it is.
#[pyfunction]
#[pyo3(
    signature = (scene, target=None, **options),
    text_signature = "(scene, target=None, *, name=None, format=None, dialect=None, textures='default', max_size=None, tolerance=0.0001, optimize=False, strict=False, max_vertices=None, max_pixels=None, max_tracks=None, force=False, progress=None)"
)]
pub fn write<'py>(
    py: Python<'py>,
    scene: &Bound<'py, PyScene>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyOutput> {
    let mut keywords = Keywords::new("write", options)?;
    let mut writing = Writing::take(&mut keywords)?;
    keywords.finish()?;
    let sink = Sink::of(target)?;
    let name = match sink.name(writing.name.as_deref())? {
        Some(name) => name,
        None => unnamed(py, &writing.options)?,
    };
    let scene = scene.get().snapshot();
    scene::edit::check(py, &scene)?;
    let mut asked = writing.options.clone();
    if let Sink::Path(path) = &sink {
        asked.others = neighbours(path, asked.formats);
    }
    let telling = Telling::new(writing.progress.take());
    asked.progress = telling.progress();
    let made = free(py, || maquette::encode(scene, &name, &asked));
    telling.raise()?;
    let made = made.map_err(|error| exception(py, error))?;
    refuse_losses(py, &made, &writing.strict)?;
    let output = sink.put(py, made, writing.overwrite)?;
    telling.raise()?;
    Ok(output)
}
