//! Fuzzing with one command: builds the libFuzzer binary, gives every target its seeds and its share of the time, and tells what came of it.

mod build;
mod session;

use crate::{Outcome, cargo, root, say};
use maquette_fuzz::{Target, dictionary, seeds};
use session::Session;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub const USAGE: &str = "cargo xtask fuzz [--minutes N] [--asan] [TARGET...] | --smoke | --again TARGET FILE";

/// Does what the words after `fuzz` say.
pub fn fuzz(words: &[&str]) -> Outcome {
    match words {
        ["--smoke"] => cargo(&["test", "--quiet", "--package", "maquette-fuzz"], &[]),
        ["--again", target, file] => again(by_name(target)?, Path::new(file)),
        _ => run(&Plan::from_words(words)?),
    }
}

/// What is to be run.
struct Plan {
    total: Duration,
    asan: bool,
    targets: Vec<Target>,
}

impl Plan {
    fn from_words(words: &[&str]) -> Result<Plan, String> {
        let mut plan = Plan { total: Duration::from_secs(600), asan: false, targets: Vec::new() };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "--asan" => plan.asan = true,
                "--minutes" => {
                    let minutes = words.next().and_then(|minutes| minutes.parse::<f64>().ok());
                    let total = minutes.and_then(|minutes| Duration::try_from_secs_f64(minutes * 60.0).ok());
                    plan.total = total.ok_or("--minutes wants a number")?;
                }
                word if word.starts_with('-') => return Err(format!("usage: {USAGE}")),
                name => plan.targets.push(by_name(name)?),
            }
        }
        if plan.targets.is_empty() {
            plan.targets = Target::all().collect();
        }
        Ok(plan)
    }
}

fn by_name(name: &str) -> Result<Target, String> {
    let known = || Target::all().map(Target::name).collect::<Vec<_>>().join(", ");
    Target::by_name(name).ok_or_else(|| format!("there is no target `{name}`; there are {}", known()))
}

/// Runs every target in turn; what one leaves of its share goes to those after it.
fn run(plan: &Plan) -> Outcome {
    let binary = build::build(plan.asan)?;
    say("target      executions   a second    edges  features");
    let started = Instant::now();
    let mut findings = 0;
    for (index, &target) in plan.targets.iter().enumerate() {
        let left = (plan.targets.len() - index) as u32;
        let share = plan.total.saturating_sub(started.elapsed()) / left;
        let session = Session { binary: &binary, target, folders: &Folders::fill(target)? };
        let told = session.run(share.max(Duration::from_secs(1)))?;
        say(&format!(
            "{:<10} {:>11} {:>10} {:>8} {:>9}",
            target.name(),
            told.executions,
            told.executions_a_second,
            told.edges,
            told.features
        ));
        if let Some(finding) = &told.finding {
            findings += 1;
            let file = finding.input.strip_prefix(root()).unwrap_or(&finding.input).display();
            say(&format!("  finding  {}\n  input    {file}", finding.message));
            say(&format!("  again    cargo xtask fuzz --again {} {file}", target.name()));
        }
    }
    match findings {
        0 => Ok(()),
        count => Err(format!("{count} findings")),
    }
}

/// Runs a target over one file, without libFuzzer: it panics where it did.
fn again(target: Target, file: &Path) -> Outcome {
    let bytes = std::fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let started = Instant::now();
    std::panic::catch_unwind(|| target.run(&bytes))
        .map_err(|_| format!("{} breaks {}", file.display(), target.name()))?;
    say(&format!("no finding, in {:.1?}", started.elapsed()));
    Ok(())
}

/// Where a target's files lie, all below `fuzz`.
struct Folders {
    /// What it starts from; made anew each time.
    seeds: PathBuf,
    dictionary: PathBuf,
    /// What it found worth keeping, from run to run.
    corpus: PathBuf,
    /// Inputs that are findings.
    artifacts: PathBuf,
    log: PathBuf,
}

impl Folders {
    fn fill(target: Target) -> Result<Folders, String> {
        let fuzz = root().join("fuzz");
        let made = fuzz.join("target/made").join(target.name());
        let folders = Folders {
            seeds: made.join("seeds"),
            dictionary: made.join("words.dict"),
            corpus: fuzz.join("corpus").join(target.name()),
            artifacts: fuzz.join("artifacts").join(target.name()),
            log: made.join("log"),
        };
        folders.write(target).map_err(|error| format!("cannot write below {}: {error}", fuzz.display()))?;
        Ok(folders)
    }

    fn write(&self, target: Target) -> std::io::Result<()> {
        if self.seeds.exists() {
            std::fs::remove_dir_all(&self.seeds)?;
        }
        for folder in [&self.seeds, &self.corpus, &self.artifacts] {
            std::fs::create_dir_all(folder)?;
        }
        let real = std::env::var_os("MAQUETTE_CORPUS").map_or_else(|| root().join("../shared/corpus"), PathBuf::from);
        let real = seeds::real_files(target, &real);
        for (index, seed) in seeds::of(target).into_iter().chain(real).enumerate() {
            std::fs::write(self.seeds.join(format!("{index:04}-{}", seed.name)), seed.bytes)?;
        }
        std::fs::write(&self.dictionary, dictionary::of(target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(words: &[&str]) -> Result<Vec<&'static str>, String> {
        Plan::from_words(words).map(|plan| plan.targets.into_iter().map(Target::name).collect())
    }

    #[test]
    fn all_targets_are_run_unless_some_are_named() {
        assert_eq!(names(&[]).unwrap(), Target::all().map(Target::name).collect::<Vec<_>>());
        assert_eq!(names(&["scene", "--asan", "aem"]).unwrap(), ["scene", "aem"]);
        assert!(names(&["aen"]).unwrap_err().contains("there are aem, nlm"));
        assert!(names(&["--fast"]).unwrap_err().starts_with("usage"));
    }

    #[test]
    fn minutes_are_a_number() {
        let total = |words: &[&str]| Plan::from_words(words).map(|plan| plan.total.as_secs());
        assert_eq!(total(&["--minutes", "0.5"]), Ok(30));
        for bad in [&["--minutes"][..], &["--minutes", "x"], &["--minutes", "-1"], &["--minutes", "NaN"]] {
            assert!(total(bad).unwrap_err().contains("--minutes"), "{bad:?}");
        }
    }
}
