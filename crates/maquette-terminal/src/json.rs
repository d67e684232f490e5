//! JSON for programs.

use crate::visible::steers;
use std::io::{self, Write};

/// JSON. It escapes most control characters itself; the others that do something may stand in its strings as they are, and are escaped here.
pub struct Json<W>(pub W);

impl<W: Write> Write for Json<W> {
    /// Whatever writes JSON writes whole characters.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let plain = |byte: &u8| *byte < 0x7f;
        if bytes.iter().all(plain) {
            self.0.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let mut rest = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        while let Some((at, letter)) = rest.char_indices().find(|(_, letter)| *letter >= '\u{7f}' && steers(*letter)) {
            let (before, after) = rest.split_at(at);
            self.0.write_all(before.as_bytes())?;
            write!(self.0, "\\u{:04x}", u32::from(letter))?;
            rest = after.strip_prefix(letter).unwrap_or_default();
        }
        self.0.write_all(rest.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_says_the_same_without_control_characters() {
        let name = "a\u{1b}\u{7f}é\u{80}\u{9f}\u{a0}Âz\u{9b}\u{2028}→\u{202e}\u{2066}end";
        let mut json = Json(Vec::new());
        serde_json::to_writer(&mut json, &[name, "\u{7f}"]).unwrap();
        let printed = String::from_utf8(json.0).unwrap();
        assert!(!printed.chars().any(steers), "{printed:?}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&printed).unwrap(), [name, "\u{7f}"]);
    }
}
