//! A sound clip and its model, broken in one way each: the doctor names that and nothing else, and what it says puts it right.

use super::*;
use crate::ops::{Fixes, Up, fix};
use crate::{Blend, Joint, Keys, Trs};
use std::f64::consts::FRAC_PI_2;

/// A body of five joints whose rest poses are turned and a clip that waves it.
fn body() -> (Rig, Motion) {
    let names = ["hip", "spine", "head", "thigh", "knee"];
    let parents = [None, Some(0), Some(1), Some(0), Some(3)];
    let joint = |(at, name): (usize, &&str)| Joint {
        name: (*name).to_owned(),
        parent: parents[at],
        rest: Trs {
            translation: if at == 0 { DVec3::new(0.0, 1.0, 0.0) } else { DVec3::new(0.1 * at as f64, 0.4, 0.1) },
            rotation: DQuat::from_rotation_z(0.5 + 0.1 * at as f64),
            ..Trs::IDENTITY
        },
    };
    let rig = Rig::new(names.iter().enumerate().map(joint).collect());
    let mut motion =
        Motion { duration_secs: 1.0, frame_rate: Some(30.0), looped: Some(true), on_frames: true, ..Motion::default() };
    for joint in &rig.joints {
        let at = |frame: i32| f64::from(frame) / 30.0;
        let wave = |frame: i32| (at(frame) * std::f64::consts::TAU).sin();
        let places = (0..=30).map(|frame| (at(frame), joint.rest.translation + DVec3::X * 0.02 * wave(frame)));
        motion.push(&joint.name, Curve::Translation(Keys::straight(places)));
        let turns = (0..=30).map(|frame| (at(frame), joint.rest.rotation * DQuat::from_rotation_x(0.15 * wave(frame))));
        motion.push(&joint.name, Curve::Rotation(Keys::straight(turns)));
    }
    (rig, motion)
}

fn change(motion: &mut Motion, place: impl Fn(&str, DVec3) -> DVec3, turn: impl Fn(&str, DQuat) -> DQuat) {
    let names: Vec<String> = motion.tracks.iter().map(|track| motion.bone(track).unwrap().name.clone()).collect();
    for (track, name) in motion.tracks.iter_mut().zip(names) {
        match &mut track.curve {
            Curve::Translation(keys) => keys.values.iter_mut().for_each(|value| *value = place(&name, *value)),
            Curve::Rotation(keys) => keys.values.iter_mut().for_each(|value| *value = turn(&name, *value)),
            _ => {}
        }
    }
}

/// The names of the faults, and what puts them right.
fn told(motion: &Motion, rig: &Rig) -> Vec<(&'static str, String)> {
    let fix = |fault: Fault| (fault.name, fault.fixes.first().map(|words| words.join(" ")).unwrap_or_default());
    look(motion, Some(rig)).faults.into_iter().map(fix).collect()
}

/// What is not judged.
fn doubts(motion: &Motion, rig: Option<&Rig>) -> Vec<&'static str> {
    look(motion, rig).not_judged.into_iter().map(|doubt| doubt.what).collect()
}

#[test]
fn nothing_is_wrong_with_what_is_sound() {
    let (rig, motion) = body();
    assert_eq!(look(&motion, Some(&rig)), Looked::default());
    assert_eq!((look(&motion, None).faults, doubts(&motion, None).len()), (vec![], 1));
    let mut additive = Motion { blend: Blend::Additive, ..motion.clone() };
    change(
        &mut additive,
        |name, value| value - rig.rest(name).unwrap().translation,
        |name, value| rig.rest(name).unwrap().rotation.inverse() * value,
    );
    assert_eq!((told(&additive, &rig), doubts(&additive, Some(&rig))), (vec![], vec!["units"]));
    let mut relative = Motion { blend: Blend::Relative, ..motion.clone() };
    change(&mut relative, |name, value| value - rig.rest(name).unwrap().translation, |_, value| value);
    assert_eq!((told(&relative, &rig), doubts(&relative, Some(&rig))), (vec![], vec!["units"]));
    assert_eq!(look(&Motion::default(), Some(&rig)), Looked::default());
    assert_eq!(look(&motion, Some(&Rig::default())), Looked::default(), "no model");
}

