//! The specimen as an NLM file: a PNG texture, three bones under as many nodes, one clip of 2000 ticks.

use super::hash::{self, FNV_BASIS};
use super::raw::{
    Aabb, Animation, Bone, BoneInfo, Dialect, File, HashPlace, Mesh, Node, PositionKey, RotationKey, ScaleKey, Vertex,
};
use crate::format::Bundle;
use crate::format::QuaternionOrder;
use crate::specimen;
use std::borrow::Cow;
use zerocopy::little_endian::{I32, U32};

/// The rate that the engine's importer gives glTF animations.
const TICKS_PER_SECOND: i32 = 1000;

/// A small model in the dialect of this id; the document's for an unknown one.
pub fn sample(dialect: &str) -> Bundle {
    bundle(&model(Dialect::from_id(dialect).unwrap_or(Dialect::Document)))
}

/// The model with its hash as a companion file, where the dialect keeps it there.
pub fn bundle(file: &File<'_>) -> Bundle {
    let companions = match file.dialect.hash_place() {
        HashPlace::Header => Vec::new(),
        HashPlace::HashFile => vec![(hash::HASH_FILE, FNV_BASIS.to_string().into_bytes())],
    };
    Bundle { main: file.encode(), companions }
}

/// The specimen, ready to change and encode. Its hash is the one that the engine takes for current.
pub fn model(dialect: Dialect) -> File<'static> {
    let (vertices, indices) = specimen::geometry();
    let mesh = Mesh {
        vertices: vertices.iter().map(vertex).collect(),
        indices: indices.into_iter().map(U32::new).collect(),
        texture: Cow::Owned(specimen::checker_png()),
    };
    let mut file = File {
        dialect,
        evidence: "made as such".into(),
        hash: match dialect.hash_place() {
            HashPlace::Header => FNV_BASIS,
            HashPlace::HashFile => 0,
        },
        magic: dialect.magic(),
        animation_flag: 1,
        aabb: Aabb { min: [0.0.into(); 3], max: [0.0.into(); 3] },
        meshes: vec![mesh],
        animation: Some(animation(dialect.quaternion_order())),
        trailing: Cow::default(),
    };
    if let Some(bounds) = file.bounds() {
        file.aabb = Aabb { min: bounds.min.map(Into::into), max: bounds.max.map(Into::into) };
    }
    file
}

/// The origin of texture coordinates is at the bottom left here.
fn vertex(vertex: &specimen::Vertex) -> Vertex {
    let [u, v] = vertex.uv;
    Vertex {
        position: vertex.position.map(Into::into),
        color: [1.0.into(); 3],
        normal: vertex.normal.map(Into::into),
        uv: [u.into(), (1.0 - v).into()],
        bone_ids: vertex.joints.map(Into::into),
        bone_weights: vertex.weights.map(Into::into),
    }
}

fn animation(order: QuaternionOrder) -> Animation<'static> {
    let joints = || (0..).map(I32::new).zip(&specimen::JOINTS);
    Animation {
        duration: ticks(specimen::DURATION_SECS).into(),
        ticks_per_second: TICKS_PER_SECOND.into(),
        bone_info: joints()
            .map(|(index, joint)| BoneInfo {
                node_id: index,
                offset_matrix: joint.inverse_bind().map(Into::into),
                bone_index: index,
            })
            .collect(),
        bones: joints().map(|(index, joint)| bone(index, joint, order)).collect(),
        nodes: joints()
            .map(|(index, joint)| Node {
                id: index,
                transformation: joint.local().map(Into::into),
                children: joints().filter(|(_, child)| child.parent == index.get()).map(|(child, _)| child).collect(),
            })
            .collect(),
    }
}

fn bone(index: I32, joint: &specimen::Joint, order: QuaternionOrder) -> Bone<'static> {
    let rotations = specimen::KEY_TIMES.iter().zip(joint.rotations).map(|(&time, [x, y, z, w])| RotationKey {
        time: ticks(time).into(),
        rotation: match order {
            QuaternionOrder::Wxyz => [w, x, y, z],
            QuaternionOrder::Xyzw => [x, y, z, w],
        }
        .map(Into::into),
    });
    Bone {
        node_id: index,
        bone_index: index,
        positions: Cow::Owned(vec![PositionKey { time: 0.0.into(), position: joint.translation.map(Into::into) }]),
        rotations: rotations.collect(),
        scales: Cow::Owned(vec![ScaleKey { time: 0.0.into(), scale: [1.0.into(); 3] }]),
    }
}

fn ticks(secs: f32) -> f32 {
    secs * TICKS_PER_SECOND as f32
}
