//! DDS files: blocks or pixels with all their mip levels, as textures are passed between tools.
//!
//! The header is the one with a DXGI format, which every program of the last ten years reads. [Microsoft, DDS_HEADER, DDS_HEADER_DXT10]

/// How a pixel or block is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Four bytes a pixel.
    Rgba8,
    /// Two bytes a pixel.
    Rg8,
    /// Blocks of two channels.
    Bc5,
    /// Blocks of four channels.
    Bc7,
}

impl Format {
    /// `DXGI_FORMAT`: the `UNORM` ones.
    fn dxgi(self) -> u32 {
        match self {
            Format::Rgba8 => 28,
            Format::Rg8 => 49,
            Format::Bc5 => 83,
            Format::Bc7 => 98,
        }
    }

    /// The bytes of a row of pixels, or those of the whole level for blocks.
    fn pitch(self, width: u32, height: u32) -> u32 {
        match self {
            Format::Rgba8 => width.saturating_mul(4),
            Format::Rg8 => width.saturating_mul(2),
            Format::Bc5 | Format::Bc7 => width.div_ceil(4).saturating_mul(height.div_ceil(4)).saturating_mul(16),
        }
    }
}

/// A DDS file of these levels, the largest first.
pub fn encode(format: Format, width: u32, height: u32, levels: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let blocks = matches!(format, Format::Bc5 | Format::Bc7);
    // Caps, height, width, pixel format, number of levels; pitch for pixels, linear size for blocks.
    let flags = 0x1 | 0x2 | 0x4 | 0x1000 | 0x2_0000 | if blocks { 0x8_0000 } else { 0x8 };
    // A texture; several levels make it complex.
    let caps = 0x1000 | if levels.len() > 1 { 0x8 | 0x40_0000 } else { 0 };
    let mut words = vec![124, flags, height, width, format.pitch(width, height), 0, levels.len() as u32];
    words.extend([0; 11]);
    words.extend([32, 0x4, u32::from_le_bytes(*b"DX10"), 0, 0, 0, 0, 0]);
    words.extend([caps, 0, 0, 0, 0]);
    // A two-dimensional texture, one of it, opacity is opacity.
    words.extend([format.dxgi(), 3, 0, 1, 1]);
    let mut file = b"DDS ".to_vec();
    file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    levels.iter().for_each(|level| file.extend_from_slice(level.as_ref()));
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_148_bytes_with_every_field_in_its_place() {
        let file = encode(Format::Bc7, 5, 9, &[[7; 96].as_slice(), &[8; 16], &[9; 16], &[1; 16]]);
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
        assert_eq!(&file[..4], b"DDS ");
        assert_eq!((word(4), word(12), word(16), word(20), word(28)), (124, 9, 5, 96, 4));
        assert_eq!((word(76), &file[84..88]), (32, b"DX10".as_slice()));
        assert_eq!((word(108), word(128), word(132)), (0x40_1008, 98, 3));
        assert_eq!((file[148], file.len()), (7, 148 + 96 + 3 * 16));
    }
}
