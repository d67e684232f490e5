//! Each pass keeps what it promises to keep: above all, where every vertex is at every moment.

use super::*;
use maquette_formats::format;
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Quat, Vec3};
use maquette_scene::loss::{LossKind, Lost};
use maquette_scene::mesh::{Influences, Mesh, MorphTarget, Primitive, Streams, Topology};
use maquette_scene::scene::{Node, Skin, Transform, Trs};
use maquette_scene::{Handle, pose, valid};

fn primitive(offset: f32) -> Primitive {
    let positions = vec![[offset, 0.0, 0.0], [offset + 1.0, 0.0, 0.0], [offset, 1.0, 0.5]];
    let streams = Streams {
        normals: Some(vec![[0.0, 0.0, 1.0]; 3]),
        uvs: vec![vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]],
        positions,
        ..Streams::default()
    };
    Primitive { streams, indices: vec![0, 1, 2], ..Primitive::default() }
}

fn mesh(scene: &mut Scene, primitive: Primitive) -> Handle<Mesh> {
    scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() })
}

fn at(translation: Vec3, scale: Vec3) -> Transform {
    Transform::Trs(Trs { translation, rotation: Quat::from_rotation_y(0.4), scale })
}

fn turning(node: Handle<Node>, angle: f32) -> Track {
    let values = [0.0, 0.5, 1.0].map(|fraction| Quat::from_rotation_z(angle * fraction).to_array()).to_vec();
    let keys = Keys { times_secs: vec![0.0, 0.5, 1.0], values, interpolation: Interpolation::Linear };
    Track { target: Target::Node(node), curve: Curve::Rotation(keys), blend: None }
}

/// A still mesh under two nodes, a mesh carried by a turning node and its still child, a mirrored instance, and a mesh bound
/// to two joints whose rest is not their bind pose.
fn scene() -> Scene {
    let mut scene = Scene::default();
    let box_mesh = mesh(&mut scene, primitive(0.0));
    let still = scene.nodes.push(Node { mesh: Some(box_mesh), transform: at(Vec3::X, Vec3::ONE), ..Node::default() });
    let above =
        scene.nodes.push(Node { children: vec![still], transform: at(Vec3::Y, Vec3::splat(2.0)), ..Node::default() });
    let carried = scene.nodes.push(Node {
        mesh: Some(box_mesh),
        transform: at(Vec3::Z, Vec3::new(-1.0, 1.0, 1.0)),
        ..Node::default()
    });
    let turning_node = scene.nodes.push(Node {
        name: "wheel".into(),
        children: vec![carried],
        transform: at(-Vec3::X, Vec3::new(1.0, 2.0, 1.0)),
        ..Node::default()
    });
    let mut skinned = primitive(3.0);
    let weights = vec![1.0, 0.0, 0.5, 0.5, 0.25, 0.75];
    skinned.streams.influences = Some(Influences { slots: 2, joints: vec![0, 1, 0, 1, 0, 1], weights });
    let skinned = mesh(&mut scene, skinned);
    let tip = scene.nodes.push(Node { name: "tip".into(), transform: at(Vec3::Y, Vec3::ONE), ..Node::default() });
    let base = scene.nodes.push(Node {
        name: "base".into(),
        children: vec![tip],
        transform: at(Vec3::ZERO, Vec3::ONE),
        ..Node::default()
    });
    let armature = scene.nodes.push(Node {
        children: vec![base],
        transform: at(Vec3::Z * 3.0, Vec3::splat(0.5)),
        ..Node::default()
    });
    let joint_from_mesh = vec![Mat4::from_translation(-Vec3::X), Mat4::from_rotation_x(0.3)];
    let skin = scene.skins.push(Skin { joints: vec![base, tip], joint_from_mesh, ..Skin::default() });
    let body = scene.nodes.push(Node {
        mesh: Some(skinned),
        skin: Some(skin),
        transform: at(Vec3::Y * 7.0, Vec3::ONE),
        ..Node::default()
    });
    scene.roots = vec![above, turning_node, armature, body];
    let tracks = vec![turning(turning_node, 1.0), turning(tip, -2.0)];
    scene.clips.push(Clip { name: "turn".into(), duration_secs: 1.0, tracks, ..Clip::default() });
    assert_eq!(valid::check(&scene), Ok(()));
    scene
}

