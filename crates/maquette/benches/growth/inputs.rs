//! GLB files that have much of one thing.

use maquette::scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette::scene::glam::{Mat4, Quat, Vec3};
use maquette::scene::image::{Image, ImageData};
use maquette::scene::material::{Material, Pbr, TextureUse};
use maquette::scene::mesh::{Influences, Mesh, Primitive, Streams};
use maquette::scene::scene::{Node, Skin, Transform, Trs};
use maquette::scene::{Handle, Scene};
use maquette::texture::png;

/// Files of any size.
pub struct Input {
    pub name: &'static str,
    /// The largest of the three sizes.
    pub most: usize,
    pub make: fn(usize) -> Vec<Vec<u8>>,
}

pub const INPUTS: [Input; 15] = [
    Input { name: "vertices", most: 1 << 20, make: |count| one(meshes([grid(count)])) },
    Input { name: "triangles of a fan", most: 1 << 18, make: |count| one(meshes([fan(count)])) },
    Input { name: "triangles at one place", most: 1 << 18, make: |count| one(meshes([at_one_place(count)])) },
    Input { name: "triangles on one edge", most: 1 << 18, make: |count| one(meshes([on_one_edge(count)])) },
    Input { name: "straight keys", most: 1 << 20, make: |count| one(keys(count, Interpolation::Linear)) },
    Input { name: "keys of splines", most: 1 << 18, make: |count| one(keys(count, Interpolation::CubicSpline)) },
    Input { name: "joints", most: 1 << 15, make: |count| one(joints(count, false)) },
    Input { name: "joints in a chain", most: 1 << 15, make: |count| one(joints(count, true)) },
    Input { name: "meshes", most: 1 << 15, make: |count| one(meshes((0..count).map(|_| triangle()))) },
    Input { name: "nodes in a chain", most: 1 << 16, make: |count| one(chain(count)) },
    Input { name: "nodes beside each other", most: 1 << 16, make: |count| one(beside(count)) },
    Input { name: "instances", most: 1 << 12, make: |count| one(instances(count)) },
    Input { name: "materials", most: 1 << 14, make: |count| one(materials(count, false)) },
    Input { name: "images", most: 1 << 11, make: |count| one(materials(count, true)) },
    Input { name: "files", most: 1 << 10, make: |count| (0..count).map(|_| glb(meshes([grid(100)]))).collect() },
];

pub fn glb(scene: Scene) -> Vec<u8> {
    maquette::write::encode(scene, "a.glb", &Default::default()).unwrap().main.to_vec()
}

fn one(scene: Scene) -> Vec<Vec<u8>> {
    vec![glb(scene)]
}

/// Triangles with normals and coordinates, but without tangents.
fn primitive(positions: Vec<[f32; 3]>, indices: Vec<u32>) -> Primitive {
    let normals = Some(vec![[0.0, 0.0, 1.0]; positions.len()]);
    let uvs = vec![positions.iter().map(|[x, y, z]| [x * 0.5 + z, y * 0.25 + z]).collect()];
    Primitive { streams: Streams { positions, normals, uvs, ..Streams::default() }, indices, ..Primitive::default() }
}

fn triangle() -> Primitive {
    primitive(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![0, 1, 2])
}

pub fn grid(vertices: usize) -> Primitive {
    let side = (vertices as f64).sqrt().round() as u32;
    let positions = (0..side * side).map(|at| [(at % side) as f32, (at / side) as f32, ((at * 7) % 13) as f32 * 0.01]);
    let corner = |at: u32| [at, at + 1, at + side, at + side, at + 1, at + side + 1];
    let cells = (0..side - 1).flat_map(|row| (0..side - 1).map(move |column| row * side + column));
    primitive(positions.collect(), cells.flat_map(corner).collect())
}

fn fan(triangles: usize) -> Primitive {
    let rim = (0..=triangles).map(|at| {
        let angle = at as f32 / triangles as f32 * 6.0;
        [angle.cos(), angle.sin(), 0.0]
    });
    let positions = std::iter::once([0.0; 3]).chain(rim).collect();
    primitive(positions, (1..=triangles as u32).flat_map(|at| [0, at, at + 1]).collect())
}

fn at_one_place(triangles: usize) -> Primitive {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    primitive(corners.repeat(triangles), (0..3 * triangles as u32).collect())
}

fn on_one_edge(triangles: usize) -> Primitive {
    let tips = (0..triangles).map(|at| [0.5, 1.0 + at as f32 / triangles as f32, 0.0]);
    let positions = [[0.0; 3], [1.0, 0.0, 0.0]].into_iter().chain(tips).collect();
    primitive(positions, (2..2 + triangles as u32).flat_map(|tip| [0, 1, tip]).collect())
}

fn add_mesh(scene: &mut Scene, primitive: Primitive) -> Handle<Mesh> {
    scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() })
}

fn draw(scene: &mut Scene, mesh: Handle<Mesh>, x: f32) {
    let node = scene.nodes.push(Node { mesh: Some(mesh), transform: moved(x), ..Node::default() });
    scene.roots.push(node);
}

