//! Clips and bones by other names, several clips as one, and clips of other files.

use super::asked::Asked;
use super::edited::PyEdited;
use super::files::Files;
use crate::keywords::Keywords;
use crate::options;
use crate::source;
use maquette::clips::{self, Merge};
use maquette::convert::ConvertOptions;
use maquette::motion::ops::{Prefer, Renaming};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Renames clips, bones and events.
///
/// `bones` and `events` are dicts of old and new names, all of which must be there; of `map`, a dict or a file of lines
/// `old = new`, some may be. Other bones lose `prefix_strip` and get `prefix_add`.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, clip_name=None, bones=None, prefix_strip=None, prefix_add=None, map=None, events=None, clips=(), **options)")]
pub fn rename<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("rename", options)?;
    let names = "a dict of names";
    let renaming = Renaming {
        clip: keywords.text("clip_name")?,
        bones: keywords.value("bones", names)?.unwrap_or_default(),
        map: keywords.map(py, "map")?.unwrap_or_default(),
        prefix_stripped: keywords.text("prefix_strip")?.unwrap_or_default(),
        prefix_added: keywords.text("prefix_add")?.unwrap_or_default(),
        events: keywords.value("events", names)?.unwrap_or_default(),
    };
    let is_empty = renaming.clip.is_none()
        && renaming.bones.is_empty()
        && renaming.map.is_empty()
        && renaming.prefix_stripped.is_empty()
        && renaming.prefix_added.is_empty()
        && renaming.events.is_empty();
    if is_empty {
        return Err(PyTypeError::new_err(
            "at least one of clip_name, bones, prefix_strip, prefix_add, map and events is wanted",
        ));
    }
    let files = Files::take(keywords, source, target)?;
    files.make(py, |input, name, options| clips::rename(input, name, options, &renaming))
}

/// Makes one clip of several: one after another, or with `layers` at the same time, each for bones of its own.
///
/// `sources` is a list of files, the first of which is edited; or one file with several clips. With `layers`, `prefer` says which is kept where
/// several clips move one property of one bone: "first" or "last".
#[pyfunction]
#[pyo3(signature = (sources, target=None, **options), text_signature = "(sources, target=None, *, layers=False, prefer=None, clips=(), **options)")]
pub fn merge<'py>(
    py: Python<'py>,
    sources: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("merge", options)?;
    let layers = keywords.flag("layers")?;
    let prefer = keywords.word("prefer", &[("first", Prefer::First), ("last", Prefer::Last)])?;
    let how = match (layers, prefer) {
        (true, prefer) => Merge::Layers(prefer),
        (false, None) => Merge::Sequence,
        (false, Some(_)) => return Err(PyTypeError::new_err("prefer is for layers=True")),
    };
    let (first, others) = match sources.extract::<Vec<Bound<'py, PyAny>>>() {
        Ok(list) if source::bytes_of(sources)?.is_none() => match list.split_first() {
            Some((first, others)) => (first.clone(), others.to_vec()),
            None => return Err(PyTypeError::new_err("there is nothing to merge")),
        },
        _ => (sources.clone(), Vec::new()),
    };
    let others = others.iter().map(|other| source::input(other, None, None)).collect::<PyResult<Vec<_>>>()?;
    let files = Files::take(keywords, &first, target)?;
    files.make(py, |input, name, options| clips::merge(input, &others, name, options, how))
}

/// Puts clips of other files onto a model, by the names of its bones.
///
/// `clip_files` is a list of files or folders. The model keeps the clips it has, unless `own_clips` is "replaced" or "left-out"; `clip_names` chooses
/// some of the others. `bone_map`, `strip_prefix`, `ignore_namespace` and `modifier_scope` are those of `Scene.edit`.
#[pyfunction]
#[pyo3(signature = (model, clip_files, target=None, **options), text_signature = "(model, clip_files, target=None, *, clip_names=(), own_clips='kept', bone_map=None, strip_prefix=(), ignore_namespace=False, modifier_scope='both', **options)")]
pub fn apply<'py>(
    py: Python<'py>,
    model: &Bound<'py, PyAny>,
    clip_files: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let given = match options {
        Some(options) => options.copy()?,
        None => PyDict::new(py),
    };
    if given.contains("clips")? {
        return Err(PyTypeError::new_err("the clips come second; clip_names chooses some of them"));
    }
    given.set_item("clips", clip_files)?;
    let mut keywords = Keywords::new("apply", Some(&given))?;
    let edits = options::edits(&mut keywords)?;
    let files = Files::whole(keywords, model, target)?;
    files.make(py, |input, name, options| {
        let options = ConvertOptions { read: options.read.clone(), edits, write: options.write.clone() };
        clips::apply(input, name, &options)
    })
}
