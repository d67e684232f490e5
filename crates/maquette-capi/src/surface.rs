//! Materials and images.

use crate::guard::{done, pointer};
use crate::model::MaquetteModel;
use crate::pointers::{borrow, give, handle, nth, put};
use crate::text::{self, index};
use maquette::scene::image::{ColourSpace, ImageData, PixelFormat};
use maquette::scene::material::{AlphaMode, Material, Surface, TextureUse, UvTransform, Wrap};
use std::ffi::c_char;

/// How opacity is drawn.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteAlpha {
    /// Opacity is ignored.
    Opaque = 0,
    /// Drawn where it is at least the cutoff.
    Mask = 1,
    /// Mixed with what is behind.
    Blend = 2,
}

/// How a texture goes on beyond its edge.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteWrap {
    /// Over and over.
    Repeat = 0,
    /// Over and over, every other one mirrored.
    Mirror = 1,
    /// Its edge goes on.
    Clamp = 2,
}

/// A texture of a material.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteTexture {
    /// The image; -1 where the material has no such texture.
    pub image: i32,
    /// Which set of texture coordinates.
    pub uv_set: u32,
    /// Along U and V.
    pub wrap: [MaquetteWrap; 2],
    /// Added to the coordinates, after they were scaled and turned; 0, 0 where they stay as they are.
    pub offset: [f32; 2],
    /// How far they are turned around their origin, counter-clockwise, in radians, as `KHR_texture_transform` of glTF has it.
    pub rotation: f32,
    /// What they are multiplied by first; 1, 1 where they stay as they are.
    pub scale: [f32; 2],
}

/// A material: factors and textures of glTF's metallic-roughness model, or packed maps, in which the factors are multiplied already.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteMaterial {
    /// Its name; may be empty.
    pub name: *const c_char,
    /// Whether it has packed maps: base colour linear, normals in two channels, and `metallic_roughness` as roughness, occlusion, metalness and emission.
    pub is_packed: bool,
    /// How opacity is drawn.
    pub alpha: MaquetteAlpha,
    /// From which opacity on it is drawn, where it is masked.
    pub alpha_cutoff: f32,
    /// Whether back faces are drawn.
    pub double_sided: bool,
    /// Whether it is drawn in its base colour, without any lighting.
    pub unlit: bool,
    /// Linear colour and opacity, times the texture.
    pub base_colour: [f32; 4],
    /// Times blue of the texture.
    pub metallic: f32,
    /// Times green of the texture.
    pub roughness: f32,
    /// Linear colour, times the texture; its strength is multiplied in.
    pub emissive: [f32; 3],
    /// Times X and Y of the normal map.
    pub normal_scale: f32,
    /// How much of the occlusion is applied.
    pub occlusion_strength: f32,
    /// Colour and opacity.
    pub base_colour_texture: MaquetteTexture,
    /// Green is roughness, blue is metalness; or the packed map.
    pub metallic_roughness_texture: MaquetteTexture,
    /// Normals in tangent space, green up.
    pub normal_texture: MaquetteTexture,
    /// Red is occlusion.
    pub occlusion_texture: MaquetteTexture,
    /// Colour in sRGB.
    pub emissive_texture: MaquetteTexture,
}

const NO_TEXTURE: MaquetteTexture = MaquetteTexture {
    image: -1,
    uv_set: 0,
    wrap: [MaquetteWrap::Repeat; 2],
    offset: [0.0; 2],
    rotation: 0.0,
    scale: [1.0; 2],
};

fn texture(used: &Option<TextureUse>) -> MaquetteTexture {
    let Some(used) = used else { return NO_TEXTURE };
    let mut made = MaquetteTexture {
        image: index(Some(used.image.index())),
        uv_set: used.uv_set,
        wrap: wrap(used.wrap),
        ..NO_TEXTURE
    };
    if let Some(UvTransform { offset, rotation, scale }) = used.transform {
        (made.offset, made.rotation, made.scale) = (offset, rotation, scale);
    }
    made
}

fn wrap(wrap: [Wrap; 2]) -> [MaquetteWrap; 2] {
    wrap.map(|wrap| match wrap {
        Wrap::Repeat => MaquetteWrap::Repeat,
        Wrap::Mirror => MaquetteWrap::Mirror,
        Wrap::Clamp => MaquetteWrap::Clamp,
    })
}

