//! The sixty-four ways in which modes 1, 3 and 7 share out pixels between two lines, and which of them suits a block.

#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // Arrays of fixed size, and loops over just that size.

use crate::lanes::{LANES, Mask, Points, Real, Whole, each_lane, from_lanes, real};
use fearless_simd::prelude::*;

/// Bit `n` says which line pixel `n` belongs to. From the format's definition.
#[rustfmt::skip]
pub(super) const PARTITIONS: [u16; 64] = [
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000,
    0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c,
    0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660,
    0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
];

/// The pixel of the second line whose index is stored without its highest bit. From the format's definition.
pub(super) const ANCHORS: [u8; 64] = [
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2,
    2, //
    15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6, 6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15,
];

/// The partition of each block of a group.
#[derive(Clone, Copy)]
pub(super) struct Chosen<S: Simd> {
    pub number: Real<S>,
    pub anchor: Real<S>,
    /// Pixels of the first line, and of the second.
    pub members: [[Mask<S>; 16]; 2],
}

impl<S: Simd> Chosen<S> {
    #[inline(always)]
    pub fn new(simd: S, number: Real<S>) -> Chosen<S> {
        let (mut shapes, mut anchors) = ([0; LANES], [0.0; LANES]);
        for ((shape, anchor), number) in shapes.iter_mut().zip(&mut anchors).zip(each_lane::<S, _>(number)) {
            let number = number as usize & 63;
            *shape = u32::from(PARTITIONS[number]);
            *anchor = f32::from(ANCHORS[number]);
        }
        let shapes = from_lanes::<S, Whole<S>>(simd, &shapes);
        let nobody = Mask::<S>::splat(simd, false);
        let mut members = [[nobody; 16]; 2];
        for pixel in 0..16 {
            let bit = shapes & (1 << pixel);
            members[0][pixel] = bit.simd_eq(0);
            members[1][pixel] = bit.simd_ne(0);
        }
        Chosen { number, anchor: from_lanes(simd, &anchors), members }
    }
}

/// What lines through both parts would leave, about, for each partition. `M` is the number of channels and of pairs of them.
///
/// For a part, with eigenvalues a ≥ b ≥ c of its covariance, this is 2 (ab + ac + bc) / (a + b + c), between once and twice
/// what the best line leaves, and `steps` times a + b + c for the steps along the line.
#[inline(never)]
pub(super) fn losses<S: Simd, const C: usize, const M: usize>(
    simd: S,
    points: &Points<S, C>,
    steps: f32,
) -> [Real<S>; 64] {
    simd.vectorize(
        #[inline(always)]
        || all_losses::<S, C, M>(simd, points, steps),
    )
}

#[inline(always)]
fn all_losses<S: Simd, const C: usize, const M: usize>(simd: S, points: &Points<S, C>, steps: f32) -> [Real<S>; 64] {
    let zero = real(simd, 0.0);
    // Sums over each subset of each row: a partition is then four of them.
    let mut rows = [[[zero; M]; 16]; 4];
    for row in 0..4 {
        for column in 0..4 {
            let point = &points[row * 4 + column];
            let mut features = [zero; M];
            let mut place = C;
            for a in 0..C {
                features[a] = point[a];
                for b in a..C {
                    features[place] = point[a] * point[b];
                    place += 1;
                }
            }
            for subset in 0..1_usize << column {
                for m in 0..M {
                    rows[row][subset | 1 << column][m] = rows[row][subset][m] + features[m];
                }
            }
        }
    }
    let mut all = rows[0][15];
    for row in 1..4 {
        for m in 0..M {
            all[m] += rows[row][15][m];
        }
    }
    let mut losses = [zero; 64];
    for (loss, shape) in losses.iter_mut().zip(PARTITIONS) {
        let shape = usize::from(shape);
        let parts =
            [&rows[0][shape & 15], &rows[1][shape >> 4 & 15], &rows[2][shape >> 8 & 15], &rows[3][shape >> 12 & 15]];
        let (mut second, mut first) = ([zero; M], [zero; M]);
        for m in 0..M {
            second[m] = (parts[0][m] + parts[1][m]) + (parts[2][m] + parts[3][m]);
            first[m] = all[m] - second[m];
        }
        let count = shape.count_ones() as f32;
        *loss = part_loss::<S, C, M>(simd, &first, 1.0 / (16.0 - count), steps)
            + part_loss::<S, C, M>(simd, &second, 1.0 / count, steps);
    }
    losses
}

#[inline(always)]
fn part_loss<S: Simd, const C: usize, const M: usize>(simd: S, sums: &[Real<S>; M], share: f32, steps: f32) -> Real<S> {
    let zero = real(simd, 0.0);
    let (mut trace, mut diagonal, mut mixed) = (real(simd, 1e-3), zero, zero);
    let mut place = C;
    for a in 0..C {
        let mean = sums[a] * share;
        for b in a..C {
            let covariance = sums[place] - mean * sums[b];
            place += 1;
            if a == b {
                trace += covariance;
                diagonal += covariance * covariance;
            } else {
                mixed += covariance * covariance;
            }
        }
    }
    trace * (1.0 + steps) - (diagonal + mixed * 2.0) / trace
}
