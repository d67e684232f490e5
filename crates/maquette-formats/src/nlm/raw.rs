//! NLM records in file order, and `parse`/`encode` between them and bytes. No interpretation, no defaults.
//!
//! Counts are the lengths of the tables, so they are not kept twice. The spelling of the magic and the value of
//! the animation flag are kept besides the dialect, because a file may be read in another dialect than its
//! magic says, and any flag but 0 means that an animation follows.

use super::check::{ANIMATION_FLAG_WRONG, BAD_MAGIC, DOG_ENGINE, TRAILING_BYTES, TRUNCATED, UNSUPPORTED_VERSION};
use super::dog;
use crate::bytes::Reader;
use crate::format::{Error, QuaternionOrder, Result};
use crate::layout::{FixedText, Meaning};
use crate::trailing;
use crate::walk::{self, Walk, Walker, count};
use crate::{dialects, record};
use maquette_scene::{Code, Diagnostic, path};
use std::borrow::Cow;
use zerocopy::little_endian::{F32, I32, U32};

/// The one version described.
pub const VERSION: u32 = 2;

dialects! {
    /// The layouts found under version 2.
    pub enum Dialect of "nlm" {
        /// 16-byte header that begins with the hash, bytes MODL, rotation keys w, x, y, z: the document.
        Document = "document" read by "programs written from the document",
        /// 16-byte header that begins with the hash, bytes LDOM, rotation keys x, y, z, w: what the NiteLite engine writes.
        Engine = "engine" read by "the NiteLite engine",
        /// 12-byte header, bytes LDOM, rotation keys x, y, z, w; the hash lies in a companion file: the engine's older files.
        Engine12 = "engine-12" read by "older versions of the NiteLite engine",
        /// 12-byte header, bytes MODL, rotation keys w, x, y, z; the hash lies in a companion file: the document's totals taken literally.
        Document12 = "document-12" read by "programs written from the totals of the document",
    }
}

impl Dialect {
    /// The dialect of a file with this magic behind this many bytes of hash.
    fn of(magic: Magic, place: HashPlace) -> Dialect {
        match (magic, place) {
            (Magic::Modl, HashPlace::Header) => Dialect::Document,
            (Magic::Ldom, HashPlace::Header) => Dialect::Engine,
            (Magic::Ldom, HashPlace::HashFile) => Dialect::Engine12,
            (Magic::Modl, HashPlace::HashFile) => Dialect::Document12,
        }
    }

    /// The magic that files of this dialect carry.
    pub fn magic(self) -> Magic {
        match self {
            Dialect::Document | Dialect::Document12 => Magic::Modl,
            Dialect::Engine | Dialect::Engine12 => Magic::Ldom,
        }
    }

    /// Where the hash of the source file is kept.
    pub fn hash_place(self) -> HashPlace {
        match self {
            Dialect::Document | Dialect::Engine => HashPlace::Header,
            Dialect::Engine12 | Dialect::Document12 => HashPlace::HashFile,
        }
    }

    /// How the four numbers of a rotation key are ordered.
    pub fn quaternion_order(self) -> QuaternionOrder {
        match self.magic() {
            Magic::Modl => QuaternionOrder::Wxyz,
            Magic::Ldom => QuaternionOrder::Xyzw,
        }
    }
}

/// The two spellings of the magic number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Magic {
    /// As the document has it.
    Modl,
    /// As the engine has it: 0x4D4F444C, written as a little-endian number.
    Ldom,
}

impl Magic {
    /// The four bytes in the file.
    pub fn bytes(self) -> [u8; 4] {
        match self {
            Magic::Modl => *b"MODL",
            Magic::Ldom => *b"LDOM",
        }
    }

    /// The magic that stands at this offset, if one does.
    pub fn at(bytes: &[u8], offset: usize) -> Option<Magic> {
        let found = bytes.get(offset..)?;
        [Magic::Modl, Magic::Ldom].into_iter().find(|magic| found.starts_with(&magic.bytes()))
    }
}

