//! Pictures as files: what they mean where they are used, and what stays untouched.

use super::*;
use maquette_scene::image::ColourSpace;
use maquette_scene::loss::Lost;
use maquette_scene::material::{PackedMaps, PackedTexture, TextureUse, Wrap};
use maquette_texture::decode::decode;

fn pixels(format: PixelFormat, colour_space: ColourSpace, size: u32, levels: Vec<Vec<u8>>) -> ImageData {
    let levels = levels.into_iter().map(Into::into).collect();
    ImageData::Pixels { format, colour_space, width: size, height: size, levels }
}

fn of(pbr: Pbr) -> Material {
    Material { surface: pbr.into(), ..Material::default() }
}

fn added(scene: &mut Scene, name: &str, data: ImageData) -> Option<TextureUse> {
    Some(TextureUse::new(scene.images.push(Image::new(name, data))))
}

fn encode_all(scene: &mut Scene, options: &TextureOptions) -> LossReport {
    let mut losses = LossReport::default();
    encode(scene, options, &Progress::default(), &mut losses);
    assert_eq!(maquette_scene::valid::check(scene), Ok(()));
    assert!(scene.images.iter().all(|image| !matches!(*image.data, ImageData::Pixels { .. })));
    losses
}

/// The first pixel of a texture's file.
fn first_pixel(scene: &Scene, texture: &Option<TextureUse>) -> [u8; 4] {
    let image = scene.images.get(texture.as_ref().unwrap().image).unwrap();
    let ImageData::Encoded { bytes, .. } = &*image.data else { panic!("no file") };
    decode(bytes).unwrap().pixels()[0]
}

#[test]
fn pixels_mean_what_they_are_used_as() {
    let mut scene = Scene::default();
    let grey = || vec![vec![55, 55, 55, 255]];
    let linear = added(&mut scene, "linear", pixels(PixelFormat::Rgba8, ColourSpace::Linear, 1, grey()));
    let srgb = added(&mut scene, "srgb", pixels(PixelFormat::Rgba8, ColourSpace::Srgb, 1, vec![vec![188; 4]]));
    let two = pixels(PixelFormat::Rg8, ColourSpace::Linear, 1, vec![vec![128, 128]]);
    let two = added(&mut scene, "two", two);
    scene.materials.push(of(Pbr {
        base_colour_texture: linear.clone(),
        metallic_roughness_texture: linear.clone(),
        emissive_texture: srgb.clone(),
        occlusion_texture: srgb,
        normal_texture: two,
        ..Pbr::default()
    }));
    let losses = encode_all(&mut scene, &TextureOptions::default());
    let material = scene.materials.iter().next().unwrap().pbr().unwrap();
    // 55 of the light is 128 on a screen; 188 on a screen is half of the light.
    assert_eq!(first_pixel(&scene, &material.base_colour_texture), [128, 128, 128, 255]);
    assert_eq!(first_pixel(&scene, &material.metallic_roughness_texture), [55, 55, 55, 255]);
    assert_eq!(first_pixel(&scene, &material.emissive_texture), [188; 4]);
    assert_eq!(first_pixel(&scene, &material.occlusion_texture), [128, 128, 128, 188]);
    assert_eq!(first_pixel(&scene, &material.normal_texture), [128, 128, 255, 255]);
    assert_eq!(scene.images.len(), 5, "two of them are there for each of two uses");
    assert!(losses.names(Lost::Pixels) && losses.names(Lost::Pixels));
}

