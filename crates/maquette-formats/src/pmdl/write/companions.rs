//! Materials and clips as companion files of the model, written through the table of formats.
//!
//! The first of each goes to the model's own name, as the engine's converter and our reader look for it; others go to theirs. The engine
//! finds both by the name inside, so names that cannot be told apart are changed.

use super::super::raw::Dialect;
use super::{Drawn, cannot};
use crate::companions::{Taken, companion_file, file_stem, image_files, matt, numbered, own_name};
use crate::format::fitted::pbr;
use crate::format::{BUILT_IN, Bundle, Fitted, Naming, Result, WriteOptions};
use maquette_scene::clip::{Clip, Target};
use maquette_scene::image::{Image, ImageData};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::material::{Material, Pbr};
use maquette_scene::scene::{Node, Skin};
use maquette_scene::{Arena, Handle, Scene};
use std::collections::{HashMap, HashSet};

/// How a companion file is named, and its bytes.
type Companion = (Naming, Vec<u8>);

/// The names that materials are written under; that of no material is of the plain one in its place.
pub(super) type MaterialNames = HashMap<Option<Handle<Material>>, String>;

/// What an animation alone cannot hold and the model does.
const HELD_BY_MODEL: [Lost; 3] = [Lost::NodeNames, Lost::Skins, Lost::Nodes];

/// Names for things of one kind, and the files they go to.
struct Files {
    extension: &'static str,
    model: String,
    taken: Taken,
    is_first: bool,
}

impl Files {
    fn new(extension: &'static str, options: &WriteOptions<'_>) -> Files {
        Files { extension, model: options.name.to_owned(), taken: Taken::by_neighbours(options), is_first: true }
    }

    /// The name to write something under, and its file.
    fn place(&mut self, name: &str, fallback: &str) -> (String, Naming) {
        let file = |name: &str| companion_file(&self.model, name, self.extension);
        if std::mem::take(&mut self.is_first) {
            let name = if name.is_empty() { fallback } else { name };
            self.taken.insert(&file(name));
            return (name.to_owned(), Naming::Extension(self.extension));
        }
        let wanted = if file_stem(name).is_empty() { fallback } else { name };
        let turn = self.taken.free_turn(|turn| file(&numbered(wanted, turn)));
        let free = numbered(wanted, turn);
        let naming = Naming::After { name: free.clone(), extension: self.extension };
        (free, naming)
    }
}

fn renamed(what: Lost, subject: &str, from: &str, to: &str, losses: &mut LossReport) {
    if from != to {
        let detail = format!("it becomes {to:?}, to be found by name");
        losses.push(LossKind::Renamed, what, subject, detail, 1);
    }
}

/// Takes over what was lost of a thing in a scene of its own, where it may have another name or place than in the whole.
fn take_over(own: LossReport, subject: &str, losses: &mut LossReport) {
    for loss in own {
        let is_of_it = ["material ", "clip "].iter().any(|kind| loss.subject.starts_with(kind));
        let subject = if is_of_it { subject.to_owned() } else { loss.subject };
        losses.push(loss.kind, loss.what, subject, loss.detail, loss.count);
    }
}

/// Writes a scene of one thing in the format of this extension.
fn encode(scene: &Scene, extension: &str, options: &WriteOptions<'_>, losses: &mut LossReport) -> Result<Bundle> {
    let target = BUILT_IN.by_extension(extension).and_then(|target| Some((target, target.dialects.first()?.id)));
    let Some((target, dialect)) = target else { return Err(cannot(format!("there is no writer for .{extension}"))) };
    let fitted = Fitted::check(scene, &(target.caps)(dialect))?;
    (target.write)(&fitted, &WriteOptions { dialect, ..*options }, losses)
}