/// Where the hash of the source file is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashPlace {
    /// In the first four bytes.
    Header,
    /// In a companion file.
    HashFile,
}

impl HashPlace {
    /// Where the magic stands.
    pub fn magic_offset(self) -> u64 {
        match self {
            HashPlace::Header => 4,
            HashPlace::HashFile => 0,
        }
    }

    /// Size of the header.
    pub fn header_bytes(self) -> u64 {
        self.magic_offset() + 12
    }
}

/// Whether an animation follows the meshes.
pub const HAS_ANIMATION: Meaning = Meaning::Enum(&[(0, "no animation"), (1, "animation")]);

record! {
    /// The first 16 bytes. [doc: Header Section]
    pub struct Header {
        /// Offset 0. FNV-1a hash of the source model; the engine imports the source again when it differs. [doc: Header Section]
        pub hash: U32,
        /// Offset 4. MODL [doc: Header Section], or LDOM [seen in the engine's files]. The spelling tells the order of rotation keys.
        pub magic: FixedText<4>,
        /// Offset 8. 2. [doc: Header Section]
        pub version: U32,
        /// Offset 12. 1 if an animation follows the meshes, 0 otherwise. [doc: Header Section]
        pub has_animation: U32 = HAS_ANIMATION,
    }

    /// The first 12 bytes of a file whose hash lies in a companion file. [seen in error_model.nlm]
    pub struct ShortHeader {
        /// Offset 0. LDOM [seen in error_model.nlm], or MODL [a guess]. The spelling tells the order of rotation keys.
        pub magic: FixedText<4>,
        /// Offset 4. 2. [seen in error_model.nlm]
        pub version: U32,
        /// Offset 8. 1 if an animation follows the meshes, 0 otherwise. [seen in error_model.nlm]
        pub has_animation: U32 = HAS_ANIMATION,
    }

    /// The box around the source model, 24 bytes. [doc: Axis-Aligned Bounding Box]
    pub struct Aabb {
        /// Offset 0. The corner with the smallest coordinates. [doc: Axis-Aligned Bounding Box]
        pub min: [F32; 3],
        /// Offset 12. The corner with the largest coordinates. [doc: Axis-Aligned Bounding Box]
        pub max: [F32; 3],
    }

    /// A vertex, 76 bytes. [doc: Vertex Data]
    pub struct Vertex {
        /// Offset 0. Position; without animation centred on the box and divided by its longest side. [doc: Vertex Data] [seen in arrow.nlm]
        pub position: [F32; 3],
        /// Offset 12. Colour: red, green, blue from 0 to 1; white where the source has none. [doc: Vertex Data]
        pub color: [F32; 3],
        /// Offset 24. Normal; 0 0 0 in models of lines. [doc: Vertex Data] [seen in wire_cube.nlm]
        pub normal: [F32; 3],
        /// Offset 36. Texture coordinates, origin at the bottom left. [doc: Vertex Data] [seen in textured scans]
        pub uv: [F32; 2],
        /// Offset 44. The bones that move it, by bone index; -1 where unused. [doc: Vertex Data]
        pub bone_ids: [I32; 4],
        /// Offset 60. How much each bone moves it: 1 in sum, or 0 without bones. [doc: Vertex Data]
        pub bone_weights: [F32; 4],
    }

    /// A bone: the node that moves it and where the mesh was bound to it, 72 bytes. [doc: Bone Info Entries]
    pub struct BoneInfo {
        /// Offset 0. The id of its node; the document's "Bone ID". [doc: Bone Info Entries] [seen in trotting_cat.nlm]
        pub node_id: I32,
        /// Offset 4. Mesh space to bone space in the bind pose, column-major. [doc: Bone Info Entries] [seen in trotting_cat.nlm]
        pub offset_matrix: [F32; 16],
        /// Offset 68. The number that vertices use for it; the document's "Bone Info ID". [doc: Bone Info Entries] [seen in trotting_cat.nlm]
        pub bone_index: I32,
    }