fn flattened(scene: Scene, losses: &mut LossReport) -> Scene {
    flatten::flatten(scene, &Caps::NOTHING, losses).0
}

fn caps(id: &str) -> Caps {
    let format = format::BUILT_IN.by_id(id).unwrap();
    (format.caps)(format.dialects[0].id)
}

fn largest_distance(a: &Scene, b: &Scene) -> f32 {
    let between = |a: Vec<Vec3>, b: Vec<Vec3>| {
        assert_eq!(a.len(), b.len());
        a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    };
    let mut largest = between(pose::positions_at_rest(a), pose::positions_at_rest(b));
    for (clip, same) in a.clips.iter().zip(&b.clips) {
        for moment in 0..=20 {
            let secs = moment as f32 / 20.0 * clip.duration_secs as f32;
            largest = largest.max(between(pose::positions_at(a, clip, secs), pose::positions_at(b, same, secs)));
        }
    }
    largest
}

#[test]
fn folding_moves_no_vertex_at_any_time() {
    let before = scene();
    let mut losses = LossReport::default();
    let after = flattened(before.clone(), &mut losses);
    assert_eq!(valid::check(&after), Ok(()));
    assert!(largest_distance(&before, &after) < 1e-5, "{}", largest_distance(&before, &after));
    assert!(losses.names(Lost::Instances) && losses.names(Lost::Nodes), "{losses:?}");
}

/// A scene whose joints were bound in the space of an armature that lies on its back, with one that was turned after it was bound.
fn lying(turned_since: f32) -> Scene {
    let mut scene = scene();
    let rest = scene.rest_world_from_node();
    let skin = scene.skins.iter_mut().next().unwrap();
    let upright = Mat4::from_rotation_x(-1.5) * Mat4::from_scale(Vec3::splat(2.0));
    let since = [Mat4::IDENTITY, Mat4::from_rotation_z(turned_since)];
    for ((joint, matrix), since) in skin.joints.iter().zip(&mut skin.joint_from_mesh).zip(since) {
        *matrix = since * rest[joint.index()].inverse() * upright;
    }
    scene
}

/// How far stored vertices are from where they rest.
fn from_rest(scene: &Scene) -> f32 {
    let stored = scene.nodes_parents_first().into_iter().filter_map(|node| scene.meshes.get(scene.nodes[node].mesh?));
    let stored = stored.flat_map(|mesh| mesh.primitives.iter().flat_map(|primitive| &primitive.streams.positions));
    let rest = pose::positions_at_rest(scene);
    stored.zip(&rest).map(|(stored, rest)| rest.distance(Vec3::from(*stored))).fold(0.0, f32::max)
}

#[test]
fn what_was_bound_lying_stands_where_it_rests_and_moves_as_before() {
    for (turned_since, nearer) in [(0.0, 1e-5), (0.2, 1.5)] {
        let before = lying(turned_since);
        let after = flattened(before.clone(), &mut LossReport::default());
        assert!(largest_distance(&before, &after) < 1e-5, "{}", largest_distance(&before, &after));
        assert!(from_rest(&before) > 3.0 && from_rest(&after) < nearer, "{turned_since}: {}", from_rest(&after));
    }
}

#[test]
fn a_model_far_away_stays_as_it_was_bound() {
    let mut before = lying(0.0);
    let armature = before.roots[2];
    before.nodes[armature].transform = at(Vec3::Z * 1e5, Vec3::splat(0.5));
    let bound = |scene: &Scene| {
        let skinned = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let mut skinned =
            skinned.filter(|primitive| primitive.streams.influences.as_ref().is_some_and(|it| it.slots == 2));
        skinned.next().unwrap().streams.positions.clone()
    };
    assert_eq!(bound(&flattened(before.clone(), &mut LossReport::default())), bound(&before));
}

