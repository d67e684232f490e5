//! JPEG files. What is damaged is decoded as far as it goes, which the decoder does not tell: [`soundness`] does.

mod codes;
mod segments;
mod soundness;

use super::{DecodeError, Salvaged, broken, claims_too_much, sound_count};
use crate::picture::Picture;
use segments::{BASELINE, EXTENDED, Frame, PROGRESSIVE, SCAN, Segments};
use std::io::Cursor;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The most scans that are decoded. Encoders write about ten; each goes through the whole picture, however few bytes it has.
pub const MOST_SCANS: usize = 64;

/// The most scans × pixels that are decoded: sixteen scans of the largest picture.
const MOST_SCANNED_PIXELS: u64 = super::MOST_PIXELS * 16;

/// Of a strict decoder, an error for what it notices of damage.
fn decoder(file: &[u8], is_strict: bool) -> Result<JpegDecoder<Cursor<&[u8]>>, DecodeError> {
    let options = DecoderOptions::new_safe()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .set_strict_mode(is_strict)
        .jpeg_set_max_scans(MOST_SCANS)
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(file), options);
    decoder.decode_headers().map_err(|_| broken("JPEG")(unreadable(file)))?;
    Ok(decoder)
}

pub fn size(file: &[u8]) -> Result<[u32; 2], DecodeError> {
    let info = decoder(file, false)?.info();
    info.map(|info| [info.width.into(), info.height.into()]).ok_or_else(|| broken("JPEG")("it has no size".into()))
}

pub fn salvage(file: &[u8]) -> Result<Salvaged, DecodeError> {
    /// A block takes a bit or more, and is of 8 × 8 pixels that stand for up to 4 × 4 each.
    const MOST_PIXELS_OF_A_BYTE: u64 = 8 * 64 * 16;
    let failed = broken("JPEG");
    let [width, height] = size(file)?;
    if u64::from(width) * u64::from(height) > (file.len() as u64).saturating_mul(MOST_PIXELS_OF_A_BYTE) {
        return Err(failed(claims_too_much(file, width.into(), height.into())));
    }
    let count = sound_count(width.into(), height.into())?;
    let scans = Segments::new(file).filter(|segment| segment.marker == SCAN).count();
    if scans > MOST_SCANS || (scans as u64).saturating_mul(count as u64) > MOST_SCANNED_PIXELS {
        return Err(DecodeError::TooManyScans { scans, width, height });
    }
    let mut pixels = vec![[0; 4]; count];
    let mut decode = |is_strict: bool| {
        let mut decoder = decoder(file, is_strict)?;
        if decoder.output_buffer_size() != Some(size_of_val(pixels.as_slice())) {
            return Err(failed("its colours do not become red, green and blue".into()));
        }
        decoder.decode_into(pixels.as_flattened_mut()).map_err(|_| failed(unreadable(file)))
    };
    let (damage, strictly) = rayon::join(|| soundness::damage(file), || decode(true));
    let damage = match strictly {
        Ok(()) => damage,
        Err(_) => {
            decode(false).map_err(|error| damage.clone().map_or(error, &failed))?;
            damage.or_else(|| Some("it breaks a rule of the format, and is decoded as far as it goes".into()))
        }
    };
    let picture = Picture::new(width, height, pixels).ok_or_else(|| failed("it has no pixels".into()))?;
    Ok(Salvaged { picture, damage })
}

/// That a file ends within the segment that begins at a byte.
fn broken_off(file: &[u8], at: usize) -> String {
    format!("it ends at byte {}, within the segment that begins at byte {at}", file.len())
}

/// Why a file is not decoded at all.
fn unreadable(file: &[u8]) -> String {
    let mut has_frame = false;
    for segment in Segments::new(file) {
        let at = segment.at;
        match segment.marker {
            _ if !segment.is_whole => return broken_off(file, at),
            BASELINE | EXTENDED | PROGRESSIVE => {
                if let Some(why) = unusable_frame(segment.body) {
                    return format!("{why} (frame at byte {at})");
                }
                if Frame::parse(&segment).is_none() {
                    return format!("its frame at byte {at} contradicts itself");
                }
                has_frame = true;
            }
            0xc4 | 0xc8 | 0xcc => {}
            0xc3 | 0xc5..=0xcf => {
                return format!(
                    "its frame at byte {at} is of a kind that is not decoded: lossless, hierarchical or arithmetic"
                );
            }
            SCAN if !has_frame => return format!("its scan at byte {at} comes before any frame"),
            SCAN => return format!("its tables do not fit its scan at byte {at}"),
            _ => {}
        }
    }
    let wanted = if has_frame { "scan" } else { "frame" };
    format!("it ends at byte {} without a {wanted}", file.len())
}

/// What a frame may say that nothing can be made of.
fn unusable_frame(body: &[u8]) -> Option<String> {
    let &[bits, h1, h0, w1, w0, ..] = body else { return Some("its frame is too short".into()) };
    match bits {
        8 if [h1, h0] == [0; 2] || [w1, w0] == [0; 2] => Some("its width or height is 0".into()),
        8 => None,
        _ => Some(format!("it has {bits} bits a channel, where 8 are decoded")),
    }
}

#[cfg(test)]
mod tests;
