//! Packed maps taken apart: into the factors and textures that every other format has, and that can be edited.
//!
//! Base colour and normals become textures as they are. The packed map becomes the usual map of occlusion, roughness and metalness by
//! swapping its first two channels, or plain factors where it is one pixel; emission becomes base colour × emission. What is made of
//! the same maps is made once, and what that comes to is known before.

use crate::fit::{Excess, Limits, Repeated, pictures};
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::material::{Material, PackedMaps, PackedTexture, Pbr, Surface, TextureUse, Wrap};
use maquette_scene::{Handle, Scene};
use maquette_texture::decode::MOST_PIXELS;
use maquette_texture::resize::{Enlarged, data_table};
use maquette_texture::{Picture, colour};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Takes the maps of every packed material apart. Images that nothing uses any more are removed. Where the pictures that are made for that would have too many
/// pixels, nothing is changed.
pub fn unpack(scene: &mut Scene, losses: &mut LossReport) -> Result<(), Excess> {
    unpack_with(scene, &Limits::DEFAULT, losses)
}

/// As [`unpack`], with another limit to those pixels.
pub fn unpack_with(scene: &mut Scene, limits: &Limits, losses: &mut LossReport) -> Result<(), Excess> {
    check(scene, limits)?;
    take_apart(scene, losses);
    Ok(())
}

/// Whether so many pictures may be made as taking the maps of a scene apart takes.
pub(crate) fn check(scene: &Scene, limits: &Limits) -> Result<(), Excess> {
    let within = |count| limits.check(Repeated::UnpackedTextures, count);
    // Whether a map shines evenly, which takes no picture, is looked at only where it matters.
    within(pixels(scene, |_| true)).or_else(|_| within(pixels(scene, |map| shines_unevenly(scene, map))))
}

/// How many pixels the pictures would have that are made where these maps need one of their emission; what cannot be decoded has none.
fn pixels(scene: &Scene, mut shines: impl FnMut(Handle<Image>) -> bool) -> u64 {
    let size = |image: Handle<Image>| scene.images.get(image).map_or([0; 2], pictures::size);
    let pixels = |[width, height]: [u32; 2]| u64::from(width) * u64::from(height);
    let mut shining: HashMap<Handle<Image>, bool> = HashMap::new();
    let mut lights: HashSet<Light> = HashSet::new();
    let mut sum = 0u64;
    for maps in scene.materials.iter().filter_map(Material::packed) {
        let [width, height] = size(maps.surface.image);
        if pixels([width, height]) <= 1 {
            continue;
        }
        let shines = shining.entry(maps.surface.image).or_insert_with_key(|&map| {
            sum = sum.saturating_add(pixels([width, height]));
            shines(map)
        });
        let light = Light::of(maps, size(maps.base_colour.image) == [1, 1]);
        if *shines && lights.insert(light) {
            let [base_width, base_height] = light.base.map_or([1, 1], |(image, _)| size(image));
            sum = sum.saturating_add(pixels([width.max(base_width), height.max(base_height)]));
        }
    }
    sum
}

/// Whether a packed map holds emission that differs from pixel to pixel.
fn shines_unevenly(scene: &Scene, map: Handle<Image>) -> bool {
    first_level(scene, map).is_some_and(|map| even_emission(&map).is_none())
}

/// The emission of all pixels, if it is the same.
fn even_emission(map: &Picture) -> Option<u8> {
    let first = map.pixels().first().map_or(0, |&[.., emission]| emission);
    map.pixels().iter().all(|&[.., emission]| emission == first).then_some(first)
}

/// What a picture of emission is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Light {
    /// The base colour, where that is no factor.
    base: Option<(Handle<Image>, [Wrap; 2])>,
    packed: (Handle<Image>, [Wrap; 2]),
}

impl Light {
    fn of(maps: &PackedMaps, has_plain_base: bool) -> Light {
        let used = |map: &PackedTexture| (map.image, map.wrap);
        Light { base: (!has_plain_base).then(|| used(&maps.base_colour)), packed: used(&maps.surface) }
    }
}

/// Pictures that were made already.
#[derive(Default)]
struct Made {
    /// By the packed map: the map of occlusion, roughness and metalness.
    usual: HashMap<Handle<Image>, Usual>,
    lights: HashMap<Light, Option<Handle<Image>>>,
}

