//! `clip info`, `plot`, `doctor` and `fix`: what clips hold, how they look, and what is wrong with those that were broken on purpose.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::Folder;
use maquette::clips::{self, Did, Motion};
use maquette::motion::{Blend, Curve};
use maquette::scene::glam::{DQuat, DVec3};
use maquette::{Input, Overwrite};
use serde_json::json;
use std::f64::consts::FRAC_PI_2;
use std::path::{Path, PathBuf};

/// `walk.seanim` with a key at each frame, for the bones of `post.glb`.
fn dense() -> Folder {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    folder.fine(&["sample", "sample.seanim"]);
    broken(&folder, "sample.seanim", "walk.seanim", |motion| {
        let frames: Vec<f64> = (0..=60).map(|frame| f64::from(frame) / 30.0).collect();
        motion.tracks.iter_mut().for_each(|track| track.curve = track.curve.sampled_at(&frames));
    });
    folder
}

/// What breaks a clip.
type Change<'c> = &'c (dyn Fn(&mut Motion) + Sync);

/// Writes a file with its clips changed.
fn broken(folder: &Folder, from: &str, to: &str, change: impl Fn(&mut Motion) + Sync) {
    let [from, path] = [from, to].map(|name| folder.0.path().join(name));
    let edited = clips::edit(&Input::from_path(from).unwrap(), Some(to), &Default::default(), &|mut motion, _| {
        change(&mut motion);
        Ok((vec![motion], Did::default()))
    });
    edited.unwrap().outputs[0].save(path, Overwrite::All).unwrap();
}

/// Changes every value of one property.
fn places(motion: &mut Motion, change: impl Fn(DVec3) -> DVec3) {
    for track in &mut motion.tracks {
        if let Curve::Translation(keys) = &mut track.curve {
            keys.values.iter_mut().for_each(|value| *value = change(*value));
        }
    }
}

/// Changes the rotations of a bone, by frame.
fn turns(motion: &mut Motion, bone: usize, change: impl Fn(usize, DQuat) -> DQuat) {
    for track in motion.tracks.iter_mut().filter(|track| track.bone == bone) {
        if let Curve::Rotation(keys) = &mut track.curve {
            keys.values.iter_mut().enumerate().for_each(|(frame, value)| *value = change(frame, *value));
        }
    }
}

/// The faults of a file and the commands that put them right, as words.
fn faults(folder: &Folder, file: &str) -> Vec<(String, Vec<String>)> {
    let run = folder.run(&["clip", "doctor", file, "--skeleton", "post.glb", "--json"]);
    let report = run.json_lines().remove(0);
    let findings = report["findings"].as_array().unwrap().clone();
    assert_eq!(
        (run.code, report["ok"].as_bool().unwrap()),
        (i32::from(!findings.is_empty()), findings.is_empty()),
        "{report}"
    );
    let words = |row: &serde_json::Value| {
        let fix = row["fix"].as_str().unwrap_or_default();
        fix.split(' ').skip(1).map(str::to_owned).collect()
    };
    findings.iter().map(|row| (row["fault"].as_str().unwrap().to_owned(), words(row))).collect()
}

/// The doctor finds this and nothing else, and its command leaves nothing to be found.
fn is_found_and_put_right(folder: &Folder, file: &str, fault: &str, command: &str) {
    let found = faults(folder, file);
    assert_eq!(found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), [fault], "{file}");
    let words = &found[0].1;
    assert!(words.join(" ").contains(command), "{words:?}");
    // A command of another part of the program may not be there.
    if folder.run(&["clip", &words[1], "--help"]).code == 0 {
        folder.fine(words);
        assert_eq!(faults(folder, words.last().unwrap()), [], "{fault}: {words:?}");
    }
}

