#![allow(clippy::unwrap_used)]

use super::*;
use crate::{Input, Read};
use maquette_scene::clip::{Blend, Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Quat, Vec3};
use maquette_scene::image::{Image, ImageData};
use maquette_scene::material::{AlphaMode, Material, Pbr, TextureUse, UvTransform};
use maquette_scene::mesh::{Mesh, MorphTarget, Primitive, Streams};
use maquette_scene::scene::{Node, Skin, Transform};

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
    diff(&triangle(), &changed, 1e-4)
        .unwrap()
        .into_iter()
        .map(|difference| (difference.what, difference.size))
        .collect()
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
    let whats = |a: &Scene, b: &Scene| diff(a, b, 1e-4).unwrap().iter().map(|found| found.what).collect::<Vec<_>>();
    // By the rule of glTF the mirror turns the winding: the same corners, seen from the same side.
    assert_eq!(whats(&plain, &mirrored), ["facing"]);
    primitive(&mut mirrored).indices = vec![0, 2, 1];
    assert_eq!(whats(&plain, &mirrored), Vec::<&str>::new());
}

#[test]
fn differences_have_their_size_in_physical_units() {
    assert_eq!(after(|scene| primitive(scene).indices = vec![0, 2, 1]), [("facing", Some(1.0))]);
    let raised = after(|scene| primitive(scene).streams.positions[2][1] = 1.5);
    assert_eq!(raised, [("rest poses", Some(0.5)), ("motion", Some(0.5))]);
    assert_eq!(after(|scene| clip(scene).duration_secs = 1.5), [("durations", Some(0.5))]);
    let tilted = after(|scene| primitive(scene).streams.normals = Some(vec![[1.0, 0.0, 0.0]; 3]));
    assert_eq!(tilted, [("normals", Some(90.0))]);
    assert_eq!(after(|scene| primitive(scene).streams.uvs[0][1] = [0.75, 0.0]), [("texture coordinates", Some(0.25))]);
    assert_eq!(after(|scene| primitive(scene).streams.uvs.clear()), [("UV sets", Some(1.0))]);
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
    assert_eq!(after(|scene| material(scene).alpha = AlphaMode::Blend), [("alpha modes", None)]);
    assert_eq!(after(|scene| material(scene).double_sided = true), [("double-sidedness", None)]);
    assert_eq!(after(|scene| material(scene).unlit = true), [("unlit surfaces", None)]);
    assert_eq!(after(|scene| material(scene).name = "blue".into()), [("material names", None)]);
    assert_eq!(after(|scene| primitive(scene).material = None), [("materials", None)]);
    assert_eq!(after(|scene| clip(scene).name = "wave2".into()), [("clip names", None)]);
    let mesh = triangle().meshes.handles().next().unwrap();
    assert_eq!(after(|scene| scene.meshes.get_mut(mesh).unwrap().name.clear()), [("mesh names", Some(1.0))]);
}

/// What differs between two scenes, of what, and by how much.
fn between(a: &Scene, b: &Scene) -> Vec<(&'static str, String, Option<f64>)> {
    diff(a, b, 1e-4).unwrap().into_iter().map(|found| (found.what, found.subject, found.size)).collect()
}

#[test]
fn differences_are_those_of_the_mesh_that_has_them() {
    let two = || {
        let mut scene = triangle();
        let twin = scene.meshes.iter().next().unwrap().clone();
        let twin = scene.meshes.push(Mesh { name: String::new(), ..twin });
        let aside = Transform::Matrix(Mat4::from_translation(Vec3::X * 10.0));
        let node = scene.nodes.push(Node { mesh: Some(twin), transform: aside, ..Node::default() });
        scene.roots.push(node);
        let mut track = clip(&mut scene).tracks[0].clone();
        track.target = Target::Node(node);
        clip(&mut scene).tracks.push(track);
        scene
    };
    let mut changed = two();
    let mesh = changed.meshes.iter_mut().nth(1).unwrap();
    mesh.primitives[0].streams.positions[2][1] = 1.5;
    mesh.primitives[0].streams.uvs[0][1] = [0.75, 0.0];
    let unnamed = || "mesh 1".to_owned();
    let clip = "clip \"wave\"".to_owned();
    let expected = [
        ("rest poses", unnamed(), Some(0.5)),
        ("motion", clip, Some(0.5)),
        ("texture coordinates", unnamed(), Some(0.25)),
    ];
    assert_eq!(between(&two(), &changed), expected);
    assert_eq!(diff(&two(), &changed, 1e-4).unwrap()[1].a, "mesh 1");
}

