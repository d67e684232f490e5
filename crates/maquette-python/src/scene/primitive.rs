//! A piece of a mesh with one material: its streams as arrays.

use super::clip_ids::ClipIds;
use super::material::PyMaterial;
use super::mesh::fits;
use super::morph_target::PyMorphTarget;
use super::part::{Listed, Part, own, tuple};
use super::store::PyScene;
use super::words::TOPOLOGIES;
use crate::arrays::{Rows, numbers, rows, shaped};
use maquette::Scene;
use maquette::scene::Handle;
use maquette::scene::mesh::{Influences, Mesh, MorphTarget, Primitive, Topology};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A piece of a mesh with one material. Its arrays are those of the scene: what is changed in them is changed in it.
///
/// An array that is set is copied into the scene: into the memory that is there, where it has as many rows; else arrays that were had before
/// keep their last values and are no longer the scene's.
#[pyclass(name = "Primitive", module = "maquette", frozen)]
pub struct PyPrimitive {
    pub scene: Py<PyScene>,
    pub mesh: Handle<Mesh>,
    pub index: usize,
}

impl Part for PyPrimitive {
    type Is = Primitive;
    const WORD: &'static str = "primitive";

    fn owner(&self) -> &Py<PyScene> {
        &self.scene
    }

    fn find<'s>(&self, scene: &'s mut Scene, _: &ClipIds) -> Option<&'s mut Primitive> {
        scene.meshes.get_mut(self.mesh)?.primitives.get_mut(self.index)
    }

    fn place(&self) -> [u64; 3] {
        [self.mesh.index() as u64, self.index as u64, 0]
    }
}

/// Indices of anything that NumPy makes an array of: one after the other, or a triangle or line a row.
pub fn indices_of(value: &Bound<'_, PyAny>, topology: Topology) -> PyResult<Vec<u32>> {
    let (indices, shape) = numbers::<u32>(value, "indices")?;
    let corners = topology.corners();
    match *shape {
        [count] if count.is_multiple_of(corners) => Ok(indices),
        [count] => {
            let words = TOPOLOGIES.word(topology);
            Err(PyValueError::new_err(format!("{count} indices make no whole {words}, which take {corners} each")))
        }
        [_, each] if each == corners => Ok(indices),
        _ => Err(shaped("indices", &shape, &format!("(n,) or (n, {corners})"))),
    }
}

/// Joints and weights for so many vertices.
pub fn influences_of(joints: &Bound<'_, PyAny>, weights: &Bound<'_, PyAny>, vertices: usize) -> PyResult<Influences> {
    let (joints, shape) = numbers::<u32>(joints, "joints")?;
    let (weights, other) = numbers::<f32>(weights, "weights")?;
    match *shape {
        [rows, slots] if rows == vertices && slots > 0 && shape == other => Ok(Influences { slots, joints, weights }),
        _ if shape == other => Err(shaped("joints", &shape, &format!("({vertices}, slots)"))),
        _ => Err(PyValueError::new_err(format!("joints and weights have different shapes: {shape:?} and {other:?}"))),
    }
}

impl PyPrimitive {
    /// Sets of streams as a tuple of arrays.
    fn lend_list<'py, R: Rows>(
        &self,
        py: Python<'py>,
        list: impl Fn(&mut Primitive) -> &mut Vec<Vec<R>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let loans: Vec<_> =
            self.with(|primitive, lent| list(primitive).iter_mut().map(|stream| lent.lend(stream)).collect())?;
        let scene = self.scene.bind(py);
        tuple(py, loans.into_iter().map(|loan| loan.array(scene)).collect::<PyResult<Vec<_>>>()?)
    }

    fn replace_list<R: Rows>(
        &self,
        values: &Bound<'_, PyAny>,
        what: &str,
        list: impl Fn(&mut Primitive) -> &mut Vec<Vec<R>>,
    ) -> PyResult<()> {
        let lists =
            values.try_iter()?.map(|rows_of_one| rows::<R>(&rows_of_one?, what)).collect::<PyResult<Vec<_>>>()?;
        self.with(|primitive, lent| lent.replace_list(list(primitive), lists))
    }

    /// Takes joints and weights away.
    fn remove_influences(&self) -> PyResult<()> {
        self.with(|primitive, lent| {
            if let Some(influences) = primitive.streams.influences.take() {
                lent.retire(influences.joints);
                lent.retire(influences.weights);
            }
        })
    }

    /// Makes an array the joints or the weights, where both stay in step.
    fn replace_influences<T: Rows<Number = T> + numpy::Element>(
        &self,
        value: &Bound<'_, PyAny>,
        what: &str,
        numbers_of: impl Fn(&mut Influences) -> &mut Vec<T>,
    ) -> PyResult<()> {
        if value.is_none() {
            return self.remove_influences();
        }
        let (numbers, shape) = numbers::<T>(value, what)?;
        let wanted = self.with(|primitive, lent| {
            let influences = primitive.streams.influences.as_mut()?;
            let slots = influences.slots;
            let stream = numbers_of(influences);
            let wanted = [stream.len().checked_div(slots)?, slots];
            if shape == wanted {
                lent.replace(stream, numbers);
                return None;
            }
            Some(wanted)
        })?;
        let has_some = self.with(|primitive, _| primitive.streams.influences.is_some())?;
        match wanted {
            None if has_some => Ok(()),
            None => Err(PyValueError::new_err("there are no joints and weights: set_influences sets both")),
            Some([rows, slots]) => {
                Err(shaped(what, &shape, &format!("({rows}, {slots}), or set_influences with both,")))
            }
        }
    }
}

