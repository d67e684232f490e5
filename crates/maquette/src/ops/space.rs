//! Size and axes. Both reach everything: vertices, morph targets, transforms of nodes, bind matrices and keys.

use maquette_scene::Scene;
use maquette_scene::clip::Curve;
use maquette_scene::glam::{Mat4, Quat, Vec3};
use maquette_scene::scene::{Transform, Trs};
use std::ops::RangeInclusive;

/// Models of sizes between these can be lit: normals and tangents are made of products of lengths, and singles hold none that are smaller or larger.
const SIZES: RangeInclusive<f32> = 1e-12..=1e18;

/// As [`rescale`], unless the model would become too small or too large for single precision; how large it would be then.
pub fn try_rescale(scene: &mut Scene, factor: f32) -> Result<(), f32> {
    let before = size(scene);
    let after = before * factor;
    // What is beyond already may come back, or stay.
    let goes_beyond = if factor < 1.0 { after < *SIZES.start() } else { after > *SIZES.end() };
    if before > 0.0 && factor != 1.0 && goes_beyond {
        return Err(after);
    }
    // The tangents of splines may be larger than anything that is shown.
    let longest = factor * longest_of_keys(scene);
    if factor > 1.0 && longest.is_infinite() {
        return Err(longest);
    }
    rescale(scene, factor);
    Ok(())
}

/// The largest coordinate of a vertex, or where there is none the largest way of a node.
fn size(scene: &Scene) -> f32 {
    let largest =
        |lengths: &mut dyn Iterator<Item = Vec3>| lengths.map(|length| length.abs().max_element()).fold(0.0, f32::max);
    let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let vertices = largest(&mut primitives.flat_map(|it| &it.streams.positions).map(|&position| position.into()));
    if vertices > 0.0 {
        return vertices;
    }
    let nodes = largest(&mut scene.nodes.iter().map(|node| node.transform.trs().translation));
    nodes.max(longest_of_keys(scene))
}

/// The largest coordinate among the values and tangents of tracks that move nodes.
fn longest_of_keys(scene: &Scene) -> f32 {
    let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
    let keys =
        tracks.filter_map(|track| if let Curve::Translation(keys) = &track.curve { Some(&keys.values) } else { None });
    keys.flatten().flatten().map(|length| length.abs()).fold(0.0, f32::max)
}

/// Multiplies every length.
pub fn rescale(scene: &mut Scene, factor: f32) {
    let scaled = |[x, y, z]: [f32; 3]| [x * factor, y * factor, z * factor];
    let moved = |mut matrix: Mat4| {
        matrix.w_axis = (matrix.w_axis.truncate() * factor).extend(matrix.w_axis.w);
        matrix
    };
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.streams.positions.iter_mut().for_each(|position| *position = scaled(*position));
        let shapes = primitive.morph_targets.iter_mut().flat_map(|target| &mut target.positions);
        shapes.for_each(|change| *change = scaled(*change));
    }
    for node in scene.nodes.iter_mut() {
        match &mut node.transform {
            Transform::Trs(trs) => trs.translation *= factor,
            Transform::Matrix(matrix) => *matrix = moved(*matrix),
        }
    }
    for matrix in scene.skins.iter_mut().flat_map(|skin| &mut skin.joint_from_mesh) {
        *matrix = moved(*matrix);
    }
    for track in scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        if let Curve::Translation(keys) = &mut track.curve {
            keys.values.iter_mut().for_each(|value| *value = scaled(*value));
        }
    }
}

