//! Materials on the device: their numbers, textures and samplers.
//!
//! The numbers of all are in one buffer, and materials with the same textures share a group: a buffer or a group for each would take the square of their number.

use crate::geometry::{buffer, other_set, samplers};
use crate::layouts::group;
use crate::textures::{SamplerKey, Samplers, TextureOnDevice};
use bytemuck::{Pod, Zeroable};
use maquette_render::parts::{self, Magnify, Material, NormalChannels, Sampler};
use maquette_scene::material::AlphaMode;
use std::collections::HashMap;

/// Textures of a material.
pub(crate) const TEXTURES: usize = 6;

/// The least opacity of a material whose alpha does not count.
const ALWAYS_THERE: f32 = -1.0;

/// As shaders have it.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Use {
    u: [f32; 4],
    v: [f32; 4],
    slot: u32,
    present: u32,
    squares: u32,
    room: u32,
}

/// As shaders have it.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Numbers {
    base_colour: [f32; 4],
    emissive: [f32; 3],
    normal_scale: f32,
    metallic: f32,
    roughness: f32,
    occlusion_strength: f32,
    least_opacity: f32,
    texels: f32,
    unlit: u32,
    two_channels: u32,
    room: u32,
    uses: [Use; TEXTURES],
}

/// A material on the device.
pub(crate) struct MaterialOnDevice {
    pub group: wgpu::BindGroup,
    /// Where its numbers are in the buffer of the group.
    pub offset: u32,
    pub material: Material,
}

fn lies(sampler: Option<&Sampler>, present: bool) -> Use {
    let [u, v] = sampler.and_then(|sampler| sampler.transform).unwrap_or([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    Use {
        u: [u[0], u[1], u[2], 0.0],
        v: [v[0], v[1], v[2], 0.0],
        slot: sampler.map_or(0, |sampler| u32::from(sampler.uv_set > 0)),
        present: u32::from(present),
        squares: sampler.map_or(0, |sampler| u32::from(sampler.magnify == Magnify::Squares)),
        room: 0,
    }
}

/// What materials of one group have in common: the buffer that their numbers are in, textures, and how these are sampled.
type GroupKey = (usize, [Option<usize>; TEXTURES], [SamplerKey; TEXTURES]);

/// Puts materials on the device, and tells where it is given less than they say, a sentence each.
pub(crate) fn upload(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    materials: &[&Material],
    textures: &[Option<TextureOnDevice>],
    white: &wgpu::TextureView,
) -> (Vec<MaterialOnDevice>, Vec<String>) {
    let limits = device.limits();
    let stride = size_of::<Numbers>().next_multiple_of(limits.min_uniform_buffer_offset_alignment.max(1) as usize);
    let most = (limits.max_buffer_size.min(u64::from(u32::MAX)) as usize / stride).max(1);
    let (mut groups, mut sampling) = (HashMap::new(), Samplers::default());
    let (mut on_device, mut notes) = (Vec::with_capacity(materials.len()), Vec::new());
    for (page, materials) in materials.chunks(most).enumerate() {
        let mut bytes = vec![0_u8; stride * materials.len()];
        for (slot, material) in bytes.chunks_mut(stride).zip(materials) {
            let numbers = Numbers::of(material, textures);
            slot.iter_mut().zip(bytemuck::bytes_of(&numbers)).for_each(|(to, from)| *to = *from);
        }
        let buffer = buffer(device, "materials", &bytes, wgpu::BufferUsages::UNIFORM);
        for (place, material) in materials.iter().enumerate() {
            let uses = samplers(material);
            let there = |sampler: &Sampler| textures.get(sampler.texture)?.as_ref().map(|_| sampler.texture);
            let key: GroupKey = (page, uses.map(|sampler| there(sampler?)), uses.map(SamplerKey::of));
            let group = groups.entry(key).or_insert_with_key(|(_, found, how)| {
                let made = how.map(|how| sampling.get(device, how));
                let numbers = wgpu::BufferBinding {
                    buffer: &buffer,
                    offset: 0,
                    size: wgpu::BufferSize::new(size_of::<Numbers>() as u64),
                };
                let mut resources = vec![wgpu::BindingResource::Buffer(numbers)];
                for (texture, sampler) in found.iter().zip(&made) {
                    let texture = texture.and_then(|place| textures.get(place)?.as_ref());
                    resources.push(wgpu::BindingResource::TextureView(texture.map_or(white, |texture| &texture.view)));
                    resources.push(wgpu::BindingResource::Sampler(sampler));
                }
                group(device, layout, &resources)
            });
            notes.extend(lacking(material));
            let offset = (stride * place) as u32;
            on_device.push(MaterialOnDevice { group: group.clone(), offset, material: Material::clone(material) });
        }
    }
    (on_device, notes)
}

impl Numbers {
    fn of(material: &Material, textures: &[Option<TextureOnDevice>]) -> Numbers {
        let uses = samplers(material);
        let found = uses.map(|sampler| textures.get(sampler?.texture)?.as_ref());
        let mut numbers = Numbers {
            base_colour: material.base_colour,
            emissive: material.emissive,
            normal_scale: material.normal_scale,
            metallic: material.metallic,
            roughness: material.roughness,
            occlusion_strength: material.occlusion_strength,
            least_opacity: match material.alpha {
                AlphaMode::Opaque => ALWAYS_THERE,
                AlphaMode::Mask(_) | AlphaMode::Blend => parts::least_opacity(material),
            },
            texels: found.first().copied().flatten().map_or(0.0, |texture| texture.texels),
            unlit: u32::from(material.unlit),
            two_channels: u32::from(material.normal_channels == NormalChannels::Two),
            room: 0,
            uses: [Use::zeroed(); TEXTURES],
        };
        for (to, (sampler, texture)) in numbers.uses.iter_mut().zip(uses.into_iter().zip(&found)) {
            *to = lies(sampler, texture.is_some());
        }
        numbers
    }
}

/// A sentence where a material looks at more sets of coordinates than are drawn.
fn lacking(material: &Material) -> Option<String> {
    let other = other_set(material)?;
    let beyond = samplers(material).into_iter().flatten().find(|sampler| ![0, other].contains(&sampler.uv_set))?;
    Some(format!(
        "a texture lies by coordinates {other} instead of {}: besides the first, one set is drawn",
        beyond.uv_set
    ))
}
