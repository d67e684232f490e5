//! The project's chores, as `cargo xtask <chore>`.
//!
//! | chore | what it does |
//! |---|---|
//! | `ci` | everything that must hold: format, lints, tests, docs, dependencies, generated documents, packages |
//! | `deps` | fails if a crate depends upwards or sideways, a format folder names another format, or the command builds a crate in two versions |
//! | `pages` | writes the pages that are made from code: codes, losses, examples, READMEs of crates, the header for C, schemas of JSON output; with `--check`, fails if one is out of date |
//! | `fixtures` | rewrites `tests/fixtures` from the samples and faults, and what commands print in README.md and `docs/guide.md` |
//! | `capi` | builds the libraries for C and installs them with headers, pkg-config files and CMake packages: `capi --prefix DIR`; with `--check`, fails if they cannot be used so |
//! | `package` | packages every crate that is published, as for a registry, without building it again |
//! | `judge` | has the Khronos validator look at every glTF file that is written, where node and npm are there; with `--blender`, Blender |
//! | `wheel` | builds the wheel of the Python package into `target/wheels` |
//! | `python` | builds the Python package, installs it into an environment of its own and runs its tests |
//! | `blender` | makes the zip of the Blender add-on, `target/blender` |
//! | `blender-test` | runs the tests of the add-on in each Blender it is for, fetched once: some 400 MB each |
//! | `fuzz` | fuzzes every target; with `--smoke`, runs each over its seeds once |
//! | `mutants` | builds likely mistakes into a copy of the code and fails if no test notices one; a word chooses by file or description; with `--check`, fails if one no longer applies |
//! | `bench` | runs the benchmarks; `bench growth` shows how time and memory grow with what a file has most of, `bench anim` how fast clips are played, `bench clips` how fast keys are taken out of them, `bench c` how fast the library for C loads |

mod blender;
mod capi;
mod deps;
mod doc_comments;
mod fuzz;
mod header;
mod judge;
mod metadata;
mod mutants;
#[path = "../../tests/needs/mod.rs"]
mod needs;
mod pages;
mod pictures;
mod python;
mod schemas;
mod venv;

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
        ["pages" | "codes"] => pages::write(),
        ["pages" | "codes", "--check"] => pages::check(),
        ["fixtures"] => fixtures(),
        ["capi", words @ ..] => capi::capi(words),
        ["package"] => package(),
        ["judge"] => judge::khronos(),
        ["judge", "--blender"] => judge::blender(true),
        ["wheel"] => python::wheel().map(|wheel| say(&format!("made {}", wheel.display()))),
        ["python"] => python::test(),
        ["blender"] => blender::zip(),
        ["blender-test"] => blender::test_all(),
        ["fuzz", words @ ..] => fuzz::fuzz(words),
        ["mutants", words @ ..] => mutants::mutants(words),
        ["bench"] => cargo(&["bench", "--workspace"], &[]),
        ["bench", "anim"] => cargo(&["bench", "--package", "maquette-anim", "--bench", "play"], &[]),
        ["bench", "clips"] => cargo(&["bench", "--package", "maquette-motion", "--bench", "reduce"], &[]),
        ["bench", "c"] => cargo(&["bench", "--package", "libaem", "--bench", "load"], &[]),
        ["bench", "growth", words @ ..] => {
            cargo(&[&["bench", "--package", "maquette", "--bench", "growth", "--"], words].concat(), &[])
        }
        _ => Err("usage: cargo xtask ci | deps | pages [--check] | fixtures | capi --prefix DIR | capi --check | package | judge [--blender] | wheel | python | blender | blender-test | fuzz | mutants | bench [anim | clips | c | growth]".into()),
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
    step("pages made from code are current", pages::check)?;
    step("mutations apply", mutants::check)?;
    step("the code is formatted", || cargo(&["fmt", "--all", "--check"], &[]))?;
    step("no lint complains", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], &[]))?;
    step("the tests pass", || cargo(&["test", "--workspace"], &[]))?;
    step("the libraries for C can be installed and used", || capi::capi(&["--check"]))?;
    step("the Khronos validator has neither errors nor warnings", judge::khronos)?;
    step("Blender sees what the sources hold", || judge::blender(false))?;
    step("the Python package installs and passes its tests", python::test)?;
    step("the Blender add-on does what the library does", blender::test_one)?;
    step("the documentation builds", || {
        cargo(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])
    })?;
    step("the crates can be packaged", package)
}

/// Rewrites what is kept of the past to compare with: the fixtures, the examples, and what commands print in the documents.
fn fixtures() -> Outcome {
    [("maquette", "fixtures"), ("maquette", "creature"), ("maquette-cli", "documents")].into_iter().try_for_each(
        |(package, test)| {
            cargo(&["test", "--quiet", "--package", package, "--test", test], &[("MAQUETTE_UPDATE_FIXTURES", "1")])
        },
    )
}

/// What a registry would refuse: a dependency without a version, a README that is missing, a licence that nobody knows. Building from the packages as well
/// is `cargo package --workspace`; it takes minutes.
fn package() -> Outcome {
    let mut words: Vec<String> =
        ["package", "--quiet", "--offline", "--no-verify", "--allow-dirty"].map(String::from).into();
    for package in metadata::packages()?.iter().filter(|package| metadata::is_published(package)) {
        words.extend(["--package".into(), metadata::name(package)]);
    }
    cargo(&words.iter().map(String::as_str).collect::<Vec<_>>(), &[])
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

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

fn say(text: &str) {
    use std::io::Write;
    // Nobody is left to tell if standard error is gone.
    drop(writeln!(std::io::stderr(), "{text}"));
}
