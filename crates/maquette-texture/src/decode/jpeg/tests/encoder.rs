//! A small encoder: of coefficients that are made up, in one scan, in one for each component, and in several passes.

use super::super::segments::{BASELINE, PROGRESSIVE};

/// Bits of a scan, with the zeros that tell 0xff from markers.
#[derive(Default)]
pub struct Writer {
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

/// A picture.
#[derive(Clone)]
pub struct Model {
    /// In pixels.
    pub size: [usize; 2],
    /// Of each component, its blocks in a unit, across and down.
    pub blocks: Vec<[usize; 2]>,
    pub restart_interval: usize,
    /// What coefficients are multiplied by; those that do not fit eight bits are stored in sixteen.
    pub factor: u16,
    /// What components are called.
    pub ids: [u8; 4],
}

impl Model {
    pub fn new(size: [usize; 2], blocks: &[[usize; 2]]) -> Model {
        Model { size, blocks: blocks.to_vec(), restart_interval: 0, factor: 4, ids: [1, 2, 3, 4] }
    }

    /// Something that fades in higher frequencies and is different everywhere. Some blocks have nothing but a mean, some little else.
    fn block(component: usize, x: usize, y: usize) -> Block {
        let mut state = (component * 7919 + x * 104_729 + y * 1_299_709 + 1) as u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state
        };
        let count = [64, 1, 64, 10, 64, 3][next() as usize / 2048 % 6];
        let mut block = [0; 64];
        for (place, value) in block.iter_mut().enumerate().take(count) {
            let state = next();
            let range = [40, 9, 5, 3, 2][place.min(4)];
            let is_there = place < 3 || state >> 9 & 7 == 0;
            *value = if is_there { (state >> 16) as i32 % (2 * range + 1) - range } else { 0 };
        }
        block
    }

    fn most(&self) -> [usize; 2] {
        self.blocks.iter().fold([1, 1], |[across, down], blocks| [across.max(blocks[0]), down.max(blocks[1])])
    }

