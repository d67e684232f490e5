//! Materials: the image of the base colour is all that a mesh can have of one.

use crate::companions::matt;
use crate::format::fitted::pbr;
use crate::nlm::texture;
use maquette_scene::image::ImageData;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::material::Material;
use maquette_scene::mesh::Primitive;
use maquette_scene::{Handle, Scene};
use std::collections::HashSet;

/// The image file of each material; empty for none.
pub struct Textures<'a>(Vec<&'a [u8]>);

impl<'a> Textures<'a> {
    /// The image file of a part.
    pub fn of(&self, primitive: &Primitive) -> &'a [u8] {
        primitive.material.and_then(|material| self.0.get(material.index())).copied().unwrap_or_default()
    }
}

/// The image files of all materials; what cannot be held of those that are used is reported.
pub fn textures<'a>(scene: &'a Scene, losses: &mut LossReport) -> Textures<'a> {
    let used: HashSet<Handle<Material>> =
        scene.meshes.iter().flat_map(|mesh| &mesh.primitives).filter_map(|primitive| primitive.material).collect();
    // As it is read: white, rough, no metal, opaque, one-sided, lit, dark by itself.
    let matt = Material { surface: matt(), ..Material::default() };
    let mut textures = Vec::new();
    for (handle, material) in scene.materials.entries() {
        let is_used = used.contains(&handle);
        let whose = subject("material", handle.index(), &material.name);
        let ignored = &mut LossReport::default();
        let report = if is_used { &mut *losses } else { ignored };
        let bytes = base_colour(scene, material, &whose, report);
        report.surface(material, &matt, &whose);
        if bytes.is_empty() {
            report.dropped(Lost::Materials, whose, "a mesh without image has none", 1);
        }
        textures.push(if is_used { bytes } else { &[] });
    }
    let unused = scene.materials.len() - used.len();
    losses.dropped(Lost::Materials, "the model", "no mesh has them", unused as u64);
    alike(&textures, losses);
    unused_images(scene, losses);
    Textures(textures)
}

/// A material is read back as its image, so those with the same one become one.
fn alike(textures: &[&[u8]], losses: &mut LossReport) {
    let images = || textures.iter().filter(|bytes| !bytes.is_empty());
    let different: HashSet<_> = images().collect();
    let merged = images().count() - different.len();
    losses.push(LossKind::Baked, Lost::Materials, "the model", "those with the same image become one", merged as u64);
}

fn unused_images(scene: &Scene, losses: &mut LossReport) {
    let images = scene.materials.iter().flat_map(Material::images);
    let used: HashSet<_> = images.map(|(_, image)| image).collect();
    let unused = scene.images.len() - used.len();
    losses.dropped(Lost::Images, "the model", "no material has them", unused as u64);
}

/// The image file of the base colour, if there is one.
fn base_colour<'a>(scene: &'a Scene, material: &Material, whose: &str, losses: &mut LossReport) -> &'a [u8] {
    for (slot, _) in pbr(material).textures().filter(|(slot, _)| *slot != "base colour") {
        losses.dropped(Lost::Textures, whose, format!("{slot}; only the base colour has a place"), 1);
    }
    let Some(texture) = &pbr(material).base_colour_texture else { return &[] };
    let bytes: Result<&[u8], String> = match scene.images.get(texture.image).map(|image| &*image.data) {
        _ if texture.uv_set != 0 => {
            Err("base colour; it is on another set of texture coordinates than the first".into())
        }
        Some(ImageData::Encoded { bytes, .. }) if bytes.is_empty() => Err("base colour; the image is empty".into()),
        Some(ImageData::Encoded { mime, bytes }) => {
            let found = texture::mime(bytes);
            if found != mime {
                losses.dropped(Lost::Images, whose, format!("{mime}; by its bytes the image is {found}"), 1);
            }
            Ok(&bytes[..])
        }
        Some(ImageData::Pixels { .. }) => Err("base colour; only image files can be held, and this is pixels".into()),
        Some(ImageData::External(name)) => Err(format!("base colour; the file {name:?} was not there")),
        None => Err("base colour; the image is missing".into()),
    };
    match bytes {
        Ok(bytes) => {
            losses.texture_use(texture, whose);
            bytes
        }
        Err(why) => {
            losses.dropped(Lost::Textures, whose, why, 1);
            &[]
        }
    }
}
