//! Coordinates after merging are where the textures were looked up before.

use super::*;
use maquette_scene::loss::Lost;
use maquette_scene::mesh::{Mesh, Streams};
use maquette_texture::png;

fn scene(uvs: Vec<Vec<[f32; 2]>>) -> (Scene, Handle<Image>) {
    let mut scene = Scene::default();
    let bytes = png::encode(2, 1, &[[0, 0, 0, 255], [255, 255, 255, 255]]).unwrap();
    let data = ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() };
    let image = scene.images.push(Image::new("half", data));
    let streams = Streams { positions: vec![[0.0; 3]; 3], uvs, ..Streams::default() };
    let material = scene.materials.push(Material::default());
    let primitive = Primitive { streams, indices: vec![0, 1, 2], material: Some(material), ..Primitive::default() };
    scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    (scene, image)
}

fn merged(scene: &mut Scene) -> LossReport {
    let mut losses = LossReport::default();
    merge(scene, TextureStorage::Pixels, &mut losses);
    losses
}

fn first_uvs(scene: &Scene) -> &[[f32; 2]] {
    &scene.meshes.iter().next().unwrap().primitives[0].streams.uvs[0]
}

fn material(scene: &mut Scene) -> &mut Pbr {
    scene.materials.iter_mut().next().unwrap().pbr_mut().unwrap()
}

#[test]
fn a_transform_scales_turns_and_moves() {
    let (mut scene, image) = scene(vec![vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]]);
    let quarter = std::f32::consts::FRAC_PI_2;
    let transform = Some(UvTransform { offset: [0.5, 0.25], rotation: quarter, scale: [2.0, 3.0] });
    material(&mut scene).base_colour_texture = Some(TextureUse { transform, ..TextureUse::new(image) });
    material(&mut scene).normal_texture = Some(TextureUse { transform, ..TextureUse::new(image) });
    let losses = merged(&mut scene);
    // A quarter turn counter-clockwise with V downwards takes right to up.
    let expected = [[0.5, 0.25], [0.5, -1.75], [3.5, 0.25]];
    for (found, right) in first_uvs(&scene).iter().flatten().zip(expected.as_flattened()) {
        assert!((found - right).abs() < 1e-6, "{:?}", first_uvs(&scene));
    }
    assert!(material(&mut scene).textures().all(|(_, texture)| texture.transform.is_none()));
    let losses: Vec<_> = losses.losses().iter().map(|loss| (loss.kind.word(), loss.what)).collect();
    assert_eq!(losses, [("baked", Lost::TextureTransforms)]);
}

#[test]
fn the_set_of_the_base_colour_becomes_the_first() {
    let (mut scene, image) = scene(vec![vec![[0.0; 2]; 3], vec![[0.5; 2]; 3]]);
    material(&mut scene).base_colour_texture = Some(TextureUse { uv_set: 1, ..TextureUse::new(image) });
    material(&mut scene).occlusion_texture = Some(TextureUse::new(image));
    material(&mut scene).normal_texture = Some(TextureUse::new(image));
    let losses = merged(&mut scene);
    assert_eq!(first_uvs(&scene), [[0.5; 2]; 3]);
    let told: Vec<&str> = losses.losses().iter().map(|loss| loss.detail.rsplit("; ").next().unwrap()).collect();
    assert_eq!(told, ["it is left out", "its average is kept"], "{losses}");
    // Normals cannot be averaged; half white is half of the light for numbers.
    assert_eq!(material(&mut scene).normal_texture, None);
    let average = material(&mut scene).occlusion_texture.clone().unwrap().image;
    let ImageData::Pixels { levels, .. } = &*scene.images.get(average).unwrap().data else { panic!("no pixels") };
    assert_eq!((levels.len(), &*levels[0]), (1, &[128, 128, 128, 255][..]));
}

#[test]
fn sets_with_the_same_numbers_are_the_same() {
    let (mut scene, image) = scene(vec![vec![[0.25; 2]; 3], vec![[0.25; 2]; 3]]);
    material(&mut scene).base_colour_texture = Some(TextureUse::new(image));
    material(&mut scene).occlusion_texture = Some(TextureUse { uv_set: 1, ..TextureUse::new(image) });
    assert!(merged(&mut scene).is_empty());
    assert_eq!(material(&mut scene).occlusion_texture, Some(TextureUse::new(image)));
}

#[test]
fn a_texture_that_is_moved_otherwise_is_named() {
    let (mut scene, image) = scene(vec![vec![[0.25; 2]; 3]]);
    let transform = Some(UvTransform { offset: [0.5, 0.0], rotation: 0.0, scale: [1.0; 2] });
    material(&mut scene).base_colour_texture = Some(TextureUse::new(image));
    material(&mut scene).emissive_texture = Some(TextureUse { transform, ..TextureUse::new(image) });
    let losses = merged(&mut scene);
    assert_eq!(first_uvs(&scene), [[0.25; 2]; 3]);
    assert_eq!((losses.losses()[0].kind, losses.losses()[0].what), (LossKind::Dropped, Lost::TextureTransforms));
}
