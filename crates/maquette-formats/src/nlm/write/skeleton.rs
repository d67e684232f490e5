//! Joints as nodes and bones.

use super::{cannot_hold, clip};
use crate::format::{QuaternionOrder, Result};
use crate::nlm::raw::{Animation, BoneInfo, Node};
use maquette_scene::glam::Mat4;
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::{Handle, Scene, scene};
use std::borrow::Cow;
use zerocopy::little_endian::{F32, I32};

/// The numbers of nodes in the file.
pub struct Numbers {
    /// By position in the scene; meshes have none.
    of_node: Vec<Option<i32>>,
    /// The nodes in file order; nothing for a root that the scene does not have.
    order: Vec<Option<Handle<scene::Node>>>,
}

impl Numbers {
    /// Parents before children, and the root first.
    fn of(scene: &Scene) -> Numbers {
        let is_node = |handle: &Handle<scene::Node>| scene.nodes.get(*handle).is_some_and(|node| node.mesh.is_none());
        let nodes: Vec<_> = scene.nodes_parents_first().into_iter().filter(is_node).collect();
        let parents = scene.parents();
        let is_root = |node: &&Handle<scene::Node>| parents.get(node.index()).is_none_or(Option::is_none);
        let one_root = nodes.iter().filter(is_root).count() == 1;
        let added = if one_root { None } else { Some(None) };
        let order: Vec<_> = added.into_iter().chain(nodes.into_iter().map(Some)).collect();
        let mut of_node = vec![None; scene.nodes.len()];
        for (number, node) in (0..).zip(&order) {
            if let Some(slot) = node.and_then(|node| of_node.get_mut(node.index())) {
                *slot = Some(number);
            }
        }
        Numbers { of_node, order }
    }

    /// The number of a node.
    pub fn get(&self, node: Handle<scene::Node>) -> Option<i32> {
        self.of_node.get(node.index()).copied().flatten()
    }
}

/// The animation section: there is one if there are joints or keys.
pub fn write(scene: &Scene, order: QuaternionOrder, losses: &mut LossReport) -> Result<Option<Animation<'static>>> {
    let joints = scene.skins.iter().map(|skin| skin.joints.len()).sum::<usize>();
    let motion = clip::check(scene, losses)?;
    let numbers = Numbers::of(scene);
    if joints == 0 && motion.is_none() {
        let nodes = numbers.order.iter().flatten().count();
        losses.dropped(Lost::Nodes, "the model", "without a skeleton there are none", nodes as u64);
        return Ok(None);
    }
    if i32::try_from(numbers.order.len()).is_err() {
        return cannot_hold("NLM counts nodes in 31 bits, and there are more");
    }
    if numbers.order.first() == Some(&None) {
        let detail = "the format has one, so those of the scene are put below another";
        losses.push(LossKind::Baked, Lost::Hierarchy, "the skeleton", detail, 1);
    }
    let clip = match motion {
        Some(motion) => clip::write(scene, &motion, &numbers, order, losses)?,
        None => clip::still(scene, losses),
    };
    Ok(Some(Animation {
        duration: clip.duration.into(),
        ticks_per_second: clip.rate.into(),
        bone_info: bone_info(scene, &numbers)?,
        bones: clip.bones,
        nodes: nodes(scene, &numbers),
    }))
}

fn nodes(scene: &Scene, numbers: &Numbers) -> Vec<Node<'static>> {
    let parents = scene.parents();
    let is_root = |node: &Handle<scene::Node>| parents.get(node.index()).is_none_or(Option::is_none);
    let write = |(id, handle): (i32, &Option<Handle<scene::Node>>)| {
        let node = handle.and_then(|handle| scene.nodes.get(handle));
        let children: Vec<Handle<scene::Node>> = match node {
            Some(node) => node.children.clone(),
            None => numbers.order.iter().copied().flatten().filter(is_root).collect(),
        };
        let matrix = node.map_or(Mat4::IDENTITY, |node| node.transform.matrix());
        Node {
            id: id.into(),
            transformation: matrix.to_cols_array().map(F32::new),
            children: children.into_iter().filter_map(|child| numbers.get(child)).map(I32::new).collect(),
        }
    };
    (0..).zip(&numbers.order).map(write).collect()
}

/// By rising node, so that the same scene gives the same file; the index of a bone is the position of its joint.
fn bone_info(scene: &Scene, numbers: &Numbers) -> Result<Cow<'static, [BoneInfo]>> {
    let mut bones = Vec::new();
    for skin in scene.skins.iter() {
        for (index, (&joint, offset)) in (0..).zip(skin.joints.iter().zip(&skin.joint_from_mesh)) {
            let Some(node) = numbers.get(joint) else { return cannot_hold("a joint carries a mesh") };
            bones.push(BoneInfo {
                node_id: node.into(),
                offset_matrix: offset.to_cols_array().map(F32::new),
                bone_index: I32::new(index),
            });
        }
    }
    bones.sort_by_key(|bone| bone.node_id.get());
    Ok(bones.into())
}
