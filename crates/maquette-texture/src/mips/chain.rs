//! The levels below a picture whose rows come one after the other: neither it nor they have to be there as a whole.

use super::shrink::Shrink;
use super::{
    Content, level_count, level_size, narrow_colour, narrow_normal, narrow_number, narrow_srgb, widen_colour,
    widen_normal, widen_number, widen_srgb,
};

/// The levels below a picture, row by row. Each row is made of those above it as soon as they are there.
pub struct Chain {
    content: Content,
    width: usize,
    /// From the picture to the first level.
    first: Option<Shrink<[u8; 4]>>,
    /// From each level to the next.
    rest: Vec<Shrink<[f32; 4]>>,
    /// What cut-outs have to wait for.
    coverage: Coverage,
}

impl Chain {
    /// Of a picture of this size.
    pub fn new([width, height]: [u32; 2], content: Content) -> Chain {
        let size = |level| level_size(width, height, level);
        let count = level_count(width, height);
        Chain {
            content,
            width: width as usize,
            first: (count > 1).then(|| Shrink::new(size(0), size(1))),
            rest: (2..count).map(|level| Shrink::new(size(level - 1), size(level))).collect(),
            coverage: Coverage::default(),
        }
    }

    /// Takes the next rows of the picture. `take` gets the rows of the levels in their order, with the number of the level, the first below the
    /// picture being 1; those of cut-outs come in the end.
    pub fn push(&mut self, rows: &[[u8; 4]], take: &mut dyn FnMut(u32, &[[u8; 4]])) {
        // A loop of its own for each, which the compiler can make vectors of.
        match self.content {
            Content::Data => self.shrink(rows, widen_number, narrow_number, take),
            Content::Blended => self.shrink(rows, widen_colour, narrow_colour, take),
            Content::SrgbColour => self.shrink(rows, widen_srgb, narrow_srgb, take),
            Content::Normals => self.shrink(rows, widen_normal, narrow_normal, take),
            Content::CutOut => {
                let mut coverage = std::mem::take(&mut self.coverage);
                coverage.count(rows);
                let narrow = |value: [f32; 4]| value;
                self.shrink(rows, widen_colour, narrow, &mut |level, row| coverage.hold(level, row));
                self.coverage = coverage;
            }
        }
    }

    /// There are no more rows.
    pub fn finish(&mut self, take: &mut dyn FnMut(u32, &[[u8; 4]])) {
        let width = |level: u32| self.width.checked_shr(level).unwrap_or(0).max(1);
        std::mem::take(&mut self.coverage).release(width, take);
    }

    fn shrink<P>(
        &mut self,
        rows: &[[u8; 4]],
        widen: impl Fn([u8; 4]) -> [f32; 4],
        narrow: impl Fn([f32; 4]) -> P,
        take: &mut dyn FnMut(u32, &[P]),
    ) {
        let Some(first) = &mut self.first else { return };
        let (mut values, mut smaller, mut pixels) = (Vec::new(), Vec::new(), Vec::new());
        let mut give = |level: u32, values: &[[f32; 4]]| {
            pixels.clear();
            pixels.extend(values.iter().map(|value| narrow(*value)));
            take(level, &pixels);
        };
        for row in rows.chunks_exact(self.width) {
            if !first.push(row, &widen, &mut values) {
                continue;
            }
            give(1, &values);
            for (level, shrink) in (2..).zip(&mut self.rest) {
                if !shrink.push(&values, |value| value, &mut smaller) {
                    break;
                }
                std::mem::swap(&mut values, &mut smaller);
                give(level, &values);
            }
        }
    }
}

/// How much of a cut-out is there; its levels wait until that is known of all of it.
#[derive(Default)]
struct Coverage {
    pixels: usize,
    covered: usize,
    levels: Vec<Waiting>,
}

/// A level whose opacity is not yet what it will be.
#[derive(Default)]
struct Waiting {
    pixels: Vec<[u8; 4]>,
    opacities: Vec<f32>,
}

impl Coverage {
    fn count(&mut self, rows: &[[u8; 4]]) {
        self.pixels += rows.len();
        self.covered += rows.iter().filter(|[.., a]| *a >= 128).count();
    }

    fn hold(&mut self, level: u32, row: &[[f32; 4]]) {
        if self.levels.len() < level as usize {
            self.levels.push(Waiting::default());
        }
        if let Some(level) = self.levels.get_mut(level as usize - 1) {
            level.pixels.extend(row.iter().map(|value| narrow_colour(*value)));
            level.opacities.extend(row.iter().map(|[.., a]| *a));
        }
    }

    fn release(self, width: impl Fn(u32) -> usize, take: &mut dyn FnMut(u32, &[[u8; 4]])) {
        let covered = self.covered as f64 / self.pixels as f64;
        for (number, Waiting { mut pixels, opacities }) in (1..).zip(self.levels) {
            let gain = opacity_gain(&opacities, covered);
            for ([.., a], opacity) in pixels.iter_mut().zip(&opacities) {
                *a = (opacity * gain * 255.0 + 0.5) as u8;
            }
            pixels.chunks(width(number)).for_each(|row| take(number, row));
        }
    }
}

/// What opacity must be multiplied by so that this part is at least half opaque, as nearly as possible.
fn opacity_gain(opacities: &[f32], covered: f64) -> f32 {
    // What is written is rounded to eight bits, of which 128 is the first from the half on.
    const HALF: f32 = 127.6 / 255.0;
    let wanted = (covered * opacities.len() as f64).round() as usize;
    let count = |gain: f32| opacities.iter().filter(|&opacity| opacity * gain >= HALF).count();
    let as_is = count(1.0);
    if as_is == wanted || wanted == 0 {
        return 1.0;
    }
    let at = opacities.len().saturating_sub(wanted);
    if at >= opacities.len() {
        return 1.0;
    }
    let mut in_order = opacities.to_vec();
    let (_, &mut threshold, _) = in_order.select_nth_unstable_by(at, f32::total_cmp);
    let gain = HALF * 1.0001 / threshold.max(1e-3);
    if count(gain).abs_diff(wanted) < as_is.abs_diff(wanted) { gain } else { 1.0 }
}
