//! Files of pictures: written where there is none, or one of the same kind.

use super::make_folder_of;
use maquette::{Error, Result, save};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Writes a picture, whose kind is told by how its files start; `is_forced` overwrites whatever is there.
pub fn write(path: &Path, file: &[u8], start: &[u8], is_forced: bool) -> Result<()> {
    refuse_others(path, start, is_forced)?;
    make_folder_of(path)?;
    save::write(path, file)
}

/// Whether a picture may be written there: told before it is drawn, so that nothing is drawn for nothing.
pub fn refuse_others(path: &Path, start: &[u8], is_forced: bool) -> Result<()> {
    let shown = path.display();
    match std::fs::metadata(path) {
        Ok(there) if !there.is_file() && !there.is_dir() => {
            return Err(Error::Usage(format!("{shown} is no file: `-o -` prints a picture for whoever reads it")));
        }
        _ => {}
    }
    match is_forced || may_be_replaced(path, start)? {
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
