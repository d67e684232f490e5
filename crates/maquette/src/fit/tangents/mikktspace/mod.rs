//! MikkTSpace: the tangents that normal maps are baked for.
//!
//! Every program that bakes or shows normal maps makes the same tangents in the same steps, so that they need not be stored:
//!
//! 1. Vertices that agree in position, normal and texture coordinates are one ([`weld`]).
//! 2. Each triangle has a direction in which U grows, and lays the picture one way round or the other ([`Triangles`]).
//! 3. Triangles are neighbours across an edge that they run along in opposite directions ([`neighbours`]).
//! 4. The corners at a vertex that are reached from one to the next over such edges, and lay the picture the same way round, are a group
//!    ([`groups`]).
//! 5. The tangent of a group is the mean of its triangles' directions, each made perpendicular to the normal and weighted by the angle of its
//!    corner ([`frames`]).
//! 6. A corner of a triangle without an area gets what another corner at its vertex has.
//!
//! Each step takes time in proportion to the triangles, however many share a vertex or an edge. Sums are made in the order of the
//! triangles, so that the result does not depend on the number of threads.

mod buckets;
mod frames;
mod groups;
mod neighbours;
#[cfg(test)]
mod tests;
mod triangles;
mod weld;

use maquette_scene::glam::{Vec2, Vec3};
use triangles::Triangles;

/// What no corner, triangle or group has for an index.
const NONE: u32 = u32::MAX;

/// The triangles to make tangents for. Every index is that of a vertex, and there are as many normals and coordinates as positions.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'s> {
    pub positions: &'s [[f32; 3]],
    pub normals: &'s [[f32; 3]],
    /// Texture coordinates, V counted downwards.
    pub uvs: &'s [[f32; 2]],
    pub triangles: &'s [[u32; 3]],
}

impl Surface<'_> {
    fn position(&self, vertex: u32) -> Vec3 {
        self.positions.get(vertex as usize).copied().unwrap_or_default().into()
    }

    fn normal(&self, vertex: u32) -> Vec3 {
        self.normals.get(vertex as usize).copied().unwrap_or_default().into()
    }

    /// Texture coordinates, V counted upwards, as the algorithm has them.
    fn uv(&self, vertex: u32) -> Vec2 {
        let [u, v] = self.uvs.get(vertex as usize).copied().unwrap_or_default();
        Vec2::new(u, 1.0 - v)
    }
}

/// The tangent of each corner of each triangle, and the sign of its bitangent; none where no picture is laid.
pub fn tangents(surface: &Surface<'_>) -> Vec<Option<[f32; 4]>> {
    let vertices = weld::weld(surface);
    let mut triangles = Triangles::new(surface, &vertices);
    let neighbours = neighbours::across_edges(&triangles);
    let groups = groups::around_vertices(&mut triangles, &neighbours);
    drop(neighbours);
    let frames = frames::of_groups(surface, &triangles, &groups);
    let mut corners: Vec<Option<[f32; 4]>> =
        (0..groups.of_corner.len()).map(|corner| frames.of(&groups, corner)).collect();
    inherit(&triangles, &mut corners);
    corners
}

/// Gives the corners of triangles without an area what the first corner at their vertex has.
fn inherit(triangles: &Triangles, corners: &mut [Option<[f32; 4]>]) {
    let mut first = vec![NONE; triangles.vertex_count()];
    for (corner, &vertex) in triangles.vertices.as_flattened().iter().enumerate() {
        let is_sound = triangles.kinds.get(corner / 3).is_some_and(|kind| !kind.is_degenerate());
        match first.get_mut(vertex as usize) {
            Some(first) if *first == NONE && is_sound => *first = corner as u32,
            _ => {}
        }
    }
    for (corner, &vertex) in triangles.vertices.as_flattened().iter().enumerate() {
        if triangles.kinds.get(corner / 3).is_some_and(|kind| kind.is_degenerate()) {
            let heir = first.get(vertex as usize).and_then(|&first| corners.get(first as usize)).copied().flatten();
            if let Some(corner) = corners.get_mut(corner) {
                *corner = heir;
            }
        }
    }
}
