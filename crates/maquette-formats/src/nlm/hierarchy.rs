//! Which node a child entry means.
//!
//! The document calls the entries ids; the engine writes and follows positions in the list of nodes. In every file
//! seen the two are the same. Positions are followed here, and an id only where no node has that position.

use super::raw::Node;
use std::collections::HashMap;

/// What a child entry leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The node at this position.
    Position(usize),
    /// The node at this position, found by its id.
    Id(usize),
    /// No node.
    Nowhere,
}

impl Link {
    /// The position of the node.
    pub fn target(self) -> Option<usize> {
        match self {
            Link::Position(target) | Link::Id(target) => Some(target),
            Link::Nowhere => None,
        }
    }
}

/// The nodes of a file by position and by id.
pub struct Links {
    count: usize,
    first_by_id: HashMap<i32, usize>,
}

impl Links {
    /// Of these nodes.
    pub fn of(nodes: &[Node<'_>]) -> Links {
        let mut first_by_id = HashMap::new();
        for (index, node) in nodes.iter().enumerate() {
            first_by_id.entry(node.id.get()).or_insert(index);
        }
        Links { count: nodes.len(), first_by_id }
    }

    /// The first node with this id.
    pub fn by_id(&self, id: i32) -> Option<usize> {
        self.first_by_id.get(&id).copied()
    }

    /// What an entry of a list of children leads to.
    pub fn child(&self, entry: i32) -> Link {
        match usize::try_from(entry) {
            Ok(position) if position < self.count => Link::Position(position),
            _ => self.by_id(entry).map_or(Link::Nowhere, Link::Id),
        }
    }
}
