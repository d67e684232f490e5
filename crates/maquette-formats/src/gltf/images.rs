//! Media types of images, and the image formats that they stand for.

/// Media types and the kinds they stand for.
const TYPES: &[(&str, &str, &[&str])] = &[
    ("image/png", "PNG", &["png"]),
    ("image/jpeg", "JPEG", &["jpg", "jpeg"]),
    ("image/webp", "WebP", &["webp"]),
    ("image/ktx2", "KTX", &["ktx2", "ktx"]),
    ("image/vnd-ms.dds", "DDS", &["dds"]),
    ("image/gif", "GIF", &["gif"]),
    ("image/bmp", "BMP", &["bmp"]),
    ("image/tiff", "TIFF", &["tif", "tiff"]),
    ("image/x-tga", "TGA", &["tga"]),
    ("image/vnd.radiance", "HDR", &["hdr"]),
    ("image/vnd.adobe.photoshop", "PSD", &["psd"]),
];

/// The kind that a media type stands for.
pub fn kind_of_mime(mime: &str) -> Option<&'static str> {
    TYPES.iter().find(|(known, ..)| *known == mime).map(|(_, kind, _)| *kind)
}

/// The media type of a kind.
pub fn mime_of_kind(kind: &str) -> &'static str {
    TYPES.iter().find(|(_, known, _)| *known == kind).map_or("application/octet-stream", |(mime, ..)| mime)
}

/// The media type that the extension of a file name stands for.
pub fn mime_of_name(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    let known = |(.., endings): &&(&str, &str, &[&str])| endings.iter().any(|known| known.eq_ignore_ascii_case(ending));
    TYPES.iter().find(known).map(|(mime, ..)| *mime)
}
