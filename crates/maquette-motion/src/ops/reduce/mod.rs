//! Fewer keys, with nothing that is seen farther off than asked.
//!
//! What a joint is off by adds up along a chain, so the tracks along each way from a root to a vertex share what is allowed there. A first round with even shares tells how
//! many keys each track takes; more goes to those that take more, by the power of two thirds, with which the keys of all are fewest. As most tracks are off by less than they may
//! be, all shares then grow together for as long as the sum of what tracks are really off by stays within the tolerance. That sum is the guarantee: it is worked out from every
//! key, holds for every vertex at every moment, and nothing is between two looks.

mod fewest;
mod known;
mod levers;
mod measure;
mod spline;
mod straight;
#[cfg(test)]
mod tests;

use crate::curve::Keys;
use crate::value::Value;
use crate::{Bone, Curve, Did, Motion, Refusal, Rig, Track, listed, short};
use fewest::{Kept, fewest};
use known::Distance;
use levers::{Lever, Levers};
use maquette_scene::Scene;
use maquette_scene::clip::{Blend, Interpolation};
use maquette_scene::glam::{DQuat, DVec3};
use measure::{Measure, Rotations, Scales, Translations, Weights};
use spline::Spline;
use std::collections::HashMap;
use straight::{Steps, Straight};

/// How often shares grow or shrink.
const ROUNDS: usize = 6;
/// The most that shares grow by.
const MOST_GROWTH: f64 = 64.0;
/// The part of the average that a track gets though it took no keys in the first round.
const LEAST_PART: f64 = 0.02;

/// How often a motion is searched again, where splines swing wider than was thought, ..
const MOST_TURNS: i32 = 8;
/// .. each time for this part of the tolerance.
const TURN: f64 = 0.8;
/// What a weight may be off by whose shape no mesh of the model has: a weight is no length.
pub const WEIGHT_TOLERANCE: f64 = 0.001;

/// How far off what is seen may be, and what is looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerance {
    /// In units of the model.
    pub distance: f64,
    /// How far from a joint that moves no vertex its turns and sizes are looked at; all lengths that are known of bones together, where nobody says.
    pub at: Option<f64>,
    /// Whether tracks go that leave their bones at rest.
    pub drop_rest: bool,
}

/// Leaves out keys where no vertex of the model then is off by more than the tolerance; without a model, nothing at a distance from its joint by the bone's own doing.
/// What is kept is a key of before.
pub fn reduce(
    motion: &mut Motion,
    tolerance: &Tolerance,
    model: Option<&Scene>,
    rig: Option<&Rig>,
) -> Result<Did, Refusal> {
    let &Tolerance { distance, at, drop_rest } = tolerance;
    if !(distance >= 0.0 && distance.is_finite() && at.is_none_or(|at| at > 0.0 && at.is_finite())) {
        let at = at.map_or(String::new(), |at| format!(" at a distance of {}", short(at)));
        return Err(Refusal(format!(
            "a tolerance of {}{at} is none; name a length of 0 or more, and a distance of more than 0",
            short(distance)
        )));
    }
    if drop_rest && rig.is_none() {
        return Err(Refusal(
            "what leaves a bone at rest is told by a model, and there is none; name it with --skeleton, or leave out --drop-rest"
                .into(),
        ));
    }
    let strangers = known::strangers(motion, rig)?;
    let before = motion.clone();
    let end = motion.tracks.iter().filter_map(|track| track.curve.times_secs().last().copied()).fold(0.0, f64::max);
    let at = Distance::of(motion, rig, tolerance);
    let mut levers = Levers::new(motion, model, at.units);
    if !levers.has_vertices() {
        at.must_tell(motion, distance)?;
    }
    let mut found = None;
    for turn in 0..MOST_TURNS {
        let asked = if turn + 1 == MOST_TURNS { 0.0 } else { distance * TURN.powi(turn) };
        let search = Search::new(&before, &levers, rig.filter(|_| drop_rest), asked);
        let best = search.best();
        let mut made = before.clone();
        best.apply(&mut made);
        // Splines with fewer keys may swing wider, which makes levers longer.
        if made.tracks.iter().any(|track| track.curve.interpolation() == Interpolation::CubicSpline) {
            levers.widen([&before, &made]);
        }
        let bound = best.bound(&before, &levers);
        if bound <= distance {
            *motion = made;
            found = Some(Found { bound, ..best });
            break;
        }
    }
    let Some(found) = found else { return Err(Refusal("its values are too large to be measured".into())) };
    keep_the_end(motion, end);
    motion.tracks.retain(|track| !track.curve.is_empty());
    Ok(found.tell([&before, motion], &levers, distance, &at, &strangers))
}

