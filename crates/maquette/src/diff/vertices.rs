//! What corners have beside their place: directions, coordinates, colours.

use super::corners::{Corners, Drawn, Pair};
use super::{Found, there};
use maquette_scene::glam::Vec3;

/// Directions may differ by this, in degrees.
const DEGREES: f32 = 0.5;

/// Compares every corner.
pub fn compare(corners: &Corners<'_>, found: &mut Found) {
    // Where a skeleton holds the model in another pose, directions differ with it.
    if corners.agree_at_rest || !(corners.a.is_skinned() || corners.b.is_skinned()) {
        let angles = corners.pairs().filter_map(|pair| Some(degrees(normal(&pair, Of::A)?, normal(&pair, Of::B)?)));
        directions("normals", angles, found);
        tangents(corners, found);
    }
    texture_coordinates(corners, found);
    colours(corners, found);
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

fn directions(what: &'static str, angles: impl Iterator<Item = f32>, found: &mut Found) {
    let (mut count, mut largest) = (0, 0.0);
    for angle in angles.filter(|angle| *angle > DEGREES) {
        count += 1;
        largest = f32::max(largest, angle);
    }
    if count > 0 {
        let text = format!("those of {count} corners are up to {largest}° apart");
        found.push(what, "", "", text, Some(largest.into()));
    }
}

fn tangents(corners: &Corners<'_>, found: &mut Found) {
    let any = |primitives: &[Drawn<'_>]| primitives.iter().any(|drawn| drawn.primitive.streams.tangents.is_some());
    let (a, b) = (any(&corners.a.drawn), any(&corners.b.drawn));
    found.unequal("tangents", "", there(a), there(b));
    let angles = corners.pairs().filter_map(|pair| {
        let ((a, sign_a), (b, sign_b)) = (tangent(pair.a)?, tangent(pair.b)?);
        Some(if sign_a == sign_b { degrees(a, b) } else { 180.0 })
    });
    directions("tangents", angles, found);
}

/// The sets of texture coordinates that tell one place of a picture from another.
fn uv_sets(primitives: &[Drawn<'_>]) -> usize {
    let sets = primitives.iter().flat_map(|drawn| drawn.primitive.streams.uvs.iter().enumerate());
    let telling = sets.filter(|(_, set)| set.iter().any(|uv| Some(uv) != set.first()));
    telling.map(|(index, _)| index + 1).max().unwrap_or(0)
}

fn texture_coordinates(corners: &Corners<'_>, found: &mut Found) {
    let (sets_a, sets_b) = (uv_sets(&corners.a.drawn), uv_sets(&corners.b.drawn));
    found.unequal("UV sets", "", sets_a, sets_b);
    for set in 0..sets_a.min(sets_b) {
        let of = |(drawn, vertex): (&Drawn<'_>, usize)| drawn.primitive.streams.uvs.get(set)?.get(vertex).copied();
        let between = |pair: Pair<'_, '_>| Some((of(pair.a)?, of(pair.b)?));
        let apart = |([u, v], [s, t]): ([f32; 2], [f32; 2])| (u - s).abs().max((v - t).abs());
        let largest = corners.pairs().filter_map(between).map(apart).fold(0.0, f32::max);
        if f64::from(largest) > found.tolerance.max(1e-5) {
            let text = format!("up to {largest} of a picture apart");
            found.push("texture coordinates", &format!("set {set}"), "", text, Some(largest.into()));
        }
    }
}

fn colours(corners: &Corners<'_>, found: &mut Found) {
    let sets = |primitives: &[Drawn<'_>]| {
        primitives.iter().map(|drawn| drawn.primitive.streams.colours.len()).max().unwrap_or(0)
    };
    for set in 0..sets(&corners.a.drawn).max(sets(&corners.b.drawn)) {
        let of = |(drawn, vertex): (&Drawn<'_>, usize)| {
            drawn.primitive.streams.colours.get(set).and_then(|set| set.get(vertex)).copied().unwrap_or([1.0; 4])
        };
        let between = |pair: Pair<'_, '_>| {
            let (a, b) = (of(pair.a), of(pair.b));
            a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
        };
        let largest = corners.pairs().map(between).fold(0.0, f32::max);
        if f64::from(largest) > found.tolerance.max(1.0 / 255.0) {
            let text = format!("up to {largest} of full strength apart");
            found.push("vertex colours", &format!("set {set}"), "", text, Some(largest.into()));
        }
    }
}
