//! Pixels and blocks as pictures: what several formats need to hand textures to those that keep image files.

use maquette_scene::image::PixelFormat;

/// A level as RGBA, four bytes a pixel, the top row first. A normal map of two channels gets no third.
pub fn decode(format: PixelFormat, width: usize, height: usize, level: &[u8]) -> Vec<u8> {
    match format {
        PixelFormat::Rgba8 => level.to_vec(),
        PixelFormat::Rg8 => level.as_chunks::<2>().0.iter().flat_map(|[r, g]| [*r, *g, 255, 255]).collect(),
        PixelFormat::Bc5 => blocks(width, height, level, |block, out| {
            let mut two = [0; 4 * 4 * 2];
            bcdec_rs::bc5(block, &mut two, 4 * 2, false);
            for (pixel, [r, g]) in out.as_chunks_mut::<4>().0.iter_mut().zip(two.as_chunks::<2>().0) {
                *pixel = [*r, *g, 255, 255];
            }
        }),
        PixelFormat::Bc7 => blocks(width, height, level, |block, out| bcdec_rs::bc7(block, out, 4 * 4)),
    }
}

/// Decodes 4 × 4 blocks of 16 bytes into RGBA rows; blocks reach past the edge of sizes that are no multiple of 4.
fn blocks(width: usize, height: usize, level: &[u8], decode: impl Fn(&[u8], &mut [u8])) -> Vec<u8> {
    let mut pixels = vec![0; width * height * 4];
    let across = width.div_ceil(4);
    for (index, block) in level.as_chunks::<16>().0.iter().enumerate() {
        let (left, top) = (index % across * 4, index / across * 4);
        let mut out = [0; 64];
        decode(block, &mut out);
        for (row, colours) in out.as_chunks::<16>().0.iter().enumerate().take_while(|(row, _)| top + row < height) {
            let wide = (width - left).min(4) * 4;
            let from = ((top + row) * width + left) * 4;
            if let (Some(target), Some(colours)) = (pixels.get_mut(from..from + wide), colours.get(..wide)) {
                target.copy_from_slice(colours);
            }
        }
    }
    pixels
}

/// RGBA pixels as a PNG file.
pub fn encode_png(width: u32, height: u32, rgba: &[u8]) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(rgba)).ok()?;
    Some(file)
}

/// Linear light to sRGB, for colours of RGBA pixels; opacity stays.
pub fn linear_to_srgb(rgba: &mut [u8]) {
    let table: [u8; 256] = std::array::from_fn(|value| {
        let linear = value as f32 / 255.0;
        let srgb = if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
        (srgb * 255.0).round() as u8
    });
    let encode = |value: u8| table.get(usize::from(value)).copied().unwrap_or(value);
    for pixel in rgba.as_chunks_mut::<4>().0 {
        let [r, g, b, a] = *pixel;
        *pixel = [encode(r), encode(g), encode(b), a];
    }
}

/// The third component of the normals in the first two channels of RGBA pixels.
pub fn rebuild_normals(rgba: &mut [u8]) {
    for pixel in rgba.as_chunks_mut::<4>().0 {
        let [r, g, ..] = *pixel;
        let [x, y] = [r, g].map(|value| f32::from(value) / 127.5 - 1.0);
        let z = (1.0 - x * x - y * y).max(0.0).sqrt();
        *pixel = [r, g, ((z + 1.0) * 127.5).round() as u8, 255];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_channels_and_blocks_become_four() {
        assert_eq!(decode(PixelFormat::Rg8, 1, 1, &[7, 9]), [7, 9, 255, 255]);
        // A BC5 block whose channels are constant: 128 and 64, in a picture that is narrower than the block.
        let block = [128, 128, 0, 0, 0, 0, 0, 0, 64, 64, 0, 0, 0, 0, 0, 0];
        assert_eq!(decode(PixelFormat::Bc5, 2, 1, &block), [128, 64, 255, 255, 128, 64, 255, 255]);
    }

    #[test]
    fn srgb_is_brighter_in_the_middle_and_the_same_at_the_ends() {
        let mut pixels = [0, 255, 55, 77];
        linear_to_srgb(&mut pixels);
        assert_eq!(pixels, [0, 255, 128, 77]);
    }

    #[test]
    fn a_flat_normal_points_up() {
        let mut pixels = [128, 128, 255, 255, 255, 128, 0, 255];
        rebuild_normals(&mut pixels);
        assert_eq!(pixels, [128, 128, 255, 255, 255, 128, 128, 255]);
    }

    #[test]
    fn a_png_can_be_read_back() {
        let file = encode_png(1, 2, &[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = [0; 8];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, [1, 2, 3, 4, 5, 6, 7, 8]);
    }
}
