//! A key at every frame of a rate.

use super::errors::Errors;
use super::limit::{cost_of_key, must_fit};
use super::rate::{self, frame_after, frame_before, just_after};
use crate::value::Value;
use crate::{Curve, Did, Interpolation, Keys, Motion, Refusal, short, with_keys};

/// Gives every curve a key at each frame of a rate from its first key to its last, with straight lines between them, and tells how far that is from what was there. A curve that
/// jumps goes on jumping, at the frame it had jumped by. Where keys need not lie on frames, the first and the last stay where they are.
pub fn resample(motion: &mut Motion, fps: f64) -> Result<Did, Refusal> {
    let rate = rate::stored(fps)?;
    let on_frames = motion.on_frames;
    let wanted = motion.tracks.iter().map(|track| frames_of(&track.curve, rate) * cost_of_key(&track.curve));
    must_fit(wanted.sum(), "take fewer frames a second, or a part of the clip with `trim` first")?;
    let (before, mut errors, mut jumps) = (motion.key_count(), Errors::default(), 0);
    for track in &mut motion.tracks {
        let times = times(track.curve.times_secs(), rate, on_frames);
        let sampled = match &track.curve {
            Curve::Translation(keys) => Curve::Translation(sampled(keys, &times, rate)),
            Curve::Rotation(keys) => Curve::Rotation(sampled(keys, &times, rate)),
            Curve::Scale(keys) => Curve::Scale(sampled(keys, &times, rate)),
            Curve::MorphWeights(keys) => Curve::MorphWeights(sampled(keys, &times, rate)),
        };
        match track.curve.interpolation() {
            Interpolation::Step => jumps += 1,
            _ => errors.add(&sampled, error(&track.curve, &sampled)),
        }
        track.curve = sampled;
    }
    let duration = motion.duration_secs;
    let mut shift = 0.0_f64;
    if on_frames {
        motion.duration_secs = frame_after(duration, rate) / rate;
        for event in &mut motion.events {
            let moved = rate::nearest(event.time_secs, rate);
            shift = shift.max((moved - event.time_secs).abs());
            event.time_secs = moved;
        }
    }
    motion.frame_rate = Some(rate);
    let mut words = format!("has a key at each of {}", rate::shown(rate));
    let longer = motion.duration_secs - duration;
    if longer > 1e-9 {
        words += &format!("; lasts {} s longer, up to the next frame", short(longer));
    }
    let mut did =
        Did::new(words).with("keys before", before as f64, "").with("keys after", motion.key_count() as f64, "");
    if jumps > 0 {
        did = did.with("curves that jump at the next frame", f64::from(jumps), "");
    }
    if shift > 1e-9 {
        did = did.with("largest shift of an event", shift, "s");
    }
    Ok(errors.tell(did))
}

/// How many frames a curve spans, at most.
fn frames_of(curve: &Curve, rate: f64) -> f64 {
    match curve.times_secs() {
        [] => 0.0,
        [_] => 1.0,
        [first, .., last] => frame_after(*last, rate) - frame_before(*first, rate) + 1.0,
    }
}

/// The moments of the frames of a curve, first and last included.
fn times(keys: &[f64], rate: f64, on_frames: bool) -> Vec<f64> {
    let (first, last) = match keys {
        [] => return Vec::new(),
        [only] if on_frames => return vec![rate::nearest(*only, rate)],
        [only] => return vec![*only],
        [first, .., last] => (*first, *last),
    };
    let outward = frame_before(first, rate) as i64..=frame_after(last, rate) as i64;
    let mut times: Vec<f64> = outward.map(|frame| frame as f64 / rate).collect();
    if !on_frames {
        let is_inside = |secs: &f64| frame_before(first, rate) / rate < *secs && *secs < frame_after(last, rate) / rate;
        times.retain(is_inside);
        times.insert(0, first);
        times.push(last);
    }
    times
}

/// The values at these moments; where there is a key on the frame, that of the key to the bit.
fn sampled<T: Value>(keys: &Keys<T>, times: &[f64], rate: f64) -> Keys<T> {
    let is_step = keys.interpolation == Interpolation::Step;
    let value = |secs: &f64| {
        let late = just_after(*secs, rate);
        let last = keys.times_secs.partition_point(|time| *time <= late).checked_sub(1);
        let is_on_frame = |key: &usize| keys.times_secs.get(*key).is_some_and(|time| just_after(*time, rate) >= *secs);
        match last.filter(|key| is_step || is_on_frame(key)) {
            Some(key) => keys.value(key).cloned(),
            None => keys.at(*secs),
        }
    };
    let interpolation = if is_step { Interpolation::Step } else { Interpolation::Linear };
    Keys { times_secs: times.to_vec(), values: times.iter().filter_map(value).collect(), interpolation }
}

