//! Means, sizes, lengths and coverage, worked out by hand or in another way.

use super::*;

fn picture(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Picture {
    let pixels = (0..width * height).map(|place| pixel(place % width, place / width)).collect();
    Picture::new(width, height, pixels).unwrap()
}

fn mean(picture: &Picture, channel: usize) -> f64 {
    let sum: f64 = picture.pixels().iter().map(|pixel| f64::from(pixel[channel])).sum();
    sum / picture.pixels().len() as f64
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
    let covered = coverage(&top);
    for level in below(&top, Content::CutOut).iter().filter(|level| level.width() >= 8) {
        let found = coverage(level);
        assert!((found - covered).abs() < 0.04, "{} of {covered} at {}", found, level.width());
    }
    let plain = below(&top, Content::Blended);
    assert!(coverage(&plain[2]) < covered / 4.0, "without care it is gone: {}", coverage(&plain[2]));
}

#[test]
fn rows_that_go_on_as_they_come_give_what_whole_levels_give() {
    for (width, height) in [(1, 1), (8, 8), (16, 4), (12, 20), (6, 5), (5, 1)] {
        let pixel = |at: u32| at.wrapping_mul(0x9e37_79b9).to_le_bytes();
        let top = Picture::new(width, height, (0..width * height).map(pixel).collect()).unwrap();
        let mut values: Vec<[f32; 4]> = top.pixels().iter().map(|pixel| widen_colour(*pixel)).collect();
        let made = below(&top, Content::Blended);
        assert_eq!(made.len() as u32 + 1, level_count(width, height));
        for (level, made) in (1..).zip(made) {
            let [from, to] = [level - 1, level].map(|level| level_size(width, height, level));
            values = shrink(&values, from, to, |value| value);
            let pixels: Vec<[u8; 4]> = values.iter().map(|value| narrow_colour(*value, 1.0)).collect();
            assert_eq!(made, Picture::new(to[0], to[1], pixels).unwrap(), "{width} × {height}, {level}");
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
