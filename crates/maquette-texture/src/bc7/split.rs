//! Modes 1, 3 and 7: two lines, each for some of the pixels.

#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // Arrays of fixed size, and loops over just that size.

use super::bits::{Best, Writer};
use super::endpoints::{Format, Parity};
use super::fit::{Care, Fit, Seed, fit};
use super::line::Those;
use super::partition::Chosen;
use crate::lanes::{LANES, Points, Real, choose, each_lane, real};
use fearless_simd::prelude::*;

/// A mode with two lines.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    number: u32,
    channels: usize,
    format: Format,
}

impl Mode {
    /// What part of the differences along a line its steps leave, about.
    pub fn steps(self) -> f32 {
        1.0 / (self.format.top * self.format.top)
    }
}

/// Three channels of six bits and a parity that both ends share; eight steps.
pub(super) const MODE_1: Mode =
    Mode { number: 1, channels: 3, format: Format { bits: 6, parity: Parity::Shared, top: 7.0 } };
/// Three channels of seven bits and a parity for each end; four steps.
pub(super) const MODE_3: Mode =
    Mode { number: 3, channels: 3, format: Format { bits: 7, parity: Parity::Each, top: 3.0 } };
/// Four channels of five bits and a parity for each end; four steps.
pub(super) const MODE_7: Mode =
    Mode { number: 7, channels: 4, format: Format { bits: 5, parity: Parity::Each, top: 3.0 } };
/// The same for blocks that are transparent everywhere, which only one parity can say exactly.
pub(super) const MODE_7_CLEAR: Mode =
    Mode { number: 7, channels: 4, format: Format { bits: 5, parity: Parity::Fixed(0), top: 3.0 } };

/// Tries one partition a block.
#[inline(always)]
pub(super) fn offer<S: Simd, const C: usize>(
    simd: S,
    points: &Points<S, C>,
    mode: Mode,
    chosen: &Chosen<S>,
    best: &mut Best<S>,
    care: Care,
) {
    let members = [Those(&chosen.members[0]), Those(&chosen.members[1])];
    let top = mode.format.top;
    let mut first = fit(simd, points, members[0], &Seed::new(simd, points, members[0]), mode.format, care);
    // Often enough one part alone is too far off.
    if !first.error.simd_lt(best.error).any_true() {
        return;
    }
    let mut second = fit(simd, points, members[1], &Seed::new(simd, points, members[1]), mode.format, care);
    best.offer(
        first.error + second.error,
        #[inline(always)]
        || {
            first.anchor_first(simd, members[0], top);
            let mut anchored = second.indices[15];
            for pixel in [2, 6, 8] {
                anchored = choose::<S>(chosen.anchor.simd_eq(pixel as f32), second.indices[pixel], anchored);
            }
            second.turn(simd, anchored.simd_gt(top * 0.5), members[1], top);
            write(simd, mode, chosen, [&first, &second])
        },
    );
}

#[inline(never)]
fn write<S: Simd, const C: usize>(
    simd: S,
    mode: Mode,
    chosen: &Chosen<S>,
    [first, second]: [&Fit<S, C>; 2],
) -> [u128; LANES] {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut writer = Writer::new(simd, mode.number);
            writer.put_real(chosen.number, 6);
            for channel in 0..mode.channels {
                for part in [first, second] {
                    // A channel that is not there is a transparent opacity.
                    let code = |end: usize| part.line.codes[end].get(channel).copied().unwrap_or(real(simd, 0.0));
                    writer.put_pair([code(0), code(1)], mode.format.bits);
                }
            }
            for part in [first, second] {
                if mode.format.parity == Parity::Shared {
                    writer.put_real(part.line.parity[0], 1);
                } else {
                    writer.put_pair(part.line.parity, 1);
                }
            }
            let (start, width) = (writer.position(), mode.format.index_bits());
            let mut indices: [Real<S>; 16] = first.indices;
            for (index, other) in indices.iter_mut().zip(second.indices) {
                *index += other;
            }
            // The second line's anchor is written in full, and its highest bit, which is 0, then taken out.
            writer.put_indices(&indices, width);
            let mut positions = [0; LANES];
            for (position, anchor) in positions.iter_mut().zip(each_lane::<S, _>(chosen.anchor)) {
                *position = start + (anchor as u32 + 1) * width - 2;
            }
            writer.finish_without(positions)
        },
    )
}
