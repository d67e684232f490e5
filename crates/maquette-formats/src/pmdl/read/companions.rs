//! Materials and clips, from companion files.
//!
//! They are other formats' files, read through the table of formats, so that no folder names another. The engine finds them by the
//! name inside; here they are looked for under the model's name, as the converter writes the first, and under their own, as the
//! writer here writes the others.

use super::super::raw::File;
use crate::companions::{file_stem, matt, scene_name};
use crate::format::{BUILT_IN, Naming, RawFile, ReadOptions, Source};
use crate::summary::shown;
use maquette_scene::clip::{Clip, Target, Track};
use maquette_scene::image::Image;
use maquette_scene::loss::{LossReport, Lost, subject};
use maquette_scene::material::Material;
use maquette_scene::scene::{Node, Skin};
use maquette_scene::{Handle, Scene};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Skeletons that one animation is read for. Each has its own copy of the keys.
const MOST_SKELETONS: usize = 256;

/// Companion files of one kind.
struct Shelf<'o> {
    extension: &'static str,
    options: &'o ReadOptions<'o>,
    /// The scene under the model's own name, and the name of that file.
    own: Option<(String, Scene)>,
    own_is_used: bool,
}

impl<'o> Shelf<'o> {
    fn open(extension: &'static str, options: &'o ReadOptions<'o>, losses: &mut LossReport) -> Shelf<'o> {
        let mut shelf = Shelf { extension, options, own: None, own_is_used: false };
        if let Some((name, bytes)) = options.source.companion_or_loss(Naming::Extension(extension), losses) {
            shelf.own = shelf.read(&name, &bytes, losses).map(|scene| (name, scene));
        }
        shelf
    }

    fn read(&self, file_name: &str, bytes: &[u8], losses: &mut LossReport) -> Option<Scene> {
        let format = BUILT_IN.by_extension(self.extension)?;
        // A clip's reader looks for this very model by the file's name, and would read it again.
        let name = if self.extension == "pani" { "" } else { self.options.source.name };
        let source = Source { name, resources: self.options.source.resources, ..Source::BARE };
        let read = |file: Box<dyn RawFile + '_>, losses: &mut LossReport| {
            file.read(&ReadOptions { source, ..*self.options }, losses)
        };
        match (format.open)(bytes, None).and_then(|file| read(file, losses)) {
            Ok(scene) => Some(scene),
            Err(error) => {
                losses.dropped(
                    Lost::CompanionFiles,
                    format!("{file_name:?}"),
                    format!("it cannot be read: {error}"),
                    1,
                );
                None
            }
        }
    }

    /// The scene whose item has this name, from the model's own file or from one of that name.
    fn find(
        &mut self,
        wanted: &str,
        name_of: fn(&Scene) -> Option<&str>,
        losses: &mut LossReport,
    ) -> Option<Cow<'_, Scene>> {
        if self.own.as_ref().is_some_and(|(_, scene)| name_of(scene) == Some(wanted)) {
            self.own_is_used = true;
            return self.own.as_ref().map(|(_, scene)| Cow::Borrowed(scene));
        }
        for naming in namings(wanted, self.extension) {
            let Some((file_name, bytes)) = self.options.source.companion_or_loss(naming, losses) else { continue };
            let scene = self.read(&file_name, &bytes, losses);
            if let Some(scene) = scene.filter(|scene| name_of(scene) == Some(wanted)) {
                return Some(Cow::Owned(scene));
            }
        }
        None
    }

    /// Reports the model's own file if nothing in the model asked for it.
    fn finish(self, name_of: fn(&Scene) -> Option<&str>, losses: &mut LossReport) {
        if let Some((file_name, scene)) = self.own.filter(|_| !self.own_is_used) {
            let detail = format!("it holds {:?}, which no mesh names", name_of(&scene).unwrap_or_default());
            losses.dropped(Lost::CompanionFiles, format!("{file_name:?}"), detail, 1);
        }
    }
}

