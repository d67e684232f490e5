//! Materials in the one form that shading takes: numbers, and which textures they are multiplied with.

use super::images::said_values;
use super::texture::{Magnify, Sampler, Values};
use crate::mode::Mode;
use maquette_scene::image::{Image, ImageData};
use maquette_scene::material::{AlphaMode, Filter, Material as Source, Pbr, Surface, TextureUse, UvTransform, Wrap};
use maquette_scene::{Handle, Scene};
use std::collections::HashMap;
use std::sync::Arc;

/// How a surface looks.
#[derive(Clone, Debug)]
pub struct Material {
    /// Linear colour and opacity, times those of texture and vertices.
    pub base_colour: [f32; 4],
    /// Times blue of its texture.
    pub metallic: f32,
    /// Times green of its texture.
    pub roughness: f32,
    /// Light that it sends out, times its texture.
    pub emissive: [f32; 3],
    /// Times X and Y of the normal map.
    pub normal_scale: f32,
    /// How much of the occlusion counts.
    pub occlusion_strength: f32,
    /// Colour and opacity.
    pub base_texture: Option<Sampler>,
    /// Roughness in green, metalness in blue.
    pub metallic_roughness_texture: Option<Sampler>,
    /// Normals in the space of tangents.
    pub normal_texture: Option<Sampler>,
    /// Occlusion in red.
    pub occlusion_texture: Option<Sampler>,
    /// Colours of light.
    pub emissive_texture: Option<Sampler>,
    /// Roughness, occlusion, metalness and emission as a part of the base colour, all in one.
    pub packed_texture: Option<Sampler>,
    /// What the normal map holds.
    pub normal_channels: NormalChannels,
    /// What opacity does.
    pub alpha: AlphaMode,
    /// Whether back faces are drawn.
    pub double_sided: bool,
    /// Whether light changes nothing.
    pub unlit: bool,
}

/// What a normal map holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalChannels {
    /// X, Y and Z.
    Three,
    /// X and Y alone.
    Two,
}

/// A texture that a material wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wanted {
    pub image: Handle<Image>,
    pub values: Values,
}

/// Which of the textures a mode looks at.
#[derive(Clone, Copy)]
struct Needs {
    colour: bool,
    roughness_or_metalness: bool,
    normal: bool,
    occlusion: bool,
    emissive: bool,
}

impl Needs {
    fn of(only: Option<Mode>) -> Needs {
        let any = |modes: &[Mode]| only.is_none_or(|only| only == Mode::Shaded || modes.contains(&only));
        Needs {
            colour: any(&[Mode::BaseColour, Mode::Opacity, Mode::TexelDensity]),
            roughness_or_metalness: any(&[Mode::Roughness, Mode::Metalness]),
            normal: any(&[Mode::NormalMap]),
            occlusion: any(&[Mode::Occlusion]),
            emissive: any(&[Mode::Emissive]),
        }
    }
}

/// All materials of a scene, glTF's default one last, and the textures that they want.
pub(crate) fn resolve(scene: &Scene, only: Option<Mode>) -> (Vec<Material>, Vec<Wanted>) {
    let mut wanting =
        Wanting { scene, wanted: Vec::new(), same: same(scene), places: vec![Vec::new(); scene.images.len()] };
    let needs = Needs::of(only);
    let mut materials: Vec<Material> =
        scene.materials.iter().map(|material| of_source(&mut wanting, material, needs)).collect();
    materials.push(of_source(&mut wanting, &Source::default(), needs));
    (materials, wanting.wanted)
}

struct Wanting<'s> {
    scene: &'s Scene,
    wanted: Vec<Wanted>,
    /// For each image, the first that has the same bytes of the file.
    same: Vec<usize>,
    /// For each of those, where it is among what is wanted.
    places: Vec<Vec<usize>>,
}

/// For each image, the first that is the same part of the file: many images of a small file can be one large picture.
fn same(scene: &Scene) -> Vec<usize> {
    let mut first_at = HashMap::new();
    let first = scene.images.iter().enumerate().map(|(place, image)| {
        let address = match &*image.data {
            ImageData::Encoded { bytes, .. } => (bytes.as_ptr().addr(), bytes.len()),
            ImageData::Pixels { .. } | ImageData::External(_) => (Arc::as_ptr(&image.data).addr(), 0),
        };
        *first_at.entry(address).or_insert(place)
    });
    first.collect()
}

