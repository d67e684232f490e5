//! Skeletons, skins and clips of a scene. Joints are nodes: joint 7 is the node of index 7, so that what is fastened to a node can be found.
//!
//! A node whose transform is a matrix with shear rests at the nearest transform without.

use crate::clip::{Builder, Clip, ClipError, Interpolation};
use crate::skeleton::{Joint, Skeleton, SkeletonError, Skin};
use crate::transform::Transform;
use glam::{Quat, Vec3};
use maquette_scene::clip::{self, Curve, Keys, Target};
use maquette_scene::scene::Trs;
use maquette_scene::{Scene, compose};
use std::borrow::Cow;

/// All nodes of a scene as joints.
pub fn skeleton(scene: &Scene) -> Result<Skeleton, SkeletonError> {
    let parents = scene.parents().into_iter().map(|parent| parent.map(|parent| parent.index() as u32));
    let joints = scene.nodes.iter().zip(parents);
    Skeleton::new(joints.map(|(node, parent)| Joint {
        name: node.name.clone(),
        parent,
        rest: transform(&node.transform.trs()),
    }))
}

/// The skins of a scene, in their order.
pub fn skins(scene: &Scene) -> Vec<Skin> {
    let skin = |skin: &maquette_scene::scene::Skin| Skin {
        joints: skin.joints.iter().map(|joint| joint.index() as u32).collect(),
        joint_from_mesh: skin.joint_from_mesh.clone(),
    };
    scene.skins.iter().map(skin).collect()
}

/// A clip of a scene, packed. What its tracks add to the rest pose is added here; tracks of nodes of other scenes, known by name alone, move nothing.
pub fn clip(scene: &Scene, clip: &clip::Clip) -> Result<Clip, ClipError> {
    let mut builder = Builder::new(clip.name.clone(), clip.duration_secs as f32);
    for track in &clip.tracks {
        let Target::Node(handle) = track.target else { continue };
        let Some(node) = scene.nodes.get(handle) else { continue };
        let mut curve = with_length(&track.curve);
        let blend = track.blend.unwrap_or(clip.blend);
        if blend != clip::Blend::Absolute {
            compose::make_absolute(curve.to_mut(), blend, &node.transform.trs());
        }
        let joint = handle.index() as u32;
        match &*curve {
            Curve::Translation(keys) => {
                builder.translation(joint, interpolation(keys), &keys.times_secs, &vectors(keys));
            }
            Curve::Scale(keys) => builder.scale(joint, interpolation(keys), &keys.times_secs, &vectors(keys)),
            Curve::Rotation(keys) => {
                let turns: Vec<Quat> = keys.values.iter().map(|&value| Quat::from_array(value)).collect();
                builder.rotation(joint, interpolation(keys), &keys.times_secs, &turns);
            }
            Curve::MorphWeights(keys) => {
                let weights: Vec<f32> = keys.values.iter().flatten().copied().collect();
                let mesh = node.mesh.map_or(joint, |mesh| mesh.index() as u32);
                builder.morph_weights(mesh, interpolation(keys), &keys.times_secs, &weights);
            }
        }
    }
    for event in &clip.events {
        builder.event(event.time_secs, event.name.clone());
    }
    builder.build()
}

/// A curve without rotations of no length, which turn nothing: they are identity, as the checks of formats say. Tangents of splines may be zero.
fn with_length(curve: &Curve) -> Cow<'_, Curve> {
    let Curve::Rotation(keys) = curve else { return Cow::Borrowed(curve) };
    let is_tangent = |at: usize| keys.interpolation == clip::Interpolation::CubicSpline && at % 3 != 1;
    let is_nothing = |at: usize, value: &[f32; 4]| {
        let squared = Quat::from_array(*value).length_squared();
        squared < f32::MIN_POSITIVE && !is_tangent(at)
    };
    if !keys.values.iter().enumerate().any(|(at, value)| is_nothing(at, value)) {
        return Cow::Borrowed(curve);
    }
    let turned = keys.values.iter().enumerate();
    let values = turned.map(|(at, value)| if is_nothing(at, value) { Quat::IDENTITY.to_array() } else { *value });
    Cow::Owned(Curve::Rotation(Keys { values: values.collect(), ..keys.clone() }))
}

fn transform(trs: &Trs) -> Transform {
    Transform { translation: trs.translation.into(), rotation: trs.rotation, scale: trs.scale.into() }
}

fn vectors(keys: &Keys<[f32; 3]>) -> Vec<Vec3> {
    keys.values.iter().map(|&value| value.into()).collect()
}

fn interpolation<T>(keys: &Keys<T>) -> Interpolation {
    match keys.interpolation {
        clip::Interpolation::Step => Interpolation::Step,
        clip::Interpolation::Linear => Interpolation::Linear,
        clip::Interpolation::CubicSpline => Interpolation::CubicSpline,
    }
}
