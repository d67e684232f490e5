//! AEM records in file order, and `parse`/`encode` between them and bytes. No interpretation, no defaults.
//!
//! The counts of the header are the lengths of the tables, so they are not kept twice. Texture records
//! differ between dialects and are kept in one form that holds the fields of all of them.

use super::check::{BAD_MAGIC, TRAILING_BYTES, TRUNCATED, UNSUPPORTED_VERSION};
use super::mips;
use crate::bytes::{Reader, begins_with};
use crate::format::{Error, Result};
use crate::layout::{FixedText, Meaning};
use crate::trailing::{self, Gap};
use crate::walk::{self, Walk, Walker};
use crate::{dialects, record};
use maquette_scene::{Diagnostic, path};
use std::borrow::Cow;
use zerocopy::FromBytes;
use zerocopy::little_endian::{F32, I32, U32, U64};

/// The first bytes of every AEM file.
pub const MAGIC: &[u8] = b"AEM";
/// The one version there is, in five layouts.
pub const VERSION: u8 = 1;

dialects! {
    /// The layouts found under version 1.
    pub enum Dialect of "aem" {
        /// 44-byte header, 24-byte textures: the document.
        Document = "document" read by "libaem and viewers of the document's time, June and July 2025",
        /// As the document, and textures of 28 bytes that state their channels.
        Channels = "channels" read by "libaem from July to October 2025",
        /// 52-byte header with a 64-bit image size, 32-byte textures with channels: what libaem's newest loader reads.
        Wide = "wide" read by "libaem since October 2025",
        /// 52-byte header, 24-byte textures without compression: June 2025, before the document.
        WideEarly = "wide-early" read by "libaem of June 2025, before the document",
        /// 52-byte header, 32-byte textures with compression and no channels: June 2025, before the document.
        WideCompression = "wide-compression" read by "libaem of June 2025, just before the document",
    }
}

impl Dialect {
    /// Size of the header.
    pub fn header_bytes(self) -> u64 {
        match self {
            Dialect::Document | Dialect::Channels => size_of::<Header>() as u64,
            _ => size_of::<WideHeader>() as u64,
        }
    }

    /// Size of a texture record.
    pub fn texture_bytes(self) -> u64 {
        (match self {
            Dialect::Document => size_of::<DocumentTexture>(),
            Dialect::Channels => size_of::<ChannelsTexture>(),
            Dialect::Wide => size_of::<WideTexture>(),
            Dialect::WideEarly => size_of::<WideEarlyTexture>(),
            Dialect::WideCompression => size_of::<WideCompressionTexture>(),
        }) as u64
    }
}

/// How a texture repeats beyond its edge.
pub const WRAP: Meaning = Meaning::Enum(&[(0, "repeat"), (1, "mirrored repeat"), (2, "clamp to edge")]);
/// How a texture's pixels are stored.
pub const COMPRESSION: Meaning = Meaning::Enum(&[(0, "none"), (1, "BC5"), (2, "BC7")]);
/// How many channels a texture has.
pub const CHANNELS: Meaning = Meaning::Enum(&[(2, "RG"), (4, "RGBA")]);
/// What kind of material.
pub const MATERIAL_TYPE: Meaning = Meaning::Enum(&[(0, "opaque"), (1, "transparent")]);

record! {
    /// The first 44 bytes. [doc: File Header]
    pub struct Header {
        /// Offset 0. "AEM". [doc: File Header]
        pub magic: FixedText<3>,
        /// Offset 3. 1. [doc: File Header]
        pub version: u8,
        /// Offset 4. Number of vertices. [doc: File Header]
        pub vertex_count: U32,
        /// Offset 8. Number of indices. [doc: File Header]
        pub index_count: U32,
        /// Offset 12. Size of the image buffer in bytes. [doc: File Header]
        pub image_bytes: U32,
        /// Offset 16. Number of textures. [doc: File Header]
        pub texture_count: U32,
        /// Offset 20. Number of meshes. [doc: File Header]
        pub mesh_count: U32,
        /// Offset 24. Number of materials. [doc: File Header]
        pub material_count: U32,
        /// Offset 28. Number of joints. [doc: File Header]
        pub joint_count: U32,
        /// Offset 32. Number of animations. [doc: File Header]
        pub animation_count: U32,
        /// Offset 36. Number of tracks. [doc: File Header]
        pub track_count: U32,
        /// Offset 40. Number of keyframes. [doc: File Header]
        pub keyframe_count: U32,
    }

