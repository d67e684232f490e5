//! Files written by hand, by the encoders of other crates, and broken on purpose.

use super::*;

/// A PNG file of these samples.
fn png_of(width: u32, height: u32, colour: ::png::ColorType, depth: ::png::BitDepth, samples: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if colour == ::png::ColorType::Indexed {
        encoder.set_palette(vec![10, 20, 30, 40, 50, 60]);
        encoder.set_trns(vec![255, 7]);
    }
    encoder.write_header().unwrap().write_image_data(samples).unwrap();
    file
}

#[test]
fn every_kind_of_png_becomes_four_channels_of_eight_bits() {
    use ::png::{BitDepth, ColorType};
    let cases: [(ColorType, BitDepth, &[u8], [u8; 4]); 8] = [
        (ColorType::Grayscale, BitDepth::Eight, &[77], [77, 77, 77, 255]),
        (ColorType::Grayscale, BitDepth::Two, &[0b1000_0000], [170, 170, 170, 255]),
        (ColorType::GrayscaleAlpha, BitDepth::Eight, &[77, 3], [77, 77, 77, 3]),
        (ColorType::Rgb, BitDepth::Eight, &[1, 2, 3], [1, 2, 3, 255]),
        (ColorType::Rgba, BitDepth::Eight, &[1, 2, 3, 4], [1, 2, 3, 4]),
        (ColorType::Indexed, BitDepth::One, &[0b1000_0000], [40, 50, 60, 7]),
        // 0x0180 is 1.49 of 255 parts, 0x0182 is 1.502 of them: rounded, not cut.
        (ColorType::Rgb, BitDepth::Sixteen, &[0x01, 0x80, 0x01, 0x82, 0xff, 0xff], [1, 2, 255, 255]),
        (ColorType::Grayscale, BitDepth::Sixteen, &[0xff, 0x7f], [255, 255, 255, 255]),
    ];
    for (colour, depth, samples, expected) in cases {
        let picture = decode(&png_of(1, 1, colour, depth, samples)).unwrap();
        assert_eq!(picture.pixels(), [expected], "{colour:?} {depth:?}");
    }
}

/// A grey JPEG of 8 × 8 pixels, written by hand: one block with nothing but its mean.
fn grey_jpeg(coefficient_bits: u8) -> Vec<u8> {
    let mut file = vec![0xff, 0xd8];
    let mut segment = |marker: u8, body: &[u8]| {
        file.extend([0xff, marker, 0, body.len() as u8 + 2]);
        file.extend(body);
    };
    let mut quantisation = vec![0];
    quantisation.extend([8; 64]);
    segment(0xdb, &quantisation);
    segment(0xc0, &[8, 0, 8, 0, 8, 1, 1, 0x11, 0]);
    // One code for the mean: `0` says that six bits follow. One for the rest: `0` says that there is none.
    let table = |class: u8, symbol: u8| {
        let mut table = vec![class, 1];
        table.extend([0; 15]);
        table.push(symbol);
        table
    };
    segment(0xc4, &table(0x00, 6));
    segment(0xc4, &table(0x10, 0));
    segment(0xda, &[1, 1, 0, 0, 63, 0]);
    // `0`, six bits, `0`; eight bits in all.
    file.extend([coefficient_bits << 1, 0xff, 0xd9]);
    file
}

#[test]
fn a_jpeg_is_decoded() {
    // A mean of 40 × 8 / 8 above the middle.
    let picture = decode(&grey_jpeg(40)).unwrap();
    assert_eq!((picture.width(), picture.height()), (8, 8));
    assert_eq!(size(&grey_jpeg(40)), Ok([8, 8]));
    assert_eq!(picture.constant(), Some([168, 168, 168, 255]));
}

#[test]
fn a_webp_is_decoded() {
    let pixels = [9, 8, 7, 6, 100, 50, 25, 255];
    let mut file = Vec::new();
    image_webp::WebPEncoder::new(&mut file).encode(&pixels, 2, 1, image_webp::ColorType::Rgba8).unwrap();
    assert_eq!(decode(&file).unwrap().pixels().as_flattened(), pixels);
}

