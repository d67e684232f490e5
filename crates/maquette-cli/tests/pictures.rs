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
        folder.fine(&["render", "post.glb", "-o", &name, "--size", "96x64", "--threads", threads]);
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
fn clips_alone_are_crosses_and_say_how_to_see_more() {
    let folder = with_models();
    let run = folder.fine(&["render", "sway.seanim", "-o", "sway.png", "--size", "64"]);
    assert!(run.err.contains("note: sway.seanim holds clips alone") && run.err.contains("--on"), "{}", run.err);
    let json = folder.fine(&["render", "sway.seanim", "-o", "sway.png", "--size", "64", "--json"]).json_lines();
    assert_eq!((json[0]["notes"].as_array().unwrap().len(), json[0]["warnings"].as_array().unwrap().len()), (1, 0));
    assert!(!is_plain(&folder.read("sway.png")), "something is drawn");
    folder.fine(&["render", "post.glb", "sway.seanim", "-o", "pictures", "--size", "32"]);
}

/// Whether a picture has one colour.
fn is_plain(png: &[u8]) -> bool {
    let picture = maquette::texture::decode::decode(png).unwrap();
    picture.constant().is_some()
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
fn moments_of_several_files_are_rows_of_a_sheet_and_a_failure_has_its_cells() {
    let folder = with_models();
    folder.write("broken.glb", b"glTF?");
    let files = ["post.glb", "broken.glb", "post.aem"];
    let words = ["--sheet", "--frames", "2", "--size", "64", "-o", "rows.png", "--background", "#000"];
    let run = folder.run(&[&["render"], &files[..], &words].concat());
    assert!(run.code == 2 && run.err.matches("broken.glb").count() == 1, "{}", run.err);
    assert_eq!(size(&folder.read("rows.png")), [2 * (64 + 8) + 8, 3 * (64 + 12 + 8) + 8]);
    let picture = maquette::texture::decode::decode(&folder.read("rows.png")).unwrap();
    assert_eq!(picture.pixels()[0], [0, 0, 0, 255], "the border is as the background");
}

#[test]
fn a_folder_stands_for_the_models_in_it() {
    let folder = with_models();
    std::fs::create_dir(folder.0.path().join("models")).unwrap();
    for name in ["models/a.glb", "models/a.aem", "models/b.seanim"] {
        folder.fine(&["sample", name]);
    }
    folder.write("models/notes.txt", b"no model");
    let run = folder.fine(&["render", "models", "-o", "out/", "--size", "32", "--time", "0"]);
    assert!(run.err.contains("2 drawn, 0 failed"), "{}", run.err);
    assert_eq!([size(&folder.read("out/a.glb.png")), size(&folder.read("out/a.aem.png"))], [[32, 32]; 2]);
    let run = folder.pipe(&["render", "-", "-o", "piped/", "--size", "32"], &folder.read("post.glb"));
    assert!(run.code == 0 && run.err.contains("stdin.png"), "{}", run.err);
}

#[test]
fn a_film_is_as_long_as_its_clip_and_a_turntable_plays_it() {
    let folder = with_models();
    // The clip of the sample takes two seconds: 150 pictures are too many for a GIF.
    folder.fine(&["render", "post.glb", "--frames", "150", "-o", "sway.gif", "--size", "16"]);
    let gif = folder.read("sway.gif");
    // A control block of a picture: where its length in hundredths stands.
    let delays = gif.windows(8).filter(|block| block.starts_with(&[0x21, 0xf9, 4]) && block[7] == 0);
    let delays: Vec<u32> = delays.map(|block| u32::from(u16::from_le_bytes([block[4], block[5]]))).collect();
    assert_eq!((delays.iter().sum::<u32>(), delays.iter().min()), (200, Some(&2)));
    let words = ["render", "post.glb", "--frames", "6", "--size", "32", "--turntable"];
    folder.fine(&[&words[..], &["still.webp"]].concat());
    folder.fine(&[&words[..], &["moving.webp", "--clip", "sway"]].concat());
    folder.fine(&[&words[..], &["moment.webp", "--clip", "sway", "--time", "0"]].concat());
    let [still, moving, moment] = ["still.webp", "moving.webp", "moment.webp"].map(|name| folder.read(name));
    assert!(moving != still && moving != moment);
}

#[test]
fn warnings_are_in_json_and_strict_counts_them() {
    let folder = with_models();
    folder.fine(&["sample", "post.gltf", "--dialect", "text"]);
    let text = String::from_utf8(folder.read("post.gltf")).unwrap();
    let instanced = text.replacen('{', "{\"extensionsUsed\":[\"EXT_mesh_gpu_instancing\"],", 1);
    folder.write("many.gltf", instanced.as_bytes());
    let run = folder.run(&["render", "many.gltf", "-o", "many.png", "--size", "32", "--json", "--strict"]);
    let json = run.json_lines();
    assert!(run.code == 1 && json[0]["warnings"][0].as_str().unwrap().contains("EXT_mesh_gpu_instancing"), "{json:?}");
    assert!(run.err.contains("warning: many.gltf"), "{}", run.err);
    // A triangle without any area, whose corners are all at the origin.
    let zeros = "A".repeat(48);
    let nothing = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"bufferViews":[{{"buffer":0,"byteLength":36}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}}],
        "buffers":[{{"byteLength":36,"uri":"data:application/octet-stream;base64,{zeros}"}}]}}"#
    );
    folder.write("nothing.gltf", nothing.as_bytes());
    let run = folder.run(&["render", "nothing.gltf", "-o", "nothing.png", "--size", "32", "--json", "--strict"]);
    let json = run.json_lines();
    assert!(run.code == 1 && json[0]["warnings"][0].as_str().unwrap().contains("nothing is to be seen"), "{json:?}");
    let run =
        folder.run(&["render", "post.glb", "-o", "a.png", "--mode", "emissive", "--exposure", "1", "--size", "16"]);
    assert!(run.err.contains("--mode shaded"), "{}", run.err);
    let run = folder.fine(&["render", "post.glb", "-o", "a.png", "--clip", "*", "--size", "16"]);
    assert!(!run.err.contains("of 1 clips"), "{}", run.err);
}