#[test]
fn faults_are_named_with_the_command_that_puts_them_right() {
    let folder = dense();
    assert_eq!(faults(&folder, "walk.seanim"), []);
    assert_eq!(faults(&folder, "post.glb"), []);
    let additive = |motion: &mut Motion| places(motion, |value| value - DVec3::Y * value.y);
    let cases: [(&str, &str, &str, Change<'_>); 10] = [
        ("inches", "unit-scale", "scale inches.seanim --factor 2.54", &|motion| places(motion, |value| value / 2.54)),
        ("metres", "unit-scale", "scale metres.seanim --factor 0.01", &|motion| places(motion, |value| value * 100.0)),
        ("added", "blend", "--blend additive", &additive),
        ("whole", "blend", "--blend absolute", &|motion| {
            motion.blend = Blend::Relative;
            motion.bones.iter_mut().for_each(|bone| bone.blend = None);
        }),
        ("tilted", "up-axis", "--up y --skeleton post.glb", &|motion| {
            turns(motion, 0, |_, value| DQuat::from_rotation_x(FRAC_PI_2) * value)
        }),
        ("sunk", "up-axis", "--up z --skeleton post.glb", &|motion| {
            turns(motion, 0, |_, value| DQuat::from_rotation_x(-FRAC_PI_2) * value)
        }),
        ("signs", "rotation-signs", "fix signs.seanim", &|motion| {
            turns(motion, 1, |frame, value| if frame % 2 == 1 { -value } else { value })
        }),
        ("lengths", "rotation-not-unit", "fix lengths.seanim", &|motion| {
            turns(motion, 1, |frame, value| value * if frame > 9 { 1.2 } else { 1.0 })
        }),
        ("spike", "spikes", "--spikes", &|motion| {
            turns(motion, 1, |frame, value| if frame == 20 { DQuat::from_rotation_x(2.0) * value } else { value })
        }),
        ("open", "loop-does-not-close", "--looped no", &|motion| {
            turns(motion, 1, |frame, value| value * DQuat::from_rotation_y(frame as f64 * 0.01))
        }),
    ];
    for (name, fault, command, change) in cases {
        let file = format!("{name}.seanim");
        broken(&folder, "walk.seanim", &file, change);
        is_found_and_put_right(&folder, &file, fault, command);
    }
    broken(&folder, "walk.seanim", "stranger.seanim", |motion| {
        motion.bones.iter_mut().for_each(|bone| bone.name.insert_str(0, "rig:"))
    });
    is_found_and_put_right(&folder, "stranger.seanim", "no-bone-matches", "rename stranger.seanim --prefix-strip rig:");
    let alone = folder.run(&["clip", "doctor", "stranger.seanim"]);
    assert_eq!((alone.code, alone.out.as_str()), (0, "stranger.seanim: nothing is wrong\n"), "a model is what tells");
    let run = folder.run(&["clip", "doctor", "inches.seanim", "walk.seanim", "--skeleton", "post.glb"]);
    assert!(run.out.contains("as if it took inches for centimetres\n    maquette clip scale inches.seanim --factor 2.54 -o fixed-inches.seanim\n"), "{}", run.out);
    assert!(run.code == 1 && run.out.ends_with("walk.seanim: nothing is wrong\n"), "{}", run.out);
}

#[test]
fn faults_of_the_file_are_found_and_put_right() {
    let folder = dense();
    let mut bytes = folder.read("walk.seanim");
    bytes[16..20].fill(0);
    folder.write("rate.seanim", &bytes);
    is_found_and_put_right(&folder, "rate.seanim", "frame-rate", "fix rate.seanim");
    for (name, count) in [("short", 60u32), ("long", 62)] {
        let mut bytes = folder.read("walk.seanim");
        bytes[20..24].copy_from_slice(&count.to_le_bytes());
        let file = format!("{name}.seanim");
        folder.write(&file, &bytes);
        is_found_and_put_right(&folder, &file, "frame-count", "--frame-count 0");
        let info = folder.fine(&["info", "--json", &format!("fixed-{file}")]).json_lines().remove(0);
        assert_eq!(info["clips"][0]["frames"], 61);
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/seanim/bad");
    for (code, fault) in [("SEA0051", "keys-unsorted"), ("SEA0052", "keys-on-one-frame")] {
        let file = format!("{code}.seanim");
        folder.write(&file, &std::fs::read(fixtures.join(&file)).unwrap());
        is_found_and_put_right(&folder, &file, fault, "fix");
    }
    let run = folder.run(&["clip", "doctor", "none.seanim", "walk.seanim", "--json"]);
    assert_eq!((run.code, run.json_lines().len()), (2, 2), "{}", run.out);
}

#[test]
fn nothing_is_wrong_with_real_clips() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("MAQUETTE_CORPUS").map_or(beside, PathBuf::from);
    let folder = Folder::new();
    let mut files = Vec::new();
    for part in ["seanim", "glb", "gltf/Fox", "gltf/SimpleSkin", "gltf/SimpleMorph"] {
        for entry in std::fs::read_dir(corpus.join(part)).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|ending| ["seanim", "glb", "gltf"].iter().any(|known| ending == *known)) {
                files.push(path);
            }
        }
    }
    for file in files {
        let run = folder.run(&["clip", "doctor", file.to_str().unwrap(), "--json"]);
        let has_none = run.code == 2 && run.err.contains("holds no clip");
        assert!(run.code == 0 || has_none, "{}: {}{}", file.display(), run.out, run.err);
    }
}