#[test]
fn units_are_told_by_their_factor() {
    for (factor, asked) in [
        (2.54, "0.393701"),
        (1.0 / 2.54, "2.54"),
        (100.0, "0.01"),
        (0.01, "100"),
        (39.37, "0.0254"),
        (0.0254, "39.370079"),
        (1000.0, "0.001"),
    ] {
        let (rig, mut motion) = body();
        change(&mut motion, |_, value| value * factor, |_, value| value);
        assert_eq!(told(&motion, &rig), [("unit-scale", format!("scale --factor {asked}"))], "{factor}");
    }
    let (rig, mut motion) = body();
    change(&mut motion, |_, value| value * 1.2, |_, value| value);
    assert_eq!(told(&motion, &rig), [], "a larger body");
}

#[test]
fn blends_are_told_and_put_right() {
    let (rig, sound) = body();
    let rest = |name: &str| *rig.rest(name).unwrap();
    let mut additive = sound.clone();
    change(
        &mut additive,
        |name, value| value - rest(name).translation,
        |name, value| rest(name).rotation.inverse() * value,
    );
    let mut relative = sound.clone();
    change(&mut relative, |name, value| value - rest(name).translation, |_, value| value);
    let mut turns_alone = additive.clone();
    turns_alone.tracks.retain(|track| matches!(track.curve, Curve::Rotation(_)));
    for (values, says, is, blend) in [
        (&additive, Blend::Absolute, "additive", Blend::Additive),
        (&turns_alone, Blend::Absolute, "additive", Blend::Additive),
        (&relative, Blend::Absolute, "relative", Blend::Relative),
        (&sound, Blend::Relative, "absolute", Blend::Absolute),
        (&sound, Blend::Delta, "absolute", Blend::Absolute),
        (&sound, Blend::Additive, "absolute", Blend::Absolute),
        (&relative, Blend::Additive, "relative", Blend::Relative),
        (&additive, Blend::Relative, "additive", Blend::Additive),
    ] {
        let mut motion = Motion { blend: says, ..values.clone() };
        assert_eq!(told(&motion, &rig), [("blend", format!("fix --blend {is}"))], "{says:?} is {is}");
        fix(&mut motion, &Fixes { blend: Some(blend), ..Fixes::default() }, Some(&rig)).unwrap();
        assert_eq!(told(&motion, &rig), []);
    }
    let alone = look(&additive, None).faults;
    assert_eq!(alone.iter().map(|fault| fault.name).collect::<Vec<_>>(), ["blend"], "also without the model");
    assert_eq!(look(&Motion { blend: Blend::Additive, ..additive }, None).faults, []);
}

#[test]
fn the_wrong_up_is_told_and_put_right() {
    for (quarter, asked, up) in [(FRAC_PI_2, "fix --up y", Up::Y), (-FRAC_PI_2, "fix --up z", Up::Z)] {
        let (rig, mut motion) = body();
        let turn = DQuat::from_rotation_x(quarter);
        let is_top = |name: &str| name == "hip";
        change(
            &mut motion,
            |name, value| if is_top(name) { turn * value } else { value },
            |name, value| if is_top(name) { turn * value } else { value },
        );
        assert_eq!(told(&motion, &rig), [("up-axis", asked.to_owned())]);
        fix(&mut motion, &Fixes { up: Some(up), ..Fixes::default() }, Some(&rig)).unwrap();
        assert_eq!(told(&motion, &rig), []);
    }
}

