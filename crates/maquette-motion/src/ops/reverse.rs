//! A clip played backwards.

use crate::value::Value;
use crate::{Did, Interpolation, Keys, Motion, Refusal, with_keys};

/// Turns time around: what was at the end is at the start. Tangents of splines change sides and signs, events are mirrored. A curve that jumps has at each moment what it had; a value that it
/// jumped to at the very end lasted no time and is not seen.
pub fn reverse(motion: &mut Motion) -> Result<Did, Refusal> {
    let end = motion.duration_secs.max(motion.last_secs());
    let mut unseen = 0;
    for track in &mut motion.tracks {
        with_keys!(&mut track.curve, keys => match keys.interpolation {
            Interpolation::Step => unseen += u32::from(turn_steps(keys, end)),
            _ => turn(keys, end),
        });
    }
    motion.events.iter_mut().for_each(|event| event.time_secs = end - event.time_secs);
    motion.events.reverse();
    motion.duration_secs = end;
    let did = Did::new("plays backwards").with("keys", motion.key_count() as f64, "");
    Ok(if unseen > 0 { did.with("jumps at the very end left out", f64::from(unseen), "") } else { did })
}

fn turn<T: Value>(keys: &mut Keys<T>, end: f64) {
    keys.times_secs.iter_mut().for_each(|secs| *secs = end - *secs);
    keys.times_secs.reverse();
    // With three values a key, this changes the sides of tangents, too.
    keys.values.reverse();
    keys.change(T::clone, |tangent| tangent.times(-1.0));
}

/// Each value lasts from the moment that ended it to the one that began it. Whether one is lost that lasted no time.
fn turn_steps<T: Value>(keys: &mut Keys<T>, end: f64) -> bool {
    let lasts = keys.times_secs.last().is_some_and(|last| *last < end);
    if keys.times_secs.len() < 2 {
        turn(keys, end);
        return false;
    }
    // The last value begins at 0, and each other where the one after it began.
    let mut times: Vec<f64> = keys.times_secs.iter().skip(1).map(|secs| end - secs).collect();
    if lasts {
        times.push(0.0);
    } else {
        keys.values.pop();
    }
    times.reverse();
    keys.values.reverse();
    keys.times_secs = times;
    !lasts
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
    fn a_jump_at_the_very_end_is_not_seen() {
        let steps = Keys {
            interpolation: Interpolation::Step,
            ..Keys::straight([(0.0, DVec3::X), (1.0, DVec3::Y), (2.0, DVec3::Z)])
        };
        let mut motion = Motion { duration_secs: 2.0, ..Motion::default() };
        motion.push("a", Curve::Translation(steps));
        let did = reverse(&mut motion).unwrap();
        let Curve::Translation(turned) = &motion.tracks[0].curve else { panic!() };
        assert_eq!(turned.iter().collect::<Vec<_>>(), [(0.0, &DVec3::Y), (1.0, &DVec3::X)]);
        assert_eq!(did.figures[1].value, 1.0);
    }
}
