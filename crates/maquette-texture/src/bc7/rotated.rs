//! Modes 4 and 5: one channel apart from the three others, with a line and indices of its own.
//!
//! Any channel can be the one apart: it changes places with opacity, which is called a rotation. Where opacity is the same
//! everywhere it is the colour channels' turn, and the line runs through the two that are left.

#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // Arrays of fixed size, and loops over just that size.

use super::bits::{Best, Writer};
use super::endpoints::{Format, Parity};
use super::fit::{Fit, Seed, fit};
use super::line::{Everyone, Moments};
use super::search::Opacity;
use crate::lanes::{Mask, Points, Real, choose, real};
use fearless_simd::prelude::*;

const fn plain(bits: u32, top: f32) -> Format {
    Format { bits, parity: Parity::Absent, top }
}

/// The channels of a group, sorted by what they have in common.
struct Parts<S: Simd, const C: usize> {
    /// Those on a common line.
    common: Points<S, C>,
    /// The one apart.
    apart: Points<S, 1>,
    /// 0 where opacity is apart, 1 for red, and so on.
    rotation: Real<S>,
}

/// Which modes to try.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Modes {
    /// Mode 5.
    Five,
    /// Both.
    FourAndFive,
}

#[inline(always)]
fn fit_all<S: Simd, const C: usize>(
    simd: S,
    points: &Points<S, C>,
    seed: &Seed<S, C>,
    format: Format,
    rounds: usize,
) -> Fit<S, C> {
    let mut fitted = fit(simd, points, Everyone, seed, format, rounds);
    fitted.anchor_first(Everyone, format.top);
    fitted
}

impl<S: Simd, const C: usize> Parts<S, C> {
    #[inline(always)]
    fn offer(
        &self,
        simd: S,
        best: &mut Best<S>,
        modes: Modes,
        rounds: usize,
        slots: impl Fn(&[Real<S>; C], f32) -> [Real<S>; 3] + Copy,
    ) {
        let common = Seed::new(simd, &self.common, Everyone);
        let apart = Seed::new(simd, &self.apart, Everyone);
        let colours = fit_all(simd, &self.common, &common, plain(7, 3.0), rounds);
        let single = fit_all(simd, &self.apart, &apart, plain(8, 3.0), rounds);
        let error = colours.error + single.error;
        best.offer(
            error,
            #[inline(always)]
            || {
                let mut writer = Writer::new(simd, 5);
                writer.put_real(self.rotation, 2);
                put_ends(&mut writer, &colours, &single, slots, [7, 8]);
                writer.put_indices(&colours.indices, 2);
                writer.put_indices(&single.indices, 2);
                writer.finish()
            },
        );
        if modes == Modes::Five {
            return;
        }
        let coarse = fit_all(simd, &self.common, &common, plain(5, 3.0), rounds);
        let fine = fit_all(simd, &self.apart, &apart, plain(6, 7.0), rounds);
        best.offer(
            coarse.error + fine.error,
            #[inline(always)]
            || {
                let mut writer = Writer::new(simd, 4);
                writer.put_real(self.rotation, 2);
                writer.put_real(real(simd, 0.0), 1);
                put_ends(&mut writer, &coarse, &fine, slots, [5, 6]);
                writer.put_indices(&coarse.indices, 2);
                writer.put_indices(&fine.indices, 3);
                writer.finish()
            },
        );
        let fine = fit_all(simd, &self.common, &common, plain(5, 7.0), rounds);
        let coarse = fit_all(simd, &self.apart, &apart, plain(6, 3.0), rounds);
        best.offer(
            fine.error + coarse.error,
            #[inline(always)]
            || {
                let mut writer = Writer::new(simd, 4);
                writer.put_real(self.rotation, 2);
                writer.put_real(real(simd, 1.0), 1);
                put_ends(&mut writer, &fine, &coarse, slots, [5, 6]);
                writer.put_indices(&coarse.indices, 2);
                writer.put_indices(&fine.indices, 3);
                writer.finish()
            },
        );
    }
}

#[inline(always)]
fn put_ends<S: Simd, const C: usize>(
    writer: &mut Writer<S>,
    common: &Fit<S, C>,
    apart: &Fit<S, 1>,
    slots: impl Fn(&[Real<S>; C], f32) -> [Real<S>; 3],
    [bits, bits_apart]: [u32; 2],
) {
    let highest = (1_u32 << bits).wrapping_sub(1) as f32;
    let ends = [slots(&common.line.codes[0], highest), slots(&common.line.codes[1], highest)];
    for channel in 0..3 {
        writer.put_real(ends[0][channel], bits);
        writer.put_real(ends[1][channel], bits);
    }
    writer.put_real(apart.line.codes[0][0], bits_apart);
    writer.put_real(apart.line.codes[1][0], bits_apart);
}

