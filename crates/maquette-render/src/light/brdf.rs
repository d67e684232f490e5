//! The microfacet model of metals and plastics: GGX facets, the shadows they cast on each other, and how much of all light they reflect.

use crate::maths::{at, mix};
use std::f32::consts::{FRAC_1_PI, TAU};
use std::sync::LazyLock;

/// How many facets lie that way, by the cosine to the normal.
pub(super) fn facets(cosine: f32, alpha: f32) -> f32 {
    let square = alpha * alpha;
    let bend = cosine * cosine * (square - 1.0) + 1.0;
    square * FRAC_1_PI / (bend * bend).max(1e-9)
}

/// How many of them are seen and lit, divided by `4 · facing · lit`.
pub(super) fn visibility(facing: f32, lit: f32, alpha: f32) -> f32 {
    let square = alpha * alpha;
    let view = lit * (facing * facing * (1.0 - square) + square).sqrt();
    let light = facing * (lit * lit * (1.0 - square) + square).sqrt();
    0.5 / (view + light).max(1e-6)
}

/// How much of all light is reflected towards the viewer: `colour at normal · scale + bias`, by facing and roughness.
pub(crate) struct Split {
    pub values: Vec<[f32; 2]>,
}

/// Steps of facing and of roughness.
pub(crate) const SIDE: usize = 24;
const SAMPLES: u32 = 48;

static TABLE: LazyLock<Split> = LazyLock::new(Split::new);

impl Split {
    /// Made once, in less than a millisecond.
    pub fn table() -> &'static Split {
        &TABLE
    }

    fn new() -> Split {
        let turns: Vec<(f32, f32)> = (0..SAMPLES)
            .map(|sample| {
                let around = (sample as f32 + 0.5) / SAMPLES as f32;
                // The bits of the number backwards: evenly spread, and in another order than the angles.
                let along = (sample.reverse_bits() >> 8) as f32 / (1 << 24) as f32 + 0.5 / SAMPLES as f32;
                (libm::cosf(TAU * around), along)
            })
            .collect();
        let step = |index: usize| index as f32 / (SIDE - 1) as f32;
        let values = (0..SIDE * SIDE).map(|place| {
            let (facing, roughness) = (step(place % SIDE).max(0.01), step(place / SIDE).max(0.03));
            reflected(facing, roughness * roughness, &turns)
        });
        Split { values: values.collect() }
    }

    pub fn look_up(&self, facing: f32, roughness: f32) -> [f32; 2] {
        let place = |value: f32| {
            let value = value.clamp(0.0, 1.0) * (SIDE - 1) as f32;
            let first = (value as usize).min(SIDE - 2);
            (first, value - first as f32)
        };
        let ((x, right), (y, down)) = (place(facing), place(roughness));
        let cell = |x: usize, y: usize| at(&self.values, y * SIDE + x);
        let [a, b, c, d] = [cell(x, y), cell(x + 1, y), cell(x, y + 1), cell(x + 1, y + 1)];
        [0, 1].map(|part: usize| {
            let [a, b, c, d] = [a, b, c, d].map(|cell| at(&cell, part));
            mix(mix(a, b, right), mix(c, d, right), down)
        })
    }
}

fn reflected(facing: f32, alpha: f32, turns: &[(f32, f32)]) -> [f32; 2] {
    let side = (1.0 - facing * facing).max(0.0).sqrt();
    let mut sums = [0.0, 0.0];
    for &(turn, along) in turns {
        let cosine = ((1.0 - along) / (1.0 + (alpha * alpha - 1.0) * along)).max(0.0).sqrt();
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        let view_half = (side * sine * turn + facing * cosine).max(0.0);
        let lit = 2.0 * view_half * cosine - facing;
        if lit > 0.0 {
            let seen = visibility(facing, lit, alpha) * 4.0 * lit * view_half / cosine.max(1e-4);
            let fresnel = crate::maths::fifth_below_one(view_half);
            sums[0] += (1.0 - fresnel) * seen;
            sums[1] += fresnel * seen;
        }
    }
    sums.map(|sum| sum / turns.len() as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_mirrors_reflect_everything_and_nothing_reflects_more() {
        let table = Split::table();
        for step in 1..=20 {
            let facing = step as f32 / 20.0;
            let [scale, bias] = table.look_up(facing, 0.0);
            assert!((scale + bias - 1.0).abs() < 0.04, "{facing} {scale} {bias}");
            for rough in 0..=10 {
                let [scale, bias] = table.look_up(facing, rough as f32 / 10.0);
                assert!(scale >= 0.0 && bias >= 0.0 && scale + bias < 1.03);
            }
        }
        // Seen head-on and fully rough, a white metal loses about a third between its facets.
        let [scale, bias] = table.look_up(1.0, 1.0);
        assert!((0.3..0.75).contains(&(scale + bias)), "{scale} {bias}");
    }
}
