//! From where joints are in their parents to what moves vertices, in one pass over the joints.
//!
//! Four rotations become matrices at once, lane by lane; products of matrices are made two columns at a time where the processor has vectors for
//! that. Both ways multiply and add the same numbers in the same order: the result is the same to the bit.

use crate::skeleton::{Link, Skeleton, Skin};
use crate::transform::Transform;
use glam::{Mat4, Vec4};

impl Skeleton {
    /// The matrices that take points of each joint to the model, from where it is in its parent. What the pose does not say is not moved;
    /// what there is no room for is left out.
    pub fn model_from_joints(&self, pose: &[Transform], model_from_joint: &mut [Mat4]) {
        self.palette(&[], pose, model_from_joint, &mut []);
    }

    /// The same, and in the same pass the palette of a skin that has all joints in their own order: what takes each vertex from where it was
    /// bound to where it is. The last row of each matrix is 0, 0, 0, 1.
    pub fn palette(
        &self,
        joint_from_mesh: &[Mat4],
        pose: &[Transform],
        model_from_joint: &mut [Mat4],
        palette: &mut [Mat4],
    ) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has what the function asks for.
            return unsafe { avx::palette(&self.links, joint_from_mesh, pose, model_from_joint, palette) };
        }
        Work { joint_from_mesh, model_from_joint, palette, within }.walk(&self.links, pose);
    }
}

impl Skin {
    /// What takes each vertex from where it was bound to where it is, one for each joint of the skin.
    pub fn palette(&self, model_from_joint: &[Mat4], palette: &mut [Mat4]) {
        for ((&joint, bound), to) in self.joints.iter().zip(&self.joint_from_mesh).zip(palette) {
            if let Some(model) = model_from_joint.get(joint as usize) {
                *to = within(model, bound);
            }
        }
    }
}

/// What is made, and of what.
struct Work<'w, W> {
    joint_from_mesh: &'w [Mat4],
    model_from_joint: &'w mut [Mat4],
    palette: &'w mut [Mat4],
    /// One matrix within another.
    within: W,
}

impl<W: Fn(&Mat4, &Mat4) -> Mat4> Work<'_, W> {
    /// Goes through the joints, parents first.
    #[inline(always)]
    fn walk(&mut self, links: &[Link], pose: &[Transform]) {
        // Of a vector that it knows to be zero, the compiler makes a form of `vmovq` that valgrind 3.19, by which people look for the mistakes
        // of their programs, does not know.
        let zero = std::hint::black_box(Vec4::ZERO);
        for [a, b, c, d] in links.as_chunks::<4>().0 {
            let locals = matrices([local(pose, a), local(pose, b), local(pose, c), local(pose, d)], zero);
            // One by one, so that they stay in registers.
            let [first, second, third, fourth] = locals;
            self.place(a, first);
            self.place(b, second);
            self.place(c, third);
            self.place(d, fourth);
        }
    }

    #[inline(always)]
    fn place(&mut self, link: &Link, local: Mat4) {
        let model = match self.model_from_joint.get(link.parent as usize) {
            Some(parent) => (self.within)(parent, &local),
            None => local,
        };
        let joint = link.joint as usize;
        if let Some(to) = self.model_from_joint.get_mut(joint) {
            *to = model;
        }
        if let (Some(bound), Some(to)) = (self.joint_from_mesh.get(joint), self.palette.get_mut(joint)) {
            *to = (self.within)(&model, bound);
        }
    }
}

#[inline(always)]
fn local<'p>(pose: &'p [Transform], link: &Link) -> &'p Transform {
    pose.get(link.joint as usize).unwrap_or(&Transform::IDENTITY)
}

/// One affine matrix within another: their product, where the last row of both is 0, 0, 0, 1.
#[inline(always)]
fn within(outer: &Mat4, inner: &Mat4) -> Mat4 {
    Mat4::from_cols(
        turned(outer, inner.x_axis),
        turned(outer, inner.y_axis),
        turned(outer, inner.z_axis),
        turned(outer, inner.w_axis) + outer.w_axis,
    )
}

#[inline(always)]
fn turned(by: &Mat4, direction: Vec4) -> Vec4 {
    by.x_axis * Vec4::splat(direction.x) + by.y_axis * Vec4::splat(direction.y) + by.z_axis * Vec4::splat(direction.z)
}

