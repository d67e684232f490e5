//! Clips to be looked at: what they hold, their curves, and what is wrong with them.

use super::asked::model;
use crate::error::{MaquetteError, exception};
use crate::json::object;
use crate::keywords::{Keywords, choose};
use crate::options::{ReadNames, Reading};
use crate::output::save_picture;
use crate::source::path_of;
use crate::threads::free;
use maquette::clips_seen::{ClipsInfo, DoctorOptions, chosen, see};
use maquette::plot::{MOST_PANELS, PlotOptions};
use maquette::{Error, Input, ReadOptions, Result};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Tells what clips hold: tracks, keys, ranges, events.
///
/// `clips` are names, `*` and `?` for any text and character; all by default. The fields are those of `maquette clip info --json`.
#[pyfunction]
#[pyo3(signature = (source, **options), text_signature = "(source, *, clips=(), name=None, companions=None, dialect=None, **options)")]
pub fn info<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut keywords = Keywords::new("info", options)?;
    let clips = keywords.texts("clips")?;
    let (input, read) = input(keywords, source)?;
    let info = free(py, || {
        let seen = see(&input, &read)?;
        Ok(ClipsInfo::new(&input, chosen(&input, &seen.motions, &clips)?))
    });
    object(py, &info.map_err(|error| exception(py, error))?)
}

/// Finds out why clips play wrongly, and what puts them right. `skeleton` is the model they are for, a file or a scene: much takes it.
///
/// The fields are those of `maquette clip doctor --json`: `ok`, `findings`, and what could not be judged.
#[pyfunction]
#[pyo3(signature = (source, **options), text_signature = "(source, *, skeleton=None, name=None, companions=None, dialect=None, **options)")]
pub fn doctor<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut keywords = Keywords::new("doctor", options)?;
    let given = keywords.object("skeleton");
    let (input, read) = input(keywords, source)?;
    // What the commands that put things right call it.
    let named = |given: &Bound<'_, PyAny>| Ok::<_, PyErr>(path_of(given)?.map(|path| path.display().to_string()));
    let skeleton = given.as_ref().map(named).transpose()?.map(|path| path.unwrap_or_else(|| "MODEL".to_owned()));
    let rig = given.map(|given| model(py, &given)).transpose()?.map(|(_, rig)| rig);
    let options = DoctorOptions { read, rig, skeleton };
    let told = free(py, || maquette::clips_seen::doctor(&input, &options));
    object(py, &told.map_err(|error| exception(py, error))?)
}

fn input<'py>(mut keywords: Keywords<'py>, source: &Bound<'py, PyAny>) -> PyResult<(Input, ReadOptions)> {
    let reading = Reading::take(&mut keywords, &ReadNames::ALONE)?;
    keywords.finish()?;
    reading.input(source)
}

/// The curves of a clip as a picture.
#[pyclass(module = "maquette.clip", frozen)]
pub struct Plot {
    bytes: Py<PyBytes>,
    /// The name of the clip.
    #[pyo3(get)]
    clip: String,
    /// `png` or `svg`.
    #[pyo3(get)]
    format: &'static str,
    /// How many tracks are drawn.
    #[pyo3(get)]
    drawn: usize,
    /// How many more would be, if there were more panels.
    #[pyo3(get)]
    left_out: usize,
}

#[pymethods]
impl Plot {
    /// The file of the picture.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.bytes.bind(py).clone()
    }

    /// Writes the picture to a path. What is there and is no such picture is not overwritten, unless `force` is true.
    #[pyo3(signature = (path, *, force=false))]
    fn save(&self, py: Python<'_>, path: &Bound<'_, PyAny>, force: bool) -> PyResult<()> {
        let start: &[u8] = if self.format == "svg" { b"<svg" } else { b"\x89PNG" };
        save_picture(py, path, self.bytes.bind(py).as_bytes(), start, force)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        (self.format == "png").then(|| self.bytes(py))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> Option<String> {
        (self.format == "svg").then(|| String::from_utf8_lossy(self.bytes.bind(py).as_bytes()).into_owned())
    }

    fn __repr__(&self) -> String {
        let Plot { clip, format, drawn, left_out, .. } = self;
        let more = if *left_out == 0 { String::new() } else { format!(", {left_out} left out") };
        format!("<Plot of {clip:?}: {format}, {drawn} tracks{more}>")
    }
}

/// Draws the curves of a clip: a panel for each property of each bone, keys as dots, events as lines across.
///
/// A picture is of one clip, which `clip` names where there are several. `bones` and `properties` ("translation", "rotation", "scale",
/// "weights") choose some panels, of which there are `most`. `format` is "png" or "svg".
#[pyfunction]
#[pyo3(signature = (source, **options), text_signature = "(source, *, format='png', clip=None, bones=(), properties=(), most=24, name=None, companions=None, dialect=None, **options)")]
pub fn plot<'py>(py: Python<'py>, source: &Bound<'py, PyAny>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Plot> {
    let mut keywords = Keywords::new("plot", options)?;
    let format = keywords.word("format", &[("png", "png"), ("svg", "svg")])?.unwrap_or("png");
    let clip: Vec<String> = keywords.text("clip")?.into_iter().collect();
    let bones = keywords.texts("bones")?;
    let words = ["translation", "rotation", "scale", "weights"].map(|word| (word, word));
    let properties = keywords.texts("properties")?;
    for property in &properties {
        choose("properties", property, &words)?;
    }
    let most = keywords.value("most", "a whole number")?.unwrap_or(24);
    if !(1..=MOST_PANELS).contains(&most) {
        return Err(PyValueError::new_err(format!("most is {most}; it must be from 1 to {MOST_PANELS}")));
    }
    let (input, read) = input(keywords, source)?;
    let options = PlotOptions { bones, properties, most, is_png: format == "png" };
    let drawn = free(py, || -> Result<_> {
        let seen = see(&input, &read)?;
        match chosen(&input, &seen.motions, &clip)?.as_slice() {
            [motion] => Ok((motion.name.clone(), maquette::plot::plot(motion, &options))),
            several => {
                let names: Vec<String> = several.iter().map(|motion| format!("{:?}", motion.name)).collect();
                Err(Error::Usage(format!("a picture is of one clip; name one with clip: {}", names.join(", "))))
            }
        }
    });
    let (clip, plotted) = drawn.map_err(|error| exception(py, error))?;
    let nothing =
        || MaquetteError::new_err(format!("none of the tracks of {clip:?} is asked for, or has keys to be drawn"));
    let plotted = plotted.ok_or_else(nothing)?;
    Ok(Plot {
        bytes: PyBytes::new(py, &plotted.bytes).unbind(),
        clip,
        format,
        drawn: plotted.drawn,
        left_out: plotted.left_out,
    })
}
