//! Virtual environments of Python in `target`, made once and kept.

use crate::{Outcome, needs};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A Python of our own, with what was asked for installed.
pub struct Venv {
    folder: PathBuf,
}

impl Venv {
    /// The environment of this folder with these packages, from the package index. What they are is written down beside them, so that they are installed again only when they change.
    pub fn with(folder: &Path, packages: &[&str]) -> Result<Venv, String> {
        let venv = Venv { folder: folder.to_path_buf() };
        let (stamp, wanted) = (folder.join("packages.txt"), packages.join("\n"));
        if std::fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) && needs::runs(&venv.python()) {
            return Ok(venv);
        }
        run(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
        venv.pip(packages)?;
        std::fs::write(&stamp, wanted).map_err(|error| format!("cannot write {}: {error}", stamp.display()))?;
        Ok(venv)
    }

    /// Installs what `pip install` is told.
    pub fn pip(&self, words: &[&str]) -> Outcome {
        run(Command::new(self.python())
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(words))
    }

    /// Its interpreter.
    pub fn python(&self) -> String {
        let program = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
        self.folder.join(program).to_string_lossy().into_owned()
    }

    /// The interpreter, to run something with.
    pub fn command(&self) -> Command {
        let mut command = Command::new(self.python());
        command.env("VIRTUAL_ENV", &self.folder);
        command
    }
}

/// Runs a program to its end; what it says matters only if it fails.
pub fn run(command: &mut Command) -> Outcome {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!(
            "{program}: {}",
            [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).trim().to_owned()).join("\n")
        )),
        Err(error) => Err(format!("{program} did not start: {error}")),
    }
}

/// Runs a program that speaks for itself.
pub fn show(command: &mut Command) -> Outcome {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} ended with {status}")),
        Err(error) => Err(format!("{program} did not start: {error}")),
    }
}
