//! Triangles without an area in the picture, which go with any other: each is laid as the first group that reaches it.
//!
//! Groups are made in the order of the corners that they begin with, all over the surface, so these triangles are decided one after another, before
//! anything is done vertex by vertex. Only the vertices of such triangles have to be looked at.

use super::neighbours::{Neighbours, reach};
use super::triangles::Triangles;
use crate::fit::buckets::Buckets;

/// Decides how each triangle is laid that goes with any.
pub fn decide(triangles: &mut Triangles<'_>, corners: &Buckets<u32>) {
    if !triangles.kinds.iter().any(|kind| kind.goes_with_any()) {
        return;
    }
    // All lists go by the place of a corner among those of all vertices; what belongs to other vertices is never touched.
    let mut after = vec![0; corners.len()];
    let mut before = vec![0; corners.len()];
    let mut is_grouped = vec![false; corners.len()];
    let mut is_known = vec![false; corners.count()];
    let mut neighbours = Neighbours::default();
    for (triangle, kind) in triangles.vertices.iter().zip(&triangles.kinds) {
        for &vertex in triangle.iter().filter(|_| kind.goes_with_any()) {
            let is_new = is_known.get_mut(vertex as usize).is_some_and(|known| !std::mem::replace(known, true));
            let places = corners.range(vertex as usize).filter(|_| is_new);
            let lists = places.and_then(|places| after.get_mut(places.clone()).zip(before.get_mut(places)));
            if let Some((after, before)) = lists {
                neighbours.find(triangles, corners.of(vertex as usize));
                after.copy_from_slice(&neighbours.after);
                before.copy_from_slice(&neighbours.before);
            }
        }
    }
    let mut is_decided = vec![false; triangles.kinds.len()];
    for corner in 0..corners.len() as u32 {
        let kind = triangles.kind(corner);
        let vertex = triangles.corner(corner).here as usize;
        if kind.is_degenerate() || kind.goes_with_any() || is_known.get(vertex) != Some(&true) {
            continue;
        }
        let around = corners.of(vertex);
        let (Ok(start), Some(places)) = (around.binary_search(&corner), corners.range(vertex)) else { continue };
        let lists = (after.get(places.clone()), before.get(places.clone()), is_grouped.get_mut(places));
        let (Some(after), Some(before), Some(is_grouped)) = lists else { continue };
        if is_grouped.get(start) == Some(&true) {
            continue;
        }
        reach(start as u32, after, before, |at| {
            let (Some(grouped), Some(&corner)) = (is_grouped.get_mut(at as usize), around.get(at as usize)) else {
                return false;
            };
            let triangle = corner as usize / 3;
            let (Some(other), Some(decided)) = (triangles.kinds.get_mut(triangle), is_decided.get_mut(triangle)) else {
                return false;
            };
            if other.goes_with_any() && !*grouped && !std::mem::replace(decided, true) {
                other.turn(kind.is_upright());
            }
            let joins = !*grouped && other.is_upright() == kind.is_upright();
            *grouped |= joins;
            joins
        });
    }
}
