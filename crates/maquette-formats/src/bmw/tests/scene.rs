//! Files to scenes. Expectations are worked out here by other means: angles, sums over weights, numbers put in by hand.

use super::super::raw::{Animation, Bone, BoneName, Dialect, File, Influence, Matrix, Mesh, Node, VertexWeights};
use super::super::sample::{bundle, model};
use super::super::sidecar::NAMING;
use super::super::{FORMAT, read};
use crate::format::{AnimationMatrices, Bundle, ReadOptions, Resources, Result, Source};
use crate::rules::matrices::MatrixOrder;
use crate::specimen;
use maquette_scene::clip::{Clip, Curve};
use maquette_scene::glam::{Mat4, Quat, Vec3};
use maquette_scene::loss::{LossKind, LossReport};
use maquette_scene::scene::Transform;
use maquette_scene::{Handle, Scene, pose};
use std::borrow::Cow;
use zerocopy::little_endian::U32;

const ANIMATED: [Dialect; 4] = [Dialect::Document, Dialect::Engine, Dialect::EngineUnnamed, Dialect::Day29];
/// Textures next to a model that is called so.
pub(super) const NAME: &str = "post.bmw";

/// Files by name.
#[derive(Default)]
pub(super) struct Folder(pub Vec<(String, Vec<u8>)>);

impl Resources for Folder {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, bytes)| Cow::Borrowed(&bytes[..]))
    }
}

/// Reads a file with its companion files.
pub(super) fn read_with(bundle: &Bundle, change: fn(&mut ReadOptions<'_>)) -> (Result<Scene>, LossReport) {
    let folder = Folder(bundle.companions.iter().map(|(naming, bytes)| (naming.apply(NAME), bytes.clone())).collect());
    let source = Source { name: NAME, resources: &folder, ..Source::BARE };
    let mut options = ReadOptions { source, ..ReadOptions::default() };
    change(&mut options);
    let mut losses = LossReport::default();
    let scene = File::parse(&bundle.main).and_then(|file| read::read(&file, &options, &mut losses));
    (scene, losses)
}

pub(super) fn read_bundle(bundle: &Bundle) -> (Scene, LossReport) {
    let (scene, losses) = read_with(bundle, |_| {});
    (scene.unwrap(), losses)
}

/// The file without companion files.
pub(super) fn read_file(file: &File<'_>) -> (Scene, LossReport) {
    read_bundle(&file.encode().into())
}

pub(super) fn read_json(file: &File<'_>, json: &str) -> (Scene, LossReport) {
    read_bundle(&Bundle { main: file.encode(), companions: vec![(NAMING, json.into())] })
}

/// The losses as words: kind, what and how many.
pub(super) fn words(losses: &LossReport) -> Vec<String> {
    losses.losses().iter().map(|loss| format!("{} {} ×{}", loss.kind.word(), loss.what.word(), loss.count)).collect()
}

pub(super) fn clip(scene: &Scene, index: usize) -> &Clip {
    scene.clips.get(Handle::from_index(index)).unwrap()
}

pub(super) fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// How far the middle joint is turned, in degrees: the tip is turned back by as much.
fn swing(secs: f64) -> f64 {
    let quarter = secs.rem_euclid(2.0) / 0.5;
    let [up, down] = [quarter, quarter - 2.0];
    match quarter as u32 {
        0 => 30.0 * up,
        1 => 30.0 * (2.0 - up),
        2 => -30.0 * down,
        _ => -30.0 * (2.0 - down),
    }
}

/// Where the specimen's vertices are, from the angle alone.
pub(super) fn expected_positions(secs: f64) -> Vec<Vec3> {
    let turn = swing(secs).to_radians();
    // About (0, 1): the middle turns everything above it. The tip turns back, so it is only carried along.
    let turned = |[x, y, z]: [f32; 3]| {
        let (x, y) = (f64::from(x), f64::from(y) - 1.0);
        Vec3::new((x * turn.cos() - y * turn.sin()) as f32, (x * turn.sin() + y * turn.cos() + 1.0) as f32, z)
    };
    let carried = |[x, y, z]: [f32; 3]| {
        let tip = turned([0.0, 2.0, 0.0]);
        Vec3::new(x + tip.x, y - 2.0 + tip.y, z)
    };
    let (vertices, _) = specimen::geometry();
    let moved = vertices.iter().map(|vertex| {
        let by = |joint: i32| match joint {
            0 => Vec3::from(vertex.position),
            1 => turned(vertex.position),
            _ => carried(vertex.position),
        };
        let slots = vertex.joints.iter().zip(vertex.weights).filter(|(joint, _)| **joint >= 0);
        slots.map(|(&joint, weight)| by(joint) * weight).sum()
    });
    moved.collect()
}

#[test]
fn every_specimen_becomes_a_scene_without_losses() {
    for &dialect in Dialect::ALL {
        let (scene, losses) = read_bundle(&bundle(&model(dialect)));
        assert!(losses.is_empty(), "{}: {:?}", dialect.id(), words(&losses));
        let clips = usize::from(dialect.stores_animations());
        let counts =
            [scene.nodes.len(), scene.meshes.len(), scene.materials.len(), scene.skins.len(), scene.clips.len()];
        assert_eq!(counts, [4, 1, 1, clips, clips], "{}", dialect.id());
        let triangles: usize =
            scene.meshes.iter().flat_map(|mesh| &mesh.primitives).map(|primitive| primitive.indices.len() / 3).sum();
        assert_eq!(triangles, 18);
    }
}

#[test]
fn the_specimen_sways_as_its_angles_say() {
    for dialect in ANIMATED {
        let (scene, _) = read_bundle(&bundle(&model(dialect)));
        let clip = clip(&scene, 0);
        assert_eq!((&*clip.name, clip.looped, clip.frame_rate), ("sway", Some(true), Some(4.0)));
        assert_eq!(clip.duration_secs, if dialect == Dialect::Document { 1.75 } else { 2.0 }, "first to last matrix");
        for step in 0..=70 {
            let secs = f64::from(step) / 40.0;
            let found = pose::positions_at(&scene, clip, secs as f32);
            assert!(farthest(&found, &expected_positions(secs)) < 2e-6, "{} at {secs}", dialect.id());
        }
        assert!(farthest(&pose::positions_at_rest(&scene), &expected_positions(0.0)) == 0.0);
    }
}

#[test]
fn nodes_keep_their_matrices_and_names() {
    let (scene, _) = read_file(&model(Dialect::Engine));
    let names: Vec<&str> = scene.nodes.iter().map(|node| &*node.name).collect();
    assert_eq!(names, ["RootNode", "base", "middle", "tip"]);
    let middle = scene.nodes.get(Handle::from_index(2)).unwrap();
    assert_eq!(middle.transform, Transform::Matrix(Mat4::from_translation(Vec3::Y)));
    let skin = scene.skins.get(Handle::from_index(0)).unwrap();
    assert_eq!(skin.joints, [1, 2, 3].map(Handle::from_index));
    assert_eq!(skin.joint_from_mesh[2], Mat4::from_translation(Vec3::Y * -2.0));
}

fn raw(matrix: Mat4) -> Matrix {
    matrix.to_cols_array().map(Into::into)
}

fn node(id: u32, matrix: Mat4, child_count: u32) -> Node<'static> {
    Node { id, matrix: raw(matrix), mesh_ids: Cow::default(), child_count }
}