    /// A position key, 16 bytes. [doc: Bone Entries]
    pub struct PositionKey {
        /// Offset 0. When, in ticks. [doc: Bone Entries]
        pub time: F32,
        /// Offset 4. Where, from the parent node. [doc: Bone Entries]
        pub position: [F32; 3],
    }

    /// A rotation key, 20 bytes. [doc: Bone Entries]
    pub struct RotationKey {
        /// Offset 0. When, in ticks. [doc: Bone Entries]
        pub time: F32,
        /// Offset 4. Unit quaternion: w, x, y, z in files with MODL [doc: Bone Entries]; x, y, z, w in files with LDOM. [seen in trotting_cat.nlm]
        pub rotation: [F32; 4],
    }

    /// A scale key, 16 bytes. [doc: Bone Entries]
    pub struct ScaleKey {
        /// Offset 0. When, in ticks. [doc: Bone Entries]
        pub time: F32,
        /// Offset 4. How much along each axis. [doc: Bone Entries]
        pub scale: [F32; 3],
    }
}

impl RotationKey {
    /// The quaternion with its real part last, from a file with this order.
    pub fn xyzw(&self, order: QuaternionOrder) -> [f32; 4] {
        let [a, b, c, d] = self.rotation.map(F32::get);
        match order {
            QuaternionOrder::Wxyz => [b, c, d, a],
            QuaternionOrder::Xyzw => [a, b, c, d],
        }
    }
}

/// What the indices of a mesh draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// Three make a triangle.
    Triangles,
    /// Two make a line.
    Lines,
}

/// A mesh with at most one texture.
#[derive(Clone)]
pub struct Mesh<'a> {
    /// Its own: meshes share none.
    pub vertices: Cow<'a, [Vertex]>,
    /// Into its own vertices.
    pub indices: Cow<'a, [U32]>,
    /// An image file; empty without one.
    pub texture: Cow<'a, [u8]>,
}

impl Mesh<'_> {
    /// The smallest mesh on disk: three counts of 0.
    const LEAST_BYTES: u64 = 12;

    /// The format does not store it: an even count of indices that is no multiple of 3 is lines.
    pub fn topology(&self) -> Topology {
        match self.indices.len() {
            count if !count.is_multiple_of(3) && count.is_multiple_of(2) => Topology::Lines,
            _ => Topology::Triangles,
        }
    }
}

/// The one clip of a file, its bones and its nodes.
#[derive(Clone)]
pub struct Animation<'a> {
    /// In ticks.
    pub duration: F32,
    /// Ticks in a second.
    pub ticks_per_second: I32,
    /// What vertices are bound to. A dumped hash map: the order means nothing.
    pub bone_info: Cow<'a, [BoneInfo]>,
    /// The keys of the nodes that move. A dumped hash map, too.
    pub bones: Vec<Bone<'a>>,
    /// The hierarchy; the first node is the root.
    pub nodes: Vec<Node<'a>>,
}

/// The keys of one node.
#[derive(Clone)]
pub struct Bone<'a> {
    /// The id of the node they move.
    pub node_id: I32,
    /// The bone index of that node in the bone info.
    pub bone_index: I32,
    /// Keys of its position.
    pub positions: Cow<'a, [PositionKey]>,
    /// Keys of its rotation.
    pub rotations: Cow<'a, [RotationKey]>,
    /// Keys of its scale.
    pub scales: Cow<'a, [ScaleKey]>,
}

impl Bone<'_> {
    /// A bone without keys.
    const LEAST_BYTES: u64 = 20;

    /// Keys of all three kinds.
    pub fn key_count(&self) -> u64 {
        [self.positions.len(), self.rotations.len(), self.scales.len()].iter().map(|&count| count as u64).sum()
    }
}

