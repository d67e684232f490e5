//! Where everything is at a moment of a clip: the yardstick that conversions are measured by.
//!
//! It follows the glTF specification to the letter: a channel replaces the rest value of its property, what has no
//! channel stays at rest, and a skinned vertex is the weighted sum of `world_from_joint · joint_from_mesh · position`, the transform of
//! its own node ignored, and where it is bound its morph targets decide. It is written to be right, not to be fast.

use crate::clip::{Blend, Clip, Curve, Interpolation, Keys, Target};
use crate::mesh::{Mesh, Topology};
use crate::scene::{Node, Scene, Skin, Trs};
use crate::{Handle, mesh::Primitive};
use glam::{Mat4, Quat, Vec3, Vec4};
use std::collections::HashMap;

/// The local matrices of all nodes at a moment of a clip. Tracks of other scenes' nodes move nothing.
pub fn locals(scene: &Scene, clip: &Clip, secs: f32) -> Vec<Mat4> {
    let mut moved: Vec<Option<Trs>> = vec![None; scene.nodes.len()];
    for track in &clip.tracks {
        let Target::Node(handle) = track.target else { continue };
        let (Some(node), Some(slot)) = (scene.nodes.get(handle), moved.get_mut(handle.index())) else { continue };
        let rest = node.transform.trs();
        let local = slot.get_or_insert(rest);
        apply(local, &rest, &track.curve, track.blend.unwrap_or(clip.blend), secs);
    }
    let nodes = scene.nodes.iter().zip(moved);
    nodes.map(|(node, moved)| moved.map_or_else(|| node.transform.matrix(), |trs| trs.matrix())).collect()
}

pub(crate) fn apply(local: &mut Trs, rest: &Trs, curve: &Curve, blend: Blend, secs: f32) {
    match curve {
        Curve::Translation(keys) => {
            if let Some(value) = vector_at(keys, secs) {
                local.translation = blend.translation(rest.translation, value);
            }
        }
        Curve::Rotation(keys) => {
            if let Some(value) = rotation_at(keys, secs) {
                local.rotation = blend.rotation(rest.rotation, value);
            }
        }
        Curve::Scale(keys) => local.scale = vector_at(keys, secs).unwrap_or(local.scale),
        Curve::MorphWeights(_) => {}
    }
}

/// The key at or before a moment, and how far it is to the next: 0 at the key, 1 at the next.
fn segment(times: &[f32], secs: f32) -> Option<(usize, f32)> {
    let after = times.partition_point(|&time| time <= secs);
    let Some(before) = after.checked_sub(1) else { return (!times.is_empty()).then_some((0, 0.0)) };
    let (Some(&from), Some(&to)) = (times.get(before), times.get(after)) else { return Some((before, 0.0)) };
    Some((before, (secs - from) / (to - from)))
}

/// The value of a curve of vectors.
pub fn vector_at(keys: &Keys<[f32; 3]>, secs: f32) -> Option<Vec3> {
    let value = |index: usize| keys.values.get(index).map(|&value| Vec3::from(value));
    let (at, fraction) = segment(&keys.times_secs, secs)?;
    match keys.interpolation {
        Interpolation::Step => value(at),
        Interpolation::Linear => Some(value(at)?.lerp(value(at + 1).unwrap_or(value(at)?), fraction)),
        Interpolation::CubicSpline => {
            let span = span(&keys.times_secs, at);
            let here = value(3 * at + 1)?;
            let Some(next) = value(3 * at + 4) else { return Some(here) };
            Some(
                hermite(
                    here.extend(0.0),
                    value(3 * at + 2)?.extend(0.0),
                    next.extend(0.0),
                    value(3 * at + 3)?.extend(0.0),
                    span,
                    fraction,
                )
                .truncate(),
            )
        }
    }
}

/// The value of a curve of quaternions, normalised.
pub fn rotation_at(keys: &Keys<[f32; 4]>, secs: f32) -> Option<Quat> {
    let value = |index: usize| keys.values.get(index).map(|&value| Vec4::from(value));
    let unit = |value: Vec4| Quat::from_vec4(value.try_normalize().unwrap_or(Vec4::W));
    let (at, fraction) = segment(&keys.times_secs, secs)?;
    match keys.interpolation {
        Interpolation::Step => value(at).map(unit),
        Interpolation::Linear => {
            let here = unit(value(at)?);
            Some(value(at + 1).map_or(here, |next| here.slerp(unit(next), fraction)))
        }
        Interpolation::CubicSpline => {
            let span = span(&keys.times_secs, at);
            let here = value(3 * at + 1)?;
            let Some(next) = value(3 * at + 4) else { return Some(unit(here)) };
            Some(unit(hermite(here, value(3 * at + 2)?, next, value(3 * at + 3)?, span, fraction)))
        }
    }
}

