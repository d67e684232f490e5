//! Streams as vertices, of the richest type that the dialect has and the streams need.
//!
//! Type 3 if a skin moves the part, else type 2 if it has tangents, else type 1, which is all the document has. A field that the part
//! has no stream for is zero, as the engine's converter writes it.

use super::super::raw::{Dialect, VertexType1, VertexType2, VertexType3, Vertices};
use super::{Drawn, cannot};
use crate::format::Result;
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::mesh::Streams;

/// The vertices of a part.
pub(super) fn write(drawn: &Drawn<'_>, dialect: Dialect, losses: &mut LossReport) -> Result<Vertices<'static>> {
    let Drawn { subject, primitive, .. } = drawn;
    let streams = &primitive.streams;
    let count = streams.len() as u64;
    if streams.normals.is_none() {
        return Err(cannot(format!("{subject} has no normals")));
    }
    let weighted = drawn.is_skinned() && matches!(dialect, Dialect::Engine | Dialect::Engine24);
    if streams.influences.is_some() && !weighted {
        let detail = match drawn.is_skinned() {
            true => format!("the dialect {} has none", dialect.id()),
            false => "there is no skin for them".into(),
        };
        losses.dropped(Lost::Influences, subject, detail, count);
    }
    losses.dropped(Lost::VertexColours, subject, "the format has none", streams.colours.len() as u64 * count);
    losses.dropped(Lost::UvSets, subject, "all but the first", streams.uvs.len().saturating_sub(1) as u64);
    let tangents = streams.tangents.as_ref();
    if dialect == Dialect::Document {
        losses.dropped(Lost::Tangents, subject, "the dialect document has none", tangents.map_or(0, |_| count));
    } else {
        let mirrored = tangents.into_iter().flatten().filter(|[.., sign]| *sign < 0.0).count();
        let detail = "the signs of mirrored ones: the file has no signs, and they are read as +1";
        losses.dropped(Lost::Tangents, subject, detail, mirrored as u64);
    }
    let vertices = 0..streams.len();
    if weighted {
        let vertices: Result<Vec<VertexType3>> = vertices.map(|vertex| type_3(drawn, vertex)).collect();
        return Ok(Vertices::Type3(vertices?.into()));
    }
    Ok(match tangents.is_some() && dialect != Dialect::Document {
        true => Vertices::Type2(vertices.map(|vertex| type_2(streams, vertex)).collect()),
        false => Vertices::Type1(vertices.map(|vertex| type_1(streams, vertex)).collect()),
    })
}

fn type_1(streams: &Streams, vertex: usize) -> VertexType1 {
    let VertexType2 { position, normal, uv, .. } = type_2(streams, vertex);
    VertexType1 { position, normal, uv }
}

fn type_2(streams: &Streams, vertex: usize) -> VertexType2 {
    let normal = streams.normals.as_ref().and_then(|normals| normals.get(vertex)).copied().unwrap_or_default();
    let tangent = streams.tangents.as_ref().and_then(|tangents| tangents.get(vertex)).copied().unwrap_or_default();
    let uv = streams.uvs.first().and_then(|uvs| uvs.get(vertex)).map_or([0.0; 2], |&[u, v]| [u, 1.0 - v]);
    let [x, y, z, _] = tangent;
    VertexType2 {
        position: streams.positions.get(vertex).copied().unwrap_or_default().map(Into::into),
        normal: normal.map(Into::into),
        tangent: [x, y, z].map(Into::into),
        uv: uv.map(Into::into),
    }
}

fn type_3(drawn: &Drawn<'_>, vertex: usize) -> Result<VertexType3> {
    let VertexType2 { position, normal, tangent, uv } = type_2(&drawn.primitive.streams, vertex);
    let (bones, weights) = influences(drawn, vertex)?;
    let (bone_indices, bone_weights) = (bones.map(Into::into), weights.map(Into::into));
    Ok(VertexType3 { position, normal, tangent, uv, bone_indices, bone_weights })
}

/// The bones that move a vertex, -1 where a slot is unused, and how much.
fn influences(drawn: &Drawn<'_>, vertex: usize) -> Result<([i32; 4], [f32; 4])> {
    let Drawn { subject, primitive, skin } = drawn;
    let (mut bones, mut weights) = ([-1; 4], [0.0; 4]);
    let mut slots = bones.iter_mut().zip(&mut weights);
    for (joint, weight) in primitive.streams.influences.iter().flat_map(|influences| influences.of(vertex)) {
        let Some((bone_slot, weight_slot)) = slots.next() else {
            return Err(cannot(format!("{subject} has vertices that more than four joints move")));
        };
        let known = skin.is_some_and(|skin| (joint as usize) < skin.joints.len());
        let Some(bone) = i32::try_from(joint).ok().filter(|_| known) else {
            return Err(cannot(format!("{subject} names a joint that is not there")));
        };
        (*bone_slot, *weight_slot) = (bone, weight);
    }
    Ok((bones, weights))
}
