//! The shadow of the key light: the model as the light sees it, and soft edges by how far away what casts them is.

use crate::camera::{Camera, Projection};
use crate::depth_map::DepthMap;
use crate::frame;
use crate::maths::unit_or;
use crate::posed::Posed;
use crate::posed::PosedPart;
use crate::raster::{Bins, Lens, Studio, Style};
use crate::stage::Material;
use maquette_scene::glam::{Mat4, Vec3};
use std::sync::LazyLock;

/// The model as the light sees it.
pub(crate) struct ShadowMap {
    lens: Lens,
    map: DepthMap,
    /// A pixel of the map, in the space in which everything is drawn.
    texel: f32,
}

/// Places in a disc, along a spiral.
pub(crate) static DISC: LazyLock<[[f32; 2]; TAPS]> = LazyLock::new(|| {
    std::array::from_fn(|tap| {
        let radius = ((tap as f32 + 0.5) / TAPS as f32).sqrt();
        let (sin, cos) = libm::sincosf(tap as f32 * 2.399_963_2);
        [radius * cos, radius * sin]
    })
});
pub(crate) const TAPS: usize = 16;

/// The widest edge of a shadow, from its middle, for a model of two units.
pub(crate) const WIDEST: f32 = 0.045;
/// How fast edges widen with the distance to what casts them.
pub(crate) const SPREAD: f32 = 0.07;

/// The side of what the light sees: everything is within one unit of the origin.
pub(crate) const SEEN: f32 = 2.1;

/// How the light sees the model, in the space in which everything is drawn.
pub(crate) fn lens(towards_key: Vec3, side: u32) -> Lens {
    let across = if towards_key.y.abs() < 0.95 { Vec3::Y } else { Vec3::X };
    let right = unit_or(across.cross(towards_key), Vec3::X);
    let up = towards_key.cross(right);
    let eye = towards_key * 3.0;
    let world_from_camera =
        Mat4::from_cols(right.extend(0.0), up.extend(0.0), towards_key.extend(0.0), eye.extend(1.0));
    let projection = Projection::Orthographic { height: SEEN };
    Lens::new(&Camera { world_from_camera, projection, near: 0.5 }, [side, side], &Studio::same())
}

impl ShadowMap {
    pub fn new(
        posed: &Posed<'_>,
        places: &[Vec3],
        towards_key: Vec3,
        side: u32,
        bone: &Material,
        style: impl Fn(&PosedPart<'_>) -> Option<Style> + Sync,
    ) -> ShadowMap {
        let lens = lens(towards_key, side);
        let projected = frame::project(&lens, places);
        let bins = Bins::new(&lens, &projected, &posed.parts, style);
        let map = DepthMap::new(posed, &lens, &projected, &bins, bone);
        ShadowMap { lens, map, texel: SEEN / side as f32 }
    }

    /// How much of the key light reaches a place, from 0 to 1.
    pub fn reach(&self, place: Vec3, flat_normal: Vec3, towards_key: Vec3) -> f32 {
        let facing = flat_normal.dot(towards_key);
        let place = place + flat_normal * (self.texel * 1.5);
        let at = self.lens.project(place);
        let depth = self.lens.depth(at.distance) + self.texel * 0.5;
        // How the surface itself comes nearer to the light from pixel to pixel.
        let steep = facing.max(0.15);
        let slope = |axis: Vec3| (-flat_normal.dot(axis) / steep).clamp(-4.0, 4.0) * self.texel;
        let slopes = [slope(self.lens.right), -slope(self.lens.up)];
        let pixels = |units: f32| units / self.texel;
        let look = pixels(WIDEST);
        let (mut blockers, mut sum) = (0.0, 0.0);
        for [x, y] in DISC.iter().copied().step_by(2) {
            let (dx, dy) = (x * look, y * look);
            let there = self.map.at((at.x + dx) as i32, (at.y + dy) as i32);
            let expected = depth + (dx * slopes[0] + dy * slopes[1]).max(0.0) + self.texel * 0.5;
            if there > expected {
                blockers += 1.0;
                sum += there - depth;
            }
        }
        if blockers == 0.0 {
            return 1.0;
        }
        let wide = (sum / blockers * SPREAD).clamp(self.texel, WIDEST);
        let radius = pixels(wide);
        let mut reached = 0.0;
        for [x, y] in DISC.iter() {
            let (dx, dy) = (x * radius, y * radius);
            let expected = depth + (dx * slopes[0] + dy * slopes[1]).max(0.0);
            reached += self.lit(at.x + dx, at.y + dy, expected);
        }
        reached * (1.0 / TAPS as f32)
    }

    /// Mixed from the four pixels around a place of the map.
    fn lit(&self, x: f32, y: f32, depth: f32) -> f32 {
        let (x, y) = (x - 0.5, y - 0.5);
        let (left, top) = (crate::maths::floor(x), crate::maths::floor(y));
        let (right, down) = (x - left, y - top);
        let (left, top) = (left as i32, top as i32);
        let lit = |x: i32, y: i32| if self.map.at(x, y) > depth { 0.0 } else { 1.0 };
        let upper = lit(left, top) * (1.0 - right) + lit(left + 1, top) * right;
        let lower = lit(left, top + 1) * (1.0 - right) + lit(left + 1, top + 1) * right;
        upper * (1.0 - down) + lower * down
    }
}
