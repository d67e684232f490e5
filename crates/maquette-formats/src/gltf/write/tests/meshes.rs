//! Geometry, read back value by value.

use super::scenes;
use super::{glb, loss};
use maquette_scene::loss::{LossKind, Lost};
use serde_json::json;

const U8: u64 = 5121;
const U16: u64 = 5123;
const U32: u64 = 5125;

#[test]
fn a_triangle_is_three_positions_and_three_indices() {
    let (file, losses) = glb(&scenes::triangle());
    let primitive = file.at("/meshes/0/primitives/0");
    let position = &primitive["attributes"]["POSITION"];
    assert_eq!(file.vectors::<3>(position), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]]);
    assert_eq!(file.accessor(position)["min"], json!([0.0, 0.0, 0.0]));
    assert_eq!(file.accessor(position)["max"], json!([1.0, 1.0, 0.5]));
    assert_eq!(file.view(position)["target"], 34962);
    assert_eq!(file.integers(&primitive["indices"]), (vec![0, 1, 2], U16));
    assert_eq!(file.view(&primitive["indices"])["target"], 34963);
    assert!(primitive.get("mode").is_none());
    assert_eq!(primitive["attributes"].as_object().unwrap().len(), 1);
    assert_eq!(file.at("/nodes"), &json!([{ "name": "thing", "mesh": 0 }]));
    assert_eq!(file.at("/scenes"), &json!([{ "nodes": [0] }]));
    assert!(losses.is_empty());
}

#[test]
fn every_stream_of_the_post_is_there_untouched() {
    let scene = scenes::post();
    let (file, losses) = glb(&scene);
    let streams = &scene.meshes.iter().next().unwrap().primitives[0].streams;
    let attributes = file.at("/meshes/0/primitives/0/attributes");
    assert_eq!(file.vectors::<3>(&attributes["POSITION"]), streams.positions);
    assert_eq!(&file.vectors::<3>(&attributes["NORMAL"]), streams.normals.as_ref().unwrap());
    assert_eq!(&file.vectors::<4>(&attributes["TANGENT"]), streams.tangents.as_ref().unwrap());
    assert_eq!(file.vectors::<2>(&attributes["TEXCOORD_0"]), streams.uvs[0]);
    let (joints, type_) = file.integers(&attributes["JOINTS_0"]);
    let weights = file.floats(&attributes["WEIGHTS_0"]);
    assert_eq!(type_, U8);
    let influences = streams.influences.as_ref().unwrap();
    for vertex in 0..streams.len() {
        let slots = 4 * vertex..4 * vertex + 4;
        let used: Vec<(u32, f32)> = joints[slots.clone()].iter().copied().zip(weights[slots].iter().copied()).collect();
        let expected: Vec<(u32, f32)> = influences.of(vertex).chain([(0, 0.0); 4]).take(4).collect();
        assert_eq!(used, expected);
    }
    assert!(losses.is_empty(), "{losses:?}");
}

#[test]
fn morph_targets_have_bounds_names_and_weights() {
    let (file, losses) = glb(&scenes::morphs());
    let targets = file.list("/meshes/0/primitives/0/targets");
    assert_eq!(targets.len(), 2);
    let moved = file.vectors::<3>(&targets[0]["POSITION"]);
    assert_eq!(moved, [[0.0, 0.0, 1.0], [0.0; 3], [0.25, -0.5, 0.0]]);
    assert_eq!(file.accessor(&targets[0]["POSITION"])["min"], json!([0.0, -0.5, 0.0]));
    assert_eq!(file.accessor(&targets[0]["POSITION"])["max"], json!([0.25, 0.0, 1.0]));
    assert_eq!(file.vectors::<3>(&targets[0]["NORMAL"]), [[0.1, 0.0, 0.0]; 3]);
    assert!(targets[0].get("TANGENT").is_none());
    assert_eq!(targets[1].as_object().unwrap().len(), 1);
    assert_eq!(file.at("/meshes/0/extras"), &json!({ "targetNames": ["smile", "frown"] }));
    assert_eq!(file.at("/meshes/0/weights"), &json!([0.0, 0.25]));
    assert_eq!(file.at("/nodes/0/weights"), &json!([0.5, 0.0]));
    assert_eq!(loss(&losses, "morph targets of mesh \"face\": their tangents").kind, LossKind::Dropped);
    assert_eq!(losses.losses().len(), 1);
}

