//! A scene at a moment: of one clip, or of a mix.

use crate::state::player::{CHANNELS, Clips, Moment};
use maquette::scene::clip::{Curve, Target};
use maquette::scene::scene::Trs;
use maquette_anim::Transform;
use maquette_anim::mixer::{Channel, Mixer};
use maquette_render::{NodePose, Posed, Stage};

/// Poses a scene.
pub fn pose<'s>(stage: &'s Stage<'s>, clips: &Clips, moment: &Moment) -> Posed<'s> {
    match moment {
        Moment::Rest => stage.pose(None),
        Moment::Clip { clip, secs } => stage.pose(clips.sources.get(*clip).map(|clip| (&**clip, *secs))),
        Moment::Mix(channels) => stage.pose_nodes(&mixed(stage, clips, channels)),
    }
}

/// Where nodes are in a mix. Those that no clip of it moves stay as they are, shear and all.
fn mixed(stage: &Stage<'_>, clips: &Clips, channels: &[Channel]) -> NodePose {
    let scene = stage.scene();
    let Some(skeleton) = &clips.skeleton else { return NodePose::default() };
    let mut mixer = Mixer::new(skeleton, &clips.packed, CHANNELS);
    mixer.channels_mut().iter_mut().zip(channels).for_each(|(here, there)| here.clone_from(there));
    let mut pose = skeleton.rest().to_vec();
    mixer.pose(skeleton, &clips.packed, &mut pose);
    let mut locals = vec![None; scene.nodes.len()];
    let mut morph_weights = vec![Vec::new(); scene.nodes.len()];
    let playing = channels.iter().filter(|channel| channel.weight > 0.0);
    for track in playing.filter_map(|channel| clips.sources.get(channel.clip)).flat_map(|clip| &clip.tracks) {
        let Target::Node(handle) = track.target else { continue };
        if let Curve::MorphWeights(_) = track.curve {
            let mesh = scene.nodes.get(handle).and_then(|node| Some((node, node.mesh?)));
            let (Some((node, mesh)), Some(weights)) = (mesh, morph_weights.get_mut(handle.index())) else { continue };
            let of_mesh = scene.meshes.get(mesh).map_or(&[][..], |mesh| &mesh.morph_weights);
            *weights = if node.morph_weights.is_empty() { of_mesh.to_vec() } else { node.morph_weights.clone() };
            mixer.morph_weights(&clips.packed, mesh.index() as u32, weights);
        } else if let (Some(slot), Some(joint)) = (locals.get_mut(handle.index()), pose.get(handle.index())) {
            *slot = Some(trs(joint));
        }
    }
    NodePose { locals, morph_weights }
}

fn trs(joint: &Transform) -> Trs {
    Trs { translation: joint.translation.into(), rotation: joint.rotation, scale: joint.scale.into() }
}
