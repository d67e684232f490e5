//! How far pictures are apart.

/// How far pixels are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// The largest difference of a channel.
    pub largest: u8,
    /// The ratio of full strength to the mean error in dB; infinite where there is no difference.
    pub psnr: f64,
}

/// How far pictures are apart in the channels that are asked for (red is 0, opacity 3). Pixels that only one picture has do not count.
pub fn apart(a: &[[u8; 4]], b: &[[u8; 4]], channels: &[usize]) -> Apart {
    let (mut largest, mut error) = (0, 0_u64);
    for (a, b) in a.iter().zip(b) {
        for (a, b) in channels.iter().filter_map(|&channel| a.get(channel).zip(b.get(channel))) {
            let apart = a.abs_diff(*b);
            largest = largest.max(apart);
            error += u64::from(apart).pow(2);
        }
    }
    let count = a.len().min(b.len()) * channels.len();
    let psnr = match error {
        0 => f64::INFINITY,
        error => 10.0 * (255.0 * 255.0 * count as f64 / error as f64).log10(),
    };
    Apart { largest, psnr }
}

/// The ratio of full strength to the mean error in dB, as [`apart`] tells it.
pub fn psnr(a: &[[u8; 4]], b: &[[u8; 4]], channels: &[usize]) -> f64 {
    apart(a, b, channels).psnr
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
        assert_eq!(psnr(&[], &[], &[0]), f64::INFINITY);
    }

    #[test]
    fn the_largest_difference_is_that_of_one_channel() {
        let (a, b) = ([[10, 20, 30, 40], [0; 4]], [[10, 25, 30, 255], [9, 0, 0, 0]]);
        assert_eq!(apart(&a, &b, &[0, 1]).largest, 9);
        assert_eq!(apart(&a, &b, &[1, 2]).largest, 5);
        assert_eq!(apart(&a, &b, &[2]), Apart { largest: 0, psnr: f64::INFINITY });
    }
}
