//! Pixels to BC5 blocks, which keep red and green: two blocks of 64 bits, each with two values and an index a pixel.
//!
//! Where the first value is the larger, indices name eight evenly spaced values from one to the other. Else they name six, and 0 and
//! 255, which is better where a block touches black or white and has little else.
//!
//! Spaced values are fractions. The error that is minimised is that of the nearest whole numbers, which is what decoders to
//! bytes make of them.

#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // Arrays of fixed size, and loops over just that size.

use crate::error::{StoredError, Wanted};
use crate::lanes::{Block, LANES, Real, Whole, choose, choose_all, each_lane, load, real, round, vectorized, whole};
use crate::tiles::Coder;
use crate::{Quality, blocks};
use fearless_simd::Level;
use fearless_simd::prelude::*;

/// Encodes red and green on all cores, block by block, row by row. Blocks past the edge repeat the pixels at the edge.
/// `None` where the pixels are not as many as the size says.
pub fn encode(width: usize, height: usize, pixels: &[[u8; 4]], quality: Quality) -> Option<Vec<u8>> {
    coder(quality).all(width, height, pixels, None).map(|(blocks, _)| blocks)
}

/// The same, and how far the blocks are from what is wanted, if anything is.
pub fn encode_measured(
    width: usize,
    height: usize,
    pixels: &[[u8; 4]],
    quality: Quality,
    wanted: Option<&Wanted<'_>>,
) -> Option<(Vec<u8>, StoredError)> {
    coder(quality).all(width, height, pixels, wanted)
}

fn coder(quality: Quality) -> Coder<impl Fn(&[Block], &mut [[u8; 16]]) + Sync> {
    let level = Level::new();
    let effort = Effort::new(quality);
    let encode = move |blocks: &[Block], target: &mut [[u8; 16]]| {
        vectorized!(level, simd => encode_all(simd, blocks, target, effort));
    };
    Coder { encode, decode: blocks::bc5 }
}

#[derive(Clone, Copy)]
struct Effort {
    /// How many times the ends are fitted to the indices.
    rounds: usize,
    /// How many times ends are moved by one, to see whether that is better.
    moves: usize,
}

impl Effort {
    fn new(quality: Quality) -> Effort {
        match quality {
            Quality::Fast => Effort { rounds: 1, moves: 0 },
            Quality::Default => Effort { rounds: 2, moves: 1 },
            Quality::High => Effort { rounds: 3, moves: 8 },
        }
    }
}

#[inline(always)]
fn encode_all<S: Simd>(simd: S, blocks: &[Block], target: &mut [[u8; 16]], effort: Effort) {
    for (blocks, target) in blocks.chunks(Real::<S>::LEN).zip(target.chunks_mut(Real::<S>::LEN)) {
        let empty = [[0; 4]; 16];
        let mut members = [&empty; LANES];
        for (member, block) in members.iter_mut().zip(blocks) {
            *member = block;
        }
        let points = load(simd, &members);
        let red = encode_channel(simd, &points, 0, effort);
        let green = encode_channel(simd, &points, 1, effort);
        for ((to, red), green) in target.iter_mut().zip(red).zip(green) {
            *to = (u128::from(red) | u128::from(green) << 64).to_le_bytes();
        }
    }
}

/// Values between two ends, and which of them each pixel has.
#[derive(Clone, Copy)]
struct Fit<S: Simd> {
    low: Real<S>,
    high: Real<S>,
    /// From 0 at the low end; where there are six values, 6 stands for black and 7 for white.
    indices: [Real<S>; 16],
    error: Real<S>,
}

impl<S: Simd> Fit<S> {
    #[inline(always)]
    fn or(&self, other: &Fit<S>) -> Fit<S> {
        let better = other.error.simd_lt(self.error);
        Fit {
            low: choose::<S>(better, other.low, self.low),
            high: choose::<S>(better, other.high, self.high),
            indices: choose_all::<S, _>(better, other.indices, self.indices),
            error: choose::<S>(better, other.error, self.error),
        }
    }
}

/// How many values there are, with their highest index.
trait Steps {
    const TOP: f32;
    /// Whether black and white can be had besides.
    const EXTREMES: bool;
}

struct Eight;
struct Six;

impl Steps for Eight {
    const TOP: f32 = 7.0;
    const EXTREMES: bool = false;
}

impl Steps for Six {
    const TOP: f32 = 5.0;
    const EXTREMES: bool = true;
}

