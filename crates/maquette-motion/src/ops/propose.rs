//! Which joint of one skeleton is which of another, by their names.

use crate::body::{Part, parts, words};
use crate::rig::Rig;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Why two joints are taken to be the same, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// They have the same name.
    Name,
    /// But for case.
    Case,
    /// But for what names of the rig begin with, and how words are joined.
    Words,
    /// Their names are words for the same part of a body.
    Part(Part),
}

impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Likeness::Name => f.write_str("certain: the same name"),
            Likeness::Case => f.write_str("very likely: the same name in another case"),
            Likeness::Words => f.write_str("very likely: the same words, begun or joined in another way"),
            Likeness::Part(part) => write!(f, "likely: both are words for the {part}"),
        }
    }
}

/// For each joint of one skeleton the joint of another that is most likely the same, and why. Each is taken once.
pub fn propose(from: &Rig, to: &Rig) -> Vec<Option<(usize, Likeness)>> {
    let mut found = Proposal { of: vec![None; from.joints.len()], taken: HashSet::new() };
    let name = |rig: &Rig, at: usize| rig.joints.get(at).map(|joint| joint.name.clone()).unwrap_or_default();
    found.by(from, to, Likeness::Name, |rig, at| Some(name(rig, at)));
    found.by(from, to, Likeness::Case, |rig, at| Some(name(rig, at).to_lowercase()));
    let (own, theirs) = (parts(from), parts(to));
    // The same words for different parts, as numbers that are counted from the other end, are no likeness.
    let part = |rig: &Rig, at: usize| {
        let parts = if std::ptr::eq(rig, from) { &own } else { &theirs };
        parts.get(at).copied().flatten().map_or(String::new(), |part| format!("{} {}", part.side, part.name))
    };
    let in_words = |rig: &Rig, at: usize| {
        let words = words(&name(rig, at)).join(" ");
        Some(format!("{words} {}", part(rig, at))).filter(|_| !words.is_empty())
    };
    found.by(from, to, Likeness::Words, in_words);
    for series in ["spine", "neck"] {
        found.in_series(from, to, &own, &theirs, series);
    }
    let by_part: HashMap<Part, usize> =
        theirs.iter().enumerate().filter_map(|(at, part)| Some(((*part)?, at))).collect();
    for (at, part) in own.iter().enumerate().filter_map(|(at, part)| Some((at, (*part)?))) {
        if !["spine", "neck"].contains(&part.name)
            && let Some(&other) = by_part.get(&part)
        {
            found.put(at, other, Likeness::Part(part));
        }
    }
    found.of
}

struct Proposal {
    of: Vec<Option<(usize, Likeness)>>,
    taken: HashSet<usize>,
}

impl Proposal {
    /// Takes a pair, if both are free.
    fn put(&mut self, own: usize, other: usize, why: Likeness) {
        if let Some(slot @ None) = self.of.get_mut(own)
            && self.taken.insert(other)
        {
            *slot = Some((other, why));
        }
    }

    /// Pairs those whose keys are the same: of several the one nearest to a root.
    fn by(&mut self, from: &Rig, to: &Rig, why: Likeness, key: impl Fn(&Rig, usize) -> Option<String>) {
        let mut others: HashMap<String, usize> = HashMap::new();
        for &at in to.parents_first().iter().filter(|at| !self.taken.contains(at)) {
            if let Some(key) = key(to, at) {
                others.entry(key).or_insert(at);
            }
        }
        for &at in from.parents_first() {
            if let Some(&other) = key(from, at).and_then(|key| others.get(&key)) {
                self.put(at, other, why);
            }
        }
    }

    /// Pairs joints one above the other: one by one where there are as many, and else the ends; of many the last stands for one, and one for the first of many.
    fn in_series(&mut self, from: &Rig, to: &Rig, own: &[Option<Part>], theirs: &[Option<Part>], series: &str) {
        let of = |rig: &Rig, parts: &[Option<Part>]| {
            let is_in = |at: &usize| parts.get(*at).copied().flatten().is_some_and(|part| part.name == series);
            rig.parents_first().iter().copied().filter(is_in).collect::<Vec<usize>>()
        };
        let (own_series, their_series) = (of(from, own), of(to, theirs));
        let is_free = |at: &usize| self.of.get(*at).is_some_and(Option::is_none);
        if !own_series.iter().all(is_free) {
            // Some have the same names, and the others none of theirs.
            return;
        }
        let pairs: Vec<(usize, usize)> = match (own_series.as_slice(), their_series.as_slice()) {
            (own, theirs) if own.len() == theirs.len() => own.iter().copied().zip(theirs.iter().copied()).collect(),
            ([.., last], [one]) => vec![(*last, *one)],
            ([one], [first, ..]) => vec![(*one, *first)],
            ([first, .., last], [lowest, .., highest]) => vec![(*first, *lowest), (*last, *highest)],
            _ => Vec::new(),
        };
        for (one, other) in pairs {
            if let Some(part) = own.get(one).copied().flatten() {
                self.put(one, other, Likeness::Part(part));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{Joint, Trs};

    fn rig(names: &[&str]) -> Rig {
        let joint =
            |(at, name): (usize, &&str)| Joint { name: (*name).into(), parent: at.checked_sub(1), rest: Trs::IDENTITY };
        Rig::new(names.iter().enumerate().map(joint).collect())
    }

    fn pairs(from: &[&str], to: &[&str]) -> Vec<(&'static str, String)> {
        let likeness = |why: Likeness| match why {
            Likeness::Name => "name",
            Likeness::Case => "case",
            Likeness::Words => "words",
            Likeness::Part(_) => "part",
        };
        let found = propose(&rig(from), &rig(to)).into_iter();
        found.map(|pair| pair.map_or(("", String::new()), |(at, why)| (likeness(why), to[at].to_owned()))).collect()
    }

    #[test]
    fn the_surest_first() {
        let found =
            pairs(&["HEAD", "head", "a:tail", "LeftArm", "wing"], &["head", "Head", "b:tail", "upperarm_l", "fin"]);
        let wanted = [("case", "Head"), ("name", "head"), ("words", "b:tail"), ("part", "upperarm_l"), ("", "")];
        // Of names in another case the one nearest to the root that is still free.
        assert_eq!(found, wanted.map(|(why, name)| (why, name.to_owned())));
    }

    #[test]
    fn spines_of_other_lengths() {
        let name = |found: Vec<(&str, String)>| found.into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        let three = ["Spine", "Spine1", "Spine2"];
        assert_eq!(name(pairs(&three, &["spine_01", "spine_02", "spine_03"])), ["spine_01", "spine_02", "spine_03"]);
        assert_eq!(name(pairs(&three, &["spinelower", "spineupper"])), ["spinelower", "", "spineupper"]);
        assert_eq!(name(pairs(&three, &["torso"])), ["", "", "torso"]);
        assert_eq!(name(pairs(&["torso"], &["spine_01", "spine_02"])), ["spine_01"]);
        assert_eq!(name(pairs(&three, &["Spine"])), ["Spine", "", ""], "the same name is surer");
    }
}
