//! The bytes of buffers and their views: from the chunk of a GLB, companion files, data URIs.
//!
//! A buffer that cannot be had is no error until something reads from it; why it cannot be had is kept until then. Views that are stored
//! compressed are decoded when they are first asked for, unless their plain bytes are there as well.

use super::check::{BUFFER_MISSING, BUFFER_SHORT, COMPRESSION, DATA_URI, REFERENCE, TOO_MANY_ITEMS, VIEW_BOUNDS};
use super::meshopt;
use super::raw::File;
use super::schema::{BufferView, Document, MeshoptCompression};
use super::uri::{self, Location};
use crate::format::Source;
use crate::rules::index_into;
use maquette_scene::{Diagnostic, path};
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

/// What was found, or the finding that stops the reading.
pub type Found<T> = Result<T, Box<Diagnostic>>;

/// Every buffer of a document.
pub struct Buffers<'a> {
    loaded: Vec<Loaded<'a>>,
    /// Which of the loaded ones each buffer is: several may name one file.
    slots: Vec<usize>,
    /// The bytes of each view that is compressed; empty where none is.
    decoded: Vec<OnceCell<Found<Vec<u8>>>>,
    /// How much may still be decoded.
    left: Cell<u64>,
}

struct Loaded<'a> {
    bytes: Cow<'a, [u8]>,
    problem: Option<Diagnostic>,
}

