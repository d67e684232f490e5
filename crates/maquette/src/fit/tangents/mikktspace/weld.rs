//! Vertices that agree in position, normal and texture coordinates are one.

use super::Surface;
use rayon::prelude::*;

/// For each vertex the first that is equal to it.
pub fn weld(surface: &Surface<'_>) -> Vec<u32> {
    let count = surface.positions.len() as u32;
    let hashed = |vertex: u32| u64::from(hash(key(surface, vertex))) << 32 | u64::from(vertex);
    let mut order: Vec<u64> = (0..count).into_par_iter().map(hashed).collect();
    order.par_sort_unstable();
    let mut same: Vec<u32> = (0..count).collect();
    let mut alike = Vec::new();
    for run in order.chunk_by(|a, b| a >> 32 == b >> 32).filter(|run| run.len() > 1) {
        // Sorted, so that vertices whose hashes were made to agree are no slower than others.
        alike.clear();
        alike.extend(run.iter().map(|&hashed| (key(surface, hashed as u32), hashed as u32)));
        alike.sort_unstable();
        for equal in alike.chunk_by(|(a, _), (b, _)| a == b) {
            let first = equal.first().map_or(0, |(_, vertex)| *vertex);
            for (_, vertex) in equal {
                if let Some(same) = same.get_mut(*vertex as usize) {
                    *same = first;
                }
            }
        }
    }
    same
}

/// The numbers of a vertex, so that equal numbers have equal bits.
fn key(surface: &Surface<'_>, vertex: u32) -> [u32; 8] {
    // 0 and -0 are equal; adding 0 makes 0 of both.
    let bits = |x: f32| (x + 0.0).to_bits();
    let ([a, b, c], [d, e, f]) = (surface.position(vertex).to_array(), surface.normal(vertex).to_array());
    let [g, h] = surface.uv(vertex).to_array();
    [bits(a), bits(b), bits(c), bits(d), bits(e), bits(f), bits(g), bits(h)]
}

fn hash(key: [u32; 8]) -> u32 {
    let mut hash = 0u64;
    for word in key {
        hash = (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    (hash >> 32) as u32
}
