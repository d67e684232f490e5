//! From the snout to the tip of the tail: one tube around a curve.

use super::maths::{bump, circle, smooth, spline};
use super::skeleton::Joint;
use super::surface::{Part, Patch, Place, Weights, Window};
use maquette_scene::glam::DVec3;

/// Where the curve is along Z and Y, and how far the skin is from it to the sides, up and down.
const RINGS: [[f64; 5]; 23] = [
    [0.560, 0.330, 0.000, 0.000, 0.000],
    [0.551, 0.331, 0.078, 0.048, 0.044],
    [0.520, 0.335, 0.140, 0.090, 0.078],
    [0.468, 0.343, 0.186, 0.130, 0.106],
    [0.392, 0.353, 0.216, 0.163, 0.126],
    [0.312, 0.356, 0.224, 0.176, 0.134],
    [0.232, 0.348, 0.200, 0.163, 0.126],
    [0.160, 0.330, 0.156, 0.138, 0.118],
    [0.095, 0.310, 0.132, 0.124, 0.118],
    [0.020, 0.294, 0.150, 0.138, 0.145],
    [-0.065, 0.284, 0.182, 0.152, 0.172],
    [-0.155, 0.279, 0.200, 0.160, 0.184],
    [-0.245, 0.278, 0.188, 0.153, 0.168],
    [-0.330, 0.281, 0.152, 0.134, 0.134],
    [-0.408, 0.284, 0.116, 0.114, 0.104],
    [-0.485, 0.287, 0.089, 0.096, 0.083],
    [-0.568, 0.295, 0.068, 0.079, 0.068],
    [-0.650, 0.312, 0.052, 0.063, 0.056],
    [-0.728, 0.343, 0.039, 0.049, 0.045],
    [-0.792, 0.389, 0.028, 0.037, 0.035],
    [-0.832, 0.445, 0.018, 0.025, 0.024],
    [-0.846, 0.500, 0.009, 0.012, 0.012],
    [-0.846, 0.527, 0.000, 0.000, 0.000],
];

pub const LAST_RING: f64 = 22.0;

pub const PATCH: Patch = Patch { columns: 20, rows: 40, window: Window { from: [0.0, 0.0], to: [1.0, 0.69] } };

/// The body, with the shape it has when it breathes in.
pub fn part() -> Part {
    PATCH.part_with_shape(point, breathed_in, weights)
}

/// The middle of the body at a ring, the direction that is up there, and how far the skin is to the sides, up and down.
pub struct Ring {
    pub middle: DVec3,
    pub up: DVec3,
    pub reach: [f64; 3],
}

pub fn ring(at: f64) -> Ring {
    let place = |at: f64| {
        let [z, y, ..] = spline(&RINGS, at);
        DVec3::new(0.0, y, z)
    };
    let [.., side, up, down] = spline(&RINGS, at);
    let along = (place((at + 0.2).min(LAST_RING)) - place((at - 0.2).max(0.0))).normalize_or(DVec3::NEG_Z);
    // A quarter of a turn from the way to the tail: up, where that is straight back.
    Ring { middle: place(at), up: DVec3::new(0.0, -along.z, along.y), reach: [side, up, down].map(|far| far.max(0.0)) }
}

/// The ring at a part of the texture: the head has more of it.
fn ring_at(v: f64) -> f64 {
    (10.0 * v + 12.0 * v * v).min(LAST_RING)
}

pub fn point((u, v): Place) -> DVec3 {
    on_ring(u, ring_at(v))
}

/// From the belly up the left side and down the right one.
pub fn on_ring(u: f64, at: f64) -> DVec3 {
    let Ring { middle, up, reach: [side, above, below] } = ring(at);
    let (sin, cos) = circle(u);
    middle + DVec3::X * (sin * side) - up * (cos * if cos > 0.0 { below } else { above })
}

fn breathed_in((u, v): Place) -> DVec3 {
    let (at, middle) = (point((u, v)), ring(ring_at(v)).middle);
    let (_, cos) = circle(u);
    let belly = bump(-0.10, 0.27, middle.z) * (0.55 + 0.45 * cos);
    let throat = 0.8 * bump(0.26, 0.15, middle.z) * smooth(0.0, 1.0, cos);
    at + (at - middle) * (0.13 * (belly + throat))
}

/// Where one joint of the trunk leaves off and the next begins, along Z.
const BORDERS: [(f64, Joint); 10] = [
    (0.165, Joint::Head),
    (0.06, Joint::Neck),
    (-0.07, Joint::Chest),
    (-0.21, Joint::Spine),
    (-0.365, Joint::Hips),
    (-0.47, Joint::Tail1),
    (-0.58, Joint::Tail2),
    (-0.69, Joint::Tail3),
    (-0.775, Joint::Tail4),
    (f64::NEG_INFINITY, Joint::Tail5),
];

/// The joints of the trunk at a place along Z.
pub fn trunk(z: f64) -> Weights {
    const SOFT: f64 = 0.065;
    let mut weights = Weights::new();
    let mut before = 0.0;
    for (border, joint) in BORDERS {
        let here = if border.is_finite() { smooth(border - SOFT, border + SOFT, z) } else { 1.0 };
        weights.push((joint, here - before));
        before = here;
    }
    weights
}

/// The trunk, and a little of the legs around where they begin.
fn weights(_: Place, at: DVec3) -> Weights {
    let mut weights = trunk(at.z);
    for joint in [Joint::UpperArmL, Joint::UpperArmR, Joint::UpperLegL, Joint::UpperLegR] {
        let pulled = 0.35 * bump(0.0, 0.15, at.distance(joint.place()));
        weights.iter_mut().for_each(|(_, weight)| *weight *= 1.0 - pulled);
        weights.push((joint, pulled));
    }
    weights
}
