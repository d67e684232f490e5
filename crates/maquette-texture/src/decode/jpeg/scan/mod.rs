//! The data of one scan, followed row by row of its units. [ITU T.81, Annexes E, F and G]
//!
//! The first fault is kept. What is left of the data up to the next restart marker is passed over then, and its coefficients stay 0.

mod progressive;
mod sequential;

use super::bits::Bits;
use super::codes::Codes;
use super::coefficients::{Coefficients, Grid};
use super::fault::Fault;
use super::segments::{Frame, Next, ScanHeader, is_restart, next_marker};
use super::tables::Tables;

/// Bits that are no code.
struct NoCode;

/// A scan, and how far it was followed.
pub struct Scan<'s> {
    file: &'s [u8],
    parts: Vec<Part<'s>>,
    kind: Kind,
    /// Units across.
    across: usize,
    total: usize,
    done: usize,
    /// Units between restart markers, and how many are left to the next.
    interval: usize,
    left: usize,
    restarts: usize,
    /// Where the bits end, and what follows.
    end: usize,
    next: Option<Next>,
    bits: Bits<'s>,
    /// Blocks of which it was said already that nothing more comes.
    run: u32,
    /// Whether nothing can be made of the data up to the next restart marker, and whether there is no more of it.
    is_lost: bool,
    is_over: bool,
    fault: Option<Fault>,
}

/// What a scan has of each block.
#[derive(Clone, Copy)]
enum Kind {
    /// All coefficients.
    Whole,
    /// The mean but for its lower bits, and one bit more of it.
    Mean {
        shift: u32,
    },
    MeanBit {
        shift: u32,
    },
    /// Other coefficients from one to another but for their lower bits, and one bit more of them.
    Band {
        first: u32,
        last: u32,
        shift: u32,
    },
    BandBit {
        first: u32,
        last: u32,
        shift: u32,
    },
}

/// The blocks of a component in one unit of a scan.
struct Part<'s> {
    component: usize,
    /// Across and down.
    blocks: [usize; 2],
    means: Option<&'s Codes>,
    others: Option<&'s Codes>,
    /// Of the block before.
    mean: i32,
}