pub(super) fn triangle() -> Mesh<'static> {
    let vertices = specimen_vertices();
    Mesh { weights: Vec::new(), vertices, faces: Cow::Owned(vec![[0, 1, 2].map(U32::new)]) }
}

fn specimen_vertices() -> Cow<'static, [super::super::raw::Vertex]> {
    Cow::Owned(model(Dialect::Document).meshes[0].vertices[..3].to_vec())
}

/// A chain of three nodes, the last of which draws a triangle that node 1 moves to a half and node 2 to the other.
pub(super) fn chain(dialect: Dialect) -> File<'static> {
    let mut file = model(dialect);
    let tilted = Mat4::from_rotation_translation(Quat::from_rotation_x(0.5), Vec3::new(1.0, 2.0, 3.0));
    file.nodes = vec![node(0, tilted, 1), node(1, tilted, 1), node(2, tilted, 0)];
    file.nodes[2].mesh_ids = Cow::Owned(vec![0.into()]);
    let half = |node_id: u32| Influence { node_id: node_id.into(), weight: 0.5.into() };
    let weights = |vertex_id| VertexWeights { vertex_id, influences: Cow::Owned(vec![half(1), half(2)]) };
    file.meshes = vec![Mesh { weights: (0..3).map(weights).collect(), ..triangle() }];
    file.animations.clear();
    file.bone_names.clear();
    file
}

fn animation(bones: &[(u32, &[Mat4])]) -> Animation<'static> {
    let bone = |&(node_id, matrices): &(u32, &[Mat4])| Bone {
        node_id,
        matrices: Cow::Owned(matrices.iter().map(|matrix| raw(*matrix)).collect()),
    };
    let duration = bones[0].1.len() as u32 - 1;
    Animation { duration, rate: 10, bones: bones.iter().map(bone).collect() }
}

