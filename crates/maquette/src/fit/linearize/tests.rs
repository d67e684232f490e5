//! Splines become lines as close as asked, with as many keys as their bends take and no more than is stated; held against doubles.

use super::budget::most_keys;
use super::straighten::follow;
use super::*;
use maquette_scene::Handle;
use maquette_scene::clip::Keys;
use maquette_scene::glam::{DMat4, DQuat, DVec3, DVec4, Quat, Vec3};
use maquette_scene::mesh::{Mesh, Primitive, Streams};
use maquette_scene::scene::{Node, Transform, Trs};
use maquette_scene::valid;

/// Numbers from -1 to 1 that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    }

    fn array<const N: usize>(&mut self, size: f32) -> [f32; N] {
        [0.0; N].map(|_| self.roll() * size)
    }
}

/// The value of a curve in doubles, as the glTF specification says.
fn at<const N: usize>(keys: &Keys<[f32; N]>, secs: f64) -> [f64; N] {
    let times = &keys.times_secs;
    let each = if keys.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let number = |key: usize, which: usize| keys.values[each * key + which].map(f64::from);
    let after = times.partition_point(|&time| f64::from(time) <= secs);
    let middle = each / 2;
    if after == 0 || after == times.len() {
        return number(after.min(times.len() - 1), middle);
    }
    let [from, to] = [after - 1, after].map(|key| f64::from(times[key]));
    let (t, span) = ((secs - from) / (to - from), to - from);
    let [a, b] = [number(after - 1, middle), number(after, middle)];
    let mut value = [0.0; N];
    if each == 1 && N == 4 {
        let [a, b] = [a, b].map(|q| DQuat::from_xyzw(q[0], q[1], q[2], q[N - 1]).normalize());
        let arc = a.slerp(if a.dot(b) < 0.0 { -b } else { b }, t).to_array();
        value.iter_mut().zip(arc).for_each(|(value, arc)| *value = arc);
    } else if each == 1 {
        (0..N).for_each(|axis| value[axis] = a[axis] + (b[axis] - a[axis]) * t);
    } else {
        let [out, into] = [number(after - 1, 2), number(after, 0)];
        let (t2, t3) = (t * t, t * t * t);
        for axis in 0..N {
            value[axis] = a[axis] * (2.0 * t3 - 3.0 * t2 + 1.0)
                + out[axis] * span * (t3 - 2.0 * t2 + t)
                + b[axis] * (3.0 * t2 - 2.0 * t3)
                + into[axis] * span * (t3 - t2);
        }
    }
    value
}

fn unit(value: [f64; 4]) -> DQuat {
    DQuat::from_vec4(DVec4::from(value).normalize())
}

/// Every vertex at a moment of a clip, in doubles; meshes are carried by nodes here.
fn places(scene: &Scene, clip: &Clip, secs: f64) -> Vec<DVec3> {
    let mut locals: Vec<(DVec3, DQuat, DVec3)> = scene
        .nodes
        .iter()
        .map(|node| node.transform.trs())
        .map(|trs| (trs.translation.as_dvec3(), trs.rotation.as_dquat(), trs.scale.as_dvec3()))
        .collect();
    for track in &clip.tracks {
        let Target::Node(node) = track.target else { continue };
        let local = &mut locals[node.index()];
        match &track.curve {
            Curve::Translation(keys) => local.0 = at(keys, secs).into(),
            Curve::Rotation(keys) => local.1 = unit(at(keys, secs)),
            Curve::Scale(keys) => local.2 = at(keys, secs).into(),
            Curve::MorphWeights(_) => {}
        }
    }
    let parents = scene.parents();
    let mut world = vec![DMat4::IDENTITY; locals.len()];
    let mut places = Vec::new();
    for handle in scene.nodes_parents_first() {
        let (translation, rotation, scale) = locals[handle.index()];
        let above = parents[handle.index()].map_or(DMat4::IDENTITY, |parent| world[parent.index()]);
        world[handle.index()] = above * DMat4::from_scale_rotation_translation(scale, rotation, translation);
        let mesh = scene.nodes[handle].mesh.map(|mesh| &scene.meshes[mesh]);
        for position in mesh.iter().flat_map(|mesh| &mesh.primitives).flat_map(|it| &it.streams.positions) {
            places.push(world[handle.index()].transform_point3(Vec3::from(*position).as_dvec3()));
        }
    }
    places
}

