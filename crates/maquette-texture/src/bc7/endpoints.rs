//! How modes store the ends of lines: some bits a channel, and perhaps a lowest bit that channels share.

#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // Arrays of fixed size, and loops over just that size.

use crate::lanes::{Real, choose, choose_all, real, round};
use fearless_simd::prelude::*;

/// The lowest bit of all channels of an end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Parity {
    /// There is none.
    Absent,
    /// Each end has its own.
    Each,
    /// Both ends have the same.
    Shared,
    /// Each end has its own, which has to be this one for the sake of another channel.
    Fixed(u8),
}

/// A way to store a line.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// Bits a channel, without the shared one.
    pub bits: u32,
    pub parity: Parity,
    /// The highest index: indices count from 0 at the first end to this at the second.
    pub top: f32,
}

/// A line as stored.
#[derive(Clone, Copy)]
pub(super) struct Stored<S: Simd, const C: usize> {
    /// The bits of each channel of both ends, without the shared bit.
    pub codes: [[Real<S>; C]; 2],
    pub parity: [Real<S>; 2],
    /// What they stand for, from 0 to 255.
    pub values: [[Real<S>; C]; 2],
}

impl<S: Simd, const C: usize> Stored<S, C> {
    /// The other where asked for.
    #[inline(always)]
    pub fn or(&self, other: &Stored<S, C>, where_other: crate::lanes::Mask<S>) -> Stored<S, C> {
        let mut chosen = *self;
        for end in 0..2 {
            chosen.codes[end] = choose_all(where_other, other.codes[end], self.codes[end]);
            chosen.values[end] = choose_all(where_other, other.values[end], self.values[end]);
            chosen.parity[end] = choose(where_other, other.parity[end], self.parity[end]);
        }
        chosen
    }
}

/// The numbers of a format with a known lowest bit.
struct Grid {
    scale: f32,
    step: f32,
    bit: f32,
    highest: f32,
    /// The highest bits are repeated below the lowest: factors for both.
    repeat: [f32; 2],
}

impl Grid {
    fn new(bits: u32, bit: Option<u8>) -> Grid {
        let total = (bits + u32::from(bit.is_some())).clamp(4, 8);
        Grid {
            scale: (1_u32 << total).wrapping_sub(1) as f32 / 255.0,
            step: if bit.is_some() { 2.0 } else { 1.0 },
            bit: f32::from(bit.unwrap_or(0)),
            highest: (1_u32 << bits.min(8)).wrapping_sub(1) as f32,
            repeat: [(1_u32 << (8 - total)) as f32, 1.0 / (1_u32 << (2 * total - 8)) as f32],
        }
    }

    /// The nearest stored ends, and how far each is off.
    #[inline(always)]
    fn store<S: Simd, const C: usize>(&self, simd: S, ends: &[[Real<S>; C]; 2]) -> (Stored<S, C>, [Real<S>; 2]) {
        let zero = real(simd, 0.0);
        let mut stored = Stored { codes: *ends, parity: [real(simd, self.bit); 2], values: *ends };
        let mut errors = [zero; 2];
        for end in 0..2 {
            for c in 0..C {
                let code = round((ends[end][c] * self.scale - self.bit) * (1.0 / self.step));
                let code = code.max(zero).min(real(simd, self.highest));
                let full = code * self.step + self.bit;
                let value = full * self.repeat[0] + (full * self.repeat[1]).floor();
                let difference = value - ends[end][c];
                stored.codes[end][c] = code;
                stored.values[end][c] = value;
                errors[end] += difference * difference;
            }
        }
        (stored, errors)
    }
}

/// The stored line nearest to one.
#[inline(always)]
pub(super) fn store<S: Simd, const C: usize>(simd: S, format: Format, ends: &[[Real<S>; C]; 2]) -> Stored<S, C> {
    let bit = match format.parity {
        Parity::Absent => None,
        Parity::Fixed(bit) => Some(bit),
        Parity::Each | Parity::Shared => Some(0),
    };
    let (mut stored, even) = Grid::new(format.bits, bit).store(simd, ends);
    if matches!(format.parity, Parity::Each | Parity::Shared) {
        let (other, odd) = Grid::new(format.bits, Some(1)).store(simd, ends);
        let together = (odd[0] + odd[1]).simd_lt(even[0] + even[1]);
        for end in 0..2 {
            let odder = if format.parity == Parity::Shared { together } else { odd[end].simd_lt(even[end]) };
            stored.codes[end] = choose_all(odder, other.codes[end], stored.codes[end]);
            stored.values[end] = choose_all(odder, other.values[end], stored.values[end]);
            stored.parity[end] = choose(odder, other.parity[end], stored.parity[end]);
        }
    }
    stored
}
