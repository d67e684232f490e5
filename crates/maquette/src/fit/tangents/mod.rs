//! Tangents for vertices that have none: MikkTSpace's, which normal maps are baked for.
//!
//! The algorithm ([`mikktspace`]) wants V to run up, and here it runs down; it takes `1 - v`, so that the bitangent points where green of a
//! normal map does. A vertex whose corners get different tangents becomes several. Where no picture can be laid (no coordinates,
//! or none that span an area), any frame that fits the normal is as good as another, and the same normal gets the same one.

mod mikktspace;

use crate::progress::Progress;
use maquette_scene::Scene;
use maquette_scene::glam::{Vec2, Vec3};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::mesh::{Mesh, Primitive, Topology};
use mikktspace::Surface;
use rayon::prelude::*;
use std::collections::HashMap;

/// Gives tangents to every primitive that has none.
pub fn add(scene: &mut Scene, progress: &Progress, losses: &mut LossReport) {
    let stage = progress.stage("making tangents", scene.meshes.len());
    let mut meshes: Vec<&mut Mesh> = scene.meshes.iter_mut().collect();
    let work = |mesh: &mut &mut Mesh| {
        let without = |primitive: &&mut Primitive| primitive.streams.tangents.is_none();
        let made = |primitive: &mut Primitive| {
            add_to(primitive);
            primitive.streams.len() as u64
        };
        let made: u64 = mesh.primitives.par_iter_mut().filter(without).map(made).sum();
        let fixed: u64 = mesh.primitives.iter_mut().map(fix_degenerate).sum();
        stage.step();
        (made, fixed)
    };
    let counts: Vec<(u64, u64)> = meshes.par_iter_mut().map(work).collect();
    for (index, (mesh, (made, fixed))) in
        meshes.iter().zip(counts).enumerate().filter(|(_, (_, counts))| *counts != (0, 0))
    {
        let subject = subject("mesh", index, &mesh.name);
        losses.push(LossKind::Baked, Lost::Tangents, &subject, "tangents are made", made);
        let detail = "degenerate ones, along the normal, are replaced";
        losses.push(LossKind::Baked, Lost::Tangents, &subject, detail, fixed);
    }
}

/// Gives vertices whose tangent lies along the normal another one, because the two span no frame; how many there were.
fn fix_degenerate(primitive: &mut Primitive) -> u64 {
    let (Some(normals), Some(tangents)) = (&primitive.streams.normals, &mut primitive.streams.tangents) else {
        return 0;
    };
    let mut fixed = 0;
    for (tangent, &normal) in tangents.iter_mut().zip(normals) {
        let [x, y, z, sign] = *tangent;
        let across = Vec3::from(normal).normalize_or_zero().cross(Vec3::new(x, y, z).normalize_or_zero());
        if across.length() < 1e-3 {
            let [x, y, z, _] = perpendicular(normal);
            *tangent = [x, y, z, if sign < 0.0 { -1.0 } else { 1.0 }];
            fixed += 1;
        }
    }
    fixed
}

fn add_to(primitive: &mut Primitive) {
    let mut tangents = vec![None; primitive.streams.len()];
    if primitive.topology == Topology::Triangles && spans_an_area(primitive) {
        let corners = of_corners(primitive);
        tangents = split(primitive, &corners);
    }
    primitive.streams.tangents = Some(frames(primitive, &tangents));
}

/// The tangent of each corner; none where no picture is laid.
fn of_corners(primitive: &Primitive) -> Vec<Option<[f32; 4]>> {
    let streams = &primitive.streams;
    let mut tangents = mikktspace::tangents(&Surface {
        positions: &streams.positions,
        normals: streams.normals.as_deref().unwrap_or_default(),
        uvs: streams.uvs.first().map(Vec::as_slice).unwrap_or_default(),
        triangles: primitive.indices.as_chunks().0,
    });
    for tangent in &mut tangents {
        *tangent = tangent.filter(|&[x, y, z, _]| (Vec3::new(x, y, z).length() - 1.0).abs() < 1e-3);
    }
    tangents
}

/// Gives each corner's tangent to its vertex; a vertex that has another already gets a copy, at the end. The tangents of all vertices.
fn split(primitive: &mut Primitive, corners: &[Option<[f32; 4]>]) -> Vec<Option<[f32; 4]>> {
    let mut tangents = vec![None; primitive.streams.len()];
    let mut vertices: Vec<u32> = (0..primitive.streams.len() as u32).collect();
    let mut copies: HashMap<(u32, [u32; 4]), u32> = HashMap::new();
    for (index, corner) in primitive.indices.iter_mut().zip(corners) {
        let Some(corner) = corner else { continue };
        match tangents.get_mut(*index as usize) {
            Some(free @ None) => *free = Some(*corner),
            Some(Some(known)) if known == corner => {}
            _ => {
                *index = *copies.entry((*index, corner.map(f32::to_bits))).or_insert_with(|| {
                    tangents.push(Some(*corner));
                    vertices.push(*index);
                    vertices.len() as u32 - 1
                });
            }
        }
    }
    primitive.set_vertices(&vertices);
    tangents
}

