//! Scenes made by hand: one for each thing that glTF is particular about.

use crate::specimen;
use maquette_scene::clip::{Blend, Clip, Curve, Event, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Quat, Vec3, Vec4};
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::material::{AlphaMode, Filter, Material, TextureUse, UvTransform, Wrap};
use maquette_scene::mesh::{Influences, Mesh, MorphTarget, Part, Streams, Topology};
use maquette_scene::scene::{Local, Node, Skin, Transform};
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
    ("blends", blends),
    ("many", many),
    ("nothing to draw", nothing_to_draw),
];

pub fn part(positions: &[[f32; 3]]) -> Part {
    let indices = (0..positions.len() as u32).collect();
    let streams = Streams { positions: positions.to_vec(), ..Streams::default() };
    Part { streams, indices, ..Part::default() }
}

fn with_frames(mut part: Part) -> Part {
    part.streams.normals = Some(vec![[0.0, 0.0, 1.0]; part.streams.len()]);
    part.streams.tangents = Some(vec![[1.0, 0.0, 0.0, -1.0]; part.streams.len()]);
    part
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

pub fn at(translation: [f32; 3]) -> Local {
    Local::Parts(Transform { translation: translation.into(), ..Transform::IDENTITY })
}

const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]];

pub fn triangle() -> Scene {
    drawn(Mesh { name: "triangle".into(), parts: vec![part(&CORNERS)], ..Mesh::default() })
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
    let data = ImageData::Encoded { mime: "image/png".into(), bytes: specimen::checker_png() };
    let image = scene.images.push(Image { name: "checker".into(), data });
    let material = scene.materials.push(Material {
        name: specimen::MATERIAL.into(),
        base_colour_texture: Some(TextureUse::new(image)),
        metallic: 0.0,
        ..Material::default()
    });
    let part = Part { streams, indices, material: Some(material), ..Part::default() };
    let mesh = scene.meshes.push(Mesh { name: "post".into(), parts: vec![part], ..Mesh::default() });
    let mut skin = Skin { name: "post".into(), ..Skin::default() };
    let mut clip = Clip { name: specimen::CLIP.into(), duration_secs: 2.0, ..Clip::default() };
    for joint in specimen::JOINTS {
        let node = scene.nodes.push(Node { name: joint.name.into(), local: at(joint.translation), ..Node::default() });
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
    let mut part = part(&CORNERS);
    part.streams.normals = Some(vec![[0.0, 0.0, 1.0]; 3]);
    let full = MorphTarget {
        positions: vec![[0.0, 0.0, 1.0], [0.0; 3], [0.25, -0.5, 0.0]],
        normals: Some(vec![[0.1, 0.0, 0.0]; 3]),
        tangents: Some(vec![[0.0; 3]; 3]),
    };
    let plain = MorphTarget { positions: vec![[0.5; 3]; 3], ..MorphTarget::default() };
    part.morph_targets = vec![full, plain];
    let mesh = Mesh {
        name: "face".into(),
        parts: vec![part],
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
    let mut part = part(&[[0.0; 3], [1.0, 0.1, 0.0], [2.0, 0.0, -0.3], [2.0, 1.0, 0.0]]);
    part.topology = Topology::Lines;
    part.streams.uvs = vec![vec![[0.1, 0.7]; 4], vec![[-1.0, 2.5]; 4], vec![[0.0; 2]; 4]];
    part.streams.colours = vec![vec![[1.0, 0.5, 0.25, 1.0]; 4], vec![[0.0, 0.1, 0.2, 0.3]; 4]];
    drawn(Mesh { parts: vec![part], ..Mesh::default() })
}

pub fn interpolations() -> Scene {
    let mut scene = triangle();
    let root = scene.roots[0];
    let mesh = scene.nodes.get(root).unwrap().mesh;
    let turn = |angle: f32| Quat::from_rotation_y(angle).to_array();
    let mut clip = Clip { name: "all".into(), duration_secs: 1.5, ..Clip::default() };
    for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
        let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let vectors: Vec<[f32; 3]> = (0..3 * each).map(|i| [i as f32, 1.0 - 0.1 * i as f32, 0.3]).collect();
        let mut turns: Vec<[f32; 4]> = (0..3 * each).map(|i| turn(0.3 * i as f32)).collect();
        if each == 3 {
            for (index, value) in turns.iter_mut().enumerate().filter(|(index, _)| index % 3 != 1) {
                *value = [0.1 * index as f32, 0.0, -0.2, 0.05];
            }
        }
        let local = Local::Parts(Transform {
            translation: Vec3::new(0.1, 0.2, 0.3),
            rotation: Quat::from_rotation_x(0.5),
            scale: Vec3::new(1.0, 2.0, 3.0),
        });
        let node = scene.nodes.push(Node { name: format!("{interpolation:?}"), local, mesh, ..Node::default() });
        scene.nodes.get_mut(root).unwrap().children.push(node);
        let times = [0.0, 0.75, 1.5];
        clip.tracks.push(track(node, Curve::Translation(keys(&times, &vectors, interpolation))));
        clip.tracks.push(track(node, Curve::Rotation(keys(&times, &turns, interpolation))));
        clip.tracks.push(track(node, Curve::Scale(keys(&times, &vectors, interpolation))));
    }
    // A track without keys, and one that a later one replaces.
    clip.tracks.insert(0, track(root, Curve::Scale(keys(&[], &[], Interpolation::Linear))));
    let first = keys(&[0.0], &[[9.0; 3]], Interpolation::Linear);
    let second = keys(&[0.25], &[[1.0, 0.0, 0.0]], Interpolation::CubicSpline);
    let second = Keys { values: vec![[7.0; 3], second.values[0], [8.0; 3]], ..second };
    clip.tracks.push(track(root, Curve::Translation(first)));
    clip.tracks.push(track(root, Curve::Translation(second)));
    scene.clips.push(clip);
    scene
}

/// Animation alone.
pub fn names() -> Scene {
    let named = |name: &str, curve: Curve| Track { target: Target::Name(name.into()), curve, blend: None };
    let moved = keys(&[0.0, 0.5], &[[0.0; 3], [1.0, 2.0, 3.0]], Interpolation::Linear);
    let turned = keys(&[0.0], &[[0.0, 0.0, 0.0, 1.0]], Interpolation::Linear);
    let clip = Clip {
        name: "walk".into(),
        duration_secs: 1.0,
        tracks: vec![
            named("spine", Curve::Translation(moved.clone())),
            named("hip", Curve::Rotation(turned)),
            named("spine", Curve::Scale(moved)),
        ],
        events: vec![Event { time_secs: 0.1, name: "step".into() }, Event { time_secs: 0.5, name: "step".into() }],
        blend: Blend::Relative,
        looped: Some(true),
        frame_rate: Some(29.97),
        ..Clip::default()
    };
    let mut scene = Scene::default();
    scene.clips.push(clip);
    scene.extras.set("seanim", "reserved1", "[1,2]");
    scene
}

/// A strip of two joints with weights of every bad kind.
pub fn influences() -> Scene {
    let mut scene = Scene::default();
    let mut joints = Vec::new();
    for index in 0..7 {
        let turned = Transform { rotation: Quat::from_rotation_z(0.1 * index as f32), ..Transform::IDENTITY };
        let node = scene.nodes.push(Node { name: format!("joint {index}"), ..Node::default() });
        scene.nodes.get_mut(node).unwrap().local = Local::Parts(turned);
        match joints.last() {
            Some(&parent) => scene.nodes.get_mut(parent).unwrap().children.push(node),
            None => scene.roots.push(node),
        }
        joints.push(node);
    }
    let matrices = (0..7).map(|index| Mat4::from_translation(Vec3::X * index as f32)).collect();
    let skin = scene.skins.push(Skin { joints: joints.clone(), joint_from_mesh: matrices, ..Skin::default() });
    let lists: [&[(u32, f32)]; 6] = [
        &[(0, 0.5), (1, 0.125), (2, 0.125), (3, 0.125), (4, 0.0625), (5, 0.0625)],
        &[(6, 1.0)],
        &[(1, 0.25), (2, 0.5), (1, 0.25)],
        &[],
        &[(3, 0.0), (2, 1.0)],
        &[(5, 0.7), (6, 0.3)],
    ];
    let mut part = part(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.5, 0.0], [3.0, 0.0, 1.0], [4.0, 0.0, 0.0], [5.0; 3]]);
    part.streams.influences = Some(Influences::from_lists(lists.iter().copied()));
    let mesh = scene.meshes.push(Mesh { name: "strip".into(), parts: vec![part], ..Mesh::default() });
    let node = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene.roots.push(node);
    let moved = keys(&[0.0, 1.0], &[[0.0; 3], [0.0, 3.0, 0.0]], Interpolation::Linear);
    let tracks = vec![track(joints[0], Curve::Translation(moved))];
    scene.clips.push(Clip { duration_secs: 1.0, tracks, ..Clip::default() });
    scene
}