/// How far any vertex of two scenes is apart: at the keys of the second, and between them.
fn farthest(before: &Scene, after: &Scene, most_moments: usize) -> f64 {
    let (before_clip, after_clip) = (before.clips.iter().next().unwrap(), after.clips.iter().next().unwrap());
    let mut times: Vec<f32> = after_clip.tracks.iter().flat_map(|track| track.curve.times_secs().to_vec()).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let every = times.len().div_ceil(most_moments).max(1);
    let spans: Vec<[f32; 2]> = times.windows(2).step_by(every).map(|span| [span[0], span[1]]).collect();
    let moments = spans.iter().flat_map(|&[from, to]| {
        [0.0, 0.31, 0.5, 0.77].map(|part| f64::from(from) + (f64::from(to) - f64::from(from)) * part)
    });
    let apart = |secs: f64| {
        let [a, b] = [places(before, before_clip, secs), places(after, after_clip, secs)];
        a.iter().zip(b).map(|(a, b)| a.distance(b)).fold(0.0, f64::max)
    };
    moments.map(apart).fold(0.0, f64::max)
}

fn spline<const N: usize>(times: &[f32], values: Vec<[f32; N]>) -> Keys<[f32; N]> {
    Keys { times_secs: times.to_vec(), values, interpolation: Interpolation::CubicSpline }
}

/// A chain of joints, each a unit along the one before, the first without a parent; a triangle hangs on the last.
fn chain(joints: usize) -> Scene {
    let mut scene = Scene::default();
    let streams = Streams { positions: vec![[0.5, 0.0, 0.0], [1.0, 0.3, 0.0], [0.7, 0.0, 0.4]], ..Streams::default() };
    let primitive = Primitive { streams, indices: vec![0, 1, 2], ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let mut below = None;
    for joint in 0..joints {
        let transform = Transform::Trs(Trs { translation: Vec3::X, ..Trs::IDENTITY });
        let mesh = (joint == 0).then_some(mesh);
        below =
            Some(scene.nodes.push(Node { children: below.into_iter().collect(), mesh, transform, ..Node::default() }));
    }
    scene.roots = below.into_iter().collect();
    scene.clips.push(Clip { duration_secs: 1.0, ..Clip::default() });
    scene
}

fn move_along(scene: &mut Scene, node: usize, curve: Curve) {
    let target = Target::Node(Handle::from_index(node));
    scene.clips.iter_mut().next().unwrap().tracks.push(Track { target, curve, blend: None });
}

/// The scene with straight curves, and the error that is told.
fn straightened(scene: &Scene, tolerance: f32) -> (Scene, f32, String) {
    let (mut after, mut losses) = (scene.clone(), LossReport::default());
    linearize(&mut after, tolerance, false, &mut losses);
    assert_eq!(valid::check(&after), Ok(()));
    let told = losses.iter().find(|loss| loss.what == Lost::CubicSplines).unwrap();
    let LossKind::Approximated { max_error } = told.kind else { panic!("{told}") };
    (after, max_error, told.detail.clone())
}

fn key_counts(scene: &Scene) -> Vec<usize> {
    let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
    tracks.map(|track| track.curve.times_secs().len()).collect()
}

#[test]
fn a_parabola_takes_the_keys_that_its_bend_says_and_is_as_close_as_allowed() {
    // x = t² bends by 2 all along: a piece of a part h of it is h²/4 off, so √(1/4/allowed) pieces are enough and fewer are not.
    let square = spline(&[0.0, 1.0], vec![[0.0; 3], [0.0; 3], [0.0; 3], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3]]);
    for allowed in [0.3, 0.1, 1e-2, 1e-3, 1e-4] {
        let straight = follow(&Curve::Translation(square.clone()), allowed, usize::MAX).unwrap();
        let Curve::Translation(line) = &straight else { panic!("a translation") };
        let fewest = (0.25 / allowed).sqrt().ceil();
        let pieces = (line.times_secs.len() - 1) as f64;
        assert!(fewest <= pieces && pieces <= 1.2 * fewest + 1.0, "{allowed}: {pieces} {fewest}");
        let off = |moment: u32| (f64::from(moment) / 1e5).powi(2) - at(line, f64::from(moment) / 1e5)[0];
        let most = (0..=100_000).map(|moment| off(moment).abs()).fold(0.0, f64::max);
        assert!(most <= allowed && most > allowed / 3.0 || pieces == 1.0, "{allowed}: {most}");
    }
}

