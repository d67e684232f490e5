//! Nodes by where they are: the joint near the pointer, and the next one in the tree.

use super::camera::Orbit;
use super::document::Document;
use super::selection::Thing;
use crate::actions::Action;
use maquette::Scene;
use maquette::scene::Handle;
use maquette::scene::scene::Node;

/// How near the pointer must be, in pixels.
const NEAR: f32 = 14.0;

/// The joints of a scene; all nodes where nothing is bound to joints.
pub fn joints(scene: &Scene) -> Vec<Handle<Node>> {
    let mut joints: Vec<Handle<Node>> = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    joints.sort_by_key(|joint| joint.index());
    joints.dedup();
    if joints.is_empty() { scene.nodes.handles().collect() } else { joints }
}

/// The joint nearest to a place of the picture.
pub fn nearest(document: &Document, orbit: &Orbit, at: [f32; 2], size: [f32; 2]) -> Option<Handle<Node>> {
    let (scene, placed) = (document.scene()?, document.placed.as_ref()?);
    let mut found: Option<(f32, Handle<Node>)> = None;
    for joint in joints(scene) {
        let Some(world) = placed.world_from_node.get(joint.index()) else { continue };
        let Some((there, _)) = orbit.project(world.w_axis.truncate(), size) else { continue };
        let away = (there[0] - at[0]).hypot(there[1] - at[1]);
        if away < found.map_or(NEAR, |(before, _)| before) {
            found = Some((away, joint));
        }
    }
    found.map(|(_, joint)| joint)
}

/// Selects another node of the tree: the parent, the first child, or the one beside.
pub fn step(document: &mut Document, action: Action) {
    let Some(scene) = document.scene() else { return };
    let order = scene.nodes_parents_first();
    let next = match document.selection.node() {
        None => order.first().copied(),
        Some(here) => {
            let place = order.iter().position(|node| *node == here);
            match action {
                Action::SelectParent => scene.parents().get(here.index()).copied().flatten(),
                Action::SelectChild => scene.nodes.get(here).and_then(|node| node.children.first().copied()),
                Action::SelectNext => place.and_then(|place| order.get(place + 1).copied()),
                Action::SelectPrevious => place.and_then(|place| order.get(place.checked_sub(1)?).copied()),
                _ => None,
            }
        }
    };
    if let Some(next) = next {
        document.selection.choose(Thing::Node(next));
    }
}
