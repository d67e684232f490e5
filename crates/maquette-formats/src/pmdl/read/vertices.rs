//! The vertices of a mesh, of any type, as streams.
//!
//! A normal, tangent or texture coordinate that is zero in every vertex is what the converter writes where the source has none, and is
//! taken for that.

use super::super::check::INFLUENCE_BONE;
use super::super::raw::{Mesh, VertexType1, VertexType2, VertexType3, Vertices};
use crate::rules::{index_into, numbers};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::mesh::{Influences, Streams};
use maquette_scene::{Diagnostic, path};
use zerocopy::little_endian::{F32, I32};
use zerocopy::{FromBytes, IntoBytes};

/// Why vertices make no streams.
pub(super) enum Unusable {
    /// The position of this vertex is not finite.
    Positions(usize),
    /// A weight of this vertex is not finite.
    Weights(usize),
    /// An influence names a bone that is not there.
    Bone {
        /// Of this vertex.
        vertex: usize,
        /// Which of the vertex's four influences.
        slot: usize,
        /// What to say of it; the path is not yet right.
        finding: Box<Diagnostic>,
    },
}

/// A vertex of any type.
trait Stored {
    fn position(&self) -> [F32; 3];
    fn normal(&self) -> [F32; 3];
    fn uv(&self) -> [F32; 2];
    fn tangent(&self) -> [F32; 3] {
        [F32::ZERO; 3]
    }
    fn influences(&self) -> Option<(&[I32; 4], &[F32; 4])> {
        None
    }
}

macro_rules! stored {
    ($Vertex:ident { $($more:tt)* }) => {
        impl Stored for $Vertex {
            fn position(&self) -> [F32; 3] { self.position }
            fn normal(&self) -> [F32; 3] { self.normal }
            fn uv(&self) -> [F32; 2] { self.uv }
            $($more)*
        }
    };
}

stored!(VertexType1 {});
stored!(VertexType2 {
    fn tangent(&self) -> [F32; 3] { self.tangent }
});
stored!(VertexType3 {
    fn tangent(&self) -> [F32; 3] { self.tangent }
    fn influences(&self) -> Option<(&[I32; 4], &[F32; 4])> { Some((&self.bone_indices, &self.bone_weights)) }
});

/// The streams of a mesh.
pub(super) fn read(mesh: &Mesh<'_>, subject: &str, losses: &mut LossReport) -> Result<Streams, Unusable> {
    match &mesh.vertices {
        Vertices::Type1(vertices) => match as_type_2(vertices, mesh) {
            None => streams(vertices, mesh, subject, losses),
            Some(vertices) => {
                let detail = "they are read as the 44 bytes that pacaconvert writes under type 1";
                let kind = LossKind::Approximated { max_error: 0.0 };
                losses.push(kind, Lost::FormatDetails, subject, detail, 1);
                streams(vertices, mesh, subject, losses)
            }
        },
        Vertices::Type2(vertices) => streams(vertices, mesh, subject, losses),
        Vertices::Type3(vertices) => streams(vertices, mesh, subject, losses),
    }
}

/// Vertices of 44 bytes under type 1, as pacaconvert writes them for meshes without tangents: the indices use exactly as many as
/// there are of that length, and every tangent is zero.
fn as_type_2<'v>(vertices: &'v [VertexType1], mesh: &Mesh<'_>) -> Option<&'v [VertexType2]> {
    let used = mesh.indices.stored().iter().map(|index| index.get() as usize + 1).max()?;
    if used * size_of::<VertexType2>() != size_of_val(vertices) {
        return None;
    }
    let longer = <[VertexType2]>::ref_from_bytes(vertices.as_bytes()).ok()?;
    let no_tangents = longer.iter().all(|vertex| vertex.tangent.iter().all(|x| x.get() == 0.0));
    no_tangents.then_some(longer)
}

fn streams<V: Stored>(
    vertices: &[V],
    mesh: &Mesh<'_>,
    subject: &str,
    losses: &mut LossReport,
) -> Result<Streams, Unusable> {
    if let Some(vertex) = vertices.iter().position(|vertex| !numbers::all_finite(&vertex.position())) {
        return Err(Unusable::Positions(vertex));
    }
    let tangents = stream(vertices, V::tangent, Lost::Tangents, subject, losses);
    let uvs = stream(vertices, V::uv, Lost::TextureCoordinates, subject, losses);
    Ok(Streams {
        positions: vertices.iter().map(|vertex| vertex.position().map(F32::get)).collect(),
        normals: stream(vertices, V::normal, Lost::Normals, subject, losses),
        // The file stores no sign of the bitangent.
        tangents: tangents.map(|tangents| tangents.into_iter().map(|[x, y, z]| [x, y, z, 1.0]).collect()),
        uvs: uvs.into_iter().map(|uvs| uvs.into_iter().map(|[u, v]| [u, 1.0 - v]).collect()).collect(),
        colours: Vec::new(),
        influences: influences(vertices, mesh.bones.len(), subject, losses)?,
    })
}

/// One field of every vertex; `None` if it is zero throughout or somewhere not finite.
fn stream<V, const N: usize>(
    vertices: &[V],
    field: fn(&V) -> [F32; N],
    what: Lost,
    subject: &str,
    losses: &mut LossReport,
) -> Option<Vec<[f32; N]>> {
    let values: Vec<[f32; N]> = vertices.iter().map(|vertex| field(vertex).map(F32::get)).collect();
    if values.iter().flatten().all(|&x| x == 0.0) {
        return None;
    }
    let broken = values.iter().filter(|value| value.iter().any(|x| !x.is_finite())).count();
    losses.dropped(what, subject, format!("{broken} of {} are not finite", values.len()), broken as u64);
    (broken == 0).then_some(values)
}

fn influences<V: Stored>(
    vertices: &[V],
    bone_count: usize,
    subject: &str,
    losses: &mut LossReport,
) -> Result<Option<Influences>, Unusable> {
    let mut influences = Influences { slots: 4, ..Influences::default() };
    let mut boneless = 0;
    for (index, vertex) in vertices.iter().enumerate() {
        let Some((bones, weights)) = vertex.influences() else { return Ok(None) };
        if !numbers::all_finite(weights) {
            return Err(Unusable::Weights(index));
        }
        for (slot, (bone, weight)) in bones.iter().zip(weights).enumerate() {
            let (bone, weight) = (bone.get(), weight.get());
            let known = usize::try_from(bone).ok().filter(|&bone| bone < bone_count);
            let is_boneless = weight != 0.0 && (bone == -1 || bone_count == 0);
            boneless += u64::from(is_boneless);
            if weight != 0.0 && known.is_none() && !is_boneless {
                let finding = Diagnostic::new(&INFLUENCE_BONE, path!("meshes"), format!("the bone is {bone}"));
                let finding = Box::new(finding.expected(index_into(bone_count, "bones in this mesh")));
                return Err(Unusable::Bone { vertex: index, slot, finding });
            }
            let used = known.filter(|_| weight != 0.0);
            influences.joints.push(used.unwrap_or(0) as u32);
            influences.weights.push(used.map_or(0.0, |_| weight));
        }
    }
    losses.dropped(Lost::Influences, subject, "they move nothing", boneless);
    Ok((bone_count > 0).then_some(influences))
}
