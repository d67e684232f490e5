//! Mip chains: each level half the size of the one before, down to one pixel.
//!
//! Levels are averaged from one another in floating point, so that rounding does not add up; sides that cannot be halved are divided by area, so
//! that nothing shifts and the mean stays. What is averaged depends on what the pixels are: light for colours, weighted by opacity so that
//! what cannot be seen does not show; vectors for normals; plain numbers for everything else.

use crate::colour::{srgb_byte, srgb_table};
use crate::picture::Picture;
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
    // A loop of its own for each, which the compiler can make vectors of.
    match content {
        Content::Data => levels(top, None, |pixel| pixel.map(f32::from), |value, _| value.map(|v| (v + 0.5) as u8)),
        Content::Blended => levels(top, None, widen_colour, narrow_colour),
        Content::CutOut => levels(top, Some(coverage(top)), widen_colour, narrow_colour),
        Content::SrgbColour => levels(top, None, widen_srgb, narrow_srgb),
        Content::Normals => levels(top, None, widen_normal, narrow_normal),
    }
}

/// A picture of numbers, or of colours in sRGB that are opaque, averaged until neither side is longer than asked for.
pub fn within(picture: &Picture, size: [u32; 2], is_srgb: bool) -> Picture {
    let opaque = |[r, g, b, _]: [u8; 4]| [r, g, b, 255];
    match is_srgb {
        true => averaged(picture, size, |pixel| widen_srgb(opaque(pixel)), narrow_srgb),
        false => averaged(picture, size, |pixel| pixel.map(f32::from), |value, _| value.map(|v| (v + 0.5) as u8)),
    }
}

fn averaged(
    picture: &Picture,
    [width, height]: [u32; 2],
    widen: impl Fn([u8; 4]) -> [f32; 4],
    narrow: impl Fn([f32; 4], f32) -> [u8; 4],
) -> Picture {
    let from = [picture.width(), picture.height()];
    let [width, height] = [width.min(picture.width()).max(1), height.min(picture.height()).max(1)];
    let values = shrink(picture.pixels(), from, [width, height], widen);
    let pixels = values.iter().map(|value| narrow(*value, 1.0)).collect();
    Picture::new(width, height, pixels).unwrap_or_else(|| picture.clone())
}

/// The levels, by what makes numbers of a pixel that can be averaged, and a pixel of their average. `covered` is what is to stay opaque.
fn levels(
    top: &Picture,
    covered: Option<f64>,
    widen: impl Fn([u8; 4]) -> [f32; 4],
    narrow: impl Fn([f32; 4], f32) -> [u8; 4],
) -> Vec<Picture> {
    let (width, height) = (top.width(), top.height());
    let count = level_count(width, height);
    let (mut levels, mut last) = match covered {
        None => halves(top, &widen, &narrow),
        Some(_) => (Vec::new(), None),
    };
    for level in levels.len() as u32 + 1..count {
        let (from, to) = (level_size(width, height, level - 1), level_size(width, height, level));
        let values = match &last {
            None => shrink(top.pixels(), from, to, &widen),
            Some(values) => shrink(values, from, to, |value| value),
        };
        let gain = covered.map_or(1.0, |covered| opacity_gain(&values, covered));
        let pixels = values.iter().map(|value| narrow(*value, gain)).collect();
        let [width, height] = to;
        levels.extend(Picture::new(width, height, pixels));
        last = Some(values);
    }
    levels
}

/// The levels down to where a side is not halved, and the numbers of the last. Two rows of a level make one of the next as soon as they are there,
/// so that no level but the last is held as numbers.
fn halves(
    top: &Picture,
    widen: impl Fn([u8; 4]) -> [f32; 4],
    narrow: impl Fn([f32; 4], f32) -> [u8; 4],
) -> (Vec<Picture>, Option<Vec<[f32; 4]>>) {
    let size = |level: u32| level_size(top.width(), top.height(), level);
    let is_halved = |level: &u32| size(level - 1) == size(*level).map(|side| 2 * side);
    let sizes: Vec<[u32; 2]> = (1..level_count(top.width(), top.height())).take_while(is_halved).map(size).collect();
    let pixels_of = |[width, height]: [u32; 2]| width as usize * height as usize;
    let mut levels: Vec<Vec<[u8; 4]>> = sizes.iter().map(|size| Vec::with_capacity(pixels_of(*size))).collect();
    // Of each level, a row that waits for the next.
    let mut waiting: Vec<Vec<[f32; 4]>> = vec![Vec::new(); levels.len()];
    let mut last = Vec::new();
    for y in 0..sizes.first().map_or(0, |[_, height]| *height as usize) {
        let mut row = Vec::new();
        halve([top.row(2 * y), top.row(2 * y + 1)], &widen, &mut row);
        let mut y = y;
        for (level, (pixels, waiting)) in levels.iter_mut().zip(&mut waiting).enumerate() {
            for value in &row {
                pixels.push(narrow(*value, 1.0));
            }
            if level + 1 == sizes.len() {
                last.append(&mut row);
                break;
            }
            std::mem::swap(waiting, &mut row);
            if y % 2 == 0 {
                break;
            }
            // The one that waited is above.
            let above = std::mem::take(&mut row);
            halve([&above, waiting], |value| value, &mut row);
            y /= 2;
        }
    }
    let pictures =
        sizes.iter().zip(levels).filter_map(|([width, height], pixels)| Picture::new(*width, *height, pixels));
    (pictures.collect(), (!sizes.is_empty()).then_some(last))
}

