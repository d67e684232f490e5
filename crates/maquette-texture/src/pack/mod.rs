//! The three maps of a packed material: base colour with opacity, normals, and roughness, occlusion, metalness and emission in one.
//!
//! Everything that a surface multiplies is multiplied here: factors, strengths, scales. Colours come out as linear light.

use crate::lanes::vectorized;
use crate::normal;
use crate::picture::Picture;
use crate::resize::{DecodeTables, Edge, Enlarged, data_table};
use fearless_simd::Level;
use rayon::prelude::*;

/// What becomes of opacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Opacity {
    /// All of it is opaque.
    Ignored,
    /// Opaque from this on, not there below.
    CutOut(f32),
    /// It stays.
    Kept,
}

/// Eight bits of a number from 0 to 1; no number is 0.
fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

fn look<T: Copy + Default>(table: &[T; 256], value: u8) -> T {
    table.get(usize::from(value)).copied().unwrap_or_default()
}

/// A packed map, whose rows can be made without the others.
pub trait Map: Sync {
    /// Its width and height.
    fn size(&self) -> [u32; 2];

    /// Packs as many rows as there is place for, from this one on, on all cores.
    fn rows(&self, first: usize, pixels: &mut [[u8; 4]]) -> Shortfall;

    /// Packs all of it.
    fn whole(&self) -> (Picture, Shortfall) {
        let [width, height] = self.size();
        let mut pixels = vec![[0; 4]; width as usize * height as usize];
        let shortfall = self.rows(0, &mut pixels);
        (Picture::new(width, height, pixels).unwrap_or_else(|| Picture::of_one([0; 4])), shortfall)
    }
}

/// What a packed map cannot show.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shortfall {
    /// The largest difference between an emitted colour and base colour × emission.
    pub emission_error: f32,
    /// Normals that point below the surface, which two channels cannot say.
    pub below_surface: u64,
}

impl Shortfall {
    /// That of two parts of a map.
    pub fn and(self, other: Shortfall) -> Shortfall {
        Shortfall {
            emission_error: self.emission_error.max(other.emission_error),
            below_surface: self.below_surface + other.below_surface,
        }
    }
}

/// Base colour: what each value means as light, times the factor.
pub struct BaseColour<'p> {
    picture: &'p Picture,
    /// What becomes of each value of each channel.
    tables: [[u8; 256]; 4],
}

impl<'p> BaseColour<'p> {
    /// Of a picture with this meaning of its colours.
    pub fn new(picture: &'p Picture, decode_table: &[f32; 256], factor: [f32; 4], opacity: Opacity) -> BaseColour<'p> {
        let [red, green, blue, alpha] = factor;
        let [reds, greens, blues] = [red, green, blue].map(|factor| decode_table.map(|value| byte(value * factor)));
        let alphas = data_table().map(|value| match opacity {
            Opacity::Ignored => 255,
            Opacity::CutOut(cutoff) => u8::from(value * alpha >= cutoff) * 255,
            Opacity::Kept => byte(value * alpha),
        });
        BaseColour { picture, tables: [reds, greens, blues, alphas] }
    }
}

impl Map for BaseColour<'_> {
    fn size(&self) -> [u32; 2] {
        [self.picture.width(), self.picture.height()]
    }

    fn rows(&self, first: usize, pixels: &mut [[u8; 4]]) -> Shortfall {
        let [reds, greens, blues, alphas] = &self.tables;
        shared(self.picture, first, pixels, |from, to| {
            for (to, &[r, g, b, a]) in to.iter_mut().zip(from) {
                *to = [look(reds, r), look(greens, g), look(blues, b), look(alphas, a)];
            }
            Shortfall::default()
        })
    }
}

/// Normals with X and Y scaled, of unit length.
pub struct Normals<'p> {
    /// X, Y and Z.
    pub picture: &'p Picture,
    /// What X and Y are multiplied by.
    pub scale: f32,
    /// Whether Z is not there and has to be made of them.
    pub two_channels: bool,
}

impl Map for Normals<'_> {
    fn size(&self) -> [u32; 2] {
        [self.picture.width(), self.picture.height()]
    }

    fn rows(&self, first: usize, pixels: &mut [[u8; 4]]) -> Shortfall {
        let level = Level::new();
        shared(self.picture, first, pixels, |from, to| {
            let mut rebuilt = if self.two_channels { from.to_vec() } else { Vec::new() };
            normal::rebuild_z(&mut rebuilt);
            let from = if self.two_channels { &rebuilt } else { from };
            vectorized!(level, simd => normal::unit(simd, from, self.scale, to));
            Shortfall { below_surface: normal::count_below(from), ..Shortfall::default() }
        })
    }
}

/// Pixels that one core takes at a time.
const SHARE_PIXELS: usize = 1 << 16;

