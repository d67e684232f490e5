//! Materials, and the textures and samplers behind them.

use super::super::buffers::Found;
use super::super::check::{REFERENCE, is_read};
use super::super::schema::{self, PbrMetallicRoughness, SpecularGlossiness, TextureInfo, TextureTransform};
use super::{Called, Reading, called};
use crate::rules::index_into;
use maquette_scene::image::Image;
use maquette_scene::loss::{LossKind, Lost};
use maquette_scene::material::{AlphaMode, Filter, Material, Pbr, TextureUse, UvTransform, Wrap};
use maquette_scene::{Diagnostic, Handle, Path, Scene, path};
use serde_json::{Map, Value};

impl Reading<'_> {
    /// The materials of the document, in its order.
    pub(super) fn materials(
        &mut self,
        scene: &mut Scene,
        images: &[Option<Handle<Image>>],
    ) -> Found<Vec<Handle<Material>>> {
        let document = self.document;
        let mut handles = Vec::with_capacity(document.materials.len());
        for (index, material) in document.materials.iter().enumerate() {
            let material = self.material(index, material, images)?;
            handles.push(scene.materials.push(material));
        }
        Ok(handles)
    }

    fn material(
        &mut self,
        index: usize,
        stored: &schema::Material,
        images: &[Option<Handle<Image>>],
    ) -> Found<Material> {
        let subject = called("material", index, stored.name.as_ref());
        let mut material = Material { name: stored.name.clone().unwrap_or_default(), ..Material::default() };
        let mut pbr = Pbr::default();
        let at = |field: &'static str| path!("json", "materials", index, field);
        let mut slots = Slots { reading: self, subject, images };
        if let Some(stored) = &stored.pbr_metallic_roughness {
            metallic_roughness(&mut slots, stored, &mut pbr, || at("pbrMetallicRoughness"))?;
        }
        pbr.normal_texture = slots.texture(stored.normal_texture.as_ref(), || at("normalTexture"))?;
        pbr.occlusion_texture = slots.texture(stored.occlusion_texture.as_ref(), || at("occlusionTexture"))?;
        pbr.emissive_texture = slots.texture(stored.emissive_texture.as_ref(), || at("emissiveTexture"))?;
        if let Some(glossy) = stored.specular_glossiness() {
            specular_glossiness(&mut slots, &glossy, &mut pbr, || at("extensions"))?;
        }
        let number =
            |texture: Option<&TextureInfo>, of: fn(&TextureInfo) -> Option<f32>| texture.and_then(of).unwrap_or(1.0);
        pbr.normal_scale = number(stored.normal_texture.as_ref(), |texture| texture.scale);
        pbr.occlusion_strength = number(stored.occlusion_texture.as_ref(), |texture| texture.strength);
        pbr.emissive = stored.emissive_factor.unwrap_or_default();
        material.alpha = match stored.alpha_mode.as_deref() {
            Some("MASK") => AlphaMode::Mask(stored.alpha_cutoff.unwrap_or(0.5)),
            Some("BLEND") => AlphaMode::Blend,
            None | Some("OPAQUE") => AlphaMode::Opaque,
            Some(other) => {
                let detail = format!("{other} is not known, opaque is taken");
                self.losses.dropped(Lost::AlphaModes, subject, detail, 1);
                AlphaMode::Opaque
            }
        };
        material.double_sided = stored.double_sided.unwrap_or(false);
        material.unlit = stored.extensions.iter().flatten().any(|(name, _)| name == "KHR_materials_unlit");
        self.extensions_of_material(stored, subject, &mut pbr);
        self.material_extras(&mut material.extras, &mut pbr, stored.extras.as_ref(), subject);
        material.surface = pbr.into();
        Ok(material)
    }

    fn extensions_of_material(&mut self, stored: &schema::Material, subject: Called<'_>, pbr: &mut Pbr) {
        for (name, value) in stored.extensions.iter().flatten() {
            match name.as_str() {
                "KHR_materials_emissive_strength" => {
                    let strength = value.get("emissiveStrength").and_then(Value::as_f64).unwrap_or(1.0);
                    pbr.emissive_strength = strength as f32;
                }
                _ if is_read(name) => {}
                _ => self.losses.dropped(Lost::Extensions, subject, name, 1),
            }
        }
    }
}

