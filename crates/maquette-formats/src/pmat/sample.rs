//! The specimen's material as a PMAT file, with its texture as a companion file.

use super::raw::{Dialect, File, Texture, VERSION};
use crate::format::{Bundle, Naming};
use crate::specimen;
use std::borrow::Cow;

/// A small material; there is one dialect.
pub fn sample(_: &str) -> Bundle {
    Bundle { main: material().encode(), companions: texture() }
}

/// The image that the material names.
pub(super) fn texture() -> Vec<(Naming, Vec<u8>)> {
    vec![(Naming::Fixed(specimen::TEXTURE_FILE), specimen::checker_png())]
}

/// The material, ready to change and encode.
pub fn material() -> File<'static> {
    File {
        dialect: Dialect::Document,
        evidence: "made as such".into(),
        version: VERSION,
        name: Cow::Borrowed(specimen::MATERIAL.as_bytes()),
        textures: vec![Texture { texture_type: 1, path: Cow::Borrowed(specimen::TEXTURE_FILE.as_bytes()) }],
        trailing: Cow::default(),
    }
}
