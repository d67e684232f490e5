//! Size and axes. Both reach everything: vertices, morph targets, transforms of nodes, bind matrices and keys.

use maquette_scene::Scene;
use maquette_scene::clip::Curve;
use maquette_scene::glam::{Mat4, Quat, Vec3};
use maquette_scene::scene::{Transform, Trs};

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
