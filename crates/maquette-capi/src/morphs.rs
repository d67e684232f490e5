//! Morph targets of meshes, and how much of each there is at a moment.

use crate::error::MaquetteStatus;
use crate::geometry::{mesh_of, part_of};
use crate::guard::{done, status};
use crate::mixer::MaquetteMixer;
use crate::model::MaquetteModel;
use crate::play::clip_or_rest;
use crate::pointers::{borrow, give, handle, handle_mut, nth, numbers_mut};
use crate::text;
use maquette::scene::mesh::Mesh;
use std::ffi::c_char;
use std::ptr::null;

/// A shape that is mixed into a part of a mesh: what is added to each vertex, times its weight. Pointers are null where there is no such stream.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteMorph {
    /// Its name; may be empty.
    pub name: *const c_char,
    /// How much of it is mixed in at rest.
    pub weight: f32,
    /// Added to positions, three numbers a vertex.
    pub positions: *const f32,
    /// Added to normals, three numbers a vertex.
    pub normals: *const f32,
    /// Added to the direction of tangents, three numbers a vertex.
    pub tangents: *const f32,
}

/// How many there are: all parts have the same.
fn count(mesh: &Mesh) -> usize {
    let targets = mesh.primitives.iter().map(|part| part.morph_targets.len());
    targets.max().unwrap_or(0)
}

/// How many morph targets a mesh has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_morph_count(model: *const MaquetteModel, mesh: usize) -> usize {
    // SAFETY: what the library's page asks for.
    let mesh = unsafe { borrow(model) }.and_then(|model| model.scene.meshes.as_slice().get(mesh));
    mesh.map_or(0, count)
}

/// Writes a morph target of a part of a mesh; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_morph(
    model: *const MaquetteModel,
    mesh: usize,
    part: usize,
    at: usize,
    out: *mut MaquetteMorph,
) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let (whole, part) = unsafe { (mesh_of(model, mesh)?, part_of(model, mesh, part)?) };
        let target = nth(&part.morph_targets, at, "morph target")?;
        // SAFETY: as above.
        let names = nth(&unsafe { handle(model, "the model") }?.morph_names, mesh, "mesh")?;
        let made = MaquetteMorph {
            name: names.get(at).map_or(c"".as_ptr(), text::Text::as_ptr),
            weight: whole.morph_weights.get(at).copied().unwrap_or(0.0),
            positions: target.positions.as_ptr().cast(),
            normals: target.normals.as_ref().map_or(null(), |normals| normals.as_ptr().cast()),
            tangents: target.tangents.as_ref().map_or(null(), |tangents| tangents.as_ptr().cast()),
        };
        // SAFETY: as above.
        unsafe { give(out, made) }
    })
}

/// How much of each morph target there is at rest.
fn at_rest(mesh: &Mesh, weights: &mut [f32]) {
    let rest = mesh.morph_weights.iter().copied().chain(std::iter::repeat(0.0));
    weights.iter_mut().zip(rest).for_each(|(weight, rest)| *weight = rest);
}

/// Writes how much of each morph target of a mesh there is at a moment of a clip; -1 is the rest. `weights` has room for `maquette_morph_count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_morph_weights(
    model: *const MaquetteModel,
    clip: i32,
    time: f32,
    mesh: usize,
    weights: *mut f32,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let (model, whole) = unsafe { (handle(model, "the model")?, mesh_of(model, mesh)?) };
        let clip = clip_or_rest(model, clip, time)?;
        // SAFETY: the caller gives room for as many.
        let weights = unsafe { numbers_mut(weights, count(whole)) }?;
        at_rest(whole, weights);
        if let Some(clip) = clip {
            model.scratches.with(|scratch| {
                clip.sample(&mut scratch.cursor, time, &mut []);
                clip.morph_weights(&scratch.cursor, mesh as u32, weights);
            });
        }
        Ok(())
    })
}

/// Writes how much of each morph target of a mesh there is, as the last `maquette_update` left it: channels share by their weights, those on an additive layer add theirs; masks are of nodes and do not
/// count. `weights` has room for `maquette_morph_count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_mixer_morph_weights(
    mixer: *mut MaquetteMixer,
    mesh: usize,
    weights: *mut f32,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for; the model outlives the mixer.
        let mixer = unsafe { handle_mut(mixer, "the mixer") }?;
        // SAFETY: as above.
        let (model, whole) = unsafe { (handle(mixer.model, "the model")?, mesh_of(mixer.model, mesh)?) };
        // SAFETY: the caller gives room for as many.
        let weights = unsafe { numbers_mut(weights, count(whole)) }?;
        at_rest(whole, weights);
        mixer.mixer.morph_weights(&model.playing()?.clips, mesh as u32, weights);
        Ok(())
    })
}
