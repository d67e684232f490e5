//! Parts to meshes: one for each part of a mesh and each skin that it is drawn with, because weights name nodes.

use super::super::raw::{self, Dialect, Influence, Vertex, VertexWeights};
use super::bind::Bind;
use super::cannot;
use super::tree::Tree;
use crate::format::Result;
use maquette_scene::glam::{Mat3, Mat4, Vec3};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::material::Material;
use maquette_scene::mesh::{Influences, Primitive, Streams, Topology};
use maquette_scene::scene::Skin;
use maquette_scene::{Handle, Scene};
use std::borrow::Cow;
use std::collections::BTreeMap;
use zerocopy::little_endian::U32;

/// A mesh as it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    mesh: usize,
    skin: Option<usize>,
    /// The node, where the vertices depend on it: a skinned mesh in a dialect without weights.
    node: Option<usize>,
}

/// How the meshes of the scene are drawn.
pub(super) struct Usage {
    pub dialect: Dialect,
    /// For each skin and joint, whether it moves a vertex.
    pub joints: Vec<Vec<bool>>,
    /// The meshes of the file for each use.
    uses: BTreeMap<Use, Vec<u32>>,
}

/// Meshes of the file, each with its surface.
pub(super) type Meshes = Vec<(raw::Mesh<'static>, Option<Handle<Material>>)>;

impl Usage {
    pub fn new(tree: &Tree<'_>, dialect: Dialect, losses: &mut LossReport) -> Usage {
        let scene = tree.scene;
        let joints = scene.skins.iter().map(|skin| vec![false; skin.joints.len()]).collect();
        let mut usage = Usage { dialect, joints, uses: BTreeMap::new() };
        let mut is_drawn = vec![false; scene.meshes.len()];
        for id in 0..tree.nodes.len() {
            let Some(of_node) = usage.of_node(tree, id) else { continue };
            is_drawn.get_mut(of_node.mesh).into_iter().for_each(|drawn| *drawn = true);
            usage.uses.entry(of_node).or_default();
        }
        for mesh in (0..scene.meshes.len()).filter(|&mesh| !is_drawn.get(mesh).copied().unwrap_or(false)) {
            usage.uses.insert(Use { mesh, skin: None, node: None }, Vec::new());
        }
        let uses: Vec<Use> = usage.uses.keys().copied().collect();
        for of_mesh in uses {
            usage.note_joints(scene, of_mesh, losses);
        }
        usage
    }

    /// What a node draws, if it is shown.
    fn of_node(&self, tree: &Tree<'_>, id: usize) -> Option<Use> {
        let node = tree.node(id).filter(|_| tree.is_shown.get(id).copied().unwrap_or(false))?;
        let mesh = node.mesh?;
        let is_weighted =
            tree.scene.meshes.get(mesh)?.primitives.iter().any(|primitive| primitive.streams.influences.is_some());
        let skin = node.skin.filter(|_| is_weighted).map(Handle::index);
        let depends = skin.is_some() && !self.dialect.stores_ids();
        Some(Use { mesh: mesh.index(), skin, node: depends.then_some(id) })
    }

    /// Marks the joints that a use of a mesh needs, and reports weights that cannot be written.
    fn note_joints(&mut self, scene: &Scene, of_mesh: Use, losses: &mut LossReport) {
        let Some(mesh) = scene.meshes.get(Handle::from_index(of_mesh.mesh)) else { return };
        let all = || mesh.primitives.iter().filter_map(|primitive| primitive.streams.influences.as_ref());
        let weighted = all().map(|influences| influences.weights.iter().filter(|weight| **weight != 0.0).count());
        let subject = subject("mesh", of_mesh.mesh, &mesh.name);
        match of_mesh.skin {
            Some(skin) if self.dialect.stores_ids() => {
                let Some(used) = self.joints.get_mut(skin) else { return };
                for influences in all() {
                    let slots = influences.joints.iter().zip(&influences.weights);
                    for (&joint, _) in slots.filter(|(_, weight)| **weight != 0.0) {
                        used.get_mut(joint as usize).into_iter().for_each(|used| *used = true);
                    }
                }
            }
            Some(_) => {
                let detail = format!("the dialect {} has none; the vertices are left as at rest", self.dialect.id());
                losses.dropped(Lost::Influences, subject, detail, weighted.sum::<usize>() as u64);
            }
            None => losses.dropped(Lost::Influences, subject, "no skin binds the mesh", weighted.sum::<usize>() as u64),
        }
    }

    /// Makes the meshes of the file.
    pub fn meshes(&mut self, tree: &Tree<'_>, bind: &Bind, losses: &mut LossReport) -> Result<Meshes> {
        let mut meshes = Vec::new();
        let dialect = self.dialect;
        for (of_mesh, ids) in &mut self.uses {
            let Some(mesh) = tree.scene.meshes.get(Handle::from_index(of_mesh.mesh)) else { continue };
            let subject = subject("mesh", of_mesh.mesh, &mesh.name);
            if !mesh.morph_weights.is_empty() {
                return Err(cannot(format!("{subject} has morph targets")));
            }
            let placing = Placing::of(tree, bind, *of_mesh);
            for primitive in &mesh.primitives {
                let skin = of_mesh.skin.and_then(|skin| tree.scene.skins.get(Handle::from_index(skin)));
                ids.push(meshes.len() as u32);
                let writer = PartWriter { tree, dialect, skin, placing: &placing, subject: &subject };
                meshes.push((writer.mesh(primitive, losses)?, primitive.material));
            }
        }
        Ok(meshes)
    }

    /// Puts some meshes before the others, which stay in their order among themselves.
    pub fn put_first(&mut self, meshes: Meshes, is_first: impl Fn(Option<Handle<Material>>) -> bool) -> Meshes {
        let (first, others): (Vec<_>, Vec<_>) =
            meshes.into_iter().zip(0u32..).partition(|((_, material), _)| is_first(*material));
        let (meshes, old): (Meshes, Vec<u32>) = first.into_iter().chain(others).unzip();
        let new: BTreeMap<u32, u32> = old.into_iter().zip(0..).collect();
        for id in self.uses.values_mut().flatten() {
            *id = new.get(id).copied().unwrap_or(*id);
        }
        meshes
    }

    /// The meshes that a node draws.
    pub fn mesh_ids(&self, tree: &Tree<'_>, id: usize) -> Vec<U32> {
        let ids = self.of_node(tree, id).and_then(|of_node| self.uses.get(&of_node));
        ids.into_iter().flatten().copied().map(U32::new).collect()
    }
}

/// What becomes of vertices.
enum Placing {
    /// They stay.
    Kept,
    /// Those that joints move are moved so that the joints' rest pose is their bind pose.
    Shifted(Mat4),
    /// They are put where the joints hold them at rest, seen from their node.
    Posed { palette: Vec<Mat4>, node_from_model: Mat4 },
}

impl Placing {
    fn of(tree: &Tree<'_>, bind: &Bind, of_mesh: Use) -> Placing {
        let Some(skin) = of_mesh.skin else { return Placing::Kept };
        let Some(node) = of_mesh.node else {
            return bind.shifts.get(skin).copied().flatten().map_or(Placing::Kept, Placing::Shifted);
        };
        let Some(skin) = tree.scene.skins.get(Handle::from_index(skin)) else { return Placing::Kept };
        let rest = |joint: usize| tree.rest.get(joint).copied().unwrap_or_default();
        let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
        let palette = joints.map(|(joint, inverse_bind)| rest(joint.index()) * *inverse_bind).collect();
        let inverse = tree.rest(node).inverse();
        Placing::Posed { palette, node_from_model: if inverse.is_finite() { inverse } else { Mat4::IDENTITY } }
    }

    /// What a vertex is multiplied by; nothing where it stays as it is.
    fn matrix(&self, influences: Option<&Influences>, vertex: usize) -> Option<Mat4> {
        let mut slots = influences.into_iter().flat_map(|influences| influences.of(vertex)).peekable();
        match self {
            Placing::Kept => None,
            Placing::Shifted(shift) => slots.peek().map(|_| *shift),
            Placing::Posed { node_from_model, .. } if slots.peek().is_none() => Some(*node_from_model),
            Placing::Posed { palette, node_from_model } => {
                let matrix = |joint: u32| palette.get(joint as usize).copied().unwrap_or_default();
                let sum = slots.fold(Mat4::ZERO, |sum, (joint, weight)| sum + matrix(joint) * weight);
                Some(*node_from_model * sum)
            }
        }
    }
}

/// Writes the parts of one use of a mesh.
struct PartWriter<'w> {
    tree: &'w Tree<'w>,
    dialect: Dialect,
    skin: Option<&'w Skin>,
    placing: &'w Placing,
    subject: &'w str,
}

