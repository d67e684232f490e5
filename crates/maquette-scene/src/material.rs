//! Surfaces: glTF's metallic-roughness model.

use crate::arena::Handle;
use crate::extras::Extras;
use crate::image::Image;

/// A surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Linear colour and opacity, times the texture.
    pub base_colour: [f32; 4],
    /// From 0 to 1, times blue of the texture.
    pub metallic: f32,
    /// From 0 to 1, times green of the texture.
    pub roughness: f32,
    /// Linear colour, times the texture.
    pub emissive: [f32; 3],
    /// Times the emissive colour.
    pub emissive_strength: f32,
    /// Times X and Y of the normal map.
    pub normal_scale: f32,
    /// How much of the occlusion is applied, from 0 to 1.
    pub occlusion_strength: f32,
    /// What opacity means.
    pub alpha: AlphaMode,
    /// Whether its back is drawn.
    pub double_sided: bool,
    /// Whether light leaves it alone.
    pub unlit: bool,
    /// Colour in sRGB, and opacity.
    pub base_colour_texture: Option<TextureUse>,
    /// Green is roughness, blue is metalness.
    pub metallic_roughness_texture: Option<TextureUse>,
    /// Normals in tangent space, green up.
    pub normal_texture: Option<TextureUse>,
    /// Red is occlusion.
    pub occlusion_texture: Option<TextureUse>,
    /// Colour in sRGB.
    pub emissive_texture: Option<TextureUse>,
    /// The same textures once more, as engines take them that mix channels. Formats of that kind read and write these alone.
    pub packed: Option<Packed>,
    /// What only the format it came from understands.
    pub extras: Extras,
}

impl Default for Material {
    fn default() -> Self {
        Material {
            name: String::new(),
            base_colour: [1.0; 4],
            metallic: 1.0,
            roughness: 1.0,
            emissive: [0.0; 3],
            emissive_strength: 1.0,
            normal_scale: 1.0,
            occlusion_strength: 1.0,
            alpha: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
            base_colour_texture: None,
            metallic_roughness_texture: None,
            normal_texture: None,
            occlusion_texture: None,
            emissive_texture: None,
            packed: None,
            extras: Extras::default(),
        }
    }
}

impl Material {
    /// The places for textures, in the order of [`Material::textures`].
    pub fn texture_slots(&mut self) -> [&mut Option<TextureUse>; 5] {
        [
            &mut self.base_colour_texture,
            &mut self.metallic_roughness_texture,
            &mut self.normal_texture,
            &mut self.occlusion_texture,
            &mut self.emissive_texture,
        ]
    }

    /// The textures it uses, each with its name.
    pub fn textures(&self) -> impl Iterator<Item = (&'static str, &TextureUse)> {
        let slots = [
            ("base colour", &self.base_colour_texture),
            ("metallic-roughness", &self.metallic_roughness_texture),
            ("normal", &self.normal_texture),
            ("occlusion", &self.occlusion_texture),
            ("emissive", &self.emissive_texture),
        ];
        slots.into_iter().filter_map(|(name, texture)| Some((name, texture.as_ref()?)))
    }

    /// The textures it uses, to change them.
    pub fn textures_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut TextureUse)> {
        let slots = [
            ("base colour", &mut self.base_colour_texture),
            ("metallic-roughness", &mut self.metallic_roughness_texture),
            ("normal", &mut self.normal_texture),
            ("occlusion", &mut self.occlusion_texture),
            ("emissive", &mut self.emissive_texture),
        ];
        slots.into_iter().filter_map(|(name, texture)| Some((name, texture.as_mut()?)))
    }
}

/// Everything about a surface in three pictures, with every factor multiplied in.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// Linear colour, and opacity.
    pub base_colour: PackedTexture,
    /// X and Y of normals in tangent space, green up.
    pub normal: PackedTexture,
    /// Roughness, occlusion, metalness, and emission as a part of the base colour.
    pub surface: PackedTexture,
}

impl Packed {
    /// The pictures, each with its name.
    pub fn textures(&self) -> [(&'static str, &PackedTexture); 3] {
        [("base colour", &self.base_colour), ("normal", &self.normal), ("packed", &self.surface)]
    }

    /// The pictures, to change them.
    pub fn textures_mut(&mut self) -> [&mut PackedTexture; 3] {
        [&mut self.base_colour, &mut self.normal, &mut self.surface]
    }
}

/// A picture of a packed material, on the first set of texture coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedTexture {
    /// The picture.
    pub image: Handle<Image>,
    /// How it repeats along U and V.
    pub wrap: [Wrap; 2],
}

/// What opacity means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Nothing.
    #[default]
    Opaque,
    /// Drawn where it is at least this.
    Mask(f32),
    /// Mixed with what is behind.
    Blend,
}

/// A picture on a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureUse {
    /// The picture.
    pub image: Handle<Image>,
    /// Which set of texture coordinates.
    pub uv_set: u32,
    /// How it repeats along U and V.
    pub wrap: [Wrap; 2],
    /// How it is sampled; unspecified where the format does not say.
    pub filter: Filter,
    /// How its coordinates are moved first.
    pub transform: Option<UvTransform>,
}

impl TextureUse {
    /// A picture on the first set of coordinates, repeated.
    pub fn new(image: Handle<Image>) -> TextureUse {
        TextureUse { image, uv_set: 0, wrap: [Wrap::Repeat; 2], filter: Filter::default(), transform: None }
    }
}

/// How a picture goes on beyond its edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// Over and over.
    #[default]
    Repeat,
    /// Over and over, every other one mirrored.
    Mirror,
    /// Its edge goes on.
    Clamp,
}

/// How a picture is sampled, in glTF's numbers; `None` for as the program likes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// When it is enlarged.
    pub magnify: Option<u32>,
    /// When it is reduced.
    pub minify: Option<u32>,
}

/// Coordinates scaled, then turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvTransform {
    /// Moved last.
    pub offset: [f32; 2],
    /// Counter-clockwise, in radians.
    pub rotation: f32,
    /// First.
    pub scale: [f32; 2],
}