/// Makes rows of those of a picture, on all cores.
fn shared(
    picture: &Picture,
    first: usize,
    pixels: &mut [[u8; 4]],
    make: impl Fn(&[[u8; 4]], &mut [[u8; 4]]) -> Shortfall + Sync,
) -> Shortfall {
    let from = picture.pixels().get(first * picture.width() as usize..).unwrap_or_default();
    let from = from.get(..pixels.len()).unwrap_or_default();
    let shares = pixels.par_chunks_mut(SHARE_PIXELS).zip(from.par_chunks(SHARE_PIXELS));
    shares.map(|(to, from)| make(from, to)).reduce(Shortfall::default, Shortfall::and)
}

/// A picture on a surface, with the meaning of its colours.
#[derive(Clone, Copy)]
pub struct Source<'p> {
    /// Its pixels, as stored.
    pub picture: &'p Picture,
    /// How it goes on beyond its edges, along u and v.
    pub edges: [Edge; 2],
    /// What each value of red, green and blue means.
    pub decode_table: [f32; 256],
}

/// What roughness, occlusion, metalness and emission are made of.
pub struct Surface<'p> {
    /// Times green.
    pub roughness: f32,
    /// Times blue.
    pub metalness: f32,
    /// Green and blue are roughness and metalness.
    pub metallic_roughness: Option<Source<'p>>,
    /// How much of the occlusion is applied.
    pub occlusion_strength: f32,
    /// Red is occlusion.
    pub occlusion: Option<Source<'p>>,
    /// Linear light, times the map.
    pub emissive: [f32; 3],
    /// The colour of the emission.
    pub emissive_map: Option<Source<'p>>,
    /// Linear light, times the map.
    pub base_colour: [f32; 3],
    /// The base colour, of which emission is a part.
    pub base_colour_map: Option<Source<'p>>,
}

impl Surface<'_> {
    /// Whether it shines at all.
    fn shines(&self) -> bool {
        self.emissive.iter().any(|&channel| channel > 0.0)
    }

    /// Makes the pixels of some rows; the largest error of their emission.
    fn share(&self, size: [u32; 2], first: usize, pixels: &mut [[u8; 4]]) -> f32 {
        // Where nothing shines, nothing is put.
        pixels.fill([0; 4]);
        let [mut surface, mut occlusion] =
            [self.metallic_roughness, self.occlusion].map(|source| Rows::new(source, size));
        let lit = [self.emissive_map, self.base_colour_map].map(|source| Rows::new(source, size));
        let mut light = self.shines().then_some(Light { maps: lit, error: 0.0 });
        let roughness = Channel::new(&surface, [1, 0], |rough| rough * self.roughness);
        let metalness = Channel::new(&surface, [2, 2], |metal| metal * self.metalness);
        let occluded = Channel::new(&occlusion, [0, 1], |occluded| 1.0 + self.occlusion_strength * (occluded - 1.0));
        let [width, _] = size;
        for (y, pixels) in (first..).zip(pixels.chunks_mut(width as usize)) {
            surface.read(y);
            roughness.put(&surface, pixels);
            metalness.put(&surface, pixels);
            occlusion.read(y);
            occluded.put(&occlusion, pixels);
            if let Some(light) = &mut light {
                light.put(self, y, pixels);
            }
        }
        light.map_or(0.0, |light| light.error)
    }
}

impl Map for Surface<'_> {
    /// The width and height of the largest picture it is made of.
    fn size(&self) -> [u32; 2] {
        let lit = if self.shines() { [self.emissive_map, self.base_colour_map] } else { [None, None] };
        let sources = [self.metallic_roughness, self.occlusion].into_iter().chain(lit).flatten();
        sources.fold([1, 1], |[width, height], source| {
            [width.max(source.picture.width()), height.max(source.picture.height())]
        })
    }

    fn rows(&self, first: usize, pixels: &mut [[u8; 4]]) -> Shortfall {
        let size = self.size();
        let [width, _] = size.map(|side| side as usize);
        let rows = (SHARE_PIXELS / width).max(LEAST_ROWS);
        let shares = pixels.par_chunks_mut(rows * width).enumerate();
        let errors = shares.map(|(share, pixels)| self.share(size, first + share * rows, pixels));
        Shortfall { emission_error: errors.reduce(|| 0.0, f32::max), ..Shortfall::default() }
    }
}

/// Rows of a surface that one core takes at a time at least: its tables and rows are worth it then.
const LEAST_ROWS: usize = 16;

/// A channel that is made of one of another picture.
struct Channel<F> {
    from: usize,
    to: usize,
    value: F,
    /// What becomes of each stored value.
    table: [u8; 256],
}

impl<F: Fn(f32) -> f32> Channel<F> {
    fn new(rows: &Rows<'_>, [from, to]: [usize; 2], value: F) -> Channel<F> {
        let meant = get(&rows.decode_table, from);
        Channel { from, to, table: meant.map(|meant| byte(value(meant))), value }
    }

    fn put(&self, rows: &Rows<'_>, pixels: &mut [[u8; 4]]) {
        match rows.stored {
            Some(stored) => {
                for (pixel, stored) in pixels.iter_mut().zip(stored) {
                    set(pixel, self.to, look(&self.table, get(stored, self.from)));
                }
            }
            None => {
                for (pixel, row) in pixels.iter_mut().zip(&rows.row) {
                    set(pixel, self.to, byte((self.value)(get(row, self.from))));
                }
            }
        }
    }
}

