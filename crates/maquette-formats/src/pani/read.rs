//! PANI to a scene: one clip, for the bones of another file.
//!
//! The file knows its bones by position only. A model of the same name in the same folder gives them names; without one they are
//! called `bone 0`, `bone 1` and so on, which whoever reads the clip for a skeleton can rely on. A bone without keys of a kind
//! gets no curve of it, and rests.

use super::check::{DURATION_INVALID, KEY_NOT_FINITE, RATE_INVALID};
use super::frames;
use super::raw::File;
use crate::companions;
use crate::format::{BUILT_IN, Error, Naming, QuaternionOrder, ReadOptions, Result, Source, refuse};
use crate::rising::rise;
use crate::rules::numbers::is_unit;
use crate::ticks;
use maquette_scene::clip::{Clip, Curve, Keys, Target, Track};
use maquette_scene::glam::Vec4;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::{Diagnostic, Path, Scene, path, valid};
use std::collections::HashMap;
use zerocopy::little_endian::F32;

/// What is taken for a rate of 0, which importers give where the source states none.
const RATE_IF_NONE: f32 = 25.0;

/// The name of a bone that has no other.
pub(super) fn bone_name(position: usize) -> String {
    format!("bone {position}")
}

/// Reads a file into a scene.
pub fn read(file: &File<'_>, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
    let name = companions::scene_name(&file.name, Lost::ClipNames, "the clip", losses);
    let mut reading = Reading {
        file,
        rate: 0.0,
        order: options.quaternion_order.unwrap_or(QuaternionOrder::Xyzw),
        subject: subject("clip", 0, &name),
        losses,
        tally: Tally::default(),
    };
    reading.rate = reading.rate()?;
    let mut clip = Clip { name, duration_secs: reading.duration_secs()?, ..Clip::default() };
    let names = bone_names(file, &options.source, reading.losses);
    for (position, name) in names.iter().enumerate() {
        for curve in reading.curves(position)? {
            clip.tracks.push(Track { target: Target::Name(name.clone()), curve, blend: None });
        }
    }
    reading.finish();
    clip.frame_rate = frames::frame_rate(file.ticks_per_second.get(), &clip);
    keep(file, &names, &mut clip);
    let mut scene = Scene::default();
    scene.clips.push(clip);
    valid::check(&scene).map_err(|invalid| Error::CannotHold(format!("the file makes no scene: {invalid}")))?;
    Ok(scene)
}

/// What the writer can put back: the bones in order, with those that have no keys, the rate, and an odd version.
fn keep(file: &File<'_>, names: &[String], clip: &mut Clip) {
    if let Ok(json) = serde_json::to_string(names) {
        clip.extras.set("pani", "bones", json);
    }
    let rate = file.ticks_per_second.get();
    if rate > 0.0 {
        clip.extras.set("pani", "ticks_per_second", rate.to_string());
    }
    if file.version != 0 {
        clip.extras.set("pani", "version", file.version.to_string());
    }
}

/// The names of the bones: those of the model of the same name if it has as many, each where it is the only one of its name.
fn bone_names(file: &File<'_>, source: &Source<'_>, losses: &mut LossReport) -> Vec<String> {
    let count = file.bones.len();
    let known = model_bones(source, count, losses).unwrap_or_default();
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for name in &known {
        *uses.entry(name).or_default() += 1;
    }
    let name = |position: usize| {
        let known = known.get(position).filter(|name| !name.is_empty() && uses.get(name.as_str()) == Some(&1));
        known.cloned().unwrap_or_else(|| bone_name(position))
    };
    (0..count).map(name).collect()
}

/// The joints of a skin of so many in the model of the same name. That is read without its companion files, so that
/// the two do not read one another forever.
fn model_bones(source: &Source<'_>, count: usize, losses: &mut LossReport) -> Option<Vec<String>> {
    let (_, bytes) = source.companion_or_loss(Naming::Extension("pmdl"), losses)?;
    let model = (BUILT_IN.by_extension("pmdl")?.open)(&bytes, None).ok()?;
    let model = model.read(&ReadOptions::default(), &mut LossReport::default()).ok()?;
    let skin = model.skins.iter().find(|skin| skin.joints.len() == count)?;
    let name = |joint| model.nodes.get(joint).map(|node| node.name.clone()).unwrap_or_default();
    Some(skin.joints.iter().map(|&joint| name(joint)).collect())
}

/// What keys were changed or left out, over the whole clip.
#[derive(Default)]
struct Tally {
    unsorted: u64,
    duplicate: u64,
    not_unit: u64,
    largest_error: f32,
}

