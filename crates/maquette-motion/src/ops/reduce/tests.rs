//! What is left is as near as told, for curves alone and for vertices; and hardly any more keys than the fewest there are.

use super::fewest::{Gaps, fewest};
use super::*;
use crate::{Event, OfClip};
use maquette_scene::clip::{self, Clip, Target};
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::mesh::{Influences, Mesh, MorphTarget, Primitive, Streams};
use maquette_scene::pose;
use maquette_scene::scene::{Node, Skin, Transform};
use proptest::prelude::*;

/// Numbers that look like chance and are the same every time.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

fn quaternion(turn: DVec3) -> DQuat {
    DQuat::from_scaled_axis(turn)
}

/// A wandering line: smooth where it is not rough.
fn wander(dice: &mut Dice, count: usize, rough: f64) -> Vec<DVec3> {
    let (mut at, mut speed) = (DVec3::ZERO, DVec3::ZERO);
    let step = |_| {
        speed = speed * 0.95 + dice.vector() * 0.01;
        at += speed;
        at + dice.vector() * rough
    };
    (0..count).map(step).collect()
}

fn times(count: usize) -> Vec<f64> {
    (0..count).map(|key| key as f64 / 30.0).collect()
}

/// How far two curves are apart, looked at between all keys.
fn looked<T: Value>(before: &Keys<T>, after: &Keys<T>, apart: impl Fn(&T, &T) -> f64) -> f64 {
    let [first, last] = [0.0, before.times_secs.last().unwrap() + 0.5];
    let mut moments: Vec<f64> = vec![first, last];
    for pair in before.times_secs.windows(2) {
        moments.extend((0..16).map(|part| pair[0] + (pair[1] - pair[0]) * f64::from(part) / 16.0));
        moments.push(pair[1] - 1e-12);
    }
    moments.into_iter().map(|secs| apart(&before.at(secs).unwrap(), &after.at(secs).unwrap())).fold(0.0, f64::max)
}

fn angle(one: &DQuat, other: &DQuat) -> f64 {
    Rotations.apart(&one.finished(), &other.finished())
}

fn fewest_of<M: Measure>(keys: &Keys<M::Value>, measure: &M, most: f64) -> Kept {
    kept(keys, measure, most, 0.0)
}

fn left<T: Value>(keys: &Keys<T>, kept: &Kept) -> Keys<T> {
    let mut left = keys.clone();
    left.keep(|key| kept.keys.contains(&key));
    left
}

#[test]
fn what_is_left_is_as_near_as_told() {
    let mut dice = Dice(1);
    for round in 0..60 {
        let rough = [0.0, 1e-3, 1e-2, 0.3][round % 4];
        let values = wander(&mut dice, 2 + round * 3, rough);
        for interpolation in [Interpolation::Step, Interpolation::Linear] {
            let moves = Keys { times_secs: times(values.len()), values: values.clone(), interpolation };
            let turns = Keys {
                times_secs: times(values.len()),
                values: values.iter().map(|turn| quaternion(*turn * 3.0)).collect(),
                interpolation,
            };
            for most in [0.0, 1e-5, 1e-3, 1e-2, 0.1, 1.0] {
                let kept = fewest_of(&moves, &Translations, most);
                let off = looked(&moves, &left(&moves, &kept), |one, other| one.distance(*other));
                assert!(off <= kept.error + 1e-12 && kept.error <= most, "{round} {most}: {off} {}", kept.error);
                let kept = fewest_of(&turns, &Rotations, most);
                let off = looked(&turns, &left(&turns, &kept), angle);
                assert!(off <= kept.error + 1e-7 && kept.error <= most, "{round} {most}: {off} {}", kept.error);
            }
        }
    }
}

