//! Skins: joints, each once, and their inverse bind matrices.

use super::buffer::{Bounds, Kind, Purpose};
use super::nodes::{Nodes, added};
use super::plan::Plan;
use super::{Draft, Tally, extras, name};
use crate::format::{Error, Result};
use crate::gltf::schema;
use maquette_scene::glam::{Mat4, Vec4};
use maquette_scene::loss::{LossKind, Lost, subject};
use maquette_scene::scene::Skin;

/// Adds all skins that have joints.
pub fn build(draft: &mut Draft<'_>, plan: &Plan) -> Result<()> {
    let scene = draft.scene;
    if scene.skins.iter().any(|skin| !skin.joints.is_empty()) {
        draft.buffer.begin(Purpose::Other);
    }
    for (index, skin) in scene.skins.iter().enumerate() {
        let subject = subject("skin", index, &skin.name);
        if skin.joints.is_empty() {
            draft.losses.dropped(Lost::Skins, subject, "it has no joints", 1);
            continue;
        }
        let still = plan.root.filter(|_| plan.still.get(index) == Some(&true)).map(|root| root.index);
        let count = skin.joints.len() + usize::from(still.is_some());
        if count > usize::from(u16::MAX) + 1 {
            return Err(Error::CannotHold(format!("{subject} has {count} joints; glTF holds 65536")));
        }
        let made = self::skin(draft, skin, &subject, still);
        draft.document.skins.push(made);
    }
    Ok(())
}

/// Adds a skin for the guessed skeleton of clips without a model, after all others. Nothing is drawn with it, but programs such as Blender take
/// its joints for the bones of an armature. More than a skin holds stay plain nodes.
pub fn add_guessed(draft: &mut Draft<'_>, nodes: &Nodes<'_>) {
    let Some(root) = nodes.skeleton.filter(|_| nodes.named.len() <= usize::from(u16::MAX) + 1) else { return };
    let mut joints: Vec<usize> = nodes.named.values().copied().collect();
    joints.sort_unstable();
    let name = draft.document.nodes.get(root).and_then(|root| root.name.clone());
    draft.document.skins.push(schema::Skin { name, joints, skeleton: Some(root), ..schema::Skin::default() });
}

fn skin(draft: &mut Draft<'_>, skin: &Skin, subject: &str, still: Option<usize>) -> schema::Skin {
    let mut joints = joints(draft, skin, subject);
    let mut projective = Tally::default();
    let mut matrices: Vec<f32> = Vec::with_capacity(16 * (joints.len() + 1));
    for matrix in &skin.joint_from_mesh {
        let last = matrix.row(3);
        let error = (last - Vec4::W).abs().max_element();
        // An inverse that was computed is off by rounding, which is no loss.
        if error > 1e-6 || error.is_nan() {
            projective.note(error);
        }
        matrices.extend(affine(*matrix).to_cols_array());
    }
    projective.report(draft.losses, Lost::BindPoses, subject, "the last row made 0, 0, 0, 1");
    if let Some(root) = still {
        joints.push(root);
        matrices.extend(Mat4::IDENTITY.to_cols_array());
    }
    schema::Skin {
        name: name(&skin.name),
        inverse_bind_matrices: Some(draft.buffer.floats(Kind::Mat4, matrices, Bounds::Unstated)),
        joints,
        ..schema::Skin::default()
    }
}

/// The nodes of the joints. For a node that is listed again, a child with the identity transform stands in.
fn joints(draft: &mut Draft<'_>, skin: &Skin, subject: &str) -> Vec<usize> {
    let mut joints = Vec::with_capacity(skin.joints.len());
    let mut seen = std::collections::HashSet::new();
    let mut again = 0;
    for joint in &skin.joints {
        if seen.insert(joint.index()) {
            joints.push(joint.index());
            continue;
        }
        again += 1;
        let nodes = &mut draft.document.nodes;
        let index = nodes.len();
        let Some(node) = nodes.get_mut(joint.index()) else { continue };
        node.children.push(index);
        let twin = schema::Node {
            name: node.name.clone(),
            extras: extras::with_ours(None, added("joint")),
            ..schema::Node::default()
        };
        nodes.push(twin);
        joints.push(index);
    }
    let detail = "listed more than once: a child with the identity transform stands for each repeat";
    draft.losses.push(LossKind::Baked, Lost::Joints, subject, detail, again);
    joints
}

fn affine(matrix: Mat4) -> Mat4 {
    let [x, y, z, w] = [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis].map(|column| column.truncate());
    Mat4::from_cols(x.extend(0.0), y.extend(0.0), z.extend(0.0), w.extend(1.0))
}
