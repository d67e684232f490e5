//! `maquette clip` in time and by name: resample, reverse, scale, loop, split, merge, rename, retime, mirror and apply, as a user runs them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::Folder;
use serde_json::Value;

/// A SEAnim file in double precision at 29.97 frames a second: a delta bone, an arm of its own blend, notes, custom data, looped.
fn walk(arm: &str) -> Vec<u8> {
    let mut bytes = b"SEAnim".to_vec();
    bytes.extend(1u16.to_le_bytes());
    bytes.extend(28u16.to_le_bytes());
    // Delta; looped; locations, rotations, notes, custom; doubles.
    bytes.extend([3, 1, 1 | 2 | 0x40 | 0x80, 1, 0, 0]);
    bytes.extend(29.97f32.to_le_bytes());
    bytes.extend([21u32, 2].map(u32::to_le_bytes).concat());
    bytes.extend([1, 0, 0, 0]);
    bytes.extend(2u32.to_le_bytes());
    bytes.extend([b"tag_origin\0", arm.as_bytes(), b"\0"].concat());
    // The arm is absolute.
    bytes.extend([1, 0]);
    let doubles = |values: &[f64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    // The root goes forward.
    bytes.extend([0, 2, 0]);
    bytes.extend(doubles(&[0.0, 0.0, 0.0]));
    bytes.push(20);
    bytes.extend(doubles(&[10.0 / 3.0, 0.0, 0.1]));
    bytes.push(0);
    // The arm swings.
    bytes.extend([0, 0, 3]);
    for (frame, y) in [(0u8, 0.0), (10, 0.6), (20, 0.0)] {
        bytes.push(frame);
        bytes.extend(doubles(&[0.0, y, 0.0, (1.0f64 - y * y).sqrt()]));
    }
    bytes.extend([5]);
    bytes.extend(b"foot_left\0");
    bytes.extend([15]);
    bytes.extend(b"foot_right\0");
    bytes.extend(3u32.to_le_bytes());
    bytes.extend([7, 8, 9]);
    bytes
}

fn with_walk() -> Folder {
    let folder = Folder::new();
    folder.write("walk.seanim", &walk("arm_l"));
    folder
}

fn dump(folder: &Folder, file: &str) -> Value {
    folder.fine(&["dump", "--json", file]).json_lines().remove(0)
}

/// Everything that a file holds besides keys and times.
fn aside(dump: &Value) -> Vec<Value> {
    ["anim_type", "anim_flags", "data_presence_flags", "data_property_flags"]
        .map(|field| dump["header"][field].clone())
        .into_iter()
        .chain([dump["modifiers"].clone(), dump["custom"]["size"].clone()])
        .collect()
}

fn frames(keys: &Value) -> Vec<u64> {
    keys.as_array().unwrap().iter().map(|key| key["frame"].as_u64().unwrap()).collect()
}

fn notes(dump: &Value) -> Vec<(u64, String)> {
    let note = |note: &Value| (note["frame"].as_u64().unwrap(), note["name"].as_str().unwrap().to_owned());
    dump["notes"].as_array().unwrap().iter().map(note).collect()
}

/// Runs a command and tells the one clip it edited.
fn edited(folder: &Folder, words: &[&str]) -> Value {
    let report = folder.fine(&[&["clip"], words, &["--json"]].concat()).json_lines().remove(0);
    assert_eq!(report["outputs"][0]["losses"], Value::Array(Vec::new()), "{words:?}");
    report["clips"][0].clone()
}

fn figure(clip: &Value, what: &str) -> f64 {
    let figures = clip["figures"].as_array().unwrap();
    let found = figures.iter().find(|figure| figure["what"] == what);
    found.unwrap_or_else(|| panic!("{what}: {clip}"))["value"].as_f64().unwrap()
}

#[test]
fn twice_backwards_and_twice_in_the_mirror_are_the_same_bytes() {
    let folder = with_walk();
    for command in ["reverse", "mirror"] {
        folder.fine(&["clip", command, "walk.seanim", "-o", "once.seanim"]);
        assert_ne!(folder.read("once.seanim"), folder.read("walk.seanim"), "{command}");
        folder.fine(&["clip", command, "once.seanim", "-o", "twice.seanim"]);
        assert!(folder.read("twice.seanim") == folder.read("walk.seanim"), "{command}");
    }
}

#[test]
fn what_a_command_is_not_about_stays() {
    let folder = with_walk();
    let before = dump(&folder, "walk.seanim");
    for words in [
        &["resample", "--fps", "60"][..],
        &["reverse"],
        &["scale", "--factor", "2.54"],
        &["loop", "--count", "2"],
        &["loop", "--seam", "--except", "tag_*"],
        &["rename", "--bone", "arm_l=upper arm"],
        &["retime", "--speed", "1.7"],
        &["retime", "--duration", "3", "--keep-fps"],
        &["mirror", "--axis", "y"],
        &["merge", "walk.seanim"],
    ] {
        edited(&folder, &[&words[..1], &["walk.seanim"], &words[1..], &["-o", "out.seanim"]].concat());
        let after = dump(&folder, "out.seanim");
        assert_eq!(aside(&before), aside(&after), "{words:?}");
        assert_eq!(
            after["header"]["note_count"],
            if words.contains(&"2") || words[0] == "merge" { 4 } else { 2 },
            "{words:?}"
        );
        assert!(folder.read("out.seanim").ends_with(&[3, 0, 0, 0, 7, 8, 9]), "{words:?}");
        folder.fine(&["check", "out.seanim"]);
    }
}

#[test]
fn retime_keeps_frames_and_resample_the_pace() {
    let folder = with_walk();
    let before = dump(&folder, "walk.seanim");
    let clip = edited(&folder, &["retime", "walk.seanim", "--fps", "23.976", "-o", "out.seanim"]);
    assert!(clip["did"].as_str().unwrap().contains("23.976 frames a second instead of 29.97"), "{clip}");
    let after = dump(&folder, "out.seanim");
    assert_eq!((&before["bones"], &before["notes"]), (&after["bones"], &after["notes"]), "not a bit is lost");
    assert_eq!(after["header"]["framerate"].as_f64().unwrap() as f32, 23.976);
    let clip = edited(&folder, &["resample", "walk.seanim", "--fps", "59.94", "-o", "out.seanim"]);
    let after = dump(&folder, "out.seanim");
    assert_eq!(frames(&after["bones"][1]["rot"]), (0..=40).collect::<Vec<_>>());
    assert_eq!(after["bones"][0]["loc"][40]["value"][0], 10.0 / 3.0, "in double precision");
    assert_eq!(notes(&after), [(10, "foot_left".into()), (30, "foot_right".into())]);
    assert_eq!(figure(&clip, "keys after"), 82.0);
}

#[test]
fn a_loop_meets_its_start_and_repeats() {
    let folder = with_walk();
    folder.fine(&["clip", "loop", "walk.seanim", "--no-flag", "-o", "off.seanim"]);
    assert_eq!(dump(&folder, "off.seanim")["header"]["anim_flags"], 0);
    let clip = edited(&folder, &["loop", "off.seanim", "--seam", "--blend", "6f", "-o", "seam.seanim"]);
    assert!((figure(&clip, "seam of translations") - (100.0f64 / 9.0 + 0.01).sqrt()).abs() < 1e-9, "{clip}");
    let seam = dump(&folder, "seam.seanim");
    assert_eq!(seam["header"]["anim_flags"], 1);
    let loc = &seam["bones"][0]["loc"];
    assert_eq!(frames(loc), [0, 14, 15, 16, 17, 18, 19, 20]);
    assert_eq!(loc[0]["value"], loc[7]["value"]);
    let clip = edited(&folder, &["loop", "seam.seanim", "--count", "3", "-o", "three.seanim"]);
    assert_eq!(clip["did"], "plays 3 times");
    let three = dump(&folder, "three.seanim");
    assert_eq!((&three["header"]["frame_count"], notes(&three).len()), (&61.into(), 6));
    let jumps = edited(&folder, &["loop", "walk.seanim", "--count", "2", "-o", "jump.seanim"]);
    assert!(jumps["did"].as_str().unwrap().contains("in a frame"), "{jumps}");
    assert_eq!(frames(&dump(&folder, "jump.seanim")["bones"][0]["loc"]), [0, 20, 21, 41]);
}

#[test]
fn parts_are_files_or_clips_and_come_together_again() {
    let folder = with_walk();
    folder.fine(&["clip", "split", "walk.seanim", "--at", "0.2", "--at", "12f", "-o", "parts/"]);
    let part = |name: &str| dump(&folder, &format!("parts/walk.{name}.seanim"));
    assert_eq!(frames(&part("1")["bones"][1]["rot"]), [0, 6]);
    assert_eq!((&part("2")["header"]["anim_flags"], notes(&part("2"))), (&0.into(), Vec::new()));
    assert_eq!(notes(&part("3")), [(3, "foot_right".into())]);
    let files = ["parts/walk.1.seanim", "parts/walk.2.seanim", "parts/walk.3.seanim"];
    folder.fine(&[&["clip", "merge"], &files[..], &["-o", "again.seanim"]].concat());
    let diff = folder.run(&["diff", "walk.seanim", "again.seanim"]);
    assert!(!diff.out.contains("rotations") && !diff.out.contains("translations"), "{}", diff.out);
    folder.fine(&["clip", "split", "walk.seanim", "--events", "-o", "steps.seanim"]);
    let steps = ["steps.foot_left.seanim", "steps.foot_right.seanim", "steps.start.seanim"];
    assert!(steps.iter().all(|file| folder.files().contains(&(*file).into())), "{:?}", folder.files());
    folder.fine(&["sample", "post.glb"]);
    folder.fine(&["clip", "split", "post.glb", "--parts", "3", "-o", "three.glb"]);
    let info = folder.fine(&["info", "--json", "three.glb"]).json_lines().remove(0);
    let names: Vec<_> = info["clips"].as_array().unwrap().iter().map(|clip| clip["name"].clone()).collect();
    assert_eq!(names, ["sway_1", "sway_2", "sway_3"]);
    folder.fine(&["clip", "merge", "three.glb", "-o", "one.glb"]);
    folder.fine(&["diff", "--tolerance", "1e-3", "one.glb", "one.glb"]);
    let info = folder.fine(&["info", "--json", "one.glb"]).json_lines().remove(0);
    assert_eq!(info["clips"].as_array().unwrap().len(), 1);
}

#[test]
fn layers_are_for_bones_of_their_own() {
    let folder = with_walk();
    folder.write("other.seanim", &walk("arm_r"));
    let words = ["clip", "merge", "walk.seanim", "other.seanim", "--layers", "-o", "both.seanim"];
    let run = folder.run(&words);
    assert!(
        run.code == 2 && run.err.contains("translation of tag_origin") && run.err.contains("--prefer"),
        "{}",
        run.err
    );
    assert!(!folder.files().contains(&"both.seanim".into()));
    folder.fine(&[&words[..], &["--prefer", "first"]].concat());
    let both = dump(&folder, "both.seanim");
    assert_eq!(both["bone_names"], serde_json::json!(["tag_origin", "arm_l", "arm_r"]));
    assert_eq!(both["modifiers"].as_array().unwrap().len(), 2, "{both}");
    assert_eq!(notes(&both).len(), 2, "what happens in both happens once");
}

#[test]
fn names_change_in_clips_and_in_models() {
    let folder = with_walk();
    folder.write("map.txt", b"tag_origin = root\nnobody = x\n");
    let clip = edited(
        &folder,
        &[
            "rename",
            "walk.seanim",
            "--map",
            "map.txt",
            "--prefix-add",
            "rig:",
            "--event",
            "foot_left=step",
            "-o",
            "out.seanim",
        ],
    );
    assert_eq!((figure(&clip, "bones renamed"), figure(&clip, "events renamed")), (2.0, 1.0));
    assert_eq!(dump(&folder, "out.seanim")["bone_names"], serde_json::json!(["root", "rig:arm_l"]));
    folder.fine(&["sample", "post.glb"]);
    edited(
        &folder,
        &["rename", "post.glb", "--bone", "base=tip", "--bone", "tip=base", "--bone", "post=pillar", "-o", "out.glb"],
    );
    let diff = folder.run(&["diff", "post.glb", "out.glb"]);
    assert!(diff.out.contains("pillar") && !diff.out.contains("motion"), "{}", diff.out);
    for (words, why) in [
        (&["walk.seanim", "--bone", "arm_l=tag_origin"][..], "both be called"),
        (&["walk.seanim", "--bone", "leg=foot"], "no bone is called \"leg\""),
        (&["walk.seanim", "--clip-name", "run"], "name the file"),
        (&["post.glb", "--bone", "base=tip"], "both be called"),
        (&["post.glb", "--bone", "base"], "write the old name"),
    ] {
        let out = if words[0] == "walk.seanim" { "bad.seanim" } else { "bad.glb" };
        let run = folder.run(&[&["clip", "rename"], words, &["-o", out]].concat());
        assert!(run.code == 2 && run.err.contains(why), "{words:?}: {}", run.err);
    }
    assert!(!folder.files().iter().any(|file| file.to_string_lossy().starts_with("bad")));
}

#[test]
fn a_mirror_takes_sides_by_name_or_by_pairs() {
    let folder = with_walk();
    let clip = edited(&folder, &["mirror", "walk.seanim", "-o", "out.seanim"]);
    assert!(clip["did"].as_str().unwrap().contains("a skeleton would tell"), "{clip}");
    let out = dump(&folder, "out.seanim");
    assert_eq!(out["bone_names"][1], "arm_r");
    assert_eq!(out["bones"][0]["loc"][1]["value"], serde_json::json!([-10.0 / 3.0, 0, 0.1]));
    assert_eq!(out["bones"][1]["rot"][1]["value"][1], -0.6);
    assert_eq!(notes(&out), [(5, "foot_right".into()), (15, "foot_left".into())]);
    folder.write("pairs.txt", b"arm_l = flipper\n");
    edited(&folder, &["mirror", "walk.seanim", "--map", "pairs.txt", "-o", "out.seanim"]);
    assert_eq!(dump(&folder, "out.seanim")["bone_names"][1], "flipper");
    folder.fine(&["sample", "post.glb"]);
    let run = folder.run(&["clip", "mirror", "walk.seanim", "--skeleton", "post.glb", "-o", "no.seanim"]);
    assert!(run.code == 2 && run.err.contains("no bone of it is in the skeleton"), "{}", run.err);
    folder.fine(&["sample", "post.seanim"]);
    let clip = edited(&folder, &["mirror", "post.seanim", "--skeleton", "post.glb", "-o", "out.seanim"]);
    assert!(clip["did"].as_str().unwrap().contains("by the bind pose"), "{clip}");
}

#[test]
fn clips_are_put_onto_a_model_and_counted() {
    let folder = Folder::new();
    for name in ["post.glb", "clips/a.seanim", "clips/b.seanim", "c.seanim"] {
        folder.fine(&["sample", name]);
    }
    folder.fine(&["clip", "rename", "c.seanim", "--bone", "tip=antenna", "-o", "c.seanim"]);
    let report = folder
        .fine(&["clip", "apply", "post.glb", "clips", "c.seanim", "-o", "out.glb", "--json"])
        .json_lines()
        .remove(0);
    let rows = report["clips"].as_array().unwrap();
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row["clip"].as_str().unwrap(), figure(row, "bones moved"), figure(row, "bones without a match")))
        .collect();
    assert_eq!(told, [("a", 3.0, 0.0), ("b", 3.0, 0.0), ("c", 2.0, 1.0)]);
    assert!(rows[2]["did"].as_str().unwrap().contains("\"antenna\""), "{report}");
    folder.fine(&["convert", "post.glb", "--clip", "clips", "--clip", "c.seanim", "same.glb"]);
    assert!(folder.read("same.glb") == folder.read("out.glb"), "as convert does");
    folder.write("map.txt", b"antenna = tip\n");
    let words = ["clip", "apply", "post.glb", "c.seanim", "--bone-map", "map.txt", "--dry-run", "-o", "dry.glb"];
    assert!(folder.fine(&words).err.contains("bones moved 3"));
    assert!(!folder.files().contains(&"dry.glb".into()));
}

