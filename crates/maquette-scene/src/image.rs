//! Images: encoded files, pixels or blocks, or the name of a file elsewhere.

use crate::Bytes;
use std::sync::Arc;

/// An image that textures sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// What it is called in its file, or the path of its own file.
    pub name: String,
    /// Its contents, shared: cloning a scene copies no pixels, and a renderer may keep what it has uploaded.
    /// [`Arc::make_mut`] gives a copy to change.
    pub data: Arc<ImageData>,
}

impl Image {
    /// An image of this name and these contents.
    pub fn new(name: impl Into<String>, data: ImageData) -> Image {
        Image { name: name.into(), data: Arc::new(data) }
    }
}

/// The contents of an image.
#[derive(Clone, PartialEq)]
pub enum ImageData {
    /// A file, untouched.
    Encoded {
        /// `image/png`, `image/jpeg`, ..
        mime: String,
        /// The whole file, as it would lie on disk.
        bytes: Bytes,
    },
    /// Pixels or blocks with mip levels, the largest first, the top row first.
    Pixels {
        /// How a pixel or block is stored.
        format: PixelFormat,
        /// How its values relate to light.
        colour_space: ColourSpace,
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
        /// The bytes of each level, rows without padding; every level is half as wide and high as the one before.
        levels: Vec<Bytes>,
    },
    /// A file that was not there to be read, by name.
    External(String),
}

impl std::fmt::Debug for ImageData {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ImageData::Encoded { mime, bytes } => write!(f, "Encoded({mime}, {} bytes)", bytes.len()),
            ImageData::Pixels { format, width, height, levels, .. } => {
                write!(f, "Pixels({format:?}, {width} × {height}, {} levels)", levels.len())
            }
            ImageData::External(name) => write!(f, "External({name})"),
        }
    }
}

/// How a pixel or block is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelFormat {
    /// Four bytes.
    Rgba8,
    /// Two bytes.
    Rg8,
    /// Blocks of two channels.
    Bc5,
    /// Blocks of four channels.
    Bc7,
}

impl PixelFormat {
    /// What people call it.
    pub fn word(self) -> &'static str {
        match self {
            PixelFormat::Rgba8 => "RGBA8",
            PixelFormat::Rg8 => "RG8",
            PixelFormat::Bc5 => "BC5",
            PixelFormat::Bc7 => "BC7",
        }
    }
}

/// How the values of an image relate to light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourSpace {
    /// sRGB colour, as displays and image files have it.
    Srgb,
    /// Linear light, or data that is no colour.
    Linear,
}
