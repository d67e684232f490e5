//! Textures with all their mip levels on the device, and how they lie on surfaces.

use maquette_render::parts::{Magnify, Sampler, Texture, Values};
use maquette_scene::material::Wrap;
use std::collections::HashMap;

/// A texture on the device.
pub(crate) struct TextureOnDevice {
    pub view: wgpu::TextureView,
    /// Texels of its largest level, which may be larger than what the device holds.
    pub texels: f32,
}

/// Levels that are no larger than the device can hold, and a sentence where that is not all of them; `None` where there are none.
pub(crate) fn upload(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    place: usize,
    texture: &Texture,
) -> (Option<TextureOnDevice>, Option<String>) {
    let most = device.limits().max_texture_dimension_2d;
    let largest = texture.levels.first();
    let mut fitting = texture.levels.iter().skip_while(|level| level.width.max(level.height) > most);
    let Some((largest, first)) = largest.zip(fitting.next()) else {
        return (None, Some(format!("texture {place} is not drawn: it has no level that this device can hold")));
    };
    let note = (first.width != largest.width || first.height != largest.height).then(|| {
        format!(
            "texture {place} is drawn with {} × {} texels instead of {} × {}: sides are at most {most} on this device",
            first.width, first.height, largest.width, largest.height
        )
    });
    let size = wgpu::Extent3d { width: first.width, height: first.height, depth_or_array_layers: 1 };
    let whole = size.max_mips(wgpu::TextureDimension::D2);
    // Levels are halves of each other down to one texel; what does not go on so is left out.
    let levels = std::iter::once(first).chain(fitting).zip(0..whole).take_while(|(level, number)| {
        let side = |side: u32| side.checked_shr(*number).unwrap_or(0).max(1);
        (level.width, level.height) == (side(first.width), side(first.height))
            && level.pixels.len() == level.width as usize * level.height as usize
    });
    let levels: Vec<_> = levels.map(|(level, _)| level).collect();
    if levels.is_empty() {
        return (None, Some(format!("texture {place} is not drawn: its pixels are not as many as its size says")));
    }
    let on_device = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("texture"),
        size,
        mip_level_count: levels.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: match texture.values {
            Values::Srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
            Values::Linear => wgpu::TextureFormat::Rgba8Unorm,
        },
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (mip_level, level) in (0..).zip(levels) {
        queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &on_device,
                mip_level,
                origin: wgpu::Origin3d::ZERO,
                aspect: wgpu::TextureAspect::All,
            },
            level.pixels.as_flattened(),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(level.width * 4),
                rows_per_image: Some(level.height),
            },
            wgpu::Extent3d { width: level.width, height: level.height, depth_or_array_layers: 1 },
        );
    }
    let view = on_device.create_view(&wgpu::TextureViewDescriptor::default());
    (Some(TextureOnDevice { view, texels: largest.width as f32 * largest.height as f32 }), note)
}

/// How a texture is sampled: in one of eighteen ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SamplerKey {
    wrap: [wgpu::AddressMode; 2],
    magnify: wgpu::FilterMode,
}

impl SamplerKey {
    pub fn of(sampler: Option<&Sampler>) -> SamplerKey {
        let address = |wrap: Wrap| match wrap {
            Wrap::Repeat => wgpu::AddressMode::Repeat,
            Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
            Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
        };
        SamplerKey {
            wrap: sampler.map_or([Wrap::Repeat; 2], |sampler| sampler.wrap).map(address),
            magnify: match sampler.map(|sampler| sampler.magnify) {
                Some(Magnify::Squares) => wgpu::FilterMode::Nearest,
                Some(Magnify::Smooth) | None => wgpu::FilterMode::Linear,
            },
        }
    }
}

/// Samplers by what they do.
#[derive(Default)]
pub(crate) struct Samplers {
    made: HashMap<SamplerKey, wgpu::Sampler>,
}

impl Samplers {
    /// Several places along the longer side of what a pixel covers are averaged by the shader, as the software renderer does: devices differ in how they do it.
    pub fn get(&mut self, device: &wgpu::Device, key: SamplerKey) -> wgpu::Sampler {
        let make = || {
            device.create_sampler(&wgpu::SamplerDescriptor {
                address_mode_u: key.wrap[0],
                address_mode_v: key.wrap[1],
                mag_filter: key.magnify,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..Default::default()
            })
        };
        self.made.entry(key).or_insert_with(make).clone()
    }
}
