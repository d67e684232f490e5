//! Eyes and their lids, with the shape they have when they are closed.

use super::maths::circle;
use super::skeleton::Joint;
use super::surface::{Part, Patch, Place, Window};
use maquette_scene::glam::DVec3;

const EYE: Patch = Patch { columns: 12, rows: 7, window: Window::WHOLE };
pub const LID: Patch = Patch { columns: 9, rows: 4, window: Window { from: [0.28, 0.90], to: [0.97, 0.98] } };
const RADIUS: f64 = 0.074;

/// To where the left eye looks, what is up for it, and the axis between that its lids turn about.
fn axes() -> [DVec3; 3] {
    let ahead = DVec3::new(0.60, 0.16, 0.78).normalize();
    let across = DVec3::Y.cross(ahead).normalize();
    [ahead, ahead.cross(across), across]
}

pub fn eyes() -> Part {
    // Closed, it is smaller and further inside, so that the lid passes over it.
    let closed = |place| {
        let [ahead, ..] = axes();
        let middle = Joint::EyeL.place();
        middle + (eye(place) - middle) * 0.7 - ahead * (0.25 * RADIUS)
    };
    EYE.part_with_shape(eye, closed, |_, _| vec![(Joint::EyeL, 1.0)]).on_a_disc().on_both_sides()
}

pub fn lids() -> Part {
    let weights = |_, _| vec![(Joint::Head, 1.0)];
    let upper = LID.part_with_shape(|place| lid(place, 52.0), |place| lid(place, -48.0), weights);
    let lower = LID.part_with_shape(lower_lid, lower_lid, weights);
    upper.and(lower).on_both_sides()
}

/// From the middle of the pupil to behind the widest part of the eye.
fn eye((u, v): Place) -> DVec3 {
    let [ahead, up, across] = axes();
    let (sin, cos) = circle(u);
    let (away, towards) = libm::sincos((118.0 * v).to_radians());
    Joint::EyeL.place() + (ahead * towards + (up * cos - across * sin) * away) * RADIUS
}

/// A lid whose edge is at this elevation; from behind the eye to the edge, which touches the eye.
pub fn lid(place: Place, edge: f64) -> DVec3 {
    shell(place, 150.0, edge)
}

fn lower_lid((u, v): Place) -> DVec3 {
    shell((1.0 - u, v), -150.0, -52.0)
}

fn shell((u, v): Place, back: f64, edge: f64) -> DVec3 {
    let [ahead, up, across] = axes();
    let (side, middle) = libm::sincos((92.0 * (1.0 - 2.0 * u)).to_radians());
    let (high, near) = libm::sincos((back + (edge - back) * v).to_radians());
    let thick = RADIUS * (1.11 - 0.10 * v * v * v * v);
    Joint::EyeL.place() + (across * -side + (ahead * near + up * high) * middle.max(0.0)) * thick
}
