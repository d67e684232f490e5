//! Clips, key by key.

use super::scenes;
use super::{File, glb, loss};
use maquette_scene::clip::Curve;
use maquette_scene::loss::LossKind;
use serde_json::{Value, json};

/// A channel's input, output and interpolation.
fn channel(file: &File, animation: usize, channel: usize) -> (Vec<f32>, Vec<f32>, Value) {
    let animation = file.at(&format!("/animations/{animation}"));
    let sampler = &animation["samplers"][animation["channels"][channel]["sampler"].as_u64().unwrap() as usize];
    (file.floats(&sampler["input"]), file.floats(&sampler["output"]), sampler["interpolation"].clone())
}

#[test]
fn the_post_sways() {
    let (file, _) = glb(&scenes::post());
    let animation = file.at("/animations/0");
    assert_eq!(animation["name"], "sway");
    assert_eq!(animation["channels"].as_array().unwrap().len(), 3);
    assert_eq!(animation["channels"][1]["target"], json!({ "node": 1, "path": "rotation" }));
    let (times, values, interpolation) = channel(&file, 0, 1);
    assert_eq!((times, interpolation), (vec![0.0, 0.5, 1.0, 1.5, 2.0], Value::Null));
    assert_eq!(values, crate::specimen::JOINTS[1].rotations.as_flattened());
    // All three share their times, which have bounds.
    let inputs: Vec<&Value> = animation["samplers"].as_array().unwrap().iter().map(|it| &it["input"]).collect();
    assert_eq!((inputs[0], inputs[1]), (inputs[1], inputs[2]));
    assert_eq!((&file.accessor(inputs[0])["min"], &file.accessor(inputs[0])["max"]), (&json!([0.0]), &json!([2.0])));
    assert!(animation.get("extras").is_none(), "its length is that of its keys");
}

#[test]
fn every_interpolation_is_kept() {
    let scene = scenes::interpolations();
    let (file, losses) = glb(&scene);
    let clip = scene.clips.iter().next().unwrap();
    let words = [json!("STEP"), Value::Null, json!("CUBICSPLINE")];
    for (index, original) in clip.tracks[1..10].iter().enumerate() {
        let (times, values, interpolation) = channel(&file, 0, index);
        assert_eq!(times, original.curve.times_secs());
        assert_eq!(interpolation, words[index / 3]);
        let expected = match &original.curve {
            Curve::Translation(keys) | Curve::Scale(keys) => keys.values.as_flattened().to_vec(),
            Curve::Rotation(keys) => keys.values.as_flattened().to_vec(),
            Curve::MorphWeights(_) => panic!(),
        };
        assert_eq!(values, expected);
    }
    // Of two tracks of one property the later counts, and a spline of one key is that key.
    assert_eq!(file.at("/animations/0/channels").as_array().unwrap().len(), 10);
    assert_eq!(channel(&file, 0, 9), (vec![0.25], vec![1.0, 0.0, 0.0], Value::Null));
    let dropped: Vec<u64> =
        losses.losses().iter().filter(|loss| loss.what.word() == "tracks").map(|loss| loss.count).collect();
    assert_eq!(dropped, [1, 1]);
    assert_eq!(loss(&losses, "cubic splines").kind, LossKind::Baked);
}

#[test]
fn morph_weights_are_told_key_by_key() {
    let (file, _) = glb(&scenes::morphs());
    assert_eq!(file.at("/animations/0/channels/0/target"), &json!({ "node": 0, "path": "weights" }));
    assert_eq!(channel(&file, 0, 0), (vec![0.0, 1.0], vec![0.0, 1.0, 1.0, 0.0], Value::Null));
    let expected = (0..6).flat_map(|row| [row as f32, 10.0 + row as f32]).collect();
    assert_eq!(channel(&file, 1, 0), (vec![0.0, 1.0], expected, json!("CUBICSPLINE")));
}

#[test]
fn animation_alone_gets_a_flat_skeleton() {
    let (file, losses) = glb(&scenes::names());
    let mark = |role: &str| json!({ "maquette": { "added": role } });
    let expected = json!([
        { "name": "walk", "children": [1, 2], "extras": mark("skeleton") },
        { "name": "spine", "extras": mark("joint") },
        { "name": "hip", "extras": mark("joint") },
    ]);
    assert_eq!(file.at("/nodes"), &expected);
    assert_eq!(file.at("/scenes/0/nodes"), &json!([0]));
    let targets: Vec<&Value> = file.list("/animations/0/channels").iter().map(|it| &it["target"]).collect();
    let target = |node: usize, path: &str| json!({ "node": node, "path": path });
    assert_eq!(targets, [&target(1, "translation"), &target(2, "rotation"), &target(1, "scale")]);
    let kept = json!({
        "duration_secs": 1.0,
        "frame_rate": 29.97,
        "looped": true,
        "events": [{ "time_secs": 0.1, "name": "step" }, { "time_secs": 0.5, "name": "step" }],
    });
    assert_eq!(file.at("/animations/0/extras"), &json!({ "maquette": kept }));
    assert_eq!(file.at("/extras"), &json!({ "maquette": { "seanim.reserved1": [1, 2] } }));
    let words: Vec<(&str, &str, u64)> =
        losses.losses().iter().map(|loss| (loss.kind.word(), loss.what.word(), loss.count)).collect();
    assert_eq!(words, [("baked", "hierarchy", 2)]);
}

#[test]
fn the_skeleton_of_several_clips_is_named_after_the_file() {
    let mut scene = scenes::names();
    let mut second = scene.clips.iter().next().unwrap().clone();
    second.name = "run".into();
    scene.clips.push(second);
    let (file, _) = glb(&scene);
    assert_eq!(file.at("/nodes/0/name"), "made");
    assert_eq!(file.list("/nodes").len(), 3);
}

#[test]
fn times_before_zero_shift_the_clip() {
    let (file, losses) = glb(&scenes::early());
    assert_eq!(channel(&file, 0, 0).0, [0.0, 0.5, 1.5]);
    let kept = json!({
        "duration_secs": 1.75,
        "shifted_secs": 0.5,
        "events": [{ "time_secs": 0.75, "name": "bang" }],
    });
    assert_eq!(file.at("/animations/0/extras/maquette"), &kept);
    assert_eq!(loss(&losses, "key times").kind, LossKind::Baked);
}

#[test]
fn quaternions_of_keys_are_brought_to_unit_length() {
    let (file, losses) = glb(&scenes::long_turns());
    assert_eq!(channel(&file, 0, 0).1, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let turned = loss(&losses, "rotation lengths");
    assert_eq!((turned.kind, turned.count), (LossKind::Approximated { max_error: 1.0 }, 2));
}
