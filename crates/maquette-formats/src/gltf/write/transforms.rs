//! Node transforms as glTF takes them: a matrix that can be decomposed, or translation, rotation and scale (TRS) with a unit quaternion.
//!
//! A matrix with shear is a rotation, a scale along the axes and another rotation, so it is written as two nodes, parent and child.

use crate::gltf::rotation;
use maquette_scene::glam::{Mat3, Mat4, Quat, Vec3, Vec4};
use maquette_scene::scene::{Transform, Trs};

/// A transform, ready to be written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeTransform {
    /// As a matrix, untouched.
    Matrix(Mat4),
    /// As TRS.
    Trs(Trs),
    /// As TRS of a parent, and a rotation of its child.
    Nested(Trs, Quat),
}

/// A transform, how far it is from what it was, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adapted {
    /// What is written: matrix or translation, rotation and scale.
    pub transform: NodeTransform,
    /// What was done with it.
    pub change: Change,
    /// The largest difference of an element of the matrix, or of the length of the quaternion.
    pub error: f32,
}

/// What was done with a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    None,
    /// Its quaternion was brought to unit length.
    Normalised,
    /// Its matrix was decomposed into TRS.
    Decomposed,
}

/// The transform of a node that clips animate, which must be TRS.
pub fn moving(local: &Transform) -> Adapted {
    match local {
        Transform::Trs(trs) => unit(*trs),
        Transform::Matrix(matrix) => {
            let trs = unit(Trs::from_matrix(*matrix));
            Adapted { change: Change::Decomposed, error: difference(matrix, &local_matrix(trs.transform)), ..trs }
        }
    }
}

/// The transform of a node that no clip animates.
pub fn resting(local: &Transform) -> Adapted {
    let matrix = match local {
        Transform::Trs(trs) => return unit(*trs),
        Transform::Matrix(matrix) => matrix,
    };
    let trs = Trs::from_matrix(*matrix);
    let error = difference(matrix, &trs.matrix());
    let largest = linear(matrix).to_cols_array().into_iter().fold(0.0, |most: f32, x| most.max(x.abs()));
    // The validator decomposes the matrix in floats and compares with fixed bounds, which large elements never meet.
    if is_affine(matrix) && error < 1e-5 && largest < 16.0 && matrix.determinant().abs() > 1e-12 {
        return Adapted { transform: NodeTransform::Matrix(*matrix), change: Change::None, error: 0.0 };
    }
    if error <= 1e-5 * largest {
        let trs = unit(trs);
        return Adapted { change: Change::Decomposed, error: difference(matrix, &local_matrix(trs.transform)), ..trs };
    }
    let transform = nested(matrix);
    if !local_matrix(transform).is_finite() {
        // The squares of very large elements overflow.
        return moving(local);
    }
    Adapted { transform, change: Change::Decomposed, error: difference(matrix, &local_matrix(transform)) }
}

fn local_matrix(transform: NodeTransform) -> Mat4 {
    match transform {
        NodeTransform::Matrix(matrix) => matrix,
        NodeTransform::Trs(trs) => trs.matrix(),
        NodeTransform::Nested(trs, inner) => trs.matrix() * Mat4::from_quat(inner),
    }
}

fn is_affine(matrix: &Mat4) -> bool {
    matrix.row(3) == Vec4::W
}

fn linear(matrix: &Mat4) -> Mat3 {
    Mat3::from_mat4(*matrix)
}

/// The largest difference of the rows that an affine transform has.
fn difference(one: &Mat4, other: &Mat4) -> f32 {
    let apart = [0, 1, 2].map(|row| (one.row(row) - other.row(row)).abs().max_element());
    apart.into_iter().fold(0.0, f32::max)
}

/// TRS with a unit quaternion.
fn unit(trs: Trs) -> Adapted {
    let (rotation, error) = rotation::unit(trs.rotation.to_array());
    let trs = Trs { rotation: Quat::from_array(rotation), ..trs };
    let change = if error > 0.0 { Change::Normalised } else { Change::None };
    Adapted { transform: NodeTransform::Trs(trs), change, error }
}

/// The singular value decomposition: any linear map is a rotation, a scale along the axes and another rotation.
fn nested(matrix: &Mat4) -> NodeTransform {
    let linear = linear(matrix);
    let inner = Quat::from_mat3(&untangled(linear)).normalize();
    let axes = Mat3::from_quat(inner);
    let images = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| linear * axis);
    let (outer, scale) = frame(images);
    let rotation = Quat::from_mat3(&outer).normalize();
    NodeTransform::Nested(Trs { translation: matrix.w_axis.truncate(), rotation, scale }, inner.conjugate())
}