/// Four transforms as matrices: the rotations together, lane by lane.
#[inline(always)]
fn matrices([a, b, c, d]: [&Transform; 4], zero: Vec4) -> [Mat4; 4] {
    let lanes = Mat4::from_cols(a.rotation.into(), b.rotation.into(), c.rotation.into(), d.rotation.into()).transpose();
    let [x, y, z, w] = [lanes.x_axis, lanes.y_axis, lanes.z_axis, lanes.w_axis];
    let [x2, y2, z2] = [x + x, y + y, z + z];
    let [xx, xy, xz] = [x * x2, x * y2, x * z2];
    let [yy, yz, zz] = [y * y2, y * z2, z * z2];
    let [wx, wy, wz] = [w * x2, w * y2, w * z2];
    let one = Vec4::ONE;
    let across = Mat4::from_cols(one - (yy + zz), xy + wz, xz - wy, zero).transpose();
    let up = Mat4::from_cols(xy - wz, one - (xx + zz), yz + wx, zero).transpose();
    let ahead = Mat4::from_cols(xz + wy, yz - wx, one - (xx + yy), zero).transpose();
    [
        matrix(a, across.x_axis, up.x_axis, ahead.x_axis),
        matrix(b, across.y_axis, up.y_axis, ahead.y_axis),
        matrix(c, across.z_axis, up.z_axis, ahead.z_axis),
        matrix(d, across.w_axis, up.w_axis, ahead.w_axis),
    ]
}

