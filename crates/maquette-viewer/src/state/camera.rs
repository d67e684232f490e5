//! The camera in the hand: orbits a point, pans, comes closer, flies.

use maquette::scene::glam::{Mat4, Vec3};
use maquette_render::{Bounds, Camera, Framing, Projection, View};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// A camera that looks at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// What it looks at, and turns around.
    pub focus: Vec3,
    /// How far away from it.
    pub distance: f32,
    /// From the front to the left side of the model, in radians.
    pub yaw: f32,
    /// Upwards, in radians.
    pub pitch: f32,
    /// The angle of the lens from the lower to the upper edge, in radians. Without perspective it is kept for later.
    pub fov_y: f32,
    /// Whether far away is smaller.
    pub lens: Lens,
    /// How far away it stands without perspective, in distances: what is seen then depends on the distance and the angle alone, and it stands where the model is before it.
    back: f32,
    /// What is nearer than this part of the way to the focus is not seen.
    near: f32,
}

/// Whether far away is smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lens {
    /// As eyes see.
    #[default]
    Perspective,
    /// Without perspective.
    Orthographic,
}

/// The narrowest and the widest angle.
pub const FOV_RANGE: [f32; 2] = [10.0 * PI / 180.0, 160.0 * PI / 180.0];

/// Straight up and down there is no telling where north is.
const STEEPEST: f32 = FRAC_PI_2 - 1e-3;

impl Default for Orbit {
    fn default() -> Orbit {
        Orbit::framing(&Bounds { min: Vec3::NEG_ONE, max: Vec3::ONE }, &Framing::default(), [1, 1])
    }
}

impl Orbit {
    /// A camera that sees all of a box.
    pub fn framing(bounds: &Bounds, framing: &Framing, size: [u32; 2]) -> Orbit {
        Orbit::of(&framing.camera(bounds, size), bounds)
    }

    /// The same camera as one that somebody else made, turning around the middle of a box. One without perspective has the angle that sees as much from there.
    pub fn of(camera: &Camera, bounds: &Bounds) -> Orbit {
        let axes = camera.world_from_camera;
        let (towards, eye) = (axes.z_axis.truncate(), axes.w_axis.truncate());
        let distance = (eye - bounds.centre()).dot(towards).max(bounds.radius() * 1e-3);
        let (fov_y, lens) = match camera.projection {
            Projection::Perspective { fov_y_radians } => (fov_y_radians, Lens::Perspective),
            Projection::Orthographic { height } => (2.0 * (height * 0.5 / distance).atan(), Lens::Orthographic),
        };
        Orbit {
            focus: eye - towards * distance,
            distance,
            yaw: yaw_of(axes),
            pitch: towards.y.clamp(-1.0, 1.0).asin(),
            fov_y,
            lens,
            back: 1.0,
            near: (camera.near / distance).clamp(1e-4, 0.5),
        }
    }

