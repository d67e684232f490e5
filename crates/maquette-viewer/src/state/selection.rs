//! What is selected: one thing of a scene, or a place of its file.

use maquette::scene::image::Image;
use maquette::scene::material::Material;
use maquette::scene::mesh::Mesh;
use maquette::scene::scene::{Node, Skin};
use maquette::scene::{Handle, Scene};
use std::ops::Range;

/// One thing of a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Thing {
    /// None.
    #[default]
    Nothing,
    /// A node: a group, a mesh at its place, a joint.
    Node(Handle<Node>),
    /// Geometry.
    Mesh(Handle<Mesh>),
    /// A binding of geometry to joints.
    Skin(Handle<Skin>),
    /// A surface.
    Material(Handle<Material>),
    /// A picture.
    Image(Handle<Image>),
    /// An animation, by its place.
    Clip(usize),
    /// A bone of a clip alone, by the first of its tracks: see [`bones`](super::bones).
    Bone {
        /// The clip, by its place.
        clip: usize,
        /// The track, by its place.
        track: usize,
    },
}

/// What is selected.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Of the scene.
    pub thing: Thing,
    /// Of the file: the bytes of a field.
    pub bytes: Option<Range<u64>>,
    /// Of the findings: its place in their list.
    pub finding: Option<usize>,
}

impl Selection {
    /// Selects a thing, and nothing else.
    pub fn choose(&mut self, thing: Thing) {
        *self = Selection { thing, bytes: self.bytes.clone(), finding: None };
    }

    /// The node that is selected.
    pub fn node(&self) -> Option<Handle<Node>> {
        match self.thing {
            Thing::Node(node) => Some(node),
            _ => None,
        }
    }
}

/// The thing that a place of a file speaks of, as far as its path tells: `joints[12].parent` is a node. What was left out of the scene is known
/// to the file alone: see [`places::thing_in`](super::places::thing_in).
pub fn thing_at(scene: &Scene, path: &str) -> Option<Thing> {
    super::places::thing_in(scene, path, &super::places::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_files_are_things_of_scenes() {
        let scene = maquette::sample::creature();
        let node = scene.nodes.handles().nth(3).unwrap();
        assert_eq!(thing_at(&scene, "nodes[3].rotation"), Some(Thing::Node(node)));
        let joint = scene.skins.iter().next().unwrap().joints[2];
        assert_eq!(thing_at(&scene, "joints[2].parent"), Some(Thing::Node(joint)));
        assert!(matches!(thing_at(&scene, "materials[0]"), Some(Thing::Material(_))));
        for nothing in ["", "header.magic", "nodes[99999]", "nodes[x]", "accessors[0]"] {
            assert_eq!(thing_at(&scene, nothing), None, "{nothing}");
        }
    }
}
