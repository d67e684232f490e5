//! From a pose to the matrices that a shader takes.

use crate::handle::OutMatrices;
use crate::layout::Joint;
use crate::model::Model;
use glam::Mat4;
use maquette_anim::Transform;
use maquette_anim::clip::Cursor;

/// Memory that playing takes.
#[derive(Default)]
pub struct Scratch {
    cursor: Cursor,
    pose: Vec<Transform>,
    model_from_joint: Vec<Mat4>,
}

/// Writes the palette of an animation at a moment; of one that does not exist, the bind pose.
pub fn evaluate(model: &Model, animation: Option<u32>, secs: f32, out: OutMatrices<'_>) {
    let Some(clip) = animation.and_then(|animation| model.clip(animation)) else {
        return put_bind_pose(model.joints().len(), out);
    };
    model.with_scratch(|scratch| {
        scratch.pose.clear();
        scratch.pose.resize(model.joints().len(), Transform::IDENTITY);
        clip.sample(&mut scratch.cursor, secs, &mut scratch.pose);
        place(model, &scratch.pose, &mut scratch.model_from_joint);
        put_palette(model, &scratch.model_from_joint, out);
    });
}

/// Where each joint of a pose is in the model.
pub fn place(model: &Model, pose: &[Transform], model_from_joint: &mut Vec<Mat4>) {
    model_from_joint.clear();
    model_from_joint.resize(pose.len(), Mat4::IDENTITY);
    model.skeleton().model_from_joints(pose, model_from_joint);
}

/// Writes what takes each vertex from where it was bound to where it is, by the inverse bind matrices as the program has them now.
pub fn put_palette(model: &Model, model_from_joint: &[Mat4], out: OutMatrices<'_>) {
    let palette = model_from_joint.iter().zip(model.joints().iter());
    out.put(palette.map(|(placed, joint)| (*placed * inverse_bind(&joint)).to_cols_array()));
}

/// Nothing moves: every vertex is where it was bound.
pub fn put_bind_pose(joint_count: usize, out: OutMatrices<'_>) {
    out.put(std::iter::repeat_n(Mat4::IDENTITY.to_cols_array(), joint_count));
}

pub fn inverse_bind(joint: &Joint) -> Mat4 {
    Mat4::from_cols_array(&joint.inverse_bind_matrix)
}
