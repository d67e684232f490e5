//! From a clip of a scene and back. Single precision becomes double without loss; what comes back is rounded to the nearest.

use crate::blending::change;
use crate::curve::{Curve, Keys};
use crate::motion::{Bone, Event, Motion, Track};
use crate::rig::Trs;
use maquette_scene::clip::{self, Blend, Clip, Target};
use maquette_scene::glam::{DQuat, DVec3};
use maquette_scene::scene::Node;
use maquette_scene::{Handle, Scene};
use std::collections::{HashMap, HashSet};

/// A motion, and what its bones are in the scene.
#[derive(Clone, Debug)]
pub struct OfClip {
    /// The clip, to be edited.
    pub motion: Motion,
    /// What each [`Bone::origin`] moves.
    targets: Vec<Target>,
}

impl OfClip {
    /// The clip of a scene; one that was additive before it was composed with the rest pose is so again. A target that is blended in several ways is a bone for each.
    pub fn new(scene: &Scene, clip: &Clip) -> OfClip {
        let mut targets = Vec::new();
        let mut motion = Motion {
            name: clip.name.clone(),
            duration_secs: clip.duration_secs,
            events: clip.events.iter().map(event).collect(),
            blend: clip.blend,
            looped: clip.looped,
            frame_rate: clip.frame_rate.map(decimal),
            ..Motion::default()
        };
        let mut places: HashMap<(&Target, Option<Blend>), usize> = HashMap::new();
        for track in &clip.tracks {
            let bone = *places.entry((&track.target, track.blend)).or_insert_with(|| {
                let name = match &track.target {
                    Target::Node(node) => scene.node_name(*node).into_owned(),
                    Target::Name(name) => name.clone(),
                };
                motion.bones.push(Bone { name, origin: Some(targets.len()), blend: track.blend, is_shape: false });
                targets.push(track.target.clone());
                targets.len() - 1
            });
            motion.tracks.push(Track { bone, curve: wide(&track.curve) });
        }
        let is_node = |track: &clip::Track| matches!(track.target, Target::Node(_)) && track.blend.is_none();
        let was_additive = clip.composed_from == Some(Blend::Additive) && clip.blend == Blend::Absolute;
        if was_additive && clip.tracks.iter().all(is_node) {
            // The file holds its values as they are added to the rest pose.
            motion.blend = Blend::Additive;
            for (track, stored) in motion.tracks.iter_mut().zip(&clip.tracks) {
                let Target::Node(node) = &stored.target else { continue };
                let rest = scene.nodes.get(*node).map_or(Trs::IDENTITY, |node| node.transform.trs().into());
                change(&mut track.curve, Blend::Absolute, Blend::Additive, &rest);
            }
        }
        OfClip { motion, targets }
    }

    /// The same clip with these keys and events; its extras stay. Bones that were added are looked for by name in the scene, and known by name alone where
    /// there is none.
    pub fn clip(&self, motion: &Motion, scene: &Scene, before: &Clip) -> Clip {
        let by_name: HashMap<String, Target> = scene
            .nodes_parents_first()
            .into_iter()
            .rev()
            .map(|node| (scene.node_name(node).into_owned(), Target::Node(node)))
            .collect();
        let target = |bone: &Bone| match bone.origin.and_then(|origin| self.targets.get(origin)) {
            Some(Target::Name(_)) => Target::Name(bone.name.clone()),
            Some(node) if Some(&*bone.name) == self.name_of(bone, scene).as_deref() => node.clone(),
            _ => by_name.get(&bone.name).cloned().unwrap_or_else(|| Target::Name(bone.name.clone())),
        };
        let tracks = motion.tracks.iter().filter_map(|track| {
            let bone = motion.bone(track).filter(|_| !track.curve.is_empty())?;
            Some(clip::Track { target: target(bone), curve: narrow(&track.curve), blend: bone.blend })
        });
        Clip {
            name: motion.name.clone(),
            duration_secs: motion.duration_secs,
            tracks: tracks.collect(),
            events: motion.events.iter().map(narrow_event).collect(),
            blend: motion.blend,
            looped: motion.looped,
            frame_rate: motion.frame_rate.map(|rate| rate as f32),
            composed_from: None,
            extras: before.extras.clone(),
        }
    }

