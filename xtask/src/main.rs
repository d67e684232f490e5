//! The project's chores, as `cargo xtask <chore>`.
//!
//! | chore | what it does |
//! |---|---|
//! | `ci` | everything that must hold: format, lints, tests, docs, dependencies, generated documents |
//! | `deps` | fails if a crate depends upwards or sideways, or a format folder names another format |
//! | `codes` | writes `docs/codes.md` from the codes; with `--check`, fails if it is out of date |
//! | `fixtures` | rewrites `tests/fixtures` from the samples and faults |
//! | `judge` | has the Khronos validator look at every glTF file that is written, where node and npm are there |
//! | `fuzz` | fuzzes every target; with `--smoke`, runs each over its seeds once |
//! | `bench` | runs the benchmarks |

mod codes;
mod deps;
mod fuzz;
mod judge;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Whether a chore succeeded, or why not.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["ci"] => ci(),
        ["deps"] => deps::check(),
        ["codes"] => codes::write(),
        ["codes", "--check"] => codes::check(),
        ["fixtures"] => cargo(
            &["test", "--quiet", "--package", "maquette", "--test", "fixtures"],
            &[("MAQUETTE_UPDATE_FIXTURES", "1")],
        ),
        ["judge"] => judge::judge(),
        ["fuzz", words @ ..] => fuzz::fuzz(words),
        ["bench"] => cargo(&["bench", "--workspace"], &[]),
        _ => Err("usage: cargo xtask ci | deps | codes [--check] | fixtures | judge | fuzz | bench".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            say(&message);
            ExitCode::FAILURE
        }
    }
}

fn ci() -> Outcome {
    step("dependencies point down", deps::check)?;
    step("docs/codes.md is current", codes::check)?;
    step("the code is formatted", || cargo(&["fmt", "--all", "--check"], &[]))?;
    step("no lint complains", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[]))?;
    step("the tests pass", || cargo(&["test", "--workspace"], &[]))?;
    step("the Khronos validator has neither errors nor warnings", judge::judge)?;
    step("the documentation builds", || cargo(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")]))
}

fn step(what: &str, chore: impl FnOnce() -> Outcome) -> Outcome {
    say(&format!("== {what}"));
    chore().map_err(|why| format!("{what}: {why}"))
}

fn cargo(words: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo).args(words).envs(variables.iter().copied()).current_dir(root()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo {} ended with {status}", words.join(" "))),
        Err(error) => Err(format!("cargo {} did not start: {error}", words.join(" "))),
    }
}

/// The workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

fn say(text: &str) {
    use std::io::Write;
    // Nobody is left to tell if standard error is gone.
    drop(writeln!(std::io::stderr(), "{text}"));
}
