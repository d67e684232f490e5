use super::*;
use crate::Value;
use crate::{Bone, Event, Interpolation, Joint, Keys, Trs};
use maquette_scene::glam::{DMat4, EulerRot};
use proptest::prelude::*;

fn turn(x: f64, y: f64, z: f64) -> DQuat {
    DQuat::from_euler(EulerRot::XYZ, x, y, z)
}

fn reflected(axis: Axis) -> DMat4 {
    DMat4::from_scale(DVec3::ONE - 2.0 * axis.direction())
}

/// A rig whose sides are mirrored about x in the space of the whole, with axes that lie as they like.
fn rig() -> Rig {
    let joint = |name: &str, parent, translation, rotation| Joint {
        name: name.into(),
        parent,
        rest: Trs { translation, rotation, scale: DVec3::ONE },
    };
    let mirrored = |at: DVec3| DVec3::new(-at.x, at.y, at.z);
    let root = turn(0.3, -0.2, 0.9);
    let positions = [DVec3::new(0.0, 1.0, 0.2), DVec3::new(0.5, 1.5, 0.1), DVec3::new(0.9, 1.2, -0.3)];
    // In the space of the whole: place and rotation of hip, arm and hand of the left; the right has other axes.
    let world = [
        ("hip", None, positions[0], root),
        ("arm_l", Some(0), positions[1], turn(0.1, 0.7, -0.4)),
        ("hand_l", Some(1), positions[2], turn(1.1, 0.2, 0.5)),
        ("arm_r", Some(0), mirrored(positions[1]), turn(-2.0, 0.4, 0.3)),
        ("hand_r", Some(3), mirrored(positions[2]), turn(0.6, -0.9, 1.4)),
    ];
    let joints = world.iter().map(|(name, parent, at, rotation): &(&str, Option<usize>, DVec3, DQuat)| {
        let (above_at, above) =
            parent.map_or((DVec3::ZERO, DQuat::IDENTITY), |parent| (world[parent].2, world[parent].3));
        joint(name, *parent, above.conjugate() * (*at - above_at), above.conjugate() * *rotation)
    });
    Rig::new(joints.collect())
}

fn pose(motion: &Motion, rig: &Rig, secs: f64) -> Vec<DMat4> {
    let mut locals: Vec<Trs> = rig.joints.iter().map(|joint| joint.rest).collect();
    for track in &motion.tracks {
        let local = &mut locals[rig.find(&motion.bone(track).unwrap().name).unwrap()];
        let rest = rig.joints[rig.find(&motion.bone(track).unwrap().name).unwrap()].rest;
        match (&track.curve, motion.blend_of(track)) {
            (Curve::Translation(keys), Blend::Absolute) => local.translation = keys.at(secs).unwrap(),
            (Curve::Translation(keys), _) => local.translation = rest.translation + keys.at(secs).unwrap(),
            (Curve::Rotation(keys), Blend::Additive) => local.rotation = rest.rotation * keys.at(secs).unwrap(),
            (Curve::Rotation(keys), _) => local.rotation = keys.at(secs).unwrap(),
            _ => {}
        }
    }
    rig.world(&locals)
}

fn moving(blend: Blend) -> Motion {
    let mut motion = Motion { duration_secs: 1.0, blend, ..Motion::default() };
    let from = |at: DVec3| if blend == Blend::Absolute { at } else { DVec3::ZERO };
    let rig = rig();
    for (bone, step) in [("hip", 0.3), ("arm_l", -0.8), ("hand_l", 0.5), ("arm_r", 0.2)] {
        let rest = rig.rest(bone).unwrap();
        let at = from(rest.translation);
        motion.push(bone, Curve::Translation(Keys::straight([(0.0, at), (1.0, at + DVec3::new(step, 0.1, -step))])));
        motion.push(bone, Curve::Rotation(Keys::straight([(0.0, turn(step, 0.4, 0.1)), (1.0, turn(0.2, step, 0.3))])));
    }
    motion
}

