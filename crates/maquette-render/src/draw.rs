//! From a scene at a moment to pixels.

use crate::frame::Frame;
use crate::posed::Posed;
use crate::raster::TILE;
use crate::shade::Encoding;
use crate::shot::{LONGEST_SIDE, Samples, Shot};
use crate::srgb::Srgb;
use crate::tile::{self, Hits, Tile};
use maquette_texture::Picture;
use rayon::prelude::*;
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
///
/// Besides the picture it takes about 100 bytes for each vertex and each triangle, and 64 MB at most for shadows and hollows, whatever the size.
pub fn draw(posed: &Posed<'_>, shot: &Shot) -> Result<Picture, Refusal> {
    let [width, height] = check(shot)?;
    let frame = Frame::new(posed, shot);
    let mut pixels = vec![[0_u8; 4]; width * height];
    pixels.par_chunks_mut(width * TILE).enumerate().for_each(|(row, band)| {
        for drawn in tiles_of_row(&frame, shot.samples, row, Hits::Untold) {
            drawn.each_row(width, band, |from, _, to| encode(frame.encoding, from, to));
        }
    });
    Picture::new(shot.size[0], shot.size[1], pixels).ok_or(Refusal::Size(shot.size))
}

/// Draws a picture as numbers, with what each pixel shows. It takes 32 bytes a pixel.
pub fn draw_numbers(posed: &Posed<'_>, shot: &Shot) -> Result<Drawn, Refusal> {
    let [width, height] = check(shot)?;
    let frame = Frame::new(posed, shot);
    let mut numbers = vec![([0.0; 4], None); width * height];
    numbers.par_chunks_mut(width * TILE).enumerate().for_each(|(row, band)| {
        for drawn in tiles_of_row(&frame, shot.samples, row, Hits::Told) {
            drawn.each_row(width, band, |from, hits, to| {
                to.iter_mut().zip(from.iter().zip(hits)).for_each(|(to, (from, hit))| *to = (*from, *hit));
            });
        }
    });
    let (colours, hits) = numbers.into_iter().unzip();
    Ok(Drawn { size: shot.size, colours, hits })
}

fn check(shot: &Shot) -> Result<[usize; 2], Refusal> {
    match shot.size.iter().all(|side| (1..=LONGEST_SIDE).contains(side)) {
        true => Ok(shot.size.map(|side| side as usize)),
        false => Err(Refusal::Size(shot.size)),
    }
}

fn tiles_of_row(frame: &Frame<'_>, samples: Samples, row: usize, hits: Hits) -> Vec<Tile> {
    let across = frame.bins.tiles_across;
    let tiles = (row * across..(row + 1) * across).into_par_iter().with_max_len(1);
    tiles
        .map(|number| match samples {
            Samples::One => tile::draw::<1>(frame, number, hits),
            Samples::Four => tile::draw::<4>(frame, number, hits),
            Samples::Eight => tile::draw::<8>(frame, number, hits),
        })
        .collect()
}

impl Tile {
    /// Each row of the tile with its place in a band of rows of the picture.
    fn each_row<T>(&self, width: usize, band: &mut [T], put: impl Fn(&[[f32; 4]], &[Option<Hit>], &mut [T])) {
        let columns = self.rect.left as usize..self.rect.right as usize;
        let rows = (self.rect.bottom - self.rect.top) as usize;
        for (row, line) in band.chunks_mut(width).take(rows).enumerate() {
            let (Some(from), Some(to)) = (self.colours.get(row * TILE..), line.get_mut(columns.clone())) else {
                continue;
            };
            put(from, self.hits.get(row * TILE..).unwrap_or_default(), to);
        }
    }
}

/// Colours times their opacity to bytes with straight opacity.
fn encode(encoding: Encoding, from: &[[f32; 4]], to: &mut [[u8; 4]]) {
    let srgb = Srgb::tables();
    for ([r, g, b, a], pixel) in from.iter().zip(to) {
        if *a <= 0.0 {
            continue;
        }
        let straight = [r / a, g / a, b / a];
        let [r, g, b] = match encoding {
            Encoding::Srgb => straight.map(|light| srgb.byte(light)),
            Encoding::Plain => straight.map(|value| (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8),
        };
        *pixel = [r, g, b, (a.clamp(0.0, 1.0) * 255.0 + 0.5) as u8];
    }
}
