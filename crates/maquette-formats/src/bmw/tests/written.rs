//! Scenes to files, and what comes back from them.

use super::super::raw::{Dialect, File};
use super::super::sample::{bundle, model};
use super::super::{FORMAT, write};
use super::scene::{NAME, clip, farthest, read_bundle, words};
use crate::format::{Bundle, Error, Fitted, WriteOptions};
use crate::rules::matrices::MatrixOrder;
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Quat, Vec3};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::mesh::{Influences, Mesh, Primitive, Streams};
use maquette_scene::scene::{Node, Skin, Transform};
use maquette_scene::{Handle, Scene, pose};

pub(super) fn write_as(scene: &Scene, dialect: Dialect) -> (Bundle, LossReport) {
    let mut losses = LossReport::default();
    let options = WriteOptions { dialect: dialect.id(), name: NAME, others: &[] };
    let fitted = Fitted::check(scene, &(FORMAT.caps)(dialect.id())).unwrap();
    (write::write(&fitted, &options, &mut losses).unwrap(), losses)
}

pub(super) fn refused(scene: &Scene) -> String {
    let options = WriteOptions { dialect: "document", name: NAME, others: &[] };
    let fitted = Fitted::check(scene, &(FORMAT.caps)("document")).unwrap();
    match write::write(&fitted, &options, &mut LossReport::default()) {
        Err(Error::CannotHold(why)) => why,
        other => panic!("{:?}", other.map(|bundle| bundle.main.len())),
    }
}

/// Where a scene is not as the writer needs it.
pub(super) fn misfit(scene: &Scene) -> String {
    Fitted::check(scene, &(FORMAT.caps)("document")).unwrap_err().path.to_string()
}

/// Writes, reads again, and compares every drawn vertex at rest and in all clips.
fn same_motion(scene: &Scene, dialect: Dialect) -> (Scene, LossReport) {
    let (bundle, losses) = write_as(scene, dialect);
    let (again, _) = read_bundle(&bundle);
    assert_eq!(scene.clips.len(), again.clips.len());
    for (before, after) in scene.clips.iter().zip(&again.clips) {
        for step in 0..=40 {
            let secs = before.duration_secs as f32 * step as f32 / 40.0;
            let [found, expected] =
                [(&again, after), (scene, before)].map(|(scene, clip)| pose::positions_at(scene, clip, secs));
            assert!(farthest(&found, &expected) < 2e-5, "{} at {secs}", dialect.id());
        }
    }
    (again, losses)
}

fn specimen(dialect: Dialect) -> Scene {
    read_bundle(&bundle(&model(dialect))).0
}

/// The numbers of a clip's curves, for comparing with a tolerance.
fn values(clip: &Clip) -> Vec<f32> {
    let of = |track: &Track| match &track.curve {
        Curve::Translation(keys) | Curve::Scale(keys) => keys.values.concat(),
        Curve::Rotation(keys) => keys.values.concat(),
        Curve::MorphWeights(keys) => keys.values.concat(),
    };
    clip.tracks.iter().flat_map(of).collect()
}

