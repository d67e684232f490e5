//! `EXT_meshopt_compression` and `KHR_meshopt_compression`: views whose bytes are stored compressed.
//!
//! Written from the text of the two extensions. The second is the first with another form of attributes and a filter for colours, so one
//! decoder serves both. A stream does not say how long it is when decoded; the JSON does, and what is decoded must be that
//! long to the byte. Memory grows with what has really been decoded: a stream that promises more than it holds fails first.

mod attributes;
mod filters;
mod indices;
#[cfg(test)]
mod tests;

use super::schema::MeshoptCompression;

/// Why a stream cannot be decoded.
type Decoded<T> = Result<T, &'static str>;

const CUT: &str = "the compressed bytes end too early";

/// Decodes a stream.
pub fn decode(stored: &MeshoptCompression, stream: &[u8]) -> Decoded<Vec<u8>> {
    let MeshoptCompression { byte_stride: stride, count, .. } = *stored;
    let filter = stored.filter.as_deref().unwrap_or("NONE");
    match stored.mode.as_str() {
        "ATTRIBUTES" => {
            if !(4..=256).contains(&stride) || !stride.is_multiple_of(4) {
                return Err("the stride of attributes is no multiple of 4 from 4 to 256");
            }
            let mut bytes = attributes::decode(stream, count, stride)?;
            filters::apply(filter, &mut bytes, stride)?;
            Ok(bytes)
        }
        "TRIANGLES" | "INDICES" if !matches!(stride, 2 | 4) => Err("the stride of indices is neither 2 nor 4"),
        "TRIANGLES" | "INDICES" if filter != "NONE" => Err("indices have no filter"),
        "TRIANGLES" if !count.is_multiple_of(3) => Err("the indices make no whole triangles"),
        "TRIANGLES" => indices::triangles(stream, count / 3).map(|decoded| indices::stored(&decoded, stride)),
        "INDICES" => indices::sequence(stream, count).map(|decoded| indices::stored(&decoded, stride)),
        _ => Err("the mode is none of ATTRIBUTES, TRIANGLES and INDICES"),
    }
}

/// Takes bytes off the front of a stream.
fn take<'s>(stream: &mut &'s [u8], count: usize) -> Decoded<&'s [u8]> {
    let (taken, rest) = stream.split_at_checked(count).ok_or(CUT)?;
    *stream = rest;
    Ok(taken)
}

/// Takes a byte off the front of a stream.
fn byte(stream: &mut &[u8]) -> Decoded<u8> {
    let (&first, rest) = stream.split_first().ok_or(CUT)?;
    *stream = rest;
    Ok(first)
}
