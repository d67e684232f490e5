//! Clips compared with the same curves in double precision.

use super::*;
use crate::transform::Transform;
use glam::{DQuat, DVec3, DVec4, Quat, Vec3};
use proptest::prelude::*;

/// A track as it was made.
#[derive(Clone, Debug)]
struct Curve {
    joint: u32,
    property: Property,
    interpolation: Interpolation,
    times: Vec<f32>,
    values: Vec<[f32; 4]>,
}

fn exact(curve: &Curve, secs: f32) -> DVec4 {
    let value = |index: usize| {
        let value = Vec4::from(curve.values[index]).as_dvec4();
        let is_tangent = curve.interpolation == Interpolation::CubicSpline && index % 3 != 1;
        if curve.property == Property::Rotation && !is_tangent { value.normalize() } else { value }
    };
    let after = curve.times.partition_point(|&time| time <= secs);
    let before = after.saturating_sub(1);
    let per_key = if curve.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let middle = per_key / 2;
    if after == 0 || after == curve.times.len() || curve.interpolation == Interpolation::Step {
        return value(before * per_key + middle);
    }
    let span = f64::from(curve.times[after]) - f64::from(curve.times[before]);
    let t = (f64::from(secs) - f64::from(curve.times[before])) / span;
    if curve.interpolation == Interpolation::CubicSpline {
        let (a, leaving) = (value(before * 3 + 1), value(before * 3 + 2) * span);
        let (arriving, b) = (value(after * 3) * span, value(after * 3 + 1));
        let (t2, t3) = (t * t, t * t * t);
        let mixed = a * (2.0 * t3 - 3.0 * t2 + 1.0)
            + leaving * (t3 - 2.0 * t2 + t)
            + b * (3.0 * t2 - 2.0 * t3)
            + arriving * (t3 - t2);
        return if curve.property == Property::Rotation { mixed.normalize() } else { mixed };
    }
    let (a, b) = (value(before), value(after));
    match curve.property {
        Property::Rotation => DVec4::from(DQuat::from_vec4(a).slerp(DQuat::from_vec4(b), t)),
        _ => a + (b - a) * t,
    }
}

fn packed(curves: &[Curve]) -> Clip {
    let mut builder = Builder::new("all", 4.0);
    for curve in curves {
        let vectors: Vec<Vec3> = curve.values.iter().map(|&[x, y, z, _]| Vec3::new(x, y, z)).collect();
        let turns: Vec<Quat> = curve.values.iter().map(|&value| Quat::from_array(value)).collect();
        match curve.property {
            Property::Translation => builder.translation(curve.joint, curve.interpolation, &curve.times, &vectors),
            Property::Rotation => builder.rotation(curve.joint, curve.interpolation, &curve.times, &turns),
            _ => builder.scale(curve.joint, curve.interpolation, &curve.times, &vectors),
        }
    }
    builder.build().unwrap()
}

fn times() -> impl Strategy<Value = Vec<f32>> {
    let shared = (1usize..12).prop_map(|count| (0..count).map(|key| key as f32 * 0.25).collect());
    let own = prop::collection::vec(0.0f32..4.0, 1..9).prop_map(|mut times: Vec<f32>| {
        times.sort_by(f32::total_cmp);
        times.dedup_by(|a, b| *a - *b < 1e-3);
        times
    });
    prop_oneof![3 => shared, 1 => own]
}

fn curve(joint: u32, property: Property) -> impl Strategy<Value = Curve> {
    let interpolation = prop_oneof![
        4 => Just(Interpolation::Linear),
        1 => Just(Interpolation::Step),
        1 => Just(Interpolation::CubicSpline)
    ];
    (interpolation, times()).prop_flat_map(move |(interpolation, times)| {
        let count = times.len() * if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let value = prop::array::uniform4(-1.0f32..1.0).prop_map(|[x, y, z, w]| [x, y, z, w + w.signum()]);
        prop::collection::vec(value, count).prop_map(move |values| Curve {
            joint,
            property,
            interpolation,
            times: times.clone(),
            values,
        })
    })
}

