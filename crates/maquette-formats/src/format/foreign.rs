//! Files that no format here claims: what they are, and what to do with them.
//!
//! People name the archive instead of the model in it, the texture instead of the model that shows it, a web page that came in place of
//! a download. A look at the first bytes tells, and saves them the search. One row a kind; the first that fits is taken, so
//! kinds that begin alike stand from the narrow to the wide.

use super::Format;
use std::borrow::Cow;
use std::fmt;

/// What a file is that is not read here, and what to do with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// `a ZIP archive`
    pub what: Cow<'static, str>,
    /// `unpack it and name the model in it`
    pub advice: Cow<'static, str>,
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is {}; {}", self.what, self.advice)
    }
}

impl Foreign {
    /// What these bytes are; `None` for bytes that nothing is known about.
    pub fn of(bytes: &[u8]) -> Option<Foreign> {
        let (_, what, advice) = KINDS.iter().find(|(sign, ..)| sign.is_on(bytes))?;
        Some(Foreign { what: (*what).into(), advice: (*advice).into() })
    }

    /// A companion file in the place of its model.
    pub fn companion_of(format: &Format) -> Foreign {
        let ending = format.extensions.first().copied().unwrap_or_default();
        Foreign {
            what: format!("a companion file of {} models, by the look of it", format.name).into(),
            advice: format!("name the model (.{ending}) and leave this in the same folder").into(),
        }
    }
}

