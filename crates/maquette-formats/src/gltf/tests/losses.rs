//! What is left out is named, and what cannot be left out is refused with a remedy.

use super::super::raw::File;
use super::{floats, place_of, read_bytes, shown, triangle};
use crate::format::{self, Error, Source};
use maquette_scene::Report;
use maquette_scene::clip::Curve;
use maquette_scene::loss::Lost;
use serde_json::{Value, json};

fn losses(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let (mut asset, _) = triangle();
    change(&mut asset.document);
    shown(&asset.read().unwrap().1)
}

#[test]
fn cameras_and_lights_are_counted() {
    let lost = losses(|document| {
        document["cameras"] = json!([{ "type": "perspective" }, { "type": "perspective" }]);
        document["extensions"] = json!({ "KHR_lights_punctual": { "lights": [{}, {}, {}] } });
        document["extensionsUsed"] = json!(["KHR_lights_punctual"]);
    });
    assert_eq!(
        lost,
        [
            "dropped cameras and lights of the file: cameras",
            "dropped cameras and lights of the file: lights of KHR_lights_punctual"
        ]
    );
    let (mut asset, _) = triangle();
    asset.document["cameras"] = json!([{}, {}]);
    assert_eq!(asset.read().unwrap().1.losses()[0].count, 2);
}

#[test]
fn extensions_that_are_not_read_are_named() {
    let lost = losses(|document| {
        document["extensionsUsed"] =
            json!(["EXT_mesh_gpu_instancing", "KHR_texture_transform", "KHR_draco_mesh_compression"]);
    });
    assert_eq!(lost, ["dropped extensions of EXT_mesh_gpu_instancing: what it adds is not read"]);
}

