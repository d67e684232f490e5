//! Clips of one model on another, by the names of bones.

use crate::error::{MaquetteStatus, Why, argument};
use crate::guard::status;
use crate::model::MaquetteModel;
use crate::pointers::{give, hand_out, handle, options, put, text};
use maquette::scene::attach::{AttachOptions, ModifierScope};
use maquette::scene::loss::LossReport;
use maquette::{Error, bone_map, ops};
use std::ffi::c_char;
use std::ptr::{null, null_mut};

/// How bones of clips are matched with nodes of a model. Begin with `maquette_apply_options`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteApplyOptions {
    /// The size of the structure that the program knows.
    pub struct_size: usize,
    /// What a clip without a name is called; may be null.
    pub name: *const c_char,
    /// Lines of `clip bone = model bone`, as in the files that the command takes for `--bone-map`; may be null.
    pub bone_map: *const c_char,
    /// Beginnings of names that are passed over on both sides, such as `ValveBiped.`; may be null.
    pub prefixes: *const *const c_char,
    /// How many of them there are.
    pub prefix_count: usize,
    /// Whether namespaces are passed over on both sides: `mixamorig:Hips` is `Hips`.
    pub ignore_namespaces: bool,
    /// Which bones a blend is for that one bone has of its own: a `MaquetteScope`.
    pub scope: i32,
}

/// Which bones a blend is for that one bone has of its own. Tools differ.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteScope {
    /// The bone and what is below it, up to the next that has one of its own.
    Both = 0,
    /// The bone alone.
    SelfOnly = 1,
    /// What is below the bone, but not the bone.
    Descendants = 2,
}

const DEFAULT: MaquetteApplyOptions = MaquetteApplyOptions {
    struct_size: size_of::<MaquetteApplyOptions>(),
    name: null(),
    bone_map: null(),
    prefixes: null(),
    prefix_count: 0,
    ignore_namespaces: false,
    scope: MaquetteScope::Both as i32,
};

/// Writes the options by default; null does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_apply_options(options: *mut MaquetteApplyOptions) {
    // SAFETY: what the library's page asks for.
    unsafe { put(options, DEFAULT) };
}

fn asked(options: &MaquetteApplyOptions) -> Result<AttachOptions, Why> {
    let mut asked = AttachOptions { ignore_namespaces: options.ignore_namespaces, ..AttachOptions::default() };
    asked.scope = match options.scope {
        it if it == MaquetteScope::Both as i32 => ModifierScope::Both,
        it if it == MaquetteScope::SelfOnly as i32 => ModifierScope::SelfOnly,
        it if it == MaquetteScope::Descendants as i32 => ModifierScope::Descendants,
        it => return Err(argument(format!("`scope` is {it}, which is no MaquetteScope: 0 to 2"))),
    };
    // SAFETY: what the library's page asks for.
    if let Some(map) = unsafe { text(options.bone_map, "`bone_map`") }? {
        asked.map = bone_map::parse("`bone_map`", map)?;
    }
    if options.prefix_count > 0 && options.prefixes.is_null() {
        return Err(argument("`prefixes` is null, and `prefix_count` is not 0"));
    }
    for at in 0..options.prefix_count {
        // SAFETY: the caller says that there are so many.
        let prefix = unsafe { text(options.prefixes.add(at).read(), "one of the `prefixes`") }?;
        asked.prefixes.extend(prefix.map(str::to_owned));
    }
    Ok(asked)
}

/// Makes a copy of a model that has the clips of another besides its own, behind them, each moving the nodes of the names its bones have. A clip that moves no node is a mistake, and nothing is made.
/// `options` may be null. What was lost is told by `maquette_loss` of the new model, which is freed with `maquette_free`; where it fails, `out` becomes null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_apply_clips(
    model: *const MaquetteModel,
    clips: *const MaquetteModel,
    options: *const MaquetteApplyOptions,
    out: *mut *mut MaquetteModel,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let (model, clips, options, name) = unsafe {
            give(out, null_mut())?;
            let options = self::options(options, DEFAULT, "maquette_apply_options")?;
            let name = text(options.name, "`name`")?.unwrap_or_default();
            (handle(model, "the model")?, handle(clips, "the model that has the clips")?, options, name)
        };
        let asked = asked(&options)?;
        if clips.scene.clips.is_empty() {
            return Err(argument("the model that is to give clips has none"));
        }
        let (mut scene, mut losses) = (model.scene.clone(), LossReport::default());
        let added = ops::add_clips(&mut scene, &clips.scene, name, &asked, &mut losses);
        if let Some(lost) = added.into_iter().find(|added| added.moved_nodes == 0 && !added.unmatched.is_empty()) {
            let clip = scene.clips.get(lost.clip).map_or("", |clip| clip.name.as_str());
            let nodes = scene.nodes.handles().map(|node| scene.node_name(node).into_owned()).collect();
            return Err(Error::NoBoneMatches { file: format!("clip {clip:?}"), bones: lost.unmatched, nodes }.into());
        }
        let made = MaquetteModel::new(scene, &losses, model.format.as_str(), model.dialect.as_str());
        // SAFETY: as above.
        unsafe { give(out, hand_out(made)) }
    })
}