#[test]
fn with_a_rig_the_whole_is_seen_in_a_mirror() {
    let rig = rig();
    let rest: Vec<Trs> = rig.joints.iter().map(|joint| joint.rest).collect();
    let rest = rig.world(&rest);
    let other = |name: &str| rig.find(&Sides::default().opposite(name, &Known::default())).unwrap();
    for blend in [Blend::Absolute, Blend::Relative, Blend::Additive] {
        let before = moving(blend);
        let mut after = before.clone();
        mirror(&mut after, Some(&rig), Axis::X, &Sides::default()).unwrap();
        for secs in [0.0, 0.4, 1.0] {
            let (was, is) = (pose(&before, &rig, secs), pose(&after, &rig, secs));
            for (index, joint) in rig.joints.iter().enumerate() {
                // What was moved from the rest pose of one side, seen in the mirror, is moved from that of the other.
                let m = reflected(Axis::X);
                let wanted = m * was[index] * rest[index].inverse() * m * rest[other(&joint.name)];
                assert!(
                    wanted.abs_diff_eq(is[other(&joint.name)], 1e-9),
                    "{blend:?} {} at {secs}:\n{wanted}\n{}",
                    joint.name,
                    is[other(&joint.name)]
                );
            }
        }
    }
}

#[test]
fn twice_is_once() {
    for axis in [Axis::X, Axis::Y, Axis::Z] {
        for rig in [None, Some(&rig())] {
            let mut motion = moving(Blend::Absolute);
            motion.push("hand_l", Curve::Scale(Keys::straight([(0.0, DVec3::splat(2.0))])));
            motion.bones[1].blend = Some(Blend::Additive);
            motion.bones.push(Bone { name: "smile_L".into(), is_shape: true, ..Bone::default() });
            motion.events = vec![Event { time_secs: 0.0, name: "step_left".into() }];
            let before = motion.clone();
            mirror(&mut motion, rig, axis, &Sides::default()).unwrap();
            assert_eq!(motion.events[0].name, "step_right");
            assert_eq!(motion.bones[3].blend, Some(Blend::Additive), "it goes along with the values");
            mirror(&mut motion, rig, axis, &Sides::default()).unwrap();
            assert_eq!(motion.bones, before.bones);
            for (was, is) in before.tracks.iter().zip(&motion.tracks) {
                assert_eq!(was.bone, is.bone);
                let near = match (&was.curve, &is.curve) {
                    (Curve::Rotation(was), Curve::Rotation(is)) => {
                        was.values.iter().zip(&is.values).all(|(was, is)| (*was - *is).length() < 1e-12)
                    }
                    (Curve::Translation(was) | Curve::Scale(was), Curve::Translation(is) | Curve::Scale(is)) => {
                        was.values.iter().zip(&is.values).all(|(was, is)| was.far_from(is) < 1e-12)
                    }
                    _ => false,
                };
                assert!(near, "{axis:?} {}", rig.is_some());
            }
        }
    }
}

proptest! {
    #[test]
    fn without_a_rig_turns_are_seen_in_a_mirror(x in -3.0f64..3.0, y in -3.0f64..3.0, z in -3.0f64..3.0, which in 0usize..3) {
        let axis = [Axis::X, Axis::Y, Axis::Z][which];
        let value = turn(x, y, z);
        let mut motion = Motion::default();
        let spline = Keys { times_secs: vec![0.0], values: vec![value; 3], interpolation: Interpolation::CubicSpline };
        motion.push("spine", Curve::Rotation(spline));
        motion.push("arm_l", Curve::Translation(Keys::straight([(0.0, DVec3::new(x, y, z))])));
        mirror(&mut motion, None, axis, &Sides::default()).unwrap();
        let (Curve::Rotation(turned), Curve::Translation(moved)) = (&motion.tracks[0].curve, &motion.tracks[1].curve) else { panic!() };
        let m = reflected(axis);
        let wanted = m * DMat4::from_quat(value) * m;
        prop_assert!(wanted.abs_diff_eq(DMat4::from_quat(turned.values[0]), 1e-12));
        prop_assert_eq!(moved.values[0], m.transform_vector3(DVec3::new(x, y, z)));
        prop_assert_eq!(&*motion.bone(&motion.tracks[1]).unwrap().name, "arm_r");
    }
}

