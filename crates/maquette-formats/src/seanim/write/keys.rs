//! Curves as keys on frames.

use super::frames::Frames;
use crate::format::{Error, Result};
use crate::seanim::raw::keys::{Key, KeyRecord, Keys, Shape, with_record};
use crate::seanim::raw::{Channel, Dialect};
use crate::seanim::rotation;
use maquette_scene::clip::{self, Curve, Interpolation};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use zerocopy::IntoBytes;

/// The channel that a curve goes to, if it can be held.
pub(super) fn channel(curve: &Curve, bone: &str) -> Result<Channel> {
    if curve.interpolation() != Interpolation::Linear {
        let property = curve.property();
        return Err(Error::CannotHold(format!(
            "the {property} of {bone:?} is not interpolated linearly, and SEAnim knows nothing else"
        )));
    }
    match curve {
        Curve::Translation(_) => Ok(Channel::Loc),
        Curve::Rotation(_) => Ok(Channel::Rot),
        Curve::Scale(_) => Ok(Channel::Scale),
        Curve::MorphWeights(_) => {
            Err(Error::CannotHold(format!("{bone:?} has morph weights, and SEAnim has no keys for them")))
        }
    }
}

/// What was changed on the way.
#[derive(Default)]
pub(super) struct Changes {
    merged: u64,
    not_unit: u64,
    furthest: f32,
}

impl Changes {
    pub fn report(self, subject: &str, losses: &mut LossReport) {
        let detail = "of several keys of a channel that come to lie on one frame the last is kept";
        losses.dropped(Lost::Keys, subject, detail, self.merged);
        let kind = LossKind::Approximated { max_error: self.furthest };
        losses.push(kind, Lost::RotationLengths, subject, "quaternions are brought to unit length", self.not_unit);
    }
}

/// Writes curves in one form.
pub(super) struct Writer {
    pub frames: Frames,
    pub dialect: Dialect,
    pub changes: Changes,
}

impl Writer {
    /// The keys of a curve in this form.
    pub fn keys(&mut self, curve: &Curve, shape: Shape, bone: &str) -> Result<Keys<'static>> {
        let written = match curve {
            Curve::Translation(keys) | Curve::Scale(keys) => {
                self.run(keys, shape, |[x, y, z]| [x, y, z, 0.0].map(f64::from))
            }
            Curve::Rotation(keys) => {
                let (mut count, mut furthest) = (0, 0.0f32);
                let written = self.run(keys, shape, |value| {
                    if rotation::is_unit(value) || !value.iter().all(|x| x.is_finite()) {
                        return value.map(f64::from);
                    }
                    let (unit, off) = rotation::unit(value);
                    count += 1;
                    furthest = furthest.max(off);
                    unit.map(f64::from)
                });
                self.changes.not_unit += count;
                self.changes.furthest = self.changes.furthest.max(furthest);
                written
            }
            Curve::MorphWeights(_) => Ok(Keys::new(shape)),
        };
        let of = |error| match error {
            Error::CannotHold(why) => Error::CannotHold(format!("the {} of {bone:?}: {why}", curve.property())),
            other => other,
        };
        written.map_err(of)
    }

    fn run<V: Copy>(
        &mut self,
        keys: &clip::Keys<V>,
        shape: Shape,
        value: impl FnMut(V) -> [f64; 4],
    ) -> Result<Keys<'static>> {
        if keys.values.len() != keys.times_secs.len() {
            let message = format!("{} values for {} times", keys.values.len(), keys.times_secs.len());
            return Err(Error::CannotHold(message));
        }
        let (bytes, merged) = with_record!(shape, K => encode::<K, V>(keys, self.frames, value))?;
        self.changes.merged += merged;
        let count = bytes.len() / shape.bytes();
        if count > shape.frame.largest() as usize {
            let most = shape.frame.largest();
            return Err(Error::CannotHold(format!(
                "{count} keys, and dialect {} can count {most} at this length; write another dialect",
                self.dialect.id()
            )));
        }
        Ok(Keys::from_bytes(shape, bytes.into()).unwrap_or(Keys::new(shape)))
    }
}

/// The bytes of the keys, and how many gave way to a later one on their frame.
fn encode<K: KeyRecord, V: Copy>(
    keys: &clip::Keys<V>,
    frames: Frames,
    mut value: impl FnMut(V) -> [f64; 4],
) -> Result<(Vec<u8>, u64)> {
    let mut records: Vec<K> = Vec::with_capacity(keys.values.len());
    let mut merged = 0;
    let mut before = None;
    for (&secs, &stored) in keys.times_secs.iter().zip(&keys.values) {
        let frame = frames.at(f64::from(secs))?;
        let value = value(stored);
        if !value.iter().all(|x| x.is_finite()) {
            return Err(Error::CannotHold(format!("the value at {secs} s is not finite")));
        }
        let record = K::nearest(Key { frame, value });
        match records.last_mut() {
            Some(last) if before == Some(frame) => {
                *last = record;
                merged += 1;
            }
            _ if before > Some(frame) => return Err(Error::CannotHold("the times do not rise".into())),
            _ => records.push(record),
        }
        before = Some(frame);
    }
    Ok((records.as_bytes().to_vec(), merged))
}
