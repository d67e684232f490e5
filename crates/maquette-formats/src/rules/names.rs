//! Names: text that people and lookups rely on.

use crate::summary::shown;
use maquette_scene::{Code, Diagnostic, Path, Report};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Reports text that is not UTF-8.
pub fn utf8(report: &mut Report, code: &'static Code, at: Path, text: &[u8]) {
    if let Err(error) = std::str::from_utf8(text) {
        let message = format!("{:?} is not UTF-8 from its byte {}", shown(text), error.valid_up_to());
        report.push(Diagnostic::new(code, at, message).expected("UTF-8 text"));
    }
}

/// Reports text that is empty.
pub fn not_empty(report: &mut Report, code: &'static Code, at: Path, text: &[u8]) {
    if text.is_empty() {
        report.push(Diagnostic::new(code, at, "the name is empty").expected("a name"));
    }
}

/// Reports text with a NUL byte in it, where its length is counted.
pub fn no_nul(report: &mut Report, code: &'static Code, at: Path, text: &[u8]) {
    if let Some(nul) = text.iter().position(|&byte| byte == 0) {
        let message = format!("byte {nul} of {:?} is NUL", shown(text));
        report.push(Diagnostic::new(code, at, message).expected("text without NUL bytes"));
    }
}

/// Reports names that occur again, empty ones aside; `at` gives the path of a name.
pub fn unique<'a>(
    report: &mut Report,
    code: &'static Code,
    names: impl IntoIterator<Item = &'a [u8]>,
    at: impl Fn(usize) -> Path,
) {
    let mut first = HashMap::new();
    for (index, name) in names.into_iter().enumerate() {
        match first.entry(name) {
            Entry::Vacant(slot) => {
                slot.insert(index);
            }
            Entry::Occupied(earlier) if !name.is_empty() => {
                let message = format!("{:?} is also the name of {}", shown(name), at(*earlier.get()));
                report.push(Diagnostic::new(code, at(index), message).expected("unique names"));
            }
            Entry::Occupied(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::{codes, path};

    codes! {
        /// Duplicate.
        DUPLICATE = "TST0001" "duplicate" Error;
    }

    #[test]
    fn the_second_of_a_name_is_reported_with_the_first() {
        let mut report = Report::default();
        let names: [&[u8]; 5] = [b"a", b"", b"b", b"", b"a"];
        unique(&mut report, &DUPLICATE, names, |index| path!("bones", index, "name"));
        assert_eq!(CODES.len(), report.items().len());
        assert_eq!(report.items()[0].path.to_string(), "bones[4].name");
        assert!(report.items()[0].message.contains("bones[0].name"));
    }
}
