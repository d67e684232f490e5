//! Image files inside a model or as its companion files.

/// The kind of image these bytes begin like.
pub fn image_kind(bytes: &[u8]) -> Option<&'static str> {
    let begins = |magic: &[u8]| bytes.starts_with(magic);
    match () {
        () if begins(b"\x89PNG\r\n\x1a\n") => Some("PNG"),
        () if begins(b"\xff\xd8\xff") => Some("JPEG"),
        () if begins(b"DDS ") => Some("DDS"),
        () if begins(b"\xabKTX 11") || begins(b"\xabKTX 20") => Some("KTX"),
        () if begins(b"GIF87a") || begins(b"GIF89a") => Some("GIF"),
        () if begins(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") => Some("WebP"),
        () if begins(b"II*\0") || begins(b"MM\0*") => Some("TIFF"),
        () if begins(b"#?RADIANCE") => Some("HDR"),
        () if begins(b"8BPS") => Some("PSD"),
        () if begins(b"BM") && bytes.len() > 26 => Some("BMP"),
        () if looks_like_tga(bytes) => Some("TGA"),
        () => None,
    }
}

/// TGA has no magic; its header leaves little freedom.
fn looks_like_tga(bytes: &[u8]) -> bool {
    let Some(&[_, map, kind, .., wl, wh, hl, hh, depth, _]) = bytes.get(..18) else { return false };
    let depth_fits = matches!(depth, 8 | 15 | 16 | 24 | 32);
    map <= 1 && matches!(kind, 1 | 2 | 3 | 9 | 10 | 11) && depth_fits && (wl | wh) != 0 && (hl | hh) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_known_by_their_first_bytes() {
        assert_eq!(image_kind(b"\x89PNG\r\n\x1a\n...."), Some("PNG"));
        assert_eq!(image_kind(b"hello, world, this is text"), None);
        assert_eq!(image_kind(b""), None);
        let tga = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 24, 0, 0];
        assert_eq!(image_kind(&tga), Some("TGA"));
    }
}
