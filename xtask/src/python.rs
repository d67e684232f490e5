//! The Python package: its wheel, and its tests.

use crate::venv::{Venv, run, show};
use crate::{Outcome, needs, root};
use std::path::{Path, PathBuf};

/// What builds wheels.
pub const BUILD: [&str; 1] = ["maturin==1.16.*"];
/// What the tests need.
const TEST: [&str; 4] = ["maturin==1.16.*", "mypy==1.19.*", "numpy", "pytest==8.*"];

/// Builds the wheel that people install, into `target/wheels`, and tells where it is.
pub fn wheel() -> Result<PathBuf, String> {
    let venv = Venv::with(&root().join("target/venv/build"), &BUILD)?;
    build(&venv, "python", &root().join("target/wheels"))
}

/// Builds the wheel with this profile; the newest of the folder is the one.
fn build(venv: &Venv, profile: &str, folder: &Path) -> Result<PathBuf, String> {
    std::fs::remove_dir_all(folder).ok();
    let mut maturin = venv.command();
    maturin.args(["-m", "maturin", "build", "--quiet", "--profile", profile, "--out"]).arg(folder);
    show(maturin.current_dir(package()))?;
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let wheels = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut wheels = wheels.filter(|path| path.extension().is_some_and(|ending| ending == "whl"));
    wheels.next().ok_or_else(|| format!("maturin made no wheel in {}", folder.display()))
}

/// Installs the package into an environment of its own, as people do, and runs its tests, its documentation's examples and the type checker.
pub fn test() -> Outcome {
    if !needs::runs("python3") {
        return needs::lacking("there is no python3 to try the Python package with");
    }
    let venv = match test_venv() {
        Ok(venv) => venv,
        Err(why) => return needs::lacking(&format!("the Python package cannot be tried: {why}")),
    };
    let wheel = test_wheel()?;
    venv.pip(&["--force-reinstall", "--no-deps", &wheel.to_string_lossy()])?;
    show(venv.command().args(["-m", "pytest", "--quiet", "tests"]).current_dir(package()))?;
    run(venv.command().args(["-m", "mypy", "tests"]).current_dir(package()))?;
    run(venv
        .command()
        .args(["-m", "mypy.stubtest", "maquette._maquette", "maquette.clip", "--ignore-missing-stub"])
        .current_dir(package()))
}

/// A wheel for tests, which is built faster than what people install and runs slower.
pub fn test_wheel() -> Result<PathBuf, String> {
    build(&test_venv()?, "dev", &root().join("target/venv/wheels"))
}

fn test_venv() -> Result<Venv, String> {
    Venv::with(&root().join("target/venv/test"), &TEST)
}

/// The folder of the package.
fn package() -> PathBuf {
    root().join("crates/maquette-python")
}
