//! A copy of the workspace to break things in, kept between runs with what was built of it.

use crate::root;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The copy in `target/mutants/tree`; nothing outside it is written to.
pub struct Tree {
    root: PathBuf,
}

impl Tree {
    /// Makes the copy what the workspace is, but for files of another text. What is the same is not touched, so that nothing is built again for it.
    pub fn of_workspace(changed: &BTreeMap<String, String>) -> Result<Tree, String> {
        let tree = Tree { root: root().join("target/mutants/tree") };
        let wanted = sources()?;
        for path in &wanted {
            let text = path.to_str().and_then(|path| changed.get(path));
            tree.put(path, text.map(String::as_bytes))?;
        }
        for path in files_below(&tree.root)? {
            if !wanted.contains(path.strip_prefix(&tree.root).unwrap_or(&path)) {
                std::fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        Ok(tree)
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where what is built of it goes.
    pub fn target_dir(&self) -> PathBuf {
        self.root.with_file_name("target")
    }

    /// Gives a file these bytes, or those that it has in the workspace.
    fn put(&self, path: &Path, bytes: Option<&[u8]>) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let bytes =
            bytes.map_or_else(|| std::fs::read(root().join(path)), |bytes| Ok(bytes.to_vec())).map_err(failed)?;
        let copy = self.root.join(path);
        if std::fs::read(&copy).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        std::fs::create_dir_all(copy.parent().unwrap_or(&self.root)).map_err(failed)?;
        std::fs::write(copy, bytes).map_err(failed)
    }
}

/// The files of the workspace that git knows or would take.
fn sources() -> Result<BTreeSet<PathBuf>, String> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .map_err(|error| format!("git did not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let names = String::from_utf8(output.stdout).map_err(|error| format!("git ls-files: {error}"))?;
    let paths = names.split_terminator('\0').map(PathBuf::from);
    // Git still knows a file that has been deleted and not committed.
    Ok(paths.filter(|path| root().join(path).is_file()).collect())
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() { files.extend(files_below(&path)?) } else { files.push(path) }
    }
    Ok(files)
}
