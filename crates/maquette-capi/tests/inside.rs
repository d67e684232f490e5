//! What stands in a file besides what is drawn, and what programs do wrong: keys, morph targets, clips of other files, memory instead of files.

#![allow(dead_code, clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "../../../tests/c_programs/mod.rs"]
mod c_programs;
#[path = "../../../tests/needs/mod.rs"]
mod needs;

use c_programs::{Library, Link, run, values, watched};
use maquette::sample;
use maquette::scene::Scene;
use maquette::scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette::scene::image::{Image, ImageData};
use maquette::scene::material::{Material, Pbr, TextureUse, UvTransform};
use maquette::scene::mesh::{Mesh, MorphTarget, Primitive, Streams};
use maquette::scene::scene::Node;
use std::path::{Path, PathBuf};
use std::process::Command;

fn build(folder: &Path, name: &str) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(format!("{name}.c"));
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    Library { include, name: "maquette_c" }.build(folder, name, &[source], Link::Shared)
}

/// A triangle of two shapes and a set of colours, which a clip moves, turns by splines and morphs.
fn shapes() -> Scene {
    let mut scene = Scene::default();
    let shape = |height: f32| MorphTarget {
        positions: vec![[0.0, 0.0, 0.0], [0.0, height, 0.0], [0.5, 0.0, 0.0]],
        normals: Some(vec![[0.0; 3], [0.0; 3], [0.0, 0.25, 0.0]]),
        tangents: None,
    };
    let streams = Streams {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        normals: Some(vec![[0.0, 0.0, 1.0]; 3]),
        uvs: vec![vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]],
        colours: vec![vec![[1.0, 0.0, 0.0, 1.0]; 3]],
        ..Streams::default()
    };
    let png = maquette::texture::png::encode(1, 1, &[[255; 4]]).unwrap();
    let data = ImageData::Encoded { mime: "image/png".into(), bytes: png.into() };
    let image = scene.images.push(Image::new("dot", data));
    let transform = UvTransform { offset: [0.25, 0.5], rotation: 0.75, scale: [2.0, 3.0] };
    let texture = TextureUse { transform: Some(transform), ..TextureUse::new(image) };
    let pbr = Pbr { base_colour_texture: Some(texture), ..Pbr::default() };
    let material = scene.materials.push(Material { surface: pbr.into(), ..Material::default() });
    let primitive = Primitive {
        streams,
        indices: vec![0, 1, 2],
        material: Some(material),
        morph_targets: vec![shape(1.0), shape(2.0)],
        ..Primitive::default()
    };
    let mesh = scene.meshes.push(Mesh {
        name: "face".into(),
        primitives: vec![primitive],
        morph_names: vec!["smile".into(), "frown".into()],
        morph_weights: vec![0.125, 0.0],
        ..Mesh::default()
    });
    let node = scene.nodes.push(Node { name: "head".into(), mesh: Some(mesh), ..Node::default() });
    scene.roots = vec![node];
    let track = |curve| Track { target: Target::Node(node), curve, blend: None };
    let times_secs = vec![0.0, 1.0];
    let tracks = vec![
        track(Curve::Translation(Keys {
            times_secs: times_secs.clone(),
            values: vec![[0.0, 1.0, 0.0], [0.0, 2.0, 0.5]],
            interpolation: Interpolation::Step,
        })),
        track(Curve::Rotation(Keys {
            times_secs: times_secs.clone(),
            values: vec![[0.0; 4], [0.0, 0.0, 0.0, 1.0], [0.5; 4], [0.25; 4], [1.0, 0.0, 0.0, 0.0], [0.0; 4]],
            interpolation: Interpolation::CubicSpline,
        })),
        track(Curve::MorphWeights(Keys {
            times_secs,
            values: vec![vec![0.0, 1.0], vec![1.0, 0.5]],
            interpolation: Interpolation::Linear,
        })),
    ];
    scene.clips.push(Clip { name: "talk".into(), duration_secs: 1.0, tracks, ..Clip::default() });
    scene
}

