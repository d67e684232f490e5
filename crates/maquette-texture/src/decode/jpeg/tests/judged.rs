//! The same pixels as another decoder makes, byte by byte, where that decodes what the format allows.

use super::encoder::{Model, segment};
use crate::decode::{Salvaged, decode, salvage};
use std::io::Cursor;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Odd ones, those of whole units, and smaller ones than a block.
const SIZES: [[usize; 2]; 6] = [[1, 1], [7, 9], [16, 16], [17, 33], [75, 43], [130, 70]];

fn judge(file: &[u8]) -> Vec<[u8; 4]> {
    let options = DecoderOptions::new_safe().set_strict_mode(true).jpeg_set_out_colorspace(ColorSpace::RGB);
    let samples = JpegDecoder::new_with_options(Cursor::new(file), options).decode().unwrap();
    samples.as_chunks().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect()
}

#[track_caller]
fn assert_judged(file: &[u8], case: &str) {
    let Salvaged { picture, damage, .. } = salvage(file).unwrap();
    assert_eq!(damage, None, "{case}");
    let judged = judge(file);
    let differs = judged.iter().zip(picture.pixels()).position(|(judged, found)| judged != found);
    assert!(differs.is_none(), "{case}: pixel {differs:?}");
}

/// The blocks of brightness in a unit, and those of colours that go with it in the other decoder: it wants colours that are not finer across.
type Samplings = &'static [[usize; 2]];
const JUDGED: [([usize; 2], Samplings); 12] = [
    ([1, 1], &[[1, 1], [1, 2], [1, 3], [1, 4]]),
    ([1, 2], &[[1, 1], [1, 2]]),
    ([1, 3], &[[1, 1], [1, 3]]),
    ([1, 4], &[[1, 1], [1, 4]]),
    ([2, 1], &[[1, 1], [1, 2], [1, 3], [1, 4], [2, 1], [2, 2], [2, 3], [2, 4]]),
    ([2, 2], &[[1, 1], [1, 2], [2, 1], [2, 2]]),
    ([2, 3], &[[1, 1], [1, 3], [2, 1], [2, 3]]),
    ([2, 4], &[[1, 1], [1, 4], [2, 1], [2, 4]]),
    ([4, 1], &[[1, 1], [2, 1], [2, 2], [2, 3], [2, 4], [4, 1], [4, 2], [4, 3], [4, 4]]),
    ([4, 2], &[[1, 1], [1, 2], [2, 1], [2, 2], [4, 1], [4, 2]]),
    ([4, 3], &[[1, 1], [2, 1], [2, 3], [4, 1], [4, 3]]),
    ([4, 4], &[[1, 1], [2, 1], [2, 4], [4, 1], [4, 4]]),
];

#[test]
fn every_sampling_in_one_scan_and_in_several_passes() {
    for (brightness, colours) in JUDGED {
        for &colour in colours {
            for size in SIZES {
                let plain = Model::new(size, &[brightness, colour, colour]);
                for (restart_interval, factor) in [(0, 4), (3, 40), (1, 300)] {
                    let model = Model { restart_interval, factor, ..plain.clone() };
                    let case = format!("{brightness:?} {colour:?} of {size:?}, restarts {restart_interval}");
                    assert_judged(&model.in_one_scan(), &case);
                    assert_judged(&model.in_several_passes(), &format!("{case}, several passes"));
                }
            }
        }
    }
}

#[test]
fn colours_of_two_sizes_and_a_single_component_of_any() {
    for size in SIZES {
        for blocks in [&[[2, 2], [1, 1], [1, 2]][..], &[[2, 2], [2, 1], [1, 1]], &[[1, 1]], &[[2, 2]], &[[1, 4]]] {
            let model = Model::new(size, blocks);
            assert_judged(&model.in_one_scan(), &format!("{blocks:?} of {size:?}"));
            assert_judged(&model.in_several_passes(), &format!("{blocks:?} of {size:?}, several passes"));
        }
    }
}

#[test]
fn components_in_scans_of_their_own() {
    for size in SIZES {
        assert_judged(&Model::new(size, &[[1, 1]; 3]).in_own_scans(), &format!("{size:?}"));
    }
}

/// A file with what Adobe's programs note of its components.
fn noted(file: &[u8], note: u8) -> Vec<u8> {
    let mut noted = file[..2].to_vec();
    segment(&mut noted, 0xee, &[b'A', b'd', b'o', b'b', b'e', 0, 100, 0, 0, 0, 0, note]);
    noted.extend(&file[2..]);
    noted
}

#[test]
fn colours_of_every_kind() {
    let three = Model { factor: 20, ..Model::new([75, 43], &[[2, 2], [1, 1], [1, 1]]) };
    let four = Model { factor: 20, ..Model::new([75, 43], &[[2, 2], [1, 1], [1, 1], [2, 2]]) };
    let named = Model { ids: *b"RGB_", ..three.clone() };
    assert_judged(&named.in_one_scan(), "red, green and blue by their names");
    for note in 0..3 {
        for (model, count) in [(&three, 3), (&four, 4)] {
            assert_judged(&noted(&model.in_one_scan(), note), &format!("{count} components, note {note}"));
            assert_judged(
                &noted(&model.in_several_passes(), note),
                &format!("{count} components, note {note}, passes"),
            );
        }
    }
    assert_judged(&four.in_one_scan(), "four components without a note");
    let two = decode(&Model::new([8, 8], &[[1, 1]; 2]).in_one_scan()).unwrap_err().to_string();
    assert!(two.contains("its colours do not become red, green and blue"), "{two}");
    let kinds =
        [three.in_one_scan(), noted(&three.in_one_scan(), 0), four.in_one_scan(), noted(&four.in_one_scan(), 2)];
    let kinds = kinds.map(|file| decode(&file).unwrap());
    let is_twice = |(place, kind)| kinds.iter().skip(place + 1).any(|other| other == kind);
    assert!(!kinds.iter().enumerate().any(is_twice), "they are told apart");
}

