//! The specimen's motion as a SEAnim file: three bones with all channels, notes where it leans furthest, looped.

use super::raw::blend::Trailer;
use super::raw::keys::{Key, Keys};
use super::raw::{Bone, Channel, Dialect, File, HeaderSize, LOOPED, Modifier, Note, PRESENCE_NOTES, Unstored};
use crate::format::Bundle;
use crate::specimen;
use std::borrow::Cow;

/// A small animation in the dialect of this id; in 1.0.2 for an unknown one.
pub fn sample(dialect: &str) -> Bundle {
    model(Dialect::from_id(dialect).unwrap_or(Dialect::Corrected)).encode().into()
}

/// The specimen, ready to change and encode.
///
/// The two dialects are the same but for a few lengths, so the specimen of 1.0.1 is given one of these: 256 frames,
/// the last of them held by a note.
pub fn model(dialect: Dialect) -> File<'static> {
    let (framerate, frame_count): (f32, u32) = match dialect {
        Dialect::Corrected => (30.0, 61),
        Dialect::First => (120.0, 256),
    };
    let frame = |secs: f32| (secs * framerate) as u32;
    let mut notes = vec![note(frame(0.5), "lean_left"), note(frame(1.5), "lean_right")];
    if dialect == Dialect::First {
        notes.push(note(frame_count - 1, "end"));
    }
    let mut file = File {
        dialect,
        evidence: "made as such".into(),
        header_size: HeaderSize::WithItself,
        anim_type: 0,
        anim_flags: LOOPED,
        data_presence_flags: Channel::ALL.iter().fold(PRESENCE_NOTES, |flags, channel| flags | channel.flag()),
        data_property_flags: 0,
        reserved1: [0; 2],
        framerate: framerate.into(),
        frame_count,
        reserved2: [0; 3],
        unstored: Unstored::default(),
        extra_header: Cow::Borrowed(&[]),
        bones: Vec::new(),
        // Says what holds anyway, so that every value is a local transform as the specimen has it.
        modifiers: vec![Modifier { index: 2, anim_type_override: 0 }],
        notes,
        custom: Cow::Borrowed(&[]),
        trailer: Trailer::None,
        trailing: Cow::default(),
    };
    let [loc, rot, scale] = Channel::ALL.map(|channel| Keys::new(file.shape(channel)));
    for joint in &specimen::JOINTS {
        let mut bone = Bone {
            name: Cow::Borrowed(joint.name.as_bytes()),
            flags: 0,
            loc: loc.clone(),
            rot: rot.clone(),
            scale: scale.clone(),
        };
        let [x, y, z] = joint.translation.map(f64::from);
        bone.loc.push(Key { frame: 0, value: [x, y, z, 0.0] });
        for (&secs, rotation) in specimen::KEY_TIMES.iter().zip(joint.rotations) {
            bone.rot.push(Key { frame: frame(secs), value: rotation.map(f64::from) });
        }
        bone.scale.push(Key { frame: 0, value: [1.0, 1.0, 1.0, 0.0] });
        file.bones.push(bone);
    }
    file
}

fn note(frame: u32, name: &'static str) -> Note<'static> {
    Note { frame, name: Cow::Borrowed(name.as_bytes()) }
}
