//! Clips from other files, put onto a model by the names of its bones.

use maquette_scene::Scene;
use maquette_scene::attach::{AttachOptions, Attached, attach};
use maquette_scene::clip::{Clip, Target, Track};
use maquette_scene::loss::LossReport;

/// Adds every clip of another scene; what came of each. One without a name is called `name`.
pub fn add_clips(
    scene: &mut Scene,
    other: &Scene,
    name: &str,
    options: &AttachOptions,
    losses: &mut LossReport,
) -> Vec<Attached> {
    let add = |clip: &Clip| {
        let mut named = by_names(clip, other);
        if named.name.is_empty() {
            named.name = name.to_owned();
        }
        attach(scene, &named, options, losses)
    };
    other.clips.iter().map(add).collect()
}

/// The same clip with its targets named rather than linked.
fn by_names(clip: &Clip, scene: &Scene) -> Clip {
    let named = |track: &Track| {
        let target = match &track.target {
            Target::Node(node) => Target::Name(scene.node_name(*node).into_owned()),
            by_name => by_name.clone(),
        };
        Track { target, ..track.clone() }
    };
    Clip { tracks: clip.tracks.iter().map(named).collect(), ..clip.clone() }
}
