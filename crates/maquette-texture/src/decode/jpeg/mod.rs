//! JPEG files. What is damaged is decoded as far as it goes, which the decoder does not tell: [`soundness`] does.

mod codes;
mod segments;
mod soundness;

use super::{DecodeError, Salvaged, broken, claims_too_much, sound_count};
use crate::picture::Picture;
use segments::{BASELINE, EXTENDED, Frame, PROGRESSIVE, RESTART_INTERVAL, SCAN, Segments};
use soundness::Verdict;
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
    // Three channels that are said to be no mix of brightness and colours: the decoder takes them for CMYK first.
    let is_three = decoder.info().is_some_and(|info| info.components == 3);
    let input = decoder.input_colorspace();
    if input == Some(ColorSpace::RGB) || (is_three && input == Some(ColorSpace::CMYK)) {
        // Colours that are stored as they are shown come out as they are, or not at all.
        decoder.set_options(options.jpeg_set_out_colorspace(ColorSpace::RGB));
    }
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
    if let Some(why) = not_decoded(file) {
        return Err(failed(why));
    }
    let mut pixels = vec![[0; 4]; count];
    let mut decode = |file: &[u8], is_strict: bool| {
        let mut decoder = decoder(file, is_strict)?;
        let size = decoder.output_buffer_size();
        if size == Some(size_of_val(pixels.as_slice())) {
            return decoder.decode_into(pixels.as_flattened_mut()).map_err(|_| failed(unreadable(file)));
        }
        if decoder.output_colorspace() != Some(ColorSpace::RGB) || size != Some(3 * count) {
            return Err(failed("its colours do not become red, green and blue".into()));
        }
        let mut samples = vec![0; 3 * count];
        decoder.decode_into(&mut samples).map_err(|_| failed(unreadable(file)))?;
        for (pixel, &[r, g, b]) in pixels.iter_mut().zip(samples.as_chunks().0) {
            *pixel = [r, g, b, 255];
        }
        Ok(())
    };
    let (verdict, strictly) = rayon::join(|| soundness::judge(file), || decode(file, true));
    let damage = match (verdict, strictly) {
        (Verdict::Damaged(why), Ok(())) => Some(why),
        (Verdict::Sound | Verdict::NotUnderstood, Ok(())) => None,
        (Verdict::Damaged(why), Err(_)) => {
            decode(file, false).map_err(|_| failed(why.clone()))?;
            Some(why)
        }
        // The decoder stumbles over what others keep between scans.
        (Verdict::Sound | Verdict::NotUnderstood, Err(_)) => match decode(&without_notes(file), true) {
            Ok(()) => None,
            Err(_) => {
                decode(file, false)?;
                Some("it breaks a rule of the format, and is decoded as far as it goes".into())
            }
        },
    };
    let picture = Picture::new(width, height, pixels).ok_or_else(|| failed("it has no pixels".into()))?;
    Ok(Salvaged { picture, damage })
}

/// What the decoder makes the wrong pixels of, or none at all: channels that are in scans of their own, where they differ in size or are divided by
/// restart markers, and colours that are finer than brightness.
fn not_decoded(file: &[u8]) -> Option<String> {
    let (mut frame, mut scans, mut has_restarts) = (None, 0, false);
    for segment in Segments::new(file) {
        match segment.marker {
            BASELINE | EXTENDED | PROGRESSIVE => frame = Frame::parse(&segment),
            RESTART_INTERVAL => has_restarts |= segment.body.iter().any(|&byte| byte != 0),
            SCAN => scans += 1,
            _ => {}
        }
    }
    let frame: Frame = frame.filter(|frame| scans > 1 || frame.is_progressive)?;
    let (first, others) = frame.components.split_first()?;
    let is_finer = |[across, down]: [usize; 2]| {
        let [most_across, most_down] = first.blocks;
        across > most_across || down > most_down
    };
    if others.iter().any(|component| is_finer(component.blocks)) {
        return Some(
            "it has several scans, and colours that are finer than its brightness, which is not decoded".into(),
        );
    }
    let is_plain = frame.components.iter().all(|component| component.blocks == [1, 1]) && !has_restarts;
    let several =
        "its channels are in scans of their own, of different sizes or with restart markers, which is not decoded";
    (!frame.is_progressive && !is_plain).then(|| several.into())
}

/// The same file without what programs keep for themselves from the first scan on.
fn without_notes(file: &[u8]) -> Vec<u8> {
    let (mut kept, mut from, mut has_scan) = (Vec::with_capacity(file.len()), 0, false);
    for segment in Segments::new(file) {
        has_scan |= segment.marker == SCAN;
        if has_scan && matches!(segment.marker, 0xe0..=0xef | 0xfe) {
            kept.extend_from_slice(file.get(from..segment.at).unwrap_or_default());
            from = segment.at + 4 + segment.body.len();
        }
    }
    kept.extend_from_slice(file.get(from..).unwrap_or_default());
    kept
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
