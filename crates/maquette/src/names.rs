//! Names of companions where a file's own name is not text.
//!
//! Formats make the names of companions from the file's name as text. On most systems a name is any bytes, and what is not text in it is lost that
//! way; here it comes back.

use maquette_formats::format::Format;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The name under which a companion is written beside `file`, for the name that the format gave it. A companion that is found by the file's own
/// name follows it byte by byte; one that the file names keeps the name it has there.
pub fn companion(format: &Format, file: &OsStr, name: &str) -> OsString {
    let shown = file.to_string_lossy();
    let found_by_name = format.companions.iter().any(|naming| naming.apply(&shown) == name);
    if found_by_name { exact(file, name) } else { name.into() }
}

/// `derived`, made from `file` as text by adding to it or by another extension, made from `file` itself.
pub(crate) fn exact(file: &OsStr, derived: &str) -> OsString {
    let stem = Path::new(file).file_stem().unwrap_or_default();
    [file, stem]
        .into_iter()
        .find_map(|kept| {
            let added = derived.strip_prefix(&*kept.to_string_lossy())?;
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
        assert_eq!(made("nlm", b"caf\xe9.nlm", "caf\u{fffd}.nlm.hash"), b"caf\xe9.nlm.hash");
        assert_eq!(made("bmw", b"a.\xff.bmw", "a.\u{fffd}.json"), b"a.\xff.json");
        assert_eq!(made("nlm", "café.nlm".as_bytes(), "café.nlm.hash"), "café.nlm.hash".as_bytes());
    }

    #[test]
    fn companions_that_the_file_names_are_called_so() {
        assert_eq!(made("gltf", b"caf\xe9.gltf", "caf\u{fffd}.bin"), "caf\u{fffd}.bin".as_bytes());
        assert_eq!(made("bmw", b"\xff.bmw", "checker.png"), b"checker.png");
    }
}
