//! SEAnim records in file order, and `parse`/`encode` between them and bytes. No interpretation, no defaults.
//!
//! The counts of the header are the lengths of the lists, so they are not kept twice; counts of blocks that the
//! file does not hold are in [`Unstored`]. How wide frame numbers are follows from the dialect and the frame count,
//! how wide components are from a flag, and both are applied anew when encoding.

pub mod blend;
pub mod keys;
mod parse;
mod tell;

use crate::layout::{FixedText, Meaning};
use crate::{dialects, record, walk};
use blend::Trailer;
use keys::{Components, FrameWidth, Keys, Precision, Shape};
use std::borrow::Cow;
use zerocopy::little_endian::{F32, U16, U32};

/// The first bytes of every SEAnim file.
pub const MAGIC: &[u8; 6] = b"SEAnim";
/// The one version there is.
pub const VERSION: u16 = 1;
/// The header's size as every writer states it: from the size field, which is counted, to the note count.
pub const HEADER_BYTES: u16 = 0x1c;
/// The same size without the size field, which is what the document's words mean.
pub const HEADER_BYTES_WITHOUT_SIZE: u16 = 0x1a;

dialects! {
    /// The rules for the width of frame numbers. They differ at 0, 256 and 65 536 frames only.
    pub enum Dialect of "seanim" {
        /// One byte up to 255 frames, two up to 65 535, else four: the owners' correction, which every tool follows.
        Corrected = "1.0.2" read by "every known SEAnim tool",
        /// One byte up to 256 frames, two up to 65 536, else four; four for no frames at all: the document as first
        /// published.
        First = "1.0.1" read by "programs written from the first document",
    }
}

impl Dialect {
    /// How wide the frame numbers of an animation of this length are.
    pub fn frame_width(self, frame_count: u32) -> FrameWidth {
        match self {
            Dialect::Corrected => FrameWidth::holding(frame_count),
            // As C computes it: 0 - 1 is the largest number of all.
            Dialect::First => FrameWidth::holding(frame_count.wrapping_sub(1)),
        }
    }

    /// Whether the two dialects store an animation of this length differently.
    pub fn differ_at(frame_count: u32) -> bool {
        Dialect::Corrected.frame_width(frame_count) != Dialect::First.frame_width(frame_count)
    }
}

/// How the values of an animation, or of one bone, are meant.
pub const ANIM_TYPE: Meaning = Meaning::Enum(&[(0, "absolute"), (1, "additive"), (2, "relative"), (3, "delta")]);
/// The type whose first bone carries the motion of the whole.
pub const ANIM_TYPE_DELTA: u8 = 3;
/// Properties of the animation.
pub const ANIM_FLAGS: Meaning = Meaning::Flags(&[(1, "looped")]);
/// The flag of an animation that repeats.
pub const LOOPED: u8 = 1;
/// What the file holds.
pub const PRESENCE_FLAGS: Meaning =
    Meaning::Flags(&[(1, "locations"), (2, "rotations"), (4, "scales"), (0x40, "notes"), (0x80, "custom data")]);
/// The flags of the three channels together; any of them means that bones are stored.
pub const PRESENCE_BONES: u8 = 7;
/// The flag of notes.
pub const PRESENCE_NOTES: u8 = 0x40;
/// The flag of the custom block.
pub const PRESENCE_CUSTOM: u8 = 0x80;
/// How the data is stored.
pub const PROPERTY_FLAGS: Meaning = Meaning::Flags(&[(1, "double precision")]);
/// The flag of doubles instead of singles.
pub const HIGH_PRECISION: u8 = 1;
/// What kind of bone.
pub const BONE_FLAGS: Meaning = Meaning::Enum(&[(0, "default"), (1, "cosmetic")]);

