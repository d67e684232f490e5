//! The direction of dependencies: down the list of crates, never up or sideways; no format folder names another; and no crate is built twice.

use crate::metadata::{self, list, name};
use crate::{Outcome, root};
use maquette::formats::format::BUILT_IN;
use serde_json::Value;
use std::path::Path;

/// For each crate of the workspace, the crates of the workspace it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("maquette-scene", &[]),
    ("maquette-texture", &[]),
    ("maquette-anim", &["maquette-scene"]),
    ("maquette-motion", &["maquette-scene"]),
    ("maquette-render", &["maquette-anim", "maquette-scene", "maquette-texture"]),
    ("maquette-gpu", &["maquette-render", "maquette-scene", "maquette-texture"]),
    ("maquette-gltf", &[]),
    ("maquette-formats", &["maquette-gltf", "maquette-motion", "maquette-scene"]),
    ("maquette", &["maquette-anim", "maquette-formats", "maquette-motion", "maquette-scene", "maquette-texture"]),
    ("maquette-capi", &["maquette", "maquette-anim"]),
    ("libaem", &["maquette-anim", "maquette-formats", "maquette-scene"]),
    ("maquette-terminal", &[]),
    ("maquette-cli", &["maquette", "maquette-render", "maquette-terminal"]),
    ("maquette-python", &["maquette", "maquette-cli", "maquette-render", "maquette-texture"]),
    ("maquette-viewer", &["maquette", "maquette-anim", "maquette-gpu", "maquette-render", "maquette-texture"]),
    ("maquette-fuzz", &["maquette", "maquette-render"]),
    ("xtask", &["maquette", "maquette-fuzz", "maquette-render"]),
];

/// Fails on the first arrow that points the wrong way, and on a crate that the command takes in two versions.
pub fn check() -> Outcome {
    crates()?;
    format_folders()?;
    once()
}

/// A crate in two versions is seconds of every first build. `Cargo.lock` holds those versions of crates that agree with each other.
fn once() -> Outcome {
    let words = ["tree", "--package", "maquette-cli", "--edges", "normal,build", "--duplicates", "--depth", "0"];
    match metadata::cargo(&words)?.trim() {
        "" => Ok(()),
        twice => {
            Err(format!("crates are built twice; `cargo update --precise` can choose versions that agree: {twice}"))
        }
    }
}

fn crates() -> Outcome {
    let packages = metadata::packages()?;
    let ours: Vec<String> = packages.iter().map(name).collect();
    for package in &packages {
        let user = name(package);
        let (_, may_use) = MAY_USE
            .iter()
            .find(|(known, _)| *known == user)
            .ok_or_else(|| format!("{user} has no place in the order of crates; give it one in xtask/src/deps.rs"))?;
        // What only tests and examples use may point anywhere.
        let is_dev = |dependency: &&Value| dependency.get("kind").and_then(Value::as_str) == Some("dev");
        for used in list(package, "dependencies").iter().filter(|used| !is_dev(used)).map(name) {
            if ours.contains(&used) && !may_use.contains(&used.as_str()) {
                return Err(format!("{user} may not depend on {used}"));
            }
        }
    }
    Ok(())
}

fn format_folders() -> Outcome {
    let formats = root().join("crates/maquette-formats/src");
    for format in BUILT_IN {
        for file in sources(&formats.join(format.id)) {
            let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            let others = BUILT_IN.iter().filter(|other| other.id != format.id);
            for other in others {
                let named = [format!("crate::{}::", other.id), format!("super::super::{}", other.id)];
                if named.iter().any(|path| text.contains(path)) {
                    return Err(format!("{} names the format {}", file.display(), other.id));
                }
            }
        }
    }
    Ok(())
}

fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}
