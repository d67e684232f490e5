//! The Khronos validator over every glTF file that is written: gets it, once, and runs the tests that need it.
//!
//! Where there is no node, or the registry cannot be reached, it says so and lets the rest go on: the build needs nothing but Rust.

use crate::{Outcome, cargo, root, say};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The validator, in the one version whose word counts.
const VALIDATOR: &str = "gltf-validator@2.0.0-dev.3.10";

/// Judges everything, or says why not.
pub fn judge() -> Outcome {
    let folder = root().join("target/judge");
    if let Err(why) = get(&folder) {
        say(&format!("skipped: {why}"));
        return Ok(());
    }
    let scenes = folder.join("scenes");
    std::fs::remove_dir_all(&scenes).ok();
    let run = |package: &str, target: &[&str], test: &str, variable: &str, value: &PathBuf| {
        let words = [&["test", "--quiet", "--package", package], target, &[test, "--", "--ignored", "--nocapture"]];
        cargo(&words.concat(), &[(variable, &value.to_string_lossy())])
    };
    run("maquette-formats", &["--lib"], "gltf::write::tests::judged", "MAQUETTE_JUDGE_SCENES", &scenes)?;
    run("maquette", &["--test", "judge"], "the_validator", "MAQUETTE_JUDGE", &folder)
}

/// Installs the validator unless it is there; why not, if it cannot be had.
fn get(folder: &Path) -> Outcome {
    if !runs("node") {
        return Err("there is no node to run the Khronos validator".into());
    }
    let name = VALIDATOR.split('@').next().unwrap_or(VALIDATOR);
    if folder.join("node_modules").join(name).is_dir() {
        return Ok(());
    }
    if !runs("npm") {
        return Err("there is no npm to get the Khronos validator".into());
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let words = ["install", "--no-save", "--no-audit", "--no-fund", "--fetch-retries", "1", "--prefix"];
    let output = Command::new("npm").args(words).arg(folder).arg(VALIDATOR).stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("npm cannot get {VALIDATOR}: {}", said.trim()))
        }
        Err(error) => Err(format!("npm did not start: {error}")),
    }
}

fn runs(program: &str) -> bool {
    let status = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
