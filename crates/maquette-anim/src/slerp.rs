//! Between two rotations, along the shorter arc at an even speed: exact slerp, four at once, without a branch.
//!
//! With θ the angle between two unit quaternions, the parts are `sin((1 − f)θ) / sin θ` and `sin(fθ) / sin θ`. Both are written with
//! `s(z) = sin(√z) / √z`, which has no pole at 0: `f · s(f²θ²) / s(θ²)`. And θ² is a smooth function of `u = 1 − cos θ`. So two
//! polynomials are all it takes, and rotations that are the same, or nearly, are no special case. Along the shorter arc θ is at most 90°; there
//! the polynomials are off by less than 4e-7 and 1e-7. A test compares the whole with sines in double precision.
//!
//! The coefficients interpolate at Chebyshev points.

use glam::{Mat4, Quat, Vec4};

/// θ² / u for u = 1 − cos θ from 0 to 1, constant first.
const ANGLE: [f32; 8] = [
    1.999_999_9,
    0.333_341_78,
    0.088_714_49,
    0.029_919_637,
    0.005_153_942_4,
    0.013_589_262,
    -0.008_310_923,
    0.004_992_857,
];

/// sin(√z) / √z for z from 0 to (π / 2)², constant first.
const SINE: [f32; 5] = [1.0, -0.166_666_58, 0.008_333_05, -0.000_198_090_17, 2.605_107_7e-6];

/// Four values, one in each lane.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: [f32; N], at: Vec4) -> Vec4 {
    let mut sum = Vec4::ZERO;
    for coefficient in coefficients.into_iter().rev() {
        sum = sum * at + Vec4::splat(coefficient);
    }
    sum
}

/// How much of each of two unit quaternions with these cosines between them. The second part is negative where the shorter arc leads to the
/// quaternion's opposite, which is the same rotation.
#[inline(always)]
fn parts(cosines: Vec4, fractions: Vec4) -> [Vec4; 2] {
    let apart = (Vec4::ONE - cosines.abs()).max(Vec4::ZERO);
    let square = apart * polynomial(ANGLE, apart);
    let left = Vec4::ONE - fractions;
    // Divided, not multiplied by an inverse: at the ends the parts are 1 and 0 to the bit.
    let whole = polynomial(SINE, square);
    let from = left * (polynomial(SINE, left * left * square) / whole);
    let to = fractions * (polynomial(SINE, fractions * fractions * square) / whole);
    [from, to * cosines.signum()]
}

/// Four rotations between four pairs, xyzw.
#[inline(always)]
pub(crate) fn slerp_four(from: [Vec4; 4], to: [Vec4; 4], fractions: Vec4) -> [Vec4; 4] {
    let [a, b, c, d] = from;
    let from = Mat4::from_cols(a, b, c, d).transpose();
    let [a, b, c, d] = to;
    let to = Mat4::from_cols(a, b, c, d).transpose();
    let cosines = from.x_axis * to.x_axis + from.y_axis * to.y_axis + from.z_axis * to.z_axis + from.w_axis * to.w_axis;
    let [first, second] = parts(cosines, fractions);
    let mixed = Mat4::from_cols(
        from.x_axis * first + to.x_axis * second,
        from.y_axis * first + to.y_axis * second,
        from.z_axis * first + to.z_axis * second,
        from.w_axis * first + to.w_axis * second,
    )
    .transpose();
    [mixed.x_axis, mixed.y_axis, mixed.z_axis, mixed.w_axis]
}

