//! Tracks to a packed clip.

use super::timeline::Timeline;
use super::{Clip, Interpolation, Morphs, Run, Track, Tracks};
use crate::events::Event;
use glam::{Quat, Vec3, Vec4};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

/// What a track moves of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// Its place.
    Translation,
    /// Its direction.
    Rotation,
    /// Its size.
    Scale,
    /// Of a mesh: how much of each morph target.
    MorphWeights,
}

/// Why tracks are no clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClipError {
    /// A track has no keys.
    NoKeys {
        /// Joint or mesh.
        index: u32,
        /// What it moves.
        property: Property,
    },
    /// A track has another number of values than its keys need: one for each, three with splines.
    Count {
        /// Joint or mesh.
        index: u32,
        /// What it moves.
        property: Property,
        /// How many it has.
        values: usize,
        /// How many it needs.
        needed: usize,
    },
    /// A key is before the one before it, or at no time at all.
    Time {
        /// Joint or mesh.
        index: u32,
        /// What it moves.
        property: Property,
        /// Which key.
        key: usize,
    },
    /// A value is not finite, or a rotation has no length.
    Value {
        /// Joint or mesh.
        index: u32,
        /// What it moves.
        property: Property,
        /// Which value.
        value: usize,
    },
    /// Two tracks move the same property of the same joint.
    Twice {
        /// Joint or mesh.
        index: u32,
        /// What they move.
        property: Property,
    },
    /// The duration is negative or no number.
    Duration,
    /// There are more than 2³² values.
    TooLarge,
}

impl fmt::Display for ClipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whose = |index: &u32, property: &Property| match property {
            Property::MorphWeights => format!("the morph weights of mesh {index}"),
            Property::Translation => format!("the translation of joint {index}"),
            Property::Rotation => format!("the rotation of joint {index}"),
            Property::Scale => format!("the scale of joint {index}"),
        };
        match self {
            ClipError::NoKeys { index, property } => write!(f, "{}: there are no keys", whose(index, property)),
            ClipError::Count { index, property, values, needed } => {
                write!(f, "{}: {values} values where keys need {needed}", whose(index, property))
            }
            ClipError::Time { index, property, key } => {
                write!(f, "{}: key {key} is earlier than the one before it, or at no time", whose(index, property))
            }
            ClipError::Value { index, property, value } => {
                write!(f, "{}: value {value} is not finite, or a rotation without length", whose(index, property))
            }
            ClipError::Twice { index, property } => write!(f, "{}: two tracks move it", whose(index, property)),
            ClipError::Duration => f.write_str("the duration is negative or no number"),
            ClipError::TooLarge => f.write_str("there are more than 2³² values"),
        }
    }
}

impl std::error::Error for ClipError {}

/// Collects the tracks of a clip.
///
/// ```
/// use glam::{Quat, Vec3};
/// use maquette_anim::clip::{Builder, Interpolation};
///
/// let mut builder = Builder::new("nod", 1.0);
/// builder.rotation(3, Interpolation::Linear, &[0.0, 0.5, 1.0], &[0.0, 0.4, 0.0].map(Quat::from_rotation_x));
/// builder.translation(0, Interpolation::Step, &[0.0], &[Vec3::Y]);
/// builder.event(0.5, "down");
/// let clip = builder.build()?;
/// assert_eq!(clip.joint_count(), 4);
/// # Ok::<(), maquette_anim::clip::ClipError>(())
/// ```
#[derive(Debug, Default)]
pub struct Builder {
    name: String,
    duration_secs: f32,
    moments: Vec<Moments>,
    known: HashMap<(Interpolation, Vec<u32>), usize>,
    drafts: Vec<Draft>,
    morphs: Vec<MorphDraft>,
    events: Vec<Event>,
    fault: Option<ClipError>,
}

/// A timeline before the number of its tracks is known.
#[derive(Debug)]
struct Moments {
    interpolation: Interpolation,
    times: Vec<f32>,
    track_count: usize,
}

#[derive(Debug)]
struct Draft {
    joint: u32,
    property: Property,
    /// Among the moments.
    timeline: usize,
    /// Whether all values are the same: no keys are kept of it.
    is_still: bool,
    values: Vec<Vec4>,
}

#[derive(Debug)]
struct MorphDraft {
    mesh: u32,
    interpolation: Interpolation,
    times: Vec<f32>,
    weights: Vec<f32>,
}

impl Builder {
    /// A clip of this duration in seconds, without tracks yet.
    pub fn new(name: impl Into<String>, duration_secs: f32) -> Builder {
        Builder { name: name.into(), duration_secs, ..Builder::default() }
    }

    /// Moves the place of a joint in its parent. Times are in seconds, each not before the one before it; there is a value for each, with splines
    /// three.
    pub fn translation(&mut self, joint: u32, interpolation: Interpolation, times_secs: &[f32], values: &[Vec3]) {
        let values = values.iter().map(|value| value.extend(0.0)).collect();
        self.track(joint, Property::Translation, interpolation, times_secs, values);
    }