#[test]
fn keys_are_where_a_curve_bends() {
    // x = t³ is straight where it begins, 3t - 3t² + t³ where it ends: pieces are shorter where it bends more, and all are about as far off.
    for ([out, into], is_late) in [([0.0, 3.0], true), ([3.0, 0.0], false)] {
        let x = |x: f32| [x, 0.0, 0.0];
        let cube = spline(&[0.0, 1.0], vec![x(0.0), x(0.0), x(out), x(into), x(1.0), x(0.0)]);
        let straight = follow(&Curve::Scale(cube), 1e-3, usize::MAX).unwrap();
        let times = straight.times_secs();
        // The integral of √(6t/8/allowed) is 18.3.
        assert!((19..=24).contains(&(times.len() - 1)), "{times:?}");
        let [first, last] = [times[1] - times[0], times[times.len() - 1] - times[times.len() - 2]];
        let [long, short] = if is_late { [first, last] } else { [last, first] };
        assert!(long > 1.5 * short, "{times:?}");
    }
}

#[test]
fn a_straight_spline_gets_no_keys() {
    let x = |x: f32| [x, 2.0 * x, -x];
    let values = (0..50).flat_map(|key| [x(1.0), x(key as f32), x(1.0)]).collect();
    let times: Vec<f32> = (0..50).map(|key| key as f32).collect();
    let straight = follow(&Curve::Translation(spline(&times, values)), 1e-6, 50).unwrap();
    assert_eq!(straight.times_secs(), times);
}

#[test]
fn a_turn_is_followed_as_closely_as_allowed() {
    let mut dice = Dice(3);
    for round in 0..40 {
        let mut values = Vec::new();
        let mut turned = Quat::IDENTITY;
        for _ in 0..5 {
            turned *= Quat::from_rotation_x(dice.roll()) * Quat::from_rotation_y(dice.roll());
            values.extend([dice.array(3.0), turned.to_array(), dice.array(3.0)]);
        }
        let keys = spline(&[0.0, 0.5, 0.6, 1.0, 2.0], values);
        let allowed = [1e-2, 1e-3, 3e-4][round % 3];
        let straight = follow(&Curve::Rotation(keys.clone()), allowed, usize::MAX).unwrap();
        let Curve::Rotation(line) = &straight else { panic!("a rotation") };
        let off = |moment: u32| {
            let [a, b] = [&keys, line].map(|keys| unit(at(keys, f64::from(moment) / 1e4)));
            let [near, far] = [(a - b).length(), (a + b).length()];
            4.0 * near.min(far).atan2(near.max(far))
        };
        let most = (0..=20_000).map(off).fold(0.0, f64::max);
        assert!(most <= allowed && most > allowed / 6.0, "{round}: {most} {allowed}");
        assert_eq!(follow(&Curve::Rotation(keys), allowed, line.times_secs.len() - 1), None);
    }
}

#[test]
fn four_times_the_keys_are_four_times_the_keys() {
    let keys = |count: usize, tolerance: f32| {
        let mut scene = chain(2);
        let mut dice = Dice(4);
        let times: Vec<f32> = (0..count).map(|key| key as f32 / 30.0).collect();
        let values = (0..count).flat_map(|_| [dice.array(20.0), dice.array(1.0), dice.array(20.0)]).collect();
        move_along(&mut scene, 1, Curve::Translation(spline(&times, values)));
        let (after, _, detail) = straightened(&scene, tolerance);
        (key_counts(&after)[0], detail.contains("keys allow"))
    };
    // As close as asked, and as close as four keys for each allow.
    for (tolerance, counts, is_wider) in [(0.3, [1000, 4000], false), (1e-5, [40_000, 160_000], true)] {
        let [few, many] = counts.map(|count| keys(count, tolerance));
        let growth = many.0 as f64 / few.0 as f64;
        assert!(few.0 * 2 > counts[0] * 3 && (3.9..4.1).contains(&growth), "{few:?} {many:?}");
        assert_eq!((few.1, many.1), (is_wider, is_wider), "{few:?} {many:?}");
        assert!(!is_wider || many.0 <= 4 * counts[1] && many.0 > 3 * counts[1], "{many:?}");
    }
}

#[test]
fn a_clip_has_256_keys_for_each_as_long_as_it_is_short_and_4_for_each_beyond() {
    let most = [2, 10, 512, 513, 32_768, 32_769, 1_000_000].map(most_keys);
    assert_eq!(most, [512, 2560, 131_072, 131_072, 131_072, 131_076, 4_000_000]);
}