/// The largest way between a curve and the straight lines that stand for it: where it has keys, and of a spline at five moments of each line.
fn error(before: &Curve, after: &Curve) -> f64 {
    fn largest<T: Value>(before: &Keys<T>, after: &Keys<T>) -> f64 {
        let distance = |secs: f64| Some(before.at(secs)?.far_from(&after.at(secs)?));
        let keys = before.times_secs.iter().filter_map(|secs| distance(*secs));
        let is_spline = before.interpolation == Interpolation::CubicSpline;
        let lines = if is_spline { after.times_secs.windows(2) } else { [].windows(2) };
        let parts = lines.flat_map(|line| match line {
            [from, to] => [0.1, 0.3, 0.5, 0.7, 0.9].map(|part| from + (to - from) * part),
            _ => [0.0; 5],
        });
        keys.chain(parts.filter_map(distance)).fold(0.0, f64::max)
    }
    match (before, after) {
        (Curve::Rotation(before), Curve::Rotation(after)) => largest(before, after),
        (Curve::MorphWeights(before), Curve::MorphWeights(after)) => largest(before, after),
        (Curve::Translation(before), Curve::Translation(after)) | (Curve::Scale(before), Curve::Scale(after)) => {
            largest(before, after)
        }
        _ => 0.0,
    }
}

/// Straight lines for a curve that is none: a jump takes a ten thousandth of a second, a spline is taken at each frame and at its keys.
pub(super) fn straight<T: Value>(keys: &Keys<T>, rate: f64) -> Keys<T> {
    match keys.interpolation {
        Interpolation::Linear => keys.clone(),
        Interpolation::CubicSpline => {
            let mut all = times(&keys.times_secs, rate, false);
            all.extend(&keys.times_secs);
            all.sort_by(f64::total_cmp);
            all.dedup();
            keys.sampled_at(&all)
        }
        Interpolation::Step => {
            let mut made: Vec<(f64, T)> = Vec::with_capacity(2 * keys.times_secs.len());
            for (secs, value) in keys.iter() {
                if let Some((before, held)) = made.last().filter(|(_, held)| held != value).cloned() {
                    made.push((secs - JUMP.min((secs - before) / 2.0), held));
                }
                made.push((secs, value.clone()));
            }
            Keys::straight(made)
        }
    }
}

/// How long a jump takes where it must take some time.
pub(super) const JUMP: f64 = 1e-4;

/// Whether straight lines must stand for some of these curves, so that all go in the same way.
pub(super) fn differ<'c>(mut curves: impl Iterator<Item = &'c Curve>) -> bool {
    let first = curves.next().map(Curve::interpolation);
    curves.any(|curve| Some(curve.interpolation()) != first)
}

