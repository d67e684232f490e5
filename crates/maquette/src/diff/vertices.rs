//! What corners have besides their position: directions, coordinates, colours. Each mesh is told of by itself.

use super::corners::{Corners, Drawn, Pair};
use super::surfaces::moved_by;
use super::{Found, there};
use maquette_scene::Scene;
use maquette_scene::glam::Vec3;
use maquette_scene::material::UvTransform;
use std::collections::BTreeMap;

/// Directions may differ by this, in degrees.
const DEGREES: f32 = 0.5;

/// Compares every corner.
pub fn compare(scenes: [&Scene; 2], corners: &Corners<'_>, found: &mut Found) {
    // Where a skeleton holds the model in another pose, directions differ with it.
    if corners.agree_at_rest || !(corners.a.is_skinned() || corners.b.is_skinned()) {
        let angle = |pair: &Pair<'_, '_>| Some(degrees(normal(pair, Of::A)?, normal(pair, Of::B)?));
        directions("normals", corners, angle, found);
        tangents(corners, found);
    }
    influences(corners, found);
    texture_coordinates(scenes, corners, found);
    colours(corners, found);
}

/// For each mesh of the first scene, how many of its corners differ by more than `allowed`, and by how much at most.
fn worst(
    corners: &Corners<'_>,
    apart: impl Fn(&Pair<'_, '_>) -> Option<f32>,
    allowed: f32,
) -> BTreeMap<String, (usize, f32)> {
    let mut worst: BTreeMap<String, (usize, f32)> = BTreeMap::new();
    for pair in corners.pairs() {
        let Some(apart) = apart(&pair).filter(|apart| *apart > allowed) else { continue };
        // Most corners do not differ, and need no copy of a name.
        let (count, largest) = worst.entry(pair.a.0.subject.clone()).or_default();
        *count += 1;
        *largest = largest.max(apart);
    }
    worst
}

/// The parts that both scenes draw, by the meshes of the first.
fn by_mesh<'c, 's>(corners: &'c Corners<'s>) -> BTreeMap<&'c str, Vec<(&'c Drawn<'s>, &'c Drawn<'s>)>> {
    let mut meshes: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for (a, b) in corners.drawn() {
        meshes.entry(a.subject.as_str()).or_default().push((a, b));
    }
    meshes
}

#[derive(Clone, Copy)]
enum Of {
    A,
    B,
}

/// The normal of a corner at rest; the face's where there are none.
fn normal(pair: &Pair<'_, '_>, of: Of) -> Option<Vec3> {
    let ((drawn, vertex), flat) = match of {
        Of::A => (pair.a, pair.flat_a),
        Of::B => (pair.b, pair.flat_b),
    };
    let stored = drawn.primitive.streams.normals.as_ref().and_then(|normals| normals.get(vertex));
    let Some(&stored) = stored else { return flat.try_normalize() };
    let turn = drawn.turn(vertex);
    let turn = if turn.determinant() == 0.0 { turn } else { turn.inverse().transpose() };
    (turn * Vec3::from(stored)).try_normalize()
}

