//! Which samples of a tile a triangle covers, and how near it is there.
//!
//! Edge functions are whole numbers; of samples exactly on an edge, those on upper and left edges belong to a triangle. Samples are on a grid of sixteenths of a pixel, so
//! the functions are divided by 16, rounded down, which changes no sign. They fit 32 bits for triangles up to [`SMALL`] pixels; larger ones take 64.

use super::pattern::{Pattern, Usual};
use super::setup::Setup;
use std::ops::{Add, BitOr, Mul};

/// Pixels, from and up to but not with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rect {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Rect {
    pub fn within(self, [left, top, right, bottom]: [i32; 4]) -> Rect {
        Rect {
            left: self.left.max(left),
            top: self.top.max(top),
            right: self.right.min(right),
            bottom: self.bottom.min(bottom),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }
}

/// The longest side of triangles whose edges are worked out in 32 bits, in pixels: 2¹⁶ · 2¹² · 2 is less than 2³¹.
const SMALL: i32 = 250;

/// Blocks of so many pixels are looked at as a whole first.
const BLOCK: i32 = 8;

trait Whole: Copy + Add<Output = Self> + Mul<Output = Self> + BitOr<Output = Self> {
    fn of(value: i64) -> Self;
    /// A number of the same sign.
    fn sign(self) -> i32;
}

impl Whole for i32 {
    #[inline(always)]
    fn of(value: i64) -> i32 {
        value as i32
    }
    #[inline(always)]
    fn sign(self) -> i32 {
        self
    }
}

impl Whole for i64 {
    #[inline(always)]
    fn of(value: i64) -> i64 {
        value
    }
    #[inline(always)]
    fn sign(self) -> i32 {
        (self >> 32) as i32
    }
}

/// `along_x · x + along_y · y + here`, in sixteenths of a pixel from the corner of the rectangle.
struct Edge {
    along_x: i64,
    along_y: i64,
    here: i64,
}

impl Edge {
    fn new(from: [i32; 2], to: [i32; 2], corner: [i32; 2]) -> Edge {
        let [dx, dy] = [i64::from(to[0]) - i64::from(from[0]), i64::from(to[1]) - i64::from(from[1])];
        let is_upper_or_left = dy < 0 || (dy == 0 && dx > 0);
        let [x, y] = [0, 1].map(|axis: usize| {
            let pick = |pair: [i32; 2]| i64::from(crate::maths::at(&pair, axis));
            pick(corner) * 256 - pick(from)
        });
        let here = dx * y - dy * x - i64::from(!is_upper_or_left);
        Edge { along_x: -dy, along_y: dx, here: here >> 4 }
    }

    /// The most it is within a block of pixels that starts there.
    fn most(&self, x: i64, y: i64, wide: i64, high: i64) -> i64 {
        let reach = self.along_x.max(0) * (wide * 16 - 1) + self.along_y.max(0) * (high * 16 - 1);
        self.here + (self.along_x * x + self.along_y * y) * 16 + reach
    }
}

/// Calls `hit` for every pixel with samples that are covered: its place, for each sample a number that is negative where it is not covered, and how near the triangle is there.
#[inline]
pub(crate) fn cover<const N: usize>(setup: &Setup, rect: Rect, hit: impl FnMut(i32, i32, [i32; N], [f32; N]))
where
    Usual: Pattern<N>,
{
    let [left, top, right, bottom] = setup.pixels();
    let rect = rect.within([left, top, right, bottom]);
    if rect.is_empty() {
        return;
    }
    if right - left <= SMALL && bottom - top <= SMALL {
        cover_in::<N, i32>(setup, rect, hit);
    } else {
        cover_in::<N, i64>(setup, rect, hit);
    }
}

