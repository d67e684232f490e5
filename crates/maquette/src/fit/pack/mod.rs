//! Packed textures for formats that keep those: every material gets its three, made from its maps and factors.
//!
//! Materials that are packed already, because they come from such a format, keep what they have, block for block. Textures that come out the
//! same are there once.

use super::TextureOptions;
use super::alike;
use super::colours::BlockError;
use super::opened::Opened;
use super::recipe::{Baked, Recipe};
use super::{pictures, stored};
use crate::progress::Progress;
use maquette_formats::format::Caps;
use maquette_scene::image::{Image, ImageData};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::material::{
    AlphaMode, Filter, Material, PackedMaps, PackedTexture, Pbr, Surface, TextureUse, Wrap,
};
use maquette_scene::{Handle, Scene};
use maquette_texture::mips;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A difference that calculating leaves anyway.
const FLOAT_NOISE: f32 = 1e-5;
/// The most that eight bits change of a number from 0 to 1.
const HALF_A_STEP: f32 = 0.5 / 255.0;

/// Packs every material that something is drawn with.
pub fn pack(scene: &mut Scene, caps: &Caps, options: &TextureOptions, progress: &Progress, losses: &mut LossReport) {
    give_materials(scene, losses);
    let used = used(scene);
    let unused = (scene.materials.len() - used.len()) as u64;
    losses.dropped(Lost::Materials, "the model", "nothing is drawn with them", unused);
    report_unused_textures(scene, losses);
    report_names(scene, &used, losses);
    stored::adapt(scene, caps, options, losses);
    let plans = plans(scene, used);
    let mut places: HashMap<&Recipe, usize> = HashMap::new();
    let mut recipes: Vec<&Recipe> = Vec::new();
    for recipe in plans.iter().flat_map(|(_, recipes)| recipes) {
        places.entry(recipe).or_insert_with(|| {
            recipes.push(recipe);
            recipes.len() - 1
        });
    }
    let opened = Opened::new(&scene.images, recipes.iter().flat_map(|recipe| recipe.images()));
    let stage = progress.stage("packing textures", recipes.len());
    let bake = |(place, recipe): (usize, &Recipe)| {
        let baked = recipe.bake(&opened, caps, options);
        stage.step();
        (place, fingerprint(&baked.data), baked)
    };
    // What takes longest is begun first, so that no core waits for it in the end.
    let mut order: Vec<(usize, &Recipe)> = recipes.iter().copied().enumerate().collect();
    order.sort_by_cached_key(|(_, recipe)| Reverse(recipe.effort(&opened)));
    let mut made: Vec<(usize, u64, Baked)> = order.into_par_iter().map(bake).collect();
    made.sort_unstable_by_key(|(place, ..)| *place);
    let (fingerprints, mut baked): (Vec<u64>, Vec<Baked>) =
        made.into_iter().map(|(_, print, baked)| (print, baked)).unzip();
    for (handle, damage) in opened.into_damages() {
        scene.images.get(handle).into_iter().for_each(|image| pictures::report_damage(handle, image, &damage, losses));
    }
    let handles = keep(scene, &fingerprints, &mut baked);
    for (handle, recipes) in &plans {
        let Some(material) = scene.materials.get_mut(*handle) else { continue };
        let places: Vec<usize> = recipes.iter().filter_map(|recipe| places.get(recipe).copied()).collect();
        let made: Vec<&Baked> = places.iter().filter_map(|&place| baked.get(place)).collect();
        let images: Vec<Handle<Image>> = places.iter().filter_map(|&place| handles.get(place).copied()).collect();
        let &[base, normal, surface] = images.as_slice() else { continue };
        let whose = subject("material", handle.index(), &material.name);
        let Some(pbr) = material.pbr() else { continue };
        report_textures(&made, &whose, losses);
        report_material(pbr, material.alpha, &made, &whose, losses);
        let [base_wrap, normal_wrap, surface_wrap] = wraps(pbr, &whose, losses);
        material.surface = Surface::Packed(PackedMaps {
            base_colour: PackedTexture { image: base, wrap: base_wrap },
            normal: PackedTexture { image: normal, wrap: normal_wrap },
            surface: PackedTexture { image: surface, wrap: surface_wrap },
        });
    }
}

/// How many pixels the textures will have that are made, without mip levels; what cannot be decoded has none.
pub fn pixels(scene: &Scene, options: &TextureOptions) -> u64 {
    let sizes = sizes(scene, options).into_iter().map(|(_, [width, height])| u64::from(width) * u64::from(height));
    sizes.fold(0, u64::saturating_add)
}