#[test]
fn rotations_spikes_and_ends_are_told_and_put_right() {
    let (rig, sound) = body();
    let with_turns = |change: &dyn Fn(usize, DQuat) -> DQuat| {
        let mut motion = sound.clone();
        let Curve::Rotation(keys) = &mut motion.tracks[3].curve else { panic!() };
        for (at, value) in keys.values.iter_mut().enumerate() {
            *value = change(at, *value);
        }
        motion
    };
    let plain = Fixes::default();
    let cases = [
        (with_turns(&|at, value| if at == 7 { value * 1.1 } else { value }), "rotation-not-unit", "fix", plain.clone()),
        (with_turns(&|at, value| if at == 7 { -value } else { value }), "rotation-signs", "fix", plain.clone()),
        (
            with_turns(&|at, value| if at == 7 { value * DQuat::from_rotation_y(2.0) } else { value }),
            "spikes",
            "fix --spikes",
            Fixes { spikes: true, ..plain.clone() },
        ),
        (
            with_turns(&|at, value| value * DQuat::from_rotation_y(at as f64 * 0.02)),
            "loop-does-not-close",
            "fix --looped no",
            Fixes { looped: Some(false), ..plain },
        ),
    ];
    for (mut motion, name, asked, fixes) in cases {
        assert_eq!(told(&motion, &rig), [(name, asked.to_owned())]);
        fix(&mut motion, &fixes, Some(&rig)).unwrap();
        assert_eq!(told(&motion, &rig), [], "{name}");
    }
    let mut away = sound.clone();
    let Curve::Translation(keys) = &mut away.tracks[4].curve else { panic!() };
    keys.values[12] += DVec3::Y * 9.0;
    assert_eq!(told(&away, &rig), [("spikes", "fix --spikes".to_owned())]);
    let mut walks = sound.clone();
    let Curve::Translation(keys) = &mut walks.tracks[0].curve else { panic!() };
    keys.values.iter_mut().enumerate().for_each(|(at, value)| value.z += at as f64 * 0.05);
    assert_eq!(told(&walks, &rig), [], "the root may walk away");
}

#[test]
fn bones_of_another_model_are_told() {
    let (rig, sound) = body();
    let renamed = |name: &dyn Fn(&str) -> String| {
        let mut motion = sound.clone();
        motion.bones.iter_mut().for_each(|bone| bone.name = name(&bone.name));
        motion
    };
    let stranger = renamed(&|name| format!("x{name}"));
    assert_eq!(told(&stranger, &rig), [("no-bone-matches", String::new())]);
    let spaced = renamed(&|name| format!("rig:{name}"));
    assert_eq!(told(&spaced, &rig), [("no-bone-matches", "rename --prefix-strip rig:".to_owned())]);
    assert_eq!(told(&renamed(&str::to_uppercase), &rig), []);
}

/// A body on two legs whose rest poses are turned by far, and a clip that walks it: all but the hip by rotations alone.
fn walker() -> (Rig, Motion) {
    let parts = [
        ("hip", None, DVec3::new(0.0, 1.0, 0.0), DQuat::from_rotation_z(1.6)),
        ("spine", Some(0), DVec3::new(0.0, 1.5, 0.0), DQuat::from_rotation_x(1.2)),
        ("head", Some(1), DVec3::new(0.0, 1.8, 0.1), DQuat::from_rotation_y(0.4)),
        ("thigh_l", Some(0), DVec3::new(0.1, 0.95, 0.0), DQuat::from_rotation_x(2.4)),
        ("foot_l", Some(3), DVec3::new(0.1, 0.0, 0.05), DQuat::from_rotation_y(1.3)),
        ("thigh_r", Some(0), DVec3::new(-0.1, 0.95, 0.0), DQuat::from_rotation_x(-2.2)),
        ("foot_r", Some(5), DVec3::new(-0.1, 0.0, 0.05), DQuat::from_rotation_y(-1.1)),
    ];
    let joint = |(name, parent, place, turn): &(&str, Option<usize>, DVec3, DQuat)| {
        let (at, above) =
            parent.map_or((DVec3::ZERO, DQuat::IDENTITY), |parent: usize| (parts[parent].2, parts[parent].3));
        let rest =
            Trs { translation: above.inverse() * (*place - at), rotation: above.inverse() * *turn, ..Trs::IDENTITY };
        Joint { name: (*name).into(), parent: *parent, rest }
    };
    let rig = Rig::new(parts.iter().map(joint).collect());
    let mut motion = Motion { duration_secs: 1.0, frame_rate: Some(30.0), on_frames: true, ..Motion::default() };
    let secs = |frame: i32| f64::from(frame) / 30.0;
    let wave = |frame: i32| (secs(frame) * std::f64::consts::TAU).sin();
    let hip = rig.joints[0].rest.translation;
    let places = (0..=30).map(|frame| (secs(frame), hip + DVec3::new(0.0, 0.03 * wave(frame), 2.0 * secs(frame))));
    motion.push("hip", Curve::Translation(Keys::straight(places)));
    for (at, joint) in rig.joints.iter().enumerate() {
        let reach = if at % 2 == 1 { 0.4 } else { 0.15 };
        let turns =
            (0..=30).map(|frame| (secs(frame), joint.rest.rotation * DQuat::from_rotation_x(reach * wave(frame))));
        motion.push(&joint.name, Curve::Rotation(Keys::straight(turns)));
    }
    (rig, motion)
}