#[test]
fn lines_colours_and_sets_of_coordinates() {
    let (file, losses) = glb(&scenes::lines());
    let primitive = file.at("/meshes/0/primitives/0");
    assert_eq!(primitive["mode"], 1);
    let attributes = &primitive["attributes"];
    assert_eq!(file.vectors::<2>(&attributes["TEXCOORD_1"]), [[-1.0, 2.5]; 4]);
    assert_eq!(file.vectors::<4>(&attributes["COLOR_0"]), [[1.0, 0.5, 0.25, 1.0]; 4]);
    assert_eq!(file.vectors::<4>(&attributes["COLOR_1"]), [[0.0, 0.1, 0.2, 0.3]; 4]);
    assert_eq!(attributes.as_object().unwrap().len(), 6);
    assert!(losses.is_empty());
}

#[test]
fn weights_are_merged_filled_up_and_made_to_add_up() {
    let mut scene = scenes::influences();
    let primitive = &mut scene.meshes.iter_mut().next().unwrap().primitives[0];
    let influences = primitive.streams.influences.as_mut().unwrap();
    let slots = influences.slots;
    // The last vertex: a negative part is not to count, and the others are 1.25 without it.
    influences.weights[5 * slots] = 0.9375;
    influences.weights[5 * slots + 1] = 0.3125;
    influences.weights[5 * slots + 2] = -0.25;
    let (file, losses) = glb(&scene);
    let attributes = file.at("/meshes/0/primitives/0/attributes");
    let sets: Vec<(Vec<u32>, Vec<f32>)> = (0..2)
        .map(|set| {
            let joints = file.integers(&attributes[format!("JOINTS_{set}")]).0;
            (joints, file.floats(&attributes[format!("WEIGHTS_{set}")]))
        })
        .collect();
    let vertex = |vertex: usize| {
        let slots = 4 * vertex..4 * vertex + 4;
        let of = |(joints, weights): &(Vec<u32>, Vec<f32>)| {
            joints[slots.clone()].iter().copied().zip(weights[slots.clone()].iter().copied()).collect::<Vec<_>>()
        };
        sets.iter().flat_map(of).collect::<Vec<_>>()
    };
    let padded = |used: &[(u32, f32)]| [used, &vec![(0, 0.0); 8 - used.len()]].concat();
    let six = [(0, 0.5), (1, 0.125), (2, 0.125), (3, 0.125), (4, 0.0625), (5, 0.0625)];
    assert_eq!(vertex(0), padded(&six));
    assert_eq!(vertex(1), padded(&[(6, 1.0)]));
    assert_eq!(vertex(2), padded(&[(1, 0.5), (2, 0.5)]));
    assert_eq!(vertex(3), padded(&[(7, 1.0)]), "bound to the added joint");
    assert_eq!(vertex(4), padded(&[(2, 1.0)]));
    assert_eq!(vertex(5), padded(&[(5, 0.75), (6, 0.25)]));
    assert_eq!(loss(&losses, "rounded for a sum").kind, LossKind::Approximated { max_error: 0.1875 });
    assert_eq!(loss(&losses, "made 0").kind, LossKind::Approximated { max_error: 0.25 });
    assert_eq!((loss(&losses, "of one joint added up").count, loss(&losses, "as nothing moves them").count), (1, 1));
    assert_eq!(loss(&losses, "as nothing moves them").kind, LossKind::Baked);
}

#[test]
fn weights_that_only_rounding_keeps_from_one_stay() {
    let mut scene = scenes::influences();
    let primitive = &mut scene.meshes.iter_mut().next().unwrap().primitives[0];
    let thirds = [(0, 1.0 / 3.0), (1, 1.0 / 3.0), (2, 1.0 / 3.0)];
    let lists: Vec<&[(u32, f32)]> = vec![&thirds; 6];
    primitive.streams.influences = Some(maquette_scene::mesh::Influences::from_lists(lists.into_iter()));
    let (file, losses) = glb(&scene);
    let weights = file.vectors::<4>(&file.at("/meshes/0/primitives/0/attributes")["WEIGHTS_0"]);
    assert_eq!(weights, [[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0]; 6]);
    assert!(losses.is_empty(), "{losses:?}");
}

