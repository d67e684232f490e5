//! Geometry that is drawn at nodes.

use super::extras;
use super::material::PyMaterial;
use super::part::{Part, listed, own, tuple};
use super::primitive::{PyPrimitive, indices_of, influences_of};
use super::store::PyScene;
use super::words::TOPOLOGIES;
use crate::arrays::{Rows, rows};
use maquette::scene::Handle;
use maquette::scene::mesh::{Mesh, Primitive, Streams};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyMappingProxy, PyTuple};

/// Geometry that is drawn at nodes.
#[pyclass(name = "Mesh", module = "maquette", frozen)]
pub struct PyMesh {
    pub scene: Py<PyScene>,
    pub handle: Handle<Mesh>,
}

listed!(PyMesh, Mesh, meshes, "mesh");

/// A stream for so many vertices, which may be missing.
fn stream<R: Rows>(value: Option<&Bound<'_, PyAny>>, what: &str, count: usize) -> PyResult<Option<Vec<R>>> {
    let Some(value) = value.filter(|value| !value.is_none()) else { return Ok(None) };
    let rows = rows::<R>(value, what)?;
    fits(what, rows.len(), count)?;
    Ok(Some(rows))
}

/// Streams for so many vertices.
fn streams<R: Rows>(values: Option<&Bound<'_, PyAny>>, what: &str, count: usize) -> PyResult<Vec<Vec<R>>> {
    let Some(values) = values.filter(|values| !values.is_none()) else { return Ok(Vec::new()) };
    let sets = values.try_iter()?.map(|set| rows::<R>(&set?, what)).collect::<PyResult<Vec<_>>>()?;
    sets.iter().try_for_each(|set| fits(what, set.len(), count))?;
    Ok(sets)
}

pub fn fits(what: &str, length: usize, count: usize) -> PyResult<()> {
    match length == count {
        true => Ok(()),
        false => Err(PyValueError::new_err(format!("{what} has {length} rows for {count} vertices"))),
    }
}

#[pymethods]
impl PyMesh {
    /// Empty where it has none; need not be unique.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.with(|mesh, _| mesh.name.clone())
    }

    #[setter]
    fn set_name(&self, name: String) -> PyResult<()> {
        self.with(|mesh, _| mesh.name = name)
    }

    /// Its position among the meshes of the scene.
    #[getter]
    fn index(&self) -> usize {
        self.handle.index()
    }

    /// Its parts, each of one material.
    #[getter]
    fn primitives<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let count = self.with(|mesh, _| mesh.primitives.len())?;
        let primitive = |index| PyPrimitive { scene: self.scene.clone_ref(py), mesh: self.handle, index };
        tuple(py, (0..count).map(primitive))
    }

    /// Adds a part, and returns it.
    ///
    /// positions and normals are (vertices, 3), tangents (vertices, 4), each of uvs (vertices, 2), each of colours (vertices, 4),
    /// joints and weights (vertices, slots). Without indices, vertices make triangles or lines one after the other.
    #[pyo3(signature = (*, positions, indices=None, normals=None, tangents=None, uvs=None, colours=None, joints=None, weights=None, material=None, topology="triangles"))]
    #[expect(clippy::too_many_arguments, reason = "the streams that vertices can have")]
    fn add_primitive(
        &self,
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        indices: Option<&Bound<'_, PyAny>>,
        normals: Option<&Bound<'_, PyAny>>,
        tangents: Option<&Bound<'_, PyAny>>,
        uvs: Option<&Bound<'_, PyAny>>,
        colours: Option<&Bound<'_, PyAny>>,
        joints: Option<&Bound<'_, PyAny>>,
        weights: Option<&Bound<'_, PyAny>>,
        material: Option<Bound<'_, PyMaterial>>,
        topology: &str,
    ) -> PyResult<PyPrimitive> {
        let topology = TOPOLOGIES.value(topology)?;
        let positions = rows::<[f32; 3]>(positions, "positions")?;
        let count = positions.len();
        let influences = match (joints, weights) {
            (None, None) => None,
            (Some(joints), Some(weights)) => Some(influences_of(joints, weights, count)?),
            _ => return Err(PyValueError::new_err("joints and weights go together")),
        };
        let indices = match indices {
            Some(indices) => indices_of(indices, topology)?,
            None if count.is_multiple_of(topology.corners()) => (0..).take(count).collect(),
            None => {
                let words = TOPOLOGIES.word(topology);
                return Err(PyValueError::new_err(format!("{count} vertices make no whole {words}: give indices")));
            }
        };
        let streams = Streams {
            positions,
            normals: stream(normals, "normals", count)?,
            tangents: stream(tangents, "tangents", count)?,
            uvs: streams(uvs, "uvs", count)?,
            colours: streams(colours, "colours", count)?,
            influences,
        };
        let material = material.map(|material| own(&self.scene, &material)).transpose()?;
        let primitive = Primitive { streams, indices, topology, material, morph_targets: Vec::new() };
        let index = self.with(|mesh, _| {
            mesh.primitives.push(primitive);
            mesh.primitives.len() - 1
        })?;
        Ok(PyPrimitive { scene: self.scene.clone_ref(py), mesh: self.handle, index })
    }

    /// The names of the morph targets that all its parts have; empty names where there are none.
    #[getter]
    fn morph_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tuple(py, self.with(|mesh, _| mesh.morph_names.clone())?)
    }

    #[setter]
    fn set_morph_names(&self, names: Vec<String>) -> PyResult<()> {
        self.with(|mesh, _| mesh.morph_names = names)
    }

    /// How much of each morph target is mixed in at rest.
    #[getter]
    fn morph_weights<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend(py, |mesh| Some(&mut mesh.morph_weights))
    }

    #[setter]
    fn set_morph_weights(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace(value, "morph_weights", |mesh| &mut mesh.morph_weights)
    }

    /// What only the format it came from understands, by names such as `gltf.extras`.
    #[getter]
    fn extras<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        extras::shown(py, &self.with(|mesh, _| mesh.extras.clone())?)
    }

    #[setter]
    fn set_extras(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let extras = extras::taken(value)?;
        self.with(|mesh, _| mesh.extras = extras)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        self.is_same(other)
    }

    fn __hash__(&self) -> u64 {
        self.hash()
    }

    fn __repr__(&self) -> PyResult<String> {
        self.with(|mesh, _| {
            let vertices: usize = mesh.primitives.iter().map(|primitive| primitive.streams.len()).sum();
            let count = mesh.primitives.len();
            let primitives = if count == 1 { "primitive" } else { "primitives" };
            format!("<Mesh {} {:?}: {count} {primitives}, {vertices} vertices>", self.handle.index(), mesh.name)
        })
    }
}
