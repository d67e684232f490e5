//! Writing so that a failure or an interruption leaves what was there before.
//!
//! Bytes go to a temporary file beside the target. When they have reached the disk, it takes the target's name, and the folder reaches the disk too `lasting`. Several files are all written before the first takes its
//! name. Temporary files that wait for that are on a list, so that a program about to end can take them away; nothing here listens to signals.
//!
//! Most of the time for a small file is spent waiting for the disk, which takes many files as fast as one. So the two steps can be had one by one:
//! [`Pending`] files are written, and [`Pending::finish`] may wait for them elsewhere while the next are made.
//! What a program that was killed left behind is taken away by a later one.

mod lasting;
mod leftovers;
mod picture;
mod turn;

pub use picture::{refuse_others, write_picture};

use crate::progress::{Progress, Stage};
use crate::{Error, Result};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use turn::Turn;

/// The temporary files of this program, each with the file whose name it is to take.
type Waiting = BTreeMap<PathBuf, PathBuf>;

/// Whoever holds the list is the only one to make, rename or remove a temporary file.
static WAITING: Mutex<Waiting> = Mutex::new(Waiting::new());

fn waiting() -> MutexGuard<'static, Waiting> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While this lives, no file is begun and none takes its name: whoever tries waits.
pub struct Halt {
    _list: MutexGuard<'static, Waiting>,
}

