//! Vertices stored in the order of their use; those that nothing uses are left out.

use maquette_scene::mesh::Part;

const UNUSED: u32 = u32::MAX;

/// Reorders the vertices of a part.
pub fn order(part: &mut Part) {
    let mut places = vec![UNUSED; part.streams.len()];
    let mut vertices = Vec::with_capacity(part.streams.len());
    for index in &mut part.indices {
        let Some(place) = places.get_mut(*index as usize) else { continue };
        if *place == UNUSED {
            *place = vertices.len() as u32;
            vertices.push(*index);
        }
        *index = *place;
    }
    part.set_vertices(&vertices);
}
