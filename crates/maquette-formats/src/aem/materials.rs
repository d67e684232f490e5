//! AEM's packed textures to and from the scene's materials.
//!
//! A material has three textures: linear base colour with opacity, normals in two channels, and roughness, occlusion, metalness and
//! emission packed in four. They are the packed textures of the scene's material, untouched, and what is written again. Read, they are also taken
//! apart: base colour and normals become textures as they are, the packed map becomes the usual map of occlusion, roughness and
//! metalness by swapping its first two channels, or plain factors where it is one pixel, and emission becomes base colour × emission.

use super::check::{MATERIAL_TEXTURE, MESH_MATERIAL, MIP_CHAIN_OVERRUN, TEXTURE_COMPRESSION};
use super::mips;
use super::raw::{Dialect, File, Material as Record, Texture};
use crate::format::{Error, Result, refuse};
use maquette_scene::diag::Diagnostic;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::material::{AlphaMode, Material, Packed, PackedTexture, TextureUse, Wrap};
use maquette_scene::{Handle, Scene, path};
use maquette_texture::resize::{Edge, Enlarged, data_table};
use maquette_texture::{Picture, blocks, colour, normal};
use std::borrow::Cow;
use std::collections::HashMap;

/// The materials of a file, by their index in it.
pub struct Surfaces(Vec<Handle<Material>>);

impl Surfaces {
    /// The material of this index.
    pub fn get(&self, index: u32) -> Option<Handle<Material>> {
        self.0.get(index as usize).copied()
    }
}

/// Reads all textures and materials.
pub fn read(file: &File<'_>, scene: &mut Scene, losses: &mut LossReport) -> Result<Surfaces> {
    for (index, mesh) in file.meshes.iter().enumerate() {
        if mesh.material_index.get() as usize >= file.materials.len() {
            let at = path!("meshes", index, "material_index");
            return Err(refuse(
                file,
                Diagnostic::new(&MESH_MATERIAL, at, format!("the material is {}", mesh.material_index)),
            ));
        }
    }
    let images = read_images(file, scene)?;
    let mut surfaces = Vec::with_capacity(file.materials.len());
    for (index, record) in file.materials.iter().enumerate() {
        let material = read_material(file, index, record, &images, scene, losses)?;
        surfaces.push(scene.materials.push(material));
    }
    Ok(Surfaces(surfaces))
}

fn read_images(file: &File<'_>, scene: &mut Scene) -> Result<Vec<Handle<Image>>> {
    let mut images = Vec::with_capacity(file.textures.len());
    for (index, (texture, chain)) in file.textures.iter().zip(mips::chains(file)).enumerate() {
        let Some(chain) = chain else {
            let at = path!("textures", index, "compression");
            let finding =
                Diagnostic::new(&TEXTURE_COMPRESSION, at, format!("the compression is {}", texture.compression));
            return Err(refuse(file, finding));
        };
        let levels = levels(file, texture, chain.channels);
        let Some(levels) = levels.filter(|levels| !levels.is_empty()) else {
            let at = path!("textures", index, "offset");
            let finding = Diagnostic::new(&MIP_CHAIN_OVERRUN, at, "the levels do not lie in the image buffer");
            return Err(refuse(file, finding));
        };
        let format = match (texture.compression, chain.channels) {
            (1, _) => PixelFormat::Bc5,
            (2, _) => PixelFormat::Bc7,
            (_, 2) => PixelFormat::Rg8,
            _ => PixelFormat::Rgba8,
        };
        let (width, height) = (texture.width, texture.height);
        let data = ImageData::Pixels { format, colour_space: ColourSpace::Linear, width, height, levels };
        images.push(scene.images.push(Image { name: format!("texture {index}"), data }));
    }
    Ok(images)
}

fn levels(file: &File<'_>, texture: &Texture, channels: u32) -> Option<Vec<Vec<u8>>> {
    let mut from = usize::try_from(texture.offset).ok()?;
    let mut levels = Vec::new();
    for level in 0..mips::level_count(texture.width, texture.height) {
        let bytes = usize::try_from(mips::level_bytes(texture, channels, level)?).ok()?;
        levels.push(file.image_buffer.get(from..from.checked_add(bytes)?)?.to_vec());
        from += bytes;
    }
    Some(levels)
}