#[test]
fn fixes_change_what_is_said_and_no_value() {
    let folder = dense();
    let before = folder.read("walk.seanim");
    folder.fine(&["clip", "fix", "walk.seanim", "-o", "same.seanim"]);
    assert_eq!(folder.read("same.seanim"), before, "what is right stays as it is");
    folder.fine(&["clip", "fix", "walk.seanim", "--blend", "delta", "--looped", "no", "-o", "other.seanim"]);
    let info = folder.fine(&["clip", "info", "other.seanim", "--json"]).json_lines().remove(0);
    assert_eq!((&info["clips"][0]["blend"], &info["clips"][0]["looped"]), (&json!("delta"), &json!(false)));
    for words in [
        &["--up", "y"][..],
        &["--up", "x", "--skeleton", "post.glb"],
        &["--frame-count", "5"],
        &["--frame-count", "-1"],
        &["--blend", "odd"],
    ] {
        let run = folder.run(&[&["clip", "fix", "walk.seanim", "-o", "out.seanim"], words].concat());
        assert_eq!(run.code, 2, "{words:?}: {}", run.err);
        assert!(!folder.files().contains(&"out.seanim".into()), "{words:?}");
    }
}

#[test]
fn info_tells_every_track_and_event() {
    let folder = Folder::new();
    folder.fine(&["sample", "walk.seanim"]);
    folder.fine(&["sample", "post.glb"]);
    let lines = folder.fine(&["clip", "info", "walk.seanim", "post.glb", "--json"]).json_lines();
    let walk = &lines[0]["clips"][0];
    assert_eq!(
        (&walk["frames"], &walk["keys"], &walk["looped"], &walk["blend"]),
        (&json!(61), &json!(21), &json!(true), &json!("absolute"))
    );
    assert_eq!(walk["events"][1], json!({ "time_secs": 1.5, "name": "lean_right" }));
    let middle = walk["tracks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|track| track["bone"] == "middle" && track["property"] == "rotation")
        .unwrap();
    assert_eq!(
        (&middle["keys"], &middle["last_secs"], &middle["interpolation"]),
        (&json!(5), &json!(2.0), &json!("linear"))
    );
    assert!(middle["max"][2].as_f64().unwrap() > 0.25 && middle["min"][2].as_f64().unwrap() < -0.25, "{middle}");
    assert_eq!(lines[1]["clips"][0]["clip"], "sway");
    let text = folder.fine(&["clip", "info", "walk.seanim"]).out;
    assert!(text.contains("walk: 2 s, 61 frames at 30 a second, looped, absolute, 21 keys, 3 bones"), "{text}");
    assert!(text.contains("event \"lean_left\" at 0.5 s, frame 15"), "{text}");
    assert_eq!(folder.run(&["clip", "info", "walk.seanim", "--clip", "none"]).code, 2);
    let some = folder.run(&["clip", "info", "none.seanim", "walk.seanim", "--json"]);
    assert_eq!((some.code, some.json_lines().len()), (2, 2));
}

#[test]
fn plots_are_pictures_of_what_was_asked_for() {
    let folder = dense();
    let run = folder.fine(&["clip", "plot", "walk.seanim", "-o", "all.png"]);
    assert!(
        folder.read("all.png").starts_with(b"\x89PNG") && run.err.contains("all.png: 9 tracks drawn"),
        "{}",
        run.err
    );
    folder.fine(&["clip", "plot", "walk.seanim", "--bone", "mid*", "--property", "rotation", "-o", "one.svg"]);
    let svg = String::from_utf8(folder.read("one.svg")).unwrap();
    assert!(
        svg.contains("middle rotation (61 keys)") && svg.contains("lean_left") && !svg.contains("translation"),
        "{svg}"
    );
    let run = folder.fine(&["clip", "plot", "walk.seanim", "--most", "2", "-o", "all.png"]);
    assert!(run.err.contains("2 tracks drawn; 7 are left out"), "{}", run.err);
    folder.write("text.png", b"no picture");
    for words in [
        &["-o", "text.png"][..],
        &["-o", "out.jpg"],
        &["walk.seanim", "all.png", "-o", "out.png"],
        &["-o", "out.png", "--bone", "nobody"],
        &["-o", "out.png", "--clip", "nothing"],
        &["-o", "out.png", "--most", "0"],
        &["-o", "out.png", "--most", "1000000"],
        &["-o", "out.png", "--property", "colour"],
    ] {
        let run = folder.run(&[&["clip", "plot", "walk.seanim"], words].concat());
        assert_eq!(run.code, 2, "{words:?}: {}", run.err);
    }
    assert_eq!(folder.read("text.png"), b"no picture");
    folder.fine(&["clip", "plot", "walk.seanim", "-o", "text.png", "--force"]);
    folder.fine(&["clip", "apply", "post.glb", "walk.seanim", "-o", "two.glb"]);
    folder.fine(&["clip", "plot", "walk.seanim", "two.glb", "-o", "pictures", "--format", "svg"]);
    let pictures = ["walk.svg", "two.sway.svg", "two.walk.svg"].map(|name| folder.read(&format!("pictures/{name}")));
    assert!(pictures.iter().all(|picture| picture.starts_with(b"<svg")));
}
