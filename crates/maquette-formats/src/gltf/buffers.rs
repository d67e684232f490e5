//! The bytes behind the document: the chunk of a GLB, files beside it, data URIs.
//!
//! A buffer that cannot be had is no error until something reads from it; why it cannot be had is kept until then.

use super::check::{BUFFER_MISSING, BUFFER_SHORT, DATA_URI, REFERENCE, VIEW_BOUNDS};
use super::raw::File;
use super::schema::Document;
use super::uri::{self, Place};
use crate::format::Source;
use crate::rules::index_into;
use maquette_scene::{Diagnostic, path};
use std::borrow::Cow;
use std::collections::HashMap;

/// What goes on, or the finding that stops it.
pub type Found<T> = Result<T, Box<Diagnostic>>;

/// Every buffer of a document.
pub struct Buffers<'a> {
    loaded: Vec<Loaded<'a>>,
    /// Which of the loaded ones each buffer is: several may name one file.
    slots: Vec<usize>,
}

struct Loaded<'a> {
    bytes: Cow<'a, [u8]>,
    problem: Option<Diagnostic>,
}

impl<'a> Buffers<'a> {
    /// Fetches the buffers of a file.
    pub fn of(file: &'a File<'_>, source: &Source<'a>) -> Buffers<'a> {
        let mut buffers = Buffers { loaded: Vec::new(), slots: Vec::new() };
        let mut known: HashMap<&str, usize> = HashMap::new();
        for (index, buffer) in file.document.buffers.iter().enumerate() {
            let slot = buffers.loaded.len();
            let slot = buffer.uri.as_deref().map_or(slot, |uri| *known.entry(uri).or_insert(slot));
            if slot == buffers.loaded.len() {
                buffers.loaded.push(load(file, source, index, buffer.uri.as_deref()));
            }
            buffers.slots.push(slot);
        }
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
        let buffer = self.get(document, view.buffer)?;
        let from = view.byte_offset.unwrap_or(0);
        let range = from.checked_add(view.byte_length).map(|to| from..to);
        range.and_then(|range| buffer.get(range)).ok_or_else(|| {
            let message = format!("the view is {} bytes from byte {from} of its buffer", view.byte_length);
            let finding = Diagnostic::new(&VIEW_BOUNDS, path!("json", "bufferViews", index), message);
            Box::new(finding.expected(format!("a view within the buffer's {} bytes", buffer.len())))
        })
    }

    /// What is wrong with the buffers themselves.
    pub fn problems(&self, document: &Document) -> Vec<Diagnostic> {
        let mut problems: Vec<_> = self.loaded.iter().filter_map(|loaded| loaded.problem.clone()).collect();
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
    match uri::place(uri) {
        Place::Data(Ok((_, bytes))) => there(Cow::Owned(bytes)),
        Place::Data(Err(why)) => {
            missing(&DATA_URI, format!("the data URI cannot be read: {why}"), "data:;base64, and base64")
        }
        Place::Elsewhere => {
            missing(&BUFFER_MISSING, format!("{} is not fetched", shortened(uri)), "a file beside this one")
        }
        Place::Beside(name) => match fetch(source, &name, uri) {
            Some(bytes) => there(bytes),
            None => missing(&BUFFER_MISSING, format!("there is no file {name:?} beside this one"), "the file it names"),
        },
    }
}

/// A file beside, by its name or, where writers forgot to escape it, by its URI.
pub fn fetch<'a>(source: &Source<'a>, name: &str, uri: &str) -> Option<Cow<'a, [u8]>> {
    source.resources.get(name).or_else(|| source.resources.get(uri))
}

/// The beginning of a long text.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{:?}..", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}
