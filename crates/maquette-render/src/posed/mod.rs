//! A scene at a moment: every vertex where it is drawn.
//!
//! A scene without any geometry shows its skeleton instead; a clip alone, which knows no nodes, a cross for each bone at its moments.

mod locals;
mod skeleton;
mod skinning;
#[cfg(test)]
mod tests;

pub(crate) use skeleton::Skeleton;

use crate::bounds::Bounds;
use crate::camera::{Camera, Framing};
use crate::maths::{Affine, at};
use crate::stage::{Part, Stage};
use maquette_scene::clip::{Clip, Curve, Target};
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::mesh::{Streams, Topology};
use maquette_scene::scene::{Node, Skin, Trs};
use maquette_scene::{Handle, pose};
use rayon::prelude::*;
use skinning::{Mover, Placed};
use std::borrow::Cow;

/// Where nodes are and how meshes are shaped where no moment of one clip says so: in a mix of several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodePose {
    /// Each node in its parent; `None` for those at rest, as are nodes beyond the end.
    pub locals: Vec<Option<Trs>>,
    /// How much of each morph target the mesh of each node has; nodes beyond the end, and those without any, as at rest.
    pub morph_weights: Vec<Vec<f32>>,
}

/// What is posed.
#[derive(Clone, Copy)]
pub(crate) enum Moment<'m> {
    Rest,
    Clip(&'m Clip, f32),
    Nodes(&'m NodePose),
}

/// A scene at a moment.
pub struct Posed<'s> {
    stage: &'s Stage<'s>,
    positions: Vec<Vec3>,
    world_from_node: Vec<Mat4>,
    pub(crate) nodes: Vec<Affine>,
    pub(crate) parts: Vec<PosedPart<'s>>,
}

/// A part with its vertices in the scene.
pub struct PosedPart<'s> {
    /// Coordinates, colours and influences; `None` for what is not of the scene.
    pub streams: Option<&'s Streams>,
    /// Which vertices of it make its triangles or lines; some may be beyond its last one.
    pub indices: Cow<'s, [u32]>,
    /// What the indices draw.
    pub topology: Topology,
    /// The place of its material; bones have one of their own, beyond all.
    pub material: usize,
    /// The place of its first vertex among all positions.
    pub first_vertex: usize,
    /// How many there are.
    pub vertex_count: usize,
    /// The number of its first triangle among all.
    pub first_triangle: u32,
    /// In the scene; none where the file has none.
    pub normals: Vec<Vec3>,
    /// In the scene, with the sign of the bitangent; none where the file has none.
    pub tangents: Vec<[f32; 4]>,
    /// Whether what moves it turns its triangles around.
    pub facing: Facing,
    /// The node and the place of the primitive in its mesh.
    pub origin: Option<[u32; 2]>,
}

/// Which way round the corners of front faces go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facing {
    /// As files have them.
    CounterClockwise,
    /// Mirrored.
    Clockwise,
}

impl PosedPart<'_> {
    /// As many triangles as it has indices for.
    pub fn triangle_count(&self) -> usize {
        if self.topology == Topology::Triangles { self.indices.len() / 3 } else { 0 }
    }
}

