//! The hash of the source model: how it is meant to be computed, and the companion file that older models keep it in.

use crate::format::Naming;

/// The file that holds the hash of a model with a 12-byte header.
pub const HASH_FILE: Naming = Naming::Append(".hash");

/// Where FNV-1a starts: the hash of nothing. The engine's own function reads past the end of its source before it
/// begins, so this is what all of its files hold.
pub const FNV_BASIS: u32 = 0x811C_9DC5;

const FNV_PRIME: u32 = 0x0100_0193;

/// The hash that the engine means to store: FNV-1a over the source's bytes, without carriage returns, and without
/// spaces and tabs that follow another, a line feed or the start of the file.
pub fn source_hash(source: &[u8]) -> u32 {
    let mut hash = FNV_BASIS;
    let mut after_space = true;
    for &byte in source {
        let blank = matches!(byte, b' ' | b'\t');
        if byte == b'\r' || (blank && after_space) {
            continue;
        }
        hash = (hash ^ u32::from(byte)).wrapping_mul(FNV_PRIME);
        after_space = blank || byte == b'\n';
    }
    hash
}

/// The number in a side file: decimal digits, with blanks around them at most.
pub fn side_hash(text: &[u8]) -> Option<u32> {
    let digits = text.trim_ascii();
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}
