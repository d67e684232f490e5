//! Files as scenes: motion against the specimen's own, what is kept, what is lost, what is refused.

use super::super::faults::FAULTS;
use super::*;
use crate::specimen;
use maquette_scene::attach::attach;
use maquette_scene::clip::{Blend, Clip, Curve, Event, Target};
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::loss::LossKind;
use maquette_scene::mesh::{Influences, Mesh, Primitive, Streams};
use maquette_scene::scene::{Node, Skin, Transform, Trs};
use maquette_scene::{Handle, pose};

pub(super) fn clip(scene: &Scene) -> &Clip {
    assert_eq!((scene.nodes.len(), scene.clips.len()), (0, 1));
    scene.clips.iter().next().unwrap()
}

/// The specimen's post and its skeleton, without any clip.
pub(super) fn post() -> Scene {
    let mut scene = Scene::default();
    for joint in &specimen::JOINTS {
        let local = Transform::Trs(Trs { translation: joint.translation.into(), ..Trs::IDENTITY });
        let handle = scene.nodes.push(Node { name: joint.name.into(), transform: local, ..Node::default() });
        match usize::try_from(joint.parent) {
            Ok(parent) => scene.nodes.get_mut(Handle::from_index(parent)).unwrap().children.push(handle),
            Err(_) => scene.roots.push(handle),
        }
    }
    let joint_from_mesh = specimen::JOINTS.iter().map(|joint| Mat4::from_cols_array(&joint.inverse_bind())).collect();
    let skin = scene.skins.push(Skin { name: String::new(), joints: scene.nodes.handles().collect(), joint_from_mesh });
    let (vertices, indices) = specimen::geometry();
    let influences = Influences {
        slots: 4,
        joints: vertices.iter().flat_map(|vertex| vertex.joints.map(|joint| joint.max(0) as u32)).collect(),
        weights: vertices.iter().flat_map(|vertex| vertex.weights).collect(),
    };
    let positions = vertices.iter().map(|vertex| vertex.position).collect();
    let streams = Streams { positions, influences: Some(influences), ..Streams::default() };
    let primitive = Primitive { streams, indices, ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { name: "post".into(), primitives: vec![primitive], ..Mesh::default() });
    let node = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene.roots.push(node);
    scene
}

/// Where the specimen's vertices are, by trigonometry: joints turn about Z by angles that go to and fro.
fn expected(secs: f32) -> Vec<Vec3> {
    let swing = |peaks: [f32; 5]| {
        let at = (secs / 0.5).clamp(0.0, 4.0);
        let before = (at as usize).min(3);
        (peaks[before] + (peaks[before + 1] - peaks[before]) * (at - before as f32)).to_radians()
    };
    let middle = swing([0.0, 30.0, 0.0, -30.0, 0.0]);
    let tip = middle + swing([0.0, -30.0, 0.0, 30.0, 0.0]);
    let turned = |[x, y, z]: [f32; 3], angle: f32| {
        Vec3::new(x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos(), z)
    };
    let moved = |[x, y, z]: [f32; 3], joint: i32| match joint {
        1 => Vec3::Y + turned([x, y - 1.0, z], middle),
        2 => Vec3::Y + turned([0.0, 1.0, 0.0], middle) + turned([x, y - 2.0, z], tip),
        _ => Vec3::new(x, y, z),
    };
    let vertex = |vertex: &specimen::Vertex| {
        let influences = vertex.joints.into_iter().zip(vertex.weights);
        influences.map(|(joint, weight)| moved(vertex.position, joint) * weight).sum()
    };
    specimen::geometry().0.iter().map(vertex).collect()
}

#[test]
fn samples_move_the_specimen_as_it_was_made_to() {
    for &dialect in Dialect::ALL {
        let (animation, losses) = scene_of(&model(dialect).encode());
        assert!(losses.is_empty(), "{losses:?}");
        let mut scene = post();
        let attached = attach(&mut scene, clip(&animation), &Default::default(), &mut LossReport::default());
        assert_eq!((attached.moved_nodes, attached.unmatched.len()), (3, 0));
        let clip = scene.clips.get(attached.clip).unwrap().clone();
        for step in 0..=66 {
            let secs = step as f32 / 30.0;
            for (found, expected) in pose::positions_at(&scene, &clip, secs).into_iter().zip(expected(secs)) {
                assert!(found.abs_diff_eq(expected, 1e-5), "{} at {secs}: {found} {expected}", dialect.id());
            }
        }
    }
}

