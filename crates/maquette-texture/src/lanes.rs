//! Vectors across blocks: lane `n` of every vector belongs to block `n` of a group, so that one instruction does the same step for all of them.
//!
//! Every operation that is used is exact in IEEE arithmetic (no approximate reciprocal; multiplication and addition are fused, where the
//! processor can, only if both are exact), so a block comes out the same whatever the processor, its neighbours in the group, and the
//! number of threads.

use fearless_simd::prelude::*;

/// Runs `$work` with the best vectors the processor has.
///
/// `fearless_simd::dispatch!` would do, but every level it compiles takes as long as all else in this crate. On x86-64 three
/// are enough: AVX-512, AVX2, and SSE2, which is always there.
macro_rules! vectorized {
    ($level:expr, $simd:ident => $work:expr) => {{
        let level: fearless_simd::Level = $level;
        #[cfg(target_arch = "x86_64")]
        if let Some($simd) = level.as_avx512() {
            $crate::lanes::run(
                $simd,
                #[inline(always)]
                || $work,
            );
        } else if let Some($simd) = level.as_avx2() {
            $crate::lanes::run(
                $simd,
                #[inline(always)]
                || $work,
            );
        } else if let Some($simd) = level.as_sse2() {
            $crate::lanes::run(
                $simd,
                #[inline(always)]
                || $work,
            );
        }
        #[cfg(not(target_arch = "x86_64"))]
        fearless_simd::dispatch!(level, $simd => $work);
    }};
}
pub(crate) use vectorized;

#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn run<S: Simd>(simd: S, work: impl FnOnce()) {
    simd.vectorize(work);
}

/// As many lanes as there can be. How many there are depends on the processor: `Real::<S>::LEN`.
pub(crate) const LANES: usize = 16;
pub(crate) type Real<S> = <S as Simd>::f32s;
pub(crate) type Whole<S> = <S as Simd>::u32s;
pub(crate) type Mask<S> = <S as Simd>::mask32s;

/// The lanes one by one; those that are not there are 0.
#[inline(always)]
pub(crate) fn each_lane<S: Simd, V: SimdBase<S, Element: Default>>(vector: V) -> [V::Element; LANES] {
    let mut lanes = [Default::default(); LANES];
    for (lane, value) in lanes.iter_mut().zip(vector.as_slice()) {
        *lane = *value;
    }
    lanes
}

/// A vector from its lanes.
#[inline(always)]
pub(crate) fn from_lanes<S: Simd, V: SimdBase<S>>(simd: S, lanes: &[V::Element; LANES]) -> V {
    V::from_slice(simd, lanes.get(..V::LEN).unwrap_or_default())
}

/// The sixteen pixels of a block, row by row.
pub(crate) type Block = [[u8; 4]; 16];

/// The pixels of a group of blocks: sixteen pixels of four channels, each a vector across the blocks.
pub(crate) type Points<S, const C: usize> = [[Real<S>; C]; 16];

#[inline(always)]
pub(crate) fn real<S: Simd>(simd: S, value: f32) -> Real<S> {
    Real::<S>::splat(simd, value)
}

/// Rounds to the nearest whole number, halves up.
#[inline(always)]
pub(crate) fn round<S: Simd>(value: Real<S>) -> Real<S> {
    (value + 0.5).floor()
}

/// Leaves no bits for a fraction when it is added to a number: rounds to the nearest, and halves to the even one.
pub(crate) const ROUNDING: f32 = 12_582_912.0;

#[inline(always)]
pub(crate) fn whole<S: Simd>(value: Real<S>) -> Whole<S> {
    value.to_int()
}

#[inline(always)]
pub(crate) fn choose<S: Simd>(mask: Mask<S>, yes: Real<S>, no: Real<S>) -> Real<S> {
    mask.select(yes, no)
}

#[inline(always)]
pub(crate) fn choose_all<S: Simd, const C: usize>(mask: Mask<S>, yes: [Real<S>; C], no: [Real<S>; C]) -> [Real<S>; C] {
    let mut chosen = no;
    for (to, from) in chosen.iter_mut().zip(yes) {
        *to = mask.select(from, *to);
    }
    chosen
}

#[inline(never)]
pub(crate) fn load<S: Simd>(simd: S, blocks: &[&Block; LANES]) -> Points<S, 4> {
    simd.vectorize(
        #[inline(always)]
        || transpose(simd, blocks),
    )
}

#[inline(always)]
fn transpose<S: Simd>(simd: S, blocks: &[&Block; LANES]) -> Points<S, 4> {
    let mut points = [[real(simd, 0.0); 4]; 16];
    for (pixel, channels) in points.iter_mut().enumerate() {
        let mut packed = [0; LANES];
        for (lane, block) in packed.iter_mut().take(Whole::<S>::LEN).zip(blocks) {
            *lane = block.get(pixel).map_or(0, |pixel| u32::from_le_bytes(*pixel));
        }
        let packed = from_lanes::<S, Whole<S>>(simd, &packed);
        for (shift, channel) in [0, 8, 16, 24].into_iter().zip(channels) {
            *channel = ((packed >> shift) & 255).to_float();
        }
    }
    points
}

/// Vectors of all widths that this processor has.
#[cfg(test)]
pub(crate) fn levels() -> Vec<fearless_simd::Level> {
    use fearless_simd::Level;
    let mut levels = vec![Level::new(), Level::baseline()];
    #[cfg(target_arch = "x86_64")]
    levels.extend(Level::new().as_avx2().map(Level::Avx2));
    levels
}
