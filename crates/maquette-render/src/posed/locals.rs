//! Where nodes are at a moment, by arithmetic that is the same on every machine.
//!
//! [`pose::locals`] is the yardstick. It turns by the sines of the system, which differ in the last bit; these are our own. A test holds both together.

use super::Moment;
use crate::maths::{Affine, at};
use maquette_scene::clip::{Blend, Curve, Interpolation, Keys, Target};
use maquette_scene::glam::Quat;
use maquette_scene::pose;
use maquette_scene::scene::{Scene, Transform, Trs};

/// From each node to its parent.
pub(super) fn locals(scene: &Scene, moment: Moment<'_>) -> Vec<Affine> {
    let mut moved: Vec<Option<Trs>> = vec![None; scene.nodes.len()];
    if let Moment::Nodes(pose) = moment {
        moved.iter_mut().zip(&pose.locals).for_each(|(slot, local)| *slot = *local);
    }
    if let Moment::Clip(clip, secs) = moment {
        for track in &clip.tracks {
            let Target::Node(handle) = track.target else { continue };
            let (Some(node), Some(slot)) = (scene.nodes.get(handle), moved.get_mut(handle.index())) else { continue };
            let rest = node.transform.trs();
            apply(slot.get_or_insert(rest), &rest, &track.curve, track.blend.unwrap_or(clip.blend), secs);
        }
    }
    let nodes = scene.nodes.iter().zip(moved);
    nodes
        .map(|(node, moved)| match (moved, &node.transform) {
            (Some(trs), _) => of_trs(&trs),
            (None, Transform::Trs(trs)) => of_trs(trs),
            (None, Transform::Matrix(matrix)) => Affine::from_matrix(matrix),
        })
        .collect()
}

fn of_trs(trs: &Trs) -> Affine {
    Affine::from_parts(trs.translation, trs.rotation, trs.scale)
}

fn apply(local: &mut Trs, rest: &Trs, curve: &Curve, blend: Blend, secs: f32) {
    match curve {
        Curve::Translation(keys) => {
            if let Some(value) = pose::vector_at(keys, secs) {
                local.translation = blend.translation(rest.translation, value);
            }
        }
        Curve::Rotation(keys) => {
            if let Some(value) = rotation_at(keys, secs) {
                local.rotation = match blend {
                    Blend::Additive => Quat::from_array(product(rest.rotation.to_array(), value)),
                    Blend::Absolute | Blend::Relative | Blend::Delta => Quat::from_array(value),
                };
            }
        }
        Curve::Scale(keys) => local.scale = pose::vector_at(keys, secs).unwrap_or(local.scale),
        Curve::MorphWeights(_) => {}
    }
}

type Turn = [f32; 4];

fn product([ax, ay, az, aw]: Turn, [bx, by, bz, bw]: Turn) -> Turn {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn dot(a: Turn, b: Turn) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

fn unit(turn: Turn) -> Turn {
    let length = dot(turn, turn).sqrt();
    if length > 0.0 && length.is_finite() { turn.map(|part| part / length) } else { [0.0, 0.0, 0.0, 1.0] }
}

fn sum(parts: &[(Turn, f32)]) -> Turn {
    std::array::from_fn(|axis| parts.iter().fold(0.0, |sum, (turn, weight)| sum + at(turn, axis) * weight))
}

fn rotation_at(keys: &Keys<Turn>, secs: f32) -> Option<Turn> {
    let times = &keys.times_secs;
    let after = times.partition_point(|&time| time <= secs);
    let value = |index: usize| keys.values.get(index).copied();
    let before = after.saturating_sub(1);
    let (from, to) = (*times.get(before)?, times.get(before + 1).copied());
    let part = if after == 0 { 0.0 } else { to.map_or(0.0, |to| (secs - from) / (to - from)) };
    match keys.interpolation {
        Interpolation::Step => value(before).map(unit),
        Interpolation::Linear => {
            let here = unit(value(before)?);
            Some(value(before + 1).map_or(here, |next| slerp(here, unit(next), part)))
        }
        Interpolation::CubicSpline => {
            let here = value(3 * before + 1)?;
            let Some(next) = value(3 * before + 4) else { return Some(unit(here)) };
            let span = to.map_or(0.0, |to| to - from);
            let (t, t2, t3) = (part, part * part, part * part * part);
            Some(unit(sum(&[
                (here, 2.0 * t3 - 3.0 * t2 + 1.0),
                (value(3 * before + 2)?, span * (t3 - 2.0 * t2 + t)),
                (next, 3.0 * t2 - 2.0 * t3),
                (value(3 * before + 3)?, span * (t3 - t2)),
            ])))
        }
    }
}

/// Along the shorter arc.
fn slerp(from: Turn, to: Turn, part: f32) -> Turn {
    let cosine = dot(from, to);
    let (to, cosine) = if cosine < 0.0 { (to.map(|part| -part), -cosine) } else { (to, cosine) };
    if cosine > 1.0 - 1e-6 {
        return unit(sum(&[(from, 1.0 - part), (to, part)]));
    }
    let angle = libm::acosf(cosine);
    let sine = libm::sinf(angle);
    sum(&[(from, libm::sinf(angle * (1.0 - part)) / sine), (to, libm::sinf(angle * part) / sine)])
}
