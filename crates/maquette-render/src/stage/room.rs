//! How many vertices are posed: a small file can have a thousand nodes draw one large mesh.

use maquette_scene::Scene;
use maquette_scene::mesh::{Primitive, Topology};
use std::fmt;

/// Parts that are not drawn, because there would be too many vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// How many parts of meshes at nodes.
    pub parts: u64,
    /// Vertices that all of them together would have, with those that are drawn.
    pub vertices: u64,
    /// How many there may be.
    pub most: u64,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LeftOut { parts, vertices, most } = self;
        write!(
            f,
            "a mesh for each node that draws one comes to {vertices} vertices, and at most {most} are drawn: {parts} parts are left out"
        )
    }
}

/// What has room. What no two nodes draw always has: that is no more than there is.
pub(super) struct Room {
    most: u64,
    asked: u64,
    given: u64,
    refused: u64,
}

impl Room {
    pub fn new(scene: &Scene, most_vertices: u64) -> Room {
        let own: u64 = scene.meshes.iter().flat_map(|mesh| &mesh.primitives).map(vertices).sum();
        Room { most: most_vertices.max(own), asked: 0, given: 0, refused: 0 }
    }

    /// Whether one more of these has room.
    pub fn takes(&mut self, primitive: &Primitive) -> bool {
        let vertices = vertices(primitive);
        self.asked = self.asked.saturating_add(vertices);
        let takes = self.given + vertices <= self.most;
        if takes {
            self.given += vertices;
        } else {
            self.refused += 1;
        }
        takes
    }

    pub fn left_out(&self) -> Option<LeftOut> {
        (self.refused > 0).then_some(LeftOut { parts: self.refused, vertices: self.asked, most: self.most })
    }
}

/// Surfaces have about two triangles a vertex; those with more count by these.
fn vertices(primitive: &Primitive) -> u64 {
    let corners = if primitive.topology == Topology::Triangles { 6 } else { 2 };
    (primitive.streams.len()).max(primitive.indices.len() / corners) as u64
}
