//! Files that are not what they should be: of another kind, cut short, or with a few bytes too many.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

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

/// A sample of each ending, and what is in its header that can be told by.
const SAMPLES: &[(&str, &str)] = &[
    ("post.aem", "vertex_count"),
    ("post.nlm", "has_animation"),
    ("post.pmdl", "mesh_count"),
    ("post.pmat", "texture_count"),
    ("post.pani", "bone_count"),
    ("post.bmw", "material_count"),
    ("post.seanim", "frame_count"),
    ("post.glb", "json_header"),
    ("post.gltf", "json"),
];

/// A sample without its last 40 bytes.
fn cut(name: &str) -> (Folder, usize) {
    let folder = Folder::new();
    folder.fine(&["sample", name]);
    let bytes = folder.read(name);
    let length = bytes.len() - 40;
    folder.write(name, &bytes[..length]);
    (folder, length)
}

#[test]
fn a_file_that_was_cut_is_shown_as_far_as_it_goes() {
    for (name, field) in SAMPLES {
        let (folder, length) = cut(name);
        for form in [&[][..], &["--all"], &["--hex"], &["--json"]] {
            let run = folder.run(&[&["dump", name], form].concat());
            assert_eq!(run.code, 2, "{name} {form:?}");
            assert!(run.out.contains(field), "{name} {form:?}: {}", run.out);
            assert!(run.err.starts_with("error: cannot read") && run.err.contains("at 0x"), "{name}: {}", run.err);
            assert!(run.err.contains("expected"), "{name}: {}", run.err);
        }
        let hex = folder.run(&["dump", "--hex", name]).out;
        let last = hex.lines().last().unwrap();
        let (offset, rest) = last.split_once("  ").unwrap();
        let row = rest.split("  ").take(2).flat_map(str::split_whitespace).filter(|word| word.len() == 2).count();
        let offset = usize::from_str_radix(offset, 16).unwrap();
        assert!(offset < length && offset + row.max(1) <= length, "{name}: {last}");
        assert_eq!(folder.run(&["dump", "--json", name]).json_lines().len(), 1, "{name}");
    }
}

#[test]
fn counts_of_a_cut_file_are_those_that_it_says() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.aem"]);
    let bytes = folder.read("post.aem");
    let count = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
    folder.write("post.aem", &bytes[..44 + 3 * 88 + 13]);
    let dump: serde_json::Value = serde_json::from_str(&folder.run(&["dump", "--json", "post.aem"]).out).unwrap();
    assert_eq!(dump["header"]["vertex_count"], count);
    assert_eq!(dump["vertices"].as_array().unwrap().len(), 3);
    assert_eq!(dump["vertices[3]"]["position"].as_array().unwrap().len(), 3, "{dump}");
    let tree = folder.run(&["dump", "post.aem", "--section", "vertices[1].position"]);
    assert!(tree.code == 2 && tree.out.starts_with("position"), "{}", tree.out);
}

#[test]
fn bytes_of_a_cut_file_are_explained_up_to_its_end() {
    for (name, _) in SAMPLES {
        let (folder, length) = cut(name);
        let run = folder.run(&["explain", name, "4"]);
        assert!(run.code == 2 && run.out.starts_with("Byte 0x4 of"), "{name}: {}{}", run.out, run.err);
        let last = folder.run(&["explain", "--json", name, &(length - 1).to_string()]);
        assert!(last.code == 2 && last.json_lines()[0]["path"].is_string(), "{name}: {}", last.out);
        let behind = folder.run(&["explain", name, &(length + 7).to_string()]);
        assert_eq!((behind.code, behind.out.as_str()), (2, ""), "{name}");
        assert!(behind.err.contains("has no byte") && behind.err.contains("cannot read"), "{name}: {}", behind.err);
    }
}

#[test]
fn a_few_bytes_too_many_are_explained_kept_and_lost() {
    for (name, _) in SAMPLES {
        let folder = Folder::new();
        folder.fine(&["sample", name]);
        let mut bytes = folder.read(name);
        let end = bytes.len();
        bytes.extend(b"more");
        folder.write(name, &bytes);
        let check = folder.run(&["check", "--json", name]);
        let record = &check.json_lines()[0];
        let named = |finding: &&serde_json::Value| finding["path"] == "trailing";
        let finding = record["diagnostics"].as_array().unwrap().iter().find(named);
        let finding = finding.unwrap_or_else(|| panic!("{name}: {record}"));
        assert_eq!((&finding["offset"], &finding["severity"]), (&end.into(), &"warning".into()), "{name}");
        let explained = folder.fine(&["explain", name, &(end + 1).to_string()]).out;
        assert!(explained.contains("byte 2 of 4 of trailing"), "{name}: {explained}");
        let behind = folder.run(&["explain", name, &(end + 4).to_string()]);
        assert!(behind.code == 2 && behind.err.contains("has no byte"), "{name}: {}", behind.err);
        let out = format!("again.{}", name.split_once('.').unwrap().1);
        folder.fine(&["convert", name, &out]);
        assert!(folder.read(&out) == bytes, "{name} comes back");
    }
}

#[test]
fn converting_reports_that_bytes_too_many_are_lost() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.aem"]);
    folder.write("post.aem", &[&folder.read("post.aem")[..], b"more"].concat());
    let run = folder.fine(&["convert", "post.aem", "post.glb"]);
    assert!(format!("{}{}", run.out, run.err).contains("4 bytes after its last field"), "{}", run.err);
}

#[test]
fn a_deep_path_is_shown_by_its_ends() {
    let folder = Folder::new();
    let text = format!(r#"{{ "asset": {{ "version": "2.0" }}, "extras": {}"#, "[".repeat(1_000_000));
    folder.write("deep.gltf", text.as_bytes());
    for verb in ["check", "info"] {
        let run = folder.run(&[verb, "deep.gltf"]);
        let told = run.out + &run.err;
        assert!(
            told.contains("json.extras[0]") && told.contains(" levels … [0]") && told.len() < 500,
            "{verb}: {told}"
        );
    }
    let found = folder.run(&["check", "--json", "deep.gltf"]).json_lines().remove(0);
    let path = found["diagnostics"][0]["path"].as_str().unwrap();
    assert!(path.contains(&"[0]".repeat(100)), "programs get it whole: {found}");
}
