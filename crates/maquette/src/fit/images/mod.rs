//! Pictures as image files, for formats that keep those.
//!
//! Files stay as they are. Pixels become PNG, once for each thing they are used as: colours are sRGB in image files, everything else is not, and
//! normals get the channel back that blocks leave out. What is there for packed materials alone goes.

use super::TextureOptions;
use super::halved::Halved;
use super::pictures::{self, Purpose, Shown};
use crate::ops::unpack::take_apart;
use crate::progress::Progress;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::material::{Material, Pbr};
use maquette_scene::{Handle, Scene};
use maquette_texture::decode::Salvaged;
use maquette_texture::mips::{self, Content};
use maquette_texture::{Picture, png};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Encodes what is pixels, and halves what is too large.
pub fn encode(scene: &mut Scene, options: &TextureOptions, progress: &Progress, losses: &mut LossReport) {
    take_apart(scene, losses);
    let mut uses: BTreeMap<Handle<Image>, BTreeSet<Purpose>> = BTreeMap::new();
    for (slot, texture) in scene.materials.iter().filter_map(Material::pbr).flat_map(Pbr::textures) {
        uses.entry(texture.image).or_default().insert(Purpose::of_slot(slot));
    }
    let mut jobs = Vec::new();
    for (handle, image) in scene.images.entries() {
        let purposes = uses.get(&handle).cloned().unwrap_or_else(|| Purpose::likely(image).into_iter().collect());
        jobs.extend(plan(handle, image, &purposes));
    }
    let images = &scene.images;
    let stage = progress.stage("encoding images", jobs.len());
    let make = |job| {
        let made = Job::make(job, images, options);
        stage.step();
        (job, made)
    };
    let made: Vec<(&Job, Result<Made, String>)> = jobs.par_iter().map(make).collect();
    let broken = place(scene, made, losses);
    remove(scene, &broken, losses);
}

/// One picture to be looked at, and what it is to be used for.
struct Job {
    image: Handle<Image>,
    /// All of them want the same file.
    purposes: Vec<Purpose>,
}

/// The pictures that one image must become.
fn plan(image: Handle<Image>, stored: &Image, purposes: &BTreeSet<Purpose>) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for &purpose in purposes {
        let is_same = |other: &Purpose| other.treatment(stored) == purpose.treatment(stored);
        match jobs.iter_mut().find(|job| job.purposes.iter().all(is_same)) {
            Some(job) => job.purposes.push(purpose),
            None => jobs.push(Job { image, purposes: vec![purpose] }),
        }
    }
    jobs
}

/// What a job made.
#[derive(Default)]
struct Made {
    /// The PNG file; `None` where the image stays as it is.
    file: Option<Vec<u8>>,
    damage: Option<String>,
    transfer_error: Option<f32>,
    rebuilt: bool,
    halved: Option<Halved>,
    /// Why it is larger than asked for.
    not_halved: Option<String>,
}

impl Job {
    fn make(&self, images: &maquette_scene::Arena<Image>, options: &TextureOptions) -> Result<Made, String> {
        let Some(image) = images.get(self.image) else { return Ok(Made::default()) };
        match &*image.data {
            ImageData::Pixels { .. } => {
                let purpose = self.purposes.first().copied().unwrap_or(Purpose::Data);
                let Shown { mut picture, transfer_error, rebuilt } = pictures::shown(image, purpose)?;
                let halved = self.shrink(&mut picture, options);
                Ok(Made { file: Some(encoded(&picture)?), transfer_error, rebuilt, halved, ..Made::default() })
            }
            // What cannot be decoded cannot be measured either, and stays as it is.
            ImageData::Encoded { .. } if is_large(image, options) => {
                let Salvaged { mut picture, damage, .. } = match pictures::salvaged(image) {
                    Ok(salvaged) => salvaged,
                    Err(why) => return Ok(Made { not_halved: Some(why), ..Made::default() }),
                };
                let halved = self.shrink(&mut picture, options);
                Ok(Made { file: Some(encoded(&picture)?), damage, halved, ..Made::default() })
            }
            ImageData::Encoded { .. } | ImageData::External(_) => Ok(Made::default()),
        }
    }

    /// Halves a picture until it fits.
    fn shrink(&self, picture: &mut Picture, options: &TextureOptions) -> Option<Halved> {
        let size = [picture.width(), picture.height()];
        let halvings = options.halvings(picture.width(), picture.height());
        let content = match self.purposes.first() {
            Some(Purpose::Normals) => Content::Normals,
            Some(Purpose::Colour) => Content::SrgbColour,
            _ => Content::Data,
        };
        let smaller = mips::below(picture, content).into_iter().nth(halvings.checked_sub(1)? as usize)?;
        *picture = smaller;
        Halved::by(halvings, size)
    }
}

fn is_large(image: &Image, options: &TextureOptions) -> bool {
    let ImageData::Encoded { bytes, .. } = &*image.data else { return false };
    let [width, height] = maquette_texture::decode::size(bytes).unwrap_or_default();
    options.halvings(width, height) > 0
}