    /// Its axes in the scene: to the right, up, and towards the viewer.
    pub fn axes(&self) -> [Vec3; 3] {
        let ((sin_yaw, cos_yaw), (sin_pitch, cos_pitch)) = (self.yaw.sin_cos(), self.pitch.sin_cos());
        let towards = Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch);
        let right = Vec3::new(cos_yaw, 0.0, -sin_yaw);
        [right, towards.cross(right), towards]
    }

    /// Where it is.
    pub fn eye(&self) -> Vec3 {
        self.focus + self.axes()[2] * self.reach()
    }

    /// How far it is from the focus.
    fn reach(&self) -> f32 {
        match self.lens {
            Lens::Perspective => self.distance,
            Lens::Orthographic => self.distance * self.back,
        }
    }

    /// What pictures are taken with.
    pub fn camera(&self) -> Camera {
        let [right, up, towards] = self.axes();
        let eye = self.eye();
        let projection = match self.lens {
            Lens::Perspective => Projection::Perspective { fov_y_radians: self.fov_y },
            Lens::Orthographic => Projection::Orthographic { height: self.height() },
        };
        let world_from_camera =
            Mat4::from_cols(right.extend(0.0), up.extend(0.0), towards.extend(0.0), eye.extend(1.0));
        Camera { world_from_camera, projection, near: self.reach() * self.near }
    }

    /// What is seen at the focus, from the lower to the upper edge.
    pub fn height(&self) -> f32 {
        2.0 * self.distance * (self.fov_y * 0.5).tan()
    }

    /// Turns around the focus.
    pub fn turn(&mut self, yaw: f32, pitch: f32) {
        self.yaw = (self.yaw + yaw).rem_euclid(TAU);
        self.pitch = (self.pitch + pitch).clamp(-STEEPEST, STEEPEST);
    }

    /// Moves with its focus, by parts of the height of the picture.
    pub fn pan(&mut self, right: f32, up: f32) {
        let [x, y, _] = self.axes();
        self.focus += (x * right + y * up) * self.height();
    }

    /// Comes closer, by powers of two; away from the focus below 0.
    pub fn zoom(&mut self, steps: f32) {
        self.distance = (self.distance * (-steps).exp2()).clamp(1e-30, 1e30);
        // What was framed from afar is still seen from near by, and the other way round.
        self.near = self.near.min(0.05);
    }

    /// Comes closer to what is under a place of the picture, which stays where it is: from -1 to 1 along the height.
    pub fn zoom_at(&mut self, steps: f32, place: [f32; 2]) {
        let before = self.height();
        self.zoom(steps);
        let moved = (before - self.height()) * 0.5;
        let [x, y, _] = self.axes();
        self.focus += (x * place[0] + y * place[1]) * moved;
    }

    /// Flies: moves without turning, in its own axes, by lengths of the scene.
    pub fn fly(&mut self, right: f32, up: f32, ahead: f32) {
        let [x, y, towards] = self.axes();
        self.focus += x * right + y * up - towards * ahead;
        self.near = self.near.min(0.01);
    }

    /// Looks around from where it is.
    pub fn look_around(&mut self, yaw: f32, pitch: f32) {
        let eye = self.eye();
        self.turn(yaw, pitch);
        self.focus = eye - self.axes()[2] * self.reach();
    }

    /// Sees so wide an angle, and the focus as large as before; without perspective, the same as before.
    pub fn set_fov(&mut self, fov_y: f32) {
        let height = self.height();
        let [least, most] = FOV_RANGE;
        self.fov_y = fov_y.clamp(least, most);
        let distance = height / (2.0 * (self.fov_y * 0.5).tan());
        self.back *= self.distance / distance;
        self.distance = distance;
        // From nearer by, the model is still before it.
        self.near = self.near.min(0.01);
    }

    /// The same with the lens angle of another, where this one has no perspective and so none of its own.
    pub fn with_angle_of(mut self, other: &Orbit) -> Orbit {
        if self.lens == Lens::Orthographic {
            self.set_fov(other.fov_y);
        }
        self
    }

    /// The same camera before another model: as one of them was framed by `from` and the other by `to`, what is seen of both has the same part of the picture.
    pub fn carried(&self, from: &Orbit, to: &Orbit) -> Orbit {
        let ratio = to.height() / from.height();
        if !(ratio.is_finite() && ratio > 0.0) {
            return *self;
        }
        let distance = (self.distance * ratio).clamp(1e-30, 1e30);
        Orbit { focus: to.focus + (self.focus - from.focus) * ratio, distance, ..*self }
    }

    /// Looks from this side, at the same point.
    pub fn look_from(&mut self, view: View) {
        let bounds = Bounds { min: Vec3::NEG_ONE, max: Vec3::ONE };
        let other = Orbit::framing(&bounds, &Framing { view, ..Framing::default() }, [1, 1]);
        (self.yaw, self.pitch) = (other.yaw, other.pitch.clamp(-STEEPEST, STEEPEST));
    }

    /// How it is to be framed to see all from the same side.
    pub fn as_framing(&self) -> Framing {
        let view = View::Orbit { yaw_radians: self.yaw, pitch_radians: self.pitch };
        let fov_y_radians = (self.lens == Lens::Perspective).then_some(self.fov_y);
        Framing { view, fov_y_radians, ..Framing::default() }
    }

    /// Where a point of the scene is in a picture of this size, in pixels, and how far away; `None` behind the camera.
    pub fn project(&self, point: Vec3, size: [f32; 2]) -> Option<([f32; 2], f32)> {
        let [right, up, towards] = self.axes();
        let way = point - self.eye();
        let depth = -way.dot(towards);
        let height = match self.lens {
            Lens::Perspective => 2.0 * depth * (self.fov_y * 0.5).tan(),
            Lens::Orthographic => self.height(),
        };
        let pixels = size[1] / height;
        let at = [size[0] * 0.5 + way.dot(right) * pixels, size[1] * 0.5 - way.dot(up) * pixels];
        (depth > 0.0 && at.iter().all(|at| at.is_finite())).then_some((at, depth))
    }

    /// The line of sight through a place of a picture of this size: where it begins and where it goes.
    pub fn ray(&self, at: [f32; 2], size: [f32; 2]) -> (Vec3, Vec3) {
        let [right, up, towards] = self.axes();
        let unit = self.height() / size[1];
        let across = right * ((at[0] - size[0] * 0.5) * unit) + up * ((size[1] * 0.5 - at[1]) * unit);
        match self.lens {
            Lens::Perspective => (self.eye(), (across - towards * self.distance).normalize_or(-towards)),
            Lens::Orthographic => (self.eye() + across, -towards),
        }
    }
}

