//! Small scenes: what mixes, what is cut out, mirrored, seen from behind, textured, morphed and bound to joints.

use crate::hold::{CLOSE, Within, both, holds, renderer, scene_holds};
use crate::scenes::{add, image, material, place, quad, textured};
use maquette_render::{Background, Framing, Mode, Overlays, Projection, Shot, Stage, StageOptions, View};
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::material::{AlphaMode, Filter, Material, Pbr, TextureUse, UvTransform, Wrap};
use maquette_scene::mesh::{Influences, MorphTarget, Topology};
use maquette_scene::scene::{Node, Skin};
use maquette_scene::{Handle, Scene};

const SIZE: [u32; 2] = [160, 128];

fn shot() -> Shot {
    Shot { size: SIZE, ..Shot::default() }
}

fn lit(base_colour: [f32; 4], roughness: f32, metallic: f32) -> Material {
    let pbr = Pbr { base_colour, roughness, metallic, ..Pbr::default() };
    Material { surface: pbr.into(), ..Material::default() }
}

/// Where fields of the checker meet, a hair's breadth decides for one or the other.
fn hard_edged(mode: Mode) -> Within {
    match mode {
        Mode::UvChecker => Within { ssim: 0.99, mean: 0.2, most: 2 },
        _ => CLOSE,
    }
}

/// A ball with or without normals.
fn ball(scene: &mut Scene, middle: Vec3, material: Material, smooth: Smooth) -> Handle<Node> {
    const SIDE: u32 = 12;
    let (mut positions, mut uvs, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..(SIDE + 1) * (2 * SIDE + 1) {
        let [around, up] = [at % (2 * SIDE + 1), at / (2 * SIDE + 1)].map(|step| step as f32 / SIDE as f32);
        let (sin, cos) = (around * std::f32::consts::PI).sin_cos();
        let (wide, high) = (up * std::f32::consts::PI).sin_cos();
        positions.push((middle + Vec3::new(wide * cos, high, -wide * sin)).to_array());
        uvs.push([around * 0.5, up]);
    }
    for row in 0..SIDE {
        for column in 0..2 * SIDE {
            let a = row * (2 * SIDE + 1) + column;
            let below = a + 2 * SIDE + 1;
            indices.extend([a, below, below + 1, a, below + 1, a + 1]);
        }
    }
    let node = add(scene, &positions, &indices, material);
    let mesh = scene.nodes[node].mesh.unwrap();
    let streams = &mut scene.meshes[mesh].primitives[0].streams;
    if smooth == Smooth::Yes {
        let normals = positions.iter().map(|at| (Vec3::from_array(*at) - middle).to_array());
        streams.normals = Some(normals.collect());
    }
    streams.uvs = vec![uvs];
    node
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Smooth {
    Yes,
    No,
}

fn checker(scene: &mut Scene) -> Handle<maquette_scene::image::Image> {
    let texels = (0..64).map(|at| if (at % 8 + at / 8) % 2 == 0 { [230, 190, 60, 255] } else { [30, 60, 120, 255] });
    image(scene, 8, 8, vec![texels.collect()])
}

fn floor(scene: &mut Scene, material: Material) -> Handle<Node> {
    let positions = [[-3.0, -1.0, 3.0], [3.0, -1.0, 3.0], [3.0, -1.0, -3.0], [-3.0, -1.0, -3.0]];
    let node = add(scene, &positions, &[0, 1, 2, 0, 2, 3], material);
    let mesh = scene.nodes[node].mesh.unwrap();
    scene.meshes[mesh].primitives[0].streams.uvs = vec![vec![[0.0, 8.0], [8.0, 8.0], [8.0, 0.0], [0.0, 0.0]]];
    node
}

#[test]
fn metal_plastic_and_what_is_flat_in_light() {
    let mut scene = Scene::default();
    floor(&mut scene, lit([0.6, 0.6, 0.6, 1.0], 0.9, 0.0));
    ball(&mut scene, Vec3::new(-2.2, 0.0, 0.0), lit([0.7, 0.05, 0.03, 1.0], 0.35, 0.0), Smooth::Yes);
    ball(&mut scene, Vec3::new(0.0, 0.0, 0.0), lit([0.9, 0.6, 0.2, 1.0], 0.2, 1.0), Smooth::Yes);
    ball(&mut scene, Vec3::new(2.2, 0.0, 0.0), lit([0.2, 0.4, 0.9, 1.0], 0.5, 0.0), Smooth::No);
    for view in [Framing::default().view, View::Front, View::Iso] {
        scene_holds("balls", &scene, view, &shot(), CLOSE);
    }
}

#[test]
fn without_perspective() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    floor(&mut scene, lit([0.6, 0.6, 0.6, 1.0], 0.9, 0.0));
    ball(&mut scene, Vec3::ZERO, lit([0.7, 0.05, 0.03, 1.0], 0.35, 0.0), Smooth::Yes);
    let stage = Stage::new(&scene, &StageOptions::default());
    let posed = stage.pose(None);
    let camera = posed.camera(&Framing { fov_y_radians: None, ..Framing::default() }, SIZE);
    let overlays = Overlays { grid: true, axes: true, bounds: true, skeleton: true };
    for mode in [Mode::Shaded, Mode::Wireframe, Mode::VertexPosition] {
        let pictures = both(renderer, &posed, &Shot { camera, overlays, mode, ..shot() });
        holds(&format!("orthographic-{}", mode.word()), &pictures, CLOSE);
    }
}

#[test]
fn from_within_what_is_behind_the_camera_is_cut_off() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    let texture = checker(&mut scene);
    floor(&mut scene, textured(texture));
    let inside = Material { double_sided: true, ..lit([0.5, 0.7, 0.5, 1.0], 0.6, 0.0) };
    ball(&mut scene, Vec3::ZERO, inside, Smooth::Yes);
    let stage = Stage::new(&scene, &StageOptions::default());
    let posed = stage.pose(None);
    let mut camera = posed.camera(&Framing::default(), SIZE);
    camera.world_from_camera.w_axis = Vec3::new(0.1, -0.2, 0.3).extend(1.0);
    (camera.near, camera.projection) = (0.05, Projection::Perspective { fov_y_radians: 1.4 });
    let overlays = Overlays { grid: true, axes: true, bounds: true, skeleton: false };
    for mode in [Mode::Shaded, Mode::UvChecker, Mode::Wireframe] {
        let pictures = both(renderer, &posed, &Shot { camera, overlays, mode, ..shot() });
        holds(&format!("within-{}", mode.word()), &pictures, hard_edged(mode));
    }
}