#[test]
fn lines_that_are_gone_do_not_hide_what_became_of_triangles() {
    let with_line = || {
        let mut scene = triangle();
        let mut line = primitive(&mut scene).clone();
        (line.topology, line.indices) = (Topology::Lines, vec![0, 1]);
        scene.meshes.iter_mut().next().unwrap().primitives.push(line);
        scene
    };
    let mut moved = triangle();
    primitive(&mut moved).streams.positions[2][1] = 1.5;
    let found = between(&with_line(), &moved);
    assert_eq!(found[0], ("lines", String::new(), Some(1.0)));
    assert_eq!(found[1], ("rest poses", "mesh \"flag\"".to_owned(), Some(0.5)));
}

#[test]
fn a_skin_does_not_hold_what_has_no_influences() {
    let mirrored = |is_bound: bool| {
        let mut scene = triangle();
        let node = scene.roots[0];
        let joints = vec![node];
        let skin = scene.skins.push(Skin { joint_from_mesh: vec![Mat4::IDENTITY], joints, ..Skin::default() });
        let node = scene.nodes.get_mut(node).unwrap();
        node.transform = Transform::Matrix(Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)));
        node.skin = is_bound.then_some(skin);
        scene
    };
    assert_eq!(between(&mirrored(true), &mirrored(false)), []);
}

#[test]
fn clips_of_one_name_belong_together_in_their_order() {
    let mut twice = triangle();
    let mut still = clip(&mut twice).clone();
    still.tracks.clear();
    twice.clips.push(still);
    assert_eq!(between(&twice, &twice), []);
}

/// The clip of the triangle without the triangle: by the name of its node.
fn clip_alone() -> Scene {
    let mut scene = Scene { clips: triangle().clips, ..Scene::default() };
    clip(&mut scene).tracks[0].target = Target::Name("pole".into());
    scene
}

#[test]
fn clips_alone_are_compared_bone_by_bone() {
    assert_eq!(between(&clip_alone(), &clip_alone()), []);
    let whose = || "clip \"wave\"".to_owned();
    let changed = |change: &dyn Fn(&mut Clip)| {
        let mut scene = clip_alone();
        change(clip(&mut scene));
        between(&clip_alone(), &scene)
    };
    let further = changed(&|clip| {
        let Curve::Translation(keys) = &mut clip.tracks[0].curve else { return };
        keys.values[1] = [4.5, 0.0, 0.0];
    });
    assert_eq!(further, [("translations", whose(), Some(0.5))]);
    let still = changed(&|clip| clip.tracks.clear());
    assert_eq!(still, [("tracks", whose(), Some(1.0)), ("node names", String::new(), Some(1.0))]);
    let renamed = changed(&|clip| clip.tracks[0].target = Target::Name("bone 0".into()));
    assert_eq!(renamed, [("bone names", whose(), Some(1.0)), ("node names", String::new(), Some(1.0))]);
    let more = changed(&|clip| {
        let again = clip.tracks[0].clone();
        clip.tracks.push(Track { target: Target::Name("flag".into()), ..again });
    });
    assert_eq!(more, [("tracks", whose(), Some(1.0)), ("added nodes", String::new(), Some(1.0))]);
    let added = changed(&|clip| clip.blend = Blend::Additive);
    assert_eq!(added, [("blending", whose(), None)]);
    let one = changed(&|clip| clip.tracks[0].blend = Some(Blend::Additive));
    assert_eq!(one, [("blending", whose(), None)]);
}

