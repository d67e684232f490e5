//! A file as a motion to be edited, in all its precision, and back into the same file: names, flags, modifiers, notes, the custom block and what follows stay as they are
//! unless the edit is about them. No scene is made.

mod bones;
mod frames;

use super::check::KEY_NOT_FINITE;
use super::extras;
use super::raw::blend::{BlendShape, Trailer};
use super::raw::keys::Keys as RawKeys;
use super::raw::{Channel, File, LOOPED, Note, PRESENCE_NOTES};
use crate::format::{Error, Result, refuse};
use crate::trailing;
use frames::Frames;
use maquette_motion::{Blend, Bone, Curve, Event, Keys, Motion, Track};
use maquette_scene::glam::{DQuat, DVec3};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::{Diagnostic, path};
use std::borrow::Cow;
use std::collections::HashMap;

/// What takes the place of a frame rate that gives no times.
const ASSUMED_RATE: f32 = 30.0;
const SUBJECT: &str = "the clip";

/// The motion of a file. Keys are put into order, of several on one frame the last is kept.
pub fn read(file: &File<'_>, losses: &mut LossReport) -> Result<Motion> {
    let rate = f64::from(file.usable_framerate().unwrap_or(ASSUMED_RATE));
    let stated = file.framerate.get();
    let detail = format!("{stated} frames a second give no times; {ASSUMED_RATE} are assumed");
    losses.dropped(Lost::FrameRates, SUBJECT, detail, u64::from(file.usable_framerate().is_none()));
    let blends = extras::blends(file.modifiers.iter().map(|modifier| (modifier.index, modifier.anim_type_override)));
    let mut motion = Motion {
        blend: extras::blend_of(file.anim_type).unwrap_or_default(),
        looped: Some(file.anim_flags & LOOPED != 0),
        frame_rate: Some(rate),
        on_frames: true,
        ..Motion::default()
    };
    let mut put_right = 0;
    for (index, bone) in file.bones.iter().enumerate() {
        motion.bones.push(Bone {
            name: String::from_utf8_lossy(&bone.name).into_owned(),
            origin: Some(index),
            blend: blends.get(&(index as u32)).copied(),
            is_shape: false,
        });
        for channel in Channel::ALL {
            let keys = bone.keys(channel);
            if let Some(key) = keys.iter().position(|key| !key.value.iter().all(|component| component.is_finite())) {
                let at = path!("bones", index, channel.name(), key, "value");
                let finding = Diagnostic::new(&KEY_NOT_FINITE, at, "the value is not finite");
                return Err(refuse(file, finding.expected("finite numbers")));
            }
            if keys.is_empty() {
                continue;
            }
            let vector = |[x, y, z, _]: [f64; 4]| DVec3::new(x, y, z);
            let curve = match channel {
                Channel::Loc => Curve::Translation(in_order(keys, rate, &mut put_right, vector)),
                Channel::Rot => Curve::Rotation(in_order(keys, rate, &mut put_right, DQuat::from_array)),
                Channel::Scale => Curve::Scale(in_order(keys, rate, &mut put_right, vector)),
            };
            motion.tracks.push(Track { bone: index, curve });
        }
    }
    let detail = "keys are put into the order of their frames, and of several on one frame the last is kept";
    losses.push(LossKind::Approximated { max_error: 0.0 }, Lost::Keys, SUBJECT, detail, put_right);
    shapes(file, rate, &mut motion);
    let secs = |frame: u32| f64::from(frame) / rate;
    motion.events = file
        .notes
        .iter()
        .map(|note| Event { time_secs: secs(note.frame), name: String::from_utf8_lossy(&note.name).into_owned() })
        .collect();
    motion.duration_secs = motion.last_secs().max(secs(file.frame_count.saturating_sub(1)));
    Ok(motion)
}

/// The keys of a channel by their frames; how many were out of order or in the way of another is added up.
fn in_order<T>(keys: &RawKeys<'_>, rate: f64, put_right: &mut u64, value: impl Fn([f64; 4]) -> T) -> Keys<T> {
    let mut sorted: Vec<_> = keys.iter().collect();
    let is_rising = sorted.windows(2).all(|pair| matches!(pair, [a, b] if a.frame < b.frame));
    if !is_rising {
        *put_right += sorted.windows(2).filter(|pair| matches!(pair, [a, b] if a.frame >= b.frame)).count() as u64;
        sorted.sort_by_key(|key| key.frame);
        sorted.reverse();
        sorted.dedup_by_key(|key| key.frame);
        sorted.reverse();
    }
    Keys {
        times_secs: sorted.iter().map(|key| f64::from(key.frame) / rate).collect(),
        values: sorted.iter().map(|key| value(key.value)).collect(),
        interpolation: Default::default(),
    }
}

