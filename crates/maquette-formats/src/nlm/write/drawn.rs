//! The meshes of a scene in the order they are drawn.

use maquette_scene::Scene;
use maquette_scene::loss::subject;
use maquette_scene::mesh::{Mesh, Primitive};

/// Influences of a vertex.
pub const SLOTS: usize = 4;

/// A mesh that is drawn.
pub struct Drawn<'a> {
    /// Its geometry.
    pub mesh: &'a Mesh,
    /// What losses call it.
    pub subject: String,
    /// Whether joints move it.
    pub skinned: bool,
}

impl<'a> Drawn<'a> {
    /// The primitives that have vertices.
    pub fn primitives(&self) -> impl Iterator<Item = &'a Primitive> + use<'a> {
        self.mesh.primitives.iter().filter(|primitive| !primitive.streams.is_empty())
    }
}

/// Every mesh at the node that draws it.
pub fn drawn(scene: &Scene) -> Vec<Drawn<'_>> {
    let nodes = scene.nodes_parents_first().into_iter().filter_map(|handle| scene.nodes.get(handle));
    let drawn = nodes.filter_map(|node| {
        let handle = node.mesh?;
        let mesh = scene.meshes.get(handle)?;
        Some(Drawn { mesh, subject: subject("mesh", handle.index(), &mesh.name), skinned: node.skin.is_some() })
    });
    drawn.collect()
}
