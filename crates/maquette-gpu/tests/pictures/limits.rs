//! Devices that hold little: what does not fit is told, and nothing panics.

use crate::hold::renderer;
use crate::scenes::{add, image, quad, textured};
use maquette_gpu::{Renderer, Target};
use maquette_render::{Framing, Mode, Shot, Stage, StageOptions};
use maquette_scene::Scene;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
    }
}

/// A renderer whose buffers hold a megabyte, and textures 2048 texels a side.
fn small() -> Option<Renderer> {
    renderer()?;
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = wait(instance.request_adapter(&Default::default())).unwrap();
    let required_limits = wgpu::Limits {
        max_buffer_size: 1 << 20,
        max_storage_buffer_binding_size: 1 << 20,
        ..wgpu::Limits::downlevel_defaults()
    };
    let wanted = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
    let (device, queue) = wait(adapter.request_device(&wanted)).unwrap();
    Some(Renderer::new(&device, &queue))
}

#[test]
fn textures_and_parts_that_are_too_large_are_told() {
    let Some(renderer) = small() else { return };
    let mut scene = Scene::default();
    let wide = image(&mut scene, 5000, 2, vec![vec![[200, 100, 50, 255]; 10_000]]);
    quad(&mut scene, [0.0, 0.0], [4.0, 3.0], 0.0, textured(wide));
    let many: Vec<[f32; 3]> = (0..40_000).map(|at| [at as f32, 0.0, 0.0]).collect();
    add(&mut scene, &many, &[0, 1, 2], textured(wide));
    let stage = Stage::new(&scene, &StageOptions::default());
    let model = renderer.load(&stage);
    let notes = model.notes();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("1250 × 1 texels instead of 5000 × 2"), "{notes:?}");
    assert!(
        notes[1].starts_with("parts that are not drawn: 1, the first of them part 1 with 40000 vertices"),
        "{notes:?}"
    );
    let posed = stage.pose(None);
    let pose = renderer.pose(&model, &posed);
    let size = [16, 16];
    let camera = posed.camera(&Framing::default(), size);
    let mut target = Target::new(&renderer, [16, 9000]);
    assert_eq!(target.size(), [16, 2048]);
    for mode in Mode::ALL {
        renderer.draw(&model, &pose, &Shot { size, camera, mode, ..Shot::default() }, &mut target);
    }
    assert_eq!(renderer.read(&target).unwrap().height(), 2048);
    let large = Target::new(&renderer, [2048, 2048]);
    let error = renderer.read(&large).unwrap_err().to_string();
    assert!(error.contains("2048 × 2048") && error.contains("1048576"), "{error}");
}

/// More parts than a buffer of the device has room for.
#[test]
fn parts_that_are_too_many_are_told() {
    let Some(renderer) = small() else { return };
    let mut scene = Scene::default();
    let node = quad(&mut scene, [0.0, 0.0], [4.0, 3.0], 0.0, Default::default());
    let mesh = scene.nodes[node].mesh.unwrap();
    let primitive = scene.meshes[mesh].primitives[0].clone();
    scene.meshes[mesh].primitives = vec![primitive; 40_000];
    let stage = Stage::new(&scene, &StageOptions::default());
    let model = renderer.load(&stage);
    let notes = model.notes();
    assert!(notes.len() == 1 && notes[0].starts_with("parts that are not drawn: 3"), "{notes:?}");
    let posed = stage.pose(None);
    let pose = renderer.pose(&model, &posed);
    let size = [16, 16];
    let camera = posed.camera(&Framing::default(), size);
    let mut target = Target::new(&renderer, size);
    renderer.draw(&model, &pose, &Shot { size, camera, ..Shot::default() }, &mut target);
    assert!(renderer.read(&target).unwrap().constant().is_none());
}
