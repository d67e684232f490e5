//! Small files that come to much: what is held, drawn and looked at has an end, and is told where it is not all.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod scenes;

use maquette_render::{Instead, Shot, Stage, StageOptions, draw, parts};
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Quat, Vec3};
use maquette_scene::image::{Image, ImageData};
use maquette_scene::scene::Node;
use maquette_scene::{Bytes, Handle, Scene};
use scenes::{add, flat_shot, image, material, pixel, place, quad, textured};

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];

/// Four quads side by side, each with a texture of 64 × 64 pixels of its own.
fn four_textures() -> Scene {
    let mut scene = Scene::default();
    for (place, colour) in [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 0, 255]].iter().enumerate()
    {
        let image = image(&mut scene, 64, 64, vec![vec![*colour; 64 * 64]]);
        let left = place as f32 * 4.0;
        quad(&mut scene, [left, 0.0], [left + 4.0, 16.0], 0.0, textured(image));
    }
    scene
}

#[test]
fn textures_of_too_many_pixels_are_held_smaller_and_that_is_told() {
    let scene = four_textures();
    let whole = Stage::new(&scene, &StageOptions { most_pixels: 4 * 64 * 64, ..StageOptions::default() });
    assert_eq!(whole.missing(), []);
    let most_pixels = 4 * 64 * 64 - 1;
    let bounded = Stage::new(&scene, &StageOptions { most_pixels, ..StageOptions::default() });
    let told: Vec<_> = bounded.missing().iter().map(|missing| missing.instead).collect();
    assert_eq!(told, [Instead::Smaller; 4]);
    let why = &bounded.missing()[0].why;
    assert!(why.contains("32 × 32 of its 64 × 64") && why.contains("16383"), "{why}");
    let held = |stage: &Stage<'_>| -> usize {
        let textures = parts::textures(stage).iter().flatten();
        textures.map(|texture| texture.levels[0].pixels.len()).sum()
    };
    assert_eq!((held(&whole), held(&bounded)), (4 * 64 * 64, 4 * 32 * 32));
    let picture = |stage: &Stage<'_>| draw(&stage.pose(None), &flat_shot(16)).unwrap();
    assert!(picture(&whole) == picture(&bounded), "one colour each, at any size");
}

#[test]
fn images_that_are_the_same_bytes_are_one_texture() {
    let mut scene = Scene::default();
    let png = maquette_texture::png::encode(8, 8, &[[0, 255, 0, 255]; 64]).unwrap();
    let file = Bytes::shared(png);
    for place in 0..40 {
        let data = ImageData::Encoded { mime: "image/png".into(), bytes: file.range(0..file.len()) };
        let image = scene.images.push(Image::new(place.to_string(), data));
        quad(&mut scene, [0.0, 0.0], [4.0, 4.0], place as f32 * 0.1, textured(image));
    }
    let stage = Stage::new(&scene, &StageOptions::default());
    assert_eq!(parts::textures(&stage).len(), 1);
    assert_eq!(pixel(&draw(&stage.pose(None), &flat_shot(4)).unwrap(), 1, 1), [0, 255, 0, 255]);
}

/// A quad of four vertices, drawn by so many nodes side by side.
fn drawn_by_many(count: usize) -> Scene {
    let mut scene = Scene::default();
    let first = quad(&mut scene, [0.0, 0.0], [1.0, 16.0], 0.0, material(RED));
    let mesh = scene.nodes[first].mesh;
    for place_of in 1..count {
        let node = scene.nodes.push(Node { mesh, ..Node::default() });
        scene.roots.push(node);
        place(&mut scene, node, Mat4::from_translation(Vec3::X * place_of as f32));
    }
    scene
}

#[test]
fn vertices_of_meshes_that_many_nodes_draw_have_a_bound_and_what_is_beyond_is_told() {
    let scene = drawn_by_many(16);
    let whole = Stage::new(&scene, &StageOptions { most_vertices: 64, ..StageOptions::default() });
    assert_eq!((whole.left_out(), whole.pose(None).positions().len()), (None, 64));
    let bounded = Stage::new(&scene, &StageOptions { most_vertices: 63, ..StageOptions::default() });
    let left_out = bounded.left_out().unwrap();
    assert_eq!((left_out.parts, left_out.vertices, left_out.most), (1, 64, 63));
    assert!(left_out.to_string().contains("64 vertices, and at most 63"), "{left_out}");
    assert_eq!(bounded.pose(None).positions().len(), 60);
    let picture = draw(&bounded.pose(None), &flat_shot(16)).unwrap();
    assert_eq!([14, 15].map(|x| pixel(&picture, x, 8)[3]), [255, 0]);
}