#[test]
fn many_files_go_into_a_folder_and_one_that_fails_does_not_stop_the_others() {
    let folder = with_walk();
    folder.write("still.seanim", &walk("arm_l")[..100]);
    folder.write("other.seanim", &walk("arm_r"));
    let words = ["clip", "reverse", "walk.seanim", "still.seanim", "other.seanim", "-o", "back/", "--json"];
    let run = folder.run(&words);
    let rows = run.json_lines();
    assert_eq!((run.code, rows.len()), (2, 3), "{}", run.err);
    assert!(
        rows[1]["input"] == "still.seanim" && rows[1]["error"].as_str().unwrap().contains("SEA0003"),
        "{}",
        rows[1]
    );
    assert!(run.err.contains("still.seanim") && run.err.contains("2 edited, 1 failed"), "{}", run.err);
    assert!(folder.read("back/walk.seanim") != folder.read("back/other.seanim"));
}

#[test]
fn what_is_made_can_be_read_again_or_is_refused() {
    let folder = with_walk();
    folder.write("trailing.seanim", &[walk("arm_l"), vec![7; 230]].concat());
    folder.fine(&["clip", "info", "trailing.seanim"]);
    let run = folder.fine(&["clip", "trim", "trailing.seanim", "--to", "2f", "-o", "trailing.seanim"]);
    assert!(run.err.contains("230 bytes after its last field"), "{}", run.err);
    folder.fine(&["clip", "info", "trailing.seanim"]);
    // One bone that moves by one, in singles.
    let mut single = [b"SEAnim\x01\0\x1c\0\0\0\x01\0\0\0".as_slice(), &30f32.to_le_bytes()].concat();
    single.extend([11u32, 1, 0, 0].map(u32::to_le_bytes).concat());
    single.extend(b"base\0\0\x02\0");
    single.extend([0f32; 3].map(f32::to_le_bytes).concat());
    single.push(10);
    single.extend([1f32, 0.0, 0.0].map(f32::to_le_bytes).concat());
    folder.write("single.seanim", &single);
    folder.fine(&["convert", "single.seanim", "body.glb"]);
    let on = ["--skeleton-from", "body.glb", "--skeleton", "body.glb", "--translations", "all"];
    let words = [&["clip", "retarget", "single.seanim", "-o", "huge.seanim", "--factor", "1e39"], &on[..]].concat();
    let run = folder.run(&words);
    assert!(run.code == 2 && run.err.contains("SEA0050"), "{}", run.err);
    assert!(!folder.files().contains(&"huge.seanim".into()));
}

