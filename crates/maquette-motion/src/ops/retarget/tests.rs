use super::*;
use crate::{Event, Interpolation, Joint};
use proptest::prelude::*;

const NAMES: [(&str, Option<usize>); 7] = [
    ("armature", None),
    ("hips", Some(0)),
    ("spine", Some(1)),
    ("head", Some(2)),
    ("thigh_l", Some(1)),
    ("calf_l", Some(4)),
    ("foot_l", Some(5)),
];

fn turn(seed: f64) -> DQuat {
    (DQuat::from_rotation_y(seed) * DQuat::from_rotation_x(1.3 * seed) * DQuat::from_rotation_z(0.2)).normalize()
}

fn rig() -> Rig {
    let joint = |(at, (name, parent)): (usize, (&str, Option<usize>))| Joint {
        name: name.into(),
        parent,
        rest: Trs {
            translation: DVec3::new(0.1 * at as f64, 1.0, -0.2),
            rotation: turn(0.3 * at as f64),
            scale: if at == 0 { DVec3::splat(0.5) } else { DVec3::ONE },
        },
    };
    Rig::new(NAMES.into_iter().enumerate().map(joint).collect())
}

/// The same joints at the same places, each turned in a way of its own and all of another size, under other names.
fn turned(rig: &Rig, size: f64, name: impl Fn(&str) -> String) -> Rig {
    let rest = Rest::of(rig);
    let own = |at: usize| turn(1.7 * at as f64 + 0.4);
    let joints = rig.joints.iter().enumerate().map(|(at, joint)| {
        let world = rest.turn(Some(at)) * own(at);
        let (above, place) = match joint.parent {
            Some(parent) => (rest.turn(Some(parent)) * own(parent), rest.place(at) - rest.place(parent)),
            None => (DQuat::IDENTITY, rest.place(at)),
        };
        let rest = Trs {
            translation: above.conjugate() * place * size,
            rotation: above.conjugate() * world,
            scale: DVec3::ONE,
        };
        Joint { name: name(&joint.name), parent: joint.parent, rest }
    });
    Rig::new(joints.collect())
}

fn dance(interpolation: Interpolation) -> Motion {
    let mut motion = Motion { duration_secs: 1.0, ..Motion::default() };
    motion.events.push(Event { time_secs: 0.5, name: "step".into() });
    let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    for (at, (name, _)) in NAMES.into_iter().enumerate().skip(1) {
        let seed = |key: usize| 0.4 * at as f64 + 0.3 * key as f64;
        let times_secs = vec![0.0, 0.4 + 0.05 * at as f64, 1.0];
        let values = (0..3 * each).map(|key| turn(seed(key))).collect();
        motion.push(name, Curve::Rotation(Keys { times_secs: times_secs.clone(), values, interpolation }));
        if at == 1 {
            let values = (0..3 * each).map(|key| DVec3::new(seed(key), 2.0 - seed(key), 0.3)).collect();
            motion.push(name, Curve::Translation(Keys { times_secs, values, interpolation }));
        }
    }
    motion
}

/// All joints at a moment: where they are, and how they are turned.
fn pose(motion: &Motion, rig: &Rig, secs: f64) -> Vec<(DVec3, DQuat)> {
    let placed = Placed::new(motion, Some(rig), ModifierScope::Both);
    let source = Source::of(motion, rig, &placed);
    assert!(source.strangers.is_empty(), "{:?}", source.strangers);
    let locals: Vec<Trs> =
        rig.joints.iter().enumerate().map(|(at, joint)| source.local(at, &joint.rest, secs)).collect();
    let posed = Rig::new(
        rig.joints.iter().zip(&locals).map(|(joint, local)| Joint { rest: *local, ..joint.clone() }).collect(),
    );
    let rest = Rest::of(&posed);
    (0..rig.joints.len()).map(|at| (rest.place(at), rest.turn(Some(at)))).collect()
}

fn near(a: DQuat, b: DQuat, tolerance: f64) -> bool {
    (a - b).length().min((a + b).length()) < tolerance
}

const KINDS: [Interpolation; 3] = [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline];