/// A right-handed frame along three perpendicular vectors, some of which may be zero, and their lengths.
fn frame([x, y, z]: [Vec3; 3]) -> (Mat3, Vec3) {
    let largest = x.length().max(y.length()).max(z.length());
    let axis = |vector: Vec3| (vector.length() > largest * 1e-6).then(|| vector.normalize());
    let across = |axis: Vec3| axis.any_orthonormal_vector();
    let (x_axis, y_axis) = match (axis(x), axis(y), axis(z)) {
        (Some(x), Some(y), _) => (x, y),
        (Some(x), None, Some(z)) => (x, z.cross(x)),
        (None, Some(y), Some(z)) => (y.cross(z), y),
        (Some(x), None, None) => (x, across(x)),
        (None, Some(y), None) => (across(y), y),
        (None, None, Some(z)) => (across(z), z.cross(across(z))),
        (None, None, None) => (Vec3::X, Vec3::Y),
    };
    let y_axis = (y_axis - x_axis * x_axis.dot(y_axis)).normalize();
    let z_axis = x_axis.cross(y_axis);
    // Along the frame, so that a mirror is a negative length.
    (Mat3::from_cols(x_axis, y_axis, z_axis), Vec3::new(x_axis.dot(x), y_axis.dot(y), z_axis.dot(z)))
}

/// The rotation whose axes a linear map leaves perpendicular, by the one-sided Jacobi method.
fn untangled(linear: Mat3) -> Mat3 {
    let (mut images, mut axes) = (linear, Mat3::IDENTITY);
    for _ in 0..12 {
        for (first, second) in [(0, 1), (0, 2), (1, 2)] {
            let (one, other) = (images.col(first), images.col(second));
            let lean = one.dot(other);
            if lean.abs() <= 1e-7 * one.length() * other.length() {
                continue;
            }
            let (sin, cos) = (0.5 * (2.0 * lean).atan2(one.length_squared() - other.length_squared())).sin_cos();
            for matrix in [&mut images, &mut axes] {
                let (one, other) = (matrix.col(first), matrix.col(second));
                *matrix.col_mut(first) = one * cos + other * sin;
                *matrix.col_mut(second) = other * cos - one * sin;
            }
        }
    }
    axes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheared_and_flattened_matrices_are_two_rotations_and_a_scale() {
        let shear = Mat4::from_cols(
            Vec4::new(2.0, 0.0, 0.0, 0.0),
            Vec4::new(0.7, 1.0, 0.0, 0.0),
            Vec4::new(0.0, -0.4, 3.0, 0.0),
            Vec4::new(5.0, 6.0, 7.0, 1.0),
        );
        let rotated =
            Mat4::from_rotation_y(1.0) * Mat4::from_scale(Vec3::new(1.0, 2.0, -3.0)) * Mat4::from_rotation_x(0.4);
        let flat = Mat4::from_rotation_z(0.3) * Mat4::from_scale(Vec3::new(2.0, 0.0, 3.0));
        let line = Mat4::from_rotation_z(0.3) * Mat4::from_scale(Vec3::new(0.0, 0.0, 3.0));
        for matrix in [shear, rotated, flat, line, shear * rotated, Mat4::from_scale(Vec3::ZERO)] {
            let adapted = resting(&Transform::Matrix(matrix));
            let NodeTransform::Nested(trs, inner) = adapted.transform else {
                assert!(adapted.error < 1e-5, "{adapted:?}");
                continue;
            };
            assert!((trs.matrix() * Mat4::from_quat(inner)).abs_diff_eq(matrix, 1e-5), "{matrix} {adapted:?}");
            assert!(adapted.error < 1e-5);
        }
    }

    #[test]
    fn plain_matrices_stay_and_large_ones_become_trs() {
        let small =
            Mat4::from_scale_rotation_translation(Vec3::splat(2.0), Quat::from_rotation_y(0.5), Vec3::splat(1e6));
        assert_eq!(resting(&Transform::Matrix(small)).transform, NodeTransform::Matrix(small));
        let large = Mat4::from_scale_rotation_translation(Vec3::splat(100.0), Quat::from_rotation_y(0.5), Vec3::ONE);
        let adapted = resting(&Transform::Matrix(large));
        assert!(matches!(adapted.transform, NodeTransform::Trs(_)), "{adapted:?}");
        assert_eq!(adapted.change, Change::Decomposed);
    }
}
