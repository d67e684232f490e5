//! A scene that Python holds.

use super::clip_ids::ClipIds;
use super::collection::{Kind, PyCollection};
use super::edit;
use super::node::PyNode;
use super::part::{own_all, parts};
use super::pose::{self, PyPose};
use super::{extras, tree};
use crate::arrays::Lent;
use crate::loss::Loss;
use maquette::Scene;
use maquette::scene::loss::LossReport;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMappingProxy, PyTuple};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where a scene was read from.
#[derive(Clone)]
pub struct Origin {
    /// What the file is called; empty where that is not known.
    pub name: String,
    pub format: &'static str,
    pub dialect: &'static str,
    pub losses: LossReport,
}

/// The scene, what has been lent from it, and which clip is which.
pub struct Store {
    pub scene: Scene,
    pub lent: Lent,
    pub clips: ClipIds,
}

/// A whole model, or an animation alone.
///
/// Everything in it is in one convention, whatever it came from: right-handed, Y up, metres, seconds, quaternions as xyzw, texture coordinates
/// from the top left.
#[pyclass(name = "Scene", module = "maquette", frozen, weakref)]
pub struct PyScene {
    store: Mutex<Store>,
    origin: Option<Origin>,
}

impl PyScene {
    pub fn new(scene: Scene, origin: Option<Origin>) -> PyScene {
        let clips = ClipIds::new(scene.clips.len());
        PyScene { store: Mutex::new(Store { scene, lent: Lent::default(), clips }), origin }
    }

    /// The scene, for a moment: nothing of Python may be called before it is given back.
    pub fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where it was read from.
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    /// A scene of its own, for work that takes long: what Python does meanwhile does not reach it.
    pub fn snapshot(&self) -> Scene {
        self.store().scene.clone()
    }
}

#[pymethods]
impl PyScene {
    /// A scene with nothing in it.
    #[new]
    fn empty() -> PyScene {
        PyScene::new(Scene::default(), None)
    }