#[test]
fn a_folded_scene_is_what_writers_rely_on() {
    let after = flattened(scene(), &mut LossReport::default());
    assert_eq!(after.skins.len(), 1);
    let skin = after.skins.iter().next().unwrap();
    let parents = after.parents();
    for (place, joint) in skin.joints.iter().enumerate() {
        let parent = parents[joint.index()];
        assert!(
            parent.is_none_or(|parent| skin.joints[..place].contains(&parent)),
            "parents come first and are joints"
        );
    }
    for root in &after.roots {
        let node = after.nodes.get(*root).unwrap();
        assert!(node.mesh.is_none() || node.transform == Transform::default());
    }
    assert_eq!(after.nodes.iter().filter(|node| node.mesh.is_some()).count(), 3);
}

#[test]
fn a_mirrored_part_keeps_its_outside_outside() {
    let before = scene();
    let after = flattened(before.clone(), &mut LossReport::default());
    for primitive in after.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let corner = |index: usize| Vec3::from(primitive.streams.positions[primitive.indices[index] as usize]);
        let face = (corner(1) - corner(0)).cross(corner(2) - corner(0));
        let normal = Vec3::from(primitive.streams.normals.as_ref().unwrap()[0]);
        assert!(face.dot(normal) > 0.0);
    }
}

#[test]
fn a_joint_bound_in_two_ways_is_there_twice() {
    let mut before = scene();
    let (body, mut skin) = {
        let body = before.nodes.iter().find(|node| node.skin.is_some()).unwrap().clone();
        (body, before.skins.iter().next().unwrap().clone())
    };
    skin.joint_from_mesh.iter_mut().for_each(|matrix| *matrix = Mat4::from_translation(Vec3::Z) * *matrix);
    let skin = before.skins.push(skin);
    let again = before.nodes.push(Node { skin: Some(skin), ..body });
    before.roots.push(again);
    let after = flattened(before.clone(), &mut LossReport::default());
    assert!(largest_distance(&before, &after) < 1e-5);
    assert!(after.nodes.iter().any(|node| node.name == "tip (bound again)"));
}

#[test]
fn everything_fits_every_format() {
    for format in format::BUILT_IN {
        let before = scene();
        for dialect in format.dialects {
            let caps = (format.caps)(dialect.id);
            let after = fit(before.clone(), &caps, &FitOptions::default(), &mut LossReport::default());
            assert!(format::Fitted::check(&after, &caps).is_ok(), "{} {}", format.id, dialect.id);
            let moves = caps.meshes && caps.influences != Some(0);
            assert!(!moves || largest_distance(&before, &after) < 1e-5, "{} {}", format.id, dialect.id);
        }
    }
}

#[test]
fn clips_too_many_are_called_by_their_index_where_they_have_no_name() {
    let mut scene = scene();
    scene.clips.push(Clip::default());
    scene.clips.push(Clip { name: "jump".into(), ..Clip::default() });
    let mut losses = LossReport::default();
    reduce::drop_what_cannot_be_held(&mut scene, &Caps { clips: Some(1), ..caps("gltf") }, &mut losses);
    let clips = losses.losses().iter().find(|loss| loss.what == Lost::Clips).unwrap();
    assert_eq!((clips.detail.as_str(), clips.count), ("clip 1, clip \"jump\"", 2));
}

