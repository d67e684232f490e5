//! A scene at a moment: of one clip, or of a mix.

use crate::state::player::{CHANNELS, Clips, Moment};
use maquette::scene::clip::{Curve, Target};
use maquette::scene::scene::Trs;
use maquette_anim::Transform;
use maquette_anim::clip::{Clip, Cursor};
use maquette_anim::mixer::{Channel, Layer, Mixer};
use maquette_render::{NodePose, Posed, Stage};

/// Poses a scene.
pub fn pose<'s>(stage: &'s Stage<'s>, clips: &Clips, moment: &Moment) -> Posed<'s> {
    match moment {
        Moment::Rest => stage.pose(None),
        Moment::Clip { clip, secs } => stage.pose(clips.sources.get(*clip).map(|clip| (&**clip, *secs))),
        Moment::Mix(channels) => stage.pose_nodes(&mixed(stage, clips, channels)),
        Moment::Fading(channels, part) => stage.pose_nodes(&towards_rest(stage, mixed(stage, clips, channels), *part)),
    }
}

/// So much of the way from a pose to the one at rest.
fn towards_rest(stage: &Stage<'_>, mut pose: NodePose, part: f32) -> NodePose {
    let scene = stage.scene();
    for (node, local) in scene.nodes.iter().zip(&mut pose.locals) {
        let Some(local) = local else { continue };
        let rest = node.transform.trs();
        local.translation = local.translation.lerp(rest.translation, part);
        local.rotation = local.rotation.slerp(rest.rotation, part);
        local.scale = local.scale.lerp(rest.scale, part);
    }
    for (node, weights) in scene.nodes.iter().zip(&mut pose.morph_weights) {
        let of_mesh = node.mesh.and_then(|mesh| scene.meshes.get(mesh)).map_or(&[][..], |mesh| &mesh.morph_weights);
        let rest = if node.morph_weights.is_empty() { of_mesh } else { &node.morph_weights };
        for (weight, rest) in weights.iter_mut().zip(rest.iter().chain(std::iter::repeat(&0.0))) {
            *weight += (rest - *weight) * part;
        }
    }
    pose
}

/// Where nodes are in a mix. Those that no clip of it moves stay as they are, shear and all.
fn mixed(stage: &Stage<'_>, clips: &Clips, channels: &[Channel]) -> NodePose {
    let scene = stage.scene();
    let Some(skeleton) = &clips.skeleton else { return NodePose::default() };
    let mut mixer = Mixer::new(skeleton, &clips.packed, CHANNELS);
    mixer.channels_mut().iter_mut().zip(channels).for_each(|(here, there)| here.clone_from(there));
    mixer
        .channels_mut()
        .iter_mut()
        .filter(|channel| channel.layer == Layer::Additive)
        .for_each(|channel| channel.weight = 0.0);
    let mut pose = skeleton.rest().to_vec();
    mixer.pose(skeleton, &clips.packed, &mut pose);
    let mut added = Added::of(clips, channels);
    added.iter_mut().for_each(|added| added.add_to(skeleton.rest(), &mut pose));
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
            let rest = weights.clone();
            mixer.morph_weights(&clips.packed, mesh.index() as u32, weights);
            added.iter().for_each(|added| added.to_weights(mesh.index() as u32, &rest, weights));
        } else if let (Some(slot), Some(joint)) = (locals.get_mut(handle.index()), pose.get(handle.index())) {
            *slot = Some(trs(joint));
        }
    }
    NodePose { locals, morph_weights }
}

/// A channel that comes on top of the base: what its clip differs by from the rest pose. Clips are packed as they stand, not as differences.
struct Added<'c> {
    channel: &'c Channel,
    clip: &'c Clip,
    cursor: Cursor,
}

