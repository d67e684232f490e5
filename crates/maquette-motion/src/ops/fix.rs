//! What a clip says of itself, put right: how its values are to be taken, which way is up, whether it repeats, where it ends; and rotations as they should be.

use super::{Up, rate};
use crate::doctor::{Matched, spikes};
use crate::value::Value;
use crate::{Blend, Curve, Did, Interpolation, Keys, Motion, Refusal, Rig, short};
use maquette_scene::glam::DQuat;
use std::collections::HashSet;
use std::f64::consts::FRAC_PI_2;

/// What is to be put right. Rotations always are: of unit length, with the signs of the one before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fixes {
    /// How values are to be taken from now on; no value changes, and bones that are blended in a way of their own go on so.
    pub blend: Option<Blend>,
    /// What is to be up from now on; the other was. What has no other above it is turned.
    pub up: Option<Up>,
    /// Whether it repeats.
    pub looped: Option<bool>,
    /// Frames a second; the frames stay.
    pub fps: Option<f64>,
    /// How many frames it has; of 0, as many as its keys and events take.
    pub frame_count: Option<u32>,
    /// Whether keys go that jump away and back.
    pub spikes: bool,
    /// How rotations were written, where not as they are read.
    pub rotations: Option<Misread>,
}

/// Quaternions that were written in another way than they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misread {
    /// Their w stands first.
    WFirst,
    /// They turn the other way.
    Inverse,
}

impl Misread {
    /// What was meant.
    pub fn put_right(self, read: DQuat) -> DQuat {
        match self {
            Misread::WFirst => DQuat::from_xyzw(read.y, read.z, read.w, read.x),
            Misread::Inverse => read.conjugate(),
        }
    }
}

/// Puts right what is asked for, without a change of any other value.
pub fn fix(motion: &mut Motion, fixes: &Fixes, rig: Option<&Rig>) -> Result<Did, Refusal> {
    let mut did = motion.put_right.clone();
    if let Some(misread) = fixes.rotations {
        let rotations = motion.tracks.iter_mut().filter_map(|track| match &mut track.curve {
            Curve::Rotation(keys) => Some(keys),
            _ => None,
        });
        // Another order or other signs are the same for values and tangents.
        rotations.for_each(|keys| change(keys, |key| misread.put_right(*key)));
        did.push(match misread {
            Misread::WFirst => "the first number of its rotations is their w".to_owned(),
            Misread::Inverse => "its rotations turn the other way".to_owned(),
        });
    }
    let rotations = motion.tracks.iter_mut().map(|track| mend_rotations(&mut track.curve)).sum::<u64>();
    if let Some(blend) = fixes.blend {
        motion.blend = blend;
        let own = motion.bones.iter().filter(|bone| bone.blend.is_some()).count();
        let but = if own > 0 { format!(", but for bones with a blend of their own ({own})") } else { String::new() };
        did.push(format!("its values are {}{but}", format!("{blend:?}").to_lowercase()));
    }
    if let Some(up) = fixes.up {
        did.push(turn(motion, up, rig)?);
    }
    if let Some(looped) = fixes.looped {
        motion.looped = Some(looped);
        did.push(if looped { "it repeats" } else { "it does not repeat" }.to_owned());
    }
    if let Some(fps) = fixes.fps {
        did.push(set_rate(motion, fps)?);
    }
    if let Some(frames) = fixes.frame_count {
        did.push(set_frames(motion, frames)?);
    }
    let mut removed = 0;
    if fixes.spikes {
        for track in &mut motion.tracks {
            let found: HashSet<usize> = spikes(&track.curve).into_iter().map(|(key, _)| key).collect();
            removed += found.len();
            track.curve.keep(|key| !found.contains(&key));
        }
        did.push("keys that jump away and back are left out".to_owned());
    }
    match (rotations, did.is_empty()) {
        (0, true) => did.push("nothing had to be put right".to_owned()),
        (0, false) => {}
        _ => did.push("rotations are of unit length, with the signs of the one before".to_owned()),
    }
    let told = Did::new(did.join("; ")).with("rotations changed", rotations as f64, "");
    Ok(if fixes.spikes { told.with("keys removed", removed as f64, "") } else { told })
}

/// Unit quaternions, each on the side of the one before; how many were not.
fn mend_rotations(curve: &mut Curve) -> u64 {
    let Curve::Rotation(keys) = curve else { return 0 };
    let is_spline = keys.interpolation == Interpolation::CubicSpline;
    let mut changed = 0;
    let mut before: Option<DQuat> = None;
    for three in keys.values.chunks_mut(if is_spline { 3 } else { 1 }) {
        let Some(value) = three.get(usize::from(is_spline)).copied() else { continue };
        let length = value.length();
        let mut factor = if length > 0.0 && (length - 1.0).abs() > 1e-6 { 1.0 / length } else { 1.0 };
        // The signs of a spline are part of the way it goes.
        if !is_spline && before.is_some_and(|before| before.dot(value) < 0.0) {
            factor = -factor;
        }
        changed += u64::from(factor != 1.0);
        match length > 0.0 && length.is_finite() {
            true => three.iter_mut().for_each(|stored| *stored *= factor),
            false => three.iter_mut().for_each(|stored| *stored = stored.finished()),
        }
        before = three.get(usize::from(is_spline)).copied();
    }
    changed
}

