//! Whether the data of a JPEG file is what its headers say.
//!
//! A JPEG has no checksum, and decoders fill what is missing with grey and say nothing. But every code must be one of the tables, no block may
//! hold more than 64 coefficients, and the data of a scan must end where its last block does: hardly anything that is cut off or overwritten passes. Codes are
//! followed without making pixels of them, which takes a fraction of what decoding does.

use super::codes::{Bits, Codes};
use super::segments::{
    BASELINE, END, EXTENDED, Frame, HUFFMAN_TABLES, PROGRESSIVE, RESTART_INTERVAL, SCAN, ScanHeader, Segment, Segments,
    is_restart, next_marker,
};

/// What can be said of a file that has headers as they should be.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    /// All its data is what it should be.
    Sound,
    /// This is wrong with it.
    Damaged(String),
    /// It is of a kind that is not judged.
    NotUnderstood,
}

/// Follows all data of a file.
pub fn judge(file: &[u8]) -> Verdict {
    match damage(file) {
        Some(Some(why)) => Verdict::Damaged(why),
        Some(None) => Verdict::Sound,
        None => Verdict::NotUnderstood,
    }
}

/// What is wrong with it, if anything is; `None` where it is not understood.
fn damage(file: &[u8]) -> Option<Option<String>> {
    let mut tables = Tables::default();
    let mut frame: Option<Frame> = None;
    let mut seen = Seen::default();
    let mut scans = 0;
    let mut segments = Segments::new(file);
    while let Some(segment) = segments.next() {
        match segment.marker {
            _ if !segment.is_whole => return Some(Some(super::broken_off(file, segment.at))),
            BASELINE | EXTENDED | PROGRESSIVE => {
                let parsed = Frame::parse(&segment)?;
                seen = Seen::new(&parsed);
                frame = Some(parsed);
            }
            HUFFMAN_TABLES => tables.add(&segment)?,
            RESTART_INTERVAL => tables.restart_interval = usize::from(u16::from_be_bytes(*segment.body.first_chunk()?)),
            SCAN => {
                let frame = frame.as_ref()?;
                let header = ScanHeader::parse(&segment, frame)?;
                scans += 1;
                let mut scan = Scan { file, frame, tables: &tables, header: &header, seen: &mut seen };
                if let Err(fault) = scan.follow(segments.at()) {
                    let whole = if frame.is_progressive { format!("scan {scans}") } else { "the picture".to_owned() };
                    return fault.told(&whole).map(Some);
                }
            }
            END => return Some(seen.missing(frame.as_ref()?)),
            _ => {}
        }
    }
    let missing = || format!("it ends at byte {} without an end marker, and finer scans may be missing", file.len());
    let frame = frame?;
    Some(seen.missing(&frame).or_else(|| frame.is_progressive.then(missing)))
}

/// What a scan is read with.
#[derive(Default)]
struct Tables {
    means: [Option<Codes>; 4],
    others: [Option<Codes>; 4],
    /// Units between two restart markers; 0 where there are none.
    restart_interval: usize,
}

impl Tables {
    /// Takes the tables of a segment; `None` where they cannot be.
    fn add(&mut self, segment: &Segment<'_>) -> Option<()> {
        let mut rest = segment.body;
        while let Some((&kind, after)) = rest.split_first() {
            let (counts, after) = after.split_first_chunk::<16>()?;
            let total = counts.iter().map(|&count| usize::from(count)).sum();
            let (symbols, after) = after.split_at_checked(total)?;
            let of_kind = if kind >> 4 == 0 { &mut self.means } else { &mut self.others };
            *of_kind.get_mut(usize::from(kind & 15))? = Some(Codes::new(counts, symbols)?);
            rest = after;
        }
        Some(())
    }
}

/// What scans have brought so far.
#[derive(Default)]
struct Seen {
    /// Of each component, whether there are means of blocks.
    means: Vec<bool>,
    /// Of each component and block, which coefficients are not zero; kept for files of several passes alone.
    coefficients: Vec<Vec<u64>>,
}

impl Seen {
    fn new(frame: &Frame) -> Seen {
        let [across, down] = frame.units();
        let blocks = frame.components.iter().map(|component| {
            let [more_across, more_down] = component.blocks;
            vec![0; if frame.is_progressive { across * more_across * down * more_down } else { 0 }]
        });
        Seen { means: vec![false; frame.components.len()], coefficients: blocks.collect() }
    }

    fn missing(&self, frame: &Frame) -> Option<String> {
        let missing = self.means.iter().filter(|is_there| !**is_there).count();
        (missing > 0).then(|| format!("{missing} of its {} components have no data", frame.components.len()))
    }
}

