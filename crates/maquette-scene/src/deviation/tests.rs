//! What is worked out, held against a close look at many moments, in doubles.

use super::body::{Body, Reach};
use super::curves::apart;
use super::space::{Rotations, Scales, Space, Span, Translations};
use super::*;
use crate::Handle;
use crate::clip::{Interpolation, Keys, Track};
use crate::mesh::{Influences, Mesh, Primitive, Streams};
use crate::pose;
use crate::scene::{Node, Skin, Transform, Trs};
use glam::{Mat4, Quat, Vec3};

/// Numbers from -1 to 1 that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1u32 << 30) - 1.0
    }

    fn array<const N: usize>(&mut self, size: f64) -> [f64; N] {
        [0.0; N].map(|_| self.roll() * size)
    }
}

fn distance<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// The angle between two rotations.
fn angle(a: [f64; 4], b: [f64; 4]) -> f64 {
    let away = [a, b.map(|number| -number)];
    let [near, far] = [distance(a, b), distance(away[0], away[1])];
    4.0 * near.min(far).atan2(near.max(far))
}

/// How far a part of a span is from straight at any of many moments.
fn seen<S: Space<N>, const N: usize>(span: &Span<N>, [from, to]: [f64; 2], off: fn([f64; N], [f64; N]) -> f64) -> f64 {
    let [start, end] = [from, to].map(|t| S::value(span.at(t)));
    let at = |moment: u32| {
        let part = f64::from(moment) / 1000.0;
        off(S::value(span.at(from + (to - from) * part)), S::between(start, end, part))
    };
    (0..=1000).map(at).fold(0.0, f64::max)
}

#[test]
fn a_cubic_is_off_its_chord_by_what_its_second_derivative_says() {
    // x = t³ is 2/(3√3) off the line from 0 to 1, and t² a quarter.
    let cube = Span { ends: [[0.0; 3], [1.0, 0.0, 0.0]], tangents: [[0.0; 3], [3.0, 0.0, 0.0]] };
    let exact = 2.0 / 27f64.sqrt();
    let bound = Translations::bend(&cube, 0.0, 1.0);
    assert!((exact..1.001 * exact).contains(&bound), "{bound}");
    let square = Span { ends: [[0.0; 3], [0.0, 1.0, 0.0]], tangents: [[0.0; 3], [0.0, 2.0, 0.0]] };
    let bound = Translations::bend(&square, 0.0, 1.0);
    assert!((bound - 0.25).abs() < 1e-12, "{bound}");
    // A tenth of the way is a hundredth of it.
    assert!((Translations::bend(&square, 0.4, 0.5) - 0.0025).abs() < 1e-12);
}

#[test]
fn no_vector_of_a_span_is_farther_off_than_its_bend() {
    let mut dice = Dice(1);
    for _ in 0..300 {
        let span = Span { ends: [dice.array(1.0), dice.array(1.0)], tangents: [dice.array(9.0), dice.array(9.0)] };
        for part in [[0.0, 1.0], [0.3, 0.5], [0.71, 0.72]] {
            let (seen, bound) =
                (seen::<Translations, 3>(&span, part, distance), Translations::bend(&span, part[0], part[1]));
            assert!(seen <= bound * (1.0 + 1e-9), "{seen} {bound} {span:?}");
            assert!(part[1] - part[0] > 0.1 || bound < 1.3 * seen, "{seen} {bound} {span:?}");
        }
    }
}

