//! Which modes are tried for which blocks.

use super::bits::Best;
use super::fit::Care;
use super::partition::{Chosen, losses};
use super::rotated::{self, take_least};
use super::split::{self, Mode};
use super::{single, solid};
use crate::Quality;
use crate::lanes::{Block, LANES, Points, Real, each_lane, from_lanes, load};
use fearless_simd::prelude::*;

/// What may be tried. Errors are sums of squared differences over a block.
pub(super) struct Effort {
    care: Care,
    /// Blocks with a smaller error are good enough after one line.
    split_from: f32,
    /// Partitions to try.
    partitions: usize,
    /// Blocks with a smaller error are not tried with a channel apart.
    rotate_from: f32,
    /// Channels to try apart.
    rotations: usize,
    /// Opaque blocks with a smaller error are not tried with a channel apart.
    opaque_rotate_from: f32,
    /// Blocks with a smaller error are not tried with two coarse lines.
    coarse_from: f32,
}

impl Effort {
    pub fn new(quality: Quality) -> Effort {
        match quality {
            Quality::Fast => Effort {
                care: Care { starts: 1, rounds: 0 },
                split_from: 400.0,
                partitions: 1,
                rotate_from: 64.0,
                rotations: 1,
                opaque_rotate_from: f32::INFINITY,
                coarse_from: f32::INFINITY,
            },
            Quality::Default => Effort {
                care: Care { starts: 2, rounds: 1 },
                split_from: 64.0,
                partitions: 1,
                rotate_from: 32.0,
                rotations: 1,
                opaque_rotate_from: f32::INFINITY,
                coarse_from: f32::INFINITY,
            },
            Quality::High => Effort {
                care: Care { starts: 4, rounds: 1 },
                split_from: 8.0,
                partitions: 6,
                rotate_from: 8.0,
                rotations: 4,
                opaque_rotate_from: 8.0,
                coarse_from: 8.0,
            },
        }
    }
}

/// An opacity that all pixels of a block have, and that is to stay exact.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Opacity {
    None,
    Full,
}

impl Opacity {
    /// All bits of it.
    pub fn bit(self) -> u8 {
        match self {
            Opacity::None => 0,
            Opacity::Full => 1,
        }
    }
}

/// The best of each block, and its error.
pub(super) struct Found {
    pub errors: Vec<f32>,
    pub blocks: Vec<u128>,
}

impl Found {
    pub fn new(count: usize) -> Found {
        Found { errors: vec![f32::MAX; count], blocks: vec![0; count] }
    }
}

/// Numbers of blocks by their opacity. Blocks of one colour are in none.
#[derive(Default)]
struct Kinds {
    opaque: Vec<usize>,
    clear: Vec<usize>,
    general: Vec<usize>,
}

fn sort(blocks: &[Block], found: &mut Found) -> Kinds {
    let mut kinds = Kinds::default();
    for (number, block) in blocks.iter().enumerate() {
        let [first, ..] = *block;
        if block.iter().fold(0, |all, pixel| all | u32::from_le_bytes(*pixel) ^ u32::from_le_bytes(first)) == 0 {
            if let (Some(error), Some(target)) = (found.errors.get_mut(number), found.blocks.get_mut(number)) {
                (*error, *target) = (0.0, solid::encode(first));
            }
        } else if block.iter().fold(255, |all, pixel| all & pixel[3]) == 255 {
            kinds.opaque.push(number);
        } else if block.iter().fold(0, |all, pixel| all | pixel[3]) == 0 {
            kinds.clear.push(number);
        } else {
            kinds.general.push(number);
        }
    }
    kinds
}

/// Finds a good block for each.
#[inline(always)]
pub(super) fn search<S: Simd>(simd: S, blocks: &[Block], effort: &Effort, found: &mut Found) {
    let kinds = sort(blocks, found);
    let mut work = Work { simd, blocks, found };
    for (numbers, opacity) in [(kinds.opaque, Opacity::Full), (kinds.clear, Opacity::None)] {
        search_level(&mut work, numbers, opacity, effort);
    }
    search_general(&mut work, kinds.general, effort);
}

struct Work<'a, S: Simd> {
    simd: S,
    blocks: &'a [Block],
    found: &'a mut Found,
}

