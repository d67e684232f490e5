//! The studio around the model: bright above, dim below, with large soft lamps. No picture of a place: formulas that can be blurred.
//!
//! A lamp is a lobe `1 / (1 + s·(1 - cos)/4)⁴`, which falls off like `exp(-s·(1 - cos))` and needs no exponential. Blurring by roughness widens lobes and keeps their light.

use maquette_scene::glam::Vec3;

pub(crate) struct Lamp {
    pub towards: Vec3,
    /// Smaller for larger lamps.
    pub sharpness: f32,
    pub colour: Vec3,
}

/// A large one at the upper left in front, a cooler one at the right, one behind for rims, one above.
pub(crate) const LAMPS: [Lamp; 4] = [
    Lamp { towards: Vec3::new(-0.545, 0.485, 0.684), sharpness: 14.0, colour: Vec3::new(2.9, 2.8, 2.65) },
    Lamp { towards: Vec3::new(0.879, 0.293, 0.377), sharpness: 10.0, colour: Vec3::new(1.15, 1.25, 1.4) },
    Lamp { towards: Vec3::new(0.35, 0.43, -0.832), sharpness: 12.0, colour: Vec3::new(1.9, 1.95, 2.05) },
    Lamp { towards: Vec3::new(-0.1, 0.995, 0.0), sharpness: 8.0, colour: Vec3::new(1.3, 1.3, 1.3) },
];

pub(crate) const SKY: Vec3 = Vec3::new(0.25, 0.27, 0.30);
pub(crate) const HORIZON: Vec3 = Vec3::new(0.38, 0.39, 0.40);
pub(crate) const FLOOR: Vec3 = Vec3::new(0.11, 0.103, 0.097);

fn lobe(cosine: f32, sharpness: f32) -> f32 {
    let wide = 1.0 + sharpness * (1.0 - cosine) * 0.25;
    let square = wide * wide;
    1.0 / (square * square)
}

/// The light that comes from a direction, as a surface of this roughness (squared) sees it.
pub(super) fn radiance(towards: Vec3, alpha: f32) -> Vec3 {
    let blur = 0.5 / (alpha * alpha).max(1e-4);
    // The edge between floor and wall, as soft as the reflection.
    let soft = 0.06 + 1.1 * alpha;
    let height = towards.y;
    let edge = 0.5 + 0.5 * height / (height * height + soft * soft).sqrt();
    let rise = height.max(0.0);
    let wall = HORIZON + (SKY - HORIZON) * (rise * (2.0 - rise));
    let mut light = FLOOR + (wall - FLOOR) * edge;
    for lamp in &LAMPS {
        let sharpness = lamp.sharpness * blur / (lamp.sharpness + blur);
        light += lamp.colour * (sharpness / lamp.sharpness * lobe(towards.dot(lamp.towards), sharpness));
    }
    light
}

/// The light that falls on a surface from all sides, as a white one sends it back.
pub(super) fn irradiance(normal: Vec3) -> Vec3 {
    let height = normal.y;
    let edge = 0.5 + 0.5 * height * (1.25 - 0.25 * height * height);
    let sky = (SKY + HORIZON) * 0.5;
    let mut light = FLOOR + (sky - FLOOR) * edge;
    for lamp in &LAMPS {
        // Their mirror images are brighter than what they light, as in studios that are photographed.
        // The cosine is a lobe of sharpness 2.13 and height 1.17, near enough.
        let sharpness = lamp.sharpness * 2.13 / (lamp.sharpness + 2.13);
        let height = 2.34 / (lamp.sharpness + 2.13);
        light += lamp.colour * (height * 0.42 * lobe(normal.dot(lamp.towards), sharpness));
    }
    light
}
