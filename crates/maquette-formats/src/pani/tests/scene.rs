//! PANI as a scene and back.

use super::{floats, header, ints};
use crate::format::{BUILT_IN, Error, Fitted, QuaternionOrder, ReadOptions, Resources, Source, WriteOptions};
use crate::pani::raw::File;
use crate::pani::{FORMAT, sample};
use maquette_scene::clip::{Blend, Clip, Curve, Event, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Quat, Vec3};
use maquette_scene::loss::LossReport;
use maquette_scene::scene::{Node, Skin, Transform, Trs};
use maquette_scene::{Handle, Scene, pose, valid};
use std::borrow::Cow;

fn read_with(bytes: &[u8], options: &ReadOptions<'_>) -> Result<(Scene, Vec<String>), Error> {
    let mut losses = LossReport::default();
    let scene = (FORMAT.open)(bytes, None)?.read(options, &mut losses)?;
    valid::check(&scene).unwrap();
    Ok((scene, losses.losses().iter().map(|loss| format!("{} {}", loss.kind.word(), loss.what.word())).collect()))
}

fn read(bytes: &[u8]) -> (Scene, Vec<String>) {
    read_with(bytes, &ReadOptions::default()).unwrap()
}

fn refused(bytes: &[u8]) -> (&'static str, u64) {
    let error = read_with(bytes, &ReadOptions::default()).err().unwrap();
    let finding = error.diagnostic().unwrap();
    (finding.code.id, finding.offset.unwrap())
}

fn try_write(scene: &Scene) -> Result<(Vec<u8>, Vec<String>), Error> {
    let mut losses = LossReport::default();
    let options = WriteOptions { dialect: "document", name: "hop.pani", others: &[] };
    let fitted = Fitted::check(scene, &(FORMAT.caps)(options.dialect))?;
    let bundle = (FORMAT.write)(&fitted, &options, &mut losses)?;
    Ok((bundle.main, losses.losses().iter().map(|loss| format!("{} {}", loss.kind.word(), loss.what.word())).collect()))
}

fn write(scene: &Scene) -> (Vec<u8>, Vec<String>) {
    try_write(scene).unwrap()
}

fn clip(scene: &Scene) -> &Clip {
    scene.clips.iter().next().unwrap()
}

/// A bone with these position keys, and rotation keys.
fn bone(positions: &[[f32; 4]], rotations: &[[f32; 5]]) -> Vec<u8> {
    let counts = ints(&[positions.len() as u32, rotations.len() as u32, 0]);
    [counts, floats(positions.as_flattened()), floats(rotations.as_flattened())].concat()
}

#[test]
fn ticks_become_seconds_and_bones_are_known_by_position() {
    let bytes = [header(2, 48.0, 24.0), bone(&[], &[]), bone(&[[12.0, 1.0, 2.0, 3.0]], &[])].concat();
    let (scene, losses) = read(&bytes);
    assert_eq!(losses, [""; 0]);
    let clip = clip(&scene);
    assert_eq!((clip.name.as_str(), clip.duration_secs, clip.frame_rate), ("hop", 2.0, Some(24.0)));
    let keys = Keys { times_secs: vec![0.5], values: vec![[1.0, 2.0, 3.0]], interpolation: Interpolation::Linear };
    let target = Target::Name("bone 1".into());
    assert_eq!(clip.tracks, [Track { target, curve: Curve::Translation(keys), blend: None }]);
}

#[test]
fn a_model_of_the_same_name_gives_the_bones_names() {
    struct Model(Vec<u8>);
    impl Resources for Model {
        fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
            (name == "post.pmdl").then(|| Cow::Borrowed(&self.0[..]))
        }
    }
    let model = Model((BUILT_IN.by_id("pmdl").unwrap().sample)("engine").main);
    let source = Source { name: "post.pani", resources: &model, ..Source::BARE };
    let options = ReadOptions { source, ..ReadOptions::default() };
    let (scene, _) = read_with(&sample("document").main, &options).unwrap();
    let mut names: Vec<_> = clip(&scene).tracks.iter().map(|track| track.target.clone()).collect();
    names.dedup();
    assert_eq!(names, ["base", "middle", "tip"].map(|name| Target::Name(name.into())));
}

