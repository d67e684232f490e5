//! Clips, and mixers that play them.

use crate::error::{MaquetteStatus, argument};
use crate::guard::{guarded, status};
use crate::model::MaquetteModel;
use crate::pointers::{borrow, borrow_mut, hand_out, numbers_mut, put, take};
use crate::text;
use maquette::scene::glam::Mat4;
use maquette_anim::Transform;
use maquette_anim::clip::Cursor;
use maquette_anim::mixer::{Easing, Layer, Mixer};
use std::ffi::c_char;

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
    /// How many properties of nodes it moves.
    pub track_count: usize,
    /// How many keys they have together.
    pub key_count: usize,
    /// How many events it has.
    pub event_count: usize,
}

/// How many clips there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_clip_count(model: *const MaquetteModel) -> usize {
    // SAFETY: what the library's page asks for.
    unsafe { borrow(model) }.map_or(0, |model| model.scene.clips.len())
}

/// Writes a clip; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_clip(model: *const MaquetteModel, at: usize, out: *mut MaquetteClip) -> bool {
    // SAFETY: what the library's page asks for.
    let Some(model) = (unsafe { borrow(model) }) else { return false };
    let Some(clip) = model.scene.clips.as_slice().get(at) else { return false };
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
    unsafe { put(out, made) }
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
    // SAFETY: what the library's page asks for.
    let Some(model) = (unsafe { borrow(model) }) else { return false };
    let event = model.scene.clips.as_slice().get(clip).and_then(|clip| clip.events.get(at));
    let (Some(event), Some(names)) = (event, model.event_names.get(clip)) else { return false };
    // SAFETY: as above.
    unsafe { put(out, MaquetteEvent { time: event.time_secs, name: text::at(names, at) }) }
}

/// Writes the palette of a skin at a moment of a clip: for each joint of the skin 16 numbers, column by column, which take each vertex from where it was bound to where it is.
/// A clip of -1 is the rest pose. `palette` has room for 16 numbers for each joint of the skin.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_palette(
    model: *const MaquetteModel,
    clip: i32,
    time: f32,
    skin: usize,
    palette: *mut f32,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let model = unsafe { borrow(model) }.ok_or_else(|| argument("the model is null"))?;
        let playing = model.playing()?;
        let mut pose = playing.skeleton.rest().to_vec();
        if let Ok(clip) = usize::try_from(clip) {
            let clip = playing.clips.get(clip).ok_or_else(|| argument("there is no such clip"))?;
            clip.sample(&mut Cursor::new(clip), time, &mut pose);
        }
        let mut joints = vec![Mat4::IDENTITY; pose.len()];
        playing.skeleton.model_from_joints(&pose, &mut joints);
        // SAFETY: as above.
        unsafe { write_palette(model, skin, &joints, palette) }
    })
}

unsafe fn write_palette(
    model: &MaquetteModel,
    skin: usize,
    joints: &[Mat4],
    palette: *mut f32,
) -> Result<(), (MaquetteStatus, String)> {
    let skin = model.playing()?.skins.get(skin).ok_or_else(|| argument("there is no such skin"))?;
    // SAFETY: the caller gives room for 16 numbers for each joint of the skin.
    let room = unsafe { numbers_mut(palette, skin.joints.len() * 16) };
    let room = room.ok_or_else(|| argument("there is no room for the palette"))?;
    let mut made = vec![Mat4::IDENTITY; skin.joints.len()];
    skin.palette(joints, &mut made);
    for (to, from) in room.as_chunks_mut().0.iter_mut().zip(&made) {
        *to = from.to_cols_array();
    }
    Ok(())
}

/// Plays clips of a model, several at once. For one thread at a time.
pub struct MaquetteMixer {
    model: *const MaquetteModel,
    mixer: Mixer,
    pose: Vec<Transform>,
    joints: Vec<Mat4>,
}

/// What plays in a channel: read it, change it, and write it back.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteChannel {
    /// Which of the clips.
    pub clip: u32,
    /// Whether time goes on.
    pub is_playing: bool,
    /// Whether it begins anew at its end; otherwise it stays there.
    pub is_looping: bool,
    /// Whether it adds to what is there; its clip holds differences then.
    pub is_additive: bool,
    /// Where it is, in seconds.
    pub time: f32,
    /// Seconds of the clip for each second; backwards below 0.
    pub speed: f32,
    /// How much of it; 0 or less is nothing.
    pub weight: f32,
}

