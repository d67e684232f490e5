//! Names that last: a file that took its name has it after a power failure too, once its folder is on disk. Waiting for that is worth its time on Unix alone:
//! elsewhere folders cannot be opened, and the file systems there keep an account of names themselves.

use super::folder_of;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

/// Waits until the folders of these files are on disk, each once; tells how many there were. One that cannot be opened or waited for is gone without: its
/// files have their names already.
pub(super) fn wait<'p>(files: impl Iterator<Item = &'p Path>) -> usize {
    let folders: BTreeSet<&Path> = files.filter(|_| cfg!(unix)).map(folder_of).collect();
    folders.into_iter().filter(|folder| File::open(folder).and_then(|folder| folder.sync_all()).is_ok()).count()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn each_folder_is_waited_for_once() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        let files = ["a", "b", "sub/c", "sub/d", "gone/e"].map(|name| folder.path().join(name));
        assert_eq!(wait(files.iter().map(|file| file.as_path())), 2);
        assert_eq!(wait([Path::new("here")].into_iter()), 1, "a name without a folder is in the current one");
        assert_eq!(wait(std::iter::empty()), 0);
    }
}
