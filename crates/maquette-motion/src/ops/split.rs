//! A clip cut into several.

use super::limit::{cost, must_fit};
use super::rate;
use super::trim::part;
use crate::{Curve, Did, Event, Motion, Refusal, Track, short};
use std::collections::HashMap;

/// The most parts that a clip is cut into.
pub const MOST_PARTS: u64 = 4096;

/// Where a clip is cut.
#[derive(Clone, Debug, PartialEq)]
pub enum Cuts {
    /// At these moments, in seconds.
    At(Vec<f64>),
    /// So that there are so many parts of one length.
    Parts(u64),
    /// Whenever so many seconds are over.
    Every(f64),
    /// At each event, after which the part is named.
    Events,
}

/// Cuts a clip. The moment of a cut ends one part and begins the next, with the same pose in both; an event there belongs to the next. Where keys lie on frames only, so do cuts.
pub fn split(motion: &Motion, cuts: &Cuts) -> Result<(Vec<Motion>, Did), Refusal> {
    let moments = moments(motion, cuts)?;
    let count = moments.len() + 1;
    must_fit(
        cost(motion) + count as f64 * (2 * motion.tracks.len() + motion.bones.len()) as f64,
        "cut it into fewer parts",
    )?;
    let starts = [(0.0, first_name(motion, cuts))].into_iter().chain(moments.iter().cloned());
    let ends = moments.iter().map(|(secs, _)| *secs).chain([motion.duration_secs]);
    let mut names: HashMap<String, u32> = HashMap::new();
    let mut parts = Vec::with_capacity(count);
    let mut did = Did::new(format!("becomes {count} parts"));
    let events = events(motion, &moments);
    for (index, (((from, name), to), events)) in starts.zip(ends).zip(events).enumerate() {
        let mut title = name.unwrap_or_else(|| (index + 1).to_string());
        let turn = names.entry(title.clone()).and_modify(|turn| *turn += 1).or_insert(1);
        if *turn > 1 {
            title = format!("{title}_{turn}");
        }
        let name = if motion.name.is_empty() { title } else { format!("{}_{title}", motion.name) };
        did = did.with_of(&name, "lasts", to - from, "s");
        parts.push(Motion { name, events, ..one(motion, from, to) });
    }
    Ok((parts, did))
}

/// The events of each part, which begins at these moments after the first.
fn events(motion: &Motion, moments: &[(f64, Option<String>)]) -> Vec<Vec<Event>> {
    let mut parts = vec![Vec::new(); moments.len() + 1];
    for event in motion.events.iter().filter(|event| event.time_secs >= 0.0) {
        let part = moments.partition_point(|(secs, _)| *secs <= event.time_secs);
        let from = part.checked_sub(1).and_then(|before| moments.get(before)).map_or(0.0, |(secs, _)| *secs);
        if let Some(events) = parts.get_mut(part) {
            events.push(Event { time_secs: event.time_secs - from, ..event.clone() });
        }
    }
    parts
}

/// A part without a name and without events.
fn one(motion: &Motion, from: f64, to: f64) -> Motion {
    let curve = |curve: &Curve| match curve {
        Curve::Translation(keys) => Curve::Translation(part(keys, from, to)),
        Curve::Rotation(keys) => Curve::Rotation(part(keys, from, to)),
        Curve::Scale(keys) => Curve::Scale(part(keys, from, to)),
        Curve::MorphWeights(keys) => Curve::MorphWeights(part(keys, from, to)),
    };
    Motion {
        name: String::new(),
        duration_secs: to - from,
        bones: motion.bones.clone(),
        put_right: motion.put_right.clone(),
        tracks: motion.tracks.iter().map(|track| Track { bone: track.bone, curve: curve(&track.curve) }).collect(),
        events: Vec::new(),
        // A part does not end where it starts.
        looped: motion.looped.map(|_| false),
        ..*motion
    }
}

/// The name of the part before the first cut, if the event is there that it is named after.
fn first_name(motion: &Motion, cuts: &Cuts) -> Option<String> {
    let at_start = motion.events.iter().find(|event| event.time_secs <= 1e-9);
    let start = || at_start.map_or_else(|| "start".to_owned(), |event| event.name.clone());
    (*cuts == Cuts::Events).then(start)
}