#[test]
fn a_body_that_is_translated_by_its_root_alone_is_judged_too() {
    let (rig, sound) = walker();
    assert_eq!(look(&sound, Some(&rig)), Looked::default());
    for (factor, asked) in
        [(100.0, "0.01"), (2.54, "0.393701"), (1.0 / 2.54, "2.54"), (0.01, "100"), (0.3048, "3.28084")]
    {
        let mut motion = sound.clone();
        change(&mut motion, |_, value| value * factor, |_, value| value);
        assert_eq!(told(&motion, &rig), [("unit-scale", format!("scale --factor {asked}"))], "{factor}");
    }
    let rest = |name: &str| *rig.rest(name).unwrap();
    let mut additive = sound.clone();
    change(
        &mut additive,
        |name, value| value - rest(name).translation,
        |name, value| rest(name).rotation.inverse() * value,
    );
    let mut relative = sound.clone();
    change(&mut relative, |name, value| value - rest(name).translation, |_, value| value);
    for (values, says, is) in [
        (&sound, Blend::Additive, Blend::Absolute),
        (&sound, Blend::Relative, Blend::Absolute),
        (&additive, Blend::Absolute, Blend::Additive),
        (&additive, Blend::Relative, Blend::Additive),
        (&relative, Blend::Absolute, Blend::Relative),
        (&relative, Blend::Additive, Blend::Relative),
    ] {
        let mut motion = Motion { blend: says, ..values.clone() };
        let word = format!("{is:?}").to_lowercase();
        assert_eq!(told(&motion, &rig), [("blend", format!("fix --blend {word}"))], "{says:?}");
        fix(&mut motion, &Fixes { blend: Some(is), ..Fixes::default() }, Some(&rig)).unwrap();
        assert_eq!(told(&motion, &rig), []);
    }
    // Who lies down, climbs or sits is sound.
    let lowered = |by: &dyn Fn(f64) -> f64| {
        let mut motion = sound.clone();
        let Curve::Translation(keys) = &mut motion.tracks[0].curve else { panic!() };
        keys.values.iter_mut().enumerate().for_each(|(at, value)| value.y += by(at as f64 / 30.0));
        told(&motion, &rig)
    };
    assert_eq!(lowered(&|part| 3.0 * part), [], "it climbs");
    assert_eq!(lowered(&|part| -0.9 * part), [], "it sinks down");
    let mut still = sound;
    still.tracks.retain(|track| matches!(track.curve, Curve::Rotation(_)));
    assert_eq!((told(&still, &rig), doubts(&still, Some(&rig))), (vec![], vec!["units"]), "nothing is translated");
}

#[test]
fn rotations_in_another_order_are_told_and_put_right() {
    use crate::ops::Misread;
    for (rig, sound) in [walker(), body()] {
        let w_first = |turn: DQuat| DQuat::from_xyzw(turn.w, turn.x, turn.y, turn.z);
        for (broken, word, rotations) in [
            (&w_first as &dyn Fn(DQuat) -> DQuat, "w-first", Misread::WFirst),
            (&|turn: DQuat| turn.conjugate(), "inverse", Misread::Inverse),
        ] {
            let mut motion = sound.clone();
            change(&mut motion, |_, value| value, |_, value| broken(value));
            assert_eq!(told(&motion, &rig), [("rotation-order", format!("fix --rotations {word}"))]);
            fix(&mut motion, &Fixes { rotations: Some(rotations), ..Fixes::default() }, Some(&rig)).unwrap();
            assert_eq!(told(&motion, &rig), []);
        }
    }
}

