//! Counts, bounds and clips of a document as its JSON states them: the binary data is not read.

use super::accessor::Component;
use super::attributes::accessor_of;
use super::schema::{Accessor, Animation, Document, Primitive};
use crate::summary::{Bounds, ClipSummary, Convention, Summary};
use serde_json::Value;
use std::collections::HashSet;
use zerocopy::little_endian::F32;

/// The summary of a document.
pub fn of(document: &Document) -> Summary {
    let mut summary = Summary {
        meshes: document.meshes.len() as u64,
        materials: document.materials.len() as u64,
        textures: document.images.len() as u64,
        clips: document.animations.iter().map(|animation| clip(document, animation)).collect(),
        conventions: conventions(),
        ..Summary::default()
    };
    let mut joints = vec![false; document.nodes.len()];
    for &joint in document.skins.iter().flat_map(|skin| &skin.joints) {
        if let Some(joint) = joints.get_mut(joint) {
            *joint = true;
        }
    }
    summary.joints = joints.iter().filter(|joint| **joint).count() as u64;
    let only_joint = |(node, joint): &(&super::schema::Node, &bool)| **joint && node.mesh.is_none();
    summary.nodes = document.nodes.iter().zip(&joints).filter(|pair| !only_joint(pair)).count() as u64;
    // Primitives may share their vertices, and their indices too.
    let mut corners = Vec::new();
    let (mut vertices, mut indices) = (HashSet::new(), HashSet::new());
    for primitive in document.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        add(document, primitive, &mut summary);
        let positions = accessor_of(&primitive.attributes, "POSITION").filter(|accessor| vertices.insert(*accessor));
        if let Some(accessor) = positions.and_then(|accessor| document.accessors.get(accessor)) {
            summary.vertices = summary.vertices.saturating_add(accessor.count as u64);
            corners.extend(stated_box(accessor).into_iter().flatten());
        }
        let stored = primitive.indices.filter(|accessor| indices.insert(*accessor));
        if let Some(accessor) = stored.and_then(|accessor| document.accessors.get(accessor)) {
            summary.indices = summary.indices.saturating_add(accessor.count as u64);
        }
    }
    summary.bounds = Bounds::of(&corners);
    summary
}

/// Adds what a primitive draws.
fn add(document: &Document, primitive: &Primitive, summary: &mut Summary) {
    let accessor = primitive.indices.or_else(|| accessor_of(&primitive.attributes, "POSITION"));
    let count =
        accessor.and_then(|accessor| document.accessors.get(accessor)).map_or(0, |accessor| accessor.count as u64);
    let (triangles, lines) = match primitive.mode.unwrap_or(4) {
        1 => (0, count / 2),
        2 => (0, count),
        3 => (0, count.saturating_sub(1)),
        4 => (count / 3, 0),
        5 | 6 => (count.saturating_sub(2), 0),
        _ => (0, 0),
    };
    summary.triangles = summary.triangles.saturating_add(triangles);
    summary.lines = summary.lines.saturating_add(lines);
}

/// The two corners that an accessor states.
fn stated_box(accessor: &Accessor) -> Option<[[F32; 3]; 2]> {
    let component = Component::from_code(accessor.component_type)?;
    let decoded = |stored: &Vec<f32>| {
        let corner: [f32; 3] = stored.as_slice().try_into().ok()?;
        Some(corner.map(|x| F32::new(component.decoded(x, accessor.normalized.unwrap_or(false)))))
    };
    Some([decoded(accessor.min.as_ref()?)?, decoded(accessor.max.as_ref()?)?])
}

fn clip(document: &Document, animation: &Animation) -> ClipSummary {
    let input = |sampler: usize| document.accessors.get(animation.samplers.get(sampler)?.input);
    let inputs = || animation.channels.iter().filter_map(|channel| input(channel.sampler));
    // What the writer of this crate adds; other files have none of it.
    let ours = |key: &str| animation.extras.as_ref()?.get("maquette")?.get(key);
    let ends = inputs().filter_map(|input| input.max.as_ref()?.first().copied()).map(f64::from);
    let driven: HashSet<usize> = animation.channels.iter().filter_map(|channel| channel.target.node).collect();
    ClipSummary {
        name: animation.name.clone().unwrap_or_default(),
        duration_secs: ends.filter(|end| end.is_finite()).reduce(f64::max),
        tracks: driven.len() as u64,
        keys: inputs().fold(0, |keys: u64, input| keys.saturating_add(input.count as u64)),
        events: ours("events").and_then(Value::as_array).map_or(0, |events| events.len() as u64),
        frame_rate: ours("frame_rate").and_then(Value::as_f64).map(|rate| rate as f32),
        frames: None,
    }
}

fn conventions() -> Vec<Convention> {
    let said = |name, value: &str| Convention { name, value: value.into(), why: "the specification says so".into() };
    vec![said("matrix_order", "column-major"), said("quaternion_order", "xyzw"), said("uv_origin", "top-left")]
}
