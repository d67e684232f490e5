//! Which modes are tried for which blocks.

#![allow(clippy::indexing_slicing)] // Numbers of blocks are those of the blocks at hand, and lanes are as many as vectors have.

use super::bits::Best;
use super::fit::{Care, Choice, Start};
use super::partition::{losses, triple_losses};
use super::rotated::{self, take_least};
use super::split::{self, Mode};
use super::{single, solid};
use crate::Quality;
use crate::lanes::{Block, LANES, Points, Real, choose, each_lane, from_lanes, load, real};
use fearless_simd::prelude::*;

/// What may be tried.
pub(super) struct Effort {
    opaque: Ways,
    other: Ways,
}

/// What may be tried for blocks of a kind. Errors are sums of squared differences over a block.
#[derive(Clone, Copy)]
struct Ways {
    /// For one line through all channels, or for several.
    care: Care,
    /// With a channel apart.
    rotated: Care,
    /// Partitions to choose from, by about what is left with them.
    partitions: usize,
    from: Thresholds,
}

/// Blocks with a smaller error are good enough.
#[derive(Clone, Copy)]
struct Thresholds {
    /// Not to be tried with two lines.
    split: f32,
    /// With three lines.
    triple: f32,
    /// With a channel apart.
    rotate: f32,
    /// Several lines must promise to leave so much less.
    gain: f32,
}

const PLAIN: Start = Start { reversed: false, inset: [0.0; 2] };
const REVERSED: Start = Start { reversed: true, inset: [0.0; 2] };

const fn inset(first: f32, last: f32) -> Start {
    Start { reversed: false, inset: [first, last] }
}

const ONCE: Care = Care { starts: &[PLAIN], choice: Choice::Error { improvements: 0 } };
const TWICE: Care = Care { starts: &[PLAIN, REVERSED], choice: Choice::Error { improvements: 1 } };
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
    choice: Choice::Error { improvements: 0 },
};
/// Estimates mostly tell which is the best where steps are few, as they are with a channel apart.
const OFTEN: Care = Care {
    starts: &[PLAIN, inset(-0.4, 0.0), inset(0.0, -0.4), inset(-0.4, -0.4), inset(0.8, 0.0), inset(0.0, 0.8)],
    choice: Choice::Estimate,
};

impl Effort {
    pub fn new(quality: Quality) -> Effort {
        let never = f32::INFINITY;
        match quality {
            Quality::Fast => Effort::plain(ONCE, 400.0, 64.0),
            Quality::Default => Effort::plain(TWICE, 64.0, 32.0),
            Quality::High => Effort {
                opaque: Ways {
                    care: MOST,
                    rotated: OFTEN,
                    partitions: 4,
                    from: Thresholds { split: 40.0, triple: 300.0, rotate: 400.0, gain: 10.0 },
                },
                other: Ways {
                    care: OFTEN,
                    rotated: OFTEN,
                    partitions: 2,
                    from: Thresholds { split: 400.0, triple: never, rotate: 32.0, gain: 10.0 },
                },
            },
        }
    }

