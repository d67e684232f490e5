//! A file to look at: its bytes, its name, and where its companion files come from.
//!
//! Large files are mapped, small ones read: mapping costs more than it saves below some tens of kilobytes. Who cannot have a file change or end under
//! its hands has it read as a whole, into memory that the system gives in large pages or at once: into what the allocator gives, page by page as it is
//! touched, takes up to twice as long.
//! Companion files are read only when asked for by name, and from disk only from the folder of the input.

use crate::contents::Contents;
use crate::{Error, Result, names};
use maquette_formats::format::{self, BUILT_IN, Format, Formats, NoResources, Opened, Resources, Source};
use maquette_formats::part::Part;
use maquette_formats::walk::Walk;
use maquette_scene::Bytes;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// From this size on, files are mapped.
const MAP_FROM_BYTES: u64 = 64 * 1024;
/// So much is a large page.
const LARGE_PAGES_FROM_BYTES: u64 = 2 << 20;
/// The largest companion file that is read, so that no folder exhausts memory.
const MAX_COMPANION_BYTES: u64 = u32::MAX as u64;

/// The most that is read of what has no size: standard input, pipes and devices.
const MAX_STREAM_BYTES: u64 = 4 << 30;

/// How much of such a stream must tell that it is a model: what goes on and does not begin as one may be without end.
const TELLING_BYTES: u64 = 1 << 20;

/// A file, or standard input, or bytes in memory, with what its companion files are found in.
///
/// ```
/// use maquette::Input;
///
/// let asset = br#"{ "asset": { "version": "2.0" }, "buffers": [{ "byteLength": 4, "uri": "a.bin" }] }"#;
/// let files = [("a.gltf", asset.to_vec()), ("a.bin", vec![0; 4])];
/// let input = Input::from_files("a.gltf", files).expect("the first is among them");
/// assert_eq!(input.open(None)?.format.id, "gltf");
/// # Ok::<(), maquette::Error>(())
/// ```
pub struct Input {
    /// What to call it in messages: the path as given.
    pub label: String,
    name: String,
    bytes: Bytes,
    /// The same bytes, where they are mapped.
    map: Option<Map>,
    path: Option<PathBuf>,
    read: Arc<Mutex<BTreeSet<PathBuf>>>,
    resources: Box<dyn Resources + Send + Sync>,
    formats: Formats<'static>,
}

/// The files on disk that something was read from.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Sources {
    /// The file itself.
    pub file: Option<PathBuf>,
    /// Its companion files that were read.
    pub companions: Vec<PathBuf>,
}

/// The bytes of a file, and the same where they are mapped.
type Taken = (Bytes, Option<Map>);

