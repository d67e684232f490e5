//! Modes 1 and 7: two lines, each for some of the pixels; and mode 0: three.

#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // Arrays of fixed size, and loops over just that size.

use super::bits::{Best, Writer};
use super::endpoints::{Format, Parity};
use super::fit::{Care, Fit, Seed, fit, remainder};
use super::line::Those;
use super::partition::Chosen;
use crate::lanes::{LANES, Points, Real, choose, each_lane, real};
use fearless_simd::prelude::*;

/// A mode with several lines.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    number: u32,
    lines: usize,
    /// Bits of the partition's number.
    partition: u32,
    channels: usize,
    format: Format,
}

impl Mode {
    /// What part of the differences along a line its steps leave, about.
    pub fn steps(self) -> f32 {
        1.0 / (self.format.top * self.format.top)
    }
}

/// Three channels of four bits and a parity for each end; eight steps.
pub(super) const MODE_0: Mode =
    Mode { number: 0, lines: 3, partition: 4, channels: 3, format: Format { bits: 4, parity: Parity::Each, top: 7.0 } };
/// Three channels of six bits and a parity that both ends share; eight steps.
pub(super) const MODE_1: Mode = Mode {
    number: 1,
    lines: 2,
    partition: 6,
    channels: 3,
    format: Format { bits: 6, parity: Parity::Shared, top: 7.0 },
};
/// Four channels of five bits and a parity for each end; four steps.
pub(super) const MODE_7: Mode =
    Mode { number: 7, lines: 2, partition: 6, channels: 4, format: Format { bits: 5, parity: Parity::Each, top: 3.0 } };
/// The same for blocks that are transparent everywhere, which only one parity can say exactly.
pub(super) const MODE_7_CLEAR: Mode = Mode { format: Format { parity: Parity::Fixed(0), ..MODE_7.format }, ..MODE_7 };

/// About what is left with one partition a block.
#[inline(never)]
pub(super) fn estimate<S: Simd, const C: usize>(
    simd: S,
    points: &Points<S, C>,
    mode: Mode,
    number: Real<S>,
) -> Real<S> {
    simd.vectorize(
        #[inline(always)]
        || {
            let chosen = Chosen::new(simd, number, mode.lines);
            let mut error = real(simd, 0.0);
            for members in chosen.members.iter().take(mode.lines) {
                error += remainder(simd, points, Those(members), mode.format.top);
            }
            error
        },
    )
}

/// Tries one partition a block.
#[inline(never)]
pub(super) fn offer<S: Simd, const C: usize>(
    simd: S,
    points: &Points<S, C>,
    mode: Mode,
    number: Real<S>,
    best: &mut Best<S>,
    care: Care,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let chosen = Chosen::new(simd, number, mode.lines);
            let mut error = real(simd, 0.0);
            let mut parts = [Fit::empty(simd); 3];
            for (part, members) in parts.iter_mut().zip(&chosen.members).take(mode.lines) {
                let seed = Seed::new(simd, points, Those(members));
                [*part] = fit(simd, points, Those(members), &seed, [mode.format], care);
                error += part.error;
                // Often enough one part alone is too far off.
                if !error.simd_lt(best.error).any_true() {
                    return;
                }
            }
            best.offer(
                error,
                #[inline(always)]
                || write(simd, mode, &chosen, &mut parts),
            );
        },
    );
}

#[inline(never)]
fn write<S: Simd, const C: usize>(
    simd: S,
    mode: Mode,
    chosen: &Chosen<S>,
    parts: &mut [Fit<S, C>; 3],
) -> [u128; LANES] {
    simd.vectorize(
        #[inline(always)]
        || {
            let top = mode.format.top;
            for line in 0..mode.lines {
                let part = &mut parts[line];
                let mut anchored = part.indices[0];
                if line > 0 {
                    for pixel in [2, 3, 5, 6, 8, 15] {
                        let here = chosen.anchors[line - 1].simd_eq(pixel as f32);
                        anchored = choose::<S>(here, part.indices[pixel], anchored);
                    }
                }
                part.turn(simd, anchored.simd_gt(top * 0.5), Those(&chosen.members[line]), top);
            }
            let parts = parts.get(..mode.lines).unwrap_or_default();
            let mut writer = Writer::new(simd, mode.number);
            writer.put_real(chosen.number, mode.partition);
            for channel in 0..mode.channels {
                for part in parts {
                    // A channel that is not there is a transparent opacity.
                    let code = |end: usize| part.line.codes[end].get(channel).copied().unwrap_or(real(simd, 0.0));
                    writer.put_pair([code(0), code(1)], mode.format.bits);
                }
            }
            for part in parts {
                if mode.format.parity == Parity::Shared {
                    writer.put_real(part.line.parity[0], 1);
                } else {
                    writer.put_pair(part.line.parity, 1);
                }
            }
            let (start, width) = (writer.position(), mode.format.index_bits());
            let mut indices = [real(simd, 0.0); 16];
            for part in parts {
                for (index, other) in indices.iter_mut().zip(part.indices) {
                    *index += other;
                }
            }
            // Anchors of the later lines are written in full, and their highest bits, which are 0, then taken out.
            writer.put_indices(&indices, width);
            let [second, third] = chosen.anchors;
            let mut positions = [[0; LANES]; 2];
            for (positions, anchor) in positions.iter_mut().zip([second.max(third), second.min(third)]) {
                for (position, anchor) in positions.iter_mut().zip(each_lane::<S, _>(anchor)) {
                    *position = start + (anchor as u32 + 1) * width - 2;
                }
            }
            writer.finish_without(positions.get(..mode.lines - 1).unwrap_or_default())
        },
    )
}
