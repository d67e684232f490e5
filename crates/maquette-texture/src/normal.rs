//! Normal maps: lengths, and X and Y alone.

use crate::lanes::{LANES, Real, Whole, choose, from_lanes, real, whole};
use fearless_simd::prelude::*;
use rayon::prelude::*;

/// Normals with X and Y scaled, of unit length, none below the surface.
#[inline(always)]
pub(crate) fn unit<S: Simd>(simd: S, from: &[[u8; 4]], scale: f32, to: &mut [[u8; 4]]) {
    let (zero, one) = (real(simd, 0.0), real(simd, 1.0));
    let width = Real::<S>::LEN;
    for (from, to) in from.chunks(width).zip(to.chunks_mut(width)) {
        let mut lanes = [0; LANES];
        for (lane, pixel) in lanes.iter_mut().zip(from) {
            *lane = u32::from_le_bytes(*pixel);
        }
        let packed: Whole<S> = from_lanes(simd, &lanes);
        let x = axis(simd, packed) * scale;
        let y = axis(simd, packed >> 8) * scale;
        let z = axis(simd, packed >> 16).max(zero);
        let length = (x * x + y * y + z * z).sqrt();
        let has_length = length.simd_gt(real(simd, 1e-6));
        let x = byte(simd, choose::<S>(has_length, x / length, zero));
        let y = byte(simd, choose::<S>(has_length, y / length, zero));
        let z = byte(simd, choose::<S>(has_length, z / length, one));
        let packed: Whole<S> = x | (y << 8) | (z << 16) | Whole::<S>::splat(simd, 255 << 24);
        for (pixel, lane) in to.iter_mut().zip(packed.as_slice()) {
            *pixel = lane.to_le_bytes();
        }
    }
}

/// How many point below the surface.
pub(crate) fn count_below(pixels: &[[u8; 4]]) -> u64 {
    let mut count = 0;
    for [_, _, blue, _] in pixels {
        // 127 is as near to 0 as a byte comes from below.
        count += u32::from(*blue < 127);
    }
    count.into()
}

/// The lowest eight bits as a number from -1 to 1.
#[inline(always)]
fn axis<S: Simd>(simd: S, packed: Whole<S>) -> Real<S> {
    let value: Real<S> = (packed & 255).to_float();
    value / real(simd, 127.5) - 1.0
}

/// Eight bits of a number from -1 to 1.
#[inline(always)]
fn byte<S: Simd>(simd: S, axis: Real<S>) -> Whole<S> {
    whole::<S>((axis * 0.5 + 0.5).max(real(simd, 0.0)).min(real(simd, 1.0)) * 255.0 + 0.5)
}

/// The third component of the normals in red and green, as blue.
pub fn rebuild_z(pixels: &mut [[u8; 4]]) {
    for [r, g, b, _] in pixels {
        let [x, y] = [*r, *g].map(|byte| f32::from(byte) / 127.5 - 1.0);
        let z = (1.0 - x * x - y * y).max(0.0).sqrt();
        *b = (127.5 * (z + 1.0) + 0.5) as u8;
    }
}

