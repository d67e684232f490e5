//! Pixels and blocks to PNG files.

use super::images::Purpose;
use maquette_scene::image::{ColourSpace, PixelFormat};
use maquette_scene::loss::{LossKind, LossReport, Lost};

/// The largest level of a picture.
pub struct Pixels<'a> {
    /// How a pixel or block is stored.
    pub format: PixelFormat,
    /// What the numbers mean.
    pub colour_space: ColourSpace,
    /// Width and height.
    pub size: [u32; 2],
    /// The bytes.
    pub level: &'a [u8],
}

/// How pixels are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    transfer: Transfer,
    third: Third,
}

/// What happens to red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transfer {
    Keep,
    ToSrgb,
    ToLinear,
}

/// Where blue comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Third {
    Stored,
    Zero,
    /// What makes red and green a unit normal.
    Normal,
}

impl Pixels<'_> {
    /// What they are for where no material says.
    pub fn likely_purpose(&self) -> Purpose {
        match (self.has_two_channels(), self.colour_space) {
            (true, _) => Purpose::Normal,
            (false, ColourSpace::Srgb) => Purpose::Colour,
            (false, ColourSpace::Linear) => Purpose::Data,
        }
    }

    /// How they are made fit for a purpose.
    pub fn recipe(&self, purpose: Purpose) -> Recipe {
        let transfer = match (purpose, self.colour_space) {
            (Purpose::Colour, ColourSpace::Linear) => Transfer::ToSrgb,
            (Purpose::Data | Purpose::Normal, ColourSpace::Srgb) => Transfer::ToLinear,
            _ => Transfer::Keep,
        };
        let third = match (self.has_two_channels(), purpose) {
            (false, _) => Third::Stored,
            (true, Purpose::Normal) => Third::Normal,
            (true, _) => Third::Zero,
        };
        Recipe { transfer, third }
    }

    fn has_two_channels(&self) -> bool {
        matches!(self.format, PixelFormat::Rg8 | PixelFormat::Bc5)
    }

    /// As four channels; `None` where the bytes are not as many as the size says.
    fn rgba(&self) -> Option<Vec<[u8; 4]>> {
        let [width, height] = self.size.map(|side| side as usize);
        let count = width.checked_mul(height).filter(|&count| count > 0)?;
        let plain = |each: usize| (count.checked_mul(each) == Some(self.level.len())).then_some(self.level);
        match self.format {
            PixelFormat::Rgba8 => Some(plain(4)?.as_chunks().0.to_vec()),
            PixelFormat::Rg8 => Some(plain(2)?.as_chunks().0.iter().map(|&[r, g]| [r, g, 0, 255]).collect()),
            PixelFormat::Bc5 => self.blocks(width, height, |block, out| {
                let mut two = [0; 32];
                bcdec_rs::bc5(block, &mut two, 8, false);
                for (out, &[r, g]) in out.iter_mut().zip(two.as_chunks().0) {
                    *out = [r, g, 0, 255];
                }
            }),
            PixelFormat::Bc7 => self.blocks(width, height, |block, out| {
                bcdec_rs::bc7(block, out.as_flattened_mut(), 16);
            }),
        }
    }

    fn blocks(
        &self,
        width: usize,
        height: usize,
        decode: impl Fn(&[u8; 16], &mut [[u8; 4]; 16]),
    ) -> Option<Vec<[u8; 4]>> {
        let across = width.div_ceil(4);
        let (blocks, rest) = self.level.as_chunks::<16>();
        if Some(blocks.len()) != across.checked_mul(height.div_ceil(4)) || !rest.is_empty() {
            return None;
        }
        let mut pixels = vec![[0; 4]; width.checked_mul(height)?];
        for (index, block) in blocks.iter().enumerate() {
            let mut decoded = [[0; 4]; 16];
            decode(block, &mut decoded);
            let (left, top) = (index % across * 4, index / across * 4);
            for (row, line) in decoded.as_chunks::<4>().0.iter().enumerate().take(height - top) {
                let start = (top + row) * width + left;
                let target = pixels.get_mut(start..start + (width - left).min(4)).unwrap_or_default();
                target.iter_mut().zip(line).for_each(|(to, from)| *to = *from);
            }
        }
        Some(pixels)
    }
}

