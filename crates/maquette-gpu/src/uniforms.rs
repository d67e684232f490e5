//! What all of a picture looks at, as shaders have it.

use crate::numbers::{encoding_number, mode_number, tone_number};
use crate::pipelines::Sampling;
use bytemuck::{Pod, Zeroable};
use maquette_render::parts::{Lens, LensKind, Plan, SHADOW_SEEN, Studio};
use maquette_render::{Bounds, Shot};
use maquette_scene::glam::Vec3;

/// A camera.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct LensNumbers {
    right: [f32; 3],
    scale: f32,
    up: [f32; 3],
    near: f32,
    back: [f32; 3],
    far: f32,
    eye: [f32; 3],
    perspective: u32,
    middle: [f32; 2],
    size: [f32; 2],
}

impl LensNumbers {
    pub fn new(lens: &Lens) -> LensNumbers {
        // Everything is within one unit of the origin. With perspective nothing is too far away.
        let far = (lens.eye.dot(lens.back) + 1.5).max(lens.near + 1.0);
        LensNumbers {
            right: lens.right.to_array(),
            scale: lens.scale,
            up: lens.up.to_array(),
            near: lens.near,
            back: lens.back.to_array(),
            far,
            eye: lens.eye.to_array(),
            perspective: u32::from(lens.kind == LensKind::Perspective),
            middle: lens.middle,
            size: lens.size.map(|side| side as f32),
        }
    }
}

/// Everything but textures.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct FrameNumbers {
    pub lens: LensNumbers,
    pub light: LensNumbers,
    towards_key: [f32; 3],
    shadow_texel: f32,
    key: [f32; 3],
    ambient: f32,
    bounds_min: [f32; 3],
    exposure: f32,
    bounds_max: [f32; 3],
    hollows_scale: f32,
    background: [f32; 4],
    mode: u32,
    tone_map: u32,
    encoding: u32,
    samples: u32,
}

impl FrameNumbers {
    pub fn new(
        shot: &Shot,
        plan: &Plan,
        sampling: Sampling,
        lens: &Lens,
        light: &Lens,
        studio: &Studio,
        bounds: Option<Bounds>,
    ) -> FrameNumbers {
        let bounds = bounds.unwrap_or(Bounds::UNIT);
        let background: Vec3 = plan.background * plan.background_opacity;
        FrameNumbers {
            lens: LensNumbers::new(lens),
            light: LensNumbers::new(light),
            towards_key: plan.lamps.towards_key.to_array(),
            shadow_texel: plan.shadow_side.map_or(0.0, |side| SHADOW_SEEN / side as f32),
            key: plan.lamps.key.to_array(),
            ambient: plan.lamps.ambient,
            bounds_min: studio.place(bounds.min).to_array(),
            exposure: plan.exposure,
            bounds_max: studio.place(bounds.max).to_array(),
            hollows_scale: plan.hollows.map_or(0.0, |map| map.scale),
            background: background.extend(plan.background_opacity).into(),
            mode: mode_number(shot.mode),
            tone_map: tone_number(shot.tone_map),
            encoding: encoding_number(plan.encoding),
            samples: sampling.count(),
        }
    }
}

impl FrameNumbers {
    /// The same, as another camera sees it.
    pub fn seen_by(self, lens: LensNumbers) -> FrameNumbers {
        FrameNumbers { lens, ..self }
    }
}

/// A part at a moment.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct PartNumbers {
    pub tint: [f32; 4],
    pub mirrored: u32,
    pub normals: u32,
    pub tangents: u32,
    pub sets: u32,
}

impl PartNumbers {
    /// Bytes from one part to the next.
    pub fn stride(device: &wgpu::Device) -> usize {
        let align = device.limits().min_uniform_buffer_offset_alignment as usize;
        size_of::<PartNumbers>().next_multiple_of(align.max(1))
    }
}

/// One colour.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct Ink {
    pub colour: [f32; 4],
}
