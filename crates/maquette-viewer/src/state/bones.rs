//! Bones of clips alone: there are no nodes, so a bone is known by the name that tracks have for it.

use super::selection::Thing;
use maquette::Scene;
use maquette::scene::clip::{Clip, Target, Track};
use std::collections::HashSet;

/// The bones of a clip, in the order in which they come, each as its first track.
pub fn of_clip(scene: &Scene, clip: usize) -> Vec<Thing> {
    let mut seen = HashSet::new();
    let tracks = scene.clips.as_slice().get(clip).map_or(&[][..], |clip| &clip.tracks);
    let named = tracks.iter().enumerate().filter_map(|(track, own)| Some((track, name_of(own)?)));
    named.filter(|(_, name)| seen.insert(*name)).map(|(track, _)| Thing::Bone { clip, track }).collect()
}

/// What a bone is called.
pub fn name(scene: &Scene, clip: usize, track: usize) -> Option<&str> {
    name_of(scene.clips.as_slice().get(clip)?.tracks.get(track)?)
}

/// The tracks of a clip that move a bone.
pub fn tracks_of<'c>(clip: &'c Clip, name: &'c str) -> impl Iterator<Item = &'c Track> {
    clip.tracks.iter().filter(move |track| name_of(track) == Some(name))
}

fn name_of(track: &Track) -> Option<&str> {
    match &track.target {
        Target::Name(name) => Some(name),
        Target::Node(_) => None,
    }
}
