//! A shape that is mixed into a primitive.

use super::clip_ids::ClipIds;
use super::part::Part;
use super::store::PyScene;
use maquette::Scene;
use maquette::scene::Handle;
use maquette::scene::mesh::{Mesh, MorphTarget};
use pyo3::prelude::*;

/// What is added to the streams of a primitive, in full measure. Its arrays are those of the scene.
#[pyclass(name = "MorphTarget", module = "maquette", frozen)]
pub struct PyMorphTarget {
    pub scene: Py<PyScene>,
    pub mesh: Handle<Mesh>,
    pub primitive: usize,
    pub index: usize,
}

impl Part for PyMorphTarget {
    type Is = MorphTarget;
    const WORD: &'static str = "morph target";

    fn owner(&self) -> &Py<PyScene> {
        &self.scene
    }

    fn find<'s>(&self, scene: &'s mut Scene, _: &ClipIds) -> Option<&'s mut MorphTarget> {
        let primitive = scene.meshes.get_mut(self.mesh)?.primitives.get_mut(self.primitive)?;
        primitive.morph_targets.get_mut(self.index)
    }

    fn place(&self) -> [u64; 3] {
        [self.mesh.index() as u64, self.primitive as u64, self.index as u64]
    }
}

#[pymethods]
impl PyMorphTarget {
    /// Added to positions: (vertices, 3).
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend(py, |target| Some(&mut target.positions))
    }

    #[setter]
    fn set_positions(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace(value, "positions", |target| &mut target.positions)
    }

    /// Added to normals: (vertices, 3); `None` where there are none.
    #[getter]
    fn normals<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend(py, |target| target.normals.as_mut())
    }

    #[setter]
    fn set_normals(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace_optional(value, "normals", |target| &mut target.normals)
    }

    /// Added to the direction of tangents: (vertices, 3); `None` where there are none.
    #[getter]
    fn tangents<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend(py, |target| target.tangents.as_mut())
    }

    #[setter]
    fn set_tangents(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace_optional(value, "tangents", |target| &mut target.tangents)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        self.is_same(other)
    }

    fn __hash__(&self) -> u64 {
        self.hash()
    }

    fn __repr__(&self) -> PyResult<String> {
        self.with(|target, _| format!("<MorphTarget {}: {} vertices>", self.index, target.positions.len()))
    }
}