#[test]
fn splines_are_followed_as_closely_as_asked_and_steps_stay_steps() {
    let mut before = scene();
    let tip = before.nodes.handles().find(|&node| before.nodes.get(node).unwrap().name == "tip").unwrap();
    let flat = [0.0; 3];
    let spline = Keys {
        times_secs: vec![0.0, 1.0],
        values: vec![flat, [0.0, 1.0, 0.0], [9.0, 0.0, 0.0], [0.0, 5.0, 0.0], [1.0, 1.0, 0.0], flat],
        interpolation: Interpolation::CubicSpline,
    };
    let step =
        Keys { times_secs: vec![0.0, 0.4], values: vec![[1.0; 3], [2.0; 3]], interpolation: Interpolation::Step };
    let clip = before.clips.iter_mut().next().unwrap();
    clip.tracks.push(Track { target: Target::Node(tip), curve: Curve::Translation(spline.clone()), blend: None });
    clip.tracks.push(Track { target: Target::Node(tip), curve: Curve::Scale(step), blend: None });
    let mut after = before.clone();
    let mut losses = LossReport::default();
    linearize::linearize(&mut after, 1e-3, false, &mut losses);
    assert_eq!(valid::check(&after), Ok(()));
    assert!(losses.names(Lost::CubicSplines) && losses.names(Lost::Steps));
    let tracks = &after.clips.iter().next().unwrap().tracks;
    let (Curve::Translation(line), Curve::Scale(jump)) = (&tracks[2].curve, &tracks[3].curve) else { panic!("kinds") };
    assert_eq!((line.interpolation, jump.interpolation), (Interpolation::Linear, Interpolation::Linear));
    for moment in 0..=1000 {
        let secs = moment as f32 / 1000.0;
        let [found, right] = [line, &spline].map(|keys| pose::vector_at(keys, secs).unwrap());
        assert!(found.distance(right) < 2e-3, "{secs}: {found} {right}");
    }
    let told = losses.losses().iter().find(|loss| loss.what == Lost::CubicSplines).unwrap();
    let LossKind::Approximated { max_error } = told.kind else { panic!("{told}") };
    assert!((1e-6..=1e-3).contains(&max_error), "{told}");
    let (clip, straight) = (before.clips.iter().next().unwrap(), after.clips.iter().next().unwrap());
    for moment in 0..=3000 {
        // The jump is told by itself.
        let secs = moment as f32 / 3000.0;
        let off = |(a, b): (&Vec3, Vec3)| a.distance(b);
        let [right, found] =
            [(&before, clip), (&after, straight)].map(|(scene, clip)| pose::positions_at(scene, clip, secs));
        let off = right.iter().zip(found).map(off).fold(0.0, f32::max);
        assert!((secs - 0.4).abs() < 2e-4 || off <= max_error, "{secs}: {off}, {told}");
    }
    assert_eq!([0.0, 0.399, 0.4, 1.0].map(|secs| pose::vector_at(jump, secs).unwrap().x), [1.0, 1.0, 2.0, 2.0]);
}

#[test]
fn a_spline_far_from_what_it_moves_is_followed_more_closely() {
    // The same turn, of a node close to its mesh and of one a hundred units away.
    let keys = |distance: f32| {
        let mut scene = Scene::default();
        let mesh = mesh(&mut scene, primitive(distance));
        let node = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
        scene.roots = vec![node];
        let (still, turned) = ([0.0; 4], Quat::from_rotation_z(2.0).to_array());
        let keys = Keys {
            times_secs: vec![0.0, 1.0],
            values: vec![still, Quat::IDENTITY.to_array(), still, still, turned, still],
            interpolation: Interpolation::CubicSpline,
        };
        let tracks = vec![Track { target: Target::Node(node), curve: Curve::Rotation(keys), blend: None }];
        scene.clips.push(Clip { duration_secs: 1.0, tracks, ..Clip::default() });
        let before = scene.clone();
        linearize::linearize(&mut scene, 1e-2, false, &mut LossReport::default());
        assert!(largest_distance(&before, &scene) <= 1e-2);
        let clip = scene.clips.iter().next().unwrap();
        clip.tracks[0].curve.times_secs().len()
    };
    assert!(keys(100.0) >= 4 * keys(0.0), "{} {}", keys(100.0), keys(0.0));
}

#[test]
fn the_heaviest_influences_stay_and_the_harm_is_measured() {
    let mut scene = scene();
    let skin = scene.skins.iter().next().unwrap().joints.len();
    assert_eq!(skin, 2);
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        if let Some(influences) = &mut primitive.streams.influences {
            assert_eq!(influences.weights[4..], [0.25, 0.75]);
        }
    }
    let mut losses = LossReport::default();
    let caps = Caps { influences: Some(1), ..Caps::NOTHING };
    influences::limit(&mut scene, &caps, &mut losses);
    let cut = losses.losses().first().unwrap();
    assert_eq!((cut.what, cut.count), (Lost::Influences, 2));
    assert!(matches!(cut.kind, LossKind::Approximated { max_error } if max_error > 0.1));
    let weights: Vec<f32> = scene
        .meshes
        .iter()
        .flat_map(|m| &m.primitives)
        .filter_map(|p| p.streams.influences.as_ref())
        .flat_map(|i| i.weights.clone())
        .collect();
    assert_eq!(weights, [1.0, 1.0, 1.0]);
}