#[test]
fn specimens_come_back_as_they_were() {
    for &dialect in Dialect::ALL {
        let scene = specimen(dialect);
        let (written, losses) = write_as(&scene, dialect);
        assert!(losses.is_empty(), "{}: {:?}", dialect.id(), words(&losses));
        assert_eq!(File::parse(&written.main).unwrap().dialect, dialect);
        let (mut again, losses) = read_bundle(&written);
        assert!(losses.is_empty(), "{}: {:?}", dialect.id(), words(&losses));
        for (before, after) in scene.clips.iter().zip(again.clips.iter_mut()) {
            let off = values(before).iter().zip(values(after)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(off < 1e-6, "{}: {off}", dialect.id());
            let times =
                |clip: &Clip| clip.tracks.iter().map(|track| track.curve.times_secs().to_vec()).collect::<Vec<_>>();
            assert_eq!(times(before), times(after));
            after.tracks = before.tracks.clone();
        }
        assert_eq!(again, scene, "{}", dialect.id());
    }
}

#[test]
fn motion_survives_every_dialect_that_has_any() {
    for from in [Dialect::Document, Dialect::Engine] {
        for to in [Dialect::Document, Dialect::Engine, Dialect::EngineUnnamed, Dialect::Day29] {
            let scene = specimen(from);
            let (_, losses) = same_motion(&scene, to);
            let names: &[&str] = if from == Dialect::Engine && to != from { &["dropped node names ×4"] } else { &[] };
            assert_eq!(words(&losses), names, "{} to {}", from.id(), to.id());
        }
    }
}

#[test]
fn a_dialect_without_weights_keeps_the_shape_at_rest() {
    let mut scene = specimen(Dialect::Engine);
    scene.nodes.get_mut(Handle::from_index(0)).unwrap().transform = Transform::Matrix(Mat4::from_translation(Vec3::X));
    let shown = pose::positions_at_rest(&scene);
    let (written, losses) = write_as(&scene, Dialect::Day14);
    let expected = [
        "dropped influences ×48",
        "dropped skins ×1",
        "baked bind poses ×28",
        "dropped node names ×4",
        "dropped clips ×1",
    ];
    assert_eq!(words(&losses), expected);
    assert!(farthest(&pose::positions_at_rest(&read_bundle(&written).0), &shown) < 1e-6);
    let (written, losses) = write_as(&scene, Dialect::Day09);
    assert!(words(&losses).contains(&"baked vertices ×54".to_owned()));
    assert_eq!(read_bundle(&written).0.meshes.iter().next().unwrap().primitives[0].streams.len(), 54);
}

pub(super) fn triangle() -> Primitive {
    let streams = Streams {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        normals: Some(vec![[0.0, 0.0, 1.0]; 3]),
        ..Streams::default()
    };
    Primitive { streams, indices: vec![0, 1, 2], ..Primitive::default() }
}

/// A triangle at a node of its own.
pub(super) fn plain() -> Scene {
    let mut scene = Scene::default();
    let mesh = scene.meshes.push(Mesh { primitives: vec![triangle()], ..Mesh::default() });
    let node =
        scene.nodes.push(Node { mesh: Some(mesh), transform: Transform::Matrix(Mat4::IDENTITY), ..Node::default() });
    scene.roots.push(node);
    scene
}

pub(super) fn track(node: usize, curve: Curve) -> Track {
    Track { target: Target::Node(Handle::from_index(node)), curve, blend: None }
}

pub(super) fn turning(node: usize, times: &[f32]) -> Track {
    let values = times.iter().map(|time| Quat::from_rotation_z(*time).to_array()).collect();
    track(node, Curve::Rotation(Keys { times_secs: times.to_vec(), values, interpolation: Interpolation::Linear }))
}

/// Two joints, the second of which turns; the triangle hangs at both. Bound where `bound` says, seen from where they rest.
pub(super) fn skinned(bound: [Mat4; 2]) -> Scene {
    let mut scene = plain();
    let local =
        Transform::Matrix(Mat4::from_rotation_translation(Quat::from_rotation_y(0.3), Vec3::new(0.0, 1.0, 0.0)));
    let tip = scene.nodes.push(Node { name: "tip".into(), transform: local, ..Node::default() });
    let base = scene.nodes.push(Node { name: "base".into(), transform: local, children: vec![tip], ..Node::default() });
    scene.roots.push(base);
    let worlds = scene.rest_world_from_node();
    let joint_from_mesh = vec![worlds[tip.index()].inverse() * bound[0], worlds[base.index()].inverse() * bound[1]];
    let skin = scene.skins.push(Skin { name: String::new(), joints: vec![tip, base], joint_from_mesh });
    scene.nodes.get_mut(Handle::from_index(0)).unwrap().skin = Some(skin);
    let influences =
        Influences { slots: 2, joints: vec![0, 1, 0, 1, 0, 1], weights: vec![1.0, 0.0, 0.25, 0.75, 0.5, 0.5] };
    scene.meshes.iter_mut().next().unwrap().primitives[0].streams.influences = Some(influences);
    let tracks = vec![turning(tip.index(), &[0.0, 0.5, 1.0])];
    scene.clips.push(Clip { duration_secs: 1.0, tracks, ..Clip::default() });
    scene
}

#[test]
fn weights_and_joints_come_back() {
    let (again, losses) = same_motion(&skinned([Mat4::IDENTITY; 2]), Dialect::Engine);
    assert_eq!(words(&losses), ["baked hierarchy ×2"]);
    assert_eq!(again.nodes.iter().map(|node| &*node.name).collect::<Vec<_>>(), ["", "", "base", "tip"]);
    let streams = &again.meshes.iter().next().unwrap().primitives[0].streams;
    assert_eq!(streams.influences.as_ref().unwrap().of(1).collect::<Vec<_>>(), [(1, 0.25), (0, 0.75)], "sorted by id");
}

#[test]
fn one_transform_between_bind_pose_and_rest_pose_goes_into_the_vertices() {
    let bound = Mat4::from_scale_rotation_translation(Vec3::splat(2.0), Quat::from_rotation_x(1.0), Vec3::X);
    for dialect in [Dialect::Document, Dialect::Engine] {
        let scene = skinned([bound; 2]);
        let (again, losses) = same_motion(&scene, dialect);
        assert!(words(&losses).contains(&"baked bind poses ×3".to_owned()), "{:?}", words(&losses));
        assert!(!losses.names(Lost::RestPoses));
        assert!(farthest(&pose::positions_at_rest(&again), &pose::positions_at_rest(&scene)) < 1e-5);
        let normal = again.meshes.iter().next().unwrap().primitives[0].streams.normals.as_ref().unwrap()[0];
        assert!(Vec3::from(normal).abs_diff_eq(Quat::from_rotation_x(1.0) * Vec3::Z, 1e-6), "{normal:?}");
    }
}

#[test]
fn joints_that_do_not_rest_where_they_were_bound_are_put_there() {
    let apart = [Mat4::from_rotation_x(0.5), Mat4::IDENTITY];
    for dialect in [Dialect::Document, Dialect::Engine] {
        let scene = skinned(apart);
        let (_, losses) = same_motion(&scene, dialect);
        assert!(words(&losses).contains(&"dropped rest poses ×1".to_owned()), "{:?}", words(&losses));
    }
}

#[test]
fn skins_that_bind_the_same_joints_elsewhere_are_reported() {
    let mut scene = skinned([Mat4::IDENTITY; 2]);
    let mut other = scene.skins.iter().next().unwrap().clone();
    other.joint_from_mesh[0] = Mat4::from_rotation_x(0.5) * other.joint_from_mesh[0];
    let skin = Some(scene.skins.push(other));
    let mesh = Some(Handle::from_index(0));
    let node = scene.nodes.push(Node { mesh, skin, ..Node::default() });
    scene.roots.push(node);
    let (bundle, losses) = write_as(&scene, Dialect::Engine);
    assert!(words(&losses).contains(&"approximated bind poses ×1".to_owned()), "{:?}", words(&losses));
    assert_eq!(File::parse(&bundle.main).unwrap().meshes.len(), 2, "a mesh for each skin");
}

#[test]
fn matrices_without_translation_are_written_so_that_they_are_read_right() {
    let mut scene = plain();
    let turned = Mat4::from_rotation_z(0.5);
    scene.nodes.get_mut(Handle::from_index(0)).unwrap().transform = Transform::Matrix(turned);
    for &dialect in Dialect::ALL {
        let (bundle, _) = write_as(&scene, dialect);
        let order = if dialect.is_engine() { MatrixOrder::ColumnMajor } else { MatrixOrder::RowMajor };
        assert_eq!(File::parse(&bundle.main).unwrap().matrix_order().0, order);
        assert_eq!(read_bundle(&bundle).0.nodes.iter().next().unwrap().transform.matrix(), turned, "{}", dialect.id());
    }
    let moved = Transform::Matrix(turned * Mat4::from_translation(Vec3::X));
    scene.nodes.get_mut(Handle::from_index(0)).unwrap().transform = moved;
    let (bundle, _) = write_as(&scene, Dialect::Document);
    assert_eq!(File::parse(&bundle.main).unwrap().matrix_order().0, MatrixOrder::ColumnMajor);
}

/// The rate, the duration and the number of matrices that a clip of these keys is written with.
fn timing(times: &[f32], dialect: Dialect, change: fn(&mut Clip)) -> ((u32, u32, usize), Vec<String>) {
    let mut scene = plain();
    let mut clip =
        Clip { duration_secs: f64::from(*times.last().unwrap()), tracks: vec![turning(0, times)], ..Clip::default() };
    change(&mut clip);
    scene.clips.push(clip);
    let (bundle, losses) = write_as(&scene, dialect);
    let file = File::parse_as(&bundle.main, dialect).unwrap();
    let animation = &file.animations[0];
    ((animation.rate, animation.duration, animation.bones[0].matrices.len()), words(&losses))
}

#[test]
fn the_rate_is_the_smallest_that_has_a_tick_for_every_key() {
    let document = |times: &[f32]| timing(times, Dialect::Document, |_| {});
    assert_eq!(document(&[0.0, 0.5, 2.0]), ((2, 5, 5), vec![]));
    assert_eq!(document(&[0.0, 1.0 / 3.0, 0.5]), ((6, 4, 4), vec![]));
    assert_eq!(timing(&[0.0, 0.5, 2.0], Dialect::Day29, |_| {}).0, (2, 4, 5));
    assert_eq!(timing(&[0.0, 0.5, 2.0], Dialect::Engine, |_| {}).0, (30, 60, 61), "the engine shows whole ticks");
    assert_eq!(timing(&[0.0, 0.5, 2.0], Dialect::Engine, |clip| clip.frame_rate = Some(4.0)).0, (4, 8, 9));
    let other = timing(&[0.0, 0.5], Dialect::Document, |clip| clip.frame_rate = Some(3.0));
    assert_eq!(other, ((2, 2, 2), vec!["dropped frame rates ×1".into()]));
}

#[test]
fn keys_between_all_ticks_are_approximated() {
    let (timing, losses) = timing(&[0.0, 0.141_592, 0.718_281], Dialect::Document, |_| {});
    assert_eq!(timing.0, 60);
    assert_eq!(losses, ["approximated key times ×2", "approximated durations ×1"]);
}

/// A triangle moved along such a curve, as it was and as it comes back, with the largest error that is told of it.
fn moved(curve: Keys<[f32; 3]>, dialect: Dialect, what: Lost) -> (impl Fn(f32) -> f32, f32, LossReport) {
    let mut scene = plain();
    scene.clips.push(Clip { duration_secs: 1.0, tracks: vec![track(0, Curve::Translation(curve))], ..Clip::default() });
    let (bundle, losses) = write_as(&scene, dialect);
    let again = read_bundle(&bundle).0;
    let told = losses.iter().find(|loss| loss.what == what).unwrap_or_else(|| panic!("{losses}"));
    let LossKind::Approximated { max_error } = told.kind else { panic!("{told}") };
    let apart = move |secs: f32| {
        let [before, after] =
            [&scene, &again].map(|scene| pose::positions_at(scene, scene.clips.iter().next().unwrap(), secs));
        farthest(&before, &after)
    };
    (apart, max_error, losses)
}

#[test]
fn a_jump_takes_a_tick_and_the_report_says_so() {
    let values = vec![[0.0; 3], [4.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0; 3]];
    let jumping = Keys { times_secs: vec![0.0, 0.3, 0.5, 0.9], values, interpolation: Interpolation::Step };
    for dialect in [Dialect::Engine, Dialect::Document] {
        let (apart, told, losses) = moved(jumping.clone(), dialect, Lost::Steps);
        assert_eq!(told, 1.0 / 60.0, "{losses}");
        assert!(!losses.names(Lost::KeyTimes), "{losses}");
        for key in [0.3, 0.9] {
            assert!((apart(key - told / 2.0) - 2.0).abs() < 0.01, "half way in half the time");
            assert!(apart(key - told - 1e-4) < 1e-5 && apart(key + 1e-4) < 1e-5);
        }
        assert!(apart(0.5) < 1e-5 && apart(0.49) < 1e-5);
    }
    let still = Keys { times_secs: vec![0.0, 0.5], values: vec![[1.0; 3]; 2], interpolation: Interpolation::Step };
    let mut scene = plain();
    scene.clips.push(Clip { duration_secs: 0.5, tracks: vec![track(0, Curve::Translation(still))], ..Clip::default() });
    let losses = write_as(&scene, Dialect::Document).1;
    assert!(losses.is_empty(), "what never jumps is no step: {losses}");
}

#[test]
fn a_spline_is_no_farther_off_than_the_report_says() {
    let flat = [0.0; 3];
    let values = vec![flat, flat, [90.0, 0.0, 0.0], [0.0, 50.0, 0.0], [4.0, 1.0, 0.0], flat];
    let spline = Keys { times_secs: vec![0.0, 1.0], values, interpolation: Interpolation::CubicSpline };
    for dialect in [Dialect::Engine, Dialect::Document] {
        let (apart, told, losses) = moved(spline.clone(), dialect, Lost::CubicSplines);
        let found = (0..=5000).map(|moment| apart(moment as f32 / 5000.0)).fold(0.0, f32::max);
        assert!(found > 1e-3 && found <= told && told < 1.1 * found, "{found} {told} {losses}");
    }
}

#[test]
fn a_clip_longer_than_its_keys_keeps_its_length() {
    let (long, losses) = timing(&[0.0, 0.5], Dialect::Document, |clip| clip.duration_secs = 1.5);
    assert_eq!((long, losses.len()), ((2, 4, 4), 0));
    let (odd, losses) = timing(&[0.0, 0.5], Dialect::Document, |clip| clip.duration_secs = 1.3);
    assert_eq!((odd, losses), ((2, 4, 4), vec!["approximated durations ×1".into()]));
}

#[test]
fn a_long_clip_that_moves_nothing_is_written_without_a_look_at_its_ticks() {
    let mut scene = plain();
    scene.clips.push(Clip { duration_secs: 16e6, ..Clip::default() });
    let (bundle, _) = write_as(&scene, Dialect::Document);
    let animation = &File::parse_as(&bundle.main, Dialect::Document).unwrap().animations[0];
    assert_eq!((animation.rate, animation.duration, animation.bones.len()), (1, 16_000_001, 0));
}

#[test]
fn an_endless_clip_is_refused() {
    let mut scene = plain();
    scene.clips.push(Clip { duration_secs: 1e12, tracks: vec![turning(0, &[0.0, 0.5])], ..Clip::default() });
    assert!(refused(&scene).contains("too long"));
}

fn two_clips() -> Scene {
    let mut scene = plain();
    for (name, times, looped) in [("a", [0.0, 0.5], Some(true)), ("b", [0.0, 1.0], None)] {
        let duration_secs = f64::from(times[1]);
        scene.clips.push(Clip {
            name: name.into(),
            duration_secs,
            tracks: vec![turning(0, &times)],
            looped,
            ..Clip::default()
        });
    }
    scene
}

#[test]
fn the_engine_gets_all_clips_in_one_animation() {
    let (again, losses) = same_motion(&two_clips(), Dialect::Engine);
    assert!(losses.is_empty(), "{:?}", words(&losses));
    let clips: Vec<_> = again.clips.iter().map(|clip| (&*clip.name, clip.looped, clip.duration_secs)).collect();
    assert_eq!(clips, [("a", Some(true), 0.5), ("b", None, 1.0)]);
    let (bundle, _) = write_as(&two_clips(), Dialect::Engine);
    assert_eq!(File::parse(&bundle.main).unwrap().animations.len(), 1);
}

#[test]
fn the_document_gets_an_animation_for_each_clip() {
    let (again, losses) = same_motion(&two_clips(), Dialect::Document);
    assert_eq!(words(&losses), ["dropped clip names ×1", "dropped loop flags ×1", "dropped clip names ×1"]);
    assert_eq!(again.clips.len(), 2);
    let (bundle, _) = write_as(&two_clips(), Dialect::Document);
    assert!(bundle.companions.is_empty());
}

#[test]
fn placement_hold_and_default_clip_come_back() {
    let json = r#"{ "rotation": 250, "rotationAngle": "0.978734 0.205133 0", "scale": "5 5 5", "translation": "0.5 0 0.5",
        "defaultAnim": "sway", "clips": [{ "name": "sway", "start": 0, "end": 8, "hold": true }] }"#;
    let mut bundle = bundle(&model(Dialect::Engine));
    bundle.companions[0].1 = json.into();
    let scene = read_bundle(&bundle).0;
    assert_eq!(scene.nodes.len(), 5);
    let (written, losses) = write_as(&scene, Dialect::Engine);
    assert!(losses.is_empty(), "{:?}", words(&losses));
    assert_eq!(File::parse(&written.main).unwrap().nodes.len(), 4, "the JSON file places the model, no node");
    let again = read_bundle(&written).0;
    assert_eq!(again.nodes, scene.nodes);
    assert_eq!(again.extras, scene.extras);
    assert_eq!((clip(&again, 0).looped, &clip(&again, 0).extras), (Some(false), &clip(&scene, 0).extras));
}

