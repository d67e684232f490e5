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
    let named = |clip: &Clip| if clip.name.is_empty() { name.to_owned() } else { clip.name.clone() };
    other.clips.iter().map(|clip| add_clip(scene, other, clip, named(clip), options, losses)).collect()
}

/// Adds one of them, under this name.
pub(crate) fn add_clip(
    scene: &mut Scene,
    other: &Scene,
    clip: &Clip,
    name: String,
    options: &AttachOptions,
    losses: &mut LossReport,
) -> Attached {
    attach(scene, &Clip { name, ..by_names(clip, other) }, options, losses)
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
