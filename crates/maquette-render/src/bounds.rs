//! A box along the axes.

use maquette_scene::glam::Vec3;

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least of each axis.
    pub min: Vec3,
    /// The most of each axis.
    pub max: Vec3,
}

impl Bounds {
    /// Two units around the origin: where there is nothing.
    pub const UNIT: Bounds = Bounds { min: Vec3::NEG_ONE, max: Vec3::ONE };

    /// The box around points; those that are no places do not count. `None` without any.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Option<Bounds> {
        let mut found: Option<Bounds> = None;
        for point in points.into_iter().filter(|point| point.is_finite()) {
            let before = found.unwrap_or(Bounds { min: point, max: point });
            found = Some(Bounds { min: before.min.min(point), max: before.max.max(point) });
        }
        found
    }

    /// The box around both.
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Its middle.
    pub fn centre(&self) -> Vec3 {
        self.min * 0.5 + self.max * 0.5
    }

    /// From its middle to a corner.
    pub fn half(&self) -> Vec3 {
        self.max * 0.5 - self.min * 0.5
    }

    /// The radius of a ball around it that has some size even where the box is a point, and is never infinite.
    pub fn radius(&self) -> f32 {
        let half = self.half().as_dvec3();
        let radius = half.length().min(1e37) as f32;
        let least = (self.centre().abs().max_element() * 1e-5).max(1e-30);
        if radius > least {
            radius
        } else if least > 1e-30 {
            least
        } else {
            1.0
        }
    }
}
