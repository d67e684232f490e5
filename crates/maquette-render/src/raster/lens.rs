//! From places in the scene to places in the picture.
//!
//! Everything is drawn in a space of its own, in which the model is about one unit large and lies around the origin: coordinates of any size get there without loss.

use crate::bounds::Bounds;
use crate::camera::{Camera, Projection};
use crate::maths::unit_or;
use maquette_scene::glam::{DVec3, Vec3};

/// What [`Lens::nearer`] does to a depth, with and without perspective.
pub(crate) const NEARER_TIMES: f32 = 1.002;
pub(crate) const NEARER_BY: f32 = 0.004;

/// The space in which everything is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Studio {
    centre: DVec3,
    /// Units of the scene in one of the studio.
    pub unit: f64,
}

impl Studio {
    /// That of what is in a box: it is two units across.
    pub fn new(bounds: Option<Bounds>) -> Studio {
        let bounds = bounds.unwrap_or(Bounds::UNIT);
        Studio { centre: bounds.centre().as_dvec3(), unit: f64::from(bounds.radius()) }
    }

    /// Where a point of the scene is in it.
    #[inline]
    pub fn place(&self, point: Vec3) -> Vec3 {
        ((point.as_dvec3() - self.centre) / self.unit).as_vec3()
    }
}

/// A corner in the picture, before the division by `w`: pixels from the upper left corner, times `w`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Projected {
    pub x: f32,
    pub y: f32,
    pub w: f32,
    /// Along the direction in which the camera looks.
    pub distance: f32,
}

/// A camera and the size of its picture, in the space in which everything is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// To the right in the picture.
    pub right: Vec3,
    /// Up in the picture.
    pub up: Vec3,
    /// Towards the viewer.
    pub back: Vec3,
    /// Where it is looked from.
    pub eye: Vec3,
    /// Whether what is far away is smaller.
    pub kind: Kind,
    /// Pixels for a unit, at a distance of one.
    pub scale: f32,
    /// The middle of the picture.
    pub middle: [f32; 2],
    /// What is nearer than this is not seen.
    pub near: f32,
    /// Of the picture, in pixels.
    pub size: [u32; 2],
}

/// Whether what is far away is smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is.
    Perspective,
    /// It is not.
    Orthographic,
}

impl Lens {
    /// A camera of the scene.
    pub fn new(camera: &Camera, size: [u32; 2], studio: &Studio) -> Lens {
        let matrix = &camera.world_from_camera;
        let back = unit_or(matrix.z_axis.truncate(), Vec3::Z);
        let right = unit_or(matrix.x_axis.truncate(), Vec3::X);
        let up = unit_or(matrix.y_axis.truncate(), Vec3::Y);
        let height = size[1] as f32;
        let (kind, scale) = match camera.projection {
            Projection::Perspective { fov_y_radians } => {
                (Kind::Perspective, height * 0.5 / libm::tanf(fov_y_radians.clamp(0.001, 3.1) * 0.5))
            }
            Projection::Orthographic { height: seen } => {
                let seen = (f64::from(seen) / studio.unit) as f32;
                (Kind::Orthographic, height / if seen > 1e-6 { seen } else { 1e-6 })
            }
        };
        let near = (f64::from(camera.near) / studio.unit) as f32;
        let eye = studio.place(matrix.w_axis.truncate());
        let eye = if eye.is_finite() { eye } else { Vec3::Z * 4.0 };
        Lens {
            right,
            up,
            back,
            eye,
            kind,
            scale,
            middle: size.map(|side| side as f32 * 0.5),
            near: if near > 1e-5 { near } else { 1e-5 },
            size,
        }
    }

    #[inline]
    pub(crate) fn project(&self, point: Vec3) -> Projected {
        let from_eye = point - self.eye;
        let distance = -from_eye.dot(self.back);
        let w = if self.kind == Kind::Perspective { distance } else { 1.0 };
        Projected {
            x: from_eye.dot(self.right) * self.scale + self.middle[0] * w,
            y: self.middle[1] * w - from_eye.dot(self.up) * self.scale,
            w,
            distance,
        }
    }

    /// What samples are compared by: straight across the picture, larger for what is nearer.
    #[inline]
    pub(crate) fn depth(&self, distance: f32) -> f32 {
        if self.kind == Kind::Perspective { 1.0 / distance } else { -distance }
    }

    #[inline]
    pub(crate) fn distance(&self, depth: f32) -> f32 {
        self.depth(depth)
    }

    /// The direction from a point to the viewer.
    #[inline]
    pub(crate) fn towards_viewer(&self, point: Vec3) -> Vec3 {
        if self.kind == Kind::Perspective { unit_or(self.eye - point, self.back) } else { self.back }
    }
}

impl Studio {
    /// That in which everything is drawn, for lamps that are in it already.
    pub(crate) fn same() -> Studio {
        Studio { centre: DVec3::ZERO, unit: 1.0 }
    }
}

impl Lens {
    /// A depth that is a little nearer: what lies on a surface is not behind it.
    #[inline]
    pub(crate) fn nearer(&self, depth: f32) -> f32 {
        if self.kind == Kind::Perspective { depth * NEARER_TIMES } else { depth + NEARER_BY }
    }
}
