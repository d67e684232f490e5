//! Why a file could not be read or written.

use super::{DialectInfo, Foreign};
use maquette_scene::Segment;
use maquette_scene::diag::Diagnostic;
use maquette_scene::valid::Invalid;
use std::fmt;

/// Why a file could not be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Its bytes contradict the format.
    Malformed(Box<Diagnostic>),
    /// It is legal, but beyond what is read here: another version, more items than any real file has.
    Unsupported(Box<Diagnostic>),
    /// The scene has nothing that the format could hold, or something that it cannot do without is missing.
    CannotHold(String),
    /// The scene is not valid, or not of the form that the format's writer relies on.
    Misfit(Box<Invalid>),
    /// No format claims its bytes; what they are instead, where that is known.
    UnknownFormat(Option<Foreign>),
    /// The format has no dialect of this name.
    UnknownDialect {
        /// The id of the format.
        format: &'static str,
        /// The dialect asked for.
        asked: String,
        /// The dialects it has.
        known: Vec<&'static str>,
    },
}

/// The result of reading or writing a file.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The same error seen from one step further out.
    #[cold]
    pub(crate) fn inside(mut self, segment: Segment) -> Error {
        if let Error::Malformed(diagnostic) | Error::Unsupported(diagnostic) = &mut self {
            diagnostic.path.prepend(segment);
        }
        self
    }

    /// The error that lists the dialects of a format.
    pub fn unknown_dialect(format: &'static str, dialects: &[DialectInfo], asked: &str) -> Error {
        Error::UnknownDialect {
            format,
            asked: asked.into(),
            known: dialects.iter().map(|dialect| dialect.id).collect(),
        }
    }

    /// The finding that stopped the read, if the bytes did.
    pub fn diagnostic(&self) -> Option<&Diagnostic> {
        match self {
            Error::Malformed(diagnostic) | Error::Unsupported(diagnostic) => Some(diagnostic),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Malformed(diagnostic) | Error::Unsupported(diagnostic) => diagnostic.fmt(f),
            Error::CannotHold(why) => f.write_str(why),
            Error::Misfit(invalid) => invalid.fmt(f),
            Error::UnknownFormat(Some(foreign)) => foreign.fmt(f),
            Error::UnknownFormat(None) => {
                f.write_str("not a known format; `maquette formats` lists what is understood")
            }
            Error::UnknownDialect { format, asked, known } => {
                write!(f, "{format} has no dialect `{asked}`; it has {}", known.join(", "))
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Self {
        Error::Misfit(Box::new(invalid))
    }
}
