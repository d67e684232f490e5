//! What a conversion writes, and where: companion files, standard output, clips that are added, scenes that are too large.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::Folder;
use serde_json::Value;
use std::collections::BTreeMap;

/// How many files lie in a folder.
fn count(folder: &Folder, name: &str) -> usize {
    std::fs::read_dir(folder.0.path().join(name)).unwrap().count()
}

#[test]
fn models_of_a_list_never_share_companion_files() {
    let folder = Folder::new();
    // The clip "walk" of the one and the only clip of the other would both be post.walk.pani, and so on.
    folder.fine(&["sample", "walk.seanim"]);
    folder.fine(&["sample", "plain.glb"]);
    folder.fine(&["convert", "plain.glb", "post.glb", "--clip", "walk.seanim"]);
    for name in ["post.walk.glb", "post.checker.glb", "post.sway.glb"] {
        folder.fine(&["convert", "plain.glb", name, "--scale", "2"]);
    }
    let names = ["post", "post.walk", "post.checker", "post.sway"];
    folder.write("all.lst", names.map(|name| format!("{name}.glb")).join(" ").as_bytes());
    for format in ["pmdl", "bmw"] {
        folder.fine(&["convert", "--list", "all.lst", format, "--to", format]);
        let mut alone = 0;
        for name in names {
            let own = format!("{format}-{name}");
            folder.fine(&["convert", &format!("{name}.glb"), &format!("{own}/{name}.{format}")]);
            alone += count(&folder, &own);
            // Each model is what it is by itself, but for a clip or a picture that is known by the name of its file.
            let run = folder.run(&["diff", &format!("{own}/{name}.{format}"), &format!("{format}/{name}.{format}")]);
            assert!(
                run.code < 2
                    && run
                        .out
                        .lines()
                        .all(|line| ["clip names", "image names"].iter().any(|what| line.starts_with(what))),
                "{format}: {}",
                run.out
            );
        }
        assert_eq!(count(&folder, format), alone, "{format}: as many files as in folders of their own");
    }
}

#[test]
fn a_second_run_writes_the_same_files() {
    let folder = Folder::new();
    folder.fine(&["sample", "walk.seanim"]);
    folder.fine(&["sample", "plain.glb"]);
    folder.fine(&["convert", "plain.glb", "post.glb", "--clip", "walk.seanim"]);
    for (output, dialect) in [("o/post.pmdl", "engine"), ("o/post.bmw", "document"), ("o/post.gltf", "text")] {
        let words = ["convert", "post.glb", output, "--dialect", dialect, "--force"];
        folder.fine(&words);
        let contents = || {
            let names = std::fs::read_dir(folder.0.path().join("o")).unwrap().map(|entry| entry.unwrap().path());
            names.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect::<BTreeMap<_, _>>()
        };
        let first = contents();
        folder.fine(&words);
        assert_eq!(contents().into_keys().collect::<Vec<_>>(), first.keys().cloned().collect::<Vec<_>>(), "{output}");
        assert!(contents() == first, "{output}: other bytes");
    }
}

#[test]
fn several_files_do_not_go_to_standard_output() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    let before = folder.files();
    for words in [&["--to", "gltf", "--dialect", "text"][..], &["--to", "bmw"], &["--to", "pmdl"]] {
        let run = folder.run(&[&["convert", "post.glb", "-"], words].concat());
        assert_eq!((run.code, run.raw.len()), (2, 0), "{words:?}: {}", run.err);
        assert!(run.err.contains("is several files"), "{}", run.err);
        let alternative = if words.contains(&"gltf") { "--dialect binary is one file" } else { "name an output file" };
        assert!(run.err.contains(alternative), "{}", run.err);
    }
    assert_eq!(folder.files(), before);
    // Standard output is the file's: what is said about it goes to standard error, as JSON too.
    let run = folder.fine(&["convert", "post.glb", "-", "--to", "aem", "--json"]);
    assert!(run.raw.starts_with(b"AEM"));
    let report: Value = serde_json::from_str(run.err.trim()).unwrap();
    assert_eq!((&report["output"], &report["written"]), (&"-".into(), &true.into()));
}

/// What was lost, and of what.
fn losses(line: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    line["losses"].as_array().unwrap().iter().map(|loss| (text(&loss["what"]), text(&loss["subject"]))).collect()
}

