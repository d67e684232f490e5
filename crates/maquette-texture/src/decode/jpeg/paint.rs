//! Pixels from coefficients, a row of units after the other.

use super::coefficients::{Coefficients, Grid};
use super::colour::Colours;
use super::segments::Frame;
use super::tables::Factors;
use super::transform::samples;
use super::upsample::{Stretch, double, mix_rows, repeat};
use crate::lanes::vectorized;
use fearless_simd::Level;
use fearless_simd::prelude::*;
use rayon::prelude::*;
use std::ops::Range;

/// Rows of samples that are kept of the row of units before: pixels may lie between samples of both.
const KEPT: usize = 2;

/// What pixels are made with.
pub struct Painter<'f> {
    frame: &'f Frame,
    /// Of each component.
    factors: Vec<Factors>,
    stretches: Vec<Stretch>,
    colours: Colours,
    level: Level,
    /// Rows of pixels that wait for the next row of units.
    waiting: usize,
}

/// The samples of one row of units, and where rows of pixels are made.
pub struct Canvas {
    planes: Vec<Plane>,
}

struct Plane {
    /// Samples in a row, with those that lie outside the picture.
    stride: usize,
    /// The rows that are kept, and those of the row of units.
    samples: Vec<u8>,
    /// Which row of the component is the first that is not only kept.
    first: usize,
    /// Rows of the whole component.
    rows: usize,
    /// A row between two, and one as wide as the picture.
    between: Vec<u8>,
    wide: Vec<u8>,
}