/// The means of two by two pixels of two rows.
fn halve<T: Copy>([above, below]: [&[T]; 2], widen: impl Fn(T) -> [f32; 4], into: &mut Vec<[f32; 4]>) {
    let pairs = above.as_chunks().0.iter().zip(below.as_chunks().0);
    into.extend(pairs.map(|([a, b], [c, d])| mean([widen(*a), widen(*b), widen(*c), widen(*d)])));
}

/// What sRGB values mean.
static LIGHT: LazyLock<[f32; 256]> = LazyLock::new(srgb_table);

/// What invisible colours count; without it there would be none where nothing is opaque.
const LEAST_OPACITY: f32 = 1.0 / 1024.0;

fn parts_of_one(pixel: [u8; 4]) -> [f32; 4] {
    pixel.map(|value| f32::from(value) * (1.0 / 255.0))
}

fn bytes(values: [f32; 4]) -> [u8; 4] {
    values.map(|value| (value * 255.0 + 0.5) as u8)
}

fn widen_colour(pixel: [u8; 4]) -> [f32; 4] {
    let [r, g, b, a] = parts_of_one(pixel);
    let weight = a + LEAST_OPACITY;
    [r * weight, g * weight, b * weight, a]
}

fn narrow_colour([r, g, b, a]: [f32; 4], gain: f32) -> [u8; 4] {
    let weight = 1.0 / (a + LEAST_OPACITY);
    bytes([r * weight, g * weight, b * weight, a * gain])
}

fn widen_srgb([r, g, b, a]: [u8; 4]) -> [f32; 4] {
    let a = f32::from(a) / 255.0;
    let light = |value: u8| LIGHT.get(usize::from(value)).copied().unwrap_or_default() * (a + LEAST_OPACITY);
    [light(r), light(g), light(b), a]
}

fn narrow_srgb([r, g, b, a]: [f32; 4], _: f32) -> [u8; 4] {
    let [r, g, b] = [r, g, b].map(|light| srgb_byte(light / (a + LEAST_OPACITY)));
    [r, g, b, (a * 255.0 + 0.5) as u8]
}

fn widen_normal(pixel: [u8; 4]) -> [f32; 4] {
    let [x, y, ..] = parts_of_one(pixel).map(|part| part * 2.0 - 1.0);
    [x, y, (1.0 - x * x - y * y).max(0.0).sqrt(), 1.0]
}

fn narrow_normal([x, y, z, _]: [f32; 4], _: f32) -> [u8; 4] {
    let length = (x * x + y * y + z * z).sqrt();
    let [x, y, z] = if length > 1e-6 { [x, y, z].map(|axis| axis / length) } else { [0.0, 0.0, 1.0] };
    bytes([x * 0.5 + 0.5, y * 0.5 + 0.5, z * 0.5 + 0.5, 1.0])
}

/// The part of a picture that is at least half opaque.
fn coverage(picture: &Picture) -> f64 {
    let covered = picture.pixels().iter().filter(|[.., a]| *a >= 128).count();
    covered as f64 / picture.pixels().len() as f64
}

