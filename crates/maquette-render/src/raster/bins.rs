//! Which triangles each tile has to look at, in the order of the scene.

use super::TILE;
use super::clip;
use super::lens::{Lens, Projected};
use super::setup::{Setup, Sides};
use crate::maths::at;
use crate::posed::{Facing, PosedPart};
use rayon::prelude::*;
use std::ops::Range;

/// How a triangle is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It hides what is behind it.
    Solid,
    /// It is there only where it is opaque.
    Mask,
    /// It is mixed with what is behind it.
    Blend,
}

/// How the triangles of a part are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// What they do to what is behind them.
    pub kind: Kind,
    /// Whether back faces are drawn.
    pub double_sided: bool,
}

/// The triangles of a picture, by tiles.
pub(crate) struct Bins {
    shares: Vec<Share>,
    pub tiles_across: usize,
    pub tiles_down: usize,
}

/// The triangles of a piece of the scene.
struct Share {
    setups: Vec<Setup>,
    /// For each tile, where its entries begin; one more at the end.
    starts: Vec<u32>,
    /// Places in `setups`.
    entries: Vec<u32>,
    /// Those that are in no bin, because they touch too many tiles: every tile looks at them.
    large: Vec<u32>,
}

/// Tiles that a triangle may be listed in: so memory is bounded by the triangles, however large they are.
const MOST_TILES: usize = 32;

/// Triangles that one core takes at a time, at least.
const LEAST_SHARE: usize = 8192;
/// Pieces of a scene, about: more would take memory for each tile.
const MOST_SHARES: usize = 48;

