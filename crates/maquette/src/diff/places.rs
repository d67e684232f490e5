//! Where named nodes stand that nothing is drawn at, such as the socket of a weapon: what hangs there later shows it.
//!
//! Joints are left to the vertices that they move, and nodes whose name is not theirs alone cannot be told apart.

use super::Found;
use super::corners::extent;
use maquette_scene::glam::{Mat3, Mat4, Vec3};
use maquette_scene::scene::Node;
use maquette_scene::{Handle, Scene, pose};
use std::collections::{BTreeMap, HashSet};

/// How much the axes of a node may differ, as a part of their length: half a degree.
const AXES: f32 = 0.009;

/// Compares empty nodes of the same name at rest.
pub fn compare(a: &Scene, b: &Scene, found: &mut Found) {
    let (empty_a, empty_b) = (empty(a), empty(b));
    if empty_a.is_empty() {
        return;
    }
    let points: Vec<Vec3> = pose::positions_at_rest(a).into_iter().chain(empty_a.values().map(origin)).collect();
    let allowed = found.tolerance as f32 * extent(&points);
    for (name, at_a) in &empty_a {
        let Some(at_b) = empty_b.get(name) else { continue };
        let subject = format!("node {name:?}");
        let (from, to) = (origin(at_a), origin(at_b));
        let distance = from.distance(to);
        if distance > allowed {
            found.push("node transforms", &subject, format!("at {from}"), format!("at {to}"), Some(distance.into()));
        } else if turned(*at_a, *at_b) > AXES {
            found.push("node transforms", &subject, axes(*at_a), axes(*at_b), None);
        }
    }
}

/// The world transforms of empty nodes by their names.
fn empty(scene: &Scene) -> BTreeMap<&str, Mat4> {
    let world_from_node = scene.rest_world_from_node();
    let joints: HashSet<Handle<Node>> = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let mut found: BTreeMap<&str, Option<Mat4>> = BTreeMap::new();
    for handle in scene.nodes_parents_first() {
        let Some(node) = scene.nodes.get(handle).filter(|node| !node.name.is_empty()) else { continue };
        let is_empty = node.mesh.is_none() && !joints.contains(&handle);
        let place = world_from_node.get(handle.index()).copied().filter(|place| is_empty && place.is_finite());
        found.entry(&node.name).and_modify(|known| *known = None).or_insert(place);
    }
    found.into_iter().filter_map(|(name, place)| Some((name, place?))).collect()
}

fn origin(place: &Mat4) -> Vec3 {
    place.w_axis.truncate()
}

/// How far the axes of two nodes are apart, as a part of the longer.
fn turned(a: Mat4, b: Mat4) -> f32 {
    let (a, b) = (Mat3::from_mat4(a), Mat3::from_mat4(b));
    let apart = |a: Vec3, b: Vec3| a.distance(b) / a.length().max(b.length()).max(f32::MIN_POSITIVE);
    apart(a.x_axis, b.x_axis).max(apart(a.y_axis, b.y_axis)).max(apart(a.z_axis, b.z_axis))
}

fn axes(place: Mat4) -> String {
    let Mat3 { x_axis, y_axis, z_axis } = Mat3::from_mat4(place);
    format!("axes {x_axis}, {y_axis}, {z_axis}")
}