#[test]
fn a_scale_is_off_by_its_worst_axis() {
    fn worst(a: [f64; 3], b: [f64; 3]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }
    let mut dice = Dice(8);
    for _ in 0..300 {
        let span = Span { ends: [dice.array(1.0), dice.array(1.0)], tangents: [dice.array(9.0), dice.array(9.0)] };
        for part in [[0.0, 1.0], [0.3, 0.5], [0.71, 0.72]] {
            let (seen, bound) = (seen::<Scales, 3>(&span, part, worst), Scales::bend(&span, part[0], part[1]));
            assert!(seen <= bound * (1.0 + 1e-9), "{seen} {bound} {span:?}");
            assert!(part[1] - part[0] > 0.1 || bound < 1.3 * seen, "{seen} {bound} {span:?}");
        }
    }
    // All axes at once take a vertex no farther than one of them alone.
    let keys =
        |scale: f32| Keys { times_secs: vec![0.0], values: vec![[scale; 3]], interpolation: Interpolation::Linear };
    let [before, after] = [1.0, 1.25].map(|scale| Curve::Scale(keys(scale)));
    assert_eq!(apart(&before, &after), 0.25);
    let bound = of_clips(&arm(), &clip_of(0, before), &clip_of(0, after));
    assert!((0.5..0.500_001).contains(&bound), "the vertex is one unit away, below an arm of twice the size: {bound}");
}

#[test]
fn no_rotation_of_a_span_is_farther_off_than_its_bend() {
    let mut dice = Dice(2);
    let mut tight = 0;
    for round in 0..600 {
        let size = [0.1, 0.5, 3.0][round % 3];
        let start = Rotations::value(dice.array(1.0));
        let [step, out, into]: [[f64; 4]; 3] = [dice.array(size), dice.array(size), dice.array(size)];
        let plus = |a: [f64; 4], b: [f64; 4]| [0, 1, 2, 3].map(|at| a[at] + b[at]);
        let span = Span { ends: [start, plus(start, step)], tangents: [plus(step, out), plus(step, into)] };
        for part in [[0.0, 1.0], [0.2, 0.4], [0.55, 0.6], [0.9, 0.91]] {
            let (seen, bound) = (seen::<Rotations, 4>(&span, part, angle), Rotations::bend(&span, part[0], part[1]));
            assert!(seen <= bound + 1e-12, "{seen} {bound} {part:?} {span:?}");
            tight += usize::from(bound < 2.0 * seen + 1e-9);
        }
    }
    assert!(tight > 1500, "{tight} of 2400 bounds are less than twice what is seen");
}

#[test]
fn a_spline_of_quaternions_that_turns_evenly_is_as_good_as_straight() {
    // A quarter of a turn in nine keys, with the tangents of the circle: five degrees a span on the sphere of quaternions.
    let around = |angle: f64| [0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()];
    let step = std::f64::consts::FRAC_PI_2 / 9.0;
    let tangent = |angle: f64| [0.0, 0.0, (angle / 2.0).cos() * step / 2.0, -(angle / 2.0).sin() * step / 2.0];
    let span = Span { ends: [around(0.3), around(0.3 + step)], tangents: [tangent(0.3), tangent(0.3 + step)] };
    let bound = Rotations::bend(&span, 0.0, 1.0);
    assert!(bound < 4e-4, "{bound}: across the quaternions it bends by {}", step * step / 32.0);
    assert!(seen::<Rotations, 4>(&span, [0.0, 1.0], angle) <= bound);
}

#[test]
fn a_normalised_line_is_near_the_arc() {
    // What `LINE_FROM_ARC` says: unit ends and no bend leave the lag of the line alone.
    for arc in (1..150).map(|step| f64::from(step) / 100.0) {
        let ends = [[0.0, 0.0, 0.0, 1.0], [arc.sin(), 0.0, 0.0, arc.cos()]];
        let line = [0, 1, 2, 3].map(|at| ends[1][at] - ends[0][at]);
        let span = Span { ends, tangents: [line; 2] };
        let (seen, bound) = (seen::<Rotations, 4>(&span, [0.0, 1.0], angle), Rotations::bend(&span, 0.0, 1.0));
        assert!(seen <= bound && bound < 1.8 * seen + 1e-12, "{arc}: {seen} {bound}");
    }
}

