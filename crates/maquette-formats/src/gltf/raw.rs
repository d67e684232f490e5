//! The container and the JSON text of a glTF file, and `parse`/`encode` between them and bytes.
//!
//! The JSON text is kept as it stands, because its spaces, the order of its keys and what is not understood in it must come
//! back unchanged; [`File::document`] is what it says. Binary data stays borrowed. The lengths of a GLB are those of what it holds,
//! except for a header that disagrees with the file, whose number is kept.

use super::check::{BAD_MAGIC, CHUNK_FIRST, TRUNCATED, UNSUPPORTED_VERSION};
use super::schema::Document;
use super::{json, text};
use crate::bytes::{Reader, begins_with};
use crate::format::{Error, Result};
use crate::layout::{FixedText, Meaning};
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
    /// What follows the end that the header of a GLB gives.
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
            Dialect::Text => Ok(File {
                dialect,
                evidence: "asked for",
                length: None,
                json: Cow::Borrowed(bytes),
                chunks: Vec::new(),
                trailing: Cow::Borrowed(&[]),
                document: text::parse(bytes, 0)?,
            }),
        }
    }

    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        walk::encode(self)
    }

    /// Makes the JSON text say what the document says. What the document has no field for is gone from it.
    pub fn rewrite_json(&mut self) {
        // Strings, numbers, lists and maps with string keys always serialise.
        let mut json = serde_json::to_vec(&self.document).unwrap_or_default();
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
            walker.list("chunks", |walker| {
                for (index, chunk) in self.chunks.iter().enumerate() {
                    walker.group(index, |walker| {
                        walker.record("header", &chunk_header(chunk.kind, &chunk.data));
                        walker.blob("data", &chunk.data, chunk_doc(chunk.kind));
                    });
                }
            });
        }
        if !self.trailing.is_empty() {
            walker.blob("trailing", &self.trailing, "Bytes after the end that the header gives. [doc: not allowed]");
        }
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

fn parse_binary(bytes: &[u8]) -> Result<File<'_>> {
    begins_with(bytes, MAGIC, &BAD_MAGIC)?;
    let reader = &mut Reader::new(bytes, &TRUNCATED);
    let header: Header = reader.value("header")?;
    if header.version.get() != VERSION {
        let version = header.version.get();
        let finding = Diagnostic::new(
            &UNSUPPORTED_VERSION,
            path!("header", "version"),
            format!("the version of the container is {version}"),
        );
        return Err(Error::Unsupported(Box::new(finding.expected("2, which goes with glTF 2.0").at_offset(4))));
    }
    let length = header.length.get();
    let end = bytes.len().min(length as usize);
    // A wrong length is survived where the chunks themselves tell where the file ends.
    let (json, chunks, end) = match chunks(bytes, end) {
        Ok((json, chunks)) => (json, chunks, end),
        Err(first) => {
            let (json, all) = chunks(bytes, bytes.len()).map_err(|_| first)?;
            (json, all, bytes.len())
        }
    };
    let document = text::parse(&json, (size_of::<Header>() + size_of::<ChunkHeader>()) as u64)?;
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

/// The JSON and the chunks after it, up to `end`.
fn chunks(bytes: &[u8], end: usize) -> Result<(Cow<'_, [u8]>, Vec<Chunk<'_>>)> {
    let reader = &mut Reader::new(bytes.get(..end).unwrap_or_default(), &TRUNCATED);
    reader.value::<Header>("header")?;
    let header: ChunkHeader = reader.value("json_header")?;
    if header.kind.get() != JSON {
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
