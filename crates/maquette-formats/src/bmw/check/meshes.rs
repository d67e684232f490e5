//! Vertices, faces and bone weights.

use super::super::ids::IdSet;
use super::super::raw::{Dialect, File, Mesh, Vertex, VertexWeights};
use super::{
    COLOUR_RANGE, FACE_DEGENERATE, FACE_INDEX, MESH_EMPTY, NORMAL_NOT_UNIT, Tallies, VERTEX_NOT_FINITE,
    VERTICES_NOT_TRIANGLES, VERTICES_UNWEIGHTED, WEIGHT_EMPTY, WEIGHT_NODE, WEIGHT_NODE_TWICE, WEIGHT_NOT_FINITE,
    WEIGHT_RANGE, WEIGHT_SUM, WEIGHT_TOO_MANY, WEIGHT_VERTEX, WEIGHT_VERTEX_TWICE, WEIGHTS_IN_SEVERAL_MESHES,
};
use crate::rules;
use crate::rules::numbers::{self, magnitude_bits};
use maquette_scene::{Diagnostic, Report, path};
use std::collections::HashSet;
use zerocopy::little_endian::U32;

/// How far the weights of a vertex may be from adding up to 1. The converter's own are off by up to 0.0012.
const SUM_TOLERANCE: f32 = 2e-3;
/// How many weights of a vertex the engine keeps.
const ENGINE_WEIGHTS: usize = 4;

pub(super) fn check(file: &File<'_>, report: &mut Report) {
    let node_ids = file.node_ids();
    let mut tallies = Tallies::default();
    let mut weighted = 0;
    for (index, mesh) in file.meshes.iter().enumerate() {
        shape(file.dialect, index, mesh, &mut tallies, report);
        if !mesh.vertices.is_empty() {
            let describe = |at, vertex: &Vertex, fault| describe_vertex(index, at, vertex, fault);
            rules::scan(report, &mesh.vertices, vertex_faults, describe);
        }
        if !mesh.faces.is_empty() {
            faces(index, mesh, report);
        }
        if !mesh.weights.is_empty() {
            weighted += 1;
            weights(index, mesh, &node_ids, report);
        }
        if weighted == 2 && !mesh.weights.is_empty() {
            tallies.hit(report, &WEIGHTS_IN_SEVERAL_MESHES, || {
                let message = "this mesh has weights, and one before it does";
                (path!("meshes", index, "weight_count"), message.into(), "weights in one mesh".into())
            });
        }
    }
    tallies.finish(report);
}

fn shape(dialect: Dialect, index: usize, mesh: &Mesh<'_>, tallies: &mut Tallies, report: &mut Report) {
    let (vertices, faces) = (mesh.vertices.len(), mesh.faces.len());
    if vertices == 0 {
        tallies.hit(report, &MESH_EMPTY, || {
            (path!("meshes", index, "vertex_count"), "the mesh has no vertices".into(), "at least 3".into())
        });
    } else if dialect.stores_faces() && faces == 0 {
        tallies.hit(report, &MESH_EMPTY, || {
            (path!("meshes", index, "face_count"), "the mesh has no faces".into(), "at least 1".into())
        });
    } else if !dialect.stores_faces() && vertices % 3 != 0 {
        tallies.hit(report, &VERTICES_NOT_TRIANGLES, || {
            let message = format!("the mesh has {vertices} vertices and no faces");
            (path!("meshes", index, "vertex_count"), message, "a multiple of 3".into())
        });
    }
}

const NOT_FINITE: u32 = 1;
const NORMAL: u32 = 2;
const COLOUR: u32 = 4;

#[inline]
fn vertex_faults(vertex: &Vertex) -> u32 {
    let finite =
        numbers::all_finite(&vertex.position) & numbers::all_finite(&vertex.uv) & numbers::all_finite(&vertex.normal);
    // A negative number is a large unsigned one.
    let colour = vertex.color.iter().fold(0, |all, channel| all | channel.get() as u32) <= 255;
    (u32::from(!finite) * NOT_FINITE)
        | (u32::from(finite & !numbers::is_unit(&vertex.normal)) * NORMAL)
        | (u32::from(!colour) * COLOUR)
}

