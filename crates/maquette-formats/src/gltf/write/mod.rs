//! A scene to glTF: everything a scene can hold, in a form that the Khronos validator has neither errors nor warnings for.
//! One warning is left to others: a normal map on a primitive without tangents. Generating tangents is no writer's business.
//!
//! | file | what it writes |
//! |---|---|
//! | `plan` | nothing: it decides what has to be rearranged before |
//! | `buffer`, `container` | bytes, views and accessors; GLB, or JSON with companion files |
//! | `images`, `materials` | images and materials |
//! | `meshes`, `vertices`, `influences` | geometry |
//! | `nodes`, `transforms`, `skins` | the hierarchy |
//! | `animations`, `keys` | clips |
//! | `extras` | what glTF has no property for, in `extras` |
//!
//! Nodes, materials and (where nothing had to be rearranged) meshes, skins and animations keep their positions in the scene's
//! lists. Whatever is added comes after them: a root above everything, where a skin needs it; a flat skeleton for tracks of nodes
//! that are not there; roots for skinned meshes.
//!
//! What only maquette understands is a member `maquette` of an object's `extras`:
//!
//! | of | members |
//! |---|---|
//! | any object | `<format>.<key>`: extras of another format; in the document's `extras`, the scene's own |
//! | `asset` | `generator`: what wrote the file that the scene was read from |
//! | an animation | `duration_secs` where it is not that of the last key; `frame_rate`; `looped`; `blend`: `additive` where its values are differences that were added to the rest pose; `events`: `[{time_secs, name}]`; `shifted_secs` where times began before zero |
//! | a material | `normal_scale`, `occlusion_strength`, `emissive_strength` where there is nothing they would change |
//! | a node that was added | `added`: `root`, `skeleton`, `joint`, `skinned mesh`, `shear` |

mod animations;
mod buffer;
mod container;
mod extras;
mod images;
mod influences;
mod keys;
mod materials;
mod meshes;
mod nodes;
mod plan;
mod skins;
#[cfg(test)]
mod tests;
mod transforms;
mod vertices;

use super::schema::{Asset, Document, SceneRoots};
use crate::companions::Taken;
use crate::format::{Bundle, Fitted, Result, WriteOptions};
use crate::rules::numbers::UNIT_TOLERANCE;
use buffer::Buffer;
use container::Container;
use maquette_scene::Scene;
use maquette_scene::loss::{LossKind, LossReport, Lost};
use plan::Plan;
use serde_json::{Map, Value};

/// Writes a scene.
pub fn write(scene: &Fitted<'_>, options: &WriteOptions<'_>, losses: &mut LossReport) -> Result<Bundle> {
    let container = Container::of(options.dialect)?;
    let mut draft = Draft::new(scene, container, options, losses);
    let plan = Plan::new(scene, draft.losses);
    let images = images::build(&mut draft)?;
    let materials = materials::build(&mut draft, &images);
    let meshes = meshes::build(&mut draft, &plan, &materials)?;
    let nodes = nodes::build(&mut draft, &plan, &meshes);
    skins::build(&mut draft, &plan)?;
    skins::add_guessed(&mut draft, &nodes);
    animations::build(&mut draft, &nodes, &meshes);
    draft.finish(options.name)
}

/// The file while it grows.
struct Draft<'a> {
    scene: &'a Scene,
    container: Container,
    options: &'a WriteOptions<'a>,
    document: Document,
    buffer: Buffer,
    /// Companion files: images.
    files: Vec<(String, Vec<u8>)>,
    file_names: Taken,
    losses: &'a mut LossReport,
}

impl<'a> Draft<'a> {
    fn new(
        scene: &'a Scene,
        container: Container,
        options: &'a WriteOptions<'a>,
        losses: &'a mut LossReport,
    ) -> Draft<'a> {
        let file_names = Taken::by_neighbours(options);
        let document = Document { asset: asset(scene), extras: document_extras(scene), ..Document::default() };
        Draft { scene, container, options, document, buffer: Buffer::default(), files: Vec::new(), file_names, losses }
    }

    /// Lists an extension in `extensionsUsed`.
    fn use_extension(&mut self, name: &str) {
        let used = &mut self.document.extensions_used;
        if !used.iter().any(|known| known == name) {
            used.push(name.into());
            used.sort();
        }
    }

    /// Lists an extension in `extensionsRequired` too.
    fn require_extension(&mut self, name: &str) {
        self.use_extension(name);
        let required = &mut self.document.extensions_required;
        if !required.iter().any(|known| known == name) {
            required.push(name.into());
            required.sort();
        }
    }

    /// Makes the default scene of these roots.
    fn set_scene(&mut self, roots: Vec<usize>) {
        if roots.is_empty() {
            return;
        }
        let extras = &self.scene.extras;
        let name = extras.get("gltf", "scene_name").map(extras::parsed);
        let name = name.as_ref().and_then(Value::as_str).map(str::to_owned);
        let kept = extras.get("gltf", "scene_extras").map(extras::parsed);
        self.document.scenes = vec![SceneRoots { nodes: roots, name, extras: kept, ..SceneRoots::default() }];
        self.document.scene = Some(0);
    }

    fn finish(mut self, file_name: &str) -> Result<Bundle> {
        self.document.accessors = self.buffer.accessors;
        self.document.buffer_views = self.buffer.views;
        self.container.wrap(self.document, self.buffer.bytes, self.files, file_name)
    }
}

/// The keys of the scene's extras after `gltf.` that go back to properties of their own.
const RESTORED: [&str; 5] = ["generator", "copyright", "asset_extras", "scene_name", "scene_extras"];

fn asset(scene: &Scene) -> Asset {
    let kept = |key: &str| scene.extras.get("gltf", key).map(extras::parsed);
    let mut ours = Map::new();
    let generator = concat!("maquette ", env!("CARGO_PKG_VERSION"));
    if let Some(original) = kept("generator").filter(|original| original != generator) {
        ours.insert("generator".into(), original);
    }
    Asset {
        version: "2.0".into(),
        generator: Some(generator.into()),
        copyright: kept("copyright").as_ref().and_then(Value::as_str).map(str::to_owned),
        extras: extras::with_ours(kept("asset_extras"), ours),
        ..Asset::default()
    }
}

fn document_extras(scene: &Scene) -> Option<Value> {
    extras::extras(&scene.extras, Map::new(), &RESTORED)
}

/// A name, if there is one.
fn name(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| name.to_owned())
}

/// The length of a vector, in double precision: squares of floats may overflow.
fn length(components: &[f32]) -> f64 {
    components.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt()
}

/// Whether that is so near 1 that normals and tangents stay as they are.
fn is_unit(length: f64) -> bool {
    (length * length - 1.0).abs() <= f64::from(UNIT_TOLERANCE)
}

/// How often something was changed, and by how much at most.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    count: u64,
    worst: f32,
}

impl Tally {
    fn note(&mut self, error: f32) {
        self.count += 1;
        self.worst = self.worst.max(error);
    }

    fn report(self, losses: &mut LossReport, what: Lost, subject: &str, detail: &str) {
        losses.push(LossKind::Approximated { max_error: self.worst }, what, subject, detail, self.count);
    }
}