/// How a kind of file is known.
enum Sign {
    /// It begins so.
    Begins(&'static [u8]),
    /// These bytes stand at this offset.
    At(usize, &'static [u8]),
    /// It is text that begins so, in any case, after blanks and a byte order mark.
    TextBegins(&'static str),
    /// It is text of which this holds. It sees no more than the first bytes.
    Text(fn(&str) -> bool),
    /// Its bytes pass this test, for kinds that no fixed text tells.
    Bytes(fn(&[u8]) -> bool),
}

impl Sign {
    fn is_on(&self, bytes: &[u8]) -> bool {
        match self {
            Sign::Begins(magic) => bytes.starts_with(magic),
            Sign::At(offset, magic) => bytes.get(*offset..).is_some_and(|rest| rest.starts_with(magic)),
            Sign::TextBegins(word) => text(bytes).is_some_and(|text| begins(text, word)),
            Sign::Text(holds) => text(bytes).is_some_and(holds),
            Sign::Bytes(holds) => holds(bytes),
        }
    }
}

const EXPORT_AGAIN: &str = "copy, download or export it again";
const UNPACK: &str = "unpack it and name the model in it";
const NAME_ITS_MODEL: &str = "name the model that shows it; textures are read with their model";
const BLENDER: &str = "open it in Blender and export a .glb, which is read";
const LATER: &str =
    "this is not read yet; export the model as .glb with a tool that reads it, such as Blender with an add-on";

#[rustfmt::skip]
const KINDS: &[(Sign, &str, &str)] = &[
    (Sign::Bytes(<[u8]>::is_empty), "empty", EXPORT_AGAIN),
    (Sign::Bytes(is_zeros), "nothing but zeros", EXPORT_AGAIN),
    (Sign::Begins(b"version https://git-lfs"), "a pointer of Git LFS in the place of the file", "fetch the file with `git lfs pull`"),

    (Sign::Begins(b"SEModel"), "an SEModel", LATER),
    (Sign::Begins(b"cast"), "a Cast file", LATER),
    (Sign::Begins(b"Kaydara FBX Binary"), "FBX", "make a .glb of it with Blender or FBX2glTF, which is read"),
    (Sign::TextBegins("; FBX"), "FBX as text", "make a .glb of it with Blender or FBX2glTF, which is read"),
    (Sign::Begins(b"BLENDER"), "a Blender file", BLENDER),
    (Sign::Begins(b"PXR-USDC"), "USD", BLENDER),
    (Sign::Begins(b"#usda"), "USD as text", BLENDER),
    (Sign::Bytes(is_usdz), "USDZ", BLENDER),
    (Sign::Text(is_collada), "Collada", "make a .glb of it with Blender (up to 4.5) or COLLADA2GLTF, which is read"),
    (Sign::Begins(b"ply\n"), "a PLY model", BLENDER),
    (Sign::Begins(b"ply\r"), "a PLY model", BLENDER),
    (Sign::Text(is_text_stl), "an STL model as text", BLENDER),
    (Sign::Bytes(is_binary_stl), "an STL model", BLENDER),
    (Sign::Text(is_obj), "an OBJ model", BLENDER),
    (Sign::Text(is_mtl), "the materials of an OBJ model", "open the .obj in Blender and export a .glb, which is read"),
    (Sign::TextBegins("HIERARCHY"), "a BVH animation", BLENDER),
    (Sign::Begins(b"Ogawa"), "Alembic", BLENDER),
    (Sign::Begins(b"PMX "), "an MMD model", "open it in Blender with an add-on that reads it, and export a .glb, which is read"),
    (Sign::TextBegins("//Maya"), "a Maya scene", "export it as .glb or FBX from Maya"),

    (Sign::Begins(b"PK\x03\x04"), "a ZIP archive", UNPACK),
    (Sign::Begins(b"PK\x05\x06"), "an empty ZIP archive", EXPORT_AGAIN),
    (Sign::Begins(b"\x1f\x8b"), "compressed with gzip", "decompress it (`gunzip`) and name what comes out"),
    (Sign::Begins(b"7z\xbc\xaf\x27\x1c"), "a 7z archive", UNPACK),
    (Sign::Begins(b"Rar!\x1a\x07"), "a RAR archive", UNPACK),
    (Sign::Begins(b"\xfd7zXZ\0"), "compressed with xz", "decompress it (`unxz`) and name what comes out"),
    (Sign::Begins(b"\x28\xb5\x2f\xfd"), "compressed with Zstandard", "decompress it (`unzstd`) and name what comes out"),
    (Sign::Begins(b"BZh"), "compressed with bzip2", "decompress it (`bunzip2`) and name what comes out"),
    (Sign::At(257, b"ustar"), "a tar archive", UNPACK),

    (Sign::Begins(b"\x89PNG\r\n\x1a\n"), "a PNG image", NAME_ITS_MODEL),
    (Sign::Begins(b"\xff\xd8\xff"), "a JPEG image", NAME_ITS_MODEL),
    (Sign::At(8, b"WEBP"), "a WebP image", NAME_ITS_MODEL),
    (Sign::Begins(b"\xabKTX 20\xbb\r\n\x1a\n"), "a KTX2 texture", NAME_ITS_MODEL),
    (Sign::Begins(b"\xabKTX 11\xbb\r\n\x1a\n"), "a KTX texture", NAME_ITS_MODEL),
    (Sign::Begins(b"DDS "), "a DDS texture", NAME_ITS_MODEL),
    (Sign::Begins(b"GIF8"), "a GIF image", NAME_ITS_MODEL),
    (Sign::Begins(b"II*\0"), "a TIFF image", NAME_ITS_MODEL),
    (Sign::Begins(b"MM\0*"), "a TIFF image", NAME_ITS_MODEL),
    (Sign::Begins(b"8BPS"), "a Photoshop image", NAME_ITS_MODEL),
    (Sign::Begins(b"\x76\x2f\x31\x01"), "an OpenEXR image", NAME_ITS_MODEL),
    (Sign::Begins(b"#?RADIANCE"), "a Radiance image", NAME_ITS_MODEL),
    (Sign::Bytes(is_bmp), "a BMP image", NAME_ITS_MODEL),
    (Sign::Bytes(is_tga), "a TGA image", NAME_ITS_MODEL),
    (Sign::Text(is_svg), "an SVG drawing", NAME_ITS_MODEL),

    (Sign::Text(is_html), "a web page", "the server sent a page in the place of the file: download the file itself, without logging in or a preview"),
    (Sign::TextBegins("<?xml"), "XML of a kind that is not read", "`maquette formats` lists what is read"),
    (Sign::Text(is_json), "JSON, and not glTF", "`maquette formats` lists what is read"),
    (Sign::Begins(b"%PDF"), "a PDF document", "`maquette formats` lists what is read"),
    (Sign::Text(|text| !text.trim().is_empty()), "plain text", "`maquette formats` lists what is read"),
];

/// As much as a look takes.
const HEAD_BYTES: usize = 4096;

/// The first bytes as text, without a byte order mark; `None` where they are none.
fn text(bytes: &[u8]) -> Option<&str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // A character that the end of the head cuts in two.
        Err(cut) if cut.error_len().is_none() => std::str::from_utf8(head.get(..cut.valid_up_to())?).ok()?,
        Err(_) => return None,
    };
    let is_printed = |character: char| !character.is_control() || character.is_ascii_whitespace();
    text.chars().all(is_printed).then_some(text)
}

/// Whether a text begins with a word, in any case.
fn begins(text: &str, word: &str) -> bool {
    text.trim_start().get(..word.len()).is_some_and(|first| first.eq_ignore_ascii_case(word))
}

fn contains(text: &str, word: &str) -> bool {
    text.to_ascii_lowercase().contains(word)
}

fn is_zeros(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}

/// A number of the file in 32 bits.
fn number(bytes: &[u8], offset: usize) -> Option<u32> {
    bytes.get(offset..)?.first_chunk().copied().map(u32::from_le_bytes)
}

/// A ZIP archive whose first file is USD.
fn is_usdz(bytes: &[u8]) -> bool {
    let name_bytes = number(bytes, 26).unwrap_or_default() as u16;
    let name = bytes.get(30..30 + usize::from(name_bytes)).unwrap_or_default();
    bytes.starts_with(b"PK\x03\x04") && [&b".usdc"[..], b".usda", b".usd"].iter().any(|ending| name.ends_with(ending))
}

fn is_collada(text: &str) -> bool {
    begins(text, "<") && contains(text, "<collada")
}

fn is_svg(text: &str) -> bool {
    begins(text, "<") && contains(text, "<svg")
}

fn is_html(text: &str) -> bool {
    ["<!doctype html", "<html", "<head", "<script"].iter().any(|word| begins(text, word))
}

fn is_json(text: &str) -> bool {
    ["{", "["].iter().any(|brace| begins(text, brace))
}

fn is_text_stl(text: &str) -> bool {
    begins(text, "solid") && contains(text, "facet")
}

/// A header of 80 bytes, a count, and triangles of 50 bytes to the end.
fn is_binary_stl(bytes: &[u8]) -> bool {
    number(bytes, 80).is_some_and(|count| count > 0 && 84 + 50 * u64::from(count) == bytes.len() as u64)
}

/// The first word of each line that has one and is no comment.
fn first_words(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.split_whitespace().next()).filter(|word| !word.starts_with('#'))
}

