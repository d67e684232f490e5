//! Joints and weights of vertices that up to four joints move.
//!
//! Formats keep four joint indices, -1 (or the same bits unsigned) for an unused one, and four weights.

use super::index_into;
use super::numbers;
use maquette_scene::glam::Vec4;
use maquette_scene::{Code, Diagnostic, Path};
use zerocopy::little_endian::{F32, I32};

/// How far the weights of a vertex may be from adding up to 1.
pub const WEIGHT_TOLERANCE: f32 = 1e-3;

/// A format's codes for these rules.
pub struct InfluenceCodes {
    /// A joint that does not exist.
    pub joint: &'static Code,
    /// Weights that add up to neither 1 nor 0.
    pub sum: &'static Code,
    /// A weight below 0 or above 1.
    pub range: &'static Code,
    /// Weight 0 with a joint.
    pub unused: &'static Code,
    /// Weight without a joint.
    pub without_joint: &'static Code,
}

/// A bit for each of the four slots.
const ALL: u32 = 15;

/// A joint that does not exist.
pub const JOINT: u32 = 1;
const SUM: u32 = 2;
/// A weight below 0 or above 1, or not finite.
pub const RANGE: u32 = 4;
const UNUSED: u32 = 8;
const WITHOUT_JOINT: u32 = 16;
/// How many bits [`fault_bits`] uses, from the lowest.
pub const BITS: u32 = 5;

/// A bit for each rule that these influences break. Weights that are not finite are out of range here; other rules have more to say about them.
#[inline]
pub fn fault_bits([a, b, c, d]: &[I32; 4], weights: &[F32; 4], joint_count: i32) -> u32 {
    // Whole numbers are exact in a float up to 2^24. So many joints would take gigabytes; of more, some that do not exist pass.
    let joints = Vec4::new(a.get() as f32, b.get() as f32, c.get() as f32, d.get() as f32);
    let weights = numbers::vector(weights);
    let none = joints.cmpeq(Vec4::NEG_ONE).bitmask();
    let exists = joints.cmpge(Vec4::NEG_ONE) & joints.cmple(Vec4::splat(joint_count.wrapping_sub(1) as f32));
    let unweighted = weights.cmpeq(Vec4::ZERO).bitmask();
    let in_range = weights.cmpge(Vec4::ZERO) & weights.cmple(Vec4::splat(1.0 + WEIGHT_TOLERANCE));
    let sum = weights.x + weights.y + weights.z + weights.w;
    let sum_is_wrong = ((sum - 1.0).abs() > WEIGHT_TOLERANCE) & (sum.abs() > WEIGHT_TOLERANCE);
    (u32::from(exists.bitmask() != ALL) * JOINT)
        | (u32::from(sum_is_wrong) * SUM)
        | (u32::from(in_range.bitmask() != ALL) * RANGE)
        | (u32::from(unweighted & !none != 0) * UNUSED)
        | (u32::from(!unweighted & none != 0) * WITHOUT_JOINT)
}

/// Puts one bit of [`fault_bits`] into words; `joints_at` and `weights_at` are the paths of the two arrays.
pub fn describe(
    codes: &InfluenceCodes,
    (joints_at, joints): (Path, &[I32; 4]),
    (weights_at, weights): (Path, &[F32; 4]),
    joint_count: usize,
    fault: u32,
) -> Diagnostic {
    let first = |wrong: &dyn Fn(i32, f32) -> bool| {
        let mut slots = joints.iter().zip(weights).map(|(joint, weight)| (joint.get(), weight.get())).enumerate();
        slots.find(|&(_, (joint, weight))| wrong(joint, weight)).unwrap_or((0, (-1, 0.0)))
    };
    match fault {
        JOINT => {
            let exists = |joint: i32| joint == -1 || usize::try_from(joint).is_ok_and(|joint| joint < joint_count);
            let (slot, (joint, _)) = first(&|joint, _| !exists(joint));
            let expected = format!("-1 for none, or {}", index_into(joint_count, "joints"));
            Diagnostic::new(codes.joint, joints_at.join(slot), format!("the joint is {joint}")).expected(expected)
        }
        SUM => {
            let sum: f32 = weights.iter().map(|weight| weight.get()).sum();
            Diagnostic::new(codes.sum, weights_at, format!("the weights add up to {sum}")).expected("1 or 0")
        }
        RANGE => {
            let (slot, (_, weight)) = first(&|_, weight| !(0.0..=1.0 + WEIGHT_TOLERANCE).contains(&weight));
            Diagnostic::new(codes.range, weights_at.join(slot), format!("the weight is {weight}")).expected("0 to 1")
        }
        UNUSED => {
            let (slot, (joint, _)) = first(&|joint, weight| weight == 0.0 && joint != -1);
            let message = format!("the weight is 0 and the joint is {joint}");
            Diagnostic::new(codes.unused, joints_at.join(slot), message).expected("-1")
        }
        _ => {
            let (slot, (_, weight)) = first(&|joint, weight| weight != 0.0 && joint == -1);
            let message = format!("the joint is -1 and the weight is {weight}");
            Diagnostic::new(codes.without_joint, weights_at.join(slot), message).expected("weight 0, or a joint")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(joints: [i32; 4], weights: [f32; 4]) -> u32 {
        fault_bits(&joints.map(I32::new), &weights.map(F32::new), 3)
    }

    #[test]
    fn weights_sum_to_one_or_nothing() {
        assert_eq!(bits([0, 1, 2, -1], [0.5, 0.25, 0.25, 0.0]), 0);
        assert_eq!(bits([-1; 4], [0.0; 4]), 0);
        assert_eq!(bits([0, 1, -1, -1], [0.5, 0.25, 0.0, 0.0]), SUM);
        assert_eq!(bits([0, 1, -1, -1], [1.5, -0.5, 0.0, 0.0]), RANGE);
    }

    #[test]
    fn joints_exist_where_there_is_weight_and_only_there() {
        assert_eq!(bits([0, 3, -1, -1], [0.5, 0.5, 0.0, 0.0]), JOINT);
        assert_eq!(bits([-2, -1, -1, -1], [1.0, 0.0, 0.0, 0.0]), JOINT);
        assert_eq!(bits([0, 0, -1, -1], [1.0, 0.0, 0.0, 0.0]), UNUSED);
        assert_eq!(bits([0, -1, -1, -1], [0.5, 0.5, 0.0, 0.0]), WITHOUT_JOINT);
        assert_eq!(bits([-1; 4], [-0.0; 4]), 0, "minus zero is no weight");
        for (joint, count, is_there) in
            [(i32::MIN, 3, false), (i32::MAX, 3, false), (1 << 24, 1 << 24, false), (0, 0, false), (2, 3, true)]
        {
            let found = fault_bits(&[joint, -1, -1, -1].map(I32::new), &[1.0, 0.0, 0.0, 0.0].map(F32::new), count);
            assert_eq!(found, if is_there { 0 } else { JOINT }, "{joint} of {count}");
        }
    }
}