#[test]
fn a_placement_that_was_changed_is_a_node() {
    let mut bundle = bundle(&model(Dialect::Engine));
    bundle.companions[0].1 = br#"{ "scale": "2 2 2" }"#.to_vec();
    let mut scene = read_bundle(&bundle).0;
    scene.nodes.get_mut(scene.roots[0]).unwrap().transform = Transform::Matrix(Mat4::from_scale(Vec3::splat(3.0)));
    let (again, losses) = same_motion(&scene, Dialect::Engine);
    assert_eq!(words(&losses), ["baked bind poses ×28"]);
    assert_eq!(again.nodes.len(), 5);
    assert!(farthest(&pose::positions_at_rest(&again), &pose::positions_at_rest(&scene)) < 1e-5);
}

#[test]
fn several_roots_get_one_above_and_what_none_reaches_is_lost() {
    let mut scene = plain();
    scene.roots.push(Handle::from_index(1));
    scene.nodes.push(Node::default());
    scene.nodes.push(Node { mesh: Some(Handle::from_index(0)), ..Node::default() });
    let (bundle, losses) = write_as(&scene, Dialect::Document);
    assert_eq!(words(&losses), ["baked hierarchy ×2", "dropped nodes ×1"]);
    let again = read_bundle(&bundle).0;
    assert_eq!((again.nodes.len(), again.roots.len()), (3, 1));
}

