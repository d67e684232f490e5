//! Clips of models: what several of them in one file, and a skeleton beside them, mean for each command.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::Folder;

/// `two.glb` is a model with the clips `sway` and `walk`.
fn two() -> Folder {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    folder.fine(&["sample", "walk.seanim"]);
    folder.fine(&["clip", "apply", "post.glb", "walk.seanim", "-o", "two.glb"]);
    folder
}

fn clips(folder: &Folder, file: &str) -> Vec<String> {
    let info = folder.fine(&["info", "--json", file]).json_lines().remove(0);
    info["clips"].as_array().unwrap().iter().map(|clip| clip["name"].as_str().unwrap().to_owned()).collect()
}

fn refused(folder: &Folder, words: &[&str], why: &str) {
    let (before, run) = (folder.files(), folder.run(words));
    assert_eq!(run.code, 2, "{words:?}: {}", run.err);
    assert!(run.err.contains(why), "{words:?}: {}", run.err);
    assert_eq!(folder.files(), before, "{words:?} writes nothing");
}

fn same(folder: &Folder, one: &str, other: &str) {
    let diff = folder.run(&["diff", one, other]);
    assert_eq!(diff.code, 0, "{one} {other}: {}", diff.out);
}

#[test]
fn an_additive_clip_comes_back_from_gltf() {
    let folder = two();
    for relative_to in [&["rest"][..], &["first"], &["two.glb@0", "--base-clip", "walk"]] {
        let make = ["clip", "additive", "make", "two.glb", "--clip", "sway", "-o", "add.glb", "--relative-to"];
        folder.fine(&[&make[..], relative_to].concat());
        let info = folder.fine(&["clip", "info", "add.glb", "--clip", "sway"]).out;
        assert!(info.contains("additive"), "{info}");
        let onto = if relative_to == ["first"] { &["two.glb@0"] } else { relative_to };
        folder.fine(
            &[&["clip", "additive", "compose", "add.glb", "--clip", "sway", "-o", "back.glb", "--onto"], onto].concat(),
        );
        same(&folder, "two.glb", "back.glb");
    }
    folder.fine(&["convert", "add.glb", "--select", "sway", "add.seanim"]);
    assert!(folder.fine(&["clip", "info", "add.seanim"]).out.contains("additive"), "its blend goes along to SEAnim");
}

#[test]
fn a_base_of_several_clips_is_named() {
    let folder = two();
    let make = ["clip", "additive", "make", "two.glb", "--clip", "sway", "-o", "x.glb", "--relative-to"];
    refused(&folder, &[&make[..], &["two.glb"]].concat(), "--base-clip: \"sway\", \"walk\"");
    refused(&folder, &[&make[..], &["two.glb", "--base-clip", "wal"]].concat(), "near is \"walk\"");
    refused(&folder, &[&make[..], &["first", "--base-clip", "walk"]].concat(), "--base-clip");
    let run = folder.fine(&[&make[..], &["two.glb", "--base-clip", "walk"]].concat());
    assert!(run.err.contains("differences from \"walk\" at the same moment"), "{}", run.err);
    let compose =
        ["clip", "additive", "compose", "x.glb", "--clip", "sway", "-o", "y.glb", "--duration", "base", "--onto"];
    refused(&folder, &[&compose[..], &["two.glb@0", "--base-clip", "walk"]].concat(), "lasts no time");
    folder.fine(&[&compose[..], &["two.glb", "--base-clip", "walk"]].concat());
}

#[test]
fn of_two_clips_with_one_name_one_gets_another() {
    let folder = two();
    let run = folder.fine(&["clip", "apply", "two.glb", "walk.seanim", "-o", "three.glb"]);
    assert!(run.err.contains("renamed clip names of clip \"walk\"") && run.err.contains("\"walk-2\""), "{}", run.err);
    assert_eq!(clips(&folder, "three.glb"), ["sway", "walk", "walk-2"]);
    folder.fine(&["clip", "apply", "two.glb", "walk.seanim", "--replace", "-o", "replaced.glb"]);
    assert_eq!(clips(&folder, "replaced.glb"), ["sway", "walk"]);
    folder.fine(&["clip", "apply", "two.glb", "three.glb", "--only", "--clip", "walk*", "-o", "only.glb"]);
    assert_eq!(clips(&folder, "only.glb"), ["walk", "walk-2"]);
    refused(
        &folder,
        &["clip", "apply", "two.glb", "three.glb", "--clip", "run", "-o", "x.glb"],
        "nothing is called run",
    );
    let rename = ["clip", "rename", "two.glb", "--clip", "sway", "--clip-name"];
    refused(&folder, &[&rename[..], &["walk", "-o", "x.glb"]].concat(), "another clip is called \"walk\" already");
    folder.fine(&[&rename[..], &["lean", "-o", "x.glb"]].concat());
    assert_eq!(clips(&folder, "x.glb"), ["lean", "walk"]);
}

