//! How far a change moves what is seen: the yardstick of the passes that approximate.

use maquette_scene::glam::Vec3;
use maquette_scene::{Scene, pose};

/// Moments of a clip at which the effect is measured, besides its ends.
const MOMENTS: u32 = 16;
/// The step between moments, as a part of the clip: never where keys lie that were made by halving.
const GOLDEN: f32 = 0.618_034;

/// What of a scene decides where vertices are: all but its pictures.
pub fn moving_part_of(scene: &Scene) -> Scene {
    Scene {
        nodes: scene.nodes.clone(),
        roots: scene.roots.clone(),
        meshes: scene.meshes.clone(),
        skins: scene.skins.clone(),
        clips: scene.clips.clone(),
        ..Scene::default()
    }
}

/// How far the worst vertex of one scene is from its position in the other, at rest and over all clips.
pub fn largest_move(before: &Scene, after: &Scene) -> f32 {
    largest_moves(before, after).into_iter().fold(0.0, f32::max)
}

/// The same for each mesh by itself, in their order.
pub fn largest_moves(before: &Scene, after: &Scene) -> Vec<f32> {
    let owners = meshes_of_vertices(before);
    let mut largest = vec![0.0; before.meshes.len()];
    let mut compare = |a: Vec<Vec3>, b: Vec<Vec3>| {
        for (&owner, (a, b)) in owners.iter().zip(a.iter().zip(&b)) {
            largest.get_mut(owner).into_iter().for_each(|most: &mut f32| *most = most.max(a.distance(*b)));
        }
    };
    compare(pose::positions_at_rest(before), pose::positions_at_rest(after));
    for (clip, same) in before.clips.iter().zip(&after.clips) {
        let between = (1..=MOMENTS).map(|moment| (moment as f32 * GOLDEN).fract());
        for secs in [0.0, 1.0].into_iter().chain(between).map(|fraction| fraction * clip.duration_secs as f32) {
            compare(pose::positions_at(before, clip, secs), pose::positions_at(after, same, secs));
        }
    }
    largest
}

/// The position of its mesh for every vertex that is drawn.
fn meshes_of_vertices(scene: &Scene) -> Vec<usize> {
    let nodes = scene.nodes_parents_first().into_iter().filter_map(|node| scene.nodes.get(node)?.mesh);
    let vertices = nodes.filter_map(|mesh| {
        let primitives = &scene.meshes.get(mesh)?.primitives;
        let count = primitives.iter().map(|primitive| primitive.streams.len()).sum();
        Some(std::iter::repeat_n(mesh.index(), count))
    });
    vertices.flatten().collect()
}
