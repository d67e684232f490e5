//! Scenes as files: what comes back, what is put back, what is lost, what cannot be held.

use super::super::raw::Modifier;
use super::reading::{clip, post};
use super::*;
use maquette_scene::clip::{Blend, Clip, Curve, Event, Interpolation, Keys as Curves, Target, Track};
use maquette_scene::loss::{Loss, LossKind, Lost};
use maquette_scene::scene::{Node, Skin};
use maquette_scene::{Handle, attach};

fn name(name: &str) -> Target {
    Target::Name(name.into())
}

fn keys<T>(times: &[f32], values: Vec<T>) -> Curves<T> {
    Curves { times_secs: times.to_vec(), values, interpolation: Interpolation::Linear }
}

/// A translation with a key at each of these times.
fn moves(target: Target, times: &[f32]) -> Track {
    let values = times.iter().map(|&time| [time, 0.0, 0.0]).collect();
    Track { target, curve: Curve::Translation(keys(times, values)), blend: None }
}

fn scene_with(tracks: Vec<Track>) -> Scene {
    let last = tracks.iter().flat_map(|track| track.curve.times_secs()).fold(0.0f32, |last, &time| last.max(time));
    let mut scene = Scene::default();
    scene.clips.push(Clip { tracks, duration_secs: last.into(), ..Clip::default() });
    scene
}

fn change(scene: &mut Scene, change: impl FnOnce(&mut Clip)) {
    change(scene.clips.iter_mut().next().unwrap());
}

fn why(scene: &Scene) -> String {
    match written(scene, Dialect::Corrected) {
        Err(Error::CannotHold(why)) => why,
        other => panic!("{:?}", other.map(|(bytes, losses)| (bytes.len(), losses))),
    }
}

#[test]
fn a_scene_that_was_read_is_written_as_it_was() {
    let more: [&[u8]; 6] = [
        // A longer header; four bones: one twice, one without keys and with flags; a modifier of that one; doubles for all.
        b"more\0\0hip\0still\0hip\0\xe9\0",
        &[1, 2, 0, 9],
        &[0, 1, 2, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 8, 0x40, 0],
        &[1, 0, 0],
        &[0, 1, 3, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 8, 0x40, 0],
        &[0, 1, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 8, 0x40, 0],
    ];
    let tail: [&[u8]; 4] = [&[2], b"step\0", &[3, 0, 0, 0, 1, 2, 3], b"SEBlend\n\0\0\0\0\0\0\0\0"];
    let head =
        Head { size: 0x22, anim_type: 3, presence: 0xed, property: 3, frames: 9, bones: 4, modifiers: 2, notes: 1 };
    let mut bytes = file(head, &[&more.concat(), &tail.concat()]);
    bytes[11] = 0x81;
    bytes[14] = 5;
    bytes[31] = 6;
    let (scene, _) = scene_of(&bytes);
    assert_eq!(clip(&scene).tracks.len(), 3);
    let (again, losses) = written(&scene, Dialect::Corrected).unwrap();
    assert_eq!(again, bytes);
    assert!(losses.is_empty(), "{losses:?}");
}

#[test]
fn samples_come_back_byte_for_byte() {
    for &dialect in Dialect::ALL {
        let bytes = model(dialect).encode();
        let (scene, _) = scene_of(&bytes);
        let (again, losses) = written(&scene, dialect).unwrap();
        assert_eq!(again, bytes, "{}", dialect.id());
        assert!(losses.is_empty(), "{losses:?}");
        assert_eq!(scene_of(&again).0, scene);
    }
}

