//! Where a conversion goes: into a file or a folder, and in which format and dialect.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::{Folder, Run};

fn format_of(folder: &Folder, file: &str) -> String {
    folder.fine(&["info", "--json", file]).json_lines()[0]["format"].as_str().unwrap().to_owned()
}

fn refused(folder: &Folder, words: &[&str]) -> Run {
    let before = folder.files();
    let run = folder.run(words);
    assert_eq!(run.code, 2, "{words:?}: {}", run.err);
    assert_eq!(folder.files(), before, "{words:?} writes nothing");
    run
}

#[test]
fn one_input_goes_into_a_folder_as_several_do() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.glb"]);
    folder.fine(&["sample", "b.glb"]);
    folder.fine(&["convert", "--to", "nlm", "a.glb", "all"]);
    assert_eq!(format_of(&folder, "all/a.nlm"), "nlm");
    folder.fine(&["convert", "--to", "nlm", "a.glb", "b.glb", "all"]);
    assert_eq!(format_of(&folder, "all/b.nlm"), "nlm");
    folder.fine(&["convert", "--to", "nlm", "a.glb", "deep/v1.2"]);
    assert_eq!(format_of(&folder, "deep/v1.2/a.nlm"), "nlm");
    folder.fine(&["convert", "--to", "nlm", "a.glb", "named.nlm"]);
    assert_eq!(format_of(&folder, "named.nlm"), "nlm", "a file where it ends like one");
    folder.write("there", b"");
    folder.fine(&["convert", "--to", "aem", "a.glb", "there"]);
    assert!(folder.read("there").starts_with(b"AEM"), "a file where it is one");
}

#[test]
fn endings_name_formats() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.aem"]);
    for word in ["glb", "GLB", ".glb", "gltf"] {
        folder.fine(&["convert", "--to", word, "a.aem", "out"]);
        assert!(folder.read("out/a.glb").starts_with(b"glTF"), "{word}");
        std::fs::remove_dir_all(folder.0.path().join("out")).unwrap();
    }
    folder.fine(&["convert", "--to", "gltf", "--dialect", "text", "a.aem", "text"]);
    assert!(folder.read("text/a.gltf").starts_with(b"{"));
    assert!(folder.pipe(&["convert", "-", "-", "--to", "glb"], &folder.read("a.aem")).raw.starts_with(b"glTF"));
    let unknown = refused(&folder, &["convert", "--to", "gbl", "a.aem", "out"]);
    assert!(unknown.err.contains("`gbl` is no format"), "{}", unknown.err);
    folder.fine(&["sample", "made", "--format", "glb"]);
    assert!(folder.read("made").starts_with(b"glTF"));
}

#[test]
fn a_name_that_ends_otherwise_than_asked_is_refused() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.glb"]);
    folder.fine(&["sample", "a.aem"]);
    folder.write("old.glb", b"mine");
    for (words, said) in [
        (&["convert", "--dialect", "text", "a.aem", "b.glb"][..], "end it in .gltf, or ask for --dialect binary"),
        (&["convert", "--dialect", "text", "a.glb", "b.glb"], "end it in .gltf, or ask for --dialect binary"),
        (&["convert", "--dialect", "binary", "a.glb", "b.gltf"], "end it in .glb, or ask for --dialect text"),
        (&["convert", "--to", "glb", "a.aem", "b.gltf"], "end it in .glb, or ask for --dialect text"),
        (&["convert", "--to", "glb", "--dialect", "text", "a.aem", "out"], "ask for --dialect binary"),
        (&["convert", "--to", "nlm", "a.glb", "b.glb"], "end it in .nlm, or ask for --to gltf"),
        (&["convert", "--to", "nlm", "a.glb", "old.glb"], "end it in .nlm, or ask for --to gltf"),
        (&["convert", "--dialect", "text", "a.glb", "b.glb", "--each-clip"], "end it in .gltf"),
        (&["sample", "--dialect", "text", "b.glb"], "end it in .gltf, or ask for --dialect binary"),
    ] {
        let run = refused(&folder, words);
        assert!(run.err.contains(said), "{words:?}: {}", run.err);
    }
    assert_eq!(folder.read("old.glb"), b"mine");
}

#[test]
fn what_is_no_folder_is_not_called_one() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.glb"]);
    let run = refused(&folder, &["convert", "--strict", "dropped", "a.glb", "z.aem"]);
    assert!(!run.err.contains("is a folder") && run.err.contains("--strict=dropped"), "{}", run.err);
    for words in [&["convert", "a.glb", "a.glb", "z.aem"][..], &["convert", "--to", "aem", "a.glb", "a.glb", "z.aem"]] {
        let run = refused(&folder, words);
        assert!(run.err.contains("2 files cannot become one, z.aem: name a folder"), "{}", run.err);
        assert!(!run.err.contains("--strict"), "{}", run.err);
    }
}

#[test]
fn a_sample_replaces_what_may_be_anybodys_if_forced() {
    let folder = Folder::new();
    folder.write("maquette-checker.png", b"mine");
    let run = refused(&folder, &["sample", "a.pmdl"]);
    assert!(run.err.contains("--force"), "{}", run.err);
    folder.fine(&["sample", "a.pmdl", "--force"]);
    assert_ne!(folder.read("maquette-checker.png"), b"mine");
}