record! {
    /// The first 36 bytes. [doc: SEAnim_Header]
    pub struct Header {
        /// Offset 0. "SEAnim". [doc: SEAnim File Structure]
        pub magic: FixedText<6>,
        /// Offset 6. 1. [doc: SEAnim File Structure]
        pub version: U16,
        /// Offset 8. Bytes from this field, itself included, to the first block: 0x1C. The document says that the field
        /// does not count itself, but names the number that does. [seen in files of the reference writer]
        pub header_size: U16,
        /// Offset 10. How values are meant. [doc: SEANIM_TYPE]
        pub anim_type: u8 = ANIM_TYPE,
        /// Offset 11. Properties of the animation. [doc: SEANIM_FLAGS]
        pub anim_flags: u8 = ANIM_FLAGS,
        /// Offset 12. Which blocks and channels the file holds. [doc: SEANIM_PRESENCE_FLAGS]
        pub data_presence_flags: u8 = PRESENCE_FLAGS,
        /// Offset 13. How values are stored. [doc: SEANIM_PROPERTY_FLAGS]
        pub data_property_flags: u8 = PROPERTY_FLAGS,
        /// Offset 14. 0. [doc: SEAnim_Header]
        pub reserved1: [u8; 2],
        /// Offset 16. Frames a second; a single also in files of doubles. [doc: SEAnim_Header]
        pub framerate: F32,
        /// Offset 20. The largest frame of any key or note, plus 1; decides the width of frame numbers.
        /// [doc: SEAnim_Header]
        pub frame_count: U32,
        /// Offset 24. Number of bones. [doc: SEAnim_Header]
        pub bone_count: U32,
        /// Offset 28. Number of modifiers. [doc: SEAnim_Header]
        pub bone_anim_modifier_count: u8,
        /// Offset 29. 0. [doc: SEAnim_Header]
        pub reserved2: [u8; 3],
        /// Offset 32. Number of notes. [doc: SEAnim_Header]
        pub note_count: U32,
    }

    /// A bone with a type of its own, in a file of up to 255 bones, 2 bytes. [doc: SEAnim_BoneAnimModifier]
    pub struct Modifier8 {
        /// Offset 0. The bone. [doc: SEAnim_BoneAnimModifier]
        pub index: u8,
        /// Offset 1. How the values of this bone and all below it are meant. [doc: SEAnim_BoneAnimModifier]
        pub anim_type_override: u8 = ANIM_TYPE,
    }

    /// A bone with a type of its own, in a file of up to 65 535 bones, 3 bytes. [doc: SEAnim_BoneAnimModifier]
    pub struct Modifier16 {
        /// Offset 0. The bone. [doc: SEAnim_BoneAnimModifier]
        pub index: U16,
        /// Offset 2. How the values of this bone and all below it are meant. [doc: SEAnim_BoneAnimModifier]
        pub anim_type_override: u8 = ANIM_TYPE,
    }

    /// A bone with a type of its own, in a file of more than 65 535 bones, 5 bytes. [doc: SEAnim_BoneAnimModifier]
    pub struct Modifier32 {
        /// Offset 0. The bone. [doc: SEAnim_BoneAnimModifier]
        pub index: U32,
        /// Offset 4. How the values of this bone and all below it are meant. [doc: SEAnim_BoneAnimModifier]
        pub anim_type_override: u8 = ANIM_TYPE,
    }
}

/// One of the three things about a bone that keys drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Location.
    Loc,
    /// Rotation.
    Rot,
    /// Scale.
    Scale,
}

impl Channel {
    /// All, in file order.
    pub const ALL: [Channel; 3] = [Channel::Loc, Channel::Rot, Channel::Scale];

    /// The flag that says the file has it.
    pub fn flag(self) -> u8 {
        match self {
            Channel::Loc => 1,
            Channel::Rot => 2,
            Channel::Scale => 4,
        }
    }

    /// Its name in paths.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Loc => "loc",
            Channel::Rot => "rot",
            Channel::Scale => "scale",
        }
    }

    /// The name of its key count in paths.
    pub fn count_name(self) -> &'static str {
        match self {
            Channel::Loc => "loc_key_count",
            Channel::Rot => "rot_key_count",
            Channel::Scale => "scale_key_count",
        }
    }

    fn components(self) -> Components {
        match self {
            Channel::Loc | Channel::Scale => Components::Vector,
            Channel::Rot => Components::Quaternion,
        }
    }

    fn doc(self) -> &'static str {
        match self {
            Channel::Loc => "Locations in the space of the parent bone. [doc: SEAnim_BoneData]",
            Channel::Rot => "Rotations in the space of the parent bone. [doc: SEAnim_BoneData]",
            Channel::Scale => "Scales along the bone's axes, 1 for none. [doc: SEAnim_BoneData]",
        }
    }
}

/// A bone and its keys. A channel that the file's presence flags do not name is not written.
#[derive(Clone, Debug)]
pub struct Bone<'a> {
    /// Its name, without the NUL.
    pub name: Cow<'a, [u8]>,
    /// 0 for an ordinary bone, 1 for a cosmetic one.
    pub flags: u8,
    /// Location keys.
    pub loc: Keys<'a>,
    /// Rotation keys.
    pub rot: Keys<'a>,
    /// Scale keys.
    pub scale: Keys<'a>,
}

