//! A clip several times in a row.

use super::join::{Held, MEETS, join, whole};
use super::limit::{cost, cost_of_key, must_fit};
use super::rate;
use super::root_motion::{RootAxes, RootBones, Steps};
use super::seam::{Seam, seam_of};
use crate::value::Value;
use crate::{Curve, Did, Event, Keys, ModifierScope, Motion, Refusal, Rig, short, with_keys};
use std::collections::HashSet;

/// How the root goes on from one time to the next.
#[derive(Clone, Copy, Debug)]
pub struct Onward<'n> {
    /// In which axes it starts where it ended.
    pub axes: RootAxes,
    /// Which bone it is: that with the motion of the whole, where there is one that moves, or else the root.
    pub bones: RootBones<'n>,
    /// The skeleton, where it is known.
    pub rig: Option<&'n Rig>,
    /// Which bones a blend is for that one bone has of its own.
    pub scope: ModifierScope,
}

/// Plays a clip so many times, one after another, events included. Where its end is not its start it jumps there; where keys lie on frames only, that takes a frame. A root that goes onward
/// starts where it ended the time before.
pub fn repeat(motion: &mut Motion, count: u64, onward: Option<Onward<'_>>) -> Result<Did, Refusal> {
    let length = motion.duration_secs;
    if count == 0 {
        return Err(Refusal("0 times leaves nothing of it; 1 leaves it as it is".into()));
    }
    if !(length > 0.0 && length.is_finite()) {
        return Err(Refusal("it lasts no time, however often it is played".into()));
    }
    let ends: f64 = motion.tracks.iter().map(|track| 2.0 * cost_of_key(&track.curve)).sum();
    must_fit((cost(motion) + ends) * count as f64, "play it fewer times")?;
    let before = motion.key_count();
    let steps =
        onward.map(|Onward { axes, bones, rig, scope }| Steps::of(motion, axes, bones, rig, scope)).transpose()?;
    let root = steps.as_ref().and_then(|steps| motion.bones.get(steps.bone())).map(|bone| bone.name.clone());
    let mut seam = seam_of(motion, &|bone| Some(bone) != root.as_deref());
    if let Some(steps) = &steps {
        add_seam_of_root(&mut seam, motion, steps, root.as_deref().unwrap_or_default());
    }
    let jumps = seam.errors.largest() > MEETS && count > 1;
    let gap = if jumps && motion.on_frames { 1.0 / rate::of(motion) } else { 0.0 };
    let begins = |turn: u64| turn as f64 * (length + gap);
    for track in &mut motion.tracks {
        if let Some(steps) = steps.as_ref().filter(|steps| steps.bone() == track.bone && track.curve.len() > 1) {
            let mut piece = track.curve.clone();
            with_keys!(&mut piece, keys => *keys = whole(keys, length));
            let turns: Vec<Curve> = steps.turns(&piece, count).collect();
            track.curve = joined(&turns, &begins).unwrap_or(piece);
            continue;
        }
        with_keys!(&mut track.curve, keys => if keys.times_secs.len() > 1 {
            let piece = whole(keys, length);
            *keys = join((0..count).map(|turn| (begins(turn), &piece)));
        });
    }
    motion.events = events(&motion.events, count, length, gap, &begins);
    motion.duration_secs = begins(count - 1) + length;
    let mut words = match (jumps, gap > 0.0) {
        (false, _) => format!("plays {count} times"),
        (true, false) => format!("plays {count} times, and jumps from {} to its start", seam.told()),
        (true, true) => format!("plays {count} times, and goes from {} to its start in a frame", seam.told()),
    };
    if let (Some(steps), Some(root)) = (&steps, root) {
        words += &format!("; {root:?} goes on from where it ended, by {} units each time", short(steps.distance()));
    }
    Ok(Did::new(words).with("lasts", motion.duration_secs, "s").with("keys before", before as f64, "").with(
        "keys after",
        motion.key_count() as f64,
        "",
    ))
}

/// Curves of one property, one after another.
fn joined(turns: &[Curve], begins: &dyn Fn(u64) -> f64) -> Option<Curve> {
    fn of<T: Held>(turns: &[Curve], begins: &dyn Fn(u64) -> f64) -> Keys<T> {
        join(turns.iter().zip(0..).filter_map(|(curve, turn)| Some((begins(turn), T::keys_of(curve)?))))
    }
    Some(match turns.first()? {
        Curve::Translation(_) => Curve::Translation(of(turns, begins)),
        Curve::Rotation(_) => Curve::Rotation(of(turns, begins)),
        Curve::Scale(_) => Curve::Scale(of(turns, begins)),
        Curve::MorphWeights(_) => Curve::MorphWeights(of(turns, begins)),
    })
}

