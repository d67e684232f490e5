#![allow(clippy::unwrap_used)]

use super::*;
use crate::Input;
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::material::{AlphaMode, Material};
use maquette_scene::mesh::{Mesh, Primitive, Streams};
use maquette_scene::scene::{Node, Transform};

/// One triangle with everything at a node that a clip moves.
fn triangle() -> Scene {
    let mut scene = Scene::default();
    let material = scene.materials.push(Material { name: "red".into(), ..Material::default() });
    let streams = Streams {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        normals: Some(vec![[0.0, 0.0, 1.0]; 3]),
        uvs: vec![vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]],
        ..Streams::default()
    };
    let primitive = Primitive { streams, indices: vec![0, 1, 2], material: Some(material), ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { name: "flag".into(), primitives: vec![primitive], ..Mesh::default() });
    let node = scene.nodes.push(Node { name: "pole".into(), mesh: Some(mesh), ..Node::default() });
    scene.roots.push(node);
    let values = vec![[0.0; 3], [4.0, 0.0, 0.0]];
    let keys = Keys { times_secs: vec![0.0, 1.0], values, interpolation: Interpolation::Linear };
    let track = Track { target: Target::Node(node), curve: Curve::Translation(keys), blend: None };
    scene.clips.push(Clip { name: "wave".into(), duration_secs: 1.0, tracks: vec![track], ..Clip::default() });
    scene
}

fn primitive(scene: &mut Scene) -> &mut Primitive {
    let mesh = scene.meshes.handles().next().unwrap();
    &mut scene.meshes.get_mut(mesh).unwrap().primitives[0]
}

fn clip(scene: &mut Scene) -> &mut Clip {
    let clip = scene.clips.handles().next().unwrap();
    scene.clips.get_mut(clip).unwrap()
}

fn material(scene: &mut Scene) -> &mut Material {
    let material = scene.materials.handles().next().unwrap();
    scene.materials.get_mut(material).unwrap()
}

/// What differs after a change, and by how much.
fn after(change: impl FnOnce(&mut Scene)) -> Vec<(&'static str, Option<f64>)> {
    let mut changed = triangle();
    change(&mut changed);
    diff(&triangle(), &changed, 1e-4).into_iter().map(|difference| (difference.what, difference.size)).collect()
}

#[test]
fn what_looks_the_same_does_not_differ() {
    assert_eq!(after(|_| {}), []);
    assert_eq!(after(|scene| primitive(scene).indices = vec![1, 2, 0]), []);
    // No normals are flat ones, no colours are white ones.
    assert_eq!(after(|scene| primitive(scene).streams.normals = None), []);
    assert_eq!(after(|scene| primitive(scene).streams.colours = vec![vec![[1.0; 4]; 3]]), []);
    assert_eq!(after(|scene| clip(scene).looped = Some(true)), []);
}

#[test]
fn a_mirrored_node_shows_the_same_side_where_its_triangles_are_listed_the_other_way() {
    let mirror = |scene: &mut Scene| {
        for position in &mut primitive(scene).streams.positions {
            position[0] = -position[0];
        }
        let node = scene.roots[0];
        scene.nodes.get_mut(node).unwrap().transform = Transform::Matrix(Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
        clip(scene).tracks.clear();
    };
    let still = |scene: &mut Scene| clip(scene).tracks.clear();
    let (mut plain, mut mirrored) = (triangle(), triangle());
    still(&mut plain);
    mirror(&mut mirrored);
    let whats = |a: &Scene, b: &Scene| diff(a, b, 1e-4).iter().map(|found| found.what).collect::<Vec<_>>();
    // By the rule of glTF the mirror turns the winding: the same corners, seen from the same side.
    assert_eq!(whats(&plain, &mirrored), ["facing"]);
    primitive(&mut mirrored).indices = vec![0, 2, 1];
    assert_eq!(whats(&plain, &mirrored), Vec::<&str>::new());
}

#[test]
fn differences_have_their_size_in_physical_units() {
    assert_eq!(after(|scene| primitive(scene).indices = vec![0, 2, 1]), [("facing", Some(1.0))]);
    let raised = after(|scene| primitive(scene).streams.positions[2][1] = 1.5);
    assert_eq!(raised, [("shape at rest", Some(0.5)), ("motion", Some(0.5))]);
    assert_eq!(after(|scene| clip(scene).duration_secs = 1.5), [("duration", Some(0.5))]);
    let tilted = after(|scene| primitive(scene).streams.normals = Some(vec![[1.0, 0.0, 0.0]; 3]));
    assert_eq!(tilted, [("normals", Some(90.0))]);
    assert_eq!(after(|scene| primitive(scene).streams.uvs[0][1] = [0.75, 0.0]), [("texture coordinates", Some(0.25))]);
    assert_eq!(after(|scene| primitive(scene).streams.uvs.clear()), [("UV sets", None)]);
    let grey = after(|scene| primitive(scene).streams.colours = vec![vec![[0.5, 0.5, 0.5, 1.0]; 3]]);
    assert_eq!(grey, [("vertex colours", Some(0.5))]);
    let faster = after(|scene| {
        let Curve::Translation(keys) = &mut clip(scene).tracks[0].curve else { return };
        keys.values[1] = [3.0, 0.0, 0.0];
    });
    assert_eq!(faster, [("motion", Some(1.0))]);
    let metallic = after(|scene| material(scene).pbr_mut().unwrap().metallic = 0.25);
    assert_eq!(metallic, [("metalness and roughness", Some(0.75))]);
}

#[test]
fn what_has_no_size_is_told_too() {
    assert_eq!(after(|scene| material(scene).alpha = AlphaMode::Blend), [("alpha mode", None)]);
    assert_eq!(after(|scene| material(scene).double_sided = true), [("double-sidedness", None)]);
    assert_eq!(after(|scene| material(scene).unlit = true), [("shading", None)]);
    assert_eq!(after(|scene| material(scene).name = "blue".into()), [("material names", None)]);
    assert_eq!(after(|scene| primitive(scene).material = None), [("materials", None)]);
    assert_eq!(after(|scene| clip(scene).name = "wave2".into()), [("clip names", None)]);
    let mesh = triangle().meshes.handles().next().unwrap();
    assert_eq!(after(|scene| scene.meshes.get_mut(mesh).unwrap().name.clear()), [("mesh names", None)]);
}

#[test]
fn the_order_of_triangles_is_no_difference() {
    let input = Input::from_bytes("post.glb", crate::sample::make("gltf", None).unwrap().main);
    let before = input.read(&Default::default()).unwrap().scene;
    let mut after = before.clone();
    crate::ops::optimize(&mut after);
    for primitive in after.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.indices.as_chunks_mut::<3>().0.reverse();
    }
    assert_ne!(before.meshes, after.meshes);
    assert!(diff(&before, &after, 1e-4).is_empty());
}