/// Eight at once, in vectors of eight: the same numbers multiplied and added in the same order.
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx {
    use super::{ANGLE, SINE};
    use glam::Vec4;
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx")]
    #[inline]
    fn polynomial<const N: usize>(coefficients: [f32; N], at: __m256) -> __m256 {
        let mut sum = _mm256_setzero_ps();
        for coefficient in coefficients.into_iter().rev() {
            sum = _mm256_add_ps(_mm256_mul_ps(sum, at), _mm256_set1_ps(coefficient));
        }
        sum
    }

    /// Four rows of each half become columns of it.
    #[target_feature(enable = "avx")]
    #[inline]
    fn transposed([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
        let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }

    #[target_feature(enable = "avx")]
    #[inline]
    fn lanes([a, b, c, d, e, f, g, h]: [Vec4; 8]) -> [__m256; 4] {
        let pair = |low: Vec4, high: Vec4| _mm256_set_m128(high.into(), low.into());
        transposed([pair(a, e), pair(b, f), pair(c, g), pair(d, h)])
    }

    /// Eight rotations between eight pairs, xyzw.
    #[target_feature(enable = "avx")]
    #[inline]
    pub(crate) fn slerp_eight(from: &[Vec4; 8], to: &[Vec4; 8], fraction: f32) -> [Vec4; 8] {
        let ([fx, fy, fz, fw], [tx, ty, tz, tw]) = (lanes(*from), lanes(*to));
        let (one, minus) = (_mm256_set1_ps(1.0), _mm256_set1_ps(-0.0));
        let xy = _mm256_add_ps(_mm256_mul_ps(fx, tx), _mm256_mul_ps(fy, ty));
        let cosines = _mm256_add_ps(_mm256_add_ps(xy, _mm256_mul_ps(fz, tz)), _mm256_mul_ps(fw, tw));
        let apart = _mm256_max_ps(_mm256_sub_ps(one, _mm256_andnot_ps(minus, cosines)), _mm256_setzero_ps());
        let square = _mm256_mul_ps(apart, polynomial(ANGLE, apart));
        let fractions = _mm256_set1_ps(fraction);
        let left = _mm256_sub_ps(one, fractions);
        let whole = polynomial(SINE, square);
        let part = |of: __m256| {
            let sine = polynomial(SINE, _mm256_mul_ps(_mm256_mul_ps(of, of), square));
            _mm256_mul_ps(of, _mm256_div_ps(sine, whole))
        };
        let first = part(left);
        let sign = _mm256_or_ps(one, _mm256_and_ps(minus, cosines));
        let second = _mm256_mul_ps(part(fractions), sign);
        let mixed = |from: __m256, to: __m256| _mm256_add_ps(_mm256_mul_ps(from, first), _mm256_mul_ps(to, second));
        let [a, b, c, d] = transposed([mixed(fx, tx), mixed(fy, ty), mixed(fz, tz), mixed(fw, tw)]);
        let low = |pair: __m256| Vec4::from(_mm256_castps256_ps128(pair));
        let high = |pair: __m256| Vec4::from(_mm256_extractf128_ps::<1>(pair));
        [low(a), low(b), low(c), low(d), high(a), high(b), high(c), high(d)]
    }
}

/// One rotation between two, along the shorter arc.
pub fn slerp(from: Quat, to: Quat, fraction: f32) -> Quat {
    let [from_part, to_part] = parts(Vec4::splat(from.dot(to)), Vec4::splat(fraction));
    Quat::from_vec4(Vec4::from(from) * from_part + Vec4::from(to) * to_part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3, Vec3};
    use proptest::prelude::*;

    fn exact(from: Quat, to: Quat, fraction: f32) -> DQuat {
        let (from, mut to) = (from.as_dquat().normalize(), to.as_dquat().normalize());
        if from.dot(to) < 0.0 {
            to = -to;
        }
        let angle = (from.dot(to)).clamp(-1.0, 1.0).acos();
        let fraction = f64::from(fraction);
        if angle < 1e-6 {
            return from.lerp(to, fraction);
        }
        from * (((1.0 - fraction) * angle).sin() / angle.sin()) + to * ((fraction * angle).sin() / angle.sin())
    }

    fn rotation() -> impl Strategy<Value = Quat> {
        ((-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0), -7.0f32..7.0).prop_map(|((x, y, z), angle)| {
            Quat::from_axis_angle(Vec3::new(x, y, z).try_normalize().unwrap_or(Vec3::X), angle)
        })
    }

    proptest! {
        #[test]
        fn it_agrees_with_sines_in_double_precision(from in rotation(), to in rotation(), fraction in 0.0f32..=1.0) {
            let off = slerp(from, to, fraction).as_dquat() - exact(from, to, fraction);
            prop_assert!(off.length() < 2e-6, "{} from {from} to {to} at {fraction}", off.length());
        }

        #[test]
        fn four_at_once_are_the_same(from in prop::array::uniform4(rotation()), to in prop::array::uniform4(rotation()), fraction in 0.0f32..=1.0) {
            let four = slerp_four(from.map(Vec4::from), to.map(Vec4::from), Vec4::splat(fraction));
            for ((from, to), four) in from.into_iter().zip(to).zip(four) {
                let one = Vec4::from(slerp(from, to, fraction));
                prop_assert!((one - four).length() < 1e-6);
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn eight_at_once_are_the_same_to_the_bit() {
        if !std::arch::is_x86_feature_detected!("avx") {
            return;
        }
        let mut runner = proptest::test_runner::TestRunner::default();
        let sets = (prop::array::uniform8(rotation()), prop::array::uniform8(rotation()), 0.0f32..=1.0);
        let same = runner.run(&sets, |(from, mut to, fraction)| {
            (to[0], to[1]) = (from[0], -from[1]);
            let (from, to) = (from.map(Vec4::from), to.map(Vec4::from));
            #[allow(unsafe_code)]
            // SAFETY: the processor has AVX.
            let eight = unsafe { avx::slerp_eight(&from, &to, fraction) };
            for (at, four) in [0, 4].into_iter().zip(eight.as_chunks::<4>().0) {
                let [f, t] = [from, to].map(|all| [all[at], all[at + 1], all[at + 2], all[at + 3]]);
                prop_assert_eq!(slerp_four(f, t, Vec4::splat(fraction)), *four);
            }
            Ok(())
        });
        same.unwrap();
    }

    #[test]
    fn the_ends_are_kept_to_the_bit() {
        let (from, to) = (Quat::from_rotation_x(0.3), Quat::from_rotation_y(2.9));
        assert_eq!(slerp(from, to, 0.0), from);
        assert_eq!(slerp(from, from, 0.7), from);
        assert_eq!(slerp(from, to, 1.0), to);
        assert_eq!(slerp(from, -to, 1.0), to);
    }

    #[test]
    fn the_speed_is_even() {
        let axis = DVec3::new(1.0, 2.0, 3.0).normalize().as_vec3();
        for step in 0..=10 {
            let part = step as f32 / 10.0;
            let mid = slerp(Quat::IDENTITY, Quat::from_axis_angle(axis, 3.0), part);
            assert!(mid.angle_between(Quat::from_axis_angle(axis, 3.0 * part)) < 1e-3, "{part}");
        }
    }
}