#[test]
fn triangles_count_where_there_are_many_for_a_vertex_and_what_is_drawn_once_always_has_room() {
    let mut scene = drawn_by_many(16);
    let mesh = scene.nodes.iter().next().unwrap().mesh.unwrap();
    scene.meshes[mesh].primitives[0].indices = [0, 1, 2].repeat(80);
    let stage =
        |scene: &Scene| Stage::new(scene, &StageOptions { most_vertices: 64, ..StageOptions::default() }).left_out();
    assert_eq!(stage(&scene).unwrap().vertices, 16 * 40);
    assert_eq!(stage(&drawn_by_many(1)), None);
    let many: Vec<[f32; 3]> = (0..300).map(|x| [x as f32, 0.0, 0.0]).collect();
    let mut once = Scene::default();
    add(&mut once, &many, &[0, 1, 2], material(RED));
    assert_eq!(stage(&once), None);
}

#[test]
fn a_vertex_that_is_nowhere_takes_its_own_triangles_away_and_is_counted() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut scene = Scene::default();
        let node = quad(&mut scene, [0.0, 0.0], [8.0, 8.0], 0.0, material(RED));
        let mesh = scene.nodes[node].mesh.unwrap();
        scene.meshes[mesh].primitives[0].streams.positions[1][0] = bad;
        let stage = Stage::new(&scene, &StageOptions::default());
        let posed = stage.pose(None);
        assert_eq!(posed.nowhere(), 1);
        let picture = draw(&posed, &flat_shot(8)).unwrap();
        assert_eq!([pixel(&picture, 1, 1)[3], pixel(&picture, 6, 6)[3]], [255, 0]);
    }
}

fn clip_of(curve: Curve, node: Handle<Node>) -> Clip {
    let tracks = vec![Track { target: Target::Node(node), curve, blend: None }];
    Clip { duration_secs: 33.3, tracks, ..Clip::default() }
}

/// A thousand keys, all of them the first value but one that the even moments do not meet.
fn spike<T: Copy>(usual: T, there: T) -> Keys<T> {
    let times_secs = (0..1000).map(|key| key as f32 / 30.0).collect();
    let values = (0..1000).map(|key| if key == 777 { there } else { usual }).collect();
    Keys { times_secs, values, interpolation: Interpolation::Linear }
}

#[test]
fn one_key_far_away_is_within_the_bounds_of_a_clip() {
    let mut scene = Scene::default();
    let node = quad(&mut scene, [0.0, 0.0], [4.0, 1.0], 0.0, material(RED));
    let stage = Stage::new(&scene, &StageOptions::default());
    let bounds = |curve: Curve| stage.bounds_of(&clip_of(curve, node)).unwrap();
    assert_eq!(bounds(Curve::Translation(spike([0.0; 3], [0.0, 6.0, -2.0]))).max, Vec3::new(4.0, 7.0, 0.0));
    assert_eq!(bounds(Curve::Translation(spike([0.0; 3], [0.0, 6.0, -2.0]))).min, Vec3::new(0.0, 0.0, -2.0));
    assert_eq!(bounds(Curve::Scale(spike([1.0; 3], [1.0, 9.0, 1.0]))).max.y, 9.0);
    let turn = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2).to_array();
    assert!((bounds(Curve::Rotation(spike([0.0, 0.0, 0.0, 1.0], turn))).max.y - 4.0).abs() < 1e-5);
}

#[test]
fn bones_alone_are_within_the_bounds_of_a_clip() {
    let mut scene = Scene::default();
    let node = scene.nodes.push(Node::default());
    scene.roots.push(node);
    let stage = Stage::new(&scene, &StageOptions::default());
    let clip = clip_of(Curve::Translation(spike([0.0; 3], [0.0, 6.0, 0.0])), node);
    assert!(stage.bounds_of(&clip).unwrap().max.y >= 6.0);
    assert!(draw(&stage.pose(Some((&clip, 1.0))), &Shot { size: [4, 4], ..Shot::default() }).is_ok());
}
