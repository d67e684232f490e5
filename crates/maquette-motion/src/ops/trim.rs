//! A part of a clip, from one moment to another.

use crate::curve::Keys;
use crate::value::Value;
use crate::{Did, Motion, Refusal, short, with_keys};
use maquette_scene::clip::Interpolation;

/// Keeps what is from one moment to another, in seconds, and begins at the first of them. Curves get a key where they are cut, a spline with its tangents, so that they go on as
/// they did. Events outside go.
pub fn trim(motion: &mut Motion, from: f64, to: f64) -> Result<Did, Refusal> {
    if !(from >= 0.0 && to >= from && to <= motion.duration_secs + 1e-9) {
        let [from, to, end] = [from, to, motion.duration_secs].map(short);
        return Err(Refusal(format!(
            "it lasts from 0 to {end} s, and {from} to {to} s is no part of that; name two moments in it, the earlier first"
        )));
    }
    let (keys, events) = (motion.key_count(), motion.events.len());
    for track in &mut motion.tracks {
        with_keys!(&mut track.curve, keys => *keys = part(keys, from, to));
    }
    motion.events.retain(|event| (from..=to).contains(&event.time_secs));
    motion.events.iter_mut().for_each(|event| event.time_secs -= from);
    motion.duration_secs = to - from;
    Ok(Did::new(format!("keeps {} to {} s", short(from), short(to)))
        .with("keys before", keys as f64, "")
        .with("keys after", motion.key_count() as f64, "")
        .with("events removed", (events - motion.events.len()) as f64, ""))
}

/// A part of a curve, moved to begin at 0.
pub(super) fn part<T: Value>(keys: &Keys<T>, from: f64, to: f64) -> Keys<T> {
    let times = &keys.times_secs;
    let (first, last) = (times.partition_point(|secs| *secs < from), times.partition_point(|secs| *secs <= to));
    let each = if keys.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let mut part = Keys { times_secs: Vec::new(), values: Vec::new(), interpolation: keys.interpolation };
    let starts_between = first > 0 && times.get(first) != Some(&from);
    if starts_between || first == times.len() {
        part.times_secs.extend(times.last().map(|_| 0.0));
        part.values.extend(keys.key_at(from));
    }
    let inside = first..last.max(first);
    part.times_secs.extend(times.get(inside.clone()).unwrap_or_default().iter().map(|secs| secs - from));
    part.values.extend(keys.values.get(each * inside.start..each * inside.end).unwrap_or_default().iter().cloned());
    let ends_between = last < times.len() && (last == 0 || times.get(last - 1) != Some(&to));
    if ends_between && (keys.interpolation != Interpolation::Step || part.times_secs.is_empty()) {
        part.times_secs.push(to - from);
        part.values.extend(keys.key_at(to));
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Curve, Event};
    use maquette_scene::glam::{DQuat, DVec3};
    use proptest::prelude::*;

    fn keys(interpolation: Interpolation, times: &[f64], values: &[f64]) -> Keys<DVec3> {
        let values = values.iter().map(|x| DVec3::new(*x, -x, 1.0)).collect();
        Keys { times_secs: times.to_vec(), values, interpolation }
    }

    proptest! {
        #[test]
        fn what_is_kept_goes_as_it_did(
            kind in 0usize..3, steps in prop::collection::vec((0.01f64..1.0, prop::array::uniform3(-5.0f64..5.0)), 1..8),
            ends in (0.0f64..4.0, 0.01f64..4.0), at in 0.0f64..1.0,
        ) {
            let interpolation = [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline][kind];
            let mut now = -0.5;
            let times: Vec<f64> = steps.iter().map(|(step, _)| { now += step; now.max(0.0) + 0.001 * now }).collect();
            prop_assume!(times.windows(2).all(|pair| pair[0] < pair[1]));
            let values: Vec<f64> = match kind {
                2 => steps.iter().flat_map(|(_, three)| *three).collect(),
                _ => steps.iter().map(|(_, three)| three[0]).collect(),
            };
            let whole = keys(interpolation, &times, &values);
            let (from, to) = (ends.0, ends.0 + ends.1);
            let cut = part(&whole, from, to);
            prop_assert!(cut.times_secs.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", cut.times_secs);
            prop_assert!(cut.times_secs.iter().all(|secs| (0.0..=to - from + 1e-12).contains(secs)));
            let secs = at * (to - from) * 0.999;
            // At a jump the two may round to different sides.
            prop_assume!(kind != 0 || times.iter().all(|time| (time - from - secs).abs() > 1e-9));
            let (before, after) = (whole.at(from + secs).unwrap(), cut.at(secs).unwrap());
            prop_assert!((before - after).length() < 1e-9, "{before} {after}");
        }
    }

    #[test]
    fn events_and_the_end_move_along() {
        let mut motion = Motion { duration_secs: 3.0, ..Motion::default() };
        motion.push("a", Curve::Translation(keys(Interpolation::Linear, &[0.0, 3.0], &[0.0, 3.0])));
        motion.push("b", Curve::Rotation(Keys::straight([(0.5, DQuat::IDENTITY)])));
        motion.events = [0.5, 1.0, 2.0, 2.5].map(|secs| Event { time_secs: secs, name: String::new() }).into();
        let did = trim(&mut motion, 1.0, 2.0).unwrap();
        assert_eq!(motion.duration_secs, 1.0);
        assert_eq!(motion.events.iter().map(|event| event.time_secs).collect::<Vec<_>>(), [0.0, 1.0]);
        assert_eq!(motion.tracks[1].curve.times_secs(), [0.0], "what stands still keeps its value");
        assert_eq!(did.words, "keeps 1 to 2 s");
        for (from, to) in [(-0.1, 0.5), (0.7, 0.2), (0.5, 1.5), (f64::NAN, 1.0)] {
            assert!(trim(&mut motion, from, to).is_err(), "{from} {to}");
        }
    }
}