#[inline(never)]
fn encode_channel<S: Simd>(
    simd: S,
    points: &crate::lanes::Points<S, 4>,
    channel: usize,
    effort: Effort,
) -> [u64; LANES] {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut values = [real(simd, 0.0); 16];
            for (value, point) in values.iter_mut().zip(points) {
                *value = if channel == 0 { point[0] } else { point[1] };
            }
            let (mut lowest, mut highest) = (values[0], values[0]);
            for &value in &values {
                lowest = lowest.min(value);
                highest = highest.max(value);
            }
            let eight = search::<S, Eight>(simd, &values, lowest, highest, effort);
            let extreme = (lowest.simd_eq(0.0) | highest.simd_eq(255.0)) & eight.error.simd_gt(0.0);
            if !extreme.any_true() {
                return write(simd, &eight, &eight);
            }
            let (mut inner_lowest, mut inner_highest) = (highest, lowest);
            for &value in &values {
                let inner = value.simd_gt(0.0) & value.simd_lt(255.0);
                inner_lowest = choose::<S>(inner, inner_lowest.min(value), inner_lowest);
                inner_highest = choose::<S>(inner, inner_highest.max(value), inner_highest);
            }
            let inner_highest = inner_highest.max(inner_lowest);
            let mut six = search::<S, Six>(simd, &values, inner_lowest, inner_highest, effort);
            six.error = choose::<S>(extreme, six.error, real(simd, f32::MAX));
            write(simd, &eight, &six)
        },
    )
}

#[inline(always)]
fn search<S: Simd, T: Steps>(
    simd: S,
    values: &[Real<S>; 16],
    lowest: Real<S>,
    highest: Real<S>,
    effort: Effort,
) -> Fit<S> {
    let mut best = assign::<S, T>(simd, values, lowest, highest);
    for _ in 0..effort.rounds {
        let (low, high) = ends::<S, T>(simd, values, &best.indices);
        best = best.or(&assign::<S, T>(simd, values, low, high));
    }
    let (none, full) = (real(simd, 0.0), real(simd, 255.0));
    for _ in 0..effort.moves {
        if !best.error.simd_gt(0.0).any_true() {
            break;
        }
        let Fit { low, high, error, .. } = best;
        for (down, up) in
            [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)]
        {
            let (low, high) = ((low + down).max(none).min(full), (high + up).max(none).min(full));
            best = best.or(&assign::<S, T>(simd, values, low.min(high), high));
        }
        if !best.error.simd_lt(error).any_true() {
            break;
        }
    }
    best
}

/// The nearest value of each pixel.
#[inline(always)]
fn assign<S: Simd, T: Steps>(simd: S, values: &[Real<S>; 16], low: Real<S>, high: Real<S>) -> Fit<S> {
    let zero = real(simd, 0.0);
    let length = high - low;
    let scale = real(simd, T::TOP) / length.max(real(simd, 1.0));
    let step = length * (1.0 / T::TOP);
    let (offset, start) = (real(simd, 0.5) - low * scale, low + 0.5);
    let mut fit = Fit { low, high, indices: [zero; 16], error: zero };
    for pixel in 0..16 {
        let value = values[pixel];
        let mut index = (value * scale + offset).floor().max(zero).min(real(simd, T::TOP));
        let difference = (start + index * step).floor() - value;
        let mut square = difference * difference;
        if T::EXTREMES {
            let (black, white) = (value * value, (value - 255.0) * (value - 255.0));
            index = choose::<S>(black.simd_lt(square), real(simd, 6.0), index);
            square = square.min(black);
            index = choose::<S>(white.simd_lt(square), real(simd, 7.0), index);
            square = square.min(white);
        }
        fit.error += square;
        fit.indices[pixel] = index;
    }
    fit
}

/// The whole ends that suit the indices best.
#[inline(always)]
fn ends<S: Simd, T: Steps>(simd: S, values: &[Real<S>; 16], indices: &[Real<S>; 16]) -> (Real<S>, Real<S>) {
    let zero = real(simd, 0.0);
    let (mut count, mut sum, mut squares, mut total, mut products) = (zero, zero, zero, zero, zero);
    for pixel in 0..16 {
        let (mut index, mut value, mut one) = (indices[pixel], values[pixel], real(simd, 1.0));
        if T::EXTREMES {
            let inner = index.simd_le(T::TOP);
            (index, value, one) =
                (choose::<S>(inner, index, zero), choose::<S>(inner, value, zero), choose::<S>(inner, one, zero));
        }
        count += one;
        sum += index;
        squares += index * index;
        total += value;
        products += index * value;
    }
    let spread = count * squares - sum * sum;
    let inverse = choose::<S>(spread.simd_gt(0.5), real(simd, 1.0) / spread, zero);
    let slope = (count * products - sum * total) * inverse;
    let start = (total - slope * sum) / count.max(real(simd, 1.0));
    let full = real(simd, 255.0);
    let low = round::<S>(start).max(zero).min(full);
    let high = round::<S>(start + slope * T::TOP).max(low).min(full);
    (low, high)
}