/// A clip of a file that tells no length is as long as its longest track, so one of them goes on to the end.
fn keep_the_end(motion: &mut Motion, end: f64) {
    let last = |track: &Track| track.curve.times_secs().last().copied();
    let longest = motion.tracks.iter().filter_map(last).fold(f64::NEG_INFINITY, f64::max);
    if motion.on_frames || longest >= end {
        return;
    }
    if let Some(track) = motion.tracks.iter_mut().find(|track| last(track) == Some(longest)) {
        crate::with_keys!(&mut track.curve, keys => hold_until(keys, end));
    }
}

fn hold_until<T: Value>(keys: &mut Keys<T>, end: f64) {
    let held = keys.key_at(end);
    keys.times_secs.push(end);
    keys.values.extend(held);
}

/// What is kept of every track.
struct Found {
    tracks: Vec<Kept>,
    bound: f64,
}

impl Found {
    fn keys(&self) -> usize {
        self.tracks.iter().map(|track| track.keys.len()).sum()
    }

    fn bound(&self, motion: &Motion, levers: &Levers<'_>) -> f64 {
        let errors = motion.tracks.iter().zip(&self.tracks);
        let errors: Vec<_> = errors.map(|(track, kept)| (track.bone, levers.of(track), kept.error)).collect();
        levers.bound(&errors)
    }

    fn apply(&self, motion: &mut Motion) {
        for (track, kept) in motion.tracks.iter_mut().zip(&self.tracks) {
            let mut stays = vec![false; track.curve.len()];
            for key in &kept.keys {
                stays.get_mut(*key).into_iter().for_each(|stays| *stays = true);
            }
            track.curve.keep(|key| stays.get(key) == Some(&true));
        }
    }

    fn tell(
        &self,
        [before, after]: [&Motion; 2],
        levers: &Levers<'_>,
        distance: f64,
        at: &Distance,
        strangers: &[String],
    ) -> Did {
        let [all, left] = [before, after].map(Motion::key_count);
        let what = if levers.has_vertices() { "vertex is off" } else { "bone is off by its own values" };
        let part = if all == 0 { 0.0 } else { 100.0 * (all - left) as f64 / all as f64 };
        let allowed = match distance > 0.0 {
            true => format!("the {} units allowed", short(distance)),
            false => "the rounding of its values".to_owned(),
        };
        let mut words = format!("leaves out {part:.1} % of its keys; no {what} by more than {allowed}");
        let turns = |track: &Track| {
            distance > 0.0
                && !matches!(track.curve, Curve::Translation(_))
                && matches!(levers.of(track), Lever::Alone(_))
        };
        let has_turns = before.tracks.iter().any(turns);
        if has_turns && !levers.has_vertices() {
            words.push_str(&format!(
                ", with turns and sizes looked at {} units from each joint ({}); that is no bound for vertices, which --skeleton gives",
                short(at.units),
                at.why
            ));
        }
        if !strangers.is_empty() {
            let how =
                if has_turns { format!(", turns {} units from the joint", short(at.units)) } else { String::new() };
            words.push_str(&format!(
                "; {} of its bones are not in the skeleton and measured by their own values{how}: {}",
                strangers.len(),
                listed(strangers)
            ));
        }
        let mut did = Did::new(words)
            .with("keys before", all as f64, "")
            .with("keys after", left as f64, "")
            .with("keys removed", (all - left) as f64, "")
            .with("largest error", self.bound, "units");
        if has_turns {
            did = did.with("distance of turns", at.units, "units");
        }
        let kept = || before.tracks.iter().zip(&self.tracks);
        let weights = kept().filter(|(track, _)| levers.of(track) == Lever::Weight);
        if let Some(error) = weights.map(|(_, kept)| kept.error).reduce(f64::max) {
            did = did.with("largest error of a weight", error, "");
        }
        let dropped = self.tracks.iter().filter(|track| track.keys.is_empty()).count();
        if dropped > 0 {
            did = did.with("tracks dropped", dropped as f64, "");
        }
        let count = |motion: &Motion| {
            let mut keys = vec![0usize; before.bones.len()];
            for track in &motion.tracks {
                keys.get_mut(track.bone).into_iter().for_each(|count| *count += track.curve.len());
            }
            keys
        };
        let mut errors = vec![0.0; before.bones.len()];
        for (track, kept) in kept() {
            let error = levers.of(track).largest() * kept.error;
            errors.get_mut(track.bone).into_iter().for_each(|sum| *sum += error);
        }
        let [had, left] = [before, after].map(count);
        let rows = before.bones.iter().zip(had).zip(left).zip(errors);
        let mut rows: Vec<_> = rows.filter(|(((_, had), _), _)| *had > 0).collect();
        rows.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        for (((bone, had), left), error) in rows {
            did = did
                .with_of(&bone.name, "keys before", had as f64, "")
                .with_of(&bone.name, "keys after", left as f64, "")
                .with_of(&bone.name, "error", error, "units");
        }
        did
    }
}

