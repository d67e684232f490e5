//! What a conversion tells besides its losses: what the rules say against the output, and what may be left from an earlier one.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::Folder;
use serde_json::json;

/// A glTF file whose picture lies behind a backslash, which a PMAT should not have.
fn with_backslash() -> Folder {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    folder.fine(&["convert", "post.glb", "post.gltf"]);
    let text = String::from_utf8(folder.read("post.gltf")).unwrap();
    assert!(text.contains("post.checker.png"), "{text}");
    folder.write("post.gltf", text.replace("post.checker.png", "tex%5Cpost.png").as_bytes());
    folder
}

#[test]
fn findings_about_the_output_are_in_json_and_in_text() {
    let folder = with_backslash();
    let report = folder.fine(&["convert", "post.gltf", "a.pmdl", "--json"]).json_lines().remove(0);
    let expected = json!([{
        "file": "a.pmat",
        "code": "PMAT0023",
        "name": "path-backslash",
        "severity": "warning",
        "path": "textures[0].path",
        "message": "the path is \"tex\\\\post.png\"",
        "expected": "folders separated by /",
        "count": 1,
    }]);
    let mut found = report["findings"].clone();
    for finding in found.as_array_mut().unwrap() {
        let offset = finding.as_object_mut().unwrap().remove("offset").unwrap();
        assert!(offset.is_u64(), "{offset}");
    }
    assert_eq!(found, expected);
    let said = "  warning PMAT0023 path-backslash in textures[0].path of a.pmat: the path is \"tex\\\\post.png\"; \
                expected folders separated by /\n";
    let text = folder.fine(&["convert", "post.gltf", "a.pmdl"]).err;
    assert!(text.contains(said), "{text}");
    let many = folder.fine(&["convert", "post.gltf", "--to", "pmdl", "many"]).err;
    assert!(
        many.lines().any(|line| line.contains("post.pmdl: ") && line.ends_with(", 1 finding (PMAT0023)")),
        "{many}"
    );
}

#[test]
fn an_output_that_keeps_the_rules_has_no_findings() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    let report = folder.fine(&["convert", "post.glb", "a.pmdl", "--json"]).json_lines().remove(0);
    assert_eq!((&report["findings"], &report["left_behind"]), (&json!([]), &json!([])));
    let run = folder.fine(&["convert", "post.glb", "a.pmdl"]);
    assert!(!run.err.contains("warning") && !run.err.contains("left from"), "{}", run.err);
}

#[test]
fn what_an_earlier_conversion_left_is_named_in_json_and_in_text() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    let convert = |words: &[&str]| folder.fine(&[&["convert", "post.glb", "a.pmdl"], words].concat());
    folder.write("a.old.png", b"of whoever");
    let first = convert(&["--json"]).json_lines().remove(0);
    assert_eq!(first["left_behind"], json!([]), "there was no earlier one");
    for name in ["a.Run.pani", "a.fur.png", "b.fur.png"] {
        folder.write(name, b"of whoever");
    }
    for dry in [&["--json", "--dry-run"][..], &["--json"]] {
        let again = convert(dry).json_lines().remove(0);
        assert_eq!(again["left_behind"], json!(["a.Run.pani", "a.fur.png", "a.old.png"]), "{dry:?}");
    }
    let text = convert(&[]).err;
    let said = "  left from an earlier conversion? a.Run.pani, a.fur.png, a.old.png is not part of the output\n";
    assert!(text.contains(said), "{text}");
    assert_eq!(folder.read("a.old.png"), b"of whoever", "naming it is all that is done");
}
