//! Materials: what differs from the defaults; textures and samplers once each.

use super::extras::number;
use super::images::{Images, Kind};
use super::{Draft, Tally, extras, name};
use crate::format::fitted::pbr;
use crate::gltf::schema::{self, PbrMetallicRoughness, TextureInfo};
use maquette_scene::Handle;
use maquette_scene::image::ImageData;
use maquette_scene::loss::{LossKind, Lost, subject};
use maquette_scene::material::{AlphaMode, Filter, Material, Pbr, TextureUse, UvTransform, Wrap};
use serde_json::{Map, Value, json};

/// Sets of coordinates that are made up for a texture, if need be.
const MADE_UP_SETS: usize = 8;

/// What primitives must have for their materials.
pub struct Materials {
    uv_sets: Vec<usize>,
}

impl Materials {
    /// How many sets of texture coordinates the textures of a material need.
    pub fn uv_sets(&self, material: Handle<Material>) -> usize {
        self.uv_sets.get(material.index()).copied().unwrap_or(0)
    }
}

/// Adds all materials.
pub fn build(draft: &mut Draft<'_>, images: &Images) -> Materials {
    let scene = draft.scene;
    let mut materials = Materials { uv_sets: Vec::with_capacity(scene.materials.len()) };
    let mut sets_there = vec![MADE_UP_SETS; scene.materials.len()];
    for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        if let Some(there) = primitive.material.and_then(|material| sets_there.get_mut(material.index())) {
            *there = (*there).max(primitive.streams.uvs.len());
        }
    }
    for ((index, material), sets_there) in scene.materials.iter().enumerate().zip(sets_there) {
        let subject = subject("material", index, &material.name);
        let mut build = Build { draft: &mut *draft, images, subject, sets_there, sets: 0, clamped: Tally::default() };
        let made = build.material(material);
        let Build { subject, sets, clamped, .. } = build;
        clamped.report(
            draft.losses,
            Lost::Materials,
            &subject,
            "factors brought into the range that glTF has for them",
        );
        materials.uv_sets.push(sets);
        draft.document.materials.push(made);
    }
    materials
}

struct Build<'b, 'a> {
    draft: &'b mut Draft<'a>,
    images: &'b Images,
    subject: String,
    /// Sets of coordinates that its primitives have, or may be given.
    sets_there: usize,
    /// Sets of coordinates that its textures need.
    sets: usize,
    clamped: Tally,
}

impl Build<'_, '_> {
    fn material(&mut self, material: &Material) -> schema::Material {
        let (mut extensions, mut ours) = (Map::new(), Map::new());
        let pbr = pbr(material);
        let emissive_factor = self.emission(pbr, material.unlit, &mut extensions, &mut ours);
        if material.unlit {
            self.extension(&mut extensions, "KHR_materials_unlit", json!({}));
        }
        let (alpha_mode, alpha_cutoff) = match material.alpha {
            AlphaMode::Opaque => (None, None),
            AlphaMode::Mask(cutoff) => (Some("MASK".into()), unless(self.within(cutoff, 0.0, f32::MAX, 0.5), 0.5)),
            AlphaMode::Blend => (Some("BLEND".into()), None),
        };
        let normal_scale = unless(self.within(pbr.normal_scale, f32::MIN, f32::MAX, 1.0), 1.0);
        let mut normal_texture = self.texture(pbr.normal_texture.as_ref());
        put(normal_scale, normal_texture.as_mut().map(|it| &mut it.scale), "normal_scale", &mut ours);
        let strength = unless(self.within(pbr.occlusion_strength, 0.0, 1.0, 1.0), 1.0);
        let mut occlusion_texture = self.texture(pbr.occlusion_texture.as_ref());
        put(strength, occlusion_texture.as_mut().map(|it| &mut it.strength), "occlusion_strength", &mut ours);
        schema::Material {
            name: name(&material.name),
            pbr_metallic_roughness: self.metallic_roughness(pbr),
            normal_texture,
            occlusion_texture,
            emissive_texture: self.texture(pbr.emissive_texture.as_ref()),
            emissive_factor,
            alpha_mode,
            alpha_cutoff,
            double_sided: material.double_sided.then_some(true),
            extensions: (!extensions.is_empty()).then_some(extensions),
            extras: extras::extras(&material.extras, ours, &[]),
        }
    }

    fn metallic_roughness(&mut self, pbr: &Pbr) -> Option<PbrMetallicRoughness> {
        let made = PbrMetallicRoughness {
            base_color_factor: unless(pbr.base_colour.map(|x| self.within(x, 0.0, 1.0, 1.0)), [1.0; 4]),
            base_color_texture: self.texture(pbr.base_colour_texture.as_ref()),
            metallic_factor: unless(self.within(pbr.metallic, 0.0, 1.0, 1.0), 1.0),
            roughness_factor: unless(self.within(pbr.roughness, 0.0, 1.0, 1.0), 1.0),
            metallic_roughness_texture: self.texture(pbr.metallic_roughness_texture.as_ref()),
            ..PbrMetallicRoughness::default()
        };
        unless(made, PbrMetallicRoughness::default())
    }

