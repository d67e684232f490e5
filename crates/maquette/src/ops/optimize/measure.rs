//! What geometry costs to draw, measured on simple models of the hardware.

use super::Figure;
use super::cache::CACHE;
use crate::work;
use maquette_scene::glam::Vec3;
use maquette_scene::mesh::{Primitive, Topology};
use std::ops::Add;

/// Pixels along a side of the pictures in which overdraw is counted, at least and at most: a mesh of a few triangles needs none for a thousand of them.
const LEAST_SIDE: usize = 16;
const MOST_SIDE: usize = 128;
/// Pixels of such a picture for each triangle, below the most.
const PIXELS: f32 = 64.0;
/// Bytes that memory hands over at a time, and how many such lines are kept.
const LINE_BYTES: usize = 64;
const LINES: usize = 256;
/// Pixels that are looked at for overdraw, at most: a mesh of triangles that all fill the picture is not worth its figure.
const MOST_PIXELS: f32 = 3e8;

/// Counts that add up over parts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    vertices: u64,
    triangles: u64,
    loads: u64,
    shaded: u64,
    seen: u64,
    fetched_bytes: u64,
    vertex_bytes: u64,
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            vertices: self.vertices + other.vertices,
            triangles: self.triangles + other.triangles,
            loads: self.loads + other.loads,
            shaded: self.shaded + other.shaded,
            seen: self.seen + other.seen,
            fetched_bytes: self.fetched_bytes + other.fetched_bytes,
            vertex_bytes: self.vertex_bytes + other.vertex_bytes,
        }
    }
}

impl Cost {
    /// What a part costs.
    pub fn of(primitive: &Primitive) -> Cost {
        if primitive.topology != Topology::Triangles {
            return Cost { vertices: primitive.streams.len() as u64, ..Cost::default() };
        }
        let triangles = primitive.indices.as_chunks::<3>().0;
        let mut cache = Cache::new(primitive.streams.len());
        let mut memory = Memory::new(vertex_bytes(primitive));
        let mut loads = 0;
        for &triangle in triangles {
            for corner in triangle {
                if cache.load_one(corner) {
                    loads += 1;
                    memory.fetch(corner);
                }
            }
        }
        let [shaded, seen] = overdraw(triangles, &primitive.streams.positions);
        Cost {
            vertices: primitive.streams.len() as u64,
            triangles: triangles.len() as u64,
            loads,
            shaded,
            seen,
            fetched_bytes: memory.fetched * LINE_BYTES as u64,
            vertex_bytes: (primitive.streams.len() * vertex_bytes(primitive)) as u64,
        }
    }

    /// Whether this is cheaper than another, all three taken as equally dear.
    pub fn is_less_than(&self, other: &Cost) -> bool {
        let ratio = |own: u64, other: u64| (own.max(1) as f64 / other.max(1) as f64).ln();
        let whole = ratio(self.loads, other.loads)
            + ratio(self.shaded, other.shaded)
            + ratio(self.fetched_bytes, other.fetched_bytes);
        whole < 0.0
    }

    /// The ratios that matter, before and after.
    pub fn figures(before: &Cost, after: &Cost) -> Vec<Figure> {
        let ratio = |primitive: u64, whole: u64| primitive as f64 / whole.max(1) as f64;
        let figure = |what, of: &dyn Fn(&Cost) -> f64| Figure { what, before: of(before), after: of(after) };
        vec![
            figure("vertices", &|cost| cost.vertices as f64),
            figure("vertices processed for each triangle", &|cost| ratio(cost.loads, cost.triangles)),
            figure("pixels shaded for each that is seen", &|cost| ratio(cost.shaded, cost.seen)),
            figure("times the vertex data is fetched", &|cost| ratio(cost.fetched_bytes, cost.vertex_bytes)),
        ]
    }
}

/// Bytes of a vertex as most files and engines store it: singles, and four joints and weights.
fn vertex_bytes(primitive: &Primitive) -> usize {
    let streams = &primitive.streams;
    let numbers = 3
        + streams.normals.as_ref().map_or(0, |_| 3)
        + streams.tangents.as_ref().map_or(0, |_| 4)
        + streams.uvs.len() * 2
        + streams.colours.len() * 4
        + streams.influences.as_ref().map_or(0, |_| 8);
    numbers * 4
}

/// The vertices that were processed last, the oldest leaving first.
pub struct Cache {
    loaded: Vec<u32>,
    now: u32,
}

impl Cache {
    /// For indices below this.
    pub fn new(vertices: usize) -> Cache {
        Cache { loaded: vec![0; vertices], now: CACHE + 1 }
    }

    /// Forgets everything.
    pub fn empty(&mut self) {
        self.now += CACHE + 1;
    }

