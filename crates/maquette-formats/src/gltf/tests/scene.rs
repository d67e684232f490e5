//! Meshes and nodes: what is drawn, and what is left of several scenes.

use super::{Asset, read_bytes, refused, shown, triangle};
use maquette_scene::Scene;
use maquette_scene::loss::Lost;
use maquette_scene::mesh::{Primitive, Topology};
use serde_json::{Value, json};

fn first_primitive(scene: &Scene) -> &Primitive {
    &scene.meshes.iter().next().unwrap().primitives[0]
}

/// Five vertices drawn in this mode, by these indices or in order.
fn drawn(mode: u32, indices: Option<&[u8]>) -> (Topology, Vec<u32>, Vec<String>) {
    let mut asset = Asset::new();
    let positions = asset.floats("VEC3", &[0.0; 15]);
    let mut primitive = json!({ "attributes": { "POSITION": positions }, "mode": mode });
    if let Some(indices) = indices {
        primitive["indices"] = json!(asset.integers("SCALAR", 5121, indices.len(), indices));
    }
    asset.document["meshes"] = json!([{ "name": "shape", "primitives": [primitive] }]);
    let (scene, losses) = asset.read().unwrap();
    let primitive = first_primitive(&scene);
    (primitive.topology, primitive.indices.clone(), shown(&losses))
}

#[test]
fn strips_and_fans_become_triangles_that_face_the_same_way() {
    let (topology, indices, losses) = drawn(5, None);
    assert_eq!((topology, indices), (Topology::Triangles, vec![0, 1, 2, 1, 3, 2, 2, 3, 4]));
    assert!(losses[0].starts_with("baked triangles of mesh \"shape\""), "{losses:?}");
    let (_, indices, losses) = drawn(6, Some(&[4, 0, 1, 2]));
    assert_eq!(indices, [0, 1, 4, 1, 2, 4]);
    assert!(losses[0].starts_with("baked triangles"), "{losses:?}");
}

#[test]
fn line_strips_and_loops_become_lines() {
    assert_eq!(drawn(1, Some(&[0, 1, 2, 3])), (Topology::Lines, vec![0, 1, 2, 3], vec![]));
    let (topology, indices, losses) = drawn(3, Some(&[0, 1, 2]));
    assert_eq!((topology, indices), (Topology::Lines, vec![0, 1, 1, 2]));
    assert!(losses[0].starts_with("baked lines"), "{losses:?}");
    assert_eq!(drawn(2, Some(&[0, 1, 2])).1, [0, 1, 1, 2, 2, 0]);
    assert_eq!(drawn(2, Some(&[3])).1, Vec::<u32>::new());
}

#[test]
fn corners_over_are_cut_and_counted() {
    let (_, indices, losses) = drawn(4, None);
    assert_eq!(indices, [0, 1, 2]);
    assert!(losses[0].starts_with("truncated triangles"), "{losses:?}");
}

#[test]
fn indices_of_every_width_are_read() {
    for (component, bytes) in
        [(5121, vec![2, 1, 0]), (5123, vec![2, 0, 1, 0, 0, 0]), (5125, vec![2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])]
    {
        let (mut asset, _) = triangle();
        let indices = asset.integers("SCALAR", component, 3, &bytes);
        asset.document["meshes"][0]["primitives"][0]["indices"] = json!(indices);
        assert_eq!(first_primitive(&asset.read().unwrap().0).indices, [2, 1, 0]);
    }
}

