//! stub
#![allow(missing_docs)]
use maquette_render::*;
use maquette_scene::glam::Vec3;
pub struct Renderer;
pub struct Model;
pub struct Pose;
pub struct Target {
    size: [u32; 2],
}
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extra {
    pub passes: Passes,
    pub lines: Vec<ExtraLine>,
}
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Passes {
    #[default]
    Both,
    Opaque,
    Transparent,
}
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExtraLine {
    pub ends: [Vec3; 2],
    pub pen: Pen,
}
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    pub colour: [f32; 3],
    pub opacity: f32,
    pub hidden: f32,
    pub width: f32,
}
impl Renderer {
    pub fn new(_: &wgpu::Device, _: &wgpu::Queue) -> Renderer {
        Renderer
    }
    pub fn load(&self, _: &Stage<'_>) -> Model {
        Model
    }
    pub fn pose(&self, _: &Model, _: &Posed<'_>) -> Pose {
        Pose
    }
    pub fn draw(&self, _: &Model, _: &Pose, _: &Shot, _: &Extra, _: &mut Target) {}
    pub fn read(&self, _: &Target) -> Result<Picture, String> {
        Err("stub".into())
    }
}
impl Target {
    pub fn new(_: &Renderer, size: [u32; 2]) -> Target {
        Target { size }
    }
    pub fn size(&self) -> [u32; 2] {
        self.size
    }
    pub fn view(&self) -> &wgpu::TextureView {
        panic!()
    }
}
pub fn device_descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
    wgpu::DeviceDescriptor { required_limits: adapter.limits(), ..Default::default() }
}
