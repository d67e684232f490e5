//! Pixels that can be worked out by hand.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod scenes;

use maquette_render::{
    Background, Camera, Instead, Mode, Overlays, Projection, Samples, Shot, Stage, StageOptions, ToneMap, draw,
    draw_numbers,
};
use maquette_scene::Scene;
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::material::{AlphaMode, Material, Pbr};
use maquette_scene::mesh::Topology;
use scenes::{add, flat_shot, image, material, pixel, place, quad, taken, textured};

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];
const NOTHING: [u8; 4] = [0; 4];

#[test]
fn a_diagonal_covers_half_of_the_samples_along_it() {
    let mut scene = Scene::default();
    add(&mut scene, &[[0.0, 0.0, 0.0], [16.0, 0.0, 0.0], [0.0, 16.0, 0.0]], &[0, 1, 2], material(RED));
    for (samples, part) in [(Samples::Four, 128), (Samples::Eight, 128), (Samples::One, 255)] {
        let picture = taken(&scene, &Shot { samples, ..flat_shot(16) });
        for y in 0..16 {
            for x in 0..16 {
                let expected = match x.cmp(&y) {
                    std::cmp::Ordering::Less => [255, 0, 0, 255],
                    std::cmp::Ordering::Equal => [255, 0, 0, part],
                    std::cmp::Ordering::Greater => NOTHING,
                };
                // A sample in the middle lies on the diagonal, which is a right edge and belongs to nobody here.
                let expected = if x == y && samples == Samples::One { NOTHING } else { expected };
                assert_eq!(pixel(&picture, x, y), expected, "{samples:?} {x} {y}");
            }
        }
    }
}

#[test]
fn a_quad_has_its_colour_to_its_edge_and_no_further() {
    let mut scene = Scene::default();
    quad(&mut scene, [2.0, 3.0], [7.5, 6.0], 0.0, material([0.2140411, 0.0, 1.0, 1.0]));
    let picture = taken(&scene, &flat_shot(10));
    for y in 0..10 {
        for x in 0..10 {
            let expected = match ((2..7).contains(&x), x == 7, (4..7).contains(&y)) {
                (true, _, true) => [127, 0, 255, 255],
                (_, true, true) => [127, 0, 255, 128],
                _ => NOTHING,
            };
            let seen = pixel(&picture, x, y);
            assert!(seen == expected || seen == [128, expected[1], expected[2], expected[3]], "{x} {y} {seen:?}");
        }
    }
}

#[test]
fn a_texture_seen_a_texel_a_pixel_is_itself() {
    let side = 32_usize;
    let texels: Vec<[u8; 4]> =
        (0..side * side).map(|at| [(at * 7 % 256) as u8, (at % side * 8) as u8, (at / side * 8) as u8, 255]).collect();
    let mut scene = Scene::default();
    let image = image(&mut scene, side as u32, side as u32, vec![texels.clone()]);
    quad(&mut scene, [0.0, 0.0], [32.0, 32.0], 0.0, textured(image));
    for samples in [Samples::One, Samples::Four, Samples::Eight] {
        let picture = taken(&scene, &Shot { samples, ..flat_shot(32) });
        assert_eq!(picture.pixels(), texels, "{samples:?}");
    }
}

#[test]
fn the_mip_level_is_that_of_the_size_in_the_picture() {
    let colours = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 0, 255], [0, 255, 255, 255]];
    let levels: Vec<Vec<[u8; 4]>> =
        colours.iter().enumerate().map(|(level, colour)| vec![*colour; (16 >> level) * (16 >> level)]).collect();
    let mut scene = Scene::default();
    let image = image(&mut scene, 16, 16, levels);
    quad(&mut scene, [0.0, 0.0], [16.0, 16.0], 0.0, textured(image));
    for (side, expected) in [(32, 0), (16, 0), (8, 1), (4, 2), (2, 3), (1, 4)] {
        let mut shot = flat_shot(16);
        shot.size = [side, side];
        let picture = taken(&scene, &shot);
        let middle = pixel(&picture, side as usize / 2, side as usize / 2);
        let close = middle.iter().zip(colours[expected]).all(|(a, b)| a.abs_diff(b) <= 8);
        assert!(close, "{side}: {middle:?} {:?}", colours[expected]);
    }
}

