//! The lists of a scene: by position, or by name.

use super::clip::PyClip;
use super::image::PyImage;
use super::material::PyMaterial;
use super::mesh::PyMesh;
use super::node::PyNode;
use super::part::{Listed, own, tuple};
use super::skin::PySkin;
use super::store::{PyScene, Store};
use crate::arrays::Lent;
use maquette::Scene;
use maquette::scene::Handle;
use maquette::scene::clip::{Clip, Curve};
use maquette::scene::image::{Image, ImageData};
use maquette::scene::material::Material;
use maquette::scene::mesh::Mesh;
use maquette::scene::scene::{Node, Skin};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyIterator, PySlice, PyTuple};
use pyo3::{IntoPyObjectExt, PyClass};

/// Which of the lists of a scene a collection is.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Nodes,
    Meshes,
    Skins,
    Materials,
    Images,
    Clips,
}

/// Does something with the list of a kind, whatever it is a list of.
macro_rules! list {
    ($kind:expr, $scene:expr, $list:ident => $done:expr) => {{
        let scene = $scene;
        match $kind {
            Kind::Nodes => {
                let $list = &scene.nodes;
                $done
            }
            Kind::Meshes => {
                let $list = &scene.meshes;
                $done
            }
            Kind::Skins => {
                let $list = &scene.skins;
                $done
            }
            Kind::Materials => {
                let $list = &scene.materials;
                $done
            }
            Kind::Images => {
                let $list = &scene.images;
                $done
            }
            Kind::Clips => {
                let $list = &scene.clips;
                $done
            }
        }
    }};
}

/// What an item is asked for by.
pub enum Key {
    Name(String),
    /// From the end where it is negative.
    Place(isize),
    /// An object that names it.
    Item(usize),
}

impl Kind {
    pub fn names(self, scene: &Scene) -> Vec<String> {
        list!(self, scene, list => list.iter().map(|item| item.name.clone()).collect())
    }

    fn len(self, scene: &Scene) -> usize {
        list!(self, scene, list => list.len())
    }

    fn place_of(self, scene: &Scene, name: &str) -> Option<usize> {
        list!(self, scene, list => list.iter().position(|item| item.name == name))
    }

    /// One of them, and many.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Kind::Nodes => ("node", "nodes"),
            Kind::Meshes => ("mesh", "meshes"),
            Kind::Skins => ("skin", "skins"),
            Kind::Materials => ("material", "materials"),
            Kind::Images => ("image", "images"),
            Kind::Clips => ("clip", "clips"),
        }
    }

    /// What an object asks for.
    pub fn key(self, scene: &Py<PyScene>, key: &Bound<'_, PyAny>) -> PyResult<Key> {
        fn item<P: Listed>(scene: &Py<PyScene>, key: &Bound<'_, PyAny>) -> PyResult<Option<Key>> {
            key.cast::<P>().ok().map(|part| own(scene, part).map(|handle| Key::Item(handle.index()))).transpose()
        }
        let item = match self {
            Kind::Nodes => item::<PyNode>(scene, key)?,
            Kind::Meshes => item::<PyMesh>(scene, key)?,
            Kind::Skins => item::<PySkin>(scene, key)?,
            Kind::Materials => item::<PyMaterial>(scene, key)?,
            Kind::Images => item::<PyImage>(scene, key)?,
            Kind::Clips => match key.cast::<PyClip>() {
                Ok(clip) => Some(Key::Item(clip.get().index_in(scene)?)),
                Err(_) => None,
            },
        };
        if let Some(item) = item {
            return Ok(item);
        }
        if let Ok(name) = key.extract::<String>() {
            return Ok(Key::Name(name));
        }
        key.extract::<isize>().map(Key::Place).map_err(|_| {
            let (one, many) = self.words();
            if key.is_instance_of::<PyInt>() {
                return PyIndexError::new_err(format!("there are not so many {many}"));
            }
            let kind = key.get_type().name().map(|name| name.to_string()).unwrap_or_default();
            PyTypeError::new_err(format!("a {one} is asked for by its name or its position, not by {kind}"))
        })
    }

    /// Where what is asked for is.
    pub fn find(self, scene: &Scene, key: &Key) -> PyResult<usize> {
        let (one, many) = self.words();
        let length = self.len(scene);
        match key {
            Key::Item(index) => Ok(*index),
            Key::Name(name) => self.place_of(scene, name).ok_or_else(|| {
                let names = self.names(scene);
                let known: Vec<String> = names.iter().take(20).map(|name| format!("{name:?}")).collect();
                let more = if names.len() > known.len() { ", ..." } else { "" };
                let known = match known.is_empty() {
                    true => "there are none".to_owned(),
                    false => format!("there are {}{more}", known.join(", ")),
                };
                PyKeyError::new_err(format!("no {one} is called {name:?}; {known}"))
            }),
            Key::Place(index) => {
                let place = if *index < 0 { index.saturating_add_unsigned(length) } else { *index };
                usize::try_from(place).ok().filter(|place| *place < length).ok_or_else(|| match length {
                    0 => PyIndexError::new_err(format!("there are no {many}")),
                    1 => PyIndexError::new_err(format!("there is 1 {one}, and {index} is not it")),
                    _ => PyIndexError::new_err(format!("there are {length} {many}, and {index} is none of them")),
                })
            }
        }
    }

    fn item<'py>(self, scene: &Bound<'py, PyScene>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        fn at<'py, P: Listed + PyClass + IntoPyObject<'py>>(
            scene: &Bound<'py, PyScene>,
            index: usize,
        ) -> PyResult<Bound<'py, PyAny>> {
            P::at(scene.clone().unbind(), Handle::from_index(index)).into_bound_py_any(scene.py())
        }
        match self {
            Kind::Nodes => at::<PyNode>(scene, index),
            Kind::Meshes => at::<PyMesh>(scene, index),
            Kind::Skins => at::<PySkin>(scene, index),
            Kind::Materials => at::<PyMaterial>(scene, index),
            Kind::Images => at::<PyImage>(scene, index),
            Kind::Clips => PyClip::at(scene, index)?.into_bound_py_any(scene.py()),
        }
    }

    fn add(self, store: &mut Store, name: String) -> usize {
        let scene = &mut store.scene;
        match self {
            Kind::Nodes => {
                let node = scene.nodes.push(Node { name, ..Node::default() });
                scene.roots.push(node);
                node.index()
            }
            Kind::Meshes => scene.meshes.push(Mesh { name, ..Mesh::default() }).index(),
            Kind::Skins => scene.skins.push(Skin { name, ..Skin::default() }).index(),
            Kind::Materials => scene.materials.push(Material { name, ..Material::default() }).index(),
            Kind::Images => scene.images.push(Image::new(name.clone(), ImageData::External(name))).index(),
            Kind::Clips => {
                store.clips.push();
                scene.clips.push(Clip { name, ..Clip::default() }).index()
            }
        }
    }
}