/// A node of the hierarchy.
#[derive(Clone)]
pub struct Node<'a> {
    /// What bones call it by.
    pub id: I32,
    /// Node space to parent space at rest, column-major.
    pub transformation: [F32; 16],
    /// Positions of its children in the list of nodes; the document calls them ids.
    pub children: Cow<'a, [I32]>,
}

impl Node<'_> {
    /// A node without children.
    const LEAST_BYTES: u64 = 72;
}

/// A whole file. Tables are borrowed from the input until they are changed.
#[derive(Clone)]
pub struct File<'a> {
    /// Which layout it is in.
    pub dialect: Dialect,
    /// Why it is taken for that layout.
    pub evidence: String,
    /// Hash of the source file; 0 and not written in the 12-byte dialects.
    pub hash: u32,
    /// How the magic is spelled, which for a forced dialect may be the other way.
    pub magic: Magic,
    /// The animation flag as read. What is written always agrees with `animation`: 0 without one, and 1 in the place of 0.
    pub animation_flag: u32,
    /// The box around the source model.
    pub aabb: Aabb,
    /// In file order; an index of a vertex counts within its mesh.
    pub meshes: Vec<Mesh<'a>>,
    /// The animation, if there is one.
    pub animation: Option<Animation<'a>>,
    /// What follows the last field, where it should not.
    pub trailing: Cow<'a, [u8]>,
}

