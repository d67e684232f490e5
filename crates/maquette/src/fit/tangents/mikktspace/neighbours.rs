//! Which triangle lies across each edge.

use super::NONE;
use super::buckets::Buckets;
use super::triangles::{Kind, Triangles};

/// For each triangle those across its edges: from its first to its second corner, from there to the third, and back.
///
/// Two are neighbours if they run along the edge in opposite directions. Of many at one edge, the first that run one way are neighbours
/// of the first that run the other.
pub fn across_edges(triangles: &Triangles) -> Vec<[u32; 3]> {
    let mut edges = Buckets::new(triangles.vertex_count(), || edges(triangles));
    let mut neighbours = vec![[NONE; 3]; triangles.vertices.len()];
    let mut backward = Vec::new();
    for vertex in 0..triangles.vertex_count() {
        let bucket = edges.of_mut(vertex);
        bucket.sort_unstable();
        for edge in bucket.chunk_by(|a, b| a.other == b.other) {
            backward.clear();
            backward.extend(edge.iter().filter(|end| !end.is_forward).map(|end| end.corner));
            let forward = edge.iter().filter(|end| end.is_forward).map(|end| end.corner);
            for (forward, &backward) in forward.zip(&backward) {
                set(&mut neighbours, forward, backward / 3);
                set(&mut neighbours, backward, forward / 3);
            }
        }
    }
    neighbours
}

fn set(neighbours: &mut [[u32; 3]], corner: u32, neighbour: u32) {
    if let Some(place) = neighbours.as_flattened_mut().get_mut(corner as usize) {
        *place = neighbour;
    }
}

/// An edge as its lesser vertex sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    /// Its greater vertex.
    other: u32,
    /// The corner of a triangle where the edge begins.
    corner: u32,
    /// Whether the triangle runs along it from the lesser vertex to the greater.
    is_forward: bool,
}

/// The edges of all triangles with an area, each with its lesser vertex.
fn edges(triangles: &Triangles) -> impl Iterator<Item = (u32, End)> {
    let all = triangles.vertices.iter().zip(&triangles.kinds).enumerate();
    let sound = all.filter(|(_, (_, kind))| !kind.is_degenerate());
    let of_triangle = |(index, (&[a, b, c], _)): (usize, (&[u32; 3], &Kind))| {
        let corner = 3 * index as u32;
        [(a, b, corner), (b, c, corner + 1), (c, a, corner + 2)]
    };
    sound.flat_map(of_triangle).map(|(a, b, corner)| (a.min(b), End { other: a.max(b), corner, is_forward: a < b }))
}
