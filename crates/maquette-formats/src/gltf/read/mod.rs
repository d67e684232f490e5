//! glTF to a scene. The scene's conventions are glTF's, so that values are copied as they are.
//!
//! Indices and trees are judged first, with the rules of [`check`]; what is read after that can rely on them. Data is judged where it is
//! read. Everything that a scene cannot hold is named in the report, except what only says how the data is stored.

mod animations;
mod extras;
mod images;
mod materials;
mod meshes;
mod nodes;

use super::accessor::Accessors;
use super::buffers::{Buffers, Found};
use super::check::{self, ATTRIBUTE_TYPE, REFERENCE};
use super::raw::File;
use super::schema::{Document, Material, TextureInfo};
use crate::format::{ReadOptions, Result, Source};
use crate::trailing;
use maquette_scene::extras::Extras;
use maquette_scene::loss::{LossReport, Lost, subject};
use maquette_scene::{Diagnostic, Path, Report, Scene, Severity, path, valid};
use serde_json::Value;

/// A file to a scene.
pub fn read(file: &File<'_>, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
    trailing::lose(&file.trailing, losses);
    let buffers = Buffers::of(file, &options.source);
    let accessors = Accessors::new(&file.document, &buffers, file.json.len() as u64);
    let mut reading = Reading { document: &file.document, accessors: &accessors, source: &options.source, losses };
    reading.scene().map_err(|finding| file.refuse(*finding))
}

/// What is at hand while a file is read.
struct Reading<'a> {
    document: &'a Document,
    accessors: &'a Accessors<'a>,
    source: &'a Source<'a>,
    losses: &'a mut LossReport,
}

impl Reading<'_> {
    fn scene(&mut self) -> Found<Scene> {
        check::refuse_required(self.document)?;
        self.structure()?;
        let mut scene = Scene::default();
        let images = self.images(&mut scene)?;
        let materials = self.materials(&mut scene, &images)?;
        let meshes = self.meshes(&mut scene, &materials)?;
        let nodes = self.nodes(&mut scene, &meshes)?;
        self.animations(&mut scene, &nodes)?;
        self.asset(&mut scene);
        self.left_out();
        // Vertices, indices and keys were judged where they were read; that this is so is looked at in every test.
        let judge = if cfg!(debug_assertions) { valid::check } else { valid::structure };
        judge(&scene).map_err(|broken| {
            let message = format!("the scene that was read does not hold together: {broken}");
            Box::new(Diagnostic::new(&REFERENCE, path!("json"), message))
        })?;
        Ok(scene)
    }

    /// Refuses a document whose indices point nowhere or whose nodes are no trees.
    fn structure(&self) -> Found<()> {
        let mut report = Report::default();
        check::references(self.document, &mut report);
        check::tree(self.document, &mut report);
        let worst = report.items().iter().find(|finding| finding.severity() == Severity::Error);
        worst.map_or(Ok(()), |finding| Err(Box::new(finding.clone())))
    }

    /// Generator, copyright, and what is kept of the default scene's own properties.
    fn asset(&mut self, scene: &mut Scene) {
        let document = self.document;
        self.generator(&mut scene.extras);
        keep(&mut scene.extras, "copyright", document.asset.copyright.clone().map(Value::from).as_ref());
        self.keep_extras(&mut scene.extras, document.extras.as_ref(), "document");
        if let Some(default) = document.scenes.get(document.scene.unwrap_or(0)) {
            keep(&mut scene.extras, "scene_name", default.name.clone().map(Value::from).as_ref());
            keep(&mut scene.extras, "scene_extras", default.extras.as_ref());
        }
    }

    /// Names what a scene cannot hold, where no other module does.
    fn left_out(&mut self) {
        let document = self.document;
        let others = document.scenes.len().saturating_sub(1) as u64;
        self.losses.dropped(Lost::Scenes, "the file", "only the default scene is read", others);
        self.losses.dropped(Lost::CamerasAndLights, "the file", "cameras", document.cameras.len() as u64);
        let lights =
            document.extensions.as_ref().and_then(|all| all.get("KHR_lights_punctual")?.get("lights")?.as_array());
        self.losses.dropped(
            Lost::CamerasAndLights,
            "the file",
            "lights of KHR_lights_punctual",
            lights.map_or(0, Vec::len) as u64,
        );
        let detail =
            "those of skins, textures, samplers, images, and of parts of meshes, materials, animations and buffers";
        self.losses.dropped(Lost::Extras, "the file", detail, extras_without_a_place(document));
        for name in &document.extensions_used {
            // Those of materials are named with the material; those of compression say how data is stored.
            let of_materials = name.starts_with("KHR_materials_") && name != "KHR_materials_variants";
            let named = of_materials || name == "KHR_lights_punctual";
            let compression = name.ends_with("_compression");
            if !check::is_read(name) && !named && !compression {
                self.losses.dropped(Lost::Extensions, name, "what it adds is not read", 1);
            }
        }
    }

    /// An accessor as floats, `N` for each element.
    fn floats<const N: usize>(&self, accessor: usize, at: impl Fn() -> Path) -> Found<Vec<[f32; N]>> {
        let elements = self.accessors.elements(accessor)?;
        self.accessors.spend(elements.count.saturating_mul(4 * N) as u64, &at)?;
        elements.floats().ok_or_else(|| {
            let message = format!("an element has {} components", elements.width);
            Box::new(Diagnostic::new(&ATTRIBUTE_TYPE, at(), message).expected(N.to_string()))
        })
    }

    /// An accessor as unsigned integers, `N` for each element.
    fn integers<const N: usize>(&self, accessor: usize, at: impl Fn() -> Path) -> Found<Vec<[u32; N]>> {
        let elements = self.accessors.elements(accessor)?;
        self.accessors.spend(elements.count.saturating_mul(4 * N) as u64, &at)?;
        elements.integers().ok_or_else(|| {
            let message = format!("its elements are {} × {:?}", elements.width, elements.component);
            let finding = Diagnostic::new(&ATTRIBUTE_TYPE, at(), message);
            Box::new(finding.expected(format!("{N} unsigned integers of 8, 16 or 32 bits")))
        })
    }
}

