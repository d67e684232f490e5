//! A loaded model, what it came from, its nodes and skins.

use crate::error::{MaquetteStatus, Why};
use crate::guard::{done, guarded, pointer};
use crate::pointers::{borrow, give, handle, nth, take};
use crate::scratch::Scratches;
use crate::text::{self, Text, index};
use maquette::scene::Scene;
use maquette::scene::clip::Target;
use maquette::scene::loss::{Loss, LossKind, LossReport};
use maquette_anim::skeleton::{Skeleton, Skin};
use maquette_anim::{clip, scene};
use std::ffi::c_char;
use std::sync::OnceLock;

/// A model of any format, or an animation alone.
pub struct MaquetteModel {
    pub(crate) scene: Scene,
    pub(crate) format: Text,
    pub(crate) dialect: Text,
    losses: Vec<[Text; 3]>,
    rows: Vec<(MaquetteLossKind, u64, f32)>,
    pub(crate) node_names: Vec<Text>,
    pub(crate) mesh_names: Vec<Text>,
    pub(crate) morph_names: Vec<Vec<Text>>,
    pub(crate) material_names: Vec<Text>,
    pub(crate) image_names: Vec<Text>,
    pub(crate) image_kinds: Vec<Text>,
    pub(crate) clip_names: Vec<Text>,
    pub(crate) event_names: Vec<Vec<Text>>,
    /// Of each clip, by track: what it moves, where that is a name alone.
    pub(crate) target_names: Vec<Vec<Text>>,
    parents: Vec<i32>,
    skins: Vec<Vec<u32>>,
    playing: OnceLock<Result<Playing, String>>,
    pub(crate) scratches: Scratches,
}

/// What playing needs, made when it is first asked for.
pub(crate) struct Playing {
    pub skeleton: Skeleton,
    pub skins: Vec<Skin>,
    /// One that cannot be played is empty here.
    pub clips: Vec<clip::Clip>,
    /// Why one cannot be played.
    faults: Vec<Option<String>>,
    /// Of each clip, in the order of their times.
    pub event_names: Vec<Vec<Text>>,
}

impl Playing {
    fn new(scene: &Scene) -> Result<Playing, String> {
        let made = scene.clips.iter().map(|clip| scene::clip(scene, clip));
        let (clips, faults): (Vec<_>, Vec<_>) = made
            .map(|made| match made {
                Ok(clip) => (clip, None),
                Err(fault) => (clip::Clip::default(), Some(fault.to_string())),
            })
            .unzip();
        let names = |clip: &clip::Clip| clip.events().iter().map(|event| Text::new(&event.name)).collect();
        Ok(Playing {
            skeleton: scene::skeleton(scene).map_err(|error| error.to_string())?,
            skins: scene::skins(scene),
            event_names: clips.iter().map(names).collect(),
            clips,
            faults,
        })
    }

    /// A clip that can be played.
    pub fn clip(&self, at: usize) -> Result<&clip::Clip, Why> {
        match nth(&self.faults, at, "clip")? {
            Some(fault) => Err(Why::new(MaquetteStatus::Malformed, format!("clip {at} cannot be played: {fault}"))),
            None => nth(&self.clips, at, "clip"),
        }
    }
}

impl MaquetteModel {
    pub(crate) fn new(scene: Scene, losses: &LossReport, format: &str, dialect: &str) -> MaquetteModel {
        let names = |names: &mut dyn Iterator<Item = &String>| names.map(|name| Text::new(name)).collect::<Vec<_>>();
        let loss = |loss: &Loss| [loss.what.word(), &loss.subject, &loss.detail].map(Text::new);
        let target = |target: &Target| match target {
            Target::Name(name) => Text::new(name),
            Target::Node(_) => Text::default(),
        };
        MaquetteModel {
            format: Text::new(format),
            dialect: Text::new(dialect),
            losses: losses.iter().map(loss).collect(),
            rows: losses.iter().map(|loss| (loss.kind.into(), loss.count, error_of(loss.kind))).collect(),
            node_names: names(&mut scene.nodes.iter().map(|node| &node.name)),
            mesh_names: names(&mut scene.meshes.iter().map(|mesh| &mesh.name)),
            morph_names: scene.meshes.iter().map(|mesh| names(&mut mesh.morph_names.iter())).collect(),
            material_names: names(&mut scene.materials.iter().map(|material| &material.name)),
            image_names: names(&mut scene.images.iter().map(|image| &image.name)),
            image_kinds: scene.images.iter().map(|image| Text::new(crate::surface::kind_of(&image.data))).collect(),
            clip_names: names(&mut scene.clips.iter().map(|clip| &clip.name)),
            event_names: scene
                .clips
                .iter()
                .map(|clip| names(&mut clip.events.iter().map(|event| &event.name)))
                .collect(),
            target_names: scene
                .clips
                .iter()
                .map(|clip| clip.tracks.iter().map(|track| target(&track.target)).collect())
                .collect(),
            parents: scene.parents().into_iter().map(|parent| index(parent.map(|parent| parent.index()))).collect(),
            skins: scene
                .skins
                .iter()
                .map(|skin| skin.joints.iter().map(|joint| joint.index() as u32).collect())
                .collect(),
            playing: OnceLock::new(),
            scratches: Scratches::default(),
            scene,
        }
    }

    /// Skeleton, skins and clips, packed.
    pub(crate) fn playing(&self) -> Result<&Playing, Why> {
        let made = self.playing.get_or_init(|| Playing::new(&self.scene));
        made.as_ref().map_err(|why| Why::new(MaquetteStatus::Malformed, why))
    }
}