#[test]
fn keys_out_of_order_are_sorted_and_the_last_of_a_time_stays() {
    let keys = [[2.0, 0., 0., 0.], [1.0, 1., 0., 0.], [2.0, 2., 0., 0.]];
    let (scene, losses) = read(&[header(1, 2.0, 1.0), bone(&keys, &[])].concat());
    assert_eq!(losses, ["approximated keys", "dropped keys"]);
    let Curve::Translation(keys) = &clip(&scene).tracks[0].curve else { panic!("positions") };
    assert_eq!((&keys.times_secs[..], &keys.values[..]), (&[1.0, 2.0][..], &[[1., 0., 0.], [2., 0., 0.]][..]));
}

#[test]
fn quaternions_are_made_unit_and_their_order_can_be_given() {
    let bytes = [header(1, 2.0, 1.0), bone(&[], &[[0.0, 0., 0., 0., 2.], [1.0, 0.6, 0., 0., 0.8]])].concat();
    let (scene, losses) = read(&bytes);
    assert_eq!(losses, ["approximated rotation lengths"]);
    let Curve::Rotation(keys) = &clip(&scene).tracks[0].curve else { panic!("rotations") };
    assert_eq!(keys.values, [[0., 0., 0., 1.], [0.6, 0., 0., 0.8]]);
    let options = ReadOptions { quaternion_order: Some(QuaternionOrder::Wxyz), ..ReadOptions::default() };
    let (scene, _) = read_with(&bytes, &options).unwrap();
    let Curve::Rotation(keys) = &clip(&scene).tracks[0].curve else { panic!("rotations") };
    assert_eq!(keys.values, [[0., 0., 1., 0.], [0., 0., 0.8, 0.6]]);
}

#[test]
fn a_rate_of_none_is_taken_as_25_and_nonsense_is_refused() {
    let (scene, losses) = read(&header(0, 50.0, 0.0));
    assert_eq!((clip(&scene).duration_secs, losses), (2.0, vec!["dropped frame rates".to_owned()]));
    assert_eq!(refused(&header(0, 50.0, -1.0)), ("PANI0012", 16));
    assert_eq!(refused(&header(0, f32::NAN, 1.0)), ("PANI0010", 12));
    let bytes = [header(1, 2.0, 1.0), bone(&[[0.0, f32::NAN, 0., 0.]], &[])].concat();
    assert_eq!(refused(&bytes), ("PANI0030", 27 + 12));
}

#[test]
fn the_sample_is_written_back_byte_for_byte() {
    let bytes = sample("document").main;
    let (scene, losses) = read(&bytes);
    assert_eq!(losses, [""; 0]);
    assert_eq!(write(&scene), (bytes, Vec::new()));
}

#[test]
fn bones_without_keys_keep_their_place() {
    let keys = [[0.0, 1., 0., 0.], [9.0, 0., 0., 0.]];
    let bytes = [header(3, 9.0, 30.0), bone(&[], &[]), bone(&keys, &[]), bone(&[], &[])].concat();
    let written = write(&read(&bytes).0).0;
    let file = File::parse(&written).unwrap();
    let counts: Vec<_> = file.bones.iter().map(|bone| (bone.positions.len(), bone.scales.len())).collect();
    assert_eq!(counts, [(0, 0), (2, 2), (0, 0)], "scales stand beside positions alone");
}

/// A skeleton of two joints, the second a metre above the first and turned.
fn skeleton() -> (Scene, [Handle<Node>; 2]) {
    let mut scene = Scene::default();
    let turned = Trs { translation: Vec3::Y, rotation: Quat::from_rotation_x(0.5), scale: Vec3::splat(2.0) };
    let child = scene.nodes.push(Node { name: "b".into(), transform: Transform::Trs(turned), ..Node::default() });
    let root = scene.nodes.push(Node { name: "a".into(), children: vec![child], ..Node::default() });
    scene.roots.push(root);
    let joint_from_mesh = vec![Mat4::IDENTITY; 2];
    scene.skins.push(Skin { name: String::new(), joints: vec![root, child], joint_from_mesh });
    (scene, [root, child])
}

