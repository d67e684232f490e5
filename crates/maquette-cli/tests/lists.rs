//! Many files at once: which of them failed and why, which of them collide; and that a file which failed alone is told as in a list.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::Folder;
use serde_json::Value;

#[test]
fn every_error_of_a_list_names_its_file_once() {
    let folder = Folder::new();
    for name in ["post.glb", "other.glb", "walk.seanim"] {
        folder.fine(&["sample", name]);
    }
    let mut bytes = folder.read("walk.seanim");
    for bone in [&b"base\0"[..], b"middle\0", b"tip\0"] {
        let at = bytes.windows(bone.len()).position(|window| window == bone).unwrap();
        bytes[at] = b'X';
    }
    folder.write("stranger.seanim", &bytes);
    for words in
        [&["--max-pixels", "3"][..], &["--select", "Run"], &["--clip", "stranger.seanim"], &["--max-tracks", "1"]]
    {
        let run =
            folder.run(&[&["convert", "--to", "aem", "post.glb", "other.glb", "gone.glb", "all"], words].concat());
        assert_eq!(run.code, 2, "{words:?}: {}", run.err);
        let errors: Vec<&str> = run.err.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(errors.len(), 3, "{words:?}: {}", run.err);
        for (error, name) in errors.iter().zip(["post.glb", "other.glb", "gone.glb"]) {
            assert_eq!(error.matches(name).count(), 1, "{words:?}: {error}");
        }
    }
}

#[test]
fn what_fails_alone_is_told_as_in_a_list() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    folder.write("broken.glb", b"glTF");
    folder.fine(&["convert", "post.glb", "a.aem", "--report", "report.json"]);
    let run = folder.run(&["convert", "broken.glb", "b.aem", "--report", "report.json", "--json"]);
    let lines = run.json_lines();
    assert_eq!((run.code, lines.len()), (2, 1), "{}", run.err);
    let report: Value = serde_json::from_slice(&folder.read("report.json")).unwrap();
    assert_eq!(report, lines[0]);
    assert_eq!(report.as_object().unwrap().len(), 2, "{report}");
    assert_eq!(report["input"], "broken.glb");
    assert!(report["error"].as_str().unwrap().contains("cannot read broken.glb"), "{report}");
    assert!(run.err.starts_with("error: cannot read broken.glb"), "{}", run.err);
    // Standard output is the file's.
    let run = folder.run(&["convert", "broken.glb", "-", "--to", "aem", "--json"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains(r#"{"input":"broken.glb","error":"#), "{}", run.err);
}

#[test]
fn a_report_never_replaces_what_is_read_even_where_that_fails() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.gltf", "--dialect", "text"]);
    let companion = folder.files().into_iter().find(|name| name != "post.gltf").unwrap();
    let (companion, before) = (companion.to_string_lossy().into_owned(), folder.read(&companion));
    for words in [&["convert", "post.gltf", "a.aem"][..], &["convert", "post.gltf", "--to", "aem", "all"]] {
        let run = folder.run(&[words, &["--report", &companion, "--force"]].concat());
        assert!(run.code == 2 && run.err.contains("the report would replace"), "{}", run.err);
        assert_eq!(folder.read(&companion), before);
    }
}

#[test]
fn all_collisions_are_named_at_once_and_the_same_file_is_done_once() {
    let folder = Folder::new();
    for name in ["x/fox.glb", "y/fox.glb", "x/cat.glb", "y/cat.glb", "x/dog.glb"] {
        folder.fine(&["sample", name]);
    }
    let words = ["convert", "--to", "aem", "x/fox.glb", "x/cat.glb", "y/fox.glb", "y/cat.glb", "x/dog.glb", "all"];
    let run = folder.run(&words);
    assert_eq!(run.code, 2);
    for said in
        ["all/fox.aem: x/fox.glb, y/fox.glb", "all/cat.aem: x/cat.glb, y/cat.glb", "rename", "--list", "folders"]
    {
        assert!(run.err.replace('\\', "/").contains(said), "{said}: {}", run.err);
    }
    assert!(!run.err.contains("dog"), "{}", run.err);
    let run = folder.fine(&["convert", "--to", "aem", "x/dog.glb", "x/../x/dog.glb", "x/dog.glb", "all"]);
    assert!(run.err.ends_with("1 converted, 0 refused, 0 failed\n"), "{}", run.err);
}

#[test]
fn a_folder_as_an_input_asks_for_a_list_of_its_files() {
    let folder = Folder::new();
    folder.fine(&["sample", "my models/post.glb"]);
    for words in [&["convert", "my models", "a.aem"][..], &["convert", "--to", "aem", "my models", "all"]] {
        let run = folder.run(words);
        assert_eq!(run.code, 2);
        let said = "find 'my models' -name '*.glb' | maquette convert --list - OUT";
        assert!(run.err.contains(said), "{}", run.err);
    }
}
