//! Which node hangs on which. Nodes stay trees, whatever is asked for: a node that gets a parent leaves the one it had, and one that loses its parent is a root.

use maquette::Scene;
use maquette::scene::Handle;
use maquette::scene::scene::Node;
use std::collections::HashSet;

/// Makes these the children of a node, in this order; or says why they cannot be.
pub fn set_children(scene: &mut Scene, parent: Handle<Node>, children: Vec<Handle<Node>>) -> Result<(), String> {
    let wanted = set_of(scene, &children)?;
    let parents = scene.parents();
    let parent_of = |node: Handle<Node>| parents.get(node.index()).copied().flatten();
    let mut above = Some(parent);
    while let Some(node) = above {
        if wanted.contains(&node) {
            let name = scene.node_name(node);
            return Err(match node == parent {
                true => format!("node {name:?} cannot be its own child"),
                false => format!("node {name:?} cannot be below itself: it is above {:?}", scene.node_name(parent)),
            });
        }
        above = parent_of(node);
    }
    let former: HashSet<_> = children.iter().filter_map(|&child| parent_of(child)).filter(|it| *it != parent).collect();
    for node in former {
        if let Some(node) = scene.nodes.get_mut(node) {
            node.children.retain(|child| !wanted.contains(child));
        }
    }
    scene.roots.retain(|root| !wanted.contains(root));
    if let Some(node) = scene.nodes.get_mut(parent) {
        let before = std::mem::replace(&mut node.children, children);
        scene.roots.extend(before.into_iter().filter(|child| !wanted.contains(child)));
    }
    Ok(())
}

/// Hangs a node on another, behind its children, or on none.
pub fn set_parent(scene: &mut Scene, node: Handle<Node>, parent: Option<Handle<Node>>) -> Result<(), String> {
    let before = scene.parents().get(node.index()).copied().flatten();
    let (place, children) = match (before, parent) {
        (before, parent) if before == parent => return Ok(()),
        (_, Some(parent)) => (parent, children(scene, parent).chain([node]).collect()),
        (Some(before), None) => (before, children(scene, before).filter(|child| *child != node).collect()),
        (None, None) => return Ok(()),
    };
    set_children(scene, place, children)
}

fn children(scene: &Scene, node: Handle<Node>) -> impl Iterator<Item = Handle<Node>> {
    scene.nodes.get(node).into_iter().flat_map(|node| node.children.iter().copied())
}

/// Makes these the nodes that are shown, in this order; or says why they cannot be.
pub fn set_roots(scene: &mut Scene, roots: Vec<Handle<Node>>) -> Result<(), String> {
    set_of(scene, &roots)?;
    let parents = scene.parents();
    for &root in &roots {
        if let Some(parent) = parents.get(root.index()).copied().flatten() {
            let (node, parent) = (scene.node_name(root), scene.node_name(parent));
            return Err(format!("node {node:?} cannot be a root: it is a child of {parent:?}"));
        }
    }
    scene.roots = roots;
    Ok(())
}

fn set_of(scene: &Scene, nodes: &[Handle<Node>]) -> Result<HashSet<Handle<Node>>, String> {
    let mut set = HashSet::new();
    match nodes.iter().find(|node| !set.insert(**node)) {
        Some(twice) => Err(format!("node {:?} is given twice", scene.node_name(*twice))),
        None => Ok(set),
    }
}
