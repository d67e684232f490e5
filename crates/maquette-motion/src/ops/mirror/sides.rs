//! Which name is that of the other side.

use crate::{Refusal, Rig, nothing_called};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What the sides are called, left and right.
const WORDS: [[&str; 2]; 5] = [["left", "right"], ["l", "r"], ["le", "ri"], ["lf", "rt"], ["lft", "rgt"]];

/// How bones of one side are found for those of the other: by pairs that somebody names, or else by their names.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    pairs: HashMap<String, String>,
}

impl Sides {
    /// With these pairs, which hold in both directions.
    pub fn new(named: &BTreeMap<String, String>) -> Result<Sides, Refusal> {
        let mut pairs = HashMap::new();
        for (left, right) in named {
            for (from, to) in [(left, right), (right, left)] {
                match pairs.insert(from.clone(), to.clone()) {
                    Some(other) if other != *to => {
                        return Err(Refusal(format!(
                            "{from:?} is on the other side of {other:?} and of {to:?}; it can have one"
                        )));
                    }
                    _ => {}
                }
            }
        }
        Ok(Sides { pairs })
    }

    /// Refuses names that nothing has. Without a rig, a bone of the other side may be one that only the model has.
    pub(super) fn must_be<'n>(
        &self,
        names: impl Iterator<Item = &'n str> + Clone,
        rig: Option<&Rig>,
    ) -> Result<(), Refusal> {
        let there: HashSet<&str> = names.clone().collect();
        let is_missing = |(name, other): &(&String, &String)| {
            !there.contains(name.as_str()) && (rig.is_some() || !there.contains(other.as_str()))
        };
        let mut asked: Vec<&str> = self.pairs.iter().filter(is_missing).map(|(name, _)| name.as_str()).collect();
        asked.sort_unstable();
        let mut seen = HashSet::new();
        let names: Vec<&str> = names.filter(|name| seen.insert(*name)).collect();
        match asked.first() {
            Some(missing) => Err(Refusal(nothing_called("bone", missing, names.iter().copied()))),
            None => Ok(()),
        }
    }

    /// What somebody says that the other side of a bone is.
    pub(super) fn named(&self, name: &str) -> Option<&str> {
        self.pairs.get(name).map(String::as_str)
    }

    /// The name of the other side; the same where there is none.
    pub(super) fn opposite(&self, name: &str, known: &Known<'_>) -> String {
        if let Some(pair) = self.pairs.get(name) {
            return pair.clone();
        }
        let found = match by_word(name) {
            Some(other) if known.names.contains(&*other) => Some(other),
            Some(other) => Some(known.but_for_number(name, &other).map_or(other, str::to_owned)),
            None => by_letter(name).find(|other| known.names.contains(&**other)),
        };
        found.unwrap_or_else(|| name.to_owned())
    }
}

/// Names that are there, so that a hint is enough to find the other side.
#[derive(Clone, Debug, Default)]
pub(super) struct Known<'n> {
    names: HashSet<&'n str>,
    /// Names without the number at their end; `None` where several are one then.
    by_stem: HashMap<&'n str, Option<&'n str>>,
}

impl<'n> FromIterator<&'n str> for Known<'n> {
    fn from_iter<I: IntoIterator<Item = &'n str>>(names: I) -> Known<'n> {
        let mut known = Known::default();
        for name in names {
            if known.names.insert(name) {
                known.by_stem.entry(stem(name)).and_modify(|other| *other = None).or_insert(Some(name));
            }
        }
        known
    }
}

impl<'n> Known<'n> {
    /// The other side where tools have numbered all bones: `LeftArm_09` of `RightArm_06`.
    fn but_for_number(&self, name: &str, other: &str) -> Option<&'n str> {
        let alone = |name: &str| self.by_stem.get(stem(name)).copied().flatten();
        alone(other).filter(|_| alone(name) == Some(name))
    }
}

/// A name without the number at its end, whatever separates it: `arm_R__2_` is `arm_R`.
pub(super) fn stem(name: &str) -> &str {
    name.trim_end_matches(|letter: char| letter.is_ascii_digit() || !letter.is_alphanumeric())
}

/// Whether a name is that of a side, by a word of it.
pub(super) fn is_of_a_side(name: &str) -> bool {
    by_word(name).is_some()
}

/// Changes a word between separators, or `Left` and `Right` between words that begin with a capital.
fn by_word(name: &str) -> Option<String> {
    let mut start = 0;
    for token in name.split_inclusive(|letter: char| !letter.is_alphanumeric()) {
        let word = token.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        if let Some(other) = other_side(word, &WORDS) {
            return Some(replaced(name, start, word, &other));
        }
        let mut at = start;
        for part in capitalised(word) {
            if let Some(other) = other_side(part, WORDS.get(..1).unwrap_or_default()) {
                return Some(replaced(name, at, part, &other));
            }
            at += part.len();
        }
        start += token.len();
    }
    None
}

fn replaced(name: &str, at: usize, word: &str, other: &str) -> String {
    let (before, after) = name.split_at_checked(at).unwrap_or_default();
    format!("{before}{other}{}", after.get(word.len()..).unwrap_or_default())
}

