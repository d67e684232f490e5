//! Clips whose values are to be taken in another way than they say.

use super::{Fault, Matched, angle, rotations, translations};
use crate::{Blend, Motion};
use maquette_scene::glam::{DQuat, DVec3};

/// What is so many times nearer to one reading than to another is meant so.
const NEARER: f64 = 5.0;
/// Rest poses that turn by less, in radians and on average, look like no turn at all.
const LEAST_TURN: f64 = 0.15;
/// Fewer bones may be what they are.
const FEWEST: usize = 3;
/// This part of all bones must agree.
const MOST: f64 = 0.8;

/// How far values are from nothing, and from the rest pose.
#[derive(Default)]
struct Sums {
    bones: usize,
    from_nothing: f64,
    from_rest: f64,
    rest: f64,
}

impl Sums {
    fn add(&mut self, from_nothing: f64, from_rest: f64, rest: f64) {
        self.bones += 1;
        self.from_nothing += from_nothing;
        self.from_rest += from_rest;
        self.rest += rest;
    }

    fn is_nothing(&self, least: f64) -> bool {
        self.is_told(least) && self.from_nothing * NEARER < self.from_rest
    }

    fn is_rest(&self, least: f64) -> bool {
        self.is_told(least) && self.from_rest * NEARER < self.from_nothing
    }

    fn is_told(&self, least: f64) -> bool {
        self.bones >= 2 && self.rest > least * self.bones as f64
    }
}

pub(super) fn on_model(motion: &Motion, matched: &Matched<'_>) -> Option<Fault> {
    if motion.bones.iter().any(|bone| bone.blend.is_some_and(|own| own != motion.blend)) {
        return None;
    }
    let (mut places, mut turns) = (Sums::default(), Sums::default());
    for track in &motion.tracks {
        let Some(joint) = matched.joint(track) else { continue };
        let mean = |sum: f64, count: usize| sum / count.max(1) as f64;
        if let Some(values) = translations(track).filter(|_| !matched.is_topmost(track)) {
            let sum = |home: DVec3| mean(values.iter().map(|value| value.distance(home)).sum(), values.len());
            let rest = joint.rest.translation;
            places.add(sum(DVec3::ZERO), sum(rest), rest.length());
        }
        if let Some(values) = rotations(track) {
            let sum = |home: DQuat| mean(values.iter().map(|value| angle(*value, home)).sum(), values.len());
            let rest = joint.rest.rotation;
            turns.add(sum(DQuat::IDENTITY), sum(rest), angle(rest, DQuat::IDENTITY));
        }
    }
    let told = |blend: &str, what: &str, sums: &Sums, unit: &str| {
        let each = |sum: f64| crate::short(sum / sums.bones.max(1) as f64);
        let why = format!(
            "it says {}, and its {what} are {} {unit} from nothing and {} {unit} from the rest pose, on average of {} bones: they are {blend}",
            word(motion.blend),
            each(sums.from_nothing),
            each(sums.from_rest),
            sums.bones
        );
        Some(Fault { name: "blend", why, fix: Some(format!("fix --blend {blend}")) })
    };
    match motion.blend {
        Blend::Absolute if places.is_nothing(1e-9) && !turns.is_rest(LEAST_TURN) => {
            told("additive", "translations", &places, "units")
        }
        Blend::Absolute if places.is_nothing(1e-9) => told("relative", "translations", &places, "units"),
        Blend::Absolute if turns.is_nothing(LEAST_TURN) && turns.bones >= FEWEST && !places.is_rest(1e-9) => {
            told("additive", "rotations", &turns, "rad")
        }
        Blend::Relative | Blend::Delta | Blend::Additive if places.is_rest(1e-9) => {
            told("absolute", "translations", &places, "units")
        }
        Blend::Additive if turns.is_rest(LEAST_TURN) && turns.bones >= FEWEST => {
            let blend = if places.is_nothing(1e-9) { "relative" } else { "absolute" };
            told(blend, "rotations", &turns, "rad")
        }
        _ => None,
    }
}

/// Without a model: bones of absolute clips are somewhere; those of additive ones begin at nothing.
pub(super) fn alone(motion: &Motion) -> Option<Fault> {
    if motion.blend != Blend::Absolute
        || motion.bones.iter().any(|bone| bone.blend.is_some_and(|own| own != motion.blend))
    {
        return None;
    }
    let places: Vec<Vec<DVec3>> = motion.tracks.iter().filter_map(translations).collect();
    let turns: Vec<Vec<DQuat>> = motion.tracks.iter().filter_map(rotations).collect();
    let at_nothing = places.iter().filter(|values| values.first().is_some_and(|value| value.length() < 1e-6)).count();
    let unturned =
        turns.iter().filter(|values| values.first().is_some_and(|value| angle(*value, DQuat::IDENTITY) < 0.05)).count();
    let most = |count: usize, of: usize| count as f64 >= MOST * of as f64;
    let is_odd = places.len() > FEWEST && most(at_nothing, places.len()) && most(unturned, turns.len());
    let why = format!(
        "it says absolute, and {at_nothing} of its {} bones begin on the spot of their parents and {unturned} of {} unturned: it is additive",
        places.len(),
        turns.len()
    );
    is_odd.then(|| Fault { name: "blend", why, fix: Some("fix --blend additive".into()) })
}

/// What a blend is called.
pub(super) fn word(blend: Blend) -> &'static str {
    match blend {
        Blend::Absolute => "absolute",
        Blend::Relative => "relative",
        Blend::Additive => "additive",
        Blend::Delta => "delta",
    }
}
