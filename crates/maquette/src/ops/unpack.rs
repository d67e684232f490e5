//! Packed maps taken apart: into the factors and textures that every other format has, and that can be edited.
//!
//! Base colour and normals become textures as they are. The packed map becomes the usual map of occlusion, roughness and metalness by
//! swapping its first two channels, or plain factors where it is one pixel; emission becomes base colour × emission.

use crate::fit::pictures;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::material::{Material, PackedMaps, PackedTexture, Pbr, Surface, TextureUse, Wrap};
use maquette_scene::{Handle, Scene};
use maquette_texture::resize::{Enlarged, data_table};
use maquette_texture::{Picture, colour};
use std::collections::BTreeSet;

/// Takes the maps of every packed material apart. Images that nothing uses any more are removed.
pub fn unpack(scene: &mut Scene, losses: &mut LossReport) {
    let mut was_packed: BTreeSet<Handle<Image>> = BTreeSet::new();
    for handle in scene.materials.handles() {
        let Some(maps) = scene.materials.get(handle).and_then(Material::packed).copied() else { continue };
        was_packed.extend(maps.textures().iter().map(|(_, map)| map.image));
        let name = scene.materials.get(handle).map_or("", |material| &material.name);
        let subject = maquette_scene::loss::subject("material", handle.index(), name);
        let pbr = unpack_maps(&maps, scene, &subject, losses);
        if let Some(material) = scene.materials.get_mut(handle) {
            material.surface = Surface::Pbr(pbr);
        }
    }
    let used: BTreeSet<Handle<Image>> =
        scene.materials.iter().flat_map(Material::images).map(|(_, image)| image).collect();
    pictures::remove(scene, &was_packed.difference(&used).copied().collect());
}

fn unpack_maps(maps: &PackedMaps, scene: &mut Scene, subject: &str, losses: &mut LossReport) -> Pbr {
    let mut pbr = Pbr { metallic: 0.0, ..Pbr::default() };
    match one_pixel(scene, maps.base_colour.image) {
        Some(colour) => pbr.base_colour = colour.map(|channel| f32::from(channel) / 255.0),
        None => pbr.base_colour_texture = Some(used(maps.base_colour)),
    }
    if one_pixel(scene, maps.normal.image).is_none() {
        pbr.normal_texture = Some(used(maps.normal));
    }
    unpack_surface(&mut pbr, &used(maps.surface), scene, subject, losses);
    pbr
}

/// A packed map as a texture like any other.
fn used(map: PackedTexture) -> TextureUse {
    TextureUse { wrap: map.wrap, ..TextureUse::new(map.image) }
}

/// The least occlusion that is any: 254 is as near to none as a block of one colour may come.
const OCCLUDED_BELOW: u8 = 254;

/// Roughness, occlusion, metalness and emission from the packed map.
fn unpack_surface(pbr: &mut Pbr, packed: &TextureUse, scene: &mut Scene, subject: &str, losses: &mut LossReport) {
    let Some(map) = first_level(scene, packed.image) else { return };
    if let ([[roughness, occlusion, metalness, emission]], 1) = (map.pixels(), map.width()) {
        pbr.roughness = f32::from(*roughness) / 255.0;
        pbr.metallic = f32::from(*metalness) / 255.0;
        shine_evenly(pbr, f32::from(*emission) / 255.0);
        let occluded = u64::from(*occlusion < OCCLUDED_BELOW);
        losses.dropped(
            Lost::TextureStrengths,
            subject,
            "a constant occlusion has no place without a texture",
            occluded,
        );
        return;
    }
    let swap = |&[roughness, occlusion, metalness, _]: &[u8; 4]| [occlusion, roughness, metalness, 255];
    let swapped = map.pixels().iter().map(swap).collect();
    let name = format!("{subject} occlusion, roughness and metalness");
    let image = add(scene, name, [map.width(), map.height()], ColourSpace::Linear, swapped);
    let shared = TextureUse { image, ..packed.clone() };
    (pbr.roughness, pbr.metallic) = (1.0, 1.0);
    if map.pixels().iter().any(|&[_, occlusion, ..]| occlusion < OCCLUDED_BELOW) {
        pbr.occlusion_texture = Some(shared.clone());
    }
    pbr.metallic_roughness_texture = Some(shared);
    let first = map.pixels().first().map_or(0, |&[.., emission]| emission);
    if map.pixels().iter().all(|&[.., emission]| emission == first) {
        shine_evenly(pbr, f32::from(first) / 255.0);
    } else {
        shine(pbr, packed, &map, scene, subject);
    }
}

/// The same fraction of the base colour everywhere.
fn shine_evenly(pbr: &mut Pbr, emission: f32) {
    if emission > 0.0 {
        let [r, g, b, _] = pbr.base_colour;
        pbr.emissive = [r, g, b].map(|channel| channel * emission);
        pbr.emissive_texture.clone_from(&pbr.base_colour_texture);
    }
}

/// Base colour × emission as an image.
fn shine(pbr: &mut Pbr, packed: &TextureUse, map: &Picture, scene: &mut Scene, subject: &str) {
    let [r, g, b, _] = pbr.base_colour;
    pbr.emissive = [r, g, b];
    let base_texture = pbr.base_colour_texture.as_ref();
    let base = base_texture.and_then(|texture| Some((first_level(scene, texture.image)?, texture.wrap)));
    let white = (Picture::of_one([255; 4]), [Wrap::Repeat; 2]);
    let (base, wrap) = base.as_ref().unwrap_or(&white);
    let size = [map.width().max(base.width()), map.height().max(base.height())];
    let tables = [data_table(); 4];
    let base = Enlarged::new(base, size, pictures::edges(*wrap), tables);
    let map = Enlarged::new(map, size, pictures::edges(packed.wrap), tables);
    let [width, height] = size.map(|side| side as usize);
    let (mut colours, mut emissions) = (vec![[0.0; 4]; width], vec![[0.0; 4]; width]);
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..height {
        base.row(y, &mut colours);
        map.row(y, &mut emissions);
        pixels.extend(colours.iter().zip(&emissions).map(|(&[r, g, b, _], &[.., emission])| {
            let [r, g, b] = [r, g, b].map(|channel| colour::srgb_byte(channel * emission));
            [r, g, b, 255]
        }));
    }
    let image = add(scene, format!("{subject} emission"), size, ColourSpace::Srgb, pixels);
    pbr.emissive_texture = Some(TextureUse { image, ..packed.clone() });
}

fn add(
    scene: &mut Scene,
    name: String,
    [width, height]: [u32; 2],
    colour_space: ColourSpace,
    pixels: Vec<[u8; 4]>,
) -> Handle<Image> {
    let levels = vec![pixels.into_flattened()];
    let data = ImageData::Pixels { format: PixelFormat::Rgba8, colour_space, width, height, levels };
    scene.images.push(Image::new(name, data))
}

/// The colour of an image of one pixel.
fn one_pixel(scene: &Scene, image: Handle<Image>) -> Option<[u8; 4]> {
    let ImageData::Pixels { width: 1, height: 1, .. } = &*scene.images.get(image)?.data else { return None };
    first_level(scene, image)?.pixels().first().copied()
}

/// The largest level.
fn first_level(scene: &Scene, image: Handle<Image>) -> Option<Picture> {
    pictures::picture(scene.images.get(image)?).ok()
}
