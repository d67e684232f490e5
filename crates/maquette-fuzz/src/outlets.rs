//! Every dialect that a scene can be written in.

use maquette::Scene;
use maquette::formats::format::{BUILT_IN, Format};
use maquette::scene::clip::Clip;
use std::fmt;
use std::sync::LazyLock;

/// For how long clips may move nodes that are sampled, all nodes together.
const MOST_SAMPLED_SECS: f64 = 200.0;

/// A dialect of a format.
#[derive(Clone, Copy, Debug)]
pub struct Outlet {
    /// The format it is a dialect of.
    pub format: &'static Format,
    /// The dialect's id.
    pub dialect: &'static str,
}

/// All of them.
pub static OUTLETS: LazyLock<Vec<Outlet>> = LazyLock::new(|| BUILT_IN.into_iter().flat_map(Outlet::of).collect());

impl Outlet {
    /// Those of one format.
    pub fn of(format: &'static Format) -> impl Iterator<Item = Outlet> {
        format.dialects.iter().map(move |dialect| Outlet { format, dialect: dialect.id })
    }

    /// Whether a scene takes too much to be written in it again and again: a format that samples clips makes gigabytes of long ones, as it should.
    pub fn is_too_much(&self, scene: &Scene) -> bool {
        let samples_clips = self.format.id == "bmw";
        let secs = |clip: &Clip| {
            let ends = clip.tracks.iter().filter_map(|track| track.curve.times_secs().last());
            ends.fold(clip.duration_secs, |longest, &time| longest.max(f64::from(time)))
        };
        let total_secs: f64 = scene.clips.iter().map(secs).sum();
        samples_clips && total_secs * scene.nodes.len() as f64 > MOST_SAMPLED_SECS
    }

    /// What a file in it is called.
    pub fn file_name(&self) -> String {
        format!("model.{}", self.format.ending_of(self.dialect))
    }
}

impl fmt::Display for Outlet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.format.id, self.dialect)
    }
}
