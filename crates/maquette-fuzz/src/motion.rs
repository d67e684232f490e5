//! Whether everything that is drawn is where it was after a scene was written and read: at rest and at many moments of every clip.

use crate::round_trip::Returned;
use maquette::diff::{Difference, diff};
use maquette::scene::loss::{Loss, LossKind, Lost};
use maquette::scene::mesh::Mesh;
use maquette::scene::scene::Node;
use maquette::scene::{Handle, Scene};
use std::collections::HashSet;

/// How far a corner may be off, as a part of the model's size.
const TOLERANCE: f64 = 1e-3;
/// How far it may be off in any case: a small model far from the origin has coarse coordinates.
const METRES: f64 = 1e-4;

/// What a writer may say that it cannot hold, and what then is elsewhere.
const EXCUSES: [Lost; 11] = [
    Lost::RestPoses,
    Lost::BindPoses,
    Lost::Influences,
    Lost::KeyTimes,
    Lost::Steps,
    Lost::CubicSplines,
    Lost::Keys,
    Lost::Tracks,
    Lost::Clips,
    Lost::Skins,
    Lost::NodeTransforms,
];

/// Whether a loss tells of something that is elsewhere than it was.
fn is_excuse(loss: &Loss) -> bool {
    let moves = match loss.kind {
        // A clip that began before 0 comes later as a whole.
        LossKind::Baked => loss.what == Lost::KeyTimes,
        LossKind::Renamed => false,
        LossKind::Approximated { max_error } => f64::from(max_error) > METRES,
        _ => true,
    };
    moves && EXCUSES.contains(&loss.what)
}

/// Whether everything was seen to be where it was; a panic if it was not, and no loss tells of it.
pub fn moves_alike(returned: &Returned, of: &str) -> bool {
    let Returned { fitted, losses, read, .. } = returned;
    let shown = shown(fitted);
    let drawing = || fitted.nodes.entries().filter_map(|(node, it)| Some((node, it.mesh?)));
    let drawn: HashSet<_> = drawing().map(|(_, mesh)| mesh).collect();
    let is_drawn = drawing().all(|(node, _)| shown.contains(&node)) && drawn.len() == fitted.meshes.len();
    let has_faces = |mesh: &Mesh| mesh.primitives.iter().any(|primitive| !primitive.indices.is_empty());
    // What is drawn nowhere, or where no root reaches, cannot be seen to move.
    if !is_drawn || !fitted.meshes.iter().any(has_faces) {
        return false;
    }
    let is_off = |found: &Difference| match found.what {
        "triangles" | "facing" => true,
        "lines" => !losses.names(Lost::Lines),
        "rest poses" | "motion" => found.size.is_none_or(|metres| metres > METRES),
        _ => false,
    };
    let Ok(found) = diff(fitted, read, TOLERANCE) else { return false };
    let off = found.into_iter().find(is_off);
    if let Some(Difference { what, subject, a, b, .. }) = &off {
        assert!(losses.iter().any(is_excuse), "{of}: {what} of {subject}: {a} | {b}\n{losses}");
    }
    off.is_none()
}

/// The nodes that roots reach.
fn shown(scene: &Scene) -> HashSet<Handle<Node>> {
    let mut waiting = scene.roots.clone();
    let mut shown = HashSet::new();
    while let Some(node) = waiting.pop() {
        shown.insert(node);
        waiting.extend(scene.nodes.get(node).into_iter().flat_map(|node| &node.children));
    }
    shown
}