#[test]
fn a_closer_tolerance_is_never_a_much_larger_error_and_ends_where_the_keys_do() {
    // Two tracks, one of them wild: what one of them does not take is there for the other.
    let mut scene = chain(2);
    let times: Vec<f32> = (0..9).map(|key| key as f32 / 2.0).collect();
    for (node, speed) in [(0, 900.0), (1, 1.0)] {
        let values = (0..9).flat_map(|key| [[speed; 3], [key as f32; 3], [-speed; 3]]).collect();
        move_along(&mut scene, node, Curve::Translation(spline(&times, values)));
    }
    let [mut last, mut wider] = [f32::MAX, 0.0];
    let mut kept = 0;
    for step in 0..40 {
        let tolerance = 10.0 * 0.6f32.powi(step);
        let (after, told, detail) = straightened(&scene, tolerance);
        let keys = key_counts(&after);
        assert!(keys.iter().sum::<usize>() <= most_keys(18), "{keys:?}");
        assert!(told <= last * 1.3, "{tolerance}: {last} {told}");
        last = told;
        match detail.contains("as closely as 4608 keys allow") {
            false => {
                assert!(told <= tolerance && told > tolerance / 2.0 && wider == 0.0, "{tolerance}: {detail}");
                kept += 1;
            }
            true => {
                assert!(told > tolerance && (wider == 0.0 || told == wider), "{tolerance}: {detail}");
                assert!(keys.iter().sum::<usize>() > 4000 && keys[0] > 1500 && keys[1] > 50, "{keys:?}");
                wider = told;
            }
        }
    }
    assert!(kept > 8 && wider < 0.02, "{kept} {wider}");
    assert_eq!(straightened(&scene, 0.0).1, wider, "without any tolerance as well");
}

#[test]
fn samples_at_the_rate_of_a_clip_are_taken_where_they_are_as_close() {
    // Quaternions that pass through nothing on their way to their opposites turn all at once: no number of pieces follows that.
    let mut scene = chain(1);
    let times: Vec<f32> = (0..40_000).map(|key| key as f32 / 30.0).collect();
    let sign = |key: u16| if key.is_multiple_of(2) { 1.0 } else { -1.0 };
    let values = (0..40_000).flat_map(|key| [[0.0; 4], [0.0, 0.0, 0.6 * sign(key), 0.8 * sign(key)], [0.0; 4]]);
    move_along(&mut scene, 0, Curve::Rotation(spline(&times, values.collect())));
    for (rate, samples) in [(None, 60), (Some(7.0), 7)] {
        scene.clips.iter_mut().next().unwrap().frame_rate = rate;
        let (after, told, detail) = straightened(&scene, 1e-3);
        assert!(detail.contains(&format!("from {samples} samples a second")), "{detail}");
        let track = &after.clips.iter().next().unwrap().tracks[0];
        let [found, wanted] = [track.curve.times_secs().len(), 40_000.max(40_000 * samples / 30)];
        // Times that singles hold are not quite even.
        assert!(wanted <= found && found <= wanted + wanted / 10, "{rate:?}: {found}");
        assert!(times.iter().all(|time| track.curve.times_secs().binary_search_by(|at| at.total_cmp(time)).is_ok()));
        assert!(farthest(&scene, &after, 1000) <= f64::from(told), "{detail}");
    }
    // More samples than there may be keys are none.
    scene.clips.iter_mut().next().unwrap().frame_rate = Some(200.0);
    let (after, _, detail) = straightened(&scene, 1e-3);
    assert!(key_counts(&after)[0] <= 160_000 && detail.contains("as closely as 160000 keys allow"), "{detail}");
}

#[test]
fn a_chain_of_a_thousand_joints_grows_no_more_than_stated() {
    let mut scene = chain(1000);
    let mut dice = Dice(5);
    let times: Vec<f32> = (0..10).map(|key| key as f32 / 9.0).collect();
    for node in 0..1000 {
        let turn = |dice: &mut Dice| Quat::from_rotation_z(dice.roll() / 10.0).to_array();
        let values = (0..10).flat_map(|_| [[0.0; 4], turn(&mut dice), [0.0; 4]]).collect();
        move_along(&mut scene, node, Curve::Rotation(spline(&times, values)));
    }
    let (after, told, detail) = straightened(&scene, 1e-4);
    let keys = key_counts(&after);
    assert!(keys.iter().sum::<usize>() <= most_keys(10_000) && keys.iter().all(|keys| *keys > 10), "{detail}");
    let apart = farthest(&scene, &after, 100);
    assert!(apart > 1e-4 && apart <= f64::from(told) && told < 120.0, "{apart} {detail}");
    // What the keys are enough for is kept.
    let (after, told, detail) = straightened(&scene, 120.0);
    let apart = farthest(&scene, &after, 100);
    assert!(apart <= f64::from(told) && told <= 120.0 && !detail.contains("allow"), "{apart} {detail}");
}

