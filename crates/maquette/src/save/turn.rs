//! One program after the other, where several give names to files in one folder.
//!
//! Files that belong together take their names one by one, so that of two programs that write the same output at once each could have the last
//! word about some of them. The folder itself is locked meanwhile: the system lifts that lock whatever becomes of the program, and no file is
//! left of it. Where a folder cannot be locked, as on Windows and on some network file systems, or somebody holds the lock for long, as
//! `flock FOLDER maquette ..` does, it goes without.

use super::folder_of;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long others are waited for. They have nothing to do but to rename files.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long until it is tried again.
const PAUSE: Duration = Duration::from_millis(2);

/// Threads of this program take their turns without asking the system.
static OWN: Mutex<()> = Mutex::new(());

/// The turn of one thread of one program, as long as it lives.
pub(crate) struct Turn {
    _folder: Option<File>,
    _own: MutexGuard<'static, ()>,
}

impl Turn {
    /// Waits until it is this thread's turn in the folder of a file.
    pub fn beside(file: &Path) -> Turn {
        let own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
        Turn { _folder: lock(folder_of(file), PATIENCE), _own: own }
    }
}

/// The folder, locked; `None` where that cannot be.
fn lock(folder: &Path, patience: Duration) -> Option<File> {
    let folder = File::open(folder).ok()?;
    let since = Instant::now();
    loop {
        match folder.try_lock() {
            Ok(()) => return Some(folder),
            Err(TryLockError::WouldBlock) if since.elapsed() < patience => std::thread::sleep(PAUSE),
            Err(_) => return None,
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_turn_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let is_free = || lock(folder.path(), Duration::ZERO).is_some();
        let turn = Turn::beside(&folder.path().join("model"));
        assert!(!is_free(), "others wait, or go without");
        drop(turn);
        assert!(is_free());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left of it");
    }

    #[test]
    fn what_cannot_be_locked_is_gone_without() {
        let folder = tempfile::tempdir().unwrap();
        drop(Turn::beside(&folder.path().join("gone/model")));
    }
}