#[test]
fn panes_and_leaves() {
    let mut scene = Scene::default();
    let texture = checker(&mut scene);
    quad(&mut scene, [0.0, 0.0], [4.0, 3.0], 0.0, textured(texture));
    let glass = Material { alpha: AlphaMode::Blend, ..material([1.0, 0.2, 0.2, 0.5]) };
    quad(&mut scene, [0.5, 0.5], [2.5, 2.5], 1.0, glass);
    let shine = Material { alpha: AlphaMode::Blend, double_sided: true, ..lit([0.2, 0.9, 0.4, 0.35], 0.2, 0.0) };
    quad(&mut scene, [1.5, 1.0], [3.5, 2.8], 0.5, shine);
    let leaf = (0..256_i32).map(|at| {
        let (x, y) = (2 * (at % 16) - 15, 2 * (at / 16) - 15);
        [60, 200, 80, (255 - (x * x + y * y)).clamp(0, 255) as u8]
    });
    let leaf = image(&mut scene, 16, 16, vec![leaf.collect()]);
    let masked = Material { alpha: AlphaMode::Mask(0.5), double_sided: true, ..textured(leaf) };
    quad(&mut scene, [2.0, 1.0], [4.0, 3.0], 1.5, masked);
    for background in [Background::Transparent, Background::default()] {
        for view in [View::Front, Framing::default().view, View::Back] {
            for mode in [Mode::Shaded, Mode::BaseColour, Mode::Opacity, Mode::VertexNormal] {
                let shot = Shot { background, mode, ..shot() };
                scene_holds(&format!("panes-{}", mode.word()), &scene, view, &shot, CLOSE);
            }
        }
    }
}

