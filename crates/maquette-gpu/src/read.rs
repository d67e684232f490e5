//! The bytes of a target, back from the device.

use crate::renderer::Renderer;
use crate::target::Target;
use maquette_render::Picture;
use std::fmt;
use std::sync::mpsc;

/// Why a picture cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// It is larger than a buffer of the device.
    TooLarge {
        /// Of the picture.
        size: [u32; 2],
        /// Bytes of a buffer, at most.
        most: u64,
    },
    /// The device is gone, or has no memory left.
    Lost(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::TooLarge { size: [width, height], most } => write!(
                f,
                "a picture of {width} × {height} pixels cannot be read: a buffer of this device holds {most} bytes at most"
            ),
            ReadError::Lost(why) => write!(f, "the picture cannot be read from the device: {why}"),
        }
    }
}

impl std::error::Error for ReadError {}

pub(crate) fn read(renderer: &Renderer, target: &Target) -> Result<Picture, ReadError> {
    let (device, [width, height]) = (&renderer.device, target.size());
    let row = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let (size, most) = (u64::from(row) * u64::from(height), device.limits().max_buffer_size);
    if size > most {
        return Err(ReadError::TooLarge { size: [width, height], most });
    }
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("picture"),
        size,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.copy_texture_to_buffer(
        target.bytes.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None },
        },
        target.bytes.size(),
    );
    let submitted = renderer.queue.submit([encoder.finish()]);
    let (tell, told) = mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |outcome| _ = tell.send(outcome));
    let lost = |error: &dyn fmt::Display| ReadError::Lost(error.to_string());
    device
        .poll(wgpu::PollType::Wait { submission_index: Some(submitted), timeout: None })
        .map_err(|error| lost(&error))?;
    told.recv().map_err(|error| lost(&error))?.map_err(|error| lost(&error))?;
    let bytes = buffer.get_mapped_range(..).map_err(|error| lost(&error))?;
    let rows = bytes.chunks(row as usize).take(height as usize);
    let pixels = rows.flat_map(|row| row.as_chunks::<4>().0.iter().take(width as usize).copied()).collect();
    Picture::new(width, height, pixels).ok_or_else(|| ReadError::Lost("it is not whole".into()))
}