impl<'a> File<'a> {
    /// Parses a file in the dialect that its bytes show.
    ///
    /// The magic stands at offset 0 or 4. Where it stands at both, because a hash happens to spell it, the
    /// reading that ends at the end of the file is right.
    pub fn parse(bytes: &'a [u8]) -> Result<File<'a>> {
        let found = dialects(bytes);
        let mut first_error = None;
        for &(magic, place) in &found {
            match File::parse_as(bytes, Dialect::of(magic, place)) {
                Ok(file) if file.trailing.is_empty() || found.len() == 1 => {
                    let evidence = evidence(magic, place, &file.trailing);
                    return Ok(File { evidence, ..file });
                }
                Ok(file) => {
                    let error = trailing::unclear(&TRAILING_BYTES, file.dialect.id(), bytes, &file.trailing);
                    first_error = first_error.or(Some(error));
                }
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        Err(first_error.unwrap_or_else(|| bad_magic(bytes, HashPlace::Header)))
    }

    /// Parses a file in this dialect. Either spelling of the magic is taken, and kept.
    pub fn parse_as(bytes: &'a [u8], dialect: Dialect) -> Result<File<'a>> {
        let dog = || dog::after_first_indices(bytes, dialect.hash_place()).map(dog_error);
        match read(&mut Reader::new(bytes, &TRUNCATED), bytes, dialect) {
            Ok(file) if file.trailing.is_empty() => Ok(file),
            other => dog().map_or(other, Err),
        }
    }

    /// Parses what there is of a file, in this dialect or in the one that its magic says: see [`Reader::of_part`].
    pub fn parse_part(bytes: &'a [u8], dialect: Option<Dialect>) -> Result<File<'a>> {
        let shown = || dialects(bytes).first().map(|&(magic, place)| Dialect::of(magic, place));
        let dialect = dialect.or_else(shown).unwrap_or(Dialect::Document);
        read(&mut Reader::of_part(bytes, &TRUNCATED), bytes, dialect)
    }

    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        walk::encode(self)
    }
}

/// Each place that a magic stands at, the usual one first.
fn dialects(bytes: &[u8]) -> Vec<(Magic, HashPlace)> {
    let at = |place: HashPlace| Some((Magic::at(bytes, place.magic_offset() as usize)?, place));
    [HashPlace::Header, HashPlace::HashFile].into_iter().filter_map(at).collect()
}

fn read<'a>(reader: &mut Reader<'a>, bytes: &[u8], dialect: Dialect) -> Result<File<'a>> {
    let head = Head::read(reader, bytes, dialect.hash_place())?;
    Ok(File {
        dialect,
        evidence: "asked for".into(),
        hash: head.hash,
        magic: head.magic,
        animation_flag: head.animation_flag,
        aabb: reader.value("aabb")?,
        meshes: read_meshes(reader)?,
        animation: head.animation(reader)?,
        trailing: head.trailing(reader)?,
    })
}

fn evidence(magic: Magic, place: HashPlace, trailing: &[u8]) -> String {
    let header = match place {
        HashPlace::Header => "after a hash, so the header has 16 bytes",
        HashPlace::HashFile => "with no hash before it, so the header has 12 bytes",
    };
    let spelling = match magic {
        Magic::Modl => "MODL is the document's spelling and means rotation keys w, x, y, z",
        Magic::Ldom => "LDOM is the engine's spelling and means rotation keys x, y, z, w",
    };
    let end = match trailing {
        [] => "; the last field ends with the file".into(),
        _ => trailing::evidence(trailing),
    };
    format!("the magic stands at offset {}, {header}; {spelling}{end}", place.magic_offset())
}

/// A finding in the header, by the name of a field and its distance from the magic.
fn in_header(
    code: &'static Code,
    place: HashPlace,
    (field, after_magic): (&'static str, u64),
    message: String,
) -> Diagnostic {
    Diagnostic::new(code, path!("header", field), message).at_offset(place.magic_offset() + after_magic)
}

fn bad_magic(bytes: &[u8], place: HashPlace) -> Error {
    let offset = place.magic_offset();
    let found = bytes.get(offset as usize..).unwrap_or_default();
    let shown = String::from_utf8_lossy(found.get(..4).unwrap_or(found)).into_owned();
    let finding = in_header(&BAD_MAGIC, place, ("magic", 0), format!("the bytes at {offset} are {shown:?}"));
    let expected = match place {
        HashPlace::Header => "MODL or LDOM at 4; files with a 12-byte header have it at 0",
        HashPlace::HashFile => "MODL or LDOM at 0; files with a 16-byte header have it at 4",
    };
    // A file too short to have a magic is spoken of at its end.
    Error::Malformed(Box::new(finding.expected(expected).at_offset(offset.min(bytes.len() as u64))))
}

fn dog_error(offset: u64) -> Error {
    let message = "texture ids and names follow the indices, as the Dog engine writes them";
    let finding = Diagnostic::new(&DOG_ENGINE, path!("meshes", 0, "texture_bytes"), message).at_offset(offset);
    Error::Unsupported(Box::new(finding.expected("the size of an embedded image, as in NLM 2 of the NiteLite engine")))
}

/// The header of either size.
struct Head {
    place: HashPlace,
    hash: u32,
    magic: Magic,
    animation_flag: u32,
}

impl Head {
    fn read(reader: &mut Reader<'_>, bytes: &[u8], place: HashPlace) -> Result<Head> {
        let magic = Magic::at(bytes, place.magic_offset() as usize).ok_or_else(|| bad_magic(bytes, place))?;
        let (hash, version, flag) = match place {
            HashPlace::Header => {
                let header = reader.value::<Header>("header")?;
                (header.hash.get(), header.version.get(), header.has_animation.get())
            }
            HashPlace::HashFile => {
                let header = reader.value::<ShortHeader>("header")?;
                (0, header.version.get(), header.has_animation.get())
            }
        };
        if version != VERSION && !reader.ran_out() {
            let finding = in_header(&UNSUPPORTED_VERSION, place, ("version", 4), format!("the version is {version}"));
            return Err(Error::Unsupported(Box::new(finding.expected("2, the only version described"))));
        }
        Ok(Head { place, hash, magic, animation_flag: flag })
    }

    /// The animation that the flag promises.
    fn animation<'a>(&self, reader: &mut Reader<'a>) -> Result<Option<Animation<'a>>> {
        let flag = self.animation_flag;
        if flag == 0 || reader.is_cut_here() {
            return Ok(None);
        }
        if reader.remaining() == 0 {
            let message = format!("the flag is {flag}, but the file ends after its meshes");
            return Err(self.flag_error(message, "0, or the animation that was cut off"));
        }
        Ok(Some(reader.within("animation", read_animation)?))
    }

    /// What follows the last field, unless that is an animation after all.
    fn trailing<'a>(&self, reader: &mut Reader<'a>) -> Result<Cow<'a, [u8]>> {
        let (left, ahead) = (reader.remaining(), &mut reader.clone());
        let may_follow = self.animation_flag == 0 && left > 0 && !reader.is_part();
        if may_follow && read_animation(ahead).is_ok() && ahead.remaining() == 0 {
            let message = format!("the flag is 0, but the {left} bytes after the meshes are an animation");
            return Err(self.flag_error(message, "1"));
        }
        reader.trailing(&TRAILING_BYTES, "field")
    }

    fn flag_error(&self, message: String, expected: &str) -> Error {
        let finding = in_header(&ANIMATION_FLAG_WRONG, self.place, ("has_animation", 8), message);
        Error::Malformed(Box::new(finding.expected(expected)))
    }
}

