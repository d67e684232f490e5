//! Vertices and indices of a scene as AEM has them, made a few at a time while the file is written.
//!
//! The vertices of a large model take more memory than all else that is there of it, so that they are never held besides the file.

use super::raw::{Bulk, File, Vertex};
use crate::format::{Error, Result};
use crate::walk::{self, Walk, Walker};
use maquette_scene::glam::Vec3;
use maquette_scene::mesh::{Influences, Primitive, Topology};
use maquette_scene::scene::Skin;
use zerocopy::little_endian::{F32, I32, U32};

/// So many vertices or indices are made before they are written.
const AT_ONCE: usize = 256;

/// A file that is being made, with the geometry and the mip levels that go into it.
pub(super) struct Made<'m> {
    pub(super) file: &'m File<'m>,
    pub(super) parts: &'m [Part<'m>],
    pub(super) levels: &'m [&'m [u8]],
}

impl Made<'_> {
    /// The size of the file.
    pub(super) fn bytes(&self) -> usize {
        let geometry = self.vertex_count() * size_of::<Vertex>() + self.index_count() * size_of::<U32>();
        walk::size(self.file) + geometry + self.image_bytes()
    }
}

/// A part of a mesh that has all that a vertex of AEM needs.
pub(super) struct Part<'s> {
    positions: &'s [[f32; 3]],
    normals: &'s [[f32; 3]],
    tangents: &'s [[f32; 4]],
    uvs: &'s [[f32; 2]],
    influences: Option<&'s Influences>,
    pub(super) indices: &'s [u32],
    /// How many vertices are before its own.
    first_vertex: u32,
}

impl<'s> Part<'s> {
    pub(super) fn new(
        primitive: &'s Primitive,
        skin: Option<&Skin>,
        first_vertex: usize,
        subject: &str,
    ) -> Result<Part<'s>> {
        let cannot = |why: &str| Err(Error::CannotHold(format!("{subject} {why}")));
        let streams = &primitive.streams;
        let (Some(normals), Some(tangents), [uvs]) = (&streams.normals, &streams.tangents, streams.uvs.as_slice())
        else {
            return cannot("lacks normals, tangents or texture coordinates");
        };
        if primitive.topology != Topology::Triangles {
            return cannot("is made of lines");
        }
        let joint_count = skin.map_or(0, |skin| skin.joints.len());
        for influences in streams.influences.iter().filter(|_| !streams.is_empty()) {
            for vertex in 0..streams.len() {
                if influences.of(vertex).count() > 4 {
                    return cannot("has vertices that more than four joints move");
                }
                if influences.of(vertex).any(|(joint, _)| joint as usize >= joint_count) {
                    return cannot("names a joint that is not there");
                }
            }
        }
        Ok(Part {
            positions: &streams.positions,
            normals,
            tangents,
            uvs,
            influences: streams.influences.as_ref(),
            indices: &primitive.indices,
            first_vertex: first_vertex as u32,
        })
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    fn vertex(&self, index: usize) -> Option<Vertex> {
        let ([px, py, pz], [nx, ny, nz]) = (*self.positions.get(index)?, *self.normals.get(index)?);
        let ([x, y, z, sign], [u, v]) = (*self.tangents.get(index)?, *self.uvs.get(index)?);
        // Of unit length where the two are not quite at a right angle. Adding 0 turns -0 into 0.
        let bitangent = Vec3::new(nx, ny, nz).cross(Vec3::new(x, y, z)).normalize_or_zero() * sign + 0.0;
        let (joint_indices, joint_weights) = match self.influences {
            None => ([I32::new(-1); 4], [F32::ZERO; 4]),
            Some(influences) => slots(influences, index),
        };
        Some(Vertex {
            position: [F32::new(px), F32::new(py), F32::new(pz)],
            normal: [F32::new(nx), F32::new(ny), F32::new(nz)],
            tangent: [F32::new(x), F32::new(y), F32::new(z)],
            bitangent: [F32::new(bitangent.x), F32::new(bitangent.y), F32::new(bitangent.z)],
            uv: [F32::new(u), F32::new(v)],
            joint_indices,
            joint_weights,
        })
    }
}

fn slots(influences: &Influences, vertex: usize) -> ([I32; 4], [F32; 4]) {
    let (mut joints, mut weights) = ([I32::new(-1); 4], [F32::ZERO; 4]);
    for (slot, (joint, weight)) in influences.of(vertex).enumerate() {
        if let (Some(joint_slot), Some(weight_slot)) = (joints.get_mut(slot), weights.get_mut(slot)) {
            (*joint_slot, *weight_slot) = (I32::new(joint as i32), F32::new(weight));
        }
    }
    (joints, weights)
}

impl Bulk for Made<'_> {
    fn vertex_count(&self) -> usize {
        self.parts.iter().map(Part::vertex_count).sum()
    }

    fn index_count(&self) -> usize {
        self.parts.iter().map(|part| part.indices.len()).sum()
    }

    fn image_bytes(&self) -> usize {
        self.levels.iter().map(|level| level.len()).sum()
    }

    fn walk_vertices(&self, walker: &mut Walker<'_>) {
        let mut vertices = Vec::with_capacity(AT_ONCE);
        for part in self.parts {
            for first in (0..part.vertex_count()).step_by(AT_ONCE) {
                vertices.clear();
                for index in first..part.vertex_count().min(first + AT_ONCE) {
                    vertices.extend(part.vertex(index));
                }
                walker.table("vertices", &vertices, "");
            }
        }
    }

    fn walk_indices(&self, walker: &mut Walker<'_>) {
        let mut indices = Vec::with_capacity(AT_ONCE);
        for part in self.parts {
            for some in part.indices.chunks(AT_ONCE) {
                indices.clear();
                indices.extend(some.iter().map(|index| U32::new(part.first_vertex + index)));
                walker.table("indices", &indices, "");
            }
        }
    }

    fn walk_images(&self, walker: &mut Walker<'_>) {
        self.levels.iter().for_each(|level| walker.blob("image_buffer", level, ""));
    }
}

impl Walk for Made<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        self.file.walk_with(self, walker);
    }
}
