//! Hand-computed poses for each blend, and who is matched with whom.

use super::*;
use crate::clip::{Curve, Interpolation, Keys};
use crate::pose;
use crate::scene::Transform;
use glam::Mat4;
use glam::{Quat, Vec3};
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

/// `hip` at (0, 1, 0) turned a quarter about Z, `knee` below it at (0, 2, 0), `foot` below that at (0, 3, 0).
fn model() -> Scene {
    let mut scene = Scene::default();
    let mut below: Option<Handle<Node>> = None;
    for (name, y) in [("foot", 3.0), ("knee", 2.0), ("hip", 1.0)] {
        let turn = if name == "hip" { FRAC_PI_2 } else { 0.0 };
        let local =
            Trs { translation: Vec3::new(0.0, y, 0.0), rotation: Quat::from_rotation_z(turn), scale: Vec3::splat(2.0) };
        let children = below.into_iter().collect();
        below = Some(scene.nodes.push(Node {
            name: name.into(),
            transform: Transform::Trs(local),
            children,
            ..Node::default()
        }));
    }
    scene.roots.extend(below);
    scene
}

fn handle(scene: &Scene, name: &str) -> Handle<Node> {
    scene.nodes.entries().find(|(_, node)| node.name == name).unwrap().0
}

fn track(name: &str, curve: Curve, blend: Option<Blend>) -> Track {
    Track { target: Target::Name(name.into()), curve, blend }
}

fn linear<T>(values: Vec<T>) -> Keys<T> {
    let times_secs = (0..values.len()).map(|time| time as f32).collect();
    Keys { times_secs, values, interpolation: Interpolation::Linear }
}

/// X from 0 to 10 in a second.
fn along_x() -> Curve {
    Curve::Translation(linear(vec![[0.0; 3], [10.0, 0.0, 0.0]]))
}

/// From no turn to half a right angle about Z in a second.
fn turn() -> Curve {
    Curve::Rotation(linear(vec![[0.0, 0.0, 0.0, 1.0], Quat::from_rotation_z(FRAC_PI_4).to_array()]))
}

fn grow() -> Curve {
    Curve::Scale(linear(vec![[1.0; 3], [3.0; 3]]))
}

fn clip(blend: Blend, tracks: Vec<Track>) -> Clip {
    Clip { name: "walk".into(), blend, tracks, duration_secs: 1.0, ..Clip::default() }
}

/// The clip on the model, the local matrix of a node at a moment, and the losses.
fn at(clip: &Clip, scope: ModifierScope, name: &str, secs: f32) -> Mat4 {
    let mut scene = model();
    let mut losses = LossReport::default();
    let attached = attach(&mut scene, clip, &AttachOptions { scope, ..AttachOptions::default() }, &mut losses);
    assert_eq!(losses.losses(), []);
    let clip = scene.clips.get(attached.clip).unwrap().clone();
    assert!(clip.blend == Blend::Absolute && clip.tracks.iter().all(|track| track.blend.is_none()));
    assert_eq!(crate::valid::check(&scene), Ok(()));
    pose::locals(&scene, &clip, secs)[handle(&scene, name).index()]
}

fn assert_near(found: Mat4, translation: Vec3, turn: f32, scale: f32) {
    let expected = Mat4::from_scale_rotation_translation(Vec3::splat(scale), Quat::from_rotation_z(turn), translation);
    assert!(found.abs_diff_eq(expected, 1e-5), "{found} is not {expected}");
}

#[test]
fn each_blend_meets_the_rest_pose_in_its_way() {
    // At rest the hip is at (0, 1, 0), turned by a quarter, of size 2; half way the keys say (5, 0, 0), an eighth of a
    // right angle twice over, and size 2.
    let eighth = FRAC_PI_4 / 2.0;
    for (blend, translation, turned) in [
        (Blend::Absolute, Vec3::new(5.0, 0.0, 0.0), eighth),
        (Blend::Relative, Vec3::new(5.0, 1.0, 0.0), eighth),
        (Blend::Delta, Vec3::new(5.0, 1.0, 0.0), eighth),
        (Blend::Additive, Vec3::new(5.0, 1.0, 0.0), FRAC_PI_2 + eighth),
    ] {
        let tracks = vec![track("hip", along_x(), None), track("hip", turn(), None), track("hip", grow(), None)];
        assert_near(at(&clip(blend, tracks), ModifierScope::Both, "hip", 0.5), translation, turned, 2.0);
        let grown = clip(blend, vec![track("hip", grow(), None)]);
        assert_near(at(&grown, ModifierScope::Both, "hip", 1.0), Vec3::Y, FRAC_PI_2, 3.0);
    }
}

