//! Clips as they were made: tracks and keys, without a copy.

use crate::error::Why;
use crate::guard::done;
use crate::model::MaquetteModel;
use crate::pointers::{borrow, give, handle, nth};
use crate::text::{self, index};
use maquette::scene::clip::{Blend, Clip, Curve, Interpolation, Keys, Target, Track};
use std::ffi::c_char;
use std::ptr::null;

/// A clip.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteClip {
    /// Its name; may be empty.
    pub name: *const c_char,
    /// In seconds.
    pub duration: f64,
    /// 1 if it is meant to repeat, 0 if not, -1 where the format does not say.
    pub looped: i32,
    /// Frames a second; 0 where the format has no frames.
    pub frame_rate: f32,
    /// How many properties of nodes it moves: see `maquette_track`.
    pub track_count: usize,
    /// How many keys they have together.
    pub key_count: usize,
    /// How many events it has.
    pub event_count: usize,
}

/// What a track moves of a node.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteProperty {
    /// From the origin of the parent, in its axes: three numbers.
    Translation = 0,
    /// A unit quaternion, xyzw: four numbers.
    Rotation = 1,
    /// Sizes along each axis: three numbers.
    Scale = 2,
    /// How much of each morph target of its mesh: as many numbers as there are targets.
    MorphWeights = 3,
}

/// How a track goes from key to key; before the first and after the last it stays.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteInterpolation {
    /// It jumps at the next.
    Step = 0,
    /// Straight, or along the shorter arc.
    Linear = 1,
    /// Along Hermite splines, by the tangents of keys.
    CubicSpline = 2,
}

/// How values are combined with the rest pose.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteBlend {
    /// They replace it.
    Absolute = 0,
    /// Translations are added to it; the rest replaces it.
    Relative = 1,
    /// Translations are added to it, rotations turn it further.
    Additive = 2,
    /// As relative; the root carries the motion of the whole.
    Delta = 3,
}

/// The keys of one property of one node.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteTrack {
    /// The node that moves; -1 where the file holds animation alone.
    pub node: i32,
    /// The name of the node, or of the bone of another model.
    pub target: *const c_char,
    /// What moves.
    pub property: MaquetteProperty,
    /// How it goes from key to key.
    pub interpolation: MaquetteInterpolation,
    /// How values are combined with the rest pose.
    pub blend: MaquetteBlend,
    /// How many keys there are.
    pub key_count: usize,
    /// How many numbers a value has.
    pub component_count: usize,
    /// When each key is, in seconds.
    pub times: *const f32,
    /// One value after the other, with splines three for each key: the tangent before it, itself, the tangent after it. Null for morph weights: `maquette_key` has them.
    pub values: *const f32,
}

/// One key. Pointers lead to as many numbers as the track has components.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteKey {
    /// In seconds from the start of the clip.
    pub time: f64,
    /// Its value.
    pub value: *const f32,
    /// The tangent before it; null but for splines.
    pub tangent_before: *const f32,
    /// The tangent after it; null but for splines.
    pub tangent_after: *const f32,
}

/// How many clips there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_clip_count(model: *const MaquetteModel) -> usize {
    // SAFETY: what the library's page asks for.
    unsafe { borrow(model) }.map_or(0, |model| model.scene.clips.len())
}

/// A clip of a model, and the model.
unsafe fn clip_of<'m>(model: *const MaquetteModel, at: usize) -> Result<(&'m MaquetteModel, &'m Clip), Why> {
    // SAFETY: what the library's page asks for.
    let model = unsafe { handle(model, "the model") }?;
    Ok((model, nth(model.scene.clips.as_slice(), at, "clip")?))
}

/// Writes a clip; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_clip(model: *const MaquetteModel, at: usize, out: *mut MaquetteClip) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let (model, clip) = unsafe { clip_of(model, at) }?;
        let made = MaquetteClip {
            name: text::at(&model.clip_names, at),
            duration: clip.duration_secs,
            looped: clip.looped.map_or(-1, i32::from),
            frame_rate: clip.frame_rate.unwrap_or(0.0),
            track_count: clip.tracks.len(),
            key_count: clip.tracks.iter().map(|track| track.curve.times_secs().len()).sum(),
            event_count: clip.events.len(),
        };
        // SAFETY: as above.
        unsafe { give(out, made) }
    })
}

