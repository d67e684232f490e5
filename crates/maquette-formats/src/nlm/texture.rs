//! What an embedded image is, and where it ends by its own account: a texture's size may cut it off or run past it.

use crate::rules::images;

/// The end of an image among the bytes of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The first byte after the image.
    At(usize),
    /// The bytes end before the image does.
    Missing,
    /// Not a kind of image whose end is looked for.
    Unknown,
}

/// Where the image ends.
pub fn end(bytes: &[u8], kind: &str) -> End {
    let end = match kind {
        "PNG" => png_end(bytes),
        "JPEG" => jpeg_end(bytes),
        _ => return End::Unknown,
    };
    end.filter(|&end| end <= bytes.len()).map_or(End::Missing, End::At)
}

/// After the chunk IEND.
fn png_end(bytes: &[u8]) -> Option<usize> {
    let mut position: usize = 8;
    loop {
        let (head, _) = bytes.get(position..)?.split_first_chunk::<8>()?;
        let [a, b, c, d, kind @ ..] = *head;
        position = position.checked_add(u32::from_be_bytes([a, b, c, d]) as usize)?.checked_add(12)?;
        if &kind == b"IEND" {
            return Some(position);
        }
    }
}

/// After the marker EOI. Thumbnails inside a segment have their own, so segments are skipped by their length.
fn jpeg_end(bytes: &[u8]) -> Option<usize> {
    let mut position: usize = 2;
    loop {
        position = next_marker(bytes, position)?;
        match *bytes.get(position)? {
            0xd9 => return Some(position + 1),
            0x01 => position += 1,
            _ => {
                let (length, _) = bytes.get(position + 1..)?.split_first_chunk::<2>()?;
                position += 1 + usize::from(u16::from_be_bytes(*length));
            }
        }
    }
}

/// The code of the next marker that is neither a stuffed byte, nor fill, nor a restart: entropy-coded data may hold those.
fn next_marker(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let pair =
        rest.windows(2).position(|pair| matches!(pair, [0xff, code] if !matches!(code, 0x00 | 0xff | 0xd0..=0xd7)))?;
    Some(from + pair + 1)
}

/// The media type of an image, by its first bytes.
pub fn mime(bytes: &[u8]) -> &'static str {
    match images::image_kind(bytes) {
        Some("PNG") => "image/png",
        Some("JPEG") => "image/jpeg",
        Some("DDS") => "image/vnd-ms.dds",
        Some("KTX") if bytes.starts_with(b"\xabKTX 20") => "image/ktx2",
        Some("KTX") => "image/ktx",
        Some("GIF") => "image/gif",
        Some("WebP") => "image/webp",
        Some("TIFF") => "image/tiff",
        Some("HDR") => "image/vnd.radiance",
        Some("PSD") => "image/vnd.adobe.photoshop",
        Some("BMP") => "image/bmp",
        Some("TGA") => "image/x-tga",
        _ => "application/octet-stream",
    }
}