    /// The first 52 bytes of the wide dialects. [libaem since c6a01c6]
    pub struct WideHeader {
        /// Offset 0. "AEM". [doc: File Header]
        pub magic: FixedText<3>,
        /// Offset 3. 1. [doc: File Header]
        pub version: u8,
        /// Offset 4. Number of vertices. [libaem since c6a01c6]
        pub vertex_count: U32,
        /// Offset 8. Number of indices. [libaem since c6a01c6]
        pub index_count: U32,
        /// Offset 12. Size of the image buffer in bytes, in 64 bits. [libaem since c6a01c6]
        pub image_bytes: U64,
        /// Offset 20. Number of textures. [libaem since c6a01c6]
        pub texture_count: U32,
        /// Offset 24. Number of meshes. [libaem since c6a01c6]
        pub mesh_count: U32,
        /// Offset 28. Number of materials. [libaem since c6a01c6]
        pub material_count: U32,
        /// Offset 32. Number of joints. [libaem since c6a01c6]
        pub joint_count: U32,
        /// Offset 36. Number of animations. [libaem since c6a01c6]
        pub animation_count: U32,
        /// Offset 40. Number of tracks. [libaem since c6a01c6]
        pub track_count: U32,
        /// Offset 44. Number of keyframes. [libaem since c6a01c6]
        pub keyframe_count: U32,
        /// Offset 48. Padding of the C struct, 0. [seen in the reference's wide files]
        pub padding: U32,
    }

    /// A vertex, 88 bytes, in model space. [doc: Vertex Section]
    pub struct Vertex {
        /// Offset 0. Position. [doc: Vertex Section]
        pub position: [F32; 3],
        /// Offset 12. Normal. [doc: Vertex Section]
        pub normal: [F32; 3],
        /// Offset 24. Tangent. [doc: Vertex Section]
        pub tangent: [F32; 3],
        /// Offset 36. Bitangent. [doc: Vertex Section]
        pub bitangent: [F32; 3],
        /// Offset 48. Texture coordinates, origin at the top left. [doc: Vertex Section]
        pub uv: [F32; 2],
        /// Offset 56. The joints that move it, -1 where unused. [doc: Vertex Section]
        pub joint_indices: [I32; 4],
        /// Offset 72. How much each joint moves it: 1 in sum, or 0 without joints. [doc: Vertex Section]
        pub joint_weights: [F32; 4],
    }

    /// A texture, 24 bytes. [doc: Texture Section]
    pub struct DocumentTexture {
        /// Offset 0. Where its largest level begins in the image buffer. [doc: Texture Section]
        pub offset: U32,
        /// Offset 4. Width in pixels. [doc: Texture Section]
        pub width: U32,
        /// Offset 8. Height in pixels. [doc: Texture Section]
        pub height: U32,
        /// Offset 12. How it repeats along X. [doc: Texture Section]
        pub wrap_x: U32 = WRAP,
        /// Offset 16. How it repeats along Y. [doc: Texture Section]
        pub wrap_y: U32 = WRAP,
        /// Offset 20. How its pixels are stored. [doc: Texture Section]
        pub compression: U32 = COMPRESSION,
    }