#[test]
fn long_turns_and_opposite_signs_are_no_trap() {
    // Whole turns at a steady pace: a key may go only while the shortest way is the one that is gone.
    let steady = |step: f64| {
        let sign = |key: i32| if key % 2 == 0 { 1.0 } else { -1.0 };
        Keys::straight((0..200).map(|key| (f64::from(key), DQuat::from_rotation_y(f64::from(key) * step) * sign(key))))
    };
    for step in [0.01, 0.3, 1.0, 3.0] {
        let turns = steady(step);
        let kept = fewest_of(&turns, &Rotations, 1e-9);
        assert!(looked(&turns, &left(&turns, &kept), angle) < 2e-8, "{step}");
        assert!(kept.keys.len() as f64 <= 200.0 * step / 1.5 + 3.0, "{step}: {}", kept.keys.len());
    }
}

#[test]
fn splines_stay_splines_and_are_as_near_as_told() {
    let mut dice = Dice(5);
    for round in 0..40 {
        // One cubic, cut into many pieces, and a little beside it.
        let rough = [0.0, 1e-4, 1e-2][round % 3];
        let whole = Keys {
            times_secs: vec![0.0, 4.0],
            values: (0..6).map(|_| dice.vector()).collect(),
            interpolation: Interpolation::CubicSpline,
        };
        let mut cut = Keys { times_secs: Vec::new(), values: Vec::new(), interpolation: Interpolation::CubicSpline };
        for key in 0..=16 {
            cut.times_secs.push(f64::from(key) / 4.0);
            let mut three = whole.key_at(f64::from(key) / 4.0);
            if key == 16 {
                three = whole.values[3..].to_vec();
            }
            three[1] += dice.vector() * rough;
            cut.values.extend(three);
        }
        cut.values[2] = whole.values[2];
        for most in [1e-9, 1e-3, 3e-2] {
            let kept = fewest_of(&cut, &Translations, most);
            let off = looked(&cut, &left(&cut, &kept), |one, other| one.distance(*other));
            assert!(off <= kept.error + 1e-12 && kept.error <= most, "{round} {most}: {off} {}", kept.error);
            assert!(rough * 3.0 > most || kept.keys == [0, 16], "{round} {most}: {:?}", kept.keys);
            let turns = Keys {
                times_secs: cut.times_secs.clone(),
                values: cut
                    .values
                    .chunks(3)
                    .flat_map(|three| {
                        let four = |v: DVec3, w: f64| DQuat::from_xyzw(v.x, v.y, v.z, w);
                        [four(three[0], 0.0), four(three[1], 1.0), four(three[2], 0.0)]
                    })
                    .collect(),
                interpolation: Interpolation::CubicSpline,
            };
            let kept = fewest_of(&turns, &Rotations, most);
            let off = looked(&turns, &left(&turns, &kept), angle);
            assert!(off <= kept.error + 1e-7 && kept.error <= most, "{round} {most}: {off} {}", kept.error);
        }
    }
}

/// The fewest keys with the first and the last among them, by trying everything.
fn fewest_of_all(gaps: &impl Gaps, most: f64) -> usize {
    let mut need = vec![usize::MAX; gaps.len()];
    need[0] = 1;
    for to in 1..gaps.len() {
        need[to] =
            (0..to).filter(|from| gaps.between(*from, to, most).is_some()).map(|from| need[from] + 1).min().unwrap();
    }
    *need.last().unwrap()
}

#[test]
fn hardly_any_more_keys_than_the_fewest() {
    let mut dice = Dice(9);
    let (mut found, mut best) = (0, 0);
    for round in 0..40 {
        let values = wander(&mut dice, 150, [0.0, 3e-4, 1e-2][round % 3]);
        let times = times(values.len());
        let straight = Straight::new(&times, &values, &Translations, 0.0);
        for most in [1e-3, 1e-2] {
            found += fewest(&straight, most).keys.len();
            best += fewest_of_all(&straight, most);
        }
    }
    assert!(found as f64 <= best as f64 * 1.1, "{found} of {best}");
}