/// A mapped file.
#[derive(Clone)]
struct Map(Arc<memmap2::Mmap>);

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Map {
    /// Tells the system that what was read need not stay in memory; what is looked at again is read again.
    fn release(&self) {
        // SAFETY: the map is of a file, read only and shared, so that its bytes are the same when they are read again.
        #[cfg(unix)]
        #[expect(unsafe_code)]
        let _ = unsafe { self.0.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    }
}

/// What lies in the folder of a file.
struct Folder {
    file: PathBuf,
    /// The companion files that were read.
    read: Arc<Mutex<BTreeSet<PathBuf>>>,
}

/// Files in memory, by name.
struct InMemory(BTreeMap<String, Vec<u8>>);

impl Input {
    /// Opens a file; `-` is standard input. Companion files come from its folder.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Input> {
        let path = path.as_ref();
        let label = path.display().to_string();
        if label == "-" {
            let bytes = read_stream(std::io::stdin().lock(), MAX_STREAM_BYTES);
            let bytes = bytes.map_err(Error::io("standard input", "read"))?;
            return Ok(Input { label, ..Input::from_bytes("", bytes) });
        }
        Input::of_file(path, label, open_or_map)
    }

    /// As [`Input::from_path`], with the whole file in memory of its own: what happens to the file on disk afterwards changes nothing. A mapped file
    /// shows what other programs write to it, and one that they shorten ends this program.
    pub fn from_path_in_memory(path: impl AsRef<Path>) -> Result<Input> {
        let path = path.as_ref();
        match path.to_str() {
            Some("-") => Input::from_path(path),
            _ => Input::of_file(path, path.display().to_string(), |file, length| Ok((whole(file, length)?, None))),
        }
    }

    fn of_file(path: &Path, label: String, take: fn(File, Option<u64>) -> std::io::Result<Taken>) -> Result<Input> {
        let (bytes, map) =
            open(path).and_then(|(file, length)| take(file, length)).map_err(Error::io(&label, "read"))?;
        let name = names::file_name(path);
        let read = Arc::default();
        let resources = Box::new(Folder { file: path.to_path_buf(), read: Arc::clone(&read) });
        let path = Some(path.to_path_buf());
        Ok(Input { label, name, bytes, map, path, read, resources, formats: Formats::default() })
    }

    /// Bytes in memory, without companion files.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Input {
        Input::with_resources(name, bytes, NoResources)
    }

    /// The file of this name among these, with the others as its companion files; `None` if it is not among them.
    pub fn from_files<N: Into<String>>(name: &str, files: impl IntoIterator<Item = (N, Vec<u8>)>) -> Option<Input> {
        let mut files: BTreeMap<String, Vec<u8>> =
            files.into_iter().map(|(name, bytes)| (name.into(), bytes)).collect();
        let bytes = files.remove(name)?;
        Some(Input::with_resources(name, bytes, InMemory(files)))
    }

    /// Bytes in memory whose companion files come from somewhere of one's own: an archive, a store.
    pub fn with_resources(
        name: impl Into<String>,
        bytes: Vec<u8>,
        resources: impl Resources + Send + Sync + 'static,
    ) -> Input {
        let name = name.into();
        Input {
            label: name.clone(),
            name,
            bytes: Bytes::shared(bytes),
            map: None,
            path: None,
            read: Arc::default(),
            resources: Box::new(resources),
            formats: Formats::default(),
        }
    }

    /// The same input, to be opened with another table of formats.
    pub fn with_formats(self, formats: Formats<'static>) -> Input {
        Input { formats, ..self }
    }

    /// The whole file, from memory or mapped from disk.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Lets go of memory that a mapped file takes; it is there still, and what is looked at again is read again.
    pub(crate) fn release(&self) {
        self.map.iter().for_each(Map::release);
    }

    /// The whole file, to be written.
    pub(crate) fn contents(&self) -> Contents {
        Contents::whole(&self.bytes)
    }

    /// A file that was read from this one, to be written.
    pub(crate) fn contents_of(&self, file: &dyn Walk) -> Contents {
        Contents::of_walk(file, &self.bytes)
    }

    /// The file name without folders; empty when there is none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The files on disk that it was read from so far.
    pub fn sources(&self) -> Sources {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        Sources { file: self.path.clone(), companions: read.iter().cloned().collect() }
    }

    /// The formats it is opened with.
    pub fn formats(&self) -> Formats<'static> {
        self.formats
    }

    /// The name, and where companion files come from.
    pub fn source(&self) -> Source<'_> {
        Source { name: &self.name, resources: &*self.resources, bytes: Some(&self.bytes) }
    }

    /// Finds the format and parses the file, in this dialect or in the one its bytes show.
    pub fn open(&self, dialect: Option<&str>) -> Result<Opened<'_>> {
        self.open_or_tell(dialect).map_err(|(format, source)| Error::Read { file: self.label.clone(), format, source })
    }

    /// As [`Input::open`]; where it fails, the format it was taken for. Bytes that nobody knows are held against the format that the name says, which
    /// can tell what is wrong with them.
    pub(crate) fn open_or_tell(
        &self,
        dialect: Option<&str>,
    ) -> std::result::Result<Opened<'_>, (Option<&'static Format>, format::Error)> {
        self.formats.open(self.bytes(), dialect).map_err(|failure| {
            let (None, format::Error::UnknownFormat(None)) = &failure else { return failure };
            let Some(named) = self.formats.by_file_name(&self.name) else { return failure };
            match (named.open)(self.bytes(), dialect) {
                Err(told) if told.diagnostic().is_some() => (Some(named), told),
                _ => failure,
            }
        })
    }

    /// What there is of a file that cannot be opened because it ends too early or goes on for too long, to be looked at; `None`
    /// where something else is wrong with it.
    pub fn open_part(&self, dialect: Option<&str>) -> Option<Part<'_>> {
        self.formats.open_part(self.bytes(), dialect)
    }
}