    /// Turns a joint. Values are normalised, but for the tangents of splines.
    pub fn rotation(&mut self, joint: u32, interpolation: Interpolation, times_secs: &[f32], values: &[Quat]) {
        let is_tangent = |index: usize| interpolation == Interpolation::CubicSpline && index % 3 != 1;
        let unit = |(index, &value): (usize, &Quat)| {
            let value = Vec4::from(value);
            let is_unit = (value.length_squared() - 1.0).abs() < 4.0 * f32::EPSILON;
            if is_tangent(index) || is_unit { value } else { value.try_normalize().unwrap_or(Vec4::NAN) }
        };
        let values = values.iter().enumerate().map(unit).collect();
        self.track(joint, Property::Rotation, interpolation, times_secs, values);
    }

    /// Scales a joint along its axes.
    pub fn scale(&mut self, joint: u32, interpolation: Interpolation, times_secs: &[f32], values: &[Vec3]) {
        let values = values.iter().map(|value| value.extend(0.0)).collect();
        self.track(joint, Property::Scale, interpolation, times_secs, values);
    }

    /// Morphs a mesh: for each key (with splines for each of three values) as many weights as there are targets.
    pub fn morph_weights(&mut self, mesh: u32, interpolation: Interpolation, times_secs: &[f32], weights: &[f32]) {
        self.fault = self.fault.or_else(|| faulty_time(mesh, Property::MorphWeights, times_secs));
        let per_target = times_secs.len() * values_per_key(interpolation);
        let targets = weights.len().checked_div(per_target).unwrap_or(0);
        if targets * per_target != weights.len() {
            let (values, needed) = (weights.len(), (targets + 1) * per_target);
            let count = ClipError::Count { index: mesh, property: Property::MorphWeights, values, needed };
            self.fault = self.fault.or(Some(count));
        }
        if let Some(value) = weights.iter().position(|weight| !weight.is_finite()) {
            let fault = ClipError::Value { index: mesh, property: Property::MorphWeights, value };
            self.fault = self.fault.or(Some(fault));
        }
        self.morphs.push(MorphDraft { mesh, interpolation, times: times_secs.into(), weights: weights.into() });
    }

    /// Something that happens.
    pub fn event(&mut self, time_secs: f32, name: impl Into<String>) {
        self.events.push(Event { time_secs, name: name.into() });
    }

    fn track(
        &mut self,
        joint: u32,
        property: Property,
        interpolation: Interpolation,
        times: &[f32],
        values: Vec<Vec4>,
    ) {
        let needed = times.len() * values_per_key(interpolation);
        let count = ClipError::Count { index: joint, property, values: values.len(), needed };
        let not_finite = values.iter().position(|value| !value.is_finite());
        let fault = faulty_time(joint, property, times)
            .or((values.len() != needed).then_some(count))
            .or(not_finite.map(|value| ClipError::Value { index: joint, property, value }));
        self.fault = self.fault.or(fault);
        let key = (interpolation, times.iter().map(|time| time.to_bits()).collect());
        let timeline = match self.known.entry(key) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.moments.push(Moments { interpolation, times: times.into(), track_count: 0 });
                *new.insert(self.moments.len() - 1)
            }
        };
        let is_still = values.windows(2).all(|pair| pair.first() == pair.last());
        if let Some(moments) = self.moments.get_mut(timeline) {
            moments.track_count += usize::from(!is_still);
        }
        self.drafts.push(Draft { joint, property, timeline, is_still, values });
    }

    /// Packs the clip, or says what is wrong with the first track that is none.
    pub fn build(self) -> Result<Clip, ClipError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if self.duration_secs.is_nan() || self.duration_secs < 0.0 {
            return Err(ClipError::Duration);
        }
        let mut clip = Clip { name: self.name, duration_secs: self.duration_secs, ..Clip::default() };
        let mut bases = Vec::with_capacity(self.moments.len());
        for moments in &self.moments {
            let per_key = moments.track_count * values_per_key(moments.interpolation);
            bases.push((clip.timelines.len(), clip.values.len()));
            if per_key == 0 {
                continue;
            }
            let total = per_key.checked_mul(moments.times.len()).and_then(|count| count.checked_add(clip.values.len()));
            let total = total.filter(|&total| u32::try_from(total).is_ok()).ok_or(ClipError::TooLarge)?;
            clip.values.resize(total, Vec4::ZERO);
            clip.add_timeline(moments.interpolation, &moments.times, per_key)?;
        }
        let mut seen = HashMap::new();
        // Tracks of one property lie side by side.
        let mut drafts = self.drafts;
        drafts.sort_by_key(|draft| (draft.property, draft.timeline, draft.joint));
        let mut filled = vec![0; self.moments.len()];
        for draft in &drafts {
            if seen.insert((draft.joint, draft.property), ()).is_some() {
                return Err(ClipError::Twice { index: draft.joint, property: draft.property });
            }
            let (Some(moments), Some(base)) = (self.moments.get(draft.timeline), bases.get(draft.timeline)) else {
                continue;
            };
            if let Some(slot) = filled.get_mut(draft.timeline) {
                clip.place(draft, moments, *base, slot);
            }
        }
        for tracks in [&mut clip.translations, &mut clip.rotations, &mut clip.scales] {
            tracks.find_runs();
        }
        if let Some(&last) = clip.rotations.single.last() {
            let whole = clip.rotations.single.len().next_multiple_of(GROUP);
            clip.rotations.single.resize(whole, last);
        }
        for draft in &self.morphs {
            if seen.insert((draft.mesh, Property::MorphWeights), ()).is_some() {
                return Err(ClipError::Twice { index: draft.mesh, property: Property::MorphWeights });
            }
            clip.place_morphs(draft)?;
        }
        clip.events = self.events;
        clip.events.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        Ok(clip)
    }
}

