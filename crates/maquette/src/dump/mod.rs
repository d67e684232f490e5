//! The whole structure of a file, for people and for programs.
//!
//! All three forms are visitors of the file's walk: they name every byte, and they stream, so a dump of a large
//! file needs no more memory than the file.

mod hex;
mod json;
mod tree;
pub mod value;

use crate::{Error, Result};
use maquette_formats::locate::{self, Miss};
use maquette_formats::walk::{Visit, Walk, Walker};
use maquette_scene::Path;
use std::io::{self, Write};

/// How a dump looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// An indented tree; of long tables and lists, this many items.
    Tree {
        /// Items shown of each table or list; `None` for all.
        most: Option<usize>,
    },
    /// One JSON document with every field.
    Json,
    /// Every byte with its offset, and every field with its name and value.
    Hex,
}

/// Writes the structure of a file or of what there is of it, or the part of it at `section`.
pub fn dump(file: &dyn Walk, form: Form, section: Option<&Path>, out: &mut dyn Write) -> Result<()> {
    match form {
        Form::Tree { most } => run(file, section, tree::Tree::new(out, most)),
        Form::Json => run(file, section, json::Json::new(out, section)),
        Form::Hex => run(file, section, hex::Hex::new(out, section)),
    }
}

/// A form of dump: a visitor that writes.
trait Dumper: Visit {
    /// Ends the dump and says whether all could be written.
    fn finish(self) -> io::Result<()>;
}

fn run(file: &dyn Walk, section: Option<&Path>, mut form: impl Dumper) -> Result<()> {
    match section {
        None => file.walk(&mut Walker::new(&mut form)),
        Some(path) => locate::section(file, path, &mut form).map_err(|miss| missing(path, &miss))?,
    }
    form.finish().map_err(Error::io("output", "write"))
}

fn missing(path: &Path, miss: &Miss) -> Error {
    let there = match miss.children.as_slice() {
        [] => "it has no parts".into(),
        children => format!("it has {}", children.join(", ")),
    };
    let inside = if miss.reached.segments().is_empty() { "the file".into() } else { miss.reached.to_string() };
    Error::NoSuchPath { path: path.to_string(), why: format!("looking into {inside}, {there}") }
}

/// Writes until something fails, and remembers what.
struct Sink<'o> {
    out: &'o mut dyn Write,
    failed: Option<io::Error>,
}

impl<'o> Sink<'o> {
    fn new(out: &'o mut dyn Write) -> Self {
        Sink { out, failed: None }
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        if self.failed.is_none() {
            self.failed = self.out.write_fmt(text).err();
        }
    }

    fn finish(self) -> io::Result<()> {
        self.failed.map_or_else(|| self.out.flush(), Err)
    }
}
