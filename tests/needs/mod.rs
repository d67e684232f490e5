//! What tests need besides Rust, and what becomes of them where it is missing: in CI they fail, elsewhere they are skipped and say so.
//!
//! Used by the tests of several crates and by `xtask`, each by its path, so that one place decides.

#![allow(dead_code, reason = "not every test needs all of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Whether this is CI, where everything has to be there.
pub fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}

/// Why something cannot be done: an error in CI; a word to whoever is listening elsewhere.
pub fn lacking(why: &str) -> Result<(), String> {
    use std::io::Write;
    if is_ci() {
        return Err(format!("{why}; in CI it must be there"));
    }
    // Nobody is left to tell if standard error is gone.
    drop(writeln!(std::io::stderr(), "skipped: {why}"));
    Ok(())
}

/// The folder of real files: the one that `MAQUETTE_CORPUS` names, or the one beside the project.
pub fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find_map(|folder| {
        let folder = folder.join("../shared/corpus");
        folder.is_dir().then_some(folder)
    });
    let folder = std::env::var_os("MAQUETTE_CORPUS").map(PathBuf::from).or(beside);
    let there = folder.filter(|folder| std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()));
    if there.is_none() {
        must(lacking("there are no real files, neither in ../shared/corpus nor where MAQUETTE_CORPUS says"));
    }
    there
}

/// The interpreter of Python, if there is one.
pub fn python() -> Option<&'static str> {
    program("python3")
}

/// A program that judges or builds, if it is there.
pub fn program(name: &'static str) -> Option<&'static str> {
    let found = runs(name).then_some(name);
    if found.is_none() {
        must(lacking(&format!("there is no {name}")));
    }
    found
}

/// Whether a program is there.
pub fn runs(program: &str) -> bool {
    let status = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[track_caller]
fn must(outcome: Result<(), String>) {
    assert_eq!(outcome, Ok(()));
}