#[test]
fn what_is_nearer_hides_what_is_behind_in_any_order() {
    for swapped in [false, true] {
        let mut scene = Scene::default();
        let mut layers = [([1.0, 1.0], [6.0, 6.0], 0.0, RED), ([3.0, 3.0], [8.0, 8.0], 1.0, GREEN)];
        if swapped {
            layers.reverse();
        }
        for (from, to, z, colour) in layers {
            quad(&mut scene, from, to, z, material(colour));
        }
        let picture = taken(&scene, &flat_shot(9));
        assert_eq!(pixel(&picture, 2, 6), [255, 0, 0, 255]);
        assert_eq!(pixel(&picture, 4, 4), [0, 255, 0, 255]);
        assert_eq!(pixel(&picture, 7, 1), [0, 255, 0, 255]);
        let stage = Stage::new(&scene, &StageOptions::default());
        let numbers = draw_numbers(&stage.pose(None), &flat_shot(9)).unwrap();
        let hit = numbers.hits[4 * 9 + 4].unwrap();
        assert!((hit.distance - 99.0).abs() < 1e-3);
        assert_eq!(hit.node, Some(u32::from(!swapped)));
        assert_eq!(numbers.hits[0], None);
    }
}

#[test]
fn surfaces_that_mix_are_sorted_by_depth() {
    // Half of red over half of green over opaque blue, whatever the order in the file.
    let blend = |colour| Material { alpha: AlphaMode::Blend, ..material(colour) };
    let layers =
        [(0.0, material([0.0, 0.0, 1.0, 1.0])), (1.0, blend([0.0, 1.0, 0.0, 0.5])), (2.0, blend([1.0, 0.0, 0.0, 0.5]))];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
        let mut scene = Scene::default();
        for layer in order {
            let (z, material) = layers[layer].clone();
            quad(&mut scene, [0.0, 0.0], [4.0, 4.0], z, material);
        }
        let stage = Stage::new(&scene, &StageOptions::default());
        let drawn = draw_numbers(&stage.pose(None), &flat_shot(4)).unwrap();
        assert!(drawn.colours.iter().all(|colour| *colour == [0.5, 0.25, 0.25, 1.0]), "{order:?}");
    }
    let mut scene = Scene::default();
    quad(&mut scene, [0.0, 0.0], [4.0, 4.0], 0.0, blend([1.0, 0.0, 0.0, 0.5]));
    assert_eq!(pixel(&taken(&scene, &flat_shot(4)), 1, 1), [255, 0, 0, 128], "straight opacity over nothing");
}

#[test]
fn a_mask_is_there_or_not() {
    let mut scene = Scene::default();
    let texels = vec![[255, 0, 0, 200], [0, 255, 0, 100]];
    let image = image(&mut scene, 2, 1, vec![texels]);
    let mut cut = Material { alpha: AlphaMode::Mask(0.5), ..textured(image) };
    let texture = cut.pbr_mut().and_then(|pbr| pbr.base_colour_texture.as_mut()).unwrap();
    texture.filter.magnify = Some(9728); // the nearest texel
    quad(&mut scene, [0.0, 0.0], [16.0, 16.0], 0.0, cut);
    let picture = taken(&scene, &flat_shot(16));
    assert_eq!(pixel(&picture, 1, 8), [255, 0, 0, 255], "opaque where it is there");
    assert_eq!(pixel(&picture, 14, 8), NOTHING);
}

