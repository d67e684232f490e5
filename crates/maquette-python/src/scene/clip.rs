//! A piece of motion.

use super::clip_ids::{ClipIds, Id};
use super::collection::retire_curve;
use super::extras;
use super::node::PyNode;
use super::part::{Part, own, tuple};
use super::store::PyScene;
use super::track::{PyTrack, curve_of};
use super::words::{BLENDS, INTERPOLATIONS, PROPERTIES};
use maquette::Scene;
use maquette::scene::Handle;
use maquette::scene::clip::{Clip, Event, Target, Track};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyMappingProxy, PyTuple};

/// A piece of motion that is played by itself: tracks that share one time.
#[pyclass(name = "Clip", module = "maquette", frozen)]
pub struct PyClip {
    scene: Py<PyScene>,
    id: Id,
}

impl Part for PyClip {
    type Is = Clip;
    const WORD: &'static str = "clip";

    fn owner(&self) -> &Py<PyScene> {
        &self.scene
    }

    fn find<'s>(&self, scene: &'s mut Scene, clips: &ClipIds) -> Option<&'s mut Clip> {
        scene.clips.get_mut(Handle::from_index(clips.index(self.id)?))
    }

    fn place(&self) -> [u64; 3] {
        [self.id.0, 0, 0]
    }
}

/// What a track is to move, of a node or a name.
pub fn target_of(scene: &Py<PyScene>, target: &Bound<'_, PyAny>) -> PyResult<Target> {
    if let Ok(node) = target.cast::<PyNode>() {
        return Ok(Target::Node(own(scene, node)?));
    }
    let name = target.extract::<String>();
    name.map(Target::Name).map_err(|_| {
        PyTypeError::new_err("the target of a track is a node of the scene, or the name of one of another")
    })
}

impl PyClip {
    pub fn at(scene: &Bound<'_, PyScene>, index: usize) -> PyResult<PyClip> {
        let id = scene.get().store().clips.clip(index).ok_or_else(Self::gone)?;
        Ok(PyClip { scene: scene.clone().unbind(), id })
    }

    /// Where it is among the clips of this scene, which must be its own.
    pub fn index_in(&self, scene: &Py<PyScene>) -> PyResult<usize> {
        match self.scene.is(scene) {
            true => self.index(),
            false => Err(PyValueError::new_err("this clip belongs to another scene")),
        }
    }

    /// The id of its tracks.
    fn tracks_id(&self) -> PyResult<Id> {
        let store = self.scene.get().store();
        store.clips.index(self.id).and_then(|index| store.clips.tracks(index)).ok_or_else(Self::gone)
    }
}