fn curves() -> impl Strategy<Value = Vec<Curve>> {
    (1u32..14).prop_flat_map(|joints| {
        let of_joint = |joint| {
            [Property::Translation, Property::Rotation, Property::Scale]
                .map(|property| prop::option::weighted(0.8, curve(joint, property)))
        };
        let all: Vec<_> = (0..joints).flat_map(of_joint).collect();
        all.prop_map(|curves| curves.into_iter().flatten().collect())
    })
}

fn seen(pose: &[Transform], curve: &Curve) -> DVec4 {
    let transform = pose[curve.joint as usize];
    match curve.property {
        Property::Translation => Vec3::from(transform.translation).extend(0.0).as_dvec4(),
        Property::Rotation => Vec4::from(transform.rotation).as_dvec4(),
        _ => Vec3::from(transform.scale).extend(0.0).as_dvec4(),
    }
}

fn expected(curve: &Curve, secs: f32, like: DVec4) -> DVec4 {
    let exact = exact(curve, secs);
    match curve.property {
        Property::Rotation if exact.dot(like) < 0.0 => -exact,
        Property::Rotation => exact,
        _ => exact.truncate().extend(0.0),
    }
}

proptest! {
    #[test]
    fn any_clip_is_where_double_precision_says(curves in curves(), moments in prop::collection::vec(-0.5f32..4.5, 1..12)) {
        let clip = packed(&curves);
        let mut cursor = Cursor::new(&clip);
        for secs in moments {
            let mut pose = vec![Transform::IDENTITY; 14];
            clip.sample(&mut cursor, secs, &mut pose);
            for curve in &curves {
                let is_spline = curve.interpolation == Interpolation::CubicSpline;
                let seen = seen(&pose, curve);
                let exact = expected(curve, secs, seen);
                // A spline of quaternions may pass near zero, where its direction is anybody's guess.
                let bound = if is_spline && curve.property == Property::Rotation { 1e-2 } else { 2e-5 };
                prop_assert!((seen - exact).length() < bound, "{seen} for {exact} at {secs} in {curve:?}");
            }
        }
    }

    #[test]
    fn what_moves_one_joint_is_the_same_alone(curves in curves(), secs in 0.0f32..4.0) {
        let clip = packed(&curves);
        let mut pose = vec![Transform::IDENTITY; 14];
        clip.sample(&mut Cursor::new(&clip), secs, &mut pose);
        for (joint, together) in (0u32..).zip(&pose) {
            let alone = clip.of_joint(joint);
            let mut own = [Transform::IDENTITY];
            alone.sample(&mut Cursor::new(&alone), secs, &mut own);
            prop_assert!(own[0].translation.distance(together.translation) < 1e-6);
            prop_assert!(own[0].scale.distance(together.scale) < 1e-6);
            prop_assert!(own[0].rotation.dot(together.rotation).abs() > 1.0 - 1e-5);
        }
    }
}

#[test]
fn keys_at_the_same_moments_are_looked_for_once() {
    let mut builder = Builder::new("", 1.0);
    for joint in 0..9 {
        let turns = [0.0, 1.0].map(Quat::from_rotation_x);
        builder.rotation(joint, Interpolation::Linear, &[0.0, 1.0], &turns);
        builder.translation(joint, Interpolation::Linear, &[0.0, 1.0], &[Vec3::ZERO, Vec3::X]);
        builder.scale(joint, Interpolation::Linear, &[0.0, 1.0], &[Vec3::ONE; 2]);
    }
    let clip = builder.build().unwrap();
    assert_eq!((clip.timelines.len(), clip.times.len(), clip.values.len()), (1, 3, 2 * 18), "scales stand still");
    assert_eq!((clip.scales.still.len(), clip.rotations.runs.len(), clip.rotations.joints.len()), (9, 1, 8));
    assert_eq!(clip.joint_count(), 9);
    assert_eq!(clip.size_bytes(), 3 * 4 + 36 * 16);
}

