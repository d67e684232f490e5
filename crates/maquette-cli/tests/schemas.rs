//! What commands print with `--json` follows the schemas of `docs/schemas`, and holds no field that they do not have.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;
mod schema;

use folder::Folder;
use schema::Schema;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A sample in every dialect of every format, and the ids of the formats.
fn samples(folder: &Folder) -> (Vec<String>, Vec<String>) {
    let listed = folder.fine(&["formats", "--json"]).json_lines();
    let (mut files, mut ids) = (Vec::new(), Vec::new());
    for format in listed[0].as_array().unwrap() {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        ids.push(text(&format["id"]));
        let endings = format["extensions"].as_array().unwrap();
        for (at, dialect) in format["dialects"].as_array().unwrap().iter().enumerate() {
            let dialect = text(&dialect["id"]);
            // Of several endings, each is that of a dialect.
            let file = format!("{}-{dialect}.{}", text(&format["id"]), text(endings.get(at).unwrap_or(&endings[0])));
            folder.fine(&["sample", &file, "--dialect", &dialect]);
            files.push(file);
        }
    }
    (files, ids)
}

/// Every file that is kept to be read: sound ones, and one for each rule that is broken.
fn fixtures() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(ending) if ending == "json" => {}
                _ => files.push(path),
            }
        }
    }
    assert!(files.len() > 100);
    files
}

/// Every line follows the schema.
fn follow(schema: &mut Schema, lines: &[Value]) {
    for line in lines {
        schema.holds(line).unwrap_or_else(|why| panic!("{why}\nin {line}"));
    }
}

fn all_seen(schema: &Schema) {
    assert_eq!(schema.unseen(), [""; 0], "no output was of this kind");
}

/// The commands below one, those below these, and so on, that have none below themselves.
fn commands(folder: &Folder, above: &str) -> Vec<String> {
    let words: Vec<&str> = above.split_whitespace().chain(["--help"]).collect();
    let help = folder.fine(&words).out;
    let Some(listed) = help.split("Commands:").nth(1) else { return vec![above.trim().to_owned()] };
    let lines = listed.split("Options:").next().unwrap().lines();
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.flat_map(|name| commands(folder, &format!("{above} {name}"))).collect()
}

#[test]
fn every_command_that_prints_json_has_a_schema() {
    let folder = Folder::new();
    let mut printing = BTreeSet::from(["clip-retarget-propose.schema.json".to_owned()]);
    for command in commands(&folder, "") {
        let words: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let prints = folder.fine(&words).out.contains("--json");
        assert!(prints || words[0] != "clip", "{command} prints no JSON");
        // Commands that edit clips tell of it in the same way.
        let verb = match words[..words.len() - 1] {
            ["clip", own @ ("info" | "doctor" | "plot")] => format!("clip-{own}"),
            [verb, ..] => verb.to_owned(),
            [] => unreachable!("a command has a name"),
        };
        printing.extend(prints.then(|| format!("{verb}.schema.json")));
    }
    assert!(printing.len() >= 13, "{printing:?}");
    let entries = std::fs::read_dir(schema::folder()).unwrap();
    let there: BTreeSet<String> = entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(there, printing);
    let page = std::fs::read_to_string(schema::folder().join("../json.md")).unwrap();
    for file in there {
        assert!(page.contains(&format!("(schemas/{file})")), "docs/json.md does not link to {file}");
    }
}

