//! sRGB by tables that are the same on every machine, unlike those that a system's `powf` makes.

use crate::maths::at;
use std::sync::LazyLock;

/// Tables for both directions.
pub(crate) struct Srgb {
    /// Linear light of each byte.
    pub light: [f32; 256],
    /// The byte of each of many steps of linear light.
    bytes: Vec<u8>,
}

/// Steps of light: enough that the darkest, where bytes are closest, are told apart.
const STEPS: usize = 1 << 14;

static TABLES: LazyLock<Srgb> = LazyLock::new(Srgb::new);

impl Srgb {
    pub fn tables() -> &'static Srgb {
        &TABLES
    }

    fn new() -> Srgb {
        let linear = |srgb: f64| {
            if srgb <= 0.040_45 { srgb / 12.92 } else { libm::pow((srgb + 0.055) / 1.055, 2.4) }
        };
        let light = std::array::from_fn(|byte| linear(byte as f64 / 255.0) as f32);
        let mut bytes = Vec::with_capacity(STEPS + 1);
        let mut byte = 0_u8;
        let mut next = linear(0.5 / 255.0);
        for step in 0..=STEPS {
            while byte < 255 && step as f64 / STEPS as f64 >= next {
                byte += 1;
                next = linear((f64::from(byte) + 0.5) / 255.0);
            }
            bytes.push(byte);
        }
        Srgb { light, bytes }
    }

    /// The byte of linear light; what is no number is black.
    #[inline]
    pub fn byte(&self, light: f32) -> u8 {
        at(&self.bytes, (light.clamp(0.0, 1.0) * STEPS as f32 + 0.5) as usize)
    }

    /// Linear light of a part of one in sRGB.
    pub fn linear(srgb: f32) -> f32 {
        let srgb = f64::from(srgb.clamp(0.0, 1.0));
        (if srgb <= 0.040_45 { srgb / 12.92 } else { libm::pow((srgb + 0.055) / 1.055, 2.4) }) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        let srgb = Srgb::tables();
        for byte in 0..=255_u8 {
            assert_eq!(srgb.byte(srgb.light[usize::from(byte)]), byte);
        }
        assert_eq!([srgb.byte(-1.0), srgb.byte(7.0), srgb.byte(f32::NAN)], [0, 255, 0]);
    }
}
