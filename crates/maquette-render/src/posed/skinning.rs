//! The vertices of a part in the scene: morphed, then moved by joints or by the node.

use crate::maths::{Affine, at, unit_or};
use maquette_scene::glam::Vec3;
use maquette_scene::mesh::{Primitive, Streams};
use rayon::prelude::*;

/// What moves a part.
pub(super) enum Mover<'p> {
    Node(Affine),
    /// Mesh space to scene space for each joint.
    Joints(&'p [Affine]),
}

/// The vertices of a part, in the scene.
#[derive(Default)]
pub(super) struct Placed {
    pub positions: Vec<Vec3>,
    /// None where the file has none.
    pub normals: Vec<Vec3>,
    /// Direction and sign of the bitangent; none where the file has none.
    pub tangents: Vec<[f32; 4]>,
}

/// Vertices that one core takes at a time.
const SHARE: usize = 1 << 14;

struct Vertex {
    position: Vec3,
    normal: Vec3,
    tangent: [f32; 4],
}

pub(super) fn place(primitive: &Primitive, weights: &[f32], mover: &Mover<'_>) -> Placed {
    let streams = &primitive.streams;
    let shapes = primitive.morph_targets.iter().zip(weights.iter().copied()).filter(|(_, weight)| *weight != 0.0);
    let shapes: Vec<_> = shapes.collect();
    let count = streams.len();
    let (has_normals, has_tangents) = (streams.normals.is_some(), streams.tangents.is_some());
    let mut placed = Placed {
        positions: vec![Vec3::ZERO; count],
        normals: vec![Vec3::ZERO; if has_normals { count } else { 0 }],
        tangents: vec![[0.0; 4]; if has_tangents { count } else { 0 }],
    };
    let vertex = |index: usize| {
        let mut vertex = at_rest(streams, index);
        for (target, weight) in &shapes {
            let shift = |list: &[[f32; 3]]| Vec3::from(at(list, index)) * *weight;
            vertex.position += shift(&target.positions);
            vertex.normal += target.normals.as_deref().map_or(Vec3::ZERO, shift);
            let tangent = target.tangents.as_deref().map_or(Vec3::ZERO, shift);
            vertex.tangent[0] += tangent.x;
            vertex.tangent[1] += tangent.y;
            vertex.tangent[2] += tangent.z;
        }
        moved(streams, index, vertex, mover)
    };
    let fill = |first: usize, positions: &mut [Vec3], normals: &mut [Vec3], tangents: &mut [[f32; 4]]| {
        for (place, position) in positions.iter_mut().enumerate() {
            let vertex = vertex(first + place);
            *position = vertex.position;
            if let Some(normal) = normals.get_mut(place) {
                *normal = vertex.normal;
            }
            if let Some(tangent) = tangents.get_mut(place) {
                *tangent = vertex.tangent;
            }
        }
    };
    if count <= SHARE {
        fill(0, &mut placed.positions, &mut placed.normals, &mut placed.tangents);
        return placed;
    }
    let mut normals: Vec<&mut [Vec3]> = placed.normals.chunks_mut(SHARE).collect();
    let mut tangents: Vec<&mut [[f32; 4]]> = placed.tangents.chunks_mut(SHARE).collect();
    normals.resize_with(count.div_ceil(SHARE), Default::default);
    tangents.resize_with(count.div_ceil(SHARE), Default::default);
    let shares = placed.positions.par_chunks_mut(SHARE).zip(normals).zip(tangents).enumerate();
    shares.for_each(|(share, ((positions, normals), tangents))| fill(share * SHARE, positions, normals, tangents));
    placed
}

fn at_rest(streams: &Streams, index: usize) -> Vertex {
    let position = Vec3::from(at(&streams.positions, index));
    let normal = streams.normals.as_deref().map_or(Vec3::ZERO, |normals| Vec3::from(at(normals, index)));
    let tangent = streams.tangents.as_deref().map_or([0.0; 4], |tangents| at(tangents, index));
    Vertex { position, normal, tangent }
}

fn moved(streams: &Streams, index: usize, vertex: Vertex, mover: &Mover<'_>) -> Vertex {
    let by = match (mover, &streams.influences) {
        (Mover::Node(affine), _) => *affine,
        (Mover::Joints(_), None) => Affine::IDENTITY,
        (Mover::Joints(palette), Some(influences)) => {
            let mut total = 0.0;
            let mut blend = Affine::ZERO;
            for (joint, weight) in influences.of(index) {
                blend = blend.plus(&at(palette, joint as usize), weight);
                total += weight;
            }
            // A vertex that nothing moves stays where it was bound.
            if total == 0.0 { Affine::IDENTITY } else { blend }
        }
    };
    let [x, y, z, sign] = vertex.tangent;
    let direction = unit_or(by.vector(Vec3::new(x, y, z)), Vec3::ZERO);
    let sign = if by.mirrors() { -sign } else { sign };
    Vertex {
        position: by.point(vertex.position),
        normal: unit_or(by.normal(vertex.normal), Vec3::ZERO),
        tangent: [direction.x, direction.y, direction.z, sign],
    }
}
