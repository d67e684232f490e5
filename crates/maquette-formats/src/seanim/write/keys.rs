//! Curves as keys on frames.

use super::frames::Frames;
use crate::format::{Error, Result};
use crate::seanim::raw::keys::{Key, Keys, Shape};
use crate::seanim::raw::{Channel, Dialect};
use crate::seanim::rotation;
use maquette_scene::clip::{self, Curve, Interpolation};
use maquette_scene::loss::{LossKind, LossReport, Lost};

/// The channel that a curve goes to; none for morph weights, which a fitted scene does not have.
pub(super) fn channel(curve: &Curve) -> Option<Channel> {
    match curve {
        Curve::Translation(_) => Some(Channel::Loc),
        Curve::Rotation(_) => Some(Channel::Rot),
        Curve::Scale(_) => Some(Channel::Scale),
        Curve::MorphWeights(_) => None,
    }
}

/// What was changed on the way.
#[derive(Default)]
pub(super) struct Changes {
    /// Curves that jump.
    jumping: u64,
    merged: u64,
    /// Keys that make way for one that comes to lie on their frame.
    earlier: u64,
    not_unit: u64,
    furthest: f32,
}

impl Changes {
    pub fn report(self, frames: Frames, subject: &str, losses: &mut LossReport) {
        let frame_secs = 1.0 / frames.rate;
        let kind = LossKind::Approximated { max_error: frame_secs };
        losses.push(kind, Lost::Steps, subject, format!("a jump takes a frame, {frame_secs} s"), self.jumping);
        let detail = format!("of two on one frame the earlier moves to the frame before: a jump takes {frame_secs} s");
        losses.push(kind, Lost::KeyTimes, subject, detail, self.earlier);
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
        self.changes.jumping += u64::from(curve.jumps());
        let written = match curve {
            Curve::Translation(keys) | Curve::Scale(keys) => {
                self.run(keys, shape, |[x, y, z]| [x, y, z, 0.0].map(f64::from))
            }
            Curve::Rotation(keys) => {
                let (mut count, mut furthest) = (0, 0.0f32);
                let written = self.run(keys, shape, |value| {
                    if rotation::is_unit(value) {
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
        let placed = self.placed(keys, value)?;
        if placed.len() > shape.frame.largest() as usize {
            let most = shape.frame.largest();
            return Err(Error::CannotHold(format!(
                "{} keys, and dialect {} can count {most} at this length; write another dialect",
                placed.len(),
                self.dialect.id()
            )));
        }
        Ok(Keys::nearest(shape, &placed))
    }

    /// The keys on their frames. What jumps stays until the frame before. Of two on one frame the earlier moves to the frame before where that is free,
    /// so that what all but jumps does not glide there from the key before; otherwise it gives way.
    fn placed<V: Copy>(&mut self, keys: &clip::Keys<V>, mut value: impl FnMut(V) -> [f64; 4]) -> Result<Vec<Key>> {
        let is_step = keys.interpolation == Interpolation::Step;
        let mut placed: Vec<Key> = Vec::with_capacity(keys.values.len());
        for (&secs, &stored) in keys.times_secs.iter().zip(&keys.values) {
            let key = Key { frame: self.frames.at(f64::from(secs))?, value: value(stored) };
            let before = placed.len().checked_sub(2).and_then(|at| placed.get(at)).map(|before| before.frame);
            match placed.last_mut() {
                Some(last) if last.frame == key.frame => {
                    match key.frame.checked_sub(1).filter(|free| before < Some(*free)) {
                        Some(free) if last.value != key.value => {
                            last.frame = free;
                            placed.push(key);
                            self.changes.earlier += 1;
                        }
                        _ => {
                            *last = key;
                            self.changes.merged += 1;
                        }
                    }
                }
                Some(last) if is_step && last.value != key.value && last.frame + 1 < key.frame => {
                    let until = Key { frame: key.frame - 1, value: last.value };
                    placed.extend([until, key]);
                }
                _ => placed.push(key),
            }
        }
        Ok(placed)
    }
}
