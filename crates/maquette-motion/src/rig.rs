//! The hierarchy and the rest pose that a motion is played on.

use crate::bind::{self, BindPose};
use maquette_scene::Scene;
use maquette_scene::glam::{DMat4, DQuat, DVec3};
use std::collections::HashMap;

/// Translation, rotation and scale in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    /// Moved last.
    pub translation: DVec3,
    /// A unit quaternion.
    pub rotation: DQuat,
    /// Along the unrotated axes, first.
    pub scale: DVec3,
}

impl Trs {
    /// Nowhere, unturned, full size.
    pub const IDENTITY: Trs = Trs { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// The transform as a matrix.
    pub fn matrix(&self) -> DMat4 {
        DMat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

impl From<maquette_scene::scene::Trs> for Trs {
    fn from(trs: maquette_scene::scene::Trs) -> Trs {
        let rotation = trs.rotation.as_dquat();
        Trs {
            translation: trs.translation.as_dvec3(),
            // Single precision is off unit length by its rounding.
            rotation: if rotation.length() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY },
            scale: trs.scale.as_dvec3(),
        }
    }
}

/// One joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// What it is called; need not be unique.
    pub name: String,
    /// Its position in [`Rig::joints`].
    pub parent: Option<usize>,
    /// From its own space to its parent's, at rest.
    pub rest: Trs,
}

/// Joints in any order, each once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// For a rig of a scene, its nodes in their order.
    pub joints: Vec<Joint>,
    by_name: HashMap<String, usize>,
    /// Parents before children.
    order: Vec<usize>,
    /// Joint space to the space of the whole as skins have it, for joints that they hold on to.
    bound: Vec<Option<DMat4>>,
}

impl Rig {
    /// Of these joints. A parent that is not there, or that is below its child, is none.
    pub fn new(mut joints: Vec<Joint>) -> Rig {
        let count = joints.len();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut order = Vec::with_capacity(count);
        for (index, joint) in joints.iter().enumerate() {
            match joint.parent.and_then(|parent| children.get_mut(parent)) {
                Some(siblings) => siblings.push(index),
                None => order.push(index),
            }
        }
        let mut is_reached = vec![false; count];
        let mut next = 0;
        let mut unreached = 0..count;
        loop {
            while let Some(&joint) = order.get(next) {
                next += 1;
                let below = children.get_mut(joint).map(std::mem::take).unwrap_or_default();
                if let Some(reached) = is_reached.get_mut(joint) {
                    *reached = true;
                }
                order.extend(below.into_iter().filter(|child| is_reached.get(*child) == Some(&false)));
            }
            // What is left goes around in circles: each is cut at its first joint.
            let Some(cut) = unreached.find(|joint| is_reached.get(*joint) == Some(&false)) else { break };
            order.push(cut);
        }
        let mut place = vec![usize::MAX; count];
        for (at, &joint) in order.iter().enumerate() {
            if let Some(place) = place.get_mut(joint) {
                *place = (*place).min(at);
            }
        }
        let place_of = |joint: usize| place.get(joint).copied().unwrap_or(usize::MAX);
        for (index, joint) in joints.iter_mut().enumerate() {
            joint.parent = joint.parent.filter(|parent| *parent < count && place_of(*parent) < place_of(index));
        }
        let mut by_name = HashMap::with_capacity(count);
        for &joint in &order {
            if let Some(named) = joints.get(joint) {
                by_name.entry(named.name.clone()).or_insert(joint);
            }
        }
        Rig { joints, by_name, order, bound: Vec::new() }
    }

    /// Of all nodes of a scene, under the names that [`Scene::node_name`] gives them.
    pub fn of_scene(scene: &Scene) -> Rig {
        let parents = scene.parents();
        let joint = |(handle, node): (maquette_scene::Handle<_>, &maquette_scene::scene::Node)| Joint {
            name: scene.node_name(handle).into_owned(),
            parent: parents.get(handle.index()).copied().flatten().map(|parent| parent.index()),
            rest: node.transform.trs().into(),
        };
        let mut rig = Rig::new(scene.nodes.entries().map(joint).collect());
        rig.bound = bind::of_skins(scene, &rig);
        rig
    }

    /// The joint of this name: of several the one nearest to a root.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The rest pose of the joint of this name.
    pub fn rest(&self, name: &str) -> Option<&Trs> {
        self.joints.get(self.find(name)?).map(|joint| &joint.rest)
    }

    /// Whether skins say what pose they were made for.
    pub(crate) fn is_bound(&self) -> bool {
        self.bound.iter().any(Option::is_some)
    }

    /// The pose that skins were made for.
    pub(crate) fn bind_pose(&self) -> BindPose {
        bind::pose(self, &self.bound)
    }

    /// All joints, parents before children.
    pub fn parents_first(&self) -> &[usize] {
        &self.order
    }

    /// Joint space to the space of the whole, from these local transforms, one for each joint.
    pub fn world(&self, locals: &[Trs]) -> Vec<DMat4> {
        let mut world = vec![DMat4::IDENTITY; self.joints.len()];
        for &index in &self.order {
            let (Some(joint), Some(local)) = (self.joints.get(index), locals.get(index)) else { continue };
            let above = joint.parent.and_then(|parent| world.get(parent)).copied().unwrap_or(DMat4::IDENTITY);
            if let Some(world) = world.get_mut(index) {
                *world = above * local.matrix();
            }
        }
        world
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rig(parents: &[Option<usize>]) -> Rig {
        let joint = |(at, parent): (usize, &Option<usize>)| Joint {
            name: format!("j{at}"),
            parent: *parent,
            rest: Trs { translation: DVec3::X, ..Trs::IDENTITY },
        };
        Rig::new(parents.iter().enumerate().map(joint).collect())
    }

    #[test]
    fn parents_come_first_in_any_order_and_circles_are_cut() {
        let chain = rig(&[Some(1), Some(2), None, Some(9)]);
        assert_eq!(chain.joints[3].parent, None, "it is not there");
        let rest: Vec<Trs> = chain.joints.iter().map(|joint| joint.rest).collect();
        let world = chain.world(&rest);
        assert_eq!([0, 1, 2, 3].map(|at| world[at].w_axis.x), [3.0, 2.0, 1.0, 1.0]);
        let circle = rig(&[Some(2), Some(0), Some(1), Some(2), Some(4)]);
        assert_eq!(circle.joints.iter().filter(|joint| joint.parent.is_none()).count(), 2);
        let mut order = circle.parents_first().to_vec();
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2, 3, 4], "each once");
        assert_eq!(circle.find("j3"), Some(3));
    }
}