/// Frees a model; null is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_free(model: *mut MaquetteModel) {
    // SAFETY: what the library's page asks for.
    guarded((), || drop(unsafe { take(model) }));
}

/// The id of the format it came from: `aem`, `gltf`, `seanim`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_format(model: *const MaquetteModel) -> *const c_char {
    // SAFETY: what the library's page asks for.
    pointer(|| Ok(unsafe { handle(model, "the model") }?.format.as_ptr()))
}

/// The id of the dialect it came in.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_dialect(model: *const MaquetteModel) -> *const c_char {
    // SAFETY: what the library's page asks for.
    pointer(|| Ok(unsafe { handle(model, "the model") }?.dialect.as_ptr()))
}

/// What became of something that was lost.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteLossKind {
    /// It is gone.
    Dropped = 0,
    /// A part of it is gone.
    Truncated = 1,
    /// Something near stands in its place.
    Approximated = 2,
    /// It became part of something else.
    Baked = 3,
    /// It has another name.
    Renamed = 4,
}

impl From<LossKind> for MaquetteLossKind {
    fn from(kind: LossKind) -> MaquetteLossKind {
        match kind {
            LossKind::Truncated => MaquetteLossKind::Truncated,
            LossKind::Approximated { .. } => MaquetteLossKind::Approximated,
            LossKind::Baked => MaquetteLossKind::Baked,
            LossKind::Renamed => MaquetteLossKind::Renamed,
            _ => MaquetteLossKind::Dropped,
        }
    }
}

pub(crate) fn error_of(kind: LossKind) -> f32 {
    match kind {
        LossKind::Approximated { max_error } => max_error,
        _ => 0.0,
    }
}

/// Something that was lost.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteLoss {
    /// What became of it.
    pub kind: MaquetteLossKind,
    /// In the words of `docs/losses.md`: `vertex colours`.
    pub what: *const c_char,
    /// Whose: `mesh "body"`.
    pub subject: *const c_char,
    /// Why, and what stands in its place.
    pub detail: *const c_char,
    /// How many objects, vertices or keys it is about.
    pub count: u64,
    /// The largest error of an approximation; 0 otherwise.
    pub max_error: f32,
}

pub(crate) fn loss([what, subject, detail]: &[Text; 3], row: &(MaquetteLossKind, u64, f32)) -> MaquetteLoss {
    let [what, subject, detail] = [what, subject, detail].map(Text::as_ptr);
    MaquetteLoss { kind: row.0, what, subject, detail, count: row.1, max_error: row.2 }
}

/// Writes what reading the file lost, by position; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_loss(model: *const MaquetteModel, at: usize, out: *mut MaquetteLoss) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let model = unsafe { handle(model, "the model") }?;
        let made = loss(nth(&model.losses, at, "loss")?, nth(&model.rows, at, "loss")?);
        // SAFETY: as above.
        unsafe { give(out, made) }
    })
}

/// A node: a group, a mesh, a joint.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteNode {
    /// Its name; may be empty.
    pub name: *const c_char,
    /// The node it hangs on; -1 for a root.
    pub parent: i32,
    /// The mesh that is drawn at it; -1 for none.
    pub mesh: i32,
    /// The skin that moves that mesh; -1 for none.
    pub skin: i32,
    /// At rest, from the origin of the parent.
    pub translation: [f32; 3],
    /// At rest, xyzw.
    pub rotation: [f32; 4],
    /// At rest.
    pub scale: [f32; 3],
    /// Node space to parent space at rest, column by column; holds shear, where the parts above cannot.
    pub matrix: [f32; 16],
}

/// How many nodes there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_node_count(model: *const MaquetteModel) -> usize {
    // SAFETY: what the library's page asks for.
    unsafe { borrow(model) }.map_or(0, |model| model.scene.nodes.len())
}

/// Writes a node; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_node(model: *const MaquetteModel, at: usize, out: *mut MaquetteNode) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let model = unsafe { handle(model, "the model") }?;
        let node = nth(model.scene.nodes.as_slice(), at, "node")?;
        let trs = node.transform.trs();
        let made = MaquetteNode {
            name: text::at(&model.node_names, at),
            parent: model.parents.get(at).copied().unwrap_or(-1),
            mesh: index(node.mesh.map(|mesh| mesh.index())),
            skin: index(node.skin.map(|skin| skin.index())),
            translation: trs.translation.to_array(),
            rotation: trs.rotation.to_array(),
            scale: trs.scale.to_array(),
            matrix: node.transform.matrix().to_cols_array(),
        };
        // SAFETY: as above.
        unsafe { give(out, made) }
    })
}

/// The joints of a skin.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteSkin {
    /// How many there are.
    pub joint_count: usize,
    /// Their nodes.
    pub joints: *const u32,
    /// Mesh space to joint space in the bind pose, 16 numbers for each joint, column by column.
    pub inverse_bind_matrices: *const f32,
}

/// How many skins there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_skin_count(model: *const MaquetteModel) -> usize {
    // SAFETY: what the library's page asks for.
    unsafe { borrow(model) }.map_or(0, |model| model.scene.skins.len())
}

/// Writes a skin; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_skin(model: *const MaquetteModel, at: usize, out: *mut MaquetteSkin) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let model = unsafe { handle(model, "the model") }?;
        let skin = nth(model.scene.skins.as_slice(), at, "skin")?;
        let joints = nth(&model.skins, at, "skin")?;
        let made = MaquetteSkin {
            joint_count: joints.len(),
            joints: joints.as_ptr(),
            inverse_bind_matrices: skin.joint_from_mesh.as_ptr().cast(),
        };
        // SAFETY: as above.
        unsafe { give(out, made) }
    })
}