#[test]
fn poses_that_are_too_small_and_cursors_of_other_clips_do_no_harm() {
    let mut long = Builder::new("", 9.0);
    let times: Vec<f32> = (0..900).map(|key| key as f32 / 100.0).collect();
    long.translation(5, Interpolation::Linear, &times, &vec![Vec3::ONE; 900]);
    let ups: Vec<Vec3> = times.iter().map(|&secs| Vec3::Y * secs).collect();
    long.translation(2, Interpolation::Linear, &times, &ups);
    let long = long.build().unwrap();
    let mut short = Builder::new("", 1.0);
    short.translation(2, Interpolation::Linear, &[0.0, 1.0], &[Vec3::ZERO, Vec3::X]);
    let short = short.build().unwrap();
    let mut cursor = Cursor::new(&long);
    let mut pose = [Transform::IDENTITY; 3];
    long.sample(&mut cursor, 8.5, &mut pose);
    assert!((pose[2].translation.y - 8.5).abs() < 1e-5);
    short.sample(&mut cursor, 0.5, &mut pose);
    assert_eq!(pose[2].translation, Vec3::new(0.5, 0.0, 0.0).into());
    short.sample(&mut cursor, f32::NAN, &mut pose);
    assert_eq!(pose[2].translation, Vec3::ZERO.into());
    long.sample(&mut cursor, 3.25, &mut []);
}

#[test]
fn what_is_no_clip_says_why() {
    let fault = |add: &dyn Fn(&mut Builder)| {
        let mut builder = Builder::new("", 1.0);
        add(&mut builder);
        builder.build().unwrap_err()
    };
    let linear = Interpolation::Linear;
    let (index, property) = (7, Property::Rotation);
    let unit = Quat::IDENTITY;
    assert_eq!(fault(&|it| it.rotation(7, linear, &[], &[])), ClipError::NoKeys { index, property });
    let count = ClipError::Count { index, property, values: 1, needed: 2 };
    assert_eq!(fault(&|it| it.rotation(7, linear, &[0.0, 1.0], &[unit])), count);
    let count = ClipError::Count { index, property, values: 1, needed: 3 };
    assert_eq!(fault(&|it| it.rotation(7, Interpolation::CubicSpline, &[0.0], &[unit])), count);
    let time = ClipError::Time { index, property, key: 1 };
    assert_eq!(fault(&|it| it.rotation(7, linear, &[1.0, 0.5], &[unit; 2])), time);
    assert_eq!(fault(&|it| it.rotation(7, linear, &[1.0, f32::NAN], &[unit; 2])), time);
    let value = ClipError::Value { index, property, value: 0 };
    assert_eq!(fault(&|it| it.rotation(7, linear, &[0.0], &[Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)])), value);
    let twice = |it: &mut Builder| (0..2).for_each(|_| it.rotation(7, linear, &[0.0], &[unit]));
    assert_eq!(fault(&twice), ClipError::Twice { index, property });
    let property = Property::MorphWeights;
    let count = ClipError::Count { index, property, values: 3, needed: 4 };
    assert_eq!(fault(&|it| it.morph_weights(7, linear, &[0.0, 1.0], &[0.0; 3])), count);
    assert_eq!(Builder::new("", -1.0).build().unwrap_err(), ClipError::Duration);
    assert!(count.to_string().contains("mesh 7"), "{count}");
}

#[test]
fn morph_weights_go_with_the_clip() {
    let mut builder = Builder::new("", 2.0);
    builder.morph_weights(3, Interpolation::Linear, &[0.0, 2.0], &[0.0, 1.0, 1.0, 0.0]);
    let spline = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
    builder.morph_weights(4, Interpolation::CubicSpline, &[0.0, 2.0], &spline);
    let clip = builder.build().unwrap();
    let mut cursor = Cursor::new(&clip);
    clip.sample(&mut cursor, 0.5, &mut []);
    let mut weights = [9.0; 3];
    assert!(clip.morph_weights(&cursor, 3, &mut weights));
    assert_eq!(weights, [0.25, 0.75, 9.0]);
    assert!(clip.morph_weights(&cursor, 4, &mut weights));
    // 1·h10·2 at t = 1/4, with 1 arriving: t³ − 2t² + t = 9/64, t³ − t² = −3/64.
    let expected = f64::from(2.0f32) * 9.0 / 64.0 + f64::from(2.0f32) * -3.0 / 64.0;
    assert!((f64::from(weights[0]) - expected).abs() < 1e-6, "{weights:?} for {expected}");
    assert!(!clip.morph_weights(&cursor, 5, &mut weights));
    assert_eq!(DVec3::ZERO.length(), 0.0);
}