    /// A texture, 28 bytes. [libaem bc9edea to c6a01c6]
    pub struct ChannelsTexture {
        /// Offset 0. Where its largest level begins in the image buffer. [libaem bc9edea to c6a01c6]
        pub offset: U32,
        /// Offset 4. Width in pixels. [libaem bc9edea to c6a01c6]
        pub width: U32,
        /// Offset 8. Height in pixels. [libaem bc9edea to c6a01c6]
        pub height: U32,
        /// Offset 12. How it repeats along X. [libaem bc9edea to c6a01c6]
        pub wrap_x: U32 = WRAP,
        /// Offset 16. How it repeats along Y. [libaem bc9edea to c6a01c6]
        pub wrap_y: U32 = WRAP,
        /// Offset 20. Channels of an uncompressed pixel, a byte each. [libaem bc9edea to c6a01c6]
        pub channels: U32 = CHANNELS,
        /// Offset 24. How its pixels are stored. [libaem bc9edea to c6a01c6]
        pub compression: U32 = COMPRESSION,
    }

    /// A texture, 32 bytes. [libaem since c6a01c6]
    pub struct WideTexture {
        /// Offset 0. Where its largest level begins in the image buffer. [libaem since c6a01c6]
        pub offset: U64,
        /// Offset 8. Width in pixels. [libaem since c6a01c6]
        pub width: U32,
        /// Offset 12. Height in pixels. [libaem since c6a01c6]
        pub height: U32,
        /// Offset 16. How it repeats along X. [libaem since c6a01c6]
        pub wrap_x: U32 = WRAP,
        /// Offset 20. How it repeats along Y. [libaem since c6a01c6]
        pub wrap_y: U32 = WRAP,
        /// Offset 24. Channels of an uncompressed pixel, a byte each. [libaem since c6a01c6]
        pub channels: U32 = CHANNELS,
        /// Offset 28. How its pixels are stored. [libaem since c6a01c6]
        pub compression: U32 = COMPRESSION,
    }

    /// A texture, 24 bytes, uncompressed. [libaem 21678b1 to 4398308]
    pub struct WideEarlyTexture {
        /// Offset 0. Where its largest level begins in the image buffer. [libaem 21678b1 to 4398308]
        pub offset: U64,
        /// Offset 8. Width in pixels. [libaem 21678b1 to 4398308]
        pub width: U32,
        /// Offset 12. Height in pixels. [libaem 21678b1 to 4398308]
        pub height: U32,
        /// Offset 16. How it repeats along X. [libaem 21678b1 to 4398308]
        pub wrap_x: U32 = WRAP,
        /// Offset 20. How it repeats along Y. [libaem 21678b1 to 4398308]
        pub wrap_y: U32 = WRAP,
    }

    /// A texture, 32 bytes. [libaem 4398308 to 254cc2e]
    pub struct WideCompressionTexture {
        /// Offset 0. Where its largest level begins in the image buffer. [libaem 4398308 to 254cc2e]
        pub offset: U64,
        /// Offset 8. Width in pixels. [libaem 4398308 to 254cc2e]
        pub width: U32,
        /// Offset 12. Height in pixels. [libaem 4398308 to 254cc2e]
        pub height: U32,
        /// Offset 16. How it repeats along X. [libaem 4398308 to 254cc2e]
        pub wrap_x: U32 = WRAP,
        /// Offset 20. How it repeats along Y. [libaem 4398308 to 254cc2e]
        pub wrap_y: U32 = WRAP,
        /// Offset 24. How its pixels are stored. [libaem 4398308 to 254cc2e]
        pub compression: U32 = COMPRESSION,
        /// Offset 28. Padding of the C struct, 0. [libaem 4398308 to 254cc2e]
        pub padding: U32,
    }

    /// A run of indices with one material, 12 bytes. [doc: Mesh Section]
    pub struct Mesh {
        /// Offset 0. Its first index. [doc: Mesh Section]
        pub first_index: U32,
        /// Offset 4. How many indices it has. [doc: Mesh Section]
        pub index_count: U32,
        /// Offset 8. Its material. [doc: Mesh Section]
        pub material_index: U32,
    }

