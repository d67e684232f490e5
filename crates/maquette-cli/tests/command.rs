//! The command as a user meets it: run in an empty folder, judged by what it prints, writes and returns.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::{Folder, Run};
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;

/// Every format with its dialects, each with the ending of its files, as the command lists them.
fn formats(folder: &Folder) -> Vec<(String, Vec<(String, String)>)> {
    let listed: Value = serde_json::from_str(&folder.fine(&["formats", "--json"]).out).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let dialects = |format: &Value| {
        let endings: Vec<String> = format["extensions"].as_array().unwrap().iter().map(text).collect();
        let ending = |at: usize| endings.get(at).unwrap_or(&endings[0]).clone();
        format["dialects"].as_array().unwrap().iter().enumerate().map(|(at, d)| (text(&d["id"]), ending(at))).collect()
    };
    listed.as_array().unwrap().iter().map(|format| (text(&format["id"]), dialects(format))).collect()
}

#[test]
fn the_creature_comes_in_any_format_with_its_losses() {
    let folder = Folder::new();
    let run = folder.fine(&["sample", "newt.glb", "--model", "creature"]);
    assert_eq!(run.err, "wrote newt.glb\n");
    let printed = folder.fine(&["sample", "-", "--format", "glb", "--model", "creature"]);
    assert!(printed.raw == folder.read("newt.glb"));
    let run = folder.fine(&["sample", "newt.nlm", "--model", "creature"]);
    assert!(run.err.contains("dropped morph targets") && run.err.contains("wrote newt.nlm"), "{}", run.err);
    let refused = folder.run(&["sample", "newt.aem", "--model", "creature", "--fault", "AEM0003"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
}

#[test]
fn every_verb_works_on_a_sample_of_every_dialect() {
    let list = Folder::new();
    for (format, dialects) in formats(&list) {
        for (dialect, ending) in dialects {
            let folder = Folder::new();
            let file = &format!("a.{ending}");
            folder.fine(&["sample", file, "--dialect", &dialect]);
            let info = folder.fine(&["info", file, "--json"]).json_lines();
            assert_eq!((info[0]["format"].as_str(), info[0]["dialect"].as_str()), (Some(&*format), Some(&*dialect)));
            assert!(folder.fine(&["info", file]).out.contains(&dialect));
            let check = folder.fine(&["check", file, "--json"]).json_lines();
            assert_eq!(check[0]["ok"], true);
            folder.fine(&["check", file]);
            for form in
                [&["dump", file][..], &["dump", file, "--all"], &["dump", file, "--hex"], &["dump", file, "--json"]]
            {
                assert!(!folder.fine(form).out.is_empty());
            }
            assert!(folder.fine(&["explain", file, "0"]).out.contains("Byte 0x0"));
            folder.fine(&["convert", file, &format!("b.{ending}")]);
            assert_eq!(folder.read(file), folder.read(&format!("b.{ending}")));
            let piped = folder.pipe(&["convert", "-", "-"], &folder.read(file));
            assert_eq!(piped.raw, folder.read(file));
            assert_eq!(folder.pipe(&["info", "-", "--json"], &folder.read(file)).json_lines()[0]["dialect"], *dialect);
        }
    }
}

#[test]
fn every_code_can_be_explained_and_shown() {
    let list = Folder::new();
    for (format, dialects) in formats(&list) {
        let (_, ending) = &dialects[0];
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(&format).join("bad");
        let mut shown = 0;
        for entry in std::fs::read_dir(fixtures).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let Some(code) = name.strip_suffix(&format!(".{ending}")) else { continue };
            let folder = Folder::new();
            let meaning = folder.fine(&["explain", code]).out;
            assert!(meaning.starts_with(code), "{meaning}");
            folder.fine(&["sample", &name, "--fault", code]);
            let check = folder.run(&["check", &name, "--json"]);
            let checked = &check.json_lines()[0];
            let raised = checked["diagnostics"].as_array().unwrap().iter().any(|finding| finding["code"] == code);
            assert!(raised && checked["format"] == *format, "{code}: {}", check.out);
            let expected = match (checked["readable"] == true, checked["ok"] == true) {
                (false, _) => 2,
                (true, false) => 1,
                (true, true) => 0,
            };
            assert_eq!(check.code, expected, "{code}");
            shown += 1;
        }
        assert!(shown > 5, "{format}");
    }
}

#[test]
fn check_returns_0_for_info_1_for_findings_and_2_for_what_cannot_be_read() {
    let folder = Folder::new();
    folder.fine(&["sample", "info.aem", "--fault", "AEM0044"]);
    folder.fine(&["sample", "warning.aem", "--fault", "AEM0066"]);
    folder.fine(&["sample", "broken.aem", "--fault", "AEM0003"]);
    assert_eq!(folder.run(&["check", "info.aem"]).code, 0);
    assert_eq!(folder.run(&["check", "info.aem", "warning.aem"]).code, 1);
    let all = folder.run(&["check", "broken.aem", "warning.aem", "info.aem", "--json"]);
    assert_eq!(all.code, 2);
    assert_eq!(all.json_lines().len(), 3, "one line a file, the unreadable one too");
    assert_eq!(folder.run(&["check", "missing.aem"]).code, 2);
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.aem"]);
    folder.write("bad.aem", b"AEM\x01");
    let run = folder.run(&["info", "bad.aem", "a.aem"]);
    assert_eq!(run.code, 2);
    assert!(run.out.contains("a.aem"));
    assert!(run.err.contains("bad.aem") && run.err.contains("AEM0003"), "{}", run.err);
}

#[test]
fn repeats_are_counted_or_listed() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.aem"]);
    let mut bytes = folder.read("a.aem");
    // The normals of the first two vertices, 88 bytes apart.
    for vertex in 0..2 {
        bytes[44 + 88 * vertex + 12..][..12].fill(0);
    }
    folder.write("a.aem", &bytes);
    let merged = &folder.run(&["check", "a.aem", "--json"]).json_lines()[0]["diagnostics"];
    assert_eq!((merged[0]["code"].as_str(), merged[0]["count"].as_u64()), (Some("AEM0061"), Some(2)));
    assert_eq!(merged[0]["offset"], 44 + 12);
    let each = &folder.run(&["check", "a.aem", "--json", "--each"]).json_lines()[0]["diagnostics"];
    assert_eq!(each[1]["path"], "vertices[1].normal");
    assert_eq!(each[1]["offset"], 44 + 88 + 12);
    let bounded = &folder.run(&["check", "a.aem", "--json", "--each", "--most", "1"]).json_lines()[0];
    assert_eq!((bounded["diagnostics"].as_array().unwrap().len(), &bounded["left_out"]), (1, &Value::from(1)));
}

