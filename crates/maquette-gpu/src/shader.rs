//! Shaders, put together from their pieces: constants first, then what each needs.

use crate::numbers::constants;

/// The modules of all pipelines.
pub(crate) struct Shaders {
    /// Triangles: pictures and maps of depth.
    pub triangles: wgpu::ShaderModule,
    pub hollows: wgpu::ShaderModule,
    /// Laying over and encoding.
    pub finish: wgpu::ShaderModule,
    /// What looks at single samples, for one of them and for four.
    pub one: SampleShaders,
    pub four: SampleShaders,
}

/// What looks at single samples.
pub(crate) struct SampleShaders {
    pub lines: wgpu::ShaderModule,
    pub wire: wgpu::ShaderModule,
    pub counts: wgpu::ShaderModule,
}

/// How samples are read; without several of them a texture is of another kind.
const ONE: &str = "
const SAMPLES: i32 = 1;
@group(1) @binding(0) var there: texture_depth_2d;
fn there_at(at: vec2i, sample: i32) -> f32 { return textureLoad(there, at, 0); }
";
const FOUR: &str = "
const SAMPLES: i32 = 4;
@group(1) @binding(0) var there: texture_depth_multisampled_2d;
fn there_at(at: vec2i, sample: i32) -> f32 { return textureLoad(there, at, sample); }
";
const ONE_COUNT: &str = "
const SAMPLES: i32 = 1;
@group(1) @binding(0) var counts: texture_2d<f32>;
fn count_at(at: vec2i, sample: i32) -> f32 { return textureLoad(counts, at, 0).x; }
";
const FOUR_COUNTS: &str = "
const SAMPLES: i32 = 4;
@group(1) @binding(0) var counts: texture_multisampled_2d<f32>;
fn count_at(at: vec2i, sample: i32) -> f32 { return textureLoad(counts, at, sample).x; }
";

const FRAME: &str = include_str!("shaders/frame.wgsl");
const LINES: &str = include_str!("shaders/lines.wgsl");

impl Shaders {
    pub fn new(device: &wgpu::Device) -> Shaders {
        let constants = constants();
        let module = |label: &str, pieces: &[&str]| {
            let source = [&[&constants, FRAME], pieces].concat().join("\n");
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        };
        let of_samples = |depth: &str, counts: &str| SampleShaders {
            lines: module("lines", &[depth, LINES]),
            wire: module("wire", &[depth, LINES, include_str!("shaders/wire.wgsl")]),
            counts: module("counts", &[counts, include_str!("shaders/counts.wgsl")]),
        };
        Shaders {
            triangles: module(
                "triangles",
                &[
                    include_str!("shaders/material.wgsl"),
                    include_str!("shaders/vertex.wgsl"),
                    include_str!("shaders/light.wgsl"),
                    include_str!("shaders/tone_map.wgsl"),
                    include_str!("shaders/shade.wgsl"),
                ],
            ),
            hollows: module("hollows", &[include_str!("shaders/hollows.wgsl")]),
            finish: module("finish", &[include_str!("shaders/finish.wgsl")]),
            one: of_samples(ONE, ONE_COUNT),
            four: of_samples(FOUR, FOUR_COUNTS),
        }
    }
}