impl<S: Simd> Work<'_, S> {
    /// Has a mode tried for those of the blocks that have at least this error.
    #[inline(always)]
    fn each(&mut self, numbers: &mut Vec<usize>, from: f32, attempt: impl Fn(&Points<S, 4>, &mut Best<S>)) {
        if from == f32::INFINITY {
            return;
        }
        numbers.retain(|number| self.found.errors.get(*number).is_some_and(|error| *error > from));
        for group in numbers.chunks(Real::<S>::LEN) {
            let simd = self.simd;
            simd.vectorize(
                #[inline(always)]
                || self.attempt(group, &attempt),
            );
        }
    }

    #[inline(always)]
    fn attempt(&mut self, group: &[usize], attempt: &impl Fn(&Points<S, 4>, &mut Best<S>)) {
        let empty = [[0; 4]; 16];
        let mut members = [&empty; LANES];
        let mut best = Best::new(self.simd);
        let mut errors = [0.0; LANES];
        for ((member, error), &number) in members.iter_mut().zip(&mut errors).zip(group) {
            *member = self.blocks.get(number).unwrap_or(&empty);
            *error = self.found.errors.get(number).copied().unwrap_or_default();
        }
        best.error = from_lanes(self.simd, &errors);
        let points = load(self.simd, &members);
        attempt(&points, &mut best);
        let improved = each_lane::<S, _>(best.error).into_iter().zip(best.blocks);
        for ((error, block), &number) in improved.zip(group) {
            if let (Some(old), Some(target)) = (self.found.errors.get_mut(number), self.found.blocks.get_mut(number))
                && error < *old
            {
                (*old, *target) = (error, block);
            }
        }
    }
}

#[inline(always)]
fn colours<S: Simd>(points: &Points<S, 4>) -> Points<S, 3> {
    let [[first, ..], ..] = *points;
    let mut colours = [[first; 3]; 16];
    for (to, [r, g, b, _]) in colours.iter_mut().zip(points) {
        *to = [*r, *g, *b];
    }
    colours
}

/// Two lines, with the partitions that look best.
#[inline(always)]
fn split_level<S: Simd>(simd: S, points: &Points<S, 4>, mode: Mode, best: &mut Best<S>, effort: &Effort) {
    let points = colours::<S>(points);
    let mut losses = losses::<S, 3, 9>(simd, &points, mode.steps());
    for _ in 0..effort.partitions {
        let chosen = Chosen::new(simd, take_least(simd, &mut losses));
        split::offer(simd, &points, mode, &chosen, best, effort.care);
    }
}

#[inline(always)]
fn search_level<S: Simd>(work: &mut Work<'_, S>, mut numbers: Vec<usize>, opacity: Opacity, effort: &Effort) {
    let simd = work.simd;
    work.each(
        &mut numbers,
        -1.0,
        #[inline(always)]
        |points, best| single::level(simd, &colours::<S>(points), opacity, best, effort.care),
    );
    let modes: &[_] = match opacity {
        Opacity::Full => &[
            Attempt::Split(split::MODE_1, effort.split_from),
            Attempt::Split(split::MODE_3, effort.coarse_from),
            Attempt::Rotated(effort.opaque_rotate_from),
        ],
        Opacity::None => {
            &[Attempt::Rotated(effort.rotate_from), Attempt::Split(split::MODE_7_CLEAR, effort.split_from)]
        }
    };
    for &mode in modes {
        match mode {
            Attempt::Split(mode, from) => work.each(
                &mut numbers,
                from,
                #[inline(always)]
                |points, best| split_level(simd, points, mode, best, effort),
            ),
            Attempt::Rotated(from) => work.each(
                &mut numbers,
                from,
                #[inline(always)]
                |points, best| {
                    let rotations = effort.rotations.min(3);
                    rotated::level(simd, &colours::<S>(points), opacity, best, rotations, effort.care);
                },
            ),
        }
    }
}

/// Modes to try for blocks with at least this error.
#[derive(Clone, Copy)]
enum Attempt {
    Split(Mode, f32),
    Rotated(f32),
}

#[inline(always)]
fn search_general<S: Simd>(work: &mut Work<'_, S>, mut numbers: Vec<usize>, effort: &Effort) {
    let simd = work.simd;
    work.each(
        &mut numbers,
        -1.0,
        #[inline(always)]
        |points, best| single::general(simd, points, best, effort.care),
    );
    work.each(
        &mut numbers,
        effort.rotate_from,
        #[inline(always)]
        |points, best| rotated::general(simd, points, best, effort.rotations, effort.care),
    );
    work.each(
        &mut numbers,
        effort.split_from,
        #[inline(always)]
        |points, best| {
            let mut losses = losses::<S, 4, 14>(simd, points, split::MODE_7.steps());
            for _ in 0..effort.partitions {
                let chosen = Chosen::new(simd, take_least(simd, &mut losses));
                split::offer(simd, points, split::MODE_7, &chosen, best, effort.care);
            }
        },
    );
}
