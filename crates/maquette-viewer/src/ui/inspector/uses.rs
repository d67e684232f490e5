//! What uses a thing, and what a node is to the rest: looked up once for each that is selected.

use crate::state::selection::Thing;
use crate::ui::kept::Of;
use maquette::Scene;
use maquette::scene::Handle;
use maquette::scene::clip::{Curve, Target};
use maquette::scene::scene::{Node, Skin};
use std::sync::Arc;

/// What was looked up.
#[derive(Default)]
pub struct Uses {
    of: Of,
    thing: Thing,
    /// What uses it: nodes of a mesh, meshes of a material.
    pub users: Vec<Thing>,
    /// The parent of a node.
    pub parent: Option<Handle<Node>>,
    /// Where a node is among the joints of skins.
    pub places: Vec<(Handle<Skin>, usize)>,
    /// Keys of a node in each clip that has any.
    pub keys: Vec<ClipKeys>,
    /// Keys of all tracks of a clip.
    pub clip_keys: usize,
}

/// Keys that a clip has for a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClipKeys {
    /// Which clip.
    pub clip: usize,
    /// Of translations.
    pub translation: usize,
    /// Of rotations.
    pub rotation: usize,
    /// Of scales.
    pub scale: usize,
    /// Of morph weights.
    pub morph_weights: usize,
}

impl Uses {
    /// Looks up what is to be known of a thing, unless it is known.
    pub fn update(&mut self, scene: &Arc<Scene>, thing: Thing) {
        if self.thing == thing && self.of.is(scene) {
            return;
        }
        *self = Uses { of: Of::scene(scene), thing, users: users(scene, thing), ..Uses::default() };
        if let Thing::Clip(clip) = thing {
            let tracks = scene.clips.as_slice().get(clip).into_iter().flat_map(|clip| &clip.tracks);
            self.clip_keys = tracks.map(|track| track.curve.times_secs().len()).sum();
        }
        if let Thing::Node(node) = thing {
            self.parent = scene.parents().get(node.index()).copied().flatten();
            self.places = places(scene, node);
            self.keys = keys(scene, node);
        }
    }
}

fn users(scene: &Scene, thing: Thing) -> Vec<Thing> {
    let nodes = |uses: &dyn Fn(&Node) -> bool| -> Vec<Thing> {
        scene.nodes.entries().filter(|(_, node)| uses(node)).map(|(handle, _)| Thing::Node(handle)).collect()
    };
    match thing {
        Thing::Mesh(mesh) => nodes(&|node| node.mesh == Some(mesh)),
        Thing::Skin(skin) => nodes(&|node| node.skin == Some(skin)),
        Thing::Material(material) => {
            let uses = scene
                .meshes
                .entries()
                .filter(|(_, mesh)| mesh.primitives.iter().any(|primitive| primitive.material == Some(material)));
            uses.map(|(handle, _)| Thing::Mesh(handle)).collect()
        }
        Thing::Image(image) => {
            let uses = scene
                .materials
                .entries()
                .filter(|(_, material)| material.images().iter().any(|(_, used)| *used == image));
            uses.map(|(handle, _)| Thing::Material(handle)).collect()
        }
        Thing::Nothing | Thing::Node(_) | Thing::Clip(_) | Thing::Bone { .. } => Vec::new(),
    }
}

fn places(scene: &Scene, node: Handle<Node>) -> Vec<(Handle<Skin>, usize)> {
    let mut places = Vec::new();
    for (handle, skin) in scene.skins.entries() {
        let here = skin.joints.iter().enumerate().filter(|(_, joint)| **joint == node);
        places.extend(here.map(|(place, _)| (handle, place)));
    }
    places
}

fn keys(scene: &Scene, node: Handle<Node>) -> Vec<ClipKeys> {
    let of_clip = |(clip, data): (usize, &maquette::scene::clip::Clip)| {
        let mut keys = ClipKeys { clip, ..ClipKeys::default() };
        let mut has_any = false;
        for track in data.tracks.iter().filter(|track| track.target == Target::Node(node)) {
            let count = track.curve.times_secs().len();
            let of = match &track.curve {
                Curve::Translation(_) => &mut keys.translation,
                Curve::Rotation(_) => &mut keys.rotation,
                Curve::Scale(_) => &mut keys.scale,
                Curve::MorphWeights(_) => &mut keys.morph_weights,
            };
            *of += count;
            has_any = true;
        }
        has_any.then_some(keys)
    };
    scene.clips.iter().enumerate().filter_map(of_clip).collect()
}