#[test]
fn what_cannot_be_read_is_said_with_place_and_remedy() {
    let folder = Folder::new();
    let mut header = b"AEM\x01".to_vec();
    header.extend([0xff; 4]);
    header.extend([0; 36]);
    folder.write("huge.aem", &header);
    let run = folder.run(&["info", "huge.aem"]);
    assert_eq!(run.code, 2);
    assert!(run.out.is_empty());
    for wanted in ["huge.aem", "AEM0003", "vertices", "0x2c", "4294967295 × 88", "expected"] {
        assert!(run.err.contains(wanted), "{wanted} is missing in {}", run.err);
    }
    assert!(!run.err.contains('\u{1b}'), "no colours where no terminal is");
}

#[test]
fn strangers_are_refused_kindly() {
    let folder = Folder::new();
    folder.write("notes.txt", b"hello");
    let run = folder.run(&["info", "notes.txt"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("maquette formats"), "{}", run.err);
    folder.write("empty.aem", b"");
    assert_eq!(folder.run(&["check", "empty.aem"]).code, 2);
    assert!(folder.run(&["info", "."]).err.contains("folder"));
}

#[test]
fn a_forced_dialect_is_obeyed_or_named() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.aem", "--dialect", "wide"]);
    let forced = folder.fine(&["info", "a.aem", "--json", "--dialect", "wide-compression"]).json_lines();
    assert_eq!(forced[0]["dialect"], "wide-compression");
    let unknown = folder.run(&["info", "a.aem", "--dialect", "narrow"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("wide-early"), "{}", unknown.err);
    assert_eq!(folder.run(&["sample", "b.aem", "--dialect", "narrow"]).code, 2);
    assert_eq!(folder.files(), ["a.aem"]);
}

#[test]
fn converting_between_formats_is_refused_and_writes_nothing() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.aem"]);
    folder.write("b.txt", b"kept");
    let run = folder.run(&["convert", "a.aem", "b.txt"]);
    assert_eq!(run.code, 2);
    assert_eq!(folder.read("b.txt"), b"kept");
    assert_eq!(folder.files(), ["a.aem", "b.txt"]);
}

