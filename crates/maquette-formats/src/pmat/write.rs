//! A scene to PMAT: its first material.
//!
//! The base colour and the normal map become the diffuse and the normal texture; image files are written companions. A factor, or
//! a texture of another kind, has no place in the file.

use super::raw::{Dialect, File, Texture, VERSION};
use super::read::{DIFFUSE, NORMAL, plain};
use crate::companions;
use crate::format::fitted::pbr;
use crate::format::{Bundle, Error, Fitted, Naming, Result, WriteOptions};
use maquette_scene::image::{Image, ImageData};
use maquette_scene::loss::{LossReport, Lost, subject};
use maquette_scene::material::{Material, TextureUse};
use maquette_scene::{Handle, Scene};
use std::borrow::Cow;
use std::collections::HashSet;

/// Writes a scene.
pub fn write(scene: &Fitted<'_>, options: &WriteOptions<'_>, losses: &mut LossReport) -> Result<Bundle> {
    let dialect = Dialect::known(options.dialect)?;
    let Some(material) = scene.materials.iter().next() else {
        return Err(Error::CannotHold("a PMAT file holds a material, and the scene has none".into()));
    };
    for (index, other) in scene.materials.iter().enumerate().skip(1) {
        let whose = subject("material", index, &other.name);
        losses.dropped(Lost::Materials, whose, "a PMAT file holds one, the first", 1);
    }
    let subject = subject("material", 0, &material.name);
    surface(material, &subject, losses);
    unused_images(scene, material, losses);
    let slots = [(DIFFUSE, &pbr(material).base_colour_texture), (NORMAL, &pbr(material).normal_texture)];
    let slots: Vec<(u32, &TextureUse)> =
        slots.into_iter().filter_map(|(kind, texture)| Some((kind, texture.as_ref()?))).collect();
    let wanted: HashSet<Handle<Image>> = slots.iter().map(|(_, texture)| texture.image).collect();
    let files = companions::image_files(&scene.images, |image| wanted.contains(&image), options, losses);
    let mut textures = Vec::new();
    let mut written = HashSet::new();
    let mut bundle = Bundle::default();
    for (kind, texture) in slots {
        losses.texture_use(texture, &subject);
        let path = files.get(texture.image.index()).cloned().flatten().filter(|path| !path.is_empty());
        let Some(path) = path else {
            losses.dropped(Lost::Textures, &subject, "the image is neither a file nor the name of one", 1);
            continue;
        };
        if let Some(ImageData::Encoded { bytes, .. }) = scene.images.get(texture.image).map(|image| &*image.data)
            && written.insert(texture.image)
        {
            bundle.companions.push((Naming::Named(path.clone()), bytes.to_vec()));
        }
        textures.push(Texture { texture_type: kind, path: Cow::Owned(path.into_bytes()) });
    }
    textures.extend(left_over(material));
    let version = material.extras.get("pmat", "version").and_then(|version| version.parse().ok()).unwrap_or(VERSION);
    let name = companions::own_or_file_name(&material.name, Lost::MaterialNames, &subject, options, losses);
    let name = Cow::Borrowed(name.as_bytes());
    bundle.main =
        File { dialect, evidence: "made as such".into(), version, name, textures, trailing: Cow::default() }.encode();
    Ok(bundle)
}

/// The textures that the reader had no place for.
fn left_over(material: &Material) -> Vec<Texture<'static>> {
    let kept = material.extras.get("pmat", "textures").map(serde_json::from_str::<Vec<(u32, String)>>);
    let kept = kept.and_then(|kept| kept.ok()).unwrap_or_default();
    kept.into_iter().map(|(texture_type, path)| Texture { texture_type, path: Cow::Owned(path.into_bytes()) }).collect()
}

/// Names what the format does not know of a surface.
fn surface(material: &Material, subject: &str, losses: &mut LossReport) {
    losses.surface(material, &plain(), subject);
    let others =
        pbr(material).textures().map(|(slot, _)| slot).filter(|slot| !["base colour", "normal"].contains(slot));
    for slot in others {
        losses.dropped(Lost::Textures, subject, format!("{slot}; the format has base colour and normals alone"), 1);
    }
}

fn unused_images(scene: &Scene, material: &Material, losses: &mut LossReport) {
    let used: HashSet<Handle<Image>> = material.images().into_iter().map(|(_, image)| image).collect();
    for (handle, image) in scene.images.entries().filter(|(image, _)| !used.contains(image)) {
        let whose = subject("image", handle.index(), &image.name);
        losses.dropped(Lost::Images, whose, "the material does not use it", 1);
    }
}
