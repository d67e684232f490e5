//! Parts as meshes.

use super::drawn::{Drawn, SLOTS};
use super::surfaces::Textures;
use super::{cannot_hold, losses};
use crate::format::Result;
use crate::nlm::raw::{self, Vertex};
use crate::nlm::unit_size::UnitSize;
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::mesh::{Influences, Primitive, Streams, Topology};
use std::borrow::Cow;
use zerocopy::little_endian::{F32, I32, U32};

/// Writes every part of every mesh.
pub fn write<'a>(
    drawn: &[Drawn<'a>],
    textures: &Textures<'a>,
    unit_size: Option<UnitSize>,
    report: &mut LossReport,
) -> Result<Vec<raw::Mesh<'a>>> {
    let mut meshes = Vec::new();
    for mesh in drawn {
        for primitive in mesh.primitives() {
            losses::of_streams(primitive, mesh, textures.of(primitive), report);
            meshes.push(raw::Mesh {
                vertices: vertices(&primitive.streams, mesh, unit_size)?,
                indices: indices(primitive, mesh, report),
                texture: Cow::Borrowed(textures.of(primitive)),
            });
        }
    }
    let too_long = |length: usize| u32::try_from(length).is_err();
    let is_too_long = |mesh: &raw::Mesh<'_>| too_long(mesh.indices.len()) || too_long(mesh.texture.len());
    match too_long(meshes.len()) || meshes.iter().any(is_too_long) {
        true => cannot_hold("NLM counts meshes, indices and the bytes of a texture in 32 bits, and there are more"),
        false => Ok(meshes),
    }
}

fn vertices(streams: &Streams, mesh: &Drawn<'_>, unit_size: Option<UnitSize>) -> Result<Cow<'static, [Vertex]>> {
    let influences = streams.influences.as_ref().filter(|_| mesh.skinned);
    let vertex = |(at, &position): (usize, &[f32; 3])| {
        let position = unit_size.map_or(position, |unit_size| unit_size.normalise(position));
        let normal = streams.normals.as_ref().and_then(|normals| normals.get(at)).copied().unwrap_or([0.0; 3]);
        let [r, g, b, _] = streams.colours.first().and_then(|set| set.get(at)).copied().unwrap_or([1.0; 4]);
        let uv = streams.uvs.first().and_then(|set| set.get(at));
        let (bone_ids, bone_weights) = bones(influences, at)?;
        Ok(Vertex {
            position: position.map(F32::new),
            color: [r, g, b].map(F32::new),
            normal: normal.map(F32::new),
            uv: uv.map_or([0.0; 2], |&[u, v]| [u, 1.0 - v]).map(F32::new),
            bone_ids,
            bone_weights,
        })
    };
    streams.positions.iter().enumerate().map(vertex).collect()
}

/// In their slots; unused ones are -1.
fn bones(influences: Option<&Influences>, vertex: usize) -> Result<([I32; SLOTS], [F32; SLOTS])> {
    let (mut ids, mut weights) = ([I32::new(-1); SLOTS], [F32::new(0.0); SLOTS]);
    let Some(influences) = influences else { return Ok((ids, weights)) };
    let slots = vertex * influences.slots..(vertex + 1) * influences.slots;
    let joints = influences.joints.get(slots.clone()).unwrap_or_default();
    let all = joints.iter().zip(influences.weights.get(slots).unwrap_or_default());
    for ((id, slot), (&joint, &weight)) in ids.iter_mut().zip(&mut weights).zip(all).filter(|(_, (_, w))| **w != 0.0) {
        let Ok(joint) = i32::try_from(joint) else { return cannot_hold("NLM counts bones in 31 bits") };
        (*id, *slot) = (joint.into(), weight.into());
    }
    Ok((ids, weights))
}

/// Lines are told from triangles by their count: where it is a multiple of 3, the last line comes twice.
fn indices(primitive: &Primitive, mesh: &Drawn<'_>, report: &mut LossReport) -> Cow<'static, [U32]> {
    let mut indices: Vec<U32> = primitive.indices.iter().copied().map(U32::new).collect();
    if primitive.topology == Topology::Lines && indices.len().is_multiple_of(3) {
        match indices.last_chunk::<2>().copied() {
            Some(last) => {
                indices.extend(last);
                let detail = "the last comes twice, because a multiple of 3 indices would be triangles";
                report.push(LossKind::Baked, Lost::Lines, mesh.subject.as_str(), detail, 1);
            }
            None => report.dropped(Lost::Lines, mesh.subject.as_str(), "lines without indices", 1),
        }
    }
    indices.into()
}