#[test]
fn packed_maps_are_taken_apart_and_other_images_stay() {
    let mut scene = Scene::default();
    let grey = || pixels(PixelFormat::Rgba8, ColourSpace::Linear, 2, vec![vec![55; 16]]);
    let [base, surface] = ["base", "packed"].map(|name| added(&mut scene, name, grey()).unwrap().image);
    let file = ImageData::Encoded { mime: "image/jpeg".into(), bytes: vec![1, 2, 3].into() };
    let other = added(&mut scene, "file", file.clone());
    let map = |image| PackedTexture { image, wrap: [Wrap::Repeat; 2] };
    let packed = PackedMaps { base_colour: map(base), normal: map(base), surface: map(surface) };
    scene.materials.push(Material { surface: packed.into(), ..Material::default() });
    scene.materials.push(of(Pbr { emissive_texture: other, ..Pbr::default() }));
    encode_all(&mut scene, &TextureOptions::default());
    assert!(scene.materials.iter().all(|material| material.packed().is_none()));
    let names: Vec<&str> = scene.images.iter().map(|image| image.name.as_str()).collect();
    assert!(!names.contains(&"packed") && names.contains(&"base"), "{names:?}");
    let used = scene.materials.iter().nth(1).unwrap().pbr().unwrap().emissive_texture.as_ref().unwrap().image;
    assert_eq!(*scene.images.get(used).unwrap().data, file, "untouched");
}

#[test]
fn bytes_that_do_not_fit_are_named_and_go() {
    let mut scene = Scene::default();
    let short = pixels(PixelFormat::Rgba8, ColourSpace::Srgb, 8, vec![vec![0; 7]]);
    let base_colour_texture = added(&mut scene, "short", short);
    scene.materials.push(of(Pbr { base_colour_texture, ..Pbr::default() }));
    let losses = encode_all(&mut scene, &TextureOptions::default());
    assert!(losses.names(Lost::Images) && losses.names(Lost::Textures));
    assert!(
        scene.images.is_empty() && scene.materials.iter().next().unwrap().pbr().unwrap().base_colour_texture.is_none()
    );
}

#[test]
fn files_that_are_too_large_are_halved_and_others_stay() {
    let mut scene = Scene::default();
    let file = |width: u32, height: u32| {
        let bytes = png::encode(width, height, &vec![[188, 188, 188, 255]; (width * height) as usize]).unwrap();
        ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() }
    };
    let large = added(&mut scene, "large", file(10, 4));
    let small = added(&mut scene, "small", file(4, 4));
    scene.materials.push(of(Pbr { base_colour_texture: large, occlusion_texture: small, ..Pbr::default() }));
    let before = scene.images.clone();
    let losses = encode_all(&mut scene, &TextureOptions { max_size: Some(4), ..TextureOptions::default() });
    let [large, small] = [0, 1].map(|index| scene.images.iter().nth(index).unwrap());
    let ImageData::Encoded { bytes, .. } = &*large.data else { panic!("no file") };
    let picture = decode(bytes).unwrap();
    assert_eq!((picture.width(), picture.height(), picture.constant()), (2, 1, Some([188, 188, 188, 255])));
    assert_eq!(Some(small), before.iter().nth(1));
    let sizes = losses.losses().iter().find(|loss| loss.what == Lost::TextureSizes).unwrap();
    assert_eq!((sizes.kind, sizes.count), (LossKind::Truncated, 1));
    assert_eq!(sizes.detail, "halved from 10 × 4 to 2 × 1");
}

#[test]
fn a_file_that_stays_too_large_is_named() {
    let mut scene = Scene::default();
    let mut bytes = png::encode(10, 4, &[[188, 188, 188, 255]; 40]).unwrap();
    bytes.truncate(bytes.len() - 20);
    let cut = ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() };
    let base_colour_texture = added(&mut scene, "cut", cut.clone());
    scene.materials.push(of(Pbr { base_colour_texture, ..Pbr::default() }));
    let losses = encode_all(&mut scene, &TextureOptions { max_size: Some(4), ..TextureOptions::default() });
    let sizes = losses.losses().iter().find(|loss| loss.what == Lost::TextureSizes).unwrap();
    assert!(sizes.detail.starts_with("it stays larger than asked for: the PNG file cannot be decoded"), "{sizes:?}");
    assert_eq!(*scene.images.iter().next().unwrap().data, cut, "untouched");
}