#[test]
fn nothing_but_the_redundant_goes_without_tolerance() {
    let mut motion = Motion { duration_secs: 4.0, on_frames: true, ..Motion::default() };
    let x = |x: f64| DVec3::new(x, 0.0, 0.0);
    let line = [0.0, 1.0, 2.0, 3.0, 2.0];
    motion.push(
        "line",
        Curve::Translation(Keys::straight(line.iter().enumerate().map(|(key, at)| (key as f64, x(*at))))),
    );
    let still = DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9);
    motion.push("still", Curve::Rotation(Keys::straight((0..5).map(|key| (f64::from(key), still)))));
    let near = DQuat::from_rotation_x(1e-7);
    let nearly = [DQuat::IDENTITY, DQuat::IDENTITY, DQuat::IDENTITY, near, DQuat::IDENTITY];
    motion.push(
        "nearly",
        Curve::Rotation(Keys::straight(nearly.iter().enumerate().map(|(key, turn)| (key as f64, *turn)))),
    );
    motion.events.push(Event { time_secs: 2.5, name: "step".into() });
    let exact = Tolerance { distance: 0.0, at: Some(0.1), drop_rest: false };
    let did = reduce(&mut motion, &exact, None, None).unwrap();
    let left: Vec<&[f64]> = motion.tracks.iter().map(|track| track.curve.times_secs()).collect();
    assert_eq!(left, [&[0.0, 3.0, 4.0][..], &[0.0], &[2.0, 3.0, 4.0]], "{}", did.words);
    assert_eq!((motion.events.len(), motion.duration_secs), (1, 4.0));
    for (distance, at) in [(-1.0, 0.1), (f64::NAN, 0.1), (1.0, 0.0), (f64::INFINITY, 1.0)] {
        assert!(reduce(&mut motion, &Tolerance { distance, at: Some(at), drop_rest: false }, None, None).is_err());
    }
}

#[test]
fn a_clip_without_frames_is_as_long_as_before() {
    let mut motion = Motion { duration_secs: 2.0, ..Motion::default() };
    motion.push("a", Curve::Translation(Keys::straight((0..3).map(|key| (f64::from(key), DVec3::ONE)))));
    let mut on_frames = Motion { on_frames: true, ..motion.clone() };
    let asked = Tolerance { distance: 1e-3, at: Some(0.1), drop_rest: false };
    reduce(&mut motion, &asked, None, None).unwrap();
    assert_eq!(motion.tracks[0].curve.times_secs(), [0.0, 2.0]);
    reduce(&mut on_frames, &asked, None, None).unwrap();
    assert_eq!(on_frames.tracks[0].curve.times_secs(), [0.0]);
}

