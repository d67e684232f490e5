//! Meshes of a file as parts of a scene's.

use super::super::raw::{Dialect, File, Mesh};
use super::super::sample::model;
use super::scene::{chain, read_file, read_with, triangle, words};
use crate::format::Error;
use maquette_scene::Handle;
use std::borrow::Cow;

#[test]
fn texture_coordinates_count_from_the_top_and_colours_go_from_0_to_1() {
    let mut file = model(Dialect::Document);
    let vertices = file.meshes[0].vertices.to_mut();
    vertices[0].uv = [0.5.into(), 0.25.into()];
    vertices[0].color = [0, 51, 255, 128].map(Into::into);
    let (scene, _) = read_file(&file);
    let streams = &scene.meshes.iter().next().unwrap().primitives[0].streams;
    assert_eq!(streams.uvs[0][0], [0.5, 0.75]);
    assert_eq!(streams.colours[0][0], [0.0, 0.2, 1.0, 128.0 / 255.0]);
    assert!(
        read_file(&model(Dialect::Document)).0.meshes.iter().all(|mesh| mesh.primitives[0].streams.colours.is_empty())
    );
}

#[test]
fn zeros_for_texture_coordinates_are_none_without_a_texture() {
    let mut file = model(Dialect::Document);
    file.meshes[0].vertices.to_mut().iter_mut().for_each(|vertex| vertex.uv = [0.0.into(); 2]);
    let sets = |file: &File<'_>| read_file(file).0.meshes.iter().next().unwrap().primitives[0].streams.uvs.len();
    assert_eq!(sets(&file), 1);
    file.materials.clear();
    assert_eq!(sets(&file), 0);
}

#[test]
fn meshes_that_one_node_draws_are_parts_of_one() {
    let mut file = chain(Dialect::Document);
    file.meshes = vec![triangle(); 4];
    file.nodes[0].mesh_ids = Cow::Owned(vec![0.into(), 2.into()]);
    file.nodes[1].mesh_ids = Cow::Owned(vec![0.into(), 2.into()]);
    file.nodes[2].mesh_ids = Cow::Owned(vec![1.into()]);
    let (scene, losses) = read_file(&file);
    assert!(losses.is_empty());
    let primitives: Vec<usize> = scene.meshes.iter().map(|mesh| mesh.primitives.len()).collect();
    assert_eq!(primitives, [2, 1, 1], "the last is drawn by no node");
    let drawn: Vec<_> = scene.nodes.iter().map(|node| node.mesh.map(Handle::index)).collect();
    assert_eq!(drawn, [Some(0), Some(0), Some(1)]);
}

#[test]
fn meshes_that_cannot_be_shown_are_left_out() {
    let mut file = chain(Dialect::Document);
    file.meshes.push(Mesh::default());
    file.meshes.push(triangle());
    file.meshes[2].vertices.to_mut()[1].position[0] = f32::NAN.into();
    file.nodes[0].mesh_ids = Cow::Owned(vec![1.into(), 2.into(), 0.into()]);
    let (scene, losses) = read_file(&file);
    assert_eq!(words(&losses), ["dropped meshes ×1", "dropped meshes ×1"]);
    assert_eq!(scene.meshes.len(), 1);
}

#[test]
fn weights_of_a_mesh_that_no_node_draws_are_lost() {
    let mut file = chain(Dialect::Document);
    file.nodes[2].mesh_ids = Cow::default();
    let (scene, losses) = read_file(&file);
    assert_eq!(words(&losses), ["dropped influences ×3"]);
    assert_eq!((scene.meshes.len(), scene.skins.len()), (1, 0));
}

#[test]
fn meshes_with_the_same_joints_share_a_skin() {
    let mut file = chain(Dialect::Document);
    file.meshes.push(file.meshes[0].clone());
    file.nodes[0].mesh_ids = Cow::Owned(vec![1.into()]);
    let (scene, _) = read_file(&file);
    assert_eq!((scene.meshes.len(), scene.skins.len()), (2, 1));
}

#[test]
fn without_faces_vertices_are_taken_in_threes() {
    let mut file = model(Dialect::Day09);
    let spare = file.meshes[0].vertices[0];
    file.meshes[0].vertices.to_mut().push(spare);
    let (scene, losses) = read_file(&file);
    assert_eq!(words(&losses), ["dropped triangles ×1"]);
    assert_eq!(scene.meshes.iter().next().unwrap().primitives[0].indices.len(), 54);
}

#[test]
fn room_for_weights_is_bounded() {
    let mut file = chain(Dialect::Document);
    let vertex = file.meshes[0].vertices[0];
    file.meshes[0].vertices = Cow::Owned(vec![vertex; 10_000]);
    file.meshes[0].weights[0].influences = Cow::Owned(vec![file.meshes[0].weights[0].influences[0]; 10_000]);
    let error = read_with(&file.encode().into(), |_| {}).0.err().unwrap();
    assert!(matches!(&error, Error::Unsupported(finding) if finding.offset.is_some()), "{error}");
}
