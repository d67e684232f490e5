//! What can go wrong, in one type: each variant says what, where and what would be right.

use maquette_formats::format::{self, Format};
use std::fmt;
use std::io;

/// Why something could not be done.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    Io {
        /// The file.
        file: String,
        /// What was being done to it.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The file's bytes could not be understood.
    Read {
        /// The file.
        file: String,
        /// The format it was taken for.
        format: Option<&'static Format>,
        /// What is wrong with it.
        source: format::Error,
    },
    /// What was asked for does not exist or does not fit; the text says what does.
    Request(String),
}

impl Error {
    /// Makes a failure of reading or writing a file an error that names it: `map_err(Error::io("a.aem", "read"))`.
    pub fn io(file: impl Into<String>, doing: &'static str) -> impl FnOnce(io::Error) -> Error {
        let file = file.into();
        move |source| Error::Io { file, doing, source }
    }

    /// Something was asked for that cannot be had.
    pub fn request(message: impl Into<String>) -> Error {
        Error::Request(message.into())
    }

    /// Whether the reader of our output went away, which is no failure.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io { file, doing, source } => write!(f, "cannot {doing} {file}: {source}"),
            Error::Read { file, source, .. } => write!(f, "cannot read {file}: {source}"),
            Error::Request(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io { source, .. } => Some(source),
            Error::Read { source, .. } => Some(source),
            Error::Request(_) => None,
        }
    }
}
