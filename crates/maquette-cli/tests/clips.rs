//! Clips of other files: how bones are matched, what is skipped, what clips are called; and what a selection leaves out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::Folder;
use serde_json::{Value, json};

const OPTIONS: [&str; 3] = ["--bone-map", "--strip-prefix", "--ignore-namespace"];

/// `post.glb` with bones base, middle and tip, and a folder of clips for it.
fn with_clips(names: &[&str]) -> Folder {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    for name in names {
        folder.fine(&["sample", &format!("clips/{name}.seanim")]);
    }
    folder
}

/// A clip for bones that the model does not have.
fn add_stranger(folder: &Folder, name: &str) {
    folder.fine(&["sample", "known.seanim"]);
    let mut bytes = folder.read("known.seanim");
    for bone in ["base", "middle", "tip"] {
        let name = [bone.as_bytes(), b"\0"].concat();
        let at = bytes.windows(name.len()).position(|window| window == name).unwrap();
        bytes[at] = b'X';
    }
    folder.write(name, &bytes);
}

fn clips(folder: &Folder, file: &str) -> Vec<String> {
    let info = folder.fine(&["info", "--json", file]).json_lines().remove(0);
    info["clips"].as_array().unwrap().iter().map(|clip| clip["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_clip_of_a_folder_that_matches_nothing_is_skipped_aloud() {
    let folder = with_clips(&["walk"]);
    add_stranger(&folder, "clips/stranger.seanim");
    // A model among the clips, without any.
    folder.fine(&["convert", "post.glb", "clips/plain.pmdl", "--select", "post", "--quiet"]);
    let words = ["convert", "post.glb", "--clip", "clips", "out.glb"];
    let run = folder.fine(&words);
    let warning =
        "warning: clips/stranger.seanim is skipped: no bone of the model is called \"Xase\", \"Xiddle\", \"Xip\"";
    assert!(run.err.lines().any(|line| line == warning), "{}", run.err);
    let made = clips(&folder, "out.glb");
    assert!(made.contains(&"walk".into()) && !made.contains(&"stranger".into()), "{made:?}");
    let report = folder.fine(&[&words[..], &["--json"]].concat()).json_lines().remove(0);
    let note = json!({ "kind": "skipped", "subject": "clips/stranger.seanim", "detail": "no bone of the model is called \"Xase\", \"Xiddle\", \"Xip\"" });
    assert!(report["notes"].as_array().unwrap().contains(&note), "{report}");
    assert!(!report["losses"].to_string().contains("Xase"), "what was skipped has no losses: {report}");
    assert_eq!(folder.fine(&[&words[..], &["--quiet"]].concat()).err, "");
    folder.fine(&["sample", "other.glb"]);
    let many = folder.fine(&["convert", "--to", "glb", "post.glb", "other.glb", "--clip", "clips", "all", "--dry-run"]);
    assert!(many.err.contains(warning), "{}", many.err);
}

#[test]
fn no_match_at_all_is_an_error_with_a_way_out() {
    let folder = with_clips(&[]);
    std::fs::create_dir(folder.0.path().join("clips")).unwrap();
    add_stranger(&folder, "clips/stranger.seanim");
    for path in ["clips", "clips/stranger.seanim"] {
        let run = folder.run(&["convert", "post.glb", "--clip", path, "out.glb"]);
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(run.err.contains("moves no bone of the model") && run.err.contains("\"Xase\""), "{}", run.err);
        assert!(OPTIONS.iter().all(|option| run.err.contains(option)), "{}", run.err);
        assert!(!folder.files().contains(&"out.glb".into()));
    }
}

#[test]
fn a_bone_map_is_blamed_for_what_it_says() {
    let folder = with_clips(&["walk"]);
    folder.write("map.txt", b"middle = nothere\nelbow = tip\n");
    let words = ["convert", "post.glb", "--clip", "clips", "--bone-map", "map.txt", "out.glb"];
    let run = folder.fine(&words);
    assert!(run.err.contains("no node is named \"nothere\" (for \"middle\")"), "{}", run.err);
    assert!(run.err.contains("warning: \"elbow\" of map.txt is not used: no clip has such a bone\n"), "{}", run.err);
    assert!(!run.err.contains("\"middle\" of map.txt"), "{}", run.err);
    let report = folder.fine(&[&words[..], &["--json"]].concat()).json_lines().remove(0);
    assert_eq!(report["notes"][0]["kind"], "unused");
    folder.write("map.txt", b"middle\n");
    let run = folder.run(&words);
    assert!(run.code == 2 && run.err.contains("write `clip bone = model bone`"), "{}", run.err);
}

#[test]
fn options_for_clips_want_clips() {
    let folder = with_clips(&["walk"]);
    folder.write("map.txt", b"");
    for option in [
        &["--bone-map", "map.txt"][..],
        &["--strip-prefix", "a"],
        &["--ignore-namespace"],
        &["--modifier-scope", "self"],
    ] {
        let run = folder.run(&[&["convert", "post.glb", "out.glb"], option].concat());
        assert!(run.code == 2 && run.err.contains("--clip"), "{option:?}: {}", run.err);
        assert!(!folder.files().contains(&"out.glb".into()), "{option:?}");
        folder.fine(&[&["convert", "post.glb", "made.glb", "--clip", "clips"], option].concat());
    }
}

#[test]
fn clips_taken_apart_come_back_under_their_names() {
    let folder = with_clips(&["post.run.fast", "post", "poster.walk", "walk"]);
    folder.fine(&["convert", "post.glb", "--clip", "clips", "all.glb"]);
    assert_eq!(clips(&folder, "all.glb"), ["sway", "run.fast", "post", "poster.walk", "walk"]);
    folder.fine(&["convert", "post.glb", "--each-clip", "apart/Post.seanim"]);
    folder.fine(&["convert", "post.glb", "--clip", "apart", "both.glb"]);
    assert_eq!(clips(&folder, "both.glb"), ["sway", "sway-2"], "each has a name of its own");
}

#[test]
fn what_is_not_selected_is_told() {
    let folder = with_clips(&["walk"]);
    folder.fine(&["convert", "post.glb", "--clip", "clips", "two.glb"]);
    let selected = |words: &[&str]| {
        let words = [&["convert", "two.glb", "out.glb", "--json"], words].concat();
        let report = folder.fine(&words).json_lines().remove(0);
        report["notes"].as_array().unwrap().iter().map(|note| note["subject"].clone()).collect::<Vec<Value>>()
    };
    assert_eq!(selected(&["--select", "walk"]), ["clip \"sway\""], "all meshes stay");
    assert_eq!(selected(&["--select", "post"]), [Value::Null; 0], "all clips stay");
    assert_eq!(selected(&["--select", "w*", "--select", "sway"]), [Value::Null; 0]);
    let run = folder.fine(&["convert", "two.glb", "out.glb", "--select", "walk"]);
    assert!(run.err.contains("  not selected clip \"sway\"\n"), "{}", run.err);
    let run = folder.fine(&["convert", "--to", "aem", "two.glb", "all", "--select", "walk"]);
    assert!(run.err.contains("; not selected: clip \"sway\"\n"), "{}", run.err);
}