impl Bins {
    pub fn new(
        lens: &Lens,
        projected: &[Projected],
        parts: &[PosedPart<'_>],
        style: impl Fn(&PosedPart<'_>) -> Option<Style> + Sync,
    ) -> Bins {
        let [tiles_across, tiles_down] = lens.size.map(|side| (side as usize).div_ceil(TILE));
        let tiles = tiles_across * tiles_down;
        let shares = jobs(parts).into_par_iter().map(|job| {
            let mut setups = Vec::new();
            for (part, triangles) in job {
                let Some((part, style)) = parts.get(part).and_then(|part| Some((part, style(part)?))) else { continue };
                set_up(lens, projected, part, triangles, style, &mut setups);
            }
            sort(setups, tiles_across, tiles_down, tiles)
        });
        Bins { shares: shares.filter(|share| !share.setups.is_empty()).collect(), tiles_across, tiles_down }
    }

    /// The triangles that may touch a tile.
    pub fn of_tile(&self, tile: usize) -> impl Iterator<Item = &Setup> {
        self.shares.iter().flat_map(move |share| {
            let range = at(&share.starts, tile) as usize..at(&share.starts, tile + 1) as usize;
            let entries = share.entries.get(range).unwrap_or_default();
            share.large.iter().chain(entries).filter_map(|entry| share.setups.get(*entry as usize))
        })
    }

    pub fn is_empty(&self, tile: usize) -> bool {
        self.of_tile(tile).next().is_none()
    }

    /// The pixels of a tile.
    pub fn rect(&self, tile: usize, size: [u32; 2]) -> super::Rect {
        let [left, top] = [tile % self.tiles_across * TILE, tile / self.tiles_across * TILE].map(|side| side as i32);
        let side = TILE as i32;
        let [width, height] = size.map(|side| side as i32);
        super::Rect { left, top, right: (left + side).min(width), bottom: (top + side).min(height) }
    }
}

/// Pieces of the scene of about the same size: parts, and which of their triangles.
fn jobs(parts: &[PosedPart<'_>]) -> Vec<Vec<(usize, Range<usize>)>> {
    let total: usize = parts.iter().map(PosedPart::triangle_count).sum();
    let share = LEAST_SHARE.max(total / MOST_SHARES);
    let mut jobs = Vec::new();
    let mut job = Vec::new();
    let mut room = share;
    for (index, part) in parts.iter().enumerate() {
        let mut first = 0;
        while first < part.triangle_count() {
            let end = (first + room).min(part.triangle_count());
            job.push((index, first..end));
            room -= end - first;
            first = end;
            if room == 0 {
                jobs.push(std::mem::take(&mut job));
                room = share;
            }
        }
    }
    if !job.is_empty() {
        jobs.push(job);
    }
    jobs
}

fn set_up(
    lens: &Lens,
    projected: &[Projected],
    part: &PosedPart<'_>,
    triangles: Range<usize>,
    style: Style,
    setups: &mut Vec<Setup>,
) {
    let vertices = part.first_vertex..part.first_vertex + part.vertex_count;
    let projected = projected.get(vertices).unwrap_or_default();
    let indices = part.indices.as_chunks::<3>().0;
    let chosen = indices.get(triangles.clone()).unwrap_or_default();
    let sides = match (style.double_sided, part.facing) {
        (true, _) => Sides::Both,
        (false, Facing::CounterClockwise) => Sides::CounterClockwise,
        (false, Facing::Clockwise) => Sides::Clockwise,
    };
    let [width, height] = lens.size.map(|side| side as i32);
    let mut add = |setup: Option<Setup>| {
        let Some(setup) = setup else { return };
        let [left, top, right, bottom] = setup.pixels();
        if right > 0 && bottom > 0 && left < width && top < height {
            setups.push(setup);
        }
    };
    for (triangle, &[a, b, c]) in (part.first_triangle + triangles.start as u32..).zip(chosen) {
        let corner = |index: u32| projected.get(index as usize);
        let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) else { continue };
        let corners = [*a, *b, *c];
        if clip::is_inside(lens, &corners) {
            add(Setup::new(lens, [a, b, c], sides, triangle, style.kind));
            continue;
        }
        if corners.iter().any(|corner| !(corner.x + corner.y + corner.w + corner.distance).is_finite()) {
            continue;
        }
        let shape = clip::cut(lens, &corners);
        let Some((first, rest)) = shape.split_first() else { continue };
        for pair in rest.windows(2) {
            if let [second, third] = pair {
                add(Setup::new(lens, [first, second, third], sides, triangle, style.kind));
            }
        }
    }
}

/// The tiles a triangle may touch: from and to, with both.
fn tiles_of(setup: &Setup, across: usize, down: usize) -> [usize; 4] {
    let [left, top, right, bottom] = setup.pixels();
    let tile = |pixel: i32, count: usize| (pixel.max(0) as usize / TILE).min(count.saturating_sub(1));
    [tile(left, across), tile(top, down), tile(right - 1, across), tile(bottom - 1, down)]
}

/// By tiles; large ones first, then the others in the order in which they are.
fn sort(setups: Vec<Setup>, across: usize, down: usize, tiles: usize) -> Share {
    let mut starts = vec![0_u32; tiles + 2];
    let mut large = Vec::new();
    let each = |setup: &Setup, visit: &mut dyn FnMut(usize)| {
        let [left, top, right, bottom] = tiles_of(setup, across, down);
        if (right - left + 1) * (bottom - top + 1) > MOST_TILES {
            visit(usize::MAX - 2);
            return;
        }
        for row in top..=bottom {
            for column in left..=right {
                visit(row * across + column);
            }
        }
    };
    for setup in &setups {
        each(setup, &mut |tile| {
            if let Some(count) = starts.get_mut(tile + 2) {
                *count += 1;
            }
        });
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut entries = vec![0; sum as usize];
    for (index, setup) in (0..).zip(&setups) {
        each(setup, &mut |tile| {
            let Some(next) = starts.get_mut(tile + 1) else {
                large.push(index);
                return;
            };
            if let Some(entry) = entries.get_mut(*next as usize) {
                *entry = index;
            }
            *next += 1;
        });
    }
    Share { setups, starts, entries, large }
}