/// Turns a scene whose Z points up so that Y does. Only the signs and the order of numbers change, so nothing is rounded.
pub fn z_up_to_y_up(scene: &mut Scene) {
    let vector = |[x, y, z]: [f32; 3]| [x, z, -y];
    let size = |[x, y, z]: [f32; 3]| [x, z, y];
    let turn = |[x, y, z, w]: [f32; 4]| [x, z, -y, w];
    let swap =
        Mat4::from_cols(Vec3::X.extend(0.0), (-Vec3::Z).extend(0.0), Vec3::Y.extend(0.0), Vec3::ZERO.extend(1.0));
    let around = |matrix: Mat4| swap * matrix * swap.transpose();
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        let streams = &mut primitive.streams;
        streams.positions.iter_mut().for_each(|v| *v = vector(*v));
        streams.normals.iter_mut().flatten().for_each(|v| *v = vector(*v));
        for tangent in streams.tangents.iter_mut().flatten() {
            let [x, y, z, sign] = *tangent;
            let [x, y, z] = vector([x, y, z]);
            *tangent = [x, y, z, sign];
        }
        for target in &mut primitive.morph_targets {
            target.positions.iter_mut().for_each(|v| *v = vector(*v));
            target.normals.iter_mut().flatten().for_each(|v| *v = vector(*v));
            target.tangents.iter_mut().flatten().for_each(|v| *v = vector(*v));
        }
    }
    for node in scene.nodes.iter_mut() {
        node.transform = match node.transform {
            Transform::Trs(trs) => Transform::Trs(Trs {
                translation: vector(trs.translation.to_array()).into(),
                rotation: Quat::from_array(turn(trs.rotation.to_array())),
                scale: size(trs.scale.to_array()).into(),
            }),
            Transform::Matrix(matrix) => Transform::Matrix(around(matrix)),
        };
    }
    for matrix in scene.skins.iter_mut().flat_map(|skin| &mut skin.joint_from_mesh) {
        *matrix = around(*matrix);
    }
    for track in scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        match &mut track.curve {
            Curve::Translation(keys) => keys.values.iter_mut().for_each(|v| *v = vector(*v)),
            Curve::Rotation(keys) => keys.values.iter_mut().for_each(|v| *v = turn(*v)),
            Curve::Scale(keys) => keys.values.iter_mut().for_each(|v| *v = size(*v)),
            Curve::MorphWeights(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Input;
    use maquette_scene::pose;

    fn specimen() -> Scene {
        let bytes = crate::sample::make("aem", None).unwrap().main;
        Input::from_bytes("post.aem", bytes).read(&Default::default()).unwrap().scene
    }

    fn same_everywhere(a: &Scene, b: &Scene, expected: impl Fn(Vec3) -> Vec3) {
        let clip = a.clips.iter().next().unwrap();
        let same = b.clips.iter().next().unwrap();
        for secs in [0.0, 0.3, 0.5, 1.7] {
            let (from, to) = (pose::positions_at(a, clip, secs), pose::positions_at(b, same, secs));
            assert!(from.iter().zip(&to).all(|(from, to)| expected(*from).distance(*to) < 1e-5), "at {secs}");
        }
        let (from, to) = (pose::positions_at_rest(a), pose::positions_at_rest(b));
        assert!(from.iter().zip(&to).all(|(from, to)| expected(*from).distance(*to) < 1e-5));
    }

    #[test]
    fn a_rescaled_scene_moves_as_before_at_its_size() {
        let before = specimen();
        let mut after = before.clone();
        rescale(&mut after, 2.54);
        same_everywhere(&before, &after, |point| point * 2.54);
    }

    #[test]
    fn tangents_that_singles_cannot_hold_are_refused() {
        let mut scene = specimen();
        let keys = scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks).find_map(|track| match &mut track.curve {
            Curve::Translation(keys) => Some(keys),
            _ => None,
        });
        keys.unwrap().values[0] = [0.0, 1e30, 0.0];
        assert_eq!(try_rescale(&mut scene.clone(), 1e10), Err(f32::INFINITY));
        assert_eq!(try_rescale(&mut scene, 100.0), Ok(()));
    }

    #[test]
    fn a_size_that_singles_cannot_light_is_refused() {
        let before = specimen();
        for factor in [1e-45, 1e-38, 1e-20, 1e25, f32::MAX] {
            let mut scene = before.clone();
            assert!(try_rescale(&mut scene, factor).is_err_and(|size| !(1e-12..1e18).contains(&size)), "{factor}");
            assert_eq!(scene, before);
        }
        // Step by step it ends as well; from there it may come back.
        let mut scene = before.clone();
        let steps = (0..40).take_while(|_| try_rescale(&mut scene, 0.1).is_ok()).count();
        assert!((10..15).contains(&steps), "{steps}");
        assert_eq!(try_rescale(&mut scene, 1e6), Ok(()));
        // A clip alone is as large as its ways; what has no size at all takes any factor.
        scene.meshes = Default::default();
        assert!(try_rescale(&mut scene, 1e-30).is_err());
        assert_eq!(try_rescale(&mut Scene::default(), 1e-45), Ok(()));
    }

    #[test]
    fn a_turned_scene_moves_as_before_the_other_way_up() {
        let before = specimen();
        let mut after = before.clone();
        z_up_to_y_up(&mut after);
        same_everywhere(&before, &after, |point| Vec3::new(point.x, point.z, -point.y));
        for _ in 0..3 {
            z_up_to_y_up(&mut after);
        }
        same_everywhere(&before, &after, |point| point);
    }
}