/// A PNG file of little that says it has this size.
fn claiming(width: u32, height: u32, padding: usize) -> Vec<u8> {
    let mut file = png_of(1, 1, ::png::ColorType::Rgba, ::png::BitDepth::Eight, &[0; 4]);
    file[16..20].copy_from_slice(&width.to_be_bytes());
    file[20..24].copy_from_slice(&height.to_be_bytes());
    let check = crc(&file[12..29]);
    file[29..33].copy_from_slice(&check.to_be_bytes());
    file.resize(file.len() + padding, 0);
    file
}

#[test]
fn absurd_sizes_are_refused_before_anything_is_allocated() {
    for (width, height) in [(1_u32 << 20, 1_u32 << 20), (u32::MAX >> 1, 1), (16384, 16384)] {
        let file = claiming(width, height, 0);
        let why = decode(&file).unwrap_err().to_string();
        assert!(why.contains(&format!("{width} × {height} pixels, which its {} bytes", file.len())), "{why}");
        assert_eq!(beyond_limit(&file), None, "it is broken");
    }
}

#[test]
fn what_is_larger_than_is_decoded_is_told_from_what_is_broken() {
    // A byte of the file can be up to 1032 of 4 bytes each.
    let file = claiming(16385, 16384, 16385 * 16384 * 4 / 1032 + 1);
    assert_eq!(decode(&file), Err(DecodeError::TooLarge { width: 16385, height: 16384 }));
    assert_eq!(beyond_limit(&file), Some([16385, 16384]));
    assert_eq!(beyond_limit(&grey_jpeg(40)), None);
    let told = DecodeError::TooLarge { width: 16385, height: 16384 }.to_string();
    assert_eq!(told, "it has 16385 × 16384 pixels, and at most 268435456 are decoded");
}