#[test]
fn long_names_are_cut_between_characters_and_kept_apart() {
    let mut scene = flattened(scene(), &mut LossReport::default());
    let joints: Vec<_> = scene.skins.iter().next().unwrap().joints.clone();
    for (joint, name) in joints.iter().zip(["aäöü1", "aäöü2", "short"]) {
        scene.nodes.get_mut(*joint).unwrap().name = name.into();
    }
    let mut losses = LossReport::default();
    names::shorten(&mut scene, 6, &mut losses);
    let names: Vec<&str> = joints.iter().map(|&joint| scene.nodes.get(joint).unwrap().name.as_str()).collect();
    assert_eq!(names[..3], ["aäö", "aä~2", "short"]);
    assert_eq!(losses.losses().len(), 2);
}

#[test]
fn missing_normals_are_flat_and_tangents_follow_u() {
    let mut scene = scene();
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.streams.normals = None;
    }
    let scene = fit(scene, &caps("aem"), &FitOptions::default(), &mut LossReport::default());
    for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let streams = &primitive.streams;
        for ((normal, tangent), position) in
            streams.normals.as_ref().unwrap().iter().zip(streams.tangents.as_ref().unwrap()).zip(&streams.positions)
        {
            let [x, y, z, sign] = *tangent;
            let (normal, tangent) = (Vec3::from(*normal), Vec3::new(x, y, z));
            assert!(
                normal.is_normalized() && tangent.is_normalized() && normal.dot(tangent).abs() < 1e-5,
                "{position:?}"
            );
            assert_eq!(sign.abs(), 1.0);
        }
        // The second corner lies along U from the first in every part.
        let [a, b] = [0, 1].map(|i| {
            Vec3::from(
                streams.positions[streams.uvs[0].iter().position(|uv| uv[0] == i as f32 && uv[1] == 0.0).unwrap()],
            )
        });
        let [x, y, z, _] = streams.tangents.as_ref().unwrap()[0];
        assert!(Vec3::new(x, y, z).dot((b - a).normalize()) > 0.999);
    }
}

#[test]
fn the_shape_of_dropped_morph_targets_stays() {
    let mut scene = scene();
    let mesh = scene.meshes.iter_mut().next().unwrap();
    mesh.morph_weights = vec![0.5];
    mesh.primitives[0].morph_targets =
        vec![MorphTarget { positions: vec![[0.0, 0.0, 2.0]; 3], ..MorphTarget::default() }];
    let mut losses = LossReport::default();
    reduce::drop_what_cannot_be_held(&mut scene, &caps("aem"), &mut losses);
    assert_eq!(scene.meshes.iter().next().unwrap().primitives[0].streams.positions[0], [0.0, 0.0, 1.0]);
    assert!(losses.names(Lost::MorphTargets) && losses.names(Lost::MorphTargets));
    assert_eq!(valid::check(&scene), Ok(()));
}

#[test]
fn weights_sum_up_to_one_where_the_format_says_so() {
    let mut scene = scene();
    let influences =
        |scene: &Scene| scene.meshes.iter().find_map(|mesh| mesh.primitives[0].streams.influences.clone()).unwrap();
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive
            .streams
            .influences
            .iter_mut()
            .for_each(|influences| influences.weights = vec![0.5, 0.0, 0.5, 0.5, 0.0, 0.0]);
    }
    let mut losses = LossReport::default();
    influences::limit(&mut scene, &Caps { influences: Some(2), ..Caps::NOTHING }, &mut losses);
    assert_eq!(influences(&scene).weights, [0.5, 0.0, 0.5, 0.5, 0.0, 0.0]);
    assert!(losses.is_empty());
    let caps = Caps { influences: Some(2), unit_weights: true, ..Caps::NOTHING };
    influences::limit(&mut scene, &caps, &mut losses);
    // Half a weight becomes a whole one; a vertex that nothing moves stays so.
    assert_eq!(influences(&scene).weights, [1.0, 0.0, 0.5, 0.5, 0.0, 0.0]);
    assert_eq!(losses.losses().iter().map(|loss| (loss.what, loss.count)).collect::<Vec<_>>(), [(Lost::Influences, 1)]);
}

