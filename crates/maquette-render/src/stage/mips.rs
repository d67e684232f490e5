//! Mip levels of textures, each averaged from the one before on all cores.
//!
//! `maquette_texture::mips` averages in floating point and keeps nothing rounded, as files want it. Here two bits less matter less than time: levels are averaged from bytes, four at a time.

use super::texture::{Level, Values};
use crate::maths::at;
use crate::srgb::Srgb;
use maquette_texture::Picture;
use rayon::prelude::*;

/// All levels of a picture.
pub(crate) fn levels(picture: Picture, values: Values) -> Vec<Level> {
    let (width, height) = (picture.width(), picture.height());
    let opaque = picture.pixels().par_chunks(1 << 16).all(|pixels| pixels.iter().all(|pixel| pixel[3] == 255));
    let mut levels = vec![Level { width, height, pixels: picture.into_pixels() }];
    while let Some(next) = levels.last().and_then(|level| halved(level, values, opaque)) {
        levels.push(next);
    }
    levels
}

/// Rows that one core takes at a time, by pixels.
const SHARE: usize = 1 << 15;

fn halved(level: &Level, values: Values, opaque: bool) -> Option<Level> {
    if level.width.max(level.height) <= 1 {
        return None;
    }
    let [width, height] = [level.width, level.height].map(|side| (side / 2).max(1));
    let mut pixels = vec![[0; 4]; width as usize * height as usize];
    let rows = (SHARE / width as usize).max(1);
    pixels.par_chunks_mut(rows * width as usize).enumerate().for_each(|(share, target)| {
        for (row, target) in target.chunks_mut(width as usize).enumerate() {
            half_row(level, [width, height], share * rows + row, values, opaque, target);
        }
    });
    Some(Level { width, height, pixels })
}

fn half_row(level: &Level, [width, height]: [u32; 2], y: usize, values: Values, opaque: bool, target: &mut [[u8; 4]]) {
    let row = |y: usize| {
        let first = y.min(level.height as usize - 1) * level.width as usize;
        level.pixels.get(first..first + level.width as usize).unwrap_or_default()
    };
    // Of an odd side, the texels that lie around the middle of the new one: nothing shifts by more than half a texel.
    let start =
        |place: usize, from: u32, to: u32| (place * 2 + 1) * from as usize / (2 * to as usize) - usize::from(from > 1);
    let top = start(y, level.height, height);
    let (upper, lower) = (row(top), row(top + usize::from(level.height > 1)));
    let even = level.width == width * 2;
    let quads = |x: usize| {
        let left = start(x, level.width, width);
        let right = left + usize::from(level.width > 1);
        [at(upper, left), at(upper, right), at(lower, left), at(lower, right)]
    };
    match (values, opaque) {
        (Values::Linear, true) if even => {
            let pairs = upper.as_chunks::<2>().0.iter().zip(lower.as_chunks::<2>().0);
            for (target, ([a, b], [c, d])) in target.iter_mut().zip(pairs) {
                *target = mean([*a, *b, *c, *d]);
            }
        }
        (Values::Srgb, true) if even => {
            let srgb = Srgb::tables();
            let pairs = upper.as_chunks::<2>().0.iter().zip(lower.as_chunks::<2>().0);
            for (target, ([a, b], [c, d])) in target.iter_mut().zip(pairs) {
                *target = mean_light(srgb, [*a, *b, *c, *d]);
            }
        }
        (Values::Linear, true) => target.iter_mut().enumerate().for_each(|(x, target)| *target = mean(quads(x))),
        (Values::Srgb, true) => {
            let srgb = Srgb::tables();
            target.iter_mut().enumerate().for_each(|(x, target)| *target = mean_light(srgb, quads(x)));
        }
        (values, false) => {
            let srgb = Srgb::tables();
            target.iter_mut().enumerate().for_each(|(x, target)| *target = mean_opaque(srgb, values, quads(x)));
        }
    }
}

