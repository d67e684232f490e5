//! What vertices need to be lit: normals, and texture coordinates.

use maquette_scene::Scene;
use maquette_scene::glam::Vec3;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::mesh::{Primitive, Topology};

/// Gives parts without normals flat ones, as glTF demands. Corners that shared a vertex no longer do.
pub fn add_normals(scene: &mut Scene, losses: &mut LossReport) {
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let mut made = 0;
        for primitive in mesh.primitives.iter_mut().filter(|primitive| primitive.streams.normals.is_none()) {
            made += primitive.indices.len() as u64;
            flatten(primitive);
        }
        losses.push(LossKind::Baked, Lost::Normals, subject("mesh", index, &mesh.name), "flat normals are made", made);
    }
}

fn flatten(primitive: &mut Primitive) {
    if primitive.topology == Topology::Lines {
        primitive.streams.normals = Some(vec![[0.0; 3]; primitive.streams.len()]);
        return;
    }
    primitive.streams = primitive.streams.picked(&primitive.indices);
    primitive.indices = (0..primitive.indices.len() as u32).collect();
    let faces = primitive.streams.positions.as_chunks::<3>().0.iter();
    let normals = faces.flat_map(|&[a, b, c]| {
        let [a, b, c] = [a, b, c].map(Vec3::from);
        [(b - a).cross(c - a).try_normalize().unwrap_or(Vec3::Y).to_array(); 3]
    });
    primitive.streams.normals = Some(normals.collect());
}

/// Gives parts without texture coordinates one set, all at the origin.
pub fn add_coordinates(scene: &mut Scene) {
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        if primitive.streams.uvs.is_empty() {
            primitive.streams.uvs.push(vec![[0.0; 2]; primitive.streams.len()]);
        }
    }
}