#[test]
fn tracks_share_what_is_allowed_along_their_chain_alone() {
    // Two curved joints above one another share; two beside each other do not.
    let turn = || {
        let half = Quat::from_rotation_z(1.0).to_array();
        let still = [0.0; 4];
        Curve::Rotation(spline(&[0.0, 1.0], vec![still, Quat::IDENTITY.to_array(), still, still, half, still]))
    };
    let counts = |change: fn(&mut Scene), nodes: &[usize]| {
        let mut scene = chain(3);
        change(&mut scene);
        nodes.iter().for_each(|&node| move_along(&mut scene, node, turn()));
        let (after, told, _) = straightened(&scene, 1e-3);
        assert!(told <= 1e-3 && farthest(&scene, &after, usize::MAX) <= f64::from(told));
        key_counts(&after)
    };
    let beside = |scene: &mut Scene| {
        let mesh = scene.nodes[Handle::from_index(0)].mesh;
        let twin = scene.nodes.push(Node { mesh, ..Node::default() });
        scene.nodes[Handle::from_index(2)].children.push(twin);
    };
    let alone = counts(|_| {}, &[0])[0];
    assert_eq!(counts(beside, &[0, 3])[0], alone);
    let shared = counts(|_| {}, &[0, 1, 2]);
    assert!(shared[0] > alone && shared[2] > shared[0], "{alone} {shared:?}");
    // What is still or straight takes nothing away.
    let straight = |scene: &mut Scene| {
        let times_secs = vec![0.0, 1.0];
        let values = vec![[0.0; 3], [5.0, 0.0, 0.0]];
        let line = Keys { times_secs, values, interpolation: Interpolation::Linear };
        move_along(scene, 2, Curve::Translation(line));
    };
    assert_eq!(counts(straight, &[0])[1], alone);
}

/// A tree of nodes with splines of every kind.
fn random_scene(dice: &mut Dice) -> Scene {
    let mut scene = Scene::default();
    let nodes = 2 + (dice.roll().abs() * 8.0) as usize;
    let mut roots: Vec<Handle<Node>> = Vec::new();
    for index in 0..nodes {
        let positions = (0..3).map(|_| dice.array(1.0)).collect();
        let primitive = Primitive {
            streams: Streams { positions, ..Streams::default() },
            indices: vec![0, 1, 2],
            ..Primitive::default()
        };
        let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
        let mesh = (index == 0 || dice.roll() > 0.0).then_some(mesh);
        let taken = (roots.len() as f32 * dice.roll().abs()) as usize;
        let children = roots.drain(..taken).collect();
        let scale = Vec3::splat(1.0) + Vec3::from(dice.array(0.3));
        let rotation = Quat::from_rotation_y(dice.roll() * 3.0);
        let trs = Trs { translation: dice.array(2.0).into(), rotation, scale };
        roots.push(scene.nodes.push(Node { mesh, children, transform: Transform::Trs(trs), ..Node::default() }));
    }
    scene.roots = roots;
    scene.clips.push(Clip { duration_secs: 2.0, ..Clip::default() });
    for node in 0..nodes {
        let count = 1 + (dice.roll().abs() * 6.0) as usize;
        let mut time = 0.0;
        let mut times = vec![0.0];
        for _ in 1..count {
            time += dice.roll().abs() + 1e-3;
            times.push(time);
        }
        let wild = [0.0, 1.0, 30.0][(dice.roll().abs() * 2.99) as usize];
        let vectors = |dice: &mut Dice, about: f32| {
            let value = |dice: &mut Dice| dice.array::<3>(0.5).map(|number| number + about);
            let values = (0..count).flat_map(|_| [dice.array(wild), value(dice), dice.array(wild)]).collect();
            spline(&times, values)
        };
        if dice.roll() > 0.0 {
            let keys = vectors(dice, 0.0);
            move_along(&mut scene, node, Curve::Translation(keys));
        }
        if dice.roll() > 0.5 {
            let keys = vectors(dice, 1.0);
            move_along(&mut scene, node, Curve::Scale(keys));
        }
        if node == 0 || dice.roll() > -0.5 {
            let turn = |dice: &mut Dice| Quat::from_vec4(glam::Vec4::from(dice.array::<4>(1.0))).normalize();
            let values = (0..count)
                .flat_map(|_| [dice.array(wild / 3.0), turn(dice).to_array(), dice.array(wild / 3.0)])
                .collect();
            move_along(&mut scene, node, Curve::Rotation(spline(&times, values)));
        }
    }
    scene
}