/// A file, and how long it is if it is one on disk.
fn open(path: &Path) -> std::io::Result<(File, Option<u64>)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(std::io::Error::new(std::io::ErrorKind::IsADirectory, "it is a folder; name the files in it"));
    }
    Ok((file, metadata.is_file().then_some(metadata.len())))
}

/// The bytes of a file: mapped, if that pays.
fn open_or_map(file: File, length: Option<u64>) -> std::io::Result<Taken> {
    if length.is_some_and(|length| length >= MAP_FROM_BYTES) {
        // SAFETY: the map is only ever read as plain bytes, for which every value is valid. If another program
        // shortens the file meanwhile, the system stops this process; that is the price every mapping tool pays.
        #[expect(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(&file) };
        if let Ok(map) = map {
            let map = Map(Arc::new(map));
            return Ok((Bytes::shared(map.clone()), Some(map)));
        }
    }
    Ok((whole(file, length)?, None))
}

/// All of a file, in memory.
fn whole(mut file: File, length: Option<u64>) -> std::io::Result<Bytes> {
    let Some(length) = length else { return read_stream(file, MAX_STREAM_BYTES).map(Bytes::shared) };
    if let Some(mut memory) = pages(length) {
        file.read_exact(&mut memory)?;
        return Ok(Bytes::shared(memory));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Bytes::shared(bytes))
}

/// Memory straight from the system, for more than a few pages.
fn pages(length: u64) -> Option<memmap2::MmapMut> {
    let mut options = memmap2::MmapOptions::new();
    options.len(usize::try_from(length).ok().filter(|_| length >= MAP_FROM_BYTES)?);
    if length < LARGE_PAGES_FROM_BYTES {
        options.populate();
    }
    let memory = options.map_anon().ok()?;
    // Where the system has no large pages to give, small ones do.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Some(memory)
}

/// All of a stream that may be without end.
fn read_stream(mut stream: impl Read, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let first = stream.by_ref().take(TELLING_BYTES.min(most)).read_to_end(&mut bytes)? as u64;
    if first == TELLING_BYTES && BUILT_IN.probe(&bytes).is_empty() {
        return Err(std::io::Error::new(
            std::io::ErrorKind::InvalidData,
            "it does not begin as a file of any format does",
        ));
    }
    if first + stream.take(most - first).read_to_end(&mut bytes)? as u64 == most {
        let message = format!("it goes on for more than {most} bytes, and only a file on disk may; write it to one");
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

impl Folder {
    /// Opens a companion file in this folder or below it; says why it cannot be read, if it is there and cannot; `None` if it is not there.
    fn open(&self, name: &str) -> Option<std::result::Result<(PathBuf, File), String>> {
        let relative = Path::new(name);
        let is_part = |component| matches!(component, Component::Normal(_) | Component::CurDir);
        if name.is_empty() {
            return None;
        }
        if !relative.components().all(is_part) {
            return Some(Err("only files in the folder of the model, or below it, are read".to_owned()));
        }
        let exact = self.file.with_file_name(names::exact(self.file.file_name().unwrap_or_default(), name));
        let path = if exact.exists() { exact } else { self.file.with_file_name(relative) };
        let metadata = match std::fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if is_absence(&error) => return None,
            Err(error) => return Some(Err(error.to_string())),
        };
        Some(match metadata.len() {
            _ if metadata.is_dir() => Err("it is a folder".to_owned()),
            _ if !metadata.is_file() => Err("it is no regular file".to_owned()),
            bytes if bytes > MAX_COMPANION_BYTES => Err(format!("its {bytes} bytes are more than can be taken in")),
            _ => File::open(&path).map(|file| (path, file)).map_err(|error| error.to_string()),
        })
    }
}

/// Whether an error means that no file can be there.
fn is_absence(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | InvalidInput | InvalidFilename)
}