#[test]
fn a_clip_for_one_skeleton_knows_joints_by_their_order() {
    let turn = |angle: f32| {
        let values = [0.0, angle].map(|angle| Quat::from_rotation_z(angle).to_array()).to_vec();
        Curve::Rotation(Keys { times_secs: vec![0.0, 1.0], values, interpolation: Interpolation::Linear })
    };
    let mut rigged = Scene::default();
    let joints: Vec<_> =
        ["hip", "knee"].map(|name| rigged.nodes.push(Node { name: name.into(), ..Node::default() })).to_vec();
    rigged.roots.clone_from(&joints);
    rigged.skins.push(Skin { joint_from_mesh: vec![Mat4::IDENTITY; 2], joints: joints.clone(), ..Skin::default() });
    // The tracks stand in another order than the joints.
    let track = |target, curve| Track { target, curve, blend: None };
    let tracks = vec![track(Target::Node(joints[1]), turn(0.5)), track(Target::Node(joints[0]), turn(1.0))];
    rigged.clips.push(Clip { tracks, duration_secs: 1.0, ..Clip::default() });
    let by_number = |first: f32, second: f32| {
        let bone = |number: usize, angle| track(Target::Name(format!("bone {number}")), turn(angle));
        let clip = Clip { tracks: vec![bone(0, first), bone(1, second)], duration_secs: 1.0, ..Clip::default() };
        Scene { clips: [clip].into_iter().collect(), ..Scene::default() }
    };
    let whats = |other: &Scene| diff(&rigged, other, 1e-4).unwrap().iter().map(|found| found.what).collect::<Vec<_>>();
    assert_eq!(whats(&by_number(1.0, 0.5)), ["joints", "bone names", "node names"]);
    assert_eq!(whats(&by_number(1.0, 0.6)), ["joints", "bone names", "rotations", "node names"]);
}

#[test]
fn materials_alone_are_compared_by_name() {
    let two = |metallic: f32| {
        let mut scene = Scene::default();
        let red = Material { name: "red".into(), ..Material::default() };
        let surface = Pbr { metallic, ..Pbr::default() }.into();
        scene.materials.push(Material { name: "blue".into(), surface, ..Material::default() });
        scene.materials.push(red);
        scene
    };
    let mut turned = two(1.0);
    turned.materials = turned.materials.iter().rev().cloned().collect();
    assert_eq!(between(&two(1.0), &turned), []);
    let found = between(&two(0.25), &turned);
    assert_eq!(found, [("metalness and roughness", "material \"blue\"".to_owned(), Some(0.75))]);
    turned.materials = turned.materials.iter().take(1).cloned().collect();
    assert_eq!(between(&two(1.0), &turned), [("materials", "material \"blue\"".to_owned(), None)]);
    assert_eq!(between(&turned, &Scene::default()), [("materials", "material \"red\"".to_owned(), None)]);
}

/// The triangle with a picture of one colour.
fn painted(colour: [u8; 4], factor: f32) -> Scene {
    let mut scene = triangle();
    let bytes = maquette_texture::png::encode(2, 2, &[colour; 4]).unwrap();
    let image = Image::new("paint", ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() });
    let image = scene.images.push(image);
    let pbr = material(&mut scene).pbr_mut().unwrap();
    pbr.base_colour_texture = Some(TextureUse::new(image));
    pbr.base_colour = [factor, factor, factor, 1.0];
    scene
}

#[test]
fn pictures_are_compared_as_the_surface_shows_them() {
    let whats =
        |a: &Scene, b: &Scene| between(a, b).into_iter().map(|(what, _, size)| (what, size)).collect::<Vec<_>>();
    let white = painted([255; 4], 0.5);
    // 188 of sRGB is half of the light.
    assert_eq!(whats(&white, &painted([188, 188, 188, 255], 1.0)), []);
    assert_eq!(whats(&white, &painted([255; 4], 1.0)), [("base colours", Some(0.5))], "the pixels are the same");
    let dark = whats(&white, &painted([0, 0, 0, 255], 0.5));
    assert_eq!(
        dark,
        [("pixels", Some(1.0))],
        "the same factor on both sides, so the pixels are held against each other"
    );
    // On an opaque surface, opacity means nothing.
    assert_eq!(whats(&white, &painted([255, 255, 255, 0], 0.5)), []);
    let mut missing = painted([255; 4], 0.5);
    missing.images.iter_mut().next().unwrap().data = ImageData::External("paint.png".into()).into();
    assert_eq!(whats(&white, &missing), [("pixels", None)]);
}

