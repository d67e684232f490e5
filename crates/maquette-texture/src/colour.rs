//! sRGB, which screens and image files use, and linear light, in which colours add up.

use std::sync::LazyLock;

/// Linear light to sRGB, both from 0 to 1.
pub fn srgb_from_linear(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// sRGB to linear light, both from 0 to 1.
pub fn linear_from_srgb(srgb: f32) -> f32 {
    if srgb <= 0.040_45 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

/// The linear light of each sRGB value.
pub fn srgb_table() -> [f32; 256] {
    std::array::from_fn(|value| linear_from_srgb(value as f32 / 255.0))
}

/// The sRGB value of linear light from 0 to 1, by table.
pub fn srgb_byte(linear: f32) -> u8 {
    static VALUES: LazyLock<Vec<u8>> = LazyLock::new(|| {
        (0..=u16::MAX).map(|light| (srgb_from_linear(f32::from(light) / 65535.0) * 255.0).round() as u8).collect()
    });
    let place = (linear.clamp(0.0, 1.0) * 65535.0).round() as usize;
    VALUES.get(place).copied().unwrap_or_default()
}

/// A change of red, green and blue that leaves opacity alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// From linear light.
    ToSrgb,
    /// From sRGB.
    ToLinear,
}

impl Transfer {
    /// Applies it to pixels; returns the largest error that eight bits leave, as a part of full strength before the change.
    pub fn apply(self, pixels: &mut [[u8; 4]]) -> f32 {
        let [there, back]: [fn(f32) -> f32; 2] = match self {
            Transfer::ToSrgb => [srgb_from_linear, linear_from_srgb],
            Transfer::ToLinear => [linear_from_srgb, srgb_from_linear],
        };
        let table: [(u8, f32); 256] = std::array::from_fn(|index| {
            let value = index as f32 / 255.0;
            let stored = (there(value) * 255.0).round();
            (stored as u8, (back(stored / 255.0) - value).abs())
        });
        let mut worst = 0.0_f32;
        for channel in pixels.iter_mut().flat_map(|[r, g, b, _]| [r, g, b]) {
            let (stored, error) = table.get(usize::from(*channel)).copied().unwrap_or_default();
            *channel = stored;
            worst = worst.max(error);
        }
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_to_linear_and_back() {
        for byte in 0..=255_u8 {
            let there = linear_from_srgb(f32::from(byte) / 255.0);
            assert_eq!((srgb_from_linear(there) * 255.0).round() as u8, byte);
        }
        assert!((0..=255_u8).all(|byte| srgb_byte(linear_from_srgb(f32::from(byte) / 255.0)) == byte));
        assert_eq!([srgb_byte(-1.0), srgb_byte(2.0), srgb_byte(f32::NAN)], [0, 255, 0]);
        // A middle grey of half the light is 188 on a screen.
        assert_eq!((srgb_from_linear(0.5) * 255.0).round(), 188.0);
    }

    #[test]
    fn srgb_is_brighter_in_the_middle_and_the_same_at_the_ends() {
        let mut pixels = [[0, 255, 55, 77]];
        let error = Transfer::ToSrgb.apply(&mut pixels);
        assert_eq!(pixels, [[0, 255, 128, 77]]);
        assert!(error < 0.002, "{error}");
    }
}
