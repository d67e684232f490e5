//! What is drawn into, and the maps that are drawn on the way there. They are made when a picture first wants them, and kept for the next one.

use crate::blend::Sorted;
use crate::geometry::buffer;
use crate::layouts::group;
use crate::lines::WirePen;
use crate::pipelines::{BYTES, DEPTH, NUMBER, NUMBERS, Sampling};
use crate::renderer::{Renderer, descriptor};
use crate::uniforms::{FrameNumbers, Ink};
use bytemuck::Zeroable;
use maquette_render::parts::Lens;
use maquette_scene::glam::Vec3;
use wgpu::{BufferUsages, TextureFormat, TextureUsages};

/// What is drawn into: colours in sRGB with straight opacity, the bytes of a PNG.
pub struct Target {
    size: [u32; 2],
    pub(crate) bytes: wgpu::Texture,
    view: wgpu::TextureView,
    /// Numbers before they are encoded.
    pub(crate) numbers: wgpu::TextureView,
    /// What the picture, the light and the map of hollows look at.
    pub(crate) frames: [FrameOnDevice; 3],
    pub(crate) samples: Option<SampleMaps>,
    pub(crate) counts: Option<Map>,
    /// How much edges of triangles cover.
    pub(crate) most: Option<wgpu::TextureView>,
    pub(crate) shadow: Option<ShadowMap>,
    pub(crate) hollows: Option<HollowsMaps>,
    pub(crate) parts: Option<PartsOnDevice>,
    pub(crate) blends: Option<BlendsOnDevice>,
    /// How many shares of them are drawn.
    pub(crate) mixed: usize,
    pub(crate) wire_pen: wgpu::Buffer,
    pub(crate) ink: wgpu::Buffer,
}

/// [`FrameNumbers`] on the device.
pub(crate) struct FrameOnDevice {
    pub buffer: wgpu::Buffer,
    pub group: wgpu::BindGroup,
}

/// A map of samples.
pub(crate) struct Map {
    pub sampling: Sampling,
    pub view: wgpu::TextureView,
}

/// What samples see.
pub(crate) struct SampleMaps {
    pub sampling: Sampling,
    /// `None` where numbers are drawn at once.
    pub colours: Option<wgpu::TextureView>,
    pub depths: wgpu::TextureView,
    /// The depths, for lines.
    pub depth_group: wgpu::BindGroup,
}

/// What decides how shadows fall.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShadowKey {
    pub pose: u64,
    pub towards_key: Vec3,
    pub side: u32,
    pub hidden: Vec<u32>,
}

pub(crate) struct ShadowMap {
    /// What is drawn in it.
    pub key: Option<ShadowKey>,
    pub side: u32,
    pub view: wgpu::TextureView,
}

pub(crate) struct HollowsMaps {
    pub size: [u32; 2],
    pub depth: wgpu::TextureView,
    pub rough: wgpu::TextureView,
    pub even: wgpu::TextureView,
}

/// What decides how parts are drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PartsKey {
    pub pose: u64,
    pub tints: Vec<(u32, [f32; 4])>,
}

/// The numbers of all parts.
pub(crate) struct PartsOnDevice {
    pub key: Option<PartsKey>,
    pub buffer: wgpu::Buffer,
    pub group: wgpu::BindGroup,
}

/// What decides the order of triangles that mix.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BlendsKey {
    pub pose: u64,
    pub lens: Lens,
    pub hidden: Vec<u32>,
}

/// Triangles that mix, in their order.
pub(crate) struct BlendsOnDevice {
    pub key: BlendsKey,
    pub sorted: Sorted,
    pub buffer: wgpu::Buffer,
}

