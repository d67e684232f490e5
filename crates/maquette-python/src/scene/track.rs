//! The keys of one property of one node.

use super::clip::{lengthen, target_of};
use super::clip_ids::{ClipIds, Id};
use super::node::PyNode;
use super::part::{Listed, Part};
use super::store::PyScene;
use super::words::{BLENDS, INTERPOLATIONS, PROPERTIES, Property};
use crate::arrays::{Lent, Rows, numbers, owned, rows, shaped};
use maquette::Scene;
use maquette::scene::Handle;
use maquette::scene::clip::{Curve, Interpolation, Keys, Target, Track};
use maquette::scene::valid;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The keys of one property of one node. Its arrays are those of the scene, but for the values of morph weights.
#[pyclass(name = "Track", module = "maquette", frozen)]
pub struct PyTrack {
    pub scene: Py<PyScene>,
    pub tracks: Id,
    pub index: usize,
}

impl Part for PyTrack {
    type Is = Track;
    const WORD: &'static str = "track";

    fn owner(&self) -> &Py<PyScene> {
        &self.scene
    }

    fn find<'s>(&self, scene: &'s mut Scene, clips: &ClipIds) -> Option<&'s mut Track> {
        let clip = scene.clips.get_mut(Handle::from_index(clips.index_of_tracks(self.tracks)?))?;
        clip.tracks.get_mut(self.index)
    }

    fn place(&self) -> [u64; 3] {
        [self.tracks.0, self.index as u64, 0]
    }
}

/// Does something with the keys of a curve, whatever they are of.
macro_rules! keys {
    ($curve:expr, $keys:ident => $done:expr) => {
        match $curve {
            Curve::Translation($keys) | Curve::Scale($keys) => $done,
            Curve::Rotation($keys) => $done,
            Curve::MorphWeights($keys) => $done,
        }
    };
}

/// How many values a key has.
fn values_of_key(interpolation: Interpolation) -> usize {
    if interpolation == Interpolation::CubicSpline { 3 } else { 1 }
}

/// Times that rise.
fn times_of(times: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
    let times: Vec<f32> = rows(times, "times")?;
    match valid::all_finite(&times) && valid::rise(&times) {
        true => Ok(times),
        false => Err(PyValueError::new_err("times do not rise from key to key")),
    }
}

