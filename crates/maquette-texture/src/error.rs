//! What storing a picture changes of it, counted while its blocks are made.
//!
//! Sums are of whole numbers, so that they are the same in whatever order cores add them up.

use crate::lanes::Block;
use std::ops::Range;

/// What a value of a channel stands for, of `u16::MAX`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shown {
    light: u16,
    seen: u16,
}

impl Shown {
    /// Light or another number from 0 to 1, as it is and as it is seen.
    pub fn new(light: f32, seen: f32) -> Shown {
        let [light, seen] = [light, seen].map(|value| (value * f32::from(u16::MAX)).round() as u16);
        Shown { light, seen }
    }
}

/// What a channel's 256 values stand for.
pub type Table = [Shown; 256];

/// How far any value that is wanted is from any that is stored.
#[derive(Clone, Debug)]
pub struct Distances {
    /// By the two values: the square of the difference as it is seen or as light, whichever is larger, the latter also in eight bits, as who compares
    /// pictures has it; and in the lowest 16 bits the larger of both.
    of_pairs: Box<[u64; 1 << 16]>,
}

impl Distances {
    /// By what the values stand for.
    pub fn new(wanted: &Table, stored: &Table) -> Distances {
        let mut of_pairs = Box::new([0; 1 << 16]);
        let stored_steps = stored.map(|stored| in_eight_bits(stored.light));
        for (distances, wanted) in of_pairs.as_chunks_mut::<256>().0.iter_mut().zip(wanted) {
            let wanted_step = in_eight_bits(wanted.light);
            for ((distance, stored), stored_step) in distances.iter_mut().zip(stored).zip(&stored_steps) {
                let largest = wanted.seen.abs_diff(stored.seen).max(wanted.light.abs_diff(stored.light));
                let in_steps = wanted_step.abs_diff(*stored_step);
                *distance = (u64::from(largest.max(in_steps)).pow(2) << 16) | u64::from(largest);
            }
        }
        Distances { of_pairs }
    }

    fn of(&self, wanted: u8, stored: u8) -> u64 {
        self.of_pairs.get(usize::from(wanted) << 8 | usize::from(stored)).copied().unwrap_or_default()
    }
}

/// A step of eight bits, of `u16::MAX`.
const STEP: u16 = u16::MAX / u8::MAX as u16;

/// The nearest number that eight bits hold.
fn in_eight_bits(value: u16) -> u16 {
    (value.saturating_add(STEP / 2) / STEP) * STEP
}

/// What stored pixels are held against.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'p> {
    /// The pixels that are stored, in the first so many channels.
    Same(usize),
    /// The colours of another picture, as they are seen; and the opacity of the pixels that are stored.
    Colours {
        /// As many as are stored.
        pixels: &'p [[u8; 4]],
        /// Of their red, green and blue from those that are stored.
        distances: [&'p Distances; 3],
    },
}

/// How far what is stored is from what was wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StoredError {
    /// The largest difference of a channel, of full strength.
    pub largest: f32,
    /// Squares of the differences of each channel, where full strength is `u16::MAX`.
    squares: [u64; 4],
    /// How many pixels were compared.
    pixels: u64,
}

impl StoredError {
    /// Full strength against the mean error of the worst channel, in dB; infinite where there is none. Channels that hardly vary would flatter the mean
    /// of all.
    pub fn psnr(&self) -> f64 {
        match self.squares.into_iter().max() {
            None | Some(0) => f64::INFINITY,
            Some(squares) => 10.0 * (f64::from(u16::MAX).powi(2) * self.pixels as f64 / squares as f64).log10(),
        }
    }

    /// The error of two parts of a picture as one: the larger difference, all squares.
    pub fn and(self, other: StoredError) -> StoredError {
        let mut squares = self.squares;
        squares.iter_mut().zip(other.squares).for_each(|(sum, squares)| *sum += squares);
        StoredError { largest: self.largest.max(other.largest), squares, pixels: self.pixels + other.pixels }
    }