/// What becomes of a packed map, whatever the base colour is.
#[derive(Clone, Copy)]
struct Usual {
    image: Handle<Image>,
    is_occluded: bool,
    /// `None` where it differs from pixel to pixel.
    even_emission: Option<u8>,
}

/// As [`unpack`], of a scene that was checked.
pub(crate) fn take_apart(scene: &mut Scene, losses: &mut LossReport) {
    let mut made = Made::default();
    let mut was_packed: BTreeSet<Handle<Image>> = BTreeSet::new();
    for handle in scene.materials.handles() {
        let Some(maps) = scene.materials.get(handle).and_then(Material::packed).copied() else { continue };
        was_packed.extend(maps.textures().iter().map(|(_, map)| map.image));
        let name = scene.materials.get(handle).map_or("", |material| &material.name);
        let subject = maquette_scene::loss::subject("material", handle.index(), name);
        let pbr = unpack_maps(&maps, scene, &mut made, &subject, losses);
        if let Some(material) = scene.materials.get_mut(handle) {
            material.surface = Surface::Pbr(pbr);
        }
    }
    let used: BTreeSet<Handle<Image>> =
        scene.materials.iter().flat_map(Material::images).map(|(_, image)| image).collect();
    pictures::remove(scene, &was_packed.difference(&used).copied().collect());
}

fn unpack_maps(maps: &PackedMaps, scene: &mut Scene, made: &mut Made, subject: &str, losses: &mut LossReport) -> Pbr {
    let mut pbr = Pbr { metallic: 0.0, ..Pbr::default() };
    match one_pixel(scene, maps.base_colour.image) {
        Some(colour) => pbr.base_colour = colour.map(|channel| f32::from(channel) / 255.0),
        None => pbr.base_colour_texture = Some(used(maps.base_colour)),
    }
    if one_pixel(scene, maps.normal.image).is_none() {
        pbr.normal_texture = Some(used(maps.normal));
    }
    unpack_surface(&mut pbr, maps, scene, made, subject, losses);
    pbr
}

/// A packed map as a texture like any other.
fn used(map: PackedTexture) -> TextureUse {
    TextureUse { wrap: map.wrap, ..TextureUse::new(map.image) }
}

/// The least occlusion that is any: 254 is as near to none as a block of one colour may come.
const OCCLUDED_BELOW: u8 = 254;

/// Roughness, occlusion, metalness and emission from the packed map.
fn unpack_surface(
    pbr: &mut Pbr,
    maps: &PackedMaps,
    scene: &mut Scene,
    made: &mut Made,
    subject: &str,
    losses: &mut LossReport,
) {
    let packed = used(maps.surface);
    let is_one_pixel = scene.images.get(packed.image).is_some_and(|image| pictures::size(image) == [1, 1]);
    if is_one_pixel && let Some([roughness, occlusion, metalness, emission]) = first_pixel(scene, packed.image) {
        pbr.roughness = f32::from(roughness) / 255.0;
        pbr.metallic = f32::from(metalness) / 255.0;
        shine_evenly(pbr, f32::from(emission) / 255.0);
        let occluded = u64::from(occlusion < OCCLUDED_BELOW);
        let detail = "a constant occlusion has no place without a texture";
        losses.dropped(Lost::TextureStrengths, subject, detail, occluded);
        return;
    }
    let known = made.usual.get(&packed.image).copied();
    let Some(usual) = known.or_else(|| usual(packed.image, scene, subject)) else {
        losses.dropped(Lost::Textures, subject, "the packed map cannot be decoded", 1);
        return;
    };
    made.usual.insert(packed.image, usual);
    let shared = TextureUse { image: usual.image, ..packed };
    (pbr.roughness, pbr.metallic) = (1.0, 1.0);
    pbr.occlusion_texture = usual.is_occluded.then(|| shared.clone());
    pbr.metallic_roughness_texture = Some(shared);
    match usual.even_emission {
        Some(emission) => shine_evenly(pbr, f32::from(emission) / 255.0),
        None => shine(pbr, maps, scene, made, subject, losses),
    }
}

