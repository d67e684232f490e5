//! Vertices that are the same in every way become one.
//!
//! Same means bit for bit, in every stream and every morph target, so nothing that is drawn changes.

use maquette_scene::Scene;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::mesh::{Mesh, MorphTarget, Primitive, Streams};
use rayon::prelude::*;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

/// Welds every part of a scene.
pub fn weld(scene: &mut Scene, losses: &mut LossReport) {
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let count = |mesh: &Mesh| mesh.primitives.iter().map(|primitive| primitive.streams.len() as u64).sum::<u64>();
        let before = count(mesh);
        mesh.primitives.par_iter_mut().for_each(weld_primitive);
        let detail = "vertices alike in every way become one";
        let gone = before - count(mesh);
        losses.push(LossKind::Baked, Lost::Vertices, subject("mesh", index, &mesh.name), detail, gone);
    }
}

/// Welds one part; vertices keep the order of their first.
pub fn weld_primitive(primitive: &mut Primitive) {
    let Primitive { streams, morph_targets: targets, .. } = &*primitive;
    let mut places: HashMap<Vertex<'_>, u32> = HashMap::with_capacity(streams.len());
    let mut kept = Vec::new();
    let mut place = Vec::with_capacity(streams.len());
    for index in 0..streams.len() {
        place.push(*places.entry(Vertex { streams, targets, index }).or_insert_with(|| {
            kept.push(index as u32);
            kept.len() as u32 - 1
        }));
    }
    if kept.len() == primitive.streams.len() {
        return;
    }
    for index in &mut primitive.indices {
        *index = place.get(*index as usize).copied().unwrap_or(*index);
    }
    primitive.set_vertices(&kept);
}

/// A vertex as all its bits. Every stream takes part in the hash, so that no file can make many of them alike.
struct Vertex<'a> {
    streams: &'a Streams,
    targets: &'a [MorphTarget],
    index: usize,
}

impl Vertex<'_> {
    fn bits(&self) -> impl Iterator<Item = u32> {
        let Vertex { streams, targets, index } = self;
        let influences = streams.influences.iter().flat_map(|influences| influences.of(*index));
        let numbers = at(&streams.positions, *index)
            .chain(streams.normals.iter().flat_map(|normals| at(normals, *index)))
            .chain(streams.uvs.iter().flat_map(|uvs| at(uvs, *index)))
            .chain(streams.tangents.iter().flat_map(|tangents| at(tangents, *index)))
            .chain(streams.colours.iter().flat_map(|colours| at(colours, *index)));
        let shapes = targets.iter().flat_map(|target| {
            at(&target.positions, *index)
                .chain(target.normals.iter().flat_map(|normals| at(normals, *index)))
                .chain(target.tangents.iter().flat_map(|tangents| at(tangents, *index)))
        });
        let influences = influences.flat_map(|(joint, weight)| [joint, weight.to_bits()]);
        numbers.chain(shapes).map(f32::to_bits).chain(influences)
    }
}

fn at<const N: usize>(stream: &[[f32; N]], index: usize) -> impl Iterator<Item = f32> {
    stream.get(index).into_iter().flatten().copied()
}

impl Hash for Vertex<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().for_each(|bits| state.write_u32(bits));
    }
}

impl PartialEq for Vertex<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bits().eq(other.bits())
    }
}

impl Eq for Vertex<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::mesh::Influences;

    fn corners(positions: &[[f32; 3]]) -> Primitive {
        let streams = Streams { positions: positions.to_vec(), ..Streams::default() };
        Primitive { indices: (0..positions.len() as u32).collect(), streams, ..Primitive::default() }
    }

    const A: [f32; 3] = [0.0; 3];
    const B: [f32; 3] = [1.0, 0.0, 0.0];
    const C: [f32; 3] = [0.0, 1.0, 0.0];
    const D: [f32; 3] = [1.0, 1.0, 0.0];

    #[test]
    fn two_triangles_of_a_square_share_two_corners() {
        let mut primitive = corners(&[A, B, C, C, B, D]);
        weld_primitive(&mut primitive);
        assert_eq!(primitive.streams.positions, [A, B, C, D]);
        assert_eq!(primitive.indices, [0, 1, 2, 2, 1, 3]);
    }

    #[test]
    fn a_difference_in_any_stream_keeps_vertices_apart() {
        let apart: [fn(&mut Primitive); 8] = [
            |primitive| primitive.streams.normals = Some(vec![[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]),
            |primitive| primitive.streams.tangents = Some(vec![[1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, -1.0]]),
            |primitive| primitive.streams.uvs = vec![vec![[0.0; 2]; 2], vec![[0.0; 2], [0.5, 0.0]]],
            |primitive| primitive.streams.colours = vec![vec![[0.0; 4], [1.0; 4]]],
            |primitive| {
                primitive.streams.influences =
                    Some(Influences { slots: 1, joints: vec![0, 1], weights: vec![1.0, 1.0] });
            },
            |primitive| {
                primitive.morph_targets = vec![MorphTarget { positions: vec![A, B], ..MorphTarget::default() }];
            },
            |primitive| {
                let normals = Some(vec![A, B]);
                primitive.morph_targets =
                    vec![MorphTarget { positions: vec![A, A], normals, ..MorphTarget::default() }];
            },
            |primitive| {
                let tangents = Some(vec![A, B]);
                primitive.morph_targets =
                    vec![MorphTarget { positions: vec![A, A], tangents, ..MorphTarget::default() }];
            },
        ];
        for change in apart {
            let mut primitive = corners(&[A, A]);
            change(&mut primitive);
            let before = primitive.clone();
            weld_primitive(&mut primitive);
            assert_eq!(primitive, before);
        }
    }

    #[test]
    fn unused_slots_do_not_tell_vertices_apart() {
        let mut primitive = corners(&[A, A]);
        primitive.streams.influences =
            Some(Influences { slots: 2, joints: vec![3, 0, 3, 9], weights: vec![1.0, 0.0, 1.0, 0.0] });
        weld_primitive(&mut primitive);
        assert_eq!(
            primitive.streams.influences,
            Some(Influences { slots: 2, joints: vec![3, 0], weights: vec![1.0, 0.0] })
        );
        assert_eq!(primitive.indices, [0, 0]);
    }

    #[test]
    fn many_vertices_are_welded_in_time() {
        // Every place eight times.
        let places: Vec<[f32; 3]> = (0..200_000).map(|i| [(i / 8 % 50) as f32, (i / 400) as f32, 0.0]).collect();
        let mut primitive = corners(&places);
        weld_primitive(&mut primitive);
        assert_eq!(primitive.streams.len(), 25_000);
    }
}
