//! A file to look at: its bytes, its name, and the folder it lies in.
//!
//! Large files are mapped, small ones read: mapping costs more than it saves below a few hundred kilobytes.
//! Files beside the input are read only when asked for by name, and only from its own folder.

use crate::{Error, Result, names};
use maquette_formats::format::{self, Opened, Resources, Source};
use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// From this size on, files are mapped.
const MAP_FROM_BYTES: u64 = 256 * 1024;
/// The largest file beside the input that is read: side files are small.
const MAX_COMPANION_BYTES: u64 = 64 << 20;

/// A file, or standard input, or bytes in memory.
pub struct Input {
    /// What to call it in messages: the path as given.
    pub label: String,
    name: String,
    bytes: Bytes,
    folder: Folder,
}

enum Bytes {
    Owned(Vec<u8>),
    Mapped(memmap2::Mmap),
}

/// The files beside an input, whose path this is.
enum Folder {
    None,
    Disk(PathBuf),
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub fn from_path(path: &Path) -> Result<Input> {
        let label = path.display().to_string();
        if label == "-" {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).map_err(Error::io("standard input", "read"))?;
            return Ok(Input { label, ..Input::from_bytes("", bytes) });
        }
        let bytes = read(path).map_err(Error::io(&label, "read"))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Input { label, name, bytes, folder: Folder::Disk(path.to_path_buf()) })
    }

    /// Bytes in memory, with nothing beside them.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Input {
        let name = name.into();
        Input { label: name.clone(), name, bytes: Bytes::Owned(bytes), folder: Folder::None }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }

    /// The file name without folders; empty when there is none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name and what lies beside it, for checks.
    pub fn source(&self) -> Source<'_> {
        Source { name: &self.name, resources: &self.folder }
    }

    /// Finds the format and parses the file, in this dialect or in the one its bytes show.
    pub fn open(&self, dialect: Option<&str>) -> Result<Opened<'_>> {
        format::open(self.bytes(), dialect).map_err(|(format, source)| Error::Read {
            file: self.label.clone(),
            format,
            source,
        })
    }
}

fn read(path: &Path) -> std::io::Result<Bytes> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(std::io::Error::new(std::io::ErrorKind::IsADirectory, "it is a folder; name the files in it"));
    }
    if metadata.is_file() && metadata.len() >= MAP_FROM_BYTES {
        // SAFETY: the map is only ever read as plain bytes, for which every value is valid. If another program
        // shortens the file meanwhile, the system stops this process; that is the price every mapping tool pays.
        #[expect(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(&file) };
        if let Ok(map) = map {
            return Ok(Bytes::Mapped(map));
        }
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Bytes::Owned(bytes))
}

impl Resources for Folder {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let Folder::Disk(input) = self else { return None };
        let relative = Path::new(name);
        let stays_inside =
            relative.components().all(|component| matches!(component, Component::Normal(_) | Component::CurDir));
        if name.is_empty() || !stays_inside {
            return None;
        }
        let exact = input.with_file_name(names::exact(input.file_name().unwrap_or_default(), name));
        let path = if exact.exists() { exact } else { input.with_file_name(relative) };
        let metadata = std::fs::metadata(&path).ok()?;
        let readable = metadata.is_file() && metadata.len() <= MAX_COMPANION_BYTES;
        readable.then(|| std::fs::read(&path).ok().map(Cow::Owned))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_inputs_own_folder_is_read() {
        let outside = tempfile::tempdir().unwrap();
        let inside = outside.path().join("models");
        std::fs::create_dir(&inside).unwrap();
        std::fs::write(outside.path().join("secret"), "x").unwrap();
        std::fs::write(inside.join("model.nlm"), "x").unwrap();
        std::fs::write(inside.join("model.nlm.hash"), "7").unwrap();
        let input = Input::from_path(&inside.join("model.nlm")).unwrap();
        let get = |name: &str| input.source().resources.get(name).map(Cow::into_owned);
        assert_eq!(get("model.nlm.hash").as_deref(), Some(&b"7"[..]));
        assert_eq!(get("../secret"), None);
        assert_eq!(get(outside.path().join("secret").to_str().unwrap()), None);
        assert_eq!(get(""), None);
    }

    #[test]
    fn large_files_are_mapped_and_read_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        let bytes: Vec<u8> = (0..300_000u32).map(|n| n as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let input = Input::from_path(&path).unwrap();
        assert!(matches!(input.bytes, Bytes::Mapped(_)));
        assert_eq!(input.bytes(), bytes);
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = Input::from_path(folder.path()).err().unwrap().to_string();
        assert!(error.contains("it is a folder"), "{error}");
    }
}
