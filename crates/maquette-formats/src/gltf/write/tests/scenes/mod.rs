//! Scenes made by hand: one for each thing that glTF is particular about.

mod bound;
mod moving;
mod surfaces;

pub use bound::*;
pub use moving::*;
pub use surfaces::*;

use crate::specimen;
use maquette_scene::clip::{Clip, Curve, Event, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Quat, Vec3, Vec4};
use maquette_scene::image::{Image, ImageData};
use maquette_scene::material::{AlphaMode, Filter, Material, Pbr, TextureUse, UvTransform, Wrap};
use maquette_scene::mesh::{Influences, Mesh, MorphTarget, Primitive, Streams, Topology};
use maquette_scene::scene::{Node, Skin, Transform, Trs};
use maquette_scene::{Handle, Scene};

pub type Make = fn() -> Scene;

/// Every scene, by name.
pub const ALL: &[(&str, Make)] = &[
    ("empty", Scene::default),
    ("triangle", triangle),
    ("post", post),
    ("morphs", morphs),
    ("lines", lines),
    ("interpolations", interpolations),
    ("names", names),
    ("influences", influences),
    ("frames", frames),
    ("hierarchy", hierarchy),
    ("surfaces", surfaces),
    ("pictures", pictures),
    ("two roots", two_roots),
    ("mixed", mixed),
    ("hidden", hidden),
    ("early", early),
    ("long turns", long_turns),
    ("many", many),
    ("nothing to draw", nothing_to_draw),
];

pub fn primitive(positions: &[[f32; 3]]) -> Primitive {
    let indices = (0..positions.len() as u32).collect();
    let streams = Streams { positions: positions.to_vec(), ..Streams::default() };
    Primitive { streams, indices, ..Primitive::default() }
}

fn with_frames(mut primitive: Primitive) -> Primitive {
    primitive.streams.normals = Some(vec![[0.0, 0.0, 1.0]; primitive.streams.len()]);
    primitive.streams.tangents = Some(vec![[1.0, 0.0, 0.0, -1.0]; primitive.streams.len()]);
    primitive
}

pub fn keys<T: Clone>(times: &[f32], values: &[T], interpolation: Interpolation) -> Keys<T> {
    Keys { times_secs: times.to_vec(), values: values.to_vec(), interpolation }
}

pub fn track(node: Handle<Node>, curve: Curve) -> Track {
    Track { target: Target::Node(node), curve, blend: None }
}

/// A scene of one mesh at one root.
pub fn drawn(mesh: Mesh) -> Scene {
    let mut scene = Scene::default();
    let mesh = scene.meshes.push(mesh);
    let root = scene.nodes.push(Node { name: "thing".into(), mesh: Some(mesh), ..Node::default() });
    scene.roots.push(root);
    scene
}

pub fn at(translation: [f32; 3]) -> Transform {
    Transform::Trs(Trs { translation: translation.into(), ..Trs::IDENTITY })
}

const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]];

pub fn triangle() -> Scene {
    drawn(Mesh { name: "triangle".into(), primitives: vec![primitive(&CORNERS)], ..Mesh::default() })
}