#[inline(always)]
fn matrix(transform: &Transform, x: Vec4, y: Vec4, z: Vec4) -> Mat4 {
    let scale = transform.scale;
    Mat4::from_cols(x * scale.x, y * scale.y, z * scale.z, transform.translation.extend(1.0))
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::{Link, Mat4, Transform, Work};
    use glam::Vec4;
    use std::arch::x86_64::{
        __m256, _mm256_add_ps, _mm256_castps256_ps128, _mm256_extractf128_ps, _mm256_mul_ps, _mm256_permute_ps,
        _mm256_set_m128,
    };

    #[target_feature(enable = "avx")]
    pub fn palette(
        links: &[Link],
        joint_from_mesh: &[Mat4],
        pose: &[Transform],
        model_from_joint: &mut [Mat4],
        palette: &mut [Mat4],
    ) {
        let within = |outer: &Mat4, inner: &Mat4| within(outer, inner);
        Work { joint_from_mesh, model_from_joint, palette, within }.walk(links, pose);
    }

    #[target_feature(enable = "avx")]
    #[inline]
    fn within(outer: &Mat4, inner: &Mat4) -> Mat4 {
        let [x, y, z] = [twice(outer.x_axis), twice(outer.y_axis), twice(outer.z_axis)];
        let directions = turned([x, y, z], two(inner.x_axis, inner.y_axis));
        let last = turned([x, y, z], two(inner.z_axis, inner.w_axis));
        let moved = _mm256_add_ps(last, _mm256_set_m128(outer.w_axis.into(), Vec4::ZERO.into()));
        let (low, high) =
            (Vec4::from(_mm256_castps256_ps128(directions)), Vec4::from(_mm256_extractf128_ps::<1>(directions)));
        Mat4::from_cols(
            low,
            high,
            Vec4::from(_mm256_castps256_ps128(moved)),
            Vec4::from(_mm256_extractf128_ps::<1>(moved)),
        )
    }

    #[target_feature(enable = "avx")]
    #[inline]
    fn turned([x, y, z]: [__m256; 3], directions: __m256) -> __m256 {
        let across = _mm256_mul_ps(x, _mm256_permute_ps::<0b00_00_00_00>(directions));
        let up = _mm256_mul_ps(y, _mm256_permute_ps::<0b01_01_01_01>(directions));
        let ahead = _mm256_mul_ps(z, _mm256_permute_ps::<0b10_10_10_10>(directions));
        _mm256_add_ps(_mm256_add_ps(across, up), ahead)
    }

    #[target_feature(enable = "avx")]
    #[inline]
    fn two(low: Vec4, high: Vec4) -> __m256 {
        _mm256_set_m128(high.into(), low.into())
    }

    #[target_feature(enable = "avx")]
    #[inline]
    fn twice(both: Vec4) -> __m256 {
        two(both, both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::{Joint, SkeletonError};
    use glam::{DMat4, Quat, Vec3};
    use proptest::prelude::*;

    fn transform() -> impl Strategy<Value = Transform> {
        let number = || prop::array::uniform3(-2.0f32..2.0);
        (number(), number(), -7.0f32..7.0, number()).prop_map(|(place, axis, angle, scale)| Transform {
            translation: place.into(),
            rotation: Quat::from_axis_angle(Vec3::from(axis).try_normalize().unwrap_or(Vec3::X), angle),
            scale: scale.into(),
        })
    }

    /// Parents in any order: each joint hangs on one that comes before it in a shuffled order.
    fn parents() -> impl Strategy<Value = Vec<Option<u32>>> {
        (1usize..30).prop_flat_map(|count| {
            let order = Just((0..count as u32).collect::<Vec<u32>>()).prop_shuffle();
            (order, prop::collection::vec(any::<prop::sample::Index>(), count)).prop_map(|(order, picks)| {
                let mut parents = vec![None; order.len()];
                for (at, pick) in picks.iter().enumerate() {
                    let parent = pick.index(at + 1);
                    parents[order[at] as usize] = (parent < at).then(|| order[parent]);
                }
                parents
            })
        })
    }

    fn exact(parents: &[Option<u32>], pose: &[Transform], joint: usize) -> DMat4 {
        let local = pose[joint];
        let local = DMat4::from_scale_rotation_translation(
            Vec3::from(local.scale).as_dvec3(),
            local.rotation.as_dquat(),
            Vec3::from(local.translation).as_dvec3(),
        );
        parents[joint].map_or(local, |parent| exact(parents, pose, parent as usize) * local)
    }

    proptest! {
        #[test]
        fn palettes_agree_with_double_precision_on_any_processor(parents in parents(), pose in prop::collection::vec(transform(), 30), bound in prop::collection::vec(transform(), 30)) {
            let joint = |parent: &Option<u32>| Joint { name: String::new(), parent: *parent, rest: Transform::IDENTITY };
            let skeleton = Skeleton::new(parents.iter().map(joint)).unwrap();
            let bound: Vec<Mat4> = bound.iter().map(Transform::matrix).collect();
            let count = parents.len();
            let (mut model, mut palette) = (vec![Mat4::ZERO; count], vec![Mat4::ZERO; count]);
            skeleton.palette(&bound, &pose, &mut model, &mut palette);
            for joint in 0..count {
                let exact = exact(&parents, &pose, joint);
                let size = exact.to_cols_array().into_iter().fold(1.0, |size: f64, it| size.max(it.abs()));
                prop_assert!((model[joint].as_dmat4() - exact).to_cols_array().iter().all(|off| off.abs() < 1e-5 * size));
                let exact = exact * bound[joint].as_dmat4();
                let size = exact.to_cols_array().into_iter().fold(size, |size: f64, it| size.max(it.abs()));
                prop_assert!((palette[joint].as_dmat4() - exact).to_cols_array().iter().all(|off| off.abs() < 2e-5 * size));
                prop_assert_eq!(palette[joint].row(3).to_array(), [0.0, 0.0, 0.0, 1.0]);
            }
            let (mut other_model, mut other) = (vec![Mat4::ZERO; count], vec![Mat4::ZERO; count]);
            let mut work = Work { joint_from_mesh: &bound, model_from_joint: &mut other_model, palette: &mut other, within };
            work.walk(&skeleton.links, &pose);
            prop_assert_eq!(&palette, &other, "to the bit with and without wide vectors");
            let skin = Skin { joints: (0..count as u32).collect(), joint_from_mesh: bound };
            other.fill(Mat4::ZERO);
            skin.palette(&model, &mut other);
            prop_assert_eq!(&palette, &other);
        }
    }

    #[test]
    fn joints_that_hang_on_nothing_or_on_themselves_are_none() {
        let joint = |parent| Joint { name: String::new(), parent, rest: Transform::IDENTITY };
        let fault = |parents: &[Option<u32>]| Skeleton::new(parents.iter().map(|&parent| joint(parent))).unwrap_err();
        assert_eq!(fault(&[None, Some(2)]), SkeletonError::NoSuchParent { joint: 1, parent: 2 });
        assert_eq!(fault(&[None, Some(2), Some(1)]), SkeletonError::Cycle { joint: 1 });
        assert_eq!(fault(&[Some(0)]), SkeletonError::Cycle { joint: 0 });
    }
}
