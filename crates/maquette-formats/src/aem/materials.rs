//! AEM's textures and materials, to and from packed maps of the scene.
//!
//! A material has three textures: linear base colour with opacity, normals in two channels, and roughness, occlusion, metalness and
//! emission packed in four. They are the packed maps of the scene's material, untouched level for level, and what is written again.

use super::check::{MATERIAL_TEXTURE, MESH_MATERIAL, MIP_CHAIN_OVERRUN, TEXTURE_CHANNELS, TEXTURE_COMPRESSION};
use super::mips;
use super::raw::{File, Material as Record, Texture};
use crate::format::{Error, Result, Source, refuse};
use maquette_scene::diag::Diagnostic;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::material::{AlphaMode, Material, PackedMaps, PackedTexture, Wrap};
use maquette_scene::{Bytes, Handle, Scene, path};
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
pub fn read(file: &File<'_>, source: &Source<'_>, scene: &mut Scene) -> Result<Surfaces> {
    for (index, mesh) in file.meshes.iter().enumerate() {
        if mesh.material_index.get() as usize >= file.materials.len() {
            let at = path!("meshes", index, "material_index");
            return Err(refuse(
                file,
                Diagnostic::new(&MESH_MATERIAL, at, format!("the material is {}", mesh.material_index)),
            ));
        }
    }
    let images = read_images(file, source, scene)?;
    let mut surfaces = Vec::with_capacity(file.materials.len());
    for (index, record) in file.materials.iter().enumerate() {
        let material = read_material(file, index, record, &images)?;
        surfaces.push(scene.materials.push(material));
    }
    Ok(Surfaces(surfaces))
}

fn read_images(file: &File<'_>, source: &Source<'_>, scene: &mut Scene) -> Result<Vec<Handle<Image>>> {
    let mut images = Vec::with_capacity(file.textures.len());
    for (index, (texture, chain)) in file.textures.iter().zip(mips::chains(file)).enumerate() {
        let Some(chain) = chain else {
            let at = path!("textures", index, "compression");
            let finding =
                Diagnostic::new(&TEXTURE_COMPRESSION, at, format!("the compression is {}", texture.compression));
            return Err(refuse(file, finding));
        };
        let levels = levels(file, texture, chain.channels, source);
        let Some(levels) = levels.filter(|levels| !levels.is_empty()) else {
            let at = path!("textures", index, "offset");
            let finding = Diagnostic::new(&MIP_CHAIN_OVERRUN, at, "the levels do not lie in the image buffer");
            return Err(refuse(file, finding));
        };
        let format = match (texture.compression, chain.channels) {
            (1, _) => PixelFormat::Bc5,
            (2, _) => PixelFormat::Bc7,
            (_, 2) => PixelFormat::Rg8,
            (_, 4) => PixelFormat::Rgba8,
            (_, channels) => {
                let at = path!("textures", index, "channels");
                return Err(refuse(file, Diagnostic::new(&TEXTURE_CHANNELS, at, format!("there are {channels}"))));
            }
        };
        let (width, height) = (texture.width, texture.height);
        let data = ImageData::Pixels { format, colour_space: ColourSpace::Linear, width, height, levels };
        images.push(scene.images.push(Image::new(format!("texture {index}"), data)));
    }
    Ok(images)
}

fn levels(file: &File<'_>, texture: &Texture, channels: u32, source: &Source<'_>) -> Option<Vec<Bytes>> {
    let mut from = usize::try_from(texture.offset).ok()?;
    let mut levels = Vec::new();
    for level in 0..mips::level_count(texture.width, texture.height) {
        let bytes = usize::try_from(mips::level_bytes(texture, channels, level)?).ok()?;
        levels.push(source.share(file.image_buffer.get(from..from.checked_add(bytes)?)?));
        from += bytes;
    }
    Some(levels)
}

fn read_material(file: &File<'_>, index: usize, record: &Record, images: &[Handle<Image>]) -> Result<Material> {
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
    Ok(Material {
        surface: PackedMaps { base_colour, normal, surface }.into(),
        alpha: if record.kind.get() == 1 { AlphaMode::Blend } else { AlphaMode::Opaque },
        ..Material::default()
    })
}

fn wrap(mode: u32) -> Wrap {
    match mode {
        1 => Wrap::Mirror,
        2 => Wrap::Clamp,
        _ => Wrap::Repeat,
    }
}

/// The textures of a file being written, each once.
#[derive(Default)]
pub struct Textures<'s> {
    /// One for each texture, in the order of the file.
    pub records: Vec<Texture>,
    /// The mip levels of all records, one after another, where they are in the scene.
    pub levels: Vec<&'s [u8]>,
    /// How many bytes those are.
    pub bytes: u64,
    known: HashMap<(Handle<Image>, [u32; 2]), u32>,
}

/// The three textures and the type of a material.
pub fn write<'s>(
    scene: &'s Scene,
    material: &Material,
    textures: &mut Textures<'s>,
    subject: &str,
    losses: &mut LossReport,
) -> Result<Record> {
    let Some(packed) = material.packed() else {
        return Err(Error::CannotHold(format!("the textures of {subject} are not packed")));
    };
    losses.dropped(Lost::MaterialNames, subject, format!("{:?}", material.name), u64::from(!material.name.is_empty()));
    losses.dropped(Lost::DoubleSidedness, subject, "", u64::from(material.double_sided));
    losses.dropped(Lost::UnlitSurfaces, subject, "", u64::from(material.unlit));
    Ok(Record {
        base_color_texture_index: textures.texture(scene, packed.base_colour)?.into(),
        normal_texture_index: textures.texture(scene, packed.normal)?.into(),
        pbr_texture_index: textures.texture(scene, packed.surface)?.into(),
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

impl<'s> Textures<'s> {
    /// The index of a texture with all its levels.
    fn texture(&mut self, scene: &'s Scene, texture: PackedTexture) -> Result<u32> {
        let wraps = texture.wrap.map(wrap_mode);
        if let Some(&known) = self.known.get(&(texture.image, wraps)) {
            return Ok(known);
        }
        let image = scene.images.get(texture.image);
        let Some(ImageData::Pixels { format, width, height, levels, .. }) = image.map(|image| &*image.data) else {
            return Err(Error::CannotHold("a packed texture is no pixels".into()));
        };
        let (compression, channels) = match *format {
            PixelFormat::Rgba8 => (0, 4),
            PixelFormat::Rg8 => (0, 2),
            PixelFormat::Bc5 => (1, 2),
            PixelFormat::Bc7 => (2, 4),
        };
        let (index, offset, [wrap_x, wrap_y]) = (self.records.len() as u32, self.bytes, wraps);
        let (width, height) = (*width, *height);
        self.records.push(Texture { offset, width, height, wrap_x, wrap_y, channels, compression, padding: 0 });
        for level in levels {
            self.levels.push(level);
            self.bytes += level.len() as u64;
        }
        self.known.insert((texture.image, wraps), index);
        Ok(index)
    }
}