#[test]
fn a_side_that_the_rig_has_alone_is_mirrored_in_place() {
    let rig = Rig::new(vec![Joint { name: "arm_l".into(), parent: None, rest: Trs::IDENTITY }]);
    let mut motion = Motion::default();
    motion.push("arm_l", Curve::Translation(Keys::straight([(0.0, DVec3::X)])));
    mirror(&mut motion, Some(&rig), Axis::X, &Sides::default()).unwrap();
    assert_eq!(motion.bones[0].name, "arm_l");
    let Curve::Translation(keys) = &motion.tracks[0].curve else { panic!() };
    assert_eq!(keys.values, [-DVec3::X]);
    let mut stranger = Motion::default();
    stranger.push("tail", Curve::Translation(Keys::straight([(0.0, DVec3::X)])));
    assert!(mirror(&mut stranger, Some(&rig), Axis::X, &Sides::default()).is_err());
}

#[test]
fn where_the_rest_pose_is_of_a_clip_the_bind_pose_is_mirrored_by() {
    use maquette_scene::Scene;
    use maquette_scene::glam::Quat;
    use maquette_scene::scene::{Node, Skin, Transform};
    let bind = rig();
    let rests: Vec<Trs> = bind.joints.iter().map(|joint| joint.rest).collect();
    let world = bind.world(&rests);
    let mut scene = Scene::default();
    // The model rests turned and with a raised arm, below a node that makes y of z.
    let top = scene.nodes.push(Node { name: "z_up".into(), ..Node::default() });
    let z_up = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    scene.nodes[top].transform =
        Transform::Trs(maquette_scene::scene::Trs { rotation: z_up, ..maquette_scene::scene::Trs::IDENTITY });
    scene.roots.push(top);
    let nodes: Vec<_> = bind
        .joints
        .iter()
        .enumerate()
        .map(|(index, joint)| {
            let off = if index == 1 { turn(0.4, 0.3, -0.2) } else { turn(0.05, 0.0, 0.1) };
            let trs = maquette_scene::scene::Trs {
                translation: joint.rest.translation.as_vec3(),
                rotation: (joint.rest.rotation * off).as_quat(),
                scale: maquette_scene::glam::Vec3::ONE,
            };
            scene.nodes.push(Node { name: joint.name.clone(), transform: Transform::Trs(trs), ..Node::default() })
        })
        .collect();
    for (index, joint) in bind.joints.iter().enumerate() {
        let parent = joint.parent.map_or(top, |parent| nodes[parent]);
        scene.nodes[parent].children.push(nodes[index]);
    }
    let joint_from_mesh = world.iter().map(|world| world.inverse().as_mat4()).collect();
    scene.skins.push(Skin { name: String::new(), joints: nodes, joint_from_mesh });
    let rig = Rig::of_scene(&scene);
    let axis = Axis::X;
    for blend in [Blend::Absolute, Blend::Additive] {
        let mut before = moving(blend);
        // All joints move, and none shows its rest pose.
        before.push("hand_r", Curve::Rotation(Keys::straight([(0.0, turn(0.2, 0.3, 0.4))])));
        let mut after = before.clone();
        let did = mirror(&mut after, Some(&rig), axis, &Sides::default()).unwrap();
        assert_eq!(did.words, "is mirrored by the bind pose");
        let (was, is) = (pose(&before, &rig, 0.6), pose(&after, &rig, 0.6));
        let root = DMat4::from_quat(z_up.as_dquat());
        for (index, joint) in bind.joints.iter().enumerate() {
            let other = bind.find(&Sides::default().opposite(&joint.name, &Known::default())).unwrap();
            let m = reflected(axis);
            // Nodes come after the one on top. Where it is, the place of the root tells, which it keeps.
            let wanted = m * was[index + 1] * (root * world[index]).inverse() * m * (root * world[other]);
            let (_, wanted_turn, _) = wanted.to_scale_rotation_translation();
            let (_, turned, _) = is[other + 1].to_scale_rotation_translation();
            assert!(wanted_turn.far_from(&turned) < 1e-5, "{blend:?} {}: {wanted_turn} {turned}", joint.name);
        }
        let mut again = after.clone();
        mirror(&mut again, Some(&rig), axis, &Sides::default()).unwrap();
        let back = pose(&again, &rig, 0.6);
        assert!(was.iter().zip(&back).all(|(was, back)| was.abs_diff_eq(*back, 1e-9)));
    }
}

