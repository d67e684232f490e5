//! Nodes and bones.

use super::{aabb, matrix, refuse};
use crate::format::{ReadOptions, Result, Size};
use crate::nlm::check::{CHILD_OUT_OF_RANGE, NODE_CYCLE, NODE_NOT_FINITE, NODE_TWO_PARENTS, OFFSET_NOT_FINITE};
use crate::nlm::hierarchy::Links;
use crate::nlm::raw::{Animation, File};
use crate::nlm::unit_size::UnitSize;
use crate::rules::parents::cycles;
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::scene::{Node, Skin, Transform};
use maquette_scene::{Handle, Scene};
use std::collections::HashMap;

/// The nodes and bones of a file, in a scene.
pub struct Skeleton {
    /// Its skin, if it has bones.
    pub skin: Option<Handle<Skin>>,
    /// The joints by the index that vertices use.
    pub joints: HashMap<i32, u32>,
    /// Nodes by id.
    pub ids: Ids,
}

/// The nodes of each id. Nodes of one name have one id in the engine's files, so there may be several.
pub struct Ids(Vec<(i32, usize)>);

impl Ids {
    fn of(animation: &Animation<'_>) -> Ids {
        let mut ids: Vec<_> = animation.nodes.iter().enumerate().map(|(at, node)| (node.id.get(), at)).collect();
        ids.sort_unstable();
        Ids(ids)
    }

    /// The positions of the nodes with this id, rising.
    pub fn nodes(&self, id: i32) -> impl ExactSizeIterator<Item = usize> + '_ {
        let from = self.0.partition_point(|&(other, _)| other < id);
        let to = self.0.partition_point(|&(other, _)| other <= id);
        self.0.get(from..to).unwrap_or_default().iter().map(|&(_, at)| at)
    }
}

/// Reads the nodes, which must be the first of the scene, and the skin.
pub fn read(
    file: &File<'_>,
    animation: &Animation<'_>,
    options: &ReadOptions<'_>,
    scene: &mut Scene,
    losses: &mut LossReport,
) -> Result<Skeleton> {
    nodes(file, animation, options, scene)?;
    if options.size == Size::Original {
        restore_root(file, scene);
    }
    let ids = Ids::of(animation);
    let (skin, joints) = bones(file, animation, &ids, options, losses)?;
    let skin = (!skin.joints.is_empty()).then(|| scene.skins.push(skin));
    Ok(Skeleton { skin, joints, ids })
}

fn nodes(file: &File<'_>, animation: &Animation<'_>, options: &ReadOptions<'_>, scene: &mut Scene) -> Result<()> {
    let links = Links::of(&animation.nodes);
    let mut parents: Vec<Option<usize>> = vec![None; animation.nodes.len()];
    for (index, node) in animation.nodes.iter().enumerate() {
        let local = matrix(&node.transformation, options);
        if !local.is_finite() {
            return Err(refuse(file, &NODE_NOT_FINITE));
        }
        let mut children = Vec::with_capacity(node.children.len());
        for entry in node.children.iter() {
            let target = links.child(entry.get()).target().ok_or_else(|| refuse(file, &CHILD_OUT_OF_RANGE))?;
            children.push(Handle::from_index(target));
            match parents.get_mut(target) {
                Some(parent @ None) => *parent = Some(index),
                _ => return Err(refuse(file, &NODE_TWO_PARENTS)),
            }
        }
        scene.nodes.push(Node { transform: Transform::Matrix(local), children, ..Node::default() });
    }
    let parentless = parents.iter().enumerate().filter(|(_, parent)| parent.is_none());
    scene.roots.extend(parentless.map(|(at, _)| Handle::<Node>::from_index(at)));
    match cycles(parents.len(), |index| parents.get(index).copied().flatten()).is_empty() {
        true => Ok(()),
        false => Err(refuse(file, &NODE_CYCLE)),
    }
}

/// The first node is the root, and brings the model to unit size.
fn restore_root(file: &File<'_>, scene: &mut Scene) {
    let Some(unit_size) = UnitSize::of(aabb(file)) else { return };
    let Some(root) = scene.nodes.iter_mut().next() else { return };
    let matrix = root.transform.matrix();
    if unit_size.is_in_root(matrix) {
        root.transform = Transform::Matrix(unit_size.undo_in_root(matrix));
    }
}

/// The bones by rising index. Where several have one index, the last node in the list has it, as in the engine.
fn bones(
    file: &File<'_>,
    animation: &Animation<'_>,
    ids: &Ids,
    options: &ReadOptions<'_>,
    losses: &mut LossReport,
) -> Result<(Skin, HashMap<i32, u32>)> {
    let nodes = animation.bone_info.iter().map(|bone| (bone, ids.nodes(bone.node_id.get()).last()));
    let mut bones: Vec<_> = nodes.filter_map(|(bone, node)| Some((bone.bone_index.get(), node?, bone))).collect();
    bones.sort_by_key(|&(index, node, _)| (index, node));
    let without_node = animation.bone_info.len() - bones.len();
    losses.dropped(Lost::Joints, "the skeleton", "their nodes do not exist", without_node as u64);
    let mut skin = Skin::default();
    let mut joints = HashMap::new();
    for (index, node, bone) in bones {
        let joint_from_mesh = matrix(&bone.offset_matrix, options);
        if !joint_from_mesh.is_finite() {
            return Err(refuse(file, &OFFSET_NOT_FINITE));
        }
        joints.insert(index, skin.joints.len() as u32);
        skin.joints.push(Handle::from_index(node));
        skin.joint_from_mesh.push(joint_from_mesh);
    }
    let shadowed = skin.joints.len() - joints.len();
    losses.dropped(
        Lost::Joints,
        "the skeleton",
        "another bone has the same, and vertices follow that one",
        shadowed as u64,
    );
    Ok((skin, joints))
}
