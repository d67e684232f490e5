//! Surfaces given by a function of two coordinates, as vertices: normals are those of all faces around a place, tangents follow the first coordinate.

use super::maths::circle;
use super::skeleton::Joint;
use maquette_scene::glam::DVec3;
use maquette_scene::mesh::{Influences, MorphTarget, Primitive, Streams};
use maquette_scene::{Handle, material::Material};
use std::collections::BTreeMap;

/// Joints and how much each moves a vertex.
pub type Weights = Vec<(Joint, f64)>;

/// A place of a surface: both coordinates from 0 to 1. Seen from outside the first goes to the right and the second down, as in a texture.
pub type Place = (f64, f64);

/// The part of a texture that a surface has, from corner to corner.
#[derive(Clone, Copy)]
pub struct Window {
    pub from: [f64; 2],
    pub to: [f64; 2],
}

impl Window {
    pub const WHOLE: Window = Window { from: [0.0, 0.0], to: [1.0, 1.0] };

    fn at(&self, (u, v): Place) -> [f32; 2] {
        let [[left, top], [right, bottom]] = [self.from, self.to];
        [(left + u * (right - left)) as f32, (top + v * (bottom - top)) as f32]
    }
}

/// How finely a surface is cut, and where it is in its texture.
#[derive(Clone, Copy)]
pub struct Patch {
    pub columns: u32,
    pub rows: u32,
    pub window: Window,
}

#[derive(Clone)]
struct Vertex {
    position: DVec3,
    normal: DVec3,
    tangent: [f64; 4],
    uv: [f32; 2],
    weights: Weights,
    /// How far a shape moves it, and how far its normal.
    shift: [DVec3; 2],
}

/// Vertices and triangles.
#[derive(Clone, Default)]
pub struct Part {
    vertices: Vec<Vertex>,
    indices: Vec<u32>,
}

impl Patch {
    pub fn part(&self, point: impl Fn(Place) -> DVec3, weights: impl Fn(Place, DVec3) -> Weights) -> Part {
        let places = self.places();
        let positions: Vec<DVec3> = places.iter().map(|place| point(*place)).collect();
        let indices = self.indices(&positions);
        let normals = normals(&positions, &indices);
        let vertex = |((&place, &position), normal): ((&Place, &DVec3), DVec3)| Vertex {
            position,
            normal,
            tangent: self.tangent(&point, place, normal),
            uv: self.window.at(place),
            weights: four(weights(place, position)),
            shift: [DVec3::ZERO; 2],
        };
        let vertices = places.iter().zip(&positions).zip(normals).map(vertex).collect();
        Part { vertices, indices }
    }

    /// The same with a shape: where each place is when it is mixed in whole.
    pub fn part_with_shape(
        &self,
        point: impl Fn(Place) -> DVec3,
        shape: impl Fn(Place) -> DVec3,
        weights: impl Fn(Place, DVec3) -> Weights,
    ) -> Part {
        let mut part = self.part(point, weights);
        let shaped: Vec<DVec3> = self.places().into_iter().map(shape).collect();
        let normals = normals(&shaped, &part.indices);
        for ((vertex, position), normal) in part.vertices.iter_mut().zip(shaped).zip(normals) {
            vertex.shift = [position - vertex.position, normal - vertex.normal];
        }
        part
    }

    fn places(&self) -> Vec<Place> {
        let (columns, rows) = (f64::from(self.columns), f64::from(self.rows));
        let row = |row: u32| (0..=self.columns).map(move |column| (f64::from(column) / columns, f64::from(row) / rows));
        (0..=self.rows).flat_map(row).collect()
    }

    /// Two triangles for each field, but none where its corners meet.
    fn indices(&self, positions: &[DVec3]) -> Vec<u32> {
        let wide = self.columns + 1;
        let fields = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| row * wide + column));
        let triangles = fields.flat_map(|a| [[a, a + wide, a + wide + 1], [a, a + wide + 1, a + 1]]);
        let at = |index: u32| positions.get(index as usize).copied().unwrap_or_default();
        let has_area = |&[a, b, c]: &[u32; 3]| at(a) != at(b) && at(b) != at(c) && at(c) != at(a);
        triangles.filter(has_area).flatten().collect()
    }

    fn tangent(&self, point: &impl Fn(Place) -> DVec3, (u, v): Place, normal: DVec3) -> [f64; 4] {
        const STEP: f64 = 1.0 / 512.0;
        // At poles all of a row is one place: the row beside it knows the direction.
        let v = v.clamp(0.25 / f64::from(self.rows), 1.0 - 0.25 / f64::from(self.rows));
        let along = point((u + STEP, v)) - point((u - STEP, v));
        let flat = (along - normal * along.dot(normal)).normalize_or(normal.any_orthonormal_vector());
        [flat.x, flat.y, flat.z, 1.0]
    }
}

