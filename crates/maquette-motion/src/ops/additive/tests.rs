use super::*;
use crate::{Event, Interpolation, Joint};
use proptest::prelude::*;

const BOTH: ModifierScope = ModifierScope::Both;

fn rig() -> Rig {
    let joint = |(at, name): (usize, &str)| Joint {
        name: name.into(),
        parent: at.checked_sub(1),
        rest: Trs {
            translation: DVec3::new(0.1 + at as f64, 2.0, -0.3),
            rotation: DQuat::from_rotation_z(0.7 + at as f64) * DQuat::from_rotation_x(0.3),
            scale: DVec3::splat(1.5),
        },
    };
    Rig::new(["hip", "knee", "foot"].into_iter().enumerate().map(joint).collect())
}

fn turn(seed: f64) -> DQuat {
    (DQuat::from_rotation_y(seed) * DQuat::from_rotation_x(1.3 * seed)).normalize()
}

fn place(seed: f64) -> DVec3 {
    DVec3::new(seed, (3.0 * seed).sin(), -0.5 * seed)
}

fn keys<T>(interpolation: Interpolation, times: &[f64], shift: f64, value: impl Fn(f64) -> T) -> Keys<T> {
    let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let values = times.iter().flat_map(|secs| (0..each).map(move |part| secs + shift + f64::from(part) * 0.1));
    Keys { times_secs: times.to_vec(), values: values.map(value).collect(), interpolation }
}

fn motion(interpolation: Interpolation, times: &[f64], shift: f64) -> Motion {
    let mut motion = Motion { name: "walk".into(), duration_secs: 2.0, ..Motion::default() };
    for bone in ["hip", "knee", "foot"] {
        motion.push(bone, Curve::Translation(keys(interpolation, times, shift, place)));
        motion.push(bone, Curve::Rotation(keys(interpolation, times, shift, turn)));
    }
    motion.push("hip", Curve::Scale(keys(interpolation, times, shift, place)));
    motion.push("hip", Curve::MorphWeights(keys(interpolation, times, shift, |x| vec![x])));
    motion
}

/// How far two motions are apart at a moment, in whatever their curves have.
fn apart(a: &Motion, b: &Motion, secs: f64) -> f64 {
    assert_eq!(a.tracks.len(), b.tracks.len());
    let of = |track: &Track, motion: &Motion| (motion.bones[track.bone].name.clone(), discriminant(&track.curve));
    let mut largest = 0.0f64;
    for one in &a.tracks {
        let other = b.tracks.iter().find(|other| of(other, b) == of(one, a)).unwrap();
        largest = largest.max(match (&one.curve, &other.curve) {
            (Curve::Translation(a), Curve::Translation(b)) | (Curve::Scale(a), Curve::Scale(b)) => {
                (a.at(secs).unwrap() - b.at(secs).unwrap()).length()
            }
            (Curve::Rotation(a), Curve::Rotation(b)) => {
                let (a, b) = (a.at(secs).unwrap(), b.at(secs).unwrap());
                (a - b).length().min((a + b).length())
            }
            (Curve::MorphWeights(a), Curve::MorphWeights(b)) => (a.at(secs).unwrap()[0] - b.at(secs).unwrap()[0]).abs(),
            _ => unreachable!(),
        });
    }
    largest
}

fn same(a: &Motion, b: &Motion, tolerance: f64) {
    for step in 0..=40 {
        let off = apart(a, b, f64::from(step) * 0.05);
        assert!(off <= tolerance, "{off} at step {step}");
    }
}

const KINDS: [Interpolation; 3] = [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline];

