//! A clip played backwards.

use super::resample::JUMP;
use crate::value::Value;
use crate::{Did, Interpolation, Keys, Motion, Refusal, with_keys};

/// Turns time around: what was at the end is at the start. Tangents of splines change sides and signs, events are mirrored. A curve that jumps has at each moment what it had; a value that it
/// jumped to at the very end is there for a ten thousandth of a second at the start, and the other way round. Where keys alone tell how long a clip is, one curve gets a key at its end.
pub fn reverse(motion: &mut Motion) -> Result<Did, Refusal> {
    let end = motion.duration_secs.max(motion.last_secs());
    let (mut before, mut added) = (0, 0);
    for track in &mut motion.tracks {
        let count = track.curve.len();
        with_keys!(&mut track.curve, keys => match keys.interpolation {
            Interpolation::Step => turn_steps(keys, end),
            _ => turn(keys, end),
        });
        before += count;
        added += track.curve.len().saturating_sub(count);
    }
    motion.events.iter_mut().for_each(|event| event.time_secs = end - event.time_secs);
    motion.events.reverse();
    motion.duration_secs = end;
    added += usize::from(close(motion, end));
    let did = Did::new("plays backwards").with("keys", before as f64, "");
    Ok(if added > 0 { did.with("keys added to hold a value to the end", added as f64, "") } else { did })
}

fn turn<T: Value>(keys: &mut Keys<T>, end: f64) {
    keys.times_secs.iter_mut().for_each(|secs| *secs = end - *secs);
    keys.times_secs.reverse();
    // With three values a key, this changes the sides of tangents, too.
    keys.values.reverse();
    keys.change(T::clone, |tangent| tangent.times(-1.0));
}

/// Each value lasts from the moment that ended it to the one that began it.
fn turn_steps<T: Value>(keys: &mut Keys<T>, end: f64) {
    if keys.times_secs.len() < 2 {
        return turn(keys, end);
    }
    // A key at the end that changes nothing is there to hold what is before it.
    let holds = matches!(keys.values.as_slice(), [.., before, last] if before == last);
    if holds && keys.times_secs.last().is_some_and(|last| *last >= end) {
        keys.times_secs.pop();
        keys.values.pop();
    }
    let instant = JUMP.min(end / (4.0 * keys.times_secs.len() as f64));
    let is_instant = keys.times_secs.get(1).is_some_and(|second| *second <= instant * (1.0 + 1e-6));
    // The last value begins at 0, and each other where the one after it began.
    let begins = |(place, secs): (usize, &f64)| match (place, end - secs) {
        (1, _) if is_instant => end,
        (_, begins) if begins <= 0.0 => instant,
        (_, begins) => begins,
    };
    let mut times: Vec<f64> = keys.times_secs.iter().enumerate().skip(1).map(begins).collect();
    times.push(0.0);
    times.reverse();
    keys.values.reverse();
    keys.times_secs = times;
}