fn get<T: Copy>(values: &[T; 4], channel: usize) -> T {
    let [r, g, b, a] = *values;
    match channel {
        0 => r,
        1 => g,
        2 => b,
        _ => a,
    }
}

fn set(pixel: &mut [u8; 4], channel: usize, value: u8) {
    if let Some(place) = pixel.get_mut(channel) {
        *place = value;
    }
}

/// Emission, as a part of the base colour.
struct Light<'p> {
    /// Emission and base colour.
    maps: [Rows<'p>; 2],
    /// The largest so far.
    error: f32,
}

impl Light<'_> {
    fn put(&mut self, surface: &Surface<'_>, y: usize, pixels: &mut [[u8; 4]]) {
        let [emissive, base] = &mut self.maps;
        emissive.read(y);
        let mut is_lit = false;
        for (x, [.., part]) in pixels.iter_mut().enumerate() {
            // Most pixels of most maps.
            if emissive.is_black(x) {
                continue;
            }
            if !is_lit {
                base.read(y);
                is_lit = true;
            }
            let (emission, error) =
                emission(times(emissive.at(x), surface.emissive), times(base.at(x), surface.base_colour));
            *part = byte(emission);
            self.error = self.error.max(error);
        }
    }
}

fn times([r, g, b, _]: [f32; 4], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [r * x, g * y, b * z]
}

/// The number that makes base colour × number most like an emitted colour, and how unlike it still is, stored in eight bits.
///
/// That is the least-squares fit; where the base is near black, where the fit says nothing, it goes over into the brightness. A
/// colour that is base colour × number gives that number again.
fn emission(emitted: [f32; 3], base: [f32; 3]) -> (f32, f32) {
    /// Three channels of half an eight-bit step.
    const NEAR_BLACK: f32 = 3.0 * 0.25 / (255.0 * 255.0);
    let wanted = emitted;
    let emitted = emitted.map(|channel| channel.clamp(0.0, 1.0));
    let dot = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let brightness = emitted.into_iter().fold(0.0, f32::max);
    let part = (dot(emitted, base) + NEAR_BLACK * brightness) / (dot(base, base) + NEAR_BLACK);
    let part = part.clamp(0.0, 1.0);
    let stored = f32::from(byte(part)) / 255.0;
    let error = wanted.iter().zip(base).map(|(wanted, base)| (wanted - base * stored).abs()).fold(0.0, f32::max);
    (part, error)
}

/// The rows of a picture at some size, or of plain white.
struct Rows<'p> {
    enlarged: Option<Enlarged<'p>>,
    decode_table: DecodeTables,
    /// The row that was read, where the picture has this size.
    stored: Option<&'p [[u8; 4]]>,
    /// The row that was read otherwise.
    row: Vec<[f32; 4]>,
}

impl<'p> Rows<'p> {
    fn new(source: Option<Source<'p>>, size: [u32; 2]) -> Rows<'p> {
        let colours = source.map_or([1.0; 256], |source| source.decode_table);
        let decode_table = [colours, colours, colours, data_table()];
        let enlarged = source.map(|source| Enlarged::new(source.picture, size, source.edges, decode_table));
        let [width, _] = size;
        Rows { enlarged, decode_table, stored: None, row: vec![[1.0; 4]; width as usize] }
    }

    fn read(&mut self, y: usize) {
        if let Some(enlarged) = &self.enlarged {
            self.stored = enlarged.own_row(y);
            if self.stored.is_none() {
                enlarged.row(y, &mut self.row);
            }
        }
    }

    fn at(&self, x: usize) -> [f32; 4] {
        let Some(stored) = self.stored else { return self.row.get(x).copied().unwrap_or_default() };
        let [r, g, b, a] = stored.get(x).copied().unwrap_or_default();
        let [reds, greens, blues, alphas] = &self.decode_table;
        [look(reds, r), look(greens, g), look(blues, b), look(alphas, a)]
    }

    fn is_black(&self, x: usize) -> bool {
        match self.stored.and_then(|stored| stored.get(x)) {
            Some([0, 0, 0, _]) => self.decode_table.first().and_then(|table| table.first()) == Some(&0.0),
            Some(_) => false,
            None => matches!(self.row.get(x), Some([0.0, 0.0, 0.0, _])),
        }
    }
}

/// The average of a picture, with this meaning of its colours.
pub fn average(picture: &Picture, decode_table: &[f32; 256]) -> [f32; 4] {
    let mut sums = [0.0_f64; 4];
    let plain = data_table();
    for &[r, g, b, a] in picture.pixels() {
        let values = [look(decode_table, r), look(decode_table, g), look(decode_table, b), look(&plain, a)];
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += f64::from(value));
    }
    sums.map(|sum| (sum / picture.pixels().len() as f64) as f32)
}

#[cfg(test)]
mod tests;