#[test]
fn bones_that_are_but_numbers_are_matched_by_them() {
    let folder = with_models();
    folder.fine(&["convert", "post.glb", "post.pmdl"]);
    let pani = folder.files().into_iter().find(|name| name.to_string_lossy().ends_with(".pani")).unwrap();
    // Beside no model of its name.
    folder.write("other.pani", &folder.read(&pani));
    let run =
        folder.fine(&["render", "other.pani", "--on", "post.pmdl", "--time", "0.5", "-o", "a.png", "--size", "64"]);
    assert!(run.err.contains("matched by their numbers"), "{}", run.err);
    for words in [
        &["convert", "post.pmdl", "x.glb", "--clip", "other.pani"][..],
        &["clip", "apply", "post.pmdl", "other.pani", "-o", "y.glb"],
    ] {
        let run = folder.fine(words);
        assert!(run.err.contains("note: the bones of clip"), "{words:?}: {}", run.err);
    }
    folder.fine(&["render", "post.pmdl", "--clip", "*", "--time", "0.5", "-o", "b.png", "--size", "64"]);
    assert!(folder.read("a.png") == folder.read("b.png"));
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
    // Seen alike from either side: both are in the picture.
    let other = folder.run(&["render", "small.glb", "--compare", "post.glb", "--size", "128"]);
    assert_eq!(run.out, other.out);
    let json = folder.fine(&["render", "post.glb", "--compare", "post.glb", "--json", "--size", "64"]).json_lines();
    assert_eq!(json[0]["ssim"], 1.0);
}

