//! BMW records in file order, and `parse`/`encode` between them and bytes. No interpretation, no defaults.
//!
//! Counts are the lengths of the tables they count, so they are not kept twice. The one exception is the
//! duration of an animation: known files say 0 there and hold matrices all the same, so it is kept as found.
//! The tree of nodes is kept flat, in file order, each node with its number of children: nothing here follows
//! the depth of the tree by recursion, and dropping a file costs the same for any shape.

mod parse;
mod walk;

use super::ids::IdSet;
use crate::format::Result;
use crate::rules::matrices::{MatrixOrder, OrderVotes};
use crate::{dialects, record};
use std::borrow::Cow;
use zerocopy::little_endian::{F32, I32, U32};

/// What every header begins with; the version and a NUL follow.
pub const MAGIC: &[u8] = b"Beo-Model-Wolf Format Version ";
/// The header of every file found so far.
pub const HEADER: &[u8] = b"Beo-Model-Wolf Format Version 1\0";

dialects! {
    /// The layouts found under version 1.
    pub enum Dialect of "bmw" {
        /// Textures, meshes, nodes, animations; `duration` matrices for each bone: the document.
        Document = "document" read by "programs written from the document",
        /// Textures, animations, meshes, nodes, bone names; `duration + 1` matrices for each bone: what the engine loads.
        Engine = "engine" read by "the engine since January 2020",
        /// As engine, without the bone names: exported from 2019-10-30 to early 2020.
        EngineUnnamed = "engine-unnamed" read by "the engine from October 2019 on",
        /// The document's order with `duration + 1` matrices for each bone: what the converter of that day wrote.
        Day29 = "2019-10-29" read by "the engine of 29 October 2019",
        /// Textures, meshes without bone weights, nodes without ids; no animations.
        Day14 = "2019-10-14" read by "the engine of mid October 2019",
        /// As 2019-10-14, and meshes without faces.
        Day09 = "2019-10-09" read by "the engine of 9 October 2019",
    }
}

impl Dialect {
    /// Whether meshes have bone weights, and nodes the ids those refer to.
    pub fn stores_ids(self) -> bool {
        !matches!(self, Dialect::Day14 | Dialect::Day09)
    }

    /// Whether meshes have faces.
    pub fn stores_faces(self) -> bool {
        self != Dialect::Day09
    }

    /// Whether there are animations.
    pub fn stores_animations(self) -> bool {
        self.stores_ids()
    }

    /// Whether animations come before meshes, and each is a final skinning matrix.
    pub fn is_engine(self) -> bool {
        matches!(self, Dialect::Engine | Dialect::EngineUnnamed)
    }

    /// How many matrices a bone has in an animation of this duration.
    pub fn matrices_for(self, duration: u32) -> u64 {
        u64::from(duration) + u64::from(self != Dialect::Document)
    }

    /// The blocks in file order, in words.
    pub fn blocks(self) -> &'static str {
        match self {
            Dialect::Document => "textures, meshes, nodes and animations with `duration` matrices for each bone",
            Dialect::Engine => "textures, animations, meshes, nodes and bone names",
            Dialect::EngineUnnamed => "textures, animations, meshes and nodes",
            Dialect::Day29 => "textures, meshes, nodes and animations with `duration + 1` matrices for each bone",
            Dialect::Day14 => "textures, meshes without weights, and nodes without ids",
            Dialect::Day09 => "textures, meshes of vertices alone, and nodes without ids",
        }
    }
}

/// A transform: sixteen numbers, column by column or row by row, which the document leaves open.
pub type Matrix = [F32; 16];

record! {
    /// A vertex, 48 bytes. [doc: Meshes]
    pub struct Vertex {
        /// Offset 0. Position. [doc: Meshes]
        pub position: [F32; 3],
        /// Offset 12. Red, green, blue and alpha, 0 to 255 each; 255 where the source had no colours. [doc: Meshes]
        pub color: [I32; 4],
        /// Offset 28. Texture coordinates, 0 where the source had none. [doc: Meshes] The origin is at the bottom
        /// left. [seen in the converter]
        pub uv: [F32; 2],
        /// Offset 36. Normal, of length 1. [doc: Meshes]
        pub normal: [F32; 3],
    }

