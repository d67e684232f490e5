//! PANI records in file order, and `parse`/`encode` between them and bytes. No interpretation, no defaults.
//!
//! Every count of the file is the length of a list, so none is kept twice. Keys stay slices of the input.

use super::check::{BAD_MAGIC, TRAILING_BYTES, TRUNCATED};
use crate::bytes::{Reader, begins_with};
use crate::format::Result;
use crate::layout::FixedText;
use crate::trailing;
use crate::walk::{self, Walk, Walker, count};
use crate::{dialects, record};
use std::borrow::Cow;
use zerocopy::little_endian::{F32, U32};

/// The first bytes of every PANI file.
pub const MAGIC: &[u8; 4] = b"PANI";
/// The version number in every file found.
pub const VERSION: u32 = 0;

dialects! {
    /// The layouts in use.
    pub enum Dialect of "pani" {
        /// The document's, and the only one.
        Document = "document" read by "the Paca Engine and paca-tools",
    }
}

record! {
    /// The first 24 bytes; the clip's name follows. [doc: Header]
    pub struct Header {
        /// Offset 0. "PANI". [doc: Header]
        pub magic: FixedText<4>,
        /// Offset 4. 0 in every file the reference writes; readers ignore it. [doc: Header]
        pub version: U32,
        /// Offset 8. Number of bones. [doc: Header]
        pub bone_count: U32,
        /// Offset 12. Length of the clip in ticks. [doc: Header]
        pub duration: F32,
        /// Offset 16. Ticks in a second; the reference reader drops a fraction. [doc: Header]
        pub ticks_per_second: F32,
        /// Offset 20. Length of the clip's name in bytes. [doc: Header]
        pub name_bytes: U32,
    }

    /// How many keys of each kind a bone has; they follow in this order. [doc: Each animation bone]
    pub struct KeyCounts {
        /// Offset 0. Number of position keys. [doc: Each animation bone]
        pub position_count: U32,
        /// Offset 4. Number of rotation keys. [doc: Each animation bone]
        pub rotation_count: U32,
        /// Offset 8. Number of scale keys. [doc: Each animation bone]
        pub scale_count: U32,
    }

    /// Where a bone is at a time, 16 bytes. [doc: Each position keyframe]
    pub struct PositionKey {
        /// Offset 0. When, in ticks. [doc: Each position keyframe]
        pub time: F32,
        /// Offset 4. Position from the parent bone, in place of the rest position. [doc: Each position keyframe; parent: seen in paca-engine's Animation.cpp]
        pub value: [F32; 3],
    }

    /// How a bone is turned at a time, 20 bytes. [doc: Each rotation keyframe]
    pub struct RotationKey {
        /// Offset 0. When, in ticks. [doc: Each rotation keyframe]
        pub time: F32,
        /// Offset 4. Quaternion x, y, z, w, in place of the rest rotation. [doc: Each rotation keyframe; order: seen in pacawrite, which writes a glm::quat]
        pub value: [F32; 4],
    }

    /// How large a bone is at a time, 16 bytes. [doc: Each scaling keyframe]
    pub struct ScaleKey {
        /// Offset 0. When, in ticks. [doc: Each scaling keyframe]
        pub time: F32,
        /// Offset 4. Scale along each axis, 1 for none. [doc: Each scaling keyframe]
        pub value: [F32; 3],
    }
}

/// The keys of one bone.
#[derive(Clone, Default)]
pub struct Bone<'a> {
    /// Where it is.
    pub positions: Cow<'a, [PositionKey]>,
    /// How it is turned.
    pub rotations: Cow<'a, [RotationKey]>,
    /// How large it is.
    pub scales: Cow<'a, [ScaleKey]>,
}

/// A whole file. The name and the keys are borrowed from the input until they are changed.
#[derive(Clone)]
pub struct File<'a> {
    /// Which layout it is in.
    pub dialect: Dialect,
    /// Why it is taken for that layout.
    pub evidence: String,
    /// The version number, 0.
    pub version: u32,
    /// The length of the clip in ticks.
    pub duration: F32,
    /// Ticks in a second.
    pub ticks_per_second: F32,
    /// The clip's name.
    pub name: Cow<'a, [u8]>,
    /// The keys of each bone, in the order of the model's skeleton.
    pub bones: Vec<Bone<'a>>,
    /// What follows the last bone, where it should not.
    pub trailing: Cow<'a, [u8]>,
}

impl<'a> File<'a> {
    /// Parses a file.
    pub fn parse(bytes: &'a [u8]) -> Result<File<'a>> {
        let file = File::parse_as(bytes, Dialect::Document)?;
        let left = trailing::evidence(&file.trailing);
        let size = bytes.len() - file.trailing.len();
        let evidence = format!("there is one layout, and its counts add up to the file's {size} bytes{left}");
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
    let least_bytes = size_of::<KeyCounts>() as u64;
    Ok(File {
        dialect,
        evidence: "asked for".into(),
        version: header.version.get(),
        duration: header.duration,
        ticks_per_second: header.ticks_per_second,
        name: reader.blob("name", header.name_bytes.into())?,
        bones: reader.list("bones", header.bone_count.into(), least_bytes, read_bone)?,
        trailing: reader.trailing(&TRAILING_BYTES, "bone")?,
    })
}

fn read_bone<'a>(reader: &mut Reader<'a>) -> Result<Bone<'a>> {
    let counts: KeyCounts = reader.value("counts")?;
    Ok(Bone {
        positions: reader.table("positions", counts.position_count.into())?,
        rotations: reader.table("rotations", counts.rotation_count.into())?,
        scales: reader.table("scales", counts.scale_count.into())?,
    })
}

impl Walk for File<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        walker.record(
            "header",
            &Header {
                magic: FixedText(*MAGIC),
                version: self.version.into(),
                bone_count: count(self.bones.len()),
                duration: self.duration,
                ticks_per_second: self.ticks_per_second,
                name_bytes: count(self.name.len()),
            },
        );
        walker.text("name", &self.name, "The name of the clip, by which models list it; no NUL ends it. [doc: Header]");
        walker.items("bones", &self.bones, walk_bone);
        trailing::walk(walker, &self.trailing);
    }
}

fn walk_bone(walker: &mut Walker<'_>, bone: &Bone<'_>) {
    walker.record(
        "counts",
        &KeyCounts {
            position_count: count(bone.positions.len()),
            rotation_count: count(bone.rotations.len()),
            scale_count: count(bone.scales.len()),
        },
    );
    walker.table("positions", &bone.positions, "");
    walker.table("rotations", &bone.rotations, "");
    walker.table("scales", &bone.scales, "");
}