/// Normals as the directions that a shader makes of them: of unit length, X and Y scaled, in red and green. Blue tells how far below the surface they
/// point, and is the same for all that do not; with red and green it tells every direction from every other, without the steep Z of those that are nearly
/// level. Two channels alone get their third first, which is not rounded. Returns whether any point below. On all cores.
pub fn directions(pixels: &mut [[u8; 4]], scale: f32, two_channels: bool) -> bool {
    let byte = |axis: f32| ((axis * 0.5 + 0.5).clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    let direction = |[r, g, b, _]: [u8; 4]| {
        let [x, y, z] = [r, g, b].map(|value| f32::from(value) / 127.5 - 1.0);
        let z = if two_channels { (1.0 - x * x - y * y).max(0.0).sqrt() } else { z };
        let (x, y) = (x * scale, y * scale);
        let length = (x * x + y * y + z * z).sqrt();
        let [x, y, z] = if length > 1e-6 { [x / length, y / length, z / length] } else { [0.0, 0.0, 1.0] };
        [byte(x), byte(y), byte(z.min(0.0)), 255]
    };
    let bands = pixels.par_chunks_mut(1 << 16).map(|pixels| {
        pixels.iter_mut().for_each(|pixel| *pixel = direction(*pixel));
        pixels.iter().any(|&[_, _, below, _]| below < LEVEL)
    });
    bands.reduce(|| false, |a, b| a | b)
}

/// The blue of directions that do not point below the surface.
const LEVEL: u8 = 128;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{levels, vectorized};

    #[test]
    fn unit_normals_are_the_same_on_every_processor() {
        let pixels: Vec<[u8; 4]> = (0..5003u32).map(|at| at.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect();
        let pixels = [vec![[127, 128, 127, 0], [128, 128, 0, 0], [255, 0, 255, 0]], pixels].concat();
        for scale in [1.0, 0.0, 0.37, -2.0, 1e30] {
            let byte = |axis: f32| ((axis * 0.5 + 0.5).clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
            let expected = pixels.iter().map(|&[r, g, b, _]| {
                let [x, y, z] = [r, g, b].map(|value| f32::from(value) / 127.5 - 1.0);
                let (x, y, z) = (x * scale, y * scale, z.max(0.0));
                let length = (x * x + y * y + z * z).sqrt();
                let unit = if length > 1e-6 { [x / length, y / length, z / length] } else { [0.0, 0.0, 1.0] };
                let [x, y, z] = unit.map(byte);
                [x, y, z, 255]
            });
            let expected: Vec<[u8; 4]> = expected.collect();
            for level in levels() {
                let mut made = vec![[0; 4]; pixels.len()];
                vectorized!(level, simd => unit(simd, &pixels, scale, &mut made));
                assert_eq!(made, expected, "{scale}");
            }
        }
    }

    #[test]
    fn blue_is_rounded_to_the_nearest() {
        for at in 0..=u16::MAX {
            let [r, g] = at.to_le_bytes();
            let mut pixels = [[r, g, 0, 9]];
            rebuild_z(&mut pixels);
            let [x, y] = [r, g].map(|byte| f32::from(byte) / 127.5 - 1.0);
            let nearest = (127.5 * ((1.0 - x * x - y * y).max(0.0).sqrt() + 1.0)).round() as u8;
            assert_eq!(pixels, [[r, g, nearest, 9]]);
        }
    }

    #[test]
    fn a_flat_normal_points_up_and_a_level_one_sideways() {
        let mut pixels = [[128, 128, 0, 255], [255, 128, 0, 255]];
        rebuild_z(&mut pixels);
        assert_eq!(pixels, [[128, 128, 255, 255], [255, 128, 128, 255]]);
    }

    #[test]
    fn a_direction_is_the_same_at_every_length_and_with_two_channels() {
        let of = |pixels: &[[u8; 4]], two_channels| {
            let mut pixels = pixels.to_vec();
            let below = directions(&mut pixels, 1.0, two_channels);
            (pixels, below)
        };
        // Along (1, 1, 1), at two lengths; and what two channels keep of it.
        let (long, below) = of(&[[228, 228, 228, 0], [178, 178, 178, 0]], false);
        assert!(!below);
        assert_eq!(long, [[201, 201, 128, 255]; 2]);
        assert_eq!(of(&[[201, 201, 0, 0]], true).0, long[..1]);
        // Straight down is not straight up.
        let (down, below) = of(&[[128, 128, 0, 0]], false);
        assert!(below);
        assert_eq!(down, [[128, 128, 0, 255]]);
        assert_eq!(of(&[[128, 128, 255, 0]], false), (vec![[128, 128, 128, 255]], false));
    }
}
