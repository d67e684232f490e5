//! The order changes, what is drawn does not, and the figures get better.

use super::*;
use maquette_scene::material::Material;
use maquette_scene::mesh::{Mesh, Streams};

const SIDE: u32 = 40;

/// A square grid of vertices on a sphere-like bump, its triangles in an order that is as bad as can be.
fn shuffled_grid() -> Primitive {
    let place = |i: u32| {
        let (x, y) = ((i % SIDE) as f32 / SIDE as f32 - 0.5, (i / SIDE) as f32 / SIDE as f32 - 0.5);
        [x, y, 0.5 - x * x - y * y]
    };
    let positions: Vec<[f32; 3]> = (0..SIDE * SIDE).map(place).collect();
    let mut triangles = Vec::new();
    for y in 0..SIDE - 1 {
        for x in 0..SIDE - 1 {
            let [a, b, c, d] = [0, 1, SIDE, SIDE + 1].map(|step| y * SIDE + x + step);
            triangles.extend([[a, b, c], [c, b, d]]);
        }
    }
    let count = triangles.len();
    // A step without a common divisor visits every triangle once, far from the last.
    let shuffled = (0..count).flat_map(|i| triangles[i * 1009 % count]).collect();
    Primitive { streams: Streams { positions, ..Streams::default() }, indices: shuffled, ..Primitive::default() }
}

/// Each triangle as positions, started at its least corner, all sorted: the same for the same picture.
fn drawn(primitive: &Primitive) -> Vec<[[u32; 3]; 3]> {
    let mut faces: Vec<[[u32; 3]; 3]> = primitive
        .indices
        .as_chunks::<3>()
        .0
        .iter()
        .map(|triangle| {
            let mut face = triangle.map(|index| primitive.streams.positions[index as usize].map(f32::to_bits));
            let least = (0..3).min_by_key(|&corner| face[corner]).unwrap();
            face.rotate_left(least);
            face
        })
        .collect();
    faces.sort_unstable();
    faces
}

fn scene_of(primitive: Primitive) -> Scene {
    let mut scene = Scene::default();
    scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    scene
}

fn primitive_of(scene: &Scene) -> &Primitive {
    &scene.meshes.iter().next().unwrap().primitives[0]
}

#[test]
fn the_same_triangles_are_drawn_and_fewer_vertices_processed() {
    let before = shuffled_grid();
    let mut scene = scene_of(before.clone());
    let figures = optimize(&mut scene);
    assert_eq!(drawn(primitive_of(&scene)), drawn(&before));
    let processed = figures.iter().find(|figure| figure.what.starts_with("vertices processed")).unwrap();
    assert!(processed.before > 2.5, "{processed:?}");
    // A grid cannot do better than a half; a cache of sixteen vertices comes to about two thirds.
    assert!(processed.after < 0.8, "{processed:?}");
    let fetched = figures.iter().find(|figure| figure.what.starts_with("times the vertex data")).unwrap();
    assert!(fetched.after < 1.6 && fetched.after < fetched.before, "{fetched:?}");
}

#[test]
fn nothing_gets_worse_by_doing_it_again() {
    let mut scene = scene_of(shuffled_grid());
    optimize(&mut scene);
    for figure in optimize(&mut scene) {
        assert!(figure.after <= figure.before * 1.02, "{figure:?}");
    }
}

#[test]
fn outer_shells_are_drawn_before_inner_ones() {
    // Two cubes, one inside the other, the inner first; seen from outside, the inner is always hidden.
    let cube = |size: f32, first: u32| {
        let corner = |i: u32| [i & 1, i >> 1 & 1, i >> 2 & 1].map(|bit| (bit as f32 - 0.5) * size);
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let positions: Vec<[f32; 3]> = (0..8).map(corner).collect();
        let indices: Vec<u32> =
            faces.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, *a, *c, *d]).map(|index| index + first).collect();
        (positions, indices)
    };
    let (mut positions, mut indices) = cube(1.0, 0);
    let (outer, outer_indices) = cube(2.0, 8);
    positions.extend(outer);
    indices.extend(outer_indices);
    let primitive = Primitive { streams: Streams { positions, ..Streams::default() }, indices, ..Primitive::default() };
    let figures = optimize(&mut scene_of(primitive));
    let shaded = figures.iter().find(|figure| figure.what.starts_with("pixels")).unwrap();
    assert!(shaded.before > 1.2, "{shaded:?}");
    assert_eq!(shaded.after, 1.0);
}

