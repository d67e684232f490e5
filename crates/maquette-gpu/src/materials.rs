//! Materials on the device: their numbers, textures and samplers in one group each.

use crate::geometry::{other_set, samplers};
use crate::layouts::group;
use crate::textures::{Samplers, TextureOnDevice};
use bytemuck::{Pod, Zeroable};
use maquette_render::parts::{self, Magnify, Material, NormalChannels, Sampler};
use maquette_scene::material::AlphaMode;
use wgpu::util::DeviceExt;

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

impl MaterialOnDevice {
    /// And a sentence where the device is given less than the material says.
    pub fn new(
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        material: &Material,
        textures: &[Option<TextureOnDevice>],
        white: &wgpu::TextureView,
        sampler_cache: &mut Samplers,
    ) -> (MaterialOnDevice, Option<String>) {
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
        let uniform = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("material"),
            contents: bytemuck::bytes_of(&numbers),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let made: Vec<wgpu::Sampler> = uses.iter().map(|sampler| sampler_cache.get(device, *sampler)).collect();
        let mut resources = vec![uniform.as_entire_binding()];
        for (texture, sampler) in found.iter().zip(&made) {
            resources.push(wgpu::BindingResource::TextureView(texture.map_or(white, |texture| &texture.view)));
            resources.push(wgpu::BindingResource::Sampler(sampler));
        }
        let other = other_set(material);
        let beyond = uses.into_iter().flatten().find(|sampler| sampler.uv_set > 0 && Some(sampler.uv_set) != other);
        let note = beyond.zip(other).map(|(sampler, other)| {
            format!(
                "a texture lies by coordinates {other} instead of {}: besides the first, one set is drawn",
                sampler.uv_set
            )
        });
        (MaterialOnDevice { group: group(device, layout, &resources), material: material.clone() }, note)
    }
}
