//! What it wears and what grows on it: the collar with its bell, gills and fins.

use super::body::{self, LAST_RING, Ring, ring};
use super::maths::{bump, circle, smooth, spline};
use super::skeleton::Joint;
use super::surface::{Part, Patch, Place, Window};
use maquette_scene::glam::DVec3;

const COLLAR: Patch = Patch { columns: 24, rows: 6, window: Window { from: [0.0, 0.0], to: [8.0, 1.0] } };
const BELL: Patch = Patch { columns: 12, rows: 10, window: Window { from: [0.0, 0.0], to: [3.0, 2.0] } };
const GILL: Patch = Patch { columns: 2, rows: 7, window: Window::WHOLE };
const FIN: Patch = Patch { columns: 24, rows: 2, window: Window { from: [0.0, 0.0], to: [4.5, 1.0] } };

pub fn brass() -> Part {
    let neck = |_, at: DVec3| body::trunk(at.z * 0.3 + 0.09 * 0.7);
    COLLAR.part(collar, neck).and(BELL.part(bell, |_, _| vec![(Joint::Bell, 1.0)]))
}

/// A band around the neck, rounded on its outside.
fn collar((u, v): Place) -> DVec3 {
    let Ring { middle, up, reach: [side, above, below] } = ring(8.05);
    let ahead = up.cross(DVec3::X) * -1.0;
    let (around_sin, around_cos) = circle(u);
    let outward = DVec3::X * around_sin - up * around_cos;
    let far = DVec3::X * (around_sin * side) - up * (around_cos * if around_cos > 0.0 { below } else { above });
    let (band_sin, band_cos) = circle(v);
    middle + far * 1.03 + outward * (0.016 * band_cos) - ahead * (0.030 * band_sin) * (1.0 + 0.15 * band_cos)
}

/// Radius and height of the bell, from its loop down.
const BELL_SHAPE: [[f64; 2]; 11] = [
    [0.000, 0.052],
    [0.014, 0.050],
    [0.016, 0.042],
    [0.030, 0.034],
    [0.043, 0.016],
    [0.047, -0.002],
    [0.049, -0.008],
    [0.047, -0.014],
    [0.041, -0.030],
    [0.024, -0.043],
    [0.000, -0.048],
];

fn bell((u, v): Place) -> DVec3 {
    let [far, high] = spline(&BELL_SHAPE, v * 10.0);
    let (sin, cos) = circle(u);
    Joint::Bell.place() + DVec3::new(cos * far, high - 0.048, -sin * far + 0.012)
}

/// How each of the three gills of a side goes: outwards, up, back; and how long it is.
const GILLS: [([f64; 3], f64); 3] =
    [([0.60, 1.0, -0.55], 0.25), ([1.0, 0.55, -0.62], 0.27), ([0.95, -0.05, -0.60], 0.22)];

pub fn gills() -> Part {
    let gill = |(towards, long): ([f64; 3], f64)| {
        let towards = DVec3::from(towards).normalize();
        let across = towards.cross(DVec3::new(0.35, 0.0, 1.0)).normalize();
        let face = across.cross(towards);
        let start = Joint::GillL.place() + towards * 0.01 + DVec3::Y * (towards.y * 0.06);
        let point = move |(u, v): Place| {
            let side = 1.0 - 2.0 * u;
            let wide = 0.018 + 0.062 * smooth(0.0, 0.35, v) * (1.0 - 0.55 * smooth(0.6, 1.0, v));
            // It droops towards its tip, and its sides bend forward.
            start + towards * (long * v) - DVec3::Y * (0.075 * v * v)
                + across * (side * wide)
                + face * (0.022 * side * side * v + 0.04 * v * v)
        };
        let weights = |(_, v): Place, _| {
            let free = smooth(0.0, 0.55, v);
            vec![(Joint::Head, 1.0 - free), (Joint::GillL, free)]
        };
        GILL.part(point, weights)
    };
    GILLS.into_iter().map(gill).fold(Part::default(), Part::and).on_both_sides()
}

/// One along the back to the tip of the tail, and one below the tail.
pub fn fins() -> Part {
    let upper = |place: Place| {
        fin(place, Edge::Above, 9.3, |along| 0.125 * smooth(0.0, 0.62, along) * (1.0 - 0.5 * smooth(0.8, 1.0, along)))
    };
    let lower = |(u, v): Place| {
        fin((1.0 - u, v), Edge::Below, 14.0, |along| {
            0.085 * smooth(0.0, 0.5, along) * (1.0 - 0.5 * smooth(0.75, 1.0, along))
        })
    };
    let weights = |_, at: DVec3| body::trunk(at.z);
    FIN.part(upper, weights).and(FIN.part(lower, weights))
}

/// Where a fin stands out.
enum Edge {
    Above,
    Below,
}

/// From a ring to the tip of the tail; the edge first, then down into the body.
fn fin((u, v): Place, edge: Edge, from: f64, height: impl Fn(f64) -> f64) -> DVec3 {
    let along = 1.0 - u;
    let at = (from + (LAST_RING - 0.15 - from) * along).min(LAST_RING);
    let Ring { middle, up, reach: [_, above, below] } = ring(at);
    let (outward, reach) = match edge {
        Edge::Above => (up, above),
        Edge::Below => (-up, below),
    };
    // Points of the edge stand out a little, as rays do.
    let rays = 1.0 + 0.10 * bump(0.5, 0.5, (along * 9.0) % 1.0);
    let far = reach * 0.8 + (1.0 - v) * (reach * 0.2 + height(along) * rays);
    middle + outward * far - DVec3::Z * ((1.0 - v) * 0.35 * height(along))
}
