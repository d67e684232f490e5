//! Geometry: parts of one material, with streams of equal length.

use crate::arena::Handle;
use crate::extras::Extras;
use crate::material::Material;

/// Geometry that is drawn at nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Empty where it has none; need not be unique.
    pub name: String,
    /// Its parts, each of one material; the mesh is drawn whole.
    pub primitives: Vec<Primitive>,
    /// The names of the morph targets that all parts have; empty names where there are none.
    pub morph_names: Vec<String>,
    /// How much of each morph target is mixed in at rest.
    pub morph_weights: Vec<f32>,
    /// What only the format it came from understands.
    pub extras: Extras,
}

/// A piece with one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    /// Its vertices: a stream for each attribute.
    pub streams: Streams,
    /// Which vertices make its triangles or lines. Always there: 0, 1, 2, .. where the file has none.
    pub indices: Vec<u32>,
    /// What the indices draw.
    pub topology: Topology,
    /// `None` for glTF's default material.
    pub material: Option<Handle<Material>>,
    /// Its shapes, one for each of the mesh's morph targets.
    pub morph_targets: Vec<MorphTarget>,
}

impl Primitive {
    /// Makes these the vertices, in this order. The indices stay as they are.
    pub fn set_vertices(&mut self, vertices: &[u32]) {
        self.change(|stream| stream.pick(vertices));
    }

    /// Keeps these vertices alone, which are in rising order, where they are in memory. The indices stay as they are.
    pub fn keep_vertices(&mut self, vertices: &[u32]) {
        self.change(|stream| stream.keep(vertices));
    }

    /// Makes triangles face the other way.
    pub fn turn_around(&mut self) {
        if self.topology == Topology::Triangles {
            self.indices.as_chunks_mut::<3>().0.iter_mut().for_each(|triangle| triangle.reverse());
        }
    }

    /// Adds copies of these vertices, in this order, behind all others.
    pub fn repeat_vertices(&mut self, vertices: &[u32]) {
        self.change(|stream| stream.repeat(vertices));
    }

    /// Changes one stream after the other.
    fn change(&mut self, change: impl Fn(&mut dyn Stream)) {
        let Streams { positions, normals, tangents, uvs, colours, influences } = &mut self.streams;
        change(positions);
        normals.iter_mut().for_each(|normals| change(normals));
        tangents.iter_mut().for_each(|tangents| change(tangents));
        uvs.iter_mut().for_each(|uvs| change(uvs));
        colours.iter_mut().for_each(|colours| change(colours));
        influences.iter_mut().for_each(|influences| change(influences));
        for MorphTarget { positions, normals, tangents } in &mut self.morph_targets {
            change(positions);
            normals.iter_mut().for_each(|normals| change(normals));
            tangents.iter_mut().for_each(|tangents| change(tangents));
        }
    }
}

/// Something that every vertex has.
trait Stream {
    /// Makes those of these vertices all there are, in this order.
    fn pick(&mut self, vertices: &[u32]);

    /// The same, of vertices in rising order, in place.
    fn keep(&mut self, vertices: &[u32]);

    /// Adds those of these vertices again, behind all others.
    fn repeat(&mut self, vertices: &[u32]);
}

impl<T: Copy> Stream for Vec<T> {
    fn pick(&mut self, vertices: &[u32]) {
        let mut picked = Vec::with_capacity(vertices.len());
        picked.extend(vertices.iter().filter_map(|vertex| self.get(*vertex as usize)));
        *self = picked;
    }

    fn keep(&mut self, vertices: &[u32]) {
        keep(self, 1, vertices);
    }

    fn repeat(&mut self, vertices: &[u32]) {
        self.reserve_exact(vertices.len());
        for &vertex in vertices {
            self.extend(self.get(vertex as usize).copied());
        }
    }
}

impl Stream for Influences {
    fn pick(&mut self, vertices: &[u32]) {
        self.joints = rows(&self.joints, self.slots, vertices);
        self.weights = rows(&self.weights, self.slots, vertices);
    }

