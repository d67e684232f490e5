//! Image files to pixels: PNG, JPEG and WebP, all to four channels of eight bits.
//!
//! Sixteen bits are rounded, grey becomes three equal channels, palettes are looked up, CMYK becomes RGB as the decoder does it. No
//! colour profile is applied: textures are numbers. A size is looked at before anything is allocated for it.

use crate::picture::Picture;
use std::fmt;
use std::io::Cursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

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
        /// What the decoder says.
        why: String,
    },
    /// It has more pixels than [`MOST_PIXELS`].
    TooLarge {
        /// In pixels.
        width: u64,
        /// In pixels.
        height: u64,
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
        }
    }
}

impl std::error::Error for DecodeError {}

/// Decodes an image file of any kind that is understood.
pub fn decode(file: &[u8]) -> Result<Picture, DecodeError> {
    match file {
        [0x89, b'P', b'N', b'G', ..] => png(file),
        [0xff, 0xd8, 0xff, ..] => jpeg(file),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => webp(file),
        _ => Err(DecodeError::UnknownKind),
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
    match file {
        [0x89, b'P', b'N', b'G', ..] => {
            let mut decoder = ::png::Decoder::new(Cursor::new(file));
            let header = decoder.read_header_info().map_err(|error| broken("PNG")(error.to_string()))?;
            Ok([header.width, header.height])
        }
        [0xff, 0xd8, 0xff, ..] => {
            let info = jpeg_headers(file)?.info();
            info.map(|info| [info.width.into(), info.height.into()]).ok_or_else(|| broken("JPEG")("no size".into()))
        }
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => {
            let decoder = image_webp::WebPDecoder::new(Cursor::new(file));
            let (width, height) = decoder.map_err(|error| broken("WebP")(error.to_string()))?.dimensions();
            Ok([width, height])
        }
        _ => Err(DecodeError::UnknownKind),
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

fn png(file: &[u8]) -> Result<Picture, DecodeError> {
    /// What deflate makes of one byte at most.
    const LARGEST_EXPANSION: u64 = 1032;
    let failed = broken("PNG");
    let mut decoder = ::png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(::png::Transformations::EXPAND);
    let header = decoder.read_header_info().map_err(|error| failed(error.to_string()))?;
    let (width, height) = (header.width, header.height);
    let bits = (header.color_type.samples() * header.bit_depth as usize) as u64;
    let pixels = u64::from(width) * u64::from(height);
    if pixels.saturating_mul(bits) / 8 > (file.len() as u64).saturating_mul(LARGEST_EXPANSION) {
        return Err(failed(claims_too_much(file, width.into(), height.into())));
    }
    let count = sound_count(width.into(), height.into())?;
    let mut reader = decoder.read_info().map_err(|error| failed(error.to_string()))?;
    let bytes =
        reader.output_buffer_size().ok_or(DecodeError::TooLarge { width: width.into(), height: height.into() })?;
    if reader.output_color_type() == (::png::ColorType::Rgba, ::png::BitDepth::Eight) && bytes == 4 * count {
        let mut pixels = vec![[0; 4]; count];
        reader.next_frame(pixels.as_flattened_mut()).map_err(|error| failed(error.to_string()))?;
        return Picture::new(width, height, pixels).ok_or_else(|| failed("it has no pixels".into()));
    }
    let mut samples = vec![0; bytes];
    let info = reader.next_frame(&mut samples).map_err(|error| failed(error.to_string()))?;
    samples.truncate(info.buffer_size());
    if info.bit_depth == ::png::BitDepth::Sixteen {
        samples = samples.as_chunks().0.iter().map(|&pair| rounded(u16::from_be_bytes(pair))).collect();
    }
    let pixels = four_channels(&samples, info.color_type.samples());
    Picture::new(width, height, pixels).ok_or_else(|| failed("it ends too early".into()))
}

/// Sixteen bits to the nearest eight.
fn rounded(value: u16) -> u8 {
    ((u32::from(value) * 255 + 32767) / 65535) as u8
}

/// Grey, grey with opacity, RGB or RGBA to RGBA.
fn four_channels(samples: &[u8], channels: usize) -> Vec<[u8; 4]> {
    match channels {
        1 => samples.iter().map(|&grey| [grey, grey, grey, 255]).collect(),
        2 => samples.as_chunks().0.iter().map(|&[grey, a]| [grey, grey, grey, a]).collect(),
        3 => samples.as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect(),
        _ => samples.as_chunks().0.to_vec(),
    }
}

fn jpeg_headers(file: &[u8]) -> Result<zune_jpeg::JpegDecoder<Cursor<&[u8]>>, DecodeError> {
    let options = DecoderOptions::new_safe()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(Cursor::new(file), options);
    decoder.decode_headers().map_err(|error| broken("JPEG")(error.to_string()))?;
    Ok(decoder)
}

fn jpeg(file: &[u8]) -> Result<Picture, DecodeError> {
    /// A block takes a bit or more, and is of 8 × 8 pixels that stand for up to 4 × 4 each.
    const MOST_PIXELS_OF_A_BYTE: u64 = 8 * 64 * 16;
    let failed = broken("JPEG");
    let mut decoder = jpeg_headers(file)?;
    let info = decoder.info().ok_or_else(|| failed("it has no size".into()))?;
    let (width, height) = (info.width, info.height);
    if u64::from(width) * u64::from(height) > (file.len() as u64).saturating_mul(MOST_PIXELS_OF_A_BYTE) {
        return Err(failed(claims_too_much(file, width.into(), height.into())));
    }
    let mut pixels = vec![[0; 4]; sound_count(width.into(), height.into())?];
    if decoder.output_buffer_size() != Some(size_of_val(pixels.as_slice())) {
        return Err(failed("its colours do not become red, green and blue".into()));
    }
    decoder.decode_into(pixels.as_flattened_mut()).map_err(|error| failed(error.to_string()))?;
    Picture::new(width.into(), height.into(), pixels).ok_or_else(|| failed("it has no pixels".into()))
}

fn webp(file: &[u8]) -> Result<Picture, DecodeError> {
    let failed = broken("WebP");
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(file)).map_err(|error| failed(error.to_string()))?;
    let (width, height) = decoder.dimensions();
    let count = sound_count(width.into(), height.into())?;
    decoder.set_memory_limit(count.saturating_mul(4).saturating_add(1 << 20));
    let mut pixels = vec![[0; 4]; if decoder.has_alpha() { count } else { 0 }];
    if decoder.has_alpha() {
        decoder.read_image(pixels.as_flattened_mut()).map_err(|error| failed(error.to_string()))?;
    } else {
        let mut samples = vec![0; count.saturating_mul(3)];
        decoder.read_image(&mut samples).map_err(|error| failed(error.to_string()))?;
        pixels = four_channels(&samples, 3);
    }
    Picture::new(width, height, pixels).ok_or_else(|| failed("it has no pixels".into()))
}

#[cfg(test)]
mod tests;