/// A word as the other side is called, in the same letters: small, capital, or the first of them.
fn other_side(word: &str, words: &[[&str; 2]]) -> Option<String> {
    let first_capital = |text: &str| {
        let mut letters = text.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
    };
    let styles: [&dyn Fn(&str) -> String; 3] = [&str::to_owned, &str::to_uppercase, &first_capital];
    words
        .iter()
        .flat_map(|[left, right]| [(left, right), (right, left)])
        .find_map(|(from, to)| styles.iter().find(|style| style(from) == word).map(|style| style(to)))
}

/// `LeftUpLeg` as `Left`, `Up`, `Leg`; digits are words, too.
fn capitalised(word: &str) -> Vec<&str> {
    let letters: Vec<(usize, char)> = word.char_indices().collect();
    let mut cuts = vec![0];
    for (index, window) in letters.windows(2).enumerate() {
        let [(_, before), (at, letter)] = *window else { continue };
        let next_is_small = letters.get(index + 2).is_some_and(|(_, next)| next.is_lowercase());
        let begins = letter.is_uppercase() && (!before.is_uppercase() || next_is_small);
        if begins || letter.is_alphabetic() != before.is_alphabetic() {
            cuts.push(at);
        }
    }
    let ends = cuts.iter().skip(1).copied().chain([word.len()]);
    cuts.iter().zip(ends).filter_map(|(&from, to)| word.get(from..to)).collect()
}

/// Names in which one letter is changed that may be a side, at the start or the end: `HandL`, `LHand`, `lHand`.
fn by_letter(name: &str) -> impl Iterator<Item = String> {
    let other = |letter: char| match letter {
        'L' => Some('R'),
        'R' => Some('L'),
        'l' => Some('r'),
        'r' => Some('l'),
        _ => None,
    };
    let mut letters = name.chars();
    let (last, before) = (letters.next_back(), letters.as_str());
    let at_end = last.filter(|last| last.is_uppercase()).and_then(other).map(|last| format!("{before}{last}"));
    let mut letters = name.chars();
    let (first, after) = (letters.next(), letters.as_str());
    let is_word = after.chars().next().is_some_and(char::is_uppercase);
    let at_start = first.filter(|_| is_word).and_then(other).map(|first| format!("{first}{after}"));
    at_end.into_iter().chain(at_start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_of_many_tools() {
        let sides = Sides::default();
        let known = ["HandR", "HandL", "rThigh", "lThigh", "L5", "LOD", "b_LeftArm_09", "b_RightArm_06"];
        let known: Known<'_> = known.into_iter().collect();
        for (left, right) in [
            ("arm_l", "arm_r"),
            ("Arm.L", "Arm.R"),
            ("DEF-upper_arm.L.001", "DEF-upper_arm.R.001"),
            ("L_Arm", "R_Arm"),
            ("Bip01 L Thigh", "Bip01 R Thigh"),
            ("mixamorig:LeftArm", "mixamorig:RightArm"),
            ("LeftUpLeg", "RightUpLeg"),
            ("handLeft", "handRight"),
            ("hand_LEFT", "hand_RIGHT"),
            ("j_shoulder_le", "j_shoulder_ri"),
            ("tag_weapon_left", "tag_weapon_right"),
            ("lf_hand", "rt_hand"),
            ("LeftHand01", "RightHand01"),
            ("HandL", "HandR"),
            ("lThigh", "rThigh"),
            ("b_LeftArm_09", "b_RightArm_06"),
        ] {
            assert_eq!(sides.opposite(left, &known), right);
            assert_eq!(sides.opposite(right, &known), left);
        }
        for middle in ["spine", "Bright", "leftover", "collar", "L5", "LOD", "tail", "", "world", "FootL"] {
            assert_eq!(sides.opposite(middle, &known), middle);
        }
    }

    #[test]
    fn pairs_hold_in_both_directions() {
        let pairs = |pairs: &[(&str, &str)]| pairs.iter().map(|(from, to)| ((*from).into(), (*to).into())).collect();
        let sides = Sides::new(&pairs(&[("bakbord", "steuerbord"), ("arm_l", "arm_l")])).unwrap();
        let opposite = |name| sides.opposite(name, &Known::default());
        assert_eq!(["bakbord", "steuerbord", "arm_l"].map(opposite), ["steuerbord", "bakbord", "arm_l"]);
        assert!(Sides::new(&pairs(&[("a", "b"), ("c", "b")])).is_err());
    }

    #[test]
    fn numbers_are_passed_over_only_where_that_is_clear() {
        let known: Known<'_> = ["LeftToe_1", "LeftToe_2", "RightToe_2", "RightToe_7"].into_iter().collect();
        let opposite = |name| Sides::default().opposite(name, &known);
        assert_eq!(["LeftToe_2", "RightToe_2"].map(opposite), ["RightToe_2", "LeftToe_2"]);
        assert_eq!(["LeftToe_1", "RightToe_7"].map(opposite), ["RightToe_1", "LeftToe_7"], "which is not there");
    }

    proptest! {
        #[test]
        fn twice_is_once(name in "([a-zA-Z0-9_.: é]|left|Left|RIGHT|_l|L_|_ri|Hand|rR){0,8}") {
            let sides = Sides::default();
            let once = sides.opposite(&name, &Known::default());
            prop_assert_eq!(sides.opposite(&once, &[&*name].into_iter().collect()), name);
        }
    }
}
