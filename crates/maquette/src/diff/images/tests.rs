//! Pictures of numbers that are worked out by hand.

use super::*;
use crate::diff::diff;
use maquette_scene::material::PackedMaps;
use maquette_scene::mesh::{Mesh, Primitive, Streams};
use maquette_scene::scene::Node;
use maquette_texture::pack::{Map, Normals};
use maquette_texture::{Quality, bc7, png};

/// A PNG file as the project writes it.
fn file(picture: &Picture) -> ImageData {
    let bytes = png::encode(picture.width(), picture.height(), picture.pixels()).unwrap();
    ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() }
}

/// The same pixels in a file of other bytes: another chunk, and other sizes of chunks.
fn file_with_comment(picture: &Picture) -> ImageData {
    let ImageData::Encoded { mime, mut bytes } = file(picture) else { unreachable!() };
    // A text chunk of 4 bytes between the header and the pixels: length, kind, contents, checksum.
    let comment = [&[0, 0, 0, 4][..], b"tEXt", b"a\0bc", &[0xb7, 0x6e, 0x7f, 0xe9]].concat();
    bytes.to_mut().splice(33..33, comment);
    ImageData::Encoded { mime, bytes }
}

fn pixels(format: PixelFormat, width: u32, height: u32, level: Vec<u8>) -> ImageData {
    ImageData::Pixels { format, colour_space: ColourSpace::Linear, width, height, levels: vec![level.into()] }
}

/// A picture with every channel busy.
fn busy(width: u32, height: u32) -> Picture {
    let pixel = |place: u32| [place * 7 % 256, place * 3 % 200, place * place % 251, 255].map(|value| value as u8);
    Picture::new(width, height, (0..width * height).map(pixel).collect()).unwrap()
}

/// A triangle that shows this in a slot.
fn scene(slot: usize, data: ImageData, change: impl FnOnce(&mut Pbr)) -> Scene {
    let mut scene = Scene::default();
    let image = scene.images.push(Image::new("map", data));
    let mut pbr = Pbr { emissive: [1.0; 3], ..Pbr::default() };
    *pbr.texture_slots()[slot] = Some(TextureUse::new(image));
    change(&mut pbr);
    let material = scene.materials.push(Material { surface: pbr.into(), ..Material::default() });
    with_triangle(scene, material)
}

