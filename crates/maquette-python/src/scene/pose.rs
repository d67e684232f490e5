//! Where everything is at a moment, as arrays.
//!
//! A pose keeps what it is worked out from, so that a scene may change afterwards. Vertices are placed when they are asked for.

use super::collection::Kind;
use super::store::PyScene;
use crate::arrays::{owned, owned_matrices};
use crate::threads::free;
use maquette::Scene;
use maquette::scene::clip::{Clip, Target};
use maquette::scene::glam::Mat4;
use maquette::scene::mesh::{Mesh, MorphTarget, Primitive, Streams};
use maquette::scene::{Handle, pose};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Where everything is at a moment. It stays as it is when the scene changes, and its arrays cannot be changed.
#[pyclass(name = "Pose", module = "maquette", frozen)]
pub struct PyPose {
    scene: Py<PyScene>,
    /// What decides where vertices are, and nothing else.
    model: Scene,
    clip: Option<Clip>,
    secs: f32,
    local: Vec<Mat4>,
    world: Vec<Mat4>,
    positions: PyOnceLock<Py<PyAny>>,
    triangles: PyOnceLock<Py<PyAny>>,
}

/// What decides where the vertices of a scene are.
fn model_of(scene: &Scene) -> Scene {
    let target = |target: &MorphTarget| MorphTarget { positions: target.positions.clone(), ..MorphTarget::default() };
    let primitive = |primitive: &Primitive| Primitive {
        streams: Streams {
            positions: primitive.streams.positions.clone(),
            influences: primitive.streams.influences.clone(),
            ..Streams::default()
        },
        indices: primitive.indices.clone(),
        topology: primitive.topology,
        material: None,
        morph_targets: primitive.morph_targets.iter().map(target).collect(),
    };
    let mesh = |mesh: &Mesh| Mesh {
        primitives: mesh.primitives.iter().map(primitive).collect(),
        morph_weights: mesh.morph_weights.clone(),
        ..Mesh::default()
    };
    Scene {
        nodes: scene.nodes.clone(),
        roots: scene.roots.clone(),
        meshes: scene.meshes.iter().map(mesh).collect(),
        skins: scene.skins.clone(),
        ..Scene::default()
    }
}

/// The pose of a scene at a moment of a clip, or at rest.
pub fn pose(scene: Bound<'_, PyScene>, clip: Option<&Bound<'_, PyAny>>, time: f64) -> PyResult<PyPose> {
    let py = scene.py();
    let owner = scene.clone().unbind();
    let secs = time as f32;
    if !secs.is_finite() {
        return Err(PyValueError::new_err(format!("{time:?} is no moment")));
    }
    let key = clip.map(|clip| Kind::Clips.key(&owner, clip)).transpose()?;
    let (model, clip) = {
        let store = scene.get().store();
        let index = key.map(|key| Kind::Clips.find(&store.scene, &key)).transpose()?;
        let clip = index.and_then(|index| store.scene.clips.get(Handle::from_index(index))).cloned();
        (model_of(&store.scene), clip)
    };
    if let Some(clip) = clip.as_ref().filter(|clip| !clip.tracks.is_empty())
        && clip.tracks.iter().all(|track| matches!(track.target, Target::Name(_)))
    {
        return Err(PyValueError::new_err(format!(
            "clip {:?} moves nodes of another scene: `model.edit(clips=[...])` puts it onto a model",
            clip.name
        )));
    }
    let (local, world) = free(py, || {
        let local = match &clip {
            Some(clip) => pose::locals(&model, clip, secs),
            None => model.nodes.iter().map(|node| node.transform.matrix()).collect(),
        };
        let world = model.world_from_node(&local);
        (local, world)
    });
    let (positions, triangles) = (PyOnceLock::new(), PyOnceLock::new());
    Ok(PyPose { scene: owner, model, clip, secs, local, world, positions, triangles })
}

#[pymethods]
impl PyPose {
    /// Node space to that of the parent, for column vectors: (nodes, 4, 4).
    #[getter]
    fn local<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        owned_matrices(py, &self.local)
    }

    /// Node space to that of the scene, for column vectors: (nodes, 4, 4).
    #[getter]
    fn world<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        owned_matrices(py, &self.world)
    }

    /// Every vertex that is drawn, where it is drawn, in the space of the scene: (vertices, 3), skinned and morphed. Nodes parents first, their primitives and vertices in
    /// order; the vertices of a mesh as often as nodes draw it.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let array = self.positions.get_or_try_init(py, || {
            let positions: Vec<[f32; 3]> = free(py, || {
                let positions = match &self.clip {
                    Some(clip) => pose::positions_at(&self.model, clip, self.secs),
                    None => pose::positions_at_rest(&self.model),
                };
                // In the memory that they have: both are three numbers.
                positions.into_iter().map(|position| position.to_array()).collect()
            });
            let shape = [positions.len(), 3];
            owned(py, positions.into_flattened(), &shape).map(Bound::unbind)
        })?;
        Ok(array.bind(py).clone())
    }

    /// Every triangle that is drawn, as indices into positions: (triangles, 3). A line has its second end twice.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let array = self.triangles.get_or_try_init(py, || {
            let index = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
            let faces: Vec<[u32; 3]> = free(py, || {
                pose::faces(&self.model).into_iter().map(|[a, b, c]| [index(a), index(b), index(c)]).collect()
            });
            let shape = [faces.len(), 3];
            owned(py, faces.into_flattened(), &shape).map(Bound::unbind)
        })?;
        Ok(array.bind(py).clone())
    }

    /// For each joint of a skin, mesh space to that of the scene: (joints, 4, 4), world @ inverse bind matrix.
    fn joint_matrices<'py>(&self, py: Python<'py>, skin: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let key = Kind::Skins.key(&self.scene, skin)?;
        let index = Kind::Skins.find(&self.model, &key)?;
        let skin = self.model.skins.get(Handle::from_index(index));
        let skin = skin.ok_or_else(|| PyValueError::new_err("this skin was added after the pose was made"))?;
        let world = |joint: usize| self.world.get(joint).copied().unwrap_or(Mat4::IDENTITY);
        let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
        let matrices: Vec<Mat4> = joints.map(|(joint, from_mesh)| world(joint.index()) * *from_mesh).collect();
        owned_matrices(py, &matrices)
    }

    fn __repr__(&self) -> String {
        let moment = match &self.clip {
            Some(clip) => format!("clip {:?} at {} s", clip.name, self.secs),
            None => "at rest".to_owned(),
        };
        format!("<Pose {moment}: {} nodes, {} vertices>", self.local.len(), self.model.drawn_vertices())
    }
}
