//! Parts of clips, their frames, their pace, and how they repeat.

use super::asked::{Asked, moment, needed};
use super::edited::PyEdited;
use super::files::Files;
use crate::keywords::Keywords;
use maquette::clips::{Looping, Moment, Motion, Refusal, Seam};
use maquette::motion::ops::{self, Cuts, Pace};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Keeps a part, from one moment to another; the end of the clip by default.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, start=0.0, end=None, clips=(), **options)")]
pub fn trim<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("trim", options)?;
    let start = keywords.moment("start")?.unwrap_or(Moment::Secs(0.0));
    let end = keywords.moment("end")?;
    Files::take(keywords, source, target)?.each(py, &|mut motion, _| {
        let start = start.secs(&motion)?;
        let end = end.map_or(Ok(motion.duration_secs), |end| end.secs(&motion))?;
        ops::trim(&mut motion, start, end).map(|did| (vec![motion], did))
    })
}

/// Gives every curve a key at each frame of a rate. The pace stays.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, fps, clips=(), **options)")]
pub fn resample<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("resample", options)?;
    let fps = needed("fps", keywords.number("fps")?)?;
    Files::take(keywords, source, target)?
        .each(py, &|mut motion, _| ops::resample(&mut motion, fps).map(|did| (vec![motion], did)))
}

/// Plays backwards, events included.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, clips=(), **options)")]
pub fn reverse<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let keywords = Keywords::new("reverse", options)?;
    Files::take(keywords, source, target)?
        .each(py, &|mut motion, _| ops::reverse(&mut motion).map(|did| (vec![motion], did)))
}

/// Plays faster or slower: `speed` times as fast, in `duration` seconds, or `fps` of its frames a second. The frames stay, and the frame rate changes, unless
/// `keep_fps` keeps it, with a key at each frame.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, speed=None, duration=None, fps=None, keep_fps=False, clips=(), **options)")]
pub fn retime<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("retime", options)?;
    let asked = (keywords.number("speed")?, keywords.number("duration")?, keywords.number("fps")?);
    let keep_fps = keywords.flag("keep_fps")?;
    let pace = match asked {
        (Some(speed), None, None) => Pace::Speed(speed),
        (None, Some(secs), None) => Pace::Duration(secs),
        (None, None, Some(_)) if keep_fps => {
            return Err(PyTypeError::new_err("fps is another frame rate, and keep_fps keeps it: choose one"));
        }
        (None, None, Some(fps)) => Pace::FrameRate(fps),
        _ => return Err(PyTypeError::new_err("one of speed, duration and fps is wanted")),
    };
    Files::take(keywords, source, target)?
        .each(py, &|mut motion, _| ops::retime(&mut motion, pace, keep_fps).map(|did| (vec![motion], did)))
}

/// Cuts a clip into several: at moments, into so many parts, whenever so much time is over, or at its events.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, at=(), parts=None, every=None, events=False, clips=(), **options)")]
pub fn split<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("split", options)?;
    let at = keywords.objects("at")?.iter().map(|at| moment("at", at)).collect::<PyResult<Vec<_>>>()?;
    let parts: Option<u64> = keywords.value("parts", "a whole number")?;
    let every = keywords.moment("every")?;
    let events = keywords.flag("events")?;
    let ways = [!at.is_empty(), parts.is_some(), every.is_some(), events];
    if ways.iter().filter(|is_asked| **is_asked).count() != 1 {
        return Err(PyTypeError::new_err("one of at, parts, every and events is wanted"));
    }
    let cuts = |motion: &Motion| -> Result<Cuts, Refusal> {
        Ok(match (parts, every) {
            (Some(parts), _) => Cuts::Parts(parts),
            (None, Some(every)) => Cuts::Every(every.secs(motion)?),
            (None, None) if events => Cuts::Events,
            (None, None) => Cuts::At(at.iter().map(|at| at.secs(motion)).collect::<Result<_, _>>()?),
        })
    };
    Files::take(keywords, source, target)?.each(py, &|motion, _| ops::split(&motion, &cuts(&motion)?))
}

/// Makes a clip repeat: `seam` leads its end to its start, `count` plays it several times in a row, `flag` marks it as looped or not.
///
/// `blend` is how much of the end is led, and `except_` are bones that stay as they are. With `accumulate`, the root starts each time where it
/// ended the time before: along `axes`, such as "xz,yaw".
#[pyfunction]
#[pyo3(signature = (source, target=None, **options), text_signature = "(source, target=None, *, seam=False, blend=None, except_=(), count=None, accumulate=False, axes=None, up=None, root=None, skeleton=None, modifier_scope='both', flag=None, clips=(), **options)")]
pub fn r#loop<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyEdited> {
    let mut keywords = Keywords::new("loop", options)?;
    let seam = keywords.flag("seam")?;
    let blend = keywords.moment("blend")?;
    let except = keywords.texts("except_")?;
    let count: Option<u64> = keywords.value("count", "a whole number")?;
    let accumulate = keywords.flag("accumulate")?;
    let going = keywords.going()?;
    let skeleton = keywords.rig(py)?;
    let flag: Option<bool> = keywords.value("flag", "True or False")?;
    if !seam && (blend.is_some() || !except.is_empty()) {
        return Err(PyTypeError::new_err("blend and except_ are for seam=True"));
    }
    if accumulate && count.is_none() {
        return Err(PyTypeError::new_err("accumulate is for a clip that plays several times: say count"));
    }
    if !seam && count.is_none() && flag.is_none() {
        return Err(PyTypeError::new_err("at least one of seam, count and flag is wanted"));
    }
    let looping =
        Looping { seam: seam.then_some(Seam { blend, except }), count, onward: accumulate.then_some(going), flag };
    Files::take(keywords, source, target)?.each(py, &|mut motion, own| {
        looping.apply(&mut motion, skeleton.as_ref().or(own)).map(|did| (vec![motion], did))
    })
}