/// The specimen: skinned, textured, swaying.
pub fn post() -> Scene {
    let mut scene = Scene::default();
    let (vertices, indices) = specimen::geometry();
    let lists: Vec<Vec<(u32, f32)>> = vertices
        .iter()
        .map(|vertex| {
            let slots = vertex.joints.iter().zip(vertex.weights);
            slots.filter(|(joint, _)| **joint >= 0).map(|(&joint, weight)| (joint as u32, weight)).collect()
        })
        .collect();
    let streams = Streams {
        positions: vertices.iter().map(|vertex| vertex.position).collect(),
        normals: Some(vertices.iter().map(|vertex| vertex.normal).collect()),
        tangents: Some(vertices.iter().map(|v| [v.tangent[0], v.tangent[1], v.tangent[2], 1.0]).collect()),
        uvs: vec![vertices.iter().map(|vertex| vertex.uv).collect()],
        colours: Vec::new(),
        influences: Some(Influences::from_lists(lists.iter().map(Vec::as_slice))),
    };
    let data = ImageData::Encoded { mime: "image/png".into(), bytes: specimen::checker_png().into() };
    let image = scene.images.push(Image::new("checker", data));
    let surface = Pbr { base_colour_texture: Some(TextureUse::new(image)), metallic: 0.0, ..Pbr::default() }.into();
    let material = scene.materials.push(Material { name: specimen::MATERIAL.into(), surface, ..Material::default() });
    let primitive = Primitive { streams, indices, material: Some(material), ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { name: "post".into(), primitives: vec![primitive], ..Mesh::default() });
    let mut skin = Skin { name: "post".into(), ..Skin::default() };
    let mut clip = Clip { name: specimen::CLIP.into(), duration_secs: 2.0, ..Clip::default() };
    for joint in specimen::JOINTS {
        let node =
            scene.nodes.push(Node { name: joint.name.into(), transform: at(joint.translation), ..Node::default() });
        match usize::try_from(joint.parent) {
            Ok(parent) => scene.nodes.get_mut(Handle::from_index(parent)).unwrap().children.push(node),
            Err(_) => scene.roots.push(node),
        }
        skin.joints.push(node);
        skin.joint_from_mesh.push(Mat4::from_cols_array(&joint.inverse_bind()));
        let turns = keys(&specimen::KEY_TIMES, &joint.rotations, Interpolation::Linear);
        clip.tracks.push(track(node, Curve::Rotation(turns)));
    }
    let skin = scene.skins.push(skin);
    let drawn = Node { name: "post".into(), mesh: Some(mesh), skin: Some(skin), ..Node::default() };
    let drawn = scene.nodes.push(drawn);
    scene.roots.push(drawn);
    scene.clips.push(clip);
    scene
}

pub fn morphs() -> Scene {
    let mut primitive = primitive(&CORNERS);
    primitive.streams.normals = Some(vec![[0.0, 0.0, 1.0]; 3]);
    let full = MorphTarget {
        positions: vec![[0.0, 0.0, 1.0], [0.0; 3], [0.25, -0.5, 0.0]],
        normals: Some(vec![[0.1, 0.0, 0.0]; 3]),
        tangents: Some(vec![[0.0; 3]; 3]),
    };
    let plain = MorphTarget { positions: vec![[0.5; 3]; 3], ..MorphTarget::default() };
    primitive.morph_targets = vec![full, plain];
    let mesh = Mesh {
        name: "face".into(),
        primitives: vec![primitive],
        morph_names: vec!["smile".into(), "frown".into()],
        morph_weights: vec![0.0, 0.25],
        ..Mesh::default()
    };
    let mut scene = drawn(mesh);
    let node = scene.roots[0];
    scene.nodes.get_mut(node).unwrap().morph_weights = vec![0.5, 0.0];
    let linear = keys(&[0.0, 1.0], &[vec![0.0, 1.0], vec![1.0, 0.0]], Interpolation::Linear);
    let rows: Vec<Vec<f32>> = (0..6).map(|row| vec![row as f32, 10.0 + row as f32]).collect();
    let cubic = keys(&[0.0, 1.0], &rows, Interpolation::CubicSpline);
    for (name, keys) in [("linear", linear), ("cubic", cubic)] {
        let tracks = vec![track(node, Curve::MorphWeights(keys))];
        scene.clips.push(Clip { name: name.into(), duration_secs: 1.0, tracks, ..Clip::default() });
    }
    scene
}

pub fn lines() -> Scene {
    let mut primitive = primitive(&[[0.0; 3], [1.0, 0.1, 0.0], [2.0, 0.0, -0.3], [2.0, 1.0, 0.0]]);
    primitive.topology = Topology::Lines;
    primitive.streams.uvs = vec![vec![[0.1, 0.7]; 4], vec![[-1.0, 2.5]; 4], vec![[0.0; 2]; 4]];
    primitive.streams.colours = vec![vec![[1.0, 0.5, 0.25, 1.0]; 4], vec![[0.0, 0.1, 0.2, 0.3]; 4]];
    drawn(Mesh { primitives: vec![primitive], ..Mesh::default() })
}
