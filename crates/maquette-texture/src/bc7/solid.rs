//! Blocks of one colour, exactly, in mode 5.
//!
//! Opacity has eight bits there. The other channels have seven, but between two neighbouring ends, a third of the way, lies
//! the value that neither of them can say.

/// The code of both ends, whose weighted mean at index 1 is the value.
fn ends(value: u8) -> [u8; 2] {
    let value = u32::from(value);
    let full = |code: u32| code << 1 | code >> 6;
    let middle = |low: u32, high: u32| (43 * full(low) + 21 * full(high) + 32) >> 6;
    let low = value >> 1;
    for from in [low, low.saturating_sub(1)] {
        for to in [from, from + 1, from + 2] {
            if to < 128 && middle(from, to) == value {
                return [from as u8, to as u8];
            }
        }
    }
    [low as u8; 2]
}

/// The block whose pixels all have this colour.
pub(super) fn encode([red, green, blue, opacity]: [u8; 4]) -> u128 {
    let mut block = 1 << 5;
    let mut position = 8;
    for [low, high] in [ends(red), ends(green), ends(blue)] {
        block |= u128::from(low) << position | u128::from(high) << (position + 7);
        position += 14;
    }
    block |= u128::from(opacity) << 50 | u128::from(opacity) << 58;
    // Index 1 for all pixels; the first has one bit, the others two. Opacity stays at index 0.
    block | 0x2aaa_aaab_u128 << 66
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_every_channel_is_exact() {
        for value in 0..=255_u8 {
            for colour in [[value, 255 - value, value ^ 0x55, value], [7, value, value, 255 - value]] {
                let mut decoded = [[0; 4]; 16];
                bcdec_rs::bc7(&encode(colour).to_le_bytes(), decoded.as_flattened_mut(), 16);
                assert_eq!(decoded, [colour; 16]);
            }
        }
    }
}
