//! Files that are not what they should be: of another kind, cut short, or with a few bytes too many.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::Folder;

#[test]
fn every_verb_says_what_a_foreign_file_is_and_what_to_do() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    folder.write("post.zip", b"PK\x03\x04\x14\0\0\0\0\0");
    let verbs: &[&[&str]] = &[
        &["info", "post.zip"],
        &["info", "--json", "post.zip"],
        &["check", "post.zip"],
        &["check", "--json", "post.zip"],
        &["dump", "post.zip"],
        &["dump", "--hex", "post.zip"],
        &["explain", "post.zip", "0"],
        &["convert", "post.zip", "out.aem"],
        &["convert", "post.glb", "out.aem", "--clip", "post.zip"],
        &["textures", "post.zip", "out"],
        &["diff", "post.zip", "post.glb"],
        &["diff", "post.glb", "post.zip"],
    ];
    for words in verbs {
        let run = folder.run(words);
        assert_eq!(run.code, 2, "{words:?}");
        let said = format!("{}{}", run.out, run.err);
        for wanted in ["post.zip", "a ZIP archive", "unpack it"] {
            assert!(said.contains(wanted), "{words:?}: {said}");
        }
    }
    assert_eq!(folder.files(), ["post.glb", "post.zip"], "nothing was written");
}

#[test]
fn json_tells_what_a_foreign_file_is() {
    let folder = Folder::new();
    folder.write("lfs.aem", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n");
    for verb in ["info", "check"] {
        let record = &folder.run(&[verb, "--json", "lfs.aem"]).json_lines()[0];
        assert!(record["error"].as_str().unwrap().contains("git lfs pull"), "{record}");
        assert!(record["format"].is_null(), "{record}");
    }
}

#[test]
fn the_companion_of_a_model_asks_for_the_model() {
    let folder = Folder::new();
    folder.fine(&["sample", "goblin.bmw"]);
    folder.write("other.json", br#"{ "scale": "2 2 2", "defaultAnim": "idle" }"#);
    let run = folder.run(&["info", "other.json"]);
    assert!(run.code == 2 && run.err.contains("BMW") && run.err.contains("name the model (.bmw)"), "{}", run.err);
}