/// Normals, tangents, colours and coordinates of every bad kind.
pub fn frames() -> Scene {
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut bad = part(&positions);
    bad.streams.normals = Some(vec![[0.0, 0.0, 2.0], [0.0; 3], [0.6, 0.0, 0.8]]);
    bad.streams.tangents = Some(vec![[3.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.0, 0.25]]);
    bad.streams.uvs = vec![vec![[0.5, f32::NAN], [0.0; 2], [1e9, -4.0]]];
    bad.streams.colours = vec![vec![[1.5, 0.0, -0.25, 1.0], [f32::INFINITY, 0.0, 0.0, 1.0], [0.5; 4]]];
    let mut none = part(&positions);
    none.streams.normals = Some(vec![[0.0; 3]; 3]);
    none.streams.tangents = Some(vec![[1.0, 0.0, 0.0, 1.0]; 3]);
    let empty = Part::default();
    drawn(Mesh { name: "bad".into(), parts: vec![bad, none, empty], ..Mesh::default() })
}

/// Matrices of every kind, skinned meshes in the middle of things, nodes that no root reaches, centimetres.
pub fn hierarchy() -> Scene {
    let mut scene = post();
    scene.metres_per_unit = 0.01;
    let [skinned, base] = [scene.roots[1], scene.roots[0]];
    let triangle = scene.meshes.push(Mesh { parts: vec![part(&CORNERS)], ..Mesh::default() });
    let shear = Mat4::from_cols(
        Vec4::new(1.0, 0.0, 0.0, 0.0),
        Vec4::new(0.5, 1.0, 0.0, 0.0),
        Vec4::new(0.0, 0.0, 2.0, 0.0),
        Vec4::new(1.0, 2.0, 3.0, 1.0),
    );
    let turned = Mat4::from_scale_rotation_translation(Vec3::splat(2.0), Quat::from_rotation_x(0.4), Vec3::ONE);
    let huge = Mat4::from_scale_rotation_translation(Vec3::splat(250.0), Quat::from_rotation_z(1.1), Vec3::ZERO);
    let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
    let mut above = None;
    for (name, matrix) in
        [("shear", shear), ("turned", turned), ("huge", huge), ("flat", flat), ("plain", Mat4::IDENTITY)]
    {
        let node = Node { name: name.into(), local: Local::Matrix(matrix), mesh: Some(triangle), ..Node::default() };
        let node = scene.nodes.push(node);
        match above {
            Some(parent) => scene.nodes.get_mut(parent).unwrap().children.push(node),
            None => scene.roots.push(node),
        }
        above = Some(node);
    }
    let moving = Node { name: "moving".into(), local: Local::Matrix(turned), ..Node::default() };
    let moving = scene.nodes.push(Node { mesh: Some(triangle), ..moving });
    scene.roots.push(moving);
    // The skinned mesh is moved below a joint, and another is drawn at a joint that moves.
    scene.roots.retain(|root| *root != skinned);
    scene.nodes.get_mut(skinned).unwrap().local = at([5.0, 5.0, 5.0]);
    let node = scene.nodes.get(skinned).unwrap().clone();
    let base = scene.nodes.get_mut(base).unwrap();
    base.children.push(skinned);
    (base.mesh, base.skin) = (node.mesh, node.skin);
    let slide = keys(&[0.0, 2.0], &[[0.0; 3], [1.0, 0.0, 0.0]], Interpolation::Linear);
    scene.clips.iter_mut().next().unwrap().tracks.push(track(moving, Curve::Translation(slide)));
    let lost = scene.nodes.push(Node { name: "lost child".into(), ..Node::default() });
    scene.nodes.push(Node { name: "lost".into(), children: vec![lost], mesh: Some(triangle), ..Node::default() });
    scene
}

