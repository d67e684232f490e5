//! How far curves are from what they were.

use crate::{Curve, Did};

/// The largest error of each property.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Errors {
    pub translation: f64,
    pub rotation: f64,
    pub scale: f64,
    pub weight: f64,
}

impl Errors {
    /// Counts an error of a curve.
    pub fn add(&mut self, curve: &Curve, error: f64) {
        let largest = match curve {
            Curve::Translation(_) => &mut self.translation,
            Curve::Rotation(_) => &mut self.rotation,
            Curve::Scale(_) => &mut self.scale,
            Curve::MorphWeights(_) => &mut self.weight,
        };
        *largest = largest.max(error);
    }

    /// The largest of all.
    pub fn largest(&self) -> f64 {
        self.translation.max(self.rotation).max(self.scale).max(self.weight)
    }

    /// Tells those that are more than rounding.
    pub fn tell(&self, did: Did) -> Did {
        let rows = [
            ("largest error of a translation", self.translation, "units"),
            ("largest error of a rotation", self.rotation, "rad"),
            ("largest error of a scale", self.scale, ""),
            ("largest error of a weight", self.weight, ""),
        ];
        rows.into_iter()
            .filter(|(_, error, _)| *error > 1e-9)
            .fold(did, |did, (what, error, unit)| did.with(what, error, unit))
    }
}
