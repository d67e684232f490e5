//! Whether everything is where it was, at rest and at many moments of every clip: by the yardstick, from a file that is read by
//! the few lines below.

use super::decode::File;
use super::{glb, scenes};
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Quat, Vec3};
use maquette_scene::mesh::{Influences, Mesh, Primitive, Streams};
use maquette_scene::scene::{Node, Skin, Transform, Trs};
use maquette_scene::{Handle, Scene, pose, valid};
use serde_json::Value;

fn index(value: &Value) -> Option<usize> {
    value.as_u64().map(|index| index as usize)
}

fn handles<T>(value: &Value) -> Vec<Handle<T>> {
    value.as_array().map_or(Vec::new(), |list| list.iter().filter_map(index).map(Handle::from_index).collect())
}

fn floats<const N: usize>(value: &Value) -> Option<[f32; N]> {
    let list: Vec<f32> = value.as_array()?.iter().map(|x| x.as_f64().unwrap() as f32).collect();
    list.try_into().ok()
}

fn local(node: &Value) -> Transform {
    if let Some(matrix) = floats::<16>(&node["matrix"]) {
        return Transform::Matrix(Mat4::from_cols_array(&matrix));
    }
    Transform::Trs(Trs {
        translation: floats::<3>(&node["translation"]).map_or(Vec3::ZERO, Vec3::from),
        rotation: floats::<4>(&node["rotation"]).map_or(Quat::IDENTITY, Quat::from_array),
        scale: floats::<3>(&node["scale"]).map_or(Vec3::ONE, Vec3::from),
    })
}

fn primitive(file: &File, primitive: &Value) -> Primitive {
    let attributes = &primitive["attributes"];
    let positions = file.vectors::<3>(&attributes["POSITION"]);
    let sets: Vec<(Vec<u32>, Vec<f32>)> = (0..)
        .map_while(|set| {
            let joints = attributes.get(format!("JOINTS_{set}"))?;
            Some((file.integers(joints).0, file.floats(&attributes[format!("WEIGHTS_{set}")])))
        })
        .collect();
    let mut influences = Influences { slots: 4 * sets.len(), ..Influences::default() };
    for vertex in 0..positions.len() {
        for (joints, weights) in &sets {
            influences.joints.extend(&joints[4 * vertex..4 * vertex + 4]);
            influences.weights.extend(&weights[4 * vertex..4 * vertex + 4]);
        }
    }
    let streams = Streams { positions, influences: (!sets.is_empty()).then_some(influences), ..Streams::default() };
    Primitive { streams, ..Primitive::default() }
}

fn keys<const N: usize>(file: &File, sampler: &Value) -> Keys<[f32; N]> {
    let interpolation = match sampler["interpolation"].as_str() {
        None => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::CubicSpline,
        other => panic!("{other:?}"),
    };
    Keys { times_secs: file.floats(&sampler["input"]), values: file.vectors(&sampler["output"]), interpolation }
}

fn clip(file: &File, animation: &Value) -> Clip {
    let channels = animation["channels"].as_array().unwrap().iter();
    let tracks = channels.filter_map(|channel| {
        let sampler = &animation["samplers"][index(&channel["sampler"]).unwrap()];
        let curve = match channel["target"]["path"].as_str().unwrap() {
            "translation" => Curve::Translation(keys(file, sampler)),
            "rotation" => Curve::Rotation(keys(file, sampler)),
            "scale" => Curve::Scale(keys(file, sampler)),
            _ => return None,
        };
        let node = Handle::from_index(index(&channel["target"]["node"]).unwrap());
        Some(Track { target: Target::Node(node), curve, blend: None })
    });
    Clip { tracks: tracks.collect(), ..Clip::default() }
}

fn read(file: &File) -> Scene {
    let mut scene = Scene { roots: handles(&file.json["scenes"][0]["nodes"]), ..Scene::default() };
    for node in file.list("/nodes") {
        let [mesh, skin] = ["mesh", "skin"].map(|key| index(&node[key]));
        scene.nodes.push(Node {
            transform: local(node),
            children: handles(&node["children"]),
            mesh: mesh.map(Handle::from_index),
            skin: skin.map(Handle::from_index),
            ..Node::default()
        });
    }
    for mesh in file.list("/meshes") {
        let primitives = mesh["primitives"].as_array().unwrap().iter().map(|stored| primitive(file, stored)).collect();
        scene.meshes.push(Mesh { primitives, ..Mesh::default() });
    }
    for skin in file.list("/skins") {
        let joints = skin["joints"].as_array().unwrap().len();
        let identity = Mat4::IDENTITY.to_cols_array();
        let matrices = match &skin["inverseBindMatrices"] {
            Value::Null => vec![identity; joints],
            accessor => file.vectors::<16>(accessor),
        };
        let joint_from_mesh = matrices.iter().map(Mat4::from_cols_array).collect();
        scene.skins.push(Skin { joints: handles(&skin["joints"]), joint_from_mesh, ..Skin::default() });
    }
    for animation in file.list("/animations") {
        scene.clips.push(clip(file, animation));
    }
    valid::check(&scene).unwrap();
    scene
}

/// Compares points without regard to their order; meshes may hang at other nodes.
fn same(name: &str, expected: Vec<Vec3>, mut found: Vec<Vec3>) {
    assert_eq!(expected.len(), found.len(), "{name}");
    let size = expected.iter().fold(1.0, |most: f32, point| most.max(point.length()));
    for point in expected {
        let near = found.iter().position(|other| other.distance(point) <= 1e-5 * size);
        let near = near.unwrap_or_else(|| panic!("{name}: {point} is not among {found:?}"));
        found.swap_remove(near);
    }
}

#[test]
fn everything_moves_as_it_did() {
    for (name, make) in scenes::ALL {
        let scene = make();
        if scene.meshes.iter().any(|mesh| mesh.primitives.iter().any(|primitive| primitive.streams.len() > 1000)) {
            continue;
        }
        let (file, _) = glb(&scene);
        let read = read(&file);
        same(name, pose::positions_at_rest(&scene), pose::positions_at_rest(&read));
        let moving = scene.clips.iter().filter(|clip| !clip.tracks.is_empty());
        for (clip, again) in moving.zip(&read.clips) {
            let shift = file.json["animations"][0]["extras"]["maquette"]["shifted_secs"].as_f64().unwrap_or(0.0) as f32;
            for step in 0..=24 {
                let secs = step as f32 * 0.11 - shift;
                let expected = pose::positions_at(&scene, clip, secs);
                same(&format!("{name} at {secs}"), expected, pose::positions_at(&read, again, secs + shift));
            }
        }
    }
}
