//! Which dialect a PMDL file is in.
//!
//! Nothing in a file names its layout. The length of the mesh headers is the one with which the meshes end at the
//! end of the file, tried in the order 28, 20, 24. Between the two dialects of 28 bytes the vertex types decide,
//! then where the bones' matrices keep their translation, then what the numbers before the matrices look like.

use super::check::{TRAILING_BYTES, TRUNCATED};
use super::raw::{self, Bone, Dialect, File, Header};
use crate::bytes::Reader;
use crate::format::Result;
use crate::rules::matrices::{MatrixOrder, OrderVotes};
use crate::trailing::{self, Gap};

/// The lengths of mesh headers that there are, in the order they are tried.
const LENGTHS: [Dialect; 3] = [Dialect::Engine, Dialect::Engine20, Dialect::Engine24];

/// Parses a file in the dialect that its bytes show.
pub fn parse(bytes: &[u8]) -> Result<File<'_>> {
    for dialect in LENGTHS {
        if let Ok(file) = File::parse_as(bytes, dialect)
            && file.trailing.is_empty()
        {
            return Ok(with_final_dialect(file, &ends_with_the_file(dialect, bytes)));
        }
    }
    let gap = |dialect| {
        let reader = &mut Reader::of_part(bytes, &TRUNCATED);
        let file = raw::read(reader, dialect).ok()?;
        Some(Gap { missing: reader.missing(), left: file.trailing.len() as u64 })
    };
    let likely = likely(bytes);
    if let Some(dialect) = trailing::only_near(bytes.len() as u64, &likely, gap) {
        let file = File::parse_as(bytes, dialect)?;
        let (header_bytes, left) = (dialect.mesh_header_bytes(), trailing::evidence(&file.trailing));
        return Ok(with_final_dialect(file, &format!("mesh headers of {header_bytes} bytes fit best{left}")));
    }
    let file = File::parse_as(bytes, likely.first().copied().unwrap_or(Dialect::Engine))?;
    Err(trailing::unclear(&TRAILING_BYTES, file.dialect.id(), bytes, &file.trailing))
}

/// Parses what there is of a file, in the likeliest dialect.
pub fn parse_part(bytes: &[u8]) -> Result<File<'_>> {
    let dialect = likely(bytes).first().copied().unwrap_or(Dialect::Engine);
    let file = raw::read(&mut Reader::of_part(bytes, &TRUNCATED), dialect)?;
    Ok(with_final_dialect(file, "the name of the first material can be read"))
}

/// The file in the one of two dialects that have its headers, where there are two.
fn with_final_dialect<'a>(mut file: File<'a>, why: &str) -> File<'a> {
    file.evidence = why.to_owned();
    if file.dialect == Dialect::Engine {
        let (dialect, reason) = document_or_engine(&file);
        file.dialect = dialect;
        file.evidence = format!("{why}; {reason}");
    }
    file
}

fn ends_with_the_file(dialect: Dialect, bytes: &[u8]) -> String {
    let header_bytes = dialect.mesh_header_bytes();
    format!(
        "with mesh headers of {header_bytes} bytes the last mesh ends where the file does, at {} bytes",
        bytes.len()
    )
}

/// What the numbers before the matrices of one mesh's bones look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// 0, 1, 2 and so on: ids.
    Ids,
    /// -1 first, and each below its own position: parents.
    Parents,
    /// Neither.
    Unclear,
}

impl Numbers {
    /// Judges the bones of a mesh.
    pub fn of(bones: &[Bone<'_>]) -> Numbers {
        let numbers = || bones.iter().map(|bone| i64::from(bone.id_or_parent.get())).zip(0..);
        match () {
            () if bones.is_empty() => Numbers::Unclear,
            () if numbers().all(|(number, position): (i64, i64)| number == position) => Numbers::Ids,
            () if numbers().all(|(number, position): (i64, i64)| (-1..position).contains(&number)) => Numbers::Parents,
            () => Numbers::Unclear,
        }
    }
}

fn document_or_engine(file: &File<'_>) -> (Dialect, String) {
    if let Some(other) = file.meshes.iter().map(|mesh| mesh.vertices.vertex_type()).find(|&known| known != 1) {
        return (Dialect::Engine, format!("vertex type {other} occurs, which the document does not have"));
    }
    let votes = OrderVotes::of(file.meshes.iter().flat_map(|mesh| &mesh.bones).map(|bone| &bone.offset_matrix));
    if let Some(order) = votes.winner() {
        let reason = format!(
            "the translation stands where row-major order has it in {} of the bones' matrices, where column-major has it in {}",
            votes.row_major, votes.column_major
        );
        return match order {
            MatrixOrder::RowMajor => (Dialect::Document, reason),
            MatrixOrder::ColumnMajor => (Dialect::Engine, reason),
        };
    }
    let mut numbers = file.meshes.iter().map(|mesh| &mesh.bones).filter(|bones| !bones.is_empty()).peekable();
    if numbers.peek().is_none() {
        return (Dialect::Document, "all vertices are of type 1 and there are no bones, as the document has it".into());
    }
    if numbers.all(|bones| Numbers::of(bones) == Numbers::Parents) {
        let reason =
            "no matrix tells its order, and the numbers of the bones are parents: -1 first, the rest earlier bones";
        return (Dialect::Engine, reason.into());
    }
    (Dialect::Document, "no matrix tells its order, and the numbers of the bones are not those of parents".into())
}

/// The dialects to think of where none fits: those in which the first mesh's material has a readable name, or all. Read
/// with headers of another length, the name's length is taken from the name itself or from a count.
fn likely(bytes: &[u8]) -> Vec<Dialect> {
    let readable = |dialect: &Dialect| {
        let reader = &mut Reader::new(bytes, &TRUNCATED);
        let name = material_name(reader, *dialect);
        name.is_ok_and(|name| {
            !name.is_empty() && std::str::from_utf8(name).is_ok_and(|name| !name.contains(char::is_control))
        })
    };
    let named: Vec<Dialect> = LENGTHS.into_iter().filter(readable).collect();
    if named.is_empty() { LENGTHS.to_vec() } else { named }
}

/// The name of the first mesh's material, whose length ends a mesh header of any length.
fn material_name<'a>(reader: &mut Reader<'a>, dialect: Dialect) -> Result<&'a [u8]> {
    let header: Header = reader.value("header")?;
    reader.blob("name", header.name_bytes.into())?;
    reader.blob("header", dialect.mesh_header_bytes() - 4)?;
    let length = reader.count("material_name_bytes")?;
    let rest = reader.rest();
    reader.blob("material_name", length)?;
    Ok(rest.get(..length as usize).unwrap_or_default())
}