fn read_meshes<'a>(reader: &mut Reader<'a>) -> Result<Vec<Mesh<'a>>> {
    let count = reader.count("mesh_count")?;
    reader.list("meshes", count, Mesh::LEAST_BYTES, read_mesh)
}

fn read_mesh<'a>(reader: &mut Reader<'a>) -> Result<Mesh<'a>> {
    let vertex_count = reader.count("vertex_count")?;
    let index_count = reader.count("index_count")?;
    let vertices = reader.table("vertices", vertex_count)?;
    let indices = reader.table("indices", index_count)?;
    let texture_bytes = reader.count("texture_bytes")?;
    Ok(Mesh { vertices, indices, texture: reader.blob("texture", texture_bytes)? })
}

fn read_animation<'a>(reader: &mut Reader<'a>) -> Result<Animation<'a>> {
    let duration = reader.value("duration")?;
    let ticks_per_second = reader.value("ticks_per_second")?;
    let count = reader.count("bone_info_count")?;
    let bone_info = reader.table("bone_info", count)?;
    let count = reader.count("bone_count")?;
    let bones = reader.list("bones", count, Bone::LEAST_BYTES, read_bone)?;
    let count = reader.count("node_count")?;
    let nodes = reader.list("nodes", count, Node::LEAST_BYTES, read_node)?;
    Ok(Animation { duration, ticks_per_second, bone_info, bones, nodes })
}

fn read_bone<'a>(reader: &mut Reader<'a>) -> Result<Bone<'a>> {
    let node_id = reader.value("node_id")?;
    let bone_index = reader.value("bone_index")?;
    let positions = reader.count("position_count")?;
    let rotations = reader.count("rotation_count")?;
    let scales = reader.count("scale_count")?;
    Ok(Bone {
        node_id,
        bone_index,
        positions: reader.table("positions", positions)?,
        rotations: reader.table("rotations", rotations)?,
        scales: reader.table("scales", scales)?,
    })
}

fn read_node<'a>(reader: &mut Reader<'a>) -> Result<Node<'a>> {
    let id = reader.value("id")?;
    let transformation = reader.value("transformation")?;
    let count = reader.count("child_count")?;
    Ok(Node { id, transformation, children: reader.table("children", count)? })
}