    /// Nodes whose bones have another name now, which no node has yet.
    pub fn renamed(&self, motion: &Motion, scene: &Scene) -> Vec<(Handle<Node>, String)> {
        let taken: HashSet<_> = scene.nodes.handles().map(|node| scene.node_name(node)).collect();
        let renamed = |bone: &Bone| match self.targets.get(bone.origin?)? {
            Target::Node(node) if !taken.contains(bone.name.as_str()) => Some((*node, bone.name.clone())),
            _ => None,
        };
        motion.bones.iter().filter_map(renamed).collect()
    }

    /// Nodes whose bones are in none of these motions.
    pub fn left<'m>(&self, motions: impl Iterator<Item = &'m Motion>) -> Vec<Handle<Node>> {
        let kept: HashSet<usize> = motions.flat_map(|motion| &motion.bones).filter_map(|bone| bone.origin).collect();
        let nodes = self.targets.iter().enumerate().filter(|(origin, _)| !kept.contains(origin));
        nodes.filter_map(|(_, target)| if let Target::Node(node) = target { Some(*node) } else { None }).collect()
    }

    fn name_of(&self, bone: &Bone, scene: &Scene) -> Option<String> {
        match self.targets.get(bone.origin?)? {
            Target::Node(node) => Some(scene.node_name(*node).into_owned()),
            Target::Name(name) => Some(name.clone()),
        }
    }
}

/// A number of single precision as the shortest decimal that it is read from: 29.97, and not 29.969999.
pub fn decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

fn event(event: &clip::Event) -> Event {
    Event { time_secs: event.time_secs.into(), name: event.name.clone() }
}

fn narrow_event(event: &Event) -> clip::Event {
    clip::Event { time_secs: event.time_secs as f32, name: event.name.clone() }
}

fn wide(curve: &clip::Curve) -> Curve {
    fn keys<T: Copy, U>(keys: &clip::Keys<T>, value: impl Fn(T) -> U) -> Keys<U> {
        Keys {
            times_secs: keys.times_secs.iter().map(|secs| f64::from(*secs)).collect(),
            values: keys.values.iter().map(|stored| value(*stored)).collect(),
            interpolation: keys.interpolation,
        }
    }
    match curve {
        clip::Curve::Translation(stored) => Curve::Translation(keys(stored, vector)),
        clip::Curve::Scale(stored) => Curve::Scale(keys(stored, vector)),
        clip::Curve::Rotation(stored) => Curve::Rotation(keys(stored, |xyzw| DQuat::from_array(xyzw.map(f64::from)))),
        clip::Curve::MorphWeights(stored) => Curve::MorphWeights(Keys {
            times_secs: stored.times_secs.iter().map(|secs| f64::from(*secs)).collect(),
            values: stored
                .values
                .iter()
                .map(|weights| weights.iter().map(|weight| f64::from(*weight)).collect())
                .collect(),
            interpolation: stored.interpolation,
        }),
    }
}

fn vector(xyz: [f32; 3]) -> DVec3 {
    DVec3::from_array(xyz.map(f64::from))
}

pub(crate) fn narrow(curve: &Curve) -> clip::Curve {
    fn keys<T, U>(keys: &Keys<T>, value: impl Fn(&T) -> U) -> clip::Keys<U> {
        clip::Keys {
            times_secs: rising(&keys.times_secs),
            values: keys.values.iter().map(value).collect(),
            interpolation: keys.interpolation,
        }
    }
    let xyz = |value: &DVec3| value.to_array().map(|component| component as f32);
    match curve {
        Curve::Translation(stored) => clip::Curve::Translation(keys(stored, xyz)),
        Curve::Scale(stored) => clip::Curve::Scale(keys(stored, xyz)),
        Curve::Rotation(stored) => {
            clip::Curve::Rotation(keys(stored, |value| value.to_array().map(|component| component as f32)))
        }
        Curve::MorphWeights(stored) => {
            clip::Curve::MorphWeights(keys(stored, |value| value.iter().map(|weight| *weight as f32).collect()))
        }
    }
}