#[test]
fn directions_colours_and_coordinates_are_mended_with_a_word() {
    let (file, losses) = glb(&scenes::frames());
    let attributes = file.at("/meshes/0/primitives/0/attributes");
    assert_eq!(file.vectors::<3>(&attributes["NORMAL"]), [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.6, 0.0, 0.8]]);
    let tangents = file.vectors::<4>(&attributes["TANGENT"]);
    assert_eq!(tangents[0], [1.0, 0.0, 0.0, 1.0]);
    assert_eq!((tangents[1][2], tangents[1][3]), (0.0, -1.0), "across the normal");
    assert_eq!(tangents[2], [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(file.vectors::<2>(&attributes["TEXCOORD_0"]), [[0.5, 0.0], [0.0; 2], [1e9, -4.0]]);
    let colours = file.vectors::<4>(&attributes["COLOR_0"]);
    assert_eq!(colours, [[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0], [0.5; 4]]);
    // The second primitive had no direction at all, the third nothing to draw.
    let second = file.at("/meshes/0/primitives/1/attributes");
    assert_eq!(second.as_object().unwrap().len(), 1);
    assert_eq!(file.list("/meshes/0/primitives").len(), 2);
    let all: Vec<(&str, &str, u64)> =
        losses.losses().iter().map(|loss| (loss.what.word(), loss.kind.word(), loss.count)).collect();
    let expected = [
        ("primitives", "dropped", 1),
        ("normals", "approximated", 1),
        ("normals", "approximated", 1),
        ("tangents", "approximated", 1),
        ("tangents", "approximated", 1),
        ("tangents", "approximated", 1),
        ("texture coordinates", "dropped", 1),
        ("vertex colours", "dropped", 1),
        ("vertex colours", "approximated", 1),
        ("normals", "dropped", 3),
        ("tangents", "dropped", 3),
    ];
    assert_eq!(all, expected);
}

#[test]
fn large_meshes_and_skeletons_take_wider_numbers() {
    let (file, losses) = glb(&scenes::many());
    let primitive = file.at("/meshes/0/primitives/0");
    let (indices, type_) = file.integers(&primitive["indices"]);
    assert_eq!((indices.len(), indices[65_999], type_), (66_000, 65_999, U32));
    let (joints, type_) = file.integers(&primitive["attributes"]["JOINTS_0"]);
    assert_eq!((joints[4 * 299], type_), (299, U16));
    assert!(losses.is_empty());
}

#[test]
fn an_index_of_65535_takes_four_bytes() {
    for (count, expected) in [(65_535, U16), (65_536, U32)] {
        let positions = vec![[0.0, 1.0, 2.0]; count];
        let mut primitive = scenes::primitive(&positions);
        primitive.indices = vec![0, 1, count as u32 - 1];
        let (file, _) =
            glb(&scenes::drawn(maquette_scene::mesh::Mesh { primitives: vec![primitive], ..Default::default() }));
        assert_eq!(file.integers(&file.at("/meshes/0/primitives/0")["indices"]).1, expected);
    }
}

#[test]
fn a_mesh_is_written_once_for_each_way_it_is_drawn() {
    let (file, losses) = glb(&scenes::mixed());
    let primitives = |mesh: usize| {
        let primitives = file.at(&format!("/meshes/{mesh}/primitives")).as_array().unwrap();
        primitives.iter().map(|it| it["attributes"].get("JOINTS_0").is_some()).collect::<Vec<_>>()
    };
    assert_eq!(primitives(0), [false], "what its skin does not move");
    assert_eq!(primitives(1), [true], "what its skin moves");
    assert_eq!(primitives(2), [false, false], "all of it, without a skin");
    assert_eq!(loss(&losses, "dropped influences").subject, "node \"no skin\"");
    assert_eq!(loss(&losses, "dropped skins").subject, "node \"idle skin\"");
    assert_eq!(loss(&losses, "node transforms").count, 1);
}

#[test]
fn what_draws_nothing_is_left_out_with_a_word() {
    let (file, losses) = glb(&scenes::nothing_to_draw());
    assert_eq!(file.at("/nodes"), &json!([{ "name": "thing" }]));
    assert_eq!(file.list("/meshes").len(), 1);
    assert!(file.at("/meshes/0/primitives/0/attributes").get("JOINTS_0").is_none());
    assert!(file.list("/skins").is_empty() && file.list("/animations").is_empty());
    for (what, count) in
        [("dropped meshes", 1), ("primitives", 1), ("dropped influences", 1), ("weights for 0 morph targets", 1)]
    {
        assert_eq!(loss(&losses, what).count, count, "{what}");
    }
    assert_eq!(losses.losses().iter().filter(|loss| loss.what.word() == "clips").count(), 2);
    assert_eq!(losses.losses().iter().filter(|loss| loss.what.word() == "skins").count(), 2);
    assert!(losses.names(Lost::MorphAnimation));
}
