//! The keys of one channel as a curve, and what had to be changed about them.
//!
//! Keys are nearly all of a large file. Each run is gone through once in its own form, into lists of the right size; only a
//! run in which that finds something amiss is looked at again.

use super::super::check::KEY_NOT_FINITE;
use super::super::raw::keys::{KeyRecord, Keys, Precision, with_record};
use super::super::raw::{Channel, File};
use super::super::rotation;
use crate::format::{Result, refuse};
use maquette_scene::clip::{self, Interpolation};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::{Diagnostic, path, valid};

/// The last frame that single-precision seconds are sure to give back.
pub(super) const LAST_EXACT_FRAME: u32 = 1 << 22;

/// The value of a key in the scene.
pub(super) trait Value: Copy {
    fn from_components(components: [f32; 4]) -> Self;
    /// Finite, and of unit length where it must be.
    fn is_sound(self) -> bool;
    fn is_finite(self) -> bool;
    /// Of unit length where it must be, and how far its length was from that.
    fn mended(self) -> (Self, f32);
}

impl Value for [f32; 3] {
    #[inline]
    fn from_components([x, y, z, _]: [f32; 4]) -> Self {
        [x, y, z]
    }

    #[inline]
    fn is_sound(self) -> bool {
        self.is_finite()
    }

    #[inline]
    fn is_finite(self) -> bool {
        let [x, y, z] = self;
        x.is_finite() & y.is_finite() & z.is_finite()
    }

    fn mended(self) -> (Self, f32) {
        (self, 0.0)
    }
}

impl Value for [f32; 4] {
    #[inline]
    fn from_components(components: [f32; 4]) -> Self {
        components
    }

    #[inline]
    fn is_sound(self) -> bool {
        rotation::is_unit(self)
    }

    #[inline]
    fn is_finite(self) -> bool {
        let [x, y, z, w] = self;
        x.is_finite() & y.is_finite() & z.is_finite() & w.is_finite()
    }

    fn mended(self) -> (Self, f32) {
        rotation::unit(self)
    }
}

/// One thing that was changed, over the whole file.
#[derive(Default)]
struct Change<'n> {
    keys: u64,
    first_bone: Option<&'n str>,
    most: f64,
}

impl<'n> Change<'n> {
    fn add(&mut self, bone: &'n str, keys: u64, most: f64) {
        if keys > 0 {
            self.keys += keys;
            self.first_bone = self.first_bone.or(Some(bone));
            self.most = self.most.max(most);
        }
    }
}

/// What was changed about the keys of a file.
pub(super) struct Changes<'n> {
    /// Frames a second.
    pub rate: f32,
    /// The largest frame of any key.
    pub last_frame: Option<u32>,
    unsorted: Change<'n>,
    duplicate: Change<'n>,
    late: Change<'n>,
    not_unit: Change<'n>,
    rounded: Change<'n>,
}

impl Changes<'_> {
    pub fn new(rate: f32) -> Self {
        let [unsorted, duplicate, late, not_unit, rounded] = Default::default();
        Changes { rate, last_frame: None, unsorted, duplicate, late, not_unit, rounded }
    }

    pub fn report(self, subject: &str, losses: &mut LossReport) {
        let mut push = |change: Change<'_>, kind: LossKind, what: Lost, detail: &str| {
            let first = match change.first_bone.unwrap_or_default() {
                "" => "a bone without a name".to_owned(),
                name => format!("bone {name:?}"),
            };
            let detail = format!("{detail}, first those of {first}");
            losses.push(kind, what, subject, detail, change.keys);
        };
        let within = |change: &Change<'_>| LossKind::Approximated { max_error: change.most as f32 };
        let [unsorted, late, not_unit, rounded] =
            [&self.unsorted, &self.late, &self.not_unit, &self.rounded].map(within);
        push(self.unsorted, unsorted, Lost::Keys, "keys are put into the order of their frames, none is changed");
        push(self.duplicate, LossKind::Dropped, Lost::Keys, "of several in a channel the last is kept");
        push(self.late, late, Lost::KeyTimes, "frames too far from the start for single-precision seconds");
        push(self.not_unit, not_unit, Lost::RotationLengths, "quaternions are brought to unit length");
        let most = format!("values are rounded to single precision, by up to {:.1e}", self.rounded.most);
        push(self.rounded, rounded, Lost::Keys, &most);
    }
}

/// The keys of one channel of one bone, with their place.
pub(super) struct Run<'f, 'n> {
    pub file: &'f File<'f>,
    pub bone: usize,
    pub channel: Channel,
    pub keys: &'f Keys<'f>,
    pub name: &'n str,
}

