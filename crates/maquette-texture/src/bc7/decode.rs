//! BC7 blocks to pixels, by what each line of colours holds.
//!
//! Modes with one or two lines, which nearly all blocks have, are read here: all colours of a line are worked out at once, and pixels pick
//! theirs. The two with three lines are left to `bcdec_rs`, and tests hold all others against it.

use super::partition::{ANCHORS, PARTITIONS};
use crate::lanes::Block;

/// How far along a line the colours of two, three and four bits lie, of 64. From the format's definition. Two bits pick the first four alone.
const QUARTERS: [u16; 8] = [0, 21, 43, 64, 0, 0, 0, 0];
const EIGHTHS: [u16; 8] = [0, 9, 18, 27, 37, 46, 55, 64];
const SIXTEENTHS: [u16; 16] = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64];

type Colour = [u16; 4];

/// The bits of a block that have not been read.
struct Bits(u128);

impl Bits {
    fn take(&mut self, width: u32) -> u16 {
        let value = self.0 as u16 & ((1 << width) - 1);
        self.0 >>= width;
        value
    }

    /// Indices of all pixels; those of `anchors` are stored without their highest bit.
    fn indices<const A: usize>(&mut self, width: u32, anchors: [u32; A]) -> Indices {
        let mut all = self.0 as u64;
        for anchor in anchors {
            // The bits from there on make room for one.
            let below = (1_u64 << (anchor * width + width - 1)) - 1;
            all = all & below | (all & !below) << 1;
        }
        self.0 >>= 16 * width - A as u32;
        Indices { all, width }
    }
}

struct Indices {
    all: u64,
    width: u32,
}

impl Iterator for Indices {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let index = self.all as usize & ((1 << self.width) - 1);
        self.all >>= self.width;
        Some(index)
    }
}

/// The pixels of a block.
pub(crate) fn decode(block: &[u8; 16], pixels: &mut Block) {
    let bits = u128::from_le_bytes(*block);
    let mode = bits.trailing_zeros();
    let bits = Bits(bits.checked_shr(mode + 1).unwrap_or(0));
    match mode {
        1 => two_lines(bits, &TwoLines { channels: 3, width: 6, shares_last: true, indices: 3 }, pixels),
        3 => two_lines(bits, &TwoLines { channels: 3, width: 7, shares_last: false, indices: 2 }, pixels),
        4 => rotated(bits, [5, 6], pixels),
        5 => rotated(bits, [7, 8], pixels),
        6 => one_line(bits, pixels),
        7 => two_lines(bits, &TwoLines { channels: 4, width: 5, shares_last: false, indices: 2 }, pixels),
        _ => bcdec_rs::bc7(block, pixels.as_flattened_mut(), 16),
    }
}

/// The colours of a line.
fn colours<const N: usize>([from, to]: [Colour; 2], parts: &[u16; N]) -> [[u8; 4]; N] {
    let mut colours = [[0; 4]; N];
    for (colour, part) in colours.iter_mut().zip(parts) {
        for ((value, from), to) in colour.iter_mut().zip(from).zip(to) {
            *value = ((from * (64 - part) + to * part + 32) >> 6) as u8;
        }
    }
    colours
}

/// Eight bits of a number that has fewer: its highest are repeated at the end.
fn widened(value: u16, width: u32) -> u16 {
    let high = value << (8 - width);
    high | high >> width
}

/// Mode 6: all four channels on one line.
fn one_line(mut bits: Bits, pixels: &mut Block) {
    let mut ends = [[0; 4]; 2];
    for channel in 0..4 {
        for end in &mut ends {
            set(end, channel, bits.take(7) << 1);
        }
    }
    for end in &mut ends {
        let last = bits.take(1);
        end.iter_mut().for_each(|value| *value |= last);
    }
    let colours = colours(ends, &SIXTEENTHS);
    for (pixel, index) in pixels.iter_mut().zip(bits.indices(4, [0])) {
        *pixel = colours.get(index).copied().unwrap_or_default();
    }
}

