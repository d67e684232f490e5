//! Arithmetic that comes out the same on every machine.
//!
//! `glam` adds up four numbers in another order where it has vectors, and the functions of the standard library (`sin`, `powf`) are those of the system. So what ends
//! up in pixels is worked out here, or with three-dimensional vectors, which `glam` has in one form alone.

use maquette_scene::glam::{Mat4, Quat, Vec3};

/// An item of a slice, or nothing in particular beyond its end.
#[inline(always)]
pub(crate) fn at<T: Copy + Default>(slice: &[T], index: usize) -> T {
    slice.get(index).copied().unwrap_or_default()
}

/// An affine transform, by where it takes the axes and the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    pub x: Vec3,
    pub y: Vec3,
    pub z: Vec3,
    pub origin: Vec3,
}

impl Default for Affine {
    fn default() -> Affine {
        Affine::IDENTITY
    }
}

impl Affine {
    pub const IDENTITY: Affine = Affine { x: Vec3::X, y: Vec3::Y, z: Vec3::Z, origin: Vec3::ZERO };
    pub const ZERO: Affine = Affine { x: Vec3::ZERO, y: Vec3::ZERO, z: Vec3::ZERO, origin: Vec3::ZERO };

    pub fn from_matrix(matrix: &Mat4) -> Affine {
        let [x, y, z, origin] =
            [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis].map(|axis| axis.truncate());
        Affine { x, y, z, origin }
    }

    pub fn matrix(&self) -> Mat4 {
        Mat4::from_cols(self.x.extend(0.0), self.y.extend(0.0), self.z.extend(0.0), self.origin.extend(1.0))
    }

    pub fn from_parts(translation: Vec3, rotation: Quat, scale: Vec3) -> Affine {
        let [x, y, z, w] = rotation.to_array();
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, xy, xz) = (x * x2, x * y2, x * z2);
        let (yy, yz, zz) = (y * y2, y * z2, z * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        Affine {
            x: Vec3::new(1.0 - (yy + zz), xy + wz, xz - wy) * scale.x,
            y: Vec3::new(xy - wz, 1.0 - (xx + zz), yz + wx) * scale.y,
            z: Vec3::new(xz + wy, yz - wx, 1.0 - (xx + yy)) * scale.z,
            origin: translation,
        }
    }

    #[inline]
    pub fn vector(&self, v: Vec3) -> Vec3 {
        self.x * v.x + self.y * v.y + self.z * v.z
    }

    #[inline]
    pub fn point(&self, p: Vec3) -> Vec3 {
        self.vector(p) + self.origin
    }

    /// This after another.
    pub fn after(&self, inner: &Affine) -> Affine {
        Affine {
            x: self.vector(inner.x),
            y: self.vector(inner.y),
            z: self.vector(inner.z),
            origin: self.point(inner.origin),
        }
    }

    #[inline]
    pub fn plus(&self, other: &Affine, weight: f32) -> Affine {
        Affine {
            x: self.x + other.x * weight,
            y: self.y + other.y * weight,
            z: self.z + other.z * weight,
            origin: self.origin + other.origin * weight,
        }
    }

    /// Whether it mirrors.
    #[inline]
    pub fn mirrors(&self) -> bool {
        self.x.cross(self.y).dot(self.z) < 0.0
    }

    /// A normal after this transform, not of unit length.
    #[inline]
    pub fn normal(&self, n: Vec3) -> Vec3 {
        let turned = self.y.cross(self.z) * n.x + self.z.cross(self.x) * n.y + self.x.cross(self.y) * n.z;
        if self.mirrors() { -turned } else { turned }
    }
}

/// A vector of unit length, or another where it has no direction.
#[inline]
pub(crate) fn unit_or(v: Vec3, otherwise: Vec3) -> Vec3 {
    let square = v.dot(v);
    if square > 1e-30 && square < 1e30 {
        return v * (1.0 / square.sqrt());
    }
    let most = v.abs().max_element();
    if !(most > 0.0 && most < f32::INFINITY) {
        return otherwise;
    }
    let v = v / most;
    v * (1.0 / v.dot(v).sqrt())
}

/// The whole number below.
#[inline(always)]
pub(crate) fn floor(value: f32) -> f32 {
    // Beyond this there are no fractions.
    if !(value > -8_388_608.0 && value < 8_388_608.0) {
        return value;
    }
    let whole = value as i32 as f32;
    if whole > value { whole - 1.0 } else { whole }
}

/// The logarithm to base 2 of a positive number, to three digits behind the point.
#[inline]
pub(crate) fn log2(value: f32) -> f32 {
    let bits = value.max(f32::MIN_POSITIVE).to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let m = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000) - 1.0;
    let curve = m * (1.440_1 + m * (-0.675_2 + m * (0.318_6 - m * 0.083_5)));
    exponent as f32 + curve
}

/// `(1 - x)⁵`, of what is between 0 and 1.
#[inline]
pub(crate) fn fifth_below_one(x: f32) -> f32 {
    let rest = (1.0 - x).clamp(0.0, 1.0);
    let square = rest * rest;
    square * square * rest
}

#[inline]
pub(crate) fn mix(a: f32, b: f32, part: f32) -> f32 {
    a + (b - a) * part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_close_enough_for_mip_levels() {
        for step in 1..2000 {
            let value = step as f32 * 0.01;
            assert!((log2(value) - value.log2()).abs() < 2e-3, "{value}");
        }
    }

    #[test]
    fn whole_numbers_below() {
        for value in [-2.0, -1.5, -0.25, 0.0, 0.75, 3.0, 1e30, -1e30, 8_388_607.5] {
            assert_eq!(floor(value), f32::floor(value));
        }
        assert!(floor(f32::NAN).is_nan());
    }

    #[test]
    fn transforms_are_those_of_matrices() {
        let rotation = Quat::from_xyzw(0.1, -0.5, 0.3, 0.8).normalize();
        let (translation, scale) = (Vec3::new(1.0, -2.0, 3.0), Vec3::new(2.0, 0.5, -1.5));
        let ours = Affine::from_parts(translation, rotation, scale);
        let theirs = Mat4::from_scale_rotation_translation(scale, rotation, translation);
        assert!(ours.matrix().abs_diff_eq(theirs, 1e-6));
        assert!(ours.after(&ours).matrix().abs_diff_eq(theirs * theirs, 1e-5));
        assert!(ours.mirrors());
        let normal = unit_or(ours.normal(Vec3::X), Vec3::ZERO);
        let expected = theirs.inverse().transpose().transform_vector3(Vec3::X).normalize();
        assert!(normal.abs_diff_eq(expected, 1e-6));
    }
}
