//! Vertices that are the same in every way become one.
//!
//! Same means bit for bit, in every stream and every morph target, so nothing that is drawn changes.

use super::alike::{self, FOR_ONE_CORE, first_alike};
use maquette_scene::Scene;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::mesh::{Influences, Mesh, MorphTarget, Primitive, Streams};
use rayon::prelude::*;
use std::cmp::Ordering;

/// Welds every part of a scene.
pub fn weld(scene: &mut Scene, losses: &mut LossReport) {
    let count = |mesh: &Mesh| mesh.primitives.iter().map(|primitive| primitive.streams.len() as u64).sum::<u64>();
    let mut meshes: Vec<&mut Mesh> = scene.meshes.iter_mut().collect();
    let work = |mesh: &mut &mut Mesh| {
        let before = count(mesh);
        mesh.primitives.par_iter_mut().for_each(weld_primitive);
        before - count(mesh)
    };
    let gone: Vec<u64> = meshes.par_iter_mut().map(work).collect();
    for (index, (mesh, gone)) in meshes.iter().zip(gone).enumerate().filter(|(_, (_, gone))| *gone > 0) {
        let detail = "vertices alike in every way become one";
        losses.push(LossKind::Baked, Lost::Vertices, subject("mesh", index, &mesh.name), detail, gone);
    }
}

/// Welds one part; vertices keep the order of their first.
pub fn weld_primitive(primitive: &mut Primitive) {
    let vertices = Vertices::of(primitive);
    let hashes: Vec<u32> = (0..primitive.streams.len())
        .into_par_iter()
        .with_min_len(FOR_ONE_CORE)
        .map(|index| vertices.hash(index))
        .collect();
    let same = first_alike(&hashes, |a, b| vertices.compare(a as usize, b as usize));
    if same.iter().zip(0..).all(|(first, vertex)| *first == vertex) {
        return;
    }
    let mut kept = Vec::new();
    let mut place: Vec<u32> = Vec::with_capacity(same.len());
    for (index, &first) in same.iter().enumerate() {
        // The first of those alike comes before all others.
        place.push(place.get(first as usize).copied().unwrap_or(kept.len() as u32));
        if first as usize == index {
            kept.push(first);
        }
    }
    for index in &mut primitive.indices {
        *index = place.get(*index as usize).copied().unwrap_or(*index);
    }
    primitive.keep_vertices(&kept);
}

/// Vertices as all their bits.
struct Vertices<'a> {
    columns: Vec<Column<'a>>,
    influences: Option<&'a Influences>,
}

impl<'a> Vertices<'a> {
    fn of(primitive: &'a Primitive) -> Self {
        let Streams { positions, normals, tangents, uvs, colours, influences } = &primitive.streams;
        let mut columns = vec![Column::of(positions)];
        columns.extend(normals.iter().map(|normals| Column::of(normals)));
        columns.extend(uvs.iter().map(|uvs| Column::of(uvs)));
        columns.extend(tangents.iter().map(|tangents| Column::of(tangents)));
        columns.extend(colours.iter().map(|colours| Column::of(colours)));
        for MorphTarget { positions, normals, tangents, .. } in &primitive.morph_targets {
            columns.push(Column::of(positions));
            columns.extend(normals.iter().map(|normals| Column::of(normals)));
            columns.extend(tangents.iter().map(|tangents| Column::of(tangents)));
        }
        Vertices { columns, influences: influences.as_ref() }
    }

    fn hash(&self, index: usize) -> u32 {
        let numbers = self.columns.iter().flat_map(|column| column.of_vertex(index)).map(|number| number.to_bits());
        (self.influences_of(index).fold(numbers.fold(0, alike::hash), alike::hash) >> 32) as u32
    }

    fn compare(&self, a: usize, b: usize) -> Ordering {
        let columns = self.columns.iter().map(|column| column.compare(a, b));
        let first = columns.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
        first.then_with(|| self.influences_of(a).cmp(self.influences_of(b)))
    }

    fn influences_of(&self, index: usize) -> impl Iterator<Item = u32> {
        let influences = self.influences.into_iter().flat_map(move |influences| influences.of(index));
        influences.flat_map(|(joint, weight)| [joint, weight.to_bits()])
    }
}

/// A stream: so many numbers for each vertex.
struct Column<'a> {
    numbers: &'a [f32],
    each: usize,
}

impl<'a> Column<'a> {
    fn of<const N: usize>(stream: &'a [[f32; N]]) -> Self {
        Column { numbers: stream.as_flattened(), each: N }
    }

    fn of_vertex(&self, index: usize) -> &'a [f32] {
        self.numbers.get(index * self.each..).and_then(|rest| rest.get(..self.each)).unwrap_or_default()
    }

    fn compare(&self, a: usize, b: usize) -> Ordering {
        let bits = |index| self.of_vertex(index).iter().map(|number| number.to_bits());
        bits(a).cmp(bits(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
