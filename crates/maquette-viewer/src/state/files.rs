//! Files to open: the ones opened lately, and the neighbours of the one that is open.

use maquette::formats::format::BUILT_IN;
use std::path::{Path, PathBuf};

/// How many are remembered.
const REMEMBERED: usize = 16;

/// Files that were opened lately, the last first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recent(Vec<PathBuf>);

impl Recent {
    /// From what was remembered.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>) -> Recent {
        Recent(paths.into_iter().take(REMEMBERED).collect())
    }

    /// Puts a file first.
    pub fn add(&mut self, path: &Path) {
        self.0.retain(|there| there != path);
        self.0.insert(0, path.to_path_buf());
        self.0.truncate(REMEMBERED);
    }

    /// The last one first.
    pub fn iter(&self) -> impl Iterator<Item = &PathBuf> {
        self.0.iter()
    }
}

/// Every ending that a format has.
pub fn endings() -> Vec<&'static str> {
    BUILT_IN.iter().flat_map(|format| format.extensions.iter().copied()).collect()
}

/// Whether the name of a file says that it may be opened.
pub fn may_be_opened(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    ending.is_some_and(|ending| endings().contains(&ending.as_str()))
}

/// The next file of a folder that may be opened, in the order of names; around at the end.
pub fn neighbour(path: &Path, steps: isize) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| may_be_opened(path) && path.is_file()).collect();
    files.sort();
    let here = files.iter().position(|file| file.file_name() == path.file_name());
    let count = files.len() as isize;
    let next = match here {
        Some(here) => (here as isize + steps).rem_euclid(count.max(1)),
        None => 0,
    };
    files.into_iter().nth(next as usize).filter(|file| file.file_name() != path.file_name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_remembered_once_and_only_some_are() {
        let mut recent = Recent::default();
        for name in 0..40 {
            recent.add(Path::new(&format!("{name}.glb")));
        }
        recent.add(Path::new("30.glb"));
        let names: Vec<_> = recent.iter().collect();
        assert_eq!(names.len(), REMEMBERED);
        assert_eq!((names[0], names[1]), (&PathBuf::from("30.glb"), &PathBuf::from("39.glb")));
        assert_eq!(names.iter().filter(|name| name.ends_with("30.glb")).count(), 1);
    }

    #[test]
    fn neighbours_are_models_and_go_round() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.glb", "a.aem", "c.seanim", "notes.txt", "d.GLB"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let next = |name: &str, steps| {
            neighbour(&folder.path().join(name), steps).map(|path| path.file_name().unwrap().to_owned())
        };
        assert_eq!(next("a.aem", 1).unwrap(), "b.glb");
        assert_eq!(next("a.aem", -1).unwrap(), "d.GLB");
        assert_eq!(next("d.GLB", 1).unwrap(), "a.aem");
        assert_eq!(next("gone.glb", 1).unwrap(), "a.aem");
        assert_eq!(neighbour(Path::new("no-such-folder/a.glb"), 1), None);
    }
}