/// The names of the materials that are used, and their files with their images.
pub(super) fn materials(
    scene: &Scene,
    drawn: &[Drawn<'_>],
    options: &WriteOptions<'_>,
    losses: &mut LossReport,
) -> Result<(MaterialNames, Vec<Companion>)> {
    let used: HashSet<Handle<Material>> = drawn.iter().filter_map(|drawn| drawn.primitive.material).collect();
    let images = name_images(scene, &used, options, losses);
    let mut files = Files::new("pmat", options);
    let mut names = HashMap::new();
    let mut companions: Vec<Companion> = Vec::new();
    let mut written = HashSet::new();
    for (handle, material) in scene.materials.entries() {
        let subject = subject("material", handle.index(), &material.name);
        if !used.contains(&handle) {
            losses.dropped(Lost::Materials, subject, "no mesh has it", 1);
            continue;
        }
        let (name, naming) = files.place(&material.name, "material");
        renamed(Lost::MaterialNames, &subject, &material.name, &name, losses);
        let alone = alone(scene, Material { name: name.clone(), ..material.clone() }, &images, options.name);
        let mut own = LossReport::default();
        let bundle = encode(&alone, "pmat", options, &mut own)?;
        take_over(own, &subject, losses);
        companions.push((naming, bundle.main));
        // An image that several materials use is written once: its name is its own.
        companions
            .extend(bundle.companions.into_iter().filter(|(naming, _)| written.insert(naming.apply(options.name))));
        names.insert(Some(handle), name);
    }
    if let Some((name, companion)) = plain(drawn, &mut files, options, losses)? {
        names.insert(None, name);
        companions.push(companion);
    }
    Ok((names, companions))
}

/// A material for meshes that have none: the engine looks each mesh's material up by its name and stops when there is none.
fn plain(
    drawn: &[Drawn<'_>],
    files: &mut Files,
    options: &WriteOptions<'_>,
    losses: &mut LossReport,
) -> Result<Option<(String, Companion)>> {
    let mut without = drawn.iter().filter(|drawn| drawn.primitive.material.is_none()).peekable();
    if without.peek().is_none() {
        return Ok(None);
    }
    let (name, naming) = files.place("", "plain");
    for drawn in without {
        let detail = format!("the engine stops at a mesh without one: it gets {name:?}, without textures");
        losses.push(LossKind::Baked, Lost::Materials, &drawn.subject, detail, 1);
    }
    let material = Material { name: name.clone(), surface: matt(), ..Material::default() };
    let scene = Scene { materials: [material].into_iter().collect(), ..Scene::default() };
    let bundle = encode(&scene, "pmat", options, losses)?;
    Ok(Some((name, (naming, bundle.main))))
}

/// The file of each image that is written; reports those that no material uses.
fn name_images(
    scene: &Scene,
    used: &HashSet<Handle<Material>>,
    options: &WriteOptions<'_>,
    losses: &mut LossReport,
) -> Vec<Option<String>> {
    let materials =
        || scene.materials.entries().filter(|(handle, _)| used.contains(handle)).map(|(_, material)| material);
    let written: HashSet<Handle<Image>> = materials()
        .flat_map(|material| [&pbr(material).base_colour_texture, &pbr(material).normal_texture])
        .flatten()
        .map(|texture| texture.image)
        .collect();
    let known: HashSet<Handle<Image>> = materials().flat_map(Material::images).map(|(_, image)| image).collect();
    for (handle, image) in scene.images.entries().filter(|(handle, _)| !known.contains(handle)) {
        let whose = subject("image", handle.index(), &image.name);
        losses.dropped(Lost::Images, whose, "no material that is written uses it", 1);
    }
    image_files(&scene.images, |image| written.contains(&image), options, losses)
}

/// A scene of one material and the images it uses, each named so that it gets its file; of those that get none, only what they are.
fn alone(scene: &Scene, mut material: Material, files: &[Option<String>], model: &str) -> Scene {
    let mut images: Arena<Image> = Arena::default();
    let mut moved: HashMap<Handle<Image>, Handle<Image>> = HashMap::new();
    for (_, texture) in material.pbr_mut().into_iter().flat_map(Pbr::textures_mut) {
        let Some(image) = scene.images.get(texture.image) else { continue };
        let file = files.get(texture.image.index()).cloned().flatten();
        texture.image = *moved.entry(texture.image).or_insert_with(|| {
            images.push(match (file, &*image.data) {
                (Some(path), ImageData::External(_)) => Image { name: path, data: image.data.clone() },
                (Some(file), _) => Image { name: own_name(&file, model).to_owned(), data: image.data.clone() },
                (None, _) => Image::new(image.name.clone(), without_bytes(&image.data)),
            })
        });
    }
    Scene { materials: [material].into_iter().collect(), images, ..Scene::default() }
}

fn without_bytes(data: &ImageData) -> ImageData {
    match data {
        ImageData::Encoded { mime, .. } => ImageData::Encoded { mime: mime.clone(), bytes: Vec::new().into() },
        ImageData::External(path) => ImageData::External(path.clone()),
        ImageData::Pixels { format, colour_space, width, height, .. } => ImageData::Pixels {
            format: *format,
            colour_space: *colour_space,
            width: *width,
            height: *height,
            levels: Vec::new(),
        },
    }
}

/// The names of the animations, with those that had no companion file where the model came from, and the files of the clips.
pub(super) fn clips(
    scene: &Scene,
    skin: Option<&Skin>,
    dialect: Dialect,
    options: &WriteOptions<'_>,
    losses: &mut LossReport,
) -> Result<(Vec<String>, Vec<Companion>)> {
    let lists_animations = matches!(dialect, Dialect::Document | Dialect::Engine);
    let mut names = Vec::new();
    let mut companions = Vec::new();
    let mut files = Files::new("pani", options);
    let joints: HashSet<Handle<Node>> = skin.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    for (index, clip) in scene.clips.iter().enumerate() {
        let subject = subject("clip", index, &clip.name);
        if !lists_animations {
            losses.dropped(Lost::Clips, subject, format!("the dialect {} lists no animations", dialect.id()), 1);
            continue;
        }
        if skin.is_none() {
            losses.dropped(Lost::Clips, subject, "there are no joints to move", 1);
            continue;
        }
        let mut targets = clip.tracks.iter().map(|track| &track.target);
        if !targets.all(|target| matches!(target, Target::Node(node) if joints.contains(node))) {
            return Err(cannot(format!("{subject} moves what is no joint")));
        }
        let (name, naming) = files.place(&clip.name, "animation");
        renamed(Lost::ClipNames, &subject, &clip.name, &name, losses);
        let mut own = LossReport::default();
        let alone = moving(scene, Clip { name: name.clone(), ..clip.clone() });
        let bundle = encode(&alone, "pani", options, &mut own)?;
        own.retain(|loss| !HELD_BY_MODEL.contains(&loss.what));
        take_over(own, &subject, losses);
        companions.push((naming, bundle.main));
        names.push(name);
    }
    let kept = scene.extras.get("pmdl", "animations").map(serde_json::from_str::<Vec<String>>);
    for name in kept.and_then(|kept| kept.ok()).unwrap_or_default() {
        if lists_animations && !names.contains(&name) {
            names.push(name);
        }
    }
    Ok((names, companions))
}

/// A scene of one clip and the joints it moves, without meshes.
fn moving(scene: &Scene, clip: Clip) -> Scene {
    let bare = |node: &Node| Node { mesh: None, skin: None, ..node.clone() };
    Scene {
        nodes: scene.nodes.iter().map(bare).collect(),
        roots: scene.roots.clone(),
        skins: scene.skins.clone(),
        clips: [clip].into_iter().collect(),
        ..Scene::default()
    }
}