/// A material with everything.
pub fn surfaces() -> Scene {
    let mut scene = post();
    let image = scene.materials.iter().next().unwrap().base_colour_texture.clone().unwrap().image;
    let transform = UvTransform { offset: [0.1, 0.2], rotation: 0.3, scale: [2.0, 1.0] };
    let moved = TextureUse {
        transform: Some(transform),
        wrap: [Wrap::Mirror, Wrap::Clamp],
        filter: Filter { magnify: Some(9729), minify: Some(9987) },
        ..TextureUse::new(image)
    };
    let second_set = TextureUse { uv_set: 1, ..TextureUse::new(image) };
    scene.materials.push(Material {
        name: "everything".into(),
        base_colour: [0.1, 0.2, 0.3, 0.4],
        metallic: 0.7,
        roughness: 0.8,
        emissive: [2.0, 1.0, 0.5],
        emissive_strength: 3.0,
        normal_scale: 0.9,
        occlusion_strength: 0.6,
        alpha: AlphaMode::Mask(0.25),
        double_sided: true,
        unlit: true,
        base_colour_texture: Some(moved.clone()),
        metallic_roughness_texture: Some(TextureUse::new(image)),
        normal_texture: Some(TextureUse::new(image)),
        occlusion_texture: Some(second_set),
        emissive_texture: Some(moved),
        ..Material::default()
    });
    scene.materials.push(Material {
        base_colour: [1.5, 1.0, 1.0, f32::NAN],
        emissive_strength: 4.0,
        alpha: AlphaMode::Blend,
        ..Material::default()
    });
    scene.materials.push(Material { alpha: AlphaMode::Mask(0.5), ..Material::default() });
    let mut part = with_frames(part(&CORNERS));
    part.streams.uvs = vec![vec![[0.0; 2]; 3]];
    part.material = Some(Handle::from_index(1));
    scene.meshes.iter_mut().next().unwrap().parts.push(part);
    scene
}

