//! PNG files. Checksums are looked at: what has a wrong one, or is cut short, is refused.

use super::{DecodeError, Salvaged, broken, claims_too_much, sound_count, widen};
use crate::picture::Picture;
use ::png::{BitDepth, ColorType, Decoder, DecodingError, Reader, Transformations};
use std::io::Cursor;

pub fn size(file: &[u8]) -> Result<[u32; 2], DecodeError> {
    let mut decoder = Decoder::new(Cursor::new(file));
    let header = decoder.read_header_info().map_err(|error| unreadable(file, &error))?;
    Ok([header.width, header.height])
}

pub fn salvage(file: &[u8]) -> Result<Salvaged, DecodeError> {
    /// What deflate makes of one byte at most.
    const LARGEST_EXPANSION: u64 = 1032;
    let failed = |error: DecodingError| unreadable(file, &error);
    let mut decoder = Decoder::new(Cursor::new(file));
    decoder.set_transformations(Transformations::EXPAND);
    let header = decoder.read_header_info().map_err(failed)?;
    let (width, height) = (header.width, header.height);
    let bits = (header.color_type.samples() * header.bit_depth as usize) as u64;
    let pixels = u64::from(width) * u64::from(height);
    if pixels.saturating_mul(bits) / 8 > (file.len() as u64).saturating_mul(LARGEST_EXPANSION) {
        return Err(broken("PNG")(claims_too_much(file, width.into(), height.into())));
    }
    let count = sound_count(width.into(), height.into())?;
    let mut reader = decoder.read_info().map_err(failed)?;
    if reader.output_buffer_size().is_none() {
        return Err(DecodeError::TooLarge { width: width.into(), height: height.into() });
    }
    let frame = reader.info().frame_control();
    if frame.is_some_and(|frame| [frame.width, frame.height] != [width, height]) {
        return Err(broken("PNG")("its first frame is not as large as the picture".into()));
    }
    let mut pixels = vec![[0; 4]; count];
    match reader.info().interlaced {
        true => read_at_once(&mut reader, &mut pixels),
        false => read_by_row(&mut reader, &mut pixels, width as usize),
    }
    .map_err(failed)?;
    let picture = Picture::new(width, height, pixels).ok_or_else(|| broken("PNG")("it has no pixels".into()))?;
    Ok(picture.into())
}

type Source<'f> = Reader<Cursor<&'f [u8]>>;

/// Row after row, so that the picture is there once.
fn read_by_row(reader: &mut Source<'_>, pixels: &mut [[u8; 4]], width: usize) -> Result<(), DecodingError> {
    let form = reader.output_color_type();
    let mut samples = vec![0; reader.output_line_size(width as u32).unwrap_or(0)];
    for row in pixels.chunks_exact_mut(width) {
        if form == (ColorType::Rgba, BitDepth::Eight) {
            reader.read_row(row.as_flattened_mut())?;
        } else {
            reader.read_row(&mut samples)?;
            convert(&mut samples, form, row);
        }
    }
    // What is left over is looked at too.
    reader.read_row(&mut samples).map(drop)
}

/// Rows of an interlaced picture come in seven turns.
fn read_at_once(reader: &mut Source<'_>, pixels: &mut [[u8; 4]]) -> Result<(), DecodingError> {
    let mut samples = vec![0; reader.output_buffer_size().unwrap_or(0)];
    reader.next_frame(&mut samples)?;
    convert(&mut samples, reader.output_color_type(), pixels);
    Ok(())
}

