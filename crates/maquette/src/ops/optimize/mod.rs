//! Geometry in the order that graphics hardware likes best; what is drawn stays the same.
//!
//! In this order: equal vertices become one, triangles that share vertices come one after another (`cache`), groups of triangles that
//! hide others come first (`overdraw`), and vertices are stored in the order of their use (`fetch`). Each is a
//! pass in linear time, whatever the mesh. Triangles that are mixed with what is behind them keep their order, because there it shows.
//! A part that costs less as it was, as one that came from such a tool may, stays so.

mod cache;
mod fetch;
mod measure;
mod overdraw;

use crate::fit::weld::weld_part;
use maquette_scene::Scene;
use maquette_scene::material::AlphaMode;
use maquette_scene::mesh::{Part, Topology};
use measure::Cost;
use rayon::prelude::*;
use serde::Serialize;

/// A number before and after.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// What it counts.
    pub what: &'static str,
    /// Before.
    pub before: f64,
    /// After.
    pub after: f64,
}

/// Reorders all geometry, and tells what that gained.
pub fn optimize(scene: &mut Scene) -> Vec<Figure> {
    let blended: Vec<bool> = scene.materials.iter().map(|material| material.alpha == AlphaMode::Blend).collect();
    let mut parts: Vec<&mut Part> = scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.parts).collect();
    let costs = parts.par_iter_mut().map(|part| {
        let before = Cost::of(part);
        let material = part.material.and_then(|material| blended.get(material.index()));
        let may_reorder = part.topology == Topology::Triangles && material != Some(&true);
        weld_part(part);
        let as_it_was = part.clone();
        if may_reorder {
            let order = cache::order(&part.indices, part.streams.len());
            part.indices = overdraw::order(&order, &part.streams.positions);
        }
        fetch::order(part);
        if Cost::of(&as_it_was).is_less_than(&Cost::of(part)) {
            **part = as_it_was;
        }
        [before, Cost::of(part)]
    });
    let [before, after] = costs.reduce(Default::default, |[a, b], [c, d]| [a + c, b + d]);
    Cost::figures(&before, &after)
}

#[cfg(test)]
mod tests;