#[test]
fn opaque_materials_ignore_opacity() {
    let mut scene = Scene::default();
    quad(&mut scene, [0.0, 0.0], [4.0, 4.0], 0.0, material([0.0, 1.0, 0.0, 0.25]));
    assert_eq!(pixel(&taken(&scene, &flat_shot(4)), 1, 1), [0, 255, 0, 255]);
    let opacity = Shot { mode: Mode::Opacity, ..flat_shot(4) };
    assert_eq!(pixel(&taken(&scene, &opacity), 1, 1), [255; 4]);
}

#[test]
fn faces_show_their_front_also_when_they_are_mirrored() {
    let mirror = Mat4::from_cols(
        -Mat4::IDENTITY.x_axis,
        Mat4::IDENTITY.y_axis,
        Mat4::IDENTITY.z_axis,
        [8.0, 0.0, 0.0, 1.0].into(),
    );
    let turn = Mat4::from_cols(
        -Mat4::IDENTITY.x_axis,
        Mat4::IDENTITY.y_axis,
        -Mat4::IDENTITY.z_axis,
        [8.0, 0.0, 0.0, 1.0].into(),
    );
    for (matrix, double_sided, is_seen) in
        [(Mat4::IDENTITY, false, true), (mirror, false, true), (turn, false, false), (turn, true, true)]
    {
        let mut scene = Scene::default();
        let node = quad(&mut scene, [0.0, 0.0], [8.0, 8.0], 0.0, Material { double_sided, ..material(RED) });
        place(&mut scene, node, matrix);
        let seen = pixel(&taken(&scene, &flat_shot(8)), 4, 4);
        assert_eq!(seen == [255, 0, 0, 255], is_seen, "{matrix} {double_sided}");
    }
}

#[test]
fn normals_are_shown_as_they_are() {
    let mut scene = Scene::default();
    let node = quad(&mut scene, [0.0, 0.0], [8.0, 8.0], 0.0, material(RED));
    let mesh = scene.nodes[node].mesh.unwrap();
    scene.meshes[mesh].primitives[0].streams.normals = Some(vec![[0.6, 0.0, 0.8]; 4]);
    let shot = Shot { mode: Mode::VertexNormal, ..flat_shot(8) };
    assert_eq!(pixel(&taken(&scene, &shot), 3, 3), [204, 128, 230, 255]);
    let shot = Shot { mode: Mode::Roughness, ..flat_shot(8) };
    assert_eq!(pixel(&taken(&scene, &shot), 3, 3), [255; 4]);
}

#[test]
fn normal_maps_point_the_same_way_with_tangents_and_without() {
    let mut scene = Scene::default();
    // Half way to the right and up.
    let texel = [255 / 2 + 60, 255 / 2 + 90, 220, 255];
    let image = image(&mut scene, 1, 1, vec![vec![texel]]);
    let data = std::sync::Arc::make_mut(&mut scene.images[image].data);
    if let maquette_scene::image::ImageData::Pixels { colour_space, .. } = data {
        *colour_space = maquette_scene::image::ColourSpace::Linear;
    }
    let pbr = Pbr { normal_texture: Some(maquette_scene::material::TextureUse::new(image)), ..Pbr::default() };
    let node = quad(&mut scene, [0.0, 0.0], [8.0, 8.0], 0.0, Material { surface: pbr.into(), ..Material::default() });
    let mesh = scene.nodes[node].mesh.unwrap();
    let shot = Shot { mode: Mode::NormalMap, ..flat_shot(8) };
    let made = pixel(&taken(&scene, &shot), 3, 3);
    scene.meshes[mesh].primitives[0].streams.normals = Some(vec![[0.0, 0.0, 1.0]; 4]);
    scene.meshes[mesh].primitives[0].streams.tangents = Some(vec![[1.0, 0.0, 0.0, 1.0]; 4]);
    assert_eq!(pixel(&taken(&scene, &shot), 3, 3), made);
    assert!(made[0] > 160 && made[1] > made[0] && made[2] > 200, "{made:?}");
    // Mirrored, red points to the other side.
    let mirror = Mat4::from_cols(
        -Mat4::IDENTITY.x_axis,
        Mat4::IDENTITY.y_axis,
        Mat4::IDENTITY.z_axis,
        [8.0, 0.0, 0.0, 1.0].into(),
    );
    place(&mut scene, node, mirror);
    let stored = pixel(&taken(&scene, &shot), 3, 3);
    scene.meshes[mesh].primitives[0].streams.tangents = None;
    assert_eq!(pixel(&taken(&scene, &shot), 3, 3), stored);
    assert_eq!([stored[0], stored[1], stored[2]], [255 - made[0], made[1], made[2]]);
}

