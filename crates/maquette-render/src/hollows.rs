//! Hollows that light from all around hardly reaches, told from the depth of the picture.
//!
//! Around each pixel sixteen others are looked at: those that rise above its surface take light away, less the further away they are. The pattern turns from pixel to pixel
//! within squares of four, and a mean over such a square takes the turning out again.

use crate::depth_map::DepthMap;
use crate::maths::{at, unit_or};
use crate::raster::{Lens, LensKind};
use maquette_scene::glam::Vec3;
use rayon::prelude::*;
use std::sync::LazyLock;

/// How much light from all around reaches each pixel.
pub(crate) struct Hollows {
    width: usize,
    height: usize,
    reach: Vec<f32>,
    /// Pixels of this map in one of the picture.
    scale: f32,
}

pub(crate) const TAPS: usize = 16;
/// How far it is looked, for a model of two units.
pub(crate) const RADIUS: f32 = 0.16;
/// And at most, in pixels.
pub(crate) const MOST_PIXELS: f32 = 80.0;
pub(crate) const STRENGTH: f32 = 1.1;

/// For each of sixteen turns, where to look in a disc.
pub(crate) static TURNS: LazyLock<Vec<[[f32; 2]; TAPS]>> = LazyLock::new(|| {
    let turn = |turn: usize| {
        std::array::from_fn(|tap| {
            let radius = (tap as f32 + 0.5 + turn as f32 / 32.0) / (TAPS as f32 + 0.5);
            let (sin, cos) = libm::sincosf(tap as f32 * 2.399_963_2 + turn as f32 * (std::f32::consts::TAU / 16.0));
            [radius * cos, radius * sin]
        })
    };
    (0..16).map(turn).collect()
});

/// Neighbours in a square of four get turns that are far apart.
pub(crate) const ORDER: [usize; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

/// How far away each pixel is; infinitely where there is nothing.
struct Distances<'a> {
    lens: &'a Lens,
    width: usize,
    height: usize,
    values: Vec<f32>,
    /// What a pixel more is to the right or up, at a distance of one.
    pixel: f32,
}

impl Hollows {
    /// From the depth of a picture, which may be smaller than the one that is drawn.
    pub fn new(map: DepthMap, lens: &Lens, scale: f32) -> Hollows {
        let (width, height) = (map.width, map.height);
        let mut values = map.depths;
        values.par_chunks_mut(1 << 14).for_each(|values| {
            for value in values {
                *value = if *value > f32::NEG_INFINITY { lens.distance(*value) } else { f32::INFINITY };
            }
        });
        let distances = Distances { lens, width, height, values, pixel: 1.0 / lens.scale };
        let each = |reach: &mut [f32], find: &(dyn Fn(usize, usize) -> f32 + Sync)| {
            reach.par_chunks_mut(width * 8).enumerate().for_each(|(band, rows)| {
                for (row, line) in rows.chunks_mut(width).enumerate() {
                    let y = band * 8 + row;
                    for (x, reach) in line.iter_mut().enumerate() {
                        if at(&distances.values, y * width + x) < f32::INFINITY {
                            *reach = find(x, y);
                        }
                    }
                }
            });
        };
        let mut rough = vec![1.0; width * height];
        each(&mut rough, &|x, y| distances.reach(x, y));
        let mut reach = vec![1.0; width * height];
        each(&mut reach, &|x, y| distances.smooth(&rough, x, y));
        Hollows { width, height, reach, scale }
    }

    /// At a place of the picture, in pixels.
    pub fn reach(&self, [x, y]: [f32; 2]) -> f32 {
        let pick = |x: i32, y: i32| {
            let x = x.clamp(0, self.width as i32 - 1) as usize;
            let y = y.clamp(0, self.height as i32 - 1) as usize;
            at(&self.reach, y * self.width + x)
        };
        if self.scale == 1.0 {
            return pick(x as i32, y as i32);
        }
        let (x, y) = (x * self.scale - 0.5, y * self.scale - 0.5);
        let (left, top) = (crate::maths::floor(x), crate::maths::floor(y));
        let (right, down) = (x - left, y - top);
        let (left, top) = (left as i32, top as i32);
        let upper = pick(left, top) * (1.0 - right) + pick(left + 1, top) * right;
        let lower = pick(left, top + 1) * (1.0 - right) + pick(left + 1, top + 1) * right;
        upper * (1.0 - down) + lower * down
    }
}