/// An arm of joints a unit apart; a skin that two joints move at each vertex, things that hang at joints, a shape.
fn arm(joints: usize, scale: f32) -> Scene {
    let mut scene = Scene::default();
    let handles: Vec<_> = (0..joints)
        .map(|joint| {
            scene.nodes.push(Node {
                name: format!("joint{joint}"),
                transform: Transform::Trs(maquette_scene::scene::Trs {
                    translation: if joint == 0 { Vec3::ZERO } else { Vec3::X },
                    scale: Vec3::splat(if joint == 1 { scale } else { 1.0 }),
                    ..maquette_scene::scene::Trs::IDENTITY
                }),
                ..Node::default()
            })
        })
        .collect();
    for pair in handles.windows(2) {
        scene.nodes.get_mut(pair[0]).unwrap().children.push(pair[1]);
    }
    let world = scene.rest_world_from_node();
    let joint_from_mesh: Vec<Mat4> = world.iter().take(joints).map(Mat4::inverse).collect();
    let skin = scene.skins.push(Skin { joints: handles.clone(), joint_from_mesh, ..Skin::default() });
    let mut influences = Vec::new();
    let mut positions = Vec::new();
    for (joint, world) in world.iter().enumerate().take(joints) {
        for side in [-0.2f32, 0.2] {
            let place = world.transform_point3(Vec3::new(0.3, side, 0.1));
            positions.push(place.to_array());
            let next = (joint + 1).min(joints - 1);
            influences.push([(joint as u32, 0.7), (next as u32, 0.3)]);
        }
    }
    let influences = Influences::from_lists(influences.iter().map(|list| &list[..]));
    let shape = MorphTarget { positions: vec![[0.0, 0.5, 0.0]; positions.len()], ..MorphTarget::default() };
    let streams = Streams { positions, influences: Some(influences), ..Streams::default() };
    let primitive = Primitive { streams, morph_targets: vec![shape], ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], morph_weights: vec![0.0], ..Mesh::default() });
    let body = scene.nodes.push(Node { name: "body".into(), mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene.roots = vec![handles[0], body];
    scene
}

/// Keys for every joint, of a kind that changes from joint to joint, and for the shape.
fn wave(scene: &Scene, dice: &mut Dice, keys: usize, blend: Blend) -> Clip {
    let mut clip = Clip { duration_secs: (keys - 1) as f64 / 30.0, blend, ..Clip::default() };
    let secs: Vec<f32> = times(keys).iter().map(|secs| *secs as f32).collect();
    for (at, node) in scene.nodes.handles().enumerate() {
        let line: Vec<DVec3> = wander(dice, keys, [0.0, 1e-3][at % 2]);
        let vectors = |home: Vec3, size: f32| {
            line.iter().map(|value| (home + value.as_vec3() * size).to_array()).collect::<Vec<_>>()
        };
        let curve = match at {
            _ if scene.nodes.get(node).unwrap().mesh.is_some() => clip::Curve::MorphWeights(clip::Keys {
                times_secs: secs.clone(),
                values: line.iter().map(|value| vec![value.x as f32]).collect(),
                interpolation: Interpolation::Linear,
            }),
            2 => clip::Curve::Scale(clip::Keys {
                times_secs: secs.clone(),
                values: vectors(Vec3::ONE, 0.3),
                interpolation: Interpolation::Linear,
            }),
            3 => {
                let spline =
                    vectors(Vec3::X, 0.5).windows(2).flat_map(|pair| [pair[0], pair[0], pair[1]]).collect::<Vec<_>>();
                clip::Curve::Translation(clip::Keys {
                    times_secs: secs[..keys - 1].to_vec(),
                    values: spline,
                    interpolation: Interpolation::CubicSpline,
                })
            }
            _ if at % 3 == 1 => clip::Curve::Translation(clip::Keys {
                times_secs: secs.clone(),
                values: vectors(Vec3::X, 0.5),
                interpolation: if at == 1 { Interpolation::Step } else { Interpolation::Linear },
            }),
            _ => clip::Curve::Rotation(clip::Keys {
                times_secs: secs.clone(),
                values: line.iter().map(|value| quaternion(*value * 2.0).as_quat().to_array()).collect(),
                interpolation: Interpolation::Linear,
            }),
        };
        clip.tracks.push(clip::Track { target: Target::Node(node), curve, blend: None });
    }
    clip
}

/// How far vertices are apart, by the yardstick, at moments ten times as many as keys.
fn by_the_yardstick(scene: &Scene, before: &Clip, after: &Clip, keys: usize) -> f32 {
    let moments = (0..keys * 10).map(|moment| before.duration_secs as f32 * moment as f32 / (keys * 10) as f32);
    let apart = |secs: f32| {
        let [before, after] = [before, after].map(|clip| pose::positions_at(scene, clip, secs));
        before.iter().zip(&after).map(|(before, after)| before.distance(*after)).fold(0.0, f32::max)
    };
    moments.map(apart).fold(0.0, f32::max)
}

#[test]
fn no_vertex_is_farther_off_than_asked_and_the_bound_is_used() {
    let mut dice = Dice(3);
    for (joints, scale, blend) in
        [(1, 1.0, Blend::Absolute), (6, 1.0, Blend::Absolute), (6, 20.0, Blend::Relative), (12, 0.5, Blend::Additive)]
    {
        let scene = arm(joints, scale);
        let clip = wave(&scene, &mut dice, 60, blend);
        let of_clip = OfClip::new(&scene, &clip);
        let rig = Rig::of_scene(&scene);
        let mut before = usize::MAX;
        for distance in [0.0, 1e-4, 1e-3, 1e-2, 0.1, 1.0] {
            let mut motion = of_clip.motion.clone();
            let asked = Tolerance { distance, at: Some(0.1), drop_rest: false };
            let did = reduce(&mut motion, &asked, Some(&scene), Some(&rig)).unwrap();
            let off = by_the_yardstick(&scene, &clip, &of_clip.clip(&motion, &scene, &clip), 60);
            let told = did.figures.iter().find(|figure| figure.what == "largest error").unwrap().value;
            let rounding = 1e-5 * f64::from(scale.max(1.0));
            assert!(f64::from(off) <= told + rounding && told <= distance, "{joints} {distance}: {off} {told}");
            let part = motion.key_count() as f64 / of_clip.motion.key_count() as f64;
            assert!(
                !(0.1..0.8).contains(&part) || told >= distance * 0.6,
                "{joints} {distance}: {told}, {}",
                did.words
            );
            assert!(motion.key_count() <= before, "{joints} {distance}: {} {before}", motion.key_count());
            before = motion.key_count();
            assert!(before <= of_clip.motion.key_count());
        }
    }
}

#[test]
fn tracks_at_rest_go_only_where_asked() {
    let scene = arm(3, 1.0);
    let rig = Rig::of_scene(&scene);
    let mut motion = Motion { duration_secs: 1.0, on_frames: true, ..Motion::default() };
    let rest = rig.rest("joint1").unwrap().translation;
    motion.push("joint1", Curve::Translation(Keys::straight([(0.0, rest), (1.0, rest + DVec3::X * 1e-5)])));
    motion.push("joint2", Curve::Translation(Keys::straight([(0.0, DVec3::ZERO), (1.0, DVec3::ZERO)])));
    let mut asked = Tolerance { distance: 1e-3, at: Some(0.1), drop_rest: false };
    let mut kept = motion.clone();
    reduce(&mut kept, &asked, Some(&scene), Some(&rig)).unwrap();
    assert_eq!((kept.tracks.len(), kept.key_count()), (2, 2));
    asked.drop_rest = true;
    let mut dropped = motion.clone();
    reduce(&mut dropped, &asked, Some(&scene), Some(&rig)).unwrap();
    assert_eq!(dropped.tracks.len(), 1, "the second is not at rest");
    assert_eq!(dropped.tracks[0].bone, 1);
    let mut relative = Motion { blend: Blend::Relative, ..motion };
    reduce(&mut relative, &asked, Some(&scene), Some(&rig)).unwrap();
    assert_eq!(relative.tracks[0].bone, 0, "nothing is added by the second");
    assert_eq!(relative.tracks.len(), 1);
}

proptest! {
    #[test]
    fn kept_keys_are_keys_of_before(
        steps in prop::collection::vec((0.001f64..2.0, prop::array::uniform3(-5.0f64..5.0)), 1..40),
        most in 0.0f64..4.0,
    ) {
        let mut now = 0.0;
        let keys = Keys::straight(steps.iter().map(|(step, value)| { now += step; (now, DVec3::from(*value)) }));
        let kept = fewest_of(&keys, &Translations, most);
        prop_assert!(!kept.keys.is_empty() && kept.keys.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(looked(&keys, &left(&keys, &kept), |one, other| one.distance(*other)) <= kept.error + 1e-9);
        prop_assert!(kept.error <= most);
    }
}

#[test]
fn rough_curves_are_not_looked_at_over_and_over() {
    /// Counts the keys that are looked at.
    struct Counted<'c, G>(&'c G, std::cell::Cell<usize>);
    impl<G: Gaps> Gaps for Counted<'_, G> {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn between(&self, from: usize, to: usize, most: f64) -> Option<f64> {
            self.1.set(self.1.get() + to - from);
            self.0.between(from, to, most)
        }

        fn held(&self, from: usize, to: usize, value: usize, most: f64) -> Option<f64> {
            self.1.set(self.1.get() + to - from);
            self.0.held(from, to, value, most)
        }
    }
    let mut dice = Dice(4);
    let mut values: Vec<DVec3> = (0..5000).map(|_| dice.vector() * 0.5).collect();
    values.push(DVec3::X * 100.0);
    let times = times(values.len());
    let straight = Straight::new(&times, &values, &Translations, 0.0);
    for most in [0.01, 0.3, 0.6, 0.9, 2.0, 50.0] {
        let counted = Counted(&straight, Default::default());
        fewest(&counted, most);
        assert!(counted.1.get() < 5000 * 60, "{most}: {}", counted.1.get());
    }
}

