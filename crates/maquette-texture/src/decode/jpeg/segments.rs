//! The segments of a JPEG file, as its markers divide it. [ITU T.81, Annex B]

/// Start of a frame of one pass, of one pass with more tables, of several passes.
pub const BASELINE: u8 = 0xc0;
pub const EXTENDED: u8 = 0xc1;
pub const PROGRESSIVE: u8 = 0xc2;
pub const HUFFMAN_TABLES: u8 = 0xc4;
pub const END: u8 = 0xd9;
pub const SCAN: u8 = 0xda;
pub const QUANTISATION_TABLES: u8 = 0xdb;
pub const RESTART_INTERVAL: u8 = 0xdd;

/// A marker and what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment<'f> {
    pub marker: u8,
    /// Where the marker stands.
    pub at: usize,
    /// What its length says, or as much of it as is there.
    pub body: &'f [u8],
    /// Whether all of it is there.
    pub is_whole: bool,
}

/// Every segment from the start to the end marker. The data of scans, with the restart markers in it, lies between them.
pub struct Segments<'f> {
    file: &'f [u8],
    at: usize,
}

impl<'f> Segments<'f> {
    pub fn new(file: &'f [u8]) -> Segments<'f> {
        Segments { file, at: 2 }
    }

    /// Where the next segment is looked for.
    pub fn at(&self) -> usize {
        self.at
    }
}

impl<'f> Iterator for Segments<'f> {
    type Item = Segment<'f>;

    fn next(&mut self) -> Option<Segment<'f>> {
        let mut next = next_marker(self.file, self.at)?;
        while is_restart(next.marker) {
            next = next_marker(self.file, next.at + 2)?;
        }
        let Next { at, marker, .. } = next;
        let rest = self.file.get(at + 2..).unwrap_or_default();
        if matches!(marker, 0x01 | 0xd8 | END) {
            self.at = if marker == END { self.file.len() } else { at + 2 };
            return Some(Segment { marker, at, body: &[], is_whole: true });
        }
        let length = rest.first_chunk().map_or(2, |length| usize::from(u16::from_be_bytes(*length)).max(2));
        let is_whole = rest.len() >= length;
        let body = rest.get(..length).unwrap_or(rest).get(2..).unwrap_or_default();
        self.at = at + 2 + rest.len().min(length);
        Some(Segment { marker, at, body, is_whole })
    }
}

/// A marker after data.
#[derive(Clone, Copy)]
pub struct Next {
    /// Where the data ends.
    pub data_end: usize,
    /// Where the marker stands, after bytes that only fill.
    pub at: usize,
    pub marker: u8,
}

/// The first marker from a place on, restarts among them.
pub fn next_marker(file: &[u8], from: usize) -> Option<Next> {
    let mut at = from;
    loop {
        at += first_of_ones(file.get(at..)?)?;
        let filling = file.get(at + 1..)?.iter().take_while(|&&byte| byte == 0xff).count();
        match file.get(at + filling + 1)? {
            0x00 => at += filling + 2,
            &marker => return Some(Next { data_end: at, at: at + filling, marker }),
        }
    }
}

/// Where the first byte of eight ones stands. Many are looked at together: few are.
fn first_of_ones(bytes: &[u8]) -> Option<usize> {
    let (chunks, _) = bytes.as_chunks::<32>();
    let has_none = |chunk: &&[u8; 32]| chunk.iter().fold(true, |has_none, &byte| has_none & (byte != 0xff));
    let start = 32 * chunks.iter().take_while(has_none).count();
    Some(start + bytes.get(start..)?.iter().position(|&byte| byte == 0xff)?)
}

pub fn is_restart(marker: u8) -> bool {
    (0xd0..=0xd7).contains(&marker)
}

/// A colour channel, or brightness, or one of two differences of colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component {
    pub id: u8,
    /// Blocks of it in each unit of an interleaved scan, across and down.
    pub blocks: [usize; 2],
    /// The number of the table its coefficients are multiplied by.
    pub quantisation: usize,
}

/// What all scans share.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub is_progressive: bool,
    pub size: [usize; 2],
    pub components: Vec<Component>,
}