#[test]
fn a_file_of_one_clip_gets_the_one_that_is_named() {
    let folder = two();
    let run = folder.fine(&["clip", "trim", "two.glb", "--clip", "sway", "--to", "0.5", "-o", "part.seanim"]);
    assert!(folder.files().contains(&"part.seanim".into()), "{:?}", folder.files());
    assert!(run.err.contains("not selected clip \"walk\""), "{}", run.err);
}

#[test]
fn a_model_whose_clips_stay_is_copied() {
    let folder = two();
    folder.fine(&["clip", "trim", "two.glb", "--from", "0", "-o", "same.glb"]);
    assert!(folder.read("same.glb") == folder.read("two.glb"));
    folder.fine(&["sample", "post.nlm"]);
    folder.fine(&["clip", "trim", "post.nlm", "--from", "0", "-o", "same.nlm"]);
    assert!(folder.read("same.nlm") == folder.read("post.nlm"), "of a format that holds one clip, too");
    folder.fine(&["clip", "trim", "two.glb", "--from", "0.1", "-o", "other.glb"]);
    assert!(folder.read("other.glb") != folder.read("two.glb"));
}

#[test]
fn merged_onto_a_model() {
    let folder = two();
    folder.fine(&["clip", "rename", "walk.seanim", "--bone", "tip=antenna", "-o", "other.seanim"]);
    let run = folder.fine(&["clip", "merge", "two.glb", "other.seanim", "--clip", "sway", "-o", "merged.glb"]);
    assert!(run.err.contains("plays 2 clips") && run.err.contains("bone in the model: \"antenna\""), "{}", run.err);
    assert_eq!(clips(&folder, "merged.glb"), ["sway", "walk"]);
    let nodes = |file: &str| folder.fine(&["info", "--json", file]).json_lines().remove(0)["nodes"].clone();
    assert_eq!(nodes("merged.glb"), nodes("two.glb"), "no bone is added");
    folder.fine(&["clip", "rename", "other.seanim", "--prefix-add", "zz_", "-o", "stranger.seanim"]);
    refused(&folder, &["clip", "merge", "two.glb", "stranger.seanim", "-o", "x.glb"], "no bone of the model is called");
}

#[test]
fn a_bone_for_the_motion_of_the_root_goes_with_it() {
    let folder = two();
    folder.fine(&["clip", "root-motion", "extract", "two.glb", "-o", "rm.glb"]);
    let has_it = |file: &str| folder.fine(&["dump", file]).out.contains("root_motion");
    assert!(has_it("rm.glb"));
    folder.fine(&["clip", "root-motion", "bake", "rm.glb", "-o", "back.glb"]);
    assert!(!has_it("back.glb"));
    same(&folder, "two.glb", "back.glb");
}

#[test]
fn names_that_nothing_has_are_refused() {
    let folder = two();
    for file in ["two.glb", "walk.seanim"] {
        let output = format!("x.{}", file.rsplit_once('.').unwrap().1);
        refused(
            &folder,
            &["clip", "rename", file, "--prefix-strip", "zz_", "-o", &output],
            "no bone begins with \"zz_\"",
        );
        folder.write("pairs.txt", b"nobody = nothing\n");
        refused(&folder, &["clip", "rename", file, "--map", "pairs.txt", "-o", &output], "\"nobody\"");
        refused(
            &folder,
            &["clip", "mirror", file, "--map", "pairs.txt", "-o", &output],
            "no bone is called \"nobody\"",
        );
    }
}

#[test]
fn a_clip_is_for_the_skeleton_of_its_file() {
    let folder = two();
    let retarget = |file: &'static str, rest: &[&'static str]| {
        [&["clip", "retarget", file, "--skeleton", "post.glb"], rest].concat()
    };
    folder.fine(&retarget("two.glb", &["-o", "same.glb"]));
    assert_eq!(clips(&folder, "same.glb"), ["sway", "walk"]);
    refused(&folder, &retarget("walk.seanim", &["-o", "x.seanim"]), "--skeleton-from");
}

#[test]
fn a_frame_rate_is_told_as_it_was_given() {
    let folder = two();
    for (file, made) in [("two.glb", "film.glb"), ("walk.seanim", "film.seanim")] {
        folder.fine(&["clip", "resample", file, "--fps", "29.97", "-o", made]);
        let info = folder.fine(&["clip", "info", made]).out;
        assert!(info.contains("at 29.97 a second"), "{info}");
    }
}

#[test]
fn a_walk_goes_on() {
    let folder = two();
    folder.fine(&[
        "clip",
        "loop",
        "walk.seanim",
        "--count",
        "2",
        "--accumulate",
        "--up",
        "y",
        "--root",
        "tip",
        "-o",
        "on.seanim",
    ]);
    refused(&folder, &["clip", "loop", "walk.seanim", "--count", "2", "--accumulate", "-o", "x.seanim"], "--up y");
    refused(&folder, &["clip", "loop", "walk.seanim", "--accumulate", "--flag", "-o", "x.seanim"], "--count");
}