    /// What is stored of pixels, against what was wanted of them.
    pub fn of(wanted: &Wanted<'_>, pixels: &[[u8; 4]], stored: &[[u8; 4]]) -> StoredError {
        match wanted {
            Wanted::Same(channels) => of_numbers(*channels, pixels, stored),
            Wanted::Colours { pixels: colours, distances } => {
                let (mut error, opacity) = (of_colours(colours, *distances, stored), of_opacity(pixels, stored));
                // They are the same pixels.
                error.pixels = 0;
                error.and(opacity)
            }
        }
    }

    /// The same of those pixels of a block that lie inside the picture; what is wanted are the pixels of one block.
    pub(crate) fn of_block(
        wanted: &Wanted<'_>,
        [columns, rows]: [usize; 2],
        block: &Block,
        stored: &Block,
    ) -> StoredError {
        // Whole rows follow each other.
        let (runs, each) = if columns == 4 { (1, 4 * rows) } else { (rows, columns) };
        (0..runs).fold(StoredError::default(), |sum, run| {
            let at = 4 * run..4 * run + each;
            let [block, stored] = [block, stored].map(|pixels| pixels.get(at.clone()).unwrap_or_default());
            sum.and(StoredError::of(&wanted.part(at), block, stored))
        })
    }
}

impl<'p> Wanted<'p> {
    /// What is wanted of these pixels alone.
    fn part(&self, at: Range<usize>) -> Wanted<'p> {
        match *self {
            Wanted::Same(channels) => Wanted::Same(channels),
            Wanted::Colours { pixels, distances } => {
                Wanted::Colours { pixels: pixels.get(at).unwrap_or_default(), distances }
            }
        }
    }
}

/// Of values that are numbers.
fn of_numbers(channels: usize, pixels: &[[u8; 4]], stored: &[[u8; 4]]) -> StoredError {
    let compared = u32::MAX.checked_shr(32 - 8 * channels.min(4) as u32).unwrap_or(0);
    let (mut largest, mut squares) = (0, [0; 4]);
    for (pixel, stored) in pixels.iter().zip(stored) {
        let [pixel, stored] = [pixel, stored].map(|values| (u32::from_le_bytes(*values) & compared).to_le_bytes());
        for ((a, b), sum) in pixel.iter().zip(stored).zip(&mut squares) {
            let apart = a.abs_diff(b);
            largest = apart.max(largest);
            *sum += u64::from(apart) * u64::from(apart);
        }
    }
    of_bytes(largest, squares, pixels.len())
}

fn of_opacity(pixels: &[[u8; 4]], stored: &[[u8; 4]]) -> StoredError {
    let (mut largest, mut squares) = (0, 0);
    for ([.., a], [.., b]) in pixels.iter().zip(stored) {
        let apart = a.abs_diff(*b);
        largest = apart.max(largest);
        squares += u64::from(apart) * u64::from(apart);
    }
    of_bytes(largest, [0, 0, 0, squares], pixels.len())
}

fn of_bytes(largest: u8, squares: [u64; 4], pixels: usize) -> StoredError {
    let squares = squares.map(|squares| squares * u64::from(STEP) * u64::from(STEP));
    StoredError { largest: f32::from(largest) / 255.0, squares, pixels: pixels as u64 }
}

