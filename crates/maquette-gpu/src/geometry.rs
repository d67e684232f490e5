//! Vertices and indices on the device: what stays from pose to pose, and how what moves is packed.
//!
//! All parts are in one buffer and indices count from its beginning, so that triangles of several parts can be sorted among each other.

use crate::uniforms::PartNumbers;
use bytemuck::{Pod, Zeroable};
use maquette_render::Mode;
use maquette_render::parts::{self, Material, Sampler};
use maquette_scene::glam::Vec3;
use maquette_scene::mesh::{Streams, Topology};
use std::ops::Range;
use wgpu::VertexAttribute;
use wgpu::util::DeviceExt;

/// What of a vertex changes from pose to pose.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct Moving {
    /// In the space in which everything is drawn.
    pub place: [f32; 3],
    /// Parts of 32767.
    pub normal: [i16; 4],
    pub tangent: [i16; 4],
}

impl Moving {
    pub const ATTRIBUTES: [VertexAttribute; 3] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Snorm16x4, 2 => Snorm16x4];
    /// Numbers of 32 bits in one.
    pub const WORDS: u32 = (size_of::<Moving>() / 4) as u32;

    pub fn new(place: Vec3, normal: Vec3, [x, y, z, sign]: [f32; 4]) -> Moving {
        // What is no number is 0.
        let part = |value: f32| (value.clamp(-1.0, 1.0) * 32767.0 + 0.5_f32.copysign(value)) as i16;
        Moving {
            place: place.to_array(),
            normal: [part(normal.x), part(normal.y), part(normal.z), 0],
            tangent: [part(x), part(y), part(z), part(sign)],
        }
    }
}

/// What of a vertex stays.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct Fixed {
    /// The first set of coordinates, and another that its material looks at.
    uvs: [f32; 4],
    colour: [f32; 4],
    weights: [u8; 4],
    counts: [u8; 4],
}

impl Fixed {
    pub const ATTRIBUTES: [VertexAttribute; 4] =
        wgpu::vertex_attr_array![3 => Float32x4, 4 => Float32x4, 5 => Unorm8x4, 6 => Unorm8x4];

    fn new(streams: Option<&Streams>, other_set: Option<usize>, vertex: usize) -> Fixed {
        let uv = |set: usize| {
            let set = streams.and_then(|streams| streams.uvs.get(set));
            set.and_then(|uvs| uvs.get(vertex)).copied().unwrap_or_default()
        };
        let ([u, v], [s, t]) = (uv(0), other_set.map_or([0.0; 2], uv));
        let colours = streams.and_then(|streams| streams.colours.first());
        let colour = colours.map_or([1.0; 4], |colours| colours.get(vertex).copied().unwrap_or_default());
        let influences = streams.and_then(|streams| streams.influences.as_ref());
        let bytes = |mode: Mode| {
            let [r, g, b] = parts::influence_colour(mode, influences, vertex).to_array().map(byte);
            [r, g, b, 255]
        };
        Fixed { uvs: [u, v, s, t], colour, weights: bytes(Mode::Weights), counts: bytes(Mode::InfluenceCount) }
    }
}

fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// The layout of a buffer of these.
pub(crate) fn layout<T>(
    attributes: &[VertexAttribute],
    step_mode: wgpu::VertexStepMode,
) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride: size_of::<T>() as u64, step_mode, attributes }
}

/// The set of coordinates besides the first that a material looks at; the first of them.
pub(crate) fn other_set(material: &Material) -> Option<usize> {
    samplers(material).into_iter().flatten().map(|sampler| sampler.uv_set).find(|set| *set > 0)
}

/// The textures of a material, in the order in which shaders have them.
pub(crate) fn samplers(material: &Material) -> [Option<&Sampler>; 6] {
    [
        &material.base_texture,
        &material.metallic_roughness_texture,
        &material.normal_texture,
        &material.occlusion_texture,
        &material.emissive_texture,
        &material.packed_texture,
    ]
    .map(Option::as_ref)
}

/// A part to be put on the device.
pub(crate) struct Source<'a> {
    pub streams: Option<&'a Streams>,
    pub vertex_count: usize,
    pub indices: &'a [u32],
    pub topology: Topology,
    pub material: usize,
    pub node: Option<u32>,
    pub other_set: Option<usize>,
}

/// A part on the device.
#[derive(Clone, Debug)]
pub(crate) struct PartOnDevice {
    /// Its place among the parts of a pose.
    pub place: usize,
    pub first_vertex: u32,
    pub vertex_count: u32,
    /// Its triangles among all indices.
    pub indices: Range<u32>,
    pub material: usize,
    pub node: Option<u32>,
    /// A bit for each of the two sets of coordinates that it has.
    pub sets: u32,
}