/// The way along an axis of the picture, by the neighbour that is less far away.
#[inline]
fn way(here: Vec3, before: Option<Vec3>, after: Option<Vec3>) -> Option<Vec3> {
    match (before, after) {
        (Some(before), Some(after)) => {
            let (before, after) = (here - before, after - here);
            Some(if before.z.abs() < after.z.abs() { before } else { after })
        }
        (Some(before), None) => Some(here - before),
        (None, after) => after.map(|after| after - here),
    }
}

impl Distances<'_> {
    /// Where a pixel is, as the camera has it; `None` where there is nothing.
    #[inline]
    fn place(&self, x: i32, y: i32) -> Option<Vec3> {
        if x < 0 || y < 0 || x as usize >= self.width || y as usize >= self.height {
            return None;
        }
        let distance = at(&self.values, y as usize * self.width + x as usize);
        let spread = self.spread(distance);
        let [right, down] = [x as f32 + 0.5 - self.lens.middle[0], y as f32 + 0.5 - self.lens.middle[1]];
        (distance < f32::INFINITY).then(|| Vec3::new(right * spread, -down * spread, -distance))
    }

    /// The size of a pixel at a distance.
    #[inline]
    fn spread(&self, distance: f32) -> f32 {
        if self.lens.kind == LensKind::Perspective { distance * self.pixel } else { self.pixel }
    }

    fn reach(&self, x: usize, y: usize) -> f32 {
        let (column, row) = (x as i32, y as i32);
        let Some(here) = self.place(column, row) else { return 1.0 };
        let right = way(here, self.place(column - 1, row), self.place(column + 1, row));
        let down = way(here, self.place(column, row - 1), self.place(column, row + 1));
        let (Some(right), Some(down)) = (right, down) else { return 1.0 };
        let normal = unit_or(down.cross(right), Vec3::Z);
        let pixel = self.spread(-here.z);
        let pixels = (RADIUS / pixel).min(MOST_PIXELS);
        if pixels < 1.5 {
            return 1.0;
        }
        let radius = pixels * pixel;
        let (in_square, bias) = (1.0 / (radius * radius), 0.01 * radius + 0.6 * pixel);
        let turn = at(&ORDER, (y & 3) * 4 + (x & 3));
        let taps = TURNS.get(turn).map_or(&[][..], |taps| &taps[..]);
        let mut sum = 0.0;
        for [dx, dy] in taps {
            // Far enough from 0 that whole numbers are found by cutting off.
            let there = |at: usize, step: f32| (at as f32 + 4096.5 + step * pixels) as i32 - 4096;
            let Some(there) = self.place(there(x, *dx), there(y, *dy)) else { continue };
            let way = there - here;
            let far = way.dot(way);
            let near = (1.0 - far * in_square).max(0.0);
            let above = (way.dot(normal) - bias).max(0.0);
            sum += near * near * near * above / (far + 1e-6);
        }
        (1.0 - sum * (radius * STRENGTH * 2.2 / TAPS as f32)).clamp(0.0, 1.0)
    }

    /// The mean over a square of four by four pixels, of those that lie about as far away.
    fn smooth(&self, rough: &[f32], x: usize, y: usize) -> f32 {
        let here = at(&self.values, y * self.width + x);
        let (mut sum, mut count) = (0.0, 0.0);
        let columns = x.saturating_sub(2)..(x + 2).min(self.width);
        for row in y.saturating_sub(2)..(y + 2).min(self.height) {
            let range = row * self.width + columns.start..row * self.width + columns.end;
            let (Some(values), Some(rough)) = (self.values.get(range.clone()), rough.get(range)) else { continue };
            for (value, rough) in values.iter().zip(rough) {
                let weight = if (value - here).abs() < RADIUS * 0.25 { 1.0 } else { 0.0 };
                sum += rough * weight;
                count += weight;
            }
        }
        if count > 0.0 { sum / count } else { 1.0 }
    }
}