fn span(times: &[f32], at: usize) -> f32 {
    times.get(at + 1).zip(times.get(at)).map_or(0.0, |(to, from)| to - from)
}

/// How much of a key, the tangent after it, the next key and the tangent before that make up a moment between.
fn hermite_weights(span: f32, t: f32) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [2.0 * t3 - 3.0 * t2 + 1.0, span * (t3 - 2.0 * t2 + t), 3.0 * t2 - 2.0 * t3, span * (t3 - t2)]
}

fn hermite(from: Vec4, out_tangent: Vec4, to: Vec4, in_tangent: Vec4, span: f32, t: f32) -> Vec4 {
    let [from_part, out_part, to_part, in_part] = hermite_weights(span, t);
    from * from_part + out_tangent * out_part + to * to_part + in_tangent * in_part
}

/// How much of each morph target of its mesh a node shows at rest: its own weights, or those of the mesh.
pub(crate) fn morph_weights<'s>(node: &'s Node, mesh: &'s Mesh) -> &'s [f32] {
    if node.morph_weights.is_empty() { &mesh.morph_weights } else { &node.morph_weights }
}

/// The weights that a clip gives to the morph targets of nodes at a moment.
pub(crate) fn animated_weights(clip: &Clip, secs: f32) -> HashMap<Handle<Node>, Vec<f32>> {
    let weights = clip.tracks.iter().filter_map(|track| match (&track.target, &track.curve) {
        (Target::Node(node), Curve::MorphWeights(keys)) => Some((*node, weights_at(keys, secs)?)),
        _ => None,
    });
    weights.collect()
}

/// The value of a curve of morph weights.
pub fn weights_at(keys: &Keys<Vec<f32>>, secs: f32) -> Option<Vec<f32>> {
    let value = |index: usize| keys.values.get(index);
    let (at, fraction) = segment(&keys.times_secs, secs)?;
    let mixed =
        |a: &[f32], b: &[f32], mix: &dyn Fn(f32, f32) -> f32| a.iter().zip(b).map(|(&a, &b)| mix(a, b)).collect();
    match keys.interpolation {
        Interpolation::Step => value(at).cloned(),
        Interpolation::Linear => {
            let here = value(at)?;
            Some(value(at + 1).map_or(here.clone(), |next| mixed(here, next, &|a, b| a + (b - a) * fraction)))
        }
        Interpolation::CubicSpline => {
            let span = span(&keys.times_secs, at);
            let (here, out_tangent) = (value(3 * at + 1)?, value(3 * at + 2)?);
            let (Some(in_tangent), Some(next)) = (value(3 * at + 3), value(3 * at + 4)) else {
                return Some(here.clone());
            };
            let ends = here.iter().zip(next).zip(out_tangent.iter().zip(in_tangent));
            let [here_part, out_part, next_part, in_part] = hermite_weights(span, fraction);
            Some(
                ends.map(|((a, b), (out, into))| a * here_part + out * out_part + b * next_part + into * in_part)
                    .collect(),
            )
        }
    }
}

/// Every vertex that is drawn, where it is drawn: nodes parents first, their parts and vertices in order, each mesh in the shape
/// that these weights give it, or at rest where a node has none.
fn positions(scene: &Scene, world_from_node: &[Mat4], weights: &HashMap<Handle<Node>, Vec<f32>>) -> Vec<Vec3> {
    let mut positions = Vec::new();
    for handle in scene.nodes_parents_first() {
        let Some((node, mesh)) = drawn(scene, handle) else { continue };
        let world_from_mesh = world_from_node.get(handle.index()).copied().unwrap_or(Mat4::IDENTITY);
        let world = |joint: Handle<Node>| world_from_node.get(joint.index()).copied().unwrap_or(Mat4::IDENTITY);
        let palette = node.skin.and_then(|skin| scene.skins.get(skin)).map(|skin| palette(skin, world));
        let weights = weights.get(&handle).map_or(morph_weights(node, mesh), Vec::as_slice);
        for primitive in &mesh.primitives {
            positions.extend(primitive_positions(primitive, weights, world_from_mesh, palette.as_deref()));
        }
    }
    positions
}