fn of_colours(pixels: &[[u8; 4]], [reds, greens, blues]: [&Distances; 3], stored: &[[u8; 4]]) -> StoredError {
    let (mut largest, mut squares) = (0, [0; 4]);
    for (wanted, stored) in pixels.iter().zip(stored) {
        let ([r, g, b, _], [red, green, blue, _]) = (*wanted, *stored);
        let distances = [reds.of(r, red), greens.of(g, green), blues.of(b, blue)];
        for (distance, sum) in distances.into_iter().zip(&mut squares) {
            largest = (distance as u16).max(largest);
            *sum += distance >> 16;
        }
    }
    StoredError { largest: f32::from(largest) / f32::from(u16::MAX), squares, pixels: pixels.len() as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_one_everywhere_is_48_db() {
        let (pixels, stored) = ([[10, 20, 30, 40]; 5], [[11, 19, 31, 255]; 5]);
        let error = StoredError::of(&Wanted::Same(3), &pixels, &stored);
        assert!((error.psnr() - 48.130_803).abs() < 1e-6, "{error:?}");
        assert_eq!(error.largest, 1.0 / 255.0);
        assert_eq!(StoredError::of(&Wanted::Same(4), &pixels, &stored).largest, 215.0 / 255.0);
        assert_eq!(StoredError::of(&Wanted::Same(4), &pixels, &pixels).psnr(), f64::INFINITY);
    }

    #[test]
    fn colours_are_compared_as_they_are_seen() {
        let stored: Table = std::array::from_fn(|value| Shown::new(value as f32 / 255.0, 0.4));
        let wanted: Table = std::array::from_fn(|value| Shown::new(value as f32 / 255.0, 0.6));
        let pixels = [[1, 2, 3, 9]];
        let distances = Distances::new(&wanted, &stored);
        let against = Wanted::Colours { pixels: &pixels, distances: [&distances; 3] };
        let error = StoredError::of(&against, &[[0, 0, 0, 7]], &[[1, 2, 3, 7]]);
        assert_eq!(error.largest, 0.2);
        assert!(
            (error.psnr() - -10.0 * (1.0 / 25.0_f64).log10()).abs() < 1e-6,
            "opacity is right, and flatters nothing"
        );
        let error = StoredError::of(&against, &[[0, 0, 0, 7]], &[[255, 2, 3, 7]]);
        assert_eq!(error.largest, 254.0 / 255.0, "as light");
    }

    #[test]
    fn the_worst_channel_counts_and_those_that_hardly_vary_do_not_make_up_for_it() {
        let (pixels, stored) = ([[10, 20, 0, 0]; 4], [[14, 21, 0, 0]; 4]);
        let error = StoredError::of(&Wanted::Same(4), &pixels, &stored);
        for channel in 0..4 {
            assert!(error.psnr() <= crate::compare::psnr(&pixels, &stored, &[channel]));
        }
        assert!((error.psnr() - crate::compare::psnr(&pixels, &stored, &[0])).abs() < 1e-9);
    }

    #[test]
    fn no_comparison_of_light_in_eight_bits_is_worse_than_what_is_told() {
        // Bright light is further apart than what is seen of it, and rounding can add half a step.
        let light = |value: usize| (value as f32 / 255.0).powi(2);
        let wanted: Table = std::array::from_fn(|value| Shown::new(light(value), value as f32 / 255.0));
        let stored: Table =
            std::array::from_fn(|value| Shown::new(value as f32 / 255.0, (value as f32 / 255.0).sqrt()));
        let distances = Distances::new(&wanted, &stored);
        for value in 0..=255_u8 {
            let in_light = [(light(value.into()) * 255.0).round() as u8; 4];
            for off in [0_u8, 1, 5] {
                let stored = [in_light.map(|value| value.saturating_sub(off))];
                let against = Wanted::Colours { pixels: &[[value; 4]], distances: [&distances; 3] };
                let told = StoredError::of(&against, &stored, &stored).psnr();
                assert!(told <= crate::compare::psnr(&[in_light], &stored, &[0]) + 1e-9, "{value} {off}");
            }
        }
    }

    #[test]
    fn of_a_block_only_what_is_inside_counts() {
        let (block, mut stored) = ([[0; 4]; 16], [[0; 4]; 16]);
        stored[1] = [4, 0, 0, 0];
        stored[7] = [255; 4];
        let of = |size| StoredError::of_block(&Wanted::Same(4), size, &block, &stored);
        assert_eq!((of([3, 2]).largest, of([3, 2]).pixels), (4.0 / 255.0, 6));
        assert_eq!((of([4, 1]).largest, of([4, 1]).pixels), (4.0 / 255.0, 4));
        assert_eq!(of([4, 2]).largest, 1.0);
        assert_eq!(of([1, 4]), StoredError { pixels: 4, ..StoredError::default() });
    }
}