/// The usual map of a packed one; `None` if that cannot be decoded.
fn usual(packed: Handle<Image>, scene: &mut Scene, subject: &str) -> Option<Usual> {
    let map = first_level(scene, packed)?;
    let is_occluded = map.pixels().iter().any(|&[_, occlusion, ..]| occlusion < OCCLUDED_BELOW);
    let even_emission = even_emission(&map);
    let size = [map.width(), map.height()];
    let mut pixels = map.into_pixels();
    for pixel in &mut pixels {
        let [roughness, occlusion, metalness, _] = *pixel;
        *pixel = [occlusion, roughness, metalness, 255];
    }
    let name = format!("{subject} occlusion, roughness and metalness");
    let image = add(scene, name, size, ColourSpace::Linear, pixels);
    Some(Usual { image, is_occluded, even_emission })
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
fn shine(pbr: &mut Pbr, maps: &PackedMaps, scene: &mut Scene, made: &mut Made, subject: &str, losses: &mut LossReport) {
    let light = Light::of(maps, pbr.base_colour_texture.is_none());
    let image = *made.lights.entry(light).or_insert_with(|| {
        let picture = lit(light, scene)?;
        let size = [picture.width(), picture.height()];
        Some(add(scene, format!("{subject} emission"), size, ColourSpace::Srgb, picture.into_pixels()))
    });
    let Some(image) = image else {
        losses.dropped(Lost::Emission, subject, "base colour × emission is too large a picture", 1);
        return;
    };
    let [r, g, b, _] = pbr.base_colour;
    pbr.emissive = [r, g, b];
    pbr.emissive_texture = Some(TextureUse { image, ..used(maps.surface) });
}

fn lit(Light { base, packed: (map, map_wrap) }: Light, scene: &Scene) -> Option<Picture> {
    let base = base.and_then(|(base, wrap)| Some((first_level(scene, base)?, wrap)));
    let (base, wrap) = base.unwrap_or_else(|| (Picture::of_one([255; 4]), [Wrap::Repeat; 2]));
    emitted((&base, wrap), (&first_level(scene, map)?, map_wrap))
}

/// Linear base colour × the emission in the opacity of a packed map, in sRGB; as large as the larger of both. `None` where that
/// is more than is decoded of any picture.
pub(crate) fn emitted(base: (&Picture, [Wrap; 2]), packed: (&Picture, [Wrap; 2])) -> Option<Picture> {
    let ((base, base_wrap), (map, map_wrap)) = (base, packed);
    let (wide, high) = (map.width().max(base.width()), map.height().max(base.height()));
    if u64::from(wide) * u64::from(high) > MOST_PIXELS {
        return None;
    }
    let size = [wide, high];
    let tables = [data_table(); 4];
    let base = Enlarged::new(base, size, pictures::edges(base_wrap), tables);
    let map = Enlarged::new(map, size, pictures::edges(map_wrap), tables);
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
    Picture::new(wide, high, pixels)
}

fn add(
    scene: &mut Scene,
    name: String,
    [width, height]: [u32; 2],
    colour_space: ColourSpace,
    pixels: Vec<[u8; 4]>,
) -> Handle<Image> {
    let levels = vec![pixels.into_flattened().into()];
    let data = ImageData::Pixels { format: PixelFormat::Rgba8, colour_space, width, height, levels };
    scene.images.push(Image::new(name, data))
}

/// The colour of an image of one pixel.
fn one_pixel(scene: &Scene, image: Handle<Image>) -> Option<[u8; 4]> {
    let ImageData::Pixels { width: 1, height: 1, .. } = &*scene.images.get(image)?.data else { return None };
    first_pixel(scene, image)
}

fn first_pixel(scene: &Scene, image: Handle<Image>) -> Option<[u8; 4]> {
    first_level(scene, image)?.pixels().first().copied()
}

/// The largest level.
fn first_level(scene: &Scene, image: Handle<Image>) -> Option<Picture> {
    pictures::picture(scene.images.get(image)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_formats::aem;
    use maquette_formats::format::{RawFile, ReadOptions};
    use maquette_scene::material::AlphaMode;
    use maquette_scene::valid;

    const FLAT: [u8; 4] = [128, 128, 255, 255];
    const DULL: [u8; 4] = [230, 255, 0, 0];

    fn map(scene: &mut Scene, size: [u32; 2], pixels: &[[u8; 4]]) -> PackedTexture {
        assert_eq!(pixels.len() as u32, size[0] * size[1]);
        let image = add(scene, "map".into(), size, ColourSpace::Linear, pixels.to_vec());
        PackedTexture { image, wrap: [Wrap::Mirror, Wrap::Clamp] }
    }

    /// A scene of one material with these three maps, each given with its width.
    fn packed(maps: [(u32, &[[u8; 4]]); 3]) -> Scene {
        let mut scene = Scene::default();
        let [base_colour, normal, surface] =
            maps.map(|(width, pixels)| map(&mut scene, [width, pixels.len() as u32 / width], pixels));
        let surface = PackedMaps { base_colour, normal, surface }.into();
        scene.materials.push(Material { surface, alpha: AlphaMode::Blend, ..Material::default() });
        scene
    }

    fn unpacked(scene: &mut Scene) -> (Pbr, LossReport) {
        let mut losses = LossReport::default();
        unpack(scene, &mut losses).unwrap();
        assert_eq!(valid::check(scene), Ok(()));
        (scene.materials.iter().next().unwrap().pbr().unwrap().clone(), losses)
    }

    fn pixels(scene: &Scene, texture: &Option<TextureUse>) -> (ColourSpace, [u32; 2], Vec<[u8; 4]>) {
        match &*scene.images.get(texture.as_ref().unwrap().image).unwrap().data {
            ImageData::Pixels { format: PixelFormat::Rgba8, colour_space, width, height, levels } => {
                (*colour_space, [*width, *height], levels[0].as_chunks().0.to_vec())
            }
            other => panic!("{other:?}"),
        }
    }

    fn assert_close(found: &[f32], expected: &[f32]) {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} is not {expected:?}");
    }

    #[test]
    fn maps_of_one_pixel_are_factors() {
        let mut scene = packed([(1, &[[255, 51, 0, 102]]), (1, &[FLAT]), (1, &[[204, 254, 153, 0]])]);
        let (pbr, losses) = unpacked(&mut scene);
        assert!(losses.is_empty(), "{losses:?}");
        assert_close(&pbr.base_colour, &[1.0, 0.2, 0.0, 0.4]);
        assert_close(&[pbr.roughness, pbr.metallic], &[0.8, 0.6]);
        assert_eq!((pbr.emissive, pbr.textures().count(), scene.images.len()), ([0.0; 3], 0, 0));
        assert_eq!(scene.materials.iter().next().unwrap().alpha, AlphaMode::Blend, "all else stays");
    }

    #[test]
    fn one_pixel_shines_in_the_base_colour_and_loses_its_occlusion() {
        let mut scene = packed([(1, &[[255, 51, 0, 255]]), (1, &[FLAT]), (1, &[[204, 253, 0, 127]])]);
        let (pbr, losses) = unpacked(&mut scene);
        assert_close(&pbr.emissive, &[127.0 / 255.0, 0.2 * 127.0 / 255.0, 0.0]);
        let [loss] = losses.losses() else { panic!("{losses:?}") };
        assert_eq!((loss.what, loss.count), (Lost::TextureStrengths, 1));
    }

    #[test]
    fn base_colour_and_normals_are_textures_as_they_are() {
        let (colours, normals) = ([[1, 2, 3, 4], [5, 6, 7, 8]], [FLAT, [3, 4, 5, 6]]);
        let mut scene = packed([(2, &colours), (1, &normals), (1, &[DULL])]);
        let before: Vec<Image> = scene.images.iter().take(2).cloned().collect();
        let (pbr, losses) = unpacked(&mut scene);
        assert!(losses.is_empty(), "{losses:?}");
        assert_eq!(scene.images.iter().cloned().collect::<Vec<_>>(), before, "the third is used no more");
        assert_eq!(pixels(&scene, &pbr.base_colour_texture), (ColourSpace::Linear, [2, 1], colours.to_vec()));
        assert_eq!(pixels(&scene, &pbr.normal_texture), (ColourSpace::Linear, [1, 2], normals.to_vec()));
        assert!(pbr.textures().all(|(_, texture)| texture.wrap == [Wrap::Mirror, Wrap::Clamp]));
        assert_eq!(pbr.base_colour, [1.0; 4]);
    }

    #[test]
    fn the_surface_map_swaps_roughness_and_occlusion() {
        let mut scene = packed([(1, &[[255; 4]]), (1, &[FLAT]), (2, &[[10, 20, 30, 0], [40, 255, 60, 0]])]);
        let (pbr, losses) = unpacked(&mut scene);
        assert!(losses.is_empty(), "{losses:?}");
        let usual = vec![[20, 10, 30, 255], [255, 40, 60, 255]];
        assert_eq!(pixels(&scene, &pbr.metallic_roughness_texture), (ColourSpace::Linear, [2, 1], usual));
        assert_eq!(pbr.occlusion_texture, pbr.metallic_roughness_texture);
        assert_eq!((pbr.roughness, pbr.metallic, scene.images.len()), (1.0, 1.0, 1));
        assert_eq!(pbr.metallic_roughness_texture.unwrap().wrap, [Wrap::Mirror, Wrap::Clamp]);
        assert!(pbr.emissive_texture.is_none());
    }

    #[test]
    fn a_map_without_occlusion_has_no_texture_of_it() {
        let mut scene = packed([(1, &[[255; 4]]), (1, &[FLAT]), (2, &[[10, 254, 30, 0], [40, 255, 60, 0]])]);
        let (pbr, _) = unpacked(&mut scene);
        assert!(pbr.occlusion_texture.is_none() && pbr.metallic_roughness_texture.is_some());
    }

    #[test]
    fn even_emission_is_a_factor_on_the_base_colour_texture() {
        let surface = [[10, 255, 30, 51], [40, 255, 60, 51]];
        let mut scene = packed([(2, &[[200; 4], [100; 4]]), (1, &[FLAT]), (2, &surface)]);
        let (pbr, _) = unpacked(&mut scene);
        assert_close(&pbr.emissive, &[0.2; 3]);
        assert_eq!(pbr.emissive_texture, pbr.base_colour_texture);
        assert!(pbr.emissive_texture.is_some());
    }

    #[test]
    fn uneven_emission_is_base_colour_times_emission_in_srgb() {
        let surface = [[10, 255, 30, 0], [40, 255, 60, 255]];
        let colours = [[255, 255, 255, 255], [255, 55, 0, 9]];
        let mut scene = packed([(2, &colours), (1, &[FLAT]), (2, &surface)]);
        let (pbr, _) = unpacked(&mut scene);
        assert_eq!(pbr.emissive, [1.0; 3]);
        // 55 / 255 of light is 128 in sRGB.
        let shown = vec![[0, 0, 0, 255], [255, 128, 0, 255]];
        assert_eq!(pixels(&scene, &pbr.emissive_texture), (ColourSpace::Srgb, [2, 1], shown));
        let mut plain = packed([(1, &[[255, 51, 0, 255]]), (1, &[FLAT]), (2, &surface)]);
        let (pbr, _) = unpacked(&mut plain);
        assert_close(&pbr.emissive, &[1.0, 0.2, 0.0]);
        let white = vec![[0, 0, 0, 255], [255; 4]];
        assert_eq!(pixels(&plain, &pbr.emissive_texture), (ColourSpace::Srgb, [2, 1], white));
    }

    /// Materials of every pair of these base colours and packed maps.
    fn combined(bases: u8, maps: u8, surface: impl Fn(u8) -> [[u8; 4]; 2]) -> Scene {
        let mut scene = Scene::default();
        let normal = map(&mut scene, [1, 1], &[FLAT]);
        let bases: Vec<_> = (0..bases).map(|base| map(&mut scene, [1, 2], &[[base; 4], [7; 4]])).collect();
        let maps: Vec<_> = (0..maps).map(|it| map(&mut scene, [2, 1], &surface(it))).collect();
        for &base_colour in &bases {
            for &surface in &maps {
                let surface = PackedMaps { base_colour, normal, surface }.into();
                scene.materials.push(Material { surface, ..Material::default() });
            }
        }
        scene
    }

    #[test]
    fn what_is_made_of_the_same_maps_is_made_once() {
        let mut scene = combined(3, 4, |it| [[it, 0, 0, 9], [it, 0, 0, 9]]);
        unpacked(&mut scene);
        assert_eq!(scene.images.len(), 3 + 4, "base colours and the usual maps");
        let mut scene = combined(3, 4, |it| [[it, 0, 0, 9], [it, 0, 0, 8]]);
        let twins: Vec<Material> = scene.materials.iter().cloned().collect();
        twins.into_iter().for_each(|twin| _ = scene.materials.push(twin));
        unpacked(&mut scene);
        assert_eq!(scene.images.len(), 3 + 4 + 3 * 4, "and the light of each pair");
    }

    #[test]
    fn more_pixels_than_are_allowed_are_not_made() {
        // Four maps of two pixels, and twelve pictures of light, as wide as the map and as high as the base colour.
        let uneven = || combined(3, 4, |it| [[it, 0, 0, 9], [it, 0, 0, 8]]);
        let even = || combined(3, 4, |it| [[it, 0, 0, 9], [it, 0, 0, 9]]);
        for (scene, pixels) in [(uneven(), 4 * 2 + 12 * 4), (even(), 4 * 2)] {
            let limits = |pixels| Limits { pixels, ..Limits::DEFAULT };
            let (mut before, mut losses) = (scene.clone(), LossReport::default());
            let excess = unpack_with(&mut before, &limits(pixels - 1), &mut losses).unwrap_err();
            assert_eq!((excess.count, excess.most), (pixels, pixels - 1));
            assert_eq!(before, scene, "nothing is changed");
            let mut after = scene.clone();
            unpack_with(&mut after, &limits(pixels), &mut losses).unwrap();
            let made = after.images.iter().skip(3).map(|image| pictures::size(image).map(u64::from));
            assert_eq!(made.map(|[width, height]| width * height).sum::<u64>(), pixels);
        }
    }

    #[test]
    fn other_materials_and_images_stay_and_their_handles_follow() {
        let mut scene = packed([(1, &[[255; 4]]), (1, &[FLAT]), (1, &[DULL])]);
        let unused = scene.images.push(Image::new("unused", ImageData::External("u.png".into())));
        let brick = scene.images.push(Image::new("brick", ImageData::External("b.png".into())));
        assert_eq!([unused, brick].map(Handle::index), [3, 4]);
        let base_colour_texture = Some(TextureUse::new(brick));
        let separate = Pbr { roughness: 0.3, base_colour_texture, ..Pbr::default() };
        let second = scene.materials.push(Material { surface: separate.into(), ..Material::default() });
        unpacked(&mut scene);
        let names: Vec<&str> = scene.images.iter().map(|image| image.name.as_str()).collect();
        assert_eq!(names, ["unused", "brick"]);
        let pbr = scene.materials.get(second).unwrap().pbr().unwrap();
        assert_eq!((pbr.roughness, pbr.base_colour_texture.as_ref().unwrap().image.index()), (0.3, 1));
    }

    #[test]
    fn maps_that_two_materials_share_are_taken_apart_for_both() {
        let mut scene = packed([(2, &[[9; 4], [8; 4]]), (1, &[FLAT]), (1, &[DULL])]);
        let twin = scene.materials.iter().next().unwrap().clone();
        scene.materials.push(twin);
        unpacked(&mut scene);
        let [first, second] = scene.materials.iter().collect::<Vec<_>>()[..] else { panic!("two materials") };
        assert_eq!(first, second);
        assert_eq!(scene.images.len(), 1);
    }

    #[test]
    fn aem_specimens_have_the_surface_they_are_made_of() {
        for &dialect in aem::Dialect::ALL {
            let bytes = aem::sample(dialect.id()).main;
            let file = aem::File::parse(&bytes).unwrap();
            let mut scene = file.read(&ReadOptions::default(), &mut LossReport::default()).unwrap();
            let (pbr, losses) = unpacked(&mut scene);
            assert!(losses.is_empty(), "{dialect:?}: {losses:?}");
            assert_close(&[pbr.roughness, pbr.metallic], &[230.0 / 255.0, 0.0]);
            let textures: Vec<&str> = pbr.textures().map(|(slot, _)| slot).collect();
            assert_eq!((textures, pbr.emissive), (vec!["base colour"], [0.0; 3]), "{dialect:?}");
            assert_eq!(scene.images.len(), 1);
        }
    }

    #[test]
    fn a_map_that_cannot_be_decoded_is_reported_and_leaves_plain_factors() {
        let mut scene = packed([(1, &[[255; 4]]), (1, &[FLAT]), (1, &[DULL])]);
        let surface = scene.images.iter_mut().nth(2).unwrap();
        *surface = Image::new("gone", ImageData::External("gone.png".into()));
        let (pbr, losses) = unpacked(&mut scene);
        assert_eq!((pbr.metallic, pbr.roughness, pbr.textures().count()), (0.0, 1.0, 0));
        assert!(losses.names(Lost::Textures), "{losses:?}");
    }
}