impl Part {
    pub fn add(&mut self, other: Part) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(other.vertices);
        self.indices.extend(other.indices.iter().map(|index| first + index));
    }

    pub fn and(mut self, other: Part) -> Part {
        self.add(other);
        self
    }

    /// This and the same on the other side of the body, moved by the joints there.
    pub fn on_both_sides(self) -> Part {
        let mut other = self.clone();
        let turned = |vector: DVec3| DVec3::new(-vector.x, vector.y, vector.z);
        for vertex in &mut other.vertices {
            let [x, y, z, w] = vertex.tangent;
            vertex.position = turned(vertex.position);
            vertex.normal = turned(vertex.normal);
            vertex.tangent = [-x, y, z, -w];
            vertex.shift = vertex.shift.map(turned);
            vertex.weights.iter_mut().for_each(|(joint, _)| *joint = joint.other_side());
        }
        other.indices.as_chunks_mut::<3>().0.iter_mut().for_each(|triangle| triangle.reverse());
        self.and(other)
    }

    /// Coordinates that are a turn and a distance become places on a disc.
    pub fn on_a_disc(mut self) -> Part {
        for vertex in &mut self.vertices {
            let [turn, far] = vertex.uv.map(f64::from);
            let (sin, cos) = circle(turn);
            vertex.uv = [0.5 + 0.5 * far * sin, 0.5 - 0.5 * far * cos].map(|part| part as f32);
        }
        self
    }

    pub fn primitive(&self, material: Handle<Material>, has: &Has) -> Primitive {
        let lists: Vec<Vec<(u32, f32)>> = self.vertices.iter().map(|vertex| rounded(&vertex.weights)).collect();
        let each = |of: &dyn Fn(&Vertex) -> DVec3| -> Vec<[f32; 3]> {
            self.vertices.iter().map(|vertex| of(vertex).as_vec3().to_array()).collect()
        };
        let tangents = self.vertices.iter().map(|vertex| vertex.tangent.map(|part| part as f32)).collect();
        let streams = Streams {
            positions: each(&|vertex| vertex.position),
            normals: Some(each(&|vertex| vertex.normal)),
            tangents: has.tangents.then_some(tangents),
            uvs: vec![self.vertices.iter().map(|vertex| vertex.uv).collect()],
            colours: Vec::new(),
            influences: Some(Influences::from_lists(lists.iter().map(Vec::as_slice))),
        };
        let shape = MorphTarget {
            positions: each(&|vertex| vertex.shift[0]),
            normals: Some(each(&|vertex| vertex.shift[1])),
            tangents: None,
        };
        let morph_targets = if has.shape { vec![shape] } else { Vec::new() };
        Primitive {
            streams,
            indices: self.indices.clone(),
            material: Some(material),
            morph_targets,
            ..Primitive::default()
        }
    }
}

/// What vertices are written with.
#[derive(Clone, Copy, Default)]
pub struct Has {
    /// For normal maps.
    pub tangents: bool,
    /// A morph target.
    pub shape: bool,
}

/// The normals of all faces around each place, larger faces counting for more.
fn normals(positions: &[DVec3], indices: &[u32]) -> Vec<DVec3> {
    let at = |index: u32| positions.get(index as usize).copied().unwrap_or_default();
    // Nought has two signs and is one place.
    let key = |position: DVec3| (position + DVec3::ZERO).to_array().map(f64::to_bits);
    let mut sums: BTreeMap<[u64; 3], DVec3> = BTreeMap::new();
    for &[a, b, c] in indices.as_chunks::<3>().0 {
        let face = (at(b) - at(a)).cross(at(c) - at(a));
        [a, b, c].into_iter().for_each(|corner| *sums.entry(key(at(corner))).or_default() += face);
    }
    let normal = |position: &DVec3| sums.get(&key(*position)).copied().unwrap_or_default().normalize_or(DVec3::Y);
    positions.iter().map(normal).collect()
}

/// The four largest, as parts of one.
fn four(mut weights: Weights) -> Weights {
    weights.retain(|(_, weight)| *weight > 1.0 / 256.0);
    weights.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    weights.truncate(4);
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    weights.iter_mut().for_each(|(_, weight)| *weight /= sum);
    weights
}

/// In steps of 1/256, so that they are one in all to the bit.
fn rounded(weights: &Weights) -> Vec<(u32, f32)> {
    let mut steps: Vec<(u32, i32)> =
        weights.iter().map(|(joint, weight)| (*joint as u32, libm::round(weight * 256.0) as i32)).collect();
    let rest = 256 - steps.iter().map(|(_, step)| step).sum::<i32>();
    if let Some((_, first)) = steps.first_mut() {
        *first += rest;
    }
    steps.into_iter().map(|(joint, step)| (joint, step as f32 / 256.0)).collect()
}
