//! The words that stand for choices, the same in both directions.

use crate::keywords::choose;
use maquette::scene::clip::{Blend, Interpolation};
use maquette::scene::image::ColourSpace;
use maquette::scene::material::Wrap;
use maquette::scene::mesh::Topology;
use pyo3::prelude::*;

/// What each of some values is called.
pub struct Words<T: 'static> {
    /// What is chosen.
    what: &'static str,
    pairs: &'static [(&'static str, T)],
}

impl<T: Copy + PartialEq> Words<T> {
    /// What a value is called.
    pub fn word(&self, value: T) -> &'static str {
        self.pairs.iter().find(|(_, known)| *known == value).map_or("", |(word, _)| word)
    }

    /// The value that is called so.
    pub fn value(&self, word: &str) -> PyResult<T> {
        choose(self.what, word, self.pairs)
    }
}

pub const BLENDS: Words<Blend> = Words {
    what: "blend",
    pairs: &[
        ("absolute", Blend::Absolute),
        ("relative", Blend::Relative),
        ("additive", Blend::Additive),
        ("delta", Blend::Delta),
    ],
};

pub const INTERPOLATIONS: Words<Interpolation> = Words {
    what: "interpolation",
    pairs: &[
        ("step", Interpolation::Step),
        ("linear", Interpolation::Linear),
        ("cubic-spline", Interpolation::CubicSpline),
    ],
};

/// What a track moves.
#[derive(Clone, Copy, PartialEq)]
pub enum Property {
    Translation,
    Rotation,
    Scale,
    MorphWeights,
}

pub const PROPERTIES: Words<Property> = Words {
    what: "property",
    pairs: &[
        ("translation", Property::Translation),
        ("rotation", Property::Rotation),
        ("scale", Property::Scale),
        ("morph weights", Property::MorphWeights),
    ],
};

pub const WRAPS: Words<Wrap> =
    Words { what: "wrap", pairs: &[("repeat", Wrap::Repeat), ("mirror", Wrap::Mirror), ("clamp", Wrap::Clamp)] };

pub const TOPOLOGIES: Words<Topology> =
    Words { what: "topology", pairs: &[("triangles", Topology::Triangles), ("lines", Topology::Lines)] };

pub const COLOUR_SPACES: Words<ColourSpace> =
    Words { what: "colour_space", pairs: &[("srgb", ColourSpace::Srgb), ("linear", ColourSpace::Linear)] };