/// The number of keys that straight lines would take.
pub(super) fn straight_len(curve: &Curve, rate: f64) -> f64 {
    with_keys!(curve, keys => match keys.interpolation {
        Interpolation::Linear => keys.times_secs.len() as f64,
        Interpolation::Step => 2.0 * keys.times_secs.len() as f64,
        Interpolation::CubicSpline => frames_of(curve, rate) + keys.times_secs.len() as f64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, Interpolation};
    use maquette_scene::glam::{DQuat, DVec3};

    fn rise(interpolation: Interpolation, keys: &[(f64, f64)]) -> Curve {
        let values = keys.iter().map(|(_, x)| DVec3::X * *x).collect();
        Curve::Translation(Keys { times_secs: keys.iter().map(|(secs, _)| *secs).collect(), values, interpolation })
    }

    fn xs(motion: &Motion, track: usize) -> Vec<(f64, f64)> {
        let Curve::Translation(keys) = &motion.tracks[track].curve else { panic!() };
        keys.iter().map(|(secs, value)| (secs, value.x)).collect()
    }

    #[test]
    fn straight_curves_get_a_key_at_each_frame_and_their_bends_are_told() {
        let mut motion = Motion { duration_secs: 1.0, ..Motion::default() };
        motion.push("a", rise(Interpolation::Linear, &[(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]));
        motion.push("still", rise(Interpolation::Linear, &[(0.3, 7.0)]));
        let did = resample(&mut motion, 4.0).unwrap();
        assert_eq!(xs(&motion, 0), [(0.0, 0.0), (0.25, 0.5), (0.5, 1.0), (0.75, 0.5), (1.0, 0.0)]);
        assert_eq!(xs(&motion, 1), [(0.3, 7.0)], "what stands still has nothing to tell");
        assert_eq!((motion.frame_rate, did.figures.len()), (Some(4.0), 2), "{did:?}");
        let mut bent = Motion { duration_secs: 1.0, ..Motion::default() };
        bent.push("a", rise(Interpolation::Linear, &[(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]));
        let did = resample(&mut bent, 3.0).unwrap();
        let told = did.figures.last().unwrap();
        assert_eq!(told.what, "largest error of a translation");
        assert!((told.value - 1.0 / 3.0).abs() < 1e-12, "{told:?}");
    }

    #[test]
    fn splines_become_straight_with_their_error() {
        // A parabola: x = t², whose chord over a frame of 1/n is off by 1/(4n²).
        let values = [0.0, 0.0, 0.0, 2.0, 1.0, 2.0].map(|x| DVec3::X * x).to_vec();
        let keys = Keys { times_secs: vec![0.0, 1.0], values, interpolation: Interpolation::CubicSpline };
        let mut motion = Motion { duration_secs: 1.0, ..Motion::default() };
        motion.push("a", Curve::Translation(keys));
        let did = resample(&mut motion, 10.0).unwrap();
        assert!(xs(&motion, 0).into_iter().all(|(secs, x)| (x - secs * secs).abs() < 1e-12));
        assert!((did.figures.last().unwrap().value - 0.0025).abs() < 1e-12, "{did:?}");
    }

    #[test]
    fn jumps_stay_jumps_at_the_next_frame_even_if_single_precision_is_late() {
        let mut motion = Motion { duration_secs: 1.0, ..Motion::default() };
        motion.push("a", rise(Interpolation::Step, &[(0.0, 1.0), (f64::from(0.1f32), 2.0), (0.25, 3.0), (1.0, 3.0)]));
        resample(&mut motion, 10.0).unwrap();
        let made = xs(&motion, 0);
        assert_eq!(made[..4].iter().map(|(_, x)| *x).collect::<Vec<_>>(), [1.0, 2.0, 2.0, 3.0]);
        assert_eq!(motion.tracks[0].curve.interpolation(), Interpolation::Step);
    }

    #[test]
    fn keys_on_frames_stay_to_the_bit() {
        let keys = [(0.0, 0.1), (20.0 / f64::from(29.97f32), 1.0 / 3.0), (40.0 / f64::from(29.97f32), 0.7)];
        let mut motion = Motion { duration_secs: keys[2].0, on_frames: true, ..Motion::default() };
        motion.push("a", rise(Interpolation::Linear, &keys));
        resample(&mut motion, 59.94).unwrap();
        assert_eq!([0, 40, 80].map(|frame| xs(&motion, 0)[frame].1), [0.1, 1.0 / 3.0, 0.7]);
        assert_eq!(xs(&motion, 0).len(), 81);
    }

    #[test]
    fn files_with_frames_keep_everything_on_them() {
        let mut motion = Motion { duration_secs: 0.1, on_frames: true, frame_rate: Some(30.0), ..Motion::default() };
        motion.push("a", rise(Interpolation::Linear, &[(1.0 / 30.0, 0.0), (0.1, 1.0)]));
        motion.push("r", Curve::Rotation(Keys::straight([(2.0 / 30.0, DQuat::IDENTITY)])));
        motion.events = vec![Event { time_secs: 2.0 / 30.0, name: "step".into() }];
        let did = resample(&mut motion, 29.97).unwrap();
        let rate = 29.97;
        assert_eq!(motion.frame_rate, Some(rate));
        let frames = |times: &[f64]| times.iter().map(|secs| secs * rate).collect::<Vec<_>>();
        for times in [motion.tracks[0].curve.times_secs(), motion.tracks[1].curve.times_secs(), &[motion.duration_secs]]
        {
            assert!(frames(times).iter().all(|frame| (frame - frame.round()).abs() < 1e-9), "{times:?}");
        }
        assert!(did.words.contains("longer"), "{did:?}");
        assert!((motion.events[0].time_secs * rate - 2.0).abs() < 1e-9);
        let told = did.figures.iter().find(|figure| figure.what == "largest shift of an event").unwrap();
        assert!((told.value - (2.0 / 29.97 - 2.0 / 30.0)).abs() < 1e-12, "{told:?}");
    }

    #[test]
    fn what_nobody_can_mean_is_refused_before_it_is_made() {
        let mut motion = Motion { duration_secs: 1.0, ..Motion::default() };
        motion.push("a", rise(Interpolation::Linear, &[(0.0, 0.0), (1.0, 1.0)]));
        for fps in [f64::NAN, f64::INFINITY, 0.0, -30.0, 1e9, 1e-30] {
            let before = motion.clone();
            assert!(resample(&mut motion, fps).is_err(), "{fps}");
            assert_eq!(motion, before);
        }
    }
}