#[test]
fn everything_inside_is_reached() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "inside") else { return };
    let [shaped, model, clip, parts] =
        ["shapes.gltf", "post.glb", "sway.seanim", "parts.gltf"].map(|name| folder.path().join(name));
    maquette::write(&shapes(), &shaped).unwrap();
    // What is written has one set of colours; what is read may have more.
    let text = std::fs::read_to_string(&shaped).unwrap();
    std::fs::write(&shaped, text.replacen("\"TEXCOORD_0\":", "\"COLOR_1\": 0,\n\"TEXCOORD_0\":", 1)).unwrap();
    maquette::write(&shapes(), &parts).unwrap();
    sample::save(&model).unwrap();
    sample::save(&clip).unwrap();
    let arguments = [&shaped, &model, &clip, &folder.path().to_owned(), &PathBuf::from("parts.gltf")];
    let text = run(Command::new(&program).args(arguments));
    assert!(!text.contains("other"), "{text}");
    let tracks = values(&text, "track");
    assert_eq!(tracks[0], ["0", "0", "head", "0", "0", "0", "3"], "{text}");
    assert_eq!(tracks[1], ["0", "0", "head", "1", "2", "0", "4"]);
    assert_eq!(tracks[2], ["0", "0", "head", "3", "1", "0", "2"]);
    let keys = values(&text, "key");
    assert_eq!(keys[1], ["1", "0", "2", "0.5"]);
    assert_eq!(keys[2].join(" "), "0 0 0 0 0 0 0 0 1 0.5 0.5 0.5 0.5", "the tangents around it");
    assert_eq!(keys[5], ["1", "1", "0.5"]);
    let morphs = values(&text, "morph");
    assert_eq!(morphs[0].join(" "), "smile 0.125 0 0 0 0 1 0 0.5 0 0 0 0 0 0 0 0 0 0.25 0");
    assert_eq!(morphs[1][..2], ["frown", "0"]);
    let colours = values(&text, "colours");
    assert_eq!(colours.iter().map(|set| set[..4].join(" ")).collect::<Vec<_>>(), ["1 0 0 1", "0 0 0 1"], "{text}");
    assert_eq!(values(&text, "texture"), [["0", "0.25", "0.5", "0.75", "2", "3"]]);
    let weights = values(&text, "weights");
    assert_eq!(weights[0], ["-1", "0", "0.125", "0"], "at rest");
    assert_eq!(weights[6], ["0", "0.25", "0.25", "0.875"], "{text}");
    assert_eq!(values(&text, "mixed")[1], weights[6], "one channel alone is what it plays");
    let applied = &values(&text, "applied")[0];
    assert_eq!(applied[..3], ["0", "1", "2"], "{text}");
    assert_eq!(values(&text, "moves").len(), 1);
    assert!(text.contains("unmapped 4 `bone_map`") && text.contains("unscoped 4 `scope` is 7"), "{text}");
    assert_eq!(values(&text, "alone")[0].len(), 1);
    assert_eq!(values(&text, "together"), [["0", "1", "1"]], "{text}");
    let into: Vec<_> = values(&text, "into").iter().map(|words| words[1] == "0").collect();
    assert_eq!(into, [true, true, true, false], "{text}");
    assert!(values(&text, "made").len() > 3, "glTF text has companions: {text}");
    assert!(values(&text, "again").contains(&vec!["aem", "1"]), "{text}");
    let formats = values(&text, "format");
    assert_eq!(formats.len(), maquette::BUILT_IN.iter().count());
    assert!(formats.iter().any(|format| format[0] == "aem" && format[3] == "document"), "{text}");
    if let Some(mut watched) = watched(&program, "definite,indirect") {
        run(watched.args(arguments));
    }
}

#[test]
#[cfg(unix)]
fn mistakes_are_answered_and_told() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "mistakes") else { return };
    let at = |name: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(name));
    let [model, pipe, odd, unknown, output] =
        [b"post.glb".as_slice(), b"pipe", b"p\xffst.glb", b"unknown", b"out.aem"].map(at);
    sample::save(&model).unwrap();
    std::fs::copy(&model, &odd).unwrap();
    std::fs::write(&unknown, "what is this?").unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let arguments = [&model, &pipe, &odd, &unknown, &output];
    run(Command::new(&program).args(arguments));
    std::fs::remove_file(&output).unwrap();
    if let Some(mut watched) = watched(&program, "definite,indirect") {
        run(watched.args(arguments));
    }
}

/// A rotation without length turns nothing, and takes neither the other clips nor the rest pose with it.
#[test]
fn a_rotation_of_nothing_is_identity() {
    use maquette::formats::aem;
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "everything") else { return };
    let palettes = |value: [f32; 4]| {
        let mut file = aem::sample::model(aem::Dialect::Document);
        let track = file.tracks[1];
        let first = (track.first_keyframe.get() + track.translation_count.get()) as usize;
        assert!(track.rotation_count.get() > 0);
        file.keyframes.to_mut()[first].value = value.map(Into::into);
        let path = folder.path().join("post.aem");
        std::fs::write(&path, file.encode()).unwrap();
        let text = run(Command::new(&program).arg(&path));
        values(&text, "palette").iter().map(|palette| palette.join(" ")).collect::<Vec<_>>()
    };
    let nothing = palettes([0.0; 4]);
    assert_eq!((nothing.len(), &nothing), (5, &palettes([0.0, 0.0, 0.0, 1.0])));
}
