//! Text that C can read.

use std::ffi::{CString, c_char};

/// Text that ends with a NUL and holds none.
#[derive(Clone, Debug, Default)]
pub struct Text(CString);

impl Text {
    /// A NUL inside becomes U+FFFD.
    pub fn new(text: &str) -> Text {
        Text(CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default())
    }

    /// As it was given, but for NULs.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    /// Valid while the text is.
    pub fn as_ptr(&self) -> *const c_char {
        self.0.as_ptr()
    }
}

/// The text at a place of a list; null beyond its end.
pub fn at(texts: &[Text], index: usize) -> *const c_char {
    texts.get(index).map_or(std::ptr::null(), Text::as_ptr)
}

/// An index as C has it: -1 for none.
pub fn index(index: Option<usize>) -> i32 {
    index.and_then(|index| i32::try_from(index).ok()).unwrap_or(-1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_text_early() {
        assert_eq!(Text::new("a\0b").0.to_str(), Ok("a\u{fffd}b"));
    }
}
