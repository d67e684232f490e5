//! Where each texture's mip chain lies in the image buffer.
//!
//! A chain runs from full size down to 1 × 1, level after level without gaps. BC5 and BC7 take 16 bytes for each
//! 4 × 4 block; an uncompressed pixel takes a byte for each channel. The dialects that do not store the channels
//! mean four, but the reference wrote normal maps with two there; the room to the next texture tells.

use super::raw::{Dialect, File, Texture};

/// The part of the image buffer that belongs to one texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Where it begins in the buffer.
    pub offset: u64,
    /// How long it is. Wide enough for any width and height.
    pub bytes: u128,
    /// Channels of an uncompressed pixel.
    pub channels: u32,
}

impl Chain {
    /// Where it ends in the buffer.
    pub fn end(&self) -> u128 {
        u128::from(self.offset) + self.bytes
    }
}

/// The number of levels down to 1 × 1; 0 for an empty texture.
pub fn level_count(width: u32, height: u32) -> u32 {
    if width == 0 || height == 0 { 0 } else { 1 + width.max(height).ilog2() }
}

/// The bytes of one level; `None` for an unknown compression.
pub fn level_bytes(texture: &Texture, channels: u32, level: u32) -> Option<u128> {
    let [width, height] = [texture.width, texture.height].map(|size| u128::from((size >> level).max(1)));
    match texture.compression {
        0 => Some(width * height * u128::from(channels)),
        1 | 2 => Some(width.div_ceil(4) * height.div_ceil(4) * 16),
        _ => None,
    }
}

fn chain_bytes(texture: &Texture, channels: u32) -> Option<u128> {
    (0..level_count(texture.width, texture.height)).map(|level| level_bytes(texture, channels, level)).sum()
}

/// The chain of each texture; `None` for an unknown compression.
pub fn chains(file: &File<'_>) -> Vec<Option<Chain>> {
    let stores_channels = matches!(file.dialect, Dialect::Channels | Dialect::Wide);
    let mut starts: Vec<u64> = file.textures.iter().map(|texture| texture.offset).collect();
    starts.push(file.image_buffer.len() as u64);
    starts.sort_unstable();
    let room_after = |offset: u64| {
        let next = starts.partition_point(|&start| start <= offset);
        starts.get(next).map(|next| u128::from(next - offset))
    };
    let chain = |texture: &Texture| {
        let of = |channels| Some(Chain { offset: texture.offset, bytes: chain_bytes(texture, channels)?, channels });
        if stores_channels {
            return of(texture.channels);
        }
        let two = of(2).filter(|two| texture.compression == 0 && room_after(texture.offset) == Some(two.bytes));
        two.or_else(|| of(4))
    };
    file.textures.iter().map(chain).collect()
}

/// Whether the chains are all known, and cover the image buffer from its first byte to its last.
pub fn fill_the_buffer(file: &File<'_>) -> bool {
    let Some(mut chains) = chains(file).into_iter().collect::<Option<Vec<_>>>() else { return false };
    chains.sort_by_key(|chain| chain.offset);
    let mut covered = 0;
    for chain in &chains {
        if u128::from(chain.offset) > covered || chain.bytes == 0 {
            return false;
        }
        covered = covered.max(chain.end());
    }
    covered == file.image_buffer.len() as u128
}