/// Two channels at a time, each with room for the sum of four.
#[inline]
fn mean([a, b, c, d]: [[u8; 4]; 4]) -> [u8; 4] {
    let [a, b, c, d] = [u32::from_le_bytes(a), u32::from_le_bytes(b), u32::from_le_bytes(c), u32::from_le_bytes(d)];
    let pairs = |shift: u32| {
        let pair = |pixel: u32| pixel >> shift & 0x00ff_00ff;
        (pair(a) + pair(b) + pair(c) + pair(d) + 0x0002_0002) >> 2 & 0x00ff_00ff
    };
    (pairs(0) | pairs(8) << 8).to_le_bytes()
}

#[inline]
fn mean_light(srgb: &Srgb, [a, b, c, d]: [[u8; 4]; 4]) -> [u8; 4] {
    let light = |byte: u8| at(&srgb.light, usize::from(byte));
    let mean = |a: u8, b: u8, c: u8, d: u8| srgb.byte((light(a) + light(b) + light(c) + light(d)) * 0.25);
    [mean(a[0], b[0], c[0], d[0]), mean(a[1], b[1], c[1], d[1]), mean(a[2], b[2], c[2], d[2]), 255]
}

/// Colours count as much as they are opaque, so that what cannot be seen does not show.
fn mean_opaque(srgb: &Srgb, values: Values, quad: [[u8; 4]; 4]) -> [u8; 4] {
    let weights = quad.map(|pixel| f32::from(pixel[3]) + 0.01);
    let [a, b, c, d] = weights;
    let total = a + b + c + d;
    let light = |byte: u8| match values {
        Values::Srgb => at(&srgb.light, usize::from(byte)),
        Values::Linear => f32::from(byte) * (1.0 / 255.0),
    };
    let mean = |channel: usize| {
        let parts = quad.iter().zip(weights).map(|(pixel, weight)| light(at(pixel, channel)) * weight);
        parts.fold(0.0, |sum, part| sum + part) / total
    };
    let byte = |value: f32| match values {
        Values::Srgb => srgb.byte(value),
        Values::Linear => (value * 255.0 + 0.5) as u8,
    };
    let alpha = quad.iter().map(|pixel| u16::from(pixel[3])).sum::<u16>();
    [byte(mean(0)), byte(mean(1)), byte(mean(2)), ((alpha + 2) >> 2) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_halve_down_to_one_pixel_and_keep_the_mean() {
        for [width, height] in [[8, 8], [5, 3], [1, 7], [16, 1], [1, 1]] {
            let pixels = vec![[120, 7, 255, 255]; (width * height) as usize];
            for values in [Values::Srgb, Values::Linear] {
                let levels = levels(Picture::new(width, height, pixels.clone()).unwrap(), values);
                assert_eq!(levels.len() as u32, maquette_texture::mips::level_count(width, height));
                for level in &levels {
                    assert_eq!(level.pixels.len() as u32, level.width * level.height);
                    assert!(level.pixels.iter().all(|pixel| *pixel == [120, 7, 255, 255]));
                }
            }
        }
    }

    #[test]
    fn colours_are_averaged_as_light_and_by_opacity() {
        let pixels = vec![[255, 0, 0, 255], [0, 0, 0, 255], [255, 0, 0, 255], [0, 0, 0, 255]];
        let picture = Picture::new(2, 2, pixels).unwrap();
        assert_eq!(levels(picture.clone(), Values::Srgb)[1].pixels, [[188, 0, 0, 255]]);
        assert_eq!(levels(picture, Values::Linear)[1].pixels, [[128, 0, 0, 255]]);
        let pixels = vec![[200, 0, 0, 255], [9, 255, 9, 0], [200, 0, 0, 255], [9, 255, 9, 0]];
        let cut = Picture::new(2, 2, pixels).unwrap();
        assert_eq!(levels(cut, Values::Srgb)[1].pixels, [[200, 0, 0, 128]]);
    }
}
