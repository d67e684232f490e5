//! Small scenes whose pixels can be worked out by hand.

#![allow(dead_code)]

use maquette_render::{
    Background, Camera, Hollows, Light, Mode, Projection, Samples, Shadow, Shot, Stage, StageOptions, draw,
};
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::material::{Material, Pbr, TextureUse};
use maquette_scene::mesh::{Mesh, Primitive, Streams};
use maquette_scene::scene::{Node, Transform};
use maquette_scene::{Bytes, Handle, Scene};
use maquette_texture::Picture;

/// A picture of the square from (0, 0) to (side, side), a unit a pixel, Y up.
pub fn flat_shot(side: u32) -> Shot {
    let half = side as f32 * 0.5;
    let camera = Camera {
        world_from_camera: Mat4::from_translation(Vec3::new(half, half, 100.0)),
        projection: Projection::Orthographic { height: side as f32 },
        near: 0.1,
    };
    Shot {
        size: [side, side],
        camera,
        mode: Mode::BaseColour,
        background: Background::Transparent,
        samples: Samples::Four,
        light: Light { shadow: Shadow::None, hollows: Hollows::Lit, ..Light::default() },
        ..Shot::default()
    }
}

pub fn taken(scene: &Scene, shot: &Shot) -> Picture {
    let stage = Stage::new(scene, &StageOptions::default());
    assert_eq!(stage.missing(), []);
    draw(&stage.pose(None), shot).unwrap()
}

pub fn pixel(picture: &Picture, x: usize, y: usize) -> [u8; 4] {
    picture.row(y)[x]
}

pub fn material(base_colour: [f32; 4]) -> Material {
    let pbr = Pbr { base_colour, ..Pbr::default() };
    Material { surface: pbr.into(), unlit: true, ..Material::default() }
}

/// Adds triangles at a node of their own.
pub fn add(scene: &mut Scene, positions: &[[f32; 3]], indices: &[u32], material: Material) -> Handle<Node> {
    let material = Some(scene.materials.push(material));
    let streams = Streams { positions: positions.to_vec(), ..Streams::default() };
    let primitive = Primitive { streams, indices: indices.to_vec(), material, ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let node = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
    scene.roots.push(node);
    node
}

/// A rectangle that faces +Z, with texture coordinates from its upper left corner.
pub fn quad(
    scene: &mut Scene,
    [left, bottom]: [f32; 2],
    [right, top]: [f32; 2],
    z: f32,
    material: Material,
) -> Handle<Node> {
    let positions = [[left, bottom, z], [right, bottom, z], [right, top, z], [left, top, z]];
    let node = add(scene, &positions, &[0, 1, 2, 0, 2, 3], material);
    let mesh = scene.nodes[node].mesh.unwrap();
    scene.meshes[mesh].primitives[0].streams.uvs = vec![vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]];
    node
}

pub fn image(scene: &mut Scene, width: u32, height: u32, levels: Vec<Vec<[u8; 4]>>) -> Handle<Image> {
    let levels = levels.into_iter().map(|level| Bytes::from(level.as_flattened().to_vec())).collect();
    let data = ImageData::Pixels { format: PixelFormat::Rgba8, colour_space: ColourSpace::Srgb, width, height, levels };
    scene.images.push(Image::new("picture", data))
}

pub fn textured(image: Handle<Image>) -> Material {
    let pbr = Pbr { base_colour_texture: Some(TextureUse::new(image)), ..Pbr::default() };
    Material { surface: pbr.into(), unlit: true, ..Material::default() }
}

pub fn place(scene: &mut Scene, node: Handle<Node>, matrix: Mat4) {
    scene.nodes[node].transform = Transform::Matrix(matrix);
}
