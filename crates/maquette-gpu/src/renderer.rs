//! The pipelines of a device, and what all pictures on it have in common.

use crate::draw::{self, Extras, Progress, Share};
use crate::geometry::buffer;
use crate::model::Model;
use crate::numbers::Tables;
use crate::pipelines::{DEPTH, NUMBER, Pipelines};
use crate::pose::Pose;
use crate::read::{self, ReadError};
use crate::target::Target;
use maquette_render::{Picture, Posed, Shot, Stage, parts};
use wgpu::util::{DeviceExt, TextureDataOrder};
use wgpu::{TextureFormat, TextureUsages};

/// Pipelines for one device. All methods may be called from any thread.
pub struct Renderer {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) pipelines: Pipelines,
    pub(crate) tables: wgpu::Buffer,
    /// How much of all light is reflected.
    pub(crate) reflected: wgpu::TextureView,
    /// Where there is no texture.
    pub(crate) white: wgpu::TextureView,
    /// Where there are no shadows.
    pub(crate) no_depth: wgpu::TextureView,
    /// Where there are no hollows.
    pub(crate) no_number: wgpu::TextureView,
}

impl Renderer {
    /// For a device that offers at least `wgpu::Limits::downlevel_defaults()`. Pipelines are made when they are first drawn with.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Renderer {
        let side = parts::REFLECTED_SIDE as u32;
        let texture = |label: &str, side: u32, format: TextureFormat, bytes: &[u8]| {
            let descriptor = descriptor(label, [side, side], 1, format, TextureUsages::TEXTURE_BINDING);
            device.create_texture_with_data(queue, &descriptor, TextureDataOrder::LayerMajor, bytes)
        };
        let view = |texture: wgpu::Texture| texture.create_view(&Default::default());
        let reflected = bytemuck::cast_slice(parts::reflected());
        Renderer {
            pipelines: Pipelines::new(device),
            tables: buffer(device, "tables", &[Tables::new()], wgpu::BufferUsages::UNIFORM),
            reflected: view(texture("reflected", side, TextureFormat::Rg32Float, reflected)),
            white: view(texture("white", 1, TextureFormat::Rgba8Unorm, &[255; 4])),
            no_depth: view(device.create_texture(&descriptor(
                "no depth",
                [1, 1],
                1,
                DEPTH,
                TextureUsages::TEXTURE_BINDING | TextureUsages::RENDER_ATTACHMENT,
            ))),
            no_number: view(device.create_texture(&descriptor(
                "no number",
                [1, 1],
                1,
                NUMBER,
                TextureUsages::TEXTURE_BINDING | TextureUsages::RENDER_ATTACHMENT,
            ))),
            device: device.clone(),
            queue: queue.clone(),
        }
    }

    /// Puts the textures and materials of a stage on the device, and what of its vertices does not move.
    pub fn load(&self, stage: &Stage<'_>) -> Model {
        Model::new(self, stage)
    }

    /// Puts the vertices of a moment on the device. The pose must be one of the stage that the model was loaded from.
    pub fn pose(&self, model: &Model, posed: &Posed<'_>) -> Pose {
        Pose::new(self, model, posed)
    }

    /// Draws a picture. It has the size of the target, whatever the shot says.
    pub fn draw(&self, model: &Model, pose: &Pose, shot: &Shot, target: &mut Target) {
        self.draw_with(model, pose, shot, &Extras::default(), target);
    }

    /// Draws a picture with what the caller adds to it.
    pub fn draw_with(&self, model: &Model, pose: &Pose, shot: &Shot, extras: &Extras, target: &mut Target) {
        draw::draw(self, model, pose, shot, extras, target, Share::Whole);
    }

    /// Draws a share of a picture, so that who shows it can do something else in between: surfaces that mix may be very many, and each cover all of it. The first is followed by the next ones with all
    /// else as it was, until the picture is whole; before that it lacks the nearest of them, and lines.
    pub fn draw_share(
        &self,
        model: &Model,
        pose: &Pose,
        shot: &Shot,
        extras: &Extras,
        target: &mut Target,
        share: Share,
    ) -> Progress {
        draw::draw(self, model, pose, shot, extras, target, share)
    }

    /// Waits until the device has done all that it was asked for. One that is lost does no more.
    pub fn finish(&self) {
        _ = self.device.poll(wgpu::PollType::wait_indefinitely());
    }

    /// The bytes of a target, when all that is drawn into it is done.
    pub fn read(&self, target: &Target) -> Result<Picture, ReadError> {
        read::read(self, target)
    }
}

/// A texture of one level.
pub(crate) fn descriptor(
    label: &str,
    [width, height]: [u32; 2],
    sample_count: u32,
    format: TextureFormat,
    usage: TextureUsages,
) -> wgpu::TextureDescriptor<'_> {
    wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    }
}
