//! Materials to texture paths, and images to companion files.

use super::super::raw;
use crate::companions::{image_files, matt};
use crate::format::fitted::pbr;
use crate::format::{Naming, WriteOptions};
use maquette_scene::image::{Image, ImageData};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::material::Material;
use maquette_scene::{Handle, Scene};
use std::borrow::Cow;
use std::collections::HashSet;

/// The materials of the file, and images to be written as companion files.
pub(super) struct Surfaces {
    pub materials: Vec<raw::Material<'static>>,
    pub images: Vec<(Naming, Vec<u8>)>,
}

/// Makes a material with one path for each mesh, so that paths and meshes go together however they are counted. A mesh
/// without a texture has an empty path, if one with a texture follows, and none otherwise.
pub(super) fn write(
    scene: &Scene,
    of_meshes: &[Option<Handle<Material>>],
    options: &WriteOptions<'_>,
    losses: &mut LossReport,
) -> Surfaces {
    let shown: HashSet<Handle<Image>> = of_meshes.iter().filter_map(|material| base_colour(scene, *material)).collect();
    let paths = image_files(&scene.images, |image| shown.contains(&image), options, losses);
    let images = scene.images.entries().zip(&paths).filter_map(|((_, image), path)| match &*image.data {
        ImageData::Encoded { bytes, .. } => Some((Naming::Named(path.clone()?), bytes.to_vec())),
        _ => None,
    });
    let mut reported = HashSet::new();
    let mut textures: Vec<Option<String>> = Vec::with_capacity(of_meshes.len());
    for material in of_meshes {
        let found = material.and_then(|handle| Some((handle, scene.materials.get(handle)?)));
        let Some((handle, material)) = found else {
            textures.push(None);
            continue;
        };
        if reported.insert(handle) {
            report(material, &subject("material", handle.index(), &material.name), losses);
        }
        let image = base_colour(scene, Some(handle));
        let path =
            image.and_then(|image| Some((image, scene.images.get(image)?, paths.get(image.index())?.as_deref()?)));
        textures.push(
            path.map(|(handle, image, path)| ended(path, &subject("image", handle.index(), &image.name), losses)),
        );
    }
    let count = textures.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let material =
        |path: Option<String>| raw::Material { textures: vec![Cow::Owned(path.unwrap_or_default().into_bytes())] };
    let unused = scene.materials.handles().filter(|material| !reported.contains(material)).count() as u64;
    losses.dropped(Lost::Materials, "the scene", "materials that no mesh has", unused);
    Surfaces { materials: textures.into_iter().take(count).map(material).collect(), images: images.collect() }
}

/// The image of a material's base colour.
pub(super) fn base_colour(scene: &Scene, material: Option<Handle<Material>>) -> Option<Handle<Image>> {
    Some(pbr(scene.materials.get(material?)?).base_colour_texture.as_ref()?.image)
}

/// A path as the file holds it, where a NUL ends it.
fn ended(path: &str, whose: &str, losses: &mut LossReport) -> String {
    let end = path.find('\0').unwrap_or(path.len());
    let cut = u64::from(end != path.len());
    losses.push(LossKind::Truncated, Lost::ImageNames, whose, "a path ends at a NUL", cut);
    path.get(..end).unwrap_or_default().to_owned()
}

/// Reports what a path cannot say about a surface.
fn report(material: &Material, subject: &str, losses: &mut LossReport) {
    losses.dropped(Lost::MaterialNames, subject, "the format has none", u64::from(!material.name.is_empty()));
    let others: Vec<&str> =
        pbr(material).textures().map(|(slot, _)| slot).filter(|slot| *slot != "base colour").collect();
    losses.dropped(Lost::Textures, subject, others.join(", "), others.len() as u64);
    let plain = u64::from(pbr(material).base_colour_texture.is_none());
    losses.dropped(Lost::Materials, subject, "a mesh without a texture has none", plain);
    losses.surface(material, &Material { surface: matt(), ..Material::default() }, subject);
    if let Some(texture) = &pbr(material).base_colour_texture {
        losses.texture_use(texture, subject);
    }
}
