//! Means, sizes, lengths and coverage, worked out by hand or in another way.

use super::*;

fn picture(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Picture {
    let pixels = (0..width * height).map(|place| pixel(place % width, place / width)).collect();
    Picture::new(width, height, pixels).unwrap()
}

fn mean(picture: &Picture, channel: usize) -> f64 {
    mean_of(picture, |pixel| f64::from(pixel[channel]))
}

fn mean_of(picture: &Picture, value: impl Fn([u8; 4]) -> f64) -> f64 {
    picture.pixels().iter().map(|pixel| value(*pixel)).sum::<f64>() / picture.pixels().len() as f64
}

#[test]
fn a_chain_ends_at_one_pixel_and_halves_rounding_down() {
    for (width, height) in [(1, 1), (2, 1), (5, 3), (1, 9), (16, 16), (7, 640)] {
        let levels = below(&picture(width, height, |_, _| [9; 4]), Content::Data);
        assert_eq!(levels.len() as u32 + 1, level_count(width, height));
        for (level, found) in (1..).zip(&levels) {
            assert_eq!([found.width(), found.height()], [(width >> level).max(1), (height >> level).max(1)]);
            assert_eq!(found.constant(), Some([9; 4]));
        }
    }
}

#[test]
fn two_by_two_pixels_become_their_mean() {
    let levels = below(&picture(2, 2, |x, y| [(x * 10 + y * 100) as u8, 0, 255, 3]), Content::Data);
    assert_eq!(levels[0].pixels(), [[55, 0, 255, 3]]);
}

#[test]
fn the_mean_of_any_size_stays() {
    for (width, height) in [(37, 23), (5, 3), (100, 75), (3, 64)] {
        let noise = |x: u32, y: u32| ((x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 24) as u8;
        let top = picture(width, height, |x, y| [noise(x, y), noise(y, x), (x * 255 / width) as u8, 255]);
        for level in below(&top, Content::Data) {
            for channel in 0..3 {
                let apart = (mean(&level, channel) - mean(&top, channel)).abs();
                assert!(apart < 0.51, "{width} × {height}: {apart} at {}", level.width());
            }
        }
    }
}

#[test]
fn an_odd_size_does_not_shift_the_picture() {
    // Symmetric pictures stay so.
    let levels = below(&picture(9, 1, |x, _| [(x.abs_diff(4) * 60) as u8, 0, 0, 255]), Content::Data);
    let reds: Vec<u8> = levels[0].pixels().iter().map(|pixel| pixel[0]).collect();
    assert_eq!((reds[0], reds[1]), (reds[3], reds[2]));
    // The first pixel of four covers two and a quarter of nine: (240 + 180 + 120 / 4) / 2.25.
    assert_eq!(reds[0], 200);
}

#[test]
fn rounding_does_not_add_up() {
    // 0 and 1 in equal numbers: each level rounded would drift to 1.
    let levels = below(&picture(64, 64, |x, y| [u8::from((x + y) % 4 == 0) * 2; 4]), Content::Data);
    assert_eq!(levels.last().unwrap().pixels(), [[1; 4]], "a quarter of 2 is 0.5");
    let levels = below(&picture(64, 64, |x, y| [u8::from((x + y) % 8 == 0) * 2; 4]), Content::Data);
    assert_eq!(levels.last().unwrap().pixels(), [[0; 4]], "an eighth of 2 is 0.25");
}

#[test]
fn what_cannot_be_seen_does_not_bleed() {
    let top = picture(4, 4, |x, _| if x < 1 { [200, 0, 0, 255] } else { [0, 255, 0, 0] });
    let levels = below(&top, Content::Blended);
    let [red, green, _, alpha] = levels[0].pixels()[0];
    assert!((199..=200).contains(&red) && green <= 1 && alpha == 128, "{red} {green} {alpha}");
    // Where nothing can be seen, the colour is still there for what lies beside it.
    assert_eq!(levels[0].pixels()[1], [0, 255, 0, 0]);
    let plain = below(&top, Content::Data);
    assert_eq!(plain[0].pixels()[0], [100, 128, 0, 128]);
}

#[test]
fn normals_keep_their_length() {
    let top = picture(33, 20, |x, y| {
        let (turn, tilt) = (x as f32 * 1.7, (y as f32 * 0.9).sin().abs());
        let [x, y] = [turn.cos() * tilt, turn.sin() * tilt].map(|axis| (axis * 127.5 + 127.5).round() as u8);
        [x, y, 0, 255]
    });
    for level in below(&top, Content::Normals) {
        for pixel in level.pixels() {
            let length: f32 = pixel[..3].iter().map(|&value| (f32::from(value) / 127.5 - 1.0).powi(2)).sum();
            assert!((length.sqrt() - 1.0).abs() < 0.01, "{pixel:?} is {length} long");
        }
    }
    // Two that lean against each other stand upright together; their bytes would give the same, a lean and a flat one do not.
    let pair = picture(2, 1, |x, _| if x == 0 { [255, 128, 0, 0] } else { [128, 128, 0, 0] });
    let [x, ..] = below(&pair, Content::Normals)[0].pixels()[0];
    // Half way between 0 and 90 degrees.
    assert_eq!(x, (45_f32.to_radians().sin() * 127.5 + 127.5).round() as u8);
}

#[test]
fn cut_outs_cover_as_much_at_every_level() {
    // Leaves of a few pixels.
    let top = picture(128, 128, |x, y| {
        let (x, y) = (x as f32, y as f32);
        let there =
            (x * 0.73 + (y * 0.11).sin()).sin() + (y * 0.89 + x * 0.17).sin() + (x * 0.31 - y * 0.23).sin() > 1.2;
        [10, 200, 30, if there { 255 } else { 0 }]
    });
    let coverage = |picture: &Picture| mean_of(picture, |[.., a]| f64::from(u8::from(a >= 128)));
    let covered = coverage(&top);
    for level in below(&top, Content::CutOut).iter().filter(|level| level.width() >= 8) {
        let found = coverage(level);
        assert!((found - covered).abs() < 0.04, "{} of {covered} at {}", found, level.width());
    }
    let plain = below(&top, Content::Blended);
    assert!(coverage(&plain[2]) < covered / 4.0, "without care it is gone: {}", coverage(&plain[2]));
}

#[test]
fn levels_are_the_same_in_whatever_bands_rows_come() {
    let contents = [Content::Data, Content::Blended, Content::CutOut, Content::SrgbColour, Content::Normals];
    for (width, height) in [(1, 1), (8, 8), (16, 4), (12, 20), (6, 5), (5, 1), (31, 37)] {
        let pixel = |at: u32| at.wrapping_mul(0x9e37_79b9).to_le_bytes();
        let top = Picture::new(width, height, (0..width * height).map(pixel).collect()).unwrap();
        for (content, rows) in contents.into_iter().flat_map(|content| [1, 2, 3, 8].map(|rows| (content, rows))) {
            let mut made = vec![Vec::new(); level_count(width, height) as usize - 1];
            let mut chain = Chain::new([width, height], content);
            for band in top.pixels().chunks(rows * width as usize) {
                chain.push(band, &mut |level, row| made[level as usize - 1].extend_from_slice(row));
            }
            chain.finish(&mut |level, row| made[level as usize - 1].extend_from_slice(row));
            let whole: Vec<Vec<[u8; 4]>> = below(&top, content).into_iter().map(Picture::into_pixels).collect();
            assert_eq!(made, whole, "{width} × {height}, {content:?}, by {rows}");
        }
    }
}

#[test]
fn a_level_is_the_mean_by_area_of_the_one_above() {
    for (width, height) in [(8, 8), (12, 20), (6, 5), (31, 37), (2, 9)] {
        let top = picture(width, height, |x, y| ((x + y * width).wrapping_mul(0x9e37_79b9)).to_le_bytes());
        let mut values: Vec<f64> = top.pixels().iter().map(|pixel| f64::from(pixel[0])).collect();
        for (level, made) in (1..).zip(below(&top, Content::Data)) {
            let [[from_width, from_height], [width, height]] =
                [level - 1, level].map(|level| level_size(width, height, level).map(f64::from));
            let overlap = |place: f64, of: f64, pixel: f64, from: f64| {
                (((place + 1.0) * from / of).min(pixel + 1.0) - (place * from / of).max(pixel)).max(0.0) * of / from
            };
            let mean = |x: f64, y: f64| -> f64 {
                let weighted = values.iter().enumerate().map(|(at, value)| {
                    let (column, row) = (at % from_width as usize, at / from_width as usize);
                    value * overlap(x, width, column as f64, from_width) * overlap(y, height, row as f64, from_height)
                });
                weighted.sum()
            };
            let places = (0..height as usize).flat_map(|y| (0..width as usize).map(move |x| (x as f64, y as f64)));
            let means: Vec<f64> = places.map(|(x, y)| mean(x, y)).collect();
            for (pixel, mean) in made.pixels().iter().zip(&means) {
                assert!((f64::from(pixel[0]) - mean).abs() < 0.501, "{width} × {height}: {pixel:?} for {mean}");
            }
            values = means;
        }
    }
}

#[test]
fn a_picture_within_a_size_keeps_the_side_that_fits_and_its_mean() {
    let row = picture(9, 2, |x, _| [x as u8 * 20, 0, 0, x as u8]);
    let smaller = within(&row, [3, 5], false);
    assert_eq!((smaller.width(), smaller.height()), (3, 2));
    let expected = [[20, 0, 0, 1], [80, 0, 0, 4], [140, 0, 0, 7]];
    assert_eq!(smaller.pixels(), [expected, expected].as_flattened());
    assert_eq!(within(&row, [9, 2], false), row);
    // Black and white are half the light, whatever their opacity.
    let both = picture(2, 1, |x, _| [x as u8 * 255, x as u8 * 255, x as u8 * 255, x as u8 * 9]);
    assert_eq!(within(&both, [1, 1], true).pixels(), [[188, 188, 188, 255]]);
}
