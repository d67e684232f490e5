//! Vertices moved by a palette, on the processor.
//!
//! Four matrices of the palette are mixed by the weights of a vertex; positions are moved by the mix, tangents turned by it, and normals by its
//! cofactors, which keep them upright on surfaces that are stretched. Normals and tangents come out of unit length.

use glam::{Mat4, Vec3A, Vec4};

/// The vertices of a mesh as it was bound. Each list is as long as the positions, or empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vertices<'m> {
    /// Where they are.
    pub positions: &'m [[f32; 3]],
    /// Of unit length.
    pub normals: &'m [[f32; 3]],
    /// Of unit length, and which way the bitangent points: 1 or -1.
    pub tangents: &'m [[f32; 4]],
    /// Into the palette.
    pub joints: &'m [[u16; 4]],
    /// How much of each; their sum should be 1.
    pub weights: &'m [[f32; 4]],
}

/// Where they go. Lists that are shorter than what there is take as many as fit; empty ones are not made.
#[derive(Debug, Default)]
pub struct Skinned<'m> {
    /// Where they are now.
    pub positions: &'m mut [[f32; 3]],
    /// Of unit length.
    pub normals: &'m mut [[f32; 3]],
    /// Of unit length; the last number stays.
    pub tangents: &'m mut [[f32; 4]],
}

/// Moves vertices. A joint that the palette does not have moves nothing.
pub fn skin(palette: &[Mat4], vertices: &Vertices<'_>, skinned: &mut Skinned<'_>) {
    let bound = vertices.joints.iter().zip(vertices.weights);
    let (wants_normals, wants_tangents) = (!skinned.normals.is_empty(), !skinned.tangents.is_empty());
    for (index, ((joints, weights), (from, to))) in
        bound.zip(vertices.positions.iter().zip(&mut *skinned.positions)).enumerate()
    {
        let mix = mixed(palette, *joints, *weights);
        *to = mix.transform_point(*from);
        if wants_normals && let (Some(from), Some(to)) = (vertices.normals.get(index), skinned.normals.get_mut(index)) {
            *to = unit(mix.upright(*from)).into();
        }
        if wants_tangents
            && let (Some(&[x, y, z, side]), Some(to)) = (vertices.tangents.get(index), skinned.tangents.get_mut(index))
        {
            *to = Vec4::from((unit(mix.turned([x, y, z])), side)).into();
        }
    }
}

/// The upper three rows of a matrix, by columns.
#[derive(Clone, Copy)]
struct Mix {
    x: Vec3A,
    y: Vec3A,
    z: Vec3A,
    w: Vec3A,
}

#[inline(always)]
fn mixed(palette: &[Mat4], joints: [u16; 4], weights: [f32; 4]) -> Mix {
    let [mut x, mut y, mut z, mut w] = [Vec4::ZERO; 4];
    for slot in joints.into_iter().zip(weights) {
        let (joint, weight) = slot;
        if let Some(matrix) = palette.get(usize::from(joint)) {
            let weight = Vec4::splat(weight);
            x += matrix.x_axis * weight;
            y += matrix.y_axis * weight;
            z += matrix.z_axis * weight;
            w += matrix.w_axis * weight;
        }
    }
    Mix { x: Vec3A::from_vec4(x), y: Vec3A::from_vec4(y), z: Vec3A::from_vec4(z), w: Vec3A::from_vec4(w) }
}

impl Mix {
    #[inline(always)]
    fn turned(&self, [x, y, z]: [f32; 3]) -> Vec3A {
        self.x * x + self.y * y + self.z * z
    }

    #[inline(always)]
    fn transform_point(&self, from: [f32; 3]) -> [f32; 3] {
        (self.turned(from) + self.w).into()
    }

    /// A direction that was upright on a surface, upright on it after it is moved; of any length.
    #[inline(always)]
    fn upright(&self, [x, y, z]: [f32; 3]) -> Vec3A {
        self.y.cross(self.z) * x + self.z.cross(self.x) * y + self.x.cross(self.y) * z
    }
}

#[inline(always)]
fn unit(direction: Vec3A) -> Vec3A {
    let square = direction.length_squared();
    if square > f32::MIN_POSITIVE { direction * (1.0 / square.sqrt()) } else { direction }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DMat3, DMat4, DVec3, Quat, Vec3};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn vertices_agree_with_double_precision(scales in prop::array::uniform3(0.2f32..3.0), angle in -3.0f32..3.0, place in prop::array::uniform3(-2.0f32..2.0), weight in 0.0f32..=1.0) {
            let bent = Mat4::from_scale_rotation_translation(scales.into(), Quat::from_rotation_z(angle * 0.5), Vec3::X);
            let palette = [Mat4::IDENTITY, bent];
            let direction = Vec3::new(0.6, 0.0, 0.8);
            let vertices = Vertices {
                positions: &[place],
                normals: &[direction.into()],
                tangents: &[[0.0, 1.0, 0.0, -1.0]],
                joints: &[[1, 0, 9, 0]],
                weights: &[[weight, 1.0 - weight, 0.0, 0.0]],
            };
            let (mut positions, mut normals, mut tangents) = ([[0.0; 3]], [[0.0; 3]], [[0.0; 4]]);
            let mut skinned = Skinned { positions: &mut positions, normals: &mut normals, tangents: &mut tangents };
            skin(&palette, &vertices, &mut skinned);
            let mix = palette[1].as_dmat4() * f64::from(weight) + DMat4::IDENTITY * (1.0 - f64::from(weight));
            let near = |seen: [f32; 3], exact: DVec3| (Vec3::from(seen).as_dvec3() - exact).length() < 1e-5 * (1.0 + exact.length());
            prop_assert!(near(positions[0], mix.transform_point3(Vec3::from(place).as_dvec3())));
            prop_assume!(mix.determinant().abs() > 0.05);
            let upright = DMat3::from_mat4(mix).inverse().transpose() * direction.as_dvec3() * mix.determinant().signum();
            prop_assert!(near(normals[0], upright.normalize()));
            let [x, y, z, side] = tangents[0];
            prop_assert!(near([x, y, z], mix.transform_vector3(DVec3::Y).normalize()));
            prop_assert_eq!(side, -1.0);
        }
    }

    #[test]
    fn what_is_not_there_is_not_made() {
        let vertices = Vertices {
            positions: &[[1.0; 3]; 2],
            joints: &[[0; 4]],
            weights: &[[1.0, 0.0, 0.0, 0.0]],
            ..Vertices::default()
        };
        let (mut positions, mut normals) = ([[9.0; 3]; 2], [[9.0; 3]; 2]);
        skin(
            &[Mat4::IDENTITY],
            &vertices,
            &mut Skinned { positions: &mut positions, normals: &mut normals, tangents: &mut [] },
        );
        assert_eq!((positions, normals), ([[1.0; 3], [9.0; 3]], [[9.0; 3]; 2]));
    }
}
