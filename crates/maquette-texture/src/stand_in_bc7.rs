//! Pixels to BC7 blocks of one mode: both ends of the box around a block's colours, sixteen steps between them.

use crate::quality::Quality;
use crate::stand_in_blocks::blocks;

/// The parts of 64 that the indices of four bits mean. [BC7 specification, interpolation weights]
const WEIGHTS: [u32; 16] = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64];

/// A picture as BC7 blocks; `None` where the pixels are not as many as the size says, or none.
pub fn encode(width: usize, height: usize, pixels: &[[u8; 4]], _: Quality) -> Option<Vec<u8>> {
    blocks(width, height, pixels, block)
}

fn block(pixels: &[[u8; 4]; 16]) -> [u8; 16] {
    let mut ends = [[255_u8; 4], [0; 4]];
    let [low, high] = &mut ends;
    for pixel in pixels {
        low.iter_mut().zip(pixel).for_each(|(low, value)| *low = (*low).min(*value));
        high.iter_mut().zip(pixel).for_each(|(high, value)| *high = (*high).max(*value));
    }
    // One bit is shared by the four channels of an end.
    let shared = ends.map(|end| u8::from(end.iter().filter(|value| **value & 1 == 1).count() >= 2));
    let ends = [0, 1].map(|end| ends.get(end).map_or([0; 4], |channels| channels.map(|value| value >> 1)));
    let [from, to] = [0, 1].map(|end| {
        let shared = shared.get(end).copied().unwrap_or(0);
        ends.get(end).map_or([0; 4], |channels| channels.map(|value| u32::from(value << 1 | shared)))
    });
    let colour = |weight: u32| -> [u32; 4] {
        std::array::from_fn(|channel| {
            let [from, to] = [from, to].map(|end| end.get(channel).copied().unwrap_or(0));
            ((64 - weight) * from + weight * to + 32) >> 6
        })
    };
    let colours = WEIGHTS.map(colour);
    let nearest = |pixel: &[u8; 4]| {
        let error = |colour: &[u32; 4]| -> u32 {
            colour.iter().zip(pixel).map(|(a, b)| a.abs_diff(u32::from(*b)).pow(2)).sum()
        };
        (0_u128..).zip(&colours).min_by_key(|(_, colour)| error(colour)).map_or(0, |(index, _)| index)
    };
    let mut indices: Vec<u128> = pixels.iter().map(nearest).collect();
    let (mut ends, mut shared) = (ends, shared);
    if indices.first().is_some_and(|index| *index >= 8) {
        ends.reverse();
        shared.reverse();
        indices.iter_mut().for_each(|index| *index = 15 - *index);
    }
    let mut bits: u128 = 1 << 6;
    let mut at = 7;
    let mut put = |value: u128, width: u32| {
        bits |= value << at;
        at += width;
    };
    for channel in 0..4 {
        for end in &ends {
            put(end.get(channel).copied().unwrap_or(0).into(), 7);
        }
    }
    shared.iter().for_each(|&bit| put(bit.into(), 1));
    indices.iter().enumerate().for_each(|(place, &index)| put(index, if place == 0 { 3 } else { 4 }));
    bits.to_le_bytes()
}
