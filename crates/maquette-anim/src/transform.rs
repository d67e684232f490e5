//! Where a joint is in its parent: translation, rotation and scale.

use glam::{Mat4, Quat, Vec3, Vec3A};

/// A joint in its parent: scaled first, then turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// From the origin of the parent, in its axes.
    pub translation: Vec3A,
    /// Of unit length.
    pub rotation: Quat,
    /// Along each axis of the joint.
    pub scale: Vec3A,
}

impl Transform {
    /// Where the parent is.
    pub const IDENTITY: Transform = Transform { translation: Vec3A::ZERO, rotation: Quat::IDENTITY, scale: Vec3A::ONE };

    /// The same as a matrix that takes points of the joint to its parent.
    pub fn matrix(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale.into(), self.rotation, self.translation.into())
    }

    /// Between two: straight for translation and scale, along the shorter arc for rotation.
    pub fn between(&self, to: &Transform, fraction: f32) -> Transform {
        Transform {
            translation: self.translation.lerp(to.translation, fraction),
            rotation: crate::slerp::slerp(self.rotation, to.rotation, fraction),
            scale: self.scale.lerp(to.scale, fraction),
        }
    }

    /// This one with a part of a difference on top: translations are added, rotations turn it further in its own axes, scales multiply.
    pub fn with_added(&self, difference: &Transform, part: f32) -> Transform {
        Transform {
            translation: self.translation + difference.translation * part,
            rotation: self.rotation * crate::slerp::slerp(Quat::IDENTITY, difference.rotation, part),
            scale: self.scale * Vec3A::ONE.lerp(difference.scale, part),
        }
    }

    /// The difference that, added whole to `base`, gives this one. A scale of zero in `base` has none, and counts as 1.
    pub fn difference_from(&self, base: &Transform) -> Transform {
        let is_zero = base.scale.cmpeq(Vec3A::ZERO);
        Transform {
            translation: self.translation - base.translation,
            rotation: base.rotation.conjugate() * self.rotation,
            scale: Vec3A::select(is_zero, Vec3A::ONE, self.scale / base.scale),
        }
    }
}

impl Default for Transform {
    fn default() -> Self {
        Transform::IDENTITY
    }
}

/// A motion without scale: a turn, then a shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// How far.
    pub translation: Vec3,
    /// Of unit length.
    pub rotation: Quat,
}

impl Motion {
    /// It stays.
    pub const NONE: Motion = Motion { translation: Vec3::ZERO, rotation: Quat::IDENTITY };

    /// This one, and within where it leads, another.
    pub fn then(self, next: Motion) -> Motion {
        Motion {
            translation: self.translation + self.rotation * next.translation,
            rotation: (self.rotation * next.rotation).normalize(),
        }
    }

    /// The way back.
    pub fn inverse(self) -> Motion {
        let back = self.rotation.conjugate();
        Motion { translation: back * -self.translation, rotation: back }
    }
}
