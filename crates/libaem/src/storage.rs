//! The bytes of a file: a front part that a program in C may read and write, and the rest, which stays ours.
//!
//! Large files are mapped, copy-on-write, so that what nobody looks at is not read and what the program writes does not reach the file.
//! While nothing is lent all bytes are ours. What is lent is no longer looked at here; what is ours is never shown to C. So no reference of ours covers memory that C
//! writes to.

#![allow(unsafe_code, reason = "memory that C shares is behind pointers, and a file may be mapped")]

use crate::lent::Lent;
use memmap2::{MmapMut, MmapOptions};
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::Path;
use std::ptr::NonNull;
use zerocopy::IntoBytes;

/// From this size on a file is mapped: below, that takes longer than to read it. See `benches/load.rs`.
const MAP_FROM_BYTES: u64 = 64 * 1024;

pub struct Storage {
    memory: Memory,
    /// The first byte of the memory; it comes from whoever owns that, with the right to write.
    base: NonNull<u8>,
    /// The bytes of the file that are in memory.
    bytes: Range<usize>,
    /// Everything before this was lent.
    lent_to: usize,
}

enum Memory {
    /// In words, so that vertices and indices are aligned.
    Own {
        _words: Lent<u64>,
    },
    Mapped(MmapMut),
}

impl Storage {
    /// A file on disk.
    pub fn open(path: &Path) -> io::Result<Storage> {
        // Looked at before it is opened: to open a pipe waits for whoever writes to it.
        regular(std::fs::metadata(path)?)?;
        let file = &File::open(path)?;
        let metadata = regular(file.metadata()?)?;
        if metadata.len() >= MAP_FROM_BYTES {
            // SAFETY: the map is private to this process and is only read as plain bytes, for which every value is valid. If another program
            // shortens the file meanwhile, the system stops this process; that is the price everything that maps files pays.
            let mapped = unsafe { MmapOptions::new().map_copy(file) };
            if let Ok(mut map) = mapped {
                let base = NonNull::new(map.as_mut_ptr()).unwrap_or(NonNull::dangling());
                let bytes = 0..map.len();
                return Ok(Storage { memory: Memory::Mapped(map), base, bytes, lent_to: 0 });
            }
        }
        let length = usize::try_from(metadata.len()).map_err(|_| ErrorKind::OutOfMemory)?;
        Storage::filled(length, |mut room| {
            let mut file = file.take(metadata.len());
            let mut filled = 0;
            while !room.is_empty() {
                match file.read(room) {
                    Ok(0) => break,
                    Ok(count) => {
                        filled += count;
                        room = room.get_mut(count..).unwrap_or_default();
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(filled)
        })
    }

    /// A copy of bytes in memory.
    pub fn copy_of(bytes: &[u8]) -> io::Result<Storage> {
        Storage::filled(bytes.len(), |room| {
            room.copy_from_slice(bytes);
            Ok(bytes.len())
        })
    }

    /// Memory of its own; `fill` tells how much of the room it took.
    fn filled(length: usize, fill: impl FnOnce(&mut [u8]) -> io::Result<usize>) -> io::Result<Storage> {
        let mut words: Vec<u64> = Vec::new();
        let count = length.div_ceil(size_of::<u64>());
        words.try_reserve_exact(count).map_err(|_| ErrorKind::OutOfMemory)?;
        words.resize(count, 0);
        let filled = fill(words.as_mut_bytes().get_mut(..length).unwrap_or_default())?;
        let words = Lent::new(words);
        let base = words.pointer(0).map_or(NonNull::dangling(), NonNull::cast);
        Ok(Storage { memory: Memory::Own { _words: words }, base, bytes: 0..filled, lent_to: 0 })
    }

    /// How long the file is.
    pub fn len(&self) -> usize {
        self.bytes.end
    }

    /// Some of our bytes, by their place in the file; nothing where they are lent or there are none.
    pub fn own(&self, range: Range<usize>) -> &[u8] {
        let is_own = range.start >= self.lent_to.max(self.bytes.start) && range.end <= self.bytes.end;
        let Some(length) = range.end.checked_sub(range.start).filter(|_| is_own) else { return &[] };
        // SAFETY: the range lies within the memory, which lives as long as `self`, and behind everything that C has pointers to.
        unsafe { std::slice::from_raw_parts(self.base.add(range.start - self.bytes.start).as_ptr(), length) }
    }

    /// Everything before this place is for C from now on.
    pub fn lend(&mut self, to: usize) {
        self.lent_to = self.lent_to.max(to.min(self.len()));
    }

    /// A place in what is lent, for C.
    pub fn lent(&self, at: usize) -> Option<NonNull<u8>> {
        // SAFETY: the place lies within the memory, which lives as long as `self`.
        (self.bytes.start..self.lent_to).contains(&at).then(|| unsafe { self.base.add(at - self.bytes.start) })
    }

    /// Frees what was lent, as far as it can be.
    pub fn take_back(&mut self) {
        let ours = self.lent_to..self.len();
        if let Memory::Mapped(map) = &self.memory {
            #[cfg(unix)]
            // SAFETY: of the pages, the last of which may be ours in part, none of ours was ever written to: looked at again they are read from the file
            // again. Nobody looks at the others.
            let _ = unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, 0, ours.start) };
            #[cfg(not(unix))]
            let _ = map;
        } else if let Ok(copy) = Storage::copy_of(self.own(ours.clone())) {
            *self = Storage { bytes: ours.clone(), lent_to: ours.start, ..copy };
        }
        // SAFETY: the place lies within the memory or at its end.
        self.base = unsafe { self.base.add(ours.start - self.bytes.start) };
        self.bytes = ours;
    }
}

fn regular(metadata: Metadata) -> io::Result<Metadata> {
    match metadata.is_file() {
        true => Ok(metadata),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "it is no regular file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn file(bytes: &[u8]) -> (tempfile::NamedTempFile, Storage) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let storage = Storage::open(file.path()).unwrap();
        (file, storage)
    }

    fn numbers(length: usize) -> Vec<u8> {
        (0..length).map(|at| (at % 251) as u8).collect()
    }

    #[test]
    fn what_is_lent_is_no_longer_ours_and_the_rest_stays() {
        for length in [9, 1000, MAP_FROM_BYTES as usize, 300_001] {
            let bytes = numbers(length);
            let (kept, mut storage) = file(&bytes);
            assert_eq!(storage.own(0..length), bytes);
            assert!(storage.lent(0).is_none());
            let half = length / 2;
            storage.lend(half);
            assert_eq!(storage.own(half - 1..length), b"");
            assert_eq!(storage.own(half..length), &bytes[half..]);
            assert_eq!(storage.own(half..length + 1), b"");
            assert!(storage.lent(half).is_none());
            let place = storage.lent(half - 1).unwrap();
            // SAFETY: it is lent, and what is written there stays away from the file.
            unsafe {
                assert_eq!(place.read(), bytes[half - 1]);
                place.write(255);
            }
            storage.take_back();
            assert_eq!(storage.own(half..length), &bytes[half..]);
            assert_eq!((storage.len(), storage.lent(0), storage.lent(half)), (length, None, None));
            assert_eq!(std::fs::read(kept.path()).unwrap(), bytes);
        }
    }

    #[test]
    fn nothing_is_a_file_too() {
        let (_kept, mut storage) = file(b"");
        assert_eq!((storage.len(), storage.own(0..0)), (0, &b""[..]));
        storage.lend(7);
        assert!(storage.lent(0).is_none());
        storage.take_back();
        assert_eq!(Storage::copy_of(b"abc").unwrap().own(0..3), b"abc");
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Storage::open(folder.path()).is_err());
    }
}