/// Times in single precision, each later than the one before even where rounding makes two of them one.
fn rising(times_secs: &[f64]) -> Vec<f32> {
    let mut last = f32::NEG_INFINITY;
    let next = |secs: &f64| {
        let secs = *secs as f32;
        last = if secs > last { secs } else { last.next_up() };
        last
    };
    times_secs.iter().map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::clip::Interpolation;

    #[test]
    fn a_clip_comes_back_as_it_was() {
        let mut scene = Scene::default();
        let named = scene.nodes.push(Node { name: "hip".into(), ..Node::default() });
        let nameless = scene.nodes.push(Node::default());
        let twin = scene.nodes.push(Node { name: "hip".into(), ..Node::default() });
        scene.roots = vec![named, nameless, twin];
        let keys =
            |values: Vec<[f32; 3]>, interpolation| clip::Keys { times_secs: vec![0.1, 0.7], values, interpolation };
        let spline = vec![[0.1; 3], [0.2; 3], [0.3; 3], [0.4; 3], [0.5; 3], [0.6; 3]];
        let curves = [
            (Target::Node(named), clip::Curve::Translation(keys(spline, Interpolation::CubicSpline)), None),
            (Target::Node(nameless), clip::Curve::Scale(keys(vec![[1.1; 3], [0.3; 3]], Interpolation::Step)), None),
            (Target::Node(twin), clip::Curve::Scale(keys(vec![[1.1; 3], [0.3; 3]], Interpolation::Linear)), None),
            (
                Target::Name("elsewhere".into()),
                clip::Curve::Rotation(clip::Keys {
                    times_secs: vec![0.3],
                    values: vec![[0.1, 0.2, 0.3, 0.9]],
                    interpolation: Interpolation::Linear,
                }),
                Some(Blend::Additive),
            ),
            (
                Target::Node(named),
                clip::Curve::MorphWeights(clip::Keys {
                    times_secs: vec![0.3],
                    values: vec![vec![0.1, 0.9]],
                    interpolation: Interpolation::Linear,
                }),
                None,
            ),
        ];
        let mut clip = Clip {
            name: "go".into(),
            duration_secs: 0.7,
            events: vec![clip::Event { time_secs: 0.1, name: "step".into() }],
            looped: Some(true),
            frame_rate: Some(29.97),
            tracks: curves.map(|(target, curve, blend)| clip::Track { target, curve, blend }).into(),
            ..Clip::default()
        };
        clip.extras.set("seanim", "custom", "1");
        let of_clip = OfClip::new(&scene, &clip);
        assert_eq!(of_clip.motion.bones.len(), 4, "one for each target and blend");
        assert_eq!(of_clip.clip(&of_clip.motion, &scene, &clip), clip);
        let mut renamed = of_clip.motion.clone();
        renamed.bones[0].name = "node1".into();
        renamed.bones[3].name = "hip".into();
        assert_eq!(of_clip.renamed(&renamed, &scene), [], "both names are taken");
        let again = of_clip.clip(&renamed, &scene, &clip);
        assert_eq!(again.tracks[0].target, Target::Node(nameless), "it is called so");
        assert_eq!(again.tracks[3].target, Target::Name("hip".into()), "a clip by names stays one");
        renamed.bones[0].name = "pelvis".into();
        assert_eq!(of_clip.renamed(&renamed, &scene), [(named, "pelvis".into())]);
    }

    #[test]
    fn times_that_round_to_one_go_on_rising() {
        let close = [0.1, 0.1 + 1e-12, 0.1 + 2e-12, 0.2];
        let times = rising(&close);
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
        assert_eq!((times[0], times[3]), (0.1, 0.2));
    }
}
