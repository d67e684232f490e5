//! A device without a window, for tests and for pictures.

use std::fmt;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Why there is no device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoDevice {
    why: String,
}

impl fmt::Display for NoDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no graphics device to draw with: {}", self.why)
    }
}

impl std::error::Error for NoDevice {}

/// The fastest device there is, with room for textures and buffers as large as it can hold.
pub fn headless() -> Result<(wgpu::Device, wgpu::Queue), NoDevice> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..wgpu::RequestAdapterOptions::default()
    };
    let adapter = wait(instance.request_adapter(&options)).map_err(|error| NoDevice { why: error.to_string() })?;
    let wanted = device_descriptor(&adapter);
    wait(adapter.request_device(&wanted)).map_err(|error| NoDevice { why: error.to_string() })
}

/// What a device is asked for: little, so that any will do, but room for textures and buffers as large as it can hold.
pub fn device_descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
    let most = adapter.limits();
    let required_limits = wgpu::Limits {
        max_buffer_size: most.max_buffer_size,
        max_storage_buffer_binding_size: most.max_storage_buffer_binding_size,
        ..wgpu::Limits::downlevel_defaults().using_resolution(most)
    };
    wgpu::DeviceDescriptor { label: Some("maquette"), required_limits, ..wgpu::DeviceDescriptor::default() }
}

/// Outside of browsers nothing is waited for: what is asked for is there when the question returns.
fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
        std::thread::yield_now();
    }
}