#[test]
fn the_clip_says_what_the_file_does() {
    let (scene, _) = scene_of(&model(Dialect::Corrected).encode());
    let clip = clip(&scene);
    assert_eq!((clip.name.as_str(), clip.duration_secs, clip.frame_rate), ("walk", 2.0, Some(30.0)));
    assert_eq!((clip.blend, clip.looped), (Blend::Absolute, Some(true)));
    let note = |time_secs, name: &str| Event { time_secs, name: name.into() };
    assert_eq!(clip.events, [note(0.5, "lean_left"), note(1.5, "lean_right")]);
    let tracks: Vec<_> = clip.tracks.iter().map(|track| (&track.target, track.curve.property())).collect();
    let name = |name: &str| Target::Name(name.into());
    assert_eq!(tracks[..2], [(&name("base"), "translation"), (&name("base"), "rotation")]);
    assert_eq!((tracks.len(), tracks[8]), (9, (&name("tip"), "scale")));
    assert_eq!(clip.tracks[7].curve.times_secs(), specimen::KEY_TIMES);
    // The sample's one modifier is that of its last bone.
    let blends: Vec<_> = clip.tracks.iter().map(|track| track.blend).collect();
    assert_eq!(blends, [[None; 6].as_slice(), &[Some(Blend::Absolute); 3]].concat());
}

#[test]
fn types_become_blends() {
    for (anim_type, blend) in [Blend::Absolute, Blend::Additive, Blend::Relative, Blend::Delta].into_iter().enumerate()
    {
        let bytes = file(Head { anim_type: anim_type as u8, ..HEAD }, &[&one_key(1)]);
        let (scene, losses) = scene_of(&bytes);
        assert_eq!(clip(&scene).blend, blend);
        assert!(losses.is_empty());
    }
    let (scene, losses) = scene_of(&file(Head { anim_type: 7, ..HEAD }, &[&one_key(1)]));
    assert_eq!(clip(&scene).blend, Blend::Absolute);
    assert_eq!(counts(&losses), [("dropped", "blending", 1)]);
}

#[test]
fn keys_are_sorted_and_of_those_on_one_frame_the_last_is_kept() {
    let keys = [(9u8, 1.0f32), (3, 2.0), (9, 3.0), (0, 4.0)];
    let keys: Vec<u8> = keys.iter().flat_map(|&(frame, x)| [vec![frame], singles([x, 0.0, 0.0])].concat()).collect();
    let (scene, losses) = scene_of(&file(HEAD, &[b"a\0", &[0, 4], &keys]));
    let Curve::Translation(keys) = &clip(&scene).tracks[0].curve else { panic!() };
    assert_eq!(keys.times_secs, [0.0, 3.0 / 30.0, 9.0 / 30.0]);
    assert_eq!(keys.values.iter().map(|value| value[0]).collect::<Vec<_>>(), [4.0, 2.0, 3.0]);
    assert_eq!(counts(&losses), [("approximated", "keys", 2), ("dropped", "keys", 1)]);
}

#[test]
fn quaternions_are_brought_to_unit_length() {
    let rotations = [singles([0.0, 0.0, 0.0, 2.0]), vec![1], singles([0.0; 4]), vec![2], singles([0.0, 0.6, 0.0, 0.8])];
    let (scene, losses) = scene_of(&file(Head { presence: 2, ..HEAD }, &[b"a\0", &[0, 3, 0], &rotations.concat()]));
    let Curve::Rotation(keys) = &clip(&scene).tracks[0].curve else { panic!() };
    assert_eq!(keys.values, [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8]]);
    assert_eq!(counts(&losses), [("approximated", "rotation lengths", 2)]);
    assert_eq!(losses.losses()[0].kind, LossKind::Approximated { max_error: 1.0 });
}