/// The tracks of a motion, with what each may be off by.
struct Search<'m> {
    levers: &'m Levers<'m>,
    tracks: Vec<Searched>,
    distance: f64,
}

/// A track, made ready.
struct Searched {
    bone: usize,
    lever: Lever,
    curve: Ready,
    /// What the type that it is stored in rounds by, as a part of a value.
    rounding: f64,
    /// How far it is from where the bone rests, where it may go.
    from_rest: Option<f64>,
}

/// A curve, with unit quaternions for rotations.
enum Ready {
    Translation(Keys<DVec3>),
    Rotation(Keys<DQuat>),
    Scale(Keys<DVec3>),
    Weights(Keys<Vec<f64>>, Weights),
}

impl Ready {
    fn fewest(&self, most: f64, rounding: f64) -> Kept {
        match self {
            Ready::Translation(keys) => kept(keys, &Translations, most, rounding),
            Ready::Rotation(keys) => kept(keys, &Rotations, most, rounding),
            Ready::Scale(keys) => kept(keys, &Scales, most, rounding),
            Ready::Weights(keys, weights) => kept(keys, weights, most, rounding),
        }
    }
}

fn kept<M: Measure>(keys: &Keys<M::Value>, measure: &M, most: f64, rounding: f64) -> Kept {
    match keys.interpolation {
        Interpolation::Step => fewest(&Steps { values: &keys.values, measure }, most),
        Interpolation::Linear => fewest(&Straight::new(&keys.times_secs, &keys.values, measure, rounding), most),
        Interpolation::CubicSpline => fewest(&Spline { keys, measure }, most),
    }
}