#[test]
fn losses_can_be_foretold_forbidden_and_kept() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.aem"]);
    let before = folder.files();
    let foretold = folder.fine(&["convert", "a.aem", "b.seanim", "--dry-run"]);
    assert!(foretold.err.contains("dropped") && foretold.err.contains("meshes"), "{}", foretold.err);
    assert_eq!(folder.files(), before);
    let forbidden = folder.run(&["convert", "a.aem", "b.seanim", "--strict"]);
    assert_eq!(forbidden.code, 1);
    assert_eq!(folder.run(&["convert", "a.aem", "b.seanim", "--strict=dropped,baked"]).code, 1);
    assert_eq!(folder.files(), before);
    folder.fine(&["convert", "a.aem", "b.seanim", "--strict=renamed", "--report", "report.json"]);
    let report: Value = serde_json::from_slice(&folder.read("report.json")).unwrap();
    assert!(report["written"] == true && !report["losses"].as_array().unwrap().is_empty());
    assert_eq!(folder.run(&["convert", "a.aem", "b.seanim", "--strict=dopped"]).code, 2);
}

#[test]
fn a_copy_takes_along_what_the_file_needs() {
    let folder = Folder::new();
    folder.fine(&["sample", "a/post.gltf"]);
    folder.fine(&["convert", "a/post.gltf", "b/copy.gltf"]);
    assert_eq!(folder.read("a/post.gltf"), folder.read("b/copy.gltf"));
    folder.fine(&["diff", "a/post.gltf", "b/copy.gltf"]);
    folder.fine(&["sample", "a/post.pmdl", "--dialect", "engine"]);
    folder.fine(&["convert", "a/post.pmdl", "b/copy.pmdl"]);
    folder.fine(&["diff", "a/post.pmdl", "b/copy.pmdl"]);
    assert_eq!(folder.read("a/post.pani"), folder.read("b/copy.pani"));
}

#[test]
fn lists_are_converted_whole_and_failures_are_counted() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    folder.fine(&["sample", "my post.nlm"]);
    folder.write("broken.glb", b"glTF");
    folder.write("good.lst", b"# two models\npost.glb \"my post.nlm\"\n");
    let run = folder.fine(&["convert", "--list", "good.lst", "out"]);
    assert!(run.err.contains("2 converted, 0 refused, 0 failed"), "{}", run.err);
    assert!(folder.read("out/post.aem").starts_with(b"AEM") && folder.read("out/my post.aem").starts_with(b"AEM"));
    folder.write("bad.lst", b"post.glb broken.glb nowhere.glb");
    let run = folder.run(&["convert", "--list", "bad.lst", "bad", "--to", "nlm", "--json", "--report", "report.json"]);
    assert_eq!(run.code, 2);
    let lines = run.json_lines();
    assert_eq!(lines[0]["written"], true);
    assert!(lines[1]["error"].as_str().unwrap().contains("broken.glb") && lines[2]["error"].is_string());
    assert_eq!(serde_json::from_slice::<Vec<Value>>(&folder.read("report.json")).unwrap(), lines);
    let run = folder.run(&["convert", "--list", "good.lst", "strict", "--strict"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("0 converted, 2 refused, 0 failed"), "{}", run.err);
}