#[test]
fn clips_follow_their_schemas() {
    let folder = Folder::new();
    let (samples, _) = samples(&folder);
    folder.fine(&["sample", "other.glb"]);
    folder.write("stranger", b"?");
    folder.write("cut.aem", &folder.read("aem-document.aem")[..1000]);
    let files: Vec<&str> = samples.iter().map(String::as_str).chain(["stranger", "cut.aem"]).collect();
    let mut edits = Schema::of("clip");
    for command in [
        &["reverse"][..],
        &["reduce", "--tolerance", "0.001"],
        &["mirror"],
        &["trim", "--to", "0.5s"],
        &["additive", "make", "--relative-to", "first"],
    ] {
        let into = command.join("-");
        let words = [&["clip"], command, &files, &["-o", &into, "--json"]].concat();
        let run = folder.run(&words);
        assert_eq!(run.json_lines().len(), files.len(), "{}", run.err);
        follow(&mut edits, &run.json_lines());
    }
    follow(&mut edits, &folder.run(&["clip", "reverse", "stranger", "-o", "back.glb", "--json"]).json_lines());
    let mut apply = vec!["clip", "apply", "other.glb", "seanim-1.0.2.seanim", "-o", "applied.glb", "--json"];
    follow(&mut edits, &folder.fine(&apply).json_lines());
    apply.extend(["--bone-map", "map.txt"]);
    folder.write("map.txt", b"nobody = foot\n");
    follow(&mut edits, &folder.fine(&apply).json_lines());
    folder.fine(&["sample", "crowded.bmw", "--fault", "BMW0052"]);
    follow(&mut edits, &folder.fine(&["clip", "reverse", "crowded.bmw", "-o", "back.bmw", "--json"]).json_lines());
    // Nothing is optimized here.
    assert_eq!(edits.unseen(), ["Figure"]);
    for verb in ["info", "doctor"] {
        let mut schema = Schema::of(&format!("clip-{verb}"));
        let lines = folder.run(&[&["clip", verb, "--json"], files.as_slice()].concat()).json_lines();
        assert_eq!(lines.len(), files.len());
        follow(&mut schema, &lines);
        folder.fine(&["clip", "scale", "seanim-1.0.2.seanim", "--factor", "2.54", "-o", "scaled.seanim"]);
        let scaled = ["clip", verb, "--json", "scaled.seanim"];
        let on_model = ["--skeleton", "other.glb"];
        let words = if verb == "doctor" { [&scaled[..], &on_model].concat() } else { scaled.to_vec() };
        follow(&mut schema, &folder.run(&words).json_lines());
        all_seen(&schema);
    }
    let mut plots = Schema::of("clip-plot");
    let lines = folder.run(&[&["clip", "plot"], files.as_slice(), &["-o", "plots", "--json"]].concat()).json_lines();
    assert_eq!(lines.len(), files.len());
    follow(&mut plots, &lines);
    all_seen(&plots);
    let mut map = Schema::of("clip-retarget-propose");
    let models = ["--skeleton-from", "aem-document.aem", "--skeleton", "other.glb"];
    let words = [&["clip", "retarget", "--propose", "--json"], &models[..]].concat();
    follow(&mut map, &folder.fine(&words).json_lines());
    all_seen(&map);
}

#[test]
fn info_and_check_follow_their_schemas_whatever_a_file_is() {
    let folder = Folder::new();
    let (samples, _) = samples(&folder);
    folder.write("stranger", b"?");
    let mut files: Vec<PathBuf> = samples.iter().map(PathBuf::from).chain(fixtures()).collect();
    files.push("stranger".into());
    for verb in ["info", "check"] {
        let mut schema = Schema::of(verb);
        let words: Vec<&Path> =
            [verb, "--json"].map(Path::new).into_iter().chain(files.iter().map(PathBuf::as_path)).collect();
        let lines = folder.run(&words).json_lines();
        assert_eq!(lines.len(), files.len());
        follow(&mut schema, &lines);
        follow(&mut schema, &folder.run(&[verb, "--json", "nowhere.aem"]).json_lines());
        all_seen(&schema);
    }
}

#[test]
fn formats_follow_their_schema() {
    let mut schema = Schema::of("formats");
    follow(&mut schema, &Folder::new().fine(&["formats", "--json"]).json_lines());
    all_seen(&schema);
}

#[test]
fn explanations_follow_their_schema() {
    let folder = Folder::new();
    let mut schema = Schema::of("explain");
    for asked in ["AEM0045", "PMDL0001", "joint-parent-out-of-range", "rest poses", "pixels"] {
        follow(&mut schema, &folder.fine(&["explain", asked, "--json"]).json_lines());
    }
    for file in samples(&folder).0 {
        for offset in ["0", "11", "0x1c"] {
            follow(&mut schema, &folder.fine(&["explain", &file, offset, "--json"]).json_lines());
        }
    }
    all_seen(&schema);
}

#[test]
fn dumps_follow_their_schema() {
    let folder = Folder::new();
    let mut schema = Schema::of("dump");
    for file in samples(&folder).0 {
        let dump = folder.fine(&["dump", &file, "--json"]).json_lines();
        assert!(dump[0].is_object());
        follow(&mut schema, &dump);
    }
    follow(&mut schema, &folder.fine(&["dump", "aem-document.aem", "--json", "--section", "joints[0]"]).json_lines());
    all_seen(&schema);
}

