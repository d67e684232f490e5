//! Textures to materials: the first path of the file is for the first mesh, and so on.

use super::super::raw::File;
use super::super::sidecar::Settings;
use crate::companions;
use crate::format::Source;
use crate::summary::shown;
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::material::{Material, Pbr, TextureUse};
use maquette_scene::{Handle, Scene};
use std::collections::HashMap;

/// How many files are looked for at most; no real model has a tenth of them.
const MAX_LOOKUPS: usize = 1000;

/// The material of each mesh of the file.
pub(super) type Surfaces = Vec<Option<Handle<Material>>>;

/// Makes a material for each texture that a mesh shows.
pub(super) fn read(
    file: &File<'_>,
    settings: &Settings,
    source: &Source<'_>,
    scene: &mut Scene,
    losses: &mut LossReport,
) -> Surfaces {
    let mut paths: Vec<String> = file.textures().map(shown).collect();
    let changed = file.textures().filter(|path| std::str::from_utf8(path).is_err()).count() as u64;
    losses.push(LossKind::Renamed, Lost::ImageNames, "the model", "paths that are not UTF-8", changed);
    let overrides = settings.texture_overrides.iter().map(|by| by.texture.clone());
    for (index, path) in overrides.enumerate() {
        match (paths.get_mut(index), path) {
            (Some(replaced), Some(path)) => *replaced = path,
            (None, path) => paths.push(path.unwrap_or_default()),
            (Some(_), None) => {}
        }
    }
    let unseen = paths.iter().skip(file.meshes.len()).filter(|path| !path.is_empty()).count() as u64;
    losses.dropped(Lost::Textures, "the model", "there are more texture paths than meshes", unseen);
    let mut known: HashMap<&str, Handle<Material>> = HashMap::new();
    let mut surfaces = vec![None; file.meshes.len()];
    for (surface, path) in surfaces.iter_mut().zip(&paths).filter(|(_, path)| !path.is_empty()) {
        let lookups = known.len();
        *surface = Some(*known.entry(path).or_insert_with(|| {
            let found = if lookups < MAX_LOOKUPS { *source } else { Source::BARE };
            let image = scene.images.push(companions::image(path, &found));
            let base_colour_texture = Some(TextureUse::new(image));
            // Diffuse maps for plain lighting: nothing is metal.
            let surface = Pbr { base_colour_texture, metallic: 0.0, ..Pbr::default() }.into();
            scene.materials.push(Material { surface, ..Material::default() })
        }));
    }
    surfaces
}
