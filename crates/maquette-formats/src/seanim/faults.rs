//! For each SEAnim code, the smallest change to the specimen that raises it.

use super::check::*;
use super::raw::blend::{BlendKey, BlendShape, Trailer};
use super::raw::keys::{Key, Keys};
use super::raw::{Bone, Channel, Dialect, File, HeaderSize, Modifier, Note};
use super::sample::model;
use crate::format::Bundle;
use crate::{faults, trailing};
use std::borrow::Cow;

/// The specimen with one thing changed.
fn with(change: fn(&mut File<'static>)) -> Bundle {
    let mut file = model(Dialect::Corrected);
    change(&mut file);
    file.encode().into()
}

/// The specimen's bytes with one thing changed.
fn with_bytes(change: fn(&mut Vec<u8>)) -> Bundle {
    let mut bytes = model(Dialect::Corrected).encode();
    change(&mut bytes);
    bytes.into()
}

/// The specimen with one bone changed.
fn with_bone(index: usize, change: fn(&mut Bone<'static>)) -> Bundle {
    let mut file = model(Dialect::Corrected);
    file.bones.iter_mut().skip(index).take(1).for_each(change);
    file.encode().into()
}

/// The specimen with another first note.
fn with_note(frame: u32, name: &'static [u8]) -> Bundle {
    let mut file = model(Dialect::Corrected);
    file.notes.iter_mut().take(1).for_each(|note| *note = Note { frame, name: Cow::Borrowed(name) });
    file.encode().into()
}

/// The specimen with another third rotation key in its second bone.
fn with_turn(frame: u32, value: [f64; 4]) -> Bundle {
    let mut file = model(Dialect::Corrected);
    file.bones.iter_mut().skip(1).take(1).for_each(|bone| {
        bone.rot.set(2, Key { frame, value });
    });
    file.encode().into()
}

/// The specimen with blend shapes of these names, each with keys on these frames.
fn with_shapes(names: &[&'static [u8]], frames: &[u32], value: f32) -> Bundle {
    let key = |&frame: &u32| BlendKey { frame: frame.into(), value: [value.into(), 0.0.into(), 0.0.into()] };
    let shape =
        |&name: &&'static [u8]| BlendShape { name: Cow::Borrowed(name), keys: frames.iter().map(key).collect() };
    let mut file = model(Dialect::Corrected);
    file.trailer = Trailer::Blend(names.iter().map(shape).collect());
    file.encode().into()
}

fn clear(keys: &mut Keys<'_>) {
    *keys = Keys::new(keys.shape());
}

fn rename(file: &mut File<'_>, index: usize, name: &'static [u8]) {
    file.bones.iter_mut().skip(index).take(1).for_each(|bone| bone.name = Cow::Borrowed(name));
}

const NO_TURN: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

faults! {
    BAD_MAGIC: with_bytes(|bytes| bytes.splice(..6, *b"SEMode").for_each(drop));
    UNSUPPORTED_VERSION: with_bytes(|bytes| bytes.splice(6..8, [2, 0]).for_each(drop));
    TRUNCATED: with_bytes(|bytes| bytes.truncate(bytes.len() - 1));
    TRAILING_BYTES: with_bytes(trailing::append_too_many);
    HEADER_TOO_SMALL: with_bytes(|bytes| bytes.splice(8..10, [0x19, 0]).for_each(drop));
    TOO_MANY_ITEMS: with_bytes(|bytes| bytes.splice(24..28, [0xff; 4]).for_each(drop));

    HEADER_SIZE: with(|file| file.header_size = HeaderSize::WithoutItself);
    ANIM_TYPE_UNKNOWN: with(|file| file.anim_type = 4);
    ANIM_FLAGS_RESERVED: with(|file| file.anim_flags = 0x80);
    PRESENCE_FLAGS_RESERVED: with(|file| file.data_presence_flags |= 0x08);
    PROPERTY_FLAGS_RESERVED: with(|file| file.data_property_flags = 0x02);
    RESERVED_NOT_ZERO: with(|file| file.reserved2 = [0, 1, 0]);
    FRAMERATE_INVALID: with(|file| file.framerate = 0.0.into());
    NO_DATA: with(|file| {
        file.data_presence_flags = 0;
        file.bones.clear();
        file.modifiers.clear();
        file.notes.clear();
    });
    FRAME_WIDTH_DOUBTFUL: model(Dialect::First).encode().into();

    FRAME_COUNT_LARGE: with(|file| file.frame_count = 62);
    KEY_BEYOND_END: with(|file| file.frame_count = 60);
    MORE_KEYS_THAN_FRAMES: with(|file| file.frame_count = 4);

    BONES_WITHOUT_FLAG: with(|file| file.data_presence_flags &= !7);
    BONE_NAME_EMPTY: with(|file| rename(file, 1, b""));
    BONE_NAME_NOT_UTF8: with(|file| rename(file, 1, b"m\xefddle"));
    BONE_NAME_DUPLICATE: with(|file| rename(file, 1, b"base"));
    BONE_NAME_CASE: with(|file| rename(file, 1, b"Base"));
    BONE_FLAGS_UNKNOWN: with_bone(1, |bone| bone.flags = 2);
    BONE_WITHOUT_KEYS: with_bone(2, |bone| Channel::ALL.iter().for_each(|&channel| clear(bone.keys_mut(channel))));
    CHANNEL_UNUSED: with(|file| file.bones.iter_mut().for_each(|bone| clear(&mut bone.scale)));

    MODIFIER_BONE: with(|file| file.modifiers.push(Modifier { index: 3, anim_type_override: 0 }));
    MODIFIER_TYPE: with(|file| file.modifiers.push(Modifier { index: 1, anim_type_override: 4 }));
    MODIFIER_DUPLICATE: with(|file| file.modifiers.push(Modifier { index: 2, anim_type_override: 1 }));
    MODIFIER_WIDE: with(|file| {
        let still = file.bones.first().cloned().map(|mut bone| {
            Channel::ALL.iter().for_each(|&channel| clear(bone.keys_mut(channel)));
            bone
        });
        file.bones.extend(still.into_iter().cycle().take(0x10000));
    });
    DELTA_WITHOUT_BONES: with(|file| {
        file.anim_type = 3;
        file.bones.clear();
        file.modifiers.clear();
    });
    DELTA_BONE_NOT_FIRST: with(|file| { file.anim_type = 3; rename(file, 1, b"TAG_ORIGIN"); });
    DELTA_BONE_UNNAMED: with(|file| file.anim_type = 3);

    KEY_NOT_FINITE: with_bone(1, |bone| { bone.loc.set(0, Key { frame: 0, value: [0.0, f64::NAN, 0.0, 0.0] }); });
    KEYS_UNSORTED: with_turn(10, NO_TURN);
    KEYS_DUPLICATE: with_turn(15, NO_TURN);
    ROTATION_NOT_UNIT: with_turn(30, [0.0, 0.0, 0.0, 2.0]);
    SCALE_ZERO: with_bone(1, |bone| { bone.scale.set(0, Key { frame: 0, value: [1.0, 0.0, 1.0, 0.0] }); });
    ROTATION_LONG_WAY: with_turn(30, [0.0, 0.0, 0.0, -1.0]);
    DOUBLES_UNNEEDED: with(|file| file.data_property_flags = 1);

    NOTES_WITHOUT_FLAG: with(|file| file.data_presence_flags &= !0x40);
    NOTES_EMPTY: with(|file| file.notes.clear());
    NOTE_NAME_EMPTY: with_note(15, b"");
    NOTE_NAME_NOT_UTF8: with_note(15, b"l\xe9an");
    NOTE_BEYOND_END: with_note(61, b"lean_left");
    NOTES_UNSORTED: with_note(46, b"lean_left");
    NOTE_DUPLICATE: with_note(45, b"lean_right");

    CUSTOM_BLOCK: with(|file| {
        file.data_presence_flags |= 0x80;
        file.custom = Cow::Borrowed(b"made by hand");
    });
    BLEND_TRAILER: with_shapes(&[], &[], 0.0);
    BLEND_DAMAGED: with_bytes(|bytes| bytes.extend(b"SEBlend\n\x01\0\0\0\0\0\0\0smile"));
    BLEND_KEY_NOT_FINITE: with_shapes(&[b"smile"], &[0, 30], f32::INFINITY);
    BLEND_KEYS_UNSORTED: with_shapes(&[b"smile"], &[0, 30, 30], 1.0);
    BLEND_BEYOND_END: with_shapes(&[b"smile"], &[61], 1.0);
    BLEND_NAME: with_shapes(&[b""], &[0], 1.0);
    BLEND_NAME_DUPLICATE: with_shapes(&[b"smile", b"smile"], &[0], 1.0);

    EXTRA_BYTES: with_bytes(|bytes| bytes.extend(b"more"));
}