#[test]
fn what_nobody_can_mean_is_refused_at_once_and_nothing_is_written() {
    let folder = with_walk();
    for words in [
        &["resample", "--fps", "1e9"][..],
        &["resample", "--fps", "0"],
        &["resample", "--fps", "-30"],
        &["resample", "--fps", "nan"],
        &["resample", "--fps", "inf"],
        &["resample"],
        &["scale", "--factor", "0"],
        &["scale", "--factor", "nan"],
        &["scale", "--factor", "1e300"],
        &["loop"],
        &["loop", "--count", "0"],
        &["loop", "--count", "1000000000"],
        &["loop", "--count", "18446744073709551615"],
        &["loop", "--seam", "--blend", "9"],
        &["loop", "--seam", "--blend", "-1"],
        &["loop", "--seam", "--except", "nobody"],
        &["loop", "--flag", "--no-flag"],
        &["loop", "--count", "2", "--blend", "1"],
        &["split"],
        &["split", "--parts", "1000000000"],
        &["split", "--parts", "0"],
        &["split", "--at", "9"],
        &["split", "--at", "0"],
        &["split", "--every", "1e-9"],
        &["split", "--parts", "2", "--events"],
        &["merge"],
        &["merge", "--prefer", "first"],
        &["retime", "--speed", "0"],
        &["retime", "--speed", "nan"],
        &["retime", "--speed", "1e-30"],
        &["retime", "--duration", "-1"],
        &["retime", "--fps", "1e30"],
        &["retime", "--speed", "2", "--duration", "1"],
        &["retime", "--duration", "1e8", "--keep-fps"],
        &["rename"],
        &["mirror", "--axis", "w"],
        &["mirror", "--skeleton", "none.glb"],
    ] {
        let run = folder.run(&[&["clip"], &words[..1], &["walk.seanim"], &words[1..], &["-o", "out.seanim"]].concat());
        assert_eq!(run.code, 2, "{words:?}: {}", run.err);
        assert!(run.err.starts_with("error: ") && run.out.is_empty(), "{words:?}: {}", run.err);
        assert_eq!(folder.files(), ["walk.seanim"], "{words:?}");
    }
}
