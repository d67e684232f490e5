//! Where skinned vertices stand in a file that knows no rest pose.
//!
//! Joints move vertices from the space they were bound in, which may be any: often one of an armature that lies on its back. A format without rest poses shows
//! vertices as they are stored until a clip moves them. One transform before all binding matrices, and undone in them, changes nothing of what joints do, so it is free
//! to be the one that brings the vertices to where they rest: wholly where all joints rest as they were bound, else as nearly as one transform can.

use maquette_scene::glam::{Mat3, Mat4, Vec3};
use maquette_scene::scene::Skin;

/// How far two matrices may be apart to be taken for the same, as a part of what went into them.
const SAME: f32 = 4e-6;
/// How far from each other the sizes along the axes may be, and how far from a right angle the axes: vertices are not bent.
const BENT: f32 = 1e-3;
/// So many times the size of the skeleton a model may be moved; further away its vertices would be rounded.
const FURTHEST: f32 = 16.0;
/// Joints whose transforms are tried.
const TRIED: usize = 32;

/// What moves all vertices of a skin, and the matrices that bind them then.
pub struct Stand {
    pub standing_from_mesh: Mat4,
    pub joint_from_standing: Vec<Mat4>,
}

/// A joint as it rests and as it was bound.
struct Joint {
    /// What the joint does to its vertices at rest.
    rest_from_mesh: Mat4,
    bound_at: Vec3,
    rests_at: Vec3,
    /// What was multiplied for that, for rounding.
    size: f32,
}

impl Stand {
    pub fn new(skin: &Skin, rest_world_from_node: &[Mat4]) -> Stand {
        let joints: Vec<Joint> = skin
            .joints
            .iter()
            .zip(&skin.joint_from_mesh)
            .filter_map(|(joint, from_mesh)| Joint::new(*rest_world_from_node.get(joint.index())?, *from_mesh))
            .collect();
        let moved = nearest(&joints).and_then(|standing_from_mesh| {
            let back = standing_from_mesh.as_dmat4().inverse();
            let bind = |matrix: &Mat4| Some((matrix.as_dmat4() * back).as_mat4()).filter(Mat4::is_finite);
            let joint_from_standing: Option<Vec<Mat4>> = skin.joint_from_mesh.iter().map(bind).collect();
            Some(Stand { standing_from_mesh, joint_from_standing: joint_from_standing? })
        });
        let as_bound =
            || Stand { standing_from_mesh: Mat4::IDENTITY, joint_from_standing: skin.joint_from_mesh.clone() };
        moved.unwrap_or_else(as_bound)
    }
}

impl Joint {
    fn new(rest: Mat4, from_mesh: Mat4) -> Option<Joint> {
        let rest_from_mesh = rest * from_mesh;
        let bound_at = from_mesh.as_dmat4().inverse().w_axis.truncate().as_vec3();
        let size = 1.0 + largest(rest) * largest(from_mesh);
        let joint = Joint { rest_from_mesh, bound_at, rests_at: rest.w_axis.truncate(), size };
        (rest_from_mesh.is_finite() && bound_at.is_finite() && size.is_finite()).then_some(joint)
    }

    fn is(&self, matrix: Mat4) -> bool {
        self.rest_from_mesh.abs_diff_eq(matrix, SAME * self.size)
    }
}

/// The transform of a joint that brings all of them nearest to where they rest; `None` where they are best left where they are.
fn nearest(joints: &[Joint]) -> Option<Mat4> {
    let first = joints.first()?;
    let reach = joints.iter().map(|joint| joint.bound_at.distance(first.bound_at)).fold(0.0, f32::max);
    let is_fit = |matrix: &Mat4| {
        let square = Mat3::from_mat4(*matrix).transpose() * Mat3::from_mat4(*matrix);
        let scale = square.x_axis.x;
        let is_similar = scale.is_normal() && (square * scale.recip()).abs_diff_eq(Mat3::IDENTITY, BENT);
        let centre = joints.iter().map(|joint| matrix.transform_point3(joint.bound_at).length());
        let span = reach * scale.sqrt();
        is_similar && (span == 0.0 || centre.fold(0.0, f32::max) <= FURTHEST * span)
    };
    if joints.iter().all(|joint| joint.is(first.rest_from_mesh)) {
        return Some(first.rest_from_mesh).filter(|matrix| !first.is(Mat4::IDENTITY) && is_fit(matrix));
    }
    let off = |matrix: &Mat4| {
        let apart = |joint: &Joint| matrix.transform_point3(joint.bound_at).distance_squared(joint.rests_at);
        joints.iter().map(|joint| f64::from(apart(joint))).sum::<f64>()
    };
    let tried = joints.iter().step_by(joints.len().div_ceil(TRIED)).map(|joint| joint.rest_from_mesh).filter(is_fit);
    let best = tried.map(|matrix| (off(&matrix), matrix)).min_by(|(one, _), (other, _)| one.total_cmp(other));
    best.filter(|(best, _)| *best < off(&Mat4::IDENTITY)).map(|(_, matrix)| matrix)
}

fn largest(matrix: Mat4) -> f32 {
    matrix.to_cols_array().into_iter().map(f32::abs).fold(0.0, f32::max)
}
