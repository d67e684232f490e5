//! The specimen as a BMW file: a root node that draws the post, three bones below it, one animation of two seconds.
//!
//! Matrices are column-major. The animation has a matrix for each quarter of a second, made from constants by
//! multiplication alone, so that every machine makes the same bytes.

use super::raw::{
    Animation, Bone, BoneName, Dialect, File, HEADER, Influence, Material, Mesh, Node, Vertex, VertexWeights,
};
use super::sidecar::{Clip, NAMING, Settings};
use crate::format::{Bundle, Naming};
use crate::specimen;
use std::borrow::Cow;
use zerocopy::little_endian::U32;

/// Ticks in a second; the specimen's two seconds are eight ticks.
const RATE: u32 = 4;
const DURATION: u32 = 8;

/// A small model in the dialect of this id; the document's for an unknown one.
pub fn sample(dialect: &str) -> Bundle {
    bundle(&model(Dialect::from_id(dialect).unwrap_or(Dialect::Document)))
}

/// The file with its companion files: its texture, and a JSON file that names its clip.
pub fn bundle(file: &File<'_>) -> Bundle {
    let companions = vec![
        (NAMING, settings(file.dialect).to_json().into_bytes()),
        (Naming::Fixed(specimen::TEXTURE_FILE), specimen::checker_png()),
    ];
    Bundle { main: file.encode(), companions }
}

/// What the specimen's companion JSON file says.
pub fn settings(dialect: Dialect) -> Settings {
    let clip = Clip {
        name: Some(specimen::CLIP.into()),
        start: Some(0),
        end: Some(dialect.matrices_for(DURATION) - 1),
        looped: Some(true),
        hold: Some(false),
        file: None,
    };
    let animated = dialect.stores_animations();
    Settings {
        rotation: Some(0.0),
        rotation_angle: Some("0.0 1.0 0.0".into()),
        scale: Some("1.0 1.0 1.0".into()),
        translation: Some("0.0 0.0 0.0".into()),
        texture_overrides: Vec::new(),
        default_anim: animated.then(|| specimen::CLIP.into()),
        clips: animated.then_some(clip).into_iter().collect(),
    }
}

/// The specimen, ready to change and encode.
pub fn model(dialect: Dialect) -> File<'static> {
    let bone_names = ["RootNode"].into_iter().chain(specimen::JOINTS.map(|joint| joint.name)).enumerate();
    let bone_name =
        |(id, name): (usize, &'static str)| BoneName { node_id: id as u32, name: Cow::Borrowed(name.as_bytes()) };
    File {
        dialect,
        evidence: "made as such".into(),
        fitting: vec![dialect],
        header: Cow::Borrowed(HEADER),
        materials: vec![Material { textures: vec![Cow::Borrowed(specimen::TEXTURE_FILE.as_bytes())] }],
        meshes: vec![mesh(dialect)],
        nodes: nodes(),
        animations: dialect.stores_animations().then(|| animation(dialect)).into_iter().collect(),
        bone_names: if dialect == Dialect::Engine { bone_names.map(bone_name).collect() } else { Vec::new() },
        trailing: Cow::default(),
    }
}

/// The node that is this joint: the root comes before the bones.
fn node_of(joint: usize) -> u32 {
    joint as u32 + 1
}

fn nodes() -> Vec<Node<'static>> {
    let root = Node {
        id: 0,
        matrix: specimen::translation_matrix([0.0; 3]).map(Into::into),
        mesh_ids: Cow::Owned(vec![U32::new(0)]),
        child_count: 1,
    };
    let bone = |(index, joint): (usize, &specimen::Joint)| Node {
        id: node_of(index),
        matrix: joint.local().map(Into::into),
        mesh_ids: Cow::Owned(Vec::new()),
        child_count: u32::from(index + 1 < specimen::JOINTS.len()),
    };
    [root].into_iter().chain(specimen::JOINTS.iter().enumerate().map(bone)).collect()
}

