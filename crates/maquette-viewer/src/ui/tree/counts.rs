//! How many keys a clip has for each node.

use crate::state::document::Document;
use crate::state::selection::Thing;
use crate::ui::kept::Of;
use maquette::Scene;
use maquette::scene::Handle;
use maquette::scene::clip::Target;
use maquette::scene::scene::Node;
use std::sync::Arc;

/// The keys of one clip, by node.
#[derive(Default)]
pub struct Counts {
    of: Of,
    clip: Option<usize>,
    keys: Vec<u32>,
    joints: Option<(Of, Vec<bool>)>,
}

impl Counts {
    /// Counts the keys of the clip that is selected, or of the one that plays; once for each.
    pub fn update(&mut self, scene: &Arc<Scene>, document: &Document) {
        if self.joints.as_ref().is_none_or(|(of, _)| !of.is(scene)) {
            self.joints = Some((Of::scene(scene), joints(scene)));
        }
        let playing = document.player.as_ref().and_then(|player| player.current()).map(|channel| channel.clip);
        let clip = match document.selection.thing {
            Thing::Clip(clip) => Some(clip),
            _ => playing,
        };
        if self.clip == clip && self.of.is(scene) {
            return;
        }
        (self.of, self.clip) = (Of::scene(scene), clip);
        self.keys = clip.map_or_else(Vec::new, |clip| keys(scene, clip));
    }

    /// The keys of a node; `None` where there is no clip, or where it is no joint and has none.
    pub fn of_node(&self, node: Handle<Node>) -> Option<u32> {
        let keys = self.keys.get(node.index()).copied()?;
        (keys > 0 || self.is_joint(node)).then_some(keys)
    }

    /// Whether a skin binds to it.
    pub fn is_joint(&self, node: Handle<Node>) -> bool {
        self.joints.as_ref().and_then(|(_, joints)| joints.get(node.index())).is_some_and(|is_joint| *is_joint)
    }

    /// The clip that is counted.
    pub fn clip(&self) -> Option<usize> {
        self.clip
    }
}

fn joints(scene: &Scene) -> Vec<bool> {
    let mut joints = vec![false; scene.nodes.len()];
    for joint in scene.skins.iter().flat_map(|skin| &skin.joints) {
        if let Some(is_joint) = joints.get_mut(joint.index()) {
            *is_joint = true;
        }
    }
    joints
}

fn keys(scene: &Scene, clip: usize) -> Vec<u32> {
    let mut keys = vec![0_u32; scene.nodes.len()];
    for track in scene.clips.as_slice().get(clip).into_iter().flat_map(|clip| &clip.tracks) {
        let Target::Node(node) = track.target else { continue };
        if let Some(keys) = keys.get_mut(node.index()) {
            *keys = keys.saturating_add(track.curve.times_secs().len() as u32);
        }
    }
    keys
}
