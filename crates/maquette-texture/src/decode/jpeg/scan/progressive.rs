//! Scans that have some coefficients of blocks, or one bit more of them. [ITU T.81, Annex G]

use super::sequential::{mean, put};
use super::{Grid, NoCode, Part, Row, Units};
use crate::decode::jpeg::bits::Bits;
use crate::decode::jpeg::codes::Codes;
use crate::decode::jpeg::coefficients::Block;
use crate::decode::jpeg::tables::PLACES;

/// Means of blocks but for their lower bits.
pub fn means(
    parts: &mut [Part<'_>],
    units: &Units,
    bits: &mut Bits<'_>,
    grids: &mut [Grid],
    shift: u32,
) -> Result<(), usize> {
    units.follow(bits, |x, bits| {
        for part in parts.iter_mut() {
            let codes = part.means.ok_or(NoCode)?;
            let Grid { stride, blocks, .. } = grids.get_mut(part.component).ok_or(NoCode)?;
            for at in units.blocks(part, *stride, x) {
                mean(bits, codes, &mut part.mean).ok_or(NoCode)?;
                if let Some(first) = blocks.get_mut(at).and_then(|block| block.first_mut()) {
                    *first = (part.mean as i16).wrapping_shl(shift);
                }
            }
        }
        Ok(())
    })
}

/// One bit more of means.
pub fn mean_bits(
    parts: &mut [Part<'_>],
    units: &Units,
    bits: &mut Bits<'_>,
    grids: &mut [Grid],
    shift: u32,
) -> Result<(), usize> {
    units.follow(bits, |x, bits| {
        for part in parts.iter_mut() {
            let Grid { stride, blocks, .. } = grids.get_mut(part.component).ok_or(NoCode)?;
            for at in units.blocks(part, *stride, x) {
                let bit = (bits.take(1) as i16) << shift;
                if let Some(first) = blocks.get_mut(at).and_then(|block| block.first_mut()) {
                    *first = first.wrapping_add(bit);
                }
            }
        }
        Ok(())
    })
}

/// Some coefficients of blocks but for their lower bits.
pub fn band(
    parts: &mut [Part<'_>],
    units: &Units,
    bits: &mut Bits<'_>,
    grids: &mut [Grid],
    [first, last, shift]: [u32; 3],
    run: &mut u32,
) -> Result<(), usize> {
    let (codes, Row { blocks, present }) = alone(parts, units, grids)?;
    let mut copy = *bits;
    let mut unit = 0;
    let followed = loop {
        let passed = (units.count - unit).min(*run as usize);
        unit += passed;
        *run -= passed as u32;
        let (Some(block), Some(present)) = (blocks.get_mut(unit), present.get_mut(unit)) else { break Ok(()) };
        let followed = band_of_block(&mut copy, codes, [first, last, shift], block, present, run);
        if followed.is_none() || copy.is_short() {
            break Err(unit);
        }
        unit += 1;
    };
    *bits = copy;
    followed
}

/// The codes and blocks of a component that is the only one of a scan.
fn alone<'s, 'g>(parts: &[Part<'s>], units: &Units, grids: &'g mut [Grid]) -> Result<(&'s Codes, Row<'g>), usize> {
    let part = parts.first().ok_or(0_usize)?;
    Ok((part.others.ok_or(0_usize)?, units.of_one(part, grids).ok_or(0_usize)?))
}

#[inline(always)]
fn band_of_block(
    bits: &mut Bits<'_>,
    codes: &Codes,
    [first, last, shift]: [u32; 3],
    block: &mut Block,
    present: &mut u64,
    run: &mut u32,
) -> Option<()> {
    let mut place = first;
    while place <= last {
        let (symbol, number) = bits.symbol_and_number(codes)?;
        let zeros = symbol >> 4;
        if number != 0 {
            place += zeros;
            if place > last {
                return None;
            }
            put(block, place as usize, number << shift);
            *present |= 1 << (place & 63);
            place += 1;
        } else if zeros == 15 {
            place += 16;
            if place > last + 1 {
                return None;
            }
        } else {
            *run = (1 << zeros) + bits.take_after(zeros) - 1;
            break;
        }
    }
    Some(())
}

/// One bit more of some coefficients: a bit for each that is there already, and codes for those that come in between.
pub fn band_bits(
    parts: &mut [Part<'_>],
    units: &Units,
    bits: &mut Bits<'_>,
    grids: &mut [Grid],
    [first, last, shift]: [u32; 3],
    run: &mut u32,
) -> Result<(), usize> {
    let (codes, Row { blocks, present }) = alone(parts, units, grids)?;
    let mut copy = *bits;
    let mut followed = Ok(());
    for (unit, (block, present)) in blocks.iter_mut().zip(present).enumerate() {
        let known = present;
        if band_bits_of_block(&mut copy, codes, [first, last, shift], block, known, run).is_none() || copy.is_short() {
            followed = Err(unit);
            break;
        }
    }
    *bits = copy;
    followed
}

#[inline(always)]
fn band_bits_of_block(
    bits: &mut Bits<'_>,
    codes: &Codes,
    [first, last, shift]: [u32; 3],
    block: &mut Block,
    present: &mut u64,
    run: &mut u32,
) -> Option<()> {
    let mut place = first;
    while *run == 0 && place <= last {
        let symbol = bits.symbol(codes)?;
        let (zeros, size) = (symbol >> 4, symbol & 15);
        if size > 1 {
            return None;
        }
        if size == 0 && zeros < 15 {
            *run = (1 << zeros) + bits.take_after(zeros);
            break;
        }
        let is_positive = bits.take_after(size) == 1;
        // Past as many that are not there as the symbol says, to one more of these.
        let mut absent = !*present & within(place, last);
        for _ in 0..zeros {
            absent &= absent.wrapping_sub(1);
        }
        let next = if absent == 0 { last + 1 } else { absent.trailing_zeros() };
        if next > place {
            refine(bits, block, *present & within(place, next - 1), shift);
        }
        place = next;
        if size == 1 {
            if place > last {
                return None;
            }
            put(block, place as usize, if is_positive { 1 << shift } else { -1 << shift });
            *present |= 1 << (place & 63);
        }
        place += 1;
    }
    if *run > 0 {
        if place <= last {
            refine(bits, block, *present & within(place, last), shift);
        }
        *run -= 1;
    }
    Some(())
}

/// Takes a bit for each of these coefficients. Where it is 1, they are that much further from 0.
#[inline(always)]
fn refine(bits: &mut Bits<'_>, block: &mut Block, mut places: u64, shift: u32) {
    while places != 0 {
        let place = PLACES.get(places.trailing_zeros() as usize).map_or(0, |&place| usize::from(place & 63));
        let bit = (bits.take(1) as i16) << shift;
        if let Some(coefficient) = block.get_mut(place) {
            *coefficient = coefficient.wrapping_add(if *coefficient < 0 { -bit } else { bit });
        }
        places &= places - 1;
    }
}

/// A bit for each place from one to another of 64.
fn within(first: u32, last: u32) -> u64 {
    u64::MAX << first & u64::MAX >> (63 - last)
}
