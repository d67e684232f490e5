//! What is held at once, and how much work is asked for: a counting allocator measures both.

#![allow(unsafe_code, clippy::indexing_slicing, clippy::unwrap_used)]

mod scenes;

use maquette_render::{Instead, Stage, StageOptions};
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::image::{Image, ImageData};
use maquette_scene::mesh::Influences;
use maquette_scene::scene::{Node, Skin};
use maquette_scene::{Bytes, Scene};
use scenes::{add, material, quad, textured};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);
static ALL: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system allocator unchanged; only numbers are kept beside.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(now, Relaxed);
        ALL.fetch_add(layout.size(), Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes held at once while `work` runs, and how many it asks for in all.
fn held(work: impl FnOnce()) -> (usize, usize) {
    let (before, all) = (NOW.load(Relaxed), ALL.load(Relaxed));
    MOST.store(before, Relaxed);
    work();
    (MOST.load(Relaxed) - before, ALL.load(Relaxed) - all)
}

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];

/// One after the other: what one allocates would count for another.
#[test]
fn what_is_held_and_asked_for_has_an_end() {
    many_large_textures_are_held_small_and_decoded_a_few_at_a_time();
    many_nodes_with_one_mesh_are_posed_up_to_the_bound();
    many_nodes_with_one_skin_place_its_joints_once();
}

fn many_large_textures_are_held_small_and_decoded_a_few_at_a_time() {
    let (side, count) = (512_u32, 24);
    let mut scene = Scene::default();
    for place in 0..count {
        let pixels = vec![[place as u8, 7, 9, 255]; (side * side) as usize];
        let bytes = Bytes::from(maquette_texture::png::encode(side, side, &pixels).unwrap());
        let data = ImageData::Encoded { mime: "image/png".into(), bytes };
        let image = scene.images.push(Image::new("", data));
        quad(&mut scene, [0.0, 0.0], [1.0, 1.0], 0.0, textured(image));
    }
    let one = (side * side * 4) as usize;
    let options = StageOptions { most_pixels: u64::from(side * side) * 2, ..StageOptions::default() };
    let (most, _) = held(|| {
        let stage = Stage::new(&scene, &options);
        let smaller = stage.missing().iter().filter(|missing| missing.instead == Instead::Smaller);
        assert_eq!(smaller.count(), count);
    });
    assert!(most < one * 4, "{most} bytes, a texture has {one}");
}

fn many_nodes_with_one_mesh_are_posed_up_to_the_bound() {
    let mut scene = Scene::default();
    let positions: Vec<[f32; 3]> = (0..1000).map(|x| [x as f32, 0.0, 0.0]).collect();
    let first = add(&mut scene, &positions, &[0, 1, 2], material(RED));
    let mesh = scene.nodes[first].mesh;
    for _ in 1..1000 {
        let node = scene.nodes.push(Node { mesh, ..Node::default() });
        scene.roots.push(node);
    }
    let options = StageOptions { most_vertices: 10_000, ..StageOptions::default() };
    let (most, _) = held(|| {
        let stage = Stage::new(&scene, &options);
        assert_eq!(stage.pose(None).positions().len(), 10_000);
    });
    assert!(most < 1 << 20, "{most} bytes");
}

fn many_nodes_with_one_skin_place_its_joints_once() {
    let count = 1000;
    let mut scene = Scene::default();
    let first = add(&mut scene, &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[0, 1, 2], material(RED));
    let mesh = scene.nodes[first].mesh;
    let influences = Influences { slots: 1, joints: vec![999; 3], weights: vec![1.0; 3] };
    scene.meshes[mesh.unwrap()].primitives[0].streams.influences = Some(influences);
    let joints: Vec<_> = (0..count).map(|_| scene.nodes.push(Node::default())).collect();
    let joint_from_mesh = vec![Mat4::from_translation(Vec3::X); count];
    let skin = Some(scene.skins.push(Skin { joints, joint_from_mesh, ..Skin::default() }));
    for _ in 0..count {
        let node = scene.nodes.push(Node { mesh, skin, ..Node::default() });
        scene.roots.push(node);
    }
    let stage = Stage::new(&scene, &StageOptions::default());
    let (_, all) = held(|| assert_eq!(stage.pose(None).positions()[3], Vec3::X));
    assert!(all < 4 << 20, "{all} bytes, and the joints for each node are {}", count * count * 48);
}
