//! Vertices that agree in position, normal and texture coordinates are one.

use super::Surface;
use crate::fit::alike::{self, FOR_ONE_CORE, first_alike};
use rayon::prelude::*;

/// For each vertex the first that is equal to it; nothing where no two are.
pub fn weld(surface: &Surface<'_>) -> Option<Vec<u32>> {
    let hash = |vertex: u32| (key(surface, vertex).into_iter().fold(0, alike::hash) >> 32) as u32;
    let vertices = (0..surface.positions.len() as u32).into_par_iter().with_min_len(FOR_ONE_CORE);
    let hashes: Vec<u32> = vertices.map(hash).collect();
    let welded = first_alike(&hashes, |a, b| key(surface, a).cmp(&key(surface, b)));
    let is_welded = welded.iter().zip(0..).any(|(first, vertex)| *first != vertex);
    is_welded.then_some(welded)
}

/// The numbers of a vertex, so that equal numbers have equal bits.
fn key(surface: &Surface<'_>, vertex: u32) -> [u32; 8] {
    // 0 and -0 are equal; adding 0 makes 0 of both.
    let bits = |x: f32| (x + 0.0).to_bits();
    let ([a, b, c], [d, e, f]) = (surface.position(vertex).to_array(), surface.normal(vertex).to_array());
    let [g, h] = surface.uv(vertex).to_array();
    [bits(a), bits(b), bits(c), bits(d), bits(e), bits(f), bits(g), bits(h)]
}
