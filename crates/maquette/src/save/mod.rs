//! Writing so that a failure or an interruption leaves what was there before.
//!
//! Bytes go to a temporary file beside the target, which then takes the target's name. Several files are all written before the first takes its
//! name. Temporary files that wait for that are on a list, so that a program about to end can take them away; nothing here listens to signals.
//! What a program that was killed left behind is taken away by a later one.

mod leftovers;
mod turn;

pub(crate) use turn::Turn;

use crate::{Error, Result};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files of this program. Whoever holds the list is the only one to make, rename or remove one.
static WAITING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn waiting() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While this lives, no file is begun and none takes its name: whoever tries waits.
pub struct Halt {
    _list: MutexGuard<'static, BTreeSet<PathBuf>>,
}

/// Removes every temporary file that this program has made and not yet given its name. For a program that is about to end: what was being
/// written fails once the [`Halt`] is gone, and files that are taking their names together do so first.
#[must_use = "without it, other threads go on writing"]
pub fn remove_temporaries() -> Halt {
    let mut list = waiting();
    for temporary in std::mem::take(&mut *list) {
        // Nothing more can be done about a temporary file that will not go.
        let _ = fs::remove_file(temporary);
    }
    Halt { _list: list }
}

/// Writes a file whole or not at all. Devices and pipes are written to directly.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_all(&[(path.to_path_buf(), bytes)])
}

/// Writes several files; if any cannot be written, none is replaced. Devices and pipes come last: what they have taken cannot be taken back.
pub fn write_all(files: &[(PathBuf, &[u8])]) -> Result<()> {
    stage(files)?.commit()
}

/// Files that are written and wait for their names, which they take together.
pub(crate) struct Group<'f> {
    staged: Vec<Staged>,
    direct: Vec<(&'f Path, PathBuf, &'f [u8])>,
}

/// Writes files beside their targets.
pub(crate) fn stage<'f>(files: &'f [(PathBuf, &'f [u8])]) -> Result<Group<'f>> {
    let mut group = Group { staged: Vec::new(), direct: Vec::new() };
    for (path, bytes) in files {
        match Target::of(path).map_err(writing(path))? {
            Target::File { place, permissions } => {
                leftovers::remove_beside(&place);
                group.staged.push(Staged::new(place, permissions, bytes).map_err(writing(path))?);
            }
            Target::Device(place) => group.direct.push((path, place, bytes)),
        }
    }
    Ok(group)
}

impl Group<'_> {
    /// Whether some of them are no files, and may keep whoever writes to them waiting.
    pub fn has_devices(&self) -> bool {
        !self.direct.is_empty()
    }

    /// Gives all of them their names.
    pub fn commit(mut self) -> Result<()> {
        for (path, place, bytes) in &self.direct {
            write_directly(place, bytes).map_err(writing(path))?;
        }
        let mut list = waiting();
        let failed =
            self.staged.iter_mut().find_map(|file| file.commit(&mut list).map_err(writing(&file.target)).err());
        // What is left of the group wants the list too.
        drop(list);
        failed.map_or(Ok(()), Err)
    }
}

/// The folder that a file lies in.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn writing(path: &Path) -> impl FnOnce(io::Error) -> Error {
    Error::io(path.display().to_string(), "write")
}

/// Where bytes go.
enum Target {
    /// A file that is there already, with its permissions, or that will be.
    File { place: PathBuf, permissions: Option<fs::Permissions> },
    /// What cannot be replaced, only written to.
    Device(PathBuf),
}

impl Target {
    fn of(path: &Path) -> io::Result<Target> {
        // A link keeps pointing where it did: what it leads to is replaced.
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        match fs::metadata(&place) {
            Ok(there) if there.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
            Ok(there) if there.is_file() => Ok(Target::File { place, permissions: Some(there.permissions()) }),
            Ok(_) => Ok(Target::Device(place)),
            Err(_) => Ok(Target::File { place, permissions: None }),
        }
    }
}

fn write_directly(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let written = OpenOptions::new().write(true).open(place).and_then(|mut device| device.write_all(bytes));
    // A reader that leaves our own output has had enough; one that leaves a file it was promised has not.
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => io::Error::other("its reader went away"),
        _ => error,
    })
}

/// A file waiting to take its name; it goes away if it never does.
struct Staged {
    temporary: PathBuf,
    target: PathBuf,
}

impl Staged {
    fn new(target: PathBuf, permissions: Option<fs::Permissions>, bytes: &[u8]) -> io::Result<Staged> {
        let (temporary, mut file) = create_temporary(&target)?;
        let staged = Staged { temporary, target };
        file.write_all(bytes)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        Ok(staged)
    }

    fn commit(&mut self, list: &mut BTreeSet<PathBuf>) -> io::Result<()> {
        fs::rename(&self.temporary, &self.target)?;
        list.remove(&self.temporary);
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if waiting().remove(&self.temporary) {
            // Nothing more can be done about a temporary file that will not go.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// A file of our own beside the target. Its name is short whatever the target's is, which may be as long as names can be.
fn create_temporary(target: &Path) -> io::Result<(PathBuf, fs::File)> {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let mut list = waiting();
    for _ in 0..100 {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let temporary = target.with_file_name(leftovers::name(std::process::id(), number));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => {
                list.insert(temporary.clone());
                return Ok((temporary, file));
            }
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "a hundred temporary files are in the way"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_every_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let [old, blocked] = ["old", "blocked"].map(|name| folder.path().join(name));
        fs::write(&old, "before").unwrap();
        fs::create_dir(&blocked).unwrap();
        assert!(write_all(&[(old.clone(), b"after"), (blocked, b"x")]).is_err());
        assert_eq!(fs::read(&old).unwrap(), b"before");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_file_is_replaced_and_keeps_its_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "before").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        write(&path, b"after").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"after");
        assert!(fs::metadata(&path).unwrap().permissions().readonly());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_to_and_links_are_followed() {
        use std::os::unix::fs::FileTypeExt;
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let folder = tempfile::tempdir().unwrap();
        let [real, link] = ["real", "link"].map(|name| folder.path().join(name));
        fs::write(&real, "before").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, b"after").unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"after");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
    #[test]
    fn the_longest_name_there_is_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n".repeat(255));
        write(&path, b"new").unwrap();
        write(&path, b"replaced").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"replaced");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    // Apple's file systems take text alone.
    #[cfg(all(unix, not(target_vendor = "apple")))]
    #[test]
    fn a_name_that_is_not_text_is_kept() {
        use std::os::unix::ffi::{OsStrExt, OsStringExt};
        let folder = tempfile::tempdir().unwrap();
        for name in [&b"caf\xe9.aem"[..], b"\xff", &[0xfe; 255]] {
            write(&folder.path().join(std::ffi::OsStr::from_bytes(name)), b"x").unwrap();
        }
        let mut names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_vec()).collect();
        names.sort();
        assert_eq!(names, [b"caf\xe9.aem".to_vec(), vec![0xfe; 255], b"\xff".to_vec()]);
    }

    #[test]
    fn temporary_files_of_others_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let theirs = |n| folder.path().join(format!(".maquette-{}-{n}.tmp", std::process::id()));
        (0..50).for_each(|n| fs::write(theirs(n), "theirs").unwrap());
        write(&folder.path().join("file"), b"x").unwrap();
        assert!((0..50).all(|n| fs::read(theirs(n)).unwrap() == b"theirs"));
    }
}
