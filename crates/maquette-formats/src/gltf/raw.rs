//! The container and the JSON text of a glTF file, and `parse`/`encode` between them and bytes.
//!
//! The JSON text is kept as it stands, because its spaces, the order of its keys and what is not understood in it must come
//! back unchanged; [`File::document`] is what it says. Binary data stays borrowed. The lengths of a GLB are those of what it holds,
//! except for a header that disagrees with the file, whose number is kept.

use super::check::{BAD_MAGIC, CHUNK_FIRST, TRUNCATED, UNSUPPORTED_VERSION};
use super::schema::{self, Document};
use super::{json, text};
use crate::bytes::{Reader, begins_with};
use crate::format::{Error, Result};
use crate::layout::{FixedText, Meaning};
use crate::trailing;
use crate::walk::{self, Walk, Walker};
use crate::{dialects, record};
use maquette_scene::{Diagnostic, path};
use std::borrow::Cow;
use zerocopy::little_endian::U32;

/// The first bytes of every GLB.
pub const MAGIC: &[u8] = b"glTF";
/// The one version of the container there is.
pub const VERSION: u32 = 2;
/// The kind of the chunk that holds the JSON.
pub const JSON: u32 = u32::from_le_bytes(*b"JSON");
/// The kind of the chunk that holds the first buffer.
pub const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

dialects! {
    /// The two forms of a glTF asset.
    pub enum Dialect of "gltf" {
        /// GLB: the JSON and the first buffer as chunks of one binary file.
        Binary = "binary" read by "every glTF 2.0 program",
        /// The JSON alone as text; buffers and images are companion files or data URIs.
        Text = "text" read by "every glTF 2.0 program",
    }
}

/// What a chunk is.
pub const KIND: Meaning = Meaning::Enum(&[(JSON, "JSON"), (BIN, "BIN")]);

record! {
    /// The first 12 bytes of a GLB. [doc: GLB, Header]
    pub struct Header {
        /// Offset 0. "glTF". [doc: GLB, Header]
        pub magic: FixedText<4>,
        /// Offset 4. Version of the container, 2. [doc: GLB, Header]
        pub version: U32,
        /// Offset 8. Size of the whole file, this header included. [doc: GLB, Header]
        pub length: U32,
    }

    /// What stands before the data of a chunk, 8 bytes. [doc: GLB, Chunks]
    pub struct ChunkHeader {
        /// Offset 0. Size of the data that follows, its padding included. [doc: GLB, Chunks]
        pub length: U32,
        /// Offset 4. What the data is; readers skip kinds they do not know. [doc: GLB, Chunks]
        pub kind: U32 = KIND,
    }
}

/// A chunk after the JSON.
#[derive(Clone, Debug)]
pub struct Chunk<'a> {
    /// [`BIN`], or something else that is kept.
    pub kind: u32,
    /// What it holds, its padding included.
    pub data: Cow<'a, [u8]>,
}

/// A whole file.
#[derive(Clone, Debug)]
pub struct File<'a> {
    /// Which form it is in.
    pub dialect: Dialect,
    /// Why it is taken for that form.
    pub evidence: &'static str,
    /// The length in the header of a GLB, where it is not that of the file.
    pub length: Option<u32>,
    /// The JSON text as it stands, padding included.
    pub json: Cow<'a, [u8]>,
    /// The chunks after the JSON; none in a text file.
    pub chunks: Vec<Chunk<'a>>,
    /// What follows the end that the header of a GLB gives, or the last brace of the JSON.
    pub trailing: Cow<'a, [u8]>,
    /// What the JSON says. Changes reach the file with [`File::rewrite_json`].
    pub document: Document,
}

