//! Fitting a scene to what a format can hold, so that its writer has nothing to change.
//!
//! Each pass is one file and one idea; each names in the report what it took away or turned into something else. The order
//! matters: first what cannot be held goes, then curves become straight, then nodes are folded into a model with one skeleton,
//! then vertices get what the format demands.

mod curves;
mod harm;
mod images;
mod influences;
mod model;
mod names;
mod reach;
mod reduce;
mod surface;
mod tangents;
#[cfg(test)]
mod tests;
pub(crate) mod weld;

use maquette_formats::format::{Caps, Space};
use maquette_scene::Scene;
use maquette_scene::loss::LossReport;
use maquette_scene::valid::{self, Invalid};

/// How closely curves are followed, in units of the value: lengths of the model, or radians.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// The largest error of a straight curve in the place of another.
    pub tolerance: f32,
}

impl Default for FitOptions {
    fn default() -> Self {
        FitOptions { tolerance: 1e-4 }
    }
}

/// Makes a scene fit a format. Fails on numbers that grow beyond what singles hold when they are multiplied out.
pub fn fit(mut scene: Scene, caps: &Caps, options: &FitOptions, losses: &mut LossReport) -> Result<Scene, Invalid> {
    if caps.morph_targets && caps.curves {
        // It holds whatever a scene does.
        return Ok(scene);
    }
    reduce::drop_what_cannot_be_held(&mut scene, caps, losses);
    if !caps.curves {
        curves::straighten(&mut scene, options.tolerance, losses);
    }
    if caps.space == Space::Model && caps.meshes {
        scene = model::fold(scene, losses);
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
    images::encode(&mut scene, caps.textures, losses);
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