/// Where something of this name is looked for: as the writer names its file, then under the name alone.
fn namings(wanted: &str, extension: &'static str) -> [Naming; 2] {
    let plain = format!("{}.{extension}", file_stem(wanted));
    [Naming::After { name: wanted.to_owned(), extension }, Naming::Named(plain)]
}

/// The materials and clips that there are files of, and the textures that those name.
pub(in super::super) fn references(file: &File<'_>, source: &Source<'_>) -> Vec<Naming> {
    let materials = file.meshes.iter().map(|mesh| (&mesh.material_name, "pmat"));
    let clips = file.meshes.iter().flat_map(|mesh| mesh.animations.iter().map(|name| (name, "pani")));
    let mut seen = HashSet::new();
    let wanted = materials.chain(clips).filter(|(name, kind)| !name.is_empty() && seen.insert((&***name, *kind)));
    let mut found: Vec<Naming> = wanted.flat_map(|(name, kind)| namings(&shown(name), kind)).collect();
    found.retain(|naming| source.resources.contains(&naming.apply(source.name)));
    let own = [Naming::Extension("pmat")];
    let textures: Vec<Naming> = own.iter().chain(&found).flat_map(|naming| textures(naming, source)).collect();
    found.extend(textures);
    found
}

/// What a companion file names in its turn.
fn textures(naming: &Naming, source: &Source<'_>) -> Vec<Naming> {
    let Some((name, bytes)) = source.companion(naming) else { return Vec::new() };
    let format = BUILT_IN.by_file_name(&name);
    let opened = format.and_then(|format| (format.open)(&bytes, None).ok());
    opened.map_or_else(Vec::new, |file| file.references(source))
}

fn material_name(scene: &Scene) -> Option<&str> {
    scene.materials.iter().next().map(|material| material.name.as_str())
}

fn clip_name(scene: &Scene) -> Option<&str> {
    scene.clips.iter().next().map(|clip| clip.name.as_str())
}

/// The material of each name that meshes have; one that lies nowhere is a name without textures.
pub(super) fn materials<'f>(
    file: &'f File<'_>,
    options: &ReadOptions<'_>,
    scene: &mut Scene,
    losses: &mut LossReport,
) -> HashMap<&'f [u8], Handle<Material>> {
    let mut shelf = Shelf::open("pmat", options, losses);
    let mut images = HashMap::new();
    let mut known: HashMap<&[u8], Handle<Material>> = HashMap::new();
    for (index, mesh) in file.meshes.iter().enumerate() {
        if mesh.material_name.is_empty() || known.contains_key(&*mesh.material_name) {
            continue;
        }
        let name =
            scene_name(&mesh.material_name, Lost::MaterialNames, &format!("the material of mesh {index}"), losses);
        let found = shelf.find(&name, material_name, losses);
        let found = found.and_then(|found| adopt(&found, scene, &mut images));
        let material = found.unwrap_or_else(|| {
            let whose = subject("material", scene.materials.len(), &name);
            losses.dropped(Lost::Materials, whose, "only its name is known", 1);
            Material { name, surface: matt(), ..Material::default() }
        });
        known.insert(&mesh.material_name, scene.materials.push(material));
    }
    shelf.finish(material_name, losses);
    known
}

/// The first material of another scene, with its images moved into this one; an image of a path that is here already is not moved.
fn adopt(from: &Scene, scene: &mut Scene, images: &mut HashMap<String, Handle<Image>>) -> Option<Material> {
    let mut material = from.materials.iter().next()?.clone();
    for texture in material.pbr_mut()?.texture_slots().into_iter().flatten() {
        let image = from.images.get(texture.image)?;
        let known = images.entry(image.name.clone());
        texture.image = *known.or_insert_with(|| scene.images.push(image.clone()));
    }
    Some(material)
}

