//! Textures that are stored as a format wants them already: nothing is made anew, levels are left out or blocks become pixels if that is asked for.

use super::halved::Halved;
use super::{TextureOptions, pictures};
use maquette_formats::format::Caps;
use maquette_scene::Scene;
use maquette_scene::image::{ImageData, PixelFormat};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::material::Material;
use maquette_texture::{mips, normal};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Makes the packed textures of the materials as large, and as plain, as is asked for.
pub fn adapt(scene: &mut Scene, caps: &Caps, options: &TextureOptions, losses: &mut LossReport) {
    let packed = scene.materials.iter().filter_map(Material::packed);
    let images: BTreeSet<_> = packed.flat_map(|packed| packed.textures()).map(|(_, texture)| texture.image).collect();
    for handle in images {
        let Some(image) = scene.images.get_mut(handle) else { continue };
        let ImageData::Pixels { format, width, height, .. } = &*image.data else { continue };
        let is_large = options.halvings(*width, *height) > 0;
        let unblocks =
            matches!(format, PixelFormat::Bc5 | PixelFormat::Bc7) && !(caps.blocks && options.quality.is_some());
        let widens = *format == PixelFormat::Rg8 && !caps.two_channels;
        if !(is_large || unblocks || widens) {
            continue;
        }
        // Only now is a copy made of what others may share.
        let data = Arc::make_mut(&mut image.data);
        let halved = shrink(data, options);
        let decoded = unblocks && unblock(data);
        if !caps.two_channels {
            widen(data);
        }
        let whose = subject("image", handle.index(), &image.name);
        if let Some(halved) = halved {
            losses.push(LossKind::Truncated, Lost::TextureSizes, &whose, halved.to_string(), 1);
        }
        losses.push(LossKind::Baked, Lost::Pixels, &whose, "blocks become pixels", u64::from(decoded));
    }
}

/// Leaves out the levels that are too large.
fn shrink(data: &mut ImageData, options: &TextureOptions) -> Option<Halved> {
    let ImageData::Pixels { width, height, levels, .. } = data else { return None };
    let halvings = options.halvings(*width, *height).min((levels.len() as u32).saturating_sub(1));
    let halved = Halved::by(halvings, [*width, *height]);
    [*width, *height] = mips::level_size(*width, *height, halvings);
    levels.drain(..halvings as usize);
    halved
}

/// Normals of two channels as pixels of four.
fn widen(data: &mut ImageData) {
    let ImageData::Pixels { format: format @ PixelFormat::Rg8, levels, .. } = data else { return };
    for level in levels {
        let mut pixels: Vec<[u8; 4]> = level.as_chunks().0.iter().map(|&[x, y]| [x, y, 0, 255]).collect();
        normal::rebuild_z(&mut pixels);
        *level = pixels.into_flattened().into();
    }
    *format = PixelFormat::Rgba8;
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
        *bytes = match two_channels {
            true => pixels.iter().flat_map(|&[r, g, ..]| [r, g]).collect::<Vec<u8>>().into(),
            false => pixels.into_flattened().into(),
        };
    }
    *format = if two_channels { PixelFormat::Rg8 } else { PixelFormat::Rgba8 };
    true
}
