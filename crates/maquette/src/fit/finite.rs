//! Numbers that are none. Formats take what damaged files have for normals, tangents, texture coordinates and colours as they find it; none
//! may be written that is not finite. (Positions, weights and keys are, or the scene is not valid; glTF's writer has rules of its own.)

use maquette_scene::Scene;
use maquette_scene::loss::{LossReport, Lost, subject};
use maquette_scene::mesh::Primitive;
use maquette_scene::valid::all_finite;

/// Replaces what is not finite.
pub fn make_finite(scene: &mut Scene, losses: &mut LossReport) {
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        for primitive in &mut mesh.primitives {
            for (lost, replaced, by) in replaced(primitive) {
                let detail = format!("those that are not finite become {by}");
                losses.dropped(lost, subject("mesh", index, &mesh.name), detail, replaced);
            }
        }
    }
}

/// What was replaced, how often, and by what.
fn replaced(primitive: &mut Primitive) -> [(Lost, u64, &'static str); 5] {
    let streams = &mut primitive.streams;
    let normals = streams.normals.iter_mut().map(|normals| replace(normals, [0.0, 0.0, 1.0])).sum();
    let tangents = streams.tangents.iter_mut().map(|tangents| replace(tangents, [1.0, 0.0, 0.0, 1.0])).sum();
    let coordinates = streams.uvs.iter_mut().map(|set| replace(set, [0.0; 2])).sum();
    let colours = streams.colours.iter_mut().map(|set| replace(set, [1.0; 4])).sum();
    let mut targets = 0;
    for target in &mut primitive.morph_targets {
        let changes = [Some(&mut target.positions), target.normals.as_mut(), target.tangents.as_mut()];
        targets += changes.into_iter().flatten().map(|changes| replace(changes, [0.0; 3])).sum::<u64>();
    }
    [
        (Lost::Normals, normals, "0, 0, 1"),
        (Lost::Tangents, tangents, "1, 0, 0"),
        (Lost::TextureCoordinates, coordinates, "0, 0"),
        (Lost::VertexColours, colours, "white"),
        (Lost::MorphTargets, targets, "0"),
    ]
}

fn replace<const N: usize>(vectors: &mut [[f32; N]], by: [f32; N]) -> u64 {
    if all_finite(vectors.as_flattened()) {
        return 0;
    }
    let mut replaced = 0;
    for vector in vectors.iter_mut().filter(|vector| !all_finite(&vector[..])) {
        *vector = by;
        replaced += 1;
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::mesh::{Mesh, MorphTarget, Streams};

    #[test]
    fn what_is_not_finite_is_replaced_and_counted() {
        let (nan, infinite) = (f32::NAN, f32::INFINITY);
        let streams = Streams {
            positions: vec![[0.0; 3]; 2],
            normals: Some(vec![[nan, 0.0, 1.0], [1.0, 0.0, 0.0]]),
            tangents: Some(vec![[1.0, 0.0, 0.0, -1.0], [0.0, infinite, 0.0, 1.0]]),
            uvs: vec![vec![[0.5, 0.5]; 2], vec![[nan, 0.0], [0.0, -infinite]]],
            colours: vec![vec![[0.5, 0.5, 0.5, nan], [0.0; 4]]],
            ..Streams::default()
        };
        let target = MorphTarget { positions: vec![[nan; 3], [1.0; 3]], ..MorphTarget::default() };
        let primitive = Primitive { streams, morph_targets: vec![target], ..Primitive::default() };
        let mut scene = Scene::default();
        scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
        let mut losses = LossReport::default();
        make_finite(&mut scene, &mut losses);
        let told: Vec<_> = losses.losses().iter().map(|loss| (loss.what, loss.count)).collect();
        let wanted = [
            (Lost::Normals, 1),
            (Lost::Tangents, 1),
            (Lost::TextureCoordinates, 2),
            (Lost::VertexColours, 1),
            (Lost::MorphTargets, 1),
        ];
        assert_eq!(told, wanted);
        let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
        assert_eq!(primitive.streams.normals.as_ref().unwrap(), &[[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]);
        assert_eq!(primitive.streams.uvs[1], [[0.0; 2]; 2]);
        assert_eq!(primitive.morph_targets[0].positions, [[0.0; 3], [1.0; 3]]);
    }
}
