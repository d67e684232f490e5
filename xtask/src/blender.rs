//! The Blender add-on: the zip that "Install from Disk" takes, and its tests in real Blenders.

use crate::venv::{Venv, run, show};
use crate::{Outcome, judge, needs, python, root, say};
use std::path::Path;

/// The Blenders that the add-on is for, as the package index has them; each is some 400 MB.
const VERSIONS: [&str; 3] = ["4.2", "4.5", "5.0"];
/// The one that judges in CI, which is there for the glTF files already.
const IN_CI: &str = "4.5";
/// What the tests need besides.
const TEST: &str = "pytest==8.*";

/// Makes the zip, with the wheel that people install.
pub fn zip() -> Outcome {
    let wheel = python::wheel()?;
    let folder = root().join("target/blender");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let name = format!("maquette-blender-{}.zip", env!("CARGO_PKG_VERSION"));
    let venv = Venv::with(&root().join("target/venv/build"), &python::BUILD)?;
    let script = root().join("integrations/blender/build.py");
    show(venv.command().arg(script).arg("--wheel").arg(wheel).arg("--out").arg(folder.join(name)))
}

/// Runs the tests in every Blender that can be had.
pub fn test_all() -> Outcome {
    VERSIONS.into_iter().try_for_each(|version| {
        say(&format!("Blender {version}"));
        let name = if version == IN_CI { "blender".to_owned() } else { format!("blender-{version}") };
        test(&root().join("target/judge").join(name), version)
    })
}

/// Runs the tests in the one Blender that judges everything else, or says why not.
pub fn test_one() -> Outcome {
    let folder = root().join("target/judge/blender");
    match judge::get_blender(&folder, needs::is_ci()) {
        Ok(_) => test(&folder, IN_CI),
        Err(why) => needs::lacking(&why),
    }
}

fn test(folder: &Path, version: &str) -> Outcome {
    let blender = format!("bpy=={version}.*");
    let venv = match Venv::with(folder, &[&blender]) {
        Ok(venv) => venv,
        Err(why) => return needs::lacking(&format!("there is no Blender {version}: {why}")),
    };
    venv.pip(&[TEST])?;
    let wheel = python::test_wheel()?;
    let wheel = wheel.to_string_lossy();
    venv.pip(&["--force-reinstall", "--no-deps", &wheel])?;
    run(venv.command().args(["-c", "import bpy, maquette"]))?;
    let mut tests = venv.command();
    tests.args(["-m", "pytest", "--quiet", "integrations/blender/tests"]).env("MAQUETTE_WHEEL", &*wheel);
    show(tests.current_dir(root()))
}
