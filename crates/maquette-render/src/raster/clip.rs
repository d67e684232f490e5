//! Triangles that reach behind the camera or far out of the picture, cut to what can be drawn.
//!
//! An edge is always cut from its end inside towards the one outside, so that two triangles that share it get the same new corner.

use super::lens::{Lens, Projected};

/// How far from the middle of the picture a corner may be, in pixels: what fixed-point numbers hold.
pub(crate) const GUARD: f32 = 32000.0;

/// Cut by five planes, a triangle has eight corners at most.
pub(super) const MOST_CORNERS: usize = 9;

/// Whether nothing of a triangle needs to be cut.
#[inline]
pub(super) fn is_inside(lens: &Lens, corners: &[Projected; 3]) -> bool {
    corners.iter().all(|corner| (0..5).all(|plane| side(lens, corner, plane) >= 0.0))
}

/// At least 0 inside.
#[inline]
fn side(lens: &Lens, p: &Projected, plane: u32) -> f32 {
    let [x, y] = [p.x - lens.middle[0] * p.w, p.y - lens.middle[1] * p.w];
    match plane {
        0 => p.distance - lens.near,
        1 => GUARD * p.w - x,
        2 => GUARD * p.w + x,
        3 => GUARD * p.w - y,
        _ => GUARD * p.w + y,
    }
}

fn between(inside: &Projected, outside: &Projected, part: f32) -> Projected {
    let mix = |a: f32, b: f32| a + (b - a) * part;
    Projected {
        x: mix(inside.x, outside.x),
        y: mix(inside.y, outside.y),
        w: mix(inside.w, outside.w),
        distance: mix(inside.distance, outside.distance),
    }
}

/// What is left of a triangle: a convex shape, or nothing.
pub(super) fn cut(lens: &Lens, corners: &[Projected; 3]) -> Vec<Projected> {
    let mut shape = corners.to_vec();
    for plane in 0..5 {
        let mut left = Vec::with_capacity(MOST_CORNERS);
        let mut previous = shape.last().copied();
        for corner in &shape {
            let Some(before) = previous.replace(*corner) else { break };
            let (from, to) = (side(lens, &before, plane), side(lens, corner, plane));
            if from >= 0.0 && to < 0.0 {
                left.push(between(&before, corner, from / (from - to)));
            } else if from < 0.0 && to >= 0.0 {
                left.push(between(corner, &before, to / (to - from)));
            }
            if to >= 0.0 {
                left.push(*corner);
            }
        }
        shape = left;
    }
    shape
}

/// What is left of a line.
pub(crate) fn cut_line(lens: &Lens, mut ends: [Projected; 2]) -> Option<[Projected; 2]> {
    if ends.iter().any(|end| !(end.x + end.y + end.w + end.distance).is_finite()) {
        return None;
    }
    for plane in 0..5 {
        let sides = [side(lens, &ends[0], plane), side(lens, &ends[1], plane)];
        match [sides[0] >= 0.0, sides[1] >= 0.0] {
            [true, true] => {}
            [true, false] => ends[1] = between(&ends[0], &ends[1], sides[0] / (sides[0] - sides[1])),
            [false, true] => ends[0] = between(&ends[1], &ends[0], sides[1] / (sides[1] - sides[0])),
            [false, false] => return None,
        }
    }
    Some(ends)
}
