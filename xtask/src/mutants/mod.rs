//! Mutation testing by a list: each mutation is a small, likely mistake, and some test must notice it.
//!
//! Every mutation of everything would take a day, and a build for each of a list an hour. So the list has those that would hurt (a sign, an
//! axis, a width at its limit, a loss that is not told), and all of them are built into one copy of the code, where a variable of the environment
//! switches one on: after one build, a mutation costs the time of the tests that should notice it. One that no test notices has survived, and
//! wants a test, or a sentence that says why none can see it.

mod list;
mod switch;
mod tree;
mod trial;

use crate::{Outcome, root, say};
use list::{Group, Mutation};
use std::collections::BTreeMap;
use std::time::Instant;
use switch::Numbered;
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
    switched_files().map(drop)
}

/// All mutations, numbered from 1.
fn mutations() -> impl Iterator<Item = (&'static Group, Numbered)> {
    let all = list::GROUPS.iter().flat_map(|group| group.mutations.iter().map(move |mutation| (group, mutation)));
    all.zip(1..).map(|((group, mutation), number)| (group, Numbered { number, mutation }))
}

/// The files that have mutations, with all of theirs in them, switched off.
fn switched_files() -> Result<BTreeMap<String, String>, String> {
    let mut by_file: BTreeMap<String, Vec<Numbered>> = BTreeMap::new();
    for (group, mutation) in mutations() {
        by_file.entry(group.path(mutation.mutation)).or_default().push(mutation);
    }
    let switched = |(path, mutations): (String, Vec<Numbered>)| {
        let text = std::fs::read_to_string(root().join(&path)).map_err(|error| format!("{path}: {error}"))?;
        let text = switch::all_into(&text, &mutations).map_err(|problem| format!("{path}: {problem}"))?;
        Ok((path, text))
    };
    by_file.into_iter().map(switched).collect()
}

/// Switches on every mutation whose file or description contains the filter, one after the other.
fn run(filter: &str) -> Outcome {
    let tree = Tree::of_workspace(&switched_files()?)?;
    let mut trials: BTreeMap<&[&str], Trial> = BTreeMap::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wanting = Vec::new();
    for (group, Numbered { number, mutation }) in mutations() {
        let path = group.path(mutation);
        if !path.contains(filter) && !mutation.what.contains(filter) {
            continue;
        }
        if !trials.contains_key(group.tests) {
            trials.insert(group.tests, Trial::new(&tree, group.tests)?);
        }
        let Some(trial) = trials.get(group.tests) else { continue };
        let start = Instant::now();
        let verdict = trial.judge(number)?;
        *counts.entry(verdict.word()).or_default() += 1;
        let line = format!(
            "{:8} {:4.1} s  {path}: {}{}",
            verdict.word(),
            start.elapsed().as_secs_f32(),
            mutation.what,
            aside(&verdict, mutation)
        );
        say(&line);
        if matches!(verdict, Verdict::Survived) != mutation.unseen.is_some() {
            wanting.push(line);
        }
    }
    let summary: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    say(&format!("== {}", if summary.is_empty() { "no mutation of that name".into() } else { summary.join(", ") }));
    if wanting.is_empty() { Ok(()) } else { Err(format!("not as the list says:\n{}", wanting.join("\n"))) }
}

/// Who noticed, or why nobody could. One test alone is worth knowing before it is changed.
fn aside(verdict: &Verdict, mutation: &Mutation) -> String {
    match (verdict, mutation.unseen) {
        (Verdict::Survived, Some(why)) => format!(" (no test can see it: {why})"),
        (Verdict::Survived, None) => String::new(),
        (Verdict::Caught(tests), _) => match tests.as_slice() {
            [] => String::new(),
            [one] => format!(" (by {one})"),
            [first, others @ ..] => format!(" (by {first} and {} more)", others.len()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutation_applies() {
        assert_eq!(check(), Ok(()));
        assert!(mutations().all(|(_, it)| it.mutation.from != it.mutation.to));
    }
}