impl<'c> Added<'c> {
    fn of(clips: &'c Clips, channels: &'c [Channel]) -> Vec<Added<'c>> {
        let own = channels.iter().filter(|channel| channel.layer == Layer::Additive && channel.weight > 0.0);
        let added = |channel: &'c Channel| {
            let clip = clips.packed.get(channel.clip)?;
            Some(Added { channel, clip, cursor: Cursor::new(clip) })
        };
        own.filter_map(added).collect()
    }

    fn add_to(&mut self, rest: &[Transform], pose: &mut [Transform]) {
        let mut sampled = rest.to_vec();
        self.clip.sample(&mut self.cursor, self.channel.time_secs, &mut sampled);
        for (joint, ((sampled, rest), pose)) in sampled.iter().zip(rest).zip(pose).enumerate() {
            let part = self.channel.mask.as_ref().map_or(1.0, |mask| mask.get(joint).copied().unwrap_or(0.0));
            if part > 0.0 && sampled != rest {
                *pose = pose.with_added(&sampled.difference_from(rest), self.channel.weight * part);
            }
        }
    }

    /// The clip is where it was posed.
    fn to_weights(&self, mesh: u32, rest: &[f32], weights: &mut [f32]) {
        let mut sampled = rest.to_vec();
        if self.clip.morph_weights(&self.cursor, mesh, &mut sampled) {
            for ((weight, sampled), rest) in weights.iter_mut().zip(sampled).zip(rest) {
                *weight += (sampled - rest) * self.channel.weight;
            }
        }
    }
}

fn trs(joint: &Transform) -> Trs {
    Trs { translation: joint.translation.into(), rotation: joint.rotation, scale: joint.scale.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_render::StageOptions;

    /// From what plays to the rest pose, without a jump at either end.
    #[test]
    fn a_fade_goes_from_the_clip_to_the_rest_pose() {
        let scene = maquette::sample::creature();
        let clips = Clips::of(&scene);
        let stage = Stage::new(&scene, &StageOptions::default());
        let channel = Channel { clip: 0, weight: 1.0, time_secs: 0.3, ..Channel::default() };
        let places = |moment: &Moment| pose(&stage, &clips, moment).world_from_node().to_vec();
        let apart = |one: &Moment, other: &Moment| {
            let pairs = places(one).into_iter().zip(places(other));
            pairs.map(|(one, other)| (one.w_axis - other.w_axis).length()).fold(0.0, f32::max)
        };
        let fading = |part| Moment::Fading(vec![channel.clone()], part);
        let clip = Moment::Clip { clip: 0, secs: 0.3 };
        let whole = apart(&clip, &Moment::Rest);
        assert!(apart(&fading(0.0), &clip) < 1e-3 * whole && apart(&fading(1.0), &Moment::Rest) < 1e-3 * whole);
        let half = apart(&fading(0.5), &clip);
        assert!((0.2..0.8).contains(&(half / whole)), "{half} {whole}");
    }

    /// A clip on top of nothing is the clip itself, and half of it is half of the way from rest.
    #[test]
    fn what_is_added_is_the_difference_from_rest() {
        let scene = maquette::sample::creature();
        let clips = Clips::of(&scene);
        let stage = Stage::new(&scene, &StageOptions::default());
        let mix = |layer, weight| {
            let channel = Channel { clip: 0, weight, time_secs: 0.3, layer, ..Channel::default() };
            mixed(&stage, &clips, &[channel])
        };
        let (base, whole, half) = (mix(Layer::Base, 1.0), mix(Layer::Additive, 1.0), mix(Layer::Additive, 0.5));
        let mut moved = 0;
        for (node, ((base, whole), half)) in base.locals.iter().zip(&whole.locals).zip(&half.locals).enumerate() {
            let (Some(base), Some(whole), Some(half)) = (base, whole, half) else { continue };
            let rest = scene.nodes.iter().nth(node).unwrap().transform.trs();
            assert!(base.translation.distance(whole.translation) < 1e-4, "{base:?} {whole:?}");
            assert!(base.rotation.dot(whole.rotation).abs() > 1.0 - 1e-5, "{base:?} {whole:?}");
            assert!(half.translation.distance(rest.translation.lerp(base.translation, 0.5)) < 1e-4);
            moved += usize::from(base.rotation.dot(rest.rotation).abs() < 0.999);
        }
        assert!(moved > 0, "something moves");
    }
}