fn mesh(dialect: Dialect) -> Mesh<'static> {
    let (vertices, indices) = specimen::geometry();
    if !dialect.stores_faces() {
        let corners = indices.iter().filter_map(|&index| vertices.get(index as usize)).map(vertex);
        return Mesh { vertices: corners.collect(), ..Mesh::default() };
    }
    let faces = indices.as_chunks::<3>().0.iter().map(|face| face.map(U32::new)).collect();
    let weights = vertices.iter().enumerate().map(weights).filter(|_| dialect.stores_ids()).collect();
    Mesh { weights, vertices: vertices.iter().map(vertex).collect(), faces }
}

fn vertex(vertex: &specimen::Vertex) -> Vertex {
    let [u, v] = vertex.uv;
    Vertex {
        position: vertex.position.map(Into::into),
        color: [255.into(); 4],
        uv: [u.into(), (1.0 - v).into()],
        normal: vertex.normal.map(Into::into),
    }
}

fn weights((index, vertex): (usize, &specimen::Vertex)) -> VertexWeights<'static> {
    let influence = |(&joint, &weight): (&i32, &f32)| {
        let node_id = node_of(usize::try_from(joint).ok()?).into();
        Some(Influence { node_id, weight: weight.into() })
    };
    let influences = vertex.joints.iter().zip(&vertex.weights).filter_map(influence).collect();
    VertexWeights { vertex_id: index as u32, influences: Cow::Owned(influences) }
}

/// What is animated: a joint swings left by this many times 15 degrees, tick by tick.
const SWING: [i8; 9] = [0, 1, 2, 1, 0, -1, -2, -1, 0];

/// Sine and cosine of 0, 15 and 30 degrees.
const TURNS: [(f32, f32); 3] = [(0.0, 1.0), (0.258_819_04, 0.965_925_8), (0.5, 0.866_025_4)];

/// How a joint is turned about +Z at a tick, after its rest position, column by column.
fn local(joint: &specimen::Joint, side: i8, tick: usize) -> [f32; 16] {
    let swing = SWING.get(tick).map_or(0, |steps| steps * side);
    let (sine, cosine) = TURNS.get(usize::from(swing.unsigned_abs())).copied().unwrap_or((0.0, 1.0));
    let sine = if swing < 0 { -sine } else { sine };
    let [x, y, z] = joint.translation;
    [cosine, sine, 0.0, 0.0, -sine, cosine, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
}

/// `a * b`, column by column.
fn product(a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
    let (columns, _) = a.as_chunks::<4>();
    let mut result = [0.0; 16];
    for (into, by) in result.as_chunks_mut::<4>().0.iter_mut().zip(b.as_chunks::<4>().0) {
        for (column, &factor) in columns.iter().zip(by) {
            into.iter_mut().zip(column).for_each(|(sum, x)| *sum += x * factor);
        }
    }
    result
}

fn animation(dialect: Dialect) -> Animation<'static> {
    let ticks = dialect.matrices_for(DURATION) as usize;
    let sides: [i8; 3] = [0, 1, -1];
    let mut bones = Vec::new();
    let mut parents = vec![specimen::translation_matrix([0.0; 3]); ticks];
    for ((index, joint), side) in specimen::JOINTS.iter().enumerate().zip(sides) {
        let locals: Vec<[f32; 16]> = (0..ticks).map(|tick| local(joint, side, tick)).collect();
        // Each joint of the specimen is a child of the one before it.
        parents = parents.iter().zip(&locals).map(|(&parent, &local)| product(parent, local)).collect();
        let skinning = || parents.iter().map(|&global| product(global, joint.inverse_bind())).collect();
        let matrices: Vec<[f32; 16]> = if dialect.is_engine() { skinning() } else { locals };
        let matrices = matrices.iter().map(|matrix| matrix.map(Into::into)).collect();
        bones.push(Bone { node_id: node_of(index), matrices: Cow::Owned(matrices) });
    }
    Animation { duration: DURATION, rate: RATE, bones }
}
