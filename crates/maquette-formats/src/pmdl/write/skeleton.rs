//! The joints of the skin as bones: positions in the skin's list are positions in the file's.

use super::super::raw::{Bone, Dialect};
use super::super::read::bound;
use super::cannot;
use crate::format::Result;
use crate::rules::matrices::MatrixOrder;
use maquette_scene::loss::{LossReport, Lost, subject};
use maquette_scene::scene::{Node, Skin};
use maquette_scene::{Handle, Scene};
use std::borrow::Cow;
use std::collections::HashMap;

/// How far a joint may rest from where it is bound, for its size, before the rest pose counts as lost.
const REST_TOLERANCE: f32 = 1e-4;

/// The bones; none in a dialect that has no bones.
pub(super) fn write<'s>(
    scene: &'s Scene,
    skin: Option<&Skin>,
    dialect: Dialect,
    losses: &mut LossReport,
) -> Result<Vec<Bone<'s>>> {
    let Some(skin) = skin else { return Ok(Vec::new()) };
    if dialect == Dialect::Engine20 {
        let detail = "the dialect engine-20 has no bones";
        losses.dropped(Lost::Joints, "the skeleton", detail, skin.joints.len() as u64);
        return Ok(Vec::new());
    }
    let parents = scene.parents();
    let index_of: HashMap<Handle<Node>, usize> = skin.joints.iter().copied().zip(0..).collect();
    let mut bones = Vec::with_capacity(skin.joints.len());
    let [mut hung, mut moved] = [0, 0];
    for (index, (joint, joint_from_mesh)) in skin.joints.iter().zip(&skin.joint_from_mesh).enumerate() {
        let node = scene.nodes.get(*joint).ok_or_else(|| cannot("a joint is no node of the scene"))?;
        let parent = parents.get(joint.index()).copied().flatten();
        let called = || subject("joint", index, &node.name);
        let parent = match parent.map(|parent| index_of.get(&parent).copied()) {
            None => None,
            Some(Some(parent)) if parent < index => Some(parent),
            Some(Some(_)) => return Err(cannot(format!("{} comes before its parent", called()))),
            Some(None) => return Err(cannot(format!("the parent of {} is no joint", called()))),
        };
        let above = parent.and_then(|parent| skin.joint_from_mesh.get(parent));
        let rest = node.transform.matrix();
        let size = rest.to_cols_array().into_iter().fold(1.0f32, |size, x| size.max(x.abs()));
        let at_rest = bound(above, joint_from_mesh).is_some_and(|bound| bound.abs_diff_eq(rest, size * REST_TOLERANCE));
        moved += u64::from(!at_rest);
        hung += u64::from(parent.is_some());
        let matrix = match dialect.matrix_order() {
            MatrixOrder::ColumnMajor => *joint_from_mesh,
            MatrixOrder::RowMajor => joint_from_mesh.transpose(),
        };
        let number = if dialect == Dialect::Document { Some(index) } else { parent };
        bones.push(Bone {
            id_or_parent: number.and_then(|number| i32::try_from(number).ok()).unwrap_or(-1).into(),
            offset_matrix: matrix.to_cols_array().map(Into::into),
            name: Cow::Borrowed(node.name.as_bytes()),
        });
    }
    let detail = "joints rest elsewhere than where they are bound, which is all the file knows of a rest pose";
    losses.dropped(Lost::RestPoses, "the skeleton", detail, moved);
    let flat = if dialect == Dialect::Document { hung } else { 0 };
    losses.dropped(Lost::Hierarchy, "the skeleton", "the document's bones have no parents", flat);
    Ok(bones)
}