impl Frame {
    /// `None` where the segment is none of a frame that is decoded here.
    pub fn parse(segment: &Segment<'_>) -> Option<Frame> {
        let &[8, h1, h0, w1, w0, count, ref components @ ..] = segment.body else { return None };
        let size = [[w1, w0], [h1, h0]].map(|side| usize::from(u16::from_be_bytes(side)));
        let components = components.as_chunks().0.iter().take(count.into()).map(|&[id, blocks, quantisation]| {
            Component { id, blocks: [blocks >> 4, blocks & 15].map(usize::from), quantisation: quantisation.into() }
        });
        let mut components: Vec<Component> = components.collect();
        let is_sound = components.iter().all(|component| {
            component.quantisation < 4 && component.blocks.iter().all(|blocks| (1..=4).contains(blocks))
        });
        if let [alone] = components.as_mut_slice() {
            // Blocks of one component follow each other whatever it says.
            alone.blocks = [1, 1];
        }
        let is_whole = components.len() == usize::from(count) && (1..=4).contains(&count) && !size.contains(&0);
        let is_progressive = segment.marker == PROGRESSIVE;
        (is_sound && is_whole).then_some(Frame { is_progressive, size, components })
    }

    /// The number of units of an interleaved scan, across and down.
    pub fn units(&self) -> [usize; 2] {
        let [across, down] = self.most_blocks();
        let [width, height] = self.size;
        [width.div_ceil(8 * across), height.div_ceil(8 * down)]
    }

    /// The number of blocks of a scan of one component alone, across and down.
    pub fn blocks_of(&self, component: &Component) -> [usize; 2] {
        let ([most_across, most_down], [across, down], [width, height]) =
            (self.most_blocks(), component.blocks, self.size);
        [(width * across).div_ceil(8 * most_across), (height * down).div_ceil(8 * most_down)]
    }

    /// The most blocks of any component in a unit, across and down.
    pub fn most_blocks(&self) -> [usize; 2] {
        let of = |[across, down]: [usize; 2], component: &Component| {
            let [other_across, other_down] = component.blocks;
            [across.max(other_across), down.max(other_down)]
        };
        self.components.iter().fold([1, 1], of)
    }
}

/// What one scan holds.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanHeader {
    /// Which components of the frame, with the number of their tables for means and for the rest.
    pub components: Vec<(usize, [usize; 2])>,
    /// The first and last coefficient.
    pub band: [usize; 2],
    /// Whether it adds a bit to what scans before it have.
    pub refines: bool,
    /// How many lower bits later scans have.
    pub shift: u32,
}

impl ScanHeader {
    /// `None` where the segment contradicts itself or the frame.
    pub fn parse(segment: &Segment<'_>, frame: &Frame) -> Option<ScanHeader> {
        let (&count, rest) = segment.body.split_first()?;
        let (components, rest) = rest.split_at_checked(2 * usize::from(count))?;
        let &[first, last, bits] = rest else { return None };
        let place = |id: u8| frame.components.iter().position(|component| component.id == id);
        let component = |&[id, tables]: &[u8; 2]| Some((place(id)?, [tables >> 4, tables & 15].map(usize::from)));
        let components: Option<Vec<_>> = components.as_chunks().0.iter().map(component).collect();
        let components = components.filter(|components| (1..=4).contains(&components.len()))?;
        let is_twice = |place: usize| components.iter().filter(|(other, _)| *other == place).count() > 1;
        let is_sane = first < 64 && last < 64 && bits >> 4 < 14 && bits & 15 < 14;
        if !is_sane || components.iter().any(|&(place, _)| is_twice(place)) {
            return None;
        }
        let band = if frame.is_progressive { [first, last].map(usize::from) } else { [0, 63] };
        let [first, last] = band;
        let is_sound = match frame.is_progressive {
            true if first == 0 => last == 0,
            true => first <= last && last < 64 && components.len() == 1,
            false => true,
        };
        let refines = frame.is_progressive && bits >> 4 != 0;
        let shift = if frame.is_progressive { u32::from(bits & 15) } else { 0 };
        is_sound.then_some(ScanHeader { components, band, refines, shift })
    }
}