/// Vertices and triangles of all parts.
pub(crate) struct Geometry {
    pub fixed: wgpu::Buffer,
    pub indices: wgpu::Buffer,
    /// As many as there are vertices in all.
    pub vertex_count: u32,
    pub parts: Vec<PartOnDevice>,
}

impl Geometry {
    /// Those parts that the device can hold, and a sentence where those are not all. Triangles with corners that are not there are left out.
    pub fn new<'a>(
        device: &wgpu::Device,
        sources: impl Iterator<Item = Source<'a>>,
        is_there: impl Fn(usize, u32) -> bool,
    ) -> (Geometry, Option<String>) {
        let limits = device.limits();
        let most_bytes = match limits.max_storage_buffers_per_shader_stage {
            0 | 1 => limits.max_buffer_size,
            _ => limits.max_buffer_size.min(limits.max_storage_buffer_binding_size),
        };
        let most_vertices = (most_bytes / size_of::<Fixed>() as u64).min(u64::from(u32::MAX)) as usize;
        let most_indices = (most_bytes / 4).min(u64::from(u32::MAX) / 6) as usize;
        let most_parts = (most_bytes / PartNumbers::stride(device) as u64).min(u64::from(u32::MAX / 4096)) as usize;
        let (mut fixed, mut all, mut on_device) = (Vec::new(), Vec::new(), Vec::new());
        let (mut refused, mut first_refused) = (0, None);
        for (place, source) in sources.enumerate().filter(|(_, source)| source.topology == Topology::Triangles) {
            let triangles = source.indices.as_chunks::<3>().0;
            let has_room = fixed.len() + source.vertex_count <= most_vertices
                && all.len() + triangles.len() * 3 <= most_indices
                && on_device.len() < most_parts;
            if !has_room {
                refused += 1;
                first_refused.get_or_insert((place, source.vertex_count, triangles.len()));
                continue;
            }
            let (first_vertex, first_index) = (fixed.len() as u32, all.len() as u32);
            fixed.extend((0..source.vertex_count).map(|vertex| Fixed::new(source.streams, source.other_set, vertex)));
            let there = |index: &u32| (*index as usize) < source.vertex_count && is_there(place, *index);
            for triangle in triangles.iter().filter(|triangle| triangle.iter().all(there)) {
                all.extend(triangle.map(|index| first_vertex + index));
            }
            let has = |set: usize| source.streams.is_some_and(|streams| streams.uvs.get(set).is_some());
            on_device.push(PartOnDevice {
                place,
                first_vertex,
                vertex_count: source.vertex_count as u32,
                indices: first_index..all.len() as u32,
                material: source.material,
                node: source.node,
                sets: u32::from(has(0)) | u32::from(source.other_set.is_some_and(has)) << 1,
            });
        }
        let geometry = Geometry {
            fixed: buffer(device, "fixed", &fixed, wgpu::BufferUsages::VERTEX),
            indices: buffer(device, "indices", &all, wgpu::BufferUsages::INDEX | wgpu::BufferUsages::STORAGE),
            vertex_count: fixed.len() as u32,
            parts: on_device,
        };
        let note = first_refused.map(|(place, vertices, triangles)| {
            format!(
                "parts that are not drawn: {refused}, the first of them part {place} with {vertices} vertices and {triangles} triangles; buffers of this device hold {most_bytes} bytes at most"
            )
        });
        (geometry, note)
    }
}

/// A buffer of these; never empty, which no device can bind.
pub(crate) fn buffer<T: Pod>(
    device: &wgpu::Device,
    label: &str,
    values: &[T],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    let nothing = [0_u8; 256];
    let contents = if values.is_empty() { &nothing[..] } else { bytemuck::cast_slice(values) };
    device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some(label), contents, usage })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu::VertexFormat;

    #[test]
    fn directions_are_packed_to_their_ends_and_what_is_no_number_is_none() {
        let vertex = Moving::new(Vec3::ZERO, Vec3::new(1.0, -1.0, f32::NAN), [0.5, -0.5, 0.0, -1.0]);
        assert_eq!(vertex.normal, [32767, -32767, 0, 0]);
        assert_eq!(vertex.tangent, [16384, -16384, 0, -32767]);
        assert_eq!((Moving::WORDS, VertexFormat::Snorm16x4.size()), (7, 8));
    }
}