    /// A material: three textures, 16 bytes. [doc: Material Section]
    pub struct Material {
        /// Offset 0. Base colour and opacity; linear, not sRGB. [doc: Material Section]
        pub base_color_texture_index: U32,
        /// Offset 4. Normal map, X and Y only. [doc: Material Section]
        pub normal_texture_index: U32,
        /// Offset 8. Roughness, occlusion, metalness, emissive in R, G, B, A. [doc: Material Section]
        pub pbr_texture_index: U32,
        /// Offset 12. Opaque or transparent. [doc: Material Section]
        pub kind: U32 = MATERIAL_TYPE,
    }

    /// A joint, 196 bytes. [doc: Joint Section]
    pub struct Joint {
        /// Offset 0. Name, ended by a NUL; what follows the NUL means nothing. [doc: Joint Section]
        pub name: FixedText<128>,
        /// Offset 128. Model space to joint space in the bind pose, column-major. [doc: Joint Section]
        pub inverse_bind_matrix: [F32; 16],
        /// Offset 192. Parent joint, -1 for a root. [doc: Joint Section]
        pub parent: I32,
    }

    /// An animation, 132 bytes. [doc: Animation Section]
    pub struct Animation {
        /// Offset 0. Name, ended by a NUL; what follows the NUL means nothing. [doc: Animation Section]
        pub name: FixedText<128>,
        /// Offset 128. Length in seconds. [doc: Animation Section]
        pub duration: F32,
    }

    /// The keys of one joint in one animation, 16 bytes. [doc: Track Section]
    pub struct Track {
        /// Offset 0. Its first key. [doc: Track Section]
        pub first_keyframe: U32,
        /// Offset 4. How many translation keys, which come first. [doc: Track Section]
        pub translation_count: U32,
        /// Offset 8. How many rotation keys, which follow. [doc: Track Section]
        pub rotation_count: U32,
        /// Offset 12. How many scale keys, which end it. [doc: Track Section]
        pub scale_count: U32,
    }

    /// A key of any kind, 20 bytes. [doc: Keyframe Section]
    pub struct Keyframe {
        /// Offset 0. When, in seconds. [doc: Keyframe Section]
        pub time: F32,
        /// Offset 4. X, Y, Z and, of a quaternion, W; W is 0 otherwise. [doc: Keyframe Section]
        pub value: [F32; 4],
    }
}

impl Track {
    /// Keys of all three kinds.
    pub fn key_count(&self) -> u64 {
        [self.translation_count, self.rotation_count, self.scale_count].iter().map(|n| u64::from(n.get())).sum()
    }
}

/// A texture of any dialect. Fields that the dialect does not store are 0, and `channels` 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Where its largest level begins in the image buffer.
    pub offset: u64,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// How it repeats along X.
    pub wrap_x: u32,
    /// How it repeats along Y.
    pub wrap_y: u32,
    /// Channels of an uncompressed pixel.
    pub channels: u32,
    /// How its pixels are stored.
    pub compression: u32,
    /// Padding of the C struct.
    pub padding: u32,
}

/// A whole file. Tables are borrowed from the input until they are changed.
#[derive(Clone)]
pub struct File<'a> {
    /// Which layout it is in.
    pub dialect: Dialect,
    /// Why it is taken for that layout.
    pub evidence: String,
    /// The padding after the counts of a wide header; 0 otherwise.
    pub header_padding: u32,
    /// Vertices of all meshes.
    pub vertices: Cow<'a, [Vertex]>,
    /// Indices of all meshes.
    pub indices: Cow<'a, [U32]>,
    /// The mip chains of all textures.
    pub image_buffer: Cow<'a, [u8]>,
    /// Textures.
    pub textures: Vec<Texture>,
    /// Meshes.
    pub meshes: Cow<'a, [Mesh]>,
    /// Materials.
    pub materials: Cow<'a, [Material]>,
    /// Joints, in any order.
    pub joints: Cow<'a, [Joint]>,
    /// Animations.
    pub animations: Cow<'a, [Animation]>,
    /// Tracks: those of all joints in the first animation, then in the second, and so on.
    pub tracks: Cow<'a, [Track]>,
    /// Keys of all tracks.
    pub keyframes: Cow<'a, [Keyframe]>,
    /// What follows the last table, where it should not.
    pub trailing: Cow<'a, [u8]>,
}

