//! Clips one after another.

use super::super::join::{Held, MEETS, join, still, whole};
use super::super::limit::{cost, cost_of_key, must_fit};
use super::super::rate;
use super::super::resample::{differ, straight, straight_len};
use super::{Places, frames, in_order, known};
use crate::{Blend, Curve, Did, Interpolation, Keys, Motion, Refusal, Rig, Track};
use maquette_scene::glam::{DQuat, DVec3};
use std::collections::{HashMap, HashSet};

/// One clip of the sequence: when it begins, and how long it takes.
#[derive(Clone, Copy)]
struct Span {
    from: f64,
    length: f64,
}

/// The curves of one property of one bone, by clip.
struct Line {
    bone: usize,
    curves: Vec<Option<Curve>>,
}

/// Plays other clips after the first. A bone that one of them does not move is at rest then, as far as that is known: from the rig, or because its values are added to it; or else
/// stays as it was. Where the end of one is not the start of the next it jumps, and takes a frame for it where keys lie on frames only.
pub fn merge_sequence(first: &mut Motion, mut others: Vec<Motion>, rig: Option<&Rig>) -> Result<Did, Refusal> {
    let count = others.len() + 1;
    let mut spans = vec![Span { from: 0.0, length: first.duration_secs }];
    let mut lines: Vec<Line> = Vec::with_capacity(first.tracks.len());
    let mut of_bone: HashMap<(usize, &'static str), usize> = HashMap::new();
    let mut places = Places::of(first);
    let unknown = known::leave_out_unknown(&mut others, rig)?;
    let shared = frames::share(first, &mut others)?;
    must_fit(line_count(first, &others) as f64 * count as f64, "merge fewer clips")?;
    let tracks = std::mem::take(&mut first.tracks);
    let mut add = |bone: usize, curve: Curve, clip: usize| {
        let line = *of_bone.entry((bone, curve.property())).or_insert_with(|| {
            lines.push(Line { bone, curves: vec![None; count] });
            lines.len() - 1
        });
        let place = lines.get_mut(line).and_then(|line| line.curves.get_mut(clip));
        place.filter(|place| place.is_none()).into_iter().for_each(|place| *place = Some(curve.clone()));
    };
    tracks.into_iter().for_each(|track| add(track.bone, track.curve, 0));
    let mut events = Vec::with_capacity(count);
    for (clip, other) in others.into_iter().enumerate() {
        let bones = places.take_in(first, &other)?;
        for Track { bone, curve } in other.tracks {
            bones.get(bone).into_iter().for_each(|bone| add(*bone, curve.clone(), clip + 1));
        }
        spans.push(Span { from: 0.0, length: other.duration_secs });
        events.push(other.events);
    }
    let rate = rate::of(first);
    let sizes = lines.iter().map(|line| line.size(rate));
    must_fit(sizes.sum::<f64>() + cost(first), "merge fewer clips")?;
    let rests: Vec<Option<Curve>> = lines.iter().map(|line| rest(first, line, rig)).collect();
    let mut meets = vec![true; count];
    for (line, rest) in lines.iter().zip(&rests) {
        line.meet(&spans, rest.as_ref(), &mut meets);
    }
    let mut from = 0.0;
    for (span, meets) in spans.iter_mut().zip(&meets) {
        span.from = from;
        let needs_time = !meets && (first.on_frames || span.length <= 0.0);
        from += span.length + if needs_time { 1.0 / rate } else { 0.0 };
    }
    let held =
        rests.iter().zip(&lines).filter(|(rest, line)| rest.is_none() && line.curves.iter().any(Option::is_none));
    let held = held.count();
    first.tracks = lines
        .iter()
        .zip(&rests)
        .filter_map(|(line, rest)| Some(Track { bone: line.bone, curve: line.joined(&spans, rest.as_ref(), rate)? }))
        .collect();
    for (span, events) in spans.iter().skip(1).zip(events) {
        first.events.extend(events.into_iter().map(|mut event| {
            event.time_secs += span.from;
            event
        }));
    }
    in_order(&mut first.events);
    first.duration_secs = spans.last().map_or(0.0, |span| span.from + span.length);
    let jumps = meets.iter().filter(|meets| !**meets).count();
    let mut words = format!("plays {count} clips one after another");
    known::tell(&mut words, &unknown);
    let did = Did::new(words).with("lasts", first.duration_secs, "s").with("bones", first.bones.len() as f64, "").with(
        "keys",
        first.key_count() as f64,
        "",
    );
    let did = if jumps > 0 { did.with("jumps from clip to clip", jumps as f64, "") } else { did };
    let did =
        if held > 0 { did.with("tracks that stay where a clip does not move them", held as f64, "") } else { did };
    Ok(shared.tell(did))
}

/// How many properties of bones all clips together move, at most: bones of one name are one bone, unless a clip has several of them.
fn line_count(first: &Motion, others: &[Motion]) -> usize {
    let mut lines = HashSet::new();
    for motion in others.iter().chain([first]) {
        let mut turns: HashMap<&str, usize> = HashMap::new();
        let turn_of_bone: Vec<usize> = motion
            .bones
            .iter()
            .map(|bone| {
                let turn = turns.entry(&bone.name).or_default();
                *turn += 1;
                *turn
            })
            .collect();
        for track in &motion.tracks {
            let bone = motion.bones.get(track.bone).zip(turn_of_bone.get(track.bone));
            lines.extend(bone.map(|(bone, turn)| (bone.name.as_str(), *turn, track.curve.property())));
        }
    }
    lines.len()
}

/// The value that a property of a bone has where nothing moves it, if that is known.
fn rest(motion: &Motion, line: &Line, rig: Option<&Rig>) -> Option<Curve> {
    let bone = motion.bones.get(line.bone)?;
    let blend = bone.blend.unwrap_or(motion.blend);
    let at_rest = rig.and_then(|rig| rig.rest(&bone.name));
    let one = |value: DVec3| Keys::straight([(0.0, value)]);
    Some(match line.curves.iter().flatten().next()? {
        Curve::Translation(_) if blend != Blend::Absolute => Curve::Translation(one(DVec3::ZERO)),
        Curve::Rotation(_) if blend == Blend::Additive => Curve::Rotation(Keys::straight([(0.0, DQuat::IDENTITY)])),
        Curve::Translation(_) => Curve::Translation(one(at_rest?.translation)),
        Curve::Rotation(_) => Curve::Rotation(Keys::straight([(0.0, at_rest?.rotation)])),
        Curve::Scale(_) => Curve::Scale(one(at_rest?.scale)),
        Curve::MorphWeights(keys) if bone.is_shape => {
            Curve::MorphWeights(Keys::straight([(0.0, vec![0.0; keys.values.first()?.len()])]))
        }
        Curve::MorphWeights(_) => return None,
    })
}

impl Line {
    /// How many keys it takes at most.
    fn size(&self, rate: f64) -> f64 {
        let differs = differ(self.curves.iter().flatten());
        let len = |curve: &Curve| if differs { straight_len(curve, rate) } else { curve.len() as f64 };
        let keys = self.curves.iter().flatten().map(|curve| cost_of_key(curve) * len(curve));
        keys.sum::<f64>() + 2.0 * self.curves.len() as f64
    }

    /// Finds the clips whose end is not the start of the next.
    fn meet(&self, spans: &[Span], rest: Option<&Curve>, meets: &mut [bool]) {
        match self.curves.iter().flatten().next() {
            Some(Curve::Translation(_) | Curve::Scale(_)) => self.find_jumps::<DVec3>(spans, rest, meets),
            Some(Curve::Rotation(_)) => self.find_jumps::<DQuat>(spans, rest, meets),
            Some(Curve::MorphWeights(_)) => self.find_jumps::<Vec<f64>>(spans, rest, meets),
            None => {}
        }
    }

    fn find_jumps<T: Held>(&self, spans: &[Span], rest: Option<&Curve>, meets: &mut [bool]) {
        let rest = rest.and_then(T::keys_of).and_then(|keys| keys.at(0.0));
        let is_step = |keys: Option<&Keys<T>>| keys.is_none_or(|keys| keys.interpolation == Interpolation::Step);
        let pairs = self.curves.iter().zip(self.curves.iter().skip(1)).zip(spans);
        for (((before, after), span), meets) in pairs.zip(meets) {
            let [before, after] = [before, after].map(|curve| curve.as_ref().and_then(T::keys_of));
            if is_step(before) && is_step(after) {
                continue;
            }
            let end = before.map_or_else(|| rest.clone(), |keys| keys.at(span.length));
            let start = after.map_or_else(|| rest.clone(), |keys| keys.at(0.0));
            *meets &= end.zip(start).is_none_or(|(end, start)| end.far_from(&start) <= MEETS);
        }
    }

    fn joined(&self, spans: &[Span], rest: Option<&Curve>, rate: f64) -> Option<Curve> {
        Some(match self.curves.iter().flatten().next()? {
            Curve::Translation(_) => Curve::Translation(self.one_after_another(spans, rest, rate)),
            Curve::Rotation(_) => Curve::Rotation(self.one_after_another(spans, rest, rate)),
            Curve::Scale(_) => Curve::Scale(self.one_after_another(spans, rest, rate)),
            Curve::MorphWeights(_) => Curve::MorphWeights(self.one_after_another(spans, rest, rate)),
        })
    }

    fn one_after_another<T: Held>(&self, spans: &[Span], rest: Option<&Curve>, rate: f64) -> Keys<T> {
        let differs = differ(self.curves.iter().flatten());
        let known = || self.curves.iter().map(|curve| curve.as_ref().and_then(T::keys_of));
        let first = known().flatten().next();
        let is_still = |keys: Option<&Keys<T>>| {
            keys.is_some_and(|keys| {
                keys.times_secs.len() == 1 && keys.value(0) == first.and_then(|first| first.value(0))
            })
        };
        if let Some(first) = first.filter(|_| known().all(is_still)) {
            return first.clone();
        }
        let interpolation = first.map(|keys| keys.interpolation).filter(|_| !differs).unwrap_or_default();
        let rest = rest.and_then(T::keys_of).and_then(|keys| keys.at(0.0));
        let mut held = None;
        let mut pieces: Vec<(f64, Keys<T>)> = Vec::with_capacity(spans.len());
        for (keys, span) in known().zip(spans) {
            let piece = match keys {
                Some(keys) if differs => whole(&straight(keys, rate), span.length),
                Some(keys) => whole(keys, span.length),
                None => match rest.as_ref().or(held.as_ref()) {
                    Some(value) => still(value, span.length, interpolation),
                    // Before its first key it is what that is.
                    None => continue,
                },
            };
            held = piece.at(span.length);
            pieces.push((span.from, piece));
        }
        join(pieces.iter().map(|(from, piece)| (*from, piece)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, Joint, Trs};

    fn clip(bone: &str, from: f64, to: f64) -> Motion {
        let mut motion = Motion { duration_secs: 1.0, ..Motion::default() };
        motion.push(bone, Curve::Translation(Keys::straight([(0.0, DVec3::X * from), (1.0, DVec3::X * to)])));
        motion.events = vec![Event { time_secs: 0.5, name: "step".into() }];
        motion
    }

    fn x(motion: &Motion, track: usize, secs: f64) -> f64 {
        let Curve::Translation(keys) = &motion.tracks[track].curve else { panic!() };
        keys.at(secs).unwrap().x
    }

    #[test]
    fn thousands_of_clips_of_one_bone_are_few_keys() {
        let mut first = clip("hip", 0.0, 1.0);
        merge_sequence(&mut first, vec![clip("hip", 1.0, 1.0); 5000], None).unwrap();
        assert_eq!((first.tracks.len(), first.duration_secs), (1, 5001.0));
        // Of bones that every clip has of its own, each is held in all the others.
        let own = |bone: u32| clip(&format!("bone{bone}"), 0.0, 1.0);
        assert!(merge_sequence(&mut own(0), (1..5000).map(own).collect(), None).is_err());
    }

    #[test]
    fn clips_that_meet_share_the_moment() {
        let mut first = clip("hip", 0.0, 1.0);
        let did = merge_sequence(&mut first, vec![clip("hip", 1.0, 5.0), clip("hip", 5.0, 0.0)], None).unwrap();
        assert_eq!(first.tracks[0].curve.times_secs(), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!([0.5, 1.5, 2.5].map(|secs| x(&first, 0, secs)), [0.5, 3.0, 2.5]);
        assert_eq!(first.events.iter().map(|event| event.time_secs).collect::<Vec<_>>(), [0.5, 1.5, 2.5]);
        assert_eq!((did.words.as_str(), first.duration_secs), ("plays 3 clips one after another", 3.0));
    }

    #[test]
    fn clips_that_do_not_meet_jump_or_take_a_frame() {
        let mut first = clip("hip", 0.0, 1.0);
        merge_sequence(&mut first, vec![clip("hip", 7.0, 8.0)], None).unwrap();
        assert_eq!((x(&first, 0, 1.0), first.duration_secs), (7.0, 2.0));
        assert!((x(&first, 0, 0.999) - 0.999).abs() < 1e-9);
        let on_frames = |motion| Motion { on_frames: true, frame_rate: Some(10.0), ..motion };
        let mut first = on_frames(clip("hip", 0.0, 1.0));
        let did = merge_sequence(&mut first, vec![on_frames(clip("hip", 7.0, 8.0))], None).unwrap();
        assert_eq!((x(&first, 0, 1.0), x(&first, 0, 1.1)), (1.0, 7.0));
        assert!((first.duration_secs - 2.1).abs() < 1e-12);
        assert_eq!(did.figures[3].what, "jumps from clip to clip");
    }

    #[test]
    fn what_a_clip_does_not_move_is_at_rest_or_stays() {
        let rest = Trs { translation: DVec3::X * 9.0, ..Trs::IDENTITY };
        let rig = Rig::new(["arm", "hip"].map(|name| Joint { name: name.into(), parent: None, rest }).into());
        let merged = |rig: Option<&Rig>, blend: Blend| {
            let mut first = Motion { blend, ..clip("arm", 1.0, 2.0) };
            let others = [clip("hip", 0.0, 1.0), clip("arm", 3.0, 4.0)].map(|other| Motion { blend, ..other });
            let did = merge_sequence(&mut first, others.into(), rig).unwrap();
            (x(&first, 0, 1.5), did.figures.iter().any(|figure| figure.what.starts_with("tracks that stay")))
        };
        assert_eq!(merged(None, Blend::Absolute), (2.0, true));
        assert_eq!(merged(Some(&rig), Blend::Absolute).0, 9.0);
        assert_eq!(merged(None, Blend::Relative), (0.0, false));
    }

    #[test]
    fn curves_of_different_kinds_become_straight() {
        let mut first = clip("hip", 0.0, 1.0);
        let mut other = clip("hip", 1.0, 5.0);
        if let Curve::Translation(keys) = &mut other.tracks[0].curve {
            keys.interpolation = Interpolation::Step;
        }
        merge_sequence(&mut first, vec![other], None).unwrap();
        assert_eq!(first.tracks[0].curve.interpolation(), Interpolation::Linear);
        assert_eq!((x(&first, 0, 0.5), x(&first, 0, 1.5), x(&first, 0, 2.0)), (0.5, 1.0, 5.0));
    }
}
