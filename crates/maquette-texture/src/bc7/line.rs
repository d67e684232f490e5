//! Straight lines through the colours of blocks: where the colours lie along it, and the ends that suit chosen indices best.
//!
//! Sums and sums of products of up to sixteen bytes are whole numbers below 2²⁴, which an `f32` holds exactly, and so is a
//! covariance times the square of the count. Nothing needs to be centred first.

#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // Arrays of fixed size, and loops over just that size.

use crate::lanes::{Mask, Points, Real, choose, real};
use fearless_simd::prelude::*;

/// Which pixels of the blocks a line is for.
pub(super) trait Members<S: Simd>: Copy {
    /// The value where the pixel is a member, else the other.
    fn keep(&self, pixel: usize, value: Real<S>, other: Real<S>) -> Real<S>;
}

#[derive(Clone, Copy)]
pub(super) struct Everyone;

impl<S: Simd> Members<S> for Everyone {
    #[inline(always)]
    fn keep(&self, _: usize, value: Real<S>, _: Real<S>) -> Real<S> {
        value
    }
}

/// A choice that differs from block to block.
#[derive(Clone, Copy)]
pub(super) struct Those<'a, S: Simd>(pub &'a [Mask<S>; 16]);

impl<S: Simd> Members<S> for Those<'_, S> {
    #[inline(always)]
    fn keep(&self, pixel: usize, value: Real<S>, other: Real<S>) -> Real<S> {
        choose::<S>(self.0[pixel], value, other)
    }
}

/// Sums over pixels. Of the products only those with the first channel not above the second are meant.
#[derive(Clone, Copy)]
pub(super) struct Moments<S: Simd, const C: usize> {
    pub count: Real<S>,
    pub sum: [Real<S>; C],
    pub product: [[Real<S>; C]; C],
}

impl<S: Simd, const C: usize> Moments<S, C> {
    #[inline(always)]
    pub fn of(simd: S, points: &Points<S, C>, members: impl Members<S>) -> Moments<S, C> {
        let (zero, one) = (real(simd, 0.0), real(simd, 1.0));
        let mut moments = Moments { count: zero, sum: [zero; C], product: [[zero; C]; C] };
        for pixel in 0..16 {
            let mut kept = points[pixel];
            for value in &mut kept {
                *value = members.keep(pixel, *value, zero);
            }
            moments.count += members.keep(pixel, one, zero);
            for a in 0..C {
                moments.sum[a] += kept[a];
                for b in a..C {
                    moments.product[a][b] = kept[a].mul_add(kept[b], moments.product[a][b]);
                }
            }
        }
        moments
    }

    /// The covariances times the square of the count; both halves are filled.
    #[inline(always)]
    pub fn covariance(&self) -> [[Real<S>; C]; C] {
        let mut matrix = self.product;
        for a in 0..C {
            for b in a..C {
                matrix[a][b] = self.count * self.product[a][b] - self.sum[a] * self.sum[b];
                matrix[b][a] = matrix[a][b];
            }
        }
        matrix
    }
}

/// The direction in which colours differ most, of any length; nothing where they do not differ.
#[inline(always)]
pub(super) fn axis<S: Simd, const C: usize>(simd: S, covariance: &[[Real<S>; C]; C]) -> [Real<S>; C] {
    if C == 1 {
        return [real(simd, 1.0); C];
    }
    let mut matrix = *covariance;
    // Each squaring squares the ratio of the eigenvalues: three of them are eight steps of the power iteration.
    for _ in 0..3 {
        let mut trace = real(simd, 1e-20);
        for a in 0..C {
            trace += matrix[a][a];
        }
        let scale = real(simd, 1.0) / trace;
        let mut scaled = matrix;
        for row in &mut scaled {
            for value in row {
                *value *= scale;
            }
        }
        for a in 0..C {
            for b in a..C {
                let mut sum = scaled[a][0] * scaled[0][b];
                for c in 1..C {
                    sum += scaled[a][c] * scaled[c][b];
                }
                matrix[a][b] = sum;
                matrix[b][a] = sum;
            }
        }
    }
    // Every row leans towards the axis; the one of the largest channel most reliably.
    let (mut axis, mut largest) = (matrix[0], matrix[0][0]);
    for a in 1..C {
        let larger = matrix[a][a].simd_gt(largest);
        largest = choose::<S>(larger, matrix[a][a], largest);
        axis = crate::lanes::choose_all::<S, _>(larger, matrix[a], axis);
    }
    axis
}

