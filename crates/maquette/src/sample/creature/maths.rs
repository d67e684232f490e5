//! Curves, turns and noise from sums, products, roots and `libm` alone, in double precision: every machine makes the same bytes of them.

use maquette_scene::glam::{DQuat, DVec3};
use std::f64::consts::TAU;

/// From 0 at one place to 1 at another, without a bend at either.
pub fn smooth(from: f64, to: f64, at: f64) -> f64 {
    let part = ((at - from) / (to - from)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// 1 at a place, 0 so far away from it.
pub fn bump(middle: f64, reach: f64, at: f64) -> f64 {
    1.0 - smooth(0.0, reach, (at - middle).abs())
}

/// A curve through keys, one unit of `at` apart.
pub fn spline<const N: usize>(keys: &[[f64; N]], at: f64) -> [f64; N] {
    let last = keys.len().saturating_sub(1);
    let at = at.clamp(0.0, last as f64);
    let start = (at as usize).min(last.saturating_sub(1));
    let part = at - start as f64;
    let key = |index: usize| keys.get(index.min(last)).copied().unwrap_or([0.0; N]);
    let (before, from, to, after) = (key(start.saturating_sub(1)), key(start), key(start + 1), key(start + 2));
    let mut value = from;
    for ((((value, before), from), to), after) in value.iter_mut().zip(before).zip(from).zip(to).zip(after) {
        let (slope_from, slope_to) = ((to - before) * 0.5, (after - from) * 0.5);
        let (two, three) = (part * part, part * part * part);
        *value = (2.0 * three - 3.0 * two + 1.0) * from
            + (three - 2.0 * two + part) * slope_from
            + (3.0 * two - 2.0 * three) * to
            + (three - two) * slope_to;
    }
    value
}

/// Sine and cosine of a part of a full turn; of 1 to the bit those of 0, so that rings close.
pub fn circle(part: f64) -> (f64, f64) {
    libm::sincos(TAU * (part - libm::floor(part)))
}

/// The sine of a part of a full turn.
pub fn wave(part: f64) -> f64 {
    circle(part).0
}

/// A turn about an axis, in degrees.
pub fn turn(axis: DVec3, degrees: f64) -> DQuat {
    let (sin, cos) = libm::sincos(degrees.to_radians() * 0.5);
    DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// From 0 to 1, with hills and valleys about one unit wide.
pub fn noise(at: DVec3) -> f64 {
    let corner = DVec3::new(libm::floor(at.x), libm::floor(at.y), libm::floor(at.z));
    let part = at - corner;
    let ease = |x: f64| x * x * (3.0 - 2.0 * x);
    let [fx, fy, fz] = [ease(part.x), ease(part.y), ease(part.z)];
    let mut sum = 0.0;
    for (dx, dy, dz) in (0..8).map(|index| (index & 1, index >> 1 & 1, index >> 2)) {
        let share = |part: f64, side: i64| if side == 1 { part } else { 1.0 - part };
        let value = scattered(corner.x as i64 + dx, corner.y as i64 + dy, corner.z as i64 + dz);
        sum += share(fx, dx) * share(fy, dy) * share(fz, dz) * value;
    }
    sum
}

/// A number from 0 to 1 for each place of a lattice.
fn scattered(x: i64, y: i64, z: i64) -> f64 {
    let mut bits = (x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (y as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
        ^ (z as u64).wrapping_mul(0x1656_67B1_9E37_79F9);
    bits = (bits ^ bits >> 31).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 29).wrapping_mul(0x94D0_49BB_1331_11EB);
    (bits >> 40) as f64 / (1_u64 << 24) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_pass_through_their_keys_and_rings_close() {
        let keys = [[0.0], [2.0], [3.0]];
        assert_eq!((spline(&keys, 0.0), spline(&keys, 1.0), spline(&keys, 2.0)), ([0.0], [2.0], [3.0]));
        assert_eq!(spline::<1>(&[], 0.5), [0.0]);
        assert_eq!(circle(1.0), circle(0.0));
        assert_eq!((smooth(1.0, 3.0, 2.0), bump(0.0, 1.0, 0.0), bump(0.0, 1.0, -1.0)), (0.5, 1.0, 0.0));
    }

    #[test]
    fn noise_is_even_and_without_jumps() {
        let at = |step: u32| noise(DVec3::new(f64::from(step) * 0.37, f64::from(step) * 0.11, -0.5));
        let mean = (0..2000).map(at).sum::<f64>() / 2000.0;
        assert!((mean - 0.5).abs() < 0.05, "{mean}");
        assert!((noise(DVec3::splat(1.0 - 1e-9)) - noise(DVec3::splat(1.0))).abs() < 1e-6);
    }
}