/// Around, of the axes of a camera; straight from above, its right side tells.
fn yaw_of(axes: Mat4) -> f32 {
    let right = axes.x_axis;
    (-right.z).atan2(right.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds() -> Bounds {
        Bounds { min: Vec3::new(-3.0, 1.0, -2.0), max: Vec3::new(5.0, 2.0, 9.0) }
    }

    #[test]
    fn it_sees_what_the_camera_it_is_made_of_sees() {
        for fov_y_radians in [Some(0.6), Some(2.0), None] {
            for word in View::WORDS {
                let view = View::from_word(word).unwrap();
                let camera = Framing { view, fov_y_radians, ..Framing::default() }.camera(&bounds(), [640, 480]);
                let same = Orbit::of(&camera, &bounds()).camera();
                assert!(same.world_from_camera.abs_diff_eq(camera.world_from_camera, 2e-5), "{word}");
                match (same.projection, camera.projection) {
                    (Projection::Perspective { fov_y_radians: a }, Projection::Perspective { fov_y_radians: b }) => {
                        assert_eq!(a, b);
                    }
                    (Projection::Orthographic { height: a }, Projection::Orthographic { height: b }) => {
                        assert!((a - b).abs() < 1e-4 * b);
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }

    #[test]
    fn places_and_lines_of_sight_belong_together() {
        let size = [640.0, 480.0];
        for lens in [Lens::Perspective, Lens::Orthographic] {
            let orbit = Orbit { lens, ..Orbit::framing(&bounds(), &Framing::default(), [640, 480]) };
            for point in [Vec3::new(1.0, 1.5, 3.0), bounds().min, bounds().max] {
                let (at, _) = orbit.project(point, size).unwrap();
                let (from, way) = orbit.ray(at, size);
                let beside = (point - from).cross(way).length();
                assert!(beside < 1e-3, "{beside}");
            }
        }
    }

    #[test]
    fn what_is_under_the_pointer_stays_there() {
        let mut orbit = Orbit::default();
        let size = [400.0, 400.0];
        let [right, up, _] = orbit.axes();
        let point = orbit.focus + (right * 0.5 + up * -0.25) * orbit.height() * 0.5;
        let (before, _) = orbit.project(point, size).unwrap();
        orbit.zoom_at(1.0, [0.5, -0.25]);
        let (after, _) = orbit.project(point, size).unwrap();
        assert!((before[0] - after[0]).abs() < 0.1 && (before[1] - after[1]).abs() < 0.1, "{before:?} {after:?}");
    }

    #[test]
    fn a_wider_angle_keeps_the_focus_as_large() {
        let mut orbit = Orbit::default();
        let height = orbit.height();
        orbit.set_fov(2.0);
        assert!((orbit.height() - height).abs() < 1e-4);
        orbit.set_fov(99.0);
        assert_eq!(orbit.fov_y, FOV_RANGE[1]);
    }

    #[test]
    fn without_perspective_the_angle_is_kept_and_the_same_is_seen() {
        let orbit = Orbit { lens: Lens::Orthographic, ..Orbit::default() };
        let framed = Orbit::framing(&bounds(), &orbit.as_framing(), [640, 480]);
        let kept = framed.with_angle_of(&orbit);
        assert_eq!(kept.fov_y, orbit.fov_y);
        let [one, other] = [framed, kept].map(|orbit| orbit.camera());
        assert!(one.world_from_camera.abs_diff_eq(other.world_from_camera, 1e-3), "{one:?} {other:?}");
        assert!((framed.height() - kept.height()).abs() < 1e-4 * framed.height());
        // With perspective again, what is at the focus is as large.
        let again = Orbit { lens: Lens::Perspective, ..kept };
        let [right, ..] = kept.axes();
        let places = [kept, again].map(|orbit| orbit.project(orbit.focus + right, [640.0, 480.0]).unwrap().0[0]);
        assert!((places[0] - places[1]).abs() < 0.01, "{places:?}");
    }

    #[test]
    fn looking_around_stays_in_place_and_flying_does_not_turn() {
        let mut orbit = Orbit::default();
        let eye = orbit.eye();
        orbit.look_around(0.4, 9.0);
        assert!((orbit.eye() - eye).length() < 1e-4);
        let axes = orbit.axes();
        orbit.fly(0.0, 0.0, 2.0);
        assert_eq!(orbit.axes(), axes);
        assert!((orbit.eye() - (eye - axes[2] * 2.0)).length() < 1e-4);
    }
}
