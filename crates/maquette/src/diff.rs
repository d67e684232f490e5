//! What differs in meaning between two files, of one format or of two, in physical units.
//!
//! Both are read into scenes. Geometry is compared where it shows: the corners of every triangle, at rest and at many moments of
//! every clip, so that it does not matter whether vertices are shared, how nodes are nested or which way a transform is stored.

use maquette_scene::clip::Clip;
use maquette_scene::glam::Vec3;
use maquette_scene::mesh::Topology;
use maquette_scene::{Scene, pose};
use serde::Serialize;
use std::collections::BTreeSet;

/// Moments of a clip at which poses are compared.
const MOMENTS: u32 = 32;

/// One difference.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// What differs: `triangles`, `motion`, `joint names`, ..
    pub what: &'static str,
    /// Of what: `clip "walk"`; empty for the whole.
    pub subject: String,
    /// In the first file.
    pub a: String,
    /// In the second file.
    pub b: String,
    /// How large, in units of the model or in seconds; null for what has no size.
    pub size: Option<f64>,
}

/// Everything that differs by more than `tolerance`, a part of the model's size for lengths and seconds for times.
pub fn diff(a: &Scene, b: &Scene, tolerance: f64) -> Vec<Difference> {
    let mut found = Vec::new();
    counts(a, b, &mut found);
    let size = extent(&pose::positions_at_rest(a)).max(extent(&pose::positions_at_rest(b)));
    let allowed = (tolerance * f64::from(size)) as f32;
    shape(a, b, allowed, &mut found);
    joints(a, b, &mut found);
    clips(a, b, tolerance, allowed, &mut found);
    materials(a, b, tolerance, &mut found);
    found
}

fn push(
    found: &mut Vec<Difference>,
    what: &'static str,
    subject: &str,
    a: impl ToString,
    b: impl ToString,
    size: Option<f64>,
) {
    found.push(Difference { what, subject: subject.into(), a: a.to_string(), b: b.to_string(), size });
}

/// The diagonal of the box around these points.
fn extent(points: &[Vec3]) -> f32 {
    let low = points.iter().fold(Vec3::INFINITY, |low, &point| low.min(point));
    let high = points.iter().fold(Vec3::NEG_INFINITY, |high, &point| high.max(point));
    if points.is_empty() { 0.0 } else { low.distance(high) }
}

fn faces_of(scene: &Scene, topology: Topology) -> usize {
    let meshes = scene.nodes.iter().filter_map(|node| scene.meshes.get(node.mesh?));
    let parts = meshes.flat_map(|mesh| &mesh.parts).filter(|part| part.topology == topology);
    parts.map(|part| part.indices.len() / topology.corners()).sum()
}

fn counts(a: &Scene, b: &Scene, found: &mut Vec<Difference>) {
    let joints = |scene: &Scene| scene.skins.iter().flat_map(|skin| &skin.joints).collect::<BTreeSet<_>>().len();
    let morphs = |scene: &Scene| scene.meshes.iter().map(|mesh| mesh.morph_weights.len()).sum::<usize>();
    let rows = [
        ("triangles", faces_of(a, Topology::Triangles), faces_of(b, Topology::Triangles)),
        ("lines", faces_of(a, Topology::Lines), faces_of(b, Topology::Lines)),
        ("joints", joints(a), joints(b)),
        ("clips", a.clips.len(), b.clips.len()),
        ("morph targets", morphs(a), morphs(b)),
    ];
    for (what, a, b) in rows {
        if a != b {
            push(found, what, "", a, b, Some((a as f64 - b as f64).abs()));
        }
    }
}

/// The largest distance between corners of the same triangle, whichever way round it is listed; `None` if the numbers of
/// triangles differ.
fn largest_distance(a: &[Vec3], a_faces: &[[usize; 3]], b: &[Vec3], b_faces: &[[usize; 3]]) -> Option<f32> {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    if a_faces.len() != b_faces.len() {
        return None;
    }
    let corners =
        |points: &[Vec3], face: &[usize; 3]| face.map(|corner| points.get(corner).copied().unwrap_or(Vec3::NAN));
    let between = |(face_a, face_b): (&[usize; 3], &[usize; 3])| {
        let (face_a, face_b) = (corners(a, face_a), corners(b, face_b));
        let apart = |order: [usize; 3]| {
            let others = order.iter().filter_map(|&corner| face_b.get(corner));
            face_a.iter().zip(others).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
        };
        ORDERS.into_iter().map(apart).fold(f32::INFINITY, f32::min)
    };
    Some(a_faces.iter().zip(b_faces).map(between).fold(0.0, f32::max))
}