fn asked(distance: f64) -> Tolerance {
    Tolerance { distance, at: None, drop_rest: false }
}

fn told(did: &Did, what: &str) -> f64 {
    did.figures.iter().find(|figure| figure.subject.is_empty() && figure.what == what).unwrap().value
}

#[test]
fn a_straight_line_in_single_precision_is_redundant_but_for_its_ends() {
    let mut motion = Motion { duration_secs: 255.0, on_frames: true, ..Motion::default() };
    let line = |key: i32, step: f64| (f64::from(key), DVec3::new(f64::from((f64::from(key) * step) as f32), 3.0, 0.0));
    motion.push("line", Curve::Translation(Keys::straight((0..256).map(|key| line(key, 0.1)))));
    let turn = |key: i32| {
        let exact = DQuat::from_rotation_y(f64::from(key) * 0.004).as_quat();
        (f64::from(key), exact.as_dquat())
    };
    motion.push("line", Curve::Rotation(Keys::straight((0..256).map(turn))));
    let (before, mut bent) = (motion.clone(), motion.clone());
    let did = reduce(&mut motion, &asked(0.0), None, None).unwrap();
    assert_eq!(motion.key_count(), 4, "{}", did.words);
    assert_eq!(told(&did, "largest error"), 0.0);
    // A step of the last place more is a bend.
    let Curve::Translation(keys) = &mut bent.tracks[0].curve else { panic!() };
    keys.values[128].x += 1e-5;
    reduce(&mut bent, &asked(0.0), None, None).unwrap();
    assert!(bent.tracks[0].curve.len() > 2);
    // Doubles are held to their own precision.
    let mut doubles = before;
    let Curve::Translation(keys) = &mut doubles.tracks[0].curve else { panic!() };
    keys.values.iter_mut().enumerate().for_each(|(key, value)| value.x = key as f64 * 0.1);
    keys.values[128].x += 1e-9;
    reduce(&mut doubles, &asked(0.0), None, None).unwrap();
    assert_eq!(doubles.tracks[0].curve.len(), 5);
}

