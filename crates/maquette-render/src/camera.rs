//! Where a picture is taken from, and cameras that see all of a model.

use crate::bounds::Bounds;
use maquette_scene::glam::{Mat4, Vec3, Vec4};

/// Where a picture is taken from. It looks along its own -Z, with +Y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// From the space of the camera to that of the scene: a rotation and a place.
    pub world_from_camera: Mat4,
    /// How wide it sees.
    pub projection: Projection,
    /// What is nearer than this is not seen. In units of the scene, more than 0.
    pub near: f32,
}

impl Default for Camera {
    /// What [`Framing::default`] makes of a cube of two units around the origin, in a square picture.
    fn default() -> Camera {
        Framing::default().camera(&Bounds::UNIT, [1, 1])
    }
}

/// How wide a camera sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// As eyes do.
    Perspective {
        /// The angle from the lower to the upper edge, in radians.
        fov_y_radians: f32,
    },
    /// Without making what is far away smaller.
    Orthographic {
        /// From the lower to the upper edge, in units of the scene.
        height: f32,
    },
}

/// From which side a model is looked at. Models face +Z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    /// From +Z.
    Front,
    /// From -Z.
    Back,
    /// At its left side: from +X.
    Left,
    /// At its right side: from -X.
    Right,
    /// From above, its front at the lower edge.
    Top,
    /// From the front, from its left and from above, all by the same.
    Iso,
    /// From anywhere.
    Orbit {
        /// From the front to the left side of the model, in radians.
        yaw_radians: f32,
        /// Upwards, in radians.
        pitch_radians: f32,
    },
}

impl View {
    /// The view of this name: `front`, `back`, `left`, `right`, `side` (which is `right`), `top`, `iso`.
    pub fn from_word(word: &str) -> Option<View> {
        Some(match word {
            "front" => View::Front,
            "back" => View::Back,
            "left" => View::Left,
            "right" | "side" => View::Right,
            "top" => View::Top,
            "iso" => View::Iso,
            _ => return None,
        })
    }

    /// The names that [`View::from_word`] knows.
    pub const WORDS: [&'static str; 7] = ["front", "back", "left", "right", "side", "top", "iso"];

    /// The axes of the camera in the scene: to the right, up, and towards the viewer.
    fn axes(self) -> [Vec3; 3] {
        match self {
            View::Front => [Vec3::X, Vec3::Y, Vec3::Z],
            View::Back => [Vec3::NEG_X, Vec3::Y, Vec3::NEG_Z],
            View::Left => [Vec3::NEG_Z, Vec3::Y, Vec3::X],
            View::Right => [Vec3::Z, Vec3::Y, Vec3::NEG_X],
            View::Top => [Vec3::X, Vec3::NEG_Z, Vec3::Y],
            // The angle whose tangent is the root of one half.
            View::Iso => View::Orbit { yaw_radians: std::f32::consts::FRAC_PI_4, pitch_radians: 0.615_479_7 }.axes(),
            View::Orbit { yaw_radians, pitch_radians } => {
                let (sin_yaw, cos_yaw) = libm::sincosf(yaw_radians);
                let (sin_pitch, cos_pitch) = libm::sincosf(pitch_radians);
                let towards = Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch);
                let right = Vec3::new(cos_yaw, 0.0, -sin_yaw);
                [right, towards.cross(right), towards]
            }
        }
    }
}

/// A camera that sees all of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Framing {
    /// From which side.
    pub view: View,
    /// The angle from the lower to the upper edge, in radians; `None` for a picture without perspective.
    pub fov_y_radians: Option<f32>,
    /// What is left free around the model, as a part of the picture.
    pub margin: f32,
}

impl Default for Framing {
    /// From the front, a little from the left side of the model and from above.
    fn default() -> Framing {
        let view = View::Orbit { yaw_radians: std::f32::consts::FRAC_PI_6, pitch_radians: 0.349_065_9 };
        Framing { view, fov_y_radians: Some(0.610_865_2), margin: 0.04 }
    }
}

impl Framing {
    /// A camera that sees all of this box in a picture of this size.
    pub fn camera(&self, bounds: &Bounds, size: [u32; 2]) -> Camera {
        let (min, max) = (bounds.min, bounds.max);
        let pick = |bits: u32, axis: u32, min: f32, max: f32| if bits >> axis & 1 == 0 { min } else { max };
        let corners = (0..8).map(|bits| {
            Vec3::new(pick(bits, 0, min.x, max.x), pick(bits, 1, min.y, max.y), pick(bits, 2, min.z, max.z))
        });
        self.camera_of(bounds, corners, size)
    }

