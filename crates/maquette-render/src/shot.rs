//! How a picture is taken: everything that is not the model.

use crate::camera::Camera;
use crate::mode::Mode;
use crate::tone_map::ToneMap;
use maquette_scene::glam::Vec3;
use std::str::FromStr;

/// How a picture is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// Width and height, in pixels: from 1 to [`LONGEST_SIDE`].
    pub size: [u32; 2],
    /// Where it is taken from. [`Framing`](crate::Framing) makes one.
    pub camera: Camera,
    /// What of the model it shows.
    pub mode: Mode,
    /// What is drawn besides the model.
    pub overlays: Overlays,
    /// How light becomes colours of a screen; for [`Mode::Shaded`].
    pub tone_map: ToneMap,
    /// Times all light, before the tone map.
    pub exposure: f32,
    /// What is behind the model.
    pub background: Background,
    /// What the model stands in; for [`Mode::Shaded`].
    pub light: Light,
    /// How smooth edges are.
    pub samples: Samples,
}

impl Default for Shot {
    fn default() -> Shot {
        Shot {
            size: [512, 512],
            camera: Camera::default(),
            mode: Mode::default(),
            overlays: Overlays::default(),
            tone_map: ToneMap::default(),
            exposure: 1.0,
            background: Background::default(),
            light: Light::default(),
            samples: Samples::default(),
        }
    }
}

impl Shot {
    /// What [`Shot::exposure`] is for so many stops more, each twice the light of the one before.
    pub fn exposure_of_stops(stops: f32) -> f32 {
        libm::exp2f(stops)
    }
}

/// The longest side of a picture, in pixels.
pub const LONGEST_SIDE: u32 = 16384;

/// What is drawn besides the model. Lines in front of it are clear, those behind it faint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays {
    /// Joints and what they carry, as bones; all nodes where nothing is bound to joints.
    pub skeleton: bool,
    /// A floor of squares below the model, 1, 2 or 5 times a power of ten wide.
    pub grid: bool,
    /// The box around the model.
    pub bounds: bool,
    /// The axes of the scene at its origin: X red, Y green, Z blue.
    pub axes: bool,
}

/// What is behind the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Background {
    /// Nothing: the picture is transparent there.
    Transparent,
    /// A colour in sRGB, each channel from 0 to 1, as it is to be in the picture.
    Colour([f32; 3]),
}

impl FromStr for Background {
    type Err = String;

    /// `transparent`, a word for a grey, or a colour such as `#202428` or `#fff`.
    fn from_str(text: &str) -> Result<Background, String> {
        let lower = text.to_ascii_lowercase();
        let digits = match lower.as_str() {
            "transparent" | "none" => return Ok(Background::Transparent),
            "black" => "000000",
            "white" => "ffffff",
            "grey" | "gray" => "808080",
            other => other.trim_start_matches('#'),
        };
        let twice: String = digits.chars().flat_map(|digit| [digit, digit]).collect();
        let digits = if digits.len() == 3 { &twice } else { digits };
        let channel = |at: usize| u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok();
        let colour = (digits.len() == 6 && digits.is_ascii()).then(|| [channel(0), channel(1), channel(2)]);
        match colour {
            Some([Some(r), Some(g), Some(b)]) => Ok(Background::Colour([r, g, b].map(|part| f32::from(part) / 255.0))),
            _ => Err("write transparent, black, white, grey, or a colour such as #202428".to_owned()),
        }
    }
}

impl Default for Background {
    fn default() -> Background {
        Background::Colour([0.38, 0.39, 0.41])
    }
}

/// What the model stands in: a studio, bright above and dim below, with large soft lamps, and one light that casts shadows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Where the light that casts shadows comes from; of any length. Fixed to the scene, so that a turntable shows the model from all sides of it.
    pub towards_key: Vec3,
    /// How bright that light is; 1 as usual.
    pub key: f32,
    /// How bright all else is; 1 as usual.
    pub ambient: f32,
    /// Whether the key light casts shadows.
    pub shadow: Shadow,
    /// Whether hollows that light hardly reaches are darker.
    pub hollows: Hollows,
}

impl Default for Light {
    fn default() -> Light {
        Light {
            towards_key: Vec3::new(-0.42, 0.72, 0.55),
            key: 1.0,
            ambient: 1.0,
            shadow: Shadow::default(),
            hollows: Hollows::default(),
        }
    }
}

/// Whether the key light casts shadows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shadow {
    /// It shines through everything.
    None,
    /// Shadows with soft edges, softer the further away they fall.
    #[default]
    Soft,
}

/// Whether hollows are darker: what the depth of the picture tells about how much light reaches a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hollows {
    /// Light reaches all of them.
    Lit,
    /// They are darker.
    #[default]
    Dark,
}

/// Samples in a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Samples {
    /// At the middle alone: steps along edges.
    One,
    /// Four.
    #[default]
    Four,
    /// Eight.
    Eight,
}

impl Samples {
    /// How many.
    pub fn count(self) -> usize {
        match self {
            Samples::One => 1,
            Samples::Four => 4,
            Samples::Eight => 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backgrounds_as_people_write_them() {
        let of = |text: &str| text.parse::<Background>();
        assert_eq!(of("#FF0000"), Ok(Background::Colour([1.0, 0.0, 0.0])));
        assert_eq!(of("#f00"), of("#FF0000"));
        assert_eq!(of("transparent"), Ok(Background::Transparent));
        assert!(["#ff", "#gggggg", "ÿÿÿ", "blue"].into_iter().all(|text| of(text).is_err()));
    }
}
