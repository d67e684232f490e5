//! A model drawn in software and on the device, beside each other, with where they differ:
//! `cargo run -p maquette-gpu --release --example beside -- model.glb out.png [mode] [side] [clip]`. `creature` and `million` (triangles) are models too.

#![allow(clippy::print_stdout)]

use maquette_gpu::{Renderer, Target, headless};
use maquette_render::compare::compare;
use maquette_render::{Framing, Mode, Picture, Shot, Stage, StageOptions, draw};
use maquette_scene::Scene;
use maquette_scene::mesh::{Mesh, Primitive, Streams};
use maquette_scene::scene::Node;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |place: usize| words.get(place).map(String::as_str);
    let scene = match word(0) {
        None | Some("creature") => maquette::sample::creature(),
        Some("million") => million(),
        Some(file) => maquette::read(file)?.scene,
    };
    let mode = word(2).and_then(Mode::from_word).unwrap_or_default();
    let side = word(3).and_then(|side| side.parse().ok()).unwrap_or(512);
    let clip = word(4).and_then(|name| scene.clips.iter().find(|clip| clip.name == name));
    let stage = Stage::new(&scene, &StageOptions::default());
    let posed = stage.pose(clip.map(|clip| (clip, clip.duration_secs as f32 * 0.4)));
    let size = [side, side];
    let shot = Shot { size, camera: posed.camera(&Framing::default(), size), mode, ..Shot::default() };

    let (device, queue) = headless()?;
    println!("{:?}", device.adapter_info().name);
    let timed = |what: &str, since: Instant| println!("{what}: {:.1} ms", since.elapsed().as_secs_f64() * 1e3);
    let since = Instant::now();
    let renderer = Renderer::new(&device, &queue);
    timed("new", since);
    let since = Instant::now();
    let model = renderer.load(&stage);
    timed("load", since);
    model.notes().iter().for_each(|note| println!("{note}"));
    let since = Instant::now();
    let pose = renderer.pose(&model, &posed);
    timed("pose", since);
    let mut target = Target::new(&renderer, size);
    for _ in 0..3 {
        let since = Instant::now();
        renderer.draw(&model, &pose, &shot, &mut target);
        device.poll(wgpu::PollType::wait_indefinitely())?;
        timed("draw", since);
    }
    let drawn = renderer.read(&target)?;
    let since = Instant::now();
    let software = draw(&posed, &shot)?;
    timed("in software", since);
    let found = compare(&software, &drawn).ok_or("they are not of one size")?;
    let mut apart: Vec<u8> =
        software.pixels().iter().flatten().zip(drawn.pixels().iter().flatten()).map(|(a, b)| a.abs_diff(*b)).collect();
    apart.sort_unstable();
    let mean = apart.iter().map(|apart| f64::from(*apart)).sum::<f64>() / apart.len() as f64;
    let most = apart.get(apart.len() * 99 / 100).copied().unwrap_or(0);
    println!("{}: SSIM {:.5}, mean {mean:.3}, 99 of 100 {most}, largest {}", mode.word(), found.ssim, found.largest);
    if let Some(file) = word(1) {
        let pictures = [&software, &drawn, &found.heat];
        let rows = (0..side as usize).flat_map(|y| pictures.iter().flat_map(move |picture| picture.row(y)));
        let beside = Picture::new(side * 3, side, rows.copied().collect()).ok_or("it has no size")?;
        std::fs::write(file, maquette_texture::png::encode(side * 3, side, beside.pixels()).ok_or("no PNG")?)?;
    }
    Ok(())
}

/// Waves of a million triangles.
fn million() -> Scene {
    const SIDE: u32 = 708;
    let height = |x: f32, y: f32| (x * 9.0).sin() * (y * 7.0).cos() * 0.1;
    let at = |vertex: u32| [vertex % SIDE, vertex / SIDE].map(|step| step as f32 / SIDE as f32 * 2.0 - 1.0);
    let positions = (0..SIDE * SIDE).map(at).map(|[x, y]| [x, height(x, y), -y]).collect();
    let normals = (0..SIDE * SIDE).map(at).map(|[x, y]| {
        let slope = |along: f32| (height(x + along, y) - height(x, y)) / along;
        [-slope(1e-3), 1.0, 0.0]
    });
    let streams = Streams { positions, normals: Some(normals.collect()), ..Streams::default() };
    let cells = (0..(SIDE - 1) * (SIDE - 1)).map(|cell| cell / (SIDE - 1) * SIDE + cell % (SIDE - 1));
    let indices = cells.flat_map(|a| [a, a + 1, a + SIDE + 1, a, a + SIDE + 1, a + SIDE]).collect();
    let mut scene = Scene::default();
    let primitive = Primitive { streams, indices, ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let node = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
    scene.roots.push(node);
    scene
}
