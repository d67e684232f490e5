//! Nodes as a tree, in one list: parents before children, so that what is closed is skipped and nothing recurses.

use maquette::Scene;
use maquette::scene::Handle;
use maquette::scene::scene::Node;

/// All nodes as a tree.
#[derive(Clone, Debug, Default)]
pub struct Hierarchy {
    spots: Vec<Spot>,
    /// Where each node is in that list.
    places: Vec<u32>,
}

/// A node in the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Which.
    pub node: Handle<Node>,
    /// How many are above it.
    pub depth: u32,
    /// The place of its parent.
    pub parent: Option<u32>,
    /// The place of the first node after it that does not hang on it.
    pub end: u32,
}

const NOWHERE: u32 = u32::MAX;

impl Hierarchy {
    /// The nodes of a scene: those that roots reach, then those that nothing reaches. A node of a cycle, or of several parents, comes once.
    pub fn of(scene: &Scene) -> Hierarchy {
        let parents = scene.parents();
        let orphans = scene.nodes.handles().filter(|node| parents.get(node.index()).is_none_or(Option::is_none));
        let mut spots: Vec<Spot> = Vec::with_capacity(scene.nodes.len());
        let mut places = vec![NOWHERE; scene.nodes.len()];
        let mut pending = Vec::new();
        for start in scene.roots.iter().copied().chain(orphans).chain(scene.nodes.handles()) {
            pending.push((start, 0, None));
            while let Some((node, depth, parent)) = pending.pop() {
                let here = spots.len() as u32;
                match places.get_mut(node.index()) {
                    Some(place) if *place == NOWHERE => *place = here,
                    _ => continue,
                }
                spots.push(Spot { node, depth, parent, end: here + 1 });
                let children = scene.nodes.get(node).map_or(&[][..], |node| &node.children);
                pending.extend(children.iter().rev().map(|child| (*child, depth + 1, Some(here))));
            }
        }
        for place in (0..spots.len()).rev() {
            let Some(Spot { parent: Some(parent), end, .. }) = spots.get(place).copied() else { continue };
            if let Some(parent) = spots.get_mut(parent as usize) {
                parent.end = parent.end.max(end);
            }
        }
        Hierarchy { spots, places }
    }

    /// All of them, parents before children.
    pub fn spots(&self) -> &[Spot] {
        &self.spots
    }

    /// Where a node is.
    pub fn place(&self, node: Handle<Node>) -> Option<usize> {
        self.places.get(node.index()).filter(|place| **place != NOWHERE).map(|place| *place as usize)
    }

    /// The nodes above a node, from its parent up.
    pub fn ancestors(&self, node: Handle<Node>) -> impl Iterator<Item = Handle<Node>> + '_ {
        let spot = |place: usize| self.spots.get(place);
        let parent = move |spot: &Spot| self.spots.get(spot.parent? as usize);
        let first = self.place(node).and_then(spot).and_then(parent);
        std::iter::successors(first, move |spot| parent(spot)).map(|spot| spot.node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes with these children; the first is the root.
    fn scene(children: &[&[usize]]) -> Scene {
        let node = |children: &&[usize]| Node {
            children: children.iter().map(|child| Handle::from_index(*child)).collect(),
            ..Node::default()
        };
        let nodes = children.iter().map(node).collect();
        Scene { nodes, roots: vec![Handle::from_index(0)], ..Scene::default() }
    }

    fn shape(hierarchy: &Hierarchy) -> Vec<(usize, u32, u32)> {
        hierarchy.spots().iter().map(|spot| (spot.node.index(), spot.depth, spot.end)).collect()
    }

    #[test]
    fn parents_come_first_and_know_where_they_end() {
        let hierarchy = Hierarchy::of(&scene(&[&[2, 3], &[], &[4], &[], &[]]));
        assert_eq!(shape(&hierarchy), [(0, 0, 4), (2, 1, 3), (4, 2, 3), (3, 1, 4), (1, 0, 5)]);
        let above: Vec<usize> = hierarchy.ancestors(Handle::from_index(4)).map(Handle::index).collect();
        assert_eq!(above, [2, 0]);
    }

    #[test]
    fn cycles_and_shared_children_come_once() {
        assert_eq!(shape(&Hierarchy::of(&scene(&[&[], &[2], &[1]]))), [(0, 0, 1), (1, 0, 3), (2, 1, 3)]);
        assert_eq!(shape(&Hierarchy::of(&scene(&[&[1, 2], &[2], &[99]]))), [(0, 0, 3), (1, 1, 3), (2, 2, 3)]);
    }
}