#[test]
fn no_vertex_of_any_scene_is_farther_off_than_told_nor_than_asked_unless_told() {
    let mut dice = Dice(6);
    let (mut kept, mut limited) = (0, 0);
    for round in 0..60 {
        let scene = random_scene(&mut dice);
        let tolerance = [1e-1, 1e-2, 1e-3, 1e-5][round % 4];
        let (after, told, detail) = straightened(&scene, tolerance);
        let apart = farthest(&scene, &after, 400);
        assert!(apart <= f64::from(told), "{round}: {apart} {detail}");
        let is_limited = detail.contains("samples") || detail.contains("keys allow");
        match is_limited {
            true => limited += 1,
            false => kept += 1,
        }
        assert!(told <= tolerance || is_limited, "{round}: {tolerance} {detail}");
        let [before, after] = [&scene, &after].map(|scene| key_counts(scene).iter().sum::<usize>());
        assert!(after <= most_keys(before), "{before} {after}");
    }
    assert!(kept > 20 && limited > 8, "{kept} {limited}");
}

#[test]
fn hostile_numbers_make_finite_keys_and_a_true_error() {
    let tiny = f32::from_bits(1);
    let times: [&[f32]; 7] = [
        &[0.0, 1.0],
        &[0.0, tiny],
        &[0.0, tiny, 2.0 * tiny, 1e-30],
        &[-3e38, 3e38],
        &[1e30, 1.000_000_1e30],
        &[16_777_216.0, 16_777_218.0, 16_777_220.0],
        &[0.0, f32::MIN_POSITIVE, 1.0, f32::MAX],
    ];
    let sizes = [(1.0, 1.0), (f32::MAX, f32::MAX), (tiny, f32::MAX), (f32::MAX, 0.0), (0.0, 1e20), (1e-20, 1e-20)];
    let mut dice = Dice(7);
    for times in times {
        for (size, tangent) in sizes {
            let mut scene = chain(3);
            let vectors = |dice: &mut Dice| {
                times.iter().flat_map(|_| [dice.array(tangent), dice.array(size), dice.array(tangent)]).collect()
            };
            move_along(&mut scene, 2, Curve::Translation(spline(times, vectors(&mut dice))));
            move_along(&mut scene, 0, Curve::Scale(spline(times, vectors(&mut dice))));
            let quaternions =
                times.iter().flat_map(|_| [dice.array(tangent), dice.array(size), dice.array(tangent)]).collect();
            move_along(&mut scene, 1, Curve::Rotation(spline(times, quaternions)));
            for tolerance in [0.0, 1e-30, 1e-4, f32::MAX] {
                let (after, told, detail) = straightened(&scene, tolerance);
                assert!(told.is_finite() && told >= 0.0, "{times:?} {size} {tangent}: {detail}");
                let keys = key_counts(&after);
                assert!(keys.iter().all(|keys| times.len() <= *keys));
                assert!(keys.iter().sum::<usize>() <= most_keys(3 * times.len()));
                let apart = farthest(&scene, &after, 200);
                // Doubles of such sizes are coarse as well.
                assert!(
                    apart <= f64::from(told) * 1.000_001 || told == f32::MAX,
                    "{times:?} {size} {tangent} {tolerance}: {apart} {detail}"
                );
            }
        }
    }
}

#[test]
fn a_span_without_length_and_numbers_that_are_none_end_as_well() {
    // No scene that is valid has these; a pass must come to an end all the same.
    for times in [[1.0, 1.0, 1.0], [2.0, 1.0, 0.0], [0.0, f32::NAN, 1.0], [f32::INFINITY; 3]] {
        for value in [0.0, 1.0, f32::NAN, f32::INFINITY] {
            let keys = spline(&times, vec![[value; 4]; 9]);
            let keys = Curve::Rotation(keys);
            let straight = follow(&keys, 1e-3, most_keys(3)).or_else(|| follow(&keys, f64::INFINITY, 3)).unwrap();
            assert!(curves::apart(&keys, &straight) >= 0.0);
        }
    }
}