impl Target {
    /// Sides are made to fit the device: from 1 to as much as it can hold.
    pub fn new(renderer: &Renderer, size: [u32; 2]) -> Target {
        let device = &renderer.device;
        let size = size.map(|side| side.clamp(1, device.limits().max_texture_dimension_2d));
        let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_SRC;
        let bytes = device.create_texture(&descriptor("picture", size, 1, BYTES, usage));
        let frame = |_| {
            let buffer =
                buffer(device, "frame", &[FrameNumbers::zeroed()], BufferUsages::UNIFORM | BufferUsages::COPY_DST);
            let resources = [buffer.as_entire_binding(), renderer.tables.as_entire_binding()];
            let group = group(device, &renderer.pipelines.layouts().frame, &resources);
            FrameOnDevice { buffer, group }
        };
        let changing = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        Target {
            size,
            view: bytes.create_view(&Default::default()),
            bytes,
            numbers: map(renderer, "numbers", size, 1, NUMBERS),
            frames: [0, 1, 2].map(frame),
            samples: None,
            counts: None,
            most: None,
            shadow: None,
            hollows: None,
            parts: None,
            blends: None,
            mixed: 0,
            wire_pen: buffer(device, "wire pen", &[WirePen::zeroed()], changing),
            ink: buffer(device, "ink", &[Ink::zeroed()], changing),
        }
    }

    /// Width and height, in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The picture: `Rgba8Unorm`, holding bytes that are encoded already.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }
}

/// A texture that is drawn and looked at.
fn map(renderer: &Renderer, label: &str, size: [u32; 2], samples: u32, format: TextureFormat) -> wgpu::TextureView {
    let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING;
    renderer.device.create_texture(&descriptor(label, size, samples, format, usage)).create_view(&Default::default())
}

impl SampleMaps {
    /// Those that are there, if they are of this kind.
    pub fn ready<'a>(
        there: &'a mut Option<SampleMaps>,
        renderer: &Renderer,
        size: [u32; 2],
        sampling: Sampling,
    ) -> &'a SampleMaps {
        if there.as_ref().is_some_and(|maps| maps.sampling != sampling) {
            *there = None;
        }
        there.get_or_insert_with(|| {
            let depths = map(renderer, "depths", size, sampling.count(), DEPTH);
            let layout = sampling.pick(&renderer.pipelines.layouts().depth);
            let colours = match sampling {
                Sampling::One => None,
                Sampling::Four => Some(map(renderer, "colours", size, sampling.count(), NUMBERS)),
            };
            let depth_group = group(&renderer.device, layout, &[wgpu::BindingResource::TextureView(&depths)]);
            SampleMaps { sampling, colours, depths, depth_group }
        })
    }
}

impl Map {
    pub fn ready<'a>(
        there: &'a mut Option<Map>,
        renderer: &Renderer,
        size: [u32; 2],
        sampling: Sampling,
    ) -> &'a wgpu::TextureView {
        if there.as_ref().is_some_and(|map| map.sampling != sampling) {
            *there = None;
        }
        let make = || Map { sampling, view: map(renderer, "counts", size, sampling.count(), NUMBER) };
        &there.get_or_insert_with(make).view
    }

    pub fn number<'a>(
        there: &'a mut Option<wgpu::TextureView>,
        renderer: &Renderer,
        size: [u32; 2],
    ) -> &'a wgpu::TextureView {
        there.get_or_insert_with(|| map(renderer, "most", size, 1, NUMBER))
    }
}

impl ShadowMap {
    pub fn ready<'a>(there: &'a mut Option<ShadowMap>, renderer: &Renderer, side: u32) -> &'a mut ShadowMap {
        if there.as_ref().is_some_and(|map| map.side != side) {
            *there = None;
        }
        there.get_or_insert_with(|| ShadowMap {
            key: None,
            side,
            view: map(renderer, "shadows", [side, side], 1, DEPTH),
        })
    }
}

impl HollowsMaps {
    pub fn ready<'a>(there: &'a mut Option<HollowsMaps>, renderer: &Renderer, size: [u32; 2]) -> &'a HollowsMaps {
        if there.as_ref().is_some_and(|maps| maps.size != size) {
            *there = None;
        }
        there.get_or_insert_with(|| HollowsMaps {
            size,
            depth: map(renderer, "distances", size, 1, DEPTH),
            rough: map(renderer, "rough hollows", size, 1, NUMBER),
            even: map(renderer, "hollows", size, 1, NUMBER),
        })
    }
}
