//! A stage on the device: textures, materials, and what of vertices does not move.

use crate::geometry::{Geometry, Source, other_set};
use crate::materials::{self, MaterialOnDevice};
use crate::renderer::Renderer;
use crate::textures::upload;
use maquette_render::Stage;
use maquette_render::parts;
use std::sync::Arc;

/// A stage on the device.
pub struct Model {
    /// The last one is that of bones.
    pub(crate) materials: Vec<MaterialOnDevice>,
    pub(crate) geometry: Arc<Geometry>,
    notes: Vec<String>,
}

impl Model {
    pub(crate) fn new(renderer: &Renderer, stage: &Stage<'_>) -> Model {
        let (device, queue) = (&renderer.device, &renderer.queue);
        let mut notes = Vec::new();
        let mut textures = Vec::new();
        for (place, texture) in parts::textures(stage).iter().enumerate() {
            let (texture, note) =
                texture.as_ref().map_or((None, None), |texture| upload(device, queue, place, texture));
            textures.push(texture);
            notes.extend(note);
        }
        let layout = &renderer.pipelines.layouts().material;
        let bone = parts::bone();
        let all: Vec<_> = parts::materials(stage).iter().chain([&bone]).collect();
        let (materials, lacking) = materials::upload(device, layout, &all, &textures, &renderer.white);
        notes.extend(lacking);
        let sources = parts::of_stage(stage).iter().map(|part| Source {
            streams: Some(&part.primitive.streams),
            vertex_count: part.primitive.streams.len(),
            indices: &part.primitive.indices,
            topology: part.primitive.topology,
            material: part.material,
            node: Some(part.node.index() as u32),
            other_set: parts::materials(stage).get(part.material).and_then(other_set),
        });
        let (geometry, refused) = Geometry::new(device, sources, |_, _| true);
        notes.extend(refused);
        if renderer.pipelines.layouts().wire.is_none() {
            notes.push("edges of triangles are not drawn: vertices look at no buffers on this device".into());
        }
        Model { materials, geometry: Arc::new(geometry), notes }
    }

    /// What of the stage the device cannot hold, a sentence each: the caller is to tell.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The material at a place; that of bones beyond all.
    pub(crate) fn material(&self, place: usize) -> Option<&MaterialOnDevice> {
        self.materials.get(place).or(self.materials.last())
    }
}
