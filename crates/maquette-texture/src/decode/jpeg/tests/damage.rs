//! Files that are cut short, overwritten or strange.

use super::super::segments::{SCAN, Segments, is_restart};
use super::encoder::{Model, segment};
use crate::decode::{DecodeError, Salvaged, decode, salvage};

/// Where the data of the first scan begins.
fn data_start(file: &[u8]) -> usize {
    let mut segments = Segments::new(file);
    segments.find(|segment| segment.marker == SCAN).unwrap();
    segments.at()
}

/// With four blocks of brightness for one of each colour, without restart markers and with them.
fn models() -> [Model; 2] {
    let model = |size| Model::new(size, &[[2, 2], [1, 1], [1, 1]]);
    [model([75, 43]), Model { restart_interval: 2, ..model([43, 75]) }]
}

fn files() -> Vec<Vec<u8>> {
    models().iter().flat_map(|model| [model.in_one_scan(), model.in_several_passes(), model.in_own_scans()]).collect()
}

#[test]
fn sound_files_of_one_pass_and_of_several_are_sound() {
    for model in &models() {
        let files = [model.in_one_scan(), model.in_several_passes()];
        let [whole, several] = files.map(|file| salvage(&file).unwrap());
        assert_eq!((&whole.damage, &several.damage), (&None, &None));
        assert_eq!(whole.picture, several.picture);
        assert!(whole.picture.constant().is_none());
    }
}

#[test]
fn what_is_cut_short_is_decoded_and_told_with_its_place() {
    for file in files() {
        let start = data_start(&file);
        for length in start + 1..file.len() - 2 {
            let cut = &file[..length];
            let damage = salvage(cut).map(|salvaged| salvaged.damage);
            match damage {
                // Where it ends between two scans, what is missing has no place.
                Ok(damage) => {
                    assert!(damage.is_some_and(|why| why.contains("byte") || why.contains("no data")), "{length}")
                }
                Err(error) => assert!(error.to_string().contains("byte"), "{length}: {error}"),
            }
            assert!(matches!(decode(cut), Err(DecodeError::Broken { kind: "JPEG", .. })));
        }
    }
    let file = models()[0].in_one_scan();
    let half = (data_start(&file) + file.len()) / 2;
    let Salvaged { damage, picture } = salvage(&file[..half]).unwrap();
    let damage = damage.unwrap();
    assert!(damage.starts_with(&format!("its data ends at byte {half}, after ")), "{damage}");
    assert_eq!(picture.row(0), salvage(&file).unwrap().picture.row(0), "what is there is kept");
    // The same with an end marker, which decoders take for the end of the picture.
    let mut ended = file[..half].to_vec();
    ended.extend([0xff, 0xd9]);
    assert_eq!(salvage(&ended).unwrap().damage.unwrap(), damage);
}

#[test]
fn what_is_overwritten_is_told() {
    for file in files() {
        let start = data_start(&file);
        let (mut tried, mut told) = (0, 0);
        for at in (start..file.len() - 10).step_by(7) {
            for filling in [0x00, 0x55, 0xd9] {
                let mut damaged = file.clone();
                damaged[at..at + 8].fill(filling);
                tried += 1;
                told += u32::from(salvage(&damaged).map_or(true, |salvaged| salvaged.damage.is_some()));
            }
        }
        assert!(told * 100 >= tried * 95, "{told} of {tried}");
    }
}

#[test]
fn a_wrong_marker_within_the_data_is_told() {
    for file in files() {
        let middle = (data_start(&file) + file.len()) / 2;
        for marker in [0x01, 0xc0, 0xd0, 0xd8, 0xd9, 0xda, 0xe0, 0xfe] {
            let mut damaged = file.clone();
            damaged[middle..middle + 2].copy_from_slice(&[0xff, marker]);
            let damage = salvage(&damaged).map(|salvaged| salvaged.damage);
            assert!(!matches!(damage, Ok(None)), "{marker:x}");
        }
    }
}

#[test]
fn a_restart_that_is_missing_or_out_of_turn_is_told() {
    let file = models()[1].in_one_scan();
    let restart = file.windows(2).rposition(|pair| pair[0] == 0xff && is_restart(pair[1])).unwrap();
    let mut damaged = file.clone();
    damaged[restart + 1] ^= 1;
    let why = salvage(&damaged).unwrap().damage.unwrap();
    assert!(why.starts_with("restart marker ") && why.contains(&format!("at byte {restart}, where")), "{why}");
}

#[test]
fn a_file_of_thousands_of_scans_is_refused_before_it_is_decoded() {
    let file = models()[0].in_several_passes();
    let scan = data_start(&file) - 14;
    let (headers, rest) = file.split_at(scan);
    let second = rest.windows(2).skip(1).position(|pair| pair == [0xff, 0xda]).unwrap() + 1;
    let many = |count: usize| [headers, &rest[..second].repeat(count), rest].concat();
    assert!(salvage(&many(50)).is_ok());
    let error = salvage(&many(5000)).unwrap_err();
    let DecodeError::TooManyScans { scans: 5008.., width: 75, height: 43 } = error else { panic!("{error:?}") };
    assert!(error.to_string().contains("64 are decoded at most"), "{error}");
}

