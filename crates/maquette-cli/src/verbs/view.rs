//! `maquette view`: starts the window, a program of its own, so that the command builds without one.

use crate::Verdict;
use crate::args::ViewArgs;
use maquette::{Error, Result};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

const VIEWER: &str = "maquette-viewer";

pub fn run(args: &ViewArgs) -> Result<Verdict> {
    // Better said here than in a window: a name that was mistyped.
    for file in &args.files {
        std::fs::metadata(file).map_err(Error::io(file.display().to_string(), "read"))?;
    }
    let viewer = installed(std::env::current_exe().ok().as_deref(), std::env::var_os("PATH").as_deref())
        .ok_or_else(|| Error::Usage(format!("the window is a program of its own, {VIEWER}, which is not installed: `cargo install --path crates/{VIEWER}` does that; `maquette render` makes pictures without it")))?;
    let status = Command::new(&viewer).args(&args.files).status();
    let status = status.map_err(Error::io(viewer.display().to_string(), "start"))?;
    Ok(verdict(status))
}

/// The viewer beside the command, or else on the path.
fn installed(command: Option<&Path>, path: Option<&OsStr>) -> Option<PathBuf> {
    let name = format!("{VIEWER}{}", std::env::consts::EXE_SUFFIX);
    let beside = command.and_then(Path::parent).map(Path::to_path_buf);
    let folders = beside.into_iter().chain(path.into_iter().flat_map(std::env::split_paths));
    folders.map(|folder| folder.join(&name)).find(|file| file.is_file())
}

/// The viewer has said what went wrong.
fn verdict(status: ExitStatus) -> Verdict {
    if status.success() { Verdict::Fine } else { Verdict::Failed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_viewer_beside_the_command_comes_before_those_on_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let name = format!("{VIEWER}{}", std::env::consts::EXE_SUFFIX);
        let [beside, on_path] = ["a", "b"].map(|name| folder.path().join(name));
        for place in [&beside, &on_path] {
            std::fs::create_dir(place).unwrap();
        }
        let command = beside.join("maquette");
        let path = std::env::join_paths([&on_path]).unwrap();
        let found = || installed(Some(&command), Some(&path));
        assert_eq!(found(), None);
        std::fs::write(on_path.join(&name), "").unwrap();
        assert_eq!(found(), Some(on_path.join(&name)));
        std::fs::write(beside.join(&name), "").unwrap();
        assert_eq!(found(), Some(beside.join(&name)));
    }
}
