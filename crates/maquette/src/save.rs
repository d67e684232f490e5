//! Writing so that a failure leaves what was there before.
//!
//! Bytes go to a temporary file beside the target, which then takes the target's name. Several files are all
//! written before the first takes its name.

use crate::{Error, Result};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file whole or not at all. Devices and pipes are written to directly.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_all(&[(path.to_path_buf(), bytes)])
}

/// Writes several files; if any cannot be written, none is replaced.
pub fn write_all(files: &[(PathBuf, &[u8])]) -> Result<()> {
    let mut staged = Vec::new();
    for (path, bytes) in files {
        let label = path.display().to_string();
        staged.push(Staged::new(path, bytes).map_err(Error::io(label, "write"))?);
    }
    for file in staged {
        let label = file.target.display().to_string();
        file.commit().map_err(Error::io(label, "write"))?;
    }
    Ok(())
}

/// A file waiting to take its name; it goes away if it never does.
struct Staged {
    temporary: Option<PathBuf>,
    target: PathBuf,
}

impl Staged {
    fn new(path: &Path, bytes: &[u8]) -> io::Result<Staged> {
        // A link keeps pointing where it did: what it leads to is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let existing = fs::metadata(&target).ok();
        if existing.as_ref().is_some_and(|existing| existing.is_dir()) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
            OpenOptions::new().write(true).open(&target)?.write_all(bytes)?;
            return Ok(Staged { temporary: None, target });
        }
        let (temporary, mut file) = create_temporary(&target)?;
        let staged = Staged { temporary: Some(temporary), target };
        file.write_all(bytes)?;
        if let Some(existing) = existing {
            file.set_permissions(existing.permissions())?;
        }
        file.sync_all()?;
        Ok(staged)
    }

    fn commit(mut self) -> io::Result<()> {
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, &self.target)?;
            self.temporary = None;
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // Nothing more can be done about a temporary file that will not go.
            let _ = fs::remove_file(temporary);
        }
    }
}

fn create_temporary(target: &Path) -> io::Result<(PathBuf, fs::File)> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    for attempt in 0..100 {
        let temporary = target.with_file_name(format!(".{name}.{}-{attempt}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => return result.map(|file| (temporary, file)),
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
}
