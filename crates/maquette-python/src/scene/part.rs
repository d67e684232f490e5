//! What all objects that name a part of a scene have in common.

use super::clip_ids::ClipIds;
use super::store::PyScene;
use crate::arrays::{Lent, Loan, Rows, place, rows};
use maquette::Scene;
use maquette::scene::Handle;
use numpy::Element;
use pyo3::exceptions::{PyReferenceError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::PyTuple;
use pyo3::{IntoPyObjectExt, PyClass};
use std::hash::{DefaultHasher, Hash, Hasher};

/// An object that names a part of a scene.
pub trait Part {
    /// What the library calls such a part.
    type Is;
    /// What people call such a part.
    const WORD: &'static str;

    /// The scene that it is a part of.
    fn owner(&self) -> &Py<PyScene>;

    /// The part, where it is still there.
    fn find<'s>(&self, scene: &'s mut Scene, clips: &ClipIds) -> Option<&'s mut Self::Is>;

    /// Which part of the scene it is, among those of its kind.
    fn place(&self) -> [u64; 3];

    /// Looks at the part, or changes it. Nothing of Python may be called meanwhile.
    fn with<R>(&self, look: impl FnOnce(&mut Self::Is, &mut Lent) -> R) -> PyResult<R> {
        let mut store = self.owner().get().store();
        let store = &mut *store;
        match self.find(&mut store.scene, &store.clips) {
            Some(part) => Ok(look(part, &mut store.lent)),
            None => Err(Self::gone()),
        }
    }

    /// What is said where the part is no longer there.
    fn gone() -> PyErr {
        PyReferenceError::new_err(format!("this {} is no longer in its scene", Self::WORD))
    }

    /// Memory of the part as an array; `None` where there is none to lend.
    fn lend_with<'py, T: Element>(
        &self,
        py: Python<'py>,
        lend: impl FnOnce(&mut Self::Is, &mut Lent) -> Option<Loan<T>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let loan = self.with(lend)?;
        loan.map(|loan| loan.array(self.owner().bind(py)).map(Bound::into_any)).transpose()
    }

    /// A stream of the part as an array; `None` where it is missing.
    fn lend<'py, R: Rows>(
        &self,
        py: Python<'py>,
        stream: impl FnOnce(&mut Self::Is) -> Option<&mut Vec<R>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend_with(py, |part, lent| stream(part).map(|stream| lent.lend(stream)))
    }

    /// Whether an array is the stream of the part itself, as it is after `part.positions += 1`: there is nothing to copy then.
    fn is_lent_as<R: Rows>(
        &self,
        value: &Bound<'_, PyAny>,
        stream: impl FnOnce(&mut Self::Is) -> Option<&mut Vec<R>>,
    ) -> PyResult<bool> {
        let Some(place) = place::<R>(value) else { return Ok(false) };
        self.with(|part, _| stream(part).is_some_and(|stream| (stream.as_ptr().addr(), stream.len()) == place))
    }

    /// Makes an array the stream of the part.
    fn replace<R: Rows>(
        &self,
        value: &Bound<'_, PyAny>,
        what: &str,
        stream: impl Fn(&mut Self::Is) -> &mut Vec<R>,
    ) -> PyResult<()> {
        if self.is_lent_as(value, |part| Some(stream(part)))? {
            return Ok(());
        }
        let rows = rows(value, what)?;
        self.with(|part, lent| lent.replace(stream(part), rows))
    }

    /// Makes an array the stream of the part, or `None` for no stream.
    fn replace_optional<R: Rows>(
        &self,
        value: &Bound<'_, PyAny>,
        what: &str,
        stream: impl Fn(&mut Self::Is) -> &mut Option<Vec<R>>,
    ) -> PyResult<()> {
        if self.is_lent_as(value, |part| stream(part).as_mut())? {
            return Ok(());
        }
        let rows = if value.is_none() { None } else { Some(rows(value, what)?) };
        self.with(|part, lent| lent.replace_optional(stream(part), rows))
    }

    /// Whether another object names the same part.
    fn is_same(&self, other: &Bound<'_, PyAny>) -> bool
    where
        Self: PyClass<Frozen = True> + Sync,
    {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            other.owner().is(self.owner()) && other.place() == self.place()
        })
    }

    /// The same number for all objects that name the part.
    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.owner().as_ptr().addr(), self.place()).hash(&mut hasher);
        hasher.finish()
    }
}

/// A part that others of the scene refer to.
pub trait Listed: Part + PyClass<Frozen = True> + Sync {
    /// How they do.
    fn handle(&self) -> Handle<Self::Is>;

    /// The part that a handle is of.
    fn at(scene: Py<PyScene>, handle: Handle<Self::Is>) -> Self;
}

/// Makes a class the name of things of one list of a scene.
macro_rules! listed {
    ($object:ident, $is:ty, $list:ident, $word:literal) => {
        impl $crate::scene::part::Part for $object {
            type Is = $is;
            const WORD: &'static str = $word;

            fn owner(&self) -> &pyo3::Py<$crate::scene::store::PyScene> {
                &self.scene
            }

            fn find<'s>(
                &self,
                scene: &'s mut maquette::Scene,
                _: &$crate::scene::clip_ids::ClipIds,
            ) -> Option<&'s mut $is> {
                scene.$list.get_mut(self.handle)
            }

            fn place(&self) -> [u64; 3] {
                [self.handle.index() as u64, 0, 0]
            }
        }

        impl $crate::scene::part::Listed for $object {
            fn handle(&self) -> maquette::scene::Handle<$is> {
                self.handle
            }

            fn at(scene: pyo3::Py<$crate::scene::store::PyScene>, handle: maquette::scene::Handle<$is>) -> $object {
                $object { scene, handle }
            }
        }
    };
}
pub(crate) use listed;

/// The handle of a part that a scene is to use, which must be its own.
pub fn own<P: Listed>(scene: &Py<PyScene>, part: &Bound<'_, P>) -> PyResult<Handle<P::Is>> {
    let part = part.get();
    match part.owner().is(scene) {
        true => Ok(part.handle()),
        false => Err(PyValueError::new_err(format!(
            "this {} belongs to another scene, and a scene can use its own alone: add one to it",
            P::WORD
        ))),
    }
}

/// The same for any number of parts.
pub fn own_all<P: Listed>(scene: &Py<PyScene>, parts: &Bound<'_, PyAny>) -> PyResult<Vec<Handle<P::Is>>> {
    let parts = parts.try_iter()?;
    parts.map(|part| own(scene, part?.cast::<P>().map_err(PyErr::from)?)).collect()
}

/// Objects as a tuple: what is read from a scene cannot be changed by changing a list of it.
pub fn tuple<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    items: impl IntoIterator<Item = T>,
) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, items.into_iter().map(|item| item.into_bound_py_any(py)).collect::<PyResult<Vec<_>>>()?)
}

/// Parts that handles are of, as a tuple.
pub fn parts<'py, P: Listed + IntoPyObject<'py>>(
    py: Python<'py>,
    scene: &Py<PyScene>,
    handles: impl IntoIterator<Item = Handle<P::Is>>,
) -> PyResult<Bound<'py, PyTuple>> {
    tuple(py, handles.into_iter().map(|handle| P::at(scene.clone_ref(py), handle)))
}
