//! What the writer relies on, looked at before anything is written.

use super::cannot_hold;
use crate::format::Result;
use maquette_scene::glam::Mat4;
use maquette_scene::mesh::{Mesh, Primitive, Topology};
use maquette_scene::scene::Node;
use maquette_scene::{Handle, Scene};

/// Influences of a vertex.
pub const SLOTS: usize = 4;

/// A mesh that is drawn.
pub struct Drawn<'a> {
    /// What it is.
    pub mesh: &'a Mesh,
    /// What losses call it.
    pub subject: String,
    /// Whether joints move it.
    pub skinned: bool,
}

impl<'a> Drawn<'a> {
    /// The parts that have vertices.
    pub fn primitives(&self) -> impl Iterator<Item = &'a Primitive> + use<'a> {
        self.mesh.primitives.iter().filter(|primitive| !primitive.streams.is_empty())
    }
}

/// What losses call a thing.
pub fn subject(kind: &str, index: usize, name: &str) -> String {
    match name {
        "" => format!("{kind} {index}"),
        name => format!("{kind} {name:?}"),
    }
}

/// The meshes in the order they are drawn, if the scene is one that the format can hold.
pub fn drawn(scene: &Scene) -> Result<Vec<Drawn<'_>>> {
    if scene.skins.len() > 1 {
        return cannot_hold(format!("NLM holds one skin, and the scene has {}", scene.skins.len()));
    }
    if scene.clips.len() > 1 {
        return cannot_hold(format!("NLM holds one clip, and the scene has {}", scene.clips.len()));
    }
    let parents = scene.parents();
    let mut is_joint = vec![false; scene.nodes.len()];
    for joint in scene.skins.iter().flat_map(|skin| &skin.joints) {
        if let Some(is_joint) = is_joint.get_mut(joint.index()) {
            *is_joint = true;
        }
    }
    let mut seen = vec![false; scene.meshes.len()];
    let mut drawn = Vec::new();
    for handle in scene.nodes_parents_first() {
        let Some((node, mesh_handle, mesh)) = mesh_at(scene, handle) else { continue };
        let subject = subject("mesh", mesh_handle.index(), &mesh.name);
        let has_parent = parents.get(handle.index()).is_some_and(Option::is_some);
        let carries = is_joint.get(handle.index()) == Some(&true) || !node.children.is_empty();
        if has_parent || carries || node.transform.matrix() != Mat4::IDENTITY {
            return cannot_hold(format!("NLM has meshes in the space of the model only, and {subject} is at a node"));
        }
        match seen.get_mut(mesh_handle.index()) {
            Some(seen) if !*seen => *seen = true,
            _ => return cannot_hold(format!("NLM draws a mesh once, and {subject} is at several nodes")),
        }
        mesh.primitives.iter().try_for_each(|primitive| sound(primitive, &subject))?;
        drawn.push(Drawn { mesh, subject, skinned: node.skin.is_some() });
    }
    Ok(drawn)
}

fn mesh_at(scene: &Scene, handle: Handle<Node>) -> Option<(&Node, Handle<Mesh>, &Mesh)> {
    let node = scene.nodes.get(handle)?;
    Some((node, node.mesh?, scene.meshes.get(node.mesh?)?))
}

fn sound(primitive: &Primitive, subject: &str) -> Result<()> {
    let streams = &primitive.streams;
    let slots = streams.influences.as_ref().map_or(0, |influences| influences.slots);
    match () {
        () if !primitive.morph_targets.is_empty() => {
            cannot_hold(format!("NLM has no morph targets, and {subject} has"))
        }
        () if streams.tangents.is_some() => cannot_hold(format!("NLM has no tangents, and {subject} has")),
        () if streams.uvs.len() > 1 => {
            cannot_hold(format!("NLM holds one set of texture coordinates, and {subject} has {}", streams.uvs.len()))
        }
        () if slots > SLOTS => {
            cannot_hold(format!("NLM holds {SLOTS} influences of a vertex, and {subject} has {slots}"))
        }
        () if streams.normals.is_none() && primitive.topology == Topology::Triangles && !streams.is_empty() => {
            cannot_hold(format!("NLM needs normals, and {subject} has none"))
        }
        () => Ok(()),
    }
}
