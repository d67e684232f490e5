//! Mip chains: each level half the size of the one before, down to one pixel.
//!
//! Levels are averaged from one another in floating point, so that rounding does not add up; sides that cannot be halved are divided by area, so
//! that nothing shifts and the mean stays. What is averaged depends on what the pixels are: light for colours, weighted by opacity so that
//! what cannot be seen does not show; vectors for normals; plain numbers for everything else.

mod chain;
mod shrink;

pub use chain::Chain;

use crate::colour::{srgb_byte, srgb_table};
use crate::picture::Picture;
use shrink::Shrink;
use std::sync::LazyLock;

/// What the pixels of a picture are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// Four numbers that have nothing to do with each other.
    Data,
    /// Linear colours that count as much as they are opaque.
    Blended,
    /// Linear colours that are there from half opacity on; each level has as many of them as the first.
    CutOut,
    /// Colours in sRGB that count as much as they are opaque.
    SrgbColour,
    /// Normals in red and green; blue is made of them.
    Normals,
}

/// The number of levels of a picture; none for one without pixels.
pub fn level_count(width: u32, height: u32) -> u32 {
    if width == 0 || height == 0 { 0 } else { 1 + width.max(height).ilog2() }
}

/// The size of a level.
pub fn level_size(width: u32, height: u32, level: u32) -> [u32; 2] {
    [width, height].map(|side| side.checked_shr(level).unwrap_or(0).max(1))
}

/// All levels below a picture, the largest first.
pub fn below(top: &Picture, content: Content) -> Vec<Picture> {
    let (width, height) = (top.width(), top.height());
    let sizes: Vec<[u32; 2]> = (1..level_count(width, height)).map(|level| level_size(width, height, level)).collect();
    let pixels_of = |[width, height]: &[u32; 2]| *width as usize * *height as usize;
    let mut levels: Vec<Vec<[u8; 4]>> = sizes.iter().map(|size| Vec::with_capacity(pixels_of(size))).collect();
    let mut take = |level: u32, row: &[[u8; 4]]| {
        let level = levels.get_mut(level as usize - 1);
        level.into_iter().for_each(|level| level.extend_from_slice(row));
    };
    let mut chain = Chain::new([width, height], content);
    chain.push(top.pixels(), &mut take);
    chain.finish(&mut take);
    sizes.into_iter().zip(levels).filter_map(|([width, height], pixels)| Picture::new(width, height, pixels)).collect()
}

/// A picture of numbers, or of colours in sRGB that are opaque, averaged until neither side is longer than asked for.
pub fn within(picture: &Picture, size: [u32; 2], is_srgb: bool) -> Picture {
    let opaque = |[r, g, b, _]: [u8; 4]| [r, g, b, 255];
    match is_srgb {
        true => averaged(picture, size, |pixel| widen_srgb(opaque(pixel)), narrow_srgb),
        false => averaged(picture, size, widen_number, narrow_number),
    }
}

fn averaged(
    picture: &Picture,
    [width, height]: [u32; 2],
    widen: impl Fn([u8; 4]) -> [f32; 4],
    narrow: impl Fn([f32; 4]) -> [u8; 4],
) -> Picture {
    let from = [picture.width(), picture.height()];
    let [width, height] = [width.min(picture.width()).max(1), height.min(picture.height()).max(1)];
    let mut shrink = Shrink::new(from, [width, height]);
    let (mut pixels, mut row) = (Vec::with_capacity(width as usize * height as usize), Vec::new());
    for y in 0..picture.height() as usize {
        if shrink.push(picture.row(y), &widen, &mut row) {
            pixels.extend(row.iter().map(|value| narrow(*value)));
        }
    }
    Picture::new(width, height, pixels).unwrap_or_else(|| picture.clone())
}

/// What sRGB values mean.
static LIGHT: LazyLock<[f32; 256]> = LazyLock::new(srgb_table);

/// What invisible colours count; without it there would be none where nothing is opaque.
const LEAST_OPACITY: f32 = 1.0 / 1024.0;

#[inline]
fn parts_of_one(pixel: [u8; 4]) -> [f32; 4] {
    pixel.map(|value| f32::from(value) * (1.0 / 255.0))
}

#[inline]
fn bytes(values: [f32; 4]) -> [u8; 4] {
    values.map(|value| (value * 255.0 + 0.5) as u8)
}

#[inline]
fn widen_number(pixel: [u8; 4]) -> [f32; 4] {
    pixel.map(f32::from)
}

#[inline]
fn narrow_number(value: [f32; 4]) -> [u8; 4] {
    value.map(|channel| (channel + 0.5) as u8)
}

#[inline]
fn widen_colour(pixel: [u8; 4]) -> [f32; 4] {
    let [r, g, b, a] = parts_of_one(pixel);
    let weight = a + LEAST_OPACITY;
    [r * weight, g * weight, b * weight, a]
}

#[inline]
fn narrow_colour([r, g, b, a]: [f32; 4]) -> [u8; 4] {
    let weight = 1.0 / (a + LEAST_OPACITY);
    bytes([r * weight, g * weight, b * weight, a])
}

#[inline]
fn widen_srgb([r, g, b, a]: [u8; 4]) -> [f32; 4] {
    let a = f32::from(a) / 255.0;
    let light = |value: u8| LIGHT.get(usize::from(value)).copied().unwrap_or_default() * (a + LEAST_OPACITY);
    [light(r), light(g), light(b), a]
}

#[inline]
fn narrow_srgb([r, g, b, a]: [f32; 4]) -> [u8; 4] {
    let [r, g, b] = [r, g, b].map(|light| srgb_byte(light / (a + LEAST_OPACITY)));
    [r, g, b, (a * 255.0 + 0.5) as u8]
}

#[inline]
fn widen_normal(pixel: [u8; 4]) -> [f32; 4] {
    let [x, y, ..] = parts_of_one(pixel).map(|part| part * 2.0 - 1.0);
    [x, y, (1.0 - x * x - y * y).max(0.0).sqrt(), 1.0]
}

#[inline]
fn narrow_normal([x, y, z, _]: [f32; 4]) -> [u8; 4] {
    let length = (x * x + y * y + z * z).sqrt();
    let [x, y, z] = if length > 1e-6 { [x, y, z].map(|axis| axis / length) } else { [0.0, 0.0, 1.0] };
    bytes([x * 0.5 + 0.5, y * 0.5 + 0.5, z * 0.5 + 0.5, 1.0])
}

#[cfg(test)]
mod tests;
