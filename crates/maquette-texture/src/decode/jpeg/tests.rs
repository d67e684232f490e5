//! Files written by a small encoder of coefficients, in one pass and in several, and damaged.

use super::super::{DecodeError, decode, salvage};
use super::*;

/// Bits of a scan, with the zeros that tell 0xff from markers.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    bits: u32,
    count: u32,
}

impl Writer {
    fn put(&mut self, bits: u32, count: u32) {
        for place in (0..count).rev() {
            self.bits = self.bits << 1 | bits >> place & 1;
            self.count += 1;
            if self.count == 8 {
                self.bytes.push(self.bits as u8);
                if self.bits == 0xff {
                    self.bytes.push(0);
                }
                (self.bits, self.count) = (0, 0);
            }
        }
    }

    /// Symbols below 128 have codes of eight bits, the others of twelve.
    fn symbol(&mut self, symbol: u32) {
        match symbol {
            0..128 => self.put(symbol, 8),
            _ => self.put((128 << 4) + symbol - 128, 12),
        }
    }

    /// A number in as few bits as its size takes, after a symbol that tells the size.
    fn number(&mut self, zeros: u32, value: i32) {
        let size = 32 - value.unsigned_abs().leading_zeros();
        self.symbol(zeros << 4 | size);
        self.put(if value < 0 { value - 1 } else { value } as u32, size);
    }

    /// Fills the last byte with ones.
    fn end(&mut self) {
        self.put(0x7f, (8 - self.count) % 8);
    }
}

/// Coefficients in the order of their frequency.
type Block = [i32; 64];

/// A picture of three components, the first with four blocks where the others have one.
struct Model {
    /// Units across and down.
    units: [usize; 2],
    restart_interval: usize,
}

const BLOCKS: [[usize; 2]; 3] = [[2, 2], [1, 1], [1, 1]];

impl Model {
    /// Something that fades in higher frequencies and is different everywhere.
    fn block(component: usize, x: usize, y: usize) -> Block {
        let mut state = (component * 7919 + x * 104_729 + y * 1_299_709 + 1) as u32;
        let mut block = [0; 64];
        for (place, value) in block.iter_mut().enumerate() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let range = [40, 9, 5, 3, 2][place.min(4)];
            let is_there = place < 3 || state >> 9 & 7 == 0;
            *value = if is_there { (state >> 16) as i32 % (2 * range + 1) - range } else { 0 };
        }
        block
    }

    fn headers(&self, frame: u8) -> Vec<u8> {
        let mut file = vec![0xff, 0xd8];
        segment(&mut file, 0xdb, &[&[0][..], &[4; 64]].concat());
        let [width, height] = self.units.map(|units| units as u8 * 16 - 5);
        segment(&mut file, frame, &[8, 0, height, 0, width, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]);
        let mut means = vec![0; 17];
        means[8] = 13;
        means.extend(0..13);
        segment(&mut file, 0xc4, &means);
        let mut others = vec![0; 17];
        (others[0], others[8], others[12]) = (0x10, 128, 127);
        others.extend(0..255);
        segment(&mut file, 0xc4, &others);
        if self.restart_interval > 0 {
            segment(&mut file, 0xdd, &[0, self.restart_interval as u8]);
        }
        file
    }

    /// A scan, by what writes a block of a component; `None` for the end of what may be said of several blocks at once.
    fn scan(
        &self,
        file: &mut Vec<u8>,
        components: &[usize],
        [first, last, bits]: [u8; 3],
        mut write: impl FnMut(&mut Writer, Option<(usize, &Block)>),
    ) {
        let tables = components.iter().flat_map(|&component| [component as u8 + 1, 0]).collect::<Vec<u8>>();
        segment(file, 0xda, &[&[components.len() as u8][..], &tables, &[first, last, bits]].concat());
        let [units_across, units_down] = self.units;
        let [across, down] = match components {
            // Blocks that lie outside the picture are left out.
            [0] => [units_across * 16 - 5, units_down * 16 - 5].map(|side| side.div_ceil(8)),
            _ => self.units,
        };
        let mut writer = Writer::default();
        for unit in 0..across * down {
            if self.restart_interval > 0 && unit > 0 && unit % self.restart_interval == 0 {
                write(&mut writer, None);
                writer.end();
                writer.bytes.extend([0xff, 0xd0 + ((unit / self.restart_interval - 1) % 8) as u8]);
            }
            for &component in components {
                let [wide, high] = if components.len() == 1 { [1, 1] } else { BLOCKS[component] };
                for place in 0..wide * high {
                    let (x, y) = (unit % across * wide + place % wide, unit / across * high + place / wide);
                    write(&mut writer, Some((component, &Model::block(component, x, y))));
                }
            }
        }
        write(&mut writer, None);
        writer.end();
        file.append(&mut writer.bytes);
    }

    fn in_one_pass(&self) -> Vec<u8> {
        let mut file = self.headers(BASELINE);
        let mut means = [0; 3];
        self.scan(&mut file, &[0, 1, 2], [0, 63, 0], |writer, block| {
            let Some((component, block)) = block else { return means = [0; 3] };
            writer.number(0, block[0] - std::mem::replace(&mut means[component], block[0]));
            let mut zeros = 0;
            for &value in &block[1..] {
                if value == 0 {
                    zeros += 1;
                    continue;
                }
                while zeros > 15 {
                    writer.symbol(0xf0);
                    zeros -= 16;
                }
                writer.number(std::mem::take(&mut zeros), value);
            }
            if zeros > 0 {
                writer.symbol(0);
            }
        });
        file.extend([0xff, 0xd9]);
        file
    }

    fn in_several_passes(&self) -> Vec<u8> {
        let mut file = self.headers(PROGRESSIVE);
        let mut means = [0; 3];
        self.scan(&mut file, &[0, 1, 2], [0, 0, 0x01], |writer, block| {
            let Some((component, block)) = block else { return means = [0; 3] };
            let mean = block[0] >> 1;
            writer.number(0, mean - std::mem::replace(&mut means[component], mean));
        });
        for component in 0..3 {
            for (first, last) in [(1, 5), (6, 63)] {
                let mut pass = FirstPass::default();
                self.scan(&mut file, &[component], [first, last, 0x01], |writer, block| match block {
                    Some((_, block)) => pass.block(writer, &block[first as usize..=last as usize]),
                    None => pass.end_run(writer),
                });
            }
        }
        self.scan(&mut file, &[0, 1, 2], [0, 0, 0x10], |writer, block| {
            block.into_iter().for_each(|(_, block)| writer.put(block[0] as u32 & 1, 1));
        });
        for component in 0..3 {
            let mut pass = LaterPass::default();
            self.scan(&mut file, &[component], [1, 63, 0x10], |writer, block| match block {
                Some((_, block)) => pass.block(writer, &block[1..]),
                None => pass.end_run(writer),
            });
        }
        file.extend([0xff, 0xd9]);
        file
    }
}