/// The clips that the meshes list, for the skeletons of the meshes that list them.
pub(super) fn clips(
    file: &File<'_>,
    options: &ReadOptions<'_>,
    skins: &[Option<Handle<Skin>>],
    scene: &mut Scene,
    losses: &mut LossReport,
) {
    let mut shelf = Shelf::open("pani", options, losses);
    let mut seen = HashSet::new();
    let mut missing = Vec::new();
    for name in file.meshes.iter().flat_map(|mesh| &mesh.animations).filter(|&name| seen.insert(name)) {
        let wanted = shown(name);
        let subject = subject("clip", scene.clips.len(), &wanted);
        let found = shelf.find(&wanted, clip_name, losses);
        let found = found.and_then(|found| found.clips.iter().next().cloned());
        let Some(clip) = found else {
            losses.dropped(Lost::Clips, subject, "only its name is known", 1);
            missing.push(wanted);
            continue;
        };
        let moved = moved_by(file, name, skins, &subject, losses);
        if moved.is_empty() {
            losses.dropped(Lost::Clips, subject, "no mesh that lists it has any", 1);
            missing.push(wanted);
            continue;
        }
        let clip = aimed(clip, &moved, scene, &subject, losses);
        scene.clips.push(clip);
    }
    shelf.finish(clip_name, losses);
    let lists: HashSet<_> = file.meshes.iter().map(|mesh| &mesh.animations).collect();
    if lists.len() > 1 {
        let detail = "meshes list different ones; in the scene they belong to all";
        losses.dropped(Lost::Clips, "the model", detail, lists.len() as u64 - 1);
    }
    if let (false, Ok(json)) = (missing.is_empty(), serde_json::to_string(&missing)) {
        scene.extras.set("pmdl", "animations", json);
    }
}

/// The skins that an animation moves: that of the first mesh that lists it, and of others that list it, those with the same bones.
fn moved_by(
    file: &File<'_>,
    animation: &[u8],
    skins: &[Option<Handle<Skin>>],
    subject: &str,
    losses: &mut LossReport,
) -> Vec<Handle<Skin>> {
    let mut moved: Vec<Handle<Skin>> = Vec::new();
    let mut judged = HashSet::new();
    let mut first = None;
    let mut others = 0;
    for (mesh, skin) in file.meshes.iter().zip(skins) {
        let Some(skin) = skin.filter(|_| mesh.animations.iter().any(|name| **name == *animation)) else { continue };
        if !judged.insert(skin) {
            continue;
        }
        let model = *first.get_or_insert(mesh);
        let mut pairs = mesh.bones.iter().zip(&model.bones);
        let same = mesh.bones.len() == model.bones.len()
            && pairs.all(|(a, b)| a.id_or_parent == b.id_or_parent && a.name == b.name);
        match same && moved.len() < MOST_SKELETONS {
            true => moved.push(skin),
            false => others += 1,
        }
    }
    let detail = "their bones are not those of the first; an animation knows bones by position";
    losses.dropped(Lost::Clips, subject, detail, others);
    moved
}

/// The clip with its bones, which are known by position, as joints of these skins.
fn aimed(clip: Clip, skins: &[Handle<Skin>], scene: &Scene, subject: &str, losses: &mut LossReport) -> Clip {
    let mut tracks = Vec::new();
    let mut astray = 0;
    for (turn, &skin) in skins.iter().enumerate() {
        let joints: &[Handle<Node>] = scene.skins.get(skin).map_or(&[], |skin| &skin.joints);
        for track in &clip.tracks {
            match position(&track.target).and_then(|position| joints.get(position)) {
                Some(&joint) => tracks.push(Track { target: Target::Node(joint), ..track.clone() }),
                None => astray += u64::from(turn == 0),
            }
        }
    }
    losses.dropped(Lost::Joints, subject, "it has keys for more bones than the skeleton has", astray);
    Clip { tracks, ..clip }
}

/// The position of a bone that has no name of its own: `bone 7`.
fn position(target: &Target) -> Option<usize> {
    match target {
        Target::Name(name) => name.strip_prefix("bone ")?.parse().ok(),
        Target::Node(_) => None,
    }
}
