//! A triangle ready to be drawn: corners in 1/256 of a pixel, and how near they are.

use super::bins::Kind;
use super::lens::{Lens, Projected};

/// Parts of a pixel.
pub(super) const SUBPIXELS: i32 = 256;

/// In parts of a pixel: products of two differences fit 64 bits, and pixels 32.
const FURTHEST: u32 = 1 << 24;

/// A triangle whose corners go around so that its area is positive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub x: [i32; 3],
    pub y: [i32; 3],
    pub depth: [f32; 3],
    pub triangle: u32,
    pub kind: Kind,
}

/// Which sides of a triangle are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sides {
    Both,
    /// Those whose corners go around counter-clockwise in the picture.
    CounterClockwise,
    Clockwise,
}

#[inline]
fn round(value: f32) -> i32 {
    crate::maths::floor(value * SUBPIXELS as f32 + 0.5) as i32
}

impl Setup {
    /// `None` for what is not seen: without area, or from the wrong side.
    #[inline]
    pub fn new(lens: &Lens, corners: [&Projected; 3], sides: Sides, triangle: u32, kind: Kind) -> Option<Setup> {
        let x = corners.map(|corner| round(corner.x / corner.w));
        let y = corners.map(|corner| round(corner.y / corner.w));
        // Cutting rounds: what is cut where everything is nearly 0 may still be anywhere.
        if x.iter().chain(&y).any(|at| at.unsigned_abs() > FURTHEST) {
            return None;
        }
        let depth = corners.map(|corner| lens.depth(corner.distance));
        let wide = |a: i32, b: i32| i64::from(a) - i64::from(b);
        let area = wide(x[1], x[0]) * wide(y[2], y[0]) - wide(x[2], x[0]) * wide(y[1], y[0]);
        // Down is positive in pictures: counter-clockwise is negative.
        let drawn = match sides {
            Sides::Both => area != 0,
            Sides::CounterClockwise => area < 0,
            Sides::Clockwise => area > 0,
        };
        if !drawn {
            return None;
        }
        let setup = Setup { x, y, depth, triangle, kind };
        Some(if area > 0 { setup } else { setup.turned() })
    }

    fn turned(self) -> Setup {
        let turn = |[a, b, c]: [i32; 3]| [a, c, b];
        let [a, b, c] = self.depth;
        Setup { x: turn(self.x), y: turn(self.y), depth: [a, c, b], ..self }
    }

    /// The pixels it may touch: from, and up to but not with.
    #[inline]
    pub fn pixels(&self) -> [i32; 4] {
        let least = |[a, b, c]: [i32; 3]| a.min(b).min(c) >> 8;
        let most = |[a, b, c]: [i32; 3]| (a.max(b).max(c) >> 8) + 1;
        [least(self.x), least(self.y), most(self.x), most(self.y)]
    }
}
