//! Scenes as files: what comes back.

use super::reading::{in_original_size, scene_of};
use super::*;
use crate::nlm::ticks;
use maquette_scene::clip::{Clip, Curve};
use maquette_scene::glam::{Mat4, Quat, Vec3};
use maquette_scene::loss::{LossKind, Lost};
use maquette_scene::mesh::{Influences, Mesh, Primitive, Streams, Topology as SceneTopology};
use maquette_scene::scene::{Node, Transform, Trs};
use maquette_scene::{Handle, pose};

pub fn written(scene: &Scene, dialect: &str) -> (Vec<u8>, LossReport) {
    let (bundle, losses) = write(scene, dialect).unwrap();
    (bundle.main, losses)
}

pub fn sample_scene() -> Scene {
    scene_of(&(FORMAT.sample)("document").main).0
}

/// A triangle of no format, 4 wide and 2 tall, beside the origin.
pub fn triangle() -> Scene {
    let mut scene = Scene::default();
    let streams = Streams {
        positions: vec![[10.0, 0.0, 0.0], [14.0, 0.0, 0.0], [10.0, 2.0, 0.0]],
        normals: Some(vec![[0.0, 0.0, 1.0]; 3]),
        ..Streams::default()
    };
    let primitive = Primitive { streams, indices: vec![0, 1, 2], ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    scene.roots = vec![scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() })];
    scene
}

pub fn first_primitive(scene: &mut Scene) -> &mut Primitive {
    &mut scene.meshes.iter_mut().next().unwrap().primitives[0]
}

pub fn first_clip(scene: &mut Scene) -> &mut Clip {
    scene.clips.iter_mut().next().unwrap()
}

#[test]
fn what_was_read_is_written_as_it_was() {
    for dialect in Dialect::ALL {
        let sample = (FORMAT.sample)(dialect.id());
        let (scene, _) = scene_of(&sample.main);
        let (bundle, losses) = write(&scene, dialect.id()).unwrap();
        assert!(losses.is_empty(), "{losses:?}");
        assert_eq!((bundle.main, bundle.companions), (sample.main, sample.companions), "{}", dialect.id());
    }
}

#[test]
fn every_dialect_gives_back_the_same_scene() {
    let scene = sample_scene();
    for dialect in Dialect::ALL {
        let (bytes, _) = written(&scene, dialect.id());
        assert_eq!(File::parse(&bytes).unwrap().dialect, *dialect);
        assert_eq!(scene_of(&bytes).0, scene);
    }
}

#[test]
fn what_only_the_format_knows_comes_back() {
    let mut file = model(Dialect::Engine);
    (file.hash, file.animation_flag) = (77, 9);
    file.aabb.max[0] = 100.0.into();
    let animation = file.animation.as_mut().unwrap();
    animation.ticks_per_second = 600.into();
    animation.duration = 1999.5.into();
    let bytes = file.encode();
    assert_eq!(written(&scene_of(&bytes).0, "engine").0, bytes);
    file.animation.as_mut().unwrap().bones.clear();
    let bytes = file.encode();
    assert_eq!(written(&scene_of(&bytes).0, "engine").0, bytes);
}

#[test]
fn a_model_without_skeleton_is_brought_to_unit_size() {
    let scene = triangle();
    let (bytes, losses) = written(&scene, "document");
    let [loss] = losses.losses() else { panic!("{losses:?}") };
    assert_eq!((loss.kind, loss.what.word(), loss.count), (LossKind::Baked, "model size", 3));
    assert!(loss.detail.contains("--denormalise"), "{}", loss.detail);
    let file = File::parse(&bytes).unwrap();
    assert_eq!(file.animation_flag, 0);
    assert_eq!(file.aabb.max.map(|x| x.get()), [14.0, 2.0, 0.0]);
    let positions: Vec<_> = file.meshes[0].vertices.iter().map(|v| v.position.map(|x| x.get())).collect();
    assert_eq!(positions, [[-0.5, -0.25, 0.0], [0.5, -0.25, 0.0], [-0.5, 0.25, 0.0]]);
    assert_eq!(in_original_size(&bytes), scene);
    // As stored, it is written as it was: once brought to unit size, it stays so.
    let (again, losses) = written(&scene_of(&bytes).0, "document");
    assert!(losses.is_empty() && again == bytes);
}

#[test]
fn a_box_that_was_kept_does_not_outlive_its_positions() {
    let mut scene = scene_of(&written(&triangle(), "document").0).0;
    first_primitive(&mut scene).streams.positions[1][0] = 3.0;
    let file = written(&scene, "document").0;
    assert_eq!(File::parse(&file).unwrap().aabb.max.map(|x| x.get()), [3.0, 0.25, 0.0]);
}

#[test]
fn a_model_of_nearly_unit_size_comes_back_exactly() {
    let mut scene = triangle();
    first_primitive(&mut scene).streams.positions = vec![[-0.4997, -0.2, 0.0], [0.5002, -0.2, 0.0], [0.0, 0.2001, 0.0]];
    let back = in_original_size(&written(&scene, "document").0);
    let [found, made] = [&back, &scene].map(pose::positions_at_rest);
    assert!(found.iter().zip(made).all(|(found, made)| found.distance(made) < 1e-7));
}

#[test]
fn a_point_has_no_size_to_be_divided_by() {
    let mut scene = triangle();
    first_primitive(&mut scene).streams.positions = vec![[5.0; 3]; 3];
    let (bytes, losses) = written(&scene, "document");
    assert!(losses.is_empty());
    assert_eq!(in_original_size(&bytes).meshes, scene.meshes);
}

