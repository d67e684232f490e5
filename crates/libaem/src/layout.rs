//! What a program in C sees of a model and a mixer, field by field as in the headers. `tests/layout.rs` compares the two.
//!
//! All of it is plain data: enums of C are numbers and `bool` is a byte, since a program may write anything into what it gets.

use zerocopy::{FromBytes, Immutable, IntoBytes};

/// `aem_string`: ended by a NUL.
pub type Name = [u8; 128];

/// `struct AEMTexture` of `aem/model.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub struct Texture {
    pub offset: u64,
    pub width: u32,
    pub height: u32,
    pub wrap_mode: [u32; 2],
    pub channel_count: u32,
    pub compression: u32,
}

/// `struct AEMTexture` of `aem/aem.h`, which takes every pixel without compression for four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub struct FirstTexture {
    pub offset: u32,
    pub width: u32,
    pub height: u32,
    pub wrap_mode: [u32; 2],
    pub compression: u32,
}

/// `struct AEMMesh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub struct Mesh {
    pub first_index: u32,
    pub index_count: u32,
    pub material_index: u32,
}

/// `struct AEMMaterial`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub struct Material {
    pub base_color_texture_index: u32,
    pub normal_texture_index: u32,
    pub pbr_texture_index: u32,
    pub kind: u32,
}

/// `struct AEMJoint`.
#[derive(Clone, Copy, Debug, PartialEq, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub struct Joint {
    pub name: Name,
    pub inverse_bind_matrix: [f32; 16],
    pub parent_joint_index: i32,
}

/// `struct AEMAnimationChannel`.
#[derive(Clone, Copy, Debug, PartialEq, FromBytes, Immutable)]
#[repr(C)]
pub struct Channel {
    pub animation_index: u32,
    pub is_playing: u8,
    pub is_looping: u8,
    pub time: f32,
    pub playback_speed: f32,
    pub weight: f32,
}

/// `struct AEMError`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable)]
#[repr(C)]
pub struct Error {
    /// [`Error::NO_OFFSET`] where there is no place.
    pub offset: u64,
    pub code: [u8; 16],
    pub path: [u8; 240],
    pub message: [u8; 512],
}

impl Error {
    pub const NO_OFFSET: u64 = u64::MAX;
    pub const NONE: Error = Error { offset: Error::NO_OFFSET, code: [0; 16], path: [0; 240], message: [0; 512] };
}

/// `enum AEMResult` and `enum AEMModelResult`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub enum LoadResult {
    Success,
    OutOfMemory,
    FileNotFound,
    /// What is said, too, where something of ours went wrong.
    #[default]
    InvalidFileType,
    InvalidVersion,
}

/// `enum AEMAnimationMixerResult`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub enum MixerResult {
    Success,
    #[default]
    OutOfMemory,
}