/// Keeps what arrays were lent from of a curve that is no longer in the scene.
pub fn retire_curve(lent: &mut Lent, curve: Curve) {
    match curve {
        Curve::Translation(keys) | Curve::Scale(keys) => {
            lent.retire(keys.times_secs);
            lent.retire(keys.values);
        }
        Curve::Rotation(keys) => {
            lent.retire(keys.times_secs);
            lent.retire(keys.values);
        }
        // Their values are never lent.
        Curve::MorphWeights(keys) => lent.retire(keys.times_secs),
    }
}

/// A list of a scene: its items by position, or by name. It is always as the scene is now.
#[pyclass(name = "Collection", module = "maquette", frozen)]
pub struct PyCollection {
    scene: Py<PyScene>,
    kind: Kind,
}

impl PyCollection {
    pub fn new(scene: Py<PyScene>, kind: Kind) -> PyCollection {
        PyCollection { scene, kind }
    }

    fn find(&self, key: &Bound<'_, PyAny>) -> PyResult<usize> {
        let key = self.kind.key(&self.scene, key)?;
        self.kind.find(&self.scene.get().store().scene, &key)
    }

    fn items<'py>(&self, py: Python<'py>, places: impl Iterator<Item = usize>) -> PyResult<Bound<'py, PyTuple>> {
        let scene = self.scene.bind(py);
        tuple(py, places.map(|place| self.kind.item(scene, place)).collect::<PyResult<Vec<_>>>()?)
    }
}

#[pymethods]
impl PyCollection {
    fn __len__(&self) -> usize {
        self.kind.len(&self.scene.get().store().scene)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.items(py, 0..self.__len__())?.try_iter()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = key.cast::<PySlice>() {
            let indices = slice.indices(self.__len__().cast_signed())?;
            let places = (0..indices.slicelength.cast_signed()).map(|step| indices.start + step * indices.step);
            return Ok(self.items(py, places.map(isize::cast_unsigned))?.into_any());
        }
        self.kind.item(self.scene.bind(py), self.find(key)?)
    }

    /// Whether an item has this name, or is this one.
    fn __contains__(&self, key: &Bound<'_, PyAny>) -> bool {
        match self.kind.key(&self.scene, key) {
            Ok(Key::Name(name)) => self.kind.place_of(&self.scene.get().store().scene, &name).is_some(),
            Ok(Key::Item(_)) => true,
            _ => false,
        }
    }

    /// The item of this name; `default` where there is none.
    #[pyo3(signature = (name, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let place = self.kind.place_of(&self.scene.get().store().scene, name);
        match place {
            Some(index) => self.kind.item(self.scene.bind(py), index).map(Some),
            None => Ok(default),
        }
    }

    /// The names of all items, in order; several may be the same, and empty.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.kind.names(&self.scene.get().store().scene)
    }

    /// Adds an item with nothing in it, and returns it. A node is a root until it gets a parent; an image has no contents until it gets some.
    #[pyo3(signature = (name=String::new()), text_signature = "($self, name='')")]
    fn add<'py>(&self, py: Python<'py>, name: String) -> PyResult<Bound<'py, PyAny>> {
        let index = self.kind.add(&mut self.scene.get().store(), name);
        self.kind.item(self.scene.bind(py), index)
    }

    /// Removes a clip: by its name, its position, or itself. Other parts stay, for others of the scene refer to them.
    fn remove(&self, item: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.kind != Kind::Clips {
            let (_, many) = self.kind.words();
            return Err(PyTypeError::new_err(format!(
                "{many} cannot be removed, for other parts of a scene refer to them; clips can"
            )));
        }
        let index = self.find(item)?;
        let mut store = self.scene.get().store();
        let store = &mut *store;
        let mut clips: Vec<Clip> = std::mem::take(&mut store.scene.clips).into_iter().collect();
        if index < clips.len() {
            let gone = clips.remove(index);
            store.clips.remove(index);
            gone.tracks.into_iter().for_each(|track| retire_curve(&mut store.lent, track.curve));
        }
        store.scene.clips = clips.into_iter().collect();
        Ok(())
    }

    fn __repr__(&self) -> String {
        let (one, many) = self.kind.words();
        let names = self.names();
        let shown: Vec<String> = names.iter().take(12).map(|name| format!("{name:?}")).collect();
        let more = if names.len() > shown.len() { ", ..." } else { "" };
        match names.len() {
            0 => format!("<no {many}>"),
            1 => format!("<1 {one}: {}>", shown.concat()),
            count => format!("<{count} {many}: {}{more}>", shown.join(", ")),
        }
    }
}
