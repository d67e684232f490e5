//! Files of pictures: written where there is none, or one of the same kind.

use super::write;
use crate::{Error, Overwrite, Result};
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Writes a picture, whose kind is told by how its files start, making the folders that are missing.
pub fn write_picture(path: &Path, file: &[u8], start: &[u8], overwrite: Overwrite) -> Result<()> {
    refuse_others(path, start, overwrite)?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(Error::io(folder.display().to_string(), "make the folder"))?;
    }
    write(path, file)
}

/// Whether a picture may be written there: told before it is drawn, so that nothing is drawn for nothing.
pub fn refuse_others(path: &Path, start: &[u8], overwrite: Overwrite) -> Result<()> {
    let shown = path.display();
    match fs::metadata(path) {
        Ok(there) if !there.is_file() && !there.is_dir() => {
            return Err(Error::Usage(format!("{shown} is no file: `-o -` prints a picture for whoever reads it")));
        }
        _ => {}
    }
    match overwrite == Overwrite::All || may_be_replaced(path, start)? {
        true => Ok(()),
        false => Err(Error::Usage(format!("{shown} is there and is no such picture; --force overwrites it"))),
    }
}

fn may_be_replaced(path: &Path, start: &[u8]) -> Result<bool> {
    let mut there = Vec::new();
    match File::open(path).and_then(|file| file.take(start.len() as u64).read_to_end(&mut there)) {
        Ok(_) => Ok(there.is_empty() || there == start),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(source) => Err(Error::Io { file: path.display().to_string(), doing: "read", source }),
    }
}