#[test]
fn mirrored_and_seen_from_behind() {
    for double_sided in [false, true] {
        for scale in [Vec3::ONE, Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, -0.5, 1.0)] {
            for smooth in [Smooth::Yes, Smooth::No] {
                let mut scene = Scene::default();
                let texture = checker(&mut scene);
                let bumps = (0..64).map(|at| [128 + (at % 8) as u8 * 10, 90 + (at / 8) as u8 * 10, 250, 255]);
                let bumps = image(&mut scene, 8, 8, vec![bumps.collect()]);
                let pbr = Pbr {
                    base_colour_texture: Some(TextureUse::new(texture)),
                    normal_texture: Some(TextureUse::new(bumps)),
                    roughness: 0.4,
                    metallic: 0.0,
                    ..Pbr::default()
                };
                let material = Material { surface: pbr.into(), double_sided, ..Material::default() };
                let node = ball(&mut scene, Vec3::ZERO, material, smooth);
                // Open at one side, so that the inside is seen.
                let mesh = scene.nodes[node].mesh.unwrap();
                let indices = &mut scene.meshes[mesh].primitives[0].indices;
                indices.truncate(indices.len() / 3 * 2);
                place(&mut scene, node, Mat4::from_scale(scale));
                for mode in [Mode::Shaded, Mode::NormalMap, Mode::VertexTangent, Mode::VertexBitangent] {
                    let name = format!("mirrored-{}-{scale}", mode.word());
                    let shot = Shot { mode, ..shot() };
                    let within = Within { ssim: 0.991, mean: 0.3, most: 8 };
                    scene_holds(&name, &scene, View::Orbit { yaw_radians: 0.6, pitch_radians: -0.5 }, &shot, within);
                }
            }
        }
    }
}

#[test]
fn textures_lie_as_they_are_told() {
    for wrap in [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp] {
        for magnify in [None, Some(9728)] {
            let mut scene = Scene::default();
            let texture = checker(&mut scene);
            let lies = TextureUse {
                wrap: [wrap; 2],
                filter: Filter { magnify, ..Filter::default() },
                transform: Some(UvTransform { offset: [0.1, 0.2], rotation: 0.4, scale: [0.5, 0.7] }),
                ..TextureUse::new(texture)
            };
            let pbr = Pbr { base_colour_texture: Some(lies), ..Pbr::default() };
            let unlit = Material { surface: pbr.into(), unlit: true, ..Material::default() };
            floor(&mut scene, unlit.clone());
            quad(&mut scene, [-2.0, -1.0], [2.0, 2.0], -3.0, unlit);
            let name = format!("wrapped-{wrap:?}-{magnify:?}");
            let within = magnify.map_or(CLOSE, |_| Within { ssim: 0.992, mean: 0.22, most: 3 });
            scene_holds(&name, &scene, Framing::default().view, &shot(), within);
        }
    }
}

#[test]
fn a_floor_to_the_horizon_stays_sharp() {
    let mut scene = Scene::default();
    let texture = checker(&mut scene);
    let node = floor(&mut scene, textured(texture));
    let mesh = scene.nodes[node].mesh.unwrap();
    for uv in &mut scene.meshes[mesh].primitives[0].streams.uvs[0] {
        *uv = uv.map(|along| along * 4.0);
    }
    scene_holds("horizon", &scene, View::Orbit { yaw_radians: 0.2, pitch_radians: 0.06 }, &shot(), CLOSE);
}

#[test]
fn other_coordinates_and_colours_of_vertices() {
    let mut scene = Scene::default();
    let texture = checker(&mut scene);
    let pbr = Pbr { base_colour_texture: Some(TextureUse { uv_set: 3, ..TextureUse::new(texture) }), ..Pbr::default() };
    let node = floor(&mut scene, Material { surface: pbr.into(), unlit: true, ..Material::default() });
    let mesh = scene.nodes[node].mesh.unwrap();
    let streams = &mut scene.meshes[mesh].primitives[0].streams;
    let first = streams.uvs[0].clone();
    let turned = first.iter().map(|[u, v]| [v * 0.3, u * 0.2]).collect();
    streams.uvs = vec![first.clone(), first.clone(), first, turned];
    streams.colours =
        vec![vec![[1.0, 0.2, 0.2, 1.0], [0.2, 1.0, 0.2, 0.5], [0.2, 0.2, 1.0, 1.0], [1.5, 1.0, 1.0, 1.0]]];
    for mode in [Mode::Shaded, Mode::BaseColour, Mode::Opacity, Mode::UvChecker, Mode::TexelDensity] {
        let shot = Shot { mode, ..shot() };
        scene_holds(&format!("sets-{}", mode.word()), &scene, Framing::default().view, &shot, hard_edged(mode));
    }
}

