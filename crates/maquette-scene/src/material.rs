//! Materials: glTF's metallic-roughness model, or the packed maps of engines.

use crate::arena::Handle;
use crate::extras::Extras;
use crate::image::Image;

/// How a surface looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// What artists and clips of other files call it.
    pub name: String,
    /// Colours and textures.
    pub surface: Surface,
    /// How opacity is drawn.
    pub alpha: AlphaMode,
    /// Whether back faces are drawn.
    pub double_sided: bool,
    /// Whether it is drawn in its base colour, without any lighting.
    pub unlit: bool,
    /// What only the format it came from understands.
    pub extras: Extras,
}

/// Colours and textures of a material, in the one form that it has.
///
/// Formats that pack their maps for engines read and write [`Surface::Packed`]; all others [`Surface::Pbr`]. Taking packed maps
/// apart decodes pixels, so it is an operation of its own (`maquette::ops::unpack`) and not something a reader does.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "materials are few, and most are of the larger kind")]
pub enum Surface {
    /// glTF's metallic-roughness model: factors and separate textures.
    Pbr(Pbr),
    /// Three maps with everything multiplied in.
    Packed(PackedMaps),
}

impl Default for Surface {
    fn default() -> Self {
        Surface::Pbr(Pbr::default())
    }
}

impl From<Pbr> for Surface {
    fn from(pbr: Pbr) -> Self {
        Surface::Pbr(pbr)
    }
}

impl From<PackedMaps> for Surface {
    fn from(maps: PackedMaps) -> Self {
        Surface::Packed(maps)
    }
}

impl Material {
    /// Factors and separate textures; `None` where the material has packed maps.
    pub fn pbr(&self) -> Option<&Pbr> {
        match &self.surface {
            Surface::Pbr(pbr) => Some(pbr),
            Surface::Packed(_) => None,
        }
    }

    /// Factors and separate textures, to change them; `None` where the material has packed maps, which
    /// `maquette::ops::unpack` takes apart.
    pub fn pbr_mut(&mut self) -> Option<&mut Pbr> {
        match &mut self.surface {
            Surface::Pbr(pbr) => Some(pbr),
            Surface::Packed(_) => None,
        }
    }

    /// The packed maps, where it has those.
    pub fn packed(&self) -> Option<&PackedMaps> {
        match &self.surface {
            Surface::Packed(maps) => Some(maps),
            Surface::Pbr(_) => None,
        }
    }

    /// Every image it uses, with the name of its slot: `base colour`, `normal`, `packed`, ..
    pub fn images(&self) -> Vec<(&'static str, Handle<Image>)> {
        match &self.surface {
            Surface::Pbr(pbr) => pbr.textures().map(|(slot, texture)| (slot, texture.image)).collect(),
            Surface::Packed(maps) => maps.textures().map(|(slot, map)| (slot, map.image)).to_vec(),
        }
    }
}

/// glTF's metallic-roughness model.
#[derive(Clone, Debug, PartialEq)]
pub struct Pbr {
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
}

impl Default for Pbr {
    fn default() -> Self {
        Pbr {
            base_colour: [1.0; 4],
            metallic: 1.0,
            roughness: 1.0,
            emissive: [0.0; 3],
            emissive_strength: 1.0,
            normal_scale: 1.0,
            occlusion_strength: 1.0,
            base_colour_texture: None,
            metallic_roughness_texture: None,
            normal_texture: None,
            occlusion_texture: None,
            emissive_texture: None,
        }
    }
}

impl Pbr {
    /// The slots for textures, in the order of [`Pbr::textures`].
    pub fn texture_slots(&mut self) -> [&mut Option<TextureUse>; 5] {
        [
            &mut self.base_colour_texture,
            &mut self.metallic_roughness_texture,
            &mut self.normal_texture,
            &mut self.occlusion_texture,
            &mut self.emissive_texture,
        ]
    }

    /// The textures it uses, each with the name of its slot.
    pub fn textures(&self) -> impl Iterator<Item = (&'static str, &TextureUse)> {
        let slots = [
            &self.base_colour_texture,
            &self.metallic_roughness_texture,
            &self.normal_texture,
            &self.occlusion_texture,
            &self.emissive_texture,
        ];
        SLOTS.into_iter().zip(slots).filter_map(|(slot, texture)| Some((slot, texture.as_ref()?)))
    }

    /// The textures it uses, to change them.
    pub fn textures_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut TextureUse)> {
        SLOTS.into_iter().zip(self.texture_slots()).filter_map(|(slot, texture)| Some((slot, texture.as_mut()?)))
    }
}

/// What the slots of a [`Pbr`] are called, in messages and in JSON.
const SLOTS: [&str; 5] = ["base colour", "metallic-roughness", "normal", "occlusion", "emissive"];

/// Everything about a surface in three images, with every factor multiplied in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedMaps {
    /// Linear colour, and opacity.
    pub base_colour: PackedTexture,
    /// X and Y of normals in tangent space, green up.
    pub normal: PackedTexture,
    /// Roughness, occlusion, metalness, and emission as a fraction of the base colour.
    pub surface: PackedTexture,
}

impl PackedMaps {
    /// The maps, each with the name of its slot.
    pub fn textures(&self) -> [(&'static str, &PackedTexture); 3] {
        [("base colour", &self.base_colour), ("normal", &self.normal), ("packed", &self.surface)]
    }

    /// The maps, to change them.
    pub fn textures_mut(&mut self) -> [&mut PackedTexture; 3] {
        [&mut self.base_colour, &mut self.normal, &mut self.surface]
    }
}

/// One map of a packed material, on the first set of texture coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedTexture {
    /// What is sampled.
    pub image: Handle<Image>,
    /// How it repeats along U and V.
    pub wrap: [Wrap; 2],
}

/// How opacity is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Opacity is ignored.
    #[default]
    Opaque,
    /// Drawn where it is at least this.
    Mask(f32),
    /// Mixed with what is behind.
    Blend,
}

/// A texture on a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureUse {
    /// What is sampled.
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
    /// An image on the first set of coordinates, repeated.
    pub fn new(image: Handle<Image>) -> TextureUse {
        TextureUse { image, uv_set: 0, wrap: [Wrap::Repeat; 2], filter: Filter::default(), transform: None }
    }
}

/// How a texture goes on beyond its edge.
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

/// How a texture is sampled, in glTF's numbers; `None` for as the program likes.
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
    /// Along u and v, before the rotation.
    pub scale: [f32; 2],
}
