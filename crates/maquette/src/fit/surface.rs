//! What vertices need to be lit: normals, texture coordinates, tangents.

use maquette_scene::Scene;
use maquette_scene::glam::{Vec2, Vec3};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::mesh::{Influences, Part, Streams, Topology};

/// Gives parts without normals flat ones, as glTF demands. Corners that shared a vertex no longer do.
pub fn add_normals(scene: &mut Scene, losses: &mut LossReport) {
    for mesh in scene.meshes.iter_mut() {
        let mut made = 0;
        for part in mesh.parts.iter_mut().filter(|part| part.streams.normals.is_none()) {
            made += part.indices.len() as u64;
            flatten(part);
        }
        losses.push(LossKind::Baked, Lost::Normals, format!("mesh {:?}", mesh.name), "flat normals are made", made);
    }
}

fn flatten(part: &mut Part) {
    if part.topology == Topology::Lines {
        part.streams.normals = Some(vec![[0.0; 3]; part.streams.len()]);
        return;
    }
    part.streams = corners(&part.streams, &part.indices);
    part.indices = (0..part.indices.len() as u32).collect();
    let faces = part.streams.positions.as_chunks::<3>().0.iter();
    let normals = faces.flat_map(|&[a, b, c]| {
        let [a, b, c] = [a, b, c].map(Vec3::from);
        [(b - a).cross(c - a).try_normalize().unwrap_or(Vec3::Y).to_array(); 3]
    });
    part.streams.normals = Some(normals.collect());
}

/// The streams with a vertex for each index.
fn corners(streams: &Streams, indices: &[u32]) -> Streams {
    fn pick<T: Copy>(values: &[T], indices: &[u32]) -> Vec<T> {
        indices.iter().filter_map(|&index| values.get(index as usize).copied()).collect()
    }
    let influences = streams.influences.as_ref().map(|influences| {
        let slots = |&index: &u32| (0..influences.slots).map(move |slot| index as usize * influences.slots + slot);
        let slots: Vec<u32> = indices.iter().flat_map(slots).map(|slot| slot as u32).collect();
        Influences {
            slots: influences.slots,
            joints: pick(&influences.joints, &slots),
            weights: pick(&influences.weights, &slots),
        }
    });
    Streams {
        positions: pick(&streams.positions, indices),
        normals: streams.normals.as_ref().map(|normals| pick(normals, indices)),
        tangents: streams.tangents.as_ref().map(|tangents| pick(tangents, indices)),
        uvs: streams.uvs.iter().map(|uvs| pick(uvs, indices)).collect(),
        colours: streams.colours.iter().map(|colours| pick(colours, indices)).collect(),
        influences,
    }
}

/// Gives parts without texture coordinates one set, all at the origin.
pub fn add_coordinates(scene: &mut Scene) {
    for part in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.parts) {
        if part.streams.uvs.is_empty() {
            part.streams.uvs.push(vec![[0.0; 2]; part.streams.len()]);
        }
    }
}

/// Gives parts without tangents some that follow U; where there is no U to follow, any that fit the normal.
pub fn add_tangents(scene: &mut Scene, losses: &mut LossReport) {
    for mesh in scene.meshes.iter_mut() {
        let mut made = 0;
        for part in mesh.parts.iter_mut().filter(|part| part.streams.tangents.is_none()) {
            made += part.streams.len() as u64;
            part.streams.tangents = Some(tangents(part));
        }
        losses.push(LossKind::Baked, Lost::Tangents, format!("mesh {:?}", mesh.name), "tangents are made", made);
    }
}

fn tangents(part: &Part) -> Vec<[f32; 4]> {
    let streams = &part.streams;
    let mut along = vec![(Vec3::ZERO, Vec3::ZERO); streams.len()];
    let corner = |index: u32| {
        let position = streams.positions.get(index as usize)?;
        let uv = streams.uvs.first()?.get(index as usize)?;
        Some((Vec3::from(*position), Vec2::from(*uv)))
    };
    for triangle in part.indices.as_chunks::<3>().0 {
        let [Some((p0, t0)), Some((p1, t1)), Some((p2, t2))] = triangle.map(corner) else { continue };
        let (e1, e2, d1, d2) = (p1 - p0, p2 - p0, t1 - t0, t2 - t0);
        let area = d1.perp_dot(d2);
        if area == 0.0 {
            continue;
        }
        let (u, v) = ((e1 * d2.y - e2 * d1.y) / area, (e2 * d1.x - e1 * d2.x) / area);
        for &index in triangle {
            if let Some((along_u, along_v)) = along.get_mut(index as usize) {
                *along_u += u;
                *along_v += v;
            }
        }
    }
    let up = vec![[0.0, 1.0, 0.0]; streams.len()];
    let normals = streams.normals.as_ref().unwrap_or(&up);
    along.iter().zip(normals).map(|(&(u, v), &normal)| frame(Vec3::from(normal), u, v)).collect()
}

/// A unit tangent at a right angle to the normal. V runs down the picture and green up, so the bitangent is against V.
fn frame(normal: Vec3, u: Vec3, v: Vec3) -> [f32; 4] {
    let normal = normal.try_normalize().unwrap_or(Vec3::Y);
    let tangent = (u - normal * normal.dot(u)).try_normalize().unwrap_or_else(|| normal.any_orthonormal_vector());
    let sign = if normal.cross(tangent).dot(v) > 0.0 { -1.0 } else { 1.0 };
    tangent.extend(sign).to_array()
}