/// For blocks that are either transparent everywhere or opaque everywhere.
#[inline(always)]
pub(super) fn level<S: Simd>(
    simd: S,
    points: &Points<S, 3>,
    opacity: Opacity,
    best: &mut Best<S>,
    modes: Modes,
    choices: usize,
    rounds: usize,
) {
    let covariance = Moments::of(simd, points, Everyone).covariance();
    let mut losses = [real(simd, 0.0); 3];
    for apart in 0..3 {
        let (a, b) = ((apart + 1) % 3, (apart + 2) % 3);
        let (sum, difference) = (covariance[a][a] + covariance[b][b], covariance[a][a] - covariance[b][b]);
        let mixed = covariance[a][b] * 2.0;
        // Twice the smaller eigenvalue: what a line through these two leaves.
        losses[apart] = sum - (difference * difference + mixed * mixed).sqrt();
    }
    for _ in 0..choices {
        let rotation = take_least(simd, &mut losses) + 1.0;
        let (red, blue) = (rotation.simd_eq(1.0), rotation.simd_eq(3.0));
        let mut parts = Parts { common: [[rotation; 2]; 16], apart: [[rotation]; 16], rotation };
        for pixel in 0..16 {
            let [r, g, b] = points[pixel];
            parts.common[pixel] = [choose(red, g, r), choose(blue, g, b)];
            parts.apart[pixel] = [choose(red, r, choose(blue, b, g))];
        }
        parts.offer(
            simd,
            best,
            modes,
            rounds,
            #[inline(always)]
            |&[first, second], highest| {
                let constant = real(simd, highest * f32::from(opacity.bit()));
                [
                    choose(red, constant, first),
                    middle(red, blue, first, second, constant),
                    choose(blue, constant, second),
                ]
            },
        );
    }
}

#[inline(always)]
fn middle<S: Simd>(red: Mask<S>, blue: Mask<S>, first: Real<S>, second: Real<S>, constant: Real<S>) -> Real<S> {
    choose(red, first, choose(blue, second, constant))
}

/// For blocks with opacities of all kinds.
#[inline(always)]
pub(super) fn general<S: Simd>(
    simd: S,
    points: &Points<S, 4>,
    best: &mut Best<S>,
    modes: Modes,
    choices: usize,
    rounds: usize,
) {
    let covariance = Moments::of(simd, points, Everyone).covariance();
    let mut losses = [real(simd, 0.0); 4];
    for rotation in 0..4 {
        let apart = (rotation + 3) % 4;
        let (mut trace, mut minors) = (real(simd, 1e-9), real(simd, 0.0));
        for a in 0..4 {
            for b in 0..4 {
                if a == apart || b == apart {
                    continue;
                }
                if a == b {
                    trace += covariance[a][a];
                } else if a < b {
                    minors += covariance[a][a] * covariance[b][b] - covariance[a][b] * covariance[a][b];
                }
            }
        }
        // About the sum of all eigenvalues but the largest.
        losses[rotation] = minors / trace;
    }
    for _ in 0..choices {
        let rotation = take_least(simd, &mut losses);
        let mut parts = Parts { common: [[rotation; 3]; 16], apart: [[rotation]; 16], rotation };
        let turned = [rotation.simd_eq(1.0), rotation.simd_eq(2.0), rotation.simd_eq(3.0)];
        for pixel in 0..16 {
            let [r, g, b, a] = points[pixel];
            parts.common[pixel] = [choose(turned[0], a, r), choose(turned[1], a, g), choose(turned[2], a, b)];
            parts.apart[pixel] = [choose(turned[0], r, choose(turned[1], g, choose(turned[2], b, a)))];
        }
        parts.offer(
            simd,
            best,
            modes,
            rounds,
            #[inline(always)]
            |codes, _| *codes,
        );
    }
}

/// The place of the least value, which is then taken out of the list.
#[inline(always)]
pub(super) fn take_least<S: Simd, const N: usize>(simd: S, values: &mut [Real<S>; N]) -> Real<S> {
    let (mut place, mut least) = (real(simd, 0.0), values[0]);
    for candidate in 1..N {
        let less = values[candidate].simd_lt(least);
        least = choose(less, values[candidate], least);
        place = choose(less, real(simd, candidate as f32), place);
    }
    for candidate in 0..N {
        let taken = place.simd_eq(candidate as f32);
        values[candidate] = choose(taken, real(simd, f32::MAX), values[candidate]);
    }
    place
}