fn shapes(file: &File<'_>, rate: f64, motion: &mut Motion) {
    let Trailer::Blend(shapes) = &file.trailer else { return };
    for (index, shape) in shapes.iter().enumerate() {
        let name = String::from_utf8_lossy(&shape.name).into_owned();
        let origin = Some(file.bones.len() + index);
        motion.bones.push(Bone { name, origin, blend: None, is_shape: true });
        let mut keys: Vec<_> = shape.keys.iter().map(|key| (key.frame.get(), key.value)).collect();
        keys.sort_by_key(|(frame, _)| *frame);
        keys.dedup_by_key(|(frame, _)| *frame);
        let keys = keys.into_iter().map(|(frame, value)| {
            (f64::from(frame) / rate, value.iter().map(|number| f64::from(number.get())).collect::<Vec<_>>())
        });
        let keys = Keys::straight(keys);
        if !keys.times_secs.is_empty() {
            motion.tracks.push(Track { bone: motion.bones.len() - 1, curve: Curve::MorphWeights(keys) });
        }
    }
}

/// The file with another motion in it.
pub fn write(file: &File<'_>, motion: &Motion, losses: &mut LossReport) -> Result<Vec<u8>> {
    let mut frames = Frames::of(motion, file)?;
    let mut made = File {
        framerate: frames.rate.into(),
        frame_count: frames.count(motion)?,
        bones: Vec::new(),
        modifiers: Vec::new(),
        notes: notes(file, motion, &frames)?,
        anim_flags: file.anim_flags & !LOOPED | if motion.looped == Some(true) { LOOPED } else { 0 },
        ..file.clone()
    };
    if extras::blend_of(file.anim_type).unwrap_or_default() != motion.blend {
        made.anim_type = extras::type_of(motion.blend);
    }
    if !made.notes.is_empty() && file.notes.is_empty() {
        made.data_presence_flags |= PRESENCE_NOTES;
    }
    bones::write(file, motion, &mut frames, &mut made)?;
    write_shapes(file, motion, &mut frames, &mut made)?;
    frames.report(losses);
    let bytes = made.encode();
    if made.trailing.is_empty() || File::parse(&bytes).is_ok() {
        return Ok(bytes);
    }
    // Behind a shorter file, bytes that belong to nothing may be too many for it to be known.
    trailing::lose(&made.trailing, losses);
    made.trailing = Cow::default();
    Ok(made.encode())
}

/// The notes, with the bytes of their names as they were.
fn notes<'f>(file: &File<'f>, motion: &Motion, frames: &Frames) -> Result<Vec<Note<'f>>> {
    let known: HashMap<Cow<'_, str>, &Cow<'f, [u8]>> =
        file.notes.iter().rev().map(|note| (String::from_utf8_lossy(&note.name), &note.name)).collect();
    let note = |event: &Event| {
        let name = known.get(event.name.as_str()).map(|name| (*name).clone());
        Ok(Note { frame: frames.at(event.time_secs)?, name: name.unwrap_or_else(|| text(&event.name)) })
    };
    motion.events.iter().map(note).collect()
}

/// Text that ends at a NUL.
fn text(name: &str) -> Cow<'static, [u8]> {
    Cow::Owned(name.replace('\0', "_").into_bytes())
}

fn write_shapes(file: &File<'_>, motion: &Motion, frames: &mut Frames, made: &mut File<'_>) -> Result<()> {
    let stored = match &file.trailer {
        Trailer::Blend(shapes) => shapes.as_slice(),
        Trailer::None => &[],
        Trailer::Damaged { .. } => return Ok(()),
    };
    let mut shapes = Vec::new();
    for (index, bone) in motion.bones.iter().enumerate().filter(|(_, bone)| bone.is_shape) {
        let before = bone.origin.and_then(|origin| stored.get(origin.checked_sub(file.bones.len())?));
        let name = match before.filter(|before| String::from_utf8_lossy(&before.name) == bone.name) {
            Some(before) => Cow::Owned(before.name.to_vec()),
            None => text(&bone.name),
        };
        let mut keys = Vec::new();
        for track in motion.tracks.iter().filter(|track| track.bone == index) {
            if let Curve::MorphWeights(curve) = &track.curve {
                keys.extend(frames.shape_keys(curve)?);
            }
        }
        shapes.push(BlendShape { name, keys: Cow::Owned(keys) });
    }
    if !shapes.is_empty() || matches!(file.trailer, Trailer::Blend(_)) {
        made.trailer = Trailer::Blend(shapes);
    }
    Ok(())
}

/// More than a file can count.
fn too_many(what: &str, count: usize, most: u32) -> Error {
    Error::CannotHold(format!("{count} {what}, and SEAnim counts up to {most} at this length"))
}

/// The blend that a modifier's type stands for is that of the bone, or neither says anything.
fn agrees(anim_type: u8, blend: Option<Blend>) -> bool {
    extras::blend_of(anim_type) == blend
}

#[cfg(test)]
mod tests;
