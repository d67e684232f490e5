//! Why a model was not loaded, kept for whoever asks: `aem_get_last_error`.

use crate::layout::{Error, LoadResult};
use maquette_formats::aem::check::UNSUPPORTED_VERSION;
use maquette_formats::format;
use maquette_scene::Diagnostic;
use std::cell::Cell;
use std::io;

/// Why a model was not loaded.
#[derive(Debug)]
pub struct Failure {
    pub result: LoadResult,
    error: Box<Error>,
}

impl Failure {
    /// One that no rule of the format has a code for.
    pub fn new(result: LoadResult, message: &str) -> Failure {
        Failure { result, error: Box::new(Error { message: text(message), ..Error::NONE }) }
    }

    /// There is no memory for what is in a file.
    pub fn no_memory() -> Failure {
        Failure::new(LoadResult::OutOfMemory, "there is not enough memory for what is in the file")
    }

    /// A file that could not be opened or read.
    pub fn io(error: &io::Error) -> Failure {
        let result = match error.kind() {
            io::ErrorKind::OutOfMemory => LoadResult::OutOfMemory,
            _ => LoadResult::FileNotFound,
        };
        Failure::new(result, &error.to_string())
    }

    /// A file that could not be parsed.
    pub fn format(error: &format::Error) -> Failure {
        match error.diagnostic() {
            Some(finding) => Failure::finding(finding),
            None => Failure::new(LoadResult::InvalidFileType, &error.to_string()),
        }
    }

    /// A rule that is broken.
    pub fn finding(finding: &Diagnostic) -> Failure {
        let is_version = finding.code.id == UNSUPPORTED_VERSION.id;
        let result = if is_version { LoadResult::InvalidVersion } else { LoadResult::InvalidFileType };
        let expected = finding.expected.as_ref().map(|expected| format!("; expected {expected}"));
        let error = Error {
            offset: finding.offset.unwrap_or(Error::NO_OFFSET),
            code: text(finding.code.id),
            path: text(&finding.path.to_string()),
            message: text(&format!("{}{}", finding.message, expected.unwrap_or_default())),
        };
        Failure { result, error: Box::new(error) }
    }
}

/// Text ended by a NUL, cut off between two characters where it is too long.
fn text<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let end = text.floor_char_boundary(N.saturating_sub(1));
    for (to, from) in bytes.iter_mut().zip(text.as_bytes().iter().take(end)) {
        // A NUL in a name would end the text early.
        *to = if *from == 0 { b'?' } else { *from };
    }
    bytes
}

thread_local! {
    static LAST: Cell<Option<Error>> = const { Cell::new(None) };
}

/// Remembers for this thread how a load went.
pub fn remember(outcome: Result<(), &Failure>) {
    LAST.set(outcome.err().map(|failure| *failure.error));
}

/// Why the last load of this thread failed, if it did.
pub fn last() -> Option<Error> {
    LAST.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_between_characters_and_ended() {
        assert_eq!(text::<4>("abcd"), *b"abc\0");
        assert_eq!(text::<4>("aé"), [b'a', 0xc3, 0xa9, 0]);
        assert_eq!(text::<4>("abé"), *b"ab\0\0");
        assert_eq!(text::<4>("a\0b"), *b"a?b\0");
        assert_eq!(text::<0>("a"), [0; 0]);
    }
}