#[test]
fn keys_are_counted_as_they_are_left_and_looser_is_never_more() {
    let mut motion = Motion { duration_secs: 2.0, ..Motion::default() };
    // There and back, and hardly moving at its end: a loose tolerance could end it early.
    let places = [0.0, 0.5, 1.0, 0.5, 0.02, 0.01, 0.0];
    let keys = places.iter().enumerate().map(|(key, x)| (key as f64 / 3.0, DVec3::new(*x, 1.0, 0.0)));
    motion.push("a", Curve::Translation(Keys::straight(keys)));
    let mut last = usize::MAX;
    for distance in [0.0, 1e-3, 0.01, 0.03, 0.1, 0.3, 0.6, 2.0] {
        let mut reduced = motion.clone();
        let did = reduce(&mut reduced, &asked(distance), None, None).unwrap();
        let of_bone = did.figures.iter().find(|figure| figure.subject == "a" && figure.what == "keys after").unwrap();
        assert_eq!((of_bone.value, told(&did, "keys after")), (reduced.key_count() as f64, reduced.key_count() as f64));
        assert_eq!(reduced.tracks[0].curve.times_secs().last(), Some(&2.0), "as long as before");
        assert!(reduced.key_count() <= last, "{distance}: {} {last}", reduced.key_count());
        last = reduced.key_count();
    }
    assert_eq!(last, 2);
}

