//! Textures there and back: what AEM is given is whole and sound, what comes back looks as it did.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../../../tests/needs/mod.rs"]
mod needs;

use maquette::Input;
use maquette::WriteOptions;
use maquette::convert::{ConvertOptions, convert};
use maquette::fit::{Effort, FitOptions, TextureOptions};
use maquette::formats::aem;
use maquette::scene::Scene;
use maquette::scene::image::{Image, ImageData};
use maquette::scene::loss::{Loss, LossKind, LossReport, Lost};
use maquette::scene::material::{Material, Pbr, TextureUse};
use maquette::texture::decode::{decode, size};
use maquette::texture::{Picture, Quality, png};
use maquette::textures::{As, extract};
use std::collections::HashSet;
use std::path::PathBuf;

const FAST: TextureOptions = textures(Some(Quality::Fast));

const fn textures(quality: Option<Quality>) -> TextureOptions {
    TextureOptions { quality, max_size: None, effort: Effort::Whole }
}

fn options(textures: TextureOptions) -> ConvertOptions {
    ConvertOptions { write: writing(textures), ..ConvertOptions::default() }
}

fn writing(textures: TextureOptions) -> WriteOptions {
    WriteOptions { fit: FitOptions { textures, ..FitOptions::default() }, ..WriteOptions::default() }
}

/// A smooth picture with every channel busy.
fn picture(width: u32, height: u32, seed: f32) -> Picture {
    let wave = |x: f32| (x.sin() * 0.5 + 0.5) * 200.0 + 30.0;
    let pixel = |place: u32| {
        let (x, y) = ((place % width) as f32 / width as f32, (place / width) as f32 / height as f32);
        [wave(x * 6.0 + seed), wave(y * 5.0 + seed), wave(x * 3.0 - y * 4.0), 255.0].map(|value| value as u8)
    };
    Picture::new(width, height, (0..width * height).map(pixel).collect()).unwrap()
}

fn add(scene: &mut Scene, picture: &Picture) -> Option<TextureUse> {
    let bytes = png::encode(picture.width(), picture.height(), picture.pixels()).unwrap();
    let data = ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() };
    Some(TextureUse::new(scene.images.push(Image::new("map", data))))
}

/// The sample with a material that has every map, of odd sizes.
fn rich() -> Scene {
    let input = Input::from_bytes("post.glb", maquette::sample::make("gltf", Some("binary")).unwrap().main);
    let mut scene = input.read(&Default::default()).unwrap().scene;
    let normals = Picture::new(9, 6, vec![[160, 100, 240, 255]; 54]).unwrap();
    let pbr = Pbr {
        base_colour_texture: add(&mut scene, &picture(37, 22, 0.0)),
        metallic_roughness_texture: add(&mut scene, &picture(16, 16, 1.0)),
        occlusion_texture: add(&mut scene, &picture(20, 5, 2.0)),
        emissive_texture: add(&mut scene, &picture(10, 10, 3.0)),
        normal_texture: add(&mut scene, &normals),
        emissive: [0.5, 0.4, 0.3],
        base_colour: [1.0, 0.9, 0.8, 1.0],
        roughness: 0.7,
        ..Pbr::default()
    };
    *scene.materials.iter_mut().next().unwrap() = Material { surface: pbr.into(), ..Material::default() };
    scene
}

fn written(scene: &Scene, format: &str, dialect: &str, textures: TextureOptions) -> (Vec<u8>, LossReport) {
    let options = WriteOptions { format: Some(format.into()), dialect: Some(dialect.into()), ..writing(textures) };
    let made = maquette::write::encode(scene.clone(), "made", &options).unwrap_or_else(|error| panic!("{error}"));
    (made.main.into(), made.losses)
}

/// Every promise of the document about materials and textures.
fn keeps_its_promises(bytes: &[u8], label: &str) {
    let checked = maquette::check::check(&Input::from_bytes("made.aem", bytes.to_vec()), None, Default::default());
    let tables = ["textures", "materials", "meshes", "image_buffer"];
    let surfaces = checked.diagnostics.iter().filter(|found| tables.iter().any(|table| found.path.starts_with(table)));
    assert_eq!(surfaces.count(), 0, "{label}: {:?}", checked.diagnostics);
    let file = aem::File::parse(bytes).unwrap();
    let mut end = 0;
    for texture in &file.textures {
        assert_eq!(texture.offset, end, "{label}: textures follow one another");
        let (mut width, mut height) = (u64::from(texture.width), u64::from(texture.height));
        loop {
            end += match texture.compression {
                0 => width * height * u64::from(texture.channels),
                _ => width.div_ceil(4) * height.div_ceil(4) * 16,
            };
            if (width, height) == (1, 1) {
                break;
            }
            (width, height) = ((width / 2).max(1), (height / 2).max(1));
        }
    }
    assert_eq!(end, file.image_buffer.len() as u64, "{label}: no stray bytes");
    assert!(file.meshes.iter().all(|mesh| (mesh.material_index.get() as usize) < file.materials.len()), "{label}");
    for material in file.materials.iter() {
        let used = [material.base_color_texture_index, material.normal_texture_index, material.pbr_texture_index];
        assert!(used.iter().all(|index| (index.get() as usize) < file.textures.len()), "{label}");
    }
}

