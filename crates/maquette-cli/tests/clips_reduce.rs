//! `clip reduce`: no vertex is farther off than asked, by the yardstick, for a model with its clips and for clips by themselves; and what a file holds besides keys stays.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::Folder;
use maquette::clips::{self, Did, Motion};
use maquette::motion::{Blend, Curve, Keys};
use maquette::scene::glam::{DQuat, DVec3};
use maquette::scene::{Scene, pose};
use maquette::{Input, Overwrite};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Writes a file with its clips changed.
fn changed(folder: &Folder, from: &str, to: &str, change: impl Fn(&mut Motion) + Sync) {
    let [from, path] = [from, to].map(|name| folder.0.path().join(name));
    let edited = clips::edit(&Input::from_path(from).unwrap(), Some(to), &Default::default(), &|mut motion, _| {
        change(&mut motion);
        Ok((vec![motion], Did::default()))
    });
    edited.unwrap().outputs[0].save(path, Overwrite::All).unwrap();
}

/// Turns that are smooth, and a little rough.
fn wave(motion: &mut Motion) {
    motion.tracks.retain(|track| !matches!(track.curve, Curve::Rotation(_)));
    motion.duration_secs = 60.0 / 30.0;
    for bone in ["base", "middle", "tip"] {
        let turn = |frame: i32| {
            let secs = f64::from(frame) / 30.0;
            let rough = f64::from(frame * 7919 % 101) * 1e-5;
            DQuat::from_rotation_z((secs * 3.0).sin() * 0.6 + rough) * DQuat::from_rotation_x(secs.cos() * 0.2)
        };
        let keys = (0..=60).map(|frame| (f64::from(frame) / 30.0, turn(frame)));
        motion.push(bone, Curve::Rotation(Keys::straight(keys)));
    }
}

fn scene(folder: &Folder, name: &str) -> Scene {
    maquette::read(folder.0.path().join(name)).unwrap().scene
}

/// How far the worst vertex is off over all clips, at moments ten times as many as keys.
fn farthest(before: &Scene, after: &Scene) -> f32 {
    let mut worst = 0.0f32;
    for (clip, reduced) in before.clips.iter().zip(&after.clips) {
        assert!((clip.duration_secs - reduced.duration_secs).abs() < 1e-5, "as long as before");
        let keys = clip.tracks.iter().map(|track| track.curve.times_secs().len()).max().unwrap_or(0);
        let moments = (10 * keys).clamp(100, 1000);
        for moment in 0..=moments {
            let secs = clip.duration_secs as f32 * moment as f32 / moments as f32;
            let [one, other] =
                [(before, clip), (after, reduced)].map(|(scene, clip)| pose::positions_at(scene, clip, secs));
            worst = one.iter().zip(&other).map(|(one, other)| one.distance(*other)).fold(worst, f32::max);
        }
    }
    worst
}

fn figure(report: &Value, clip: usize, what: &str) -> f64 {
    let figures = report["clips"][clip]["figures"].as_array().unwrap();
    figures.iter().find(|figure| figure["subject"] == "" && figure["what"] == what).unwrap()["value"].as_f64().unwrap()
}

fn keys(scene: &Scene) -> usize {
    scene.clips.iter().flat_map(|clip| &clip.tracks).map(|track| track.curve.times_secs().len()).sum()
}

#[test]
fn no_vertex_is_farther_off_than_asked() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    changed(&folder, "post.glb", "wave.glb", wave);
    let before = scene(&folder, "wave.glb");
    let mut last = usize::MAX;
    for (asked, distance) in
        [("0", 0.0), ("0.01mm", 1e-5), ("0.1mm", 1e-4), ("1 mm", 1e-3), ("1cm", 0.01), ("0.1", 0.1), ("1m", 1.0)]
    {
        let run =
            folder.fine(&["clip", "reduce", "wave.glb", "--tolerance", asked, "-o", "less.glb", "--json", "--force"]);
        let report = run.json_lines().remove(0);
        let after = scene(&folder, "less.glb");
        let (off, told) = (f64::from(farthest(&before, &after)), figure(&report, 0, "largest error"));
        assert!(off <= told + 2e-6 && told <= distance, "{asked}: {off} {told}");
        assert_eq!(
            (figure(&report, 0, "keys after") as usize, figure(&report, 0, "keys before") as usize),
            (keys(&after), keys(&before))
        );
        assert!(keys(&after) <= last, "{asked}: {} {last}", keys(&after));
        last = keys(&after);
    }
    assert!(last <= 12, "{last}");
    let text = folder.fine(&["clip", "reduce", "wave.glb", "--tolerance", "1mm", "-o", "less.glb"]).err;
    assert!(
        text.contains("    middle: keys before 61, keys after ") && text.contains("no vertex is off by more than"),
        "{text}"
    );
}