#[test]
fn joints_outside_of_what_is_shown_are_written() {
    let mut scene = skinned([Mat4::IDENTITY; 2]);
    scene.roots.pop();
    let (again, losses) = same_motion(&scene, Dialect::Engine);
    assert_eq!(words(&losses), ["baked hierarchy ×2"]);
    assert_eq!(again.skins.iter().next().unwrap().joints.len(), 2);
}

#[test]
fn meshes_without_nodes_stay() {
    let mut scene = plain();
    scene.nodes.get_mut(Handle::from_index(0)).unwrap().mesh = None;
    let (bundle, losses) = write_as(&scene, Dialect::Document);
    assert!(losses.is_empty());
    assert_eq!(read_bundle(&bundle).0.meshes, scene.meshes);
}

#[test]
fn colours_are_kept_in_steps() {
    let mut scene = plain();
    let colours = |scene: &mut Scene, colour: [f32; 4]| {
        scene.meshes.iter_mut().next().unwrap().primitives[0].streams.colours = vec![vec![colour; 3]];
    };
    colours(&mut scene, [0.0, 51.0 / 255.0, 1.0, 77.0 / 255.0]);
    let (bundle, losses) = write_as(&scene, Dialect::Document);
    assert!(losses.is_empty());
    assert_eq!(read_bundle(&bundle).0.meshes, scene.meshes);
    colours(&mut scene, [0.5, 0.0, 1.0, 1.0]);
    assert_eq!(words(&write_as(&scene, Dialect::Document).1), ["approximated vertex colours ×3"]);
}