fn describe_vertex(mesh: usize, index: usize, vertex: &Vertex, fault: u32) -> Diagnostic {
    let at = |field: &'static str| path!("meshes", mesh, "vertices", index, field);
    match fault {
        NOT_FINITE => {
            let fields: [(&'static str, &[_]); 3] =
                [("position", &vertex.position), ("uv", &vertex.uv), ("normal", &vertex.normal)];
            numbers::not_finite(&VERTEX_NOT_FINITE, &fields, at)
        }
        NORMAL => {
            let message = match vertex.normal.iter().any(|x| magnitude_bits(*x) == 1) {
                true => "the normal holds the whole number 1 where a float belongs".into(),
                false => format!("the normal has length {}", numbers::length(&vertex.normal)),
            };
            Diagnostic::new(&NORMAL_NOT_UNIT, at("normal"), message).expected("length 1")
        }
        _ => {
            let mut channels = vertex.color.iter().map(|channel| channel.get()).enumerate();
            let (channel, value) = channels.find(|(_, value)| !(0..=255).contains(value)).unwrap_or_default();
            Diagnostic::new(&COLOUR_RANGE, at("color").join(channel), format!("the channel is {value}"))
                .expected("0 to 255")
        }
    }
}

/// What the number of a vertex may be, in words.
fn vertex_of(count: usize) -> String {
    match count {
        0 => "none: the mesh has no vertices".into(),
        _ => format!("0 to {}, the mesh has {count} vertices", count - 1),
    }
}

const OUT_OF_RANGE: u32 = 1;
const SAME_CORNERS: u32 = 2;

fn faces(mesh_index: usize, mesh: &Mesh<'_>, report: &mut Report) {
    let count = mesh.vertices.len();
    let bound = u32::try_from(count).unwrap_or(u32::MAX);
    let faults = |face: &[U32; 3]| {
        let [a, b, c] = face;
        let (a, b, c) = (a.get(), b.get(), c.get());
        (u32::from((a >= bound) | (b >= bound) | (c >= bound)) * OUT_OF_RANGE)
            | (u32::from((a == b) | (b == c) | (c == a)) * SAME_CORNERS)
    };
    rules::scan(report, &mesh.faces, faults, |index, face, fault| {
        let at = path!("meshes", mesh_index, "faces", index);
        let [a, b, c] = face.map(U32::get);
        if fault == OUT_OF_RANGE {
            let (corner, vertex) =
                [a, b, c].into_iter().enumerate().find(|&(_, vertex)| vertex >= bound).unwrap_or_default();
            let finding = Diagnostic::new(&FACE_INDEX, at.join(corner), format!("the corner is vertex {vertex}"));
            finding.expected(vertex_of(count))
        } else {
            Diagnostic::new(&FACE_DEGENERATE, at, format!("the corners are {a}, {b} and {c}"))
                .expected("three different vertices")
        }
    });
}

const VERTEX: u32 = 1;
const EMPTY: u32 = 2;
const MANY: u32 = 4;
const WEIGHT_INFINITE: u32 = 8;
const RANGE: u32 = 16;
const SUM: u32 = 32;
const NODE: u32 = 64;
const NODE_TWICE: u32 = 128;

fn in_range(weight: f32) -> bool {
    (0.0..=1.0 + SUM_TOLERANCE).contains(&weight)
}

fn weight_faults(weights: &VertexWeights<'_>, vertices: usize, node_ids: &IdSet) -> u32 {
    let influences = &weights.influences;
    let mut bits = u32::from(weights.vertex_id as usize >= vertices) * VERTEX;
    bits |= u32::from(influences.len() > ENGINE_WEIGHTS) * MANY;
    if influences.is_empty() {
        return bits | EMPTY;
    }
    let mut sum = 0.0;
    let mut ranges = 0;
    for influence in influences.iter() {
        let weight = influence.weight.get();
        sum += weight;
        ranges |= u32::from(!in_range(weight)) * RANGE;
        bits |= u32::from(!weight.is_finite()) * WEIGHT_INFINITE;
        bits |= u32::from(!node_ids.contains(influence.node_id.get())) * NODE;
    }
    if bits & WEIGHT_INFINITE == 0 {
        bits |= ranges | (u32::from((sum - 1.0).abs() > SUM_TOLERANCE) * SUM);
    }
    bits | (u32::from(first_repeated_node(weights).is_some()) * NODE_TWICE)
}

/// The first influence whose node an earlier one names.
fn first_repeated_node(weights: &VertexWeights<'_>) -> Option<usize> {
    let ids = || weights.influences.iter().map(|influence| influence.node_id).enumerate();
    if weights.influences.len() <= 8 {
        return ids().find(|&(at, id)| ids().take(at).any(|(_, earlier)| earlier == id)).map(|(at, _)| at);
    }
    let mut seen = HashSet::new();
    ids().find(|(_, id)| !seen.insert(id.get())).map(|(at, _)| at)
}

fn weights(mesh_index: usize, mesh: &Mesh<'_>, node_ids: &IdSet, report: &mut Report) {
    let vertices = mesh.vertices.len();
    rules::scan(
        report,
        &mesh.weights,
        |weights| weight_faults(weights, vertices, node_ids),
        |index, weights, fault| describe_weights(mesh_index, index, weights, fault, (vertices, node_ids)),
    );
    let mut tallies = Tallies::default();
    let mut listed = IdSet::expecting(vertices);
    let mut beyond = 0;
    for (index, weights) in mesh.weights.iter().enumerate() {
        if listed.insert(weights.vertex_id) {
            beyond += usize::from(weights.vertex_id as usize >= vertices);
        } else {
            tallies.hit(report, &WEIGHT_VERTEX_TWICE, || {
                let message = format!("vertex {} was listed before", weights.vertex_id);
                (path!("meshes", mesh_index, "weights", index, "vertex_id"), message, "each vertex once".into())
            });
        }
    }
    tallies.finish(report);
    let without = vertices + beyond - listed.len();
    if without > 0 {
        let message = format!("{without} of {vertices} vertices have no weights");
        let at = path!("meshes", mesh_index, "weight_count");
        report.push(Diagnostic::new(&VERTICES_UNWEIGHTED, at, message).expected("weights for all or none"));
    }
}

fn describe_weights(
    mesh: usize,
    index: usize,
    weights: &VertexWeights<'_>,
    fault: u32,
    (vertices, node_ids): (usize, &IdSet),
) -> Diagnostic {
    let at = |field: &'static str| path!("meshes", mesh, "weights", index, field);
    let first = |wrong: &dyn Fn(u32, f32) -> bool| {
        let mut all = weights.influences.iter().map(|by| (by.node_id.get(), by.weight.get())).enumerate();
        all.find(|&(_, (id, weight))| wrong(id, weight)).unwrap_or_default()
    };
    let within = |slot: usize, field: &'static str| at("influences").join(slot).join(field);
    match fault {
        VERTEX => Diagnostic::new(&WEIGHT_VERTEX, at("vertex_id"), format!("the vertex is {}", weights.vertex_id))
            .expected(vertex_of(vertices)),
        EMPTY => {
            Diagnostic::new(&WEIGHT_EMPTY, at("influence_count"), format!("vertex {} has none", weights.vertex_id))
                .expected("at least 1")
        }
        MANY => {
            let message = format!("vertex {} has {} weights", weights.vertex_id, weights.influences.len());
            Diagnostic::new(&WEIGHT_TOO_MANY, at("influence_count"), message).expected("at most 4")
        }
        WEIGHT_INFINITE => {
            let (slot, (_, weight)) = first(&|_, weight| !weight.is_finite());
            Diagnostic::new(&WEIGHT_NOT_FINITE, within(slot, "weight"), format!("the weight is {weight}"))
                .expected("a number from 0 to 1")
        }
        RANGE => {
            let (slot, (_, weight)) = first(&|_, weight| !in_range(weight));
            Diagnostic::new(&WEIGHT_RANGE, within(slot, "weight"), format!("the weight is {weight}")).expected("0 to 1")
        }
        SUM => {
            let sum: f32 = weights.influences.iter().map(|influence| influence.weight.get()).sum();
            Diagnostic::new(&WEIGHT_SUM, at("influences"), format!("the weights add up to {sum}")).expected("1")
        }
        NODE => {
            let (slot, (id, _)) = first(&|id, _| !node_ids.contains(id));
            Diagnostic::new(&WEIGHT_NODE, within(slot, "node_id"), format!("no node has the id {id}"))
                .expected("the id of a node")
        }
        _ => {
            let slot = first_repeated_node(weights).unwrap_or_default();
            let id = weights.influences.get(slot).map_or(0, |influence| influence.node_id.get());
            Diagnostic::new(&WEIGHT_NODE_TWICE, within(slot, "node_id"), format!("node {id} was named before"))
                .expected("each node once")
        }
    }
}
