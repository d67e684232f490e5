//! The hierarchy, and what is added to it.

use super::scenes;
use super::{glb, loss};
use maquette_scene::loss::LossKind;
use maquette_scene::scene::{Transform, Trs};
use maquette_scene::{Handle, glam::Quat};
use serde_json::json;

#[test]
fn the_post_keeps_its_nodes_and_its_skin() {
    let (file, _) = glb(&scenes::post());
    let expected = json!([
        { "name": "base", "children": [1] },
        { "name": "middle", "children": [2], "translation": [0.0, 1.0, 0.0] },
        { "name": "tip", "translation": [0.0, 1.0, 0.0] },
        { "name": "post", "mesh": 0, "skin": 0 },
    ]);
    assert_eq!(file.at("/nodes"), &expected);
    assert_eq!(file.at("/scenes/0/nodes"), &json!([0, 3]));
    assert_eq!(file.at("/skins/0/joints"), &json!([0, 1, 2]));
    let matrices = file.vectors::<16>(file.at("/skins/0/inverseBindMatrices"));
    assert_eq!(matrices[2][12..], [0.0, -2.0, 0.0, 1.0]);
    assert!(file.view(file.at("/skins/0/inverseBindMatrices")).get("target").is_none());
}

#[test]
fn shear_and_skinned_meshes_in_the_middle_are_rearranged() {
    let (file, losses) = glb(&scenes::hierarchy());
    let nodes = file.list("/nodes");
    let node = |name: &str| nodes.iter().position(|node| node["name"] == name).unwrap();
    let shown = file.at("/scenes/0/nodes").as_array().unwrap();
    assert!(shown.contains(&json!(node("base"))) && shown.contains(&json!(node("moving"))));
    // The skinned node becomes a root without a transform, the skinned joint gets one beside it.
    let skinned: Vec<usize> =
        nodes.iter().enumerate().filter(|(_, node)| node.get("skin").is_some()).map(|(index, _)| index).collect();
    assert_eq!(skinned.len(), 2);
    for &index in &skinned {
        assert!(["translation", "rotation", "scale", "matrix"].iter().all(|key| nodes[index].get(key).is_none()));
        assert!(shown.contains(&json!(index)));
    }
    assert_eq!(skinned[0], 3, "the bare one stays where it was in the list");
    assert_eq!(nodes[skinned[1]]["extras"]["maquette"]["added"], "skinned mesh");
    assert!(nodes[0].get("mesh").is_none());
    assert_eq!(nodes[0]["children"], json!([1]));
    // Shear is two nodes; what can be decomposed stays a matrix unless it is large or animated.
    let sheared = nodes.iter().filter(|node| node["name"] == "shear").count();
    assert_eq!(sheared, 2);
    let form = |name: &str| nodes[node(name)].get("matrix").is_some();
    assert_eq!(["turned", "huge", "moving", "plain"].map(form), [true, false, false, false]);
    let words = ["hang at roots", "written as translation", "written as two nodes"];
    let kinds: Vec<(&str, u64)> =
        words.iter().map(|what| (loss(&losses, what).kind.word(), loss(&losses, what).count)).collect();
    assert_eq!(kinds, [("baked", 2), ("approximated", 2), ("approximated", 2)]);
    // What no root reaches is there and not shown.
    let lost = node("lost");
    assert_eq!(nodes[lost]["children"], json!([node("lost child")]));
    assert!(!shown.contains(&json!(lost)));
}

#[test]
fn vertices_that_nothing_moves_are_bound_to_an_added_root() {
    let (file, _) = glb(&scenes::influences());
    assert_eq!(file.at("/skins/0/joints"), &json!([0, 1, 2, 3, 4, 5, 6, 8]));
    let matrices = file.vectors::<16>(file.at("/skins/0/inverseBindMatrices"));
    assert_eq!(matrices[7], maquette_scene::glam::Mat4::IDENTITY.to_cols_array());
    assert_eq!(
        file.at("/nodes/8"),
        &json!({ "name": "root", "children": [0], "extras": { "maquette": { "added": "root" } } })
    );
    assert_eq!(file.at("/scenes/0/nodes"), &json!([8, 7]));
}

#[test]
fn joints_of_several_roots_get_one_and_no_joint_comes_twice() {
    let (file, losses) = glb(&scenes::two_roots());
    assert_eq!(file.at("/nodes/3/children"), &json!([0, 1]));
    assert_eq!(file.at("/skins/0/joints"), &json!([0, 1, 4]));
    assert_eq!(file.at("/nodes/0/children"), &json!([4]));
    assert_eq!(file.at("/nodes/4/name"), "root 0");
    assert_eq!(loss(&losses, "baked hierarchy").kind, LossKind::Baked);
    assert_eq!(loss(&losses, "baked joints").count, 1);
}

#[test]
fn joints_that_no_root_reaches_are_in_the_scene() {
    let (file, losses) = glb(&scenes::hidden());
    assert_eq!(file.at("/scenes/0/nodes"), &json!([3, 0]));
    assert_eq!(loss(&losses, "nodes of the model: trees of joints").count, 1);
}

#[test]
fn rotations_are_brought_to_unit_length() {
    let mut scene = scenes::triangle();
    let rotation = Quat::from_xyzw(0.0, 0.0, 3.0, 4.0);
    let local = Transform::Trs(Trs { rotation, ..Trs::IDENTITY });
    scene.nodes.get_mut(Handle::from_index(0)).unwrap().transform = local;
    let (file, losses) = glb(&scene);
    assert_eq!(file.at("/nodes/0/rotation"), &json!([0.0, 0.0, 0.6, 0.8]));
    let normalised = loss(&losses, "rotation lengths of the model");
    assert_eq!((normalised.kind, normalised.count), (LossKind::Approximated { max_error: 4.0 }, 1));
}

#[test]
fn components_of_rotations_are_at_most_one() {
    let mut scene = scenes::triangle();
    let rotation = Quat::from_xyzw(1e-4, 0.0, 0.0, 1.000_000_1);
    scene.nodes.get_mut(Handle::from_index(0)).unwrap().transform = Transform::Trs(Trs { rotation, ..Trs::IDENTITY });
    let (file, losses) = glb(&scene);
    assert_eq!(file.at("/nodes/0/rotation"), &json!([0.0001, 0.0, 0.0, 1.0]));
    assert!(losses.is_empty(), "rounding is no loss: {losses:?}");
}
