//! Companion files of a model: found by name on the way in, written under names on the way out.

use super::super::{pani, pmat};
use super::{CORNER, Folder, SINGLE, alone, folder, model, plain, read, rigged, sample, try_read, write};
use crate::companions::matt;
use crate::format::Source;
use crate::pmdl::{FORMAT, File};
use crate::specimen;
use maquette_scene::Scene;
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::image::{Image, ImageData};
use maquette_scene::material::{Material, TextureUse};
use maquette_scene::scene::Node;

/// A mesh of one bone that lists these animations.
fn animated(animations: &[&str]) -> Vec<u8> {
    let mut bytes = rigged(&[super::bone(-1, super::LIFTED, "a")], SINGLE.0, SINGLE.1);
    bytes[20] = animations.len() as u8;
    let names = animations.iter().flat_map(|name| [&(name.len() as u32).to_le_bytes()[..], name.as_bytes()].concat());
    let names: Vec<u8> = names.collect();
    bytes.splice(29..29, names);
    bytes
}

fn files(list: &[(&str, Vec<u8>)]) -> Folder {
    Folder(list.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.clone())).collect())
}

#[test]
fn names_without_files_are_kept_and_reported() {
    let bytes = model(&[animated(&["x", "y"])]);
    let (scene, losses) = alone(&bytes);
    let expected =
        ["dropped materials of material \"m\"", "dropped clips of clip \"x\"", "dropped clips of clip \"y\""];
    assert_eq!(losses, expected);
    assert_eq!(scene.materials.iter().next().unwrap().name, "m");
    let (bundle, losses) = write(&scene, "engine");
    assert_eq!((losses, bundle.main), (Vec::new(), bytes));
}

#[test]
fn files_are_found_under_the_models_name_and_under_their_own() {
    let companions = files(&[
        ("post.pmat", pmat(b"m")),
        ("post.pani", pani(b"x", 1)),
        ("y.pani", pani(b"y", 1)),
        ("z.pani", pani(b"q", 1)),
    ]);
    let (scene, losses) = try_read(&model(&[animated(&["y", "x", "z"])]), &companions).unwrap();
    assert_eq!(losses, ["dropped clips of clip \"z\""]);
    assert_eq!(scene.clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["y", "x"]);
}

#[test]
fn a_file_named_after_the_model_comes_before_one_of_the_name_alone() {
    let textured = |path: &[u8]| {
        let mut file = pmat(b"m");
        file[8..12].copy_from_slice(&1_u32.to_le_bytes());
        file.extend([1, path.len() as u32].map(u32::to_le_bytes).as_flattened());
        file.extend(path);
        file
    };
    let companions = files(&[("m.pmat", textured(b"elsewhere.png")), ("post.m.pmat", textured(b"here.png"))]);
    let (scene, losses) = try_read(&model(&[plain(&[CORNER; 3], 0)]), &companions).unwrap();
    assert_eq!(losses, [""; 0]);
    assert_eq!(scene.images.iter().map(|image| image.name.as_str()).collect::<Vec<_>>(), ["here.png"]);
}

#[test]
fn references_are_the_files_there_are_and_what_those_name() {
    let references = |bytes: &[u8], folder: &Folder| {
        let source = Source { name: "post.pmdl", resources: folder, ..Source::BARE };
        let namings = (FORMAT.open)(bytes, None).unwrap().references(&source);
        namings.iter().map(|naming| naming.apply("post.pmdl")).collect::<Vec<_>>()
    };
    let sample = sample("engine");
    assert_eq!(references(&sample.main, &folder(&sample)), [specimen::TEXTURE_FILE]);
    assert_eq!(references(&sample.main, &Folder::default()), [""; 0]);
    let companions = files(&[
        ("m.pmat", pmat(b"m")),
        ("post.m.pmat", pmat(b"m")),
        ("post.x.pani", pani(b"x", 1)),
        ("z.pani", pani(b"z", 1)),
    ]);
    let bytes = model(&[animated(&["x", "y"]), animated(&["x"])]);
    assert_eq!(references(&bytes, &companions), ["post.m.pmat", "m.pmat", "post.x.pani"], "each once, and none of z");
    let (bundle, _) = write(&painted(&[named("brick")]), "engine");
    assert_eq!(references(&bundle.main, &folder(&bundle)), ["post.brick.pmat", "post.maquette-checker.png"]);
}

#[test]
fn files_of_other_names_or_kinds_are_reported() {
    let companions = files(&[("post.pmat", pmat(b"n")), ("post.pani", pani(b"n", 1))]);
    let (_, losses) = try_read(&model(&[animated(&["x"])]), &companions).unwrap();
    let expected = [
        "dropped materials of material \"m\"",
        "dropped companion files of \"post.pmat\"",
        "dropped clips of clip \"x\"",
        "dropped companion files of \"post.pani\"",
    ];
    assert_eq!(losses, expected);
    let companions = files(&[("post.pmat", b"PMAT".to_vec())]);
    let (_, losses) = try_read(&model(&[plain(&[CORNER; 3], 0)]), &companions).unwrap();
    assert_eq!(losses[0], "dropped companion files of \"post.pmat\"");
}

