//! Mode 6: one line through all four channels, with sixteen steps.

#![allow(clippy::indexing_slicing)] // Arrays of fixed size, and constant indices.

use super::bits::{Best, Writer};
use super::endpoints::{Format, Parity};
use super::fit::{Care, Fit, Seed, fit};
use super::line::Everyone;
use super::search::Opacity;
use crate::lanes::{Points, Real, real};
use fearless_simd::prelude::*;

/// Seven bits and a parity for each end.
const fn format(parity: Parity) -> Format {
    Format { bits: 7, parity, top: 15.0 }
}

#[inline(always)]
fn fit_all<S: Simd, const C: usize>(simd: S, points: &Points<S, C>, parity: Parity, care: Care) -> Fit<S, C> {
    let seed = Seed::new(simd, points, Everyone);
    let [mut fitted] = fit(simd, points, Everyone, &seed, [format(parity)], care);
    fitted.anchor_first(simd, Everyone, 15.0);
    fitted
}

#[inline(always)]
fn offer<S: Simd, const C: usize>(simd: S, best: &mut Best<S>, fitted: &Fit<S, C>, opacity: [Real<S>; 2]) {
    best.offer(
        fitted.error,
        #[inline(always)]
        || {
            let mut writer = Writer::new(simd, 6);
            for channel in 0..3 {
                writer.put_pair([fitted.line.codes[0][channel], fitted.line.codes[1][channel]], 7);
            }
            writer.put_pair(opacity, 7);
            writer.put_pair(fitted.line.parity, 1);
            writer.put_indices(&fitted.indices, 4);
            writer.finish()
        },
    );
}

/// For blocks with opacities of all kinds.
#[inline(always)]
pub(super) fn general<S: Simd>(simd: S, points: &Points<S, 4>, best: &mut Best<S>, care: Care) {
    let fitted = fit_all(simd, points, Parity::Each, care);
    let opacity = [fitted.line.codes[0][3], fitted.line.codes[1][3]];
    offer(simd, best, &fitted, opacity);
}

/// For blocks that are either transparent everywhere or opaque everywhere, which only one parity can say exactly.
#[inline(always)]
pub(super) fn level<S: Simd>(simd: S, points: &Points<S, 3>, opacity: Opacity, best: &mut Best<S>, care: Care) {
    let fitted = fit_all(simd, points, Parity::Fixed(opacity.bit()), care);
    offer(simd, best, &fitted, [real(simd, 127.0 * f32::from(opacity.bit())); 2]);
}