#[test]
fn attaching_changes_no_motion_that_the_pose_defines() {
    let splines = Curve::Translation(Keys {
        times_secs: vec![0.0, 1.0],
        values: [0.0, 1.0, 2.0, -1.0, 4.0, 0.5].map(|x| [x, -x, 1.0]).to_vec(),
        interpolation: Interpolation::CubicSpline,
    });
    let turns = Curve::Rotation(Keys {
        times_secs: vec![0.0, 1.0],
        values: [0.0, 0.2, 0.4, -0.3, 0.9, 0.1].map(|x: f32| [x, 0.0, -x, 1.0]).to_vec(),
        interpolation: Interpolation::CubicSpline,
    });
    for blend in [Blend::Absolute, Blend::Relative, Blend::Additive, Blend::Delta] {
        let named = clip(blend, vec![track("hip", splines.clone(), None), track("hip", turns.clone(), None)]);
        let mut scene = model();
        let on_node = |track: &Track| Track { target: Target::Node(handle(&model(), "hip")), ..track.clone() };
        let direct = Clip { tracks: named.tracks.iter().map(on_node).collect(), ..named.clone() };
        let attached = attach(&mut scene, &named, &AttachOptions::default(), &mut LossReport::default());
        let absolute = scene.clips.get(attached.clip).unwrap().clone();
        for step in 0..=10 {
            let secs = step as f32 / 10.0;
            let pairs = pose::locals(&scene, &direct, secs).into_iter().zip(pose::locals(&scene, &absolute, secs));
            for (expected, found) in pairs {
                assert!(found.abs_diff_eq(expected, 1e-5), "{blend:?} at {secs}: {found} is not {expected}");
            }
        }
    }
}

#[test]
fn a_blend_of_a_bone_reaches_as_far_as_its_scope() {
    let own = |name: &str, blend| track(name, along_x(), blend);
    let relative = Some(Blend::Relative);
    let tracks = vec![own("hip", relative), own("knee", None), own("foot", None)];
    let clip = clip(Blend::Absolute, tracks);
    let y = |scope, name| at(&clip, scope, name, 0.0).w_axis.y;
    let names = ["hip", "knee", "foot"];
    assert_eq!(names.map(|name| y(ModifierScope::SelfOnly, name)), [1.0, 0.0, 0.0]);
    assert_eq!(names.map(|name| y(ModifierScope::Descendants, name)), [0.0, 2.0, 3.0]);
    assert_eq!(names.map(|name| y(ModifierScope::Both, name)), [1.0, 2.0, 3.0]);
}

#[test]
fn the_nearest_blend_wins() {
    let own = |name: &str, blend| track(name, along_x(), Some(blend));
    let tracks = vec![own("hip", Blend::Relative), own("knee", Blend::Absolute), track("foot", along_x(), None)];
    let clip = clip(Blend::Additive, tracks);
    let y = |name| at(&clip, ModifierScope::Both, name, 0.0).w_axis.y;
    assert_eq!(["hip", "knee", "foot"].map(y), [1.0, 0.0, 0.0]);
    // A bone between them that the clip does not move passes the blend on.
    let mut without = clip.clone();
    without.tracks.remove(1);
    assert_eq!(at(&without, ModifierScope::Both, "foot", 0.0).w_axis.y, 3.0);
}

