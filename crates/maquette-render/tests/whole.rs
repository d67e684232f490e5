//! What holds for every picture: nothing is covered twice or not at all, no number of threads changes a byte, and nothing panics.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod scenes;

use maquette_render::{Background, Framing, Mode, Overlays, Samples, Shot, Stage, StageOptions, View, draw};
use maquette_scene::Scene;
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::material::{AlphaMode, Material, Pbr, TextureUse};
use maquette_scene::mesh::Topology;
use proptest::prelude::*;
use scenes::{add, flat_shot, image, material, place, quad, taken};

/// A grid of moved corners on a plane, each cell cut along one diagonal or the other.
fn crumpled(corners: &[[f32; 2]], side: usize, cuts: u64) -> Scene {
    let mut scene = Scene::default();
    let positions: Vec<[f32; 3]> = corners.iter().map(|[x, y]| [*x, *y, 0.0]).collect();
    let mut indices = Vec::new();
    for row in 0..side - 1 {
        for column in 0..side - 1 {
            let a = (row * side + column) as u32;
            let [a, b, c, d] = [a, a + 1, a + 1 + side as u32, a + side as u32];
            let cut = cuts >> ((row * (side - 1) + column) % 64) & 1 == 0;
            indices.extend(if cut { [a, b, c, a, c, d] } else { [a, b, d, b, c, d] });
        }
    }
    add(&mut scene, &positions, &indices, Material { double_sided: true, ..material([1.0; 4]) });
    scene
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Where no triangle turns over, every sample within is covered once, and the overdraw of all of them is that of one.
    #[test]
    fn shared_edges_cover_every_sample_once(
        moves in proptest::collection::vec((-0.2_f32..0.2, -0.2_f32..0.2), 49),
        cuts in any::<u64>(),
        turn in 0.0_f32..6.3,
    ) {
        let side = 7_usize;
        let (sin, cos) = turn.sin_cos();
        let corners: Vec<[f32; 2]> = moves.iter().enumerate().map(|(at, (dx, dy))| {
            let [x, y] = [(at % side) as f32 - 3.0, (at / side) as f32 - 3.0];
            let is_rim = (at % side).is_multiple_of(side - 1) || (at / side).is_multiple_of(side - 1);
            let [x, y] = if is_rim { [x, y] } else { [x + dx, y + dy] };
            [24.0 + 7.0 * (x * cos - y * sin), 24.0 + 7.0 * (x * sin + y * cos)]
        }).collect();
        let scene = crumpled(&corners, side, cuts);
        let rim = [corners[0], corners[side - 1], corners[side * side - 1], corners[side * (side - 1)]];
        let mut whole = Scene::default();
        let positions = rim.map(|[x, y]| [x, y, 0.0]);
        add(&mut whole, &positions, &[0, 1, 2, 0, 2, 3], Material { double_sided: true, ..material([1.0; 4]) });
        for samples in [Samples::One, Samples::Four, Samples::Eight] {
            let shot = Shot { mode: Mode::Overdraw, samples, ..flat_shot(48) };
            let (pieces, one) = (taken(&scene, &shot), taken(&whole, &shot));
            // Along the rim the corners of pieces are rounded by themselves: only what is well inside has to be the same.
            let inside = |x: usize, y: usize| {
                let [x, y] = [x as f32 - 23.5, 23.5 - y as f32];
                let [u, v] = [x * cos + y * sin, -x * sin + y * cos];
                u.abs() < 20.0 && v.abs() < 20.0
            };
            for y in 0..48 {
                for x in (0..48).filter(|x| inside(*x, y)) {
                    prop_assert_eq!(scenes::pixel(&pieces, x, y), scenes::pixel(&one, x, y));
                }
            }
        }
    }
}

/// Something of everything: light, textures, glass, leaves, lines, overlays.
fn everything() -> (Scene, Shot) {
    let mut scene = Scene::default();
    let texels: Vec<[u8; 4]> = (0..64 * 64_u32).map(|at| (at.wrapping_mul(0x9e37_79b9)).to_le_bytes()).collect();
    let image = image(&mut scene, 64, 64, vec![texels]);
    let pbr = |metallic| Pbr {
        base_colour_texture: Some(TextureUse::new(image)),
        metallic_roughness_texture: Some(TextureUse::new(image)),
        normal_texture: Some(TextureUse::new(image)),
        metallic,
        ..Pbr::default()
    };
    for (at, alpha) in [AlphaMode::Opaque, AlphaMode::Mask(0.5), AlphaMode::Blend].into_iter().enumerate() {
        let material =
            Material { surface: pbr(at as f32 * 0.4).into(), alpha, double_sided: true, ..Material::default() };
        let node = quad(&mut scene, [-2.0, -2.0], [2.0, 2.0], 0.0, material);
        let (sin, cos) = (at as f32).sin_cos();
        let matrix = Mat4::from_cols(
            [cos, 0.0, sin, 0.0].into(),
            [0.0, 1.0, 0.0, 0.0].into(),
            [-sin, 0.0, cos, 0.0].into(),
            [at as f32 * 0.5, 0.1, 0.0, 1.0].into(),
        );
        place(&mut scene, node, matrix);
    }
    let node = add(&mut scene, &[[-3.0, -3.0, 0.0], [3.0, 3.0, 1.0]], &[0, 1], material([1.0, 0.5, 0.0, 1.0]));
    let mesh = scene.nodes[node].mesh.unwrap();
    scene.meshes[mesh].primitives[0].topology = Topology::Lines;
    let overlays = Overlays { skeleton: true, grid: true, bounds: true, axes: true };
    (scene, Shot { size: [150, 110], overlays, ..Shot::default() })
}