#[test]
fn differences_from_the_rest_pose_are_seanims() {
    let rig = rig();
    for kind in KINDS {
        let before = motion(kind, &[0.0, 0.7, 1.9], 0.2);
        let mut made = before.clone();
        let did = make_additive(&mut made, Reference::Rest, Some(&rig), BOTH).unwrap();
        assert!(did.words.contains("rest pose") && did.figures.iter().all(|figure| !figure.what.contains("error")));
        assert_eq!(made.blend, Blend::Additive);
        for (track, original) in made.tracks.iter().zip(&before.tracks) {
            let rest = rig.rest(&before.bones[track.bone].name).unwrap();
            for secs in [0.0, 0.3, 0.7, 1.2, 3.0] {
                match (&track.curve, &original.curve) {
                    (Curve::Translation(key), Curve::Translation(was)) => {
                        assert!((rest.translation + key.at(secs).unwrap() - was.at(secs).unwrap()).length() < 1e-12);
                    }
                    (Curve::Rotation(key), Curve::Rotation(was)) => {
                        assert!((rest.rotation * key.at(secs).unwrap() - was.at(secs).unwrap()).length() < 1e-12);
                    }
                    (key, was) => assert_eq!(key, was),
                }
            }
        }
        let mut back = made.clone();
        compose_additive(&mut back, Base::Rest, Some(&rig), BOTH, None, Lasts::Longer).unwrap();
        assert_eq!(back.blend, Blend::Absolute);
        same(&back, &before, 1e-12);
        assert_eq!(back.key_count(), before.key_count());
    }
}

#[test]
fn modifiers_count_as_far_as_they_reach() {
    let rig = rig();
    let absolute = motion(Interpolation::Linear, &[0.0, 2.0], 0.0);
    let mut mixed = absolute.clone();
    for track in &mut mixed.tracks {
        let rest = *rig.rest(&mixed.bones[track.bone].name).unwrap();
        let blend = if track.bone == 0 { Blend::Absolute } else { Blend::Relative };
        change(&mut track.curve, Blend::Absolute, blend, &rest);
    }
    mixed.bones[1].blend = Some(Blend::Relative);
    let [mut a, mut b] = [absolute.clone(), mixed.clone()];
    make_additive(&mut a, Reference::Rest, Some(&rig), BOTH).unwrap();
    make_additive(&mut b, Reference::Rest, Some(&rig), BOTH).unwrap();
    same(&a, &b, 1e-12);
    assert!(b.bones.iter().all(|bone| bone.blend.is_none()));
    let mut alone = mixed.clone();
    make_additive(&mut alone, Reference::Rest, Some(&rig), ModifierScope::SelfOnly).unwrap();
    assert!(apart(&a, &alone, 0.0) > 0.1, "the foot is absolute now");
    // Of bones that are meant in several ways the differences from another clip are the same.
    let other = motion(Interpolation::Linear, &[0.0, 1.0], 0.4);
    let [mut a, mut b] = [absolute, mixed];
    make_additive(&mut a, Reference::Pose(&other, 0.5), Some(&rig), BOTH).unwrap();
    make_additive(&mut b, Reference::Pose(&other, 0.5), Some(&rig), BOTH).unwrap();
    same(&a, &b, 1e-12);
}

#[test]
fn differences_from_the_start_begin_with_nothing_and_need_no_skeleton() {
    for kind in KINDS {
        let before = motion(kind, &[0.0, 0.7, 1.9], 0.2);
        let mut made = before.clone();
        make_additive(&mut made, Reference::Start, None, BOTH).unwrap();
        for track in &made.tracks {
            match &track.curve {
                Curve::Translation(keys) => assert_eq!(keys.at(0.0), Some(DVec3::ZERO)),
                Curve::Rotation(keys) => assert!((keys.at(0.0).unwrap() - DQuat::IDENTITY).length() < 1e-12),
                _ => {}
            }
        }
        let mut back = made;
        compose_additive(&mut back, Base::Pose(&before, 0.0), None, BOTH, None, Lasts::Longer).unwrap();
        same(&back, &before, 1e-12);
        assert_eq!(back.blend, Blend::Absolute);
    }
}

