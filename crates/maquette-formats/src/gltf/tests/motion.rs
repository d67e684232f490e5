//! Animations and skins: what moves, and where to.

use super::super::faults::FAULTS;
use super::super::sample::sample;
use super::{Asset, Folder, floats, read_bytes, read_companions, shown, triangle};
use crate::specimen::{self, KEY_TIMES, Vertex};
use maquette_scene::clip::{Curve, Interpolation, Target};
use maquette_scene::glam::Mat4;
use maquette_scene::loss::Lost;
use maquette_scene::scene::Transform;
use maquette_scene::{pose, valid};
use serde_json::json;

/// How far the middle joint is rotated, in radians: to the left by 30 degrees at 0.5 s, back at 1 s, to the right at 1.5 s.
fn angle(secs: f64) -> f64 {
    let degrees = [0.0, 30.0, 0.0, -30.0, 0.0];
    let key = ((secs / 0.5) as usize).min(3);
    let fraction = secs / 0.5 - key as f64;
    (degrees[key] * (1.0 - fraction) + degrees[key + 1] * fraction).to_radians()
}

fn rotated([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    [x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()]
}

/// Where a vertex of the specimen is, from what the joints do: each rotates about its own end of the post.
fn expected(vertex: &Vertex, secs: f64) -> [f64; 3] {
    let [x, y, z] = vertex.position.map(f64::from);
    let angle = angle(secs);
    let with_middle = rotated([x, y - 1.0], angle);
    let in_tip = rotated([x, y - 2.0], -angle);
    let with_tip = rotated([in_tip[0], in_tip[1] + 1.0], angle);
    let followed = [[x, y], [with_middle[0], with_middle[1] + 1.0], [with_tip[0], with_tip[1] + 1.0]];
    let mut sum = [0.0, 0.0, z];
    for (joint, weight) in vertex.joints.iter().zip(vertex.weights).filter(|(_, weight)| *weight > 0.0) {
        sum[0] += f64::from(weight) * followed[*joint as usize][0];
        sum[1] += f64::from(weight) * followed[*joint as usize][1];
    }
    sum
}

#[test]
fn the_sample_moves_as_the_specimen_does() {
    let (vertices, indices) = specimen::geometry();
    for dialect in ["binary", "text"] {
        let bundle = sample(dialect);
        let (scene, losses) = read_companions(&bundle.main, &Folder::of(&bundle)).unwrap();
        assert_eq!(valid::check(&scene), Ok(()));
        assert!(losses.is_empty(), "{:?}", shown(&losses));
        let clip = scene.clips.iter().next().unwrap();
        assert_eq!((clip.name.as_str(), clip.duration_secs, clip.tracks.len()), ("sway", 2.0, 3));
        let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
        assert_eq!(primitive.indices, indices);
        for step in 0..=40 {
            let secs = step as f32 * 0.05;
            let moved = pose::positions_at(&scene, clip, secs);
            assert_eq!(moved.len(), vertices.len());
            for (vertex, found) in vertices.iter().zip(moved) {
                let right = expected(vertex, f64::from(secs));
                for (found, right) in found.to_array().into_iter().zip(right) {
                    assert!((f64::from(found) - right).abs() < 1e-5, "{dialect} at {secs} s: {found} for {right}");
                }
            }
        }
    }
}

#[test]
fn every_stream_of_the_sample_is_there_unchanged() {
    let (scene, _) = read_bytes(&sample("binary").main).unwrap();
    let streams = &scene.meshes.iter().next().unwrap().primitives[0].streams;
    let (vertices, _) = specimen::geometry();
    for (index, vertex) in vertices.iter().enumerate() {
        assert_eq!(streams.positions[index], vertex.position);
        assert_eq!(streams.normals.as_ref().unwrap()[index], vertex.normal);
        assert_eq!(streams.tangents.as_ref().unwrap()[index][..3], vertex.tangent);
        assert_eq!(streams.uvs[0][index], vertex.uv);
        let used: Vec<_> = streams.influences.as_ref().unwrap().of(index).collect();
        let right = vertex.joints.iter().zip(vertex.weights).filter(|(_, weight)| *weight > 0.0);
        assert_eq!(used, right.map(|(joint, weight)| (*joint as u32, weight)).collect::<Vec<_>>());
    }
    let skin = scene.skins.iter().next().unwrap();
    assert_eq!(skin.joint_from_mesh[2], Mat4::from_cols_array(&specimen::translation_matrix([0.0, -2.0, 0.0])));
    let names: Vec<_> = skin.joints.iter().map(|&joint| scene.nodes.get(joint).unwrap().name.as_str()).collect();
    assert_eq!(names, ["base", "middle", "tip"]);
    assert_eq!(KEY_TIMES.as_slice(), scene.clips.iter().next().unwrap().tracks[0].curve.times_secs());
}

#[test]
fn a_skin_without_matrices_has_identities() {
    let (mut asset, _) = triangle();
    asset.document["skins"] = json!([{ "joints": [0] }]);
    let (scene, _) = asset.read().unwrap();
    assert_eq!(scene.skins.iter().next().unwrap().joint_from_mesh, [Mat4::IDENTITY]);
}

#[test]
fn a_skin_with_too_few_matrices_is_refused() {
    let (mut asset, _) = triangle();
    let matrices = asset.floats("MAT4", &Mat4::IDENTITY.to_cols_array());
    asset.document["nodes"] = json!([{ "mesh": 0 }, {}]);
    asset.document["scenes"] = json!([{ "nodes": [0, 1] }]);
    asset.document["skins"] = json!([{ "joints": [0, 1], "inverseBindMatrices": matrices }]);
    let (code, path, message) = asset.refused();
    assert_eq!((code.as_str(), path.as_str()), ("GLTF0085", "json.skins[0].inverseBindMatrices"), "{message}");
}

#[test]
fn several_sets_of_joints_become_one_of_more_slots() {
    let (mut asset, positions) = triangle();
    let first = asset.integers("VEC4", 5121, 3, &[0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    let second: Vec<u8> =
        [1u16, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0].iter().flat_map(|joint| joint.to_le_bytes()).collect();
    let second = asset.integers("VEC4", 5123, 3, &second);
    let weights = asset.floats("VEC4", &[0.5, 0.25, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let more = asset.floats("VEC4", &[0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    asset.document["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": positions, "JOINTS_0": first, "WEIGHTS_0": weights, "JOINTS_1": second, "WEIGHTS_1": more });
    asset.document["nodes"] = json!([{ "mesh": 0, "skin": 0 }, {}, {}]);
    asset.document["scenes"] = json!([{ "nodes": [0, 1, 2] }]);
    asset.document["skins"] = json!([{ "joints": [1, 2] }]);
    let (scene, losses) = asset.read().unwrap();
    let influences = scene.meshes.iter().next().unwrap().primitives[0].streams.influences.clone().unwrap();
    assert_eq!((influences.slots, influences.joints.len()), (8, 24));
    assert_eq!(influences.of(0).collect::<Vec<_>>(), [(0, 0.5), (1, 0.25), (1, 0.25)]);
    assert!(losses.is_empty(), "joints of weight 0 are none: {:?}", shown(&losses));
    // The same joint with weight follows nothing.
    asset.document["skins"] = json!([{ "joints": [1] }]);
    assert_eq!(asset.refused().0, "GLTF0078");
}

/// A node that moves along these keys.
fn animated(property: &str, interpolation: &str, times: &[f32], values: &[f32], kind: &str) -> Asset {
    let (mut asset, _) = triangle();
    let input = asset.floats("SCALAR", times);
    let output = asset.floats(kind, values);
    asset.document["animations"] = json!([{
        "name": "moving",
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": property } }],
        "samplers": [{ "input": input, "output": output, "interpolation": interpolation }],
    }]);
    asset
}

#[test]
fn interpolations_are_kept() {
    for (name, interpolation) in
        [("STEP", Interpolation::Step), ("LINEAR", Interpolation::Linear), ("CUBICSPLINE", Interpolation::CubicSpline)]
    {
        let values: &[f32] = if name == "CUBICSPLINE" { &[0.0; 18] } else { &[0.0; 6] };
        let (scene, _) = animated("scale", name, &[0.25, 1.0], values, "VEC3").read().unwrap();
        let clip = scene.clips.iter().next().unwrap();
        assert_eq!((clip.tracks[0].curve.interpolation(), clip.duration_secs), (interpolation, 1.0));
        assert_eq!(clip.tracks[0].target, Target::Node(scene.roots[0]));
    }
}

#[test]
fn weights_of_morph_targets_are_split_by_key() {
    let mut asset = animated("weights", "LINEAR", &[0.0, 1.0], &[0.0, 1.0, 0.5, 0.25], "SCALAR");
    asset.document["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 0 }, { "POSITION": 0 }]);
    let (scene, _) = asset.read().unwrap();
    let Curve::MorphWeights(keys) = &scene.clips.iter().next().unwrap().tracks[0].curve else { panic!("no weights") };
    assert_eq!(keys.values, [vec![0.0, 1.0], vec![0.5, 0.25]]);
}

#[test]
fn unsorted_keys_are_sorted_and_the_last_of_a_time_is_kept() {
    let values = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    let (scene, losses) = animated("translation", "LINEAR", &[0.0, 2.0, 1.0, 2.0], &values, "VEC3").read().unwrap();
    let Curve::Translation(keys) = &scene.clips.iter().next().unwrap().tracks[0].curve else {
        panic!("no translation")
    };
    assert_eq!(keys.times_secs, [0.0, 1.0, 2.0]);
    assert_eq!(keys.values.iter().map(|value| value[0]).collect::<Vec<_>>(), [0.0, 1.0, 3.0]);
    assert!(losses.names(Lost::Keys));
}

#[test]
fn keys_that_cannot_be_are_refused() {
    let refused = |times: &[f32], values: &[f32]| animated("scale", "LINEAR", times, values, "VEC3").refused();
    assert_eq!(refused(&[0.0, 1.0], &[1.0; 3]).0, "GLTF0091");
    assert_eq!(refused(&[f32::NAN], &[1.0; 3]).0, "GLTF0053");
    assert_eq!(refused(&[0.0], &[1.0, f32::INFINITY, 1.0]).1, "json.accessors[2]");
    assert_eq!(animated("scale", "LINEAR", &[0.0], &[1.0; 4], "VEC4").refused().0, "GLTF0071");
}

#[test]
fn a_matrix_stays_a_matrix() {
    let (mut asset, _) = triangle();
    let sheared = [1.0, 0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 7.0, 8.0, 9.0, 1.0];
    asset.document["nodes"][0]["matrix"] = json!(sheared);
    let (scene, _) = asset.read().unwrap();
    assert_eq!(scene.nodes.iter().next().unwrap().transform, Transform::Matrix(Mat4::from_cols_array(&sheared)));
    assert_eq!(pose::positions_at_rest(&scene)[2].to_array(), [7.5, 9.0, 9.0]);
}

#[test]
fn whatever_is_read_of_a_broken_file_holds_together() {
    for fault in FAULTS {
        let bundle = (fault.make)();
        match read_companions(&bundle.main, &Folder::of(&bundle)) {
            Ok((scene, _)) => assert_eq!(valid::check(&scene), Ok(()), "{}", fault.code.id),
            Err(error) => assert!(error.diagnostic().is_some_and(|finding| finding.offset.is_some()), "{error}"),
        }
    }
}

#[test]
fn files_with_any_byte_changed_are_survived() {
    let mut bytes = sample("binary").main;
    for at in 0..bytes.len() {
        let was = bytes[at];
        for now in [b'0', b'9', b'"', 0xff, was ^ 1] {
            bytes[at] = now;
            if let Ok((scene, _)) = read_bytes(&bytes) {
                assert_eq!(valid::check(&scene), Ok(()), "{now:#x} at {at:#x}");
            }
        }
        bytes[at] = was;
    }
    assert_eq!(floats(&[1.0]), [0, 0, 0x80, 0x3f]);
}
