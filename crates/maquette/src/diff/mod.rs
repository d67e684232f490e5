//! What differs in meaning between two files, of one format or of two, in physical units.
//!
//! Both are read into scenes. Geometry is compared where it shows: the corners of every triangle, at rest and at many moments of
//! every clip, so that it does not matter whether vertices are shared, how nodes are nested or which way a transform is stored.
//! What is as good as absent counts as absent: no normals are flat normals, no colours are white, no unit is a metre.
//!
//! The second scene is held against the first. Where the first leaves something open, such as whether a clip repeats, any answer
//! of the second will do.

mod corners;
mod motion;
mod names;
mod reorder;
mod surfaces;
mod vertices;

use crate::ops::unpack;
use corners::Corners;
use maquette_scene::Scene;
use maquette_scene::loss::LossReport;
use maquette_scene::mesh::Topology;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// One difference.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// What differs: `triangles`, `motion`, `joint names`, ..
    pub what: &'static str,
    /// Of what: `clip "walk"`; empty for the whole.
    pub subject: String,
    /// In the first file.
    pub a: String,
    /// In the second file.
    pub b: String,
    /// How large, in metres, seconds, degrees or parts of full strength; null for what has no size.
    pub size: Option<f64>,
}

/// Everything that differs by more than `tolerance`: a part of the model's size for lengths, seconds for times. Colours may
/// differ by a step of eight bits and directions by half a degree, if `tolerance` does not allow more.
pub fn diff(a: &Scene, b: &Scene, tolerance: f64) -> Vec<Difference> {
    let (a, b) = (&*unpacked(a), &*unpacked(b));
    let mut found = Found { differences: Vec::new(), tolerance };
    counts(a, b, &mut found);
    let corners = Corners::pair(a, b, &mut found);
    motion::compare(a, b, &corners, &mut found);
    if let Some(corners) = &corners {
        vertices::compare(corners, &mut found);
        surfaces::compare(a, b, corners, &mut found);
    }
    names::compare(a, b, &mut found);
    found.differences
}

/// The scene with ordinary materials, which all can be compared by.
fn unpacked(scene: &Scene) -> Cow<'_, Scene> {
    if scene.materials.iter().all(|material| material.packed().is_none()) {
        return Cow::Borrowed(scene);
    }
    let mut scene = scene.clone();
    unpack(&mut scene, &mut LossReport::default());
    Cow::Owned(scene)
}

/// What was found so far, and what is allowed.
struct Found {
    differences: Vec<Difference>,
    tolerance: f64,
}

impl Found {
    fn push(&mut self, what: &'static str, subject: &str, a: impl ToString, b: impl ToString, size: Option<f64>) {
        let (subject, a, b) = (subject.to_owned(), a.to_string(), b.to_string());
        self.differences.push(Difference { what, subject, a, b, size });
    }

    /// A difference between two things that have no size.
    fn unequal<T: PartialEq + ToString>(&mut self, what: &'static str, subject: &str, a: T, b: T) {
        if a != b {
            self.push(what, subject, a, b, None);
        }
    }
}

fn there(is: bool) -> &'static str {
    if is { "there" } else { "missing" }
}

fn faces_of(scene: &Scene, topology: Topology) -> usize {
    let meshes = scene.nodes.iter().filter_map(|node| scene.meshes.get(node.mesh?));
    let primitives = meshes.flat_map(|mesh| &mesh.primitives).filter(|primitive| primitive.topology == topology);
    primitives.map(|primitive| primitive.indices.len() / topology.corners()).sum()
}

/// The most joints that move one vertex.
fn influences(scene: &Scene) -> usize {
    let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let most = primitives.map(|primitive| {
        let influences = primitive.streams.influences.as_ref();
        let of = |vertex| influences.map_or(0, |influences| influences.of(vertex).count());
        (0..primitive.streams.len()).map(of).max().unwrap_or(0)
    });
    most.max().unwrap_or(0)
}

fn counts(a: &Scene, b: &Scene, found: &mut Found) {
    let joints = |scene: &Scene| scene.skins.iter().flat_map(|skin| &skin.joints).collect::<BTreeSet<_>>().len();
    let morphs = |scene: &Scene| scene.meshes.iter().map(|mesh| mesh.morph_weights.len()).sum::<usize>();
    let rows = [
        ("triangles", faces_of(a, Topology::Triangles), faces_of(b, Topology::Triangles)),
        ("lines", faces_of(a, Topology::Lines), faces_of(b, Topology::Lines)),
        ("joints", joints(a), joints(b)),
        ("influences", influences(a), influences(b)),
        ("clips", a.clips.len(), b.clips.len()),
        ("morph targets", morphs(a), morphs(b)),
    ];
    for (what, a, b) in rows {
        if a != b {
            found.push(what, "", a, b, Some((a as f64 - b as f64).abs()));
        }
    }
}

#[cfg(test)]
mod tests;