struct TwoLines {
    channels: usize,
    /// Bits of a value, without the last.
    width: u32,
    /// Whether both ends of a line have the same last bit.
    shares_last: bool,
    /// Bits of an index.
    indices: u32,
}

fn two_lines(mut bits: Bits, layout: &TwoLines, pixels: &mut Block) {
    let partition = usize::from(bits.take(6));
    let mut lines = [[[0; 4]; 2]; 2];
    for channel in 0..layout.channels {
        for end in lines.as_flattened_mut() {
            set(end, channel, bits.take(layout.width) << 1);
        }
    }
    for line in &mut lines {
        let mut last = 0;
        for (number, end) in line.iter_mut().enumerate() {
            last = if number == 0 || !layout.shares_last { bits.take(1) } else { last };
            end.iter_mut().for_each(|value| *value = widened(*value | last, layout.width + 1));
            if layout.channels == 3 {
                set(end, 3, 255);
            }
        }
    }
    let anchor = ANCHORS.get(partition).map_or(15, |anchor| u32::from(*anchor));
    let indices = bits.indices(layout.indices, [0, anchor]);
    let shape = PARTITIONS.get(partition).copied().unwrap_or_default();
    let parts = if layout.indices == 3 { &EIGHTHS } else { &QUARTERS };
    let [first, second] = lines;
    let colours = [colours(first, parts), colours(second, parts)];
    for ((number, pixel), index) in pixels.iter_mut().enumerate().zip(indices) {
        let line = usize::from(shape >> number & 1);
        *pixel = colours.as_flattened().get(8 * line + index).copied().unwrap_or_default();
    }
}

/// Modes 4 and 5: three channels on one line, the fourth on its own; which is the fourth is told.
fn rotated(mut bits: Bits, [width, other_width]: [u32; 2], pixels: &mut Block) {
    let rotation = usize::from(bits.take(2));
    let swaps_indices = width == 5 && bits.take(1) == 1;
    let mut ends = [[0; 4]; 2];
    for channel in 0..4 {
        let width = if channel == 3 { other_width } else { width };
        for end in &mut ends {
            set(end, channel, widened(bits.take(width), width));
        }
    }
    let first = bits.indices(2, [0]);
    let second = bits.indices(if width == 5 { 3 } else { 2 }, [0]);
    let of_first = colours(ends, &QUARTERS);
    let of_second = colours(ends, if width == 5 { &EIGHTHS } else { &QUARTERS });
    for ((pixel, first), second) in pixels.iter_mut().zip(first).zip(second) {
        let first = of_first.get(first).copied().unwrap_or_default();
        let second = of_second.get(second).copied().unwrap_or_default();
        let ([r, g, b, _], [.., a]) = if swaps_indices { (second, first) } else { (first, second) };
        *pixel = [r, g, b, a];
        if let Some(last) = rotation.checked_sub(1) {
            pixel.swap(last, 3);
        }
    }
}

fn set<T>(values: &mut [T; 4], channel: usize, value: T) {
    if let Some(place) = values.get_mut(channel) {
        *place = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_every_mode_are_what_another_decoder_makes_of_them() {
        let mut random = 1_u128;
        for mode in 0..=8 {
            for _ in 0..20_000 {
                random =
                    random.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x5851_f42d_4c95_7f2d);
                let bits = random.rotate_right(64) << mode << 1 | 1 << mode;
                let block = if mode == 8 { [0; 16] } else { bits.to_le_bytes() };
                let (mut mine, mut other) = ([[9; 4]; 16], [[7; 4]; 16]);
                decode(&block, &mut mine);
                bcdec_rs::bc7(&block, other.as_flattened_mut(), 16);
                assert_eq!(mine, other, "mode {mode}, {block:?}");
            }
        }
    }
}
