//! Which formats a program knows, and finding the one that a file is in.

use super::{Error, Foreign, Format, RawFile};
use std::cmp::Reverse;

/// The formats of this crate, in the order they are listed and probed.
pub static BUILT_IN: Formats<'static> = Formats(&[
    &crate::aem::FORMAT,
    &crate::nlm::FORMAT,
    &crate::pmdl::FORMAT,
    &crate::pani::FORMAT,
    &crate::pmat::FORMAT,
    &crate::bmw::FORMAT,
    &crate::seanim::FORMAT,
    &crate::gltf::FORMAT,
]);

/// A table of formats. [`BUILT_IN`] is the usual one; a program that knows more makes its own:
///
/// ```
/// use maquette_formats::format::{BUILT_IN, Format, Formats};
///
/// static MINE: Format = Format { id: "mine", name: "Mine", extensions: &["mine"], ..Format::TEMPLATE };
///
/// let known: Vec<&'static Format> = BUILT_IN.iter().chain([&MINE]).collect();
/// let formats = Formats::new(&known);
/// assert_eq!(formats.by_extension("MINE").map(|format| format.id), Some("mine"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Formats<'t>(&'t [&'static Format]);

impl Default for Formats<'_> {
    fn default() -> Self {
        BUILT_IN
    }
}

impl<'t> Formats<'t> {
    /// A table of these formats.
    pub const fn new(formats: &'t [&'static Format]) -> Formats<'t> {
        Formats(formats)
    }

    /// Every format, in order.
    pub fn iter(&self) -> impl Iterator<Item = &'static Format> + use<'t> {
        self.0.iter().copied()
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

    /// What bytes are that no format claims.
    fn foreign(&self, bytes: &[u8]) -> Option<Foreign> {
        let owner = self.iter().find(|format| (format.is_companion)(bytes));
        owner.map(Foreign::companion_of).or_else(|| Foreign::of(bytes))
    }
}

impl<'t> IntoIterator for Formats<'t> {
    type Item = &'static Format;
    type IntoIter = std::iter::Copied<std::slice::Iter<'t, &'static Format>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().copied()
    }
}

/// A parsed file with its format.
pub struct Opened<'a> {
    /// What it is.
    pub format: &'static Format,
    /// What it holds.
    pub file: Box<dyn RawFile + 'a>,
}