#[test]
fn quaternions_that_pass_near_nothing_may_point_anywhere() {
    let (w, half) = ([0.0, 0.0, 0.0, 1.0], std::f64::consts::PI);
    let through = Span { ends: [w, [1e-3, 0.0, 0.0, -1.0]], tangents: [[0.0; 4]; 2] };
    assert_eq!(Rotations::bend(&through, 0.0, 1.0), half);
    assert_eq!(Rotations::bend(&Span { ends: [[0.0; 4]; 2], tangents: [[0.0; 4]; 2] }, 0.0, 1.0), half);
    let wild =
        Span { ends: [w, w], tangents: [[3e38, 0.0, 0.0, 0.0], [0.0, 3e38, 0.0, -3e38]].map(|t| t.map(|t| t * 3e38)) };
    for part in [[0.0, 1.0], [0.25, 0.250_000_1]] {
        let bound = Rotations::bend(&wild, part[0], part[1]);
        assert!((0.0..=half).contains(&bound), "{bound}");
    }
}

fn vectors(times: &[f32], values: &[[f32; 3]], interpolation: Interpolation) -> Curve {
    Curve::Translation(Keys { times_secs: times.to_vec(), values: values.to_vec(), interpolation })
}

#[test]
fn curves_are_compared_between_the_keys_of_both_and_beyond_them() {
    use Interpolation::{Linear, Step};
    let x = |x: f32| [x, 0.0, 0.0];
    let line = vectors(&[0.0, 1.0], &[x(0.0), x(4.0)], Linear);
    assert_eq!(apart(&line, &line), 0.0);
    assert_eq!(apart(&line, &vectors(&[0.0, 0.5, 1.0], &[x(0.0), x(2.0), x(4.0)], Linear)), 0.0);
    assert_eq!(apart(&line, &vectors(&[0.0, 0.5, 1.0], &[x(0.0), x(5.0), x(4.0)], Linear)), 3.0);
    assert_eq!(apart(&line, &vectors(&[0.5, 1.0], &[x(2.0), x(4.0)], Linear)), 2.0, "it stays before its first key");
    assert_eq!(apart(&line, &vectors(&[0.0, 0.5], &[x(0.0), x(2.0)], Linear)), 2.0, "and after its last");
    // Just before it jumps, a step is where it was.
    assert_eq!(apart(&line, &vectors(&[0.0, 1.0], &[x(0.0), x(4.0)], Step)), 4.0);
    assert_eq!(apart(&line, &vectors(&[0.0, 1.0], &[x(0.0), x(9.0)], Step)), 5.0, "the last jump counts");
    assert_eq!(apart(&line, &vectors(&[3.0], &[x(1.0)], Step)), 3.0);
    assert_eq!(apart(&line, &vectors(&[], &[], Linear)), 0.0);
    let flat = vectors(&[0.0, 1.0], &[x(0.0), x(0.0), x(0.0), x(0.0), x(4.0), x(0.0)], Interpolation::CubicSpline);
    let off = apart(&flat, &line);
    // The smoothstep is 4/(12·√12/..) off: 0.0962 of its way; the second derivatives say 1/8 of 6 at most.
    assert!((0.384..=3.0).contains(&off), "{off}");
}

#[test]
fn rotations_are_compared_by_their_angle_whatever_the_sign_of_their_quaternions() {
    let turned = |angles: &[f32], sign: f32| {
        let values = angles.iter().map(|angle| Quat::from_rotation_z(*angle).to_array().map(|number| number * sign));
        let times_secs = (0..angles.len()).map(|key| key as f32).collect();
        Curve::Rotation(Keys { times_secs, values: values.collect(), interpolation: Interpolation::Linear })
    };
    let bound = apart(&turned(&[0.0, 1.0], 1.0), &turned(&[0.1, 1.2], -1.0));
    assert!((0.2..0.22).contains(&bound), "{bound}");
    assert!(apart(&turned(&[0.0, 1.0], 1.0), &turned(&[0.0, 1.0], -1.0)) < 1e-7);
    // The ends agree and the ways between them do not.
    let bound = apart(&turned(&[0.0, 1.0, 2.0], 1.0), &turned(&[0.0, 1.7, 2.0], 1.0));
    assert!((0.7..0.9).contains(&bound), "{bound}");
}