#[test]
fn a_clip_by_itself_is_measured_on_its_model_or_at_a_distance() {
    let folder = Folder::new();
    folder.fine(&["sample", "walk.seanim"]);
    folder.fine(&["sample", "post.glb"]);
    changed(&folder, "walk.seanim", "wave.seanim", wave);
    let reduced = |more: &[&str]| {
        let words = ["clip", "reduce", "wave.seanim", "--tolerance", "0.001", "-o", "less.seanim", "--json"];
        folder.fine(&[&words[..], more].concat()).json_lines().remove(0)
    };
    let on_model = reduced(&["--skeleton", "post.glb"]);
    for name in ["wave", "less"] {
        folder.fine(&["convert", "post.glb", "--clip", &format!("{name}.seanim"), &format!("{name}.glb"), "--quiet"]);
    }
    let off = farthest(&scene(&folder, "wave.glb"), &scene(&folder, "less.glb"));
    assert!(off <= 0.001 + 2e-6 && off > 0.0, "{off}");
    assert!(figure(&on_model, 0, "largest error") <= 0.001);
    // The farther from the joint, the more keys.
    let at = |at: &str| figure(&reduced(&["--at", at]), 0, "keys after");
    assert!(at("0.01") < at("0.1") && at("0.1") < at("10"), "{} {} {}", at("0.01"), at("0.1"), at("10"));
    // What is not keys stays.
    let [before, after] = ["wave.seanim", "less.seanim"].map(|name| {
        let file = folder.0.path().join(name);
        let seen = maquette::clips_seen::see(&Input::from_path(file).unwrap(), &Default::default()).unwrap();
        seen.motions[0].clone()
    });
    assert_eq!((before.events, before.looped, before.duration_secs), (after.events, after.looped, after.duration_secs));
    assert_eq!(before.bones, after.bones, "modifiers too");
}

#[test]
fn tracks_at_rest_go_where_that_is_asked_for() {
    let folder = Folder::new();
    folder.fine(&["sample", "walk.seanim"]);
    folder.fine(&["sample", "post.glb"]);
    changed(&folder, "walk.seanim", "plain.seanim", |motion| {
        motion.bones.iter_mut().for_each(|bone| bone.blend = None)
    });
    let tracks = |more: &[&str]| {
        folder
            .fine(&[&["clip", "reduce", "plain.seanim", "-o", "less.seanim", "--skeleton", "post.glb"], more].concat());
        let info = folder.fine(&["clip", "info", "less.seanim", "--json"]).json_lines().remove(0);
        info["clips"][0]["tracks"].as_array().unwrap().len()
    };
    assert_eq!((tracks(&[]), tracks(&["--drop-rest"])), (9, 2), "only two bones turn");
}

#[test]
fn many_files_and_mistakes() {
    let folder = Folder::new();
    for name in ["a.seanim", "b.seanim", "post.glb"] {
        folder.fine(&["sample", name]);
    }
    let run = folder.fine(&["clip", "reduce", "a.seanim", "b.seanim", "post.glb", "-o", "less/", "--json"]);
    assert_eq!(run.json_lines().len(), 3);
    for words in [
        &["--tolerance", "-1"][..],
        &["--tolerance", "1 inch"],
        &["--tolerance", "NaN"],
        &["--at", "0"],
        &["--at", "-1"],
        &["--at", "inf"],
        &["--skeleton", "a.seanim"],
        &["--skeleton", "none.glb"],
    ] {
        let run = folder.run(&[&["clip", "reduce", "a.seanim", "-o", "out.seanim"], words].concat());
        assert_eq!(run.code, 2, "{words:?}: {}", run.err);
        assert!(!folder.files().contains(&"out.seanim".into()), "{words:?}");
    }
}

#[test]
fn doubles_and_odd_frame_rates_stay_as_they_are() {
    let folder = Folder::new();
    folder.fine(&["sample", "walk.seanim"]);
    let third = 1.0 / 3.0;
    changed(&folder, "walk.seanim", "odd.seanim", |motion| {
        motion.frame_rate = Some(f64::from(29.97f32));
        motion.change_times(|secs| secs * 30.0 / f64::from(29.97f32));
        let frame = |frame: i32| f64::from(frame) / f64::from(29.97f32);
        motion.tracks.retain(|track| track.bone != 0);
        motion.bones[0].blend = Some(Blend::Delta);
        let line = (0..40).map(|key| (frame(key), DVec3::new(third, f64::from(key), 0.0)));
        motion.push("base", Curve::Translation(Keys::straight(line)));
    });
    folder.fine(&["clip", "reduce", "odd.seanim", "--tolerance", "1e-9", "-o", "less.seanim"]);
    let info = folder.fine(&["clip", "info", "less.seanim", "--json"]).json_lines().remove(0);
    let clip = &info["clips"][0];
    assert!((clip["frame_rate"].as_f64().unwrap() - 29.97).abs() < 1e-5, "{clip}");
    let line = clip["tracks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|track| track["property"] == "translation" && track["bone"] == "base")
        .unwrap();
    assert_eq!((line["keys"].as_u64(), line["blend"].as_str()), (Some(2), Some("delta")), "{line}");
}

/// Real models with clips, where there are some.
#[test]
fn real_clips_are_as_near_as_asked() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("MAQUETTE_CORPUS").map_or(beside, PathBuf::from);
    let folder = Folder::new();
    for name in ["Fox", "CesiumMan", "RiggedFigure", "BoxAnimated", "InterpolationTest", "AnimatedMorphCube"] {
        let file = corpus.join(format!("glb/{name}.glb"));
        if !file.is_file() {
            continue;
        }
        let before = maquette::read(&file).unwrap().scene;
        for distance in ["0.001", "0.05"] {
            folder.fine(&[
                "clip",
                "reduce",
                file.to_str().unwrap(),
                "--tolerance",
                distance,
                "-o",
                "less.glb",
                "--force",
            ]);
            let after = scene(&folder, "less.glb");
            let off = farthest(&before, &after);
            let size = if name == "Fox" { 100.0 } else { 1.0 };
            assert!(off <= distance.parse::<f32>().unwrap() + 3e-6 * size, "{name} {distance}: {off}");
            assert!(keys(&after) <= keys(&before), "{name}");
        }
    }
}
