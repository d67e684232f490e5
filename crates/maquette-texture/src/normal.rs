//! Normal maps that keep X and Y alone.

/// The third component of the normals in red and green, as blue.
pub fn rebuild_z(pixels: &mut [[u8; 4]]) {
    for [r, g, b, _] in pixels {
        let [x, y] = [*r, *g].map(|byte| f32::from(byte) / 127.5 - 1.0);
        let z = (1.0 - x * x - y * y).max(0.0).sqrt();
        *b = (127.5 * (z + 1.0) + 0.5) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blue_is_rounded_to_the_nearest() {
        for at in 0..=u16::MAX {
            let [r, g] = at.to_le_bytes();
            let mut pixels = [[r, g, 0, 9]];
            rebuild_z(&mut pixels);
            let [x, y] = [r, g].map(|byte| f32::from(byte) / 127.5 - 1.0);
            let nearest = (127.5 * ((1.0 - x * x - y * y).max(0.0).sqrt() + 1.0)).round() as u8;
            assert_eq!(pixels, [[r, g, nearest, 9]]);
        }
    }

    #[test]
    fn a_flat_normal_points_up_and_a_level_one_sideways() {
        let mut pixels = [[128, 128, 0, 255], [255, 128, 0, 255]];
        rebuild_z(&mut pixels);
        assert_eq!(pixels, [[128, 128, 255, 255], [255, 128, 128, 255]]);
    }
}
