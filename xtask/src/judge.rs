//! Programs of others that judge what is written: gets them, once, and runs the tests that need them.
//!
//! Where one cannot be had, it is said and the rest goes on, since the build needs nothing but Rust. In CI that is a failure.

use crate::venv::{Venv, run};
use crate::{Outcome, cargo, needs, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The validator, in the one version whose word counts.
const VALIDATOR: &str = "gltf-validator@2.0.0-dev.3.10";

/// Blender, in the one version whose word counts, and what it needs.
const BLENDER: [&str; 1] = ["bpy==4.5.*"];

/// The validator judges everything, or it is said why not.
pub fn khronos() -> Outcome {
    let folder = root().join("target/judge");
    if let Err(why) = get_validator(&folder) {
        return needs::lacking(&why);
    }
    let scenes = folder.join("scenes");
    std::fs::remove_dir_all(&scenes).ok();
    ask("maquette-formats", &["--lib"], "gltf::write::tests::judged", "MAQUETTE_JUDGE_SCENES", &scenes)?;
    ask("maquette", &["--test", "judge"], "the_validator", "MAQUETTE_JUDGE", &folder)
}

/// Blender judges, or it is said why not. It is fetched where that was asked for, and in CI.
pub fn blender(fetch: bool) -> Outcome {
    let folder = root().join("target/judge/blender");
    match get_blender(&folder, fetch || needs::is_ci()) {
        Ok(python) => ask("maquette", &["--test", "judge"], "blender_sees", "MAQUETTE_BLENDER", &python),
        Err(why) => needs::lacking(&why),
    }
}

/// Runs a test that needs a judge.
fn ask(package: &str, target: &[&str], test: &str, variable: &str, value: &Path) -> Outcome {
    let words = [&["test", "--quiet", "--package", package], target, &[test, "--", "--ignored", "--nocapture"]];
    cargo(&words.concat(), &[(variable, &value.to_string_lossy())])
}

/// A Python that has Blender: the one that `MAQUETTE_BLENDER` names, or one of its own in this folder.
pub fn get_blender(folder: &Path, fetch: bool) -> Result<PathBuf, String> {
    let own = folder.join("bin/python");
    let has_blender = |python: &PathBuf| run(Command::new(python).args(["-c", "import bpy"])).is_ok();
    let known = std::env::var_os("MAQUETTE_BLENDER").map(PathBuf::from);
    if let Some(python) = known.into_iter().chain([own.clone()]).find(has_blender) {
        return Ok(python);
    }
    if !fetch {
        return Err("there is no Blender; cargo xtask judge --blender fetches it, some 400 MB".into());
    }
    let venv = Venv::with(folder, &BLENDER)?;
    run(venv.command().args(["-c", "import bpy"]))?;
    Ok(own)
}

/// Installs the validator unless it is there; why not, if it cannot be had.
fn get_validator(folder: &Path) -> Outcome {
    if !needs::runs("node") {
        return Err("there is no node to run the Khronos validator".into());
    }
    let name = VALIDATOR.split('@').next().unwrap_or(VALIDATOR);
    if folder.join("node_modules").join(name).is_dir() {
        return Ok(());
    }
    if !needs::runs("npm") {
        return Err("there is no npm to get the Khronos validator".into());
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let words = ["install", "--no-save", "--no-audit", "--no-fund", "--fetch-retries", "1", "--prefix"];
    run(Command::new("npm").args(words).arg(folder).arg(VALIDATOR))
}
