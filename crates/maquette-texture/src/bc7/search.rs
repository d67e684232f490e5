//! Which modes are tried for which blocks.

#![allow(clippy::indexing_slicing)] // Numbers of blocks are those of the blocks at hand, and lanes are as many as vectors have.

use super::bits::Best;
use super::fit::{Care, Start};
use super::partition::{losses, triple_losses};
use super::rotated::{self, take_least};
use super::split::{self, Mode};
use super::{single, solid};
use crate::Quality;
use crate::lanes::{Block, LANES, Points, Real, choose, each_lane, from_lanes, load, real};
use fearless_simd::prelude::*;

/// What may be tried. Errors are sums of squared differences over a block.
pub(super) struct Effort {
    /// For one line through three channels.
    single: Care,
    /// For several lines.
    split: Care,
    /// For lines through all four channels, and with a channel apart.
    general: Care,
    /// Partitions to choose from, by about what is left with them.
    partitions: usize,
    /// Channels to try apart.
    rotations: usize,
    from: Thresholds,
}

/// Blocks with a smaller error are good enough.
struct Thresholds {
    /// Not to be tried with two lines.
    split: f32,
    /// With two lines through all four channels.
    split_general: f32,
    /// With three lines.
    triple: f32,
    /// With a channel apart, and if they are opaque.
    rotate: f32,
    rotate_opaque: f32,
    /// Two lines must promise to leave so much less.
    gain: f32,
}

const PLAIN: Start = Start { reversed: false, inset: [0.0; 2] };
const REVERSED: Start = Start { reversed: true, inset: [0.0; 2] };

const fn inset(first: f32, last: f32) -> Start {
    Start { reversed: false, inset: [first, last] }
}

const ONCE: Care = Care { starts: &[PLAIN], rounds: 0 };
const TWICE: Care = Care { starts: &[PLAIN, REVERSED], rounds: 1 };
const OFTEN: Care = Care { starts: &[REVERSED, inset(0.8, 0.0), inset(0.0, 0.8), inset(-0.4, -0.4)], rounds: 0 };
const MOST: Care = Care {
    starts: &[
        REVERSED,
        inset(0.8, 0.0),
        inset(0.0, 0.8),
        inset(-0.5, -0.5),
        inset(1.5, 0.5),
        inset(0.5, 1.5),
        inset(2.2, 0.0),
        inset(0.0, 2.2),
        inset(3.0, 0.0),
        inset(0.0, 3.0),
    ],
    rounds: 0,
};