impl<'s> Posed<'s> {
    pub(crate) fn new(stage: &'s Stage<'s>, moment: Moment<'_>) -> Posed<'s> {
        let nodes = world(stage, &locals::locals(stage.scene(), moment));
        let (palettes, shapes) = (palettes(stage, &nodes), shapes(stage, moment));
        let placed: Vec<(Placed, Facing)> =
            stage.parts.par_iter().map(|part| placed(stage, part, &nodes, &palettes, &shapes)).collect();
        let mut positions = Vec::with_capacity(placed.iter().map(|(placed, _)| placed.positions.len()).sum());
        let mut parts = Vec::with_capacity(placed.len());
        let mut first_triangle = 0_u32;
        for (part, (placed, facing)) in stage.parts.iter().zip(placed) {
            let posed = PosedPart {
                streams: Some(&part.primitive.streams),
                indices: Cow::Borrowed(&part.primitive.indices),
                topology: part.primitive.topology,
                material: part.material,
                first_vertex: positions.len(),
                vertex_count: placed.positions.len(),
                first_triangle,
                normals: placed.normals,
                tangents: placed.tangents,
                facing,
                origin: Some([part.node.index() as u32, part.place as u32]),
            };
            positions.extend(placed.positions);
            // Numbers of triangles are 32 bits wide: what is beyond them is not drawn.
            let Some(next) =
                u32::try_from(posed.triangle_count()).ok().and_then(|count| first_triangle.checked_add(count))
            else {
                continue;
            };
            first_triangle = next;
            parts.push(posed);
        }
        let mut posed =
            Posed { stage, positions, world_from_node: nodes.iter().map(Affine::matrix).collect(), nodes, parts };
        if posed.parts.iter().all(|part| part.indices.is_empty()) {
            let skeleton = match moment {
                Moment::Clip(clip, secs) if posed.nodes.is_empty() => Skeleton::of_clip(clip, secs),
                _ => posed.skeleton(),
            };
            posed.add_skeleton(&skeleton);
        }
        posed
    }

    fn add_skeleton(&mut self, skeleton: &Skeleton) {
        let (corners, indices) = skeleton.solid();
        self.parts.push(PosedPart {
            streams: None,
            indices: Cow::Owned(indices),
            topology: Topology::Triangles,
            material: usize::MAX,
            first_vertex: self.positions.len(),
            vertex_count: corners.len(),
            first_triangle: 0,
            normals: Vec::new(),
            tangents: Vec::new(),
            facing: Facing::CounterClockwise,
            origin: None,
        });
        self.positions.extend(corners);
    }

    pub(crate) fn skeleton(&self) -> Skeleton {
        Skeleton::of(self.stage, &self.nodes)
    }

    /// The stage it is a pose of.
    pub fn stage(&self) -> &'s Stage<'s> {
        self.stage
    }

    /// Every drawn vertex, where it is in the scene: nodes parents first, their parts and vertices in order; corners of bones where there is no geometry.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// How many of these are no places, because a number of them is none or is infinite: what is drawn with them is left out. The caller is to tell.
    pub fn nowhere(&self) -> usize {
        self.positions.par_iter().filter(|position| !position.is_finite()).count()
    }

    /// From the space of each node to that of the scene.
    pub fn world_from_node(&self) -> &[Mat4] {
        &self.world_from_node
    }

    /// The box around all that is drawn; `None` where nothing is. Vertices that nothing is drawn with do not count.
    pub fn bounds(&self) -> Option<Bounds> {
        let and = |a: Option<Bounds>, b: Option<Bounds>| match (a, b) {
            (Some(a), Some(b)) => Some(a.and(b)),
            (one, other) => one.or(other),
        };
        let parts = self.parts.par_iter().map(|part| {
            let vertices = self.vertices(part);
            let shares = part.indices.par_chunks(1 << 16);
            let boxes = shares
                .map(|indices| Bounds::of(indices.iter().filter_map(|index| vertices.get(*index as usize).copied())));
            boxes.reduce(|| None, and)
        });
        parts.reduce(|| None, and)
    }

    /// A camera that sees all that is drawn, as closely as the model itself and not its box allows.
    pub fn camera(&self, framing: &Framing, size: [u32; 2]) -> Camera {
        Posed::camera_of_all(&[self], framing, size)
    }

    /// A camera that sees all of several, in one place.
    pub fn camera_of_all(all: &[&Posed<'_>], framing: &Framing, size: [u32; 2]) -> Camera {
        let Some(bounds) = all.iter().filter_map(|posed| posed.bounds()).reduce(Bounds::and) else {
            return framing.camera(&Bounds::UNIT, size);
        };
        let drawn = all.iter().flat_map(|posed| {
            posed.parts.iter().flat_map(|part| {
                let vertices = posed.vertices(part);
                part.indices.iter().filter_map(|index| vertices.get(*index as usize).copied())
            })
        });
        framing.camera_of(&bounds, drawn, size)
    }

    pub(crate) fn vertices(&self, part: &PosedPart<'_>) -> &[Vec3] {
        self.positions.get(part.first_vertex..part.first_vertex + part.vertex_count).unwrap_or_default()
    }
}

fn world(stage: &Stage<'_>, parent_from_node: &[Affine]) -> Vec<Affine> {
    let mut world = vec![Affine::IDENTITY; parent_from_node.len()];
    for handle in &stage.order {
        let parent = stage.parents.get(handle.index()).copied().flatten();
        let above = parent.map_or(Affine::IDENTITY, |parent| at(&world, parent.index()));
        if let Some(world) = world.get_mut(handle.index()) {
            *world = above.after(&at(parent_from_node, handle.index()));
        }
    }
    world
}

/// Every node at a moment of a clip, in the scene.
pub(crate) fn world_at(stage: &Stage<'_>, clip: &Clip, secs: f32) -> Vec<Affine> {
    world(stage, &locals::locals(stage.scene(), Moment::Clip(clip, secs)))
}

/// For each skin that moves something, from the space of meshes to that of the scene for each joint: once, however many nodes have it.
fn palettes(stage: &Stage<'_>, nodes: &[Affine]) -> Vec<Vec<Affine>> {
    let scene = stage.scene();
    let mut is_used = vec![false; scene.skins.len()];
    for part in stage.parts.iter().filter(|part| part.primitive.streams.influences.is_some()) {
        let skin = scene.nodes.get(part.node).and_then(|node| is_used.get_mut(node.skin?.index()));
        skin.into_iter().for_each(|is_used| *is_used = true);
    }
    let palette = |(skin, is_used): (&Skin, bool)| {
        let joints = skin.joints.iter().zip(&skin.joint_from_mesh).filter(|_| is_used);
        let matrix = |(joint, from_mesh): (&Handle<Node>, &Mat4)| {
            at(nodes, joint.index()).after(&Affine::from_matrix(from_mesh))
        };
        joints.map(matrix).collect()
    };
    scene.skins.iter().zip(is_used).map(palette).collect()
}

/// For each node, how much of each morph target a moment gives its mesh; `None` where it says nothing, as it does of nodes beyond the end.
fn shapes<'m>(stage: &Stage<'_>, moment: Moment<'m>) -> Vec<Option<Cow<'m, [f32]>>> {
    let given = |weights: &'m Vec<f32>| (!weights.is_empty()).then_some(Cow::Borrowed(&weights[..]));
    match moment {
        Moment::Rest => Vec::new(),
        Moment::Nodes(pose) => pose.morph_weights.iter().map(given).collect(),
        Moment::Clip(clip, secs) => {
            let mut shapes = vec![None; stage.scene().nodes.len()];
            for track in &clip.tracks {
                let (Target::Node(node), Curve::MorphWeights(keys)) = (&track.target, &track.curve) else { continue };
                if let (Some(slot), Some(weights)) = (shapes.get_mut(node.index()), pose::weights_at(keys, secs)) {
                    *slot = Some(Cow::Owned(weights));
                }
            }
            shapes
        }
    }
}

fn placed(
    stage: &Stage<'_>,
    part: &Part<'_>,
    nodes: &[Affine],
    palettes: &[Vec<Affine>],
    shapes: &[Option<Cow<'_, [f32]>>],
) -> (Placed, Facing) {
    let scene = stage.scene();
    let node = scene.nodes.get(part.node);
    let mesh = node.and_then(|node| scene.meshes.get(node.mesh?));
    let at_rest = match (node, mesh) {
        (Some(node), _) if !node.morph_weights.is_empty() => &node.morph_weights[..],
        (_, Some(mesh)) => &mesh.morph_weights[..],
        _ => &[],
    };
    let weights = shapes.get(part.node.index()).and_then(Option::as_deref).unwrap_or(at_rest);
    let palette = node.and_then(|node| palettes.get(node.skin?.index()));
    let mover = match palette.filter(|_| part.primitive.streams.influences.is_some()) {
        Some(palette) => Mover::Joints(palette),
        None => Mover::Node(at(nodes, part.node.index())),
    };
    let mirrors = match &mover {
        Mover::Node(affine) => affine.mirrors(),
        // Joints that mirror do so all together, or the mesh is torn anyway.
        Mover::Joints(palette) => {
            let first = part.primitive.streams.influences.as_ref().and_then(|influences| influences.of(0).next());
            first.is_some_and(|(joint, _)| at(palette, joint as usize).mirrors())
        }
    };
    let facing = if mirrors { Facing::Clockwise } else { Facing::CounterClockwise };
    (skinning::place(part.primitive, weights, &mover), facing)
}
