//! WebP files.

use super::{DecodeError, Salvaged, broken, sound_count, widen};
use crate::picture::Picture;
use image_webp::{DecodingError, WebPDecoder};
use std::io::Cursor;

pub fn size(file: &[u8]) -> Result<[u32; 2], DecodeError> {
    let (width, height) = WebPDecoder::new(Cursor::new(file)).map_err(|error| unreadable(file, &error))?.dimensions();
    Ok([width, height])
}

pub fn salvage(file: &[u8]) -> Result<Salvaged, DecodeError> {
    let failed = |error: DecodingError| unreadable(file, &error);
    let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(failed)?;
    let (width, height) = decoder.dimensions();
    let count = sound_count(width.into(), height.into())?;
    decoder.set_memory_limit(count.saturating_mul(4).saturating_add(1 << 20));
    let mut pixels = vec![[0; 4]; count];
    if decoder.has_alpha() {
        decoder.read_image(pixels.as_flattened_mut()).map_err(failed)?;
    } else {
        let mut samples = vec![0; count.saturating_mul(3)];
        decoder.read_image(&mut samples).map_err(failed)?;
        widen(&samples, 3, &mut pixels);
    }
    let picture = Picture::new(width, height, pixels).ok_or_else(|| broken("WebP")("it has no pixels".into()))?;
    let missing = missing_bytes(file);
    Ok(Salvaged { picture, damage: (missing > 0).then(|| cut_short(file, missing)) })
}

/// How many bytes more the file should have by its own account.
fn missing_bytes(file: &[u8]) -> u64 {
    let length = file.get(4..).and_then(|rest| rest.first_chunk()).map_or(0, |length| u32::from_le_bytes(*length));
    (u64::from(length) + 8).saturating_sub(file.len() as u64)
}

fn cut_short(file: &[u8], missing: u64) -> String {
    format!("it ends at byte {}, {missing} bytes before its end by its own account", file.len())
}

fn unreadable(file: &[u8], error: &DecodingError) -> DecodeError {
    let why = match (missing_bytes(file), error) {
        (missing @ 1.., _) => cut_short(file, missing),
        (_, DecodingError::UnsupportedFeature(_)) => "it uses a part of the format that is not decoded".into(),
        (_, DecodingError::IoError(_) | DecodingError::NotEnoughInitData) => "a chunk of it ends too early".into(),
        (_, DecodingError::ChunkMissing) => "a chunk is missing that it needs".into(),
        (_, DecodingError::ChunkHeaderInvalid(_) | DecodingError::InvalidChunkSize) => {
            "a chunk of it is not where or as large as it should be".into()
        }
        (_, DecodingError::ImageTooLarge | DecodingError::MemoryLimitExceeded) => {
            "it takes more memory than a picture of its size should".into()
        }
        (_, DecodingError::AlphaChunkSizeMismatch | DecodingError::InconsistentImageSizes) => {
            "its parts are not of one size".into()
        }
        (_, DecodingError::FrameOutsideImage) => "a frame lies outside the picture".into(),
        _ => "its data is wrong".into(),
    };
    broken("WebP")(why)
}
