//! Cameras all around a model, in even steps.

use crate::bounds::Bounds;
use crate::camera::{Camera, Framing, View};
use maquette_scene::glam::Vec3;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

/// Points around the model that every camera has to see: it turns within them.
const RING: u32 = 64;

impl View {
    /// Degrees of freedom of the same view: from the front to the left side of the model, and upwards, in radians.
    pub fn yaw_and_pitch(self) -> [f32; 2] {
        match self {
            View::Front => [0.0, 0.0],
            View::Left => [FRAC_PI_2, 0.0],
            View::Back => [PI, 0.0],
            View::Right => [-FRAC_PI_2, 0.0],
            View::Top => [0.0, FRAC_PI_2],
            // The angle whose tangent is the root of one half.
            View::Iso => [FRAC_PI_4, 0.615_479_7],
            View::Orbit { yaw_radians, pitch_radians } => [yaw_radians, pitch_radians],
        }
    }
}

impl Framing {
    /// So many cameras around a box, the first where this one is, each seeing as much as any other.
    pub fn turntable(&self, bounds: &Bounds, size: [u32; 2], count: u32) -> Vec<Camera> {
        let [yaw, pitch_radians] = self.view.yaw_and_pitch();
        let (centre, half) = (bounds.centre(), bounds.half());
        let radius = libm::sqrtf(half.x * half.x + half.z * half.z);
        let ring = |at: u32| {
            let (sin, cos) = libm::sincosf(TAU * at as f32 / RING as f32);
            [-half.y, half.y].map(|y| centre + Vec3::new(radius * cos, y, radius * sin))
        };
        let camera = |at: u32| {
            let yaw_radians = yaw + TAU * at as f32 / count as f32;
            let framing = Framing { view: View::Orbit { yaw_radians, pitch_radians }, ..*self };
            framing.camera_of(bounds, (0..RING).flat_map(ring), size)
        };
        (0..count).map(camera).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cameras_stand_on_a_circle_and_the_first_where_it_is_asked_for() {
        let bounds = Bounds { min: Vec3::new(-3.0, 0.0, -1.0), max: Vec3::new(3.0, 2.0, 1.0) };
        let framing = Framing { view: View::Right, ..Framing::default() };
        let cameras = framing.turntable(&bounds, [64, 64], 8);
        let eyes: Vec<Vec3> =
            cameras.iter().map(|camera| camera.world_from_camera.w_axis.truncate() - bounds.centre()).collect();
        assert!(eyes[0].x < -5.0 && eyes[0].z.abs() < 0.1, "{}", eyes[0]);
        for (eye, next) in eyes.iter().zip(eyes.iter().cycle().skip(1)) {
            assert!((eye.length() - eyes[0].length()).abs() < 0.02 * eyes[0].length());
            let between = (eye.dot(*next) / (eye.length() * next.length())).acos();
            assert!((between - TAU / 8.0).abs() < 0.02, "{between}");
        }
    }

    #[test]
    fn views_are_the_orbits_they_are_said_to_be() {
        let bounds = Bounds { min: Vec3::NEG_ONE, max: Vec3::ONE };
        for word in View::WORDS {
            let view = View::from_word(word).unwrap();
            let [yaw_radians, pitch_radians] = view.yaw_and_pitch();
            let [one, other] = [view, View::Orbit { yaw_radians, pitch_radians }]
                .map(|view| Framing { view, ..Framing::default() }.camera(&bounds, [8, 8]).world_from_camera);
            assert!(one.abs_diff_eq(other, 1e-4), "{word}");
        }
    }
}
