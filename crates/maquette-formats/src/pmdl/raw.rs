//! PMDL records in file order, and `parse`/`encode` between them and bytes. No interpretation, no defaults.
//!
//! Every count of the file is the length of a list, with one exception: a mesh of index type 0 stores no
//! indices and may still claim some, so [`Indices::Absent`] keeps the claim. Vertices stay slices of the input.

use super::check::{BAD_MAGIC, INDEX_TYPE_UNKNOWN, TRAILING_BYTES, TRUNCATED, VERTEX_TYPE_UNKNOWN};
use super::detect;
use crate::bytes::{Reader, begins_with};
use crate::format::{Error, Result};
use crate::layout::{FixedText, Meaning};
use crate::rules::matrices::MatrixOrder;
use crate::trailing;
use crate::walk::{self, Walk, Walker, count};
use crate::{dialects, record};
use maquette_scene::Code;
use std::borrow::Cow;
use zerocopy::little_endian::{F32, I32, U32};

/// The first bytes of every PMDL file.
pub const MAGIC: &[u8; 4] = b"PMDL";
/// The version number in every file found.
pub const VERSION: u32 = 0;

dialects! {
    /// The layouts found under version 0.
    pub enum Dialect of "pmdl" {
        /// 28-byte mesh headers, vertices of type 1, matrices row-major, bones with ids: the document.
        Document = "document" read by "programs written from the document",
        /// 28-byte mesh headers, vertices of types 1, 2 and 3, matrices column-major, bones with parents: what the engine reads.
        Engine = "engine" read by "the Paca Engine and paca-tools",
        /// As the engine's, with 20-byte mesh headers: no bones and no animations. The oldest, March and April 2024.
        Engine20 = "engine-20" read by "paca-tools of March and April 2024",
        /// As the engine's, with 24-byte mesh headers: bones and no animations. Between the other two.
        Engine24 = "engine-24" read by "paca-tools of spring 2024",
    }
}

impl Dialect {
    /// Size of a mesh header.
    pub fn mesh_header_bytes(self) -> u64 {
        (match self {
            Dialect::Document | Dialect::Engine => size_of::<MeshHeader>(),
            Dialect::Engine20 => size_of::<MeshHeader20>(),
            Dialect::Engine24 => size_of::<MeshHeader24>(),
        }) as u64
    }

    /// How the numbers of a bone's matrix are ordered.
    pub fn matrix_order(self) -> MatrixOrder {
        match self {
            Dialect::Document => MatrixOrder::RowMajor,
            _ => MatrixOrder::ColumnMajor,
        }
    }

    /// What the number before a bone's matrix is called: `id`, or `parent`.
    pub fn bone_number(self) -> &'static str {
        match self {
            Dialect::Document => "id",
            _ => "parent",
        }
    }

    /// The vertex types it has.
    pub fn vertex_types(self) -> Meaning {
        match self {
            Dialect::Document => Meaning::Enum(&[(1, "position, normal, uv")]),
            _ => VERTEX_TYPE,
        }
    }
}

/// What a vertex holds.
pub const VERTEX_TYPE: Meaning = Meaning::Enum(&[
    (1, "position, normal, uv"),
    (2, "position, normal, tangent, uv"),
    (3, "position, normal, tangent, uv, bones, weights"),
]);
/// How indices are stored.
pub const INDEX_TYPE: Meaning = Meaning::Enum(&[(0, "no indices"), (1, "32-bit")]);

record! {
    /// The first 16 bytes; the model's name follows. [doc: Header]
    pub struct Header {
        /// Offset 0. "PMDL". [doc: Header]
        pub magic: FixedText<4>,
        /// Offset 4. 0 in every file found; readers ignore it. [doc: Header]
        pub version: U32,
        /// Offset 8. Number of meshes. [doc: Header]
        pub mesh_count: U32,
        /// Offset 12. Length of the model's name in bytes. [doc: Header]
        pub name_bytes: U32,
    }

    /// What a mesh holds, 28 bytes; the name of its material follows. [doc: Each mesh]
    pub struct MeshHeader {
        /// Offset 0. What its vertices hold. [doc: Vertex Types; types 2 and 3: seen in lightBulb.pmdl and pacaread]
        pub vertex_type: U32 = VERTEX_TYPE,
        /// Offset 4. Number of vertices. [doc: Each mesh]
        pub vertex_count: U32,
        /// Offset 8. How its indices are stored. [doc: Index Types]
        pub index_type: U32 = INDEX_TYPE,
        /// Offset 12. Number of indices. [doc: Each mesh]
        pub index_count: U32,
        /// Offset 16. Number of bones. [doc: Each mesh]
        pub bone_count: U32,
        /// Offset 20. Number of animations named. [doc: Each mesh]
        pub animation_count: U32,
        /// Offset 24. Length of the name of its material in bytes. [doc: Each mesh]
        pub material_name_bytes: U32,
    }

