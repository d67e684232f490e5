//! Which axis points up, where files differ.

/// Which axis points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Up {
    /// As in glTF.
    Y,
    /// As in Blender and many games.
    Z,
}