fn counts(losses: &LossReport) -> Vec<(Lost, u64)> {
    losses.iter().map(|loss| (loss.what, loss.count)).collect()
}

/// The first normal and tangent of a primitive with a slanted face, flattened into a model by a node of this size.
fn flat_frame(scale: Vec3) -> ([f32; 3], [f32; 4]) {
    let mut scene = Scene::default();
    let mut part = primitive(0.0);
    let slope = std::f32::consts::FRAC_1_SQRT_2;
    part.streams.normals = Some(vec![[slope, slope, 0.0]; 3]);
    part.streams.tangents = Some(vec![[slope, -slope, 0.0, 1.0]; 3]);
    let mesh = mesh(&mut scene, part);
    let transform = Transform::Trs(Trs { scale, ..Trs::IDENTITY });
    scene.roots = vec![scene.nodes.push(Node { mesh: Some(mesh), transform, ..Node::default() })];
    let flat = flattened(scene, &mut LossReport::default());
    let streams = &flat.meshes.iter().next().unwrap().primitives[0].streams;
    (streams.normals.as_ref().unwrap()[0], streams.tangents.as_ref().unwrap()[0])
}

#[test]
fn normals_stay_upright_and_a_mirror_turns_bitangents_around() {
    // Twice as tall, the face is steeper, and its normal flatter.
    let (normal, [x, y, z, sign]) = flat_frame(Vec3::new(1.0, 2.0, 1.0));
    let right = Vec3::new(2.0, 1.0, 0.0).normalize();
    assert!(Vec3::from(normal).distance(right) < 1e-6, "{normal:?}");
    assert!(Vec3::new(x, y, z).distance(Vec3::new(1.0, -2.0, 0.0).normalize()) < 1e-6 && sign == 1.0);
    let (normal, [x, .., sign]) = flat_frame(Vec3::new(-1.0, 1.0, 1.0));
    assert!(normal[0] < 0.0 && normal[1] > 0.0 && x < 0.0);
    assert_eq!(sign, -1.0, "the bitangent points where it did");
}

#[test]
fn what_flattening_changes_is_counted() {
    let mut before = scene();
    let shear = Mat4::from_cols(Vec3::X.extend(0.0), Vec3::ONE.extend(0.0), Vec3::Z.extend(0.0), Vec3::ONE.extend(1.0));
    let wheel = before.nodes.handles().find(|&node| before.nodes[node].name == "wheel").unwrap();
    before.nodes[wheel].transform = Transform::Matrix(shear);
    let clip = before.clips.iter_mut().next().unwrap();
    let mut stray = clip.tracks[0].clone();
    stray.target = Target::Name("tail".into());
    clip.tracks.extend([stray, turning(wheel, 3.0)]);
    let mut losses = LossReport::default();
    let after = flattened(before, &mut losses);
    let told: Vec<_> = counts(&losses);
    for wanted in [(Lost::Instances, 1), (Lost::Shear, 1), (Lost::Tracks, 1)] {
        assert!(told.contains(&wanted), "{wanted:?} {told:?}");
    }
    assert_eq!(told.iter().filter(|(what, _)| *what == Lost::Tracks).count(), 2, "without a bone, and twice: {told:?}");
    let tracks = &after.clips.iter().next().unwrap().tracks;
    assert_eq!(tracks.len(), 2);
    assert_eq!(tracks[0].curve, turning(wheel, 3.0).curve, "the later one counts");
}

#[test]
fn joints_that_bind_nothing_are_bound_where_they_rest() {
    let after = flattened(scene(), &mut LossReport::default());
    let skin = after.skins.iter().next().unwrap();
    let world = after.rest_world_from_node();
    let armature = skin.joints.iter().position(|&joint| after.nodes[joint].name.is_empty()).unwrap();
    let bound = world[skin.joints[armature].index()] * skin.joint_from_mesh[armature];
    assert!(world[skin.joints[armature].index()] != Mat4::IDENTITY);
    assert!(bound.abs_diff_eq(Mat4::IDENTITY, 1e-5), "{bound}");
}