/// What is wrong with a scan.
enum Fault {
    /// It is of a kind that is not judged.
    NotUnderstood,
    /// The data is over before the picture is.
    Short { at: usize, percent: usize },
    /// What stands there is no code.
    NoCode { at: usize, percent: usize },
    /// The picture is over before the data is.
    Surplus { at: usize, bytes: usize },
    /// The parts of the data do not follow each other.
    Restart { at: usize, found: u8, expected: usize },
}

impl Fault {
    fn told(&self, whole: &str) -> Option<String> {
        Some(match self {
            Fault::NotUnderstood => return None,
            Fault::Short { at, percent } => format!("its data ends at byte {at}, after {percent} % of {whole}"),
            Fault::NoCode { at, percent } => {
                format!("its data is wrong at or before byte {at}, after {percent} % of {whole}")
            }
            Fault::Surplus { at, bytes } => {
                format!("its data is wrong somewhere: {bytes} bytes are left over before byte {at}, where {whole} ends")
            }
            Fault::Restart { at, found, expected } => {
                format!("restart marker {} stands at byte {at}, where {expected} belongs", found & 7)
            }
        })
    }
}

/// Bits that are no code.
struct NoCode;

/// A scan that is followed, and what it changes.
struct Scan<'s> {
    file: &'s [u8],
    frame: &'s Frame,
    tables: &'s Tables,
    header: &'s ScanHeader,
    seen: &'s mut Seen,
}

/// The blocks of a component in one unit of a scan.
struct Part<'s> {
    component: usize,
    /// Across and down.
    blocks: [usize; 2],
    /// Of the whole component, across.
    stride: usize,
    means: Option<&'s Codes>,
    others: Option<&'s Codes>,
}

impl<'s> Scan<'s> {
    /// Follows the data that begins at a byte to its end.
    fn follow(&mut self, from: usize) -> Result<(), Fault> {
        let [across, down] = self.units().ok_or(Fault::NotUnderstood)?;
        let parts = self.parts().ok_or(Fault::NotUnderstood)?;
        let total = across * down;
        let interval = match self.tables.restart_interval {
            0 => total,
            interval => interval,
        };
        let (mut from, mut done, mut restarts) = (from, 0, 0);
        let [mut x, mut y] = [0, 0];
        loop {
            let next = next_marker(self.file, from);
            let end = next.as_ref().map_or(self.file.len(), |next| next.data_end);
            let mut bits = Bits::new(self.file.get(from..end).unwrap_or_default());
            let mut run = 0;
            for unit in done..total.min(done + interval) {
                let followed = self.unit(&parts, [x, y], &mut bits, &mut run);
                x += 1;
                if x == across {
                    [x, y] = [0, y + 1];
                }
                if bits.is_short() {
                    return Err(Fault::Short { at: end, percent: unit * 100 / total });
                }
                let fault = |NoCode| Fault::NoCode { at: from + bits.passed(), percent: unit * 100 / total };
                followed.map_err(fault)?;
            }
            done = total.min(done + interval);
            if bits.left() > 0 {
                return Err(Fault::Surplus { at: end, bytes: bits.left() });
            }
            if done == total {
                return Ok(());
            }
            let Some(next) = next.filter(|next| is_restart(next.marker)) else {
                return Err(Fault::Short { at: end, percent: done * 100 / total });
            };
            if usize::from(next.marker & 7) != restarts % 8 {
                return Err(Fault::Restart { at: next.at, found: next.marker, expected: restarts % 8 });
            }
            (from, restarts) = (next.at + 2, restarts + 1);
        }
    }

    /// How many units it has, across and down.
    fn units(&self) -> Option<[usize; 2]> {
        match self.header.components.as_slice() {
            [(component, _)] => Some(self.frame.blocks_of(self.frame.components.get(*component)?)),
            _ => Some(self.frame.units()),
        }
    }

