//! `maquette render` as people use it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;
mod schema;

use folder::Folder;
use schema::Schema;
use serde_json::json;

fn with_models() -> Folder {
    let folder = Folder::new();
    for name in ["post.glb", "post.aem", "boat.aem", "sway.seanim"] {
        folder.fine(&["sample", name]);
    }
    folder
}

/// Width and height of a PNG file.
fn size(png: &[u8]) -> [u32; 2] {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn a_picture_has_the_size_that_is_asked_for_and_is_the_same_for_any_number_of_threads() {
    let folder = with_models();
    let run = folder.fine(&["render", "post.glb", "-o", "post.png", "--size", "96x64"]);
    assert_eq!(size(&folder.read("post.png")), [96, 64]);
    assert!(run.err.contains("wrote post.png") && run.out.is_empty(), "{}", run.err);
    for threads in ["1", "2", "5"] {
        let name = format!("{threads}.png");
        let mut command = folder.command(&["render", "post.glb", "-o", &name, "--size", "96x64"]);
        assert!(command.env("RAYON_NUM_THREADS", threads).status().unwrap().success());
        assert!(folder.read(&name) == folder.read("post.png"), "{threads} threads");
    }
}

#[test]
fn every_mode_view_curve_and_overlay_makes_a_picture_of_its_own() {
    let folder = with_models();
    let mut seen = std::collections::HashMap::new();
    let mut draw = |words: &[&str]| {
        folder.fine(&[&["render", "post.glb", "-o", "one.png", "--size", "64"], words].concat());
        let other = seen.insert(folder.read("one.png"), words.join(" "));
        assert_eq!(other, None, "the same as {words:?}");
    };
    for mode in [
        "shaded",
        "base-color",
        "opacity",
        "normal-map",
        "roughness",
        "occlusion",
        "metalness",
        "emissive",
        "position",
        "normal",
        "tangent",
        "bitangent",
        "uv-checker",
        "weights",
        "influences",
        "wireframe",
        "overdraw",
        "texel-density",
    ] {
        // What is black or white everywhere is told apart by its background.
        draw(&[
            "--mode",
            mode,
            "--background",
            &format!("#0000{:02x}", mode.len() * 9 + usize::from(mode.as_bytes()[0]) % 9),
        ]);
    }
    for view in ["front", "back", "left", "right", "top", "iso"] {
        draw(&["--view", view]);
    }
    for curve in ["linear", "srgb", "reinhard", "reinhard-x", "filmic"] {
        draw(&["--tone-map", curve]);
    }
    for overlay in ["--skeleton", "--grid", "--bounds", "--axes"] {
        draw(&[overlay]);
    }
    draw(&["--orbit", "-100,40"]);
    draw(&["--fov", "0"]);
    draw(&["--exposure", "-1"]);
    draw(&["--samples", "8"]);
    draw(&["--background", "transparent"]);
    draw(&["--clip", "sway", "--time", "0.5"]);
    draw(&["--clip", "sway", "--time", "0.5", "--fit", "clip"]);
}

#[test]
fn clips_alone_want_a_model() {
    let folder = with_models();
    let run = folder.run(&["render", "sway.seanim", "-o", "sway.png"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("holds clips alone") && run.err.contains("--on"), "{}", run.err);
    assert!(!folder.0.path().join("sway.png").exists());
    let run = folder.run(&["render", "post.glb", "sway.seanim", "-o", "pictures", "--size", "32"]);
    assert!(run.code == 2 && run.err.contains("1 drawn, 1 failed"), "{}", run.err);
}

#[test]
fn many_files_sheets_and_what_moves() {
    let folder = with_models();
    let run = folder.fine(&["render", "post.glb", "boat.aem", "-o", "pictures", "--size", "32"]);
    assert!(run.err.contains("2 drawn, 0 failed"), "{}", run.err);
    let told = ["post.png", "boat.png"].map(|name| run.err.find(name));
    assert!(told[0].is_some() && told[0] < told[1], "told in the order of the files: {}", run.err);
    assert!(["post.png", "boat.png"].iter().all(|name| size(&folder.read(&format!("pictures/{name}"))) == [32, 32]));
    folder.fine(&["render", "post.glb", "--frames", "4", "-o", "walk.png", "--size", "32"]);
    let frames = ["walk.0001.png", "walk.0002.png", "walk.0004.png"].map(|name| folder.read(name));
    assert!(frames[0] != frames[1] && frames.iter().all(|frame| size(frame) == [32, 32]));
    folder.fine(&["render", "post.glb", "--sheet", "--frames", "4", "--size", "64", "-o", "sheet.png"]);
    assert_eq!(size(&folder.read("sheet.png"))[0], 4 * (64 + 8) + 8);
    folder.fine(&["render", "post.glb", "post.aem", "--sheet", "--columns", "1", "--size", "64", "-o", "both.png"]);
    assert_eq!(size(&folder.read("both.png"))[0], 64 + 16);
    for (name, start) in [("t.gif", &b"GIF89a"[..]), ("t.webp", b"RIFF"), ("t.png", b"\x89PNG")] {
        folder.fine(&["render", "post.glb", "--turntable", name, "--frames", "5", "--size", "32"]);
        assert!(folder.read(name).starts_with(start));
    }
    folder.fine(&["render", "sway.seanim", "--on", "post.glb", "--frames", "4", "-o", "on.webp", "--size", "32"]);
    assert!(folder.read("on.webp").starts_with(b"RIFF"));
    let printed = folder.fine(&["render", "post.glb", "-o", "-", "--size", "16"]);
    assert_eq!(size(&printed.raw), [16, 16]);
    let shown = folder.fine(&["render", "post.glb", "--size", "16", "--terminal", "kitty"]);
    assert!(shown.raw.starts_with(b"\x1b_Ga=T"));
}

#[test]
fn models_that_look_alike_are_told_from_others() {
    let folder = with_models();
    folder.fine(&["convert", "post.glb", "small.glb", "--scale", "0.9"]);
    let words = ["--size", "128", "-o", "beside.png"];
    let run = folder.fine(&[&["render", "post.glb", "--compare", "post.glb", "--threshold", "1"], &words[..]].concat());
    assert!(run.out.starts_with("alike: SSIM 1.0000, 0 of 16384 pixels differ"), "{}", run.out);
    assert_eq!(size(&folder.read("beside.png"))[0], 3 * (128 + 8) + 8);
    let run = folder.run(&["render", "post.glb", "--compare", "small.glb", "--size", "128"]);
    assert!(run.code == 1 && run.out.starts_with("not alike: SSIM 0."), "{}", run.out);
}

#[test]
fn what_cannot_be_drawn_is_said_and_nothing_is_written() {
    let folder = with_models();
    folder.write("text.png", b"no picture");
    folder.write("stranger", b"?");
    let files = folder.files().len();
    for (words, said) in [
        (&["post.glb", "-o", "text.png"][..], "no such picture"),
        (&["post.glb", "-o", "out.jpg"], "does not end in .png"),
        (&["post.glb", "-o", "out.gif"], "--frames"),
        (&["post.glb"], "name a file with -o"),
        (&["post.glb", "post.aem", "-o", "out.png"], "cannot become one picture"),
        (&["post.glb", "-o", "out.png", "--clip", "nothing"], "has no clip called nothing"),
        (&["post.glb", "-o", "out.png", "--time", "99"], "no moment"),
        (&["post.glb", "-o", "out.png", "--time", "-1"], "no moment"),
        (&["post.glb", "-o", "out.png", "--size", "0"], "--size"),
        (&["post.glb", "-o", "out.png", "--size", "99999"], "--size"),
        (&["post.glb", "-o", "out.png", "--mode", "pretty"], "--mode"),
        (&["post.glb", "-o", "out.png", "--orbit", "1"], "--orbit"),
        (&["post.glb", "--turntable", "out.bmp"], ".webp"),
        (&["post.glb", "--sheet", "--frames", "5000", "--size", "4096", "-o", "out.png"], "no room"),
        (&["stranger", "-o", "out.png"], "stranger"),
        (&["nowhere.glb", "-o", "out.png"], "nowhere.glb"),
        (&["post.glb", "--on", "post.aem", "-o", "deep/out.png", "--clip", "x"], "x"),
    ] {
        let run = folder.run(&[&["render"], words].concat());
        assert!(run.code == 2 && run.err.contains(said), "{words:?}: {} {}", run.code, run.err);
        assert_eq!(folder.files().len(), files, "{words:?}");
    }
    assert_eq!(folder.read("text.png"), b"no picture");
}

#[test]
fn a_small_file_that_comes_to_too_much_is_refused() {
    let folder = Folder::new();
    let nodes: Vec<_> = (0..400).map(|_| json!({ "mesh": 0 })).collect();
    let crowd = json!({
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": (0..400).collect::<Vec<_>>() }],
        "nodes": nodes,
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        // Without a buffer they are all 0.
        "accessors": [{ "componentType": 5126, "type": "VEC3", "count": 60_000, "min": [0, 0, 0], "max": [0, 0, 0] }],
    });
    folder.write("crowd.gltf", crowd.to_string().as_bytes());
    let run = folder.run(&["render", "crowd.gltf", "-o", "out.png"]);
    assert!(run.code == 2 && run.err.contains("comes to 24000000 vertices"), "{} {}", run.code, run.err);
    assert_eq!(folder.files().len(), 1);
}

#[test]
fn json_follows_its_schema() {
    let folder = with_models();
    let mut schema = Schema::of("render");
    for words in [
        &["post.glb", "-o", "a.png"][..],
        &["post.glb", "--frames", "2", "-o", "a.png"],
        &["post.glb", "--turntable", "a.gif", "--frames", "2"],
        &["post.glb", "--sheet", "-o", "a.png"],
        &["post.glb", "nowhere.glb", "-o", "folder/"],
        &["post.glb", "--compare", "post.aem"],
    ] {
        let lines = folder.run(&[&["render", "--json", "--size", "16"], words].concat()).json_lines();
        assert!(!lines.is_empty(), "{words:?}");
        for line in lines {
            schema.holds(&line).unwrap_or_else(|why| panic!("{why}\nin {line}"));
        }
    }
    assert_eq!(schema.unseen(), [""; 0]);
}
