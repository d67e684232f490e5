//! Modes 4 and 5: one channel apart from the three others, with a line and indices of its own.
//!
//! Any channel can be the one apart: it changes places with opacity, which is called a rotation. Where opacity is the same
//! everywhere it is the colour channels' turn, and the line runs through the two that are left.

#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // Arrays of fixed size, and loops over just that size.

use super::bits::{Best, Writer};
use super::endpoints::{Format, Parity};
use super::fit::{Care, Fit, Seed, fit};
use super::line::{Everyone, Moments};
use super::search::Opacity;
use crate::lanes::{LANES, Mask, Points, Real, choose, real};
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

/// A line in two formats with four steps, and in one with eight.
#[inline(always)]
fn fit_all<S: Simd, const C: usize>(
    simd: S,
    points: &Points<S, C>,
    formats: [Format; 3],
    care: Care,
) -> [Fit<S, C>; 3] {
    let [fine, coarse, long] = formats;
    let seed = Seed::new(simd, points, Everyone);
    let [fine, coarse] = fit(simd, points, Everyone, &seed, [fine, coarse], care);
    let [long] = fit(simd, points, Everyone, &seed, [long], care);
    let mut fits = [fine, coarse, long];
    for (fit, format) in fits.iter_mut().zip(formats) {
        fit.anchor_first(simd, Everyone, format.top);
    }
    fits
}

impl<S: Simd, const C: usize> Parts<S, C> {
    /// `slots` puts the common channels where they belong, and the highest code where opacity is.
    #[inline(always)]
    fn offer(&self, simd: S, best: &mut Best<S>, care: Care, slots: impl Fn(&[Real<S>; C], f32) -> [Real<S>; 3]) {
        let commons = fit_all(simd, &self.common, COMMON, care);
        let aparts = fit_all(simd, &self.apart, APART, care);
        for layout in &LAYOUTS {
            let (common, apart) = (&commons[layout.common], &aparts[layout.apart]);
            best.offer(
                common.error + apart.error,
                #[inline(always)]
                || {
                    let highest = (1_u32 << COMMON[layout.common].bits).wrapping_sub(1) as f32;
                    let ends = common.line.codes;
                    let ends = [slots(&ends[0], highest), slots(&ends[1], highest)];
                    write(simd, layout, self.rotation, &ends, &common.indices, apart)
                },
            );
        }
    }
}

/// The formats of the common line and of the one apart: two with four steps, and one with eight.
const COMMON: [Format; 3] = [plain(7, 3.0), plain(5, 3.0), plain(5, 7.0)];
const APART: [Format; 3] = [plain(8, 3.0), plain(6, 3.0), plain(6, 7.0)];

/// A mode, with what it says about where its indices are.
struct Layout {
    mode: u32,
    /// The places of the formats of both lines in their lists.
    common: usize,
    apart: usize,
    /// In mode 4, whether the longer indices are the common ones: the number and width of that bit.
    selection: [u32; 2],
}

const LAYOUTS: [Layout; 3] = [
    Layout { mode: 5, common: 0, apart: 0, selection: [0, 0] },
    Layout { mode: 4, common: 1, apart: 2, selection: [0, 1] },
    Layout { mode: 4, common: 2, apart: 1, selection: [1, 1] },
];

#[inline(never)]
fn write<S: Simd>(
    simd: S,
    layout: &Layout,
    rotation: Real<S>,
    ends: &[[Real<S>; 3]; 2],
    common: &[Real<S>; 16],
    apart: &Fit<S, 1>,
) -> [u128; LANES] {
    simd.vectorize(
        #[inline(always)]
        || {
            let (of_common, of_apart) = (COMMON[layout.common], APART[layout.apart]);
            let mut writer = Writer::new(simd, layout.mode);
            writer.put_real(rotation, 2);
            let [selected, width] = layout.selection;
            writer.put_real(real(simd, selected as f32), width);
            for channel in 0..3 {
                writer.put_pair([ends[0][channel], ends[1][channel]], of_common.bits);
            }
            writer.put_pair([apart.line.codes[0][0], apart.line.codes[1][0]], of_apart.bits);
            // Shorter indices come first.
            if selected == 0 {
                writer.put_indices(common, of_common.index_bits());
                writer.put_indices(&apart.indices, of_apart.index_bits());
            } else {
                writer.put_indices(&apart.indices, of_apart.index_bits());
                writer.put_indices(common, of_common.index_bits());
            }
            writer.finish()
        },
    )
}

