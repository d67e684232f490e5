//! Joints that hang on each other, and the skins that follow them.

use crate::transform::Transform;
use glam::Mat4;
use std::fmt;

/// A joint of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// What clips and maps of bones know it by; need not be unique.
    pub name: String,
    /// What it hangs on, by index; parents may come after their children.
    pub parent: Option<u32>,
    /// Where it is in its parent when nothing moves it.
    pub rest: Transform,
}

/// Joints, and in what order they are gone through.
#[derive(Clone, Debug, Default)]
pub struct Skeleton {
    names: Vec<String>,
    parents: Vec<Option<u32>>,
    rest: Vec<Transform>,
    /// Parents first; as many as whole groups of four take, the last one repeated.
    pub(crate) links: Vec<Link>,
}

/// A joint and what it hangs on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub joint: u32,
    /// [`NO_PARENT`] for a root.
    pub parent: u32,
}

const NO_PARENT: u32 = u32::MAX;

/// Why joints are no skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkeletonError {
    /// A parent that does not exist.
    NoSuchParent {
        /// The joint that names it.
        joint: usize,
        /// The index that no joint has.
        parent: u32,
    },
    /// A joint that hangs, by way of others, on itself.
    Cycle {
        /// The first of those that no root reaches.
        joint: usize,
    },
    /// More than 2³¹ joints.
    TooMany,
}

impl fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SkeletonError::NoSuchParent { joint, parent } => {
                write!(f, "joint {joint} hangs on joint {parent}, which does not exist")
            }
            SkeletonError::Cycle { joint } => write!(f, "joint {joint} hangs on itself"),
            SkeletonError::TooMany => f.write_str("more than 2³¹ joints"),
        }
    }
}

impl std::error::Error for SkeletonError {}

impl Skeleton {
    /// Joints in any order.
    pub fn new(joints: impl IntoIterator<Item = Joint>) -> Result<Skeleton, SkeletonError> {
        let mut skeleton = Skeleton::default();
        for joint in joints {
            skeleton.names.push(joint.name);
            skeleton.parents.push(joint.parent);
            skeleton.rest.push(joint.rest);
        }
        skeleton.links = links(&skeleton.parents)?;
        Ok(skeleton)
    }

    /// How many joints there are.
    pub fn joint_count(&self) -> usize {
        self.rest.len()
    }

    /// What a joint is called; empty for one that does not exist.
    pub fn name(&self, joint: usize) -> &str {
        self.names.get(joint).map_or("", String::as_str)
    }

    /// The first joint of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|own| own == name)
    }

    /// What a joint hangs on.
    pub fn parent(&self, joint: usize) -> Option<usize> {
        self.parents.get(joint).copied().flatten().map(|parent| parent as usize)
    }

    /// Where each joint is in its parent when nothing moves it.
    pub fn rest(&self) -> &[Transform] {
        &self.rest
    }

    /// Joints with their parents, parents first.
    pub fn in_order(&self) -> impl Iterator<Item = (usize, Option<usize>)> {
        let own = self.links.get(..self.rest.len()).unwrap_or_default();
        own.iter().map(|link| (link.joint as usize, (link.parent != NO_PARENT).then_some(link.parent as usize)))
    }
}

/// Joints with their parents, parents first, in groups of four.
fn links(parents: &[Option<u32>]) -> Result<Vec<Link>, SkeletonError> {
    if parents.len() > i32::MAX as usize {
        return Err(SkeletonError::TooMany);
    }
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); parents.len()];
    let mut links = Vec::with_capacity(parents.len().next_multiple_of(4));
    for (joint, parent) in parents.iter().enumerate() {
        match *parent {
            None => links.push(Link { joint: joint as u32, parent: NO_PARENT }),
            Some(parent) => match children.get_mut(parent as usize) {
                Some(children) => children.push(joint as u32),
                None => return Err(SkeletonError::NoSuchParent { joint, parent }),
            },
        }
    }
    let is_sorted =
        parents.iter().enumerate().all(|(joint, parent)| parent.is_none_or(|parent| (parent as usize) < joint));
    if is_sorted {
        // The order of the file is the kindest to memory.
        let own = (0u32..).zip(parents);
        links = own.map(|(joint, parent)| Link { joint, parent: parent.unwrap_or(NO_PARENT) }).collect();
    } else {
        let mut next = 0;
        while let Some(&Link { joint, .. }) = links.get(next) {
            let own = children.get(joint as usize).into_iter().flatten();
            links.extend(own.map(|&child| Link { joint: child, parent: joint }));
            next += 1;
        }
    }
    if links.len() < parents.len() {
        let mut is_reached = vec![false; parents.len()];
        links.iter().filter_map(|link| is_reached.get_mut(link.joint as usize).map(|it| *it = true)).for_each(drop);
        let joint = is_reached.iter().position(|reached| !reached).unwrap_or(0);
        return Err(SkeletonError::Cycle { joint });
    }
    if let Some(&last) = links.last() {
        links.resize(links.len().next_multiple_of(4), last);
    }
    Ok(links)
}

/// What a mesh is bound to: for each of the joints that its vertices name, a joint of the skeleton and what takes the vertices there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Joints of the skeleton.
    pub joints: Vec<u32>,
    /// One for each: what takes a vertex of the mesh to where the joint was when it was bound.
    pub joint_from_mesh: Vec<Mat4>,
}
