//! For each NLM code, the smallest change to the specimen that raises it.

use super::check::*;
use super::hash::HASH_FILE;
use super::raw::{Animation, Bone, BoneInfo, Dialect, File, Mesh, Node, RotationKey, Vertex};
use super::sample::{bundle, model};
use crate::format::{Bundle, change_at as at};
use crate::specimen::transposed;
use crate::{faults, trailing};
use std::borrow::Cow;
use zerocopy::little_endian::{F32, I32, U32};

/// The specimen with one thing changed.
fn with(change: fn(&mut File<'_>)) -> Bundle {
    with_dialect(Dialect::Document, change)
}

fn with_dialect(dialect: Dialect, change: fn(&mut File<'_>)) -> Bundle {
    let mut file = model(dialect);
    change(&mut file);
    bundle(&file)
}

/// The specimen's bytes with one thing changed.
fn with_bytes(change: fn(&mut Vec<u8>)) -> Bundle {
    let mut bytes = model(Dialect::Document).encode();
    change(&mut bytes);
    bytes.into()
}

/// The specimen and a side file with this text, or none.
fn with_hash_file(dialect: Dialect, text: Option<&str>) -> Bundle {
    let companions = text.map(|text| (HASH_FILE, text.as_bytes().to_vec())).into_iter().collect();
    Bundle { main: model(dialect).encode(), companions }
}

fn with_mesh(change: fn(&mut Mesh<'_>)) -> Bundle {
    let mut file = model(Dialect::Document);
    file.meshes.iter_mut().for_each(change);
    bundle(&file)
}

fn with_vertex(change: fn(&mut Vertex)) -> Bundle {
    let mut file = model(Dialect::Document);
    file.meshes.iter_mut().for_each(|mesh| at(&mut mesh.vertices, 3, change));
    bundle(&file)
}

fn with_animation(change: fn(&mut Animation<'_>)) -> Bundle {
    let mut file = model(Dialect::Document);
    file.animation.iter_mut().for_each(change);
    bundle(&file)
}

fn with_bone_info(change: fn(&mut BoneInfo)) -> Bundle {
    let mut file = model(Dialect::Document);
    file.animation.iter_mut().for_each(|animation| at(&mut animation.bone_info, 1, change));
    bundle(&file)
}

fn with_bone(change: fn(&mut Bone<'_>)) -> Bundle {
    let mut file = model(Dialect::Document);
    file.animation.iter_mut().flat_map(|animation| animation.bones.get_mut(1)).for_each(change);
    bundle(&file)
}

fn with_node(index: usize, change: fn(&mut Node<'_>)) -> Bundle {
    let mut file = model(Dialect::Document);
    file.animation.iter_mut().flat_map(|animation| animation.nodes.get_mut(index)).for_each(change);
    bundle(&file)
}

/// The specimen's mesh as the Dog engine writes it: texture ids, and the first of six records with a name.
fn dog_engine() -> Bundle {
    let mut file = model(Dialect::Engine);
    file.animation = None;
    file.meshes.iter_mut().for_each(|mesh| mesh.texture = Cow::Borrowed(&[]));
    let mut bytes = file.encode();
    bytes.truncate(bytes.len() - 4);
    bytes.extend([7; 48]);
    bytes.extend([0, 0, 0, 0, 8, 0, 0, 0]);
    bytes.extend(b"post.png");
    bytes.extend([0; 40]);
    bytes.into()
}

const NAN: F32 = F32::new(f32::NAN);

fn turned_round(key: &mut RotationKey) {
    key.rotation.rotate_left(1);
}

faults! {
    BAD_MAGIC: with_bytes(|bytes| bytes.splice(4..8, *b"MESH").for_each(drop));
    UNSUPPORTED_VERSION: with_bytes(|bytes| bytes.splice(8..9, [1]).for_each(drop));
    TRUNCATED: with_bytes(|bytes| bytes.truncate(bytes.len() - 1));
    TRAILING_BYTES: with_bytes(trailing::append_too_many);
    DOG_ENGINE: dog_engine();
    ANIMATION_FLAG_WRONG: with_bytes(|bytes| bytes.splice(12..13, [0]).for_each(drop));
    ANIMATION_FLAG_UNUSUAL: with(|file| file.animation_flag = 7);

    HASH_FILE_MISSING: with_hash_file(Dialect::Engine12, None);
    HASH_FILE_NOT_A_NUMBER: with_hash_file(Dialect::Engine12, Some("0x811c9dc5"));
    HASH_FILE_DISAGREES: with_hash_file(Dialect::Engine, Some("17"));
    HASH_FILE_UNNEEDED: with_hash_file(Dialect::Engine, Some("2166136261"));

    AABB_NOT_FINITE: with(|file| file.aabb.max = [NAN; 3]);
    AABB_INVERTED: with(|file| std::mem::swap(&mut file.aabb.min, &mut file.aabb.max));
    AABB_MISMATCH: with(|file| file.aabb.max = [3.0.into(); 3]);
    AABB_POINT: with(|file| file.aabb.max = file.aabb.min);

    NO_MESHES: with(|file| file.meshes.clear());
    MESH_EMPTY: with_mesh(|mesh| mesh.indices.to_mut().clear());
    MESH_LINES: with_mesh(|mesh| mesh.indices.to_mut().truncate(4));
    MESH_INDEX_COUNT: with_mesh(|mesh| mesh.indices.to_mut().truncate(5));
    INDEX_OUT_OF_RANGE: with_mesh(|mesh| at(&mut mesh.indices, 4, |index| *index = U32::new(28)));
    TRIANGLE_DEGENERATE: with_mesh(|mesh| at(&mut mesh.indices, 1, |index| *index = U32::new(0)));
    LINE_DEGENERATE: with_mesh(|mesh| mesh.indices = Cow::Owned([0, 1, 2, 2].map(U32::new).to_vec()));

    VERTEX_NOT_FINITE: with_vertex(|vertex| vertex.position = [0.0.into(), NAN, 0.0.into()]);
    NORMAL_NOT_UNIT: with_vertex(|vertex| vertex.normal = [0.0.into(); 3]);
    COLOR_OUT_OF_RANGE: with_vertex(|vertex| vertex.color = [1.0, 1.5, 0.0].map(Into::into));
    INFLUENCE_BONE: with_vertex(|vertex| vertex.bone_ids = [0, 3, -1, -1].map(Into::into));
    WEIGHT_SUM: with_vertex(|vertex| vertex.bone_weights = [0.5, 0.25, 0.0, 0.0].map(Into::into));
    WEIGHT_RANGE: with_vertex(|vertex| vertex.bone_weights = [1.5, -0.5, 0.0, 0.0].map(Into::into));
    INFLUENCE_UNUSED: with_vertex(|vertex| vertex.bone_ids = [0, 1, 0, 0].map(Into::into));
    INFLUENCE_WITHOUT_BONE: with_vertex(|vertex| vertex.bone_ids = [0, -1, -1, -1].map(Into::into));
    VERTEX_UNBOUND: with_vertex(|vertex| {
        vertex.bone_ids = [I32::new(-1); 4];
        vertex.bone_weights = [0.0.into(); 4];
    });

    TEXTURE_UNKNOWN: with_mesh(|mesh| mesh.texture = Cow::Borrowed(b"not an image"));
    TEXTURE_CUT: with_mesh(|mesh| { mesh.texture.to_mut().pop(); });
    TEXTURE_TRAILING: with_mesh(|mesh| mesh.texture.to_mut().push(0));
    TEXTURE_WITHOUT_UVS: with_mesh(|mesh| mesh.vertices.to_mut().iter_mut().for_each(|vertex| vertex.uv = [0.0.into(); 2]));

    DURATION_INVALID: with_animation(|animation| animation.duration = 0.0.into());
    TICKS_INVALID: with_animation(|animation| animation.ticks_per_second = 0.into());
    ANIMATION_WITHOUT_KEYS: with_animation(|animation| animation.bones.clear());
    ANIMATION_WITHOUT_NODES: with_animation(|animation| animation.nodes.clear());

    BONE_LIMIT: with_animation(|animation| {
        let last = animation.bone_info.last().copied();
        let more = (3..201).flat_map(|index| last.map(|bone| BoneInfo { bone_index: index.into(), ..bone }));
        animation.bone_info.to_mut().extend(more);
    });
    BONE_INFO_NODE_DUPLICATE: with_bone_info(|bone| bone.node_id = 0.into());
    BONE_INDEX_RANGE: with_bone_info(|bone| bone.bone_index = 3.into());
    BONE_INDEX_DUPLICATE: with_bone_info(|bone| bone.bone_index = 0.into());
    BONE_INFO_NODE_MISSING: with_bone_info(|bone| bone.node_id = 9.into());
    OFFSET_NOT_FINITE: with_bone_info(|bone| bone.offset_matrix = [NAN; 16]);
    OFFSET_NOT_AFFINE: with_bone_info(|bone| bone.offset_matrix = transposed(bone.offset_matrix.map(F32::get)).map(F32::new));
    OFFSET_DEGENERATE: with_bone_info(|bone| if let Some(scale_x) = bone.offset_matrix.first_mut() { *scale_x = 0.0.into() });

    BONE_NODE_DUPLICATE: with_bone(|bone| bone.node_id = 0.into());
    BONE_INDEX_MISMATCH: with_bone(|bone| bone.bone_index = 2.into());
    BONE_WITHOUT_INFO: with_animation(|animation| animation.bone_info.to_mut().truncate(2));
    BONE_NODE_MISSING: with_bone(|bone| bone.node_id = 9.into());
    BONE_WITHOUT_KEYS: with_bone(|bone| bone.scales.to_mut().clear());

    KEY_NOT_FINITE: with_bone(|bone| at(&mut bone.positions, 0, |key| key.position = [NAN; 3]));
    KEY_TIME_NEGATIVE: with_bone(|bone| at(&mut bone.rotations, 0, |key| key.time = (-250.0).into()));
    KEY_TIMES_UNSORTED: with_bone(|bone| at(&mut bone.rotations, 2, |key| key.time = 250.0.into()));
    KEY_TIMES_DUPLICATE: with_bone(|bone| at(&mut bone.rotations, 2, |key| key.time = 500.0.into()));
    KEY_AFTER_END: with_bone(|bone| at(&mut bone.rotations, 4, |key| key.time = 2001.0.into()));
    ROTATION_NOT_UNIT: with_bone(|bone| at(&mut bone.rotations, 4, |key| key.rotation = [2.0, 0.0, 0.0, 0.0].map(Into::into)));
    QUATERNION_ORDER: with_animation(|animation| {
        animation.bones.iter_mut().for_each(|bone| bone.rotations.to_mut().iter_mut().for_each(turned_round));
    });
    SCALE_ZERO: with_bone(|bone| at(&mut bone.scales, 0, |key| key.scale = [0.0.into(); 3]));

    NODE_ID_DUPLICATE: with_node(2, |node| node.id = 1.into());
    CHILD_OUT_OF_RANGE: with_node(2, |node| node.children = Cow::Owned(vec![I32::new(3)]));
    CHILD_BY_ID: with_animation(|animation| {
        animation.nodes.iter_mut().skip(1).take(1).for_each(|node| node.children = Cow::Owned(vec![I32::new(9)]));
        animation.nodes.iter_mut().skip(2).for_each(|node| node.id = 9.into());
    });
    CHILD_AMBIGUOUS: with_animation(|animation| {
        animation.nodes.iter_mut().zip([0, 2, 1]).for_each(|(node, id)| node.id = id.into());
    });
    NODE_TWO_PARENTS: with_node(0, |node| node.children = Cow::Owned([1, 2].map(I32::new).to_vec()));
    NODE_CYCLE: with_node(2, |node| node.children = Cow::Owned(vec![I32::new(1)]));
    NODE_UNREACHABLE: with_node(1, |node| node.children = Cow::Borrowed(&[]));
    NODE_NOT_FINITE: with_node(1, |node| node.transformation = [NAN; 16]);
    NODE_NOT_AFFINE: with_node(1, |node| node.transformation = transposed(node.transformation.map(F32::get)).map(F32::new));
    NODE_DEGENERATE: with_node(1, |node| if let Some(scale_x) = node.transformation.first_mut() { *scale_x = 0.0.into() });

    EXTRA_BYTES: with_bytes(|bytes| bytes.extend(b"more"));
}