fn moving(target: Target, times: &[f32]) -> Track {
    let values = times.iter().map(|&time| [time, 0.0, 0.0]).collect();
    let keys = Keys { times_secs: times.to_vec(), values, interpolation: Interpolation::Linear };
    Track { target, curve: Curve::Translation(keys), blend: None }
}

fn with_clip(track: impl FnOnce([Handle<Node>; 2]) -> Vec<Track>) -> Scene {
    let (mut scene, joints) = skeleton();
    scene.clips.push(Clip { name: "hop".into(), duration_secs: 2.0, tracks: track(joints), ..Clip::default() });
    scene
}

#[test]
fn every_bone_gets_keys_of_each_kind_from_start_to_end() {
    let scene = with_clip(|[_, child]| vec![moving(Target::Node(child), &[0.3, 0.7])]);
    let (bytes, losses) = write(&scene);
    assert_eq!(losses, ["dropped skins", "dropped node names"]);
    let file = File::parse(&bytes).unwrap();
    let rate = file.ticks_per_second.get();
    for bone in &file.bones {
        let ends = [
            (bone.positions.first().unwrap().time.get(), bone.positions.last().unwrap().time.get()),
            (bone.rotations.first().unwrap().time.get(), bone.rotations.last().unwrap().time.get()),
            (bone.scales.first().unwrap().time.get(), bone.scales.last().unwrap().time.get()),
        ];
        assert_eq!(ends, [(0.0, 2.0 * rate); 3]);
    }
    assert_eq!(file.bones[1].positions.len(), 4);
    assert_eq!(file.bones[1].scales[0].value.map(|x| x.get()), [2.0; 3]);
    let mut report = maquette_scene::Report::default();
    crate::pani::check::check(&file, &mut report);
    assert!(report.items().is_empty(), "{:?}", report.items());
}

/// The times of the scale keys of the first bone.
fn scale_times(bytes: &[u8]) -> Vec<f32> {
    File::parse(bytes).unwrap().bones[0].scales.iter().map(|key| key.time.get()).collect()
}

#[test]
fn scales_do_not_run_out_before_positions_do() {
    // Keys beyond the end of the clip, which lasts no time.
    let mut scene = with_clip(|[first, _]| vec![moving(Target::Node(first), &[0.0, 1.0, 2.0])]);
    scene.clips.iter_mut().for_each(|clip| clip.duration_secs = 0.0);
    let (bytes, _) = write(&scene);
    assert_eq!(scale_times(&bytes).len(), 2);
    // A bone of another model, whose size nobody says.
    let mut scene = Scene::default();
    let tracks = vec![moving(Target::Name("arm".into()), &[0.0, 1.0])];
    scene.clips.push(Clip { name: "hop".into(), duration_secs: 1.0, tracks, ..Clip::default() });
    let (bytes, losses) = write(&scene);
    assert_eq!(scale_times(&bytes).len(), 2);
    assert!(losses.contains(&"baked tracks".to_owned()), "{losses:?}");
}

#[test]
fn a_clip_without_a_name_is_found_by_that_of_its_file() {
    let mut scene = with_clip(|[first, _]| vec![moving(Target::Node(first), &[0.0, 1.0])]);
    scene.clips.iter_mut().for_each(|clip| clip.name.clear());
    let (bytes, losses) = write(&scene);
    assert_eq!(&*File::parse(&bytes).unwrap().name, b"hop");
    assert!(losses.contains(&"renamed clip names".to_owned()), "{losses:?}");
}

