//! What binds meshes to joints.

use super::node::PyNode;
use super::part::{Part, listed, own_all, parts};
use super::store::PyScene;
use crate::arrays::matrices;
use maquette::scene::Handle;
use maquette::scene::scene::Skin;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Binds meshes to joints.
#[pyclass(name = "Skin", module = "maquette", frozen)]
pub struct PySkin {
    pub scene: Py<PyScene>,
    pub handle: Handle<Skin>,
}

listed!(PySkin, Skin, skins, "skin");

#[pymethods]
impl PySkin {
    /// Empty where it has none; need not be unique.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.with(|skin, _| skin.name.clone())
    }

    #[setter]
    fn set_name(&self, name: String) -> PyResult<()> {
        self.with(|skin, _| skin.name = name)
    }

    /// Its position among the skins of the scene.
    #[getter]
    fn index(&self) -> usize {
        self.handle.index()
    }

    /// What vertices call their joints by: positions in this list of nodes.
    #[getter]
    fn joints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let joints = self.with(|skin, _| skin.joints.clone())?;
        parts::<PyNode>(py, &self.scene, joints)
    }

    #[setter]
    fn set_joints(&self, nodes: &Bound<'_, PyAny>) -> PyResult<()> {
        let joints = own_all::<PyNode>(&self.scene, nodes)?;
        self.with(|skin, _| skin.joints = joints)
    }

    /// For each joint, mesh space to joint space in the bind pose, for column vectors: (joints, 4, 4). A skin has as many as joints.
    #[getter]
    fn inverse_bind_matrices<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend_with(py, |skin, lent| Some(lent.lend_matrices(&mut skin.joint_from_mesh)))
    }

    #[setter]
    fn set_inverse_bind_matrices(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let matrices = matrices(value, "inverse_bind_matrices")?;
        self.with(|skin, lent| lent.replace_matrices(&mut skin.joint_from_mesh, matrices))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        self.is_same(other)
    }

    fn __hash__(&self) -> u64 {
        self.hash()
    }

    fn __repr__(&self) -> PyResult<String> {
        self.with(|skin, _| {
            let count = skin.joints.len();
            let joints = if count == 1 { "joint" } else { "joints" };
            format!("<Skin {} {:?}: {count} {joints}>", self.handle.index(), skin.name)
        })
    }
}
