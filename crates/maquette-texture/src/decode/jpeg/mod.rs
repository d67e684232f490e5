//! JPEG files: baseline, extended and progressive ones of eight bits, with Huffman codes. What is damaged is decoded as far as it goes, and told.
//!
//! [`segments`] divide a file, and [`headers`] hold what stands before its first scan. A [`scan`] makes [`coefficients`] of [`bits`] by [`codes`];
//! [`paint`] makes pixels of these: [`transform`] samples, [`upsample`] rows as wide as the picture, [`colour`] red, green and blue.

mod bits;
mod codes;
mod coefficients;
mod colour;
mod decoder;
mod examples;
mod fault;
mod headers;
mod paint;
mod scan;
mod segments;
mod tables;
mod transform;
mod upsample;

use super::{DecodeError, Salvaged, broken, claims_too_much, sound_count};
use crate::picture::Picture;
use headers::{Headers, unfit_tables, unreadable};
use segments::{SCAN, Segments};

/// The most scans that are decoded. Encoders write about ten; each goes through the whole picture, however few bytes it has.
pub const MOST_SCANS: usize = 64;

/// The most scans × pixels that are decoded: sixteen scans of the largest picture.
const MOST_SCANNED_PIXELS: u64 = super::MOST_PIXELS * 16;

fn headers(file: &[u8]) -> Result<Headers<'_>, DecodeError> {
    Headers::read(file).ok_or_else(|| broken("JPEG")(unreadable(file)))
}

pub fn size(file: &[u8]) -> Result<[u32; 2], DecodeError> {
    headers(file).map(|headers| headers.frame.size.map(|side| side as u32))
}

pub fn salvage(file: &[u8]) -> Result<Salvaged, DecodeError> {
    /// A block takes a bit or more, and is of 8 × 8 pixels that stand for up to 4 × 4 each.
    const MOST_PIXELS_OF_A_BYTE: u64 = 8 * 64 * 16;
    let failed = broken("JPEG");
    let headers = headers(file)?;
    let [width, height] = headers.frame.size.map(|side| side as u32);
    if u64::from(width) * u64::from(height) > (file.len() as u64).saturating_mul(MOST_PIXELS_OF_A_BYTE) {
        return Err(failed(claims_too_much(file, width.into(), height.into())));
    }
    let count = sound_count(width.into(), height.into())?;
    let scans = Segments::new(file).filter(|segment| segment.marker == SCAN).count();
    if scans > MOST_SCANS || (scans as u64).saturating_mul(count as u64) > MOST_SCANNED_PIXELS {
        return Err(DecodeError::TooManyScans { scans, width, height });
    }
    let unknown_colours = || failed("its colours do not become red, green and blue".into());
    let (colours, scan_at) = (headers.colours.ok_or_else(unknown_colours)?, headers.scan_at);
    let mut pixels = vec![[0; 4]; count];
    let damage = decoder::decode(file, headers, colours, &mut pixels).map_err(|_| failed(unfit_tables(scan_at)))?;
    let picture = Picture::new(width, height, pixels).ok_or_else(|| failed("it has no pixels".into()))?;
    Ok(Salvaged { picture, damage })
}

#[cfg(test)]
mod tests;
