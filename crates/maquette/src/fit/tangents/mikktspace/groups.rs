//! The corners at a vertex that share a tangent.

use super::NONE;
use super::triangles::Triangles;

pub struct Groups {
    /// For each corner its group; none for those of triangles that go with any and that no group reaches.
    pub of_corner: Vec<u32>,
    /// For each group whether its triangles lay the picture upright.
    pub is_upright: Vec<bool>,
}

/// Groups of corners that are reached from one to the next over the edges between triangles, all laid the same way round. A triangle
/// that goes with any is laid as the first group has it that reaches it.
pub fn around_vertices(triangles: &mut Triangles, neighbours: &[[u32; 3]]) -> Groups {
    let mut groups = Groups { of_corner: vec![NONE; 3 * triangles.vertices.len()], is_upright: Vec::new() };
    let mut to_visit = Vec::new();
    for corner in 0..groups.of_corner.len() as u32 {
        let Some(&kind) = triangles.kinds.get(corner as usize / 3) else { continue };
        if kind.is_degenerate() || kind.goes_with_any() || groups.of(corner) != NONE {
            continue;
        }
        let Some(&vertex) = triangles.vertices.as_flattened().get(corner as usize) else { continue };
        let group = groups.is_upright.len() as u32;
        groups.is_upright.push(kind.is_upright());
        to_visit.push(corner / 3);
        while let Some(triangle) = to_visit.pop() {
            let joined = groups.join(triangles, triangle, vertex, group);
            let Some((corner, across)) = joined.zip(neighbours.get(triangle as usize)) else { continue };
            let &[to_b, to_c, to_a] = across;
            let (next, previous) = match corner % 3 {
                0 => (to_b, to_a),
                1 => (to_c, to_b),
                _ => (to_a, to_c),
            };
            to_visit.extend([previous, next].into_iter().filter(|&triangle| triangle != NONE));
        }
    }
    groups
}

impl Groups {
    fn of(&self, corner: u32) -> u32 {
        self.of_corner.get(corner as usize).copied().unwrap_or(NONE)
    }

    /// Takes the corner of a triangle at this vertex into a group, if it belongs to none and is laid the same way round.
    fn join(&mut self, triangles: &mut Triangles, triangle: u32, vertex: u32, group: u32) -> Option<u32> {
        let at = triangles.vertices.get(triangle as usize)?.iter().position(|&other| other == vertex)?;
        let corner = 3 * triangle + at as u32;
        if self.of(corner) != NONE {
            return None;
        }
        let is_upright = self.is_upright.get(group as usize).copied().unwrap_or_default();
        let is_free = (3 * triangle..3 * triangle + 3).all(|corner| self.of(corner) == NONE);
        let kind = triangles.kinds.get_mut(triangle as usize)?;
        if kind.goes_with_any() && is_free {
            kind.turn(is_upright);
        }
        if kind.is_upright() != is_upright {
            return None;
        }
        *self.of_corner.get_mut(corner as usize)? = group;
        Some(corner)
    }
}
