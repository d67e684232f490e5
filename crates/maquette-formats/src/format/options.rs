//! What readers and writers are told besides the file or the scene.

use super::Source;
use crate::rules::matrices::MatrixOrder;

/// What a reader is told besides the file. The overrides replace what is found from the bytes.
#[derive(Clone, Copy)]
pub struct ReadOptions<'a> {
    /// The name of the file, and where its companion files come from.
    pub source: Source<'a>,
    /// How matrices are ordered, for formats that do not say.
    pub matrix_order: Option<MatrixOrder>,
    /// How quaternions are ordered, for formats that do not say.
    pub quaternion_order: Option<QuaternionOrder>,
    /// What animation matrices are, for formats that do not say.
    pub animation_matrices: Option<AnimationMatrices>,
    /// Whether positions that were brought to unit size are given their size back.
    pub size: Size,
}

impl Default for ReadOptions<'_> {
    fn default() -> Self {
        ReadOptions {
            source: Source::BARE,
            matrix_order: None,
            quaternion_order: None,
            animation_matrices: None,
            size: Size::AsStored,
        }
    }
}

/// How the four numbers of a quaternion are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuaternionOrder {
    /// The real part first.
    Wxyz,
    /// The real part last.
    Xyzw,
}

impl QuaternionOrder {
    /// The word used in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            QuaternionOrder::Wxyz => "wxyz",
            QuaternionOrder::Xyzw => "xyzw",
        }
    }
}

/// What the matrices of an animation are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnimationMatrices {
    /// Node space to parent space.
    Local,
    /// Bind pose to pose, in model space: what a shader multiplies vertices by.
    Skinning,
}

/// Which size positions are read in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Size {
    /// As they are in the file.
    #[default]
    AsStored,
    /// As they were before they were brought to unit size, where the file tells.
    Original,
}

/// What a writer is told besides the scene.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions<'a> {
    /// The dialect to write; one of the format's.
    pub dialect: &'a str,
    /// The name of the file to be written: names inside it and those of its companion files follow from it.
    pub name: &'a str,
    /// Names of other files in the same folder without their endings. What belongs to them is not to be taken: a companion file
    /// of `fox` must not be called as one of `fox.red` would be.
    pub others: &'a [String],
}