#[test]
fn optimizing_tells_what_it_gains() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    let run = folder.fine(&["convert", "post.glb", "post.aem", "--optimize"]);
    assert!(run.err.contains("vertices processed for each triangle: "), "{}", run.err);
    let line = &folder.fine(&["convert", "post.glb", "again.aem", "--optimize", "--json"]).json_lines()[0];
    assert_eq!(line["figures"].as_array().unwrap().len(), 4);
    follows_the_page(&line["figures"][0], "figure", &[]);
}

#[test]
fn files_that_say_the_same_do_not_differ() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.aem"]);
    folder.fine(&["convert", "a.aem", "b.aem", "--dialect", "wide"]);
    assert_ne!(folder.read("a.aem"), folder.read("b.aem"));
    assert_eq!(folder.fine(&["diff", "a.aem", "b.aem"]).out, "");
    folder.fine(&["convert", "a.aem", "large.aem", "--scale", "2"]);
    let differs = folder.run(&["diff", "a.aem", "large.aem"]);
    assert_eq!(differs.code, 1);
    assert!(differs.out.contains("rest poses") && differs.out.contains("motion"), "{}", differs.out);
}

#[test]
fn a_clip_alone_asks_for_its_model() {
    let folder = Folder::new();
    folder.fine(&["sample", "walk.seanim"]);
    let alone = folder.run(&["convert", "walk.seanim", "walk.aem"]);
    assert_eq!(alone.code, 2);
    assert!(alone.err.contains("--clip walk.seanim"), "{}", alone.err);
    assert_eq!(folder.files(), ["walk.seanim"]);
}

#[test]
fn a_damaged_input_leaves_the_old_output() {
    let folder = Folder::new();
    folder.fine(&["sample", "good.aem"]);
    folder.fine(&["sample", "bad.aem", "--fault", "AEM0003"]);
    let before = folder.read("good.aem");
    assert_eq!(folder.run(&["convert", "bad.aem", "good.aem"]).code, 2);
    assert_eq!(folder.read("good.aem"), before);
    assert_eq!(folder.files(), ["bad.aem", "good.aem"]);
}

#[test]
fn a_reader_that_stops_early_is_no_failure() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.aem"]);
    let mut child =
        folder.command(&["dump", "a.aem", "--hex"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let run: Run = child.wait_with_output().unwrap().into();
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}

#[test]
fn completions_and_the_manual_are_printed() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(folder.fine(&["completions", shell]).out.contains("maquette"));
    }
    assert!(folder.fine(&["man"]).out.contains(".TH"));
    std::fs::create_dir(folder.0.path().join("pages")).unwrap();
    folder.fine(&["man", "pages"]);
    assert!(folder.0.path().join("pages/maquette-check.1").exists());
}

#[test]
fn textures_become_files_and_nothing_else_is_overwritten() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.aem"]);
    let listed = folder.fine(&["textures", "a.aem", "out"]).out;
    assert!(listed.contains("8 × 8") && listed.contains("RGBA8") && listed.contains("4 levels"), "{listed}");
    assert!(listed.contains("base colour of material 0") && listed.contains("packed of material 0"), "{listed}");
    assert!(folder.read("out/texture-0.png").starts_with(b"\x89PNG"));
    folder.fine(&["textures", "a.aem", "out", "--dds"]);
    // A header and all levels: 8, 4, 2 and 1 squared, four bytes each; a block.
    assert_eq!(folder.read("out/texture-0.dds").len(), 148 + (64 + 16 + 4 + 1) * 4);
    assert_eq!(folder.read("out/texture-2.dds").len(), 148 + 16);
    folder.fine(&["textures", "a.aem", "out"]);
    folder.write("out/texture-1.png", b"mine");
    let run = folder.run(&["textures", "a.aem", "out"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("texture-1.png"), "{}", run.err);
    assert_eq!(folder.read("out/texture-1.png"), b"mine");
    // An image file comes out as it is in the file.
    folder.fine(&["sample", "b.glb"]);
    folder.fine(&["textures", "b.glb", "other"]);
    let png = folder.read("other/texture-0.png");
    assert!(folder.read("b.glb").windows(png.len()).any(|bytes| bytes == png));
    assert_eq!(folder.run(&["textures", "nothing.aem", "out"]).code, 2);
}

