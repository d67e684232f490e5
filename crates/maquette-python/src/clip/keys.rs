//! The keys of clips: other lengths, fewer of them, and what clips say of themselves.

use super::asked::{Asked, needed};
use super::edited::PyEdited;
use super::files::Files;
use crate::keywords::Keywords;
use maquette::clips::Length;
use maquette::motion::Blend;
use maquette::motion::ops::{self, Fixes, Misread, Tolerance};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Multiplies translations by `factor`: another unit of length.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, factor, clips=(), **options)")]
pub fn scale<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("scale", options)?;
    let factor = needed("factor", keywords.number("factor")?)?;
    Files::take(keywords, source, target)?
        .each(py, &|mut motion, _| ops::scale(&mut motion, factor).map(|did| (vec![motion], did)))
}

/// Leaves out keys that nothing seen needs: no vertex of the model is off by more than the tolerance, at any moment.
///
/// `tolerance` is a number in units of the model, or a length such as "0.1mm" where these are metres. `at` is how far from a joint its turns are looked at
/// where they move no vertex. `drop_rest` also removes tracks that leave their bones at rest. `skeleton` is the model, if not that of the file: a file or a scene.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, tolerance='0.1mm', at=None, drop_rest=False, skeleton=None, clips=(), **options)")]
pub fn reduce<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("reduce", options)?;
    let distance = length(keywords.object("tolerance").as_ref())?;
    let tolerance = Tolerance { distance, at: keywords.number("at")?, drop_rest: keywords.flag("drop_rest")? };
    let given = keywords.model(py, "skeleton")?;
    Files::take(keywords, source, target)?.each_on_model(py, &|mut motion, rig, model| {
        let (model, rig) = match &given {
            Some((model, rig)) => (Some(model), Some(rig)),
            None => (model, rig),
        };
        ops::reduce(&mut motion, &tolerance, model, rig).map(|did| (vec![motion], did))
    })
}

fn length(given: Option<&Bound<'_, PyAny>>) -> PyResult<f64> {
    let text = match given {
        None => "0.1mm".to_owned(),
        Some(given) => match given.extract::<f64>() {
            Ok(number) => number.to_string(),
            Err(_) => given
                .extract()
                .map_err(|_| PyTypeError::new_err("tolerance is a number, or a length such as \"0.1mm\""))?,
        },
    };
    let length: Result<Length, _> = text.parse();
    length.map(|length| length.0).map_err(|why| PyValueError::new_err(format!("tolerance is {text:?}; {why}")))
}

/// Puts right what a clip says of itself: blend, up axis, loop, frame rate and count, signs of rotations.
///
/// Rotations become of unit length with the signs of the key before, and keys get into order. `spikes` leaves out keys that jump away for a frame and back;
/// `rotations` is how they were written, where they are read wrongly: "w-first" or "inverse".
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, blend=None, up=None, looped=None, fps=None, frame_count=None, spikes=False, rotations=None, skeleton=None, clips=(), **options)")]
pub fn fix<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("fix", options)?;
    let blends = [
        ("absolute", Blend::Absolute),
        ("relative", Blend::Relative),
        ("additive", Blend::Additive),
        ("delta", Blend::Delta),
    ];
    let fixes = Fixes {
        blend: keywords.word("blend", &blends)?,
        up: keywords.up()?,
        looped: keywords.value("looped", "True or False")?,
        frame_count: keywords.value("frame_count", "a whole number")?,
        fps: keywords.number("fps")?,
        spikes: keywords.flag("spikes")?,
        rotations: keywords.word("rotations", &[("w-first", Misread::WFirst), ("inverse", Misread::Inverse)])?,
    };
    let given = keywords.rig(py)?;
    Files::take(keywords, source, target)?.each(py, &|mut motion, rig| {
        ops::fix(&mut motion, &fixes, given.as_ref().or(rig)).map(|did| (vec![motion], did))
    })
}