#[test]
fn conversions_follow_their_schema() {
    let folder = Folder::new();
    let mut schema = Schema::of("convert");
    let (samples, formats) = samples(&folder);
    folder.write("stranger", b"?");
    for format in &formats {
        let mut words = vec!["convert", "--json", "--to", format, "--report", "report.json"];
        words.extend(samples.iter().map(String::as_str).chain(["stranger", format]));
        let run = folder.run(&words);
        let lines = run.json_lines();
        assert!(lines.len() > samples.len(), "{}", run.err);
        follow(&mut schema, &lines);
        let report: Value = serde_json::from_slice(&folder.read("report.json")).unwrap();
        assert_eq!(report, Value::from(lines));
        follow(&mut schema, &[report]);
    }
    let one = ["convert", "gltf-binary.glb", "one.aem", "--json", "--optimize", "--strict=dropped"];
    let lines = folder.run(&one).json_lines();
    assert_eq!((lines.len(), lines[0]["figures"].as_array().unwrap().is_empty()), (1, false));
    follow(&mut schema, &lines);
    folder.fine(&["convert", "gltf-binary.glb", "two.glb", "--clip", "seanim-1.0.2.seanim", "--quiet"]);
    follow(&mut schema, &folder.fine(&["convert", "two.glb", "one.glb", "--json", "--select", "sway"]).json_lines());
    folder.fine(&["sample", "crowded.bmw", "--fault", "BMW0052"]);
    follow(&mut schema, &folder.fine(&["convert", "crowded.bmw", "copy.bmw", "--json"]).json_lines());
    all_seen(&schema);
}

#[test]
fn textures_follow_their_schema() {
    let folder = Folder::new();
    let mut schema = Schema::of("textures");
    for file in samples(&folder).0 {
        for (index, words) in [&["--json"][..], &["--json", "--srgb"], &["--json", "--dds"]].iter().enumerate() {
            let into = format!("{file}-{index}");
            follow(&mut schema, &folder.fine(&[&["textures", &file, &into], *words].concat()).json_lines());
        }
    }
    all_seen(&schema);
}

#[test]
fn differences_follow_their_schema() {
    let folder = Folder::new();
    let mut schema = Schema::of("diff");
    folder.fine(&["sample", "post.glb"]);
    folder.fine(&["convert", "post.glb", "blocks.aem"]);
    let mut lines = 0;
    for file in samples(&folder).0.iter().map(String::as_str).chain(["blocks.aem"]) {
        let found = folder.run(&["diff", "aem-document.aem", file, "--json"]).json_lines();
        lines += found.len();
        follow(&mut schema, &found);
    }
    assert!(lines > 10);
    all_seen(&schema);
}

#[test]
fn schemas_refuse_what_is_not_described() {
    let mut schema = Schema::of("textures");
    let sound = json!({
        "index": 0, "name": "", "width": 1, "height": null, "format": "PNG", "levels": 1, "bytes": 4,
        "uses": [{ "material": "fur", "as": "normal" }], "file": null
    });
    assert_eq!(schema.holds(&sound), Ok(()));
    let changed = |pointer: &str, value: Value| {
        let mut changed = sound.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        changed
    };
    for (pointer, value) in [
        ("/index", json!(-1)),
        ("/index", json!(0.5)),
        ("/name", Value::Null),
        ("/width", json!("1")),
        ("/uses", json!({})),
        ("/uses/0", json!({ "material": "fur" })),
        ("/uses/0", json!({ "material": "fur", "as": "normal", "slot": 1 })),
    ] {
        assert!(schema.holds(&changed(pointer, value.clone())).is_err(), "{pointer} {value}");
    }
    let mut more = sound.clone();
    more["colour"] = json!("red");
    assert!(schema.holds(&more).unwrap_err().contains("colour has no schema"));
    let mut less = sound.clone();
    less.as_object_mut().unwrap().remove("file");
    assert!(schema.holds(&less).unwrap_err().contains("file is missing"));
    assert!(Schema::of("formats").holds(&sound).is_err(), "an array is wanted");
    assert!(Schema::of("info").holds(&sound).is_err());
}
