//! Pixels to BC7 blocks.
//!
//! A block is a number of lines through colour space, and for each pixel a place on one of them. Eight modes share out 128
//! bits in different ways. The modes used here:
//!
//! | mode | lines | good for |
//! |---|---|---|
//! | 6 (`single`) | one, sixteen steps, all channels | most blocks of most pictures |
//! | 1, 7 (`split`) | two, for two parts of the block | edges |
//! | 0 (`split`) | three | the hardest blocks |
//! | 4, 5 (`rotated`) | one for three channels, one for the fourth | channels that have nothing to do with each other |
//! | 5 (`solid`) | | one colour, exactly |
//!
//! As many blocks are encoded at once as vectors have lanes (`lanes`). Each mode keeps a block where its exact error is smaller than
//! that of what was found before. Blocks that are good already leave, as do those that would not gain by it, as far as can be told
//! beforehand; the others are put together into new groups for the next mode (`search`).
//!
//! A line begins along the direction in which colours differ most. Its ends are then fitted to the indices, rounded to what the
//! mode can store, and indices chosen again (`fit`). There are several ways to begin; which of them ends best is found out by their
//! errors, or by estimates of them. Errors are sums of squared differences over all channels alike, of the pixels
//! that a decoder makes: a test compares them with one.
//!
//! Blocks that are opaque everywhere stay exactly that, as do blocks that are transparent everywhere.

mod bits;
pub(crate) mod decode;
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

use crate::error::{StoredError, Wanted};
use crate::lanes::{Block, vectorized};
use crate::tiles::Coder;
use crate::{Quality, blocks};
use fearless_simd::Level;

/// Encodes a picture on all cores, block by block, row by row. Blocks past the edge repeat the pixels at the edge.
/// `None` where the pixels are not as many as the size says.
pub fn encode(width: usize, height: usize, pixels: &[[u8; 4]], quality: Quality) -> Option<Vec<u8>> {
    coder(quality).all(width, height, pixels, None).map(|(blocks, _)| blocks)
}

/// The same, and how far the blocks are from what is wanted, if anything is.
pub fn encode_measured(
    width: usize,
    height: usize,
    pixels: &[[u8; 4]],
    quality: Quality,
    wanted: Option<&Wanted<'_>>,
) -> Option<(Vec<u8>, StoredError)> {
    coder(quality).all(width, height, pixels, wanted)
}

fn coder(quality: Quality) -> Coder<impl Fn(&[Block], &mut [[u8; 16]]) + Sync> {
    let level = Level::new();
    let effort = search::Effort::new(quality);
    let encode = move |blocks: &[Block], target: &mut [[u8; 16]]| {
        let mut found = search::Found::new(blocks.len());
        vectorized!(level, simd => search::search(simd, blocks, &effort, &mut found));
        for (to, block) in target.iter_mut().zip(found.blocks) {
            *to = block.to_le_bytes();
        }
    };
    Coder { encode, decode: blocks::bc7 }
}
