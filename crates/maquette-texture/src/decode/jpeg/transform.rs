//! From the coefficients of a block to its samples: the inverse cosine transform, in whole numbers.
//!
//! First down, then across, with twelve bits for fractions, as Loeffler, Ligtenberg and Moschytz factor it (ICASSP 1989). Where coefficients are 0,
//! steps are left out that would change nothing.

use super::coefficients::Block;
use super::tables::{Factors, PLACES};
use fearless_simd::i32x8;
use fearless_simd::prelude::*;

/// Row by row.
pub type Samples = [[u8; 8]; 8];

/// A bit for each coefficient that is not among the four lowest down and across.
const HIGH: u64 = {
    let (mut high, mut at, mut places): (u64, u32, &[u8]) = (0, 0, &PLACES);
    while let [place, rest @ ..] = places {
        if at < 64 && (*place >= 32 || *place % 8 >= 4) {
            high |= 1 << at;
        }
        at += 1;
        places = rest;
    }
    high
};

/// The samples of a block, of which it is known which coefficients but the first are not 0.
#[inline(always)]
pub fn samples<S: Simd>(simd: S, block: &Block, present: u64, factors: &Factors) -> Samples {
    if present == 0 {
        let mean = block.first().map_or(0, |&mean| i32::from(mean));
        let factor = factors.first().copied().unwrap_or_default();
        let sample = mean.wrapping_mul(factor).wrapping_add((128 << 3) + 4) >> 3;
        return [[sample.clamp(0, 255) as u8; 8]; 8];
    }
    if present & HIGH == 0 {
        return transform::<S, 4>(simd, block, factors);
    }
    transform::<S, 8>(simd, block, factors)
}

/// With so many of the lowest coefficients down and across.
#[inline(always)]
fn transform<S: Simd, const N: usize>(simd: S, block: &Block, factors: &Factors) -> Samples {
    /// Half of what is shifted out, and the middle of the samples.
    const ROUNDING: i32 = (1 << 16) + (128 << 17);
    let mut rows = [i32x8::splat(simd, 0); 8];
    let both = block.as_chunks::<8>().0.iter().zip(factors.as_chunks::<8>().0);
    for (row, (coefficients, factors)) in rows.iter_mut().zip(both).take(N) {
        let mut wide = [0; 8];
        for (wide, &coefficient) in wide.iter_mut().zip(coefficients) {
            *wide = i32::from(coefficient);
        }
        *row = i32x8::simd_from(simd, wide) * i32x8::simd_from(simd, *factors);
    }
    let mut rows = one_way(rows, 512);
    for row in &mut rows {
        *row >>= 10_u32;
    }
    let mut columns = one_way(transposed(rows), 512 + ROUNDING);
    for column in &mut columns {
        *column = (*column >> 17_u32).max(0).min(255);
    }
    let [a, b, c, d, e, f, g, h] = columns;
    // Four samples of each row in a lane.
    let left = a | b << 8_u32 | c << 16_u32 | d << 24_u32;
    let right = e | f << 8_u32 | g << 16_u32 | h << 24_u32;
    let (upper, lower) = left.interleave(right);
    let mut samples = [[0; 8]; 8];
    let halves = samples.as_flattened_mut().as_chunks_mut::<4>().0.as_chunks_mut::<8>().0;
    for (to, from) in halves.iter_mut().zip([upper, lower]) {
        for (to, lane) in to.iter_mut().zip(from.as_slice()) {
            *to = lane.to_le_bytes();
        }
    }
    samples
}

/// The transform of eight numbers, in each lane.
#[inline(always)]
fn one_way<S: Simd>([c0, c1, c2, c3, c4, c5, c6, c7]: [i32x8<S>; 8], rounding: i32) -> [i32x8<S>; 8] {
    let turned = (c2 + c6) * 2217;
    let (low, high) = (turned + c2 * 3135, turned - c6 * 7567);
    let (sum, difference) = (((c0 + c4) << 12_u32) + rounding, ((c0 - c4) << 12_u32) + rounding);
    let even = [sum + low, difference + high, difference - high, sum - low];

    let (outer, inner) = (c7 + c3, c5 + c1);
    let all = (outer + inner) * 4816;
    let (far, near) = (all - (c7 + c1) * 3685, all - (c5 + c3) * 10497);
    let (outer, inner) = (outer * 8034, inner * 1597);
    let odd = [c1 * 6149 + far - inner, c3 * 12586 + near - outer, c5 * 8410 + near - inner, c7 * 1223 + far - outer];

    let ([e0, e1, e2, e3], [o0, o1, o2, o3]) = (even, odd);
    [e0 + o0, e1 + o1, e2 + o2, e3 + o3, e3 - o3, e2 - o2, e1 - o1, e0 - o0]
}

/// Rows to columns.
#[inline(always)]
fn transposed<S: Simd>(rows: [i32x8<S>; 8]) -> [i32x8<S>; 8] {
    let once = shuffled(rows);
    let twice = shuffled(once);
    shuffled(twice)
}

/// The first half and the second, like two halves of a deck of cards.
#[inline(always)]
fn shuffled<S: Simd>([a, b, c, d, e, f, g, h]: [i32x8<S>; 8]) -> [i32x8<S>; 8] {
    let ((a, b), (c, d), (e, f), (g, h)) = (a.interleave(e), b.interleave(f), c.interleave(g), d.interleave(h));
    [a, b, c, d, e, f, g, h]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{levels, vectorized};

    /// By what the transform is, in real numbers.
    fn exact(block: &Block, factors: &Factors) -> [[f64; 8]; 8] {
        let basis = |at: usize, frequency: usize| {
            let scale = if frequency == 0 { 0.125_f64.sqrt() } else { 0.5 };
            scale * (std::f64::consts::PI * (2 * at + 1) as f64 * frequency as f64 / 16.0).cos()
        };
        let mut samples = [[128.0; 8]; 8];
        for (y, row) in samples.iter_mut().enumerate() {
            for (x, sample) in row.iter_mut().enumerate() {
                for (place, (&coefficient, &factor)) in block.iter().zip(factors).enumerate() {
                    *sample += f64::from(i32::from(coefficient) * factor) * basis(y, place / 8) * basis(x, place % 8);
                }
            }
        }
        samples
    }

    #[test]
    fn samples_are_those_of_the_exact_transform_on_every_processor() {
        let factors: Factors = std::array::from_fn(|place| 1 + place as i32 % 5);
        let mut state = 1_u32;
        let mut random = |range: i32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as i32 % (2 * range + 1) - range
        };
        for count in [0, 1, 3, 9, 15, 40, 63] {
            for _ in 0..20 {
                let (mut block, mut present): (Block, u64) = ([0; 64], 0);
                block[0] = random(200) as i16;
                for place in 1..=count {
                    block[usize::from(PLACES[place])] = random(20) as i16;
                    present |= u64::from(block[usize::from(PLACES[place])] != 0) << place;
                }
                let exact = exact(&block, &factors);
                for level in levels() {
                    let mut found = [[0; 8]; 8];
                    vectorized!(level, simd => found = samples(simd, &block, present, &factors));
                    let mut whole = [[0; 8]; 8];
                    vectorized!(level, simd => whole = transform::<_, 8>(simd, &block, &factors));
                    assert_eq!(found, whole, "nothing is left out that matters");
                    for (found, exact) in found.as_flattened().iter().zip(exact.as_flattened()) {
                        assert!((f64::from(*found) - exact.clamp(0.0, 255.0)).abs() < 0.75, "{found} {exact}");
                    }
                }
            }
        }
    }
}