/// How a fade goes from one clip to another.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteEasing {
    /// At an even pace.
    Linear = 0,
    /// Slowly at both ends.
    Smooth = 1,
    /// More so.
    Smoother = 2,
}

/// Makes a mixer with so many channels, none of which plays. The model must outlive it. Where it fails, `mixer` becomes null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_mixer(
    model: *const MaquetteModel,
    channel_count: usize,
    mixer: *mut *mut MaquetteMixer,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let (borrowed, has_room) = unsafe { (borrow(model), put(mixer, std::ptr::null_mut())) };
        let borrowed = borrowed.filter(|_| has_room);
        let borrowed = borrowed.ok_or_else(|| argument("the model is null, or there is no room for the mixer"))?;
        if channel_count > MOST_CHANNELS {
            return Err(argument("a mixer has at most 1024 channels"));
        }
        let playing = borrowed.playing()?;
        let made = MaquetteMixer {
            model,
            mixer: Mixer::new(&playing.skeleton, &playing.clips, channel_count),
            pose: playing.skeleton.rest().to_vec(),
            joints: vec![Mat4::IDENTITY; playing.skeleton.joint_count()],
        };
        // SAFETY: as above.
        unsafe { put(mixer, hand_out(made)) };
        Ok(())
    })
}

const MOST_CHANNELS: usize = 1024;

/// Frees a mixer; null is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_free_mixer(mixer: *mut MaquetteMixer) {
    // SAFETY: what the library's page asks for.
    guarded((), || drop(unsafe { take(mixer) }));
}

/// Writes what a channel plays; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_channel(mixer: *const MaquetteMixer, at: usize, out: *mut MaquetteChannel) -> bool {
    // SAFETY: what the library's page asks for.
    let Some(channel) = unsafe { borrow(mixer) }.and_then(|mixer| mixer.mixer.channels().get(at)) else { return false };
    let made = MaquetteChannel {
        clip: u32::try_from(channel.clip).unwrap_or(u32::MAX),
        is_playing: channel.is_playing,
        is_looping: channel.is_looping,
        is_additive: channel.layer == Layer::Additive,
        time: channel.time_secs,
        speed: channel.speed,
        weight: channel.weight,
    };
    // SAFETY: as above.
    unsafe { put(out, made) }
}

/// Sets what a channel plays; false beyond the last, or where there is no such clip.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_set_channel(
    mixer: *mut MaquetteMixer,
    at: usize,
    channel: *const MaquetteChannel,
) -> bool {
    // SAFETY: what the library's page asks for; the model outlives the mixer.
    let Some((mixer, asked)) = (unsafe { borrow_mut(mixer).zip(borrow(channel)) }) else { return false };
    // SAFETY: as above.
    let clips = unsafe { borrow(mixer.model) }.map_or(0, |model| model.scene.clips.len());
    let Some(channel) = mixer.mixer.channels_mut().get_mut(at).filter(|_| (asked.clip as usize) < clips) else {
        return false;
    };
    channel.clip = asked.clip as usize;
    (channel.is_playing, channel.is_looping) = (asked.is_playing, asked.is_looping);
    channel.layer = if asked.is_additive { Layer::Additive } else { Layer::Base };
    (channel.time_secs, channel.speed, channel.weight) = (asked.time, asked.speed, asked.weight);
    true
}

/// Gives each joint a part of the weight of a channel, by the order of nodes; `weights` of null takes the mask away. False beyond the last channel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_set_mask(mixer: *mut MaquetteMixer, at: usize, weights: *const f32) -> bool {
    guarded(false, || {
        // SAFETY: what the library's page asks for.
        let Some(mixer) = (unsafe { borrow_mut(mixer) }) else { return false };
        let count = mixer.joints.len();
        let Some(channel) = mixer.mixer.channels_mut().get_mut(at) else { return false };
        // SAFETY: the caller gives a number for each node.
        let mask = (!weights.is_null()).then(|| unsafe { std::slice::from_raw_parts(weights, count) });
        channel.mask = mask.map(<[f32]>::to_vec);
        true
    })
}

