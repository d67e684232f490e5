//! PMAT to a scene: one material.
//!
//! The diffuse texture is the base colour, the normal texture the normal map. Specular and depth textures, and second ones of
//! a kind, have no place in the scene; they are reported, and kept in the extras for the writer.

use super::raw::{File, TEXTURE_TYPE, Texture};
use crate::companions::{self, matt};
use crate::format::{Error, ReadOptions, Result, Source};
use maquette_scene::image::Image;
use maquette_scene::loss::{LossReport, Lost, subject};
use maquette_scene::material::{Material, Pbr, TextureUse};
use maquette_scene::{Handle, Scene, valid};
use std::collections::HashMap;

/// The texture type that is the base colour.
pub(super) const DIFFUSE: u32 = 1;
/// The texture type that is the normal map.
pub(super) const NORMAL: u32 = 3;

/// What a material has that the format does not speak of: neither metal nor shine.
pub(super) fn plain() -> Material {
    Material { surface: matt(), ..Material::default() }
}

/// Reads a file into a scene.
pub fn read(file: &File<'_>, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
    let mut scene = Scene::default();
    let material = material(file, &options.source, &mut scene, losses);
    scene.materials.push(material);
    valid::check(&scene).map_err(|invalid| Error::CannotHold(format!("the file makes no scene: {invalid}")))?;
    Ok(scene)
}

fn material(file: &File<'_>, source: &Source<'_>, scene: &mut Scene, losses: &mut LossReport) -> Material {
    let mut material =
        Material { name: companions::scene_name(&file.name, Lost::MaterialNames, "the material", losses), ..plain() };
    let subject = subject("material", 0, &material.name);
    let mut pbr = Pbr { metallic: 0.0, ..Pbr::default() };
    let mut images = HashMap::new();
    let mut left_over: Vec<(u32, String)> = Vec::new();
    for texture in &file.textures {
        let path = companions::scene_name(&texture.path, Lost::ImageNames, &subject, losses);
        let slot = match texture.texture_type {
            DIFFUSE => Some(&mut pbr.base_colour_texture),
            NORMAL => Some(&mut pbr.normal_texture),
            _ => None,
        };
        match slot {
            Some(slot) if slot.is_none() && !path.is_empty() => {
                *slot = Some(TextureUse::new(image(path, source, scene, &mut images)));
            }
            _ => {
                report(texture, &path, &subject, losses);
                left_over.push((texture.texture_type, path));
            }
        }
    }
    material.surface = pbr.into();
    if let (false, Ok(json)) = (left_over.is_empty(), serde_json::to_string(&left_over)) {
        material.extras.set("pmat", "textures", json);
    }
    if file.version != 0 {
        material.extras.set("pmat", "version", file.version.to_string());
    }
    material
}

fn image(
    path: String,
    source: &Source<'_>,
    scene: &mut Scene,
    images: &mut HashMap<String, Handle<Image>>,
) -> Handle<Image> {
    *images.entry(path).or_insert_with_key(|path| scene.images.push(companions::image(path, source)))
}

fn report(texture: &Texture<'_>, path: &str, subject: &str, losses: &mut LossReport) {
    let why = match texture.texture_type {
        DIFFUSE | NORMAL => "one of its kind is there already",
        _ => "a surface here has none of its kind",
    };
    let kind = TEXTURE_TYPE.of(texture.texture_type).unwrap_or_else(|| "unknown".into());
    let detail = format!("{path:?}, of type {} ({kind}); {why}", texture.texture_type);
    losses.dropped(Lost::Textures, subject, detail, 1);
}