/// Gives one curve a key at the end, if no other has one and the file has no other way to tell when that is. Whether it did.
fn close(motion: &mut Motion, end: f64) -> bool {
    let last = |curve: &crate::Curve| curve.times_secs().last().copied().unwrap_or(end);
    if motion.on_frames || motion.tracks.iter().any(|track| last(&track.curve) >= end - 1e-9) {
        return false;
    }
    let jumps = |curve: &crate::Curve| curve.interpolation() == Interpolation::Step;
    let place = motion.tracks.iter().position(|track| jumps(&track.curve)).unwrap_or(0);
    let Some(track) = motion.tracks.get_mut(place) else { return false };
    with_keys!(&mut track.curve, keys => {
        if let Some(out) = keys.values.last_mut().filter(|_| keys.interpolation == Interpolation::CubicSpline) {
            *out = out.times(0.0);
        }
        let held = keys.key_at(end);
        keys.times_secs.push(end);
        keys.values.extend(held);
    });
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Curve, Event};
    use maquette_scene::glam::{DQuat, DVec3};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_moment_is_what_it_was_at_the_mirrored_one(
            kind in 0usize..3, steps in prop::collection::vec((0.01f64..1.0, prop::array::uniform3(-5.0f64..5.0)), 1..8),
            rest in 0.0f64..1.0, at in 0.0f64..1.0,
        ) {
            let interpolation = [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline][kind];
            let mut now = 0.0;
            let times_secs: Vec<f64> = steps.iter().map(|(step, _)| { now += step; now }).collect();
            let count = if kind == 2 { 3 } else { 1 };
            let values = steps.iter().flat_map(|(_, three)| three[..count].to_vec()).map(|x| DVec3::X * x).collect();
            let keys = Keys { times_secs, values, interpolation };
            let mut motion = Motion { duration_secs: now + rest, ..Motion::default() };
            motion.push("a", Curve::Translation(keys.clone()));
            reverse(&mut motion).unwrap();
            let Curve::Translation(turned) = &motion.tracks[0].curve else { panic!() };
            prop_assert!(turned.times_secs.windows(2).all(|pair| pair[0] < pair[1]));
            let secs = at * motion.duration_secs;
            prop_assume!(kind != 0 || keys.times_secs.iter().all(|time| (time - secs).abs() > 1e-9));
            let (before, after) = (keys.at(secs).unwrap().x, turned.at(motion.duration_secs - secs).unwrap().x);
            prop_assert!((before - after).abs() < 1e-9, "{before} {after}");
        }
    }

    #[test]
    fn twice_is_once_and_events_are_mirrored() {
        let mut motion = Motion { duration_secs: 2.0, frame_rate: Some(8.0), ..Motion::default() };
        let steps = Keys { interpolation: Interpolation::Step, ..Keys::straight([(0.0, DVec3::X), (0.5, DVec3::Y)]) };
        motion.push("a", Curve::Scale(steps));
        motion
            .push("a", Curve::Rotation(Keys::straight([(0.25, DQuat::IDENTITY), (2.0, DQuat::from_rotation_x(1.0))])));
        motion.events =
            [("up", 0.0), ("down", 0.5)].map(|(name, time_secs)| Event { time_secs, name: name.into() }).into();
        let before = motion.clone();
        reverse(&mut motion).unwrap();
        assert_eq!(
            motion.events.iter().map(|event| (&*event.name, event.time_secs)).collect::<Vec<_>>(),
            [("down", 1.5), ("up", 2.0)]
        );
        reverse(&mut motion).unwrap();
        assert_eq!(motion, before);
    }

    #[test]
    fn a_jump_at_the_very_end_is_at_the_very_start_and_comes_back() {
        let steps = Keys {
            interpolation: Interpolation::Step,
            ..Keys::straight([(0.0, DVec3::X), (1.0, DVec3::Y), (2.0, DVec3::Z)])
        };
        let mut motion = Motion { duration_secs: 2.0, ..Motion::default() };
        motion.push("a", Curve::Translation(steps));
        let before = motion.clone();
        reverse(&mut motion).unwrap();
        let Curve::Translation(turned) = &motion.tracks[0].curve else { panic!() };
        let wanted = [(0.0, &DVec3::Z), (JUMP, &DVec3::Y), (1.0, &DVec3::X), (2.0, &DVec3::X)];
        assert_eq!(turned.iter().collect::<Vec<_>>(), wanted, "the last holds the clip open");
        reverse(&mut motion).unwrap();
        assert_eq!(motion, before);
    }

    #[test]
    fn keys_tell_how_long_it_is_where_nothing_else_does() {
        for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
            let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
            let values = (0..2 * each).map(|x| DVec3::X * f64::from(x)).collect();
            let mut motion = Motion { duration_secs: 2.0, ..Motion::default() };
            motion.push("a", Curve::Translation(Keys { times_secs: vec![0.5, 2.0], values, interpolation }));
            reverse(&mut motion).unwrap();
            assert_eq!(motion.last_secs(), 2.0, "{interpolation:?}");
            let Curve::Translation(keys) = &motion.tracks[0].curve else { panic!() };
            assert_eq!(keys.at(1.5), keys.at(1.75), "{interpolation:?}");
            let mut on_frames = Motion { on_frames: true, ..motion };
            let count = on_frames.key_count();
            reverse(&mut on_frames).unwrap();
            assert!(on_frames.key_count() <= count, "a file with a frame count needs no such key");
        }
    }
}
