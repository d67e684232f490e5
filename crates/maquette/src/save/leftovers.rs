//! Temporary files of programs that were killed, and could not take them away themselves.
//!
//! One goes only if it is certain that nobody wants it: its name says which process made it, that process is gone, and it was last written to a day
//! ago or longer. The age is for what the number of a process does not tell: the folder may be that of another machine or container, where a
//! process of this number lives. Where there is no `/proc` to ask, everything stays.

use super::folder_of;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// No program takes that long from the first byte of a file to its name.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// The name of a temporary file of a process.
pub(super) fn name(process: u32, number: usize) -> String {
    format!(".maquette-{process}-{number}.tmp")
}

/// The process that made a file of this name.
fn process_of(name: &str) -> Option<u32> {
    let (process, number) = name.strip_prefix(".maquette-")?.strip_suffix(".tmp")?.split_once('-')?;
    number.parse::<usize>().ok()?;
    process.parse().ok()
}

/// Removes what was left in the folder of a file that is to be written. Each folder is looked at once.
pub(super) fn remove_beside(file: &Path) {
    static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let folder = folder_of(file);
    if SEEN.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_path_buf()) {
        remove_in(folder, is_gone);
    }
}

fn remove_in(folder: &Path, is_gone: impl Fn(u32) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let process = entry.file_name().to_str().and_then(process_of);
        if process.is_some_and(&is_gone) && is_old_file(&entry) {
            // What will not go stays, as it did before.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_old_file(entry: &fs::DirEntry) -> bool {
    // Of the entry itself: links are not followed.
    let Ok(metadata) = entry.metadata() else { return false };
    let age = metadata.modified().ok().and_then(|written| written.elapsed().ok());
    metadata.is_file() && age.is_some_and(|age| age >= OLD)
}

/// Whether no process has this number, as far as can be told.
fn is_gone(process: u32) -> bool {
    let all = Path::new("/proc");
    all.join("self").exists() && !all.join(process.to_string()).exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn file(folder: &Path, name: &str, age: Duration) {
        let file = fs::File::create(folder.join(name)).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_old_and_nobodys_goes_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        file(at, ".maquette-7-0.tmp", 2 * OLD);
        file(at, ".maquette-7-12.tmp", 2 * OLD);
        let kept = [
            // Of a process that lives; young; from the future.
            ".maquette-8-0.tmp",
            ".maquette-7-1.tmp",
            // Named by somebody else.
            ".maquette-7-x.tmp",
            ".maquette--7-0.tmp",
            ".maquette-99999999999-0.tmp",
            ".maquette-7-0.tmp.bak",
            "maquette-7-0.tmp",
        ];
        for name in kept {
            file(at, name, if name == kept[1] { Duration::ZERO } else { 2 * OLD });
        }
        fs::create_dir(at.join(".maquette-7-2.tmp")).unwrap();
        remove_in(at, |process| process == 7);
        let mut expected = [&kept[..], &[".maquette-7-2.tmp"]].concat();
        expected.sort_unstable();
        assert_eq!(names(at), expected);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_living_are_known() {
        assert!(!is_gone(std::process::id()));
        // More than Linux ever numbers.
        assert!(is_gone(1 << 30));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn writing_into_a_folder_takes_leftovers_away() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        file(at, &name(1 << 30, 0), 2 * OLD);
        file(at, &name(std::process::id(), 9999), 2 * OLD);
        super::super::write(&at.join("model"), b"x").unwrap();
        assert_eq!(names(at), [name(std::process::id(), 9999), "model".to_owned()]);
    }
}