fn turned(angle: f32) -> Mat4 {
    Mat4::from_scale_rotation_translation(Vec3::splat(1.5), Quat::from_rotation_y(angle), Vec3::new(angle, 0.0, 4.0))
}

/// The triangle's corners, each by half with one matrix and by half with another.
fn halves(a: Mat4, b: Mat4) -> Vec<Vec3> {
    let places =
        specimen_vertices().iter().map(|vertex| Vec3::from(vertex.position.map(|x| x.get()))).collect::<Vec<_>>();
    places.iter().map(|place| a.transform_point3(*place) * 0.5 + b.transform_point3(*place) * 0.5).collect()
}

#[test]
fn skinning_matrices_move_vertices_as_they_are() {
    let mut file = chain(Dialect::Engine);
    let [first, second] = [[turned(0.1), turned(2.0)], [turned(-1.0), turned(0.7)]];
    file.animations = vec![animation(&[(2, &second), (1, &first)])];
    let (scene, losses) = read_file(&file);
    assert!(losses.is_empty(), "{:?}", words(&losses));
    for tick in [0, 1] {
        let found = pose::positions_at(&scene, clip(&scene, 0), tick as f32 / 10.0);
        assert!(farthest(&found, &halves(first[tick], second[tick])) < 1e-5);
    }
}

#[test]
fn a_weighted_node_without_matrices_stays_where_it_is() {
    let mut file = chain(Dialect::Engine);
    let first = [turned(0.1), turned(2.0)];
    file.animations = vec![animation(&[(1, &first)])];
    let (scene, losses) = read_file(&file);
    assert_eq!(words(&losses), ["baked tracks ×1"]);
    let found = pose::positions_at(&scene, clip(&scene, 0), 0.1);
    assert!(farthest(&found, &halves(first[1], Mat4::IDENTITY)) < 1e-5);
}

#[test]
fn the_matrix_of_a_node_without_weights_is_its_place() {
    let mut file = chain(Dialect::Engine);
    let place = [turned(0.1), turned(2.0)];
    file.animations = vec![animation(&[(0, &place)])];
    let (scene, _) = read_file(&file);
    let worlds = scene.world_from_node(&pose::locals(&scene, clip(&scene, 0), 0.1));
    assert!(worlds[0].abs_diff_eq(place[1], 1e-5));
    let found = pose::positions_at(&scene, clip(&scene, 0), 0.1);
    assert!(farthest(&found, &halves(Mat4::IDENTITY, Mat4::IDENTITY)) < 1e-5, "no matrix moves a vertex");
}

#[test]
fn the_meaning_and_the_order_of_matrices_can_be_asked_for() {
    let mut file = chain(Dialect::Engine);
    let first = [turned(0.1), turned(2.0)];
    file.animations = vec![animation(&[(1, &first)])];
    let (scene, _) = read_with(&file.encode().into(), |options| {
        options.animation_matrices = Some(AnimationMatrices::Local);
    });
    let scene = scene.unwrap();
    assert!(pose::locals(&scene, clip(&scene, 0), 0.1)[1].abs_diff_eq(first[1], 1e-6));
    let (scene, _) = read_with(&file.encode().into(), |options| options.matrix_order = Some(MatrixOrder::RowMajor));
    let root = scene.unwrap().nodes.get(Handle::from_index(0)).unwrap().transform.matrix();
    assert_eq!(raw(root.transpose()), file.nodes[0].matrix);
}

#[test]
fn row_major_files_are_turned_over() {
    let mut file = chain(Dialect::Document);
    let columns: Vec<Mat4> = read_file(&file).0.nodes.iter().map(|node| node.transform.matrix()).collect();
    file.nodes.iter_mut().for_each(|node| {
        node.matrix = raw(Mat4::from_cols_array(&node.matrix.map(|x| x.get())).transpose());
    });
    let rows: Vec<Mat4> = read_file(&file).0.nodes.iter().map(|node| node.transform.matrix()).collect();
    assert_eq!(columns, rows);
}

#[test]
fn rotations_take_the_nearer_quaternion() {
    let mut file = chain(Dialect::Day29);
    let turns: Vec<Mat4> = (0..40).map(|step| Mat4::from_rotation_z(step as f32 * 0.3)).collect();
    file.animations = vec![animation(&[(1, &turns)])];
    let (scene, _) = read_file(&file);
    let mut rotations = clip(&scene, 0).tracks.iter().filter_map(|track| match &track.curve {
        Curve::Rotation(keys) => Some(keys.values.clone()),
        _ => None,
    });
    let rotations = rotations.next().unwrap();
    assert_eq!(rotations.len(), 40);
    assert!(rotations.windows(2).all(|pair| Quat::from_array(pair[0]).dot(Quat::from_array(pair[1])) > 0.9));
}