/// Places of the pixels along a direction, from 0 at the lowest to 1 at the highest.
#[inline(always)]
pub(super) fn places<S: Simd, const C: usize>(
    simd: S,
    points: &Points<S, C>,
    members: impl Members<S>,
    axis: &[Real<S>; C],
) -> [Real<S>; 16] {
    let (mut lowest, mut highest) = (real(simd, f32::MAX), real(simd, f32::MIN));
    let mut places = [lowest; 16];
    for pixel in 0..16 {
        let mut place = points[pixel][0] * axis[0];
        for c in 1..C {
            place += points[pixel][c] * axis[c];
        }
        lowest = lowest.min(members.keep(pixel, place, lowest));
        highest = highest.max(members.keep(pixel, place, highest));
        places[pixel] = place;
    }
    let length = highest - lowest;
    let scale = choose::<S>(length.simd_gt(0.0), real(simd, 1.0) / length, real(simd, 0.0));
    for place in &mut places {
        *place = (*place - lowest) * scale;
    }
    places
}

/// The ends of a line, and what it costs to move them.
///
/// With the ends off by `a` and `b`, the error grows by `stiffness` · (`weight` · a² + (b + `lean` · a)²) in each channel: what the
/// first end is moved by, the second can partly make up for.
#[derive(Clone, Copy)]
pub(super) struct Ends<S: Simd, const C: usize> {
    pub values: [[Real<S>; C]; 2],
    pub lean: Real<S>,
    pub weight: Real<S>,
    pub stiffness: Real<S>,
    /// By how much the error is smaller than if all pixels had the mean of them.
    pub explained: Real<S>,
}

/// The line from which colours at these indices are least far away. Indices of others than members are 0.
#[inline(always)]
pub(super) fn ends<S: Simd, const C: usize>(
    simd: S,
    points: &Points<S, C>,
    moments: &Moments<S, C>,
    indices: &[Real<S>; 16],
    top: f32,
) -> Ends<S, C> {
    let (zero, one) = (real(simd, 0.0), real(simd, 1.0));
    let (mut sum, mut squares, mut products) = (zero, zero, [zero; C]);
    for pixel in 0..16 {
        let index = indices[pixel];
        sum += index;
        squares = index.mul_add(index, squares);
        for c in 0..C {
            products[c] = index.mul_add(points[pixel][c], products[c]);
        }
    }
    let spread = moments.count * squares - sum * sum;
    let varied = spread.simd_gt(0.5);
    let inverse = choose::<S>(varied, one / spread, zero);
    let share = one / moments.count.max(one);
    let (mut values, mut explained) = ([[zero; C]; 2], zero);
    for c in 0..C {
        let common = moments.count * products[c] - sum * moments.sum[c];
        let slope = common * inverse;
        explained += common * slope;
        let start = (moments.sum[c] - slope * sum) * share;
        values[0][c] = start;
        values[1][c] = start + slope * top;
    }
    // From the sums of the squared shares of both ends, and of their products.
    let scale = choose::<S>(varied, one / squares, zero);
    let lean = (sum * top - squares) * scale;
    let weight = spread * scale * scale * (top * top);
    // Where all indices are 0, the first end is every pixel's, and the second is none's.
    Ends { values, lean, weight, stiffness: squares * (1.0 / (top * top)), explained: explained * share }
}
