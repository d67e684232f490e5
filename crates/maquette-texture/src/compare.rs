//! How far pictures are apart.

/// The ratio of full strength to the mean error in dB, over the channels that are asked for (red is 0, opacity 3).
/// Infinite where there is no difference; pixels that only one picture has do not count.
pub fn psnr(a: &[[u8; 4]], b: &[[u8; 4]], channels: &[usize]) -> f64 {
    let mut error = 0_u64;
    for (a, b) in a.iter().zip(b) {
        for (a, b) in channels.iter().filter_map(|&channel| a.get(channel).zip(b.get(channel))) {
            error += u64::from(a.abs_diff(*b)).pow(2);
        }
    }
    let count = a.len().min(b.len()) * channels.len();
    10.0 * (255.0 * 255.0 * count as f64 / error as f64).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_one_everywhere_is_48_db() {
        let (a, b) = ([[10, 20, 30, 40]; 5], [[11, 19, 31, 255]; 5]);
        assert!((psnr(&a, &b, &[0, 1, 2]) - 48.130_803).abs() < 1e-6);
        assert!((psnr(&a, &b, &[3]) - 20.0 * (255.0_f64 / 215.0).log10()).abs() < 1e-9);
        assert_eq!(psnr(&a, &a, &[0, 1, 2, 3]), f64::INFINITY);
    }
}
