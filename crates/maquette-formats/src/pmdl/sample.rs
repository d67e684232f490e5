//! The specimen as a PMDL file, with the material, the animation and the texture that are its companion files.
//!
//! Companions are other formats' files. They are asked for by extension in the table of formats, so that no folder
//! names another and each format is made in one place only.

use super::raw::{Bone, Dialect, File, Indices, Mesh, VERSION, VertexType1, VertexType2, VertexType3, Vertices};
use crate::format::{BUILT_IN, Bundle, Naming};
use crate::specimen::{self, transposed};
use std::borrow::Cow;
use zerocopy::little_endian::U32;

/// A small model in the dialect of this id; the document's for an unknown one.
pub fn sample(dialect: &str) -> Bundle {
    let file = model(Dialect::from_id(dialect).unwrap_or(Dialect::Document));
    Bundle { main: file.encode(), companions: companions(&file) }
}

/// Companion files of the specimen: its material with the texture and, where it names an animation, that.
pub(super) fn companions(file: &File<'_>) -> Vec<(Naming, Vec<u8>)> {
    let animated = file.meshes.iter().any(|mesh| !mesh.animations.is_empty());
    let extensions: &[&'static str] = if animated { &["pmat", "pani"] } else { &["pmat"] };
    let mut companions = Vec::new();
    for &extension in extensions {
        let Some(made) = BUILT_IN.by_extension(extension) else { continue };
        let bundle = made.dialects.first().map(|dialect| (made.sample)(dialect.id)).unwrap_or_default();
        companions.push((Naming::Extension(extension), bundle.main));
        companions.extend(bundle.companions);
    }
    companions
}

/// The specimen, ready to change and encode.
pub fn model(dialect: Dialect) -> File<'static> {
    let (vertices, indices) = specimen::geometry();
    let rigged = dialect != Dialect::Engine20;
    let animated = matches!(dialect, Dialect::Document | Dialect::Engine);
    let mesh = Mesh {
        material_name: Cow::Borrowed(specimen::MATERIAL.as_bytes()),
        animations: animated.then_some(Cow::Borrowed(specimen::CLIP.as_bytes())).into_iter().collect(),
        bones: specimen::JOINTS
            .iter()
            .zip(0..)
            .filter(|_| rigged)
            .map(|(joint, id)| bone(joint, id, dialect))
            .collect(),
        vertices: match dialect {
            Dialect::Document => Vertices::Type1(vertices.iter().map(type_1).collect()),
            Dialect::Engine20 => Vertices::Type2(vertices.iter().map(type_2).collect()),
            Dialect::Engine | Dialect::Engine24 => Vertices::Type3(vertices.iter().map(type_3).collect()),
        },
        indices: Indices::U32(indices.into_iter().map(U32::new).collect()),
    };
    File {
        dialect,
        evidence: "made as such".into(),
        version: VERSION,
        name: Cow::Borrowed(b"post"),
        meshes: vec![mesh],
        trailing: Cow::default(),
    }
}

fn bone(joint: &specimen::Joint, id: i32, dialect: Dialect) -> Bone<'static> {
    let name = Cow::Borrowed(joint.name.as_bytes());
    let matrix = joint.inverse_bind();
    match dialect {
        Dialect::Document => Bone { id_or_parent: id.into(), offset_matrix: transposed(matrix).map(Into::into), name },
        _ => Bone { id_or_parent: joint.parent.into(), offset_matrix: matrix.map(Into::into), name },
    }
}

/// The specimen's texture coordinates begin at the top left, PMDL's at the bottom left.
fn flipped([u, v]: [f32; 2]) -> [f32; 2] {
    [u, 1.0 - v]
}

fn type_1(vertex: &specimen::Vertex) -> VertexType1 {
    VertexType1 {
        position: vertex.position.map(Into::into),
        normal: vertex.normal.map(Into::into),
        uv: flipped(vertex.uv).map(Into::into),
    }
}

fn type_2(vertex: &specimen::Vertex) -> VertexType2 {
    VertexType2 {
        position: vertex.position.map(Into::into),
        normal: vertex.normal.map(Into::into),
        tangent: vertex.tangent.map(Into::into),
        uv: flipped(vertex.uv).map(Into::into),
    }
}

fn type_3(vertex: &specimen::Vertex) -> VertexType3 {
    VertexType3 {
        position: vertex.position.map(Into::into),
        normal: vertex.normal.map(Into::into),
        tangent: vertex.tangent.map(Into::into),
        uv: flipped(vertex.uv).map(Into::into),
        bone_indices: vertex.joints.map(Into::into),
        bone_weights: vertex.weights.map(Into::into),
    }
}