/// The better of both as bits.
#[inline(always)]
fn write<S: Simd>(simd: S, eight: &Fit<S>, six: &Fit<S>) -> [u64; LANES] {
    let with_six = six.error.simd_lt(eight.error);
    let best = eight.or(six);
    let zero = Whole::<S>::splat(simd, 0);
    let mut words = [zero; 2];
    for pixel in 0..16 {
        let index = best.indices[pixel];
        // The ends come first, then what lies between, from the first end on. The eight begin with the high end.
        let down = choose::<S>(
            index.simd_eq(7.0),
            real(simd, 0.0),
            choose::<S>(index.simd_eq(0.0), real(simd, 1.0), real(simd, 8.0) - index),
        );
        let inner = choose::<S>(
            index.simd_eq(0.0),
            real(simd, 0.0),
            choose::<S>(index.simd_eq(5.0), real(simd, 1.0), index + 1.0),
        );
        let up = choose::<S>(index.simd_gt(5.0), index, inner);
        words[pixel / 8] |= whole::<S>(choose::<S>(with_six, up, down)) << (3 * (pixel as u32 % 8));
    }
    let first = each_lane::<S, _>(whole::<S>(choose::<S>(with_six, best.low, best.high)));
    let second = each_lane::<S, _>(whole::<S>(choose::<S>(with_six, best.high, best.low)));
    let words = [each_lane::<S, _>(words[0]), each_lane::<S, _>(words[1])];
    let mut blocks = [0; LANES];
    for lane in 0..LANES {
        let indices = u64::from(words[0][lane]) | u64::from(words[1][lane]) << 24;
        blocks[lane] = u64::from(first[lane]) | u64::from(second[lane]) << 8 | indices << 16;
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::decode_bc5;
    use crate::compare::psnr;
    use crate::lanes::levels;
    use proptest::prelude::*;

    const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Default, Quality::High];

    fn round_trip(width: usize, height: usize, pixels: &[[u8; 4]], quality: Quality) -> Vec<[u8; 4]> {
        decode_bc5(width, height, &encode(width, height, pixels, quality).unwrap()).unwrap()
    }

    /// Noise of this strength, the same on every run.
    fn noise(count: usize, strength: u64) -> Vec<[u8; 4]> {
        let mut state = 5_u64;
        let mut roll = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (100 + (state >> 33) % strength) as u8
        };
        (0..count).map(|_| [roll(), roll(), 0, 255]).collect()
    }

    #[test]
    fn up_to_eight_neighbouring_values_are_exact() {
        let pixels = noise(64 * 64, 8);
        for quality in QUALITIES {
            assert!(round_trip(64, 64, &pixels, quality) == pixels, "{quality:?}");
        }
    }

    #[test]
    fn a_block_with_extremes_uses_the_six_values() {
        let mut pixels = [[0, 255, 0, 255]; 16];
        for (pixel, value) in pixels.iter_mut().zip([0, 255, 100, 101, 102, 103, 104, 105]) {
            *pixel = [value, value, 0, 255];
        }
        assert_eq!(round_trip(4, 4, &pixels, Quality::Default), pixels);
    }

    #[test]
    fn noise_is_as_good_as_eight_values_can_be() {
        let pixels = noise(64 * 64, 64);
        // Eight evenly spaced values over 64 leave an error of at most 64/7/2, uniformly spread: 39.8 dB or better.
        for (quality, least) in QUALITIES.into_iter().zip([39.8, 40.2, 40.4]) {
            let distance = psnr(&pixels, &round_trip(64, 64, &pixels, quality), &[0, 1]);
            assert!(distance > least, "{quality:?}: {distance}");
        }
    }

    #[test]
    fn blocks_are_the_same_whatever_the_processor_can_do_and_on_all_cores() {
        let pixels = noise(99 * 67, 140);
        let blocks: Vec<Block> = pixels.as_chunks::<16>().0.to_vec();
        let on = |level| {
            let mut target = vec![[0; 16]; blocks.len()];
            vectorized!(level, simd => encode_all(simd, &blocks, &mut target, Effort::new(Quality::Default)));
            target
        };
        let expected = on(Level::new());
        assert!(levels().into_iter().all(|level| on(level) == expected));
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| encode(99, 67, &pixels, Quality::Default))
        };
        assert!(with(1) == with(5));
    }

    #[test]
    fn pixels_must_fit_the_size() {
        assert_eq!(encode(3, 2, &[[0; 4]; 5], Quality::Fast), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn one_value_is_exact_at_any_size(red: u8, green: u8, width in 1..14_usize, height in 1..14_usize) {
            let pixels = vec![[red, green, 0, 255]; width * height];
            prop_assert_eq!(round_trip(width, height, &pixels, Quality::Default), pixels);
        }

        #[test]
        fn no_pixel_is_further_off_than_half_a_step(values: [[u8; 2]; 16]) {
            let pixels = values.map(|[red, green]| [red, green, 0, 255]);
            let decoded = round_trip(4, 4, &pixels, Quality::Fast);
            let error = |channel: usize| -> u32 {
                pixels.iter().zip(&decoded).map(|(a, b)| u32::from(a[channel].abs_diff(b[channel])).pow(2)).sum()
            };
            for channel in 0..2 {
                let range = u32::from(pixels.iter().map(|p| p[channel]).max().unwrap() - pixels.iter().map(|p| p[channel]).min().unwrap());
                // Half a step and half a rounding at most, for each pixel.
                prop_assert!(f64::from(error(channel)) <= 16.0 * (f64::from(range) / 14.0 + 0.5).powi(2));
            }
        }
    }
}
