//! How modes store the ends of lines: some bits a channel, and perhaps a lowest bit that channels share.

#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // Arrays of fixed size, and loops over just that size.

use super::line::Ends;
use crate::lanes::{Mask, Real, choose, choose_all, real, round};
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

impl Format {
    /// Bits of an index.
    pub fn index_bits(self) -> u32 {
        (self.top as u32).count_ones()
    }
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
    #[inline(always)]
    pub fn empty(simd: S) -> Stored<S, C> {
        let zero = real(simd, 0.0);
        Stored { codes: [[zero; C]; 2], parity: [zero; 2], values: [[zero; C]; 2] }
    }

    /// The other where asked for.
    #[inline(always)]
    pub fn or(&self, other: &Stored<S, C>, where_other: Mask<S>) -> Stored<S, C> {
        let mut chosen = *self;
        for end in 0..2 {
            chosen.codes[end] = choose_all::<S, _>(where_other, other.codes[end], self.codes[end]);
            chosen.values[end] = choose_all::<S, _>(where_other, other.values[end], self.values[end]);
            chosen.parity[end] = choose::<S>(where_other, other.parity[end], self.parity[end]);
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

    /// The nearest stored end, and how far it is off.
    #[inline(always)]
    fn store<S: Simd, const C: usize>(&self, simd: S, end: &[Real<S>; C]) -> Rounded<S, C> {
        let zero = real(simd, 0.0);
        let mut rounded = Rounded { codes: *end, values: *end, bit: real(simd, self.bit), error: zero };
        for c in 0..C {
            let code = round::<S>((end[c] * self.scale - self.bit) * (1.0 / self.step));
            let code = code.max(zero).min(real(simd, self.highest));
            let full = code * self.step + self.bit;
            let value = full * self.repeat[0] + (full * self.repeat[1]).floor();
            let difference = value - end[c];
            rounded.codes[c] = code;
            rounded.values[c] = value;
            rounded.error += difference * difference;
        }
        rounded
    }
}

/// One end as stored.
#[derive(Clone, Copy)]
struct Rounded<S: Simd, const C: usize> {
    codes: [Real<S>; C],
    values: [Real<S>; C],
    bit: Real<S>,
    error: Real<S>,
}

impl<S: Simd, const C: usize> Rounded<S, C> {
    #[inline(always)]
    fn or(&self, other: &Rounded<S, C>, where_other: Mask<S>) -> Rounded<S, C> {
        Rounded {
            codes: choose_all::<S, _>(where_other, other.codes, self.codes),
            values: choose_all::<S, _>(where_other, other.values, self.values),
            bit: choose::<S>(where_other, other.bit, self.bit),
            error: choose::<S>(where_other, other.error, self.error),
        }
    }
}

/// Where the second end should be, now that the first is where it is.
#[inline(always)]
fn second<S: Simd, const C: usize>(ends: &Ends<S, C>, first: &Rounded<S, C>) -> [Real<S>; C] {
    let mut second = ends.values[1];
    for c in 0..C {
        second[c] -= ends.lean * (first.values[c] - ends.values[0][c]);
    }
    second
}

/// A stored line that is about the nearest to one, and by how much it makes the error grow.
#[inline(always)]
pub(super) fn store<S: Simd, const C: usize>(simd: S, format: Format, ends: &Ends<S, C>) -> (Stored<S, C>, Real<S>) {
    let bit = match format.parity {
        Parity::Absent => None,
        Parity::Fixed(bit) => Some(bit),
        Parity::Each | Parity::Shared => Some(0),
    };
    let (even, odd) = (Grid::new(format.bits, bit), Grid::new(format.bits, Some(1)));
    let mut first = even.store(simd, &ends.values[0]);
    let last;
    match format.parity {
        Parity::Absent | Parity::Fixed(_) => last = even.store(simd, &second(ends, &first)),
        Parity::Each => {
            let other = odd.store(simd, &ends.values[0]);
            first = first.or(&other, other.error.simd_lt(first.error));
            let target = second(ends, &first);
            let other = odd.store(simd, &target);
            let rounded = even.store(simd, &target);
            last = rounded.or(&other, other.error.simd_lt(rounded.error));
        }
        Parity::Shared => {
            let other = odd.store(simd, &ends.values[0]);
            let rounded = even.store(simd, &second(ends, &first));
            let other_last = odd.store(simd, &second(ends, &other));
            let odder =
                (other.error * ends.weight + other_last.error).simd_lt(first.error * ends.weight + rounded.error);
            first = first.or(&other, odder);
            last = rounded.or(&other_last, odder);
        }
    }
    let growth = (first.error * ends.weight + last.error) * ends.stiffness;
    let line =
        Stored { codes: [first.codes, last.codes], parity: [first.bit, last.bit], values: [first.values, last.values] };
    (line, growth)
}
