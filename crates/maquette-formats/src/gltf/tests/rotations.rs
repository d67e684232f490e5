//! Quaternions of nodes and keys: what the check says of their lengths, what the reader makes of them, and what comes back.

use super::super::FORMAT;
use super::super::raw::File;
use super::super::write::write;
use super::{Asset, shown, triangle};
use crate::format::{self, Fitted, Source, WriteOptions};
use maquette_scene::clip::Curve;
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::{Report, Scene, pose};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What the check says of rotations: code, path and how often.
fn findings(asset: &Asset) -> Vec<(&'static str, String, u64)> {
    let bytes = asset.bytes();
    let mut report = Report::default();
    format::check(&File::parse(&bytes).unwrap(), &Source::BARE, &mut report);
    // Positions and times of these files state no bounds.
    let findings = report.items().iter().filter(|finding| finding.code.id != "GLTF0051");
    findings.map(|finding| (finding.code.id, finding.path.to_string(), finding.count)).collect()
}

/// The loss of rotation lengths: how many, and the largest error.
fn normalised(losses: &LossReport) -> Option<(u64, f32)> {
    let of_lengths: Vec<_> = losses.losses().iter().filter(|loss| loss.what == Lost::RotationLengths).collect();
    assert_eq!(of_lengths.len(), losses.losses().len(), "{:?}", shown(losses));
    assert!(of_lengths.len() <= 1, "{:?}", shown(losses));
    of_lengths.first().map(|loss| match loss.kind {
        LossKind::Approximated { max_error } => (loss.count, max_error),
        other => panic!("{other:?}"),
    })
}

/// A triangle at a node with this rotation.
fn rotated(rotation: Value) -> Asset {
    let (mut asset, _) = triangle();
    asset.document["nodes"][0]["rotation"] = rotation;
    asset
}

/// A node whose rotation these values animate, from an accessor like this one.
fn animated(interpolation: &str, times: &[f32], accessor: impl FnOnce(&mut Asset) -> usize) -> Asset {
    let (mut asset, _) = triangle();
    let input = asset.floats("SCALAR", times);
    let output = accessor(&mut asset);
    asset.document["animations"] = json!([{
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "rotation" } }],
        "samplers": [{ "input": input, "output": output, "interpolation": interpolation }],
    }]);
    asset
}

/// Keys of one second each, stored as floats.
fn keyed(interpolation: &str, values: &[f32]) -> Asset {
    let count = values.len() / if interpolation == "CUBICSPLINE" { 12 } else { 4 };
    let times: Vec<f32> = (0..count).map(|time| time as f32).collect();
    animated(interpolation, &times, |asset| asset.floats("VEC4", values))
}

/// One key, stored as signed bytes.
fn bytes(normalized: bool, key: [i8; 4]) -> Asset {
    animated("LINEAR", &[0.0], |asset| {
        let view = asset.view(&key.map(|x| x as u8));
        asset.accessor(
            json!({ "bufferView": view, "componentType": 5120, "normalized": normalized, "type": "VEC4", "count": 1 }),
        )
    })
}

fn rotation_of(scene: &Scene) -> [f32; 4] {
    scene.nodes.iter().next().unwrap().transform.trs().rotation.to_array()
}

fn keys_of(scene: &Scene) -> &[[f32; 4]] {
    match &scene.clips.iter().next().unwrap().tracks[0].curve {
        Curve::Rotation(keys) => &keys.values,
        other => panic!("{other:?}"),
    }
}

/// A scene written as a GLB: its JSON, and everything after.
fn rewritten(scene: &Scene) -> (Value, Vec<u8>) {
    let mut losses = LossReport::default();
    let fitted = Fitted::check(scene, &(FORMAT.caps)("binary")).unwrap();
    let options = WriteOptions { dialect: "binary", name: "made.glb", others: &[] };
    let bundle = write(&fitted, &options, &mut losses).unwrap();
    assert!(losses.is_empty(), "{:?}", shown(&losses));
    let end = 20 + u32::from_le_bytes(bundle.main[12..16].try_into().unwrap()) as usize;
    (serde_json::from_slice(&bundle.main[20..end]).unwrap(), bundle.main[end..].to_vec())
}

const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