#[test]
fn to_the_same_skeleton_nothing_changes() {
    for kind in KINDS {
        let before = dance(kind);
        let mut made = before.clone();
        let did = retarget(&mut made, &rig(), &rig(), RetargetOptions::default()).unwrap();
        assert!(
            did.words.contains("× 1 (the ratio of the legs)") && !did.words.contains("not mapped"),
            "{}",
            did.words
        );
        assert_eq!((made.key_count(), &made.events, made.duration_secs), (before.key_count(), &before.events, 1.0));
        for step in 0..=20 {
            let secs = f64::from(step) / 20.0;
            for (was, is) in pose(&before, &rig(), secs).into_iter().zip(pose(&made, &rig(), secs)) {
                assert!((was.0 - is.0).length() < 1e-12 && near(was.1, is.1, 1e-12));
            }
        }
    }
}

#[test]
fn joints_that_rest_otherwise_go_where_they_went() {
    for (kind, size) in [(KINDS[0], 1.0), (KINDS[1], 1.0), (KINDS[2], 1.0), (KINDS[1], 2.5)] {
        let (from, to) = (rig(), turned(&rig(), size, |name| format!("Other:{}", name.to_uppercase())));
        let before = dance(kind);
        let mut made = before.clone();
        let did = retarget(&mut made, &from, &to, RetargetOptions::default()).unwrap();
        let factor = did.figures.iter().find(|figure| figure.what == "factor of translations").unwrap();
        assert!((factor.value - size).abs() < 1e-12, "{factor:?}");
        assert!(made.bones.iter().all(|bone| bone.name.starts_with("Other:")));
        for step in 0..=20 {
            let secs = f64::from(step) / 20.0;
            for (was, is) in pose(&before, &from, secs).into_iter().zip(pose(&made, &to, secs)) {
                assert!((was.0 * size - is.0).length() < 1e-12, "{kind:?} at {secs}: {} {}", was.0, is.0);
            }
        }
    }
}

#[test]
fn what_is_not_mapped_in_between_is_passed_on() {
    let from = rig();
    let mut joints: Vec<Joint> = turned(&rig(), 1.0, str::to_owned).joints;
    // Without the spine: the head is where it was, on the hips.
    let whole = Rest::of(&Rig::new(joints.clone()));
    let local = whole.world(Some(1)).inverse() * whole.world(Some(3));
    joints[3].parent = Some(1);
    joints[3].rest.translation = local.w_axis.truncate();
    joints[3].rest.rotation = whole.turn(Some(1)).conjugate() * whole.turn(Some(3));
    joints[2].name = "unused".into();
    let to = Rig::new(joints);
    let before = dance(Interpolation::Linear);
    let mut made = before.clone();
    let did = retarget(&mut made, &from, &to, RetargetOptions::default()).unwrap();
    assert!(did.words.contains("not mapped: \"spine\""), "{}", did.words);
    let error = did.figures.iter().find(|figure| figure.what.contains("error")).unwrap().value;
    let (own, theirs) = (Rest::of(&from), Rest::of(&to));
    for step in 0..=40 {
        let secs = f64::from(step) / 40.0;
        let [was, is] = [(&before, &from), (&made, &to)].map(|(motion, rig)| pose(motion, rig, secs)[3].1);
        let away = |turn: DQuat, rest: &Rest| turn * rest.turn(Some(3)).conjugate();
        assert!(near(away(was, &own), away(is, &theirs), error + 1e-12), "at {secs}");
    }
}

#[test]
fn whose_translations_is_chosen() {
    let (from, to) = (rig(), turned(&rig(), 2.0, str::to_owned));
    let mut before = dance(Interpolation::Linear);
    before.push("head", Curve::Translation(Keys::straight([(0.0, DVec3::ONE), (1.0, DVec3::ZERO)])));
    before.push("head", Curve::Scale(Keys::straight([(0.0, DVec3::splat(3.0))])));
    let far = |translations, factor| {
        let mut made = before.clone();
        retarget(&mut made, &from, &to, RetargetOptions { translations, factor, ..Default::default() }).unwrap();
        let of = |name: &str| {
            let bone = made.bones.iter().position(|bone| bone.name == name).unwrap();
            let keys = made.tracks.iter().find_map(|track| match &track.curve {
                Curve::Translation(keys) if track.bone == bone => Some(keys.clone()),
                _ => None,
            });
            keys.map(|keys| (keys.values[0] - keys.values.last().unwrap()).length())
        };
        (of("hips").unwrap(), of("head"))
    };
    let (root, none) = far(Translations::Root, None);
    assert_eq!(none, None);
    let (scaled, head) = far(Translations::Scaled, None);
    assert!((scaled - root).abs() < 1e-12);
    let (all, other) = far(Translations::All, None);
    assert!((root / all - 2.0).abs() < 1e-12 && (head.unwrap() / other.unwrap() - 2.0).abs() < 1e-12);
    assert!((far(Translations::Root, Some(6.0)).0 / all - 6.0).abs() < 1e-12);
    for factor in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(
            retarget(&mut before.clone(), &from, &to, RetargetOptions { factor: Some(factor), ..Default::default() })
                .is_err()
        );
    }
}