    /// How much one node moves a vertex, 8 bytes. [doc: Meshes]
    pub struct Influence {
        /// Offset 0. The id of the node. [doc: Meshes]
        pub node_id: U32,
        /// Offset 4. Its share of the motion; the shares of a vertex add up to 1. [doc: Meshes]
        pub weight: F32,
    }
}

/// A material: the textures it names. [doc: Textures]
#[derive(Clone, Debug, Default)]
pub struct Material<'a> {
    /// Paths of image files, without their NUL.
    pub textures: Vec<Cow<'a, [u8]>>,
}

/// The nodes that move one vertex. [doc: Meshes]
#[derive(Clone)]
pub struct VertexWeights<'a> {
    /// The vertex, by its position in the mesh.
    pub vertex_id: u32,
    /// The nodes and how much each moves it; any number.
    pub influences: Cow<'a, [Influence]>,
}

/// A mesh. [doc: Meshes]
#[derive(Clone, Default)]
pub struct Mesh<'a> {
    /// Bone weights, for some or all of the vertices; none in the dialects that store none.
    pub weights: Vec<VertexWeights<'a>>,
    /// Vertices.
    pub vertices: Cow<'a, [Vertex]>,
    /// Triangles, as three positions in the vertices; none in the dialect that stores none.
    pub faces: Cow<'a, [[U32; 3]]>,
}

/// A node of the tree. [doc: Nodes]
#[derive(Clone)]
pub struct Node<'a> {
    /// What bone weights and animations know it by; its position in the file where the dialect stores no ids.
    pub id: u32,
    /// From its own space to its parent's.
    pub matrix: Matrix,
    /// The meshes drawn with it.
    pub mesh_ids: Cow<'a, [U32]>,
    /// How many children it has. They follow it, each with everything below it.
    pub child_count: u32,
}

/// An animation. [doc: Animations]
#[derive(Clone)]
pub struct Animation<'a> {
    /// Its length in ticks. The number of matrices follows from it, except in a few broken files that say 0.
    pub duration: u32,
    /// Ticks in a second.
    pub rate: u32,
    /// The nodes it moves.
    pub bones: Vec<Bone<'a>>,
}

/// The motion of one node. [doc: Animations]
#[derive(Clone)]
pub struct Bone<'a> {
    /// The id of the node.
    pub node_id: u32,
    /// A transform for each tick.
    pub matrices: Cow<'a, [Matrix]>,
}

/// The name of a node, in the engine's dialect. [seen in the engine's converter and loader]
#[derive(Clone, Debug)]
pub struct BoneName<'a> {
    /// The id of the node.
    pub node_id: u32,
    /// Its name, without the NUL.
    pub name: Cow<'a, [u8]>,
}

/// A whole file. Tables are borrowed from the input until they are changed.
#[derive(Clone)]
pub struct File<'a> {
    /// Which layout it is in.
    pub dialect: Dialect,
    /// Why it is taken for that layout.
    pub evidence: String,
    /// Every layout that the bytes fit to the last; the one it is in comes first.
    pub fitting: Vec<Dialect>,
    /// The header as it stands in the file, with the NUL (or newline) that ends it.
    pub header: Cow<'a, [u8]>,
    /// Materials.
    pub materials: Vec<Material<'a>>,
    /// Meshes.
    pub meshes: Vec<Mesh<'a>>,
    /// The tree of nodes in file order, the root first, each before its children.
    pub nodes: Vec<Node<'a>>,
    /// Animations; none in the dialects that store none.
    pub animations: Vec<Animation<'a>>,
    /// Names of nodes; none outside the engine's dialect.
    pub bone_names: Vec<BoneName<'a>>,
    /// What follows the last block, where it should not.
    pub trailing: Cow<'a, [u8]>,
}