/// The counts of a header of either width.
struct Counts {
    vertices: u64,
    indices: u64,
    image_bytes: u64,
    textures: u64,
    meshes: u64,
    materials: u64,
    joints: u64,
    animations: u64,
    tracks: u64,
    keyframes: u64,
    padding: u32,
}

impl Counts {
    fn read(reader: &mut Reader<'_>, dialect: Dialect) -> Result<Counts> {
        macro_rules! counts {
            ($header:expr, $padding:expr) => {{
                let header = $header;
                Counts {
                    vertices: header.vertex_count.into(),
                    indices: header.index_count.into(),
                    image_bytes: header.image_bytes.into(),
                    textures: header.texture_count.into(),
                    meshes: header.mesh_count.into(),
                    materials: header.material_count.into(),
                    joints: header.joint_count.into(),
                    animations: header.animation_count.into(),
                    tracks: header.track_count.into(),
                    keyframes: header.keyframe_count.into(),
                    padding: $padding(&header),
                }
            }};
        }
        Ok(match dialect {
            Dialect::Document | Dialect::Channels => counts!(reader.value::<Header>("header")?, |_: &Header| 0),
            _ => counts!(reader.value::<WideHeader>("header")?, |header: &WideHeader| header.padding.get()),
        })
    }

    /// Where the table of textures ends. Sums of products of 32-bit counts fit 128 bits.
    fn textures_end(&self, dialect: Dialect) -> u128 {
        let tables = [
            (self.vertices, size_of::<Vertex>()),
            (self.indices, size_of::<U32>()),
            (self.image_bytes, 1),
            (self.textures, dialect.texture_bytes() as usize),
        ];
        u128::from(dialect.header_bytes()) + total(tables)
    }

    /// The size of a file with these counts.
    fn file_bytes(&self, dialect: Dialect) -> u128 {
        let tables = [
            (self.meshes, size_of::<Mesh>()),
            (self.materials, size_of::<Material>()),
            (self.joints, size_of::<Joint>()),
            (self.animations, size_of::<Animation>()),
            (self.tracks, size_of::<Track>()),
            (self.keyframes, size_of::<Keyframe>()),
        ];
        self.textures_end(dialect) + total(tables)
    }
}

/// The size of tables: how many elements of how many bytes.
fn total<const N: usize>(tables: [(u64, usize); N]) -> u128 {
    tables.into_iter().map(|(count, each)| u128::from(count) * each as u128).sum()
}

