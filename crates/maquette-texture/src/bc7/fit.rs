//! A line, an index a pixel, and the exact error of what a decoder will make of them.

#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // Arrays of fixed size, and loops over just that size.

use super::endpoints::{Format, Stored, store};
use super::line::{Members, Moments, axis, ends, places};
use crate::lanes::{Mask, Points, Real, choose, choose_all, real, round};
use fearless_simd::prelude::*;

/// A stored line with indices. Indices of others than members are 0.
#[derive(Clone, Copy)]
pub(super) struct Fit<S: Simd, const C: usize> {
    pub line: Stored<S, C>,
    pub indices: [Real<S>; 16],
    /// The sum of squared differences over members and channels, exactly.
    pub error: Real<S>,
}

impl<S: Simd, const C: usize> Fit<S, C> {
    /// The better one, block by block.
    #[inline(always)]
    pub fn or(&self, other: &Fit<S, C>) -> Fit<S, C> {
        let better = other.error.simd_lt(self.error);
        Fit {
            line: self.line.or(&other.line, better),
            indices: choose_all::<S, _>(better, other.indices, self.indices),
            error: choose::<S>(better, other.error, self.error),
        }
    }

    /// Exchanges the ends of lines, where asked for; they stand for the same colours then.
    #[inline(always)]
    pub fn turn(&mut self, simd: S, turned: Mask<S>, members: impl Members<S>, top: f32) {
        let line = self.line;
        for end in 0..2 {
            self.line.codes[end] = choose_all::<S, _>(turned, line.codes[1 - end], line.codes[end]);
            self.line.parity[end] = choose::<S>(turned, line.parity[1 - end], line.parity[end]);
            self.line.values[end] = choose_all::<S, _>(turned, line.values[1 - end], line.values[end]);
        }
        for pixel in 0..16 {
            let index = self.indices[pixel];
            self.indices[pixel] = choose::<S>(turned, members.keep(pixel, real(simd, top) - index, index), index);
        }
    }

    /// Exchanges the ends where the first pixel's index has its highest bit set: that bit is not stored.
    #[inline(always)]
    pub fn anchor_first(&mut self, simd: S, members: impl Members<S>, top: f32) {
        let turned = self.indices[0].simd_gt(top * 0.5);
        self.turn(simd, turned, members, top);
    }
}

/// The nearest index of each pixel on a stored line.
#[inline(always)]
fn assign<S: Simd, const C: usize>(
    simd: S,
    points: &Points<S, C>,
    members: impl Members<S>,
    line: Stored<S, C>,
    top: f32,
) -> Fit<S, C> {
    let zero = real(simd, 0.0);
    let [from, to] = line.values;
    let (mut step, mut share, mut length) = ([zero; C], [zero; C], zero);
    for c in 0..C {
        let difference = to[c] - from[c];
        length += difference * difference;
        step[c] = difference * (1.0 / 64.0);
        share[c] = difference;
    }
    let scale = real(simd, top) / length.max(real(simd, 1.0));
    let mut offset = real(simd, 0.5);
    let mut start = from;
    for c in 0..C {
        share[c] *= scale;
        offset -= share[c] * from[c];
        start[c] = from[c] + 0.5;
    }
    let highest = real(simd, top);
    let (mut indices, mut error) = ([zero; 16], zero);
    for pixel in 0..16 {
        let mut place = offset;
        for c in 0..C {
            place += points[pixel][c] * share[c];
        }
        let index = place.floor().max(zero).min(highest);
        // The weights of the format are these fractions of 64, rounded.
        let weight = round::<S>(index * (64.0 / top));
        let mut squares = zero;
        for c in 0..C {
            let difference = (start[c] + weight * step[c]).floor() - points[pixel][c];
            squares += difference * difference;
        }
        error += members.keep(pixel, squares, zero);
        indices[pixel] = members.keep(pixel, index, zero);
    }
    Fit { line, indices, error }
}

/// How long to look for the best line.
#[derive(Clone, Copy)]
pub(super) struct Care {
    /// Places to start from, of [`STARTS`].
    pub starts: usize,
    /// Improvements after the first line of each.
    pub rounds: usize,
}

/// From where pixels lie along the line to where they are assumed first: offset and factor.
///
/// As they are; from the other end, as the end that is rounded last is the better one; drawn out, so that the outermost lie beyond
/// the ends; and drawn in.
const STARTS: [[f32; 2]; 4] = [[0.0, 1.0], [1.0, -1.0], [-0.1, 1.2], [0.06, 0.88]];

/// Fits a line to members from where they lie along one.
#[inline(never)]
pub(super) fn fit<S: Simd, const C: usize>(
    simd: S,
    points: &Points<S, C>,
    members: impl Members<S>,
    seed: &Seed<S, C>,
    format: Format,
    care: Care,
) -> Fit<S, C> {
    simd.vectorize(
        #[inline(always)]
        || {
            let (zero, one) = (real(simd, 0.0), real(simd, 1.0));
            let mut best = Fit { line: empty(simd), indices: [zero; 16], error: real(simd, f32::MAX) };
            for &[offset, factor] in STARTS.iter().take(care.starts) {
                let mut indices = [zero; 16];
                for pixel in 0..16 {
                    let place = (seed.places[pixel] * factor + offset).max(zero).min(one);
                    indices[pixel] = members.keep(pixel, round::<S>(place * format.top), zero);
                }
                for _ in 0..=care.rounds {
                    let line = store(simd, format, &ends(simd, points, &seed.moments, &indices, format.top));
                    let fitted = assign(simd, points, members, line, format.top);
                    best = best.or(&fitted);
                    indices = fitted.indices;
                }
            }
            best
        },
    )
}

#[inline(always)]
fn empty<S: Simd, const C: usize>(simd: S) -> Stored<S, C> {
    let zero = real(simd, 0.0);
    Stored { codes: [[zero; C]; 2], parity: [zero; 2], values: [[zero; C]; 2] }
}

/// What all fits to the same members begin with.
#[derive(Clone, Copy)]
pub(super) struct Seed<S: Simd, const C: usize> {
    pub moments: Moments<S, C>,
    /// Where pixels lie along the line through members, from 0 to 1.
    pub places: [Real<S>; 16],
}

impl<S: Simd, const C: usize> Seed<S, C> {
    #[inline(never)]
    pub fn new(simd: S, points: &Points<S, C>, members: impl Members<S>) -> Seed<S, C> {
        simd.vectorize(
            #[inline(always)]
            || {
                let moments = Moments::of(simd, points, members);
                let places = places(simd, points, members, &axis(simd, &moments.covariance()));
                Seed { moments, places }
            },
        )
    }
}
