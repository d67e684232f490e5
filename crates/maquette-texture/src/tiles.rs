//! A picture as blocks of 4 × 4 pixels, and encoders that go through them on all cores.

use crate::error::{StoredError, Wanted};
use crate::lanes::Block;
use rayon::prelude::*;

/// Blocks that one core takes at a time. What a block becomes does not depend on it.
const SHARE: usize = 1024;

/// How blocks are made, and what they are decoded to.
pub(crate) struct Coder<E> {
    pub encode: E,
    pub decode: fn(&[u8; 16], &mut Block),
}

impl<E: Fn(&[Block], &mut [[u8; 16]]) + Sync> Coder<E> {
    /// Encodes all blocks, row by row, and tells how far they are from what is wanted, if anything is. Blocks past the edge repeat the
    /// pixels at the edge. `None` where the pixels are not as many as the size says.
    pub fn all(
        &self,
        width: usize,
        height: usize,
        pixels: &[[u8; 4]],
        wanted: Option<&Wanted<'_>>,
    ) -> Option<(Vec<u8>, StoredError)> {
        if width.checked_mul(height) != Some(pixels.len()) {
            return None;
        }
        let mut bytes = vec![0; crate::blocks::count(width, height)?.checked_mul(16)?];
        let shares = bytes.as_chunks_mut::<16>().0.par_chunks_mut(SHARE).enumerate();
        let errors = shares.map(|(share, target)| {
            let mut blocks = [[[0; 4]; 16]; SHARE];
            let blocks = blocks.get_mut(..target.len()).unwrap_or_default();
            let first = share * SHARE;
            cut(width, height, pixels, first, blocks);
            (self.encode)(blocks, target);
            let mut sum = StoredError::default();
            if let Some(wanted) = wanted {
                for ((number, block), stored) in (first..).zip(&*blocks).zip(&*target) {
                    sum = sum.and(self.measured([width, height], number, block, stored, wanted));
                }
            }
            sum
        });
        let error = errors.reduce(StoredError::default, StoredError::and);
        Some((bytes, error))
    }

    fn measured(
        &self,
        [width, height]: [usize; 2],
        number: usize,
        block: &Block,
        stored: &[u8; 16],
        wanted: &Wanted<'_>,
    ) -> StoredError {
        let across = width.div_ceil(4);
        let inside = [(width - number % across * 4).min(4), (height - number / across * 4).min(4)];
        let mut decoded = [[0; 4]; 16];
        (self.decode)(stored, &mut decoded);
        let mut colours = [[[0; 4]; 16]];
        let wanted = match *wanted {
            Wanted::Same(channels) => Wanted::Same(channels),
            Wanted::Colours { pixels, distances } => {
                cut(width, height, pixels, number, &mut colours);
                Wanted::Colours { pixels: colours.as_flattened(), distances }
            }
        };
        StoredError::of_block(&wanted, inside, block, &decoded)
    }
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