fn read_material(
    file: &File<'_>,
    index: usize,
    record: &Record,
    images: &[Handle<Image>],
    scene: &mut Scene,
    losses: &mut LossReport,
) -> Result<Material> {
    let fields = [
        ("base_color_texture_index", record.base_color_texture_index),
        ("normal_texture_index", record.normal_texture_index),
        ("pbr_texture_index", record.pbr_texture_index),
    ];
    let mut textures = Vec::new();
    for (field, texture) in fields {
        let found = images.get(texture.get() as usize).zip(file.textures.get(texture.get() as usize));
        let Some((&image, texture)) = found else {
            let at = path!("materials", index, field);
            return Err(refuse(file, Diagnostic::new(&MATERIAL_TEXTURE, at, format!("the texture is {texture}"))));
        };
        textures.push(PackedTexture { image, wrap: [texture.wrap_x, texture.wrap_y].map(wrap) });
    }
    let &[base_colour, normal, surface] = textures.as_slice() else { return Ok(Material::default()) };
    let mut material = Material {
        metallic: 0.0,
        alpha: if record.kind.get() == 1 { AlphaMode::Blend } else { AlphaMode::Opaque },
        packed: Some(Packed { base_colour, normal, surface }),
        ..Material::default()
    };
    match one_pixel(scene, base_colour.image) {
        Some(colour) => material.base_colour = colour.map(|channel| f32::from(channel) / 255.0),
        None => material.base_colour_texture = Some(used(base_colour)),
    }
    if one_pixel(scene, normal.image).is_none() {
        material.normal_texture = Some(used(normal));
    }
    let subject = format!("material {index}");
    unpack(&mut material, &used(surface), scene, &subject, losses);
    Ok(material)
}

/// A packed texture as a texture like any other.
fn used(texture: PackedTexture) -> TextureUse {
    TextureUse { wrap: texture.wrap, ..TextureUse::new(texture.image) }
}

fn wrap(mode: u32) -> Wrap {
    match mode {
        1 => Wrap::Mirror,
        2 => Wrap::Clamp,
        _ => Wrap::Repeat,
    }
}

/// The least occlusion that is any: 254 is as near to none as a block of one colour may come.
const OCCLUDED_BELOW: u8 = 254;

