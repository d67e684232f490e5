//! Vertices stored in the order of their use; those that nothing uses are left out.

use maquette_scene::mesh::Primitive;

const UNUSED: u32 = u32::MAX;

/// Leaves out the vertices of a part that nothing uses; the others keep their order.
pub fn drop_unused(primitive: &mut Primitive) {
    let mut places = vec![UNUSED; primitive.streams.len()];
    for &index in &primitive.indices {
        places.get_mut(index as usize).into_iter().for_each(|place| *place = 0);
    }
    let mut vertices = Vec::with_capacity(places.len());
    for (vertex, place) in places.iter_mut().enumerate().filter(|(_, place)| **place != UNUSED) {
        *place = vertices.len() as u32;
        vertices.push(vertex as u32);
    }
    if vertices.len() == places.len() {
        return;
    }
    for index in &mut primitive.indices {
        *index = places.get(*index as usize).copied().unwrap_or(*index);
    }
    primitive.set_vertices(&vertices);
}

/// Reorders the vertices of a part.
pub fn order(primitive: &mut Primitive) {
    let mut places = vec![UNUSED; primitive.streams.len()];
    let mut vertices = Vec::with_capacity(primitive.streams.len());
    for index in &mut primitive.indices {
        let Some(place) = places.get_mut(*index as usize) else { continue };
        if *place == UNUSED {
            *place = vertices.len() as u32;
            vertices.push(*index);
        }
        *index = *place;
    }
    primitive.set_vertices(&vertices);
}