/// Images of every kind.
pub fn pictures() -> Scene {
    let mut scene = triangle();
    let pixels = |format, colour_space, size: u32, levels: Vec<Vec<u8>>| ImageData::Pixels {
        format,
        colour_space,
        width: size,
        height: size,
        levels,
    };
    let bc5 = [128, 128, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0];
    // Mode 5 of BC7, all ends and indices zero but for the alpha ends: transparent black would be all zeros.
    let bc7 = [0x20, 0, 0, 0, 0, 0, 0xfc, 0xff, 0x03, 0, 0, 0, 0, 0, 0, 0];
    let checker = || specimen::checker(8);
    let small = || vec![0x40; 64];
    let images = [
        ("linear", pixels(PixelFormat::Rgba8, ColourSpace::Linear, 8, vec![checker(), small()])),
        ("srgb", pixels(PixelFormat::Rgba8, ColourSpace::Srgb, 8, vec![checker()])),
        ("two", pixels(PixelFormat::Rg8, ColourSpace::Linear, 4, vec![vec![128; 32]])),
        ("five", pixels(PixelFormat::Bc5, ColourSpace::Linear, 4, vec![bc5.to_vec(), bc5.to_vec()])),
        ("seven", pixels(PixelFormat::Bc7, ColourSpace::Srgb, 4, vec![bc7.to_vec()])),
        ("short", pixels(PixelFormat::Rgba8, ColourSpace::Srgb, 8, vec![vec![0; 7]])),
        ("dds", ImageData::Encoded { mime: "image/vnd-ms.dds".into(), bytes: b"DDS ....".to_vec() }),
        ("misnamed", ImageData::Encoded { mime: "image/jpeg".into(), bytes: specimen::checker_png() }),
        ("outside", ImageData::External("textures/brick wall.png".into())),
        ("windows", ImageData::External("textures\\wall.jpg".into())),
        ("absolute", ImageData::External("C:\\textures\\wall.png".into())),
        ("targa", ImageData::External("wall.tga".into())),
    ];
    for (name, data) in images {
        scene.images.push(Image { name: name.into(), data });
    }
    let textures: Vec<Option<TextureUse>> = scene.images.handles().map(|image| Some(TextureUse::new(image))).collect();
    let [linear, srgb, two, five, seven, short, dds, misnamed, ..] = &textures[..] else { panic!() };
    scene.materials.push(Material {
        base_colour_texture: linear.clone(),
        metallic_roughness_texture: linear.clone(),
        normal_texture: two.clone(),
        occlusion_texture: srgb.clone(),
        emissive_texture: seven.clone(),
        ..Material::default()
    });
    scene.materials.push(Material {
        base_colour_texture: short.clone(),
        normal_texture: five.clone(),
        occlusion_texture: dds.clone(),
        emissive_texture: misnamed.clone(),
        ..Material::default()
    });
    let material = scene.materials.handles().next();
    scene.meshes.iter_mut().next().unwrap().parts = vec![Part { material, ..with_frames(part(&CORNERS)) }];
    scene
}