    fn headers(&self, frame: u8) -> Vec<u8> {
        let mut file = vec![0xff, 0xd8];
        let factors = (0..64).map(|place| self.factor.saturating_add(self.factor / 2 * (place % 3)));
        let factors: Vec<u8> = match self.factor {
            0..100 => [0].into_iter().chain(factors.map(|factor| factor as u8)).collect(),
            _ => [0x10].into_iter().chain(factors.flat_map(u16::to_be_bytes)).collect(),
        };
        segment(&mut file, 0xdb, &factors);
        let [[w1, w0], [h1, h0]] = self.size.map(|side| (side as u16).to_be_bytes());
        let components = self.blocks.iter().zip(self.ids);
        let components = components.flat_map(|(&[across, down], id)| [id, (across << 4 | down) as u8, 0]);
        let components: Vec<u8> = components.collect();
        segment(&mut file, frame, &[&[8, h1, h0, w1, w0, self.blocks.len() as u8][..], &components].concat());
        let mut means = vec![0; 17];
        means[8] = 13;
        means.extend(0..13);
        segment(&mut file, 0xc4, &means);
        let mut others = vec![0; 17];
        (others[0], others[8], others[12]) = (0x10, 128, 127);
        others.extend(0..255);
        segment(&mut file, 0xc4, &others);
        if self.restart_interval > 0 {
            segment(&mut file, 0xdd, &(self.restart_interval as u16).to_be_bytes());
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
        let tables = components.iter().flat_map(|&component| [self.ids[component], 0]).collect::<Vec<u8>>();
        segment(file, 0xda, &[&[components.len() as u8][..], &tables, &[first, last, bits]].concat());
        let is_alone = components.len() == 1;
        // Blocks of a component that is alone are left out where they lie outside the picture.
        let of_unit = if is_alone { self.blocks[components[0]] } else { self.most() };
        let count = |side: usize| (self.size[side] * of_unit[side]).div_ceil(8 * self.most()[side]);
        let [across, down] = if is_alone {
            [count(0), count(1)]
        } else {
            [self.size[0].div_ceil(8 * of_unit[0]), self.size[1].div_ceil(8 * of_unit[1])]
        };
        let mut writer = Writer::default();
        for unit in 0..across * down {
            if self.restart_interval > 0 && unit > 0 && unit % self.restart_interval == 0 {
                write(&mut writer, None);
                writer.end();
                writer.bytes.extend([0xff, 0xd0 + ((unit / self.restart_interval - 1) % 8) as u8]);
            }
            for &component in components {
                let [wide, high] = if is_alone { [1, 1] } else { self.blocks[component] };
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

    fn all(&self) -> Vec<usize> {
        (0..self.blocks.len()).collect()
    }

    /// All of it in one scan.
    pub fn in_one_scan(&self) -> Vec<u8> {
        self.in_scans(&[&self.all()])
    }

    /// A scan for each component.
    pub fn in_own_scans(&self) -> Vec<u8> {
        let all = self.all();
        self.in_scans(&all.chunks(1).collect::<Vec<_>>())
    }

    /// Scans of these components.
    pub fn in_scans(&self, scans: &[&[usize]]) -> Vec<u8> {
        let mut file = self.headers(BASELINE);
        for components in scans {
            let mut means = [0; 4];
            self.scan(&mut file, components, [0, 63, 0], |writer, block| {
                let Some((component, block)) = block else { return means = [0; 4] };
                whole_block(writer, block, &mut means[component]);
            });
        }
        file.extend([0xff, 0xd9]);
        file
    }

    /// Finer and finer, the means first.
    pub fn in_several_passes(&self) -> Vec<u8> {
        let mut file = self.headers(PROGRESSIVE);
        let (all, mut means) = (self.all(), [0; 4]);
        self.scan(&mut file, &all, [0, 0, 0x01], |writer, block| {
            let Some((component, block)) = block else { return means = [0; 4] };
            let mean = block[0] >> 1;
            writer.number(0, mean - std::mem::replace(&mut means[component], mean));
        });
        for &component in &all {
            for (first, last) in [(1, 5), (6, 63)] {
                let mut pass = FirstPass::default();
                self.scan(&mut file, &[component], [first, last, 0x02], |writer, block| match block {
                    Some((_, block)) => pass.block(writer, &block[first as usize..=last as usize], 2),
                    None => pass.end_run(writer),
                });
            }
        }
        self.scan(&mut file, &all, [0, 0, 0x10], |writer, block| {
            block.into_iter().for_each(|(_, block)| writer.put(block[0] as u32 & 1, 1));
        });
        for (bits, shift) in [(0x21, 1), (0x10, 0)] {
            for &component in &all {
                let mut pass = LaterPass::default();
                self.scan(&mut file, &[component], [1, 63, bits], |writer, block| match block {
                    Some((_, block)) => pass.block(writer, &block[1..], shift),
                    None => pass.end_run(writer),
                });
            }
        }
        file.extend([0xff, 0xd9]);
        file
    }
}

/// Of a block, with the mean of the one before.
fn whole_block(writer: &mut Writer, block: &Block, before: &mut i32) {
    writer.number(0, block[0] - std::mem::replace(before, block[0]));
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
}

/// All but the last bits.
#[derive(Default)]
struct FirstPass {
    run: u32,
}

impl FirstPass {
    fn block(&mut self, writer: &mut Writer, band: &[i32], shift: u32) {
        let mut zeros = 0;
        for value in band.iter().map(|value| value / (1 << shift)) {
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

/// One bit more.
#[derive(Default)]
struct LaterPass {
    run: u32,
    /// Bits of blocks of which nothing else is to say.
    corrections: Vec<u32>,
}

impl LaterPass {
    fn block(&mut self, writer: &mut Writer, band: &[i32], shift: u32) {
        let band = band.iter().map(|value| value / (1 << shift));
        let newest = band.clone().collect::<Vec<i32>>().iter().rposition(|value| value.abs() == 1);
        let (mut zeros, mut corrections) = (0, Vec::new());
        for (place, value) in band.enumerate() {
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

pub fn segment(file: &mut Vec<u8>, marker: u8, body: &[u8]) {
    file.extend([0xff, marker]);
    file.extend((body.len() as u16 + 2).to_be_bytes());
    file.extend(body);
}