/// Counts how far a root that goes on is from where it ended: along other axes, and turned otherwise.
fn add_seam_of_root(seam: &mut Seam, motion: &Motion, steps: &Steps, root: &str) {
    for track in motion.tracks.iter().filter(|track| track.bone == steps.bone()) {
        let Some(next) = steps.turns(&track.curve, 2).nth(1) else { continue };
        let error = match (&track.curve, &next) {
            (Curve::Translation(keys), Curve::Translation(next)) => apart(keys, next, motion.duration_secs),
            (Curve::Rotation(keys), Curve::Rotation(next)) => apart(keys, next, motion.duration_secs),
            (Curve::Scale(keys), Curve::Scale(next)) => apart(keys, next, motion.duration_secs),
            _ => None,
        };
        seam.add(&track.curve, root, error.unwrap_or(0.0));
    }
}

/// How far the end of a curve is from the start of the next.
fn apart<T: Value>(keys: &Keys<T>, next: &Keys<T>, end: f64) -> Option<f64> {
    keys.at(end).zip(next.at(0.0)).map(|(end, start)| end.far_from(&start))
}

/// What happens at the end and at the start happens once where these are one moment.
fn events(events: &[Event], count: u64, length: f64, gap: f64, begins: &dyn Fn(u64) -> f64) -> Vec<Event> {
    let at_end: HashSet<&str> = events
        .iter()
        .filter(|event| gap == 0.0 && event.time_secs >= length - 1e-9)
        .map(|event| &*event.name)
        .collect();
    let repeats = |turn: u64, event: &Event| turn > 0 && event.time_secs <= 1e-9 && at_end.contains(&*event.name);
    (0..count)
        .flat_map(|turn| {
            let wanted = events.iter().filter(move |event| !repeats(turn, event));
            wanted.map(move |event| Event { time_secs: begins(turn) + event.time_secs, name: event.name.clone() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Curve, Keys};
    use maquette_scene::glam::DVec3;

    fn there_and_back(closes: bool) -> Motion {
        let end = if closes { 0.0 } else { 2.0 };
        let keys = [(0.0, 0.0), (0.5, 1.0), (1.0, end)].map(|(secs, x)| (secs, DVec3::X * x));
        let mut motion = Motion { duration_secs: 1.0, frame_rate: Some(10.0), ..Motion::default() };
        motion.push("a", Curve::Translation(Keys::straight(keys)));
        motion.push("still", Curve::Scale(Keys::straight([(0.0, DVec3::ONE)])));
        motion.events = [("step", 0.0), ("hop", 0.4), ("step", 1.0)]
            .map(|(name, time_secs)| Event { time_secs, name: name.into() })
            .into();
        motion
    }

    #[test]
    fn a_clip_that_closes_shares_its_ends() {
        let mut motion = there_and_back(true);
        let did = repeat(&mut motion, 3, None).unwrap();
        assert_eq!(did.words, "plays 3 times");
        assert_eq!(motion.tracks[0].curve.times_secs(), [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
        assert_eq!(motion.tracks[1].curve.len(), 1);
        assert_eq!(motion.duration_secs, 3.0);
        let events: Vec<_> = motion.events.iter().map(|event| (&*event.name, event.time_secs)).collect();
        let steps =
            [("step", 0.0), ("hop", 0.4), ("step", 1.0), ("hop", 1.4), ("step", 2.0), ("hop", 2.4), ("step", 3.0)];
        assert_eq!(events, steps);
    }

    #[test]
    fn one_that_does_not_jumps_and_takes_a_frame_where_there_are_frames() {
        let mut motion = there_and_back(false);
        let did = repeat(&mut motion, 2, None).unwrap();
        let Curve::Translation(keys) = &motion.tracks[0].curve else { panic!() };
        assert!((keys.at(0.9999).unwrap().x - 1.9998).abs() < 1e-9);
        assert_eq!((keys.at(1.0).unwrap().x, keys.at(1.5).unwrap().x, motion.duration_secs), (0.0, 1.0, 2.0));
        assert!(did.words.contains("jumps from 2 units off (\"a\")"), "{}", did.words);
        let mut motion = Motion { on_frames: true, ..there_and_back(false) };
        repeat(&mut motion, 2, None).unwrap();
        let frames: Vec<f64> =
            motion.tracks[0].curve.times_secs().iter().map(|secs| (secs * 10.0 * 1e6).round() / 1e6).collect();
        assert_eq!(frames, [0.0, 5.0, 10.0, 11.0, 16.0, 21.0]);
        assert_eq!(motion.events.len(), 6, "both steps are seen");
    }

    #[test]
    fn a_root_goes_on_from_where_it_ended() {
        use crate::ops::Up;
        use maquette_scene::glam::DQuat;
        // It walks along a quarter of a circle and bobs: four times bring it back to where it was.
        let quarter = std::f64::consts::FRAC_PI_2;
        for blend in [crate::Blend::Absolute, crate::Blend::Relative] {
            let mut motion = Motion { duration_secs: 1.0, blend, ..Motion::default() };
            let at = |part: f64, y: f64| DVec3::new((part * quarter).sin(), y, (part * quarter).cos());
            let place = [(0.0, at(0.0, 1.0)), (0.5, at(0.5, 1.2)), (1.0, at(1.0, 1.0))];
            motion.push("root_motion", Curve::Translation(Keys::straight(place)));
            let turns = [(0.0, DQuat::IDENTITY), (1.0, DQuat::from_rotation_y(quarter))];
            motion.push("root_motion", Curve::Rotation(Keys::straight(turns)));
            motion.push("arm", Curve::Rotation(Keys::straight(turns)));
            let axes = RootAxes { along: [true, false, true], yaw: Some(Up::Y) };
            let onward = Onward { axes, bones: RootBones::default(), rig: None, scope: ModifierScope::Both };
            let did = repeat(&mut motion, 4, Some(onward)).unwrap();
            let (Curve::Translation(place), Curve::Rotation(turn)) = (&motion.tracks[0].curve, &motion.tracks[1].curve)
            else {
                panic!()
            };
            for (secs, part) in [(1.0, 1.0), (1.5, 1.5), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0)] {
                let wanted = at(part, if part == 1.5 { 1.2 } else { 1.0 });
                assert!((place.at(secs).unwrap() - wanted).length() < 1e-9, "{blend:?} {secs}: {:?}", place.at(secs));
                let wanted = DQuat::from_rotation_y(part * quarter);
                assert!(turn.at(secs).unwrap().far_from(&wanted) < 1e-9, "{blend:?} {secs}");
            }
            assert!(did.words.contains("rad off (\"arm\")"), "what is no root jumps: {}", did.words);
            assert!(did.words.ends_with("goes on from where it ended, by 1.414214 units each time"), "{}", did.words);
        }
    }

    #[test]
    fn what_is_too_often_or_never_is_refused() {
        for count in [0, 1_000_000_000, u64::MAX] {
            let mut motion = there_and_back(true);
            assert!(repeat(&mut motion, count, None).is_err(), "{count}");
            assert_eq!(motion, there_and_back(true));
        }
        assert!(repeat(&mut Motion::default(), 2, None).is_err());
    }

    #[test]
    fn signs_of_rotations_go_on_from_turn_to_turn() {
        use maquette_scene::glam::DQuat;
        for on_frames in [true, false] {
            let mut motion = Motion { duration_secs: 8.0, frame_rate: Some(30.0), on_frames, ..Motion::default() };
            // It goes the long way round, by its signs.
            let ends = [(0.0, DQuat::IDENTITY), (8.0, -DQuat::from_rotation_z(1.2))];
            motion.push("a", Curve::Rotation(Keys::straight(ends)));
            let before = motion.clone();
            repeat(&mut motion, 3, None).unwrap();
            let Curve::Rotation(keys) = &motion.tracks[0].curve else { panic!() };
            let changes: Vec<bool> = keys.values.windows(2).map(|pair| pair[0].dot(pair[1]) < 0.0).collect();
            assert!(changes.windows(2).all(|pair| pair != [true, true]), "none changes and changes back: {changes:?}");
            let Curve::Rotation(whole) = &before.tracks[0].curve else { panic!() };
            let apart =
                whole.at(3.0).unwrap().dot(keys.at(3.0 + 8.0 + if on_frames { 1.0 / 30.0 } else { 0.0 }).unwrap());
            assert!(apart.abs() > 1.0 - 1e-9, "{apart}");
        }
    }
}
