use super::*;
use crate::{Interpolation, Joint};
use proptest::prelude::*;
use std::f64::consts::FRAC_PI_2;

const BOTH: ModifierScope = ModifierScope::Both;
const GROUND: RootAxes = RootAxes { along: [true, false, true], yaw: Some(Up::Y) };

fn joint(name: &str, parent: Option<usize>, rest: Trs) -> Joint {
    Joint { name: name.into(), parent, rest }
}

/// An armature that is turned to have z up and is of another size, the root, and what it carries.
fn rig() -> Rig {
    let armature = Trs {
        translation: DVec3::new(0.3, 0.1, -0.2),
        rotation: DQuat::from_rotation_x(-FRAC_PI_2),
        scale: DVec3::splat(0.01),
    };
    let up = |height: f64| Trs {
        translation: DVec3::new(0.0, 1.0, height),
        rotation: DQuat::from_rotation_y(0.2),
        scale: DVec3::ONE,
    };
    Rig::new(vec![
        joint("armature", None, armature),
        joint("hips", Some(0), up(90.0)),
        joint("chest", Some(1), up(20.0)),
    ])
}

fn walk(interpolation: Interpolation) -> Motion {
    let mut motion = Motion { duration_secs: 2.0, ..Motion::default() };
    let times = vec![0.0, 0.6, 1.1, 2.0];
    let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let count = times.len() * each;
    let place = |at: usize| DVec3::new(1.5 * at as f64, -0.4 * at as f64, 90.0 + (at as f64).sin());
    let turn = |at: usize| {
        (DQuat::from_rotation_z(0.3 + 0.2 * at as f64) * DQuat::from_rotation_x(0.1 * (at as f64).cos())).normalize()
    };
    motion.push(
        "hips",
        Curve::Translation(Keys { times_secs: times.clone(), values: (0..count).map(place).collect(), interpolation }),
    );
    motion.push(
        "hips",
        Curve::Rotation(Keys { times_secs: times.clone(), values: (0..count).map(turn).collect(), interpolation }),
    );
    motion.push("chest", Curve::Rotation(Keys::straight([(0.0, turn(3)), (2.0, turn(1))])));
    motion
}

/// Where the root is, and how it is turned, in the whole.
fn world(motion: &Motion, rig: Option<&Rig>, bone: &str, secs: f64) -> (DVec3, DQuat) {
    let placed = Placed::new(motion, rig, BOTH);
    let at = motion.bones.iter().position(|known| known.name == bone).unwrap();
    let body = Body::of(motion, &placed, at, rig, None, false).unwrap();
    (body.frame.to_world(body.place_at(secs)), body.frame.turn_to_world(body.turn_at(secs)))
}

fn near(a: DQuat, b: DQuat, tolerance: f64) -> bool {
    (a - b).length().min((a + b).length()) < tolerance
}

fn same(a: &Motion, b: &Motion, rig: Option<&Rig>, times: &[f64], tolerance: f64) {
    for &secs in times {
        let (one, other) = (world(a, rig, "hips", secs), world(b, rig, "hips", secs));
        assert!((one.0 - other.0).length() < tolerance, "at {secs}: {} {}", one.0, other.0);
        assert!(near(one.1, other.1, tolerance), "at {secs}: {} {}", one.1, other.1);
    }
}

fn told(did: &Did) -> f64 {
    did.figures.iter().filter(|figure| figure.what.contains("error")).map(|figure| figure.value).fold(0.0, f64::max)
}

const KINDS: [Interpolation; 3] = [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline];

#[test]
fn taken_out_it_stays_in_place_and_put_back_it_is_as_before() {
    let rig = rig();
    let times = [0.0, 0.3, 0.6, 0.9, 1.1, 1.7, 2.0];
    for kind in KINDS {
        for with_rig in [true, false] {
            let rig = with_rig.then_some(&rig);
            for axes in [
                GROUND,
                RootAxes { along: [true, true, false], yaw: None },
                RootAxes { along: [false; 3], yaw: Some(Up::Z) },
            ] {
                let before = walk(kind);
                let mut made = before.clone();
                let did = extract_root_motion(&mut made, axes, RootBones::default(), rig, BOTH).unwrap();
                assert!(
                    did.words.contains("\"root_motion\"") && did.words.contains("where it is at the start"),
                    "{}",
                    did.words
                );
                let (place, turned) = world(&made, rig, "hips", 0.0);
                for secs in [0.0, 0.6, 1.1, 2.0] {
                    let (there, turn) = world(&made, rig, "hips", secs);
                    if axes.yaw.is_none() || axes == GROUND {
                        let off = (there - place) * DVec3::from_array(axes.along.map(|is| f64::from(u8::from(is))));
                        assert!(off.length() < 1e-12, "{axes:?} {kind:?} {off}");
                    }
                    let up = axes.yaw.map(|up| if up == Up::Y { DVec3::Y } else { DVec3::Z });
                    assert!(up.is_none_or(|up| near(twist(turn * turned.conjugate(), up), DQuat::IDENTITY, 1e-12)));
                    // The motion applied to what is in place is what it was.
                    let (was, heading) = world(&before, rig, "hips", secs);
                    let (way, carried) = world(&made, rig, "root_motion", secs);
                    assert!((carried * there + way - was).length() < 1e-12, "{axes:?} {kind:?}");
                    assert!(near(carried * turn, heading, 1e-12));
                }
                let mut back = made.clone();
                let again = bake_root_motion(&mut back, RootBones::default(), rig, BOTH).unwrap();
                assert_eq!(back.bones, before.bones);
                assert_eq!(back.tracks.len(), before.tracks.len());
                same(&back, &before, rig, &[0.0, 0.6, 1.1, 2.0], 1e-12);
                let exact = axes.yaw.is_none() || kind == Interpolation::Step;
                same(
                    &back,
                    &before,
                    rig,
                    &times,
                    if exact { 1e-12 } else { 200.0 * (told(&did) + told(&again) + 1e-6) },
                );
                if axes.yaw.is_none() {
                    assert_eq!(back.key_count(), before.key_count());
                }
            }
        }
    }
}