struct Reading<'r> {
    file: &'r File<'r>,
    rate: f32,
    order: QuaternionOrder,
    subject: String,
    losses: &'r mut LossReport,
    tally: Tally,
}

impl Reading<'_> {
    fn rate(&mut self) -> Result<f32> {
        let rate = self.file.ticks_per_second.get();
        if !rate.is_finite() || rate < 0.0 {
            let at = path!("header", "ticks_per_second");
            return Err(refuse(self.file, Diagnostic::new(&RATE_INVALID, at, format!("{rate} ticks in a second"))));
        }
        if rate == 0.0 {
            let detail = format!("the rate is 0; {RATE_IF_NONE} ticks in a second are taken");
            self.losses.dropped(Lost::FrameRates, &self.subject, detail, 1);
            return Ok(RATE_IF_NONE);
        }
        Ok(rate)
    }

    fn duration_secs(&self) -> Result<f64> {
        let ticks = self.file.duration.get();
        let secs = f64::from(ticks) / f64::from(self.rate);
        if !secs.is_finite() || secs < 0.0 {
            let at = path!("header", "duration");
            let finding = Diagnostic::new(&DURATION_INVALID, at, format!("the duration is {ticks}"));
            return Err(refuse(self.file, finding));
        }
        Ok(secs)
    }

    /// The curves of a bone, one for each kind that it has keys of.
    fn curves(&mut self, position: usize) -> Result<Vec<Curve>> {
        let Some(bone) = self.file.bones.get(position) else { return Ok(Vec::new()) };
        let at = path!("bones", position);
        let positions = bone.positions.iter().map(|key| (key.time, key.value));
        let positions = self.keys(positions, at.join("positions"))?;
        let rotations = bone.rotations.iter().map(|key| (key.time, key.value));
        let mut rotations = self.keys(rotations, at.join("rotations"))?;
        for value in rotations.iter_mut().flat_map(|keys| &mut keys.values) {
            *value = self.rotation(*value);
        }
        let scales = bone.scales.iter().map(|key| (key.time, key.value));
        let scales = self.keys(scales, at.join("scales"))?;
        let curves = [positions.map(Curve::Translation), rotations.map(Curve::Rotation), scales.map(Curve::Scale)];
        Ok(curves.into_iter().flatten().collect())
    }

    /// A run of keys in rising order, each time once; `None` if there are none.
    fn keys<const N: usize>(
        &mut self,
        run: impl Iterator<Item = (F32, [F32; N])>,
        at: Path,
    ) -> Result<Option<Keys<[f32; N]>>> {
        let mut times_secs = Vec::with_capacity(run.size_hint().0);
        let mut values = Vec::with_capacity(run.size_hint().0);
        for (index, (time, value)) in run.enumerate() {
            let secs = ticks::seconds(time.get(), self.rate);
            let value = value.map(F32::get);
            if !secs.is_finite() || value.iter().any(|x| !x.is_finite()) {
                let finding = Diagnostic::new(&KEY_NOT_FINITE, at.join(index), "the key is not finite");
                return Err(refuse(self.file, finding));
            }
            times_secs.push(secs);
            values.push(value);
        }
        let count = values.len() as u64;
        let (keys, fallen, repeated) = rise(times_secs, values);
        self.tally.unsorted += if fallen > 0 { count } else { 0 };
        self.tally.duplicate += repeated;
        Ok((count > 0).then_some(keys))
    }

    /// A unit quaternion, xyzw; one that is not of unit length is made so.
    fn rotation(&mut self, stored: [f32; 4]) -> [f32; 4] {
        let [a, b, c, d] = stored;
        let value = match self.order {
            QuaternionOrder::Xyzw => stored,
            QuaternionOrder::Wxyz => [b, c, d, a],
        };
        if is_unit(&value.map(F32::new)) {
            return value;
        }
        let length = Vec4::from(value).length();
        self.tally.not_unit += 1;
        self.tally.largest_error = self.tally.largest_error.max((length - 1.0).abs());
        Vec4::from(value).try_normalize().unwrap_or(Vec4::W).to_array()
    }

    /// Reports what was changed.
    fn finish(self) {
        let Reading { tally, losses, subject, .. } = self;
        let kind = LossKind::Approximated { max_error: 0.0 };
        losses.push(kind, Lost::Keys, &subject, "keys were put in order of time", tally.unsorted);
        losses.dropped(Lost::Keys, &subject, "of keys at one time the last is kept", tally.duplicate);
        let kind = LossKind::Approximated { max_error: tally.largest_error };
        let detail = format!("quaternions up to {} from unit length were made unit", tally.largest_error);
        losses.push(kind, Lost::RotationLengths, &subject, detail, tally.not_unit);
    }
}
