//! Image files to pixels: PNG, JPEG and WebP, all to four channels of eight bits.
//!
//! Sixteen bits are rounded, grey becomes three equal channels, palettes are looked up, CMYK becomes RGB by multiplying with black. No
//! colour profile is applied: textures are numbers. A size is looked at before anything is allocated for it.

mod jpeg;
mod png;
mod webp;

use crate::picture::Picture;
pub use jpeg::MOST_SCANS;
use std::fmt;

/// The most pixels that are decoded: a square of 16384.
pub const MOST_PIXELS: u64 = 1 << 28;

/// Why a file is no picture here.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// It is none of the kinds that are understood.
    UnknownKind,
    /// It is broken, or of a kind within the kind that is not understood.
    Broken {
        /// `PNG`, `JPEG`, `WebP`
        kind: &'static str,
        /// What is wrong with it, and where if that is known.
        why: String,
    },
    /// It has more pixels than [`MOST_PIXELS`].
    TooLarge {
        /// In pixels.
        width: u64,
        /// In pixels.
        height: u64,
    },
    /// It is a JPEG of more scans than [`MOST_SCANS`], or than are decoded of a picture of its size.
    TooManyScans {
        /// How many it has.
        scans: usize,
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::UnknownKind => f.write_str("it is no PNG, JPEG or WebP file"),
            DecodeError::Broken { kind, why } => write!(f, "the {kind} file cannot be decoded: {why}"),
            DecodeError::TooLarge { width, height } => {
                write!(f, "it has {width} × {height} pixels, and at most {MOST_PIXELS} are decoded")
            }
            DecodeError::TooManyScans { scans, width, height } => write!(
                f,
                "the JPEG file has {scans} scans of {width} × {height} pixels, where encoders write about ten; {MOST_SCANS} are decoded at most, of very large pictures fewer"
            ),
        }
    }
}

impl std::error::Error for DecodeError {}

/// A picture, and what is wrong with its file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Salvaged {
    /// Where it is damaged, some of its pixels are made up.
    pub picture: Picture,
    /// What is wrong and where, in words that follow the name of the file.
    pub damage: Option<String>,
}

impl From<Picture> for Salvaged {
    /// A picture that nothing is wrong with.
    fn from(picture: Picture) -> Salvaged {
        Salvaged { picture, damage: None }
    }
}

/// Decodes an image file of any kind that is understood. A damaged one is an error.
pub fn decode(file: &[u8]) -> Result<Picture, DecodeError> {
    let Salvaged { picture, damage } = salvage(file)?;
    match (damage, Kind::of(file)) {
        (Some(why), Some(kind)) => Err(broken(kind.name())(why)),
        _ => Ok(picture),
    }
}

/// Decodes an image file as far as it goes, and says what is wrong with it. Of a JPEG there is something even if it is cut short; PNG and WebP have
/// to be whole.
pub fn salvage(file: &[u8]) -> Result<Salvaged, DecodeError> {
    match Kind::of(file).ok_or(DecodeError::UnknownKind)? {
        Kind::Png => png::salvage(file),
        Kind::Jpeg => jpeg::salvage(file),
        Kind::WebP => webp::salvage(file),
    }
}

/// The width and height of an image file that is not decoded because it has more pixels than [`MOST_PIXELS`]. One that only says so and has not the
/// bytes for them is a broken file like others.
pub fn beyond_limit(file: &[u8]) -> Option<[u32; 2]> {
    let [width, height] = size(file).ok()?;
    let is_beyond = u64::from(width) * u64::from(height) > MOST_PIXELS;
    (is_beyond && matches!(decode(file), Err(DecodeError::TooLarge { .. }))).then_some([width, height])
}

/// The width and height of an image file, from its first bytes.
pub fn size(file: &[u8]) -> Result<[u32; 2], DecodeError> {
    match Kind::of(file).ok_or(DecodeError::UnknownKind)? {
        Kind::Png => png::size(file),
        Kind::Jpeg => jpeg::size(file),
        Kind::WebP => webp::size(file),
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Png,
    Jpeg,
    WebP,
}

impl Kind {
    fn of(file: &[u8]) -> Option<Kind> {
        match file {
            [0x89, b'P', b'N', b'G', ..] => Some(Kind::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Kind::Jpeg),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Kind::WebP),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Png => "PNG",
            Kind::Jpeg => "JPEG",
            Kind::WebP => "WebP",
        }
    }
}

fn broken(kind: &'static str) -> impl Fn(String) -> DecodeError {
    move |why| DecodeError::Broken { kind, why }
}

fn claims_too_much(file: &[u8], width: u64, height: u64) -> String {
    format!("it says that it has {width} × {height} pixels, which its {} bytes cannot hold", file.len())
}

/// The number of pixels, if that is a number to allocate for.
fn sound_count(width: u64, height: u64) -> Result<usize, DecodeError> {
    let too_large = DecodeError::TooLarge { width, height };
    let count = width.checked_mul(height).filter(|&count| count <= MOST_PIXELS);
    count.and_then(|count| usize::try_from(count).ok()).ok_or(too_large)
}

/// Grey, grey with opacity, RGB or RGBA to RGBA.
fn widen(samples: &[u8], channels: usize, pixels: &mut [[u8; 4]]) {
    match channels {
        1 => pixels.iter_mut().zip(samples).for_each(|(to, &grey)| *to = [grey, grey, grey, 255]),
        2 => pixels.iter_mut().zip(samples.as_chunks().0).for_each(|(to, &[grey, a])| *to = [grey, grey, grey, a]),
        3 => pixels.iter_mut().zip(samples.as_chunks().0).for_each(|(to, &[r, g, b])| *to = [r, g, b, 255]),
        _ => pixels.iter_mut().zip(samples.as_chunks().0).for_each(|(to, from)| *to = *from),
    }
}

#[cfg(test)]
mod tests;