#[test]
fn what_is_written_keeps_every_promise_of_the_document() {
    let scene = rich();
    for dialect in ["document", "channels", "wide", "wide-early", "wide-compression"] {
        for quality in [None, Some(Quality::Fast), Some(Quality::Default), Some(Quality::High)] {
            let (bytes, _) = written(&scene, "aem", dialect, textures(quality));
            keeps_its_promises(&bytes, &format!("{dialect} {quality:?}"));
            let checked = maquette::check::check(&Input::from_bytes("a.aem", bytes.clone()), None, Default::default());
            assert!(checked.ok, "{:?}", checked.diagnostics);
            assert_eq!(aem::File::parse(&bytes).unwrap().dialect.id(), dialect);
        }
    }
}

/// The picture of a texture of the first material.
fn shown(scene: &Scene, texture: fn(&Pbr) -> &Option<TextureUse>) -> Picture {
    let used = texture(scene.materials.iter().next().unwrap().pbr().unwrap()).as_ref().unwrap();
    match &*scene.images.get(used.image).unwrap().data {
        ImageData::Encoded { bytes, .. } => decode(bytes).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// The largest and the mean difference between what two pictures of one size say, by a rule for what the first should have become.
fn apart(before: &Picture, after: &Picture, expected: impl Fn([u8; 4]) -> [f32; 3]) -> (f32, f32) {
    assert_eq!((before.width(), before.height()), (after.width(), after.height()));
    let differences: Vec<f32> = before
        .pixels()
        .iter()
        .zip(after.pixels())
        .flat_map(|(before, after)| {
            let expected = expected(*before);
            [0, 1, 2].map(|channel| (expected[channel] - f32::from(after[channel])).abs())
        })
        .collect();
    (differences.iter().copied().fold(0.0, f32::max), differences.iter().sum::<f32>() / differences.len() as f32)
}

#[test]
fn colours_come_back_from_aem() {
    let scene = rich();
    for (quality, most, mean) in [(None, 5.0, 1.0), (Some(Quality::Default), 60.0, 6.0)] {
        let (bytes, _) = written(&scene, "aem", "document", textures(quality));
        let input = Input::from_bytes("made.aem", bytes);
        let converted = convert(&input, Some("back.glb"), &ConvertOptions::default()).unwrap();
        let back = Input::from_bytes("back.glb", converted.main.into());
        let back = back.read(&Default::default()).unwrap().scene;
        let linear = |byte: u8| {
            let srgb = f32::from(byte) / 255.0;
            if srgb <= 0.04045 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
        };
        let srgb = |light: f32| {
            255.0 * if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
        };
        let base = |[r, g, b, _]: [u8; 4]| [srgb(linear(r)), srgb(linear(g) * 0.9), srgb(linear(b) * 0.8)];
        let (largest, average) =
            apart(&picture(37, 22, 0.0), &shown(&back, |material| &material.base_colour_texture), base);
        assert!(largest < most && average < mean, "{quality:?}: {largest}, {average}");
        // The smaller occlusion was enlarged to the packed map, which took the base colour's size for its emission.
        let surface = shown(&back, |material| &material.metallic_roughness_texture);
        assert_eq!((surface.width(), surface.height()), (37, 22));
        let material = back.materials.iter().next().unwrap().pbr().unwrap();
        assert!(material.occlusion_texture.is_some() && material.emissive_texture.is_some());
        let [x, y, z, _] = shown(&back, |material| &material.normal_texture).pixels()[20];
        assert!(x.abs_diff(162) < 3 && y.abs_diff(98) < 3 && z.abs_diff(247) < 3, "{x} {y} {z}");
    }
}

#[test]
fn a_base_colour_that_is_edited_arrives_in_aem() {
    let (bytes, _) = written(&rich(), "aem", "document", textures(None));
    let unpacked = |bytes: Vec<u8>| {
        let mut scene = Input::from_bytes("a.aem", bytes).read(&Default::default()).unwrap().scene;
        maquette::ops::unpack(&mut scene, &mut LossReport::default()).unwrap();
        scene
    };
    let converted = |scene: &Scene| {
        let (glb, _) = written(scene, "gltf", "binary", textures(None));
        let scene = Input::from_bytes("a.glb", glb).read(&Default::default()).unwrap().scene;
        shown(&scene, |material| &material.base_colour_texture)
    };
    let mut scene = unpacked(bytes);
    let before = converted(&scene);
    scene.materials.iter_mut().for_each(|material| material.pbr_mut().unwrap().base_colour = [0.25, 1.0, 1.0, 1.0]);
    let (bytes, _) = written(&scene, "aem", "document", textures(None));
    let after = converted(&unpacked(bytes));
    let mean = |picture: &Picture, channel: usize| {
        picture.pixels().iter().map(|pixel| f32::from(pixel[channel])).sum::<f32>() / picture.pixels().len() as f32
    };
    // A quarter of the light is about half of the sRGB value.
    let red = mean(&after, 0) / mean(&before, 0);
    assert!((0.45..0.6).contains(&red), "{red}");
    assert!((mean(&after, 1) - mean(&before, 1)).abs() < 2.0);
}

#[test]
fn emission_stays_the_same_from_round_to_round() {
    let (first, losses) = written(&rich(), "aem", "document", textures(None));
    assert!(losses.names(Lost::Emission));
    let there = convert(&Input::from_bytes("a.aem", first.clone()), Some("a.glb"), &ConvertOptions::default()).unwrap();
    let plain = options(textures(None));
    let back = convert(&Input::from_bytes("a.glb", there.main.into()), Some("b.aem"), &plain).unwrap();
    let more_than_rounding = |loss: &Loss| match loss.kind {
        LossKind::Approximated { max_error } => max_error > 2.0 / 255.0,
        _ => true,
    };
    let told = back.losses.iter().filter(|loss| loss.what == Lost::Emission).find(|loss| more_than_rounding(loss));
    assert!(told.is_none(), "{:?}", back.losses);
    let [a, b] = [&*first, &back.main].map(|bytes| aem::File::parse(bytes).unwrap());
    let packed = |file: &aem::File<'_>| {
        let texture = &file.textures[file.materials[0].pbr_texture_index.get() as usize];
        let start = texture.offset as usize;
        file.image_buffer[start..start + (texture.width * texture.height * 4) as usize].to_vec()
    };
    let worst = packed(&a).iter().zip(packed(&b)).map(|(a, b)| a.abs_diff(b)).max();
    assert!(worst <= Some(16), "{worst:?}");
}

#[test]
fn blocks_pass_between_dialects_untouched() {
    let (bytes, _) = written(&rich(), "aem", "document", FAST);
    let document = Input::from_bytes("a.aem", bytes.clone());
    let wide = ConvertOptions {
        write: WriteOptions { dialect: Some("wide".into()), ..WriteOptions::default() },
        ..ConvertOptions::default()
    };
    let there = convert(&document, Some("b.aem"), &wide).unwrap();
    assert!(
        there.losses.losses().iter().all(|loss| loss.what != Lost::Textures && loss.what != Lost::Pixels),
        "{:?}",
        there.losses
    );
    let [a, b] = [&*bytes, &there.main].map(|bytes| aem::File::parse(bytes).unwrap());
    assert!(a.image_buffer == b.image_buffer);
    // Smaller is without the largest level, and nothing is encoded anew.
    let smaller = options(TextureOptions { max_size: Some(20), ..TextureOptions::default() });
    let smaller = convert(&document, Some("c.aem"), &smaller).unwrap();
    keeps_its_promises(&smaller.main, "smaller");
    let c = aem::File::parse(&smaller.main).unwrap();
    let (texture, before) = (&c.textures[0], &a.textures[0]);
    assert_eq!((texture.width, texture.height), (18, 11));
    // 37 × 22 takes ten by six blocks.
    let rest = &a.image_buffer[before.offset as usize + 10 * 6 * 16..];
    assert_eq!(c.image_buffer[..5 * 3 * 16], rest[..5 * 3 * 16]);
}

#[test]
fn textures_of_real_models_are_taken_out_as_people_see_them() {
    let Some(corpus) = needs::corpus() else { return };
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(input) = Input::from_path(&path) else { continue };
            let Ok(extracted) = extract(&input, None, As::Srgb) else { continue };
            let label = path.display();
            let names: HashSet<_> = extracted.files.iter().map(|(name, _)| name.to_lowercase()).collect();
            assert_eq!(names.len(), extracted.files.len(), "{label}");
            let stem = path.file_stem().unwrap().to_string_lossy();
            for (name, bytes) in &extracted.files {
                assert!(name.starts_with(&*stem), "{label}: {name}");
                assert!(!name.ends_with(".png") || size(bytes).is_ok(), "{label}: {name}");
            }
            assert!(extracted.rows.iter().all(|row| row.format == "missing" || row.file.is_some()), "{label}");
        }
    }
}

#[test]
fn real_models_are_packed_and_come_back() {
    let Some(corpus) = needs::corpus() else { return };
    let folder = |name: &str| std::fs::read_dir(corpus.join(name)).unwrap();
    let mut paths: Vec<PathBuf> = folder("glb").map(|entry| entry.unwrap().path()).collect();
    for entry in folder("gltf") {
        let path = entry.unwrap().path();
        paths.push(path.join(format!("{}.gltf", path.file_name().unwrap().to_string_lossy())));
    }
    let small = options(TextureOptions { max_size: Some(64), ..FAST });
    for path in paths {
        let input = Input::from_path(&path).unwrap();
        let label = path.display().to_string();
        let there = convert(&input, Some("a.aem"), &small).unwrap_or_else(|error| panic!("{label}: {error}"));
        keeps_its_promises(&there.main, &label);
        let back = convert(&Input::from_bytes("a.aem", there.main.into()), Some("a.glb"), &ConvertOptions::default());
        back.unwrap_or_else(|error| panic!("{label}: {error}"));
    }
}
