//! Tiny pictures of scenes made by hand, to the byte: what changes one of them changes what everybody sees.
//!
//! `MAQUETTE_UPDATE_FIXTURES=1 cargo test -p maquette-render --test golden` rewrites them; look at them before they are committed.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod scenes;

use maquette_render::{Background, Framing, Mode, Overlays, Samples, Shot, Stage, StageOptions, View, draw};
use maquette_scene::Scene;
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::material::{AlphaMode, Material, Pbr};
use maquette_scene::mesh::Influences;
use maquette_scene::scene::Skin;
use scenes::{add, image, material, place, quad, textured};
use std::path::Path;

const SIZE: [u32; 2] = [64, 48];

/// A ball of squares on a cube, by division: no function of the system has a say.
fn ball(scene: &mut Scene, middle: Vec3, pbr: Pbr) {
    const SIDE: u32 = 8;
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    for face in 0..6_u32 {
        let first = positions.len() as u32;
        for at in 0..(SIDE + 1) * (SIDE + 1) {
            let [a, b] = [at % (SIDE + 1), at / (SIDE + 1)].map(|step| 2.0 * step as f32 / SIDE as f32 - 1.0);
            let cube = match face {
                0 => Vec3::new(1.0, a, b),
                1 => Vec3::new(-1.0, b, a),
                2 => Vec3::new(b, 1.0, a),
                3 => Vec3::new(a, -1.0, b),
                4 => Vec3::new(a, b, 1.0),
                _ => Vec3::new(b, a, -1.0),
            };
            positions.push((middle + cube / cube.length()).to_array());
        }
        for row in 0..SIDE {
            for column in 0..SIDE {
                let a = first + row * (SIDE + 1) + column;
                indices.extend([a, a + 1, a + SIDE + 2, a, a + SIDE + 2, a + SIDE + 1]);
            }
        }
    }
    let node = add(scene, &positions, &indices, Material { surface: pbr.into(), ..Material::default() });
    let mesh = scene.nodes[node].mesh.unwrap();
    let normals = positions.iter().map(|at| (Vec3::from_array(*at) - middle).to_array()).collect();
    scene.meshes[mesh].primitives[0].streams.normals = Some(normals);
}

fn floor(scene: &mut Scene) {
    let positions = [[-3.0, -1.0, 3.0], [3.0, -1.0, 3.0], [3.0, -1.0, -3.0], [-3.0, -1.0, -3.0]];
    let pbr = Pbr { base_colour: [0.6, 0.6, 0.6, 1.0], metallic: 0.0, ..Pbr::default() };
    add(scene, &positions, &[0, 1, 2, 0, 2, 3], Material { surface: pbr.into(), ..Material::default() });
}

fn balls() -> Scene {
    let mut scene = Scene::default();
    floor(&mut scene);
    let red = Pbr { base_colour: [0.7, 0.05, 0.03, 1.0], metallic: 0.0, roughness: 0.35, ..Pbr::default() };
    ball(&mut scene, Vec3::new(-1.2, 0.0, 0.0), red);
    ball(
        &mut scene,
        Vec3::new(1.2, 0.0, 0.0),
        Pbr { base_colour: [0.9, 0.6, 0.2, 1.0], roughness: 0.2, ..Pbr::default() },
    );
    scene
}

/// A checker behind two panes, one of which is all or nothing.
fn panes() -> Scene {
    let mut scene = Scene::default();
    let texels = (0..16).map(|at| if (at % 4 + at / 4) % 2 == 0 { [230, 190, 60, 255] } else { [30, 60, 120, 255] });
    let checker = image(&mut scene, 4, 4, vec![texels.collect()]);
    quad(&mut scene, [0.0, 0.0], [4.0, 3.0], 0.0, textured(checker));
    let glass = Material { alpha: AlphaMode::Blend, ..material([1.0, 0.2, 0.2, 0.5]) };
    quad(&mut scene, [0.5, 0.5], [2.5, 2.5], 1.0, glass);
    let leaf: Vec<[u8; 4]> = (0..64_i32)
        .map(|at| {
            let (x, y) = (2 * (at % 8) - 7, 2 * (at / 8) - 7);
            [60, 200, 80, if x * x + y * y < 40 { 255 } else { 0 }]
        })
        .collect();
    let leaf = image(&mut scene, 8, 8, vec![leaf]);
    let masked = Material { alpha: AlphaMode::Mask(0.5), double_sided: true, ..textured(leaf) };
    quad(&mut scene, [2.0, 1.0], [4.0, 3.0], 0.5, masked);
    scene
}

