//! A walk over JSON text, value by value: which bytes a path such as `nodes[3].mesh` leads to.
//!
//! It runs only to find the byte offset of a path, or the path of an offset. It must cope with any bytes, because what is wrong may be
//! the JSON itself: where the text cannot be parsed, the rest of it is one nameless run of bytes.

use crate::walk::Walker;
use maquette_scene::Segment;

/// How deep values are walked one by one; the parser goes no deeper either.
const DEEPEST: usize = 128;

/// Walks a JSON text under this name. Punctuation, keys and spaces are leaves without a name.
pub fn walk(walker: &mut Walker<'_>, name: &'static str, text: &[u8]) {
    let mut json = JsonWalk { text, walked: 0, at: 0 };
    json.skip_to_value();
    json.value(walker, name.into(), 0);
    json.at = text.len();
    json.gap(walker);
}

struct JsonWalk<'t> {
    text: &'t [u8],
    /// Everything before this has been walked.
    walked: usize,
    at: usize,
}

impl JsonWalk<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_to_value(&mut self) {
        while self
            .peek()
            .is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b':' | b'\xef' | b'\xbb' | b'\xbf'))
        {
            self.at += 1;
        }
    }

    /// The bytes since the last that were walked.
    fn pending(&mut self) -> &[u8] {
        let bytes = self.text.get(self.walked..self.at).unwrap_or_default();
        self.walked = self.at;
        bytes
    }

    fn gap(&mut self, walker: &mut Walker<'_>) {
        let bytes = self.pending();
        if !bytes.is_empty() {
            walker.text("", bytes, "");
        }
    }

    fn value(&mut self, walker: &mut Walker<'_>, name: Segment, depth: usize) {
        self.gap(walker);
        match self.peek() {
            Some(b'{') if depth < DEEPEST => walker.group(name, |walker| self.members(walker, depth + 1)),
            Some(b'[') if depth < DEEPEST => walker.list(name, |walker| self.elements(walker, depth + 1)),
            Some(b'{' | b'[') => self.at = self.text.len(),
            Some(b'"') => {
                self.string();
                walker.text(name, self.pending(), "");
            }
            _ => {
                while self.peek().is_some_and(|byte| !byte.is_ascii_whitespace() && !b",]}".contains(&byte)) {
                    self.at += 1;
                }
                walker.text(name, self.pending(), "");
            }
        }
    }

    fn elements(&mut self, walker: &mut Walker<'_>, depth: usize) {
        self.at += 1;
        for index in 0.. {
            self.skip_to_value();
            if !matches!(self.peek(), None | Some(b']' | b'}' | b',')) {
                self.value(walker, index.into(), depth);
            }
            if !self.goes_on() {
                break;
            }
        }
        self.gap(walker);
    }

    fn members(&mut self, walker: &mut Walker<'_>, depth: usize) {
        self.at += 1;
        loop {
            self.skip_to_value();
            if self.peek() == Some(b'"') {
                let key = self.string();
                let name = Segment::Name(String::from_utf8_lossy(key).into_owned().into());
                self.skip_to_value();
                self.value(walker, name, depth);
            }
            if !self.goes_on() {
                break;
            }
        }
        self.gap(walker);
    }

    /// Takes what stands after a value: whether another follows. Anything else ends the walk.
    fn goes_on(&mut self) -> bool {
        self.skip_to_value();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                true
            }
            Some(b']' | b'}') => {
                self.at += 1;
                false
            }
            _ => {
                self.at = self.text.len();
                false
            }
        }
    }

    /// Takes a string; what stands between its quotes.
    fn string(&mut self) -> &[u8] {
        let start = self.at + 1;
        self.at = start;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'"' => return self.text.get(start..self.at - 1).unwrap_or_default(),
                _ => {}
            }
        }
        self.at = self.text.len();
        self.text.get(start..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate;
    use crate::walk::Walk;
    use maquette_scene::{Diagnostic, Report, codes};

    codes! {
        /// Something is wrong here, to be found in the text.
        HERE = "TST0001" "here" Error;
    }

    struct Text<'t>(&'t str);

    impl Walk for Text<'_> {
        fn walk(&self, walker: &mut Walker<'_>) {
            walk(walker, "json", self.0.as_bytes());
        }
    }

    fn found(text: &str, path: &str) -> Option<u64> {
        let mut report = Report::default();
        report.push(Diagnostic::new(CODES[0], path.parse().unwrap(), "x"));
        locate::resolve(&Text(text), &mut report);
        report.items()[0].offset
    }

    #[test]
    fn a_path_leads_to_its_value() {
        let text = r#" {"a":[1, {"b,]}\"":true}, "x"], "c" : -2.5e3}"#;
        assert_eq!(found(text, "json"), Some(1));
        assert_eq!(found(text, "json.a"), Some(6));
        assert_eq!(found(text, "json.a[1]"), Some(10));
        assert_eq!(found(text, "json.a[2]"), text.find("\"x\"").map(|at| at as u64));
        assert_eq!(found(text, "json.c"), text.find("-2").map(|at| at as u64));
        assert_eq!(found(text, "json.a[7].x"), Some(6), "the deepest part that exists");
    }

    #[test]
    fn a_byte_leads_to_its_path() {
        let text = r#"{"nodes":[{"mesh":"x"}]}"#;
        let at = text.find("\"x").unwrap() as u64;
        assert_eq!(locate::field_at(&Text(text), at + 1).unwrap().path.to_string(), "json.nodes[0].mesh");
    }

    #[test]
    fn any_text_is_walked_in_full() {
        let deep = "[".repeat(100_000);
        for text in
            ["", "{", "[", "{\"", "{\"a", "{\"a\"", "{\"a\":", "[1", "[,", "{,}", "]", "}{", "[}", "{]", "\"\\", &deep]
        {
            assert_eq!(crate::walk::encode(&Text(text)), text.as_bytes(), "{text:.9}");
        }
    }
}
