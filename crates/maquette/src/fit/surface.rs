//! What vertices need to be lit: normals, and texture coordinates.

use super::instances::Given;
use maquette_scene::Scene;
use maquette_scene::glam::Vec3;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::mesh::{Primitive, Topology};

/// Gives parts without normals flat ones, as glTF demands. Corners that shared a vertex no longer do. What meshes were given before is told here.
pub fn add_normals(scene: &mut Scene, given: &[Given], losses: &mut LossReport) {
    let given = given.iter().map(|given| given.normals).chain(std::iter::repeat(0));
    for ((index, mesh), mut made) in scene.meshes.iter_mut().enumerate().zip(given) {
        let without = mesh.primitives.iter_mut().filter(|primitive| primitive.streams.normals.is_none());
        made += without.map(make_normals).sum::<u64>();
        losses.push(LossKind::Baked, Lost::Normals, subject("mesh", index, &mesh.name), "flat normals are made", made);
    }
}

/// Gives a part flat normals; how many.
pub fn make_normals(primitive: &mut Primitive) -> u64 {
    let count = primitive.indices.len() as u64;
    if primitive.topology == Topology::Lines {
        primitive.streams.normals = Some(vec![[0.0; 3]; primitive.streams.len()]);
        return count;
    }
    let corners = std::mem::take(&mut primitive.indices);
    primitive.set_vertices(&corners);
    primitive.indices = (0..corners.len() as u32).collect();
    let mut normals = Vec::with_capacity(corners.len());
    for &[a, b, c] in primitive.streams.positions.as_chunks::<3>().0 {
        let [a, b, c] = [Vec3::from(a), Vec3::from(b), Vec3::from(c)];
        normals.extend([(b - a).cross(c - a).try_normalize().unwrap_or(Vec3::Y).to_array(); 3]);
    }
    primitive.streams.normals = Some(normals);
    count
}

/// Gives parts without texture coordinates one set, all at the origin.
pub fn add_coordinates(scene: &mut Scene) {
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        if primitive.streams.uvs.is_empty() {
            primitive.streams.uvs.push(vec![[0.0; 2]; primitive.streams.len()]);
        }
    }
}
