//! For each BMW code, the smallest change to the specimen that raises it.

use super::check::*;
use super::raw::{Animation, Dialect, File, Influence, Material, Mesh, Node, Vertex, VertexWeights};
use super::sample::{bundle, model};
use super::sidecar::NAMING;
use crate::format::{Bundle, Naming, change_at};
use crate::specimen::TEXTURE_FILE;
use crate::{faults, trailing};
use std::borrow::Cow;
use zerocopy::little_endian::{F32, U32};

/// The specimen with one thing changed.
fn with(change: fn(&mut File<'static>)) -> Bundle {
    with_dialect(Dialect::Document, change)
}

fn with_dialect(dialect: Dialect, change: fn(&mut File<'static>)) -> Bundle {
    let mut file = model(dialect);
    change(&mut file);
    bundle(&file)
}

/// The specimen's bytes with one thing changed.
fn with_bytes(change: fn(&mut Vec<u8>)) -> Bundle {
    let mut changed = bundle(&model(Dialect::Document));
    change(&mut changed.main);
    changed
}

/// The specimen with this companion file instead of the one of that name.
fn with_companions(naming: Naming, bytes: &[u8]) -> Bundle {
    let mut changed = bundle(&model(Dialect::Document));
    changed.companions.iter_mut().filter(|(known, _)| *known == naming).for_each(|(_, old)| *old = bytes.to_vec());
    changed
}

fn with_json(text: &str) -> Bundle {
    with_companions(NAMING, text.as_bytes())
}

fn with_texture(path: &'static str) -> Bundle {
    let mut file = model(Dialect::Document);
    file.materials = vec![Material { textures: vec![Cow::Borrowed(path.as_bytes())] }];
    bundle(&file)
}

fn with_vertex(change: fn(&mut Vertex)) -> Bundle {
    let mut file = model(Dialect::Document);
    file.meshes.iter_mut().for_each(|mesh| change_at(&mut mesh.vertices, 3, change));
    bundle(&file)
}

fn with_weights(change: fn(&mut VertexWeights<'static>)) -> Bundle {
    let mut file = model(Dialect::Document);
    file.meshes.iter_mut().flat_map(|mesh| mesh.weights.get_mut(3)).for_each(change);
    bundle(&file)
}

fn with_node(change: fn(&mut Node<'static>)) -> Bundle {
    let mut file = model(Dialect::Document);
    file.nodes.get_mut(2).into_iter().for_each(change);
    bundle(&file)
}

fn with_animation(change: fn(&mut Animation<'static>)) -> Bundle {
    let mut file = model(Dialect::Document);
    file.animations.iter_mut().for_each(change);
    bundle(&file)
}

/// Influences of these nodes and weights.
fn influences(all: &[(u32, f32)]) -> Cow<'static, [Influence]> {
    all.iter().map(|&(node_id, weight)| Influence { node_id: node_id.into(), weight: weight.into() }).collect()
}

/// A node that draws nothing, with this many children.
fn empty_node(id: u32, child_count: u32) -> Node<'static> {
    let matrix = crate::specimen::translation_matrix([0.0; 3]).map(F32::new);
    Node { id, matrix, mesh_ids: Cow::Owned(Vec::new()), child_count }
}

const NAN: F32 = F32::new(f32::NAN);

faults! {
    BAD_HEADER: with_bytes(|bytes| bytes.splice(..3, *b"Moo").for_each(drop));
    HEADER_VERSION: with(|file| file.header = Cow::Borrowed(b"Beo-Model-Wolf Format Version 2\0"));
    TRUNCATED: with_bytes(|bytes| bytes.truncate(bytes.len() - 1));
    TRAILING_BYTES: with_bytes(trailing::append_too_many);
    TOO_MANY: with_bytes(|bytes| bytes.splice(36..40, u32::MAX.to_le_bytes()).for_each(drop));
    HEADER_NEWLINE: with(|file| file.header = Cow::Borrowed(b"Beo-Model-Wolf Format Version 1\n"));
    SEVERAL_DIALECTS: with(|file| {
        // A single node and nothing else: read in the engine's order, the root's id is a count of 0 meshes.
        file.materials.clear();
        file.meshes.clear();
        file.animations.clear();
        file.nodes = vec![empty_node(0, 0)];
    });

    TEXTURE_PATH_EMPTY: with_texture("");
    TEXT_NOT_UTF8: with(|file| file.materials = vec![Material { textures: vec![Cow::Borrowed(b"caf\xe9.png")] }]);
    TEXTURE_BACKSLASH: with_texture("..\\textures\\post.png");
    TEXTURE_ABSOLUTE: with_texture("C:/textures/post.png");
    TEXTURE_COUNT: with(|file| file.materials.clear());
    MATERIAL_SEVERAL_TEXTURES: with(|file| {
        file.materials.iter_mut().for_each(|material| material.textures.push(Cow::Borrowed(b"normals.png")));
        file.materials.push(Material::default());
    });
    TEXTURE_MISSING: with_texture("elsewhere.png");
    TEXTURE_NOT_IMAGE: with_companions(Naming::Fixed(TEXTURE_FILE), b"no image");

    FACE_INDEX: with(|file| file.meshes.iter_mut().for_each(|mesh| {
        change_at(&mut mesh.faces, 1, |face| *face = [0, 1, 28].map(U32::new));
    }));
    FACE_DEGENERATE: with(|file| file.meshes.iter_mut().for_each(|mesh| {
        change_at(&mut mesh.faces, 1, |face| *face = [0, 1, 0].map(U32::new));
    }));
    MESH_EMPTY: with(|file| file.meshes.push(Mesh::default()));
    VERTEX_NOT_FINITE: with_vertex(|vertex| vertex.position = [0.0.into(), NAN, 0.0.into()]);
    NORMAL_NOT_UNIT: with_vertex(|vertex| vertex.normal = [F32::new(f32::from_bits(1)); 3]);
    COLOUR_RANGE: with_vertex(|vertex| vertex.color = [255, 256, 255, 255].map(Into::into));
    VERTICES_NOT_TRIANGLES: with_dialect(Dialect::Day09, |file| {
        file.meshes.iter_mut().for_each(|mesh| mesh.vertices.to_mut().truncate(52));
    });
    MESH_UNUSED: with(|file| file.nodes.iter_mut().for_each(|node| node.mesh_ids = Cow::Owned(Vec::new())));
    MESH_SHARED: with_node(|node| node.mesh_ids = Cow::Owned(vec![0.into()]));

    WEIGHT_VERTEX: with_weights(|weights| weights.vertex_id = 28);
    WEIGHT_VERTEX_TWICE: with_weights(|weights| weights.vertex_id = 2);
    WEIGHT_SUM: with_weights(|weights| weights.influences = influences(&[(1, 0.5), (2, 0.25)]));
    WEIGHT_RANGE: with_weights(|weights| weights.influences = influences(&[(1, 1.5), (2, -0.5)]));
    WEIGHT_NOT_FINITE: with_weights(|weights| weights.influences = influences(&[(1, f32::INFINITY)]));
    WEIGHT_NODE: with_weights(|weights| weights.influences = influences(&[(4, 1.0)]));
    WEIGHT_TOO_MANY: with_weights(|weights| {
        weights.influences = influences(&[(0, 0.5), (1, 0.25), (2, 0.125), (3, 0.0625), (0, 0.0625)]);
    });
    WEIGHT_EMPTY: with_weights(|weights| weights.influences = influences(&[]));
    WEIGHT_NODE_TWICE: with_weights(|weights| weights.influences = influences(&[(1, 0.5), (1, 0.5)]));
    VERTICES_UNWEIGHTED: with(|file| file.meshes.iter_mut().for_each(|mesh| mesh.weights.truncate(27)));
    WEIGHTS_IN_SEVERAL_MESHES: with(|file| file.meshes.extend_from_within(..));

    NODE_ID_TWICE: with_node(|node| node.id = 1);
    NODE_ID_ORDER: with_node(|node| node.id = 7);
    NODE_MESH: with_node(|node| node.mesh_ids = Cow::Owned(vec![1.into()]));
    NODE_NOT_FINITE: with_node(|node| node.matrix = [NAN; 16]);
    NODE_NOT_AFFINE: with_node(|node| {
        node.matrix = crate::specimen::transposed(node.matrix.map(F32::get)).map(F32::new);
    });
    NODE_DEGENERATE: with_node(|node| if let Some(scale_x) = node.matrix.first_mut() { *scale_x = 0.0.into() });
    NODES_DEEP: with(|file| {
        let first = file.nodes.len() as u32;
        file.nodes.last_mut().into_iter().for_each(|node| node.child_count = 1);
        file.nodes.extend((first..300).map(|id| empty_node(id, u32::from(id < 299))));
    });
    TOO_MANY_BONES: with(|file| {
        let first = file.nodes.len() as u32;
        file.nodes.first_mut().into_iter().for_each(|node| node.child_count += 128);
        file.nodes.extend((first..first + 128).map(|id| empty_node(id, 0)));
        let all: Vec<(u32, f32)> = (first..first + 128).map(|id| (id, 1.0 / 128.0)).collect();
        let weights = file.meshes.first_mut().and_then(|mesh| mesh.weights.first_mut());
        weights.into_iter().for_each(|weights| weights.influences = influences(&all));
    });

    ANIMATION_NOT_FINITE: with_animation(|animation| {
        animation.bones.iter_mut().for_each(|bone| change_at(&mut bone.matrices, 5, |matrix| *matrix = [NAN; 16]));
    });
    ANIMATION_NOT_AFFINE: with_animation(|animation| animation.bones.iter_mut().for_each(|bone| {
        change_at(&mut bone.matrices, 5, |matrix| if let Some(last) = matrix.last_mut() { *last = 0.5.into() });
    }));
    ANIMATION_NODE: with_animation(|animation| animation.bones.iter_mut().for_each(|bone| bone.node_id += 2));
    ANIMATION_NODE_TWICE: with_animation(|animation| animation.bones.iter_mut().for_each(|bone| bone.node_id = 1));
    RATE_ZERO: with_animation(|animation| animation.rate = 0);
    DURATION_ZERO: with_animation(|animation| {
        animation.duration = 0;
        animation.bones.iter_mut().for_each(|bone| bone.matrices = Cow::Owned(Vec::new()));
    });
    MATRIX_COUNT: with_dialect(Dialect::Day29, |file| file.animations.iter_mut().for_each(|animation| {
        animation.duration = 0;
        animation.rate = 0;
    }));
    ANIMATION_EMPTY: with_animation(|animation| animation.bones.clear());
    WEIGHTED_NOT_ANIMATED: with_animation(|animation| animation.bones.truncate(2));

    BONE_NAME_NODE: with_dialect(Dialect::Engine, |file| {
        file.bone_names.first_mut().into_iter().for_each(|bone| bone.node_id = 9);
    });
    BONE_NAME_NODE_TWICE: with_dialect(Dialect::Engine, |file| file.bone_names.extend_from_within(3..));
    BONE_NAME_TWICE: with_dialect(Dialect::Engine, |file| {
        file.bone_names.iter_mut().skip(2).for_each(|bone| bone.name = Cow::Borrowed(b"arm"));
    });
    BONE_NAME_EMPTY: with_dialect(Dialect::Engine, |file| {
        file.bone_names.iter_mut().skip(3).for_each(|bone| bone.name = Cow::Borrowed(b""));
    });
    BONE_NAME_MISSING: with_dialect(Dialect::Engine, |file| file.bone_names.truncate(2));

    SIDECAR_NOT_JSON: with_json("rotation = 90");
    SIDECAR_KEY: with_json(r#"{ "rotationAxis": "0 1 0" }"#);
    SIDECAR_TYPE: with_json(r#"{ "rotation": "90" }"#);
    SIDECAR_MISSING: with_json(r#"{ "clips": [{ "name": "sway", "start": 0 }] }"#);
    SIDECAR_VECTOR: with_json(r#"{ "scale": "2.0" }"#);
    SIDECAR_SCALE_ZERO: with_json(r#"{ "scale": "1 0 1" }"#);
    SIDECAR_AXIS_ZERO: with_json(r#"{ "rotation": 90, "rotationAngle": "0 0 0" }"#);
    CLIP_RANGE: with_json(r#"{ "clips": [{ "name": "sway", "start": 0, "end": 8 }] }"#);
    CLIP_BACKWARDS: with_json(r#"{ "clips": [{ "name": "sway", "start": 5, "end": 4 }] }"#);
    CLIP_TWICE: with_json(r#"{ "clips": [{ "name": "a", "start": 0, "end": 3 }, { "name": "a", "start": 4, "end": 7 }] }"#);
    DEFAULT_ANIM_UNKNOWN: with_json(r#"{ "defaultAnim": "run", "clips": [{ "name": "sway", "start": 0, "end": 7 }] }"#);
    CLIP_FILE_MISSING: with_json(r#"{ "clips": [{ "name": "run", "start": 0, "end": 7, "file": "run.bmw" }] }"#);

    EXTRA_BYTES: with_bytes(|bytes| bytes.extend(b"more"));
}
