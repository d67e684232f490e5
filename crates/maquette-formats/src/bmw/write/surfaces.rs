//! Materials to texture paths, and images to files beside the model.

use super::super::raw;
use super::cannot;
use crate::format::{Naming, Result};
use maquette_scene::image::{Image, ImageData};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::material::Material;
use maquette_scene::{Handle, Scene};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The materials of the file, and images to be written beside it.
pub(super) struct Surfaces {
    pub materials: Vec<raw::Material<'static>>,
    pub images: Vec<(Naming, Vec<u8>)>,
}

/// Makes a material with one path for each mesh, so that paths and meshes go together however they are counted. A mesh
/// without a texture has an empty path, if one with a texture follows, and none otherwise.
pub(super) fn write(
    scene: &Scene,
    of_meshes: &[Option<Handle<Material>>],
    taken: &[String],
    losses: &mut LossReport,
) -> Result<Surfaces> {
    let taken = taken.iter().map(|name| name.to_lowercase()).collect();
    let mut paths = Paths { scene, known: HashMap::new(), taken, images: Vec::new() };
    let mut reported = HashSet::new();
    let mut textures: Vec<Option<String>> = Vec::with_capacity(of_meshes.len());
    for material in of_meshes {
        let found = material.and_then(|handle| Some((handle, scene.materials.get(handle)?)));
        let Some((handle, material)) = found else {
            textures.push(None);
            continue;
        };
        if reported.insert(handle) {
            report(material, losses);
        }
        let image = material.base_colour_texture.as_ref().map(|texture| texture.image);
        textures.push(image.map(|image| paths.path(image, losses)).transpose()?);
    }
    let count = textures.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let material =
        |path: Option<String>| raw::Material { textures: vec![Cow::Owned(path.unwrap_or_default().into_bytes())] };
    let unused = scene.materials.handles().filter(|material| !reported.contains(material)).count() as u64;
    losses.dropped(Lost::Materials, "the scene", "materials that no mesh has", unused);
    Ok(Surfaces { materials: textures.into_iter().take(count).map(material).collect(), images: paths.images })
}

/// The paths of images.
struct Paths<'s> {
    scene: &'s Scene,
    known: HashMap<Handle<Image>, String>,
    /// Names of files, in lower case, because some disks do not tell the two apart.
    taken: HashSet<String>,
    images: Vec<(Naming, Vec<u8>)>,
}

impl Paths<'_> {
    fn path(&mut self, handle: Handle<Image>, losses: &mut LossReport) -> Result<String> {
        if let Some(path) = self.known.get(&handle) {
            return Ok(path.clone());
        }
        let Some(image) = self.scene.images.get(handle) else { return Err(cannot("a texture has no image")) };
        let path = match &image.data {
            ImageData::External(path) => {
                let end = path.find('\0').unwrap_or(path.len());
                let cut = u64::from(end != path.len());
                losses.push(LossKind::Truncated, Lost::ImageNames, format!("image {:?}", image.name), "", cut);
                path.get(..end).unwrap_or_default().to_owned()
            }
            ImageData::Encoded { mime, bytes } => {
                let path = self.free_name(&image.name, ending(mime));
                let renamed = u64::from(path != image.name && !image.name.is_empty());
                let detail = format!("its file is {path:?}");
                losses.push(LossKind::Renamed, Lost::ImageNames, format!("image {:?}", image.name), detail, renamed);
                self.images.push((Naming::Named(path.clone()), bytes.clone()));
                path
            }
            ImageData::Pixels { .. } => {
                return Err(cannot(format!("image {:?} is pixels, and BMW names files of images", image.name)));
            }
        };
        self.known.insert(handle, path.clone());
        Ok(path)
    }

    /// A file name like this one that no other file has.
    fn free_name(&mut self, name: &str, endings: &[&str]) -> String {
        let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let (stem, ending) = match file.rsplit_once('.') {
            Some((stem, ending)) if endings.iter().any(|known| known.eq_ignore_ascii_case(ending)) => (stem, ending),
            _ => (file, endings.first().copied().unwrap_or("bin")),
        };
        let is_plain = |letter: char| !letter.is_control() && !"<>:\"|?*".contains(letter);
        let stem: String = stem.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
        let stem = if stem.is_empty() { "texture" } else { &stem };
        let numbered = (2..).map(|number| format!("{stem}-{number}.{ending}"));
        let mut names = std::iter::once(format!("{stem}.{ending}")).chain(numbered);
        let free = names.find(|name| !self.taken.contains(&name.to_lowercase())).unwrap_or_default();
        self.taken.insert(free.to_lowercase());
        free
    }
}

/// The endings of files of a media type, the usual one first.
fn ending(mime: &str) -> &'static [&'static str] {
    match mime {
        "image/png" => &["png"],
        "image/jpeg" => &["jpg", "jpeg"],
        "image/vnd-ms.dds" => &["dds"],
        "image/ktx" => &["ktx"],
        "image/ktx2" => &["ktx2"],
        "image/gif" => &["gif"],
        "image/webp" => &["webp"],
        "image/tiff" => &["tif", "tiff"],
        "image/vnd.radiance" => &["hdr"],
        "image/vnd.adobe.photoshop" => &["psd"],
        "image/bmp" => &["bmp"],
        "image/x-tga" => &["tga"],
        _ => &["bin"],
    }
}

/// Reports what a path cannot say about a surface.
fn report(material: &Material, losses: &mut LossReport) {
    let subject = format!("material {:?}", material.name);
    losses.dropped(Lost::MaterialNames, &subject, "the format has none", u64::from(!material.name.is_empty()));
    let others: Vec<&str> = material.textures().map(|(slot, _)| slot).filter(|slot| *slot != "base colour").collect();
    losses.dropped(Lost::Textures, &subject, others.join(", "), others.len() as u64);
    let plain = u64::from(material.base_colour_texture.is_none());
    losses.dropped(Lost::Materials, &subject, "a mesh without a texture has none", plain);
    losses.surface(material, &Material { metallic: 0.0, ..Material::default() }, &subject);
    if let Some(texture) = &material.base_colour_texture {
        losses.texture_use(texture, &subject);
    }
}