/// The moments of the cuts, rising, with the name of the part that each begins.
fn moments(motion: &Motion, cuts: &Cuts) -> Result<Vec<(f64, Option<String>)>, Refusal> {
    let (end, rate) = (motion.duration_secs, rate::of(motion));
    let is_inside = |secs: f64| secs > 1e-9 && secs < end - 1e-9;
    let on_frame = |secs: f64| if motion.on_frames { rate::nearest(secs, rate) } else { secs };
    let few = |count: u64| match count <= MOST_PARTS {
        true => Ok(count),
        false => Err(Refusal(format!("{count} parts are more than the {MOST_PARTS} a clip is cut into; take fewer"))),
    };
    let mut moments: Vec<(f64, Option<String>)> = match cuts {
        Cuts::At(moments) => {
            few(moments.len() as u64 + 1)?;
            if let Some(outside) = moments.iter().find(|secs| !is_inside(**secs)) {
                let (outside, end) = (short(*outside), short(end));
                return Err(Refusal(format!(
                    "it lasts from 0 to {end} s, and {outside} s does not cut that in two; name moments between these"
                )));
            }
            moments.iter().map(|secs| (on_frame(*secs), None)).collect()
        }
        Cuts::Parts(parts) => {
            let frames = (end * rate).round();
            if *parts < 2 || end <= 0.0 || motion.on_frames && (*parts as f64) > frames {
                let most = if motion.on_frames { short(frames) } else { MOST_PARTS.to_string() };
                return Err(Refusal(format!(
                    "it lasts {} s and cannot be cut into {parts} parts; take 2 to {most}",
                    short(end)
                )));
            }
            let parts = few(*parts)?;
            (1..parts).map(|cut| (on_frame(end * cut as f64 / parts as f64), None)).collect()
        }
        Cuts::Every(secs) => {
            let step = on_frame(*secs);
            if !(step > 0.0 && step < end) {
                let end = short(end);
                return Err(Refusal(format!(
                    "it lasts {end} s, and every {secs} s is no way to cut that; take a time between 0 and its length"
                )));
            }
            let parts = few((end / step - 1e-6).ceil().min(u64::MAX as f64) as u64)?;
            (1..parts).map(|cut| (on_frame(step * cut as f64), None)).collect()
        }
        Cuts::Events => {
            few(motion.events.len() as u64)?;
            let inside = motion.events.iter().filter(|event| is_inside(event.time_secs));
            inside.map(|event| (on_frame(event.time_secs), Some(event.name.clone()))).collect()
        }
    };
    moments.retain(|(secs, _)| is_inside(*secs));
    moments.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    moments.dedup_by(|(later, _), (sooner, _)| *later - *sooner < 1e-9);
    match moments.is_empty() {
        true if *cuts == Cuts::Events => {
            Err(Refusal("it has no events between its start and its end to be cut at; `--at` names moments".into()))
        }
        true => Err(Refusal(format!("it lasts {} s, and no frame of it is there to be cut at", short(end)))),
        false => Ok(moments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpolation, Keys};
    use maquette_scene::glam::DVec3;

    fn motion() -> Motion {
        let mut motion = Motion { name: "walk".into(), duration_secs: 1.0, looped: Some(true), ..Motion::default() };
        motion.push("a", Curve::Translation(Keys::straight([(0.0, DVec3::ZERO), (1.0, DVec3::X)])));
        let step = Keys { interpolation: Interpolation::Step, ..Keys::straight([(0.0, DVec3::ONE), (0.4, DVec3::X)]) };
        motion.push("a", Curve::Scale(step));
        motion.events = [("up", 0.25), ("down", 0.5), ("up", 0.75)]
            .map(|(name, time_secs)| Event { time_secs, name: name.into() })
            .into();
        motion
    }

    fn names(parts: &[Motion]) -> Vec<&str> {
        parts.iter().map(|part| &*part.name).collect()
    }

    #[test]
    fn parts_play_what_the_whole_did() {
        let whole = motion();
        for cuts in [Cuts::At(vec![0.7, 0.3, 0.3]), Cuts::Parts(4), Cuts::Every(0.3), Cuts::Events] {
            let (parts, did) = split(&whole, &cuts).unwrap();
            let lengths: f64 = parts.iter().map(|part| part.duration_secs).sum();
            assert!((lengths - 1.0).abs() < 1e-12, "{cuts:?}");
            assert_eq!(did.figures.len(), parts.len());
            let mut from = 0.0;
            for part in &parts {
                assert_eq!(part.looped, Some(false));
                for (was, is) in whole.tracks.iter().zip(&part.tracks) {
                    let (Curve::Translation(was) | Curve::Scale(was), Curve::Translation(is) | Curve::Scale(is)) =
                        (&was.curve, &is.curve)
                    else {
                        panic!()
                    };
                    for at in [0.01, 0.37, 0.99] {
                        let secs = at * part.duration_secs;
                        assert!(
                            (was.at(from + secs).unwrap() - is.at(secs).unwrap()).length() < 1e-9,
                            "{cuts:?} {from} {secs}"
                        );
                    }
                }
                from += part.duration_secs;
            }
            assert_eq!(parts.iter().map(|part| part.events.len()).sum::<usize>(), 3, "each event once");
        }
    }

    #[test]
    fn parts_have_names_of_their_own() {
        assert_eq!(names(&split(&motion(), &Cuts::Parts(2)).unwrap().0), ["walk_1", "walk_2"]);
        let (parts, _) = split(&motion(), &Cuts::Events).unwrap();
        assert_eq!(names(&parts), ["walk_start", "walk_up", "walk_down", "walk_up_2"]);
        assert_eq!(parts[1].events, [Event { time_secs: 0.0, name: "up".into() }]);
    }

    #[test]
    fn cuts_lie_on_frames_where_keys_do() {
        let motion = Motion { on_frames: true, frame_rate: Some(10.0), ..motion() };
        let (parts, _) = split(&motion, &Cuts::Parts(3)).unwrap();
        let frames: Vec<f64> = parts.iter().map(|part| (part.duration_secs * 10.0 * 1e6).round() / 1e6).collect();
        assert_eq!(frames, [3.0, 4.0, 3.0]);
        assert_eq!(split(&motion, &Cuts::Parts(10)).unwrap().0.len(), 10);
        assert!(split(&motion, &Cuts::Parts(11)).unwrap_err().0.contains("2 to 10"));
        assert!(split(&motion, &Cuts::Every(0.01)).is_err());
    }

    #[test]
    fn cuts_that_are_none_are_refused() {
        for cuts in [
            Cuts::At(vec![0.0]),
            Cuts::At(vec![1.0]),
            Cuts::At(vec![f64::NAN]),
            Cuts::At(vec![]),
            Cuts::Parts(0),
            Cuts::Parts(1),
            Cuts::Parts(1_000_000_000),
            Cuts::Every(0.0),
            Cuts::Every(-1.0),
            Cuts::Every(1e-9),
            Cuts::Every(f64::NAN),
            Cuts::Every(2.0),
        ] {
            assert!(split(&motion(), &cuts).is_err(), "{cuts:?}");
        }
        assert!(split(&Motion { events: Vec::new(), ..motion() }, &Cuts::Events).is_err());
    }
}
