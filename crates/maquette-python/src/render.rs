//! Pictures of models, without a graphics processor.

use crate::clip::moment;
use crate::error::exception;
use crate::given::Given;
use crate::keywords::{Keywords, choose};
use crate::options;
use crate::picture::PyPicture;
use crate::scene::store::PyScene;
use crate::threads::free;
use maquette::clips::{Moment, Wanted};
use maquette::edit::{self, Edits};
use maquette::scene::loss::{LossReport, subject};
use maquette::scene::{Arena, valid};
use maquette::{Error, Result, Scene};
use maquette_render::{
    Background, Framing, LONGEST_SIDE, Mode, Overlays, Picture, Samples, Shot, Stage, StageOptions, ToneMap, View, draw,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// What has to be in the picture.
#[derive(Clone, Copy, PartialEq)]
enum Fit {
    Pose,
    Clip,
}

/// What is asked for.
struct Asked {
    clip: Option<String>,
    time: Option<Moment>,
    fps: Option<f32>,
    fit: Fit,
    framing: Framing,
    shot: Shot,
}

/// A picture, and what is not in it.
struct Drawn {
    picture: Picture,
    warnings: Vec<String>,
}

impl Drawn {
    fn object(py: Python<'_>, drawn: Result<Drawn>) -> PyResult<PyPicture> {
        let drawn = drawn.map_err(|error| match error {
            // One clip is drawn, and the option is called so.
            Error::Usage(why) => Error::Usage(why.replace("--clip", "clip")),
            error => error,
        });
        let Drawn { picture, warnings } = drawn.map_err(|error| exception(py, error))?;
        PyPicture::new(py, picture, warnings)
    }
}

impl Asked {
    fn take(keywords: &mut Keywords<'_>) -> PyResult<Asked> {
        let defaults = Shot::default();
        let mode = keywords.word("mode", &Mode::ALL.map(|mode| (mode.word(), mode)))?.unwrap_or_default();
        let tone_maps = ToneMap::ALL.map(|map| (map.word(), map));
        let background = keywords.text("background")?;
        let background = background.map(|text| {
            text.parse::<Background>().map_err(|why| PyValueError::new_err(format!("background is {text:?}; {why}")))
        });
        let samples = match keywords.value::<u32>("samples", "1, 4 or 8")? {
            Some(1) => Samples::One,
            None | Some(4) => Samples::Four,
            Some(8) => Samples::Eight,
            Some(other) => return Err(PyValueError::new_err(format!("samples is {other}; 1, 4 or 8 would be right"))),
        };
        let shot = Shot {
            size: size(keywords)?,
            mode,
            overlays: Overlays {
                skeleton: keywords.flag("skeleton")?,
                grid: keywords.flag("grid")?,
                bounds: keywords.flag("bounds")?,
                axes: keywords.flag("axes")?,
            },
            tone_map: keywords.word("tone_map", &tone_maps)?.unwrap_or_default(),
            exposure: Shot::exposure_of_stops(within(keywords, "exposure", -32.0, 32.0)?.unwrap_or(0.0)),
            background: background.transpose()?.unwrap_or(defaults.background),
            samples,
            ..defaults
        };
        Ok(Asked {
            clip: keywords.text("clip")?,
            time: keywords.object("time").map(|time| moment("time", &time)).transpose()?,
            fps: within(keywords, "fps", 0.1, 1000.0)?,
            fit: keywords.word("fit", &[("pose", Fit::Pose), ("clip", Fit::Clip)])?.unwrap_or(Fit::Pose),
            framing: framing(keywords)?,
            shot,
        })
    }

    /// Draws a model; what is not in the picture, besides.
    fn draw(&self, scene: &Scene, label: &str, on: bool) -> Result<Drawn> {
        valid::check(scene).map_err(|invalid| Error::Usage(format!("{label} is not sound: {invalid}")))?;
        if scene.nodes.is_empty() && scene.clips.is_empty() {
            return Err(Error::Usage(format!("{label} holds nothing to be drawn")));
        }
        let wanted = Wanted {
            label,
            clip: self.clip.as_deref(),
            moment: self.time.is_some(),
            for_clips: on,
            among_others: false,
        };
        let clip = wanted.of(scene)?;
        let at = |clip| self.time.map_or(Ok(0.0), |time| wanted.secs(clip, time, self.fps));
        let moment = clip.map(|clip| Ok::<_, Error>((clip, at(clip)?))).transpose()?;
        if self.fit == Fit::Clip && moment.is_none() {
            return Err(Error::Usage("fit=\"clip\" needs a clip: name it with --clip".into()));
        }
        let stage = Stage::new(scene, &StageOptions { only: Some(self.shot.mode), ..StageOptions::default() });
        if let Some(left_out) = stage.left_out() {
            return Err(Error::Usage(format!("{label} has too much to be drawn: {left_out}")));
        }
        let posed = stage.pose(moment);
        let size = self.shot.size;
        let whole = moment.filter(|_| self.fit == Fit::Clip).map(|(clip, _)| stage.bounds_of(clip));
        // The box is drawn as well, and is larger than what is in it.
        let boxed = posed.bounds().filter(|_| self.shot.overlays.bounds);
        let camera = match (whole, boxed) {
            (Some(bounds), _) => bounds.map(|bounds| self.framing.camera(&bounds, size)).unwrap_or_default(),
            (None, Some(bounds)) => self.framing.camera(&bounds, size),
            (None, None) => posed.camera(&self.framing, size),
        };
        let picture = draw(&posed, &Shot { camera, ..self.shot.clone() });
        let picture = picture.map_err(|refusal| Error::Usage(refusal.to_string()))?;
        let warnings = stage.missing().iter().map(|missing| {
            let name = scene.images.get(missing.image).map_or("", |image| &image.name);
            format!("{} is not as it should be: {}", subject("image", missing.image.index(), name), missing.why)
        });
        Ok(Drawn { picture, warnings: warnings.collect() })
    }
}

/// From which side.
fn framing(keywords: &mut Keywords<'_>) -> PyResult<Framing> {
    let defaults = Framing::default();
    let view = keywords.text("view")?;
    let orbit: Option<(f32, f32)> = keywords.value("orbit", "two angles in degrees")?;
    let view = match (view, orbit) {
        (Some(_), Some(_)) => return Err(PyTypeError::new_err("view and orbit say the same: choose one")),
        (None, Some((yaw, pitch))) if yaw.abs() <= 3600.0 && pitch.abs() <= 90.0 => {
            View::Orbit { yaw_radians: yaw.to_radians(), pitch_radians: pitch.to_radians() }
        }
        (None, Some(angles)) => {
            return Err(PyValueError::new_err(format!(
                "orbit is {angles:?}; two angles in degrees would be right, the second from -90 to 90"
            )));
        }
        (Some(word), None) => {
            let words = View::WORDS.map(|word| (word, word));
            View::from_word(choose("view", &word, &words)?).unwrap_or(defaults.view)
        }
        (None, None) => defaults.view,
    };
    let fov = within(keywords, "fov", 0.0, 170.0)?.unwrap_or(35.0);
    if fov > 0.0 && fov < 1.0 {
        return Err(PyValueError::new_err("fov is degrees from 1 to 170, or 0 for no perspective"));
    }
    Ok(Framing { view, fov_y_radians: (fov > 0.0).then(|| fov.to_radians()), ..defaults })
}

/// A number from one to another.
fn within(keywords: &mut Keywords<'_>, name: &'static str, least: f32, most: f32) -> PyResult<Option<f32>> {
    let number: Option<f32> = keywords.value(name, "a number")?;
    match number {
        Some(number) if !(least..=most).contains(&number) => {
            Err(PyValueError::new_err(format!("{name} is {number}; it must be from {least} to {most}")))
        }
        number => Ok(number),
    }
}

/// One side, or width and height.
fn size(keywords: &mut Keywords<'_>) -> PyResult<[u32; 2]> {
    let Some(given) = keywords.object("size") else { return Ok([512; 2]) };
    let both = match given.extract::<u32>() {
        Ok(side) => Ok([side, side]),
        Err(_) => given.extract::<[u32; 2]>(),
    };
    match both {
        Ok(both) if both.iter().all(|side| (1..=LONGEST_SIDE).contains(side)) => Ok(both),
        _ => Err(PyValueError::new_err(format!(
            "size is {}; a number of pixels or (width, height) would be right, from 1 to {LONGEST_SIDE}",
            given.repr()?
        ))),
    }
}

/// Draws a model, a file or a scene: the same picture on every machine, without a graphics processor.
///
/// `clip` and `time` choose a moment: a name, `*` and `?` for any text and character, and seconds or frames as "45f". `on` is the model that clips of
/// the source move, for files that hold clips alone; `bone_map`, `strip_prefix` and `ignore_namespace` match their bones.
///
/// `mode` is "shaded", or one thing about the model: "base-colour", "normals", "wireframe" and so on. `skeleton`, `grid`, `bounds` and `axes` are
/// drawn besides. `view` is a side ("front", "left", "top", ...), `orbit` any two angles in degrees; `fit` says whether the pose or all of the
/// clip is to be seen. `background` is "transparent" or a colour such as "#202428".
#[pyfunction]
#[pyo3(
    signature = (source, **options),
    text_signature = "(source, *, on=None, clip=None, time=None, fps=None, mode='shaded', skeleton=False, grid=False, bounds=False, axes=False, view=None, orbit=None, fit='pose', fov=35.0, size=512, background=None, tone_map=None, exposure=0.0, samples=4, bone_map=None, strip_prefix=(), ignore_namespace=False, modifier_scope='both')"
)]
pub fn render<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<PyPicture> {
    let mut keywords = Keywords::new("render", options)?;
    let asked = Asked::take(&mut keywords)?;
    let on = keywords.object("on");
    let mut edits = Edits::default();
    options::attach(&mut keywords, &mut edits)?;
    keywords.finish()?;
    let Some(on) = on else {
        if edits.bone_map.is_some() || edits.attach != Edits::default().attach {
            return Err(PyTypeError::new_err(
                "bone_map, strip_prefix and ignore_namespace are for clips on a model: say on",
            ));
        }
        let given = Given::of(source)?;
        let drawn = free(py, || {
            let label = given.label();
            asked.draw(given.read()?.scene(), &label, false)
        });
        return Drawn::object(py, drawn);
    };
    let model = Given::of(&on)?;
    edits.model = model.label();
    options::take_clips(source, &mut edits)?;
    let drawn = free(py, || {
        let label = model.label();
        let mut scene = model.read()?.into_scene();
        scene.clips = Arena::default();
        edit::apply(&mut scene, &edits, &mut LossReport::default())?;
        asked.draw(&scene, &label, true)
    });
    Drawn::object(py, drawn)
}

/// A small picture of a scene, for notebooks; `None` where nothing is to be drawn.
pub fn preview<'py>(py: Python<'py>, scene: &PyScene) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let mut keywords = Keywords::new("render", None)?;
    let mut asked = Asked::take(&mut keywords)?;
    asked.shot.size = [384; 2];
    let scene = scene.snapshot();
    if scene.nodes.is_empty() {
        return Ok(None);
    }
    let drawn = free(py, || asked.draw(&scene, "the scene", false));
    Drawn::object(py, drawn)?.encoded(py).map(Some)
}