/// Removes every temporary file that this program has made and not yet given its name. For a program that is about to end: what was being
/// written fails once the [`Halt`] is gone, and files that are taking their names together do so first.
#[must_use = "without it, other threads go on writing"]
pub fn remove_temporaries() -> Halt {
    let mut list = waiting();
    for temporary in std::mem::take(&mut *list).into_keys() {
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
    let files: Vec<_> = files.iter().map(|(path, bytes)| (path.clone(), vec![*bytes])).collect();
    begin(&files, &Progress::default())?.finish()
}

/// Writes the pieces of several files, which do not take their names yet.
pub(crate) fn begin(files: &[(PathBuf, Vec<&[u8]>)], progress: &Progress) -> Result<Pending> {
    let steps = |(_, pieces): &(_, Vec<&[u8]>)| pieces.iter().map(|piece| piece.len().div_ceil(STEP)).sum::<usize>();
    let stage = progress.stage("writing megabytes", files.iter().map(steps).sum());
    let mut targets = Vec::with_capacity(files.len());
    for (path, pieces) in files {
        targets.push((path, pieces, Target::of(path).map_err(writing(path))?));
    }
    // What a device has taken cannot be taken back, so that all else is on disk before.
    let at_once = targets.iter().any(|(_, _, target)| matches!(target, Target::Device(_)));
    let (mut staged, mut direct) = (Vec::new(), Vec::new());
    for (path, pieces, target) in targets {
        match target {
            Target::File { place, permissions } => {
                leftovers::remove_beside(&place);
                staged.push(Staged::new(place, permissions, pieces, at_once, &stage).map_err(writing(path))?);
            }
            Target::Device(place) => direct.push((path, place, pieces)),
        }
    }
    for (path, place, pieces) in direct {
        write_directly(&place, pieces).map_err(writing(path))?;
    }
    let _stage = progress.stage("waiting for the disk", 0);
    let together = !at_once && files.len() > 1;
    Ok(Pending { staged, together, paths: files.iter().map(|(path, _)| path.clone()).collect() })
}

/// Files that are written and wait for the disk, and then for their names. They are gone if they are not finished.
#[must_use = "without being finished, no file takes its name"]
pub struct Pending {
    staged: Vec<Staged>,
    /// Whether others must not come in between.
    together: bool,
    paths: Vec<PathBuf>,
}

impl Pending {
    /// The files, as they were named.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Waits until they are on disk and gives all of them their names; or none, where that fails.
    pub fn finish(mut self) -> Result<()> {
        self.staged.iter_mut().try_for_each(Staged::wait)?;
        let turn = self.paths.first().filter(|_| self.together).map(|path| Turn::beside(path));
        let mut list = waiting();
        let mut failed = None;
        for file in &mut self.staged {
            failed = failed.or_else(|| file.commit(&mut list).map_err(writing(&file.target)).err());
        }
        // What is left of them wants the list too, and others need not wait for the disk.
        drop((list, turn));
        lasting::wait(self.staged.iter().map(|file| file.target.as_path()));
        failed.map_or(Ok(()), Err)
    }
}

/// Whether a file has just these bytes, or is about to have them. It is not read where its size tells.
pub(crate) fn holds(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let about_to_be = waiting().iter().find(|(_, target)| **target == place).map(|(temporary, _)| temporary.clone());
    // Where it takes its name meanwhile, it is found under that.
    let file = about_to_be.and_then(|temporary| File::open(temporary).ok());
    let mut file = file.map_or_else(|| File::open(&place), Ok)?;
    if file.metadata()?.len() != bytes.len() as u64 {
        return Ok(false);
    }
    let mut there = vec![0; STEP.min(bytes.len())];
    for expected in bytes.chunks(STEP) {
        let there = there.get_mut(..expected.len()).unwrap_or_default();
        match file.read_exact(there) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            read => read?,
        }
        if there != expected {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The folder that a file lies in.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// So much is written at once, and told as a step.
const STEP: usize = 1 << 20;

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

fn write_directly(place: &Path, pieces: &[&[u8]]) -> io::Result<()> {
    let device = OpenOptions::new().write(true).open(place);
    let written = device.and_then(|mut device| pieces.iter().try_for_each(|piece| device.write_all(piece)));
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
    permissions: Option<fs::Permissions>,
    is_on_disk: bool,
}

impl Staged {
    fn new(
        target: PathBuf,
        permissions: Option<fs::Permissions>,
        pieces: &[&[u8]],
        at_once: bool,
        stage: &Stage<'_>,
    ) -> io::Result<Staged> {
        let (temporary, mut file) = create_temporary(&target)?;
        let mut staged = Staged { temporary, target, permissions, is_on_disk: false };
        for part in pieces.iter().flat_map(|piece| piece.chunks(STEP)) {
            file.write_all(part)?;
            stage.step();
        }
        if at_once {
            staged.put_on_disk(&file)?;
        }
        Ok(staged)
    }

    fn put_on_disk(&mut self, file: &File) -> io::Result<()> {
        if let Some(permissions) = &self.permissions {
            file.set_permissions(permissions.clone())?;
        }
        file.sync_all()?;
        self.is_on_disk = true;
        Ok(())
    }

    /// Waits until it is on disk. It is opened again for it: many may wait, and a program has only so many files open.
    fn wait(&mut self) -> Result<()> {
        if self.is_on_disk {
            return Ok(());
        }
        let opened = OpenOptions::new().write(true).open(&self.temporary);
        let kept = opened.and_then(|file| self.put_on_disk(&file));
        // Where it was taken away because the program is about to end, nobody hears of it before that.
        kept.inspect_err(|_| drop(waiting())).map_err(writing(&self.target))
    }

    fn commit(&mut self, list: &mut Waiting) -> io::Result<()> {
        fs::rename(&self.temporary, &self.target)?;
        list.remove(&self.temporary);
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if waiting().remove(&self.temporary).is_some() {
            // Nothing more can be done about a temporary file that will not go.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// A file of our own beside the target. Its name is short whatever the target's is, which may be as long as names can be.
fn create_temporary(target: &Path) -> io::Result<(PathBuf, File)> {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let mut list = waiting();
    for _ in 0..100 {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let temporary = target.with_file_name(leftovers::name(std::process::id(), number));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => {
                list.insert(temporary.clone(), target.to_path_buf());
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
    fn what_is_not_finished_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        fs::write(&old, "before").unwrap();
        let begin =
            || begin(&[(old.clone(), vec![b"af", b"", b"ter"]), (new.clone(), vec![b"x"])], &Progress::default());
        let pending = begin().unwrap();
        assert_eq!((fs::read(&old).unwrap().as_slice(), new.exists()), (&b"before"[..], false));
        assert_eq!(pending.paths(), [old.clone(), new.clone()]);
        drop(pending);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        begin().unwrap().finish().unwrap();
        assert_eq!((fs::read(&old).unwrap(), fs::read(&new).unwrap()), (b"after".to_vec(), b"x".to_vec()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn several_files_take_their_names_when_it_is_their_turn() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        let turn = Turn::beside(&a);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| write_all(&[(a.clone(), b"a"), (b.clone(), b"b")]));
            while fs::read_dir(folder.path()).unwrap().count() < 2 {
                std::thread::yield_now();
            }
            (0..1000).for_each(|_| std::thread::yield_now());
            assert!(!a.exists() && !b.exists(), "they are written, and wait");
            drop(turn);
            writer.join().unwrap().unwrap();
        });
        assert!(a.exists() && b.exists());
    }

    #[test]
    fn what_a_file_is_about_to_hold_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let long = vec![7; STEP + 1];
        assert!(holds(&path, b"").is_err());
        let pending = begin(&[(path.clone(), vec![&long])], &Progress::default()).unwrap();
        let other = [&long[1..], &[8]].concat();
        assert!(holds(&path, &long).unwrap());
        assert!(!holds(&path, &long[1..]).unwrap() && !holds(&path, &other).unwrap());
        pending.finish().unwrap();
        assert!(holds(&path, &long).unwrap());
        assert!(!holds(&path, &long[1..]).unwrap() && !holds(&path, &other).unwrap());
    }

    #[test]
    fn every_megabyte_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let told = std::sync::Arc::new(Mutex::new(Vec::new()));
        let list = told.clone();
        let progress = Progress::new(move |step| list.lock().unwrap().push((step.stage, step.done, step.total)));
        let long = vec![0; STEP + 1];
        begin(&[(folder.path().join("file"), vec![&long, b"x"])], &progress).unwrap().finish().unwrap();
        let written = [0, 1, 2, 3].map(|done| ("writing megabytes", done, 3));
        assert_eq!(*told.lock().unwrap(), [&written[..], &[("waiting for the disk", 0, 0)]].concat());
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