    /// What a mesh holds, 20 bytes: before there were bones. [seen in lightBulb.pmdl of paca-engine d8233e1]
    pub struct MeshHeader20 {
        /// Offset 0. What its vertices hold. [seen in lightBulb.pmdl of d8233e1]
        pub vertex_type: U32 = VERTEX_TYPE,
        /// Offset 4. Number of vertices. [seen in lightBulb.pmdl of d8233e1]
        pub vertex_count: U32,
        /// Offset 8. How its indices are stored. [seen in lightBulb.pmdl of d8233e1]
        pub index_type: U32 = INDEX_TYPE,
        /// Offset 12. Number of indices. [seen in lightBulb.pmdl of d8233e1]
        pub index_count: U32,
        /// Offset 16. Length of the name of its material in bytes. [seen in lightBulb.pmdl of d8233e1]
        pub material_name_bytes: U32,
    }

    /// What a mesh holds, 24 bytes: before animations were named. [seen in pacaread 03b2889]
    pub struct MeshHeader24 {
        /// Offset 0. What its vertices hold. [seen in pacaread 03b2889]
        pub vertex_type: U32 = VERTEX_TYPE,
        /// Offset 4. Number of vertices. [seen in pacaread 03b2889]
        pub vertex_count: U32,
        /// Offset 8. How its indices are stored. [seen in pacaread 03b2889]
        pub index_type: U32 = INDEX_TYPE,
        /// Offset 12. Number of indices. [seen in pacaread 03b2889]
        pub index_count: U32,
        /// Offset 16. Number of bones. [seen in pacaread 03b2889]
        pub bone_count: U32,
        /// Offset 20. Length of the name of its material in bytes. [seen in pacaread 03b2889]
        pub material_name_bytes: U32,
    }

    /// A vertex of type 1, 32 bytes. [doc: Vertex Types]
    pub struct VertexType1 {
        /// Offset 0. Position. [doc: Vertex Types]
        pub position: [F32; 3],
        /// Offset 12. Normal. [doc: Vertex Types]
        pub normal: [F32; 3],
        /// Offset 24. Texture coordinates, origin at the bottom left. [doc: Vertex Types; origin: seen in paca-engine]
        pub uv: [F32; 2],
    }

    /// A vertex of type 2, 44 bytes. [seen in lightBulb.pmdl]
    pub struct VertexType2 {
        /// Offset 0. Position. [seen in lightBulb.pmdl]
        pub position: [F32; 3],
        /// Offset 12. Normal. [seen in lightBulb.pmdl]
        pub normal: [F32; 3],
        /// Offset 24. Tangent, along +U. [seen in lightBulb.pmdl]
        pub tangent: [F32; 3],
        /// Offset 36. Texture coordinates, origin at the bottom left. [seen in lightBulb.pmdl]
        pub uv: [F32; 2],
    }

    /// A vertex of type 3, 76 bytes: type 2 and what moves it. [seen in pacaread and dancing_vampire.pmdl]
    pub struct VertexType3 {
        /// Offset 0. Position. [seen in dancing_vampire.pmdl]
        pub position: [F32; 3],
        /// Offset 12. Normal. [seen in dancing_vampire.pmdl]
        pub normal: [F32; 3],
        /// Offset 24. Tangent, along +U. [seen in dancing_vampire.pmdl]
        pub tangent: [F32; 3],
        /// Offset 36. Texture coordinates, origin at the bottom left. [seen in dancing_vampire.pmdl]
        pub uv: [F32; 2],
        /// Offset 44. The bones that move it, by position in the mesh's list; -1 (0xFFFFFFFF) where unused. [seen in dancing_vampire.pmdl]
        pub bone_indices: [I32; 4],
        /// Offset 60. How much each bone moves it, 0 where unused. [seen in dancing_vampire.pmdl]
        pub bone_weights: [F32; 4],
    }
}

