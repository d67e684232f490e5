//! Pixels as image files, for formats that keep those.

use maquette_formats::format::TextureStorage;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::{Handle, Scene};
use maquette_texture::colour::Transfer;
use maquette_texture::{blocks, normal, png};
use std::collections::HashSet;

/// Encodes what is pixels, where the format keeps image files or their names.
pub fn encode(scene: &mut Scene, storage: TextureStorage, losses: &mut LossReport) {
    if !matches!(storage, TextureStorage::EncodedImages | TextureStorage::FileNames) {
        return;
    }
    let used = |of: fn(&str) -> bool| -> HashSet<Handle<Image>> {
        let textures = scene.materials.iter().flat_map(|material| material.textures());
        textures.filter(|(slot, _)| of(slot)).map(|(_, texture)| texture.image).collect()
    };
    let colours = used(|slot| matches!(slot, "base colour" | "emissive"));
    let normals = used(|slot| slot == "normal");
    let (mut encoded, mut levels_lost) = (0, 0);
    for handle in scene.images.handles() {
        let Some(image) = scene.images.get_mut(handle) else { continue };
        let ImageData::Pixels { format, colour_space, width, height, levels } = &image.data else { continue };
        let Some(level) = levels.first() else { continue };
        let Some(mut pixels) = decode(*format, *width as usize, *height as usize, level) else { continue };
        if *colour_space == ColourSpace::Linear && colours.contains(&handle) {
            Transfer::ToSrgb.apply(&mut pixels);
        }
        if normals.contains(&handle) && matches!(format, PixelFormat::Bc5 | PixelFormat::Rg8) {
            normal::rebuild_z(&mut pixels);
        }
        let Some(bytes) = png::encode(*width, *height, &pixels) else { continue };
        encoded += 1;
        levels_lost += levels.len() as u64 - 1;
        image.data = ImageData::Encoded { mime: "image/png".into(), bytes };
    }
    losses.push(LossKind::Baked, Lost::Pixels, "the textures", "they become PNG files", encoded);
    losses.dropped(Lost::MipLevels, "the textures", "image files hold one level", levels_lost);
}

/// A level as four channels.
fn decode(format: PixelFormat, width: usize, height: usize, level: &[u8]) -> Option<Vec<[u8; 4]>> {
    match format {
        PixelFormat::Rgba8 => Some(level.as_chunks().0.to_vec()),
        PixelFormat::Rg8 => Some(level.as_chunks().0.iter().map(|&[r, g]| [r, g, 0, 255]).collect()),
        PixelFormat::Bc5 => blocks::decode_bc5(width, height, level),
        PixelFormat::Bc7 => blocks::decode_bc7(width, height, level),
    }
}
