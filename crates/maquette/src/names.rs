//! Names of companions where a file's own name is not text.
//!
//! Formats make the names of companions from the file's name as text. On most systems a name is any bytes; what is not text in it is
//! spelled out, so that two names never become one, and comes back where a companion is found by the file's own name.

use maquette_formats::format::Format;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// A name as text, with bytes that are none as two digits: `caf%E9`.
pub fn text(name: &OsStr) -> String {
    let mut text = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("%{byte:02X}")));
    }
    text
}

/// The last part of a path as text; empty where it has none.
pub fn file_name(path: &Path) -> String {
    path.file_name().map(text).unwrap_or_default()
}

/// The name under which a companion is written beside `file`, for the name that the format gave it. A companion that is found by the file's own
/// name follows it byte by byte; one that the file names keeps the name it has there.
pub fn companion(format: &Format, file: &OsStr, name: &str) -> OsString {
    let shown = text(file);
    let found_by_name = format.companions.iter().any(|naming| naming.apply(&shown) == name);
    if found_by_name { exact(file, name) } else { name.into() }
}

/// `derived`, made from `file` as text by adding to it or by another extension, made from `file` itself.
pub(crate) fn exact(file: &OsStr, derived: &str) -> OsString {
    let stem = Path::new(file).file_stem().unwrap_or_default();
    [file, stem]
        .into_iter()
        .find_map(|kept| {
            let added = derived.strip_prefix(&text(kept))?;
            let mut name = kept.to_owned();
            name.push(added);
            Some(name)
        })
        .unwrap_or_else(|| derived.into())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use maquette_formats::format::BUILT_IN;
    use std::os::unix::ffi::OsStrExt;

    fn made(format: &str, file: &[u8], name: &str) -> Vec<u8> {
        companion(BUILT_IN.by_id(format).unwrap(), OsStr::from_bytes(file), name).as_bytes().to_vec()
    }

    #[test]
    fn companions_found_by_name_follow_every_byte_of_it() {
        assert_eq!(made("nlm", b"caf\xe9.nlm", "caf%E9.nlm.hash"), b"caf\xe9.nlm.hash");
        assert_eq!(made("bmw", b"a.\xff.bmw", "a.%FF.json"), b"a.\xff.json");
        assert_eq!(made("nlm", "café.nlm".as_bytes(), "café.nlm.hash"), "café.nlm.hash".as_bytes());
    }

    #[test]
    fn companions_that_the_file_names_are_called_so() {
        assert_eq!(made("gltf", b"caf\xe9.gltf", "caf%E9.bin"), b"caf%E9.bin");
        assert_eq!(made("bmw", b"\xff.bmw", "checker.png"), b"checker.png");
    }
}