/// Rows of weights.
fn weights_of(values: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<f32>>> {
    let (numbers, shape) = numbers::<f32>(values, "values")?;
    match *shape {
        [0, _] | [0] => Ok(Vec::new()),
        [_, each] if each > 0 => Ok(numbers.chunks_exact(each).map(<[f32]>::to_vec).collect()),
        _ => Err(shaped("values", &shape, "(keys, targets)")),
    }
}

/// Keys whose times and values are as many.
fn keys_of<T>(times_secs: Vec<f32>, values: Vec<T>, interpolation: Interpolation) -> PyResult<Keys<T>> {
    let each = values_of_key(interpolation);
    match values.len() == times_secs.len() * each {
        true => Ok(Keys { times_secs, values, interpolation }),
        false => {
            let splines = if each == 3 { ", and with cubic splines each has three" } else { "" };
            let words = format!("there are {} values for {} times{splines}", values.len(), times_secs.len());
            Err(PyValueError::new_err(words))
        }
    }
}

/// The curve of a property.
pub fn curve_of(
    property: &str,
    times: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    interpolation: Interpolation,
) -> PyResult<Curve> {
    let property = PROPERTIES.value(property)?;
    let times = times_of(times)?;
    match property {
        Property::Translation => keys_of(times, rows(values, "values")?, interpolation).map(Curve::Translation),
        Property::Rotation => keys_of(times, rows(values, "values")?, interpolation).map(Curve::Rotation),
        Property::Scale => keys_of(times, rows(values, "values")?, interpolation).map(Curve::Scale),
        Property::MorphWeights => keys_of(times, weights_of(values)?, interpolation).map(Curve::MorphWeights),
    }
}

/// Makes these keys those of a curve of the same property.
fn replace_curve(lent: &mut Lent, curve: &mut Curve, new: Curve) {
    fn replace<R: Rows>(lent: &mut Lent, keys: &mut Keys<R>, new: Keys<R>) {
        lent.replace(&mut keys.times_secs, new.times_secs);
        lent.replace(&mut keys.values, new.values);
        keys.interpolation = new.interpolation;
    }
    match (curve, new) {
        (Curve::Translation(keys), Curve::Translation(new)) | (Curve::Scale(keys), Curve::Scale(new)) => {
            replace(lent, keys, new);
        }
        (Curve::Rotation(keys), Curve::Rotation(new)) => replace(lent, keys, new),
        (Curve::MorphWeights(keys), Curve::MorphWeights(new)) => {
            lent.replace(&mut keys.times_secs, new.times_secs);
            (keys.values, keys.interpolation) = (new.values, new.interpolation);
        }
        // Of another property: nothing makes such a curve.
        _ => {}
    }
}

impl PyTrack {
    /// How many keys and values there are.
    fn counts(&self) -> PyResult<(usize, usize)> {
        self.with(|track, _| keys!(&track.curve, keys => (keys.times_secs.len(), keys.values.len())))
    }
}

#[pymethods]
impl PyTrack {
    /// What moves: a node of the scene, or the name of one of another, where the file holds animation alone.
    #[getter]
    fn target<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.with(|track, _| track.target.clone())? {
            Target::Node(node) => PyNode::at(self.scene.clone_ref(py), node).into_bound_py_any(py),
            Target::Name(name) => name.into_bound_py_any(py),
        }
    }

    #[setter]
    fn set_target(&self, target: &Bound<'_, PyAny>) -> PyResult<()> {
        let target = target_of(&self.scene, target)?;
        self.with(|track, _| track.target = target)
    }

    /// What of it moves: `translation`, `rotation`, `scale` or `morph weights`.
    #[getter]
    fn property(&self) -> PyResult<&'static str> {
        self.with(|track, _| track.curve.property())
    }

    /// When its keys are, in seconds from the start of the clip: (keys,). Set to as many; `set_keys` changes how many there are.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend(py, |track| Some(keys!(&mut track.curve, keys => &mut keys.times_secs)))
    }

    #[setter]
    fn set_times(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let times = times_of(value)?;
        let (count, _) = self.counts()?;
        if times.len() != count {
            return Err(shaped("times", &[times.len()], &format!("({count},), or set_keys with both,")));
        }
        self.with(|track, lent| lent.replace(keys!(&mut track.curve, keys => &mut keys.times_secs), times))
    }

    /// What it is at each: (keys, 3) for translation and scale, (keys, 4) for rotation, (keys, targets) for morph weights. With cubic splines there are
    /// three rows a key: the tangent before it, itself, the tangent after it. The values of morph weights are a copy, which can be set.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let weights = self.with(|track, _| match &track.curve {
            Curve::MorphWeights(keys) => Some(keys.values.clone()),
            _ => None,
        })?;
        if let Some(weights) = weights {
            let each = weights.first().map_or(0, Vec::len);
            if weights.iter().any(|row| row.len() != each) {
                return Err(PyValueError::new_err("the keys of this track have different numbers of weights"));
            }
            return owned(py, weights.concat(), &[weights.len(), each]);
        }
        let array = self.lend_with(py, |track, lent| match &mut track.curve {
            Curve::Translation(keys) | Curve::Scale(keys) => Some(lent.lend(&mut keys.values)),
            Curve::Rotation(keys) => Some(lent.lend(&mut keys.values)),
            Curve::MorphWeights(_) => None,
        })?;
        array.ok_or_else(Self::gone)
    }

    #[setter]
    fn set_values(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        enum Values {
            Vectors(Vec<[f32; 3]>),
            Rotations(Vec<[f32; 4]>),
            Weights(Vec<Vec<f32>>),
        }
        let values = match self.property()? {
            "rotation" => Values::Rotations(rows(value, "values")?),
            "morph weights" => Values::Weights(weights_of(value)?),
            _ => Values::Vectors(rows(value, "values")?),
        };
        let length = match &values {
            Values::Vectors(values) => values.len(),
            Values::Rotations(values) => values.len(),
            Values::Weights(values) => values.len(),
        };
        let (_, count) = self.counts()?;
        if length != count {
            let words =
                format!("values has {length} rows, and {count} would be right: set_keys changes how many there are");
            return Err(PyValueError::new_err(words));
        }
        self.with(|track, lent| match (&mut track.curve, values) {
            (Curve::Translation(keys) | Curve::Scale(keys), Values::Vectors(values)) => {
                lent.replace(&mut keys.values, values)
            }
            (Curve::Rotation(keys), Values::Rotations(values)) => lent.replace(&mut keys.values, values),
            (Curve::MorphWeights(keys), Values::Weights(values)) => keys.values = values,
            _ => {}
        })
    }

    /// How it goes from key to key: `step`, `linear` or `cubic-spline`. What a spline is made of or becomes takes other values: `set_keys`.
    #[getter]
    fn interpolation(&self) -> PyResult<&'static str> {
        self.with(|track, _| INTERPOLATIONS.word(track.curve.interpolation()))
    }

    #[setter]
    fn set_interpolation(&self, word: &str) -> PyResult<()> {
        let new = INTERPOLATIONS.value(word)?;
        let done = self.with(|track, _| {
            keys!(&mut track.curve, keys => {
                let fits = values_of_key(keys.interpolation) == values_of_key(new);
                if fits {
                    keys.interpolation = new;
                }
                fits
            })
        })?;
        match done {
            true => Ok(()),
            false => Err(PyValueError::new_err(
                "a key of a cubic spline has three values and others have one: set_keys(times, values, interpolation=...) sets all",
            )),
        }
    }

    /// How its values are to be taken, if not as the clip's.
    #[getter]
    fn blend(&self) -> PyResult<Option<&'static str>> {
        self.with(|track, _| track.blend.map(|blend| BLENDS.word(blend)))
    }

    #[setter]
    fn set_blend(&self, word: Option<&str>) -> PyResult<()> {
        let blend = word.map(|word| BLENDS.value(word)).transpose()?;
        self.with(|track, _| track.blend = blend)
    }

    /// Sets times and values at once, any number of them; without interpolation it stays as it is.
    #[pyo3(signature = (times, values, *, interpolation=None))]
    fn set_keys(
        &self,
        times: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        interpolation: Option<&str>,
    ) -> PyResult<()> {
        let (property, now) = self.with(|track, _| (track.curve.property(), track.curve.interpolation()))?;
        let interpolation = interpolation.map_or(Ok(now), |word| INTERPOLATIONS.value(word))?;
        let curve = curve_of(property, times, values, interpolation)?;
        let last = curve.times_secs().last().copied();
        self.with(|track, lent| replace_curve(lent, &mut track.curve, curve))?;
        let mut store = self.scene.get().store();
        let index = store.clips.index_of_tracks(self.tracks);
        if let Some(clip) = index.and_then(|index| store.scene.clips.get_mut(Handle::from_index(index))) {
            lengthen(clip, last);
        }
        Ok(())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        self.is_same(other)
    }

    fn __hash__(&self) -> u64 {
        self.hash()
    }

    fn __repr__(&self) -> PyResult<String> {
        let (target, property, interpolation) =
            self.with(|track, _| (track.target.clone(), track.curve.property(), track.curve.interpolation()))?;
        let name = match target {
            Target::Node(node) => self.scene.get().store().scene.node_name(node).into_owned(),
            Target::Name(name) => name,
        };
        let (count, _) = self.counts()?;
        let keys = if count == 1 { "key" } else { "keys" };
        Ok(format!("<Track {property} of {name:?}: {count} {keys}, {}>", INTERPOLATIONS.word(interpolation)))
    }
}