impl Resources for Folder {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let (path, mut file) = self.open(name)?.ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
        Some(Cow::Owned(bytes))
    }

    fn contains(&self, name: &str) -> bool {
        matches!(self.open(name), Some(Ok(_)))
    }

    fn obstacle(&self, name: &str) -> Option<String> {
        match self.open(name)? {
            Ok((_, mut file)) => file.read(&mut [0]).err().map(|error| error.to_string()),
            Err(why) => Some(why),
        }
    }
}

impl Resources for InMemory {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.0.get(name).map(|bytes| Cow::Borrowed(bytes.as_slice()))
    }

    fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::image::ImageData;

    #[test]
    fn only_the_inputs_own_folder_is_read() {
        let outside = tempfile::tempdir().unwrap();
        let inside = outside.path().join("models");
        std::fs::create_dir(&inside).unwrap();
        std::fs::write(outside.path().join("secret"), "x").unwrap();
        std::fs::write(inside.join("model.nlm"), "x").unwrap();
        std::fs::write(inside.join("model.nlm.hash"), "7").unwrap();
        let input = Input::from_path(inside.join("model.nlm")).unwrap();
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
        assert_eq!(input.bytes(), bytes);
        let mut file = File::options().write(true).open(&path).unwrap();
        std::io::Write::write_all(&mut file, b"!").unwrap();
        assert_eq!(input.bytes().first(), Some(&b'!'), "a change shows through a map");
    }

    #[test]
    fn files_in_memory_stay_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("changing");
        for length in [0, 1, 300_000, LARGE_PAGES_FROM_BYTES as usize - 1, LARGE_PAGES_FROM_BYTES as usize + 4097] {
            let bytes: Vec<u8> = (0..length as u32).map(|n| (n ^ (n >> 8)) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            let input = Input::from_path_in_memory(&path).unwrap();
            std::fs::write(&path, "!").unwrap();
            assert!(input.bytes() == bytes, "{length} bytes");
        }
        let is_folder = Input::from_path_in_memory(folder.path()).map(drop).unwrap_err();
        assert!(is_folder.to_string().contains("it is a folder"), "{is_folder}");
    }

    #[test]
    fn images_are_parts_of_the_file() {
        for format in ["gltf", "aem", "nlm"] {
            let sample = crate::sample::make(format, None).unwrap();
            let input = Input::from_bytes(format!("post.{format}"), sample.main);
            let scene = input.read(&Default::default()).unwrap().scene;
            let inside = input.bytes().as_ptr_range();
            for image in scene.images.iter() {
                let parts: Vec<&[u8]> = match &*image.data {
                    ImageData::Encoded { bytes, .. } => vec![bytes],
                    ImageData::Pixels { levels, .. } => levels.iter().map(|level| &**level).collect(),
                    ImageData::External(name) => panic!("{name}"),
                };
                assert!(parts.iter().all(|part| inside.contains(&part.as_ptr())), "{format}");
            }
            assert!(!scene.images.is_empty(), "{format}");
        }
    }

    #[test]
    fn large_companion_files_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("large.gltf");
        std::fs::write(&model, "x").unwrap();
        let grown = |name: &str, bytes| {
            File::create(folder.path().join(name)).unwrap().set_len(bytes).unwrap();
            Input::from_path(&model).unwrap().source().resources.contains(name)
        };
        assert!(grown("large.bin", 1 << 30));
        assert!(!grown("hostile.bin", 1 << 36));
    }

    #[test]
    fn a_stream_without_end_is_refused() {
        assert_eq!(read_stream(&b"abc"[..], 4).unwrap(), b"abc");
        let error = read_stream(std::io::repeat(0), 1000).unwrap_err().to_string();
        assert!(error.contains("more than 1000 bytes"), "{error}");
        let error = read_stream(std::io::repeat(0), MAX_STREAM_BYTES).unwrap_err().to_string();
        assert!(error.contains("does not begin as a file"), "{error}");
        let sample = crate::sample::make("aem", None).unwrap().main;
        let error = read_stream(sample.chain(std::io::repeat(0)), 4 * TELLING_BYTES).unwrap_err().to_string();
        assert!(error.contains("more than 4194304 bytes"), "{error}");
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = Input::from_path(folder.path()).err().unwrap().to_string();
        assert!(error.contains("it is a folder"), "{error}");
    }
}