/// Roughness, occlusion, metalness and emission from the packed map.
fn unpack(material: &mut Material, packed: &TextureUse, scene: &mut Scene, subject: &str, losses: &mut LossReport) {
    let Some(map) = first_level(scene, packed.image) else { return };
    if let ([[roughness, occlusion, metalness, emission]], 1) = (map.pixels(), map.width()) {
        material.roughness = f32::from(*roughness) / 255.0;
        material.metallic = f32::from(*metalness) / 255.0;
        shine_evenly(material, f32::from(*emission) / 255.0);
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
    (material.roughness, material.metallic) = (1.0, 1.0);
    if map.pixels().iter().any(|&[_, occlusion, ..]| occlusion < OCCLUDED_BELOW) {
        material.occlusion_texture = Some(shared.clone());
    }
    material.metallic_roughness_texture = Some(shared);
    let first = map.pixels().first().map_or(0, |&[.., emission]| emission);
    if map.pixels().iter().all(|&[.., emission]| emission == first) {
        shine_evenly(material, f32::from(first) / 255.0);
    } else {
        shine(material, packed, &map, scene, subject);
    }
}

/// The same part of the base colour everywhere.
fn shine_evenly(material: &mut Material, emission: f32) {
    if emission > 0.0 {
        let [r, g, b, _] = material.base_colour;
        material.emissive = [r, g, b].map(|channel| channel * emission);
        material.emissive_texture.clone_from(&material.base_colour_texture);
    }
}

/// Base colour × emission as a picture.
fn shine(material: &mut Material, packed: &TextureUse, map: &Picture, scene: &mut Scene, subject: &str) {
    let [r, g, b, _] = material.base_colour;
    material.emissive = [r, g, b];
    let base_texture = material.base_colour_texture.as_ref();
    let base = base_texture.and_then(|texture| Some((first_level(scene, texture.image)?, texture.wrap)));
    let white = (Picture::of_one([255; 4]), [Wrap::Repeat; 2]);
    let (base, wrap) = base.as_ref().unwrap_or(&white);
    let size = [map.width().max(base.width()), map.height().max(base.height())];
    let meaning = [data_table(); 4];
    let base = Enlarged::new(base, size, edges(*wrap), meaning);
    let map = Enlarged::new(map, size, edges(packed.wrap), meaning);
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
    material.emissive_texture = Some(TextureUse { image, ..packed.clone() });
}

fn edges(wrap: [Wrap; 2]) -> [Edge; 2] {
    wrap.map(|wrap| match wrap {
        Wrap::Repeat => Edge::Repeat,
        Wrap::Mirror => Edge::Mirror,
        Wrap::Clamp => Edge::Clamp,
    })
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
    scene.images.push(Image { name, data })
}

/// The colour of an image of one pixel.
fn one_pixel(scene: &Scene, image: Handle<Image>) -> Option<[u8; 4]> {
    let ImageData::Pixels { width: 1, height: 1, .. } = &scene.images.get(image)?.data else { return None };
    first_level(scene, image)?.pixels().first().copied()
}

/// The largest level as RGBA.
fn first_level(scene: &Scene, image: Handle<Image>) -> Option<Picture> {
    let ImageData::Pixels { format, width, height, levels, .. } = &scene.images.get(image)?.data else { return None };
    let pixels = decode(*format, *width as usize, *height as usize, levels.first()?)?;
    Picture::new(*width, *height, pixels)
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

/// A level as bytes of four channels; normals of two get their third.
fn rgba(format: PixelFormat, width: usize, height: usize, level: &[u8]) -> Vec<u8> {
    let mut pixels = decode(format, width, height, level).unwrap_or_default();
    if matches!(format, PixelFormat::Bc5 | PixelFormat::Rg8) {
        normal::rebuild_z(&mut pixels);
    }
    pixels.into_flattened()
}

/// The textures of a file being written, each once.
#[derive(Default)]
pub struct Textures {
    /// The records.
    pub records: Vec<Texture>,
    /// Their mip chains.
    pub buffer: Vec<u8>,
    known: HashMap<(Handle<Image>, [u32; 2]), u32>,
}

/// The three textures and the type of a material.
pub fn write(
    scene: &Scene,
    material: &Material,
    dialect: Dialect,
    textures: &mut Textures,
    subject: &str,
    losses: &mut LossReport,
) -> Result<Record> {
    let Some(packed) = &material.packed else {
        return Err(Error::CannotHold(format!("the textures of {subject} are not packed")));
    };
    losses.dropped(Lost::MaterialNames, subject, format!("{:?}", material.name), u64::from(!material.name.is_empty()));
    losses.dropped(Lost::DoubleSidedness, subject, "", u64::from(material.double_sided));
    losses.dropped(Lost::UnlitSurfaces, subject, "", u64::from(material.unlit));
    Ok(Record {
        base_color_texture_index: textures.texture(scene, packed.base_colour, dialect, losses)?.into(),
        normal_texture_index: textures.texture(scene, packed.normal, dialect, losses)?.into(),
        pbr_texture_index: textures.texture(scene, packed.surface, dialect, losses)?.into(),
        kind: u32::from(material.alpha != AlphaMode::Opaque).into(),
    })
}

fn wrap_mode(wrap: Wrap) -> u32 {
    match wrap {
        Wrap::Repeat => 0,
        Wrap::Mirror => 1,
        Wrap::Clamp => 2,
    }
}

impl Textures {
    /// The index of a texture with all its levels, which are as they are wherever the dialect can hold them so.
    fn texture(
        &mut self,
        scene: &Scene,
        texture: PackedTexture,
        dialect: Dialect,
        losses: &mut LossReport,
    ) -> Result<u32> {
        let wraps = texture.wrap.map(wrap_mode);
        if let Some(&known) = self.known.get(&(texture.image, wraps)) {
            return Ok(known);
        }
        let image = scene.images.get(texture.image);
        let Some(ImageData::Pixels { format, width, height, levels, .. }) = image.map(|image| &image.data) else {
            return Err(Error::CannotHold("a packed texture is no pixels".into()));
        };
        let stores_channels = matches!(dialect, Dialect::Channels | Dialect::Wide);
        let (mut format, mut levels) = (*format, Cow::Borrowed(levels));
        let blocks = matches!(format, PixelFormat::Bc5 | PixelFormat::Bc7) && dialect == Dialect::WideEarly;
        if blocks || (format == PixelFormat::Rg8 && !stores_channels) {
            let sizes = (0..).map(|level| [*width, *height].map(|size| (size >> level).max(1) as usize));
            levels = Cow::Owned(levels.iter().zip(sizes).map(|(level, [w, h])| rgba(format, w, h, level)).collect());
            format = PixelFormat::Rgba8;
            let (subject, detail) = (format!("texture {}", self.records.len()), "this dialect holds no blocks");
            losses.push(LossKind::Baked, Lost::Pixels, subject, detail, u64::from(blocks));
        }
        let (compression, channels) = match format {
            PixelFormat::Rgba8 => (0, 4),
            PixelFormat::Rg8 => (0, 2),
            PixelFormat::Bc5 => (1, 2),
            PixelFormat::Bc7 => (2, 4),
        };
        let (index, offset, [wrap_x, wrap_y]) = (self.records.len() as u32, self.buffer.len() as u64, wraps);
        let (width, height) = (*width, *height);
        self.records.push(Texture { offset, width, height, wrap_x, wrap_y, channels, compression, padding: 0 });
        levels.iter().for_each(|level| self.buffer.extend_from_slice(level));
        self.known.insert((texture.image, wraps), index);
        Ok(index)
    }
}
