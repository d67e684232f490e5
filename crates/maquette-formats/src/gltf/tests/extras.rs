//! What a scene holds and glTF has no property for: out and back again, and invalid members that others wrote.

use super::super::FORMAT;
use super::{Asset, read_bytes, shown, triangle};
use crate::format::{Fitted, WriteOptions};
use maquette_scene::Scene;
use maquette_scene::clip::{Blend, Clip, Curve, Event, Interpolation, Keys, Target, Track};
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::material::{Material, Pbr};
use serde_json::{Value, json};

/// A node that moves for a second.
fn moving(change: impl FnOnce(&mut Clip)) -> Scene {
    let (mut scene, _) = triangle().0.read().unwrap();
    let keys = Keys {
        times_secs: vec![0.0, 1.0],
        values: vec![[0.0; 3], [1.0, 2.0, 3.0]],
        interpolation: Interpolation::Linear,
    };
    let track = Track { target: Target::Node(scene.roots[0]), curve: Curve::Translation(keys), blend: None };
    let mut clip = Clip { name: "walk".into(), duration_secs: 1.0, tracks: vec![track], ..Clip::default() };
    change(&mut clip);
    scene.clips.push(clip);
    scene
}

fn glb(scene: &Scene) -> Vec<u8> {
    let options = WriteOptions { dialect: "binary", name: "made.glb", others: &[] };
    let fitted = Fitted::check(scene, &(FORMAT.caps)("binary")).unwrap();
    (FORMAT.write)(&fitted, &options, &mut LossReport::default()).unwrap().main
}

fn again(scene: &Scene) -> Scene {
    let (scene, losses) = read_bytes(&glb(scene)).unwrap();
    assert!(losses.is_empty(), "{:?}", shown(&losses));
    scene
}

fn clip(scene: &Scene) -> &Clip {
    scene.clips.iter().next().unwrap()
}

fn event(time_secs: f32, name: &str) -> Event {
    Event { time_secs, name: name.into() }
}

#[test]
fn events_come_back() {
    let events = vec![event(0.1, "step"), event(0.1, "step"), event(7.3, "\"ende\"\n"), event(0.0, "")];
    let scene = moving(|clip| clip.events = events.clone());
    assert_eq!(clip(&again(&scene)).events, events);
}

#[test]
fn whether_it_repeats_comes_back() {
    for looped in [None, Some(false), Some(true)] {
        assert_eq!(clip(&again(&moving(|clip| clip.looped = looped))).looped, looped);
    }
}

#[test]
fn frame_rates_and_lengths_come_back() {
    for rate in [29.97, 1e-30, 30.0, f32::MAX, 0.1] {
        assert_eq!(clip(&again(&moving(|clip| clip.frame_rate = Some(rate)))).frame_rate, Some(rate));
    }
    for step in 0..1000 {
        let secs = f64::from(step) / 7.0 + 0.1;
        let first = clip(&again(&moving(|clip| clip.duration_secs = secs))).duration_secs;
        assert!((first - secs).abs() <= 1e-14 * secs, "{first} for {secs}");
        assert_eq!(clip(&again(&moving(|clip| clip.duration_secs = first))).duration_secs, first);
    }
}