/// Samples of any kind to pixels.
fn convert(samples: &mut [u8], (colour, depth): (ColorType, BitDepth), pixels: &mut [[u8; 4]]) {
    if depth == BitDepth::Sixteen {
        for place in 0..samples.len() / 2 {
            let pair = samples.get(2 * place..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
            if let Some(sample) = samples.get_mut(place) {
                *sample = rounded(u16::from_be_bytes(pair));
            }
        }
    }
    widen(samples, colour.samples(), pixels);
}

/// Sixteen bits to the nearest eight.
fn rounded(value: u16) -> u8 {
    ((u32::from(value) * 255 + 32767) / 65535) as u8
}

/// Why a file is not decoded.
fn unreadable(file: &[u8], error: &DecodingError) -> DecodeError {
    let known = fault(file);
    broken("PNG")(known.unwrap_or_else(|| match error {
        DecodingError::LimitsExceeded => "it takes more memory than a picture of its size should".into(),
        _ => "its chunks are whole, but what is in them makes no picture: compressed pixels that are wrong or too few, or chunks that contradict each other".into(),
    }))
}

/// What is wrong with the chunks of a file, and where.
fn fault(file: &[u8]) -> Option<String> {
    let Some((b"\x89PNG\r\n\x1a\n", _)) = file.split_first_chunk::<8>() else {
        return Some("its first eight bytes are not those of a PNG".into());
    };
    let (mut at, mut has_pixels, mut has_palette, mut is_indexed) = (8, false, false, false);
    loop {
        let rest = file.get(at..).unwrap_or_default();
        let Some((&[l3, l2, l1, l0, a, b, c, d], body)) = rest.split_first_chunk::<8>() else {
            return Some(match has_pixels {
                true => format!("it ends at byte {}, before its IEND chunk", file.len()),
                false => format!("it ends at byte {}, before its pixels", file.len()),
            });
        };
        let (length, name) = (u32::from_be_bytes([l3, l2, l1, l0]) as usize, [a, b, c, d]);
        if !name.iter().all(u8::is_ascii_alphabetic) {
            return Some(format!("what stands at byte {at} is no chunk"));
        }
        let shown = name.escape_ascii();
        let Some((body, check)) =
            body.split_at_checked(length).and_then(|(body, rest)| Some((body, rest.first_chunk()?)))
        else {
            return Some(format!("it ends at byte {}, within the {shown} chunk that begins at byte {at}", file.len()));
        };
        if checksum(&[&name, body]) != u32::from_be_bytes(*check) {
            return Some(format!("the checksum of the {shown} chunk at byte {at} is wrong"));
        }
        match (&name, at) {
            (b"IHDR", 8) => {
                if let Some(why) = unusable_header(body) {
                    return Some(why);
                }
                is_indexed = body.get(9) == Some(&3);
            }
            (_, 8) => return Some(format!("its first chunk is {shown} instead of IHDR")),
            (b"PLTE", _) => has_palette = true,
            (b"IDAT", _) if is_indexed && !has_palette => {
                return Some("its colours are in a palette, which is missing".into());
            }
            (b"IDAT", _) => has_pixels = true,
            (b"IEND", _) if !has_pixels => return Some("it has no IDAT chunk, and so no pixels".into()),
            (b"IEND", _) => return None,
            _ => {}
        }
        at += 12 + length;
    }
}

/// What a header may say that there is not.
fn unusable_header(body: &[u8]) -> Option<String> {
    let &[w3, w2, w1, w0, h3, h2, h1, h0, depth, colour, compression, filter, interlacing] = body else {
        return Some(format!("its header has {} bytes instead of 13", body.len()));
    };
    let (is_empty, is_strange) =
        ([w3, w2, w1, w0] == [0; 4] || [h3, h2, h1, h0] == [0; 4], (compression, filter) != (0, 0) || interlacing > 1);
    let has_depth = match colour {
        0 => matches!(depth, 1 | 2 | 4 | 8 | 16),
        3 => matches!(depth, 1 | 2 | 4 | 8),
        2 | 4 | 6 => matches!(depth, 8 | 16),
        _ => false,
    };
    match () {
        () if is_empty => Some("its width or height is 0".into()),
        () if !has_depth => Some(format!("its header says colour type {colour} with {depth} bits, which there is not")),
        () if is_strange => Some("its header names a compression, filter or interlacing that there is not".into()),
        () => None,
    }
}

/// CRC-32 of some bytes after others, as PNG has it.
fn checksum(parts: &[&[u8]]) -> u32 {
    let shifted = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    let table: [u32; 256] = std::array::from_fn(|value| (0..8).fold(value as u32, shifted));
    let step = |crc: u32, byte: &u8| crc >> 8 ^ table.get(usize::from(crc as u8 ^ byte)).copied().unwrap_or_default();
    !parts.iter().copied().flatten().fold(u32::MAX, step)
}