#[pymethods]
impl PyPrimitive {
    /// Where the vertices are, in mesh space: (vertices, 3).
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend(py, |primitive| Some(&mut primitive.streams.positions))
    }

    #[setter]
    fn set_positions(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace(value, "positions", |primitive| &mut primitive.streams.positions)
    }

    /// Unit normals: (vertices, 3); `None` where there are none.
    #[getter]
    fn normals<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend(py, |primitive| primitive.streams.normals.as_mut())
    }

    #[setter]
    fn set_normals(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace_optional(value, "normals", |primitive| &mut primitive.streams.normals)
    }

    /// Unit tangents, and the sign of the bitangent, which is normal × tangent times that: (vertices, 4); `None` where there are none.
    #[getter]
    fn tangents<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend(py, |primitive| primitive.streams.tangents.as_mut())
    }

    #[setter]
    fn set_tangents(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace_optional(value, "tangents", |primitive| &mut primitive.streams.tangents)
    }

    /// Sets of texture coordinates, from the top left: an array (vertices, 2) each. One is changed in place, `p.uvs[0][:] *= 2`, or all are set: `p.uvs = [*p.uvs, more]`.
    #[getter]
    fn uvs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.lend_list(py, |primitive| &mut primitive.streams.uvs)
    }

    #[setter]
    fn set_uvs(&self, values: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace_list(values, "uvs", |primitive| &mut primitive.streams.uvs)
    }

    /// Sets of linear colours with opacity: an array (vertices, 4) each.
    #[getter]
    fn colours<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.lend_list(py, |primitive| &mut primitive.streams.colours)
    }

    #[setter]
    fn set_colours(&self, values: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace_list(values, "colours", |primitive| &mut primitive.streams.colours)
    }

    /// Positions in the skin's list of joints: (vertices, slots); `None` where there are none. With `None` set, joints and weights go.
    #[getter]
    fn joints<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend_with(py, |primitive, lent| {
            let Influences { slots, joints, .. } = primitive.streams.influences.as_mut()?;
            let shape = vec![joints.len().checked_div(*slots)?, *slots];
            Some(lent.lend_numbers(joints, shape))
        })
    }

    #[setter]
    fn set_joints(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace_influences(value, "joints", |influences| &mut influences.joints)
    }

    /// How much each of these joints moves the vertex: (vertices, slots); `None` where there are none. A slot of weight 0 is unused.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend_with(py, |primitive, lent| {
            let Influences { slots, weights, .. } = primitive.streams.influences.as_mut()?;
            let shape = vec![weights.len().checked_div(*slots)?, *slots];
            Some(lent.lend_numbers(weights, shape))
        })
    }

    #[setter]
    fn set_weights(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace_influences(value, "weights", |influences| &mut influences.weights)
    }

    /// Sets joints and weights at once, in any number of slots: (vertices, slots) each.
    fn set_influences(&self, joints: &Bound<'_, PyAny>, weights: &Bound<'_, PyAny>) -> PyResult<()> {
        let vertices = self.with(|primitive, _| primitive.streams.len())?;
        let new = influences_of(joints, weights, vertices)?;
        self.with(|primitive, lent| match primitive.streams.influences.as_mut() {
            Some(influences) => {
                influences.slots = new.slots;
                lent.replace(&mut influences.joints, new.joints);
                lent.replace(&mut influences.weights, new.weights);
            }
            None => primitive.streams.influences = Some(new),
        })
    }

    /// Which vertices make its triangles or lines, one after the other.
    #[getter]
    fn indices<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.lend(py, |primitive| Some(&mut primitive.indices))
    }

    #[setter]
    fn set_indices(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let topology = self.with(|primitive, _| primitive.topology)?;
        let indices = indices_of(value, topology)?;
        self.with(|primitive, lent| lent.replace(&mut primitive.indices, indices))
    }

    /// The indices, a triangle a row: (triangles, 3). The same memory.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let array = self.lend_with(py, |primitive, lent| {
            let indices = &mut primitive.indices;
            let is_whole = primitive.topology == Topology::Triangles && indices.len().is_multiple_of(3);
            let shape = vec![indices.len() / 3, 3];
            is_whole.then(|| lent.lend_numbers(indices, shape))
        })?;
        array.ok_or_else(|| {
            PyValueError::new_err("the indices of this primitive draw lines: indices.reshape(-1, 2) has their ends")
        })
    }

    #[setter]
    fn set_triangles(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.with(|primitive, _| primitive.topology)? != Topology::Triangles {
            return Err(PyValueError::new_err("the indices of this primitive draw lines: set topology first"));
        }
        let triangles: Vec<[u32; 3]> = rows(value, "triangles")?;
        let indices = triangles.into_flattened();
        self.with(|primitive, lent| lent.replace(&mut primitive.indices, indices))
    }

    /// What the indices draw: `triangles`, counter-clockwise from outside, or `lines`.
    #[getter]
    fn topology(&self) -> PyResult<&'static str> {
        self.with(|primitive, _| TOPOLOGIES.word(primitive.topology))
    }

    #[setter]
    fn set_topology(&self, word: &str) -> PyResult<()> {
        let topology = TOPOLOGIES.value(word)?;
        self.with(|primitive, _| primitive.topology = topology)
    }

    /// How its surface looks; `None` for glTF's default material.
    #[getter]
    fn material(&self, py: Python<'_>) -> PyResult<Option<PyMaterial>> {
        let material = self.with(|primitive, _| primitive.material)?;
        Ok(material.map(|material| PyMaterial::at(self.scene.clone_ref(py), material)))
    }

    #[setter]
    fn set_material(&self, material: Option<Bound<'_, PyMaterial>>) -> PyResult<()> {
        let material = material.map(|material| own(&self.scene, &material)).transpose()?;
        self.with(|primitive, _| primitive.material = material)
    }

    /// Its shapes, one for each of the mesh's morph targets.
    #[getter]
    fn morph_targets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let count = self.with(|primitive, _| primitive.morph_targets.len())?;
        let target =
            |index| PyMorphTarget { scene: self.scene.clone_ref(py), mesh: self.mesh, primitive: self.index, index };
        tuple(py, (0..count).map(target))
    }

    /// Adds a shape, and returns it: what is added to positions, normals and the direction of tangents, (vertices, 3) each.
    ///
    /// All primitives of a mesh have as many shapes. The first that gets one more gives the mesh a name for it, which is empty, and a weight of 0.
    #[pyo3(signature = (positions, normals=None, tangents=None))]
    fn add_morph_target(
        &self,
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        normals: Option<&Bound<'_, PyAny>>,
        tangents: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyMorphTarget> {
        let vertices = self.with(|primitive, _| primitive.streams.len())?;
        let of = |value: &Bound<'_, PyAny>, what: &str| {
            let rows = rows::<[f32; 3]>(value, what)?;
            fits(what, rows.len(), vertices).map(|()| rows)
        };
        let target = MorphTarget {
            positions: of(positions, "positions")?,
            normals: normals.map(|normals| of(normals, "normals")).transpose()?,
            tangents: tangents.map(|tangents| of(tangents, "tangents")).transpose()?,
        };
        let mut store = self.scene.get().store();
        let store = &mut *store;
        let mesh = store.scene.meshes.get_mut(self.mesh).ok_or_else(Self::gone)?;
        let primitive = mesh.primitives.get_mut(self.index).ok_or_else(Self::gone)?;
        primitive.morph_targets.push(target);
        let count = primitive.morph_targets.len();
        if mesh.morph_weights.len() < count {
            let mut weights = mesh.morph_weights.clone();
            weights.resize(count, 0.0);
            store.lent.replace(&mut mesh.morph_weights, weights);
        }
        if mesh.morph_names.len() < count {
            mesh.morph_names.resize(count, String::new());
        }
        Ok(PyMorphTarget { scene: self.scene.clone_ref(py), mesh: self.mesh, primitive: self.index, index: count - 1 })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        self.is_same(other)
    }

    fn __hash__(&self) -> u64 {
        self.hash()
    }

    fn __repr__(&self) -> PyResult<String> {
        self.with(|primitive, _| {
            let pieces = primitive.indices.len() / primitive.topology.corners();
            let words = TOPOLOGIES.word(primitive.topology);
            let streams = &primitive.streams;
            let sets =
                |count: usize, what: &str| if count == 1 { what.to_owned() } else { format!("{count} sets of {what}") };
            let mut has = Vec::new();
            has.extend(streams.normals.as_ref().map(|_| "normals".to_owned()));
            has.extend(streams.tangents.as_ref().map(|_| "tangents".to_owned()));
            has.extend((!streams.uvs.is_empty()).then(|| sets(streams.uvs.len(), "uvs")));
            has.extend((!streams.colours.is_empty()).then(|| sets(streams.colours.len(), "colours")));
            has.extend(streams.influences.as_ref().map(|influences| format!("{} joints a vertex", influences.slots)));
            has.extend(
                (!primitive.morph_targets.is_empty())
                    .then(|| format!("{} morph targets", primitive.morph_targets.len())),
            );
            let has = if has.is_empty() { String::new() } else { format!("; {}", has.join(", ")) };
            format!("<Primitive {}: {} vertices, {pieces} {words}{has}>", self.index, streams.len())
        })
    }
}