#[test]
fn a_picture_lies_where_coordinates_and_transforms_put_it() {
    let quarter = std::f32::consts::FRAC_PI_2;
    let moved = || {
        let mut scene = painted([255; 4], 1.0);
        let texture = material(&mut scene).pbr_mut().unwrap().base_colour_texture.as_mut().unwrap();
        texture.transform = Some(UvTransform { offset: [0.5, 0.25], rotation: quarter, scale: [2.0, 1.0] });
        scene
    };
    let mut worked_in = painted([255; 4], 1.0);
    for uv in &mut primitive(&mut worked_in).streams.uvs[0] {
        // Twice as wide, then turned counter-clockwise with V downwards, then moved.
        *uv = [0.5 + uv[1], 0.25 - 2.0 * uv[0]];
    }
    let coordinates = |found: Vec<(&'static str, String, Option<f64>)>| {
        found.into_iter().map(|(what, subject, _)| (what, subject)).collect::<Vec<_>>()
    };
    assert_eq!(coordinates(between(&moved(), &worked_in)), [], "what is stored differs, what is seen does not");
    assert_eq!(coordinates(between(&worked_in, &moved())), []);
    let mut elsewhere = worked_in.clone();
    primitive(&mut elsewhere).streams.uvs[0][0][0] += 0.25;
    assert_eq!(coordinates(between(&moved(), &elsewhere)).len(), 2, "of the mesh, and of the material");
    let red = ("texture coordinates", "material \"red\"".to_owned());
    assert_eq!(coordinates(between(&moved(), &painted([255; 4], 1.0))), [red]);
}

#[test]
fn shapes_that_are_mixed_in_show() {
    let mut morphed = triangle();
    primitive(&mut morphed).morph_targets =
        vec![MorphTarget { positions: vec![[0.0, 0.0, 2.0]; 3], ..MorphTarget::default() }];
    let mesh = morphed.meshes.iter_mut().next().unwrap();
    (mesh.morph_weights, mesh.morph_names) = (vec![0.5], vec![String::new()]);
    let mut baked = triangle();
    primitive(&mut baked).streams.positions.iter_mut().for_each(|position| position[2] = 1.0);
    let gone = ("morph targets", "mesh \"flag\"".to_owned(), Some(1.0));
    assert_eq!(between(&morphed, &baked), std::slice::from_ref(&gone));
    let found = between(&morphed, &triangle());
    assert_eq!((&found[0], found[1].0, found[1].2), (&gone, "rest poses", Some(1.0)));
}

#[test]
fn sockets_are_compared_where_they_stand() {
    let with_socket = |above: Vec3, own: Mat4| {
        let mut scene = triangle();
        let socket =
            scene.nodes.push(Node { name: "socket".into(), transform: Transform::Matrix(own), ..Node::default() });
        let above = Transform::Matrix(Mat4::from_translation(above));
        let hand = Node { name: "hand".into(), transform: above, children: vec![socket], ..Node::default() };
        let hand = scene.nodes.push(hand);
        scene.roots.push(hand);
        scene
    };
    let at = |x: f32| Mat4::from_translation(Vec3::new(x, 0.0, 0.0));
    let before = with_socket(Vec3::X, at(2.0));
    let moved = ("node transforms", "node \"socket\"".to_owned(), Some(6.0));
    assert_eq!(between(&before, &with_socket(Vec3::X, at(8.0))), [moved]);
    let turned = with_socket(Vec3::X, at(2.0) * Mat4::from_rotation_y(0.1));
    assert_eq!(between(&before, &turned), [("node transforms", "node \"socket\"".to_owned(), None)]);
    // Nested otherwise, it stands where it stood; the hand does not.
    let nested = between(&before, &with_socket(Vec3::ZERO, at(3.0)));
    assert_eq!(nested, [("node transforms", "node \"hand\"".to_owned(), Some(1.0))]);
    // Two of one name cannot be told apart.
    let mut two = with_socket(Vec3::X, at(8.0));
    let other = two.nodes.push(Node { name: "socket".into(), ..Node::default() });
    two.roots.push(other);
    assert_eq!(between(&before, &two), []);
}