impl<'a> File<'a> {
    /// Parses a file in the form that its first bytes show.
    pub fn parse(bytes: &'a [u8]) -> Result<File<'a>> {
        let (dialect, evidence) = match text::begins_with_brace(bytes) {
            true => (Dialect::Text, "it begins with a brace, as JSON does"),
            false => (Dialect::Binary, "it begins with the letters glTF, as the container does"),
        };
        Ok(File { evidence, ..File::parse_as(bytes, dialect)? })
    }

    /// Parses a file in this form, whatever its first bytes suggest.
    pub fn parse_as(bytes: &'a [u8], dialect: Dialect) -> Result<File<'a>> {
        match dialect {
            Dialect::Binary => parse_binary(bytes),
            Dialect::Text => parse_text(bytes),
        }
    }

    /// Parses what there is of a file, in this form or in the one that its first bytes show: see [`Reader::of_part`]. What the JSON
    /// says is left out where it breaks off.
    pub fn parse_part(bytes: &'a [u8], dialect: Option<Dialect>) -> Result<File<'a>> {
        let is_text = || text::begins_with_brace(bytes).then_some(Dialect::Text);
        match dialect.or_else(is_text).unwrap_or(Dialect::Binary) {
            Dialect::Binary => parse_binary_part(bytes),
            Dialect::Text => Ok(File::of_text(bytes, &[], text::parse(bytes, 0).unwrap_or_default())),
        }
    }

    fn of_text(json: &'a [u8], trailing: &'a [u8], document: Document) -> File<'a> {
        File {
            dialect: Dialect::Text,
            evidence: "asked for",
            length: None,
            json: Cow::Borrowed(json),
            chunks: Vec::new(),
            trailing: Cow::Borrowed(trailing),
            document,
        }
    }

    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        walk::encode(self)
    }

    /// Makes the JSON text say what the document says. What the document has no field for is gone from it.
    pub fn rewrite_json(&mut self) {
        let mut json = schema::to_json(&self.document);
        if self.dialect == Dialect::Binary {
            json.resize(json.len().next_multiple_of(4), b' ');
        }
        self.json = Cow::Owned(json);
    }

    /// The first buffer of a GLB.
    pub fn bin(&self) -> Option<&[u8]> {
        self.chunks.iter().find(|chunk| chunk.kind == BIN).map(|chunk| &*chunk.data)
    }

    /// Finds the byte offset of a finding, down to the value in the JSON, and refuses the file for it.
    pub fn refuse(&self, finding: Diagnostic) -> Error {
        let finding = Box::new(crate::locate::located(&Closely(self), finding));
        match super::check::is_about_support(finding.code) {
            true => Error::Unsupported(finding),
            false => Error::Malformed(finding),
        }
    }

    fn walk_with(&self, walker: &mut Walker<'_>, json: impl FnOnce(&mut Walker<'_>, &[u8])) {
        let binary = self.dialect == Dialect::Binary;
        let head = size_of::<ChunkHeader>();
        if binary {
            let chunks = self.chunks.iter().map(|chunk| head + chunk.data.len()).sum::<usize>();
            let length = size_of::<Header>() + head + self.json.len() + chunks;
            walker.record(
                "header",
                &Header {
                    magic: FixedText(*b"glTF"),
                    version: VERSION.into(),
                    length: self.length.unwrap_or(length as u32).into(),
                },
            );
            walker.record("json_header", &chunk_header(JSON, &self.json));
        }
        json(walker, &self.json);
        if !self.chunks.is_empty() {
            walker.items("chunks", &self.chunks, |walker, chunk| {
                walker.record("header", &chunk_header(chunk.kind, &chunk.data));
                walker.blob("data", &chunk.data, chunk_doc(chunk.kind));
            });
        }
        trailing::walk(walker, &self.trailing);
    }
}

fn chunk_header(kind: u32, data: &[u8]) -> ChunkHeader {
    ChunkHeader { length: U32::new(data.len() as u32), kind: kind.into() }
}

fn chunk_doc(kind: u32) -> &'static str {
    match kind {
        BIN => "The first buffer, with up to three zeros of padding. [doc: GLB, Binary buffer]",
        _ => "A chunk that nothing here describes; readers skip it. [doc: GLB, Chunks]",
    }
}

impl Walk for File<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        self.walk_with(walker, |walker, json| {
            walker.text("json", json, "The JSON that describes everything else, in UTF-8. [doc: JSON Chunk]");
        });
    }
}

/// The same file with its JSON walked value by value, so that a path into the JSON leads to its byte.
pub struct Closely<'f, 'a>(pub &'f File<'a>);

impl Walk for Closely<'_, '_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        self.0.walk_with(walker, |walker, text| json::walk(walker, "json", text));
    }
}