/// The vertices of a mesh, of any type.
#[derive(Clone)]
pub enum Vertices<'a> {
    /// Position, normal, uv.
    Type1(Cow<'a, [VertexType1]>),
    /// Position, normal, tangent, uv.
    Type2(Cow<'a, [VertexType2]>),
    /// Position, normal, tangent, uv, bones, weights.
    Type3(Cow<'a, [VertexType3]>),
}

impl Vertices<'_> {
    /// The number that stands for their type.
    pub fn vertex_type(&self) -> u32 {
        match self {
            Vertices::Type1(_) => 1,
            Vertices::Type2(_) => 2,
            Vertices::Type3(_) => 3,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Vertices::Type1(vertices) => vertices.len(),
            Vertices::Type2(vertices) => vertices.len(),
            Vertices::Type3(vertices) => vertices.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The indices of a mesh.
#[derive(Clone)]
pub enum Indices<'a> {
    /// Index type 0: vertices are drawn in order.
    Absent {
        /// The index count in the mesh header, which no bytes follow. 0 in a sound file.
        claimed: u32,
    },
    /// Index type 1.
    U32(Cow<'a, [U32]>),
}

impl Indices<'_> {
    /// The number that stands for their type.
    pub fn index_type(&self) -> u32 {
        match self {
            Indices::Absent { .. } => 0,
            Indices::U32(_) => 1,
        }
    }

    /// The count in the mesh header.
    pub fn claimed(&self) -> u32 {
        match self {
            Indices::Absent { claimed } => *claimed,
            Indices::U32(indices) => indices.len() as u32,
        }
    }

    /// Those that are stored.
    pub fn stored(&self) -> &[U32] {
        match self {
            Indices::Absent { .. } => &[],
            Indices::U32(indices) => indices,
        }
    }
}

/// A bone. Vertices name it by its position in the mesh's list.
#[derive(Clone)]
pub struct Bone<'a> {
    /// Its id in the document's dialect; its parent, -1 for a root, in the engine's.
    pub id_or_parent: I32,
    /// Model space to bone space at rest, in the dialect's [`Dialect::matrix_order`].
    pub offset_matrix: [F32; 16],
    /// Its name.
    pub name: Cow<'a, [u8]>,
}

/// A mesh: one material, and a skeleton of its own.
#[derive(Clone)]
pub struct Mesh<'a> {
    /// The name of its material, which a `.pmat` file holds.
    pub material_name: Cow<'a, [u8]>,
    /// The names of its animations, which `.pani` files hold. Not written in the shorter dialects.
    pub animations: Vec<Cow<'a, [u8]>>,
    /// Its bones. Not written in `engine-20`.
    pub bones: Vec<Bone<'a>>,
    /// Its vertices.
    pub vertices: Vertices<'a>,
    /// Its indices.
    pub indices: Indices<'a>,
}

/// A whole file. Names, vertices and indices are borrowed from the input until they are changed.
#[derive(Clone)]
pub struct File<'a> {
    /// Which layout it is in.
    pub dialect: Dialect,
    /// Why it is taken for that layout.
    pub evidence: String,
    /// The version number, 0.
    pub version: u32,
    /// The model's name.
    pub name: Cow<'a, [u8]>,
    /// Its meshes.
    pub meshes: Vec<Mesh<'a>>,
    /// What follows the last mesh, where it should not.
    pub trailing: Cow<'a, [u8]>,
}

/// The counts of a mesh header of any length.
struct Counts {
    vertex_type: u32,
    vertices: u64,
    index_type: u32,
    indices: u32,
    bones: u64,
    animations: u64,
    material_name_bytes: u64,
}

impl Counts {
    fn read(reader: &mut Reader<'_>, dialect: Dialect) -> Result<Counts> {
        macro_rules! counts {
            ($Header:ident, $header:ident => $bones:expr, $animations:expr) => {{
                let $header = reader.value::<$Header>("header")?;
                Counts {
                    vertex_type: $header.vertex_type.get(),
                    vertices: $header.vertex_count.into(),
                    index_type: $header.index_type.get(),
                    indices: $header.index_count.get(),
                    bones: $bones,
                    animations: $animations,
                    material_name_bytes: $header.material_name_bytes.into(),
                }
            }};
        }
        Ok(match dialect {
            Dialect::Document | Dialect::Engine => {
                counts!(MeshHeader, header => header.bone_count.into(), header.animation_count.into())
            }
            Dialect::Engine20 => counts!(MeshHeader20, header => 0, 0),
            Dialect::Engine24 => counts!(MeshHeader24, header => header.bone_count.into(), 0),
        })
    }
}