/// How many bytes the textures will take that are made. Of those that are made of the same pictures, which may turn out the same and are there once
/// then, only one is counted.
pub fn bytes(scene: &Scene, caps: &Caps, options: &TextureOptions) -> u64 {
    let mut alike: HashMap<usize, Vec<Handle<Image>>> = HashMap::new();
    let mut first_alike = |handle: Handle<Image>| {
        let data = |handle| scene.images.get(handle).map(|image| &*image.data);
        let known = alike.entry(data(handle).map_or(0, stored_length)).or_default();
        let same = known.iter().find(|&&known| known == handle || data(known) == data(handle)).copied();
        same.unwrap_or_else(|| {
            known.push(handle);
            handle
        })
    };
    let mut largest: HashMap<(std::mem::Discriminant<Recipe>, Vec<Handle<Image>>), u64> = HashMap::new();
    for (recipe, size) in sizes(scene, options) {
        let pictures = recipe.images().map(&mut first_alike).collect();
        let bytes = largest.entry((std::mem::discriminant(&recipe), pictures)).or_default();
        *bytes = recipe.stored_bytes(size, caps, options).max(*bytes);
    }
    largest.into_values().fold(0, u64::saturating_add)
}

fn stored_length(data: &ImageData) -> usize {
    match data {
        ImageData::Encoded { bytes, .. } => bytes.len(),
        ImageData::Pixels { levels, .. } => levels.iter().map(|level| level.len()).sum(),
        ImageData::External(_) => 0,
    }
}

/// The textures that will be made, and how large they are; those that cannot be decoded are nothing.
fn sizes(scene: &Scene, options: &TextureOptions) -> Vec<(Recipe, [u32; 2])> {
    let recipes: HashSet<Recipe> = plans(scene, used(scene)).into_iter().flat_map(|(_, recipes)| recipes).collect();
    let mut sizes: HashMap<Handle<Image>, [u32; 2]> = HashMap::new();
    let mut size = |handle: Handle<Image>| {
        let stored = || scene.images.get(handle).map_or([0; 2], pictures::size);
        *sizes.entry(handle).or_insert_with(stored)
    };
    let mut sized = |recipe: Recipe| {
        let [width, height] = recipe.images().map(&mut size).fold([0; 2], |[a, b], [c, d]| [a.max(c), b.max(d)]);
        let halvings = options.halvings(width, height);
        let is_nothing = width == 0 || height == 0;
        (recipe, if is_nothing { [0; 2] } else { mips::level_size(width, height, halvings) })
    };
    recipes.into_iter().map(&mut sized).collect()
}

/// The materials that something is drawn with.
fn used(scene: &Scene) -> BTreeSet<Handle<Material>> {
    scene.meshes.iter().flat_map(|mesh| &mesh.primitives).filter_map(|primitive| primitive.material).collect()
}

/// What the textures of these materials are made of, where they are not made already.
fn plans(scene: &Scene, used: BTreeSet<Handle<Material>>) -> Vec<(Handle<Material>, [Recipe; 3])> {
    used.into_iter()
        .filter_map(|handle| Some((handle, scene.materials.get(handle)?)))
        .filter_map(|(handle, material)| Some((handle, Recipe::of(material.pbr()?, material.alpha))))
        .collect()
}

fn report_unused_textures(scene: &Scene, losses: &mut LossReport) {
    let used: BTreeSet<Handle<Image>> =
        scene.materials.iter().flat_map(Material::images).map(|(_, image)| image).collect();
    let unused = (scene.images.len() - used.len()) as u64;
    losses.dropped(Lost::Images, "the model", "no material uses them", unused);
}

/// Pictures that are packed with others have no name of their own.
fn report_names(scene: &Scene, used: &BTreeSet<Handle<Material>>, losses: &mut LossReport) {
    let materials = used.iter().filter_map(|&material| scene.materials.get(material)?.pbr());
    let images: BTreeSet<Handle<Image>> =
        materials.flat_map(|material| material.textures().map(|(_, texture)| texture.image)).collect();
    for (handle, image) in images.into_iter().filter_map(|handle| Some((handle, scene.images.get(handle)?))) {
        let whose = subject("image", handle.index(), &image.name);
        losses.dropped(Lost::ImageNames, whose, "packed textures have none", u64::from(!image.name.is_empty()));
    }
}