/// For each joint of a skin, mesh space to scene space.
pub(crate) fn palette(skin: &Skin, world_from_joint: impl Fn(Handle<Node>) -> Mat4) -> Vec<Mat4> {
    let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
    joints.map(|(&joint, joint_from_mesh)| world_from_joint(joint) * *joint_from_mesh).collect()
}

/// A node and the mesh that is drawn at it.
pub(crate) fn drawn(scene: &Scene, handle: Handle<Node>) -> Option<(&Node, &Mesh)> {
    let node = scene.nodes.get(handle)?;
    Some((node, scene.meshes.get(node.mesh?)?))
}

/// Where the vertices of a primitive are, one of a skin by the matrices of its joints.
pub(crate) fn primitive_positions(
    primitive: &Primitive,
    weights: &[f32],
    world_from_mesh: Mat4,
    palette: Option<&[Mat4]>,
) -> impl Iterator<Item = Vec3> {
    let shapes = primitive.morph_targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
    let shapes: Vec<_> = shapes.map(|(target, &weight)| (&target.positions, weight)).collect();
    primitive.streams.positions.iter().enumerate().map(move |(vertex, &position)| {
        let changes = shapes.iter().filter_map(|(changes, weight)| Some(Vec3::from(*changes.get(vertex)?) * *weight));
        let position = changes.fold(Vec3::from(position), |position, change| position + change);
        let influences = primitive.streams.influences.as_ref().zip(palette);
        let Some((influences, palette)) = influences else { return world_from_mesh.transform_point3(position) };
        let mut sum = Vec3::ZERO;
        let mut total = 0.0;
        for (joint, weight) in influences.of(vertex) {
            let matrix = palette.get(joint as usize).copied().unwrap_or(Mat4::IDENTITY);
            sum += matrix.transform_point3(position) * weight;
            total += weight;
        }
        // A vertex that nothing moves stays where it was bound.
        if total == 0.0 { position } else { sum }
    })
}

/// Every drawn triangle or line, as indices into the vertices of all drawn primitives in order; a line has its second end twice.
pub fn faces(scene: &Scene) -> Vec<[usize; 3]> {
    let mut faces = Vec::new();
    let mut first = 0;
    for handle in scene.nodes_parents_first() {
        let Some((_, mesh)) = drawn(scene, handle) else { continue };
        for primitive in &mesh.primitives {
            let corner = |index: u32| first + index as usize;
            match primitive.topology {
                Topology::Triangles => {
                    faces.extend(primitive.indices.as_chunks::<3>().0.iter().map(|face| face.map(corner)))
                }
                Topology::Lines => {
                    let ends = primitive.indices.as_chunks::<2>().0.iter();
                    faces.extend(ends.map(|&[from, to]| [from, to, to].map(corner)));
                }
            }
            first += primitive.streams.len();
        }
    }
    faces
}

/// Every drawn vertex at a moment of a clip.
pub fn positions_at(scene: &Scene, clip: &Clip, secs: f32) -> Vec<Vec3> {
    positions(scene, &scene.world_from_node(&locals(scene, clip, secs)), &animated_weights(clip, secs))
}