impl<'a> File<'a> {
    /// Parses a file in the dialect that its bytes show: the first whose reading ends exactly at the end of the file.
    pub fn parse(bytes: &'a [u8]) -> Result<File<'a>> {
        parse::parse(bytes, Dialect::ALL)
    }

    /// Parses a file in this dialect, whatever its bytes suggest.
    pub fn parse_as(bytes: &'a [u8], dialect: Dialect) -> Result<File<'a>> {
        let file = parse::parse(bytes, &[dialect])?;
        Ok(File { evidence: "asked for".into(), ..file })
    }

    /// Parses what there is of a file, in this dialect or in the likeliest: see [`Reader::of_part`].
    ///
    /// [`Reader::of_part`]: crate::bytes::Reader::of_part
    pub fn parse_part(bytes: &'a [u8], dialect: Option<Dialect>) -> Result<File<'a>> {
        parse::parse_part(bytes, dialect)
    }

    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        crate::walk::encode(self)
    }

    /// What the header says after the magic, without what ends it: `1`.
    pub fn version(&self) -> &[u8] {
        let text = self.header.strip_prefix(MAGIC).unwrap_or(&self.header);
        text.strip_suffix(b"\0").unwrap_or(text).trim_ascii_end()
    }

    /// The paths of all textures, in file order. The engine takes the first for the first mesh, and so on.
    pub fn textures(&self) -> impl Iterator<Item = &[u8]> {
        self.materials.iter().flat_map(|material| material.textures.iter().map(|texture| &**texture))
    }

    /// The parent of each node, none for the root.
    pub fn parents(&self) -> Vec<Option<usize>> {
        let mut parents = Vec::with_capacity(self.nodes.len());
        self.descend(|open| parents.push(open.last().map(|&(node, _)| node)));
        parents
    }

    /// How deep each node lies, 0 for the root.
    pub fn depths(&self) -> Vec<usize> {
        let mut depths = Vec::with_capacity(self.nodes.len());
        self.descend(|open| depths.push(open.len()));
        depths
    }

    /// Takes `visit` to each node, with the nodes above it and how many children each of those still awaits.
    fn descend(&self, mut visit: impl FnMut(&[(usize, u32)])) {
        let mut open: Vec<(usize, u32)> = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            visit(&open);
            if let Some((_, awaited)) = open.last_mut() {
                *awaited -= 1;
            }
            open.push((index, node.child_count));
            while open.last().is_some_and(|&(_, awaited)| awaited == 0) {
                open.pop();
            }
        }
    }

    /// The ids of all nodes.
    pub fn node_ids(&self) -> IdSet {
        let mut ids = IdSet::expecting(self.nodes.len());
        self.nodes.iter().for_each(|node| _ = ids.insert(node.id));
        ids
    }

    /// The ids that bone weights name.
    pub fn weighted_ids(&self) -> IdSet {
        let mut ids = IdSet::expecting(self.nodes.len());
        for weights in self.meshes.iter().flat_map(|mesh| &mesh.weights) {
            weights.influences.iter().for_each(|influence| _ = ids.insert(influence.node_id.get()));
        }
        ids
    }

    /// The ids that animations move.
    pub fn animated_ids(&self) -> IdSet {
        let mut ids = IdSet::expecting(self.nodes.len());
        self.animations.iter().flat_map(|animation| &animation.bones).for_each(|bone| _ = ids.insert(bone.node_id));
        ids
    }

    /// The ids of nodes that act as joints: those with weights and those that are animated.
    pub fn joint_ids(&self) -> IdSet {
        let mut joints = self.weighted_ids();
        self.animated_ids().iter().for_each(|id| _ = joints.insert(id));
        joints
    }

    /// How the matrices are ordered, and how that is known.
    ///
    /// The document does not say, and files of both orders exist; the translations tell, where there are any.
    pub fn matrix_order(&self) -> (MatrixOrder, String) {
        let bones = self.animations.iter().flat_map(|animation| &animation.bones);
        let matrices = self.nodes.iter().map(|node| &node.matrix).chain(bones.flat_map(|bone| bone.matrices.iter()));
        let votes = OrderVotes::of(matrices);
        let counted = format!(
            "matrices with a translation in elements 12 to 14: {}, in elements 3, 7 and 11: {}",
            votes.column_major, votes.row_major
        );
        match votes.winner() {
            Some(order) => (order, counted),
            None if self.dialect.is_engine() => {
                (MatrixOrder::ColumnMajor, format!("{counted}; the engine's converter writes columns"))
            }
            None => (MatrixOrder::RowMajor, format!("{counted}; the files of October 2019 hold rows")),
        }
    }
}