impl<'a> File<'a> {
    /// Parses a file in the dialect that its bytes show: see [`detect`].
    pub fn parse(bytes: &'a [u8]) -> Result<File<'a>> {
        detect::parse(bytes)
    }

    /// Parses a file in this dialect, whatever its bytes suggest.
    pub fn parse_as(bytes: &'a [u8], dialect: Dialect) -> Result<File<'a>> {
        begins_with(bytes, MAGIC, &BAD_MAGIC)?;
        read(&mut Reader::new(bytes, &TRUNCATED), dialect)
    }

    /// Parses what there is of a file, in this dialect or in the likeliest: see [`Reader::of_part`].
    pub fn parse_part(bytes: &'a [u8], dialect: Option<Dialect>) -> Result<File<'a>> {
        begins_with(bytes, MAGIC, &BAD_MAGIC)?;
        match dialect {
            Some(dialect) => read(&mut Reader::of_part(bytes, &TRUNCATED), dialect),
            None => detect::parse_part(bytes),
        }
    }

    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        walk::encode(self)
    }
}

pub(super) fn read<'a>(reader: &mut Reader<'a>, dialect: Dialect) -> Result<File<'a>> {
    let header: Header = reader.value("header")?;
    let name = reader.blob("name", header.name_bytes.into())?;
    let least_bytes = dialect.mesh_header_bytes();
    let meshes = reader.list("meshes", header.mesh_count.into(), least_bytes, |reader| read_mesh(reader, dialect))?;
    refuse_rounded(reader, &meshes)?;
    let trailing = reader.trailing(&TRAILING_BYTES, "mesh")?;
    Ok(File { dialect, evidence: "asked for".into(), version: header.version.get(), name, meshes, trailing })
}

/// Refuses what the converter leaves that writes 44-byte vertices under type 1: it rounds the count of 32-byte ones down, so that
/// less than a vertex is left after the last mesh, and the indices begin inside a vertex.
fn refuse_rounded(reader: &Reader<'_>, meshes: &[Mesh<'_>]) -> Result<()> {
    let left = reader.remaining();
    let is_rounded = |mesh: &Mesh<'_>| {
        mesh.vertices.vertex_type() == 1 && (32 * mesh.vertices.len() as u64 + left).is_multiple_of(44)
    };
    if !(1..32).contains(&left) || reader.is_part() || !meshes.iter().any(is_rounded) {
        return Ok(());
    }
    Err(reader.fail(
        &TRAILING_BYTES,
        format!(
            "{left} bytes follow the last mesh; such a rest is left by pacaconvert, which writes 44-byte vertices under vertex type 1"
        ),
        format!("a file of {} bytes for these counts", reader.position()),
    ))
}

fn read_mesh<'a>(reader: &mut Reader<'a>, dialect: Dialect) -> Result<Mesh<'a>> {
    let start = reader.position();
    let counts = Counts::read(reader, dialect)?;
    let [types, index_types] = [dialect.vertex_types(), INDEX_TYPE];
    if !types.knows(counts.vertex_type) && !reader.ran_out() {
        let field = ("vertex_type", start + core::mem::offset_of!(MeshHeader, vertex_type) as u64);
        return refuse(reader, &VERTEX_TYPE_UNKNOWN, field, counts.vertex_type, types);
    }
    if !index_types.knows(counts.index_type) && !reader.ran_out() {
        let field = ("index_type", start + core::mem::offset_of!(MeshHeader, index_type) as u64);
        return refuse(reader, &INDEX_TYPE_UNKNOWN, field, counts.index_type, index_types);
    }
    Ok(Mesh {
        material_name: reader.blob("material_name", counts.material_name_bytes)?,
        animations: reader.list("animations", counts.animations, 4, read_name)?,
        bones: reader.list("bones", counts.bones, 72, |reader| read_bone(reader, dialect))?,
        vertices: match counts.vertex_type {
            1 => Vertices::Type1(reader.table("vertices", counts.vertices)?),
            2 => Vertices::Type2(reader.table("vertices", counts.vertices)?),
            _ => Vertices::Type3(reader.table("vertices", counts.vertices)?),
        },
        indices: match counts.index_type {
            0 => Indices::Absent { claimed: counts.indices },
            _ => Indices::U32(reader.table("indices", counts.indices.into())?),
        },
    })
}

