//! The rules for keys, which are nearly all of a large file.
//!
//! Each run of keys is gone through once in its own form ([`survey`]). Only a run where that finds
//! something is looked at key by key. Findings are counted for each channel over the whole file, so that a file of
//! many bones with one fault is one line.

use super::*;
use crate::rules::numbers::UNIT_TOLERANCE;
use crate::seanim::raw::Channel;
use crate::seanim::raw::keys::{Key, KeyRecord, Keys, Precision, with_record};
use maquette_scene::Path;

/// Judges the keys of all bones, in file order; returns the largest frame.
pub(super) fn keys(file: &File<'_>, report: &mut Report) -> Option<u32> {
    let mut last = None;
    let mut all_single = true;
    let mut faults = Faults::default();
    for (index, bone) in file.bones.iter().enumerate() {
        for channel in file.channels() {
            let keys = bone.keys(channel);
            let survey = with_record!(keys.shape(), K => survey(keys.records::<K>().unwrap_or_default(), channel));
            last = last.max(survey.last_frame);
            all_single &= survey.all_single;
            let run = Run { file, channel, bone: index, keys };
            run.length(&mut faults, report);
            if !survey.sound || survey.last_frame >= Some(file.frame_count) {
                run.judge(&mut faults, report);
            }
        }
    }
    faults.finish(report);
    if file.precision() == Precision::Double && all_single && last.is_some() {
        let message = "no value needs more than single precision";
        report.push(Diagnostic::new(&DOUBLES_UNNEEDED, path!("header", "data_property_flags"), message));
    }
    last
}

/// What one pass over a run of keys tells.
#[derive(Clone, Copy)]
struct Survey {
    /// Frames rise and values are as they should be.
    sound: bool,
    last_frame: Option<u32>,
    /// Every component is exactly a single.
    all_single: bool,
}

fn survey<K: KeyRecord>(keys: &[K], channel: Channel) -> Survey {
    match channel {
        Channel::Loc => survey_values(keys, |_, _| true),
        Channel::Scale => survey_values(keys, |_, [x, y, z, _]| (x != 0.0) & (y != 0.0) & (z != 0.0)),
        Channel::Rot => survey_values(keys, |before, value| is_unit(value) & (dot(before, value) >= 0.0)),
    }
}

/// Goes through the keys; `is_sound` gets the value before, or the first once more, and the value.
#[inline]
fn survey_values<K: KeyRecord>(keys: &[K], is_sound: impl Fn([f64; 4], [f64; 4]) -> bool) -> Survey {
    let mut survey = Survey { sound: true, last_frame: None, all_single: true };
    let Some(mut before) = keys.first().map(KeyRecord::value) else { return survey };
    let mut least = 0;
    for key in keys {
        let (frame, value) = (u64::from(key.frame()), key.value());
        // What is wrong is looked for elsewhere, so that the pass may end here. A loop that may end is also one that compilers do not spread over keys,
        // which share too little for that.
        if !((frame >= least) & key.is_finite() & is_sound(before, value)) {
            survey.sound = false;
            break;
        }
        survey.all_single &= key.is_single();
        least = frame + 1;
        before = value;
    }
    survey.last_frame = keys.last().map(KeyRecord::frame);
    if !survey.sound {
        survey.last_frame = keys.iter().map(KeyRecord::frame).max();
        survey.all_single = keys.iter().all(KeyRecord::is_single);
    }
    survey
}

#[inline]
fn dot([a, b, c, d]: [f64; 4], [x, y, z, w]: [f64; 4]) -> f64 {
    a * x + b * y + c * z + d * w
}

#[inline]
fn is_unit(value: [f64; 4]) -> bool {
    (dot(value, value) - 1.0).abs() <= f64::from(UNIT_TOLERANCE)
}