/// A PNG file, with alpha only where some of it is not full; `None`, and a loss, where there is no picture.
pub fn png(pixels: &Pixels<'_>, recipe: Recipe, subject: &str, losses: &mut LossReport) -> Option<Vec<u8>> {
    let Some(mut rgba) = pixels.rgba() else {
        losses.dropped(Lost::Images, subject, "its bytes do not fit its size", 1);
        return None;
    };
    if matches!(pixels.format, PixelFormat::Bc5 | PixelFormat::Bc7) {
        losses.push(LossKind::Baked, Lost::Pixels, subject, "decoded and written as PNG", 1);
    }
    if recipe.third == Third::Normal {
        let detail = "blue is rebuilt, so that red and green are unit normals";
        losses.push(LossKind::Baked, Lost::Pixels, subject, detail, 1);
    }
    transfer(&mut rgba, recipe.transfer, subject, losses);
    if recipe.third == Third::Normal {
        rgba.iter_mut().for_each(|pixel| *pixel = with_normal(*pixel));
    }
    let encoded = encode(&rgba, pixels.size);
    if encoded.is_none() {
        losses.dropped(Lost::Images, subject, "it cannot be written as PNG", 1);
    }
    encoded
}

fn with_normal([r, g, _, a]: [u8; 4]) -> [u8; 4] {
    let [x, y] = [r, g].map(|byte| f32::from(byte) / 127.5 - 1.0);
    let z = (1.0 - x * x - y * y).max(0.0).sqrt();
    [r, g, (127.5 * (z + 1.0)).round() as u8, a]
}

/// Converts red, green and blue through a table, and reports the largest error that rounding leaves.
fn transfer(rgba: &mut [[u8; 4]], transfer: Transfer, subject: &str, losses: &mut LossReport) {
    let [there, back]: [fn(f32) -> f32; 2] = match transfer {
        Transfer::Keep => return,
        Transfer::ToSrgb => [srgb_from_linear, linear_from_srgb],
        Transfer::ToLinear => [linear_from_srgb, srgb_from_linear],
    };
    let table: [(u8, f32); 256] = std::array::from_fn(|index| {
        let value = index as f32 / 255.0;
        let stored = (there(value) * 255.0).round();
        (stored as u8, (back(stored / 255.0) - value).abs())
    });
    let mut worst = 0.0_f32;
    for channel in rgba.iter_mut().flat_map(|[r, g, b, _]| [r, g, b]) {
        let (stored, error) = table.get(usize::from(*channel)).copied().unwrap_or_default();
        *channel = stored;
        worst = worst.max(error);
    }
    let detail = match transfer {
        Transfer::ToLinear => "converted from sRGB, in 8 bits; the error is a part of full strength",
        _ => "converted to sRGB, in 8 bits; the error is a part of full strength",
    };
    losses.push(LossKind::Approximated { max_error: worst }, Lost::Pixels, subject, detail, 1);
}

fn srgb_from_linear(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

fn linear_from_srgb(srgb: f32) -> f32 {
    if srgb <= 0.040_45 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

fn encode(rgba: &[[u8; 4]], [width, height]: [u32; 2]) -> Option<Vec<u8>> {
    let opaque = rgba.iter().all(|&[.., a]| a == 255);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
    let mut writer = encoder.write_header().ok()?;
    if opaque {
        let rgb: Vec<u8> = rgba.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
        writer.write_image_data(&rgb).ok()?;
    } else {
        writer.write_image_data(rgba.as_flattened()).ok()?;
    }
    writer.finish().ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_to_srgb_and_back() {
        for byte in 0..=255_u8 {
            let there = linear_from_srgb(f32::from(byte) / 255.0);
            assert_eq!((srgb_from_linear(there) * 255.0).round() as u8, byte);
        }
        // A middle grey of half the light is 188 on a screen.
        assert_eq!((srgb_from_linear(0.5) * 255.0).round(), 188.0);
    }

    #[test]
    fn normals_are_rebuilt() {
        assert_eq!(with_normal([128, 128, 0, 255]), [128, 128, 255, 255]);
        assert_eq!(with_normal([255, 128, 0, 255]), [255, 128, 128, 255]);
    }

    #[test]
    fn blocks_are_cut_at_the_edges() {
        // BC5 with equal ends: red 10, green 200 everywhere.
        let block = [10, 10, 0, 0, 0, 0, 0, 0, 200, 200, 0, 0, 0, 0, 0, 0];
        let level = block.repeat(4);
        let pixels =
            Pixels { format: PixelFormat::Bc5, colour_space: ColourSpace::Linear, size: [5, 7], level: &level };
        assert_eq!(pixels.rgba().unwrap(), [[10, 200, 0, 255]; 35]);
        let short = Pixels { level: &level[16..], ..pixels };
        assert_eq!(short.rgba(), None);
    }
}