    /// What a unit is made of; `None` where tables are missing that are needed.
    fn parts(&mut self) -> Option<Vec<Part<'s>>> {
        let [first, last] = self.header.band;
        let (wants_means, wants_others) = (first == 0 && !self.header.refines, last > 0);
        let is_alone = self.header.components.len() == 1;
        let [units_across, _] = self.frame.units();
        let mut parts = Vec::new();
        for &(component, [means, others]) in &self.header.components {
            let [across, down] = self.frame.components.get(component)?.blocks;
            if let Some(is_there) = self.seen.means.get_mut(component) {
                *is_there |= first == 0;
            }
            parts.push(Part {
                component,
                blocks: if is_alone { [1, 1] } else { [across, down] },
                stride: units_across * across,
                means: self.tables.means.get(means).and_then(Option::as_ref),
                others: self.tables.others.get(others).and_then(Option::as_ref),
            });
        }
        let is_ready =
            |part: &Part<'_>| (part.means.is_some() || !wants_means) && (part.others.is_some() || !wants_others);
        parts.iter().all(is_ready).then_some(parts)
    }

    /// Follows the blocks of one unit. `run` counts blocks of which it was said already that nothing more comes.
    #[inline(always)]
    fn unit(
        &mut self,
        parts: &[Part<'_>],
        [x, y]: [usize; 2],
        bits: &mut Bits<'_>,
        run: &mut u32,
    ) -> Result<(), NoCode> {
        for part in parts {
            let [across, down] = part.blocks;
            if !self.frame.is_progressive {
                for _ in 0..across * down {
                    whole_block(bits, part)?;
                }
                continue;
            }
            let mut none = 0;
            let mut of_component = self.seen.coefficients.get_mut(part.component);
            for row in 0..down {
                for column in 0..across {
                    let place = (y * down + row) * part.stride + x * across + column;
                    let known = of_component.as_mut().and_then(|blocks| blocks.get_mut(place)).unwrap_or(&mut none);
                    match (self.header.band, self.header.refines) {
                        ([0, _], false) => mean(bits, part)?,
                        ([0, _], true) => bits.skip(1),
                        (band, false) => first_pass(bits, part, band, known, run)?,
                        (band, true) => later_pass(bits, part, band, known, run)?,
                    }
                }
            }
        }
        Ok(())
    }
}

/// The mean of a block.
#[inline]
fn mean(bits: &mut Bits<'_>, part: &Part<'_>) -> Result<(), NoCode> {
    let size = part.means.and_then(|codes| bits.symbol(codes)).filter(|&size| size < 16).ok_or(NoCode)?;
    bits.skip_after(size.into());
    Ok(())
}

/// All coefficients of a block.
fn whole_block(bits: &mut Bits<'_>, part: &Part<'_>) -> Result<(), NoCode> {
    mean(bits, part)?;
    let codes = part.others.ok_or(NoCode)?;
    let mut place = 1;
    while place < 64 {
        let symbol = bits.symbol(codes).ok_or(NoCode)?;
        let (zeros, size) = (symbol >> 4, symbol & 15);
        if size == 0 && zeros < 15 {
            return Ok(());
        }
        place += u32::from(zeros) + 1;
        bits.skip_after(size.into());
    }
    if place == 64 { Ok(()) } else { Err(NoCode) }
}

/// Some coefficients of a block, but for their last bits.
fn first_pass(
    bits: &mut Bits<'_>,
    part: &Part<'_>,
    [first, last]: [usize; 2],
    known: &mut u64,
    run: &mut u32,
) -> Result<(), NoCode> {
    if *run > 0 {
        *run -= 1;
        return Ok(());
    }
    let codes = part.others.ok_or(NoCode)?;
    let mut place = first;
    while place <= last {
        let symbol = bits.symbol(codes).ok_or(NoCode)?;
        let (zeros, size) = (symbol >> 4, symbol & 15);
        if size == 0 && zeros < 15 {
            *run = (1 << zeros) + bits.take(zeros.into()) - 1;
            return Ok(());
        }
        place += usize::from(zeros);
        if place > last {
            return Err(NoCode);
        }
        *known |= u64::from(size > 0) << place;
        bits.skip_after(size.into());
        place += 1;
    }
    Ok(())
}

/// One more bit of some coefficients of a block: one for each that is there already, and codes for those that come in between.
fn later_pass(
    bits: &mut Bits<'_>,
    part: &Part<'_>,
    [first, last]: [usize; 2],
    known: &mut u64,
    run: &mut u32,
) -> Result<(), NoCode> {
    let codes = part.others.ok_or(NoCode)?;
    let mut place = first;
    while *run == 0 && place <= last {
        let symbol = bits.symbol(codes).ok_or(NoCode)?;
        let (zeros, size) = (symbol >> 4, symbol & 15);
        if size > 1 {
            return Err(NoCode);
        }
        if size == 0 && zeros < 15 {
            *run = (1 << zeros) + bits.take(zeros.into());
            break;
        }
        bits.skip_after(size.into());
        // Past as many that are not there as the symbol says, to one more of these.
        let mut absent = !*known & within(place, last);
        for _ in 0..zeros {
            absent &= absent.wrapping_sub(1);
        }
        let next = if absent == 0 { last + 1 } else { absent.trailing_zeros() as usize };
        if next > place {
            bits.skip_many((*known & within(place, next - 1)).count_ones());
        }
        place = next;
        if place > last && size == 1 {
            return Err(NoCode);
        }
        *known |= u64::from(size == 1) << place.min(63);
        place += 1;
    }
    if *run > 0 {
        if place <= last {
            bits.skip_many((*known & within(place, last)).count_ones());
        }
        *run -= 1;
    }
    Ok(())
}

/// A bit for each place from one to another of 64.
fn within(first: usize, last: usize) -> u64 {
    u64::MAX << first & u64::MAX >> (63 - last)
}