impl<'a> File<'a> {
    /// Parses a file in the dialect that its bytes show.
    ///
    /// The dialect is the one whose counts add up to the file's size. Where several do, it is the first whose
    /// textures' mip chains fill the image buffer.
    pub fn parse(bytes: &'a [u8]) -> Result<File<'a>> {
        check_magic(bytes)?;
        let size = bytes.len() as u128;
        let fits = |dialect: Dialect| {
            let counts = Counts::read(&mut Reader::new(bytes, &TRUNCATED), dialect);
            counts.is_ok_and(|counts| counts.file_bytes(dialect) == size)
        };
        let fitting: Vec<Dialect> = Dialect::ALL.iter().copied().filter(|&dialect| fits(dialect)).collect();
        let Some(&first) = fitting.first() else {
            return parse_with_trailing(bytes);
        };
        let mut file = File::parse_as(bytes, first)?;
        file.evidence = format!(
            "the counts of a {}-byte header and {}-byte textures add up to the file's {size} bytes",
            first.header_bytes(),
            first.texture_bytes()
        );
        if fitting.len() == 1 {
            return Ok(file);
        }
        let names = fitting.iter().map(|dialect| dialect.id()).collect::<Vec<_>>().join(", ");
        for &dialect in &fitting {
            let candidate = File::parse_as(bytes, dialect)?;
            if mips::fill_the_buffer(&candidate) {
                let evidence = format!(
                    "the counts add up to the file's {size} bytes in {names}; of these, {} is the first whose mip chains fill the image buffer",
                    dialect.id()
                );
                return Ok(File { evidence, ..candidate });
            }
        }
        file.evidence = format!(
            "the counts add up to the file's {size} bytes in {names}; the mip chains fill the image buffer in none of them, so the first is taken"
        );
        Ok(file)
    }

    /// Parses a file in this dialect, whatever its bytes suggest.
    pub fn parse_as(bytes: &'a [u8], dialect: Dialect) -> Result<File<'a>> {
        check_magic(bytes)?;
        read(&mut Reader::new(bytes, &TRUNCATED), dialect)
    }

    /// Parses what there is of a file, in this dialect or in the likeliest: see [`Reader::of_part`].
    pub fn parse_part(bytes: &'a [u8], dialect: Option<Dialect>) -> Result<File<'a>> {
        if bytes != MAGIC {
            check_magic(bytes)?;
        }
        read(&mut Reader::of_part(bytes, &TRUNCATED), dialect.unwrap_or_else(|| likeliest(bytes)))
    }

    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        walk::encode(self)
    }

    /// The tracks of one animation, one for each joint; fewer where the file has too few.
    pub fn tracks_of(&self, animation: usize) -> &[Track] {
        let joints = self.joints.len();
        let from = animation.saturating_mul(joints).min(self.tracks.len());
        let to = from.saturating_add(joints).min(self.tracks.len());
        self.tracks.get(from..to).unwrap_or_default()
    }
}

fn read<'a>(reader: &mut Reader<'a>, dialect: Dialect) -> Result<File<'a>> {
    let counts = Counts::read(reader, dialect)?;
    Ok(File {
        dialect,
        evidence: "asked for".into(),
        header_padding: counts.padding,
        vertices: reader.table("vertices", counts.vertices)?,
        indices: reader.table("indices", counts.indices)?,
        image_buffer: reader.blob("image_buffer", counts.image_bytes)?,
        textures: read_textures(reader, dialect, counts.textures)?,
        meshes: reader.table("meshes", counts.meshes)?,
        materials: reader.table("materials", counts.materials)?,
        joints: reader.table("joints", counts.joints)?,
        animations: reader.table("animations", counts.animations)?,
        tracks: reader.table("tracks", counts.tracks)?,
        keyframes: reader.table("keyframes", counts.keyframes)?,
        trailing: reader.trailing(&TRAILING_BYTES, "table")?,
    })
}

/// Parses a file whose size no dialect has, if it has a few bytes too many in one of them.
fn parse_with_trailing(bytes: &[u8]) -> Result<File<'_>> {
    let gap = |dialect| {
        let reader = &mut Reader::of_part(bytes, &TRUNCATED);
        let file = read(reader, dialect).ok()?;
        let gap = Gap { missing: reader.missing(), left: file.trailing.len() as u64 };
        (chains_fit(bytes, &file) != Some(false)).then_some(gap)
    };
    if let Some(dialect) = trailing::only_near(bytes.len() as u64, Dialect::ALL, gap) {
        let file = File::parse_as(bytes, dialect)?;
        let (size, left) = (bytes.len(), trailing::evidence(&file.trailing));
        let evidence = format!("the counts of {} come nearest to the file's {size} bytes{left}", dialect.id());
        return Ok(File { evidence, ..file });
    }
    let file = File::parse_as(bytes, likeliest(bytes))?;
    Err(trailing::unclear(&TRAILING_BYTES, file.dialect.id(), bytes, &file.trailing))
}

