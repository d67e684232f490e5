//! Pictures: as files, as pixels or blocks, or as a name.

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub data: ImageData,
}

/// What a picture holds.
#[derive(Clone, PartialEq)]
pub enum ImageData {
    /// A file, untouched.
    Encoded {
        /// `image/png`, `image/jpeg`, ..
        mime: String,
        /// The file.
        bytes: Vec<u8>,
    },
    /// Pixels or blocks with mip levels, the largest first, the top row first.
    Pixels {
        /// How a pixel or block is stored.
        format: PixelFormat,
        /// What the numbers mean.
        colour_space: ColourSpace,
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
        /// The levels.
        levels: Vec<Vec<u8>>,
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

/// What the numbers of a picture mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourSpace {
    /// As screens show them.
    Srgb,
    /// Proportional to light, or no colours at all.
    Linear,
}