#[test]
fn removed_it_is_in_place_without_another_bone() {
    let (rig, before) = (rig(), walk(Interpolation::Linear));
    let [mut extracted, mut removed] = [before.clone(), before];
    extract_root_motion(&mut extracted, GROUND, RootBones::default(), Some(&rig), BOTH).unwrap();
    remove_root_motion(&mut removed, GROUND, RootBones::default(), Some(&rig), BOTH).unwrap();
    assert_eq!(removed.bones.len(), 2);
    same(&extracted, &removed, Some(&rig), &[0.0, 0.5, 2.0], 1e-12);
    assert_eq!(removed.tracks[2], walk(Interpolation::Linear).tracks[2], "nothing but the root changes");
}

#[test]
fn how_far_it_goes_is_told() {
    let mut motion = Motion::default();
    let turns = [0.0, 0.5, 1.0].map(|secs| (secs, DQuat::from_rotation_y(-3.0 * secs)));
    motion.push(
        "root",
        Curve::Translation(Keys::straight([
            (0.0, DVec3::ZERO),
            (0.5, DVec3::X * 3.0),
            (1.0, DVec3::new(3.0, 9.0, 4.0)),
        ])),
    );
    motion.push("root", Curve::Rotation(Keys::straight(turns)));
    let did = remove_root_motion(&mut motion, GROUND, RootBones::default(), None, BOTH).unwrap();
    let figure = |what: &str| did.figures.iter().find(|figure| figure.what == what).unwrap().value;
    assert!(
        (figure("distance moved in all") - 7.0).abs() < 1e-12 && (figure("turn") + 3.0f64.to_degrees()).abs() < 1e-12,
        "{did:?}"
    );
    assert!((figure("from start to end along z") - 4.0).abs() < 1e-12);
    assert!(did.figures.iter().all(|figure| !figure.what.ends_with("along y")), "it is not asked for");
}

#[test]
fn a_bone_above_the_root_carries_it() {
    // tag_origin, turned and away from the origin, above the root.
    let rest = |place: DVec3| Trs { translation: place, rotation: DQuat::from_rotation_z(0.4), scale: DVec3::ONE };
    let rig = Rig::new(vec![
        joint("tag_origin", None, rest(DVec3::new(1.0, 2.0, 3.0))),
        joint("hips", Some(0), rest(DVec3::Z)),
    ]);
    for blend in [Blend::Absolute, Blend::Relative, Blend::Delta] {
        let before = Motion { blend, ..walk(Interpolation::Linear) };
        let mut made = before.clone();
        let axes = RootAxes { along: [true, true, false], yaw: Some(Up::Z) };
        extract_root_motion(&mut made, axes, RootBones { root: None, motion: Some("tag_origin") }, Some(&rig), BOTH)
            .unwrap();
        if blend != Blend::Absolute {
            assert_eq!((made.blend, made.bones[0].name.as_str()), (Blend::Delta, "tag_origin"), "{blend:?}");
        }
        let placed = Placed::new(&made, Some(&rig), BOTH);
        let bone = |name: &str| made.bones.iter().position(|bone| bone.name == name).unwrap();
        let own = Body::of(&made, &placed, bone("tag_origin"), Some(&rig), None, true).unwrap();
        let root = Body::of(&made, &placed, bone("hips"), Some(&rig), Some(bone("tag_origin")), true).unwrap();
        for secs in [0.0, 0.6, 1.1, 2.0] {
            // As any player puts it together: the parent, then the child.
            let seen = own.place_at(secs) + own.turn_at(secs) * root.place_at(secs);
            let (was, turned) = world(&before, Some(&rig), "hips", secs);
            assert!((seen - was).length() < 1e-12, "{blend:?} {seen} {was}");
            assert!(near(own.turn_at(secs) * root.turn_at(secs), turned * rest(DVec3::ZERO).rotation, 1e-12));
        }
        let mut back = made.clone();
        bake_root_motion(&mut back, RootBones::default(), Some(&rig), BOTH).unwrap();
        same(&back, &before, Some(&rig), &[0.0, 0.6, 1.1, 2.0], 1e-12);
    }
}

