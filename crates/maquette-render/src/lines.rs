//! Lines over the picture: smooth, hidden where something is in front of them.

use crate::maths::at;
use crate::raster::{Lens, Rect, TILE, cut_line};
use maquette_scene::glam::Vec3;
use rayon::prelude::*;

/// A line in the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    from: [f32; 2],
    to: [f32; 2],
    depths: [f32; 2],
    pen: u32,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// As the picture has colours before they are encoded.
    pub colour: Vec3,
    /// Where nothing is in front of it.
    pub opacity: f32,
    /// The opacity of what is behind something.
    pub hidden: f32,
    /// In pixels.
    pub width: f32,
}

/// Lines by tiles.
pub(crate) struct Lines {
    lines: Vec<Line>,
    pens: Vec<Pen>,
    starts: Vec<u32>,
    entries: Vec<u32>,
    /// Those that touch too many tiles to be listed in each.
    large: Vec<u32>,
    mixing: Mixing,
}

/// What becomes of lines that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mixing {
    /// Later ones are drawn over earlier ones.
    Over,
    /// The one that covers most counts: all have the pen of the first.
    Most,
}

const MOST_TILES: usize = 48;
/// In pixels.
pub(crate) const FURTHEST: f32 = 1e5;

impl Lines {
    /// From lines between places, with the number of their pen.
    pub fn new(lens: &Lens, tiles: [usize; 2], segments: &[([Vec3; 2], u32)], pens: Vec<Pen>, mixing: Mixing) -> Lines {
        let lines = segments.par_iter().with_min_len(4096).filter_map(|([from, to], pen)| {
            let [from, to] = cut_line(lens, [lens.project(*from), lens.project(*to)])?;
            let line = Line {
                from: [from.x / from.w, from.y / from.w],
                to: [to.x / to.w, to.y / to.w],
                depths: [lens.depth(from.distance), lens.depth(to.distance)],
                pen: *pen,
            };
            // Cutting rounds: what is cut where everything is nearly 0 may still be anywhere.
            line.from.iter().chain(&line.to).all(|at| at.abs() < FURTHEST).then_some(line)
        });
        let lines: Vec<Line> = lines.collect();
        let mut bins = Lines { lines, pens, starts: Vec::new(), entries: Vec::new(), large: Vec::new(), mixing };
        bins.sort(tiles);
        bins
    }

    fn reach(&self, line: &Line) -> f32 {
        self.pens.get(line.pen as usize).map_or(1.0, |pen| pen.width * 0.5 + 1.0)
    }

    /// The tiles around a line; `None` for those of too many.
    fn tiles_of(&self, line: &Line, [across, down]: [usize; 2]) -> Option<[usize; 4]> {
        let reach = self.reach(line);
        let tile = |place: f32, count: usize| ((place.max(0.0) as usize) / TILE).min(count.saturating_sub(1));
        let [left, right] = [line.from[0].min(line.to[0]) - reach, line.from[0].max(line.to[0]) + reach];
        let [top, bottom] = [line.from[1].min(line.to[1]) - reach, line.from[1].max(line.to[1]) + reach];
        let tiles = [tile(left, across), tile(top, down), tile(right, across), tile(bottom, down)];
        ((tiles[2] - tiles[0] + 1) * (tiles[3] - tiles[1] + 1) <= MOST_TILES).then_some(tiles)
    }