    /// Whether a vertex had to be processed.
    fn load_one(&mut self, vertex: u32) -> bool {
        let Some(loaded) = self.loaded.get_mut(vertex as usize) else { return false };
        let missing = self.now - *loaded > CACHE;
        if missing {
            *loaded = self.now;
            self.now += 1;
        }
        missing
    }

    /// How many corners of a triangle had to be processed.
    pub fn load(&mut self, triangle: [u32; 3]) -> u32 {
        triangle.into_iter().map(|corner| u32::from(self.load_one(corner))).sum()
    }
}

/// Lines of memory at hand, each in the one place its address gives it.
struct Memory {
    vertex_bytes: usize,
    lines: Vec<usize>,
    fetched: u64,
}

impl Memory {
    fn new(vertex_bytes: usize) -> Memory {
        Memory { vertex_bytes, lines: vec![usize::MAX; LINES], fetched: 0 }
    }

    fn fetch(&mut self, vertex: u32) {
        let start = vertex as usize * self.vertex_bytes;
        for line in start / LINE_BYTES..(start + self.vertex_bytes).div_ceil(LINE_BYTES) {
            if let Some(held) = self.lines.get_mut(line % LINES).filter(|held| **held != line) {
                *held = line;
                self.fetched += 1;
            }
        }
    }
}

/// Pixels shaded and pixels seen, over the views along the three axes from both sides.
fn overdraw(triangles: &[[u32; 3]], positions: &[[f32; 3]]) -> [u64; 2] {
    let (low, high) = positions.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &position| {
        (low.min(Vec3::from(position)), high.max(Vec3::from(position)))
    });
    let size = (high - low).max_element();
    if !(size.is_finite() && size > 0.0) {
        return [0, 0];
    }
    let side = (PIXELS * triangles.len() as f32).sqrt() as usize;
    let side = side.clamp(LEAST_SIDE, MOST_SIDE);
    let scaled = |index: u32| {
        let position = positions.get(index as usize).map_or(low, |&position| Vec3::from(position));
        (position - low) / size * (side - 1) as f32
    };
    let boxed = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(scaled);
        let [x, y, z] = (a.max(b).max(c) - a.min(b).min(c) + 1.0).to_array();
        x * y + y * z + z * x
    };
    if 2.0 * triangles.iter().map(boxed).sum::<f32>() > MOST_PIXELS {
        return [0, 0];
    }
    let mut total = [0, 0];
    for axis in 0..3 {
        let mut front = View::new(side);
        let mut behind = View::new(side);
        for triangle in triangles {
            // Turning the axes keeps the sense of the faces.
            let [a, b, c] = triangle.map(scaled).map(|p| match axis {
                0 => p,
                1 => Vec3::new(p.y, p.z, p.x),
                _ => Vec3::new(p.z, p.x, p.y),
            });
            front.draw([a, b, c]);
            behind.draw([c, b, a].map(|p| Vec3::new(p.x, p.y, -p.z)));
        }
        for view in [front, behind] {
            total = [total[0] + view.shaded, total[1] + view.seen()];
        }
    }
    total
}

/// A picture of depths: nearer is more.
struct View {
    side: usize,
    depths: Vec<f32>,
    shaded: u64,
}

impl View {
    fn new(side: usize) -> View {
        work::done(side * side);
        View { side, depths: vec![f32::NEG_INFINITY; side * side], shaded: 0 }
    }

    fn seen(&self) -> u64 {
        self.depths.iter().filter(|depth| depth.is_finite()).count() as u64
    }

    /// Draws a triangle that faces the viewer: counter-clockwise.
    fn draw(&mut self, [a, b, c]: [Vec3; 3]) {
        let edge =
            |from: Vec3, to: Vec3, x: f32, y: f32| (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x);
        let area = edge(a, b, c.x, c.y);
        if area.is_nan() || area <= 0.0 {
            return;
        }
        let bounds = |values: [f32; 3]| {
            let low = values.into_iter().fold(f32::INFINITY, f32::min).max(0.0).ceil() as usize;
            let high = values.into_iter().fold(0.0, f32::max).floor() as usize;
            low..=high.min(self.side - 1)
        };
        for y in bounds([a.y, b.y, c.y]) {
            for x in bounds([a.x, b.x, c.x]) {
                let (px, py) = (x as f32, y as f32);
                let [u, v, w] = [edge(b, c, px, py), edge(c, a, px, py), edge(a, b, px, py)];
                if u < 0.0 || v < 0.0 || w < 0.0 {
                    continue;
                }
                let depth = (u * a.z + v * b.z + w * c.z) / area;
                if let Some(there) = self.depths.get_mut(y * self.side + x).filter(|there| **there < depth) {
                    *there = depth;
                    self.shaded += 1;
                }
            }
        }
    }
}