#[test]
fn the_name_of_a_picture_is_its_meaning_too() {
    let mut renamed = painted([255; 4], 1.0);
    renamed.images.iter_mut().next().unwrap().name = "lacquer".into();
    let found = ("image names", "image \"paint\"".to_owned(), None);
    assert_eq!(between(&painted([255; 4], 1.0), &renamed), [found]);
    renamed.images.iter_mut().next().unwrap().name.clear();
    assert_eq!(between(&renamed, &painted([255; 4], 1.0)), [], "a name that only the second has is no loss");
}

#[test]
fn what_a_scene_has_no_place_for_is_counted() {
    let read = |extra: &str| {
        let text = format!(
            r#"{{ "asset": {{ "version": "2.0" }}, "nodes": [{{ "name": "n" }}], "scenes": [{{ "nodes": [0] }}]{extra} }}"#
        );
        Input::from_bytes("a.gltf", text.into_bytes()).read(&Default::default()).unwrap()
    };
    let camera = r#", "cameras": [{ "type": "perspective", "perspective": { "yfov": 1, "znear": 1 } }]"#;
    let unknown = r#", "extensionsUsed": ["EXT_of_mine"]"#;
    let noted = r#", "extras": { "licence": "mine" }"#;
    let whats = |a: &Read, b: &Read| beyond(a, b).differences.iter().map(|it| it.what).collect::<Vec<_>>();
    let plain = read("");
    for (with, what) in [(camera, "cameras and lights"), (unknown, "extensions"), (noted, "extras")] {
        let with = read(with);
        assert_eq!((whats(&plain, &with), whats(&with, &plain)), (vec![what], vec![what]));
        assert_eq!(whats(&with, &with), Vec::<&str>::new());
    }
    assert_eq!(beyond(&read(camera), &read(camera)).not_compared, ["cameras and lights: cameras ×1 of the file"]);
    assert_eq!(beyond(&plain, &plain).not_compared, [""; 0]);
    let other = read(r#", "extras": { "licence": "yours" }"#);
    let marked = read(r#", "extras": { "maquette": { "added": "root" } }"#);
    assert_eq!(whats(&plain, &marked), Vec::<&str>::new(), "what is written here is no author's");
    let found = &beyond(&read(noted), &other).differences[0];
    assert!(found.a.contains("mine") && found.b.contains("yours"), "{found:?}");
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
    assert!(diff(&before, &after, 1e-4).unwrap().is_empty());
}

#[test]
fn a_jump_that_became_a_glide_differs_and_one_of_a_moment_does_not() {
    let jumping = |interpolation, times_secs: Vec<f32>, values: &[f32]| {
        let mut scene = triangle();
        let values = values.iter().map(|&x| [x, 0.0, 0.0]).collect();
        clip(&mut scene).tracks[0].curve = Curve::Translation(Keys { times_secs, values, interpolation });
        scene
    };
    let jump = jumping(Interpolation::Step, vec![0.0, 0.51], &[0.0, 4.0]);
    let glide = |secs: f32| jumping(Interpolation::Linear, vec![0.0, 0.51 - secs, 0.51], &[0.0, 0.0, 4.0]);
    let late = jumping(Interpolation::Linear, vec![0.0, 0.51, 0.51 + 1.0 / 60.0], &[0.0, 0.0, 4.0]);
    let what = |a: &Scene, b: &Scene| diff(a, b, 1e-4).unwrap().iter().map(|found| found.what).collect::<Vec<_>>();
    assert_eq!(what(&jump, &glide(1e-4)), [""; 0]);
    assert_eq!(what(&jump, &glide(1.0 / 60.0)), ["motion"]);
    assert_eq!(what(&glide(1.0 / 60.0), &jump), ["motion"]);
    assert_eq!(what(&jump, &late), ["motion"]);
}

/// Nodes, and clips of which each moves one of them; the nodes draw a triangle, or are joints that nothing is bound to.
fn many(clips: usize, nodes: usize, drawn: bool) -> Scene {
    let mut scene = triangle();
    let mesh = scene.meshes.handles().next().filter(|_| drawn);
    let clip = std::mem::take(clip(&mut scene));
    (scene.clips, scene.nodes, scene.roots) = Default::default();
    for index in 0..nodes {
        scene.roots.push(scene.nodes.push(Node { name: format!("n{index}"), mesh, ..Node::default() }));
    }
    if !drawn {
        let joint_from_mesh = vec![Mat4::IDENTITY; nodes];
        scene.skins.push(Skin { joints: scene.roots.clone(), joint_from_mesh, ..Skin::default() });
    }
    for index in 0..clips {
        let mut clip = Clip { name: format!("c{index}"), ..clip.clone() };
        clip.tracks[0].target = Target::Node(scene.roots[index % nodes]);
        scene.clips.push(clip);
    }
    scene
}

#[test]
fn a_clip_costs_what_it_moves() {
    for drawn in [true, false] {
        let steps = |clips, nodes| {
            let scene = many(clips, nodes, drawn);
            crate::work::of(|| assert!(diff(&scene, &scene, 1e-4).unwrap().is_empty()))
        };
        assert!(steps(200, 10) > 200, "they are counted");
        assert!(steps(200, 400) <= steps(200, 10) + 2 * 400, "drawn: {drawn}");
    }
}

#[test]
fn what_either_clip_moves_is_compared() {
    let scene = many(3, 5, true);
    let still = |index: usize| {
        let mut still = scene.clone();
        let clip = still.clips.handles().nth(index).unwrap();
        still.clips.get_mut(clip).unwrap().tracks.clear();
        still
    };
    let motion = vec![("motion", "clip \"c1\"".to_owned(), Some(4.0))];
    assert_eq!(between(&scene, &still(1)), motion);
    let back: Vec<_> = between(&still(1), &scene).into_iter().filter(|(what, ..)| *what == "motion").collect();
    assert_eq!(back, motion);
}

#[test]
fn what_no_clip_moves_is_compared_at_rest_alone() {
    let scene = many(2, 5, true);
    let mut shifted = scene.clone();
    let last = shifted.roots[4];
    shifted.nodes.get_mut(last).unwrap().transform = Transform::Matrix(Mat4::from_translation(Vec3::X));
    let whats: Vec<_> = between(&scene, &shifted).into_iter().map(|(what, ..)| what).collect();
    assert_eq!(whats, ["rest poses"]);
}

#[test]
fn joints_of_one_name_belong_together_first_to_first() {
    let named = |names: &[&str]| {
        let mut scene = many(1, names.len(), false);
        for (index, name) in names.iter().enumerate() {
            let node = scene.roots[index];
            scene.nodes.get_mut(node).unwrap().name = (*name).into();
        }
        scene
    };
    let scene = named(&["a", "b", "a"]);
    assert_eq!(between(&scene, &named(&["a", "a", "b"])), []);
    // The clip moves the first, which the other has in the second place.
    let whats = |a: &Scene, b: &Scene| between(a, b).into_iter().map(|(what, ..)| what).collect::<Vec<_>>();
    assert_eq!(whats(&scene, &named(&["b", "a", "a"])), ["tracks", "translations"]);
    assert_eq!(whats(&scene, &named(&["x", "b", "a"])), ["tracks", "bone names", "translations", "added nodes"]);
}