#[test]
fn textures_as_people_see_them_are_named_after_materials() {
    let folder = Folder::new();
    folder.fine(&["sample", "fox.aem"]);
    let rows = folder.fine(&["textures", "fox.aem", "out", "--srgb", "--json"]).json_lines();
    let files: Vec<&str> = rows.iter().map(|row| row["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["fox.material0.base_color.png", "fox.material0.normal.png", "fox.material0.packed.png"]);
    let [raw, seen] = [&[][..], &["--srgb"]].map(|words| {
        folder.fine(&[&["textures", "fox.aem", "out"], words].concat());
        let name = if words.is_empty() { "out/texture-0.png" } else { "out/fox.material0.base_color.png" };
        folder.read(name)
    });
    assert_ne!(raw, seen, "linear light, and sRGB");
    folder.fine(&["sample", "post.glb"]);
    let listed = folder.fine(&["textures", "post.glb", "other", "--srgb"]).out;
    assert!(listed.contains("post.clay-and-cream.base_color.png 8 × 8"), "{listed}");
    let png = folder.read("other/post.clay-and-cream.base_color.png");
    assert!(folder.read("post.glb").windows(png.len()).any(|bytes| bytes == png), "image files stay as they are");
    assert_eq!(folder.run(&["textures", "fox.aem", "out", "--srgb", "--dds"]).code, 2);
}

#[test]
fn textures_are_made_as_is_asked() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.glb"]);
    let formats = |words: &[&str]| {
        folder.fine(&[&["convert", "a.glb", "a.aem"], words].concat());
        let rows = folder.fine(&["textures", "a.aem", "out", "--json", "--dds"]).json_lines();
        std::fs::remove_dir_all(folder.0.path().join("out")).unwrap();
        let text = |row: &Value| format!("{} {}", row["format"].as_str().unwrap(), row["width"]);
        rows.iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(formats(&[])[0], "BC7 8");
    assert_eq!(formats(&["--textures", "high"])[0], "BC7 8");
    assert_eq!(formats(&["--textures", "none"])[0], "RGBA8 8");
    assert_eq!(formats(&["--dialect", "wide-early"])[0], "RGBA8 8");
    assert_eq!(formats(&["--max-size", "4"])[0], "BC7 4");
    assert_eq!(folder.run(&["convert", "a.glb", "a.aem", "--max-size", "0"]).code, 2);
    assert_eq!(folder.run(&["convert", "a.glb", "a.aem", "--textures", "best"]).code, 2);
}

#[test]
fn pictures_are_compared_by_their_pixels() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.glb"]);
    folder.fine(&["convert", "a.glb", "pixels.aem", "--textures", "none"]);
    folder.fine(&["convert", "a.glb", "blocks.aem"]);
    let found = |a: &str, b: &str| folder.run(&["diff", a, b, "--json"]).json_lines();
    let of = |rows: &[Value]| rows.iter().filter(|row| row["what"] == "pixels").cloned().collect::<Vec<_>>();
    // A PNG in sRGB, and pixels in linear light.
    assert_eq!(of(&found("a.glb", "pixels.aem")), [Value::Null; 0]);
    let blocks = of(&found("pixels.aem", "blocks.aem"));
    assert_eq!(blocks.len(), 1, "{blocks:?}");
    assert!(blocks[0]["psnr_db"].as_f64().unwrap() > 30.0 && blocks[0]["size"].as_f64().unwrap() < 0.1);
    let text = folder.run(&["diff", "pixels.aem", "blocks.aem"]).out;
    assert!(text.contains(" dB apart"), "{text}");
}

/// The fields that `docs/json.md` gives for an output, with their types.
fn documented(heading: &str) -> Vec<(String, String)> {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md")).unwrap();
    let section = page.split("\n## ").find(|section| section.starts_with(heading)).expect("the heading is there");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let (field, rest) = row.split_once('`').unwrap();
        (field.to_owned(), rest.split('|').nth(1).unwrap().trim().to_owned())
    })
    .collect()
}