#[test]
fn any_rate_gives_its_frames_back() {
    for rate in [1.0f32, 7.3, 23.976, 24.0, 29.97, 30.0, 59.94, 60.0, 144.0, 1000.0, 4800.0] {
        let mut file = model(Dialect::Corrected);
        file.framerate = rate.into();
        file.frame_count = 70_000;
        let shape = file.shape(Channel::Loc);
        file.bones[0].loc = Keys::new(shape);
        for frame in 0..70_000 {
            file.bones[0].loc.push(Key { frame, value: [0.0; 4] });
        }
        let bytes = file.encode();
        let (scene, losses) = scene_of(&bytes);
        assert!(losses.is_empty(), "{losses:?}");
        assert!(written(&scene, Dialect::Corrected).unwrap().0 == bytes, "{rate}");
    }
}

#[test]
fn the_rate_is_the_smallest_with_all_keys_on_frames() {
    let rate = |times: &[f32]| {
        let (bytes, losses) = written(&scene_with(vec![moves(name("a"), times)]), Dialect::Corrected).unwrap();
        (parsed(&bytes).framerate.get(), counts(&losses))
    };
    assert_eq!(rate(&[0.0, 0.5, 1.0]), (24.0, vec![]));
    assert_eq!(rate(&[0.04, 0.08]), (25.0, vec![]));
    assert_eq!(rate(&[1.0 / 30.0, 1.0]), (30.0, vec![]));
    assert_eq!(rate(&[0.02, 1.0]), (50.0, vec![]));
    assert_eq!(rate(&[1.0 / 60.0, 1.0]), (60.0, vec![]));
    assert_eq!(rate(&[1.0 / 240.0]), (240.0, vec![]));
    assert_eq!(rate(&[1.0 / 29.97, 100.0 / 29.97]), (29.97, vec![]));
    assert_eq!(rate(&[1.0 / 59.94, 101.0 / 59.94]), (59.94, vec![]));
    assert_eq!(rate(&[0.011, 1.0]), (60.0, vec![("approximated", "key times", 1)]));
}

#[test]
fn the_error_of_times_is_told_in_seconds() {
    let mut scene = scene_with(vec![moves(name("a"), &[0.0, 0.13, 0.2])]);
    change(&mut scene, |clip| clip.frame_rate = Some(10.0));
    let (bytes, losses) = written(&scene, Dialect::Corrected).unwrap();
    assert_eq!(parsed(&bytes).bones[0].loc.iter().map(|key| key.frame).collect::<Vec<_>>(), [0, 1, 2]);
    let LossKind::Approximated { max_error } = losses.losses()[0].kind else { panic!("{losses:?}") };
    assert!((max_error - 0.03).abs() < 1e-6, "{max_error}");
}

#[test]
fn of_keys_that_come_to_lie_on_one_frame_the_last_is_kept() {
    let mut scene = scene_with(vec![moves(name("a"), &[0.0, 0.96, 1.0, 1.04, 2.0])]);
    change(&mut scene, |clip| clip.frame_rate = Some(1.0));
    let (bytes, losses) = written(&scene, Dialect::Corrected).unwrap();
    let found: Vec<_> = parsed(&bytes).bones[0].loc.iter().map(|key| (key.frame, key.value[0] as f32)).collect();
    assert_eq!(found, [(0, 0.0), (1, 1.04), (2, 2.0)]);
    assert_eq!(counts(&losses), [("approximated", "key times", 2), ("dropped", "keys", 2)]);
}