impl<'s> Scan<'s> {
    /// The scan whose data begins at a byte; `None` where tables are missing that it needs.
    pub fn new(
        file: &'s [u8],
        from: usize,
        frame: &Frame,
        tables: &'s Tables,
        header: &ScanHeader,
    ) -> Option<Scan<'s>> {
        let [first, last] = header.band.map(|place| place as u32);
        let shift = header.shift;
        let kind = match (frame.is_progressive, first, header.refines) {
            (false, ..) => Kind::Whole,
            (true, 0, false) => Kind::Mean { shift },
            (true, 0, true) => Kind::MeanBit { shift },
            (true, _, false) => Kind::Band { first, last, shift },
            (true, _, true) => Kind::BandBit { first, last, shift },
        };
        let is_alone = header.components.len() == 1;
        let mut parts = Vec::new();
        for &(component, [means, others]) in &header.components {
            let means = tables.means.get(means).and_then(Option::as_ref);
            let others = tables.others.get(others).and_then(Option::as_ref);
            let is_ready = match kind {
                Kind::Whole => means.is_some() && others.is_some(),
                Kind::Mean { .. } => means.is_some(),
                Kind::MeanBit { .. } => true,
                Kind::Band { .. } | Kind::BandBit { .. } => others.is_some(),
            };
            let blocks = if is_alone { [1, 1] } else { frame.components.get(component)?.blocks };
            parts.push(is_ready.then_some(Part { component, blocks, means, others, mean: 0 })?);
        }
        let [across, down] = match header.components.as_slice() {
            [(component, _)] => frame.blocks_of(frame.components.get(*component)?),
            _ => frame.units(),
        };
        let total = across * down;
        let interval = if tables.restart_interval == 0 { total } else { tables.restart_interval };
        let mut scan = Scan {
            file,
            parts,
            kind,
            across,
            total,
            done: 0,
            interval,
            left: 0,
            restarts: 0,
            end: from,
            next: None,
            bits: Bits::new(&[]),
            run: 0,
            is_lost: false,
            is_over: false,
            fault: None,
        };
        scan.begin(from);
        Some(scan)
    }

    /// How many rows of units it has.
    pub fn rows(&self) -> usize {
        self.total / self.across.max(1)
    }

    /// Follows the next row of units, to a row of these coefficients.
    pub fn follow_row(&mut self, row: usize, coefficients: &mut Coefficients) {
        let mut x = 0;
        while x < self.across {
            if self.left == 0 && !self.is_over {
                self.restart();
                continue;
            }
            let left = if self.is_over { usize::MAX } else { self.left };
            let units = Units { x, count: left.min(self.across - x), row };
            if self.is_lost {
                self.forget(&units, coefficients);
            } else {
                self.follow_units(&units, coefficients);
            }
            x += units.count;
            self.left = self.left.saturating_sub(units.count);
            self.done += units.count;
        }
    }

    /// Leaves nothing in these units of rows that were followed before. Scans that add to blocks leave them as they are.
    fn forget(&self, units: &Units, coefficients: &mut Coefficients) {
        if matches!(self.kind, Kind::Whole) {
            sequential::forget(&self.parts, units, &mut coefficients.grids);
        }
    }

    /// What was wrong first, when all rows are followed.
    pub fn finish(mut self) -> Option<Fault> {
        self.tell_surplus();
        self.fault
    }

    fn follow_units(&mut self, units: &Units, coefficients: &mut Coefficients) {
        let grids = &mut coefficients.grids;
        let (parts, bits, run) = (&mut self.parts, &mut self.bits, &mut self.run);
        let followed = match self.kind {
            Kind::Whole => sequential::units(parts, units, bits, grids),
            Kind::Mean { shift } => progressive::means(parts, units, bits, grids, shift),
            Kind::MeanBit { shift } => progressive::mean_bits(parts, units, bits, grids, shift),
            Kind::Band { first, last, shift } => {
                progressive::band(parts, units, bits, grids, [first, last, shift], run)
            }
            Kind::BandBit { first, last, shift } => {
                progressive::band_bits(parts, units, bits, grids, [first, last, shift], run)
            }
        };
        if let Err(unit) = followed {
            let percent = (self.done + unit) * 100 / self.total;
            let fault = if self.bits.is_short() {
                Fault::Short { at: self.end, percent }
            } else {
                Fault::NoCode { at: self.end - self.bits.left(), percent }
            };
            self.tell(fault);
            self.is_lost = true;
            self.forget(&Units { x: units.x + unit, count: units.count - unit, row: units.row }, coefficients);
        }
    }

    /// Goes on after a restart marker, if there is one.
    fn restart(&mut self) {
        self.tell_surplus();
        let Some(Next { at, marker, .. }) = self.next.filter(|next| is_restart(next.marker)) else {
            self.tell(Fault::Short { at: self.end, percent: self.done * 100 / self.total });
            [self.is_over, self.is_lost] = [true; 2];
            return;
        };
        let expected = self.restarts % 8;
        if usize::from(marker & 7) != expected {
            self.tell(Fault::Restart { at, found: marker, expected });
        }
        self.restarts += 1;
        self.begin(at + 2);
    }

    /// Begins with the data between two markers.
    fn begin(&mut self, from: usize) {
        self.next = next_marker(self.file, from);
        self.end = self.next.map_or(self.file.len(), |next| next.data_end);
        self.bits = Bits::new(self.file.get(from..self.end).unwrap_or_default());
        self.left = self.interval.min(self.total - self.done);
        self.run = 0;
        self.is_lost = false;
        self.parts.iter_mut().for_each(|part| part.mean = 0);
    }

    fn tell(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
    }

    fn tell_surplus(&mut self) {
        if !self.is_lost && self.bits.left() > 0 {
            self.tell(Fault::Surplus { at: self.end, bytes: self.bits.left() });
        }
    }
}

/// Units of a row.
struct Units {
    x: usize,
    count: usize,
    row: usize,
}

impl Units {
    /// Calls something for each unit. Where that finds no code, or the bits are over, the number of the unit is the error.
    #[inline(always)]
    fn follow<'d>(
        &self,
        bits: &mut Bits<'d>,
        mut each: impl FnMut(usize, &mut Bits<'d>) -> Result<(), NoCode>,
    ) -> Result<(), usize> {
        let mut copy = *bits;
        let is_stuck = |unit: &usize| each(self.x + unit, &mut copy).is_err() || copy.is_short();
        let stuck = (0..self.count).find(is_stuck);
        *bits = copy;
        stuck.map_or(Ok(()), Err)
    }

    /// The numbers of a part's blocks in one of the units.
    #[inline(always)]
    fn blocks(&self, part: &Part<'_>, stride: usize, x: usize) -> impl Iterator<Item = usize> + use<> {
        let [across, down] = part.blocks;
        let first = self.row * down * stride + x * across;
        (0..down).flat_map(move |row| (0..across).map(move |column| first + row * stride + column))
    }

    /// Where the blocks of a component that is alone begin, and where its row ends.
    fn of_one<'g>(&self, part: &Part<'_>, grids: &'g mut [Grid]) -> Option<Row<'g>> {
        let Grid { stride, blocks, present } = grids.get_mut(part.component)?;
        let first = self.row * *stride + self.x;
        let range = first..first + self.count;
        Some(Row { blocks: blocks.get_mut(range.clone())?, present: present.get_mut(range)? })
    }
}

/// Blocks of one component that follow each other.
struct Row<'g> {
    blocks: &'g mut [super::coefficients::Block],
    present: &'g mut [u64],
}