/// All but the last bit.
#[derive(Default)]
struct FirstPass {
    run: u32,
}

impl FirstPass {
    fn block(&mut self, writer: &mut Writer, band: &[i32]) {
        let mut zeros = 0;
        for value in band.iter().map(|value| value / 2) {
            if value == 0 {
                zeros += 1;
                continue;
            }
            self.end_run(writer);
            while zeros > 15 {
                writer.symbol(0xf0);
                zeros -= 16;
            }
            writer.number(std::mem::take(&mut zeros), value);
        }
        self.run += u32::from(zeros > 0);
    }

    fn end_run(&mut self, writer: &mut Writer) {
        end_run(writer, &mut self.run, &mut Vec::new());
    }
}

fn end_run(writer: &mut Writer, run: &mut u32, corrections: &mut Vec<u32>) {
    if *run > 0 {
        let size = run.ilog2();
        writer.symbol(size << 4);
        writer.put(*run, size);
        corrections.drain(..).for_each(|bit| writer.put(bit, 1));
        *run = 0;
    }
}

/// The last bit.
#[derive(Default)]
struct LaterPass {
    run: u32,
    /// Bits of blocks of which nothing else is to say.
    corrections: Vec<u32>,
}

impl LaterPass {
    fn block(&mut self, writer: &mut Writer, band: &[i32]) {
        let newest = band.iter().rposition(|value| value.abs() == 1);
        let (mut zeros, mut corrections) = (0, Vec::new());
        for (place, &value) in band.iter().enumerate() {
            if value == 0 {
                zeros += 1;
                continue;
            }
            while zeros > 15 && newest.is_some_and(|newest| place <= newest) {
                self.end_run(writer);
                writer.symbol(0xf0);
                corrections.drain(..).for_each(|bit| writer.put(bit, 1));
                zeros -= 16;
            }
            if value.abs() > 1 {
                corrections.push(value.unsigned_abs() & 1);
                continue;
            }
            self.end_run(writer);
            writer.symbol(zeros << 4 | 1);
            writer.put(u32::from(value > 0), 1);
            corrections.drain(..).for_each(|bit| writer.put(bit, 1));
            zeros = 0;
        }
        if zeros > 0 || !corrections.is_empty() {
            self.run += 1;
            self.corrections.append(&mut corrections);
        }
    }