#[test]
fn a_rotation_of_three_decimals_is_found_normalised_and_reported() {
    let mut asset = rotated(json!([0.707, 0, 0, 0.707]));
    assert_eq!(findings(&asset), [("GLTF0064", "json.nodes[0].rotation".to_owned(), 1)]);
    let (scene, losses) = asset.read().unwrap();
    assert_eq!(rotation_of(&scene), [HALF, 0.0, 0.0, HALF]);
    let (count, error) = normalised(&losses).unwrap();
    assert!(count == 1 && (1.4e-4..1.6e-4).contains(&error), "{error}");
    // Nothing has grown or shrunk.
    let [origin, _, top] = pose::positions_at_rest(&scene)[..] else { panic!("no triangle") };
    assert!((origin.distance(top) - 1.0).abs() < 1e-6, "{top}");
    // Many nodes are one loss, with the largest error.
    asset.document["nodes"].as_array_mut().unwrap().push(json!({ "name": "big", "rotation": [0, 0, 3, 4] }));
    asset.document["scenes"][0]["nodes"] = json!([0, 1]);
    let (_, losses) = asset.read().unwrap();
    assert_eq!(normalised(&losses), Some((2, 4.0)));
    let said =
        "approximated rotation lengths of node 0 and others: quaternions off unit length by up to 4 are normalised";
    assert_eq!(shown(&losses), [said]);
}

#[test]
fn a_rotation_of_length_zero_is_none() {
    let asset = rotated(json!([0, 0, 0, 0]));
    assert_eq!(findings(&asset), [("GLTF0064", "json.nodes[0].rotation".to_owned(), 1)]);
    let (scene, losses) = asset.read().unwrap();
    assert_eq!((rotation_of(&scene), normalised(&losses)), ([0.0, 0.0, 0.0, 1.0], Some((1, 1.0))));
    let asset = keyed("LINEAR", &[0.0; 4]);
    assert_eq!(findings(&asset), [("GLTF0095", "json.accessors[2]".to_owned(), 1)]);
    let (scene, losses) = asset.read().unwrap();
    assert_eq!((keys_of(&scene), normalised(&losses)), (&[[0.0, 0.0, 0.0, 1.0]][..], Some((1, 1.0))));
}

#[test]
fn keys_that_no_view_holds_are_judged_like_others() {
    let asset = animated("STEP", &[0.0, 1.0], |asset| {
        asset.accessor(json!({ "componentType": 5126, "type": "VEC4", "count": 2 }))
    });
    assert_eq!(findings(&asset), [("GLTF0095", "json.accessors[2]".to_owned(), 2)]);
    assert_eq!(normalised(&asset.read().unwrap().1), Some((2, 1.0)));
}

#[test]
fn a_rotation_that_is_not_finite_is_refused_and_said_to_be_nothing_else() {
    let text = br#"{"asset":{"version":"2.0"},"nodes":[{"rotation":[0,1e39,0,1]}]}"#;
    let mut report = Report::default();
    format::check(&File::parse(text).unwrap(), &Source::BARE, &mut report);
    let codes: Vec<_> = report.items().iter().map(|finding| finding.code.id).collect();
    assert_eq!(codes, ["GLTF0065"]);
    assert_eq!(super::refused(text).0, "GLTF0065");
    for bad in [f32::NAN, f32::INFINITY] {
        let asset = keyed("LINEAR", &[0.0, bad, 0.0, 1.0]);
        assert_eq!(findings(&asset), [("GLTF0053", "json.accessors[2]".to_owned(), 1)]);
        assert_eq!(asset.refused().0, "GLTF0053");
    }
}

#[test]
fn lengths_whose_squares_are_beyond_singles_are_normalised() {
    for scale in [1e-30f32, 1e30] {
        let (scene, losses) = rotated(json!([0.0, 3.0 * scale, 0.0, 4.0 * scale])).read().unwrap();
        assert_eq!(rotation_of(&scene), [0.0, 0.6, 0.0, 0.8]);
        assert_eq!(normalised(&losses).unwrap().0, 1);
    }
}