/// One tally for each code and channel that occurs.
#[derive(Default)]
struct Faults(Vec<(&'static str, Channel, Tally)>);

impl Faults {
    fn hit(
        &mut self,
        report: &mut Report,
        channel: Channel,
        code: &'static Code,
        describe: impl FnOnce() -> Diagnostic,
    ) {
        let known = self.0.iter().position(|(id, of, _)| *id == code.id && *of == channel);
        let index = known.unwrap_or_else(|| {
            self.0.push((code.id, channel, Tally::default()));
            self.0.len() - 1
        });
        if let Some((_, _, tally)) = self.0.get_mut(index) {
            tally.hit(report, describe);
        }
    }

    fn finish(self, report: &mut Report) {
        for (_, _, tally) in self.0 {
            tally.finish(report);
        }
    }
}

/// The keys of one channel of one bone.
#[derive(Clone, Copy)]
struct Run<'f> {
    file: &'f File<'f>,
    channel: Channel,
    bone: usize,
    keys: &'f Keys<'f>,
}

impl Run<'_> {
    fn at(&self, key: usize, field: &'static str) -> Path {
        path!("bones", self.bone, self.channel.name(), key, field)
    }

    fn length(&self, faults: &mut Faults, report: &mut Report) {
        let frames = self.file.frame_count;
        if self.keys.len() as u64 > u64::from(frames) {
            faults.hit(report, self.channel, &MORE_KEYS_THAN_FRAMES, || {
                let message = format!("{} keys in an animation of {frames} frames", self.keys.len());
                Diagnostic::new(&MORE_KEYS_THAN_FRAMES, path!("bones", self.bone, self.channel.count_name()), message)
                    .expected(format!("at most {frames}"))
            });
        }
    }

    fn judge(&self, faults: &mut Faults, report: &mut Report) {
        self.order(faults, report);
        let mut before: Option<Key> = None;
        for (index, key) in self.keys.iter().enumerate() {
            if key.frame >= self.file.frame_count {
                faults.hit(report, self.channel, &KEY_BEYOND_END, || {
                    let message = format!("the frame is {}, the frame count {}", key.frame, self.file.frame_count);
                    Diagnostic::new(&KEY_BEYOND_END, self.at(index, "frame"), message)
                        .expected("a frame below the frame count")
                });
            }
            self.value(index, before, key, faults, report);
            before = Some(key);
        }
    }

    /// Frames that fall, and frames that occur again, side by side or not.
    fn order(&self, faults: &mut Faults, report: &mut Report) {
        let mut frames: Vec<(u32, usize)> =
            self.keys.iter().enumerate().map(|(index, key)| (key.frame, index)).collect();
        for pair in frames.windows(2) {
            let &[(before, _), (frame, index)] = pair else { continue };
            if frame < before {
                faults.hit(report, self.channel, &KEYS_UNSORTED, || {
                    let message = format!("the frame is {frame}, after a key on frame {before}");
                    Diagnostic::new(&KEYS_UNSORTED, self.at(index, "frame"), message).expected("rising frames")
                });
            }
        }
        frames.sort_unstable();
        for pair in frames.windows(2) {
            let &[(before, earlier), (frame, index)] = pair else { continue };
            if frame == before {
                faults.hit(report, self.channel, &KEYS_DUPLICATE, || {
                    let message = format!("keys {earlier} and {index} both stand on frame {frame}");
                    Diagnostic::new(&KEYS_DUPLICATE, self.at(index, "frame"), message).expected("one key a frame")
                });
            }
        }
    }

    fn value(&self, index: usize, before: Option<Key>, key: Key, faults: &mut Faults, report: &mut Report) {
        let at = || self.at(index, "value");
        let [x, y, z, _] = key.value;
        if !key.value.iter().all(|component| component.is_finite()) {
            return faults.hit(report, self.channel, &KEY_NOT_FINITE, || {
                Diagnostic::new(&KEY_NOT_FINITE, at(), "the value is not finite").expected("finite numbers")
            });
        }
        match self.channel {
            Channel::Loc => {}
            Channel::Scale if x == 0.0 || y == 0.0 || z == 0.0 => {
                faults.hit(report, self.channel, &SCALE_ZERO, || {
                    let message = format!("the scale is {x}, {y}, {z}");
                    Diagnostic::new(&SCALE_ZERO, at(), message).expected("no component of 0")
                });
            }
            Channel::Scale => {}
            Channel::Rot => {
                if !is_unit(key.value) {
                    faults.hit(report, self.channel, &ROTATION_NOT_UNIT, || {
                        let message = format!("the quaternion has length {}", dot(key.value, key.value).sqrt());
                        Diagnostic::new(&ROTATION_NOT_UNIT, at(), message).expected("length 1")
                    });
                }
                if before.is_some_and(|before| before.frame < key.frame && dot(before.value, key.value) < 0.0) {
                    faults.hit(report, self.channel, &ROTATION_LONG_WAY, || {
                        let message = "the quaternion lies more than half a turn from the key before it, by its sign";
                        Diagnostic::new(&ROTATION_LONG_WAY, at(), message)
                            .expected("the same rotation with all four signs changed")
                    });
                }
            }
        }
    }
}