#[test]
fn an_animation_for_more_bones_moves_those_there_are() {
    let mut sway = folder(&sample("engine"));
    sway.0.retain(|(name, _)| name == "post.pani");
    let (scene, losses) = try_read(&model(&[animated(&[specimen::CLIP])]), &sway).unwrap();
    assert_eq!(losses[1..], ["dropped joints of clip \"sway\""]);
    assert_eq!(scene.clips.iter().next().unwrap().tracks.len(), 3);
    let unboned = [super::ints(&[1, 3, 0, 0, 0, 1, 1]), b"m".to_vec(), super::ints(&[4]), b"sway".to_vec()].concat();
    let unboned = [unboned, super::floats([CORNER; 3].as_flattened())].concat();
    let (scene, losses) = try_read(&model(&[unboned]), &sway).unwrap();
    assert_eq!(losses[1..], ["dropped clips of clip \"sway\""]);
    assert!(scene.clips.is_empty());
}

/// A clip `x` that moves the one bone of [`animated`], as the file `post.pani`.
fn hop() -> Folder {
    let mut scene = alone(&model(&[animated(&[])])).0;
    let keys = Keys { times_secs: vec![0.0, 1.0], values: vec![[1.0; 3]; 2], interpolation: Interpolation::Linear };
    let target = Target::Node(scene.skins.iter().next().unwrap().joints[0]);
    let tracks = vec![Track { target, curve: Curve::Translation(keys), blend: None }];
    scene.clips.push(Clip { name: "x".into(), duration_secs: 1.0, tracks, ..Clip::default() });
    folder(&write(&scene, "engine").0)
}

#[test]
fn an_animation_moves_every_skeleton_with_the_same_bones() {
    let with = |matrix, name: &str| {
        let mut bytes = animated(&["x"]);
        let bone = super::bone(-1, matrix, name);
        bytes.splice(34..34 + bone.len(), bone);
        bytes
    };
    let meshes = [with(super::LIFTED, "a"), with(super::super::IDENTITY, "a"), with(super::LIFTED, "b")];
    let (scene, losses) = try_read(&model(&meshes), &hop()).unwrap();
    assert_eq!(losses, ["dropped clips of clip \"x\""]);
    assert_eq!(scene.clips.iter().next().unwrap().tracks.len(), 6);
}

#[test]
fn lists_that_differ_are_reported() {
    let companions = files(&[("post.pmat", pmat(b"m")), ("post.pani", pani(b"x", 1))]);
    let (_, losses) = try_read(&model(&[animated(&["x"]), animated(&[])]), &companions).unwrap();
    assert_eq!(losses, ["dropped clips of the model"]);
}

/// The sample with a mesh more for each of these materials.
fn painted(materials: &[Material]) -> Scene {
    let mut scene = read(&sample("engine-20")).0;
    let mesh = scene.meshes.iter().next().unwrap().clone();
    for material in materials {
        let mut mesh = mesh.clone();
        mesh.primitives[0].material = Some(scene.materials.push(material.clone()));
        let mesh = scene.meshes.push(mesh);
        let node = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
        scene.roots.push(node);
    }
    scene
}

fn named(name: &str) -> Material {
    Material { name: name.into(), surface: matt(), ..Material::default() }
}

#[test]
fn every_material_has_a_file_and_is_found_again() {
    let scene = painted(&[named("brick"), named("a/b")]);
    let (bundle, losses) = write(&scene, "engine");
    assert_eq!(losses, [""; 0]);
    let names: Vec<_> = folder(&bundle).0.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["post.pmat", "post.maquette-checker.png", "post.brick.pmat", "post.a_b.pmat"]);
    let (back, losses) = read(&bundle);
    assert_eq!(losses, [""; 0]);
    assert_eq!(back, scene);
}

#[test]
fn names_that_cannot_be_told_apart_are_changed() {
    let long = "狐".repeat(100);
    let scene = painted(&[named(specimen::MATERIAL), named(""), named("POST"), named(&long), named(&long)]);
    let (bundle, losses) = write(&scene, "engine");
    assert_eq!(losses.iter().filter(|loss| loss.starts_with("renamed material names")).count(), 3);
    let file = File::parse(&bundle.main).unwrap();
    let names: Vec<_> =
        file.meshes.iter().map(|mesh| String::from_utf8_lossy(&mesh.material_name).into_owned()).collect();
    let numbered = format!("{}-2", "狐".repeat(26));
    assert_eq!(names, ["clay-and-cream", "clay-and-cream-2", "material", "POST", &long, &numbered]);
    let (back, losses) = read(&bundle);
    assert_eq!(losses, [""; 0]);
    assert_eq!(back.materials.len(), 6);
}

#[test]
fn images_of_one_name_are_written_apart_and_shared_ones_once() {
    let mut scene = painted(&[named("a"), named("b")]);
    let bytes = [specimen::checker_png(), vec![0]].concat();
    let mime = "image/png".to_owned();
    let other = scene.images.push(Image::new(specimen::TEXTURE_FILE, ImageData::Encoded { mime, bytes: bytes.into() }));
    scene.images.push(Image::new("unused", ImageData::External("u".into())));
    for material in scene.materials.iter_mut().skip(1) {
        material.pbr_mut().unwrap().base_colour_texture = Some(TextureUse::new(other));
    }
    let (bundle, losses) = write(&scene, "engine");
    assert_eq!(losses, ["dropped images of image \"unused\"", "renamed image names of image \"maquette-checker.png\""]);
    let names: Vec<_> = folder(&bundle).0.into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        ["post.pmat", "post.maquette-checker.png", "post.a.pmat", "post.maquette-checker-2.png", "post.b.pmat"]
    );
    assert_eq!(read(&bundle).0.images.len(), 2);
}