#[test]
fn keys_of_three_decimals_are_counted() {
    let asset = keyed("LINEAR", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.383, 0.0, 0.924, 0.0, 0.707, 0.0, 0.707]);
    assert_eq!(findings(&asset), [("GLTF0095", "json.accessors[2]".to_owned(), 2)]);
    let (scene, losses) = asset.read().unwrap();
    let (count, error) = normalised(&losses).unwrap();
    assert!(count == 2 && (2.2e-4..2.4e-4).contains(&error), "{error}");
    assert_eq!(keys_of(&scene)[0], [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(keys_of(&scene)[2], [0.0, HALF, 0.0, HALF]);
}

#[test]
fn tangents_of_splines_are_no_rotations_and_shrink_with_their_key() {
    let (long, unit) = ([0.0, 0.0, 0.0, 2.0], [0.0, 0.0, 0.0, 1.0]);
    let spline = [[4.0; 4], long, [6.0; 4], [7.0; 4], unit, [9.0; 4]];
    let asset = keyed("CUBICSPLINE", spline.as_flattened());
    assert_eq!(findings(&asset), [("GLTF0095", "json.accessors[2]".to_owned(), 1)]);
    let (scene, losses) = asset.read().unwrap();
    assert_eq!(keys_of(&scene), [[2.0; 4], unit, [3.0; 4], [7.0; 4], unit, [9.0; 4]]);
    assert_eq!(normalised(&losses), Some((1, 1.0)));
}

#[test]
fn integers_are_the_unit_quaternions_that_were_rounded_to_them() {
    for (key, made) in [([0, 0, 0, 127], [0.0, 0.0, 0.0, 1.0]), ([64; 4], [0.5; 4]), ([63; 4], [0.5; 4])] {
        let asset = bytes(true, key);
        assert!(findings(&asset).is_empty(), "{key:?}");
        let (scene, losses) = asset.read().unwrap();
        assert_eq!((keys_of(&scene), normalised(&losses)), (&[made][..], None), "{key:?}");
    }
    for (normalized, key) in [(true, [0, 0, 0, 100]), (true, [65; 4]), (true, [0; 4]), (false, [0, 0, 0, 127])] {
        let asset = bytes(normalized, key);
        assert_eq!(findings(&asset).len(), 1, "{key:?}");
        assert_eq!(normalised(&asset.read().unwrap().1).unwrap().0, 1, "{key:?}");
    }
}

proptest! {
    /// As an exporter makes them: normalised in single precision, and printed so that the same `f32` is read.
    #[test]
    fn unit_quaternions_pass_in_silence_and_come_back_as_they_were(q in prop::array::uniform4(-1.0f32..1.0)) {
        let length = q.iter().map(|x| x * x).sum::<f32>().sqrt();
        prop_assume!(length > 0.01);
        let q = q.map(|x| x / length);
        prop_assume!(q.iter().all(|x| x.abs() < 1.0));
        let mut asset = keyed("LINEAR", &q);
        asset.document["nodes"][0]["rotation"] = serde_json::from_str(&format!("{q:?}")).unwrap();
        prop_assert!(findings(&asset).is_empty());
        let (scene, losses) = asset.read().unwrap();
        prop_assert_eq!(normalised(&losses), None);
        prop_assert_eq!((rotation_of(&scene), keys_of(&scene)), (q, &[q][..]));
        let (document, data) = rewritten(&scene);
        prop_assert_eq!(document["nodes"][0]["rotation"].to_string(), asset.document["nodes"][0]["rotation"].to_string());
        let stored = super::floats(&q);
        prop_assert!(data.windows(stored.len()).any(|bytes| bytes == stored));
    }

    /// Whatever the check finds is reported as changed, and nothing else is changed; what is written is found sound.
    #[test]
    fn check_reader_and_writer_agree(near in 0.99998f32..1.00002, far in 0.0f32..2.0, is_near: bool) {
        let length = if is_near { near } else { far };
        let q = [0.6 * length, 0.0, 0.0, 0.8 * length];
        let mut asset = keyed("LINEAR", &q);
        asset.document["nodes"][0]["rotation"] = json!(q);
        let found = findings(&asset);
        let (scene, losses) = asset.read().unwrap();
        let changed = (rotation_of(&scene), keys_of(&scene)) != (q, &[q][..]);
        prop_assert_eq!(changed, losses.losses().len() == 2, "{:?}", shown(&losses));
        prop_assert_eq!(changed, found.len() == 2, "{:?}", found);
        rewritten(&scene);
    }
}