/// How many objects have extras that a scene does not keep.
fn extras_without_a_place(document: &Document) -> u64 {
    macro_rules! count {
        ($($objects:expr),+ $(,)?) => { 0 $(+ $objects.filter(|object| object.extras.is_some()).count() as u64)+ };
    }
    count!(
        document.skins.iter(),
        document.textures.iter(),
        document.samplers.iter(),
        document.images.iter(),
        document.meshes.iter().flat_map(|mesh| &mesh.primitives),
        document.materials.iter().filter_map(|material| material.pbr_metallic_roughness.as_ref()),
        document.materials.iter().flat_map(texture_infos),
        document.animations.iter().flat_map(|animation| &animation.channels),
        document.animations.iter().flat_map(|animation| &animation.samplers),
        document.accessors.iter(),
        document.buffer_views.iter(),
        document.buffers.iter(),
    )
}

fn texture_infos(material: &Material) -> impl Iterator<Item = &TextureInfo> {
    let pbr = material.pbr_metallic_roughness.as_ref();
    let of_pbr = pbr.into_iter().flat_map(|pbr| [&pbr.base_color_texture, &pbr.metallic_roughness_texture]);
    let own = [&material.normal_texture, &material.occlusion_texture, &material.emissive_texture];
    of_pbr.chain(own).flatten()
}

/// Keeps a value for the glTF writer.
fn keep(extras: &mut Extras, key: &str, value: Option<&Value>) {
    if let Some(value) = value {
        extras.set("gltf", key, value.to_string());
    }
}

/// How the report names an object. It becomes text only when something is reported: most objects have nothing to report.
#[derive(Clone, Copy)]
struct Called<'a> {
    what: &'static str,
    index: usize,
    name: Option<&'a String>,
}

fn called<'a>(what: &'static str, index: usize, name: Option<&'a String>) -> Called<'a> {
    Called { what, index, name }
}

impl From<Called<'_>> for String {
    fn from(Called { what, index, name }: Called<'_>) -> String {
        subject(what, index, name.map_or("", String::as_str))
    }
}