fn limited(weights: Vec<f32>, most: u32, unit_weights: bool) -> (Vec<f32>, Vec<(Lost, u64)>) {
    let mut scene = scene();
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.streams.influences.iter_mut().for_each(|influences| influences.weights = weights.clone());
    }
    let mut losses = LossReport::default();
    let caps = Caps { influences: Some(most), unit_weights, ..Caps::NOTHING };
    influences::limit(&mut scene, &caps, &mut losses);
    let found = scene.meshes.iter().find_map(|mesh| mesh.primitives[0].streams.influences.clone()).unwrap();
    (found.weights, counts(&losses))
}

#[test]
fn weights_keep_their_sum_and_none_is_less_than_nothing() {
    let (weights, losses) = limited(vec![0.25, 0.25, 0.5, 0.0, 0.0, 0.0], 1, false);
    assert_eq!(weights, [0.5, 0.5, 0.0], "what is cut goes to what stays, and no more");
    assert_eq!(losses, [(Lost::Influences, 1)]);
    let (weights, losses) = limited(vec![1.5, -0.5, 0.5, 0.5, 1.0, 0.0], 2, true);
    assert_eq!(weights, [1.0, 0.0, 0.5, 0.5, 1.0, 0.0]);
    assert_eq!(losses, [(Lost::Influences, 1)]);
}

#[test]
fn a_step_shorter_than_a_moment_is_still_a_step() {
    let mut scene = scene();
    let tip = scene.nodes.handles().find(|&node| scene.nodes[node].name == "tip").unwrap();
    let step =
        Keys { times_secs: vec![0.0, 5e-5], values: vec![[1.0; 3], [2.0; 3]], interpolation: Interpolation::Step };
    let track = Track { target: Target::Node(tip), curve: Curve::Scale(step), blend: None };
    scene.clips.iter_mut().next().unwrap().tracks = vec![track];
    linearize::linearize(&mut scene, 1e-3, false, &mut LossReport::default());
    let Curve::Scale(jump) = &scene.clips.iter().next().unwrap().tracks[0].curve else { panic!("a scale") };
    assert_eq!([0.0, 2e-5, 5e-5].map(|secs| pose::vector_at(jump, secs).unwrap().x), [1.0, 1.0, 2.0]);
}

#[test]
fn errors_of_a_chain_of_splines_stay_within_what_is_asked() {
    // Five joints that turn alike, a unit apart: what each is off by adds up at the end.
    let mut scene = Scene::default();
    let mesh = mesh(&mut scene, primitive(1.0));
    let mut below = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
    let mut joints = vec![below];
    for _ in 0..4 {
        let transform = Transform::Trs(Trs { translation: Vec3::X, ..Trs::IDENTITY });
        below = scene.nodes.push(Node { children: vec![below], transform, ..Node::default() });
        joints.push(below);
    }
    scene.roots = vec![below];
    let (still, turned) = ([0.0; 4], Quat::from_rotation_z(1.0).to_array());
    let keys = Keys {
        times_secs: vec![0.0, 1.0],
        values: vec![still, Quat::IDENTITY.to_array(), still, still, turned, still],
        interpolation: Interpolation::CubicSpline,
    };
    let track =
        |&node: &Handle<Node>| Track { target: Target::Node(node), curve: Curve::Rotation(keys.clone()), blend: None };
    scene.clips.push(Clip { duration_secs: 1.0, tracks: joints.iter().map(track).collect(), ..Clip::default() });
    let mut after = scene.clone();
    linearize::linearize(&mut after, 1e-2, false, &mut LossReport::default());
    assert!(largest_distance(&scene, &after) <= 1e-2, "{}", largest_distance(&scene, &after));
}

