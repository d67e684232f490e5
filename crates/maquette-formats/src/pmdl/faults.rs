//! For each PMDL code, the smallest change to the specimen that raises it.

use super::check::*;
use super::raw::{Bone, Dialect, File, Indices, Mesh, VertexType3, Vertices};
use super::sample::{companions, model};
use crate::format::{Bundle, Naming, change_at};
use crate::specimen::transposed;
use crate::{faults, trailing};
use std::borrow::Cow;
use zerocopy::little_endian::{F32, U32};

/// The specimen of the engine's dialect with one thing changed.
fn with(change: fn(&mut File<'_>)) -> Bundle {
    with_dialect(Dialect::Engine, change)
}

fn with_dialect(dialect: Dialect, change: fn(&mut File<'_>)) -> Bundle {
    let mut file = model(dialect);
    change(&mut file);
    Bundle { main: file.encode(), companions: companions(&file) }
}

/// The specimen's bytes with one thing changed.
fn with_bytes(change: fn(&mut Vec<u8>)) -> Bundle {
    let mut bytes = model(Dialect::Document).encode();
    change(&mut bytes);
    bytes.into()
}

/// The specimen with its mesh changed.
fn with_mesh(change: fn(&mut Mesh<'_>)) -> Bundle {
    let mut file = model(Dialect::Engine);
    file.meshes.iter_mut().for_each(change);
    Bundle { main: file.encode(), companions: companions(&file) }
}

/// The document's specimen with its mesh changed.
fn with_document_mesh(change: fn(&mut Mesh<'_>)) -> Bundle {
    let mut file = model(Dialect::Document);
    file.meshes.iter_mut().for_each(change);
    Bundle { main: file.encode(), companions: companions(&file) }
}

/// The specimen with these bytes in the place of one companion.
fn with_companion(extension: &'static str, bytes: &[u8]) -> Bundle {
    let mut bundle = with(|_| {});
    for (naming, companion) in &mut bundle.companions {
        if *naming == Naming::Extension(extension) {
            *companion = bytes.to_vec();
        }
    }
    bundle
}

/// Changes one bone.
fn bone(mesh: &mut Mesh<'_>, index: usize, change: impl FnOnce(&mut Bone<'_>)) {
    if let Some(bone) = mesh.bones.get_mut(index) {
        change(bone);
    }
}

/// Changes vertex 3 of the engine's specimen.
fn vertex(mesh: &mut Mesh<'_>, change: impl FnOnce(&mut VertexType3)) {
    if let Vertices::Type3(vertices) = &mut mesh.vertices {
        change_at(vertices, 3, change);
    }
}

fn index(mesh: &mut Mesh<'_>, at: usize, value: u32) {
    if let Indices::U32(indices) = &mut mesh.indices {
        change_at(indices, at, |index| *index = U32::new(value));
    }
}

fn parents(mesh: &mut Mesh<'_>, numbers: [i32; 3]) {
    for (bone, number) in mesh.bones.iter_mut().zip(numbers) {
        bone.id_or_parent = number.into();
    }
}

/// A second mesh like the first, changed.
fn second_mesh(file: &mut File<'_>, change: fn(&mut Mesh<'_>)) {
    let Some(mut mesh) = file.meshes.first().cloned() else { return };
    change(&mut mesh);
    file.meshes.push(mesh);
}

const NAN: F32 = F32::new(f32::NAN);

/// Where the mesh header of the specimen begins.
const MESH_HEADER: usize = 16 + "post".len();

faults! {
    BAD_MAGIC: with_bytes(|bytes| bytes.splice(..4, *b"PMDX").for_each(drop));
    TRUNCATED: with_bytes(|bytes| bytes.truncate(bytes.len() - 1));
    TRAILING_BYTES: with_bytes(trailing::append_too_many);
    VERTEX_TYPE_UNKNOWN: with_bytes(|bytes| bytes.splice(MESH_HEADER..MESH_HEADER + 1, [4]).for_each(drop));
    INDEX_TYPE_UNKNOWN: with_bytes(|bytes| bytes.splice(MESH_HEADER + 8..MESH_HEADER + 9, [2]).for_each(drop));
    VERSION_NOT_ZERO: with(|file| file.version = 1);
    NO_MESHES: with(|file| file.meshes.clear());

    INDEX_OUT_OF_RANGE: with_mesh(|mesh| index(mesh, 4, 28));
    INDICES_NOT_TRIANGLES: with_mesh(|mesh| if let Indices::U32(indices) = &mut mesh.indices { indices.to_mut().truncate(53) });
    VERTICES_NOT_TRIANGLES: with_mesh(|mesh| mesh.indices = Indices::Absent { claimed: 0 });
    TRIANGLE_DEGENERATE: with_mesh(|mesh| index(mesh, 1, 0));
    INDICES_CLAIMED: with_mesh(|mesh| mesh.indices = Indices::Absent { claimed: 54 });
    MESH_EMPTY: with_mesh(|mesh| mesh.indices = Indices::U32(Cow::Owned(Vec::new())));
    VERTICES_OF_44_BYTES: with_document_mesh(|mesh| {
        // Eight vertices of 44 bytes are as long as eleven of 32.
        if let (Vertices::Type1(vertices), Indices::U32(indices)) = (&mut mesh.vertices, &mut mesh.indices) {
            vertices.to_mut().truncate(11);
            *indices = [0, 1, 3, 4, 6, 7].map(U32::new).to_vec().into();
        }
    });
    VERTICES_UNUSED: with_mesh(|mesh| if let Indices::U32(indices) = &mut mesh.indices { indices.to_mut().truncate(48) });

    NAME_EMPTY: with(|file| file.name = Cow::Borrowed(b""));
    MATERIAL_NAME_EMPTY: with_mesh(|mesh| mesh.material_name = Cow::Borrowed(b""));
    ANIMATION_NAME_EMPTY: with_mesh(|mesh| mesh.animations = vec![Cow::Borrowed(b"")]);
    NAME_NOT_UTF8: with_mesh(|mesh| mesh.material_name = Cow::Borrowed(b"caf\xe9"));
    NAME_HOLDS_NUL: with_mesh(|mesh| mesh.material_name = Cow::Borrowed(b"clay\0"));
    BONE_NAME_DUPLICATE: with_mesh(|mesh| bone(mesh, 2, |bone| bone.name = Cow::Borrowed(b"base")));
    ANIMATION_NAME_DUPLICATE: with_mesh(|mesh| mesh.animations = vec![Cow::Borrowed(b"sway"); 2]);

    TOO_MANY_BONES: with_mesh(|mesh| {
        let Some(last) = mesh.bones.last().cloned() else { return };
        for number in mesh.bones.len()..101 {
            mesh.bones.push(Bone { name: Cow::Owned(format!("spare{number}").into_bytes()), ..last.clone() });
        }
    });
    BONES_WITHOUT_WEIGHTS: with_dialect(Dialect::Document, |_| {});
    WEIGHTS_WITHOUT_BONES: with_mesh(|mesh| mesh.bones.clear());
    PARENT_OUT_OF_RANGE: with_mesh(|mesh| parents(mesh, [-1, 0, 3]));
    PARENT_CYCLE: with_mesh(|mesh| parents(mesh, [-1, 2, 1]));
    BONE_BEFORE_PARENT: with_mesh(|mesh| parents(mesh, [1, -1, 0]));
    PARENTS_LOOK_LIKE_IDS: with_mesh(|mesh| parents(mesh, [0, 1, 2]));
    IDS_LOOK_LIKE_PARENTS: with_document_mesh(|mesh| parents(mesh, [-1, 0, 1]));
    BONE_ID_DUPLICATE: with_document_mesh(|mesh| parents(mesh, [0, 1, 1]));
    BONE_ID_NOT_POSITION: with_document_mesh(|mesh| parents(mesh, [0, 2, 1]));
    MATRIX_NOT_FINITE: with_mesh(|mesh| bone(mesh, 1, |bone| bone.offset_matrix = [NAN; 16]));
    MATRIX_NOT_AFFINE: with_mesh(|mesh| bone(mesh, 1, |bone| {
        bone.offset_matrix = transposed(bone.offset_matrix.map(F32::get)).map(F32::new);
    }));
    MATRIX_DEGENERATE: with_mesh(|mesh| bone(mesh, 1, |bone| {
        if let Some(scale_x) = bone.offset_matrix.first_mut() { *scale_x = 0.0.into() }
    }));
    SKELETONS_DIFFER: with(|file| second_mesh(file, |mesh| bone(mesh, 1, |bone| bone.name = Cow::Borrowed(b"waist"))));
    ANIMATIONS_DIFFER: with(|file| second_mesh(file, |mesh| mesh.animations.clear()));
    ANIMATIONS_WITHOUT_BONES: with_mesh(|mesh| mesh.bones.clear());

    VERTEX_NOT_FINITE: with_mesh(|mesh| vertex(mesh, |vertex| vertex.position = [0.0.into(), NAN, 0.0.into()]));
    NORMAL_NOT_UNIT: with_mesh(|mesh| vertex(mesh, |vertex| vertex.normal = [0.0.into(); 3]));
    TANGENT_NOT_UNIT: with_mesh(|mesh| vertex(mesh, |vertex| vertex.tangent = [1.0.into(); 3]));
    INFLUENCE_BONE: with_mesh(|mesh| vertex(mesh, |vertex| vertex.bone_indices = [0, 3, -1, -1].map(Into::into)));
    WEIGHT_SUM: with_mesh(|mesh| vertex(mesh, |vertex| vertex.bone_weights = [0.5, 0.25, 0.0, 0.0].map(Into::into)));
    WEIGHT_RANGE: with_mesh(|mesh| vertex(mesh, |vertex| vertex.bone_weights = [1.5, -0.5, 0.0, 0.0].map(Into::into)));
    INFLUENCE_UNUSED: with_mesh(|mesh| vertex(mesh, |vertex| vertex.bone_indices = [0, 1, 0, 0].map(Into::into)));
    INFLUENCE_WITHOUT_BONE: with_mesh(|mesh| vertex(mesh, |vertex| vertex.bone_indices = [0, -1, -1, -1].map(Into::into)));

    MATERIAL_FILE_MISSING: model(Dialect::Engine).encode().into();
    MATERIAL_FILE_OTHER: with_mesh(|mesh| mesh.material_name = Cow::Borrowed(b"brick"));
    ANIMATION_FILE_MISSING: model(Dialect::Engine).encode().into();
    ANIMATION_FILE_OTHER: with_mesh(|mesh| mesh.animations = vec![Cow::Borrowed(b"walk")]);
    ANIMATION_FILE_BONES: with_mesh(|mesh| mesh.bones.truncate(2));
    COMPANION_UNREADABLE: with_companion("pmat", b"PMAT");

    EXTRA_BYTES: with_bytes(|bytes| bytes.extend(b"more"));
}