    fn sort(&mut self, tiles: [usize; 2]) {
        let [across, down] = tiles;
        let mut starts = vec![0_u32; across * down + 2];
        let mut large = Vec::new();
        for (index, line) in (0..).zip(&self.lines) {
            let Some([left, top, right, bottom]) = self.tiles_of(line, tiles) else {
                large.push(index);
                continue;
            };
            for tile in (top..=bottom).flat_map(|row| (left..=right).map(move |column| row * across + column)) {
                starts.iter_mut().skip(tile + 2).take(1).for_each(|count| *count += 1);
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut entries = vec![0; sum as usize];
        for (index, line) in (0..).zip(&self.lines) {
            let Some([left, top, right, bottom]) = self.tiles_of(line, tiles) else { continue };
            for tile in (top..=bottom).flat_map(|row| (left..=right).map(move |column| row * across + column)) {
                let Some(next) = starts.get_mut(tile + 1) else { continue };
                if let Some(entry) = entries.get_mut(*next as usize) {
                    *entry = index;
                }
                *next += 1;
            }
        }
        (self.starts, self.entries, self.large) = (starts, entries, large);
    }

    pub fn is_empty(&self, tile: usize) -> bool {
        self.large.is_empty() && at(&self.starts, tile) == at(&self.starts, tile + 1)
    }

    fn of_tile(&self, tile: usize) -> impl Iterator<Item = &Line> {
        let range = at(&self.starts, tile) as usize..at(&self.starts, tile + 1) as usize;
        let entries = self.entries.get(range).unwrap_or_default();
        self.large.iter().chain(entries).filter_map(|index| self.lines.get(*index as usize))
    }

    /// Draws the lines of a tile over its colours, which are times their opacity.
    pub fn draw<const N: usize>(
        &self,
        lens: &Lens,
        tile: usize,
        rect: Rect,
        depths: &[[f32; N]],
        colours: &mut [[f32; 4]],
    ) {
        let mut most = vec![0.0_f32; if self.mixing == Mixing::Most { colours.len() } else { 0 }];
        for line in self.of_tile(tile) {
            let Some(pen) = self.pens.get(line.pen as usize) else { continue };
            line.visit(lens, pen, rect, depths, |pixel, opacity| match self.mixing {
                Mixing::Over => over(colours, pixel, pen.colour, opacity),
                Mixing::Most => most.iter_mut().skip(pixel).take(1).for_each(|most| *most = most.max(opacity)),
            });
        }
        let Some(pen) = self.pens.first() else { return };
        for (pixel, opacity) in most.into_iter().enumerate().filter(|(_, opacity)| *opacity > 0.0) {
            over(colours, pixel, pen.colour, opacity);
        }
    }
}

fn over(colours: &mut [[f32; 4]], pixel: usize, colour: Vec3, opacity: f32) {
    let Some(there) = colours.get_mut(pixel) else { return };
    for (there, new) in there.iter_mut().zip([colour.x, colour.y, colour.z, 1.0]) {
        *there = new * opacity + *there * (1.0 - opacity);
    }
}

impl Line {
    /// The pixels of a tile that it covers, and how opaque it is there.
    fn visit<const N: usize>(
        &self,
        lens: &Lens,
        pen: &Pen,
        rect: Rect,
        depths: &[[f32; N]],
        mut visit: impl FnMut(usize, f32),
    ) {
        let reach = pen.width * 0.5 + 1.0;
        let [x0, y0] = self.from;
        let way = [self.to[0] - x0, self.to[1] - y0];
        let length = way[0] * way[0] + way[1] * way[1];
        let bounds = [
            crate::maths::floor(x0.min(self.to[0]) - reach) as i32,
            crate::maths::floor(y0.min(self.to[1]) - reach) as i32,
            ((x0.max(self.to[0]) + reach) as i32).saturating_add(1),
            ((y0.max(self.to[1]) + reach) as i32).saturating_add(1),
        ];
        let inside = rect.within(bounds);
        for y in inside.top..inside.bottom {
            for x in inside.left..inside.right {
                let [dx, dy] = [x as f32 + 0.5 - x0, y as f32 + 0.5 - y0];
                let along = if length > 1e-12 { ((dx * way[0] + dy * way[1]) / length).clamp(0.0, 1.0) } else { 0.0 };
                let [ox, oy] = [dx - way[0] * along, dy - way[1] * along];
                let away = (ox * ox + oy * oy).sqrt();
                let covered = (pen.width * 0.5 + 0.5 - away).clamp(0.0, 1.0);
                if covered <= 0.0 {
                    continue;
                }
                let depth = lens.nearer(self.depths[0] + (self.depths[1] - self.depths[0]) * along);
                let pixel = (y - rect.top) as usize * TILE + (x - rect.left) as usize;
                let seen = depths.get(pixel).map_or(N, |there| there.iter().filter(|there| depth >= **there).count());
                let part = seen as f32 / N as f32;
                visit(pixel, covered * (pen.opacity * part + pen.hidden * (1.0 - part)));
            }
        }
    }
}