#[test]
fn what_is_written_moves_the_same() {
    let scene = with_clip(|[_, child]| vec![moving(Target::Node(child), &[0.1, 1.0 / 3.0, 1.9])]);
    let (bytes, _) = write(&scene);
    let mut back = read(&bytes).0;
    // The clip alone names its bones by position; aim it at the skeleton again.
    let joints = scene.skins.iter().next().unwrap().joints.clone();
    let mut aimed = back.clips.iter_mut().next().unwrap().clone();
    for track in &mut aimed.tracks {
        let Target::Name(name) = &track.target else { panic!("a name") };
        track.target = Target::Node(joints[name.strip_prefix("bone ").unwrap().parse::<usize>().unwrap()]);
    }
    for step in 0..=40 {
        let secs = step as f32 * 0.05;
        let [expected, found] = [clip(&scene), &aimed].map(|clip| pose::locals(&scene, clip, secs));
        for (expected, found) in expected.iter().zip(&found) {
            assert!(expected.abs_diff_eq(*found, 1e-6), "{secs}: {expected} {found}");
        }
    }
}

#[test]
fn times_come_back_exactly_at_any_rate() {
    let odd: Vec<f32> = (1..200).map(|n| (n as f32).sqrt() / 7.0).collect();
    for frame_rate in [None, Some(30.0), Some(29.97)] {
        let mut scene = with_clip(|[root, _]| vec![moving(Target::Node(root), &odd)]);
        let clip = scene.clips.iter_mut().next().unwrap();
        clip.frame_rate = frame_rate;
        let (bytes, losses) = write(&scene);
        assert_eq!(losses.contains(&"dropped frame rates".to_owned()), frame_rate.is_some());
        let back = read(&bytes).0;
        assert_eq!(back.clips.iter().next().unwrap().tracks[0].curve.times_secs()[1..odd.len() + 1], odd);
    }
}

#[test]
fn a_frame_rate_that_holds_all_keys_is_the_rate() {
    let frames: Vec<f32> = (0..=60).map(|frame| frame as f32 / 30.0).collect();
    let mut scene = with_clip(|[root, _]| vec![moving(Target::Node(root), &frames)]);
    scene.clips.iter_mut().next().unwrap().frame_rate = Some(30.0);
    let (bytes, losses) = write(&scene);
    assert_eq!(losses, ["dropped skins", "dropped node names"]);
    let file = File::parse(&bytes).unwrap();
    assert_eq!(file.ticks_per_second.get(), 30.0);
    assert!(file.bones[0].positions.iter().zip(0u16..).all(|(key, frame)| key.time.get() == f32::from(frame)));
    assert_eq!(clip(&read(&bytes).0).frame_rate, Some(30.0));
}

#[test]
fn what_a_clip_has_beyond_its_keys_is_named() {
    let lost = |change: fn(&mut Clip)| {
        let mut scene = with_clip(|_| Vec::new());
        change(scene.clips.iter_mut().next().unwrap());
        write(&scene)
            .1
            .into_iter()
            .filter(|loss| !["dropped skins", "dropped node names"].contains(&loss.as_str()))
            .collect::<Vec<_>>()
    };
    assert_eq!(lost(|clip| clip.events.push(Event { time_secs: 0.0, name: "step".into() })), ["dropped events"]);
    assert_eq!(lost(|clip| clip.looped = Some(true)), ["dropped loop flags"]);
    assert_eq!(lost(|clip| clip.duration_secs = 123_456_789.123), ["approximated durations"]);
    let mut scene = with_clip(|_| Vec::new());
    let sheared = Mat4::from_cols_array(&[1., 0., 0., 0., 1., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.]);
    scene.nodes.iter_mut().next().unwrap().transform = Transform::Matrix(sheared);
    assert_eq!(write(&scene).1, ["dropped skins", "dropped node names", "dropped shear"]);
}