#[test]
fn doubles_are_rounded_and_the_error_is_told() {
    let values = |values: [f64; 3]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    let head = Head { property: 1, ..HEAD };
    let (scene, losses) =
        scene_of(&file(head, &[b"a\0", &[0, 2, 0], &values([0.1, 0.5, 1.0]), &[9], &values([2.0; 3])]));
    let Curve::Translation(keys) = &clip(&scene).tracks[0].curve else { panic!() };
    assert_eq!(keys.values, [[0.1, 0.5, 1.0], [2.0; 3]]);
    assert_eq!(counts(&losses), [("approximated", "keys", 1)]);
    let error = (0.1f64 - f64::from(0.1f32)).abs() as f32;
    assert_eq!(losses.losses()[0].kind, LossKind::Approximated { max_error: error });
    let (_, losses) = scene_of(&file(head, &[b"a\0", &[0, 1, 0], &values([0.5; 3])]));
    assert!(losses.is_empty(), "{losses:?}");
}

#[test]
fn what_is_no_number_is_refused_where_it_stands() {
    let refused = |bytes: &[u8]| {
        let error = read(bytes, &ReadOptions::default(), &mut LossReport::default()).unwrap_err();
        let finding = error.diagnostic().unwrap();
        (finding.code.id, finding.path.to_string(), finding.offset)
    };
    let nan = file(HEAD, &[b"a\0", &[0, 2, 0], &singles([0.0; 3]), &[1], &singles([0.0, f32::NAN, 0.0])]);
    assert_eq!(refused(&nan), ("SEA0050", "bones[0].loc[1].value".into(), Some(36 + 4 + 13 + 1)));
    let huge = 1e39f64.to_le_bytes().repeat(3);
    let huge = file(Head { property: 1, ..HEAD }, &[b"a\0", &[0, 1, 0], &huge]);
    assert_eq!(refused(&huge), ("SEA0050", "bones[0].loc[0].value".into(), Some(36 + 5)));
    let modifier = file(Head { modifiers: 1, ..HEAD }, &[b"a\0", &[5, 2], &one_key(1)[2..]]);
    assert_eq!(refused(&modifier), ("SEA0040", "modifiers[0].index".into(), Some(38)));
}

#[test]
fn a_frame_rate_that_gives_no_times_is_taken_for_30() {
    for rate in [0.0f32, -30.0, f32::NAN, f32::INFINITY, 1e-40] {
        let mut bytes = file(HEAD, &[&one_key(1)]);
        bytes[16..20].copy_from_slice(&rate.to_le_bytes());
        let (scene, losses) = scene_of(&bytes);
        assert_eq!(clip(&scene).tracks[0].curve.times_secs(), [0.1]);
        assert_eq!(counts(&losses), [("dropped", "frame rates", 1)], "{rate}");
    }
}

#[test]
fn bones_of_one_name_are_told_apart() {
    let keys = [&one_key(1)[2..]; 4].concat();
    let (scene, losses) = scene_of(&file(Head { bones: 4, ..HEAD }, &[b"a\0a#2\0a\0\xff\0", &keys]));
    let names: Vec<_> = clip(&scene).tracks.iter().map(|track| track.target.clone()).collect();
    assert_eq!(names, ["a", "a#2", "a#3", "\u{fffd}"].map(|name| Target::Name(name.into())));
    assert_eq!(counts(&losses), [("renamed", "node names", 1), ("renamed", "node names", 1)]);
}

#[test]
fn modifiers_say_how_their_bone_is_taken() {
    let keys = [&one_key(1)[2..], &one_key(1)[2..], &[0, 0]].concat();
    let names = b"a\0b\0c\0";
    let read = |modifiers: &[u8]| {
        let head = Head { bones: 3, modifiers: (modifiers.len() / 2) as u8, ..HEAD };
        let (scene, losses) = scene_of(&file(head, &[names, modifiers, &keys]));
        (clip(&scene).tracks.iter().map(|track| track.blend).collect::<Vec<_>>(), counts(&losses))
    };
    assert_eq!(read(&[1, 2]), (vec![None, Some(Blend::Relative)], vec![]));
    assert_eq!(read(&[1, 2, 1, 3]), (vec![None, Some(Blend::Delta)], vec![("dropped", "blending", 1)]));
    assert_eq!(read(&[1, 9]), (vec![None, None], vec![("dropped", "blending", 1)]));
    assert_eq!(read(&[2, 1]), (vec![None, None], vec![("dropped", "blending", 1)]));
}

