//! Files as scenes: what is where, how it moves, and what is said to be lost.

use super::*;
use crate::format::{Naming, ReadOptions, Size};
use crate::nlm::raw::{Node, PositionKey, RotationKey};
use crate::specimen;
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::image::ImageData;
use maquette_scene::loss::{LossKind, Lost};
use maquette_scene::mesh::Topology as SceneTopology;
use maquette_scene::{pose, valid};

pub fn read_as(bytes: &[u8], options: &ReadOptions<'_>) -> (Scene, LossReport) {
    let mut losses = LossReport::default();
    let scene = File::parse(bytes).unwrap().read(options, &mut losses).unwrap();
    assert_eq!(valid::check(&scene), Ok(()));
    (scene, losses)
}

pub fn scene_of(bytes: &[u8]) -> (Scene, LossReport) {
    read_as(bytes, &ReadOptions::default())
}

pub fn in_original_size(bytes: &[u8]) -> Scene {
    read_as(bytes, &ReadOptions { size: Size::Original, ..ReadOptions::default() }).0
}

/// The sample after a change, and the one thing it should lose.
fn loss_of(change: impl FnOnce(&mut File<'_>)) -> (Scene, String, u64) {
    let mut file = model(Dialect::Document);
    change(&mut file);
    let (scene, losses) = scene_of(&file.encode());
    let [loss] = losses.losses() else { panic!("{losses:?}") };
    (scene, loss.to_string(), loss.count)
}

fn clip_of<'a, 'b>(file: &'a mut File<'b>) -> &'a mut crate::nlm::raw::Animation<'b> {
    file.animation.as_mut().unwrap()
}

/// Where the vertices of the specimen are at this time, from its angles alone: the middle turns about (0, 1) by a zigzag of
/// 30 degrees, the tip by as much the other way.
pub fn expected(secs: f64) -> Vec<[f64; 3]> {
    let triangle = [0.0, 30.0, 0.0, -30.0, 0.0];
    let segment = ((secs / 0.5) as usize).min(3);
    let fraction = secs / 0.5 - segment as f64;
    let angle = (triangle[segment] + (triangle[segment + 1] - triangle[segment]) * fraction).to_radians();
    let turned = |[x, y]: [f64; 2]| [x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()];
    let (vertices, _) = specimen::geometry();
    let place = |vertex: &specimen::Vertex| {
        let [x, y, z] = vertex.position.map(f64::from);
        let at_base = [x, y];
        let [mx, my] = turned([x, y - 1.0]);
        let at_middle = [mx, my + 1.0];
        // The two turns cancel: the tip is only carried along.
        let [cx, cy] = turned([0.0, 1.0]);
        let at_tip = [cx + x, cy + 1.0 + y - 2.0];
        let joints = [at_base, at_middle, at_tip];
        let used = vertex.joints.iter().zip(vertex.weights).filter(|(joint, _)| **joint >= 0);
        used.fold([0.0, 0.0, z], |[sx, sy, z], (&joint, weight)| {
            let [x, y] = joints[joint as usize];
            [sx + x * f64::from(weight), sy + y * f64::from(weight), z]
        })
    };
    vertices.iter().map(place).collect()
}

#[test]
fn the_sample_of_every_dialect_moves_as_it_was_made() {
    for dialect in Dialect::ALL {
        let (scene, losses) = scene_of(&(FORMAT.sample)(dialect.id()).main);
        assert!(losses.is_empty(), "{losses:?}");
        let clip = scene.clips.iter().next().unwrap();
        assert_eq!(clip.duration_secs, 2.0);
        for step in 0..=80 {
            let secs = f64::from(step) / 40.0;
            let found = pose::positions_at(&scene, clip, secs as f32);
            for (found, expected) in found.iter().zip(expected(secs)) {
                let expected = Vec3::from(expected.map(|x| x as f32));
                assert!(found.distance(expected) < 2e-6, "{} at {secs}: {found} is not {expected}", dialect.id());
            }
        }
    }
}

#[test]
fn the_sample_has_the_specimens_vertices() {
    let (scene, _) = scene_of(&(FORMAT.sample)("engine").main);
    let (vertices, indices) = specimen::geometry();
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    let streams = &primitive.streams;
    assert_eq!((primitive.topology, &primitive.indices), (SceneTopology::Triangles, &indices));
    assert_eq!(streams.positions, vertices.iter().map(|v| v.position).collect::<Vec<_>>());
    assert_eq!(streams.normals, Some(vertices.iter().map(|v| v.normal).collect()));
    assert_eq!(streams.uvs, [vertices.iter().map(|v| v.uv).collect::<Vec<_>>()], "with the origin at the top left");
    assert!(streams.colours.is_empty(), "white is no colour");
    let influences = streams.influences.as_ref().unwrap();
    assert_eq!(influences.slots, 4);
    for (index, vertex) in vertices.iter().enumerate() {
        let used = vertex.joints.iter().zip(vertex.weights).filter(|(joint, _)| **joint >= 0);
        assert_eq!(influences.of(index).collect::<Vec<_>>(), used.map(|(&j, w)| (j as u32, w)).collect::<Vec<_>>());
    }
    assert_eq!(scene.roots.len(), 2, "the base of the skeleton, and the mesh");
}

#[test]
fn the_order_of_quaternions_can_be_forced() {
    let bytes = (FORMAT.sample)("engine").main;
    let options = ReadOptions { quaternion_order: Some(QuaternionOrder::Wxyz), ..ReadOptions::default() };
    let (scene, _) = read_as(&bytes, &options);
    let turned = pose::positions_at(&scene, scene.clips.iter().next().unwrap(), 0.0);
    assert!(turned.iter().zip(expected(0.0)).any(|(found, expected)| (f64::from(found.y) - expected[1]).abs() > 0.5));
}

#[test]
fn one_image_is_one_material_however_many_meshes_have_it() {
    let mut file = model(Dialect::Document);
    let mut other = file.meshes[0].clone();
    other.texture = Cow::Borrowed(b"\xff\xd8\xff not quite a JPEG");
    let mut bare = file.meshes[0].clone();
    bare.texture = Cow::Borrowed(&[]);
    file.meshes.extend([file.meshes[0].clone(), other, bare]);
    let (scene, _) = scene_of(&file.encode());
    let materials: Vec<_> = scene.meshes.iter().map(|mesh| mesh.primitives[0].material.map(|m| m.index())).collect();
    assert_eq!(materials, [Some(0), Some(0), Some(1), None]);
    let mimes: Vec<_> = scene.images.iter().map(|image| &*image.data).collect();
    let ImageData::Encoded { mime, bytes } = mimes[0] else { panic!("{mimes:?}") };
    assert_eq!((mime.as_str(), &bytes[..]), ("image/png", &specimen::checker_png()[..]));
    assert!(matches!(mimes[1], ImageData::Encoded { mime, .. } if mime == "image/jpeg"));
    let pbr = scene.materials.iter().next().unwrap().pbr().unwrap();
    assert_eq!((pbr.metallic, pbr.roughness, pbr.base_colour), (0.0, 1.0, [1.0; 4]));
}

/// Two points at opposite corners of a box, as the engine stores a model without animation.
fn normalised() -> Vec<u8> {
    let head = Bytes::with_hash(b"LDOM", 0).f32s([-500.0, 0.0, 0.0, 1000.0, 2000.0, 500.0]).u32s([1, 2, 2]);
    let vertex = |bytes: Bytes, position| bytes.vertex(position, [0.0; 3], [-1; 4], [0.0; 4]);
    vertex(vertex(head, [-0.375, -0.5, -0.125]), [0.375, 0.5, 0.125]).u32s([0, 1, 0]).0
}

#[test]
fn a_model_of_unit_size_gets_its_own_back_when_asked() {
    let positions = |scene: &Scene| scene.meshes.iter().next().unwrap().primitives[0].streams.positions.clone();
    let stored = scene_of(&normalised()).0;
    assert_eq!(positions(&stored), [[-0.375, -0.5, -0.125], [0.375, 0.5, 0.125]]);
    let original = in_original_size(&normalised());
    assert_eq!(positions(&original), [[-500.0, 0.0, 0.0], [1000.0, 2000.0, 500.0]]);
    assert_eq!(original.meshes.iter().next().unwrap().primitives[0].topology, SceneTopology::Lines);
    assert!(original.meshes.iter().next().unwrap().primitives[0].streams.normals.is_none());
}

#[test]
fn the_root_of_an_animated_model_gets_its_matrix_back_when_asked() {
    // The post is 2 tall with its centre at (0, 1, 0).
    let turn = Mat4::from_rotation_x(1.0);
    let to_unit = Mat4::from_scale(Vec3::splat(0.5)) * Mat4::from_translation(Vec3::NEG_Y);
    let with_root = |root: Mat4| {
        let mut file = model(Dialect::Document);
        clip_of(&mut file).nodes[0].transformation = root.to_cols_array().map(Into::into);
        let bytes = file.encode();
        let root = |scene: Scene| scene.nodes.iter().next().unwrap().transform.matrix();
        (root(scene_of(&bytes).0), root(in_original_size(&bytes)))
    };
    let (stored, original) = with_root(turn * to_unit);
    assert_eq!(stored, turn * to_unit);
    assert!(original.abs_diff_eq(turn, 1e-6), "{original}");
    let (stored, original) = with_root(turn);
    assert_eq!(stored, original, "nothing was done to it");
}

#[test]
fn bones_are_called_by_their_index_and_not_by_their_place() {
    let mut file = model(Dialect::Document);
    let swap = [40, 7, 12];
    let vertices = file.meshes[0].vertices.to_mut();
    for id in vertices.iter_mut().flat_map(|vertex| &mut vertex.bone_ids).filter(|id| id.get() >= 0) {
        *id = swap[id.get() as usize].into();
    }
    for bone in clip_of(&mut file).bone_info.to_mut() {
        bone.bone_index = swap[bone.node_id.get() as usize].into();
    }
    let (scene, losses) = scene_of(&file.encode());
    assert!(losses.is_empty());
    let skin = scene.skins.iter().next().unwrap();
    assert_eq!(skin.joints.iter().map(|joint| joint.index()).collect::<Vec<_>>(), [1, 2, 0]);
    let found = pose::positions_at(&scene, scene.clips.iter().next().unwrap(), 0.3);
    for (found, expected) in found.iter().zip(expected(0.3)) {
        assert!(found.distance(Vec3::from(expected.map(|x| x as f32))) < 2e-6);
    }
}

#[test]
fn nodes_of_one_id_move_alike() {
    let mut file = model(Dialect::Document);
    let twin = Node { children: Cow::Borrowed(&[]), ..clip_of(&mut file).nodes[1].clone() };
    clip_of(&mut file).nodes.push(twin);
    let (scene, _) = scene_of(&file.encode());
    let clip = scene.clips.iter().next().unwrap();
    let locals = pose::locals(&scene, clip, 0.4);
    assert_eq!(locals[1], locals[3]);
    assert_eq!(clip.tracks.len(), 4 * 3);
    assert_eq!(scene.roots.iter().map(|root| root.index()).collect::<Vec<_>>(), [0, 3, 4], "two trees and a mesh");
}

#[test]
fn unusable_meshes_are_left_out() {
    let (scene, loss, _) = loss_of(|file| file.meshes[0].vertices.to_mut()[3].position[1] = f32::NAN.into());
    assert_eq!((scene.meshes.len(), scene.roots.len()), (0, 1));
    assert_eq!(loss, "dropped meshes of the model: mesh 0 has a vertex that is not finite");
    let (scene, loss, _) = loss_of(|file| file.meshes[0].vertices = Cow::Borrowed(&[]));
    assert_eq!(scene.meshes.len(), 0);
    assert_eq!(loss, "dropped meshes of the model: mesh 0 has no vertices");
}

#[test]
fn what_is_lost_of_a_mesh_is_named() {
    let (_, loss, count) = loss_of(|file| file.meshes[0].indices.to_mut().push(0.into()));
    assert_eq!((loss.as_str(), count), ("dropped triangles of mesh 0: they make no whole triangle", 1));
    let (_, loss, count) = loss_of(|file| file.meshes[0].vertices.to_mut()[0].bone_ids[0] = (-1).into());
    assert_eq!((loss.as_str(), count), ("dropped influences of mesh 0: they have no bone", 1));
    let (scene, loss, count) = loss_of(|file| file.animation = None);
    assert_eq!((loss.as_str(), count), ("dropped influences of mesh 0: the file has no skeleton", 28));
    assert!(scene.meshes.iter().next().unwrap().primitives[0].streams.influences.is_none());
}

#[test]
fn what_is_lost_of_a_skeleton_is_named() {
    let (scene, loss, _) = loss_of(|file| {
        let stray =
            crate::nlm::raw::BoneInfo { node_id: 99.into(), bone_index: 3.into(), ..clip_of(file).bone_info[0] };
        clip_of(file).bone_info.to_mut().push(stray);
    });
    assert_eq!(loss, "dropped joints of the skeleton: their nodes do not exist");
    assert_eq!(scene.skins.iter().next().unwrap().joints.len(), 3);
    let (scene, loss, _) = loss_of(|file| {
        let rival = crate::nlm::raw::BoneInfo { node_id: 2.into(), bone_index: 1.into(), ..clip_of(file).bone_info[1] };
        clip_of(file).bone_info.to_mut().push(rival);
    });
    let first = &scene.meshes.iter().next().unwrap().primitives[0].streams.influences.as_ref().unwrap();
    let skin = scene.skins.iter().next().unwrap();
    let follows = first.of(2).map(|(joint, _)| skin.joints[joint as usize].index()).collect::<Vec<_>>();
    assert_eq!(follows, [0, 2], "the later node has the index");
    assert!(loss.starts_with("dropped joints of the skeleton"), "{loss}");
}

fn rotations(scene: &Scene, node: usize) -> Vec<(f32, [f32; 4])> {
    use maquette_scene::clip::{Curve, Target};
    let clip = scene.clips.iter().next().unwrap();
    let of_node = |t: &&maquette_scene::clip::Track| matches!(t.target, Target::Node(n) if n.index() == node);
    let found = clip.tracks.iter().filter(of_node).find_map(|track| match &track.curve {
        Curve::Rotation(keys) => Some(keys.times_secs.iter().copied().zip(keys.values.iter().copied()).collect()),
        _ => None,
    });
    found.unwrap()
}

#[test]
fn keys_out_of_order_are_sorted() {
    let mut file = model(Dialect::Document);
    let sound = rotations(&scene_of(&file.encode()).0, 1);
    clip_of(&mut file).bones[1].rotations.to_mut().swap(1, 2);
    let (scene, losses) = scene_of(&file.encode());
    assert_eq!(rotations(&scene, 1), sound);
    assert_eq!(losses.losses()[0].what.word(), "keys");
    assert_eq!(losses.losses()[0].kind, LossKind::Approximated { max_error: 0.0 });
}

#[test]
fn of_keys_at_one_time_the_last_stays() {
    let (scene, loss, _) = loss_of(|file| clip_of(file).bones[1].rotations.to_mut()[1].time = 0.0.into());
    assert_eq!(loss, "dropped keys of clip 0: a later key stands at the same time");
    assert_eq!(rotations(&scene, 1)[0], (0.0, specimen::JOINTS[1].rotations[1]));
}

#[test]
fn quaternions_far_from_unit_length_are_normalised() {
    let (scene, loss, count) = loss_of(|file| {
        let keys = clip_of(file).bones[1].rotations.to_mut();
        keys[0].rotation = [2.0, 0.0, 0.0, 0.0].map(Into::into);
        keys[2].rotation = [0.0; 4].map(Into::into);
    });
    assert_eq!(count, 2);
    assert!(loss.starts_with("approximated rotation lengths of clip"), "{loss}");
    let upright = [0.0, 0.0, 0.0, 1.0];
    assert_eq!([rotations(&scene, 1)[0].1, rotations(&scene, 1)[2].1], [upright; 2]);
}

#[test]
fn missing_kinds_of_keys_stand_for_no_change() {
    let (scene, loss, _) = loss_of(|file| clip_of(file).bones[1].positions = Cow::Borrowed(&[]));
    assert!(loss.starts_with("baked keys of clip"), "{loss}");
    let locals = pose::locals(&scene, scene.clips.iter().next().unwrap(), 0.0);
    assert!(locals[1].abs_diff_eq(Mat4::IDENTITY, 1e-6), "not at rest one above its parent");
    let (scene, loss, _) = loss_of(|file| {
        let bone = &mut clip_of(file).bones[1];
        (bone.positions, bone.rotations, bone.scales) = Default::default();
    });
    assert!(loss.starts_with("dropped tracks of clip"), "{loss}");
    let locals = pose::locals(&scene, scene.clips.iter().next().unwrap(), 0.5);
    assert_eq!(locals[1], Mat4::from_translation(Vec3::Y));
}

#[test]
fn keys_for_nobody_and_for_somebody_twice_are_lost() {
    let (_, loss, count) = loss_of(|file| clip_of(file).bones[2].node_id = 77.into());
    assert_eq!((loss.as_str(), count), ("dropped keys of clip 0: their nodes do not exist", 7));
    let (scene, loss, count) = loss_of(|file| clip_of(file).bones[1].node_id = 2.into());
    assert_eq!((loss.as_str(), count), ("dropped keys of clip 0: a later set of keys moves the same node", 7));
    assert_eq!(scene.clips.iter().next().unwrap().tracks.len(), 6);
}

#[test]
fn an_animation_without_keys_is_a_skeleton_alone() {
    let mut file = model(Dialect::Document);
    clip_of(&mut file).bones.clear();
    let (scene, losses) = scene_of(&file.encode());
    assert!(losses.is_empty() && scene.clips.is_empty());
    assert_eq!(scene.skins.len(), 1);
    let (_, loss, _) = loss_of(|file| {
        clip_of(file).bones.clear();
        clip_of(file).duration = 0.0.into();
    });
    assert!(loss.starts_with("dropped durations"), "{loss}");
}

#[test]
fn the_hash_in_a_companion_file_is_kept_if_it_is_one() {
    let bytes = (FORMAT.sample)("engine-12").main;
    let kept = |text| {
        let resources = OneFile("a.nlm.hash", text);
        let source = Source { name: "a.nlm", resources: &resources, ..Source::BARE };
        let (scene, losses) = read_as(&bytes, &ReadOptions { source, ..ReadOptions::default() });
        (scene.extras.get("nlm", "hash").map(String::from), losses.names(Lost::FormatDetails))
    };
    assert_eq!(kept("17"), (Some("17".into()), false));
    assert_eq!(kept("2166136261"), (None, false), "it is written anyway");
    assert_eq!(kept("seventeen"), (None, true));
    assert_eq!(Naming::Append(".hash"), FORMAT.companions[0]);
}

#[test]
fn keys_keep_their_bits_between_ticks_and_seconds() {
    let mut file = model(Dialect::Document);
    let keys = (0..200).map(|frame| PositionKey {
        time: (frame as f32 * (1000.0 / 30.0)).into(),
        position: [0.0, 1.0, 0.0].map(Into::into),
    });
    clip_of(&mut file).bones[1].positions = keys.collect();
    clip_of(&mut file).bones[1]
        .rotations
        .to_mut()
        .push(RotationKey { time: 6666.0.into(), rotation: [1.0, 0.0, 0.0, 0.0].map(Into::into) });
    let (scene, _) = scene_of(&file.encode());
    let again = scene_of(&writing::written(&scene, "engine").0).0;
    assert_eq!(scene, again);
}