#[test]
fn what_a_clip_or_a_material_alone_cannot_hold_is_named() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    for (output, gone) in [
        ("post.pani", &["meshes", "materials", "images", "hierarchy", "bind poses", "node names"][..]),
        ("post.pmat", &["meshes", "skins", "nodes", "clips"]),
        ("post.seanim", &["meshes", "materials", "images"]),
    ] {
        let strict = folder.run(&["convert", "post.glb", output, "--strict"]);
        assert_eq!(strict.code, 1, "{output}: {}", strict.err);
        assert!(!folder.files().contains(&output.into()));
        let line = folder.fine(&["convert", "post.glb", output, "--json"]).json_lines().remove(0);
        let named = losses(&line);
        for what in gone {
            assert!(named.iter().any(|(named, _)| named == what), "{output}: {what} is not among {named:?}");
        }
    }
}

fn clips(folder: &Folder, file: &str) -> Vec<String> {
    let info = folder.fine(&["info", "--json", file]).json_lines().remove(0);
    info["clips"].as_array().unwrap().iter().map(|clip| clip["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_clip_that_is_added_is_not_selected_away() {
    let folder = Folder::new();
    folder.fine(&["sample", "walk.seanim"]);
    folder.fine(&["sample", "plain.glb"]);
    folder.fine(&["convert", "plain.glb", "two.glb", "--clip", "walk.seanim"]);
    folder.fine(&["convert", "two.glb", "sway.glb", "--select", "sway"]);
    assert_eq!(clips(&folder, "sway.glb"), ["sway"]);
    folder.fine(&["convert", "plain.glb", "both.glb", "--select", "sway", "--clip", "walk.seanim"]);
    assert_eq!(clips(&folder, "both.glb"), ["sway", "walk"]);
}

#[test]
fn a_clip_that_moves_no_bone_is_an_error() {
    let folder = Folder::new();
    folder.fine(&["sample", "walk.seanim"]);
    folder.fine(&["sample", "plain.glb"]);
    let mut bytes = folder.read("walk.seanim");
    for bone in ["base", "middle", "tip"] {
        let name = [bone.as_bytes(), b"\0"].concat();
        let at = bytes.windows(name.len()).position(|window| window == name).unwrap();
        bytes[at] = b'X';
    }
    folder.write("stranger.seanim", &bytes);
    let run = folder.run(&["convert", "plain.glb", "out.glb", "--clip", "stranger.seanim"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("stranger"), "{}", run.err);
    assert!(!folder.files().contains(&"out.glb".into()));
}

#[test]
fn companion_files_of_ones_own_are_replaced_and_those_of_others_are_not() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    for (output, companion) in [("out.pmdl", "out.pani"), ("out.bmw", "out.json"), ("out.gltf", "out.bin")] {
        let own = format!("own/{output}");
        folder.fine(&["convert", "post.glb", &own, "--scale", "2"]);
        folder.fine(&["convert", "post.glb", &own]);
        folder.fine(&["convert", "post.glb", &format!("fresh/{output}")]);
        let [replaced, fresh] = ["own", "fresh"].map(|place| folder.read(&format!("{place}/{companion}")));
        assert_eq!(replaced, fresh, "{output}");
        for place in ["own", "fresh"] {
            std::fs::remove_dir_all(folder.0.path().join(place)).unwrap();
        }
    }
    // This one is not named after its file, and may be anybody's.
    folder.fine(&["sample", "from/m.gltf"]);
    std::fs::create_dir(folder.0.path().join("to")).unwrap();
    let picture = "maquette-checker.png";
    folder.write(&format!("to/{picture}"), b"mine");
    let run = folder.run(&["convert", "from/m.gltf", "to/copy.gltf"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains(picture) && run.err.contains("--force"), "{}", run.err);
    assert_eq!((folder.read(&format!("to/{picture}")).as_slice(), count(&folder, "to")), (&b"mine"[..], 1));
    folder.fine(&["convert", "from/m.gltf", "to/copy.gltf", "--force"]);
    assert_eq!(folder.read(&format!("to/{picture}")), folder.read(&format!("from/{picture}")));
}

#[test]
fn companions_are_ones_own_by_name_unless_another_model_has_the_same() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    for alone in ["alone", "shared"] {
        std::fs::create_dir(folder.0.path().join(alone)).unwrap();
        folder.write(&format!("{alone}/out.bin"), b"whoever made it");
    }
    folder.write("shared/out.bmw", b"another model");
    folder.fine(&["convert", "post.glb", "alone/out.gltf"]);
    assert_ne!(folder.read("alone/out.bin"), b"whoever made it");
    let run = folder.run(&["convert", "post.glb", "shared/out.gltf"]);
    assert!(run.code == 2 && run.err.contains("out.bin") && run.err.contains("--force"), "{}", run.err);
    assert_eq!((folder.read("shared/out.bin").as_slice(), count(&folder, "shared")), (&b"whoever made it"[..], 2));
    folder.fine(&["convert", "post.glb", "shared/out.gltf", "--force"]);
    assert_eq!(folder.read("shared/out.bin"), folder.read("alone/out.bin"));
}

#[test]
fn what_a_gltf_file_lacks_is_reported() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    folder.fine(&["convert", "post.glb", "post.gltf"]);
    let (picture, buffer) = ("post.checker.png", "post.bin");
    std::fs::remove_file(folder.0.path().join(picture)).unwrap();
    for output in ["made.glb", "made/copy.gltf"] {
        let line = folder.fine(&["convert", "post.gltf", output, "--json"]).json_lines().remove(0);
        let told = line["losses"].to_string();
        assert!(told.contains(picture) && told.contains("is not there"), "{output}: {told}");
        assert_eq!(folder.run(&["convert", "post.gltf", "strict.glb", "--strict"]).code, 1);
    }
    std::fs::remove_file(folder.0.path().join(buffer)).unwrap();
    let line = folder.fine(&["convert", "post.gltf", "made/again.gltf", "--json"]).json_lines().remove(0);
    assert!(line["losses"].to_string().contains(buffer), "{line}");
    let run = folder.run(&["convert", "post.gltf", "made.aem"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains(buffer), "{}", run.err);
}

#[test]
fn files_of_a_list_end_as_their_dialect_does() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.aem"]);
    folder.write("all.lst", b"post.aem");
    for (dialect, ending) in [("text", "gltf"), ("binary", "glb")] {
        folder.fine(&["convert", "--list", "all.lst", dialect, "--to", "gltf", "--dialect", dialect]);
        let names = std::fs::read_dir(folder.0.path().join(dialect)).unwrap();
        let mut names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert!(names.any(|name| name == format!("post.{ending}")), "{dialect}");
    }
}

#[test]
fn a_scale_beyond_what_singles_hold_is_refused() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    for output in ["out.glb", "out.gltf", "out.aem", "out.nlm", "out.pmdl", "out.bmw", "out.seanim", "out.pani"] {
        let run = folder.run(&["convert", "post.glb", output, "--scale", "3e38"]);
        assert_eq!(run.code, 2, "{output}: {}", run.err);
        assert!(run.err.starts_with("error: ") && run.err.contains("finite"), "{output}: {}", run.err);
    }
    assert_eq!(folder.files(), ["post.glb"]);
}

