//! Clips whose values are to be taken in another way than they say.
//!
//! Values are whole, and near the rest pose, or differences from it, and near nothing. How far they lean to either is the difference of both distances as a part of the distance between rest pose and
//! nothing: 1 is the rest pose and −1 nothing, whatever the rig. Rotations tell additive clips from all others, translations tell absolute ones.

use super::stance::{Stance, Turns};
use super::{Fault, Matched, angle, mean, rotations, translations};
use crate::{Blend, Motion, Track, short};
use maquette_scene::glam::{DQuat, DVec3};

/// What leans as far as this is meant so.
const LEANS: f64 = 0.3;
/// Rest poses that turn by less, in radians, look like no turn at all.
const LEAST_TURN: f64 = 0.15;
/// Fewer bones may be what they are.
const FEWEST: usize = 3;
/// This part of all bones must agree, without a model.
const MOST: f64 = 0.8;

/// What values are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Are {
    Whole,
    Differences,
}

/// How far values of bones are from nothing, and from the rest pose.
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

    fn leans_to(&self) -> Option<Are> {
        let lean = (self.from_nothing - self.from_rest) / self.rest;
        match lean.abs() > LEANS {
            true => Some(if lean > 0.0 { Are::Whole } else { Are::Differences }),
            false => None,
        }
    }

    fn told(&self, what: &str, unit: &str) -> String {
        let [nothing, rest] = [self.from_nothing, self.from_rest].map(|sum| short(sum / self.bones.max(1) as f64));
        let bones = if self.bones == 1 { "1 bone".to_owned() } else { format!("{} bones", self.bones) };
        format!(
            "its {what} are {nothing} {unit} from nothing and {rest} {unit} from the rest pose, on average of {bones}"
        )
    }
}

/// The fault; `Err` tells why none can be told. What stands another way up does not tell by where it stands.
pub(super) fn on_model(
    motion: &Motion,
    matched: &Matched<'_>,
    wrong_up: Option<&Fault>,
) -> Result<Option<Fault>, String> {
    let (mut places, mut turns) = (Sums::default(), Sums::default());
    // Bones that are blended in a way of their own say so for themselves.
    for track in motion.tracks.iter().filter(|track| matched.blend(track) == motion.blend) {
        let Some(joint) = matched.joint(track) else { continue };
        if let Some(values) = translations(track).filter(|_| !matched.is_topmost(track)) {
            let far = |home: DVec3| mean(values.iter().map(|value| value.distance(home)));
            let rest = joint.rest.translation;
            places.add(far(DVec3::ZERO), far(rest), rest.length());
        }
        let rest = joint.rest.rotation;
        if let Some(values) = rotations(track).filter(|_| angle(rest, DQuat::IDENTITY) > LEAST_TURN) {
            let far = |home: DQuat| mean(values.iter().map(|value| angle(*value, home)));
            turns.add(far(DQuat::IDENTITY), far(rest), angle(rest, DQuat::IDENTITY));
        }
    }
    let turned = turns.leans_to().filter(|_| turns.bones >= FEWEST);
    // One bone that is where its parent is may hang there.
    let placed = places.leans_to().filter(|are| places.bones >= 2 || *are == Are::Whole && places.bones == 1);
    let by_turns = turns.told("rotations", "rad");
    let (placed, by_places) = match placed {
        Some(are) => (Some(are), places.told("translations", "units")),
        None if wrong_up.is_some() => (None, String::new()),
        None => by_stance(motion, matched, turned).map_or((None, String::new()), |(are, why)| (Some(are), why)),
    };
    let (readings, why): (&[Blend], String) = match (turned, placed) {
        (Some(Are::Differences), Some(Are::Whole)) => {
            return Err("its rotations are differences from the rest pose, and its translations are not".into());
        }
        (Some(Are::Differences), _) => (&[Blend::Additive], by_turns),
        (_, Some(Are::Whole)) => (&[Blend::Absolute], by_places),
        (Some(Are::Whole), Some(Are::Differences)) => (&[Blend::Relative, Blend::Delta], by_places),
        (Some(Are::Whole), None) => (&[Blend::Absolute, Blend::Relative, Blend::Delta], by_turns),
        (None, Some(Are::Differences)) => (&[Blend::Additive, Blend::Relative, Blend::Delta], by_places),
        (None, None) => {
            return Err("its values lean neither to the rest pose nor to differences from it".into());
        }
    };
    let meant = readings.first().copied().unwrap_or_default();
    let [says, is] = [motion.blend, meant].map(word);
    let why = format!("it says {says}, and {why}: it is {is}");
    let is_wrong = !readings.contains(&motion.blend);
    Ok(is_wrong.then(|| Fault::with_fix("blend", why, &["fix", "--blend", is])))
}

/// What the translations of the root are, by where the body then stands.
fn by_stance(motion: &Motion, matched: &Matched<'_>, turned: Option<Are>) -> Option<(Are, String)> {
    let turns = match turned {
        Some(Are::Whole) => Turns::Whole,
        Some(Are::Differences) => Turns::Differences,
        None => Turns::of(motion.blend),
    };
    let stance = Stance::of(motion, matched, turns)?;
    let whole: &dyn Fn(DVec3, DVec3) -> DVec3 = &|value, _| value;
    let added: &dyn Fn(DVec3, DVec3) -> DVec3 = &|value, rest| rest + value;
    let (are, what, (is, instead)) = match stance.stands_instead(added, whole) {
        Some(off) => (Are::Whole, "if translations are not added to the rest pose", off),
        None => (Are::Differences, "if translations are added to the rest pose", stance.stands_instead(whole, added)?),
    };
    let why = format!(
        "its lowest joint is {} times the height of its root off the ground it rests on, and comes as near as {} times {what}",
        short(is),
        short(instead)
    );
    Some((are, why))
}

/// Without a model: bones of absolute clips are somewhere; those of additive ones begin at nothing.
pub(super) fn alone(motion: &Motion) -> Option<Fault> {
    if motion.blend != Blend::Absolute
        || motion.bones.iter().any(|bone| bone.blend.is_some_and(|own| own != motion.blend))
    {
        return None;
    }
    let places: Vec<Vec<DVec3>> = motion.tracks.iter().filter_map(translations).collect();
    let turns: Vec<Vec<DQuat>> = motion.tracks.iter().filter_map(|track: &Track| rotations(track)).collect();
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
    is_odd.then(|| Fault::with_fix("blend", why, &["fix", "--blend", "additive"]))
}

/// What a blend is called.
fn word(blend: Blend) -> &'static str {
    match blend {
        Blend::Absolute => "absolute",
        Blend::Relative => "relative",
        Blend::Additive => "additive",
        Blend::Delta => "delta",
    }
}