/// Parts without a material get one: white, half rough, no metal.
fn give_materials(scene: &mut Scene, losses: &mut LossReport) {
    let bare =
        scene.meshes.iter().flat_map(|mesh| &mesh.primitives).filter(|primitive| primitive.material.is_none()).count();
    if bare == 0 {
        return;
    }
    // Half, as eight bits have it.
    let surface = Pbr { metallic: 0.0, roughness: 128.0 / 255.0, ..Pbr::default() }.into();
    let material = scene.materials.push(Material { surface, ..Material::default() });
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.material.get_or_insert(material);
    }
    let detail = "primitives without a material become white, half rough and no metal";
    losses.push(LossKind::Baked, Lost::Materials, "the model", detail, bare as u64);
}

/// Puts the textures into the scene, each once.
fn keep(scene: &mut Scene, fingerprints: &[u64], baked: &mut [Baked]) -> Vec<Handle<Image>> {
    let mut known: HashMap<u64, Vec<Handle<Image>>> = HashMap::new();
    let mut handles = Vec::with_capacity(baked.len());
    for (texture, fingerprint) in baked.iter_mut().zip(fingerprints) {
        let data = std::mem::replace(&mut texture.data, ImageData::External(String::new()));
        let alike = known.entry(*fingerprint).or_default();
        let same = alike.iter().find(|&&handle| scene.images.get(handle).is_some_and(|image| *image.data == data));
        let handle = same.copied().unwrap_or_else(|| {
            let name = format!("packed {}", scene.images.len());
            let handle = scene.images.push(Image::new(name, data));
            alike.push(handle);
            handle
        });
        handles.push(handle);
    }
    handles
}

/// The same for textures that are the same, and hardly ever for others.
fn fingerprint(data: &ImageData) -> u64 {
    let ImageData::Pixels { width, height, levels, .. } = data else { return 0 };
    let largest = levels.first().map_or(&[][..], |level| level);
    let words = largest.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
    words.fold(alike::hash(u64::from(*width), *height), alike::hash)
}

/// How base colour, normals and the rest repeat.
fn wraps(material: &Pbr, subject: &str, losses: &mut LossReport) -> [[Wrap; 2]; 3] {
    let of = |texture: &Option<TextureUse>| texture.as_ref().map(|texture| texture.wrap);
    let base = of(&material.base_colour_texture);
    let maps = [&material.metallic_roughness_texture, &material.occlusion_texture, &material.emissive_texture];
    let mut sources = maps.into_iter().filter_map(of);
    let first = sources.next();
    let agree = sources.all(|wrap| Some(wrap) == first);
    let surface = if agree { first } else { base.or(first) };
    let detail = "roughness, occlusion and emission repeat differently; those of the base colour are taken";
    losses.dropped(Lost::TextureWrapping, subject, detail, u64::from(!agree));
    [base, of(&material.normal_texture), surface].map(Option::unwrap_or_default)
}

/// Names what became of the textures of a material.
fn report_textures(baked: &[&Baked], subject: &str, losses: &mut LossReport) {
    let errors: Vec<BlockError> =
        baked.iter().map(|texture| texture.block_error).filter(|error| error.largest != 0.0).collect();
    let is_known = errors.iter().all(|error| error.largest.is_finite());
    let max_error = if is_known { errors.iter().map(|error| error.largest).fold(0.0, f32::max) } else { f32::NAN };
    let psnr = errors.iter().map(|error| error.psnr).fold(f32::INFINITY, f32::min);
    let has_blocks = baked.iter().any(|texture| texture.has_blocks);
    let detail = match (is_known, has_blocks) {
        (true, true) => format!(
            "BC7 and BC5 blocks of {psnr:.1} dB or better in every channel; one is off by up to {max_error:.3} of 1, colours as light or as they are seen"
        ),
        (true, false) => {
            format!(
                "base colours are linear light in eight bits; a channel is off by up to {max_error:.3} of 1, as light or as it is seen"
            )
        }
        (false, _) => "BC7 and BC5 blocks; the error is measured when they are made".to_owned(),
    };
    let kind = LossKind::Approximated { max_error };
    losses.push(kind, Lost::Pixels, subject, detail, errors.len() as u64);
    for halved in baked.iter().filter_map(|texture| texture.halved) {
        losses.push(LossKind::Truncated, Lost::TextureSizes, subject, halved.to_string(), 1);
    }
}