#[test]
fn light_is_tone_mapped_and_data_is_not() {
    let mut scene = Scene::default();
    let white = Material { unlit: false, ..material([0.8, 0.8, 0.8, 1.0]) };
    quad(&mut scene, [0.0, 0.0], [8.0, 8.0], 0.0, white);
    let seen = |shot: Shot| pixel(&taken(&scene, &shot), 3, 3)[1];
    let shaded = |tone_map, exposure| seen(Shot { mode: Mode::Shaded, tone_map, exposure, ..flat_shot(8) });
    for tone_map in ToneMap::ALL {
        assert!(shaded(tone_map, 0.5) < shaded(tone_map, 1.0), "{tone_map:?}");
        assert_eq!(seen(Shot { tone_map, exposure: 3.0, ..flat_shot(8) }), 231, "base colour, {tone_map:?}");
    }
    assert!(shaded(ToneMap::Linear, 0.5) < shaded(ToneMap::Srgb, 0.5));
}

#[test]
fn a_lid_casts_a_shadow() {
    let mut scene = Scene::default();
    let white = || {
        let mut white = Material { unlit: false, double_sided: true, ..material([0.8, 0.8, 0.8, 1.0]) };
        white.pbr_mut().unwrap().metallic = 0.0;
        white
    };
    quad(&mut scene, [0.0, 0.0], [32.0, 32.0], 0.0, white());
    let open = |shadow, scene: &Scene| {
        let mut shot = Shot { mode: Mode::Shaded, ..flat_shot(32) };
        shot.light.shadow = shadow;
        shot.light.towards_key = Vec3::new(-1.0, 0.0, 1.0);
        pixel(&taken(scene, &shot), 20, 16)[1]
    };
    let lit = open(maquette_render::Shadow::Soft, &scene);
    assert_eq!(lit, open(maquette_render::Shadow::None, &scene), "a plane casts none on itself");
    // Ten units above, and so ten to the left of its shadow.
    quad(&mut scene, [4.0, 6.0], [16.0, 26.0], 10.0, white());
    let [dark, light] =
        [maquette_render::Shadow::Soft, maquette_render::Shadow::None].map(|shadow| open(shadow, &scene));
    assert!(dark + 30 < light, "{dark} {light}");
}

#[test]
fn lines_are_drawn_and_hidden() {
    let mut scene = Scene::default();
    let node = add(&mut scene, &[[2.0, 4.5, 0.0], [14.0, 4.5, 0.0]], &[0, 1], material(GREEN));
    let mesh = scene.nodes[node].mesh.unwrap();
    scene.meshes[mesh].primitives[0].topology = Topology::Lines;
    let picture = taken(&scene, &flat_shot(16));
    assert_eq!(pixel(&picture, 8, 11), [0, 255, 0, 255]);
    assert_eq!(pixel(&picture, 8, 4), NOTHING);
    quad(&mut scene, [6.0, 0.0], [12.0, 16.0], 1.0, material(RED));
    let picture = taken(&scene, &flat_shot(16));
    assert_eq!(pixel(&picture, 8, 11), [255, 0, 0, 255]);
    assert_eq!(pixel(&picture, 4, 11), [0, 255, 0, 255]);
}

