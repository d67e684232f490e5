//! Vertices stored in the order of their use; those that nothing uses are left out.

use maquette_scene::mesh::Primitive;

const UNUSED: u32 = u32::MAX;

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
