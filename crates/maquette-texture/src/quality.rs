//! How much work a picture is worth.

/// How long an encoder may look for a better block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quality {
    /// For trying things out: the first good block.
    Fast,
    /// Blocks that are hard to encode are tried in more ways.
    #[default]
    Default,
    /// For the final files: many ways for every block. Opaque pictures take twice as long.
    High,
}