#[test]
fn what_is_mixed_with_its_background_keeps_its_order() {
    let before = shuffled_grid();
    let mut scene = scene_of(before.clone());
    let glass = scene.materials.push(Material { alpha: AlphaMode::Blend, ..Material::default() });
    scene.meshes.iter_mut().for_each(|mesh| mesh.primitives[0].material = Some(glass));
    optimize(&mut scene);
    let places = |primitive: &Primitive| -> Vec<[f32; 3]> {
        primitive.indices.iter().map(|&index| primitive.streams.positions[index as usize]).collect()
    };
    assert_eq!(places(primitive_of(&scene)), places(&before));
}

#[test]
fn a_fan_of_many_triangles_takes_linear_time() {
    let count = 300_000;
    let positions = (0..count + 2).map(|i| [i as f32, (i % 7) as f32, 0.0]).collect();
    let indices = (0..count).flat_map(|i| [0, i + 1, i + 2]).collect();
    let primitive = Primitive { streams: Streams { positions, ..Streams::default() }, indices, ..Primitive::default() };
    let before = drawn(&primitive);
    let mut scene = scene_of(primitive);
    optimize(&mut scene);
    assert_eq!(drawn(primitive_of(&scene)), before);
}

#[test]
fn degenerate_geometry_is_left_whole() {
    let streams = Streams { positions: vec![[1.0; 3]; 4], ..Streams::default() };
    let primitive = Primitive { streams, indices: vec![0, 0, 0, 3, 3, 1], ..Primitive::default() };
    let mut scene = scene_of(primitive);
    optimize(&mut scene);
    assert_eq!(primitive_of(&scene).indices, [0; 6]);
    assert_eq!(primitive_of(&scene).streams.len(), 1);
    optimize(&mut scene_of(Primitive::default()));
}

#[test]
fn a_small_mesh_costs_what_it_is_and_no_picture_for_a_large_one() {
    let quad = || Primitive {
        streams: Streams {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]],
            ..Streams::default()
        },
        indices: vec![0, 1, 2, 2, 1, 3],
        ..Primitive::default()
    };
    let primitives: Vec<Primitive> = (0..100).map(|_| quad()).collect();
    let steps = crate::work::of(|| {
        let mut scene = Scene::default();
        scene.meshes.push(Mesh { primitives, ..Mesh::default() });
        optimize(&mut scene);
    });
    assert!(steps > 0 && steps <= 100 * 4096, "{steps}");
    // A mesh that is worth it is looked at closely.
    let grid = shuffled_grid();
    assert!(crate::work::of(|| _ = optimize(&mut scene_of(grid))) >= 6 * 128 * 128);
}

#[test]
fn an_order_that_is_better_as_it_was_stays_even_beside_unused_vertices() {
    // A strip whose vertices are in the order of their use already.
    let count = 60;
    let mut positions: Vec<[f32; 3]> = (0..count + 2).map(|i| [(i / 2) as f32, (i % 2) as f32, 0.0]).collect();
    let indices: Vec<u32> =
        (0..count).flat_map(|i| if i % 2 == 0 { [i, i + 1, i + 2] } else { [i + 1, i, i + 2] }).collect();
    positions.push([0.5; 3]);
    let streams = Streams { positions, ..Streams::default() };
    let mut scene = scene_of(Primitive { streams, indices: indices.clone(), ..Primitive::default() });
    optimize(&mut scene);
    assert_eq!(primitive_of(&scene).streams.len(), count as usize + 2);
    assert_eq!(primitive_of(&scene).indices, indices);
}

#[test]
fn every_part_is_a_step() {
    use std::sync::{Arc, Mutex};
    let told = Arc::new(Mutex::new(Vec::new()));
    let list = told.clone();
    let progress = Progress::new(move |step| list.lock().unwrap().push((step.stage, step.done, step.total)));
    optimize_with(&mut scene_of(shuffled_grid()), &progress);
    assert_eq!(*told.lock().unwrap(), [0, 1].map(|done| ("optimizing meshes", done, 1)));
}
