//! How alike two pictures are, and where they are not.
//!
//! The figure is SSIM as its authors have it: structure, contrast and brightness in a Gaussian window of 11 by 11 pixels, on brightness from 0 to 255, the
//! mean over all pixels whose window lies inside. 1 is the same picture. Beside it stands the largest difference of any channel of any pixel, which nothing hides.

use maquette_texture::Picture;
use rayon::prelude::*;

/// How two pictures differ.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// Structural similarity: 1 for the same picture.
    pub ssim: f64,
    /// The largest difference of a channel, from 0 to 255.
    pub largest: u8,
    /// Pixels that differ at all.
    pub differing: u64,
    /// Where they differ: black for alike, by blue, red and yellow to white for a quarter of full strength and more.
    pub heat: Picture,
}

/// The weights of a Gaussian with a deviation of 1.5 pixels, from the middle outwards.
const WINDOW: [f64; 6] = [
    0.266_011_724_861_794_36,
    0.213_005_537_711_253_7,
    0.109_360_689_509_700_02,
    0.036_000_772_128_430_83,
    0.007_598_758_135_239_185,
    0.001_028_380_084_479_11,
];
const HALF: usize = WINDOW.len() - 1;

/// How two pictures differ; `None` where they are not of one size. What is behind transparent pixels is taken for a middle grey.
pub fn compare(one: &Picture, other: &Picture) -> Option<Comparison> {
    if (one.width(), one.height()) != (other.width(), other.height()) {
        return None;
    }
    let apart =
        |(one, other): (&[u8; 4], &[u8; 4])| one.iter().zip(other).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    let apart: Vec<u8> = one.pixels().par_iter().zip(other.pixels()).map(apart).collect();
    let heat = apart.iter().map(|apart| heat(*apart)).collect();
    let largest = apart.iter().copied().max().unwrap_or(0);
    Some(Comparison {
        // Of equal pictures sums are rounded alike, and quotients of them not always.
        ssim: if largest == 0 { 1.0 } else { ssim(one, other) },
        largest,
        differing: apart.iter().filter(|apart| **apart > 0).count() as u64,
        heat: Picture::new(one.width(), one.height(), heat)?,
    })
}

/// A quarter of full strength is white already: small differences are what one looks for.
fn heat(apart: u8) -> [u8; 4] {
    let [r, g, b] = match apart {
        0 => [0, 0, 0],
        1..=16 => [0, 0, 63 + 12 * apart],
        17..=32 => [15 * (apart - 16), 0, 255 - 15 * (apart - 16)],
        33..=48 => [255, 15 * (apart - 32), 0],
        49..=64 => [255, 255, 15 * (apart - 48)],
        _ => [255, 255, 255],
    };
    [r, g, b, 255]
}

/// Brightness from 0 to 255, before a middle grey.
fn brightness(picture: &Picture) -> Vec<f64> {
    let of_pixel = |&[r, g, b, a]: &[u8; 4]| {
        let light = 0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b);
        let opacity = f64::from(a) / 255.0;
        light * opacity + 127.5 * (1.0 - opacity)
    };
    picture.pixels().par_iter().map(of_pixel).collect()
}