/// What opacity must be multiplied by so that this part is at least half opaque, as nearly as possible.
fn opacity_gain(values: &[[f32; 4]], covered: f64) -> f32 {
    // What is written is rounded to eight bits, of which 128 is the first from the half on.
    const HALF: f32 = 127.6 / 255.0;
    let wanted = (covered * values.len() as f64).round() as usize;
    let count = |gain: f32| values.iter().filter(|[.., a]| a * gain >= HALF).count();
    let as_is = count(1.0);
    if as_is == wanted || wanted == 0 {
        return 1.0;
    }
    let mut opacities: Vec<f32> = values.iter().map(|[.., a]| *a).collect();
    let at = opacities.len().saturating_sub(wanted);
    if at >= opacities.len() {
        return 1.0;
    }
    let (_, &mut threshold, _) = opacities.select_nth_unstable_by(at, f32::total_cmp);
    let gain = HALF * 1.0001 / threshold.max(1e-3);
    if count(gain).abs_diff(wanted) < as_is.abs_diff(wanted) { gain } else { 1.0 }
}

/// How a side shrinks.
enum Axis {
    /// It stays.
    Same,
    /// To its half.
    Half,
    /// To another size: for each pixel, the first of those it covers and how much of each.
    Parts(Vec<(usize, Vec<f32>)>),
}

impl Axis {
    fn new(from: usize, to: usize) -> Axis {
        match () {
            () if from == to => Axis::Same,
            () if from == to * 2 => Axis::Half,
            () => Axis::Parts((0..to).map(|place| parts(place, from, to)).collect()),
        }
    }

    /// The pixels that one is made of, and how much of each.
    fn taps(&self, place: usize) -> (usize, &[f32]) {
        match self {
            Axis::Same => (place, &[1.0]),
            Axis::Half => (place * 2, &[0.5, 0.5]),
            Axis::Parts(parts) => parts.get(place).map_or((0, &[]), |(first, parts)| (*first, parts)),
        }
    }
}

/// The pixels that pixel `place` of `to` covers among `from`, in whole numbers: each is `to` wide and it is `from` wide.
fn parts(place: usize, from: usize, to: usize) -> (usize, Vec<f32>) {
    let (start, end) = (place * from, (place + 1) * from);
    let first = start / to;
    let last = (end - 1) / to;
    let overlap = |pixel: usize| ((pixel + 1) * to).min(end) - (pixel * to).max(start);
    (first, (first..=last).map(|pixel| overlap(pixel) as f32 / from as f32).collect())
}

/// Averages a picture.
fn shrink<T: Copy>(pixels: &[T], from: [u32; 2], to: [u32; 2], widen: impl Fn(T) -> [f32; 4]) -> Vec<[f32; 4]> {
    let ([from_width, from_height], [width, height]) = (from.map(|side| side as usize), to.map(|side| side as usize));
    let row = |y: usize| pixels.get(y * from_width..).and_then(|rest| rest.get(..from_width)).unwrap_or_default();
    let (across, down) = (Axis::new(from_width, width), Axis::new(from_height, height));
    let mut out = Vec::with_capacity(width * height);
    if let (Axis::Half, Axis::Half) = (&across, &down) {
        (0..height).for_each(|y| halve([row(2 * y), row(2 * y + 1)], &widen, &mut out));
        return out;
    }
    let mut sum = vec![[0.0; 4]; from_width];
    out.resize(width * height, [0.0; 4]);
    for (y, target) in out.chunks_exact_mut(width).enumerate() {
        let (first, parts) = down.taps(y);
        sum.fill([0.0; 4]);
        for (y, &part) in (first..).zip(parts) {
            for (sum, pixel) in sum.iter_mut().zip(row(y)) {
                sum.iter_mut().zip(widen(*pixel)).for_each(|(sum, value)| *sum += value * part);
            }
        }
        shrink_row(&across, &sum, target);
    }
    out
}

fn mean([a, b, c, d]: [[f32; 4]; 4]) -> [f32; 4] {
    let mut sum = a;
    for other in [b, c, d] {
        sum.iter_mut().zip(other).for_each(|(sum, value)| *sum += value);
    }
    sum.map(|value| value * 0.25)
}

fn shrink_row(axis: &Axis, row: &[[f32; 4]], out: &mut [[f32; 4]]) {
    match axis {
        Axis::Same => out.copy_from_slice(row),
        Axis::Half => {
            for (out, [left, right]) in out.iter_mut().zip(row.as_chunks().0) {
                *out = std::array::from_fn(|channel| match (left.get(channel), right.get(channel)) {
                    (Some(left), Some(right)) => (left + right) * 0.5,
                    _ => 0.0,
                });
            }
        }
        Axis::Parts(_) => {
            for (x, out) in out.iter_mut().enumerate() {
                let (first, parts) = axis.taps(x);
                *out = [0.0; 4];
                for (pixel, part) in row.iter().skip(first).zip(parts) {
                    out.iter_mut().zip(pixel).for_each(|(out, value)| *out += value * part);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
