//! Which triangle lies across each edge.

use super::NONE;
use super::triangles::Triangles;

/// For each triangle those across its edges: from its first to its second corner, from there to the third, and back.
///
/// Two are neighbours if they run along the edge in opposite directions. Of many at one edge, the first that run one way are neighbours
/// of the first that run the other.
pub fn across_edges(triangles: &Triangles, vertex_count: usize) -> Vec<[u32; 3]> {
    let (starts, mut ends) = edges(triangles, vertex_count);
    let mut neighbours = vec![[NONE; 3]; triangles.vertices.len()];
    let mut backward = Vec::new();
    for range in starts.windows(2) {
        let &[from, to] = range else { continue };
        let Some(bucket) = ends.get_mut(from as usize..to as usize).filter(|bucket| bucket.len() > 1) else { continue };
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

/// The edges of all triangles, those of each lesser vertex together, and where those of each begin.
fn edges(triangles: &Triangles, vertex_count: usize) -> (Vec<u32>, Vec<End>) {
    let sound = || {
        let all = triangles.vertices.iter().zip(&triangles.kinds).enumerate();
        all.filter(|(_, (_, kind))| !kind.is_degenerate()).flat_map(|(index, (&[a, b, c], _))| {
            let corner = 3 * index as u32;
            [(a, b, corner), (b, c, corner + 1), (c, a, corner + 2)]
        })
    };
    let mut starts = vec![0u32; vertex_count + 2];
    for (a, b, _) in sound() {
        if let Some(count) = starts.get_mut(a.min(b) as usize + 2) {
            *count += 1;
        }
    }
    let mut total = 0;
    for start in &mut starts {
        total += *start;
        *start = total;
    }
    // Each start moves to its end, which is the start of the next.
    let mut ends = vec![End::default(); total as usize];
    for (a, b, corner) in sound() {
        let Some(place) = starts.get_mut(a.min(b) as usize + 1) else { continue };
        if let Some(end) = ends.get_mut(*place as usize) {
            *end = End { other: a.max(b), corner, is_forward: a < b };
        }
        *place += 1;
    }
    starts.pop();
    (starts, ends)
}