#[pymethods]
impl PyClip {
    /// Empty where it has none; need not be unique.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.with(|clip, _| clip.name.clone())
    }

    #[setter]
    fn set_name(&self, name: String) -> PyResult<()> {
        self.with(|clip, _| clip.name = name)
    }

    /// Its position among the clips of the scene.
    #[getter]
    fn index(&self) -> PyResult<usize> {
        self.scene.get().store().clips.index(self.id).ok_or_else(Self::gone)
    }

    /// In seconds; keys may end earlier. It grows with keys that are added.
    #[getter]
    fn duration(&self) -> PyResult<f64> {
        self.with(|clip, _| clip.duration_secs)
    }

    #[setter]
    fn set_duration(&self, secs: f64) -> PyResult<()> {
        if !secs.is_finite() || secs < 0.0 {
            return Err(PyValueError::new_err(format!("a clip does not last {secs} seconds")));
        }
        self.with(|clip, _| clip.duration_secs = secs)
    }

    /// How its values are to be taken: `absolute` replaces the rest pose, `relative` adds translations to it, `additive` also turns it further, `delta` is
    /// relative with a root that carries the motion of the whole.
    #[getter]
    fn blend(&self) -> PyResult<&'static str> {
        self.with(|clip, _| BLENDS.word(clip.blend))
    }

    #[setter]
    fn set_blend(&self, word: &str) -> PyResult<()> {
        let blend = BLENDS.value(word)?;
        self.with(|clip, _| clip.blend = blend)
    }

    /// Whether it is meant to repeat; `None` where the format does not say.
    #[getter]
    fn looped(&self) -> PyResult<Option<bool>> {
        self.with(|clip, _| clip.looped)
    }

    #[setter]
    fn set_looped(&self, value: Option<bool>) -> PyResult<()> {
        self.with(|clip, _| clip.looped = value)
    }

    /// Frames a second its keys lie on; `None` where the format has none.
    #[getter]
    fn frame_rate(&self) -> PyResult<Option<f32>> {
        self.with(|clip, _| clip.frame_rate)
    }

    #[setter]
    fn set_frame_rate(&self, value: Option<f32>) -> PyResult<()> {
        if let Some(wrong) = value.filter(|value| !value.is_finite() || *value <= 0.0) {
            return Err(PyValueError::new_err(format!("a clip has no {wrong} frames a second")));
        }
        self.with(|clip, _| clip.frame_rate = value)
    }

    /// Named moments, such as footsteps: pairs of seconds and name.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let events = self.with(|clip, _| clip.events.clone())?;
        tuple(py, events.into_iter().map(|event| (event.time_secs, event.name)))
    }

    #[setter]
    fn set_events(&self, events: &Bound<'_, PyAny>) -> PyResult<()> {
        let event = |event: PyResult<Bound<'_, PyAny>>| {
            let pair = event?.extract::<(f32, String)>();
            let (time_secs, name) = pair.map_err(|_| PyTypeError::new_err("an event is a pair of seconds and name"))?;
            Ok(Event { time_secs, name })
        };
        let events = events.try_iter()?.map(event).collect::<PyResult<Vec<_>>>()?;
        self.with(|clip, _| clip.events = events)
    }

    /// The keys of everything it moves, one for each property of each node.
    #[getter]
    fn tracks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (count, tracks) = (self.with(|clip, _| clip.tracks.len())?, self.tracks_id()?);
        tuple(py, (0..count).map(|index| PyTrack { scene: self.scene.clone_ref(py), tracks, index }))
    }

    /// The track of a property of a node, which is given itself or by its name; `None` where there is none.
    fn track(&self, py: Python<'_>, target: &Bound<'_, PyAny>, property: &str) -> PyResult<Option<PyTrack>> {
        let target = target_of(&self.scene, target)?;
        // A word that is none would find nothing.
        let property = PROPERTIES.word(PROPERTIES.value(property)?);
        let tracks = self.tracks_id()?;
        let mut store = self.scene.get().store();
        let store = &mut *store;
        let names: Vec<String> = match target {
            Target::Name(_) => store.scene.nodes.iter().map(|node| node.name.clone()).collect(),
            Target::Node(_) => Vec::new(),
        };
        let is_meant = |track: &Track| match (&track.target, &target) {
            (Target::Node(node), Target::Name(name)) => names.get(node.index()) == Some(name),
            (one, other) => one == other,
        };
        let clip = self.find(&mut store.scene, &store.clips).ok_or_else(Self::gone)?;
        let found = clip.tracks.iter().position(|track| track.curve.property() == property && is_meant(track));
        Ok(found.map(|index| PyTrack { scene: self.scene.clone_ref(py), tracks, index }))
    }

    /// Adds keys of a property of a node, and returns their track. A target that is a name is a node of another scene.
    ///
    /// times are seconds that rise: (keys,). values are (keys, 3) for translation and scale, (keys, 4) for rotation, quaternions as x, y, z, w, and
    /// (keys, targets) for morph weights; with cubic splines three rows a key: the tangent before it, itself, the tangent after it.
    #[pyo3(signature = (target, property, times, values, *, interpolation="linear", blend=None))]
    #[expect(clippy::too_many_arguments, reason = "what a track is made of")]
    fn add_track(
        &self,
        py: Python<'_>,
        target: &Bound<'_, PyAny>,
        property: &str,
        times: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        interpolation: &str,
        blend: Option<&str>,
    ) -> PyResult<PyTrack> {
        let target = target_of(&self.scene, target)?;
        let curve = curve_of(property, times, values, INTERPOLATIONS.value(interpolation)?)?;
        let blend = blend.map(|blend| BLENDS.value(blend)).transpose()?;
        let tracks = self.tracks_id()?;
        let index = self.with(|clip, _| {
            lengthen(clip, curve.times_secs().last().copied());
            clip.tracks.push(Track { target, curve, blend });
            clip.tracks.len() - 1
        })?;
        Ok(PyTrack { scene: self.scene.clone_ref(py), tracks, index })
    }

    /// Removes all tracks.
    fn clear(&self) -> PyResult<()> {
        let mut store = self.scene.get().store();
        let store = &mut *store;
        let index = store.clips.index(self.id).ok_or_else(Self::gone)?;
        let clip = self.find(&mut store.scene, &store.clips).ok_or_else(Self::gone)?;
        let gone = std::mem::take(&mut clip.tracks);
        store.clips.clear_tracks(index);
        gone.into_iter().for_each(|track| retire_curve(&mut store.lent, track.curve));
        Ok(())
    }

    /// What only the format it came from understands, by names such as `seanim.notes`.
    #[getter]
    fn extras<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        extras::shown(py, &self.with(|clip, _| clip.extras.clone())?)
    }

    #[setter]
    fn set_extras(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let extras = extras::taken(value)?;
        self.with(|clip, _| clip.extras = extras)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        self.is_same(other)
    }

    fn __hash__(&self) -> u64 {
        self.hash()
    }

    fn __repr__(&self) -> PyResult<String> {
        let index = self.index()?;
        self.with(|clip, _| {
            let count = clip.tracks.len();
            let tracks = if count == 1 { "track" } else { "tracks" };
            format!("<Clip {index} {:?}: {count} {tracks}, {} s>", clip.name, clip.duration_secs)
        })
    }
}

/// Makes a clip last at least until its last key.
pub fn lengthen(clip: &mut Clip, last: Option<f32>) {
    if let Some(last) = last {
        clip.duration_secs = clip.duration_secs.max(f64::from(last));
    }
}
