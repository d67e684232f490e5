//! A line, an index a pixel, and the exact error of what a decoder will make of them.

#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // Arrays of fixed size, and loops over just that size.

use super::endpoints::{Format, Stored, store};
use super::line::{Members, Moments, axis, ends, places};
use crate::lanes::{Mask, Points, ROUNDING, Real, choose, choose_all, real, round};
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
    /// Worse than any.
    #[inline(always)]
    pub fn empty(simd: S) -> Fit<S, C> {
        Fit { line: Stored::empty(simd), indices: [real(simd, 0.0); 16], error: real(simd, f32::MAX) }
    }

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
        // Halves are rounded up: values lie on a grid of 1/64, so with half of that no half is left.
        start[c] = from[c] + 1.0 / 128.0;
    }
    let highest = real(simd, top);
    let (mut indices, mut error) = ([zero; 16], zero);
    for pixel in 0..16 {
        let mut place = offset;
        for c in 0..C {
            place += points[pixel][c] * share[c];
        }
        let index = place.floor().max(zero).min(highest);
        // The weights of the format are these fractions of 64, rounded; none is halfway between two.
        let weight = index * (64.0 / top) + ROUNDING - ROUNDING;
        let mut squares = zero;
        for c in 0..C {
            let difference = weight.mul_add(step[c], start[c]) + ROUNDING - (points[pixel][c] + ROUNDING);
            squares = difference.mul_add(difference, squares);
        }
        error += members.keep(pixel, squares, zero);
        indices[pixel] = members.keep(pixel, index, zero);
    }
    Fit { line, indices, error }
}

/// How long to look for the best line.
#[derive(Clone, Copy)]
pub(super) struct Care {
    /// What to start from. The lines that come of it differ by how their ends happen to be rounded: the more, the better the best.
    pub starts: &'static [Start],
    pub choice: Choice,
}

/// How the best of the lines is told.
#[derive(Clone, Copy)]
pub(super) enum Choice {
    /// By its error, after as many improvements.
    Error { improvements: usize },
    /// By about its error: with the indices that the line was fitted to, and values between the ends that are not rounded. That is
    /// known without a look at the pixels.
    Estimate,
}

/// From where pixels lie along the line to the indices they are assumed to have first.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// From the other end, as the end that is rounded last is the better one.
    pub reversed: bool,
    /// How many indices within the ends the outermost pixels lie.
    pub inset: [f32; 2],
}

impl Start {
    #[inline(always)]
    fn indices<S: Simd>(
        self,
        simd: S,
        members: impl Members<S>,
        places: &[Real<S>; 16],
        highest: f32,
    ) -> [Real<S>; 16] {
        let (zero, one, top) = (real(simd, 0.0), real(simd, 1.0), real(simd, highest));
        let [low, high] = self.inset;
        let mut indices = [zero; 16];
        for pixel in 0..16 {
            let place = if self.reversed { one - places[pixel] } else { places[pixel] };
            let index = round::<S>(place * (highest - high - low) + low).max(zero).min(top);
            indices[pixel] = members.keep(pixel, index, zero);
        }
        indices
    }
}

/// Fits a line to members from where they lie along one, for each of some formats that differ only in how they store its ends.
#[inline(never)]
pub(super) fn fit<S: Simd, const C: usize, const F: usize>(
    simd: S,
    points: &Points<S, C>,
    members: impl Members<S>,
    seed: &Seed<S, C>,
    formats: [Format; F],
    care: Care,
) -> [Fit<S, C>; F] {
    simd.vectorize(
        #[inline(always)]
        || match care.choice {
            Choice::Error { improvements } => {
                let mut best = [Fit::empty(simd); F];
                for (best, format) in best.iter_mut().zip(formats) {
                    *best = least_error(simd, points, members, seed, format, care.starts, improvements);
                }
                best
            }
            Choice::Estimate => least_estimate(simd, points, members, seed, formats, care.starts),
        },
    )
}

#[inline(always)]
fn least_error<S: Simd, const C: usize>(
    simd: S,
    points: &Points<S, C>,
    members: impl Members<S>,
    seed: &Seed<S, C>,
    format: Format,
    starts: &[Start],
    improvements: usize,
) -> Fit<S, C> {
    let mut best = Fit::empty(simd);
    for start in starts {
        let mut indices = start.indices(simd, members, &seed.places, format.top);
        for _ in 0..=improvements {
            let (line, _) = store(simd, format, &ends(simd, points, &seed.moments, &indices, format.top));
            let fitted = assign(simd, points, members, line, format.top);
            best = best.or(&fitted);
            indices = fitted.indices;
        }
    }
    best
}

