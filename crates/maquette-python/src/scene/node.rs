//! Something with a transform.

use super::extras;
use super::mesh::PyMesh;
use super::part::{Listed, Part, listed, own, own_all, parts};
use super::skin::PySkin;
use super::store::PyScene;
use super::tree;
use crate::arrays::{matrices, owned_matrices};
use maquette::scene::Handle;
use maquette::scene::glam::{Mat4, Quat, Vec3};
use maquette::scene::scene::{Node, Transform, Trs};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyMappingProxy, PyTuple};

/// Something with a transform: a group, a mesh, a joint.
#[pyclass(name = "Node", module = "maquette", frozen)]
pub struct PyNode {
    pub scene: Py<PyScene>,
    pub handle: Handle<Node>,
}

listed!(PyNode, Node, nodes, "node");

/// So many numbers of anything that has as many.
pub fn numbers<const N: usize>(value: &Bound<'_, PyAny>, what: &str) -> PyResult<[f32; N]> {
    let words = || PyTypeError::new_err(format!("{what} is {N} numbers"));
    value.extract::<[f32; N]>().map_err(|_| words())
}

impl PyNode {
    fn trs(&self) -> PyResult<Trs> {
        self.with(|node, _| node.transform.trs())
    }

    /// Changes the transform as parts, unless it is a matrix that has none.
    fn change_trs(&self, change: impl FnOnce(&mut Trs)) -> PyResult<()> {
        let done = self.with(|node, _| {
            let mut trs = node.transform.trs();
            if let Transform::Matrix(matrix) = node.transform {
                let largest = matrix.to_cols_array().iter().fold(1.0, |most: f32, number| most.max(number.abs()));
                if !trs.matrix().abs_diff_eq(matrix, largest * 1e-5) {
                    return false;
                }
            }
            change(&mut trs);
            node.transform = Transform::Trs(trs);
            true
        })?;
        match done {
            true => Ok(()),
            false => Err(PyValueError::new_err(
                "the transform of this node is a matrix with shear, which has no such parts: set matrix",
            )),
        }
    }

    fn change_tree(
        &self,
        change: impl FnOnce(&mut maquette::Scene, Handle<Node>) -> Result<(), String>,
    ) -> PyResult<()> {
        let changed = change(&mut self.scene.get().store().scene, self.handle);
        changed.map_err(PyValueError::new_err)
    }
}