/// A skin whose joints have no common root, one of them twice.
pub fn two_roots() -> Scene {
    let mut scene = Scene::default();
    let joints: Vec<_> = (0..2)
        .map(|index| {
            let local = at([index as f32, 0.0, 0.0]);
            scene.nodes.push(Node { name: format!("root {index}"), local, ..Node::default() })
        })
        .collect();
    scene.roots = joints.clone();
    let joints = vec![joints[0], joints[1], joints[0]];
    let joint_from_mesh = vec![Mat4::IDENTITY, Mat4::IDENTITY, Mat4::from_translation(Vec3::Y)];
    let skin = scene.skins.push(Skin { joints, joint_from_mesh, ..Skin::default() });
    let mut part = part(&CORNERS);
    part.streams.influences = Some(Influences { slots: 1, joints: vec![0, 1, 2], weights: vec![1.0, 1.0, 1.0] });
    let mesh = scene.meshes.push(Mesh { parts: vec![part], ..Mesh::default() });
    let node = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene.roots.push(node);
    let moved = keys(&[0.0, 1.0], &[[0.0; 3], [0.0, 0.0, 3.0]], Interpolation::Linear);
    let tracks = vec![track(scene.roots[0], Curve::Translation(moved))];
    scene.clips.push(Clip { duration_secs: 1.0, tracks, ..Clip::default() });
    scene
}

/// A mesh of a bound and an unbound part, drawn with a skin and without one.
pub fn mixed() -> Scene {
    let mut scene = post();
    let mesh = scene.meshes.iter_mut().next().unwrap();
    mesh.parts.push(part(&CORNERS));
    let node = scene.roots[1];
    let (mesh, skin) = (scene.nodes.get(node).unwrap().mesh, scene.nodes.get(node).unwrap().skin);
    scene.nodes.get_mut(node).unwrap().local = at([0.0, 0.0, 4.0]);
    let bare = scene.nodes.push(Node { name: "no skin".into(), mesh, local: at([1.0, 1.0, 1.0]), ..Node::default() });
    let rigid = scene.meshes.push(Mesh { parts: vec![part(&CORNERS)], ..Mesh::default() });
    let idle = scene.nodes.push(Node { name: "idle skin".into(), mesh: Some(rigid), skin, ..Node::default() });
    scene.roots.extend([bare, idle]);
    scene
}

