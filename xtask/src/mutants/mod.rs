//! Mutation testing by a list: each mutation is a small, likely mistake, and some test must notice it.
//!
//! Every mutation of everything would take a day. The list has those that would hurt: a sign, an axis, a width at its limit, a loss that is not
//! told. One that no test notices has survived, and wants a test, or a sentence that says why none can see it.

mod list;
mod tree;
mod trial;

use crate::{Outcome, root, say};
use list::{Group, Mutation};
use std::collections::BTreeMap;
use std::time::Instant;
use tree::Tree;
use trial::{Trial, Verdict};

pub const USAGE: &str = "cargo xtask mutants [FILTER] | --check";

/// Does what the words after `mutants` say.
pub fn mutants(words: &[&str]) -> Outcome {
    match words {
        ["--check"] => check(),
        [] => run(""),
        [filter] if !filter.starts_with('-') => run(filter),
        _ => Err(format!("usage: {USAGE}")),
    }
}

/// Fails if a mutation no longer applies, so that the list cannot rot.
pub fn check() -> Outcome {
    let problems: Vec<String> = mutations("").filter_map(|(group, mutation)| mutated(group, mutation).err()).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// The mutations whose file or description contains the filter.
fn mutations(filter: &str) -> impl Iterator<Item = (&'static Group, &'static Mutation)> {
    let all = list::GROUPS.iter().flat_map(|group| group.mutations.iter().map(move |mutation| (group, mutation)));
    all.filter(move |(group, mutation)| group.path(mutation).contains(filter) || mutation.what.contains(filter))
}

/// The text of the file with the mutation in it.
fn mutated(group: &Group, mutation: &Mutation) -> Result<String, String> {
    let path = group.path(mutation);
    let text = std::fs::read_to_string(root().join(&path)).map_err(|error| format!("{path}: {error}"))?;
    match text.matches(mutation.from).count() {
        1 => Ok(text.replace(mutation.from, mutation.to)),
        count => Err(format!("{path}: {}: {:?} is there {count} times instead of once", mutation.what, mutation.from)),
    }
}

/// Tries every mutation of the filter in a copy of the workspace.
fn run(filter: &str) -> Outcome {
    check()?;
    let tree = Tree::of_workspace()?;
    let mut sound: BTreeMap<&[&str], Trial> = BTreeMap::new();
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut wanting = Vec::new();
    for (group, mutation) in mutations(filter) {
        if !sound.contains_key(group.tests) {
            sound.insert(group.tests, Trial::of_sound_code(&tree, group.tests)?);
        }
        let Some(trial) = sound.get(group.tests) else { continue };
        let (path, start) = (group.path(mutation), Instant::now());
        let verdict = tree.with(&path, &mutated(group, mutation)?, || trial.judge(&tree))??;
        let line = format!("{verdict} {:4.0} s  {path}: {}", start.elapsed().as_secs_f32(), mutation.what);
        match (verdict, mutation.unseen) {
            (Verdict::Survived, Some(why)) => say(&format!("{line} ({why})")),
            (Verdict::Survived | Verdict::DoesNotBuild, _) => {
                say(&line);
                wanting.push(line);
            }
            (Verdict::Caught, Some(_)) => {
                say(&line);
                wanting.push(format!("{line}: a test sees it, although the list says that none can"));
            }
            (Verdict::Caught, None) => say(&format!("{line}{}", noticed_by(&trial::failures(&tree)))),
        }
        *counts.entry(verdict).or_default() += 1;
    }
    let summary: Vec<String> = counts.iter().map(|(verdict, count)| format!("{count} {}", verdict.word())).collect();
    say(&format!("== {}", if summary.is_empty() { "no mutation of that name".into() } else { summary.join(", ") }));
    if wanting.is_empty() { Ok(()) } else { Err(wanting.join("\n")) }
}

/// Who noticed, in words; one test alone is worth knowing before it is changed.
fn noticed_by(failures: &[String]) -> String {
    match failures {
        [] => String::new(),
        [one] => format!(" (by {one})"),
        [first, others @ ..] => format!(" (by {first} and {} more)", others.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutation_applies_and_changes_something() {
        assert_eq!(check(), Ok(()));
        assert!(mutations("").all(|(_, mutation)| mutation.from != mutation.to));
    }

    #[test]
    fn a_filter_looks_at_files_and_descriptions() {
        assert!(mutations("aem/mips.rs").count() > 0);
        assert!(mutations("aem/mips.rs").all(|(group, mutation)| group.path(mutation).ends_with("aem/mips.rs")));
        assert_eq!(mutations("no such thing").count(), 0);
    }
}