#[test]
fn without_a_model_turns_are_looked_at_as_far_away_as_bones_are_long() {
    let clip = |size: f64| {
        let mut motion = Motion { duration_secs: 2.0, on_frames: true, ..Motion::default() };
        for (bone, length) in [("hip", 1.0), ("spine", 0.5), ("hand", 0.25)] {
            motion.push(bone, Curve::Translation(Keys::straight([(0.0, DVec3::Y * length * size)])));
            let turns =
                (0..=60).map(|key| (f64::from(key) / 30.0, DQuat::from_rotation_z((f64::from(key) * 0.2).sin())));
            motion.push(bone, Curve::Rotation(Keys::straight(turns)));
        }
        motion
    };
    let left = |size: f64, distance: f64| {
        let mut motion = clip(size);
        let did = reduce(&mut motion, &asked(distance), None, None).unwrap();
        assert!(did.words.contains("no bound for vertices"), "{}", did.words);
        (motion.key_count(), told(&did, "distance of turns"))
    };
    // The same in metres and in centimetres.
    assert_eq!((left(1.0, 0.005).1, left(100.0, 0.5).1), (1.75, 175.0));
    assert_eq!(left(1.0, 0.005).0, left(100.0, 0.5).0);
    assert!(reduce(&mut clip(1.0), &asked(1.75), None, None).is_err(), "any turn would do");
    // Of differences no length is known: a thousandth of a radian, however much is allowed.
    let mut added = Motion { blend: Blend::Additive, ..clip(1.0) };
    let before = added.clone();
    reduce(&mut added, &asked(5.0), None, None).unwrap();
    for (was, is) in before.tracks.iter().zip(&added.tracks) {
        if let (Curve::Rotation(was), Curve::Rotation(is)) = (&was.curve, &is.curve) {
            assert!(looked(was, is, angle) <= 1e-3);
        }
    }
    let rest = Tolerance { drop_rest: true, ..asked(0.01) };
    assert!(reduce(&mut clip(1.0), &rest, None, None).is_err(), "only a model tells what rests");
}

#[test]
fn the_skeleton_has_to_be_that_of_the_clip() {
    let scene = arm(3, 1.0);
    let rig = Rig::of_scene(&scene);
    let clip = |bones: &[&str]| {
        let mut motion = Motion { duration_secs: 1.0, on_frames: true, ..Motion::default() };
        for bone in bones {
            let turns =
                (0..=30).map(|key| (f64::from(key) / 30.0, DQuat::from_rotation_z(f64::from(key * key) * 1e-3)));
            motion.push(bone, Curve::Rotation(Keys::straight(turns)));
        }
        motion
    };
    let refusal = reduce(&mut clip(&["tail", "wing"]), &asked(0.1), Some(&scene), Some(&rig)).unwrap_err();
    assert!(refusal.0.contains("no bone of it is in the skeleton: \"tail\", \"wing\""), "{refusal}");
    let did = reduce(&mut clip(&["joint1", "wing"]), &asked(0.1), Some(&scene), Some(&rig)).unwrap();
    assert!(
        did.words.contains("1 of its bones are not in the skeleton") && did.words.ends_with("\"wing\""),
        "{}",
        did.words
    );
    let did = reduce(&mut clip(&["joint1"]), &asked(0.1), Some(&scene), Some(&rig)).unwrap();
    assert!(!did.words.contains("not in the skeleton"), "{}", did.words);
}

#[test]
fn weights_of_shapes_that_no_mesh_has_are_no_lengths() {
    let scene = arm(3, 1.0);
    let rig = Rig::of_scene(&scene);
    for model in [Some(&scene), None] {
        let mut motion = Motion { duration_secs: 1.0, on_frames: true, ..Motion::default() };
        motion.push("joint1", Curve::Translation(Keys::straight([(0.0, DVec3::X)])));
        motion.bones.push(Bone { name: "smile".into(), is_shape: true, ..Bone::default() });
        let weights =
            (0..=10).map(|key| (f64::from(key) / 10.0, vec![f64::from(key) / 10.0 + f64::from(key % 2) * 1e-4]));
        motion.tracks.push(Track { bone: 1, curve: Curve::MorphWeights(Keys::straight(weights)) });
        let did = reduce(&mut motion, &asked(0.5), model, model.map(|_| &rig)).unwrap();
        assert_eq!(motion.tracks[1].curve.len(), 2, "from 0 to 1");
        assert!((1e-5..=WEIGHT_TOLERANCE).contains(&told(&did, "largest error of a weight")));
        assert_eq!(told(&did, "largest error"), 0.0, "no length");
    }
}