fn fits(value: &Value, ty: &str) -> bool {
    ty.split(" or ").any(|ty| match ty {
        "text" => value.is_string(),
        "whole number" => value.is_u64(),
        "number" => value.is_number(),
        "true/false" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("docs/json.md speaks of `{other}`"),
    })
}

fn follows_the_page(value: &Value, heading: &str, optional: &[&str]) {
    let fields = documented(heading);
    for (field, ty) in &fields {
        match value.get(field) {
            Some(value) => assert!(fits(value, ty), "{heading}.{field} is {value}, documented as {ty}"),
            None => assert!(optional.contains(&field.as_str()), "{heading} lacks {field}: {value}"),
        }
    }
    for key in value.as_object().unwrap().keys() {
        assert!(fields.iter().any(|(field, _)| field == key), "{heading}.{key} is not documented");
    }
}

#[test]
fn json_has_the_documented_fields() {
    let folder = Folder::new();
    let formats = formats(&folder);
    for (_, dialects) in &formats {
        for (dialect, ending) in dialects {
            let file = &format!("{dialect}.{ending}");
            folder.fine(&["sample", file, "--dialect", dialect]);
            let info = &folder.fine(&["info", file, "--json"]).json_lines()[0];
            follows_the_page(info, "info", &["unreadable_companions"]);
            info["clips"].as_array().unwrap().iter().for_each(|clip| follows_the_page(clip, "clip", &[]));
            if !info["bounds"].is_null() {
                follows_the_page(&info["bounds"], "bounds", &[]);
            }
            info["conventions"].as_object().unwrap().values().for_each(|c| follows_the_page(c, "convention", &[]));
            follows_the_page(
                &folder.fine(&["explain", file, "0", "--json"]).json_lines()[0],
                "explain FILE OFFSET",
                &[],
            );
        }
    }
    folder.fine(&["sample", "bad.aem", "--fault", "AEM0045"]);
    let check = &folder.run(&["check", "bad.aem", "--json"]).json_lines()[0];
    follows_the_page(check, "check", &["error"]);
    follows_the_page(&check["diagnostics"][0], "diagnostic", &[]);
    folder.write("stranger", b"?");
    let stranger = &folder.run(&["check", "stranger", "--json"]).json_lines()[0];
    follows_the_page(stranger, "check", &[]);
    follows_the_page(&folder.fine(&["explain", "AEM0045", "--json"]).json_lines()[0], "explain CODE", &[]);
    let converted = &folder.fine(&["convert", "document.aem", "clip.seanim", "--json"]).json_lines()[0];
    follows_the_page(converted, "convert", &[]);
    converted["losses"].as_array().unwrap().iter().for_each(|loss| follows_the_page(loss, "loss", &[]));
    folder.fine(&["convert", "document.aem", "two.aem", "--clip", "clip.seanim"]);
    let differences = folder.run(&["diff", "document.aem", "two.aem", "--json"]);
    assert_eq!(differences.code, 1);
    differences.json_lines().iter().for_each(|difference| follows_the_page(difference, "diff", &[]));
    let textures = folder.fine(&["textures", "document.aem", "textures", "--json"]).json_lines();
    assert_eq!(textures.len(), 3);
    for texture in &textures {
        follows_the_page(texture, "textures", &[]);
        texture["uses"].as_array().unwrap().iter().for_each(|it| follows_the_page(it, "texture use", &[]));
    }
    let listed = folder.fine(&["formats", "--json"]).json_lines();
    for format in listed[0].as_array().unwrap() {
        follows_the_page(format, "formats", &[]);
        follows_the_page(&format["holds"], "holds", &[]);
        follows_the_page(&format["dialects"][0], "dialect", &[]);
    }
}
