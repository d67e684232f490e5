//! Scans that have blocks as a whole.

use super::{Grid, NoCode, Part, Units};
use crate::decode::jpeg::bits::Bits;
use crate::decode::jpeg::codes::Codes;
use crate::decode::jpeg::coefficients::Block;
use crate::decode::jpeg::tables::PLACES;

pub fn units(parts: &mut [Part<'_>], units: &Units, bits: &mut Bits<'_>, grids: &mut [Grid]) -> Result<(), usize> {
    units.follow(bits, |x, bits| {
        for part in parts.iter_mut() {
            let (Some(means), Some(others)) = (part.means, part.others) else { return Err(NoCode) };
            let Grid { stride, blocks, present } = grids.get_mut(part.component).ok_or(NoCode)?;
            for at in units.blocks(part, *stride, x) {
                let (Some(block), Some(present)) = (blocks.get_mut(at), present.get_mut(at)) else {
                    return Err(NoCode);
                };
                whole(bits, means, others, &mut part.mean, block, present).ok_or(NoCode)?;
            }
        }
        Ok(())
    })
}

/// Leaves nothing in blocks.
pub fn forget(parts: &[Part<'_>], units: &Units, grids: &mut [Grid]) {
    for part in parts {
        let Some(Grid { stride, blocks, present }) = grids.get_mut(part.component) else { continue };
        for at in (units.x..units.x + units.count).flat_map(|x| units.blocks(part, *stride, x)) {
            blocks.get_mut(at).into_iter().for_each(|block| *block = [0; 64]);
            present.get_mut(at).into_iter().for_each(|present| *present = 0);
        }
    }
}

/// The mean of a block.
#[inline(always)]
pub fn mean(bits: &mut Bits<'_>, codes: &Codes, mean: &mut i32) -> Option<()> {
    let (size, difference) = bits.symbol_and_number(codes)?;
    *mean = mean.wrapping_add(difference);
    (size < 16).then_some(())
}

/// All coefficients of a block.
// By itself, so that what its loop needs stays in registers.
#[inline(never)]
fn whole(
    bits: &mut Bits<'_>,
    means: &Codes,
    others: &Codes,
    before: &mut i32,
    block: &mut Block,
    present: &mut u64,
) -> Option<()> {
    *block = [0; 64];
    let mut copy = *bits;
    let followed = mean(&mut copy, means, before).and_then(|()| {
        if let Some(first) = block.first_mut() {
            *first = *before as i16;
        }
        rest(&mut copy, others, block)
    });
    *bits = copy;
    *present = followed?;
    Some(())
}

/// All coefficients but the first, and which are not 0.
#[inline(always)]
fn rest(bits: &mut Bits<'_>, codes: &Codes, block: &mut Block) -> Option<u64> {
    let (mut place, mut present) = (1, 0);
    while place < 64 {
        let (symbol, number) = bits.symbol_and_number(codes)?;
        if number != 0 {
            place += symbol as usize >> 4;
            put(block, place, number);
            present |= 1 << (place & 63);
            place += 1;
        } else if symbol == 0xf0 {
            place += 16;
        } else {
            break;
        }
    }
    (place <= 64).then_some(present)
}

/// Puts a coefficient where it belongs, by its place in the order of storage.
#[inline(always)]
pub fn put(block: &mut Block, place: usize, number: i32) {
    let place = PLACES.get(place & 127).map_or(0, |&place| usize::from(place & 63));
    if let Some(coefficient) = block.get_mut(place) {
        *coefficient = number as i16;
    }
}
