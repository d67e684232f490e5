//! From triangles in the scene to samples in tiles of the picture.
//!
//! Corners are rounded to 1/256 of a pixel, and from there on coverage is whole numbers: what two triangles share belongs to one of them, whatever tile or
//! thread looks at it. Tiles know nothing of each other, and go through their triangles in the order of the scene.

mod bins;
mod clip;
mod cover;
mod lens;
mod pattern;
mod setup;

pub(crate) use bins::Bins;
pub use bins::{Kind, Style};
pub(crate) use clip::{GUARD, cut_line};
pub(crate) use cover::{Rect, cover};
pub use lens::{Kind as LensKind, Lens, Studio};
pub(crate) use lens::{NEARER_BY, NEARER_TIMES, Projected};
pub(crate) use pattern::{Pattern, Usual};
pub(crate) use setup::Setup;

/// The side of a tile, in pixels.
pub(crate) const TILE: usize = 32;

/// No triangle.
pub(crate) const NOTHING: u32 = u32::MAX;
