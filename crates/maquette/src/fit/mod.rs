//! Fitting a scene to what a format can hold, so that its writer has nothing to change.
//!
//! Each pass is one file and one idea; each names in the report what it took away or turned into something else. The order
//! matters: first what cannot be held goes, then curves become straight, then nodes are flat into a model with one skeleton,
//! then vertices and textures get the form that the format demands.

mod deviation;
mod flatten;
mod images;
mod influences;
mod linearize;
mod names;
mod pack;
pub(crate) mod pictures;
mod reach;
mod recipe;
mod reduce;
mod stored;
mod surface;
mod tangents;
#[cfg(test)]
mod tests;
mod uv_sets;
pub(crate) mod weld;

use maquette_formats::format::{Caps, Space, TextureStorage};
use maquette_scene::Scene;
use maquette_scene::loss::LossReport;
use maquette_scene::valid::{self, Invalid};
use maquette_texture::Quality;

/// How a scene is fitted.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// How far a straight curve in the place of another may move a vertex, in units of the model.
    pub tolerance: f32,
    /// How textures are made.
    pub textures: TextureOptions,
}

impl Default for FitOptions {
    fn default() -> Self {
        FitOptions { tolerance: 1e-4, textures: TextureOptions::default() }
    }
}

/// How textures are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureOptions {
    /// How well blocks are chosen where a format holds them; `None` for pixels instead of blocks.
    pub quality: Option<Quality>,
    /// The longest side; what is longer is halved until it fits.
    pub max_size: Option<u32>,
}

impl Default for TextureOptions {
    fn default() -> Self {
        TextureOptions { quality: Some(Quality::Default), max_size: None }
    }
}

impl TextureOptions {
    /// Whether anything is asked of textures that are already as a format keeps them.
    pub fn changes_anything(&self) -> bool {
        self.quality.is_none() || self.max_size.is_some()
    }

    /// How often a picture of this size is halved.
    fn halvings(&self, width: u32, height: u32) -> u32 {
        let longest = width.max(height);
        let fits = |halvings: &u32| longest >> halvings <= self.max_size.unwrap_or(u32::MAX).max(1);
        (0..u32::BITS).find(fits).unwrap_or(0)
    }
}

/// Makes a scene fit a format. Fails on numbers that grow beyond what singles hold when they are multiplied out.
pub fn fit(mut scene: Scene, caps: &Caps, options: &FitOptions, losses: &mut LossReport) -> Result<Scene, Invalid> {
    if caps.morph_targets && caps.curves {
        // It holds whatever a scene does, but for the form of its pictures.
        textures(&mut scene, caps, options, losses);
        return Ok(scene);
    }
    if caps.uv_sets == 1 {
        uv_sets::merge(&mut scene, caps.textures, losses);
    }
    reduce::drop_what_cannot_be_held(&mut scene, caps, losses);
    if !caps.curves {
        linearize::linearize(&mut scene, options.tolerance, losses);
    }
    if caps.space == Space::Model && caps.meshes {
        scene = flatten::flatten(scene, losses);
    }
    if caps.needs_normals {
        surface::add_normals(&mut scene, losses);
    }
    if caps.uv_sets > 0 {
        surface::add_coordinates(&mut scene);
    }
    if caps.tangents {
        tangents::add(&mut scene, losses);
    }
    textures(&mut scene, caps, options, losses);
    influences::limit(&mut scene, caps, losses);
    if caps.space == Space::Model {
        weld::weld(&mut scene, losses);
    }
    if let Some(bytes) = caps.name_bytes.filter(|&bytes| bytes > 0) {
        names::shorten(&mut scene, bytes as usize, losses);
    }
    valid::check(&scene)?;
    Ok(scene)
}

fn textures(scene: &mut Scene, caps: &Caps, options: &FitOptions, losses: &mut LossReport) {
    match caps.textures {
        TextureStorage::None => {}
        TextureStorage::Pixels => pack::pack(scene, &options.textures, losses),
        TextureStorage::EncodedImages | TextureStorage::FileNames => images::encode(scene, &options.textures, losses),
    }
}
