//! What shaders are given, in which groups.

use wgpu::{BindingType, BufferBindingType, ShaderStages, TextureSampleType, TextureViewDimension};

/// The layouts of groups.
pub(crate) struct Layouts {
    /// Everywhere: the frame and the tables.
    pub frame: wgpu::BindGroupLayout,
    pub material: wgpu::BindGroupLayout,
    pub part: wgpu::BindGroupLayout,
    /// Shadows, hollows and the table of what is reflected.
    pub maps: wgpu::BindGroupLayout,
    /// Depth, and hollows that are not yet even.
    pub hollows: wgpu::BindGroupLayout,
    /// The depth of samples that lines are hidden by: of one, of four.
    pub depth: [wgpu::BindGroupLayout; 2],
    /// The counts of samples: of one, of four.
    pub counts: [wgpu::BindGroupLayout; 2],
    /// Vertices, indices and a pen; `None` where the device lets vertices look at no buffers.
    pub wire: Option<wgpu::BindGroupLayout>,
    /// A picture and an ink.
    pub finish: wgpu::BindGroupLayout,
}

const DEPTH: TextureSampleType = TextureSampleType::Depth;
const NUMBERS: TextureSampleType = TextureSampleType::Float { filterable: false };
const COLOURS: TextureSampleType = TextureSampleType::Float { filterable: true };

const UNIFORM: BindingType =
    BindingType::Buffer { ty: BufferBindingType::Uniform, has_dynamic_offset: false, min_binding_size: None };

/// One of many in a buffer, chosen when it is drawn.
const CHOSEN_UNIFORM: BindingType =
    BindingType::Buffer { ty: BufferBindingType::Uniform, has_dynamic_offset: true, min_binding_size: None };

const STORAGE: BindingType = BindingType::Buffer {
    ty: BufferBindingType::Storage { read_only: true },
    has_dynamic_offset: false,
    min_binding_size: None,
};

fn texture(sample_type: TextureSampleType) -> BindingType {
    BindingType::Texture { sample_type, view_dimension: TextureViewDimension::D2, multisampled: false }
}

fn samples(sample_type: TextureSampleType) -> BindingType {
    BindingType::Texture { sample_type, view_dimension: TextureViewDimension::D2, multisampled: true }
}

impl Layouts {
    pub fn new(device: &wgpu::Device) -> Layouts {
        let layout = |label: &str, visibility: ShaderStages, types: &[BindingType]| {
            let entries: Vec<_> = (0..)
                .zip(types)
                .map(|(binding, ty)| wgpu::BindGroupLayoutEntry { binding, visibility, ty: *ty, count: None })
                .collect();
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
        };
        let (fragment, both) = (ShaderStages::FRAGMENT, ShaderStages::VERTEX_FRAGMENT);
        let mut material = vec![CHOSEN_UNIFORM];
        for _ in 0..crate::materials::TEXTURES {
            material.extend([texture(COLOURS), BindingType::Sampler(wgpu::SamplerBindingType::Filtering)]);
        }
        Layouts {
            frame: layout("frame", both, &[UNIFORM, UNIFORM]),
            material: layout("material", fragment, &material),
            part: layout("part", fragment, &[CHOSEN_UNIFORM]),
            maps: layout("maps", fragment, &[texture(DEPTH), texture(NUMBERS), texture(NUMBERS)]),
            hollows: layout("hollows", fragment, &[texture(DEPTH), texture(NUMBERS)]),
            depth: [layout("depth", fragment, &[texture(DEPTH)]), layout("depths", fragment, &[samples(DEPTH)])],
            counts: [layout("count", fragment, &[texture(NUMBERS)]), layout("counts", fragment, &[samples(NUMBERS)])],
            wire: (device.limits().max_storage_buffers_per_shader_stage >= 2)
                .then(|| layout("wire", ShaderStages::VERTEX, &[STORAGE, STORAGE, UNIFORM])),
            finish: layout("finish", fragment, &[texture(NUMBERS), UNIFORM]),
        }
    }
}

/// A group of what a layout wants, in order.
pub(crate) fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    resources: &[wgpu::BindingResource<'_>],
) -> wgpu::BindGroup {
    let entries: Vec<_> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}