#[test]
fn large_pictures_have_fewer_scans() {
    // Seventeen scans of 16384 × 16384 pixels, none of which is looked at.
    let mut file = vec![0xff, 0xd8];
    segment(&mut file, 0xdb, &[&[0][..], &[4; 64]].concat());
    segment(&mut file, 0xc2, &[8, 0x40, 0, 0x40, 0, 1, 1, 0x11, 0]);
    for _ in 0..17 {
        segment(&mut file, 0xda, &[1, 1, 0, 0, 0, 0]);
    }
    // As many bytes as so many pixels take at least.
    file.resize(40_000, 0);
    let expected = DecodeError::TooManyScans { scans: 17, width: 16384, height: 16384 };
    assert_eq!(decode(&file), Err(expected));
}

#[test]
fn every_reason_is_a_plain_sentence() {
    let sound = models()[0].in_one_scan();
    let frame = sound.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    let changed = |at: usize, value: u8| {
        let mut file = sound.clone();
        file[at] = value;
        decode(&file).unwrap_err().to_string()
    };
    assert!(changed(frame + 1, 0xc9).contains("arithmetic"));
    assert!(changed(frame + 4, 12).contains("12 bits a channel"));
    assert!(changed(frame + 6, 0).contains("0") && changed(frame + 8, 0).contains("width or height is 0"));
    for at in 2..sound.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut file = sound.clone();
            file[at] = value;
            if let Err(error) = decode(&file) {
                let told = error.to_string();
                assert!(!told.contains(['{', '}', '\n', '\\', '_']) && told.len() > 30, "{told:?}");
            }
        }
    }
}

#[test]
fn what_programs_keep_between_scans_changes_nothing() {
    for file in files() {
        let whole = decode(&file).unwrap();
        let (data, end) = file.split_at(file.len() - 2);
        for marker in [0xe1, 0xe5, 0xef, 0xfe] {
            let mut noted = data.to_vec();
            segment(&mut noted, marker, b"a note of some program");
            noted.extend_from_slice(end);
            let noted = salvage(&noted).unwrap();
            assert_eq!((noted.picture, noted.damage), (whole.clone(), None), "{marker:#x}");
        }
    }
}

#[test]
fn colours_that_are_stored_as_they_are_shown_stay() {
    // The components are called R, G and B, in the frame and in the scan.
    let mut file = models()[0].in_one_scan();
    let before = decode(&file).unwrap();
    let frame = file.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    let scan = file.windows(2).position(|pair| pair == [0xff, 0xda]).unwrap();
    for (component, name) in b"RGB".iter().enumerate() {
        file[frame + 10 + 3 * component] = *name;
        file[scan + 5 + 2 * component] = *name;
    }
    let named = salvage(&file).unwrap();
    assert_eq!(named.damage, None);
    assert!(named.picture != before && named.picture.pixels().iter().all(|&[.., a]| a == 255));
}

#[test]
fn whatever_is_changed_there_is_a_picture_or_a_reason() {
    let model = |blocks: &[[usize; 2]]| Model { restart_interval: 3, ..Model::new([43, 35], blocks) };
    let samplings = [&[[1, 1]][..], &[[2, 2], [1, 1], [1, 2]], &[[1, 3], [4, 2], [3, 1]], &[[1, 1]; 4]];
    let kinds = samplings.map(model).into_iter();
    let kinds = kinds.flat_map(|model| [model.in_one_scan(), model.in_own_scans(), model.in_several_passes()]);
    let mut state = 7_u32;
    let mut random = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    for file in kinds {
        for _ in 0..400 {
            let mut changed = file.clone();
            for _ in 0..=random(4) {
                let at = 3 + random(changed.len() - 3);
                match random(5) {
                    0 => changed[at] = 0xff,
                    1 => changed.truncate(at),
                    2 => drop(changed.remove(at)),
                    _ => changed[at] ^= 1 << random(8),
                }
                changed.resize(changed.len().max(8), 0);
            }
            if let Ok(Salvaged { picture, .. }) = salvage(&changed) {
                assert_eq!(picture.pixels().len(), picture.width() as usize * picture.height() as usize);
                assert!(picture.pixels().iter().all(|&[.., a]| a == 255));
            }
        }
    }
}

#[test]
fn what_follows_a_fault_is_found_again_at_the_next_restart() {
    let file = models()[1].in_one_scan();
    let sound = decode(&file).unwrap();
    // A code that there is not, in the first of many parts: nothing of more than twelve ones is.
    let start = data_start(&file);
    let mut damaged = file;
    damaged.splice(start + 4..start + 4, [0xff, 0x00, 0xff, 0x00, 0xff, 0x00]);
    let Salvaged { picture, damage, .. } = salvage(&damaged).unwrap();
    assert!(damage.unwrap().starts_with("its data is wrong at or before byte "));
    assert_eq!(picture.row(74), sound.row(74));
    assert!(picture.row(0) != sound.row(0));
}

#[test]
fn bytes_that_belong_to_nothing_are_told() {
    let file = models()[0].in_one_scan();
    let with = |strays: &[u8]| salvage(&[&file[..2], &[0xff; 3], &file[3..71], strays, &file[71..]].concat()).unwrap();
    assert_eq!(with(&[0xff, 0xff]).damage, None, "bytes may fill");
    assert_eq!(with(&[1, 2, 3]).damage.unwrap(), "it breaks a rule of the format, and is decoded as far as it goes");
    assert_eq!(with(&[1, 2, 3]).picture, salvage(&file).unwrap().picture);
}