impl<'a> Buffers<'a> {
    /// Fetches the buffers of a file.
    pub fn of(file: &'a File<'_>, source: &Source<'a>) -> Buffers<'a> {
        let mut buffers = Buffers { loaded: Vec::new(), slots: Vec::new(), decoded: Vec::new(), left: Cell::default() };
        let mut known: HashMap<&str, usize> = HashMap::new();
        for (index, buffer) in file.document.buffers.iter().enumerate() {
            let slot = buffers.loaded.len();
            let slot = buffer.uri.as_deref().map_or(slot, |uri| *known.entry(uri).or_insert(slot));
            if slot == buffers.loaded.len() {
                buffers.loaded.push(load(file, source, index, buffer.uri.as_deref()));
            }
            buffers.slots.push(slot);
        }
        let views = &file.document.buffer_views;
        if views.iter().any(|view| view.meshopt_compression().is_some()) {
            buffers.decoded.resize_with(views.len(), OnceCell::new);
        }
        // Streams may be decoded to a thousand times their size, and views may share them.
        buffers.left.set(buffers.bytes().saturating_mul(64).saturating_add(256 << 20));
        buffers
    }

    /// The bytes of a buffer, as many as it declares; or why there are none.
    pub fn get(&self, document: &Document, index: usize) -> Found<&[u8]> {
        let loaded = self.slots.get(index).and_then(|&slot| self.loaded.get(slot));
        let (Some(loaded), Some(buffer)) = (loaded, document.buffers.get(index)) else {
            let message = format!("the buffer is {index}");
            let finding = Diagnostic::new(&REFERENCE, path!("json", "buffers"), message);
            return Err(Box::new(finding.expected(index_into(document.buffers.len(), "buffers"))));
        };
        match &loaded.problem {
            Some(problem) => Err(Box::new(problem.clone())),
            None => Ok(loaded.bytes.get(..buffer.byte_length).unwrap_or(&loaded.bytes)),
        }
    }

    /// The bytes of a view.
    pub fn view(&self, document: &Document, index: usize) -> Found<&[u8]> {
        let Some(view) = document.buffer_views.get(index) else {
            let message = format!("the view is {index}");
            let finding = Diagnostic::new(&REFERENCE, path!("json", "bufferViews"), message);
            return Err(Box::new(finding.expected(index_into(document.buffer_views.len(), "views"))));
        };
        if let Some(decoded) = self.decoded.get(index).filter(|_| self.is_missing(view.buffer)) {
            let first = |compressed| decoded.get_or_init(|| self.decompress(document, index, view, compressed));
            if let Some(decoded) = view.meshopt_compression().map(first) {
                return decoded.as_deref().map_err(Clone::clone);
            }
        }
        let buffer = self.get(document, view.buffer)?;
        run(buffer, view.byte_offset.unwrap_or(0), view.byte_length, index)
    }

    /// Whether there are no bytes for a buffer.
    fn is_missing(&self, buffer: usize) -> bool {
        let loaded = self.slots.get(buffer).and_then(|&slot| self.loaded.get(slot));
        loaded.is_some_and(|loaded| loaded.problem.is_some())
    }

    fn decompress(
        &self,
        document: &Document,
        index: usize,
        view: &BufferView,
        compressed: serde_json::Result<MeshoptCompression>,
    ) -> Found<Vec<u8>> {
        let fail = |code, message: String, expected: &str| {
            let at = path!("json", "bufferViews", index, "extensions");
            Box::new(Diagnostic::new(code, at, message).expected(expected))
        };
        let broken = |why| fail(&COMPRESSION, format!("the view cannot be decompressed: {why}"), "meshopt compression");
        let compressed =
            compressed.map_err(|_| broken("the extension has other members than its specification says"))?;
        let Some(bytes) = compressed.decoded_bytes().filter(|bytes| *bytes == view.byte_length) else {
            return Err(broken("count times stride is not the length of the view"));
        };
        let Some(left) = self.left.get().checked_sub(bytes as u64) else {
            let expected = "less than 64 times the buffers' size in all, so that no file can exhaust memory";
            return Err(fail(&TOO_MANY_ITEMS, format!("{bytes} more bytes are to be decompressed"), expected));
        };
        self.left.set(left);
        let buffer = self.get(document, compressed.buffer)?;
        let stream = run(buffer, compressed.byte_offset, compressed.byte_length, index)?;
        meshopt::decode(&compressed, stream).map_err(broken)
    }

    /// Whether a buffer is only the uncompressed fallback of compressed views.
    fn is_fallback(&self, document: &Document, index: usize) -> bool {
        let mut views = document.buffer_views.iter().filter(|view| view.buffer == index).peekable();
        views.peek().is_some() && views.all(|view| view.meshopt_compression().is_some())
    }

    /// What is wrong with the buffers themselves.
    pub fn problems(&self, document: &Document) -> Vec<Diagnostic> {
        let needed = |slot: usize| {
            let first = self.slots.iter().position(|of| *of == slot);
            self.decoded.is_empty() || first.is_none_or(|index| !self.is_fallback(document, index))
        };
        let loaded = self.loaded.iter().enumerate().filter(|(slot, _)| needed(*slot));
        let mut problems: Vec<_> = loaded.filter_map(|(_, loaded)| loaded.problem.clone()).collect();
        for (index, (buffer, slot)) in document.buffers.iter().zip(&self.slots).enumerate() {
            let Some(loaded) = self.loaded.get(*slot).filter(|loaded| loaded.problem.is_none()) else { continue };
            if buffer.byte_length > loaded.bytes.len() {
                let message = format!("{} bytes are declared, {} are there", buffer.byte_length, loaded.bytes.len());
                let finding = Diagnostic::new(&BUFFER_SHORT, path!("json", "buffers", index, "byteLength"), message);
                problems.push(finding.expected("at most the bytes that are there"));
            }
        }
        problems
    }

    /// Bytes of all buffers together.
    pub fn bytes(&self) -> u64 {
        self.loaded.iter().map(|loaded| loaded.bytes.len() as u64).sum()
    }
}

/// A run of a buffer's bytes that a view names.
fn run(buffer: &[u8], from: usize, length: usize, view: usize) -> Found<&[u8]> {
    let range = from.checked_add(length).map(|to| from..to);
    range.and_then(|range| buffer.get(range)).ok_or_else(|| {
        let message = format!("the view is {length} bytes from byte {from} of its buffer");
        let finding = Diagnostic::new(&VIEW_BOUNDS, path!("json", "bufferViews", view), message);
        Box::new(finding.expected(format!("a view within the buffer's {} bytes", buffer.len())))
    })
}

fn load<'a>(file: &'a File<'_>, source: &Source<'a>, index: usize, uri: Option<&str>) -> Loaded<'a> {
    let missing = |code, message: String, expected: &str| Loaded {
        bytes: Cow::Borrowed(&[]),
        problem: Some(Diagnostic::new(code, path!("json", "buffers", index), message).expected(expected)),
    };
    let there = |bytes| Loaded { bytes, problem: None };
    let Some(uri) = uri else {
        return match file.bin() {
            Some(bin) if index == 0 => there(Cow::Borrowed(bin)),
            _ => missing(
                &BUFFER_MISSING,
                "the buffer has no uri, and there is no binary chunk for it".into(),
                "a uri, or the binary chunk of a GLB for the first buffer",
            ),
        };
    };
    match uri::resolve(uri) {
        Location::Data(Ok((_, bytes))) => there(Cow::Owned(bytes)),
        Location::Data(Err(why)) => {
            missing(&DATA_URI, format!("the data URI cannot be read: {why}"), "data:;base64, and base64")
        }
        Location::Remote => {
            missing(&BUFFER_MISSING, format!("{} is not fetched", shortened(uri)), "a file next to this one")
        }
        Location::File(name) => match fetch(source, &name, uri) {
            Some(bytes) => there(bytes),
            None => missing(&BUFFER_MISSING, lacks(source, &name, uri), "the file it names"),
        },
    }
}

/// A companion file, by its name or, where writers forgot to escape it, by its URI.
pub fn fetch<'a>(source: &Source<'a>, name: &str, uri: &str) -> Option<Cow<'a, [u8]>> {
    source.resources.get(name).or_else(|| source.resources.get(uri))
}

/// What to say of a file that could not be fetched.
pub fn lacks(source: &Source<'_>, name: &str, uri: &str) -> String {
    match source.resources.obstacle(name).or_else(|| source.resources.obstacle(uri)) {
        Some(why) => format!("the file {name:?} cannot be read: {why}"),
        None => format!("there is no file {name:?} next to this one"),
    }
}

/// The beginning of a long text.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{:?}..", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}