impl<'a> Bone<'a> {
    /// The keys of a channel.
    pub fn keys(&self, channel: Channel) -> &Keys<'a> {
        match channel {
            Channel::Loc => &self.loc,
            Channel::Rot => &self.rot,
            Channel::Scale => &self.scale,
        }
    }

    /// Whether any channel has a key.
    pub fn has_keys(&self) -> bool {
        Channel::ALL.iter().any(|&channel| !self.keys(channel).is_empty())
    }

    /// The keys of a channel, to change.
    pub fn keys_mut(&mut self, channel: Channel) -> &mut Keys<'a> {
        match channel {
            Channel::Loc => &mut self.loc,
            Channel::Rot => &mut self.rot,
            Channel::Scale => &mut self.scale,
        }
    }
}

/// A bone with a type of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modifier {
    /// Its position in the list of bones, from 0.
    pub index: u32,
    /// How the values of this bone and all below it are meant.
    pub anim_type_override: u8,
}

/// A named event on a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note<'a> {
    /// Counted from 0, at the frame rate of the header.
    pub frame: u32,
    /// Its name, without the NUL.
    pub name: Cow<'a, [u8]>,
}

/// Counts that the header states for blocks that the file does not hold. Each is written only while the list it
/// counts is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unstored {
    /// Bones, without a flag for any channel.
    pub bone_count: u32,
    /// Modifiers, likewise.
    pub modifier_count: u8,
    /// Notes, without the flag for notes.
    pub note_count: u32,
}

/// What the header's size field counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderSize {
    /// Itself as well: what every writer does.
    WithItself,
    /// Only what follows it: what the document's words mean. Only for a header without extra bytes.
    WithoutItself,
}

/// A whole file. Keys and text are borrowed from the input until they are changed.
#[derive(Clone)]
pub struct File<'a> {
    /// Which rule gives the width of frame numbers.
    pub dialect: Dialect,
    /// Why it is taken for that.
    pub evidence: String,
    /// What the header's size field counts.
    pub header_size: HeaderSize,
    /// How values are meant: [`ANIM_TYPE`].
    pub anim_type: u8,
    /// Properties of the animation: [`ANIM_FLAGS`].
    pub anim_flags: u8,
    /// What is written: [`PRESENCE_FLAGS`].
    pub data_presence_flags: u8,
    /// How values are stored: [`PROPERTY_FLAGS`].
    pub data_property_flags: u8,
    /// 0.
    pub reserved1: [u8; 2],
    /// Frames a second.
    pub framerate: F32,
    /// The length in frames.
    pub frame_count: u32,
    /// 0.
    pub reserved2: [u8; 3],
    /// Counts of what is not stored.
    pub unstored: Unstored,
    /// Bytes of a header larger than the document's.
    pub extra_header: Cow<'a, [u8]>,
    /// Bones. Written with or without a flag for a channel, if there are any.
    pub bones: Vec<Bone<'a>>,
    /// Bones with a type of their own; at most 255 can be written.
    pub modifiers: Vec<Modifier>,
    /// Notes. Written with or without their flag, if there are any.
    pub notes: Vec<Note<'a>>,
    /// The custom block; written if the flag for it is set.
    pub custom: Cow<'a, [u8]>,
    /// The blend shapes that may follow the last block.
    pub trailer: Trailer<'a>,
    /// What follows that, where it should not.
    pub trailing: Cow<'a, [u8]>,
}

impl File<'_> {
    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        walk::encode(self)
    }

    /// How wide frame numbers and key counts are.
    pub fn frame_width(&self) -> FrameWidth {
        self.dialect.frame_width(self.frame_count)
    }

    /// How wide components are.
    pub fn precision(&self) -> Precision {
        match self.data_property_flags & HIGH_PRECISION {
            0 => Precision::Single,
            _ => Precision::Double,
        }
    }

    /// The form of the keys of a channel.
    pub fn shape(&self, channel: Channel) -> Shape {
        Shape { frame: self.frame_width(), precision: self.precision(), components: channel.components() }
    }

    /// The channels that the file has.
    pub fn channels(&self) -> impl Iterator<Item = Channel> + use<> {
        let flags = self.data_presence_flags;
        Channel::ALL.into_iter().filter(move |channel| flags & channel.flag() != 0)
    }

    /// The keys of all bones in the channels that the file has.
    pub fn key_count(&self) -> u64 {
        self.bones.iter().map(|bone| self.keys_of(bone)).sum()
    }

    /// The keys of a bone in the channels that the file has.
    pub fn keys_of(&self, bone: &Bone<'_>) -> u64 {
        self.channels().map(|channel| bone.keys(channel).len() as u64).sum()
    }
}