#[test]
fn keys_stay_on_frames() {
    let mut motion = Motion { frame_rate: Some(29.97), on_frames: true, ..Motion::default() };
    let turns = [0.0, 30.0, 61.0]
        .map(|frame: f64| (frame / 29.97, DQuat::from_rotation_y(frame * 0.04) * DQuat::from_rotation_x(0.3)));
    motion.push(
        "hips",
        Curve::Translation(Keys::straight([0.0, 61.0].map(|frame| (frame / 29.97, DVec3::X * (frame + 2.0))))),
    );
    motion.push("hips", Curve::Rotation(Keys::straight(turns)));
    extract_root_motion(&mut motion, GROUND, RootBones::default(), None, BOTH).unwrap();
    let times = motion.tracks.iter().flat_map(|track| track.curve.times_secs().to_vec());
    assert!(times.map(|secs| secs * 29.97).all(|frame| (frame - frame.round()).abs() < 1e-6));
    assert!(motion.key_count() > 12, "the way around the origin bends");
}

#[test]
fn the_root_is_found_or_asked_for() {
    let (rig, motion) = (rig(), walk(Interpolation::Linear));
    let root = |motion: &Motion, rig: Option<&Rig>, asked: Option<&str>| {
        root_bone(motion, &Placed::new(motion, rig, BOTH), rig, asked, None).map(|bone| motion.bones[bone].name.clone())
    };
    assert_eq!(root(&motion, Some(&rig), None).unwrap(), "hips");
    assert_eq!(root(&motion, Some(&rig), Some("CHEST")).unwrap(), "chest");
    assert!(root(&motion, None, Some("tail")).unwrap_err().0.contains("\"hips\", \"chest\""));
    let mut turned = motion.clone();
    turned.bones.swap(0, 1);
    turned.tracks.iter_mut().for_each(|track| track.bone = 1 - track.bone);
    turned.push("prop", Curve::Translation(Keys::straight([(0.0, DVec3::X), (1.0, DVec3::Y)])));
    assert_eq!(root(&turned, None, None).unwrap(), "hips", "by its name");
    let refused = |motion: &mut Motion, bones: RootBones<'_>| {
        extract_root_motion(motion, GROUND, bones, Some(&rig), BOTH).unwrap_err().0
    };
    let why = refused(&mut motion.clone(), RootBones { root: Some("chest"), motion: None });
    assert!(why.contains("\"hips\"") && why.contains("--root"), "{why}");
    assert!(
        refused(&mut motion.clone(), RootBones { root: None, motion: Some("hips") })
            .contains("\"hips\" above the root")
    );
    assert!(
        refused(&mut motion.clone(), RootBones { root: Some("hips"), motion: Some("chest") })
            .contains("below the root")
    );
    let mut twice = motion.clone();
    extract_root_motion(&mut twice, GROUND, RootBones::default(), Some(&rig), BOTH).unwrap();
    assert!(refused(&mut twice, RootBones::default()).contains("has a motion already"));
    assert!(
        bake_root_motion(&mut motion.clone(), RootBones::default(), Some(&rig), BOTH).unwrap_err().0.contains("--from")
    );
    assert!(extract_root_motion(&mut motion.clone(), RootAxes::default(), RootBones::default(), None, BOTH).is_err());
    let mut additive = motion.clone();
    additive.blend = Blend::Additive;
    assert!(
        extract_root_motion(&mut additive, GROUND, RootBones::default(), None, BOTH)
            .unwrap_err()
            .0
            .contains("--skeleton")
    );
    let mut uneven = rig.clone();
    uneven.joints[0].rest.scale = DVec3::new(1.0, 2.0, 1.0);
    assert!(
        extract_root_motion(&mut motion.clone(), GROUND, RootBones::default(), Some(&uneven), BOTH)
            .unwrap_err()
            .0
            .contains("unevenly")
    );
}

proptest! {
    #[test]
    fn a_mirrored_parent_turns_the_other_way(scale in prop::sample::select(vec![-1.0f64, 0.5]), angle in -1.0f64..1.0) {
        let parent = Trs { translation: DVec3::X, rotation: DQuat::from_rotation_x(angle), scale: DVec3::splat(scale) };
        let rig = Rig::new(vec![joint("armature", None, parent), joint("hips", Some(0), Trs::IDENTITY)]);
        let frame = Frame::above(&Motion::default(), &Placed::default(), Some(&rig), Some(1), None).unwrap();
        let turn = DQuat::from_rotation_y(0.7);
        let local = frame.turn_to_local(turn);
        let direction = DVec3::new(0.2, -0.5, 0.9);
        let through = frame.linear * (local * (frame.inverse * direction));
        prop_assert!((through - turn * direction).length() < 1e-12);
        prop_assert!(near(frame.turn_to_world(local), turn, 1e-12));
    }
}