#[test]
fn lines_stay_lines_whatever_their_count() {
    let mut scene = triangle();
    let primitive = first_primitive(&mut scene);
    (primitive.topology, primitive.indices, primitive.streams.normals) = (SceneTopology::Lines, vec![0, 1], None);
    let (bytes, losses) = written(&scene, "document");
    assert!(!losses.names(Lost::Lines));
    assert_eq!(in_original_size(&bytes), scene);
    first_primitive(&mut scene).indices = vec![0, 1, 1, 2, 2, 0];
    let (bytes, losses) = written(&scene, "document");
    assert!(losses.names(Lost::Lines));
    let back = in_original_size(&bytes);
    let primitive = &back.meshes.iter().next().unwrap().primitives[0];
    assert_eq!((primitive.topology, &primitive.indices[..]), (SceneTopology::Lines, &[0, 1, 1, 2, 2, 0, 2, 0][..]));
}

#[test]
fn fewer_slots_are_filled_up() {
    let mut scene = sample_scene();
    let primitive = first_primitive(&mut scene);
    let lists: Vec<Vec<_>> =
        (0..primitive.streams.len()).map(|v| primitive.streams.influences.as_ref().unwrap().of(v).collect()).collect();
    primitive.streams.influences = Some(Influences::from_lists(lists.iter().map(Vec::as_slice)));
    assert_eq!(primitive.streams.influences.as_ref().unwrap().slots, 2);
    assert_eq!(scene_of(&written(&scene, "document").0).0, sample_scene());
}

#[test]
fn a_skeleton_without_clip_comes_back_without_one() {
    let mut scene = sample_scene();
    scene.clips = Default::default();
    let (bytes, losses) = written(&scene, "document");
    assert!(losses.names(Lost::Durations));
    let file = File::parse(&bytes).unwrap();
    assert!(format_is_sound(&file), "{:?}", findings(&file, &Source::BARE));
    let back = scene_of(&bytes).0;
    assert_eq!((&back.nodes, &back.skins, &back.meshes), (&scene.nodes, &scene.skins, &scene.meshes));
    assert!(back.clips.is_empty());
}

fn format_is_sound(file: &File<'_>) -> bool {
    let mut report = Report::default();
    format::check(file, &Source::BARE, &mut report);
    report.worst().is_none_or(|worst| worst == maquette_scene::Severity::Info)
}

#[test]
fn several_roots_are_put_under_one() {
    let mut scene = sample_scene();
    let lone = Node { transform: Transform::Matrix(Mat4::from_translation(Vec3::X)), ..Node::default() };
    scene.nodes.push(lone);
    scene.roots.push(Handle::from_index(scene.nodes.len() - 1));
    let (bytes, losses) = written(&scene, "document");
    assert!(losses.names(Lost::Hierarchy));
    let file = File::parse(&bytes).unwrap();
    assert!(format_is_sound(&file), "{:?}", findings(&file, &Source::BARE));
    assert_eq!(file.animation.as_ref().unwrap().nodes[0].children.len(), 2);
    same_motion(&scene, &scene_of(&bytes).0);
}

fn same_motion(scene: &Scene, other: &Scene) {
    let [clip, other_clip] = [scene, other].map(|scene| scene.clips.iter().next().unwrap());
    for step in 0..=40 {
        let secs = clip.duration_secs as f32 * step as f32 / 40.0;
        let [found, made] = [pose::positions_at(other, other_clip, secs), pose::positions_at(scene, clip, secs)];
        assert_eq!(found.len(), made.len());
        assert!(found.iter().zip(made).all(|(found, made)| found.distance(made) < 1e-6), "at {secs}");
    }
}

#[test]
fn what_has_no_curve_gets_a_key_at_rest() {
    let mut scene = sample_scene();
    first_clip(&mut scene).tracks.retain(|track| matches!(track.curve, Curve::Rotation(_)));
    let tilted = Trs { rotation: Quat::from_rotation_x(0.3), scale: Vec3::splat(2.0), translation: Vec3::Z };
    scene.nodes.iter_mut().nth(2).unwrap().transform = Transform::Trs(tilted);
    let (bytes, losses) = written(&scene, "engine");
    let [loss] = losses.losses() else { panic!("{losses:?}") };
    assert_eq!((loss.kind, loss.what.word(), loss.count), (LossKind::Baked, "keys", 6));
    same_motion(&scene, &scene_of(&bytes).0);
}

#[test]
fn a_clip_of_no_length_lasts_a_tick() {
    let mut scene = sample_scene();
    first_clip(&mut scene).duration_secs = 0.0;
    let (bytes, losses) = written(&scene, "document");
    assert!(losses.names(Lost::Durations));
    assert_eq!(File::parse(&bytes).unwrap().animation.unwrap().duration.get(), 1.0);
}

#[test]
fn the_rate_holds_every_time_exactly() {
    let rate = |kept, times: &[f32]| ticks::rate(kept, 2.0, times.iter().copied());
    assert_eq!(rate(None, &[0.0, 0.8, 1.0 / 30.0]), 1000);
    assert_eq!(rate(Some(600), &[0.5]), 600);
    assert_eq!(rate(Some(-3), &[0.5]), 1000);
    assert_eq!(rate(None, &[2.0e38]), 1);
}

proptest! {
    #[test]
    fn times_survive_the_way_to_ticks_and_back(
        kept in prop::option::of(any::<i32>()),
        times in prop::collection::vec(0.0f32..1e4, 1..50),
    ) {
        let rate = ticks::rate(kept, f64::from(times[0]), times.iter().copied());
        prop_assert!(crate::ticks::holds(rate, times));
    }
}
