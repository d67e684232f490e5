//! A model with everything that belongs to it: the one form between all formats.
//!
//! One convention, glTF's: right-handed, +Y up, counter-clockwise faces, seconds, radians, quaternions xyzw, column vectors, UV
//! origin at the top left, base colour in sRGB. Lengths are metres in glTF and as the
//! author left them in formats that name no unit; everything else about the space is made to agree when a format is read.

use crate::arena::{Arena, Handle};
use crate::clip::Clip;
use crate::extras::Extras;
use crate::image::Image;
use crate::material::Material;
use crate::mesh::Mesh;
use glam::{Mat4, Quat, Vec3};
use std::borrow::Cow;

/// A whole model, or an animation alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// What stands or moves. Joints are nodes.
    pub nodes: Arena<Node>,
    /// The nodes without a parent that are shown, in order.
    pub roots: Vec<Handle<Node>>,
    /// Geometry.
    pub meshes: Arena<Mesh>,
    /// Bindings of geometry to joints.
    pub skins: Arena<Skin>,
    /// Surfaces.
    pub materials: Arena<Material>,
    /// Pictures.
    pub images: Arena<Image>,
    /// Animations.
    pub clips: Arena<Clip>,
    /// What only the format it came from understands.
    pub extras: Extras,
}

/// Something with a transform: a group, a mesh, a joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Its name; may be empty, need not be unique.
    pub name: String,
    /// Its local transform at rest: from its own space to its parent's.
    pub transform: Transform,
    /// What it carries along.
    pub children: Vec<Handle<Node>>,
    /// The mesh that is drawn at it.
    pub mesh: Option<Handle<Mesh>>,
    /// The joints that move that mesh; the transform of this node does not, then.
    pub skin: Option<Handle<Skin>>,
    /// How much of each of the mesh's morph targets is mixed in; empty for the mesh's own.
    pub morph_weights: Vec<f32>,
    /// What only the format it came from understands.
    pub extras: Extras,
}

/// A transform relative to a parent. Both forms are kept as they are: a matrix may hold shear, which the parts cannot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transform {
    /// Scaled, then rotated, then moved.
    Trs(Trs),
    /// Any affine transform.
    Matrix(Mat4),
}

impl Default for Transform {
    fn default() -> Self {
        Transform::Trs(Trs::IDENTITY)
    }
}

impl Transform {
    /// Child space to parent space.
    pub fn matrix(&self) -> Mat4 {
        match self {
            Transform::Trs(trs) => trs.matrix(),
            Transform::Matrix(matrix) => *matrix,
        }
    }

    /// As parts; of a matrix with shear, the nearest.
    pub fn trs(&self) -> Trs {
        match self {
            Transform::Trs(trs) => *trs,
            Transform::Matrix(matrix) => Trs::from_matrix(*matrix),
        }
    }
}

/// Translation, rotation and scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    /// Moved last.
    pub translation: Vec3,
    /// A unit quaternion.
    pub rotation: Quat,
    /// Along the unrotated axes, first.
    pub scale: Vec3,
}

impl Trs {
    /// Nowhere, unturned, full size.
    pub const IDENTITY: Trs = Trs { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// The transform as a matrix.
    pub fn matrix(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// The parts of a matrix; shear is lost. A mirror becomes a negative scale along X.
    pub fn from_matrix(matrix: Mat4) -> Trs {
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        let sound = rotation.is_finite() && scale.is_finite();
        let (rotation, scale) = if sound { (rotation, scale) } else { (Quat::IDENTITY, Vec3::ZERO) };
        Trs { translation, rotation, scale }
    }
}

/// Binds meshes to joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Empty where it has none; need not be unique.
    pub name: String,
    /// What vertices call their joints by: positions in this list.
    pub joints: Vec<Handle<Node>>,
    /// For each joint, mesh space to joint space in the bind pose, which need not be the rest pose of the nodes.
    pub joint_from_mesh: Vec<Mat4>,
}

impl Scene {
    /// What a node is called where it must be called something: by its name, or by its index, `node9`, where it has none.
    pub fn node_name(&self, node: Handle<Node>) -> Cow<'_, str> {
        match self.nodes.get(node) {
            Some(named) if !named.name.is_empty() => Cow::Borrowed(&named.name),
            _ => Cow::Owned(format!("node{}", node.index())),
        }
    }

    /// How many vertices are drawn: those of a mesh as often as nodes draw it.
    pub fn drawn_vertices(&self) -> u64 {
        let of_mesh = |mesh: &Mesh| mesh.primitives.iter().map(|primitive| primitive.streams.len() as u64).sum();
        let of_meshes: Vec<u64> = self.meshes.iter().map(of_mesh).collect();
        let drawn = self.nodes.iter().filter_map(|node| of_meshes.get(node.mesh?.index()));
        drawn.fold(0, |sum, vertices| sum.saturating_add(*vertices))
    }

    /// The parent of every node; `None` for roots and for nodes that nothing reaches.
    pub fn parents(&self) -> Vec<Option<Handle<Node>>> {
        let mut parents = vec![None; self.nodes.len()];
        for (handle, node) in self.nodes.entries() {
            for child in &node.children {
                if let Some(parent) = parents.get_mut(child.index()) {
                    *parent = Some(handle);
                }
            }
        }
        parents
    }

    /// Every node, parents before children, roots in order; then what no root reaches, likewise. Without recursion; a node of
    /// a cycle comes once.
    pub fn nodes_parents_first(&self) -> Vec<Handle<Node>> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut seen = vec![false; self.nodes.len()];
        let parents = self.parents();
        let orphans = self.nodes.handles().filter(|node| parents.get(node.index()).is_none_or(Option::is_none));
        for start in self.roots.iter().copied().chain(orphans).chain(self.nodes.handles()) {
            let mut pending = vec![start];
            while let Some(handle) = pending.pop() {
                match seen.get_mut(handle.index()) {
                    Some(seen) if !*seen => *seen = true,
                    _ => continue,
                }
                order.push(handle);
                let children = self.nodes.get(handle).map_or(&[][..], |node| &node.children);
                pending.extend(children.iter().rev());
            }
        }
        order
    }

    /// Node space to scene space for every node, from these local matrices.
    pub fn world_from_node(&self, parent_from_node: &[Mat4]) -> Vec<Mat4> {
        let parents = self.parents();
        let mut world = vec![Mat4::IDENTITY; self.nodes.len()];
        for handle in self.nodes_parents_first() {
            let parent = parents.get(handle.index()).copied().flatten();
            let above = parent.and_then(|parent| world.get(parent.index())).copied().unwrap_or(Mat4::IDENTITY);
            let local = parent_from_node.get(handle.index()).copied().unwrap_or(Mat4::IDENTITY);
            if let Some(world) = world.get_mut(handle.index()) {
                *world = above * local;
            }
        }
        world
    }

    /// Node space to scene space for every node at rest.
    pub fn rest_world_from_node(&self) -> Vec<Mat4> {
        let locals: Vec<Mat4> = self.nodes.iter().map(|node| node.transform.matrix()).collect();
        self.world_from_node(&locals)
    }
}
