//! A picture as blocks of 4 × 4 pixels, and encoders that go through them on all cores.

use crate::lanes::Block;
use rayon::prelude::*;

/// Blocks that one core takes at a time. What a block becomes does not depend on it.
const SHARE: usize = 256;

/// Encodes all blocks, row by row. Blocks past the edge repeat the pixels at the edge.
/// `None` where the pixels are not as many as the size says.
pub(crate) fn encode(
    width: usize,
    height: usize,
    pixels: &[[u8; 4]],
    encode: impl Fn(&[Block], &mut [[u8; 16]]) + Sync,
) -> Option<Vec<u8>> {
    if width.checked_mul(height) != Some(pixels.len()) {
        return None;
    }
    let mut bytes = vec![0; crate::blocks::count(width, height)?.checked_mul(16)?];
    if pixels.is_empty() {
        return Some(bytes);
    }
    bytes.as_chunks_mut::<16>().0.par_chunks_mut(SHARE).enumerate().for_each(|(share, target)| {
        let mut blocks = [[[0; 4]; 16]; SHARE];
        let blocks = blocks.get_mut(..target.len()).unwrap_or_default();
        cut(width, height, pixels, share * SHARE, blocks);
        encode(blocks, target);
    });
    Some(bytes)
}

/// Fills blocks from the one of this number on.
fn cut(width: usize, height: usize, pixels: &[[u8; 4]], first: usize, blocks: &mut [Block]) {
    let across = width.div_ceil(4);
    for (number, block) in (first..).zip(blocks) {
        let (left, top) = (number % across * 4, number / across * 4);
        for (row, line) in block.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            let start = (top + row).min(height - 1) * width;
            let pixels = pixels.get(start..start + width).unwrap_or_default();
            match pixels.get(left..).and_then(|pixels| pixels.first_chunk()) {
                Some(whole) => *line = *whole,
                None => {
                    for (column, pixel) in line.iter_mut().enumerate() {
                        *pixel = pixels.get((left + column).min(width - 1)).copied().unwrap_or_default();
                    }
                }
            }
        }
    }
}