impl Effort {
    pub fn new(quality: Quality) -> Effort {
        let never = f32::INFINITY;
        match quality {
            Quality::Fast => Effort {
                single: ONCE,
                split: ONCE,
                general: ONCE,
                partitions: 1,
                rotations: 1,
                from: Thresholds {
                    split: 400.0,
                    split_general: 400.0,
                    triple: never,
                    rotate: 64.0,
                    rotate_opaque: never,
                    gain: 0.0,
                },
            },
            Quality::Default => Effort {
                single: TWICE,
                split: TWICE,
                general: TWICE,
                partitions: 1,
                rotations: 1,
                from: Thresholds {
                    split: 64.0,
                    split_general: 64.0,
                    triple: never,
                    rotate: 32.0,
                    rotate_opaque: never,
                    gain: 0.0,
                },
            },
            Quality::High => Effort {
                single: MOST,
                split: MOST,
                general: OFTEN,
                partitions: 4,
                rotations: 1,
                from: Thresholds {
                    split: 40.0,
                    split_general: 400.0,
                    triple: 300.0,
                    rotate: 32.0,
                    rotate_opaque: 400.0,
                    gain: 10.0,
                },
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
    let plans = vec![Plan { partition: 0.0, left: 0.0 }; blocks.len()];
    let mut work = Work { simd, blocks, found, plans };
    search_opaque(&mut work, &kinds.opaque, effort);
    search_clear(&mut work, &kinds.clear, effort);
    search_general(&mut work, &kinds.general, effort);
}

/// What several lines promise for a block.
#[derive(Clone, Copy)]
struct Plan<T> {
    partition: T,
    /// About what is left with it.
    left: T,
}

struct Work<'a, S: Simd> {
    simd: S,
    blocks: &'a [Block],
    found: &'a mut Found,
    plans: Vec<Plan<f32>>,
}

/// Blocks that are encoded together.
struct Group<S: Simd> {
    points: Points<S, 4>,
    best: Best<S>,
    plan: Plan<Real<S>>,
}

impl<S: Simd> Work<'_, S> {
    /// Those of the blocks that are worth it, judging by their errors and plans.
    fn worth(&self, numbers: &[usize], worth: impl Fn(f32, &Plan<f32>) -> bool) -> Vec<usize> {
        let worth = |number: usize| Some(worth(*self.found.errors.get(number)?, self.plans.get(number)?));
        numbers.iter().copied().filter(|number| worth(*number) == Some(true)).collect()
    }

    /// Has something done with blocks.
    #[inline(always)]
    fn each(&mut self, numbers: &[usize], attempt: impl Fn(&mut Group<S>)) {
        for group in numbers.chunks(Real::<S>::LEN) {
            let simd = self.simd;
            simd.vectorize(
                #[inline(always)]
                || self.attempt(group, &attempt),
            );
        }
    }

    #[inline(always)]
    fn attempt(&mut self, numbers: &[usize], attempt: &impl Fn(&mut Group<S>)) {
        let simd = self.simd;
        let empty = [[0; 4]; 16];
        let mut members = [&empty; LANES];
        let [mut errors, mut partitions, mut left] = [[0.0; LANES]; 3];
        for (lane, &number) in numbers.iter().enumerate() {
            members[lane] = &self.blocks[number];
            errors[lane] = self.found.errors[number];
            partitions[lane] = self.plans[number].partition;
            left[lane] = self.plans[number].left;
        }
        let mut group = Group {
            points: load(simd, &members),
            best: Best { error: from_lanes(simd, &errors), blocks: [0; LANES] },
            plan: Plan { partition: from_lanes(simd, &partitions), left: from_lanes(simd, &left) },
        };
        attempt(&mut group);
        let errors = each_lane::<S, _>(group.best.error);
        let partitions = each_lane::<S, _>(group.plan.partition);
        let left = each_lane::<S, _>(group.plan.left);
        for (lane, &number) in numbers.iter().enumerate() {
            if errors[lane] < self.found.errors[number] {
                self.found.errors[number] = errors[lane];
                self.found.blocks[number] = group.best.blocks[lane];
            }
            self.plans[number] = Plan { partition: partitions[lane], left: left[lane] };
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

/// The best of the partitions that look best. Of a single one nothing more is asked.
#[inline(always)]
fn plan<S: Simd, const C: usize, const N: usize>(
    simd: S,
    points: &Points<S, C>,
    mode: Mode,
    losses: &mut [Real<S>; N],
    count: usize,
) -> Plan<Real<S>> {
    let mut best = Plan { partition: take_least(simd, losses), left: real(simd, 0.0) };
    if count > 1 {
        best.left = split::estimate(simd, points, mode, best.partition);
        for _ in 1..count {
            let partition = take_least(simd, losses);
            let left = split::estimate(simd, points, mode, partition);
            best.partition = choose::<S>(left.simd_lt(best.left), partition, best.partition);
            best.left = best.left.min(left);
        }
    }
    best
}

#[inline(always)]
fn search_opaque<S: Simd>(work: &mut Work<'_, S>, numbers: &[usize], effort: &Effort) {
    let (simd, from) = (work.simd, &effort.from);
    work.each(
        numbers,
        #[inline(always)]
        |group| single::level(simd, &colours::<S>(&group.points), Opacity::Full, &mut group.best, effort.single),
    );
    let mode = split::MODE_1;
    let those = work.worth(numbers, |error, _| error > from.split);
    work.each(
        &those,
        #[inline(always)]
        |group| {
            let points = colours::<S>(&group.points);
            let mut losses = losses::<S, 3, 9>(simd, &points, mode.steps());
            group.plan = plan(simd, &points, mode, &mut losses, effort.partitions);
        },
    );
    let those = work.worth(&those, |error, plan| error > plan.left + from.gain);
    work.each(
        &those,
        #[inline(always)]
        |group| {
            let points = colours::<S>(&group.points);
            split::offer(simd, &points, mode, group.plan.partition, &mut group.best, effort.split);
        },
    );
    let those = work.worth(numbers, |error, _| error > from.rotate_opaque);
    work.each(
        &those,
        #[inline(always)]
        |group| {
            let points = colours::<S>(&group.points);
            rotated::level(simd, &points, Opacity::Full, &mut group.best, effort.rotations, effort.general);
        },
    );
    let mode = split::MODE_0;
    let those = work.worth(numbers, |error, _| error > from.triple);
    work.each(
        &those,
        #[inline(always)]
        |group| {
            let points = colours::<S>(&group.points);
            let mut losses = triple_losses(simd, &points, mode.steps());
            let plan = plan(simd, &points, mode, &mut losses, effort.partitions);
            split::offer(simd, &points, mode, plan.partition, &mut group.best, effort.split);
        },
    );
}

#[inline(always)]
fn search_clear<S: Simd>(work: &mut Work<'_, S>, numbers: &[usize], effort: &Effort) {
    let (simd, from) = (work.simd, &effort.from);
    work.each(
        numbers,
        #[inline(always)]
        |group| single::level(simd, &colours::<S>(&group.points), Opacity::None, &mut group.best, effort.single),
    );
    let those = work.worth(numbers, |error, _| error > from.rotate);
    work.each(
        &those,
        #[inline(always)]
        |group| {
            let points = colours::<S>(&group.points);
            rotated::level(simd, &points, Opacity::None, &mut group.best, effort.rotations, effort.general);
        },
    );
    let mode = split::MODE_7_CLEAR;
    let those = work.worth(&those, |error, _| error > from.split_general);
    work.each(
        &those,
        #[inline(always)]
        |group| {
            let points = colours::<S>(&group.points);
            let mut losses = losses::<S, 3, 9>(simd, &points, mode.steps());
            let plan = plan(simd, &points, mode, &mut losses, effort.partitions);
            split::offer(simd, &points, mode, plan.partition, &mut group.best, effort.split);
        },
    );
}

#[inline(always)]
fn search_general<S: Simd>(work: &mut Work<'_, S>, numbers: &[usize], effort: &Effort) {
    let (simd, from) = (work.simd, &effort.from);
    work.each(
        numbers,
        #[inline(always)]
        |group| single::general(simd, &group.points, &mut group.best, effort.general),
    );
    let those = work.worth(numbers, |error, _| error > from.rotate);
    work.each(
        &those,
        #[inline(always)]
        |group| rotated::general(simd, &group.points, &mut group.best, effort.rotations, effort.general),
    );
    let mode = split::MODE_7;
    let those = work.worth(&those, |error, _| error > from.split_general);
    work.each(
        &those,
        #[inline(always)]
        |group| {
            let mut losses = losses::<S, 4, 14>(simd, &group.points, mode.steps());
            group.plan = plan(simd, &group.points, mode, &mut losses, effort.partitions);
        },
    );
    let those = work.worth(&those, |error, plan| error > plan.left + from.gain);
    work.each(
        &those,
        #[inline(always)]
        |group| split::offer(simd, &group.points, mode, group.plan.partition, &mut group.best, effort.general),
    );
}
