//! Texture coordinates whose V runs the other way than the format's files usually have it.

use maquette_scene::Scene;

/// Turns every V around, and with it the bitangents, which follow V.
pub fn flip_v(scene: &mut Scene) {
    for streams in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives).map(|primitive| &mut primitive.streams)
    {
        for [_, v] in streams.uvs.iter_mut().flatten() {
            *v = 1.0 - *v;
        }
        for [.., sign] in streams.tangents.iter_mut().flatten() {
            *sign = -*sign;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::mesh::{Mesh, Primitive, Streams};

    #[test]
    fn v_and_bitangents_turn_and_u_stays() {
        let streams = Streams {
            positions: vec![[0.0; 3]],
            uvs: vec![vec![[0.25, 0.25]], vec![[0.5, 1.0]]],
            tangents: Some(vec![[1.0, 0.0, 0.0, -1.0]]),
            ..Streams::default()
        };
        let mut scene = Scene::default();
        let mesh = Mesh { primitives: vec![Primitive { streams, ..Primitive::default() }], ..Mesh::default() };
        let mesh = scene.meshes.push(mesh);
        flip_v(&mut scene);
        let streams = &scene.meshes.get(mesh).unwrap().primitives[0].streams;
        assert_eq!(streams.uvs, [[[0.25, 0.75]], [[0.5, 0.0]]]);
        assert_eq!(streams.tangents, Some(vec![[1.0, 0.0, 0.0, 1.0]]));
    }
}