impl PartWriter<'_> {
    fn mesh(&self, primitive: &Primitive, losses: &mut LossReport) -> Result<raw::Mesh<'static>> {
        let subject = self.subject;
        let streams = &primitive.streams;
        if primitive.topology != Topology::Triangles
            || streams.tangents.is_some()
            || !primitive.morph_targets.is_empty()
        {
            return Err(cannot(format!("{subject} has lines, tangents or morph targets")));
        }
        let Some(normals) = &streams.normals else { return Err(cannot(format!("{subject} has no normals"))) };
        let (uvs, colours) = match (&streams.uvs[..], &streams.colours[..]) {
            (uvs @ ([] | [_]), colours @ ([] | [_])) => (uvs.first(), colours.first()),
            _ => return Err(cannot(format!("{subject} has several sets of texture coordinates or colours"))),
        };
        self.report(streams, colours, losses);
        let vertex = |(index, (position, normal)): (usize, (&[f32; 3], &[f32; 3]))| {
            let [position, normal] = self.placed(streams, index, position, normal);
            let [u, v] = uvs.and_then(|uvs| uvs.get(index)).map_or([0.0; 2], |[u, v]| [*u, 1.0 - v]);
            let colour = colours.and_then(|colours| colours.get(index)).copied().unwrap_or([1.0; 4]);
            Vertex {
                position: position.map(Into::into),
                color: colour.map(|channel| quantised(channel).into()),
                uv: [u.into(), v.into()],
                normal: normal.map(Into::into),
            }
        };
        let vertices: Vec<Vertex> = streams.positions.iter().zip(normals).enumerate().map(vertex).collect();
        if !self.dialect.stores_faces() {
            let corners = primitive.indices.iter().filter_map(|&index| vertices.get(index as usize).copied());
            let repeated = primitive.indices.iter().enumerate().any(|(at, &index)| at != index as usize);
            let detail = format!("the dialect {} stores no faces: each corner is a vertex", self.dialect.id());
            losses.push(
                LossKind::Baked,
                Lost::Vertices,
                subject,
                detail,
                u64::from(repeated) * primitive.indices.len() as u64,
            );
            return Ok(raw::Mesh { vertices: corners.collect(), ..raw::Mesh::default() });
        }
        let faces = primitive.indices.as_chunks::<3>().0.iter().map(|face| face.map(U32::new)).collect();
        Ok(raw::Mesh { weights: self.weights(streams)?, vertices: Cow::Owned(vertices), faces })
    }

    fn report(&self, streams: &Streams, colours: Option<&Vec<[f32; 4]>>, losses: &mut LossReport) {
        let influences = streams.influences.as_ref();
        let moved = (0..streams.len()).filter(|&vertex| self.placing.matrix(influences, vertex).is_some()).count();
        let detail = "vertices are moved to where the joints hold them at rest";
        losses.push(LossKind::Baked, Lost::BindPoses, self.subject, detail, moved as u64);
        let error = |channel: &f32| (quantised(*channel) as f32 / 255.0 - channel).abs();
        let errors = colours.into_iter().flatten().map(|colour| colour.iter().map(error).fold(0.0, f32::max));
        let (count, largest) = errors
            .filter(|error| *error > 1e-6)
            .fold((0, 0.0f32), |(count, largest), error| (count + 1, largest.max(error)));
        let kind = LossKind::Approximated { max_error: largest };
        losses.push(kind, Lost::VertexColours, self.subject, format!("in steps of 1/255, up to {largest} off"), count);
    }

    fn placed(&self, streams: &Streams, index: usize, position: &[f32; 3], normal: &[f32; 3]) -> [[f32; 3]; 2] {
        let Some(matrix) = self.placing.matrix(streams.influences.as_ref(), index) else { return [*position, *normal] };
        let turned = Mat3::from_mat4(matrix).inverse().transpose() * Vec3::from(*normal);
        let normal = turned.try_normalize().map_or(*normal, |normal| normal.to_array());
        [matrix.transform_point3(Vec3::from(*position)).to_array(), normal]
    }

    /// The weights of the vertices that have any, with the ids of their nodes.
    fn weights(&self, streams: &Streams) -> Result<Vec<VertexWeights<'static>>> {
        let mut weights = Vec::new();
        let (Some(influences), Some(skin), true) = (&streams.influences, self.skin, self.dialect.stores_ids()) else {
            return Ok(weights);
        };
        for vertex in 0..streams.len() {
            let mut of_vertex = Vec::new();
            for (joint, weight) in influences.of(vertex) {
                let node = skin.joints.get(joint as usize).and_then(|&joint| self.tree.id(joint));
                let id = node.ok_or_else(|| cannot(format!("{} names a joint that is not there", self.subject)))?;
                of_vertex.push(Influence { node_id: (id as u32).into(), weight: weight.into() });
            }
            if !of_vertex.is_empty() {
                weights.push(VertexWeights { vertex_id: vertex as u32, influences: Cow::Owned(of_vertex) });
            }
        }
        Ok(weights)
    }
}

/// A channel of a colour as the file has it.
fn quantised(channel: f32) -> i32 {
    (f64::from(channel) * 255.0).round() as i32
}