#[inline(always)]
fn cover_in<const N: usize, T: Whole>(setup: &Setup, rect: Rect, mut hit: impl FnMut(i32, i32, [i32; N], [f32; N]))
where
    Usual: Pattern<N>,
{
    let corner = |index: usize| [crate::maths::at(&setup.x, index), crate::maths::at(&setup.y, index)];
    let start = [rect.left, rect.top];
    let edges = [[0, 1], [1, 2], [2, 0]].map(|[from, to]| Edge::new(corner(from), corner(to), start));
    let [first, second, third] = &edges;
    let offsets = |edge: &Edge| {
        <Usual as Pattern<N>>::PLACES.map(|[x, y]| T::of(edge.along_x * i64::from(x) + edge.along_y * i64::from(y)))
    };
    let [first_offsets, second_offsets, third_offsets] = [first, second, third].map(offsets);
    let slope = Slope::new(setup);
    let depth_offsets: [f32; N] = <Usual as Pattern<N>>::PLACES
        .map(|[x, y]| slope.along_x * (x as f32 * (1.0 / 16.0)) + slope.along_y * (y as f32 * (1.0 / 16.0)));
    let small = rect.right - rect.left <= BLOCK && rect.bottom - rect.top <= BLOCK;
    let step = [first, second, third].map(|edge| T::of(edge.along_x * 16));
    let mut block_top = rect.top;
    while block_top < rect.bottom {
        let block_bottom = (block_top + BLOCK).min(rect.bottom);
        let mut block_left = rect.left;
        while block_left < rect.right {
            let block_right = (block_left + BLOCK).min(rect.right);
            let [x, y] = [i64::from(block_left - rect.left), i64::from(block_top - rect.top)];
            let outside = |edge: &Edge| {
                edge.most(x, y, i64::from(block_right - block_left), i64::from(block_bottom - block_top)) < 0
            };
            if !small && edges.iter().any(outside) {
                block_left = block_right;
                continue;
            }
            for row in block_top..block_bottom {
                let y = i64::from(row - rect.top);
                let at_row = |edge: &Edge| T::of(edge.here + (edge.along_x * x + edge.along_y * y) * 16);
                let mut values = [at_row(first), at_row(second), at_row(third)];
                let depth_row = slope.row(row);
                for column in block_left..block_right {
                    let mut outside = [0; N];
                    let offsets = first_offsets.iter().zip(&second_offsets).zip(&third_offsets);
                    for (outside, ((a, b), c)) in outside.iter_mut().zip(offsets) {
                        *outside = ((values[0] + *a) | (values[1] + *b) | (values[2] + *c)).sign();
                    }
                    values = [values[0] + step[0], values[1] + step[1], values[2] + step[2]];
                    if outside.iter().fold(-1, |all, one| all & one) < 0 {
                        continue;
                    }
                    let base = slope.at(depth_row, column);
                    let depths = depth_offsets.map(|offset| (base + offset).max(slope.least).min(slope.most));
                    hit(column, row, outside, depths);
                }
            }
            block_left = block_right;
        }
        block_top = block_bottom;
    }
}

/// How near a triangle is, as a plane over the picture.
struct Slope {
    x: i32,
    y: i32,
    here: f32,
    along_x: f32,
    along_y: f32,
    least: f32,
    most: f32,
}

impl Slope {
    fn new(setup: &Setup) -> Slope {
        let [x0, x1, x2] = setup.x;
        let [y0, y1, y2] = setup.y;
        let [d0, d1, d2] = setup.depth;
        let part = |a: i32, b: i32| (f64::from(a) - f64::from(b)) * (1.0 / 256.0);
        let (ax, ay, bx, by) = (part(x1, x0), part(y1, y0), part(x2, x0), part(y2, y0));
        let area = ax * by - bx * ay;
        let (a, b) = (f64::from(d1) - f64::from(d0), f64::from(d2) - f64::from(d0));
        Slope {
            x: x0,
            y: y0,
            here: d0,
            along_x: ((a * by - b * ay) / area) as f32,
            along_y: ((b * ax - a * bx) / area) as f32,
            least: d0.min(d1).min(d2),
            most: d0.max(d1).max(d2),
        }
    }

    #[inline(always)]
    fn row(&self, y: i32) -> f32 {
        self.here + self.along_y * ((y * 256 - self.y) as f32 * (1.0 / 256.0))
    }

    #[inline(always)]
    fn at(&self, row: f32, x: i32) -> f32 {
        row + self.along_x * ((x * 256 - self.x) as f32 * (1.0 / 256.0))
    }
}