fn tangent((drawn, vertex): (&Drawn<'_>, usize)) -> Option<(Vec3, f32)> {
    let &[x, y, z, sign] = drawn.primitive.streams.tangents.as_ref()?.get(vertex)?;
    let turn = drawn.turn(vertex);
    Some(((turn * Vec3::new(x, y, z)).try_normalize()?, sign * turn.determinant().signum()))
}

fn degrees(a: Vec3, b: Vec3) -> f32 {
    // The arc cosine of numbers near 1 would be too coarse.
    a.cross(b).length().atan2(a.dot(b)).to_degrees()
}

fn directions(
    what: &'static str,
    corners: &Corners<'_>,
    angle: impl Fn(&Pair<'_, '_>) -> Option<f32>,
    found: &mut Found,
) {
    for (mesh, (count, largest)) in worst(corners, angle, DEGREES) {
        let text = format!("those of {count} corners are up to {largest}° apart");
        found.push(what, &mesh, "", text, Some(largest.into()));
    }
}

fn tangents(corners: &Corners<'_>, found: &mut Found) {
    let has = |drawn: &Drawn<'_>| drawn.primitive.streams.tangents.is_some();
    for (mesh, pairs) in by_mesh(corners) {
        let (a, b) = (pairs.iter().any(|(a, _)| has(a)), pairs.iter().any(|(_, b)| has(b)));
        found.unequal("tangents", mesh, there(a), there(b));
    }
    let angle = |pair: &Pair<'_, '_>| {
        let ((a, sign_a), (b, sign_b)) = (tangent(pair.a)?, tangent(pair.b)?);
        Some(if sign_a == sign_b { degrees(a, b) } else { 180.0 })
    };
    directions("tangents", corners, angle, found);
}

/// The most joints that move one vertex.
fn most_influences(drawn: &Drawn<'_>) -> usize {
    let Some(influences) = drawn.primitive.streams.influences.as_ref().filter(|_| drawn.is_skinned()) else { return 0 };
    (0..drawn.primitive.streams.len()).map(|vertex| influences.of(vertex).count()).max().unwrap_or(0)
}

fn influences(corners: &Corners<'_>, found: &mut Found) {
    for (mesh, pairs) in by_mesh(corners) {
        let a = pairs.iter().map(|(a, _)| most_influences(a)).max().unwrap_or(0);
        let b = pairs.iter().map(|(_, b)| most_influences(b)).max().unwrap_or(0);
        found.count("influences", mesh, a, b);
    }
}

/// The sets of texture coordinates that tell one place of a picture from another.
fn uv_sets(drawn: &Drawn<'_>) -> usize {
    let sets = drawn.primitive.streams.uvs.iter().enumerate();
    let telling = sets.filter(|(_, set)| set.iter().any(|uv| Some(uv) != set.first()));
    telling.map(|(index, _)| index + 1).max().unwrap_or(0)
}

/// What moves the first texture that lies on a set of a part.
fn transform(scene: &Scene, drawn: &Drawn<'_>, set: usize) -> Option<UvTransform> {
    let material = scene.materials.get(drawn.primitive.material?)?;
    let mut textures = material.pbr()?.textures();
    textures.find(|(_, texture)| texture.uv_set as usize == set).and_then(|(_, texture)| texture.transform)
}

/// Sets are alike where their numbers are, or where pictures lie that are moved on them.
fn texture_coordinates([scene_a, scene_b]: [&Scene; 2], corners: &Corners<'_>, found: &mut Found) {
    let mut most = 0;
    for (mesh, pairs) in by_mesh(corners) {
        let a = pairs.iter().map(|(a, _)| uv_sets(a)).max().unwrap_or(0);
        let b = pairs.iter().map(|(_, b)| uv_sets(b)).max().unwrap_or(0);
        found.count("UV sets", mesh, a, b);
        most = most.max(a.min(b));
    }
    for set in 0..most {
        let of = |(drawn, vertex): (&Drawn<'_>, usize)| drawn.primitive.streams.uvs.get(set)?.get(vertex).copied();
        let apart = |pair: &Pair<'_, '_>| {
            let (a, b) = (of(pair.a)?, of(pair.b)?);
            let moved_a = moved_by(transform(scene_a, pair.a.0, set), a);
            let moved_b = moved_by(transform(scene_b, pair.b.0, set), b);
            let apart = |[u, v]: [f32; 2], [s, t]: [f32; 2]| (u - s).abs().max((v - t).abs());
            Some(apart(a, b).min(apart(moved_a, moved_b)))
        };
        for (mesh, (count, largest)) in worst(corners, apart, found.tolerance.max(1e-5) as f32) {
            let text = format!("those of {count} corners are up to {largest} of a picture apart");
            found.push("texture coordinates", &mesh, format!("set {set}"), text, Some(largest.into()));
        }
    }
}

fn colours(corners: &Corners<'_>, found: &mut Found) {
    let sets = |drawn: &[Drawn<'_>]| drawn.iter().map(|drawn| drawn.primitive.streams.colours.len()).max().unwrap_or(0);
    for set in 0..sets(&corners.a.drawn).max(sets(&corners.b.drawn)) {
        let of = |(drawn, vertex): (&Drawn<'_>, usize)| {
            drawn.primitive.streams.colours.get(set).and_then(|set| set.get(vertex)).copied().unwrap_or([1.0; 4])
        };
        let apart = |pair: &Pair<'_, '_>| {
            let (a, b) = (of(pair.a), of(pair.b));
            Some(a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max))
        };
        for (mesh, (count, largest)) in worst(corners, apart, found.tolerance.max(1.0 / 255.0) as f32) {
            let text = format!("those of {count} corners are up to {largest} of full strength apart");
            found.push("vertex colours", &mesh, format!("set {set}"), text, Some(largest.into()));
        }
    }
}