/// The JSON alone. A few bytes may follow it.
fn parse_text(bytes: &[u8]) -> Result<File<'_>> {
    text::parse(bytes, 0).map(|document| File::of_text(bytes, &[], document)).or_else(|error| {
        let split = |end| bytes.split_at_checked(end);
        let Some((json, rest)) = text::end_of_object(bytes).and_then(split) else { return Err(error) };
        match trailing::are_few(rest.len() as u64, json.len() as u64) {
            true => Ok(File::of_text(json, rest, text::parse(json, 0)?)),
            false => Err(error),
        }
    })
}

fn read_header(reader: &mut Reader<'_>) -> Result<Header> {
    let header: Header = reader.value("header")?;
    if header.version.get() != VERSION && !reader.ran_out() {
        let version = header.version.get();
        let finding = Diagnostic::new(
            &UNSUPPORTED_VERSION,
            path!("header", "version"),
            format!("the version of the container is {version}"),
        );
        return Err(Error::Unsupported(Box::new(finding.expected("2, which goes with glTF 2.0").at_offset(4))));
    }
    Ok(header)
}

/// What there is of a GLB, up to the end that its header gives.
fn parse_binary_part(bytes: &[u8]) -> Result<File<'_>> {
    begins_with(bytes, MAGIC, &BAD_MAGIC)?;
    let header = read_header(&mut Reader::of_part(bytes, &TRUNCATED))?;
    let (inside, trailing) = bytes.split_at_checked(header.length.get() as usize).unwrap_or((bytes, &[]));
    let (json, chunks) = chunks(&mut Reader::of_part(inside, &TRUNCATED))?;
    let document = text::parse(&json, JSON_AT).unwrap_or_default();
    let trailing = Cow::Borrowed(trailing);
    let evidence = "it begins with the letters glTF, as the container does";
    Ok(File { dialect: Dialect::Binary, evidence, length: Some(header.length.get()), json, chunks, trailing, document })
}

/// Where the JSON of a GLB begins.
const JSON_AT: u64 = (size_of::<Header>() + size_of::<ChunkHeader>()) as u64;

fn parse_binary(bytes: &[u8]) -> Result<File<'_>> {
    begins_with(bytes, MAGIC, &BAD_MAGIC)?;
    let header = read_header(&mut Reader::new(bytes, &TRUNCATED))?;
    let length = header.length.get();
    let end = bytes.len().min(length as usize);
    // A wrong length is survived where the chunks themselves tell where the file ends.
    let inside = bytes.get(..end).unwrap_or_default();
    let (json, chunks, end) = match chunks(&mut Reader::new(inside, &TRUNCATED)) {
        Ok((json, chunks)) => (json, chunks, end),
        Err(first) => {
            let (json, all) = chunks(&mut Reader::new(bytes, &TRUNCATED)).map_err(|_| first)?;
            (json, all, bytes.len())
        }
    };
    let document = text::parse(&json, JSON_AT)?;
    Ok(File {
        dialect: Dialect::Binary,
        evidence: "asked for",
        length: (length as usize != end).then_some(length),
        json,
        chunks,
        trailing: Cow::Borrowed(bytes.get(end..).unwrap_or_default()),
        document,
    })
}

/// The JSON and the chunks after it, to the end of what is read.
fn chunks<'a>(reader: &mut Reader<'a>) -> Result<(Cow<'a, [u8]>, Vec<Chunk<'a>>)> {
    reader.value::<Header>("header")?;
    let header: ChunkHeader = reader.value("json_header")?;
    if header.kind.get() != JSON && !reader.ran_out() {
        let finding = Diagnostic::new(
            &CHUNK_FIRST,
            path!("json_header", "kind"),
            format!("the kind of the first chunk is {:#010x}", header.kind.get()),
        );
        let finding = finding.expected(format!("{JSON:#010x}, the letters JSON")).at_offset(reader.position() - 4);
        return Err(Error::Malformed(Box::new(finding)));
    }
    let json = reader.blob("json", header.length.get().into())?;
    let mut chunks = Vec::new();
    while reader.remaining() > 0 {
        let index = chunks.len();
        chunks.push(reader.within("chunks", |reader| {
            reader.within(index, |reader| {
                let header: ChunkHeader = reader.value("header")?;
                Ok(Chunk { kind: header.kind.get(), data: reader.blob("data", header.length.get().into())? })
            })
        })?);
    }
    Ok((json, chunks))
}