#[pymethods]
impl PyNode {
    /// Its name; may be empty, need not be unique.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.with(|node, _| node.name.clone())
    }

    #[setter]
    fn set_name(&self, name: String) -> PyResult<()> {
        self.with(|node, _| node.name = name)
    }

    /// Its position among the nodes of the scene.
    #[getter]
    fn index(&self) -> usize {
        self.handle.index()
    }

    /// From the origin of its parent, in its axes, at rest: x, y, z.
    #[getter]
    fn translation(&self) -> PyResult<(f32, f32, f32)> {
        Ok(self.trs()?.translation.into())
    }

    #[setter]
    fn set_translation(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = numbers(value, "translation")?;
        self.change_trs(|trs| trs.translation = Vec3::from_array(value))
    }

    /// Its rotation at rest, a unit quaternion: x, y, z, w.
    #[getter]
    fn rotation(&self) -> PyResult<(f32, f32, f32, f32)> {
        Ok(self.trs()?.rotation.into())
    }

    #[setter]
    fn set_rotation(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = numbers(value, "rotation")?;
        self.change_trs(|trs| trs.rotation = Quat::from_array(value))
    }

    /// Its size at rest, along the unrotated axes.
    #[getter]
    fn scale(&self) -> PyResult<(f32, f32, f32)> {
        Ok(self.trs()?.scale.into())
    }

    #[setter]
    fn set_scale(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = numbers(value, "scale")?;
        self.change_trs(|trs| trs.scale = Vec3::from_array(value))
    }

    /// Its transform at rest as a matrix for column vectors: (4, 4), parent = matrix @ own. A copy, which can be set.
    #[getter]
    fn matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let matrix = self.with(|node, _| node.transform.matrix())?;
        owned_matrices(py, &[matrix])?.get_item(0)
    }

    #[setter]
    fn set_matrix(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let one = PyTuple::new(value.py(), [value])?;
        let matrix = matrices(&one, "matrix").map_err(|_| PyValueError::new_err("matrix is an array of (4, 4)"))?;
        let matrix = matrix.first().copied().unwrap_or(Mat4::IDENTITY);
        self.with(|node, _| node.transform = Transform::Matrix(matrix))
    }

    /// What it carries along. A node that is made a child leaves the parent it had; one that is no child any more is a root.
    #[getter]
    fn children<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let children = self.with(|node, _| node.children.clone())?;
        parts::<PyNode>(py, &self.scene, children)
    }

    #[setter]
    fn set_children(&self, nodes: &Bound<'_, PyAny>) -> PyResult<()> {
        let children = own_all::<PyNode>(&self.scene, nodes)?;
        self.change_tree(|scene, node| tree::set_children(scene, node, children))
    }

    /// The node that carries it along; `None` for roots.
    #[getter]
    fn parent(&self, py: Python<'_>) -> Option<PyNode> {
        let parent = self.scene.get().store().scene.parents().get(self.handle.index()).copied().flatten();
        parent.map(|parent| PyNode::at(self.scene.clone_ref(py), parent))
    }

    #[setter]
    fn set_parent(&self, parent: Option<Bound<'_, PyNode>>) -> PyResult<()> {
        let parent = parent.map(|parent| own(&self.scene, &parent)).transpose()?;
        self.change_tree(|scene, node| tree::set_parent(scene, node, parent))
    }

    /// The mesh that is drawn at it.
    #[getter]
    fn mesh(&self, py: Python<'_>) -> PyResult<Option<PyMesh>> {
        let mesh = self.with(|node, _| node.mesh)?;
        Ok(mesh.map(|mesh| PyMesh::at(self.scene.clone_ref(py), mesh)))
    }

    #[setter]
    fn set_mesh(&self, mesh: Option<Bound<'_, PyMesh>>) -> PyResult<()> {
        let mesh = mesh.map(|mesh| own(&self.scene, &mesh)).transpose()?;
        self.with(|node, _| node.mesh = mesh)
    }

    /// The joints that move that mesh; the transform of this node does not, then.
    #[getter]
    fn skin(&self, py: Python<'_>) -> PyResult<Option<PySkin>> {
        let skin = self.with(|node, _| node.skin)?;
        Ok(skin.map(|skin| PySkin::at(self.scene.clone_ref(py), skin)))
    }

    #[setter]
    fn set_skin(&self, skin: Option<Bound<'_, PySkin>>) -> PyResult<()> {
        let skin = skin.map(|skin| own(&self.scene, &skin)).transpose()?;
        self.with(|node, _| node.skin = skin)
    }

    /// How much of each of the mesh's morph targets is mixed in; empty for the mesh's own.
    #[getter]
    fn morph_weights<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend(py, |node| Some(&mut node.morph_weights))
    }

    #[setter]
    fn set_morph_weights(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace(value, "morph_weights", |node| &mut node.morph_weights)
    }

    /// What only the format it came from understands, by names such as `gltf.extras`.
    #[getter]
    fn extras<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        extras::shown(py, &self.with(|node, _| node.extras.clone())?)
    }

    #[setter]
    fn set_extras(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let extras = extras::taken(value)?;
        self.with(|node, _| node.extras = extras)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        self.is_same(other)
    }

    fn __hash__(&self) -> u64 {
        self.hash()
    }

    fn __repr__(&self) -> PyResult<String> {
        let (name, children, mesh) = self.with(|node, _| (node.name.clone(), node.children.len(), node.mesh))?;
        let mut words = match children {
            0 => String::new(),
            1 => ", 1 child".to_owned(),
            count => format!(", {count} children"),
        };
        if let Some(mesh) =
            mesh.and_then(|mesh| self.scene.get().store().scene.meshes.get(mesh).map(|mesh| mesh.name.clone()))
        {
            words += &format!(", draws mesh {mesh:?}");
        }
        Ok(format!("<Node {} {name:?}{words}>", self.handle.index()))
    }
}