#[test]
fn a_map_says_which_is_which() {
    let (from, to) = (
        rig(),
        turned(&rig(), 1.0, |name| format!("b{}", name.len() * 100 + name.bytes().map(usize::from).sum::<usize>())),
    );
    let other = |name: &str| to.joints[from.find(name).unwrap()].name.clone();
    let map = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(own, other)| ((*own).to_owned(), (*other).to_owned())).collect::<BTreeMap<_, _>>()
    };
    let options = |map| RetargetOptions { map: Some(map), ..Default::default() };
    let some = map(&[("head", &other("head")), ("hips", ""), ("tail", "x"), ("spine", "nowhere")]);
    let mut made = dance(Interpolation::Linear);
    let did = retarget(&mut made, &from, &to, options(&some)).unwrap();
    assert_eq!(made.bones.iter().map(|bone| bone.name.clone()).collect::<Vec<_>>(), [other("head")]);
    assert!(did.words.contains("no joint of either skeleton: \"nowhere\", \"tail\""), "{}", did.words);
    assert!(did.words.contains("not mapped: \"hips\""), "{}", did.words);
    let none = map(&[("hips", "")]);
    let why = retarget(&mut dance(Interpolation::Linear), &from, &to, options(&none)).unwrap_err();
    assert!(why.0.contains("--propose"), "{why}");
    // What the map does not name goes by its own name.
    let mut made = dance(Interpolation::Linear);
    retarget(&mut made, &from, &from, options(&none)).unwrap();
    assert!(made.bones.iter().all(|bone| bone.name != "hips") && made.bones.iter().any(|bone| bone.name == "foot_l"));
}

#[test]
fn relative_values_shapes_and_strangers() {
    let rig = rig();
    let before = dance(Interpolation::Linear);
    let mut additive = before.clone();
    crate::ops::make_additive(&mut additive, crate::ops::Reference::Rest, Some(&rig), ModifierScope::Both).unwrap();
    additive.bones.push(Bone { name: "smile".into(), origin: Some(9), is_shape: true, ..Bone::default() });
    additive
        .tracks
        .push(Track { bone: additive.bones.len() - 1, curve: Curve::MorphWeights(Keys::straight([(0.0, vec![0.5])])) });
    additive.push("tail", Curve::Rotation(Keys::straight([(0.0, turn(1.0))])));
    let did = retarget(&mut additive, &rig, &rig, RetargetOptions::default()).unwrap();
    assert!(did.words.contains("not in the skeleton it is from: \"tail\""), "{}", did.words);
    assert_eq!(additive.blend, Blend::Absolute);
    let shape = additive.tracks.last().unwrap();
    assert_eq!((additive.bones[shape.bone].name.as_str(), additive.bones[shape.bone].origin), ("smile", Some(9)));
    for (was, is) in pose(&before, &rig, 0.3).into_iter().zip(pose(&additive, &rig, 0.3)) {
        assert!((was.0 - is.0).length() < 1e-12 && near(was.1, is.1, 1e-12));
    }
}

proptest! {
    #[test]
    fn any_two_skeletons_take_it_without_harm(parents in prop::collection::vec(0usize..9, 7), others in prop::collection::vec(0usize..9, 7), size in 0.0f64..2.0) {
        let build = |parents: &[usize], size: f64| Rig::new(parents.iter().enumerate().map(|(at, parent)| Joint {
            name: NAMES[at].0.into(),
            parent: Some(*parent),
            rest: Trs { translation: DVec3::X * size, rotation: turn(at as f64), scale: DVec3::ONE },
        }).collect());
        let mut made = dance(Interpolation::Linear);
        retarget(&mut made, &build(&parents, 1.0), &build(&others, size), RetargetOptions { translations: Translations::Scaled, ..Default::default() }).unwrap();
        for track in &made.tracks {
            prop_assert!(track.curve.times_secs().windows(2).all(|pair| pair[0] < pair[1]));
            if let Curve::Translation(keys) = &track.curve {
                prop_assert!(keys.values.iter().all(|value| value.is_finite()));
            }
        }
    }
}