fn ssim(one: &Picture, other: &Picture) -> f64 {
    let (width, height) = (one.width() as usize, one.height() as usize);
    let (a, b) = (brightness(one), brightness(other));
    if width <= 2 * HALF || height <= 2 * HALF {
        // Too small for a window: the whole picture is one.
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / a.len() as f64;
        let pairs = || a.iter().zip(&b);
        return similarity([
            mean(&mut pairs().map(|(a, _)| *a)),
            mean(&mut pairs().map(|(_, b)| *b)),
            mean(&mut pairs().map(|(a, _)| a * a)),
            mean(&mut pairs().map(|(_, b)| b * b)),
            mean(&mut pairs().map(|(a, b)| a * b)),
        ]);
    }
    let row = |values: &[f64], y: usize| values.get(y * width..(y + 1) * width).unwrap_or_default().to_vec();
    let of_row = |middle: usize| {
        // Down first, then across: the same as a window of both.
        let mut down = vec![[0.0; 5]; width];
        for y in middle - HALF..=middle + HALF {
            let weight = WINDOW.get(y.abs_diff(middle)).copied().unwrap_or(0.0);
            for ((sums, a), b) in down.iter_mut().zip(row(&a, y)).zip(row(&b, y)) {
                let moments = [a, b, a * a, b * b, a * b];
                sums.iter_mut().zip(moments).for_each(|(sum, moment)| *sum += weight * moment);
            }
        }
        let windows = down.windows(2 * HALF + 1).map(|window| {
            let mut sums = [0.0; 5];
            for (x, moments) in window.iter().enumerate() {
                let weight = WINDOW.get(x.abs_diff(HALF)).copied().unwrap_or(0.0);
                sums.iter_mut().zip(moments).for_each(|(sum, moment)| *sum += weight * moment);
            }
            similarity(sums)
        });
        windows.sum::<f64>()
    };
    // Row by row and then in their order, so that threads do not change the sum.
    let rows: Vec<f64> = (HALF..height - HALF).into_par_iter().map(of_row).collect();
    rows.iter().sum::<f64>() / (rows.len() * (width - 2 * HALF)) as f64
}

/// Of the means of both, of their squares and of their product.
fn similarity([a, b, aa, bb, ab]: [f64; 5]) -> f64 {
    const BRIGHTNESS: f64 = 6.5025;
    const CONTRAST: f64 = 58.5225;
    let (deviation_a, deviation_b, common) = ((aa - a * a).max(0.0), (bb - b * b).max(0.0), ab - a * b);
    (2.0 * a * b + BRIGHTNESS) * (2.0 * common + CONTRAST)
        / ((a * a + b * b + BRIGHTNESS) * (deviation_a + deviation_b + CONTRAST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, height: u32, pixel: impl Fn(u32, u32) -> u8) -> Picture {
        let grey = |at: u32| pixel(at % width, at / width);
        Picture::new(width, height, (0..width * height).map(grey).map(|grey| [grey, grey, grey, 255]).collect())
            .unwrap()
    }

    #[test]
    fn the_same_picture_is_alike_and_black_in_the_heat() {
        for size in [1, 5, 11, 40] {
            let one = picture(size, size, |x, y| (x * 7 + y * 13) as u8);
            let same = compare(&one, &one).unwrap();
            assert_eq!((same.ssim, same.largest, same.differing), (1.0, 0, 0));
            assert!((ssim(&one, &one) - 1.0).abs() < 1e-12);
            assert_eq!(same.heat.constant(), Some([0, 0, 0, 255]));
        }
    }

    #[test]
    fn flat_pictures_are_as_alike_as_the_formula_says() {
        // Without any structure only brightness counts: (2ab + c) / (a² + b² + c).
        let (dark, light) = (picture(16, 16, |_, _| 50), picture(16, 16, |_, _| 200));
        let expected = (2.0 * 50.0 * 200.0 + 6.5025) / (50.0 * 50.0 + 200.0 * 200.0 + 6.5025);
        let found = compare(&dark, &light).unwrap();
        assert!((found.ssim - expected).abs() < 1e-9, "{}", found.ssim);
        assert_eq!((found.largest, found.differing), (150, 256));
    }

    #[test]
    fn the_other_way_round_is_against_it_and_one_pixel_is_seen() {
        let checker =
            |turned: bool| picture(32, 32, move |x, y| if (x + y) % 2 == u32::from(turned) { 0 } else { 255 });
        assert!(compare(&checker(false), &checker(true)).unwrap().ssim < -0.9);
        let mut spot = picture(64, 64, |_, _| 100);
        let plain = spot.clone();
        spot.pixels_mut()[64 * 32 + 32] = [100, 103, 100, 255];
        let found = compare(&plain, &spot).unwrap();
        assert_eq!((found.largest, found.differing), (3, 1));
        assert!(found.ssim < 1.0 && found.ssim > 0.99);
        assert_eq!(compare(&plain, &picture(63, 64, |_, _| 100)), None);
    }
}