#[test]
fn what_an_output_is_made_from_is_not_replaced_by_it() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.glb"]);
    folder.fine(&["convert", "a.glb", "o.gltf"]);
    std::fs::rename(folder.0.path().join("o.gltf"), folder.0.path().join("in.gltf")).unwrap();
    let before = folder.read("o.bin");
    let run = folder.run(&["convert", "--scale", "2", "in.gltf", "o.gltf"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("o.bin belongs to in.gltf"), "{}", run.err);
    assert_eq!((folder.read("o.bin"), folder.0.path().join("o.gltf").exists()), (before, false));
    let picture = folder.files().into_iter().find(|name| name.to_string_lossy().ends_with(".png")).unwrap();
    assert_eq!(folder.run(&["convert", "--to", "aem", "in.gltf", picture.to_str().unwrap()]).code, 2);
    folder.fine(&["convert", "--scale", "2", "in.gltf", "o.gltf", "--force"]);
    // In its own place a file takes its companion files with it.
    folder.fine(&["convert", "--scale", "2", "o.gltf", "o.gltf"]);
}

#[test]
fn a_report_replaces_nothing_but_a_report() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.glb"]);
    folder.write("mine.json", br#"{ "mine": true }"#);
    let before = folder.files();
    for (output, report) in
        [("o.aem", "a.glb"), ("o.aem", "./o.aem"), ("o.gltf", "o.bin"), ("x.bmw", "x.json"), ("o.aem", "mine.json")]
    {
        let run = folder.run(&["convert", "a.glb", output, "--report", report]);
        assert_eq!((run.code, folder.files()), (2, before.clone()), "{report}: {}", run.err);
    }
    folder.write("a.lst", b"a.glb");
    let run = folder.run(&["convert", "--list", "a.lst", ".", "--to", "nlm", "--report", "a.glb"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(folder.read("a.glb").starts_with(b"glTF"));
    for _ in 0..2 {
        folder.fine(&["convert", "a.glb", "o.aem", "--report", "losses.json"]);
        folder.fine(&["convert", "--list", "a.lst", "all", "--report", "losses.json"]);
    }
    folder.fine(&["convert", "a.glb", "o.aem", "--report", "mine.json", "--force"]);
}

#[test]
fn clips_with_long_names_that_begin_alike_get_files_of_their_own() {
    let folder = Folder::new();
    folder.fine(&["sample", "plain.glb"]);
    for (name, ending) in [("one", "x"), ("other", "y")] {
        let long = format!("{}{ending}.seanim", "x".repeat(200));
        folder.fine(&["sample", "walk.seanim"]);
        std::fs::rename(folder.0.path().join("walk.seanim"), folder.0.path().join(&long)).unwrap();
        let from = if name == "one" { "plain.glb" } else { "one.glb" };
        folder.fine(&["convert", from, &format!("{name}.glb"), "--clip", &long]);
    }
    folder.fine(&["convert", "other.glb", "--each-clip", "each/c.seanim"]);
    assert_eq!(count(&folder, "each"), 3);
    folder.fine(&["convert", "other.glb", "model/c.pmdl", "--dialect", "engine"]);
}

#[test]
fn a_small_file_does_not_become_a_huge_one_unless_asked() {
    let folder = Folder::new();
    let nodes = vec![r#"{ "mesh": 0 }"#; 40].join(",");
    let roots: Vec<String> = (0..40).map(|root| root.to_string()).collect();
    let text = format!(
        r#"{{ "asset": {{ "version": "2.0" }}, "scene": 0, "scenes": [{{ "nodes": [{}] }}], "nodes": [{nodes}],
            "meshes": [{{ "primitives": [{{ "attributes": {{ "POSITION": 0 }} }}] }}],
            "accessors": [{{ "componentType": 5126, "count": 999999, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0] }}] }}"#,
        roots.join(",")
    );
    folder.write("bomb.gltf", text.as_bytes());
    for output in ["a.aem", "a.nlm", "a.pmdl"] {
        let run = folder.run(&["convert", "bomb.gltf", output]);
        assert_eq!((run.code, folder.files().len()), (2, 1), "{output}: {}", run.err);
        assert!(run.err.contains("39999960 vertices") && run.err.contains("--max-vertices"), "{}", run.err);
    }
    let info = folder.fine(&["info", "--json", "bomb.gltf"]).json_lines().remove(0);
    assert_eq!(info["drawn_bounds"], Value::Null);
    folder.fine(&["convert", "bomb.gltf", "a.glb"]);
    folder.fine(&["sample", "post.glb"]);
    assert_eq!(folder.run(&["convert", "post.glb", "a.aem", "--max-vertices", "3"]).code, 0, "nothing is repeated");
    let run = folder.run(&["convert", "post.glb", "b.aem", "--max-pixels", "3"]);
    assert!(run.code == 2 && run.err.contains("--max-pixels") && run.err.contains("--max-size"), "{}", run.err);
    assert!(!folder.files().contains(&"b.aem".into()));
    folder.fine(&["convert", "post.glb", "b.aem", "--max-pixels", "3", "--max-size", "1"]);
    let run = folder.run(&["convert", "post.glb", "c.aem", "--max-tracks", "2"]);
    assert!(
        run.code == 2 && run.err.contains("--max-tracks") && !folder.files().contains(&"c.aem".into()),
        "{}",
        run.err
    );
    folder.fine(&["convert", "a.aem", "b.aem", "--max-pixels", "3", "--dialect", "wide", "--force"]);
}