/// Whether the mip chains fill the image buffer; `None` where not all textures are there.
fn chains_fit(bytes: &[u8], file: &File<'_>) -> Option<bool> {
    let counts = Counts::read(&mut Reader::of_part(bytes, &TRUNCATED), file.dialect).ok()?;
    (counts.textures_end(file.dialect) <= bytes.len() as u128).then(|| mips::fill_the_buffer(file))
}

/// The dialect to speak of where no size fits. An image buffer without textures is what the document's header
/// reads in a wide one, whose 64-bit size has a high half of 0 in the place of the texture count. Of those with one
/// header it is the first whose mip chains fill the image buffer.
fn likeliest(bytes: &[u8]) -> Dialect {
    let size = bytes.get(12..20).and_then(|size| U64::read_from_bytes(size).ok()).map_or(0, U64::get);
    let likely = match size {
        1..=0xffff_ffff => [Dialect::Wide, Dialect::WideEarly, Dialect::WideCompression].as_slice(),
        _ => [Dialect::Document, Dialect::Channels].as_slice(),
    };
    let fits = |dialect: &Dialect| {
        let file = read(&mut Reader::of_part(bytes, &TRUNCATED), *dialect);
        file.is_ok_and(|file| chains_fit(bytes, &file) == Some(true))
    };
    likely.iter().copied().find(fits).or(likely.first().copied()).unwrap_or(Dialect::Document)
}

fn check_magic(bytes: &[u8]) -> Result<()> {
    begins_with(bytes, MAGIC, &BAD_MAGIC)?;
    let finding = |code, message: String, expected: &str| {
        Box::new(Diagnostic::new(code, path!("header", "version"), message).expected(expected).at_offset(3))
    };
    match bytes.get(3) {
        Some(&VERSION) => Ok(()),
        Some(version) => {
            let message = format!("the version is {version}");
            Err(Error::Unsupported(finding(&UNSUPPORTED_VERSION, message, "1, the only version described")))
        }
        None => {
            let message = "the file ends after its magic".into();
            Err(Error::Malformed(finding(&TRUNCATED, message, "a header of at least 44 bytes")))
        }
    }
}

fn read_textures(reader: &mut Reader<'_>, dialect: Dialect, count: u64) -> Result<Vec<Texture>> {
    macro_rules! read {
        ($Record:ty, $t:ident => { $($field:ident : $value:expr),* }) => {
            reader.table::<$Record>("textures", count)?.iter().map(|$t| Texture {
                offset: $t.offset.into(),
                width: $t.width.get(),
                height: $t.height.get(),
                wrap_x: $t.wrap_x.get(),
                wrap_y: $t.wrap_y.get(),
                $($field: $value),*
            }).collect()
        };
    }
    Ok(match dialect {
        Dialect::Document => read!(DocumentTexture, t => { channels: 4, compression: t.compression.get(), padding: 0 }),
        Dialect::Channels => {
            read!(ChannelsTexture, t => { channels: t.channels.get(), compression: t.compression.get(), padding: 0 })
        }
        Dialect::Wide => {
            read!(WideTexture, t => { channels: t.channels.get(), compression: t.compression.get(), padding: 0 })
        }
        Dialect::WideEarly => read!(WideEarlyTexture, t => { channels: 4, compression: 0, padding: 0 }),
        Dialect::WideCompression => {
            read!(WideCompressionTexture, t => { channels: 4, compression: t.compression.get(), padding: t.padding.get() })
        }
    })
}

impl Walk for File<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        self.walk_with(self, walker);
    }
}