/// Resolves the textures of one material: to an image, a sampler and a texture transform.
struct Slots<'s, 'a> {
    reading: &'s mut Reading<'a>,
    subject: Called<'s>,
    images: &'s [Option<Handle<Image>>],
}

impl Slots<'_, '_> {
    fn texture(&mut self, info: Option<&TextureInfo>, at: impl FnOnce() -> Path) -> Found<Option<TextureUse>> {
        let Some(info) = info else { return Ok(None) };
        let document = self.reading.document;
        let Some(texture) = document.textures.get(info.index) else {
            let finding = Diagnostic::new(&REFERENCE, at(), format!("the texture is {}", info.index));
            return Err(Box::new(finding.expected(index_into(document.textures.len(), "textures"))));
        };
        let Some(image) = texture.source.and_then(|source| self.images.get(source).copied().flatten()) else {
            let names = texture.extensions.iter().flat_map(Map::keys).map(String::as_str).collect::<Vec<_>>();
            let detail = format!("no image that is understood is behind it ({})", names.join(", "));
            self.reading.losses.dropped(Lost::Textures, self.subject, detail, 1);
            return Ok(None);
        };
        let sampler = texture.sampler.and_then(|sampler| document.samplers.get(sampler));
        let wrap = |stored: Option<u32>| match stored {
            Some(33071) => Wrap::Clamp,
            Some(33648) => Wrap::Mirror,
            _ => Wrap::Repeat,
        };
        let transform = info.transform();
        Ok(Some(TextureUse {
            image,
            uv_set: info.uv_set(),
            wrap: sampler.map_or([Wrap::Repeat; 2], |sampler| [wrap(sampler.wrap_s), wrap(sampler.wrap_t)]),
            filter: Filter {
                magnify: sampler.and_then(|sampler| sampler.mag_filter),
                minify: sampler.and_then(|sampler| sampler.min_filter),
            },
            transform: transform.map(|TextureTransform { offset, rotation, scale, .. }| UvTransform {
                offset,
                rotation,
                scale,
            }),
        }))
    }
}

fn metallic_roughness(
    slots: &mut Slots<'_, '_>,
    stored: &PbrMetallicRoughness,
    pbr: &mut Pbr,
    at: impl Fn() -> Path,
) -> Found<()> {
    pbr.base_colour = stored.base_color_factor.unwrap_or([1.0; 4]);
    pbr.metallic = stored.metallic_factor.unwrap_or(1.0);
    pbr.roughness = stored.roughness_factor.unwrap_or(1.0);
    pbr.base_colour_texture = slots.texture(stored.base_color_texture.as_ref(), || at().join("baseColorTexture"))?;
    pbr.metallic_roughness_texture =
        slots.texture(stored.metallic_roughness_texture.as_ref(), || at().join("metallicRoughnessTexture"))?;
    Ok(())
}

/// Specular-glossiness, the older model, as rough dielectric metallic-roughness. Where the material has both, its own metallic-roughness is taken.
fn specular_glossiness(
    slots: &mut Slots<'_, '_>,
    stored: &SpecularGlossiness,
    pbr: &mut Pbr,
    at: impl Fn() -> Path,
) -> Found<()> {
    if pbr.base_colour_texture.is_some() {
        let detail = "specular-glossiness; the material's own metallic-roughness form is read instead";
        slots.reading.losses.dropped(Lost::Extensions, slots.subject, detail, 1);
        return Ok(());
    }
    pbr.base_colour = stored.diffuse_factor;
    pbr.base_colour_texture = slots.texture(stored.diffuse_texture.as_ref(), at)?;
    pbr.metallic = 0.0;
    pbr.roughness = 1.0 - stored.glossiness_factor;
    pbr.metallic_roughness_texture = None;
    let left = match stored.specular_glossiness_texture {
        Some(_) => "; the specular-glossiness texture is left out",
        None => "",
    };
    let detail = format!(
        "specular-glossiness is read as metallic-roughness: diffuse is the base colour, the specular colour {:?} is left out{left}",
        stored.specular_factor
    );
    slots.reading.losses.push(LossKind::Approximated { max_error: 1.0 }, Lost::Extensions, slots.subject, detail, 1);
    Ok(())
}