/// Joints that no root reaches.
pub fn hidden() -> Scene {
    let mut scene = post();
    scene.roots.remove(0);
    scene
}

/// Times before zero, an event, a length beyond the last key.
pub fn early() -> Scene {
    let mut scene = triangle();
    let node = scene.roots[0];
    let moved = keys(&[-0.5, 0.0, 1.0], &[[0.0; 3], [1.0; 3], [2.0; 3]], Interpolation::Linear);
    scene.clips.push(Clip {
        name: "early".into(),
        duration_secs: 1.25,
        tracks: vec![track(node, Curve::Translation(moved))],
        events: vec![Event { time_secs: 0.25, name: "bang".into() }],
        ..Clip::default()
    });
    scene
}

/// The same keys under every blend, one track with its own.
pub fn blends() -> Scene {
    let mut scene = interpolations();
    let tracks = scene.clips.iter().next().unwrap().tracks.clone();
    for blend in [Blend::Relative, Blend::Additive, Blend::Delta] {
        scene.clips.push(Clip { blend, duration_secs: 1.5, tracks: tracks.clone(), ..Clip::default() });
    }
    let mut tracks = tracks;
    tracks[1].blend = Some(Blend::Additive);
    tracks[2].blend = Some(Blend::Additive);
    scene.clips.push(Clip { duration_secs: 1.5, tracks, ..Clip::default() });
    // A quaternion that is not of unit length.
    let long = keys(&[0.0, 1.0], &[[0.0, 0.0, 0.0, 2.0], [0.0; 4]], Interpolation::Linear);
    let tracks = vec![track(scene.roots[0], Curve::Rotation(long))];
    scene.clips.push(Clip { duration_secs: 1.0, tracks, ..Clip::default() });
    scene
}

/// More joints than a byte counts and more vertices than two bytes do.
pub fn many() -> Scene {
    let mut scene = Scene::default();
    let mut skin = Skin::default();
    let root = scene.nodes.push(Node::default());
    scene.roots.push(root);
    for _ in 0..300 {
        let node = scene.nodes.push(Node::default());
        scene.nodes.get_mut(root).unwrap().children.push(node);
        skin.joints.push(node);
        skin.joint_from_mesh.push(Mat4::IDENTITY);
    }
    let positions: Vec<[f32; 3]> = (0..66_000).map(|i| [i as f32, (i % 7) as f32, 0.0]).collect();
    let mut part = part(&positions);
    let joints = (0..66_000).map(|vertex| vertex % 300).collect();
    part.streams.influences = Some(Influences { slots: 1, joints, weights: vec![1.0; 66_000] });
    let mesh = scene.meshes.push(Mesh { parts: vec![part], ..Mesh::default() });
    let skin = scene.skins.push(skin);
    let node = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene.roots.push(node);
    scene
}

/// Everything that is left out: empty meshes, skins and clips.
pub fn nothing_to_draw() -> Scene {
    let mut scene = drawn(Mesh { parts: vec![Part::default()], ..Mesh::default() });
    scene.skins.push(Skin::default());
    scene.clips.push(Clip { events: vec![Event { time_secs: 0.0, name: "now".into() }], ..Clip::default() });
    let node = scene.roots[0];
    scene.nodes.get_mut(node).unwrap().skin = Some(Handle::from_index(0));
    scene.nodes.get_mut(node).unwrap().morph_weights = vec![1.0];
    let weights = keys(&[0.0], &[vec![1.0]], Interpolation::Linear);
    let tracks = vec![track(node, Curve::MorphWeights(weights))];
    scene.clips.push(Clip { tracks, ..Clip::default() });
    // A mesh that nothing draws, with a vertex that nothing moves.
    let mut part = part(&CORNERS);
    part.streams.influences = Some(Influences { slots: 1, joints: vec![0; 3], weights: vec![1.0, 0.0, 1.0] });
    scene.meshes.push(Mesh { parts: vec![part], ..Mesh::default() });
    scene
}