#[test]
fn no_tolerance_is_too_odd() {
    let mut scene = chain(2);
    let straight = spline(&[0.0, 1.0], vec![[1.0; 3], [0.0; 3], [1.0; 3], [1.0; 3], [1.0; 3], [1.0; 3]]);
    let bent = spline(&[0.0, 1.0], vec![[0.0; 3], [0.0; 3], [3.0; 3], [0.0; 3], [1.0; 3], [0.0; 3]]);
    move_along(&mut scene, 0, Curve::Translation(straight));
    for tolerance in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE] {
        assert_eq!(key_counts(&straightened(&scene, tolerance).0), [2], "{tolerance}");
    }
    move_along(&mut scene, 1, Curve::Translation(bent));
    for tolerance in [0.0, -1.0, f32::NAN, f32::MIN_POSITIVE] {
        let (after, told, _) = straightened(&scene, tolerance);
        assert!(key_counts(&after)[1] > 512 && told < 1e-4, "{tolerance}: {told}");
    }
    assert_eq!(key_counts(&straightened(&scene, f32::INFINITY).0), [2, 2]);
}

#[test]
fn where_nothing_is_drawn_each_bone_is_held_to_its_own_values() {
    let mut scene = chain(4);
    scene.meshes = Default::default();
    scene.nodes.iter_mut().for_each(|node| node.mesh = None);
    let turned = Quat::from_rotation_z(1.0).to_array();
    let still = [0.0; 4];
    for node in 0..4 {
        let keys = spline(&[0.0, 1.0], vec![still, Quat::IDENTITY.to_array(), still, still, turned, still]);
        move_along(&mut scene, node, Curve::Rotation(keys));
    }
    let (after, told, detail) = straightened(&scene, 1e-3);
    assert!(told <= 1e-3 && told > 3e-4 && detail.contains("no bone"), "{detail}");
    let counts = key_counts(&after);
    assert!(counts.iter().all(|count| *count == counts[0]), "none shares with another: {counts:?}");
}

#[test]
fn steps_stay_where_a_writer_takes_them() {
    let mut scene = chain(1);
    let step =
        Keys { times_secs: vec![0.0, 0.5], values: vec![[0.0; 3], [1.0; 3]], interpolation: Interpolation::Step };
    move_along(&mut scene, 0, Curve::Translation(step));
    let before = scene.clone();
    let mut losses = LossReport::default();
    linearize(&mut scene, 1e-3, true, &mut losses);
    assert_eq!((scene == before, losses.len()), (true, 0));
    linearize(&mut scene, 1e-3, false, &mut losses);
    assert_eq!(key_counts(&scene), [3]);
    assert!(losses.names(Lost::Steps));
}

#[test]
fn splines_are_taken_at_the_frames_of_formats_that_have_frames() {
    let ease = spline(&[0.0, 1.0], vec![[0.0; 3], [0.0; 3], [0.0; 3], [0.0; 3], [10.0, 0.0, 0.0], [0.0; 3]]);
    for (rate, moment) in [(None, 0.0), (Some(24.0), 0.0), (None, 0.013)] {
        let mut scene = chain(1);
        let mut keys = ease.clone();
        keys.times_secs.iter_mut().for_each(|secs| *secs += moment);
        move_along(&mut scene, 0, Curve::Translation(keys));
        scene.clips.iter_mut().for_each(|clip| clip.frame_rate = rate);
        let mut losses = LossReport::default();
        linearize(&mut scene, 1e-4, true, &mut losses);
        let LossKind::Approximated { max_error: told } = losses.iter().next().unwrap().kind else { panic!() };
        let Curve::Translation(keys) = &scene.clips.iter().next().unwrap().tracks[0].curve else { panic!() };
        let frames = rate.unwrap_or(60.0);
        for (secs, value) in keys.times_secs.iter().zip(&keys.values) {
            assert!((secs * frames - (secs * frames).round()).abs() < 1e-3, "{secs} s is a frame");
            let t = (secs - moment).clamp(0.0, 1.0);
            assert!((value[0] - 10.0 * t * t * (3.0 - 2.0 * t)).abs() < 1e-4, "and the spline's value there");
        }
        // Half way between frames a line is farthest off: 10 × 6 / 8 of a frame's square, where the curve bends most.
        let worst = 7.5 / (frames * frames);
        assert!(told >= worst * 0.9 && told < if moment == 0.0 { worst * 1.1 } else { 0.02 }, "{told} of {worst}");
    }
}

