//! Which nodes are written, in which order, and where they stand.

use super::super::placement;
use super::super::sidecar::Settings;
use super::cannot;
use crate::format::Result;
use maquette_scene::clip::{Clip, Target};
use maquette_scene::glam::Mat4;
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::scene::Node;
use maquette_scene::{Handle, Scene, pose};
use std::collections::HashSet;

/// The tree of the file: the position of a node is its id.
pub(super) struct Tree<'s> {
    pub scene: &'s Scene,
    /// The nodes in file order; none for a root that the scene does not have.
    pub nodes: Vec<Option<Handle<Node>>>,
    /// The parent of each, by its position.
    pub parents: Vec<Option<usize>>,
    pub child_counts: Vec<u32>,
    /// Whether what hangs at it is shown: joints may stand outside of what is.
    pub is_shown: Vec<bool>,
    /// The position of each node of the scene.
    ids: Vec<Option<usize>>,
    /// The node that the JSON file stands for, and what it says.
    pub placement: Option<(Handle<Node>, Settings)>,
    /// Node space to model space at rest, for each node of the scene.
    pub rest: Vec<Mat4>,
}

impl<'s> Tree<'s> {
    pub fn new(scene: &'s Scene, losses: &mut LossReport) -> Result<Tree<'s>> {
        if scene.nodes.is_empty() {
            return Err(cannot("BMW holds models, and the scene has no nodes"));
        }
        let is_target =
            |node: Handle<Node>, clip: &Clip| clip.tracks.iter().any(|track| track.target == Target::Node(node));
        let is_animated = |node: Handle<Node>| scene.clips.iter().any(|clip| is_target(node, clip));
        let placement = placement::find(scene, is_animated);
        let mut tree = Tree {
            scene,
            nodes: Vec::new(),
            parents: Vec::new(),
            child_counts: Vec::new(),
            is_shown: Vec::new(),
            ids: vec![None; scene.nodes.len()],
            placement,
            rest: Vec::new(),
        };
        let locals = scene.nodes.iter().map(|node| node.transform.matrix()).collect();
        tree.rest = tree.worlds(locals);
        tree.gather(losses);
        Ok(tree)
    }

    /// The position of a node in the file.
    pub fn id(&self, node: Handle<Node>) -> Option<usize> {
        self.ids.get(node.index()).copied().flatten()
    }

    /// The node at a position.
    pub fn node(&self, id: usize) -> Option<&'s Node> {
        self.scene.nodes.get(self.nodes.get(id).copied().flatten()?)
    }

    /// Node space to parent space at rest, for a position.
    pub fn local(&self, id: usize) -> Mat4 {
        self.node(id).map_or(Mat4::IDENTITY, |node| node.transform.matrix())
    }

    /// Node space to model space at rest, for a position.
    pub fn rest(&self, id: usize) -> Mat4 {
        self.at(id, &self.rest)
    }

    /// The matrix of the node at a position, of those of all nodes of the scene.
    pub fn at(&self, id: usize, matrices: &[Mat4]) -> Mat4 {
        let node = self.nodes.get(id).copied().flatten();
        node.and_then(|node| matrices.get(node.index())).copied().unwrap_or(Mat4::IDENTITY)
    }

    /// Node space to parent space for each node of the scene at a moment of a clip, without the placement.
    pub fn locals_at(&self, clip: &Clip, secs: f32) -> Vec<Mat4> {
        let mut locals = pose::locals(self.scene, clip, secs);
        self.unplace(&mut locals);
        locals
    }

    /// Node space to model space, from these local matrices.
    pub fn worlds(&self, mut locals: Vec<Mat4>) -> Vec<Mat4> {
        self.unplace(&mut locals);
        self.scene.world_from_node(&locals)
    }

    fn unplace(&self, locals: &mut [Mat4]) {
        let placed = self.placement.as_ref().and_then(|(node, _)| locals.get_mut(node.index()));
        placed.into_iter().for_each(|local| *local = Mat4::IDENTITY);
    }

    /// Lists the nodes: what is shown, and joints that are not.
    fn gather(&mut self, losses: &mut LossReport) {
        let scene = self.scene;
        let mut tops = match &self.placement {
            Some((node, _)) => scene.nodes.get(*node).map(|node| node.children.clone()).unwrap_or_default(),
            None => scene.roots.clone(),
        };
        let shown = tops.len();
        tops.extend(self.hidden_joints());
        let is_alone = tops.len() == 1 && shown == 1;
        if !is_alone {
            self.nodes.push(None);
            self.parents.push(None);
            self.child_counts.push(tops.len() as u32);
            self.is_shown.push(false);
            let detail = "the file has one root; a node was put above the scene's";
            losses.push(LossKind::Baked, Lost::Hierarchy, "the scene", detail, tops.len() as u64);
        }
        let above = (!is_alone).then_some(0);
        let mut pending: Vec<_> = tops.iter().enumerate().map(|(at, &top)| (top, above, at < shown)).rev().collect();
        while let Some((handle, parent, is_shown)) = pending.pop() {
            let Some(node) = scene.nodes.get(handle) else { continue };
            let id = self.nodes.len();
            self.ids.get_mut(handle.index()).into_iter().for_each(|slot| *slot = Some(id));
            self.nodes.push(Some(handle));
            self.parents.push(parent);
            self.child_counts.push(node.children.len() as u32);
            self.is_shown.push(is_shown);
            pending.extend(node.children.iter().rev().map(|&child| (child, Some(id), is_shown)));
        }
        let placed = usize::from(self.placement.is_some());
        let left = scene.nodes.len() - self.ids.iter().flatten().count() - placed;
        losses.dropped(Lost::Nodes, "the scene", "nodes that no root reaches", left as u64);
    }

    /// The tops of trees that no root reaches and that hold joints.
    fn hidden_joints(&self) -> Vec<Handle<Node>> {
        let parents = self.scene.parents();
        let roots: HashSet<_> = self.scene.roots.iter().copied().collect();
        let mut tops = Vec::new();
        let mut is_known = vec![false; self.scene.nodes.len()];
        for &joint in self.scene.skins.iter().flat_map(|skin| &skin.joints) {
            let mut top = joint;
            // Once a node was met, so was everything above it.
            while !is_known.get(top.index()).copied().unwrap_or(true) {
                is_known.get_mut(top.index()).into_iter().for_each(|known| *known = true);
                match parents.get(top.index()).copied().flatten() {
                    Some(parent) => top = parent,
                    None if roots.contains(&top) => {}
                    None => tops.push(top),
                }
            }
        }
        tops
    }
}