impl<'m> Search<'m> {
    fn new(motion: &Motion, levers: &'m Levers<'m>, rig: Option<&Rig>, distance: f64) -> Search<'m> {
        let has_own_blends = motion.bones.iter().any(|bone| bone.blend.is_some());
        let track = |track: &Track| {
            let curve = match &track.curve {
                Curve::Translation(keys) => Ready::Translation(keys.clone()),
                Curve::Scale(keys) => Ready::Scale(keys.clone()),
                Curve::Rotation(keys) => Ready::Rotation(unit(keys)),
                Curve::MorphWeights(keys) => {
                    let count = keys.values.first().map_or(0, Vec::len);
                    Ready::Weights(keys.clone(), Weights { moves: levers.moves_of_weights(track, count) })
                }
            };
            let bone = motion.bone(track);
            let from_rest = rig
                .filter(|_| !has_own_blends)
                .zip(bone)
                .and_then(|(rig, bone)| from_rest(&curve, motion.blend, rig, bone));
            let rounding = known::rounding(&track.curve);
            Searched { bone: track.bone, lever: levers.of(track), curve, rounding, from_rest }
        };
        Search { levers, tracks: motion.tracks.iter().map(track).collect(), distance }
    }

    /// The fewest keys of several ways to share.
    fn best(&self) -> Found {
        let even = self.shares(&vec![1.0; self.tracks.len()]);
        let first = self.with(&even, 1.0);
        let need: Vec<f64> = self
            .tracks
            .iter()
            .zip(&first.tracks)
            .zip(&even)
            .map(|((track, kept), share)| {
                let pieces = kept.keys.len().saturating_sub(1) as f64;
                (pieces * (share * track.lever.largest()).sqrt()).powf(2.0 / 3.0)
            })
            .collect();
        let average = need.iter().sum::<f64>() / need.len().max(1) as f64;
        let by_need = self.shares(&need.iter().map(|need| need.max(average * LEAST_PART)).collect::<Vec<_>>());
        let mut best = first;
        for shares in [even, by_need] {
            let (mut low, mut high) = (1.0f64, MOST_GROWTH);
            let mut growth = 1.0;
            for _ in 0..ROUNDS {
                let found = self.with(&shares, growth);
                let is_within = found.bound <= self.distance;
                if is_within && (found.keys(), found.bound) < (best.keys(), best.bound) {
                    best = found;
                }
                if is_within {
                    low = growth
                } else {
                    high = growth
                }
                growth = (low * high).sqrt();
            }
        }
        best
    }

    /// What each track may be off by, so that none of the sums is more than the tolerance, in parts as large as these.
    fn shares(&self, parts: &[f64]) -> Vec<f64> {
        let mut of_nodes = vec![0.0; self.levers.nodes()];
        let mut of_bones: HashMap<usize, f64> = HashMap::new();
        let has_shapes = self.tracks.iter().any(|track| track.lever == Lever::Shape);
        for (track, part) in self.tracks.iter().zip(parts) {
            match &track.lever {
                Lever::Nodes(nodes) => nodes.iter().for_each(|(node, _)| {
                    of_nodes.get_mut(*node).into_iter().for_each(|sum| *sum += part);
                }),
                Lever::Shape | Lever::Weight => {}
                Lever::Alone(_) => *of_bones.entry(track.bone).or_default() += part,
            }
        }
        let ways = self.levers.ways(&of_nodes);
        let has_chains = ways.iter().any(|sum| *sum > 0.0);
        let for_chains = self.distance * if has_shapes { 0.5 } else { 1.0 };
        let share = |(track, part): (&Searched, &f64)| {
            let sum = match &track.lever {
                Lever::Nodes(nodes) => {
                    nodes.iter().filter_map(|(node, _)| ways.get(*node)).fold(0.0, |a: f64, b| a.max(*b))
                }
                Lever::Shape => return self.distance * if has_chains { 0.5 } else { 1.0 },
                Lever::Weight => return WEIGHT_TOLERANCE.min(self.distance),
                Lever::Alone(_) => {
                    return self.distance * part
                        / of_bones.get(&track.bone).unwrap_or(part).max(*part)
                        / track.lever.largest();
                }
            };
            for_chains * part / sum / track.lever.largest()
        };
        let shares = self.tracks.iter().zip(parts).map(share);
        shares.map(|share| if share.is_finite() { share } else { 0.0 }).collect()
    }

    fn with(&self, shares: &[f64], growth: f64) -> Found {
        let kept = |(track, share): (&Searched, &f64)| {
            let most = match track.lever {
                Lever::Weight => *share,
                _ => (share * growth).min(self.distance / track.lever.largest().max(f64::MIN_POSITIVE)),
            };
            match track.from_rest.filter(|error| *error <= most) {
                Some(error) => Kept { keys: Vec::new(), error },
                None => track.curve.fewest(most, track.rounding),
            }
        };
        let tracks: Vec<Kept> = self.tracks.iter().zip(shares).map(kept).collect();
        let errors = self.tracks.iter().zip(&tracks).map(|(track, kept)| (track.bone, track.lever.clone(), kept.error));
        let bound = self.levers.bound(&errors.collect::<Vec<_>>());
        Found { tracks, bound }
    }
}

/// Unit quaternions; splines have theirs normalised where they are played.
fn unit(keys: &Keys<DQuat>) -> Keys<DQuat> {
    let mut keys = keys.clone();
    if keys.interpolation != Interpolation::CubicSpline {
        keys.values.iter_mut().for_each(|value| *value = value.finished());
    }
    keys
}

/// How far a curve is from what a bone has without it.
fn from_rest(curve: &Ready, blend: Blend, rig: &Rig, bone: &Bone) -> Option<f64> {
    fn farthest<M: Measure>(keys: &Keys<M::Value>, measure: &M, rest: &M::Value) -> Option<f64> {
        // Splines may swing.
        let is_plain = keys.interpolation != Interpolation::CubicSpline;
        let farthest = is_plain.then(|| keys.values.iter().map(|value| measure.apart(value, rest)).fold(0.0, f64::max));
        // Within a radian of the rest pose, what is between two turns is so too.
        farthest.filter(|error| *error < 1.0)
    }
    let rest = rig.rest(&bone.name)?;
    match curve {
        Ready::Translation(keys) => {
            farthest(keys, &Translations, if blend == Blend::Absolute { &rest.translation } else { &DVec3::ZERO })
        }
        Ready::Rotation(keys) => {
            farthest(keys, &Rotations, if blend == Blend::Additive { &DQuat::IDENTITY } else { &rest.rotation })
        }
        Ready::Scale(keys) => farthest(keys, &Scales, &rest.scale),
        Ready::Weights(..) => None,
    }
}
