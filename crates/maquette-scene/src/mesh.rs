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
        self.streams = self.streams.picked(vertices);
        for target in &mut self.morph_targets {
            target.positions = pick(&target.positions, vertices);
            target.normals = target.normals.as_ref().map(|normals| pick(normals, vertices));
            target.tangents = target.tangents.as_ref().map(|tangents| pick(tangents, vertices));
        }
    }

    /// Makes triangles face the other way.
    pub fn turn_around(&mut self) {
        if self.topology == Topology::Triangles {
            self.indices.as_chunks_mut::<3>().0.iter_mut().for_each(|triangle| triangle.reverse());
        }
    }

    /// Adds copies of these vertices, in this order, behind all others.
    pub fn repeat_vertices(&mut self, vertices: &[u32]) {
        self.streams.repeat(vertices);
        for target in &mut self.morph_targets {
            repeat(&mut target.positions, vertices);
            target.normals.iter_mut().for_each(|normals| repeat(normals, vertices));
            target.tangents.iter_mut().for_each(|tangents| repeat(tangents, vertices));
        }
    }
}

fn repeat<T: Copy>(values: &mut Vec<T>, indices: &[u32]) {
    values.reserve_exact(indices.len());
    for &index in indices {
        values.extend(values.get(index as usize).copied());
    }
}

fn pick<T: Copy>(values: &[T], indices: &[u32]) -> Vec<T> {
    indices.iter().filter_map(|&index| values.get(index as usize).copied()).collect()
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

    /// These vertices, in this order.
    pub fn picked(&self, vertices: &[u32]) -> Streams {
        Streams {
            positions: pick(&self.positions, vertices),
            normals: self.normals.as_ref().map(|normals| pick(normals, vertices)),
            tangents: self.tangents.as_ref().map(|tangents| pick(tangents, vertices)),
            uvs: self.uvs.iter().map(|uvs| pick(uvs, vertices)).collect(),
            colours: self.colours.iter().map(|colours| pick(colours, vertices)).collect(),
            influences: self.influences.as_ref().map(|influences| influences.picked(vertices)),
        }
    }

    /// Adds copies of these vertices, in this order, behind all others.
    fn repeat(&mut self, vertices: &[u32]) {
        repeat(&mut self.positions, vertices);
        self.normals.iter_mut().for_each(|normals| repeat(normals, vertices));
        self.tangents.iter_mut().for_each(|tangents| repeat(tangents, vertices));
        self.uvs.iter_mut().for_each(|uvs| repeat(uvs, vertices));
        self.colours.iter_mut().for_each(|colours| repeat(colours, vertices));
        if let Some(influences) = &mut self.influences {
            let copies = influences.picked(vertices);
            influences.joints.extend(copies.joints);
            influences.weights.extend(copies.weights);
        }
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

    /// Those of these vertices, in this order.
    pub fn picked(&self, vertices: &[u32]) -> Influences {
        let mut picked = Influences { slots: self.slots, ..Influences::default() };
        for &vertex in vertices {
            let slots = vertex as usize * self.slots..(vertex as usize + 1) * self.slots;
            picked.joints.extend_from_slice(self.joints.get(slots.clone()).unwrap_or_default());
            picked.weights.extend_from_slice(self.weights.get(slots).unwrap_or_default());
        }
        picked
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