fn with_triangle(mut scene: Scene, material: Handle<Material>) -> Scene {
    let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let streams = Streams { positions, uvs: vec![vec![[0.0; 2]; 3]], ..Streams::default() };
    let primitive = Primitive { streams, indices: vec![0, 1, 2], material: Some(material), ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let node = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
    scene.roots.push(node);
    scene
}

const BASE_COLOUR: usize = 0;
const METALLIC_ROUGHNESS: usize = 1;
const NORMAL: usize = 2;
const OCCLUSION: usize = 3;
const EMISSIVE: usize = 4;

/// What differs between two pictures in a slot: by how much of 255, and in dB.
fn between(slot: usize, a: ImageData, b: ImageData) -> Vec<(&'static str, Option<f64>, Option<f64>)> {
    let found = diff(&scene(slot, a, |_| {}), &scene(slot, b, |_| {}), 1e-4).unwrap();
    found.into_iter().map(|found| (found.what, found.size.map(|size| size * 255.0), found.psnr_db)).collect()
}

#[test]
fn pixels_count_and_how_they_are_encoded_does_not() {
    let picture = busy(5, 3);
    let (a, b) = (file(&picture), file_with_comment(&picture));
    assert_ne!(a, b);
    assert_eq!(between(BASE_COLOUR, a, b), []);
    let level = picture.pixels().as_flattened().to_vec();
    for slot in [METALLIC_ROUGHNESS, NORMAL, OCCLUSION] {
        assert_eq!(between(slot, file(&picture), pixels(PixelFormat::Rgba8, 5, 3, level.clone())), []);
    }
}

#[test]
fn a_difference_is_told_in_decibels_and_by_the_worst_channel() {
    let (a, mut b) = (busy(4, 2), busy(4, 2));
    b.pixels_mut()[3][1] ^= 8;
    let psnr = 10.0 * (255.0_f64.powi(2) * 8.0 * 3.0 / 64.0).log10();
    let [("pixels", Some(size), Some(found))] = between(BASE_COLOUR, file(&a), file(&b))[..] else { panic!() };
    assert!((size - 8.0).abs() < 1e-9 && (found - psnr).abs() < 1e-9, "{size} {found}");
    let (a, b) = (scene(BASE_COLOUR, file(&a), |_| {}), scene(BASE_COLOUR, file(&b), |_| {}));
    let [found] = &diff(&a, &b, 1e-4).unwrap()[..] else { panic!() };
    assert_eq!(
        (found.a.as_str(), found.b.as_str()),
        ("base colour image/png of 4 × 2", "image/png of 4 × 2, 43.9 dB apart, a channel by up to 8 of 255")
    );
    assert!(diff(&a, &b, 0.04).unwrap().is_empty(), "8 of 255 is 0.031");
}

#[test]
fn one_step_is_a_difference_between_numbers_that_mean_the_same() {
    let (a, mut b) = (busy(4, 4), busy(4, 4));
    b.pixels_mut()[0][0] ^= 1;
    assert_eq!(between(BASE_COLOUR, file(&a), file(&b)).len(), 1);
}

#[test]
fn channels_that_a_slot_does_not_use_do_not_count() {
    let (a, mut b) = (busy(4, 4), busy(4, 4));
    b.pixels_mut().iter_mut().for_each(|pixel| pixel[3] = 0);
    assert_eq!(between(BASE_COLOUR, file(&a), file(&b)), [], "nobody sees the opacity of what is opaque");
    b.pixels_mut().iter_mut().for_each(|pixel| pixel[0] = 0);
    assert_eq!(between(METALLIC_ROUGHNESS, file(&a), file(&b)), []);
    assert_eq!(between(OCCLUSION, file(&a), file(&b)).len(), 1);
    let blended = |picture: &Picture| {
        let mut scene = scene(BASE_COLOUR, file(picture), |_| {});
        scene.materials.iter_mut().for_each(|material| material.alpha = AlphaMode::Blend);
        scene
    };
    let mut clear = a.clone();
    clear.pixels_mut()[0][3] = 0;
    assert_eq!(diff(&blended(&a), &blended(&clear), 1e-4).unwrap()[0].size, Some(1.0));
}

#[test]
fn blocks_are_told_with_their_distance() {
    let picture = busy(8, 8);
    let blocks = bc7::encode(8, 8, picture.pixels(), Quality::Fast).unwrap();
    let exact = pixels(PixelFormat::Rgba8, 8, 8, picture.pixels().as_flattened().to_vec());
    let [("pixels", Some(size), Some(psnr))] = between(BASE_COLOUR, exact, pixels(PixelFormat::Bc7, 8, 8, blocks))[..]
    else {
        panic!()
    };
    assert!(size >= 1.0 && psnr > 10.0 && psnr < 60.0, "{size} {psnr}");
}

#[test]
fn linear_light_and_srgb_show_the_same() {
    // Every value of linear light, as sRGB in the file.
    let linear = Picture::new(256, 1, (0..=255).map(|value| [value, value, value, 255]).collect()).unwrap();
    let mut srgb = linear.clone();
    colour::Transfer::ToSrgb.apply(srgb.pixels_mut());
    let stored = || pixels(PixelFormat::Rgba8, 256, 1, linear.pixels().as_flattened().to_vec());
    assert_eq!(between(BASE_COLOUR, stored(), file(&srgb)), []);
    assert_eq!(between(BASE_COLOUR, file(&srgb), stored()), []);
    assert_eq!(between(BASE_COLOUR, stored(), file(&linear)).len(), 1, "the same numbers are another picture");
    assert_eq!(between(METALLIC_ROUGHNESS, stored(), file(&linear)), [], "what is no colour has one meaning");
}

#[test]
fn factors_make_up_for_pixels() {
    let [full, half] = [[200, 100, 50, 255], [100, 50, 25, 255]].map(|pixel| {
        let level = [pixel; 4].as_flattened().to_vec();
        pixels(PixelFormat::Rgba8, 2, 2, level)
    });
    let factored = scene(BASE_COLOUR, full.clone(), |pbr| pbr.base_colour = [0.5, 0.5, 0.5, 1.0]);
    let whats = |a: &Scene, b: &Scene| diff(a, b, 1e-4).unwrap().iter().map(|found| found.what).collect::<Vec<_>>();
    assert_eq!(whats(&factored, &scene(BASE_COLOUR, half.clone(), |_| {})), [""; 0]);
    assert_eq!(whats(&factored, &scene(BASE_COLOUR, full, |_| {})), ["base colours"], "the pixels are the same");
    let darker = scene(BASE_COLOUR, half, |pbr| pbr.base_colour = [0.5, 0.5, 0.5, 1.0]);
    assert_eq!(whats(&scene(BASE_COLOUR, file(&busy(2, 2)), |_| {}), &darker), ["pixels"], "factors are in them");
}

#[test]
fn light_beyond_full_strength_is_told_by_its_factor() {
    let shining = |value: u8, strength: f32| {
        let data = pixels(PixelFormat::Rgba8, 2, 1, vec![value; 8]);
        scene(EMISSIVE, data, |pbr| pbr.emissive_strength = strength)
    };
    let whats = |a: &Scene, b: &Scene| diff(a, b, 1e-4).unwrap().iter().map(|found| found.what).collect::<Vec<_>>();
    assert_eq!(whats(&shining(255, 4.0), &shining(254, 9.0)), ["emission"]);
}

#[test]
fn a_picture_of_one_pixel_is_a_factor() {
    let pixel = |value: u8| pixels(PixelFormat::Rgba8, 1, 1, vec![value, value, value, 255]);
    let without = |change: fn(&mut Pbr)| {
        scene(BASE_COLOUR, pixel(0), move |pbr| {
            pbr.base_colour_texture = None;
            change(pbr);
        })
    };
    let whats = |a: &Scene, b: &Scene| diff(a, b, 1e-4).unwrap().iter().map(|found| found.what).collect::<Vec<_>>();
    let half = without(|pbr| pbr.base_colour = [0.25, 0.25, 0.25, 1.0]);
    let painted = scene(BASE_COLOUR, pixel(128), |pbr| pbr.base_colour = [0.5, 0.5, 0.5, 1.0]);
    assert_eq!(whats(&painted, &half), [""; 0]);
    assert_eq!(whats(&half, &painted), [""; 0]);
    assert_eq!(whats(&painted, &without(|_| {})), ["base colours"]);
    let rough = scene(METALLIC_ROUGHNESS, pixel(51), |pbr| pbr.roughness = 0.5);
    assert_eq!(whats(&rough, &without(|pbr| (pbr.roughness, pbr.metallic) = (0.1, 0.2))), [""; 0]);
    assert_eq!(whats(&rough, &without(|pbr| (pbr.roughness, pbr.metallic) = (0.2, 0.1))), ["metalness and roughness"]);
    let two = pixels(PixelFormat::Rgba8, 2, 1, [[128, 128, 128, 255]; 2].as_flattened().to_vec());
    assert_eq!(whats(&scene(BASE_COLOUR, two, |_| {}), &half), ["textures", "base colours"]);
}

#[test]
fn two_channels_of_normals_tell_the_third() {
    let normals = Picture::new(2, 1, vec![[128, 128, 255, 255], [204, 128, 230, 255]]).unwrap();
    let two = || pixels(PixelFormat::Rg8, 2, 1, vec![128, 128, 204, 128]);
    assert_eq!(between(NORMAL, file(&normals), two()), []);
    assert_eq!(between(NORMAL, two(), file(&normals)), []);
    let turned = pixels(PixelFormat::Rg8, 2, 1, vec![128, 128, 128, 204]);
    assert_eq!(between(NORMAL, file(&normals), turned).len(), 1);
}

#[test]
fn normals_are_compared_as_directions_however_they_are_stored() {
    // Not of unit length, as painters leave them.
    let source = Picture::new(2, 1, vec![[200, 200, 200, 255], [128, 180, 210, 255]]).unwrap();
    let (mut four, _) = Normals { picture: &source, scale: 1.0, two_channels: false }.whole();
    let two: Vec<u8> = four.pixels().iter().flat_map(|&[x, y, ..]| [x, y]).collect();
    normal::rebuild_z(four.pixels_mut());
    assert!(apart(source.pixels(), four.pixels(), &[0, 1]).largest > 1, "the numbers are others");
    let stored = [
        file(&source),
        pixels(PixelFormat::Rgba8, 2, 1, four.pixels().as_flattened().to_vec()),
        pixels(PixelFormat::Rg8, 2, 1, two),
    ];
    for a in &stored {
        for b in &stored {
            assert_eq!(between(NORMAL, a.clone(), b.clone()), []);
        }
    }
    let turned = Picture::new(2, 1, vec![[210, 200, 200, 255], [128, 180, 210, 255]]).unwrap();
    let far: Vec<_> = stored.iter().map(|stored| between(NORMAL, stored.clone(), file(&turned))).collect();
    assert!(far.iter().all(|found| matches!(found[..], [("pixels", Some(size), _)] if size >= 3.0)), "{far:?}");
    let [up, down] = [255, 0].map(|blue| file(&Picture::new(1, 1, vec![[128, 128, blue, 255]]).unwrap()));
    let blue = |data| {
        // A map of which any pixel has blue has three channels.
        let mut picture = busy(2, 1);
        picture.pixels_mut()[1] = [128, 128, 255, 255];
        picture.pixels_mut()[0] = pictures::picture(&Image::new("", data)).unwrap().pixels()[0];
        file(&picture)
    };
    assert_eq!(between(NORMAL, blue(up), blue(down)).len(), 1, "below the surface is elsewhere");
}

#[test]
fn what_cannot_be_compared_pixel_by_pixel_is_told_without_a_distance() {
    assert_eq!(between(BASE_COLOUR, file(&busy(4, 4)), file(&busy(4, 2))), [("texture sizes", None, None)]);
    let unknown = |byte| ImageData::Encoded { mime: "image/ktx2".into(), bytes: vec![byte; 20].into() };
    assert_eq!(between(BASE_COLOUR, unknown(1), unknown(2)), [("pixels", None, None)]);
    assert_eq!(between(BASE_COLOUR, unknown(1), unknown(1)), []);
    let gone = |name: &str| ImageData::External(name.into());
    assert_eq!(between(BASE_COLOUR, gone("a.png"), gone("b.png")), [("image names", None, None)]);
    assert_eq!(between(BASE_COLOUR, gone("a.png"), file(&busy(4, 4))), [("pixels", None, None)]);
}

#[test]
fn packed_maps_are_compared_by_their_pixels_too() {
    let packed = |value: u8| {
        let mut scene = Scene::default();
        let maps = [[value; 4], [128, 128, 255, 255], [255, 255, 0, 0]].map(|pixel| {
            let data = pixels(PixelFormat::Rgba8, 2, 2, [pixel; 4].as_flattened().to_vec());
            let image = scene.images.push(Image::new("", data));
            maquette_scene::material::PackedTexture { image, wrap: Default::default() }
        });
        let [base_colour, normal, surface] = maps;
        let surface = PackedMaps { base_colour, normal, surface }.into();
        let material = scene.materials.push(Material { surface, ..Material::default() });
        with_triangle(scene, material)
    };
    assert!(diff(&packed(80), &packed(80), 1e-4).unwrap().is_empty());
    let found = diff(&packed(80), &packed(90), 1e-4).unwrap();
    assert_eq!(
        found.iter().map(|found| (found.what, found.size)).collect::<Vec<_>>(),
        [("pixels", Some(10.0 / 255.0))]
    );
}