/// Turns what has no other above it.
fn turn(motion: &mut Motion, up: Up, rig: Option<&Rig>) -> Result<String, Refusal> {
    let Some(rig) = rig else {
        return Err(Refusal(
            "the file does not tell which bone has no other above it; name the model with --skeleton".into(),
        ));
    };
    let quarter = match up {
        Up::Y => DQuat::from_rotation_x(-FRAC_PI_2),
        Up::Z => DQuat::from_rotation_x(FRAC_PI_2),
    };
    let before = motion.clone();
    let matched = Matched::of(&before, rig);
    let mut turned: Vec<&str> = Vec::new();
    for (track, now) in before.tracks.iter().zip(&mut motion.tracks) {
        let Some(joint) = matched.joint(track).filter(|_| matched.is_topmost(track)) else { continue };
        let blend = before.blend_of(track);
        match &mut now.curve {
            Curve::Translation(keys) => change(keys, |place| quarter * *place),
            Curve::Rotation(keys) if blend == Blend::Additive => {
                let rest = joint.rest.rotation;
                change(keys, |key| rest.inverse() * quarter * rest * *key);
            }
            Curve::Rotation(keys) => change(keys, |key| quarter * *key),
            Curve::Scale(_) | Curve::MorphWeights(_) => {}
        }
        turned.push(&joint.name);
    }
    turned.dedup();
    match turned.is_empty() {
        true => Err(Refusal(
            "none of its bones is a joint of the model, so nothing can be turned; name the right model with --skeleton"
                .into(),
        )),
        false => Ok(format!(
            "{up:?} is up: {} turned by a quarter",
            turned.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
        )),
    }
}

/// A linear change is the same for values and tangents.
fn change<T: Value>(keys: &mut Keys<T>, to: impl Fn(&T) -> T) {
    keys.values.iter_mut().for_each(|value| *value = to(value));
}

/// Another rate for the same frames.
fn set_rate(motion: &mut Motion, fps: f64) -> Result<String, Refusal> {
    let Some(before) = motion.frame_rate.filter(|rate| *rate > 0.0) else {
        return Err(Refusal("it has no frames; `clip retime` makes it faster or slower".into()));
    };
    let rate = rate::stored(fps)?;
    motion.change_times(|secs| secs * before / rate);
    motion.frame_rate = Some(rate);
    Ok(format!("its frames are those of {}, so that it lasts {} s", rate::shown(rate), short(motion.duration_secs)))
}