#[test]
fn overlays_and_wires_are_drawn() {
    let mut scene = Scene::default();
    quad(&mut scene, [2.0, 2.0], [14.0, 14.0], 0.0, material(RED));
    let plain = taken(&scene, &flat_shot(16));
    for overlays in [
        Overlays { bounds: true, ..Overlays::default() },
        Overlays { axes: true, ..Overlays::default() },
        Overlays { skeleton: true, ..Overlays::default() },
    ] {
        assert_ne!(taken(&scene, &Shot { overlays, ..flat_shot(16) }), plain, "{overlays:?}");
    }
    let wires = taken(&scene, &Shot { mode: Mode::Wireframe, ..flat_shot(16) });
    assert_eq!(pixel(&wires, 4, 8), NOTHING);
    assert!(pixel(&wires, 8, 2)[3] > 80 && pixel(&wires, 8, 7)[3] > 200, "the edge and the diagonal");
}

#[test]
fn nothing_is_the_background_and_bones_are_shown_where_there_is_no_mesh() {
    let scene = Scene::default();
    let background = Background::Colour([1.0, 0.5, 0.0]);
    for mode in Mode::ALL {
        let picture = taken(&scene, &Shot { mode, background, ..flat_shot(5) });
        assert!(picture.pixels().iter().all(|pixel| *pixel == [255, 128, 0, 255]), "{mode:?}");
    }
    let mut scene = Scene::default();
    let child = scene.nodes.push(maquette_scene::scene::Node::default());
    place(&mut scene, child, Mat4::from_translation(Vec3::Y * 8.0));
    let root = maquette_scene::scene::Node { children: vec![child], ..Default::default() };
    let root = scene.nodes.push(root);
    place(&mut scene, root, Mat4::from_translation(Vec3::X * 8.0));
    scene.roots.push(root);
    let picture = taken(&scene, &flat_shot(16));
    assert!(pixel(&picture, 8, 13)[3] > 100);
}

#[test]
fn a_clip_alone_shows_where_its_bones_are() {
    use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
    let scene = Scene::default();
    let track = |name: &str, place: [f32; 3]| {
        let keys = Keys { times_secs: vec![0.0], values: vec![place], interpolation: Interpolation::Linear };
        Track { target: Target::Name(name.into()), curve: Curve::Translation(keys), blend: None }
    };
    let tracks = vec![track("hip", [4.0, 4.0, 0.0]), track("head", [4.0, 28.0, 0.0])];
    let clip = Clip { tracks, ..Clip::default() };
    let stage = Stage::new(&scene, &StageOptions::default());
    let picture = draw(&stage.pose(Some((&clip, 0.0))), &flat_shot(32)).unwrap();
    let is_there = |x: usize, y: usize| (x - 1..=x).any(|x| (y - 1..=y).any(|y| pixel(&picture, x, y)[3] > 0));
    assert!(is_there(4, 4) && is_there(4, 28) && !is_there(16, 16));
    assert_eq!(stage.pose(None).bounds(), None);
}