#[test]
fn a_jpeg_that_claims_more_than_its_bytes_hold_is_broken() {
    let mut file = grey_jpeg(40);
    let frame = file.windows(2).position(|bytes| bytes == [0xff, 0xc0]).unwrap();
    file[frame + 5..frame + 9].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    assert!(matches!(decode(&file), Err(DecodeError::Broken { kind: "JPEG", .. })));
    assert_eq!(beyond_limit(&file), None);
    file.resize(65535 * 65535 / 8192 + 1, 0);
    assert_eq!(beyond_limit(&file), Some([65535, 65535]));
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

#[test]
fn what_is_cut_or_strange_is_an_error_with_a_reason() {
    assert_eq!(decode(b"DDS ...."), Err(DecodeError::UnknownKind));
    assert_eq!(decode(b""), Err(DecodeError::UnknownKind));
    let mut webp = Vec::new();
    image_webp::WebPEncoder::new(&mut webp).encode(&[0; 3], 1, 1, image_webp::ColorType::Rgb8).unwrap();
    let png = png_of(4, 4, ::png::ColorType::Rgb, ::png::BitDepth::Eight, &[5; 48]);
    for file in [png, webp, grey_jpeg(1)] {
        for length in 12..file.len() - 12 {
            let told = decode(&file[..length]).unwrap_err().to_string();
            assert!(told.contains(&format!("byte {length}")), "{told}");
        }
        assert!(matches!(decode(&file[..24]), Err(DecodeError::Broken { .. })));
    }
}

/// A PNG file with its chunks changed, all checksums right.
fn rebuilt(file: &[u8], change: impl Fn(&[u8; 4], &[u8]) -> Option<Vec<u8>>) -> Vec<u8> {
    let (mut made, mut rest) = (file[..8].to_vec(), &file[8..]);
    while let Some((length, after)) = rest.split_first_chunk() {
        let (name, after) = after.split_first_chunk().unwrap();
        let (body, after) = after.split_at(u32::from_be_bytes(*length) as usize);
        rest = &after[4..];
        let Some(body) = change(name, body) else { continue };
        made.extend((body.len() as u32).to_be_bytes());
        let start = made.len();
        made.extend([name, &body[..]].concat());
        made.extend(crc(&made[start..]).to_be_bytes());
    }
    made
}

#[test]
fn every_fault_of_a_png_is_told_in_a_plain_sentence_with_its_place() {
    use ::png::{BitDepth, ColorType};
    let file =
        png_of(40, 40, ColorType::Rgb, BitDepth::Eight, &(0..4800).map(|at| (at * at) as u8).collect::<Vec<_>>());
    let why = |file: &[u8]| match decode(file) {
        Err(DecodeError::Broken { kind: "PNG", why }) => why,
        other => panic!("{other:?}"),
    };
    let changed = |at: usize, value: u8| {
        let mut file = file.clone();
        file[at] = value;
        why(&file)
    };
    assert_eq!(why(&file[..200]), "it ends at byte 200, within the IDAT chunk that begins at byte 33");
    assert_eq!(changed(100, !file[100]), "the checksum of the IDAT chunk at byte 33 is wrong");
    assert_eq!(changed(file.len() - 14, !file[file.len() - 14]), "the checksum of the IDAT chunk at byte 33 is wrong");
    assert_eq!(changed(5, 0), "its first eight bytes are not those of a PNG");
    assert_eq!(changed(12, 0), "what stands at byte 8 is no chunk");
    let without = |gone: &[u8; 4]| why(&rebuilt(&file, |name, body| (name != gone).then(|| body.to_vec())));
    assert_eq!(without(b"IHDR"), "its first chunk is IDAT instead of IHDR");
    assert_eq!(without(b"IDAT"), "it has no IDAT chunk, and so no pixels");
    let header = |at: usize, value: u8| {
        let change = |name: &[u8; 4], body: &[u8]| {
            let mut body = body.to_vec();
            if name == b"IHDR" {
                body[at] = value;
            }
            Some(body)
        };
        why(&rebuilt(&file, change))
    };
    assert_eq!(header(3, 0), "its width or height is 0");
    assert_eq!(header(9, 5), "its header says colour type 5 with 8 bits, which there is not");
    assert_eq!(header(9, 3), "its colours are in a palette, which is missing");
    assert_eq!(header(10, 1), "its header names a compression, filter or interlacing that there is not");
    // Chunks are as they should be, but the pixels in them end too early.
    let short = |name: &[u8; 4], body: &[u8]| {
        Some(if name == b"IDAT" { body[..body.len() / 2].to_vec() } else { body.to_vec() })
    };
    assert!(why(&rebuilt(&file, short)).starts_with("its chunks are whole, but "));
}

#[test]
fn no_reason_has_the_words_of_a_decoder() {
    let mut webp = Vec::new();
    let samples: Vec<u8> = (0..768).map(|at| (at * 7) as u8).collect();
    image_webp::WebPEncoder::new(&mut webp).encode(&samples, 16, 16, image_webp::ColorType::Rgb8).unwrap();
    let png = png_of(16, 16, ::png::ColorType::Rgb, ::png::BitDepth::Eight, &samples);
    for file in [png, webp] {
        for at in 12..file.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut damaged = file.clone();
                damaged[at] = value;
                if let Err(error) = decode(&damaged) {
                    let told = error.to_string();
                    assert!(!told.contains(['{', '}', '\n', '\\', '_']) && told.len() > 30, "{told:?}");
                }
            }
        }
    }
}

#[test]
fn interlaced_pictures_and_rows_of_every_length_are_decoded() {
    // Adam7 of 1 × 2 pixels: the first turn has one of them, the sixth the other.
    let mut plain = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut plain, 1, 2);
    encoder.set_color(::png::ColorType::Rgb);
    // Rows are told by those above them otherwise, and turns have other rows.
    encoder.set_filter(::png::Filter::NoFilter);
    encoder.write_header().unwrap().write_image_data(&[1, 2, 3, 4, 5, 6]).unwrap();
    let interlaced = rebuilt(&plain, |name, body| {
        let mut body = body.to_vec();
        if name == b"IHDR" {
            body[12] = 1;
        }
        Some(body)
    });
    assert_eq!(decode(&interlaced), decode(&plain));
    assert_eq!(decode(&plain).unwrap().pixels(), [[1, 2, 3, 255], [4, 5, 6, 255]]);
}
