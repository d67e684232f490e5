//! Textures that are stored as a format wants them already: nothing is made anew, levels are left out or blocks become pixels if that is asked for.

use super::{TextureOptions, pictures};
use maquette_scene::Scene;
use maquette_scene::image::{ImageData, PixelFormat};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_texture::mips;
use std::collections::BTreeSet;

/// Makes the packed textures of the materials as large, and as plain, as is asked for.
pub fn adapt(scene: &mut Scene, options: &TextureOptions, losses: &mut LossReport) {
    let packed = scene.materials.iter().filter_map(|material| material.packed.as_ref());
    let images: BTreeSet<_> = packed.flat_map(|packed| packed.textures()).map(|(_, texture)| texture.image).collect();
    let (mut shrunk, mut decoded) = (0, 0);
    for image in images {
        let Some(image) = scene.images.get_mut(image) else { continue };
        shrunk += u64::from(shrink(&mut image.data, options));
        if options.quality.is_none() {
            decoded += u64::from(unblock(&mut image.data));
        }
    }
    losses.push(LossKind::Truncated, Lost::Pixels, "the textures", "the largest levels are left out", shrunk);
    losses.push(LossKind::Baked, Lost::Pixels, "the textures", "blocks become pixels", decoded);
}

/// Leaves out the levels that are too large.
fn shrink(data: &mut ImageData, options: &TextureOptions) -> bool {
    let ImageData::Pixels { width, height, levels, .. } = data else { return false };
    let halvings = options.halvings(*width, *height).min((levels.len() as u32).saturating_sub(1));
    [*width, *height] = mips::level_size(*width, *height, halvings);
    levels.drain(..halvings as usize);
    halvings > 0
}

/// Blocks as pixels.
fn unblock(data: &mut ImageData) -> bool {
    let ImageData::Pixels { format, width, height, levels, .. } = data else { return false };
    let two_channels = match *format {
        PixelFormat::Bc5 => true,
        PixelFormat::Bc7 => false,
        PixelFormat::Rgba8 | PixelFormat::Rg8 => return false,
    };
    for (level, bytes) in (0..).zip(levels.iter_mut()) {
        let [width, height] = mips::level_size(*width, *height, level);
        let pixels = pictures::pixels(*format, width, height, bytes).map(|picture| picture.into_pixels());
        let pixels = pixels.unwrap_or_default();
        *bytes =
            if two_channels { pixels.iter().flat_map(|&[r, g, ..]| [r, g]).collect() } else { pixels.into_flattened() };
    }
    *format = if two_channels { PixelFormat::Rg8 } else { PixelFormat::Rgba8 };
    true
}
