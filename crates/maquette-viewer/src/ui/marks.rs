//! Lines over the model that mark what is selected: the axes of a joint and the bones that hang on it.

use crate::state::document::Document;
use maquette::scene::glam::Vec3;
use maquette_gpu::Pen;
use std::collections::BTreeMap;

/// A line, and what it is drawn with.
type Line = ([Vec3; 2], Pen);

/// The lines that mark what is selected.
pub fn of(document: &Document) -> Vec<Line> {
    lines(document).unwrap_or_default()
}

fn lines(document: &Document) -> Option<Vec<Line>> {
    let (scene, placed) = (document.scene()?, document.placed.as_ref()?);
    let node = document.selection.node()?;
    let world = placed.world_from_node.get(node.index())?;
    let at = world.w_axis.truncate();
    let length = placed.bounds?.radius() * 0.12;
    if !at.is_finite() {
        return None;
    }
    let axis = |direction: Vec3, colour: [f32; 3]| {
        let along = world.transform_vector3(direction).normalize_or(direction) * length;
        ([at, at + along], Pen { colour: Vec3::from(colour), opacity: 1.0, hidden: 0.6, width: 2.5 })
    };
    let mut lines =
        vec![axis(Vec3::X, [0.92, 0.22, 0.2]), axis(Vec3::Y, [0.3, 0.75, 0.2]), axis(Vec3::Z, [0.25, 0.45, 0.95])];
    let bone = Pen { colour: Vec3::new(1.0, 0.62, 0.1), opacity: 1.0, hidden: 0.7, width: 3.0 };
    for child in &scene.nodes.get(node)?.children {
        let end = placed.world_from_node.get(child.index()).map(|world| world.w_axis.truncate());
        lines.extend(end.filter(|end| end.is_finite()).map(|end| ([at, end], bone)));
    }
    Some(lines)
}

/// What is selected and drawn itself has a tint.
pub fn tints(document: &Document) -> BTreeMap<u32, [f32; 4]> {
    let node = document.selection.node().filter(|node| {
        let scene = document.scene();
        scene.and_then(|scene| scene.nodes.get(*node)).is_some_and(|node| node.mesh.is_some())
    });
    node.into_iter().map(|node| (node.index() as u32, [1.0, 0.62, 0.1, 0.22])).collect()
}