impl<'f> Painter<'f> {
    pub fn new(frame: &'f Frame, factors: Vec<Factors>, colours: Colours) -> Painter<'f> {
        let most = frame.most_blocks();
        let stretches: Vec<_> = frame.components.iter().map(|component| Stretch::new(component.blocks, most)).collect();
        let waiting = if stretches.iter().any(|stretch| stretch.mixes_rows()) { KEPT } else { 0 };
        Painter { frame, factors, stretches, colours, level: Level::new(), waiting }
    }

    pub fn canvas(&self) -> Canvas {
        let [units_across, units_down] = self.frame.units();
        let [most_across, _] = self.frame.most_blocks();
        let plane = |[across, down]: [usize; 2]| {
            let stride = 8 * units_across * across;
            let samples = vec![0; stride * (KEPT + 8 * down)];
            let wide = vec![0; 8 * units_across * most_across];
            Plane { stride, samples, first: 0, rows: 8 * units_down * down, between: vec![0; stride], wide }
        };
        Canvas { planes: self.frame.components.iter().map(|component| plane(component.blocks)).collect() }
    }

    /// The rows of pixels that are painted with a row of units.
    pub fn painted(&self, row: usize) -> Range<usize> {
        let [_, height] = self.frame.size;
        let [_, rows] = self.frame.units();
        let [_, down] = self.frame.most_blocks();
        let end = |rows: usize| (8 * down * rows).saturating_sub(self.waiting);
        end(row)..if row + 1 == rows { height } else { end(row + 1) }
    }

    /// Paints what the next rows of units show. The first of them is this one of the coefficients.
    pub fn paint(
        &self,
        canvas: &mut Canvas,
        rows: Range<usize>,
        first: usize,
        coefficients: &Coefficients,
        pixels: &mut [[u8; 4]],
    ) {
        let [width, _] = self.frame.size;
        let mut pixels = pixels.chunks_exact_mut(width);
        for (row, of_coefficients) in rows.zip(first..) {
            let ys = self.painted(row);
            vectorized!(self.level, simd => {
                self.transform(simd, canvas, row, of_coefficients, coefficients);
                for (y, pixels) in ys.zip(&mut pixels) {
                    self.paint_row(canvas, y, pixels);
                }
            });
        }
    }

    /// Paints all rows, on all cores.
    pub fn paint_all(&self, coefficients: &Coefficients, pixels: &mut [[u8; 4]]) {
        let [width, _] = self.frame.size;
        let [_, rows] = self.frame.units();
        let share = rows.div_ceil(2 * rayon::current_num_threads()).max(1);
        let share = if rayon::current_num_threads() == 1 { rows } else { share };
        let (mut shares, mut rest) = (Vec::new(), pixels);
        for first in (0..rows).step_by(share) {
            let range = first..rows.min(first + share);
            let count = self.painted(range.end - 1).end - self.painted(first).start;
            let (pixels, after) = std::mem::take(&mut rest).split_at_mut_checked(count * width).unwrap_or_default();
            shares.push((range, pixels));
            rest = after;
        }
        shares.into_par_iter().for_each(|(range, pixels)| {
            let mut canvas = self.canvas();
            if let Some(before) = range.start.checked_sub(1) {
                vectorized!(self.level, simd => self.transform(simd, &mut canvas, before, before, coefficients));
            }
            self.paint(&mut canvas, range.clone(), range.start, coefficients, pixels);
        });
    }

    /// Makes samples of a row of units.
    #[inline(always)]
    fn transform<S: Simd>(
        &self,
        simd: S,
        canvas: &mut Canvas,
        row: usize,
        of_coefficients: usize,
        coefficients: &Coefficients,
    ) {
        let components = self.frame.components.iter().zip(&self.factors);
        for ((plane, grid), (component, factors)) in canvas.planes.iter_mut().zip(&coefficients.grids).zip(components) {
            let [_, down] = component.blocks;
            let Plane { stride, samples: of_plane, first, .. } = plane;
            *first = row * 8 * down;
            of_plane.copy_within(*stride * 8 * down.., 0);
            let Grid { stride: blocks_across, blocks, present } = grid;
            let from = of_coefficients * down * blocks_across;
            let blocks = blocks.get(from..).unwrap_or_default().chunks_exact(*blocks_across);
            let present = present.get(from..).unwrap_or_default().chunks_exact(*blocks_across);
            let made = of_plane.get_mut(KEPT * *stride..).unwrap_or_default().chunks_exact_mut(8 * *stride);
            for ((blocks, present), made) in blocks.zip(present).zip(made) {
                let mut rows: [&mut [[u8; 8]]; 8] = Default::default();
                for (row, made) in rows.iter_mut().zip(made.chunks_exact_mut(*stride)) {
                    *row = made.as_chunks_mut().0;
                }
                for (at, (block, &present)) in blocks.iter().zip(present).enumerate() {
                    let made = samples(simd, block, present, factors);
                    for (row, made) in rows.iter_mut().zip(&made) {
                        if let Some(to) = row.get_mut(at) {
                            *to = *made;
                        }
                    }
                }
            }
        }
    }

    /// Paints a row of pixels.
    #[inline(always)]
    fn paint_row(&self, canvas: &mut Canvas, y: usize, pixels: &mut [[u8; 4]]) {
        let mut components: [&[u8]; 4] = [&[]; 4];
        for ((to, plane), &stretch) in components.iter_mut().zip(&mut canvas.planes).zip(&self.stretches) {
            *to = plane.stretched(stretch, y);
        }
        self.colours.paint(components, pixels);
    }
}

impl Plane {
    /// The samples for a row of pixels, one for each.
    #[inline(always)]
    fn stretched(&mut self, stretch: Stretch, y: usize) -> &[u8] {
        let Plane { stride, samples, first, rows, between, wide } = self;
        let at = |row: usize| {
            let start = (row + KEPT).saturating_sub(*first) * *stride;
            samples.get(start..start + *stride).unwrap_or_default()
        };
        let row = stretch.row(y);
        let near = at(row);
        match stretch {
            Stretch::Smooth { across, down } => {
                let other = if y.is_multiple_of(2) { row.saturating_sub(1) } else { (row + 1).min(*rows - 1) };
                let mixed = if down {
                    mix_rows(near, at(other), between);
                    between
                } else {
                    near
                };
                if !across {
                    return mixed;
                }
                double(mixed, wide);
            }
            Stretch::Nearest { across, .. } => repeat(near, across, wide),
        }
        wide
    }
}
