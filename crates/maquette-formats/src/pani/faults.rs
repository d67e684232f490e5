//! For each PANI code, the smallest change to the specimen's clip that raises it.

use super::check::*;
use super::raw::{Bone, File};
use super::sample::clip;
use crate::format::{Bundle, change_at as at};
use crate::{faults, trailing};
use std::borrow::Cow;
use zerocopy::little_endian::F32;

/// The clip with one thing changed.
fn with(change: fn(&mut File<'_>)) -> Bundle {
    let mut file = clip();
    change(&mut file);
    file.encode().into()
}

/// The clip with its second bone changed.
fn with_bone(change: fn(&mut Bone<'_>)) -> Bundle {
    let mut file = clip();
    file.bones.iter_mut().skip(1).take(1).for_each(change);
    file.encode().into()
}

/// The clip's bytes with one thing changed.
fn with_bytes(change: fn(&mut Vec<u8>)) -> Bundle {
    let mut bytes = clip().encode();
    change(&mut bytes);
    bytes.into()
}

const NAN: F32 = F32::new(f32::NAN);

faults! {
    BAD_MAGIC: with_bytes(|bytes| bytes.splice(..4, *b"INAP").for_each(drop));
    TRUNCATED: with_bytes(|bytes| bytes.truncate(bytes.len() - 1));
    TRAILING_BYTES: with_bytes(trailing::append_too_many);
    VERSION_NOT_ZERO: with(|file| file.version = 1);

    DURATION_INVALID: with(|file| file.duration = F32::new(f32::INFINITY));
    DURATION_ZERO: with(|file| file.duration = F32::new(0.0));
    RATE_INVALID: with(|file| file.ticks_per_second = F32::new(-24.0));
    RATE_ZERO: with(|file| file.ticks_per_second = F32::new(0.0));
    RATE_FRACTION: with(|file| file.ticks_per_second = F32::new(29.97));
    KEY_AFTER_END: with(|file| file.duration = F32::new(47.0));
    KEYS_END_EARLY: with(|file| file.duration = F32::new(49.0));
    KEYS_BEGIN_LATE: with_bone(|bone| at(&mut bone.rotations, 0, |key| key.time = 1.0.into()));

    NO_BONES: with(|file| file.bones.clear());
    BONE_WITHOUT_KEYS: with_bone(|bone| *bone = Bone::default());
    TOO_FEW_KEYS: with_bone(|bone| bone.rotations.to_mut().truncate(1));
    SCALES_RUN_OUT: with_bone(|bone| bone.scales.to_mut().truncate(1));
    TOO_MANY_BONES: with(|file| {
        let Some(bone) = file.bones.first().cloned() else { return };
        file.bones.resize(101, bone);
    });

    KEY_NOT_FINITE: with_bone(|bone| at(&mut bone.positions, 1, |key| key.value = [NAN; 3]));
    KEY_TIME_NEGATIVE: with_bone(|bone| at(&mut bone.rotations, 0, |key| key.time = (-1.0).into()));
    KEY_TIMES_UNSORTED: with_bone(|bone| at(&mut bone.rotations, 2, |key| key.time = 6.0.into()));
    KEY_TIMES_DUPLICATE: with_bone(|bone| at(&mut bone.rotations, 2, |key| key.time = 12.0.into()));
    ROTATION_NOT_UNIT: with_bone(|bone| at(&mut bone.rotations, 2, |key| key.value = [0.0, 0.0, 0.0, 2.0].map(Into::into)));
    SCALE_ZERO: with_bone(|bone| at(&mut bone.scales, 1, |key| key.value = [1.0, 0.0, 1.0].map(Into::into)));

    NAME_EMPTY: with(|file| file.name = Cow::Borrowed(b""));
    NAME_NOT_UTF8: with(|file| file.name = Cow::Borrowed(b"caf\xe9"));
    NAME_HOLDS_NUL: with(|file| file.name = Cow::Borrowed(b"sway\0"));

    EXTRA_BYTES: with_bytes(|bytes| bytes.extend(b"more"));
}
