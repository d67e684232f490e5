//! Tables that scans are read with. [ITU T.81, Annex B.2.4]

use super::codes::Codes;
use super::segments::Segment;

/// Where the coefficients of a block stand, in the order in which they are stored; the last one again for what would be beyond.
pub const PLACES: [u8; 128] = {
    let mut places = [63; 128];
    let (mut at, mut diagonal) = (0, 0);
    while diagonal < 15 {
        let mut step = 0;
        while step <= diagonal {
            let (row, column) = if diagonal % 2 == 0 { (diagonal - step, step) } else { (step, diagonal - step) };
            if row < 8 && column < 8 {
                set(&mut places, at, row * 8 + column);
                at += 1;
            }
            step += 1;
        }
        diagonal += 1;
    }
    places
};

const fn set(places: &mut [u8; 128], at: usize, place: u8) {
    let mut rest: &mut [u8] = places;
    let mut left = at;
    while let [first, others @ ..] = rest {
        if left == 0 {
            *first = place;
            return;
        }
        left -= 1;
        rest = others;
    }
}

/// What coefficients are multiplied by, in rows.
pub type Factors = [i32; 64];

/// All tables there are at some place of a file.
#[derive(Default)]
pub struct Tables {
    pub means: [Option<Codes>; 4],
    pub others: [Option<Codes>; 4],
    pub factors: [Option<Factors>; 4],
    /// Units between two restart markers; 0 where there are none.
    pub restart_interval: usize,
}

impl Tables {
    /// Takes the codes of a segment; `None` where they cannot be.
    pub fn add_codes(&mut self, segment: &Segment<'_>) -> Option<()> {
        let mut rest = segment.body;
        while let Some((&kind, after)) = rest.split_first() {
            let (counts, after) = after.split_first_chunk::<16>()?;
            let total = counts.iter().map(|&count| usize::from(count)).sum();
            let (symbols, after) = after.split_at_checked(total)?;
            let of_kind = match kind >> 4 {
                0 => &mut self.means,
                1 => &mut self.others,
                _ => return None,
            };
            *of_kind.get_mut(usize::from(kind & 15))? = Some(Codes::new(counts, symbols)?);
            rest = after;
        }
        Some(())
    }

    /// Takes the factors of a segment; `None` where they cannot be.
    pub fn add_factors(&mut self, segment: &Segment<'_>) -> Option<()> {
        let mut rest = segment.body;
        while let Some((&kind, after)) = rest.split_first() {
            let bytes = match kind >> 4 {
                0 => 1,
                1 => 2,
                _ => return None,
            };
            let (values, after) = after.split_at_checked(64 * bytes)?;
            let values =
                values.chunks(bytes).map(|bytes| bytes.iter().fold(0, |value, &byte| value << 8 | i32::from(byte)));
            let mut factors = [0; 64];
            for (value, &place) in values.zip(&PLACES) {
                *factors.get_mut(usize::from(place))? = value;
            }
            *self.factors.get_mut(usize::from(kind & 15))? = Some(factors);
            rest = after;
        }
        Some(())
    }

    /// Takes how far restart markers are apart; `None` where a segment does not tell.
    pub fn set_restart_interval(&mut self, segment: &Segment<'_>) -> Option<()> {
        self.restart_interval = usize::from(u16::from_be_bytes(segment.body.try_into().ok()?));
        Some(())
    }
}