/// The error for a number in the mesh header that says how to read on, and says nothing known.
fn refuse<T>(
    reader: &mut Reader<'_>,
    code: &'static Code,
    (field, offset): (&'static str, u64),
    value: u32,
    known: Meaning,
) -> Result<T> {
    let message = format!("the {} is {value}", field.replace('_', " "));
    let refused = reader
        .within("header", |reader| reader.within(field, |reader| Err(reader.fail(code, message, known.expected()))));
    refused.map_err(|error| match error {
        Error::Malformed(finding) => Error::Malformed(Box::new(finding.at_offset(offset))),
        other => other,
    })
}

fn read_name<'a>(reader: &mut Reader<'a>) -> Result<Cow<'a, [u8]>> {
    let bytes = reader.count("name_bytes")?;
    reader.blob("name", bytes)
}

fn read_bone<'a>(reader: &mut Reader<'a>, dialect: Dialect) -> Result<Bone<'a>> {
    Ok(Bone {
        id_or_parent: reader.value(dialect.bone_number())?,
        offset_matrix: reader.value("offset_matrix")?,
        name: read_name(reader)?,
    })
}

impl Walk for File<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        walker.record(
            "header",
            &Header {
                magic: FixedText(*MAGIC),
                version: self.version.into(),
                mesh_count: count(self.meshes.len()),
                name_bytes: count(self.name.len()),
            },
        );
        walker.text(
            "name",
            &self.name,
            "The name of the model, by which an engine finds it; no NUL ends it. [doc: Header]",
        );
        walker.items("meshes", &self.meshes, |walker, mesh| walk_mesh(walker, mesh, self.dialect));
        trailing::walk(walker, &self.trailing);
    }
}

fn walk_mesh(walker: &mut Walker<'_>, mesh: &Mesh<'_>, dialect: Dialect) {
    macro_rules! header {
        ($Header:ident { $($extra:ident : $value:expr),* }) => {
            walker.record("header", &$Header {
                vertex_type: mesh.vertices.vertex_type().into(),
                vertex_count: count(mesh.vertices.len()),
                index_type: mesh.indices.index_type().into(),
                index_count: mesh.indices.claimed().into(),
                material_name_bytes: count(mesh.material_name.len()),
                $($extra: $value),*
            })
        };
    }
    let [bones, animations] = [count(mesh.bones.len()), count(mesh.animations.len())];
    match dialect {
        Dialect::Document | Dialect::Engine => header!(MeshHeader { bone_count: bones, animation_count: animations }),
        Dialect::Engine20 => header!(MeshHeader20 {}),
        Dialect::Engine24 => header!(MeshHeader24 { bone_count: bones }),
    }
    walker.text("material_name", &mesh.material_name, "The name of the material that draws the mesh. [doc: Each mesh]");
    if matches!(dialect, Dialect::Document | Dialect::Engine) {
        walker.items("animations", &mesh.animations, |walker, name| {
            walk_name(walker, name, "The name of an animation for the mesh. [doc: Each animation]");
        });
    }
    if dialect != Dialect::Engine20 {
        walker.items("bones", &mesh.bones, |walker, bone| walk_bone(walker, bone, dialect));
    }
    match &mesh.vertices {
        Vertices::Type1(vertices) => walker.table("vertices", vertices, ""),
        Vertices::Type2(vertices) => walker.table("vertices", vertices, ""),
        Vertices::Type3(vertices) => walker.table("vertices", vertices, ""),
    }
    if let Indices::U32(indices) = &mesh.indices {
        walker.table("indices", indices, "Into the mesh's vertices; three make a triangle. [doc: Now Indices]");
    }
}

fn walk_name(walker: &mut Walker<'_>, name: &[u8], doc: &'static str) {
    walker.value("name_bytes", &count(name.len()), "Length of the name in bytes. [doc: Each animation, Each bone]");
    walker.text("name", name, doc);
}

fn walk_bone(walker: &mut Walker<'_>, bone: &Bone<'_>, dialect: Dialect) {
    let (number, matrix) = match dialect {
        Dialect::Document => (
            "The number of the bone. [doc: Each bone]",
            "Model space to bone space at rest, row by row: the translation in elements 3, 7 and 11. [doc: Each bone]",
        ),
        _ => (
            "The position of the bone's parent in this list, -1 for a root; the document calls it an id. [seen in dancing_vampire.pmdl]",
            "Model space to bone space at rest, column by column: the translation in elements 12 to 14. [seen in dancing_vampire.pmdl]",
        ),
    };
    walker.value(dialect.bone_number(), &bone.id_or_parent, number);
    walker.value("offset_matrix", &bone.offset_matrix, matrix);
    walk_name(walker, &bone.name, "The name of the bone. [doc: Each bone]");
}
