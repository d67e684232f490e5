//! The corners at a vertex that share a tangent.

use super::NONE;
use super::neighbours::{Neighbours, reach};
use super::triangles::Triangles;

/// Groups of corners at one vertex that are reached from one to the next over the edges between triangles, all laid the same way round.
#[derive(Default)]
pub struct Groups {
    /// For each corner its group; none for those of triangles that go with any and that no group reaches.
    pub of_corner: Vec<u32>,
    /// For each group whether its triangles lay the picture upright.
    pub is_upright: Vec<bool>,
    pub neighbours: Neighbours,
}

impl Groups {
    /// Finds those of these corners, which are all at one vertex, in the order of the triangles.
    pub fn find(&mut self, triangles: &Triangles<'_>, corners: &[u32]) {
        self.neighbours.find(triangles, corners);
        let Groups { of_corner, is_upright, neighbours } = self;
        is_upright.clear();
        of_corner.clear();
        of_corner.resize(corners.len(), NONE);
        for (start, &corner) in corners.iter().enumerate() {
            let kind = triangles.kind(corner);
            let is_taken = of_corner.get(start).is_some_and(|group| *group != NONE);
            if kind.is_degenerate() || kind.goes_with_any() || is_taken {
                continue;
            }
            let group = is_upright.len() as u32;
            is_upright.push(kind.is_upright());
            reach(start as u32, &neighbours.after, &neighbours.before, |at| {
                let (Some(of), Some(&corner)) = (of_corner.get_mut(at as usize), corners.get(at as usize)) else {
                    return false;
                };
                let joins = *of == NONE && triangles.kind(corner).is_upright() == kind.is_upright();
                *of = if joins { group } else { *of };
                joins
            });
        }
    }
}