    /// The same care for all lines, one partition, and a channel apart only in blocks that are not opaque.
    fn plain(care: Care, split: f32, rotate: f32) -> Effort {
        let never = f32::INFINITY;
        let ways = |rotate| {
            let from = Thresholds { split, triple: never, rotate, gain: 0.0 };
            Ways { care, rotated: care, partitions: 1, from }
        };
        Effort { opaque: ways(never), other: ways(rotate) }
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
    search_opaque(&mut work, &kinds.opaque, effort.opaque);
    let clear = Task { kind: Level(Opacity::None), numbers: &kinds.clear, ways: effort.other };
    search_other(&mut work, &clear, split::MODE_7_CLEAR);
    let general = Task { kind: General, numbers: &kinds.general, ways: effort.other };
    search_other(&mut work, &general, split::MODE_7);
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

/// Blocks that are alike in their opacity, and the `C` channels to look after in them.
trait Kind<S: Simd, const C: usize>: Copy {
    fn points(self, group: &Group<S>) -> Points<S, C>;
    fn losses(self, simd: S, points: &Points<S, C>, steps: f32) -> [Real<S>; 64];
    fn single(self, simd: S, points: &Points<S, C>, best: &mut Best<S>, care: Care);
    fn rotated(self, simd: S, points: &Points<S, C>, best: &mut Best<S>, care: Care);
}

/// Of the same opacity everywhere.
#[derive(Clone, Copy)]
struct Level(Opacity);

/// With opacities of all kinds.
#[derive(Clone, Copy)]
struct General;

impl<S: Simd> Kind<S, 3> for Level {
    #[inline(always)]
    fn points(self, group: &Group<S>) -> Points<S, 3> {
        let [[first, ..], ..] = group.points;
        let mut colours = [[first; 3]; 16];
        for (to, [r, g, b, _]) in colours.iter_mut().zip(&group.points) {
            *to = [*r, *g, *b];
        }
        colours
    }

    #[inline(always)]
    fn losses(self, simd: S, points: &Points<S, 3>, steps: f32) -> [Real<S>; 64] {
        losses::<S, 3, 9>(simd, points, steps)
    }

    #[inline(always)]
    fn single(self, simd: S, points: &Points<S, 3>, best: &mut Best<S>, care: Care) {
        single::level(simd, points, self.0, best, care);
    }

    #[inline(always)]
    fn rotated(self, simd: S, points: &Points<S, 3>, best: &mut Best<S>, care: Care) {
        rotated::level(simd, points, self.0, best, care);
    }
}

impl<S: Simd> Kind<S, 4> for General {
    #[inline(always)]
    fn points(self, group: &Group<S>) -> Points<S, 4> {
        group.points
    }

    #[inline(always)]
    fn losses(self, simd: S, points: &Points<S, 4>, steps: f32) -> [Real<S>; 64] {
        losses::<S, 4, 14>(simd, points, steps)
    }

    #[inline(always)]
    fn single(self, simd: S, points: &Points<S, 4>, best: &mut Best<S>, care: Care) {
        single::general(simd, points, best, care);
    }

    #[inline(always)]
    fn rotated(self, simd: S, points: &Points<S, 4>, best: &mut Best<S>, care: Care) {
        rotated::general(simd, points, best, care);
    }
}

/// Blocks of a kind, and what may be tried for them.
struct Task<'a, K> {
    kind: K,
    numbers: &'a [usize],
    ways: Ways,
}

impl<S: Simd> Work<'_, S> {
    #[inline(always)]
    fn single<const C: usize>(&mut self, task: &Task<'_, impl Kind<S, C>>) {
        let (simd, kind) = (self.simd, task.kind);
        self.each(
            task.numbers,
            #[inline(always)]
            |group| kind.single(simd, &kind.points(group), &mut group.best, task.ways.care),
        );
    }

    #[inline(always)]
    fn rotated<const C: usize>(&mut self, task: &Task<'_, impl Kind<S, C>>) {
        let (simd, kind) = (self.simd, task.kind);
        let those = self.worth(task.numbers, |error, _| error > task.ways.from.rotate);
        self.each(
            &those,
            #[inline(always)]
            |group| kind.rotated(simd, &kind.points(group), &mut group.best, task.ways.rotated),
        );
    }

    /// Two lines.
    #[inline(always)]
    fn split<const C: usize>(&mut self, task: &Task<'_, impl Kind<S, C>>, mode: Mode) {
        let (simd, kind) = (self.simd, task.kind);
        self.partitioned(
            task,
            mode,
            task.ways.from.split,
            #[inline(always)]
            |points| kind.losses(simd, points, mode.steps()),
        );
    }

    /// Three lines.
    #[inline(always)]
    fn triple(&mut self, task: &Task<'_, impl Kind<S, 3>>) {
        let (simd, mode) = (self.simd, split::MODE_0);
        self.partitioned(
            task,
            mode,
            task.ways.from.triple,
            #[inline(always)]
            |points| triple_losses(simd, points, mode.steps()),
        );
    }

    #[inline(always)]
    fn partitioned<const C: usize, const N: usize>(
        &mut self,
        task: &Task<'_, impl Kind<S, C>>,
        mode: Mode,
        from: f32,
        losses: impl Fn(&Points<S, C>) -> [Real<S>; N],
    ) {
        let (simd, kind, ways) = (self.simd, task.kind, task.ways);
        let those = self.worth(task.numbers, |error, _| error > from);
        self.each(
            &those,
            #[inline(always)]
            |group| {
                let points = kind.points(group);
                group.plan = plan(simd, &points, mode, &mut losses(&points), ways.partitions);
            },
        );
        let those = self.worth(&those, |error, plan| error > plan.left + ways.from.gain);
        self.each(
            &those,
            #[inline(always)]
            |group| {
                split::offer(simd, &kind.points(group), mode, group.plan.partition, &mut group.best, ways.care);
            },
        );
    }
}

#[inline(always)]
fn search_opaque<S: Simd>(work: &mut Work<'_, S>, numbers: &[usize], ways: Ways) {
    let task = Task { kind: Level(Opacity::Full), numbers, ways };
    work.single(&task);
    work.split(&task, split::MODE_1);
    work.rotated(&task);
    work.triple(&task);
}

#[inline(always)]
fn search_other<S: Simd, const C: usize>(work: &mut Work<'_, S>, task: &Task<'_, impl Kind<S, C>>, mode: Mode) {
    work.single(task);
    work.rotated(task);
    work.split(task, mode);
}