#[test]
fn a_jump_takes_a_frame_and_the_report_says_so_once() {
    let jumping = |times: &[f32], values: &[f32]| {
        let values = values.iter().map(|&x| [x, 0.0, 0.0]).collect();
        let curve = Curve::Translation(Curves { interpolation: Interpolation::Step, ..keys(times, values) });
        let mut scene = scene_with(vec![Track { target: name("a"), curve, blend: None }]);
        change(&mut scene, |clip| clip.frame_rate = Some(10.0));
        let (bytes, losses) = written(&scene, Dialect::Corrected).unwrap();
        let found = parsed(&bytes).bones[0].loc.iter().map(|key| (key.frame, key.value[0] as f32)).collect::<Vec<_>>();
        (found, losses)
    };
    let (found, losses) = jumping(&[0.0, 0.5, 0.6, 1.0], &[1.0, 2.0, 3.0, 3.0]);
    assert_eq!(found, [(0, 1.0), (4, 1.0), (5, 2.0), (6, 3.0), (10, 3.0)]);
    assert_eq!(counts(&losses), [("approximated", "steps", 1)]);
    assert!(matches!(losses.losses()[0].kind, LossKind::Approximated { max_error } if max_error == 0.1), "{losses}");
    let (found, losses) = jumping(&[0.0, 0.5, 1.0], &[2.0; 3]);
    assert_eq!((found.len(), losses.len()), (3, 0), "what never jumps is no step: {losses}");
    // Two jumps in one frame are one.
    let (found, losses) = jumping(&[0.0, 0.48, 0.52, 1.0], &[1.0, 2.0, 3.0, 3.0]);
    assert_eq!(found, [(0, 1.0), (4, 1.0), (5, 3.0), (10, 3.0)]);
    assert_eq!(
        counts(&losses),
        [("approximated", "key times", 2), ("approximated", "steps", 1), ("dropped", "keys", 1)]
    );
}

#[test]
fn the_frame_count_covers_keys_events_and_the_duration() {
    let count = |duration_secs: f64, event: f32| {
        let mut scene = scene_with(vec![moves(name("a"), &[0.0, 1.0])]);
        change(&mut scene, |clip| {
            clip.frame_rate = Some(10.0);
            clip.duration_secs = duration_secs;
            clip.events.push(Event { time_secs: event, name: "hit".into() });
        });
        let (bytes, losses) = written(&scene, Dialect::Corrected).unwrap();
        let frames = parsed(&bytes).frame_count;
        let told = |loss: &Loss| loss.what != Lost::Durations || loss.detail.contains(&format!(" {frames} frames"));
        assert!(losses.iter().all(told), "{losses}");
        (frames, counts(&losses))
    };
    assert_eq!(count(1.0, 0.5), (11, vec![]));
    assert_eq!(count(2.0, 0.5), (21, vec![]));
    assert_eq!(count(1.0, 3.0), (31, vec![("approximated", "durations", 1)]));
    assert_eq!(count(1.52, 0.5), (16, vec![("approximated", "durations", 1)]));
}

#[test]
fn the_first_dialect_cannot_count_256_keys() {
    let times: Vec<f32> = (0..256).map(|frame| frame as f32 / 30.0).collect();
    let mut scene = scene_with(vec![moves(name("a"), &times)]);
    change(&mut scene, |clip| clip.frame_rate = Some(30.0));
    let (bytes, _) = written(&scene, Dialect::Corrected).unwrap();
    assert_eq!((parsed(&bytes).frame_count, parsed(&bytes).bones[0].loc.len()), (256, 256));
    let error = written(&scene, Dialect::First).unwrap_err().to_string();
    assert!(error.contains("256 keys") && error.contains("1.0.1"), "{error}");
    change(&mut scene, |clip| clip.tracks = vec![moves(name("a"), &times[1..])]);
    let (bytes, _) = written(&scene, Dialect::First).unwrap();
    assert_eq!((parsed(&bytes).dialect, parsed(&bytes).frame_count), (Dialect::First, 256));
}

#[test]
fn blends_become_types_and_modifiers() {
    let with = |target: &str, blend| Track { blend, ..moves(name(target), &[0.0]) };
    for (blend, anim_type) in [(Blend::Absolute, 0), (Blend::Additive, 1), (Blend::Relative, 2), (Blend::Delta, 3)] {
        let mut scene = scene_with(vec![with("a", None), with("b", Some(blend))]);
        change(&mut scene, |clip| clip.blend = blend);
        let (bytes, losses) = written(&scene, Dialect::Corrected).unwrap();
        let file = parsed(&bytes);
        assert_eq!(
            (file.anim_type, &file.modifiers[..]),
            (anim_type, &[Modifier { index: 1, anim_type_override: anim_type }][..])
        );
        assert!(losses.is_empty());
    }
}