impl Walk for File<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        let magic = FixedText(self.magic.bytes());
        let version = U32::new(VERSION);
        let has_animation = U32::new(self.animation.as_ref().map_or(0, |_| self.animation_flag.max(1)));
        match self.dialect.hash_place() {
            HashPlace::Header => {
                walker.record("header", &Header { hash: self.hash.into(), magic, version, has_animation })
            }
            HashPlace::HashFile => walker.record("header", &ShortHeader { magic, version, has_animation }),
        }
        walker.record("aabb", &self.aabb);
        walker.value("mesh_count", &count(self.meshes.len()), "Number of meshes. [doc: Mesh Info Map Header]");
        walker.items("meshes", &self.meshes, |walker, mesh| mesh.walk(walker));
        if let Some(animation) = &self.animation {
            walker.group("animation", |walker| animation.walk(walker));
        }
        trailing::walk(walker, &self.trailing);
    }
}

impl Walk for Mesh<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        walker.value("vertex_count", &count(self.vertices.len()), "Number of vertices. [doc: Mesh Header]");
        walker.value("index_count", &count(self.indices.len()), "Number of indices. [doc: Mesh Header]");
        walker.table("vertices", &self.vertices, "");
        let doc = "Into the vertices of this mesh. Three make a triangle [doc: Index Data]; two make a line where the \
                   count is even and no multiple of 3. [seen in wire_cube.nlm]";
        walker.table("indices", &self.indices, doc);
        let doc = "Size of the texture in bytes, 0 without one. [doc: Embedded Texture Data]";
        walker.value("texture_bytes", &count(self.texture.len()), doc);
        let doc = "An image file, such as a JPEG, whole and still encoded. [doc: Embedded Texture Data] [seen in textured scans]";
        walker.blob("texture", &self.texture, doc);
    }
}

impl Walk for Animation<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        walker.value("duration", &self.duration, "Length of the clip in ticks. [doc: Animation Metadata]");
        walker.value("ticks_per_second", &self.ticks_per_second, "Ticks in a second. [doc: Animation Metadata]");
        walker.value("bone_info_count", &count(self.bone_info.len()), "Number of bones. [doc: Bone Info Map Header]");
        walker.table("bone_info", &self.bone_info, "");
        walker.value("bone_count", &count(self.bones.len()), "Number of nodes that have keys. [doc: Bone Map Header]");
        walker.items("bones", &self.bones, |walker, bone| bone.walk(walker));
        walker.value("node_count", &count(self.nodes.len()), "Number of nodes. [doc: Animation Node Header]");
        walker.items("nodes", &self.nodes, |walker, node| node.walk(walker));
    }
}

impl Walk for Bone<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        walker.value("node_id", &self.node_id, "The id of the node that these keys move. [doc: Bone Entries]");
        let doc =
            "The bone index that the bone info gives the same node. [doc: Bone Entries] [seen in trotting_cat.nlm]";
        walker.value("bone_index", &self.bone_index, doc);
        walker.value("position_count", &count(self.positions.len()), "Number of position keys. [doc: Bone Entries]");
        walker.value("rotation_count", &count(self.rotations.len()), "Number of rotation keys. [doc: Bone Entries]");
        walker.value("scale_count", &count(self.scales.len()), "Number of scale keys. [doc: Bone Entries]");
        walker.table("positions", &self.positions, "");
        walker.table("rotations", &self.rotations, "");
        walker.table("scales", &self.scales, "");
    }
}

impl Walk for Node<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        let doc = "What bones call the node by; equal to its position in every file seen. [doc: Animation Nodes] [seen in trotting_cat.nlm]";
        walker.value("id", &self.id, doc);
        let doc = "Node space to parent space at rest, column-major; keys replace all of it. [doc: Animation Nodes] [seen in trotting_cat.nlm]";
        walker.value("transformation", &self.transformation, doc);
        walker.value("child_count", &count(self.children.len()), "Number of children. [doc: Animation Nodes]");
        let doc = "Positions of the children in the list of nodes. The document calls them ids, which in every file seen is the \
                   same. [doc: Animation Nodes] [seen in trotting_cat.nlm]";
        walker.table("children", &self.children, doc);
    }
}