#[test]
fn required_extensions_are_refused_with_the_tool_that_removes_them() {
    for (name, tool) in [
        ("KHR_draco_mesh_compression", "gltf-transform copy"),
        ("KHR_texture_basisu", "gltf-transform ktxdecompress"),
        ("ACME_anything", "without it"),
    ] {
        let (mut asset, _) = triangle();
        asset.document["extensionsUsed"] = json!([name]);
        asset.document["extensionsRequired"] = json!([name]);
        let error = asset.read().err().unwrap();
        assert!(matches!(error, Error::Unsupported(_)));
        let (code, path, message) = place_of(&error);
        assert_eq!((code.as_str(), path.as_str()), ("GLTF0028", "json.extensionsRequired[0]"));
        assert!(message.contains(name) && message.contains(tool), "{message}");
    }
    let quantized = losses(|document| {
        document["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
        document["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    });
    assert!(quantized.is_empty());
}

#[test]
fn quantized_positions_are_read_as_they_stand() {
    let (mut asset, _) = triangle();
    let view = asset.view(&[0, 0, 0, 0, 0xff, 0, 0x80, 0, 7, 0, 0, 0]);
    asset.document["bufferViews"][view]["byteStride"] = json!(4);
    let positions = asset.accessor(json!({ "bufferView": view, "componentType": 5120, "type": "VEC3", "count": 3 }));
    asset.document["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": positions });
    let (scene, _) = asset.read().unwrap();
    let read = &scene.meshes.iter().next().unwrap().primitives[0].streams.positions;
    assert_eq!(read, &[[0.0, 0.0, 0.0], [-1.0, 0.0, -128.0], [7.0, 0.0, 0.0]]);
}

#[test]
fn custom_attributes_are_named() {
    let lost = losses(|document| {
        document["meshes"][0]["name"] = json!("body");
        document["meshes"][0]["primitives"][0]["attributes"] =
            json!({ "POSITION": 0, "_HEAT": 0, "TEXCOORD_1": 0, "WEIGHTS_0": 0 });
    });
    assert_eq!(lost, ["dropped extras of mesh \"body\": TEXCOORD_1, WEIGHTS_0, _HEAT"]);
}

#[test]
fn points_and_empty_meshes_are_left_out_with_their_nodes_kept() {
    let lost = losses(|document| {
        document["meshes"][0]["primitives"][0]["mode"] = json!(0);
        document["meshes"].as_array_mut().unwrap().push(json!({ "primitives": [{ "attributes": {} }] }));
    });
    assert_eq!(
        lost,
        ["dropped primitives of mesh 0: points are not drawn", "dropped primitives of mesh 1: it has no positions"]
    );
    let (mut asset, _) = triangle();
    asset.document["meshes"][0]["primitives"][0]["mode"] = json!(0);
    let (scene, _) = asset.read().unwrap();
    assert_eq!((scene.nodes.len(), scene.meshes.len(), scene.nodes.iter().next().unwrap().mesh), (1, 0, None));
}

#[test]
fn one_position_that_is_not_finite_takes_its_own_triangles_away() {
    for bad in [f32::NAN, f32::INFINITY] {
        let (mut asset, _) = triangle();
        let view = asset.view(&floats(&[bad, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]));
        let four = json!({ "bufferView": view, "componentType": 5126, "type": "VEC3", "count": 4 });
        let positions = asset.accessor(four);
        let view = asset.view(&[0, 1, 2, 2, 1, 3]);
        let six = json!({ "bufferView": view, "componentType": 5121, "type": "SCALAR", "count": 6 });
        let indices = asset.accessor(six);
        asset.document["meshes"][0]["primitives"][0] =
            json!({ "attributes": { "POSITION": positions }, "indices": indices });
        let (scene, losses) = asset.read().unwrap();
        let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
        assert_eq!(primitive.indices, [2, 1, 3]);
        assert_eq!(primitive.streams.positions[0], [1.0, 0.0, 0.0], "valid, and nowhere else than the mesh is");
        let lost = shown(&losses);
        assert!(lost[0].contains("triangles") && lost[0].contains("not finite, 1 in all"), "{lost:?}");
    }
}

#[test]
fn positions_that_are_not_finite_are_left_out() {
    let (mut asset, _) = triangle();
    asset.buffer[..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let (scene, losses) = asset.read().unwrap();
    assert!(scene.meshes.is_empty());
    assert!(shown(&losses)[0].contains("not finite"), "{:?}", shown(&losses));
}

#[test]
fn channels_without_a_node_or_of_unknown_properties_are_counted() {
    let channel = |target: Value| json!({ "sampler": 0, "target": target });
    let (mut asset, _) = triangle();
    let input = asset.floats("SCALAR", &[0.0]);
    let output = asset.floats("VEC3", &[1.0; 3]);
    asset.document["animations"] = json!([{
        "name": "all",
        "channels": [
            channel(json!({ "path": "scale" })), channel(json!({ "node": 0, "path": "pointer" })),
            channel(json!({ "node": 0, "path": "weights" })), channel(json!({ "node": 0, "path": "scale" })),
            channel(json!({ "node": 0, "path": "scale" })),
        ],
        "samplers": [{ "input": input, "output": output, "interpolation": "WILD" }],
    }]);
    let (scene, losses) = asset.read().unwrap();
    assert_eq!(scene.clips.iter().next().unwrap().tracks.len(), 1);
    assert_eq!(
        shown(&losses),
        [
            "dropped format details of clip \"all\": WILD is not known, LINEAR is taken",
            "dropped tracks of clip \"all\": they animate no node",
            "dropped tracks of clip \"all\": a later channel animates the same property",
            "dropped tracks of clip \"all\": nothing is known of pointer, weights",
        ]
    );
}

#[test]
fn of_channels_for_one_property_the_last_is_seen_wherever_the_others_stand() {
    let (mut asset, _) = triangle();
    asset.document["nodes"] = json!([{ "mesh": 0 }, {}]);
    asset.document["scenes"] = json!([{ "nodes": [0, 1] }]);
    let input = asset.floats("SCALAR", &[0.0]);
    let samplers: Vec<Value> =
        (0..6).map(|size| json!({ "input": input, "output": asset.floats("VEC3", &[size as f32; 3]) })).collect();
    let targets = [(1, "scale"), (0, "scale"), (1, "translation"), (1, "scale"), (0, "translation"), (1, "scale")];
    let channel = |(sampler, (node, path)): (usize, &(usize, &str))| json!({ "sampler": sampler, "target": { "node": node, "path": path } });
    let channels: Vec<Value> = targets.iter().enumerate().map(channel).collect();
    asset.document["animations"] = json!([{ "channels": channels, "samplers": samplers }]);
    let (scene, losses) = asset.read().unwrap();
    let size = |curve: &Curve| match curve {
        Curve::Translation(keys) | Curve::Scale(keys) => keys.values[0][0],
        _ => panic!("another curve"),
    };
    let kept: Vec<f32> = scene.clips.iter().next().unwrap().tracks.iter().map(|track| size(&track.curve)).collect();
    assert_eq!(kept, [1.0, 2.0, 4.0, 5.0]);
    assert_eq!(losses.losses()[0].count, 2);
}

#[test]
fn a_matrix_wins_over_trs() {
    let lost = losses(|document| {
        document["nodes"][0] =
            json!({ "scale": [2, 2, 2], "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] });
    });
    assert_eq!(lost, ["dropped node transforms of node 0: the matrix is taken"]);
}

#[test]
fn words_about_the_file_are_kept() {
    let text = json!({
        "asset": { "version": "2.0", "generator": "tool", "copyright": "me" }, "extras": { "a": [1] },
        "nodes": [{ "extras": "note" }], "scenes": [{ "nodes": [0] }],
    });
    let (scene, losses) = read_bytes(text.to_string().as_bytes()).unwrap();
    let kept: Vec<_> = scene.extras.iter().collect();
    assert_eq!(kept, [("gltf.copyright", "\"me\""), ("gltf.extras", "{\"a\":[1]}"), ("gltf.generator", "\"tool\"")]);
    assert_eq!(scene.nodes.iter().next().unwrap().extras.get("gltf", "extras"), Some("\"note\""));
    assert!(losses.is_empty());
}

const NOTES: &str = "dropped extras of the file: those of skins, textures, samplers, images, \
                     and of parts of meshes, materials, animations and buffers";

#[test]
fn notes_that_have_no_place_are_counted() {
    let lost = losses(|document| {
        document["skins"] = json!([{ "joints": [0], "extras": 1 }]);
        document["samplers"] = json!([{ "extras": 1 }, {}]);
        document["extensionsUsed"] = json!(["KHR_materials_variants"]);
    });
    assert_eq!(lost, [NOTES, "dropped extensions of KHR_materials_variants: what it adds is not read"]);
}

#[test]
fn notes_on_parts_are_counted_one_by_one() {
    let (mut asset, _) = triangle();
    let note = json!({ "note": 1 });
    let (input, output) = (asset.floats("SCALAR", &[0.0, 1.0]), asset.floats("VEC3", &[0.0; 6]));
    let document = &mut asset.document;
    document["animations"] = json!([{
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "scale" }, "extras": note }],
        "samplers": [{ "input": input, "output": output, "extras": note }],
    }]);
    document["images"] = json!([{ "uri": "a.png", "extras": note }]);
    document["textures"] = json!([{ "source": 0, "extras": note }]);
    let texture = json!({ "index": 0, "extras": note });
    document["materials"] = json!([{
        "pbrMetallicRoughness": { "extras": note, "baseColorTexture": texture, "metallicRoughnessTexture": texture },
        "normalTexture": texture, "occlusionTexture": texture, "emissiveTexture": texture,
    }]);
    document["meshes"][0]["primitives"][0]["extras"] = note.clone();
    for list in ["accessors", "bufferViews"] {
        document[list][0]["extras"] = note.clone();
    }
    let (_, losses) = asset.read().unwrap();
    let found: Vec<(String, u64)> =
        losses.iter().filter(|loss| loss.what == Lost::Extras).map(|loss| (loss.to_string(), loss.count)).collect();
    assert_eq!(found, [(NOTES.to_owned(), 13)]);
}

#[test]
fn a_missing_buffer_is_refused_only_where_it_is_needed() {
    let mut document = json!({ "asset": { "version": "2.0" }, "buffers": [{ "uri": "gone.bin", "byteLength": 4 }] });
    assert!(read_bytes(document.to_string().as_bytes()).is_ok());
    document["bufferViews"] = json!([{ "buffer": 0, "byteLength": 4 }]);
    document["images"] = json!([{ "bufferView": 0 }]);
    let (code, path, message) = place_of(&read_bytes(document.to_string().as_bytes()).err().unwrap());
    assert_eq!((code.as_str(), path.as_str()), ("GLTF0042", "json.buffers[0]"));
    assert!(message.contains("gone.bin"), "{message}");
}

#[test]
fn the_check_finds_joints_out_of_range_in_any_set() {
    let (mut asset, positions) = triangle();
    let joints = asset.integers("VEC4", 5121, 3, &[0; 12]);
    let more = asset.integers("VEC4", 5121, 3, &[5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let half = asset.floats("VEC4", &[0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0]);
    asset.document["meshes"][0]["primitives"][0]["attributes"] =
        json!({ "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": half, "JOINTS_1": more, "WEIGHTS_1": half });
    asset.document["nodes"][0]["skin"] = json!(0);
    asset.document["skins"] = json!([{ "joints": [0] }]);
    let bytes = asset.bytes();
    let mut report = Report::default();
    format::check(&File::parse(&bytes).unwrap(), &Source::BARE, &mut report);
    let codes: Vec<_> = report.items().iter().map(|finding| finding.code.id).collect();
    assert_eq!(codes, ["GLTF0051", "GLTF0078"]);
}
