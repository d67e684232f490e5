//! Meshes that several nodes draw get their normals and tangents once, before they are repeated.
//!
//! A turn, a move and a size that is the same along all axes take normals and tangents along, so that they come out as if they were made in place, but for the
//! rounding of the last bits. Other transforms bend them, and meshes at such nodes get theirs in place. A mirrored mesh has its corners the other
//! way round, and is prepared that way round.

use super::{surface, tangents};
use maquette_formats::format::Caps;
use maquette_scene::glam::{Mat3, Mat4};
use maquette_scene::mesh::{Mesh, Primitive};
use maquette_scene::{Handle, Scene};
use rayon::prelude::*;
use std::collections::HashMap;

/// How far from each other the sizes along the axes may be, and how far from a right angle the axes, for a transform to bend nothing.
const BENT: f32 = 1e-5;

/// How many vertices of a mesh were given something.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    pub normals: u64,
    pub tangents: u64,
}

/// What can be repeated: the parts of a mesh, and what they were given.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    pub primitives: Vec<Primitive>,
    pub given: Given,
}

/// Meshes to be drawn several times, as they are and mirrored.
#[derive(Debug, Default)]
pub struct Instances(HashMap<(Handle<Mesh>, Turn), Prepared>);

/// Which way round a mesh is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Turn {
    Upright,
    Mirrored,
}

impl Instances {
    /// Prepares what several nodes draw with such transforms, and what lacks something that the format needs.
    pub fn prepare(scene: &Scene, world_from_node: &[Mat4], caps: &Caps) -> Instances {
        let mut drawn: HashMap<(Handle<Mesh>, Turn), usize> = HashMap::new();
        for (node, &world) in scene.nodes.iter().zip(world_from_node) {
            if let Some(key) = node.mesh.and_then(|mesh| Some((mesh, turn(world)?))) {
                *drawn.entry(key).or_default() += 1;
            }
        }
        let lacks = |primitive: &Primitive| {
            let streams = &primitive.streams;
            caps.needs_normals && streams.normals.is_none() || caps.needs_tangents && streams.tangents.is_none()
        };
        let several = drawn.into_iter().filter(|(_, count)| *count > 1).filter_map(|(key, _)| {
            let mesh = scene.meshes.get(key.0)?;
            mesh.primitives.iter().any(lacks).then_some((key, mesh))
        });
        let several: Vec<((Handle<Mesh>, Turn), &Mesh)> = several.collect();
        let prepared = several.into_par_iter().map(|(key, mesh)| (key, Prepared::new(mesh, key.1, caps)));
        Instances(prepared.collect())
    }

    /// A mesh that was prepared to be drawn with this transform.
    pub fn of(&self, mesh: Handle<Mesh>, world: Mat4) -> Option<&Prepared> {
        self.0.get(&(mesh, turn(world)?))
    }
}

impl Prepared {
    fn new(mesh: &Mesh, turn: Turn, caps: &Caps) -> Prepared {
        let mut prepared = Prepared { primitives: mesh.primitives.clone(), given: Given::default() };
        for primitive in &mut prepared.primitives {
            if turn == Turn::Mirrored {
                primitive.turn_around();
            }
            if caps.needs_normals && primitive.streams.normals.is_none() {
                prepared.given.normals += surface::make_normals(primitive);
                if turn == Turn::Mirrored {
                    // They face where they would if the triangles were not turned around.
                    let normals = primitive.streams.normals.iter_mut().flatten();
                    normals.for_each(|normal| *normal = normal.map(|x| -x));
                }
            }
            if caps.needs_tangents && primitive.streams.tangents.is_none() {
                prepared.given.tangents += tangents::lay(primitive, tangents::Normals::AreScaled);
                if turn == Turn::Mirrored {
                    let tangents = primitive.streams.tangents.iter_mut().flatten();
                    tangents.for_each(|[_, _, _, sign]| *sign = -*sign);
                }
            }
            if turn == Turn::Mirrored {
                primitive.turn_around();
            }
        }
        prepared
    }
}

/// Which way round a transform turns what it does not bend; `None` for one that bends it, and for one that does nothing, which takes
/// normals as they are.
fn turn(world: Mat4) -> Option<Turn> {
    let linear = Mat3::from_mat4(world);
    let square = linear.transpose() * linear;
    let size = square.x_axis.x;
    let is_similar = size.is_normal() && (square * size.recip()).abs_diff_eq(Mat3::IDENTITY, BENT);
    let turn = if linear.determinant() < 0.0 { Turn::Mirrored } else { Turn::Upright };
    (is_similar && world != Mat4::IDENTITY).then_some(turn)
}
