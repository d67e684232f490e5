//! Fitting a scene to what a format can hold, so that its writer has nothing to change.
//!
//! Each pass is one file and one idea; each names in the report what it took away or turned into something else. The order
//! matters: first what cannot be held goes, then curves become straight, then nodes are flattened into a model with one skeleton,
//! then vertices and textures get the form that the format demands.

mod absolute;
mod alike;
mod buckets;
mod colours;
mod deviation;
mod extras;
mod finite;
mod flatten;
mod halved;
mod images;
mod influences;
mod instances;
mod levels;
pub(crate) mod limits;
mod linearize;
mod names;
mod opened;
mod pack;
pub(crate) mod pictures;
mod recipe;
mod reduce;
mod stand;
mod stored;
mod surface;
mod tangents;
#[cfg(test)]
mod tests;
mod uv_sets;
pub(crate) mod weld;

pub use limits::{Excess, Limits, Repeated};

use crate::progress::Progress;
use maquette_formats::format::{Caps, Space, TextureStorage};
use maquette_scene::Scene;
use maquette_scene::loss::LossReport;
use maquette_texture::Quality;

/// How a scene is fitted.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// How far a linear curve in the place of another may move a vertex, in units of the model.
    pub tolerance: f32,
    /// How textures are made.
    pub textures: TextureOptions,
    /// How much may be made of a scene that is small.
    pub limits: Limits,
}

impl Default for FitOptions {
    fn default() -> Self {
        FitOptions { tolerance: 1e-4, textures: TextureOptions::default(), limits: Limits::DEFAULT }
    }
}

/// How textures are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureOptions {
    /// How well blocks are chosen where a format holds them; `None` for pixels instead of blocks.
    pub quality: Option<Quality>,
    /// The longest side; what is longer is halved until it fits.
    pub max_size: Option<u32>,
    /// Whether they are really made.
    pub effort: Effort,
}

/// Whether textures are really made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// They are made, with all levels and blocks.
    #[default]
    Whole,
    /// What would be lost is told, without the blocks, which take most of the time. The result is not to be used.
    Predicted,
}

impl Default for TextureOptions {
    fn default() -> Self {
        TextureOptions { quality: Some(Quality::Default), max_size: None, effort: Effort::Whole }
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

/// Brings a scene into the form that a format's writer relies on ([`maquette_formats::format::Fitted`]). What is lost goes into the report.
pub fn fit(scene: Scene, caps: &Caps, options: &FitOptions, losses: &mut LossReport) -> Scene {
    fit_with(scene, caps, options, &Progress::default(), losses)
}

/// As [`fit`], telling how far it is.
pub fn fit_with(
    mut scene: Scene,
    caps: &Caps,
    options: &FitOptions,
    progress: &Progress,
    losses: &mut LossReport,
) -> Scene {
    let is_model = caps.space == Space::Model && caps.meshes;
    if !caps.extras {
        extras::report(&scene, losses);
    }
    if is_model {
        finite::make_finite(&mut scene, losses);
    }
    let needs_coordinates = caps.meshes && caps.uv_sets == 1;
    if needs_coordinates {
        uv_sets::merge(&mut scene, caps.textures, losses);
    }
    reduce::drop_what_cannot_be_held(&mut scene, caps, losses);
    match caps.blends {
        true => absolute::take_apart(&mut scene),
        false => absolute::make_absolute(&mut scene, losses),
    }
    if !caps.curves && !caps.ticks {
        let _stage = progress.stage("linearizing curves", 0);
        linearize::linearize(&mut scene, options.tolerance, caps.frames, losses);
    }
    let mut given = Vec::new();
    if is_model {
        let _stage = progress.stage("flattening nodes", 0);
        (scene, given) = flatten::flatten(scene, caps, losses);
    }
    if caps.needs_normals {
        surface::add_normals(&mut scene, &given, losses);
    }
    if needs_coordinates {
        surface::add_coordinates(&mut scene);
    }
    if caps.needs_tangents {
        tangents::add(&mut scene, &given, progress, losses);
    }
    match caps.textures {
        TextureStorage::None => {}
        TextureStorage::Pixels => pack::pack(&mut scene, caps, &options.textures, progress, losses),
        TextureStorage::EncodedImages | TextureStorage::FileNames => {
            images::encode(&mut scene, &options.textures, progress, losses);
        }
    }
    influences::limit(&mut scene, caps, losses);
    if is_model {
        weld::weld(&mut scene, losses);
    }
    if let Some(bytes) = caps.name_bytes.filter(|&bytes| bytes > 0) {
        names::shorten(&mut scene, bytes as usize, losses);
    }
    scene
}