impl Clip {
    fn add_timeline(&mut self, interpolation: Interpolation, times: &[f32], stride: usize) -> Result<u32, ClipError> {
        let number = |count: usize| u32::try_from(count).map_err(|_| ClipError::TooLarge);
        let timeline = Timeline {
            first: number(self.times.len())?,
            key_count: number(times.len())?,
            stride: number(stride)?,
            interpolation,
        };
        number(self.times.len() + times.len() + 1)?;
        self.times.extend_from_slice(times);
        self.times.push(f32::INFINITY);
        self.timelines.push(timeline);
        number(self.timelines.len() - 1)
    }

    /// Puts the values of a track among those of its timeline.
    fn place(&mut self, draft: &Draft, moments: &Moments, (timeline, base): (usize, usize), slot: &mut usize) {
        let tracks = match draft.property {
            Property::Translation => &mut self.translations,
            Property::Rotation => &mut self.rotations,
            Property::Scale | Property::MorphWeights => &mut self.scales,
        };
        let is_spline = moments.interpolation == Interpolation::CubicSpline;
        if draft.is_still {
            let still = draft.values.first().map(|value| (draft.joint, *value));
            tracks.still.extend(still);
            return;
        }
        let per_key = values_per_key(moments.interpolation);
        let stride = moments.track_count * per_key;
        let first = base + *slot * per_key;
        *slot += 1;
        let track = Track { joint: draft.joint, timeline: timeline as u32, first: first as u32 };
        if is_spline {
            tracks.splines.push(track);
        } else {
            tracks.single.push(track);
        }
        let rows = self.values.get_mut(first..).unwrap_or_default().chunks_mut(stride.max(1));
        for (row, values) in rows.zip(draft.values.chunks_exact(per_key)) {
            if let Some(row) = row.get_mut(..per_key) {
                row.copy_from_slice(values);
            }
        }
    }

    fn place_morphs(&mut self, draft: &MorphDraft) -> Result<(), ClipError> {
        let target_count = draft.weights.len() / draft.times.len().max(1) / values_per_key(draft.interpolation);
        let stride = target_count * values_per_key(draft.interpolation);
        let timeline = self.add_timeline(draft.interpolation, &draft.times, stride)?;
        let number = |count: usize| u32::try_from(count).map_err(|_| ClipError::TooLarge);
        number(self.morph_weights.len() + draft.weights.len())?;
        self.morphs.push(Morphs {
            mesh: draft.mesh,
            timeline,
            first: number(self.morph_weights.len())?,
            target_count: number(target_count)?,
        });
        self.morph_weights.extend_from_slice(&draft.weights);
        Ok(())
    }
}

impl Tracks {
    /// Makes runs of tracks that share a timeline with enough others.
    fn find_runs(&mut self) {
        let tracks = std::mem::take(&mut self.single);
        for same in tracks.chunk_by(|a, b| a.timeline == b.timeline) {
            let (run, left) = same.split_at(same.len() / GROUP * GROUP);
            if let Some(first) = run.first() {
                self.runs.push(Run { timeline: first.timeline, first: first.first, count: run.len() as u32 });
                self.joints.extend(run.iter().map(|track| track.joint));
            }
            self.single.extend_from_slice(left);
        }
    }
}

/// As many rotations are mixed at once.
const GROUP: usize = 4;

fn values_per_key(interpolation: Interpolation) -> usize {
    if interpolation == Interpolation::CubicSpline { 3 } else { 1 }
}

fn faulty_time(index: u32, property: Property, times: &[f32]) -> Option<ClipError> {
    if times.is_empty() {
        return Some(ClipError::NoKeys { index, property });
    }
    let mut before = f32::NEG_INFINITY;
    for (key, &time) in times.iter().enumerate() {
        if !time.is_finite() || time < before {
            return Some(ClipError::Time { index, property, key });
        }
        before = time;
    }
    None
}
