//! AEM's packed textures to and from the scene's materials.
//!
//! A material has three textures: linear base colour with opacity, normals in two channels, and roughness, occlusion, metalness and
//! emission packed in four. Base colour and normals become images as they are. The packed map becomes the usual map of occlusion,
//! roughness and metalness by swapping its first two channels, or plain factors where it is one pixel. The untouched originals
//! are remembered, so that writing AEM again gives them back.

use super::check::{MATERIAL_TEXTURE, MESH_MATERIAL, MIP_CHAIN_OVERRUN, TEXTURE_COMPRESSION};
use super::mips;
use super::raw::{Dialect, File, Material as Record, Texture};
use crate::format::{Result, refuse};
use maquette_scene::diag::Diagnostic;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::material::{AlphaMode, Material, TextureUse, Wrap};
use maquette_scene::{Handle, Scene, path};
use maquette_texture::blocks;
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

/// Extras that name the originals of a material's textures.
const ORIGINALS: [&str; 3] = ["base_color_image", "normal_image", "pbr_image"];

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
    let mut uses = Vec::new();
    for (field, texture) in fields {
        let found = images.get(texture.get() as usize).zip(file.textures.get(texture.get() as usize));
        let Some((&image, texture)) = found else {
            let at = path!("materials", index, field);
            return Err(refuse(file, Diagnostic::new(&MATERIAL_TEXTURE, at, format!("the texture is {texture}"))));
        };
        uses.push(TextureUse { wrap: [texture.wrap_x, texture.wrap_y].map(wrap), ..TextureUse::new(image) });
    }
    let [base, normal, packed] = uses.as_slice() else { return Ok(Material::default()) };
    let mut material = Material { metallic: 0.0, ..Material::default() };
    for (key, used) in ORIGINALS.iter().zip([base, normal, packed]) {
        material.extras.set("aem", key, used.image.index().to_string());
    }
    material.alpha = if record.kind.get() == 1 { AlphaMode::Blend } else { AlphaMode::Opaque };
    match one_pixel(scene, base.image) {
        Some(colour) => material.base_colour = colour.map(|channel| f32::from(channel) / 255.0),
        None => material.base_colour_texture = Some(base.clone()),
    }
    if one_pixel(scene, normal.image).is_none() {
        material.normal_texture = Some(normal.clone());
    }
    let subject = format!("material {index}");
    unpack(&mut material, packed, scene, &subject, losses);
    Ok(material)
}

fn wrap(mode: u32) -> Wrap {
    match mode {
        1 => Wrap::Mirror,
        2 => Wrap::Clamp,
        _ => Wrap::Repeat,
    }
}

/// Roughness, occlusion, metalness and emission from the packed map.
fn unpack(material: &mut Material, packed: &TextureUse, scene: &mut Scene, subject: &str, losses: &mut LossReport) {
    if let Some([roughness, occlusion, metalness, emission]) = one_pixel(scene, packed.image) {
        material.roughness = f32::from(roughness) / 255.0;
        material.metallic = f32::from(metalness) / 255.0;
        let [r, g, b, _] = material.base_colour;
        let emission = f32::from(emission) / 255.0;
        material.emissive = [r * emission, g * emission, b * emission];
        // 254 is as near to none as a block of one colour may come.
        let occluded = u64::from(occlusion < 254);
        losses.dropped(
            Lost::TextureStrengths,
            subject,
            "a constant occlusion has no place without a texture",
            occluded,
        );
        return;
    }
    let Some((width, height, pixels)) = first_level(scene, packed.image) else { return };
    let mut swapped = pixels.clone();
    for pixel in &mut swapped {
        let [roughness, occlusion, metalness, _] = *pixel;
        *pixel = [occlusion, roughness, metalness, 255];
    }
    let mut add = |name: &str, pixels: Vec<[u8; 4]>| {
        let data = ImageData::Pixels {
            format: PixelFormat::Rgba8,
            colour_space: ColourSpace::Linear,
            width,
            height,
            levels: vec![pixels.into_flattened()],
        };
        let image = scene.images.push(Image { name: format!("{subject} {name}"), data });
        Some(TextureUse { image, ..packed.clone() })
    };
    let shared = add("occlusion, roughness and metalness", swapped);
    (material.roughness, material.metallic) = (1.0, 1.0);
    material.occlusion_texture.clone_from(&shared);
    material.metallic_roughness_texture = shared;
    if pixels.iter().any(|[.., emission]| *emission != 0) {
        let grey = pixels.iter().map(|&[.., e]| [e, e, e, 255]).collect();
        material.emissive_texture = add("emission", grey);
        material.emissive = [1.0; 3];
        let detail = "the format means base colour × emission; the emission is kept without its colour";
        losses.push(LossKind::Approximated { max_error: 1.0 }, Lost::Emission, subject, detail, 1);
    }
}