#[test]
fn what_is_no_joint_of_the_first_skin_is_left_out_and_named() {
    let (mut scene, _) = skeleton();
    let stranger = scene.nodes.push(Node { name: "prop".into(), ..Node::default() });
    let tracks = [Target::Node(stranger), Target::Name("x".into())].map(|target| moving(target, &[0.0])).to_vec();
    scene.clips.push(Clip { name: "hop".into(), duration_secs: 2.0, tracks, ..Clip::default() });
    scene.skins.push(Skin::default());
    assert_eq!(
        write(&scene).1,
        ["dropped skins", "dropped skins", "dropped tracks", "dropped nodes", "dropped node names"]
    );
}

#[test]
fn names_are_written_in_the_order_they_come_in() {
    let mut scene = Scene::default();
    let tracks = ["hip", "knee"].map(|name| moving(Target::Name(name.into()), &[0.0, 1.0])).to_vec();
    scene.clips.push(Clip { name: "hop".into(), duration_secs: 1.0, tracks, ..Clip::default() });
    let (bytes, losses) = write(&scene);
    assert_eq!(losses, ["dropped node names", "baked tracks"]);
    let file = File::parse(&bytes).unwrap();
    let counts: Vec<_> = file.bones.iter().map(|bone| (bone.positions.len(), bone.rotations.len())).collect();
    assert_eq!(counts, [(2, 0), (2, 0)], "a rest pose that is not known is not made up");
}

#[test]
fn a_clip_whose_last_key_no_float_holds_in_seconds_is_refused() {
    let lasting = |duration, rate| {
        let bytes = [header(1, duration, rate), bone(&[[0.0, 1., 2., 3.]], &[])].concat();
        try_write(&read(&bytes).0).map(|(bytes, _)| clip(&read(&bytes).0).duration_secs)
    };
    assert_eq!(lasting(1e30, 0.5).unwrap(), f64::from(1e30f32) * 2.0);
    // It lasts 1e40 seconds, which a double holds and a float does not.
    assert!(matches!(lasting(1e30, 1e-10), Err(Error::CannotHold(_))));
}

#[test]
fn what_breaks_the_contract_is_refused() {
    let refused = |scene: &Scene| matches!(try_write(scene), Err(Error::CannotHold(_)));
    assert!(refused(&Scene::default()));
    assert!(refused(&with_clip(|[root, _]| vec![moving(Target::Node(root), &[0.0]); 2])));
    assert!(refused(&with_clip(|[root, _]| vec![moving(Target::Node(root), &[f32::MAX])])));
    let misfit = |scene: &Scene| matches!(try_write(scene), Err(Error::Misfit(_)));
    let mut two = with_clip(|_| Vec::new());
    two.clips.push(Clip::default());
    assert!(misfit(&two));
    let additive = |[root, _]: [Handle<Node>; 2]| {
        vec![Track { blend: Some(Blend::Additive), ..moving(Target::Node(root), &[0.0]) }]
    };
    assert!(misfit(&with_clip(additive)));
    let stepped = |[root, _]: [Handle<Node>; 2]| {
        let keys = Keys { times_secs: vec![0.0], values: vec![[0.0; 3]], interpolation: Interpolation::Step };
        vec![Track { target: Target::Node(root), curve: Curve::Scale(keys), blend: None }]
    };
    assert!(misfit(&with_clip(stepped)));
    let morphed = |[root, _]: [Handle<Node>; 2]| {
        let keys = Keys { times_secs: vec![], values: vec![], interpolation: Interpolation::Linear };
        vec![Track { target: Target::Node(root), curve: Curve::MorphWeights(keys), blend: None }]
    };
    assert!(misfit(&with_clip(morphed)));
    let mut scene = with_clip(|_| Vec::new());
    scene.clips.iter_mut().next().unwrap().duration_secs = -1.0;
    assert!(refused(&scene));
}

#[test]
fn damaged_files_make_valid_scenes_or_errors() {
    let mut bytes = sample("document").main;
    for at in 0..bytes.len() {
        let was = bytes[at];
        for now in [0, 0x7f, 0x80, 0xff] {
            bytes[at] = now;
            if let Ok((scene, _)) = read_with(&bytes, &ReadOptions::default()) {
                try_write(&scene).unwrap();
            }
        }
        bytes[at] = was;
    }
}