#[test]
fn missing_bones_sizes_of_nothing_and_odd_rates_are_told() {
    let (rig, sound) = body();
    let mut strange = sound.clone();
    strange.bones[1].name = "tail".into();
    strange.bones[3].name = "wing".into();
    let found = look(&strange, Some(&rig)).faults;
    assert_eq!(found.iter().map(|fault| fault.name).collect::<Vec<_>>(), ["bones-not-in-model"]);
    assert!(
        found[0].why.starts_with("2 of its 5 bones") && found[0].why.ends_with("\"tail\", \"wing\""),
        "{}",
        found[0].why
    );
    let mut carried = sound.clone();
    carried.push("root_motion", Curve::Translation(Keys::straight([(0.0, DVec3::ZERO), (1.0, DVec3::X)])));
    assert_eq!(told(&carried, &rig), [], "the motion of the whole may be in a bone of its own");
    let sized = |bones: usize| {
        let mut motion = sound.clone();
        for joint in rig.joints.iter().take(bones) {
            motion.push(&joint.name, Curve::Scale(Keys::straight([(0.0, DVec3::ZERO)])));
        }
        told(&motion, &rig)
    };
    assert_eq!((sized(2), sized(5)), (vec![], vec![("scale-zero", String::new())]), "two may be hidden");
    for (rate, asked) in [(30000.0, "30"), (24000.0, "24"), (0.5, "30"), (1.0 / 25.0, "25")] {
        let mut motion = Motion { frame_rate: Some(rate), ..sound.clone() };
        motion.change_times(|secs| secs * 30.0 / rate);
        let rates: Vec<_> = told(&motion, &rig).into_iter().filter(|(name, _)| *name == "frame-rate").collect();
        assert_eq!(rates, [("frame-rate", format!("fix --fps {asked}"))], "{rate}");
        fix(&mut motion, &Fixes { fps: Some(30.0), ..Fixes::default() }, Some(&rig)).unwrap();
        assert_eq!(told(&motion, &rig), []);
    }
    let held = Motion { duration_secs: 5.0, looped: Some(false), ..sound.clone() };
    assert_eq!((told(&held, &rig), doubts(&held, Some(&rig))), (vec![], vec!["length"]), "a pause may be meant");
    assert_eq!(doubts(&Motion { duration_secs: 1.9, looped: None, ..sound }, Some(&rig)), [""; 0]);
}

#[test]
fn a_loop_is_judged_alike_with_more_keys_and_with_fewer() {
    let turn = |end: f64, keys: i32| {
        let mut motion = Motion { duration_secs: 2.0, looped: Some(true), ..Motion::default() };
        motion.push("root", Curve::Rotation(Keys::straight([(0.0, DQuat::IDENTITY)])));
        // There and back, but for what is left at the end.
        let at = |part: f64| if part < 0.5 { 2.0 * part } else { 1.0 + (end - 1.0) * (2.0 * part - 1.0) };
        let value = |key: i32| {
            let part = f64::from(key) / f64::from(keys);
            (2.0 * part, DQuat::from_rotation_y(at(part)))
        };
        motion.push("arm", Curve::Rotation(Keys::straight((0..=keys).map(value))));
        look(&motion, None).faults
    };
    for keys in [2, 4, 16, 120] {
        assert_eq!(turn(0.07, keys), [], "a frame is left out");
        let found = turn(0.5, keys);
        assert_eq!(found.iter().map(|fault| fault.name).collect::<Vec<_>>(), ["loop-does-not-close"], "{keys}");
        assert_eq!(found[0].fixes, [vec!["fix", "--looped", "no"], vec!["loop", "--seam"]]);
    }
}