#[test]
fn blends_of_one_bone_become_the_type_that_does_both() {
    let both = |loc: Blend, rot: Blend| {
        let curve = Curve::Rotation(keys(&[0.0], vec![[0.0, 0.0, 0.0, 1.0]]));
        let rot = Track { target: name("a"), curve, blend: Some(rot) };
        let scene = scene_with(vec![Track { blend: Some(loc), ..moves(name("a"), &[0.0]) }, rot]);
        written(&scene, Dialect::Corrected).map(|(bytes, _)| parsed(&bytes).modifiers[0].anim_type_override)
    };
    assert_eq!(both(Blend::Absolute, Blend::Relative).unwrap(), 0);
    assert_eq!(both(Blend::Relative, Blend::Absolute).unwrap(), 2);
    assert_eq!(both(Blend::Delta, Blend::Absolute).unwrap(), 3);
    assert_eq!(both(Blend::Additive, Blend::Absolute).unwrap(), 2);
    assert_eq!(both(Blend::Relative, Blend::Additive).unwrap(), 1);
    assert!(both(Blend::Absolute, Blend::Additive).is_err());
}

#[test]
fn more_than_255_modifiers_cannot_be_held() {
    let tracks = |count: usize| {
        let track = |index: usize| Track { blend: Some(Blend::Relative), ..moves(name(&index.to_string()), &[0.0]) };
        scene_with((0..count).map(track).collect())
    };
    assert_eq!(parsed(&written(&tracks(255), Dialect::Corrected).unwrap().0).modifiers.len(), 255);
    assert!(why(&tracks(256)).contains("256 bones"));
}

#[test]
fn kept_modifiers_give_way_to_changed_tracks() {
    let keys = [&one_key(1)[2..], &one_key(1)[2..]].concat();
    let bytes = file(Head { bones: 2, modifiers: 2, ..HEAD }, &[b"a\0b\0", &[1, 2, 0, 3], &keys]);
    let (mut scene, _) = scene_of(&bytes);
    assert_eq!(parsed(&written(&scene, Dialect::Corrected).unwrap().0).modifiers[0].index, 1, "in the file's order");
    change(&mut scene, |clip| clip.tracks[0].blend = None);
    let (again, losses) = written(&scene, Dialect::Corrected).unwrap();
    assert_eq!(parsed(&again).modifiers, [Modifier { index: 1, anim_type_override: 2 }]);
    assert_eq!(counts(&losses), [("dropped", "blending", 2)]);
}

#[test]
fn what_an_attached_clip_was_is_not_put_back() {
    let mut file = model(Dialect::Corrected);
    file.anim_type = 2;
    file.modifiers = vec![Modifier { index: 2, anim_type_override: 1 }, Modifier { index: 1, anim_type_override: 1 }];
    let (animation, _) = scene_of(&file.encode());
    let mut scene = post();
    scene.meshes = Default::default();
    scene.nodes.iter_mut().for_each(|node| node.mesh = None);
    attach::attach(&mut scene, clip(&animation), &Default::default(), &mut LossReport::default());
    let (bytes, losses) = written(&scene, Dialect::Corrected).unwrap();
    let written = parsed(&bytes);
    assert_eq!((written.anim_type, written.modifiers.len()), (0, 0));
    // Its rest pose is 1 above its parent, and so is its key.
    assert_eq!(written.bones[1].loc.value(0), Some([0.0, 2.0, 0.0, 0.0]));
    let dropped = |what| losses.losses().iter().find(|loss| loss.what.word() == what).map(|loss| loss.count);
    let whats = ["rest poses", "skins", "tracks", "blending", "images"];
    assert_eq!(whats.map(dropped), [Some(2), Some(1), Some(1), Some(2), None]);
}