    /// The id of the format it was read from; `None` for one that was made.
    #[getter]
    fn format(&self) -> Option<&'static str> {
        self.origin.as_ref().map(|origin| origin.format)
    }

    /// The id of the dialect it was read in.
    #[getter]
    fn dialect(&self) -> Option<&'static str> {
        self.origin.as_ref().map(|origin| origin.dialect)
    }

    /// What of the file the scene does not hold.
    #[getter]
    fn losses(&self) -> Vec<Loss> {
        self.origin.as_ref().map(|origin| Loss::list(&origin.losses)).unwrap_or_default()
    }

    /// What stands or moves; joints are nodes.
    #[getter]
    fn nodes(slf: Bound<'_, Self>) -> PyCollection {
        PyCollection::new(slf.unbind(), Kind::Nodes)
    }

    /// Geometry.
    #[getter]
    fn meshes(slf: Bound<'_, Self>) -> PyCollection {
        PyCollection::new(slf.unbind(), Kind::Meshes)
    }

    /// Bindings of geometry to joints.
    #[getter]
    fn skins(slf: Bound<'_, Self>) -> PyCollection {
        PyCollection::new(slf.unbind(), Kind::Skins)
    }

    /// How surfaces look.
    #[getter]
    fn materials(slf: Bound<'_, Self>) -> PyCollection {
        PyCollection::new(slf.unbind(), Kind::Materials)
    }

    /// The pictures that textures sample.
    #[getter]
    fn images(slf: Bound<'_, Self>) -> PyCollection {
        PyCollection::new(slf.unbind(), Kind::Images)
    }

    /// Animations.
    #[getter]
    fn clips(slf: Bound<'_, Self>) -> PyCollection {
        PyCollection::new(slf.unbind(), Kind::Clips)
    }

    /// The nodes without a parent that are shown, in order.
    #[getter]
    fn roots<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let roots = slf.get().store().scene.roots.clone();
        parts::<PyNode>(slf.py(), slf.as_unbound(), roots)
    }

    #[setter]
    fn set_roots(slf: &Bound<'_, Self>, nodes: &Bound<'_, PyAny>) -> PyResult<()> {
        let roots = own_all::<PyNode>(slf.as_unbound(), nodes)?;
        let done = tree::set_roots(&mut slf.get().store().scene, roots);
        done.map_err(PyValueError::new_err)
    }

    /// What only the format it came from understands, by names such as `gltf.asset`.
    #[getter]
    fn extras<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        let extras = self.store().scene.extras.clone();
        extras::shown(py, &extras)
    }

    #[setter]
    fn set_extras(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let extras = extras::taken(value)?;
        self.store().scene.extras = extras;
        Ok(())
    }

    /// A scene of its own with the same in it.
    fn copy(&self) -> PyScene {
        PyScene::new(self.snapshot(), self.origin.clone())
    }

    fn __copy__(&self) -> PyScene {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyScene {
        self.copy()
    }

    /// Raises `maquette.Error` where something does not hold that must hold in a scene: streams of one length, indices of vertices that are there, numbers that are
    /// finite, times that rise and so on. What reads or writes files looks at it, too.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        edit::check(py, &self.snapshot())
    }

    /// The changes that a conversion can make, in its order, as another scene, and what was lost by them. This one stays as it is.
    ///
    /// select: patterns of the meshes and clips to keep, with * and ?.
    /// clips: files, folders of files, bytes and scenes whose clips are put onto this model by the names of its bones; files and folders first.
    /// clip_names: patterns of those of their clips that are meant.
    /// own_clips: whether the clips that are there are "kept", "replaced" where another has the same name, or "left-out".
    /// bone_map: bones of such clips and the nodes they are for, a mapping or a file; "" leaves a bone out.
    /// strip_prefix, ignore_namespace: what of the names of bones is passed over.
    /// modifier_scope: which bones a blend is for that one bone has of its own: "self", "children" or "both".
    /// flip_v, up, scale: texture coordinates the other way up, the axis that points up, what every length is multiplied by.
    /// unpack: whether packed maps of materials are taken apart, so that they can be edited.
    ///
    /// Clips that are skipped and bones of the map that no clip has are told of by warnings.
    #[pyo3(
        signature = (**options),
        text_signature = "($self, *, select=(), clips=(), clip_names=(), own_clips='kept', bone_map=None, strip_prefix=(), ignore_namespace=False, modifier_scope='both', flip_v=False, up='y', scale=None, unpack=False)"
    )]
    fn edit(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<(PyScene, Vec<Loss>)> {
        let (scene, losses) = edit::edited(py, self, options)?;
        Ok((scene, Loss::list(&losses)))
    }

    /// Where everything is at a moment of a clip, in seconds; at rest without one. The clip is given itself, by its name or by its position.
    #[pyo3(signature = (clip=None, time=0.0))]
    fn pose(slf: Bound<'_, Self>, clip: Option<&Bound<'_, PyAny>>, time: f64) -> PyResult<PyPose> {
        pose::pose(slf, clip, time)
    }

    /// A picture of it at rest, for notebooks.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        crate::render::preview(py, self)
    }

    fn __repr__(&self) -> String {
        let store = self.store();
        let scene = &store.scene;
        let counts = [
            (scene.meshes.len(), "mesh", "meshes"),
            (scene.nodes.len(), "node", "nodes"),
            (scene.skins.len(), "skin", "skins"),
            (scene.materials.len(), "material", "materials"),
            (scene.images.len(), "image", "images"),
            (scene.clips.len(), "clip", "clips"),
        ];
        let words: Vec<String> = counts
            .iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| format!("{count} {}", if *count == 1 { one } else { many }))
            .collect();
        let origin = self.origin.as_ref().map(|origin| format!(" from {} {}", origin.format, origin.dialect));
        let words = if words.is_empty() { "empty".to_owned() } else { words.join(", ") };
        format!("<Scene{}: {words}>", origin.unwrap_or_default())
    }
}
