//! Hollows that light from all around hardly reaches, told from the depth of the picture.
//!
//! Around each pixel sixteen others are looked at: those that rise above its surface take light away, less the further away they are. The pattern turns from pixel to pixel
//! within squares of four, and a mean over such a square takes the turning out again.

use crate::depth_map::DepthMap;
use crate::maths::{at, unit_or};
use crate::raster::Lens;
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

const TAPS: usize = 16;
/// How far it is looked, for a model of two units.
const RADIUS: f32 = 0.16;
/// And at most, in pixels.
const MOST_PIXELS: f32 = 80.0;
const STRENGTH: f32 = 1.1;

/// For each of sixteen turns, where to look in a disc.
static TURNS: LazyLock<Vec<[[f32; 2]; TAPS]>> = LazyLock::new(|| {
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
const ORDER: [usize; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

impl Hollows {
    /// From the depth of a picture, which may be smaller than the one that is drawn.
    pub fn new(map: &DepthMap, lens: &Lens, scale: f32) -> Hollows {
        let (width, height) = (map.width, map.height);
        let mut rough = vec![1.0; width * height];
        rough.par_chunks_mut(width * 8).enumerate().for_each(|(band, rows)| {
            for (row, line) in rows.chunks_mut(width).enumerate() {
                let y = band * 8 + row;
                for (x, reach) in line.iter_mut().enumerate() {
                    if at(&map.depths, y * width + x) > f32::NEG_INFINITY {
                        *reach = reach_of(map, lens, x as i32, y as i32);
                    }
                }
            }
        });
        let mut reach = vec![1.0; width * height];
        reach.par_chunks_mut(width * 8).enumerate().for_each(|(band, rows)| {
            for (row, line) in rows.chunks_mut(width).enumerate() {
                let y = band * 8 + row;
                for (x, reach) in line.iter_mut().enumerate() {
                    if at(&map.depths, y * width + x) > f32::NEG_INFINITY {
                        *reach = smooth(map, lens, &rough, x as i32, y as i32);
                    }
                }
            }
        });
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

fn place(map: &DepthMap, lens: &Lens, x: i32, y: i32) -> Option<Vec3> {
    let depth = map.at(x, y);
    (depth > f32::NEG_INFINITY).then(|| lens.unproject(x as f32 + 0.5, y as f32 + 0.5, lens.distance(depth)))
}

/// The way along an axis of the picture, by the neighbour that is less far away.
fn way(here: Vec3, before: Option<Vec3>, after: Option<Vec3>) -> Option<Vec3> {
    let (before, after) = (before.map(|before| here - before), after.map(|after| after - here));
    match (before, after) {
        (Some(before), Some(after)) => Some(if before.z.abs() < after.z.abs() { before } else { after }),
        (one, other) => one.or(other),
    }
}

fn reach_of(map: &DepthMap, lens: &Lens, x: i32, y: i32) -> f32 {
    let near = |x: i32, y: i32| {
        let inside = x >= 0 && y >= 0 && x < map.width as i32 && y < map.height as i32;
        if inside { place(map, lens, x, y) } else { None }
    };
    let Some(here) = near(x, y) else { return 1.0 };
    let right = way(here, near(x - 1, y), near(x + 1, y));
    let down = way(here, near(x, y - 1), near(x, y + 1));
    let (Some(right), Some(down)) = (right, down) else { return 1.0 };
    let normal = unit_or(down.cross(right), Vec3::Z);
    let spread = if lens.kind == crate::raster::LensKind::Perspective { -here.z } else { 1.0 };
    let pixels = (RADIUS * lens.scale / spread).min(MOST_PIXELS);
    if pixels < 1.5 {
        return 1.0;
    }
    let radius = pixels * spread / lens.scale;
    let (square, bias) = (radius * radius, 0.01 * radius + 0.6 * spread / lens.scale);
    let turn = at(&ORDER, ((y & 3) * 4 + (x & 3)) as usize);
    let taps = TURNS.get(turn).map_or(&[][..], |taps| &taps[..]);
    let mut sum = 0.0;
    for [dx, dy] in taps {
        let there =
            [x as f32 + 0.5 + dx * pixels, y as f32 + 0.5 + dy * pixels].map(|place| crate::maths::floor(place) as i32);
        let Some(there) = near(there[0], there[1]) else { continue };
        let way = there - here;
        let far = way.dot(way);
        let near = (square - far).max(0.0) / square;
        sum += near * near * near * ((way.dot(normal) - bias).max(0.0) / (far + 1e-6)) * radius;
    }
    (1.0 - sum * (STRENGTH * 2.2 / TAPS as f32)).clamp(0.0, 1.0)
}

/// The mean over a square of four by four pixels, of those that lie about as far away.
fn smooth(map: &DepthMap, lens: &Lens, rough: &[f32], x: i32, y: i32) -> f32 {
    let here = lens.distance(map.at(x, y));
    let (mut sum, mut count) = (0.0, 0.0);
    for dy in -2..2 {
        for dx in -2..2 {
            let (x, y) = (x + dx, y + dy);
            if x < 0 || y < 0 || x >= map.width as i32 || y >= map.height as i32 {
                continue;
            }
            let depth = map.at(x, y);
            if depth > f32::NEG_INFINITY && (lens.distance(depth) - here).abs() < RADIUS * 0.25 {
                sum += at(rough, y as usize * map.width + x as usize);
                count += 1.0;
            }
        }
    }
    if count > 0.0 { sum / count } else { 1.0 }
}