impl<'n> Run<'_, 'n> {
    /// The curve through the keys.
    pub fn curve<V: Value>(&self, changes: &mut Changes<'n>) -> Result<clip::Keys<V>> {
        let rate = changes.rate;
        let mut copied =
            with_record!(self.keys.shape(), K => copy::<K, V>(self.keys.records::<K>().unwrap_or_default(), rate));
        if !copied.sound {
            self.mend(&mut copied.values, changes)?;
        }
        if self.keys.shape().precision == Precision::Double {
            let (keys, most) =
                with_record!(self.keys.shape(), K => rounding(self.keys.records::<K>().unwrap_or_default()));
            changes.rounded.add(self.name, keys, most);
        }
        if copied.last_frame > LAST_EXACT_FRAME {
            self.late(changes);
        }
        changes.last_frame = changes.last_frame.max(Some(copied.last_frame));
        let (times_secs, values) = match copied.rising {
            true => (copied.times_secs, copied.values),
            false => self.sorted(&copied, changes),
        };
        Ok(clip::Keys { times_secs, values, interpolation: Interpolation::Linear })
    }

    /// Refuses numbers that are none, and brings quaternions to unit length.
    fn mend<V: Value>(&self, values: &mut [V], changes: &mut Changes<'n>) -> Result<()> {
        let (mut count, mut most) = (0, 0.0f32);
        for (index, value) in values.iter_mut().enumerate() {
            if !value.is_finite() {
                let stored = self.keys.value(index).unwrap_or_default();
                let message = match stored.iter().all(|component| component.is_finite()) {
                    true => "the value is too large for single precision",
                    false => "the value is not finite",
                };
                let at = path!("bones", self.bone, self.channel.name(), index, "value");
                return Err(refuse(
                    self.file,
                    Diagnostic::new(&KEY_NOT_FINITE, at, message).expected("finite numbers"),
                ));
            }
            if !value.is_sound() {
                let (mended, off) = value.mended();
                *value = mended;
                count += 1;
                most = most.max(off);
            }
        }
        changes.not_unit.add(self.name, count, f64::from(most));
        Ok(())
    }

    /// Counts the keys whose frames cannot be told again from their times.
    fn late(&self, changes: &mut Changes<'n>) {
        let late = self.keys.iter().filter(|key| key.frame > LAST_EXACT_FRAME);
        let most = |most: f64, frame: u32| most.max(time_error(frame, changes.rate));
        let (count, most) = late.fold((0, 0.0), |(count, so_far), key| (count + 1, most(so_far, key.frame)));
        changes.late.add(self.name, count, most);
    }

    /// By frame; of several on one frame, or at one time, the last.
    fn sorted<V: Value>(&self, copied: &Copied<V>, changes: &mut Changes<'n>) -> (Vec<f32>, Vec<V>) {
        let frames: Vec<u32> = self.keys.iter().map(|key| key.frame).collect();
        let fallen = frames.windows(2).filter(|pair| pair.first() > pair.last()).count();
        changes.unsorted.add(self.name, fallen as u64, 0.0);
        let mut order: Vec<(u32, usize)> = frames.into_iter().zip(0..).collect();
        order.sort_by_key(|&(frame, _)| frame);
        let (mut times_secs, mut values) = (Vec::with_capacity(order.len()), Vec::with_capacity(order.len()));
        for &(_, key) in &order {
            let (Some(&time), Some(&value)) = (copied.times_secs.get(key), copied.values.get(key)) else { continue };
            match values.last_mut() {
                Some(last) if times_secs.last() == Some(&time) => *last = value,
                _ => {
                    times_secs.push(time);
                    values.push(value);
                }
            }
        }
        changes.duplicate.add(self.name, (order.len() - values.len()) as u64, 0.0);
        (times_secs, values)
    }
}

/// How far a frame's time in single precision is from its time.
pub(super) fn time_error(frame: u32, rate: f32) -> f64 {
    (f64::from(frame as f32 / rate) - f64::from(frame) / f64::from(rate)).abs()
}

/// Keys as they stand in the file.
struct Copied<V> {
    times_secs: Vec<f32>,
    values: Vec<V>,
    /// Times rise.
    rising: bool,
    /// Every value is.
    sound: bool,
    last_frame: u32,
}

/// Each list is filled by a pass of its own, without a branch for each key: that is faster than one pass that fills all.
fn copy<K: KeyRecord, V: Value>(records: &[K], rate: f32) -> Copied<V> {
    let values: Vec<V> = records.iter().map(|record| V::from_components(record.single())).collect();
    let times_secs: Vec<f32> = records.iter().map(|record| record.frame() as f32 / rate).collect();
    Copied {
        rising: valid::rise(&times_secs),
        sound: values.iter().fold(true, |sound, value| sound & value.is_sound()),
        last_frame: records.iter().map(KeyRecord::frame).fold(0, u32::max),
        times_secs,
        values,
    }
}

/// How many keys single precision changes, and by how much at most.
fn rounding<K: KeyRecord>(records: &[K]) -> (u64, f64) {
    let (mut count, mut most) = (0, 0.0f64);
    for record in records {
        count += u64::from(!record.is_single());
        for (exact, single) in record.value().into_iter().zip(record.single()) {
            most = most.max((exact - f64::from(single)).abs());
        }
    }
    (count, most)
}
