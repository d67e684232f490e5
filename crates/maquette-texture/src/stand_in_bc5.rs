//! Pixels to BC5 blocks: the largest and the smallest value of each channel, and six between them.

use crate::quality::Quality;
use crate::stand_in_blocks::blocks;

/// Red and green of a picture as BC5 blocks; `None` where the pixels are not as many as the size says, or none.
pub fn encode(width: usize, height: usize, pixels: &[[u8; 4]], _: Quality) -> Option<Vec<u8>> {
    blocks(width, height, pixels, |pixels| {
        let [red, green] = [pixels.map(|[r, ..]| r), pixels.map(|[_, g, ..]| g)].map(channel);
        let mut block = [0; 16];
        block.iter_mut().zip(red.into_iter().chain(green)).for_each(|(to, from)| *to = from);
        block
    })
}

fn channel(values: [u8; 16]) -> [u8; 8] {
    let high = values.iter().copied().max().unwrap_or(0);
    let low = values.iter().copied().min().unwrap_or(0);
    let step = |index: u64| match index {
        0 => u32::from(high) * 7,
        1 => u32::from(low) * 7,
        _ => u32::from(high) * (8 - index as u32) + u32::from(low) * (index as u32 - 1),
    };
    let mut bits = u64::from(high) | u64::from(low) << 8;
    for (place, value) in values.into_iter().enumerate().filter(|_| high > low) {
        let index = (0..8).min_by_key(|&index| step(index).abs_diff(u32::from(value) * 7)).unwrap_or(0);
        bits |= index << (16 + 3 * place);
    }
    bits.to_le_bytes()
}
