//! The sixty-four ways in which modes 1 and 7 share out pixels between two lines, the sixteen in which mode 0 does between three, and
//! which of them suits a block.

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

/// Which pixels belong to the second and to the third line, of the partitions that mode 0 can name. From the format's definition.
#[rustfmt::skip]
pub(super) const TRIPLES: [[u16; 2]; 16] = [
    [0x08cc, 0xf600], [0x8cc8, 0x7300], [0xcc80, 0x3310], [0xec00, 0x00ce], [0x3300, 0xcc00], [0x00cc, 0xcc00], [0xff00, 0x00cc], [0xcccc, 0x3300],
    [0x0f00, 0xf000], [0x0ff0, 0xf000], [0x00f0, 0xff00], [0x4444, 0x8888], [0x6666, 0x8888], [0x2222, 0xcccc], [0x136c, 0xec80], [0x008c, 0x7310],
];

/// Their pixels whose indices are stored without the highest bit. From the format's definition.
#[rustfmt::skip]
const TRIPLE_ANCHORS: [[u8; 2]; 16] = [
    [3, 15], [3, 8], [15, 8], [15, 3], [8, 15], [3, 15], [15, 3], [15, 8],
    [8, 15], [8, 15], [6, 15], [6, 15], [6, 15], [5, 15], [3, 15], [3, 8],
];

/// The partition of each block of a group.
#[derive(Clone, Copy)]
pub(super) struct Chosen<S: Simd> {
    pub number: Real<S>,
    /// Of the second line and of the third.
    pub anchors: [Real<S>; 2],
    /// Pixels of each line.
    pub members: [[Mask<S>; 16]; 3],
}

impl<S: Simd> Chosen<S> {
    /// The partitions of these numbers into as many lines.
    #[inline(never)]
    pub fn new(simd: S, number: Real<S>, lines: usize) -> Chosen<S> {
        simd.vectorize(
            #[inline(always)]
            || {
                let (mut shapes, mut anchors) = ([[0; LANES]; 2], [[0.0; LANES]; 2]);
                for (lane, number) in each_lane::<S, _>(number).into_iter().enumerate() {
                    let number = number as usize;
                    let (shape, anchor) = if lines == 2 {
                        ([PARTITIONS[number & 63], 0], [ANCHORS[number & 63], 0])
                    } else {
                        (TRIPLES[number & 15], TRIPLE_ANCHORS[number & 15])
                    };
                    for line in 0..2 {
                        shapes[line][lane] = u32::from(shape[line]);
                        anchors[line][lane] = f32::from(anchor[line]);
                    }
                }
                let shapes = [from_lanes::<S, Whole<S>>(simd, &shapes[0]), from_lanes::<S, Whole<S>>(simd, &shapes[1])];
                let nobody = Mask::<S>::splat(simd, false);
                let mut members = [[nobody; 16]; 3];
                for pixel in 0..16 {
                    members[0][pixel] = ((shapes[0] | shapes[1]) & (1 << pixel)).simd_eq(0);
                    members[1][pixel] = (shapes[0] & (1 << pixel)).simd_ne(0);
                    members[2][pixel] = (shapes[1] & (1 << pixel)).simd_ne(0);
                }
                Chosen { number, anchors: [from_lanes(simd, &anchors[0]), from_lanes(simd, &anchors[1])], members }
            },
        )
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
    let sums = Sums::<S, M>::new(simd, points);
    let all = sums.of(u16::MAX);
    let mut losses = [real(simd, 0.0); 64];
    for (loss, shape) in losses.iter_mut().zip(PARTITIONS) {
        let second = sums.of(shape);
        let mut first = all;
        for m in 0..M {
            first[m] -= second[m];
        }
        let count = shape.count_ones() as f32;
        *loss = part_loss::<S, C, M>(simd, &first, 1.0 / (16.0 - count), steps)
            + part_loss::<S, C, M>(simd, &second, 1.0 / count, steps);
    }
    losses
}

/// The same for three lines.
#[inline(never)]
pub(super) fn triple_losses<S: Simd>(simd: S, points: &Points<S, 3>, steps: f32) -> [Real<S>; 16] {
    simd.vectorize(
        #[inline(always)]
        || {
            let sums = Sums::<S, 9>::new(simd, points);
            let mut losses = [real(simd, 0.0); 16];
            for (loss, [second, third]) in losses.iter_mut().zip(TRIPLES) {
                for shape in [!(second | third), second, third] {
                    let share = 1.0 / shape.count_ones() as f32;
                    *loss += part_loss::<S, 3, 9>(simd, &sums.of(shape), share, steps);
                }
            }
            losses
        },
    )
}

/// Sums over each subset of each row: a part of a partition is then four of them.
struct Sums<S: Simd, const M: usize>([[[Real<S>; M]; 16]; 4]);

impl<S: Simd, const M: usize> Sums<S, M> {
    #[inline(always)]
    fn new<const C: usize>(simd: S, points: &Points<S, C>) -> Sums<S, M> {
        let zero = real(simd, 0.0);
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
        Sums(rows)
    }

    #[inline(always)]
    fn of(&self, shape: u16) -> [Real<S>; M] {
        let shape = usize::from(shape);
        let parts = [
            &self.0[0][shape & 15],
            &self.0[1][shape >> 4 & 15],
            &self.0[2][shape >> 8 & 15],
            &self.0[3][shape >> 12 & 15],
        ];
        let mut sum = *parts[0];
        for m in 0..M {
            sum[m] = (sum[m] + parts[1][m]) + (parts[2][m] + parts[3][m]);
        }
        sum
    }
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