/// One turning node, a unit from what it carries.
fn turning(times: &[f32], values: Vec<[f32; 4]>) -> Scene {
    let mut scene = chain(1);
    move_along(&mut scene, 0, Curve::Rotation(spline(times, values)));
    scene
}

/// What is told where a rotation does not turn around at once.
fn elsewhere(told: f32, detail: &str) -> f32 {
    detail.split_once("elsewhere by no more than ").map_or(told, |(_, error)| error.parse().unwrap())
}

#[test]
fn wild_turns_are_followed_until_they_are_close_enough_or_the_keys_are_used_up() {
    let mut dice = Dice(11);
    for round in 0..48 {
        let wild = [1.0, 5.0, 30.0, 1000.0][round % 4];
        let count = 2 + round % 3 * 4;
        let times: Vec<f32> = (0..count).map(|key| key as f32).collect();
        let turn = |dice: &mut Dice| unit(dice.array::<4>(1.0).map(f64::from)).as_quat().to_array();
        let values = (0..count).flat_map(|_| [dice.array(wild), turn(&mut dice), dice.array(wild)]).collect();
        let scene = turning(&times, values);
        let mut last = f32::MAX;
        for tolerance in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
            let (after, told, detail) = straightened(&scene, tolerance);
            let (keys, most) = (key_counts(&after)[0], most_keys(count));
            let are_used_up = keys * 5 > most * 4 && detail.contains(&format!("as closely as {most} keys allow"));
            assert!(told <= tolerance || are_used_up, "{round}, {tolerance}: {keys} of {most}, {detail}");
            // Keys of two tolerances are not the same, so that the last few make a small difference.
            assert!(
                told <= tolerance.max(last * 1.1) && farthest(&scene, &after, 100) <= f64::from(told),
                "{round}: {detail}"
            );
            last = told;
        }
    }
}

#[test]
fn a_turn_at_once_costs_the_rest_of_a_clip_nothing() {
    // Keys that are nearly opposite: between them the quaternion passes by nothing, as closely as `aside` says, and turns all around.
    let x = |angle: f32| Quat::from_rotation_x(angle).to_array();
    let still = [0.0; 4];
    for aside in [0.0, 1e-7, 1e-6, 1e-4, 1e-2, 1e-1] {
        let values = (0..10).flat_map(|key| {
            let opposite = Quat::from_xyzw(-x(0.4)[0], aside, 0.0, -x(0.4)[3]).normalize().to_array();
            let value = if key < 5 { x(key as f32 / 10.0) } else { opposite };
            [still, value, still]
        });
        let times: Vec<f32> = (0..10).map(|key| key as f32 / 4.0).collect();
        let scene = turning(&times, values.collect());
        let mut last = f32::MAX;
        for tolerance in [3.0, 1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5] {
            let (after, told, detail) = straightened(&scene, tolerance);
            let context = format!("{aside}, {tolerance}: {:?} keys, {detail}", key_counts(&after));
            assert!(told <= tolerance.max(last * 1.01), "{context}; {last} before");
            assert!(elsewhere(told, &detail) <= tolerance && !detail.contains("allow"), "{context}");
            assert!(aside == 1e-4 || (told > tolerance) == (aside < 1e-4), "{context}");
            assert_eq!(detail.contains("where a curve turns around within 0.000001 s"), told > tolerance, "{context}");
            last = told;
            // Between all keys but those at once, the turn is as near as told.
            let line = &after.clips.iter().next().unwrap().tracks[0].curve;
            for span in line.times_secs().windows(2).filter(|span| span[1] - span[0] > 2e-6) {
                let secs = f64::from(span[0]) + 0.43 * (f64::from(span[1]) - f64::from(span[0]));
                let [a, b] = [&scene, &after].map(|scene| places(scene, scene.clips.iter().next().unwrap(), secs));
                let apart = a.iter().zip(b).map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
                assert!(apart <= f64::from(elsewhere(told, &detail)), "{context}: {apart} at {secs}");
            }
        }
    }
}

#[test]
fn what_single_precision_cannot_tell_is_said() {
    let turned = Quat::from_rotation_z(0.01).to_array();
    let scene = turning(&[0.0, 1.0], vec![[0.0; 4], [0.0, 0.0, 0.0, 1.0], [0.0; 4], [0.0; 4], turned, [0.0; 4]]);
    let (after, told, detail) = straightened(&scene, 1e-9);
    assert!(key_counts(&after)[0] < 512 && told > 1e-9 && told < 1e-6, "{detail}");
    assert!(detail.contains("as closely as single precision allows"), "{detail}");
}
