//! Lines on the device: one instance each.

use bytemuck::{Pod, Zeroable};
use maquette_render::parts::{Pen, Studio};
use maquette_scene::glam::Vec3;

/// A line, as shaders have it.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct Instance {
    start: [f32; 3],
    end: [f32; 3],
    colour: [f32; 3],
    /// Opacity in front, behind something, and the width in pixels.
    pen: [f32; 3],
}

impl Instance {
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 4] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Float32x3];

    /// Between places of the scene; `None` where one of them is nowhere.
    pub fn new(studio: &Studio, ends: [Vec3; 2], pen: &Pen) -> Option<Instance> {
        let [start, end] = ends.map(|end| studio.place(end));
        (start.is_finite() && end.is_finite()).then(|| Instance {
            start: start.to_array(),
            end: end.to_array(),
            colour: pen.colour.to_array(),
            pen: [pen.opacity, pen.hidden, pen.width],
        })
    }
}

/// The pen of the edges of triangles, as shaders have it.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct WirePen {
    colour: [f32; 4],
    pen: [f32; 4],
    stride: u32,
    room: [u32; 3],
}

impl WirePen {
    pub fn new(pen: &Pen, stride: u32) -> WirePen {
        WirePen {
            colour: pen.colour.extend(1.0).into(),
            pen: [pen.opacity, pen.hidden, pen.width, 0.0],
            stride,
            room: [0; 3],
        }
    }
}