fn is_obj(text: &str) -> bool {
    const WORDS: &[&str] = &["v", "vn", "vt", "vp", "f", "l", "p", "o", "g", "s", "mtllib", "usemtl"];
    let whole_lines = text.rfind('\n').and_then(|end| text.get(..end)).unwrap_or(text);
    first_words(whole_lines).next().is_some() && first_words(whole_lines).all(|word| WORDS.contains(&word))
}

fn is_mtl(text: &str) -> bool {
    first_words(text).next() == Some("newmtl")
}

/// Two letters are not enough; the size of the file follows them.
fn is_bmp(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BM") && number(bytes, 2) == u32::try_from(bytes.len()).ok()
}

fn is_tga(bytes: &[u8]) -> bool {
    bytes.ends_with(b"TRUEVISION-XFILE.\0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{BUILT_IN, Error};

    /// What a file that begins so is called, and what to do.
    fn said(bytes: &[u8]) -> String {
        match BUILT_IN.open(bytes, None).map(|_| ()) {
            Err((None, error @ Error::UnknownFormat(Some(_)))) => error.to_string(),
            other => panic!("{:?} gives {other:?}", String::from_utf8_lossy(bytes)),
        }
    }

    fn with_zeros(begin: &[u8], bytes: usize) -> Vec<u8> {
        let mut file = begin.to_vec();
        file.resize(bytes.max(file.len()), 0);
        file
    }

    #[test]
    fn every_kind_is_named_with_a_next_step() {
        let mut usdz = with_zeros(b"PK\x03\x04", 60);
        usdz[26] = 10;
        usdz[30..40].copy_from_slice(b"model.usdc");
        let mut stl = with_zeros(b"solid or not, a binary STL", 84 + 50 * 2);
        stl[80] = 2;
        let mut tar = with_zeros(b"models/", 512);
        tar[257..262].copy_from_slice(b"ustar");
        let mut bmp = with_zeros(b"BM", 64);
        bmp[2] = 64;
        let mut tga = with_zeros(&[0, 0, 2], 40);
        tga.extend(b"TRUEVISION-XFILE.\0");
        let cases: &[(&[u8], &str, &str)] = &[
            (b"", "it is empty", "export it again"),
            (&[0; 900], "nothing but zeros", "again"),
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "Git LFS", "git lfs pull"),
            (&with_zeros(b"SEModel\x01\0", 40), "an SEModel", "not read yet"),
            (&with_zeros(b"cast\x01\0\0\0", 40), "a Cast file", "not read yet"),
            (&with_zeros(b"Kaydara FBX Binary  \0\x1a\0", 100), "FBX", "FBX2glTF"),
            (b"; FBX 7.3.0 project file\n; Copyright", "FBX as text", "FBX2glTF"),
            (b"BLENDER-v306REND", "a Blender file", ".glb"),
            (&with_zeros(b"PXR-USDC\0\x08", 90), "USD", "Blender"),
            (b"#usda 1.0\n(\n)\n", "USD as text", "Blender"),
            (&usdz, "USDZ", "Blender"),
            (b"<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"\">", "Collada", "COLLADA2GLTF"),
            (b"ply\nformat ascii 1.0\n", "a PLY model", "Blender"),
            (b"ply\r\nformat binary_little_endian 1.0\r\n", "a PLY model", "Blender"),
            (b"solid cube\n facet normal 0 0 1\n", "an STL model as text", "Blender"),
            (&stl, "an STL model", "Blender"),
            (b"# a cube\nmtllib cube.mtl\no Cube\nv 1 1 1\nvn 0 1 0\nf 1//1 2//1 3//1\n", "an OBJ model", "Blender"),
            (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", "an OBJ model", "Blender"),
            (b"# cube\nnewmtl red\nKd 1 0 0\n", "the materials of an OBJ model", ".obj"),
            (b"HIERARCHY\nROOT Hips\n{\n", "a BVH animation", "Blender"),
            (&with_zeros(b"Ogawa\xff", 16), "Alembic", "Blender"),
            (&with_zeros(b"PMX \0\0\0\x40", 16), "an MMD model", "add-on"),
            (b"//Maya ASCII 2022 scene\n", "a Maya scene", "Maya"),
            (&with_zeros(b"PK\x03\x04\x14", 60), "a ZIP archive", "unpack"),
            (&with_zeros(b"PK\x05\x06", 22), "an empty ZIP archive", "again"),
            (b"\x1f\x8b\x08\0", "gzip", "gunzip"),
            (b"7z\xbc\xaf\x27\x1c\0\x04", "a 7z archive", "unpack"),
            (b"Rar!\x1a\x07\x01\0", "a RAR archive", "unpack"),
            (b"\xfd7zXZ\0\0\x04", "xz", "unxz"),
            (b"\x28\xb5\x2f\xfd\x24", "Zstandard", "unzstd"),
            (b"BZh91AY&SY\xff", "bzip2", "bunzip2"),
            (&tar, "a tar archive", "unpack"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image", "name the model"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG image", "name the model"),
            (b"RIFF\x10\0\0\0WEBPVP8L", "a WebP image", "name the model"),
            (b"\xabKTX 20\xbb\r\n\x1a\n", "a KTX2 texture", "name the model"),
            (b"\xabKTX 11\xbb\r\n\x1a\n", "a KTX texture", "name the model"),
            (&with_zeros(b"DDS |", 128), "a DDS texture", "name the model"),
            (b"GIF89a\x01\0", "a GIF image", "name the model"),
            (b"II*\0\x08\0", "a TIFF image", "name the model"),
            (b"MM\0*\0\0", "a TIFF image", "name the model"),
            (b"8BPS\0\x01", "a Photoshop image", "name the model"),
            (b"\x76\x2f\x31\x01\x02", "an OpenEXR image", "name the model"),
            (b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n", "a Radiance image", "name the model"),
            (&bmp, "a BMP image", "name the model"),
            (&tga, "a TGA image", "name the model"),
            (b"<svg xmlns=\"http://www.w3.org/2000/svg\">", "an SVG drawing", "name the model"),
            (b"\n<!DOCTYPE html>\n<html>", "a web page", "download the file itself"),
            (b"<HTML><BODY>404", "a web page", "download the file itself"),
            (b"<?xml version=\"1.0\"?><X3D>", "XML of a kind", "maquette formats"),
            (b"[1, 2]", "JSON, and not glTF", "maquette formats"),
            (br#"{ "name": "x", "scripts": {} }"#, "JSON, and not glTF", "maquette formats"),
            (b"%PDF-1.7\n%\xe2\xe3", "a PDF document", "maquette formats"),
            (b"hello", "plain text", "maquette formats"),
            ("\u{feff}vertices: 3, für später\r\n".as_bytes(), "plain text", "maquette formats"),
            (br#"{ "rotation": 90.0, "scale": "1 1 1" }"#, "a companion file of BMW models", "(.bmw)"),
            (br#"{ "defaultAnim": "idle", "textureOverrides": [] }"#, "a companion file of BMW models", "(.bmw)"),
            (b"2166136261\n", "a companion file of NLM models", "(.nlm)"),
        ];
        for (bytes, what, advice) in cases {
            let said = said(bytes);
            assert!(said.contains(what) && said.contains(advice), "{what}: {said}");
        }
        for (_, what, _) in KINDS {
            assert!(
                cases.iter().any(|(.., said, _)| what.contains(said) || said.contains(what)),
                "{what} is not tried"
            );
        }
    }

    #[test]
    fn nothing_is_made_up_about_unknown_bytes() {
        for bytes in
            [&b"\x01\x02\x03\x04"[..], b"\0MOD", b"BM\0\0\0\0", b"\xff\xfe", b"text\x1b[2Jwith control characters"]
        {
            let (format, error) = BUILT_IN.open(bytes, None).err().unwrap();
            assert!(format.is_none() && matches!(error, Error::UnknownFormat(None)), "{bytes:?}: {error}");
            assert!(error.to_string().contains("maquette formats"));
        }
    }

    #[test]
    fn a_look_takes_the_first_bytes_only_and_cuts_no_character() {
        let long = "é".repeat(HEAD_BYTES);
        assert!(said(long.as_bytes()).contains("plain text"));
        assert!(said(format!("x{long}").as_bytes()).contains("plain text"));
        let mut binary_behind = "a".repeat(HEAD_BYTES).into_bytes();
        binary_behind.extend([0xff, 0]);
        assert!(said(&binary_behind).contains("plain text"));
    }

    #[test]
    fn what_a_format_claims_is_never_foreign() {
        for format in BUILT_IN {
            for dialect in format.dialects {
                let bytes = (format.sample)(dialect.id).main;
                assert!(BUILT_IN.iter().all(|format| !(format.is_companion)(&bytes)), "{} {}", format.id, dialect.id);
                // Broken, it is still a file of its format.
                for length in [bytes.len() / 2, 64] {
                    let broken = &bytes[..length.min(bytes.len())];
                    if let Err((claimed, error)) = BUILT_IN.open(broken, None) {
                        assert_eq!(claimed.map(|format| format.id), Some(format.id), "{error}");
                    }
                }
            }
        }
    }
}