impl Wanting<'_> {
    /// The place of a texture among all; images that are used as colours and as data are there twice.
    fn place(&mut self, image: Handle<Image>, values: Values) -> Option<usize> {
        let places = self.places.get_mut(*self.same.get(image.index())?)?;
        let there =
            places.iter().copied().find(|&place| self.wanted.get(place).is_some_and(|there| there.values == values));
        if there.is_some() {
            return there;
        }
        places.push(self.wanted.len());
        self.wanted.push(Wanted { image, values });
        Some(self.wanted.len() - 1)
    }

    fn sampler(&mut self, texture: Option<&TextureUse>, values: Values, needed: bool) -> Option<Sampler> {
        let texture = texture.filter(|_| needed)?;
        let values = said_values(self.scene, texture.image).unwrap_or(values);
        Some(Sampler {
            texture: self.place(texture.image, values)?,
            uv_set: texture.uv_set as usize,
            wrap: texture.wrap,
            magnify: magnify(texture.filter),
            values,
            transform: texture.transform.map(rows),
        })
    }

    fn packed(
        &mut self,
        image: Handle<Image>,
        wrap: [Wrap; 2],
        values: Option<Values>,
        needed: bool,
    ) -> Option<Sampler> {
        let values = values.or_else(|| said_values(self.scene, image)).unwrap_or(Values::Linear);
        let texture = if needed { self.place(image, values)? } else { return None };
        Some(Sampler { texture, uv_set: 0, wrap, magnify: Magnify::Smooth, values, transform: None })
    }
}

/// glTF's number for the nearest texel.
const NEAREST: u32 = 9728;

fn magnify(filter: Filter) -> Magnify {
    if filter.magnify == Some(NEAREST) { Magnify::Squares } else { Magnify::Smooth }
}

/// Scaled, then turned, then moved.
fn rows(transform: UvTransform) -> [[f32; 3]; 2] {
    let (sin, cos) = libm::sincosf(transform.rotation);
    let ([scale_u, scale_v], [offset_u, offset_v]) = (transform.scale, transform.offset);
    [[cos * scale_u, sin * scale_v, offset_u], [-sin * scale_u, cos * scale_v, offset_v]]
}

fn of_source(wanting: &mut Wanting<'_>, source: &Source, needs: Needs) -> Material {
    // What is seen through needs its opacity, whatever is shown.
    let colour = needs.colour || source.alpha != AlphaMode::Opaque;
    let mut material = match &source.surface {
        Surface::Pbr(pbr) => of_pbr(wanting, pbr, Needs { colour, ..needs }),
        Surface::Packed(maps) => {
            let mut material = of_pbr(wanting, &Pbr::default(), needs);
            let base = maps.base_colour;
            material.base_texture = wanting.packed(base.image, base.wrap, None, colour || needs.emissive);
            let normal = maps.normal;
            material.normal_texture = wanting.packed(normal.image, normal.wrap, Some(Values::Linear), needs.normal);
            material.normal_channels = NormalChannels::Two;
            let surface = maps.surface;
            let any = needs.roughness_or_metalness || needs.occlusion || needs.emissive;
            material.packed_texture = wanting.packed(surface.image, surface.wrap, Some(Values::Linear), any);
            material
        }
    };
    material.alpha = source.alpha;
    material.double_sided = source.double_sided;
    material.unlit = source.unlit;
    material
}

fn of_pbr(wanting: &mut Wanting<'_>, pbr: &Pbr, needs: Needs) -> Material {
    let mut sampler = |texture: &Option<TextureUse>, values, needed| wanting.sampler(texture.as_ref(), values, needed);
    let surface = needs.roughness_or_metalness;
    Material {
        base_colour: pbr.base_colour,
        metallic: pbr.metallic,
        roughness: pbr.roughness,
        emissive: pbr.emissive.map(|channel| channel * pbr.emissive_strength),
        normal_scale: pbr.normal_scale,
        occlusion_strength: pbr.occlusion_strength,
        base_texture: sampler(&pbr.base_colour_texture, Values::Srgb, needs.colour),
        metallic_roughness_texture: sampler(&pbr.metallic_roughness_texture, Values::Linear, surface),
        normal_texture: sampler(&pbr.normal_texture, Values::Linear, needs.normal),
        occlusion_texture: sampler(&pbr.occlusion_texture, Values::Linear, needs.occlusion),
        emissive_texture: sampler(&pbr.emissive_texture, Values::Srgb, needs.emissive),
        packed_texture: None,
        normal_channels: NormalChannels::Three,
        alpha: AlphaMode::Opaque,
        double_sided: false,
        unlit: false,
    }
}

impl Material {
    /// White, without textures.
    pub(crate) fn plain() -> Material {
        let mut wanting =
            Wanting { scene: &Scene::default(), wanted: Vec::new(), same: Vec::new(), places: Vec::new() };
        of_pbr(&mut wanting, &Pbr::default(), Needs::of(None))
    }
}