fn losses_of(scene: &mut Scene, clip: &Clip) -> (Attached, Vec<(&'static str, u64, String)>) {
    let mut losses = LossReport::default();
    let attached = attach(scene, clip, &AttachOptions::default(), &mut losses);
    (attached, losses.losses().iter().map(|loss| (loss.what.word(), loss.count, loss.detail.clone())).collect())
}

#[test]
fn names_match_exactly_before_they_match_in_another_case() {
    let mut scene = model();
    let tracks = vec![
        track("HIP", along_x(), None),
        track("hip", turn(), None),
        track("Knee", along_x(), None),
        track("tail", along_x(), None),
        track("tail", turn(), None),
    ];
    let (attached, losses) = losses_of(&mut scene, &clip(Blend::Absolute, tracks));
    assert_eq!((attached.moved_nodes, &attached.unmatched[..]), (2, &["HIP".to_owned(), "tail".to_owned()][..]));
    assert_eq!(
        losses,
        [
            ("tracks", 3, "no node is named \"HIP\", \"tail\"".to_owned()),
            ("node names", 1, "nodes have the name in another case, or with another prefix: \"Knee\"".to_owned())
        ]
    );
    let moved: Vec<_> = scene.clips.get(attached.clip).unwrap().tracks.iter().map(|t| t.target.clone()).collect();
    assert_eq!(moved, ["hip", "knee"].map(|name| Target::Node(handle(&scene, name))));
}

#[test]
fn of_several_nodes_of_a_name_the_first_from_the_root_moves() {
    let mut scene = model();
    let [knee, hip] = ["knee", "hip"].map(|name| handle(&scene, name));
    scene.nodes.get_mut(knee).unwrap().name = "hip".into();
    let (attached, losses) = losses_of(&mut scene, &clip(Blend::Absolute, vec![track("hip", turn(), None)]));
    assert_eq!(scene.clips.get(attached.clip).unwrap().tracks[0].target, Target::Node(hip));
    assert_eq!((losses.len(), losses[0].0), (1, "node names"));
}

#[test]
fn a_nameless_bone_is_the_root_of_a_delta_clip_only() {
    let mut scene = model();
    let tracks = vec![track("", along_x(), None)];
    let (attached, losses) = losses_of(&mut scene, &clip(Blend::Delta, tracks.clone()));
    assert_eq!(losses, []);
    assert_eq!(scene.clips.get(attached.clip).unwrap().tracks[0].target, Target::Node(handle(&scene, "hip")));
    let (attached, _) = losses_of(&mut scene, &clip(Blend::Absolute, tracks));
    assert_eq!(attached.unmatched, [""]);
}

#[test]
fn a_node_without_a_name_is_called_by_its_place() {
    let mut scene = model();
    let knee = handle(&scene, "knee");
    scene.nodes[knee].name.clear();
    scene.nodes.push(Node { name: "node2".into(), ..Node::default() });
    let bones = ["hip", "node1", "node2", "node0"].map(|name| track(name, turn(), None));
    let (attached, losses) = losses_of(&mut scene, &clip(Blend::Absolute, bones.into()));
    let moved: Vec<_> = scene.clips[attached.clip].tracks.iter().map(|track| track.target.clone()).collect();
    let last = Handle::from_index(3);
    assert_eq!(moved, [handle(&scene, "hip"), knee, last].map(Target::Node), "a name counts before an index");
    assert_eq!(attached.unmatched, ["node0"], "a node with a name is not called by its index");
    assert_eq!(losses[1], ("node names", 1, "nodes without a name are matched by their index: \"node1\"".to_owned()));
}

#[test]
fn nodes_of_elsewhere_are_tracks_without_a_bone() {
    let stray = Track { target: Target::Node(Handle::from_index(99)), curve: turn(), blend: None };
    let mut scene = model();
    let (attached, losses) = losses_of(&mut scene, &clip(Blend::Absolute, vec![stray]));
    assert_eq!((attached.moved_nodes, losses[0].0, losses[0].1), (0, "tracks", 1));
}

/// Bones of these names, each moved once, put onto the model; the nodes that move, by name.
fn matched(bones: &[&str], options: &AttachOptions) -> (Vec<String>, Attached) {
    let mut scene = model();
    let keys = Keys { times_secs: vec![0.0], values: vec![[1.0; 3]], interpolation: Interpolation::Linear };
    let track = |name: &&str| Track {
        target: Target::Name((*name).into()),
        curve: Curve::Translation(keys.clone()),
        blend: None,
    };
    let clip = Clip { tracks: bones.iter().map(track).collect(), ..Clip::default() };
    let attached = attach(&mut scene, &clip, options, &mut LossReport::default());
    let moved = scene.clips[attached.clip].tracks.iter().map(|track| match track.target {
        Target::Node(node) => scene.nodes[node].name.clone(),
        Target::Name(_) => unreachable!("names become nodes"),
    });
    (moved.collect(), attached)
}

#[test]
fn prefixes_and_namespaces_are_passed_over_only_when_asked() {
    let bones = ["rig:Hip", "ValveBiped.knee", "ns|ValveBiped.FOOT"];
    let (moved, attached) = matched(&bones, &AttachOptions::default());
    assert!(moved.is_empty() && attached.unmatched == bones, "{attached:?}");
    let options = AttachOptions {
        prefixes: vec!["valvebiped.".into(), "Valve".into()],
        ignore_namespaces: true,
        ..AttachOptions::default()
    };
    let (moved, attached) = matched(&bones, &options);
    assert_eq!((moved, attached.unmatched), (vec!["hip".into(), "knee".into(), "foot".into()], Vec::new()));
}

#[test]
fn a_map_goes_first_and_may_leave_bones_out() {
    let map = [("knee", "foot"), ("foot", "knee"), ("tail", "")];
    let map = map.map(|(from, to)| (from.to_owned(), to.to_owned())).into_iter().collect();
    let options = AttachOptions { map, ..AttachOptions::default() };
    let (moved, attached) = matched(&["knee", "foot", "tail", "hip"], &options);
    assert_eq!(moved, ["foot", "knee", "hip"]);
    assert!(attached.unmatched.is_empty(), "what is left out on purpose is not missing: {attached:?}");
}

#[test]
fn everything_but_the_tracks_stays_as_it_was() {
    let events = vec![crate::clip::Event { time_secs: 0.5, name: "step".into() }];
    let (looped, frame_rate) = (Some(true), Some(24.0));
    let named = Clip { events, looped, frame_rate, ..clip(Blend::Additive, vec![track("hip", turn(), None)]) };
    let mut scene = model();
    let (attached, _) = losses_of(&mut scene, &named);
    let found = Clip { tracks: named.tracks.clone(), blend: named.blend, ..scene.clips[attached.clip].clone() };
    assert_eq!(found, named);
}

#[test]
fn nested_namespaces_are_passed_over_whole() {
    let options = AttachOptions { ignore_namespaces: true, ..AttachOptions::default() };
    let (moved, attached) = matched(&["scene:rig:Hip", "root|leg|knee"], &options);
    assert_eq!((moved, attached.unmatched), (vec!["hip".into(), "knee".into()], Vec::new()));
}

#[test]
fn of_nodes_alike_without_their_prefix_the_first_from_the_root_moves() {
    let mut scene = model();
    let [hip, knee] = ["hip", "knee"].map(|name| handle(&scene, name));
    for (node, name) in [(hip, "a:leg"), (knee, "b:leg")] {
        scene.nodes[node].name = name.into();
    }
    let options = AttachOptions { ignore_namespaces: true, ..AttachOptions::default() };
    let bones = vec![track("c:leg", turn(), None), track("d:leg", turn(), None)];
    let attached = attach(&mut scene, &clip(Blend::Absolute, bones), &options, &mut LossReport::default());
    let moved: Vec<_> = scene.clips[attached.clip].tracks.iter().map(|track| track.target.clone()).collect();
    assert_eq!((moved, attached.unmatched), (vec![Target::Node(hip)], vec!["d:leg".to_owned()]));
}

#[test]
fn a_node_has_one_bone() {
    let (moved, attached) = matched(&["HIP", "Hip"], &AttachOptions::default());
    assert_eq!((moved, attached.unmatched), (vec!["hip".into()], vec!["Hip".to_owned()]));
}

#[test]
fn a_blend_that_any_track_of_a_bone_has_reaches_the_bones_below() {
    let tracks = vec![
        track("hip", along_x(), Some(Blend::Relative)),
        track("hip", turn(), None),
        track("knee", along_x(), None),
    ];
    let clip = clip(Blend::Absolute, tracks);
    assert_eq!(at(&clip, ModifierScope::Descendants, "knee", 0.0).w_axis.y, 2.0);
}

#[test]
fn the_node_after_the_last_is_none() {
    let mut scene = model();
    let stray = Track { target: Target::Node(Handle::from_index(3)), curve: turn(), blend: None };
    let (attached, losses) = losses_of(&mut scene, &clip(Blend::Absolute, vec![stray]));
    assert_eq!((attached.moved_nodes, losses[0].0, losses[0].1), (0, "tracks", 1));
}

#[test]
fn bones_that_the_map_leaves_out_are_told() {
    let map = [("hip".to_owned(), String::new())].into_iter().collect();
    let mut losses = LossReport::default();
    let named = clip(Blend::Absolute, vec![track("hip", turn(), None), track("knee", turn(), None)]);
    attach(&mut model(), &named, &AttachOptions { map, ..AttachOptions::default() }, &mut losses);
    let told: Vec<_> = losses.iter().map(|loss| (loss.what, loss.count, loss.detail.as_str())).collect();
    assert_eq!(told, [(Lost::Tracks, 1, "the bone map leaves out \"hip\"")]);
}
