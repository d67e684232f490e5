//! The specimen's clip as a PANI file.

use super::raw::{Bone, Dialect, File, PositionKey, RotationKey, ScaleKey, VERSION};
use crate::format::Bundle;
use crate::specimen::{self, Joint, KEY_TIMES};
use std::borrow::Cow;

/// The rate at which the specimen's keys fall on whole ticks.
const TICKS_PER_SECOND: f32 = 24.0;

/// A small clip; there is one dialect.
pub fn sample(_: &str) -> Bundle {
    clip().encode().into()
}

/// The clip, ready to change and encode.
pub fn clip() -> File<'static> {
    File {
        dialect: Dialect::Document,
        evidence: "made as such".into(),
        version: VERSION,
        duration: (specimen::DURATION_SECS * TICKS_PER_SECOND).into(),
        ticks_per_second: TICKS_PER_SECOND.into(),
        name: Cow::Borrowed(specimen::CLIP.as_bytes()),
        bones: specimen::JOINTS.iter().map(bone).collect(),
        trailing: Cow::default(),
    }
}

/// Rotations as they are; position and scale do not change, and stand at the start and at the end because the engine
/// needs two keys of each kind.
fn bone(joint: &Joint) -> Bone<'static> {
    let ends = [0.0, specimen::DURATION_SECS * TICKS_PER_SECOND];
    let turns = KEY_TIMES.iter().zip(joint.rotations);
    Bone {
        positions: ends
            .map(|time| PositionKey { time: time.into(), value: joint.translation.map(Into::into) })
            .to_vec()
            .into(),
        rotations: turns
            .map(|(secs, turn)| RotationKey { time: (secs * TICKS_PER_SECOND).into(), value: turn.map(Into::into) })
            .collect(),
        scales: ends.map(|time| ScaleKey { time: time.into(), value: [1.0.into(); 3] }).to_vec().into(),
    }
}