proptest! {
    #[test]
    fn what_is_taken_from_a_moving_clip_comes_back_on_it(
        kinds in (0usize..3, 0usize..3), shift in -1.0f64..1.0, first in 0.1f64..0.9, with_rig: bool,
    ) {
        let rig = with_rig.then(rig);
        let before = motion(KINDS[kinds.0], &[0.0, first, 1.0, 2.0], 0.2);
        let other = motion(KINDS[kinds.1], &[0.05, 1.0, 1.7], shift);
        let mut made = before.clone();
        let did = make_additive(&mut made, Reference::Clip(&other), rig.as_ref(), BOTH).unwrap();
        let told = |did: &Did| did.figures.iter().filter(|figure| figure.what.contains("error")).map(|figure| figure.value).fold(0.0, f64::max);
        let mut back = made.clone();
        let again = compose_additive(&mut back, Base::Clip(&other), rig.as_ref(), BOTH, None, Lasts::Longer).unwrap();
        prop_assert_eq!(back.blend, Blend::Absolute);
        for secs in [0.0, first, 1.0, 2.0, 1.7] {
            let off = apart(&back, &before, secs);
            prop_assert!(off < 1e-12, "{} at {}", off, secs);
        }
        let most = 2.0 * (told(&did) + told(&again)) + 4e-6;
        for step in 0..200 {
            let secs = f64::from(step) * 0.01 + 0.005;
            let off = apart(&back, &before, secs);
            prop_assert!(off <= most, "{} of {} at {}", off, most, secs);
        }
    }
}

#[test]
fn what_only_one_of_two_moves() {
    let rig = rig();
    let mut clip = Motion { duration_secs: 1.0, ..Motion::default() };
    clip.push("hip", Curve::Translation(Keys::straight([(0.0, DVec3::X)])));
    let mut other = Motion { duration_secs: 3.0, ..Motion::default() };
    other.push("knee", Curve::Rotation(Keys::straight([(0.0, turn(0.3)), (3.0, turn(0.9))])));
    other.push("knee", Curve::Scale(Keys::straight([(0.0, DVec3::splat(3.0))])));
    let refusal = make_additive(&mut clip.clone(), Reference::Clip(&other), None, BOTH).unwrap_err();
    assert!(refusal.0.contains("\"hip\"") && refusal.0.contains("--skeleton"), "{refusal}");
    let mut made = clip.clone();
    let did = make_additive(&mut made, Reference::Clip(&other), Some(&rig), BOTH).unwrap();
    assert!(did.words.contains("brought back to rest: \"knee\""), "{}", did.words);
    assert!(made.last_secs() <= 1.0, "it does not last longer than it did");
    let mut back = made.clone();
    compose_additive(&mut back, Base::Clip(&other), Some(&rig), BOTH, None, Lasts::Longer).unwrap();
    let knee = |motion: &Motion, is: fn(&Curve) -> bool| {
        motion.tracks.iter().find(|track| track.bone == 1 && is(&track.curve)).unwrap().curve.clone()
    };
    let Curve::Rotation(turned) = knee(&back, |curve| matches!(curve, Curve::Rotation(_))) else { panic!() };
    assert!((turned.at(0.5).unwrap() - rig.rest("knee").unwrap().rotation).length() < 1e-4);
    let Curve::Scale(size) = knee(&back, |curve| matches!(curve, Curve::Scale(_))) else { panic!() };
    assert_eq!(size.values, [DVec3::splat(1.5)]);
    // Values relative to the rest pose need no skeleton.
    let mut relative = clip.clone();
    relative.blend = Blend::Relative;
    let did = make_additive(&mut relative, Reference::Clip(&other), None, BOTH).unwrap();
    assert!(did.words.contains("left to it for want of a skeleton: \"knee\""), "{}", did.words);
    let mut stranger = clip.clone();
    stranger.bones[0].name = "tail".into();
    let why = make_additive(&mut stranger.clone(), Reference::Rest, Some(&rig), BOTH).unwrap_err();
    assert!(why.0.contains("no bone of it is in the skeleton: \"tail\""), "{why}");
    stranger.push("hip", Curve::Translation(Keys::straight([(0.0, DVec3::X)])));
    let did = make_additive(&mut stranger, Reference::Rest, Some(&rig), BOTH).unwrap();
    assert!(did.words.contains("not in the skeleton") && did.words.contains("\"tail\""), "{}", did.words);
}

