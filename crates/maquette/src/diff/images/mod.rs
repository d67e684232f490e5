//! How far apart the pictures are that two surfaces show: in pixels, whatever they are encoded as.
//!
//! Pictures that mean the same by the same numbers are compared number by number. Where one has linear light and the other sRGB, or factors of the
//! material make up for what the pixels lack, what the surface shows is compared instead, and a step of eight bits is the rounding between them. Normals
//! are compared as the directions that a shader makes of them, whatever their length and however many channels are stored.

use super::{Difference, Found};
use crate::fit::pictures::{self, Purpose};
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::Lost;
use maquette_scene::material::{AlphaMode, Material, Pbr, TextureUse};
use maquette_scene::{Handle, Scene, loss};
use maquette_texture::compare::{Apart, apart};
use maquette_texture::{Picture, colour, decode, normal};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A texture of a material.
pub struct Shown<'s> {
    /// Where its image is.
    pub scene: &'s Scene,
    /// What it is a texture of.
    pub material: &'s Material,
    /// The surface of that material: factors that its pixels are multiplied by.
    pub pbr: &'s Pbr,
    /// Which image of the scene, and how it lies on the surface.
    pub texture: &'s TextureUse,
}

/// Pictures that have been compared, so that an atlas of many materials is decoded once, and its name told once.
#[derive(Default)]
pub struct Compared {
    pictures: HashMap<[Handle<Image>; 2], Vec<Known>>,
    names: HashSet<[Handle<Image>; 2]>,
}

/// What two pictures meant, and what came of comparing them.
type Known = ([Meaning; 2], Outcome);

/// What came of comparing two pictures.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    /// They show the same.
    Same,
    /// They are so far apart, where this much is rounding.
    Apart(Apart, f64),
    /// They are not of one size.
    OtherSize,
    /// One cannot be decoded.
    Incomparable,
}

/// Compares what a slot of two materials shows. Returns whether the factors of the materials were compared with it, as what they make of the pixels.
pub fn compare(slot: &'static str, subject: &str, a: &Shown<'_>, b: &Shown<'_>, found: &mut Found) -> bool {
    let (Some(image_a), Some(image_b)) = (a.image(), b.image()) else { return false };
    if let (ImageData::External(a), ImageData::External(b)) = (&*image_a.data, &*image_b.data) {
        found.unequal("image names", subject, a, b);
        return false;
    }
    let images = [a.texture.image, b.texture.image];
    if !image_a.name.is_empty() && found.compared.names.insert(images) {
        let image = loss::subject("image", a.texture.image.index(), &image_a.name);
        found.unequal("image names", &image, &image_a.name, &image_b.name);
    }
    if Arc::ptr_eq(&image_a.data, &image_b.data) || image_a.data == image_b.data {
        return false;
    }
    let meanings = [Meaning::of(slot, a, image_a), Meaning::of(slot, b, image_b)];
    let is_clipped = meanings.iter().flat_map(|meaning| meaning.factors).any(|factor| factor > 1.0);
    let known = found.compared.pictures.entry(images).or_default();
    let outcome = match known.iter().find(|(known, _)| *known == meanings) {
        Some((_, outcome)) => *outcome,
        None => {
            let outcome = outcome(image_a, image_b, &meanings);
            known.push((meanings, outcome));
            outcome
        }
    };
    // Light beyond full strength does not show in pixels.
    let with_factors = matches!(outcome, Outcome::Apart(_, rounding) if rounding > 0.0) && !is_clipped;
    let (what, size, psnr_db, words) = match outcome {
        Outcome::Same => return false,
        Outcome::OtherSize => (Lost::TextureSizes, None, None, String::new()),
        Outcome::Incomparable => (Lost::Pixels, None, None, String::new()),
        Outcome::Apart(Apart { largest, psnr }, rounding) => {
            let size = f64::from(largest) / 255.0;
            if size <= found.tolerance.max(rounding) {
                return with_factors;
            }
            let words = format!(", {psnr:.1} dB apart, a channel by up to {largest} of 255");
            (Lost::Pixels, Some(size), Some(psnr), words)
        }
    };
    let (a, b) = (format!("{slot} {}", told(&image_a.data)), told(&image_b.data) + &words);
    found.differences.push(Difference { what: what.word(), subject: subject.to_owned(), a, b, size, psnr_db });
    with_factors
}

impl<'s> Shown<'s> {
    fn image(&self) -> Option<&'s Image> {
        self.scene.images.get(self.texture.image)
    }
}

fn outcome(a: &Image, b: &Image, meanings: &[Meaning; 2]) -> Outcome {
    // A size is cheap to tell, pixels are not.
    match size(&a.data).zip(size(&b.data)) {
        None => return Outcome::Incomparable,
        Some((a, b)) if a != b => return Outcome::OtherSize,
        Some(_) => {}
    }
    let (Ok(mut a), Ok(mut b)) = rayon::join(|| pictures::picture(a), || pictures::picture(b)) else {
        return Outcome::Incomparable;
    };
    let [meaning_a, meaning_b] = meanings;
    let channels = meaning_a.channels(meaning_b);
    if meaning_a.is_alike(meaning_b) {
        let stored = apart(a.pixels(), b.pixels(), channels);
        if stored.largest == 0 {
            return Outcome::Same;
        }
        if meaning_a == meaning_b && meaning_a.slot != "normal" {
            return Outcome::Apart(stored, 0.0);
        }
    }
    if meaning_a.slot == "normal" {
        let point_below = meaning_a.make_directions(&mut a) | meaning_b.make_directions(&mut b);
        let channels: &[usize] = if point_below { &[0, 1, 2] } else { &[0, 1] };
        return Outcome::Apart(apart(a.pixels(), b.pixels(), channels), STEP);
    }
    (a, b) = (meaning_a.applied(a), meaning_b.applied(b));
    Outcome::Apart(apart(a.pixels(), b.pixels(), channels), STEP)
}