#[test]
fn what_the_other_decoder_refuses_is_the_same_however_it_is_stored() {
    // Colours that are finer than brightness, ratios that are no whole numbers, and thirds.
    let samplings = [
        [[1, 1], [2, 1], [2, 1]],
        [[1, 1], [2, 2], [4, 4]],
        [[1, 2], [1, 3], [1, 1]],
        [[3, 3], [1, 1], [2, 2]],
        [[3, 1], [1, 1], [1, 1]],
        [[2, 4], [1, 2], [2, 2]],
        [[2, 2], [1, 1], [1, 1]],
    ];
    for blocks in samplings {
        // Of whole units: blocks that lie outside the picture are only in scans of all components.
        for restart_interval in [0, 5] {
            let model = Model { restart_interval, ..Model::new([96, 192], &blocks) };
            let whole = salvage(&model.in_one_scan()).unwrap();
            assert_eq!(whole.damage, None);
            for file in [model.in_own_scans(), model.in_several_passes(), model.in_scans(&[&[0], &[1, 2]])] {
                assert_eq!(salvage(&file).unwrap(), whole, "{blocks:?} {restart_interval}");
            }
        }
    }
}

#[test]
fn samples_lie_where_the_sampling_says() {
    // Red is full, green has a block for each two of it across, blue one for each three down.
    let model = Model { ids: *b"RGB_", factor: 30, ..Model::new([48, 48], &[[2, 3], [1, 3], [2, 1]]) };
    let picture = decode(&model.in_one_scan()).unwrap();
    let full = Model { ids: *b"RGB_", factor: 30, ..Model::new([48, 48], &[[1, 1]; 3]) };
    let full = decode(&full.in_one_scan()).unwrap();
    for y in 0..48 {
        for x in 0..48 {
            let (found, red) = (picture.row(y)[x], full.row(y)[x][0]);
            assert_eq!(found[0], red);
            assert_eq!(found[2], full.row(y / 3)[x][2], "blue at {x} {y}");
            let [near, far] = [x / 2, if x % 2 == 0 { (x / 2).saturating_sub(1) } else { (x / 2 + 1).min(23) }];
            let [near, far] = [near, far].map(|x| u32::from(full.row(y)[x][1]));
            assert_eq!(u32::from(found[1]), (3 * near + far + 2) / 4, "green at {x} {y}");
        }
    }
}

#[test]
fn factors_are_those_of_a_components_first_scan() {
    let model = |factor| Model { ids: *b"RGB_", factor, ..Model::new([40, 24], &[[1, 1]; 3]) };
    let [coarse, fine] = [9, 4].map(|factor| model(factor).in_own_scans());
    let tables = &coarse[2..2 + 69];
    let second = fine.windows(4).enumerate().filter(|(_, bytes)| *bytes == [0xff, 0xda, 0, 8]).nth(1).unwrap().0;
    let changed = [&fine[..second], tables, &fine[second..]].concat();
    let [changed, coarse, fine] = [changed, coarse, fine].map(|file| decode(&file).unwrap().into_pixels());
    for ((changed, coarse), fine) in changed.iter().zip(coarse).zip(fine) {
        assert_eq!(*changed, [fine[0], coarse[1], coarse[2], 255]);
    }
}

#[test]
fn any_number_of_threads_makes_the_same_pixels() {
    let model = Model::new([200, 333], &[[2, 2], [1, 1], [1, 1]]);
    for file in [model.in_one_scan(), model.in_several_passes(), model.in_own_scans()] {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| salvage(&file).unwrap())
        };
        let expected = on(1);
        assert!([2, 3, 8].into_iter().all(|threads| on(threads) == expected));
    }
}

#[test]
fn pictures_of_films_have_their_codes_from_the_format() {
    let mut file = vec![0xff, 0xd8];
    segment(&mut file, 0xe0, b"AVI1\0\0\0\0\0\0\0\0\0\0");
    segment(&mut file, 0xdb, &[&[0][..], &[8; 64]].concat());
    segment(&mut file, 0xc0, &[8, 0, 8, 0, 8, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
    segment(&mut file, 0xda, &[3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]);
    // A mean of six bits, 40, and `1010` for the end; twice a mean of none, `00`, and `00` for the end.
    file.extend([0b1110_1010, 0b0010_1000, 0b0000_0011, 0xff, 0xd9]);
    assert_judged(&file, "a picture of a film");
    assert_eq!(decode(&file).unwrap().constant(), Some([168, 168, 168, 255]));
    let plain = [&file[..2], &file[20..]].concat();
    assert!(decode(&plain).unwrap_err().to_string().contains("its tables do not fit its scan at byte "));
}