/// A floor that goes on behind the camera is cut there, and what is on it is where a ray meets it.
#[test]
fn a_floor_under_the_camera_is_where_rays_meet_it() {
    let mut scene = Scene::default();
    let far = 50.0;
    let corners = [[-far, 0.0, -far], [far, 0.0, -far], [far, 0.0, far], [-far, 0.0, far]];
    add(&mut scene, &corners, &[0, 2, 1, 0, 3, 2], material(RED));
    let stage = Stage::new(&scene, &StageOptions::default());
    let posed = stage.pose(None);
    let side = 64;
    let camera = Camera {
        world_from_camera: Mat4::from_translation(Vec3::new(3.0, 2.0, 1.0)),
        projection: Projection::Perspective { fov_y_radians: std::f32::consts::FRAC_PI_2 },
        near: 0.01,
    };
    let shot =
        Shot { size: [side, side], camera, mode: Mode::VertexPosition, samples: Samples::One, ..flat_shot(side) };
    let numbers = draw_numbers(&posed, &shot).unwrap();
    for y in 0..side as usize {
        for x in 0..side as usize {
            // At 90 degrees the picture is two units wide at a distance of one.
            let [right, up] = [(x as f32 + 0.5) / 32.0 - 1.0, 1.0 - (y as f32 + 0.5) / 32.0];
            let [colour, hit] = [y * side as usize + x; 2].map(|at| (numbers.colours[at], numbers.hits[at]));
            let distance = -2.0 / up;
            let meets = [3.0 + right * distance, 1.0 - distance];
            let rim = (far - meets[0].abs()).abs().min((far - meets[1].abs()).abs());
            if up < 0.0 && meets.iter().all(|at| at.abs() < far) && rim > 2.0 {
                assert!((hit.1.unwrap().distance - distance).abs() < 1e-3 * distance, "{x} {y}");
                let expected = meets.map(|at| (at + far) / (2.0 * far));
                assert!(
                    (colour.0[0] - expected[0]).abs() < 1e-3 && (colour.0[2] - expected[1]).abs() < 1e-3,
                    "{x} {y}"
                );
            } else if up > 0.0 {
                assert_eq!(hit.1, None, "{x} {y}");
            }
        }
    }
}

#[test]
fn more_layers_than_are_held_at_once_are_drawn_all_the_same() {
    let mut scene = Scene::default();
    let glass = Material { alpha: AlphaMode::Blend, ..material([1.0, 0.0, 0.0, 0.002]) };
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    let layers = 600;
    for layer in 0..layers {
        let (z, first) = (layer as f32 * 0.01, layer as u32 * 4);
        positions.extend([[0.0, 0.0, z], [32.0, 0.0, z], [32.0, 32.0, z], [0.0, 32.0, z]]);
        indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
    add(&mut scene, &positions, &indices, glass);
    let stage = Stage::new(&scene, &StageOptions::default());
    let drawn = draw_numbers(&stage.pose(None), &flat_shot(32)).unwrap();
    let expected = 1.0 - 0.998_f32.powi(layers);
    assert!(drawn.colours.iter().all(|colour| (colour[3] - expected).abs() < 1e-3));
}

#[test]
fn images_that_are_none_are_told_and_left_out() {
    let mut scene = Scene::default();
    let lost = maquette_scene::image::ImageData::External("lost.png".into());
    let image = scene.images.push(maquette_scene::image::Image::new("lost", lost));
    let mut green = textured(image);
    green.pbr_mut().unwrap().base_colour = GREEN;
    quad(&mut scene, [0.0, 0.0], [4.0, 4.0], 0.0, green);
    let stage = Stage::new(&scene, &StageOptions::default());
    let [missing] = stage.missing() else { panic!("one image is missing") };
    assert_eq!((missing.image, missing.instead), (image, Instead::Factors));
    assert_eq!(pixel(&draw(&stage.pose(None), &flat_shot(4)).unwrap(), 1, 1), [0, 255, 0, 255]);
    let only = Some(Mode::VertexNormal);
    assert_eq!(
        Stage::new(&scene, &StageOptions { only, ..StageOptions::default() }).missing(),
        [],
        "nobody looks at it"
    );
}

#[test]
fn sizes_that_are_none_are_refused() {
    let scene = Scene::default();
    let stage = Stage::new(&scene, &StageOptions::default());
    for size in [[0, 1], [1, 0], [16385, 1], [u32::MAX, u32::MAX]] {
        assert!(draw(&stage.pose(None), &Shot { size, ..Shot::default() }).is_err(), "{size:?}");
    }
    for size in [[1, 1], [16384, 1], [1, 16384]] {
        let picture = draw(&stage.pose(None), &Shot { size, ..Shot::default() }).unwrap();
        assert_eq!([picture.width(), picture.height()], size);
    }
}