/// What eight bits tell apart.
const STEP: f64 = 1.0 / 255.0;

/// What the numbers of a picture mean for a surface.
#[derive(Clone, Copy, PartialEq)]
struct Meaning {
    slot: &'static str,
    is_srgb: bool,
    /// Whether it has no third channel, which normals do without.
    has_two_channels: bool,
    /// What red, green, blue and opacity are multiplied with; the scale of normals and the strength of occlusion as the first.
    factors: [f32; 4],
    alpha: AlphaMode,
}

impl Meaning {
    fn of(slot: &'static str, shown: &Shown<'_>, image: &Image) -> Meaning {
        let pbr = shown.pbr;
        let factors = match slot {
            "base colour" => pbr.base_colour,
            "emissive" => {
                let [r, g, b] = pbr.emissive.map(|channel| channel * pbr.emissive_strength);
                [r, g, b, 1.0]
            }
            "normal" => [pbr.normal_scale, 1.0, 1.0, 1.0],
            "occlusion" => [pbr.occlusion_strength, 1.0, 1.0, 1.0],
            _ => [1.0, pbr.roughness, pbr.metallic, 1.0],
        };
        let (is_srgb, has_two_channels) = match &*image.data {
            ImageData::Pixels { colour_space, format, .. } => {
                (*colour_space == ColourSpace::Srgb, matches!(format, PixelFormat::Rg8 | PixelFormat::Bc5))
            }
            _ => (Purpose::of_slot(slot) == Purpose::Colour, false),
        };
        let alpha = if slot == "base colour" { shown.material.alpha } else { AlphaMode::Opaque };
        Meaning { slot, is_srgb, has_two_channels, factors, alpha }
    }

    /// Whether the same numbers are the same picture, factors of the material aside.
    fn is_alike(&self, other: &Meaning) -> bool {
        self.is_srgb == other.is_srgb && self.has_two_channels == other.has_two_channels
    }

    /// The channels that one of both has a use for.
    fn channels(&self, other: &Meaning) -> &'static [usize] {
        let is_opaque = self.alpha == AlphaMode::Opaque && other.alpha == AlphaMode::Opaque;
        match self.slot {
            "base colour" if !is_opaque => &[0, 1, 2, 3],
            "base colour" | "emissive" => &[0, 1, 2],
            "normal" if self.is_alike(other) && !self.has_two_channels => &[0, 1, 2],
            "normal" => &[0, 1],
            "occlusion" => &[0],
            _ => &[1, 2],
        }
    }

    /// Makes directions of normals; whether any point below the surface.
    fn make_directions(&self, picture: &mut Picture) -> bool {
        let [scale, ..] = self.factors;
        let has_two_channels = self.has_two_channels || picture.pixels().iter().all(|&[_, _, b, _]| b == 0);
        normal::directions(picture.pixels_mut(), scale, has_two_channels)
    }

    /// What the surface shows of a picture, in linear light.
    fn applied(&self, mut picture: Picture) -> Picture {
        let tables: [[u8; 256]; 4] =
            std::array::from_fn(|channel| std::array::from_fn(|value| self.value(channel, value as f32 / 255.0)));
        for pixel in picture.pixels_mut() {
            for (channel, table) in pixel.iter_mut().zip(&tables) {
                *channel = table.get(usize::from(*channel)).copied().unwrap_or_default();
            }
        }
        picture
    }

    /// What the surface shows of a value of a channel, in 255 steps.
    fn value(&self, channel: usize, value: f32) -> u8 {
        let factor = self.factors.get(channel).copied().unwrap_or(1.0);
        let shown = match (self.slot, channel, self.alpha) {
            ("occlusion", 0, _) => 1.0 + factor * (value - 1.0),
            ("base colour", 3, AlphaMode::Opaque) => 1.0,
            ("base colour", 3, AlphaMode::Mask(cutoff)) => f32::from(u8::from(value * factor >= cutoff)),
            (_, 0..=2, _) if self.is_srgb => colour::linear_from_srgb(value) * factor,
            _ => value * factor,
        };
        (shown.clamp(0.0, 1.0) * 255.0).round() as u8
    }
}

/// The width and height of a picture, where they can be told.
fn size(data: &ImageData) -> Option<[u32; 2]> {
    match data {
        ImageData::Encoded { bytes, .. } => decode::size(bytes).ok(),
        ImageData::Pixels { width, height, .. } => Some([*width, *height]),
        ImageData::External(_) => None,
    }
}

/// A picture in a few words.
fn told(data: &ImageData) -> String {
    let kind = match data {
        ImageData::Encoded { mime, .. } => mime.clone(),
        ImageData::Pixels { format, .. } => format.word().into(),
        ImageData::External(name) => return format!("the file {name:?}, which is not there"),
    };
    match (size(data), data) {
        (Some([width, height]), _) => format!("{kind} of {width} × {height}"),
        (None, ImageData::Encoded { bytes, .. }) => format!("{kind} of {} bytes", bytes.len()),
        (None, _) => kind,
    }
}

#[cfg(test)]
mod tests;
