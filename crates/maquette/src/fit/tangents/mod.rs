//! Tangents for vertices that have none: MikkTSpace's, which normal maps are baked for.
//!
//! The algorithm ([`mikktspace`]) wants V to run up, and here it runs down; it takes `1 - v`, so that the bitangent points where green of a
//! normal map does. A vertex whose corners get different tangents becomes several. Where no picture can be laid (no coordinates,
//! or none that span an area), any frame that fits the normal is as good as another, and the same normal gets the same one.

mod mikktspace;

use super::alike::FOR_ONE_CORE;
use super::instances::Given;
use crate::progress::Progress;
use maquette_scene::Scene;
use maquette_scene::glam::{Vec2, Vec3};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::mesh::{Mesh, Primitive, Topology};
use mikktspace::{NO_TANGENT, Surface, Tangent, Tangents, is_none};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::HashMap;

/// Gives tangents to every primitive that has none. What meshes were given before they were repeated is told here, and made whole.
pub fn add(scene: &mut Scene, given: &[Given], progress: &Progress, losses: &mut LossReport) {
    let stage = progress.stage("making tangents", scene.meshes.len());
    let given = given.iter().map(|given| given.tangents.as_slice()).chain(std::iter::repeat(&[][..]));
    let mut meshes: Vec<(&mut Mesh, &[u64])> = scene.meshes.iter_mut().zip(given).collect();
    let work = |(mesh, given): &mut (&mut Mesh, &[u64])| {
        let made = |(part, primitive): (usize, &mut Primitive)| {
            let made = match primitive.streams.tangents {
                None => lay(primitive, Normals::AreAsDrawn),
                Some(_) => given.get(part).copied().unwrap_or(0),
            };
            if made > 0 {
                fill(primitive);
            }
            // What is made is told as such, whatever it takes.
            let fixed = fix_degenerate(primitive);
            (made, if made > 0 { 0 } else { fixed })
        };
        let sum = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
        let counts = mesh.primitives.par_iter_mut().enumerate().map(made).reduce(Default::default, sum);
        stage.step();
        counts
    };
    let counts: Vec<(u64, u64)> = meshes.par_iter_mut().map(work).collect();
    for (index, ((mesh, _), (made, fixed))) in
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
    let fix = |(tangent, normal): (&mut Tangent, &[f32; 3])| {
        let [x, y, z, sign] = *tangent;
        let across = Vec3::from(*normal).normalize_or_zero().cross(Vec3::new(x, y, z).normalize_or_zero());
        let is_degenerate = across.length() < 1e-3;
        if is_degenerate {
            let [x, y, z, _] = perpendicular(*normal);
            *tangent = [x, y, z, if sign < 0.0 { -1.0 } else { 1.0 }];
        }
        u64::from(is_degenerate)
    };
    tangents.par_iter_mut().zip(normals).with_min_len(FOR_ONE_CORE).map(fix).sum()
}

/// How the normals of a part are to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normals {
    /// As they are.
    AreAsDrawn,
    /// They will be made unit vectors, and are taken for such.
    AreScaled,
}

/// Gives a part tangents where a picture is laid; how many vertices it has then. [`fill`] does the rest.
pub fn lay(primitive: &mut Primitive, normals: Normals) -> u64 {
    let mut tangents = Vec::new();
    if primitive.topology == Topology::Triangles && spans_an_area(primitive) {
        tangents = split(primitive, normals);
    }
    tangents.resize(primitive.streams.len(), NO_TANGENT);
    primitive.streams.tangents = Some(tangents);
    primitive.streams.len() as u64
}

/// Gives vertices tangents that fit their normals, where no picture is laid.
fn fill(primitive: &mut Primitive) {
    let normals = primitive.streams.normals.iter().flatten().copied().chain(std::iter::repeat([0.0, 1.0, 0.0]));
    for (tangent, normal) in primitive.streams.tangents.iter_mut().flatten().zip(normals) {
        if is_none(tangent) {
            *tangent = perpendicular(normal);
        }
    }
}

/// Gives each corner's tangent to its vertex; a vertex that has another already gets a copy, at the end. The tangents of all vertices.
fn split(primitive: &mut Primitive, normals: Normals) -> Vec<Tangent> {
    let streams = &primitive.streams;
    let of_file = streams.normals.as_deref().unwrap_or_default();
    let normals: Cow<'_, [[f32; 3]]> = match normals {
        Normals::AreAsDrawn => of_file.into(),
        Normals::AreScaled => {
            let unit = |normal: &[f32; 3]| Vec3::from(*normal).try_normalize().map_or(*normal, Into::into);
            of_file.iter().map(unit).collect()
        }
    };
    let made = mikktspace::tangents(&Surface {
        positions: &streams.positions,
        normals: &normals,
        uvs: streams.uvs.first().map(Vec::as_slice).unwrap_or_default(),
        triangles: primitive.indices.as_chunks().0,
    });
    drop(normals);
    let Tangents { of_vertices: mut tangents, of_corners } = made;
    let mut copied: Vec<u32> = Vec::new();
    let mut copies: HashMap<(u32, [u32; 4]), u32> = HashMap::new();
    for (corner, tangent) in of_corners.iter().filter(|(_, tangent)| !is_none(tangent)) {
        let Some(vertex) = primitive.indices.get_mut(*corner as usize) else { continue };
        match tangents.get_mut(*vertex as usize) {
            Some(free) if is_none(free) => *free = *tangent,
            Some(known) if known == tangent => {}
            _ => {
                *vertex = *copies.entry((*vertex, tangent.map(f32::to_bits))).or_insert_with(|| {
                    tangents.push(*tangent);
                    copied.push(*vertex);
                    (tangents.len() - 1) as u32
                });
            }
        }
    }
    primitive.repeat_vertices(&copied);
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

    fn add_to(primitive: &mut Primitive) {
        lay(primitive, Normals::AreAsDrawn);
        fill(primitive);
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
    fn tangents_of_normals_that_are_none_are_told_once() {
        for has_tangents in [false, true] {
            let mut part = square([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
            part.streams.normals = Some(vec![[0.0; 3]; 4]);
            part.streams.tangents = has_tangents.then(|| vec![[1.0, 0.0, 0.0, 1.0]; 4]);
            let mut scene = Scene::default();
            scene.meshes.push(Mesh { primitives: vec![part], ..Mesh::default() });
            let mut losses = LossReport::default();
            add(&mut scene, &[], &Progress::default(), &mut losses);
            let told: Vec<(u64, bool)> =
                losses.iter().map(|loss| (loss.count, loss.detail.contains("degenerate"))).collect();
            assert_eq!(told, [(4, has_tangents)]);
        }
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