#[test]
fn shear_is_reported_with_how_much_is_lost() {
    let mut file = chain(Dialect::Day29);
    let mut sheared = Mat4::IDENTITY;
    sheared.y_axis.x = 0.5;
    file.animations = vec![animation(&[(1, &[Mat4::IDENTITY, sheared])])];
    let (_, losses) = read_file(&file);
    let [loss] = losses.losses() else { panic!("{:?}", words(&losses)) };
    assert_eq!((loss.what.word(), loss.count), ("shear", 1));
    assert!(matches!(loss.kind, LossKind::Approximated { max_error } if (0.05..0.5).contains(&max_error)), "{loss:?}");
}

#[test]
fn matrices_without_size_and_mirrors_are_kept() {
    let mut file = chain(Dialect::Day29);
    let flat = Mat4::from_scale_rotation_translation(Vec3::new(2.0, 0.0, 3.0), Quat::from_rotation_x(1.0), Vec3::ONE);
    let mirror =
        Mat4::from_scale_rotation_translation(Vec3::new(-1.0, 2.0, 3.0), Quat::from_rotation_y(1.0), Vec3::ONE);
    let matrices = [Mat4::ZERO, flat, mirror];
    file.animations = vec![animation(&[(1, &matrices)])];
    let (scene, losses) = read_file(&file);
    assert!(losses.is_empty(), "{:?}", words(&losses));
    for tick in [1, 2] {
        let found = pose::locals(&scene, clip(&scene, 0), tick as f32 / 10.0)[1];
        assert!(found.abs_diff_eq(matrices[tick], 1e-5), "{found}");
    }
}

#[test]
fn a_place_under_a_node_without_size_is_at_rest() {
    let mut file = chain(Dialect::Engine);
    let gone = [Mat4::from_scale(Vec3::ZERO), turned(1.0)];
    file.animations = vec![animation(&[(1, &gone), (2, &[turned(0.5), turned(0.5)])])];
    assert_eq!(words(&read_file(&file).1), ["dropped keys ×1"]);
}

#[test]
fn ids_and_names_that_say_nothing_are_reported() {
    let mut file = chain(Dialect::Engine);
    file.nodes[0].id = 7;
    assert_eq!(words(&read_file(&file).1), ["renamed format details ×1"]);
    file.nodes[0].id = 1;
    let (scene, losses) = read_file(&file);
    assert_eq!(words(&losses), ["dropped format details ×1", "renamed format details ×1"]);
    assert_eq!(scene.skins.iter().next().unwrap().joints[0].index(), 0, "the first of an id is meant");
    let mut file = chain(Dialect::Engine);
    let name = |node_id, name: &'static [u8]| BoneName { node_id, name: Cow::Borrowed(name) };
    file.bone_names = vec![name(1, b"a"), name(1, b"b"), name(9, b"c"), name(2, b"\xff")];
    assert_eq!(words(&read_file(&file).1), ["dropped node names ×2", "renamed node names ×1"]);
}

#[test]
fn what_no_scene_can_hold_is_refused_where_it_stands() {
    let refused: Vec<String> = FORMAT
        .faults
        .iter()
        .filter_map(|fault| {
            let error = read_with(&(fault.make)(), |_| {}).0.err()?;
            let finding = error.diagnostic().unwrap_or_else(|| panic!("{}: {error}", fault.code.id));
            assert!(finding.offset.is_some(), "{finding}");
            // A node that takes the id of another leaves that without one.
            (finding.code.id == fault.code.id).then(|| finding.code.name.into())
        })
        .collect();
    let expected = [
        "bad-header",
        "truncated",
        "trailing-bytes",
        "too-many-items",
        "face-index-out-of-range",
        "weight-vertex-out-of-range",
        "weight-not-finite",
        "weight-node-unknown",
        "node-mesh-out-of-range",
        "node-matrix-not-finite",
        "animation-matrix-not-finite",
        "animation-node-unknown",
    ];
    assert_eq!(refused, expected);
}

#[test]
fn damaged_files_are_read_or_refused() {
    for &dialect in Dialect::ALL {
        let mut bundle = bundle(&model(dialect));
        let step = bundle.main.len() / 150;
        for at in (0..bundle.main.len()).step_by(step.max(1)) {
            for damage in [0x01, 0x80, 0xff] {
                bundle.main[at] ^= damage;
                let _ = read_with(&bundle, |_| {});
                bundle.main[at] ^= damage;
            }
        }
    }
}
