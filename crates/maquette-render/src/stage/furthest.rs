//! Moments of a clip at which what is drawn reaches furthest, found without posing a vertex: each node carries a box around what it moves, and boxes are cheap to place at every key.
//!
//! The boxes choose moments, they do not bound: what is drawn then is posed and measured.

use super::Stage;
use crate::bounds::Bounds;
use crate::maths::{Affine, at};
use crate::posed;
use maquette_scene::clip::{Clip, Curve};
use maquette_scene::glam::Vec3;
use rayon::prelude::*;

/// Places of nodes and values of tracks that are worked out, about: a second of work at the most.
const MOST_PLACES: usize = 1 << 22;

/// One for each direction along the axes, at most.
pub(super) fn moments(stage: &Stage<'_>, clip: &Clip) -> Vec<f32> {
    let carried = carried(stage);
    let times = times(clip, MOST_PLACES / (stage.order.len() + clip.tracks.len()).max(1));
    let boxes: Vec<Option<Bounds>> =
        times.par_iter().map(|secs| around(&carried, &posed::world_at(stage, clip, *secs))).collect();
    let furthest = (0..6).filter_map(|direction| {
        let reach = |bounds: &Bounds| {
            let [least, most] = [bounds.min.to_array(), bounds.max.to_array()];
            if direction < 3 { at(&most, direction) } else { -at(&least, direction - 3) }
        };
        let reaches = boxes.iter().zip(&times).filter_map(|(bounds, secs)| Some((reach(bounds.as_ref()?), *secs)));
        reaches.reduce(|first, other| if other.0 > first.0 { other } else { first }).map(|(_, secs)| secs)
    });
    let mut furthest: Vec<f32> = furthest.collect();
    furthest.sort_unstable_by(f32::total_cmp);
    furthest.dedup();
    furthest
}

/// The times of keys within a clip, once each; where there are more than this, some of them, evenly.
fn times(clip: &Clip, most: usize) -> Vec<f32> {
    let keys = clip.tracks.iter().flat_map(|track| match &track.curve {
        Curve::Translation(keys) | Curve::Scale(keys) => &keys.times_secs[..],
        Curve::Rotation(keys) => &keys.times_secs[..],
        Curve::MorphWeights(_) => &[],
    });
    let mut times: Vec<f32> = keys.copied().filter(|secs| (0.0..=clip.duration_secs as f32).contains(secs)).collect();
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    let (count, most) = (times.len(), most.max(64));
    if count <= most { times } else { (0..most).map(|place| at(&times, place * count / most)).collect() }
}

/// For each node, the box around what it moves, in its own space; around nothing but itself where bones are drawn.
fn carried(stage: &Stage<'_>) -> Vec<Option<Bounds>> {
    let scene = stage.scene();
    let bare = stage.parts.is_empty().then_some(Bounds { min: Vec3::ZERO, max: Vec3::ZERO });
    let mut carried = vec![bare; scene.nodes.len()];
    let mut add = |node: usize, bounds: Option<Bounds>| {
        if let (Some(slot), Some(bounds)) = (carried.get_mut(node), bounds) {
            *slot = Some(slot.map_or(bounds, |before| before.and(bounds)));
        }
    };
    for part in &stage.parts {
        let streams = &part.primitive.streams;
        let skin = scene.nodes.get(part.node).and_then(|node| scene.skins.get(node.skin?));
        let Some((skin, influences)) = skin.zip(streams.influences.as_ref()) else {
            add(part.node.index(), Bounds::of(streams.positions.iter().copied().map(Vec3::from)));
            continue;
        };
        let mut of_joint = vec![None; skin.joints.len()];
        for (vertex, position) in streams.positions.iter().copied().map(Vec3::from).enumerate() {
            let Some(point) = Bounds::of([position]) else { continue };
            for (joint, _) in influences.of(vertex) {
                if let Some(slot) = of_joint.get_mut(joint as usize) {
                    *slot = Some(slot.map_or(point, |before: Bounds| before.and(point)));
                }
            }
        }
        for ((joint, from_mesh), bounds) in skin.joints.iter().zip(&skin.joint_from_mesh).zip(of_joint) {
            add(joint.index(), bounds.map(|bounds| placed(&bounds, &Affine::from_matrix(from_mesh))));
        }
    }
    carried
}

fn around(carried: &[Option<Bounds>], world_from_node: &[Affine]) -> Option<Bounds> {
    let boxes = carried.iter().zip(world_from_node).filter_map(|(carried, by)| Some(placed(carried.as_ref()?, by)));
    boxes.filter(|bounds| bounds.min.is_finite() && bounds.max.is_finite()).reduce(Bounds::and)
}

/// The box around a box that was moved.
fn placed(bounds: &Bounds, by: &Affine) -> Bounds {
    let (centre, half) = (by.point(bounds.centre()), bounds.half());
    let half = by.x.abs() * half.x + by.y.abs() * half.y + by.z.abs() * half.z;
    Bounds { min: centre - half, max: centre + half }
}
