//! Blocks of 4 × 4 pixels in 16 bytes to pixels. Blocks reach past the edge where a size is no multiple of four.

/// How many blocks a picture of this size has; `None` where that is no number.
pub fn count(width: usize, height: usize) -> Option<usize> {
    width.div_ceil(4).checked_mul(height.div_ceil(4))
}

/// A picture of BC5 blocks: red and green; blue is 0. `None` where the bytes are not as many as the size says.
pub fn decode_bc5(width: usize, height: usize, blocks: &[u8]) -> Option<Vec<[u8; 4]>> {
    decode(width, height, blocks, bc5)
}

/// A picture of BC7 blocks. `None` where the bytes are not as many as the size says.
pub fn decode_bc7(width: usize, height: usize, blocks: &[u8]) -> Option<Vec<[u8; 4]>> {
    decode(width, height, blocks, bc7)
}

pub(crate) fn bc5(block: &[u8; 16], pixels: &mut [[u8; 4]; 16]) {
    let mut two = [0; 32];
    bcdec_rs::bc5(block, &mut two, 8, false);
    for (pixel, &[r, g]) in pixels.iter_mut().zip(two.as_chunks().0) {
        *pixel = [r, g, 0, 255];
    }
}

pub(crate) use crate::bc7::decode::decode as bc7;

fn decode(
    width: usize,
    height: usize,
    bytes: &[u8],
    decode: impl Fn(&[u8; 16], &mut [[u8; 4]; 16]),
) -> Option<Vec<[u8; 4]>> {
    let across = width.div_ceil(4);
    let (blocks, rest) = bytes.as_chunks::<16>();
    if Some(blocks.len()) != count(width, height) || !rest.is_empty() {
        return None;
    }
    let mut pixels = vec![[0; 4]; width.checked_mul(height)?];
    for (index, block) in blocks.iter().enumerate() {
        let mut decoded = [[0; 4]; 16];
        decode(block, &mut decoded);
        let (left, top) = (index % across * 4, index / across * 4);
        for (row, line) in decoded.as_chunks::<4>().0.iter().enumerate().take(height - top) {
            let start = (top + row) * width + left;
            let target = pixels.get_mut(start..start + (width - left).min(4)).unwrap_or_default();
            target.iter_mut().zip(line).for_each(|(to, from)| *to = *from);
        }
    }
    Some(pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_cut_at_the_edges() {
        // BC5 with equal ends: red 10, green 200 everywhere.
        let block = [10, 10, 0, 0, 0, 0, 0, 0, 200, 200, 0, 0, 0, 0, 0, 0];
        let blocks = block.repeat(4);
        assert_eq!(decode_bc5(5, 7, &blocks).unwrap(), [[10, 200, 0, 255]; 35]);
        assert_eq!(decode_bc5(5, 7, &blocks[16..]), None);
        assert_eq!(decode_bc5(5, 7, &blocks[1..]), None);
    }
}