fn shape(a: &Scene, b: &Scene, allowed: f32, found: &mut Vec<Difference>) {
    let (rest_a, rest_b) = (pose::positions_at_rest(a), pose::positions_at_rest(b));
    match largest_distance(&rest_a, &pose::faces(a), &rest_b, &pose::faces(b)) {
        Some(apart) if apart > allowed => {
            push(found, "shape at rest", "", "", format!("corners are up to {apart} apart"), Some(apart.into()));
        }
        Some(_) => {}
        None => push(found, "shape at rest", "", extent(&rest_a), extent(&rest_b), None),
    }
}

fn joints(a: &Scene, b: &Scene, found: &mut Vec<Difference>) {
    let names = |scene: &Scene| {
        let joints = scene.skins.iter().flat_map(|skin| &skin.joints);
        joints.filter_map(|&joint| Some(scene.nodes.get(joint)?.name.clone())).collect::<BTreeSet<_>>()
    };
    let (a, b) = (names(a), names(b));
    let only = |these: &BTreeSet<String>, those: &BTreeSet<String>| {
        these.difference(those).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
    };
    if a != b {
        push(found, "joint names", "", only(&a, &b), only(&b, &a), None);
    }
}

fn clips(a: &Scene, b: &Scene, tolerance: f64, allowed: f32, found: &mut Vec<Difference>) {
    let (faces_a, faces_b) = (pose::faces(a), pose::faces(b));
    for (index, clip) in a.clips.iter().enumerate() {
        let subject = format!("clip {:?}", clip.name);
        let Some(other) = partner(clip, index, b) else {
            push(found, "clips", &subject, "there", "missing", None);
            continue;
        };
        if clip.name != other.name {
            push(found, "clip names", &subject, &clip.name, &other.name, None);
        }
        let apart = (clip.duration_secs - other.duration_secs).abs();
        if apart > tolerance.max(1e-9) {
            push(
                found,
                "duration",
                &subject,
                format!("{} s", clip.duration_secs),
                format!("{} s", other.duration_secs),
                Some(apart),
            );
        }
        if clip.events != other.events {
            push(found, "events", &subject, clip.events.len(), other.events.len(), None);
        }
        let moments = (0..=MOMENTS).map(|moment| clip.duration_secs as f32 * moment as f32 / MOMENTS as f32);
        let distances = moments.filter_map(|secs| {
            let (at_a, at_b) = (pose::positions_at(a, clip, secs), pose::positions_at(b, other, secs));
            largest_distance(&at_a, &faces_a, &at_b, &faces_b)
        });
        let largest = distances.fold(0.0, f32::max);
        if largest > allowed {
            push(found, "motion", &subject, "", format!("corners are up to {largest} apart"), Some(largest.into()));
        }
    }
}

/// The clip of the same name, or in the same place where names do not tell.
fn partner<'b>(clip: &Clip, index: usize, scene: &'b Scene) -> Option<&'b Clip> {
    let named = scene.clips.iter().find(|other| !clip.name.is_empty() && other.name == clip.name);
    named.or_else(|| scene.clips.iter().nth(index))
}

fn materials(a: &Scene, b: &Scene, tolerance: f64, found: &mut Vec<Difference>) {
    let used = |scene: &Scene| {
        let meshes = scene.nodes.iter().filter_map(|node| scene.meshes.get(node.mesh?));
        let parts: Vec<_> = meshes.flat_map(|mesh| &mesh.parts).map(|part| part.material).collect();
        parts.into_iter().map(|material| material.and_then(|m| scene.materials.get(m)).cloned()).collect::<Vec<_>>()
    };
    for (index, (a, b)) in used(a).iter().zip(&used(b)).enumerate() {
        let (Some(a), Some(b)) = (a, b) else {
            if a.is_some() != b.is_some() {
                push(found, "materials", &format!("part {index}"), there(a.is_some()), there(b.is_some()), None);
            }
            continue;
        };
        let subject = format!("material of part {index}");
        let numbers = |m: &maquette_scene::material::Material| {
            [m.metallic, m.roughness].into_iter().chain(m.base_colour).chain(m.emissive).collect::<Vec<f32>>()
        };
        let apart = numbers(a).iter().zip(numbers(b)).map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max);
        if apart > tolerance.max(1.0 / 255.0) {
            push(
                found,
                "material factors",
                &subject,
                format!("{:?}", numbers(a)),
                format!("{:?}", numbers(b)),
                Some(apart),
            );
        }
        let textures =
            |m: &maquette_scene::material::Material| m.textures().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
        if textures(a) != textures(b) {
            push(found, "textures", &subject, textures(a), textures(b), None);
        }
    }
}

fn there(is: bool) -> &'static str {
    if is { "there" } else { "missing" }
}