#[inline(always)]
fn least_estimate<S: Simd, const C: usize, const F: usize>(
    simd: S,
    points: &Points<S, C>,
    members: impl Members<S>,
    seed: &Seed<S, C>,
    formats: [Format; F],
    starts: &[Start],
) -> [Fit<S, C>; F] {
    let top = formats[0].top;
    let (mut lines, mut least) = ([Stored::empty(simd); F], [real(simd, f32::MAX); F]);
    for start in starts {
        let indices = start.indices(simd, members, &seed.places, top);
        let ends = ends(simd, points, &seed.moments, &indices, top);
        for ((best, least), format) in lines.iter_mut().zip(&mut least).zip(formats) {
            let (line, growth) = store(simd, format, &ends);
            // All else that the error consists of is the same for all lines.
            let error = growth - ends.explained;
            *best = best.or(&line, error.simd_lt(*least));
            *least = least.min(error);
        }
    }
    lines.map(
        #[inline(always)]
        |line| assign(simd, points, members, line, top),
    )
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

/// About what a line through members leaves: its ends are not rounded, and indices are those that places suggest.
#[inline(never)]
pub(super) fn remainder<S: Simd, const C: usize>(
    simd: S,
    points: &Points<S, C>,
    members: impl Members<S>,
    top: f32,
) -> Real<S> {
    simd.vectorize(
        #[inline(always)]
        || {
            let zero = real(simd, 0.0);
            let moments = Moments::of(simd, points, members);
            let covariance = moments.covariance();
            let places = places(simd, points, members, &axis(simd, &covariance));
            let (mut sum, mut squares, mut products) = (zero, zero, [zero; C]);
            for pixel in 0..16 {
                let index = members.keep(pixel, places[pixel] * top + ROUNDING - ROUNDING, zero);
                sum += index;
                squares = index.mul_add(index, squares);
                for c in 0..C {
                    products[c] = index.mul_add(points[pixel][c], products[c]);
                }
            }
            let spread = (moments.count * squares - sum * sum).max(real(simd, 1.0));
            let (mut all, mut explained) = (zero, zero);
            for c in 0..C {
                let common = moments.count * products[c] - sum * moments.sum[c];
                all += covariance[c][c];
                explained += common * common;
            }
            (all - explained / spread) / moments.count
        },
    )
}

#[cfg(test)]
mod tests {
    use super::super::endpoints::Parity;
    use super::super::line::{Everyone, Those};
    use super::*;
    use crate::lanes::{LANES, each_lane, load, vectorized};
    use fearless_simd::Level;

    /// The error of a stored line with indices as they are: no value between the ends is rounded.
    fn measured<S: Simd>(
        simd: S,
        points: &Points<S, 4>,
        members: impl Members<S>,
        line: &Stored<S, 4>,
        indices: &[Real<S>; 16],
        top: f32,
    ) -> Real<S> {
        let zero = real(simd, 0.0);
        let [from, to] = line.values;
        let mut error = zero;
        for pixel in 0..16 {
            for c in 0..4 {
                let value = from[c] + (to[c] - from[c]) * indices[pixel] * (1.0 / top);
                let difference = members.keep(pixel, value - points[pixel][c], zero);
                error += difference * difference;
            }
        }
        error
    }

    fn compare<S: Simd>(simd: S, points: &Points<S, 4>, members: impl Members<S>) {
        let seed = Seed::new(simd, points, members);
        let covariance = seed.moments.covariance();
        let mut all = real(simd, 0.0);
        for (c, row) in covariance.iter().enumerate() {
            all += row[c] / seed.moments.count;
        }
        for parity in [Parity::Absent, Parity::Each, Parity::Shared, Parity::Fixed(0)] {
            for (bits, top) in [(4, 3.0), (5, 7.0), (7, 15.0)] {
                for inset in [[0.0, 0.0], [0.8, 0.0], [-0.4, -0.4]] {
                    let start = Start { reversed: bits == 5, inset };
                    let indices = start.indices(simd, members, &seed.places, top);
                    let ends = ends(simd, points, &seed.moments, &indices, top);
                    let (line, growth) = store(simd, Format { bits, parity, top }, &ends);
                    let estimated = each_lane::<S, _>(all - ends.explained + growth);
                    let measured = each_lane::<S, _>(measured(simd, points, members, &line, &indices, top));
                    for (estimated, measured) in estimated.iter().zip(measured).take(Real::<S>::LEN) {
                        assert!((estimated - measured).abs() < 2.0 + measured * 1e-4, "{estimated}, {measured}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_a_stored_line_leaves_is_known_without_asking_the_pixels() {
        let mut random = 5_u32;
        let mut byte = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 24) as u8
        };
        for _ in 0..50 {
            let blocks: [_; LANES] = std::array::from_fn(|_| [[(); 4]; 16].map(|pixel| pixel.map(|()| byte())));
            let shape = u16::from(byte()) << 8 | u16::from(byte()) | 0x0810;
            vectorized!(Level::new(), simd => {
                let points = load(simd, &blocks.each_ref());
                compare(simd, &points, Everyone);
                let mut members = [points[0][0].simd_ge(0.0); 16];
                for (pixel, member) in members.iter_mut().enumerate() {
                    *member = real(simd, f32::from(shape >> pixel & 1)).simd_gt(0.5);
                }
                compare(simd, &points, Those(&members));
            });
        }
    }
}