#[test]
fn any_number_of_threads_draws_the_same_bytes() {
    let (scene, shot) = everything();
    let mut before = None;
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let pictures = pool.install(|| {
            let stage = Stage::new(&scene, &StageOptions::default());
            let posed = stage.pose(None);
            let camera = posed.camera(&Framing::default(), shot.size);
            Mode::ALL.map(|mode| draw(&posed, &Shot { mode, camera, ..shot.clone() }).unwrap())
        });
        let before = before.get_or_insert_with(|| pictures.clone());
        assert!(*before == pictures, "{threads} threads");
    }
}

#[test]
fn textures_that_a_mode_does_not_need_do_not_change_its_picture() {
    let (scene, shot) = everything();
    let whole = Stage::new(&scene, &StageOptions::default());
    for mode in Mode::ALL {
        let only = Stage::new(&scene, &StageOptions { only: Some(mode), ..StageOptions::default() });
        let camera = whole.pose(None).camera(&Framing::default(), shot.size);
        let shot = Shot { mode, camera, ..shot.clone() };
        assert!(draw(&whole.pose(None), &shot) == draw(&only.pose(None), &shot), "{mode:?}");
    }
}

fn hostile_number() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => -2.0_f32..2.0,
        1 => prop::sample::select(vec![0.0, -0.0, 1e30, -1e30, 3e38, -3e38, 1e-38, f32::NAN, f32::INFINITY, f32::NEG_INFINITY]),
        1 => any::<f32>(),
    ]
}

fn hostile_vector() -> impl Strategy<Value = [f32; 3]> {
    [hostile_number(), hostile_number(), hostile_number()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn nothing_panics(
        positions in proptest::collection::vec(hostile_vector(), 0..12),
        normals in proptest::collection::vec(hostile_vector(), 12),
        uvs in proptest::collection::vec([hostile_number(), hostile_number()], 0..12),
        indices in proptest::collection::vec(prop_oneof![9 => 0_u32..12, 1 => any::<u32>()], 0..40),
        columns in proptest::collection::vec(hostile_number(), 16),
        numbers in proptest::collection::vec(hostile_number(), 8),
        mode in 0_usize..18,
        alpha in 0_usize..3,
        lines in any::<bool>(),
        with_normals in any::<bool>(),
        size in [1_u32..70, 1_u32..70],
        view in 0_usize..7,
        perspective in any::<bool>(),
    ) {
        let mut scene = Scene::default();
        let image = image(&mut scene, 3, 2, vec![vec![[200, 100, 50, 128]; 6]]);
        let pbr = Pbr {
            base_colour: [numbers[0], numbers[1], numbers[2], numbers[3]],
            metallic: numbers[4],
            roughness: numbers[5],
            emissive: [numbers[6]; 3],
            normal_scale: numbers[7],
            base_colour_texture: Some(TextureUse::new(image)),
            normal_texture: Some(TextureUse { uv_set: 1, ..TextureUse::new(image) }),
            ..Pbr::default()
        };
        let alpha = [AlphaMode::Opaque, AlphaMode::Mask(numbers[3]), AlphaMode::Blend][alpha];
        let material = Material { surface: pbr.into(), alpha, double_sided: true, ..Material::default() };
        let node = add(&mut scene, &positions, &indices, material);
        let mesh = scene.nodes[node].mesh.unwrap();
        let primitive = &mut scene.meshes[mesh].primitives[0];
        primitive.streams.uvs = vec![uvs];
        primitive.streams.normals = with_normals.then_some(normals);
        if lines {
            primitive.topology = Topology::Lines;
        }
        if numbers[0] > 1.0 {
            place(&mut scene, node, Mat4::from_cols_slice(&columns));
        }
        let stage = Stage::new(&scene, &StageOptions::default());
        let posed = stage.pose(None);
        let view = View::from_word(View::WORDS[view]).unwrap();
        let framing = Framing { view, fov_y_radians: perspective.then_some(0.8), ..Framing::default() };
        let mut shot = Shot {
            size,
            mode: Mode::ALL[mode],
            overlays: Overlays { skeleton: true, grid: true, bounds: true, axes: true },
            camera: posed.camera(&framing, size),
            background: Background::Transparent,
            exposure: numbers[1],
            ..Shot::default()
        };
        _ = draw(&posed, &shot).unwrap();
        // In the middle of it, and anywhere.
        shot.camera.world_from_camera = Mat4::IDENTITY;
        _ = draw(&posed, &shot).unwrap();
        shot.camera.world_from_camera = Mat4::from_cols_slice(&columns);
        shot.camera.near = numbers[2];
        shot.light.towards_key = Vec3::from(normals_of(&numbers));
        _ = draw(&posed, &shot).unwrap();
    }
}

fn normals_of(numbers: &[f32]) -> [f32; 3] {
    [numbers[0], numbers[1], numbers[2]]
}
