//! Seconds as whole frames. A key between two frames makes way for the value that its curve has at the nearest; a spline is taken at every frame.

use super::ASSUMED_RATE;
use crate::format::{Error, Result};
use crate::seanim::raw::File;
use crate::seanim::raw::blend::BlendKey;
use crate::seanim::raw::keys::Key;
use crate::seanim::usable_framerate;
use maquette_motion::{Interpolation, Keys, Motion, Value, decimal};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use zerocopy::little_endian::{F32, U32};

/// How far from a frame, in frames, still is on it: the rounding of seconds in double precision.
const ON_FRAME: f64 = 1e-6;

/// The frames of a motion, and what had to be moved to lie on them.
pub(super) struct Frames {
    pub rate: f32,
    /// Keys between frames, and the largest way to the nearest in seconds.
    moved: (u64, f64),
    /// Splines that were taken at every frame.
    splines: u64,
    /// Curves that jump.
    jumps: u64,
}

impl Frames {
    /// At the rate of the motion, or of the file where it has none.
    pub fn of(motion: &Motion, file: &File<'_>) -> Result<Frames> {
        let asked = motion.frame_rate.map(|rate| rate as f32);
        let rate = match asked.or(file.usable_framerate()).unwrap_or(ASSUMED_RATE) {
            rate if usable_framerate(rate).is_some() => rate,
            rate => return Err(Error::CannotHold(format!("{rate} frames a second give no times"))),
        };
        Ok(Frames { rate, moved: (0, 0.0), splines: 0, jumps: 0 })
    }

    /// The frame nearest to a time.
    pub fn at(&self, secs: f64) -> Result<u32> {
        let frame = (secs * decimal(self.rate)).round();
        match frame >= 0.0 && frame < f64::from(u32::MAX) {
            true => Ok(frame as u32),
            false => Err(Error::CannotHold(format!(
                "a time of {secs} s is no frame at {} frames a second: SEAnim counts them from 0 to {}",
                self.rate,
                u32::MAX - 1
            ))),
        }
    }

    /// One more than the last frame.
    pub fn count(&self, motion: &Motion) -> Result<u32> {
        let times = motion.tracks.iter().filter_map(|track| track.curve.times_secs().last().copied());
        let times = times.chain(motion.events.iter().map(|event| event.time_secs)).chain([motion.duration_secs]);
        let last = times.map(|secs| self.at(secs)).try_fold(0, |last, frame| Ok::<u32, Error>(last.max(frame?)))?;
        Ok(last + 1)
    }

    /// The keys of a curve on frames, as a file holds them.
    pub fn keys<T: Value>(&mut self, keys: &Keys<T>, value: impl Fn(&T) -> [f64; 4]) -> Result<Vec<Key>> {
        let placed = self.placed(keys)?;
        Ok(placed.into_iter().map(|(frame, stored)| Key { frame, value: value(&stored) }).collect())
    }

    /// The keys of a blend shape.
    pub fn shape_keys(&mut self, keys: &Keys<Vec<f64>>) -> Result<Vec<BlendKey>> {
        let key = |(frame, numbers): (u32, Vec<f64>)| {
            let mut value = [F32::ZERO; 3];
            for (stored, number) in value.iter_mut().zip(numbers) {
                *stored = F32::new(number as f32);
            }
            BlendKey { frame: U32::new(frame), value }
        };
        Ok(self.placed(keys)?.into_iter().map(key).collect())
    }

    fn placed<T: Value>(&mut self, keys: &Keys<T>) -> Result<Vec<(u32, T)>> {
        let rate = decimal(self.rate);
        let [Some(first), Some(last)] = [keys.times_secs.first(), keys.times_secs.last()] else {
            return Ok(Vec::new());
        };
        if keys.interpolation == Interpolation::CubicSpline {
            self.splines += 1;
            let frames = self.at(*first)?..=self.at(*last)?;
            return Ok(frames.filter_map(|frame| Some((frame, keys.at(f64::from(frame) / rate)?))).collect());
        }
        let is_step = keys.interpolation == Interpolation::Step;
        let mut placed: Vec<(u32, T)> = Vec::with_capacity(keys.times_secs.len());
        let mut jumps = false;
        for (secs, value) in keys.iter() {
            let frame = self.at(secs)?;
            let off = (secs * rate - f64::from(frame)).abs();
            let is_moved = off > ON_FRAME;
            let value = match is_moved && !is_step {
                true => keys.at(f64::from(frame) / rate).unwrap_or_else(|| value.clone()),
                false => value.clone(),
            };
            if is_moved {
                self.moved = (self.moved.0 + 1, self.moved.1.max(off / rate));
            }
            match placed.last_mut() {
                Some((there, stored)) if *there == frame => *stored = value,
                Some((there, held)) if is_step && *held != value && *there + 1 < frame => {
                    let held = held.clone();
                    placed.extend([(frame - 1, held), (frame, value)]);
                    jumps = true;
                }
                _ => placed.push((frame, value)),
            }
        }
        self.jumps += u64::from(jumps);
        Ok(placed)
    }

    /// What had to be moved.
    pub fn report(&self, losses: &mut LossReport) {
        let (count, most) = self.moved;
        let kind = LossKind::Approximated { max_error: most as f32 };
        let rate = self.rate;
        let detail = format!("keys move to whole frames at {rate} a second, by up to {:.3} ms", most * 1e3);
        losses.push(kind, Lost::KeyTimes, super::SUBJECT, detail, count);
        losses.push(LossKind::Baked, Lost::CubicSplines, super::SUBJECT, "they are taken at every frame", self.splines);
        let kind = LossKind::Approximated { max_error: 1.0 / rate };
        losses.push(kind, Lost::Steps, super::SUBJECT, format!("a jump takes a frame, {} s", 1.0 / rate), self.jumps);
    }
}