/// Gives a channel all weight at once, and takes it from the others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_cut_to(mixer: *mut MaquetteMixer, channel: usize) {
    // SAFETY: what the library's page asks for.
    guarded((), || unsafe { borrow_mut(mixer) }.into_iter().for_each(|mixer| mixer.mixer.cut_to(channel)));
}

/// Gives a channel all weight within so many seconds, and takes it from the others. `easing` is a `MaquetteEasing`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_fade_to(mixer: *mut MaquetteMixer, channel: usize, seconds: f32, easing: i32) {
    // A number that is none of them must do no harm.
    let easing = match easing {
        smooth if smooth == MaquetteEasing::Smooth as i32 => Easing::Smooth,
        smoother if smoother == MaquetteEasing::Smoother as i32 => Easing::Smoother,
        _ => Easing::Linear,
    };
    guarded((), || {
        // SAFETY: what the library's page asks for.
        unsafe { borrow_mut(mixer) }.into_iter().for_each(|mixer| mixer.mixer.fade_to(channel, seconds, easing));
    });
}

/// Lets time go on, and places all joints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_update(mixer: *mut MaquetteMixer, seconds: f32) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for; the model outlives the mixer.
        let mixer = unsafe { borrow_mut(mixer) }.ok_or_else(|| argument("the mixer is null"))?;
        // SAFETY: as above.
        let model = unsafe { borrow(mixer.model) }.ok_or_else(|| argument("the model is null"))?;
        let playing = model.playing()?;
        mixer.mixer.update(&playing.skeleton, &playing.clips, seconds, &mut mixer.pose);
        playing.skeleton.model_from_joints(&mixer.pose, &mut mixer.joints);
        Ok(())
    })
}

/// Writes the palette of a skin as the last `maquette_update` left it: 16 numbers for each joint of the skin, column by column.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_mixer_palette(
    mixer: *const MaquetteMixer,
    skin: usize,
    palette: *mut f32,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for; the model outlives the mixer.
        let mixer = unsafe { borrow(mixer) }.ok_or_else(|| argument("the mixer is null"))?;
        // SAFETY: as above.
        let model = unsafe { borrow(mixer.model) }.ok_or_else(|| argument("the model is null"))?;
        // SAFETY: as above.
        unsafe { write_palette(model, skin, &mixer.joints, palette) }
    })
}

/// Writes where a node is, as the last `maquette_update` left it: node space to model space, 16 numbers, column by column. For what a hand holds. False beyond the last node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_mixer_node(mixer: *const MaquetteMixer, node: usize, matrix: *mut f32) -> bool {
    // SAFETY: what the library's page asks for.
    let Some(mixer) = (unsafe { borrow(mixer) }) else { return false };
    // SAFETY: the caller gives room for 16.
    let (Some(joint), Some(room)) = (mixer.joints.get(node), unsafe { numbers_mut(matrix, 16) }) else { return false };
    room.copy_from_slice(&joint.to_cols_array());
    true
}

/// Writes an event that the last `maquette_update` passed, in channels that can be seen, and the channel; false beyond the last. `channel` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_mixer_event(
    mixer: *const MaquetteMixer,
    at: usize,
    channel: *mut usize,
    out: *mut MaquetteEvent,
) -> bool {
    guarded(false, || {
        // SAFETY: what the library's page asks for; the model outlives the mixer.
        let Some(mixer) = (unsafe { borrow(mixer) }) else { return false };
        // SAFETY: as above.
        let Some(model) = (unsafe { borrow(mixer.model) }) else { return false };
        let Ok(playing) = model.playing() else { return false };
        let Some((of, event)) = mixer.mixer.events(&playing.clips).nth(at) else { return false };
        let clip = mixer.mixer.channels().get(of).map_or(usize::MAX, |channel| channel.clip);
        let known = playing.clips.get(clip).map(|clip| clip.events()).unwrap_or_default();
        let place = known.iter().position(|known| std::ptr::eq(known, event));
        let names = playing.event_names.get(clip).map(Vec::as_slice).unwrap_or_default();
        let name = place.map_or(std::ptr::null(), |place| text::at(names, place));
        // SAFETY: as above.
        unsafe {
            put(channel, of);
            put(out, MaquetteEvent { time: event.time_secs, name })
        }
    })
}