fn encoded(picture: &Picture) -> Result<Vec<u8>, String> {
    let file = png::encode(picture.width(), picture.height(), picture.pixels());
    file.ok_or_else(|| "it cannot be written as PNG".into())
}

/// Puts the files into the scene; returns the images of which there are none.
fn place(
    scene: &mut Scene,
    made: Vec<(&Job, Result<Made, String>)>,
    losses: &mut LossReport,
) -> BTreeSet<Handle<Image>> {
    let mut broken = BTreeSet::new();
    let mut moved: HashMap<(Handle<Image>, Purpose), Handle<Image>> = HashMap::new();
    let mut placed: BTreeSet<Handle<Image>> = BTreeSet::new();
    for (job, made) in made {
        let Some(image) = scene.images.get(job.image) else { continue };
        let (name, subject) = (image.name.clone(), subject("image", job.image.index(), &image.name));
        let made = match made {
            Ok(made) => made,
            Err(why) => {
                losses.dropped(Lost::Images, subject, why, 1);
                broken.insert(job.image);
                continue;
            }
        };
        if placed.insert(job.image) {
            report_pixels(image, &subject, losses);
        }
        if let Some(damage) = &made.damage {
            pictures::report_damage(job.image, image, damage, losses);
        }
        report(&made, image, &subject, losses);
        let Some(bytes) = made.file else { continue };
        let data = ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() };
        let first = matches!(&*image.data, ImageData::Pixels { .. }) || made.halved.is_some();
        // The first use keeps the handle, unless another has taken it.
        if first && !moved.keys().any(|(image, _)| *image == job.image) {
            job.purposes.iter().for_each(|&purpose| {
                moved.insert((job.image, purpose), job.image);
            });
            if let Some(image) = scene.images.get_mut(job.image) {
                image.data = data.into();
            }
            continue;
        }
        let copy = scene.images.push(Image::new(name, data));
        job.purposes.iter().for_each(|&purpose| {
            moved.insert((job.image, purpose), copy);
        });
    }
    for (slot, texture) in scene.materials.iter_mut().filter_map(Material::pbr_mut).flat_map(Pbr::textures_mut) {
        if let Some(&copy) = moved.get(&(texture.image, Purpose::of_slot(slot))) {
            texture.image = copy;
        }
    }
    broken
}

fn report_pixels(image: &Image, subject: &str, losses: &mut LossReport) {
    let ImageData::Pixels { format, levels, .. } = &*image.data else { return };
    let detail = match format {
        PixelFormat::Bc5 | PixelFormat::Bc7 => "blocks are decoded, and become a PNG file",
        PixelFormat::Rg8 | PixelFormat::Rgba8 => "they become a PNG file",
    };
    losses.push(LossKind::Baked, Lost::Pixels, subject, detail, 1);
    let more = levels.len().saturating_sub(1) as u64;
    losses.dropped(Lost::MipLevels, subject, "an image file holds one level", more);
}

fn report(made: &Made, image: &Image, subject: &str, losses: &mut LossReport) {
    let detail = "blue is rebuilt, so that red and green are unit normals";
    losses.push(LossKind::Baked, Lost::Pixels, subject, detail, u64::from(made.rebuilt));
    if let Some(max_error) = made.transfer_error {
        let (from, to) = match &*image.data {
            ImageData::Pixels { colour_space: ColourSpace::Srgb, .. } => ("sRGB", "linear light"),
            _ => ("linear light", "sRGB"),
        };
        let detail =
            format!("from {from} to {to}, in eight bits; off by up to {max_error:.4} of full strength in {from}");
        losses.push(LossKind::Approximated { max_error }, Lost::Pixels, subject, detail, 1);
    }
    if let Some(halved) = made.halved {
        losses.push(LossKind::Truncated, Lost::TextureSizes, subject, halved.to_string(), 1);
        let detail = "the smaller picture is a PNG file";
        let was_file = matches!(&*image.data, ImageData::Encoded { .. });
        losses.push(LossKind::Baked, Lost::Pixels, subject, detail, u64::from(was_file));
    }
    if let Some(why) = &made.not_halved {
        losses.dropped(Lost::TextureSizes, subject, format!("it stays larger than asked for: {why}"), 1);
    }
}

/// Takes images away, with the textures that use them.
fn remove(scene: &mut Scene, gone: &BTreeSet<Handle<Image>>, losses: &mut LossReport) {
    for (index, material) in scene.materials.iter_mut().enumerate() {
        let whose = subject("material", index, &material.name);
        for slot in material.pbr_mut().into_iter().flat_map(Pbr::texture_slots) {
            if slot.as_ref().is_some_and(|texture| gone.contains(&texture.image)) {
                *slot = None;
                losses.dropped(Lost::Textures, &whose, "their image cannot be written", 1);
            }
        }
    }
    pictures::remove(scene, gone);
}

#[cfg(test)]
mod tests;
