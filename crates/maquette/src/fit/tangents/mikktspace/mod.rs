//! MikkTSpace: the tangents that normal maps are baked for.
//!
//! Every program that bakes or shows normal maps makes the same tangents in the same steps, so that they need not be stored:
//!
//! 1. Vertices that agree in position, normal and texture coordinates are one ([`weld`]).
//! 2. Each triangle has a direction in which U grows, and lays the picture one way round or the other ([`Triangles`]); one that does neither is
//!    laid as the first group that reaches it ([`undecided`]).
//! 3. Triangles are neighbours across an edge that they run along in opposite directions ([`neighbours`]).
//! 4. The corners at a vertex that are reached from one to the next over such edges, and lay the picture the same way round, are a group
//!    ([`groups`]).
//! 5. The tangent of a group is the mean of its triangles' directions, each made perpendicular to the normal and weighted by the angle of its
//!    corner ([`frames`]).
//! 6. A corner of a triangle without an area gets what another corner at its vertex has.
//!
//! From the third step on everything is done vertex by vertex, on all cores, and nothing is kept of it but the tangents. Each step takes
//! time in proportion to the triangles, however many share a vertex or an edge. Sums are made in the order of the triangles, so that
//! the result does not depend on the number of threads.

mod frames;
mod groups;
mod neighbours;
#[cfg(test)]
mod tests;
mod triangles;
mod undecided;
mod weld;

use crate::fit::buckets::Buckets;
use frames::{Found, Frames};
pub use frames::{NO_TANGENT, Tangent, is_none};
use maquette_scene::glam::{Vec2, Vec3};
use rayon::prelude::*;
use triangles::Triangles;

/// Vertices that one core works on before it takes others.
const VERTICES_AT_ONCE: usize = 4096;

/// What no corner or group has for an index.
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
    #[inline]
    fn position(&self, vertex: u32) -> Vec3 {
        self.positions.get(vertex as usize).copied().unwrap_or_default().into()
    }

    #[inline]
    fn normal(&self, vertex: u32) -> Vec3 {
        self.normals.get(vertex as usize).copied().unwrap_or_default().into()
    }

    /// Texture coordinates, V counted upwards, as the algorithm has them.
    #[inline]
    fn uv(&self, vertex: u32) -> Vec2 {
        let [u, v] = self.uvs.get(vertex as usize).copied().unwrap_or_default();
        Vec2::new(u, 1.0 - v)
    }
}

/// The tangents of corners: one for each vertex where all its corners have the same.
pub struct Tangents {
    /// [`NO_TANGENT`] for vertices without a picture, and for those in the other list.
    pub of_vertices: Vec<Tangent>,
    /// Those of corners whose vertex has several, in the order of corners.
    pub of_corners: Vec<(u32, Tangent)>,
}

/// The tangents of each corner of each triangle.
pub fn tangents(surface: &Surface<'_>) -> Tangents {
    let welded = weld::weld(surface);
    let vertices = triangles::welded(surface, welded.as_deref());
    let corners = || Buckets::new(surface.positions.len(), || vertices.as_flattened().iter().copied().zip(0u32..));
    let (laid, corners) = rayon::join(|| triangles::laid(surface, &vertices), corners);
    let mut triangles = Triangles::new(vertices, laid);
    undecided::decide(&mut triangles, &corners);
    let mut of_vertices = vec![NO_TANGENT; surface.positions.len()];
    let run = |frames: &mut Frames, (run, tangents): (usize, &mut [Tangent])| {
        let mut of_corner = Vec::new();
        for (at, tangent) in tangents.iter_mut().enumerate() {
            let corners = corners.of(run * VERTICES_AT_ONCE + at);
            match frames.find(surface, &triangles, corners) {
                Found::OfAll(all) => *tangent = all,
                Found::OfEach(each) => of_corner.extend(corners.iter().copied().zip(each.iter().copied())),
            }
        }
        of_corner
    };
    let runs = of_vertices.par_chunks_mut(VERTICES_AT_ONCE).enumerate();
    let several: Vec<Vec<(u32, Tangent)>> = runs.map_init(Frames::default, run).collect();
    drop((triangles, corners));
    let mut of_corners = several.concat();
    of_corners.par_sort_unstable_by_key(|(corner, _)| *corner);
    welded.iter().for_each(|welded| share(surface, welded, &mut of_vertices));
    Tangents { of_vertices, of_corners }
}

/// Gives vertices the tangents of those they are equal to; none to those that no triangle has.
fn share(surface: &Surface<'_>, welded: &[u32], tangents: &mut [Tangent]) {
    let mut is_used = vec![false; tangents.len()];
    for &vertex in surface.triangles.as_flattened() {
        is_used.get_mut(vertex as usize).into_iter().for_each(|used| *used = true);
    }
    // The first of those that are equal comes before them, and is changed after them.
    for (vertex, (&first, &is_used)) in welded.iter().zip(&is_used).enumerate().rev() {
        let shared = tangents.get(first as usize).copied().filter(|_| is_used).unwrap_or(NO_TANGENT);
        tangents.get_mut(vertex).into_iter().for_each(|tangent| *tangent = shared);
    }
}