/// The channel apart that leaves the least.
#[inline(always)]
fn level_rotation<S: Simd>(simd: S, points: &Points<S, 3>) -> Real<S> {
    let covariance = Moments::of(simd, points, Everyone).covariance();
    let mut losses = [real(simd, 0.0); 3];
    for apart in 0..3 {
        let (a, b) = ((apart + 1) % 3, (apart + 2) % 3);
        let (sum, difference) = (covariance[a][a] + covariance[b][b], covariance[a][a] - covariance[b][b]);
        let mixed = covariance[a][b] * 2.0;
        // Twice the smaller eigenvalue: what a line through these two leaves.
        losses[apart] = sum - (difference * difference + mixed * mixed).sqrt();
    }
    take_least(simd, &mut losses) + 1.0
}

/// For blocks that are either transparent everywhere or opaque everywhere.
#[inline(always)]
pub(super) fn level<S: Simd>(simd: S, points: &Points<S, 3>, opacity: Opacity, best: &mut Best<S>, care: Care) {
    let rotation = level_rotation(simd, points);
    let (red, blue) = (rotation.simd_eq(1.0), rotation.simd_eq(3.0));
    let mut parts = Parts { common: [[rotation; 2]; 16], apart: [[rotation]; 16], rotation };
    for pixel in 0..16 {
        let [r, g, b] = points[pixel];
        parts.common[pixel] = [choose::<S>(red, g, r), choose::<S>(blue, g, b)];
        parts.apart[pixel] = [choose::<S>(red, r, choose::<S>(blue, b, g))];
    }
    parts.offer(
        simd,
        best,
        care,
        #[inline(always)]
        |&[first, second], highest| {
            let constant = real(simd, highest * f32::from(opacity.bit()));
            [
                choose::<S>(red, constant, first),
                middle::<S>(red, blue, first, second, constant),
                choose::<S>(blue, constant, second),
            ]
        },
    );
}

#[inline(always)]
fn middle<S: Simd>(red: Mask<S>, blue: Mask<S>, first: Real<S>, second: Real<S>, constant: Real<S>) -> Real<S> {
    choose::<S>(red, first, choose::<S>(blue, second, constant))
}

/// The channel apart that leaves the least.
#[inline(always)]
fn general_rotation<S: Simd>(simd: S, points: &Points<S, 4>) -> Real<S> {
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
    take_least(simd, &mut losses)
}

/// For blocks with opacities of all kinds.
#[inline(always)]
pub(super) fn general<S: Simd>(simd: S, points: &Points<S, 4>, best: &mut Best<S>, care: Care) {
    let rotation = general_rotation(simd, points);
    let mut parts = Parts { common: [[rotation; 3]; 16], apart: [[rotation]; 16], rotation };
    let turned = [rotation.simd_eq(1.0), rotation.simd_eq(2.0), rotation.simd_eq(3.0)];
    for pixel in 0..16 {
        let [r, g, b, a] = points[pixel];
        parts.common[pixel] =
            [choose::<S>(turned[0], a, r), choose::<S>(turned[1], a, g), choose::<S>(turned[2], a, b)];
        parts.apart[pixel] = [choose::<S>(turned[0], r, choose::<S>(turned[1], g, choose::<S>(turned[2], b, a)))];
    }
    parts.offer(
        simd,
        best,
        care,
        #[inline(always)]
        |codes, _| *codes,
    );
}

/// The place of the least value, which is then taken out of the list.
#[inline(always)]
pub(super) fn take_least<S: Simd, const N: usize>(simd: S, values: &mut [Real<S>; N]) -> Real<S> {
    let (mut place, mut least) = (real(simd, 0.0), values[0]);
    for candidate in 1..N {
        let less = values[candidate].simd_lt(least);
        least = choose::<S>(less, values[candidate], least);
        place = choose::<S>(less, real(simd, candidate as f32), place);
    }
    for candidate in 0..N {
        let taken = place.simd_eq(candidate as f32);
        values[candidate] = choose::<S>(taken, real(simd, f32::MAX), values[candidate]);
    }
    place
}
