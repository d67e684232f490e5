//! Pixels to PNG files.

use ::png::Compression;

/// A PNG file, with opacity only where some of it is not full; `None` where the pixels are not as many as the size says, or none.
///
/// Textures are large and looked at once more by whatever loads them: speed counts more than the last tenth of the size.
pub fn encode(width: u32, height: u32, pixels: &[[u8; 4]]) -> Option<Vec<u8>> {
    encode_with(width, height, pixels, Compression::Fast)
}

/// The same as small as it gets, for files that are kept and sent.
pub fn encode_small(width: u32, height: u32, pixels: &[[u8; 4]]) -> Option<Vec<u8>> {
    encode_with(width, height, pixels, Compression::High)
}

fn encode_with(width: u32, height: u32, pixels: &[[u8; 4]], compression: Compression) -> Option<Vec<u8>> {
    let opaque = pixels.iter().all(|&[.., a]| a == 255);
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, width, height);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_color(if opaque { ::png::ColorType::Rgb } else { ::png::ColorType::Rgba });
    encoder.set_compression(compression);
    let mut writer = encoder.write_header().ok()?;
    if opaque {
        let rgb: Vec<u8> = pixels.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
        writer.write_image_data(&rgb).ok()?;
    } else {
        writer.write_image_data(pixels.as_flattened()).ok()?;
    }
    writer.finish().ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_back(file: &[u8]) -> (::png::ColorType, Vec<u8>) {
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        (reader.info().color_type, pixels)
    }

    #[test]
    fn opacity_is_written_where_there_is_some() {
        let file = encode(1, 2, &[[1, 2, 3, 4], [5, 6, 7, 255]]).unwrap();
        assert_eq!(read_back(&file), (::png::ColorType::Rgba, vec![1, 2, 3, 4, 5, 6, 7, 255]));
        let file = encode(2, 1, &[[1, 2, 3, 255], [5, 6, 7, 255]]).unwrap();
        assert_eq!(read_back(&file), (::png::ColorType::Rgb, vec![1, 2, 3, 5, 6, 7]));
    }

    #[test]
    fn pixels_must_fit_the_size() {
        assert_eq!(encode(2, 2, &[[0; 4]; 3]), None);
        assert_eq!(encode(0, 0, &[]), None);
    }
}