    fn end_run(&mut self, writer: &mut Writer) {
        end_run(writer, &mut self.run, &mut self.corrections);
    }
}

fn segment(file: &mut Vec<u8>, marker: u8, body: &[u8]) {
    file.extend([0xff, marker]);
    file.extend((body.len() as u16 + 2).to_be_bytes());
    file.extend(body);
}

/// Where the data of the first scan begins.
fn data_start(file: &[u8]) -> usize {
    let mut segments = Segments::new(file);
    segments.find(|segment| segment.marker == SCAN).unwrap();
    segments.at()
}

const MODELS: [Model; 2] = [Model { units: [5, 3], restart_interval: 0 }, Model { units: [3, 5], restart_interval: 2 }];

fn files() -> Vec<Vec<u8>> {
    MODELS.iter().flat_map(|model| [model.in_one_pass(), model.in_several_passes()]).collect()
}

#[test]
fn sound_files_of_one_pass_and_of_several_are_sound() {
    for model in &MODELS {
        let [whole, several] = [model.in_one_pass(), model.in_several_passes()].map(|file| salvage(&file).unwrap());
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
                Ok(damage) => assert!(damage.is_some_and(|why| why.contains("byte")), "{length} of {}", file.len()),
                Err(error) => assert!(error.to_string().contains("byte"), "{length}: {error}"),
            }
            assert!(matches!(decode(cut), Err(DecodeError::Broken { kind: "JPEG", .. })));
        }
    }
    let file = MODELS[0].in_one_pass();
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
    let file = MODELS[1].in_one_pass();
    let restart = file.windows(2).rposition(|pair| pair[0] == 0xff && is_restart(pair[1])).unwrap();
    let mut damaged = file.clone();
    damaged[restart + 1] ^= 1;
    let why = salvage(&damaged).unwrap().damage.unwrap();
    assert!(why.starts_with("restart marker ") && why.contains(&format!("at byte {restart}, where")), "{why}");
}

use segments::is_restart;

#[test]
fn a_file_of_thousands_of_scans_is_refused_before_it_is_decoded() {
    let file = MODELS[0].in_several_passes();
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
    let sound = MODELS[0].in_one_pass();
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
fn what_the_decoder_gets_wrong_is_refused_by_its_headers() {
    let header = |marker: u8, chroma: u8, scans: usize, restarts: u8| {
        let mut file = vec![0xff, 0xd8];
        segment(&mut file, 0xdb, &[&[0][..], &[4; 64]].concat());
        segment(&mut file, marker, &[8, 0, 16, 0, 16, 3, 1, 0x11, 0, 2, chroma, 0, 3, 0x11, 0]);
        segment(&mut file, 0xdd, &[0, restarts]);
        (0..scans).for_each(|_| segment(&mut file, 0xda, &[1, 1, 0, 0, 63, 0]));
        not_decoded(&file)
    };
    assert_eq!(header(0xc0, 0x11, 3, 0), None);
    assert_eq!(header(0xc0, 0x21, 1, 2), None, "one scan may be anything");
    assert_eq!(header(0xc2, 0x11, 9, 2), None);
    for (marker, chroma) in [(0xc0, 0x12), (0xc2, 0x21), (0xc2, 0x22)] {
        assert!(header(marker, chroma, 3, 0).unwrap().contains("finer than its brightness"));
    }
    assert!(header(0xc0, 0x11, 3, 2).unwrap().contains("scans of their own"));
    let of_several_sizes = MODELS[0].in_several_passes();
    assert_eq!(not_decoded(&of_several_sizes), None, "several passes are fine");
    let frame = of_several_sizes.windows(2).position(|pair| pair == [0xff, 0xc2]).unwrap();
    let mut in_one_pass = of_several_sizes;
    in_one_pass[frame + 1] = 0xc0;
    assert!(salvage(&in_one_pass).unwrap_err().to_string().contains("scans of their own"));
}

#[test]
fn colours_that_are_stored_as_they_are_shown_stay() {
    // The components are called R, G and B, in the frame and in the scan.
    let mut file = MODELS[0].in_one_pass();
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
