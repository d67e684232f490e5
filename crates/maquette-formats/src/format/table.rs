//! Which formats a program knows, and finding the one that a file is in.

use super::{Error, Foreign, Format, RawFile};
use crate::part::Part;
use crate::walk::{Walk, Walker};
use std::cmp::Reverse;

/// The formats of this crate, in the order they are listed and probed.
#[cfg(feature = "all-formats")]
pub static BUILT_IN: Formats<'static> = Formats::new(&[
    &crate::aem::FORMAT,
    &crate::nlm::FORMAT,
    &crate::pmdl::FORMAT,
    &crate::pani::FORMAT,
    &crate::pmat::FORMAT,
    &crate::bmw::FORMAT,
    &crate::seanim::FORMAT,
    &crate::gltf::FORMAT,
]);

/// The one format that is there without the feature `all-formats`.
#[cfg(not(feature = "all-formats"))]
pub static BUILT_IN: Formats<'static> = Formats::new(&[&crate::aem::FORMAT]);

/// A table of formats. [`BUILT_IN`] is the usual one; a program that knows more makes its own:
///
/// ```
/// use maquette_formats::format::{BUILT_IN, Format, Formats};
///
/// static MINE: Format = Format { id: "mine", name: "Mine", extensions: &["mine"], ..Format::TEMPLATE };
/// static KNOWN: Formats<'static> = BUILT_IN.with(&[&MINE]);
///
/// assert_eq!(KNOWN.by_extension("MINE").map(|format| format.id), Some("mine"));
/// assert_eq!(KNOWN.iter().count(), BUILT_IN.iter().count() + 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Formats<'t> {
    formats: &'t [&'static Format],
    then: Option<&'t Formats<'t>>,
}

impl Default for Formats<'_> {
    fn default() -> Self {
        BUILT_IN
    }
}

impl<'t> Formats<'t> {
    /// A table of these formats.
    pub const fn new(formats: &'t [&'static Format]) -> Formats<'t> {
        Formats { formats, then: None }
    }

    /// This table with more formats before it: where two have the same name or ending, the one that was added counts.
    pub const fn with(&'t self, formats: &'t [&'static Format]) -> Formats<'t> {
        Formats { formats, then: Some(self) }
    }

    /// Every format, in order.
    pub fn iter(&self) -> Iter<'t> {
        Iter { formats: self.formats.iter(), then: self.then }
    }

    /// The format of this id.
    pub fn by_id(&self, id: &str) -> Option<&'static Format> {
        self.iter().find(|format| format.id == id)
    }

    /// The format whose files have this extension, in any case.
    pub fn by_extension(&self, extension: &str) -> Option<&'static Format> {
        let known = |format: &&Format| format.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension));
        self.iter().find(known)
    }

    /// The format that the ending of a file name says.
    pub fn by_file_name(&self, name: &str) -> Option<&'static Format> {
        self.by_extension(name.rsplit_once('.')?.1)
    }

    /// The formats that claim these bytes, the surest first.
    pub fn probe(&self, bytes: &[u8]) -> Vec<&'static Format> {
        let mut claims: Vec<_> =
            self.iter().filter_map(|format| (format.probe)(bytes).map(|confidence| (confidence, format))).collect();
        claims.sort_by_key(|&(confidence, _)| Reverse(confidence));
        claims.into_iter().map(|(_, format)| format).collect()
    }

    /// Finds the format from the bytes and parses the file.
    ///
    /// Where several formats claim it, the first that reads it to the end wins; where none does, the error is
    /// that of the surest.
    pub fn open<'a>(
        &self,
        bytes: &'a [u8],
        dialect: Option<&str>,
    ) -> Result<Opened<'a>, (Option<&'static Format>, Error)> {
        let mut first_error = None;
        let mut with_trailing = None;
        for format in self.probe(bytes) {
            match (format.open)(bytes, dialect) {
                Ok(file) if file.trailing().is_empty() => return Ok(Opened { format, file }),
                Ok(file) => with_trailing = with_trailing.or(Some(Opened { format, file })),
                Err(error) => first_error = first_error.or(Some((Some(format), error))),
            }
        }
        if let Some(opened) = with_trailing {
            return Ok(opened);
        }
        Err(first_error.unwrap_or_else(|| (None, Error::UnknownFormat(self.foreign(bytes)))))
    }

    /// What there is of a file that cannot be opened because it ends too early or goes on for too long; `None` where that is not
    /// what is wrong with it.
    pub fn open_part<'a>(&self, bytes: &'a [u8], dialect: Option<&str>) -> Option<Part<'a>> {
        let file = self.probe(bytes).into_iter().find_map(|format| (format.open_part)(bytes, dialect).ok())?;
        Some(Part::new(bytes, file))
    }

    /// What bytes are that no format claims.
    fn foreign(&self, bytes: &[u8]) -> Option<Foreign> {
        let owner = self.iter().find(|format| (format.is_companion)(bytes));
        owner.map(Foreign::companion_of).or_else(|| Foreign::of(bytes))
    }
}

impl<'t> IntoIterator for Formats<'t> {
    type Item = &'static Format;
    type IntoIter = Iter<'t>;

    fn into_iter(self) -> Iter<'t> {
        self.iter()
    }
}

/// The formats of a table, in order.
#[derive(Clone, Debug)]
pub struct Iter<'t> {
    formats: std::slice::Iter<'t, &'static Format>,
    then: Option<&'t Formats<'t>>,
}

impl Iterator for Iter<'_> {
    type Item = &'static Format;

    fn next(&mut self) -> Option<&'static Format> {
        loop {
            if let Some(format) = self.formats.next() {
                return Some(format);
            }
            *self = self.then?.iter();
        }
    }
}

/// A parsed file with its format.
#[non_exhaustive]
pub struct Opened<'a> {
    /// What it is.
    pub format: &'static Format,
    /// What it holds.
    pub file: Box<dyn RawFile + 'a>,
}

impl Walk for Opened<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        self.file.walk(walker);
    }
}