#[test]
fn what_cannot_be_drawn_is_said_and_nothing_is_written() {
    let folder = with_models();
    folder.write("text.png", b"no picture");
    folder.write("stranger", b"?");
    let files = folder.files().len();
    for (words, said) in [
        (&["post.glb", "-o", "text.png"][..], "no such picture"),
        (&["post.glb", "-o", "out.mp4"], ".gif, .webp or .apng"),
        (&["post.glb", "-o", "out"], "out.png is a picture, out/ is a folder"),
        (&["post.glb", "--sheet", "--frames", "3", "-o", "out.gif"], "do not move"),
        (&["post.glb", "--compare", "post.aem", "-o", "out.gif"], "do not move"),
        (&["post.glb", "--compare", "post.aem", "-o", "out/"], "name a .png in it"),
        (&["post.glb", "--compare", "post.aem", "--frames", "2"], "--frames"),
        (&["post.glb", "-o", "-", "--json"], "not both"),
        (&["post.glb", "-o", "out.png", "--time", "0", "--frames", "2"], "leave one of them out"),
        (&["post.glb", "--sheet", "--time", "0", "-o", "out.png"], "leave --time out"),
        (&["post.glb", "-o", "out.png", "--fps", "3"], "--fps is for what moves"),
        (&["post.glb", "-o", "out.png", "--fit", "clip"], "name it with --clip"),
        (&["post.glb", "-o", "out.png", "--bone-map", "x"], "--on"),
        (&["post.glb", "-o", "out.png", "--terminal", "kitty"], "leave -o"),
        (&["nowhere.glb", "gone.glb", "--sheet", "-o", "out.png"], "none of the 2 files"),
        (&["sway.seanim", "--on", "boat.aem", "--strip-prefix", "?", "--clip", "y", "-o", "out.png"], "called y"),
        (&["post.glb", "-o", "out.gif"], "--frames"),
        (&["post.glb"], "name a file with -o"),
        (&["post.glb", "post.aem", "-o", "out.png"], "cannot become one picture"),
        (&["post.glb", "-o", "out.png", "--clip", "nothing"], "has no clip called nothing"),
        (&["post.glb", "-o", "out.png", "--time", "99"], "no moment"),
        (&["post.glb", "-o", "out.png", "--time", "-1"], "no moment"),
        (&["post.glb", "-o", "out.png", "--size", "0"], "--size"),
        (&["post.glb", "-o", "out.png", "--size", "99999"], "--size"),
        (&["post.glb", "-o", "out.png", "--size", "-5"], "write a size such as 512"),
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
    folder.fine(&["sample", "post.gltf", "--dialect", "text"]);
    let text = String::from_utf8(folder.read("post.gltf")).unwrap();
    folder.write("many.gltf", text.replacen('{', "{\"extensionsUsed\":[\"EXT_x\"],", 1).as_bytes());
    let mut schema = Schema::of("render");
    for words in [
        &["post.glb", "-o", "a.png"][..],
        &["post.glb", "--frames", "2", "-o", "a.png"],
        &["post.glb", "--turntable", "a.gif", "--frames", "2"],
        &["post.glb", "--sheet", "-o", "a.png"],
        &["post.glb", "nowhere.glb", "-o", "folder/"],
        &["post.glb", "--compare", "post.aem"],
        &["sway.seanim", "-o", "a.png"],
        &["many.gltf", "-o", "a.png"],
        &["many.gltf", "--compare", "sway.seanim"],
    ] {
        let lines = folder.run(&[&["render", "--json", "--size", "16"], words].concat()).json_lines();
        assert!(!lines.is_empty(), "{words:?}");
        for line in lines {
            schema.holds(&line).unwrap_or_else(|why| panic!("{why}\nin {line}"));
        }
    }
    assert_eq!(schema.unseen(), [""; 0]);
}

#[test]
fn what_stands_in_the_way_or_comes_to_too_much_is_told_before_anything_is_drawn() {
    let folder = with_models();
    folder.write("walk.0003.png", b"no picture");
    folder.write("film.gif", b"no picture");
    let before = folder.files();
    for (words, why) in [
        (
            &["render", "post.glb", "--frames", "5", "-o", "walk.png"][..],
            "walk.0003.png is there and is no such picture",
        ),
        (&["render", "post.glb", "--turntable", "film.gif"], "film.gif is there and is no such picture"),
        (
            &["render", "post.glb", "--turntable", "x.gif", "--frames", "9999", "--size", "16384"],
            "more than are held at once",
        ),
    ] {
        let run = folder.run(words);
        assert!(run.code == 2 && run.err.contains(why), "{words:?}: {} {}", run.code, run.err);
        assert_eq!(folder.files(), before, "{words:?}");
    }
}