#[test]
fn an_index_past_the_vertices_is_refused() {
    let (mut asset, _) = triangle();
    let indices = asset.integers("SCALAR", 5121, 3, &[0, 1, 3]);
    asset.document["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    let (code, path, _) = asset.refused();
    assert_eq!((code.as_str(), path.as_str()), ("GLTF0073", "json.meshes[0].primitives[0].indices"));
}

#[test]
fn what_is_missing_stays_missing() {
    let (scene, losses) = triangle().0.read().unwrap();
    let primitive = first_primitive(&scene);
    assert_eq!(primitive.indices, [0, 1, 2]);
    assert!(
        primitive.streams.normals.is_none()
            && primitive.streams.tangents.is_none()
            && primitive.streams.influences.is_none()
    );
    assert!(primitive.streams.uvs.is_empty() && primitive.material.is_none() && losses.is_empty());
}

#[test]
fn colours_and_coordinates_come_in_sets() {
    let (mut asset, positions) = triangle();
    let opaque = asset.floats("VEC3", &[0.5; 9]);
    let view = asset.view(&[255, 0, 51, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let bytes = asset
        .accessor(json!({ "bufferView": view, "componentType": 5121, "normalized": true, "type": "VEC4", "count": 3 }));
    let first = asset.floats("VEC2", &[0.25; 6]);
    let second = asset.floats("VEC2", &[0.75; 6]);
    asset.document["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": positions, "COLOR_0": opaque, "COLOR_1": bytes, "TEXCOORD_0": first, "TEXCOORD_1": second });
    let streams = first_primitive(&asset.read().unwrap().0).streams.clone();
    assert_eq!(streams.colours[0], [[0.5, 0.5, 0.5, 1.0]; 3]);
    assert_eq!(streams.colours[1][0], [1.0, 0.0, 0.2, 0.0]);
    assert_eq!(streams.uvs, [vec![[0.25; 2]; 3], vec![[0.75; 2]; 3]]);
}

#[test]
fn streams_of_different_lengths_are_refused() {
    let (mut asset, positions) = triangle();
    let normals = asset.floats("VEC3", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    asset.document["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": positions, "NORMAL": normals });
    let (code, path, _) = asset.refused();
    assert_eq!((code.as_str(), path.as_str()), ("GLTF0070", "json.meshes[0].primitives[0].attributes.NORMAL"));
}

#[test]
fn morph_targets_have_names_and_weights() {
    let (mut asset, _) = triangle();
    let moved = asset.floats("VEC3", &[1.0; 9]);
    asset.document["meshes"][0]["primitives"][0]["targets"] =
        json!([{ "POSITION": moved, "NORMAL": moved, "TANGENT": moved }, { "NORMAL": moved }]);
    asset.document["meshes"][0]["weights"] = json!([0.5, 0.25]);
    asset.document["meshes"][0]["extras"] = json!({ "targetNames": ["smile", "frown"], "more": 1 });
    asset.document["nodes"][0]["weights"] = json!([1, 0]);
    let (scene, losses) = asset.read().unwrap();
    let mesh = scene.meshes.iter().next().unwrap();
    assert_eq!((mesh.morph_names.join(" "), &mesh.morph_weights), ("smile frown".into(), &vec![0.5, 0.25]));
    assert_eq!(mesh.extras.get("gltf", "extras"), Some("{\"more\":1}"));
    let [both, one] = &mesh.primitives[0].morph_targets[..] else { panic!("two targets") };
    assert_eq!((&both.positions, both.tangents.as_ref()), (&vec![[1.0; 3]; 3], Some(&vec![[1.0; 3]; 3])));
    assert_eq!((&one.positions, one.normals.as_ref()), (&vec![[0.0; 3]; 3], Some(&vec![[1.0; 3]; 3])));
    assert_eq!(scene.nodes.iter().next().unwrap().morph_weights, [1.0, 0.0]);
    assert!(losses.is_empty());
}

#[test]
fn primitives_with_different_numbers_of_targets_are_refused() {
    let (mut asset, positions) = triangle();
    let primitive = json!({ "attributes": { "POSITION": positions } });
    let mut other = primitive.clone();
    other["targets"] = json!([{ "POSITION": positions }]);
    asset.document["meshes"] = json!([{ "primitives": [primitive, other] }]);
    assert_eq!(asset.refused().1, "json.meshes[0].primitives[1]");
}

#[test]
fn only_the_default_scene_is_read() {
    let (mut asset, _) = triangle();
    asset.document["nodes"] = json!([{ "name": "a", "mesh": 0 }, { "name": "b", "children": [2] }, { "name": "c" }]);
    asset.document["scenes"] = json!([{ "nodes": [0] }, { "nodes": [1], "name": "second" }]);
    asset.document["scene"] = json!(1);
    let (scene, losses) = asset.read().unwrap();
    let names: Vec<_> = scene.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!((names, scene.roots.len()), (vec!["b", "c"], 1));
    assert_eq!(scene.nodes.get(scene.roots[0]).unwrap().children[0].index(), 1);
    assert_eq!(scene.extras.get("gltf", "scene_name"), Some("\"second\""));
    assert!(losses.names(Lost::Scenes) && losses.names(Lost::Nodes), "{:?}", shown(&losses));
}

#[test]
fn joints_outside_of_the_scene_are_kept_without_what_is_drawn_at_them() {
    let (mut asset, _) = triangle();
    asset.document["nodes"] = json!([{ "mesh": 0, "skin": 0 }, { "name": "above", "children": [2] }, { "name": "joint", "mesh": 0 }, { "name": "far" }]);
    asset.document["skins"] = json!([{ "joints": [2] }]);
    let (scene, losses) = asset.read().unwrap();
    let names: Vec<_> = scene.nodes.iter().map(|node| (node.name.as_str(), node.mesh.is_some())).collect();
    assert_eq!(names, [("", true), ("above", false), ("joint", false)]);
    assert_eq!(losses.losses()[0].count, 1);
}

#[test]
fn without_scenes_every_root_is_shown() {
    let (mut asset, _) = triangle();
    asset.document["nodes"] = json!([{ "children": [1] }, { "mesh": 0 }, {}]);
    asset.document.as_object_mut().unwrap().remove("scenes");
    let (scene, _) = asset.read().unwrap();
    assert_eq!(scene.roots.iter().map(|root| root.index()).collect::<Vec<_>>(), [0, 2]);
}

#[test]
fn what_is_no_tree_is_refused() {
    let with = |nodes: Value| {
        let document = json!({ "asset": { "version": "2.0" }, "nodes": nodes, "scenes": [{ "nodes": [0] }] });
        refused(document.to_string().as_bytes()).0
    };
    assert_eq!(with(json!([{}, { "children": [2] }, { "children": [1] }])), "GLTF0060");
    assert_eq!(with(json!([{ "children": [0] }])), "GLTF0060");
    assert_eq!(with(json!([{ "children": [2] }, { "children": [2] }, {}])), "GLTF0061");
    assert_eq!(with(json!([{ "children": [1, 1] }, {}])), "GLTF0061");
    assert_eq!(with(json!([{}, { "children": [0] }])), "GLTF0062");
    assert_eq!(with(json!([{ "children": [1] }])), "GLTF0040");
    assert_eq!(with(json!([{ "translation": [1e39, 0, 0] }])), "GLTF0065");
}

#[test]
fn a_long_chain_of_nodes_is_read() {
    let mut nodes: Vec<Value> = (1..100_000).map(|child| json!({ "children": [child] })).collect();
    nodes.push(json!({}));
    let document = json!({ "asset": { "version": "2.0" }, "nodes": nodes, "scenes": [{ "nodes": [0] }] });
    let (scene, _) = read_bytes(document.to_string().as_bytes()).unwrap();
    assert_eq!(scene.nodes.len(), 100_000);
}
