//! What is selected: one thing of a scene, or a place of its file.

use maquette::scene::image::Image;
use maquette::scene::material::Material;
use maquette::scene::mesh::Mesh;
use maquette::scene::scene::{Node, Skin};
use maquette::scene::{Handle, Scene};
use std::ops::Range;

/// One thing of a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

/// The thing that a place of a file speaks of, by the first names and numbers of its path: `joints[12].parent` is a node.
pub fn thing_at(scene: &Scene, path: &str) -> Option<Thing> {
    let (name, rest) = path.split_once('[')?;
    let index: usize = rest.split_once(']')?.0.parse().ok()?;
    let name = name.rsplit('.').next().unwrap_or(name);
    match name {
        "nodes" => scene.nodes.handles().nth(index).map(Thing::Node),
        "joints" | "bones" => {
            let joint = scene.skins.iter().next().and_then(|skin| skin.joints.get(index).copied());
            joint.or_else(|| scene.nodes.handles().nth(index)).map(Thing::Node)
        }
        "meshes" => scene.meshes.handles().nth(index).map(Thing::Mesh),
        "materials" => scene.materials.handles().nth(index).map(Thing::Material),
        "images" | "textures" => scene.images.handles().nth(index).map(Thing::Image),
        "skins" => scene.skins.handles().nth(index).map(Thing::Skin),
        "animations" | "clips" => (index < scene.clips.len()).then_some(Thing::Clip(index)),
        _ => None,
    }
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
