//! Blocks of 128 bits, written from the lowest bit up, for all blocks of a group at once.

use crate::lanes::{LANES, Real, Whole, each_lane, whole};
use fearless_simd::prelude::*;

/// The bits written so far. Positions are the same in all blocks.
#[derive(Clone, Copy)]
pub(super) struct Writer<S: Simd> {
    words: [Whole<S>; 5],
    position: u32,
}

impl<S: Simd> Writer<S> {
    /// Begins with the mode: as many zeros, and a one.
    #[inline(always)]
    pub fn new(simd: S, mode: u32) -> Writer<S> {
        let zero = Whole::<S>::splat(simd, 0);
        Writer { words: [zero | (1 << mode), zero, zero, zero, zero], position: mode + 1 }
    }

    /// Appends a number of up to 32 bits.
    #[inline(always)]
    pub fn put(&mut self, value: Whole<S>, width: u32) {
        let (word, shift) = ((self.position / 32) as usize, self.position % 32);
        if let Some(target) = self.words.get_mut(word) {
            *target |= value << shift;
        }
        if shift + width > 32
            && let Some(target) = self.words.get_mut(word + 1)
        {
            *target |= value >> (32 - shift);
        }
        self.position += width;
    }

    #[inline(always)]
    pub fn put_real(&mut self, value: Real<S>, width: u32) {
        self.put(whole::<S>(value), width);
    }

    /// Appends both, of up to 8 bits each.
    #[inline(always)]
    pub fn put_pair(&mut self, [first, second]: [Real<S>; 2], width: u32) {
        self.put_real(first + second * (1_u32 << width) as f32, 2 * width);
    }

    /// Appends indices of all pixels, of up to 4 bits; the first is stored without its highest bit, which is 0.
    #[inline(always)]
    pub fn put_indices(&mut self, indices: &[Real<S>; 16], width: u32) {
        let zero = Whole::<S>::splat(self.words[0].token(), 0);
        let (first, second) = indices.split_at(8);
        let mut shift = 0;
        for (half, shortened) in [(first, 1), (second, 0)] {
            let mut packed = zero;
            for index in half {
                packed |= whole::<S>(*index) << shift;
                shift += if shift == 0 { width - shortened } else { width };
            }
            self.put(packed, shift);
            shift = 0;
        }
    }

    #[inline(always)]
    pub fn position(&self) -> u32 {
        self.position
    }

    /// The first 128 bits.
    #[inline(always)]
    pub fn finish(&self) -> [u128; LANES] {
        let [a, b, c, d, _] = self.words;
        let [a, b, c, d] = [each_lane::<S, _>(a), each_lane::<S, _>(b), each_lane::<S, _>(c), each_lane::<S, _>(d)];
        let mut blocks = [0; LANES];
        for ((((block, a), b), c), d) in blocks.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *block = u128::from(a) | u128::from(b) << 32 | u128::from(c) << 64 | u128::from(d) << 96;
        }
        blocks
    }

    /// Without the bits at these positions, of which the later lists name lower ones: those above move down.
    #[inline(always)]
    pub fn finish_without(&self, positions: &[[u32; LANES]]) -> [u128; LANES] {
        let mut blocks = self.finish();
        let mut last = each_lane::<S, _>(self.words[4]);
        for positions in positions {
            for ((block, last), position) in blocks.iter_mut().zip(&mut last).zip(positions) {
                let below = 1_u128.checked_shl(*position).map_or(u128::MAX, |bit| bit - 1);
                *block = *block & below | (*block >> 1 | u128::from(*last) << 127) & !below;
                let below = position.checked_sub(128).map_or(0, |place| 1_u32.wrapping_shl(place) - 1);
                *last = *last & below | *last >> 1 & !below;
            }
        }
        blocks
    }
}

/// The best blocks of a group so far.
#[derive(Clone, Copy)]
pub(super) struct Best<S: Simd> {
    /// Sums of squared differences.
    pub error: Real<S>,
    pub blocks: [u128; LANES],
}

impl<S: Simd> Best<S> {
    /// Takes those blocks that have a smaller error. They are written only if there are any.
    #[inline(always)]
    pub fn offer(&mut self, error: Real<S>, write: impl FnOnce() -> [u128; LANES]) {
        let better = error.simd_lt(self.error);
        if better.any_true() {
            let blocks = write();
            let bits = better.to_bitmask();
            for (lane, (mine, other)) in self.blocks.iter_mut().zip(blocks).enumerate() {
                *mine = if bits >> lane & 1 == 1 { other } else { *mine };
            }
            self.error = better.select(error, self.error);
        }
    }
}