/// Names what a material is no longer told apart by.
fn report_material(material: &Pbr, alpha: AlphaMode, made: &[&Baked], subject: &str, losses: &mut LossReport) {
    for lost in made.iter().flat_map(|texture| &texture.lost) {
        losses.dropped(Lost::Textures, subject, format!("{lost}; the factor alone is kept"), 1);
    }
    let error = made.iter().map(|texture| texture.shortfall.emission_error).fold(0.0, f32::max);
    let off = u64::from(error > FLOAT_NOISE);
    let detail = format!("they become base colour × a number, off by up to {error:.3} of full strength");
    losses.push(LossKind::Approximated { max_error: error }, Lost::Emission, subject, detail, off);
    let below = made.iter().map(|texture| texture.shortfall.below_surface).sum();
    losses.push(
        LossKind::Truncated,
        Lost::Pixels,
        subject,
        "pixels that point below the surface are made level",
        below,
    );
    for (what, factor) in multiplied(material) {
        losses.push(LossKind::Baked, what, subject, format!("{factor} is multiplied into the textures"), 1);
    }
    let shown = made.first().is_some_and(|base| base.lost.is_empty());
    let coloured = shown && material.base_colour_texture.is_some();
    let mapped = made.last().is_some_and(|surface| surface.lost.is_empty());
    let mapped = mapped && material.metallic_roughness_texture.is_some();
    report_rounding(material, alpha, [coloured, mapped], subject, losses);
    let filtered = material.textures().filter(|(_, texture)| texture.filter != Filter::default()).count();
    losses.dropped(Lost::TextureFilters, subject, "the format does not say how textures are sampled", filtered as u64);
    if let AlphaMode::Mask(cutoff) = alpha {
        let detail = format!("opacity is all or nothing at {cutoff}, and blended");
        losses.push(LossKind::Baked, Lost::AlphaModes, subject, detail, 1);
    }
    let hidden = alpha == AlphaMode::Opaque && material.base_colour.last().is_some_and(|&alpha| alpha != 1.0);
    losses.dropped(Lost::BaseColours, subject, "its opacity means nothing for an opaque surface", u64::from(hidden));
}

/// Names what eight bits change of factors: of those that no picture is multiplied by, and of all but 1 where one is. Colours of pictures are told of
/// with their pixels.
fn report_rounding(
    material: &Pbr,
    alpha: AlphaMode,
    [coloured, mapped]: [bool; 2],
    subject: &str,
    losses: &mut LossReport,
) {
    let rounded = |value: f32| ((value.clamp(0.0, 1.0) * 255.0).round() / 255.0 - value).abs();
    let [r, g, b, a] = material.base_colour;
    let opacity = if alpha == AlphaMode::Blend { a } else { 1.0 };
    let colour = if coloured { 0.0 } else { [r, g, b, opacity].into_iter().map(rounded).fold(0.0, f32::max) };
    let factor = |value: f32| match (mapped, value == 1.0) {
        (true, true) => 0.0,
        (true, false) => HALF_A_STEP,
        (false, _) => rounded(value),
    };
    let surface = factor(material.roughness).max(factor(material.metallic));
    for (what, error) in [(Lost::BaseColours, colour), (Lost::MetalnessAndRoughness, surface)] {
        let detail = format!("eight bits keep them, off by up to {error:.5} of 1");
        let kind = LossKind::Approximated { max_error: error };
        losses.push(kind, what, subject, detail, u64::from(error > FLOAT_NOISE));
    }
}

/// The factors that no texture shows by itself.
fn multiplied(material: &Pbr) -> impl Iterator<Item = (Lost, &'static str)> {
    let there = |texture: &Option<TextureUse>| texture.is_some();
    let surface = there(&material.metallic_roughness_texture);
    // A map of anything makes pixels of everything that is packed with it.
    let maps = surface || there(&material.occlusion_texture) || there(&material.emissive_texture);
    let factors = [
        (Lost::BaseColours, "base colour", there(&material.base_colour_texture) && material.base_colour != [1.0; 4]),
        (Lost::MetalnessAndRoughness, "roughness", maps && material.roughness != 1.0),
        (Lost::MetalnessAndRoughness, "metalness", maps && material.metallic != 1.0),
        (Lost::TextureStrengths, "the normal scale", there(&material.normal_texture) && material.normal_scale != 1.0),
        (
            Lost::TextureStrengths,
            "the strength of occlusion",
            there(&material.occlusion_texture) && material.occlusion_strength != 1.0,
        ),
        (
            Lost::Emission,
            "the strength of emission",
            material.emissive != [0.0; 3] && material.emissive_strength != 1.0,
        ),
    ];
    factors.into_iter().filter(|(.., multiplied)| *multiplied).map(|(what, factor, _)| (what, factor))
}

#[cfg(test)]
mod tests;