#[test]
fn a_member_of_older_files_stays_where_it_was() {
    let (scene, losses) = claiming(json!({ "composed": "additive" })).read().unwrap();
    assert!(losses.is_empty(), "{:?}", shown(&losses));
    assert_eq!(clip(&scene).blend, Blend::Absolute, "such keys were composed with the rest pose");
    assert_eq!(again(&scene).clips, scene.clips);
    assert!(String::from_utf8_lossy(&glb(&again(&scene))).contains(r#""composed":"additive""#));
}

#[test]
fn events_before_zero_move_the_clip() {
    let scene = moving(|clip| clip.events = vec![event(-0.5, "early")]);
    let first = again(&scene);
    assert_eq!(clip(&first).events, [event(0.0, "early")]);
    assert_eq!((clip(&first).tracks[0].curve.times_secs(), clip(&first).duration_secs), (&[0.5, 1.5][..], 1.5));
    assert!(String::from_utf8_lossy(&glb(&again(&first))).contains(r#""shifted_secs":0.5"#));
}

#[test]
fn what_other_formats_kept_comes_back_to_them() {
    let mut scene = moving(|clip| clip.extras.set("seanim", "header", r#"{"framerate":24.0}"#));
    scene.extras.set("nlm", "hash", "[1,2]");
    scene.nodes.get_mut(scene.roots[0]).unwrap().extras.set("bmw", "id", "7");
    let again = again(&scene);
    assert_eq!(again.extras.get("nlm", "hash"), Some("[1,2]"));
    assert_eq!(clip(&again).extras.get("seanim", "header"), Some(r#"{"framerate":24.0}"#));
    assert_eq!(again.nodes.get(again.roots[0]).unwrap().extras.get("bmw", "id"), Some("7"));
}

#[test]
fn factors_that_change_nothing_come_back() {
    let mut scene = moving(|_| {});
    let factors = Pbr { normal_scale: 0.5, occlusion_strength: 0.25, emissive_strength: 3.0, ..Pbr::default() };
    scene.materials.push(Material { surface: factors.clone().into(), ..Material::default() });
    let again = again(&scene);
    let material = again.materials.iter().next().unwrap();
    assert_eq!(material.pbr(), Some(&factors));
    assert!(material.extras.is_empty(), "{:?}", material.extras);
}

#[test]
fn what_wrote_the_first_file_is_known_after_many() {
    let mut asset = triangle().0;
    asset.document["asset"]["generator"] = json!("somebody's exporter");
    let (mut scene, _) = asset.read().unwrap();
    for _ in 0..3 {
        scene = again(&scene);
        assert_eq!(scene.extras.get("gltf", "generator"), Some(r#""somebody's exporter""#));
        assert_eq!(scene.extras.get("gltf", "asset_extras"), None);
    }
}

#[test]
fn a_file_that_is_read_and_written_over_and_over_stays_the_same() {
    let mut scene = moving(|clip| {
        clip.events = vec![event(-0.25, "step")];
        clip.looped = Some(true);
        clip.frame_rate = Some(29.97);
        clip.duration_secs = 1.1;
        clip.extras.set("seanim", "custom", r#""00ff""#);
        clip.extras.set("gltf", "extras", r#"{"author":"x","maquette":{"unknown":[1]}}"#);
    });
    // Extras that are no object make room for ours.
    scene.nodes.get_mut(scene.roots[0]).unwrap().extras.set("gltf", "extras", "5");
    scene.nodes.get_mut(scene.roots[0]).unwrap().extras.set("bmw", "id", "7");
    let first = glb(&again(&scene));
    let second = glb(&again(&again(&scene)));
    assert!(first == second);
    let scene = again(&scene);
    assert_eq!(scene.nodes.get(scene.roots[0]).unwrap().extras.get("gltf", "extras"), Some("5"));
    assert_eq!(clip(&scene).extras.get("gltf", "extras"), Some(r#"{"author":"x","maquette":{"unknown":[1]}}"#));
}

/// A file whose animation has these members in `extras.maquette`.
fn claiming(ours: Value) -> Asset {
    let (mut asset, _) = triangle();
    let input = asset.floats("SCALAR", &[0.0, 1.0]);
    let output = asset.floats("VEC3", &[0.0; 6]);
    asset.document["animations"] = json!([{
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
        "samplers": [{ "input": input, "output": output }],
        "extras": { "maquette": ours },
    }]);
    asset
}

#[test]
fn members_that_make_no_sense_are_dropped_and_named() {
    let odd = [
        json!(null),
        json!("NaN"),
        json!("Infinity"),
        json!(-1),
        json!({}),
        json!([[[]]]),
        json!(1e300),
        json!("\u{0}"),
        json!(vec![0; 100_000]),
    ];
    for key in ["duration_secs", "shifted_secs", "frame_rate", "looped", "events"] {
        for value in &odd {
            let (scene, losses) = claiming(json!({ key: value })).read().unwrap();
            let clip = clip(&scene);
            assert!(clip.events.is_empty() && clip.looped.is_none() && clip.frame_rate.is_none(), "{key}: {value:.40}");
            assert_eq!((clip.duration_secs, clip.blend), (1.0, Blend::Absolute));
            assert!(clip.extras.is_empty(), "{key}: {value:.40}");
            let named = losses.names(Lost::Extras) || (key == "events" && losses.names(Lost::Events));
            assert!(named, "{key}: {value:.40}: {:?}", shown(&losses));
        }
    }
    let (_, losses) = claiming(json!({ "looped": 1, "frame_rate": 0 })).read().unwrap();
    let said = "dropped extras of clip 0: frame_rate, looped in extras.maquette are invalid";
    assert_eq!(shown(&losses), [said]);
}

#[test]
fn of_events_the_sound_ones_are_read() {
    let events = json!([
        { "time_secs": 1, "name": "a" }, { "time_secs": "NaN", "name": "b" }, { "time_secs": -0.5, "name": "c" },
        { "name": "d" }, { "time_secs": 2.5, "name": 7 }, 3, null, { "time_secs": 2.5, "name": "e", "more": [] },
    ]);
    let (scene, losses) = claiming(json!({ "events": events })).read().unwrap();
    assert_eq!(clip(&scene).events, [event(1.0, "a"), event(2.5, "e")]);
    assert_eq!((losses.losses()[0].what, losses.losses()[0].count), (Lost::Events, 6));
}

#[test]
fn extras_of_any_shape_are_survived_everywhere() {
    let odd =
        [json!(null), json!(5), json!([]), json!("maquette"), json!({ "maquette": null }), json!({ "maquette": [] })];
    let more =
        [json!({ "maquette": { "generator": 5, "normal_scale": [], "nlm.": 1, ".x": 2, "gltf.scene_name": {} } })];
    for extras in odd.iter().chain(&more) {
        let mut asset = claiming(json!({}));
        asset.document["extras"] = extras.clone();
        asset.document["asset"]["extras"] = extras.clone();
        asset.document["materials"] = json!([{ "extras": extras }]);
        for list in ["animations", "nodes", "meshes", "scenes"] {
            asset.document[list][0]["extras"] = extras.clone();
        }
        let (scene, _) = asset.read().unwrap();
        let first = glb(&scene);
        let (scene, _) = read_bytes(&first).unwrap();
        assert!(first == glb(&scene), "{extras}");
    }
}