/// Whether any triangle has an area in the picture.
fn spans_an_area(primitive: &Primitive) -> bool {
    let Some(uvs) = primitive.streams.uvs.first() else { return false };
    let corner = |index: u32| uvs.get(index as usize).copied().map(Vec2::from);
    primitive
        .indices
        .as_chunks::<3>()
        .0
        .iter()
        .any(|triangle| matches!(triangle.map(corner), [Some(a), Some(b), Some(c)] if (b - a).perp_dot(c - a) != 0.0))
}

/// The tangent of each vertex: the given one, or one that fits the normal.
fn frames(primitive: &Primitive, given: &[Option<[f32; 4]>]) -> Vec<[f32; 4]> {
    let up = vec![[0.0, 1.0, 0.0]; primitive.streams.len()];
    let normals = primitive.streams.normals.as_ref().unwrap_or(&up);
    normals.iter().zip(given).map(|(&normal, tangent)| tangent.unwrap_or_else(|| perpendicular(normal))).collect()
}

/// A unit vector at a right angle to a normal.
fn perpendicular(normal: [f32; 3]) -> [f32; 4] {
    let normal = Vec3::from(normal).try_normalize().unwrap_or(Vec3::Y);
    normal.any_orthonormal_vector().extend(1.0).to_array()
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::mesh::Streams;

    /// A square in the plane of X and Y that faces Z, with texture coordinates.
    fn square(uvs: [[f32; 2]; 4]) -> Primitive {
        let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let normals = Some(vec![[0.0, 0.0, 1.0]; 4]);
        let streams = Streams { positions, normals, uvs: vec![uvs.to_vec()], ..Streams::default() };
        Primitive { streams, indices: vec![0, 1, 2, 0, 2, 3], ..Primitive::default() }
    }

    fn frame(primitive: &Primitive, vertex: usize) -> [Vec3; 2] {
        let [x, y, z, sign] = primitive.streams.tangents.as_ref().unwrap()[vertex];
        let tangent = Vec3::new(x, y, z);
        let normal = Vec3::from(primitive.streams.normals.as_ref().unwrap()[vertex]);
        [tangent, normal.cross(tangent) * sign]
    }

    #[test]
    fn the_bitangent_points_where_green_does() {
        // The picture upright: V runs down, so the top edge has v = 0.
        let mut primitive = square([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
        add_to(&mut primitive);
        assert_eq!(primitive.streams.len(), 4);
        assert_eq!(primitive.indices, [0, 1, 2, 0, 2, 3]);
        for vertex in 0..4 {
            assert_eq!(frame(&primitive, vertex), [Vec3::X, Vec3::Y]);
        }
    }

    #[test]
    fn mirrored_coordinates_turn_the_tangent_and_keep_the_bitangent() {
        let mut primitive = square([[1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]);
        add_to(&mut primitive);
        for vertex in 0..4 {
            assert_eq!(frame(&primitive, vertex), [-Vec3::X, Vec3::Y]);
        }
    }

    #[test]
    fn a_seam_between_mirrored_halves_splits_its_vertices() {
        // The second triangle lays the picture the other way round.
        let mut primitive = square([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [2.0, 1.0]]);
        add_to(&mut primitive);
        assert_eq!(primitive.streams.len(), 6, "the two corners of the seam are there twice");
        let signs: Vec<f32> = primitive.streams.tangents.unwrap().iter().map(|tangent| tangent[3]).collect();
        assert!(signs.contains(&1.0) && signs.contains(&-1.0), "{signs:?}");
    }

    #[test]
    fn a_tangent_along_the_normal_is_replaced() {
        let mut primitive = square([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
        let (good, bad) = ([1.0, 0.0, 0.0, -1.0], [0.0, 0.0, -1.0, -1.0]);
        primitive.streams.tangents = Some(vec![good, bad, [0.0; 4], good]);
        assert_eq!(fix_degenerate(&mut primitive), 2);
        let tangents = primitive.streams.tangents.clone().unwrap();
        assert_eq!([tangents[0], tangents[3]], [good; 2]);
        assert_eq!((frame(&primitive, 1)[1].length(), tangents[1][3], tangents[2][3]), (1.0, -1.0, 1.0));
    }

    #[test]
    fn without_an_area_in_the_picture_the_frame_follows_the_normal() {
        let mut primitive = square([[0.5; 2]; 4]);
        add_to(&mut primitive);
        let first = frame(&primitive, 0);
        assert!(first[0].is_normalized() && first[0].dot(Vec3::Z).abs() < 1e-6);
        assert!((0..4).all(|vertex| frame(&primitive, vertex) == first));
    }
}