/// Something that happens at a moment of a clip.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteEvent {
    /// In seconds from the start of the clip.
    pub time: f32,
    /// What is to be done: `footstep`.
    pub name: *const c_char,
}

/// Writes an event of a clip; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_event(
    model: *const MaquetteModel,
    clip: usize,
    at: usize,
    out: *mut MaquetteEvent,
) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let (model, made) = unsafe { clip_of(model, clip) }?;
        let event = nth(&made.events, at, "event of the clip")?;
        let names = nth(&model.event_names, clip, "clip")?;
        // SAFETY: as above.
        unsafe { give(out, MaquetteEvent { time: event.time_secs, name: text::at(names, at) }) }
    })
}

/// Writes a track of a clip; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_track(
    model: *const MaquetteModel,
    clip: usize,
    at: usize,
    out: *mut MaquetteTrack,
) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let (model, made) = unsafe { clip_of(model, clip) }?;
        let track = nth(&made.tracks, at, "track of the clip")?;
        let node = match track.target {
            Target::Node(node) => Some(node.index()),
            Target::Name(_) => None,
        };
        let target = match node {
            Some(node) => text::at(&model.node_names, node),
            None => text::at(nth(&model.target_names, clip, "clip")?, at),
        };
        let (property, component_count, values) = shape(track);
        let times = track.curve.times_secs();
        let made = MaquetteTrack {
            node: index(node),
            target,
            property,
            interpolation: match track.curve.interpolation() {
                Interpolation::Step => MaquetteInterpolation::Step,
                Interpolation::Linear => MaquetteInterpolation::Linear,
                Interpolation::CubicSpline => MaquetteInterpolation::CubicSpline,
            },
            blend: match track.blend.unwrap_or(made.blend) {
                Blend::Absolute => MaquetteBlend::Absolute,
                Blend::Relative => MaquetteBlend::Relative,
                Blend::Additive => MaquetteBlend::Additive,
                Blend::Delta => MaquetteBlend::Delta,
            },
            key_count: times.len(),
            component_count,
            times: times.as_ptr(),
            values,
        };
        // SAFETY: as above.
        unsafe { give(out, made) }
    })
}

/// What a track moves, how many numbers that are, and where its values lie in a row.
fn shape(track: &Track) -> (MaquetteProperty, usize, *const f32) {
    match &track.curve {
        Curve::Translation(keys) => (MaquetteProperty::Translation, 3, keys.values.as_ptr().cast()),
        Curve::Rotation(keys) => (MaquetteProperty::Rotation, 4, keys.values.as_ptr().cast()),
        Curve::Scale(keys) => (MaquetteProperty::Scale, 3, keys.values.as_ptr().cast()),
        Curve::MorphWeights(keys) => (MaquetteProperty::MorphWeights, keys.values.first().map_or(0, Vec::len), null()),
    }
}

/// Writes a key of a track; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_key(
    model: *const MaquetteModel,
    clip: usize,
    track: usize,
    at: usize,
    out: *mut MaquetteKey,
) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let (_, clip) = unsafe { clip_of(model, clip) }?;
        let made = match &nth(&clip.tracks, track, "track of the clip")?.curve {
            Curve::Translation(keys) | Curve::Scale(keys) => key(keys, at, |value| value),
            Curve::Rotation(keys) => key(keys, at, |value| value),
            Curve::MorphWeights(keys) => key(keys, at, |value| value),
        };
        // SAFETY: as above.
        unsafe { give(out, made?) }
    })
}

fn key<T>(keys: &Keys<T>, at: usize, numbers: impl Fn(&T) -> &[f32]) -> Result<MaquetteKey, Why> {
    let time = f64::from(*nth(&keys.times_secs, at, "key of the track")?);
    let of = |at: usize| keys.values.get(at).map_or(null(), |value| numbers(value).as_ptr());
    Ok(match keys.interpolation {
        Interpolation::CubicSpline => {
            MaquetteKey { time, value: of(3 * at + 1), tangent_before: of(3 * at), tangent_after: of(3 * at + 2) }
        }
        _ => MaquetteKey { time, value: of(at), tangent_before: null(), tangent_after: null() },
    })
}