/// Every drawn vertex at rest.
pub fn positions_at_rest(scene: &Scene) -> Vec<Vec3> {
    positions(scene, &scene.rest_world_from_node(), &HashMap::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::Track;
    use crate::mesh::{Influences, MorphTarget, Streams};
    use crate::scene::Transform;

    fn keys<T>(times: &[f32], values: Vec<T>, interpolation: Interpolation) -> Keys<T> {
        Keys { times_secs: times.to_vec(), values, interpolation }
    }

    #[test]
    fn curves_hold_outside_and_follow_their_interpolation_inside() {
        let values = vec![[0.0; 3], [2.0, 0.0, 0.0]];
        let linear = keys(&[1.0, 2.0], values.clone(), Interpolation::Linear);
        let at = |keys: &Keys<[f32; 3]>, secs| vector_at(keys, secs).unwrap().x;
        assert_eq!([0.0, 1.0, 1.5, 2.0, 9.0].map(|secs| at(&linear, secs)), [0.0, 0.0, 1.0, 2.0, 2.0]);
        let step = keys(&[1.0, 2.0], values, Interpolation::Step);
        assert_eq!([1.9, 2.0].map(|secs| at(&step, secs)), [0.0, 2.0]);
        // Hermite with flat tangents is the smoothstep: a quarter of the way it has gone 5/32.
        let flat = [0.0; 3];
        let cubic = keys(&[0.0, 1.0], vec![flat, flat, flat, flat, [32.0, 0.0, 0.0], flat], Interpolation::CubicSpline);
        assert_eq!(at(&cubic, 0.25), 5.0);
        assert_eq!(vector_at(&keys(&[], Vec::new(), Interpolation::Linear), 0.0), None);
    }

    #[test]
    fn rotations_take_the_shorter_way() {
        let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let turned = keys(&[0.0, 1.0], vec![[0.0, 0.0, 0.0, 1.0], (-quarter).to_array()], Interpolation::Linear);
        let half_way = rotation_at(&turned, 0.5).unwrap();
        assert!(half_way.abs_diff_eq(Quat::from_rotation_z(std::f32::consts::FRAC_PI_4), 1e-6));
    }

    #[test]
    fn morph_targets_shape_a_mesh_at_rest_and_in_clips() {
        let mut scene = Scene::default();
        let target = |change| MorphTarget { positions: vec![change], ..MorphTarget::default() };
        let primitive = Primitive {
            streams: Streams { positions: vec![[1.0, 0.0, 0.0]], ..Streams::default() },
            morph_targets: vec![target([0.0, 2.0, 0.0]), target([0.0, 0.0, 4.0])],
            ..Primitive::default()
        };
        let morph_weights = vec![0.5, 0.0];
        let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], morph_weights, ..Mesh::default() });
        let plain = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
        let own = scene.nodes.push(Node { mesh: Some(mesh), morph_weights: vec![0.0, 0.25], ..Node::default() });
        scene.roots = vec![plain, own];
        assert_eq!(positions_at_rest(&scene), [Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, 0.0, 1.0)]);
        let curve = |values, interpolation| Curve::MorphWeights(keys(&[0.0, 1.0], values, interpolation));
        let at = |curve: Curve, secs| {
            let track = Track { target: Target::Node(own), curve, blend: None };
            positions_at(&scene, &Clip { tracks: vec![track], ..Clip::default() }, secs)[1]
        };
        let straight = || vec![vec![0.0, 0.0], vec![1.0, 1.0]];
        assert_eq!(at(curve(straight(), Interpolation::Linear), 0.5), Vec3::new(1.0, 1.0, 2.0));
        assert_eq!(at(curve(straight(), Interpolation::Step), 0.5), Vec3::X);
        let flat = vec![0.0, 0.0];
        let spline = [flat.clone(), flat.clone(), flat.clone(), flat.clone(), vec![1.0, 1.0], flat].to_vec();
        // A quarter of the way, 5/32 of the smoothstep.
        assert_eq!(at(curve(spline, Interpolation::CubicSpline), 0.25), Vec3::new(1.0, 0.3125, 0.625));
    }

    #[test]
    fn a_skinned_vertex_ignores_its_own_node() {
        let mut scene = Scene::default();
        let joint =
            scene.nodes.push(Node { transform: Transform::Matrix(Mat4::from_translation(Vec3::X)), ..Node::default() });
        let skin =
            scene.skins.push(Skin { joints: vec![joint], joint_from_mesh: vec![Mat4::IDENTITY], ..Skin::default() });
        let influences = Influences { slots: 1, joints: vec![0, 0], weights: vec![1.0, 0.0] };
        let streams = Streams { positions: vec![[0.0; 3]; 2], influences: Some(influences), ..Streams::default() };
        let mesh = scene
            .meshes
            .push(Mesh { primitives: vec![Primitive { streams, ..Primitive::default() }], ..Mesh::default() });
        let far = Transform::Matrix(Mat4::from_translation(Vec3::Y * 9.0));
        let node = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), transform: far, ..Node::default() });
        scene.roots = vec![joint, node];
        assert_eq!(positions_at_rest(&scene), [Vec3::X, Vec3::ZERO]);
        let moved = keys(&[0.0], vec![[5.0, 0.0, 0.0]], Interpolation::Linear);
        let track =
            Track { target: Target::Node(joint), curve: Curve::Translation(moved), blend: Some(Blend::Relative) };
        let clip = Clip { tracks: vec![track], ..Clip::default() };
        assert_eq!(positions_at(&scene, &clip, 0.0), [Vec3::X * 6.0, Vec3::ZERO]);
    }
}