#[test]
fn nodes_are_bones_by_their_names() {
    let mut tracks = Vec::new();
    let mut nodes = maquette_scene::Arena::default();
    for node_name in ["hip", "hip", "", "a\0b", "still"] {
        let handle = nodes.push(Node { name: node_name.into(), ..Node::default() });
        tracks.push(moves(Target::Node(handle), &[0.0]));
    }
    tracks.pop();
    tracks.push(moves(name("hip"), &[0.0]));
    let scene = Scene { roots: nodes.handles().collect(), nodes, ..scene_with(tracks) };
    let (bytes, losses) = written(&scene, Dialect::Corrected).unwrap();
    let file = parsed(&bytes);
    let names: Vec<_> = file.bones.iter().map(|bone| std::str::from_utf8(&bone.name).unwrap()).collect();
    assert_eq!(names, ["hip", "hip#2", "node2", "a_b", "hip#3"]);
    assert_eq!(counts(&losses), [("renamed", "node names", 4), ("dropped", "tracks", 1)]);
}

#[test]
fn the_origin_of_a_delta_clip_comes_first() {
    let tracks = ["hip", "knee", "TAG_origin", "foot"].map(|bone| moves(name(bone), &[0.0])).to_vec();
    let mut scene = scene_with(tracks);
    change(&mut scene, |clip| clip.blend = Blend::Delta);
    let (bytes, _) = written(&scene, Dialect::Corrected).unwrap();
    let file = parsed(&bytes);
    assert_eq!(file.bones.iter().map(|bone| bone.name[0]).collect::<Vec<_>>(), *b"Thkf");
}

#[test]
fn what_a_clip_has_no_place_for_is_lost() {
    let mut scene = scene_with(vec![moves(name("a"), &[0.0])]);
    change(&mut scene, |clip| {
        clip.name = "run".into();
        clip.events.push(Event { time_secs: 0.0, name: "a\0b".into() });
    });
    let (bytes, losses) = written(&scene, Dialect::Corrected).unwrap();
    assert_eq!(&*parsed(&bytes).notes[0].name, b"a_b");
    assert_eq!(counts(&losses), [("dropped", "clip names", 1), ("renamed", "events", 1)]);
    assert!(losses.losses()[0].subject.contains("run"));
}

#[test]
fn what_is_left_out_is_called_by_its_index_where_it_has_no_name() {
    let mut scene = scene_with(vec![moves(name("a"), &[0.0])]);
    scene.skins.push(Skin::default());
    scene.skins.push(Skin { name: "body".into(), ..Skin::default() });
    let (_, losses) = written(&scene, Dialect::Corrected).unwrap();
    let skins = losses.losses().iter().find(|loss| loss.what == Lost::Skins).unwrap();
    assert_eq!((skins.detail.as_str(), skins.count), ("SEAnim holds animation alone: skin 0, skin \"body\"", 2));
    scene.nodes.push(Node::default());
    let (_, losses) = written(&scene, Dialect::Corrected).unwrap();
    let tracks = losses.losses().iter().find(|loss| loss.what == Lost::Tracks).unwrap();
    assert_eq!(tracks.detail, "nothing moves \"node0\"");
}

#[test]
fn quaternions_are_written_with_unit_length() {
    let curve = Curve::Rotation(keys(&[0.0, 1.0], vec![[0.0, 0.0, 3.0, 4.0], [0.0, 0.0, 0.0, 1.0]]));
    let scene = scene_with(vec![Track { target: name("a"), curve, blend: None }]);
    let (bytes, losses) = written(&scene, Dialect::Corrected).unwrap();
    assert_eq!(parsed(&bytes).bones[0].rot.value(0).unwrap().map(|x| x as f32), [0.0, 0.0, 0.6, 0.8]);
    assert_eq!(counts(&losses), [("approximated", "rotation lengths", 1)]);
    assert_eq!(losses.losses()[0].kind, LossKind::Approximated { max_error: 4.0 });
}