/// What takes most of a file, told from wherever it is.
pub(super) trait Bulk {
    fn vertex_count(&self) -> usize;
    fn index_count(&self) -> usize;
    fn image_bytes(&self) -> usize;
    fn walk_vertices(&self, walker: &mut Walker<'_>);
    fn walk_indices(&self, walker: &mut Walker<'_>);
    fn walk_images(&self, walker: &mut Walker<'_>);
}

impl Bulk for File<'_> {
    fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    fn index_count(&self) -> usize {
        self.indices.len()
    }

    fn image_bytes(&self) -> usize {
        self.image_buffer.len()
    }

    fn walk_vertices(&self, walker: &mut Walker<'_>) {
        walker.table("vertices", &self.vertices, "");
    }

    fn walk_indices(&self, walker: &mut Walker<'_>) {
        walker.table("indices", &self.indices, "Into the vertices; three make a triangle. [doc: Index Section]");
    }

    fn walk_images(&self, walker: &mut Walker<'_>) {
        let about = "The mip chains of all textures. [doc: Image Buffer Section]";
        walker.blob("image_buffer", &self.image_buffer, about);
    }
}

impl File<'_> {
    /// The file, with the bulk of it from elsewhere.
    pub(super) fn walk_with(&self, bulk: &impl Bulk, walker: &mut Walker<'_>) {
        // A table too long for its count cannot come from a parse; it would be cut off by any reader.
        let count = |length: usize| U32::new(length as u32);
        macro_rules! header {
            ($Header:ident { $($extra:ident : $value:expr),* }) => {
                walker.record("header", &$Header {
                    magic: FixedText(*b"AEM"),
                    version: VERSION,
                    vertex_count: count(bulk.vertex_count()),
                    index_count: count(bulk.index_count()),
                    texture_count: count(self.textures.len()),
                    mesh_count: count(self.meshes.len()),
                    material_count: count(self.materials.len()),
                    joint_count: count(self.joints.len()),
                    animation_count: count(self.animations.len()),
                    track_count: count(self.tracks.len()),
                    keyframe_count: count(self.keyframes.len()),
                    $($extra: $value),*
                })
            };
        }
        match self.dialect {
            Dialect::Document | Dialect::Channels => header!(Header { image_bytes: count(bulk.image_bytes()) }),
            _ => header!(WideHeader {
                image_bytes: U64::new(bulk.image_bytes() as u64),
                padding: self.header_padding.into()
            }),
        }
        bulk.walk_vertices(walker);
        bulk.walk_indices(walker);
        bulk.walk_images(walker);
        macro_rules! textures {
            ($Record:ident, $t:ident => { $($field:ident : $value:expr),* }) => {{
                let records: Vec<$Record> = self.textures.iter().map(|$t| $Record {
                    width: $t.width.into(),
                    height: $t.height.into(),
                    wrap_x: $t.wrap_x.into(),
                    wrap_y: $t.wrap_y.into(),
                    $($field: $value),*
                }).collect();
                walker.table("textures", &records, "");
            }};
        }
        match self.dialect {
            Dialect::Document => {
                textures!(DocumentTexture, t => { offset: U32::new(t.offset as u32), compression: t.compression.into() })
            }
            Dialect::Channels => {
                textures!(ChannelsTexture, t => { offset: U32::new(t.offset as u32), channels: t.channels.into(), compression: t.compression.into() })
            }
            Dialect::Wide => {
                textures!(WideTexture, t => { offset: t.offset.into(), channels: t.channels.into(), compression: t.compression.into() })
            }
            Dialect::WideEarly => textures!(WideEarlyTexture, t => { offset: t.offset.into() }),
            Dialect::WideCompression => {
                textures!(WideCompressionTexture, t => { offset: t.offset.into(), compression: t.compression.into(), padding: t.padding.into() })
            }
        }
        walker.table("meshes", &self.meshes, "");
        walker.table("materials", &self.materials, "");
        walker.table("joints", &self.joints, "");
        walker.table("animations", &self.animations, "");
        walker.table("tracks", &self.tracks, "");
        walker.table("keyframes", &self.keyframes, "");
        trailing::walk(walker, &self.trailing);
    }
}