fn made(material: &Material, name: *const c_char) -> MaquetteMaterial {
    let (alpha, alpha_cutoff) = match material.alpha {
        AlphaMode::Opaque => (MaquetteAlpha::Opaque, 0.0),
        AlphaMode::Mask(cutoff) => (MaquetteAlpha::Mask, cutoff),
        AlphaMode::Blend => (MaquetteAlpha::Blend, 0.0),
    };
    let mut made = MaquetteMaterial {
        name,
        is_packed: false,
        alpha,
        alpha_cutoff,
        double_sided: material.double_sided,
        unlit: material.unlit,
        base_colour: [1.0; 4],
        metallic: 1.0,
        roughness: 1.0,
        emissive: [0.0; 3],
        normal_scale: 1.0,
        occlusion_strength: 1.0,
        base_colour_texture: NO_TEXTURE,
        metallic_roughness_texture: NO_TEXTURE,
        normal_texture: NO_TEXTURE,
        occlusion_texture: NO_TEXTURE,
        emissive_texture: NO_TEXTURE,
    };
    match &material.surface {
        Surface::Packed(maps) => {
            made.is_packed = true;
            let [base, normal, packed] = maps.textures().map(|(_, map)| MaquetteTexture {
                image: index(Some(map.image.index())),
                wrap: wrap(map.wrap),
                ..NO_TEXTURE
            });
            (made.base_colour_texture, made.normal_texture, made.metallic_roughness_texture) = (base, normal, packed);
        }
        Surface::Pbr(pbr) => {
            made.base_colour = pbr.base_colour;
            (made.metallic, made.roughness) = (pbr.metallic, pbr.roughness);
            made.emissive = pbr.emissive.map(|channel| channel * pbr.emissive_strength);
            (made.normal_scale, made.occlusion_strength) = (pbr.normal_scale, pbr.occlusion_strength);
            made.base_colour_texture = texture(&pbr.base_colour_texture);
            made.metallic_roughness_texture = texture(&pbr.metallic_roughness_texture);
            made.normal_texture = texture(&pbr.normal_texture);
            made.occlusion_texture = texture(&pbr.occlusion_texture);
            made.emissive_texture = texture(&pbr.emissive_texture);
        }
    }
    made
}

/// How many materials there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_material_count(model: *const MaquetteModel) -> usize {
    // SAFETY: what the library's page asks for.
    unsafe { borrow(model) }.map_or(0, |model| model.scene.materials.len())
}

/// Writes a material; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_material(model: *const MaquetteModel, at: usize, out: *mut MaquetteMaterial) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let model = unsafe { handle(model, "the model") }?;
        let material = nth(model.scene.materials.as_slice(), at, "material")?;
        // SAFETY: as above.
        unsafe { give(out, made(material, text::at(&model.material_names, at))) }
    })
}

/// How an image is stored.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquettePixels {
    /// A file such as a PNG, as it is; level 0 is the whole file.
    File = 0,
    /// Four bytes a pixel.
    Rgba8 = 1,
    /// Two bytes a pixel.
    Rg8 = 2,
    /// Blocks of two channels.
    Bc5 = 3,
    /// Blocks of four channels.
    Bc7 = 4,
    /// It is in a file that was not there to be read.
    Missing = 5,
}

/// An image.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteImage {
    /// Its name, or the name of the file that was not there.
    pub name: *const c_char,
    /// How it is stored.
    pub pixels: MaquettePixels,
    /// What kind of file it is: `image/png`; empty for pixels and blocks.
    pub mime: *const c_char,
    /// Whether its colours are sRGB; of files, which say so themselves, always false.
    pub is_srgb: bool,
    /// In pixels; 0 for files.
    pub width: u32,
    /// In pixels; 0 for files.
    pub height: u32,
    /// How many mip levels there are.
    pub level_count: usize,
}

/// What kind of file an image is.
pub(crate) fn kind_of(data: &ImageData) -> &str {
    match data {
        ImageData::Encoded { mime, .. } => mime,
        ImageData::Pixels { .. } | ImageData::External(_) => "",
    }
}

/// How many images there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_image_count(model: *const MaquetteModel) -> usize {
    // SAFETY: what the library's page asks for.
    unsafe { borrow(model) }.map_or(0, |model| model.scene.images.len())
}

/// Writes an image; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_image(model: *const MaquetteModel, at: usize, out: *mut MaquetteImage) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let model = unsafe { handle(model, "the model") }?;
        let image = nth(model.scene.images.as_slice(), at, "image")?;
        let (pixels, is_srgb, width, height, level_count) = match &*image.data {
            ImageData::Encoded { .. } => (MaquettePixels::File, false, 0, 0, 1),
            ImageData::External(_) => (MaquettePixels::Missing, false, 0, 0, 0),
            ImageData::Pixels { format, colour_space, width, height, levels } => {
                let format = match format {
                    PixelFormat::Rgba8 => MaquettePixels::Rgba8,
                    PixelFormat::Rg8 => MaquettePixels::Rg8,
                    PixelFormat::Bc5 => MaquettePixels::Bc5,
                    PixelFormat::Bc7 => MaquettePixels::Bc7,
                };
                (format, *colour_space == ColourSpace::Srgb, *width, *height, levels.len())
            }
        };
        let (name, mime) = (text::at(&model.image_names, at), text::at(&model.image_kinds, at));
        // SAFETY: as above.
        unsafe { give(out, MaquetteImage { name, pixels, mime, is_srgb, width, height, level_count }) }
    })
}

/// The bytes of a mip level of an image, rows without padding, and how many they are; null beyond the last. `size` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_image_level(
    model: *const MaquetteModel,
    image: usize,
    level: usize,
    size: *mut usize,
) -> *const u8 {
    pointer(|| {
        // SAFETY: as above.
        unsafe { put(size, 0) };
        // SAFETY: what the library's page asks for.
        let model = unsafe { handle(model, "the model") }?;
        let image = nth(model.scene.images.as_slice(), image, "image")?;
        let bytes: &[u8] = match &*image.data {
            ImageData::Encoded { bytes, .. } => nth(&[bytes], level, "level of the image")?,
            ImageData::Pixels { levels, .. } => nth(levels, level, "level of the image")?,
            ImageData::External(_) => nth::<&[u8]>(&[], level, "level of an image that is missing")?,
        };
        // SAFETY: as above.
        unsafe { put(size, bytes.len()) };
        Ok(bytes.as_ptr())
    })
}
