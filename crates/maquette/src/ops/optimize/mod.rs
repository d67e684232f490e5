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

use crate::fit::weld::weld_primitive;
use crate::progress::Progress;
use maquette_scene::Scene;
use maquette_scene::material::AlphaMode;
use maquette_scene::mesh::{Primitive, Topology};
use measure::Cost;
use rayon::prelude::*;
use serde::Serialize;

/// A number before and after.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Figure {
    /// What it counts.
    pub what: &'static str,
    /// Its value for the geometry as it was.
    pub before: f64,
    /// Its value for the geometry as it is written.
    pub after: f64,
}

/// Reorders all geometry, and tells what that gained.
pub fn optimize(scene: &mut Scene) -> Vec<Figure> {
    optimize_with(scene, &Progress::default())
}

/// As [`optimize`], telling how far it is.
pub(crate) fn optimize_with(scene: &mut Scene, progress: &Progress) -> Vec<Figure> {
    let blended: Vec<bool> = scene.materials.iter().map(|material| material.alpha == AlphaMode::Blend).collect();
    let mut primitives: Vec<&mut Primitive> = scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives).collect();
    let stage = progress.stage("optimizing meshes", primitives.len());
    let costs = primitives.par_iter_mut().map(|primitive| {
        let (before, vertices) = (Cost::of(primitive), primitive.streams.len());
        let material = primitive.material.and_then(|material| blended.get(material.index()));
        let may_reorder = primitive.topology == Topology::Triangles && material != Some(&true);
        weld_primitive(primitive);
        fetch::drop_unused(primitive);
        let as_it_was = primitive.clone();
        let is_welded = as_it_was.streams.len() != vertices;
        let cost_as_it_was = if is_welded { Cost::of(&as_it_was) } else { before };
        if may_reorder {
            let order = cache::order(&primitive.indices, primitive.streams.len());
            primitive.indices = overdraw::order(&order, &primitive.streams.positions);
        }
        fetch::order(primitive);
        let cost = Cost::of(primitive);
        if cost_as_it_was.is_less_than(&cost) {
            **primitive = as_it_was;
            stage.step();
            return [before, cost_as_it_was];
        }
        stage.step();
        [before, cost]
    });
    let [before, after] = costs.reduce(Default::default, |[a, b], [c, d]| [a + c, b + d]);
    Cost::figures(&before, &after)
}

#[cfg(test)]
mod tests;