#[test]
fn without_a_skeleton_a_composed_clip_is_meant_as_its_base_is() {
    let mut add = Motion { duration_secs: 1.0, blend: Blend::Additive, ..Motion::default() };
    add.push("hip", Curve::Translation(Keys::straight([(0.0, DVec3::X), (1.0, DVec3::Y)])));
    add.events.push(Event { time_secs: 0.5, name: "a".into() });
    let mut base = Motion { name: "idle".into(), duration_secs: 2.0, blend: Blend::Relative, ..Motion::default() };
    base.push("HIP", Curve::Translation(Keys::straight([(0.0, DVec3::Z), (2.0, DVec3::ZERO)])));
    base.push("knee", Curve::Rotation(Keys::straight([(0.0, turn(0.3))])));
    base.events = [0.5, 0.1].map(|time_secs| Event { time_secs, name: "a".into() }).into();
    let mut made = add.clone();
    let did = compose_additive(&mut made, Base::Clip(&base), None, BOTH, None, Lasts::Longer).unwrap();
    assert_eq!((made.blend, made.duration_secs, made.events.len()), (Blend::Relative, 2.0, 2));
    assert!(did.words.contains("relative") && did.words.contains("holds its last pose"), "{}", did.words);
    let Curve::Translation(keys) = &made.tracks[0].curve else { panic!() };
    assert_eq!(keys.at(1.0), Some(DVec3::Y + DVec3::Z * 0.5));
    assert_eq!(made.tracks.len(), 2);
    base.bones[1].blend = Some(Blend::Absolute);
    let mut mixed = add.clone();
    compose_additive(&mut mixed, Base::Clip(&base), None, BOTH, None, Lasts::Longer).unwrap();
    assert_eq!(
        (mixed.blend, mixed.bones[0].blend, mixed.bones[1].blend),
        (Blend::Relative, None, Some(Blend::Absolute))
    );
    base.bones[0].name = "tail".into();
    base.blend = Blend::Absolute;
    assert!(
        compose_additive(&mut add.clone(), Base::Clip(&base), None, BOTH, None, Lasts::Longer)
            .unwrap_err()
            .0
            .contains("\"hip\"")
    );
    assert!(compose_additive(&mut add.clone(), Base::Rest, None, BOTH, None, Lasts::Longer).is_err());
    let mut absolute = add.clone();
    absolute.blend = Blend::Absolute;
    let why = compose_additive(&mut absolute.clone(), Base::Rest, Some(&rig()), BOTH, None, Lasts::Longer).unwrap_err();
    assert!(why.0.contains("--as additive"), "{why}");
    compose_additive(&mut absolute, Base::Rest, Some(&rig()), BOTH, Some(Blend::Additive), Lasts::Longer).unwrap();
    let Curve::Translation(keys) = &absolute.tracks[0].curve else { panic!() };
    assert_eq!(keys.values[0], DVec3::X + rig().rest("hip").unwrap().translation);
}

#[test]
fn twins_of_a_base_become_one() {
    let mut base = motion(Interpolation::Linear, &[0.0, 1.0], 0.0);
    base.bones[2].name = "knee".into();
    let mut add = Motion { blend: Blend::Additive, ..Motion::default() };
    add.push("hip", Curve::Translation(Keys::straight([(0.0, DVec3::X)])));
    compose_additive(&mut add, Base::Clip(&base), None, BOTH, None, Lasts::Longer).unwrap();
    let mut seen = HashSet::new();
    assert!(add.tracks.iter().all(|track| seen.insert((track.bone, discriminant(&track.curve)))), "each curve once");
}

#[test]
fn a_clip_on_another_lasts_as_long_as_is_said() {
    let base = motion(Interpolation::Linear, &[0.0, 1.0], 0.3);
    let mut add = motion(Interpolation::Linear, &[0.0, 2.0], 0.1);
    add.blend = Blend::Additive;
    add.events = vec![Event { time_secs: 1.5, name: "late".into() }];
    for (lasts, wanted) in [(Lasts::Base, 1.0), (Lasts::Clip, 2.0), (Lasts::Longer, 2.0)] {
        let mut made = add.clone();
        made.duration_secs = 2.0;
        let base = Motion { duration_secs: 1.0, ..base.clone() };
        let did = compose_additive(&mut made, Base::Clip(&base), Some(&rig()), BOTH, None, lasts).unwrap();
        assert_eq!((made.duration_secs, made.events.len()), (wanted, usize::from(wanted > 1.0)), "{lasts:?}");
        assert!(made.last_secs() <= wanted, "{lasts:?}");
        assert!(did.words.contains(&format!("both together {wanted} s")), "{}", did.words);
    }
}