/// A triangle that two joints move, and a joint without anything.
fn scene() -> Scene {
    let mut scene = Scene::default();
    let positions = vec![[0.0, 0.0, 0.0], [3.0, 0.5, 0.0], [0.0, 2.0, 4.0]];
    let influences = Influences { slots: 2, joints: [0, 1].repeat(3), weights: vec![1.0, 0.0, 0.5, 0.5, 0.25, 0.75] };
    let streams = Streams { positions, influences: Some(influences), ..Streams::default() };
    let primitive = Primitive { streams, indices: vec![0, 1, 2], ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let tip = scene.nodes.push(Node::default());
    let root = scene.nodes.push(Node { children: vec![tip], ..Node::default() });
    let joints = vec![root, tip];
    let skin = Skin { joints, joint_from_mesh: vec![Mat4::IDENTITY; 2], ..Skin::default() };
    let skin = scene.skins.push(skin);
    let body = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene.roots = vec![root, body];
    scene
}

/// The tip turned and the root moved along splines, and the same straight from key to key.
fn clips(scene: &Scene, interpolation: Interpolation) -> Clip {
    let [turned, moved] = [[0.0, 0.0, 0.6, 0.8], [2.0, 1.0, 0.0, 0.0]];
    let (still, spline) = ([0.0; 4], interpolation == Interpolation::CubicSpline);
    let keys = |from: [f32; 4], to: [f32; 4], leave: [f32; 4]| {
        let values = if spline { vec![still, from, leave, still, to, still] } else { vec![from, to] };
        Keys { times_secs: vec![0.0, 1.0], values, interpolation }
    };
    let turn = keys([0.0, 0.0, 0.0, 1.0], turned, still);
    let Keys { times_secs, values, .. } = keys(still, moved, [3.0, 0.0, 1.0, 0.0]);
    let values = values.into_iter().map(|[x, y, z, _]| [x, y, z]).collect();
    let track = |node: usize, curve| {
        let target = Target::Node(scene.nodes.handles().nth(node).unwrap());
        Track { target, curve, blend: None }
    };
    let tracks =
        vec![track(0, Curve::Rotation(turn)), track(1, Curve::Translation(Keys { times_secs, values, interpolation }))];
    Clip { duration_secs: 1.0, tracks, ..Clip::default() }
}

/// The clip with a key at each of so many moments, straight between.
fn sampled(clip: &Clip, moments: usize) -> Clip {
    let times: Vec<f32> = (0..=moments).map(|moment| moment as f32 / moments as f32).collect();
    let keys = |values: Vec<[f32; 4]>| (times.clone(), values);
    let mut clip = clip.clone();
    for track in &mut clip.tracks {
        track.curve = match &track.curve {
            Curve::Rotation(of) => {
                let (times_secs, values) =
                    keys(times.iter().map(|secs| pose::rotation_at(of, *secs).unwrap().to_array()).collect());
                Curve::Rotation(Keys { times_secs, values, interpolation: Interpolation::Linear })
            }
            Curve::Translation(of) => Curve::Translation(Keys {
                values: times.iter().map(|secs| pose::vector_at(of, *secs).unwrap().to_array()).collect(),
                times_secs: times.clone(),
                interpolation: Interpolation::Linear,
            }),
            other => other.clone(),
        };
    }
    clip
}

#[test]
fn no_vertex_is_farther_off_than_the_bound_and_the_bound_is_not_far_off() {
    let scene = scene();
    let curved = clips(&scene, Interpolation::CubicSpline);
    let rough = clips(&scene, Interpolation::Linear);
    for (straight, most) in [(rough, 40.0), (sampled(&curved, 7), 4.0), (sampled(&curved, 40), 4.0)] {
        let bound = of_clips(&scene, &curved, &straight);
        let mut largest = 0.0f32;
        for moment in 0..=10_000 {
            let at = |clip| pose::positions_at(&scene, clip, moment as f32 / 1e4);
            largest = at(&curved).iter().zip(at(&straight)).map(|(a, b)| a.distance(b)).fold(largest, f32::max);
        }
        assert!(largest > 1e-4 && largest <= bound && bound < most * largest, "{largest} {bound}");
    }
    assert_eq!(of_clips(&scene, &curved, &curved), 0.0);
}

#[test]
fn bones_without_vertices_are_off_by_their_own_values() {
    let mut scene = scene();
    let curved = clips(&scene, Interpolation::CubicSpline);
    let straight = sampled(&curved, 20);
    scene.meshes = Default::default();
    scene.nodes.iter_mut().for_each(|node| node.mesh = None);
    let own: Vec<f64> = curved.tracks.iter().zip(&straight.tracks).map(|(a, b)| apart(&a.curve, &b.curve)).collect();
    let bound = of_clips(&scene, &curved, &straight);
    assert!(own[0] > 1e-5 && own[1] > own[0], "{own:?}");
    assert!((own[1]..own[1] * (1.0 + 1e-6)).contains(&f64::from(bound)), "{bound} {own:?}");
}

#[test]
fn weights_that_are_more_than_one_move_a_vertex_farther() {
    let mut scene = scene();
    let curved = clips(&scene, Interpolation::CubicSpline);
    let straight = sampled(&curved, 9);
    let bound = of_clips(&scene, &curved, &straight);
    let streams = &mut scene.meshes.iter_mut().next().unwrap().primitives[0].streams;
    streams.influences.as_mut().unwrap().weights = vec![1.0, 1.0, 0.5, 0.5, 0.25, 0.75];
    let heavy = of_clips(&scene, &curved, &straight);
    assert!((heavy / bound - 2.0).abs() < 1e-5, "{heavy} {bound}");
}

fn moved_by(x: f32, scale: f32) -> Transform {
    Transform::Trs(Trs { translation: Vec3::X * x, scale: Vec3::splat(scale), ..Trs::IDENTITY })
}

/// A joint that is scaled by two, a joint three units along it, and a vertex one unit beyond that the second moves.
fn arm() -> Scene {
    let mut scene = Scene::default();
    let streams = Streams {
        positions: vec![[1.0, 0.0, 0.0]],
        influences: Some(Influences { slots: 1, joints: vec![1], weights: vec![1.0] }),
        ..Streams::default()
    };
    let mesh = Mesh { primitives: vec![Primitive { streams, ..Primitive::default() }], ..Mesh::default() };
    let mesh = scene.meshes.push(mesh);
    let hand = scene.nodes.push(Node { transform: moved_by(3.0, 1.0), ..Node::default() });
    let arm = scene.nodes.push(Node { transform: moved_by(0.0, 2.0), children: vec![hand], ..Node::default() });
    let skin =
        scene.skins.push(Skin { joints: vec![arm, hand], joint_from_mesh: vec![Mat4::IDENTITY; 2], ..Skin::default() });
    let body = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene.roots = vec![arm, body];
    scene
}

fn clip_of(node: usize, curve: Curve) -> Clip {
    let track = Track { target: Target::Node(Handle::from_index(node)), curve, blend: None };
    Clip { tracks: vec![track], ..Clip::default() }
}

fn near(found: Reach, [translation, rotation, scale]: [f64; 3]) {
    let pairs = [(found.translation, translation), (found.rotation, rotation), (found.scale, scale)];
    assert!(pairs.iter().all(|(found, right)| (found - right).abs() <= 1e-6 * right), "{found:?}");
}

#[test]
fn a_joint_reaches_what_its_children_move() {
    let scene = arm();
    let reach = Body::of(&scene).reach(&[]);
    // The hand is at 6, the vertex at 8.
    near(reach[0], [2.0, 2.0, 2.0]);
    near(reach[1], [1.0, 8.0, 4.0]);
    assert_eq!(reach[2], Reach::default());
}

#[test]
fn what_a_clip_moves_reaches_as_far_as_it_can_come() {
    let scene = arm();
    let body = Body::of(&scene);
    let line = |to: [f32; 3]| Keys {
        times_secs: vec![0.0, 1.0],
        values: vec![[0.0; 3], to],
        interpolation: Interpolation::Linear,
    };
    // The hand goes to 5 along the arm and back across it: the vertex is 6 away at most, or 1.
    let out = body.reach(&[&clip_of(0, Curve::Translation(line([5.0, 0.0, 0.0])))]);
    near(out[1], [1.0, 12.0, 6.0]);
    let turns = Curve::Rotation(Keys {
        times_secs: vec![0.0],
        values: vec![[0.0, 0.0, 0.0, 1.0]],
        interpolation: Interpolation::Linear,
    });
    near(body.reach(&[&clip_of(0, turns)])[1], [1.0, 8.0, 4.0]);
    // Twice as large below an arm of twice the size.
    let grown = body.reach(&[&clip_of(0, Curve::Scale(line([0.0, -2.0, 0.0])))]);
    near(grown[1], [1.0, 2.0 * 5.0, 5.0]);
    near(grown[0], [2.0, 4.0, 2.0]);
    near(body.reach(&[&clip_of(1, Curve::Scale(line([3.0; 3])))])[0], [3.0, 3.0, 3.0]);
    // A spline that leaves with 9 a second comes to a third of that at most before it turns.
    let flat = [0.0; 3];
    let swing = Keys {
        times_secs: vec![0.0, 1.0],
        values: vec![flat, flat, [9.0, 0.0, 0.0], flat, flat, flat],
        interpolation: Interpolation::CubicSpline,
    };
    near(body.reach(&[&clip_of(0, Curve::Translation(swing))])[1], [1.0, 8.0, 4.0]);
}

#[test]
fn pivots_that_stay_do_not_add_up() {
    // A mesh modelled far away, turned about its middle: there, turned, and back.
    let mut scene = Scene::default();
    let streams = Streams { positions: vec![[100.0, 0.0, 0.0], [102.0, 0.0, 0.0]], ..Streams::default() };
    let primitive = Primitive { streams, ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let back = scene.nodes.push(Node { mesh: Some(mesh), transform: moved_by(-101.0, 1.0), ..Node::default() });
    let pivot = scene.nodes.push(Node { children: vec![back], transform: moved_by(101.0, 1.0), ..Node::default() });
    scene.roots = vec![pivot];
    let turns = Curve::Rotation(Keys {
        times_secs: vec![0.0],
        values: vec![[0.0, 0.0, 0.0, 1.0]],
        interpolation: Interpolation::Linear,
    });
    near(Body::of(&scene).reach(&[&clip_of(1, turns)])[1], [1.0, 1.0, 1.0]);
}

#[test]
fn ways_go_from_the_root_through_a_node_to_the_heaviest_leaf() {
    let mut scene = Scene::default();
    let leaves: Vec<_> = (0..3).map(|_| scene.nodes.push(Node::default())).collect();
    let middle = scene.nodes.push(Node { children: leaves[..2].to_vec(), ..Node::default() });
    let root = scene.nodes.push(Node { children: vec![middle, leaves[2]], ..Node::default() });
    scene.roots = vec![root];
    assert_eq!(Body::of(&scene).ways(&[1.0, 5.0, 2.0, 10.0, 100.0]), [111.0, 115.0, 102.0, 115.0, 115.0]);
}

#[test]
fn a_relative_translation_is_about_the_place_at_rest() {
    let scene = arm();
    let keys = Keys { times_secs: vec![0.0], values: vec![[1.0, 0.0, 0.0]], interpolation: Interpolation::Linear };
    let mut clip = clip_of(0, Curve::Translation(keys));
    let body = Body::of(&scene);
    near(body.reach(&[&clip])[1], [1.0, 4.0, 2.0]);
    clip.blend = crate::clip::Blend::Relative;
    near(body.reach(&[&clip])[1], [1.0, 10.0, 5.0]);
}

#[test]
fn what_is_beyond_singles_is_the_largest_of_them() {
    let mut scene = arm();
    scene.nodes.iter_mut().for_each(|node| node.transform = moved_by(3e38, 3e38));
    let far = |x: f32| vectors(&[0.0, 1.0], &[[x; 3], [-x; 3]], Interpolation::Linear);
    let [before, after] = [3e38, -3e38].map(|x| clip_of(1, far(x)));
    assert_eq!(of_clips(&scene, &before, &after), f32::MAX);
    assert_eq!(of_clips(&scene, &before, &before), 0.0);
}