#[test]
fn a_picture_beyond_what_is_decoded_is_an_error_and_a_broken_one_a_loss() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.gltf"]);
    let names = || folder.files().iter().map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>();
    let picture = names().into_iter().find(|name| name.ends_with(".png")).unwrap();
    // A grey JPEG of 65535 × 65535 pixels, of which there is a header.
    let mut jpeg = vec![0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0];
    jpeg.extend([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
    folder.write(&picture, &jpeg);
    let run = folder.run(&["convert", "post.gltf", "a.aem"]);
    assert!(run.code == 0 && run.err.contains("dropped textures"), "{}", run.err);
    jpeg.resize(600_000, 0);
    folder.write(&picture, &jpeg);
    for arguments in [&["convert", "post.gltf", "b.aem"][..], &["convert", "post.gltf", "b.glb", "--max-size", "16"]] {
        let run = folder.run(arguments);
        assert_eq!(run.code, 2, "{}", run.err);
        for word in ["image \"", "65535 × 65535", "268435456", "smaller"] {
            assert!(run.err.contains(word), "{word}: {}", run.err);
        }
        assert!(!names().iter().any(|name| name.starts_with("b.")));
    }
    folder.fine(&["convert", "post.gltf", "c.glb"]);
}

#[test]
fn a_tolerance_is_a_distance() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    for tolerance in ["nan", "inf", "-1", "near"] {
        let run = folder.run(&["convert", "post.glb", "c.aem", "--tolerance", tolerance]);
        assert!(run.code == 2 && run.err.contains("--tolerance"), "{tolerance}: {}", run.err);
    }
    folder.fine(&["convert", "post.glb", "d.aem", "--tolerance", "0"]);
}