    fn keep(&mut self, vertices: &[u32]) {
        keep(&mut self.joints, self.slots, vertices);
        keep(&mut self.weights, self.slots, vertices);
    }

    fn repeat(&mut self, vertices: &[u32]) {
        self.joints.extend(rows(&self.joints, self.slots, vertices));
        self.weights.extend(rows(&self.weights, self.slots, vertices));
    }
}

/// The values of these vertices, which have so many each.
fn rows<T: Copy>(values: &[T], each: usize, vertices: &[u32]) -> Vec<T> {
    let mut rows = Vec::with_capacity(vertices.len() * each);
    for &vertex in vertices {
        let row = values.get(vertex as usize * each..).and_then(|rest| rest.get(..each));
        rows.extend_from_slice(row.unwrap_or_default());
    }
    rows
}

/// Moves the values of these vertices, which have so many each and are in rising order, to the front, and lets go of the others.
fn keep<T: Copy>(values: &mut Vec<T>, each: usize, vertices: &[u32]) {
    for (place, &vertex) in vertices.iter().enumerate().filter(|(place, vertex)| **vertex as usize > *place) {
        let from = vertex as usize * each;
        if from + each <= values.len() {
            values.copy_within(from..from + each, place * each);
        }
    }
    values.truncate(vertices.len() * each);
    values.shrink_to_fit();
}

/// What indices draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// Three make a triangle, counter-clockwise from outside.
    #[default]
    Triangles,
    /// Two make a line.
    Lines,
}

impl Topology {
    /// Indices of one triangle or line.
    pub fn corners(self) -> usize {
        match self {
            Topology::Triangles => 3,
            Topology::Lines => 2,
        }
    }
}

/// What vertices have: all streams that are there are of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Streams {
    /// Where the vertices are, in mesh space.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals.
    pub normals: Option<Vec<[f32; 3]>>,
    /// Unit tangents, and the sign of the bitangent: `bitangent = normal × tangent · w`.
    pub tangents: Option<Vec<[f32; 4]>>,
    /// Sets of texture coordinates, origin at the top left.
    pub uvs: Vec<Vec<[f32; 2]>>,
    /// Sets of linear colours.
    pub colours: Vec<Vec<[f32; 4]>>,
    /// Joints and weights.
    pub influences: Option<Influences>,
}

impl Streams {
    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

/// Joints and weights, `slots` of each for every vertex. A slot of weight 0 is unused, whatever its joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// Slots of a vertex.
    pub slots: usize,
    /// Positions in the skin's list of joints.
    pub joints: Vec<u32>,
    /// How much each joint moves the vertex.
    pub weights: Vec<f32>,
}

impl Influences {
    /// The used slots of a vertex: joint and weight.
    pub fn of(&self, vertex: usize) -> impl Iterator<Item = (u32, f32)> + '_ {
        let slots = vertex * self.slots..(vertex + 1) * self.slots;
        let joints = self.joints.get(slots.clone()).unwrap_or_default();
        let weights = self.weights.get(slots).unwrap_or_default();
        joints.iter().copied().zip(weights.iter().copied()).filter(|(_, weight)| *weight != 0.0)
    }

    /// From a list for each vertex, as many slots as the longest.
    pub fn from_lists<'a>(lists: impl Iterator<Item = &'a [(u32, f32)]> + Clone) -> Influences {
        let slots = lists.clone().map(<[_]>::len).max().unwrap_or(0).max(1);
        let mut influences = Influences { slots, ..Influences::default() };
        for list in lists {
            let padded = list.iter().copied().chain(std::iter::repeat((0, 0.0))).take(slots);
            for (joint, weight) in padded {
                influences.joints.push(joint);
                influences.weights.push(weight);
            }
        }
        influences
    }
}

/// What is added to the streams of a part, in full measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Added to positions.
    pub positions: Vec<[f32; 3]>,
    /// Added to normals.
    pub normals: Option<Vec<[f32; 3]>>,
    /// Added to the direction of tangents.
    pub tangents: Option<Vec<[f32; 3]>>,
}