#[test]
fn a_clip_lasts_to_its_last_frame() {
    let duration = |frames, presence, rest: &[&[u8]]| {
        let notes = u32::from(presence & 0x40 != 0);
        clip(&scene_of(&file(Head { frames, presence, notes, ..HEAD }, rest)).0).duration_secs
    };
    assert_eq!(duration(31, 1, &[&one_key(1)]), 1.0);
    assert_eq!(duration(1, 1, &[&one_key(1)]), 0.1, "the key on frame 3 is beyond the count");
    assert_eq!(duration(1, 0x41, &[&one_key(1), b"\x0fhit\0"]), 0.5);
}

#[test]
fn frames_beyond_single_precision_are_told() {
    let number = |number: u32| number.to_le_bytes().to_vec();
    let key = |frame: u32| [number(frame), singles([frame as f32, 0.0, 0.0])].concat();
    let keys = [number(3), key(7), key(1 << 30), key((1 << 30) + 1)].concat();
    let head = Head { frames: u32::MAX, presence: 0x41, notes: 1, ..HEAD };
    let note = [number(u32::MAX), b"end\0".to_vec()].concat();
    let (scene, losses) = scene_of(&file(head, &[b"a\0", &[0], &keys, &note]));
    assert_eq!(clip(&scene).tracks[0].curve.times_secs().len(), 2);
    assert_eq!(
        counts(&losses),
        [("approximated", "events", 1), ("dropped", "keys", 1), ("approximated", "key times", 2)]
    );
}

#[test]
fn large_blocks_are_not_kept() {
    let custom = |bytes: usize| {
        let size = (bytes as u32).to_le_bytes();
        let file = file(Head { presence: 0x81, ..HEAD }, &[&one_key(1), &size, &vec![7; bytes]]);
        counts(&scene_of(&file).1)
    };
    assert_eq!(custom(65_536), []);
    assert_eq!(custom(65_537), [("dropped", "extras", 65_537)]);
    let shape = [&b"SEBlend\n"[..], &1u64.to_le_bytes(), b"smile\0", &4096u32.to_le_bytes(), &[0; 65_536]].concat();
    let (_, losses) = scene_of(&file(HEAD, &[&one_key(1), &shape]));
    assert_eq!(counts(&losses), [("dropped", "morph animation", 1)]);
}

#[test]
fn counts_of_what_is_not_there_are_told() {
    let (_, losses) = scene_of(&file(Head { notes: 5, ..HEAD }, &[&one_key(1)]));
    assert_eq!(counts(&losses), [("dropped", "format details", 5)]);
}

#[test]
fn faulty_files_are_read_or_refused_at_a_place_and_come_back_the_same() {
    for fault in FAULTS {
        let bytes = (fault.make)().main;
        let scene = match read(&bytes, &ReadOptions::default(), &mut LossReport::default()) {
            Ok(scene) => scene,
            Err(error) => {
                assert!(error.diagnostic().is_some_and(|finding| finding.offset.is_some()), "{error}");
                continue;
            }
        };
        assert_eq!(valid::check(&scene), Ok(()));
        let dialect = File::parse(&bytes).unwrap().dialect;
        let (again, _) = written(&scene, dialect).unwrap_or_else(|error| panic!("{}: {error}", fault.code.id));
        let mut losses = LossReport::default();
        let read_again = read(&again, &ReadOptions::default(), &mut losses).unwrap();
        assert_eq!(clip(&read_again).tracks, clip(&scene).tracks, "{}", fault.code.id);
        assert_eq!(clip(&read_again).events, clip(&scene).events, "{}", fault.code.id);
        assert_eq!(clip(&read_again).duration_secs, clip(&scene).duration_secs, "{}", fault.code.id);
    }
}