fn set_frames(motion: &mut Motion, frames: u32) -> Result<String, Refusal> {
    let Some(rate) = motion.frame_rate.filter(|rate| *rate > 0.0) else {
        return Err(Refusal("it has no frames to be counted; trim it to a length in seconds".into()));
    };
    let last = motion.last_secs();
    let taken = (last * rate - 1e-6).ceil().max(0.0) + 1.0;
    let count = if frames == 0 { taken } else { f64::from(frames) };
    if count < taken {
        return Err(Refusal(format!(
            "{frames} frames are too few: the last key or event is on frame {}; trim it to leave that out",
            short(taken - 1.0)
        )));
    }
    motion.duration_secs = (count - 1.0) / rate;
    Ok(format!("it has {} frames", short(count)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, Joint, Trs};
    use maquette_scene::glam::DVec3;

    fn rotation(motion: &Motion, track: usize) -> Vec<DQuat> {
        let Curve::Rotation(keys) = &motion.tracks[track].curve else { panic!() };
        keys.values.clone()
    }

    #[test]
    fn rotations_are_mended_and_nothing_else_moves() {
        let mut motion = Motion { duration_secs: 2.0, ..Motion::default() };
        let turn = DQuat::from_rotation_y;
        let odd = [turn(0.1) * 2.0, -turn(0.2), turn(0.3)];
        motion
            .push("a", Curve::Rotation(Keys::straight(odd.iter().enumerate().map(|(at, value)| (at as f64, *value)))));
        motion.push("a", Curve::Translation(Keys::straight([(0.0, DVec3::X * 7.0)])));
        let before = motion.clone();
        let did = fix(&mut motion, &Fixes::default(), None).unwrap();
        assert_eq!(did.figures[0].value, 2.0);
        for (value, wanted) in rotation(&motion, 0).iter().zip([0.1, 0.2, 0.3]) {
            assert!((*value - turn(wanted)).length() < 1e-12, "{value}");
        }
        assert_eq!(motion.tracks[1], before.tracks[1]);
        let mended = motion.clone();
        fix(&mut motion, &Fixes::default(), None).unwrap();
        assert_eq!(motion, mended, "once is enough");
    }

    #[test]
    fn what_is_up_changes_at_the_top_alone_and_comes_back() {
        let joint = |name: &str, parent| Joint {
            name: name.into(),
            parent,
            rest: Trs { rotation: DQuat::from_rotation_z(0.4), ..Trs::IDENTITY },
        };
        let rig = Rig::new(vec![joint("hip", None), joint("knee", Some(0))]);
        for blend in [Blend::Absolute, Blend::Additive] {
            let mut motion = Motion { blend, ..Motion::default() };
            for bone in ["knee", "hip"] {
                motion.push(bone, Curve::Translation(Keys::straight([(0.0, DVec3::Z)])));
                motion.push(bone, Curve::Rotation(Keys::straight([(0.0, DQuat::from_rotation_y(0.3))])));
            }
            let before = motion.clone();
            fix(&mut motion, &Fixes { up: Some(Up::Y), ..Fixes::default() }, Some(&rig)).unwrap();
            assert_eq!(motion.tracks[..2], before.tracks[..2]);
            let Curve::Translation(keys) = &motion.tracks[2].curve else { panic!() };
            assert!((keys.values[0] - DVec3::Y).length() < 1e-12, "what was up in Z is up in Y: {}", keys.values[0]);
            // The whole rotation is turned, whatever is stored.
            let whole = |motion: &Motion| match blend {
                Blend::Additive => DQuat::from_rotation_z(0.4) * rotation(motion, 3)[0],
                _ => rotation(motion, 3)[0],
            };
            assert!(
                (whole(&motion) * DVec3::X - DQuat::from_rotation_x(-FRAC_PI_2) * (whole(&before) * DVec3::X)).length()
                    < 1e-12
            );
            fix(&mut motion, &Fixes { up: Some(Up::Z), ..Fixes::default() }, Some(&rig)).unwrap();
            assert!((rotation(&motion, 3)[0] - rotation(&before, 3)[0]).length() < 1e-12);
        }
        let mut motion = Motion::default();
        assert!(fix(&mut motion, &Fixes { up: Some(Up::Y), ..Fixes::default() }, None).is_err());
        assert!(fix(&mut motion, &Fixes { up: Some(Up::Y), ..Fixes::default() }, Some(&rig)).is_err());
    }

    #[test]
    fn bones_with_a_blend_of_their_own_keep_it() {
        let mut motion = Motion::default();
        for (bone, own) in [("arm", Some(Blend::Relative)), ("hand", Some(Blend::Additive)), ("leg", None)] {
            motion.push(bone, Curve::Translation(Keys::straight([(0.0, DVec3::X)])));
            motion.bones.last_mut().unwrap().blend = own;
        }
        let before = motion.clone();
        for blend in [Blend::Additive, Blend::Relative, Blend::Absolute] {
            fix(&mut motion, &Fixes { blend: Some(blend), ..Fixes::default() }, None).unwrap();
            assert_eq!((motion.blend, &motion.bones), (blend, &before.bones));
        }
    }

    #[test]
    fn frames_stay_at_another_rate_and_what_reading_did_is_told() {
        let mut motion = Motion { duration_secs: 1.0, frame_rate: Some(30.0), ..Motion::default() };
        motion.put_right.push("it has 30 frames a second".into());
        motion.push("a", Curve::Translation(Keys::straight([(0.0, DVec3::X), (1.0, DVec3::Y)])));
        let did = fix(&mut motion, &Fixes { fps: Some(60.0), ..Fixes::default() }, None).unwrap();
        assert_eq!((motion.duration_secs, motion.frame_rate), (0.5, Some(60.0)));
        assert_eq!(motion.tracks[0].curve.times_secs(), [0.0, 0.5]);
        assert!(did.words.contains("30 frames a second") && did.words.contains("60 frames a second"), "{}", did.words);
        for fps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(fix(&mut motion, &Fixes { fps: Some(fps), ..Fixes::default() }, None).is_err(), "{fps}");
        }
        motion.frame_rate = None;
        assert!(fix(&mut motion, &Fixes { fps: Some(60.0), ..Fixes::default() }, None).is_err());
    }

    #[test]
    fn headers_are_set_and_keys_are_not_cut_off() {
        let mut motion = Motion { duration_secs: 9.0, frame_rate: Some(10.0), ..Motion::default() };
        motion.push("a", Curve::Translation(Keys::straight([(0.0, DVec3::X), (0.3, DVec3::Y)])));
        motion.bones[0].blend = Some(Blend::Additive);
        motion.events.push(Event { time_secs: 0.5, name: String::new() });
        let fixes =
            Fixes { blend: Some(Blend::Additive), looped: Some(true), frame_count: Some(0), ..Fixes::default() };
        fix(&mut motion, &fixes, None).unwrap();
        assert_eq!(
            (motion.blend, motion.bones[0].blend, motion.looped),
            (Blend::Additive, Some(Blend::Additive), Some(true))
        );
        assert_eq!(motion.duration_secs, 0.5);
        let frames = |frames| Fixes { frame_count: Some(frames), ..Fixes::default() };
        assert!(fix(&mut motion, &frames(5), None).is_err());
        fix(&mut motion, &frames(21), None).unwrap();
        assert_eq!(motion.duration_secs, 2.0);
        motion.frame_rate = None;
        assert!(fix(&mut motion, &frames(21), None).is_err());
    }
}