fn moved(x: f32) -> Transform {
    Transform::Trs(Trs { translation: Vec3::new(x, 0.0, 0.0), ..Trs::IDENTITY })
}

pub fn meshes(primitives: impl IntoIterator<Item = Primitive>) -> Scene {
    let mut scene = Scene::default();
    for (index, primitive) in primitives.into_iter().enumerate() {
        let mesh = add_mesh(&mut scene, primitive);
        draw(&mut scene, mesh, index as f32);
    }
    scene
}

fn instances(count: usize) -> Scene {
    let mut scene = Scene::default();
    let mesh = add_mesh(&mut scene, grid(400));
    (0..count).for_each(|at| draw(&mut scene, mesh, at as f32));
    scene
}

fn chain(count: usize) -> Scene {
    let mut scene = Scene::default();
    let mesh = add_mesh(&mut scene, triangle());
    let mut below = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
    for _ in 1..count {
        below = scene.nodes.push(Node { children: vec![below], transform: moved(0.001), ..Node::default() });
    }
    scene.roots.push(below);
    scene
}

fn beside(count: usize) -> Scene {
    let mut scene = meshes([triangle()]);
    for at in 0..count {
        let node =
            scene.nodes.push(Node { name: format!("place {at}"), transform: moved(at as f32), ..Node::default() });
        scene.roots.push(node);
    }
    scene
}

fn materials(count: usize, have_images: bool) -> Scene {
    let mut scene = Scene::default();
    for at in 0..count {
        let colour = [at as u8, (at >> 8) as u8, 99, 255];
        let mut pbr = Pbr { base_colour: colour.map(|value| f32::from(value) / 255.0), ..Pbr::default() };
        if have_images {
            let bytes = png::encode(8, 8, &[colour; 64]).unwrap().into();
            let image = Image::new(format!("image {at}"), ImageData::Encoded { mime: "image/png".into(), bytes });
            pbr.base_colour_texture = Some(TextureUse::new(scene.images.push(image)));
        }
        let material = scene.materials.push(Material { surface: pbr.into(), ..Material::default() });
        let mesh = add_mesh(&mut scene, Primitive { material: Some(material), ..triangle() });
        draw(&mut scene, mesh, at as f32);
    }
    scene
}

/// A triangle on some joints, in a chain or beside each other.
pub fn skinned(count: usize, in_chain: bool) -> (Scene, Vec<Handle<Node>>) {
    let mut scene = Scene::default();
    let joints: Vec<Handle<Node>> = (0..count)
        .map(|at| scene.nodes.push(Node { name: format!("joint {at}"), transform: moved(0.01), ..Node::default() }))
        .collect();
    for pair in joints.windows(2) {
        match scene.nodes.get_mut(pair[0]).filter(|_| in_chain) {
            Some(parent) => parent.children.push(pair[1]),
            None => scene.roots.push(pair[1]),
        }
    }
    scene.roots.push(joints[0]);
    let mut primitive = triangle();
    primitive.streams.influences = Some(Influences { slots: 1, joints: vec![0; 3], weights: vec![1.0; 3] });
    let mesh = add_mesh(&mut scene, primitive);
    let joint_from_mesh = vec![Mat4::IDENTITY; count];
    let skin = scene.skins.push(Skin { joint_from_mesh, joints: joints.clone(), ..Skin::default() });
    let body = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene.roots.push(body);
    (scene, joints)
}

fn joints(count: usize, in_chain: bool) -> Scene {
    let (mut scene, joints) = skinned(count, in_chain);
    let turn = |at: usize| Quat::from_rotation_z((at % 7) as f32 * 0.1).to_array();
    let tracks = joints.iter().map(|&joint| {
        let values = (0..2).map(|key| turn(joint.index() + key)).collect();
        track(joint, Curve::Rotation(Keys { times_secs: vec![0.0, 1.0], values, interpolation: Interpolation::Linear }))
    });
    let tracks = tracks.collect();
    scene.clips.push(Clip { name: "all".into(), duration_secs: 1.0, tracks, ..Clip::default() });
    scene
}

pub fn track(joint: Handle<Node>, curve: Curve) -> Track {
    Track { target: Target::Node(joint), curve, blend: None }
}

/// Keys of ten joints, this many in all.
fn keys(count: usize, interpolation: Interpolation) -> Scene {
    let (mut scene, joints) = skinned(10, true);
    let each = count / 10;
    let times_secs: Vec<f32> = (0..each).map(|key| key as f32 / 30.0).collect();
    let value = |key: usize| [(key as f32 * 0.37).sin(), (key as f32 * 0.11).cos(), 0.1];
    let values: Vec<[f32; 3]> = match interpolation {
        Interpolation::CubicSpline => {
            (0..each).flat_map(|key| [[3.0, 0.0, 1.0], value(key), [-2.0, 1.0, 0.0]]).collect()
        }
        _ => (0..each).map(value).collect(),
    };
    let curve = Curve::Translation(Keys { times_secs, values, interpolation });
    let tracks = joints.iter().map(|&joint| track(joint, curve.clone())).collect();
    scene.clips.push(Clip { name: "long".into(), duration_secs: each as f64 / 30.0, tracks, ..Clip::default() });
    scene
}
