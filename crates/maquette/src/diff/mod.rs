//! What differs in meaning between two files, of one format or of two, in units of the model.
//!
//! Both are read into scenes. Geometry is compared where it shows: the corners of every triangle, at rest and at many moments of
//! every clip, so that it does not matter whether vertices are shared, how nodes are nested or which way a transform is stored.
//! What is as good as absent counts as absent: no normals are flat normals, no colours are white. Where there is no geometry
//! to be seen, clips are compared bone by bone and materials by their names.
//!
//! The second scene is held against the first. Where the first leaves something open, such as whether a clip repeats, any answer
//! of the second will do. What readers let go, because a scene has no place for it, is compared by [`beyond()`].

mod beyond;
mod corners;
mod images;
mod motion;
mod names;
mod one_pixel;
mod outlines;
mod places;
mod reorder;
mod surfaces;
mod tracks;
mod vertices;

pub use beyond::{Beyond, beyond};

use crate::fit::{Excess, Limits};
use crate::ops::unpack_with;
use corners::Corners;
use images::Compared;
use maquette_scene::Scene;
use maquette_scene::loss::{LossReport, subject};
use maquette_scene::mesh::Topology;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// One difference.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// What differs: `triangles`, `motion`, `node names`, ..
    pub what: &'static str,
    /// Of what, as losses call it: `clip "walk"`; empty for the whole.
    pub subject: String,
    /// In the first file.
    pub a: String,
    /// In the second file.
    pub b: String,
    /// How large, in units of the model, seconds, degrees or parts of full strength; null for what has no size.
    pub size: Option<f64>,
    /// How far pixels are apart: the ratio of full strength to the mean error, in dB; null for all else.
    pub psnr_db: Option<f64>,
}

/// Everything that differs by more than `tolerance`: a part of the model's size for lengths, seconds for times. Colours may
/// differ by a step of eight bits and directions by half a degree, if `tolerance` does not allow more; pixels that mean the same by the same
/// numbers by `tolerance` of full strength.
pub fn diff(a: &Scene, b: &Scene, tolerance: f64) -> Result<Vec<Difference>, Excess> {
    diff_with(a, b, tolerance, &Limits::DEFAULT)
}

/// As [`diff`], with other limits to what may be made of packed maps.
pub fn diff_with(a: &Scene, b: &Scene, tolerance: f64, limits: &Limits) -> Result<Vec<Difference>, Excess> {
    let (a, b) = (&*unpacked(a, limits)?, &*unpacked(b, limits)?);
    let mut found = Found { differences: Vec::new(), tolerance, compared: Compared::default() };
    counts(a, b, &mut found);
    let corners = Corners::pair(a, b, &mut found).filter(|corners| corners.faces() > 0);
    motion::compare(a, b, &corners, &mut found);
    match &corners {
        Some(corners) => {
            vertices::compare([a, b], corners, &mut found);
            surfaces::of_faces(a, b, corners, &mut found);
        }
        None => surfaces::by_name(a, b, &mut found),
    }
    places::compare(a, b, &mut found);
    names::compare(a, b, &mut found);
    Ok(found.differences)
}

/// The scene with ordinary materials, which all can be compared by.
fn unpacked<'s>(scene: &'s Scene, limits: &Limits) -> Result<Cow<'s, Scene>, Excess> {
    if scene.materials.iter().all(|material| material.packed().is_none()) {
        return Ok(Cow::Borrowed(scene));
    }
    let mut scene = scene.clone();
    unpack_with(&mut scene, limits, &mut LossReport::default())?;
    Ok(Cow::Owned(scene))
}

/// What was found so far, and what is allowed.
struct Found {
    differences: Vec<Difference>,
    tolerance: f64,
    compared: Compared,
}

impl Found {
    fn push(&mut self, what: &'static str, subject: &str, a: impl ToString, b: impl ToString, size: Option<f64>) {
        let (subject, a, b) = (subject.to_owned(), a.to_string(), b.to_string());
        self.differences.push(Difference { what, subject, a, b, size, psnr_db: None });
    }

    /// A difference between two numbers of things.
    fn count(&mut self, what: &'static str, subject: &str, a: usize, b: usize) {
        if a != b {
            self.push(what, subject, a, b, Some((a as f64 - b as f64).abs()));
        }
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

fn counts(a: &Scene, b: &Scene, found: &mut Found) {
    let joints = |scene: &Scene| scene.skins.iter().flat_map(|skin| &skin.joints).collect::<BTreeSet<_>>().len();
    let rows = [
        ("triangles", faces_of(a, Topology::Triangles), faces_of(b, Topology::Triangles)),
        ("lines", faces_of(a, Topology::Lines), faces_of(b, Topology::Lines)),
        ("joints", joints(a), joints(b)),
        ("clips", a.clips.len(), b.clips.len()),
    ];
    for (what, a, b) in rows {
        found.count(what, "", a, b);
    }
    morph_targets(a, b, found);
}

/// The morph targets of meshes, each told of by its mesh where the meshes are as many.
fn morph_targets(a: &Scene, b: &Scene, found: &mut Found) {
    let count = |scene: &Scene| scene.meshes.iter().map(|mesh| mesh.morph_weights.len()).collect::<Vec<_>>();
    let (counts_a, counts_b) = (count(a), count(b));
    if counts_a.len() != counts_b.len() {
        return found.count("morph targets", "", counts_a.iter().sum(), counts_b.iter().sum());
    }
    for ((index, mesh), (count_a, count_b)) in a.meshes.iter().enumerate().zip(counts_a.into_iter().zip(counts_b)) {
        found.count("morph targets", &subject("mesh", index, &mesh.name), count_a, count_b);
    }
}

#[cfg(test)]
mod tests;
