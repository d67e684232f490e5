//! Pixels to BC7 blocks.
//!
//! A block is a number of lines through colour space, and for each pixel a place on one of them. Eight modes share out 128
//! bits in different ways. The modes used here:
//!
//! | mode | lines | good for |
//! |---|---|---|
//! | 6 ([`single`]) | one, sixteen steps, all channels | most blocks of most pictures |
//! | 1, 3, 7 ([`split`]) | two, for two parts of the block | edges |
//! | 4, 5 ([`rotated`]) | one for three channels, one for the fourth | channels that have nothing to do with each other |
//! | 5 ([`solid`]) | | one colour, exactly |
//!
//! Eight blocks are encoded at once, one in each lane of a vector ([`crate::lanes`]). Each mode keeps a block where its exact
//! error is smaller than that of what was found before. Blocks that are good already leave; the others are put together into new
//! groups for the next mode ([`search`]).
//!
//! Blocks that are opaque everywhere stay exactly that, as do blocks that are transparent everywhere.

mod bits;
mod endpoints;
mod fit;
mod line;
mod partition;
mod rotated;
mod search;
mod single;
mod solid;
mod split;
#[cfg(test)]
mod tests;

use crate::lanes::vectorized;
use crate::{Quality, tiles};
use fearless_simd::Level;

/// Encodes a picture on all cores, block by block, row by row. Blocks past the edge repeat the pixels at the edge.
/// `None` where the pixels are not as many as the size says.
pub fn encode(width: usize, height: usize, pixels: &[[u8; 4]], quality: Quality) -> Option<Vec<u8>> {
    let level = Level::new();
    let effort = search::Effort::new(quality);
    tiles::encode(width, height, pixels, |blocks, target| {
        let mut found = search::Found::new(blocks.len());
        vectorized!(level, simd => search::search(simd, blocks, &effort, &mut found));
        for (to, block) in target.iter_mut().zip(found.blocks) {
            *to = block.to_le_bytes();
        }
    })
}