/// Arms whose joints are numbered from the shoulder on the right and from the hand on the left, and a lock of hair on one side.
fn numbered() -> Rig {
    let joint = |name: &str, parent, x: f64, y: f64| Joint {
        name: name.into(),
        parent,
        rest: Trs { translation: DVec3::new(x, y, 0.0), ..Trs::IDENTITY },
    };
    Rig::new(vec![
        joint("chest", None, 0.3, 1.0),
        joint("arm_R", Some(0), -0.2, 0.3),
        joint("arm_R__2_", Some(1), -0.3, 0.0),
        joint("arm_R__3_", Some(2), -0.25, 0.0),
        joint("arm_L__4_", Some(0), 0.2, 0.3),
        joint("arm_L__3_", Some(4), 0.3, 0.0),
        joint("arm_L__2_", Some(5), 0.25, 0.0),
        joint("hair_L", Some(0), 0.1, 0.6),
    ])
}

#[test]
fn joints_that_are_numbered_otherwise_on_each_side_are_paired_by_their_places() {
    let rig = numbered();
    let mut motion = Motion { duration_secs: 1.0, ..Motion::default() };
    for (at, joint) in rig.joints.iter().enumerate() {
        motion.push(&joint.name, Curve::Rotation(Keys::straight([(0.0, turn(0.0, 0.0, 0.1 * at as f64))])));
    }
    let before = motion.clone();
    let did = mirror(&mut motion, Some(&rig), Axis::X, &Sides::default()).unwrap();
    let angle = |motion: &Motion, name: &str| {
        let track = motion.tracks.iter().find(|track| motion.bone(track).unwrap().name == name).unwrap();
        let Curve::Rotation(keys) = &track.curve else { panic!() };
        (keys.values[0].to_scaled_axis().z * 10.0).round()
    };
    let pairs = [("arm_R", "arm_L__4_"), ("arm_R__2_", "arm_L__3_"), ("arm_R__3_", "arm_L__2_"), ("hair_L", "hair_L")];
    for (one, other) in pairs {
        assert_eq!(angle(&motion, one), -angle(&before, other), "{one}");
        assert_eq!(angle(&motion, other), -angle(&before, one), "{other}");
    }
    assert!(
        did.words.contains("not by their names: \"arm_R__2_ = arm_L__3_\", \"arm_R__3_ = arm_L__2_\""),
        "{}",
        did.words
    );
    assert!(did.words.ends_with("mirrored in place: \"hair_L\""), "{}", did.words);
    mirror(&mut motion, Some(&rig), Axis::X, &Sides::default()).unwrap();
    for joint in &rig.joints {
        assert_eq!(angle(&motion, &joint.name), angle(&before, &joint.name));
    }
}

#[test]
fn pairs_are_of_bones_that_are_there_and_each_has_one_other() {
    let pairs = |pairs: &[(&str, &str)]| {
        Sides::new(&pairs.iter().map(|(from, to)| ((*from).into(), (*to).into())).collect()).unwrap()
    };
    let mirrored =
        |sides: Sides| mirror(&mut moving(Blend::Absolute), Some(&rig()), Axis::X, &sides).map_err(|why| why.0);
    mirrored(pairs(&[("hand_l", "arm_r"), ("arm_l", "hand_r")])).unwrap();
    assert_eq!(
        mirrored(pairs(&[("hand_l", "nope")])).unwrap_err(),
        "no bone is called \"nope\"; there are \"hip\", \"arm_l\", \"hand_l\", \"arm_r\", \"hand_r\""
    );
    assert_eq!(
        mirrored(pairs(&[("hand_x", "arm_r")])).unwrap_err(),
        "no bone is called \"hand_x\"; near is \"hand_l\", \"hand_r\""
    );
    let mut twice = moving(Blend::Absolute);
    twice.push("hand_r", Curve::Translation(Keys::straight([(0.0, DVec3::X)])));
    let why = mirror(&mut twice, None, Axis::X, &pairs(&[("hand_l", "arm_r")])).unwrap_err().0;
    assert!(why.contains("would both be"), "{why}");
}