    /// A camera that sees all of these points, which are in this box.
    pub(crate) fn camera_of(&self, bounds: &Bounds, points: impl Iterator<Item = Vec3>, size: [u32; 2]) -> Camera {
        let [right, up, towards] = self.view.axes();
        let (centre, radius) = (bounds.centre(), bounds.radius());
        let inside = (1.0 - 2.0 * self.margin).clamp(0.1, 1.0);
        let aspect = size[0].max(1) as f32 / size[1].max(1) as f32;
        let tan = self.fov_y_radians.map(|fov| libm::tanf(fov.clamp(0.01, 3.0) * 0.5) * inside);
        // The planes of the pyramid that is seen, from its tip: how far back each must be to have all points inside.
        let mut most = [f32::NEG_INFINITY; 4];
        let (mut nearest, mut furthest) = (f32::NEG_INFINITY, f32::INFINITY);
        for point in points.filter(|point| point.is_finite()) {
            let point = (point - centre) / radius;
            let (x, y, z) = (point.dot(right), point.dot(up), point.dot(towards));
            let back = tan.map_or([0.0; 2], |tan| [z * tan * aspect, z * tan]);
            for (most, reach) in most.iter_mut().zip([x + back[0], back[0] - x, y + back[1], back[1] - y]) {
                *most = most.max(reach);
            }
            nearest = nearest.max(z);
            furthest = furthest.min(z);
        }
        if !(nearest.is_finite() && furthest.is_finite()) {
            (most, nearest) = ([0.5; 4], 0.5);
        }
        let [left_most, right_most, low_most, high_most] = [most[1], most[0], most[3], most[2]];
        // In the middle of what is seen, not of the box.
        let (x, y) = ((right_most - left_most) * 0.5, (high_most - low_most) * 0.5);
        let half = [(right_most + left_most) * 0.5, (high_most + low_most) * 0.5];
        let (distance, projection) = match (self.fov_y_radians, tan) {
            (Some(fov), Some(tan)) => {
                let needed = (half[0] / (tan * aspect)).max(half[1] / tan);
                (needed.max(nearest + 0.02), Projection::Perspective { fov_y_radians: fov.clamp(0.01, 3.0) })
            }
            _ => {
                let height = (2.0 * half[1]).max(2.0 * half[0] / aspect).max(1e-3) / inside;
                (2.0, Projection::Orthographic { height: height * radius })
            }
        };
        let eye = centre + (right * x + up * y + towards * distance) * radius;
        let near = ((distance - nearest) * 0.5).max(distance.abs() * 1e-3) * radius;
        let world_from_camera =
            Mat4::from_cols(right.extend(0.0), up.extend(0.0), towards.extend(0.0), Vec4::from((eye, 1.0)));
        Camera { world_from_camera, projection, near }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_has_right_handed_axes_and_looks_from_its_side() {
        for (word, from) in View::WORDS.iter().zip([
            Vec3::Z,
            Vec3::NEG_Z,
            Vec3::X,
            Vec3::NEG_X,
            Vec3::NEG_X,
            Vec3::Y,
            Vec3::ONE.normalize(),
        ]) {
            let [right, up, towards] = View::from_word(word).unwrap().axes();
            assert!(right.cross(up).abs_diff_eq(towards, 1e-6), "{word}");
            assert!(towards.abs_diff_eq(from, 1e-6), "{word}");
        }
    }

    #[test]
    fn a_framed_box_is_in_the_picture_and_touches_its_margin() {
        let bounds = Bounds { min: Vec3::new(-3.0, 1.0, -2.0), max: Vec3::new(5.0, 2.0, 9.0) };
        for fov_y_radians in [Some(0.6), Some(2.0), None] {
            for size in [[512, 512], [100, 700], [900, 300]] {
                let framing = Framing { fov_y_radians, ..Framing::default() };
                let camera = framing.camera(&bounds, size);
                let camera_from_world = camera.world_from_camera.inverse();
                let mut most = 0.0_f32;
                for corner in 0..8 {
                    let pick = |axis: usize| if corner >> axis & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] };
                    let seen = camera_from_world.transform_point3(Vec3::new(pick(0), pick(1), pick(2)));
                    assert!(-seen.z > camera.near);
                    let half_height = match camera.projection {
                        Projection::Perspective { fov_y_radians } => (fov_y_radians * 0.5).tan() * -seen.z,
                        Projection::Orthographic { height } => height * 0.5,
                    };
                    let aspect = size[0] as f32 / size[1] as f32;
                    most = most.max(seen.y.abs() / half_height).max(seen.x.abs() / (half_height * aspect));
                }
                assert!((most - 0.92).abs() < 2e-3, "{most}");
            }
        }
    }
}