#[test]
fn shapes_are_mixed_in() {
    for weight in [0.0, 0.5, 1.0] {
        let mut scene = Scene::default();
        let node = ball(&mut scene, Vec3::ZERO, lit([0.7, 0.5, 0.3, 1.0], 0.5, 0.0), Smooth::Yes);
        let mesh = scene.nodes[node].mesh.unwrap();
        let primitive = &mut scene.meshes[mesh].primitives[0];
        let shift = primitive.streams.positions.iter().map(|[x, y, z]| [x * y, y.abs() * 0.8, z * y]);
        primitive.morph_targets = vec![MorphTarget { positions: shift.collect(), ..MorphTarget::default() }];
        scene.meshes[mesh].morph_names = vec![String::new()];
        scene.meshes[mesh].morph_weights = vec![weight];
        scene_holds(&format!("morph-{weight}"), &scene, View::Front, &shot(), CLOSE);
    }
}

#[test]
fn joints_bend() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    let positions: Vec<[f32; 3]> = (0..10).map(|at| [(at % 2) as f32 - 0.5, (at / 2) as f32 * 0.5, 0.0]).collect();
    let indices: Vec<u32> = (0..4).flat_map(|row| [0, 1, 3, 0, 3, 2].map(|corner| row * 2 + corner)).collect();
    let blue = Material { double_sided: true, ..lit([0.2, 0.5, 0.8, 1.0], 0.5, 0.0) };
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
        (0..10).map(|at| (at / 2) as f32 * 0.25).map(|up| [(0, 1.0 - up), (1, up)]).collect();
    let mesh = scene.nodes[node].mesh.unwrap();
    scene.meshes[mesh].primitives[0].streams.influences =
        Some(Influences::from_lists(lists.iter().map(|list| list.as_slice())));
    let values = vec![[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.6, 0.8]];
    let keys = Keys { times_secs: vec![0.0, 1.0], values, interpolation: Interpolation::Linear };
    let track = Track { target: Target::Node(joints[1]), curve: Curve::Rotation(keys), blend: None };
    let clip = Clip { name: "bend".into(), duration_secs: 1.0, tracks: vec![track], ..Clip::default() };
    let stage = Stage::new(&scene, &StageOptions::default());
    let overlays = Overlays { skeleton: true, ..Overlays::default() };
    for secs in [0.0, 0.4, 0.9] {
        let posed = stage.pose(Some((&clip, secs)));
        let camera = posed.camera(&Framing::default(), SIZE);
        for mode in [Mode::Shaded, Mode::Weights, Mode::InfluenceCount] {
            let pictures = both(renderer, &posed, &Shot { camera, overlays, mode, ..shot() });
            holds(&format!("joints-{}-{secs}", mode.word()), &pictures, CLOSE);
        }
    }
}

#[test]
fn lines_alone_and_with_triangles() {
    let mut scene = Scene::default();
    let positions: Vec<[f32; 3]> = (0..12)
        .map(|at| [(at as f32 * 1.3).sin() * 2.0, at as f32 * 0.3 - 1.5, (at as f32 * 0.9).cos() * 2.0])
        .collect();
    let indices: Vec<u32> = (0..11).flat_map(|at| [at, at + 1]).chain([3, 77]).collect();
    let node = add(&mut scene, &positions, &indices, material([0.9, 0.3, 0.1, 1.0]));
    let mesh = scene.nodes[node].mesh.unwrap();
    scene.meshes[mesh].primitives[0].topology = Topology::Lines;
    scene_holds("lines", &scene, Framing::default().view, &shot(), CLOSE);
    ball(&mut scene, Vec3::ZERO, lit([0.5, 0.5, 0.5, 1.0], 0.5, 0.0), Smooth::Yes);
    for mode in [Mode::Shaded, Mode::Wireframe, Mode::Overdraw, Mode::VertexNormal] {
        let name = format!("lines-{}", mode.word());
        scene_holds(&name, &scene, Framing::default().view, &Shot { mode, ..shot() }, CLOSE);
    }
}