#[test]
fn blend_shapes_are_put_back_at_their_own_rate_only() {
    let shape = [&b"SEBlend\n"[..], &1u64.to_le_bytes(), b"smile\0", &1u32.to_le_bytes(), &[0; 16]].concat();
    let bytes = file(Head { frames: 4, ..HEAD }, &[&one_key(1), &shape]);
    let (mut scene, _) = scene_of(&bytes);
    assert_eq!(written(&scene, Dialect::Corrected).unwrap().0, bytes);
    change(&mut scene, |clip| clip.frame_rate = Some(60.0));
    let (again, losses) = written(&scene, Dialect::Corrected).unwrap();
    assert!(matches!(parsed(&again).trailer, Trailer::None));
    assert_eq!(counts(&losses), [("dropped", "morph animation", 1)]);
}

#[test]
fn extras_that_something_else_wrote_are_a_loss() {
    for (key, value) in [
        ("header", "7"),
        ("header", "{\"extra\": \"xyz\"}"),
        ("bones", "{}"),
        ("modifiers", "[1]"),
        ("custom", "\"0\""),
        ("trailer", "\"00\""),
    ] {
        let mut scene = scene_with(vec![moves(name("a"), &[0.0])]);
        change(&mut scene, |clip| clip.extras.set("seanim", key, value));
        let (bytes, losses) = written(&scene, Dialect::Corrected).unwrap();
        assert_eq!(parsed(&bytes).bones.len(), 1);
        assert_eq!(counts(&losses), [("dropped", "extras", 1)], "{key} {value}");
    }
    let mut scene = scene_with(vec![moves(name("a"), &[0.0])]);
    change(&mut scene, |clip| clip.extras.set("seanim", "bones", r#"[{"name":"b\u0000c","raw":"6200"}]"#));
    let (bytes, _) = written(&scene, Dialect::Corrected).unwrap();
    assert_eq!(parsed(&bytes).bones.iter().map(|bone| &*bone.name).collect::<Vec<_>>(), [&b"b_c"[..], b"a"]);
}

#[test]
fn what_cannot_be_held_is_named() {
    assert!(why(&Scene::default()).contains("no clip"));
    for time in [-1.0, 1e30] {
        assert!(why(&scene_with(vec![moves(name("a"), &[time])])).contains("is no frame"), "{time}");
    }
    let twice = scene_with(vec![moves(name("a"), &[0.0]), moves(name("a"), &[0.0])]);
    assert!(why(&twice).contains("two tracks"));
    let options = WriteOptions { dialect: "3.0", name: "", others: &[] };
    let fitted = Fitted::check(&twice, &(FORMAT.caps)("3.0")).unwrap();
    let unknown = (FORMAT.write)(&fitted, &options, &mut LossReport::default());
    assert!(matches!(unknown, Err(Error::UnknownDialect { .. })));
}

#[test]
fn frames_are_counted_from_the_start_to_the_last_that_can_be() {
    let lasting = |duration_secs: f64, first: f32| {
        let mut scene = scene_with(vec![moves(name("a"), &[first])]);
        change(&mut scene, |clip| (clip.frame_rate, clip.duration_secs) = (Some(1.0), duration_secs));
        written(&scene, Dialect::Corrected).map(|(bytes, _)| parsed(&bytes).frame_count)
    };
    assert_eq!(lasting(f64::from(u32::MAX) - 1.0, 0.0).ok(), Some(u32::MAX));
    assert!(lasting(f64::from(u32::MAX), 0.0).is_err(), "a frame count would be one more");
    assert_eq!(lasting(1.0, -0.4).ok(), Some(2));
    assert!(lasting(1.0, -1.0).is_err());
}

#[test]
fn whether_a_clip_loops_is_what_the_clip_says() {
    for looped in [None, Some(false), Some(true)] {
        let mut scene = scene_with(vec![moves(name("a"), &[0.0])]);
        change(&mut scene, |clip| {
            clip.looped = looped;
            clip.extras.set("seanim", "header", r#"{"anim_flags":5}"#);
        });
        let (bytes, _) = written(&scene, Dialect::Corrected).unwrap();
        assert_eq!(parsed(&bytes).anim_flags, if looped == Some(true) { 5 } else { 4 }, "{looped:?}");
    }
}

#[test]
fn a_scene_that_does_not_fit_is_refused() {
    let place = |scene: &Scene| match written(scene, Dialect::Corrected) {
        Err(Error::Misfit(invalid)) => invalid.path.to_string(),
        other => panic!("{:?}", other.map(|(bytes, losses)| (bytes.len(), losses))),
    };
    let curve = |curve| place(&scene_with(vec![Track { target: name("a"), curve, blend: None }]));
    let mut spline = keys(&[0.0], vec![[0.0; 3]]);
    spline.interpolation = Interpolation::CubicSpline;
    spline.values = vec![[0.0; 3]; 3];
    assert_eq!(curve(Curve::Translation(spline)), "clips[0].tracks[0]");
    assert_eq!(curve(Curve::MorphWeights(keys(&[0.0], vec![vec![1.0]]))), "clips[0].tracks[0]");
    assert_eq!(curve(Curve::Scale(keys(&[0.0, 1.0], vec![[0.0; 3]]))), "clips[0].tracks[0].values");
    assert_eq!(curve(Curve::Scale(keys(&[0.0], vec![[f32::NAN; 3]]))), "clips[0].tracks[0]");
    assert_eq!(curve(Curve::Rotation(keys(&[0.0], vec![[f32::NAN; 4]]))), "clips[0].tracks[0]");
    let scene = |track: Track| place(&scene_with(vec![track]));
    assert_eq!(scene(moves(name("a"), &[1.0, 0.0])), "clips[0].tracks[0].times_secs");
    for time in [f32::NAN, f32::INFINITY] {
        let mut scene = scene_with(vec![moves(name("a"), &[time])]);
        change(&mut scene, |clip| clip.duration_secs = 1.0);
        assert_eq!(place(&scene), "clips[0].tracks[0]", "{time}");
    }
    assert_eq!(scene(moves(Target::Node(Handle::from_index(3)), &[0.0])), "clips[0].tracks[0].target");
    let mut two = scene_with(vec![moves(name("a"), &[0.0])]);
    two.clips.push(Clip::default());
    assert_eq!(place(&two), "clips");
    assert_eq!(place(&post()), "meshes");
}

proptest! {
    #[test]
    fn whatever_is_read_comes_back(
        presence in any::<u8>(),
        property in 0..3u8,
        anim_type in 0..6u8,
        frames in prop::sample::select(vec![0u32, 1, 9, 255, 256]),
        counts in (0..3u32, 0..3u8, 0..3u32),
        rest in prop::collection::vec(prop_oneof![4 => Just(0u8), 2 => Just(1), 1 => any::<u8>()], 0..60),
    ) {
        let (bones, modifiers, notes) = counts;
        let head = Head { size: 0x1c, anim_type, presence, property, frames, bones, modifiers, notes };
        for length in 0..=rest.len() {
            let bytes = file(head, &[&rest[..length]]);
            let options = ReadOptions::default();
            let mut losses = LossReport::default();
            let Ok(scene) = read(&bytes, &options, &mut losses) else { continue };
            if losses.names(Lost::KeyTimes) || losses.names(Lost::Events) {
                continue;
            }
            let (again, _) = written(&scene, Dialect::Corrected).unwrap();
            let read_again = read(&again, &options, &mut LossReport::default()).unwrap();
            prop_assert_eq!(read_again, scene);
        }
    }
}