/// The colour of an image of one pixel.
fn one_pixel(scene: &Scene, image: Handle<Image>) -> Option<[u8; 4]> {
    let (1, 1, pixels) = first_level(scene, image)? else { return None };
    pixels.first().copied()
}

/// The largest level as RGBA.
fn first_level(scene: &Scene, image: Handle<Image>) -> Option<(u32, u32, Vec<[u8; 4]>)> {
    let ImageData::Pixels { format, width, height, levels, .. } = &scene.images.get(image)?.data else { return None };
    let level = levels.first()?;
    Some((*width, *height, decode(*format, *width as usize, *height as usize, level)?))
}

/// A level as bytes of four channels.
fn rgba(format: PixelFormat, width: usize, height: usize, level: &[u8]) -> Vec<u8> {
    decode(format, width, height, level).unwrap_or_default().into_flattened()
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

/// The textures of a file being written, each once.
#[derive(Default)]
pub struct Packed {
    /// The records.
    pub textures: Vec<Texture>,
    /// Their mip chains.
    pub buffer: Vec<u8>,
    known: HashMap<Source, u32>,
}

/// Where a texture comes from.
#[derive(PartialEq, Eq, Hash)]
enum Source {
    Image(usize, [u32; 2]),
    Colour([u8; 4], [u32; 2]),
}

/// The three textures and the type of a material.
pub fn write(
    scene: &Scene,
    material: &Material,
    dialect: Dialect,
    packed: &mut Packed,
    subject: &str,
    losses: &mut LossReport,
) -> Record {
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
    let emission = material.emissive.iter().fold(0.0f32, |most, &x| most.max(x)) * material.emissive_strength;
    let colours = [
        material.base_colour.map(byte),
        [128, 128, 255, 255],
        [byte(material.roughness), 255, byte(material.metallic), byte(emission)],
    ];
    let mut indices = [0; 3];
    for ((index, key), colour) in indices.iter_mut().zip(ORIGINALS).zip(colours) {
        let wraps = material.textures().next().map_or([0; 2], |(_, used)| used.wrap.map(wrap_mode));
        let original = material.extras.get("aem", key).and_then(|text| text.parse().ok()).map(Handle::from_index);
        let original = original
            .filter(|&image| matches!(scene.images.get(image).map(|i| &i.data), Some(ImageData::Pixels { .. })));
        *index = match original {
            Some(image) => packed.image(scene, image, wraps, dialect, losses),
            None => packed.colour(colour, wraps),
        };
    }
    report_material(material, subject, losses);
    let [base, normal, pbr] = indices;
    Record {
        base_color_texture_index: base.into(),
        normal_texture_index: normal.into(),
        pbr_texture_index: pbr.into(),
        kind: u32::from(material.alpha != AlphaMode::Opaque).into(),
    }
}

/// Names what of a material has no place.
fn report_material(material: &Material, subject: &str, losses: &mut LossReport) {
    let [base, ..] = ORIGINALS;
    let from_aem = material.extras.get("aem", base).is_some();
    if !from_aem {
        let names: Vec<&str> = material.textures().map(|(name, _)| name).collect();
        let detail =
            format!("{}: packing textures does not work yet; factors are written as one pixel", names.join(", "));
        losses.dropped(Lost::Textures, subject, detail, names.len() as u64);
        let coloured = material.emissive.iter().any(|&x| x != 0.0);
        losses.dropped(Lost::Emission, subject, "only a brightness is held", u64::from(coloured));
    }
    losses.dropped(Lost::MaterialNames, subject, format!("{:?}", material.name), u64::from(!material.name.is_empty()));
    losses.dropped(Lost::DoubleSidedness, subject, "", u64::from(material.double_sided));
    losses.dropped(Lost::UnlitSurfaces, subject, "", u64::from(material.unlit));
    if let AlphaMode::Mask(cutoff) = material.alpha {
        let detail = format!("a cut-out at {cutoff} becomes transparency");
        losses.push(LossKind::Baked, Lost::AlphaModes, subject, detail, 1);
    }
}

fn wrap_mode(wrap: Wrap) -> u32 {
    match wrap {
        Wrap::Repeat => 0,
        Wrap::Mirror => 1,
        Wrap::Clamp => 2,
    }
}

impl Packed {
    fn add(&mut self, source: Source, texture: Texture, levels: &[Vec<u8>]) -> u32 {
        let index = self.textures.len() as u32;
        self.textures.push(Texture { offset: self.buffer.len() as u64, ..texture });
        levels.iter().for_each(|level| self.buffer.extend_from_slice(level));
        self.known.insert(source, index);
        index
    }

    /// One pixel of a colour.
    fn colour(&mut self, colour: [u8; 4], [wrap_x, wrap_y]: [u32; 2]) -> u32 {
        let source = Source::Colour(colour, [wrap_x, wrap_y]);
        if let Some(&known) = self.known.get(&source) {
            return known;
        }
        let texture =
            Texture { offset: 0, width: 1, height: 1, wrap_x, wrap_y, channels: 4, compression: 0, padding: 0 };
        self.add(source, texture, &[colour.to_vec()])
    }

    /// An image with all its levels, as it is wherever the dialect can hold it so.
    fn image(
        &mut self,
        scene: &Scene,
        image: Handle<Image>,
        [wrap_x, wrap_y]: [u32; 2],
        dialect: Dialect,
        losses: &mut LossReport,
    ) -> u32 {
        let source = Source::Image(image.index(), [wrap_x, wrap_y]);
        if let Some(&known) = self.known.get(&source) {
            return known;
        }
        let Some(ImageData::Pixels { format, width, height, levels, .. }) =
            scene.images.get(image).map(|image| &image.data)
        else {
            return 0;
        };
        let stores_channels = matches!(dialect, Dialect::Channels | Dialect::Wide);
        let (mut format, mut levels) = (*format, Cow::Borrowed(levels));
        let blocks = matches!(format, PixelFormat::Bc5 | PixelFormat::Bc7);
        if (blocks && dialect == Dialect::WideEarly) || (format == PixelFormat::Rg8 && !stores_channels) {
            let sizes = (0..).map(|level| [*width, *height].map(|size| (size >> level).max(1) as usize));
            levels = Cow::Owned(levels.iter().zip(sizes).map(|(level, [w, h])| rgba(format, w, h, level)).collect());
            format = PixelFormat::Rgba8;
            let subject = format!("texture {}", self.textures.len());
            losses.push(LossKind::Baked, Lost::Pixels, subject, "this dialect holds four bytes a pixel only", 1);
        }
        let (compression, channels) = match format {
            PixelFormat::Rgba8 => (0, 4),
            PixelFormat::Rg8 => (0, 2),
            PixelFormat::Bc5 => (1, 2),
            PixelFormat::Bc7 => (2, 4),
        };
        let texture =
            Texture { offset: 0, width: *width, height: *height, wrap_x, wrap_y, channels, compression, padding: 0 };
        self.add(source, texture, &levels)
    }
}
