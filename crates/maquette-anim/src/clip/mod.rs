//! A clip as it is played: keys packed by the moments they share, read in the order of time.
//!
//! It is made once, by a [`Builder`], and never changes; any number of players read it at the same time, each with a [`Cursor`] of its own.

mod build;
mod of_joint;
mod sample;
#[cfg(test)]
mod tests;
mod timeline;

pub use build::{Builder, ClipError, Property};
pub use sample::Cursor;

use crate::events::Event;
use glam::Vec4;
use timeline::Timeline;

/// How a track goes from key to key; before the first and after the last it stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// It jumps at the next.
    Step,
    /// Straight, or along the shorter arc.
    #[default]
    Linear,
    /// Along Hermite splines; each key has the tangent before it, its value and the tangent after it, and rotations are normalised.
    CubicSpline,
}

/// A clip, packed to be played.
#[derive(Clone, Debug, Default)]
pub struct Clip {
    name: String,
    duration_secs: f32,
    timelines: Vec<Timeline>,
    /// Of all timelines, one after the other.
    times: Vec<f32>,
    values: Vec<Vec4>,
    translations: Tracks,
    rotations: Tracks,
    scales: Tracks,
    morphs: Vec<Morphs>,
    morph_weights: Vec<f32>,
    /// In the order of time.
    events: Vec<Event>,
}

/// The tracks of one property, by how they are read.
#[derive(Clone, Debug, Default)]
struct Tracks {
    /// Straight or in steps, many of one timeline: their values lie side by side.
    runs: Vec<Run>,
    /// The joints of all runs.
    joints: Vec<u32>,
    /// Straight or in steps, few of one timeline; of rotations as many as whole groups of four take, the last one repeated.
    single: Vec<Track>,
    splines: Vec<Track>,
    /// What never changes: joint and value.
    still: Vec<(u32, Vec4)>,
}

/// Tracks of one timeline.
#[derive(Clone, Copy, Debug)]
struct Run {
    timeline: u32,
    /// The first value of the first track.
    first: u32,
    /// How many tracks.
    count: u32,
}

#[derive(Clone, Copy, Debug)]
struct Track {
    joint: u32,
    timeline: u32,
    /// Its first value.
    first: u32,
}

/// How much of each morph target of one mesh.
#[derive(Clone, Copy, Debug)]
struct Morphs {
    mesh: u32,
    timeline: u32,
    /// Its first weight.
    first: u32,
    target_count: u32,
}

impl Clip {
    /// As it was given; need not be unique.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How long it is, in seconds; keys may end earlier or go on after it.
    pub fn duration_secs(&self) -> f32 {
        self.duration_secs
    }

    /// What happens in it, in the order of time.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// How many joints a pose must have for all of them to be moved.
    pub fn joint_count(&self) -> usize {
        let all = [&self.translations, &self.rotations, &self.scales];
        let joints = all.iter().flat_map(|tracks| {
            let moved = tracks.single.iter().chain(&tracks.splines).map(|track| track.joint);
            moved.chain(tracks.joints.iter().copied()).chain(tracks.still.iter().map(|(joint, _)| *joint))
        });
        joints.max().map_or(0, |joint| joint as usize + 1)
    }

    /// The most morph targets of a mesh that it moves.
    pub(crate) fn morph_target_count(&self) -> usize {
        self.morphs.iter().map(|morphs| morphs.target_count as usize).max().unwrap_or(0)
    }

    /// The bytes that its keys take.
    pub fn size_bytes(&self) -> usize {
        size_of_val(self.times.as_slice())
            + size_of_val(self.values.as_slice())
            + size_of_val(self.morph_weights.as_slice())
    }
}