/// A strip on two joints, and a clip that bends it.
fn strip() -> Scene {
    let mut scene = Scene::default();
    let positions: Vec<[f32; 3]> = (0..10).map(|at| [(at % 2) as f32 - 0.5, (at / 2) as f32 * 0.5, 0.0]).collect();
    let indices: Vec<u32> = (0..4).flat_map(|row| [0, 1, 3, 0, 3, 2].map(|corner| row * 2 + corner)).collect();
    let pbr = Pbr { base_colour: [0.2, 0.5, 0.8, 1.0], metallic: 0.0, roughness: 0.5, ..Pbr::default() };
    let blue = Material { surface: pbr.into(), double_sided: true, ..Material::default() };
    let node = add(&mut scene, &positions, &indices, blue);
    let joints = [0.0, 1.0].map(|y| {
        let joint = scene.nodes.push(Default::default());
        place(&mut scene, joint, Mat4::from_translation(Vec3::new(0.0, y, 0.0)));
        joint
    });
    scene.nodes[joints[0]].children.push(joints[1]);
    scene.roots.push(joints[0]);
    let inverse = [0.0, -1.0].map(|y| Mat4::from_translation(Vec3::new(0.0, y, 0.0))).to_vec();
    let skin = Skin { joints: joints.to_vec(), joint_from_mesh: inverse, ..Skin::default() };
    scene.nodes[node].skin = Some(scene.skins.push(skin));
    let lists: Vec<[(u32, f32); 2]> =
        (0..10).map(|at| [0.0, 0.25, 0.5, 0.75, 1.0][at / 2]).map(|up| [(0, 1.0 - up), (1, up)]).collect();
    let mesh = scene.nodes[node].mesh.unwrap();
    scene.meshes[mesh].primitives[0].streams.influences =
        Some(Influences::from_lists(lists.iter().map(|list| list.as_slice())));
    let values = vec![[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.6, 0.8]];
    let keys = Keys { times_secs: vec![0.0, 1.0], values, interpolation: Interpolation::Linear };
    let track = Track { target: Target::Node(joints[1]), curve: Curve::Rotation(keys), blend: None };
    scene.clips.push(Clip { name: "bend".into(), duration_secs: 1.0, tracks: vec![track], ..Clip::default() });
    scene
}

/// A picture is what it was.
fn holds(name: &str, scene: &Scene, view: View, secs: Option<f32>, shot: Shot) {
    let stage = Stage::new(scene, &StageOptions::default());
    let posed = stage.pose(secs.map(|secs| (scene.clips.iter().next().unwrap(), secs)));
    let camera = posed.camera(&Framing { view, ..Framing::default() }, SIZE);
    let picture = draw(&posed, &Shot { size: SIZE, camera, ..shot }).unwrap();
    let file = maquette_texture::png::encode_small(SIZE[0], SIZE[1], picture.pixels()).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.png"));
    if std::env::var_os("MAQUETTE_UPDATE_FIXTURES").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &file).unwrap();
    }
    let there = std::fs::read(&path).unwrap_or_default();
    assert!(there == file, "{name}.png is another picture now; MAQUETTE_UPDATE_FIXTURES=1 writes it, to be looked at");
}

#[test]
fn light_shadow_and_metal() {
    let view = Framing::default().view;
    holds("balls", &balls(), view, None, Shot::default());
    holds("balls-normal", &balls(), view, None, Shot { mode: Mode::VertexNormal, ..Shot::default() });
    holds("balls-wireframe", &balls(), view, None, Shot { mode: Mode::Wireframe, ..Shot::default() });
    let overlays = Overlays { grid: true, bounds: true, axes: true, skeleton: false };
    holds("balls-overlays", &balls(), view, None, Shot { overlays, ..Shot::default() });
}

#[test]
fn textures_panes_and_masks() {
    let shot = Shot { background: Background::Transparent, ..Shot::default() };
    holds("panes", &panes(), View::Front, None, shot.clone());
    holds("panes-opacity", &panes(), View::Front, None, Shot { mode: Mode::Opacity, ..shot.clone() });
    holds("panes-one-sample", &panes(), View::Front, None, Shot { samples: Samples::One, ..shot });
}

#[test]
fn joints_and_weights() {
    let overlays = Overlays { skeleton: true, ..Overlays::default() };
    holds("strip-bent", &strip(), View::Front, Some(0.8), Shot { overlays, ..Shot::default() });
    holds("strip-weights", &strip(), View::Front, Some(0.8), Shot { mode: Mode::Weights, ..Shot::default() });
}
