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
    look(motion, Some(rig)).into_iter().map(|fault| (fault.name, fault.fix.unwrap_or_default())).collect()
}

#[test]
fn nothing_is_wrong_with_what_is_sound() {
    let (rig, motion) = body();
    assert_eq!(look(&motion, Some(&rig)), []);
    assert_eq!(look(&motion, None), []);
    let mut additive = Motion { blend: Blend::Additive, ..motion.clone() };
    change(
        &mut additive,
        |name, value| value - rig.rest(name).unwrap().translation,
        |name, value| rig.rest(name).unwrap().rotation.inverse() * value,
    );
    assert_eq!(look(&additive, Some(&rig)), []);
    let mut relative = Motion { blend: Blend::Relative, ..motion.clone() };
    change(&mut relative, |name, value| value - rig.rest(name).unwrap().translation, |_, value| value);
    assert_eq!(look(&relative, Some(&rig)), []);
    assert_eq!(look(&Motion::default(), Some(&rig)), []);
    assert_eq!(look(&motion, Some(&Rig::default())), [], "no model");
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
    ] {
        let mut motion = Motion { blend: says, ..values.clone() };
        assert_eq!(told(&motion, &rig), [("blend", format!("fix --blend {is}"))], "{says:?} is {is}");
        fix(&mut motion, &Fixes { blend: Some(blend), ..Fixes::default() }, Some(&rig)).unwrap();
        assert_eq!(told(&motion, &rig), []);
    }
    let alone = look(&additive, None);
    assert_eq!(alone.iter().map(|fault| fault.name).collect::<Vec<_>>(), ["blend"], "also without the model");
    assert_eq!(look(&Motion { blend: Blend::Additive, ..additive }, None), []);
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
