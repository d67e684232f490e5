//! PMAT records in file order, and `parse`/`encode` between them and bytes. No interpretation, no defaults.
//!
//! Every count of the file is the length of a list or of a text, so none is kept twice.

use super::check::{BAD_MAGIC, TRAILING_BYTES, TRUNCATED};
use crate::bytes::{Reader, begins_with};
use crate::format::Result;
use crate::layout::{FixedText, Meaning};
use crate::trailing;
use crate::walk::{self, Walk, Walker, count};
use crate::{dialects, record};
use std::borrow::Cow;
use zerocopy::little_endian::U32;

/// The first bytes of every PMAT file.
pub const MAGIC: &[u8; 4] = b"PMAT";
/// The version number in every file found.
pub const VERSION: u32 = 0;

dialects! {
    /// The layouts in use.
    pub enum Dialect of "pmat" {
        /// The document's, and the only one.
        Document = "document" read by "the Paca Engine and paca-tools",
    }
}

/// What a texture is for.
pub const TEXTURE_TYPE: Meaning =
    Meaning::Enum(&[(0, "none"), (1, "diffuse"), (2, "specular"), (3, "normal"), (4, "depth")]);

record! {
    /// The first 16 bytes; the material's name follows. [doc: Header]
    pub struct Header {
        /// Offset 0. "PMAT". [doc: Header]
        pub magic: FixedText<4>,
        /// Offset 4. 0 in every file found; readers ignore it. [doc: Header]
        pub version: U32,
        /// Offset 8. Number of textures. [doc: Header]
        pub texture_count: U32,
        /// Offset 12. Length of the material's name in bytes. [doc: Header]
        pub name_bytes: U32,
    }

    /// What a texture is for, 8 bytes; its path follows. [doc: Each texture]
    pub struct TextureHeader {
        /// Offset 0. What it is for. [doc: Types of Texture; 3: seen in lightBulb.pmat; 4: seen in plane.pmat]
        pub texture_type: U32 = TEXTURE_TYPE,
        /// Offset 4. Length of the path in bytes. [doc: Each texture]
        pub path_bytes: U32,
    }
}

/// A texture.
#[derive(Clone)]
pub struct Texture<'a> {
    /// What it is for: one of [`TEXTURE_TYPE`].
    pub texture_type: u32,
    /// The path of its image file.
    pub path: Cow<'a, [u8]>,
}

/// A whole file. Names and paths are borrowed from the input until they are changed.
#[derive(Clone)]
pub struct File<'a> {
    /// Which layout it is in.
    pub dialect: Dialect,
    /// Why it is taken for that layout.
    pub evidence: String,
    /// The version number, 0.
    pub version: u32,
    /// The material's name.
    pub name: Cow<'a, [u8]>,
    /// Its textures.
    pub textures: Vec<Texture<'a>>,
    /// What follows the last texture, where it should not.
    pub trailing: Cow<'a, [u8]>,
}

impl<'a> File<'a> {
    /// Parses a file.
    pub fn parse(bytes: &'a [u8]) -> Result<File<'a>> {
        let file = File::parse_as(bytes, Dialect::Document)?;
        let left = trailing::evidence(&file.trailing);
        let size = bytes.len() - file.trailing.len();
        let evidence = format!("there is one layout, and its lengths add up to the file's {size} bytes{left}");
        Ok(File { evidence, ..file })
    }

    /// Parses a file in this dialect.
    pub fn parse_as(bytes: &'a [u8], dialect: Dialect) -> Result<File<'a>> {
        begins_with(bytes, MAGIC, &BAD_MAGIC)?;
        read(&mut Reader::new(bytes, &TRUNCATED), dialect)
    }

    /// Parses what there is of a file: see [`Reader::of_part`].
    pub fn parse_part(bytes: &'a [u8], dialect: Option<Dialect>) -> Result<File<'a>> {
        begins_with(bytes, MAGIC, &BAD_MAGIC)?;
        read(&mut Reader::of_part(bytes, &TRUNCATED), dialect.unwrap_or(Dialect::Document))
    }

    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        walk::encode(self)
    }
}

fn read<'a>(reader: &mut Reader<'a>, dialect: Dialect) -> Result<File<'a>> {
    let header: Header = reader.value("header")?;
    let least_bytes = size_of::<TextureHeader>() as u64;
    Ok(File {
        dialect,
        evidence: "asked for".into(),
        version: header.version.get(),
        name: reader.blob("name", header.name_bytes.into())?,
        textures: reader.list("textures", header.texture_count.into(), least_bytes, read_texture)?,
        trailing: reader.trailing(&TRAILING_BYTES, "texture")?,
    })
}

fn read_texture<'a>(reader: &mut Reader<'a>) -> Result<Texture<'a>> {
    let header: TextureHeader = reader.value("header")?;
    Ok(Texture { texture_type: header.texture_type.get(), path: reader.blob("path", header.path_bytes.into())? })
}

impl Walk for File<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        walker.record(
            "header",
            &Header {
                magic: FixedText(*MAGIC),
                version: self.version.into(),
                texture_count: count(self.textures.len()),
                name_bytes: count(self.name.len()),
            },
        );
        walker.text(
            "name",
            &self.name,
            "The name of the material, by which meshes ask for it; no NUL ends it. [doc: Header]",
        );
        walker.items("textures", &self.textures, walk_texture);
        trailing::walk(walker, &self.trailing);
    }
}

fn walk_texture(walker: &mut Walker<'_>, texture: &Texture<'_>) {
    let header = TextureHeader { texture_type: texture.texture_type.into(), path_bytes: count(texture.path.len()) };
    walker.record("header", &header);
    walker.text(
        "path",
        &texture.path,
        "The path of the image file as the source model had it; the engine looks for it in its own folder of textures. [doc: Each texture; folder: seen in paca-engine's ResourceManager.cpp]",
    );
}