#[test]
fn what_a_format_cannot_hold_is_counted() {
    let mut scene = scene();
    let mesh = scene.meshes.iter_mut().next().unwrap();
    let lines = Primitive { topology: Topology::Lines, indices: vec![0, 1, 1, 2], ..primitive(0.0) };
    mesh.primitives.push(lines);
    mesh.morph_weights = vec![0.5];
    for primitive in &mut mesh.primitives {
        let (positions, normals) = (vec![[0.0; 3]; 3], Some(vec![[2.0, 0.0, 0.0]; 3]));
        primitive.morph_targets = vec![MorphTarget { positions, normals, ..MorphTarget::default() }];
    }
    let clip = scene.clips.iter().next().unwrap().clone();
    scene.clips.push(clip);
    let caps = Caps { clips: Some(1), ..caps("aem") };
    let mut losses = LossReport::default();
    reduce::drop_what_cannot_be_held(&mut scene, &caps, &mut losses);
    let normals = scene.meshes.iter().next().unwrap().primitives[0].streams.normals.clone().unwrap();
    assert_eq!(normals[0], [1.0, 0.0, 1.0]);
    let told = counts(&losses);
    for wanted in [(Lost::Lines, 2), (Lost::Clips, 1)] {
        assert!(told.contains(&wanted), "{wanted:?} {told:?}");
    }
    assert_eq!(scene.clips.len(), 1);
}

#[test]
fn names_that_fit_and_were_equal_stay_equal() {
    let mut scene = flattened(scene(), &mut LossReport::default());
    let joints: Vec<_> = scene.skins.iter().next().unwrap().joints.clone();
    joints.iter().for_each(|&joint| scene.nodes[joint].name = "twin".into());
    let mut losses = LossReport::default();
    names::shorten(&mut scene, 6, &mut losses);
    assert!(joints.iter().all(|&joint| scene.nodes[joint].name == "twin"));
    assert!(losses.is_empty(), "{losses:?}");
}

#[test]
fn flat_normals_face_where_the_corners_run_counter_clockwise() {
    let mut scene = Scene::default();
    let mut part = primitive(0.0);
    part.streams.positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    part.streams.normals = None;
    mesh(&mut scene, part);
    surface::add_normals(&mut scene, &[], &mut LossReport::default());
    assert_eq!(scene.meshes.iter().next().unwrap().primitives[0].streams.normals, Some(vec![[0.0, 0.0, 1.0]; 3]));
}

#[test]
fn a_picture_is_halved_until_its_longest_side_fits() {
    let at_most = |max_size| TextureOptions { max_size, ..TextureOptions::default() };
    assert_eq!(
        [None, Some(64), Some(63), Some(16), Some(0)].map(|most| at_most(most).halvings(64, 3)),
        [0, 0, 1, 2, 6]
    );
    assert_eq!(at_most(Some(16)).halvings(3, 64), 2);
}

#[test]
fn an_empty_node_is_dropped_and_one_with_vertices_below_is_baked() {
    let mut scene = scene();
    let tip = scene.nodes.handles().find(|&node| scene.nodes[node].name == "tip").unwrap();
    let mut told = LossReport::default();
    flattened(scene.clone(), &mut told);
    let nodes = |losses: &LossReport, kind: &str| -> u64 {
        losses.iter().filter(|loss| loss.what == Lost::Nodes && loss.kind.word() == kind).map(|loss| loss.count).sum()
    };
    let baked = nodes(&told, "baked");
    assert!(baked > 0 && nodes(&told, "dropped") == 0, "{told}");
    let grip = scene.nodes.push(Node { name: "grip".into(), ..Node::default() });
    let socket = scene.nodes.push(Node { name: "socket".into(), children: vec![grip], ..Node::default() });
    scene.nodes.get_mut(tip).unwrap().children.push(socket);
    let mut told = LossReport::default();
    flattened(scene, &mut told);
    assert_eq!((nodes(&told, "baked"), nodes(&told, "dropped")), (baked, 2), "{told}");
}

#[test]
fn the_hierarchy_is_told_of_once_where_clips_are_alone() {
    let scene = scene();
    let links: usize = scene.nodes.iter().map(|node| node.children.len()).sum();
    for name in ["turn.seanim", "turn.pani"] {
        let losses = crate::write::encode(scene.clone(), name, &crate::WriteOptions::default()).unwrap().losses;
        let told: u64 = losses.iter().filter(|loss| loss.what == Lost::Hierarchy).map(|loss| loss.count).sum();
        assert_eq!(told, links as u64, "{name}: {losses}");
    }
}