    /// The emissive colour, up to 1; what is beyond goes into the strength, which is an extension. A strength without emission, or of an unlit
    /// material, has no effect and is kept in `extras`.
    fn emission(
        &mut self,
        pbr: &Pbr,
        unlit: bool,
        extensions: &mut Map<String, Value>,
        ours: &mut Map<String, Value>,
    ) -> Option<[f32; 3]> {
        let colour = pbr.emissive.map(|x| self.within(x, 0.0, f32::MAX, 0.0));
        let strength = self.within(pbr.emissive_strength, 0.0, f32::MAX, 1.0);
        let most = colour.into_iter().fold(0.0, f32::max);
        let (colour, strength) = if most > 1.0 && (strength * most).is_finite() {
            let detail = "beyond 1: part of it is in the emissive strength";
            self.draft.losses.push(LossKind::Baked, Lost::Emission, &self.subject, detail, 1);
            (colour.map(|x| x / most), strength * most)
        } else {
            (colour.map(|x| self.within(x, 0.0, 1.0, 0.0)), strength)
        };
        if strength != 1.0 && most > 0.0 && !unlit {
            let value = json!({ "emissiveStrength": number(strength) });
            self.extension(extensions, "KHR_materials_emissive_strength", value);
        } else if strength != 1.0 {
            ours.insert("emissive_strength".into(), number(strength));
        }
        unless(colour, [0.0; 3])
    }

    fn extension(&mut self, extensions: &mut Map<String, Value>, name: &str, value: Value) {
        self.draft.use_extension(name);
        extensions.insert(name.into(), value);
    }

    /// A factor clamped to a range.
    fn within(&mut self, value: f32, least: f32, most: f32, otherwise: f32) -> f32 {
        let fixed = if value.is_finite() { value.clamp(least, most) } else { otherwise };
        if fixed != value {
            self.clamped.note(if value.is_finite() { (fixed - value).abs() } else { f32::MAX });
        }
        fixed
    }

    fn texture(&mut self, texture: Option<&TextureUse>) -> Option<TextureInfo> {
        let texture = texture?;
        let Some(image) = self.images.adapted(texture) else {
            let detail = match self.draft.scene.images.get(texture.image).map(|image| &*image.data) {
                Some(ImageData::External(file)) => format!("the image {file:?} could not be written"),
                _ => "their image could not be written".to_owned(),
            };
            self.draft.losses.dropped(Lost::Textures, &self.subject, detail, 1);
            return None;
        };
        if texture.uv_set as usize >= self.sets_there {
            let detail = format!("no mesh has the set {} of texture coordinates", texture.uv_set);
            self.draft.losses.dropped(Lost::Textures, &self.subject, detail, 1);
            return None;
        }
        self.sets = self.sets.max(texture.uv_set as usize + 1);
        let mut made = schema::Texture { sampler: self.sampler(texture), ..schema::Texture::default() };
        if image.kind == Kind::WebP {
            let mut extensions = Map::new();
            self.extension(&mut extensions, "EXT_texture_webp", json!({ "source": image.index }));
            self.draft.require_extension("EXT_texture_webp");
            made.extensions = Some(extensions);
        } else {
            made.source = Some(image.index);
        }
        let extensions = self.transform(texture.transform);
        Some(TextureInfo {
            index: position(&mut self.draft.document.textures, made),
            tex_coord: (texture.uv_set > 0).then_some(texture.uv_set),
            extensions,
            ..TextureInfo::default()
        })
    }

    fn transform(&mut self, transform: Option<UvTransform>) -> Option<Map<String, Value>> {
        let UvTransform { offset, rotation, scale } = transform?;
        if !offset.iter().chain(&scale).chain([&rotation]).all(|x| x.is_finite()) {
            self.draft.losses.dropped(Lost::TextureTransforms, &self.subject, "not finite", 1);
            return None;
        }
        let mut object = Map::new();
        if offset != [0.0; 2] {
            object.insert("offset".into(), offset.map(number).to_vec().into());
        }
        if rotation != 0.0 {
            object.insert("rotation".into(), number(rotation));
        }
        if scale != [1.0; 2] {
            object.insert("scale".into(), scale.map(number).to_vec().into());
        }
        let mut extensions = Map::new();
        self.extension(&mut extensions, "KHR_texture_transform", Value::Object(object));
        Some(extensions)
    }

    fn sampler(&mut self, texture: &TextureUse) -> Option<usize> {
        let [wrap_s, wrap_t] = texture.wrap.map(|wrap| match wrap {
            Wrap::Repeat => None,
            Wrap::Mirror => Some(33648),
            Wrap::Clamp => Some(33071),
        });
        let Filter { magnify, minify } = texture.filter;
        let known = |filter: Option<u32>, largest: u32| {
            filter.filter(|number| matches!(number, 9728 | 9729) || (9984..=largest).contains(number))
        };
        let made = schema::Sampler {
            mag_filter: known(magnify, 0),
            min_filter: known(minify, 9987),
            wrap_s,
            wrap_t,
            ..schema::Sampler::default()
        };
        if (made.mag_filter, made.min_filter) != (magnify, minify) {
            self.draft.losses.dropped(Lost::TextureFilters, &self.subject, "glTF has no such filter", 1);
        }
        (made != schema::Sampler::default()).then(|| position(&mut self.draft.document.samplers, made))
    }
}

/// Puts a factor into the use of its texture. Without a texture there is none, and the factor, which has no effect, is kept in `extras`.
fn put(factor: Option<f32>, slot: Option<&mut Option<f32>>, key: &str, ours: &mut Map<String, Value>) {
    match (factor, slot) {
        (factor, Some(slot)) => *slot = factor,
        (Some(factor), None) => {
            ours.insert(key.into(), number(factor));
        }
        (None, None) => {}
    }
}

/// A value, unless it is the default, which is left out.
fn unless<T: PartialEq>(value: T, default: T) -> Option<T> {
    (value != default).then_some(value)
}

/// Where an item is in a list; it is added if it is not there yet.
fn position<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}
